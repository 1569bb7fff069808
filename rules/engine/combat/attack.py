"""The sequence of an attack, in the books' order: targets, roll, hits, damage, knock back, and effects that follow.

Read `make_attack` first. Each step is one paragraph of the book and ends by recording a step. Powers in use shape the
attack's `Strike` before the sequence begins; their effects at each moment come from their rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.changes import with_changes
from rules.engine.combat.damage import take
from rules.engine.combat.hits import attack_on, determine_hits, missed_by, note_no_disguise, roll_attack
from rules.engine.combat.holding import land, use_up
from rules.engine.combat.knocked_back import held_in_place, knock_back_the_hit
from rules.engine.combat.line_of_fire import Line
from rules.engine.combat.moments import come_to, come_to_as_of, note_success
from rules.engine.combat.roll import Roll, roll_dice
from rules.engine.combat.strike import AttackResult, Hit, weight_of
from rules.engine.combat.targets import barred_from_attacking, can_target, line_to
from rules.engine.combat.unknown import announce
from rules.engine.errors import AwaitingChoice, Illegal, TargetRefused, Untargeted
from rules.engine.figures.abilities import (
    borrowed,
    keep_to,
    one_team_ability,
    powers_of,
    sees_past,
    team_abilities_of,
    why_unaffected,
)
from rules.engine.figures.standing import ground_of
from rules.engine.figures.values import printed_value, sharers, value_of
from rules.engine.met import Met
from rules.engine.overrides import BY_JUDGE
from rules.engine.play import Attack, Damage, Play, Strike
from rules.engine.position.cards import CardMoment
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.position.objects import ObjectKind
from rules.engine.position.position import Position
from rules.engine.position.squares import Square
from rules.engine.power import Power
from rules.engine.reasons import Modifier, Part, Parts, Replacement, Tally, in_words, listed
from rules.engine.steps import StepName


def make_attack(play: Play, strike: Strike) -> AttackResult:
    """Resolve one attack from its targets to the effects that follow it, and return its result.

    Raises Illegal for a target that may not be attacked, TargetRefused if Shape Change protected every target.
    """
    with play.this_action.notes.within(), one_team_ability(play):
        play.this_action.notes.aim(strike.targets)
        play.note(*(f"attack:{topic}" for topic in strike.topics))
        before, play.strike = play.strike, strike
        try:
            return _made(play, strike)
        finally:
            play.strike = before


def _made(play: Play, strike: Strike) -> AttackResult:
    choose_targets(play, strike)
    announce(play, *map(play.character, strike.targets))
    play.strike = strike = shape_change(play, strike)
    come_to(play, CardMoment.WHEN_ATTACKING, play.character(strike.attacker))
    if CardMoment.WHEN_ATTACKING in play.moments:
        play.strike = strike = among_those_left(play, strike)
    draw_lines(play, strike)
    landing = use_object(play, strike)
    before = play.this_action.powerless
    if strike.ignores_powers:
        _ignore_powers(play, strike)
    try:
        roll = roll_attack(play, strike)
        hits = determine_hits(play, strike, roll)
        then, missed = play.position, missed_by(play, strike, hits) if play.carded else ()
        come_to(play, CardMoment.WHEN_HIT, *(play.character(hit.character) for hit in hits))
        held = held_in_place(play, strike, hits)
        if landing is not None and strike.object is not None:
            land(play, strike.object, landing)
        taken = deal_damage(play, strike, roll, hits)
        take_effect(play, strike, hits)
        knock_back_the_hit(play, strike, roll, hits, taken, held)
        suffer_critical_miss(play, strike, roll)
        count_attack(play, strike)
        _come_to_its_end(play, strike, hits, missed, then)
    finally:
        play.this_action.powerless = before
    return AttackResult(roll, hits, taken)


def _come_to_its_end(
    play: Play, strike: Strike, hits: tuple[Hit, ...], missed: tuple[str, ...], then: Position
) -> None:
    """Let the effects of cards happen that an attack has triggered, of its attacker, its targets and others it reached.

    `then`: the position as the hits were determined.
    """
    if play.carded:
        play.this_action.hit, play.this_action.missed = tuple(hit.character for hit in hits), missed
        come_to_as_of(play, CardMoment.AFTER_HIT if hits else CardMoment.AFTER_MISS, strike.attacker, then)
        for name in dict.fromkeys((strike.attacker, *strike.targets, *play.this_action.hit, *missed)):
            come_to_as_of(play, CardMoment.AFTER_ATTACK, name, then)


# ── Targets ────────────────────────────────────────────────────────────────────────────────────


def choose_targets(play: Play, strike: Strike) -> None:
    """Check every target: no duplicates, no more than the bolts allow, each one a legal target from here.

    Sources: Close Combat, Ranged Combat, Multiple Ranged Combat Targets, Targeting Friendly Figures.
    """
    attacker = play.character(strike.attacker)
    play.this_action.next_step = StepName.TARGETS
    if barred := barred_from_attacking(play, attacker):
        raise Illegal(barred[0], ("attack",))
    if not strike.targets and not strike.area:
        raise Untargeted("An attack needs a target.", ("targeting",))
    unchecked = strike.checked or _allowed_by_judge(play, strike)
    if len(set(strike.targets)) != len(strike.targets):
        raise Illegal("One attack can't target the same character twice.", ("multiple-targets", "targeting"))
    most = max(1, attacker.bolts) if strike.kind == "ranged" and not strike.thrown else 1
    for row in powers_of(play, attacker) if play.carded and not strike.thrown else ():
        if row.attacking.most_targets is not None:
            most = row.attacking.most_targets(play, attacker, strike.kind, most)
    if len(strike.targets) > most and not strike.area:
        allowed = f"{most} target{'' if most == 1 else 's'}"
        raise Illegal(f"{attacker.name} can attack only {allowed}, not {len(strike.targets)}.", ("multiple-targets",))
    topics: list[str] = []
    because: list[str] = []
    for name in strike.targets:
        target = play.character(name)
        if strike.area:
            changing = [row.topic for row in powers_of(play, target) if row.defending.shape_change is not None]
            play.note(*changing, of=name)
            held = play.position.object(target.holding) if target.holding is not None else None
            if held is not None and held.kind in (ObjectKind.HEAVY, ObjectKind.ULTRA_HEAVY):
                play.note(Met.TARGET_HOLDS_HEAVY, of=name)
            topics += changing
        if strike.area or unchecked:
            continue
        found = can_target(play, strike.kind, attacker, target, strike.using, strike.reach)
        if not found:
            rows = [row.topic for row in powers_of(play, attacker) if row.attacking.reaches_other_elevations]
            raise Illegal(" ".join(found.because), (*strike.topics, *found.topics, *rows))
        line = line_to(play, attacker, target).because if strike.kind == "ranged" else ()
        because += [said for said in found.because if said not in line]
        topics += found.topics
        play.note(*found.topics, of=name)
    if strike.area:
        play.note(Met.ALONE_IN_AREA if len(strike.targets) == 1 else Met.SEVERAL_IN_AREA)
        if any(play.friendly(attacker, play.character(name)) for name in strike.targets):
            play.note(Met.FRIEND_IN_AREA)
    names = listed([play.character(name).name for name in strike.targets]) or "no one"
    more = ("multiple-targets",) if len(strike.targets) > 1 and not strike.area else ()
    general = (f"{strike.kind}-combat", "targeting", *more, *strike.topics)
    play.record(
        StepName.TARGETS,
        f"{attacker.name} makes a {play.edition.attack(strike.kind)} against {names}. {' '.join(dict.fromkeys(because))}".strip(),
        (*general, *topics),
        {"from": strike.attacker, "targets": list(strike.targets)},
        apart=set(topics).difference(general),
    )


def _allowed_by_judge(play: Play, strike: Strike) -> bool:
    """Return whether a judge allows these targets; note any lines of fire to them that a judge has overridden."""
    if not play.overrides:
        return False
    legal = play.ruled(StepName.TARGETS).legal
    seen = {name: play.ruled(StepName.LINE_OF_FIRE, name).line for name in strike.targets}
    play.this_action.next_step = StepName.TARGETS
    play.lines = {(strike.attacker, name): line for name, line in seen.items() if line}
    return play.this_action.allowed if legal is None else legal


def shape_change(play: Play, strike: Strike) -> Strike:
    """Return the attack without the targets protected by Shape Change. Raises TargetRefused if none is left.

    Sources: Shape Change; the Skrulls. Shape Change has no effect on the Sentinels of 2002.
    """
    attacker = play.character(strike.attacker)
    if strike.area:
        why = "the attack ignores it" if strike.ignores_powers else "the attack chooses no targets"
        for name in strike.targets:
            note_no_disguise(play, strike, play.character(name), why)
        return strike
    left = []
    for name in strike.targets:
        target = play.character(name)
        if play.friendly(attacker, target) or not _changes_shape(play, attacker, target):
            left.append(name)
    if not left:
        raise TargetRefused
    return with_changes(strike, targets=tuple(left))


def among_those_left(play: Play, strike: Strike) -> Strike:
    """Return the attack on those targets that effects of cards at its beginning have left on the map.

    Raises TargetRefused if none is left, or the attacker isn't. Source: KO (2020s): who is KO'd is affected no more.
    """
    attacker, targets = play.character(strike.attacker), [play.character(name) for name in strike.targets]
    gone = [attacker] if not attacker.on_map else [one for one in targets if not one.on_map]
    if not gone:
        return strike
    left = tuple(one.id for one in targets if one not in gone)
    ends = "can't attack" if attacker in gone else "can't be attacked"
    text = f"{listed([one.name for one in gone])} {ends}: no longer on the map."
    play.record(StepName.NOTE, text, ("targeting", *strike.topics))
    if attacker in gone or not left:
        raise TargetRefused
    return with_changes(strike, targets=left)


def _ignore_powers(play: Play, strike: Strike) -> None:
    """Ignore the powers of an attack's targets, and note which defensive ones don't help them."""
    before, ignored = play.this_action.powerless, play.this_action.powerless | frozenset(strike.targets)
    for target in map(play.character, strike.targets):
        play.this_action.powerless = ignored
        kept = [row.name for row in powers_of(play, target)]
        play.this_action.powerless = before
        for row in powers_of(play, target):
            if row.name not in kept and _helps(play, strike, target, row):
                text = f"{row.name} doesn't help {target.name}: the attack ignores it."
                play.record(StepName.NOTE, text, (row.topic, *strike.topics), of=target.id)
        _note_not_lent(play, strike, target)
    play.this_action.powerless = ignored


def _note_not_lent(play: Play, strike: Strike, target: Character) -> None:
    """Note the friends whose higher defense the target can't use, because the attack ignores what lends it."""
    attack = Attack(strike.kind, play.character(strike.attacker), target, strike.using)
    rows = {row.name: row for row in (*play.edition.powers.values(), *play.edition.team_abilities.values())}
    for owner, name, number in sharers(play, target, ValueName.DEFENSE, attack):
        if number > printed_value(target, ValueName.DEFENSE):
            text = f"{owner.name} ({name}) doesn't help {target.name}: the attack ignores it."
            play.record(StepName.NOTE, text, (rows[name].topic, *strike.topics), of=target.id)


def _helps(play: Play, strike: Strike, target: Character, row: Power) -> bool:
    """Return whether an ability would let the target evade this attack, or change its damage or the target's defense."""
    attacker, reduces = play.character(strike.attacker), row.defending.reduce_damage
    attack = Attack(strike.kind, attacker, target, strike.using)
    if row.defending.evade or (reduces is not None and row.topic):
        return True
    if reduces is not None and reduces(play, target, Damage(target, 1, "attack", attacker, attack)):
        return True
    return row.modify_value is not None and any(row.modify_value(play, target, ValueName.DEFENSE, attack))


def _note_declined(play: Play, target: Character) -> None:
    """Note that a target's player declines a power that would be rolled for now."""
    shown = target.showing
    for name in shown.powers if shown is not None else ():
        row = play.edition.powers.get(name)
        if row is None or row.defending.shape_change is None or name in target.countered:
            continue
        if f"{row.topic}:{target.id}" in play.this_turn.declined:
            text = f"{target.name} doesn't roll for {row.name}: its player declines it."
            play.record(StepName.NOTE, text, (row.topic, "optional-powers"), of=target.id)


def _changes_shape(play: Play, attacker: Character, target: Character) -> bool:
    _note_declined(play, target)
    for power in powers_of(play, target):
        change = power.defending.shape_change
        if change is None:
            continue
        if why_unaffected(play, attacker, power.name):
            continue
        keep_to(play, target, power)
        ruled = play.ruled(StepName.SHAPE_CHANGE, target.id).succeeds
        if ruled is not None:
            if ruled:
                return True
            continue
        roll = roll_dice(play, f"{change.roll}:{target.id}", 1, target)
        succeeds = roll.total in change.on
        done = "the attack can't be made" if succeeds else "the attack goes on"
        text = f"{target.name} rolls {roll.total} for {power.name}: {done}."
        play.record(StepName.SHAPE_CHANGE, text, (power.topic, "targeting"), {"roll": roll.total}, of=target.id)
        if succeeds:
            note_success(play, target, power.name)
            play.note(Met.TARGET_REFUSED, of=target.id)
            return True
    return False


def draw_lines(play: Play, strike: Strike) -> None:
    """Record the line of fire to each target of a ranged attack."""
    if strike.kind != "ranged":
        return
    attacker = play.character(strike.attacker)
    for name in strike.targets:
        _keep_to_sight(play, attacker, play.character(name))
        line = line_to(play, attacker, play.character(name), strike.sees_past)
        topics = ("line-of-fire", *line.topics)
        numbers = {"modifier": line.modifier, "from": strike.attacker, "to": name}
        parts = {"modifier": line.parts}
        play.record(StepName.LINE_OF_FIRE, " ".join(line.because), topics, numbers, parts=parts, of=name)
        if not play.lines:
            _note_not_hidden(play, attacker, play.character(name), line)


def _note_not_hidden(play: Play, attacker: Character, target: Character, line: Line) -> None:
    """Note why a power that hides its owner behind hindering terrain doesn't hide this target."""
    for row in powers_of(play, target) if not play.friendly(attacker, target) else ():
        if row.defending.hides_behind_hindering:
            ignores = "stealth" in sees_past(play, attacker)
            why = f"{attacker.name} ignores it" if ignores else _why_not_hindered(play, target, line)
            text = f"{row.name} doesn't hide {target.name}: {why}."
            play.record(StepName.NOTE, text, (row.topic, "line-of-fire"), of=target.id)


def _why_not_hindered(play: Play, target: Character, line: Line) -> str:
    """Return in words why no hindering terrain lies on a line."""
    ground = ground_of(play)
    crossed = ground.bits(line.squares[1:])
    if ground.hindering_sight & ground.bits(target.squares):
        return f"the line leads to {line.end}, which isn't hindering terrain"
    if ground.hindering_sight & crossed:
        return "the line crosses no hindering terrain that counts"
    if ground.water & crossed:
        return "water isn't hindering terrain for lines of fire"
    return "the line crosses no hindering terrain"


def _keep_to_sight(play: Play, attacker: Character, target: Character) -> None:
    """Have a wild card keep to the team ability without which its line of fire would be worse."""
    for row in borrowed(play, attacker, powers_of(play, attacker)):
        if row.attacking.sees_past is None:
            continue
        line = line_to(play, attacker, target)
        with one_team_ability(play):
            play.this_action.set_aside |= {f"{row.topic}:{attacker.id}"}
            without = line_to(play, attacker, target)
        if (without.result, without.modifier) != (line.result, line.modifier):
            keep_to(play, attacker, row)


def use_object(play: Play, strike: Strike) -> Square | None:
    """Use the object of the attack; return the square where it will land, or None if it won't.

    A thrown object that lasts lands after the hits are determined, so it doesn't hinder the line of fire yet.
    """
    if strike.object is None:
        return None
    if "Super Strength" in play.character(strike.attacker).countered:
        play.note("super-strength", Met.TURNED_OFF)
    if not use_up(play, strike, strike.object):
        return None
    return play.character(strike.targets[0]).squares[0]


# ── Damage ─────────────────────────────────────────────────────────────────────────────────────


def deal_damage(play: Play, strike: Strike, roll: Roll, hits: tuple[Hit, ...]) -> Mapping[str, int]:
    """Deal the damage to all characters hit at once; return the damage each has taken.

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
        ruled = play.ruled(StepName.DAMAGE_DEALT, hit.character).damage
        target = play.character(hit.character)
        attack = attack_on(play, strike, target, splash_target=hit.character not in strike.targets)
        tally = damage_dealt(play, strike, attack, shares.get(hit.character), critical=critical)
        if ruled is not None:
            tally = replace(tally, changes=(*tally.changes, Modifier(ruled - tally.total, BY_JUDGE, "")))
        damage = tally.total * (hit.times if ruled is None else 1)
        text = f"{attacker.name} deals {target.name} {damage} damage"
        text += f" ({hit.times} × {tally.total})" if hit.times > 1 and ruled is None else ""
        text += f": {in_words(tally.parts)}." if tally.total != tally.printed else "."
        topics = ("damage-dealt", "damage", *tally.topics, *strike.topics)
        numbers = {"damage": damage, "times": hit.times, "because": tally.sentences()}
        parts = _times(tally, damage, hit.times)
        play.record(StepName.DAMAGE_DEALT, text, topics, numbers, parts={"damage": parts}, of=target.id)
        free = _pierces(play, strike, target)
        dealt = Damage(target, damage, "attack", attacker, attack, hit.targeted, free, parts=parts)
        dealt_to_each.append(dealt)
    then = play.position
    taken = take(play, dealt_to_each)
    follow(play, strike, taken, then)
    return taken


def _pierces(play: Play, strike: Strike, target: Character) -> str:
    """Return the power used that makes the damage to a target penetrating, "" if none does."""
    penetrating = strike.penetrating
    if penetrating and (why_unaffected(play, target, "Psychic Blast") or why_unaffected(play, target, penetrating)):
        penetrating = ""
    return penetrating


def _times(dealt: Tally, damage: int, times: int) -> Parts:
    """Return the parts of the total damage, counted once for each time it is dealt."""
    parts = dealt.parts
    if damage != dealt.total:
        parts = (*parts, Part("changed", damage - dealt.total, f"dealt {times} times", "damage-dealt"))
    return parts


def _deal_critical_alone(play: Play, strike: Strike, hits: tuple[Hit, ...]) -> Mapping[str, int]:
    """Deal the one click of a critical hit in an attack that deals no damage itself (FAQ of 2002)."""
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
    then = play.position
    taken = take(play, dealt_to_each)
    follow(play, strike, taken, then)
    return taken


def damage_dealt(play: Play, strike: Strike, attack: Attack, share: Tally | None, *, critical: bool) -> Tally:
    """Return the damage dealt to one character, with its parts.

    A number that replaces the damage value comes first (a thrown object, a die, 1 for several targets in 2002),
    otherwise the damage value or the target's share of it; then modifiers to the damage dealt.
    """
    added = list(strike.added)
    if strike.object is not None and not strike.thrown and not play.edition.combat.object_adds_to_value:
        added.append(weight_of(strike.object.kind))
    if critical:
        added.append(Modifier(1, "a critical hit", "critical-hit"))
    attacker = play.character(strike.attacker)
    for row in powers_of(play, attacker) if play.carded and not strike.unaided else ():
        if row.attacking.adds_damage is not None:
            added += row.attacking.adds_damage(play, attacker, attack)
    value = damage_value(play, strike, attack) if share is None else share
    return replace(value, changes=(*value.changes, *added))


def damage_value(play: Play, strike: Strike, attack: Attack) -> Tally:
    """Return the attacker's damage value for this attack, with objects and Enhancement; 1 for several targets (2002)."""
    attacker = play.character(strike.attacker)
    made: list[Modifier] = list(strike.added_to_value)
    if strike.object is not None and not strike.thrown and play.edition.combat.object_adds_to_value:
        made.append(weight_of(strike.object.kind))
    fixed, because, topic = strike.damage, strike.because, strike.topic
    several = len(strike.targets) > 1 and not strike.area
    if fixed is None and several and play.edition.combat.several_targets == "one_each":
        fixed, because, topic = 1, "several targets reduce the damage value to 1", "multiple-targets"
    if fixed is None:
        return value_of(play, attacker, ValueName.DAMAGE, attack, changes=tuple(made))
    printed = value_of(play, attacker, ValueName.DAMAGE, attack)
    if strike.unaided:
        return value_of(play, attacker, ValueName.DAMAGE)
    if any(part.locked for part in printed.replacements):
        other = (Replacement(fixed, because, topic),)
        return value_of(play, attacker, ValueName.DAMAGE, attack, replacements=other, changes=tuple(made))
    raising = play.edition.combat.raises_any_damage
    lent = [one if one.topic in raising else replace(one, ignored_by=because) for one in printed.changes]
    if any(part.topic == "perplex" for part in printed.changes):
        play.note(Met.FIXED_VALUE)
    return Tally("damage", printed.printed, (Replacement(fixed, because, topic),), (*lent, *made))


def _shares(play: Play, strike: Strike, hits: tuple[Hit, ...]) -> Mapping[str, Tally]:
    """Return each target's share if the damage value is divided among the targets hit (from 2005 on)."""
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
        raise AwaitingChoice("divide", named, f"Divide {whole} damage among the characters hit.", who)
    wrong = [name for name, share in strike.divide.items() if name not in named and share]
    if wrong:
        missed = play.position.find(wrong[0])
        who = missed.name if missed is not None else wrong[0]
        raise Illegal(f"{who} wasn't hit, so it gets no share of the damage.", ("multiple-targets", "damage-dealt"))
    total = sum(strike.divide.values())
    if total != whole:
        raise Illegal(f"The shares must add up to {whole} damage, not {total}.", ("multiple-targets",))
    shares = {name: strike.divide.get(name, 0) for name in named}
    text = f"{attacker.name} divides {whole} damage: " + listed(
        [f"{share} to {play.character(name).name}" for name, share in shares.items()]
    )
    parts = {"divided": value.parts}
    topics = ("multiple-targets", "damage-dealt")
    play.record(StepName.DAMAGE_DEALT, f"{text}.", topics, {"divided": whole}, parts=parts)
    return {name: _share(value, share) for name, share in shares.items()}


def _share(value: Tally, share: int) -> Tally:
    """Return the share of the damage value that one of several targets is dealt."""
    left = Part("changed", share - value.total, "divided among several targets", "multiple-targets")
    return Tally("damage", share, origin=(*value.parts, *((left,) if left.amount else ())))


def follow(play: Play, strike: Strike, taken: Mapping[str, int], then: Position) -> None:
    """Apply the powers that follow damage, of damaged characters and of the attacker (Mystics, Steal Energy).

    `then`: the position before the damage.
    """
    attacker = play.character(strike.attacker)
    for name, damage in taken.items():
        target = play.character(name)
        attack = Attack(strike.kind, attacker, target, strike.using)
        suffered = Damage(target, damage, "attack", attacker, attack)
        come_to_as_of(play, CardMoment.WHEN_DAMAGED, name, then)
        target = play.character(name)
        rows = list(powers_of(play, target)) if target.on_map else []
        rows += [row for row in team_abilities_of(play, target) if row not in rows]
        for power in rows:
            if power.defending.after_damage is None:
                continue
            if f"{power.topic}:{target.id}" in play.this_action.set_aside:
                text = f"{target.name} is a wild card and can use only 1 team ability at a time, so it can't use"
                text += f" {power.name} now."
                wild = [row.topic for row in rows if row.name in play.edition.wild_cards]
                play.record(StepName.NOTE, text, (power.topic, *wild), of=target.id)
            elif not play.declines(power.topic, target):
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
    """Apply the effect of the power in use, beside damage, to all characters hit."""
    if strike.effect is None:
        return
    for hit in hits:
        strike.effect(play, strike, play.character(hit.character))


# ── Critical miss ──────────────────────────────────────────────────────────────────────────────


def suffer_critical_miss(play: Play, strike: Strike, roll: Roll) -> None:
    """Deal the attacker the click for two 1s; in 2005 and 2014 an attack that deals no damage costs it nothing.

    In the 2020s it is dealt after the action. Sources: Rolling 2 and 12; No Damage.
    """
    if not roll.critical_miss:
        return
    attacker = play.character(strike.attacker)
    if not strike.deals_damage and play.edition.combat.harmless_attacks_miss_harmlessly:
        text = f"The critical miss doesn't damage {attacker.name}: the attack deals no damage."
        play.record(StepName.NOTE, text, ("critical-miss", "no-damage"), of=attacker.id)
        return
    if play.edition.combat.critical_misses_wait:
        play.this_action.misses_due = (*play.this_action.misses_due, attacker.id)
        return
    _hurt_itself(play, attacker)


def suffer_what_is_due(play: Play) -> None:
    """Deal the clicks for two 1s that were put off until the action has resolved (2020s)."""
    due, play.this_action.misses_due = play.this_action.misses_due, ()
    for name in due:
        if play.character(name).on_map:
            _hurt_itself(play, play.character(name))


def _hurt_itself(play: Play, attacker: Character) -> None:
    text = f"A critical miss damages the attacker, {attacker.name}."
    play.record(StepName.CRITICAL_MISS, text, ("critical-miss", "unavoidable-damage"), {"damage": 1})
    take(play, (Damage(attacker, 1, "critical-miss", attacker, unavoidable=True),))


def count_attack(play: Play, strike: Strike) -> None:
    """Count an attack that deals damage towards the attacks made this turn."""
    attacker = play.character(strike.attacker)
    if strike.deals_damage:
        play.change(with_changes(attacker, attacks_made=attacker.attacks_made + 1))
