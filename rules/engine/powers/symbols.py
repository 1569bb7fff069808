"""Abilities granted by combat symbols, in editions that have them."""

from __future__ import annotations

from rules.engine.figures.abilities import can_use
from rules.engine.figures.standing import COLOSSAL, size_of
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.power import Attacking, Moving, Power
from rules.engine.powers.building import ignoring


def has_stamina(play: Play, character: Character) -> bool:
    """Return whether a character can use Colossal Stamina: because it is colossal, or by a card."""
    name = COLOSSAL_STAMINA.name
    if size_of(character) == COLOSSAL:
        return name not in character.countered
    return play.carded and can_use(play, character, name)


FLIGHT = Power(
    name="Flight",
    topic="flying",
    declinable="no",
    moving=Moving(moves_past=ignoring("elevated", "hindering", "outdoor-blocking", "characters")),
)
SWIM = Power(name="Swim", topic="aquatic", declinable="no", moving=Moving(moves_past=ignoring("water")))
GIANT_REACH_2 = Power(name="Giant Reach", topic="giant", declinable="no", attacking=Attacking(close_reach=2))
GIANT_REACH_3 = Power(name="Giant Reach: 3", topic="colossal", declinable="no", attacking=Attacking(close_reach=3))
SHARPSHOOTER = Power(name="Sharpshooter", topic="symbols", declinable="no", attacking=Attacking(shoots_beside=True))
AUTONOMOUS = Power(name="Autonomous", topic="symbols", known=False, bears_on=frozenset())
DUO_ATTACK = Power(name="Duo Attack", topic="symbols", known=False, bears_on=frozenset())
TINY_SIZE = Power(name="Tiny Size", topic="symbols", known=False, known_in_part="the size", bears_on=frozenset())
COLOSSAL_STAMINA = Power(
    name="Colossal Stamina",
    topic="powers",
    known=False,
    known_in_part="acting with two action tokens",
    bears_on=frozenset(),
    despite_tokens=has_stamina,
)
"""Acting with two action tokens: the books name it, the rest is on the card."""
