"""Results given by the rules without a match (a bye, a missed round, a walkover in a cut), and withdrawing results."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import Text
from events.door import Refused, Writing
from events.models import Entry, Event, Match, Pod, Round, sits
from events.results.result import bye, missed

from .results import record_system_result

MIN_DRAFTING = 2
"""The fewest players who can pass boosters."""


def give_result_without_game(writing: Writing, event: Event, match: Match) -> Match:
    """Confirm a bye (a win with the event's points for it) or a missed round (a loss without points)."""
    result = missed() if match.kind == Match.Kind.MISSED else bye(event.bye_points)
    return record_system_result(writing, match, result)


def withdraw_result(writing: Writing, match: Match) -> Match:
    """Reopen a match; its claims are kept, but none counts."""
    for claim in match.claims.filter(counts=True):
        writing.save(claim, counts=False)
    return writing.save(match, result=None, state=Match.State.OPEN, confirmed_at=None)


def remove_match(writing: Writing, match: Match) -> None:
    """Delete a match, its claims and its booster draft; the audit log keeps their fields."""
    drafts = Pod._default_manager.filter(match=match) if match.round.event.has_booster_draft else ()
    for row in (*match.claims.all(), *match.extensions.all(), *drafts):
        writing.delete(row)
    writing.delete(match)


def lost_drafts(event: Event, matches: Iterable[Match]) -> list[Text]:
    """Return in words which booster drafts would go with these matches, and how many recorded picks; one query."""
    if not event.has_booster_draft:
        return []
    pods = Pod._default_manager.filter(match__in=[match.pk for match in matches]).select_related("match")
    return [
        ngettext(
            "Table %(table)s loses its booster draft and %(n)d recorded pick.",
            "Table %(table)s loses its booster draft and %(n)d recorded picks.",
            picks,
        )
        % {"table": pod.match.table, "n": picks}
        for pod in pods.order_by("match__table")
        for picks in [sum(one is not None for number in pod.seats for one in pod.recorded(number))]
    ]


def follow_seats(writing: Writing, match: Match) -> None:
    """Let a booster draft that hasn't begun follow its table: those who join it pick, too, those who left don't.

    Someone who takes another's seat at the table takes their seat in the draft. With one player left it ends.
    """
    pod = Pod._default_manager.filter(match=match, ended=None).first() if match.round.event.has_booster_draft else None
    if pod is None or pod.has_begun:
        return
    pod.match = match
    now = [entry.number for entry in match.entries if entry.is_playing]
    gone, new = [n for n in pod.seats if n not in now], [n for n in now if n not in pod.seats]
    if len(now) < MIN_DRAFTING:
        writing.delete(pod)
    elif gone or new:
        instead = dict(zip(gone, new, strict=False))
        seats = [instead.get(n, n) for n in pod.seats if n not in gone or n in instead] + new[len(gone) :]
        picks = [[None] * pod.passing.steps for _seat in seats]
        writing.save(pod, seats=seats, picks=picks, on_paper=[n for n in pod.on_paper if n in seats])


def must_not_be_drafting(matches: Iterable[Match]) -> None:
    """Raise Refused if players of these tables are in the middle of a booster draft, whose seats can't change."""
    pods = Pod._default_manager.filter(match__in=[match.pk for match in matches], ended=None).select_related("match")
    for pod in pods.order_by("match__table"):
        if pod.has_begun:
            raise Refused(
                _("The booster draft at table %(table)s has begun. Swap the players once it's over.")
                % {"table": pod.match.table}
            )


def rounds_begun(event: Event) -> int:
    """Return how many rounds have been published; drafts don't count."""
    last = last_begun(event)
    return last.number if last else 0


def last_begun(event: Event) -> Round | None:
    """Return the newest published round; None before the first."""
    return event.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()


def record_missed_rounds(writing: Writing, event: Event, entry: Entry, kind: str) -> int:
    """Give the entry a loss or a bye for each published round without a match of its own; return how many.

    Where it was awarded a bye, it has that one. Where teams play, a round missed counts for nothing: the team may have
    played it with another partner.
    """
    if event.teams_of_two:
        return 0
    seated = set(Match.objects.filter(sits(entry), round__event=event).values_list("round_id", flat=True))
    rounds = event.rounds.exclude(state=Round.State.DRAFT).exclude(pk__in=seated).order_by("number")
    for round in rounds:
        awarded = round.bracket_size is None and round.number in entry.awarded_byes
        made = writing.create(Match, round=round, a=entry, kind=Match.Kind.AWARDED if awarded else kind)
        give_result_without_game(writing, event, made)
    return len(rounds)
