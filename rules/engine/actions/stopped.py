"""Reasons why a move stops or is refused, with the names of those who stand in its way."""

from __future__ import annotations

from collections.abc import Collection

from rules.engine.errors import Illegal
from rules.engine.figures.abilities import borrowing, powers_of, team_abilities_of
from rules.engine.figures.standing import standing_of
from rules.engine.met import Met
from rules.engine.movement.paths import Way
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.position.squares import Square, in_squares
from rules.engine.reasons import Parts, in_words, listed, sum_of


def why_stopped(way: Way, before: Square, square: Square) -> tuple[str, ...]:
    """Return why a move ends in a square entered from another one, and the topics of that."""
    ground, bit = way.ground, way.ground.bit(square)
    if bit & way.stopping["ground"]:
        holders = way.holders(square, "ground") or ["an opponent"]
        return f"{' and '.join(holders)} {'is' if len(holders) == 1 else 'are'} adjacent", "adjacency", "break-away"
    if not bit & way.hindering:
        return f"the corner between {before} and {square} is hindering terrain", "hindering-terrain", "intersections"
    if ground.smoke & bit:
        return "it is hindering terrain (smoke)", "hindering-terrain", "smoke-cloud"
    if ground.water & bit:
        return "it is water terrain", "water", "hindering-terrain"
    if not ground.hindering & bit:
        return "it is hindering terrain (an object)", "hindering-terrain", "objects"
    return "it is hindering terrain", "hindering-terrain"


def why_not_there(way: Way, square: Square) -> str:
    """Return why a move can't end in a square that it may enter."""
    bit = way.ground.bit(square)
    if bit & way.ground.barrier:
        return "a barrier stands there"
    if bit & way.ground.blocking:
        return "it is blocking terrain"
    other = standing_of(way.play).at.get(square)
    return f"{other.name} occupies it" if other is not None else "it is indoors, where characters can't soar"


def topics_of_end(way: Way, square: Square) -> tuple[str, ...]:
    """Return the topics of what keeps a move from ending in a square, with those of powers that let it pass."""
    bit = way.ground.bit(square)
    found = []
    if bit & way.ground.barrier:
        found.append("barrier")
    if bit & way.ground.blocking:
        found.append("blocking-terrain")
    return (*found, *(power.topic for power in powers_of(way.play, way.figure.character) if power.moving.moves_past))


def set_aside(play: Play, character: Character, refused: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return a sentence with topics on the team abilities that would ease a wild card's move, had it not used another.

    `refused` are the topics for which the move is refused. Source: the FAQ of the wild cards (2002).
    """
    out = play.this_action.set_aside
    rows = [row for row in team_abilities_of(play, character) if f"{row.topic}:{character.id}" in out]
    past = {row.name: row.moving.moves_past(play, character) for row in rows if row.moving.moves_past is not None}
    eases = {row.name: {f"{one}-terrain" for one in past.get(row.name, ())} for row in rows}
    aside = [
        row for row in rows if eases[row.name].intersection(refused) or ("carry" in refused and row.moving.passengers)
    ]
    if not aside:
        return "", ()
    names = listed([row.name for row in aside])
    sentence = (
        f" {character.name} is a wild card and can use only 1 team ability at a time, so it can't use {names} now."
    )
    return sentence, borrowing(play, character, aside)


def check_allowance(way: Way, spent: Parts, allowance: Parts) -> None:
    """Refuse a move that costs more than the character may move, with how that number comes about."""
    cost, may = sum_of(spent), sum_of(allowance)
    if cost > may:
        way.play.note(Met.TOO_FAR)
        how = f": {in_words(allowance, 'printed speed')}" if len(allowance) > 1 else ""
        more = "".join(f", plus {part.amount} for {part.why}" for part in spent[1:])
        costs = f"{cost} ({in_squares(spent[0].amount)}{more})" if more else in_squares(cost)
        text = f"The move costs {costs}, and {way.figure.name} can move only {may}{how}."
        reasons = (part.topic for part in (*spent[1:], *allowance[1:]) if part.topic is not None)
        raise Illegal(text, ("movement", *reasons))
