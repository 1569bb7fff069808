"""PostgreSQL connections that survive a restart of the server without a failed request.

The pool's own check finds lost connections one at a time and waits longer after each (1, 2, 4 seconds), so a pool of
twenty would answer 503 to several visitors. Here the first lost connection triggers a check of the whole pool. A
connection is checked only if the server has sent something on it, so that a request needn't wait for one more answer.

While PostgreSQL is away, a visitor waits for a connection as long as the settings say, and so does everyone queued
behind. For two seconds after one wait has failed, all others get the same error at once.
"""

import selectors
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError
from psycopg_pool import PoolTimeout

from events.faults import Jam

AWAY = Jam()
"""On for a moment after this process failed to get a connection."""


def has_news(connection: Connection) -> bool:
    """Return whether the server has sent something to an unused connection; it does so when it closes one."""
    with selectors.DefaultSelector() as waiting:
        waiting.register(connection.fileno(), selectors.EVENT_READ)
        return bool(waiting.select(0))


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper, which replaces connections that the server has closed."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        """Return a working connection. Raise psycopg's errors where the server gives none."""
        if AWAY.is_on:
            raise PoolTimeout("couldn't get a connection a moment ago")
        try:
            return self._working(conn_params)
        except PoolTimeout:
            AWAY.note()
            raise

    def _working(self, conn_params: dict[str, Any]) -> Connection:
        found = super().get_new_connection(conn_params)
        if self.pool is None:
            return found
        try:
            if has_news(found):
                self.pool.check_connection(found)
        except OperationalError:
            self.pool.putconn(found)
            self.pool.check()
            found = super().get_new_connection(conn_params)
        return found
