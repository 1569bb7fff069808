"""Rulings on pages by their weight: those that decide the case open, the others folded into one line."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.engine import Ruling, Topic, shared_topics
from rules.views.rulebook import ShownRuling, show_rulings


@dataclass(frozen=True, slots=True)
class WeighedRulings:
    """The rulings of a case: those that decide it, those that only explain, and the line that stands for these."""

    deciding: list[ShownRuling]
    background: list[ShownRuling]
    summary: str


def weigh(found: Iterable[Ruling], met: Collection[str] = ()) -> WeighedRulings:
    """Return the rulings of a case by their weight in it; `met` are the topics of its steps, if it has any."""
    rulings = list(found)
    deciding = [one for one in rulings if one.weight == "decides"]
    background = [one for one in rulings if one.weight != "decides"]
    summary = summary_of(background, met, more=bool(deciding))
    return WeighedRulings(show_rulings(deciding), show_rulings(background), summary)


def _in_sentence(topic: Topic) -> str:
    """Return a topic as it stands in a sentence: powers and team abilities are names, other titles are quoted."""
    return topic.title if topic.kind in ("power", "team-ability") else _("“%(title)s”") % {"title": topic.title}


def summary_of(background: list[Ruling], met: Collection[str] = (), *, more: bool) -> str:
    """Return the line that stands for rulings that aren't shown: how many, and what they are about."""
    about = get_text_list([_in_sentence(topic) for topic in shared_topics(background, met)], _("and"))
    facts = {"count": len(background), "topic": about or _("this case")}
    if more:
        return (
            ngettext("%(count)s more ruling about %(topic)s", "%(count)s more rulings about %(topic)s", len(background))
            % facts
        )
    return ngettext("%(count)s ruling about %(topic)s", "%(count)s rulings about %(topic)s", len(background)) % facts
