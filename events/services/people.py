"""Verbs about people: volunteers, suspensions, accounts, player links, sign-in codes."""

from __future__ import annotations

import datetime
import logging
import secrets
from collections.abc import Callable
from smtplib import SMTPException

from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import make_password
from django.core.mail import send_mail
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import formats, timezone, translation
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.actions import Text
from events.door import Refused, Writing, door
from events.mails import is_mail_configured, subject_line
from events.models import Entry, Event, Installation, Official, Person, PublicProfile, SignInCode, Volunteer
from events.models.profiles import new_key
from events.prepared import Prepared, asked
from events.roles import CODE_SESSION_LASTS, CODES_ENDED, SITE, Actor

from .mails import notify

logger = logging.getLogger(__name__)
State = Volunteer.State
VOLUNTEER_DECISIONS: dict[str, tuple[str, ...]] = {
    State.PENDING: (State.APPROVED, State.REFUSED),
    State.APPROVED: (State.SUSPENDED,),
    State.SUSPENDED: (State.APPROVED,),
    State.REFUSED: (State.APPROVED,),
}
NEEDS_REASON = frozenset({State.REFUSED, State.SUSPENDED})
SAY_WHY: Text = gettext_lazy("Give a reason. The people concerned can read it, and it stays in the audit log.")
ONLY_SIGNED_IN: Text = gettext_lazy("Sign in to your account first.")

NO_CODE_HERE: Text = gettext_lazy(
    "No official or player of this event has an account with this address. "
    "Players without an account use their player link."
)

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
CODE_LASTS = datetime.timedelta(minutes=15)
CODE_BEGINS = 3
CODES_TRIED = 5
MAX_ATTEMPTS = 5


def account_of(by: Actor) -> Person:
    """Return the person signed in with their own account. Raise Refused for all others, also sessions by code."""
    if by.account is None:
        raise Refused(ONLY_SIGNED_IN)
    return Person.objects.get(pk=by.account.pk)


# volunteers


def register_volunteer(*, by: Actor, city: str, experience: str, version: int | None = None) -> Volunteer:
    """Register the acting person as a volunteer; after a refusal they may ask again, while suspended they may not."""
    person = account_of(by)
    known = Volunteer.objects.filter(person=person).first()
    with door("register-volunteer", by=by, on=known, version=version) as writing:
        if known is None:
            writing.says("volunteer-registered", name=person)
            made = writing.create(Volunteer, person=person, city=city, experience=experience)
            _tell_office(made)
            return made
        if known.state == State.SUSPENDED:
            raise Refused(_("You're suspended as a volunteer. Only the sanctioning office can reinstate you."))
        again = {"state": State.PENDING, "decision_reason": ""} if known.state == State.REFUSED else {}
        writing.save(known, city=city, experience=experience, **again)
        writing.says("volunteer-changed", name=person)
        if again:
            _tell_office(known)
        return known


def office_people() -> QuerySet[Person]:
    """Return the people of the sanctioning office."""
    return Person.objects.filter(is_office=True)


def _tell_office(volunteer: Volunteer) -> None:
    notify(
        office_people(),
        gettext_lazy("Volunteer to approve: %(name)s"),
        gettext_lazy("%(name)s has applied to register as a volunteer. Approve or reject the registration:"),
        path=reverse("events:office-volunteer", args=[volunteer.pk]),
        name=volunteer.person,
    )


def decide_volunteer(
    *, by: Actor, volunteer: Volunteer, decision: str, reason: str = "", version: int | None = None, **_unused: object
) -> Volunteer:
    """Approve, refuse, suspend or reinstate a volunteer; refusing and suspending require a reason."""
    with door("decide-volunteer", by=by, on=volunteer, version=version, reason=reason) as writing:
        if decision not in VOLUNTEER_DECISIONS[volunteer.state]:
            raise Refused(
                _("%(name)s's registration is now %(state)s. Reload the page, then decide again.")
                % {"name": volunteer.person, "state": volunteer.get_state_display()}
            )
        if decision in NEEDS_REASON and not reason.strip():
            raise Refused(SAY_WHY)
        writing.save(volunteer, state=decision, decided=writing.at, decision_reason=reason.strip()[:300])
        writing.says("volunteer-decided", name=volunteer.person, state=volunteer.state)
        notify(
            [volunteer.person],
            gettext_lazy("Your volunteer registration: %(state)s"),
            gettext_lazy("Your registration as a volunteer is now %(state)s. %(reason)s"),
            path=reverse("events:volunteer-register"),
            state=State(volunteer.state).label,
            reason=volunteer.decision_reason,
        )
    return volunteer


# accounts


def suspend_person(
    *, by: Actor, person: Person, until: datetime.date, reason: str, version: int | None = None
) -> Person:
    """Suspend a player through a day, which may be FURTHER_NOTICE; requires a reason."""
    with door("suspend-person", by=by, on=person, version=version, reason=reason, confirmed=True) as writing:
        if until < timezone.localdate():
            raise Refused(_("That day is in the past. Choose today or a later day."))
        writing.save(person, suspended_until=until, suspension_reason=reason.strip()[:300])
        writing.says("person-suspended", name=person, until=until)
    return person


def lift_suspension(
    *, by: Actor, person: Person, reason: str = "", version: int | None = None, confirmed: bool = False
) -> Person:
    """Let a suspended player play again from now on; requires a reason."""
    lines = [_("%(name)s can play again.") % {"name": person}]
    with door(
        "lift-suspension", by=by, on=person, version=version, reason=reason, confirmed=confirmed, consequences=lines
    ) as writing:
        if not person.suspended:
            raise Refused(_("%(name)s isn't suspended. Reload the page to see the current state.") % {"name": person})
        writing.save(person, suspended_until=None, suspension_reason="")
        writing.says("suspension-ended", name=person)
    return person


def change_account(
    *, by: Actor, name: str, phone: str, is_minor: bool, publisher_family: bool, version: int | None = None,
    wants_pairings: bool | None = None,
) -> Person:  # fmt: skip
    """Change the acting person's name and details; None leaves the choice about e-mails as it is."""
    person = account_of(by)
    with door("change-account", by=by, on=person, version=version) as writing:
        wants = person.wants_pairings if wants_pairings is None else wants_pairings
        writing.save(
            person,
            name=name,
            phone=phone,
            is_minor=is_minor,
            publisher_family=publisher_family,
            wants_pairings=wants,
        )
        writing.says("account-changed", name=person)
    if is_minor:
        _end_profile(by, person)
        _shorten_at_events(by, person)
    return person


def _end_profile(by: Actor, person: Person) -> None:
    """Turn off the public profile of someone who is under 18 after all."""
    if (profile := PublicProfile.objects.filter(person=person, is_on=True).first()) is not None:
        with door("change-profile", by=by, on=profile) as writing:
            end_profile(writing, profile)


def end_profile(writing: Writing, profile: PublicProfile) -> None:
    """Within an open door: turn a profile off for good at its address, and leave the name out of new archives."""
    writing.save(profile, is_on=False, in_archives=False, key=new_key())
    writing.says("profile-off", name=profile.person)


def _shorten_at_events(by: Actor, person: Person) -> None:
    """Mark the person's entries as a minor's, at past events too; events that another machine holds are edited there."""
    for entry in person.entries.filter(is_minor=False, event__away="").select_related("event"):
        with door("change-account", by=by, event=entry.event, on=entry) as writing:
            writing.save(entry, is_minor=True)
            writing.says("marked-as-minor", name=entry.name)


def choose_language(*, by: Actor, language: str) -> Person:
    """Save the language in which a person reads the site, for later e-mails."""
    person = account_of(by)
    with door("change-account", by=by, on=person) as writing:
        writing.save(person, language=language)
        writing.says("language-chosen", name=person)
    return person


# the address under which a calendar program reads a person's events

CALENDAR = Signer(salt="events.calendar", sep="~")


def calendar_token(person: Person) -> str:
    """Return the token of the person's calendar address, or "" if there is none. A newer address has another token."""
    since = person.calendar_since
    return CALENDAR.sign_object([person.pk, since.isoformat()]) if since else ""


def person_of_calendar(token: str) -> Person | None:
    """Return whose calendar a token reads, or None if it is forged, replaced or turned off, or the account is closed."""
    try:
        key, since = CALENDAR.unsign_object(token)
    except (BadSignature, ValueError):
        return None
    person = Person.objects.filter(pk=key, is_active=True).first()
    return (
        person if person is not None and person.calendar_since and person.calendar_since.isoformat() == since else None
    )


def change_calendar_address(*, by: Actor, on: bool) -> Person:
    """Make the person's calendar address, which replaces an earlier one, or turn it off."""
    person = account_of(by)
    with door("change-account", by=by, on=person) as writing:
        writing.save(person, calendar_since=timezone.now() if on else None)
        writing.says("calendar-address-made" if on else "calendar-address-off", name=person)
    return person


# e-mails about pairings

PAIRING_MAILS = Signer(salt="events.pairing-mails", sep="~")


def pairing_mails_off_path(person: Person) -> str:
    """Return the path of the link that turns a person's e-mails about pairings off; it does nothing else."""
    return reverse("events:pairing-mails-off", args=[PAIRING_MAILS.sign(str(person.pk))])


def person_of_pairing_mails(token: str) -> Person | None:
    """Return whose e-mails about pairings a link turns off, or None if it is forged or the account is closed."""
    try:
        key = PAIRING_MAILS.unsign(token)
    except BadSignature:
        return None
    return Person.objects.filter(pk=int(key), is_active=True).first()


def turn_off_pairing_mails(*, person: Person) -> Person:
    """Turn off a person's e-mails about pairings, for whoever has the link from one; doing it twice changes nothing."""
    with door("change-account", by=Actor(person=person), on=person) as writing:
        writing.save(person, wants_pairings=False)
        writing.says("pairing-mails-off", name=person)
    return person


# player links, with which players without an account act for their entry

OF_LINK = Prepared(lambda: Entry.objects.select_related("event").filter(link_key=asked("key")))


def _signer(event: Event) -> Signer:
    """Return the signer of an event's links; its key moves with the event, so printed codes work on every machine."""
    return Signer(key=event.link_secret, salt="events.entry-link", sep="~")


def entry_link(entry: Entry) -> str:
    """Return the path of an entry's player link, for its QR code; it works until the link is renewed."""
    return reverse("events:entry-link", args=[_signer(entry.event).sign(f"{entry.link_key}.{entry.link_issue}")])


def entry_of_link(token: str) -> tuple[Entry | None, bool]:
    """Return the entry of a link, and whether the link is still valid; (None, False) if it is forged."""
    key, _dot, issue = token.partition("~")[0].rpartition(".")
    entry = OF_LINK.first(key=key)
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
    """Make a new link for an entry, which invalidates the printed one."""
    lines = [_("The link and QR code printed for %(name)s will stop working.") % {"name": entry.name}]
    with door(
        "renew-entry-link", by=by, event=entry.event, on=entry, version=version, confirmed=confirmed, consequences=lines
    ) as writing:
        writing.save(entry, link_issue=entry.link_issue + 1)
        writing.says("link-renewed", name=entry.name)
    return entry


# sign-in codes, with which the head judge lets a person act at this event only


def why_no_code(event: Event, person: Person) -> str:
    """Return why no code can let this person act at the event, or "". Checked when a code is made and when it is used.

    A code is limited to the event: people whose role or account reaches further must sign in themselves. Offers that a
    person hasn't accepted don't count, or any stranger could deny them a code.
    """
    if not person.is_active or (office_for_code(event, person) is None and entry_for_code(event, person) is None):
        return str(NO_CODE_HERE)
    if person.is_office or person.is_staff or person.is_superuser:
        return _("%(name)s is an administrator and signs in with their own password.") % {"name": person}
    if person.managing.at_work().exists():
        return _("%(name)s manages a venue and signs in with their own password.") % {"name": person}
    if Authenticator.objects.filter(user=person).exists():
        return _("%(name)s uses two-factor sign-in, which a sign-in code can't replace.") % {"name": person}
    elsewhere = person.offices.agreed().exclude(event__state__in=CODES_ENDED).exclude(event=event)
    if elsewhere.exists():
        return _("%(name)s has a role at another event that isn't over, and signs in with their own password.") % {
            "name": person
        }
    return ""


def office_for_code(event: Event, person: Person) -> Official | None:
    """Return the role a code gives the person at the event: one that they and the venue have accepted, or None."""
    return event.officials.at_work().filter(person=person).first()


def entry_for_code(event: Event, person: Person) -> Entry | None:
    """Return the entry a code lets the person act for: one that their own account made or confirmed, or None."""
    return event.entries.filter(person=person).first()


def make_sign_in_code(*, by: Actor, event: Event, person: Person) -> str:
    """Return a sign-in code for a person of this event, to be told or shown; only its hash is stored.

    It is valid for 15 minutes and one use; the person's earlier codes for the event end, with the sessions they opened.
    The author must be signed in with their own account: a session opened by code can't make codes.
    """
    code = "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))
    hashed = hash_of_code(code, person.email)
    with door("make-sign-in-code", by=by, event=event, on=person) as writing:
        maker = account_of(by)
        if why := why_no_code(event, person):
            raise Refused(why)
        for old in person.sign_in_codes.filter(event=event, revoked=None).filter(_may_still_act(writing.at)):
            writing.save(old, revoked=writing.at)
        writing.create(
            SignInCode,
            person=person,
            event=event,
            code_hash=hashed,
            begins=code[:CODE_BEGINS],
            made_by=maker,
            expires=writing.at + CODE_LASTS,
        )
        writing.says("code-made", name=person)
    return code


def _may_still_act(now: datetime.datetime) -> Q:
    return Q(used=None, expires__gt=now) | Q(used__gt=now - CODE_SESSION_LASTS)


def codes_of(event: Event) -> list[SignInCode]:
    """Return the event's codes that are unused or have an active session. One query."""
    rows = event.sign_in_codes.filter(revoked=None).filter(_may_still_act(timezone.now()))
    return list(rows.select_related("person", "made_by"))


def revoke_sign_in_code(*, by: Actor, event: Event, code: SignInCode) -> SignInCode:
    """Revoke a code and end the session it opened."""
    with door("revoke-sign-in-code", by=by, event=event, on=code) as writing:
        writing.save(code, revoked=code.revoked or writing.at)
        writing.says("code-revoked", name=code.person)
    return code


def plain_code(typed: str) -> str:
    """Return a typed code in its original form: capitals, without added spaces and hyphens."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def hash_of_code(code: str, email: str) -> str:
    """Return the slow hash of a code. All codes of an address share a salt, so that one hash tries them all."""
    salt = salted_hmac("events.sign-in-code", email.strip().lower(), algorithm="sha256").hexdigest()[:32]
    return make_password(plain_code(code), salt)


def use_sign_in_code(*, email: str, code: str, let_in: Callable[[SignInCode], None]) -> SignInCode | None:
    """Use up the typed code and return it; None if it is wrong or expired.

    `let_in` opens the session in the same transaction, so that the code isn't used up if that fails. An attempt costs
    one hash, computed before the database is queried, for any address. After five wrong attempts that begin as the code
    does, the code ends. Others don't count, or a stranger could block sign-in by code; the page limits attempts per
    address. Raise Refused if the code is right but no longer gives this person access.
    """
    hashed = hash_of_code(code, email)
    waiting = (
        SignInCode.objects.select_related("person", "event")
        .filter(person__email__iexact=email.strip(), used__isnull=True)
        .filter(person__is_active=True, revoked=None, expires__gt=timezone.now())
        .exclude(event__state__in=CODES_ENDED)
    )
    rows = list(waiting[:CODES_TRIED])
    for row in rows:
        if constant_time_compare(row.code_hash, hashed):
            return row if _use(row, let_in) else None
    for row in rows:
        if row.begins == plain_code(code)[:CODE_BEGINS]:
            _count_wrong(row)
    return None


def _is_over(row: SignInCode, now: datetime.datetime) -> bool:
    return row.used is not None or row.revoked is not None or row.expires <= now


def _use(row: SignInCode, let_in: Callable[[SignInCode], None]) -> bool:
    """Use up a correctly typed code; return False if it was used or revoked in between."""
    person, event = row.person, row.event
    actor = Actor(person=person, office=office_for_code(event, person))
    with door("use-sign-in-code", by=actor if actor.office else SITE, event=event, on=row) as writing:
        if _is_over(row, writing.at):
            return False
        if why := why_no_code(event, person):
            raise Refused(why)
        writing.save(row, used=writing.at)
        writing.says("code-used", name=person)
        let_in(row)
        transaction.on_commit(lambda: _mail_of_code(row))
    return True


def _count_wrong(row: SignInCode) -> None:
    """Count a wrong attempt at a code; the last one ends the code."""
    with door("use-sign-in-code", by=SITE, event=row.event, on=row) as writing:
        if not _is_over(row, writing.at):
            is_last = row.attempts + 1 >= MAX_ATTEMPTS
            writing.save(row, attempts=row.attempts + 1, revoked=writing.at if is_last else None)
            writing.says("code-over" if is_last else "code-wrong", name=row.person)


def _used_words(code: SignInCode) -> str:
    """Return in words that a code let someone act in a person's name."""
    at = timezone.localtime(code.used, code.event.venue.zone)
    return _(
        "Someone used a sign-in code to act as you at %(event)s. %(maker)s created the code, and it was used on "
        "%(at)s. "
        "If that wasn't you, tell the head judge or the administrator."
    ) % {"event": code.event, "maker": code.made_by, "at": formats.date_format(at, "j F Y, H:i")}


def _mail_of_code(code: SignInCode) -> None:
    """E-mail the person, if mail is configured; a failure is only logged, because the page also tells them."""
    if not code.person.email or not is_mail_configured():
        return
    with translation.override(code.person.language or Installation.here().language):
        try:
            send_mail(subject_line(_("A sign-in code was used")), _used_words(code), None, [code.person.email])
        except (OSError, SMTPException):
            logger.exception("An e-mail about a sign-in code couldn't be sent")


def tell_of_codes(*, person: Person) -> list[str]:
    """Return what a person must learn at sign-in about codes used in their name; each is reported once."""
    untold = person.sign_in_codes.filter(used__isnull=False, told=None).select_related("event__venue", "made_by")
    words = []
    for code in untold.order_by("pk"):
        with door("change-account", by=Actor(person=person), event=None, on=code) as writing:
            if code.told is None:
                writing.save(code, told=writing.at)
                writing.says("code-told", name=person)
                words.append(_used_words(code))
    return words
