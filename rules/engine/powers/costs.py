"""Powers that each require an action of their own, so that they can't be combined in one action."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.power import Power

CLOSE_ACTIONS_2002 = ("Blades/Claws/Fangs", "Incapacitate", "Mind Control", "Telekinesis", "Support")
RANGED_ACTIONS_2002 = ("Energy Explosion", "Pulse Wave", "Incapacitate", "Mind Control", "Telekinesis")
MOVE_ACTIONS_2002 = (
    "Force Blast",
    "Hypersonic Speed",
    "Charge",
    "Leap/Climb",
    "Phasing",
    "Running Shot",
    "Smoke Cloud",
    "Barrier",
    "Regeneration",
)
CLOSE_ACTIONS = ("Flurry", "Exploit Weakness", "Close Combat Expert", "Quake", "Incapacitate", "Mind Control")
RANGED_ACTIONS = (
    "Ranged Combat Expert",
    "Energy Explosion",
    "Pulse Wave",
    "Penetrating/Psychic Blast",
    "Psychic Blast",
    "Incapacitate",
    "Mind Control",
)


def one_to_an_action(row: Power) -> Power:
    """Return a power of 2002 that requires an action and is that action's only effect.

    Source: Turns and Actions, FAQ: an action triggers one effect that requires it. Flurry is an exception by its own
    text.
    """
    names = tuple(
        name
        for kind, actions in (
            ("close", CLOSE_ACTIONS_2002),
            ("ranged", RANGED_ACTIONS_2002),
            ("move", MOVE_ACTIONS_2002),
        )
        if kind in row.action
        for name in actions
    )
    return replace(row, cannot_join=tuple(dict.fromkeys(name for name in names if name != row.name)))


def others(names: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the other powers that require an action of that kind: one action activates one."""
    return tuple(other for other in names if other != name)
