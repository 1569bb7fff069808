"""SQLite connections that sort names without regard to case or accents (`events/names.py`)."""

from typing import Any

from django.db.backends.sqlite3 import base

from events.names import add_collation


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper, whose connections know the collation of `NameField`."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a new connection."""
        return add_collation(super().get_new_connection(conn_params))
