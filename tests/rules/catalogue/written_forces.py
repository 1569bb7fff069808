"""A generated catalogue, and forces of its elements written in ten styles, with what each line means."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from rules.services.catalogue import NewElement, catalogue_elements, record_set

FIRST = (
    "Brine", "Copper", "Iron", "Night", "Laughing", "Doctor", "Mr.", "Captain", "Spider-", "X-", "Star", "The", "Agent",
    "Kid", "Black", "Silver", "Él", "Madame", "Weapon", "Old",
)  # fmt: skip
LAST = (
    "Ghoul", "Man", "Heron", "Jack", "Fenwick", "Widow", "Lantern", "Wolf", "2099", "X", "13", "Lord", "of Rust", "Twins",
    "O'Hara", "Crow", "Mark II", "& Son", "Girl", "23",
)  # fmt: skip
SETS = {
    "svc": "Silver City", "avas": "Avalon Assembled", "an": "Arkham Nights", "brass-harbour": "Brass Harbour",
    "xm2": "Mutants 2", "hgpc": "Hypogeum", "st": "Shattered Tides", "b": "Book One",
}  # fmt: skip
RANKS = ("rookie", "experienced", "veteran")


@dataclass(frozen=True)
class Known:
    """An element of the catalogue as a player knows it."""

    code: str
    set: str
    number: str
    name: str
    options: tuple[int, ...]
    section: str
    rank: str


@dataclass(frozen=True)
class Meant:
    """What a written line means."""

    code: str
    count: int
    points: int | None
    sideline: bool = False


def generated_catalogue(seed: int) -> list[Known]:
    """Create eight sets of figures, feats, objects and resources; many names appear in several sets and ranks."""
    draw = random.Random(seed)
    known, made = [], []
    for code, name in SETS.items():
        record_set(code=code, name=name)
        number = 0
        for _each in range(40):
            called = " ".join((draw.choice(FIRST), draw.choice(LAST))).replace("- ", "-")
            ranks = RANKS if draw.random() < 0.1 else ("common",)
            for rank in ranks:
                number += 1
                options = tuple(sorted(draw.sample(range(15, 250), draw.choice((1, 1, 1, 2, 3))), reverse=True))
                printed = f"{draw.choice(('', '', '', '', 'DC24-'))}{number:03}{draw.choice(('', '', '', '', 'a'))}"
                facts = {"name": called, "number": printed, "points": options[0], "rank": rank}
                facts |= {"point_options": list(options)} if len(options) > 1 else {}
                made.append(NewElement(code, "characters", facts))
                known.append(Known(made[-1].own_code, code, printed, called, options, "characters", rank))
        for section, letter in (("feats", "F"), ("objects", "S"), ("resources", "R"), ("other", "E")):
            for place in range(1, 5):
                called, points = f"{draw.choice(FIRST)} {section[:-1]} {place}{code}".replace("- ", "-"), 5 * place
                facts = {"name": called, "number": f"{letter}{place:03}", "points": points}
                facts |= (
                    {"kind": {"objects": "heavy", "other": "equipment"}[section]}
                    if section in ("objects", "other")
                    else {}
                )
                made.append(NewElement(code, section, facts))
                known.append(Known(made[-1].own_code, code, facts["number"], called, (points,), section, ""))
    catalogue_elements(elements=made)
    return known


def _named(one: Known, known: list[Known]) -> str:
    """Return the name as a player writes it who knows that others have it, too: with the set, or the set and number."""
    same = [other for other in known if other.name == one.name]
    if len(same) == 1:
        return one.name
    if sum(other.set == one.set for other in same) == 1:
        return f"{one.name} ({one.set.upper()})"
    return f"{one.name} ({one.set} {one.number})"


def _times(n: int, words: str = "{}x ") -> str:
    return words.format(n) if n > 1 else ""


STYLES: dict[str, Callable[[Known, str, int, int], str]] = {
    "2x Name": lambda one, name, n, pts: f"{_times(n)}{name} {pts}",
    "Name x2": lambda one, name, n, pts: f"- {name}{_times(n, ' x{}')}",
    "(2) Name @ pts": lambda one, name, n, pts: f"({n}) {name} @ {pts} pts",
    "1. Name - pts": lambda one, name, n, pts: f"{one.options[0] % 9}. {name} - {pts}pts{_times(n, ' x{}')}",
    "pts: Name": lambda one, name, n, pts: f"{pts}: {name}{_times(n, ' (x{})')}",
    "svc012": lambda one, name, n, pts: f"{_times(n, '{} x ')}{one.set}{one.number}",
    "SVC-012 pts": lambda one, name, n, pts: f"{_times(n)}{one.set.upper()}-{one.number} {pts}",
    "#012 svc Name": lambda one, name, n, pts: f"{_times(n)}#{one.number} {one.set} {one.name.lower()}",
    "Name (SVC 012)": lambda one, name, n, pts: (
        f"• {one.name} ({one.set.upper()} {one.number}) – {pts} points{_times(n, ' ×{}')}"
    ),
    "sheet": lambda one, name, n, pts: "\t".join((one.set, one.number, one.name, f"{pts}{_times(n, ' x{}')}")),
}
SAYS_POINTS = frozenset(STYLES) - {"Name x2", "svc012", "#012 svc Name"}
HEADINGS = {
    "characters": "Figures:", "feats": "Feats", "objects": "== Objects ==", "resources": "Resource:", "other": "Equipment (1)",
}  # fmt: skip


def written_list(draw: random.Random, style: str, known: list[Known]) -> tuple[str, dict[int, Meant]]:
    """Return a list in this style, and what each of its lines (from 1) means; headings and totals mean nothing."""
    picked = sorted(draw.sample(known, draw.randint(4, 12)), key=lambda one: list(HEADINGS).index(one.section))
    lines, meant, section = [draw.choice(("My force:", "Team: 300", "Build total: 300 points")), ""], {}, ""
    for one in picked:
        if one.section != section:
            section = one.section
            lines += [draw.choice(("", "---")), HEADINGS[section]]
        count, points = draw.choice((1, 1, 1, 2, 3)), draw.choice(one.options)
        lines.append(STYLES[style](one, _named(one, known), count, points))
        meant[len(lines)] = Meant(one.code, count, points if style in SAYS_POINTS else None)
    beside = draw.choice([one for one in known if one.section == "characters"])
    lines += ["", "Sideline", STYLES[style](beside, _named(beside, known), 1, beside.options[-1])]
    meant[len(lines)] = Meant(beside.code, 1, beside.options[-1] if style in SAYS_POINTS else None, sideline=True)
    return "\n".join([*lines, draw.choice(("Total: 300", "300/300", "= 295 pts"))]), meant
