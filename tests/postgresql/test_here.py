"""The tests in this folder use PostgreSQL, in every thread."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection


@pytest.mark.django_db(transaction=True)
def test_every_thread_has_the_server():
    with ThreadPoolExecutor(1) as thread:
        beside = thread.submit(
            lambda: (connection.vendor, connection.settings_dict["NAME"], connection.close())
        ).result()
    assert beside[:2] == (connection.vendor, connection.settings_dict["NAME"])
    assert connection.vendor == "postgresql"
