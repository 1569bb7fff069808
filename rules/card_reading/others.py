"""The phrases by which card texts mean other characters: friendly or opposing, how near, of which keyword or name."""

from __future__ import annotations

import re
from typing import Any

from .words import number

Effect = dict[str, Any]
Found = re.Match[str]
ME = "\N{REPLACEMENT CHARACTER}"
"""Stands in a text where the figure names itself."""


def keywords(said: str) -> list[str]:
    """Return the keywords of "Hero or Scout"; none if other words stand among them."""
    return [] if re.search(r"\b(?:abilit|keyword|and|than|named)", said) else said.split(" or ")


SIDES = {"friendly": "friends", "opposing": "opponents"}
NAME = r"[A-Z][\w.'’/-]*(?: (?:[A-Z][\w.'’/-]*|of|the|and))*"
OTHERS = (
    r"(?:(?P<adjacent>[Aa]djacent )?(?P<other>[Oo]ther )?(?P<side>[Ff]riendly|[Oo]pposing) characters"
    rf"(?: named (?P<named>{NAME}(?: or {NAME})*))?(?: with the (?P<first>[A-Z][\w' .-]*?) keyword)?"
    r"(?:(?: that are)? within (?P<within>\d+|one|two|three|four|five|six) squares)?"
    r"(?P<seen> and line of fire)?(?: with the (?P<keyword>[A-Z][\w' .-]*?) keyword)?(?P<late> adjacent to <me>)?)"
)
"""Other characters, with their side and what else is said of them."""


def others(found: Found) -> Effect | None:
    """Return the characters of a match of `OTHERS`; None if their words aren't understood."""
    to: Effect = {"side": SIDES[found["side"].lower()]}
    places = [place for place in (found["adjacent"], found["within"], found["late"]) if place]
    keyword = [said for said in (found["first"], found["keyword"]) if said]
    if len(places) > 1 or len(keyword) > 1 or (found["seen"] and not places):
        return None
    if places:
        to["within"] = number(found["within"]) if found["within"] else "adjacent"
    if to["side"] == "friends" and to.get("within") != "adjacent" and not found["other"]:
        to["also_self"] = True  # characters are friendly to themselves, and never adjacent to themselves
    if found["seen"]:
        to["line_of_fire"] = True
    if keyword:
        to["keyword"] = keywords(keyword[0])
    if found["named"]:
        to["name"] = names(found["named"])
    return None if to.get("keyword") == [] or to.get("name") == [] else to


def names(said: str) -> list[str]:
    """Return the names of "Ada or Bo"; none if the figure itself is among them, whose whole name isn't known here."""
    return [] if ME in said else said.split(" or ")
