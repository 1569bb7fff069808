"""Forms for a round: manual changes to a draft, and fixing the seating."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from events.models import Entry, Match
from events.services.rounds import MAX_ROUND_MINUTES
from rules.labels import labelled


def _reason() -> forms.CharField:
    return forms.CharField(label=_("Reason (kept in the audit log)"), max_length=300)


class SwapForm(forms.Form):
    """Two players of a draft who swap seats."""

    player = forms.TypedMultipleChoiceField(required=False)

    def __init__(self, *given: object, entries: Sequence[Entry] = (), **more: object) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]
        by_number = {str(entry.number): entry for entry in entries}
        field = cast(forms.TypedMultipleChoiceField, self.fields["player"])
        field.choices, field.coerce = [(number, number) for number in by_number], by_number.__getitem__

    def clean_player(self) -> list[Entry]:
        """Return the two entries."""
        chosen = list(self.cleaned_data["player"])
        if len(chosen) != 2:
            raise forms.ValidationError(_("Choose exactly two players."))
        return chosen


class LongSelect(forms.Select):
    """A list of hundreds of choices, drawn without a template for each."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the list as Django draws it."""
        chosen = "" if value is None else str(value)
        options = format_html_join(
            "\n",
            '<option value="{}"{}>{}</option>',
            ((key, SafeString(" selected") if str(key) == chosen else "", text) for key, text in self.choices),
        )
        attributes = flatatt(self.build_attrs(self.attrs, attrs))
        return format_html('<select name="{}"{}>\n{}\n</select>', name, attributes, options)


class TableForm(forms.Form):
    """Players of a draft who move to another table together."""

    match = forms.ChoiceField(label=_("Players"), widget=LongSelect)
    table = forms.IntegerField(label=_("New table"), min_value=1, max_value=999)

    def __init__(self, *given: object, matches: Sequence[Match] = (), **more: object) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]
        self.matches = {str(match.table): match for match in matches if match.table is not None}
        self.fields["match"].choices = [  # type: ignore[attr-defined]
            ("", "–"),
            *((table, labelled(table, str(match))) for table, match in self.matches.items()),
        ]

    def clean_match(self) -> Match:
        """Return the match."""
        return self.matches[self.cleaned_data["match"]]


class MoveForm(forms.Form):
    """A player of a draft who moves to a free seat at another table of three or four."""

    entry = forms.ChoiceField(label=_("Player"), widget=LongSelect)
    table = forms.TypedChoiceField(label=_("Table with a free seat"), coerce=int)

    def __init__(self, *given: object, matches: Sequence[Match] = (), size: int, **more: object) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]
        seated = [match for match in matches if match.table is not None]
        self.entries = {
            str(entry.number): entry for match in seated if len(match.entry_ids) > 2 for entry in match.entries
        }
        self.rooms = [match for match in seated if len(match.entry_ids) < size]
        self.fields["entry"].choices = [  # type: ignore[attr-defined]
            ("", "–"),
            *((number, str(entry)) for number, entry in self.entries.items()),
        ]
        self.fields["table"].choices = [  # type: ignore[attr-defined]
            (match.table, labelled(match.table, str(match))) for match in self.rooms
        ]

    def clean_entry(self) -> Entry:
        """Return the entry."""
        return self.entries[self.cleaned_data["entry"]]


class LengthForm(forms.Form):
    """How long a drafted round will last."""

    minutes = forms.IntegerField(
        label=_("Minutes"),
        required=False,
        min_value=1,
        max_value=MAX_ROUND_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )

    def __init__(self, *given: object, usual: int, **more: object) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]
        self.fields["minutes"].help_text = _("Leave empty for the event's setting: %(n)d.") % {"n": usual}


class TwoTablesForm(forms.Form):
    """The two tables that were seated wrongly."""

    first = forms.IntegerField(label=_("First table"), min_value=1, max_value=999)
    second = forms.IntegerField(label=_("Second table"), min_value=1, max_value=999)


RIGHT_PAIRS, SWAPPED = "tables", "seats"
"""The choices that the pairs are right and sit at each other's tables, and that two players sit in each other's seats."""


class FixSeatingForm(forms.Form):
    """The pairings really played at two tables, and what happens to results already entered."""

    opponent = forms.ChoiceField(label=_("Matches as played"), widget=forms.RadioSelect)
    one = forms.ChoiceField(error_messages={"required": _("Choose a player.")})
    other = forms.ChoiceField(error_messages={"required": _("Choose a player.")})
    results = forms.ChoiceField(
        label=_("Results already entered"),
        widget=forms.RadioSelect,
        choices=[
            ("back", _("withdraw the results and enter them again")),
            ("keep", _("keep the results: each belongs to the match that was actually played")),
        ],
        initial="back",
    )
    reason = _reason()

    def __init__(self, *given: object, first: Match, second: Match, has_results: bool, **more: object) -> None:
        super().__init__(*given, **more)  # type: ignore[arg-type]
        a, b, c, d = first.a, first.b, second.a, second.b
        assert b is not None
        assert d is not None
        self.people = {str(c.number): c, str(d.number): d}
        exchanged = [(str(c.number), f"{a} – {c}, {b} – {d}"), (str(d.number), f"{a} – {d}, {c} – {b}")]
        whole = _("Right pairs, wrong tables: %(one)s at table %(second)s, %(two)s at table %(first)s")
        of_many = first.is_of_many or second.is_of_many
        if of_many:
            exchanged = [(SWAPPED, gettext("Two players sat in each other's seats. Choose them below."))]
            whole = _("Right players, wrong tables: %(one)s at table %(second)s, %(two)s at table %(first)s")
        if first.round.event.teams_of_two:
            exchanged = []
        told = {"one": first, "two": second, "first": first.table, "second": second.table}
        played = [*exchanged, (RIGHT_PAIRS, whole % told)]
        swaps = of_many and bool(exchanged)
        self.fields["opponent"].choices = played[::-1] if swaps else played  # type: ignore[attr-defined]
        if swaps:
            self.initial.setdefault("opponent", SWAPPED)
        for name, match in (("one", first), ("other", second)):
            if not swaps:
                del self.fields[name]
                continue
            self.people |= {str(entry.number): entry for entry in match.entries}
            self.fields[name].required = self["opponent"].value() == SWAPPED
            self.fields[name].label = _("Player paired at table %(table)s") % {"table": match.table}
            self.fields[name].choices = [  # type: ignore[attr-defined]
                ("", "–"),
                *((str(entry.number), str(entry)) for entry in match.entries),
            ]
        if not has_results:
            del self.fields["results"]

    @property
    def played(self) -> dict[str, Any]:
        """What the service takes: who really played the first table's first player, or who swapped seats, or neither."""
        given = self.cleaned_data
        if given["opponent"] == SWAPPED:
            return {"swapped": (self.people[given["one"]], self.people[given["other"]])}
        return {"opponent": self.people.get(given["opponent"])}
