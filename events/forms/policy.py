"""Forms of the sanctioning office: a season, a policy exception."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from events.models import Event, Season
from events.policy import RULES
from events.services.policy import overlap_words, season_in_the_way

from .people import AccountField


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class SeasonForm(forms.ModelForm):
    """A season of a universe."""

    class Meta:
        model = Season
        fields = ["universe", "name", "begins", "ends"]
        widgets = {"begins": _day(), "ends": _day()}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["universe"].choices = [("", _("Choose…")), *Event.Universe.choices]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Check that the season doesn't end before it begins or overlap another season of its universe."""
        given = super().clean() or {}
        universe, begins, ends = (given.get(name) for name in ("universe", "begins", "ends"))
        if not (universe and begins and ends):
            return given
        if ends < begins:
            self.add_error("ends", _("The last day is before the first. Correct the dates."))
        elif other := season_in_the_way(universe, begins, ends, self.instance if self.instance.pk else None):
            self.add_error("begins" if other.begins <= begins else "ends", overlap_words(other))
        return given


class OverrideForm(forms.Form):
    """An exception to one rule, for everyone or one person, with its reason."""

    rule = forms.ChoiceField(
        label=_("Rule"),
        choices=[
            ("", "–"),
            *((name, rule.title) for name, rule in RULES.items() if rule.may_be_excepted and rule.is_checked),
        ],
    )
    person = AccountField(
        label=_("For one person only"),
        required=False,
        help_text=_(
            "Enter the e-mail address of that person's account. Leave empty to apply the exception to "
            "everyone at this event."
        ),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        help_text=_("Everyone at the event can read this reason. It appears in the audit log and the printed report."),
    )
