"""The server restarts, closes connections, or is away: the next request gets a new connection, or an error at once."""

import pytest
from django.db import connection, connections
from django.test import Client

from config.postgresql.base import AWAY
from tests.postgresql.server import command

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_visitor_gets_a_connection_that_the_server_has_closed():
    client = Client(raise_request_exception=False)
    assert client.get("/events/").status_code == 200
    told = connection.settings_dict
    connections.close_all()
    used = [connection.pool.getconn() for _n in range(12)]  # the number after a full hall
    for one in used:
        connection.pool.putconn(one)
    command(
        f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}",
        f"SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE datname = '{told['NAME']}'",
    )
    assert [client.get("/events/").status_code for _n in range(3)] == [200, 200, 200]


def test_while_the_server_is_away_one_visitor_waits_and_the_others_are_told_at_once(monkeypatch, caplog):
    client = Client(raise_request_exception=False)
    told = connection.settings_dict
    address, name = f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}", told["NAME"]
    connections.close_all()
    connection.close_pool()
    waited = []
    getconn = type(connection.pool).getconn
    monkeypatch.setattr(connection.pool, "timeout", 0.2)
    monkeypatch.setattr(type(connection.pool), "getconn", lambda pool: waited.append(pool) or getconn(pool))
    try:
        command(address, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        command(address, f"SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE datname = '{name}'")
        assert [client.get("/events/").status_code for _n in range(4)] == [503] * 4
        assert len(waited) == 1
    finally:
        command(address, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
        connection.close_pool()
    lines = [record.getMessage() for record in caplog.records if record.name == "events.unavailable"]
    assert len(lines) == 4
    assert all(len(line) < 100 for line in lines), lines
    AWAY.until = 0.0
    assert client.get("/events/").status_code == 200
