"""The full text, which finds the same rows in the same order."""

from django.db import connection

from rules import full_text

from .again import again

globals().update(again("tests.rules.test_full_text", but=("test_a_sqlite_without_full_text_is_a_sentence",)))


def test_an_index_of_the_same_name_in_another_schema_is_not_taken_for_ours(db):
    """Two installations may share a database, each in a schema of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("CREATE SCHEMA another CREATE TABLE rules_facts (vector tsvector)")
        cursor.execute("CREATE INDEX rules_facts_vector ON another.rules_facts USING gin (vector)")
        full_text.remove()
        full_text.complete()
        full_text.complete()
        cursor.execute("SELECT schemaname FROM pg_indexes WHERE indexname = 'rules_facts_vector' ORDER BY 1")
        assert [name for (name,) in cursor.fetchall()] == ["another", "public"]
