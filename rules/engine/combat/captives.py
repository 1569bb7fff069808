"""Captives: which ones a character holds, how many it may hold, where it may release them.

The acts of capturing, rescuing and releasing are powers (`sentinels`).
"""

from __future__ import annotations

from rules.engine.figures.standing import ground_of, home_of
from rules.engine.play import Play
from rules.engine.position.characters import Character
from rules.engine.reasons import ReasonedAnswer, no, yes


def captives_of(play: Play, captor: Character) -> list[Character]:
    """Return the captives of a character."""
    return [one for one in play.position.characters() if one.captured_by == captor.id and not one.knocked_out]


def hands_full(play: Play, captor: Character) -> ReasonedAnswer | None:
    """Return why a captor can't make close attacks or capture, or None: two captives (2002), three (2014).

    Sources: Sentinels Rules › Capturing (2002); Capture (2014).
    """
    held = len(captives_of(play, captor))
    most = play.edition.sentinels.captives_that_fill_hands
    return (
        no(f"{captor.name} holds {held} captives, so it can't make close attacks.", "capture") if held >= most else None
    )


def may_release(play: Play, captor: Character) -> ReasonedAnswer:
    """Return whether a captor may release captives: its whole base is in its starting area."""
    player = play.player_of(captor)
    home = home_of(play, player)
    inside = bool(home) and not ground_of(play).bits(captor.squares) & ~home
    if not captor.on_map or not inside:
        text = f"{captor.name} can release a captive only with its whole base within {player}'s starting area."
        return no(text, "release", "capture", "starting-area")
    return yes(f"{captor.name}'s whole base is within {player}'s starting area.", "release", "starting-area")
