"""Adds when an official and a venue's manager accepted; those who are there already have."""

from django.db import migrations, models
from django.db.models import F


def keep(apps, _schema):
    """Everyone who holds a role keeps it."""
    apps.get_model("events", "Official").objects.update(confirmed=F("added"))
    apps.get_model("events", "VenueManager").objects.update(confirmed=F("since"))


class Migration(migrations.Migration):
    """Adds when an official and a venue's manager accepted."""

    dependencies = [("events", "0008_person_language")]

    operations = [
        migrations.AddField(
            "official", "confirmed", models.DateTimeField(blank=True, null=True, verbose_name="accepted by the official")
        ),
        migrations.AddField(
            "venuemanager", "confirmed", models.DateTimeField(blank=True, null=True, verbose_name="accepted by the manager")
        ),
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
