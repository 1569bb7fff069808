"""The verbs of a booster draft: start it at a round's tables, record picks, pass the boosters, picks on paper.

Once everyone with a phone has recorded a pick, the boosters pass by themselves. After the time for a pick, or at any time
by an official, they also pass without it; it can be added until the draft ends. What was recorded becomes the
seat's registered product and force, unless its deadline has passed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from events import building
from events.documents import day_of
from events.door import GONE, Refused, Writing, door
from events.models import Entry, Event, Force, Match, Pod, Pool, Round
from events.roles import OFFICIALS, Actor
from events.services.forces import as_opened, bench_of, deadline_of, save_submitted
from rules.queries import elements_by_code

from .rounds_byes import MIN_DRAFTING

LIMITS = {"boosters_each": 6, "booster_figures": 15, "pick_seconds": 600}
"""The most of each setting; the least is 1, of seconds 10."""


def pods_of(round: Round) -> list[Pod]:
    """Return the drafts of a round by table, each with its match."""
    found = Pod._default_manager.filter(match__round=round).select_related("match").order_by("match__table")
    pods = list(found)
    for pod in pods:
        pod.match.round = round
    return pods


def tables_without(round: Round) -> list[Match]:
    """Return the tables of a round that don't draft yet, in order."""
    tables = Match.objects.with_entries().filter(round=round, kind=Match.Kind.GAME, table__isnull=False, pod=None)
    return [match for match in tables.order_by("table") if len(_drafting(match)) >= MIN_DRAFTING]


def _drafting(match: Match) -> list[Entry]:
    """Return the players of a table who are still there."""
    return [entry for entry in match.entries if entry.is_playing]


def pod_of(match: Match) -> Pod | None:
    """Return a table's draft, or None."""
    pod = Pod._default_manager.filter(match=match).first()
    if pod is not None:
        pod.match = match
    return pod


def start(
    *,
    by: Actor,
    round: Round,
    settings: Mapping[str, int],
    table: int | None = None,
    version: int | None = None,
    reason: str = "",
    confirmed: bool = False,
) -> list[Pod]:
    """Start the draft at a table, or at each of the round that has none; keep the settings (LIMITS) in the event."""
    event = round.event
    with door(
        "start-booster-draft", by=by, event=event, on=round, version=version, reason=reason, confirmed=confirmed
    ) as writing:
        round.event = event
        if not event.has_booster_draft:
            raise Refused(_("In this format, players don't draft boosters."))
        made = [match for match in tables_without(round) if table in (None, match.table)]
        if not made:
            raise Refused(
                _("Every table of this round is already drafting.")
                if table is None
                else _("Table %(table)d is already drafting, or isn't in this round. Choose another table.")
                % {"table": table}
            )
        writing.save(event, **settings)
        steps = event.boosters_each * event.booster_figures
        pods = [
            Pod(
                match=match, seats=[entry.number for entry in _drafting(match)], boosters=event.boosters_each,
                figures=event.booster_figures, seconds=event.pick_seconds, began=writing.at,
                picks=[[None] * steps for _entry in _drafting(match)],
            )
            for match in made
        ]  # fmt: skip
        writing.create_many(Pod, pods)
        if table is None:
            writing.says("booster-drafts-started", round=round, n=len(pods))
        else:
            writing.says("booster-draft-started", round=round, table=table)
    return pods


def record(
    *,
    by: Actor,
    pod: Pod,
    number: int,
    step: int,
    code: str | None = None,
    by_hand: Mapping[str, Any] | None = None,
    replace: bool = False,
) -> Pod:
    """Record what an entry picked at a step: a code of the catalogue, or an element's typed facts.

    A player records their own picks, an official anyone's; the current one and earlier ones, until the draft ends. Only
    `replace` changes an earlier pick: a page from before the boosters passed must not.
    """
    event = pod.round.event
    with _on_pod("record-draft-pick", by, pod) as writing:
        _must_sit(by, pod, number, own=True)
        if not 0 <= step <= pod.step:
            raise Refused(_("This pick hasn't started yet. Reload the page to see the current pick."))
        if step < pod.step and pod.recorded(number)[step] and not replace:
            raise Refused(
                _(
                    "This pick has already been recorded, and the boosters have been passed. Reload the page to "
                    "record the next pick."
                )
            )
        row = elements_by_code([code], date=day_of(event)).get(code) if code else None
        picks = [pod.recorded(one) for one in pod.seats]
        picks[pod.seats.index(number)][step] = as_opened(code, row, by_hand)
        writing.save(pod, picks=picks)
        writing.says("draft-pick-recorded", round=pod.round, name=_entry(event, number).name, pick=step + 1)
        if not pod.waiting_for and len(pod.on_paper) < len(pod.seats):
            _advance(writing, pod, event)
    return pod


def pass_on(*, by: Actor, pod: Pod, step: int) -> Pod:
    """Pass the boosters although picks aren't recorded: an official at any time, a player of the table after its time."""
    event = pod.round.event
    with _on_pod("pass-boosters", by, pod) as writing:
        _must_sit(by, pod)
        if step != pod.step:
            raise Refused(_("The boosters have already been passed. Reload the page to see the current pick."))
        if pod.waiting_for and timezone.now() < pod.ends and not _is_official(by, event):
            raise Refused(_("Wait until everyone has recorded a pick or the time is up."))
        _advance(writing, pod, event)
    return pod


def on_paper(*, by: Actor, pod: Pod, number: int, is_on_paper: bool) -> Pod:
    """Say whether an entry records its picks on paper, so that the table doesn't wait for its phone."""
    with _on_pod("draft-on-paper", by, pod) as writing:
        if number not in pod.seats:
            raise Refused(GONE)
        others = [one for one in pod.on_paper if one != number]
        writing.save(pod, on_paper=[*others, number] if is_on_paper else others)
        said = "drafts-on-paper" if is_on_paper else "drafts-on-the-phone"
        writing.says(said, round=pod.round, name=_entry(pod.round.event, number).name)
    return pod


@contextlib.contextmanager
def _on_pod(verb: str, by: Actor, pod: Pod) -> Iterator[Writing]:
    """Open the door on a draft that hasn't ended."""
    event, match = pod.round.event, pod.match
    with door(verb, by=by, event=event, on=pod) as writing:
        pod.match = match
        if pod.ended is not None or pod.step >= pod.passing.steps:
            raise Refused(_("The draft at this table is over."))
        yield writing


def _is_official(by: Actor, event: Event) -> bool:
    return by.is_site or bool(by.roles(event=event) & OFFICIALS)


def _must_sit(by: Actor, pod: Pod, number: int | None = None, *, own: bool = False) -> None:
    """Raise Refused unless the actor is an official or sits at the table; `own`: in this very seat."""
    event = pod.round.event
    if number is not None and number not in pod.seats:
        raise Refused(GONE)
    if _is_official(by, event):
        return
    mine = by.entry_at(event)
    if mine is None or mine.number not in pod.seats:
        raise Refused(_("You aren't seated at this table. Open your own table's page."))
    if own and mine.number != number:
        raise Refused(_("You can record only your own picks. Open your own table's page."))


def _entry(event: Event, number: int) -> Entry:
    found = event.entries.filter(number=number).first()
    if found is None:
        raise Refused(GONE)
    found.event = event
    return found


def _advance(writing: Writing, pod: Pod, event: Event) -> None:
    """Pass the boosters; after the last pick, end the draft and make the forces."""
    step, round_ = pod.step + 1, pod.round
    table = pod.match.table or 0
    if step < pod.passing.steps:
        writing.save(pod, step=step, began=writing.at)
        writing.says("boosters-passed", round=round_, table=table, pick=step)
        return
    writing.save(pod, step=step, ended=writing.at)
    for number in pod.seats:
        drafted = [one for one in pod.recorded(number) if one is not None]
        if drafted:
            _make_force(writing, _entry(event, number), round_.number, drafted)
    writing.says("booster-draft-ended", round=round_, table=table)
    writing.topics.add("forces")


def _make_force(writing: Writing, entry: Entry, from_round: int, drafted: list[dict[str, Any]]) -> None:
    """Register what was drafted as the entry's product, and submit it as the force, unless that is locked."""
    if deadline_of(entry.event, entry, from_round).closed:
        return
    pool = Pool.objects.filter(entry=entry).first() or writing.create(Pool, entry=entry)
    writing.save(pool, elements=[*pool.elements, *drafted])
    force = Force.objects.filter(entry=entry, from_round=from_round).first() or Force(
        entry=entry, from_round=from_round
    )
    force.entry = entry
    bench = bench_of(force if force.pk else None, locked=False)
    building.clear(bench)
    for one in drafted:
        if one.get("code"):
            building.keep_facts(bench, one["code"], one["facts"], edition=one.get("made_for", ""))
            building.add(bench, one["section"], code=one["code"])
        else:
            building.add(bench, one["section"], by_hand=one["facts"])
    if force.pk is None:
        writing.jot(force, work=bench)
    save_submitted(writing, force, bench, late=False)


def without_force(pod: Pod) -> list[int]:
    """Return the seats for which the draft's end made no force: nothing was recorded, or force building had ended."""
    made = Force.objects.filter(
        entry__event=pod.round.event, entry__number__in=pod.seats, from_round=pod.round.number,
        state=Force.State.SUBMITTED, submitted_at__gte=pod.ended,
    )  # fmt: skip
    numbers = set(made.values_list("entry__number", flat=True)) if pod.ended is not None else set()
    return [number for number in pod.seats if number not in numbers]


def own_seat(pod: Pod, entry: Entry | None) -> int | None:
    """Return the number of an entry that sits at the table, else None."""
    return entry.number if entry is not None and entry.number in pod.seats else None
