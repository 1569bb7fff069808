"""Position files in few words, for tests of whole disputes: figures, squares, powers, actions."""

from __future__ import annotations

from typing import Any

WALL_OF_CLICKS = 8


def figure(id: str, square: str | None, *powers: str, **facts: Any) -> dict[str, Any]:
    """Return a character with these powers on every click; `speed`, `attack`, `defense`, `damage` are its values."""
    values = {name: facts.pop(name, usual) for name, usual in VALUES.items()}
    named = facts.pop("name", id.replace("-", " ").title())
    clicks = facts.pop("clicks", WALL_OF_CLICKS)
    dial = facts.pop("dial", [{**values, "powers": list(powers)}] * clicks)
    return {"id": id, "name": named, "square": square, "points": 50, "range": 8, "dial": dial, **facts}


VALUES = {"speed": 8, "attack": 10, "defense": 15, "damage": 3}
WINGED = {"symbols": {"speed": "wing"}}


def flier(id: str, square: str, *powers: str, **facts: Any) -> dict[str, Any]:
    """Return a flier, hovering unless `flight` says otherwise."""
    return figure(id, square, *powers, **{**WINGED, **facts})


def sentinel(id: str, corner: str, *powers: str, **facts: Any) -> dict[str, Any]:
    """Return a Sentinel of 2002; `corner` is its top left square."""
    column, row = corner[0], int(corner[1:])
    right = chr(ord(column) + 1)
    squares = [f"{column}{row}", f"{right}{row}", f"{column}{row + 1}", f"{right}{row + 1}"]
    made = figure(id, None, *powers, **{"points": 200, "base": "2x2", "symbols": {"damage": "sentinel"}, **facts})
    del made["square"]
    return {**made, "squares": squares}


def dispute(
    ours: list[dict[str, Any]],
    theirs: list[dict[str, Any]],
    *actions: dict[str, Any],
    edition: str = "car-2002",
    ask: list[dict[str, Any]] | None = None,
    objects: list[dict[str, Any]] | None = None,
    build_total: int = 400,
    **ground: Any,
) -> dict[str, Any]:
    """Return a position file: the active player's figures, the opponent's, and the actions or questions.

    `ground` has `walls`, `markers`, `stairs`, `kind`, and the squares of each kind of terrain.
    """
    terrain = [
        {"type": name, "squares": ground.pop(name)}
        for name in ("hindering", "blocking", "water", "elevated", "obscuring", "indoor")
        if name in ground
    ]
    return {
        "edition": edition,
        "build_total": build_total,
        "map": {"width": 16, "height": 16, "terrain": terrain, **ground},
        "objects": objects or [],
        "sides": [{"player": "A", "characters": ours}, {"player": "B", "characters": theirs}],
        "turn": {"active": "A", "number": 9},
        "actions": list(actions),
        "ask": ask or [],
    }


def close(actor: str, *targets: str, using: tuple[str, ...] = (), **facts: Any) -> dict[str, Any]:
    """Return a close combat action."""
    return _action("close", actor, targets, using, facts)


def ranged(actor: str, *targets: str, using: tuple[str, ...] = (), **facts: Any) -> dict[str, Any]:
    """Return a ranged combat action."""
    return _action("ranged", actor, targets, using, facts)


def move(actor: str, *path: str, using: tuple[str, ...] = (), **facts: Any) -> dict[str, Any]:
    """Return a move action along these squares."""
    return _action("move", actor, (), using, {"path": list(path), **facts} if path else facts)


def power(actor: str, *path: str, using: tuple[str, ...] = (), **facts: Any) -> dict[str, Any]:
    """Return a power action, along these squares if there are any."""
    return _action("power", actor, (), using, {"path": list(path), **facts} if path else facts)


def free(actor: str, *targets: str, using: tuple[str, ...] = (), **facts: Any) -> dict[str, Any]:
    """Return a free action."""
    return _action("free", actor, targets, using, facts)


def _action(
    kind: str, actor: str, targets: tuple[str, ...], using: tuple[str, ...], facts: dict[str, Any]
) -> dict[str, Any]:
    made: dict[str, Any] = {"action": kind, "actor": actor}
    if targets:
        made["targets"] = list(targets)
    if using:
        made["using"] = list(using)
    return {**made, **facts}


def dice(*attack: int, **others: Any) -> dict[str, Any]:
    """Return dice: those of an attack, and others by name with `_` for `-` and `__` for `:`."""
    rolls: dict[str, Any] = {"attack": [list(attack)]} if attack else {}
    for name, fallen in others.items():
        rolls[name.replace("__", ":").replace("_", "-")] = [fallen if isinstance(fallen, list) else [fallen]]
    return rolls
