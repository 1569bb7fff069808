"""Battle files: JSON → a finished battle, and its score → the report (FORMATS, "Battle file")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from rules.engine.battles import (
    Battle,
    BattleCard,
    BattleCharacter,
    BattleFeat,
    BattleSide,
    BattleToken,
    Cause,
    Ended,
    Fate,
    ObjectFate,
    ScenarioName,
    Score,
    ScoreLine,
)
from rules.engine.documents.faults import every_fault
from rules.engine.documents.force import COLOR, HEAD, NAMES, REFS, REQUIREMENTS, no_build_total, refs_exist
from rules.engine.documents.reader import (
    Reader,
    a_list,
    a_mapping,
    a_whole_number,
    an_object,
    flag,
    name,
    nullable,
    one_of,
    points,
    shown,
    text,
    whole_number,
)
from rules.engine.edition import Edition
from rules.engine.editions.headings import headings
from rules.engine.errors import BadInput, escaped, refuse
from rules.engine.forces import Format
from rules.engine.limit import within_limit
from rules.engine.position.objects import ObjectKind
from rules.engine.rivals import RivalKind
from rules.engine.scoring.oddities import oddities
from rules.engine.scoring.scenarios import BY_BUILD_TOTAL
from rules.engine.scoring.score import places, score

Document = dict[str, Any]
CAPTIVE: Final = frozenset({Fate.CAPTURED, Fate.RELEASED})


@within_limit
def score_battle(document: Document) -> Document:
    """Return the score of a battle file. Raises `BadInput` if it can't be read."""
    document_id, edition, battle = read_battle(document)
    return report_of(document_id, edition, battle, score(battle, edition))


# ── Reading ────────────────────────────────────────────────────────────────────────────────────


def _token(kind: ObjectKind | None = None, special: bool = False, **fields: Any) -> BattleToken:
    return BattleToken(**fields)


def _character(**fields: Any) -> BattleCharacter:
    return BattleCharacter(**fields)


def _card(requires: Any = None, **fields: Any) -> BattleCard:
    return BattleCard(**fields)


def _feat(requires: Any = None, **fields: Any) -> BattleFeat:
    return BattleFeat(**fields)


def _written(keys: Mapping[str, Reader[Any]], *required: str) -> Reader[tuple[Document, ...]]:
    """Return a reader for a list of elements whose fields are resolved once all refs of the battle are known."""
    return a_list(an_object(dict, {"ref": nullable(name), **keys}, required))


PERSON: Final = nullable(text)
LOST_TOKEN: Final[Mapping[str, Reader[Any]]] = {
    "name": text,
    "points": points,
    "fate": one_of(ObjectFate),
    "by": PERSON,
    "last_damaged_by": PERSON,
    "on_turn_of": PERSON,
}
SIDE: Final[Reader[Document]] = an_object(
    dict,
    {
        "player": name,
        "points": nullable(points),
        "characters": _written(
            {
                "name": name,
                "points": points,
                "base_color": COLOR,
                "set": nullable(text),
                "kind": one_of(RivalKind),
                "teams": NAMES,
                "fate": one_of(Fate),
                "by": PERSON,
                "cause": nullable(one_of(Cause)),
                "last_damaged_by": PERSON,
                "on_turn_of": PERSON,
                "controller": PERSON,
                "replaces": PERSON,
                "replaced": flag,
                "order": nullable(whole_number),
            },
            "name",
            "points",
            "fate",
        ),
        "feats": _written(
            {
                "name": text,
                "points": points,
                "assigned_to": REFS,
                "requires": REQUIREMENTS,
                "per_character": flag,
                "fate": one_of(ObjectFate),
            },
        ),
        "objects": _written({**LOST_TOKEN, "kind": nullable(one_of(ObjectKind)), "special": flag}),
        "resources": _written({**LOST_TOKEN, "assigned_to": REFS}),
        "team_ability_cards": _written(
            {"name": text, "cost_per_character": points, "assigned_to": REFS, "requires": REQUIREMENTS},
        ),
    },
    ("player", "characters"),
)
DOCUMENT: Final[Reader[Document]] = an_object(
    dict,
    {
        **HEAD,
        "build_total": nullable(points),
        "format": nullable(one_of(Format)),
        "scenario": nullable(one_of(ScenarioName)),
        "ended": one_of(Ended),
        "abandoned_by": PERSON,
        "scenario_winner": PERSON,
        "turn": nullable(whole_number),
        "attacker": PERSON,
        "defender": PERSON,
        "roll_off": nullable(a_mapping(a_whole_number(2, 12))),
        "sides": a_list(SIDE),
    },
    ("edition", "build_total", "ended", "sides"),
)


SORTS: Final[Mapping[str, tuple[str, Callable[..., Any]]]] = {
    "characters": ("character", _character),
    "feats": ("feat", _feat),
    "objects": ("object", _token),
    "resources": ("resource", _token),
    "team_ability_cards": ("team-ability-card", _card),
}


@every_fault
def read_battle(document: Any) -> tuple[str | None, Edition, Battle]:
    """Return a battle file's id, edition and battle. Raises `BadInput` with every fault."""
    read = DOCUMENT(document)
    edition: Edition = read.pop("edition")
    document_id = read.pop("id", None)
    read.pop("title", None)
    read.pop("note", None)
    written = read.pop("sides")
    given: set[str] = set()
    refuse(_given_twice(written, given))
    counts = dict.fromkeys(SORTS, 0)
    sides = tuple([_side(side, counts, given) for side in written])
    battle = _with_both_parts(Battle(sides=sides, **read))
    refuse(chain(_wrong_end(battle, edition), _wrong_sides(battle, edition)))
    return document_id, edition, battle


def _given_twice(sides: tuple[Document, ...], given: set[str]) -> Iterator[BadInput]:
    """Yield a fault for each player and each ref given before; refs, collected in `given`, are unique in a battle."""
    if len(sides) < 2:
        yield BadInput("/sides", "A battle has at least two sides.")
    players: set[str] = set()
    for place, side in enumerate(sides):
        if side["player"] in players:
            yield BadInput(f"/sides/{place}/player", f"{shown(side['player'])} already plays another side.")
        players.add(side["player"])
        for sort in SORTS:
            for number, element in enumerate(side.get(sort, ())):
                ref = element.get("ref")
                if ref is not None:
                    if ref in given:
                        where = f"/sides/{place}/{sort}/{number}/ref"
                        yield BadInput(where, f"Another element already has the ref {shown(ref)}.")
                    given.add(ref)


def _side(written: Document, counts: dict[str, int], given: set[str]) -> BattleSide:
    made: dict[str, tuple[Any, ...]] = {}
    for sort, (called, make) in SORTS.items():
        found = []
        for element in written.get(sort, ()):
            counts[sort] += 1
            if element.get("ref") is None:
                element["ref"] = _unused(f"{called}-{counts[sort]}", given)
            found.append(make(**element))
        made[sort] = tuple(found)
    built = written.get("points")
    return BattleSide(player=written["player"], points=_built_with(made) if built is None else built, **made)


def _unused(ref: str, given: set[str]) -> str:
    while ref in given:
        ref += "'"
    return ref


def _built_with(made: Mapping[str, tuple[Any, ...]]) -> int:
    """Return the cost of a side's force; characters that replaced others later cost nothing."""
    characters: int = sum(one.points for one in made["characters"] if one.replaces is None)
    tokens: int = sum(one.points for one in (*made["objects"], *made["resources"]))
    cards: int = sum(one.cost_per_character * len(one.assigned_to) for one in made["team_ability_cards"])
    feats: int = sum(one.total for one in made["feats"])
    return characters + tokens + cards + feats


def _with_both_parts(battle: Battle) -> Battle:
    """Return the battle with both attacker and defender, if it has two sides and only one of the two is given."""
    if len(battle.sides) == 2:
        if battle.attacker in battle.players and battle.defender is None:
            return replace(battle, defender=battle.opponents(battle.attacker)[0])
        if battle.defender in battle.players and battle.attacker is None:
            return replace(battle, attacker=battle.opponents(battle.defender)[0])
    return battle


def _wrong_end(battle: Battle, edition: Edition) -> Iterator[BadInput]:
    scenario, players = battle.scenario, battle.players
    if scenario is not None and scenario not in edition.scoring.scenarios:
        known = ", ".join(edition.scoring.scenarios)
        yield BadInput("/scenario", f"{edition.name} doesn't have this scenario. It has {known}.")
    if battle.build_total is None and scenario in BY_BUILD_TOTAL:
        yield BadInput("/build_total", "This scenario needs a build total.")
    else:
        yield from no_build_total(battle.build_total, battle.format, "/build_total")
    for key in ("abandoned_by", "scenario_winner", "attacker", "defender"):
        yield from _no_player(f"/{key}", getattr(battle, key), players)
    for player in battle.roll_off or ():
        yield from _no_player(f"/roll_off/{escaped(player)}", player, players)
    if battle.ended is Ended.ABANDONED and battle.abandoned_by is None:
        yield BadInput("/abandoned_by", "Give the player who abandoned the battle.")
    if battle.ended is not Ended.ABANDONED and battle.abandoned_by is not None:
        yield BadInput("/abandoned_by", f"The battle ended otherwise ({battle.ended}): no player abandoned it.")
    if battle.scenario_winner is not None and scenario is None and battle.ended is not Ended.SCENARIO:
        yield BadInput("/scenario_winner", "Only a battle with a scenario has this key.")
    if battle.attacker is not None and battle.attacker == battle.defender:
        yield BadInput("/defender", "The attacker and the defender must be different players.")
    if scenario is ScenarioName.STAND_ASIDE and battle.attacker is None:
        yield BadInput("/attacker", "This scenario needs an attacker.")


def _no_player(where: str, player: str | None, players: tuple[str, ...]) -> Iterator[BadInput]:
    if player is not None and player not in players:
        yield BadInput(where, f"{shown(player)} isn't one of the players {', '.join(map(shown, players))}.")


def _wrong_sides(battle: Battle, edition: Edition) -> Iterator[BadInput]:
    for place, side in enumerate(battle.sides):
        for fault in _wrong_side(battle, edition, side):
            yield fault.under("sides", place)


def _wrong_side(battle: Battle, edition: Edition, side: BattleSide) -> Iterator[BadInput]:
    own = {one.ref for one in side.characters}
    for place, one in enumerate(side.characters):
        where = f"/characters/{place}"
        yield from _unknown_persons(battle, one, where)
        if one.fate in CAPTIVE:
            yield from _wrong_captive(battle, edition, side, one, where)
        if one.replaces is not None and one.replaces not in own:
            yield BadInput(f"{where}/replaces", f"{shown(one.replaces)} isn't a character of the same side.")
        elif _comes_back(battle, one):
            yield BadInput(f"{where}/replaces", "A character can't replace itself.")
    for sort in ("objects", "resources"):
        for place, token in enumerate(getattr(side, sort)):
            yield from _unknown_persons(battle, token, f"/{sort}/{place}")
    for sort in ("feats", "resources", "team_ability_cards"):
        for place, element in enumerate(getattr(side, sort)):
            where = f"/{sort}/{place}/assigned_to"
            yield from refs_exist(where, element.assigned_to, own, "a character of the same side")


def _unknown_persons(battle: Battle, one: BattleCharacter | BattleToken, where: str) -> Iterator[BadInput]:
    for key, ref in (("by", one.by), ("controller", one.controller)):
        if ref is not None and ref not in battle.owners:
            yield BadInput(f"{where}/{key}", f"{shown(ref)} isn't the ref of a character of the battle.")
    yield from _no_player(f"{where}/last_damaged_by", one.last_damaged_by, battle.players)
    yield from _no_player(f"{where}/on_turn_of", one.on_turn_of, battle.players)


def _wrong_captive(
    battle: Battle, edition: Edition, side: BattleSide, one: BattleCharacter, where: str
) -> Iterator[BadInput]:
    if edition.scoring.release is None:
        yield BadInput(f"{where}/fate", f"{edition.name} has no captives.")
    elif one.by is None:
        yield BadInput(f"{where}/by", "Give the character that captured this one.")
    elif battle.owners.get(one.by) == side.player:
        yield BadInput(f"{where}/by", "Only an opponent's character can capture this one.")


def _comes_back(battle: Battle, one: BattleCharacter) -> bool:
    seen, current = {one.ref}, one.replaces
    while current is not None:
        if current in seen:
            return True
        seen.add(current)
        before = battle.characters.get(current)
        current = None if before is None else before.replaces
    return False


# ── The report ─────────────────────────────────────────────────────────────────────────────────


def report_of(document_id: str | None, edition: Edition, battle: Battle, scored: Score) -> Document:
    """Return a score as a report; points are exact, including halves and thirds."""
    verdict = scored.verdict
    return {
        "id": document_id,
        "victory_points": {player: number(sum_) for player, sum_ in scored.victory_points.items()},
        "winner": verdict.winner,
        "decided_by": verdict.decided_by,
        "needs": list(verdict.needs),
        "decision": _decision(edition, battle, scored),
        "places": places(scored),
        "warnings": [
            {
                "rule": one.rule,
                "elements": list(one.elements),
                "message": one.message,
                "citations": cited(edition, one.topics),
            }
            for one in oddities(battle, edition)
        ],
        "lines": [_line(edition, line) for line in scored.lines],
    }


def _decision(edition: Edition, battle: Battle, scored: Score) -> Document:
    """Return why this player wins, or what is missing; a scenario is cited by the section on its victory."""
    verdict = scored.verdict
    citations = [citation.as_dict() for citation in edition.cite(verdict.topics)]
    if battle.scenario is not None and verdict.decided_by != "abandoned":
        citations = [*_victory_of(edition, battle.scenario), *citations]
    citations = citations or cited(edition, ("victory",))
    excluded = [
        {"player": one.player, "why": one.why, "citations": cited(edition, one.topics)} for one in verdict.excluded
    ]
    section = str(citations[0]["section"])
    words = " ".join([verdict.why, *(one.why for one in verdict.excluded)])
    return {"text": f"{words} ({section})", "citations": citations, "excluded": excluded}


def _victory_of(edition: Edition, scenario: ScenarioName) -> list[Document]:
    """Return the citation of a scenario's section on victory, or of the scenario; none for one that isn't in the book."""
    place = edition.topics.get(scenario)
    if place is None:
        return []
    known = (heading.path for heading in headings(edition.name).all)
    victory = next((path for path in known if path.startswith(f"{place.section} › Victory")), place.section)
    return [replace(place, section=victory).as_dict()]


def cited(edition: Edition, topics: tuple[str, ...]) -> list[Document]:
    """Return the citations of topics, as a report has them."""
    return [citation.as_dict() for citation in edition.cite(topics)]


def _line(edition: Edition, line: ScoreLine) -> Document:
    return {
        "player": line.player,
        "points": number(line.points),
        "why": line.why,
        "element": line.element,
        "citations": cited(edition, line.topics),
    }


def number(points_: Fraction | int) -> int | float:
    """Return points as a JSON number, an integer if they are whole."""
    if type(points_) is int:
        return points_
    return int(points_) if points_.denominator == 1 else float(points_)
