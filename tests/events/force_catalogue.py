"""A small catalogue for tests of forces: a few figures of two sets, a feat, a card, objects."""

from __future__ import annotations

import datetime

from rules.services.catalogue import NewElement, catalogue_elements, record_set

OLD, NEW = "harbour", "tower"


def click(speed: int, attack: int, defense: int, damage: int, power: str = "") -> dict:
    """Return a click in the catalogue's format."""
    return {
        "speed": speed,
        "attack": attack,
        "defense": defense,
        "damage": damage,
        "powers": {"speed": power} if power else {},
    }


DIAL = [click(8, 10, 16, 3, "Leap/Climb"), click(7, 9, 15, 2), {"ko": True}]


def figure(set_code: str, number: str, name: str, points: int | None, **facts: object) -> NewElement:
    """Return a figure, on a black base unless said otherwise; `points` None if unknown."""
    known = {"points": points} if points is not None else {}
    printed = {"name": name, "number": number, "dial": DIAL, "base_color": "black", **known, **facts}
    return NewElement(set_code, "characters", printed)


def small_catalogue() -> None:
    """Create the catalogue."""
    record_set(code=OLD, name="Old Harbour", street_date=datetime.date(2002, 3, 1), edition="car-2002")
    record_set(code=NEW, name="Black Tower", street_date=datetime.date(2014, 1, 5), edition="core-2014")
    catalogue_elements(
        elements=[
            figure(OLD, "001", "Night Heron", 60, base_color="gray", rank="unique", keywords=["Watch"]),
            figure(OLD, "002", "Laughing Jack", 54, base_color="gray", teams=["Red Hand"]),
            figure(OLD, "003", "Bramble", 17),
            figure(OLD, "004", "Colossus of Rust", None),
            figure(OLD, "005", "Wrecker", 120),
            figure(
                NEW, "010", "Ada Fenwick", 100, point_options=[150, 100], keywords=["Guild"], generic_keywords=["Spy"]
            ),
            figure(NEW, "011", "Tom Fenwick", 75, keywords=["Guild"]),
            figure(NEW, "012", "Lamplighter", 25, keywords=["Guild"]),
            NewElement(
                NEW, "feats", {"name": "Slippery", "number": "F1", "points": 15, "requires": {"powers": ["Leap/Climb"]}}
            ),
            NewElement(
                NEW,
                "team_ability_cards",
                {"name": "Guild", "number": "T1", "cost_per_character": 2, "requires": {"keywords": ["Guild"]}},
            ),
            NewElement(NEW, "objects", {"name": "Dumpster", "number": "O1", "kind": "heavy"}),
        ]
    )
