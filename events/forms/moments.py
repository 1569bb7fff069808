"""Forms and fields for days and moments in the venue's time zone."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.utils import timezone

from events.models import Venue


class MomentField(forms.DateTimeField):
    """A date and time in the venue's time zone."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def __init__(self, *, venue: Venue, **named: Any) -> None:
        super().__init__(**named)
        self.zone = venue.zone

    def to_python(self, value: Any) -> datetime.datetime | None:
        """Read the typed time in the venue's zone; refuse an hour that summer time skips."""
        with timezone.override(self.zone):
            return super().to_python(value)

    def prepare_value(self, value: Any) -> Any:
        """Show the time in the venue's zone."""
        if isinstance(value, datetime.datetime) and timezone.is_aware(value):
            return value.astimezone(self.zone).replace(tzinfo=None)
        return value


class CopyForm(forms.Form):
    """Through which day an event is copied weekly; empty for one copy."""

    until = forms.DateField(required=False)
