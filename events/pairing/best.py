"""The best next round in a stated order of priorities, with a proof.

(1) fewest rematches (none, unless allowed); (2) the bye to a player with the fewest byes, then the fewest points, then
the last place in the standings, such that a pairing exists; (3) least cost: the sum of squared differences of points;
(4) if clubs are kept apart, fewest pairings within a club; (5) least sum of squared differences of rank; (6) the order
of equal players given by the seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import rustworkx

from .line import NumberedField, lowest_cost
from .tournament import Pair, Player, Tournament
from .windows import Swept, TooWide, pair_whole, sweep

NAMED = 24
LARGE = 240


class NoPairing(Exception):
    """No legal round exists; `players` can't be paired, `message` tells a judge why."""

    def __init__(self, message: str, players: tuple[str, ...]) -> None:
        super().__init__(message)
        self.message, self.players = message, players


@dataclass(frozen=True)
class Certificate:
    """What is proved about a round, by priority, and how.

    `cost_bound` is the least cost that the scores alone allow; a higher cost is proved necessary, given who has met
    whom, by exact search in `windows` (the widest has `widest` players).
    """

    rematches: bool
    bye: bool
    cost: bool
    clubs: bool
    ranks: bool
    cost_bound: int
    windows: int
    widest: int


@dataclass(frozen=True)
class Draw:
    """A round: pairs by standing with the better player first, the bye, and the figures with their proof."""

    pairs: tuple[Pair, ...]
    bye: str | None
    rematches: int
    cost: int
    same_club: int
    certificate: Certificate


def draw(tournament: Tournament) -> Draw:
    """Return the best next round. Raise NoPairing if there is none."""
    line = NumberedField(tournament)
    found: Swept | None
    if len(line.players) % 2 == 0:
        _refuse_the_stuck(line, tournament)
        found = _pair(line, ())
        if found is None and tournament.allow_rematch:
            line.allows_rematch = True
            line.lay()
            whole = pair_whole(line)
            found = whole[0] if whole else None
    else:
        found = _with_bye(line, tournament)
    if found is None:
        raise _explained(line)
    return _drawn(line, tournament, found)


def bye_classes(players: list[Player]) -> list[list[int]]:
    """Return the players' numbers in classes with equal claim to the bye, the best claim first."""

    def claim(number: int) -> tuple[int, int, int]:
        return players[number].claim

    return [list(group) for _, group in groupby(sorted(range(len(players)), key=claim), key=claim)]


def _refuse_the_stuck(line: NumberedField, tournament: Tournament) -> None:
    """Raise NoPairing at once if a player has met everyone else."""
    if tournament.allow_rematch or not line.players:
        return
    everybody = len(line.players) - 1
    spare = len(line.players) % 2
    if sum(len(met) >= everybody for met in line.met) > spare:
        raise _explained(line)


def _pair(line: NumberedField, takers: tuple[int, ...]) -> Swept | None:
    for provable in (True, False):
        line.lay(takers, provable=provable)
        line.swap_equals()
        try:
            return sweep(line, provable=provable)
        except TooWide:
            continue
    raise AssertionError("the second sweep has no limit")


def _with_bye(line: NumberedField, tournament: Tournament) -> Swept | None:
    classes = bye_classes(line.players)
    _refuse_the_stuck(line, tournament)
    for takers in classes:
        line.seat_bye(takers)
        found = _pair(line, tuple(takers))
        if found is not None:
            return found
        if takers is classes[0] and not tournament.allow_rematch and _left_over(line):
            return None
    if not tournament.allow_rematch:
        return None
    fewest = _left_over(line)
    line.allows_rematch = True
    best: tuple[int, Swept] | None = None
    for takers in classes:
        line.seat_bye(takers)
        line.lay(takers)
        whole = pair_whole(line)
        if whole and (best is None or whole[1] < best[0]):
            best = whole[1], whole[0]
        if best and best[0] == fewest:
            break
    return best[1] if best else None


def _unmet(line: NumberedField) -> rustworkx.PyGraph[int | None, int]:
    """Return the graph of who may still play whom; with an odd number of players anyone may have the bye."""
    count = len(line.players)
    graph: rustworkx.PyGraph[int | None, int] = rustworkx.PyGraph(multigraph=True)
    graph.add_nodes_from(range(count + count % 2))
    edges = [(a, b, 1) for a in range(count) for b in range(a + 1, count) if b not in line.met[a]]
    if count % 2:
        edges += [(number, count, 1) for number in range(count)]
    graph.extend_from_weighted_edge_list(edges)
    return graph


def _left_over(line: NumberedField) -> int:
    """Return the least number of rematches, whoever has the bye."""
    graph = _unmet(line)
    return graph.num_nodes() // 2 - len(rustworkx.max_weight_matching(graph, max_cardinality=True))


def _explained(line: NumberedField) -> NoPairing:
    """Return an error naming the players without an opponent, alone or as a group that has met everyone outside it."""
    count = len(line.players)
    ids = [player.id for player in line.players]
    stuck = [number for number in range(count) if len(line.met[number] - {line.bye}) >= count - 1]
    if len(stuck) > count % 2:
        left = tuple(sorted(ids[number] for number in stuck))
        return NoPairing(f"No opponent is left for {_names(left)}: each has met every other active player.", left)
    graph = _unmet(line)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True)
    short = _unseatable(graph, matching)
    place = {player.id: (-player.points, player.id) for player in line.players}
    groups = [sorted((ids[number] for number in group if number < count), key=place.__getitem__) for group in short]
    groups = sorted((group for group in groups if group), key=lambda group: (len(group), [place[one] for one in group]))
    inside = set().union(*short, {count})
    beyond = sorted({ids[n] for group in short for one in group for n in graph.neighbors(one) if n not in inside})
    players = tuple(sorted({player for group in groups for player in group}))
    only = f"only {_names(tuple(beyond))}" if beyond else "nobody"
    single = tuple(group[0] for group in groups if len(group) == 1)
    parts = []
    if single:
        parts.append(f"{_names(single)} {'has' if len(single) == 1 else 'have'} {only} left to play")
    parts += [
        f"{_names(tuple(group))} are an odd number and have {only} left outside their group"
        for group in groups
        if len(group) > 1
    ]
    why = "; ".join(parts) or "too many have met one another"
    return NoPairing(f"Not every player can be given an opponent: {why}.", players)


def _unseatable(graph: rustworkx.PyGraph[int | None, int], matching: set[tuple[int, int]]) -> list[set[int]]:
    """Return the groups of the graph (Gallai and Edmonds) whose players can't all be matched at once.

    In a large field only players who have met half of it are considered; all others form one unnamed group.
    """
    nodes = list(graph.node_indices())
    looked_at = nodes
    if len(nodes) > LARGE:
        looked_at = sorted((node for node in nodes if 2 * graph.degree(node) < len(nodes)), key=graph.degree)[:LARGE]
    missable = set()
    for node in looked_at:
        rest = graph.subgraph([other for other in nodes if other != node])
        if len(rustworkx.max_weight_matching(rest, max_cardinality=True)) == len(matching):
            missable.add(node)
    part, numbers = graph.subgraph_with_nodemap(sorted(missable))
    return [{numbers[node] for node in component} for component in rustworkx.connected_components(part)]


def _names(ids: tuple[str, ...]) -> str:
    shown = list(ids[:NAMED])
    if len(ids) > NAMED:
        return ", ".join(shown) + f" and {len(ids) - NAMED} others"
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}"


def _drawn(line: NumberedField, tournament: Tournament, found: Swept) -> Draw:
    players, ordered, bye = line.players, [], None
    for pair in found.pairs:
        a, b = min(pair), max(pair)
        if b == line.bye:
            bye = players[a].id
        else:
            ordered.append((a, b))
    ordered.sort()
    pairs = tuple((players[a].id, players[b].id) for a, b in ordered)
    rematches, cost, same_club = tournament.figures(pairs)
    bound = lowest_cost([player.points for player in players if player.id != bye])
    return Draw(
        pairs,
        bye,
        rematches,
        cost,
        same_club,
        Certificate(
            rematches=True,
            bye=True,
            cost=True,
            clubs=found.proves_clubs or not tournament.avoid_same_club or same_club == 0,
            ranks=found.proves_ranks or not line.has_ranks,
            cost_bound=bound,
            windows=found.windows,
            widest=found.widest,
        ),
    )
