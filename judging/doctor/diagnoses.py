"""Diagnoses, and how they are printed; needs no settings, because those may be what is wrong."""

from __future__ import annotations

import enum
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+")
HIDDEN = "…"
MIN_SECRET = 4
"""Shorter secrets aren't hidden: cutting them would spoil every sentence and protect nothing."""


class Level(enum.StrEnum):
    """The seriousness of a diagnosis. Only an error makes `doctor` end with exit status 1."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


SIGNS = {Level.OK: "✓", Level.WARNING: "!", Level.ERROR: "✗"}
PLAIN_SIGNS = {Level.OK: "ok", Level.WARNING: "!", Level.ERROR: "X"}
"""Marks for a terminal that can't show the others."""


@dataclass(frozen=True)
class Diagnosis:
    """A sentence about one part of the installation, and what to do about it."""

    about: str
    level: Level
    sentence: str
    advice: str = ""


Examination = Callable[[], Iterable[Diagnosis]]


def examined(about: str, examine: Examination) -> Iterator[Diagnosis]:
    """Yield what an examination finds; a fault in the examination is a diagnosis."""
    try:
        yield from examine()
    except Exception as fault:
        why = type(fault).__name__
        yield Diagnosis(about, Level.ERROR, f"This check failed ({why}).", "Report this as a fault in Headjudge.")


def without(secrets: Iterable[str], text: str) -> str:
    """Return the text in one line, without any of the secrets."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        if len(secret) >= MIN_SECRET:
            text = text.replace(secret, HIDDEN)
    return UNPRINTABLE.sub(" ", text)


def is_healthy(found: Iterable[Diagnosis]) -> bool:
    """Return whether no diagnosis is an error."""
    return all(one.level is not Level.ERROR for one in found)


def as_json(found: Iterable[Diagnosis], version: str) -> str:
    """Return the diagnoses as a JSON object."""
    found = list(found)
    told = [{"about": one.about, "level": one.level, "sentence": one.sentence, "advice": one.advice} for one in found]
    return json.dumps(
        {"headjudge": version, "healthy": is_healthy(found), "findings": told}, indent=1, ensure_ascii=False
    )


def as_text(found: Iterable[Diagnosis], encoding: str | None) -> str:
    """Return a line for each diagnosis, with what to do below it, and a summary, for a terminal of this encoding."""
    found = list(found)
    signs = SIGNS if _can_show("✓✗", encoding) else PLAIN_SIGNS
    width = max(map(len, signs.values()))
    lines = []
    for one in found:
        lines.append(f"{signs[one.level]:{width}} {one.about}: {one.sentence}")
        lines += [f"{'':{width}}   {one.advice}"] if one.advice else []
    levels = [one.level for one in found]
    errors, warnings = levels.count(Level.ERROR), levels.count(Level.WARNING)
    return "\n".join([*lines, "", f"{_number(errors, 'error')}, {_number(warnings, 'warning')}."])


def _number(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _can_show(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
