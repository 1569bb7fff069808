"""Disputes through requests: started, set up, acted, rolled, stepped through, shared, deleted; without scripts."""

import html
import io
import json
import re
import zoneinfo
from collections import OrderedDict

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

from rules import engine, shelf
from rules.dispute import unfinished
from rules.dispute.replay import replay_of
from rules.engine import EDITIONS, adjudicate
from rules.models import SavedDispute
from rules.positions import pieces
from rules.queries import facts_on
from rules.services.disputes import begin_dispute, change_dispute, lead_back, release_dispute
from tests.rules.catalogue.shipped import loaded_library

pytestmark = pytest.mark.django_db
CLICK = {"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": []}


def piece(name, square=None, *powers, clicks=6, **more):
    click = {**CLICK, "powers": list(powers)}
    found = {"id": name.lower(), "name": name, "range": 8, "dial": [click] * clicks, **more}
    return {**found, "square": square} if square else found


def position(*actions, edition="core-2014", **more):
    """Return Batman and the Joker, six squares apart with bushes between them."""
    return {
        "edition": edition,
        "map": {"width": 12, "height": 8, "terrain": [{"type": "hindering", "squares": ["D1:D3"]}]},
        "sides": [
            {"player": "Ann", "characters": [piece("Batman", "A1", "Outwit")]},
            {"player": "Bo", "characters": [piece("Joker", "G2", "Super Senses", "Toughness")]},
        ],
        **({"actions": list(actions)} if actions else {}),
        **more,
    }


SHOT = {"action": "ranged", "actor": "batman", "targets": ["joker"]}
HIT = {**SHOT, "rolls": {"attack": [[5, 4]], "super-senses:joker": [[2]]}}


@pytest.fixture
def judge(client):
    """Return `judge(document, **more)`, which creates a dispute with that document and opens its judges' link."""

    def open_dispute(document=None, **more):
        row = begin_dispute(document=document or position(), **more)
        client.get(row.judging_address(), follow=True)
        return row

    return open_dispute


@pytest.fixture
def library_figure(db):
    """Return the facts of a shipped figure with its complete dial."""
    loaded_library()
    rows = facts_on().filter(element__section="characters", element__set__code="night-ledger")
    return next(row for row in rows if row.document.get("dial") and row.document.get("base", "single") == "single")


def at(row, name="dispute", *more):
    return reverse(f"rules:{name}", args=[row.public_id, *more])


def change(client, row, do, **given):
    row.refresh_from_db()
    return client.post(at(row), {"do": do, "version": row.version, **given}, follow=True)


def words(answer):
    text = answer.content.decode()
    text = text[text.index("<main") :] if "<main" in text else text
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


# --- Starting ---


def test_one_tap_begins_a_dispute_with_two_figures_to_place(client):
    assert client.get(reverse("rules:dispute-new")).status_code == 200
    shown = client.post(reverse("rules:dispute-new"), {"edition": "core-2014", "map": ""}, follow=True)
    row = SavedDispute.objects.get()
    assert shown.request["PATH_INFO"] == at(row)
    assert "key=" not in shown.redirect_chain[-1][0]
    assert "Tap the figure's square on the board" in words(shown)
    assert [one["player"] for one in row.waiting] == ["A", "B"]


def test_a_dispute_begins_on_a_map_of_the_library(client):
    client.post(reverse("rules:dispute-new"), {"edition": "ic-2002", "map": "lantern-street"})
    assert SavedDispute.objects.get().document["map"] == shelf.maps()["lantern-street"].map


def test_a_position_file_is_opened(client):
    shown = client.post(reverse("rules:dispute-new"), {"document": json.dumps(position(HIT))}, follow=True)
    assert "Result" in words(shown)
    assert SavedDispute.objects.get().document["actions"] == [HIT]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("{", ""),
        ('{"edition": "core-2014", "map": {"width": 0}}', "map, width: "),
        ("[1]", ""),
        ('{"a": 1}\n{"b": 2}', ""),
    ],
)
def test_an_invalid_position_is_refused_with_the_place_of_the_error(client, text, where):
    answer = client.post(reverse("rules:dispute-new"), {"document": text})
    assert answer.status_code == 400
    told = answer.content.decode().partition('id="fault-file"')[2]
    assert f"<li>{where}" in told
    assert "<code>/" not in told
    assert not SavedDispute.objects.exists()


def test_the_board_leads_to_a_dispute(client):
    answer = client.post(reverse("rules:board-change"), {"do": "dispute", "document": json.dumps(position())})
    assert answer.status_code == 302
    assert SavedDispute.objects.get().public_id in answer["Location"]


# --- Permission to change ---


def test_the_address_alone_is_for_reading(client):
    row = begin_dispute(document=position(HIT))
    answer = client.get(at(row))
    assert answer["Location"] == at(row, "dispute-read")
    assert client.get(at(row, "dispute-step", 2))["Location"] == at(row, "dispute-read-step", 2)
    assert client.get(row.judging_address()[:-2]).headers["Location"] == at(row, "dispute-read")
    shown = client.get(at(row, "dispute-read"))
    assert row.key not in shown.content.decode()
    assert "Manual override" not in words(shown)
    refused = client.post(at(row), {"do": "back", "version": 1})
    assert refused.status_code == 403
    assert client.get(at(row, "dispute-act")).status_code == 302
    assert client.post(at(row, "dispute-set"), {}).status_code == 403


def test_a_second_judge_opens_the_same_step(client):
    row = begin_dispute(document=position(HIT))
    shown = client.get(row.judging_address(4), follow=True)
    assert shown.request["PATH_INFO"] == at(row, "dispute-step", 4)
    assert "Step 4 of" in words(shown)
    assert row.key in shown.content.decode()


@pytest.mark.parametrize("name", ["dispute", "dispute-act", "dispute-what-if", "dispute-set"])
def test_every_page_that_is_opened_with_the_key_keeps_it(client, name):
    row = begin_dispute(document=position())
    opened = client.get(at(row, name), {"key": row.key, "figure": "batman"})
    assert (opened.status_code, opened["Location"]) == (302, f"{at(row, name)}?figure=batman")
    assert opened.cookies[f"dispute-{row.public_id}"].value == row.key
    assert client.get(opened["Location"]).status_code == 200
    assert client.get(at(row)).status_code == 200


@pytest.mark.parametrize("name", ["dispute", "dispute-act", "dispute-what-if", "dispute-set"])
def test_a_wrong_key_is_not_kept(client, name):
    row = begin_dispute(document=position())
    opened = client.get(at(row, name), {"key": "guessed", "figure": "batman"})
    assert opened.status_code == 302
    assert "/read/" in opened["Location"]
    assert not opened.cookies


def test_figures_with_the_same_name_are_told_apart(client, judge):
    watchmen = [piece("Watchman", points=points) | {"id": f"watchman-{points}"} for points in (14, 21)]
    document = position()
    document["sides"][1]["characters"] += [watchmen[0] | {"square": "G4"}, watchmen[1] | {"square": "G6"}]
    row = judge(document, waiting=[{"player": "Bo", "piece": one | {"id": f"{one['id']}-2"}} for one in watchmen])
    page = words(client.get(at(row)))
    assert "Against whom? Tap the figure Filter" not in page
    for target, shown in (("watchman-14", "Watchman Wa "), ("watchman-21", "Watchman Wa2 "), ("joker", "Joker ")):
        assert shown in page.partition("Against whom?")[2]
        assert f"Ranged attack → {shown}" in words(client.get(f"{at(row)}?figure=batman&target={target}"))
    assert "Watchman 14 · Bo" in page  # figures beside the map have no letter yet: their points tell them apart
    assert "Watchman 21 · Bo" in page
    assert "Batman Ba " not in page.partition("'s sheet")[2].partition("Figures on the map")[0]
    change(client, row, "act", figure="batman", option="ranged||watchman-21")
    assert "Batman: ranged attack → Watchman Wa2" in words(client.get(at(row)))


def test_a_reader_makes_a_copy(client):
    row = begin_dispute(document=position(HIT), title="In the yard")
    client.post(at(row, "dispute-copy"))
    made = SavedDispute.objects.exclude(pk=row.pk).get()
    assert (made.title, made.document) == (row.title, row.document)
    assert made.key != row.key


# --- Setting up the position ---


def test_figures_are_placed_by_square_and_taken_off_again(client, judge):
    waiting = [{"player": "Ann", "piece": piece("Robin")}]
    row = judge(waiting=waiting)
    change(client, row, "place", who="robin", where="b3")
    row.refresh_from_db()
    assert row.document["sides"][0]["characters"][1]["square"] == "B3"
    assert row.waiting == []
    change(client, row, "move-piece", figure="robin", where="C3")
    row.refresh_from_db()
    assert row.document["sides"][0]["characters"][1]["square"] == "C3"
    change(client, row, "put-away", figure="robin")
    row.refresh_from_db()
    assert [one["piece"]["id"] for one in row.waiting] == ["robin"]
    change(client, row, "back")
    row.refresh_from_db()
    assert row.waiting == []


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"who": "robin", "where": "Z99"}, "on the map"),
        ({"who": "robin", "where": "A1"}, "already occupies A1"),
        ({"who": "nobody", "where": "B1"}, "Choose the figure to place"),
        ({"who": "robin", "where": ""}, "Enter at least one square"),
    ],
)
def test_a_figure_that_cannot_stand_there_still_waits(client, judge, given, told):
    row = judge(waiting=[{"player": "Ann", "piece": piece("Robin")}])
    assert told in words(change(client, row, "place", **given))
    row.refresh_from_db()
    assert len(row.waiting) == 1


def test_a_figure_waits_as_a_captive_and_is_let_go(client, judge):
    row = judge(waiting=[{"player": "Ann", "piece": piece("Robin")}, {"player": "Bo", "piece": piece("Riddler")}])
    assert "Or choose the captor" in words(client.get(at(row)))
    page = words(change(client, row, "hold", who="robin", captor="joker"))
    row.refresh_from_db()
    robin = row.document["sides"][0]["characters"][1]
    assert (robin["id"], robin["square"], robin["captured_by"]) == ("robin", None, "joker")
    assert [one["piece"]["id"] for one in row.waiting] == ["riddler"]
    assert "Robin, held by Joker" in page
    assert "captive · click 1" in page
    # the report now knows about the captive: its captor is offered to release it
    asked = adjudicate({**row.document, "ask": [{"ask": "actions", "of": "joker"}], "turn": {"active": "Bo"}})
    assert "Release" in {name for one in asked["answers"][0]["result"] for name in one.get("using", ())}
    assert "opposing figure" in words(change(client, row, "hold", who="riddler", captor="joker"))
    assert "Riddler" in words(client.get(at(row)))
    page = words(change(client, row, "put-away", figure="robin"))
    row.refresh_from_db()
    assert "held by Joker" not in page.replace("Take back: Robin held by Joker", "")
    assert [one["piece"]["id"] for one in row.waiting] == ["riddler", "robin"]
    assert all("captured_by" not in one["piece"] for one in row.waiting)


@pytest.mark.parametrize(("do", "given"), [("map", {"map": "ashgrove-zoo"}), ("put-away", {"figure": "bane"})])
def test_captives_leave_the_map_with_their_captor(client, judge, do, given):
    document = position()
    document["map"] = {"width": 24, "height": 24}
    document["sides"][1]["characters"].append(piece("Bane", "T8"))  # a square outside the library's map
    row = judge(document, waiting=[{"player": "Ann", "piece": piece("Robin")}])
    change(client, row, "hold", who="robin", captor="bane")
    change(client, row, do, **given)
    row.refresh_from_db()
    assert sorted(one["piece"]["id"] for one in row.waiting) == ["bane", "robin"]
    assert all("captured_by" not in one["piece"] for one in row.waiting)
    assert sorted(one["id"] for side in row.document["sides"] for one in side["characters"]) == ["batman", "joker"]


def test_a_figure_is_brought_by_its_values(client, judge):
    row = judge()
    given = {"name": "Robin", "player": "Bo", "value-attack": "7", "range": "4", "powers": "Stealth, Flurry"}
    change(client, row, "bring", **given)
    row.refresh_from_db()
    made = row.waiting[0]
    assert (made["player"], made["piece"]["id"], made["piece"]["range"]) == ("Bo", "robin", 4)
    assert made["piece"]["dial"] == [{**CLICK, "attack": 7, "damage": 2, "powers": ["Stealth", "Flurry"]}] * 10
    change(client, row, "dismiss:robin")
    row.refresh_from_db()
    assert row.waiting == []


def test_the_position_is_changed_on_the_board_and_kept(client, judge):
    row = judge(position(SHOT))
    board = client.get(at(row, "dispute-set"))
    assert "Save position" in words(board)
    crumbs = re.search(r'<nav class="crumbs".*?</nav>', board.content.decode(), re.DOTALL)[0]
    assert f'href="{at(row)}"' in crumbs
    document = position(SHOT)
    document["sides"][1]["characters"][0]["square"] = "H2"
    given = {"version": row.version, "document": json.dumps(document), "edition": "car-2002"}
    assert client.post(at(row, "dispute-set"), given).status_code == 302
    row.refresh_from_db()
    assert (row.edition, row.document["actions"]) == ("car-2002", [SHOT])
    assert row.document["sides"][1]["characters"][0]["square"] == "H2"
    document["sides"][1]["characters"][0]["square"] = "H3"
    late = client.post(at(row, "dispute-set"), {**given, "document": json.dumps(document)})
    assert "Someone else has changed this dispute" in words(late)
    kept = html.unescape(late.content.decode())
    assert '"square": "H3"' in kept
    newest = {**given, "document": json.dumps(document), "version": row.version}
    assert f'name="version" value="{row.version}"' in kept
    assert client.post(at(row, "dispute-set"), newest).status_code == 302


def test_a_position_set_on_the_board_keeps_what_another_judge_changed_meanwhile(client, judge):
    row = judge(position(SHOT))
    document = position(SHOT)
    document["sides"][1]["characters"][0]["square"] = "H2"
    first = row.version
    change(client, row, "name", title="Ann's title")
    assert client.post(at(row, "dispute-set"), {"version": first, "document": json.dumps(document)}).status_code == 302
    row.refresh_from_db()
    assert (row.title, row.document["sides"][1]["characters"][0]["square"]) == ("Ann's title", "H2")
    broken = {"version": row.version, "document": json.dumps({**document, "edition": "core-1999"})}
    assert f'name="version" value="{row.version}"' in client.post(at(row, "dispute-set"), broken).content.decode()


def test_the_position_file_tells_cheaply_whether_the_dispute_has_changed(client, judge):
    row = judge(position(SHOT))
    known = {"HTTP_IF_NONE_MATCH": f'"{row.version}"'}
    assert client.head(at(row, "dispute-file"), **known).status_code == 304
    change(client, row, "name", title="Ann's title")
    assert client.head(at(row, "dispute-file"), **known).headers["ETag"] == f'"{row.version + 1}"'
    assert "Reload this page" in words(client.get(at(row, "dispute-read")))


def test_a_figure_in_the_middle_of_a_battle_is_set_on_the_board(client):
    document = position()
    given = {
        "do": "alter",
        "document": json.dumps(document),
        "figure": "joker",
        "standing": "yes",
        "name": "Joker",
        "value-speed": "6",
        "value-attack": "8",
        "value-defense": "14",
        "value-damage": "1",
        "click": "1",
        "tokens": "2",
        "acted": "yes",
        "teams": "X-Men",
        "range": "5",
        "powers": "",
    }
    shown = client.post(reverse("rules:board-change"), given)
    text = re.search(r'name="document"[^>]*>\n(.*?)</textarea>', shown.content.decode(), re.DOTALL)[1]
    joker = json.loads(text.replace("&quot;", '"'))["sides"][1]["characters"][0]
    assert joker["dial"][0] == {"speed": 6, "attack": 8, "defense": 14, "damage": 1, "powers": []}
    assert joker["dial"][1]["attack"] == 10
    assert (joker["tokens"], joker["acted"], joker["teams"]) == (2, True, ["X-Men"])
    turned = client.post(reverse("rules:board-change"), {**given, "click": "3"})
    text = re.search(r'name="document"[^>]*>\n(.*?)</textarea>', turned.content.decode(), re.DOTALL)[1]
    joker = json.loads(text.replace("&quot;", '"'))["sides"][1]["characters"][0]
    assert joker["click"] == 3
    assert [click["attack"] for click in joker["dial"]] == [10, 10, 8, 10, 10, 10]


# --- Actions ---


def test_an_attack_is_one_form_and_its_dice_another(client, judge):
    row = judge()
    shown = client.get(at(row))
    assert "ranged||joker" in shown.content.decode()
    rolled = change(client, row, "act", figure="batman", option="ranged||joker")
    assert "Attack roll" in words(rolled)
    rolled = change(client, row, "roll", name="attack", **{"die-1": "5", "die-2": "4"})
    assert "Super Senses: Joker" in words(rolled)
    done = change(client, row, "roll", name="super-senses:joker", **{"die-1": "2"})
    row.refresh_from_db()
    assert row.document["actions"] == [HIT]
    assert "Joker : click 1 → 3: 2 damage" in words(done)


def test_illegal_actions_may_be_tried_and_are_answered(client, judge):
    document = position()
    document["sides"][1]["characters"][0]["square"] = "L8"
    row = judge(document)
    shown = client.get(at(row))
    assert "Ranged attack → Joker not allowed" in words(shown)
    assert "2 actions not allowed" in words(shown)
    answered = change(client, row, "act", figure="batman", option="ranged||joker")
    assert "Not allowed" in words(answered)
    change(client, row, "act", figure="batman", option="close||joker")
    row.refresh_from_db()
    assert [one["action"] for one in row.document["actions"]] == ["close"]


def test_the_side_that_acts_first_has_the_turn(client, judge):
    row = judge()
    change(client, row, "act", figure="joker", option="ranged||batman")
    row.refresh_from_db()
    assert row.document["turn"]["active"] == "Bo"
    assert adjudicate(row.document)["awaiting"]["roll"] == "attack"


def test_a_move_names_only_where_it_ends(client, judge):
    row = judge()
    assert "Tap the destination" in words(client.get(f"{at(row)}?figure=batman&act=move"))
    change(client, row, "act", figure="batman", action="move", where="C5")
    row.refresh_from_db()
    report = adjudicate(row.document)
    assert report["legal"]
    assert report["state"]["characters"]["batman"]["square"] == "C5"


def test_while_a_square_is_waited_for_nothing_else_stands_between_it_and_the_board(client, judge):
    row = judge()
    for act, asked in (("move", "Tap the destination"), ("put", "Tap the figure's new square")):
        page = client.get(f"{at(row)}?figure=batman&act={act}").content.decode()
        next_thing = page.partition('id="next"')[2].partition('class="stepper-more"')[0]
        assert asked in next_thing
        assert "Choose a different action" in next_thing
    change(client, row, "act", figure="batman", action="move", where="B5")
    page = client.get(f"{at(row)}?figure=joker&act=move").content.decode()
    assert "Tap the destination" in page.partition('id="next"')[2].partition('class="stepper-more"')[0]
    assert page.count('id="taps"') == 1
    unknown = client.get(f"{at(row)}?figure=nobody&act=move").content.decode()
    assert "Result" in unknown


def test_dice_rolled_here_are_marked(client, judge):
    row = judge(position(SHOT))
    change(client, row, "roll:here", name="attack")
    row.refresh_from_db()
    action = row.document["actions"][0]
    assert all(1 <= die <= 6 for die in action["rolls"]["attack"][0])
    assert action["note"] == {"rolled-here": ["attack"]}
    number = next(n for n, step in enumerate(adjudicate(row.document)["steps"], 1) if step["step"] == "attack-roll")
    assert "rolled by Headjudge" in words(client.get(at(row, "dispute-step", number)))


def test_a_roll_is_made_again_or_corrected(client, judge):
    row = judge(position({**SHOT, "rolls": {"attack": [[1, 2]]}}))
    row.document["sides"][0]["characters"][0]["dial"] = [{**CLICK, "powers": ["Probability Control"]}] * 6
    row.save()
    dice = {"die-1": "5", "die-2": "4"}
    change(client, row, "roll-again:correct", roll="0/0/attack", **dice)
    row.refresh_from_db()
    assert row.document["actions"][0]["rolls"] == {"attack": [[5, 4]]}
    change(client, row, "roll-again:reroll", roll="0/0/attack", by="batman", **{"die-1": "1", "die-2": "2"})
    row.refresh_from_db()
    action = row.document["actions"][0]
    assert action["rolls"] == {"attack": [[5, 4]], "attack/reroll": [[1, 2]]}
    assert action["choose"] == {"reroll-by": "batman"}
    assert [step["step"] for step in adjudicate(row.document)["steps"]][3:5] == ["reroll", "attack-roll"]
    assert "Choose the roll" in words(change(client, row, "roll-again:reroll", roll="7/7/x"))


def test_a_smaller_map_is_used_and_figures_outside_it_wait(client, judge):
    document = position()
    document["map"] = {"width": 60, "height": 60}
    document["sides"][1]["characters"][0]["square"] = "AZ60"
    row = judge(document)
    change(client, row, "map", map="lantern-street")
    row.refresh_from_db()
    assert row.document["map"] == shelf.maps()["lantern-street"].map
    assert [one["piece"]["id"] for one in row.waiting] == ["joker"]
    assert "This map" in words(change(client, row, "map", map="nowhere"))


def test_without_a_script_the_board_still_knows_its_dispute(client, judge):
    row = judge()
    given = {"do": "brush", "brush": "terrain:water", "where": "B7", "document": json.dumps(row.document)}
    shown = client.post(reverse("rules:board-change"), {**given, "dispute": row.public_id, "version": row.version})
    assert at(row, "dispute-set") in shown.content.decode()
    assert "Save position" in words(shown)


def test_the_turn_is_set(client, judge):
    row = judge()
    change(client, row, "turn", player="Bo", number="1")
    row.refresh_from_db()
    assert row.document["turn"] == {"active": "Bo", "number": 1}
    assert "This dispute has no player of that name" in words(change(client, row, "turn", player="Zed"))


def test_more_figures_are_placed_one_after_the_other(client, judge):
    row = judge(waiting=[{"player": "Ann", "piece": piece(name)} for name in ("Robin", "Oracle")])
    assert "Place another figure" in words(client.get(at(row)))
    shown = change(client, row, "place", who="robin", where="B3", more="yes")
    assert "Done" in words(shown)
    shown = change(client, row, "place", who="oracle", where="B4", more="yes")
    assert "Who acts? Tap the figure" in words(shown)


def test_a_figure_of_the_catalogue_is_brought(client, judge, library_figure):
    row = judge()
    shown = client.get(at(row), {"find": library_figure.name})
    assert f"bring:{library_figure.element.code}" in shown.content.decode()
    change(client, row, f"bring:{library_figure.element.code}", player="Bo")
    row.refresh_from_db()
    assert (row.waiting[0]["player"], row.waiting[0]["piece"]["name"]) == ("Bo", library_figure.name)
    assert "have this figure" in words(change(client, row, "bring:nobody/1"))


def test_a_die_that_no_one_waits_for_is_not_taken(client, judge):
    row = judge(position(SHOT))
    assert "Enter what each die shows" in words(change(client, row, "roll", name="attack", **{"die-1": "5"}))
    told = change(client, row, "roll", name="break-away", **{"die-1": "5"})
    assert "then make your change again" in words(told)
    row.refresh_from_db()
    assert row.document["actions"] == [SHOT]


def test_a_choice_is_asked_with_its_options(client, judge):
    document = position(edition="car-2002")
    del document["map"]["terrain"]
    row = judge(document)
    shown = change(
        client, row, "exact", figure="batman", action="free", power=["Outwit"], target=["joker"], follow=True
    )
    assert "Which power is countered?" in words(shown)
    assert 'value="Toughness"' in shown.content.decode()
    change(client, row, "choose", name="counter", value="Toughness")
    row.refresh_from_db()
    assert adjudicate(row.document)["state"]["characters"]["joker"]["countered"] == ["Toughness"]


def test_the_long_form_says_everything(client, judge):
    row = judge()
    page = client.get(f"{at(row, 'dispute-act')}?figure=batman&action=move")
    assert "Record action" in words(page)
    given = {"figure": "batman", "action": "move", "path": "b2 C3", "then-action": "", "choose-by": "-1"}
    change(client, row, "exact", **given)
    row.refresh_from_db()
    assert row.document["actions"] == [
        {"action": "move", "actor": "batman", "path": ["B2", "C3"], "choose": {"by": -1}}
    ]
    whole = json.dumps({"action": "pass", "actor": "batman"})
    change(client, row, "exact", figure="batman", whole=whole)
    row.refresh_from_db()
    assert row.document["actions"][-1] == {"action": "pass", "actor": "batman"}
    assert "isn&#x27;t valid JSON" in words(change(client, row, "exact", figure="batman", whole="{"))
    shown = change(client, row, "exact", figure="batman", whole='{"colour": 1}')
    assert "&quot;colour&quot; isn" in shown.content.decode().partition('id="whole"')[2]


def test_a_fault_of_the_long_form_stands_beside_its_field_and_everything_is_kept(client, judge):
    row = judge()
    long = "A1 " * 400
    given = {"figure": "batman", "action": "ranged", "target": "joker", "power": "Outwit", "carry": "joker"}
    given |= {"assist": "joker", "then-path": long}
    shown = change(client, row, "exact", **given, **{"choose-by": "-1", "more-using": "Perplex", "choose-square": "C3"})
    page = shown.content.decode()
    assert long in page
    assert page.count('value="joker" checked') == 3
    assert "/actions" not in words(shown)
    assert '<span class="field-fault">' in page
    assert 'value="joker" checked' in page
    assert 'value="-1" selected' in page
    assert 'value="Perplex"' in page
    assert 'value="C3"' in page
    row.refresh_from_db()
    assert "actions" not in row.document


def test_a_charge_names_its_end_and_its_target(client, judge):
    document = position()
    document["sides"][0]["characters"] = [piece("Batman", "A1", "Charge")]
    document["sides"][1]["characters"] = [piece("Joker", "E4")]
    row = judge(document)
    page = client.get(f"{at(row, 'dispute-act')}?figure=batman&action=power&using=Charge")
    assert '<option value="close" selected>' in page.content.decode()
    given = {"figure": "batman", "action": "power", "power": ["Charge"], "path": "D4", "then-action": "close"}
    change(client, row, "exact", **given, **{"then-target": ["joker"]})
    row.refresh_from_db()
    assert row.document["actions"][0]["path"][-1] == "D4"
    assert adjudicate(row.document)["awaiting"]["roll"] == "attack"


def test_turns_follow_each_other(client, judge):
    row = judge(position(HIT))
    change(client, row, "act", option="end-turn||")
    change(client, row, "act", figure="joker", option="ranged||batman")
    row.refresh_from_db()
    assert [one["action"] for one in row.document["actions"]] == ["ranged", "end-turn", "ranged"]
    assert adjudicate(row.document)["awaiting"]["roll"] == "attack"
    change(client, row, "undo-action")
    row.refresh_from_db()
    assert [one["action"] for one in row.document["actions"]] == ["ranged", "end-turn"]


def test_two_judges_do_not_overwrite_each_other(client, judge):
    row = judge()
    first = row.version
    change(client, row, "act", figure="batman", option="ranged||joker")
    late = client.post(
        at(row), {"do": "act", "figure": "batman", "option": "close||joker", "version": first}, follow=True
    )
    assert "Someone else has changed this dispute, so your last change" in words(late)
    row.refresh_from_db()
    assert row.document["actions"] == [SHOT]


def test_two_judges_who_change_different_things_lose_nothing(client, judge):
    row = judge()
    first = row.version
    assert "Both changes are kept" not in words(change(client, row, "sheet", figure="batman", click="2"))
    late = client.post(at(row), {"do": "sheet", "figure": "joker", "tokens": "1", "version": first}, follow=True)
    assert "Both changes are kept" in words(late)
    row.refresh_from_db()
    batman, joker = (side["characters"][0] for side in row.document["sides"])
    assert (batman["click"], joker["tokens"]) == (2, 1)
    page = client.post(at(row), {"do": "sheet", "figure": "batman", "click": "3", "version": first}, follow=True)
    assert "so your last change" in words(page)
    typed = {"figure": "batman", "action": "move", "path": "B2 C3", "whole": "{" + " " * 2000}
    page = client.post(at(row), {"do": "exact", "version": first, **typed})
    assert typed["whole"] in page.content.decode()


# --- Steps ---


def test_each_step_has_the_board_as_it_then_was(client):
    row = begin_dispute(document=position(HIT))
    report = adjudicate(row.document)
    for number, step in enumerate(report["steps"], 1):
        shown = client.get(at(row, "dispute-read-step", number))
        assert f"Step {number} of {len(report['steps'])}" in words(shown)
        assert step["text"] in words(shown).replace("&#x27;", "'")
    clicked = next(n for n, step in enumerate(report["steps"], 1) if step["step"] == "click")
    assert "Joker Bo · G2 · click 1" in words(client.get(at(row, "dispute-read-step", clicked - 1)))
    assert "Joker Bo · G2 · click 3" in words(client.get(at(row, "dispute-read-step", clicked)))
    assert "Starting position" in words(client.get(at(row, "dispute-read-step", 0)))
    assert client.get(at(row, "dispute-read-step", 99)).status_code == 302


def test_a_step_shows_line_sum_sections_and_rulings(client):
    row = begin_dispute(document=position(HIT))
    report = adjudicate(row.document)
    lined, hit = (
        next(n for n, step in enumerate(report["steps"], 1) if step["step"] == kind) for kind in ("line-of-fire", "hit")
    )
    shown = client.get(at(row, "dispute-read-step", lined)).content.decode()
    assert "line-hindered" in shown
    assert "hindered</span>" in shown
    text = re.sub(r"\s*([<>])\s*", r"\1", client.get(at(row, "dispute-read-step", hit)).content.decode())
    assert '<td class="number">16</td><td>defense, as printed</td>' in text
    assert '<td class="number">+1</td><td>the line of fire is hindered</td>' in text
    assert '<tr class="sum"><td class="number">17</td>' in text
    assert reverse("rules:citation") in text


def test_a_modifier_counts_on_the_page_whatever_its_source_is_called(client):
    document = position(HIT)
    modifier = {"value": "defense", "by": 2, "source": "+1 a modifier (ignored: no)"}
    document["sides"][1]["characters"][0]["modifiers"] = [modifier]
    row = begin_dispute(document=document)
    missed = next(n for n, step in enumerate(adjudicate(document)["steps"], 1) if step["step"] in ("hit", "miss"))
    text = re.sub(r"\s*([<>])\s*", r"\1", client.get(at(row, "dispute-read-step", missed)).content.decode())
    assert '<td class="number">+2</td><td>+1 a modifier (ignored: no)</td>' in text
    assert '<tr class="sum"><td class="number">19</td>' in text


@pytest.mark.parametrize(
    ("do", "typed"),
    [
        ("name", {"title": "Our title", "question": "Was <it> seen?"}),
        (
            "decide",
            {"text": "It was agreed before.", "by": "Dana", "by-how-much": "a lot", "of": "joker", "value": "attack"},
        ),
        ("etiquette", {"about": "May it stand there?"}),
        ("bring", {"name": "Robin", "powers": "Stealth", "value-speed": "9"}),
        ("turn", {"player": "Ann", "number": "17"}),
        ("sheet", {"figure": "joker", "value-defense": "19"}),
    ],
)
def test_what_was_typed_in_a_refused_form_stays_without_a_script(judge, client, do, typed):
    """A second judge has changed the same thing since, or a number is missing: nothing typed is lost."""
    document = position(SHOT, edition="ic-2002")
    row = judge(document)
    change_dispute(dispute=row, version=1, said="a title", title="Theirs", question="Theirs?", etiquette=[{"die": 1}])
    joker = {**document["sides"][1]["characters"][0], "dial": [{**CLICK, "defense": 12}] * 6}
    theirs = {**document, "sides": [document["sides"][0], {"player": "Bo", "characters": [joker]}]}
    theirs["turn"] = {"active": "Bo", "number": 3}
    bystander = {"player": "Bo", "piece": piece("Robin")}
    change_dispute(dispute=row, version=2, said="more", document=theirs, waiting=[bystander])
    answer = client.post(at(row), {"do": do, "version": 1, "step": "2", **typed})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'class="messages"' in page
    shown = html.unescape(page)
    for value in typed.values():
        assert f'value="{value}"' in shown or f">{value}</textarea>" in shown or f"<option>{value}" in shown, value
    row.refresh_from_db()
    assert row.version == 3


def test_rulings_are_shown_with_authority_and_date(client):
    row = begin_dispute(document=shelf.ready_disputes()["outwit-against-stealth"].position)
    page = client.get(at(row, "dispute-read")).content.decode()
    deciding, background = page.index("faq-stealth-outwit"), page.index("faq-outwit-no-action")
    assert (
        page.index("The deciding ruling") < deciding < page.index("1 more ruling about Outwit</summary>") < background
    )
    assert page.index("the FAQ") < page.index("1 more ruling about")


def test_the_result_says_which_power_did_not_apply(client):
    page = words(client.get(reverse("rules:dispute-ready", args=["impervious-and-the-splash"]))).replace("&#x27;", "'")
    report = adjudicate(shelf.ready_disputes()["impervious-and-the-splash"].position)
    notes = [step["text"] for step in report["steps"] if step["step"] == "note"]
    assert "Impervious" in notes[0]
    assert page.index("Result") < page.index(notes[0]) < page.index("Step by step")


@pytest.mark.parametrize(
    ("actions", "runs"),
    [
        ([], 2),
        ([HIT, {"action": "end-turn"}], 2),
        ([HIT, {"action": "end-turn"}, {**SHOT, "actor": "joker", "targets": ["batman"]}], 1),
        ([{**SHOT, "action": "close"}], 2),
    ],
)
def test_a_page_runs_its_case_once_and_once_more_for_whose_options_it_offers(judge, client, monkeypatch, actions, runs):
    """The options are those of the figure that acts; an awaited roll needs no other run. Shown again, the case is kept."""
    row = judge(position(*actions))
    run = []
    monkeypatch.setattr(unfinished, "_kept", OrderedDict())
    monkeypatch.setattr(engine, "adjudicate", lambda document: (run.append(document), adjudicate(document))[1])
    client.get(at(row))
    assert len(run) == runs
    client.get(at(row))
    assert len(run) == 2 * runs - 1


# --- What if, etiquette, overrides ---


def test_branches_stand_beside_what_happened(client, judge):
    row = judge(position(HIT))
    change(client, row, "branch", change="roll", roll="0/0/attack", **{"die-1": "1", "die-2": "2"})
    shown = words(change(client, row, "branch", change="edition", edition="car-2002"))
    assert "What if: Attack roll 1 + 2" in shown
    assert "differs from step 4 on" in shown
    row.refresh_from_db()
    assert len(row.branches) == 2
    read = words(client.get(at(row, "dispute-read-what-if")))
    assert "As it happened" in read
    assert "Add branch" not in read
    change(client, row, "branch-drop:0")
    row.refresh_from_db()
    assert row.branches == [{"changes": [{"change": "edition", "edition": "car-2002"}]}]


def test_a_branch_that_waits_is_given_its_die(client, judge):
    miss = {**SHOT, "rolls": {"attack": [[1, 2]]}}
    row = judge(position(miss))
    shown = change(client, row, "branch", change="roll", roll="0/0/attack", **{"die-1": "5", "die-2": "4"})
    assert "Super Senses: Joker" in words(shown)
    done = change(client, row, "branch-answer:0", name="super-senses:joker", **{"die-1": "1"})
    assert "G2 · click 3" in words(done)
    row.refresh_from_db()
    assert row.document["actions"] == [miss]


def test_a_power_is_countered_in_a_branch(client, judge):
    row = judge(position(HIT))
    shown = words(change(client, row, "branch", change="counter", counter="joker/Toughness"))
    assert "Joker: Toughness countered" in shown
    assert "G2 · click 4 · countered: Toughness" in shown


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"change": "edition", "edition": "x"},
        {"change": "counter", "counter": "x/y"},
        {"change": "roll", "roll": "9"},
    ],
)
def test_a_branch_that_says_nothing_is_refused(client, judge, given):
    row = judge(position(HIT))
    assert "Choose what would be different" in words(change(client, row, "branch", **given))


@pytest.mark.parametrize(("edition", "section"), [("ic-2002", "HeroClix Etiquette"), ("dc-2005", "HeroClix Etiquette")])
@pytest.mark.parametrize(("die", "word"), [("3", "not allowed"), ("4", "allowed")])
def test_cases_without_a_rule_are_settled_by_one_die(client, judge, edition, section, die, word):
    row = judge(position(edition=edition))
    page = client.get(at(row))
    assert section in words(page)
    shown = change(client, row, "etiquette", about="May he stand on the car?", **{"die-1": die})
    assert f"May he stand on the car?: {die} {word}" in words(shown)


@pytest.mark.parametrize("edition", ["core-2014", "core-modern"])
def test_the_newer_books_have_no_such_roll(client, judge, edition):
    row = judge(position(edition=edition))
    assert "no roll decides cases that the rules don't cover" in words(client.get(at(row)))
    assert "no die roll for situations" in words(change(client, row, "etiquette", **{"die-1": "4"}))


def test_a_judges_override_changes_a_step_and_says_so(client, judge):
    row = judge(position(HIT))
    report = adjudicate(row.document)
    hit = next(n for n, step in enumerate(report["steps"], 1) if step["step"] == "hit")
    given = {"step": hit, "text": "The die lay cocked.", "by": "Cy", "set-hit": "no"}
    shown = change(client, row, "decide", **given)
    row.refresh_from_db()
    assert row.document["judge"] == [
        {"text": "The die lay cocked.", "by": "Cy", "before": {"action": 0, "step": "hit"}, "set": {"hit": False}}
    ]
    steps = [step["step"] for step in adjudicate(row.document)["steps"]]
    assert "ruling" in steps
    assert "click" not in steps
    assert "The die lay cocked." in words(shown)
    change(client, row, "undecide:0")
    row.refresh_from_db()
    assert row.document["judge"] == []


def test_a_modifier_by_hand_counts_from_then_on(client, judge):
    row = judge(position({**SHOT, "rolls": {"attack": [[3, 3]], "super-senses:joker": [[1]]}}))
    given = {"step": 1, "of": "batman", "value": "attack", "way": "modify", "by-how-much": "+2"}
    change(client, row, "decide", **given)
    row.refresh_from_db()
    roll = next(step for step in adjudicate(row.document)["steps"] if step["step"] == "attack-roll")
    assert roll["numbers"]["attack"] == 12
    assert "Enter a number" in words(change(client, row, "decide", **{**given, "by-how-much": "two"}))
    assert "Describe the override" in words(change(client, row, "decide", step=1))


# --- Ready-made disputes, sharing, deleting ---


def test_every_ready_made_dispute_is_stepped_through(client):
    assert len(shelf.ready_disputes()) >= 10
    for slug, one in shelf.ready_disputes().items():
        shown = client.get(f"{reverse('rules:dispute-new')}?ready={slug}", follow=True)
        assert one.title in words(shown).replace("&#x27;", "'")
        last = len(adjudicate(one.position)["steps"])
        assert client.get(reverse("rules:dispute-ready-step", args=[slug, last])).status_code == 200
    client.post(reverse("rules:dispute-new"), {"ready": "outwit-against-stealth"})
    row = SavedDispute.objects.get()
    assert (row.ready, row.answer != "") == ("outwit-against-stealth", True)
    assert client.get(reverse("rules:dispute-ready", args=["none"])).status_code == 404


def test_a_judge_is_led_back_to_recording_the_ruling(client, judge):
    row = judge(position(HIT), return_to="/events/7/")
    assert 'href="/events/7/"' in client.get(at(row)).content.decode()
    assert 'href="/events/7/"' not in client.get(at(row, "dispute-read")).content.decode()
    assert begin_dispute(document=position(), return_to="//elsewhere.example/").return_to == ""
    assert begin_dispute(document=position(), return_to="https://elsewhere.example/").return_to == ""


def test_the_position_file_holds_everything(client):
    row = begin_dispute(document=position(HIT), title="In the yard")
    given = client.get(at(row, "dispute-file"))
    assert json.loads(given.content) == {"title": "In the yard", **position(HIT)}
    assert 'filename="in-the-yard.json"' in given["Content-Disposition"]


@pytest.mark.parametrize("size", ["a4", "letter"])
def test_the_ruling_is_on_paper(client, size):
    decided = {"before": {"action": 0, "step": "hit"}, "text": "It counts.", "by": "Cy"}
    row = begin_dispute(document=position(HIT, judge=[decided]), title="In the yard", question="Is he hit?")
    change_dispute(dispute=row, version=1, said="", etiquette=[{"question": "On the car?", "die": 5, "allowed": True}])
    given = client.get(at(row, "dispute-pdf"), {"paper": size})
    pages = PdfReader(io.BytesIO(given.content)).pages
    assert round(pages[0].mediabox.width) == {"a4": 595, "letter": 612}[size]
    assert len(pages) <= 2
    text = " ".join(" ".join(page.extract_text() for page in pages).split())
    for words_ in ("In the yard", "Is he hit?", "Batman: ranged attack → Joker", "+1", "the line of fire is hindered"):
        assert words_ in text
    for words_ in (
        "Combat Attack Rules",
        "Cy – It counts.",
        "On the car?: 5 – allowed",
        "click 1 → 3: 2 damage",
        "Rulings",
        "page 1 of",
        "Ba Batman Ann 1 8 10 16 3 8 Outwit",
        "Jo Joker Bo 1 → 3 8 10 16 3 8 Super Senses, Toughness",
        "Judge · name, date, signature",
    ):
        assert words_ in text


def printed(client, row):
    pages = PdfReader(io.BytesIO(client.get(at(row, "dispute-pdf")).content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_the_figures_on_paper_change_from_click_to_click(client):
    document = position(HIT)
    joker = document["sides"][1]["characters"][0]
    joker["teams"] = ["Underworld"]
    joker["dial"] = [CLICK, CLICK, CLICK, {**CLICK, "attack": 9, "powers": ["Regeneration"]}]
    row = begin_dispute(document=document)
    assert "Jo Joker Bo 1 → 4 8 10 → 9 16 3 8 Underworld → Regeneration, Underworld" in printed(client, row)
    joker["dial"] = [CLICK]
    assert "Jo Joker Bo 1 → KO 8 10 16 3 8 Underworld" in printed(client, begin_dispute(document=document))


def test_a_board_on_paper_says_when_figures_moved_before_the_line_was_drawn(client):
    assert "Starting position" in printed(client, begin_dispute(document=position(HIT)))
    moved = {"action": "move", "actor": "batman", "path": ["B1", "C1"]}
    row = begin_dispute(document=position(moved, {"action": "end-turn"}, HIT))
    text = printed(client, row)
    assert "Before step 6" in text
    assert "Starting position" not in text


def test_each_deciding_ruling_on_paper_has_its_weight_authority_date_and_section(client):
    document = shelf.ready_disputes()["charge-out-of-hindering-terrain"].position
    text = printed(client, begin_dispute(document=document))
    rulings = text[text.index("Rulings") :]
    assert "• A figure that charges out of hindering terrain moves at a quarter of its speed." in rulings
    assert "official · the FAQ · no date · Super Powers and Abilities › Speed Super Powers › Charge" in rulings
    assert "3 more rulings about “Hindering terrain” and Charge" in rulings
    assert (
        rulings.index("3 more rulings about") < rulings.index("name, date, signature") < rulings.index("Step by step")
    )


def test_the_longest_dispute_is_printed_without_losing_an_action(client):
    turn = {"action": "pass"}
    row = begin_dispute(document=position(*[turn] * 50), question="Who? " * 400)
    text = printed(client, row)
    assert "50. " in text
    assert "Judge · name, date, signature" in text


def test_a_list_or_a_question_longer_than_a_page_is_printed(client):
    document = position(HIT)
    document["sides"][0]["characters"][0]["teams"] = [f"Team number {n}" for n in range(200)]
    text = printed(client, begin_dispute(document=document, question="漢" * 2000))
    for words_ in ("Team number 199", "Judge · name, date, signature", "Jo Joker Bo 1 → 3", "Damage taken"):
        assert words_ in text


def test_paper_names_the_faults_of_a_position_in_sentences(client):
    row = begin_dispute(document=position(HIT))
    document = position({**HIT, "actor": "nobody"})
    SavedDispute.objects.filter(pk=row.pk).update(document=document)
    text = printed(client, row)
    assert "nobody" in text
    assert "/actions" not in text


def clock(zone):
    return f"{timezone.localtime(timezone=zoneinfo.ZoneInfo(zone)):%H:%M}"


@pytest.mark.parametrize(("zone", "said"), [("Pacific/Kiritimati", ""), ("", " UTC")])
def test_paper_is_dated_by_the_clock_of_the_place(client, zone, said):
    row = begin_dispute(document=position(), time_zone=zone)
    before = clock(zone or "UTC")
    pages = PdfReader(io.BytesIO(client.get(at(row, "dispute-pdf")).content)).pages
    text = " ".join(pages[0].extract_text().split())
    assert any(f"{moment}{said} page 1 of 1" in text for moment in (before, clock(zone or "UTC")))
    copied = client.post(at(row, "dispute-copy"))
    assert copied.status_code == 302
    assert {one.time_zone for one in SavedDispute.objects.all()} == {zone}


def test_names_that_no_page_could_hold_are_shortened_on_paper(client):
    document = position(SHOT)
    for side in document["sides"]:
        side["player"] = side["player"] * 300
        for piece in side["characters"]:
            piece |= {"name": "Long" * 105, "teams": [f"Team {n}" for n in range(80)]}
    row = begin_dispute(document=document)
    assert "Lon…" in printed(client, row)


def test_a_dispute_of_every_edition_is_printed(client):
    for edition in EDITIONS:
        row = begin_dispute(document=position(SHOT, edition=edition))
        assert client.get(at(row, "dispute-pdf")).content.startswith(b"%PDF")


def test_title_and_release(client, judge):
    row = judge()
    change(client, row, "name", title="Yard", question="Seen?")
    assert "Seen?" in words(client.get(at(row)))
    change(client, row, "release:yes")
    row.refresh_from_db()
    assert row.released
    change(client, row, "release:no")
    row.refresh_from_db()
    assert not row.released
    release_dispute(dispute=row, version=row.version, released=True)
    assert "released for training" in words(client.get(at(row)))


def test_another_edition_adjudicates_it(client, judge):
    row = judge(position(HIT))
    change(client, row, "edition", edition="car-2002")
    row.refresh_from_db()
    assert row.edition == "car-2002"
    windows = position(edition="core-modern")
    windows["map"]["windows"] = ["B1|C1"]
    other = judge(windows)
    assert "This edition has no windows." in words(change(client, other, "edition", edition="core-2014"))
    other.refresh_from_db()
    assert other.edition == "core-modern"


def test_no_one_saves_without_end(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"board_save": "2/m/ip", "board_change": "2/m/ip"}
    for _time in range(2):
        assert client.post(reverse("rules:dispute-new"), {"edition": "core-2014"}).status_code == 302
    assert client.post(reverse("rules:dispute-new"), {"edition": "core-2014"}).status_code == 429


# --- Small pages ---


def crowded(number):
    document = position(HIT)
    document["map"] |= {"width": 30, "height": 30}
    for side, row in enumerate((20, 25)):
        document["sides"][side]["characters"] += [
            piece(f"Extra{side}x{n}", f"{chr(ord('A') + n)}{row}", "Stealth") for n in range(number)
        ]
    return document


@pytest.mark.parametrize("name", ["dispute", "dispute-read", "dispute-what-if", "dispute-set"])
def test_queries_do_not_grow_with_the_figures(client, judge, name, django_assert_max_num_queries):
    small, large = judge(crowded(1)), judge(crowded(20))
    for row in (small, large):
        with django_assert_max_num_queries(3):
            assert client.get(at(row, name)).status_code == 200


def test_pages_are_light(client, judge):
    row = judge(position(HIT))
    for address in (at(row), at(row, "dispute-read-step", 4), at(row, "dispute-what-if")):
        text = re.sub(r"<svg.*?</svg>", "", client.get(address).content.decode(), flags=re.DOTALL)
        assert len(text.encode()) < 60_000


def test_another_change_is_not_found(client, judge):
    row = judge()
    assert client.post(at(row), {"do": "fly", "version": 1}).status_code == 404


# --- Every kind of choice ---


def test_damage_is_divided_among_those_that_are_hit(client, judge):
    document = position()
    del document["map"]["terrain"]
    document["sides"][0]["characters"][0]["bolts"] = 2
    document["sides"][1]["characters"] = [piece("Joker", "G2"), piece("Harley", "G4")]
    shot = {"action": "ranged", "actor": "batman", "targets": ["joker", "harley"]}
    row = judge({**document, "actions": [{**shot, "rolls": {"attack": [[5, 4]]}}]})
    page = client.get(at(row))
    assert "How is the damage divided?" in words(page)
    change(client, row, "choose", name="divide", **{"share-joker": "2", "share-harley": "1"})
    row.refresh_from_db()
    assert row.document["actions"][0]["divide"] == {"joker": 2, "harley": 1}
    assert adjudicate(row.document)["state"]["characters"]["harley"]["click"] == 2


def test_four_squares_are_named_for_a_smoke_cloud(client, judge):
    document = position(edition="car-2002")
    document["sides"][0]["characters"] = [piece("Batman", "A1", "Smoke Cloud")]
    row = judge(document)
    shown = change(client, row, "exact", figure="batman", action="move", power=["Smoke Cloud"])
    assert "Placed in which squares?" in words(shown)
    assert 'data-wanted="4"' in shown.content.decode()
    assert "Squares to choose: 4. You chose 2." in words(change(client, row, "choose", name="squares", where="B2 C2"))
    change(client, row, "choose", name="squares", where="B2:C3")
    row.refresh_from_db()
    assert row.document["actions"][0]["choose"] == {"squares": ["B2", "C2", "B3", "C3"]}
    markers = adjudicate(row.document)["state"]["markers"]
    assert [mark["square"] for mark in markers] == ["B2", "C2", "B3", "C3"]
    assert client.get(at(row)).content.decode().count('class="marker area-hindering') == 4


def test_a_value_and_more_or_less_are_chosen_one_after_the_other(client, judge):
    document = position()
    document["sides"][0]["characters"] = [piece("Batman", "A1", "Perplex")]
    row = judge(document)
    shown = change(client, row, "exact", figure="batman", action="free", power=["Perplex"], target=["batman"])
    assert "Which value?" in words(shown)
    change(client, row, "choose", name="value", value="attack")
    change(client, row, "choose", name="by", value="1")
    row.refresh_from_db()
    assert row.document["actions"][0]["choose"] == {"value": "attack", "by": 1}
    assert adjudicate(row.document)["awaiting"] is None
    assert "make your change again" in words(change(client, row, "choose", name="by", value="1"))


def test_knock_back_is_yes_or_no_where_the_book_asks(client, judge):
    document = position(edition="core-modern")
    document["sides"][1]["characters"] = [piece("Joker", "B1")]
    struck = {"action": "close", "actor": "batman", "targets": ["joker"], "rolls": {"attack": [[4, 4]]}}
    row = judge({**document, "actions": [struck]})
    page = client.get(at(row))
    assert "Knock back?" in words(page)
    assert "Yes, knock back" in words(page)
    shown = change(client, row, "choose", name="knock-back", value="no")
    assert "Joker : click 1 → 4: 3 damage" in words(shown)
    row.refresh_from_db()
    assert row.document["actions"][0]["choose"] == {"knock-back": False}


def test_the_long_form_names_all_that_an_action_may_have(client, judge):
    document = position()
    document["objects"] = [{"id": "bin", "kind": "light", "square": "B1"}]
    row = judge(document)
    given = {
        "figure": "batman",
        "action": "power",
        "path": "B1, C2",
        "power": ["Charge"],
        "more-using": "Super Strength",
        "target": ["joker"],
        "place-targets": "d4",
        "carry": [],
        "pick_up": "bin",
        "put_down": "c3",
        "with_object": "bin",
        "flight": "hovering",
        "choose-counter": "Stealth",
        "choose-value": "attack",
        "choose-by": "1",
        "choose-square": "e5",
        "choose-squares": "A1 B1",
        "choose-knock-back": "no",
        "choose-knock-back-direction": "ne",
        "choose-reroll-by": "joker",
        "then-action": "close",
        "then-target": ["joker"],
        "then-using": "Flurry",
        "then-at": "c2",
        "then-path": "c3",
    }
    change(client, row, "exact", **given)
    row.refresh_from_db()
    assert row.document["actions"] == [
        {
            "action": "power",
            "actor": "batman",
            "path": ["B1", "C2"],
            "targets": ["joker", "D4"],
            "using": ["Charge", "Super Strength"],
            "pick_up": "bin",
            "put_down": "C3",
            "with_object": "bin",
            "flight": "hovering",
            "choose": {
                "counter": "Stealth",
                "value": "attack",
                "reroll-by": "joker",
                "knock-back-direction": "NE",
                "square": "E5",
                "by": 1,
                "squares": ["A1", "B1"],
                "knock-back": False,
            },
            "then": [
                {
                    "action": "close",
                    "actor": "batman",
                    "targets": ["joker"],
                    "using": ["Flurry"],
                    "at": "C2",
                    "path": ["C3"],
                }
            ],
        }
    ]


def test_everything_that_lies_on_a_map_is_printed(client):
    document = position(edition="core-modern")
    kinds = ("hindering", "blocking", "water", "obscuring", "elevated", "indoor", "special", "starting-area")
    document["map"]["terrain"] = [
        {"type": kind, "squares": [f"{chr(ord('A') + n)}5"], **({"player": "Ann"} if kind == "starting-area" else {})}
        for n, kind in enumerate(kinds)
    ]
    document["map"] |= {
        "walls": ["A7|B7"],
        "windows": ["C7|D7"],
        "doors": ["E7|F7"],
        "ladders": ["E5|E6"],
        "markers": [
            {"kind": kind, "square": f"{chr(ord('A') + n)}8"}
            for n, kind in enumerate(("debris", "smoke", "barrier", "water", "obscuring", "special", "clear"))
        ],
    }
    document["objects"] = [
        {"id": kind, "kind": kind, "square": f"{chr(ord('A') + n)}6"}
        for n, kind in enumerate(("light", "heavy", "immobile", "ultra-light", "ultra-heavy"))
    ]
    document["sides"][1]["characters"].append(
        {**piece("Turned"), "base": "peanut", "squares": ["J3", "K4"], "symbols": {"damage": "giant"}}
    )
    row = begin_dispute(document={**document, "actions": [SHOT]})
    given = client.get(at(row, "dispute-pdf"))
    text = PdfReader(io.BytesIO(given.content)).pages[0].extract_text()
    for letter in ("UH", "UL", "Sp", "Ba", "Tu"):
        assert letter in text


def test_a_page_may_be_named_later_for_the_way_back(client, judge):
    row = judge(position(HIT))
    lead_back(dispute=row, return_to="/events/9/")
    assert SavedDispute.objects.get().return_to == "/events/9/"
    assert 'href="/events/9/"' in client.get(at(row)).content.decode()


# --- The event dial ---

DIAL_FORM = {"name": "Storm", "clicks": "blue, red/gold, -", "click": "2", "moment": "end-of-turn", "red_line": "yes"}


def test_an_event_dial_is_entered_shown_and_turned(client, judge):
    row = judge()
    change(
        client,
        row,
        "event-dial",
        **DIAL_FORM,
        words="red: Attack values +1\n\ngold: No one can be healed: see the card",
    )
    row.refresh_from_db()
    by_hand = [{"do": "by-hand"}]
    assert row.document["event_dial"] == {
        "name": "Storm",
        "clicks": [["blue"], ["red", "gold"], []],
        "click": 2,
        "red_line": True,
        "turns": [{"moment": "end-of-turn"}],
        "colors": {
            "red": [{"name": "red", "kind": "condition", "text": "Attack values +1", "effects": by_hand}],
            "gold": [
                {"name": "gold", "kind": "condition", "text": "No one can be healed: see the card", "effects": by_hand}
            ],
        },
    }
    shown = client.get(at(row)).content.decode()
    assert 'value="blue, red/gold, -"' in shown
    assert "red: Attack values +1\ngold: No one can be healed: see the card</textarea>" in shown
    assert "gold Storm, gold" in words(client.get(f"{at(row)}?sheet=joker"))
    change(client, row, "act", option="end-turn||")
    row.refresh_from_db()
    replay = replay_of(row.document)
    assert replay.board(replay.last)["event_dial"]["click"] == 3
    assert "Storm turns to click 3 and shows no colour." in words(client.get(at(row)))


def test_the_form_of_the_event_dial_keeps_what_only_the_position_file_can_say(client, judge):
    sky = {"name": "Sky", "kind": "condition", "effects": [{"do": "modify", "value": "attack", "by": 1}]}
    turns = [{"moment": "end-of-turn", "of": "Bo", "by": 2}]
    dial = {"name": "Storm", "clicks": [["red"], ["blue"]], "turns": turns, "colors": {"red": [sky], "blue": [sky]}}
    row = judge(position(event_dial=dial))
    assert "as the position file says" in words(client.get(at(row)))
    change(client, row, "event-dial", name="Storm", clicks="red", click="1", moment="as-written")
    row.refresh_from_db()
    assert row.document["event_dial"]["turns"] == turns
    assert row.document["event_dial"]["colors"] == {"red": [sky]}
    change(client, row, "event-dial", name=" ")
    row.refresh_from_db()
    assert "event_dial" not in row.document


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"clicks": ""}, "Enter the colours click by click"),
        ({"click": "4"}, "This event dial has 3 clicks."),
        ({"click": "x"}, "This event dial has 3 clicks."),
        ({"words": "green: rain"}, "Begin each line with a colour of the dial"),
        ({"words": "rain"}, "Begin each line with a colour of the dial"),
        ({"moment": "sometimes"}, "sometimes"),
    ],
)
def test_an_event_dial_that_cannot_be_is_refused_and_what_was_typed_stays(client, judge, given, why):
    row = judge()
    answer = change(client, row, "event-dial", **DIAL_FORM | {"words": "red: rain"} | given)
    assert why in words(answer)
    row.refresh_from_db()
    assert "event_dial" not in row.document


def test_editions_without_event_dials_do_not_ask_for_one(client, judge):
    assert "Event dial" in words(client.get(at(judge())))
    assert "Event dial" not in words(client.get(at(judge(position(edition="core-modern")))))


# --- Epic hordes ---


def test_a_defeated_horde_token_comes_back_with_two_taps(client, judge):
    document = position(build_total=400)
    document["map"]["terrain"] = [{"type": "starting-area", "player": "Ann", "squares": ["A1:B2"]}]
    imp = piece("Imp", kind="horde", stack_max=3, points=5, set="h", number="1") | {"square": None, "click": 7}
    document["sides"][0]["characters"].append(imp)
    row = judge(document)
    shown = client.get(at(row)).content.decode()
    assert 'value="free|Epic Hordes|"' in shown
    change(client, row, "act", figure="imp", option="free|Epic Hordes|")
    assert "In which square of the starting area is the token of Imp placed?" in words(client.get(at(row)))
    change(client, row, "choose", name="square", where="B2")
    assert "A token of Imp comes back in B2." in words(client.get(at(row)))
    row.refresh_from_db()
    replay = replay_of(row.document)
    came = next(one for _player, one in pieces(replay.board(replay.last)) if one["id"] == "imp")
    assert (came["square"], came["click"]) == ("B2", 1)
