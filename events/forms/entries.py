"""Forms for entries: by players for themselves, by officials for anyone, and lists of players."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from rules.uploads import Unreadable, check_size

from .entries_list import MAX_RANK, MOST_ROUNDS, NO_ROUND, rounds_of
from .sheets import text_of

SHEETS = ".csv,.txt,.tsv,.xlsx,text/csv,text/plain"
DECLARES = _("The player is eligible: they aren't an official of this event or a manager of its venue, they aren't suspended, "
    "and neither they nor anyone in their immediate family works for the publisher.")  # fmt: skip


class EnterForm(forms.Form):
    """A player's own entry, with an account."""

    name = forms.CharField(label=_("Your name"), max_length=120, help_text=_("As it should appear on pairings."))
    club = forms.CharField(label=_("Club or team"), max_length=80, required=False)
    is_minor = forms.BooleanField(
        label=_("I'm under 18"),
        required=False,
        help_text=_("Pages, displays and posted pairings then show only your first name and an initial."),
    )
    declares = forms.BooleanField(
        label=_("I'm eligible to play: I'm not an official of this event or a manager of its venue, I'm not "
            "suspended, and neither I nor anyone in my immediate family works for the publisher."),
        required=False,
    )  # fmt: skip


class MailEnterForm(EnterForm):
    """A player's own entry without an account, by a link sent to the address."""

    email = forms.EmailField(label=_("E-mail address"), help_text=_("We'll send you a link to finish registering."))
    field_order = ("name", "email", "club", "is_minor", "declares")


class EntryForm(forms.Form):
    """An entry made by an official."""

    name = forms.CharField(label=_("Name"), max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Players without an account use the link on their player card."),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    club = forms.CharField(label=_("Club or team"), max_length=80, required=False)
    is_minor = forms.BooleanField(label=_("Under 18"), required=False)
    fixed_table = forms.IntegerField(
        label=_("Fixed table"),
        required=False,
        min_value=1,
        max_value=999,
        help_text=_("A player who can't move around easily can play at this table in every round."),
    )
    awarded_byes = forms.CharField(
        label=_("Awarded byes"),
        required=False,
        max_length=200,
        help_text=_("Enter the rounds, for example 1-2 or 1, 3. Awarded byes don't count as byes received."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    rank = forms.IntegerField(
        label=_("Rank"),
        required=False,
        min_value=1,
        max_value=MAX_RANK,
        help_text=_(
            "Enter the player's rank before the event; 1 is the best. The rank counts if round 1 is paired by rank."
        ),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    declares = forms.BooleanField(label=DECLARES, required=False)

    def clean_awarded_byes(self) -> list[int]:
        """Return the numbers of the rounds."""
        try:
            return rounds_of(self.cleaned_data["awarded_byes"])
        except ValueError as part:
            raise forms.ValidationError(NO_ROUND % {"said": str(part)}) from None


class EntryAddForm(EntryForm):
    """A new entry made at the door."""

    checked_in = forms.BooleanField(label=_("Check in now"), required=False, initial=True)


def _file(help_text: Any) -> forms.FileField:
    widget = forms.ClearableFileInput(attrs={"accept": SHEETS})
    return forms.FileField(label=_("File"), required=False, help_text=help_text, widget=widget)


class SheetForm(forms.Form):
    """A table, as a file or pasted text."""

    file = _file("")
    text = forms.CharField(
        label=_("Or paste a list"), required=False, widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"})
    )
    declared = forms.BooleanField(
        label=_("All players on the list have confirmed that they're eligible to play."), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("file", "text"):  # one of the two is needed
            self.fields[name].help_says_when = True  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Turn the file or the pasted lines into one text."""
        given = super().clean() or {}
        file, text = given.get("file"), given.get("text") or ""
        try:
            check_size("players", len(text) if file is None else file.size)
            if file is not None:
                given["text"] = text_of(file.read())
        except Unreadable as fault:
            self.add_error("text" if file is None else "file", str(fault))
            return given
        if file is None and not text.strip():
            self.add_error(None, _("Choose a file or paste a list."))
        return given


class ListForm(SheetForm):
    """A list of players, as a file or pasted text."""

    file = _file(
        _(
            "Choose a CSV or XLSX file with the columns name, e-mail, club, minor, fixed table, awarded "
            "byes, and rank or rating. Only the name is required. The highest rating becomes rank 1. "
            "Lists from other tournament tools work, too."
        )
    )
    checked_in = forms.BooleanField(label=_("Check in all players on the list now"), required=False)


class RoundsListForm(SheetForm):
    """Rounds played in another tool, or results of the round under way, as a file or pasted text.

    Players are registered only before the first round.
    """

    file = _file(
        _(
            "Choose a CSV or XLSX file with a line for each match: round, table, player 1, player 2, and "
            "either both players' victory points or the winner. Pairings and results from other "
            "tournament tools work, too."
        )
    )
    round = forms.IntegerField(
        label=_("Round"),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text=_("Enter the round only if the list has no column for it."),
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    register = forms.BooleanField(
        label=_("Register and check in players on the list who aren't in this event yet"),
        required=False,
        help_text=_("No accounts are created for these players."),
    )
    field_order = ("file", "text", "round", "register", "declared")

    def __init__(self, *args: Any, has_begun: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["round"].help_says_when = True  # type: ignore[attr-defined]
        if has_begun:
            del self.fields["register"], self.fields["declared"]
