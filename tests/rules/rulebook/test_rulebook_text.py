"""Splitting a copy of a rulebook at its headings: a known text by lines, another by the words of its headings."""

from hypothesis import given
from hypothesis import strategies as st

from rules.engine.editions.headings import Heading, Headings
from rules.rulebook_text import cut
from tests.tables import every_row

BOOK = Headings(
    edition="small",
    title="A small book",
    unit="line",
    length=15,
    all=(
        Heading("Movement", 4, "Movement"),
        Heading("Movement › Flying", 6, "Flying"),
        Heading("Movement › Flying › Hovering", 8, "Hovering"),
        Heading("Objects", 10, "Objects"),
        Heading("Objects › Lost Chapter", 12, ""),
    ),
    elsewhere=(),
)
TEXT = """A SMALL BOOK
MOVEMENT......4
OBJECTS.......9
## MOVEMENT
Figures move about freely.
**FLYING**
A flying figure hovers or soars. Its movement is flying movement.
**Hovering:** Close to the ground.

# OBJECTS
Objects are hindering terrain.
Something more about objects.

A note on the side.
A last line."""


def sections(pieces):
    return {piece.section: piece.text for piece in pieces.passages if not piece.ruling}


def test_the_known_text_is_cut_by_its_lines():
    pieces = cut(BOOK, TEXT, [("note-on-the-side", "Movement", 14), ("beyond", "Movement", 99)])
    assert pieces.exact
    assert pieces.missing == ()
    held = sections(pieces)
    assert held["Movement"] == "## MOVEMENT\nFigures move about freely."
    assert held["Movement › Flying › Hovering"] == "**Hovering:** Close to the ground."
    assert held["Objects › Lost Chapter"].startswith("Something more")
    notes = [(piece.ruling, piece.section, piece.text) for piece in pieces.passages if piece.ruling]
    assert notes == [("note-on-the-side", "Movement", "A note on the side.\nA last line.")]


@every_row("line_end", ["\n", "\r\n", "\r"])
def test_another_copy_is_split_by_the_words_of_its_headings(line_end):
    other = "﻿Scanned at home\n\n" + TEXT.replace("## MOVEMENT", "Movement").replace("# OBJECTS", "OBJECTS")
    pieces = cut(BOOK, other.replace("\n", line_end), [("note-on-the-side", "Movement", 14)])
    assert not pieces.exact
    assert pieces.missing == ("Objects › Lost Chapter",)
    held = sections(pieces)
    assert held["Movement"] == "Movement\nFigures move about freely."
    assert held["Movement › Flying"].startswith("**FLYING**\nA flying figure")
    assert held["Objects"].startswith("OBJECTS\nObjects are hindering")
    assert not [piece for piece in pieces.passages if piece.ruling]


def test_a_heading_that_is_not_there_is_reported():
    pieces = cut(BOOK, TEXT.replace("**FLYING**", "").replace("flying", "winged"))
    assert "Movement › Flying" in pieces.missing
    assert "Movement › Flying › Hovering" in sections(pieces)


def test_text_without_any_heading():
    pieces = cut(BOOK, "Nothing that we know.")
    assert pieces.passages == ()
    assert len(pieces.missing) == 5


def test_no_text():
    assert cut(BOOK, "").passages == ()


WORDS = st.lists(
    st.sampled_from(
        ["Movement", "FLYING", "Hovering:", "objects", "# OBJECTS", "some words", ".....4", "", "é", "**Flying**"]
    ),
    max_size=30,
)


@given(words=WORDS, between=st.sampled_from(["\n", " ", "\n\n", "\r\n"]))
def test_any_text_is_cut_in_order_and_nothing_is_made_up(words, between):
    text = between.join(words)
    pieces = cut(BOOK, text)
    at = 0
    plain = text.replace("\r\n", "\n")
    for piece in pieces.passages:
        at = plain.index(piece.text, at)
    assert len(pieces.passages) + len(pieces.missing) == len(BOOK.all)
    order = [heading.path for heading in BOOK.all]
    found = [order.index(piece.section) for piece in pieces.passages]
    assert found == sorted(found)
