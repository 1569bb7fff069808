"""The fields that actions by token share, and what the table of actions is made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal
from uuid import UUID

from django import forms
from pydantic import Field

from events import choices
from events.api import ResultIn
from events.api_prizes import PickIn
from events.forms.clock import TimeForm
from events.forms.forces import ByHandForm
from events.forms.setup import SCENARIO_ROUNDS, EventForm
from judging.forms_decisions import RulingForm
from judging.models import Decision
from judging.views.verification import RemedyForm
from rules.api_schema import Described, in_words

Key = Annotated[int, Field(ge=0, le=10**9)]
Number = Annotated[int, Field(ge=0, le=9999)]
Short = Annotated[str, Field(max_length=400)]
Seat = Literal["a", "b", "c", "d"]
Moment = Annotated[str, Field(max_length=25)]


@dataclass(frozen=True)
class Arg:
    """A field of a call: its type, its words, and the name by which the page knows it, if that differs.

    `of` names the event's rows of which the call gives the number, but the page wants the key.
    """

    type: Any
    words: str
    needed: bool = False
    posted: str = ""
    of: Literal["", "entries", "rounds"] = ""


Args = dict[str, Arg]


@dataclass(frozen=True)
class Way:
    """A form of the site. `parts` fill its address after the event: names of fields, or with `=` a fixed text.

    `asked` go into the address's query. `fixed` is always sent. With `keeps`, a field left out keeps its value. The
    `example` has the confirmation and the reason for which the page usually asks.
    """

    page: str
    parts: tuple[str, ...] = ()
    args: Args = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    keeps: bool = False
    example: Mapping[str, Any] = field(default_factory=dict)

    @property
    def all_args(self) -> Args:
        """Every field: those of the address first."""
        return {name: PARTS[name] for name in self.parts if not name.startswith("=")} | self.args

    def address_parts(self, given: Mapping[str, Any]) -> list[Any]:
        """Return what fills the address after the event."""
        return [name[1:] if name.startswith("=") else given[name] for name in self.parts]

    def sent(self, given: Mapping[str, Any], *, asked: bool = False) -> dict[str, list[str]]:
        """Return the form's values, or those of the address's query."""
        found = {} if asked else {name: [value] for name, value in self.fixed.items()}
        for name, arg in self.args.items():
            value = given.get(name)
            if value is not None and value is not False and (name in self.asked) is asked:
                found[arg.posted or name] = [_text(one) for one in value] if isinstance(value, list) else [_text(value)]
        return found


def _text(value: Any) -> str:
    if value is True:
        return "yes"
    return json.dumps(value) if isinstance(value, dict) else str(value)


def said(schema: type[Described], name: str) -> str:
    """Return the words about a field of another operation's body, which an action has, too."""
    return str(schema.model_fields[name].description)


def of_form(form: type[forms.Form] | type[forms.ModelForm], *but: str, **instead: Any) -> Args:
    """Return a form's own fields, all `but` these; `instead` gives types that only a form of a real page knows."""
    found = {}
    for name, one in form.base_fields.items():
        if name not in but:
            words = in_words(one.label or "", one.help_text)
            found[name] = Arg(instead.get(name) or _type_of(one), words, one.required)
    return found


def _type_of(one: forms.Field) -> Any:
    if isinstance(one, forms.BooleanField):
        return bool
    if isinstance(one, forms.IntegerField):
        least, most = (limit if isinstance(limit, int) else None for limit in (one.min_value, one.max_value))
        return Annotated[int, Field(ge=least or 0, le=10**6 if most is None else most)]
    if isinstance(one, forms.ModelChoiceField):
        return Key
    if isinstance(one, forms.ChoiceField):
        coerce = getattr(one, "coerce", str)
        known: Any = one.choices
        values = tuple(coerce(value) for value, _label in known if value != "")
        several = isinstance(one, forms.MultipleChoiceField)
        kind: Any = Literal[values] if values else Short
        return list[kind] if several else kind
    return Annotated[str, Field(max_length=getattr(one, "max_length", None) or 400)]


ENTRY = Arg(Number, "The player's number in the event.", needed=True)
PARTS: Args = {
    "round": Arg(Number, "The round's number.", needed=True),
    "table": Arg(Number, "The table's number.", needed=True),
    "entry": ENTRY,
    "team": Arg(Number, "The team's number.", needed=True),
    "step": Arg(Number, "The step of the draft, from 0.", needed=True),
    "ruling": Arg(Key, "The ruling's number.", needed=True),
    **{
        name: Arg(Key, words, needed=True)
        for name, words in {
            "call": "The call's id, from the list of calls.",
            "official": "The official's id, from the audit log.",
            "penalty": "The penalty's id, from the audit log.",
            "announcement": "The announcement's id, from the audit log.",
            "extension": "The extension's id, from the audit log.",
            "exception": "The exception's id, from the audit log.",
            "webhook": "The webhook's id, from the audit log.",
            "log_entry": "The id of the audit log entry.",
        }.items()
    },
    "act": Arg(Literal["on", "off", "test"], "Turn the webhook on or off, or send a test message.", needed=True),
    "message": Arg(UUID, "The message's Webhook-Id, as its receiver got it.", needed=True),
}
VIEW_ROUND, AT_TABLE = ("round",), ("round", "table")
PRIZE = Arg(Short, said(PickIn, "prize"), needed=True)
SCORES: Args = {
    f"score_{seat}": Arg(Key, said(ResultIn, f"score_{seat}"), seat in "ab") for seat in ("a", "b", "c", "d")
}
RESULT: Args = {
    **SCORES,
    "winner": Arg(Seat, said(ResultIn, "winner")),
    "decided_by": Arg(
        Literal["last-standing", "scenario", "judge", "roll-off", "lowest-force"],
        said(ResultIn, "decided_by"),
    ),
    "double_loss": Arg(bool, said(ResultIn, "double_loss")),
    "went_first": Arg(Seat, said(ResultIn, "went_first")),
    "map_by": Arg(Literal["a", "b"], said(ResultIn, "map_by")),
    "to_time": Arg(bool, said(ResultIn, "to_time")),
    **{f"roll_{seat}": Arg(Number, "This seat's roll-off total.") for seat in ("a", "b", "c", "d")},
    "late": Arg(Literal["a", "b", "both"], said(ResultIn, "late")),
    **{
        f"out_{seat}": Arg(Seat, "The seat that knocked this one out, at tables of three or four.")
        for seat in ("a", "b", "c", "d")
    },
    "left": Arg(list[Seat], "The seats that left a table of three or four."),
    "lost": Arg(list[Seat], said(ResultIn, "lost")),
    "battle": Arg(dict[str, Any], said(ResultIn, "battle")),
}
MATCH = {"round": 1, "table": 7}
RESULT_EXAMPLE = {**MATCH, "score_a": 200, "score_b": 150}
SIGNED = Arg(bool, "Both players signed the result slip.")
REMATCH = Arg(bool, "Allow players who have met to meet again, if nothing else is possible.")
FOUND: Args = {
    "act": Arg(
        Literal["look", "unlook", "pass", "fail", "again"],
        "Tick a figure, untick it, or end the check; “again” reopens it.",
        needed=True,
    ),
    "ref": Arg(Short, "The figure, as the force file names it."),
    "dial_number": Arg(Annotated[str, Field(max_length=20)], "The number on the figure's dial."),
    "proxy": Arg(bool, "The figure is a proxy."),
    "promotional": Arg(bool, "The figure is marked Promotional."),
    "not_sealed": Arg(bool, "The figure isn't from the sealed product."),
    **{name: Arg(arg.type, arg.words) for name, arg in of_form(RemedyForm).items()},
}
BENCH: Args = {
    "act": Arg(
        Literal["add", "remove", "points", "assign", "sideline", "proxy", "describe", "undo", "clear"],
        "One change to the force.",
        needed=True,
    ),
    "code": Arg(Short, "The item to add, by its code in the catalogue."),
    "ref": Arg(Short, "The item to change, as the force file names it."),
    "points": Arg(Key, "The points at which it is played."),
    "to": Arg(list[Short], "The figures to which it is assigned."),
    "on_sideline": Arg(bool, "Add it to the sideline, or move it there.", posted="there"),
    "value": Arg(bool, "Whether the figure is a proxy."),
    "name": Arg(Short, "The force's name."),
    "map": Arg(list[Short], "The maps."),
}
POOL: Args = {
    "act": Arg(Literal["add", "hand", "remove", "replaced"], "One change to the opened product.", needed=True),
    "code": Arg(Short, "The item to add, by its code in the catalogue."),
    "place": Arg(Number, "The place of the item to remove, from 0."),
    "product": Arg(Short, "The product that was replaced."),
    "missing": Arg(Short, "What was missing from it."),
    **{name: Arg(arg.type, arg.words) for name, arg in of_form(ByHandForm).items()},
}
SCENARIO = Arg(Short, "A scenario.")
EVENT: Args = {
    **of_form(EventForm, "head_judge", "sets", hall=Key),
    **{
        name: Arg(Moment, "A moment in the venue's time, such as 2027-03-06T14:00.")
        for name in ("starts", "entries_close", "forces_close")
    },
    "sets": Arg(list[Short], "The sets that are allowed, by their codes."),
    "scenario_of_all": SCENARIO,
    **{f"scenario_{n}": SCENARIO for n in range(1, SCENARIO_ROUNDS + 1)},
    **{
        f"by_{n}": Arg(Literal[tuple(choices.CRITERIA)], "A tie-breaker, in order.")
        for n in range(1, choices.CASCADE_LENGTH + 1)
    },
}
MINUTES = of_form(TimeForm)
RULING: Args = {
    "round": Arg(Number, "The round's number."),
    "table": Arg(Number, "The table's number."),
    "dispute": Arg(Annotated[str, Field(max_length=64)], "The key of the position that the ruling is about."),
    "replaces": Arg(Key, "The number of the ruling that it replaces."),
    **of_form(RulingForm, "topics", "citations", "rulings", "belongs", answer=Literal[tuple(Decision.Answer.values)]),
    "stay": Arg(bool, "Leave the table's call open."),
}


def of_entry(verb: str, **example: Any) -> Way:
    """Return the way of a verb that only names an entry."""
    return Way("events:entry-act", ("entry", f"={verb}"), example={"entry": 12, **example})


def of_round(page: str, args: Args | None = None, **example: Any) -> Way:
    """Return the way of a verb that only names a round."""
    return Way(f"events:{page}", VIEW_ROUND, args or {}, example={"round": 1, **example})


def of_call(verb: str) -> Way:
    """Return the way of a verb that only names a call."""
    return Way("judging:call-act", ("call", f"={verb}"), example={"call": 5})


def of_prizes(verb: str, args: Args | None = None, **example: Any) -> Way:
    """Return the way of a step of the prize draft."""
    return Way("events:prizes-act", (f"={verb}",), args or {}, example=example)


def of_clock(act: str, args: Args | None = None, **example: Any) -> Way:
    """Return the way of a change to the clock."""
    return Way("events:clock", args=args or {}, fixed={"act": act}, example=example)


def of_ruling(verb: str, **example: Any) -> Way:
    """Return the way of a verb that only names a ruling."""
    return Way("judging:ruling-act", ("ruling", f"={verb}"), example={"ruling": 3, **example})


OFFICIAL = {"official": 4}
