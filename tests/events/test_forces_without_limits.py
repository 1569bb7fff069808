"""A Battle Royale's forces: what was drafted, without a build total and limits, from settings to result and files."""

import html
import io
import json
import re

import pytest
from django.urls import reverse
from pypdf import PdfReader

from events.models import AuditEntry, Event, Force, Match
from events.queries import standings_of
from events.roles import SITE
from events.services import clock, forces, pods, results, rounds
from judging.disputes import position_of
from judging.keeping import moving
from judging.keeping.event_file import event_file
from judging.keeping.whole_file import read_file, whole_file
from judging.pdf.sheet import sheet
from rules.engine import check_force
from tests.events.simulation import players
from tests.events.test_setup import at, create, facts, made
from tests.forms_of_page import as_sent, forms_of
from tests.judging.keeping.kept import empty

pytestmark = pytest.mark.django_db
TWICE = {"name": "Lamplighter", "points": 250, "rank": "unique", "set": "night", "number": "1"}
SETTINGS = {"boosters_each": 1, "booster_figures": 2, "pick_seconds": 60}


def words(pdf):
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages).split())


def test_a_battle_royale_has_no_build_total_unless_someone_chooses_one(staff, client):
    page = staff.client("manager").get(reverse("events:create"), {"venue": staff.event.venue_id}).text
    [form] = [one for one in forms_of(page) if "build_total" in one.fields]
    asked = as_sent(form) | {"name": "Saturday Cup", "format": "battle-royale", "edition": "car-2002"}
    where = reverse("events:create") + f"?venue={staff.event.venue_id}"
    assert staff.client("manager").post(where, asked).status_code == 302
    event = made()
    assert (event.build_total, event.cap, event.bye_points, event.scenarios) == (0, None, 0, [])
    assert (event.bye_score, event.cap_points) == ("none", False)
    Event.objects.filter(pk=event.pk).update(state=Event.State.OPEN)
    shown = client.get(at(event)).text
    assert "<dt>Build total</dt><dd>none</dd>" in shown
    assert client.get(f"/api/events/{event.public_id}").json()["build_total"] is None
    listed = client.get(reverse("events:list")).text
    assert "Battle Royale, 0" not in listed + shown
    [edit] = [one for one in forms_of(staff.client("manager").get(at(event, "edit/")).text) if "seats" in one.fields]
    assert edit.fields["build_total"] == [""]
    again = as_sent(edit) | {"confirmed": "yes", "reason": "limits"}
    assert staff.client("manager").post(at(event, "edit/"), again).status_code == 302
    event.refresh_from_db()
    assert (event.build_total, event.scenarios) == (0, [])
    event.refresh_from_db()
    changed = again | {"build_total": "300", "version": event.version}
    assert staff.client("manager").post(at(event, "edit/"), changed).status_code == 302
    event.refresh_from_db()
    assert (event.build_total, event.format_words) == (300, "Battle Royale, 300")


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"build_total": ""}, "build_total", "Only a Battle Royale"),
        ({"build_total": "0"}, "build_total", "from 1"),
        ({"build_total": "0", "format": "battle-royale"}, "build_total", "from 1"),
        ({"build_total": "250", "format": "battle-royale"}, "build_total", "multiple of 100"),
        (
            {"build_total": "", "format": "battle-royale", "scenario_of_all": "showdown"},
            "scenario_of_all",
            "needs a build total",
        ),
    ],
)
def test_what_cannot_be_is_told_at_its_field(staff, changed, field, said):
    answer = create(staff, **changed)
    assert answer.status_code == 200
    assert said in " ".join(answer.context["form"].errors[field])
    assert not Event.objects.filter(name="Saturday Cup").exists()


@pytest.fixture
def event(staff):
    change = {"format": "battle-royale", "edition": "core-modern", "build_total": 0, "table_size": 4, "scenarios": []}
    Event.objects.filter(pk=staff.event.pk).update(**change, number_of_rounds=1)
    staff.event.refresh_from_db()
    players(staff.event, 4)
    return staff.event


@pytest.fixture
def drafted(event, staff):
    """A round whose four players have drafted two copies of one Unique each."""
    by = staff.actor("head_judge")
    row = rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    [pod] = pods.start(by=by, round=row, settings=SETTINGS)
    for step in range(2):
        for number in pod.seats:
            pod = pods.record(by=by, pod=pod, number=number, step=step, by_hand=dict(TWICE))
    clock.start_preparation(by=by, round=row)
    clock.start_round(by=by, round=row)
    return row


def test_what_was_drafted_is_a_legal_force_on_pages_paper_and_log(event, drafted, staff):
    assert {force.standing for force in Force.objects.all()} == {Force.Standing.LEGAL}
    judge = staff.client("judge")
    page = judge.get(reverse("events:force", args=[event.public_id, 1]), follow=True).text
    assert "no build total" in page
    checking = " ".join(
        html.unescape(judge.get(reverse("judging:force-check", args=[event.public_id, 1])).text).split()
    )
    assert "has no limits on forces, so these rules don't apply: Uniques, Primes, three objects" in checking
    assert "500 points, no build total" in re.sub("<[^>]*>", "", checking)
    assert "2 actions a turn" in checking
    paper = words(judge.get(reverse("events:force-sheet", args=[event.public_id, 1])).content)
    assert "Total 500" in paper
    assert "None" not in paper
    late = {"by": staff.actor("judge"), "entry": event.entries.get(number=1), "from_round": 1}
    forces.change_bench(**late, change=lambda bench: bench.update(name="Twins"))
    forces.submit_force(**late, confirmed=True, reason="a name")
    assert (
        "Player 001's force submitted: 500 points, legal" in AuditEntry.objects.filter(event=event).latest("pk").words
    )
    assert "build_total" not in position_of(event.edition, event.build_total, None, {})


def test_a_figure_that_was_not_drafted_stays_illegal(event, drafted):
    document = Force.objects.get(entry__number=1).document
    document["force"]["characters"].append({"name": "Stowaway", "points": 10, "from_sealed_product": False})
    assert [one["rule"] for one in check_force(document)["violations"]] == ["not-from-sealed-product"]


def test_points_are_not_capped_and_files_cope_without_a_build_total(event, drafted, staff, client):
    by, match = staff.actor("judge"), Match.objects.with_round().get(round=drafted)
    Event.objects.filter(pk=event.pk).update(cap_points=True)
    scores = {"score_a": 750, "score_b": 500, "score_c": 250, "score_d": 0}
    results.enter_result(by=by, match=match, result=scores)
    event.refresh_from_db()
    assert standings_of(event)[0].standing.value("victory-points") == 750
    table = reverse("events:table", args=[event.public_id, 1, match.table])
    assert staff.client("judge").get(table).status_code == 200
    assert staff.client("judge").get(reverse("events:standings", args=[event.public_id])).status_code == 200
    paper = words(sheet(event_file(Event.objects.get(pk=event.pk))))
    assert "Battle Royale" in paper
    assert "Battle Royale, 0" not in paper
    content = whole_file(Event.objects.select_related("venue", "hall").get(pk=event.pk)).content()
    told = json.loads(json.dumps(event_file(event), default=str))
    assert (told["event"]["build_total"], told["forces"][0]["report"]["build_total"]) == (0, None)
    empty()
    moving.import_event(by=SITE, document=read_file(content), vouched=True)
    there = Event.objects.select_related("venue", "hall").get(public_id=event.public_id)
    assert whole_file(there).content() == content


def test_a_table_is_scored_from_its_figures_without_a_build_total(event, drafted, staff):
    match = Match.objects.with_round().get(round=drafted)
    judge = staff.client("judge")
    assert "Lamplighter" in judge.get(reverse("events:table", args=[event.public_id, 1, match.table])).text
    [fallen, *_] = Force.objects.get(entry=match.b, from_round=1).document["force"]["characters"]
    [striker, *_] = Force.objects.get(entry=match.a, from_round=1).document["force"]["characters"]
    posted = {"ended": "time", "ko": [f"b:{fallen['ref']}"], f"by-b:{fallen['ref']}": f"a:{striker['ref']}"}
    where = reverse("events:score", args=[event.public_id, 1, match.table])
    scored = judge.post(where, posted, headers={"X-Requested-With": "score"})
    assert 'data-score_a="250"' in scored.text
    empty_points = {f"score_{seat}": "" for seat in "abcd"}
    enter = reverse("events:enter-result", args=[event.public_id, 1, match.table])
    assert judge.post(enter, posted | empty_points | {"version": match.version}).status_code == 302
    kept = Match.objects.get(pk=match.pk).result
    assert kept.battle["build_total"] is None
    assert kept.score("a") == 250


def test_the_free_check_takes_a_battle_royale(client):
    where = reverse("events:forces-check")
    terms = {"act": "terms", "edition": "core-modern", "build_total": "", "format": "battle-royale"}
    assert "Only a Battle Royale" in client.post(where, terms | {"format": "constructed"}).text
    assert client.post(where, terms).status_code == 302
    page = client.get(where).text
    assert "no build total · Battle Royale" in page
    for _copy in range(2):
        hand = {"act": "hand", "section": "characters", "name": "Lamplighter", "points": "250", "rank": "unique"}
        assert client.post(where, hand).status_code == 302
    page = client.get(where).text
    assert "points, no build total" in page
    assert "500" in page
    assert "Illegal" not in page
    assert client.post(where, facts() | terms | {"format": "sealed-booster", "build_total": "300"}).status_code == 302
    assert "Illegal" in client.get(where).text
