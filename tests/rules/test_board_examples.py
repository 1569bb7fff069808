"""The library's maps and examples: readable in every edition they name, with the book's result for every line."""

from rules import shelf, sight
from rules.engine import EDITIONS, headings
from tests.tables import every_row

# Worked out by hand from the section that each example names; a second result is for the edition to compare.
RESULTS = {
    "boomerang-and-spider-man": {"B3 G2": ("clear", "clear"), "B3 H6": ("blocked", "blocked")},
    "a-friend-beside-the-target": {"B2 G2": ("clear", "clear"), "B2 H4": ("blocked", "blocked")},
    "half-range-at-the-soaring": {
        "B2 D2": ("clear", "clear"),
        "B4 H4": ("clear", "clear"),
        "D2 B2": ("blocked", "blocked"),
    },
    "the-edge-of-the-bushes": {
        "B2 G3": ("clear", "hindered"),
        "A3 G3": ("hindered", "hindered"),
        "G3 B2": ("hindered", "hindered"),
        "B2 G2": ("clear", "hindered"),
    },
    "rooftop-pairs": {
        "C2 H2": ("clear", "clear"),
        "C2 G4": ("clear", "clear"),
        "C2 F5": ("hindered", "hindered"),
        "A2 G4": ("blocked", "blocked"),
    },
    "between-two-figures": {"B2 C3": ("clear", "blocked"), "B2 B3": ("clear", "clear")},
    "stealth-in-the-bushes": {
        "B2 F2": ("blocked", "blocked"),
        "B4 F4": ("blocked", "blocked"),
        "B4 G5": ("hindered", "hindered"),
        "F2 B2": ("clear", "hindered"),
    },
    "the-2005-rim": {"A2 D2": ("clear", "blocked"), "D2 F4": ("clear", "clear")},
    "figure-2-of-2005": {"B2 H4": ("clear",), "B2 E2": ("clear",)},
    "intersections": {
        "A1 B2": ("hindered", "hindered"),
        "B2 C3": ("clear", "clear"),
        "E3 F4": ("blocked", "blocked"),
        "A1 C3": ("blocked", "blocked"),
    },
    "four-in-a-square": {"B2 C3": ("blocked", "clear"), "B2 C2": ("clear", "clear")},
    "walls-windows-and-doors": {
        "B2 G2": ("blocked",),
        "B4 H4": ("clear",),
        "B5 G2": ("clear",),
        "D3 E3": ("blocked",),
    },
    "levels-of-the-tower": {"B2 I2": ("blocked", "blocked"), "B4 I4": ("clear", "clear"), "B4 E3": ("clear", "clear")},
}


def test_every_example_has_its_results_here():
    assert {one.slug: {f"{line['from']} {line['to']}" for line in one.lines} for one in shelf.examples().values()} == {
        slug: set(lines) for slug, lines in RESULTS.items()
    }


@every_row("slug", RESULTS)
def test_every_line_is_as_the_book_has_it(slug):
    one = shelf.examples()[slug]
    editions = [one.edition, *([one.compare] if one.compare else [])]
    for line, wanted in RESULTS[slug].items():
        found = tuple(sight.look(one.position, edition, *line.split()).line["result"] for edition in editions)
        assert found == wanted, line


@every_row("slug", RESULTS)
def test_every_example_cites_sections_of_its_book(slug):
    one = shelf.examples()[slug]
    assert one.sections
    assert [section for section in one.sections if headings(one.edition).find(section) is None] == []


def test_every_map_is_read_in_every_edition_it_names():
    assert len(shelf.maps()) >= 6
    for one in shelf.maps().values():
        assert set(one.editions) <= set(EDITIONS)
        for edition in one.editions:
            seen = sight.look({"map": one.map, "sides": [{"player": "A"}]}, edition, "A1", "B2")
            assert seen.fault is None, (one.slug, edition, seen.fault)
