"""The replay of a position file: its report, its steps for pages, and the board after each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from rules import engine
from rules.dispute.choices import Awaited, awaited_of, noted_rolls
from rules.dispute.sums import SumLine, sums_of
from rules.dispute.words import names_apart, standing_words, step_word
from rules.engine import EDITIONS, BadInput, Edition, Ruling
from rules.fault_words import fault_sentences
from rules.positions import Document, loosened, piece_of, pieces, read_edge, stands_in

OPTIONAL = (
    *("squares", "captured_by", "flight", "countered", "stack", "stack_lost"),
    *("generated_by", "replaces", "copies", "left", "named_tokens"),
)
"""Keys that a report's state contains only where they apply."""


SHUT = ("walls", "windows", "doors")
"""Features on the edges of a map."""


@dataclass(frozen=True, slots=True)
class StepView:
    """One step on a page. `number` counts from 1; `line` names the two ends of its line of fire."""

    number: int
    action: int
    kind: str
    text: str
    sums: tuple[SumLine, ...]
    numbers: Mapping[str, Any]
    citations: tuple[Mapping[str, Any], ...]
    rulings: tuple[str, ...]
    topics: tuple[str, ...]
    line: tuple[str, str] | None
    rolled_here: bool

    @property
    def tells_line(self) -> bool:
        """Whether the step is about the line of fire; later steps of an attack only show it on the board."""
        return self.line is not None and self.kind in ("targets", "line-of-fire", "illegal")

    @property
    def word(self) -> str:
        """The kind of step as a heading; a step that only names a card's text isn't a decision."""
        if self.kind == "ruling" and "by" not in self.numbers:
            return _("For the judge to decide")
        return step_word(self.kind)


@dataclass
class Replay:
    """A position file and its report. `fault` is why the edition can't judge it; then there is no report.

    `asks` is what a player may still choose although the report is complete without it.
    """

    document: Document
    report: Mapping[str, Any] = field(default_factory=dict)
    fault: BadInput | None = None
    asks: Awaited | None = None

    @property
    def edition(self) -> Edition:
        """The edition used."""
        return EDITIONS[self.document["edition"]]

    @property
    def faults(self) -> list[str]:
        """Why the edition can't judge it, in sentences."""
        return fault_sentences(self.document, self.fault) if self.fault is not None else []

    @cached_property
    def steps(self) -> list[StepView]:
        """The steps in order."""
        found: list[StepView] = []
        line: tuple[str, str] | None = None
        action = -1
        for number, step in enumerate(self.report.get("steps", ()), 1):
            if step["action"] != action:
                action, line = step["action"], None
            line = self._line_after(step, line)
            numbers = step["numbers"]
            found.append(
                StepView(
                    number,
                    action,
                    step["step"],
                    step["text"],
                    tuple(sums_of(step)),
                    numbers,
                    tuple(step["citations"]),
                    tuple(step["rulings"]),
                    tuple(step["topics"]),
                    line,
                    self._rolled_here(step),
                )
            )
        return found

    def _given(self, number: int) -> Mapping[str, Any]:
        """Return an action of the file; an empty one for overrides in a file without actions."""
        actions = self.document.get("actions") or ()
        return actions[number] if number < len(actions) else {}

    def _line_after(self, step: Mapping[str, Any], line: tuple[str, str] | None) -> tuple[str, str] | None:
        numbers = step["numbers"]
        if step["step"] == "line-of-fire" and "to" in numbers:
            return numbers["from"], numbers["to"]
        if step["step"] == "targets" and "from" in numbers:
            ranged = "ranged-combat" in step["topics"]
            return (numbers["from"], numbers["targets"][0]) if ranged and numbers["targets"] else None
        if step["step"] == "illegal":
            given = self._given(step["action"])
            goals = [goal for goal in given.get("targets") or () if piece_of(self.document, goal)]
            looks = given.get("action") == "ranged" or "line-of-fire" in step["topics"]
            return (given["actor"], goals[0]) if looks and goals else None
        if step["step"] in ("move", "token", "push", "turn", "clear-tokens", "resolve"):
            return None
        return line

    def _rolled_here(self, step: Mapping[str, Any]) -> bool:
        noted = noted_rolls(self._given(step["action"]))
        kinds = {name.removesuffix("/reroll").partition(":")[0] for name in noted}
        if step["step"] == "attack-roll":
            return "attack" in kinds
        rolled = "roll" in step["numbers"] or "dice" in step["numbers"]
        return rolled and not kinds.isdisjoint(step["topics"])

    @property
    def last(self) -> int:
        """The number of the last step, 0 if there are none."""
        return len(self.report.get("steps", ()))

    def board(self, number: int) -> Document:
        """Return the position after this many steps, without actions and questions."""
        position = {key: part for key, part in self.document.items() if key not in ("actions", "ask", "judge")}
        for step in self.report.get("steps", ())[:number]:
            position = after(position, step["changes"])
        return position

    def before(self, number: int) -> Document:
        """Return the position at the beginning of a step, in which its line of fire was drawn."""
        return self.board(max(0, number - 1))

    def line_at(self, step: StepView) -> dict[str, Any] | None:
        """Return the answer about a step's line of fire, drawn on the board before it, or None."""
        if step.line is None:
            return None
        first = next(one for one in self.steps if one.action == step.action and one.line == step.line)
        board = self.before(first.number)
        ends = [piece_of(board, name) for name in step.line]
        if not all(end is not None and stands_in(end) for end in ends):
            return None
        return engine.line_of_fire(board, *step.line)

    @property
    def awaited(self) -> Awaited | None:
        """The missing roll or choice, or None."""
        missing = self.report.get("awaiting")
        return self.asks if missing is None else awaited_of(self.document, missing)

    @property
    def legal(self) -> bool:
        """Whether everything so far was legal."""
        return bool(self.report.get("legal", True))

    @cached_property
    def rulings(self) -> list[Ruling]:
        """The rulings that apply with their weights, most relevant first."""
        return reported_rulings(self.document["edition"], self.report.get("rulings", ()))

    @property
    def topics(self) -> frozenset[str]:
        """The topics of all steps."""
        return frozenset(topic for step in self.report.get("steps", ()) for topic in step["topics"])

    def rulings_at(self, step: StepView) -> list[Ruling]:
        """Return the rulings that apply to a step, most relevant first."""
        return [one for one in self.rulings if one.id in step.rulings]

    @property
    def notes(self) -> list[str]:
        """Why a power, team ability or position that someone would have expected to matter didn't."""
        return [step["text"] for step in self.report.get("steps", ()) if step["step"] == "note"]

    @property
    def ended(self) -> bool:
        """Whether all actions are done, nothing is missing and nothing was illegal."""
        return self.fault is None and self.legal and self.awaited is None

    def outcome(self) -> list[tuple[str, str]]:
        """The result for each figure, as (name, words), for comparisons."""
        standing = self.report.get("state", {}).get("characters", {})
        found, names = [], names_apart(self.document)
        for _player, piece in pieces(self.document):
            now = standing.get(piece["id"])
            if now is not None:
                found.append((names[piece["id"]], standing_words(now)))
        return found


def replay_of(document: Mapping[str, Any]) -> Replay:
    """Return the replay of a position file; `fault` says why if its edition can't judge it."""
    try:
        return Replay(dict(document), engine.adjudicate(document))
    except BadInput as fault:
        return Replay(dict(document), fault=fault)


def after(document: Mapping[str, Any], changes: Mapping[str, Any]) -> Document:
    """Return the position after a step's changes; the given one isn't modified."""
    if not changes:
        return dict(document)
    changed = loosened(document)
    for name, standing in changes.get("characters", {}).items():
        piece = piece_of(changed, name)
        if piece is not None:
            _restand(piece, standing)
    things = {thing["id"]: thing for thing in changed.get("objects", ())}
    for name, put in changes.get("objects", {}).items():
        if name in things:
            things[name].update({key: put[key] for key in ("square", "removed", "assigned_to") if key in put})
    drawn = changed["map"]
    if "markers" in changes:
        drawn["markers"] = changes["markers"]
    gone = {read_edge(name) for name in changes.get("walls_destroyed", ())}
    if gone:
        for kind in SHUT:
            drawn[kind] = [name for name in drawn.get(kind, ()) if read_edge(name) not in gone]
    if "event_dial" in changes:
        changed["event_dial"] = {**changed["event_dial"], "click": changes["event_dial"]["click"]}
    changed |= {key: changes[key] for key in ("fog_broke_up", "rift") if key in changes}
    if "turn" in changes:
        changed["turn"] = changes["turn"]
    return changed


def _restand(piece: Document, standing: Mapping[str, Any]) -> None:
    if "square" in standing:
        piece.pop("squares", None)
        piece["square"] = standing["square"]
    if standing.get("squares"):
        piece.pop("square", None)
    for key in ("click", "tokens", "holding", *OPTIONAL):
        if key in standing:
            if standing[key] is None and key in OPTIONAL:
                piece.pop(key, None)
            else:
                piece[key] = standing[key]
    if standing.get("named_tokens_by"):
        piece["named_tokens"] = standing["named_tokens_by"]
    if "dials_left" in standing:
        _next_dials(piece, standing["dials_left"] or 0)
    if standing.get("ko"):
        piece["click"] = max(piece.get("click", 1), len(piece["dial"]) + 1)


def _next_dials(piece: Document, left: int) -> None:
    """Turn a figure to the dial that it uses when so many are left."""
    dials = list(piece.get("dials", ()))
    while len(dials) > left:
        piece["dial"] = dials.pop(0)
    piece["dials"] = dials


def reported_rulings(edition: str, reported: Iterable[Mapping[str, Any]]) -> list[Ruling]:
    """Return the rulings of a report as the book has them, with their weight in this case."""
    found = [(engine.ruling(edition, one["id"]), one["weight"]) for one in reported]
    return [replace(ruling, weight=weight) for ruling, weight in found if ruling is not None]
