"""Publishing and unpublishing pairings."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events.actions import answer
from events.audit import tables_in_words
from events.door import Refused, Text, door
from events.models import Event, Match, Round
from events.roles import Actor

from ..rounds_byes import give_result_without_game, remove_match, withdraw_result
from .asked import stale_by_log

MAX_PAIRS = 4


def _clock_of(event: Event, bracket_size: int | None, own_minutes: int | None = None) -> dict[str, int]:
    minutes = own_minutes or event.minutes_of(bracket_size)
    return {"preparation_seconds": event.preparation_minutes * 60, "round_seconds": minutes * 60}


def publish_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Publish the pairings; byes get their result at once, and its announced start is cleared.

    Raise Refused if the draft is out of date, if a player is seated twice, or if the round was already published.
    """
    event = round.event
    with door("publish-round", by=by, event=event, on=round, version=version, reason=reason) as writing:
        round.event = event
        if stale := stale_by_log(round):
            raise Refused(_("The draft is out of date. %(why)s Re-pair the round.") % {"why": " ".join(stale)})
        matches = list(round.matches.order_by("pk").select_related("a"))
        seated = [entry for match in matches for entry in match.entry_ids]
        if len(seated) != len(set(seated)) or not seated:
            raise Refused(_("A player is paired twice or not at all. Re-pair the round."))
        for match in matches:
            if match.kind != Match.Kind.GAME:
                match.round = round
                give_result_without_game(writing, event, match)
        clock = _clock_of(event, round.bracket_size, round.own_minutes)
        writing.save(round, state=Round.State.PUBLISHED, published_at=writing.at, **clock)
        if event.next_round_at is not None:
            writing.save(event, next_round_at=None)
        writing.says("published", round=round)
        writing.topics.add("pairings")
    return round


def _nothing_reported(round: Round) -> None:
    """Raise Refused if a table of the round has reported; also checked before asking for confirmation."""
    games = round.matches.filter(kind=Match.Kind.GAME)
    reported = games.filter(claims__counts=True).distinct().order_by("table").values_list("table", flat=True)
    if reported:
        raise Refused(
            ngettext(
                "Table %(tables)s already has a reported result. Fix the seating instead, or withdraw that result.",
                "Tables %(tables)s already have reported results. Fix the seating instead, or withdraw those results.",
                len(reported),
            )
            % {"tables": tables_in_words(list(reported))}
        )


def _unpublish_consequences(round: Round) -> list[Text]:
    """Return the consequences of unpublishing a round: for pairings, byes and players who left."""
    games = list(round.matches.filter(kind=Match.Kind.GAME).with_entries().order_by("table"))
    shown = "; ".join(str(match) for match in games[:MAX_PAIRS]) + ("; …" if games[MAX_PAIRS:] else "")
    lines: list[Text] = []
    if games:
        words = ngettext(
            "%(n)d table loses its pairing (%(pairs)s). Players no longer see it, but the draft is kept.",
            "%(n)d tables lose their pairings (%(pairs)s). Players no longer see them, but the draft is kept.",
            len(games),
        )
        lines.append(words % {"n": len(games), "pairs": shown})
    byes = round.matches.filter(kind__in=(Match.Kind.BYE, Match.Kind.AWARDED)).select_related("a")
    lines += [_("%(name)s loses the bye and the win that came with it.") % {"name": match.a} for match in byes]
    left = round.event.entries.filter(dropped_after__gte=round.number).order_by("number")
    told = _("%(name)s will be listed as dropped before %(round)s.")
    lines += [told % {"name": entry, "round": round.definite_name} for entry in left]
    lines.append(_("The round clock is reset. You can then re-pair, edit the draft, or publish it again."))
    return lines


def unpublish_round(
    *, by: Actor, round: Round, version: int | None = None, confirmed: bool = False, reason: str = ""
) -> Round:
    """Unpublish pairings, making them a draft again; only while no table has reported anything."""
    event = round.event
    if answer("unpublish-round", by.roles(event=event), event=event, round=round):
        _nothing_reported(round)
    with door(
        "unpublish-round", by=by, event=event, on=round, version=version, confirmed=confirmed, reason=reason,
        consequences=_unpublish_consequences(round),
    ) as writing:  # fmt: skip
        round.event = event
        _nothing_reported(round)
        for match in round.matches.select_related("a").exclude(kind=Match.Kind.GAME):
            if match.a.from_round > round.number:
                writing.save(match.a, from_round=round.number)
                remove_match(writing, match)
            elif match.kind == Match.Kind.MISSED:
                remove_match(writing, match)
            else:
                withdraw_result(writing, match)
        for run in round.clock_runs.all():
            writing.delete(run)
        for entry in event.entries.filter(dropped_after__gte=round.number):
            writing.save(entry, dropped_after=round.number - 1)
        writing.save(round, state=Round.State.DRAFT, published_at=None, started_at=None, added_seconds=0)
        writing.says("unpublished", round=round)
        writing.topics.add("pairings")
    return round
