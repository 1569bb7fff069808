"""The server restarts, or ends its connections: whoever asks next is served by a new one."""

import pytest
from django.db import connection, connections
from django.test import Client

from tests.postgresql.server import command

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_visitor_gets_a_connection_that_the_server_has_closed():
    client = Client(raise_request_exception=False)
    assert client.get("/events/").status_code == 200
    told = connection.settings_dict
    connections.close_all()
    used = [connection.pool.getconn() for _n in range(12)]  # as after a hall
    for one in used:
        connection.pool.putconn(one)
    command(
        f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}",
        f"SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE datname = '{told['NAME']}'",
    )
    assert [client.get("/events/").status_code for _n in range(3)] == [200, 200, 200]
