"""Published corrections of figures, applied to the figures of a position.

Each edition lists its corrections (`Edition.corrections`); the catalogue reads the same list.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rules.engine.position.characters import Character, SpeedSymbol
from rules.engine.position.corrections import FigureCorrection

FLYING: Final = frozenset({SpeedSymbol.WING, SpeedSymbol.TRANSPORTER_WING})


def corrected(character: Character, correction: FigureCorrection) -> tuple[Character, str]:
    """Return the corrected figure and a description of what was wrong, an empty text if nothing was.

    Source: Figure Corrections (2002).
    """
    said = []
    symbols = character.symbols
    wrong = [team for team in character.teams if team in correction.teams_removed]
    teams = character.teams
    if wrong:
        kept = tuple(team for team in teams if team not in wrong)
        teams = (*kept, *(team for team in correction.teams_added if team not in kept))
        said.append(f"its team is {', '.join(correction.teams_added)}, not {', '.join(wrong)}")
    if correction.speed_symbol is not None and FLYING & set(symbols.speed):
        ground = tuple(dict.fromkeys(correction.speed_symbol if s in FLYING else s for s in symbols.speed))
        symbols = replace(symbols, speed=ground)
        said.append(f"it doesn't fly, and its speed symbol is the {correction.speed_symbol.value}")
    dial = tuple(
        replace(click, powers=tuple(correction.powers_replaced.get(name, name) for name in click.powers))
        for click in character.dial
    )
    if dial != character.dial:
        said += [f"it has {new}, not {old}" for old, new in correction.powers_replaced.items()]
    if not said:
        return character, ""
    flight = None if symbols is not character.symbols else character.flight
    return replace(character, teams=teams, symbols=symbols, dial=dial, flight=flight), "; ".join(said)
