"""Snapshots and restoring them, the paper of an event's rounds, the event as a file and its holder."""

from __future__ import annotations

import contextlib
from pathlib import Path

from django.conf import settings
from django.contrib import messages
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from events.actions import answer
from events.address import full_address
from events.door import Refused
from events.models import AuditEntry, Event, Round, Venue
from events.roles import Actor
from events.views.access import form_reason, must_sign_in, visit
from events.views.pdf_response import pdf_response
from judging.forms_moving import NEW_MACHINE, EventFileForm, HandOverForm
from judging.keeping import bundles, machines, moving, snapshots, storage, uploaded
from judging.keeping.whole_file import BadFile, packed
from judging.models import Bundle, Move, PairedMachine, Snapshot
from rules.apart import Busy
from rules.uploads import LIMITS, Unreadable

WAITING_FILES = "waiting"
WAITS_SECONDS = 3600
WAITING_OF_ONE = 2
"""The most uploaded files that may wait per person; a new one replaces the oldest."""
WAITING_BYTES = 10 * LIMITS["event-file"].received
"""The most bytes of all waiting files."""
WAITED_TOO_LONG = gettext_lazy("The upload has expired. Choose the file again.")


def _file(event: Event, content: bytes) -> HttpResponse:
    name = f"headjudge-{event.public_id}-{timezone.now():%Y%m%d-%H%M}.json.gz"
    response = HttpResponse(content, content_type="application/gzip")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


@never_cache
@require_safe
def page(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show an event's snapshots, paper and moves, with the available actions."""
    seen = visit(request, public_id)
    seen.require("take-snapshot")
    snapshots.wait_until_written()
    event = seen.event
    kept = list(Snapshot.objects.filter(event=event)[:60])
    entries = AuditEntry.objects.filter(event=event).in_bulk([one.record_entry for one in kept])
    return seen.render(
        "judging/keeping/page.html",
        snapshots=[(one, entries.get(one.record_entry)) for one in kept],
        broken=kept[0] if kept and kept[0].problem else None,
        papers=_papers(event),
        moves=Move.objects.filter(event=event).select_related("by")[:30],
        may_restore=seen.may("restore-event"),
        may_move=seen.may("move-event"),
        may_hand_over=seen.may("hand-over-event"),
        may_reclaim=seen.may("take-back-event"),
        may_import=seen.may("import-event") and moving.may_import(seen.actor),
        hand_over_form=HandOverForm(may_pair=bool(seen.may("pair-machine"))),
        second_place=settings.COPY_DIR,
    )


def _papers(event: Event) -> list[dict[str, object]]:
    """Return each published round with its newest bundle, whether that is up to date, and what failed."""
    found: dict[int, Bundle] = {}
    for bundle in Bundle.objects.filter(event=event).order_by("pk"):
        found[bundle.round_number] = bundle
    rounds = Round.objects.filter(event=event, state__in=bundles.PUBLISHED).order_by("-number")
    return [{"round": row, "bundle": found.get(row.number)} for row in rounds]


@require_POST
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a snapshot now."""
    seen = visit(request, public_id)
    made = snapshots.take_by_hand(by=seen.actor, event=seen.event)
    if made.problem:
        messages.error(request, _("The snapshot couldn't be saved: %(why)s.") % {"why": made.problem})
    else:
        messages.success(request, _("Snapshot taken."))
    return redirect("judging:snapshots", public_id)


@never_cache
def restore(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Show what restoring a snapshot would change; restore it once that is confirmed."""
    seen = visit(request, public_id)
    seen.require("restore-event")
    snapshot = get_object_or_404(Snapshot, event=seen.event, pk=pk)
    if request.method == "POST":
        snapshots.restore(by=seen.actor, event=seen.event, snapshot=snapshot, **form_reason(request))
        messages.success(request, _("Snapshot restored. The newest snapshot holds the previous state."))
        return redirect("judging:snapshots", public_id)
    return seen.render(
        "judging/keeping/restore.html",
        snapshot=snapshot,
        lines=snapshots.what_changes(seen.event, snapshot),
    )


@require_safe
def snapshot_file(request: HttpRequest, public_id: str, pk: int) -> HttpResponse:
    """Download a snapshot."""
    seen = visit(request, public_id)
    seen.require("move-event")
    snapshot = get_object_or_404(Snapshot, event=seen.event, pk=pk)
    return _file(seen.event, snapshots.content_of(snapshot))


@never_cache
@require_safe
def bundle(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Download the paper of a round as one PDF; make it now if it is missing."""
    seen = visit(request, public_id)
    seen.require("take-snapshot")
    found = seen.round(number)
    if found.state not in bundles.PUBLISHED:
        raise Http404
    found.event = seen.event
    try:
        content = bundles.content_of(found, site=full_address(request, "/").rstrip("/"))
    except storage.Damaged as fault:
        raise Refused(
            _("The printouts couldn't be created. Headjudge will try again. You can print each document from the round's page.")
        ) from fault  # fmt: skip
    return pdf_response(content, f"headjudge-{public_id}-round-{number}")


@require_POST
def export(request: HttpRequest, public_id: str) -> HttpResponse:
    """Download the event as a file; it can still be changed here."""
    seen = visit(request, public_id)
    content = moving.export_event(by=seen.actor, event=seen.event)
    return _file(seen.event, packed(content))


@never_cache
@require_POST
def hand_over(request: HttpRequest, public_id: str) -> HttpResponse:
    """Hand the event over; its file waits on the page. For a new machine, pair it and show its code once."""
    seen = visit(request, public_id)
    machine, other = request.POST.get("machine", ""), request.POST.get("other", "")
    if machine == NEW_MACHINE:
        seen.require("pair-machine")
    elif machine:
        other = get_object_or_404(PairedMachine, pk=machine if machine.isdecimal() else None).name
    with transaction.atomic():
        moving.hand_over(by=seen.actor, event=seen.event, other=other, **form_reason(request))
        code = machines.pair(by=seen.actor, name=other)[1] if machine == NEW_MACHINE else ""
    if code:
        return seen.render("judging/keeping/paired.html", code=code, machine=other)
    messages.success(request, _("Event handed over. Download its file below."))
    return redirect("judging:snapshots", public_id)


@require_POST
def reclaim(request: HttpRequest, public_id: str) -> HttpResponse:
    """Become the holder of the event again without the other copy."""
    seen = visit(request, public_id)
    moving.take_back(by=seen.actor, event=seen.event, **form_reason(request))
    messages.success(request, _("Event reclaimed. You can change it here again."))
    return redirect("judging:snapshots", public_id)


# importing a file: it waits under DATA_DIR from the upload to the confirmation, for the person who uploaded it


def _signer_for(actor: Actor) -> TimestampSigner:
    return TimestampSigner(salt=f"judging.import.{actor.person.pk if actor.person is not None else 0}")


def _waiting(actor: Actor, token: str) -> Path:
    return storage.place(WAITING_FILES, f"{_signer_for(actor).unsign(token, max_age=WAITS_SECONDS)}.gz")


def _make_room(mine: str, size: int) -> None:
    """Delete waiting files that are too old, and the oldest that begin with `mine`; raise Busy if too many wait."""
    kept = {}
    for one in storage.place(WAITING_FILES).glob("*.gz"):
        with contextlib.suppress(FileNotFoundError):  # deleted by another request in the meantime
            kept[one] = one.stat()
    newest = sorted((one for one in kept if one.name.startswith(mine)), key=lambda one: -kept[one].st_mtime_ns)
    old = {one for one in kept if kept[one].st_mtime < timezone.now().timestamp() - WAITS_SECONDS}
    for one in old.union(newest[WAITING_OF_ONE - 1 :]):
        one.unlink(missing_ok=True)
        del kept[one]
    if sum(found.st_size for found in kept.values()) + size > WAITING_BYTES:
        raise Busy(_("Too many uploaded files are waiting to be imported. Try again in an hour."))


@never_cache
def read(request: HttpRequest) -> HttpResponse:
    """Import an event from a file: show what it would do, then do it."""
    if away := must_sign_in(request):
        return away
    actor = Actor.of(request)
    if not moving.may_import(actor):
        raise Refused(moving.ONLY_APPROVED)
    if request.method == "POST" and "token" in request.POST:
        return _confirmed(request, actor)
    may_pair = bool(answer("pair-machine", actor.roles()))
    form = EventFileForm(request.POST or None, request.FILES or None, may_pair=may_pair)
    status = 400
    if request.method == "POST" and form.is_valid():
        try:
            return _shown(request, actor, form.cleaned_data["file"].read(), form.cleaned_data.get("pairing_code", ""))
        except Unreadable as fault:
            form.add_error("file", str(fault))
            status = fault.status
        except Refused as fault:
            form.add_error("pairing_code" if may_pair else "file", str(fault))
    page = render(request, "judging/keeping/read.html", {"form": form}, status=status if form.errors else 200)
    if page.status_code == 503:
        page["Retry-After"] = "60"
    return page


def _shown(request: HttpRequest, actor: Actor, content: bytes, code: str) -> HttpResponse:
    assert actor.person is not None, "importers are signed in"
    mine = f"{actor.person.pk}-"
    _make_room(mine, len(content))
    name = mine + get_random_string(24)
    waiting = storage.place(WAITING_FILES, f"{name}.gz")
    storage.write(waiting, content)
    try:
        look = uploaded.preview(waiting, by=actor, code=code)
    except storage.Damaged:  # replaced by newer uploads of the same person
        raise Refused(WAITED_TOO_LONG) from None
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise
    venues = Venue.objects.filter(pk__in=look.venues).order_by("name", "pk")
    told = {"file": look, "copy": look.copy, "venues": venues, "token": _signer_for(actor).sign(name)}
    return render(request, "judging/keeping/read.html", told)


def _confirmed(request: HttpRequest, actor: Actor) -> HttpResponse:
    chosen, given = request.POST.get("venue", ""), form_reason(request)
    choices = uploaded.ImportChoices(
        as_copy=request.POST.get("as") == "copy",
        confirmed=given["confirmed"],
        reason=given["reason"],
        vouched=request.POST.get("vouched") == "yes",
        venue=int(chosen) if chosen.isdecimal() and len(chosen) < 10 else None,
    )
    try:
        waiting = _waiting(actor, request.POST["token"])
        event = uploaded.import_waiting(waiting, by=actor, choices=choices)
    except (BadSignature, storage.Damaged):
        raise Refused(WAITED_TOO_LONG) from None
    except BadFile as fault:
        raise Refused(str(fault)) from fault
    except Unreadable as fault:  # no free slot, or the process that read it was stopped
        page = render(request, "parts/refused.html", {"message": str(fault)}, status=fault.status)
        page["Retry-After"] = "60"
        return page
    waiting.unlink(missing_ok=True)
    messages.success(request, _("“%(event)s” was imported.") % {"event": event.name})
    return redirect("judging:snapshots", event.public_id)
