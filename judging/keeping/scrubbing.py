"""Removal of a person's names from plain values: texts, audit log changes, event files.

Pure, apart from inspecting the models' columns; `erasure` and `erasure_files` read and write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.crypto import salted_hmac

from events.models import Entry, Event, Force, Pod, Pool, PrizeDraft
from events.tournament import player_id
from judging.keeping import rows as graph

NAMING = frozenset({
    "name", "names", "one", "other", "opponent", "by", "who", "email", "phone", "club", "city", "experience", "judge",
    "raised_by_official", "ended_by", "claimed_by", "verified_by", "player", "players", "title", "label", "words", "message",
    "note", "text", "description", "question", "summary", "reason", "reasons", "suspension_reason", "decision_reason",
    "withdrawn_reason", "appeal", "final_text", "final_reasons", "taken_back_why", "departs_why", "against_reading",
    "reading_text", "by_token", "token",
})  # fmt: skip
"""Columns and document keys whose whole value may be a one-word name. Any other one-word value (a model, a state, a
criterion) is one of the site's own words, even if a person chose it as their name.
"""
THINGS = frozenset({"event", "venue", "hall", "force", "forces", "pools", "elements", "characters", "prize"})
"""Document keys under which names are those of things."""
PERSONAL = frozenset({"email", "phone", "club", "suspension_reason", "experience", "city", "decision_reason"})


def mark_of(email: str) -> str:
    """Return the hash by which an erased address is recognised; the address can't be recovered from it."""
    return salted_hmac("judging.erasure", email.strip().lower(), algorithm="sha256").hexdigest()


@dataclass(frozen=True)
class Erased:
    """The identity of an erased person: keys of rows, lower-case addresses, every name; `name` replaces them."""

    person: int
    volunteer: int | None
    entries: frozenset[int]
    emails: frozenset[str]
    words: tuple[str, ...]
    name: str

    def has(self, change: Mapping[str, Any]) -> bool:
        """Return whether an audit log change is of one of the person's own rows."""
        key = change["id"]
        return {
            "events.Person": key == self.person,
            "events.Entry": key in self.entries,
            "events.Volunteer": key == self.volunteer,
            "events.ClubMember": any(str(facts.get("email", "")).lower() in self.emails for facts in _sides(change)),
            "events.SeriesJoin": any(
                name in self.words for facts in _sides(change) for name in (facts.get("name"), facts.get("other"))
            ),
        }.get(change["model"], False)

    def is_concerned(self, entry: Any) -> bool:
        """Return whether an audit log entry is by the person, about them, or of a row that refers to them."""
        return (
            entry.by_person_id == self.person
            or entry.by_entry_id in self.entries
            or (entry.subject_model, entry.subject_id) in {("events.Person", self.person), ("events.Volunteer", self.volunteer)}
            or any(self.has(change) or self._points(change) for change in entry.changes)
        )  # fmt: skip

    def _points(self, change: Mapping[str, Any]) -> bool:
        return any(
            facts.get("person_id") == self.person
            or (self.volunteer is not None and facts.get("registered_volunteer_id") == self.volunteer)
            for facts in _sides(change)
        )


def _sides(change: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [change["before"] or {}, change["after"] or {}]


class PersonNames:
    """The names of a person in texts; longer names of other people that contain one are kept.

    A one-word name may be an ordinary word ("Will", "Round", "Table"). It is replaced only in the same case, not before
    a number ("Round 3"), and never in names of events, venues, figures and rules (`THINGS`, `is_of_things`).
    """

    def __init__(self, theirs: Iterable[str], instead: str, others: Iterable[str] = ()) -> None:
        self.instead = instead
        own = [name for name in theirs if len(name) > 2]
        found = self._words(own)
        self.kept = {
            name.casefold() for name in others if found.search(name) and name.casefold() not in map(str.casefold, own)
        }
        self.found = self._words([*own, *self.kept])
        self.found_in_things = self._words(name for name in (*own, *self.kept) if not _is_word(name))

    @staticmethod
    def _words(names: Iterable[str]) -> re.Pattern[str]:
        ordered = sorted(set(names), key=lambda name: (-len(name), name))
        each = [rf"{re.escape(name)}(?!\s+\d)" if _is_word(name) else f"(?i:{re.escape(name)})" for name in ordered]
        return re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)" if each else r"(?!)")

    def out_of(self, value: Any, key: str = "text", *, things: bool = False) -> Any:
        """Return a column's or document key's value with the person's names replaced in all its texts.

        `things`: its names are those of things, not people.
        """
        if isinstance(value, str):
            if key not in NAMING and not any(map(str.isspace, value)):
                return value
            found = self.found_in_things if things else self.found
            return found.sub(lambda one: one[0] if one[0].casefold() in self.kept else self.instead, value)
        if isinstance(value, list):
            return [self.out_of(one, key, things=things) for one in value]
        if isinstance(value, dict):
            return {name: self.out_of(one, name, things=things or name in THINGS) for name, one in value.items()}
        return value


def _is_word(name: str) -> bool:
    return "@" not in name and not any(map(str.isspace, name))


def is_of_things(model: type[models.Model], column: str) -> bool:
    """Return whether a column names things (the event, its rules, figures), not people."""
    return (
        model in (Event, Pool)
        or (model is Force and column != "name")
        or (model, column) in ((PrizeDraft, "pool"), (Pod, "picks"))
    )


def texts_of(model: type[models.Model]) -> list[models.Field]:
    """Return the columns of a model in which a person may be named."""
    return [
        column
        for column in graph.columns_of(model)
        if isinstance(column, (models.CharField, models.TextField, models.JSONField))
        and not column.choices
        and column.editable
        and not (model is Entry and column.name in ("name", "email"))
    ]


def emptied(change: dict[str, Any]) -> dict[str, Any]:
    """Return a change of a person's own row without personal data; the name has been replaced before."""
    kept = {
        side: facts and {key: "" if key in PERSONAL and value is not None else value for key, value in facts.items()}
        for side in ("before", "after")
        for facts in [change.get(side)]
    }
    return {**change, **kept}


def _number_in(change: dict[str, Any]) -> int | None:
    """Return the number of the changed entry; None if the change doesn't say, then it is emptied too."""
    return next((facts["number"] for facts in (change["before"], change["after"]) if facts and "number" in facts), None)


def out_of_event_file(document: dict[str, Any], numbers: set[int]) -> None:
    """Remove club, address and age of the players with these numbers from an event file, including its audit log."""
    for player in document["players"]:
        if player["id"] in numbers:
            player |= {"club": "", "email": None, "minor": False}
    for entry in document["record"]:
        entry["changes"] = [
            emptied(change) if change["model"] == "events.Entry" and _number_in(change) in numbers | {None} else change
            for change in entry["changes"] or []
        ]


def out_of_tournament(tournament: dict[str, Any], numbers: set[int]) -> None:
    """Remove the clubs of the players with these numbers from a round's tournament file."""
    for player in tournament.get("players", []):
        if player["id"] in {player_id(number) for number in numbers}:
            player.pop("club", None)


__all__ = [
    "PERSONAL",
    "Erased",
    "PersonNames",
    "emptied",
    "mark_of",
    "out_of_event_file",
    "out_of_tournament",
    "texts_of",
]
