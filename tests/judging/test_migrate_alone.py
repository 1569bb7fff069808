"""`migrate`: one process at a time upgrades a database, and the others wait."""

import threading

import pytest
from django.core.management import call_command
from django.db import connection, connections

from judging.management import readiness


@pytest.mark.django_db(transaction=True)
def test_a_second_migration_waits_until_the_first_has_finished(monkeypatch):
    done: list[str] = []
    heard = threading.Event()

    def migrate_too() -> None:
        try:
            with readiness.alone(lambda sentence: (done.append(sentence), heard.set())):
                done.append("second")
        finally:
            connections.close_all()

    second = threading.Thread(target=migrate_too)

    def while_it_migrates() -> bool:
        if not second.ident:
            second.start()
            assert heard.wait(20)
            done.append("first")
        return True

    monkeypatch.setattr("judging.management.commands.migrate.is_behind", while_it_migrates)
    call_command("migrate", verbosity=0, no_backup=True)
    second.join(20)
    assert done == [readiness.WAITS, "first", "second"]


@pytest.mark.django_db
def test_a_migration_that_fails_lets_the_next_begin():
    said: list[str] = []
    for _each in range(2):
        with pytest.raises(ZeroDivisionError), readiness.alone(said.append):
            raise ZeroDivisionError
    assert not said
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
