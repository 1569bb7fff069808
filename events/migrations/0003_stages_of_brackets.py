# Rounds know their stage of a bracket; announcements have a name.

from django.db import migrations, models


def name_stages(apps, schema_editor):
    """Read the stage of each round of a bracket from its pairing report."""
    rounds = apps.get_model("events", "Round").objects
    for pk, report in rounds.filter(matches__bracket_slot__isnull=False).distinct().values_list("pk", "pairing_report"):
        rounds.filter(pk=pk).update(bracket_size=report.get("stage"))


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0002_since_0_1_0"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="announcement",
            options={
                "ordering": ["-at", "-pk"],
                "verbose_name": "announcement",
                "verbose_name_plural": "announcements",
            },
        ),
        migrations.AddField(
            model_name="round",
            name="bracket_size",
            field=models.PositiveSmallIntegerField(
                editable=False,
                help_text="Places of the bracket in this round: 2 in the final; empty outside one.",
                null=True,
            ),
        ),
        migrations.RunPython(name_stages, migrations.RunPython.noop),
    ]
