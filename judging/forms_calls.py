"""Forms for calls: what a call is about, and how a judge resolved it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from events.services.clock import MAX_MINUTES
from judging.models import Call

MAX_AGREED = 60
WHOLE = _("Enter whole minutes, such as 5.")


def sentence_case(choices: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return choices with labels that begin with a capital letter, as buttons and options do."""
    return [(value, capfirst(label)) for value, label in choices]


def minutes_field(label: Any, most: int, **options: Any) -> forms.IntegerField:
    """Return a field for whole minutes, typed in digits."""
    return forms.IntegerField(
        label=label,
        min_value=0,
        max_value=most,
        error_messages={"invalid": WHOLE, "required": _("Enter whole minutes, or 0 for none.")},
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        **options,
    )


SUBJECTS = {
    Call.Reason.RULES.value: Call.Category.RULE.value,
    Call.Reason.RESULT.value: Call.Category.RESULT.value,
    Call.Reason.TIME.value: Call.Category.SLOW_PLAY.value,
}
"""The subject proposed for a call with this reason."""


class RaiseForm(forms.Form):
    """The table's own description of its call; each button of the page gives one of the reasons."""

    reason = forms.ChoiceField(label=_("Reason"), required=False, choices=Call.Reason.choices)
    text = forms.CharField(label=_("Details"), required=False, max_length=200)


class CloseForm(forms.Form):
    """The outcome of a call: its subject, how it ended, and the table's extension."""

    category = forms.ChoiceField(
        label=_("Subject"),
        choices=sentence_case(Call.Category.choices),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose a subject.")},
    )
    outcome = forms.ChoiceField(
        label=_("Outcome"),
        choices=sentence_case(Call.Outcome.choices),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose an outcome.")},
    )
    text = forms.CharField(label=_("Details"), required=False, max_length=200)
    minutes = minutes_field(
        _("Minutes lost"),
        MAX_MINUTES,
        help_text=_(
            "Headjudge suggests the time the call took, including the wait. Enter 0 if the table lost no time."
        ),
    )
    agreed = minutes_field(_("Extra minutes"), MAX_AGREED)

    def __init__(self, *args: Any, can_extend: bool = True, **options: Any) -> None:
        super().__init__(*args, **options)
        self.can_extend = can_extend
        if not can_extend:
            del self.fields["minutes"], self.fields["agreed"]

    def clean(self) -> dict[str, Any]:
        """Refuse a sum of minutes above the limit of one extension."""
        given = super().clean() or self.cleaned_data
        if given.get("minutes", 0) + given.get("agreed", 0) > MAX_MINUTES:
            self.add_error(
                "minutes", _("Minutes lost and extra minutes can't exceed %(most)d in total.") % {"most": MAX_MINUTES}
            )
        return given
