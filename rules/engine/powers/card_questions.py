"""On the answers to which questions an effect of a card that is left to the judge may bear."""

from __future__ import annotations

from typing import Final

from rules.engine.position.cards import Effect

ANY_ANSWER: Final = frozenset({"break-away", "can-carry", "can-target", "line-of-fire", "reachable", "value"})
_OF_IMPROVED: Final = {
    "moving": frozenset({"break-away", "reachable"}),
    "targeting": frozenset({"can-target", "line-of-fire"}),
}
_OF_KINDS: Final = {
    **dict.fromkeys(("by-hand", "can-use", "cannot-use", "cannot", "choose", "lost", "fixed"), ANY_ANSWER),
    **dict.fromkeys(("carry", "be-carried"), frozenset({"can-carry"})),
    **dict.fromkeys(("modify", "set", "least", "most", "range"), frozenset({"can-target", "reachable", "value"})),
    **dict.fromkeys(("raise", "damage", "protected"), frozenset({"value"})),
    **dict.fromkeys(("not-targeted", "targets"), frozenset({"can-target"})),
}
"""By the kind of the effect; all others do something to characters, or to damage, when their time comes."""


def bears_on(effect: Effect) -> frozenset[str]:
    """Return the questions on whose answers an effect may bear, by their names in documents."""
    if effect.do == "ignore":
        return frozenset().union(*(asked for key, asked in _OF_IMPROVED.items() if effect.words(key)))
    return _OF_KINDS.get(effect.do, frozenset())
