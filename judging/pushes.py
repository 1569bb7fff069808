"""Push messages: a player's table, five minutes left, a judge who is coming, an appeal that was decided.

What is to be told is found in the database, so a message that a process missed is made by the next turn. Each is sent
once to each browser, and again only if what it says has changed. The messages of a push service are sent by threads of
its own, so one that doesn't answer delays no other.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parseaddr

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Max, QuerySet, prefetch_related_objects
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from events import clock as clocks
from events import sending
from events.models import Entry, Event, Match, Person, PushMessage, PushSubscription, Round
from events.results.result import SEATS
from events.services.clock import clock_of, extra_seconds
from events.web_push import authorization, encoded, encrypted
from judging.clock_jumps import elapsed
from judging.models import Call, Decision
from judging.pairing_mails import Seat, place_of, rounds_of, seats_of

PAIRINGS_LAST = datetime.timedelta(hours=1)
CALL_LASTS = datetime.timedelta(minutes=10)
APPEAL_LASTS = datetime.timedelta(hours=1)
FIVE_MINUTES = (240, 300)
"""While how many seconds are left "five minutes" is still true."""
WAITS = (5, 20, 60, 180)
"""Seconds to wait after the first, second, … try that failed; then the message is given up."""
HELD_FOR = datetime.timedelta(seconds=60)
"""How long a thread has a message for itself; longer than a try takes."""
SIGNED_FOR = 12 * 3600
GONE = (404, 410)
"""What a push service answers if the browser has unsubscribed."""
NAME_LETTERS, WORDS_LETTERS = 120, 400
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class News:
    """What a person is told about an event, and until when. `key`, `told` and `tag` are those of `PushMessage`.

    `since` is when it happened: browsers that subscribed later aren't told. Table and clock are told whenever they hold.
    """

    person: int | None
    event: Event
    key: str
    told: str
    tag: str
    words: Callable[[], str]
    path: str
    ends: datetime.datetime
    since: datetime.datetime | None = None


def collect() -> None:
    """Make the messages of what there is to tell and hasn't been told."""
    now = timezone.now()
    running = Entry.objects.filter(event__state=Event.State.RUNNING, event__away="")
    found = PushSubscription.objects.filter(person__is_active=True, person__in=running.values("person"))
    of_person: dict[int, list[PushSubscription]] = {}
    for subscription in found:
        of_person.setdefault(subscription.person_id, []).append(subscription)
    if not of_person:
        return
    news = list(_news(Person.objects.filter(pk__in=of_person), now))
    known = PushMessage.objects.filter(event__in={one.event for one in news}, key__in={one.key for one in news})
    told = {(s, event, key): said for s, event, key, said in known.values_list("subscription", "event", "key", "told")}
    for one in news:
        for subscription in of_person.get(one.person or 0, ()):
            before = told.get((subscription.pk, one.event.pk, one.key))
            if before != one.told and (one.since is None or subscription.made <= one.since):
                _make(one, subscription, before, now)


def _make(news: News, subscription: PushSubscription, before: str | None, now: datetime.datetime) -> None:
    """Make a message, or make it anew; if another process was faster, do nothing."""
    with translation.override(subscription.language):
        body = {"title": news.event.name[:NAME_LETTERS], "body": news.words()[:WORDS_LETTERS]}
    body |= {"tag": f"{news.event.public_id} {news.tag}", "path": news.path}
    values = {
        "told": news.told, "tag": news.tag, "body": json.dumps(body, ensure_ascii=False), "made": now,
        "ends": news.ends, "due": now, "tries": 0,
    }  # fmt: skip
    about = {"subscription": subscription, "event": news.event, "key": news.key}
    if before is not None:
        PushMessage.objects.filter(**about, told=before).update(**values)
        return
    try:
        with transaction.atomic():
            PushMessage.objects.create(**about, **values)
    except IntegrityError:
        pass  # made by another process, or the browser has unsubscribed


# what there is to tell


def _news(people: QuerySet[Person], now: datetime.datetime) -> Iterator[News]:
    for round in rounds_of(people, now):
        seats = [one for one in seats_of(round, people) if not _has_finished(one.match)]
        yield from (_pairing(seat, now) for seat in seats)
        if round.state == Round.State.RUNNING:
            yield from _minutes(round, seats, now)
    yield from _calls(now)
    yield from _appeals(now)


def _has_finished(match: Match) -> bool:
    return match.kind == Match.Kind.GAME and match.state == Match.State.CONFIRMED


def _page_of(event: Event, entry: Entry) -> str:
    return reverse("events:entry", args=[event.public_id, entry.number])


def _pairing(seat: Seat, now: datetime.datetime) -> News:
    event, key = seat.round.event, f"pairings-{seat.round.number}"
    page = _page_of(event, seat.entry)
    return News(seat.person.pk, event, key, seat.told, "pairings", lambda: place_of(seat), page, now + PAIRINGS_LAST)


def _minutes(round: Round, seats: list[Seat], now: datetime.datetime) -> Iterator[News]:
    """Yield that five minutes are left, for those who still play; a table's extra time counts."""
    clock = clock_of(round)
    if clock.part != clocks.ROUND or not clock.is_running:
        return
    playing = [seat for seat in seats if seat.match.kind == Match.Kind.GAME]
    prefetch_related_objects([seat.match for seat in playing], "extensions")
    least, most = FIVE_MINUTES
    for seat in playing:
        reading = clocks.read(clock, now, extra_seconds(seat.match))
        if seat.entry.is_playing and least < reading.remaining <= most < reading.length:
            ends = now + datetime.timedelta(seconds=reading.remaining)
            page = _page_of(round.event, seat.entry)
            yield News(
                seat.person.pk, round.event, f"five-minutes-{round.number}", "", "clock",
                lambda: _("%(round)s: five minutes left") % {"round": round}, page, ends,
            )  # fmt: skip


def _calls(now: datetime.datetime) -> Iterator[News]:
    """Yield that a judge has taken the call of a table."""
    coming = Call.objects.filter(
        state=Call.State.TAKEN, taken__gt=now - CALL_LASTS, match__round__event__state=Event.State.RUNNING,
        match__round__event__away="",
    )  # fmt: skip
    seats = [f"match__{seat}" for seat in SEATS]
    for call in coming.select_related("match__round__event", *seats):
        event, at = call.match.round.event, call.taken
        for entry in call.match.entries:
            yield News(
                entry.person_id, event, f"call-{call.pk}", str(at), "call",
                lambda: _("A judge is coming to your table."), _page_of(event, entry), now + CALL_LASTS, since=at,
            )  # fmt: skip


def _appeals(now: datetime.datetime) -> Iterator[News]:
    """Yield that the head judge has decided a player's appeal."""
    decided = Decision.objects.filter(
        state__in=(Decision.State.UPHELD, Decision.State.OVERTURNED), final_at__gt=now - APPEAL_LASTS,
        appealed_by_entry__person__isnull=False, event__state=Event.State.RUNNING, event__away="",
    )  # fmt: skip
    people = F("appealed_by_entry__person")
    for decision in decided.select_related("event").annotate(person=people):
        event, key, at = decision.event, f"appeal-{decision.number}", decision.final_at
        page = reverse("judging:ruling", args=[event.public_id, decision.number])
        yield News(
            decision.person, event, key, str(at), key, lambda: _("Your appeal has been decided."), page,
            now + APPEAL_LASTS, since=at,
        )  # fmt: skip


# sending


def hosts_due(now: datetime.datetime) -> list[str]:
    """Return the push services for which messages are due, those that answer first."""
    due = PushMessage.objects.filter(due__lte=now).values("subscription__host")
    found = due.annotate(fails=Max("subscription__fails")).order_by("fails")
    return list(found.values_list("subscription__host", flat=True))


def send_all(host: str, site: str, *, seconds: float) -> float:
    """Send what is due for a push service, until it doesn't answer or the time is over; `site` is the site's own URL.

    Return the most seconds that an answer took.
    """
    began, took = elapsed(), 0.0
    while elapsed() - began < seconds:
        now = timezone.now()
        due = PushMessage.objects.filter(subscription__host=host, due__lte=now)
        message = due.select_related("subscription", "event").order_by("due", "pk").first()
        if message is None:
            break
        mine = now + HELD_FOR
        if not PushMessage.objects.filter(pk=message.pk, due=message.due).update(due=mine):
            continue
        if message.ends <= now:
            _settle(message, mine, due=None)
            continue
        sent = elapsed()
        has_answered = _sent(message, mine, site)
        took = max(took, elapsed() - sent)
        if not has_answered:
            due.update(due=timezone.now() + datetime.timedelta(seconds=WAITS[0]))
            break
    return took


def _sent(message: PushMessage, mine: datetime.datetime, site: str) -> bool:
    """Try to send a message, note what came of it, and return whether the push service answered."""
    to = message.subscription
    now = timezone.now()
    headers = {
        "Authorization": authorization(to.endpoint, subject=_subject(site), expires=int(now.timestamp()) + SIGNED_FOR),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int((message.ends - now).total_seconds()))),
        "Topic": topic_of(message),
        "Urgency": "high",
        "User-Agent": f"Headjudge/{settings.VERSION}",
    }
    try:
        status = sending.post(to.endpoint, encrypted(message.body.encode(), to.p256dh, to.auth), headers)
    except sending.NotSentError:
        _try_later(message, mine)
        PushSubscription.objects.filter(pk=to.pk).update(fails=min(to.fails + 1, 30_000))
        return False
    if to.fails:
        PushSubscription.objects.filter(pk=to.pk).update(fails=0)
    if status in GONE:
        to.delete()
    elif status == 429 or status >= 500:
        _try_later(message, mine)
    else:
        if not 200 <= status < 300:
            log.warning("The push service %s refused a message: %s", to.host, status)
        _settle(message, mine, due=None)
    return True


def _try_later(message: PushMessage, mine: datetime.datetime) -> None:
    is_last = message.tries >= len(WAITS)
    wait = None if is_last else timezone.now() + datetime.timedelta(seconds=WAITS[message.tries])
    _settle(message, mine, due=wait)


def _settle(message: PushMessage, mine: datetime.datetime, *, due: datetime.datetime | None) -> None:
    """Note when a message is sent again, or never; one that was made anew in the meantime stays due."""
    values = {"due": due, "tries": F("tries") + 1} | ({"body": ""} if due is None else {})
    PushMessage.objects.filter(pk=message.pk, due=mine).update(**values)


def topic_of(message: PushMessage) -> str:
    """Return the name under which a push service lets a newer message replace one that waits: at most 32 letters."""
    return encoded(hashlib.sha256(f"{message.event.public_id} {message.tag}".encode()).digest())[:32]


def _subject(site: str) -> str:
    """Return the address at which a push service's operator reaches this installation."""
    return site if site.startswith("https:") else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
