"""E-mails that tell players where they play, once per round, and again only if their table or opponents change.

What is to be mailed is found in the database: the newest round of each running event, its pairings, and what was mailed
before. So a mail that a process missed is sent by the next turn, until the round is over. No transaction is open while
mails are sent.
"""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from events.mails import is_mail_configured, subject_line
from events.models import AuditEntry, Entry, Event, Installation, Match, PairingMail, Person, Round
from events.queries import with_event
from events.services.people import pairing_mails_off_path

LATE = datetime.timedelta(hours=3)
"""How long after its publication a round's mails are still worth sending."""
PLAYED = (Round.State.PUBLISHED, Round.State.RUNNING)
log = logging.getLogger(__name__)


class MailServerError(Exception):
    """The mail server doesn't take mails now: the rest is tried again."""


@dataclass(frozen=True)
class Seat:
    """Where a person plays in a round."""

    person: Person
    entry: Entry
    match: Match
    round: Round

    @property
    def told(self) -> str:
        """Table and opponents, as `PairingMail` keeps them."""
        return f"{self.match.kind}:{self.match.table or ''}:{','.join(str(one.pk) for one in self.match.entries)}"


def send_mails(site: str) -> int:
    """Send the mails that are due, and return how many. Raise MailServerError if the server doesn't take them.

    `site` is the site's own URL: without it, a mail would have no link, so none is sent.
    """
    if not (site and is_mail_configured()):
        return 0
    wanted = Person.objects.filter(wants_pairings=True, is_active=True).exclude(email="")
    seats = [seat for round in rounds_of(wanted, timezone.now()) for seat in _seats(round, wanted)]
    if not seats:
        return 0
    sent = 0
    connection = get_connection()
    try:
        connection.open()
        for seat in seats:
            sent += _send(seat, site, connection)
    except (OSError, SMTPException) as fault:
        raise MailServerError(str(fault)) from fault
    finally:
        connection.close()
    return sent


def rounds_of(people: QuerySet[Person], now: datetime.datetime) -> Iterator[Round]:
    """Yield the newest round of each running event of these people, if it was published here lately and isn't over."""
    found = Round.objects.filter(
        state__in=PLAYED, published_at__gt=now - LATE, event__state=Event.State.RUNNING, event__away=""
    )
    wanted = Entry.objects.filter(event=OuterRef("event"), person__in=people)
    later = Round.objects.filter(event=OuterRef("event"), number__gt=OuterRef("number")).exclude(
        state=Round.State.DRAFT
    )
    arrived = AuditEntry.objects.filter(
        verb="import-event", subject_model="events.Event", subject_id=OuterRef("event"), at__gt=OuterRef("published_at")
    )
    yield from found.filter(Exists(wanted), ~Exists(later), ~Exists(arrived)).select_related("event__venue")


def _seats(round: Round, people: QuerySet[Person]) -> Iterator[Seat]:
    """Yield where people play in a round, if they haven't been mailed."""
    told = dict(PairingMail.objects.filter(event=round.event, round_number=round.number).values_list("person", "told"))
    yield from (seat for seat in seats_of(round, people) if told.get(seat.person.pk) != seat.told)


def seats_of(round: Round, people: QuerySet[Person]) -> Iterator[Seat]:
    """Yield where those of these people who play in a round do so."""
    known = {person.pk: person for person in people.filter(entries__event=round.event)}
    matches = list(round.matches.with_entries().exclude(kind=Match.Kind.MISSED).order_by("table", "pk"))
    for match in matches:
        match.round = round
    for match in with_event(matches, round.event):
        for entry in match.entries:
            person = known.get(entry.person_id or 0)
            if person is not None:
                yield Seat(person, entry, match, round)


def _send(seat: Seat, site: str, connection: BaseEmailBackend) -> bool:
    """Mail one person; return whether this process did. What the server doesn't take is claimed by no one."""
    before = _claimed(seat)
    if before is None:
        return False
    try:
        _mail(seat, site, connection).send()
    except (SMTPRecipientsRefused, SMTPDataError):
        log.warning("The mail server refused an e-mail about pairings to person %s", seat.person.pk)
        return False
    except (OSError, SMTPException):
        mine = PairingMail.objects.filter(_key(seat), told=seat.told)
        mine.update(told=before) if before else mine.delete()
        raise
    return True


def _key(seat: Seat) -> Q:
    return Q(event=seat.round.event, person=seat.person, round_number=seat.round.number)


def _claimed(seat: Seat) -> str | None:
    """Note that this mail is sent; return what was told before ("" for nothing), or None if another process sends it."""
    before = PairingMail.objects.filter(_key(seat)).values_list("told", flat=True).first()
    if before is not None:
        changed = PairingMail.objects.filter(_key(seat), told=before).exclude(told=seat.told)
        return before if changed.update(told=seat.told, sent=timezone.now()) else None
    try:
        with transaction.atomic():
            PairingMail.objects.create(
                event=seat.round.event, person=seat.person, round_number=seat.round.number, told=seat.told
            )
    except IntegrityError:
        return None
    return ""


# what they say


def _mail(seat: Seat, site: str, connection: BaseEmailBackend) -> EmailMessage:
    off = f"{site}{pairing_mails_off_path(seat.person)}"
    with translation.override(seat.person.language or Installation.here().language):
        where = place_of(seat)
        page = reverse("events:entry", args=[seat.round.event.public_id, seat.entry.number])
        lines = [
            _("Hello %(name)s,") % {"name": seat.person.name},
            f"{seat.round.event.name}\n{where}",
            *([start] if (start := _start(seat.round)) else []),
            f"{site}{page}",
            _("You get these e-mails because you asked for pairings by e-mail. Turn them off:") + f"\n{off}",
        ]
        headers = {"List-Unsubscribe": f"<{off}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        return EmailMessage(
            subject_line(where), "\n\n".join(lines), None, [seat.person.email], connection=connection, headers=headers
        )


def place_of(seat: Seat) -> str:
    """Return table and opponents in a line; minors are named as on public pages."""
    if seat.match.b is None:
        return _("%(round)s: you have a bye") % {"round": seat.round}
    opponents = seat.match.opponents_of(seat.entry)
    partners = [one for one in seat.match.entries if one.pk != seat.entry.pk and one not in opponents]
    facts = {
        "round": seat.round,
        "table": seat.match.table,
        "opponents": ", ".join(one.public_name for one in opponents),
        "partner": ", ".join(one.public_name for one in partners),
    }
    if partners:
        return _("%(round)s: table %(table)s against %(opponents)s (partner: %(partner)s)") % facts
    return _("%(round)s: table %(table)s against %(opponents)s") % facts


def _start(round: Round) -> str:
    """Return when the clock started, or is announced to start; "" if that isn't known."""
    zone, now = round.event.venue.zone, timezone.now()
    if round.started_at is not None:
        return _("The clock started at %(time)s.") % {"time": date_format(round.started_at.astimezone(zone), "H:i")}
    announced = _announced(round)
    if announced is None or announced < now:
        return ""
    return _("The clock starts at %(time)s.") % {"time": date_format(announced.astimezone(zone), "H:i")}


def _announced(round: Round) -> datetime.datetime | None:
    """Return the start that was announced when the round was published, which publishing cleared."""
    published = AuditEntry.objects.filter(event=round.event, verb="publish-round", subject_id=round.pk)
    entry = published.order_by("-pk").first()
    for change in entry.changes if entry is not None else ():
        at = (change["before"] or {}).get("next_round_at") if change["model"] == "events.Event" else None
        if at:
            return parse_datetime(at)
    return None
