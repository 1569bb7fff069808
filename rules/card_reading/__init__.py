"""Reading what a card's text says: effects in the words of position files, and the clauses that they were read from."""

from .reading import Clause, Reading, Understood, read_text

__all__ = ["Clause", "Reading", "Understood", "read_text"]
