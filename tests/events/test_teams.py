"""Teams of two: entered together, paired as one, at two tables or one of four, and counted by the sum of both."""

import csv
import html
import io
import json
import re
from itertools import combinations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from events.counting import CountedMatch, CountedTable, Counting, RecordTable, StandingsPlayer
from events.door import Refused
from events.models import AuditEntry, Entry, Event, Match, Round, Team
from events.pairing.check import check_event
from events.queries import standings_of, team_standings_of
from events.results.result import Result
from events.roles import SITE, Actor
from events.services import entries, results, rounds
from events.services.people import entry_link
from events.services.teams import choose_partner, make_team, name_team, split_team
from events.services.undo import undo
from events.standings import ranked
from events.teams import PARTNERS, seats_of_teams, team_table
from judging.keeping import moving
from judging.keeping.event_file import event_file
from judging.keeping.personal import records_of
from judging.keeping.whole_file import read_file, whole_file
from judging.sheet_csv import sheet_csv
from tests import factories
from tests.events.simulation import players
from tests.judging.keeping.kept import empty

BY_PLACE = Counting(by_place=(4, 3, 2, 1), pair_bonus=1)


# the core


def at_table(scores, **more):
    order = sorted("abcd", key=lambda seat: -scores["abcd".index(seat)])
    return Result(tuple(scores), winner=order[0], places=tuple((seat,) for seat in order), **more)


@pytest.mark.parametrize(
    ("result", "winners"),
    [
        (at_table((100, 40, 10, 60)), ("a", "c")),
        (at_table((100, 60, 0, 50)), ("b", "d")),
        (at_table((100, 60, 0, 50), decided_by="last-standing"), ("a", "c")),
        (at_table((100, 60, 10, 50)), ("a", "c")),
        (at_table((100, 20, 50, 10), abandoned=("a", "c")), ("b", "d")),
        (Result((5, 5, 5, 5), places=(("a", "b", "c", "d"),)), ()),
    ],
)
def test_the_winning_pair(result, winners):
    """More points together, then the better best place; a decision against the points counts, and leaving loses."""
    assert result.winning_pair(PARTNERS) == winners


def test_each_of_the_winning_pair_gets_the_bonus():
    table = CountedTable(1, tuple("abcd"), (1, 2, 4, 3), (90, 50, 0, 20), (("a", "c"), ("b", "d")), ("a", "c"))
    records = RecordTable([StandingsPlayer(one) for one in "abcd"], [table], BY_PLACE)
    assert [records.match_points(one) for one in "abcd"] == [5, 3, 2, 2]
    assert [records.records[one].wins for one in "abcd"] == [1, 0, 1, 0]
    assert records.records["a"].opponents == ["b", "d"]
    assert records.records["a"].difference == 90 - 35


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_a_team_is_the_sum_of_its_players_at_both_tables(data):
    size = data.draw(st.sampled_from([2, 4]))
    teams = {f"t{n}": (f"p{2 * n}", f"p{2 * n + 1}") for n in range(data.draw(st.integers(2, 5)))}
    team_of = {player: team for team, pair in teams.items() for player in pair}
    counting = BY_PLACE if size == 4 else Counting()
    found = []
    for number, (one, other) in enumerate(combinations(teams, 2), 1):
        for seated in seats_of_teams(teams[one], teams[other], size):
            scores = [data.draw(st.integers(0, 300)) for _seat in seated]
            if size == 4:
                places = tuple(1 + sum(other > score for other in scores) for score in scores)
                winners = data.draw(st.sampled_from([teams[one], teams[other], ()]))
                found.append(CountedTable(number, seated, places, tuple(scores), (teams[one], teams[other]), winners))
            else:
                winner = data.draw(st.sampled_from([*seated, None]))
                found.append(CountedMatch(number, seated[0], seated[1], winner, scores[0], scores[1]))
    for number, team in enumerate(teams, 100):
        found += [CountedMatch(number, player, kind="bye") for player in teams[team]]
    records = RecordTable([StandingsPlayer(player) for player in team_of], found, counting)
    table = team_table(records, team_of, [StandingsPlayer(team) for team in teams], counting)
    for team, pair in teams.items():
        assert table.match_points(team) == sum(map(records.match_points, pair))
        assert table.records[team].points == sum(records.records[player].points for player in pair)
        assert sorted(table.records[team].opponents) == sorted(other for other in teams if other != team)
        assert not {team_of[other] for player in pair for other in records.records[player].opponents} & {team}
    assert {line.player.id for line in ranked(table)} == set(teams)


# an event


def in_teams(event, count):
    """Check in this many teams: Player 001 with Player 002, and so on."""
    found = players(event, 2 * count)
    for number in range(1, count + 1):
        team = Team.objects.create(event=event, number=number)
        Entry.objects.filter(pk__in=[one.pk for one in found[2 * number - 2 : 2 * number]]).update(team=team)
    return list(event.teams.all())


def make(event, **facts):
    Event.objects.filter(pk=event.pk).update(teams_of_two=True, number_of_rounds=3, **facts)
    event.refresh_from_db()


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture(params=[2, 4], ids=["team Swiss", "team Battle Royale"])
def event(staff, request):
    make(staff.event, table_size=request.param)
    return staff.event


def play_teams(by, event):
    """Pair, publish and play a round; the players with lower numbers score more."""
    row = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    for match in Match.objects.with_round().filter(round=row, kind=Match.Kind.GAME):
        scores = {seat: 290 - entry.number for seat, entry in zip("abcd", match.entries, strict=False)}
        results.enter_result(by=by, match=match, result={f"score_{seat}": score for seat, score in scores.items()})
    return rounds.complete_round(by=by, round=row)


def teams_at(row):
    return [[entry.team.number for entry in match.entries] for match in row.matches.with_entries().order_by("table")]


@pytest.mark.django_db
def test_the_pairings_show_partners_and_their_points_in_one_order(event, by, client):
    in_teams(event, 2)
    row = play_teams(by, event)
    page = client.get(reverse("events:round", args=[event.public_id, row.number])).text
    for match in Match.objects.with_round().filter(round=row):
        order = [" & ".join(str(290 - one.number) for one in pair) for pair in match.pairs or zip(match.entries)]
        assert html.escape(" : ".join(order)) in page


def test_the_page_of_the_event_says_what_the_winning_pair_gets(event, client):
    told = (
        "1 extra point for each player of the winning team"
        in client.get(reverse("events:event", args=[event.public_id])).text
    )
    assert told is event.has_tables


def test_team_mates_never_meet_and_both_tables_count(event, by):
    in_teams(event, 5)
    met = []
    for _number in range(3):
        row = play_teams(by, event)
        at = teams_at(row)
        games = [seated for seated in at if len(seated) > 1]
        byes = [seated for seated in at if len(seated) == 1]
        assert len(byes) == 2
        assert byes[0] == byes[1]
        pairs = {frozenset(seated) for seated in games}
        assert all(len(pair) == 2 for pair in pairs)
        met += list(pairs)
        assert len(games) == (2 if event.table_size == 4 else 4)
        if event.table_size == 2:
            seats = list(row.matches.filter(kind="game").with_entries().order_by("table"))
            for one, other in zip(seats[::2], seats[1::2], strict=True):
                assert {e.team_id for e in one.entries} == {e.team_id for e in other.entries}
                assert other.table == one.table + 1
        else:
            for match in row.matches.filter(kind="game").with_entries():
                assert match.a.team_id == match.c.team_id
                assert match.b.team_id == match.d.team_id
    assert len(met) == len(set(met))
    own = {place.number: place.match_points for place in standings_of(event)}
    for place in team_standings_of(event):
        assert place.match_points == own[2 * place.number - 1] + own[2 * place.number]
    best = team_standings_of(event)[0]
    assert best.name == "Player 001 & Player 002"
    if event.table_size == 4:
        played = sum(1 for seated in met if 1 in seated)
        assert best.match_points == 9 * played + 8 * (3 - played)


@pytest.mark.django_db
def test_a_team_without_a_partner_is_not_paired_until_it_has_one(event, by):
    teams = in_teams(event, 4)
    play_teams(by, event)
    gone = event.entries.get(number=2)
    entries.drop_entry(by=by, entry=gone, confirmed=True)
    draft = rounds.draft_round(by=by, event=event)
    assert {n for seated in teams_at(draft) for n in seated} == {2, 3, 4}
    rounds.discard_draft(by=by, round=draft)
    new = entries.add_entry(by=by, event=event, name="Late Lee", declares=True, checked_in=True)
    assert not Match.objects.filter(a=new).exists()
    make_team(by=by, event=event, one=event.entries.get(number=1), other=new)
    row = play_teams(by, event)
    assert {n for seated in teams_at(row) for n in seated} == {1, 2, 3, 4}
    own = {place.number: place.match_points for place in standings_of(event)}
    first = next(place for place in team_standings_of(event) if place.number == 1)
    assert first.match_points == own[1] + own[2] + own[new.number]
    with pytest.raises(Refused):
        entries.return_entry(by=by, entry=event.entries.get(number=2), confirmed=True)
    assert teams[0].pk == event.entries.get(number=2).team_id


@pytest.mark.django_db
def test_swapping_two_players_of_a_draft_swaps_their_teams(event, by):
    in_teams(event, 5)
    draft = rounds.draft_round(by=by, event=event)
    at = teams_at(draft)
    one, other = at[0][0], at[-1][0]
    first, second = (event.entries.filter(team__number=n).first() for n in (one, other))
    rounds.swap_players(by=by, round=draft, one=first, other=second, reason="asked")
    swapped = {one: other, other: one}
    after = teams_at(Round.objects.get(pk=draft.pk))
    assert sorted(map(sorted, after)) == sorted(sorted(swapped.get(n, n) for n in seated) for seated in at)
    rounds.publish_round(by=by, round=Round.objects.get(pk=draft.pk))


@pytest.mark.django_db
def test_the_event_file_proves_the_pairing_and_moves_without_loss(event, by):
    teams = in_teams(event, 5)
    Team.objects.filter(pk=teams[0].pk).update(title="Two Towers")
    play_teams(by, event)
    play_teams(by, event)
    document = json.loads(json.dumps(event_file(event), default=str))
    assert [f.text for check in check_event(document) for f in check.findings if f.is_fault] == []
    assert document["teams"][0] == {"id": 1, "name": "Two Towers", "players": [1, 2]}
    first = document["team_standings"][0]
    assert (first["name"], first["match_points"]) == ("Two Towers", team_standings_of(event)[0].match_points)
    match = document["rounds"][0]["matches"][0]
    seats = [seat for seat in "abcd" if match.get(seat)]
    other = document["rounds"][0]["matches"][1]
    match[seats[-1]], other["a"] = other["a"], match[seats[-1]]
    assert not check_event(document)[0].is_fine
    csv = sheet_csv(event_file(event))
    assert "\r\nteams,,1,Two Towers,2,Player 002\r\n" in csv
    assert csv.count("\r\nteam standings,,") == 5
    content = whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()
    empty()
    moving.import_event(by=SITE, document=read_file(content), vouched=True)
    there = Event.objects.select_related("venue", "hall").get(public_id=event.public_id)
    assert whole_file(there).content() == content
    assert [place.match_points for place in team_standings_of(there)] == [
        line["match_points"] for line in document["team_standings"]
    ]
    assert not there.entries.filter(person__isnull=False).exists()


@pytest.mark.django_db
def test_the_teams_stand_on_page_paper_display_and_in_the_api(event, by, staff, client):
    in_teams(event, 4)
    row = play_teams(by, event)
    best = team_standings_of(event)[0]
    page = client.get(reverse("events:standings", args=[event.public_id])).content.decode()
    assert page.index("Player 001 &amp; Player 002") < page.index(reverse("events:path", args=[event.public_id, 1]))
    told = client.get(f"/api/events/{event.public_id}/standings/teams").json()
    assert (told[0]["team"], told[0]["players"]) == (best.number, [2 * best.number - 1, 2 * best.number])
    shown = client.get(reverse("events:display", args=[event.public_id])).content.decode()
    assert "Player 001 &amp; Player 002" in shown
    sheet = client.get(reverse("events:standings-pdf", args=[event.public_id])).content
    words = "".join(page.extract_text() for page in PdfReader(io.BytesIO(sheet)).pages)
    assert "Player 001 & Player 002" in words
    desk = staff.client("head_judge")
    for name, *parts in (
        ("draft", 2),
        ("console",),
        ("round", 1),
        ("cross-table",),
        ("teams",),
        ("event",),
        ("slips-pdf", 1),
    ):
        if name == "draft":
            rounds.draft_round(by=by, event=event)
        assert desk.get(reverse(f"events:{name}", args=[event.public_id, *parts])).status_code == 200, name
    slips = desk.get(reverse("events:slips-pdf", args=[event.public_id, 1])).content
    printed = "".join(page.extract_text() for page in PdfReader(io.BytesIO(slips)).pages)
    assert "Player 001 & Player 002" in printed
    posted = desk.get(reverse("events:pairings-pdf", args=[event.public_id, 1]) + "?by=name").content
    printed = "".join(page.extract_text() for page in PdfReader(io.BytesIO(posted)).pages)
    assert ("(partner: Player 002)" in " ".join(printed.split())) is (event.table_size == 4)
    first = row.matches.with_entries().order_by("table")[0]
    table = desk.get(reverse("events:table", args=[event.public_id, 1, first.table])).content.decode()
    if event.table_size == 4:
        assert f"<strong>{first.a} &amp; {first.c}</strong>" in table
    else:
        assert re.search(rf"{first.a} plays with Player \d+ at table \d", table)
    chart = client.get(reverse("events:chart", args=[event.public_id]) + "?of=teams").content.decode()
    assert "Player 001 &amp; Player 002" in chart
    alone = desk.get(reverse("judging:standings-csv", args=[event.public_id])).content.decode("utf-8-sig")
    assert {one["entry"]: one["team name"] for one in csv.DictReader(io.StringIO(alone))}[
        "2"
    ] == "Player 001 & Player 002"
    of_teams = desk.get(reverse("judging:team-standings-csv", args=[event.public_id])).content.decode("utf-8-sig")
    assert next(csv.DictReader(io.StringIO(of_teams)))["team"] == str(best.number)
    assert client.get(reverse("judging:team-standings-csv", args=[event.public_id])).status_code == 403
    name_team(by=by, team=Team.objects.get(number=1), title="Two Towers")
    Event.objects.filter(pk=event.pk).update(format="battle-royale")
    for page in ("round", "slips-pdf", "boosters-pdf"):
        told = desk.get(reverse(f"events:{page}", args=[event.public_id, 1]))
        text = told.text if page == "round" else "".join(
            one.extract_text() for one in PdfReader(io.BytesIO(told.content)).pages
        )  # fmt: skip
        met = re.findall(
            r"(?:Two Towers – Player|Player \d+ (?:&amp;|&) Player \d+ – Two Towers)", " ".join(text.split())
        )
        assert met, page
    assert "Two Towers" in client.get(reverse("events:round", args=[event.public_id, 1]) + "?q=towers").text
    pairings = desk.get(reverse("events:round", args=[event.public_id, 1])).content.decode()
    assert ("</a> & <a" in pairings.replace("&amp;", "&")) is (event.table_size == 4)
    draft = desk.get(reverse("events:draft", args=[event.public_id, 2]) + "?why=1").content.decode()
    assert "Rematches" in draft
    assert ("&amp;</span>" in draft) is (event.table_size == 4)
    remarks = re.findall(r'draft-remark quiet small">(.*?)</td>', draft)
    assert any("Two Towers" in one for one in remarks) is (event.table_size == 2)
    for match in row.matches.with_entries():
        assert all(len(match.opponents_of(entry)) == event.table_size / 2 for entry in match.entries)


# who forms a team


@pytest.fixture
def four(staff):
    make(staff.event, table_size=4)
    players(staff.event, 4)
    return list(staff.event.entries.order_by("number"))


def phone(client, entry):
    """Return a browser that opened this entry's player link."""
    one = type(client)()
    assert one.get(entry_link(entry), follow=True).status_code == 200
    return one


def choose(browser, entry, other):
    address = reverse("events:partner", args=[entry.event.public_id, entry.number])
    return browser.post(address, {"partner": other.number if other else ""})


@pytest.mark.django_db
def test_two_players_who_choose_each_other_are_a_team(four, client):
    ada, ben, cleo, _dora = four
    own = {one: reverse("events:entry", args=[one.event.public_id, one.number]) for one in four}
    of_ada, of_ben = phone(client, ada), phone(client, ben)
    assert "You need a partner" in of_ada.get(own[ada]).content.decode()
    choose(of_ada, ada, ben)
    ada.refresh_from_db()
    assert (ada.partner_asked_id, ada.team_id) == (ben.pk, None)
    assert "has chosen you as their partner" in of_ben.get(own[ben]).content.decode()
    choose(phone(client, cleo), cleo, ben)
    choose(of_ben, ben, ada)
    found = {entry.number: (entry.team_id, entry.partner_asked_id) for entry in ada.event.entries.all()}
    team = Team.objects.get()
    assert found == {1: (team.pk, None), 2: (team.pk, None), 3: (None, None), 4: (None, None)}
    page = of_ada.get(own[ada]).content.decode()
    assert "Partner: <strong>Player 002</strong>" in page
    rename = reverse("events:team-name", args=[ada.event.public_id, team.number])
    of_ada.post(rename, {"title": "Two Towers", "version": team.version})
    team.refresh_from_db()
    assert team.name == "Two Towers"
    split = reverse("events:team-split", args=[ada.event.public_id, team.number])
    asked = of_ben.post(split, {"version": team.version})
    assert asked.status_code == 409
    of_ben.post(split, {"version": team.version, "confirmed": "yes"})
    assert not Team.objects.exists()
    assert not ada.event.entries.exclude(team=None).exists()


@pytest.mark.django_db
def test_no_one_forms_renames_or_splits_the_team_of_others(four, client, by, staff):
    ada, ben, cleo, dora = four
    event = staff.event
    team = make_team(by=by, event=event, one=ada, other=ben)
    of_cleo = phone(client, cleo)
    assert choose(of_cleo, dora, cleo).status_code in (403, 409)
    assert choose(client, dora, cleo).status_code in (302, 403, 409)
    choose(of_cleo, cleo, ada)
    other = factories.EntryFactory(number=1)
    Event.objects.filter(pk=other.event.pk).update(teams_of_two=True)
    for partner in (cleo, factories.EntryFactory(event=other.event, number=3)):
        assert choose(of_cleo, other, partner).status_code in (302, 403, 409)
    assert not Entry.objects.exclude(partner_asked=None).exists()
    for verb, asked in (("team-name", {"title": "Mine"}), ("team-split", {"confirmed": "yes"})):
        address = reverse(f"events:{verb}", args=[event.public_id, team.number])
        for browser in (of_cleo, client, phone(client, other)):
            assert browser.post(address, asked | {"version": team.version}).status_code in (302, 403, 409)
    assert of_cleo.post(reverse("events:teams", args=[event.public_id]), {"one": 3, "other": 4}).status_code == 403
    assert not event.entries.exclude(partner_asked=None).exists()
    found = {entry.number: entry.team_id for entry in event.entries.all()}
    assert found == {1: team.pk, 2: team.pk, 3: None, 4: None}
    assert not Team.objects.get().title
    for attempt in (
        lambda: choose_partner(by=Actor(entry=cleo), entry=dora, partner=cleo),
        lambda: choose_partner(by=by, entry=dora, partner=cleo),
        lambda: choose_partner(by=Actor(entry=ada), entry=ada, partner=cleo),
        lambda: name_team(by=Actor(entry=cleo), team=team, title="Mine"),
        lambda: split_team(by=Actor(entry=cleo), team=team, confirmed=True),
    ):
        with pytest.raises(Refused):
            attempt()


@pytest.mark.django_db
def test_the_desk_enters_teams_and_an_event_without_teams_has_no_such_pages(four, staff, client):
    event = staff.event
    desk, address = staff.client("scorekeeper"), reverse("events:teams", args=[event.public_id])
    page = desk.get(address).content.decode()
    assert "4 players have no team: Player 001, Player 002, " in page
    console = desk.get(reverse("events:console", args=[event.public_id])).content.decode()
    assert console.count("4 players have no team: Player 001, Player 002, ") == 1
    assert f'<a class="button link" href="{address}">Teams</a>' in console
    assert desk.post(address, {"one": 1, "other": 1}).status_code == 400
    assert desk.post(address, {"one": 1, "other": 3, "title": "Odd"}, follow=True).status_code == 200
    assert [one.number for one in Team.objects.get().members] == [1, 3]
    assert desk.post(address, {"one": 1, "other": 2}).status_code == 400
    log = desk.get(reverse("judging:audit-log", args=[event.public_id])).content.decode()
    assert "Team Odd formed" in log
    assert "Odd" in client.get(address).content.decode()
    Event.objects.filter(pk=event.pk).update(teams_of_two=False)
    assert client.get(address).status_code == 404
    assert choose(desk, event.entries.get(number=2), event.entries.get(number=4)).status_code == 404


@pytest.mark.django_db
def test_a_list_makes_teams_and_ranks_and_says_what_is_wrong_by_line(staff):
    Event.objects.filter(pk=staff.event.pk).update(teams_of_two=True)
    staff.event.refresh_from_db()
    desk, address = staff.client("head_judge"), reverse("events:entries-import", args=[staff.event.public_id])
    assert "“team” column, the two players" in desk.get(address).text
    wrong = "name,team,rank\nAna,Owls,1\nBo,Foxes,first\nCy,owls,2\nDi,Owls ,3\nEd,Foxes,4\nFi,Bears,5\n"
    page = desk.post(address, {"text": wrong, "declared": "on", "enter": "yes"})
    assert page.status_code == 400
    for line, said in (
        (3, "“first” isn&#x27;t a rank"),
        (5, "Team “Owls” already has two players."),
        (6, "No other player is in team “Foxes”."),
        (7, "No other player is in team “Bears”."),
    ):
        assert f"Line {line}: {said}" in page.text
    assert not staff.event.entries.exists()
    good = "name,team,rank\nAna,Owls,1\nBo,Foxes,2\nCy,owls,3\nDi,,4\nEd,Foxes,5\n"
    preview = desk.post(address, {"text": good, "declared": "on"})
    assert '<td role="cell" class="fold" data-label="Team">Foxes</td>' in preview.text
    assert Team.objects.count() == 0
    with CaptureQueriesContext(connection) as asked:
        assert desk.post(address, {"text": good, "declared": "on", "enter": "yes"}).status_code == 302
    teams = {team.name: [entry.name for entry in team.members] for team in Team.objects.order_by("number")}
    assert teams == {"Owls": ["Ana", "Cy"], "Foxes": ["Bo", "Ed"]}
    full = desk.post(address, {"text": "name,team\nGus,OWLS\n", "declared": "on", "enter": "yes"})
    assert "Line 2: Team “OWLS” already has two players." in full.text
    more = "name,team\n" + "".join(f"Player {n},Team {n // 2}\n" for n in range(40))
    with CaptureQueriesContext(connection) as many:
        assert desk.post(address, {"text": more, "declared": "on", "enter": "yes"}).status_code == 302
    assert len(many) <= len(asked) + 2
    assert Team.objects.count() == 22
    lines = [
        line for line in csv.reader(io.StringIO(sheet_csv(event_file(staff.event)))) if line and line[0] == "players"
    ]
    assert lines[0][-3:] == ["rank", "awarded byes", "team"]
    assert [line[-3:] for line in lines[1:5]] == [
        ["1", "", "Owls"],
        ["2", "", "Foxes"],
        ["3", "", "Owls"],
        ["4", "", ""],
    ]


def test_a_list_brings_the_partner_of_one_who_is_alone(staff, by):
    Event.objects.filter(pk=staff.event.pk).update(teams_of_two=True)
    staff.event.refresh_from_db()
    one, other = players(staff.event, 2)
    team = make_team(by=by, event=staff.event, one=one, other=other, title="Owls")
    entries.withdraw_entry(by=by, entry=other, confirmed=True)
    address = reverse("events:entries-import", args=[staff.event.public_id])
    sent = {"text": "name,team\nCy,owls\n", "declared": "on", "enter": "yes"}
    assert staff.client("head_judge").post(address, sent).status_code == 302
    assert Team.objects.get(pk=team.pk).partners == [one, staff.event.entries.get(name="Cy")]
    undo(by=by, entry=AuditEntry.objects.filter(event=staff.event).latest("pk"), confirmed=True, reason="no")
    assert Team.objects.get(pk=team.pk).partners == [one]


def test_a_team_that_has_played_neither_splits_nor_is_undone(staff, by):
    make(staff.event, table_size=4)
    players(staff.event, 4)
    one, two, three, four = staff.event.entries.order_by("number")
    team = make_team(by=by, event=staff.event, one=one, other=two)
    formed = AuditEntry.objects.filter(event=staff.event).order_by("-pk").first()
    make_team(by=by, event=staff.event, one=three, other=four)
    second = AuditEntry.objects.filter(event=staff.event).order_by("-pk").first()
    undo(by=by, entry=second, confirmed=True, reason="the wrong two")
    assert Team.objects.count() == 1
    make_team(by=by, event=staff.event, one=three, other=four)
    play_teams(by, staff.event)
    with pytest.raises(Refused):
        split_team(by=by, team=team, confirmed=True)
    with pytest.raises(Refused):
        undo(by=by, entry=formed, confirmed=True, reason="never mind")


@pytest.mark.django_db
def test_partners_do_not_confirm_each_others_report(staff, by):
    make(staff.event, table_size=4)
    in_teams(staff.event, 2)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=staff.event))
    match = Match.objects.with_round().get()
    said = {"score_a": 300, "score_b": 100, "score_c": 200, "score_d": 0}
    for entry in (match.a, match.c):
        results.claim_result(by=Actor(entry=entry), match=Match.objects.with_round().get(), result=said)
    assert Match.objects.get().state == Match.State.CLAIMED
    results.claim_result(by=Actor(entry=match.b), match=Match.objects.with_round().get(), result=said)
    assert Match.objects.get().state == Match.State.CONFIRMED


@pytest.mark.django_db
def test_settings_of_teams(staff, client):
    desk, event = staff.client("head_judge"), staff.event
    address = reverse("events:edit", args=[event.public_id])
    page = desk.get(address).content.decode()
    assert 'name="teams_of_two"' in page
    form = desk.get(address).context["form"]
    given = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()}
    given = {name: "" if value is None else value for name, value in given.items() if value is not False}
    given |= {"starts": event.starts.strftime("%Y-%m-%dT%H:%M"), "version": event.version, "teams_of_two": "on"}
    for wrong in ({"table_size": 3}, {"pairing_style": "round-robin"}, {"cut_to": 4}):
        assert set(desk.post(address, given | wrong).context["form"].errors) == set(wrong)
    assert desk.post(address, given | {"table_size": 4, "pair_bonus": 2}).status_code == 302
    event.refresh_from_db()
    assert (event.teams_of_two, event.table_size, event.pair_bonus) == (True, 4, 2)
    in_teams(event, 2)
    rounds.draft_round(by=staff.actor("head_judge"), event=event)
    again = given | {"version": Event.objects.get().version, "confirmed": "yes"}
    again.pop("teams_of_two")
    assert desk.post(address, again).status_code == 403
    assert Event.objects.get().teams_of_two


@pytest.mark.django_db
def test_pages_of_teams_ask_as_often_for_many_as_for_few(event, by, staff):
    in_teams(event, 4)
    row = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    pages = (
        ("round", row.number),
        ("teams",),
        ("console",),
        ("standings",),
        ("cross-table",),
        ("entries",),
        ("display",),
    )
    client = staff.client("judge")

    def asked():
        found = []
        for name, *parts in pages:
            address = reverse(f"events:{name}", args=[event.public_id, *parts])
            client.get(address)
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            found.append(len(queries))
        return found

    few = asked()
    found = players(event, 8)
    for number, seats in enumerate((found[:4], found[4:])):
        teams = [Team.objects.create(event=event, number=50 + 2 * number + n) for n in range(2)]
        for place, entry in enumerate(seats):
            Entry.objects.filter(pk=entry.pk).update(team=teams[place % 2])
        Match.objects.create(round=row, table=80 + number, **dict(zip("abcd"[: event.table_size], seats, strict=False)))
    assert asked() == few


@pytest.mark.django_db
def test_nobody_exports_the_data_of_one_who_chose_them(four):
    ada, ben, *_others = four
    person = factories.PersonFactory(email="ada@example.org")
    Entry.objects.filter(pk=ada.pk).update(person=person)
    Entry.objects.filter(pk=ben.pk).update(partner_asked=ada, email="ben@example.org")
    told = json.dumps(records_of(person), default=str)
    assert "Player 001" in told
    assert "ben@example.org" not in told
