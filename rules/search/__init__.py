"""The search that answers questions about the rules, in players' words.

`understand` reads a question with the one table of synonyms, `synonyms.toml`; `answers` ranks what ships: rulings,
topics, sections and what powers do. Nothing here reads the database; the text of loaded books is searched by `rules/reading.py`.
"""

from .answers import Answer, Understood, answers, open_answers, understand, worth_showing
from .corpus import Entry, PowerSays, corpus

__all__ = [
    "Answer",
    "Entry",
    "PowerSays",
    "Understood",
    "answers",
    "corpus",
    "open_answers",
    "understand",
    "worth_showing",
]
