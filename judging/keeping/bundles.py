"""Paper bundles: after each publication one PDF of pairings, slips, standings and open tables, in case the power fails.

Bundles are made from the published rows, outside requests (`judging.background`), and on demand if one is missing. The
row is written first and serves as the queue: any process makes what is waiting, and retries what failed.
"""

from __future__ import annotations

import datetime
import io
import logging
from collections.abc import Generator, Iterable

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _
from pypdf import PdfReader, PdfWriter

from events import queries
from events.address import site_address
from events.models import Event, Match, Round
from events.pdf import open_tables, pairings, slips, standings
from events.pdf.paper import PageHeading
from events.standings_columns import printed_tables
from judging.keeping import storage
from judging.keeping.whole_file import canonical
from judging.models import Bundle

LEASE = datetime.timedelta(minutes=3)
"""The longest time a process may take to make a bundle; after this another process takes over."""
WAIT = datetime.timedelta(seconds=20)
"""The wait before a retry, times the number of attempts."""
MAX_ATTEMPTS = 8
KEPT_PER_ROUND = 3
log = logging.getLogger(__name__)
State = Bundle.State
PUBLISHED = (Round.State.PUBLISHED, Round.State.RUNNING, Round.State.COMPLETE)


def matches_of(round: Round) -> list[Match]:
    """Return the published matches of a round, by table."""
    found = Match.objects.filter(round=round).with_round()
    return queries.with_event(list(found.order_by(F("table").asc(nulls_last=True), "pk")), round.event)


def digest_of(round: Round, matches: Iterable[Match]) -> str:
    """Return a digest of a round's seating as printed; it changes when tables are reseated."""
    seats = [
        [m.table, m.kind, *(fact for entry in m.entries for fact in (entry.number, entry.name))]
        + ([] if m.b else [None, None])
        for m in matches
    ]
    return storage.digest(canonical([round.event.name, round.number, round.scenario, seats]))


def ask(round: Round, *, site: str = "") -> Bundle:
    """Return the bundle of a published round as it is seated now, and queue it if there is none yet."""
    of = digest_of(round, matches_of(round))
    with transaction.atomic():
        made, _new = Bundle.objects.get_or_create(
            event=round.event, round_number=round.number, of=of, defaults={"asked": timezone.now(), "site": site[:200]}
        )
    return made


def ask_for_missing(event: Event, *, site: str = "") -> None:
    """Queue the bundles of published rounds that have none, and of the newest round as it is seated now."""
    known = set(Bundle.objects.filter(event=event).values_list("round_number", flat=True))
    rounds = list(Round.objects.filter(event=event, state__in=PUBLISHED).order_by("number"))
    for row in rounds:
        row.event = event
        if row.number not in known or row is rounds[-1]:
            ask(row, site=site)


def waiting(event: Event | None = None) -> QuerySet[Bundle]:
    """Return the bundles that are waiting, to be retried, or left by a dead process: of one event, or of all."""
    now = timezone.now()
    gone = Q(began__lt=now - LEASE) | Q(began__gt=now + LEASE)  # began in the future: the clock was set back afterwards
    waits = Q(state=State.WAITING) & (Q(began=None) | gone)
    found = Bundle.objects.filter(waits | Q(state=State.FAILED, attempts__lt=MAX_ATTEMPTS))
    return found if event is None else found.filter(event=event)


def make_waiting(event: Event | None = None) -> int:
    """Make every bundle that is waiting, due for a retry, or left by a dead process; return how many were made."""
    now = timezone.now()
    made = 0
    for bundle in waiting(event).select_related("event__venue").order_by("pk"):
        again = bundle.began is None or not bundle.began <= now < bundle.began + WAIT * bundle.attempts
        due = bundle.state == State.WAITING or again
        if due and _taken(bundle, now):
            make(bundle)
            made += 1
    return made


def making(event_id: int | None) -> Generator[None]:
    """Make every bundle that is waiting, of one event or of all, as a job of `rules.standby`."""
    yield
    make_waiting(None if event_id is None else Event.objects.get(pk=event_id))


def _taken(bundle: Bundle, now: datetime.datetime) -> bool:
    """Claim a bundle for this process; return False if another process was faster."""
    same = Bundle.objects.filter(pk=bundle.pk, state=bundle.state, attempts=bundle.attempts, began=bundle.began)
    return bool(same.update(state=State.WAITING, began=now, attempts=F("attempts") + 1))


def make(bundle: Bundle, *, site: str = "") -> Bundle:
    """Make a bundle now and store it; on failure store the reason, for a later retry."""
    event = bundle.event
    round = Round.objects.filter(event=event, number=bundle.round_number, state__in=PUBLISHED).first()
    try:
        if round is None:
            raise Gone(_("The round is no longer published."))
        round.event = event
        matches = matches_of(round)
        of = digest_of(round, matches)
        content = bundle_pdf(event, round, matches, site=site or bundle.site or site_address())
        name = f"{storage.PAPERS}/{event.public_id}/round-{round.number}-{of[:10]}.pdf"
        storage.write(storage.place(name), content)
    except Gone as told:
        Bundle.objects.filter(pk=bundle.pk).update(state=State.FAILED, problem=str(told), attempts=MAX_ATTEMPTS)
    except Exception as fault:
        log.exception("The printouts for round %s of event %s couldn't be made", bundle.round_number, event.public_id)
        Bundle.objects.filter(pk=bundle.pk).update(state=State.FAILED, problem=f"{type(fault).__name__}: {fault}"[:300])
    else:
        if of != bundle.of:  # reseated in the meantime: the paper shows the present seating
            Bundle.objects.filter(event=event, round_number=round.number, of=of).exclude(pk=bundle.pk).delete()
        Bundle.objects.filter(pk=bundle.pk).update(
            state=State.MADE,
            of=of,
            made=timezone.now(),
            file=name,
            sha256=storage.digest(content),
            size=len(content),
            problem="",
        )
        storage.copy_out(storage.place(name))
        _tidy(event, round.number)
    bundle.refresh_from_db()
    return bundle


class Gone(Exception):
    """The round of a queued bundle is no longer published."""


def _tidy(event: Event, number: int) -> None:
    for old in Bundle.objects.filter(event=event, round_number=number, state=State.MADE).order_by("-pk")[
        KEPT_PER_ROUND:
    ]:
        storage.remove(storage.place(old.file))
        old.delete()


def content_of(round: Round, *, site: str) -> bytes:
    """Return the PDF of a round as it is seated now; make it at once if it is missing or damaged."""
    bundle = ask(round, site=site)
    if bundle.state == State.MADE:
        try:
            return storage.read(storage.place(bundle.file), bundle.sha256)
        except storage.Damaged as fault:
            log.warning("%s: printouts made", fault)
    bundle = make(bundle, site=site)
    if bundle.state != State.MADE:
        raise storage.Damaged(bundle.problem)
    return storage.read(storage.place(bundle.file), bundle.sha256)


# the PDF


def bundle_pdf(event: Event, round: Round, matches: list[Match], *, site: str, size: str = "a4") -> bytes:
    """Return the whole bundle as one PDF: pairings by name and by table, slips, standings, open tables."""
    with translation.override(translation.get_language() or "en"), timezone.override(event.venue.zone):
        parts = [
            _pairings(event, round, matches, size),
            _slips(event, round, matches, site, size),
            _standings(event, size),
            _open(event, round, matches, size),
        ]
    writer = PdfWriter()
    for part in parts:
        if part:
            writer.append(PdfReader(io.BytesIO(part)))
    writer.add_metadata({"/Title": f"{event.name} · {round}", "/Author": "Headjudge"})
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def _heading(event: Event, title: str) -> PageHeading:
    now = timezone.localtime(timezone.now(), event.venue.zone)
    printed = _("created %(when)s") % {"when": formats.date_format(now, "l j F Y, H:i")}
    return PageHeading(event.name, title, f"{event.venue.name}, {event.venue.city}", printed)


def _pairings(event: Event, round: Round, matches: list[Match], size: str) -> bytes:
    lines = [
        pairings.Pairing(
            m.table,
            tuple(entry.public_name for entry in m.entries),
            m.note,
            tuple(tuple(entry.public_name for entry in pair) for pair in m.pairs),
        )
        for m in matches
    ]
    title = _("Pairings: %(round)s") % {"round": round.with_minutes}
    return pairings.pairings(_heading(event, title), lines, size=size)


def _slips(event: Event, round: Round, matches: list[Match], site: str, size: str) -> bytes | None:
    teams = queries.team_names(event)
    made = [
        slips.Slip(
            m.table,
            tuple(entry.name for entry in m.entries),
            site + reverse("events:table", args=[event.public_id, round.number, m.table]),
            slips.remark(round.scenario, is_third_place=m.is_third_place, teams=m.teams_among(teams)),
        )
        for m in matches
        if m.table is not None and m.b is not None
    ]
    return slips.slips(_heading(event, round.with_minutes), made, size=size) if made else None


def _standings(event: Event, size: str) -> bytes:
    return standings.standings(_heading(event, _("Standings")), *printed_tables(event), size=size)


def _open(event: Event, round: Round, matches: list[Match], size: str) -> bytes:
    waiting = [
        open_tables.OpenTable(
            m.table,
            tuple(entry.name for entry in m.entries),
            "" if m.state == Match.State.OPEN else str(m.get_state_display()),
        )
        for m in matches
        if m.b is not None and m.state != Match.State.CONFIRMED
    ]
    title = _("%(round)s: open tables") % {"round": round}
    return open_tables.open_tables(_heading(event, title), waiting, size=size)
