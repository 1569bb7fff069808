"""Pages about rounds and the console, through requests; with the number of queries."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from events.models import Entry, Event, Round
from events.pairing.check import check_event
from events.services import entries, results, rounds
from judging.keeping.event_file import event_file
from tests.conftest import client_of
from tests.events.simulation import play, play_round, players, result
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db


def at(event, rest=""):
    return f"/events/{event.public_id}/{rest}"


def text(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    staff.event.number_of_rounds = 4
    staff.event.seats = 400
    staff.event.save()
    return staff.event


@pytest.fixture
def judge(staff):
    return staff.client("head_judge")


def test_from_check_in_to_a_published_round_by_buttons_alone(event, judge):
    players(event, 5)
    drafted = judge.post(at(event, "rounds/pair/"), follow=True)
    assert drafted.redirect_chain == [(at(event, "rounds/1/draft/"), 302)]
    page = text(drafted)
    assert "2 tables, not visible to players yet" in page
    assert "No better pairing exists" in page
    assert "Bye: Player" in page
    version = Round.objects.get().version
    done = judge.post(at(event, "rounds/1/publish/"), {"version": version}, follow=True)
    assert "Round 1 published." in text(done)
    assert Client().get(at(event, "rounds/1/")).status_code == 200


def test_no_one_but_officials_sees_a_draft(event, judge, by):
    players(event, 4)
    rounds.draft_round(by=by, event=event)
    for address in ("rounds/1/", "rounds/1/draft/"):
        assert Client().get(at(event, address)).status_code in (403, 404)
    assert "Round 1" not in text(Client().get(at(event, "rounds/")))
    assert "Round 1" in text(judge.get(at(event, "rounds/")))


def test_pairings_by_table_and_by_name_with_my_row_marked(event, by):
    players(event, 4)
    play_round(by, event)
    entry = Entry.objects.get(number=3)
    entry.person = PersonFactory()
    entry.save()
    client = client_of(entry.person)
    assert len(re.findall(r'class="[^"]*\bmine\b', client.get(at(event, "rounds/1/")).content.decode())) == 1
    by_name = text(client.get(at(event, "rounds/1/?by=name")))
    order = [by_name.index(f"Player 00{n}", by_name.index("Pairings by name")) for n in (1, 2)]
    assert order == sorted(order)
    assert "(you)" in by_name


def test_searching_without_scripts(event, by):
    players(event, 6)
    play_round(by, event)
    page = text(Client().get(at(event, "rounds/1/?q=player+003")))
    assert "Player 003" in page
    assert page.count("confirmed") == 1


def test_why_this_pairing(event, judge, by):
    players(event, 8)
    play_round(by, event)
    rounds.draft_round(by=by, event=event)
    page = text(judge.get(at(event, "rounds/2/draft/?why=1")))
    assert "Why is Player" in page
    assert re.search(r"Match points: Player \d+ \(3\) and Player \d+ \(3\)\.", page)


def test_a_swap_by_hand_through_its_form(event, judge, by):
    players(event, 8)
    play_round(by, event)
    row = rounds.draft_round(by=by, event=event)
    one, other = row.matches.select_related("a").order_by("table").first().a, row.matches.order_by("-table").first().b
    page = judge.get(at(event, "rounds/2/draft/")).text
    assert "Not the best pairing" not in page
    assert "club-mates" not in page.lower(), "the event doesn't keep club-mates apart"
    form = {"player": [one.number, other.number], "version": row.version}
    assert "swapped" in text(judge.post(at(event, "rounds/2/draft/swap/"), form, follow=True))
    page = judge.get(at(event, "rounds/2/draft/")).text
    assert page.index("Not the best pairing") < page.index("Publish round 2"), "it is said where the round is published"
    assert "club-mates" not in page.lower()
    assert "No better pairing exists" not in page


@pytest.mark.parametrize(
    "form, said",
    [
        ({"player": ["1", "1"]}, "Choose two different players"),
        ({"player": ["1", "99"]}, "99 is not one of the available choices"),
        ({"player": ["1"]}, "Choose exactly two players"),
        ({}, "Choose exactly two players"),
    ],
)
def test_a_bad_swap_is_reported_on_the_page(event, judge, by, form, said):
    players(event, 4)
    rounds.draft_round(by=by, event=event)
    response = judge.post(at(event, "rounds/1/draft/swap/"), form)
    assert response.status_code == 400
    page = response.text
    assert page.index('id="swap"') < page.index(said) < page.index(">Swap players</button>"), (
        "beside the button that caused it"
    )


def test_a_stale_draft_says_so_and_cannot_be_published(event, judge, by):
    people = players(event, 6)
    row = rounds.draft_round(by=by, event=event)
    entries.drop_entry(by=by, entry=people[0], confirmed=True)
    page = text(judge.get(at(event, "rounds/1/draft/")))
    assert "The draft is out of date" in page
    assert "Player 001 has left the event but is still paired." in page
    assert "Publish round" not in page
    assert judge.post(at(event, "rounds/1/publish/"), {"version": row.version}).status_code == 403
    judge.post(at(event, "rounds/1/pair-again/"), {"version": row.version})
    assert "Publish round 1" in text(judge.get(at(event, "rounds/1/draft/")))


def test_no_pairing_offers_the_ways_out(event, judge, by):
    players(event, 2)
    play_round(by, event)
    response = judge.post(at(event, "rounds/pair/"))
    assert response.status_code == 409
    assert "Allow rematch" in text(response)
    done = judge.post(at(event, "rounds/pair/"), {"allow_rematch": "yes", "reason": "they want to"}, follow=True)
    assert "rematch" in text(done)
    assert "a rematch was allowed" in text(done)


def test_the_second_judge_who_presses_is_told(event, staff, by):
    players(event, 4)
    row = rounds.draft_round(by=by, event=event)
    first, second = staff.client("head_judge"), staff.client("judge")
    assert first.post(at(event, "rounds/1/publish/"), {"version": row.version}).status_code == 302
    told = second.post(at(event, "rounds/1/publish/"), {"version": row.version})
    assert told.status_code == 403
    assert "round is “published”" in text(told)
    assert first.post(at(event, "rounds/pair/")).status_code == 403


def test_a_stale_form_of_a_draft_is_reported(event, judge, by):
    players(event, 4)
    row = rounds.draft_round(by=by, event=event)
    assert judge.post(at(event, "rounds/1/publish/"), {"version": row.version - 1 or 99}).status_code == 409
    row.refresh_from_db()
    assert row.state == "draft"


def test_two_tables_are_reseated_by_form(event, judge, by):
    players(event, 4)
    row = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=row)
    play(by, row)
    one, two = row.matches.select_related("a", "b").order_by("table")
    address = at(event, "rounds/1/fix-seating/?first=1&second=2")
    page = text(judge.get(address))
    assert f"{one.a} – {two.b}" in page
    assert "Results already entered" in page
    form = {"opponent": two.b.number, "results": "back", "reason": "sat down wrongly", "version": row.version + 1}
    row.refresh_from_db()
    done = judge.post(address, form | {"version": row.version}, follow=True)
    assert "Seating fixed at tables 1 and 2." in text(done)
    one.refresh_from_db()
    assert one.b == two.b
    assert "no table 9" in text(judge.get(at(event, "rounds/1/fix-seating/?first=1&second=9")))


@pytest.mark.parametrize("results", ["keep", "back"])
def test_right_pairs_at_each_others_tables_exchange_them(event, judge, by, results):
    players(event, 4)
    row = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=row)
    play(by, row)
    one, two = row.matches.select_related("a", "b").order_by("table")
    address = at(event, "rounds/1/fix-seating/?first=1&second=2")
    page = text(judge.get(address))
    assert f"Right pairs, wrong tables: {one.a} – {one.b} at table 2, {two.a} – {two.b} at table 1" in page
    row.refresh_from_db()
    form = {"opponent": "tables", "results": results, "reason": "sat down wrongly", "version": row.version}
    assert "Seating fixed at tables 1 and 2." in text(judge.post(address, form, follow=True))
    now = {match.table: match for match in row.matches.select_related("a", "b")}
    assert [(now[n].a, now[n].b) for n in (1, 2)] == [(two.a, two.b), (one.a, one.b)]
    assert {match.state for match in now.values()} == {"confirmed" if results == "keep" else "open"}
    assert all(check.is_fine for check in check_event(event_file(event)))
    assert f"{one.a} – {one.b}" in text(judge.get(at(event, "rounds/1/")))


def test_a_late_player_gets_the_bye_holder_by_a_button(event, judge, by):
    players(event, 3)
    row = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=row)
    late = entries.add_entry(by=by, event=event, name="Lara Late", declares=True, checked_in=True)
    idle = row.matches.get(kind="bye").a
    assert f"Pair with {idle}" in text(judge.get(at(event, "rounds/1/")))
    form = {"entry": late.number, "opponent": idle.number, "version": row.version}
    assert judge.post(at(event, "rounds/1/seat-late/"), form).status_code == 409
    done = judge.post(at(event, "rounds/1/seat-late/"), form | {"reason": "late arrival"}, follow=True)
    assert "Lara Late plays at table 2." in text(done)


def test_taking_pairings_back_asks_and_wants_a_reason(event, judge, by):
    players(event, 4)
    row = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=row)
    address = at(event, "rounds/1/unpublish/")
    assert judge.post(address, {"version": row.version}).status_code == 409
    assert "Enter a short reason" in text(judge.post(address, {"version": row.version, "confirmed": "yes"}))
    judge.post(address, {"version": row.version, "confirmed": "yes", "reason": "forgot a player"})
    row.refresh_from_db()
    assert row.state == "draft"


def test_the_console_leads_through_a_whole_event(event, judge, by):
    event.number_of_rounds, event.cut_to = 1, 2
    event.save()
    console = at(event, "console/")

    def next_thing():
        page = judge.get(console)
        return re.search(r'id="next-thing">(.*?)</h2>', page.content.decode()).group(1)

    assert next_thing() == "0 players registered"
    players(event, 4)
    assert next_thing() == "4 players checked in. Pair round 1."
    judge.post(at(event, "rounds/pair/"))
    assert next_thing() == "Round 1 is paired. Check the draft, then publish it."
    judge.post(at(event, "rounds/1/publish/"))
    assert next_thing() == "Round 1 is published. Start the clock."
    play(by, Round.objects.get())
    assert next_thing() == "Round 1: all results are in"
    judge.post(at(event, "rounds/1/complete/"))
    assert next_thing() == "The only round is complete. Cut to the top players."
    judge.post(at(event, "rounds/cut/"))
    judge.post(at(event, "rounds/2/publish/"))
    play(by, Round.objects.get(number=2))
    judge.post(at(event, "rounds/2/complete/"))
    assert next_thing() == "The bracket has a winner"
    judge.post(at(event, "end/"))
    assert next_thing() == "All matches are finished. Verify the results."
    assert Event.objects.get().state == "finished"


def test_a_cut_of_another_size_is_on_the_list_of_rounds(event, judge, by):
    event.number_of_rounds = 1
    event.save()
    players(event, 8)
    play_round(by, event)
    assert "Players in the cut" in text(judge.get(at(event, "rounds/")))
    assert "Players in the cut" not in text(Client().get(at(event, "rounds/")))
    judge.post(at(event, "rounds/cut/"), {"places": "6"})
    assert Round.objects.get(number=2).matches.count() == 4


def test_the_console_leads_back_to_a_reopened_round(event, judge, by):
    players(event, 4)
    first = play_round(by, event)
    rounds.draft_round(by=by, event=event)
    rounds.reopen_round(by=by, round=first, confirmed=True, reason="typed wrongly")
    assert "Round 1: all results are in" in text(judge.get(at(event, "console/")))


def test_the_console_is_for_officials(event):
    assert Client().get(at(event, "console/")).status_code == 403
    assert client_of(PersonFactory()).get(at(event, "console/")).status_code == 403


def test_a_scorekeeper_is_told_where_only_the_head_judge_decides(event, staff, by):
    event.number_of_rounds, event.cut_to = 1, 2
    event.save()
    players(event, 4)
    play_round(by, event)
    page = text(staff.client("scorekeeper").get(at(event, "console/")))
    assert "Only the head judge can do this." in page


def queries(client, address):
    with CaptureQueriesContext(connection) as caught:
        assert client.get(address).status_code == 200
    return len(caught)


def made(staff, by, count, *, drafted):
    """Return an event with a complete round and another, drafted or published, with the same head judge."""
    event = EventFactory(number_of_rounds=4, seats=count + 20)
    OfficialFactory(event=event, person=staff.head_judge)
    players(event, count, is_minor=True, club="North")
    play_round(by, event)
    second = rounds.draft_round(by=by, event=event)
    if not drafted:
        rounds.publish_round(by=by, round=second)
    return event


DRAFTED = ["console/", "rounds/", "rounds/1/", "rounds/1/?by=name", "rounds/2/draft/", "rounds/2/draft/?why=3"]
PUBLISHED = ["console/", "rounds/2/", "rounds/2/?by=name"]


@pytest.mark.parametrize("places", [DRAFTED, PUBLISHED], ids=["drafted", "published"])
def test_no_page_asks_more_for_many_players_than_for_few(staff, by, places):
    few, many = (made(staff, by, count, drafted=places is DRAFTED) for count in (12, 60))
    client = staff.client("head_judge")
    client.get(at(few, "console/"))  # the console's findings are cached for ten seconds
    for place in places:
        assert queries(client, at(few, place)) == queries(client, at(many, place)), place


def test_a_rounds_page_counts_its_open_tables(event, by):
    players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    results.enter_result(by=by, match=round.matches.first(), result=result())
    assert "1 of 2 tables open" in text(Client().get(at(event, "rounds/1/")))
