"""The editions side by side: their options, checks, scenarios and powers, and each book's section on each topic.

Everything is read from the engine's own tables, docstrings and texts on powers; `edition_words` explains scenarios and
the members of tables. No rules and no database queries here.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from . import edition_words as words
from .engine import (
    CHECKS,
    EDITIONS,
    Citation,
    Edition,
    Question,
    power_text,
    questions,
    topic_kinds,
    topic_places,
    topics,
)
from .labels import labelled

OPTIONS: dict[str, Promise] = {
    "actions": gettext_lazy("Turns and actions"),
    "sentinels": gettext_lazy("Sentinels and captives"),
    "board": gettext_lazy("Board and adjacency"),
    "line_of_fire": gettext_lazy("Lines of fire"),
    "targets": gettext_lazy("Targets"),
    "combat": gettext_lazy("Attacks and damage"),
    "values": gettext_lazy("Values"),
    "movement": gettext_lazy("Movement"),
    "knock_back": gettext_lazy("Knock back"),
    "force": gettext_lazy("Forces"),
    "scoring": gettext_lazy("Winning"),
}
"""Option record of an edition → title of its chapter."""
CHAPTER_OF = {
    "force.least_actions": "actions",
    "force.most_actions": "actions",
    "rivalries": "scoring",
    "wild_cards": "team_abilities",
}
"""Options shown in another chapter than their record's."""
TABLES = {"force.checks", "scoring.scenarios"}
"""Options that are tables and have chapters of their own."""

NOT_IN_EVERY_BOOK = {"sentinels"}
"""Records about something that some books lack: a book without a section on an option has no answer."""


@dataclass(frozen=True, slots=True)
class EditionTold:
    """One edition's answer to a question, and its citation; `state` is yes, no, said or missing."""

    state: str
    text: str
    citation: Citation | None = None

    @property
    def compared(self) -> tuple[str, str]:
        """What is shown, by which answers are compared: rows that differ look different."""
        return self.state, self.text


@dataclass(frozen=True, slots=True)
class Row:
    """One question with the answers of the compared editions, by name; `topic` leads to the rulings about it."""

    key: str
    question: str
    told: Mapping[str, EditionTold]
    topic: str = ""

    def differs(self, editions: Iterable[str] | None = None) -> bool:
        """Return whether the answers of the editions, all or only these, differ."""
        return len({self.told[name].compared for name in (self.told if editions is None else editions)}) > 1


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the comparison: its name in addresses, its title and its rows."""

    name: str
    title: str
    rows: tuple[Row, ...]

    @property
    def differing(self) -> tuple[Row, ...]:
        """The rows in which the answers differ."""
        return tuple(row for row in self.rows if row.differs())


def compare(editions: Sequence[Edition] | None = None) -> tuple[Chapter, ...]:
    """Return all chapters for these editions (by default all five), without empty ones."""
    chosen = tuple(editions) if editions is not None else tuple(EDITIONS.values())
    asked: dict[str, list[Row]] = {name: [] for name in OPTIONS}
    asked["team_abilities"] = []
    for key, find in option_keys().items():
        chapter = CHAPTER_OF.get(key, key.split(".")[0])
        asked.setdefault(chapter, []).append(_option_row(key, find, chosen))
    chapters = [Chapter(name.replace("_", "-"), str(title), tuple(asked[name])) for name, title in OPTIONS.items()]
    chapters += [
        Chapter("checks", _("Force checks"), tuple(_check_rows(chosen))),
        Chapter("scenarios", topic_kinds()["scenario"], tuple(_scenario_rows(chosen))),
        Chapter("powers", topic_kinds()["power"], tuple(_power_rows(chosen, "powers"))),
        Chapter(
            "team-abilities",
            topic_kinds()["team-ability"],
            (*_power_rows(chosen, "team_abilities"), *asked["team_abilities"]),
        ),
        Chapter("inherent", _("Abilities that aren't powers"), tuple(_power_rows(chosen, "inherent"))),
        Chapter("symbols", _("Effects of combat symbols"), tuple(_power_rows(chosen, "symbol_abilities"))),
        Chapter("places", _("Section in each book"), tuple(_place_rows(chosen))),
    ]
    return tuple(chapter for chapter in chapters if chapter.rows)


def rows_about(topic: str) -> tuple[Row, ...]:
    """Return the answers of all five editions to the questions about a topic, those that differ first."""
    found = [row for row in _all_rows(get_language() or "") if row.topic == topic]
    return tuple(sorted(found, key=lambda row: not row.differs()))


@cache
def _all_rows(language: str) -> tuple[Row, ...]:
    """Return the rows of all chapters except the sections on each topic, in the language of the page."""
    return tuple(row for chapter in compare() if chapter.name != "places" for row in chapter.rows)


def option_keys() -> dict[str, Callable[[Edition], Any]]:
    """Return every option of an edition except tables, as `record.field`, with a function that gets it."""
    keys: dict[str, Callable[[Edition], Any]] = {}
    sample = next(iter(EDITIONS.values()))
    for record in [name for name in OPTIONS if hasattr(sample, name)]:
        for field in dataclasses.fields(getattr(sample, record)):
            if f"{record}.{field.name}" not in TABLES:
                keys[f"{record}.{field.name}"] = _finds(record, field.name)
    for single in ("rivalries", "wild_cards"):
        keys[single] = _finds(single)
    return keys


def _finds(*path: str) -> Callable[[Edition], Any]:
    def find(edition: Edition) -> Any:
        found: Any = edition
        for name in path:
            found = getattr(found, name)
        return found

    return find


def _option_row(key: str, find: Callable[[Edition], Any], chosen: Sequence[Edition]) -> Row:
    question = questions().get(key) or Question(key.rpartition(".")[2].replace("_", " "))
    told = {}
    for edition in chosen:
        place = _cite(edition, question.topics)
        if place is None and key.partition(".")[0] in NOT_IN_EVERY_BOOK:
            told[edition.name] = _missing()
            continue
        state, text = _answer(find(edition), question)
        told[edition.name] = EditionTold(state, text, place)
    topic = next((name for name in question.topics if any(_cite(one, (name,)) for one in chosen)), "")
    return Row(key, _(question.text), told, topic)


def _answer(value: Any, question: Question) -> tuple[str, str]:
    """Return an option's answer as a state and words, never in Python's notation."""
    if isinstance(value, bool):
        return ("yes", _("yes")) if value else ("no", _("no"))
    if isinstance(value, Mapping):
        parts = [labelled(_word(key), _held(held)) for key, held in value.items()]
        return "said", "; ".join(parts) or str(words.NOTHING)
    worded = question.worded(value)
    if worded is not None:
        return "said", _(worded)
    if callable(value):
        return "said", _first_line(value)
    if isinstance(value, frozenset):
        return "said", _joined(value, question)
    if value is None:
        return "said", str(words.NONE)
    return "said", str(value) if isinstance(value, int) else _word(value)


def _held(held: Any) -> str:
    """Return the words for one entry of a table: a set, or the squares and the damage of a thrown object."""
    if isinstance(held, tuple):
        squares, damage = held
        return _("%(squares)s squares, %(damage)s damage") % {"squares": squares, "damage": damage}
    return _joined(held)


def _joined(values: Iterable[Any], question: Question | None = None) -> str:
    """Return a set's members in words, in the order of the word lists, others alphabetically."""
    members = list(values)
    if words.OBJECTS.issuperset(members) and len(members) == len(words.OBJECTS):
        return str(words.ANY_OBJECT)
    order: dict[Any, int] = {}
    for name in (*words.SIZES, *words.PAST, *words.SORTS, *CHECKS):
        order.setdefault(name, len(order))
    members.sort(key=lambda one: (order.get(one, len(order)), str(one)))
    return ", ".join(_word(one, question) for one in members) or str(words.NONE)


def _word(value: Any, question: Question | None = None) -> str:
    worded = question.worded(value) if question is not None else None
    if worded is not None:
        return _(worded)
    if isinstance(value, int):
        return str(words.SIZES[value]) if value in words.SIZES else str(value)
    for named in (words.PAST, words.SORTS):
        if value in named:
            return str(named[value])
    return _(CHECKS[value].question) if value in CHECKS else str(value)


def _first_line(procedure: Callable[..., Any]) -> str:
    return (inspect.getdoc(procedure) or procedure.__name__.replace("_", " ")).splitlines()[0]


def _cite(edition: Edition, named: Iterable[str]) -> Citation | None:
    """Return the book's citation for the first of the topics that it covers."""
    return next(iter(edition.cite(named)), None)


def _missing() -> EditionTold:
    return EditionTold("missing", _("not in this edition"))


def _check_rows(chosen: Sequence[Edition]) -> Iterator[Row]:
    for rule in _all_of({check.name: check for check in edition.force.checks} for edition in EDITIONS.values()):
        told = {}
        for edition in chosen:
            check = next((check for check in edition.force.checks if check.name == rule), None)
            if check is None:
                told[edition.name] = _missing()
                continue
            said = [_("warning only")] if rule in edition.force.warnings else [_("checked")]
            if check.variant:
                said.append(_(check.variant))
            told[edition.name] = EditionTold(
                "yes", ": ".join(said), _cite(edition, (check.topic, "force-construction"))
            )
        row = CHECKS[rule]
        yield Row(rule, _(row.question), told, _known(row.topic, chosen))


def _scenario_rows(chosen: Sequence[Edition]) -> Iterator[Row]:
    for name in _all_of(edition.scoring.scenarios for edition in EDITIONS.values()):
        told = {}
        for edition in chosen:
            play = edition.scoring.scenarios.get(name)
            if play is None:
                told[edition.name] = _missing()
            else:
                said = words.SCENARIOS.get(play.__name__)
                text = str(said) if said is not None else _first_line(play)
                told[edition.name] = EditionTold("said", text, _cite(edition, (name, "scenario")))
        title = topics()[name].title if name in topics() else _("The organiser's own scenario")
        yield Row(name, title, told, _known(name, chosen))


def _power_rows(chosen: Sequence[Edition], table: str) -> Iterator[Row]:
    for name in sorted(_all_of(getattr(edition, table) for edition in EDITIONS.values()), key=str.casefold):
        told = {}
        topic = ""
        for edition in chosen:
            power = getattr(edition, table).get(name)
            if power is None:
                told[edition.name] = _missing()
                continue
            told[edition.name] = EditionTold("yes", _power_in_short(edition, power), _cite(edition, (power.topic,)))
            topic = topic or power.topic
        rows_title = str(words.SYMBOLS.get(name, name)) if table == "symbol_abilities" else name
        yield Row(name, rows_title, told, topic)


def _power_in_short(edition: Edition, power: Any) -> str:
    """Return the first sentence on a power in an edition, and the action that it asks for."""
    return _("%(does)s Action: %(action)s.") % {
        "does": power_text(edition.name, power.name).does.text,
        "action": words.asks_for(power),
    }


def _place_rows(chosen: Sequence[Edition]) -> Iterator[Row]:
    for topic in topics().values():
        told = {}
        for edition in chosen:
            place = topic_places(edition.name).get(topic.name)
            told[edition.name] = EditionTold("yes", _("covered"), place) if place is not None else _missing()
        if any(one.citation is not None for one in told.values()):
            yield Row(topic.name, topic.title, told, topic.name)


def _known(topic: str, chosen: Sequence[Edition]) -> str:
    return topic if topic in topics() and any(edition.cite((topic,)) for edition in chosen) else ""


def _all_of(tables: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the keys of all tables, each once, in the order of first appearance."""
    return list(dict.fromkeys(key for table in tables for key in table))
