"""Standings, cross table, path, chart and bracket: content, number of queries, access."""

from dataclasses import replace
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from events.drawings import DrawnMatch, display_pages
from events.models import Entry, Event, Match, Round
from events.queries import cascade_of, standings_of
from events.results.reading import ResultTerms, normalise
from events.results.result import bye, missed
from events.standings import CRITERIA, Cell
from events.standings_columns import Medium, columns_of, printed, standings_lines
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import EntryFactory, EventFactory, MatchFactory, PersonFactory, RoundFactory

pytestmark = pytest.mark.django_db
CAR = ResultTerms("car-2002", 200)


def at(event, name, *parts):
    return reverse(f"events:{name}", args=[event.public_id, *parts])


@pytest.fixture
def cup(db):
    """Four players, two complete rounds, worked out by hand: Ann 2 wins, Bob and Cyd 1, Dan 0.

    Round 1: Ann 150:50 Bob, Cyd 120:100 Dan. Round 2: Ann 260:30 Cyd (recorded as 200), Bob 90:80 Dan.
    """
    event = EventFactory(state=Event.State.RUNNING, cascade=["wins", "victory-points"], cut_to=2)
    ann, bob, cyd, dan = (EntryFactory(event=event, name=name) for name in ("Ann", "Bob", "Cyd", "Dan"))
    played = [[(ann, bob, 150, 50), (cyd, dan, 120, 100)], [(ann, cyd, 260, 30), (bob, dan, 90, 80)]]
    for number, games in enumerate(played, 1):
        row = RoundFactory(event=event, number=number, state=Round.State.COMPLETE)
        for a, b, score_a, score_b in games:
            result = normalise({"score_a": score_a, "score_b": score_b}, CAR)
            MatchFactory(round=row, a=a, b=b, result=result, state=Match.State.CONFIRMED)
    return event


def names(places):
    return [(place.place, place.name) for place in places]


def test_the_cascade_orders_and_the_cap_holds(cup):
    places = standings_of(cup)
    assert names(places) == [(1, "Ann"), (2, "Cyd"), (3, "Bob"), (4, "Dan")]
    assert [cell.text for cell in places[0].cells] == ["2", "350"]
    assert [cell.text for cell in places[1].cells] == ["1", "150"]
    assert [cell.text for cell in places[2].cells] == ["1", "140"]


def test_standings_after_a_round_and_with_another_result(cup):
    assert names(standings_of(cup, 1)) == [(1, "Ann"), (2, "Cyd"), (3, "Dan"), (4, "Bob")]
    match = Match.objects.get(round__number=2, a__name="Ann")
    other = normalise({"score_a": 10, "score_b": 30}, CAR)
    assert standings_of(cup, instead={match.pk: other})[0].name == "Cyd"


def test_open_and_draft_matches_do_not_count(cup):
    Match.objects.filter(round__number=2).update(state=Match.State.CLAIMED)
    assert names(standings_of(cup)) == names(standings_of(cup, 1))
    Match.objects.filter(round__number=2).update(state=Match.State.CONFIRMED)
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    assert names(standings_of(cup)) == names(standings_of(cup, 1))


def test_a_bye_wins_and_a_round_missed_loses(cup):
    row = RoundFactory(event=cup, number=3, state=Round.State.COMPLETE)
    entries = {entry.name: entry for entry in cup.entries.all()}
    for name, kind, result in (("Dan", "bye", bye(100)), ("Cyd", "missed", missed())):
        MatchFactory(round=row, table=None, a=entries[name], b=None, kind=kind, result=result, state="confirmed")
    by_name = {place.name: place for place in standings_of(cup)}
    assert (by_name["Dan"].standing.wins, by_name["Dan"].standing.byes) == (1, 1)
    assert by_name["Dan"].cells[1].text == "280"
    assert by_name["Cyd"].standing.losses == 2


def test_the_cut_ranks_players_by_how_far_they_came(cup):
    entries = {entry.name: entry for entry in cup.entries.all()}
    final = RoundFactory(event=cup, number=3, stage=Round.Stage.CUT)
    match = MatchFactory(round=final, a=entries["Ann"], b=entries["Cyd"], bracket_slot=0)
    assert names(standings_of(cup))[:2] == [(1, "Ann"), (2, "Cyd")]
    Match.objects.filter(pk=match.pk).update(
        state=Match.State.CONFIRMED, result=normalise({"score_a": 1, "score_b": 20}, CAR)
    )
    places = standings_of(cup)
    assert names(places) == [(1, "Cyd"), (2, "Ann"), (3, "Bob"), (4, "Dan")]
    assert [place.cut_rounds for place in places] == [1, 0, None, None]
    assert places[0].standing.wins == 1


def test_players_who_left_before_the_cut_keep_a_place_behind_it(cup):
    entries = {entry.name: entry for entry in cup.entries.all()}
    before = [name for _place, name in names(standings_of(cup))]
    best, worst = before[:2], before[2:]
    final = RoundFactory(event=cup, number=3, stage=Round.Stage.CUT)
    MatchFactory(round=final, a=entries[worst[0]], b=entries[worst[1]], bracket_slot=0)
    assert names(standings_of(cup))[2:] == [(3, best[0]), (4, best[1])]


def test_semifinal_losers_stand_by_the_main_rounds_and_a_third_place_decides(cup):
    entries = {entry.name: entry for entry in cup.entries.all()}
    semis = RoundFactory(event=cup, number=3, stage=Round.Stage.CUT, state=Round.State.COMPLETE)
    for slot, (a, b) in enumerate((("Ann", "Dan"), ("Cyd", "Bob"))):
        result = normalise({"score_a": 90, "score_b": 10}, CAR)
        MatchFactory(round=semis, a=entries[a], b=entries[b], bracket_slot=slot, result=result, state="confirmed")
    assert names(standings_of(cup)) == [(1, "Ann"), (2, "Cyd"), (3, "Bob"), (4, "Dan")]
    last = RoundFactory(event=cup, number=4, stage=Round.Stage.CUT, state=Round.State.COMPLETE)
    for slot, (a, b, score) in enumerate((("Ann", "Cyd", 10), ("Dan", "Bob", 90))):
        result = normalise({"score_a": score, "score_b": 50}, CAR)
        MatchFactory(round=last, a=entries[a], b=entries[b], bracket_slot=slot, result=result, state="confirmed")
    assert names(standings_of(cup)) == [(1, "Cyd"), (2, "Ann"), (3, "Dan"), (4, "Bob")]


def test_lines_are_exact(cup):
    Event.objects.update(cascade=["opponents-win-percentage"])
    cup.refresh_from_db()
    line = next(line for line in standings_lines(cup) if line["name"] == "Ann")
    assert line["columns"]["opponents-win-percentage"] == {"exact": "1/2", "shown": "50.00%"}


# the page


def test_the_page_explains_its_columns_and_draws_the_cut(cup):
    page = Client().get(at(cup, "standings")).text
    assert "Matches won. A bye counts as a win." in page
    assert "The top 2 advance" in page
    assert "cut-line" in page
    assert "Ties that remain" not in page
    assert "Standings after round 2" in page


def test_before_check_in_the_page_says_what_will_appear(client, db):
    page = client.get(at(EventFactory(state=Event.State.RUNNING), "standings")).text
    assert "No standings yet. They appear once players have checked in." in page
    assert '<div class="empty">' in page


def test_ties_that_remain_are_reported(cup):
    Event.objects.update(cascade=["wins"])
    page = Client().get(at(cup, "standings")).text
    assert "tied on every tie-breaker" in page
    assert "Place 2: Bob, Cyd" in page
    assert "tied at the cut" in page


def test_columns_sort_and_other_rounds_are_shown(cup):
    page = Client().get(at(cup, "standings"), {"sort": "-place"}).context["table"]
    assert [row.record.name for row in page.rows] == ["Dan", "Bob", "Cyd", "Ann"]
    page = Client().get(at(cup, "standings"), {"sort": "criterion_1"}).context["table"]
    assert [row.record.name for row in page.rows] == ["Bob", "Cyd", "Dan", "Ann"]
    page = Client().get(at(cup, "standings"), {"round": "1"})
    assert "Standings after round 1" in page.text
    assert Client().get(at(cup, "standings"), {"round": "nonsense"}).status_code == 200


def test_results_that_are_missing_are_reported(cup):
    Match.objects.filter(round__number=2, a__name="Bob").update(state=Match.State.OPEN, result=None)
    assert "1 result is missing" in Client().get(at(cup, "standings")).text


def test_minors_are_shortened_and_my_line_is_marked(cup):
    person = PersonFactory()
    Entry.objects.filter(name="Dan").update(is_minor=True, name="Dan Vandenberg", person=person)
    page = client_of(person).get(at(cup, "standings")).text
    assert "Dan V." in page
    assert "Vandenberg" not in page
    assert 'class="mine' in page


# drawings


def test_each_drawing_has_a_title_a_description_and_its_table(cup):
    for name, parts in (("cross-table", []), ("chart", []), ("path", [1])):
        page = Client().get(at(cup, name, *parts)).text
        assert "<svg" in page, name
        assert "<title" in page, name
        assert "<desc" in page, name
        assert "<table" in page, name


def test_the_cross_table_says_each_result(cup):
    page = Client().get(at(cup, "cross-table")).text
    assert "+2 (260:30)" in page
    assert "Round 2: Ann 260 : 30 Cyd, Ann wins." in page


def test_a_path_follows_one_player(cup):
    page = Client().get(at(cup, "path", 3)).text
    assert "<dt>Place</dt><dd>2</dd>" in page
    assert "<dt>Victory points</dt><dd>150</dd>" in page, "a phone's standings leave out what stands here"
    assert "30 : 260" in page
    assert Client().get(at(cup, "path", 99)).status_code == 404


def test_the_bracket_shows_the_cut_as_far_as_it_is(cup):
    entries = {entry.name: entry for entry in cup.entries.all()}
    semis = RoundFactory(event=cup, number=3, stage=Round.Stage.CUT)
    for slot, (a, b) in enumerate((("Ann", "Dan"), ("Cyd", "Bob"))):
        MatchFactory(round=semis, a=entries[a], b=entries[b], bracket_slot=slot)
    page = Client().get(at(cup, "bracket")).text
    assert "Semifinals" in page
    assert "Final" in page
    assert "to be decided" in page


def test_the_display_turns_to_the_bracket_of_a_cut(cup):
    address = at(cup, "display")
    assert "bracket-1" not in Client().get(address).text, "the cut isn't paired yet"
    entries = {entry.name: entry for entry in cup.entries.all()}
    semis = RoundFactory(event=cup, number=3, stage=Round.Stage.CUT, state=Round.State.RUNNING)
    for slot, (a, b) in enumerate((("Ann", "Dan"), ("Cyd", "Bob"))):
        MatchFactory(round=semis, a=entries[a], b=entries[b], bracket_slot=slot)
    page = Client().get(address)
    kinds = [slide.kind for slide in page.context["slides"]]
    assert kinds == ["pairings", "bracket", "standings"]
    assert 'data-slide="bracket-1"' in page.text
    assert "Semifinals" in page.text
    assert [slide.kind for slide in Client().get(address, {"show": "bracket"}).context["slides"]] == ["bracket"]


def test_a_large_bracket_takes_several_pages_of_the_display_and_every_match_is_on_one():
    stages = [
        [DrawnMatch(slot, f"A{stage}{slot}", f"B{stage}{slot}") for slot in range(16 >> stage)] for stage in range(5)
    ]
    pages = display_pages(stages, ["32", "16", "8", "4", "2"])
    assert [names for _stages, names in pages] == [["32", "16", "8"]] * 4 + [["8", "4", "2"]]
    assert [[len(stage) for stage in found] for found, _names in pages] == [[4, 2, 1]] * 5
    assert {match.a for found, _names in pages for stage in found for match in stage} == {
        match.a for stage in stages for match in stage
    }
    assert all(match.slot == n for found, _names in pages for stage in found for n, match in enumerate(stage))


def test_an_event_without_a_cut_has_no_bracket(cup):
    Event.objects.update(cut_to=0)
    assert Client().get(at(cup, "bracket")).status_code == 404


def test_before_the_first_round_nothing_is_drawn_and_nothing_breaks(db):
    event = EventFactory()
    for name in ("standings", "cross-table", "chart"):
        assert Client().get(at(event, name)).status_code == 200
    EntryFactory(event=event)
    for name, parts in (("standings", []), ("cross-table", []), ("chart", []), ("path", [1])):
        assert Client().get(at(event, name, *parts)).status_code == 200


@pytest.mark.parametrize("name", ["standings", "cross-table", "chart", "path", "display"])
def test_pages_cost_the_same_for_20_and_200_players(staff, name):
    counts = []
    for players in (20, 200):
        event = EventFactory(venue=staff.event.venue)
        play(event, players + 1, 3)
        parts = [1] if name == "path" else []
        client = Client()
        with CaptureQueriesContext(connection) as seen:
            assert client.get(at(event, name, *parts)).status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]
    assert counts[0] < 15


def test_one_score_that_is_not_whole_gives_its_whole_column_a_decimal(cup):
    places, points = standings_of(cup), (CRITERIA["victory-points"],)
    whole = Fraction(100)

    def shown(*values):
        rows = [
            replace(place, standing=replace(place.standing, cells=(Cell(points[0], value, False),)))
            for place, value in zip(places, values, strict=False)
        ]
        return [line[-1] for line in printed(rows, points).lines]

    assert shown(whole, whole) == ["100", "100"]
    assert shown(whole, Fraction(201, 2)) == ["100.0", "100.5"]


def test_page_paper_display_and_data_show_the_same_columns(cup, client):
    cup.cascade = ["wins", "opponents-win-percentage", "lot"]
    cup.save()
    cascade = cascade_of(cup)
    names = {medium: [column.name for column in columns_of(cascade, medium)] for medium in Medium}
    assert names[Medium.PAGE] == ["rank", "name", *cup.cascade, "record"]
    assert names[Medium.PAPER] == ["rank", "name", *cup.cascade]
    assert names[Medium.DISPLAY] == ["rank", "name", "record", "opponents-win-percentage"]
    assert names[Medium.DATA] == [
        "rank",
        "id",
        "name",
        "dropped",
        "level_with",
        "match_points",
        "byes",
        "awarded_byes",
        *cup.cascade,
    ]
    table = printed(standings_of(cup), cascade)
    assert table.headings == ["", "Player", "Wins", "Opponents' win %", "Random draw"]
    assert [line[:3] for line in table.lines[:2]] == [["1", "Ann", "2"], ["2", "Bob", "1"]]
    shown = client.get(f"/events/{cup.public_id}/display/?show=standings").content.decode()
    assert '<th scope="col">Opponents&#x27; win %</th>' in shown, "the display names the criterion that it shows"
