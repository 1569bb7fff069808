"""Forms for teams of two."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from events.models import Entry


def _choices(free: Iterable[Entry], *, whole_names: bool) -> list[tuple[str, str]]:
    return [("", "–"), *((str(one.number), one.name if whole_names else one.public_name) for one in free)]


class TeamForm(forms.Form):
    """Two players who become a team, as an official enters them."""

    one = forms.ChoiceField(label=_("First player"))
    other = forms.ChoiceField(label=_("Second player"))
    title = forms.CharField(
        label=_("Team name"), max_length=80, required=False, help_text=_("Leave empty to use the players' names.")
    )

    def __init__(self, *given: Any, free: list[Entry], **named: Any) -> None:
        super().__init__(*given, **named)
        self.by_number = {str(entry.number): entry for entry in free}
        for name in ("one", "other"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = _choices(free, whole_names=True)

    def clean(self) -> dict[str, Any]:
        """Turn the numbers into entries."""
        given = super().clean() or {}
        return given | {name: self.by_number[given[name]] for name in ("one", "other") if given.get(name)}


class PartnerForm(forms.Form):
    """A player's choice of a partner."""

    partner = forms.ChoiceField(label=_("Partner"), required=False)

    def __init__(self, *given: Any, free: list[Entry], **named: Any) -> None:
        super().__init__(*given, **named)
        self.by_number = {str(entry.number): entry for entry in free}
        field = self.fields["partner"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = _choices(free, whole_names=False)

    def clean_partner(self) -> Entry | None:
        """Return the entry."""
        return self.by_number.get(self.cleaned_data["partner"])
