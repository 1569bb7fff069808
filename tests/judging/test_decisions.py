"""Decisions from the ruling at the table to the head judge's final answer, with precedents. Through requests."""

import csv
import datetime
import io
import json
import re

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation
from pypdf import PdfReader

from events.actions import ACTIONS
from events.models import AuditEntry, ClockRun, Entry, Event, Extension, Hall, Match, Round
from events.results.result import Result
from events.roles import Actor
from events.services import undo
from judging import precedents
from judging.keeping.event_file import event_file
from judging.models import Call, Decision, TableDispute
from judging.readings import read_position
from judging.services import calls, disputes
from judging.services import decisions as services
from judging.services.decisions import Dispute, JudgeRuling
from rules import shelf
from rules.models import SavedDispute
from rules.services.disputes import begin_dispute
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.factories import EventFactory, OfficialFactory, PersonFactory

pytestmark = pytest.mark.django_db

PLAIN = {"question": "May Outwit be used on a figure with Stealth?", "answer": "yes", "departs_why": ""}


def figure(name, square, **facts):
    click = {"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": facts.pop("powers", [])}
    return {"id": name.lower(), "name": name, "square": square, "range": 8, "dial": [click], **facts}


def position(*, hindering=("D4",), powers=(), ask=True):
    """A line from B4 to G4 over hindering terrain: hindered, or blocked if the target has Stealth."""
    document = {
        "edition": "car-2002",
        "map": {"width": 12, "height": 12, "terrain": [{"type": "hindering", "squares": list(hindering)}]},
        "sides": [
            {"player": "A", "characters": [figure("Archer", "B4")]},
            {"player": "B", "characters": [figure("Shade", "G4", powers=list(powers))]},
        ],
    }
    if ask:
        document["ask"] = [{"ask": "line-of-fire", "from": "archer", "to": "shade"}]
    return document


@pytest.fixture
def hall(staff):
    """Four tables of a running round; the players at tables 1 and 2 have accounts; a judge is at table 1."""
    play(staff.event, 8, 1)
    for match in Match.objects.filter(table__lte=2):
        for entry in (match.a, match.b):
            Entry.objects.filter(pk=entry.pk).update(person=PersonFactory(name=f"{entry.name} Account"))
    ClockRun.objects.create(
        round=Round.objects.get(), phase="round", began=timezone.now() - datetime.timedelta(hours=1)
    )
    return staff


def at_table(table=1):
    return Match.objects.select_related("a__person", "b__person", "round__event").get(
        table=table, round__event=Event.objects.earliest("pk")
    )


def called(hall, minutes=4, table=1):
    """Return the call of a table where the judge has been for this long."""
    call, _new = calls.raise_call(by=hall.actor("judge"), match=at_table(table), text="Does he see him?")
    calls.arrive_at_table(by=hall.actor("judge"), call=call)
    began = timezone.now() - datetime.timedelta(minutes=minutes, seconds=-50)
    Call.objects.filter(pk=call.pk).update(raised=began, arrived=began)
    return Call.objects.get(pk=call.pk)


def client(hall, who):
    match = at_table()
    if who in ("player", "opponent"):
        return client_of((match.a if who == "player" else match.b).person)
    if who == "other":
        return client_of(at_table(2).a.person)
    return hall.client(who)


def rule_address(hall):
    return f"/events/{hall.event.public_id}/rule/"


def address(hall, number=1, verb=""):
    return f"/events/{hall.event.public_id}/rulings/{number}/{verb}"


def text(answer):
    return re.sub(r"\s+", " ", answer.content.decode())


def ruled(hall, who="judge", **said):
    """Return a decision about table 1, recorded by the service."""
    facts = {
        "question": "May Outwit be used on a figure with Stealth?",
        "answer": "yes",
        "topics": ("outwit", "stealth"),
    }
    return services.record_decision(
        by=hall.actor(who),
        event=hall.event,
        ruling=JudgeRuling(**facts | said),
        links=services.LinkedRows(match=at_table()),
    )


# ruling


def test_one_press_takes_the_reading_over_closes_the_call_and_gives_the_time_back(hall):
    called(hall)
    saved = begin_dispute(document=position(), title="Round 1, table 1")
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id)
    judge = client(hall, "judge")
    page = judge.get(rule_address(hall), {"dispute": saved.public_id})
    form = page.context["form"]
    assert form["answer"].value() == "hindered"
    assert form["minutes"].value() == 4
    assert form["question"].value() == "Is the line of fire from Archer to Shade clear?"
    shown = text(page)
    assert "Record and resolve call" in shown
    assert "hindering terrain in D4" in shown
    posted = {name: form[name].value() or "" for name in form.fields}
    hidden = {"round": 1, "table": 1, "dispute": saved.public_id, "version": Call.objects.get().version}
    done = judge.post(rule_address(hall), posted | hidden)
    assert done["Location"] == address(hall)
    decision, call = Decision.objects.get(), Call.objects.get()
    assert (decision.answer, decision.reading, decision.is_against_reading) == ("hindered", "hindered", False)
    assert (decision.match_id, decision.call_id) == (at_table().pk, call.pk)
    assert decision.extension == Extension.objects.get() == call.extension
    assert (decision.extension.seconds, call.state, call.outcome, call.category) == (240, "closed", "ruled", "line")
    assert decision.position == saved.document
    assert "hindering-terrain" in decision.topics
    assert [one["section"] for one in decision.citations] == form["citations"].value()
    seen = text(judge.get(address(hall)))
    for words in ("Hindered", "Archer", "Call resolved. The table gets 4 extra minutes.", "4 minutes"):
        assert words in seen


def test_the_form_shows_the_rulings_that_decide_and_folds_the_others(hall):
    called(hall)
    saved = begin_dispute(document=shelf.ready_disputes()["outwit-against-stealth"].position, title="Table 1")
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id)
    page = client(hall, "judge").get(rule_address(hall), {"dispute": saved.public_id}).content.decode()
    deciding = page.index("/rulings/faq-stealth-outwit/")
    assert (
        deciding
        < page.index("<summary>1 more ruling about Outwit</summary>")
        < page.index("/rulings/faq-outwit-no-action/")
    )


def test_a_ruling_against_the_reading_asks_why_and_is_recorded_as_such(hall):
    saved = begin_dispute(document=position(powers=["Stealth"]))
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id)
    posted = {"round": 1, "table": 1, "dispute": saved.public_id, "question": "Seen?", "answer": "hindered"}
    refused = client(hall, "judge").post(rule_address(hall), posted)
    assert refused.status_code == 400
    assert "The rules engine says otherwise. Say why you overrule it." in text(refused)
    assert not Decision.objects.exists()
    why = "The figure stood on another square when it fired."
    assert client(hall, "judge").post(rule_address(hall), posted | {"against_reading": why}).status_code == 302
    decision = Decision.objects.get()
    assert (decision.reading, decision.answer, decision.against_reading) == ("blocked", "hindered", why)
    assert decision.is_against_reading
    entry = AuditEntry.objects.get(verb="record-decision")
    assert entry.is_non_standard
    assert "overruled the rules engine" in entry.words
    page = text(client(hall, "judge").get(address(hall)))
    assert "overrules the rules engine" in page
    assert why in page
    assert "blocked" in page


def attack(**rolls):
    return {"action": "ranged", "actor": "archer", "targets": ["shade"], **({"rolls": rolls} if rolls else {})}


def test_a_ranged_attack_that_waits_for_its_dice_is_about_its_line(hall):
    saved = begin_dispute(document=position(ask=False) | {"actions": [attack()]})
    page = client(hall, "judge").get(rule_address(hall), {"dispute": saved.public_id, "round": 1, "table": 1})
    assert page.context["form"]["answer"].value() == "hindered"
    assert page.context["form"]["question"].value() == "Is the line of fire from Archer to Shade clear?"


def test_a_number_that_was_asked_for_is_read_from_its_parts():
    document = position(ask=False)
    archer = document["sides"][0]["characters"][0]
    archer["modifiers"] = [{"value": "attack", "by": 1, "source": "+1 a modifier (ignored: no)"}]
    reading = read_position(document | {"ask": [{"ask": "value", "of": archer["id"], "value": "attack"}]})
    attack = archer["dial"][0]["attack"]
    assert reading.text == f"{attack + 1}. {attack} attack, as printed; +1 +1 a modifier (ignored: no)."


def test_a_reading_that_waits_for_a_die_binds_no_one(hall):
    document = position(ask=False, powers=["Super Senses"]) | {"actions": [attack(attack=[[4, 5]])]}
    saved = begin_dispute(document=document)
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id)
    posted = {"round": 1, "table": 1, "dispute": saved.public_id, "question": "Hit?", "answer": "no"}
    page = client(hall, "judge").get(rule_address(hall), {"dispute": saved.public_id})
    assert "waiting for a roll or choice" in text(page)
    assert client(hall, "judge").post(rule_address(hall), posted).status_code == 302
    assert Decision.objects.get().reading == ""


@pytest.mark.parametrize(
    ("document", "answer", "question"),
    [
        (position(powers=["Stealth"], ask=False), "blocked", "Is the line of fire from Archer to Shade clear?"),
        (position(ask=False), "yes", "Can Archer attack Shade in ranged combat?"),
        (position(ask=False) | {"range": 3}, "no", "Can Archer attack Shade in ranged combat?"),
    ],
)
def test_an_attack_reads_as_its_line_where_that_decides_else_whether_it_may_be(hall, document, answer, question):
    if "range" in document:
        document["sides"][0]["characters"][0]["range"] = document.pop("range")
    saved = begin_dispute(document=document | {"actions": [attack(attack=[[4, 5]])]})
    page = client(hall, "judge").get(rule_address(hall), {"dispute": saved.public_id, "round": 1, "table": 1})
    assert page.context["form"]["answer"].value() == answer
    assert page.context["form"]["question"].value() == question


def test_why_a_line_is_hindered_survives_the_attack_into_form_page_and_paper(hall):
    saved = begin_dispute(document=position(ask=False) | {"actions": [attack(attack=[[4, 5]])]})
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id)
    judge, why = client(hall, "judge"), "hindered: hindering terrain in D4"
    page = judge.get(rule_address(hall), {"dispute": saved.public_id, "round": 1, "table": 1})
    form = page.context["form"]
    posted = {name: form[name].value() or "" for name in form.fields}
    made = judge.post(rule_address(hall), posted | {"round": 1, "table": 1, "dispute": saved.public_id}, follow=True)
    paper = PdfReader(io.BytesIO(judge.get(address(hall, verb="ruling.pdf")).content))
    printed = " ".join(" ".join(sheet.extract_text() for sheet in paper.pages).split("Step by step")[0].split())
    for shown in (text(page), text(made), printed):
        assert why in shown
        assert "Archer is given an action token" in shown


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"question": ""}, "Enter the question."),
        ({"answer": ""}, "Choose your ruling."),
        ({"answer": "words"}, "Enter the ruling in words."),
        ({"section": "Of Cabbages"}, "has no such section"),
    ],
)
def test_missing_values_are_reported_at_their_field_and_nothing_typed_is_lost(hall, said, told):
    posted = PLAIN | {"round": 1, "table": 1, "reasons": "Because of the FAQ."} | said
    page = client(hall, "judge").post(rule_address(hall), posted)
    assert page.status_code == 400
    assert told in text(page)
    assert "Because of the FAQ." in text(page)
    assert not Decision.objects.exists()


def test_no_call_is_closed_if_the_ruling_cannot_be_recorded(hall):
    call = called(hall)
    posted = PLAIN | {"round": 1, "table": 1, "answer": "words", "minutes": "4", "agreed": "0", "version": call.version}
    assert client(hall, "judge").post(rule_address(hall), posted).status_code == 400
    assert Call.objects.get().is_open
    assert not Extension.objects.exists()


def test_another_judges_call_stays_open(hall):
    called(hall)
    other = client_of(OfficialFactory(event=hall.event, role="judge").person)
    page = other.get(rule_address(hall), {"round": 1, "table": 1})
    assert "stays open" in text(page)
    done = other.post(rule_address(hall), PLAIN | {"round": 1, "table": 1})
    assert done["Location"] == f"/events/{hall.event.public_id}/calls/{Call.objects.get().pk}/"
    assert Call.objects.get().is_open
    assert Decision.objects.get().call == Call.objects.get()


def test_from_a_call_to_its_position_to_the_ruling_and_back_to_the_call_while_its_stopwatch_runs(hall):
    Event.objects.update(edition="car-2002")
    call, judge = called(hall), client(hall, "judge")
    here = f"/events/{hall.event.public_id}/calls/{call.pk}/"
    set_up = f"/events/{hall.event.public_id}/rounds/1/tables/1/dispute/"
    assert f'action="{set_up}"' in text(judge.get(here))
    judge.post(set_up)
    saved = SavedDispute.objects.get()
    SavedDispute.objects.update(document={**position(), "edition": saved.document["edition"]})
    page = judge.get(saved.return_to)
    assert f'href="{here}"' in text(page)
    assert "is at the table" in text(page)
    form = page.context["form"]
    posted = {name: form[name].value() or "" for name in form.fields} | {"stay": "yes"}
    hidden = {"round": 1, "table": 1, "dispute": saved.public_id, "version": call.version}
    refused = judge.post(rule_address(hall), posted | hidden | {"question": ""})
    assert refused.status_code == 400
    assert refused.context["form"]["minutes"].value() == "4", "resolving the call after all still gives the time back"
    done = judge.post(rule_address(hall), posted | hidden, follow=True)
    assert done.redirect_chain == [(here, 302)]
    call.refresh_from_db()
    assert (call.state, call.extension, Extension.objects.count()) == ("at-table", None, 0)
    decision = Decision.objects.get()
    assert (decision.call, decision.dispute_key) == (call, saved.public_id)
    assert re.search(r'role="timer"[^>]*>\s*<[^>]*data-[^>]*>\s*3:\d\d', text(done))
    assert address(hall) in text(done)
    assert (done.context["form"]["outcome"].value(), done.context["form"]["minutes"].value()) == ("ruled", 4)
    closed = {name: done.context["form"][name].value() for name in done.context["form"].fields}
    resolving = closed | {"category": "line", "version": call.version}
    assert judge.post(f"{here}close/", resolving).status_code == 302
    assert Extension.objects.get().seconds == 240


def test_a_ruling_without_a_table_and_with_typed_topics_and_section(hall):
    posted = PLAIN | {"more_topics": "Outwit, stealth, nonsense", "section": "Ranged Combat"}
    assert client(hall, "head_judge").post(rule_address(hall), posted).status_code == 302
    decision = Decision.objects.get()
    assert decision.topics == ["outwit", "stealth"]
    assert decision.citations == [{"edition": "car-2002", "section": "Ranged Combat"}]
    assert decision.match is None


@pytest.mark.parametrize(
    ("who", "status"),
    [("judge", 302), ("head_judge", 302), ("scorekeeper", 403), ("player", 403), ("manager", 403), ("office", 403)],
)
def test_who_may_rule(hall, who, status):
    assert client(hall, who).post(rule_address(hall), PLAIN | {"round": 1, "table": 1}).status_code == status
    assert Decision.objects.count() == (status == 302)


# reading


@pytest.mark.parametrize(
    ("who", "status"),
    [("player", 200), ("opponent", 200), ("other", 404), ("scorekeeper", 200), ("manager", 200), ("judge", 200)],
)
def test_who_reads_a_decision(hall, who, status):
    ruled(hall)
    assert client(hall, who).get(address(hall)).status_code == status
    listed = client(hall, who).get(f"/events/{hall.event.public_id}/rulings/").status_code
    assert listed == (200 if who in ("scorekeeper", "manager", "judge") else 403)


def test_the_players_find_it_at_their_table_and_spectators_do_not(hall):
    ruled(hall)
    table = f"/events/{hall.event.public_id}/rounds/1/tables/1/"
    assert address(hall) in text(client(hall, "player").get(table))
    assert address(hall) in text(client(hall, "judge").get(table))
    assert address(hall) not in text(client(hall, "other").get(table))


# appeals


def test_a_player_appeals_and_the_head_judge_overturns(hall):
    ruled(hall)
    page = client(hall, "player").get(address(hall))
    assert "Appeal to the head judge" in text(page)
    assert client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": " "}).status_code == 400
    sent = client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "Stealth stops it.", "version": 1})
    assert sent.status_code == 302
    decision = Decision.objects.get()
    assert (decision.state, decision.appealed_by_entry) == ("appealed", at_table().a)
    waiting = text(client(hall, "head_judge").get(f"/events/{hall.event.public_id}/rulings/"))
    assert "1 appeal for the head judge" in waiting
    head = client(hall, "head_judge")
    said = {"act": "overturn", "final_answer": "no", "version": decision.version}
    assert head.post(address(hall, verb="answer/"), said).status_code == 400
    assert head.post(address(hall, verb="answer/"), said | {"final_reasons": "The FAQ says no."}).status_code == 302
    decision.refresh_from_db()
    assert (decision.state, decision.answer, decision.counts) == ("overturned", "yes", "no")
    assert decision.final_by == hall.head_judge
    page = text(client(hall, "player").get(address(hall)))
    assert "The FAQ says no." in page
    assert "<s>Yes</s>" in page
    assert "Stealth stops it." in page
    for verb, posted in (("appeal/", {"appeal": "again"}), ("answer/", said | {"final_reasons": "x", "version": ""})):
        who = "player" if verb == "appeal/" else "head_judge"
        assert client(hall, who).post(address(hall, verb=verb), posted).status_code == 403


def test_upheld_with_reasons(hall):
    ruled(hall)
    client(hall, "opponent").post(address(hall, verb="appeal/"), {"appeal": "No."})
    done = client(hall, "head_judge").post(
        address(hall, verb="answer/"), {"act": "uphold", "final_reasons": "As the FAQ has it."}
    )
    assert done.status_code == 302
    decision = Decision.objects.get()
    assert (decision.state, decision.counts, decision.final_reasons) == ("upheld", "yes", "As the FAQ has it.")


def test_an_answered_appeal_gives_the_table_its_time_back(hall):
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    since = timezone.now() - datetime.timedelta(minutes=5, seconds=-20)
    Decision.objects.update(appealed_at=since)
    head = client(hall, "head_judge")
    assert head.get(address(hall)).context["final_form"]["minutes"].value() == 5
    posted = {"act": "uphold", "final_reasons": "As the FAQ has it."}
    assert head.post(address(hall, verb="answer/"), posted | {"minutes": "-1"}).status_code == 400
    assert head.post(address(hall, verb="answer/"), posted | {"minutes": "6"}).status_code == 302
    extension = Extension.objects.get()
    assert (extension.match, extension.seconds, extension.given_by) == (at_table(), 360, hall.head_judge)
    assert Decision.objects.get().state == "upheld"


def test_a_table_that_has_finished_gets_no_time_for_an_appeal(hall):
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    Match.objects.filter(pk=at_table().pk).update(state=Match.State.CONFIRMED)
    head = client(hall, "head_judge")
    assert 'name="minutes"' not in head.get(address(hall)).content.decode()
    posted = {"act": "uphold", "final_reasons": "As the FAQ has it.", "minutes": "6"}
    assert head.post(address(hall, verb="answer/"), posted).status_code == 302
    assert not Extension.objects.exists()


def test_the_head_judge_decides_even_without_an_appeal(hall):
    ruled(hall)
    head = client(hall, "head_judge")
    page = text(head.get(address(hall)))
    assert "Make a final ruling" in page
    assert "Appeal to the head judge" not in page
    said = {"act": "overturn", "final_answer": "no", "final_reasons": "I saw it."}
    assert head.post(address(hall, verb="answer/"), said).status_code == 302
    assert Decision.objects.get().state == "overturned"
    services.withdraw_decision(by=hall.actor("head_judge"), decision=Decision.objects.get(), reason="x")
    assert "No final ruling is needed" in text(head.post(address(hall, verb="answer/"), said))
    ruled(hall, "head_judge", question="Another?")
    told = head.post(address(hall, 2, "answer/"), said)
    assert "This is your own ruling" in text(told)


@pytest.mark.parametrize("who", ["judge", "player", "scorekeeper", "manager"])
def test_only_the_head_judge_answers(hall, who):
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    said = {"act": "uphold", "final_reasons": "Mine."}
    assert client(hall, who).post(address(hall, verb="answer/"), said).status_code == 403
    assert Decision.objects.get().state == "appealed"


@pytest.mark.parametrize(("who", "status"), [("other", 404), ("scorekeeper", 403), ("judge", 302), ("opponent", 302)])
def test_who_appeals(hall, who, status):
    ruled(hall)
    assert client(hall, who).post(address(hall, verb="appeal/"), {"appeal": "No."}).status_code == status


def test_no_one_is_above_the_head_judge(hall):
    ruled(hall, "head_judge")
    page = client(hall, "player").get(address(hall))
    assert "Appeal to the head judge" not in text(page)
    told = client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    assert "The head judge made this ruling. It is final." in text(told)


def test_an_appeal_and_a_final_answer_are_withdrawn_as_new_entries(hall):
    ruled(hall)
    player, head = client(hall, "player"), client(hall, "head_judge")
    player.post(address(hall, verb="appeal/"), {"appeal": "No."})
    assert client(hall, "opponent").post(address(hall, verb="withdraw-appeal/")).status_code == 403
    assert player.post(address(hall, verb="withdraw-appeal/")).status_code == 302
    assert Decision.objects.get().state == "stands"
    player.post(address(hall, verb="appeal/"), {"appeal": "Yes, after all."})
    head.post(address(hall, verb="answer/"), {"act": "uphold", "final_reasons": "So."})
    assert head.post(address(hall, verb="reopen/")).status_code == 409
    assert head.post(address(hall, verb="reopen/"), {"confirmed": "yes", "reason": "I misread."}).status_code == 302
    decision = Decision.objects.get()
    assert (decision.state, decision.final_answer, decision.final_by) == ("appealed", "", None)
    kept = AuditEntry.objects.get(verb="reopen-appeal")
    assert kept.changes[0]["before"]["final_reasons"] == "So."
    verbs = list(AuditEntry.objects.order_by("pk").values_list("verb", flat=True))[-5:]
    assert verbs == ["appeal-decision", "withdraw-appeal", "appeal-decision", "answer-appeal", "reopen-appeal"]


def test_a_decision_is_withdrawn_and_replaced(hall):
    ruled(hall)
    other = client_of(OfficialFactory(event=hall.event, role="judge").person)
    given = {"confirmed": "yes", "reason": "Wrong edition."}
    assert other.post(address(hall, verb="withdraw/"), given).status_code == 403
    assert client(hall, "judge").post(address(hall, verb="withdraw/"), given).status_code == 302
    assert Decision.objects.get().counts == ""
    posted = PLAIN | {"round": 1, "table": 1, "replaces": 1, "answer": "no"}
    assert client(hall, "judge").post(rule_address(hall), posted).status_code == 302
    page = text(client(hall, "player").get(address(hall)))
    assert "Wrong edition." in page
    assert "Replaced by Ruling 2" in page
    assert Decision.objects.get(number=2).replaces.number == 1


def test_once_appealed_only_the_head_judge_takes_it_back(hall):
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    given = {"confirmed": "yes", "reason": "Oh."}
    assert client(hall, "judge").post(address(hall, verb="withdraw/"), given).status_code == 403
    assert client(hall, "head_judge").post(address(hall, verb="withdraw/"), given).status_code == 302


def test_undo_never_removes_a_decision(hall):
    ruled(hall)
    entry = AuditEntry.objects.get(verb="record-decision")
    assert "Withdraw it on its own page" in str(undo.why_never(entry))


def test_a_stale_answer_is_shown_and_writes_nothing(hall):
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    said = {"act": "uphold", "final_reasons": "So.", "version": "1"}
    assert client(hall, "head_judge").post(address(hall, verb="answer/"), said).status_code == 409
    assert Decision.objects.get().state == "appealed"


def test_a_ruling_that_was_refused_can_be_pressed_again_with_its_reason(hall):
    called(hall)
    saved = begin_dispute(document=position(powers=["Stealth"]))
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id)
    judge = client(hall, "judge")
    shown = judge.get(rule_address(hall), {"dispute": saved.public_id})
    assert "Reason for overruling the rules engine</label>" in text(shown)  # and no "optional" next to it
    posted = {"round": 1, "table": 1, "dispute": saved.public_id, "question": "Seen?", "answer": "hindered"}
    refused = judge.post(rule_address(hall), posted | {"version": shown.context["closes"].version, "minutes": 4})
    assert (refused.status_code, Call.objects.get().state) == (400, "at-table")
    assert refused.context["closes"].version == Call.objects.get().version
    again = {"version": refused.context["closes"].version, "against_reading": "It stood elsewhere.", "minutes": 4}
    assert judge.post(rule_address(hall), posted | again).status_code == 302
    assert (Decision.objects.get().call, Call.objects.get().state) == (Call.objects.get(), "closed")


def on_paper(answer):
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages]
    return " ".join(" ".join(pages).split())


def test_the_paper_of_a_table_dispute_names_its_table_but_no_player(hall):
    opened = disputes.open_dispute(by=hall.actor("judge"), match=at_table())
    shown = on_paper(Client().get(reverse("rules:dispute-pdf", args=[opened.saved.public_id])))
    assert "Round 1, table 1" in shown
    for name in (at_table().a.name, at_table().b.name, "@"):
        assert name not in shown


def test_a_withdrawn_ruling_has_no_line_to_sign_on(hall):
    client(hall, "judge").post(rule_address(hall), PLAIN | {"round": 1, "table": 1})
    paper = address(hall, verb="ruling.pdf")
    assert "date, signature" in on_paper(client(hall, "judge").get(paper))
    services.withdraw_decision(
        by=hall.actor("judge"), decision=Decision.objects.get(), reason="Wrong table.", confirmed=True
    )
    assert "date, signature" not in on_paper(client(hall, "judge").get(paper))


def test_a_printed_ruling_has_answers_reasons_and_steps(hall):
    shot = {"action": "ranged", "actor": "archer", "targets": ["shade"]}
    saved = begin_dispute(document=position(powers=["Stealth"], ask=False) | {"actions": [shot]})
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id)
    posted = {"round": 1, "table": 1, "dispute": saved.public_id, "question": "Seen?", "answer": "hindered"}
    reasons = {"against_reading": "It stood elsewhere.", "reasons": "Both players said so."}
    client(hall, "judge").post(rule_address(hall), posted | reasons)
    paper = address(hall, verb="ruling.pdf")
    assert paper in client(hall, "player").get(address(hall)).content.decode()
    shown = on_paper(client(hall, "player").get(paper))
    match, event = at_table(), hall.event
    for words in (event.name, "Seen?", match.a.name, match.b.name, "Hindered", "Both players said so.", "Not allowed"):
        assert words in shown
    for words in ("Ruling", "Why the judge overruled the rules engine: It stood elsewhere.", "Blocked", "Step by step"):
        assert words in shown
    page = text(client(hall, "player").get(address(hall)))
    for words in (
        f"{event.name} · Round 1, Table 1",
        "Ar Archer A 1 8 9 15 2 8",
        "Shade B",
        f"Judge {hall.judge} · date",
    ):
        assert words in shown
    assert "@" not in shown, "no one's e-mail address is printed"
    for told in (shown, page):
        assert told.index("It stood elsewhere.") < told.index("Rules engine says"), "the ruling comes first"
    assert "final ruling" not in shown
    decision = Decision.objects.get()
    services.appeal_decision(by=hall.actor("judge"), decision=decision, why="The FAQ says otherwise.")
    services.answer_appeal(
        by=hall.actor("head_judge"), decision=decision, upheld=False, answer="blocked", reasons="Stealth hides it."
    )
    shown = on_paper(client(hall, "judge").get(paper, {"paper": "letter"}))
    for words in (
        "The head judge's final ruling",
        "Blocked",
        "Stealth hides it.",
        "Original ruling",
        "The FAQ says otherwise.",
        "Head judge",
    ):
        assert words in shown
    assert client(hall, "other").get(paper).status_code == 404
    assert client(hall, "judge").get(paper.replace("/1/", "/2/")).status_code == 404


def test_an_undo_not_offered_at_once_is_not_offered_beside_a_later_message(hall):
    judge = client(hall, "judge")
    opened = judge.post(f"/events/{hall.event.public_id}/rounds/1/tables/1/dispute/")  # recorded, but says nothing
    dispute = opened["Location"]
    assert judge.get(dispute, follow=True).status_code == 200
    refused = judge.post(dispute.partition("?")[0], {"do": "hold", "who": "nobody"}, follow=True).content.decode()
    assert 'class="messages"' in refused
    assert 'class="undo ' not in refused


# precedents


def elsewhere(hall, **said):
    """A decision of another event in this installation."""
    other = EventFactory(venue=hall.event.venue, name="Last Month", state="running", edition=hall.event.edition)
    judge = OfficialFactory(event=other, role="judge").person
    facts = {"question": "May Outwit see past Stealth?", "answer": "no", "topics": ("outwit", "stealth")} | said
    return services.record_decision(by=Actor(person=judge), event=other, ruling=JudgeRuling(**facts))


@pytest.mark.parametrize(
    "asked",
    [position(), position(ask=False) | {"actions": [{"action": "close", "actor": "archer", "targets": ["shade"]}]}],
)
def test_a_question_of_the_engine_finds_its_precedents_in_any_language(hall, asked):
    """The judge of last month read French; the position is another one, and so are its topics."""
    with translation.override("fr"):
        french = read_position(asked)
        event = EventFactory(venue=hall.event.venue, state="running", edition=hall.event.edition)
        said = JudgeRuling(
            question=f"{french.question} ", answer="words", text="Non.", against_reading="Vu", topics=("stealth",)
        )
        judge = Actor(person=OfficialFactory(event=event, role="judge").person)
        services.record_decision(by=judge, event=event, ruling=said, dispute=Dispute("", asked, french))
    moved = asked | {"sides": json.loads(json.dumps(asked["sides"]).replace("G4", "G5"))}
    english = read_position(moved)
    assert english.question != french.question
    found = precedents.similar(hall.event, ["outwit"], precedents.question_key(english.question, english))
    assert [str(one.why) for one in found] == ["same question"]
    assert not precedents.similar(hall.event, ["outwit"], precedents.question_key("Another?", english))


def test_earlier_decisions_of_the_event_and_of_the_installation_are_shown_while_ruling(hall):
    elsewhere(hall)
    ruled(hall, departs_why="That was before the FAQ.")
    page = client(hall, "judge").get(
        rule_address(hall), {"round": 1, "table": 1, "question": "May Outwit be used on a figure with Stealth?"}
    )
    found = page.context["found"]
    assert [(one["here"], str(one["why"])) for one in found] == [(True, "same question")]
    posted = PLAIN | {"round": 1, "table": 1, "more_topics": "Outwit, Stealth"}
    page = client(hall, "judge").post(rule_address(hall), posted)
    assert [one["here"] for one in page.context["found"]] == [True]
    assert [one["here"] for one in page.context["contradictions"]] == [False], "what differs stands apart, and once"
    assert "Last Month" in text(page)


def test_a_contradiction_is_flagged_and_asks_why(hall):
    earlier = elsewhere(hall)
    with pytest.raises(ValidationError) as told:
        ruled(hall)
    assert "Ruling 1 said “no”" in told.value.message_dict["departs_why"][0]
    decision = ruled(hall, departs_why="The later FAQ allows it.")
    assert (decision.departs_from, decision.departs_why) == (earlier, "The later FAQ allows it.")
    page = text(client(hall, "judge").get(address(hall)))
    assert "Earlier rulings say otherwise" in page
    assert "The later FAQ allows it." in page
    assert "Earlier rulings say otherwise" not in text(client(hall, "player").get(address(hall)))


def test_the_final_answer_of_a_precedent_counts(hall):
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    said = {"act": "overturn", "final_answer": "no", "final_reasons": "The FAQ."}
    client(hall, "head_judge").post(address(hall, verb="answer/"), said)
    assert ruled(hall, answer="no").departs_from is None
    with pytest.raises(ValidationError):
        ruled(hall, answer="yes")


@pytest.mark.parametrize(
    "said",
    [
        {"topics": ("outwit",), "question": "Another?"},
        {"topics": (), "question": "Another?"},
        {"topics": ("line-of-fire",), "question": "Another?"},
        {"answer": "yes"},
        {"answer": "blocked", "question": "Another?"},
    ],
)
def test_another_case_contradicts_nothing(hall, said):
    ruled(hall)
    facts = {"answer": "no"} | said
    assert ruled(hall, **facts).departs_from is None


def test_a_withdrawn_decision_is_no_precedent(hall):
    ruled(hall)
    client(hall, "judge").post(address(hall, verb="withdraw/"), {"confirmed": "yes", "reason": "Oh."})
    assert ruled(hall, answer="no").departs_from is None


def test_two_positions_that_both_follow_the_book_contradict_nothing(hall):
    from judging.services.disputes import dispute_at

    def by_the_book(document, answer, **said):
        saved = begin_dispute(document=document)
        dispute = dispute_at(saved.public_id)
        facts = {"question": dispute.reading.question, "answer": answer, "topics": ("stealth", "hindering-terrain")}
        return services.record_decision(
            by=hall.actor("judge"), event=hall.event, ruling=JudgeRuling(**facts | said), dispute=dispute
        )

    first = by_the_book(position(), "hindered")
    second = by_the_book(position(powers=["Stealth"]), "blocked")
    assert second.departs_from is None
    with pytest.raises(ValidationError):
        by_the_book(position(), "blocked", against_reading="I say so.")
    third = by_the_book(position(), "blocked", against_reading="I say so.", departs_why="It moved.")
    assert third.departs_from in (first, second)


# disputes of a table


def test_a_dispute_is_opened_from_a_table_and_leads_back(hall):
    done = client(hall, "judge").post(f"/events/{hall.event.public_id}/rounds/1/tables/1/dispute/")
    assert done.status_code == 302
    noted = TableDispute.objects.get()
    assert noted.key in done["Location"]
    page = client(hall, "judge").get(done["Location"], follow=True)
    assert page.status_code == 200
    back = f"{rule_address(hall)}?round=1&amp;table=1&amp;dispute={noted.key}"
    assert back in page.content.decode()
    assert back not in client(hall, "player").get(done["Location"], follow=True).content.decode()
    assert client(hall, "player").post(f"/events/{hall.event.public_id}/rounds/1/tables/1/dispute/").status_code == 403


def test_a_dispute_opened_from_a_table_knows_which_force_is_a_themed_team(hall):
    from events.models import Force
    from rules.models import SavedDispute

    report = {"themed_team": {"keyword": "Justice League", "kind": "named"}}
    Force.objects.create(entry=at_table().a, state="submitted", document={"force": {}}, report=report)
    Force.objects.create(entry=at_table().b, state="submitted", document={"force": {}}, report={"themed_team": None})
    client(hall, "judge").post(f"/events/{hall.event.public_id}/rounds/1/tables/1/dispute/")
    sides = SavedDispute.objects.get(public_id=TableDispute.objects.get().key).document["sides"]
    assert [side.get("themed_team") for side in sides] == ["Justice League", None]


def test_a_fresh_ruling_finds_the_position_that_was_set_up_at_the_call(hall):
    set_up = f"/events/{hall.event.public_id}/rounds/1/tables/1/dispute/"
    fresh = f"{rule_address(hall)}?round=1&table=1"
    judge = client(hall, "judge")
    assert "Set up position" in judge.get(fresh).content.decode()
    judge.post(set_up)
    before = TableDispute.objects.get()
    shown = judge.get(fresh)
    assert shown.context["dispute"] is None, "it was not set up at a call that is open"
    assert f"dispute={before.key}" in shown.content.decode()
    assert "Set up position" not in shown.content.decode()
    called(hall)
    judge.post(set_up)
    of_the_call = TableDispute.objects.latest("pk")
    call_page = judge.get(f"/events/{hall.event.public_id}/calls/{Call.objects.get().pk}/").content.decode()
    assert f"positions/{of_the_call.key}/" in call_page
    quick = f'href="{reverse("rules:quick")}?edition={hall.event.edition}"'
    table_page = judge.get(f"/events/{hall.event.public_id}/rounds/1/tables/1/").content.decode()
    assert [page.count(quick) for page in (call_page, table_page)] == [1, 1], (
        "quick answers open in the event's edition"
    )
    assert f"positions/{before.key}/" not in call_page
    shown = judge.get(fresh)
    assert shown.context["dispute"].public_id == of_the_call.key
    assert f'name="dispute" value="{of_the_call.key}"' in text(shown)
    assert [one.key for one in shown.context["positions"]] == [before.key]
    without = judge.get(f"{fresh}&position=none")
    assert "position=none" in shown.content.decode()
    assert without.context["dispute"] is None
    assert 'name="dispute"' not in without.content.decode()
    call = Call.objects.get()
    posted = {"round": 1, "table": 1, "question": "Seen?", "answer": "yes", "category": "line", "version": call.version}
    assert judge.post(rule_address(hall), posted | {"dispute": of_the_call.key}).status_code == 302
    assert Decision.objects.get().dispute_key == of_the_call.key
    assert [one.key for one in judge.get(fresh).context["positions"]] == [before.key], (
        "what is ruled is not offered again"
    )


def test_a_position_s_paper_is_dated_by_the_venue_s_clock(hall):
    hall.event.venue.time_zone = "Europe/Brussels"
    hall.event.venue.save()
    client(hall, "judge").post(f"/events/{hall.event.public_id}/rounds/1/tables/1/dispute/")
    assert SavedDispute.objects.get().time_zone == "Europe/Brussels"


def test_an_appeal_stands_beside_the_calls_of_the_event_and_of_the_hall(hall):
    Event.objects.update(hall=Hall.objects.create(venue=hall.event.venue, name="Great hall"))
    hall.event.refresh_from_db()
    queues = (
        f"/events/{hall.event.public_id}/calls/",
        f"/venues/{hall.event.venue_id}/halls/{hall.event.hall_id}/calls/",
    )
    made = ruled(hall)

    def pages():
        return [client(hall, "head_judge").get(where).content.decode() for where in queues]

    assert not any("waiting for the head judge" in page for page in pages())
    services.appeal_decision(by=hall.actor("judge"), decision=made, why="The FAQ says otherwise.")
    for page in pages():
        assert "1 appeal for the head judge" in page
        assert f'href="{address(hall)}#answer"' in page
    services.answer_appeal(by=hall.actor("head_judge"), decision=made, upheld=True, reasons="It does not.")
    assert not any("waiting for the head judge" in page for page in pages())


def test_an_earlier_decision_that_differs_is_shown_once(hall):
    ruled(hall)
    posted = {"round": 1, "table": 1, "question": "May Outwit be used on a figure with Stealth?", "answer": "no"}
    page = client(hall, "judge").post(rule_address(hall), posted | {"more_topics": "Outwit, Stealth"})
    assert len(page.context["contradictions"]) == 1
    assert page.context["found"] == []


# lists, audit log, queries


def test_the_list_is_filtered(hall):
    ruled(hall)
    ruled(hall, "head_judge", question="Does a car block?", answer="no", topics=("blocking-terrain",))
    listed = f"/events/{hall.event.public_id}/rulings/"

    def found(**asked):
        return [row.record.number for row in client(hall, "judge").get(listed, asked).context["table"].rows]

    assert found() == [2, 1]
    assert found(topic="outwit") == [1]
    assert found(judge=hall.head_judge.pk) == [2]
    assert found(q="car block") == [2]
    assert found(state="appealed") == []
    assert found(reading="none") == [2, 1]
    assert found(reading="yes") == []


def test_three_decisions_and_sixty_cost_the_same(hall):
    listed = f"/events/{hall.event.public_id}/rulings/"

    def cost(where):
        with CaptureQueriesContext(connection) as captured:
            assert client(hall, "judge").get(where).status_code == 200
        return len(captured)

    for n in range(3):
        ruled(hall, question=f"Question {n}?")
    few = [cost(where) for where in (listed, address(hall), rule_address(hall) + "?round=1&table=1")]
    for n in range(3, 60):
        ruled(hall, question=f"Question {n}?")
    many = [cost(where) for where in (listed, address(hall), rule_address(hall) + "?round=1&table=1")]
    assert many == few


def test_the_verbs_are_in_the_action_table():
    judging = {"head-judge", "judge", "hall-judge"}
    for verb in ("open-dispute", "record-decision", "take-decision-back"):
        assert {role.value for role in ACTIONS[verb].roles} == judging
    for verb in ("appeal-decision", "withdraw-appeal"):
        assert {role.value for role in ACTIONS[verb].roles} == judging | {"player"}
    for verb in ("answer-appeal", "reopen-appeal"):
        assert {role.value for role in ACTIONS[verb].roles} == {"head-judge"}


# reports


@pytest.fixture
def reported(hall):
    """Three decisions: against the reading and closed with a call; overturned on appeal; withdrawn."""
    called(hall)
    saved = begin_dispute(document=position(powers=["Stealth"]))
    services.note_dispute(by=hall.actor("judge"), match=at_table(), key=saved.public_id, title="Round 1, table 1")
    posted = {
        "round": 1, "table": 1, "dispute": saved.public_id, "question": "Seen?", "answer": "hindered", "category": "line",
        "against_reading": "It had moved.", "minutes": "4", "agreed": "1", "version": Call.objects.get().version,
    }  # fmt: skip
    assert client(hall, "judge").post(rule_address(hall), posted).status_code == 302
    ruled(hall)
    client(hall, "player").post(address(hall, 2, "appeal/"), {"appeal": "=No."})
    said = {"act": "overturn", "final_answer": "no", "final_reasons": "The FAQ."}
    client(hall, "head_judge").post(address(hall, 2, "answer/"), said)
    ruled(hall, question="Late?", topics=())
    client(hall, "judge").post(address(hall, 3, "withdraw/"), {"confirmed": "yes", "reason": "Twice written."})
    return hall.event


def test_decisions_stand_in_the_event_file_as_plain_values(reported, hall):
    document = event_file(reported)
    against, overturned, gone = document["decisions"]
    assert (against["round"], against["table"], against["call"]) == (1, 1, 0)
    assert against["extension"] == {"seconds": 300, "withdrawn": False}
    assert (against["reading"], against["answer"], against["against_reading"]) == (
        "blocked",
        "hindered",
        "It had moved.",
    )
    assert against["position"]["edition"] == "car-2002"
    assert against["outcome"]["answers"][0]["result"] == "blocked"
    assert document["disputes"][0]["key"] == against["dispute"]
    assert overturned["state"] == "overturned"
    assert overturned["appeal"]["entry"] == at_table().a.number
    assert (overturned["final"]["answer"], overturned["final"]["by"]) == ("no", hall.head_judge.name)
    assert gone["taken_back"] == {
        "by": hall.judge.name, "at": gone["taken_back"]["at"], "why": "Twice written.",
    }  # fmt: skip
    assert json.loads(json.dumps(document["decisions"])) == document["decisions"]


def test_the_result_sheet_says_what_was_ruled_and_what_became_of_it(reported, hall):
    manager = hall.client("manager")
    where = f"/events/{reported.public_id}/results"
    pages = PdfReader(io.BytesIO(manager.get(f"{where}.pdf").content)).pages
    paper = " ".join(" ".join(page.extract_text() for page in pages).split())
    for words in (
        "Rulings",
        "The judge overruled the rules engine's answer (blocked): It had moved.",
        "no (head judge's final ruling; original ruling: yes). The FAQ.",
        "withdrawn: Twice written.",
    ):
        assert words in paper
    rows = list(csv.reader(io.StringIO(manager.get(f"{where}.csv").content.decode("utf-8-sig"))))
    heads = next(row for row in rows if row[:2] == ["decisions", "#"])
    lines = [dict(zip(heads, row, strict=True)) for row in rows if row[0] == "decisions" and row[1] != "#"]
    assert [line["answer that counts"] for line in lines] == ["hindered", "no", ""]
    assert lines[1]["appeal"] == "'=No."


def test_results_are_not_verified_while_an_appeal_waits(hall):
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "No."})
    for match in Match.objects.all():
        match.result, match.state = Result((1, 0), winner="a"), "confirmed"
        match.save()
    Round.objects.update(state="complete")
    Event.objects.filter(pk=hall.event.pk).update(state="finished")
    told = client(hall, "head_judge").post(f"/events/{hall.event.public_id}/finish/verify/")
    assert "Ruling 1 is under appeal" in text(told)
    assert Event.objects.get(pk=hall.event.pk).state == "finished"


def test_the_first_page_and_one_s_own_count_calls_and_appeals(hall):
    calls.raise_call(by=hall.actor("judge"), match=at_table(2), text="Come")
    ruled(hall)
    client(hall, "player").post(address(hall, verb="appeal/"), {"appeal": "Stealth stops it.", "version": 1})
    for page in ("/", "/me/"):
        for who in ("head_judge", "judge"):
            read = text(client(hall, who).get(page))
            assert "1 table is waiting for a judge" in read
            assert "1 appeal for the head judge" in read
        assert "waits" not in text(client(hall, "player").get(page))
