"""Entries of the audit log keep facts, and are worded when they are read; those from before keep their sentence."""

from django.db import migrations, models

import events.models.record


class Migration(migrations.Migration):
    """Rename the model; add the name of a sentence and its facts."""

    dependencies = [("events", "0013_answered")]

    operations = [
        migrations.RenameModel("RecordEntry", "AuditEntry"),
        migrations.AlterModelOptions(
            name="auditentry",
            options={
                "ordering": ["-pk"],
                "verbose_name": "audit log entry",
                "verbose_name_plural": "audit log",
            },
        ),
        migrations.AlterField("auditentry", "summary", models.CharField(blank=True, max_length=300)),
        migrations.AddField("auditentry", "sentence", models.CharField(blank=True, default="", max_length=60), False),
        migrations.AddField(
            "auditentry", "facts", models.JSONField(blank=True, default=dict, encoder=events.models.record.Facts)
        ),
    ]
