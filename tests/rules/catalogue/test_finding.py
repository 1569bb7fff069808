"""Finding elements as players type: typos, parts of words, set codes, numbers, keywords, powers, teams, ranks."""

import datetime
import random

import pytest

from rules.element_search import Wanted
from rules.models import Facts
from rules.queries import element_search, find_elements, search_elements
from rules.services.catalogue import correct_element

from .finding import fill_catalogue

ASKED = {
    # names, whole and in parts
    "spider-man": "Spider-Man",
    "spiderman": "Spider-Man",
    "spider man": "Spider-Man",
    "SPIDER MAN": "Spider-Man",
    "man spider": "Spider-Man",
    "spidey man": "Spider-Man",
    "spid": "Spider-Man",
    "thor": "Thor",
    "thor g": "Thor Girl",
    "girl thor": "Thor Girl",
    "hulk": "Hulk",
    "hulkb": "Hulkbuster",
    "captain am": "Captain America",
    "capt america": "Captain America",
    "ironman": "Iron Man",
    "iron m": "Iron Man",
    "bat man": "Batman",
    "manbat": "Man-Bat",
    "jean paul valley": "Jean-Paul Valley",
    "valley jean-paul": "Jean-Paul Valley",
    "jonah jameson": "J. Jonah Jameson",
    "ras al ghul": "Ra's al Ghul",
    "senor muerte": "Señor Muerte",
    "SEÑOR": "Señor Muerte",
    "x23": "X-23",
    "x-23": "X-23",
    "mr fantastic": "Mister Fantastic",
    "dr doom": "Doctor Doom",
    "doctor strange": "Dr. Strange",
    "shield agent": "S.H.I.E.L.D. Agent",
    "s.h.i.e.l.d.": "S.H.I.E.L.D. Agent",
    "aim scientist": "A.I.M. Scientist",
    "ninja hand": "Ninja of the Hand",
    "peter parker": "Spider-Man",
    # typos
    "spidr man": "Spider-Man",
    "spidreman": "Spider-Man",
    "wolvrine": "Wolverine",
    "wolvre": "Wolverine",
    "magnetto": "Magneto",
    "captian america": "Captain America",
    "hluk": "Hulk",
    "thro": "Thor",
    "blak widow": "Black Widow",
    "batmna": "Batman",
    "proffesor x": "Professor X",
    # sets and numbers
    "svc 12": "Iron Man",
    "svc012": "Iron Man",
    "SVC #012": "Iron Man",
    "012a svc": "Iron Patriot",
    "avas 12": "Thor",
    "hof2 12": "Scarlet Spider",
    "silver coast 100": "The Mandarin",
    "silvercoast 100": "The Mandarin",
    "svc g01": "Gallery Giant",
    "avas iron man": "Iron Man",
    "spider 99": "Spider-Man 2099",
    # keywords, powers, teams, ranks
    "asgardian": "Thor",
    "detective": "Batman",
    "outwit": "Doctor Doom",
    "hypersonic": "Superman",
    "hss": "Superman",
    "rookie spider-man": "Spider-Man",
    "limited edition": "Black Widow",
    "justice league": "Green Lantern",
    "blades claws": "Wolverine",
    "ruler outwit": "Doctor Doom",
    "xmen mind control": "Professor X",
    "spider-man super senses": "Spider-Man",
    "super sens spiderman": "Spider-Man",
    "sciantist aim": "A.I.M. Scientist",
    # other elements
    "slipery": "Slippery",
    "gauntlet": "Gauntlet of Hours",
    "storm hamm": "Storm Hammer",
    "horde": "Brine Ghoul",
    # more than is there
    "iron man extremis": "Iron Man",
    "green goblin zebra": "Green Goblin",
}
HOSTILE = (
    '"', "*", "NEAR(", "-", ":", 'spider" OR "', "name:spider", "spider*", "NOT spider", "(", "'", "''; DROP TABLE x", "\0",
    "spider\0man", "!&|", "<->", "%", "_", "\\", "\ud800", "🕷", "ﷺ" * 200, "a" * 10_000, "a b " * 2_500, "\u0301" * 10_000,
)  # fmt: skip


@pytest.fixture
def small(db):
    """Fill the catalogue with the small sets."""
    fill_catalogue()


def names(**asked):
    return [row.name for row in search_elements(**asked)]


def test_the_first_hit_is_what_a_player_means(small):
    search = element_search()
    first = {row.pk: row.name for row in Facts.objects.all()}
    wrong = {}
    for asked, expected in ASKED.items():
        groups = search.find(asked).groups
        got = first[groups[0][0]] if groups else None
        if got != expected:
            wrong[asked] = got
    assert wrong == {}


def test_the_page_has_the_order_of_the_search(small):
    assert names(text="thor") == ["Thor", "Thor Girl", "Thorn"]
    assert names(text="spider man")[:3] == ["Spider-Man", "Spider-Man", "Spider-Man 2099"]
    assert names(text="spider man")[3] == "Ultimate Spider-Man"
    assert names(text="spidr man") == names(text="spider man")
    assert names(text="iron man extremis")[:2] == ["Iron Man", "Iron Man"]


def test_a_word_may_only_be_missing_if_nothing_has_all(small):
    assert names(text="black panther") == ["Black Panther"]
    assert names(text="black zebra") == ["Black Panther", "Black Widow"]
    assert not element_search().find("black zebra", all_words=True).groups
    assert element_search().find("black zebra").is_partial


def test_the_corrected_question_is_told(small):
    assert element_search().find("spidr man").corrected == "spider man"
    assert element_search().find("spider man").corrected == ""


def test_signs_are_only_signs(small):
    for asked in HOSTILE:
        found = names(text=asked)
        assert found == [] or any(sign.isalnum() for sign in asked), asked
    assert names(text='"spider* NEAR(man') == names(text="spider near man") == names(text="spider:near:man")


def test_random_questions_never_fail(small):
    chosen = random.Random(28)
    for _ in range(300):
        element_search().find("".join(chosen.choices("spider man 012 .-\"*:()'é\0", k=chosen.randint(1, 60))))


def test_a_change_is_found_at_once(small):
    element = search_elements(text="hulk")[0].element
    assert names(text="grey guardian") == []
    today = datetime.date.today()  # noqa: DTZ011
    correct_element(element=element, from_date=today, changes={"name": "Grey Guardian"})
    assert names(text="grey guardian") == ["Grey Guardian"]
    assert names(text="hulk") == ["Hulkbuster"]
    assert names(text="hulk", date=today - datetime.timedelta(1)) == ["Hulk", "Hulkbuster"]


def test_cards_texts_are_not_searched(small):
    element = search_elements(text="hulk")[0].element
    correct_element(element=element, from_date=datetime.date(2020, 1, 1), changes={"text": "Zanzibar"})
    assert names(text="zanzibar") == []


def matched(**wanted):
    [one] = find_elements([Wanted(**wanted)])
    return one.by, {row.element.code for row in one.candidates}, one.certain is not None


CERTAIN = (
    ({"set": "svc", "number": "012"}, "number", "svc/012"),
    ({"set": "SVC", "number": "12"}, "number", "svc/012"),
    ({"set": "Silver Coast", "number": "012", "name": "Iron Man"}, "number", "svc/012"),
    ({"set": "avas", "name": "Iron Man"}, "name", "avas/075"),
    ({"name": "brine ghoul"}, "name", "svc/039"),
    ({"name": "Spiderman 2099"}, "name", "gg/099"),
    ({"name": "Panther Black"}, "words", "gg/016"),
    ({"name": "dr. doom"}, "words", "avas/021"),
)
TO_CHOOSE = (
    ({"name": "Iron Man"}, "name", {"svc/012", "avas/075"}),
    ({"name": "Spider-Man"}, "name", {"svc/001", "svc/002"}),
    ({"name": "Spidr Man"}, "spelling", {"svc/001", "svc/002"}),
    ({"set": "svc", "number": "012", "name": "Thor"}, "conflict", {"svc/012"}),
    ({"set": "nowhere", "name": "Thor"}, "conflict", {"avas/012"}),
)
UNKNOWN = ({}, {"name": "zebra"}, {"set": "svc", "number": "999"}, {"name": "?"}, {"number": "12"})


def test_lines_of_a_list_are_matched(small):
    """Set and number first, then the name; what isn't certain is left to a person."""
    for wanted, by, code in CERTAIN:
        assert matched(**wanted) == (by, {code}, True)
    for wanted, by, codes in TO_CHOOSE:
        assert matched(**wanted) == (by, codes, False)
    for wanted in UNKNOWN:
        assert matched(**wanted) == ("", set(), False)


def test_a_long_list_is_matched_in_as_many_queries_as_a_short_one(small, django_assert_max_num_queries):
    find_elements([Wanted(name="Spidr Man")])
    with django_assert_max_num_queries(5):  # the catalogue's state, names, unknown words, their corrections, rows
        found = find_elements([Wanted(name=name) for name in ("Thor", "Hulk", "Nobody") * 60])
    assert [one.by for one in found[:3]] == ["name", "name", ""]
