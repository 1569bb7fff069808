"""Decisions: recorded by the judge who ruled, appealed, finally answered by the head judge, withdrawn.

Ruling against the rules engine, or against an earlier decision on the same case, is possible and needs a reason.
Nothing is overwritten: an answer that no longer counts stays in the row and in the audit log. Closing the call, with
its extension, goes through `judging.services.calls` in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from events.audit import round_fact
from events.door import Refused, Writing, door
from events.models import Claim, Entry, Event, Extension, Match, Person, Role
from events.roles import JUDGES, Actor
from events.services.clock import extend_table
from judging import precedents
from judging.models import Call, Decision, Penalty, TableDispute
from judging.readings import Reading, position_key
from judging.services import calls

Answer, State = Decision.Answer, Decision.State
MAX_TOPICS = 30


@dataclass(frozen=True)
class JudgeRuling:
    """A judge's decision: question, answer, wording, reasons, and the topics, rulings and sections cited."""

    question: str
    answer: str
    text: str = ""
    reasons: str = ""
    topics: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    citations: tuple[Mapping[str, Any], ...] = ()
    against_reading: str = ""
    departs_why: str = ""


@dataclass(frozen=True)
class Dispute:
    """The position of a decision: its address, its document, and the engine's answer about it."""

    key: str
    document: Mapping[str, Any]
    reading: Reading | None = None


@dataclass(frozen=True)
class LinkedRows:
    """The things that a decision may belong to: a match, a call, a penalty, a result, an earlier decision."""

    match: Match | None = None
    call: Call | None = None
    extension: Extension | None = None
    penalty: Penalty | None = None
    claim: Claim | None = None
    replaces: Decision | None = None


@dataclass(frozen=True)
class Closing:
    """The end of the call that a decision resolves: its subject, the minutes lost, and extra minutes."""

    category: str
    minutes: int = 0
    agreed: int = 0
    text: str = ""
    version: int | None = field(default=None)


# queries


def decisions() -> QuerySet[Decision]:
    """Return decisions with everything that a page shows of them, in one query."""
    return Decision.objects.select_related(
        "event__venue", "match__round", "match__a", "match__b", "call", "extension", "penalty", "claim", "ruled_by",
        "appealed_by", "appealed_by_entry", "final_by", "taken_back_by", "departs_from", "replaces",
    )  # fmt: skip


def dispute_of(key: str, event: Event) -> TableDispute | None:
    """Return the table of this event for which the position at this address was set up."""
    if not key:
        return None
    return TableDispute.objects.select_related("match__round").filter(key=key, match__round__event=event).first()


def concerns(decision: Decision, entry: Entry | None) -> bool:
    """Return whether the entry played the match that the decision is about."""
    match = decision.match
    return entry is not None and match is not None and entry.pk in match.entry_ids


def may_appeal(decision: Decision, by: Actor) -> bool:
    """Return whether `by` may appeal: players of the match and judges, once, and not against the head judge."""
    if decision.state != State.STANDS or is_of_the_head_judge(decision):
        return False
    roles = by.roles(event=decision.event)
    return bool(roles & (JUDGES | {Role.HALL_JUDGE})) or concerns(decision, by.entry_at(decision.event))


def is_of_the_head_judge(decision: Decision) -> bool:
    """Return whether the event's head judge ruled, so that no one can decide an appeal."""
    at_work = decision.event.officials.at_work()
    return at_work.filter(person=decision.ruled_by_id, role=Role.HEAD_JUDGE.value).exists()


# verbs


def record_decision(
    *,
    by: Actor,
    event: Event,
    ruling: JudgeRuling,
    dispute: Dispute | None = None,
    links: LinkedRows | None = None,
    version: int | None = None,
) -> Decision:
    """Record what a judge ruled. `version` is the match's.

    Raises ValidationError by field if something is missing: the wording of a worded answer, or the reason for ruling
    against the rules engine or an earlier decision on the same case. Raises Refused if the person may not rule.
    """
    links = links or LinkedRows()
    with door("record-decision", by=by, event=event, on=links.match, version=version) as writing:
        judge = _signed_in(by)
        _belongs(event, links)
        reading = dispute.reading if dispute is not None else None
        key = position_key(dispute.document) if dispute is not None else ""
        decision = writing.create(
            Decision,
            event=event,
            number=(event.decisions.aggregate(last=Max("number"))["last"] or 0) + 1,
            match=links.match,
            call=links.call,
            extension=links.extension,
            penalty=links.penalty,
            claim=links.claim,
            replaces=links.replaces,
            edition=event.edition,
            topics=list(ruling.topics)[:MAX_TOPICS],
            rulings=list(ruling.rulings)[:MAX_TOPICS],
            citations=[dict(one) for one in ruling.citations][:MAX_TOPICS],
            question=" ".join(ruling.question.split()),
            question_key=precedents.question_key(ruling.question, reading),
            answer=ruling.answer,
            text=ruling.text.strip(),
            reasons=ruling.reasons.strip(),
            dispute_key=dispute.key if dispute is not None else "",
            position=dict(dispute.document) if dispute is not None else None,
            position_key=key,
            outcome=reading.outcome if reading is not None else None,
            reading=reading.answer if reading is not None else "",
            reading_text=reading.text if reading is not None else "",
            ruled_by=judge,
            ruled_at=writing.at,
            **_checked(event, ruling, reading, key),
        )
        against = decision.is_against_reading
        writing.is_non_standard = against
        writing.says(
            "ruled-against-reading" if against else "ruled",
            decision=_place(decision),
            judge=judge,
            question=decision.question,
            answer={"answer": decision.answer, "text": decision.text},
        )
        _tell(writing, decision)
    return decision


@transaction.atomic
def rule_and_close(
    *,
    by: Actor,
    call: Call,
    ruling: JudgeRuling,
    closing: Closing,
    dispute: Dispute | None = None,
    links: LinkedRows | None = None,
) -> Decision:
    """Resolve a call with a decision in one transaction: extension, closed call, recorded decision."""
    event = call.round.event
    closed = calls.close_call(
        by=by,
        call=call,
        category=closing.category,
        outcome=Call.Outcome.RULED,
        text=closing.text or " ".join(ruling.question.split()),
        minutes=closing.minutes,
        agreed=closing.agreed,
        version=closing.version,
    )
    given = links or LinkedRows()
    whole = LinkedRows(
        match=closed.match,
        call=closed,
        extension=closed.extension,
        penalty=given.penalty,
        claim=given.claim,
        replaces=given.replaces,
    )
    return record_decision(by=by, event=event, ruling=ruling, dispute=dispute, links=whole)


def appeal_decision(*, by: Actor, decision: Decision, why: str, version: int | None = None) -> Decision:
    """Appeal to the head judge, as a player of the match or a judge, once. Source: the head judge has the last word."""
    event = decision.event
    with door("appeal-decision", by=by, event=event, on=decision, version=version) as writing:
        decision.event = event
        if decision.state == State.APPEALED:
            raise Refused(_("This ruling is already under appeal. The head judge will decide."))
        if decision.is_final:
            raise Refused(_("The head judge has already decided the appeal. That ruling is final."))
        if decision.state == State.WITHDRAWN:
            raise Refused(_("This ruling was withdrawn and can't be appealed."))
        if is_of_the_head_judge(decision):
            raise Refused(_("The head judge made this ruling. It is final."))
        if not may_appeal(decision, by):
            raise Refused(_("Only judges and the players of this match can appeal."))
        if not why.strip():
            raise ValidationError({"appeal": _("Explain briefly what is wrong with the ruling.")})
        entry = by.entry_at(event)
        sits_there = concerns(decision, entry)
        writing.save(
            decision,
            state=State.APPEALED,
            appealed_at=writing.at,
            appealed_by=by.person,
            appealed_by_entry=entry if sits_there else None,
            appeal=why.strip()[:600],
        )
        writing.says("appealed", decision=_place(decision), who=by.name)
        _tell(writing, decision)
    return decision


def withdraw_appeal(*, by: Actor, decision: Decision, version: int | None = None) -> Decision:
    """Withdraw an appeal before it is answered, as its author or the head judge. The decision stands again."""
    event = decision.event
    with door("withdraw-appeal", by=by, event=event, on=decision, version=version) as writing:
        decision.event = event
        if decision.state != State.APPEALED:
            raise Refused(_("This ruling has no open appeal."))
        entry = by.entry_at(event)
        mine = (entry is not None and entry.pk == decision.appealed_by_entry_id) or (
            by.person is not None and by.person.pk == decision.appealed_by_id
        )
        if not mine and Role.HEAD_JUDGE not in by.roles(event=event):
            raise Refused(_("Only the person who appealed, or the head judge, can withdraw the appeal."))
        writing.save(decision, state=State.STANDS)
        writing.says("appeal-withdrawn", decision=_place(decision))
        _tell(writing, decision)
    return decision


def answer_appeal(
    *,
    by: Actor,
    decision: Decision,
    upheld: bool,
    reasons: str,
    answer: str = "",
    text: str = "",
    minutes: int = 0,
    version: int | None = None,
) -> Decision:
    """Record the head judge's final answer, with reasons: the decision is upheld or overturned.

    The head judge may also give it without an appeal. `minutes` is the extension for the table, 0 for none.
    """
    event = decision.event
    with door("answer-appeal", by=by, event=event, on=decision, version=version) as writing:
        decision.event = event
        judge = _signed_in(by)
        if decision.is_final:
            words = _("%(judge)s has already decided this appeal. Reload the page to see the final ruling.")
            raise Refused(words % {"judge": decision.final_by})
        if decision.state == State.WITHDRAWN:
            raise Refused(_("This ruling was withdrawn. No final ruling is needed."))
        if decision.state == State.STANDS and decision.ruled_by_id == judge.pk:
            raise Refused(_("This is your own ruling, and it is final. If it was wrong, withdraw it."))
        if faults := _faults_of_answer(decision, upheld=upheld, reasons=reasons, answer=answer, text=text):
            raise ValidationError(faults)
        if minutes and decision.match is not None:
            extend_table(by=by, match=decision.match, minutes=minutes, reason=_("Appeal"))
        writing.save(
            decision,
            state=State.UPHELD if upheld else State.OVERTURNED,
            final_answer=decision.answer if upheld else answer,
            final_text=decision.text if upheld else text.strip()[:600],
            final_reasons=reasons.strip()[:1000],
            final_by=judge,
            final_at=writing.at,
        )
        writing.is_non_standard = decision.is_against_reading
        writing.says(
            "upheld" if upheld else "overturned",
            decision=_place(decision),
            judge=judge,
            answer={"answer": decision.final_answer, "text": decision.final_text},
            before={"answer": decision.answer, "text": decision.text},
        )
        _tell(writing, decision)
    return decision


def _faults_of_answer(decision: Decision, *, upheld: bool, reasons: str, answer: str, text: str) -> dict[str, str]:
    """Return what is missing from a final answer or contradicts it, by field."""
    faults: dict[str, str] = {}
    if not reasons.strip():
        faults["final_reasons"] = _("Give your reasons. The players and other judges will read them.")
    if not upheld and answer not in Answer.values:
        faults["final_answer"] = _("Choose the new ruling.")
    if not upheld and answer == Answer.WORDS and not text.strip():
        faults["final_text"] = _("Enter the new ruling in words.")
    if not upheld and (answer, text.strip()) == (decision.answer, decision.text):
        faults["final_answer"] = _("This is the original ruling. Uphold it, or choose another.")
    return faults


def reopen_appeal(
    *, by: Actor, decision: Decision, reason: str = "", version: int | None = None, confirmed: bool = False
) -> Decision:
    """Withdraw the head judge's final answer, to answer the appeal again; the audit log keeps both answers."""
    event = decision.event
    after = _("The final ruling on “%(question)s” is withdrawn. The head judge can make another.")
    with door(
        "reopen-appeal", by=by, event=event, on=decision, version=version, reason=reason, confirmed=confirmed,
        consequences=[after % {"question": decision.question}],
    ) as writing:  # fmt: skip
        decision.event = event
        if not decision.is_final:
            raise Refused(_("No final ruling to withdraw. Reload the page to see the current state."))
        writing.save(
            decision,
            state=State.APPEALED if decision.appealed_at else State.STANDS,
            final_answer="",
            final_text="",
            final_reasons="",
            final_by=None,
            final_at=None,
        )
        writing.says("final-answer-withdrawn", decision=_place(decision))
        _tell(writing, decision)
    return decision


def withdraw_decision(
    *, by: Actor, decision: Decision, reason: str = "", version: int | None = None, confirmed: bool = False
) -> Decision:
    """Withdraw a decision, with a reason: the judge who ruled until an appeal is made, the head judge always.

    It stays readable, marked, and no longer counts as a precedent; its extension and penalty stay.
    """
    event = decision.event
    after = _("The ruling on “%(question)s” no longer applies. It stays visible, marked as withdrawn.")
    lines = [after % {"question": decision.question}]
    if decision.extension_id or decision.penalty_id:
        lines.append(_("Any extension or penalty given with this ruling stays."))
    with door(
        "take-decision-back", by=by, event=event, on=decision, version=version, reason=reason, confirmed=confirmed,
        consequences=lines,
    ) as writing:  # fmt: skip
        decision.event = event
        judge = _signed_in(by)
        if decision.state == State.WITHDRAWN:
            raise Refused(_("This ruling has already been withdrawn."))
        if Role.HEAD_JUDGE not in by.roles(event=event):
            if decision.ruled_by_id != judge.pk:
                raise Refused(
                    _("Only %(judge)s or the head judge can withdraw this ruling.") % {"judge": decision.ruled_by}
                )
            if decision.state != State.STANDS:
                raise Refused(_("This ruling was appealed. Only the head judge can withdraw it now."))
        writing.save(
            decision,
            state=State.WITHDRAWN,
            taken_back_by=judge,
            taken_back_at=writing.at,
            taken_back_why=reason.strip()[:300],
        )
        writing.says("ruling-withdrawn", decision=_place(decision), judge=judge)
        _tell(writing, decision)
    return decision


def note_dispute(*, by: Actor, match: Match, key: str, title: str = "", call: Call | None = None) -> TableDispute:
    """Store that a position of the rules app was set up for this table."""
    event = match.round.event
    with door("open-dispute", by=by, event=event, on=match) as writing:
        match.round.event = event
        made = writing.create(
            TableDispute,
            match=match,
            call=call,
            key=key,
            title=title[:200],
            opened_by=_signed_in(by),
            opened=writing.at,
        )
        writing.says("dispute-set-up", round=match.round, table=match.table)
        writing.topics.update({"decisions", f"table-{match.table}"})
    return made


# shared by the verbs


def said(answer: str, text: str = "") -> str:
    """Return an answer in words: its label, or the judge's own wording."""
    if answer == Answer.WORDS:
        return text
    word = str(Answer(answer).label) if answer in Answer.values else ""
    return f"{word} – {text}" if text else word


def _signed_in(by: Actor) -> Person:
    if by.person is None:
        raise Refused(_("Sign in first. Every ruling is recorded with the judge's name."))
    return by.person


def _belongs(event: Event, links: LinkedRows) -> None:
    match = links.match
    if match is not None and match.round.event_id != event.pk:
        raise Refused(_("This table isn't part of this event. Choose one of the event's tables."))
    if match is not None and match.kind != Match.Kind.GAME:
        raise Refused(_("No one is playing here, so no ruling is needed."))


def _checked(event: Event, ruling: JudgeRuling, reading: Reading | None, key: str) -> dict[str, Any]:
    """Return the decision's columns about the reading and precedents; raise ValidationError if a reason is missing."""
    faults: dict[str, str] = {}
    if not ruling.question.strip():
        faults["question"] = _("Enter the question.")
    if ruling.answer not in Answer.values:
        faults["answer"] = _("Choose your ruling.")
    if ruling.answer == Answer.WORDS and not ruling.text.strip():
        faults["text"] = _("Enter the ruling in words.")
    against = reading is not None and bool(reading.answer) and ruling.answer != reading.answer
    if against and not ruling.against_reading.strip():
        faults["against_reading"] = _("The rules engine says otherwise. Say why you overrule it.")
    other = None
    if not faults:
        earlier = precedents.contradicting(
            event,
            ruling.topics,
            precedents.question_key(ruling.question, reading),
            ruling.answer,
            ruling.text,
            key,
            reading=reading.answer if reading is not None else "",
        )
        other = earlier[0].decision if earlier else None
        if other is not None and not ruling.departs_why.strip():
            faults["departs_why"] = _(
                "%(decision)s said “%(answer)s”. Say why this case is different, or rule the same way."
            ) % {"decision": other, "answer": said(other.counts, other.final_text or other.text)}
    if faults:
        raise ValidationError(faults)
    return {
        "against_reading": ruling.against_reading.strip()[:400] if against else "",
        "departs_from": other,
        "departs_why": ruling.departs_why.strip()[:400] if other is not None else "",
    }


def _place(decision: Decision) -> dict[str, Any]:
    match = decision.match
    place = (
        {"round": round_fact(match.round), "table": match.table}
        if match is not None
        else {"round": None, "table": None}
    )
    return {"number": decision.number, **place}


def _tell(writing: Writing, decision: Decision) -> None:
    writing.topics.add("decisions")
    if decision.match is not None:
        writing.topics.add(f"table-{decision.match.table}")


def topics_asked(posted: Iterable[str], known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the topics among the posted names or titles."""
    by_title = {title.casefold(): name for name, title in known.items()}
    found = [one if one in known else by_title.get(one.strip().casefold(), "") for one in posted]
    return tuple(dict.fromkeys(name for name in found if name))
