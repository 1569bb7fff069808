"""The audit log's sentences about judging; `events.audit_sentences` holds the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from events.audit import SENTENCES, Choice, Facts, Sentence, as_round

AT_TABLE = _("%(round)s, table %(table)s: %(sentence)s")
OF_DECISION = "%(decision)s: %(sentence)s"


def as_found(found: Mapping[str, Any], _facts: Facts) -> str:
    """Return what a judge found about a figure, in the words of the page where it was entered."""
    words = []
    if number := found.get("dial_number"):
        words.append(_now("dial number %(number)s") % {"number": number})
    if found.get("proxy"):
        words.append(_now("Proxy"))
    if found.get("promotional"):
        words.append(_now("Marked Promotional"))
    if found.get("from_sealed_product") is False:
        words.append(_now("Not from the player's sealed product"))
    return "; ".join(words) or _now("nothing")


def as_decision(decision: Mapping[str, Any], facts: Facts) -> str:
    """Return a decision's number with its round and table, if it has any."""
    name = _now("Ruling %(number)d") % {"number": decision["number"]}
    if decision["table"] is None:
        return name
    place = {"round": as_round(decision["round"], facts), "table": decision["table"]}
    return f"{_now('%(round)s, table %(table)s') % place}, {name}"


def as_answer(answer: Mapping[str, str], _facts: Facts) -> str:
    """Return a decision's answer in words."""
    from judging.services.decisions import said

    return said(answer["answer"], answer["text"])


OUTCOME = {"outcome": Choice("judging.Call", "outcome"), "about": Choice("judging.Call", "category")}
PENALTY = {"penalty": Choice("judging.Penalty", "kind"), "category": Choice("judging.Penalty", "category")}
CHECK = {"outcome": Choice("judging.ForceCheck", "outcome"), "remedy": Choice("judging.ForceCheck", "remedy")}
RULING = {"decision": as_decision, "answer": as_answer, "before": as_answer}

SENTENCES.update({
    "check-begun": Sentence(_("Check of the force of %(name)s begun")),
    "figure-seen": Sentence(_("%(player)s: %(name)s seen")),
    "figure-found": Sentence(_("%(player)s: found about %(name)s: %(what)s"), {"what": as_found}),
    "force-checked": Sentence(_("Force of %(name)s checked: %(outcome)s, %(remedy)s"), CHECK),
    "check-reopened": Sentence(_("Check of the force of %(name)s opened again")),
    "force-rechecked": Sentence(
        _("Force of %(name)s by the facts of now: %(standing)s"), {"standing": Choice("events.Force", "standing")}
    ),
    "penalty-given": Sentence(_("%(penalty)s for %(name)s: %(category)s"), PENALTY),
    "penalty-withdrawn": Sentence(_("Penalty of %(name)s withdrawn")),
    "judge-called": Sentence(
        _("a judge is called"),
        {"reason": Choice("judging.Call", "reason")},
        where=AT_TABLE,
        more={"reason": _("Reason: %(reason)s")},
    ),
    "call-cancelled": Sentence(_("the call is cancelled"), where=AT_TABLE),
    "call-taken": Sentence(_("%(judge)s is coming"), where=AT_TABLE),
    "call-released": Sentence(_("%(judge)s releases the call"), where=AT_TABLE),
    "head-judge-called": Sentence(_("the head judge is asked for"), where=AT_TABLE),
    "judge-arrived": Sentence(_("%(judge)s is at the table"), where=AT_TABLE),
    "call-resolved": Sentence(
        _("the call is resolved after %(length)s, %(about)s: %(outcome)s"), OUTCOME, where=AT_TABLE
    ),
    "ruled": Sentence(_("%(judge)s rules: %(question)s %(answer)s"), RULING, where=OF_DECISION),
    "ruled-against-reading": Sentence(
        _("%(judge)s overrules the engine: %(question)s %(answer)s"), RULING, where=OF_DECISION
    ),
    "appealed": Sentence(_("%(who)s appeals to the head judge"), RULING, where=OF_DECISION),
    "appeal-withdrawn": Sentence(_("the appeal is withdrawn"), RULING, where=OF_DECISION),
    "upheld": Sentence(_("%(judge)s upholds the ruling: %(answer)s"), RULING, where=OF_DECISION),
    "overturned": Sentence(
        _("%(judge)s overturns the ruling: %(answer)s instead of %(before)s"), RULING, where=OF_DECISION
    ),
    "final-answer-withdrawn": Sentence(_("the final ruling is withdrawn"), RULING, where=OF_DECISION),
    "ruling-withdrawn": Sentence(_("%(judge)s withdraws the ruling"), RULING, where=OF_DECISION),
    "dispute-set-up": Sentence(_("%(round)s, table %(table)s: a dispute is set up")),
    "verified": Sentence(_("Results verified")),
    "verification-withdrawn": Sentence(_("Verification withdrawn")),
    "copy-received": Sentence(_("The venue received its verified copy")),
    "reported": Sentence(_("Results reported to the office")),
    "reported-late": Sentence(
        ngettext_lazy(
            "Results reported to the office: %(days)d day tardy",
            "Results reported to the office: %(days)d days tardy",
            "days",
        )
    ),
    "reminded": Sentence(
        ngettext_lazy(
            "%(name)s is reminded of %(n)d thing that is due", "%(name)s is reminded of %(n)d things that are due", "n"
        )
    ),
    "paired-with": Sentence(_("Paired with %(machine)s")),
    "unpaired": Sentence(_("No longer paired with %(machine)s")),
    "erased": Sentence(_("The data of %(name)s were erased")),
    "handed-over": Sentence(_("Handed over to %(other)s")),
    "taken-over": Sentence(_("Taken over here; the copy at %(other)s no longer counts")),
    "imported-copy": Sentence(
        _("Imported as a copy from an unsigned file: no one has verified the entries before this one")
    ),
    "copy-arrived": Sentence(_("“%(event)s” was imported as a copy from an unsigned file")),
    "event-arrived": Sentence(_("“%(event)s” was read from a file")),
    "event-went-on": Sentence(_("“%(event)s” went on from a file")),
    "set-back": Sentence(_("Set back to an older copy, of %(moment)s")),
    "restored": Sentence(_("Back to the snapshot of %(moment)s (%(label)s)")),
})  # fmt: skip
