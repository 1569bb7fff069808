"""Standings by tie-breakers: small events worked out by hand, and laws that hold for every event."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.counting import CountedMatch, CountedTable, Counting, StandingsPlayer
from events.standings import (
    CASCADE_BY_PLACE,
    CRITERIA,
    DEFAULT_CASCADE,
    criteria,
    proposed_rounds,
    standings,
)
from tests.tables import every_row

COUNTING = Counting(bye_score=150, cap=300)


def players(*ids: str) -> list[StandingsPlayer]:
    return [StandingsPlayer(one, one.upper()) for one in ids]


def won(number: int, a: str, b: str, score_a: int = 0, score_b: int = 0) -> CountedMatch:
    return CountedMatch(number, a, b, a, score_a, score_b)


# Four players and a late fifth. Round 1: a beats b 320–80, c beats d 200–150, e hasn't arrived.
# Round 2: a beats c 100–90, d has a bye, b beats e 300–0.
EVENT = [
    won(1, "a", "b", 320, 80),
    won(1, "c", "d", 200, 150),
    CountedMatch(1, "e", kind="missed"),
    won(2, "a", "c", 100, 90),
    CountedMatch(2, "d", kind="bye"),
    won(2, "b", "e", 300, 0),
]


def test_the_usual_cascade_by_hand():
    """Victory points: a 300 (capped) + 100, b 80 + 300, c 200 + 90, d 150 + 150, e 0."""
    table = standings(players(*"abcde"), EVENT, counting=COUNTING)
    assert [(line.rank, line.player.id, line.wins, line.value("victory-points")) for line in table] == [
        (1, "a", 2, 400),
        (2, "b", 1, 380),
        (3, "d", 1, 300),
        (4, "c", 1, 290),
        (5, "e", 0, 0),
    ]
    assert not any(line.tied_with for line in table)
    # Win percentage without byes: a 2/2, b 1/2, c 1/2, d 0/1 (at least 30%), e 0/2 (30%).
    shares = {line.player.id: line.value("opponents-win-percentage") for line in table}
    assert shares == {
        "a": Fraction(1, 2),
        "b": (1 + Fraction(3, 10)) / 2,
        "c": (1 + Fraction(3, 10)) / 2,
        "d": Fraction(1, 2),
        "e": Fraction(1, 2),
    }
    # Average score per match: a 200, b 190, c 145, d 150 (without the bye), e 0.
    averages = {line.player.id: line.value("opponents-average-score") for line in table}
    assert averages == {
        "a": Fraction(190 + 145, 2),
        "b": 100,
        "c": Fraction(200 + 150, 2),
        "d": 145,
        "e": 190,
    }


def test_every_other_criterion_by_hand():
    cascade = tuple(CRITERIA)
    table = {line.player.id: line for line in standings(players(*"abcde"), EVENT, cascade=cascade, counting=COUNTING)}

    def column(name: str) -> dict[str, object]:
        return {player: line.value(name) for player, line in sorted(table.items())}

    assert column("match-points") == {"a": 6, "b": 3, "c": 3, "d": 3, "e": 0}
    assert column("victory-points-uncapped") == {"a": 420, "b": 380, "c": 290, "d": 300, "e": 0}
    assert column("victory-point-difference") == {"a": 230, "b": 80, "c": 40, "d": -50, "e": -300}
    assert column("strength-of-schedule") == {"a": 2, "b": 2, "c": 3, "d": 1, "e": 1}
    assert column("fewest-byes") == {"a": 0, "b": 0, "c": 0, "d": 1, "e": 0}
    assert column("fewest-losses") == {"a": 0, "b": 1, "c": 1, "d": 1, "e": 2}
    half, low = Fraction(1, 2), Fraction(13, 20)
    assert column("opponents-opponents-win-percentage") == {
        "a": low,
        "b": (half + half) / 2,
        "c": (half + half) / 2,
        "d": low,
        "e": low,
    }


def test_a_bye_is_a_win_with_the_byes_score_unless_it_has_its_own():
    table = standings(
        players("a", "b"),
        [CountedMatch(1, "a", kind="bye"), CountedMatch(1, "b", kind="bye", score_a=300)],
        counting=COUNTING,
    )
    assert [(line.player.id, line.wins, line.byes, line.value("victory-points")) for line in table] == [
        ("b", 1, 1, 300),
        ("a", 1, 1, 150),
    ]
    assert {line.value("opponents-win-percentage") for line in table} == {Fraction(3, 10)}


def test_a_double_loss_is_a_loss_for_both_and_a_draw_is_neither():
    results = [CountedMatch(1, "a", "b", None, 0, 0, double_loss=True), CountedMatch(1, "c", "d", None, 50, 50)]
    table = {line.player.id: line for line in standings(players(*"abcd"), results)}
    assert [(table[one].wins, table[one].draws, table[one].losses) for one in "abcd"] == [
        (0, 0, 1),
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 0),
    ]
    assert [table[one].match_points for one in "abcd"] == [0, 0, 1, 1]


def test_a_forfeit_counts_as_a_game_for_both():
    table = standings(players("a", "b"), [CountedMatch(1, "a", "b", "a", 200, 0, forfeit=True)])
    assert [(line.player.id, line.wins, line.losses) for line in table] == [("a", 1, 0), ("b", 0, 1)]


def test_late_entrants_have_their_losses_and_dropped_players_stay_listed():
    field = [StandingsPlayer("a"), StandingsPlayer("gone", dropped=True), StandingsPlayer("late")]
    results = [won(1, "gone", "a", 100, 50), CountedMatch(1, "late", kind="missed"), won(2, "a", "late", 100, 0)]
    table = standings(field, results)
    assert [line.player.id for line in table] == ["a", "gone", "late"]
    assert [line.player.dropped for line in table] == [False, True, False]
    assert (table[2].wins, table[2].losses) == (0, 2)


def test_standings_after_any_round():
    assert [line.player.id for line in standings(players(*"abcde"), EVENT, counting=COUNTING, after=1)][:2] == [
        "a",
        "c",
    ]
    assert {line.rank for line in standings(players(*"abcde"), EVENT, after=0)} == {1}


def test_ties_that_remain_share_the_rank_and_say_so():
    results = [won(1, "a", "b", 100, 50), won(1, "c", "d", 100, 50)]
    table = standings(players(*"abcd"), results)
    assert [(line.rank, line.player.id, line.tied_with) for line in table] == [
        (1, "a", ("c",)),
        (1, "c", ("a",)),
        (3, "b", ("d",)),
        (3, "d", ("b",)),
    ]
    assert all(line.tied_with for line in table)


def test_the_lot_leaves_no_one_level_and_is_the_seeds_alone():
    field = players(*"abcdefgh")
    table = standings(field, [], cascade=("wins", "lot"), counting=Counting(seed=3))
    assert [line.rank for line in table] == list(range(1, 9))
    again = standings(field[::-1], [], cascade=("wins", "lot"), counting=Counting(seed=3))
    assert [line.player.id for line in again] == [line.player.id for line in table]
    other = standings(field, [], cascade=("wins", "lot"), counting=Counting(seed=4))
    assert [line.player.id for line in other] != [line.player.id for line in table]


def test_head_to_head_decides_between_two_and_not_in_a_ring():
    cascade = ("wins", "head-to-head")
    two = [won(1, "a", "b"), won(2, "b", "c"), won(2, "d", "a")]
    table = standings(players(*"abcd"), two, cascade=cascade)
    by_id = {line.player.id: line for line in table}
    assert by_id["a"].wins == by_id["b"].wins == by_id["d"].wins == 1
    # a beat b and d beat a; b and d never met, and no one beat both others.
    assert {by_id[one].rank for one in "abd"} == {1}
    ring = [won(1, "a", "b"), won(2, "b", "c"), won(3, "c", "a")]
    assert {line.rank for line in standings(players(*"abc"), ring, cascade=cascade)} == {1}
    beaten = [won(1, "a", "b"), won(2, "b", "c"), CountedMatch(2, "a", "d", "d")]
    table = {line.player.id: line.rank for line in standings(players(*"abcd"), beaten, cascade=cascade)}
    assert table["c"] == 4
    only_two = [won(1, "b", "a"), CountedMatch(2, "a", kind="bye")]
    assert [line.player.id for line in standings(players("a", "b"), only_two, cascade=cascade)] == ["b", "a"]


def test_head_to_head_puts_first_who_beat_all_the_others_though_these_never_met():
    results = [
        won(1, "a", "b"),
        won(2, "a", "c"),
        won(3, "x", "a"),
        won(1, "c", "y"),
        won(3, "c", "z"),
        won(2, "b", "y"),
        won(3, "b", "w"),
    ]
    table = standings(players("a", "b", "c", "x", "y", "z", "w"), results, cascade=("wins", "head-to-head"))
    assert [(line.rank, line.player.id) for line in table][:3] == [(1, "a"), (2, "b"), (2, "c")]


def test_the_cell_that_parts_two_players_says_so():
    table = standings(players(*"abcde"), EVENT, counting=COUNTING)
    by_id = {line.player.id: line for line in table}
    assert [cell.decides for cell in by_id["a"].cells] == [True, False, False, False]
    assert [cell.decides for cell in by_id["b"].cells] == [True, True, False, False]


def test_values_are_exact_inside_and_rounded_where_they_are_shown():
    third = Fraction(2, 3)
    assert CRITERIA["opponents-win-percentage"].text(third) == "66.67%"
    assert CRITERIA["opponents-win-percentage"].text(Fraction(1, 2)) == "50.00%"
    assert CRITERIA["opponents-average-score"].text(Fraction(167, 2)) == "83.5"
    assert CRITERIA["opponents-average-score"].text(100) == "100"
    assert CRITERIA["victory-point-difference"].text(-50) == "−50"
    assert CRITERIA["victory-points"].text(Fraction(15, 2)) == "7.5"
    assert CRITERIA["opponents-average-score"].text(Fraction(-1, 3)) == "−0.33"


def test_each_column_is_explained_in_one_sentence():
    for criterion in CRITERIA.values():
        assert str(criterion.title)
        assert str(criterion.explanation).endswith(".")
        assert criterion.value.__doc__


def test_what_is_no_result_is_refused():
    for wrong in (
        {"kind": "rest"},
        {"b": None},
        {"b": "a"},
        {"winner": "c"},
        {"winner": "a", "double_loss": True},
        {"kind": "bye"},
    ):
        with pytest.raises(ValueError, match=r"."):
            CountedMatch(**({"round": 1, "a": "a", "b": "b"} | wrong))
    with pytest.raises(ValueError, match="isn't a player"):
        standings(players("a"), [CountedMatch(1, "z", kind="bye")])
    with pytest.raises(ValueError, match="two results in round 1"):
        standings(players("a"), [CountedMatch(1, "a", kind="bye"), CountedMatch(1, "a", kind="missed")])
    with pytest.raises(ValueError, match="isn't a tie-breaker"):
        criteria(["luck"])


def test_an_empty_cascade_is_the_default():
    assert [criterion.name for criterion in criteria([])] == list(DEFAULT_CASCADE)
    assert standings([], []) == ()


@every_row(
    ("size", "rounds"),
    [
        (0, 0),
        (1, 0),
        (2, 1),
        (5, 3),
        (6, 3),
        (8, 3),
        (9, 4),
        (16, 4),
        (17, 5),
        (32, 5),
        (33, 6),
        (64, 6),
        (128, 7),
        (256, 8),
    ],
)
def test_the_rounds_proposed_for_a_field(size, rounds):
    assert proposed_rounds(size) == rounds


@st.composite
def events(draw: st.DrawFn) -> tuple[list[StandingsPlayer], list[CountedMatch]]:
    """Draw an event of up to 12 players and 5 rounds, with byes, missed rounds, draws and double losses."""
    ids = [f"p{number}" for number in range(draw(st.integers(1, 12)))]
    results = []
    for number in range(1, draw(st.integers(0, 5)) + 1):
        row = list(draw(st.permutations(ids)))
        while row:
            a = row.pop()
            kind = draw(st.sampled_from(["game", "game", "game", "bye", "missed"])) if row else "bye"
            if kind != "game":
                results.append(CountedMatch(number, a, kind=kind))
                continue
            b = row.pop()
            score = st.integers(0, 400)
            how = draw(st.sampled_from([a, b, None, "both lose"]))
            winner, lost = (None, True) if how == "both lose" else (how, False)
            results.append(CountedMatch(number, a, b, winner, draw(score), draw(score), double_loss=lost))
    return [StandingsPlayer(one, one) for one in ids], results


CASCADES = st.lists(st.sampled_from(list(CRITERIA)), unique=True, max_size=6)


@given(events(), CASCADES, st.randoms())
@settings(deadline=None)
def test_the_order_of_players_and_results_never_matters(event, cascade, dice):
    field, results = event
    told = standings(field, results, cascade=cascade, counting=COUNTING)
    mixed_field, mixed = list(field), list(results)
    dice.shuffle(mixed_field)
    dice.shuffle(mixed)
    assert standings(mixed_field, mixed, cascade=cascade, counting=COUNTING) == told


@given(events(), CASCADES)
@settings(deadline=None)
def test_ranks_are_whole_and_ties_are_exactly_the_shared_ranks(event, cascade):
    field, results = event
    table = standings(field, results, cascade=cascade, counting=COUNTING)
    assert sorted(line.player.id for line in table) == sorted(one.id for one in field)
    assert [line.rank for line in table] == sorted(line.rank for line in table)
    for line in table:
        level = {other.player.id for other in table if other.rank == line.rank}
        assert set(line.tied_with) == level - {line.player.id}
        assert line.rank == 1 + sum(other.rank < line.rank for other in table)


@given(events())
@settings(deadline=None)
def test_standings_after_a_round_are_those_of_its_results_alone(event):
    field, results = event
    for number in range(6):
        until = [result for result in results if result.round <= number]
        assert standings(field, results, after=number) == standings(field, until)


@given(events(), st.data())
@settings(deadline=None)
def test_a_win_more_never_lowers_a_player(event, data):
    """Turning a loss into a win never costs that player a place if only wins count."""
    field, results = event
    lost = [place for place, result in enumerate(results) if result.winner is not None]
    if not lost:
        return
    place = data.draw(st.sampled_from(lost))
    result = results[place]
    gains = result.b if result.winner == result.a else result.a
    turned = [*results[:place], replace(result, winner=gains), *results[place + 1 :]]
    before = {line.player.id: line for line in standings(field, results, cascade=("wins",))}
    after = {line.player.id: line for line in standings(field, turned, cascade=("wins",))}
    assert after[gains].wins == before[gains].wins + 1
    assert after[gains].rank <= before[gains].rank


@given(events())
@settings(deadline=None)
def test_wins_and_losses_add_up(event):
    field, results = event
    table = standings(field, results)
    rounds = sum(1 if result.b is None else 2 for result in results)
    assert sum(line.wins + line.draws + line.losses for line in table) == rounds
    assert all(Fraction(3, 10) <= line.value("opponents-win-percentage") <= 1 for line in table)


def test_a_large_event_recomputed_from_scratch_by_another_way():
    """Compute opponents' win percentage again, with simple loops over the results."""
    dice = random.Random(5)
    ids = [f"p{number}" for number in range(60)]
    results = []
    for number in range(1, 7):
        row = dice.sample(ids, 60)
        for a, b in zip(row[::2], row[1::2], strict=True):
            results.append(CountedMatch(number, a, b, dice.choice([a, b]), dice.randrange(300), dice.randrange(300)))
    table = {line.player.id: line for line in standings([StandingsPlayer(one) for one in ids], results)}
    for one in ids:
        total = Fraction(0)
        mine = [result for result in results if one in (result.a, result.b)]
        for result in mine:
            other = result.b if result.a == one else result.a
            games = [r for r in results if other in (r.a, r.b)]
            total += max(Fraction(3, 10), Fraction(sum(r.winner == other for r in games), len(games)))
        assert table[one].value("opponents-win-percentage") == total / len(mine)


def test_a_table_of_four_gives_points_for_places_and_three_opponents():
    counting = Counting(cap=300, by_place=(4, 3, 2, 1))
    tables = [
        CountedTable(1, ("a", "b", "c", "d"), (1, 2, 2, 4), (400, 100, 100, 0)),
        CountedTable(2, ("a", "b", "c"), (1, 1, 3), (50, 50, 20)),
        CountedMatch(2, "d", kind="missed"),
    ]
    found = standings(players("a", "b", "c", "d"), tables, cascade=CASCADE_BY_PLACE, counting=counting)
    assert [(line.player.id, line.match_points, line.wins, line.draws, line.losses) for line in found] == [
        ("a", 8, 1, 1, 0),
        ("b", 7, 0, 1, 1),
        ("c", 5, 0, 0, 2),
        ("d", 1, 0, 0, 2),
    ]
    assert [line.value("victory-points") for line in found] == [350, 150, 120, 0]
    average = {line.player.id: line.value("opponents-average-score") for line in found}
    assert average["d"] == Fraction(175 + 75 + 60, 3)
    met = standings(players("a", "b", "c", "d"), tables, cascade=("head-to-head",), counting=counting)
    assert met[0].player.id == "a"
