"""Card texts: special powers, traits and other texts of a card, as the file that the shop holds prints them.

A text is `{"slot", "name", "sort", "text"}`: the value it is printed with, `trait`, or empty for the text of a feat, an
object or a card; `sort` as in `costed trait`. Headjudge ships none: they belong to the installation that imported them,
beside the dated facts, and only people who are signed in there read them.

In one cell of a spreadsheet, and in XML card sets, each text follows a heading: `[Speed] Name`, `[Trait: costed trait]
Name`, `[Card] Name`. A cell that begins without a heading begins with the text of the card itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from .dials import SLOTS
from .documents import LONGEST_NAME, LONGEST_TEXT, BadFacts, shown, too_long

MAX_TEXTS = 40
MAX_TOGETHER = 30_000
"""The maximum number of characters of all texts of one element: a cell of a spreadsheet holds no more."""
TRAIT = "trait"
CARD_TEXT = "card_text"
"""The key of texts among the differences of facts, and their column in a spreadsheet."""
CARD = "card"
"""The heading's word for a text without a slot."""
HEADING = re.compile(rf"\[({'|'.join((*SLOTS, TRAIT, CARD))})(?:: ([^\]]*))?\] ?(.*)", re.IGNORECASE)
UNSEEN = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, those that turn the direction of the text after them, and halves of characters."""

CardText = dict[str, str]


def _plain(text: Any, where: str, most: int) -> str:
    """Return text without control characters and needless blanks. Raises BadFacts if it is too long, or isn't text."""
    if not isinstance(text, str):
        raise BadFacts(where, _("This must be text, not %(value)s.") % {"value": shown(text)})
    if len(text) > most * 2:
        raise too_long(where, most)
    seen = UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = "\n".join(" ".join(line.split()) for line in seen.split("\n"))
    plain = re.sub(r"\n{3,}", "\n\n", lines).strip()
    if len(plain) > most:
        raise too_long(where, most)
    return plain


def _word(text: str, where: str) -> str:
    return " ".join(re.sub(r"[\[\]]", " ", _plain(text, where, LONGEST_NAME)).split())


def card_text(slot: str, name: str, text: Any, where: str, *, sort: str = "") -> CardText:
    """Return a text of a card in its stored form. Raises BadFacts, with `where`, if it is too long or isn't text."""
    return {
        "slot": slot,
        "name": " ".join(_plain(name, where, LONGEST_NAME).split()),
        "sort": _word(sort, where),
        "text": _plain(text, where, LONGEST_TEXT),
    }


def _heading(text: Mapping[str, str]) -> str:
    slot = (text["slot"] or CARD).capitalize()
    return f"[{slot}: {text['sort']}] {text['name']}".rstrip() if text["sort"] else f"[{slot}] {text['name']}".rstrip()


def gathered(texts: Iterable[CardText]) -> list[CardText]:
    """Return a card's texts without empty ones; texts of one heading become one. Raises BadFacts if they are too many."""
    found: dict[str, CardText] = {}
    for text in texts:
        known = found.setdefault(_heading(text).casefold(), text)
        if text["text"] not in known["text"]:
            known["text"] = f"{known['text']}\n\n{text['text']}".strip()
    kept = [text for text in found.values() if text["text"]]
    if len(kept) > MAX_TEXTS:
        raise BadFacts(CARD_TEXT, _("A card can have at most %(most)s separate texts.") % {"most": MAX_TEXTS})
    if len(written(kept)) > MAX_TOGETHER:
        raise too_long(CARD_TEXT, MAX_TOGETHER)
    return kept


def _starts_anew(line: str) -> re.Match[str] | None:
    return HEADING.fullmatch(line.lstrip("\\"))


def written(texts: Sequence[Mapping[str, str]]) -> str:
    """Return a card's texts as one cell; a line of a text that looks like a heading gets a backslash."""
    blocks: list[str] = []
    for text in texts:
        lines = [f"\\{line}" if _starts_anew(line) else line for line in text["text"].split("\n")]
        is_bare = not blocks and not (text["slot"] or text["name"] or text["sort"])
        blocks.append("\n".join(lines if is_bare else [_heading(text), *lines]))
    return "\n\n".join(blocks)


def read(cell: str, where: str = CARD_TEXT) -> list[CardText]:
    """Return the texts written in one cell. Raises BadFacts."""
    blocks: list[tuple[str, str, str, list[str]]] = [("", "", "", [])]
    for line in cell.replace("\r\n", "\n").split("\n"):
        heading = _starts_anew(line.strip())
        if heading is None:
            blocks[-1][3].append(line)
        elif line.strip().startswith("\\"):
            blocks[-1][3].append(line.strip()[1:])
        else:
            slot = heading[1].lower()
            blocks.append(("" if slot == CARD else slot, heading[3], heading[2] or "", []))
    return gathered(card_text(slot, name, "\n".join(lines), where, sort=sort) for slot, name, sort, lines in blocks)


def text_differences(before: Sequence[CardText], after: Sequence[CardText]) -> list[dict[str, Any]]:
    """Return the differences between a card's texts, text by text, in the form of `documents.differences`."""
    old, new = ({_heading(text): f"{_heading(text)}\n{text['text']}" for text in texts} for texts in (before, after))
    return [
        {"fact": CARD_TEXT, "before": old.get(heading), "after": new.get(heading)}
        for heading in dict.fromkeys([*old, *new])
        if old.get(heading) != new.get(heading)
    ]
