"""Archenemies, which matter when a force is built and when a defeat is scored.

Archenemies are in different camps of one rivalry. In the rivalry of a base colour each name is a camp; the Sentinels'
hunt has two camps. An edition names the function that returns a character's rivalries and camps.
"""

from __future__ import annotations

from typing import Final

from rules.engine.rivals import Rival, RivalKind, Rivalries, Stand

HUNTED: Final = frozenset({"x-men", "brotherhood", "the brotherhood"})
NO_RIVALRY: Final = frozenset({"black", ""})


HUNT: Final = "Sentinels and members of the X-Men or the Brotherhood"
HUNTER: Final = (Stand(HUNT, "hunter", "sentinel-archenemies"),)
PREY: Final = (Stand(HUNT, "prey", "sentinel-archenemies"),)


def no_rivalries(_figure: Rival) -> tuple[Stand, ...]:
    """Return no rivalry, for books without archenemies."""
    return ()


def by_colour(figure: Rival) -> tuple[Stand, ...]:
    """Return the rivalry of a base's colour, unless black or unknown, with the name as the camp."""
    colour = figure.base_color
    if colour is None or colour == "black":
        return ()
    colour = folded(colour).replace("grey", "gray")
    if colour in NO_RIVALRY:
        return ()
    return (Stand(f"{colour} bases", folded(figure.name), "archenemies"),)


def by_colour_or_hunt(figure: Rival) -> tuple[Stand, ...]:
    """Return the rivalry by colour, and the hunt for Sentinels and members of the X-Men and the Brotherhood."""
    stands = by_colour(figure)
    if figure.kind is RivalKind.SENTINEL:
        return stands + HUNTER
    if figure.teams and any(folded(team) in HUNTED for team in figure.teams):
        return stands + PREY
    return stands


def by_colour_and_set(figure: Rival) -> tuple[Stand, ...]:
    """Return the rivalry by colour and set symbol; none if the set isn't known."""
    if figure.set is None:
        return ()
    of_set = f" of set {folded(figure.set)}"
    return tuple(Stand(stand.rivalry + of_set, stand.camp, stand.topic) for stand in by_colour(figure))


def are_archenemies(one: Rival, other: Rival, rivalries: Rivalries) -> bool:
    """Return whether two characters are in different camps of one rivalry."""
    return any(
        mine.rivalry == theirs.rivalry and mine.camp != theirs.camp
        for mine in rivalries(one)
        for theirs in rivalries(other)
    )


def folded(name: str) -> str:
    """Return a name in the form used for comparisons: without case and outer spaces."""
    return name.strip().casefold()
