"""Adds when a club's registered volunteer accepted; those who are named already have."""

from django.db import migrations, models
from django.db.models import F


def keep(apps, _schema):
    """Every club keeps its registered volunteer."""
    named = apps.get_model("events", "Venue").objects.filter(registered_volunteer__isnull=False)
    named.update(volunteer_agreed=F("registered"))


class Migration(migrations.Migration):
    """Adds when a club's registered volunteer accepted."""

    dependencies = [("events", "0011_sent_forms")]

    operations = [
        migrations.AddField(
            "venue",
            "volunteer_agreed",
            models.DateTimeField(blank=True, null=True, verbose_name="accepted by the registered volunteer"),
        ),
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
