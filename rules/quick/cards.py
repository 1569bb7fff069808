"""What the cards of quick answers share: fields that are chosen by taps, and an answer in the engine's sentences.

A card makes one position file from what is chosen. The engine adjudicates it; its steps are the answer, and the file
is carried over when the answer is opened as a dispute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.dispute.replay import Replay, StepView
from rules.dispute.sums import SumLine
from rules.engine import Edition, Power
from rules.positions import Document
from rules.quick.filling import without_rolls

Options = tuple[tuple[str, str], ...]
Chosen = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several options, each a value and its words; the first is chosen unless another is."""

    key: str
    title: str
    options: Options

    def read(self, given: str) -> str:
        """Return the option that is given, or the first one."""
        return given if given in dict(self.options) else self.options[0][0]


@dataclass(frozen=True, slots=True)
class Several:
    """Any number of options, each a value and its words; given as one text with commas."""

    key: str
    title: str
    options: Options

    def read(self, given: str) -> tuple[str, ...]:
        """Return the options that are given, in the order of the card."""
        named = given.split(",")
        return tuple(value for value, _words in self.options if value in named)


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number with its limits, changed by steps of one."""

    key: str
    title: str
    least: int
    most: int
    standard: int

    def read(self, given: str) -> int:
        """Return the number that is given, within the limits; the standard one if it is none."""
        digits = given.removeprefix("-")
        if not digits.isascii() or not digits.isdigit() or len(digits) > 4:
            return self.standard
        return max(self.least, min(self.most, int(given)))


Field = Choice | Several | Number


@dataclass(frozen=True, slots=True)
class CardAnswer:
    """The answer of a card: in a few words, the engine's sentences, the sums, the sections, and how it was found.

    `state` is good, warn or bad; `facts` are further lines, each with its words; `rolls` are the totals of two dice
    with whether they hit; `cited` and `given` are the sections and the position file where the replay has others.
    """

    state: str
    lead: str
    sentences: tuple[str, ...]
    replay: Replay
    sums: tuple[tuple[SumLine, ...], ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    rolls: tuple[tuple[int, bool], ...] = ()
    cited: tuple[Mapping[str, Any], ...] = ()
    given: Document | None = None

    @property
    def citations(self) -> list[Mapping[str, Any]]:
        """The sections of the steps whose sentences are shown."""
        shown = [one for one in self.replay.steps if one.text in self.sentences]
        found = (*self.cited, *(cite for one in shown for cite in one.citations))
        return list({cite["section"]: cite for cite in found}.values())

    @property
    def document(self) -> Document:
        """The position file without dice and questions, for a dispute."""
        kept = {key: part for key, part in (self.given or self.replay.document).items() if key != "ask"}
        return without_rolls(kept)


@dataclass(frozen=True, slots=True)
class Card:
    """A card: its name in addresses, its fields in a book for what is chosen so far, and its answer."""

    name: str
    fields: Callable[[Edition, Chosen], Sequence[Field]]
    answer: Callable[[Edition, Chosen], CardAnswer]

    def read(self, edition: Edition, given: Mapping[str, str]) -> tuple[Sequence[Field], dict[str, Any]]:
        """Return the fields for what is given, and what is chosen in each."""
        chosen: dict[str, Any] = {}
        fields: Sequence[Field] = ()
        for _time in range(2):
            fields = self.fields(edition, chosen)
            chosen = {one.key: one.read(given.get(one.key, "")) for one in fields}
        return fields, chosen


def powers(edition: Edition, fits: Callable[[Power], object]) -> Options:
    """Return the powers of a book that fit, by name, each as value and words."""
    names = sorted({row.name for row in edition.powers.values() if row.known and fits(row)})
    return tuple((name, name) for name in names)


def texts(steps: Iterable[StepView], *kinds: str) -> tuple[str, ...]:
    """Return the sentences of the steps of these kinds."""
    return tuple(one.text for one in steps if one.kind in kinds)


def sums(steps: Iterable[StepView], *kinds: str) -> tuple[tuple[SumLine, ...], ...]:
    """Return the sums of the steps of these kinds that have more than one part."""
    return tuple(one.sums for one in steps if one.kind in kinds and len(one.sums) > 1)


def percent(share: float) -> str:
    """Return a share of 1 in percent."""
    return f"{round(100 * share)}%"
