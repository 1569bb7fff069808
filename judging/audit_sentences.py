"""The audit log's sentences about judging; `events.audit_sentences` holds the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from events.audit import SENTENCES, Choice, Facts, Kind, Sentence, as_moment, as_round
from events.clock import in_words

from .found_words import as_found

AT_TABLE = _("%(round)s, table %(table)s: %(sentence)s")
OF_DECISION = _("%(decision)s: %(sentence)s")


def as_decision(decision: Mapping[str, Any], facts: Facts) -> str:
    """Return a decision's number with its round and table, if it has any."""
    name = _now("Ruling %(number)d") % {"number": decision["number"]}
    if decision["table"] is None:
        return name
    place = {"round": as_round(decision["round"], facts), "table": decision["table"]}
    return f"{_now('%(round)s, table %(table)s') % place}, {name}"


def as_state_then(label: str, _facts: Facts) -> str:
    """Return the state that a snapshot keeps."""
    from judging.models.kept import state_words

    return state_words(label)


def as_answer(answer: Mapping[str, str], _facts: Facts) -> str:
    """Return a decision's answer in words."""
    from judging.services.decisions import said

    return said(answer["answer"], answer["text"])


def as_length(length: str, _facts: Facts) -> str:
    """Word a length of time, stored as the clock shows it: 0:05, 12:34 or 1:02:03."""
    try:
        hours, minutes, seconds = ["0", "0", *str(length).split(":")][-3:]
        return in_words(int(hours) * 3600 + int(minutes) * 60 + int(seconds))
    except ValueError:  # the clock was set back during the call
        return str(length)


OUTCOME: dict[str, Kind] = {
    "outcome": Choice("judging.Call", "outcome"), "about": Choice("judging.Call", "category"), "length": as_length,
}  # fmt: skip
PENALTY = {"penalty": Choice("judging.Penalty", "kind"), "category": Choice("judging.Penalty", "category")}
CHECK = {"outcome": Choice("judging.ForceCheck", "outcome"), "remedy": Choice("judging.ForceCheck", "remedy")}
RULING = {"decision": as_decision, "answer": as_answer, "before": as_answer}

SENTENCES.update({
    "check-begun": Sentence(_("Verification of %(name)s's force started")),
    "figure-seen": Sentence(_("%(player)s's %(name)s checked")),
    "figure-found": Sentence(_("Finding saved for %(player)s's %(name)s: %(what)s"), {"what": as_found}),
    "force-checked": Sentence(_("%(name)s's force verified: %(outcome)s (remedy: %(remedy)s)"), CHECK),
    "check-reopened": Sentence(_("Verification of %(name)s's force reopened")),
    "force-rechecked": Sentence(
        _("%(name)s's force updated to the current catalogue: %(standing)s"), {"standing": Choice("events.Force", "standing")}
    ),
    "penalty-given": Sentence(_("%(penalty)s given to %(name)s: %(category)s"), PENALTY),
    "penalty-withdrawn": Sentence(_("Penalty for %(name)s withdrawn")),
    "judge-called": Sentence(
        _("judge called"),
        {"reason": Choice("judging.Call", "reason")},
        where=AT_TABLE,
        more={"reason": _("Reason: %(reason)s")},
    ),
    "call-cancelled": Sentence(_("call cancelled"), where=AT_TABLE),
    "call-taken": Sentence(_("%(judge)s took the call"), where=AT_TABLE),
    "call-released": Sentence(_("%(judge)s released the call"), where=AT_TABLE),
    "head-judge-called": Sentence(_("head judge requested"), where=AT_TABLE),
    "judge-arrived": Sentence(_("%(judge)s arrived at the table"), where=AT_TABLE),
    "call-resolved": Sentence(
        _("call resolved after %(length)s (%(about)s): %(outcome)s"), OUTCOME, where=AT_TABLE
    ),
    "ruled": Sentence(_("%(judge)s ruled: %(question)s %(answer)s"), RULING, where=OF_DECISION),
    "ruled-against-reading": Sentence(
        _("%(judge)s overruled the rules engine: %(question)s %(answer)s"), RULING, where=OF_DECISION
    ),
    "appealed": Sentence(_("%(who)s appealed to the head judge"), RULING, where=OF_DECISION),
    "appeal-withdrawn": Sentence(_("appeal withdrawn"), RULING, where=OF_DECISION),
    "upheld": Sentence(_("%(judge)s upheld the ruling: %(answer)s"), RULING, where=OF_DECISION),
    "overturned": Sentence(
        _("%(judge)s overturned the ruling: %(answer)s instead of %(before)s"), RULING, where=OF_DECISION
    ),
    "final-answer-withdrawn": Sentence(_("final ruling withdrawn"), RULING, where=OF_DECISION),
    "ruling-withdrawn": Sentence(_("%(judge)s withdrew the ruling"), RULING, where=OF_DECISION),
    "dispute-set-up": Sentence(_("%(round)s, table %(table)s: position set up")),
    "verified": Sentence(_("Results verified")),
    "verification-withdrawn": Sentence(_("Verification withdrawn")),
    "copy-received": Sentence(_("The venue confirmed receipt of the results")),
    "reported": Sentence(_("Results reported to the sanctioning office")),
    "reported-late": Sentence(
        ngettext_lazy(
            "Results reported to the sanctioning office, %(days)d day late",
            "Results reported to the sanctioning office, %(days)d days late",
            "days",
        )
    ),
    "report-mailed": Sentence(
        ngettext_lazy("Report e-mailed to %(n)d recipient", "Report e-mailed to %(n)d recipients", "n")
    ),
    "report-sent": Sentence(_("The mail server accepted the report")),
    "report-not-sent": Sentence(_("The report couldn't be e-mailed")),
    "reminded": Sentence(
        ngettext_lazy(
            "%(name)s was reminded of %(n)d task that is due", "%(name)s was reminded of %(n)d tasks that are due", "n"
        )
    ),
    "paired-with": Sentence(_("%(machine)s paired with this machine")),
    "unpaired": Sentence(_("%(machine)s unpaired from this machine")),
    "erased": Sentence(_("%(name)s's personal data erased")),
    "handed-over": Sentence(_("Event handed over to %(other)s")),
    "taken-over": Sentence(_("Event reclaimed; the copy at %(other)s is no longer valid")),
    "imported-copy": Sentence(
        _("Event imported as a copy from an unsigned file; no one has verified the earlier audit log "
"entries")
    ),
    "copy-arrived": Sentence(_("“%(event)s” imported as a copy from an unsigned file")),
    "event-arrived": Sentence(_("“%(event)s” imported from a file")),
    "event-went-on": Sentence(_("“%(event)s” updated from a file")),
    "set-back": Sentence(_("Event restored from an older file (%(moment)s)")),
    "restored": Sentence(_("Snapshot of %(moment)s restored (%(label)s)"), {"moment": as_moment, "label": as_state_then}),
})  # fmt: skip
