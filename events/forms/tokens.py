"""The form for an API token."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from events.actions import ACTIONS
from events.token_rows import is_view

DAYS = (1, 7, 30, 90, 365)
FIRST_DAYS = 7


class TokenForm(forms.Form):
    """What a token is called, what it may do, and for how long."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_(
            "Name the script that uses the token, for example “Stream overlay”. The audit log shows this name."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.TypedChoiceField(label=_("Valid for"), coerce=int, initial=FIRST_DAYS)
    views = forms.MultipleChoiceField(
        label=_("Read-only actions the token may take"), required=False, widget=forms.CheckboxSelectMultiple
    )
    acts = forms.MultipleChoiceField(
        label=_("Other actions the token may take"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("In both lists, choose only what the script needs."),
    )

    def __init__(self, *given: Any, rows: Iterable[str], **named: Any) -> None:
        super().__init__(*given, **named)
        lasts = [(n, ngettext("%d day", "%d days", n) % n) for n in DAYS]  # in the visitor's language
        self.fields["days"].choices = lasts  # type: ignore[attr-defined]
        possible = list(rows)
        for name, wanted in (("views", True), ("acts", False)):
            choices = [(verb, ACTIONS[verb].label) for verb in possible if is_view(verb) is wanted]
            self.fields[name].choices = choices  # type: ignore[attr-defined]
            self.fields[name].help_says_when = True  # type: ignore[attr-defined]
            if not choices:
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """Require at least one row."""
        given = super().clean() or self.cleaned_data
        if not self.errors and not self.rows:
            self.add_error(None, _("Choose at least one action."))
        return given

    @property
    def rows(self) -> list[str]:
        """The chosen rows of the action table."""
        return [*self.cleaned_data.get("views", ()), *self.cleaned_data.get("acts", ())]

    @property
    def lasts(self) -> datetime.timedelta:
        """How long the token works."""
        return datetime.timedelta(days=self.cleaned_data["days"])
