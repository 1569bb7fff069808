"""Reminders by e-mail: each duty is mailed to a person once, and recorded in the same transaction."""

from __future__ import annotations

import datetime
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import IntegrityError
from django.db.models import Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.door import door
from events.mails import subject_line
from events.models import Event, Installation, Official, Person, Reminder
from events.roles import Actor
from judging.reminders import Duty, duties_of

LONG_AGO = datetime.timedelta(days=400)


class NotSent(Exception):
    """The mail server refused a reminder: it isn't recorded, and the next run tries again."""


def people_to_remind(now: datetime.datetime) -> list[Person]:
    """Return everyone who may have duties: officials, managers, volunteers, the sanctioning office. One query."""
    recently = Official.objects.filter(event__starts__gte=now - LONG_AGO).exclude(event__state=Event.State.CANCELLED)
    who = Q(is_office=True) | Q(managing__confirmed__isnull=False) | Q(volunteer__isnull=False)
    who |= Q(pk__in=recently.values("person_id"))
    return list(Person.objects.filter(who, is_active=True).exclude(email="").distinct().order_by("pk"))


def new_duties(person: Person, now: datetime.datetime) -> list[Duty]:
    """Return a person's duties that deserve a mail and haven't been mailed."""
    found = [one for one in duties_of(person, now) if one.is_mailed]
    known = set(person.reminders.filter(key__in=[one.key for one in found]).values_list("key", flat=True))
    return [one for one in found if one.key not in known]


def remind(*, by: Actor, person: Person, now: datetime.datetime | None = None) -> list[Duty]:
    """Send a person one mail with all new duties, record each, and return them.

    Raises NotSent if the mail server refuses: then nothing is recorded. Two runs at the same time send it once.
    """
    now = now or timezone.now()
    language = translation.override(person.language or Installation.here().language)
    with language:
        duties = new_duties(person, now)
    if not duties:
        return []
    try:
        with door("send-reminders", by=by) as writing:
            for duty in duties:
                writing.create(Reminder, person=person, key=duty.key, event=duty.event, venue=duty.venue)
            writing.says("reminded", name=person, n=len(duties))  # fmt: skip
            with language:
                send_mail(_subject(duties), _letter(person, duties), None, [person.email])
    except IntegrityError:
        return []
    except (OSError, SMTPException) as fault:
        raise NotSent(str(fault)) from fault
    return duties


def _subject(duties: list[Duty]) -> str:
    if len(duties) == 1:
        return subject_line(duties[0].words)
    return subject_line(ngettext("%(n)d task due", "%(n)d tasks due", len(duties)) % {"n": len(duties)})


def _letter(person: Person, duties: list[Duty]) -> str:
    lines = [_("Hello %(name)s,") % {"name": person.name}, "", _("The following needs your attention:"), ""]
    for duty in duties:
        lines += [f"- {duty.words}", f"  {settings.SITE_URL}{duty.address}", ""]
    lines.append(_("You get one reminder for each task. Your home page also lists everything that is due."))
    return "\n".join(lines)
