"""Health, figures and the log's lines: for whoever keeps a site running."""

import json
import logging
import logging.config

import pytest
from django.db import DatabaseError, connection

from config.front import Front
from config.site import Site
from tests.asgi import ask, run

pytestmark = pytest.mark.django_db(transaction=True)


def test_health_says_that_the_database_answers(client):
    answer = client.get("/health/")
    assert answer.status_code == 200
    assert answer.json() == {"healthy": True, "database": connection.vendor, "streams": 0}


def test_health_says_that_it_does_not(client, monkeypatch):
    def refuse():
        raise DatabaseError

    monkeypatch.setattr("config.watching.connection.cursor", refuse)
    answer = client.get("/health/")
    assert answer.status_code == 503
    assert answer.json()["healthy"] is False


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
        ({}, "secret", 404),
        ({"authorization": "Bearer wrong"}, "secret", 404),
        ({"authorization": "Bearer secret", "x-forwarded-for": "198.51.100.7"}, "secret", 200),
    ],
)
def test_figures_are_for_this_machine_or_who_bears_the_token(client, settings, headers, token, status):
    settings.METRICS_TOKEN = token
    assert client.get("/metrics/", headers=headers).status_code == status


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
