"""Black bases of the invented sets, which no file had to say before; 0009 writes the words of the search."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

BLACK = ("brass-harbour", "gaslight-society", "night-ledger", "shattered-tides")
MANY = 500


def _with_base(facts: dict[str, Any]) -> dict[str, Any]:
    return facts if "base_color" in facts else {**facts, "base_color": "black"}


def give_bases(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Give every figure of these sets a black base, unless it has one."""
    elements, dated = apps.get_model("rules", "Element"), apps.get_model("rules", "Facts")
    invented = list(elements.objects.filter(section="characters", set__code__in=BLACK))
    for element in invented:
        element.printed = _with_base(element.printed)
    elements.objects.bulk_update(invented, ["printed"], batch_size=MANY)
    dated_again = list(dated.objects.filter(element__in=invented))
    for version in dated_again:
        version.document = _with_base(version.document)
    dated.objects.bulk_update(dated_again, ["document"], batch_size=MANY)


class Migration(migrations.Migration):
    """Give figures of the invented sets their bases."""

    dependencies = [("rules", "0006_words_of_models")]

    operations = [migrations.RunPython(give_bases, migrations.RunPython.noop, elidable=True)]
