"""The rules engine's answer about a disputed position: one answer, taken from the engine's report. Pure, plain values.

The report answers everything that was asked; a judge is asked one thing. It is the position's last question or, if it
asks none, its last action. `judging.services.decisions` records what the judge decides.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from judging.models import Decision
from rules.dispute.sums import SumLine, sum_lines
from rules.engine import BadInput, adjudicate, topic_places, topics

Answer = Decision.Answer
LINES = frozenset({Answer.CLEAR, Answer.HINDERED, Answer.BLOCKED})
PLAIN = frozenset({Answer.YES, Answer.NO})
COMMON = frozenset(
    {"action-tokens", "actions", "adjacency", "attack", "close-combat", "damage", "line-of-fire", "movement", "range",
     "ranged-combat", "targeting", "turn"}
)  # fmt: skip
"""Topics that nearly every action involves: sharing only these makes no precedent."""
TRUE_OR_FALSE = {
    "adjacent": "adjacency",
    "can-target": "targeting",
    "can-carry": "carry",
}
MAX_CITATIONS = 8
MAX_STEPS = 4
MAX_TEXT = 600
MAX_QUESTION = 200


@dataclass(frozen=True)
class Reading:
    """The rules engine's answer. `answer` is "" while a roll or a choice is missing; `outcome` is the engine's report.

    `asks` is the question without its wording, the same in every language: what is asked, and about whom.
    """

    question: str
    answer: str
    text: str
    topics: tuple[str, ...] = ()
    rulings: tuple[dict[str, Any], ...] = ()
    citations: tuple[dict[str, Any], ...] = ()
    outcome: dict[str, Any] = field(default_factory=dict)
    asks: str = ""

    @property
    def answer_words(self) -> str:
        """Return the answer in a word, "" if there is none."""
        return str(Answer(self.answer).label) if self.answer else ""


def position_key(document: Mapping[str, Any]) -> str:
    """Return a digest of a position without its title and id: the same for documents of the same position."""
    kept = {key: value for key, value in document.items() if key not in ("id", "title")}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def read_position(document: Mapping[str, Any]) -> Reading | None:
    """Return the engine's answer about a position; None if there is no position or nothing was asked."""
    try:
        report = adjudicate(document)
        found = read_report(document, report)
        line = _line_in_question(document, report) if found is not None else None
        if found is None or line is None:
            return found
        asked = adjudicate(line)
    except BadInput:
        return None
    seen = read_report(line, asked)
    if seen is None or (seen.answer != Answer.BLOCKED and not report["awaiting"]):
        return found
    topics_met = _known([*seen.topics, *found.topics])
    return replace(
        found,
        question=seen.question,
        asks=seen.asks,
        answer=seen.answer,
        text=seen.text,
        topics=topics_met,
        citations=seen.citations,
    )


def _line_in_question(document: Mapping[str, Any], report: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a position that asks for the line of fire of a disputed ranged attack, or None.

    An attack qualifies if it awaits its attack roll (everything disputable is settled by then) or if its line of fire
    makes it illegal.
    """
    actions, steps = document.get("actions") or [], list(report.get("steps", ()))
    place = steps[-1].get("action") if steps else None
    if not isinstance(place, int) or report.get("answers") or not 0 <= place < len(actions):
        return None
    action = actions[place]
    awaiting = report.get("awaiting") or {}
    forbidden = not report.get("legal", True) and "line-of-fire" in steps[-1].get("topics", ())
    targets = action.get("targets", ())
    if action.get("action") != "ranged" or len(targets) != 1 or not (forbidden or awaiting.get("roll") == "attack"):
        return None
    question = {"ask": "line-of-fire", "from": action.get("actor"), "to": targets[0]}
    return {**document, "actions": actions[:place], "ask": [question]}


def read_report(document: Mapping[str, Any], report: Mapping[str, Any]) -> Reading | None:
    """Return the reading in a report: that of its last question or, if there is none, of its last action."""
    asked = [one for one in report.get("answers", ()) if one.get("ask") not in ("actions", "rulings", "reachable")]
    steps = list(report.get("steps", ()))
    kept = {key: report[key] for key in ("answers", "steps", "legal", "awaiting", "state") if key in report}
    rulings = tuple(dict(one) for one in report.get("rulings", ()))
    if asked:
        return _of_question(document, asked[-1], rulings, kept)
    if steps:
        return _of_action(document, report, steps, rulings, kept)
    return None


def _of_question(
    document: Mapping[str, Any], one: Mapping[str, Any], rulings: tuple[dict[str, Any], ...], kept: dict[str, Any]
) -> Reading:
    ask, result = one["ask"], one.get("result")
    given: Mapping[str, Any] = next((q for q in reversed(document.get("ask", ())) if q.get("ask") == ask), {})
    names = _names(document)
    who = {key: names.get(str(given.get(key)), str(given.get(key, ""))) for key in ("from", "to", "a", "b", "of")}
    if ask == "line-of-fire":
        question = _("Is the line of fire from %(from)s to %(to)s clear?") % who
        answer = str(result) if result in LINES else ""
        met = ["line-of-fire", *(mark.get("topic", "") for mark in one.get("marks", ()))]
    else:
        question = _question_in_words(ask, given, who)
        answer = (Answer.YES if result else Answer.NO).value if isinstance(result, bool) else Answer.WORDS.value
        met = [TRUE_OR_FALSE.get(ask, ask)]
    text = " ".join(_because(one)) or str(result)
    asks = _asks(ask, *who.values(), given.get("using"), given.get("value"), given.get("carried"))
    return Reading(
        question[:MAX_QUESTION], answer, text[:MAX_TEXT], _known(met), rulings, _few(one.get("citations", ())), kept, asks
    )  # fmt: skip


def _asks(*parts: Any) -> str:
    return json.dumps([str(part) for part in parts if part], ensure_ascii=False)[:MAX_QUESTION]


def _because(one: Mapping[str, Any]) -> list[str]:
    because = one.get("because", ())
    lines = [because] if isinstance(because, str) else [str(line) for line in because]
    if one["ask"] == "value" and "parts" in one:
        lines = ["; ".join(_in_words(line) for line in sum_lines(one["parts"], "") if not line.is_sum) + "."]
    result = one.get("result")
    if isinstance(result, (int, float)) and not isinstance(result, bool):
        lines.insert(0, f"{result}.")
    return lines


def _in_words(line: SumLine) -> str:
    ignored = _(" (ignored; reason: %(by)s)") % {"by": line.ignored_by} if line.ignored_by else ""
    return f"{line.amount} {line.why}{ignored}"


def _question_in_words(ask: str, given: Mapping[str, Any], who: Mapping[str, str]) -> str:
    using = f" ({given['using']})" if isinstance(given.get("using"), str) and given["using"] else ""
    if ask == "can-target":
        return _("Can %(from)s target %(to)s?") % who + using
    if ask == "adjacent":
        return _("Are %(a)s and %(b)s adjacent?") % who
    if ask == "distance":
        return _("How far is it from %(from)s to %(to)s?") % who
    if ask == "value":
        return _("What is the %(value)s value of %(of)s?") % {**who, "value": given.get("value", "")}
    if ask == "can-carry":
        return _("Can %(of)s carry %(carried)s?") % {**who, "carried": given.get("carried", "")}
    if ask == "break-away":
        return _("Does %(of)s need to break away?") % who
    if ask == "knock-back":
        return _("Where does %(of)s end up if knocked back?") % who
    return ask.replace("-", " ").capitalize() + "?"


def _of_action(
    document: Mapping[str, Any],
    report: Mapping[str, Any],
    steps: list[Mapping[str, Any]],
    rulings: tuple[dict[str, Any], ...],
    kept: dict[str, Any],
) -> Reading:
    last = steps[-1].get("action")
    of_last = [step for step in steps if step.get("action") == last] or steps
    met = [topic for step in of_last for topic in step.get("topics", ())]
    illegal = not report.get("legal", True)
    told = of_last[-1:] if illegal else [*_disputed(of_last[:-MAX_STEPS]), *of_last[-MAX_STEPS:]]
    answer = "" if report.get("awaiting") else (Answer.NO if illegal else Answer.YES).value
    citations = [one for step in told for one in step.get("citations", ())]
    text = " ".join(str(step.get("text", "")) for step in told)
    question, asks = _action_in_words(document, last)
    return Reading(
        question[:MAX_QUESTION],
        answer,
        text[:MAX_TEXT],
        _known(met),
        rulings,
        _few(citations),
        kept,
        asks,
    )


def _disputed(steps: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the steps that players dispute: why a line of fire is clear, hindered or blocked, why a power isn't used."""
    return [step for step in steps if step.get("step") in ("line-of-fire", "note")]


def _action_in_words(document: Mapping[str, Any], place: Any) -> tuple[str, str]:
    """Return the question about an action, and what it asks without its wording."""
    actions = document.get("actions", [])
    if not isinstance(place, int) or not 0 <= place < len(actions):
        return _("What happens next?"), ""
    action, names = actions[place], _names(document)
    actor = names.get(str(action.get("actor")), str(action.get("actor", "")))
    targets = ", ".join(names.get(str(one), str(one)) for one in action.get("targets", ()))
    using = ", ".join(map(str, action.get("using", ())))
    kinds: dict[str, str | Promise] = {
        "move": _("Can %(actor)s make this move?"),
        "close": _("Can %(actor)s attack %(targets)s in close combat?"),
        "ranged": _("Can %(actor)s attack %(targets)s in ranged combat?"),
    }
    if not targets and action.get("action") in ("close", "ranged"):
        kinds = {}
    sentence = str(kinds.get(str(action.get("action")), _("Can %(actor)s do this?")))
    question = (sentence % {"actor": actor, "targets": targets}) + (f" ({using})" if using else "")
    return question, _asks(action.get("action"), actor, targets, using)


def _names(document: Mapping[str, Any]) -> dict[str, str]:
    return {
        str(piece.get("id")): str(piece.get("name") or piece.get("id"))
        for side in document.get("sides", ())
        for piece in side.get("characters", ())
    }


def _known(met: Iterable[str]) -> tuple[str, ...]:
    """Return the known topics, without repetition, specific ones first."""
    vocabulary = topics()
    found = [topic for topic in dict.fromkeys(met) if topic in vocabulary]
    return tuple(sorted(found, key=lambda topic: topic in COMMON))


def _few(citations: Iterable[Mapping[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Return the last citations, each section once."""
    found = {(one.get("edition"), one.get("section")): dict(one) for one in reversed(list(citations))}
    return tuple(reversed(list(found.values())))[:MAX_CITATIONS]


def topic_title(name: str) -> str:
    """Return a topic's title."""
    known = topics().get(name)
    return known.title if known is not None else name


def topics_of_book(edition: str) -> dict[str, str]:
    """Return the topics that an edition's book covers, with their titles, ordered by title."""
    vocabulary, places = topics(), topic_places(edition)
    return dict(
        sorted(((name, vocabulary[name].title) for name in places if name in vocabulary), key=lambda one: one[1])
    )


def are_comparable(one: str, other: str) -> bool:
    """Return whether two answers answer the same kind of question."""
    return {one, other} <= LINES or {one, other} <= PLAIN
