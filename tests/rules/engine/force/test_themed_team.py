"""Themed teams: which keyword counts, and its value."""

from tests.rules.engine.force.forces import checked, hero
from tests.tables import every_row


def theme(edition, *characters, **more):
    return checked(edition, *characters, **more)["themed_team"]


def members(count, *keywords, generic=()):
    return [hero(f"m{number}", 10, keywords=list(keywords), generic_keywords=list(generic)) for number in range(count)]


@every_row("edition", ["ic-2002", "car-2002", "dc-2005"])
def test_no_themes_before_2014(edition):
    assert theme(edition, *members(3, "X-Men")) is None


@every_row(
    ("edition", "count", "build_total", "uses"),
    [
        ("core-2014", 2, 300, 2),
        ("core-2014", 5, 300, 3),
        ("core-2014", 5, 399, 3),
        ("core-2014", 2, 50, 0),
        ("core-2014", 12, 1000, 10),
        ("core-modern", 2, 300, 2),
        ("core-modern", 5, 300, 5),
        ("core-modern", 7, 300, 5),
        ("core-modern", 7, 1000, 5),
    ],
)
def test_what_a_named_theme_is_worth(edition, count, build_total, uses):
    assert theme(edition, *members(count, "Justice League"), build_total=build_total) == {
        "keyword": "Justice League",
        "kind": "named",
        "initiative_bonus": count,
        "probability_control_uses": uses,
    }


@every_row("edition", ["core-2014", "core-modern"])
def test_a_generic_theme_is_worth_the_bonus_alone(edition):
    assert theme(edition, *members(3, generic=["Kitchen Staff"])) == {
        "keyword": "Kitchen Staff",
        "kind": "generic",
        "initiative_bonus": 3,
        "probability_control_uses": 0,
    }


@every_row(("edition", "kind"), [("core-2014", "generic"), ("core-modern", "named")])
def test_the_book_of_2014_lists_generic_keywords(edition, kind):
    assert theme(edition, *members(2, "SCIENTIST"))["kind"] == kind


@every_row("edition", ["core-2014", "core-modern"])
def test_characters_that_a_theme_needs(edition):
    assert theme(edition, *members(1, "X-Men")) is None
    assert theme(edition, *members(2, "X-Men"), hero("x", keywords=["Avengers"])) is None
    assert theme(edition, *members(1, "X-Men"), hero("x", kind="bystander")) is None
    with_token = theme(edition, *members(2, "X-Men"), hero("x", kind="bystander", keywords=[]))
    assert (with_token["initiative_bonus"], with_token["probability_control_uses"]) == (2, 2)


def test_horde_tokens_are_left_aside_and_foreign_elements_too():
    assert theme("core-2014", *members(2, "X-Men"), hero("x", kind="horde"))["initiative_bonus"] == 2
    assert theme("core-modern", *members(2, "X-Men"), hero("x", kind="horde"))["initiative_bonus"] == 2


def test_the_sideline_does_not_matter():
    report = checked("core-modern", *members(2, "X-Men"), sideline=[hero("x")], sideline_allowed_by=["m0"])
    assert report["themed_team"]["initiative_bonus"] == 2


@every_row("edition", ["core-2014", "core-modern"])
def test_the_best_theme(edition):
    assert theme(edition, *members(2, "Zulu Force", generic=["Animal"]))["keyword"] == "Zulu Force"
    assert theme(edition, *members(2, "Titans", "Avengers"))["keyword"] == "Avengers"
    assert theme(edition, *members(2, "Titans", "avengers"))["keyword"] == "avengers"
    assert theme(edition, *members(2, generic=["Warrior", "Deity"]))["keyword"] == "Deity"


@every_row("edition", ["core-2014", "core-modern"])
def test_case_does_not_matter_and_the_first_spelling_stays(edition):
    found = theme(edition, hero("a", keywords=["Justice League"]), hero("b", keywords=["JUSTICE LEAGUE"]))
    assert found["keyword"] == "Justice League"


@every_row("edition", ["core-2014", "core-modern"])
def test_one_card_in_italics_makes_a_keyword_generic(edition):
    found = theme(edition, hero("a", keywords=["Avengers"]), hero("b", generic_keywords=["avengers"]))
    assert (found["keyword"], found["kind"]) == ("Avengers", "generic")
