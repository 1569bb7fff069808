"""Forms for a result: for one match, and the line for entering table after table."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput
from django.utils.translation import gettext_lazy as _

from events.results.reading import Given, ResultTerms, normalise
from events.results.result import PAIR, Result
from events.results.words import WAYS
from rules.uploads import Unreadable, read_json

NUMERIC = {"inputmode": "numeric", "autocomplete": "off", "class": "narrow"}
FIELD_OF = {"roll_off": "roll_a", "abandoned_by": "winner", "battle": None}


def _points(*, required: bool = False) -> forms.CharField:
    return forms.CharField(
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


class ResultForm(forms.Form):
    """A match's result in all detail; faults are shown at their fields.

    `battle` is for results computed from what was knocked out: a battle file, stored with the result.
    """

    score_a = _points(required=True)
    score_b = _points(required=True)
    went_first = _side(_("Went first"))
    map_by = _side(_("Chose the map"))
    to_time = forms.BooleanField(label=_("Went to time"), required=False)
    winner = _side(_("Winner"))
    decided_by = forms.ChoiceField(label=_("Decided by"), required=False, choices=[])
    roll_a = _points()
    roll_b = _points()
    late = _side(_("Late arrival (note only)"))
    double_loss = forms.BooleanField(label=_("Double loss"), required=False)
    battle = BattleField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, terms: ResultTerms, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.terms = terms
        self.result: Result | None = None
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

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

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

    def clean_battle(self) -> dict[str, Any] | None:
        """Accept a battle file within its size limit."""
        battle = self.cleaned_data["battle"]
        if not battle:
            return None
        if not isinstance(battle, dict):
            raise ValidationError(_("The match details aren't a valid battle file."))
        return battle

    def clean(self) -> dict[str, Any]:
        """Build the whole result; report faults at their fields."""
        typed = super().clean() or self.cleaned_data
        for words in self.errors.pop("battle", ()):  # the field is hidden
            self.add_error(None, words)
        if self.errors:
            return typed
        try:
            self.result = normalise(self.meant(), self.terms)
        except ValidationError as wrong:
            faults = wrong.message_dict if hasattr(wrong, "error_dict") else {"": wrong.messages}
            for name, messages in faults.items():
                field = FIELD_OF.get(name, name) or None
                for message in messages:
                    self.add_error(field if field in self.fields else None, message)
        return typed

    @property
    def shows_more(self) -> bool:
        """Whether to show the part for all but the points open: it has a value or a fault."""
        names = ("went_first", "map_by", "winner", "decided_by", "roll_a", "roll_b", "late", "double_loss")
        return any(self.errors.get(name) or self[name].value() for name in names)


class KeyboardForm(ResultForm):
    """The line for entering by keyboard: table number, points, points; single keys set flags."""

    table = forms.CharField(
        label=_("Table"),
        required=False,
        max_length=6,
        widget=forms.TextInput(attrs=NUMERIC | {"enterkeyhint": "next"}),
    )
    signed = forms.BooleanField(label=_("Slip signed by both players"), required=False)
    field_order = ["table", "score_a", "score_b"]
