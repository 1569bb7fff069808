"""The three exceptions of the engine: a document that can't be read, an illegal act, and a missing roll or choice.

Each carries what its author needs to fix it. `BadInput` is caught where a batch is read, the others where an
adjudication runs.
"""

from collections.abc import Iterable
from typing import Final

MAX_MORE: Final = 20


class BadInput(Exception):
    """A document that can't be read.

    `where` is a JSON pointer to the first fault, `message` says what is wrong. `more` are further faults of the same
    document, at most 20.
    """

    def __init__(self, where: str, message: str, more: "Iterable[BadInput]" = ()) -> None:
        super().__init__(where, message)
        self.where, self.message, self.more = where, message, tuple(more)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"

    @property
    def every(self) -> "tuple[BadInput, ...]":
        """The first fault and the further ones."""
        return (BadInput(self.where, self.message), *self.more) if self.more else (self,)

    def under(self, *keys: str | int) -> "BadInput":
        """Return the same faults with their pointers extended by `keys`, the path from a parent to the faulty value."""
        path = "".join(f"/{escaped(str(key))}" for key in keys)
        more = [BadInput(path + fault.where, fault.message) for fault in self.more]
        return BadInput(path + self.where, self.message, more)


def refuse(faults: Iterable[BadInput]) -> None:
    """Raise the faults found in a document, one for each place, as one `BadInput`; return if there are none."""
    every: dict[str, BadInput] = {}
    for fault in faults:
        for one in fault.every:
            every.setdefault(one.where, one)
        if len(every) > MAX_MORE:
            break
    if every:
        first, *more = list(every.values())[: 1 + MAX_MORE]
        raise BadInput(first.where, first.message, more)


class Illegal(Exception):
    """An act that the rules or a judge don't allow; `reason` says why, `topics` cite the rule.

    `around` are cited too, but the act doesn't fail on them.
    """

    def __init__(
        self, reason: str, topics: Iterable[str] = (), *, around: Iterable[str] = (), by_judge: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason, self.topics, self.by_judge = reason, tuple(topics), by_judge
        self.around = tuple(around)


class Untargeted(Illegal):
    """An act that isn't allowed because the target it needs is missing."""


class UsedUp(Illegal):
    """An act that isn't allowed because a card's limit on its uses has been reached, whatever else the card says."""


class AwaitingRoll(Exception):
    """An adjudication needs a roll that it hasn't been given: the roll's name and how many dice."""

    def __init__(self, name: str, dice: int) -> None:
        super().__init__(name, dice)
        self.name, self.dice = name, dice


class AwaitingChoice(Exception):
    """An adjudication needs a player's choice: its name, the options, who chooses and why."""

    def __init__(self, name: str, options: Iterable[object] = (), why: str = "", player: str | None = None) -> None:
        super().__init__(name)
        self.name, self.options, self.why, self.player = name, tuple(options), why, player


class TargetRefused(Exception):
    """The attack isn't made, and nothing has been paid for it: by Shape Change, or because a card left nobody for it."""


def escaped(key: str) -> str:
    """Return a key escaped for a JSON pointer: `~` as `~0`, `/` as `~1`."""
    return key.replace("~", "~0").replace("/", "~1")
