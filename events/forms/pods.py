"""The form that starts a round's booster draft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from events.services.pods import LIMITS


def _number(label: Any, name: str, least: int = 1) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    return forms.IntegerField(label=label, min_value=least, max_value=LIMITS[name], widget=widget)


class BoosterDraftForm(forms.Form):
    """The sealed product and the time for a pick; the event keeps them for its next round."""

    boosters_each = _number(_("Boosters per player"), "boosters_each")
    booster_figures = _number(_("Figures per booster"), "booster_figures")
    pick_seconds = _number(_("Seconds per pick"), "pick_seconds", 10)
    table = forms.TypedChoiceField(label=_("Start at"), coerce=int, required=False, empty_value=None)

    def __init__(self, *given: Any, tables: Sequence[int], **more: Any) -> None:
        super().__init__(*given, **more)
        choices = [(number, _("table %(table)d") % {"table": number}) for number in tables]
        self.fields["table"].choices = [("", _("all tables without a draft")), *choices]  # type: ignore[attr-defined]
        if len(choices) < 2:
            del self.fields["table"]
