"""Searching the catalogue by everything a player knows about a figure, in a fixed number of queries."""

import pytest

from rules.documents import fold
from rules.finding import suggestions
from rules.models import Trait
from rules.queries import elements_by_code, search_elements


def names(**asked):
    return [row.name for row in search_elements(**asked)]


def test_names_that_begin_with_the_text_come_first(library):
    found = names(text="lamp")
    assert found[0] == "Lamp Street Reporter"
    assert found.index("Street Lamp") < found.index("Lamplighter")  # a whole word before the beginning of one


def test_case_and_accents_do_not_matter(library):
    assert names(text="CAFE TABLE") == names(text="café table") == ["Café Table"]
    assert fold("  Café  ÉLAN ") == "cafe elan"


def test_every_word_must_be_there(library):
    assert set(names(text="riptide undertow")) == {"Madam Riptide"}


def test_percent_and_underscore_are_ordinary_signs(library):
    assert names(text="lamp%") == names(text="lamp")
    assert names(text="_") == []


def test_number_and_set(library):
    assert names(text="101", sets="brass-harbour") == ["Lamplighter"]
    assert set(names(sets=["sentinel"])) == {"Sentinel"}


def test_points_with_several_values(library):
    leviathans = search_elements(text="old leviathan", sets="shattered-tides")
    assert (100, 300) in {(row.points_low, row.points_high) for row in leviathans}
    assert "Old Leviathan" in names(points_from=250, points_to=300)
    assert names(text="old leviathan", points_to=99) == []


def test_keywords_teams_and_powers_are_found_however_they_are_spelled(library):
    assert "Nightheron" in names(keyword="martial artist", edition="core-2014")
    assert set(names(keyword=["Harbour Watch", "Lantern Guild"])) == {"Lamplighter"}
    assert set(names(team="masters of evil")) == set()
    assert names(team="the brotherhood") == ["Pyro", "Pyro"]
    by_slash = names(power="Blades/Claws/Fangs")
    assert by_slash == names(power="blades claws fangs") == names(power="blades_claws_fangs") != []
    assert "Countess Vesper" in names(power="Outwit")  # from her special power
    assert "Countess Vesper" in names(power="midnight in every mirror")


@pytest.mark.parametrize(
    ("edition", "has", "lacks"),
    [
        ("ic-2002", {"Kingpin", "Dumpster"}, {"Slippery", "The Tide Bell", "Sentinel", "Barnacle Swarm"}),
        ("car-2002", {"Sentinel"}, {"Flower Seller", "Slippery"}),
        ("dc-2005", {"Slippery", "Ordinary Day", "Flower Seller"}, {"The Tide Bell", "Anchor of Saint Orrin"}),
        ("core-2014", {"The Tide Bell", "Barnacle Swarm", "Anchor of Saint Orrin", "Slippery"}, {"Umbra's Monocle"}),
        ("core-modern", {"Umbra's Monocle", "Strongbox", "The Tide Bell"}, {"Slippery", "Barnacle Swarm"}),
    ],
)
def test_an_edition_shows_what_its_forces_may_hold(library, edition, has, lacks):
    found = set(names(edition=edition))
    assert has <= found
    assert not lacks & found


def test_no_primes_before_2014(library):
    assert not search_elements(edition="dc-2005", rank="prime")
    assert search_elements(edition="core-2014", rank="prime").count() == 4


def test_few_queries_once_the_names_are_read(library, django_assert_max_num_queries):
    search_elements(edition="core-2014")
    with django_assert_max_num_queries(5):  # the catalogue's state, what has the words, what fits the filters, the rows
        rows = list(
            search_elements(text="a", keyword="Harbour Watch", power=["Toughness"], points_from=1, edition="core-2014")[
                :50
            ]
        )
        assert [row.element.set.name for row in rows]


def test_by_code_in_one_query(library, django_assert_num_queries):
    with django_assert_num_queries(1):
        found = elements_by_code(["ic/92", "brass-harbour/001", "no/such"])
    assert set(found) == {"ic/92", "brass-harbour/001"}


def test_names_to_choose_from(library):
    assert suggestions(Trait.What.POWER, "outw") == ["Outwit"]
    assert suggestions(Trait.What.POWER, "cla bla") == ["Blades/Claws/Fangs"]
    assert "Harbour Watch" in suggestions(Trait.What.TEAM, "")
    assert suggestions(Trait.What.KEYWORD, "scientst") == ["Scientist"]
    assert suggestions(Trait.What.KEYWORD, "\0zebra*" * 100) == []
