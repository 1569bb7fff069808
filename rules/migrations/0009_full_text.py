"""Words of all facts in the form of the database's full text, and the texts that the search of the rules looks through."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from rules import full_text
from rules.searched import searched_words

MANY = 500


def derive_again(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Write the words of every element's dated facts again."""
    dated = apps.get_model("rules", "Facts")
    changed: list[Any] = []
    for version in dated.objects.select_related("element__set").order_by("pk").iterator(chunk_size=MANY):
        element = version.element
        version.words = searched_words(
            element.set.code, element.set.name, element.section, element.number, version.kind, version.document
        )
        changed.append(version)
        if len(changed) == MANY:
            dated.objects.bulk_update(changed, ["words"])
            changed = []
    dated.objects.bulk_update(changed, ["words"])


def make_texts(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Create the table, which isn't managed, and the full text of both tables."""
    editor.create_model(apps.get_model("rules", "SearchedText"))
    full_text.complete()


def remove_texts(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Remove both."""
    full_text.remove()
    editor.delete_model(apps.get_model("rules", "SearchedText"))


class Migration(migrations.Migration):
    """Let the database search."""

    dependencies = [("rules", "0008_files_of_no_known_encoding")]

    operations = [
        migrations.CreateModel(
            name="SearchedText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("source", models.CharField(max_length=120)),
                ("number", models.BigIntegerField()),
                ("length", models.FloatField()),
                ("words", models.TextField()),
            ],
            options={
                "db_table": "rules_searchedtext",
                "ordering": ["source", "number"],
                "managed": False,
                "constraints": [models.UniqueConstraint(fields=("source", "number"), name="one_text_of_a_number")],
            },
        ),
        migrations.RunPython(derive_again, migrations.RunPython.noop),
        migrations.RunPython(make_texts, remove_texts),
    ]
