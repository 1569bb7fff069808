"""The search that answers questions about the rules, in players' words.

`understand` reads a question with the one table of synonyms, `synonyms.toml`; `answers` ranks what ships: rulings,
topics, sections and what powers do. The database finds the texts that have a word of the question (`stored`), and what
they weigh is compared here.
"""

from .answers import Answer, Understood, answers, open_answers, understand, worth_showing
from .corpus import Entry, PowerSays
from .stored import of_book, store

__all__ = [
    "Answer",
    "Entry",
    "PowerSays",
    "Understood",
    "answers",
    "of_book",
    "open_answers",
    "store",
    "understand",
    "worth_showing",
]
