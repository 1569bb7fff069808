"""Team abilities that modify a value, a line of fire or a figure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from rules.engine.action import Action
from rules.engine.combat.damage import take
from rules.engine.combat.healing import heal
from rules.engine.combat.line_classes import line_class
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import can_use, is_flier, is_wild, keep_to, on_team
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of
from rules.engine.met import Met
from rules.engine.play import Attack, Damage, Play, spot_of
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import Act, Attacking, Defending, Lending, Moving, Power, ShapeChange
from rules.engine.powers.building import beside, ignoring, only_target, shared_value
from rules.engine.reasons import Modifier, Part
from rules.engine.steps import StepName


def _covering_fire(name: str, topic: str) -> Power:
    """Return a team ability: +1 to adjacent friendly ranged attacks, for a member with a line of fire to the target."""

    def lend(
        play: Play, owner: Character, friend: Character, value: ValueName, attack: Attack | None
    ) -> Iterable[Modifier]:
        if value is not ValueName.ATTACK or attack is None or attack.kind != "ranged" or attack.target is None:
            return ()
        if attack.attacker.id != friend.id or not beside(play, owner, friend) or not attack.target.on_map:
            return ()
        if line_class(play, spot_of(owner), spot_of(attack.target)) == "blocked":
            return ()
        return (Modifier(1, f"{owner.name} ({name}) is adjacent and has a line of fire to the target", topic),)

    return Power(name=name, topic=topic, lending=Lending(lend_modifier=lend))


def _shared(name: str, topic: str, value: ValueName) -> Power:
    """Return a team ability: members use the highest value of any adjacent member, passed on along the chain."""
    return Power(
        name=name,
        topic=topic,
        lending=Lending(share_value=shared_value(value, team=name), shares_onward=True),
    )


def _eight_passengers(play: Play, character: Character) -> int:
    return 8 if is_flier(play, character) else 0


def exchange(name: str, topic: str) -> Act:
    """Return the act of a move action: one of two adjacent members takes 1 click and the other heals 1 (2002).

    Once a turn for each pair. Sources: X-Men and Titans with their FAQ.
    """

    def act(play: Play, given: Action, character: Character) -> None:
        play.this_action.next_step = StepName.DAMAGE_DEALT
        other = only_target(play, given)
        if other.id == character.id or not play.friendly(character, other) or not can_use(play, other, name):
            raise Illegal(f"{other.name} isn't a friendly member of the {name}.", (topic,))
        one, two = figure_of(play, character), figure_of(play, other)
        if one is None or two is None:
            raise Illegal(f"{character.name} and {other.name} must both be on the map.", (topic,))
        near = figures_adjacent(play, one, two)
        if not near:
            raise Illegal(near.because[0], (topic, *near.topics))
        pair = frozenset({character.id, other.id})
        swaps = play.this_turn.swaps
        if pair in swaps:
            play.note(Met.PAIR_AGAIN)
            raise Illegal(
                f"{character.name} and {other.name} have already exchanged a click this turn.", (topic, "turn")
            )
        if other.click <= other.start:
            raise Illegal(f"{other.name} has no damage to heal, so no click can be exchanged.", (topic, "healing"))
        if any(pair & earlier for earlier in swaps):
            play.note(Met.EXCHANGED_BEFORE)
        play.this_turn = replace(play.this_turn, swaps=(*swaps, pair))
        text = f"{character.name} and {other.name} exchange 1 click ({name})."
        parts = {"damage": (Part("printed", 1, f"the {name} exchange 1 click", topic),)}
        play.record(StepName.DAMAGE_DEALT, text, (topic,), {"damage": 1}, parts=parts)
        take(play, (Damage(character, 1, "own-power", character, unavoidable=True),))
        if play.character(other.id).on_map:
            heal(play, play.character(other.id), 1, name, (topic,))

    return act


def heal_the_others(play: Play, fallen: Character) -> None:
    """Heal every other friendly member of the Fantastic Four 1 click when one is defeated.

    Wild cards count as members of their friends' teams, even if the only other member is the defeated one.
    """
    for one in list(play.position.side_of(fallen.id).characters):
        member = can_use(play, one, "Fantastic Four") or is_wild(play, one)
        if one.id != fallen.id and one.on_map and member and not play.declines("fantastic-four", one):
            keep_to(play, one, FANTASTIC_FOUR)
            heal(play, play.character(one.id), 1, "a member of the Fantastic Four was defeated", ("fantastic-four",))


def retaliate(play: Play, character: Character, damage: Damage) -> None:
    """Deal 1 click to an attacker that has damaged the character; the click can't be reduced and isn't an attack."""
    if damage.by is None or damage.source != "attack":
        return
    attacker = play.character(damage.by.id)
    if not attacker.on_map or play.friendly(attacker, character):
        return
    text = f"{character.name} (Mystics) deals {attacker.name} 1 damage in return."
    parts = {"damage": (Part("printed", 1, "the Mystics deal 1 damage", "mystics"),)}
    play.record(StepName.DAMAGE_DEALT, text, ("mystics",), {"damage": 1}, parts=parts)
    take(play, (Damage(attacker, 1, "mystics", character),))


def outwit_for_the_costlier(play: Play, character: Character) -> Iterable[str]:
    """Return Outwit for the costlier of two adjacent Superman Enemies; of equals only the first of its side (2002).

    Source: Superman Enemy with its FAQ; the controlling player chooses between equals.
    """
    showing = character.showing
    if showing is None or "Outwit" in showing.powers:
        return ()
    side = play.position.side_of(character.id).characters
    own = figure_of(play, character)
    for other in side:
        if other.id == character.id or not other.on_map or not on_team(play, other, "Superman Enemy", by_cards=False):
            continue
        near = figure_of(play, other)
        if own is None or near is None or not figures_adjacent(play, own, near):
            continue
        if other.points < character.points:
            return ("Outwit",)
        if other.points == character.points and _chosen_of_equals(play, character, other):
            return ("Outwit",)
    return ()


def _chosen_of_equals(play: Play, character: Character, other: Character) -> bool:
    """Return whether this one of two equals has Outwit: the one that has used it first, otherwise either."""
    used = [one for one in play.battle.cancelled if one.by == other.id]
    return not used and "Outwit" not in play.character(other.id).used


AVENGERS = Power(name="Avengers", topic="avengers", action=("move",), moving=Moving(free_move=True))
BROTHERHOOD = Power(name="The Brotherhood", topic="brotherhood", action=("move",), moving=Moving(free_move=True))
JUSTICE_LEAGUE = Power(name="Justice League", topic="justice-league", action=("move",), moving=Moving(free_move=True))
DEFENDERS = _shared("Defenders", "defenders", ValueName.DEFENSE)
JUSTICE_SOCIETY = _shared("Justice Society", "justice-society", ValueName.DEFENSE)
SINISTER_SYNDICATE = _shared("Sinister Syndicate", "sinister-syndicate", ValueName.ATTACK)
BATMAN_ENEMY = _shared("Batman Enemy", "batman-enemy", ValueName.ATTACK)
HYDRA = _covering_fire("Hydra", "hydra")
POLICE = _covering_fire("Police", "police")
FANTASTIC_FOUR = Power(name="Fantastic Four", topic="fantastic-four", defending=Defending(on_ko=heal_the_others))
MASTERS_OF_EVIL = Power(name="Masters of Evil", topic="masters-of-evil", attacking=Attacking(shares_action=True))
INJUSTICE_LEAGUE = Power(name="Injustice League", topic="injustice-league", attacking=Attacking(shares_action=True))
SHIELD = Power(name="S.H.I.E.L.D.", topic="shield", named_by_anyone=True)
SKRULLS = Power(
    name="Skrulls", topic="skrulls", defending=Defending(shape_change=ShapeChange("skrull", frozenset({6})))
)
MYSTICS = Power(name="Mystics", topic="mystics", defending=Defending(after_damage=retaliate))
X_MEN = Power(name="X-Men", topic="x-men", action=("move",), targets="friends", act=exchange("X-Men", "x-men"))
TITANS = Power(name="Titans", topic="titans", action=("move",), targets="friends", act=exchange("Titans", "titans"))
SUPERMAN_ENEMY = Power(name="Superman Enemy", topic="superman-enemy", grants_powers=outwit_for_the_costlier)
MINIONS_OF_DOOM = Power(name="Minions of Doom", topic="minions-of-doom")
SPIDER_MAN = Power(name="Spider-Man", topic="spider-man")
LEGION_OF_SUPER_HEROES = Power(name="Legion of Super Heroes", topic="legion-of-super-heroes")
BATMAN_ALLY = Power(name="Batman Ally", topic="batman-ally", defending=Defending(hides_behind_hindering=True))
SUPERMAN_ALLY = Power(
    name="Superman Ally",
    topic="superman-ally",
    attacking=Attacking(sees_past=ignoring("hindering", "stealth")),
    moving=Moving(moves_past=ignoring("hindering")),
)
GREEN_LANTERN_CORPS = Power(
    name="Green Lantern Corps", topic="green-lantern-corps", moving=Moving(passengers=_eight_passengers)
)

WILD_CARDS: Final = frozenset({"Minions of Doom", "Spider-Man", "Legion of Super Heroes"})
