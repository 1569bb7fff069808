"""The gunicorn worker with limited connections: `--worker-class config.worker.Worker`.

gunicorn loads this module before Django is ready, so the protocol is named here and imported with the site.
"""

from uvicorn_worker import UvicornWorker

from rules.system import stay_on_one_core


class Worker(UvicornWorker):
    """A worker that serves the site as `headjudge serve` does."""

    CONFIG_KWARGS = {"loop": "auto", "http": "config.connections:Connection", "ws": "none", "lifespan": "off"}

    def init_process(self) -> None:
        """Begin to serve, on a core of its own."""
        stay_on_one_core()
        super().init_process()
