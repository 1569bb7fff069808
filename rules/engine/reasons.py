"""`Tally`: a number together with everything that produced it.

A tally holds the printed value, the replacements and the modifiers, in the order in which they were applied; its total
is always the sum of the parts it shows. An ignored part stays in it and names what overruled it. The edition determines
the order and passes it as arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Factor = Literal["halve", "double"]
PartKind = Literal["printed", "replaced", "halved", "doubled", "changed", "rolled", "limited"]


class Part(NamedTuple):
    """One part of a number: its amount (negative for a reduction), its reason, its topic, what ignores it.

    `printed` is the starting value: printed on a dial or card, given by the book, or counted. `replaced`, `halved` and
    `doubled` add the difference they make, `changed` is a modifier or a reduction, `rolled` are dice, `limited` is a
    minimum or a maximum. The parts are in the order in which they were applied.
    """

    kind: PartKind
    amount: int
    why: str
    topic: str | None = None
    ignored_by: str | None = None


Parts = tuple[Part, ...]


def sum_of(parts: Iterable[Part]) -> int:
    """Return the sum of the parts that nothing ignores."""
    return sum(part.amount for part in parts if part.ignored_by is None)


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names in words, the last after `last`: "A, B and C"."""
    return f" {last} ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def in_words(parts: Parts, first: str = "printed") -> str:
    """Return how a number comes about: "printed 7, halved to 4 (the move begins in hindering terrain)"."""
    value = parts[0].amount
    said = [f"{first} {value}"]
    for part in parts[1:]:
        if part.ignored_by is not None:
            said.append(f"{part.why} ignored ({part.ignored_by})")
            continue
        value += part.amount
        done = {"halved": f"halved to {value}", "doubled": f"doubled to {value}", "replaced": f"replaced by {value}"}
        said.append(f"{done.get(part.kind, f'{part.amount:+d}')} ({part.why})")
    return ", ".join(said)


@dataclass(frozen=True, slots=True)
class Modifier:
    """A modifier: its amount, its source, the topic that cites it; `limits`: whether it enforces a limit."""

    by: int
    why: str
    topic: str
    ignored_by: str | None = None
    limits: bool = False

    def sentence(self) -> str:
        """Return the modifier as a judge would say it."""
        text = f"{self.by:+d} {self.why}"
        return f"{text} (ignored: {self.ignored_by})" if self.ignored_by else text


@dataclass(frozen=True, slots=True)
class Replacement:
    """A replacement value: a number, halving or doubling. A locked one overrules everything else."""

    to: int | Factor
    why: str
    topic: str
    locked: bool = False
    ignored_by: str | None = None

    def applied_to(self, value: int) -> int:
        """Return the value after this replacement; halves are rounded up."""
        if self.to == "halve":
            return -(-value // 2)
        if self.to == "double":
            return 2 * value
        return self.to

    def sentence(self) -> str:
        """Return the replacement as a judge would say it."""
        done = {"halve": "halved", "double": "doubled"}.get(str(self.to), f"replaced by {self.to}")
        text = f"{done}{', locked' if self.locked else ''}: {self.why}"
        return f"{text} (ignored: {self.ignored_by})" if self.ignored_by else text


@dataclass(frozen=True, slots=True)
class Tally:
    """A current value: printed, replaced, modified. `total` is the sum of the parts that weren't ignored.

    `origin` holds the parts of `printed` if it isn't on a dial: dice, or a share of divided damage.
    """

    name: str
    printed: int
    replacements: tuple[Replacement, ...] = ()
    changes: tuple[Modifier, ...] = ()
    origin: Parts = ()

    @property
    def unmodified(self) -> int:
        """The value after its replacements and before its modifiers."""
        value = self.printed
        for replacement in self.replacements:
            if replacement.ignored_by is None:
                value = replacement.applied_to(value)
        return value

    @property
    def total(self) -> int:
        """The current value."""
        return self.unmodified + sum(change.by for change in self.changes if change.ignored_by is None)

    @property
    def parts(self) -> Parts:
        """The parts of the total, in the order in which they were applied."""
        found = list(self.origin or (Part("printed", self.printed, f"{self.name}, as printed", "combat-values"),))
        value = self.printed
        for one in self.replacements:
            replaced = one.applied_to(value)
            kind: PartKind = "halved" if one.to == "halve" else "doubled" if one.to == "double" else "replaced"
            why = f"{one.why} (locked)" if one.locked else one.why
            found.append(Part(kind, replaced - value, why, one.topic or None, one.ignored_by))
            if one.ignored_by is None:
                value = replaced
        for change in self.changes:
            sort: PartKind = "limited" if change.limits else "changed"
            found.append(Part(sort, change.by, change.why, change.topic or None, change.ignored_by))
        return tuple(found)

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics of all parts, each once, in order; a judge's changes have none."""
        named = [part.topic for part in self.replacements] + [part.topic for part in self.changes]
        return tuple(dict.fromkeys(topic for topic in named if topic))

    def sentences(self) -> list[str]:
        """Return the tally as a judge would say it, one sentence per part."""
        lines = [f"{self.name} {self.printed} as printed"]
        lines += [replacement.sentence() for replacement in self.replacements]
        lines += [change.sentence() for change in self.changes]
        if len(lines) > 1:
            lines.append(f"{self.name} {self.total}")
        return lines


def reckon(
    name: str,
    printed: int,
    replacements: Iterable[Replacement],
    changes: Iterable[Modifier],
    *,
    limit: int | None,
    numbers_first: bool,
    minimum: int | None,
    rule_of_three: str,
    rule_of_minimums: str,
) -> Tally:
    """Return the tally of a value: replace, then modify.

    A locked replacement overrules all others and every modifier. `numbers_first` applies replacements by a number
    before halving and doubling. `limit` is the maximum by which all modifiers together may change the value (the Rule
    of Three), `minimum` the lowest result; both show in the tally as modifiers of their own, citing the topics given
    last.
    """
    replaced = list(replacements)
    if numbers_first:
        replaced.sort(key=lambda replacement: isinstance(replacement.to, str))
    made = list(changes)
    locks = [replacement for replacement in replaced if replacement.locked]
    if locks:
        lock = locks[-1]
        replaced = [part if part is lock else replace(part, ignored_by=f"locked by {lock.why}") for part in replaced]
        made = [replace(change, ignored_by=f"locked by {lock.why}") for change in made]
    tally = Tally(name, printed, tuple(replaced), tuple(made))
    moved = tally.total - tally.unmodified
    kept = moved if limit is None else max(-limit, min(moved, limit))
    if kept != moved:
        why = f"Rule of Three: {moved:+d} counts as {kept:+d}"
        made.append(Modifier(kept - moved, why, rule_of_three, limits=True))
        tally = replace(tally, changes=tuple(made))
    if minimum is not None and tally.total < minimum:
        why = f"a value is never less than {minimum}"
        made.append(Modifier(minimum - tally.total, why, rule_of_minimums, limits=True))
        tally = replace(tally, changes=tuple(made))
    return tally


@dataclass(frozen=True, slots=True)
class ReasonedAnswer:
    """An answer of yes or no with its reasons, as a judge would give them, and the topics that cite them."""

    holds: bool
    because: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.holds


def yes(because: str, *topics: str) -> ReasonedAnswer:
    """Return yes with its reasons."""
    return ReasonedAnswer(True, (because,), topics)


def no(because: str, *topics: str) -> ReasonedAnswer:
    """Return no with its reasons."""
    return ReasonedAnswer(False, (because,), topics)
