"""Penalties: given by judges, withdrawn by the head judge, never deleted.

Cautions and warnings have no effect. A game loss sets the result of the match, a disqualification removes the player
from the event. Only the head judge gives these two: they are shown before they take effect, and withdrawing the penalty
reverses them. The suggested penalty follows from what the player was given earlier at this event.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from events.door import NeedsConfirmation, Refused, Writing, door
from events.models import Claim, Entry, Event, Match, Role, Round, sits
from events.models.rounds import heavy_beside
from events.results.reading import Given
from events.results.result import OTHER, Result, as_json, from_json
from events.results.tables import read_result
from events.results.words import sentence
from events.roles import Actor
from events.services import entries, results
from judging.models import Penalty

Kind, Category = Penalty.Kind, Penalty.Category
HEAD_ONLY = frozenset({Kind.GAME_LOSS, Kind.DISQUALIFICATION})
ASKED = {Kind.GAME_LOSS: gettext_lazy("Give game loss"), Kind.DISQUALIFICATION: gettext_lazy("Disqualify player")}
LADDER = (Kind.CAUTION, Kind.WARNING, Kind.GAME_LOSS, Kind.DISQUALIFICATION)
FIRST = {Category.SLOW_PLAY: Kind.WARNING, Category.CHEATING: Kind.DISQUALIFICATION, Category.FORCE: Kind.WARNING}
"""The first penalty for a category; any other category starts with a caution."""
RETURNS = {
    Entry.State.ENTERED: gettext_lazy("%(name)s's withdrawal undone."),
    Entry.State.CHECKED_IN: gettext_lazy("%(name)s is checked in again."),
    Entry.State.DROPPED: gettext_lazy("%(name)s is no longer disqualified, but remains dropped."),
}
"""What withdrawing a disqualification does, by the player's state before it."""


# queries


def history(entry: Entry) -> QuerySet[Penalty]:
    """Return a player's penalties at this event, newest first, withdrawn ones included."""
    return (
        entry.penalties.select_related("round", "match", "given_by")
        .defer(*heavy_beside("round"))
        .order_by("-at", "-pk")
    )


def history_at_table(match: Match) -> list[Penalty]:
    """Return the players' penalties at this event, newest first; one query."""
    found = (
        Penalty.objects.filter(entry__in=match.entry_ids).select_related("entry", "round").defer(*heavy_beside("round"))
    )
    return list(found.order_by("-at", "-pk"))


def suggested(earlier: Iterable[Penalty], category: str) -> str:
    """Return the penalty to consider: one step above the highest that counts for the same fault, or the first step."""
    counting = [LADDER.index(Kind(one.kind)) for one in earlier if not one.withdrawn and one.category == category]
    if not counting:
        known = Category(category) if category in Category.values else Category.OTHER
        return FIRST.get(known, Kind.CAUTION).value
    return LADDER[min(max(counting) + 1, len(LADDER) - 1)].value


def game_of(entry: Entry, round: Round | None) -> Match | None:
    """Return the entry's match in that round, or in the current round; None if it has none."""
    found = Match.objects.filter(sits(entry), kind=Match.Kind.GAME, round__event=entry.event_id)
    if round is not None:
        found = found.filter(round=round)
    else:
        found = found.filter(round__state__in=[Round.State.PUBLISHED, Round.State.RUNNING])
    return found.with_round().select_related("round__event").order_by("-round__number").first()


# verbs


def give_penalty(
    *,
    by: Actor,
    entry: Entry,
    kind: str,
    category: str,
    text: str,
    round: Round | None = None,
    match: Match | None = None,
    opponents_points: int | None = None,
    confirmed: bool = False,
    reason: str = "",
    version: int | None = None,
) -> Penalty:
    """Give a penalty; judges caution and warn, only the head judge gives game losses and disqualifications.

    A game loss gives the opponent the match with `opponents_points` (as many as for a bye if left out); a
    disqualification removes the player from the event. Raises Refused for a judge who gives more, for an empty text, or
    if there is no match to lose; NeedsConfirmation before a match or an event is lost.
    """
    event = entry.event
    stands = _("The event is over. The penalty for %(name)s will be added to the event's report.") % {
        "name": entry.name
    }
    with door(
        "give-penalty", by=by, event=event, on=entry, version=version, confirmed=confirmed, reason=reason,
        consequences=[stands],
    ) as writing:  # fmt: skip
        entry.event = event
        _must_be_complete(by, event, kind, category, text)
        game = match if match is not None else game_of(entry, round)
        if game is not None and entry.pk not in game.entry_ids:
            raise Refused(_("%(name)s isn't playing at this table.") % {"name": entry.name})
        _confirm_effects(event, entry, kind, game, opponents_points, confirmed=confirmed)
        said = " ".join(text.split())[:400]
        effect: dict[str, Any] = {}
        if kind == Kind.GAME_LOSS and game is not None:
            effect = _lose(by, entry, game, said, opponents_points)
        elif kind == Kind.DISQUALIFICATION:
            effect = {"entry_state": entry.state, "dropped_after": entry.dropped_after}
            entries.disqualify_entry(by=by, entry=entry, reason=said, confirmed=True)
        penalty = writing.create(
            Penalty,
            entry=entry,
            round=round or (game.round if game is not None else None),
            match=game,
            kind=kind,
            category=category,
            text=said,
            given_by=by.person,
            effect=effect,
        )
        writing.says("penalty-given", penalty=penalty.kind, name=entry.name, category=penalty.category)
        writing.topics.add("penalties")
        if game is not None:
            writing.topics.add(f"table-{game.table}")
    return penalty


def _must_be_complete(by: Actor, event: Event, kind: str, category: str, text: str) -> None:
    """Refuse an incomplete penalty, and a judge who gives more than judges may."""
    if by.person is None:
        raise Refused(_("Sign in first. Every penalty is recorded with the judge's name."))
    if kind not in Kind.values or category not in Category.values:
        raise Refused(_("Choose a penalty and an infraction."))
    if kind in HEAD_ONLY and Role.HEAD_JUDGE not in by.roles(event=event):
        raise Refused(_("Only the head judge can give a game loss or a disqualification. Ask the head judge."))
    if not text.strip():
        raise Refused(_("Describe briefly what happened. The description appears in the report."))


def _confirm_effects(
    event: Event, entry: Entry, kind: str, game: Match | None, points: int | None, *, confirmed: bool
) -> None:
    """Raise NeedsConfirmation with the effects of a game loss or disqualification; a game loss needs a match."""
    if kind not in HEAD_ONLY:
        return
    words = {"name": entry.name}
    if kind == Kind.GAME_LOSS:
        if game is None:
            raise Refused(_("%(name)s isn't playing now and can't be given a game loss.") % words)
        lines = _effects_of_loss(entry, game, _points(event, points))
    else:
        lines = [_("%(name)s won't be paired again. Matches already played still count in the standings.") % words]
        if game is not None and game.state != Match.State.CONFIRMED:
            lines.append(
                _("The match at table %(table)s is still open. Enter its result on the table's page.")
                % {"table": game.table}
            )
    if not confirmed:
        raise NeedsConfirmation(ASKED[Kind(kind)], lines, takes_away=True)


def _effects_of_loss(entry: Entry, game: Match, points: int) -> list[Any]:
    """Return in words what a game loss changes."""
    given = _lost(entry, game, points)
    if given is None:
        return [
            _("%(name)s will come last at table %(table)s, whatever the points. The others play on.")
            % {"name": entry.name, "table": game.table}
        ]
    terms = results.terms_of(game, by_judge=True)
    meant = read_result(given, terms)
    changed = results.what_would_change(game, meant) if game.state == Match.State.CONFIRMED else []
    return [sentence(meant, terms), *changed]


def losers_at(match: Match) -> list[int]:
    """Return the keys of the entries that a game loss puts last at a table of three or four."""
    found = Penalty.objects.filter(match=match, kind=Kind.GAME_LOSS, withdrawn=False)
    return list(found.values_list("entry_id", flat=True))


def _points(event: Event, points: int | None) -> int:
    return event.bye_points if points is None else points


def _lost(entry: Entry, game: Match, points: int) -> Given | None:
    """Return the result that a game loss gives a match; None for a table of three or four that is still playing.

    There the player comes last, the points of everyone stay.
    """
    side = game.seat_of(entry)
    if game.is_of_many:
        if game.result is None:
            return None
        return as_json(game.result) | {"lost": [*game.result.lost, side], **_without_winner(game.result, side)}
    other = OTHER[side]
    return {"winner": other, "decided_by": "judge", f"score_{other}": points, f"score_{side}": 0}


def _without_winner(result: Result, loser: str) -> dict[str, None]:
    """Return what is no longer so once the winner of a table of three or four loses: who won, and by what."""
    return {"winner": None, "decided_by": None} if result.winner in (None, loser) else {}


def _lose(by: Actor, entry: Entry, game: Match, text: str, points: int | None) -> dict[str, Any]:
    """Give the opponent the match, or the player the last place; return its state before and its new result."""
    before = {"match_state": game.state, "result": as_json(game.result) if game.result else None}
    result = _lost(entry, game, _points(entry.event, points))
    if result is None:
        return {}
    if game.state == Match.State.CONFIRMED:
        results.correct_result(by=by, match=game, result=result, reason=text, confirmed=True)
    else:
        results.decide_result(by=by, match=game, result=result, reason=text)
    assert game.result is not None, "it has just been given"
    return before | {"became": as_json(game.result)}


def withdraw_penalty(
    *, by: Actor, penalty: Penalty, reason: str = "", confirmed: bool = False, version: int | None = None
) -> Penalty:
    """Withdraw a penalty, with a reason; it stays in the report, marked.

    Effects that still apply are reversed: the match gets its earlier result, the player is back in the event. A match
    of a complete round that had no result before keeps the present one, to be corrected by an official.
    """
    entry = penalty.entry
    event = entry.event
    with door(
        "withdraw-penalty",
        by=by,
        event=event,
        on=penalty,
        reason=reason,
        confirmed=confirmed,
        version=version,
        consequences=[*_reversals(penalty), _("The penalty stays in the report, marked as withdrawn.")],
    ) as writing:
        if penalty.withdrawn:
            raise Refused(_("This penalty has already been withdrawn."))
        _reverse(writing, penalty)
        writing.save(penalty, withdrawn=True, withdrawn_reason=reason.strip()[:300])
        writing.says("penalty-withdrawn", name=entry.name)
        writing.topics.add("penalties")
        if penalty.match is not None:
            writing.topics.add(f"table-{penalty.match.table}")
    return penalty


def _still_stands(penalty: Penalty) -> bool:
    """Return whether the match still has the result that the game loss gave it."""
    became = penalty.effect.get("became")
    return penalty.match is not None and became is not None and penalty.match.result == from_json(became)


def _reversals(penalty: Penalty) -> list[Any]:
    """Return what withdrawing the penalty changes besides, in words."""
    effect, match, name = penalty.effect or {}, penalty.match, penalty.entry.name
    if "became" in effect and match is not None:
        where = {"round": match.round, "table": match.table}
        if not _still_stands(penalty):
            return [
                _(
                    "The result of %(round)s, table %(table)s has since been changed, so the earlier result "
                    "won't be restored."
                )
                % where
            ]
        if effect["result"] is not None:
            terms = results.terms_of(match, by_judge=True, with_forces=False)
            return [
                _("The earlier result of %(round)s, table %(table)s will be restored:") % where
                + " "
                + sentence(from_json(effect["result"]), terms)
            ]
        if match.round.state == Round.State.COMPLETE:
            return [_("%(round)s is complete. Table %(table)s keeps its result until a judge corrects it.") % where]
        return [_("%(round)s, table %(table)s is open again and needs a result.") % where]
    if (
        match is not None
        and penalty.kind == Kind.GAME_LOSS
        and match.result
        and match.seat_of(penalty.entry) in match.result.lost
    ):
        where = {"round": match.round, "table": match.table}
        return [
            _("%(round)s, table %(table)s: the player's loss still counts until a judge corrects the result.") % where
        ]
    if "entry_state" in effect:
        if penalty.entry.state != Entry.State.DISQUALIFIED:
            return [_("%(name)s is no longer disqualified. Nothing else changes.") % {"name": name}]
        return [RETURNS[effect["entry_state"]] % {"name": name}]
    return []


def _reverse(writing: Writing, penalty: Penalty) -> None:
    effect, match, entry = penalty.effect or {}, penalty.match, penalty.entry
    if "became" in effect and match is not None and _still_stands(penalty):
        before = None if effect["result"] is None else from_json(effect["result"])
        if before is None and match.round.state == Round.State.COMPLETE:
            return
        for claim in match.claims.filter(how=Claim.How.JUDGE, counts=True):
            if claim.result == from_json(effect["became"]):
                writing.save(claim, counts=False)
        writing.save(
            match,
            result=before,
            state=effect["match_state"],
            confirmed_at=None if before is None else match.confirmed_at,
        )
    elif effect.get("entry_state") and entry.state == Entry.State.DISQUALIFIED:
        writing.save(entry, state=effect["entry_state"], dropped_after=effect["dropped_after"])


def slow_play(*, by: Actor, match: Match, side: str, confirmed: bool = False) -> Penalty:
    """Give one player a warning for slow play.

    The books forbid slow play but don't define it: warn, watch, then the judge decides.
    """
    entry = match.entry_at(side)
    if entry is None or match.kind != Match.Kind.GAME:
        raise Refused(_("Choose the player to warn."))
    entry.event = match.round.event
    return give_penalty(
        by=by,
        entry=entry,
        kind=Kind.WARNING,
        category=Category.SLOW_PLAY,
        text=_("Slow play at table %(table)s") % {"table": match.table},
        round=match.round,
        match=match,
        confirmed=confirmed,
    )
