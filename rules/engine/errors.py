"""What can go wrong with a document, said so that its author finds the place."""


class BadInput(Exception):
    """A document cannot be understood; `where` is a JSON pointer to the place, `message` says what is wrong there."""

    def __init__(self, where: str, message: str) -> None:
        super().__init__(f"{where}: {message}")
        self.where, self.message = where, message
