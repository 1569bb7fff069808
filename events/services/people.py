"""What is done with people: volunteers, suspensions, accounts, signed links, one-time codes."""

from __future__ import annotations

import datetime
import secrets

from django.contrib.auth.hashers import check_password, make_password
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.door import Refused, door
from events.models import Entry, Event, Person, SignInCode, Volunteer
from events.roles import Actor

State = Volunteer.State
VOLUNTEER_DECISIONS: dict[str, tuple[str, ...]] = {
    State.PENDING: (State.APPROVED, State.REFUSED),
    State.APPROVED: (State.SUSPENDED,),
    State.SUSPENDED: (State.APPROVED,),
    State.REFUSED: (State.APPROVED,),
}
NEEDS_REASON = frozenset({State.REFUSED, State.SUSPENDED})
SAY_WHY: Text = gettext_lazy("Say why: the person concerned reads it, and it is kept in the record.")
ONLY_SIGNED_IN: Text = gettext_lazy("Sign in first: that belongs to an account.")

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
CODE_LASTS = datetime.timedelta(minutes=15)
CODE_ATTEMPTS = 5


def account_of(by: Actor) -> Person:
    """Return the person who acts; Refused where there is no account."""
    if by.person is None:
        raise Refused(ONLY_SIGNED_IN)
    return Person.objects.get(pk=by.person.pk)


# Volunteers


def register_volunteer(*, by: Actor, city: str, experience: str, version: int | None = None) -> Volunteer:
    """Register the person who acts as a volunteer; who was refused may ask again, who is suspended may not."""
    person = account_of(by)
    known = Volunteer.objects.filter(person=person).first()
    with door("register-volunteer", by=by, on=known, version=version) as writing:
        if known is None:
            writing.summary = _("%(name)s registers as a volunteer") % {"name": person}
            return writing.create(Volunteer, person=person, city=city, experience=experience)
        if known.state == State.SUSPENDED:
            raise Refused(_("You are suspended as a volunteer: the sanctioning office decides on your return."))
        again = {"state": State.PENDING, "decision_reason": ""} if known.state == State.REFUSED else {}
        writing.save(known, city=city, experience=experience, **again)
        writing.summary = _("%(name)s changes the registration as a volunteer") % {"name": person}
        return known


def decide_volunteer(
    *, by: Actor, volunteer: Volunteer, decision: str, reason: str = "", version: int | None = None, **_unused: object
) -> Volunteer:
    """Approve, refuse, suspend or reinstate a volunteer; a refusal and a suspension say why."""
    with door("decide-volunteer", by=by, on=volunteer, version=version, reason=reason) as writing:
        if decision not in VOLUNTEER_DECISIONS[volunteer.state]:
            raise Refused(
                _("%(name)s is %(state)s: that cannot be decided now.")
                % {"name": volunteer.person, "state": volunteer.get_state_display()}
            )
        if decision in NEEDS_REASON and not reason.strip():
            raise Refused(SAY_WHY)
        writing.save(volunteer, state=decision, decided=writing.at, decision_reason=reason.strip()[:300])
        writing.summary = _("Volunteer %(name)s: %(state)s") % {
            "name": volunteer.person,
            "state": volunteer.get_state_display(),
        }
    return volunteer


# Accounts


def suspend_person(
    *, by: Actor, person: Person, until: datetime.date | None, reason: str, version: int | None = None
) -> Person:
    """Suspend a player up to and with a day, or (`until` None) end the suspension; either says why."""
    with door("suspend-person", by=by, on=person, version=version, reason=reason, confirmed=True) as writing:
        if until is not None and until < timezone.localdate():
            raise Refused(_("That day is over: choose today or a later day."))
        writing.save(person, suspended_until=until, suspension_reason=reason.strip()[:300] if until else "")
        writing.summary = (
            _("%(name)s is suspended until %(until)s") % {"name": person, "until": until}
            if until
            else _("The suspension of %(name)s is ended") % {"name": person}
        )
    return person


def change_account(
    *, by: Actor, name: str, phone: str, is_minor: bool, publisher_family: bool, version: int | None = None
) -> Person:
    """Change one's own name and facts."""
    person = account_of(by)
    with door("change-account", by=by, on=person, version=version) as writing:
        writing.save(person, name=name, phone=phone, is_minor=is_minor, publisher_family=publisher_family)
        writing.summary = _("%(name)s changes the account") % {"name": person}
    return person


def choose_language(*, by: Actor, language: str) -> Person:
    """Keep in which language somebody reads the site, for the mails that are sent later."""
    person = account_of(by)
    with door("change-account", by=by, on=person) as writing:
        writing.save(person, language=language)
        writing.summary = _("%(name)s chooses a language") % {"name": person}
    return person


# Signed links: players without an account act for their entry


def _signer(event: Event) -> Signer:
    """Return the signer of an event's links; its key moves with the event, so printed codes count on every machine."""
    return Signer(key=event.link_secret, salt="events.entry-link", sep="~")


def entry_link(entry: Entry) -> str:
    """Return the path of an entry's signed link, for its QR code; it lasts until the entry's link is renewed."""
    return reverse("events:entry-link", args=[_signer(entry.event).sign(f"{entry.link_key}.{entry.link_issue}")])


def entry_of_link(token: str) -> tuple[Entry | None, bool]:
    """Return the entry that a link was made for, and whether the link still counts; (None, False) where it is forged."""
    key, _dot, issue = token.partition("~")[0].rpartition(".")
    entry = Entry.objects.select_related("event", "event__venue").filter(link_key=key).first()
    if entry is None:
        return None, False
    try:
        _signer(entry.event).unsign(token)
    except BadSignature:
        return None, False
    return entry, issue == str(entry.link_issue)


def renew_entry_link(
    *, by: Actor, entry: Entry, version: int | None = None, confirmed: bool = False, **_unused: object
) -> Entry:
    """Make a new link for an entry: the one that was printed is worth nothing from now on."""
    lines = [_("The link and QR code printed for %(name)s lead nowhere from now on.") % {"name": entry.name}]
    with door(
        "renew-entry-link", by=by, event=entry.event, on=entry, version=version, confirmed=confirmed, consequences=lines
    ) as writing:
        writing.save(entry, link_issue=entry.link_issue + 1)
        writing.summary = _("New link for %(name)s; the printed one is worthless") % {"name": entry.name}
    return entry


# One-time codes: the head judge lets in who forgot the password


def belongs_to(event: Event, person: Person) -> bool:
    """Tell whether a person plays or works at an event."""
    return event.entries.filter(person=person).exists() or event.officials.filter(person=person).exists()


def make_sign_in_code(*, by: Actor, event: Event, person: Person) -> str:
    """Return a one-time code for somebody of this event, to be said or shown; only its hash is kept.

    It lasts 15 minutes, one use and five wrong attempts; earlier codes of the person end. Refused for people who
    do not belong to the event, for accounts of the office and for the venue's managers: a head judge gives nobody
    more rights than an event has.
    """
    with door("make-sign-in-code", by=by, event=event, on=person) as writing:
        maker = account_of(by)
        if not belongs_to(event, person):
            raise Refused(_("%(name)s neither plays nor works at this event.") % {"name": person})
        if person.is_office or person.is_staff or person.is_superuser or not person.is_active:
            raise Refused(_("This account cannot be let in by a code: its owner resets the password by e-mail."))
        if person != maker and person.managing.exists():
            raise Refused(_("A venue's manager cannot be let in by a code: reset the password by e-mail."))
        for old in person.sign_in_codes.filter(used__isnull=True, expires__gt=writing.at):
            writing.save(old, expires=writing.at)
        code = "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))
        writing.create(
            SignInCode,
            person=person,
            event=event,
            code_hash=make_password(code),
            made_by=maker,
            expires=writing.at + CODE_LASTS,
        )
        writing.summary = _("One-time code for %(name)s") % {"name": person}
    return code


def plain_code(typed: str) -> str:
    """Return a code as it was made: capitals, without the spaces and hyphens people add."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def use_sign_in_code(*, email: str, code: str, new_password: str = "") -> Person | None:
    """Return the person whom the code lets in and use it up; None where it is wrong, too old or tried too often.

    A wrong attempt is counted against the code and recorded. A new password replaces the forgotten one.
    """
    waiting = (
        SignInCode.objects.select_related("person", "event")
        .filter(person__email__iexact=email.strip(), used__isnull=True, attempts__lt=CODE_ATTEMPTS)
        .filter(person__is_active=True, expires__gt=timezone.now())
        .first()
    )
    if waiting is None:
        return None
    person = waiting.person
    with door("change-account", by=Actor(person=person), event=waiting.event, on=waiting) as writing:
        if waiting.used is not None or waiting.attempts >= CODE_ATTEMPTS or waiting.expires <= writing.at:
            return None
        if not check_password(plain_code(code), waiting.code_hash):
            writing.save(waiting, attempts=waiting.attempts + 1)
            writing.summary = _("A wrong one-time code was typed for %(name)s") % {"name": person}
            return None
        writing.save(waiting, used=writing.at)
        if new_password:
            writing.save(person, password=make_password(new_password))
        writing.summary = _("%(name)s came in by a one-time code") % {"name": person}
    return person
