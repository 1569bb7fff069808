"""`pair_round` compared with rustworkx on the full graph: time and memory.

`make bench ARGS=tests/bench/bench_pairing.py`. The tournaments are made by a simple Swiss; docs/figures.md has the
figures.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import rustworkx

from events.pairing import draw, pair_round, read_tournament
from tests.events.pairing.oracles import played_event
from tests.events.pairing.test_tables import first_better_exchange

FIELDS = [(players, rounds) for players in (32, 128, 512, 1000, 5000) for rounds in (3, 6, 9)]
AT_LEAST = {128: 0.5, 512: 5, 1000: 20, 5000: 20}
MEGABYTE = 1024
MAX_MEGABYTES = 64


@lru_cache(maxsize=4)
def document(players: int, rounds: int, ranks: str = "none") -> dict[str, Any]:
    """Return a tournament file with this many players and rounds."""
    told = played_event(players, rounds, seed=players + rounds, points=(1, 0), ranks=ranks)
    return {
        "seed": told.seed,
        "players": [
            {key: value for key, value in player._asdict().items() if value is not None} for player in told.players
        ],
        "rounds": [[list(pair) for pair in played] for played in told.rounds],
    }


def full_graph(told: dict[str, Any]) -> int:
    """Return the cost found the simple way: read the document, link all players who haven't met, match."""
    tournament = read_tournament(told)
    active = tournament.active
    number = {player.id: place for place, player in enumerate(active)}
    met: list[set[int]] = [set() for _ in active]
    for played in tournament.rounds:
        for a, b in played:
            if b is not None:
                met[number[a]].add(number[b])
                met[number[b]].add(number[a])
    points = [player.points for player in active]
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(active)))
    graph.extend_from_weighted_edge_list(
        [
            (i, j, -((points[i] - points[j]) ** 2))
            for i in range(len(active))
            for j in range(i + 1, len(active))
            if j not in met[i]
        ]
    )
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    assert 2 * len(matching) == len(active)
    return sum((points[a] - points[b]) ** 2 for a, b in matching)


def seconds(call: Any, times: int) -> float:
    """Return the median of several runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


@pytest.mark.parametrize(("players", "rounds"), FIELDS)
def test_pair_round(benchmark, players, rounds):
    told = document(players, rounds)
    report = benchmark.pedantic(pair_round, args=(told,), rounds=9, warmup_rounds=1)
    ours = benchmark.stats.stats.median
    certificate = draw(read_tournament(told)).certificate
    assert certificate.rematches
    assert certificate.bye
    assert certificate.cost
    assert certificate.clubs
    benchmark.extra_info["cost"] = report["cost"]
    if players == 5000 and rounds < 9:
        return
    cost: list[int] = []
    theirs = seconds(lambda: cost.append(full_graph(told)), 1 if players > 1000 else 3)
    assert cost[0] == report["cost"]
    benchmark.extra_info["full graph, ms"] = round(theirs * 1000, 1)
    benchmark.extra_info["times faster"] = round(theirs / ours, 1)
    assert theirs / ours >= AT_LEAST.get(players, 0)


@pytest.mark.parametrize(("players", "rounds"), [(128, 9), (512, 9), (1000, 9), (5000, 9)])
def test_pair_round_with_ranks(benchmark, players, rounds):
    told = document(players, rounds, "standing")
    benchmark.pedantic(pair_round, args=(told,), rounds=5, warmup_rounds=1)
    assert draw(read_tournament(told)).certificate.ranks


@pytest.mark.parametrize(("players", "most"), [(64, 0.1), (200, 1), (1000, 10)])
def test_tables_of_four(benchmark, players, most):
    """The sixth round of a field that sat at tables of four before, in processor time; no exchange betters it."""
    told = {
        "players": [{"id": f"p{n}", "points": 0} for n in range(players)],
        "rounds": [],
        "options": {"table_size": 4},
    }
    for _ in range(5):
        tables = pair_round(told)["tables"]
        won = {player: 4 - place for table in tables for place, player in enumerate(table)}
        told["players"] = [one | {"points": one["points"] + won[one["id"]]} for one in told["players"]]
        told["rounds"].append(tables)
    report = benchmark.pedantic(pair_round, args=(told,), rounds=5, warmup_rounds=1)
    taken = []
    for _ in range(5):
        start = time.process_time()
        pair_round(told)
        taken.append(time.process_time() - start)
    processor = statistics.median(taken)
    benchmark.extra_info |= {
        "repeats": report["repeats"],
        "cost": report["cost"],
        "processor, ms": round(processor * 1000),
    }
    assert processor < most
    assert first_better_exchange(told, report["tables"]) is None


CHILD = """
import json, sys
from events.pairing import pair_round
def kilobytes(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status", encoding="ascii") if line.startswith(name))
pair_round({"players": [{"id": "a", "points": 0}, {"id": "b", "points": 0}]})
idle = kilobytes("VmRSS")
open("/proc/self/clear_refs", "w", encoding="ascii").write("5")  # the peak is counted anew from here
report = pair_round(json.load(open(sys.argv[1], encoding="utf-8")))
print(json.dumps([idle, kilobytes("VmHWM"), report["cost"]]))
"""


@pytest.mark.parametrize("rounds", [3, 6, 9])
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="peak memory is read from Linux's /proc")
def test_memory_at_five_thousand(benchmark, tmp_path, rounds):
    """Peak memory, reading the document included, above that of a process that has paired two players."""
    file = tmp_path / "round.json"
    file.write_text(json.dumps(document(5000, rounds)), encoding="utf-8")

    def measured() -> list[int]:
        done = subprocess.run(
            [sys.executable, "-c", CHILD, str(file)], capture_output=True, encoding="utf-8", check=True
        )
        return json.loads(done.stdout)

    idle, peak, _cost = benchmark.pedantic(measured, rounds=1)
    benchmark.extra_info["megabytes"] = round((peak - idle) / MEGABYTE, 1)
    assert peak - idle < MAX_MEGABYTES * MEGABYTE
