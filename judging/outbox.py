"""What leaves the site by itself, beside requests: messages of webhooks, push messages, e-mails about pairings, reports.

Nothing is added to a request: the audit log, written with each change, is read by a thread of its own, which makes the
messages and has them sent. Each receiver gets its messages in order from one thread at a time, in whatever process; a
later message waits for an earlier one. No transaction is open while something is sent.
"""

from __future__ import annotations

import contextlib
import datetime
import functools
import logging
import threading
import time
import uuid
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from events import live, sending
from events.address import site_address
from events.models import AuditEntry, PairingMail, PushMessage, Webhook, WebhookMessage
from events.services.webhooks import TRIED_FOR
from events.webhook_messages import Form, body_of, happenings
from judging import pushes
from judging.clock_jumps import elapsed
from judging.pairing_mails import MailServerError, send_mails
from judging.services import report_mail

State = WebhookMessage.State
TICK = 5.0
"""Seconds between two turns if nothing happens."""
GATHER = 0.2
WAITS = (10, 30, 60, 120, 300, 600, 1200, 1800, 3600)
"""Seconds to wait after the first, second, … try that failed; then two hours each."""
LONGEST_WAIT = 7200
HELD_FOR = datetime.timedelta(seconds=120)
"""How long a thread has a receiver for itself; longer than any try takes, even with a slow look-up of its name."""
QUICK = 2.0
"""Seconds: a host that answers sooner is quick; after so many a thread lets others have its place."""
AT_ONCE = 6
"""Webhooks served at once by this process, and threads that send push messages. A host gets at most half of them, and
one until it has proved quick; all that aren't quick get at most half together. So those that answer don't wait for
those that don't."""
MAILS, PUSHES, REPORTS = ("mails",), ("pushes",), ("reports",)
"""What marks the threads that send e-mails about pairings, make push messages, and send reports."""
MAILS_WAIT, PUSHES_WAIT = 60.0, 1.0
"""Seconds to wait for a mail server that takes no mails; and before it is looked again what there is to push."""
ENTRIES_AT_ONCE = 500
KEPT_FOR = datetime.timedelta(days=30)
TYPES = {Form.TEXT: "text/plain; charset=utf-8"}
log = logging.getLogger(__name__)

Key = tuple[str | int, ...]
"""What a thread of the outbox does: the kind of work, the host it sends to, and which of its threads it is."""


class Outbox:
    """The thread that sends, and the threads that it starts, one for each receiver with messages."""

    def __init__(self) -> None:
        self.woken = threading.Event()
        self.thread: threading.Thread | None = None
        self.busy: set[Key] = set()
        self.quick: set[Key] = set()
        self.site = ""
        self.newest = -1
        self.mails_left, self.mails_due = False, 0.0
        self.reports_left = False
        self.pushes_due = 0.0

    def start(self) -> None:
        """Start the thread, or restart it; do nothing if `BACKGROUND_WORK` is off."""
        if settings.BACKGROUND_WORK and (self.thread is None or not self.thread.is_alive()):
            self.thread = threading.Thread(target=self.run, name="outbox", daemon=True)
            self.thread.start()
            if on_change not in live.LISTENERS:
                live.LISTENERS.append(on_change)

    def run(self) -> None:
        """Run `turn` until the process exits; log errors instead of raising them."""
        while True:
            self.woken.wait(TICK)
            self.woken.clear()
            try:
                self.turn()
            except Exception:
                log.exception("The outbox will be tried again")
                time.sleep(TICK)
            finally:
                with contextlib.suppress(Exception):
                    connections.close_all()
            time.sleep(GATHER)

    def turn(self) -> None:
        """Make the messages of what has happened, and have what is due sent."""
        newest = AuditEntry.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        if newest != self.newest:
            self.mails_left = True
            if settings.WEBHOOKS:
                collect(self.site or settings.SITE_URL)
            self.newest = newest
        if self.mails_left and MAILS not in self.busy and elapsed() >= self.mails_due:
            self._begin(MAILS, self._mail)
        if self.reports_left and REPORTS not in self.busy:
            self.reports_left = False
            self._begin(REPORTS, report_mail.send_waiting)
        if settings.PUSH:
            self._push()
        if not settings.WEBHOOKS:
            return
        for pk, address in due(timezone.now()).values_list("pk", "address"):
            self._send(("webhook", urlsplit(address).netloc, pk), functools.partial(deliver, pk))

    def _push(self) -> None:
        """Have push messages made, and what is due sent: one thread for each push service before a second for any."""
        if PUSHES not in self.busy and elapsed() >= self.pushes_due:
            self.pushes_due = elapsed() + PUSHES_WAIT
            self._begin(PUSHES, pushes.collect)
        hosts = pushes.hosts_due(timezone.now())
        for number in range(AT_ONCE // 2 if hosts else 0):
            for host in hosts:
                work = functools.partial(pushes.send_all, host, self.site or settings.SITE_URL, seconds=QUICK)
                self._send(("push", host, number), work)

    def _send(self, key: Key, work: Callable[[], float]) -> None:
        """Send to a host if it may have a place, and note whether it is quick.

        `work` returns the most seconds that an answer took, or 0 if nothing was sent.
        """
        host, busy = key[:2], [one[:2] for one in list(self.busy) if one[0] == key[0]]
        is_quick, half = host in self.quick, AT_ONCE // 2
        if key in self.busy or len(busy) >= AT_ONCE or busy.count(host) >= (half if is_quick else 1):
            return
        if not is_quick and sum(one not in self.quick for one in busy) >= half:
            return

        def run() -> None:
            took = work()
            if took >= QUICK:
                self.quick.discard(host)
            elif took:
                self.quick.add(host)

        self._begin(key, run)

    def _begin(self, key: Key, work: Callable[[], None]) -> None:
        """Do some work on a thread of its own; `key` marks what is being done."""

        def run() -> None:
            try:
                work()
            except Exception:
                log.exception("What the outbox sends will be tried again")
            finally:
                with contextlib.suppress(Exception):
                    connections.close_all()
                self.busy.discard(key)
                self.woken.set()

        self.busy.add(key)
        threading.Thread(target=run, name="-".join(map(str, ("outbox", *key))), daemon=True).start()

    def _mail(self) -> None:
        self.mails_left = False
        try:
            send_mails(self.site or settings.SITE_URL)
        except MailServerError as fault:
            log.warning("E-mails about pairings couldn't be sent: %s", fault)
            self.mails_left, self.mails_due = True, elapsed() + MAILS_WAIT


OUTBOX = Outbox()


def on_change(_event_id: int | None, _number: int, _topics: frozenset[str]) -> None:
    """Wake the thread of a serving process after a commit."""
    if OUTBOX.thread is not None:
        OUTBOX.site = site_address() or OUTBOX.site
        OUTBOX.start()  # does nothing while the thread is alive
        OUTBOX.woken.set()


def send_reports() -> None:
    """E-mail the reports that are waiting; where this process serves, beside the requests."""
    if OUTBOX.thread is None:
        report_mail.send_waiting()
    else:
        OUTBOX.reports_left = True
        OUTBOX.woken.set()


# making messages


def collect(site: str) -> None:
    """Make the messages of what has happened since the last time, for every webhook that is on."""
    log_of = AuditEntry.objects.filter(event=OuterRef("event")).order_by("-pk").values("pk")[:1]
    behind = Webhook.objects.filter(is_on=True).annotate(newest=Subquery(log_of)).filter(newest__gt=F("upto"))
    for hook in behind.select_related("event__venue"):
        try:
            while make_messages(hook, site):
                pass
        except DatabaseError:
            raise
        except Exception:  # one event's fault keeps no other from being told
            log.exception("The messages of webhook %s couldn't be made", hook.pk)


def make_messages(hook: Webhook, site: str) -> bool:
    """Make a webhook's messages of the next entries of its event's log; return whether more may follow.

    An event's entries are committed in the order of their keys, because its row is locked. If another process was
    faster, nothing is written. What is older than a day isn't sent any more.
    """
    now = timezone.now()
    new = AuditEntry.objects.filter(event=hook.event_id, pk__gt=hook.upto).order_by("pk")
    entries = list(new.only("pk", "at", "verb", "changes")[:ENTRIES_AT_ONCE])
    if not entries:
        return False
    news = happenings(hook.event, (entry for entry in entries if entry.at > now - TRIED_FOR))
    made = [
        WebhookMessage(hook=hook, key=key, kind=one.kind, body=body_of(hook, key, one, site), ends=now + TRIED_FOR)
        for one in news
        if one.kind in hook.kinds
        for key in [uuid.uuid4()]
    ]
    with transaction.atomic():
        upto = entries[-1].pk
        if not Webhook.objects.filter(pk=hook.pk, upto=hook.upto, is_on=True).update(upto=upto):
            return False
        WebhookMessage.objects.bulk_create(made)
    hook.upto = upto
    return len(entries) == ENTRIES_AT_ONCE


def forget_old(now: datetime.datetime) -> None:
    """Delete messages that were settled a month ago, and what was mailed then: they are about people."""
    PairingMail.objects.filter(sent__lt=now - KEPT_FOR).delete()
    PushMessage.objects.filter(made__lt=now - KEPT_FOR).delete()
    WebhookMessage.objects.exclude(state=State.WAITING).filter(ends__lt=now - KEPT_FOR).delete()


# sending them


def due(now: datetime.datetime) -> QuerySet[Webhook]:
    """Return the webhooks that have a message to send now and that no thread serves: those that work, by their turn."""
    waiting = WebhookMessage.objects.filter(hook=OuterRef("pk"), state=State.WAITING).order_by("pk").values("pk")[:1]
    found = Webhook.objects.filter(_free(now), is_on=True, due__lte=now).annotate(first=Subquery(waiting))
    return found.filter(first__isnull=False).order_by("fails", "due")


def _free(now: datetime.datetime) -> Q:
    return Q(held_until=None) | Q(held_until__lt=now)


def deliver(pk: int) -> float:
    """Send a webhook's messages in order until one fails, which is tried again after a wait, at most for a day.

    After `QUICK` seconds the rest is left to a later thread. Return the most seconds that an answer took.
    """
    now, began, took = timezone.now(), elapsed(), 0.0
    mine, arrived = now + HELD_FOR, True
    if not Webhook.objects.filter(_free(now), pk=pk, is_on=True, due__lte=now).update(held_until=mine):
        return took
    while arrived and elapsed() - began < QUICK:
        hook = Webhook.objects.filter(pk=pk, held_until=mine, is_on=True).first()
        message = WebhookMessage.objects.filter(hook=pk, state=State.WAITING).order_by("pk").first()
        if hook is None or message is None:
            break
        sent = elapsed()
        arrived = _tried(hook, message)
        took = max(took, elapsed() - sent)
        until = timezone.now() + HELD_FOR
        if not Webhook.objects.filter(pk=pk, held_until=mine).update(held_until=until):
            return took
        mine = until
    turn = {"due": timezone.now()} if arrived else {}  # what is left comes after the other webhooks
    Webhook.objects.filter(pk=pk, held_until=mine).update(held_until=None, **turn)
    return took


def _tried(hook: Webhook, message: WebhookMessage) -> bool:
    """Try to send a message, note what came of it, and return whether it arrived."""
    status, fault = _sent(hook, message)
    now = timezone.now()
    arrived = status is not None and 200 <= status < 300
    state = State.SENT if arrived else State.GIVEN_UP if now >= message.ends else State.WAITING
    WebhookMessage.objects.filter(pk=message.pk).update(
        state=state, tries=F("tries") + 1, tried=now, status=status, fault=fault
    )
    fails = 0 if arrived else hook.fails + 1
    wait = 0 if arrived else WAITS[fails - 1] if fails <= len(WAITS) else LONGEST_WAIT
    if fails != hook.fails:
        fails = min(fails, 30_000)
        Webhook.objects.filter(pk=hook.pk).update(fails=fails, due=now + datetime.timedelta(seconds=wait))
    return arrived


def _sent(hook: Webhook, message: WebhookMessage) -> tuple[int | None, str]:
    """Send a message; return the status of the answer, or why none came."""
    body, timestamp, key = message.body.encode(), int(timezone.now().timestamp()), str(message.key)
    headers = {
        "Content-Type": TYPES.get(Form(hook.form), "application/json"),
        "User-Agent": f"Headjudge/{settings.VERSION}",
        "Webhook-Id": key,
        "Webhook-Timestamp": str(timestamp),
        "Webhook-Signature": sending.signature(hook.secret, key, timestamp, body),
    }
    try:
        return sending.post(hook.address, body, headers), ""
    except sending.NotSentError as refused:
        return None, refused.fault.value
