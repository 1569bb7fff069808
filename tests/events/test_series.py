"""Series: who adds events, the table and its files, the same player, corrections, and what event files can't do."""

import csv
import io
import json
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from events import series as pure
from events.door import NeedsConfirmation, Refused, Stale
from events.models import AuditEntry, Entry, Event, Match, Series, SeriesEvent, SeriesJoin
from events.roles import SITE, Actor
from events.series_table import series_table
from events.services import entries, results, rounds
from events.services import series as services
from events.services.undo import undo
from judging.keeping import copied, erasure, snapshots
from judging.keeping.event_file import event_file
from judging.keeping.whole_file import read_file, whole_file
from tests import factories
from tests.conftest import client_of
from tests.events import match_pages
from tests.events.simulation import play_round, players, result
from tests.examples import examples

# the computation


def test_places_wins_and_attendance_are_multiplied_and_only_the_best_count():
    rules = pure.SeriesRules((4, 3, 2, 1), win_points=2, attendance_points=1, best_of=2, min_events=2)
    events = [
        pure.CountedEvent("a", Fraction(1), (pure.EntryResult("x", 1, 3), pure.EntryResult("y", 2, 2))),
        pure.CountedEvent("b", Fraction(3, 2), (pure.EntryResult("y", 1, 3), pure.EntryResult("x", 5, 0))),
        pure.CountedEvent("c", Fraction(1), (pure.EntryResult("x", 1, 3), pure.EntryResult("z", 2, 2))),
    ]
    first, second, third = pure.table(events, rules)
    assert [(row.player, row.place, row.total) for row in (first, second, third)] == [
        ("y", 1, Fraction(49, 2)),
        ("x", 2, 22),
        ("z", 3, 8),
    ]
    assert [score.is_best for score in second.scores.values()] == [True, False, True]
    assert [row.missing for row in (first, second, third)] == [0, 0, 1]
    over = pure.table(events, rules, is_over=True)
    assert [(row.player, row.place) for row in over] == [("y", 1), ("x", 2), ("z", None)]
    assert [row.player for row in pure.prize_order(over, rules)] == ["y", "x"]


def test_equal_totals_are_parted_by_the_best_result_and_shared_places_by_lot():
    events = [
        pure.CountedEvent(1, Fraction(1), tuple(pure.EntryResult(p, n) for p, n in (("a", 1), ("b", 3), ("c", 1)))),
        pure.CountedEvent(2, Fraction(1), (pure.EntryResult("b", 3),)),
    ]
    rules = pure.SeriesRules()
    assert [(row.player, row.place, row.is_tied) for row in pure.table(events, rules)] == [
        ("a", 1, True),
        ("c", 1, True),
        ("b", 3, False),
    ]
    orders = {
        tuple(row.player for row in pure.prize_order(pure.table(events, rules), pure.SeriesRules(seed=seed)))
        for seed in range(20)
    }
    assert orders == {("a", "c", "b"), ("c", "a", "b")}


def test_a_disqualified_player_gets_nothing_for_the_event_and_did_not_attend():
    events = [pure.CountedEvent(1, Fraction(2), (pure.EntryResult("a", 1, 3, counts=False),))]
    (row,) = pure.table(events, pure.SeriesRules(win_points=1, attendance_points=5))
    assert (row.total, row.attended, row.missing) == (0, 0, 1)


@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3), st.sampled_from("abcd")), max_size=14),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("abcd"), max_size=4),
)
def test_no_player_has_two_entries_of_one_event_whoever_is_joined(entered, joins):
    found = [pure.SeriesEntry(event, number, player) for number, (event, _n, player) in enumerate(entered)]
    owners = pure.players_of(found, joins)
    assert len(owners) == len(found)
    assert len({(event, player) for (event, _number), player in owners.items()}) == len(found)


# with rows


@pytest.fixture
def manager(staff):
    return staff.actor("manager")


@pytest.fixture
def league(staff, manager):
    return services.create_series(by=manager, venue=staff.event.venue, facts={"name": "Autumn League", "win_points": 1})


def finished(venue, count=6, played=2, **facts):
    """Return a finished event with this many players and rounds."""
    event = factories.EventFactory(venue=venue, **facts)
    match_pages.play(event, count, played, last_open=False)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    event.refresh_from_db()
    return event


def naive_table(series) -> dict[str, Fraction]:
    """Return everyone's total from the event files alone: the sum of the best results counted for each player."""
    found: dict[str, list[Fraction]] = {}
    for row in series.rows.exclude(accepted=None).select_related("event"):
        document = event_file(row.event)
        if document["event"]["state"] not in ("finished", "verified"):
            continue
        names = {player["id"]: player["name"] for player in document["players"]}
        out = {entry["id"] for entry in document["entries"] if entry["state"] == "disqualified"}
        seated = {
            match[seat]
            for round_ in document["rounds"]
            if round_["state"] != "draft"
            for match in round_["matches"]
            for seat in "abcd"
            if match.get(seat) and match["kind"] != "missed"
        }
        for line in document["standings"]:
            if line["id"] not in seated:
                continue
            by_place = ([4, 3, 2, 1] + [0] * line["rank"])[line["rank"] - 1]
            points = 0 if line["id"] in out else by_place + Fraction(line["columns"]["wins"]["exact"])
            found.setdefault(names[line["id"]], []).append(points * Fraction(row.multiplier))
    return {name: sum(sorted(points, reverse=True)[: series.best_of], Fraction(0)) for name, points in found.items()}


def totals(series) -> dict[str, Fraction]:
    found = series_table(series)
    return {found.players[line.player].full_name: line.total for line in found.lines}


@pytest.mark.django_db
@examples(25)
@given(data=st.data())
def test_a_table_equals_the_sum_over_its_event_files_after_any_correction_undo_or_drop(data):
    from django.db import transaction

    with transaction.atomic():
        venue = factories.VenueFactory()
        facts = {"name": "League", "win_points": 1, "best_of": data.draw(st.sampled_from([None, 1]))}
        series = services.create_series(by=SITE, venue=venue, facts=facts)
        events = []
        for _number in range(2):
            four = bool(data.draw(st.booleans()))
            event = factories.EventFactory(
                venue=venue, number_of_rounds=2, table_size=4 if four else 2, state=Event.State.OPEN
            )
            players(event, 6)
            times = data.draw(st.sampled_from(["1", "0.5", "2"]))
            services.add_event(by=SITE, series=series, event=event, multiplier=Decimal(times))
            factories.OfficialFactory(event=event)
            for _round in range(2):
                row = rounds.draft_round(by=SITE, event=event)
                rounds.publish_round(by=SITE, round=row)
                for match in Match.objects.with_round().filter(round=row, kind="game"):
                    results.enter_result(by=SITE, match=match, result=typed(data, match))
                rounds.complete_round(by=SITE, round=row)
                event.refresh_from_db()
                if data.draw(st.booleans()):
                    entries.drop_entry(by=SITE, entry=event.entries.filter(state="checked-in").first(), confirmed=True)
            rounds.finish_event(by=SITE, event=event, confirmed=True)
            events.append(event)
        assert totals(series) == naive_table(series)
        for _step in range(data.draw(st.integers(1, 3))):
            change(data, data.draw(st.sampled_from(events)))
            assert totals(series) == naive_table(series)
        transaction.set_rollback(True)


def typed(data, match) -> dict:
    points = st.integers(0, 30).map(lambda tens: 10 * tens)
    seats = "abcd"[: len(match.entries)]
    scores = data.draw(st.lists(points, min_size=len(seats), max_size=len(seats), unique=True))
    return {f"score_{seat}": score for seat, score in zip(seats, scores, strict=True)}


def change(data, event) -> None:
    """Correct a result, undo what is newest, drop or disqualify someone, or reopen the event."""
    event.refresh_from_db()
    act = data.draw(st.sampled_from(["correct", "undo", "drop", "disqualify", "reopen"]))
    confirmed = {"confirmed": True, "reason": "A mistake"}
    try:
        if act == "correct":
            matches = list(Match.objects.with_round().filter(round__event=event, kind="game"))
            match = data.draw(st.sampled_from(matches))
            results.correct_result(by=SITE, match=match, result=typed(data, match), **confirmed)
        elif act == "undo":
            undo(by=SITE, entry=AuditEntry.objects.filter(event=event).latest("pk"), **confirmed)
        elif act == "drop":
            entries.drop_entry(by=SITE, entry=data.draw(st.sampled_from(list(event.entries.all()))), confirmed=True)
        elif act == "reopen":
            rounds.reopen_round(by=SITE, round=event.rounds.latest("number"), **confirmed)
        else:
            entry = data.draw(st.sampled_from(list(event.entries.all())))
            entries.disqualify_entry(by=SITE, entry=entry, **confirmed)
    except Refused:
        pass


@pytest.mark.django_db
def test_an_event_counts_once_it_is_over_and_a_correction_after_the_end_counts_at_once(staff, league, manager):
    event, by = staff.event, staff.actor("head_judge")
    players(event, 4)
    services.add_event(by=manager, series=league, event=event)
    play_round(by, event)
    assert not series_table(league).lines
    page = Client().get(reverse("events:series", args=[league.public_id])).content.decode()
    assert "its results count towards the series as soon as the event has finished" in page
    assert "Player 001" not in page
    rounds.finish_event(by=by, event=event, confirmed=True)
    services.end_series(by=manager, series=league)
    before = [(line.player, line.total) for line in series_table(league).lines]
    match = Match.objects.with_round().filter(round__event=event).first()
    other = "b" if match.result.winner == "a" else "a"
    results.correct_result(by=by, match=match, result=result(other), confirmed=True, reason="Read wrongly")
    after = [(line.player, line.total) for line in series_table(league).lines]
    assert before != after
    page = Client().get(reverse("events:series", args=[league.public_id])).content.decode()
    assert "Prize draft order" in page
    assert "corrected result changes these standings at once" in page


@pytest.mark.django_db
def test_an_event_of_another_venue_counts_only_once_its_manager_accepts(staff, league, manager):
    theirs = factories.VenueManagerFactory()
    event = finished(theirs.venue)
    row = services.add_event(by=manager, series=league, event=event)
    assert row.accepted is None
    assert not series_table(league).lines
    page = reverse("events:series", args=[league.public_id])
    answer = reverse("events:series-event-act", args=[league.public_id, row.pk, "accept"])
    assert "Accept invitation" not in staff.client("manager").get(page).content.decode()
    for stranger in (staff.client("manager"), staff.client("head_judge"), Client()):
        stranger.post(answer)
        row.refresh_from_db()
        assert row.accepted is None
    client = client_of(theirs.person)
    assert "Accept invitation" in client.get(page).content.decode()
    assert "Invitation to the series" in client.get(reverse("events:event", args=[event.public_id])).content.decode()
    console = reverse("events:console", args=[event.public_id])
    assert (
        f'href="{page}">Accept or decline the invitation to the series {league}.'
        in client.get(console).content.decode()
    )
    client.post(answer)
    assert "Accept or decline the invitation" not in client.get(console).content.decode()
    assert f'<a href="{page}">{league}</a>' in Client().get(reverse("events:event", args=[event.public_id])).text
    assert len(series_table(league).lines) == 6
    edits = [
        reverse(f"events:{name}", args=[league.public_id])
        for name in ("series-edit", "series-events", "series-players")
    ]
    assert [client.get(edit).status_code for edit in edits] == [403, 403, 403]
    remove = reverse("events:series-event-act", args=[league.public_id, row.pk, "remove"])
    assert client.post(remove, {"confirmed": "yes"}).status_code == 403
    withdraw = reverse("events:series-event-act", args=[league.public_id, row.pk, "decline"])
    assert staff.client("manager").post(withdraw, {"confirmed": "yes"}).status_code == 403
    assert SeriesEvent.objects.filter(pk=row.pk).exists()
    client.post(withdraw, {"confirmed": "yes"})
    assert not series_table(league).lines
    said = list(AuditEntry.objects.filter(verb__contains="series").order_by("pk").values_list("verb", "venue"))
    assert said == [
        ("create-series", league.venue_id),
        ("add-series-event", league.venue_id),
        ("accept-series-event", event.venue_id),
        ("decline-series-event", event.venue_id),
    ]


@pytest.mark.django_db
def test_no_one_reaches_a_draft_of_another_venue_or_a_row_of_another_series(staff, league, manager):
    draft = factories.EventFactory(state=Event.State.DRAFT, name="Secret Sunday")
    where = reverse("events:series-events", args=[league.public_id])
    client = staff.client("manager")
    answered = client.post(where, {"address": f"https://x.example/events/{draft.public_id}/", "multiplier": "1"})
    assert "Secret Sunday" not in answered.content.decode()
    assert not league.rows.exists()
    assert "Secret Sunday" not in client.get(where).content.decode()
    mine = services.add_event(by=manager, series=league, event=staff.event)
    other = factories.VenueManagerFactory()
    theirs = services.create_series(by=Actor(person=other.person), venue=other.venue, facts={"name": "Theirs"})
    stolen = reverse("events:series-event-act", args=[theirs.public_id, mine.pk, "remove"])
    assert client_of(other.person).post(stolen, {"confirmed": "yes"}).status_code == 404
    with pytest.raises(Refused):
        services.change_series(by=Actor(person=other.person), series=league, facts={"name": "Mine now"})
    with pytest.raises(Refused):
        services.add_event(by=Actor(person=other.person), series=league, event=staff.event)
    with pytest.raises(Refused):
        services.create_series(by=Actor(person=other.person), venue=staff.event.venue, facts={"name": "Not mine"})


@pytest.mark.django_db
def test_a_name_without_an_account_can_be_joined_and_separated(staff, league, manager):
    first, second = finished(staff.event.venue), finished(staff.event.venue)
    for event in (first, second):
        services.add_event(by=manager, series=league, event=event)
    ada = factories.PersonFactory(name="Ada Ant")
    first.entries.filter(number=1).update(name="Ada Ant", person=ada)
    second.entries.filter(number=1).update(name="Ada Ant")
    second.entries.filter(number=2).update(name="PLAYER 002")
    second.entries.filter(number=3).update(name="Player Three")
    found = series_table(league)
    assert sorted(player.name for player in found.players.values()) == [
        "Ada Ant", "Ada Ant (2)", "PLAYER 002", "Player 003", "Player 004", "Player 005", "Player 006", "Player Three",
    ]  # fmt: skip
    where = reverse("events:series-players", args=[league.public_id])
    client, before = staff.client("manager"), totals(league)
    client.post(where, {"name": "name:player three", "other": "name:player 003"})
    client.post(where, {"name": "name:ada ant", "other": f"account:{ada.pk}"})
    after = totals(league)
    assert len(after) == 6
    assert after["Player 003"] == before["Player 003"] + before["Player Three"]
    assert after["Ada Ant"] == sum(
        line.total for line in found.lines if found.players[line.player].full_name == "Ada Ant"
    )
    refused = client.post(where, {"name": "name:player 004", "other": "name:player 005"})
    assert "Both players took part in" in refused.content.decode()
    assert (
        staff.client("head_judge").post(where, {"name": "name:player 004", "other": "name:ada ant"}).status_code == 403
    )
    client.post(
        reverse("events:series-join-separate", args=[league.public_id, SeriesJoin.objects.get(name="Player Three").pk])
    )
    assert len(totals(league)) == 7
    Event.objects.update(state=Event.State.VERIFIED)
    erasure.erase_person(by=staff.actor("office"), person=ada, confirmed=True, reason="Asked")
    assert not SeriesJoin.objects.filter(name="Ada Ant").exists()
    told = json.dumps(list(AuditEntry.objects.filter(verb="change-series-players").values("facts", "changes")))
    assert "Ada Ant" not in told


@pytest.mark.django_db
def test_two_of_one_name_at_one_event_are_two_players_and_minors_are_shortened_everywhere(staff, league, manager):
    event = finished(staff.event.venue)
    services.add_event(by=manager, series=league, event=event)
    event.entries.filter(number__in=(1, 2)).update(name="Tom Miller", is_minor=True)
    event.entries.filter(number=3).update(name="=SUM(A1)")
    found = series_table(league)
    assert len(found.lines) == 6
    public = Client()
    page = public.get(reverse("events:series", args=[league.public_id])).content.decode()
    data = public.get(reverse("events:series-json", args=[league.public_id])).json()
    api = public.get(f"/api/series/{league.public_id}").json()
    text = public.get(reverse("events:series-csv", args=[league.public_id])).content.decode("utf-8-sig")
    for said in (page, json.dumps(data), json.dumps(api), text):
        assert "Tom M." in said
        assert "Tom M. (2)" in said
        assert "Miller" not in said
    assert data["table"] == api["table"]
    assert data["format"] == "headjudge-series"
    assert data["prize_order"] is None
    lines = list(csv.reader(io.StringIO(text)))
    assert len(lines) == 7
    assert any(line[1] == "'=SUM(A1)" for line in lines)
    assert [line["total"] for line in data["table"]] == [int(line[2]) for line in lines[1:]]
    assert [one["name"] for one in public.get("/api/series").json()] == ["Autumn League"]
    assert (
        "Tom Miller"
        in staff.client("manager").get(reverse("events:series-players", args=[league.public_id])).content.decode()
    )
    paper = public.get(reverse("events:series-pdf", args=[league.public_id]))
    assert paper["Content-Type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF")


@pytest.mark.django_db
def test_the_organiser_edits_ends_reopens_and_deletes(staff, league, manager):
    client = staff.client("manager")
    row = services.add_event(by=manager, series=league, event=finished(staff.event.venue))
    league.refresh_from_db()
    edit = reverse("events:series-edit", args=[league.public_id])
    facts = {
        "name": "Winter League", "place_points": "10, 6, 3", "win_points": 0, "match_point_points": 1, "attendance_points": 2,
        "best_of": "", "min_events": 2, f"multiplier_{row.pk}": "1.5", "version": league.version,
    }  # fmt: skip
    assert "No number can be larger" in client.post(edit, facts | {"place_points": "1/9"}).content.decode()
    assert client.post(edit, facts).status_code == 302
    with pytest.raises(Stale):
        services.change_series(by=manager, series=league, facts={"name": "Later"}, version=league.version - 1)
    page = client.get(reverse("events:series", args=[league.public_id])).content.decode()
    assert "Winter League" in page
    assert "points × 1.5" in page
    display = reverse("events:series-display", args=[league.public_id])
    assert "1 more event to be eligible" in page
    assert "1 more event to be eligible" in Client().get(display).text
    league.refresh_from_db()
    assert league.place_points == [10, 6, 3]
    act = {name: reverse("events:series-act", args=[league.public_id, name]) for name in ("end", "reopen", "delete")}
    assert staff.client("head_judge").post(act["end"]).status_code == 403
    client.post(act["end"])
    assert "1 more event to be eligible" not in Client().get(display).text
    assert {line["place"] for line in Client().get(f"/api/series/{league.public_id}").json()["table"]} == {None}
    with pytest.raises(Refused):
        services.remove_event(by=manager, row=row, confirmed=True)
    client.post(act["reopen"])
    with pytest.raises(Refused):
        services.delete_series(by=manager, series=league, confirmed=True)
    with pytest.raises(NeedsConfirmation):
        services.remove_event(by=manager, row=row)
    services.remove_event(by=manager, row=row, confirmed=True)
    assert "Delete series?" in client.post(act["delete"]).content.decode()
    client.post(act["delete"], {"confirmed": "yes"})
    assert not Series.objects.exists()
    assert (
        "Series Winter League deleted"
        in client.get(reverse("judging:venue-audit-log", args=[staff.event.venue_id])).content.decode()
    )


@pytest.mark.django_db
def test_an_event_file_names_the_series_but_changes_none(staff, league, manager, settings):
    settings.SNAPSHOTS_KEPT = 5
    event = finished(staff.event.venue)
    row = services.add_event(by=manager, series=league, event=event, multiplier=Decimal("1.5"))
    document = read_file(whole_file(event).content())
    assert document["event"]["series"] == [{"id": league.public_id, "name": "Autumn League", "multiplier": "3/2"}]
    assert "events.SeriesEvent" not in json.dumps(document)
    copy = copied.import_copy(by=manager, document=document, venue=event.venue)
    assert not copy.in_series.exists()
    assert any("Autumn League" in line for line in copied.what_copy_becomes(document))
    snapshot = snapshots.take(event, "by hand")
    event.entries.filter(number=1).update(name="Changed Name")
    snapshots.restore(by=SITE, event=event, snapshot=snapshot, confirmed=True, reason="Back")
    row.refresh_from_db()
    assert (row.event_id, row.multiplier) == (event.pk, Decimal("1.5"))
    assert "Player 001" in totals(league)


@pytest.mark.django_db
def test_the_queries_of_its_pages_do_not_grow_with_events_or_players(staff, league, manager):
    def queries() -> list[int]:
        found = []
        for name in ("series", "series-json", "series-pdf", "series-players", "series-events", "series-edit"):
            client = staff.client("manager")
            with CaptureQueriesContext(connection) as captured:
                assert client.get(reverse(f"events:{name}", args=[league.public_id])).status_code == 200
            found.append(len(captured))
        return found

    services.add_event(by=manager, series=league, event=finished(staff.event.venue, 4))
    few = queries()
    for count in (9, 12, 20):
        services.add_event(by=manager, series=league, event=finished(staff.event.venue, count))
    services.add_event(by=manager, series=league, event=finished(factories.VenueFactory(), 4))
    assert queries() == few
    with CaptureQueriesContext(connection) as captured:
        series_table(league)
    assert len(captured) == 5


@pytest.mark.django_db
def test_someone_who_never_sat_down_did_not_attend(staff, league, manager):
    event = finished(staff.event.venue, 4)
    factories.EntryFactory(event=event, number=9, name="Never Came", state=Entry.State.DROPPED)
    services.add_event(by=manager, series=league, event=event)
    Series.objects.filter(pk=league.pk).update(attendance_points=3, ended=timezone.now())
    assert "Never Came" not in Client().get(reverse("events:series", args=[league.public_id])).content.decode()
