"""Tables of three and four: paired, published, reported by players or entered, corrected, and counted by place."""

import io
import json
from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pypdf import PdfReader

from events.door import NeedsConfirmation, Refused
from events.models import AuditEntry, Event, Match, Round
from events.pairing.check import check_event
from events.queries import standings_of
from events.results.reading import ResultTerms
from events.results.result import as_json, from_json
from events.results.tables import read_result
from events.results.words import sentence
from events.roles import SITE, Actor
from events.services import entries, results, rounds
from events.services.people import entry_link
from events.services.undo import undo
from judging.keeping import moving
from judging.keeping.event_file import event_file
from judging.keeping.whole_file import read_file, whole_file
from judging.pdf.sheet import sheet
from judging.services import penalties
from judging.sheet_csv import sheet_csv
from tests.events.simulation import players
from tests.forms_of_page import as_sent, forms_of
from tests.judging.keeping.kept import empty

pytestmark = pytest.mark.django_db
FOUR = ResultTerms("core-modern", 300, name_a="Ada", name_b="Ben", further=("Cleo", "Dora"))


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    Event.objects.filter(pk=staff.event.pk).update(table_size=4, number_of_rounds=3)
    staff.event.refresh_from_db()
    players(staff.event, 11)
    return staff.event


@pytest.fixture
def round_(event, by):
    row = rounds.draft_round(by=by, event=event)
    return rounds.publish_round(by=by, round=row)


def tables_of(row):
    return [[entry.number for entry in match.entries] for match in row.matches.with_entries().order_by("table")]


def at(row, table):
    return Match.objects.with_round().get(round=row, table=table)


def points(match, *scores):
    return {f"score_{seat}": score for seat, score in zip("abcd", scores, strict=False) if match.entry_at(seat)}


def play(by, row):
    for match in Match.objects.with_round().filter(round=row, kind=Match.Kind.GAME):
        scores = points(match, *(400 - 10 * entry.number for entry in match.entries))
        results.enter_result(by=by, match=match, result=scores)
    return rounds.complete_round(by=by, round=row)


def places(**given):
    scores = dict(zip(("score_a", "score_b", "score_c", "score_d"), given.pop("scores"), strict=True))
    return read_result(scores | given, FOUR)


def test_places_follow_from_the_points_and_a_roll_off():
    assert places(scores=(120, 80, 200, 0)).places == (("c",), ("a",), ("b",), ("d",))
    assert places(scores=(120, 80, 80, 0)).places == (("a",), ("b", "c"), ("d",))
    rolled = places(scores=(120, 120, 80, 0), roll_off={"a": 4, "b": 9})
    assert (rolled.winner, rolled.decided_by, rolled.places[0]) == ("b", "roll-off", ("b",))
    assert sentence(rolled, FOUR).endswith("4. Dora 0 (roll-off: Ben 9 > Ada 4)")
    named = places(scores=(120, 120, 80, 0), winner="b", decided_by="roll-off")
    assert (named.places, named.decided_by) == (rolled.places, "roll-off")
    assert read_result(as_json(named), FOUR) == named
    lower = places(scores=(120, 80, 80, 0), roll_off={"b": 3, "c": 8})
    assert sentence(lower, FOUR) == "1. Ada 120 · 2. Cleo 80 · 3. Ben 80 · 4. Dora 0 (roll-off: Cleo 8 > Ben 3)"
    drawn = places(scores=(120, 120, 80, 0))
    assert (drawn.winner, [drawn.place(seat) for seat in "abcd"]) == (None, [1, 1, 3, 4])
    assert [drawn.outcome(seat) for seat in "abcd"] == ["draw", "draw", "loss", "loss"]
    left = places(scores=(500, 80, 40, 0), abandoned_by=["a"])
    assert left.places == (("b",), ("c",), ("d",), ("a",))
    stood = places(scores=(120, 80, 40, 0), winner="d", decided_by="last-standing")
    assert stood.places[0] == ("d",)
    assert sentence(stood, FOUR) == "1. Dora 0 · 2. Ada 120 · 3. Ben 80 · 4. Cleo 40 (the last characters standing)"


def test_ties_are_broken_as_the_event_says():
    rolling, sharing = (replace(FOUR, ties=how) for how in ("roll-off", "shared"))
    tied = {"score_a": 120, "score_b": 80, "score_c": 80, "score_d": 0}
    for given, names in (
        (tied, "totals of Ben, Cleo"),
        (tied | {"roll_off": {"b": 7}}, ""),
        (tied | {"score_a": 80}, "totals of Ada, Ben, Cleo"),
        (tied | {"roll_off": {"b": 7, "c": 7}}, "Roll again"),
        (tied | {"score_c": 0}, "totals of Cleo, Dora"),
    ):
        if names:
            with pytest.raises(ValidationError) as wrong:
                read_result(given, rolling)
            assert set(wrong.value.message_dict) == {"roll_off"}
            assert names in wrong.value.message_dict["roll_off"][0]
        else:
            assert read_result(given, rolling).places == (("a",), ("b",), ("c",), ("d",))
    assert read_result(tied | {"abandoned_by": ["b", "c"]}, rolling).places[-1] == ("b", "c")
    assert read_result(tied | {"score_c": 120, "winner": "c", "decided_by": "roll-off"}, rolling).place("a") == 2
    assert read_result(tied, sharing).places == (("a",), ("b", "c"), ("d",))
    for field, given in (
        ("roll_off", {"roll_off": {"b": 7, "c": 8}}),
        ("decided_by", {"score_c": 120, "winner": "c", "decided_by": "roll-off"}),
    ):
        with pytest.raises(ValidationError) as wrong:
            read_result(tied | given, sharing)
        assert set(wrong.value.message_dict) == {field}


@pytest.mark.parametrize("how", ["roll-off", "shared"])
def test_the_desk_and_players_enter_ties_as_the_event_says(event, by, round_, staff, client, how):
    edit = reverse("events:edit", args=[event.public_id])
    [form] = [one for one in forms_of(staff.client("head_judge").get(edit).text) if "table_ties" in one.fields]
    sent = as_sent(form) | {"table_ties": how, "confirmed": "yes", "reason": "ties"}
    assert staff.client("head_judge").post(edit, sent).status_code == 302
    event.refresh_from_db()
    assert event.table_ties == how
    log = staff.client("head_judge").get(reverse("judging:audit-log", args=[event.public_id])).text
    said = {"roll-off": "always a roll-off", "shared": "always a shared place"}[how]
    assert said in log
    assert f"ties at a table: {said}" in client.get(reverse("events:event", args=[event.public_id])).text
    assert client.get(f"/api/events/{event.public_id}").json()["table_ties"] == how
    match, table = at(round_, 1), reverse("events:table", args=[event.public_id, 1, 1])
    tied = {"score_a": "300", "score_b": "200", "score_c": "200", "score_d": "0"}
    rolled = tied | {"roll_b": "9", "roll_c": "4"}
    wrong, right = (tied, rolled) if how == "roll-off" else (rolled, tied)
    words = "Enter the roll-off totals of" if how == "roll-off" else "Clear the roll-off"
    enter = reverse("events:enter-result", args=[event.public_id, 1, 1])
    for role in ("judge", "scorekeeper"):
        refused = staff.client(role).post(enter, wrong | {"version": match.version})
        assert (refused.status_code, words in refused.text) == (400, True), role
    phone = type(client)()
    phone.get(entry_link(match.a), follow=True)
    assert ('name="roll_a"' in phone.get(table).text) == (how == "roll-off")
    claim = reverse("events:claim", args=[event.public_id, 1, 1])
    refused = phone.post(claim, wrong | {"swap": "report"}, follow=True)
    assert words in refused.text
    assert 'name="roll_b"' in refused.text
    assert at(round_, 1).state == Match.State.OPEN
    assert phone.post(claim, right, follow=True).status_code == 200
    staff.client("judge").post(enter, right | {"version": at(round_, 1).version}, follow=True)
    kept = at(round_, 1).result
    assert kept.places == ((("a",), ("b",), ("c",), ("d",)) if how == "roll-off" else (("a",), ("b", "c"), ("d",)))
    decided = wrong | {
        "act": "correct",
        "version": at(round_, 1).version,
        "reason": "they had left",
        "confirmed": "yes",
    }
    assert staff.client("judge").post(enter, decided, follow=True).status_code == 200
    assert at(round_, 1).result.places != kept.places
    pages = PdfReader(io.BytesIO(sheet(event_file(Event.objects.get(pk=event.pk))))).pages
    paper = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert f"ties at a table: {said}" in paper


def test_a_game_loss_after_the_rule_for_ties_has_changed(event, by, round_):
    match = at(round_, 1)
    results.enter_result(by=by, match=match, result=points(match, 300, 200, 200, 0))
    Event.objects.filter(pk=event.pk).update(table_ties="roll-off")
    given = {"kind": "game-loss", "category": "conduct", "text": "Marked dice", "confirmed": True}
    penalties.give_penalty(by=by, entry=match.a, match=at(round_, 1), **given)
    assert at(round_, 1).result.places == (("b", "c"), ("d",), ("a",))


def test_a_result_of_four_is_kept_whole():
    told = places(scores=(120, 80, 80, 0), knocked_out_by={"b": "a", "d": "b"}, roll_off={"b": 3, "c": 8}, to_time=True)
    assert told.knocked_out_by == (None, "a", None, "b")
    assert from_json(json.loads(json.dumps(as_json(told)))) == told


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("roll_off", {"roll_off": {"a": 5}}),
        ("roll_off", {"roll_off": {"a": 1, "b": 4}}),
        ("winner", {"winner": "d"}),
        ("winner", {"winner": "e"}),
        ("winner", {"winner": "b", "decided_by": "roll-off"}),
        ("winner", {"winner": "a", "abandoned_by": "a"}),
        ("decided_by", {"winner": "d", "decided_by": "judge"}),
        ("decided_by", {"winner": "d", "decided_by": "late"}),
        ("knocked_out_by", {"knocked_out_by": {"a": "a"}}),
        ("knocked_out_by", {"knocked_out_by": {"a": "z"}}),
        ("abandoned_by", {"abandoned_by": ["x"]}),
        ("lost", {"lost": ["a"]}),
        ("lost", {"lost": "x"}),
        ("lost", {"double_loss": True}),
    ],
)
def test_a_contradiction_is_told_at_its_field(field, given):
    with pytest.raises(ValidationError) as wrong:
        places(scores=(120, 80, 40, 0), **given)
    assert set(wrong.value.message_dict) == {field}


def test_a_loss_puts_a_player_last_and_everyones_is_a_double_loss():
    judged = replace(FOUR, by_judge=True)
    scores = {"score_a": 120, "score_b": 80, "score_c": 0, "score_d": 40}
    told = read_result(scores | {"lost": ["a"]}, judged)
    assert (told.winner, [told.place(seat) for seat in "abcd"]) == ("b", [4, 1, 3, 2])
    assert sentence(told, FOUR).endswith("4. Ada 120 (loss: Ada)")
    two = read_result(scores | {"lost": ["a", "d"], "abandoned_by": "b"}, judged)
    assert (two.winner, [two.place(seat) for seat in "abcd"]) == ("c", [4, 2, 1, 4])
    every = read_result(scores | {"lost": list("abcd")}, judged)
    assert (every.double_loss, every.winner, every.decided_by) == (True, None, "double-loss")
    assert {(every.place(seat), every.outcome(seat)) for seat in "abcd"} == {(4, "loss")}
    assert every.winning_pair((("a", "c"), ("b", "d"))) == ()
    assert told.winning_pair((("a", "c"), ("b", "d"))) == ("b", "d")
    for result in (told, two, every):
        assert from_json(json.loads(json.dumps(as_json(result)))) == result
        assert read_result(as_json(result), judged) == result
    with pytest.raises(ValidationError):
        read_result(scores | {"lost": ["a"], "winner": "a", "decided_by": "judge"}, judged)
    assert read_result(scores, replace(FOUR, lost=("a",))) == told


def test_a_judge_gives_a_loss_with_the_result_and_no_one_else(event, by, round_, staff):
    match, enter = at(round_, 1), reverse("events:enter-result", args=[event.public_id, 1, 1])
    given = {"score_a": "300", "score_b": "200", "score_c": "100", "score_d": "0", "lost": ["a"]}
    assert staff.client("scorekeeper").post(enter, given | {"version": match.version}).status_code == 400
    told = staff.client("judge").post(enter, given | {"version": match.version, "reason": "no-show"}, follow=True)
    assert f"loss: {match.a.name}" in told.text
    assert at(round_, 1).result.place("a") == 4
    page = staff.client("judge").get(reverse("events:table", args=[event.public_id, 1, 1])).text
    assert 'name="lost" value="a" id="id_lost_0" checked' in page.replace("  ", " ")
    assert {place.number: place.match_points for place in standings_of(event)}[match.a.number] == 1


def test_a_game_loss_at_a_table_of_four_puts_the_player_last(event, by, round_):
    match = at(round_, 1)
    ada, ben = match.a, match.b
    with pytest.raises(NeedsConfirmation) as asked:
        penalties.give_penalty(by=by, entry=ada, kind="game-loss", category="conduct", text="Marked dice")
    assert "will come last at table 1" in str(asked.value.consequences[0])
    given = {"kind": "game-loss", "category": "conduct", "text": "Marked dice", "confirmed": True}
    early = penalties.give_penalty(by=by, entry=ada, **given)
    for who in (ada, ben):
        results.claim_result(by=Actor(entry=who), match=at(round_, 1), result=points(match, 300, 200, 100, 0))
    kept = at(round_, 1).result
    assert (kept.places, kept.lost) == ((("b",), ("c",), ("d",), ("a",)), ("a",))
    late = penalties.give_penalty(by=by, entry=ben, match=at(round_, 1), **given)
    assert at(round_, 1).result.places[0] == ("c",)
    assert at(round_, 1).result.lost == ("a", "b")
    assert ",decided by,loss\r\n" in sheet_csv(event_file(event))
    penalties.withdraw_penalty(by=by, penalty=late, reason="his dice were fair", confirmed=True)
    assert at(round_, 1).result == kept
    penalties.withdraw_penalty(by=by, penalty=early, reason="hers, too", confirmed=True)
    assert at(round_, 1).result == kept


def test_as_few_tables_as_four_allow_and_fewest_meetings(event, by):
    first = rounds.draft_round(by=by, event=event)
    assert sorted(map(len, tables_of(first))) == [3, 4, 4]
    play(by, rounds.publish_round(by=by, round=first))
    second = rounds.draft_round(by=by, event=event)
    met = {frozenset((a, b)) for table in tables_of(first) for a in table for b in table if a != b}
    again = {frozenset((a, b)) for table in tables_of(second) for a in table for b in table if a != b}
    assert len(met & again) == second.pairing_report["repeats"] <= 3
    play(by, rounds.publish_round(by=by, round=second))
    checks = check_event(json.loads(json.dumps(event_file(event), default=str)))
    assert [finding.text for check in checks for finding in check.findings if finding.is_fault] == []


def test_points_for_places_make_the_standings(event, by, round_):
    play(by, round_)
    found = {place.number: (place.match_points, place.standing.wins) for place in standings_of(event)}
    for table in tables_of(round_):
        for place, number in enumerate(sorted(table)):
            assert found[number] == (4 - place, int(place == 0))
    Event.objects.filter(pk=event.pk).update(place_points=[10, 5, 2, 1])
    event.refresh_from_db()
    assert {place.match_points for place in standings_of(event)} == {10, 5, 2, 1}
    assert standings_of(event)[0].cells[0].criterion.name == "match-points"


def test_seats_are_exchanged_in_the_draft(event, by, staff):
    row = rounds.draft_round(by=by, event=event)
    one, other = tables_of(row)[0][2], tables_of(row)[1][3]
    address = reverse("events:draft-swap", args=[event.public_id, 1])
    client = staff.client("head_judge")
    assert client.post(address, {"player": [one, other], "version": row.version}).status_code == 302
    assert other in tables_of(row)[0]
    assert one in tables_of(row)[1]
    page = client.get(reverse("events:draft", args=[event.public_id, 1])).content.decode()
    assert "Rematches" in page
    rounds.publish_round(by=by, round=Round.objects.get(pk=row.pk))
    checks = check_event(event_file(event))
    assert all(check.is_fine for check in checks)


def test_one_player_moves_to_a_free_seat_in_the_draft(event, by, staff):
    row = rounds.draft_round(by=by, event=event)
    seated = {len(table): (at + 1, table) for at, table in enumerate(tables_of(row))}
    (full, four), (free, three) = seated[4], seated[3]
    client, address = staff.client("head_judge"), reverse("events:draft-move", args=[event.public_id, 1])
    page = client.get(reverse("events:draft", args=[event.public_id, 1])).content.decode()
    assert "Move one player" in page
    moving_ = {"entry": four[0], "table": free, "version": row.version}
    assert client.post(address, moving_ | {"table": full}).status_code == 400
    assert client.post(address, moving_ | {"entry": 99}).status_code == 400
    assert staff.client("scorekeeper").post(address, moving_).status_code == 403
    assert client.post(address, moving_).status_code == 302
    row = Round.objects.get(pk=row.pk)
    assert sorted(tables_of(row)[free - 1]) == sorted([*three, four[0]])
    assert tables_of(row)[full - 1] == four[1:]
    log = client.get(reverse("events:draft", args=[event.public_id, 1])).content.decode()
    assert f"table {full} → {free}" in log
    with pytest.raises(ValidationError):
        rounds.move_player(by=by, round=row, entry=event.entries.get(number=four[1]), table=free)
    undo(by=by, entry=event.record.order_by("-pk").first(), confirmed=True, reason="the wrong one")
    assert tables_of(row)[full - 1] == four
    rounds.move_player(by=by, round=Round.objects.get(pk=row.pk), entry=event.entries.get(number=four[0]), table=free)
    rounds.publish_round(by=by, round=Round.objects.get(pk=row.pk))
    assert all(check.is_fine for check in check_event(event_file(event)))


def test_no_one_is_left_alone_and_a_table_for_two_has_no_free_seat(event, by, staff):
    event.entries.filter(number__gt=5).delete()
    row = rounds.draft_round(by=by, event=event)
    pair, three = sorted(tables_of(row), key=len)
    with pytest.raises(ValidationError, match="Only one player would be left"):
        rounds.move_player(
            by=by, round=row, entry=event.entries.get(number=pair[0]), table=tables_of(row).index(three) + 1
        )
    assert sorted(map(len, tables_of(row))) == [2, 3]


def test_the_draft_says_why_a_table_sits_together(event, by, staff):
    play(by, rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event)))
    row = rounds.draft_round(by=by, event=event)
    page = staff.client("judge").get(reverse("events:draft", args=[event.public_id, 2]), {"why": "1"}).content.decode()
    assert "Why do these players sit at table 1?" in page
    told = page[page.index("Why do these") : page.index("</section>", page.index("Why do these"))]
    names = [event.entries.get(number=number).name for number in tables_of(row)[0]]
    assert [told.count(f"{name} with") for name in names] == [1] * len(names)
    assert "better" not in told  # twelve or fewer: every seating was compared
    assert "score difference" in told


def test_two_of_four_confirm_a_report_and_a_third_cannot_differ(event, by, round_):
    match = at(round_, 1)
    ada, ben, cleo, _dora = (Actor(entry=entry) for entry in match.entries)
    results.claim_result(by=ada, match=match, result=points(match, 300, 200, 100, 0))
    assert match.state == Match.State.CLAIMED
    results.claim_result(by=ben, match=at(round_, 1), result=points(match, 300, 200, 0, 100))
    assert at(round_, 1).state == Match.State.DISPUTED
    results.claim_result(by=ben, match=at(round_, 1), result=points(match, 300, 200, 100, 0))
    match = at(round_, 1)
    assert (match.state, match.result.places) == (Match.State.CONFIRMED, (("a",), ("b",), ("c",), ("d",)))
    with pytest.raises(Refused):
        results.claim_result(by=cleo, match=match, result=points(match, 0, 0, 0, 300))


def test_no_one_reports_at_another_table_or_seats_himself_there(event, by, round_):
    match, elsewhere = at(round_, 1), at(round_, 2)
    stranger = Actor(entry=elsewhere.d)
    with pytest.raises(Refused):
        results.claim_result(by=stranger, match=match, result=points(match, 0, 0, 0, 300))
    with pytest.raises(ValidationError):
        results.claim_result(by=Actor(entry=match.d), match=match, result=points(match, 1, 1, 1, 300) | {"score_e": 5})
    of_three = next(m for m in Match.objects.with_round().filter(round=round_) if m.c_id and not m.d_id)
    with pytest.raises(ValidationError):
        results.claim_result(
            by=Actor(entry=of_three.a), match=of_three, result=points(of_three, 9, 1, 1) | {"score_d": 300}
        )
    with pytest.raises(Refused):
        results.abandon_match(by=by, match=match, side="a", confirmed=True)
    assert not Match.objects.filter(round=round_).exclude(state=Match.State.OPEN).exists()


def test_a_player_reports_the_table_on_the_own_page(event, round_, client):
    match = at(round_, 1)
    names = [entry.name for entry in match.entries]
    clients = []
    for entry in match.entries[:2]:
        one = type(client)()
        assert one.get(entry_link(entry), follow=True).status_code == 200
        clients.append(one)
    own = reverse("events:entry", args=[event.public_id, match.b.number])
    page = clients[1].get(own).content.decode()
    assert all(f'name="score_{seat}"' in page for seat in "abcd")
    assert names[0] in page
    report = {"score_a": "300", "score_b": "200", "score_c": "100", "score_d": "0", "swap": "report"}
    claim = reverse("events:claim", args=[event.public_id, 1, 1])
    assert clients[0].post(claim, report, follow=True).status_code == 200
    assert "Another player at this table has reported" in clients[1].get(own).content.decode()
    answer = clients[1].post(claim, report, HTTP_X_FORM="1")
    assert answer.status_code == 200
    assert "place 2" in answer.content.decode().lower()
    stranger = type(client)()
    stranger.get(entry_link(at(round_, 2).a), follow=True)
    assert stranger.post(reverse("events:claim", args=[event.public_id, 1, 3]), report).status_code in (403, 409)


def test_the_desk_enters_corrects_and_undoes_a_result_of_four(event, round_, staff):
    client = staff.client("judge")
    table = reverse("events:table", args=[event.public_id, 1, 1])
    enter = reverse("events:enter-result", args=[event.public_id, 1, 1])
    numbers = reverse("events:results", args=[event.public_id, 1])
    assert client.post(numbers, {"table": "1"}).url == table
    assert "score_d" in client.get(table).content.decode()
    wrong = client.post(enter, {"score_a": "5", "score_b": "5", "score_c": "x", "score_d": "0"})
    assert wrong.status_code == 400
    given = {"score_a": "300", "score_b": "200", "score_c": "200", "score_d": "0", "out_d": "a", "left": ["d"]}
    match = at(round_, 1)
    page = client.post(enter, given | {"version": match.version}, follow=True).content.decode()
    names = [entry.name for entry in match.entries]
    assert f"1. {names[0]} 300 · 2. {names[1]} 200 · 2. {names[2]} 200 · 4. {names[3]} 0" in page
    match = at(round_, 1)
    assert match.result.knocked_out_by == (None, None, None, "a")
    again = given | {"version": match.version, "act": "correct", "roll_c": "9", "roll_b": "2", "reason": "roll-off"}
    assert client.post(enter, again).status_code == 409
    assert client.post(enter, again | {"confirmed": "yes"}, follow=True).status_code == 200
    assert at(round_, 1).result.places == (("a",), ("c",), ("b",), ("d",))
    log = client.get(reverse("judging:audit-log", args=[event.public_id])).content.decode()
    assert f"2. {names[2]} 200" in log
    assert f"knocked out: {names[3]} by {names[0]}" in log


def swap(staff, event, here, there, **more):
    address = reverse("events:fix-seating", args=[event.public_id, 1]) + "?first=1&second=2"
    version = event.rounds.get(number=1).version
    sent = {"opponent": "seats", "one": here.number, "other": there.number, "reason": "sat wrongly", "version": version}
    return staff.client("judge").post(address, sent | more, follow=True)


@pytest.mark.parametrize(("seat", "other"), ["aa", "ab", "ba", "cc"])
def test_two_players_of_different_tables_swap_seats(event, by, round_, staff, client, seat, other):
    one, two = at(round_, 1), at(round_, 2)
    before = [match.entries for match in (one, two)]
    here, there = one.entry_at(seat), two.entry_at(other)
    page = (
        staff.client("judge").get(reverse("events:fix-seating", args=[event.public_id, 1]) + "?first=1&second=2").text
    )
    assert "Player paired at table 2" in page
    done = swap(staff, event, here, there)
    assert "Seating fixed at tables 1 and 2." in done.text
    now = [at(round_, table).entries for table in (1, 2)]
    assert now[0] == tuple(there if entry == here else entry for entry in before[0])
    assert now[1] == tuple(here if entry == there else entry for entry in before[1])
    shown = staff.client("judge").get(reverse("events:round", args=[event.public_id, 1])).text
    assert " – ".join(map(str, now[0])) in " ".join(shown.split())
    assert all(check.is_fine for check in check_event(json.loads(json.dumps(event_file(event), default=str))))
    undo(by=by, entry=AuditEntry.objects.filter(event=event).latest("pk"), confirmed=True, reason="they sat right")
    assert [at(round_, table).entries for table in (1, 2)] == before


@pytest.mark.parametrize("kept", ["keep", "back"])
def test_results_stay_or_go_when_seats_are_swapped(event, by, round_, staff, kept):
    for table in (1, 2):
        results.enter_result(by=by, match=at(round_, table), result=points(at(round_, table), 300, 200, 100, 0))
    swap(staff, event, at(round_, 1).b, at(round_, 2).c, results=kept)
    assert {at(round_, table).state for table in (1, 2)} == {"confirmed" if kept == "keep" else "open"}


def test_seats_are_swapped_by_name_and_only_between_the_two_tables(event, by, round_, staff):
    one, two, three = (at(round_, table) for table in (1, 2, 3))
    refused = swap(staff, event, one.a, two.a, one="")
    assert (refused.status_code, "Choose a player." in refused.text) == (200, True)
    assert swap(staff, event, one.a, three.a).status_code == 200
    with pytest.raises(ValidationError, match="one player from each table"):
        rounds.right_tables(by=by, round=round_, first=one, second=two, swapped=(one.a, three.a), reason="x")
    with pytest.raises(ValidationError, match="in each other"):
        rounds.right_tables(by=by, round=round_, first=one, second=two, opponent=two.a, reason="x")
    assert [at(round_, table).entries for table in (1, 2, 3)] == [one.entries, two.entries, three.entries]


def test_a_player_keeps_a_fixed_table_whoever_sits_there(event, by, staff):
    event.entries.filter(number=3).update(fixed_table=9)
    event.entries.filter(number=5).update(fixed_table=2)
    for number in (1, 2):
        row = rounds.draft_round(by=by, event=event)
        at_nine, at_two = (
            next(match for match in row.matches.with_entries() if one in [entry.number for entry in match.entries])
            for one in (3, 5)
        )
        assert at_nine.table == 9 or at_nine == at_two
        assert at_two.table in (2, 9)
        assert len({match.table for match in row.matches.all()}) == 3
        page = staff.client("judge").get(reverse("events:draft", args=[event.public_id, number])).text
        assert "is reserved for" not in page
        play(by, rounds.publish_round(by=by, round=row))


def test_a_late_player_takes_a_free_seat(event, by, round_, staff):
    entry = entries.add_entry(by=by, event=event, name="Late Lee", declares=True, checked_in=True)
    of_three = next(m for m in Match.objects.with_round().filter(round=round_) if m.c_id and not m.d_id)
    full = next(m for m in Match.objects.with_round().filter(round=round_) if m.d_id is not None)
    client, address = staff.client("head_judge"), reverse("events:seat-late", args=[event.public_id, 1])
    asked = {"entry": entry.number, "reason": "late", "confirmed": "yes"}
    asked["version"] = Round.objects.get(pk=round_.pk).version
    page = client.get(reverse("events:round", args=[event.public_id, 1])).content.decode()
    assert f'name="opponent" value="{of_three.a.number}">Seat at table {of_three.table}</button>' in page
    assert "Pair with" not in page
    assert client.post(address, asked | {"opponent": full.a.number}).status_code in (403, 409)
    assert client.post(address, asked | {"opponent": of_three.a.number}).status_code == 302
    of_three.refresh_from_db()
    assert of_three.d_id == entry.pk
    assert not Match.objects.filter(a=entry).exists()
    play(by, Round.objects.get(pk=round_.pk))
    assert all(check.is_fine for check in check_event(event_file(event)))


def test_late_players_and_drops_keep_a_round_of_tables_sound(event, by, round_):
    entry = entries.add_entry(by=by, event=event, name="Late Lee", declares=True, checked_in=True)
    play(by, round_)
    gone = event.entries.get(number=3)
    entries.drop_entry(by=by, entry=gone, confirmed=True)
    second = rounds.draft_round(by=by, event=event)
    seated = [number for table in tables_of(second) for number in table]
    assert entry.number in seated
    assert 3 not in seated
    assert sorted(map(len, tables_of(second))) == [3, 4, 4]


def test_undo_takes_back_a_result_of_four(event, by, round_, staff):
    match = at(round_, 1)
    results.enter_result(by=by, match=match, result=points(match, 300, 200, 100, 0))
    record = AuditEntry.objects.filter(event=event).order_by("-pk").first()
    undo(by=by, entry=record, confirmed=True, reason="the wrong table")
    match = at(round_, 1)
    assert (match.state, match.result) == (Match.State.OPEN, None)
    assert len(match.entries) == 4


def test_an_event_of_tables_moves_without_loss(event, by, round_):
    play(by, round_)
    content = whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()
    seated = tables_of(round_)
    empty()
    moving.import_event(by=SITE, document=read_file(content), vouched=True)
    there = Event.objects.select_related("venue", "hall").get(public_id=event.public_id)
    assert whole_file(there).content() == content
    assert tables_of(there.rounds.get()) == seated
    csv = sheet_csv(event_file(there))
    assert csv.count("\r\ntables,,1,") == 11


def test_a_page_of_tables_asks_as_often_for_many_as_for_few(event, by, round_, staff):
    pages = ("round", 1), ("open-tables", 1), ("console",), ("standings",), ("cross-table",), ("results", 1)
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
    more = players(event, 8)
    for first in (0, 4):
        seats = dict(zip("abcd", more[first : first + 4], strict=True))
        Match.objects.create(round=round_, table=50 + first, **seats)
    assert asked() == few


def test_a_match_of_two_reads_as_before(staff, by, client):
    players(staff.event, 4)
    play_two = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=staff.event))
    match = Match.objects.with_round().filter(round=play_two).order_by("table").first()
    results.enter_result(by=by, match=match, result={"score_a": 120, "score_b": 40})
    told = client.get(f"/api/events/{staff.event.public_id}/rounds/1").json()["matches"][0]
    assert set(told) == {"table", "kind", "a", "a_entry", "b", "b_entry", "state", "result"}
    assert not {"places", "knocked_out_by", "score_c"} & set(told["result"])
    document = event_file(staff.event)
    assert "c" not in document["rounds"][0]["matches"][0]
    assert "table_size" not in document["rounds"][0]["tournament"]["options"]
    assert "tables,#" not in sheet_csv(document)


PAGES = (
    ("round", 1), ("rounds",), ("table", 1, 1), ("standings",), ("path", 1), ("cross-table",), ("chart",), ("display",),
    ("console",), ("open-tables", 1), ("results", 1), ("pairings-pdf", 1), ("slips-pdf", 1),
    ("clock",), ("entry", 1), ("table-forces", 1, 1),
)  # fmt: skip


@pytest.mark.parametrize("complete", [False, True])
def test_every_page_of_a_round_of_tables_is_there(event, by, round_, staff, complete, client):
    if complete:
        play(by, round_)
    judge = staff.client("head_judge")
    for name, *parts in PAGES:
        address = reverse(f"events:{name}", args=[event.public_id, *parts])
        assert judge.get(address).status_code == 200, name
    page = client.get(reverse("events:round", args=[event.public_id, 1]) + "?by=name").content.decode()
    last = at(round_, 1).entries[-1]
    assert page.count(last.public_name) == 4
    fixed = judge.get(reverse("events:fix-seating", args=[event.public_id, 1]), {"first": 1, "second": 2})
    assert fixed.status_code == (403 if complete else 200)
    told = client.get(f"/api/events/{event.public_id}/rounds/1").json()["matches"][0]
    assert told["d"] == last.public_name
