"""A character's current combat value as a tally: printed, replaced, modified.

The edition decides the order and the limits (`ValueOptions`): the Rule of Three, whether replacements by numbers come
before halving, what a locked value overrules. Attacks add the hindering terrain modifier and the modifiers of powers
for that attack.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules.engine.figures.abilities import borrowed, powers_of
from rules.engine.figures.adjacency import figures_adjacent
from rules.engine.figures.standing import figure_of, standing_of
from rules.engine.overrides import BY_JUDGE
from rules.engine.play import Attack, Play
from rules.engine.position.characters import Character
from rules.engine.position.dial import ValueName
from rules.engine.power import Bound, Power
from rules.engine.reasons import Modifier, Replacement, Tally, reckon


def printed_value(character: Character, value: ValueName) -> int:
    """Return the value printed on the current click, or on the base for range; 0 once knocked out."""
    if value is ValueName.RANGE:
        return character.range
    showing = character.showing
    return 0 if showing is None else int(getattr(showing, value.value))


MIN_DEPLETED = 1
"""The minimum damage value once an attack has been made this turn (Damage Depletion Modifier, 2014)."""


def value_of(
    play: Play,
    character: Character,
    value: ValueName,
    attack: Attack | None = None,
    *,
    replacements: tuple[Replacement, ...] = (),
    changes: tuple[Modifier, ...] = (),
) -> Tally:
    """Return a character's current value, for an attack in progress if one is given.

    `replacements` and `changes` come from the rule that asks: the halved speed of a move out of hindering terrain, the
    modifier of a held object.
    """
    options = play.edition.values
    replaced = _replaced(play, character, value, attack)
    made = [
        Modifier(given.by, given.source, _topic(play, given.source, "modifiers"))
        for given in character.modifiers
        if given.value is value
    ]
    bounds: list[Bound] = []
    powers = powers_of(play, character) if character.on_map else ()
    for power in powers:
        if power.modify_value is not None:
            made.extend(power.modify_value(play, character, value, attack))
        if power.bound_value is not None:
            bounds.extend(power.bound_value(play, character, value, attack))
    if character.on_map:
        replaced.extend(_shared(play, character, value, attack))
        made.extend(_lent(play, character, value, attack))
    if attack is not None and attack.hindered and value is ValueName.DEFENSE and _is(attack.target, character):
        made.append(
            Modifier(
                play.edition.line_of_fire.hindering_modifier,
                "the line of fire is hindered",
                "hindering-terrain",
            )
        )
    spent = _spent(play, character, value)
    if spent:
        made.append(_depletion(spent))
    tally = reckon(
        value.value,
        printed_value(character, value),
        (*replaced, *replacements),
        (*made, *changes),
        limit=options.modifiers_limit,
        numbers_first=options.numbers_before_factors,
        minimum=MIN_DEPLETED if spent else options.minimum,
        rule_of_three="rule-of-three",
        rule_of_minimums="rule-of-minimums",
    )
    return _bounded(tally, bounds) if bounds else tally


def _replaced(play: Play, character: Character, value: ValueName, attack: Attack | None) -> list[Replacement]:
    """Return the replacements of a value, but for those by values that friends share."""
    replaced = [
        Replacement(given.to, given.source, _topic(play, given.source, "modifiers"), given.locked)
        for given in character.replacements
        if given.value is value
    ]
    for power in powers_of(play, character) if character.on_map else ():
        if power.replace_value is not None:
            replaced.extend(power.replace_value(play, character, value, attack))
    return replaced


def without_modifiers(play: Play, character: Character, value: ValueName, attack: Attack) -> Tally:
    """Return a value that no modifier changes, and no friend shares; replacements count."""
    options = play.edition.values
    return reckon(
        value.value,
        printed_value(character, value),
        _replaced(play, character, value, attack),
        (),
        limit=None,
        numbers_first=options.numbers_before_factors,
        minimum=None,
        rule_of_three="rule-of-three",
        rule_of_minimums="rule-of-minimums",
    )


def _bounded(tally: Tally, bounds: list[Bound]) -> Tally:
    """Return a value within its maxima, then its minima; a locked value stays as it is."""
    if any(part.locked and part.ignored_by is None for part in tally.replacements):
        return tally
    for bound in sorted(bounds, key=lambda bound: bound.kind, reverse=True):
        total = tally.total
        if total > bound.at if bound.kind == "most" else total < bound.at:
            tally = replace(tally, changes=(*tally.changes, Modifier(bound.at - total, bound.why, "", limits=True)))
    return tally


def _is(one: Character | None, other: Character) -> bool:
    return one is not None and one.id == other.id


def _shared(play: Play, character: Character, value: ValueName, attack: Attack | None) -> list[Replacement]:
    """Return the value of a friendly character that the character may use instead, possibly passed on through others.

    A character shares a value only by a power or team ability of its own; the value may itself be shared (the chains of
    Defend, the Defenders, the Sinister Syndicate and similar abilities).
    """
    best = printed_value(character, value)
    chosen: Replacement | None = None
    for sharer, through, number in sharers(play, character, value, attack):
        if number > best:
            best = number
            chosen = Replacement(number, f"{sharer.name}'s {value.value} ({through})", _topic(play, through))
    return [chosen] if chosen is not None else []


def _topic(play: Play, through: str, otherwise: str = "team-abilities") -> str:
    if through == BY_JUDGE:
        return ""
    row = play.edition.powers.get(through) or play.edition.team_abilities.get(through)
    return row.topic if row is not None else otherwise


def sharers(
    play: Play, character: Character, value: ValueName, attack: Attack | None
) -> list[tuple[Character, str, int]]:
    """Return the printed values that reach the character along chains of sharing: (owner, power or team, number)."""
    standing = standing_of(play)
    start = figure_of(play, character)
    if start is None:
        return []
    found: list[tuple[Character, str, int]] = []
    rows = {name: kept for name, kept in _sharing(play).items() if standing.figures[name].player == start.player}
    if not rows:
        return []
    names = {row.name for kept in rows.values() for row in kept}
    for name in sorted(names):
        seen = {start.character.id}
        waiting = [start]
        while waiting:
            taker = waiting.pop()
            onward = taker is not start
            for other_id, kept in rows.items():
                row = next((row for row in kept if row.name == name), None)
                if (
                    row is None
                    or row.lending.share_value is None
                    or other_id in seen
                    or (onward and not row.lending.shares_onward)
                ):
                    continue
                giver = standing.figures[other_id]
                if not figures_adjacent(play, giver, taker):
                    continue
                if play.out_of_use and play.declines(row.topic, taker.character):
                    continue
                number = row.lending.share_value(play, giver.character, taker.character, value, attack)
                if number is None:
                    continue
                seen.add(other_id)
                waiting.append(giver)
                found.append((giver.character, name, number))
    return found


def _sharing(play: Play) -> dict[str, list[Power]]:
    """Return the abilities that share a value, by the characters that have them."""
    return _helping(play, "sharing", lambda row: row.lending.share_value is not None)


def _lending(play: Play) -> dict[str, list[Power]]:
    """Return the abilities that modify a friend's value, by the characters that have them."""
    return _helping(play, "lending", lambda row: row.lending.lend_modifier is not None)


def _helping(play: Play, name: str, helps: Callable[[Power], bool]) -> dict[str, list[Power]]:
    """Return the abilities that help in that way, by the characters on the map; cached until something changes."""
    figures = standing_of(play).figures

    def gather() -> dict[str, list[Power]]:
        rows = {of: [row for row in powers_of(play, one.character) if helps(row)] for of, one in figures.items()}
        return {of: kept for of, kept in rows.items() if kept}

    action, turn = play.this_action, play.position.turn
    return play.drawn(name, (figures, action.powerless, play.out_of_use, play.moment, turn, play.sighting), gather)


def _lent(play: Play, character: Character, value: ValueName, attack: Attack | None) -> list[Modifier]:
    """Return the modifiers from friendly characters' powers and team abilities; a wild card borrows one of these."""
    changes: list[Modifier] = []
    lenders = _lending(play)
    for friend in play.position.side_of(character.id).characters if lenders else ():
        for power in lenders.get(friend.id, ()):
            if power.lending.lend_modifier is not None:
                lent = tuple(power.lending.lend_modifier(play, friend, character, value, attack))
                changes.extend(lent)
                if lent and borrowed(play, friend, (power,)):
                    break
    return changes


def _spent(play: Play, character: Character, value: ValueName) -> int:
    """Return how many attacks of this turn reduce the damage value, in editions with damage depletion."""
    counts = value is ValueName.DAMAGE and play.edition.values.damage_depletion
    return character.attacks_made if counts else 0


def _depletion(attacks: int) -> Modifier:
    """Return the modifier for damage depletion: −1 for each attack already made this turn (2014)."""
    times = "one attack" if attacks == 1 else f"{attacks} attacks"
    return Modifier(-attacks, f"{times} already made this turn", "damage-depletion")
