"""Booster drafts: how boosters go round, who records whose picks, nobody skipped in silence, and the forces they make."""

import datetime
import io
import json
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from events.door import Refused
from events.models import AuditEntry, Event, Force, Match, Pod, Pool, Round
from events.passing import Passing
from events.roles import SITE, Actor
from events.services import clock, entries, pods, rounds
from events.services.people import entry_link
from events.services.undo import undo
from judging.keeping import moving
from judging.keeping.event_file import event_file
from judging.keeping.whole_file import read_file, whole_file
from tests.events.simulation import players
from tests.judging.keeping.kept import empty

SETTINGS = {"boosters_each": 1, "booster_figures": 3, "pick_seconds": 60}


@given(st.integers(2, 4), st.integers(1, 4), st.integers(1, 9))
def test_every_booster_is_in_one_place_and_gives_each_of_its_figures(seats, boosters, figures):
    passing, taken = Passing(seats, boosters, figures), {}
    for step in range(passing.steps):
        before = [passing.opener(seat, step) for seat in range(seats)]
        assert sorted(before) == list(range(seats))
        if passing.pick(step) == 1:
            assert before == list(range(seats))
        for opener in before:
            taken[passing.booster(step), opener] = taken.get((passing.booster(step), opener), 0) + 1
        if not passing.is_last_of_booster(step):
            for seat in range(seats):
                assert passing.opener(passing.next_seat(seat, step), step + 1) == before[seat]
    assert set(taken.values()) == {figures}
    assert len(taken) == boosters * seats


def test_the_first_booster_goes_left_and_the_second_right():
    passing = Passing(4, 2, 5)
    assert [passing.next_seat(0, step) for step in range(10)] == [1] * 5 + [3] * 5
    assert [passing.opener(0, step) for step in range(10)] == [0, 3, 2, 1, 0, 0, 1, 2, 3, 0]


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    Event.objects.filter(pk=staff.event.pk).update(table_size=4, number_of_rounds=1, format="battle-royale")
    staff.event.refresh_from_db()
    players(staff.event, 4)
    return staff.event


@pytest.fixture
def round_(event, by):
    return rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))


@pytest.fixture
def pod(round_, by):
    pods.start(by=by, round=round_, settings=SETTINGS)
    return current(round_)


def current(round_):
    return pods.pod_of(Match.objects.with_round().get(round=round_, table=round_.event.first_table))


def own(event, number) -> Actor:
    return Actor(entry=event.entries.get(number=number))


def figure(name, points=20):
    return {"name": name, "points": points}


def record(pod, number, name, by=None, **more):
    given = {"by": by or own(pod.round.event, number), "pod": pod, "number": number, "step": pod.step}
    return pods.record(**given | {"by_hand": figure(name)} | more)


def address(pod, name, *parts):
    return reverse(f"events:{name}", args=[pod.round.event.public_id, 1, pod.match.table, *parts])


@pytest.mark.django_db
class TestPod:
    def test_a_table_drafts_to_its_forces(self, event, round_, pod, by, client, staff):
        for step in range(3):
            for number in pod.seats:
                assert pod.step == step
                pod = record(pod, number, f"Figure {step} of {number}")
        assert pod.ended is not None
        for number in pod.seats:
            entry = event.entries.get(number=number)
            force = Force.objects.get(entry=entry, from_round=1)
            assert force.state == Force.State.SUBMITTED
            names = [one["name"] for one in force.document["force"]["characters"]]
            assert names == [f"Figure {step} of {number}" for step in range(3)]
            assert not any("not-from-sealed-product" in str(one) for one in force.report["violations"])
            assert len(Pool.objects.get(entry=entry).elements) == 3
        phone = type(client)()
        own_page = phone.get(entry_link(event.entries.get(number=pod.seats[0])), follow=True).text
        assert "score_a" in own_page
        client.force_login(staff.head_judge)
        for page in (address(pod, "pod"), address(pod, "pod-seat", pod.seats[0])):
            shown = client.get(page).content.decode()
            assert "submitted them as the players" in shown
            assert "no figures were recorded" not in shown
        last = AuditEntry.objects.filter(event=event).order_by("-pk").first()
        assert "the draft is over" in last.words
        undo(by=by, entry=last, confirmed=True, reason="not yet")
        assert current(round_).step == 2
        assert not Pool.objects.filter(entry__event=event).exists()

    def test_only_a_seat_itself_or_an_official_records_its_picks(self, event, round_, pod, by, staff):
        a, b, *_ = pod.seats
        players(event, 1)
        for number, actor in ((b, own(event, a)), (a, own(event, 5)), (5, own(event, 5)), (5, by)):
            with pytest.raises(Refused):
                record(pod, number, "Batman", by=actor)
        with pytest.raises(Refused):
            record(pod, a, "Batman", step=1)
        with pytest.raises(Refused):
            pods.on_paper(by=own(event, a), pod=pod, number=b, is_on_paper=True)
        with pytest.raises(Refused):
            pods.start(by=staff.actor("scorekeeper"), round=round_, settings=SETTINGS)
        record(pod, a, "Batman", by=staff.actor("scorekeeper"))
        assert current(round_).recorded(a)[0]["facts"]["name"] == "Batman"

    def test_no_one_is_skipped_in_silence_and_no_one_is_stuck(self, event, round_, pod, by):
        a, b, c, d = pod.seats
        for number in (a, b, c):
            record(pod, number, "Robin")
        pod = current(round_)
        assert (pod.step, pod.waiting_for) == (0, [d])
        with pytest.raises(Refused):
            pods.pass_on(by=own(event, a), pod=pod, step=0)
        Pod.objects.update(began=timezone.now() - datetime.timedelta(seconds=61))
        assert current(round_).step == 0
        with pytest.raises(Refused):
            pods.pass_on(by=own(event, a), pod=current(round_), step=1)
        pod = pods.pass_on(by=own(event, a), pod=current(round_), step=0)
        assert pod.step == 1
        with pytest.raises(Refused):
            pods.pass_on(by=by, pod=current(round_), step=0)
        pods.record(by=own(event, d), pod=pod, number=d, step=0, by_hand=figure("Joker"))
        with pytest.raises(Refused):
            pods.record(by=own(event, d), pod=pod, number=d, step=0, by_hand=figure("Bane"))
        pods.record(by=own(event, d), pod=pod, number=d, step=0, by_hand=figure("Bane"), replace=True)
        assert current(round_).recorded(d)[0]["facts"]["name"] == "Bane"
        pods.on_paper(by=by, pod=pod, number=d, is_on_paper=True)
        for number in (a, b, c):
            pod = record(pod, number, "Flash")
        assert pod.step == 2

    def test_the_page_of_the_event_says_when_forces_are_due(self, event, client):
        page = client.get(reverse("events:event", args=[event.public_id])).text
        assert "In round 1, before play begins" in page
        assert "By the start of the event" not in page

    def test_the_round_locks_the_forces(self, event, round_, pod, by, client, staff):
        clock.start_preparation(by=by, round=round_)
        clock.start_round(by=by, round=round_)
        for _step in range(3):
            pod = record(pod, pod.seats[0], "Robin")
            pod = pods.pass_on(by=by, pod=pod, step=pod.step)
        assert pod.ended is not None
        assert not Force.objects.filter(entry__event=event, state=Force.State.SUBMITTED).exists()
        client.force_login(staff.head_judge)
        for page in (address(pod, "pod"), address(pod, "pod-seat", pod.seats[0])):
            shown = client.get(page).content.decode()
            assert "Either no figures were recorded" in shown
            assert "submitted them as the players" not in shown
        with pytest.raises(Refused):
            record(pod, pod.seats[0], "Robin", step=0)

    def test_the_pages_of_a_seat_and_of_the_officials(self, event, round_, pod, client, staff):
        a, b = pod.seats[:2]
        names = {entry.number: entry.name for entry in event.entries.all()}
        phone = type(client)()
        phone.get(entry_link(event.entries.get(number=a)), follow=True)
        own_page = phone.get(reverse("events:entry", args=[event.public_id, a])).content.decode()
        assert f'<a class="button" href="{address(pod, "pod")}">' in own_page
        assert "score_a" not in own_page
        page = phone.get(address(pod, "pod"), follow=True).content.decode()
        assert f"to the left, to {names[b]}" in page
        assert "data-ends=" in page
        hand = {"act": "hand", "name": "Batman", "section": "characters", "points": "50"}
        assert phone.post(address(pod, "pod-record", a, 0), hand | {"points": "x"}).status_code == 400
        page = phone.post(address(pod, "pod-record", a, 0), hand, follow=True).content.decode()
        assert "Batman" in page
        assert 'id="search"' not in page
        assert 'id="search"' in phone.get(address(pod, "pod-seat", a) + "?change=0").content.decode()
        assert phone.get(address(pod, "pod-seat", b)).status_code == 403
        assert phone.post(address(pod, "pod-record", b, 0), hand).status_code == 403
        stranger = client.get(address(pod, "pod"))
        assert (stranger.status_code, "Batman" in stranger.content.decode()) == (200, False)
        assert client.get(address(pod, "pod-seat", a)).status_code == 403
        judge = staff.client("judge")
        seats = judge.get(address(pod, "pod")).content.decode()
        assert "hasn&#x27;t recorded this pick" in seats or "hasn't recorded this pick" in seats
        assert "Batman" in judge.get(address(pod, "pod-seat", a)).content.decode()
        judge.post(address(pod, "pod-paper"), {"entry": b, "on_paper": "yes"})
        assert current(round_).on_paper == [b]
        overview = reverse("events:boosters", args=[event.public_id, 1])
        assert "Waiting for" in judge.get(overview).content.decode()
        pdf = judge.get(reverse("events:boosters-pdf", args=[event.public_id, 1]))
        assert pdf.content.startswith(b"%PDF")
        assert client.get(overview).status_code == 403

    def test_a_pick_has_its_end_without_scripts_and_one_verb(self, event, round_, pod, client, staff):
        a, b = pod.seats[:2]
        ends = pod.ends.astimezone(event.venue.zone).strftime("%H:%M:%S")
        judge = staff.client("judge")
        for page in (address(pod, "pod"), address(pod, "pod-seat", a)):
            assert f"<span data-digits>until {ends}</span>" in judge.get(page).text, page
        open_ = judge.get(address(pod, "pod-seat", a)).text
        assert f"Pick one figure, then pass the booster to the left, to {event.entries.get(number=b).name}." in open_
        assert "Record pick</button>" in open_
        record(pod, a, "Batman")
        done = judge.get(address(pod, "pod-seat", a)).text
        assert "Pick one figure" not in done
        assert "Recorded: Batman." in done
        assert f"When everyone has picked, pass the booster to the left, to {event.entries.get(number=b).name}." in done
        for words in (open_, done):
            assert not re.search(r"\b(note[sd]?|noting|register|add to force)\b", re.sub(r"<[^>]+>", " ", words), re.I)
        entry = AuditEntry.objects.filter(event=event).order_by("-pk").first()
        assert (entry.verb, "pick 1 recorded" in entry.words) == ("record-draft-pick", True)
        shown = client.get(reverse("events:display", args=[event.public_id]) + "?show=drafts").text
        assert f'data-ends="{int(pod.ends.timestamp() * 1000)}"' in shown
        assert ends in shown

    def test_the_console_leads_to_the_drafts_before_the_clock(self, event, round_, by, staff):
        judge, console = staff.client("judge"), reverse("events:console", args=[event.public_id])

        def main():
            card = re.search(r'<section class="next".*?</section>', judge.get(console).text, re.S)[0]
            return re.search(r"<h2[^>]*>(.*?)</h2>", card, re.S)[1], re.search(r'href="([^"]+)"', card)[1]

        boosters = reverse("events:boosters", args=[event.public_id, 1])
        assert main() == ("Round 1 is published. Start the booster draft.", boosters)
        pods.start(by=by, round=round_, settings=SETTINGS)
        assert main() == ("Round 1: 1 table is drafting", boosters)
        for _step in range(3):
            pods.pass_on(by=by, pod=current(round_), step=current(round_).step)
        assert main() == ("Round 1 is published. Start the clock.", reverse("events:clock", args=[event.public_id]))

    def test_the_sheet_passes_nothing_after_the_last_pick_of_a_booster(self, event, round_, staff):
        Event.objects.filter(pk=event.pk).update(boosters_each=2, booster_figures=2)
        pdf = staff.client("judge").get(reverse("events:boosters-pdf", args=[event.public_id, 1])).content
        text = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
        assert ("1 · 1 ←" in text, "2 · 1 →" in text) == (True, True)
        assert ("1 · 2 ←" in text, "2 · 2 →" in text, "1 · 2" in text) == (False, False, True)

    def test_the_api_tells_a_seat_only_its_own_picks(self, event, round_, pod, client, staff):
        a = pod.seats[0]
        record(pod, a, "Batman")
        draft = f"/api/events/{event.public_id}/rounds/1/tables/{pod.match.table}/draft"
        told = client.get(f"{draft}?entry={a}").json()
        assert (told["picks"], told["direction"], told["pick"], len(told["waiting_for"])) == ([], "left", 1, 3)
        assert staff.client("judge").get(f"{draft}?entry={a}").json()["picks"] == ["Batman", None, None]
        phone = type(client)()
        phone.get(entry_link(event.entries.get(number=pod.seats[1])), follow=True)
        assert phone.get(f"{draft}?entry={a}").json()["picks"] == [None, None, None]
        sent = {"entry": a, "step": 0, "code": "none"}
        assert phone.post(draft, sent, content_type="application/json").status_code in (401, 403)
        assert staff.client("judge").post(draft, sent, content_type="application/json").status_code in (403, 409)

    def test_a_judge_starts_the_draft_with_the_settings_of_the_event(self, event, round_, staff):
        overview = reverse("events:boosters", args=[event.public_id, 1])
        judge = staff.client("judge")
        given = {"boosters_each": "2", "booster_figures": "4", "pick_seconds": "45"}
        assert judge.post(overview, given | {"pick_seconds": "1"}).status_code == 400
        assert judge.post(overview, given).status_code == 302
        event.refresh_from_db()
        assert (event.boosters_each, event.booster_figures, event.pick_seconds) == (2, 4, 45)
        assert Pod.objects.get().passing == Passing(4, 2, 4)
        assert judge.post(overview, given).status_code in (403, 409)
        Event.objects.filter(pk=event.pk).update(format="constructed")
        assert judge.get(overview).status_code == 404

    def test_a_judge_is_warned_before_a_draft_that_makes_no_forces(self, event, round_, by, staff):
        overview, judge = reverse("events:boosters", args=[event.public_id, 1]), staff.client("judge")
        words = "won&#x27;t become forces"
        assert words not in judge.get(overview).content.decode().replace("won't", "won&#x27;t")
        clock.start_preparation(by=by, round=round_)
        clock.start_round(by=by, round=round_)
        assert words in judge.get(overview).content.decode().replace("won't", "won&#x27;t")

    def test_one_table_starts_alone(self, event, round_, staff, client):
        more = players(event, 4)
        Match.objects.create(round=round_, table=50, **dict(zip("abcd", more, strict=True)))
        overview = reverse("events:boosters", args=[event.public_id, 1])
        judge = staff.client("judge")
        given = {"boosters_each": "1", "booster_figures": "2", "pick_seconds": "45"}
        closed = judge.get(reverse("events:pod", args=[event.public_id, 1, 50])).text
        assert f"{overview}?table=50" in closed
        assert 'value="50" selected' in judge.get(overview + "?table=50").text
        assert judge.post(overview, given | {"table": "51"}).status_code == 400
        assert judge.post(overview, given | {"table": "50"}).status_code == 302
        assert [pod.match.table for pod in pods.pods_of(round_)] == [50]
        assert "Tables not drafting yet: " in judge.get(overview).text
        assert "table 50" in AuditEntry.objects.filter(event=event).order_by("-pk").first().words
        shown = client.get(reverse("events:display", args=[event.public_id]) + "?show=drafts").text
        assert "Booster 1, pick 1 of 2, passing to the left" in shown
        assert more[0].public_name in shown
        assert judge.post(overview, given).status_code == 302
        assert len(pods.pods_of(round_)) == 2

    def two_tables(self, event, by):
        players(event, 3)
        row = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
        pods.start(by=by, round=row, settings=SETTINGS)
        return row

    def test_the_seats_of_a_draft_follow_those_of_its_table(self, event, by, staff):
        row = self.two_tables(event, by)
        four, three = pods.pods_of(row)
        one, two = Match.objects.with_round().get(pod=four), Match.objects.with_round().get(pod=three)
        record(three, two.b.number, "Joker")
        with pytest.raises(Refused, match=f"draft at table {two.table} has begun"):
            rounds.right_tables(by=by, round=row, first=one, second=two, swapped=(one.d, two.a), reason="sat wrongly")
        Pod.objects.filter(pk=three.pk).update(picks=[[None] * 3] * 3)
        pods.on_paper(by=by, pod=four, number=one.d.number, is_on_paper=True)
        rounds.right_tables(by=by, round=row, first=one, second=two, swapped=(one.d, two.a), reason="sat wrongly")
        seats = {pod.match.table: pod.seats for pod in pods.pods_of(row)}
        assert seats[one.table] == [*four.seats[:3], two.a.number]
        assert seats[two.table] == [one.d.number, *three.seats[1:]]
        assert all(pod.on_paper == [] for pod in pods.pods_of(row))
        undo(by=by, entry=AuditEntry.objects.filter(event=event).latest("pk"), confirmed=True, reason="they sat right")
        assert [(pod.seats, pod.on_paper) for pod in pods.pods_of(row)] == [
            (four.seats, [one.d.number]),
            (three.seats, []),
        ]

    def test_a_finished_draft_stays_while_its_players_swap_seats(self, event, by, staff):
        row = self.two_tables(event, by)
        for pod in pods.pods_of(row):
            while pod.ended is None:
                pod = record(pod, pod.waiting_for[0], "Robin")
        four, three = pods.pods_of(row)
        one, two = Match.objects.with_round().get(pod=four), Match.objects.with_round().get(pod=three)
        rounds.right_tables(by=by, round=row, first=one, second=two, swapped=(one.a, two.a), reason="sat wrongly")
        assert [pod.seats for pod in pods.pods_of(row)] == [four.seats, three.seats]

    def test_a_late_player_drafts_too_until_someone_has_picked(self, event, by, staff, client):
        row = self.two_tables(event, by)
        _four, three = pods.pods_of(row)
        late = [entries.add_entry(by=by, event=event, name=name, declares=True, checked_in=True) for name in "LM"]
        host = three.match.a
        rounds.seat_late(by=by, round=row, entry=late[0], opponent=host, confirmed=True, reason="late")
        pod = Pod.objects.get(pk=three.pk)
        assert (pod.seats, len(pod.picks)) == ([*three.seats, late[0].number], 4)
        phone = type(client)()
        phone.get(entry_link(late[0]), follow=True)
        assert phone.get(address(pod, "pod-seat", late[0].number)).status_code == 200
        record(pod, host.number, "Joker")
        entries.drop_entry(by=by, entry=late[0], confirmed=True)
        assert Pod.objects.get(pk=three.pk).seats == [*three.seats, late[0].number]

    def test_a_player_who_drops_before_the_first_pick_is_left_out(self, event, by):
        row = self.two_tables(event, by)
        _four, three = pods.pods_of(row)
        gone = event.entries.get(number=three.seats[1])
        entries.drop_entry(by=by, entry=gone, confirmed=True)
        assert Pod.objects.get(pk=three.pk).seats == [three.seats[0], three.seats[2]]
        entries.return_entry(by=by, entry=event.entries.get(pk=gone.pk), confirmed=True)
        assert sorted(Pod.objects.get(pk=three.pk).seats) == sorted(three.seats)
        entries.drop_entry(by=by, entry=event.entries.get(pk=gone.pk), confirmed=True)
        undo(by=by, entry=AuditEntry.objects.filter(event=event).latest("pk"), confirmed=True, reason="back")
        assert sorted(Pod.objects.get(pk=three.pk).seats) == sorted(three.seats)
        for number in three.seats[:2]:
            entries.drop_entry(by=by, entry=event.entries.get(number=number), confirmed=True)
        assert not Pod.objects.filter(pk=three.pk).exists()
        assert pods.tables_without(row) == []

    def test_who_left_before_the_draft_is_not_in_it(self, event, by, round_):
        gone = round_.matches.get().a
        entries.drop_entry(by=by, entry=gone, confirmed=True)
        [pod] = pods.start(by=by, round=round_, settings=SETTINGS)
        assert len(pod.seats) == len(pod.picks) == 3
        assert gone.number not in pod.seats

    def test_no_pick_is_lost_without_a_warning(self, event, round_, pod, by, staff):
        record(pod, pod.seats[0], "Batman")
        rounds.unpublish_round(by=by, round=round_, confirmed=True, reason="wrong")
        row = Round.objects.get(pk=round_.pk)
        judge = staff.client("head_judge")
        a, b = (event.entries.get(number=number) for number in pod.seats[:2])
        bench = Match.objects.create(round=row, table=50, a=players(event, 1)[0], b=players(event, 1)[0])
        for verb in ("pair-again", "discard"):
            address_ = reverse(f"events:{verb}", args=[event.public_id, 1])
            asked = judge.post(address_, {"version": row.version})
            assert (asked.status_code, "and 1 recorded pick" in asked.text) == (409, True), verb
        swap = {"player": [a.number, bench.a.number], "version": row.version}
        asked = judge.post(reverse("events:draft-swap", args=[event.public_id, 1]), swap)
        assert (asked.status_code, "and 1 recorded pick" in asked.text) == (409, True)
        assert Pod.objects.get().recorded(a.number)[0] is not None
        rounds.swap_players(by=by, round=row, one=a, other=bench.a, confirmed=True)
        assert not Pod.objects.exists()
        undo(by=by, entry=event.record.order_by("-pk").first(), confirmed=True, reason="no")
        assert Pod.objects.get().recorded(a.number)[0]["facts"]["name"] == "Batman"
        assert b.number in Pod.objects.get().seats

    def test_the_api_starts_records_passes_and_lists(self, event, round_, staff, client):
        base = f"/api/events/{event.public_id}/rounds/1"
        judge, desk = staff.client("judge"), staff.client("scorekeeper")

        def sent(by_, path, **given):
            return by_.post(f"{base}/{path}", given, content_type="application/json")

        table = round_.matches.get().table
        phone = type(client)()
        assert sent(client, "drafts").status_code in (401, 403)
        assert sent(desk, "drafts").status_code == 403
        assert sent(judge, "drafts", pick_seconds=1).status_code == 422
        assert sent(judge, "drafts", table=99).status_code == 403
        told = sent(judge, "drafts", table=table, booster_figures=2, boosters_each=1)
        assert (told.status_code, [(one["table"], one["figures"]) for one in told.json()]) == (200, [(table, 2)])
        assert [one["waiting_for"] for one in client.get(f"{base}/drafts").json()] == [told.json()[0]["seats"]]
        number = told.json()[0]["seats"][0]
        phone.get(entry_link(event.entries.get(number=number)), follow=True)
        draft = f"tables/{table}/draft"
        assert sent(judge, draft, entry=number, step=0, printed={"name": "", "points": 5}).status_code == 422
        told = sent(judge, draft, entry=number, step=0, printed={"name": "Batman", "points": 50})
        assert (told.status_code, told.json()["picks"]) == (200, ["Batman", None])
        assert sent(phone, f"{draft}/paper", entry=number, on_paper=True).status_code in (401, 403)
        assert sent(desk, f"{draft}/paper", entry=number, on_paper=True).json()["on_paper"] == [number]
        assert sent(phone, f"{draft}/pass", step=0).status_code in (401, 403)
        assert sent(judge, f"{draft}/pass", step=0).json()["step"] == 1
        assert sent(judge, f"{draft}/pass", step=0).status_code == 403

    def test_files_hold_the_draft_and_a_forged_one_breaks_nothing(self, event, round_, pod, staff):
        record(pod, pod.seats[0], "Batman")
        told = json.loads(json.dumps(event_file(event), default=str))["booster_drafts"][0]
        assert told["picks"][0] == {"entry": pod.seats[0], "elements": ["Batman", None, None]}
        content = whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()
        empty()
        moving.import_event(by=SITE, document=read_file(content), vouched=True)
        there = Event.objects.select_related("venue", "hall").get(public_id=event.public_id)
        assert whole_file(there).content() == content
        for forged in ({"picks": {"a": 1}}, {"picks": [[5], "x"]}, {"seats": [99, "x"], "step": 900}, {"figures": 0}):
            Pod.objects.update(**forged)
            assert "booster_drafts" in event_file(there)
