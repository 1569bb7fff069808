"""Precedents: earlier decisions similar to a case, from this event first, then from the whole installation.

Two decisions under the same edition are about the same case if they have the same position, ask the same question, or
share exactly the same specific topics. The final answer of an earlier decision is the one that counts. Different
positions can have different answers: if both decisions follow the engine, they don't contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from events.models import Event
from judging.models import Decision
from judging.readings import COMMON, Reading, are_comparable

LOOKED_AT = 2_000
SHOWN = 6
MAX_ALIKE = 100
SAME_POSITION, SAME_QUESTION, SAME_TOPICS, SHARED_TOPICS = 4, 3, 2, 1
WHY: dict[int, str | Promise] = {
    SAME_POSITION: _("same position"),
    SAME_QUESTION: _("same question"),
    SAME_TOPICS: _("same topics"),
    SHARED_TOPICS: _("related topics"),
}


@dataclass(frozen=True)
class Precedent:
    """An earlier decision, how similar it is, the topics it shares, and whether it is from this event."""

    decision: Decision
    closeness: int
    shared: tuple[str, ...]
    of_this_event: bool

    @property
    def why(self) -> str | Promise:
        """Return why it is shown."""
        return WHY[self.closeness]

    def contradicts(self, answer: str, text: str = "", reading: str = "") -> bool:
        """Return whether it answered the same case differently; `reading` is the engine's answer to the case now."""
        if self.closeness < SAME_TOPICS or not answer:
            return False
        earlier = self.decision.counts
        both_by_the_book = answer == reading and earlier == self.decision.reading
        if both_by_the_book and self.closeness != SAME_POSITION:
            return False
        if are_comparable(earlier, answer):
            return earlier != answer
        if self.closeness == SAME_TOPICS:
            return False
        before = self.decision.final_text or self.decision.text
        return earlier != answer or _folded(before) != _folded(text)


@dataclass(frozen=True)
class ComparedDecision:
    """The fields of a decision that are compared."""

    pk: int
    event_id: int
    topics: frozenset[str]
    question: str
    position_key: str


def candidates(event: Event, *, but: int | None = None) -> list[ComparedDecision]:
    """Return the newest decisions under the event's edition that still count; one query of few columns."""
    rows: QuerySet[Decision] = Decision.objects.filter(edition=event.edition)
    rows = rows.exclude(state=Decision.State.WITHDRAWN).order_by("-pk")
    if but is not None:
        rows = rows.exclude(pk=but)
    found = rows.values_list("pk", "event_id", "topics", "question_key", "position_key")[:LOOKED_AT]
    return [ComparedDecision(pk, of, frozenset(topics), question, key) for pk, of, topics, question, key in found]


def question_key(question: str, reading: Reading | None) -> str:
    """Return what a decision's question is compared by: what the engine's question asks, else the judge's words."""
    folded = _folded(question)
    return reading.asks if reading is not None and reading.asks and folded == _folded(reading.question) else folded


def similar(
    event: Event,
    topics: Iterable[str],
    question: str = "",
    key: str = "",
    *,
    but: int | None = None,
    limit: int = SHOWN,
    minimum: int = SHARED_TOPICS,
) -> list[Precedent]:
    """Return the earlier decisions similar to a case: this event's first, the most similar first, then the newest.

    `question` is its `question_key`, `key` its position's.
    """
    asked = frozenset(topics)
    graded = []
    for one in candidates(event, but=but):
        closeness = _closeness(asked, question, key, one)
        if closeness >= minimum:
            shared = len((one.topics & asked) - COMMON)
            graded.append((closeness, one.event_id == event.pk, shared, one.pk, one))
    graded.sort(key=lambda grade: (grade[0] >= SAME_TOPICS, *grade[:4]), reverse=True)
    graded.sort(key=lambda grade: not grade[1])
    chosen = graded[:limit]
    rows = Decision.objects.select_related("event", "ruled_by", "final_by", "match__round").in_bulk(
        [one.pk for *_rest, one in chosen]
    )
    return [
        Precedent(rows[one.pk], closeness, tuple(sorted(one.topics & asked, key=lambda t: (t in COMMON, t))), here)
        for closeness, here, _shared, _pk, one in chosen
        if one.pk in rows
    ]


def contradicting(
    event: Event,
    topics: Iterable[str],
    question: str,
    answer: str,
    text: str = "",
    key: str = "",
    *,
    reading: str = "",
    but: int | None = None,
) -> list[Precedent]:
    """Return the earlier decisions on the same case that gave another answer."""
    close = similar(event, topics, question, key, but=but, limit=MAX_ALIKE, minimum=SAME_TOPICS)
    return [one for one in close if one.contradicts(answer, text, reading)]


def _closeness(asked: frozenset[str], question: str, key: str, one: ComparedDecision) -> int:
    if key and key == one.position_key:
        return SAME_POSITION
    if question and question == one.question:
        return SAME_QUESTION
    telling, theirs = asked - COMMON, one.topics - COMMON
    if telling and telling == theirs:
        return SAME_TOPICS
    return SHARED_TOPICS if telling & theirs else 0


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip("?!. ")
