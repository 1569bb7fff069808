"""Rounds played in another tool: read from the files people have, previewed, then imported whole; the next is paired here."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from openpyxl import Workbook

from events.door import Refused
from events.forms.entries_list import read_players
from events.forms.rounds_list import read_rounds
from events.models import AuditEntry, Claim, Entry, Event, Match, Person, Round
from events.queries import standings_of
from events.results.result import Result
from events.services.rounds import importing
from tests.conftest import client_of
from tests.factories import EntryFactory, MatchFactory, PersonFactory, RoundFactory
from tests.tables import every_row

pytestmark = pytest.mark.django_db
TWO_ROUNDS = """Round,Table,Player 1,Player 1 Score,Player 2,Player 2 Score
1,1,Ann Alpha,300,Ben Beta,120
1,2,Cy Gamma,90,Di Delta,250
2,1,Ann Alpha,200,Di Delta,180
2,2,Ben Beta,300,Cy Gamma,0
"""
FOUR = ("Ann Alpha", "Ben Beta", "Cy Gamma", "Di Delta")


def address(event):
    return reverse("events:rounds-import", args=[event.public_id])


def send(staff, text, who="head_judge", **more):
    return staff.client(who).post(address(staff.event), {"text": text, **more})


def take(staff, text, **more):
    answer = send(staff, text, enter="yes", register="on", declared="on", **more)
    assert answer.status_code == 302, answer.content.decode()
    staff.event.refresh_from_db()
    return {entry.name: entry for entry in staff.event.entries.all()}


def results(event, number):
    matches = Match.objects.filter(round__event=event, round__number=number).with_entries().order_by("table", "pk")
    return [(match.kind, str(match), match.result and (match.result.scores, match.result.winner)) for match in matches]


# reading


@every_row(
    "text, read",
    [
        ("Round;Table;Joueur 1;Joueur 2;Vainqueur\n1;3;Ann;Ben;Ben\n", (1, 3, "Ann", "Ben", (0, 0), "b")),
        ("round\ttable\tplayer1\tplayer2\twinner\nRound 2\t1\tAnn\tBen\t1\n", (2, 1, "Ann", "Ben", (0, 0), "a")),
        ("Round,Match,Player 1,Player 2,Scores,Winner\n1,1,Ann,Ben,150-300,Ben\n", (1, None, "Ann", "Ben", (150, 300), "b")),
        ("Table,Round,Team 1,Team 2,Result\n4,1,Ann,Ben,Ben won 2-0-0\n", (1, 4, "Ann", "Ben", (0, 2), "b")),
        (
            "Round,Player 1 First Name,Player 1 Last Name,Player 2 First Name,Player 2 Last Name,Player 1 Points,Player 2 Points\n"
            "1,Ann,Alpha,Ben,Beta,10,20\n",
            (1, None, "Ann Alpha", "Ben Beta", (10, 20), "b"),
        ),
        ("Player,Opponent,Round,Result,Points,Opponent Points\nAnn,Ben,1,W,300,0\n", (1, None, "Ann", "Ben", (300, 0), "a")),
        ("round,stage,table,kind,entry a,player a,points a,entry b,player b,points b,winner\n"
         "1,,1,game,1,Ann,80,2,Ben,90,b\n", (1, 1, "Ann", "Ben", (80, 90), "b")),
    ],
)  # fmt: skip
def test_the_files_of_other_tools_are_read(text, read):
    [line] = read_rounds(text).lines
    assert (line.round, line.table, line.a, line.b, line.result.scores, line.result.winner) == read


@every_row(
    "row, problem",
    [
        ("x,Ann,Ben,1,2,", "“x” isn't the number of a round"),
        ("1,,Ben,1,2,", "The name of player 1 is missing."),
        ("1,Ann,Ben,1,,", "The victory points of one player are missing."),
        ("1,Ann,Ben,many,2,", "“many” isn't a number of victory points."),
        ("1,Ann,Ben,5,5,", "This match has no winner."),
        ("1,Ann,Ben,,,Draw", "This match has no winner."),
        ("1,Ann,Ben,,,Zoe", "“Zoe” names neither a winner nor points. Enter one of them."),
        ("1,Ann,Ben,9999999,2,", "isn't a number of victory points"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_with_its_line_and_reason(row, problem):
    read = read_rounds(f"round,player 1,player 2,points 1,points 2,winner\n1,Cy,Di,3,1,\n{row}\n")
    assert [one.line for one in read.lines] == [2]
    assert read.problems[0].line == 3
    assert problem in read.problems[0].message


def test_a_column_can_be_chosen_otherwise_and_a_round_given_for_all_lines():
    text = "Who,Against,VP,Their VP\nAnn,Ben,300,10\n"
    assert "Choose them below" in read_rounds(text).problems[0].message
    chosen = {0: "a", 1: "b", 2: "score_a", 3: "score_b"}
    assert "No column names the round" in read_rounds(text, chosen=chosen).problems[0].message
    [line] = read_rounds(text, chosen=chosen, of_round=3).lines
    assert (line.round, line.a, line.result.scores) == (3, "Ann", (300, 10))


@every_row(
    "head, row, name",
    [
        ("Seed,Name,Username,Email", "1,,ann_a,", "ann_a"),
        ("First Name,Last Name,Faction,Checked In", "Ann,Alpha,Red,yes", "Ann Alpha"),
        ("Rank;Display Name;Match Record;Points", "1;Ann Alpha;3-0-0;9", "Ann Alpha"),
        ("Player ID\tFirst Name\tLast Name\tBirth Year", "7\tAnn\tAlpha\t2012", "Ann Alpha"),
        ("Player Name,Discord,Decklist", "Ann Alpha,ann#1,https://x.example", "Ann Alpha"),
    ],
)
def test_player_lists_of_other_tools_are_read(head, row, name):
    read = read_players(f"{head}\n{row}\n")
    assert not read.problems
    assert (read.lines[0].name, read.lines[0].is_minor) == (name, False)


def workbook_of(rows):
    book = Workbook()
    for row in rows:
        book.active.append(row)
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_a_workbook_is_read_and_a_damaged_one_is_refused_with_a_sentence(staff):
    raw = workbook_of([["Name", "Club", "Rank"], ["Ann Alpha", "North", 2], ["Ben Beta", None, 1.0]])
    client, page = staff.client("head_judge"), reverse("events:entries-import", args=[staff.event.public_id])
    read = client.post(page, {"file": SimpleUploadedFile("players.xlsx", raw)}).context["read"]
    assert [(line.name, line.club, line.rank) for line in read.lines] == [
        ("Ann Alpha", "North", 2),
        ("Ben Beta", "", 1),
    ]
    for damaged in (raw[:200], raw.replace(b"xl/workbook.xml", b"xl/workbook.txt")):
        told = client.post(page, {"file": SimpleUploadedFile("players.xlsx", damaged)})
        assert told.status_code == 400
        assert "workbook" in told.content.decode()


# the import of players: columns chosen, no account attached


def test_a_player_column_is_chosen_on_the_page_and_kept_for_the_import(staff):
    page = reverse("events:entries-import", args=[staff.event.public_id])
    text = "Wer,Verein\nAnn Alpha,North\n"
    client = staff.client("scorekeeper")
    assert 'name="column-0"' in client.post(page, {"text": text}).content.decode()
    chosen = {"headings": "Wer|Verein", "column-0": "name", "column-1": "club"}
    ready = client.post(page, {"text": text, **chosen})
    assert '<input type="hidden" name="column-1" value="club">' in ready.content.decode()
    assert client.post(page, {"text": text, **chosen, "declared": "on", "enter": "yes"}).status_code == 302
    assert list(staff.event.entries.values_list("name", "club")) == [("Ann Alpha", "North")]
    other = client.post(page, {"text": "Name,Town\nBo,Ghent\n", **chosen})
    assert other.context["read"].lines[0].club == "", "choices for other columns don't count"


# moving an event


def test_an_event_moves_here_whole_and_the_next_round_is_paired(staff):
    preview = send(staff, TWO_ROUNDS, register="on", declared="on")
    assert preview.status_code == 200
    assert "2 rounds ready to import" in preview.content.decode()
    assert (Round.objects.count(), Entry.objects.count()) == (0, 0)
    entries = take(staff, TWO_ROUNDS)
    assert staff.event.state == Event.State.RUNNING
    assert sorted(entries) == sorted(FOUR)
    assert {entry.state for entry in entries.values()} == {Entry.State.CHECKED_IN}
    assert {entry.person for entry in entries.values()} == {None}
    assert results(staff.event, 1) == [
        ("game", "Ann Alpha – Ben Beta", ((300, 120), "a")),
        ("game", "Cy Gamma – Di Delta", ((90, 250), "b")),
    ]
    assert [(row.number, row.state) for row in staff.event.rounds.all()] == [(1, "complete"), (2, "complete")]
    assert Claim.objects.filter(how="scorekeeper", by_person=staff.head_judge).count() == 4
    assert next(row.name for row in standings_of(staff.event)) == "Ann Alpha"
    client = staff.client("head_judge")
    Event.objects.filter(pk=staff.event.pk).update(number_of_rounds=3)
    assert client.post(reverse("events:draft-next", args=[staff.event.public_id])).status_code == 302
    met = {frozenset((m.a.name, m.b.name)) for m in Match.objects.filter(round__number__lt=3).with_entries()}
    now = {frozenset((m.a.name, m.b.name)) for m in Match.objects.filter(round__number=3).with_entries()}
    assert len(now) == 2
    assert not now & met
    entry = AuditEntry.objects.get(verb="import-rounds")
    assert entry.words == "Rounds 1 to 2 imported from a list"
    assert entry.is_non_standard


def test_every_page_of_an_imported_round_opens(staff):
    take(staff, TWO_ROUNDS)
    client, event = staff.client("head_judge"), staff.event
    for name, *more in (("rounds",), ("round", 1), ("round", 2), ("table", 1, 1), ("standings",), ("console",)):
        assert client.get(reverse(f"events:{name}", args=[event.public_id, *more])).status_code == 200, name
    for name in ("sheet-json", "sheet-pdf", "sheet-csv", "sheet-xlsx"):
        assert client.get(reverse(f"judging:{name}", args=[event.public_id])).status_code == 200, name
    rows = csv.reader(io.StringIO(client.get(reverse("judging:sheet-csv", args=[event.public_id])).content.decode()))
    assert any(row[0] == "not standard" and "imported" in row[3] for row in rows if len(row) > 3)


def test_the_import_is_undone_as_a_whole(staff):
    entries = [EntryFactory(event=staff.event, name=name, state="entered") for name in FOUR[:2]]
    assert send(staff, TWO_ROUNDS, register="on", enter="yes").status_code == 302
    act = AuditEntry.objects.get(verb="import-rounds")
    page = reverse("judging:audit-log-entry", args=[staff.event.public_id, act.pk])
    assert staff.client("head_judge").post(page, {"confirmed": "yes", "reason": "Wrong file"}).status_code == 302
    staff.event.refresh_from_db()
    assert (staff.event.state, Round.objects.count(), Match.objects.count()) == ("open", 0, 0)
    assert list(staff.event.entries.values_list("pk", "state")) == [(entry.pk, "entered") for entry in entries]


def test_a_match_may_have_a_line_for_each_player_and_names_are_found_without_accents_or_in_reverse(staff):
    EntryFactory(event=staff.event, name="Émile Müller", state="entered")
    EntryFactory(event=staff.event, name="Ann Alpha")
    text = 'player,opponent,round,points,opponent points\n"Muller, Emile",Ann Alpha,1,300,20\nann alpha,Emile Muller,1,20,300\n'
    assert send(staff, text, enter="yes").status_code == 302
    assert results(staff.event, 1) == [("game", "Émile Müller – Ann Alpha", ((300, 20), "a"))]
    wrong = send(staff, text.replace(",20,300", ",20,299"))
    assert wrong.status_code == 400


def test_a_bye_that_the_list_leaves_out_is_proposed_and_can_be_decided_otherwise(staff):
    text = "round,player 1,player 2,winner\n1,Ann,Ben,Ann\n2,Ann,Cy,Cy\n2,Ben,,\n".replace("2,Ben,,\n", "")
    text += "1,Cy,Di,Cy\n2,Di,Ed,Ed\n1,Ed,Flo,Flo\n2,Flo,Gus,Flo\n1,Gus,,\n".replace("1,Gus,,\n", "")
    preview = send(staff, text, register="on")
    assert [(one.round, one.name, one.meant) for one in preview.context["plan"].absences] == [(2, "Ben", "bye")]
    assert "Gus plays from round 2." in preview.content.decode()
    entries = take(staff, text, **{"absent-2-ben": "dropped"})
    assert (entries["Ben"].state, entries["Ben"].dropped_after) == ("dropped", 1)
    assert (entries["Gus"].state, entries["Gus"].from_round) == ("checked-in", 2)
    assert ("missed", "Gus (round missed (loss))", ((0, 0), None)) in results(staff.event, 1)


def test_a_bye_counts_as_the_event_has_it_and_a_missed_round_as_a_loss(staff):
    text = "round,player 1,player 2,winner\n1,Ann,Ben,Ann\n1,Cy,BYE,\n2,Ann,Cy,Ann\n2,Ben,absent,\n"
    take(staff, text)
    half = staff.event.bye_points
    assert ("bye", "Cy (bye)", ((half, 0), "a")) in results(staff.event, 1)
    assert ("missed", "Ben (round missed (loss))", ((0, 0), None)) in results(staff.event, 2)


def test_the_last_round_may_be_open_and_is_played_on_here(staff):
    take(staff, TWO_ROUNDS.replace("300,Cy Gamma,0", ",Cy Gamma,"))
    assert staff.event.rounds.get(number=2).state == Round.State.PUBLISHED
    assert [result for *_rest, result in results(staff.event, 2)] == [((200, 180), "a"), None]
    later = send(staff, TWO_ROUNDS)
    assert [row["is_known"] for row in later.context["lines"]] == [True, True, True, False]
    assert send(staff, TWO_ROUNDS, enter="yes").status_code == 302
    assert results(staff.event, 2)[1][2] == ((300, 0), "a")
    again = send(staff, TWO_ROUNDS, enter="yes")
    assert "The list has no new rounds or results" in again.content.decode()


def test_results_of_the_round_under_way_are_entered_at_its_tables_by_name(staff):
    a, b, c, d = (EntryFactory(event=staff.event, name=name) for name in FOUR)
    Event.objects.filter(pk=staff.event.pk).update(state="running")
    row = RoundFactory(event=staff.event, number=1, state="running")
    MatchFactory(round=row, table=1, a=a, b=b)
    MatchFactory(round=row, table=2, a=c, b=d)
    text = "table,player 1,player 2,score\n1,Ben Beta,Ann Alpha,100-220\n2,Cy Gamma,Di Delta,300-10\n"
    assert send(staff, text, round=1, enter="yes").status_code == 302
    assert results(staff.event, 1) == [
        ("game", "Ann Alpha – Ben Beta", ((220, 100), "a")),
        ("game", "Cy Gamma – Di Delta", ((300, 10), "a")),
    ]
    other = send(staff, text.replace("300-10", "310-10"), round=1)
    assert "Table 2 already has a different result" in other.content.decode()
    wrong = send(staff, "player 1,player 2,score\nAnn Alpha,Di Delta,1-2\n", round=1)
    assert "aren&#x27;t paired in round 1" in wrong.content.decode()


@every_row(
    "text, problem",
    [
        (
            TWO_ROUNDS.replace("2,2,Ben Beta", "2,2,Ann Alpha"),
            "Line 5: A player on this line is already on line ",
        ),
        (TWO_ROUNDS.replace("2,2,Ben", "2,1,Ben"), "Line 5: Line 4 already has this table."),
        (TWO_ROUNDS.replace("2,1,", "3,1,").replace("2,2,", "3,2,"), "Line 4: Round 2 is missing from the list."),
        (TWO_ROUNDS.replace(",300,Ben Beta,120", ",,Ben Beta,"), "Line 2: This match has no result."),
        (TWO_ROUNDS.replace("Di Delta,250", "Cy Gamma,250"), "Line 3: Cy Gamma can&#x27;t play against themselves."),
    ],
)
def test_a_list_that_contradicts_itself_writes_nothing(staff, text, problem):
    answer = send(staff, text, register="on", enter="yes")
    assert answer.status_code == 400
    assert problem in answer.content.decode()
    assert (Round.objects.count(), Entry.objects.count()) == (0, 0)


def test_without_registering_unknown_names_are_faults_and_an_address_never_finds_an_account(staff):
    answer = send(staff, TWO_ROUNDS, enter="yes")
    assert "4 players aren&#x27;t registered for this event: Ann Alpha, Ben Beta" in answer.content.decode()
    PersonFactory(name="Ann Alpha", email="ann@example.org")
    before = Person.objects.count()
    entries = take(staff, TWO_ROUNDS)
    assert entries["Ann Alpha"].person is None
    assert Person.objects.count() == before


def test_more_players_than_seats_are_told(staff):
    Event.objects.filter(pk=staff.event.pk).update(seats=3)
    answer = send(staff, TWO_ROUNDS, register="on", enter="yes")
    assert "New players on the list: 4. Free seats: 3." in answer.content.decode()
    assert (Round.objects.count(), Entry.objects.count()) == (0, 0)


def test_players_are_registered_only_before_round_one(staff):
    more = "Round,Player 1,Player 2,Points 1,Points 2\n3,Ann Alpha,Eve New,100,50\n"
    asked = staff.client("head_judge").get(address(staff.event)).content.decode()
    assert 'name="register"' in asked
    assert "or tick the box that registers them" in send(staff, TWO_ROUNDS).content.decode()
    take(staff, TWO_ROUNDS)
    asked = staff.client("head_judge").get(address(staff.event)).content.decode()
    assert 'name="text"' in asked
    assert 'name="register"' not in asked
    assert 'name="declared"' not in asked
    said = send(staff, more, enter="yes", register="on", declared="on").content.decode()
    assert "1 player isn&#x27;t registered for this event: Eve New. Add the player first." in said
    assert staff.event.entries.count() == len(FOUR)


def test_a_draft_a_bracket_and_tables_of_four_take_no_rounds(staff):
    for entry in FOUR:
        EntryFactory(event=staff.event, name=entry)
    Event.objects.filter(pk=staff.event.pk).update(table_size=4)
    assert "New rounds need Swiss pairing" in send(staff, TWO_ROUNDS, enter="yes").content.decode()
    Event.objects.filter(pk=staff.event.pk).update(table_size=2, state="running")
    RoundFactory(event=staff.event, number=1, state="draft")
    assert "is a draft. Discard or publish it first." in send(staff, TWO_ROUNDS, enter="yes").content.decode()
    assert Match.objects.count() == 0


@pytest.mark.parametrize("who", ["scorekeeper", "manager", "office", "outsider"])
def test_only_judges_import_rounds(staff, who):
    client = client_of(PersonFactory()) if who == "outsider" else staff.client(who)
    for answer in (
        client.get(address(staff.event)),
        client.post(address(staff.event), {"text": TWO_ROUNDS, "enter": "yes"}),
    ):
        assert answer.status_code == 403
    assert Round.objects.count() == 0


def test_one_refused_result_takes_everything_back(staff, monkeypatch):
    take(staff, TWO_ROUNDS.replace("300,Cy Gamma,0", ",Cy Gamma,"))

    def refuse(**_facts):
        raise Refused("no")

    monkeypatch.setattr(importing, "enter_result", refuse)
    assert send(staff, TWO_ROUNDS, enter="yes").status_code == 403
    assert results(staff.event, 2)[1][2] is None


def test_both_lost_is_a_double_loss(staff):
    take(staff, "round,player 1,player 2,winner\n1,Ann,Ben,double loss\n")
    assert Match.objects.get().result == Result((0, 0), double_loss=True, decided_by="double-loss")


def test_later_rounds_are_added_and_someone_who_had_dropped_plays_again(staff):
    first, second = (
        "\n".join([TWO_ROUNDS.splitlines()[0], *(line for line in TWO_ROUNDS.splitlines() if line.startswith(n))])
        for n in ("1,", "2,")
    )
    entries = take(staff, first)
    Entry.objects.filter(pk=entries["Di Delta"].pk).update(state="dropped", dropped_after=1)
    EntryFactory(event=staff.event, name="Eve Epsilon", state="checked-in", from_round=1)
    preview = send(staff, second)
    assert [(one.name, one.meant) for one in preview.context["plan"].absences] == [("Eve Epsilon", "bye")]
    entries = take(staff, second)
    assert (entries["Di Delta"].state, entries["Di Delta"].dropped_after) == ("checked-in", None)
    assert ("bye", "Eve Epsilon (bye)", ((staff.event.bye_points, 0), "a")) in results(staff.event, 2)


def test_the_preview_asks_the_database_no_more_often_for_more_players(staff, django_assert_max_num_queries):
    def listed(n):
        return "round,player 1,player 2,winner\n" + "".join(f"1,Left {i},Right {i},1\n" for i in range(n))

    send(staff, listed(2), register="on")
    with django_assert_max_num_queries(60) as few:
        send(staff, listed(3), register="on")
    with django_assert_max_num_queries(len(few)):
        send(staff, listed(40), register="on")
