"""Windows: stretches of the list paired exactly, each with a proof that a wider search couldn't do better.

Neighbours who may meet are paired as they are (`line` says why that is best). Around each pair of neighbours who may
not, a window of a few pairs is opened. It is paired by a minimum-weight perfect matching in which any two players may
also *leave* the window, through its upper or its lower edge, paying only for their own way to that edge. Seen from
inside a window, any pairing of the whole field consists of pairs and leavers, and every pair costs at least the sum of
its costs in the windows it touches. So if no window's cheapest matching has a leaver, the windows together are proved
best for the whole field. A window with leavers is widened on the side where they left, if necessary to the whole field,
which has no edges and is the full graph.

In practice players have met their likes only near the top and bottom, so a few windows of some dozen players suffice to
pair 5,000.
"""

from __future__ import annotations

from dataclasses import dataclass

import rustworkx

from .line import NumberedField

PAD = 6
LIMIT = 640
CHUNK = 96
BITS = 120

Numbers = tuple[int, int]
Vector = tuple[int, int, int]
Ways = tuple[list[int] | None, list[int] | None, int]


class TooWide(Exception):
    """A window grew too wide to be paired exactly in clubs and ranks."""


@dataclass(frozen=True)
class Scale:
    """Weights within a single integer: of one rematch, a quarter of a squared point, a pairing within a club, …

    `safe`: each weighs more than everything below it together; otherwise the result must be verified afterwards.
    """

    rematch: int
    points: int
    club: int
    rank: int
    leaving: int
    safe: bool = True


@dataclass
class PairedStretch:
    """A paired stretch: its pairs of numbers, and the edges through which a player would rather leave."""

    pairs: list[Numbers]
    leaves_above: bool = False
    leaves_below: bool = False
    exact: bool = True


@dataclass
class Swept:
    """A paired list: the pairs, whether each priority is proved, and how much was searched."""

    pairs: list[Numbers]
    proves_clubs: bool
    proves_ranks: bool
    windows: int
    widest: int


def scale_for(line: NumberedField, size: int, points: int, rank: int, *, provable: bool, ranks: bool = True) -> Scale:
    """Return the weights for a window of `size` players whose pairs cost at most `points` and `rank`.

    In a provable sweep leaving weighs least, so that a player stays only on a tie; otherwise just above clubs and
    ranks. rustworkx adds weights in 128 bits; if they don't fit, ranks get what is left and `safe` is False.
    """
    most = size // 2 + 1
    rank_total = most * rank + 1 if line.has_ranks and ranks else 1
    club_total = most if line.keeps_clubs_apart else 1
    points_total = most * points + 1
    room = BITS - ((points_total * most * (most if line.allows_rematch else 1)) * club_total * 4).bit_length()
    safe = rank_total.bit_length() <= room
    if not safe:
        rank_total = 1 << max(room - 1, 0)
    if provable:
        leaving, weight = 1, most
        of_rank, weight = weight, weight * rank_total
        of_club, weight = weight, weight * club_total
    else:
        of_rank, weight = 1, rank_total
        of_club, weight = weight, weight * club_total
        leaving, weight = weight, weight * most
    of_points, weight = weight, weight * points_total
    return Scale(weight, of_points, of_club, of_rank if ranks else 0, leaving, safe)


def heaviest(size: int, edges: list[tuple[int, int, int]]) -> list[Numbers] | None:
    """Return a maximum-weight perfect matching as sorted pairs, or None if there is no perfect matching."""
    graph = rustworkx.PyGraph(multigraph=True)
    graph.add_nodes_from(range(size))
    graph.extend_from_weighted_edge_list(edges)
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matching) != size:
        return None
    return sorted((a, b) if a < b else (b, a) for a, b in matching)


class Window:
    """The stretch from position `low` up to, not including, `high`; both even, so that whole pairs lie outside."""

    def __init__(self, line: NumberedField, low: int, high: int, *, provable: bool) -> None:
        self.line, self.low, self.high, self.provable = line, low, high, provable
        self.numbers = line.order[low:high]
        self.size = high - low
        # Doubled, because the edges lie halfway between the last player inside and the first outside.
        self.points = [2 * line.points[number] for number in self.numbers]
        self.along = [2 * line.along[number] for number in self.numbers]
        self.above = self._edge(low) if low else None
        self.below = self._edge(high) if high < len(line.order) else None

    def _edge(self, place: int) -> Numbers:
        line, before, after = self.line, self.line.order[place - 1], self.line.order[place]
        return line.points[before] + line.points[after], line.along[before] + line.along[after]

    def pair(self) -> PairedStretch | None:
        """Pair the window; return None if it is the whole field and has no perfect pairing."""
        scale = self._scale(ranks=True)
        matched = self._match(scale)
        if matched is None:
            return None
        exact = True
        if not scale.safe:
            bounds = self._match(self._scale(ranks=False))
            exact = bounds is not None and self._higher(bounds, scale) == self._higher(matched, scale)
            if not exact:
                matched = bounds or matched
        paired = PairedStretch([], exact=exact)
        ways = self._ways_out(scale)
        for i, j in matched:
            kind, _ = self._choice(i, j, scale, ways)
            paired.leaves_above |= "above" in kind
            paired.leaves_below |= "below" in kind
            a, b = self.numbers[i], self.numbers[j]
            paired.pairs.append((a, b))
        return paired

    def _higher(self, matched: list[Numbers], scale: Scale) -> tuple[int, int, int]:
        ways = self._ways_out(scale)
        vectors = [self._choice(i, j, scale, ways)[1] for i, j in matched]
        return sum(v[0] for v in vectors), sum(v[1] for v in vectors), sum(v[2] for v in vectors)

    def _scale(self, *, ranks: bool) -> Scale:
        ends = [edge for edge in (self.above, self.below) if edge]
        points = self.points + [edge[0] for edge in ends]
        widest = max(points) - min(points)
        line, rank = self.line, 0
        if line.has_ranks:
            given = [known for number in self.numbers if (known := line.ranks[number]) is not None]
            along = self.along + [edge[1] for edge in ends]
            rank = max(2 * (max(given) - min(given)) if given else 0, max(along) - min(along))
        return scale_for(line, self.size, 3 * widest * widest, 3 * rank * rank, provable=self.provable, ranks=ranks)

    def _match(self, scale: Scale) -> list[Numbers] | None:
        edges = self._edges_within(scale) if self.above is None and self.below is None else self._edges(scale)
        return heaviest(self.size, edges)

    def _edges_within(self, scale: Scale) -> list[tuple[int, int, int]]:
        """Return the full graph of a window without edges: the whole field."""
        line, numbers, points, size = self.line, self.numbers, self.points, self.size
        edges: list[tuple[int, int, int]] = []
        if not (line.has_ranks or line.keeps_clubs_apart or line.allows_rematch):
            far = (points[0] - points[-1]) ** 2 + 1
            weight = scale.points
            for i in range(size - 1):
                met, own = line.met[numbers[i]], points[i]
                edges += [
                    (i, j, (far - (own - points[j]) ** 2) * weight) for j in range(i + 1, size) if numbers[j] not in met
                ]
            return edges
        for i in range(size - 1):
            for j in range(i + 1, size):
                weight_or_none = self._weight_together(i, j, scale)
                if weight_or_none is not None:
                    edges.append((i, j, -weight_or_none))
        return edges

    def _weight_together(self, i: int, j: int, scale: Scale) -> int | None:
        line = self.line
        a, b = self.numbers[i], self.numbers[j]
        weight = scale.points * (self.points[i] - self.points[j]) ** 2
        if b in line.met[a]:
            if not line.allows_rematch or line.bye in (a, b):
                return None
            weight += scale.rematch
        if line.keeps_clubs_apart and line.clubs[a] is not None and line.clubs[a] == line.clubs[b]:
            weight += scale.club
        if line.has_ranks:
            weight += 4 * scale.rank * line.difference(a, b) ** 2
        return weight

    def _ways_out(self, scale: Scale) -> Ways:
        """Return the weights of leaving above and below for each player, and of passing right through."""

        def to(edge: Numbers | None) -> list[int] | None:
            if edge is None:
                return None
            p, r = edge
            return [
                scale.points * (p - own) ** 2 + scale.rank * (r - where) ** 2
                for own, where in zip(self.points, self.along, strict=True)
            ]

        through = 0
        if self.above and self.below:
            through = (
                scale.points * (self.above[0] - self.below[0]) ** 2 + scale.rank * (self.above[1] - self.below[1]) ** 2
            )
        return to(self.above), to(self.below), through

    def _edges(self, scale: Scale) -> list[tuple[int, int, int]]:
        above, below, through = self._ways_out(scale)
        edges = []
        for i in range(self.size - 1):
            for j in range(i + 1, self.size):
                ways = []
                if above:
                    ways.append(above[i] + above[j])
                if below:
                    ways.append(below[i] + below[j])
                if above and below:
                    ways.append(min(above[i] + below[j], below[i] + above[j]) + through)
                weight = min(ways) + scale.leaving
                together = self._weight_together(i, j, scale)
                if together is not None and together < weight:
                    weight = together
                edges.append((i, j, -weight))
        return edges

    def _choice(self, i: int, j: int, scale: Scale, ways: Ways) -> tuple[str, Vector]:
        """Return how two players of the window's matching are served (paired, or leaving by an edge), and the cost."""
        line = self.line
        together = self._weight_together(i, j, scale)
        options: list[tuple[int, str, Vector]] = []
        if together is not None:
            a, b = self.numbers[i], self.numbers[j]
            rematch = int(b in line.met[a])
            club = int(line.keeps_clubs_apart and line.clubs[a] is not None and line.clubs[a] == line.clubs[b])
            options.append((together, "together", (rematch, (self.points[i] - self.points[j]) ** 2, club)))
        if self.above or self.below:
            above, below, through = ways
            up, down = self.above, self.below

            def square(edge: Numbers, k: int) -> int:
                return (edge[0] - self.points[k]) ** 2

            if up and above:
                options.append((above[i] + above[j] + scale.leaving, "above", (0, square(up, i) + square(up, j), 0)))
            if down and below:
                cost = square(down, i) + square(down, j)
                options.append((below[i] + below[j] + scale.leaving, "below", (0, cost, 0)))
            if up and down and above and below:
                wide = (up[0] - down[0]) ** 2
                for one, other in ((i, j), (j, i)):
                    weight = above[one] + below[other] + through + scale.leaving
                    options.append((weight, "above below", (0, square(up, one) + square(down, other) + wide, 0)))
        _, kind, vector = min(options, key=lambda option: option[0])
        return kind, vector


def sweep(line: NumberedField, *, provable: bool) -> Swept | None:
    """Pair the whole list; return None if there is no pairing. `provable`: prove clubs and ranks, too.

    Raise TooWide if a provable sweep needs a window of more than LIMIT players.
    """
    order, count = line.order, len(line.order)
    odd_places = [place for place in range(0, count, 2) if not _is_best(line, order[place], order[place + 1], provable)]
    spans = _open_windows(odd_places, count, None if provable else CHUNK)
    solved: dict[Numbers, PairedStretch] = {}
    widest = searched = 0
    exact = True
    while True:
        open_spans = [span for span in spans if span not in solved]
        if not open_spans:
            break
        grown: list[Numbers] = []
        for low, high in open_spans:
            if provable and high - low > LIMIT:
                raise TooWide
            paired = Window(line, low, high, provable=provable).pair()
            searched += 1
            widest = max(widest, high - low)
            if paired is None:
                return None
            if paired.leaves_above or paired.leaves_below:
                more = max(high - low, 2 * PAD) & ~1
                grown.append(
                    (
                        max(0, low - more) if paired.leaves_above else low,
                        min(count, high + more) if paired.leaves_below else high,
                    )
                )
            else:
                solved[low, high] = paired
        spans = _merge(sorted([span for span in spans if span in solved] + grown))
    pairs: list[Numbers] = []
    at = 0
    for low, high in [*spans, (count, count)]:
        pairs += [(order[place], order[place + 1]) for place in range(at, low, 2)]
        if (low, high) in solved:
            pairs += solved[low, high].pairs
            exact &= solved[low, high].exact
        at = high
    return Swept(pairs, provable, provable and exact, searched, widest)


def pair_whole(line: NumberedField) -> tuple[Swept, int] | None:
    """Pair the list as one window, and return the number of rematches, too; None without a pairing."""
    count = len(line.order)
    paired = Window(line, 0, count, provable=True).pair()
    if paired is None:
        return None
    rematches = sum(b in line.met[a] for a, b in paired.pairs)
    return Swept(paired.pairs, True, paired.exact, 1, count), rematches


def _is_best(line: NumberedField, a: int, b: int, provable: bool) -> bool:
    """Return whether two neighbours cost exactly the minimum that the order allows."""
    if not line.may_meet(a, b):
        return False
    return not (provable and line.has_ranks) or abs(line.difference(a, b)) == line.along[b] - line.along[a]


def _open_windows(places: list[int], count: int, cap: int | None) -> list[Numbers]:
    spans: list[Numbers] = []
    for place in places:
        low, high = max(0, place - PAD), min(count, place + 2 + PAD)
        if spans and low < spans[-1][1]:
            if cap is None or high - spans[-1][0] <= cap:
                spans[-1] = (spans[-1][0], high)
                continue
            low = spans[-1][1]
            if low >= high:
                continue
        spans.append((low, high))
    return spans


def _merge(spans: list[Numbers]) -> list[Numbers]:
    merged: list[Numbers] = []
    for low, high in spans:
        if merged and low < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged
