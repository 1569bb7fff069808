"""`legality_rule`, the decorator for legality rules: one function per rule, with the rule's name.

The first line of the function's docstring is the rule's question on pages. The function yields its findings:
violations, and rules it couldn't check because a fact is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rules.engine.edition import Check, ForceCheck
from rules.engine.figures.archenemies import folded
from rules.engine.forces import Element, ForceCharacter


def legality_rule(
    title: str, *, topic: str = "", whole: bool = False, limits: bool = False, variant: str = ""
) -> Callable[[ForceCheck], Check]:
    """Return a decorator that makes a function the check of the rule with its name.

    `title` is the rule's name on pages; `topic` cites it, by default the rule's own name. The other arguments are as in
    `Check`.
    """

    def row(look: ForceCheck) -> Check:
        name = look.__name__.replace("_", "-")
        question = (look.__doc__ or "").split("\n")[0].rstrip(".")
        return Check(
            name=name,
            topic=topic or name,
            title=title,
            question=question,
            look=look,
            whole=whole,
            limits=limits,
            variant=variant,
        )

    return row


def plain_number(number: str) -> str:
    """Return a collector's number in the form used for comparisons: without case, outer spaces and leading zeros."""
    return folded(number).lstrip("0")


def refs_of(elements: Iterable[Element]) -> tuple[str, ...]:
    """Return the refs of elements, in their order."""
    return tuple([element.ref for element in elements])


def names_of(characters: Iterable[ForceCharacter]) -> str:
    """Return the names of characters as a list for a sentence, each once."""
    *others, last = sorted({one.name for one in characters})
    return f"{', '.join(others)} and {last}" if others else last
