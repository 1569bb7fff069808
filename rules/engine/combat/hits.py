"""The attack roll, and the characters it hits.

Sources: The Attack Roll, Rolling 2 and 12, Energy Explosion of each book.
"""

from __future__ import annotations

from dataclasses import replace

from rules.engine.combat.moments import note_success
from rules.engine.combat.roll import Roll, roll_dice
from rules.engine.combat.strike import Hit
from rules.engine.combat.targets import line_to, spared
from rules.engine.combat.unknown import announce
from rules.engine.figures.abilities import (
    borrowed,
    borrowing,
    count_use,
    keep_to,
    keep_to_shared,
    one_team_ability,
    powers_of,
    team_abilities_of,
)
from rules.engine.figures.adjacency import figures_adjacent, friends_beside, gap_between
from rules.engine.figures.standing import figure_of, standing_of
from rules.engine.figures.values import printed_value, sharers, value_of
from rules.engine.met import Met
from rules.engine.overrides import BY_JUDGE
from rules.engine.play import Attack, Play, Strike
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import Power
from rules.engine.reasons import Part, Parts, Tally, sum_of
from rules.engine.steps import StepName


def attack_on(play: Play, strike: Strike, target: Character | None, *, splash_target: bool = False) -> Attack:
    """Return the attack in progress against one character; no line of fire is drawn to a `splash_target`."""
    attacker = play.character(strike.attacker)
    hindered = None
    drawn = strike.kind == "ranged" and target is not None and attacker.on_map and target.on_map and not splash_target
    if drawn and target is not None:
        hindered = line_to(play, attacker, target, strike.sees_past).modifier > 0
    return Attack(strike.kind, attacker, target, strike.using, hindered)


def roll_attack(play: Play, strike: Strike) -> Roll:
    """Roll two dice and add the attack value.

    Source: The Attack Roll of each book.
    """
    ruled = play.ruled(StepName.ATTACK_ROLL).total
    attacker = play.character(strike.attacker)
    target = play.character(strike.targets[0]) if strike.targets else None
    given = attack_on(play, strike, target)
    value = value_of(play, attacker, ValueName.ATTACK, given)
    roll = replace(roll_dice(play, strike.roll, 2, attacker), ruled=ruled)
    parts = with_dice(value, roll)
    wild = [*_wild(play, attacker, value, given), *_wild_lenders(play, given)]
    keep_to_shared(play, attacker, value)
    if _handed_on(play, attacker, ValueName.ATTACK, given):
        play.note(Met.HANDED_ON)
    _note_set_aside(play, attacker, ValueName.ATTACK, given)
    _keep_to_lent(play, given)
    _note_no_help(play, strike, given)
    _note_not_shared(play, attacker, value, given)
    play.this_action.notes.roll_against(strike.targets)
    if roll.doubles:
        play.note(Met.ROLLED_DOUBLES)
    play.record(
        StepName.ATTACK_ROLL,
        _told_roll(attacker, roll, value),
        ("attack", *value.topics, *strike.topics, *_lenders(play, strike, attacker), *wild),
        {"dice": list(roll.dice), "attack": value.total, "total": sum_of(parts), "because": value.sentences()},
        parts={"attack": value.parts, "total": parts},
    )
    return roll


def with_dice(value: Tally, roll: Roll) -> Parts:
    """Return the parts of an attack total: the attack value, the dice, and a judge's override."""
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
    """Return the topics of team abilities near the attacker that can lend it something, whether or not they do now."""
    own = figure_of(play, attacker)
    if own is None or strike.kind != "ranged":
        return []
    found = []
    for team in play.edition.team_abilities.values():
        if team.lending.lend_modifier is None:
            continue
        members = (f for f in standing_of(play).figures.values() if f.player == own.player)
        near = (f for f in members if team.name in f.character.teams and figures_adjacent(play, f, own))
        if next(near, None) is not None:
            found.append(team.topic)
    return found


def _note_no_help(play: Play, strike: Strike, attack: Attack) -> None:
    """Note which friends touch the attacker's square, have an ability that helps such attacks, and yet don't help."""
    own = figure_of(play, attack.attacker)
    if own is None:
        return
    for friend in standing_of(play).figures.values():
        if friend.player != own.player or gap_between(own, friend) != 1:
            continue
        teams = team_abilities_of(play, friend.character)
        for row in dict.fromkeys((*teams, *powers_of(play, friend.character))):
            if row.lending.lend_modifier is None or row.lending.lends_for != attack.kind:
                continue
            unused = play.declines(row.topic, friend.character)
            alone = strike.unaided and row not in teams
            if not unused and not alone and _lends(play, row, friend.character, attack):
                continue
            found = figures_adjacent(play, own, friend)
            if found and alone and not unused:
                expert = next(power.name for power in play.edition.powers.values() if power.topic == strike.topic)
                why, topics = f"{expert} can't be combined with it.", strike.topics
            elif not found:
                why, topics = found.because[0], found.topics
            elif unused:
                aside = f"{row.topic}:{friend.character.id}" in play.this_action.set_aside
                why = "It uses another team ability." if aside else "Its player declines it."
                topics = ("team-abilities",)
            elif attack.target is not None and row in teams:
                line = line_to(play, friend.character, attack.target)
                why, topics = line.because[0], line.topics
            else:
                continue
            text = f"{friend.name} ({row.name}) doesn't help. {why}"
            play.record(StepName.NOTE, text, (row.topic, *topics), of=friend.character.id)


def _lends(play: Play, row: Power, friend: Character, attack: Attack) -> bool:
    """Return whether a friend's ability modifies the attacker's attack or damage value."""
    lend = row.lending.lend_modifier
    values = (ValueName.ATTACK, ValueName.DAMAGE)
    return lend is not None and any(tuple(lend(play, friend, attack.attacker, value, attack)) for value in values)


def _note_set_aside(play: Play, character: Character, value: ValueName, attack: Attack) -> None:
    """Note the friend's value that a wild card could share, had it not used another team ability in this attack."""
    aside = play.this_action.set_aside
    rows = [row for row in team_abilities_of(play, character) if f"{row.topic}:{character.id}" in aside]
    if not rows:
        return
    with one_team_ability(play):
        play.this_action.set_aside = frozenset()
        shared = value_of(play, character, value, attack)
    for row in rows:
        if row.topic in {part.topic for part in shared.replacements}:
            text = f"{character.name} is a wild card and can use only 1 team ability at a time, so it can't use {row.name}, which would"
            text += f" give it {value.value} {shared.total}."
            wild = [row.topic for row in team_abilities_of(play, character) if row.name in play.edition.wild_cards]
            play.record(StepName.NOTE, text, (row.topic, *wild), of=character.id)


def _keep_to_lent(play: Play, attack: Attack) -> None:
    """Have wild cards keep to the team ability by which they modify a friend's attack."""
    for friend in play.position.side_of(attack.attacker.id).characters:
        for row in borrowed(play, friend, powers_of(play, friend)) if friend.on_map else ():
            lend = row.lending.lend_modifier
            if lend is not None and lend(play, friend, attack.attacker, ValueName.ATTACK, attack):
                keep_to(play, friend, row)


def _wild(play: Play, character: Character, value: Tally, attack: Attack) -> list[str]:
    """Return the topics by which a wild card has used another team's value, or has given it its own."""
    shared = {part.topic for part in value.replacements}
    rows = [row for row in play.edition.team_abilities.values() if row.topic in shared]
    names = {row.name for row in rows}
    given = sharers(play, character, ValueName(value.name), attack) if names else []
    best = [owner for owner, name, number in given if name in names and number == value.unmodified]
    return [topic for one in (character, *best) for topic in borrowing(play, one, rows)]


def _wild_lenders(play: Play, attack: Attack) -> list[str]:
    """Return the topics by which wild cards modify a friend's attack."""
    friends = [one for one in play.position.side_of(attack.attacker.id).characters if one.on_map]
    found = [(one, row) for one in friends for row in borrowed(play, one, powers_of(play, one))]
    return [
        topic
        for one, row in found
        if row.lending.lend_modifier is not None
        and tuple(row.lending.lend_modifier(play, one, attack.attacker, ValueName.ATTACK, attack))
        for topic in borrowing(play, one, [row])
    ]


def _note_not_shared(play: Play, character: Character, value: Tally, attack: Attack) -> None:
    """Note the friends that touch the character's square without being adjacent, so that it can't use their value."""
    own, name = figure_of(play, character), ValueName(value.name)
    if own is None:
        return
    for friend in standing_of(play).figures.values():
        if (
            friend.player != own.player
            or gap_between(own, friend) != 1
            or (found := figures_adjacent(play, own, friend))
        ):
            continue
        for row in powers_of(play, friend.character):
            share = row.lending.share_value
            number = share(play, friend.character, character, name, attack) if share is not None else None
            if number is not None and number > value.unmodified:
                text = f"{friend.name} ({row.name}) doesn't help. {found.because[0]}"
                play.record(StepName.NOTE, text, (row.topic, *found.topics), of=friend.character.id)


def determine_hits(play: Play, strike: Strike, roll: Roll) -> tuple[Hit, ...]:
    """Compare the attack total with the defense of every target, then of characters beside a hit target if it splashes.

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
        text = f"Two 6s: {attacker.name} hits, whatever the total."
        hurts = strike.critical_hurts and (strike.deals_damage or play.edition.combat.critical_hits_always_hurt)
        if strike.deals_damage and hurts:
            text += " Damage dealt increases by 1."
        topics = ("critical-hit", *(() if hurts else ("no-damage",)), *strike.topics)
        play.record(StepName.CRITICAL_HIT, text, topics)
        if not hurts:
            text = "The critical hit adds no damage: the attack deals none."
            play.record(StepName.NOTE, text, ("critical-hit", "no-damage"), of=attacker.id)
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
            announce(play, play.character(other))
            if _hits(play, strike, roll, other, centre=name):
                if other not in times and other not in strike.targets:
                    beside = play.character(other)
                    note_no_disguise(play, strike, beside, f"{beside.name} isn't a target of the attack")
                times[other] = times.get(other, 0) + 1
    if len(times) > 1:
        play.note(Met.SEVERAL_HIT)
    if 0 < sum(name in times for name in strike.targets) < len(strike.targets):
        play.note(Met.SOME_MISSED)
    single = not strike.area or len(strike.targets) == 1
    hits = [Hit(name, number, single and name in strike.targets) for name, number in times.items()]
    return tuple(
        hit
        for hit in hits
        if not (evaded[hit.character] if hit.character in evaded else _evaded(play, strike, roll, hit))
    )


def missed_by(play: Play, strike: Strike, hits: tuple[Hit, ...]) -> tuple[str, ...]:
    """Return whom an attack misses: targets, and those beside one that are compared with the roll.

    By the FAQ of 2002 an explosion that misses its target also misses those beside it.
    """
    hit = {one.character for one in hits}
    centres = [name for name in strike.targets if name in hit or play.edition.combat.explosions_miss_neighbors]
    reached = (*strike.targets, *(other for name in centres for other in _beside(play, strike, name)))
    return tuple(name for name in dict.fromkeys(reached) if name not in hit)


def note_no_disguise(play: Play, strike: Strike, character: Character, why: str) -> None:
    """Note that an opponent can't roll for a disguise against an attack that doesn't choose it as a target.

    Sources: FAQ of Pulse Wave and of the Skrulls (2002).
    """
    for row in powers_of(play, character):
        if row.defending.shape_change is not None and not play.friendly(play.character(strike.attacker), character):
            text = f"{character.name} doesn't roll for {row.name}: {why}."
            play.record(StepName.NOTE, text, (row.topic, *strike.topics), of=character.id)


def _beside(play: Play, strike: Strike, name: str) -> list[str]:
    """Return the characters that the splash of a hit reaches: all adjacent to that target, friendly ones too."""
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
    """Return the parts of the attack total against one character: the attack value and the dice."""
    attacker = play.character(strike.attacker)
    looked_at = play.character(strike.targets[0]) if splash_target and strike.targets else target
    return with_dice(value_of(play, attacker, ValueName.ATTACK, attack_on(play, strike, looked_at)), roll)


def _hits(play: Play, strike: Strike, roll: Roll, name: str, *, centre: str | None = None) -> bool:
    splash_target = centre is not None
    ruled = play.ruled(StepName.HIT, name).hit
    target = play.character(name)
    defense = defense_against(play, strike, target, splash_target=splash_target)
    keep_to_shared(play, target, defense)
    given = attack_on(play, strike, target, splash_target=splash_target)
    _note_set_aside(play, target, ValueName.DEFENSE, given)
    _note_not_shared(play, target, defense, given)
    if defense.replacements:
        _note_sharers(play, target, given)
    made = attack_total(play, strike, target, roll, splash_target=splash_target)
    total = sum_of(made)
    hit = roll.critical_hit or total >= defense.total if ruled is None else ruled
    done = "hit" if hit else "miss"
    if splash_target and not hit:
        play.note(Met.SPLASH_MISSES)
    if ruled is not None:
        done += f", {BY_JUDGE}"
    elif hit and total < defense.total:
        done += ", as two 6s were rolled"
    where = f"Beside {play.character(centre).name}: " if centre is not None else ""
    text = f"{where}{total} against {target.name}'s defense {defense.total}: {done}."
    changed = (
        [row.topic for row in powers_of(play, target) if row.defending.shape_change is not None]
        if splash_target
        else []
    )
    topics = ("attack", *defense.topics, *strike.topics, *_wild(play, target, defense, given), *changed)
    numbers = {"total": total, "defense": defense.total, "because": defense.sentences()}
    parts = {"total": made, "defense": defense.parts}
    play.record(StepName.HIT if hit else StepName.MISS, text, topics, numbers, parts=parts, of=name)
    return hit


def _note_sharers(play: Play, target: Character, attack: Attack) -> None:
    """Note the powers of friends beside a target whose defense is replaced, for instance by theirs."""
    figure = figure_of(play, target)
    for friend in friends_beside(play, figure) if figure is not None else ():
        play.note(*(f"beside:{row.topic}" for row in powers_of(play, friend.character)), of=target.id)
    if _handed_on(play, target, ValueName.DEFENSE, attack):
        play.note(Met.HANDED_ON, of=target.id)


def _handed_on(play: Play, character: Character, value: ValueName, attack: Attack) -> bool:
    """Return whether the best value that friends share with a character comes from one that isn't adjacent to it."""
    own = figure_of(play, character)
    shared = sharers(play, character, value, attack) if own is not None else []
    best = max((number for _, _, number in shared), default=0)
    if own is None or best <= printed_value(character, value):
        return False
    beside = {friend.character.id for friend in friends_beside(play, own)}
    return beside.isdisjoint(giver.id for giver, _, number in shared if number == best)


def _evaded(play: Play, strike: Strike, roll: Roll, hit: Hit) -> bool:
    """Return whether a character that is hit evades, which turns the hit into a miss.

    Sources: Super Senses; Impervious (2002), only if the character is the target, and not against Psychic Blast.
    """
    target = play.character(hit.character)
    ways = [(power, way) for power in powers_of(play, target) if (way := power.defending.evade) is not None]
    if roll.critical_hit and not play.edition.combat.critical_hits_are_evaded:
        for power, _ in ways:
            text = f"{target.name} doesn't roll for {power.name}: a critical hit can't be evaded."
            play.record(StepName.NOTE, text, (power.topic, "critical-hit", "evade"), of=target.id)
        return False
    if play.friendly(target, play.character(strike.attacker)) and not strike.splash and not strike.area:
        return False
    ruled = play.ruled(StepName.EVADE, target.id).succeeds
    if ruled is not None:
        if ruled:
            play.record(StepName.EVADE, f"The attack misses {target.name}, {BY_JUDGE}.", cited=False, of=target.id)
        return ruled
    for power, way in ways:
        if way.works is not None and not way.works(play, strike, target, hit.targeted):
            why = "the attack ignores it" if hit.targeted else f"{target.name} isn't a target of the attack"
            neither = power.defending.reduce_damage is not None and not hit.targeted
            cannot = "can't use" if neither else "doesn't roll for"
            text = f"{target.name} {cannot} {power.name}: {why}."
            play.record(StepName.NOTE, text, (power.topic, *strike.topics), of=target.id)
            continue
        rolled = roll_dice(play, f"{way.roll}:{target.id}", 1, target)
        away = rolled.total in way.on
        done = "evades the attack" if away else "doesn't evade the attack"
        text = f"{target.name} rolls {rolled.total} for {power.name} and {done}."
        step = StepName.EVADE if away else StepName.ROLL
        play.record(step, text, (power.topic, *(("evade",) if away else ())), {"roll": rolled.total}, of=target.id)
        if power.counted_as:
            count_use(play, target.id, power.counted_as)
        if away:
            note_success(play, target, power.name)
            return True
    return False
