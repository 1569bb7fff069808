"""The sequence of an attack, as the books tell it: targets, roll, hits, damage, knock back, and what follows.

Read `make_attack` first. Each step is one paragraph of the book and ends in a record. What the powers in use make of
the attack stands in its `Strike` before the sequence begins; what they do at a moment is asked of their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rules.engine.combat.damage import take
from rules.engine.combat.holding import land, use_up
from rules.engine.combat.knock_back import directions_from, knock_back, refuses_knock_back
from rules.engine.combat.roll import Roll, roll_dice
from rules.engine.combat.strike import Hit, Struck, weight_of
from rules.engine.combat.targets import can_target, line_to, spared
from rules.engine.errors import AwaitingChoice, Illegal, Refused, Untargeted
from rules.engine.figures.abilities import powers_of, team_abilities_of
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of, leaves_unaffected, standing_of
from rules.engine.figures.values import value_of
from rules.engine.hand import BY_JUDGE
from rules.engine.met import Met
from rules.engine.play import Attack, Damage, Play, Strike, spot_of
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.squares import Square, distance
from rules.engine.reasons import Change, Part, Parts, Replacement, Tally, sum_of
from rules.engine.steps import StepName


def make_attack(play: Play, strike: Strike) -> Struck:
    """Resolve one attack from its targets to what follows it, and return what came of it.

    Raises Illegal for a target that may not be attacked, Refused where every target changed its shape.
    """
    with play.this_action.notes.within():
        return _made(play, strike)


def _made(play: Play, strike: Strike) -> Struck:
    choose_targets(play, strike)
    strike = shape_change(play, strike)
    draw_lines(play, strike)
    landing = use_object(play, strike)
    before = play.this_action.powerless
    play.this_action.powerless = before | frozenset(strike.targets if strike.ignores_powers else ())
    try:
        roll = roll_attack(play, strike)
        hits = determine_hits(play, strike, roll)
        held = held_in_place(play, strike, hits)
        if landing is not None and strike.object is not None:
            land(play, strike.object, landing)
        taken = deal_damage(play, strike, roll, hits)
        take_effect(play, strike, hits)
        knock_back_the_hit(play, strike, roll, hits, taken, held)
    finally:
        play.this_action.powerless = before
    suffer_critical_miss(play, strike, roll)
    count_attack(play, strike)
    return Struck(roll, hits, taken)


# ── Targets ────────────────────────────────────────────────────────────────────────────────────


def choose_targets(play: Play, strike: Strike) -> None:
    """Check every target: nobody twice, no more than bolts allow, each one that may be attacked from here.

    Sources: Close Combat, Ranged Combat, Multiple Ranged Combat Targets, Targeting Friendly Figures.
    """
    attacker = play.character(strike.attacker)
    play.this_action.next_step = StepName.TARGETS
    if not strike.targets and not strike.area:
        raise Untargeted("An attack needs a target.", ("targeting",))
    unchecked = strike.checked or _allowed_by_hand(play, strike)
    if len(set(strike.targets)) != len(strike.targets):
        raise Illegal("One attack never targets the same character twice.", ("multiple-targets", "targeting"))
    most = max(1, attacker.bolts) if strike.kind == "ranged" and not strike.thrown else 1
    if len(strike.targets) > most and not strike.area:
        allowed = f"{most} target{'' if most == 1 else 's'}"
        raise Illegal(f"{attacker.name} may attack {allowed}, not {len(strike.targets)}.", ("multiple-targets",))
    topics: list[str] = []
    because: list[str] = []
    for name in strike.targets:
        target = play.character(name)
        if strike.area:
            topics += [row.topic for row in powers_of(play, target) if row.defending.shape_change is not None]
        if strike.area or unchecked:
            continue
        found = can_target(play, strike.kind, attacker, target, strike.using, strike.reach)
        if not found:
            rows = [row.topic for row in powers_of(play, attacker) if row.attacking.reaches_other_elevations]
            raise Illegal(" ".join(found.because), (*strike.topics, *found.topics, *rows))
        because += found.because
        topics += found.topics
    names = _list([play.character(name).name for name in strike.targets]) or "nobody in particular"
    more = ("multiple-targets",) if len(strike.targets) > 1 and not strike.area else ()
    play.record(
        StepName.TARGETS,
        f"{attacker.name} makes a {strike.kind} attack against {names}. {' '.join(dict.fromkeys(because))}".strip(),
        (f"{strike.kind}-combat", "targeting", *more, *strike.topics, *topics),
        {"from": strike.attacker, "targets": list(strike.targets)},
        of=strike.targets[0] if len(strike.targets) == 1 else None,
    )


def _allowed_by_hand(play: Play, strike: Strike) -> bool:
    """Return whether a judge allows these targets; note how a judge sees the lines of fire to them."""
    if not play.hands:
        return False
    allowed: bool = play.ruled(StepName.TARGETS, "legal", play.this_action.allowed)
    seen = {name: play.ruled(StepName.LINE_OF_FIRE, "line", "", name) for name in strike.targets}
    play.this_action.next_step = StepName.TARGETS
    play.lines = {(strike.attacker, name): line for name, line in seen.items() if line}
    return allowed


def shape_change(play: Play, strike: Strike) -> Strike:
    """Return the attack without targets that made themselves out to be friends. Raises Refused where none is left.

    Sources: Shape Change; the Skrulls. Shape Change does nothing to the Sentinels of 2002.
    """
    if strike.area:
        return strike
    attacker = play.character(strike.attacker)
    left = []
    for name in strike.targets:
        target = play.character(name)
        if play.friendly(attacker, target) or not _changes_shape(play, attacker, target):
            left.append(name)
    if not left:
        raise Refused
    return replace(strike, targets=tuple(left))


def _changes_shape(play: Play, attacker: Character, target: Character) -> bool:
    for power in powers_of(play, target):
        change = power.defending.shape_change
        if change is None:
            continue
        if leaves_unaffected(play, attacker, power.name):
            continue
        by_hand = play.ruled(StepName.SHAPE_CHANGE, "succeeds", None, target.id)
        if by_hand is not None:
            if by_hand:
                return True
            continue
        roll = roll_dice(play, f"{change.roll}:{target.id}", 1, target)
        succeeds = roll.total in change.on
        done = "the attack cannot be made" if succeeds else "the attack goes on"
        text = f"{target.name} rolls {roll.total} for {power.name}: {done}."
        play.record(StepName.SHAPE_CHANGE, text, (power.topic, "targeting"), {"roll": roll.total}, of=target.id)
        if succeeds:
            return True
    return False


def draw_lines(play: Play, strike: Strike) -> None:
    """Record the line of fire to each target of a ranged attack."""
    if strike.kind != "ranged":
        return
    attacker = play.character(strike.attacker)
    for name in strike.targets:
        line = line_to(play, attacker, play.character(name))
        topics = ("line-of-fire", *line.topics)
        numbers = {"modifier": line.modifier, "from": strike.attacker, "to": name}
        parts = {"modifier": line.parts}
        play.record(StepName.LINE_OF_FIRE, " ".join(line.because), topics, numbers, parts=parts, of=name)


def use_object(play: Play, strike: Strike) -> Square | None:
    """Use the object that the attack is made with; return where it is still to land, None where it does not.

    A thrown object that lasts lands after the hits have been found: it does not yet hinder the line of fire.
    """
    if strike.object is None or not use_up(play, strike, strike.object):
        return None
    return play.character(strike.targets[0]).squares[0]


# ── Roll and hits ──────────────────────────────────────────────────────────────────────────────


def attack_on(play: Play, strike: Strike, target: Character | None, *, splash_target: bool = False) -> Attack:
    """Return the attack in progress against one character; to a `splash_target` no line is drawn."""
    attacker = play.character(strike.attacker)
    hindered = None
    drawn = strike.kind == "ranged" and target is not None and attacker.on_map and target.on_map and not splash_target
    if drawn and target is not None:
        hindered = line_to(play, attacker, target).modifier > 0
    return Attack(strike.kind, attacker, target, strike.using, hindered)


def roll_attack(play: Play, strike: Strike) -> Roll:
    """Roll two dice and add the attack value.

    Source: The Attack Roll of each book.
    """
    ruled = play.ruled(StepName.ATTACK_ROLL, "total", None)
    attacker = play.character(strike.attacker)
    target = play.character(strike.targets[0]) if strike.targets else None
    value = value_of(play, attacker, ValueName.ATTACK, attack_on(play, strike, target))
    roll = replace(roll_dice(play, strike.roll, 2, attacker), ruled=ruled)
    parts = with_dice(value, roll)
    wild = _wild(play, attacker, value)
    play.this_action.notes.roll_against(strike.targets)
    play.record(
        StepName.ATTACK_ROLL,
        _told_roll(attacker, roll, value),
        ("attack", *value.topics, *strike.topics, *_lenders(play, strike, attacker), *wild),
        {"dice": list(roll.dice), "attack": value.total, "total": sum_of(parts), "because": value.sentences()},
        parts={"attack": value.parts, "total": parts},
    )
    return roll


def with_dice(value: Tally, roll: Roll) -> Parts:
    """Return the parts of an attack total: of the attack value, the dice, and what a judge has made of it."""
    parts = (*value.parts, Part("rolled", roll.total, f"rolled {roll.written}", "attack"))
    if roll.ruled is None:
        return parts
    return (*parts, Part("changed", roll.ruled - sum_of(parts), BY_JUDGE))


def _told_roll(attacker: Character, roll: Roll, value: Tally) -> str:
    if roll.ruled is not None:
        return f"{attacker.name} rolls {roll.written}; attack total {roll.ruled}, {BY_JUDGE}."
    return (
        f"{attacker.name} rolls {roll.written}; attack total {value.total} + {roll.total} = {value.total + roll.total}."
    )


def _lenders(play: Play, strike: Strike, attacker: Character) -> list[str]:
    """Return the topics of the team abilities beside the attacker that lend it something, whether or not they do now."""
    own = figure_of(play, attacker)
    if own is None or strike.kind != "ranged":
        return []
    found = []
    for team in play.edition.team_abilities.values():
        if team.lending.lend_modifier is None:
            continue
        members = (f for f in standing_of(play).figures.values() if f.player == own.player and f is not own)
        near = (f for f in members if team.name in f.character.teams and figures_adjacent(play, f, own))
        if next(near, None) is not None:
            found.append(team.topic)
    return found


def _wild(play: Play, character: Character, value: Tally) -> list[str]:
    """Return the topics of a wild card that has used another team's value."""
    teams = {row.topic for row in play.edition.team_abilities.values()}
    if not any(part.topic in teams for part in value.replacements):
        return []
    wild = [team for team in character.teams if team in play.edition.wild_cards]
    return [row.topic for team in wild if (row := play.edition.team_abilities.get(team)) is not None]


def determine_hits(play: Play, strike: Strike, roll: Roll) -> tuple[Hit, ...]:
    """Compare the attack total with the defense of everybody concerned: the targets, then those beside a hit one.

    Two 1s always miss, two 6s always hit. A target that evades an explosion is missed, and so are those beside it.
    Sources: The Attack Roll; Rolling 2 and 12; Energy Explosion with its FAQ.
    """
    attacker = play.character(strike.attacker)
    if roll.critical_miss:
        for name in strike.targets:
            text = f"Two 1s: {attacker.name} misses {play.character(name).name}, whatever the total."
            play.record(StepName.MISS, text, ("critical-miss", "attack", *strike.topics), of=name)
        return ()
    if roll.critical_hit:
        text = f"Two 6s: {attacker.name} hits whatever the total, and damage dealt rises by 1."
        play.record(StepName.CRITICAL_HIT, text, ("critical-hit", *strike.topics))
    times: dict[str, int] = {}
    evaded: dict[str, bool] = {}
    for name in strike.targets:
        if not _hits(play, strike, roll, name):
            continue
        if strike.splash:
            evaded[name] = _evaded(play, strike, roll, Hit(name))
            if evaded[name]:
                continue
        times[name] = times.get(name, 0) + 1
        for other in _beside(play, strike, name):
            if _hits(play, strike, roll, other, splash_target=True):
                times[other] = times.get(other, 0) + 1
    if len(times) > 1:
        play.note(Met.SEVERAL_HIT)
    single = not strike.area or len(strike.targets) == 1
    hits = [Hit(name, number, single and name in strike.targets) for name, number in times.items()]
    return tuple(
        hit
        for hit in hits
        if not (evaded[hit.character] if hit.character in evaded else _evaded(play, strike, roll, hit))
    )


def _beside(play: Play, strike: Strike, name: str) -> list[str]:
    """Return whom the splash of a hit reaches: everybody adjacent to that target, friends too."""
    if not strike.splash:
        return []
    standing = standing_of(play)
    centre = standing.figures[name]
    reached = (f for f in standing.figures.values() if f.character.id != name)
    attacker = play.character(strike.attacker)
    beside = (f for f in reached if figures_adjacent(play, centre, f))
    return [f.character.id for f in beside if not spared(play, f.character, attacker)]


def defense_against(play: Play, strike: Strike, target: Character, *, splash_target: bool = False) -> Tally:
    """Return the defense of a character against this attack."""
    added = strike.against(play, target) if strike.against is not None else ()
    return value_of(
        play, target, ValueName.DEFENSE, attack_on(play, strike, target, splash_target=splash_target), changes=added
    )


def attack_total(play: Play, strike: Strike, target: Character, roll: Roll, *, splash_target: bool = False) -> Parts:
    """Return what makes the attack total against one character: the attack value with the dice added."""
    attacker = play.character(strike.attacker)
    looked_at = play.character(strike.targets[0]) if splash_target and strike.targets else target
    return with_dice(value_of(play, attacker, ValueName.ATTACK, attack_on(play, strike, looked_at)), roll)


def _hits(play: Play, strike: Strike, roll: Roll, name: str, *, splash_target: bool = False) -> bool:
    ruled = play.ruled(StepName.HIT, "hit", None, name)
    target = play.character(name)
    defense = defense_against(play, strike, target, splash_target=splash_target)
    made = attack_total(play, strike, target, roll, splash_target=splash_target)
    total = sum_of(made)
    hit = roll.critical_hit or total >= defense.total if ruled is None else ruled
    done = f"{'hit' if hit else 'miss'}{'' if ruled is None else f', {BY_JUDGE}'}"
    text = f"{total} against {target.name}'s defense {defense.total}: {done}."
    changed = (
        [row.topic for row in powers_of(play, target) if row.defending.shape_change is not None]
        if splash_target
        else []
    )
    topics = ("attack", *defense.topics, *strike.topics, *_wild(play, target, defense), *changed)
    numbers = {"total": total, "defense": defense.total, "because": defense.sentences()}
    parts = {"total": made, "defense": defense.parts}
    play.record(StepName.HIT if hit else StepName.MISS, text, topics, numbers, parts=parts, of=name)
    return hit


def _evaded(play: Play, strike: Strike, roll: Roll, hit: Hit) -> bool:
    """Return whether somebody who is hit evades: a hit becomes a miss.

    Sources: Super Senses; Impervious (2002), only where its bearer is the target and not against Psychic Blast.
    """
    if roll.critical_hit and not play.edition.combat.critical_hits_are_evaded:
        return False
    target = play.character(hit.character)
    if play.friendly(target, play.character(strike.attacker)) and not strike.splash and not strike.area:
        return False
    ruled = play.ruled(StepName.EVADE, "succeeds", None, target.id)
    if ruled is not None:
        if ruled:
            play.record(StepName.EVADE, f"The attack misses {target.name}, {BY_JUDGE}.", cited=False, of=target.id)
        return ruled
    for power in powers_of(play, target):
        way = power.defending.evade
        if way is None:
            continue
        if way.works is not None and not way.works(play, strike, target, hit.targeted):
            continue
        rolled = roll_dice(play, f"{way.roll}:{target.id}", 1, target)
        away = rolled.total in way.on
        text = f"{target.name} rolls {rolled.total} for {power.name}: {'the attack misses it' if away else 'hit'}."
        step = StepName.EVADE if away else StepName.ROLL
        play.record(step, text, (power.topic, *(("evade",) if away else ())), {"roll": rolled.total}, of=target.id)
        if away:
            return True
    return False


# ── Damage ─────────────────────────────────────────────────────────────────────────────────────


def deal_damage(play: Play, strike: Strike, roll: Roll, hits: tuple[Hit, ...]) -> Mapping[str, int]:
    """Deal the damage to everybody who is hit, at once; return what each has taken.

    Sources: Damage; Multiple Ranged Combat Targets; Rolling 2 and 12; No Damage.
    """
    if not hits:
        return {}
    critical = roll.critical_hit and strike.critical_hurts
    if not strike.deals_damage:
        return _deal_critical_alone(play, strike, hits) if critical else {}
    attacker = play.character(strike.attacker)
    if strike.die is not None:
        rolled = roll_dice(play, strike.die, 1, attacker)
        text = f"{attacker.name} rolls {rolled.total} for damage."
        play.record(StepName.ROLL, text, strike.topics, {"roll": rolled.total})
        strike = replace(strike, damage=rolled.total, because="the die", topic=strike.topics[0])
    shares = _shares(play, strike, hits)
    dealt_to_each = []
    for hit in hits:
        ruled = play.ruled(StepName.DAMAGE_DEALT, "damage", None, hit.character)
        target = play.character(hit.character)
        attack = attack_on(play, strike, target, splash_target=hit.character not in strike.targets)
        dealt = damage_dealt(play, strike, attack, shares.get(hit.character), critical=critical)
        if ruled is not None:
            dealt = replace(dealt, changes=(*dealt.changes, Change(ruled - dealt.total, BY_JUDGE, "")))
        damage = max(0, dealt.total) * (hit.times if ruled is None else 1)
        text = f"{attacker.name} deals {target.name} {damage} damage"
        text += f" ({hit.times} times {dealt.total})." if hit.times > 1 and ruled is None else "."
        topics = ("damage-dealt", "damage", *dealt.topics, *strike.topics)
        numbers = {"damage": damage, "times": hit.times, "because": dealt.sentences()}
        parts = _times(dealt, damage, hit.times)
        play.record(StepName.DAMAGE_DEALT, text, topics, numbers, parts={"damage": parts}, of=target.id)
        free = strike.penetrating and not leaves_unaffected(play, target, "Psychic Blast")
        dealt_to_each.append(Damage(target, damage, "attack", attacker, attack, hit.targeted, free, parts=parts))
    taken = take(play, dealt_to_each)
    follow(play, strike, taken)
    return taken


def _times(dealt: Tally, damage: int, times: int) -> Parts:
    """Return what makes the damage that is dealt in all: never less than 0, and once for each time that it is dealt."""
    parts, once = dealt.parts, max(0, dealt.total)
    if once != dealt.total:
        parts = (*parts, Part("limited", once - dealt.total, "damage is never less than 0", "damage-dealt"))
    if damage != once:
        parts = (*parts, Part("changed", damage - once, f"dealt {times} times", "damage-dealt"))
    return parts


def _deal_critical_alone(play: Play, strike: Strike, hits: tuple[Hit, ...]) -> Mapping[str, int]:
    """Deal the one click that a critical hit adds to an attack that does no damage itself (FAQ of 2002)."""
    if not play.edition.combat.critical_hits_always_hurt:
        return {}
    attacker = play.character(strike.attacker)
    dealt_to_each = []
    for hit in hits:
        target = play.character(hit.character)
        if play.friendly(attacker, target):
            continue
        text = f"The critical hit deals {target.name} 1 damage."
        parts = {"damage": (Part("printed", 1, "a critical hit", "critical-hit"),)}
        topics = ("critical-hit", "damage-dealt", *strike.topics)
        play.record(StepName.DAMAGE_DEALT, text, topics, {"damage": 1}, parts=parts, of=target.id)
        dealt_to_each.append(Damage(target, 1, "attack", attacker, attack_on(play, strike, target), hit.targeted))
    taken = take(play, dealt_to_each)
    follow(play, strike, taken)
    return taken


def damage_dealt(play: Play, strike: Strike, attack: Attack, share: Tally | None, *, critical: bool) -> Tally:
    """Return the damage dealt to one character, with all that made it.

    A number in place of the damage value comes first (a thrown object, a die, 1 for several targets in 2002), else
    the damage value or the share of it; then what is added to damage dealt.
    """
    added = list(strike.added)
    if strike.object is not None and not strike.thrown and not play.edition.combat.object_adds_to_value:
        added.append(weight_of(strike.object.kind))
    if critical:
        added.append(Change(1, "a critical hit", "critical-hit"))
    value = damage_value(play, strike, attack) if share is None else share
    return replace(value, changes=(*value.changes, *added))


def damage_value(play: Play, strike: Strike, attack: Attack) -> Tally:
    """Return the attacker's damage value for this attack: objects, Enhancement, and the 1 of several targets (2002)."""
    attacker = play.character(strike.attacker)
    made: list[Change] = list(strike.added_to_value)
    if strike.object is not None and not strike.thrown and play.edition.combat.object_adds_to_value:
        made.append(weight_of(strike.object.kind))
    fixed, because, topic = strike.damage, strike.because, strike.topic
    several = len(strike.targets) > 1 and not strike.area
    if fixed is None and several and play.edition.combat.several_targets == "one_each":
        fixed, because, topic = 1, "several targets: the damage value is reduced to 1", "multiple-targets"
    if fixed is None:
        return value_of(play, attacker, ValueName.DAMAGE, attack, changes=tuple(made))
    printed = value_of(play, attacker, ValueName.DAMAGE, attack)
    if strike.unaided:
        return value_of(play, attacker, ValueName.DAMAGE)
    lent = [part for part in printed.changes if part.topic in play.edition.combat.raises_any_damage]
    return Tally("damage", printed.printed, (Replacement(fixed, because, topic),), (*lent, *made))


def _shares(play: Play, strike: Strike, hits: tuple[Hit, ...]) -> Mapping[str, Tally]:
    """Return the share of each target where the damage value is divided among those that are hit (from 2005 on)."""
    if play.edition.combat.several_targets != "divide" or len(strike.targets) < 2 or strike.splash or strike.area:
        return {}
    attacker = play.character(strike.attacker)
    value = damage_value(play, strike, attack_on(play, strike, None))
    whole = value.total
    play.this_action.next_step = StepName.DAMAGE_DEALT
    named = [hit.character for hit in hits]
    if strike.divide is None:
        if len(named) == 1:
            return {named[0]: _share(value, whole)}
        who = play.player_of(attacker)
        raise AwaitingChoice("divide", named, f"{whole} damage is divided among those that are hit.", who)
    wrong = [name for name, share in strike.divide.items() if name not in named and share]
    if wrong:
        raise Illegal(f"{wrong[0]} is not hit and is dealt no damage.", ("multiple-targets", "damage-dealt"))
    total = sum(strike.divide.values())
    if total != whole:
        raise Illegal(f"All {whole} damage is divided among those that are hit, not {total}.", ("multiple-targets",))
    text = f"{attacker.name} divides {whole} damage: " + ", ".join(
        f"{strike.divide.get(name, 0)} to {play.character(name).name}" for name in named
    )
    parts = {"divided": value.parts}
    topics = ("multiple-targets", "damage-dealt")
    play.record(StepName.DAMAGE_DEALT, f"{text}.", topics, {"divided": whole}, parts=parts)
    return {name: _share(value, strike.divide.get(name, 0)) for name in named}


def _share(value: Tally, share: int) -> Tally:
    """Return so much of the damage value as one of several targets is dealt."""
    left = Part("changed", share - value.total, "divided among several targets", "multiple-targets")
    return Tally("damage", share, origin=(*value.parts, *((left,) if left.amount else ())))


def follow(play: Play, strike: Strike, taken: Mapping[str, int]) -> None:
    """Let follow what the powers of those who were damaged, and of the attacker, make of it (Mystics, Steal Energy)."""
    attacker = play.character(strike.attacker)
    for name, damage in taken.items():
        target = play.character(name)
        attack = Attack(strike.kind, attacker, target, strike.using)
        suffered = Damage(target, damage, "attack", attacker, attack)
        rows = list(powers_of(play, target)) if target.on_map else []
        rows += [row for row in team_abilities_of(play, target) if row not in rows]
        for power in rows:
            if power.defending.after_damage is not None and not play.declines(power.topic, target):
                power.defending.after_damage(play, target, suffered)
    damaged = next(iter(taken), None)
    attacker = play.character(strike.attacker)
    if damaged is not None and attacker.on_map and not strike.unaided:
        attack = Attack(strike.kind, attacker, play.character(damaged), strike.using)
        for power in powers_of(play, attacker):
            if power.attacking.after_damaging is not None:
                power.attacking.after_damaging(
                    play, attacker, Damage(play.character(damaged), taken[damaged], "attack", attacker, attack)
                )


def take_effect(play: Play, strike: Strike, hits: tuple[Hit, ...]) -> None:
    """Let the power in use do to everybody who is hit what it does beside damage."""
    if strike.effect is None:
        return
    for hit in hits:
        strike.effect(play, strike, play.character(hit.character))


# ── Knock back and critical miss ───────────────────────────────────────────────────────────────


def held_in_place(play: Play, strike: Strike, hits: Iterable[Hit]) -> Mapping[str, bool]:
    """Return of everybody who is hit whether anything keeps it from being knocked back, before damage turns its dial.

    Empty where the book does not look that early. Sources: Knockback (2005), Knock Back (2014), Knock Back
    Prevention (2020s).
    """
    if not play.edition.knock_back.prevented_before_damage or not strike.knocks_back:
        return {}
    attacker = play.character(strike.attacker)
    struck = [play.character(hit.character) for hit in hits]
    return {one.id: refuses_knock_back(play, one, attacker) is not None for one in struck}


def knock_back_the_hit(
    play: Play,
    strike: Strike,
    roll: Roll,
    hits: tuple[Hit, ...],
    taken: Mapping[str, int],
    held: Mapping[str, bool],
) -> None:
    """Knock back, on doubles that hit, everybody who has taken damage: the farthest from the attacker first.

    `held` says who is known to be kept in its place or not; of others it is asked now.
    Sources: Knockback of each book. In the 2020s the attacker chooses whether, once an opponent has taken damage, and
    everybody who is hit is knocked back, friends too.
    """
    play.this_action.next_step = StepName.KNOCK_BACK
    decided = play.before(StepName.KNOCK_BACK) if play.hands and hits else {}
    forced = decided.get("knock-back")
    usual = (roll.doubles or strike.always_knocks_back or _always(play, strike)) and strike.knocks_back
    if forced is False or not (usual or forced or "squares" in decided):
        return
    attacker = play.character(strike.attacker)
    concerned = [play.character(name) for name in taken]
    concerned = [one for one in concerned if one.on_map and not _kept(play, one, attacker, held)]
    if play.edition.combat.knock_back_is_chosen:
        struck = {hit.character for hit in hits}
        concerned = [one for one in concerned if one.id in struck]
        opposed = any(not play.friendly(attacker, play.character(name)) for name in taken)
        concerned = concerned if opposed else []
    if not concerned or not attacker.squares:
        return
    if play.this_action.choices.knock_back is False:
        play.note(Met.WAIVES_KNOCK_BACK)
    if play.edition.combat.knock_back_is_chosen:
        why = "Doubles that hit may knock back those who took damage."
        wanted = play.must_choose(
            play.this_action.choices.knock_back, "knock-back", (True, False), why, play.player_of(attacker)
        )
        if wanted == "unclear":
            raise Illegal("Targets are knocked back or they are not: true or false.", ("knockback",))
        if not wanted:
            return
    concerned.sort(key=lambda one: -min(distance(a, b) for a in attacker.squares for b in one.squares))
    _check_each_direction(play, concerned, attacker)
    for one in concerned:
        squares: Parts = (Part("printed", taken[one.id], "1 for each click of damage taken", "knockback"),)
        if "squares" in decided:
            squares = (*squares, Part("changed", decided["squares"] - taken[one.id], BY_JUDGE))
        targeted = any(hit.targeted for hit in hits if hit.character == one.id)
        send_back(play, play.character(one.id), attacker, squares, already_reduced=True, targeted=targeted)


def _check_each_direction(play: Play, concerned: list[Character], attacker: Character) -> None:
    """Ask for the direction of each whom the one that was chosen does not fit, where it fits another of them.

    Raises AwaitingChoice, for that character alone.
    """
    chosen = play.this_action.choices.direction
    ways = {one.id: directions_from(play, spot_of(attacker), one) for one in concerned if chosen is not None}
    ways = {name: way for name, way in ways.items() if len(way) > 1}
    if not any(chosen in way for way in ways.values()):
        return
    for name, way in ways.items():
        if chosen not in way and name not in play.this_action.choices.directions:
            why = (
                f"{play.character(name).name} cannot be knocked back {chosen}: the attacker chooses {' or '.join(way)}."
            )
            raise AwaitingChoice(f"knock-back-direction:{name}", way, why, play.player_of(attacker))


def _kept(play: Play, character: Character, attacker: Character, held: Mapping[str, bool]) -> bool:
    kept = held.get(character.id)
    return refuses_knock_back(play, character, attacker) is not None if kept is None else kept


def _always(play: Play, strike: Strike) -> bool:
    """Return whether a power of the attacker makes the attack knock back without doubles."""
    rows = [power.attacking.always_knocks_back for power in powers_of(play, play.character(strike.attacker))]
    return any(row is not None and row(strike) for row in rows)


def send_back(
    play: Play,
    character: Character,
    attacker: Character,
    squares: Parts,
    *,
    already_reduced: bool,
    targeted: bool = False,
) -> None:
    """Move a character along its knock back path and deal the damage of where that ends; what prevents it is not asked.

    `squares` is what makes the number of squares. `already_reduced` says that the knock back is part of an attack whose damage
    may have been reduced already, `targeted` that the character is a target of that attack.
    """
    if not character.on_map:
        return
    chosen = play.this_action.choices.directions.get(character.id) or play.this_action.choices.direction
    play.this_action.next_step, of = StepName.KNOCK_BACK, sum_of(squares)
    found = knock_back(play, character, spot_of(attacker), of, chosen, whatever=True)
    if found.choices:
        why = found.because[0]
        raise AwaitingChoice("knock-back-direction", found.choices, why, play.player_of(attacker))
    if chosen is not None:
        play.note(Met.OBLIQUE, of=character.id)
    if chosen is not None and _chosen_wrongly(play, character, attacker, chosen):
        raise Illegal(f"{character.name} cannot be knocked back {chosen}.", ("knockback",))
    play.change(replace(character, squares=found.ends))
    play.record(
        StepName.KNOCK_BACK,
        " ".join(found.because),
        found.topics,
        {"squares": len(found.path), "of": of, "path": [square.name for square in found.path]},
        parts={"squares": (*squares, *found.stopped), "of": squares},
        of=character.id,
    )
    if found.damage:
        fallen = "knockback-falling" if found.damage > 1 else "knockback-damage"
        text = f"{character.name} is dealt {found.damage} knock back damage."
        topics = ("knockback-damage", fallen, *found.topics)
        parts = {"damage": found.parts}
        play.record(StepName.KNOCK_BACK_DAMAGE, text, topics, {"damage": found.damage}, parts=parts, of=character.id)
        part = already_reduced and play.edition.combat.knock_back_is_part_of_the_attack
        moved = play.character(character.id)
        take(play, (Damage(moved, found.damage, "knock-back", attacker, targeted=targeted, already_reduced=part),))


def _chosen_wrongly(play: Play, character: Character, attacker: Character, direction: str) -> bool:
    found = knock_back(play, character, spot_of(attacker), 1, None, whatever=True)
    return bool(found.choices) and direction not in found.choices


def suffer_critical_miss(play: Play, strike: Strike, roll: Roll) -> None:
    """Deal the attacker the click of two 1s; an attack that does no damage costs it nothing from 2005 on.

    In the 2020s it is dealt after the action. Sources: Rolling 2 and 12; No Damage.
    """
    if not roll.critical_miss:
        return
    attacker = play.character(strike.attacker)
    if not strike.deals_damage and play.edition.combat.harmless_attacks_miss_harmlessly:
        return
    if play.edition.combat.critical_misses_wait:
        play.this_action.misses_due = (*play.this_action.misses_due, attacker.id)
        return
    _hurt_itself(play, attacker)


def suffer_what_is_due(play: Play) -> None:
    """Deal the clicks of two 1s that wait until the action has resolved (2020s)."""
    due, play.this_action.misses_due = play.this_action.misses_due, ()
    for name in due:
        if play.character(name).on_map:
            _hurt_itself(play, play.character(name))


def _hurt_itself(play: Play, attacker: Character) -> None:
    text = f"{attacker.name} has rolled two 1s and takes 1 click of damage."
    play.record(StepName.CRITICAL_MISS, text, ("critical-miss", "unavoidable-damage"), {"damage": 1})
    take(play, (Damage(attacker, 1, "critical-miss", attacker, unavoidable=True),))


def count_attack(play: Play, strike: Strike) -> None:
    """Count an attack that deals damage among those made this turn."""
    attacker = play.character(strike.attacker)
    if strike.deals_damage:
        play.change(replace(attacker, attacks_made=attacker.attacks_made + 1))


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
