"""The next round is the best in the stated order: compared with every pairing, and with networkx on the full graph."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.pairing import Draw, NoPairing, Player, Tournament, draw, explain, pair_round, windows
from events.pairing.line import lowest_cost
from rules.engine import BadInput
from tests.examples import examples

from .oracles import best_by_full_matching, best_by_trying_all, every_pairing, merit, played_event


def drawn_merit(tournament: Tournament) -> tuple[object, Draw | None]:
    """Return the merit of the drawn round, checking every claim about it on the way; None if there is no round."""
    try:
        found = draw(tournament)
    except NoPairing:
        return None, None
    seated = [player for pair in found.pairs for player in pair] + ([found.bye] if found.bye is not None else [])
    assert sorted(seated) == sorted(player.id for player in tournament.active)
    assert tournament.figures(found.pairs) == (found.rematches, found.cost, found.same_club)
    assert found.certificate.cost_bound <= found.cost
    if not tournament.allow_rematch:
        assert found.rematches == 0
    return merit(tournament, list(found.pairs), found.bye), found


@st.composite
def tournaments(draw_from: st.DrawFn, largest: int = 8, values: int = 6) -> Tournament:
    """Draw a tournament with any history: points, byes and ranks needn't follow from the rounds."""
    count = draw_from(st.integers(0, largest))
    ids = [f"p{number}" for number in range(count)]
    points = st.integers(0, values)
    ranks = st.none() | st.integers(1, values + 2)
    clubs = st.sampled_from([None, "North", "South"])
    players = tuple(
        Player(
            player,
            draw_from(points),
            draw_from(st.integers(0, 2)),
            draw_from(st.integers(0, 7)) == 0,
            draw_from(clubs),
            draw_from(ranks),
        )
        for player in ids
    )
    rounds = []
    for _ in range(draw_from(st.integers(0, 6))):
        row = draw_from(st.permutations(ids))
        rounds.append(tuple((row[place], row[place + 1]) for place in range(0, count - 1, 2)))
    return Tournament(
        players,
        tuple(rounds),
        draw_from(st.integers(0, 5)),
        draw_from(st.booleans()),
        draw_from(st.booleans()),
    )


@given(tournaments())
@examples(250)
def test_no_pairing_of_any_small_field_is_better(tournament):
    assert drawn_merit(tournament)[0] == best_by_trying_all(tournament)


@given(tournaments(largest=10, values=1_000_000))
@examples(60)
def test_points_and_ranks_up_to_a_million_are_weighed_exactly(tournament):
    got, found = drawn_merit(tournament)
    assert got == best_by_trying_all(tournament)
    assert found is None or (found.certificate.clubs and found.certificate.ranks)


FIELDS = [
    (24, 5, 0, 0),
    (33, 6, 3, 2),
    (33, 6, 3, 6),
    (48, 9, 2, 0),
    (48, 9, 2, 6),
    (65, 7, 0, 2),
    (110, 9, 2, 2),
    (200, 6, 3, 6),
]


@pytest.mark.parametrize("ranks", ["none", "standing", "seeding", "some"])
@pytest.mark.parametrize(("players", "rounds", "clubs", "pad"), FIELDS)
def test_no_pairing_of_a_field_is_better_by_the_full_graph(monkeypatch, players, rounds, clubs, pad, ranks):
    """Windows of any initial width give the same merit: the proof decides when they are wide enough."""
    monkeypatch.setattr(windows, "PAD", pad)
    tournament = played_event(
        players, rounds, seed=players + rounds, clubs=clubs, ranks=ranks, drops=0.05, avoid_same_club=bool(clubs)
    )
    got, found = drawn_merit(tournament)
    assert got == best_by_full_matching(tournament)
    assert found.certificate.clubs
    assert found.certificate.ranks


@given(st.integers(0, 10**6))
@examples(25)
def test_fields_where_many_have_met_are_right_too(seed):
    dice = random.Random(seed)
    tournament = played_event(
        dice.randrange(9, 31),
        dice.randrange(5, 9),
        seed=seed,
        clubs=dice.choice([0, 2]),
        ranks=dice.choice(["none", "standing"]),
        shuffle=dice.random() < 0.5,
        avoid_same_club=dice.random() < 0.5,
        allow_rematch=dice.random() < 0.5,
    )
    assert drawn_merit(tournament)[0] == best_by_full_matching(tournament)


@pytest.mark.parametrize("limit", [windows.LIMIT, 12])
@pytest.mark.parametrize("pad", [0, 2])
@pytest.mark.parametrize("start", range(6))
def test_whatever_is_claimed_holds_however_narrow_the_windows_begin(monkeypatch, start, pad, limit):
    """Many fields of every kind: rematches, bye and cost are always best, clubs and ranks wherever that is claimed."""
    monkeypatch.setattr(windows, "PAD", pad)
    monkeypatch.setattr(windows, "LIMIT", limit)
    monkeypatch.setattr(windows, "CHUNK", 8)
    dice = random.Random(start)
    claimed = 0
    for seed in range(start * 1000, start * 1000 + 60):
        size = dice.choice([8, 9, 14, 20, 27])
        tournament = played_event(
            size,
            dice.randrange(1, min(size, 8)),
            seed=seed,
            clubs=dice.choice([0, 1, 2, 3]),
            club_share=dice.choice([1, 0.6]),
            ranks=dice.choice(["none", "standing", "seeding", "some", "tied"]),
            points=dice.choice([(3, 0), (1, 0), (3, 1)]),
            shuffle=dice.random() < 0.3,
            avoid_same_club=dice.random() < 0.5,
            allow_rematch=dice.random() < 0.4,
        )
        best = best_by_trying_all(tournament) if size < 9 else best_by_full_matching(tournament)
        got, found = drawn_merit(tournament)
        if got is None or best is None:
            assert got == best
            continue
        certain = 5 if found.certificate.ranks and found.certificate.clubs else 4 if found.certificate.clubs else 3
        assert got[:certain] == best[:certain]
        claimed += certain == 5
    assert claimed > 10


def test_rematches_are_fewest_where_no_round_is_left_without_one():
    """Two groups of five who have met everyone in the other group: five is odd, so one pair must meet again."""
    left, right = [f"a{n}" for n in range(5)], [f"b{n}" for n in range(5)]
    rounds = tuple(tuple(zip(left, right[shift:] + right[:shift], strict=True)) for shift in range(5))
    players = tuple(Player(player, points=place) for place, player in enumerate(left + right))
    with pytest.raises(NoPairing) as none:
        draw(Tournament(players, rounds))
    assert set(none.value.players) == set(left + right)
    tournament = Tournament(players, rounds, allow_rematch=True)
    assert drawn_merit(tournament)[0] == best_by_trying_all(tournament)
    assert draw(tournament).rematches == 1


@pytest.mark.parametrize("bits", [24, 40, 60, 90])
def test_with_weights_too_large_the_answer_is_verified_or_not_claimed(monkeypatch, bits):
    """With fewer bits than the objective needs, cost is still right, and ranks are right wherever that is claimed."""
    monkeypatch.setattr(windows, "BITS", bits)
    claimed = 0
    for seed in range(40):
        tournament = played_event(8, 3, seed=seed, ranks="seeding", points=(1, 0))
        spread = tuple(player._replace(rank=(player.rank or 0) ** 5) for player in tournament.players)
        tournament = replace(tournament, players=spread)
        best = best_by_trying_all(tournament)
        got, found = drawn_merit(tournament)
        assert got is not None
        assert got[:4] == best[:4]
        if found.certificate.ranks:
            claimed += 1
            assert got == best
    assert claimed


def test_same_document_same_round_in_whatever_order_the_players_are_listed():
    tournament = played_event(41, 4, seed=9, clubs=3, avoid_same_club=True)
    first = draw(tournament)
    for seed in range(5):
        mixed = list(tournament.players)
        random.Random(seed).shuffle(mixed)
        assert draw(replace(tournament, players=tuple(mixed))) == first


def test_the_seed_draws_the_first_round_evenly():
    """With four players, each of the three rounds comes up about equally often."""
    players = tuple(Player(f"p{number}", 0) for number in range(4))
    met = [
        min(b if a == "p0" else a for a, b in draw(Tournament(players, seed=seed)).pairs if "p0" in (a, b))
        for seed in range(300)
    ]
    counts = [met.count(f"p{number}") for number in (1, 2, 3)]
    assert min(counts) > 70, counts


def test_every_round_of_the_first_four_players_is_one_of_the_three():
    assert len(list(every_pairing(["a", "b", "c", "d"]))) == 3


def test_equal_pairings_are_drawn_again_each_round_from_the_same_seed():
    players = tuple(Player(f"p{number}", 0) for number in range(40))
    first = draw(Tournament(players, seed=4))
    again = draw(Tournament(players, (tuple(first.pairs),), seed=4))
    assert not set(map(frozenset, first.pairs)) & set(map(frozenset, again.pairs))
    assert {pair[0] for pair in first.pairs} != {pair[0] for pair in again.pairs}


@pytest.mark.parametrize("rounds", [3, 6, 9])
@pytest.mark.parametrize("players", [640, 1501])
def test_large_fields_are_proved_in_rematches_bye_and_cost(players, rounds):
    tournament = played_event(players, rounds, seed=rounds, points=(1, 0), ranks="standing")
    _, found = drawn_merit(tournament)
    assert found.certificate.rematches
    assert found.certificate.bye
    assert found.certificate.cost
    assert found.certificate.widest < players


def test_beyond_the_limit_clubs_and_ranks_are_good_and_not_claimed_as_best(monkeypatch):
    """Half of the field in one club: no window can be proved best in clubs; cost can, and the limit is kept."""
    monkeypatch.setattr(windows, "LIMIT", 60)
    tournament = played_event(201, 3, seed=5, clubs=1, club_share=0.7, avoid_same_club=True, ranks="seeding")
    got, found = drawn_merit(tournament)
    best = best_by_full_matching(tournament)
    assert got[:3] == best[:3]
    assert not found.certificate.clubs
    assert not found.certificate.ranks
    assert got[3] <= best[3] * 1.35


def test_the_cost_bound_is_the_least_that_scores_allow():
    assert lowest_cost([10, 8, 6, 4, 2, 0]) == 12
    assert lowest_cost([3, 3, 0, 0]) == 0
    assert lowest_cost([9, 3, 3, 0]) == 36 + 9
    assert lowest_cost([]) == 0


def test_a_window_that_a_player_would_leave_is_widened():
    """The three leaders have all met: two must play further down, and the pairs below move up to make room."""
    top = ["a", "b", "c"]
    players = tuple(
        [Player(name, 9) for name in top] + [Player(f"m{number}", 6) for number in range(60)] + [Player("z", 3)]
    )
    rounds = ((("a", "b"),), (("b", "c"),), (("a", "c"),))
    tournament = Tournament(players, rounds, seed=2)
    found = draw(tournament)
    assert found.cost == 3 * 9 + 9
    assert found.certificate.cost_bound == 9 + 9
    assert found.certificate.windows >= 1


def test_of_players_with_as_few_byes_and_points_the_last_in_the_standings_has_the_bye():
    players = [{"id": f"p{n}", "points": points, "standing": n} for n, points in enumerate((6, 3, 0, 0, 0), 1)]
    assert pair_round({"players": players})["bye"] == "p5"
    players[2]["standing"], players[4]["standing"] = 5, 3
    document = {"players": players}
    assert pair_round(document)["bye"] == "p3"
    assert "last of them in the standings" in explain(document).bye_reason


def test_equal_standings_leave_the_bye_to_the_cost():
    players = [{"id": f"p{n}", "points": points, "standing": 1} for n, points in enumerate((4, 1, 0, 0, 0), 1)]
    assert pair_round({"players": players}) == pair_round(
        {"players": [{key: value for key, value in one.items() if key != "standing"} for one in players]}
    )


def test_a_standing_is_given_for_all_to_be_paired_or_for_none():
    players = [{"id": "a", "points": 0, "standing": 1}, {"id": "b", "points": 0}, {"id": "c", "points": 0}]
    with pytest.raises(BadInput) as told:
        pair_round({"players": players})
    assert told.value.where == "/players/1/standing"
    gone = {"id": "d", "points": 0, "dropped": True}
    assert pair_round({"players": [players[0], gone]})["bye"] == "a"
