"""Words of all facts for the search, and black bases of the invented sets, which no file had to say before."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from rules.searched import searched_words

BLACK = ("brass-harbour", "gaslight-society", "night-ledger", "shattered-tides")
MANY = 500


def _with_base(facts: dict[str, Any]) -> dict[str, Any]:
    return facts if "base_color" in facts else {**facts, "base_color": "black"}


def derive_again(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Write the words of every element's dated facts again."""
    elements, dated = apps.get_model("rules", "Element"), apps.get_model("rules", "Facts")
    invented = list(elements.objects.filter(section="characters", set__code__in=BLACK))
    for element in invented:
        element.printed = _with_base(element.printed)
    elements.objects.bulk_update(invented, ["printed"], batch_size=MANY)
    changed, black = [], []
    for version in dated.objects.select_related("element__set").order_by("pk").iterator(chunk_size=MANY):
        of_set = version.element.set
        if version.element.section == "characters" and of_set.code in BLACK:
            version.document = _with_base(version.document)
            black.append(version)
        version.words = searched_words(of_set.code, of_set.name, version.document)
        changed.append(version)
        if len(changed) == MANY:
            dated.objects.bulk_update(changed, ["words"])
            changed = []
    dated.objects.bulk_update(changed, ["words"])
    dated.objects.bulk_update(black, ["document"], batch_size=MANY)


class Migration(migrations.Migration):
    """Derive the words of the search again."""

    dependencies = [("rules", "0006_words_of_models")]

    operations = [migrations.RunPython(derive_again, migrations.RunPython.noop, elidable=True)]
