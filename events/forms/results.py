"""Forms for a result: for one match, and the line for entering table after table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from events.results.reading import Given, ResultTerms
from events.results.result import PAIR, Result, Seat
from events.results.tables import read_result
from events.results.words import WAYS
from rules.uploads import Unreadable, read_json

NUMERIC = {"inputmode": "numeric", "autocomplete": "off", "class": "narrow"}
SCORES = {"score_a", "score_b"}
SENT_ALONG = {"csrfmiddlewaretoken", "swap"}
"""What a player's own page sends besides the result."""
FIELD_OF = {"roll_off": "roll_a", "abandoned_by": "winner", "battle": None}


def points_alone(posted: QueryDict) -> Given | None:
    """Return a result of two scores, as a player's own page sends it; None if anything else is filled in.

    Most reports are such, and need no form: only the form's page shows what is wrong with one.
    """
    typed = {name for name, values in posted.lists() if any(values)} - SENT_ALONG
    return {name: posted[name] for name in sorted(typed)} if typed == SCORES else None


def _points(label: Any = "", *, required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=required,
        max_length=12,
        widget=forms.TextInput(attrs=NUMERIC),
        error_messages={"required": _("Enter the victory points as a whole number, 0 for none.")},
    )


def _side(label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=[], widget=forms.Select)


class BattleField(forms.JSONField):
    """A battle file, read strictly and within its limits."""

    def to_python(self, value: Any) -> Any:
        """Return the battle file. Raise ValidationError with what is wrong with it."""
        if isinstance(value, str) and value:
            try:
                read_json(value, "battle")
            except Unreadable as fault:
                raise forms.ValidationError(str(fault)) from None
        return super().to_python(value)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return what the form shows again: nothing if it can't be read."""
        try:
            return read_json(data, "battle") if isinstance(data, str) and data else None
        except Unreadable:
            return InvalidJSONInput("")


class JudgedForm(forms.Form):
    """A form whose values make a result; its faults are shown at their fields."""

    field_of: Mapping[str, str | None] = {}

    def __init__(self, *args: Any, terms: ResultTerms, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.terms = terms
        self.result: Result | None = None

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean_battle(self) -> dict[str, Any] | None:
        """Accept a battle file within its size limit."""
        battle = self.cleaned_data["battle"]
        if not battle:
            return None
        if not isinstance(battle, dict):
            raise ValidationError(_("The match details can't be read. Reload the page, then enter the result again."))
        return battle

    def meant(self) -> Given:
        """Return the typed values as a result to be read."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Build the whole result; report faults at their fields."""
        typed = super().clean() or self.cleaned_data
        for words in self.errors.pop("battle", ()):  # the field is hidden
            self.add_error(None, words)
        if self.errors:
            return typed
        try:
            self.result = read_result(self.meant(), self.terms)
        except ValidationError as wrong:
            faults = wrong.message_dict if hasattr(wrong, "error_dict") else {"": wrong.messages}
            for name, messages in faults.items():
                field = self.field_of.get(name, name) or None
                for message in messages:
                    self.add_error(field if field in self.fields else None, message)
        return typed


class ResultForm(JudgedForm):
    """A match's result in all detail; faults are shown at their fields.

    `battle` is for results computed from what was knocked out: a battle file, stored with the result.
    """

    score_a = _points(_("Points, first player"), required=True)
    score_b = _points(_("Points, second player"), required=True)
    went_first = _side(_("Went first"))
    map_by = _side(_("Chose the map"))
    to_time = forms.BooleanField(label=_("Went to time"), required=False)
    winner = _side(_("Winner"))
    decided_by = forms.ChoiceField(label=_("Decided by"), required=False, choices=[])
    roll_a = _points(_("Roll-off, first player"))
    roll_b = _points(_("Roll-off, second player"))
    late = _side(_("Late arrival (note only)"))
    double_loss = forms.BooleanField(label=_("Double loss"), required=False)
    battle = BattleField(required=False, widget=forms.HiddenInput)

    field_of = FIELD_OF

    def __init__(self, *args: Any, terms: ResultTerms, **kwargs: Any) -> None:
        super().__init__(*args, terms=terms, **kwargs)
        sides = [("a", terms.name_a), ("b", terms.name_b)]
        self.fields["score_a"].label = _("%(name)s's victory points") % {"name": terms.name_a}
        self.fields["score_b"].label = _("%(name)s's victory points") % {"name": terms.name_b}
        self.fields["roll_a"].label = _("%(name)s's roll-off total") % {"name": terms.name_a}
        self.fields["roll_b"].label = _("%(name)s's roll-off total") % {"name": terms.name_b}
        no_one = ("", "–")
        for name in ("went_first", "map_by"):
            self._choices(name, [("", _("not recorded")), *sides])
        self._choices("winner", [("", _("on points")), *sides])
        self._choices("late", [no_one, *sides, ("both", _("both"))])
        offered = (*terms.beside_points, *(("judge",) if self.is_bound and not terms.by_judge else ()))
        ways = [(way, WAYS[way]) for way in offered]
        if terms.tie_break == "lowest-force" and "lowest-force" not in terms.beside_points:
            ways.insert(0, ("lowest-force", WAYS["lowest-force"]))
        self._choices("decided_by", [("", _("points, or the edition's tie-breaker")), *ways])

    @classmethod
    def initial_of(cls, result: Result | None) -> dict[str, Any]:
        """Return a result as this form's initial data."""
        if not result:
            return {}
        by_points = result.decided_by in ("victory-points", "roll-off")
        return {
            "score_a": result.score("a"),
            "score_b": result.score("b"),
            "went_first": result.went_first,
            "map_by": result.map_by,
            "to_time": result.to_time,
            "winner": "" if by_points or result.decided_by == "double-loss" else result.winner,
            "decided_by": "" if by_points else result.decided_by,
            "roll_a": result.rolled("a"),
            "roll_b": result.rolled("b"),
            "late": "both" if result.late == PAIR else next(iter(result.late), None),
            "double_loss": result.double_loss,
            "battle": result.battle,
        }

    def meant(self) -> Given:
        """Return the typed values as a result to be read."""
        typed = self.cleaned_data
        roll = {"a": typed.get("roll_a"), "b": typed.get("roll_b")}
        way = typed.get("decided_by") or None
        return {
            "score_a": typed.get("score_a"),
            "score_b": typed.get("score_b"),
            "winner": typed.get("winner") or None,
            "decided_by": None if way == "lowest-force" and not self._beside("lowest-force") else way,
            "roll_off": roll if any(roll.values()) else None,
            "double_loss": bool(typed.get("double_loss")),
            "went_first": typed.get("went_first") or None,
            "map_by": typed.get("map_by") or None,
            "to_time": bool(typed.get("to_time")),
            "late": typed.get("late") or None,
            "battle": typed.get("battle") or None,
        }

    def _beside(self, way: str) -> bool:
        return way in self.terms.beside_points

    @property
    def shows_more(self) -> bool:
        """Whether to show the part for all but the points open: it has a value or a fault."""
        names = ("went_first", "map_by", "winner", "decided_by", "roll_a", "roll_b", "late", "double_loss")
        return any(self.errors.get(name) or self[name].value() for name in names)


class TableNumberForm(forms.Form):
    """A table's number; empty for the next open one."""

    table = forms.CharField(
        label=_("Table"),
        required=False,
        max_length=6,
        widget=forms.TextInput(attrs=NUMERIC | {"enterkeyhint": "next"}),
    )


class KeyboardForm(TableNumberForm, ResultForm):
    """The line for entering by keyboard: table number, points, points; single keys set flags."""

    signed = forms.BooleanField(label=_("Slip signed by both players"), required=False)
    field_order = ["table", "score_a", "score_b"]


@dataclass(frozen=True)
class SeatFields:
    """A seat's fields on the form of a table of three or four."""

    name: str
    score: forms.BoundField
    roll: forms.BoundField | None
    out: forms.BoundField


class TableResultForm(JudgedForm):
    """The result of a table of three or four: each player's victory points, and rarer things."""

    field_of: Mapping[str, str | None] = {
        "roll_off": "roll_a", "abandoned_by": "left", "knocked_out_by": "out_a", "places": None
    }  # fmt: skip

    def __init__(self, *args: Any, terms: ResultTerms, **kwargs: Any) -> None:
        super().__init__(*args, terms=terms, **kwargs)
        self.rolls_off = terms.ties != "shared" or self.is_bound
        seats = list(terms.names.items())
        for seat, name in seats:
            self.fields[f"score_{seat}"] = _points(required=True)
            self.fields[f"score_{seat}"].label = _("%(name)s's victory points") % {"name": name}
        for seat, name in seats:
            self.fields[f"out_{seat}"] = _side(_("%(name)s was knocked out by") % {"name": name})
            self._choices(f"out_{seat}", [("", _("not recorded")), *(one for one in seats if one[0] != seat)])
            if self.rolls_off:
                self.fields[f"roll_{seat}"] = _points()
                self.fields[f"roll_{seat}"].label = _("%(name)s's roll-off total") % {"name": name}
        for field, label, none in (("winner", _("Winner"), _("on points")), ("went_first", _("Went first"), "–")):
            self.fields[field] = _side(label)
            self._choices(field, [("", none), *seats])
        self.fields["battle"] = BattleField(required=False, widget=forms.HiddenInput)
        by_roll = ("roll-off",) if self.rolls_off else ()
        offered = dict.fromkeys((*by_roll, *terms.beside_points, *(("judge",) if self.is_bound else ())))
        self.fields["decided_by"] = _side(_("Decided by"))
        none = _("points, or a roll-off") if by_roll else _("points")
        self._choices("decided_by", [("", none), *((way, WAYS[way]) for way in offered)])
        self.fields["to_time"] = forms.BooleanField(label=_("Went to time"), required=False)
        self.fields["left"] = forms.MultipleChoiceField(
            label=_("Left the match"),
            required=False,
            choices=seats,
            widget=forms.CheckboxSelectMultiple,
            help_text=_("These players come last. Also drop them, or they'll be paired again."),
        )
        if terms.by_judge or self.is_bound:
            self.fields["lost"] = forms.MultipleChoiceField(
                label=_("Game loss or no-show"),
                required=False,
                choices=seats,
                initial=list(terms.lost),
                widget=forms.CheckboxSelectMultiple,
                help_text=_(
                    "Tick the players with a game loss or a no-show. They come last, whatever their points. If "
                    "you tick everyone, it's a double loss."
                ),
            )

    @classmethod
    def initial_of(cls, result: Result | None) -> dict[str, Any]:
        """Return a result as this form's initial data."""
        if not result:
            return {}
        known: dict[str, Any] = {
            "went_first": result.went_first,
            "to_time": result.to_time,
            "left": list(result.abandoned),
            "lost": list(result.lost),
            "battle": result.battle,
        }
        by_totals = result.decided_by == "roll-off" and any(result.roll_off)
        if result.decided_by not in ("victory-points", "double-loss") and not by_totals:
            known |= {"winner": result.winner, "decided_by": result.decided_by}
        for seat, by in zip(result.seats, result.knocked_out_by or [None] * len(result.seats), strict=True):
            known |= {f"score_{seat}": result.score(seat), f"roll_{seat}": result.rolled(seat), f"out_{seat}": by}
        return known

    def meant(self) -> Given:
        """Return the typed values as a result to be read."""
        typed, seats = self.cleaned_data, self.terms.names
        return {f"score_{seat}": typed.get(f"score_{seat}") for seat in seats} | {
            "roll_off": {seat: typed[f"roll_{seat}"] for seat in seats if typed.get(f"roll_{seat}")},
            "knocked_out_by": {seat: typed[f"out_{seat}"] for seat in seats if typed.get(f"out_{seat}")},
            "winner": typed.get("winner") or None,
            "decided_by": typed.get("decided_by") or None,
            "went_first": typed.get("went_first") or None,
            "to_time": bool(typed.get("to_time")),
            "abandoned_by": typed.get("left") or None,
            "lost": typed.get("lost") or None,
            "battle": typed.get("battle") or None,
        }

    @property
    def seats(self) -> list[SeatFields]:
        """The fields of each seat."""
        return [
            SeatFields(name, self[f"score_{seat}"], self._roll(seat), self[f"out_{seat}"])
            for seat, name in self.terms.names.items()
        ]

    def _roll(self, seat: Seat) -> forms.BoundField | None:
        return self[f"roll_{seat}"] if self.rolls_off else None

    @property
    def shows_more(self) -> bool:
        """Whether to show the part for all but the points open: it has a value or a fault."""
        names = [name for name in self.fields if not name.startswith("score_") and name not in ("to_time", "battle")]
        return any(self.errors.get(name) or self[name].value() for name in names)


def result_form_for(terms: ResultTerms) -> type[ResultForm] | type[TableResultForm]:
    """Return the form for the result of a match with these terms."""
    return TableResultForm if terms.further else ResultForm
