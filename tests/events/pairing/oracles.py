"""Two slow, simple ways to find the best round: trying every pairing, and networkx on the full graph."""

from __future__ import annotations

import random
from collections.abc import Iterator

import networkx

from events.pairing import Player, Tournament

Merit = tuple[int, tuple[int, int], int, int, int]
SITTING_OUT = "-- sits out --"


def merit(tournament: Tournament, pairs: list[tuple[str, str]], bye: str | None) -> Merit:
    """Return what decides between rounds, in order: rematches, the bye's claim, cost, clubs (if used), ranks."""
    by_id = {player.id: player for player in tournament.players}
    met = {frozenset(pair) for played in tournament.rounds for pair in played if None not in pair}
    rematches = cost = clubs = ranks = 0
    for a, b in pairs:
        one, other = by_id[a], by_id[b]
        rematches += frozenset((a, b)) in met
        cost += (one.points - other.points) ** 2
        clubs += tournament.avoid_same_club and one.club is not None and one.club == other.club
        ranks += (one.rank - other.rank) ** 2 if one.rank is not None and other.rank is not None else 0
    claim = (by_id[bye].byes, by_id[bye].points) if bye is not None else (0, 0)
    return rematches, claim, cost, clubs, ranks


def to_be_paired(tournament: Tournament) -> list[Player]:
    """Return the players who haven't dropped and have no awarded bye for this round."""
    number = len(tournament.rounds) + 1
    return [player for player in tournament.players if not player.dropped and number not in player.byes_awarded]


def every_pairing(ids: list[str]) -> Iterator[list[tuple[str, str]]]:
    if not ids:
        yield []
        return
    first, rest = ids[0], ids[1:]
    for place, other in enumerate(rest):
        for more in every_pairing(rest[:place] + rest[place + 1 :]):
            yield [(first, other), *more]


def best_by_trying_all(tournament: Tournament) -> Merit | None:
    """Return the best merit of all possible rounds, or None if no round is legal."""
    ids = [player.id for player in to_be_paired(tournament)]
    best = None
    for bye in ids if len(ids) % 2 else [None]:
        for pairs in every_pairing([player for player in ids if player != bye]):
            found = merit(tournament, pairs, bye)
            if found[0] and not tournament.allow_rematch:
                continue
            if best is None or found < best:
                best = found
    return best


def best_by_full_matching(tournament: Tournament) -> Merit | None:
    """Return the best merit found by networkx on the full graph with one weight, of any size, for all objectives.

    Between players with an equal claim to the bye the weight decides; the claims themselves are ranked and outweigh
    cost.
    """
    active = to_be_paired(tournament)
    met = {frozenset(pair) for played in tournament.rounds for pair in played if None not in pair}
    claims = sorted({(player.byes, player.points) for player in active})
    size = len(active) + 1
    rank_scale = 1
    ranks = [player.rank for player in active if player.rank is not None]
    club_scale = size * (max(ranks, default=0) - min(ranks, default=0) + 1) ** 2
    cost_scale = club_scale * size
    points = [player.points for player in active]
    bye_scale = cost_scale * size * (max(points, default=0) - min(points, default=0) + 1) ** 2
    rematch_scale = bye_scale * (len(claims) + 1)
    graph = networkx.Graph()
    graph.add_nodes_from(player.id for player in active)
    for place, one in enumerate(active):
        for other in active[place + 1 :]:
            again = frozenset((one.id, other.id)) in met
            if again and not tournament.allow_rematch:
                continue
            weight = again * rematch_scale + (one.points - other.points) ** 2 * cost_scale
            if tournament.avoid_same_club and one.club is not None and one.club == other.club:
                weight += club_scale
            if one.rank is not None and other.rank is not None:
                weight += (one.rank - other.rank) ** 2 * rank_scale
            graph.add_edge(one.id, other.id, weight=-weight)
        if len(active) % 2:
            graph.add_edge(one.id, SITTING_OUT, weight=-claims.index((one.byes, one.points)) * bye_scale)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) != graph.number_of_nodes():
        return None
    bye = next((a if b == SITTING_OUT else b for a, b in matching if SITTING_OUT in (a, b)), None)
    return merit(tournament, [pair for pair in matching if SITTING_OUT not in pair], bye)


def played_event(
    players: int,
    rounds: int,
    *,
    seed: int = 1,
    clubs: int = 0,
    club_share: float = 1.0,
    ranks: str = "none",
    drops: float = 0.0,
    points: tuple[int, int] = (3, 0),
    shuffle: bool = False,
    **options: bool,
) -> Tournament:
    """Return a tournament played so far by a simple Swiss: neighbours in the standings meet, winners are random.

    `ranks`: "none", "standing" (1, 2, … by points), "seeding" (random, whatever the points), "some" (half have one),
        "tied" (three share each).
    `shuffle`: random opponents from the whole field, so that points say little about who has met.
    """
    dice = random.Random(seed)
    ids = [f"p{number}" for number in range(players)]
    score = dict.fromkeys(ids, 0)
    byes = dict.fromkeys(ids, 0)
    met: set[frozenset[str]] = set()
    played = []
    for _ in range(rounds):
        row = sorted(ids, key=lambda player: (0 if shuffle else -score[player], dice.random()))
        pairs: list[tuple[str, str | None]] = []
        if len(row) % 2:
            sitting = next((player for player in reversed(row) if not byes[player]), row[-1])
            row.remove(sitting)
            byes[sitting] += 1
            score[sitting] += points[0]
            pairs.append((sitting, None))
        while row:
            a = row.pop(0)
            b = next((other for other in row if frozenset((a, other)) not in met), row[0])
            row.remove(b)
            met.add(frozenset((a, b)))
            pairs.append((a, b))
            winner, loser = (a, b) if dice.random() < 0.5 else (b, a)
            score[winner] += points[0]
            score[loser] += points[1]
        played.append(tuple(pairs))
    club = {player: f"club {dice.randrange(clubs)}" if clubs and dice.random() < club_share else None for player in ids}
    order = sorted(ids, key=lambda player: (-score[player], dice.random()))
    rank: dict[str, int | None] = dict.fromkeys(ids)
    if ranks == "standing":
        rank = {player: place for place, player in enumerate(order, 1)}
    elif ranks == "seeding":
        rank = {player: place for place, player in enumerate(sorted(ids, key=lambda _: dice.random()), 1)}
    elif ranks == "tied":
        rank = {player: 1 + place // 3 for place, player in enumerate(order)}
    elif ranks == "some":
        rank = {player: place if place % 2 else None for place, player in enumerate(order, 1)}
    return Tournament(
        players=tuple(
            Player(player, score[player], byes[player], dice.random() < drops, club[player], rank[player])
            for player in ids
        ),
        rounds=tuple(played),
        seed=seed,
        **options,
    )
