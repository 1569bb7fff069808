"""Rules that only a card has, and facts that imported figures lack: never plainly legal where they may forbid a force."""

from tests.rules.engine.force.forces import EDITIONS, checked, hero
from tests.rules.engine.golden import rules
from tests.tables import every_row


def opened(report, rule="element-rules"):
    """Return the needs and elements of a rule that couldn't be checked; nothing else may be wrong."""
    assert report["violations"] == []
    return [(one["needs"], one["elements"]) for one in report["unchecked"] if one["rule"] == rule]


@every_row("edition", EDITIONS)
@every_row("card", ["legacy-card", "team-base", "generated", "force-construction"])
def test_a_card_that_may_forbid_any_force(edition, card):
    assert opened(checked(edition, hero("a", 40, card_rules=[card]), hero("b", 40))) == [(card, ["a"])]


@every_row("edition", EDITIONS)
def test_one_title_character_is_fine_and_two_may_be_too_many(edition):
    title = {"card_rules": ["title"]}
    assert opened(checked(edition, hero("a", 40, **title), hero("b", 40))) == []
    assert opened(checked(edition, hero("a", 40, **title), hero("b", 40, **title))) == [("title", ["a", "b"])]


def test_a_title_character_on_the_sideline_counts():
    side = [hero("x", 40, name="X", card_rules=["title"])]
    report = checked("core-modern", hero(card_rules=["title"]), sideline=side, sideline_allowed_by=["a"])
    assert opened(report) == [("title", ["a", "x"])]


@every_row(("rank", "name", "is_open"), [("unique", "Ada", True), ("common", "Ada", False), ("unique", "Bo", False)])
def test_another_card_of_a_unique(rank, name, is_open):
    one = hero("a", 40, name="Ada", set="x", number="007", rank=rank)
    other = hero("b", 40, name=name, set="x", number="007.1", rank=rank, card_rules=["team-up"])
    assert opened(checked("core-modern", one, other)) == ([("team-up", ["b"])] if is_open else [])


def test_a_figure_that_cannot_be_on_a_sideline():
    cards = {"card_rules": ["unsidelineable"]}
    assert opened(checked("core-modern", hero(**cards))) == []
    side = checked("core-modern", hero(), sideline=[hero("x", name="X", **cards)], sideline_allowed_by=["a"])
    assert opened(side) == [("unsidelineable", ["x"])]


@every_row("edition", EDITIONS)
@every_row(("optional", "is_open"), [(20, False), (21, True)])
def test_costed_traits_matter_only_where_they_exceed_the_build_total(edition, optional, is_open):
    report = checked(edition, hero("a", 40, optional_points=optional), hero("b", 240))
    assert opened(report, "build-total") == ([("optional_points", ["a"])] if is_open else [])
    assert report["total"] == 280
    over = checked(edition, hero("a", 40, optional_points=optional), hero("b", 280))
    assert rules(over) == ["build-total"]
    assert "build-total" not in rules(over, "unchecked")


UNKNOWN = {"base_color": None, "set": "ic"}


@every_row("edition", EDITIONS)
@every_row(
    ("other", "elements"),
    [
        (UNKNOWN, ["a", "b"]),
        ({"base_color": "red", "set": "ic"}, ["a"]),
        ({"base_color": "black", "set": "ic"}, None),
        ({**UNKNOWN, "name": "A"}, None),
        ({**UNKNOWN, "set": None}, ["a", "b"]),
    ],
)
def test_a_base_of_unknown_colour_matters_beside_a_possible_archenemy(edition, other, elements):
    report = checked(edition, hero("a", 40, name="A", **UNKNOWN), hero("b", 40, **{"name": "B", **other}))
    matters = elements and edition in EDITIONS[:3]
    assert opened(report, "archenemies") == ([("base_color", elements)] if matters else [])


def test_archenemies_of_two_sets_matter_only_in_2002():
    pair = hero("a", 40, name="A", **UNKNOWN), hero("b", 40, name="B", **{**UNKNOWN, "set": "ct"})
    found = {edition: opened(checked(edition, *pair), "archenemies") for edition in EDITIONS[:3]}
    both = [("base_color", ["a", "b"])]
    assert found == {"ic-2002": both, "car-2002": both, "dc-2005": []}


def test_a_token_has_no_coloured_base():
    token = hero("b", 10, name="B", kind="bystander", **UNKNOWN)
    assert opened(checked("dc-2005", hero("a", 40, name="A", **UNKNOWN), token), "archenemies") == []
