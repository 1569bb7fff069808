"""How each row of the action table is done by token: the page whose form is sent, and the form's fields as JSON.

A row that tokens can have (`events.token_rows`) needs a line in WAYS, or in `READ` if it only lets someone read. A key
after a slash is another form of the same row. Fields come from the page's own form where it has one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from django import forms
from django.utils import translation
from pydantic import Field

from events import choices
from events.forms.clock import TimeForm
from events.forms.entries import EnterForm, EntryAddForm, EntryForm
from events.forms.forces import ByHandForm
from events.forms.officials import OfficialForm
from events.forms.policy import OverrideForm
from events.forms.setup import SCENARIO_ROUNDS, EventForm
from events.services.rounds import MAX_ROUND_MINUTES
from judging.forms import PenaltyForm
from judging.forms_calls import CloseForm, RaiseForm
from judging.forms_decisions import AppealForm, FinalForm, RulingForm
from judging.models import Decision
from judging.views.verification import RemedyForm

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

    `asked` go into the address's query. `fixed` is always sent. With `keeps`, a field left out keeps its value.
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


def of_form(form: type[forms.Form] | type[forms.ModelForm], *but: str, **instead: Any) -> Args:
    """Return a form's own fields, all `but` these; `instead` gives types that only a form of a real page knows."""
    found = {}
    for name, one in form.base_fields.items():
        if name not in but:
            with translation.override("en"):
                words = " ".join(f"{text}".rstrip(".") + "." for text in (one.label, one.help_text) if text)
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
            "log_entry": "The id of the audit log entry.",
        }.items()
    },
}
VIEW_ROUND, AT_TABLE = ("round",), ("round", "table")
PRIZE = Arg(Short, "The prize, as the draft lists it.", needed=True)
SCORES: Args = {
    f"score_{seat}": Arg(Key, "Victory points of this seat.", seat in "ab") for seat in ("a", "b", "c", "d")
}
RESULT: Args = {
    **SCORES,
    "winner": Arg(Seat, "The winner's seat, if the points don't decide."),
    "decided_by": Arg(
        Literal["last-standing", "scenario", "judge", "roll-off", "lowest-force"],
        "What decided the match, if the points didn't.",
    ),
    "double_loss": Arg(bool, "Both players lose."),
    "went_first": Arg(Seat, "The seat that went first."),
    "map_by": Arg(Literal["a", "b"], "The seat that chose the map."),
    "to_time": Arg(bool, "The match went to time."),
    **{f"roll_{seat}": Arg(Number, "This seat's roll-off total.") for seat in ("a", "b", "c", "d")},
    "late": Arg(Literal["a", "b", "both"], "The seat that arrived late; a note only."),
    **{
        f"out_{seat}": Arg(Seat, "The seat that knocked this one out, at tables of three or four.")
        for seat in ("a", "b", "c", "d")
    },
    "left": Arg(list[Seat], "The seats that left a table of three or four."),
    "lost": Arg(list[Seat], "The seats with a loss at a table of three or four."),
    "battle": Arg(dict[str, Any], "A battle file, which is kept with the result."),
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


def of_entry(verb: str, **more: Any) -> Way:
    """Return the way of a verb that only names an entry."""
    return Way("events:entry-act", ("entry", f"={verb}"), example={"entry": 12}, **more)


def of_round(page: str, **more: Any) -> Way:
    """Return the way of a verb that only names a round."""
    return Way(f"events:{page}", VIEW_ROUND, example={"round": 1}, **more)


def of_call(verb: str) -> Way:
    """Return the way of a verb that only names a call."""
    return Way("judging:call-act", ("call", f"={verb}"), example={"call": 5})


def of_prizes(verb: str, args: Args | None = None, **example: Any) -> Way:
    """Return the way of a step of the prize draft."""
    return Way("events:prizes-act", (f"={verb}",), args or {}, example=example)


def of_clock(act: str, args: Args | None = None, **example: Any) -> Way:
    """Return the way of a change to the clock."""
    return Way("events:clock", args=args or {}, fixed={"act": act}, example=example)


def of_ruling(verb: str) -> Way:
    """Return the way of a verb that only names a ruling."""
    return Way("judging:ruling-act", ("ruling", f"={verb}"), example={"ruling": 3})


OFFICIAL = {"official": 4}
WAYS: dict[str, Way] = {
    # set-up
    "change-event": Way("events:edit", args=EVENT, keeps=True, example={"seats": 48}),
    "change-officials": Way(
        "events:officials", args=of_form(OfficialForm), example={"email": "ada@example.org", "role": "judge"}
    ),
    "change-officials/remove": Way("events:official-remove", ("official",), example=OFFICIAL),
    "accept-official": Way("events:official-accept", ("official",), example=OFFICIAL),
    "accept-role-for": Way("events:official-accept-for", ("official",), example=OFFICIAL),
    "confirm-official": Way("events:official-confirm", ("official",), example=OFFICIAL),
    "open-event": Way("events:open"),
    "cancel-event": Way("events:cancel", example={"confirm": True, "reason": "The hall is flooded"}),
    "announce": Way(
        "events:announce",
        args={
            "text": Arg(Short, "The announcement.", needed=True),
            "minutes": Arg(Literal[10, 30, 120, 0], "For how many minutes; 0 until it is withdrawn.", needed=True),
        },
        example={"text": "Lunch is here", "minutes": 30},
    ),
    "announce/next-round": Way(
        "events:next-round",
        args={"starts": Arg(Moment, "When the next round starts, in the venue's time.", needed=True)},
        example={"starts": "2027-03-06T14:30"},
    ),
    "announce/withdraw": Way("events:announcement-withdraw", ("announcement",), example={"announcement": 2}),
    "override-policy": Way(
        "events:policy-exception", args=of_form(OverrideForm), example={"rule": "club-month", "reason": "A convention"}
    ),
    "withdraw-override": Way(
        "events:policy-exception-revoke", ("exception",), example={"exception": 1, "reason": "It was a mistake"}
    ),
    # entries
    "enter-self": Way("events:enter", args=of_form(EnterForm), example={"name": "Ada Lund", "declares": True}),
    "add-entry": Way(
        "events:entry-add",
        args=of_form(EntryAddForm),
        example={"name": "Ada Lund", "declares": True, "checked_in": True},
    ),
    "import-entries": Way(
        "events:entries-import",
        args={
            "text": Arg(
                Annotated[str, Field(max_length=200_000)], "The list, a player on each line or as CSV.", needed=True
            ),
            "declared": Arg(bool, "All of them have confirmed that they're eligible."),
            "checked_in": Arg(bool, "Check them all in."),
        },
        fixed={"enter": "yes"},
        example={"text": "Ada Lund\nBen Okoro", "declared": True},
    ),
    "change-entry": Way(
        "events:entry-edit", ("entry",), of_form(EntryForm), keeps=True, example={"entry": 12, "club": "Northside"}
    ),
    "change-entry/move-up": Way("events:entries-move-up"),
    "check-in": of_entry("check-in"),
    "undo-check-in": of_entry("undo-check-in"),
    "open-self-check-in": Way(
        "events:check-in",
        args={
            "state": Arg(Literal["open", "close"], "Whether players check themselves in.", needed=True, posted="self")
        },
        example={"state": "open"},
    ),
    "withdraw-entry": of_entry("withdraw"),
    "reinstate-entry": of_entry("reinstate"),
    "drop-entry": of_entry("drop"),
    "return-entry": of_entry("return"),
    "ask-return": of_entry("ask-return"),
    "disqualify-entry": of_entry("disqualify"),
    "disqualify-entry/requalify": of_entry("requalify"),
    # teams of two
    "choose-partner": Way(
        "events:partner",
        ("entry",),
        {"partner": Arg(Number, "The chosen player's number; leave it out to choose no one.")},
        example={"entry": 12, "partner": 15},
    ),
    "make-team": Way(
        "events:teams",
        args={"one": ENTRY, "other": ENTRY, "title": Arg(Annotated[str, Field(max_length=80)], "The team's name.")},
        example={"one": 12, "other": 15},
    ),
    "name-team": Way(
        "events:team-name",
        ("team",),
        {"title": Arg(Annotated[str, Field(max_length=80)], "The team's name.", needed=True)},
        example={"team": 3, "title": "Towers"},
    ),
    "split-team": Way("events:team-split", ("team",), example={"team": 3, "confirm": True}),
    # rounds
    "draft-round": Way("events:draft-next", args={"allow_rematch": REMATCH}),
    "pair-again": of_round("pair-again", args={"allow_rematch": REMATCH}),
    "change-draft": Way(
        "events:draft-swap",
        VIEW_ROUND,
        {"players": Arg(list[Number], "The numbers of two players, who swap seats.", needed=True, posted="player")},
        example={"round": 2, "players": [12, 15]},
    ),
    "change-draft/table": Way(
        "events:draft-table",
        VIEW_ROUND,
        {
            "match": Arg(Number, "The table where the pair sits.", needed=True),
            "table": Arg(Annotated[int, Field(ge=1, le=999)], "The table where it plays.", needed=True),
        },
        example={"round": 2, "match": 7, "table": 1},
    ),
    "change-draft/move": Way(
        "events:draft-move",
        VIEW_ROUND,
        {"entry": ENTRY, "table": Arg(Number, "A table of three or four with a free seat.", needed=True)},
        example={"round": 2, "entry": 12, "table": 4},
    ),
    "set-round-length": Way(
        "events:draft-length",
        VIEW_ROUND,
        {"minutes": Arg(Annotated[int, Field(ge=1, le=MAX_ROUND_MINUTES)], "Minutes; leave it out for the event's.")},
        example={"round": 2, "minutes": 40},
    ),
    "discard-draft": of_round("discard"),
    "publish-round": of_round("publish"),
    "unpublish-round": of_round("unpublish"),
    "right-tables": Way(
        "events:fix-seating",
        VIEW_ROUND,
        {
            "first": Arg(Number, "One table.", needed=True),
            "second": Arg(Number, "The other table.", needed=True),
            "opponent": Arg(
                Number | Literal["tables", "seats"],
                "The number of the player who really played the first table's first player; “tables” if only the tables "
                "were wrong; “seats” if two players of tables of three or four sat in each other's seats.",
                needed=True,
            ),
            "one": Arg(Number, "The player paired at the first table, with “seats”."),
            "other": Arg(Number, "The player paired at the second table, with “seats”."),
            "results": Arg(Literal["back", "keep"], "Withdraw results already entered, or keep them."),
            "reason": Arg(Short, "The reason, kept in the audit log.", needed=True),
        },
        asked=frozenset({"first", "second"}),
        example={"round": 1, "first": 3, "second": 4, "opponent": 12, "reason": "They sat down wrongly"},
    ),
    "right-tables/seat-late": Way(
        "events:seat-late",
        VIEW_ROUND,
        {"entry": ENTRY, "opponent": ENTRY},
        example={"round": 1, "entry": 12, "opponent": 15},
    ),
    "complete-round": of_round("complete"),
    "reopen-round": of_round("reopen"),
    # clock
    "run-clock": Way(
        "events:clock",
        args={
            "act": Arg(Literal["preparation", "start", "pause", "resume"], "What the clock does.", needed=True),
        },
        example={"act": "start"},
    ),
    "add-time": of_clock(
        "more",
        {name: Arg(arg.type, arg.words, arg.needed, f"all-{name}") for name, arg in MINUTES.items()},
        minutes=5,
        reason="A late start",
    ),
    "add-time/less": of_clock(
        "less",
        {name: Arg(arg.type, arg.words, arg.needed, f"all-{name}") for name, arg in MINUTES.items()},
        minutes=5,
        reason="The hall closes early",
    ),
    "add-time/call-time": of_clock("call", reason="The hall closes"),
    "extend-table": Way("events:extend", AT_TABLE, MINUTES, example={**MATCH, "minutes": 3, "reason": "A long ruling"}),
    "extend-table/withdraw": Way(
        "events:extension-withdraw", ("extension",), example={"extension": 9, "reason": "The wrong table"}
    ),
    # results
    "claim-result": Way("events:claim", AT_TABLE, RESULT, example=RESULT_EXAMPLE),
    "claim-result/withdraw": Way("events:claim-withdraw", AT_TABLE, example=MATCH),
    "enter-result": Way(
        "events:enter-result", AT_TABLE, RESULT | {"signed": SIGNED}, {"act": "enter"}, example=RESULT_EXAMPLE
    ),
    "decide-result": Way(
        "events:enter-result", AT_TABLE, RESULT, {"act": "decide"}, example=RESULT_EXAMPLE | {"reason": "Both had left"}
    ),
    "correct-result": Way(
        "events:enter-result",
        AT_TABLE,
        RESULT,
        {"act": "correct"},
        example=RESULT_EXAMPLE | {"reason": "A typing error"},
    ),
    "abandon-match": Way(
        "events:abandon-match",
        AT_TABLE,
        {"side": Arg(Seat, "The seat of the player who left.", needed=True)},
        example={**MATCH, "side": "b", "confirm": True},
    ),
    # calls
    "raise-call": Way("judging:call-raise", AT_TABLE, of_form(RaiseForm), example={**MATCH, "reason": "rules"}),
    "cancel-call": of_call("cancel"),
    "take-call": of_call("take"),
    "release-call": of_call("release"),
    "escalate-call": of_call("escalate"),
    "arrive-at-table": of_call("arrive"),
    "close-call": Way(
        "judging:call-close",
        ("call",),
        of_form(CloseForm),
        example={"call": 5, "category": "rule", "outcome": "ruled", "minutes": 2, "agreed": 0},
    ),
    # rulings
    "open-dispute": Way("judging:dispute", AT_TABLE, example=MATCH),
    "record-decision": Way(
        "judging:rule",
        args=RULING,
        example={**MATCH, "question": "May it move?", "answer": "yes", "text": "It has moved."},
    ),
    "appeal-decision": Way(
        "judging:ruling-appeal",
        ("ruling",),
        of_form(AppealForm),
        example={"ruling": 3, "appeal": "It wasn't adjacent."},
    ),
    "withdraw-appeal": of_ruling("withdraw-appeal"),
    "answer-appeal": Way(
        "judging:ruling-answer",
        ("ruling",),
        {"act": Arg(Literal["uphold", "overturn"], "Uphold the ruling or overturn it.", needed=True)}
        | of_form(FinalForm, final_answer=Literal[tuple(Decision.Answer.values)]),
        example={"ruling": 3, "act": "uphold", "final_reasons": "The rulebook says so."},
    ),
    "reopen-appeal": of_ruling("reopen"),
    "take-decision-back": of_ruling("withdraw"),
    # forces
    **dict.fromkeys(
        ("build-force", "build-force-late"),
        Way("events:force-change", ("entry",), BENCH, example={"entry": 12, "act": "describe", "name": "The Team"}),
    ),
    **dict.fromkeys(
        ("change-force", "change-force-late"), Way("events:force-submit", ("entry",), example={"entry": 12})
    ),
    "change-force-late/take-over": Way("judging:force-take-over", ("entry",), example={"entry": 12, "confirm": True}),
    **dict.fromkeys(
        ("register-pool", "change-pool-late"),
        Way(
            "events:pool",
            ("entry",),
            POOL,
            example={"entry": 12, "act": "hand", "name": "Recruit", "section": "characters", "points": 20},
        ),
    ),
    "check-forces": Way("judging:force-check", ("entry",), FOUND, example={"entry": 12, "act": "pass"}),
    # boosters and prizes
    "start-booster-draft": Way(
        "events:boosters",
        VIEW_ROUND,
        {
            "boosters_each": Arg(Number, "Boosters for each player.", needed=True),
            "booster_figures": Arg(Number, "Figures in a booster.", needed=True),
            "pick_seconds": Arg(Number, "Seconds for a pick.", needed=True),
            "table": Arg(Number, "One table; leave it out for all without a draft."),
        },
        example={"round": 1, "boosters_each": 2, "booster_figures": 5, "pick_seconds": 60},
    ),
    "record-draft-pick": Way(
        "events:pod-record",
        ("round", "table", "entry", "step"),
        {
            "act": Arg(Literal["hand"], "“hand” for a figure that the catalogue lacks, described by the other fields."),
            "code": Arg(Short, "The figure, by its code in the catalogue."),
            "replace": Arg(bool, "Replace what was recorded before."),
        }
        | {name: Arg(arg.type, arg.words) for name, arg in of_form(ByHandForm).items()},
        asked=frozenset({"replace"}),
        example={**MATCH, "entry": 12, "step": 0, "code": "ic-001"},
    ),
    "pass-boosters": Way("events:pod-pass", ("round", "table", "step"), example={**MATCH, "step": 0}),
    "draft-on-paper": Way(
        "events:pod-paper",
        AT_TABLE,
        {"entry": ENTRY, "on_paper": Arg(bool, "Whether the player records picks on paper.")},
        example={**MATCH, "entry": 12, "on_paper": True},
    ),
    "edit-prize-draft": of_prizes(
        "list",
        {"prizes": Arg(Annotated[str, Field(max_length=50_000)], "The prizes, one per line.", needed=True)},
        prizes="A booster\nA booster\nA map",
    ),
    "edit-prize-draft/up": of_prizes("up", {"entry": ENTRY}, entry=12),
    "start-prize-draft": of_prizes("start"),
    "pick-prize": of_prizes("pick", {"prize": PRIZE}, prize="A booster"),
    "skip-prize-turn": of_prizes(
        "skip", {"for_good": Arg(bool, "Skip this player's later turns, too.")}, reason="Has gone home"
    ),
    "withdraw-prize-pick": of_prizes("withdraw"),
    # finishing and correcting
    "cut": Way(
        "events:cut",
        args={
            "places": Arg(Annotated[int, Field(ge=2, le=choices.LARGEST_CUT)], "How many players go on."),
            "third_place": Arg(bool, "Play for third place."),
        },
        example={"places": 8},
    ),
    "replay-bracket": Way("events:replay", example={"confirm": True, "reason": "Both players lost"}),
    "finish-event": Way("events:end", example={"confirm": True}),
    "resume-event": Way("events:reopen-event", example={"confirm": True, "reason": "A result was wrong"}),
    "verify-event": Way("judging:finish-act", ("=verify",)),
    "unverify-event": Way("judging:finish-act", ("=unverify",), example={"confirm": True, "reason": "A wrong result"}),
    "receive-copy": Way("judging:finish-act", ("=receive",)),
    "report-event": Way("judging:finish-act", ("=report",)),
    "give-penalty": Way(
        "judging:penalties",
        args=of_form(PenaltyForm, "entry", "round")
        | {
            "entry": replace(ENTRY, of="entries"),
            "round": Arg(Number, "The round's number.", of="rounds"),
        },
        example={
            "entry": 12,
            "kind": "warning",
            "category": "slow-play",
            "text": "Thought for ten minutes",
            "round": 1,
        },
    ),
    "give-penalty/slow-play": Way(
        "judging:slow-play",
        AT_TABLE,
        {"side": Arg(Seat, "The seat of the player who is warned.", needed=True)},
        example={**MATCH, "side": "a", "confirm": True},
    ),
    "withdraw-penalty": Way(
        "judging:penalty-withdraw", ("penalty",), example={"penalty": 2, "reason": "The wrong player"}
    ),
    "undo": Way("judging:audit-log-entry", ("log_entry",), example={"log_entry": 311, "confirm": True}),
    "take-snapshot": Way("judging:snapshot-take"),
}
READ = frozenset(
    {"see-console", "see-drafts", "see-private-entries", "see-calls", "see-decisions", "see-record", "export-event"}
)
"""Rows that only let someone read: `judging/api_reading.py` asks them, and `see-drafts` the pairings."""
