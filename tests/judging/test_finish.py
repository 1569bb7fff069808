"""The end of an event: verified by the head judge, received by the venue, reported in time; the sheet is complete."""

import csv
import datetime as dt
import io
import json
from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook
from pypdf import PdfReader

from events.actions import ACTIONS
from events.models import AuditEntry, Claim, Entry, Event, Match, Round
from events.results.result import Result
from events.services import clock, rounds
from judging.keeping.event_file import event_file
from judging.models import Decision, Penalty, VerifiedReport
from judging.pdf.sheet import remarks, when
from judging.sheet_csv import rows, sheet_csv, unguarded
from judging.sheet_xlsx import sheet_xlsx
from tests.events.simulation import play, play_round, players
from tests.factories import EntryFactory, MatchFactory, RoundFactory

pytestmark = pytest.mark.django_db


def played(staff, players=6, rounds=2):
    """Play a small event to its end, with a name that looks like a formula."""
    event = staff.event
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED, ended=timezone.now())
    event.refresh_from_db()
    names = ["=SUM(A1:A9)", "Łukasz Żółć", "José Ñandú", *(f"Player {n}" for n in range(players - 3))]
    entries = [EntryFactory(event=event, name=name) for name in names]
    half = len(entries) // 2
    for number in range(1, rounds + 1):
        round_ = RoundFactory(event=event, number=number, state=Round.State.COMPLETE, scenario="showdown")
        others = entries[half:][number:] + entries[half:][:number]
        for table, (a, b) in enumerate(zip(entries[:half], others, strict=True), 1):
            result = Result((90 + table, 20), winner="a", to_time=table == 1)
            match = MatchFactory(round=round_, table=table, a=a, b=b, state=Match.State.CONFIRMED, result=result)
            Claim.objects.create(match=match, how=Claim.How.SLIP, by_person=staff.scorekeeper, result=result)
    return event


def act(client, event, verb, **posted):
    return client.post(reverse("judging:finish-act", args=[event.public_id, verb]), posted)


def test_an_open_appeal_comes_before_the_verification(staff):
    event = played(staff)
    facts = {"edition": event.edition, "answer": "yes", "ruled_by": staff.judge, "ruled_at": timezone.now()}
    Decision.objects.create(event=event, number=1, state="appealed", question="May Outwit do this?", **facts)
    page = staff.client("head_judge").get(reverse("judging:finish", args=[event.public_id])).content.decode()
    assert "1 appeal for the head judge" in page
    assert "May Outwit do this?" in page
    assert "/finish/verify/" not in page
    refused = act(staff.client("head_judge"), event, "verify")
    assert "Ruling 1 is under appeal. The head judge must decide the appeal first." in refused.content.decode()


def test_the_head_judge_verifies_the_venue_receives_and_the_report_is_sent(
    staff, mailoutbox, django_capture_on_commit_callbacks
):
    event = played(staff)
    page = staff.client("head_judge").get(reverse("judging:finish", args=[event.public_id]))
    assert "Verify the results" in page.content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        act(staff.client("head_judge"), event, "verify")
    event.refresh_from_db()
    assert (event.state, event.verified_by) == (Event.State.VERIFIED, staff.head_judge)
    assert mailoutbox[0].to == [staff.manager.email]
    page = staff.client("head_judge").get(reverse("judging:finish", args=[event.public_id])).content.decode()
    assert "Report the results within 16 days" in page
    act(staff.client("manager"), event, "receive")
    assert VerifiedReport.objects.get().received_by == staff.manager
    act(staff.client("head_judge"), event, "report")
    event.refresh_from_db()
    assert event.reported_at is not None
    page = staff.client("manager").get(reverse("judging:finish", args=[event.public_id])).content.decode()
    assert "on time" in page


def test_after_sixteen_days_the_report_is_overdue(staff):
    event = played(staff)
    act(staff.client("head_judge"), event, "verify")
    Event.objects.update(ended=timezone.now() - dt.timedelta(days=18))
    page = staff.client("head_judge").get(reverse("judging:finish", args=[event.public_id])).content.decode()
    assert "The report is overdue" in page


@pytest.mark.parametrize("who", ["judge", "scorekeeper", "manager", "office"])
def test_only_the_head_judge_verifies(staff, who):
    event = played(staff)
    answer = act(staff.client(who), event, "verify")
    assert answer.status_code == 403
    assert "head judge" in answer.content.decode()
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED


def test_an_open_table_stops_the_verification_and_is_named(staff):
    event = played(staff)
    match = Match.objects.filter(table=3).first()
    Match.objects.filter(pk=match.pk).update(state=Match.State.OPEN, result=None)
    answer = act(staff.client("head_judge"), event, "verify")
    assert answer.status_code == 403
    assert "round 1, table 3" in answer.content.decode()


def test_a_stale_page_does_not_verify(staff):
    event = played(staff)
    version = event.version
    Event.objects.update(version=version + 1)
    assert act(staff.client("head_judge"), event, "verify", version=version).status_code == 409


def test_taking_the_verification_back_asks_first_and_keeps_the_earlier_report(staff):
    event = played(staff)
    act(staff.client("head_judge"), event, "verify")
    asked = act(staff.client("head_judge"), event, "unverify")
    assert asked.status_code == 409
    assert "no longer valid" in asked.content.decode()
    act(staff.client("head_judge"), event, "unverify", confirmed="yes", reason="Table 3 was typed wrongly")
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    assert VerifiedReport.objects.get().withdrawn
    act(staff.client("head_judge"), event, "verify")
    assert VerifiedReport.objects.filter(withdrawn=False).count() == 1


@pytest.mark.parametrize(
    ("result", "facts"),
    [
        (None, [None, 2, "Ben", None, None, "no", None, None, "no", None, None, None, None]),
        (
            {
                "winner": "b",
                "score_a": 40,
                "score_b": 120,
                "roll_off": {"a": 3, "b": 9},
                "late": "both",
                "to_time": True,
            },
            [40, 2, "Ben", 120, "b", "no", None, None, "yes", 3, 9, "both", None],
        ),
        (
            {"score_a": 0, "score_b": 0, "double_loss": True, "went_first": "a", "map_by": "b", "abandoned_by": "a"},
            [0, 2, "Ben", 0, None, "yes", "a", "b", "no", None, None, None, "a"],
        ),
    ],
)
def test_a_line_of_the_csv_has_each_fact_of_a_result(result, facts):
    match = {"table": 7, "kind": "game", "a": 1, "b": 2, "result": result}
    document = {
        "event": {},
        "players": [{"id": 1, "name": "Ann", "club": ""}, {"id": 2, "name": "Ben", "club": ""}],
        "rounds": [{"number": 3, "report": {}, "matches": [match]}],
    } | {key: [] for key in ("officials", "entries", "standings", "penalties", "record")}
    assert [line for line in rows(document) if line[:2] == ["matches", ""]] == [
        ["matches", "", 3, None, 7, "game", 1, "Ann", *facts]
    ]


def test_the_sheet_names_who_rolled_what_at_a_table_of_four():
    names = {1: "Ann", 2: "Ben", 3: "Cleo", 4: "Dora"}
    result = {"score_a": 120, "score_b": 80, "score_c": 80, "score_d": 0, "roll_off": {"b": 3, "c": 8}}
    match = {"a": 1, "b": 2, "c": 3, "d": 4, "result": result, "extensions": []}
    assert "roll-off Cleo 8 > Ben 3" in remarks(match, names, ())


def test_the_json_holds_the_event_whole(staff):
    event = played(staff)
    document = json.loads(staff.client("manager").get(reverse("judging:sheet-json", args=[event.public_id])).content)
    assert (document["format"], document["version"]) == ("headjudge-event", 1)
    assert [player["name"] for player in document["players"]] == list(event.entries.values_list("name", flat=True))
    assert sum(len(row["matches"]) for row in document["rounds"]) == Match.objects.count()
    assert len(document["results"]) == Match.objects.count()
    assert all(len(row["claims"]) == 1 for row in document["results"])
    assert document["standings"][0]["columns"]["wins"]["exact"] == 2
    assert [row["rank"] for row in document["standings"]] == sorted(row["rank"] for row in document["standings"])


def test_the_csv_reads_back_whole_and_holds_no_formula(staff):
    event = played(staff)
    text = staff.client("manager").get(reverse("judging:sheet-csv", args=[event.public_id])).content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert not any(cell[:1] in ("=", "+", "-", "@") for row in rows for cell in row)
    tables, heads = {}, {}
    for name, mark, *cells in rows:
        if mark == "#":
            heads[name] = cells
        else:
            tables.setdefault(name, []).append(dict(zip(heads[name], map(unguarded, cells), strict=False)))
    assert [row["name"] for row in tables["players"]] == list(event.entries.values_list("name", flat=True))
    read = {
        (int(row["round"]), int(row["table"])): (int(row["points a"]), int(row["points b"]), row["winner"])
        for row in tables["matches"]
    }
    kept = {
        (match.round.number, match.table): (match.result.score("a"), match.result.score("b"), match.result.winner)
        for match in Match.objects.select_related("round")
    }
    assert read == kept
    assert len(tables["standings"]) == event.entries.count()


def test_both_csv_files_hold_decimals_and_no_fraction_that_a_spreadsheet_reads_as_a_date(staff):
    event = played(staff, players=10, rounds=3)
    client = staff.client("manager")
    document, sheet, alone = (
        client.get(reverse(f"judging:{name}", args=[event.public_id])).content.decode("utf-8-sig")
        for name in ("sheet-json", "sheet-csv", "standings-csv")
    )
    exact = [row["columns"]["opponents-win-percentage"]["exact"] for row in json.loads(document)["standings"]]
    assert any("/" in str(value) for value in exact)
    inside = [row[2:] for row in csv.reader(io.StringIO(sheet)) if row[0] == "standings"]
    rows = list(csv.DictReader(io.StringIO(alone)))
    assert [list(rows[0]), *(list(row.values()) for row in rows)] == inside
    assert [float(row["opponents-win-percentage"]) for row in rows] == [
        pytest.approx(float(Fraction(value)), abs=1e-6) for value in exact
    ]


def test_the_workbook_holds_what_the_csv_holds_with_numbers_as_numbers_and_no_formula(staff):
    event = played(staff)
    Entry.objects.filter(name="Player 0").update(club="A\x0bB")
    answer = staff.client("manager").get(reverse("judging:sheet-xlsx", args=[event.public_id]))
    assert answer["Content-Disposition"].endswith('-results.xlsx"')
    book = load_workbook(io.BytesIO(answer.content))
    assert book.sheetnames == ["Entries", "Results", "Standings"]
    tables = {name: [] for name in ("players", "matches", "standings")}
    for name, _mark, *cells in rows(event_file(event)):
        if name in tables:
            tables[name].append(cells)
    for sheet, lines in zip(book, tables.values(), strict=True):
        read = [list(row) for row in sheet.iter_rows(values_only=True)]
        assert read == [
            [value.replace("\x0b", "") or None if isinstance(value, str) else value for value in line] for line in lines
        ]
        assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
        assert sheet.freeze_panes == "A2"
    assert "=SUM(A1:A9)" in [cell.value for cell in book["Entries"]["B"]]
    assert isinstance(book["Results"]["G2"].value, int)


def test_the_workbook_has_sheets_for_teams_and_tables_of_four():
    names = [{"id": n, "name": f"Player {n}", "club": ""} for n in range(1, 5)]
    document = {
        "event": {"table_size": 4}, "players": names, "officials": [], "entries": [], "standings": [], "penalties": [], "record": [],
        "teams": [{"id": 1, "name": "", "players": [1, 2]}],
        "rounds": [{"number": 1, "report": {}, "matches": [{"table": 1, "a": 1, "b": 2, "c": 3, "d": 4, "result": None}]}],
    }  # fmt: skip
    book = load_workbook(io.BytesIO(sheet_xlsx(document)))
    assert book.sheetnames == ["Entries", "Teams", "Results", "Tables of four", "Standings"]
    assert [row[3] for row in book["Tables of four"].iter_rows(min_row=2, values_only=True)] == [
        one["name"] for one in names
    ]


def test_the_finish_page_links_the_files_for_spreadsheets(staff):
    event = played(staff)
    page = staff.client("manager").get(reverse("judging:finish", args=[event.public_id])).content.decode()
    assert all(f"/events/{event.public_id}/{name}" in page for name in ("results.csv", "standings.csv", "results.xlsx"))


def test_the_paper_names_everyone_every_round_and_what_was_not_standard(staff):
    event = played(staff)
    entry = event.entries.first()
    Penalty.objects.create(
        entry=entry, kind="warning", category="slow-play", text="Eight minutes for a move", given_by=staff.judge
    )
    AuditEntry.objects.create(
        event=event,
        verb="right-tables",
        summary="Tables 1 and 2 put right",
        reason="Sat down wrongly",
        is_non_standard=True,
    )
    AuditEntry.objects.create(event=event, verb="right-tables", is_non_standard=True)
    label = str(ACTIONS["right-tables"].label)
    manager, address = staff.client("manager"), reverse("judging:sheet-pdf", args=[event.public_id])
    french = PdfReader(io.BytesIO(manager.get(address, headers={"accept-language": "fr"}).content))
    assert label not in " ".join(page.extract_text() for page in french.pages)
    answer = manager.get(address)
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    assert label in " ".join(text.split())
    for wanted in ["Łukasz Żółć", "=SUM(A1:A9)", "Round 2", "Showdown", "Eight minutes for a move", "Tables 1 and 2 put right", "page 1 of",
                   staff.head_judge.name, "not verified", "signature"]:  # fmt: skip
        assert wanted in text, wanted


def sheet_text(staff, event):
    answer = staff.client("manager").get(reverse("judging:sheet-pdf", args=[event.public_id]))
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages).split())


def test_the_paper_after_a_cut_begins_with_the_final_places_and_names_its_rounds(staff):
    event, head = staff.event, staff.actor("head_judge")
    Event.objects.filter(pk=event.pk).update(number_of_rounds=2, cut_to=8, starts=timezone.now() - dt.timedelta(days=3))
    event.refresh_from_db()
    players(event, 8)
    EntryFactory(event=event, name="Nora Absent", is_minor=True, state=Entry.State.ENTERED)
    EntryFactory(event=event, name="Wim Waiting", state=Entry.State.WAITING)
    for _number in range(2):
        play_round(head, event)
    first = event.rounds.get(number=1).matches.filter(kind="game").order_by("table")
    Match.objects.filter(pk=first[0].pk).update(result=Result((0, 0), double_loss=True))
    semifinals = rounds.draft_cut(by=head, event=event, places=4)
    rounds.publish_round(by=head, round=semifinals)
    play(head, semifinals)
    rounds.complete_round(by=head, round=semifinals)
    play_round(head, event)
    rounds.finish_event(by=head, event=event, confirmed=True)
    loser = first[1].a
    Penalty.objects.create(
        entry=loser, round=event.rounds.get(number=1), match=first[1], kind="game-loss", category="late",
        text="Came after ten minutes", given_by=staff.head_judge,
    )  # fmt: skip
    semi = semifinals.matches.filter(kind="game").first()
    Penalty.objects.create(
        entry=semi.a,
        round=semifinals,
        match=semi,
        kind="warning",
        category="slow-play",
        text="Slow",
        given_by=staff.head_judge,
    )
    Entry.objects.filter(pk=semi.b.pk).update(state=Entry.State.DROPPED, dropped_after=3)
    table = csv.reader(io.StringIO(sheet_csv(event_file(event))))
    assert {tuple(row[2:4]) for row in table if row[:2] == ["matches", ""]} == {
        ("1", ""), ("2", ""), ("3", "Semifinals"), ("4", "Final"),
    }  # fmt: skip
    text = sheet_text(staff, event)
    assert "dropped · left after the semifinals" in text
    assert f"Semifinals {semi.a.name}" in text
    assert text.index("Final standings") < text.index("Officials") < text.index("Semifinals · Round 3")
    winner = event.rounds.get(number=4).matches.get()
    first_place = text[text.index("Final standings") :]
    assert first_place.index(winner.entry_at(winner.result.winner).name) < first_place.index("Officials")
    assert "Final · Round 4" in text
    assert "8 played, 9 registered" in text
    assert "No-shows Nora Absent" in text
    assert "2 · cut to top 4" in text
    assert "double loss" in text
    assert f"game loss: {loser.name}" in text
    began = event.rounds.get(number=1).started_at or event.rounds.get(number=1).published_at
    assert f"Start · end {when(began.isoformat(), event.venue.zone)}" in text


def test_extra_time_for_a_table_stands_on_the_paper_once(staff):
    event = played(staff)
    round_ = event.rounds.last()
    Round.objects.filter(pk=round_.pk).update(state=Round.State.RUNNING)
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    round_.matches.update(state=Match.State.OPEN)
    match = round_.matches.filter(kind="game").select_related("a", "b", "round__event").first()
    clock.extend_table(by=staff.actor("judge"), match=match, minutes=4, reason="A line of fire was measured")
    answer = staff.client("manager").get(reverse("judging:sheet-pdf", args=[event.public_id]))
    text = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)
    assert " ".join(text.split()).count("A line of fire was measured") == 1


def test_the_verified_report_stays_as_it_was(staff):
    event = played(staff)
    act(staff.client("head_judge"), event, "verify")
    event.entries.update(name="Somebody Else")
    document = json.loads(staff.client("manager").get(reverse("judging:sheet-json", args=[event.public_id])).content)
    assert document["players"][0]["name"] == "=SUM(A1:A9)"
    assert document["event"]["state"] == "verified"


def test_strangers_do_not_get_the_sheet(staff, client):
    event = played(staff)
    assert client.get(reverse("judging:sheet-json", args=[event.public_id])).status_code == 403


def test_the_sheet_asks_the_database_no_more_often_for_a_larger_event(staff, django_assert_max_num_queries):
    event = played(staff, players=40, rounds=4)
    client = staff.client("manager")
    with django_assert_max_num_queries(35):
        client.get(reverse("judging:sheet-json", args=[event.public_id]))
