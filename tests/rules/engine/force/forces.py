"""Force files for tests, in few words."""

from __future__ import annotations

from typing import Any

from rules.engine import check_force

Document = dict[str, Any]
EDITIONS = ("ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern")
LATER = EDITIONS[1:]


def hero(ref: str = "a", points: int = 50, **facts: Any) -> Document:
    """Return a character; its ref is its name unless one is given."""
    return {"ref": ref, "name": ref.title(), "points": points, **facts}


def force(
    edition: str, *characters: Document, build_total: int = 300, event: Document | None = None, **lists: Any
) -> Document:
    """Return a force file."""
    return {
        "edition": edition,
        "event": {"build_total": build_total, **(event or {})},
        "force": {"characters": list(characters), **lists},
    }


def checked(edition: str, *characters: Document, **more: Any) -> Document:
    """Return the report on a force."""
    return check_force(force(edition, *characters, **more))


def dial(*clicks: list[str], **values: int) -> list[Document]:
    """Return a dial with these powers, click by click, and the same values on each."""
    return [{"speed": 8, "attack": 10, "defense": 16, "damage": 3, **values, "powers": powers} for powers in clicks]
