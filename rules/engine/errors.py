"""What can go wrong: a document that cannot be understood, an act that is forbidden, a die that has not been rolled.

All three carry what their author needs to put it right. They are caught in one place each:
`BadInput` where a batch is read, the two others where an adjudication is run.
"""

from collections.abc import Iterable


class BadInput(Exception):
    """A document cannot be understood; `where` is a JSON pointer to the place, `message` says what is wrong there."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(where, message)
        self.where, self.message = where, message

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"

    def under(self, key: str | int) -> "BadInput":
        """Return the same fault as seen from the object or list that holds the place under `key`."""
        return BadInput(f"/{escaped(str(key))}{self.where}", self.message)


class Illegal(Exception):
    """The rules do not allow an act, or a judge does not; `reason` says why, `topics` cite it."""

    def __init__(self, reason: str, topics: Iterable[str] = (), *, by_judge: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.topics, self.by_judge = reason, tuple(topics), by_judge


class Untargeted(Illegal):
    """An act is not allowed as it stands, for want of the target that it needs."""


class AwaitingRoll(Exception):
    """An adjudication needs dice that have not fallen yet: the roll's name and how many dice."""

    def __init__(self, name: str, dice: int) -> None:
        super().__init__(name, dice)
        self.name, self.dice = name, dice


class AwaitingChoice(Exception):
    """An adjudication needs a choice that is a player's: its name, what may be chosen, who chooses and why."""

    def __init__(self, name: str, options: Iterable[object] = (), why: str = "", player: str | None = None) -> None:
        super().__init__(name)
        self.name, self.options, self.why, self.player = name, tuple(options), why, player


class TargetRefused(Exception):
    """A figure has made its attacker take it for a friend: the attack is not made, and nothing has been paid for it."""


def escaped(key: str) -> str:
    """Return a key as it stands in a JSON pointer: `~` as `~0`, `/` as `~1`."""
    return key.replace("~", "~0").replace("/", "~1")
