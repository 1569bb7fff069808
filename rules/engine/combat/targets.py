"""Legal targets of close and ranged attacks, from the current positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from rules.engine.combat.captives import hands_full
from rules.engine.combat.line_of_fire import Line, line_of_fire
from rules.engine.figures.abilities import powers_of, sees_past, why_barred
from rules.engine.figures.adjacency import figures_adjacent, opponents_beside
from rules.engine.figures.standing import SENTINEL, figure_of, ground_of, home_of
from rules.engine.figures.values import value_of
from rules.engine.overrides import BY_JUDGE
from rules.engine.play import Attack, AttackKind, Play, spot_of
from rules.engine.position.characters import AttackSymbol, Character
from rules.engine.position.dial import ValueName
from rules.engine.position.edges import edge_between
from rules.engine.position.figures import Figure
from rules.engine.position.squares import Square, distance, in_squares
from rules.engine.reasons import ReasonedAnswer, Replacement, listed, no, yes


def can_target(
    play: Play,
    kind: AttackKind,
    attacker: Character,
    target: Character,
    using: tuple[str, ...] = (),
    reach: int | None = None,
) -> ReasonedAnswer:
    """Return whether an attack of that kind may target that character, with the reasons.

    `reach` replaces the range for thrown objects.

    Sources: Close Combat, Ranged Combat, Targeting Friendly Figures, first-round and first-turn immunity.
    """
    one, other = figure_of(play, attacker), figure_of(play, target)
    if one is None or other is None:
        missing = attacker if one is None else target
        return no(f"{missing.name} isn't on the map.", "targeting")
    refusal = _may_be_chosen(play, kind, one, other, using)
    if refusal is not None:
        return refusal
    if kind == "close":
        full = hands_full(play, attacker)
        if full is not None:
            return full
        return _close(play, one, other, using)
    return _ranged(play, one, other, using, reach)


def _may_be_chosen(
    play: Play, kind: AttackKind, attacker: Figure, target: Figure, using: tuple[str, ...]
) -> ReasonedAnswer | None:
    if attacker.character.id == target.character.id:
        return no(f"{attacker.name} can't target itself.", "friendly-figures")
    used = [row for name in using if (row := play.edition.powers.get(name)) is not None]
    whom = {row.targets for row in used}
    friendly = attacker.player == target.player
    if friendly and not whom & {"friends", "all"}:
        return no(f"{target.name} is friendly to {attacker.name} and can't be attacked.", "friendly-figures")
    if not friendly and whom == {"friends"}:
        return no(f"{target.name} isn't friendly to {attacker.name}.", "friendly-figures")
    if not friendly and immune(play, target):
        return no(still_immune(play, target.name), "first-turn-immunity")
    reason = why_not_targeted(play, kind, target.character, using) if play.carded and not friendly else None
    if reason is not None:
        return no(reason, "targeting")
    for row in used:
        if row.may_target is not None:
            reason = row.may_target(play, attacker.character, target.character)
            if reason is not None:
                return no(reason, row.topic)
    return None


def barred_from_attacking(play: Play, attacker: Character) -> tuple[str, ...]:
    """Return why a card lets a character attack nobody; empty if none does."""
    barred = why_barred(play, attacker, "attack")
    return (f"{attacker.name} can't attack: {barred}.",) if barred else ()


def why_not_targeted(play: Play, kind: AttackKind, target: Character, using: tuple[str, ...]) -> str | None:
    """Return why a card lets no opponent's attack of that kind, with these powers, target a character, or None."""
    for row in powers_of(play, target):
        refuses = row.defending.may_be_targeted
        if refuses is not None and (reason := refuses(play, target, kind, using)) is not None:
            return reason
    return None


def spared(play: Play, character: Character, by: Character | None) -> bool:
    """Return whether a character is still immune to an opponent's effects, including damage and knock back."""
    if by is None or play.edition.targets.first_immunity == "none" or play.friendly(character, by):
        return False
    figure = figure_of(play, character)
    return figure is not None and immune(play, figure)


def still_immune(play: Play, name: str) -> str:
    """Return the sentence that refuses an immune target by its name."""
    lasts = "round" if play.edition.targets.first_immunity == "first_round" else "turn"
    return f"{name} still has first-{lasts} immunity."


def immune(play: Play, figure: Figure) -> bool:
    """Return whether a character is still immune at the start of the game, in editions with that rule.

    A position may state it; otherwise it follows from the turn, its starting area and, in the first round, whether it
    has been given an action.
    """
    rule = play.edition.targets.first_immunity
    if rule == "none":
        return False
    if figure.character.immune is not None:
        return figure.character.immune
    if play.position.turn.number > len(play.position.sides):
        return False
    inside = bool(figure.bits) and not figure.bits & ~home_of(play, figure.player)
    if rule == "first_round":
        return inside and not figure.character.acted and not figure.character.carried
    return inside


def immunity_ended(play: Play, figure: Figure) -> bool:
    """Return whether a character has lost its immunity in the time in which others may still have it."""
    if play.edition.targets.first_immunity == "none" or play.position.turn.number > len(play.position.sides):
        return False
    begun = figure.character.immune is not None or bool(home_of(play, figure.player))
    return begun and not immune(play, figure)


def leave_home(play: Play, character: Character, squares: Iterable[Square]) -> None:
    """End the immunity of a character moved or placed in these squares: in the first round wherever they are.

    In the 2020s only if it leaves the starting area. Sources: First-Round Immunity (2014), The Rule of First Turn
    Immunity (2020s).
    """
    rule = play.edition.targets.first_immunity
    if rule == "none":
        return
    outside = ground_of(play).bits(tuple(squares)) & ~home_of(play, play.player_of(character))
    if rule == "first_round" or outside:
        play.change(replace(character, immune=False))


def _close(play: Play, attacker: Figure, target: Figure, using: tuple[str, ...]) -> ReasonedAnswer:
    adjacent = figures_adjacent(play, attacker, target, "close")
    if adjacent:
        return ReasonedAnswer(True, adjacent.because, ("close-combat", *adjacent.topics))
    if play.edition.targets.close_across_stairs:
        ground = ground_of(play)
        for one, other in product(attacker.character.squares, target.character.squares):
            edge = edge_between(one, other)
            joined = edge is not None and (edge in ground.stairs or edge in ground.ladders)
            if joined and not ground.crosses(ground.parting, one, other):
                what = "Stairs connect" if edge in ground.stairs else "A ladder connects"
                return yes(f"{what} {one} and {other}.", "close-combat", "stairs")
    reach = _long_arms(play, attacker, target)
    if reach is not None:
        return reach
    return ReasonedAnswer(False, adjacent.because, ("close-combat", *adjacent.topics))


def _long_arms(play: Play, attacker: Figure, target: Figure) -> ReasonedAnswer | None:
    """Return the answer for close attacks that powers or sizes extend: other elevations, more than one square."""
    gap = min(distance(a, b) for a, b in product(attacker.character.squares, target.character.squares))
    for power in powers_of(play, attacker.character):
        if power.attacking.reaches_other_elevations and gap == 1 and not target.soaring and not attacker.soaring:
            line = line_of_fire(play, spot_of(attacker.character), spot_of(target.character))
            walled = any(mark.topic in ("walls", "blocking-terrain") for mark in line.marks)
            if not walled:
                return yes(f"{power.name} reaches adjacent squares of any elevation.", "close-combat", power.topic)
        if 1 < gap <= power.attacking.close_reach:
            line = line_of_fire(play, spot_of(attacker.character), spot_of(target.character))
            if line.result != "blocked":
                return yes(
                    f"{attacker.name} reaches {power.attacking.close_reach} squares with {power.name}.",
                    "close-combat",
                    power.topic,
                )
    return None


def _ranged(
    play: Play, attacker: Figure, target: Figure, using: tuple[str, ...], thrown: int | None = None
) -> ReasonedAnswer:
    for power in powers_of(play, attacker.character):
        if (
            power.attacking.may_shoot is not None
            and (reason := power.attacking.may_shoot(play, attacker.character)) is not None
        ):
            return no(reason, "ranged-combat", power.topic)
    attack = Attack("ranged", attacker.character, target.character, using)
    halves = range_halves(play, attacker, target)
    if thrown is not None:
        far = range_within(play, attacker, target, thrown)
    else:
        reach = value_of(play, attacker.character, ValueName.RANGE, attack, replacements=halves)
        raised = play.edition.targets.raised_range_shoots
        if reach.total <= 0 or (reach.unmodified <= 0 and not raised):
            return no(
                f"{attacker.name} can't make ranged attacks: its range is {reach.total}.",
                *("ranged-combat", "range", *(() if raised else ("rule-of-zeroes",))),
            )
        far = reach.total
    based = _based(play, attacker, target)
    if based is not None:
        return based
    line = line_to(play, attacker.character, target.character)
    if line.result == "blocked":
        return ReasonedAnswer(False, line.because, ("ranged-combat", *line.topics))
    away = _away(attacker, target)
    halved = (" (halved: the target is soaring)", "soaring") if halves else ("",)
    if away > far:
        beyond = f"beyond {attacker.name}'s range of {far}"
        if thrown is not None:
            beyond = f"and {attacker.name} can throw the object only {far}"
        reason = f"{target.name} is {in_squares(away)} away, {beyond}{halved[0]}."
        return no(reason, "ranged-combat", "range", *halved[1:])
    within = "range" if thrown is None else "throwing range"
    because = (f"{target.name} is {in_squares(away)} away, within {within} {far}{halved[0]}.", *line.because)
    return ReasonedAnswer(True, because, ("ranged-combat", "range", *line.topics))


def _away(attacker: Figure, target: Figure) -> int:
    return min(distance(a, b) for a, b in product(attacker.character.squares, target.character.squares))


def range_halves(play: Play, attacker: Figure, target: Figure) -> tuple[Replacement, ...]:
    """Return the halving of range against a target: from below to a soaring one, except for the largest sizes.

    Sources: Ranged Combat, Soaring (2002, 2005); a half is a replacement value, applied before modifiers (2005).
    """
    if not target.soaring or attacker.soaring or attacker.size in play.edition.targets.full_range_to_soaring:
        return ()
    return (Replacement("halve", f"{target.name} is soaring", "soaring"),)


def range_within(play: Play, attacker: Figure, target: Figure, reach: int) -> int:
    """Return a stated range against a target, halved if the target soars above the attacker."""
    for half in range_halves(play, attacker, target):
        reach = half.applied_to(reach)
    return reach


def _based(play: Play, attacker: Figure, target: Figure) -> ReasonedAnswer | None:
    """Return why an adjacent opponent prevents this ranged attack, or None."""
    beside = opponents_beside(play, attacker, "ranged")
    if not beside:
        return None
    options = play.edition.targets
    character = attacker.character
    if "adjacent" in sees_past(play, character) or AttackSymbol.SHARPSHOOTER in character.symbols.attack:
        return None
    if any(power.attacking.shoots_beside for power in powers_of(play, character)) or attacker.size == SENTINEL:
        return None
    if attacker.soaring and options.soaring_shoots_past_adjacent:
        return None
    names = listed([other.name for other in beside])
    near = any(other.character.id == target.character.id for other in beside)
    if attacker.hovering or attacker.soaring:
        if near and options.fliers_shoot_adjacent:
            return None
        return no(
            f"{attacker.name} is adjacent to {names}, so {attacker.name} can shoot only at an adjacent opponent.",
            "hovering",
            "ranged-combat",
        )
    low = [other for other in beside if not other.hovering and other.size != SENTINEL]
    floating = near and (target.hovering or target.size == SENTINEL)
    if floating and options.fliers_shoot_adjacent and (not low or not options.grounded_neighbours_prevent):
        return None
    hovering = ("hovering",) if near and target.hovering else ()
    reason = f"{attacker.name} can't shoot: it is adjacent to {names}."
    if floating and options.fliers_shoot_adjacent:
        names = listed([other.name for other in low])
        reason = (
            f"{attacker.name} can't shoot at {target.name}: {names}, on the ground, {'is' if len(low) == 1 else 'are'}"
        )
        reason += f" adjacent to {attacker.name} too."
    return no(reason, "ranged-combat", "adjacency", *hovering)


def line_to(play: Play, attacker: Character, target: Character, past: frozenset[str] = frozenset()) -> Line:
    """Return the explained line of fire from attacker to target, cached until the board changes.

    `past`: what it ignores, beside what the attacker's lines always do. The cache keeps the characters, so that no
    other gets their `id`.
    """
    position = play.position
    kept: dict[tuple[int, int, frozenset[str]], tuple[Character, Character, Line]] = play.drawn(
        "lines",
        (position.sides, position.map, position.objects, play.this_action.powerless, play.out_of_use, play.moment),
        dict,
    )
    key = (id(attacker), id(target), past)
    found = kept.get(key)
    if found is None:
        improved = replace(attacker.improved, targeting=attacker.improved.targeting | past)
        seer = replace(attacker, improved=improved) if past else attacker
        found = kept[key] = (attacker, target, line_of_fire(play, spot_of(seer), spot_of(target)))
    if play.lines:
        return _overridden(play, attacker, target, found[2])
    return found[2]


def _overridden(play: Play, attacker: Character, target: Character, line: Line) -> Line:
    """Return the line as overridden by a judge, if it is."""
    seen = play.lines.get((attacker.id, target.id))
    if seen is None:
        return line
    modifier = play.edition.line_of_fire.hindering_modifier if seen == "hindered" else 0
    because = (f"The line of fire from {attacker.name} to {target.name} is {seen}, {BY_JUDGE}.",)
    return replace(line, result=seen, modifier=modifier, because=because)  # type: ignore[arg-type]
