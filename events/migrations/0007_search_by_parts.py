"""PostgreSQL finds parts of names by their groups of three letters; SQLite reads its smaller tables through."""

from django.db import migrations

COLUMNS = (("event", "name"), ("venue", "name"), ("venue", "city"), ("person", "name"), ("person", "email"), ("entry", "name"))


def add(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
        if cursor.fetchone() is None:
            return  # without the extension searches are right, and slower
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        for model, column in COLUMNS:
            cursor.execute(
                f"CREATE INDEX IF NOT EXISTS {model}_{column}_parts ON events_{model} USING gin (UPPER({column}) gin_trgm_ops)"
            )


def remove(apps, schema_editor):
    if schema_editor.connection.vendor != "postgresql":
        return
    with schema_editor.connection.cursor() as cursor:
        for model, column in COLUMNS:
            cursor.execute(f"DROP INDEX IF EXISTS {model}_{column}_parts")


class Migration(migrations.Migration):

    dependencies = [("events", "0006_long_lists")]

    operations = [migrations.RunPython(add, remove)]
