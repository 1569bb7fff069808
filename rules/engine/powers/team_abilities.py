"""Team abilities that move a value, a line or a figure; what acts in an attack joins its sequence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rules.engine.combat.line_of_fire import line_class
from rules.engine.figures.standing import flies
from rules.engine.play import Attack, Play, spot_of
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import Power
from rules.engine.powers.building import beside, ignoring, shared_value
from rules.engine.reasons import Change


def _covering_fire(name: str, topic: str) -> Power:
    """+1 to the attack of an adjacent friend's ranged attack, for a member with a line of fire to the target."""

    def lend(
        play: Play, owner: Character, friend: Character, value: ValueName, attack: Attack | None
    ) -> Iterable[Change]:
        if value is not ValueName.ATTACK or attack is None or attack.kind != "ranged" or attack.target is None:
            return ()
        if attack.attacker.id != friend.id or not beside(play, owner, friend) or not attack.target.on_map:
            return ()
        if line_class(play, spot_of(owner), spot_of(attack.target)) == "blocked":
            return ()
        return (Change(1, f"{owner.name} of the {name} is adjacent and sees the target", topic),)

    return Power(name=name, topic=topic, lend_modifier=lend)


def _shared(name: str, topic: str, value: ValueName) -> Power:
    """Members use the highest value of any member beside them, passed on along the chain."""
    return Power(name=name, topic=topic, share_value=shared_value(value, team=name), shares_onward=True)


def _eight_passengers(play: Play, character: Character) -> int:
    return 8 if flies(character) else 0


AVENGERS = Power(name="Avengers", topic="avengers", action=("move",))
BROTHERHOOD = Power(name="The Brotherhood", topic="brotherhood", action=("move",))
JUSTICE_LEAGUE = Power(name="Justice League", topic="justice-league", action=("move",))
DEFENDERS = _shared("Defenders", "defenders", ValueName.DEFENSE)
JUSTICE_SOCIETY = _shared("Justice Society", "justice-society", ValueName.DEFENSE)
SINISTER_SYNDICATE = _shared("Sinister Syndicate", "sinister-syndicate", ValueName.ATTACK)
BATMAN_ENEMY = _shared("Batman Enemy", "batman-enemy", ValueName.ATTACK)
HYDRA = _covering_fire("Hydra", "hydra")
POLICE = _covering_fire("Police", "police")
FANTASTIC_FOUR = Power(name="Fantastic Four", topic="fantastic-four")
MASTERS_OF_EVIL = Power(name="Masters of Evil", topic="masters-of-evil")
INJUSTICE_LEAGUE = Power(name="Injustice League", topic="injustice-league")
SHIELD = Power(name="S.H.I.E.L.D.", topic="shield")
SKRULLS = Power(name="Skrulls", topic="skrulls")
MYSTICS = Power(name="Mystics", topic="mystics")
X_MEN = Power(name="X-Men", topic="x-men", action=("move",))
TITANS = Power(name="Titans", topic="titans", action=("move",))
SUPERMAN_ENEMY = Power(name="Superman Enemy", topic="superman-enemy")
MINIONS_OF_DOOM = Power(name="Minions of Doom", topic="minions-of-doom")
SPIDER_MAN = Power(name="Spider-Man", topic="spider-man")
LEGION_OF_SUPER_HEROES = Power(name="Legion of Super Heroes", topic="legion-of-super-heroes")
BATMAN_ALLY = Power(name="Batman Ally", topic="batman-ally", hides_behind_hindering=True)
SUPERMAN_ALLY = Power(
    name="Superman Ally",
    topic="superman-ally",
    sees_past=ignoring("hindering", "stealth"),
    moves_past=ignoring("hindering"),
)
GREEN_LANTERN_CORPS = Power(name="Green Lantern Corps", topic="green-lantern-corps", passengers=_eight_passengers)

WILD_CARDS: Final = frozenset({"Minions of Doom", "Spider-Man", "Legion of Super Heroes"})
