"""The index of headings: paths, and finding a section by an inexact name."""

import pytest

from rules.engine.citations import Citation
from rules.engine.editions.headings import headings
from tests.tables import every_row

EDITIONS = ("ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern")


@every_row("edition", EDITIONS)
def test_the_tree_is_whole(edition):
    book = headings(edition)
    paths = {heading.path for heading in book.all}
    assert len(paths) == len(book.all) > 80
    for heading in book.all:
        assert 0 <= heading.at <= book.length
        for depth in range(1, len(heading.parts)):
            assert " › ".join(heading.parts[:depth]) in paths, heading.path


@every_row(
    ("edition", "section", "path"),
    [
        ("core-2014", "Combat Attack Rules › The Attack Roll", "Combat Attack Rules › The Attack Roll"),
        ("core-2014", "Part 4: TACTICS › Feats › The 10% Rule", "Feats › The 10% Rule"),
        ("core-2014", "Winning The Game › Determining The Winner", "Winning the Game › Determining the Winner"),
        ("car-2002", "HEAD-to-HEAD RULES › Forces", None),
        ("car-2002", "Terrain › Hindering Terrain", "Hindering Terrain"),
        ("car-2002", "Turns and Actions", "Movement and Combat › Turns and Actions"),
        ("core-modern", "Part 10: Terrain › Walls", "Terrain › Walls"),
        ("dc-2005", "Build Your Force › Build total", "Prepare to Play › Step 1: Build Your Force › Build total"),
        ("car-2002", "Cookery", None),
        ("ic-2002", "", None),
    ],
)
def test_a_section_named_loosely(edition, section, path):
    found = headings(edition).find(section)
    assert (found.path if found else None) == path


def test_the_cards_are_outside_the_books():
    assert headings("core-2014").has("Powers and Abilities Card")
    assert not headings("car-2002").has("Powers and Abilities Card")


@every_row("edition", EDITIONS)
def test_a_heading_has_the_last_name_of_its_path(edition):
    for heading in headings(edition).all:
        assert heading.name == Citation(edition, heading.path).heading == heading.path.split(" › ")[-1]


@every_row("name", ["none", "../ic-2002", ""])
def test_only_an_edition_has_headings(name):
    with pytest.raises(KeyError):
        headings(name)
