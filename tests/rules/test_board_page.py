"""“Check a line of fire” through requests: without an account, without scripts, and with any input."""

import html
import json
import re

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from rules import shelf
from rules.engine import EDITIONS
from rules.models import SavedPosition
from rules.positions import MAX_PIECES, empty_map, placed, position_on, square_name
from tests.conftest import client_of
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db
DIAL = [{"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": []}]


@pytest.fixture(autouse=True)
def _fresh_counts():
    """Reset the rate limits."""
    cache.clear()


def position(edition="core-2014", width=8, height=6):
    there = position_on(empty_map(width, height), edition, "Table 4")
    there = placed(there, "A", {"name": "Ace", "range": 6, "dial": DIAL}, "B2")
    return placed(there, "B", {"name": "Bolt", "range": 6, "dial": DIAL}, "G2")


def change(client, document, do="look", **given):
    text = document if isinstance(document, str) else json.dumps(document)
    return client.post(reverse("rules:board-change"), {"document": text, "do": do, **given})


def held(response):
    """Return the position in a page."""
    text = re.search(r'name="document"[^>]*>\n(.*?)</textarea>', response.content.decode(), re.DOTALL)
    return json.loads(html.unescape(text[1]))


def shown(response):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def test_the_front_page_has_maps_and_examples(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        page = client.get(reverse("rules:board"))
    assert page.status_code == 200
    for one in shelf.maps().values():
        assert reverse("rules:board-map", args=[one.slug]) in page.content.decode()
    for one in shelf.examples().values():
        assert reverse("rules:board-example", args=[one.slug]) in page.content.decode()


def test_the_rules_page_leads_to_the_board(client):
    assert reverse("rules:board") in client.get(reverse("rules:home")).content.decode()


@pytest.mark.parametrize("slug", shelf.maps())
def test_every_map_opens(client, slug):
    page = client.get(reverse("rules:board-map", args=[slug]))
    assert page.status_code == 200
    assert held(page)["map"] == shelf.maps()[slug].map
    assert "cannot" not in shown(page).split("Edition", 1)[0]


def test_rulings_on_a_line_that_decide_nothing_are_one_line(client):
    page = client.get(reverse("rules:board-example", args=["half-range-at-the-soaring"])).content.decode()
    assert "<summary>1 ruling about “Soaring”</summary>" in page
    assert "The deciding ruling" not in page


@pytest.mark.parametrize("slug", shelf.examples())
def test_every_example_opens_with_its_first_line(client, slug):
    one = shelf.examples()[slug]
    page = client.get(reverse("rules:board-example", args=[slug]))
    assert f"{one.lines[0]['from']} → {one.lines[0]['to']}" in shown(page)
    assert html.escape(one.sections[0]) in page.content.decode()
    assert 'class="line line-' in page.content.decode()


@pytest.mark.parametrize(
    ("name", "slug"), [("board-map", "nowhere"), ("board-example", "none"), ("board-saved", "AAAAAAAAAAA")]
)
def test_what_is_not_there_is_not_found(client, name, slug):
    assert client.get(reverse(f"rules:{name}", args=[slug])).status_code == 404


def test_two_squares_give_line_reason_and_citation(client):
    walled = position()
    walled["map"]["walls"] = ["D2|E2"]
    page = change(client, walled, **{"from": "Ace", "to": "g2"})
    assert "The line of fire from Ace (B2) to Bolt (G2) is blocked: a wall stands between D2 and E2." in shown(page)
    assert "ranged attack not possible" in shown(page)
    text = page.content.decode()
    assert 'class="line-bar"' in text
    assert re.search(r'class="mark-edge mark-blocked" d="M188 ', text), "the edge D|E is outlined"
    links = set(re.findall(r'href="(/rules/rulebook/citation/[^"]+)"', text))
    assert links
    for link in links:
        assert client.get(html.unescape(link), follow=True).status_code == 200


def test_the_line_changes_where_it_becomes_hindered(client):
    there = position()
    there["map"]["terrain"] = [{"type": "hindering", "squares": ["E2"]}]
    text = change(client, there, **{"from": "B2", "to": "G2"}).content.decode()
    # from the centre of B2 (88) to the left side of E2 (188) clear, from there to the centre of G2 (288) hindered
    assert 'class="line line-clear" d="M88 88L188 88"' in text
    assert 'class="line line-hindered" d="M188 88L288 88"' in text
    assert "line-bar" not in text


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_judges(client, edition):
    page = change(client, position(), edition=edition, shade="see", **{"from": "B2", "to": "G2"})
    assert EDITIONS[edition].title in shown(page)
    assert "is clear: nothing stands in its way" in shown(page)
    assert held(page)["edition"] == edition
    assert "shade-clear" in page.content.decode()


def test_two_editions_side_by_side_mark_what_differs(client):
    one = shelf.examples()["the-2005-rim"]
    page = change(client, one.position, other="core-2014", shade="see", **{"from": "A2", "to": "D2"})
    assert page.content.decode().count('class="board-drawing"') == 2
    assert "The two editions differ on this line." in shown(page)
    assert "3 squares are shaded differently (≠): D1 D2 D3" in shown(page)
    assert page.content.decode().count('class="differs"') == 6


def test_reached_squares_say_what_they_take(client):
    page = change(client, position(), shade="reach", **{"from": "B2"})
    speeds = re.findall(r'class="speed"[^>]*>(\d+)<', page.content.decode())
    assert speeds.count("1") == 8
    assert set(speeds) == {"1", "2", "3", "4", "5", "6"}


def test_an_empty_square_sees_too(client):
    page = change(client, position(), shade="see", **{"from": "D4"})
    assert "shade-clear" in page.content.decode()
    assert len(held(page)["sides"][0]["characters"]) == 1


def test_a_book_without_windows_says_so_beside_the_one_that_has_them(client):
    there = position("core-modern")
    there["map"]["windows"] = ["D2|E2"]
    page = change(client, there, other="ic-2002", **{"from": "B2", "to": "G2"})
    assert page.status_code == 200
    assert "This edition has no windows." in shown(page)
    assert "is clear: the window between D2 and E2 doesn't block it" in shown(page)


def test_the_map_is_drawn_without_a_script(client):
    page = change(client, position(), "brush", brush="terrain:elevated", level="3", where="D1:E3")
    assert held(page)["map"]["terrain"] == [{"type": "elevated", "level": 3, "squares": ["D1:E3"]}]
    page = change(client, held(page), "brush", brush="edge:walls", where="B2|C2")
    assert held(page)["map"]["walls"] == ["B2|C2"]
    page = change(client, held(page), "resize", width="5", height="4")
    assert (held(page)["map"]["width"], held(page)["map"]["height"]) == (5, 4)
    page = change(client, held(page), "name", title="Roofs", kind="indoor")
    assert (held(page)["title"], held(page)["map"]["kind"]) == ("Roofs", "indoor")


def test_figures_are_placed_moved_and_removed_without_a_script(client):
    given = {"name": "Cat", "range": "5", "symbol-speed": "wing", "flight": "hovering", "symbol-damage": "giant"}
    page = change(client, position(), "place", where="d4", player="B", powers="Stealth, Charge", **given)
    cat = held(page)["sides"][1]["characters"][1]
    assert (cat["id"], cat["square"], cat["range"], cat["flight"]) == ("cat", "D4", 5, "hovering")
    assert (cat["symbols"]["damage"], cat["dial"][0]["powers"]) == ("giant", ["Stealth", "Charge"])
    page = change(
        client, held(page), "alter", figure="cat", range="7", powers="Phasing", **{"improved-targeting": ["hindering"]}
    )
    cat = held(page)["sides"][1]["characters"][1]
    assert (cat["name"], cat["range"], cat["dial"][0]["powers"]) == ("Cat", 7, ["Phasing"])
    assert cat["improved"]["targeting"] == ["hindering"]
    assert cat["flight"] == "hovering"  # a field that isn't sent changes nothing
    page = change(client, held(page), "alter", figure="cat", flight="")
    assert held(page)["sides"][1]["characters"][1]["flight"] is None
    page = change(client, held(page), "move", figure="cat", where="E5")
    assert held(page)["sides"][1]["characters"][1]["square"] == "E5"
    page = change(client, held(page), "remove:cat")
    assert len(held(page)["sides"][1]["characters"]) == 1


def test_a_figure_comes_from_the_catalogue(client, library_figure):
    page = change(client, position("core-modern"), "find", find=library_figure.name)
    assert f"place:{library_figure.element.code}" in page.content.decode()
    page = change(client, position("core-modern"), f"place:{library_figure.element.code}", where="D4", player="A")
    made = held(page)["sides"][0]["characters"][1]
    assert (made["name"], made["square"]) == (library_figure.name, "D4")
    assert made["dial"]


@pytest.fixture
def library_figure(db):
    """Return the facts of a shipped figure with its complete dial."""
    from rules.queries import facts_on
    from tests.rules.catalogue.shipped import loaded_library

    loaded_library()
    rows = facts_on().filter(element__section="characters", element__set__code="night-ledger")
    return next(row for row in rows if row.document.get("dial") and row.document.get("base", "single") == "single")


@pytest.mark.parametrize(
    ("do", "given", "says"),
    [
        ("brush", {"brush": "terrain:water", "where": "Z9"}, "Z9 isn't on the map."),
        ("brush", {"brush": "terrain:water", "where": "here"}, "a square"),
        ("place", {"where": "B2"}, "Ace already occupies B2."),
        ("place", {"where": ""}, "Enter at least one square"),
        ("place:none/1", {"where": "A1"}, "have this figure"),
        ("move", {"where": "A1"}, "Choose the figure to move."),
        ("alter", {"name": "X"}, "Choose the figure to change."),
        ("resize", {"width": "1000", "height": "4"}, "1 to 200 squares"),
        ("resize", {"width": "-1", "height": "x"}, "1 to 200 squares"),
    ],
)
def test_impossible_changes_are_explained_and_nothing_is_lost(client, do, given, says):
    page = change(client, position(), do, **given)
    assert page.status_code == 200
    assert says in shown(page)
    assert held(page) == position()


def test_windows_are_refused_where_the_book_has_none(client):
    page = change(client, position("ic-2002"), "brush", brush="edge:windows", where="B2|C2")
    assert "This edition has no windows." in shown(page)
    assert "/map" not in shown(page).split("The position file")[0]
    assert held(page) == position("ic-2002")


def broken(**keys):
    """Return the text of a valid position with these keys replaced."""
    return json.dumps({**position(), **keys})


TINY = {"width": 3, "height": 3}
OFF_THE_MAP = {"id": "a", "name": "A", "square": "D1", "dial": DIAL}
BROKEN = [
    ("", ""),
    ("{", ""),
    ("[]", ""),
    ('{"a": 1}\n{"b": 2}', ""),
    ("[" * 5000, ""),
    ('{"edition": "core-2014", "map": NaN, "sides": []}', ""),
    ('{"edition": "core-2014"}', "map: "),
    (broken(edition="x"), "edition: "),
    (broken(map={"width": 1e9, "height": 1}), "map, width: "),
    (broken(map=TINY | {"terrain": [{"type": "lava", "squares": []}]}), "map, terrain 1, type: "),
    (broken(map=TINY, sides=[{"player": "A", "characters": [OFF_THE_MAP]}]), "sides 1, characters 1, square: "),
    (broken(more=1), "more: "),
    (broken(sides=[]), "sides: "),
]


@pytest.mark.parametrize(("text", "where"), BROKEN)
@pytest.mark.parametrize("way", ["board-change", "board-file"])
def test_a_broken_position_says_what_is_wrong_in_a_sentence(client, text, where, way):
    page = client.post(reverse(f"rules:{way}"), {"document": text, "do": "look", "from": "A1", "to": "B1"})
    assert page.status_code == 400
    assert "This position isn't valid." in shown(page)
    assert f"<li>{where}" in page.content.decode()
    assert html.escape(text[:200]) in page.content.decode()


def test_too_large_a_file_is_refused(client):
    text = json.dumps({**position(), "note": "x" * 500_000})
    assert "at most 400 KB" in shown(change(client, text))
    upload = SimpleUploadedFile("big.json", text.encode())
    page = client.post(reverse("rules:board-file"), {"file": upload})
    assert page.status_code == 413
    assert "at most 400 KB" in shown(page)
    assert SavedPosition.objects.count() == 0


@pytest.mark.parametrize("way", ["board-change", "board-file", "dispute-new"])
def test_more_figures_than_can_be_placed_are_refused(client, way):
    """Six pages of a saved position with a thousand figures once delayed every reader for a minute."""
    crowd = position(width=40, height=40)
    names = [square_name((n % 40, n // 40)) for n in range(MAX_PIECES + 1)]
    crowd["sides"][0]["characters"] = [
        {"id": f"f{n}", "name": "Ace", "square": name, "dial": DIAL} for n, name in enumerate(names)
    ]
    crowd["sides"] = crowd["sides"][:1]
    page = client.post(reverse(f"rules:{way}"), {"document": json.dumps(crowd), "do": "save"})
    assert page.status_code == 400
    assert f"at most {MAX_PIECES} figures" in shown(page)
    assert not SavedPosition.objects.exists()
    crowd["sides"][0]["characters"].pop()
    page = client.post(reverse(f"rules:{way}"), {"document": json.dumps(crowd), "do": "save"})
    assert page.status_code in (200, 302)


def test_a_stranger_at_the_address_does_not_keep_a_judge_from_the_board(client, settings):
    rates = {"board_change": "2/m/ip", "board_save": "2/m/ip"}
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | rates
    for _try in range(3):
        stranger = change(client, position())
    assert stranger.status_code == 429
    judge = client_of(PersonFactory())
    assert change(judge, position()).status_code == 200
    assert change(judge, position(), "save").status_code == 302


def test_a_map_of_200_by_200_is_drawn_and_judged(client):
    page = client.get(reverse("rules:board-new"), {"width": "200", "height": "200"})
    large = held(page)
    large["map"]["terrain"] = [{"type": "hindering", "squares": ["B2:GR199"]}]
    page = change(client, large, shade="see", **{"from": "A1", "to": "GR200"})
    assert page.status_code == 200
    assert "is hindered" in shown(page)
    assert "too large to shade by line of fire" in shown(page)
    both = shown(
        change(client, large, shade="see", edition="car-2002", other="core-modern", **{"from": "A1", "to": "GR200"})
    )
    assert "No square is shaded differently" not in both


def test_a_crowded_map_of_200_by_200_is_drawn(client):
    from rules.positions import square_name

    large = position_on(empty_map(200, 200), "core-2014")
    chequered = [square_name((column, row)) for column in range(200) for row in range(column % 2, 200, 2)]
    large["map"]["terrain"] = [{"type": "blocking", "squares": chequered}]
    text = json.dumps(large)
    assert len(text) < 400_000
    page = change(client, text, shade="reach", **{"from": "B1", "to": "D1"})
    assert page.status_code == 200
    assert "blocked" in shown(page)


def test_a_position_is_saved_at_an_address_that_is_shared(client):
    answer = change(client, position(), "save", other="ic-2002", **{"from": "B2", "to": "G2"})
    row = SavedPosition.objects.get()
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("rules:board-saved", args=[row.public_id]))
    assert len(row.public_id) == 11
    page = client.get(answer.url)
    assert held(page) == position() == row.document
    assert "B2 → G2" in shown(page)
    assert f"http://testserver{reverse('rules:board-saved', args=[row.public_id])}" in shown(page)
    assert '<div class="qr"' in page.content.decode()
    assert row.title == "Table 4"


def test_the_same_position_is_kept_once_and_never_changed(client):
    first = change(client, position(), "save").url
    assert change(client, position(), "save").url == first
    other = position()
    other["map"]["walls"] = ["A1|B1"]
    assert change(client, other, "save").url != first
    assert [row.document["map"]["walls"] for row in SavedPosition.objects.order_by("pk")] == [[], ["A1|B1"]]


def test_saving_has_a_limit(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"board_save": "2/m/ip", "board_change": "900/m/ip"}
    for number in range(2):
        assert change(client, position(width=8 + number), "save").status_code == 302
    page = change(client, position(width=12), "save")
    assert page.status_code == 429
    assert "Wait a minute" in shown(page)
    assert SavedPosition.objects.count() == 2


def test_strangers_together_fill_no_disk(client, settings, monkeypatch, tmp_path):
    """The attack: sixty positions a minute from each of many addresses, for as long as the disk had room."""
    settings.ACCOUNT_RATE_LIMITS = {"board_save_by_strangers": "2/d/key"}
    for number in range(2):
        client.defaults["REMOTE_ADDR"] = f"192.0.2.{number}"
        assert change(client, position(width=8 + number), "save").status_code == 302
    client.defaults["REMOTE_ADDR"] = "192.0.2.9"
    refused = [
        change(client, position(width=12), "save"),
        client.post(reverse("rules:dispute-new"), {"edition": "core-2014"}),
    ]
    assert [page.status_code for page in refused] == [429, 429]
    assert "Sign in to save this" in shown(refused[0])
    known = client_of(PersonFactory())
    assert change(known, position(width=12), "save").status_code == 302
    settings.ACCOUNT_RATE_LIMITS, settings.DATA_DIR = {}, tmp_path
    monkeypatch.setattr("rules.views.pieces.ROOM_KEPT", 10**18)
    assert change(client, position(width=13), "save").status_code == 429
    assert change(known, position(width=13), "save").status_code == 302
    assert SavedPosition.objects.count() == 4


def test_strangers_save_no_more_than_the_site_can_hold(client, monkeypatch):
    monkeypatch.setattr("rules.views.pieces.MAX_SAVED", 2)
    assert change(client, position(), "save").status_code == 302
    assert client.post(reverse("rules:dispute-new"), {"edition": "core-2014"}).status_code == 302
    refused = change(client, position(width=9), "save")
    assert refused.status_code == 429
    assert "Too many positions have been saved without an account. Sign in to save this one." in shown(refused)
    assert change(client_of(PersonFactory()), position(width=9), "save").status_code == 302


def test_a_position_file_goes_out_and_comes_in_again(client):
    there = position() | {"ask": [{"ask": "line-of-fire", "from": "ace", "to": "G2"}], "note": "as it stood"}
    answer = change(client, there, "file")
    assert answer["Content-Disposition"] == 'attachment; filename="table-4.json"'
    assert json.loads(answer.content) == there
    page = client.post(reverse("rules:board-file"), {"file": SimpleUploadedFile("p.json", answer.content)})
    assert held(page) == there
    assert "B2 → G2" in shown(page)
    change(client, there, "save")
    row = SavedPosition.objects.get()
    assert json.loads(client.get(reverse("rules:board-saved-file", args=[row.public_id])).content) == there


def test_names_are_escaped_in_drawing_and_words(client):
    there = position()
    there["sides"][0]["characters"][0]["name"] = '<script>alert("x")</script>'
    there["objects"] = [{"id": "<b>", "kind": "heavy", "square": "C3", "name": '"><i>'}]
    there["title"] = "</textarea><script>"
    page = change(client, there, **{"from": "B2", "to": "G2"})
    text = page.content.decode()
    assert "<script>" not in text
    assert '"><i>' not in text
    assert held(page) == there


def test_the_script_is_given_the_parts_that_change(client):
    answer = client.post(
        reverse("rules:board-change"),
        {"document": json.dumps(position()), "do": "look", "from": "B2", "to": "G2"},
        headers={"X-Board": "part"},
    )
    text = answer.content.decode()
    assert "<html" not in text
    for part in ("said", "verdict", "boards", "answer", "figures", "found", "document"):
        assert f'data-part="{part}"' in text


def test_changing_asks_no_database(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(1):
        change(client, position(), **{"from": "B2", "to": "G2"})


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("from", "ZZZ9999"),
        ("from", "-"),
        ("edition", "none"),
        ("other", "x"),
        ("shade", "x"),
        ("figure", "x"),
        ("do", "dance"),
    ],
)
def test_nonsense_in_a_choice_chooses_nothing(client, key, value):
    page = client.post(reverse("rules:board-change"), {"document": json.dumps(position()), key: value})
    assert page.status_code == 200
    assert held(page) == position()


def test_whole_numbers_may_be_written_with_a_point(client):
    there = position()
    there["map"] |= {"width": 8.0, "terrain": [{"type": "elevated", "level": 2.0, "squares": ["D1"]}]}
    there["sides"][0]["characters"][0] |= {"range": 6.0, "click": 1.0}
    page = change(client, there, shade="see", **{"from": "B2", "to": "D1"})
    assert page.status_code == 200
    assert '"range": 6.0' not in page.content.decode()
    assert "range 6 " in shown(page)
