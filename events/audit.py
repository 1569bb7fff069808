"""How the audit log stores and words its entries: a sentence's name and facts, readable in any language.

A verb calls `writing.says("entered", name=…, state=…)`. `SENTENCES` holds the sentence of that name, in which each
placeholder is a fact, worded by its kind: a round by its name, a choice by its label. Never change a sentence's
meaning, because stored entries refer to it. Entries from older versions have the whole sentence in `summary`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import formats
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.labels import labelled

from .actions import ACTIONS
from .eligibility import until_words
from .results.reading import ResultTerms
from .results.result import from_json
from .results.words import compare, round_name, sentence, stage_name, the_round

Facts = Mapping[str, Any]
Kind = Callable[[Any, Facts], object]
"""A function that words a fact; its second argument holds all facts of the entry."""
MAX_LENGTH = 300
BRACKETS = tuple(2**rounds for rounds in range(1, 12))
"""The sizes of brackets whose rounds a search finds by name."""
CLAIMED_BY = "claimed_by"
"""The fact naming who acted, as an unsigned file claims."""
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")
FORGED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What invalid facts can raise, for instance those of an edited file."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of the audit log. `where` precedes it; `more` has clauses for optional facts."""

    text: Any
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    where: Any = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def words(self, facts: Facts) -> str:
        """Return the sentence in the current language. Raise one of `FORGED` if a fact is missing or invalid."""
        values = _Worded(facts, self.kinds)
        told = str(self.text % values)
        if self.where is not None:
            values["sentence"] = told
            told = str(self.where % values)
        for name, clause in self.more.items():
            if facts.get(name):
                told = f"{told}. {clause % values}"
        return told

    def constant_words(self) -> str:
        """Return the sentence's text without its facts, in the current language and lower case."""
        parts = [self.text, self.where or "", *self.more.values()]
        said = " ".join(str(part % _Unknown(self.kinds)) for part in parts)
        return said.casefold()

    def choices(self, said: str) -> dict[str, list[Any]]:
        """Return, by fact, the values whose label contains this text (lower case)."""
        found = {}
        for fact, kind in self.kinds.items():
            if isinstance(kind, Choice):
                found[fact] = [value for value, label in kind.labels().items() if said in label.casefold()]
        return {fact: values for fact, values in found.items() if values}


class _Worded(dict[str, Any]):
    """An entry's facts, each worded when the sentence formats it."""

    def __init__(self, facts: Facts, kinds: Mapping[str, Kind]) -> None:
        super().__init__()
        self.facts, self.kinds = facts, kinds

    def __missing__(self, name: str) -> object:
        kind = self.kinds.get(name) or KINDS.get(name)
        value = self.facts[name]
        return kind(value, self.facts) if kind is not None else value


class _Unknown(dict[str, Any]):
    """Substitute for missing facts: a round is "Round 0", everything else 0."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        super().__init__()
        self.kinds = kinds

    def __missing__(self, name: str) -> object:
        return as_round(0, {}) if (self.kinds.get(name) or KINDS.get(name)) is as_round else 0


# kinds of facts


def as_round(round: Any, _facts: Facts) -> str:
    """Word a round, stored by `round_fact`; older entries have its number even in a bracket."""
    return round_name(*_number_and_size(round))


def as_the_round(round: Any, _facts: Facts) -> str:
    """Word a round after a preposition."""
    return the_round(*_number_and_size(round))


def _number_and_size(round: Any) -> tuple[int, int | None]:
    return (round["number"], round["bracket_size"]) if isinstance(round, Mapping) else (round, None)


def as_number(number: Any, _facts: Facts) -> int:
    """Return a number unchanged, where other sentences word a fact of this name."""
    return int(number)


def as_list(names: Any, _facts: Facts) -> str:
    """Word names as a list."""
    return ", ".join(map(str, names))


def as_tables(tables: Any, _facts: Facts) -> str:
    """Word table numbers as a list after the noun."""
    return ngettext("table %(tables)s", "tables %(tables)s", len(tables)) % {"tables": tables_in_words(tables)}


def as_minutes(minutes: Any, _facts: Facts) -> str:
    """Word a number of minutes."""
    return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}


def as_until(day: Any, _facts: Facts) -> str:
    """Word the last day of a suspension."""
    return until_words(datetime.date.fromisoformat(day))


def as_day(day: Any, _facts: Facts) -> str:
    """Word a date with its weekday."""
    return formats.date_format(datetime.date.fromisoformat(day), "l j F Y")


def as_moment(moment: Any, _facts: Facts) -> str:
    """Word a date and time, stored in the venue's zone."""
    try:
        return formats.date_format(datetime.datetime.fromisoformat(moment), "l j F Y, H:i")
    except ValueError:  # an entry of an older version has its words
        return str(moment)


def as_result(result: Any, facts: Facts) -> str:
    """Word the result of a match between the players in `names`."""
    return sentence(from_json(result), _terms(facts))


def as_correction(before: Any, facts: Facts) -> str:
    """Word what happened to a corrected result."""
    terms = _terms(facts)
    was, now = from_json(before), from_json(facts["result"])
    changed = [labelled(line.what, f"{line.other} → {line.one}") for line in compare(now, was, terms)]
    return "; ".join(changed) or sentence(was, terms)


def _terms(facts: Facts) -> ResultTerms:
    name_a, name_b, *further = facts["names"]
    return ResultTerms(edition="", build_total=0, name_a=name_a, name_b=name_b, further=tuple(further))


def as_told(told: Any, _facts: Facts) -> str:
    """Word another entry, stored by `told`."""
    return words(told.get("verb", ""), told.get("sentence", ""), told.get("facts", {}), told.get("summary", ""))


@dataclass(frozen=True)
class Choice:
    """A kind that words a value by its label in the choices of a model field."""

    model: str
    column: str

    def labels(self) -> dict[Any, str]:
        """Return the label of each value."""
        column = apps.get_model(self.model)._meta.get_field(self.column)
        return {value: str(label) for value, label in getattr(column, "flatchoices", ())}

    def __call__(self, value: Any, _facts: Facts) -> str:
        """Word a value."""
        return self.labels().get(value, str(value))


def as_rule(name: Any, _facts: Facts) -> str:
    """Word a rule of the sanctioning policy by its title."""
    from .policy import RULES

    return str(RULES[name].title) if name in RULES else str(name)


KINDS: dict[str, Kind] = {
    "names": as_list,
    "result": as_result,
    "role": Choice("events.Official", "role"),
    "round": as_round,
    "rule": as_rule,
}
"""Default kinds of facts by name; a sentence's own `kinds` take precedence."""
SENTENCES: dict[str, Sentence] = {}
"""Sentences by name; each app adds its own (`audit_sentences`)."""


def tables_in_words(tables: Sequence[int | None]) -> str:
    """Return table numbers as a list in words: "3, 7 and 12"."""
    shown = [str(table) for table in tables if table is not None]
    if len(shown) < 2:
        return "".join(shown)
    return _("%(most)s and %(last)s") % {"most": ", ".join(shown[:-1]), "last": shown[-1]}


# writing and reading


def kept(name: str, facts: Facts) -> dict[str, Any]:
    """Return a sentence's facts as plain, untranslated values. Raise if the sentence can't be worded from them."""
    made = {fact: _plain(value) for fact, value in facts.items()}
    SENTENCES[name].words(made)
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, models.Model):
        return round_fact(value) if value._meta.model_name == "round" else str(value)
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, Promise):
        raise TypeError("a fact has no language")
    return value


def round_fact(round: Any) -> int | dict[str, int]:
    """Return a round as a fact: its number; in a bracket, with the bracket's size."""
    if round.bracket_size is None:
        return round.number
    return {"number": round.number, "bracket_size": round.bracket_size}


def told(entry: Any) -> dict[str, Any]:
    """Return what an entry says as a fact for another entry."""
    if entry.summary:
        return {"summary": entry.summary}
    return {"verb": entry.verb, "sentence": entry.sentence, "facts": entry.facts}


def words(verb: str, name: str, facts: Facts, summary: str = "") -> str:
    """Return an entry's sentence in the current language, or the verb's label if the entry has none."""
    if summary:
        return summary
    try:
        said = SENTENCES[name].words(facts) if name else _label(verb)
        if claimed := facts.get(CLAIMED_BY):
            said = labelled(claimed, said)
    except FORGED:
        said = _label(verb)
    return said[:MAX_LENGTH]


def _label(verb: str) -> str:
    return str(ACTIONS[verb].label) if verb in ACTIONS else verb


def saying(entries: QuerySet, text: str) -> QuerySet:
    """Return the entries that match every word of a text, in their sentence, reason or author."""
    entries = entries.annotate(facts_as_text=Cast("facts", TextField()))
    for word in text.split():
        said = word.casefold()
        found = [name for name, one in SENTENCES.items() if said in one.constant_words()]
        verbs = [verb for verb, row in ACTIONS.items() if said in str(row.label).casefold()]
        asked = Q(sentence__in=found) | Q(sentence="", summary="", verb__in=verbs)
        for column in ("facts_as_text", "summary", "reason", "by_person__name", "by_entry__name"):
            asked |= Q(**{f"{column}__icontains": word})
        stages = [size for size in BRACKETS if said in stage_name(size).casefold()]
        asked |= Q(facts__round__bracket_size__in=stages)
        for name, one in SENTENCES.items():
            for fact, values in one.choices(said).items():
                asked |= Q(sentence=name, **{f"facts__{fact}__in": values})
        entries = entries.filter(asked)
    return entries


def naming(entries: QuerySet, names: Sequence[str]) -> QuerySet:
    """Return the entries that mention one of these names in their facts, old sentence or reason."""
    asked = Q(pk__in=[])
    for name in names:
        asked |= Q(summary__icontains=name) | Q(reason__icontains=name) | Q(facts_as_text__icontains=name)
    return entries.annotate(facts_as_text=Cast("facts", TextField())).filter(asked)


__all__ = [
    "CLAIMED_BY", "FORGED", "SENTENCES", "Choice", "Sentence", "as_correction", "as_day", "as_list", "as_minutes", "as_moment",
    "as_number", "as_result", "as_round", "as_tables", "as_the_round", "as_told", "kept", "naming", "round_fact", "saying",
    "tables_in_words", "told", "words",
]  # fmt: skip
