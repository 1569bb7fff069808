"""Checks of an event being played: players who leave, reporting of results, and publications."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .values import Leaving, Message, Publication, Results, Text, day_in_words

DAYS_TO_REPORT = 16
PRIVATE = frozenset({"email", "telephone", "postal-address", "date-of-birth", "tax-number"})
"""Personal data that isn't part of an event and must not be published."""
PRIVATE_WORDS: dict[str, Text] = {
    "email": gettext_lazy("the e-mail address of a player or official"),
    "telephone": gettext_lazy("the telephone number of an official"),
    "postal-address": gettext_lazy("a postal address"),
    "date-of-birth": gettext_lazy("a date of birth"),
    "tax-number": gettext_lazy("a tax number"),
}


def play_on(leaving: Leaving) -> Iterator[Message]:
    """Check that no one concedes or leaves a match; a player who does has withdrawn from the whole event."""
    if leaving.returns and leaving.abandoned:
        yield Message(
            "",
            _("%(name)s left a match and has been dropped from the event. Re-entry isn't possible.")
            % {"name": leaving.name},
        )
    elif leaving.game_is_open:
        yield Message(
            "",
            _(
                "Matches are played to the end. A player who leaves a match drops from the event; a judge "
                "records on the table's page that the player left."
            ),
        )


def verified_copy(results: Results) -> Iterator[Message]:
    """Check that the head judge has given the venue a verified copy of the results."""
    if results.verified and not results.received:
        yield Message("", _("The venue hasn't confirmed receipt of the verified results yet."))


def kept_a_year(results: Results) -> Iterator[Message]:
    """Check that the venue keeps the verified copy for a year."""
    if results.verified and results.removed and results.removed < kept_until(results.verified):
        yield Message(
            "",
            _("The verified results are kept until %(day)s and can't be deleted before then.")
            % {"day": day_in_words(kept_until(results.verified))},
        )


def kept_until(verified: datetime.date) -> datetime.date:
    """Return the day from which a copy verified on this day need no longer be kept: a calendar year later."""
    try:
        return verified.replace(year=verified.year + 1)
    except ValueError:  # 29 February
        return datetime.date(verified.year + 1, 3, 1)


def reported_in_time(results: Results) -> Iterator[Message]:
    """Check that results arrive within 16 days of the event's end; later ones are "tardy"."""
    if results.ended is None:
        return
    last = last_day_to_report(results.ended)
    if results.reported is not None and results.reported > last:
        yield Message(
            "",
            _("The results were reported on %(day)s, after the deadline of %(last)s.")
            % {"day": day_in_words(results.reported), "last": day_in_words(last)},
        )
    elif results.reported is None and results.today > last:
        yield Message("", _("The results were due on %(last)s and are overdue.") % {"last": day_in_words(last)})


def last_day_to_report(ended: datetime.date) -> datetime.date:
    """Return the last day on which results of an event that ended on this day are on time."""
    return ended + datetime.timedelta(days=DAYS_TO_REPORT)


@dataclass(frozen=True)
class Due:
    """The last day on which results are on time, and the current day; both are calendar days of the venue."""

    last_day: datetime.date
    days_left: int
    reported_on: datetime.date | None = None

    @property
    def is_late(self) -> bool:
        """Whether the results arrived after the last day, or are still missing after it."""
        return self.reported_on > self.last_day if self.reported_on else self.days_left < 0


def due(
    ended: datetime.datetime,
    now: datetime.datetime,
    zone: datetime.tzinfo,
    reported: datetime.datetime | None = None,
) -> Due:
    """Return when results of an event that ended then are due: 16 days after its last day at the venue."""
    last_day = last_day_to_report(ended.astimezone(zone).date())
    days_left = (last_day - now.astimezone(zone).date()).days
    return Due(last_day, days_left, reported.astimezone(zone).date() if reported else None)


def publishing(publication: Publication) -> Iterator[Message]:
    """Check that only event data is published (names, ages, home towns, results, forces, pictures), no addresses."""
    private = sorted(PRIVATE & set(publication.facts))
    if private:
        yield Message(
            "text",
            _("This text contains private information: %(facts)s. Remove it.")
            % {"facts": ", ".join(str(PRIVATE_WORDS[fact]) for fact in private)},
        )
