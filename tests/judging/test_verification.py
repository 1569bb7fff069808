"""Verification of forces at the table, its remedies, and rechecks. Through requests and commands."""

import datetime
import json
from io import StringIO

import pytest
from django.core.management import call_command

from events.models import AuditEntry, Entry, Event, Force, Match, Official
from events.roles import Actor
from events.services import forces
from judging.models import ForceCheck, Penalty
from rules.models import Element
from rules.services import catalogue as catalogue_services
from tests.conftest import client_of
from tests.events.force_catalogue import small_catalogue
from tests.factories import EntryFactory, MatchFactory, PersonFactory, RoundFactory


@pytest.fixture
def catalogue(db):
    small_catalogue()


def judge_of(entry) -> Actor:
    return Actor(person=Official.objects.get(event=entry.event, role="judge").person)


def build(entry, *names, by=None):
    """Put these figures on the bench of an entry's force."""
    from events import building
    from events.documents import day_of

    def change(bench):
        for name in names:
            code = Element.objects.get(name=name).code
            forces.keep_facts(day_of(entry.event), bench, [code])
            building.add(bench, Element.objects.get(name=name).section, code=code)

    forces.change_bench(by=by or judge_of(entry), entry=entry, from_round=1, change=change)


def submit_force(entry, *names, by=None):
    """Submit a force of these figures for an entry, while that is still possible."""
    build(entry, *names, by=by)
    return forces.submit_force(by=by or judge_of(entry), entry=entry, from_round=1)


@pytest.fixture
def table(catalogue, staff):
    """Two players with forces at a table of a running round."""
    a, b = (EntryFactory(event=staff.event, name=name, person=PersonFactory()) for name in ("Ann Archer", "Ben Bard"))
    submit_force(a, "Bramble", "Night Heron")
    submit_force(b, "Night Heron", "Laughing Jack")
    match = MatchFactory(round=RoundFactory(event=staff.event, number=1), a=a, b=b)
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.RUNNING)
    staff.event.refresh_from_db()
    return match


def at(event, number=None, what="check/"):
    return f"/events/{event.public_id}/forces/" + (f"{number}/{what}" if number else "")


def force_of(entry):
    return Force.objects.get(entry=entry)


def refs(entry):
    return [one["ref"] for one in force_of(entry).document["force"]["characters"]]


def test_the_queue_shows_red_first_and_is_for_judges(table, staff):
    late = EntryFactory(event=staff.event, name="Cor Careless")
    text = staff.client("judge").get(at(staff.event)).content.decode()
    order = [text.index(name) for name in ("Ben Bard</a>", "Ann Archer</a>", "Cor Careless</a>")]
    # illegal (archenemies), not submitted, legal (the dates of this day are known)
    assert order[0] < order[2] < order[1]
    assert "not submitted" in text
    assert late.name in text
    assert staff.client("scorekeeper").get(at(staff.event)).status_code == 403
    assert client_of(table.a.person).get(at(staff.event)).status_code == 403


def test_the_queue_asks_as_often_for_forty_as_for_two(table, staff, django_assert_max_num_queries):
    client = staff.client("judge")
    with django_assert_max_num_queries(24):
        client.get(at(staff.event))
    Event.objects.filter(pk=staff.event.pk).update(state=Event.State.OPEN)
    staff.event.rounds.all().update(state="draft")
    for _ in range(20):
        submit_force(EntryFactory(event=staff.event), "Bramble")
    with django_assert_max_num_queries(24):
        client.get(at(staff.event))


def test_figure_by_figure_until_the_force_passes(table, staff):
    client, entry = staff.client("judge"), table.a
    page = client.get(at(staff.event, entry.number)).content.decode()
    assert "0 of 2 checked" in page
    first, second = refs(entry)
    client.post(at(staff.event, entry.number), {"act": "look", "ref": first})
    refused = client.post(at(staff.event, entry.number), {"act": "pass"})
    assert refused.status_code == 403
    assert "Not checked yet: Night Heron" in refused.content.decode()
    part = client.post(
        at(staff.event, entry.number), {"act": "look", "ref": second}, headers={"HX-Request": "true"}
    ).content.decode()
    assert "2 of 2 checked" in part
    assert "<html" not in part
    client.post(at(staff.event, entry.number), {"act": "pass"})
    check = ForceCheck.objects.get()
    assert (check.outcome, check.remedy, check.judge) == ("passed", "none", staff.judge)
    assert "1 of 2 forces passed" in client.get(at(staff.event)).content.decode()


def test_a_wrong_collector_number_goes_into_the_force_file_which_is_checked_again(table, staff):
    client, entry = staff.client("judge"), table.a
    ref = refs(entry)[0]
    client.post(at(staff.event, entry.number), {"act": "look", "ref": ref, "dial_number": "017", "proxy": "yes"})
    force = force_of(entry)
    figure = force.document["force"]["characters"][0]
    assert (figure["dial_number"], figure["proxy"]) == ("017", True)
    assert force.standing == Force.Standing.NOT_LEGAL
    assert {one["rule"] for one in force.report["violations"]} == {"collector-number-mismatch", "proxy"}
    told = AuditEntry.objects.filter(verb="check-forces").latest("pk").words
    assert told.endswith("dial number 017; Proxy")
    assert client.post(at(staff.event, entry.number), {"act": "pass"}).status_code == 403
    client.post(at(staff.event, entry.number), {"act": "unlook", "ref": ref})
    force = force_of(entry)
    assert force.standing == Force.Standing.LEGAL
    assert "dial_number" not in force.document["force"]["characters"][0]


def test_leading_zeros_are_no_fault(table, staff):
    client, entry = staff.client("judge"), table.a
    client.post(at(staff.event, entry.number), {"act": "look", "ref": refs(entry)[0], "dial_number": "3"})
    assert force_of(entry).standing == Force.Standing.LEGAL


def fail(client, event, entry, remedy, **more):
    return client.post(at(event, entry.number), {"act": "fail", "remedy": remedy, "note": "Wrong dial", **more})


def test_time_to_replace_opens_the_builder_and_the_new_force_is_checked_afresh(table, staff):
    client, entry = staff.client("judge"), table.b
    response = fail(client, staff.event, entry, "replaced")
    assert response.url == f"/events/{staff.event.public_id}/entries/{entry.number}/force/"
    assert ForceCheck.objects.get().remedy == "replaced"
    assert fail(client, staff.event, entry, "replaced", note="").status_code == 400
    judge = staff.actor("judge")
    forces.change_bench(by=judge, entry=entry, from_round=1, change=lambda bench: bench["picks"].pop())
    forces.submit_force(by=judge, entry=entry, from_round=1, reason="Replaced at the table", confirmed=True)
    force = force_of(entry)
    assert (force.standing, force.changed_after_deadline) == (Force.Standing.LEGAL, True)
    text = client.get(at(staff.event)).content.decode()
    assert "changed after the deadline" in text
    assert "Nothing red" not in text, "changed late: to be looked at first"


def test_disqualified_from_the_round_bites_at_the_table(table, staff):
    judge, head = staff.client("judge"), staff.client("head_judge")
    assert fail(judge, staff.event, table.b, "round").status_code == 403, "only the head judge takes a game"
    assert ForceCheck.objects.filter(outcome="failed").count() == 0
    assert fail(head, staff.event, table.b, "round", opponents_points=100).status_code == 302
    match = Match.objects.get(pk=table.pk)
    assert match.state == Match.State.CONFIRMED
    assert (match.result.winner, match.result.decided_by, match.result.score("a")) == ("a", "judge", 100)
    penalty = Penalty.objects.get()
    assert (penalty.kind, penalty.category, penalty.entry_id) == ("game-loss", "force", table.b_id)
    assert Entry.objects.get(pk=table.b_id).state == Entry.State.CHECKED_IN, "plays on after replacing the figure"


def test_disqualified_from_the_round_after_the_result_corrects_it(table, staff):
    from events.services import results

    results.enter_result(by=staff.actor("scorekeeper"), match=table, result={"score_a": 10, "score_b": 90})
    assert fail(staff.client("head_judge"), staff.event, table.b, "round", opponents_points=100).status_code == 302
    assert Match.objects.get(pk=table.pk).result.winner == "a"


def test_disqualified_from_the_event_ends_the_entry_after_a_second_look(table, staff):
    head = staff.client("head_judge")
    asked = fail(head, staff.event, table.b, "event")
    assert asked.status_code == 409
    assert Entry.objects.get(pk=table.b_id).state == Entry.State.CHECKED_IN
    assert ForceCheck.objects.filter(outcome="failed").count() == 0
    assert fail(head, staff.event, table.b, "event", confirmed="yes", reason="x").status_code == 302
    assert Entry.objects.get(pk=table.b_id).state == Entry.State.DISQUALIFIED
    assert Penalty.objects.get().kind == "disqualification"


def test_a_check_may_be_opened_again(table, staff):
    client = staff.client("judge")
    fail(client, staff.event, table.b, "none")
    assert ForceCheck.objects.get().outcome == "failed"
    client.post(at(staff.event, table.b.number), {"act": "again"})
    assert ForceCheck.objects.get().outcome == "open"


# rechecks


def correct(name, **changes):
    element = Element.objects.get(name=name)
    catalogue_services.correct_element(
        element=element, changes=changes, from_date=datetime.date(2003, 1, 1), text="Put right.", by="tests"
    )


def test_after_a_correction_newly_illegal_forces_are_reported_and_nothing_is_changed(table, staff):
    correct("Bramble", points=190)
    before = force_of(table.a)
    page = staff.client("judge").get(f"/events/{staff.event.public_id}/forces/recheck/").content.decode()
    text = " ".join(page.split())
    assert "1 force is now illegal" in text
    assert "points: 17 → 190" in text
    assert "Build Total" in text or "200" in text
    assert force_of(table.a).document == before.document
    out = StringIO()
    call_command("recheck_forces", event=staff.event.public_id, stdout=out)
    (line,) = [json.loads(line) for line in out.getvalue().splitlines()]
    assert (line["before"], line["after"], line["became_illegal"]) == ("legal", "not-legal", True)
    assert [one["rule"] for one in line["violations"]] == ["build-total"]
    assert line["facts"] == [
        {"element": refs(table.a)[0], "name": "Bramble", "fact": "points", "before": 17, "after": 190}
    ]


def test_a_judge_takes_the_new_facts_over_with_a_reason(table, staff):
    correct("Bramble", points=190)
    client = staff.client("judge")
    address = f"/events/{staff.event.public_id}/forces/{table.a.number}/take-over/"
    assert client.post(address).status_code == 409
    assert client.post(address, {"reason": "Official correction", "confirmed": "yes"}).status_code == 302
    force = force_of(table.a)
    assert (force.total, force.standing) == (250, Force.Standing.NOT_LEGAL)
    entry = AuditEntry.objects.filter(verb="change-force-late").latest("pk")
    assert entry.reason == "Official correction"
    text = client.get(f"/events/{staff.event.public_id}/forces/recheck/").content.decode()
    assert "Nothing has changed" in text


def test_the_office_checks_a_season(table, staff):
    correct("Bramble", points=190)
    day = staff.event.starts.date().isoformat()
    query = f"/forces/recheck/?since={day}&until={day}"
    assert staff.client("judge").get(query).status_code == 403
    text = staff.client("office").get(query).content.decode()
    assert "2 forces rechecked." in text
    assert "1 force is now illegal." in text
