"""What cannot have happened as a battle file tells it. It is scored as written all the same, with a warning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from rules.engine.battles import Battle, BattleCharacter, Ended, Fate, ScenarioName
from rules.engine.edition import Edition
from rules.engine.rivals import RivalKind
from rules.engine.scoring.victory_points import is_defeated

THROUGH_PORTAL: Final = 4
"""How many characters a portal lets pass (Portal to Hypertime)."""
LETS_LEAVE: Final[Mapping[ScenarioName, str]] = MappingProxyType(
    {
        ScenarioName.PORTAL_TO_HYPERTIME: "everyone",
        ScenarioName.RAID_ON_STAR_LABS: "everyone",
        ScenarioName.CUSTOM: "everyone",
        ScenarioName.STAND_ASIDE: "attacker",
        ScenarioName.THE_SCIENTIST: "defender",
        ScenarioName.THE_WILD_THEORY: "defender",
    }
)
"""Which side may leave the map in a scenario; in the others no one may."""


class Oddity(NamedTuple):
    """Something that cannot have happened: its name, the elements concerned, a sentence, and the topics that cite it."""

    rule: str
    elements: tuple[str, ...]
    message: str
    topics: tuple[str, ...]


def oddities(battle: Battle, edition: Edition) -> Iterator[Oddity]:
    """Yield everything in a battle that cannot have happened as it is written.

    Sources: Sentinels Rules, Capture; the ends of the game and the scenarios of each book.
    """
    fates = [one for side in battle.sides for one in side.characters if one.ref not in battle.replaced]
    for one in fates:
        if one.fate is Fate.CAPTURED and one.by is not None:
            yield from _of_captive(battle, edition, one)
        if one.fate is Fate.LEFT_MAP and not _may_leave(battle, battle.owners[one.ref]):
            message = f"{one.name} left the map, but {_leaving(battle)}."
            yield Oddity("left-map-without-scenario", (one.ref,), message, ("game-end", "victory"))
        rift = battle.scenario is ScenarioName.DIMENSIONAL_RIFT
        if one.fate is Fate.REMOVED and edition.scoring.removed_by_rift_alone and not rift:
            message = f"{one.name} was removed from the game, but only the Dimensional Rift removes characters."
            yield Oddity("removed-without-rift", (one.ref,), message, ("game-end", "victory"))
    left = tuple(one.ref for one in fates if one.fate is Fate.LEFT_MAP)
    if battle.scenario is ScenarioName.PORTAL_TO_HYPERTIME and len(left) > THROUGH_PORTAL:
        message = f"{len(left)} characters left through the portal, but it closes behind the fourth."
        yield Oddity("portal-full", left, message, ("portal-to-hypertime",))
    yield from _survivors(battle, edition)


def _of_captive(battle: Battle, edition: Edition, one: BattleCharacter) -> Iterator[Oddity]:
    captor = battle.characters[str(one.by)]
    if captor.ref not in battle.replaced and is_defeated(battle, captor):
        message = f"{one.name} is held by {captor.name}, but {captor.name} was defeated, which rescues its captives."
        yield Oddity("captor-defeated", (one.ref,), message, ("rescue", "capture"))
    if edition.sentinels.alone_capture and captor.kind is not RivalKind.SENTINEL:
        message = f"{one.name} is held by {captor.name}, but only a Sentinel can capture."
        yield Oddity("capture-by-non-sentinel", (one.ref,), message, ("capture",))


def _may_leave(battle: Battle, player: str) -> bool:
    leaves = None if battle.scenario is None else LETS_LEAVE.get(battle.scenario)
    return leaves == "everyone" or (leaves is not None and player == getattr(battle, leaves))


def _leaving(battle: Battle) -> str:
    if battle.scenario is None:
        return "no character may leave it without a scenario"
    side = LETS_LEAVE.get(battle.scenario)
    return (
        f"only the {side}'s characters may leave it in this scenario"
        if side
        else "no character may leave it in this scenario"
    )


def _survivors(battle: Battle, edition: Edition) -> Iterator[Oddity]:
    """Yield an oddity if a battle that ended by elimination has survivors on both sides, or too many sides."""
    if battle.ended is not Ended.ELIMINATION or battle.scenario is not None:
        return
    alive = {
        side.player: [
            one.ref for one in side.characters if one.fate is Fate.SURVIVED and one.ref not in battle.replaced
        ]
        for side in battle.sides
        if edition.scoring.stands(side)
    }
    alive = {player: refs for player, refs in alive.items() if refs}
    enough = 2 if len(battle.sides) == 2 or edition.scoring.elimination_leaves_one else len(battle.sides)
    if len(alive) >= enough:
        message = f"The battle ended by elimination, but {' and '.join(alive)} have characters left."
        refs = tuple(ref for those in alive.values() for ref in those)
        yield Oddity("elimination-with-survivors", refs, message, ("game-end", "victory"))
