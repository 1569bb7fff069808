"""Byes awarded before an event: in a form or a list, left out of the pairing, and never counted as received."""

import csv
import io
import json
import random
import re
from collections import Counter

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from events.door import Refused
from events.forms.entries_list import read_players, rounds_of
from events.models import Entry, Event, Match
from events.pairing import read_tournament
from events.pairing.check import check_event
from events.queries import standings_of
from events.roles import SITE
from events.services import entries, rounds
from events.services.rounds_styles import NoLegalRound
from judging.keeping.event_file import event_file
from tests import factories
from tests.events.simulation import play, play_round, players
from tests.events.test_papers import text_of
from tests.examples import examples

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(staff):
    return staff.event


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


def award(by, event, number, *rounds_):
    entry = event.entries.get(number=number)
    return entries.change_entry(by=by, entry=entry, awarded_byes=rounds_, confirmed=True, reason="champion")


def kinds(round):
    return {match.a.number: match.kind for match in round.matches.select_related("a").filter(b=None)}


@pytest.mark.parametrize(
    ("text", "read"),
    [("", []), ("1", [1]), ("1-2", [1, 2]), ("2, 1", [1, 2]), ("1 – 3; 5", [1, 2, 3, 5]), ("1,1", [1])],
)
def test_rounds_are_read_as_people_write_them(text, read):
    assert rounds_of(text) == read


@pytest.mark.parametrize("text", ["0", "x", "3-1", "1-99", "-1", "1.5", "١"])
def test_other_texts_are_no_rounds(text):
    with pytest.raises(ValueError, match=re.escape(text)):
        rounds_of(text)


def test_an_awarded_bye_leaves_the_player_out_and_counts_as_a_win(event, by):
    players(event, 6)
    award(by, event, 1, 1)
    first = play_round(by, event)
    waiting = kinds(first)
    assert waiting.pop(1) == Match.Kind.AWARDED
    assert list(waiting.values()) == [Match.Kind.BYE]  # five were left to pair
    place = next(place for place in standings_of(event) if place.number == 1)
    assert (place.standing.wins, place.standing.byes, place.standing.awarded_byes) == (1, 0, 1)
    second = rounds.draft_round(by=by, event=event)
    assert 1 not in kinds(second)
    assert all(check.is_fine for check in check_event(event_file(event)))


def test_every_page_of_results_shows_an_awarded_bye(event, by, client):
    players(event, 6)
    award(by, event, 1, 1)
    play_round(by, event)
    for name, *parts in (("path", 1), ("cross-table",), ("chart",), ("standings",), ("round", 1)):
        page = client.get(reverse(f"events:{name}", args=[event.public_id, *parts]))
        assert page.status_code == 200, name
        assert "awarded bye" in page.text or name == "chart"
    table = client.get(f"/api/events/{event.public_id}/standings").json()
    assert {line["entry"]: (line["byes"], line["awarded_byes"]) for line in table}[1] == (0, 1)
    assert sorted((line["byes"], line["awarded_byes"]) for line in table) == [(0, 0)] * 4 + [(0, 1), (1, 0)]
    kinds_ = [match["kind"] for match in client.get(f"/api/events/{event.public_id}/rounds/1").json()["matches"]]
    assert sorted(kinds_) == ["awarded", "bye", "game", "game"]
    posted = client.get(reverse("events:pairings-pdf", args=[event.public_id, 1])).content
    assert "awarded bye" in "".join(text_of(posted))


def test_the_standings_as_csv_tell_awarded_byes_from_received_ones(event, by, staff):
    players(event, 6)
    award(by, event, 1, 1)
    play_round(by, event)
    answer = staff.client("head_judge").get(reverse("judging:standings-csv", args=[event.public_id]))
    lines = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {line["entry"]: (line["byes"], line["awarded byes"]) for line in lines}["1"] == ("0", "1")
    assert sorted((line["byes"], line["awarded byes"]) for line in lines) == [("0", "0")] * 4 + [("0", "1"), ("1", "0")]


def test_the_display_tells_an_awarded_bye_from_one_received(event, by, client):
    players(event, 6)
    award(by, event, 1, 1)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    page = client.get(reverse("events:display", args=[event.public_id])).text
    assert page.count("Player 001 (awarded)") == page.count("(awarded)<") == 1
    assert page.count(">Bye<") == 2


def test_a_bye_that_was_awarded_is_changed_only_before_its_round(event, by):
    players(event, 6)
    award(by, event, 1, 1)
    draft = rounds.draft_round(by=by, event=event)
    award(by, event, 1, 2)
    with pytest.raises(Refused, match="awarded byes have changed"):
        rounds.publish_round(by=by, round=draft)
    draft = rounds.pair_again(by=by, round=draft)
    rounds.publish_round(by=by, round=draft)
    for wanted in ((1, 2), (1,)):
        with pytest.raises(ValidationError, match="Round 1 is already published"):
            award(by, event, 1, *wanted)
    assert event.entries.get(number=1).awarded_byes == [2]


def test_only_swiss_rounds_have_awarded_byes(event, by):
    Event.objects.update(pairing_style=Event.Style.ROUND_ROBIN)
    event.refresh_from_db()
    players(event, 4)
    with pytest.raises(ValidationError, match="Only Swiss rounds"):
        award(by, event, 1, 1)


def test_a_player_with_a_bye_who_arrives_late_has_it_and_no_loss(event, by):
    players(event, 5)
    late = event.entries.get(number=1)
    Entry.objects.filter(pk=late.pk).update(state=Entry.State.ENTERED, awarded_byes=[1])
    late.refresh_from_db()
    play_round(by, event)
    entries.check_in(by=by, entry=late)
    assert late.matches_as_a.get().kind == Match.Kind.AWARDED
    assert next(place for place in standings_of(event) if place.number == 1).standing.wins == 1


def test_an_awarded_bye_is_never_swapped_away(event, by):
    players(event, 6)
    award(by, event, 1, 1)
    draft = rounds.draft_round(by=by, event=event)
    other = next(match for match in draft.matches.all() if match.b_id)
    with pytest.raises(ValidationError, match="has an awarded bye"):
        rounds.swap_players(by=by, round=draft, one=event.entries.get(number=1), other=other.a, reason="x")


def test_a_cut_has_no_awarded_byes(event, by):
    event.number_of_rounds, event.cut_to = 1, 4
    event.save()
    players(event, 6)
    award(by, event, 1, 1, 2)
    play_round(by, event)
    semi = rounds.draft_cut(by=by, event=event)
    assert semi.matches.filter(b=None).count() == 0
    rounds.publish_round(by=by, round=semi)
    assert all(check.is_fine for check in check_event(event_file(event)))


def test_a_list_awards_byes_and_the_desk_sees_them(event, by, staff):
    text = "name;byes\nAda;1-2\nBen;\nCleo;1, 3"
    read = read_players(text)
    assert [line.awarded_byes for line in read.lines] == [(1, 2), (), (1, 3)]
    entries.import_entries(by=by, event=event, lines=read.lines)
    assert list(event.entries.values_list("awarded_byes", flat=True)) == [[1, 2], [], [1, 3]]
    page = staff.client("head_judge").get(reverse("events:entries", args=[event.public_id])).text
    assert "awarded byes in rounds 1, 2" in page
    assert read_players("name;byes\nAda;first").problems[0].message.startswith("“first” isn't a round.")


def test_the_form_awards_byes(event, by, staff):
    players(event, 4)
    address = reverse("events:entry-edit", args=[event.public_id, 1])
    judge = staff.client("head_judge")
    given = {"name": "Ada", "awarded_byes": "1-2", "declares": "on", "confirmed": "yes", "reason": "champion"}
    assert "such as 1-2 or 1, 3" in judge.post(address, given | {"awarded_byes": "one"}).text
    assert judge.post(address, given).status_code == 302
    assert event.entries.get(number=1).awarded_byes == [1, 2]
    assert judge.post(address, given | {"awarded_byes": "1-50"}).status_code == 302
    shown = re.search(r'name="awarded_byes" value="([^"]+)"', judge.get(address).text)[1]
    assert judge.post(address, given | {"awarded_byes": shown}).status_code == 302


@examples(15)
@given(data=st.data())
def test_awarded_byes_never_count_as_received(data):
    with transaction.atomic():
        event = factories.EventFactory(state=Event.State.OPEN, number_of_rounds=3)
        factories.OfficialFactory(event=event)
        for entry in players(event, data.draw(st.integers(4, 9))):
            Entry.objects.filter(pk=entry.pk).update(
                awarded_byes=sorted(data.draw(st.sets(st.integers(1, 3), max_size=2)))
            )
        for _number in range(3):
            try:
                round = rounds.draft_round(by=SITE, event=event)
            except NoLegalRound:
                break
            rounds.publish_round(by=SITE, round=round)
            play(SITE, round)
            rounds.complete_round(by=SITE, round=round)
        counted = {
            kind: Counter(Match.objects.filter(round__event=event, kind=kind).values_list("a__number", flat=True))
            for kind in (Match.Kind.BYE, Match.Kind.AWARDED)
        }
        document = json.loads(json.dumps(event_file(event), default=str))
        for line in document["standings"]:
            told = (line["byes"], line["awarded_byes"])
            assert told == (counted[Match.Kind.BYE][line["id"]], counted[Match.Kind.AWARDED][line["id"]])
        for row in document["rounds"]:
            before = [match for one in document["rounds"][: row["number"] - 1] for match in one["matches"]]
            received = Counter(match["a"] for match in before if match["kind"] == "bye")
            for player in read_tournament(row["tournament"]).players:
                assert player.byes == received[int(player.id[1:])]
        transaction.set_rollback(True)


def test_168_players_108_of_whom_wait_two_rounds_pair_and_pass_the_checker(event, by):
    event.seats = 200
    event.save()
    players(event, 168)
    champions = random.Random(7).sample(range(1, 169), 108)
    event.entries.filter(number__in=champions).update(awarded_byes=[1, 2])
    for _number in range(3):
        round = rounds.draft_round(by=by, event=event)
        rounds.publish_round(by=by, round=round)
        assert round.matches.filter(kind=Match.Kind.AWARDED).count() == (108 if round.number < 3 else 0)
        assert not round.matches.filter(kind=Match.Kind.BYE).exists()
        play(by, round)
        rounds.complete_round(by=by, round=round)
    assert all(check.is_fine for check in check_event(event_file(event)))
