"""Explanations of a round: who plays outside their score group and why, what is proved, a manual round compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .best import Certificate, Draw, NoPairing, draw
from .documents import Document, read_tournament
from .tournament import Pair, Player, Tournament


@dataclass(frozen=True)
class Float:
    """A pairing between two score groups: `higher` plays down to `lower`.

    `reason`: "odd" if an odd number of players is at or above the higher score, so that one must play down; "met" if
    the player has met everyone else on that score; "field" if it is the cheapest for all.
    """

    higher: str
    lower: str
    from_points: int
    to_points: int
    reason: str
    met: tuple[str, ...] = ()

    @property
    def cost(self) -> int:
        """The squared difference of points."""
        return (self.from_points - self.to_points) ** 2

    @property
    def why(self) -> str:
        """The reason, as a sentence for the judge."""
        if self.reason == "met":
            text = ngettext(
                "%(player)s has already played everyone else with %(points)d point.",
                "%(player)s has already played everyone else with %(points)d points.",
                self.from_points,
            )
            return text % {"player": self.higher, "points": self.from_points}
        if self.reason == "odd":
            text = ngettext(
                "An odd number of players have %(points)d point or more, so one of them is paired down.",
                "An odd number of players have %(points)d points or more, so one of them is paired down.",
                self.from_points,
            )
            return text % {"points": self.from_points}
        return _(
            "The players with equal scores have already met. This pairing has the lowest score difference overall."
        )


@dataclass(frozen=True)
class Explanation:
    """What the draft page shows about a round.

    `levels`: score → active players on it, best first. `passed_over`: players with a better claim to the bye, without
    whom no legal round exists. `equal_claims`: how many had the same claim as the player with the bye; `level_claims`:
    how many had as few byes and points, wherever they stand. `best` is None if no legal round exists.
    """

    levels: tuple[tuple[int, int], ...]
    floats: tuple[Float, ...]
    rematches: tuple[Pair, ...]
    within_club: tuple[Pair, ...]
    bye: str | None
    passed_over: tuple[str, ...]
    equal_claims: int
    level_claims: int
    cost: int
    best: Draw | None
    certificate: Certificate | None
    is_first_round: bool = False

    @property
    def proof(self) -> str:
        """What is proved about the cost, as a sentence."""
        if self.certificate is None or self.best is None:
            return _("No legal pairing exists.")
        if self.cost > self.best.cost:
            return _("A better pairing exists: score difference %(best)d instead of %(cost)d.") % {
                "best": self.best.cost,
                "cost": self.cost,
            }
        if not self.best.cost:
            return _("No better pairing exists: the score difference is 0.")
        if self.best.cost == self.certificate.cost_bound:
            return _("No better pairing exists: with these scores, the score difference is at least %(cost)d.") % {
                "cost": self.best.cost
            }
        return _(
            "No better pairing exists: the scores alone require a difference of %(bound)d, and earlier matches raise it to %(cost)d."
        ) % {"bound": self.certificate.cost_bound, "cost": self.best.cost}

    @property
    def bye_reason(self) -> str:
        """Why this player has the bye, as a sentence; "" without a bye."""
        if self.bye is None:
            return ""
        if self.passed_over:
            return ngettext(
                "%(players)s had the first claim to the bye, but no legal pairing exists if they sit out.",
                "%(players)s had the first claim to the bye, but no legal pairing exists if any of them sits out.",
                len(self.passed_over),
            ) % {"players": ", ".join(self.passed_over)}
        if self.equal_claims == 1 and self.level_claims > 1 and self.is_first_round:
            return _("In round 1 the bye goes to the last player by rank: %(player)s.") % {"player": self.bye}
        if self.equal_claims == 1 and self.level_claims > 1:
            return _(
                "Of the players with the fewest byes, %(count)d have the fewest points. %(player)s is the last of them in "
                "the standings."
            ) % {"player": self.bye, "count": self.level_claims}
        if self.equal_claims == 1:
            return _("Of the players with the fewest byes, %(player)s has the fewest points.") % {"player": self.bye}
        if self.equal_claims < self.level_claims:
            return _(
                "Of the players with the fewest byes, %(count)d have the fewest points, and %(last)d of them share last "
                "place in the standings. A bye for %(player)s gives the best pairings for the others."
            ) % {"player": self.bye, "count": self.level_claims, "last": self.equal_claims}
        return _(
            "Of the players with the fewest byes, %(count)d have the fewest points. A bye for %(player)s gives the best "
            "pairings for the others."
        ) % {"player": self.bye, "count": self.equal_claims}


@dataclass(frozen=True)
class Comparison:
    """A manual round compared with the best one.

    `faults` name players who are paired twice, not at all, or wrongly included; such a round is invalid. `worse_in` is
    the first priority in which the round is worse ("rematches", "bye", "cost", "same_club", "ranks"), or None.
    """

    faults: tuple[str, ...]
    bye: str | None
    rematches: int
    cost: int
    same_club: int
    ranks: int
    rematched: tuple[Pair, ...]
    worse_in: str | None
    only_by_hand: tuple[Pair, ...]
    only_in_best: tuple[Pair, ...]
    best: Draw | None

    @property
    def as_good(self) -> bool:
        """Whether the round is valid and as good as the best in every priority."""
        return not self.faults and self.worse_in is None


def explain(document: Document, report: Document | None = None) -> Explanation:
    """Explain the round in `report`, which may have been changed manually, or else the best one.

    Raise BadInput if the document can't be read.
    """
    tournament = read_tournament(document)
    return _explained(tournament, _best(tournament), report)


def explain_and_compare(document: Document, pairs: Sequence[Sequence[Any]]) -> tuple[Explanation, Comparison]:
    """Explain a round, given as for `compare`, and compare it with the best one, which is computed once for both.

    Raise BadInput if the document can't be read.
    """
    tournament = read_tournament(document)
    best = _best(tournament)
    pairs = tournament.without_awarded_byes(pairs)
    bye = next((a for a, b in pairs if b is None), None)
    report = {"pairings": [[a, b] for a, b in pairs if b is not None], "bye": bye}
    return _explained(tournament, best, report), _compared(tournament, best, pairs)


def _explained(tournament: Tournament, best: Draw | None, report: Document | None) -> Explanation:
    if report is None or "pairings" not in report:
        pairs, bye = (best.pairs, best.bye) if best else ((), None)
    else:
        pairs, bye = tuple((a, b) for a, b in report["pairings"]), report.get("bye")
    active = tournament.active
    levels = Counter(player.points for player in active)
    one = tournament.by_id[bye] if bye is not None else None
    ordered = [_by_points(tournament, pair) for pair in pairs]
    return Explanation(
        levels=tuple(sorted(levels.items(), reverse=True)),
        floats=tuple(_float(tournament, a, b, bye) for a, b in ordered if a.points != b.points),
        rematches=_rematched(tournament, pairs),
        within_club=tuple((a.id, b.id) for a, b in ordered if a.club is not None and a.club == b.club),
        bye=bye,
        passed_over=tuple(player.id for player in active if one and player.claim < one.claim),
        equal_claims=sum(one is not None and p.claim == one.claim for p in active),
        level_claims=sum(one is not None and p.claim[:2] == one.claim[:2] for p in active),
        cost=tournament.figures(pairs)[1],
        best=best,
        certificate=best.certificate if best else None,
        is_first_round=not tournament.rounds and not any(player.points for player in active),
    )


def compare(document: Document, pairs_by_hand: Iterable[Sequence[Any]]) -> Comparison:
    """Compare a manual round, given as pairs of ids (with None opposite the bye), with the best one.

    Raise BadInput if the document can't be read.
    """
    return compare_pairs(read_tournament(document), pairs_by_hand)


def compare_pairs(tournament: Tournament, pairs_by_hand: Iterable[Sequence[Any]]) -> Comparison:
    """Compare a manual round with the best one of a tournament."""
    return _compared(tournament, _best(tournament), pairs_by_hand)


def _compared(tournament: Tournament, best: Draw | None, pairs_by_hand: Iterable[Sequence[Any]]) -> Comparison:
    given = tournament.without_awarded_byes(pairs_by_hand)
    pairs = [(a, b) for a, b in given if b is not None]
    byes = [a for a, b in given if b is None]
    faults = tuple(_seating_faults(tournament, [*pairs, *((a, None) for a in byes)]))
    known = [(a, b) for a, b in pairs if a in tournament.by_id and b in tournament.by_id and a != b]
    rematches, cost, same_club = tournament.figures(known)
    bye = byes[0] if byes else None
    worse = None
    if best is not None and not faults:
        worse = _first_worse(tournament, known, bye, best)
    ours = {frozenset(pair) for pair in known}
    theirs = {frozenset(pair) for pair in best.pairs} if best else set()
    return Comparison(
        faults=faults,
        bye=bye,
        rematches=rematches,
        cost=cost,
        same_club=same_club,
        ranks=_ranks(tournament, known),
        rematched=_rematched(tournament, known),
        worse_in=worse,
        only_by_hand=tuple(pair for pair in known if frozenset(pair) not in theirs),
        only_in_best=tuple(pair for pair in best.pairs if frozenset(pair) not in ours) if best else (),
        best=best,
    )


def without_pair(document: Document, a: str, b: str) -> Draw | None:
    """Return the best round in which a and b don't meet, or None: what avoiding the pairing would cost."""
    tournament = read_tournament(document)
    barred = replace(tournament, rounds=(*tournament.rounds, ((a, b),)))
    best = _best(barred)
    if best is None or any({a, b} == set(pair) for pair in best.pairs):
        return None
    rematches, cost, same_club = tournament.figures(best.pairs)
    return replace(best, rematches=rematches, cost=cost, same_club=same_club)


def _best(tournament: Tournament) -> Draw | None:
    try:
        return draw(tournament)
    except NoPairing:
        return None


def _by_points(tournament: Tournament, pair: Pair) -> tuple[Player, Player]:
    a, b = tournament.by_id[pair[0]], tournament.by_id[pair[1]]
    return (a, b) if a.points >= b.points else (b, a)


def _float(tournament: Tournament, a: Player, b: Player, bye: str | None) -> Float:
    likes = [p.id for p in tournament.active if p.points == a.points and p.id not in (a.id, bye)]
    met = tuple(other for other in likes if frozenset((a.id, other)) in tournament.met)
    at_or_above = sum(p.points >= a.points and p.id != bye for p in tournament.active)
    reason = "met" if likes and len(met) == len(likes) else "odd" if at_or_above % 2 else "field"
    return Float(a.id, b.id, a.points, b.points, reason, met)


def _rematched(tournament: Tournament, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    return tuple(pair for pair in pairs if frozenset(pair) in tournament.met)


def _ranks(tournament: Tournament, pairs: Iterable[Pair]) -> int:
    total = 0
    for a, b in pairs:
        one, other = tournament.by_id[a].rank, tournament.by_id[b].rank
        total += (one - other) ** 2 if one is not None and other is not None else 0
    return total


def _first_worse(tournament: Tournament, pairs: list[Pair], bye: str | None, best: Draw) -> str | None:
    def merit(of: Iterable[Pair], sitting: str | None) -> tuple[tuple[str, object], ...]:
        of = list(of)
        rematches, cost, same_club = tournament.figures(of)
        player = tournament.by_id[sitting] if sitting is not None else None
        return (
            ("rematches", rematches),
            ("bye", player.claim if player else (0, 0, 0)),
            ("cost", cost),
            ("same_club", same_club if tournament.avoid_same_club else 0),
            ("ranks", _ranks(tournament, of)),
        )

    for (name, mine), (_name, theirs) in zip(merit(pairs, bye), merit(best.pairs, best.bye), strict=True):
        if mine != theirs:
            return name if mine > theirs else None  # type: ignore[operator]
    return None


def _seating_faults(tournament: Tournament, seats: Sequence[tuple[str, str | None]]) -> Iterable[str]:
    seated = Counter(player for pair in seats for player in pair if player is not None)
    active = {player.id for player in tournament.active}
    for player, times in seated.items():
        if player not in tournament.by_id:
            yield _("%(player)s isn't in this tournament.") % {"player": player}
        elif player in tournament.awarded_byes:
            yield _("%(player)s has an awarded bye but is paired.") % {"player": player}
        elif player not in active:
            yield _("%(player)s has dropped but is paired.") % {"player": player}
        elif times > 1:
            yield _("%(player)s is paired %(times)d times.") % {"player": player, "times": times}
    for one in tournament.active:
        if one.id not in seated:
            yield _("%(player)s isn't paired.") % {"player": one.id}
    byes = sum(b is None for _a, b in seats)
    if byes > len(active) % 2:
        yield ngettext(
            "%(byes)d bye is given, but none is needed.",
            "%(byes)d byes are given, but at most one is needed.",
            byes,
        ) % {"byes": byes}
