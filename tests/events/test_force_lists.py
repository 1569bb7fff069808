"""Lists and force files pasted into the builder and the free check: what is found is added; the rest stays, with why."""

import html
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from events.building import MAX_PICKS, MAX_UNDO
from events.models import Event, Force
from events.views.forces_free import FREE_FORCE
from rules.services.catalogue import catalogue_elements
from tests.conftest import client_of
from tests.factories import EntryFactory, PersonFactory, RoundFactory

from .force_catalogue import NEW, OLD, figure, small_catalogue

FREE = "/forces/check/"
LIST = "Team: 200\n2x Night Heron\nharbour 002\nFenwick\nAda Fenwick 100\nNobody\n\nTotal: 300"


@pytest.fixture
def catalogue(db):
    small_catalogue()
    catalogue_elements(elements=[figure(OLD, "020", "Twin", 30), figure(NEW, "020", "Twin", 40)])


@pytest.fixture
def player(staff):
    person = PersonFactory(name="Paula Player")
    return EntryFactory(event=staff.event, person=person, name="Paula Player")


@pytest.fixture(params=["builder", "free check"])
def box(request, player):
    """Return how to post to the box, and how to read the bench's picks."""
    client = client_of(player.person) if request.param == "builder" else Client()
    at = (
        f"/events/{player.event.public_id}/entries/{player.number}/force/change/"
        if request.param == "builder"
        else FREE
    )

    def post(act, **sent):
        return client.post(at, {"act": act, **sent})

    def picks():
        if request.param == "free check":
            return client.session[FREE_FORCE]["bench"]["picks"] if FREE_FORCE in client.session else []
        return Force.objects.get(entry=player).work["picks"] if Force.objects.filter(entry=player).exists() else []

    return post, picks


def shown(response) -> str:
    """Return the box of the page, as text with its fields."""
    return html.unescape(response.content.decode().split('id="list"')[1].split("</details>")[0])


def typed(response) -> str:
    return re.search(r"(?s)<textarea[^>]*>\n?(.*?)</textarea>", shown(response))[1]


def test_a_list_is_shown_line_by_line_before_anything_is_added(catalogue, box):
    post, picks = box
    text = shown(post("list", text=LIST))
    assert "2 × Night Heron · Old Harbour 001" in text
    assert "Laughing Jack · Old Harbour 002" in text
    assert "Ada Fenwick · Black Tower 010 · 100 points" in text
    assert "Nobody" in text
    assert "nothing with this name" in text
    assert "Skipped:" in text
    assert "Add chosen items" in text
    assert picks() == []


def test_many_candidates_are_a_list_to_search_and_few_are_not(catalogue, box):
    catalogue_elements(elements=[figure(NEW, f"{n:03}", "Triplet", 30 + n) for n in range(70, 78)])
    post, picks = box
    few, many = shown(post("list", text="Twin")), shown(post("list", text="2 Triplet"))
    assert "data-filter" not in few
    assert "Search these 8" in many
    assert many.count('type="radio"') == 8
    chosen = re.search(r'name="([^"]+)" value="(2:[^"]*073)"', many)
    post("list-add", text="2 Triplet", **{chosen[1]: chosen[2]})
    assert [one["code"] for one in picks()] == ["tower/073"] * 2


def test_what_was_found_is_added_and_the_rest_stays_with_the_reason(catalogue, box):
    post, picks = box
    response = post("list-add", text=LIST)
    assert [(one["code"], one.get("points")) for one in picks()] == [
        ("harbour/001", None), ("harbour/001", None), ("harbour/002", None), ("tower/010", 100),
    ]  # fmt: skip
    assert typed(response).split("\n") == ["Fenwick", "Nobody"]
    assert "4 items added" in response.content.decode()
    assert response.content.decode().count('class="card element') == 4
    assert post("list-add", text="Bramble").status_code == 302, "nothing is left"
    post("undo")
    assert len(picks()) == 4, "a list is one step"


def test_a_choice_for_a_line_is_kept_while_the_list_is_edited_and_then_added(catalogue, box):
    post, picks = box
    offered = shown(post("list", text="Twin\nNobody"))
    (name,) = set(re.findall(r'name="(choice [^"]*)"', offered))
    assert "Add chosen items" in offered
    value = next(
        one for one in re.findall(r'type="radio" name="choice [^"]*" value="([^"]+)"', offered) if "tower" in one
    )
    again = shown(post("list", text="Bramble\nTwin", **{name: value}))
    assert f'value="{value}" checked' in again
    assert "Add 2 items" in again
    assert post("list-add", text="Bramble\nTwin", **{name: value}).status_code == 302
    assert [one["code"] for one in picks()] == ["harbour/003", "tower/020"]


def test_only_what_a_line_offers_can_be_chosen_for_it(catalogue, box):
    post, picks = box
    post("list-add", text="Twin", **{"choice 1 Twin": "1::tower/010"})
    post("list-add", text="Twin", **{"choice 1 Twin": "1000000000::tower/020"})
    assert picks() == []


def test_a_force_file_is_added_from_the_catalogue_and_else_as_written(catalogue, box):
    post, picks = box
    force = {
        "characters": [
            {
                "ref": "a",
                "name": "Ada Fenwick",
                "set": "tower",
                "number": "010",
                "points": 100,
                "proxy": True,
                "promotional": True,
            },
            {"name": "Stranger", "points": 30, "keywords": ["Guild"]},
            {"name": "Tom Fenwick", "set": "tower", "number": "011", "points": 60},
        ],
        "feats": [{"name": "Slippery", "points": 15, "set": "x", "assigned_to": ["a", "character-2"]}],
    }
    del force["feats"][0]["set"]
    file = json.dumps({"edition": "core-2014", "event": {"build_total": 300}, "force": force})
    assert "The force file contains 4 items, 3 of them in the catalogue" in " ".join(
        shown(post("list", text=file)).split()
    )
    assert "For these items, the catalogue's points will replace the points in the file: Tom Fenwick" in shown(
        post("list", text=file)
    )
    sent = SimpleUploadedFile("force.json", f"\ufeff{file}".encode(), content_type="application/json")
    assert post("list-add", text="ignored", file=sent).status_code == 302
    ada, stranger, tom, feat = picks()
    assert (ada["code"], ada["points"], ada["proxy"], ada.get("promotional")) == ("tower/010", 100, True, None)
    assert (stranger["code"], stranger["by_hand"]["name"]) == (None, "Stranger")
    assert (tom["code"], tom.get("points")) == ("tower/011", None), "at the catalogue's points"
    assert (feat["code"], feat["assigned_to"]) == ("tower/feat-slippery-f1", [ada["ref"], stranger["ref"]])


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"text": ""}, "Paste a list, or choose a file"),
        ({"text": "a\n" * 10_000}, "at most 300 lines"),
        ({"text": "x" * 1_000_000}, "at most 400000 characters"),
        ({"file": b"\xff\xfe\x00PK\x03\x04"}, "Save it as UTF-8"),
        ({"file": b"x" * 400_001}, "too large"),
        ({"file": b""}, "empty"),
        ({"text": "Bramble\x00"}, "Null characters"),
        ({"text": "{not json"}, "valid force file"),
        ({"text": '{"edition": "core-2014"}'}, "valid force file"),
    ],
)  # fmt: skip
def test_bad_input_is_answered_with_a_sentence_and_adds_nothing(catalogue, box, sent, says):
    post, picks = box
    for act in ("list", "list-add"):
        given = {key: SimpleUploadedFile("x", value) if key == "file" else value for key, value in sent.items()}
        response = post(act, **given)
        assert says in html.unescape(response.content.decode()).split('id="list"')[1], "where the page opens"
    assert picks() == []


def test_signs_that_turn_text_are_left_out_and_markup_is_shown_as_text(catalogue, box):
    post, _picks = box
    text = shown(post("list", text="\u202eNight\u2066 Heron\n<b>x</b><script>alert(1)</script>"))
    assert "Night Heron · Old Harbour 001" in text
    assert "\u202e" not in text.split("</textarea>")[1]
    assert (
        "<script>"
        not in post("list", text="<script>alert(1)</script>")
        .content.decode()
        .split('id="list"')[1]
        .split("</details>")[0]
    )


def test_a_list_that_does_not_fit_adds_nothing(catalogue, box):
    post, picks = box
    response = post("list-add", text=f"{MAX_PICKS}x Bramble\nNight Heron")
    assert f"at most {MAX_PICKS} items" in response.content.decode()
    assert picks() == []


def test_the_search_still_works_on_the_page_that_shows_a_list(catalogue, player):
    at = f"/events/{player.event.public_id}/entries/{player.number}/force/"
    page = client_of(player.person).post(f"{at}change/", {"act": "list", "text": "Nobody"}).content.decode()
    assert f'action="{at}#found"' in page
    assert f'hx-get="{at}"' in page


def test_no_one_reads_a_list_into_a_force_that_is_locked_or_not_theirs(catalogue, staff, player):
    at = f"/events/{player.event.public_id}/entries/{player.number}/force/change/"
    for client in (Client(), client_of(PersonFactory())):
        for act in ("list", "list-add"):
            assert client.post(at, {"act": act, "text": "Bramble"}).status_code == 403
    RoundFactory(event=staff.event, number=1, state="published")
    Event.objects.filter(pk=staff.event.pk).update(state="running")
    for act in ("list", "list-add"):
        assert client_of(player.person).post(at, {"act": act, "text": "Bramble"}).status_code == 403
    assert not Force.objects.filter(entry=player).exists()


def test_undo_steps_of_large_force_files_take_only_so_much_room(db):
    client = Client()
    figures = [{"name": f"Figure {n}", "points": 10, "keywords": [f"{n} {'k' * 90}"] * 20} for n in range(150)]
    document = {"edition": "core-2014", "event": {"build_total": 300}, "force": {"characters": figures}}
    assert client.post(FREE, {"act": "list-add", "text": json.dumps(document)}).status_code == 302
    for _step in range(4):
        ref = client.session[FREE_FORCE]["bench"]["picks"][0]["ref"]
        client.post(FREE, {"act": "remove", "ref": ref})
    bench = client.session[FREE_FORCE]["bench"]
    assert len(bench["picks"]) == 146
    assert 0 < len(bench["undo"]) < 4
    assert len(json.dumps(bench["undo"])) <= MAX_UNDO


def test_text_that_a_database_cannot_hold_is_refused(catalogue, box):
    post, picks = box
    document = {"edition": "core-2014", "event": {"build_total": 300}}
    document["force"] = {"characters": [{"name": "Ada\0", "points": 10}]}
    for act in ("list", "list-add"):
        response = post(act, text=json.dumps(document))
        assert response.status_code == 200
        assert "NUL" in html.unescape(response.content.decode())
    assert post("add", code="\0").status_code == 403
    assert picks() == []


def test_the_search_takes_no_condition_that_a_database_cannot_hold(catalogue):
    for name in ("set", "section"):
        assert Client().get("/api/elements", {name: "a\0"}).status_code == 422
