"""Adds when an account whose address isn't confirmed accepted to manage a venue or to work at an event."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds `answered` to managers and officials."""

    dependencies = [("events", "0012_volunteer_agreed")]

    operations = [
        migrations.AddField(
            "venuemanager",
            "answered",
            models.DateTimeField(blank=True, null=True, verbose_name="accepted, address not confirmed"),
        ),
        migrations.AddField(
            "official",
            "answered",
            models.DateTimeField(blank=True, null=True, verbose_name="accepted, address not confirmed"),
        ),
    ]
