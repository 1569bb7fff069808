# Headjudge in a container: `docker compose up` (docs/operating.md, Containers). The volume /data holds everything.

FROM python:3.13-slim-trixie AS build
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheel .

FROM python:3.13-slim-trixie
ENV PATH=/opt/headjudge/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    HASHED_STATIC=true \
    STATIC_DIR=/opt/headjudge/static
# PostgreSQL's client writes and restores backups where DATABASE_URL names a server.
RUN apt-get update && \
    apt-get install --yes --no-install-recommends postgresql-client && \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/*
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin headjudge && \
    install --directory --mode 0700 --owner headjudge --group headjudge /data
COPY --from=build /wheel /wheel
RUN python3 -m venv --without-pip /opt/headjudge && \
    pip --python /opt/headjudge/bin/python install --no-cache-dir "$(ls /wheel/*.whl)[server]"
# The key is for this one command, and kept nowhere: each installation makes its own in /data.
RUN SECRET_KEY=only-while-the-image-is-built DATA_DIR=/tmp/unused headjudge collectstatic --noinput --verbosity 0 --ignore ninja && \
    rm -rf /tmp/unused && \
    chmod -R a+rX /opt/headjudge
COPY config/deploy/container.sh /opt/headjudge/bin/headjudge-container
USER 10001:10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=5); c.request('GET', '/health/', headers={'X-Forwarded-Proto': 'https'}); raise SystemExit(c.getresponse().status != 200)"]
CMD ["headjudge-container"]
