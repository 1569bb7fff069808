"""The rulings of the five books, found by the facts of a case, by topic, by figure or by text.

They are data (`texts/rulings`): each in our own words, with its topics (`topics`), the conditions under which it
applies to a case (`when`), and the place, authority and date it rests on. A book's rulings are read once, on first use.
No rule is decided here.
"""

from __future__ import annotations

import datetime
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rules.engine.citations import Authority, Citation, Ruling, RulingStanding
from rules.engine.met import Met

from .sources import TEXTS, read_topics

LIMIT = 12
MAX_SHARED = 2
NOT_URGENT = (1, 0, 0, 0)
"""How many topics name the rulings that are folded into one line."""
REQUIRED = frozenset({"id", "text", "topics", "authority", "section"})
"""The keys that every ruling has."""
OPTIONAL = frozenset(
    {"when", "line", "date", "note", "standing", "decides", "example", "figures", "disagrees_with", "exception_to"}
)

COMMON = frozenset(
    {
        "action-tokens",
        "actions",
        "adjacency",
        "attack",
        "close-combat",
        "damage",
        "line-of-fire",
        "movement",
        "range",
        "ranged-combat",
        "targeting",
        "turn",
    }
)
USUAL = COMMON | {
    "beside-opponent",
    "crosses-blocking",
    "crosses-figure",
    "different-levels",
    "places-markers",
    "several-hit",
    "targets-other",
}
"""Topics and facts (`Met`) that many actions meet."""
ACTIONS = frozenset(
    {"move-action", "close-combat-action", "ranged-combat-action", "power-action", "free-action", "costed-actions"}
)
GENERAL = COMMON | ACTIONS | {Met.TARGETS_OTHER, Met.PLACES_MARKERS, Met.FIRST_ROLL}
"""Topics and facts that only say which kind of action it is, and facts that some powers always meet."""
STOPPED = frozenset({"step:illegal", "awaits:"})
"""An action that was refused, or that waits for a roll or choice."""
CRITICAL = frozenset({"critical-hit", "critical-miss"})
BY_NAME = MappingProxyType({one.value: one for one in Met})
FACTS = frozenset(one.value for one in Met) - GENERAL - {Met.SEVERAL_HIT}
"""Facts that another use of the same power wouldn't meet."""
AUTHORITY_WEIGHT = MappingProxyType(
    {
        Authority.POLICY: 6,
        Authority.CORRECTION: 5,
        Authority.FAQ: 4,
        Authority.CHAPEAU: 3,
        Authority.MAGISTER: 2,
        Authority.STEENBOCK: 1,
        Authority.RULEBOOK: 0,
    }
)
ARBITRATORS = frozenset({Authority.CHAPEAU, Authority.MAGISTER, Authority.STEENBOCK})
STANDING_WEIGHT = MappingProxyType(
    {RulingStanding.PUBLISHED: 2, RulingStanding.ARBITRATOR: 2, RulingStanding.CLARIFICATION: 1}
)


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic, the key that connects code, citations and rulings: its name, title and kind."""

    name: str
    title: str
    kind: str


def rulings(edition: str) -> tuple[Ruling, ...]:
    """Return all rulings of an edition's book, in book order. Raises KeyError for an unknown edition."""
    return tuple(_book(edition).values())


def ruling(edition: str, name: str) -> Ruling | None:
    """Return the ruling with that id, or None."""
    return _book(edition).get(name)


@cache
def topics() -> Mapping[str, Topic]:
    """Return all topics: name → title and kind, grouped by kind."""
    written = tomllib.loads((TEXTS / "topics.toml").read_text(encoding="utf-8"))
    return MappingProxyType(
        {name: Topic(name, title, kind) for kind, named in written["topics"].items() for name, title in named.items()}
    )


@cache
def topic_kinds() -> Mapping[str, str]:
    """Return the kinds of topics and their titles, in page order."""
    return MappingProxyType(tomllib.loads((TEXTS / "topics.toml").read_text(encoding="utf-8"))["kinds"])


@cache
def topic_places(edition: str) -> Mapping[str, Citation]:
    """Return the section of the edition's book on each topic."""
    return read_topics(edition)


def find_rulings(
    edition: str,
    *,
    stages: Iterable[Iterable[frozenset[str]]] | None = None,
    topics: Iterable[str] = (),
    figure: str = "",
    limit: int | None = LIMIT,
) -> tuple[Ruling, ...]:
    """Return the rulings that apply to a case, most relevant first, at most `limit` of them (None: all).

    - `stages`: the facts met, one set per attack (earlier first) and character; only rulings whose conditions all hold
      within one set.
    - `topics`: rulings about any of these, those about most of them first.
    - `figure`: rulings whose text names this figure.

    Several arguments are combined with "and". With `stages`, more specific rulings come first: those with more
    conditions, then rules before examples, then those with more of their topics met. After that later and higher
    authorities come first; a ruling always precedes one that it disagrees with.
    """
    asked = frozenset(topics)
    name = f" {_plain(figure)} " if figure else ""
    found: Iterable[Ruling]
    found = _book(edition).values() if stages is None else _by_position(edition, stages)
    if asked or name:
        found = [
            one for one in found if (not asked or not asked.isdisjoint(one.topics)) and name in f" {_plain(one.text)} "
        ]
    if stages is None:
        found = _followed_first(sorted(found, key=lambda one: (_about(one, asked), *_rank(one), len(one.topics))))
    return tuple(found)[:limit]


def _about(one: Ruling, asked: frozenset[str]) -> int:
    """Return a sort key: how much of what was asked a ruling is about, most first."""
    return -len(asked.intersection(one.topics))


def _by_position(edition: str, stages: Iterable[Iterable[frozenset[str]]]) -> tuple[Ruling, ...]:
    """Return all rulings that apply to the facts met, most relevant first."""
    asked = _asked_for(edition)
    return _bearing(edition, tuple(frozenset(asked & met for met in cases) for cases in stages))


@cache
def _asked_for(edition: str) -> frozenset[str]:
    """Return every topic that the edition's rulings are about, and every fact in their conditions."""
    book = _book(edition).values()
    return frozenset(topic for one in book for topic in one.topics).union(
        STOPPED,
        (f"note:{topic}" for one in book for topic in one.topics),
        (f"illegal:{topic}" for topic in topics()),
        *(group for one in book for group in one.when),
        *(one.decides for one in book if one.decides is not None),
    )


@lru_cache(maxsize=4096)
def _bearing(edition: str, stages: tuple[frozenset[frozenset[str]], ...]) -> tuple[Ruling, ...]:
    """Return all rulings that apply to any of these stages, with their weight, most relevant first.

    Cached, because battles meet the same facts again. A ruling that takes precedence over a decisive one is decisive
    too. None decides a case that an exception to it decides.
    """
    book = _book(edition).values()
    ranked: list[tuple[tuple[int, ...], Ruling]] = []
    for one in book:
        exceptions = [other for other in book if one.id in other.exception_to]
        here = [(place, met) for place, cases in enumerate(stages) for met in cases if one.applies(met)]
        urgency = [(_urgency(one, met, place, exceptions), met) for place, met in here]
        found = [(*key, *_specific(one, met, decides=not key[0])) for key, met in urgency]
        if found:
            best = min(found)
            weighed = replace(one, weight="background" if best[0] else "decides")
            ranked.append(((*best, *_rank(one)), weighed))
    ranked.sort(key=lambda pair: pair[0])
    placed = _followed_first(one for _, one in ranked)
    last = max((place for place, one in enumerate(placed) if one.weight == "decides"), default=0)
    return tuple(replace(one, weight="decides") if place < last else one for place, one in enumerate(placed))


def _urgency(
    one: Ruling, met: frozenset[str], place: int, exceptions: Collection[Ruling] = ()
) -> tuple[int, int, int, int]:
    """Return a sort key: how decisive a ruling is for one case.

    Whether it decides it, whether that case was refused, waits for a roll or choice, or has a note about one of its
    topics, how many of the case's facts its conditions name, how late it came.
    """
    facts = [_fact(group, met) for group in one.when]
    decides = 2 in facts or facts.count(1) > 1 if one.decides is None else not one.decides.isdisjoint(met)
    excepted = any(other.applies(met) and _urgency(other, met, place) != NOT_URGENT for other in exceptions)
    if not decides or excepted or _beside_the_refusal(one, met):
        return NOT_URGENT
    noted = any(f"note:{topic}" in met for topic in one.topics if topic not in GENERAL)
    return 0, -(noted or not STOPPED.isdisjoint(met)), -sum(map(bool, facts)), -place


def _beside_the_refusal(one: Ruling, met: frozenset[str]) -> bool:
    """Return whether an action was refused for a reason on which none of a ruling's deciding facts bears."""
    refused = frozenset(fact.removeprefix("illegal:") for fact in met if fact.startswith("illegal:"))
    return bool(refused) and not _turns_on(one, met, refused)


def _turns_on(one: Ruling, met: frozenset[str], refused: frozenset[str]) -> bool:
    """Return whether what a ruling decides by, facts or else topics, bears on a refusal about these topics."""
    if one.decides is not None:
        return any(_explains(fact, refused) for fact in one.decides & met)
    conditions = [group & met for group in one.when]
    weighed = [(_fact(needs, met), any(_explains(need, refused) for need in needs)) for needs in conditions]
    most = max((weight for weight, _ in weighed), default=0)
    asked = most < 2 and any(need.startswith("illegal:") for needs in conditions for need in needs)
    return asked or all(explained for weight, explained in weighed if weight == most)


def _explains(fact: str, refused: frozenset[str]) -> bool:
    """Return whether a fact or topic bears on a refusal about these topics."""
    if fact in BY_NAME:
        explains = BY_NAME[fact].explains
        return explains is None or not explains.isdisjoint(refused)
    kind, _, topic = fact.rpartition(":")
    return kind in ("figure", "awaits") or fact == "step:illegal" or topic in refused


def shared_topics(found: Iterable[Ruling], met: Collection[str] = ()) -> tuple[Topic, ...]:
    """Return the one or two topics that most of these rulings are about, powers and team abilities first.

    `met`: only topics among these, if there are any.
    """
    left = list(found)
    shared: list[Topic] = []
    while left and len(shared) < MAX_SHARED:
        about = Counter(name for one in left for name in one.topics if not met or name in met)
        counted = {name: number for name, number in about.items() if name not in COMMON} or about
        if not counted:
            break
        best = max(counted, key=lambda name: (counted[name], topics()[name].kind in ("power", "team-ability")))
        shared.append(topics()[best])
        left = [one for one in left if best not in one.topics]
    return tuple(shared)


def particular(topics: Iterable[str]) -> tuple[str, ...]:
    """Return the topics that say more than which kind of action it is."""
    return tuple(one for one in topics if one not in GENERAL)


def may_decide(one: Ruling) -> bool:
    """Return whether a ruling decides cases that meet all its conditions; the others only explain."""
    met = frozenset().union(*one.when, one.decides or ())
    return not one.example and _urgency(one, met, 0)[0] == 0


def _fact(group: frozenset[str], met: frozenset[str]) -> int:
    """Return how much one condition of a ruling depends on the case.

    0: nearly every action meets it. 2: another use of the same power wouldn't (a fact, a figure, a critical roll). 1:
    it is a power used or something met, which is decisive if another such condition is met beside it.
    """
    here = [need for need in group if need in met and not need.startswith("step:")]
    if any(need in FACTS or need in CRITICAL or need.startswith(("figure:", "awaits:")) for need in here):
        return 2
    return int(any(need not in GENERAL for need in here))


def _specific(one: Ruling, met: Collection[str], *, decides: bool) -> tuple[int, int, int, int]:
    """Return a sort key: how specific a ruling is to the facts met, most specific first.

    Facts that nearly every action meets count half. Then: rules before explanations before examples; more of its topics
    met; fewer not met.
    """
    needs = sum(_particular(group, met) for group in one.when) - one.example if decides else 0
    other = sum(topic in met for topic in one.topics)
    return (-needs, _backing(one), -other, len(one.topics) - other)


def _particular(group: frozenset[str], met: Collection[str]) -> int:
    """Return how particular to a case the facts are that meet one condition of a ruling."""
    return 1 if all(need in USUAL or need.startswith("step:") for need in group if need in met) else 2


def _backing(one: Ruling) -> int:
    """Return a sort key: rules before explanations before examples."""
    return 3 if one.example else -STANDING_WEIGHT[one.standing]


def _rank(one: Ruling) -> tuple[int, int, int]:
    """Return a sort key: later first, then higher authorities, then rules before explanations before examples."""
    day = int((one.date or one.as_of or "0").replace("-", ""))
    return (_backing(one), -day, -AUTHORITY_WEIGHT[one.authority])


def _followed_first(found: Iterable[Ruling]) -> list[Ruling]:
    """Move each ruling before all those that it disagrees with."""
    placed: list[Ruling] = []
    for one in found:
        at = min((n for n, other in enumerate(placed) if other.id in one.disagrees_with), default=len(placed))
        placed.insert(at, one)
    return placed


def fold(text: str) -> str:
    """Return text without accents and case, for comparisons."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _plain(text: str) -> str:
    """Return the words of a text, folded and separated by blanks."""
    return " ".join(re.findall(r"[^\W_]+", fold(text)))


@cache
def _book(edition: str) -> Mapping[str, Ruling]:
    files = {
        path.name: _file(path)
        for path in sorted((TEXTS / "rulings").glob("*.toml"))
        if path.stem == edition or path.stem.startswith(f"{edition}-")
    }
    files = {name: file for name, file in files.items() if file["edition"] == edition}
    if not files:
        raise KeyError(edition)
    read: dict[str, Ruling] = {}
    for name, file in files.items():
        for entry in file["ruling"]:
            where = f"{entry.get('id', 'a ruling without id')} in rules/engine/editions/texts/rulings/{name}"
            one = _read(edition, entry, file.get("as_of", {}), where)
            if one.id in read:
                raise ValueError(f"{where}: another ruling of the book has this id")
            read[one.id] = one
    return MappingProxyType({one.id: one for one in sorted(read.values(), key=lambda one: one.line or 0)})


def _file(path: Path) -> Mapping[str, Any]:
    """Return the contents of a file of rulings. Raises ValueError with its name if it isn't TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise ValueError(f"rules/engine/editions/texts/rulings/{path.name}: {fault}") from fault


def _check_keys(entry: Mapping[str, Any], where: str) -> None:
    """Raise ValueError with the place of a ruling whose keys or plain values can't be read."""
    lacking, strange = sorted(REQUIRED - entry.keys()), sorted(entry.keys() - REQUIRED - OPTIONAL)
    if lacking or strange:
        raise ValueError(f"{where}: these keys are missing {lacking}; these keys are unknown {strange}")
    if not isinstance(entry.get("date", datetime.date.min), datetime.date):
        raise ValueError(f"{where}: write the date without quotes, like 2002-09-25")
    for key, known in (("authority", Authority), ("standing", RulingStanding)):
        if key in entry and entry[key] not in set(known):
            raise ValueError(f"{where}: {key} is one of {sorted(known)}")


def _read(edition: str, entry: Mapping[str, Any], as_of: Mapping[str, Any], where: str) -> Ruling:
    _check_keys(entry, where)
    authority = Authority(entry["authority"])
    natural = RulingStanding.ARBITRATOR if authority in ARBITRATORS else RulingStanding.PUBLISHED
    named = tuple(entry["topics"])
    when = entry.get("when", named)
    date = entry.get("date")
    citation = Citation(edition, entry["section"], entry.get("note"), authority, date.isoformat() if date else None)
    return Ruling(
        id=entry["id"],
        text=entry["text"],
        topics=named,
        when=tuple(frozenset((need,)) if isinstance(need, str) else frozenset(need) for need in when),
        citations=(citation,),
        standing=RulingStanding(entry.get("standing", natural)),
        decides=frozenset(entry["decides"]) if "decides" in entry else None,
        example=entry.get("example", False),
        figures=tuple(entry.get("figures", ())),
        disagrees_with=tuple(entry.get("disagrees_with", ())),
        exception_to=tuple(entry.get("exception_to", ())),
        line=entry.get("line"),
        as_of=as_of[authority].isoformat() if authority in as_of else None,
    )
