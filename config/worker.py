"""gunicorn's worker, with connections that don't wait for ever: `--worker-class config.worker.Worker`.

gunicorn loads this before Django is ready, so the connections are named here and loaded with the site.
"""

from uvicorn_worker import UvicornWorker


class Worker(UvicornWorker):
    """Serves the site as `manage.py serve` does."""

    CONFIG_KWARGS = {"loop": "auto", "http": "config.connections:Connection", "ws": "none", "lifespan": "off"}
