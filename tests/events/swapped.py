"""A result with the players' sides swapped, for tests that the side makes no difference."""

from collections.abc import Mapping
from typing import Any

from events.results.result import Result, as_json, from_json

PLAYERS_OF_A_BATTLE = frozenset(
    {
        "player",
        "abandoned_by",
        "scenario_winner",
        "attacker",
        "defender",
        "on_turn_of",
        "controller",
        "last_damaged_by",
    }
)
SWAPPED_NAME = {"A": "B", "B": "A"}


def _swap_battle(value: Any) -> Any:
    if isinstance(value, Mapping):
        swapped: dict[str, Any] = {}
        for key, inner in value.items():
            if key in PLAYERS_OF_A_BATTLE and isinstance(inner, str):
                swapped[key] = SWAPPED_NAME.get(inner, inner)
            elif key == "roll_off" and isinstance(inner, Mapping):
                swapped[key] = {SWAPPED_NAME.get(name, name): total for name, total in inner.items()}
            else:
                swapped[key] = _swap_battle(inner)
        return swapped
    return [_swap_battle(inner) for inner in value] if isinstance(value, list) else value


def typed_swapped(typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return typed values as the opponent would have typed them; twice gives the original."""
    other = {"a": "b", "b": "a", "both": "both"}
    swapped = dict(typed)
    for key in ("winner", "went_first", "map_by", "late", "abandoned_by"):
        swapped[key] = other.get(typed.get(key) or "")
    swapped["score_a"], swapped["score_b"] = typed.get("score_b"), typed.get("score_a")
    rolled = typed.get("roll_off")
    swapped["roll_off"] = {"a": rolled["b"], "b": rolled["a"]} if rolled else None
    battle = typed.get("battle")
    if battle:
        swapped["battle"] = _swap_battle(battle)
        if isinstance(swapped["battle"].get("sides"), list):
            swapped["battle"]["sides"].reverse()
    return swapped


def swapped(result: Result) -> Result:
    """Return the result with the sides swapped."""
    return from_json(typed_swapped(as_json(result)))
