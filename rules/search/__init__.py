"""The search that answers questions about the rules, in players' words.

`understand` reads a question with the one table of synonyms, `synonyms.toml`; `answers` ranks what ships: rulings,
topics, sections and what powers do. Nothing here reads the database: `rules/reading.py` reads the text of loaded books.
"""

from .answers import Answer, Understood, answers, open_answers, understand, worth_showing
from .corpus import Entry, Index, PowerSays, corpus, index_of_passages

__all__ = [
    "Answer",
    "Entry",
    "Index",
    "PowerSays",
    "Understood",
    "answers",
    "corpus",
    "index_of_passages",
    "open_answers",
    "understand",
    "worth_showing",
]
