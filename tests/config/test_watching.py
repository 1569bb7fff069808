"""Health, metrics and log lines, for people who keep a site running."""

import json
import logging
import logging.config

import pytest

from config.front import Front
from config.site import Site
from tests.asgi import ask, run

pytestmark = pytest.mark.django_db(transaction=True)


def test_figures_count_what_was_answered():
    front = Front(Site())

    def counted(text):
        lines = [
            line for line in text.splitlines() if line.startswith('headjudge_answers_total{by="kept",status="200"}')
        ]
        return float(lines[0].split()[-1]) if lines else 0.0

    async def asks():
        before = await ask(front, "/metrics/")
        await ask(front, "/static/icon.svg")
        return before, await ask(front, "/metrics/")

    before, after = run(asks())
    assert after.status == 200
    assert counted(after.body.decode()) == counted(before.body.decode()) + 1
    assert "headjudge_answer_seconds_bucket" in after.body.decode()


@pytest.mark.parametrize(
    ("headers", "token", "status"),
    [
        ({}, "", 200),
        ({"x-forwarded-for": "198.51.100.7"}, "", 404),
        ({"x-forwarded-for": "127.0.0.1"}, "", 404),
        ({"forwarded": "for=127.0.0.1"}, "", 404),
        ({"x-real-ip": "198.51.100.7"}, "", 404),
        ({"via": "1.1 proxy"}, "", 404),
        ({}, "secret", 404),
        ({"authorization": "Bearer wrong"}, "secret", 404),
        ({"authorization": "Bearer secret", "x-forwarded-for": "198.51.100.7"}, "secret", 200),
    ],
)
def test_metrics_are_for_this_machine_or_with_the_token(client, settings, headers, token, status):
    settings.METRICS_TOKEN = token
    assert client.get("/metrics/", headers=headers).status_code == status
    assert client.get("/health/details/", headers=headers).status_code == status


def test_behind_a_proxy_on_this_machine_only_the_token_counts(client, settings):
    """Behind a proxy that adds no header, everyone seems to come from this machine."""
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for address in ("/metrics/", "/health/details/"):
        assert client.get(address).status_code == 404
        settings.METRICS_TOKEN = "secret"
        assert client.get(address, headers={"authorization": "Bearer secret"}).status_code == 200
        settings.METRICS_TOKEN = ""


def test_no_one_from_another_address_reads_them(client):
    for address in ("/metrics/", "/health/details/"):
        assert client.get(address, REMOTE_ADDR="192.0.2.7").status_code == 404


def test_metrics_include_the_findings(client, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    Site()
    told = client.get("/metrics/").content.decode()
    assert "headjudge_disk_free_bytes{" in told
    assert 'headjudge_waiting{line="readers"} 0.0' in told


def test_each_request_is_a_line_of_json_without_private_links(settings, capsys):
    front = Front(Site())
    wanted = settings.LOGGING | {
        "handlers": settings.LOGGING["handlers"]
        | {"console": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}},
        "loggers": {"headjudge.access": {"level": "INFO"}},
    }
    logging.config.dictConfig(wanted)
    try:
        run(ask(front, "/e/a-private-token/"))
    finally:
        logging.config.dictConfig(settings.LOGGING)
    line = next(json.loads(one) for one in capsys.readouterr().out.splitlines() if '"path"' in one)
    assert line["path"] == "/e/…"
    assert (line["method"], line["by"], line["logger"]) == ("GET", "site", "headjudge.access")
    assert line["status"] in (302, 404)
    assert line["ms"] > 0
