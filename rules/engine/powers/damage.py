"""Damage powers of each book that lend a value, forbid an action or require one."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.action import Action
from rules.engine.combat.captives import captives_of
from rules.engine.combat.damage import take
from rules.engine.combat.healing import heal
from rules.engine.combat.hits import with_dice
from rules.engine.combat.ko import free_captives, lose_what_is_gone
from rules.engine.combat.roll import THEMED, roll_dice, why_out_of_reach
from rules.engine.combat.targets import can_target, spared, still_immune
from rules.engine.errors import Illegal
from rules.engine.figures.abilities import powers_of, why_unaffected
from rules.engine.figures.adjacency import opponents_beside
from rules.engine.figures.standing import figure_of, flies
from rules.engine.figures.values import without_modifiers
from rules.engine.memory import Altered, Cancelled
from rules.engine.met import Met
from rules.engine.play import Attack, Damage, Play
from rules.engine.position.characters import Character, Flight, GivenModifier
from rules.engine.position.dial import ValueName
from rules.engine.power import Attacking, Defending, Lending, Moving, Power, ShapeChange
from rules.engine.powers.building import lent_to_neighbours, never, only_target, used_now
from rules.engine.steps import StepName

SOARING = "soaring"
CAPTURE = "Capture"
COUNTERING_CAPTURE = "countering-capture"
"""The topic of the roll without which Capture isn't countered, and the name of that roll (2014)."""
ONLY = (
    "only to increase combat values",
    "only to decrease combat values",
    "only to target opposing characters",
    "only to target itself",
)
"""What cards let Perplex be used for only, in their words (`change`)."""


def perplex(play: Play, given: Action, character: Character, *, onward: bool = False) -> None:
    """Add or subtract 1 from a value of a character within range and a clear line of fire.

    It lasts until the turn ends (2002, 2005), or with `onward` until its player's next turn begins (2014, 2020s).
    """
    play.this_action.next_step = StepName.MODIFY
    target = only_target(play, given)
    used_now(play, character, "Perplex")
    reached_by(play, character, target, "Perplex", "perplex")
    _check_only(play, character, target)
    chosen, values = play.this_action.choices, [one.value for one in ValueName]
    value = play.must_choose(chosen.value, "value", values, "Which value does Perplex change?")
    by = play.must_choose(chosen.by, "by", (1, -1), "Does Perplex add or subtract 1?")
    named = next((one for one in ValueName if one.value == value), None)
    if named is None:
        raise Illegal(f"{value} isn't a combat value.", ("perplex", "combat-values"))
    if by not in (1, -1):
        raise Illegal("Perplex can only add or subtract 1.", ("perplex",))
    _check_only(play, character, target, by)
    if named is ValueName.RANGE:
        play.note(Met.CHANGES_RANGE)
    modifier = GivenModifier(named, by, "Perplex")
    current = play.character(target.id)
    if current.modifiers:
        play.note(Met.PERPLEXED_TWICE, of=target.id)
    play.change(replace(current, modifiers=(*current.modifiers, modifier)))
    player = play.player_of(character)
    altered = Altered(character.id, target.id, modifier, player if onward else None)
    play.battle = replace(play.battle, altered=(*play.battle.altered, altered))
    lasting = f"until {player}'s next turn begins" if onward else "until the turn ends"
    text = f"{character.name}'s Perplex gives {target.name} {by:+d} {named.value} {lasting}."
    play.record(StepName.MODIFY, text, ("perplex", "combat-values"), {"value": named.value, "by": by})


def _check_only(play: Play, character: Character, target: Character, by: int = 0) -> None:
    """Refuse a use of Perplex that the card granting it doesn't allow. Raises Illegal."""
    only = next((row.only for row in powers_of(play, character) if row.name == "Perplex"), "")
    wrong = {
        ONLY[0]: by < 0,
        ONLY[1]: by > 0,
        ONLY[2]: play.friendly(character, target),
        ONLY[3]: character.id != target.id,
    }
    if wrong.get(only):
        raise Illegal(f"{character.name} can use Perplex {only}: its card says so.", ("perplex",))


def perplex_onward(play: Play, given: Action, character: Character) -> None:
    """Use Perplex until its player's next turn begins (2014, 2020s)."""
    perplex(play, given, character, onward=True)


def reached_by(play: Play, character: Character, target: Character, power: str, topic: str) -> None:
    """Check that a character is within range and a clear line of fire of a power. Raises Illegal."""
    if spared(play, target, character):
        raise Illegal(still_immune(play, target.name), (topic, "first-turn-immunity"))
    protected = why_unaffected(play, target, power, friendly=play.friendly(character, target))
    if protected:
        raise Illegal(f"{power} doesn't affect {target.name}: {protected}.", (topic,))
    why = why_out_of_reach(play, character, target, power)
    if why is not None:
        raise Illegal(why[0], dict.fromkeys((topic, *why[1])))
    if character.id != target.id:
        play.note("line-of-fire", "range", of=target.id)


def outwit(play: Play, given: Action, character: Character) -> None:
    """Turn off a power of an opponent, or a flier's soaring, until the next turn of the character's player begins."""
    play.this_action.next_step = StepName.COUNTER
    target = only_target(play, given)
    used_now(play, character, "Outwit")
    if play.friendly(character, target):
        raise Illegal(
            f"{target.name} is friendly to {character.name}: Outwit needs an opponent.", ("outwit", "friendly-figures")
        )
    reached_by(play, character, target, "Outwit", "outwit")
    options = _may_be_turned_off(play, target)
    if not options and not play.this_action.choices.counter:
        raise Illegal(f"{target.name} shows no power that Outwit can counter.", ("outwit", "powers"))
    named = play.must_choose(
        play.this_action.choices.counter, "counter", options, f"Which of {target.name}'s powers does Outwit counter?"
    )
    if named == SOARING and named not in options:
        raise Illegal(f"{target.name} isn't soaring.", ("outwit", "soaring"))
    if any(one.name == named and one.fixed_against("counter") for one in target.cards):
        raise Illegal(f"{named} can't be countered: its card says so.", ("outwit", "counter"))
    counters_capture = named == CAPTURE and COUNTERING_CAPTURE in play.edition.topics
    if named not in options and not counters_capture:
        inherent = play.edition.inherent.get(named)
        if inherent is not None:
            raise Illegal(f"Outwit can't counter {named}: it isn't a power.", ("outwit", inherent.topic))
        team = named in play.edition.team_abilities
        topics = ("outwit", "team-abilities" if team else "powers")
        if team:
            raise Illegal(f"Outwit can't counter {named}: it is a team ability.", topics)
        raise Illegal(f"{target.name} doesn't show {named}, so Outwit can't counter it.", topics)
    if counters_capture and not _rolls_doubles(play, character, target):
        return
    current = play.character(target.id)
    play.change(replace(current, countered=(*current.countered, named)))
    player = play.player_of(character)
    entry = Cancelled(character.id, target.id, named, player)
    play.battle = replace(play.battle, cancelled=(*play.battle.cancelled, entry))
    row = play.edition.powers.get(named)
    teams = [r.topic for t in character.teams if (r := play.edition.team_abilities.get(t)) and r.grants_powers]
    text = f"{character.name}'s Outwit counters {target.name}'s {named} until {player}'s next turn begins."
    play.record(StepName.COUNTER, text, ("outwit", "counter", *((row.topic,) if row is not None else ()), *teams))
    lose_what_is_gone(play, target.id)
    if counters_capture:
        free_captives(play, target, "rescued because Capture is countered", (COUNTERING_CAPTURE, "rescue"))


def _rolls_doubles(play: Play, character: Character, captor: Character) -> bool:
    """Roll two dice where Capture would be countered; only doubles counter it (Countering Capture, 2014)."""
    topics = (COUNTERING_CAPTURE, "outwit")
    if CAPTURE in captor.countered:
        raise Illegal(f"{captor.name}'s Capture is already countered.", topics)
    play.this_action.next_step = StepName.ROLL
    roll = roll_dice(play, COUNTERING_CAPTURE, 2, character)
    doubles = roll.dice[0] == roll.dice[1]
    done = "doubles counter it" if doubles else "without doubles it isn't countered"
    text = f"{character.name} rolls {roll.written} to counter {captor.name}'s Capture: {done}."
    play.record(StepName.ROLL, text, topics, {"dice": list(roll.dice)})
    play.this_action.next_step = StepName.COUNTER
    return doubles


def _may_be_turned_off(play: Play, target: Character) -> list[str]:
    """Return what Outwit may turn off: powers of the click, powers given by team abilities, and a flier's soaring."""
    showing = target.showing.powers if target.showing is not None else ()
    found = [name for name in showing if name not in target.countered]
    for team in target.teams:
        row = play.edition.team_abilities.get(team)
        if row is not None and row.grants_powers is not None:
            found += row.grants_powers(play, target)
    if flies(target) and target.flight is Flight.SOARING:
        found.append(SOARING)
    capturing = COUNTERING_CAPTURE in play.edition.topics and CAPTURE not in target.countered
    if capturing and captives_of(play, target):
        found.append(CAPTURE)
    return list(dict.fromkeys(found))


def refuses_support(play: Play, character: Character, target: Character) -> str | None:
    """Return why Support can't heal a character: it is a Sentinel (2002), or an opponent is adjacent to either."""
    if why := why_unaffected(play, target, "Support"):
        return f"Support doesn't affect {target.name}: {why}."
    for one in (character, target):
        figure = figure_of(play, one)
        if figure is not None and opponents_beside(play, figure, "close"):
            return f"{one.name} is adjacent to an opponent, so Support can't be used."
    return None


def support(play: Play, given: Action, character: Character) -> None:
    """Heal an adjacent friendly character by a die, after an attack roll without modifiers against its defense.

    A value that an effect replaces counts as replaced. Sources: Support; Rolling 2 and 12.
    """
    play.this_action.next_step = StepName.TARGETS
    target = only_target(play, given)
    found = can_target(play, "close", character, target, ("Support",))
    if not found:
        sentinel = ("sentinel",) if why_unaffected(play, target, "Support") else ()
        raise Illegal(" ".join(found.because), ("support", *found.topics, "adjacency", *sentinel))
    play.record(StepName.TARGETS, f"{character.name} uses Support on {target.name}.", ("support", "friendly-figures"))
    roll = roll_dice(play, "support", 2, character)
    attack = Attack("close", character, target, ("Support",))
    made = without_modifiers(play, character, ValueName.ATTACK, attack)
    against = without_modifiers(play, target, ValueName.DEFENSE, attack)
    value, defense, total = made.total, against.total, made.total + roll.total
    one, other = (f"{'replaced' if tally.replacements else 'printed'} {tally.name}" for tally in (made, against))
    text = f"{character.name} rolls {roll.written}: {one} {value} + {roll.total} = {total}, against {other} {defense}."
    numbers = {"dice": list(roll.dice), "attack": value, "total": total, "defense": defense}
    parts = {"attack": made.parts, "total": with_dice(made, roll), "defense": against.parts}
    play.record(StepName.ATTACK_ROLL, text, ("support", "attack"), numbers, parts=parts)
    if roll.critical_miss:
        _support_miss(play, character, target)
        return
    outcome, sums = {"total": total, "defense": defense}, {"total": parts["total"], "defense": parts["defense"]}
    if total < defense and not roll.critical_hit:
        text = f"{total} is less than {defense}: no healing."
        play.record(StepName.MISS, text, ("support", "attack"), outcome, parts=sums)
        return
    because = ", as two 6s were rolled" if total < defense else ""
    text = f"{total} against defense {defense}: Support succeeds{because}."
    play.record(StepName.HIT, text, ("support", "attack"), outcome, parts=sums)
    healed = roll_dice(play, "support-heal", 1, character).total
    if roll.critical_hit:
        healed += 1
        play.record(StepName.CRITICAL_HIT, "Two 6s: Support heals 1 click more.", ("critical-hit", "support"))
    heal(play, play.character(target.id), healed, f"{character.name}'s Support", ("support",))


def _support_miss(play: Play, character: Character, target: Character) -> None:
    """Deal the click of a Support roll of two 1s to the healer (2002) or the patient (later); no healing."""
    hurt = character if play.edition.combat.support_misses_hurt == "healer" else target
    text = f"Two 1s: Support fails, and {hurt.name} takes 1 damage."
    play.record(StepName.CRITICAL_MISS, text, ("critical-miss", "support"), {"damage": 1})
    take(play, (Damage(play.character(hurt.id), 1, "critical-miss", character, unavoidable=True),))


PERPLEX_2002 = Power(name="Perplex", topic="perplex", action=("free",), targets="all", act=perplex)
PERPLEX = replace(PERPLEX_2002, act=perplex_onward)
SHAPE_CHANGE_2002 = Power(
    name="Shape Change",
    topic="shape-change",
    declinable="no",
    defending=Defending(shape_change=ShapeChange("shape-change", frozenset({6}))),
)
SHAPE_CHANGE = Power(
    name="Shape Change",
    topic="shape-change",
    defending=Defending(shape_change=ShapeChange("shape-change", frozenset({5, 6}))),
)
ENHANCEMENT = Power(
    name="Enhancement",
    topic="enhancement",
    lending=Lending(lend_modifier=lent_to_neighbours(ValueName.DAMAGE, 1, "ranged", "Enhancement", "enhancement")),
)
ENHANCEMENT_2002 = Power(
    name="Enhancement",
    topic="enhancement",
    lending=Lending(
        lend_modifier=lent_to_neighbours(
            ValueName.DAMAGE, 1, "ranged", "Enhancement", "enhancement", against_opponents=True
        )
    ),
)
EMPOWER = Power(
    name="Empower",
    topic="empower",
    lending=Lending(
        lend_modifier=lent_to_neighbours(ValueName.DAMAGE, 1, "close", "Empower", "empower"), lends_for="close"
    ),
)
PROBABILITY_CONTROL = Power(
    name="Probability Control", topic="probability-control", named_by_anyone=True, lending=Lending(rerolls=True)
)
THEMED_TEAM_PROBABILITY_CONTROL = Power(name=THEMED, topic="themed-team-probability-control", named_by_anyone=True)
BATTLE_FURY = Power(
    name="Battle Fury",
    topic="battle-fury",
    declinable="no",
    attacking=Attacking(may_shoot=never("{} has Battle Fury, so it can't make ranged attacks.")),
    moving=Moving(may_be_carried=never("{} has Battle Fury, so it can't be carried.")),
)
SUPPORT_2002 = Power(
    name="Support", topic="support", action=("close",), targets="friends", may_target=refuses_support, act=support
)
SUPPORT = Power(
    name="Support", topic="support", action=("power",), targets="friends", may_target=refuses_support, act=support
)
OUTWIT = Power(name="Outwit", topic="outwit", action=("free",), act=outwit)
