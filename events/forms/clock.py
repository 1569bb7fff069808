"""Forms of the clock: extra time for everyone, or for one table."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from events.models import Match
from events.services.clock import MAX_MINUTES


class TimeForm(forms.Form):
    """Minutes, with a reason."""

    minutes = forms.IntegerField(
        label=_("Minutes"),
        min_value=1,
        max_value=MAX_MINUTES,
        error_messages={"invalid": _("Enter whole minutes, such as 5.")},
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("Players see the reason, and it stays in the audit log."),
        error_messages={"required": _("Enter a short reason. It stays in the audit log.")},
    )


class ExtendForm(TimeForm):
    """Extra time for a table, given by its number."""

    table = forms.IntegerField(
        label=_("Table"),
        min_value=1,
        error_messages={"invalid": _("Enter the table number.")},
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    field_order = ["table", "minutes", "reason"]

    def __init__(self, *args: Any, matches: dict[int, Match] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.matches = matches or {}

    def clean_table(self) -> int:
        """Accept only a table of this round that hasn't finished."""
        table = self.cleaned_data["table"]
        match = self.matches.get(table)
        if match is None:
            raise forms.ValidationError(_("This round has no table %(table)d."), params={"table": table})
        if match.state == Match.State.CONFIRMED:
            raise forms.ValidationError(
                _("Table %(table)d has finished. No extension is possible."),
                params={"table": table},
            )
        return table
