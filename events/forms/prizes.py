"""The form that lists an event's prizes."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from events.services.prizes import MAX_LETTERS, MAX_PRIZES


class PrizesForm(forms.Form):
    """The prizes, one a line; equal lines are several of the same prize."""

    prizes = forms.CharField(
        label=_("Prizes, one per line"),
        help_text=_("For several copies of a prize, repeat its line."),
        required=False,
        max_length=MAX_PRIZES * (MAX_LETTERS + 2),
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )

    @property
    def lines(self) -> list[str]:
        """The lines as typed."""
        return str(self.cleaned_data["prizes"]).splitlines()
