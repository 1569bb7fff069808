"""Breaking away: when a roll is needed, from which opponents, and which results succeed."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.figures.abilities import moves_past, powers_of
from rules.engine.figures.adjacency import opponents_beside
from rules.engine.figures.standing import GIANT, SENTINEL, figure_of
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.figures import Figure
from rules.engine.reasons import listed

NEEDED = 4
DIE = range(1, 7)


@dataclass(frozen=True, slots=True)
class BreakAway:
    """Whether a roll is needed before moving, which results succeed, and the opponents to break away from."""

    needed: bool
    succeeds_on: tuple[int, ...]
    opponents: tuple[str, ...]
    because: tuple[str, ...]
    topics: tuple[str, ...]


def break_away(play: Play, character: Character, using: tuple[str, ...] | None = None) -> BreakAway:
    """Return the break away roll that a character on the map needs before it may move.

    4, 5 and 6 succeed in every book (the printed die faces of two of them are lost). Powers and sizes shift that; a
    rolled 1 never succeeds. `using` limits the optional powers to those named. Sources: Movement › Breaking Away of
    each book, Plasticity, giants of 2005, Size of the 2020s.
    """
    figure = figure_of(play, character)
    if figure is None:
        return BreakAway(False, (), (), (f"{character.name} isn't on the map.",), ("break-away",))
    held = opponents_beside(play, figure, "movement")
    if not held:
        because = f"No opponent is adjacent to {figure.name}, so it needs no break away roll."
        return BreakAway(False, (), (), (because,), ("break-away",))
    free = [other for other in held if _two_sizes_smaller(play, figure, other)]
    held = [other for other in held if other not in free]
    names = tuple(sorted(other.character.id for other in held))
    freely = _without_roll(play, figure, using)
    if freely is not None:
        because, topic = freely
        return BreakAway(False, (), names, (because,), ("break-away", topic))
    if not held:
        because = f"{figure.name} breaks away from characters two sizes smaller without a roll."
        return BreakAway(False, (), (), (because,), ("break-away", "size"))
    return _roll(play, figure, held, names)


def _two_sizes_smaller(play: Play, figure: Figure, other: Figure) -> bool:
    return play.edition.movement.break_away_by_size and figure.size - other.size >= 2


def _without_roll(play: Play, figure: Figure, using: tuple[str, ...] | None) -> tuple[str, str] | None:
    if figure.size == SENTINEL:
        return f"{figure.name} is a Sentinel, so it breaks away without a roll.", "sentinel"
    if "break-away" not in moves_past(play, figure.character, using):
        return None
    for power in powers_of(play, figure.character):
        if power.moving.moves_past is not None and "break-away" in power.moving.moves_past(play, figure.character):
            return f"{figure.name} has {power.name}, so it breaks away without a roll.", power.topic
    return f"{figure.name} ignores characters when it moves, so it needs no break away roll.", "movement"


def _roll(play: Play, figure: Figure, held: list[Figure], names: tuple[str, ...]) -> BreakAway:
    bonus = 0
    because = [f"{figure.name} is adjacent to {listed([other.name for other in held])} and must break away."]
    topics = ["break-away"]
    if figure.hovering or figure.soaring:
        topics.append("hovering" if figure.hovering else "soaring")
    for power in powers_of(play, figure.character):
        if power.moving.break_away_bonus is not None:
            gained = max(
                (power.moving.break_away_bonus(play, figure.character, other.character) or 0) for other in held
            )
            if gained:
                bonus += gained
                because.append(f"{figure.name}'s {power.name} makes this easier.")
                topics.append(power.topic)
    if play.edition.movement.break_away_by_size and all(other.size < figure.size for other in held):
        bonus += 1
        because.append("Only smaller characters are adjacent, which adds 1.")
        topics.append("size")
    if figure.size == GIANT and play.edition.movement.giants_break_away:
        bonus += 1
        because.append("It is a giant, which adds 1.")
        topics.append("giant")
    else:
        bonus += _holding(play, figure, held, because, topics)
    succeeds = tuple(result for result in DIE if result > 1 and (result + bonus >= NEEDED or result == 6))
    results = listed([str(result) for result in succeeds], "or")
    because.append(f"The roll succeeds {'on' if len(succeeds) > 1 else 'only on a'} {results}.")
    return BreakAway(True, succeeds, names, tuple(because), tuple(dict.fromkeys(topics)))


def _holding(play: Play, figure: Figure, held: list[Figure], because: list[str], topics: list[str]) -> int:
    """Return the greatest penalty of opponents' powers to the roll; several of them don't add up."""
    worst = 0
    for other in held:
        for power in powers_of(play, other.character):
            if power.moving.holds_back is not None:
                taken = power.moving.holds_back(play, other.character, figure.character)
                if taken is not None and taken < worst:
                    worst = taken
                    because.append(f"{other.name}'s {power.name} makes this harder.")
                    topics.append(power.topic)
    return worst
