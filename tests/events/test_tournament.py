"""Tournament files from plain values, what makes a draft outdated, and table numbers."""

from hypothesis import given
from hypothesis import strategies as st

from events.pairing import read_tournament
from events.tournament import (
    Contestant,
    differences,
    number_of,
    number_tables,
    player_id,
    seed_of_round,
    tournament_file,
)


def file_of(*contestants, rounds=(), **more):
    return tournament_file(event_seed=7, number=len(rounds) + 1, contestants=contestants, rounds=rounds, **more)


def test_a_file_says_what_the_format_asks():
    document = file_of(
        Contestant(12, points=3, rank=1, club=" North  Side "),
        Contestant(2, points=0, rank=2, byes=1, plays=False),
        rounds=[[(12, 2)]],
        avoid_same_club=True,
    )
    assert document == {
        "id": "r2",
        "seed": 9,
        "players": [
            {"id": "p2", "points": 0, "byes": 1, "dropped": True, "rank": 2, "standing": 2},
            {"id": "p12", "points": 3, "byes": 0, "dropped": False, "club": "north side", "rank": 1, "standing": 1},
        ],
        "rounds": [[["p12", "p2"]]],
        "options": {"avoid_same_club": True, "allow_rematch": False},
    }
    assert read_tournament(document).seed == seed_of_round(7, 2)


def test_clubs_are_told_only_where_they_count():
    assert "club" not in file_of(Contestant(1, club="North"))["players"][0]


@given(st.integers(1, 10_000))
def test_a_player_is_found_by_the_id(number):
    assert number_of(player_id(number)) == number


NAMES = {"p1": "Ana", "p2": "Bo", "p3": "Cy"}


def test_nothing_changed_nothing_stale():
    then = file_of(Contestant(1, 3), Contestant(2, 0))
    assert differences(then, file_of(Contestant(1, 3), Contestant(2, 0)), NAMES) == []


def test_a_stale_draft_names_the_reason():
    then = file_of(Contestant(1, 3, 1), Contestant(2, 0, 2))
    assert differences(then, file_of(Contestant(1, 3, 1, plays=False), Contestant(2, 0, 2)), NAMES) == [
        "Ana has left the event but is still paired."
    ]
    assert differences(then, file_of(Contestant(1, 3, 1), Contestant(2, 0, 2), Contestant(3)), NAMES) == [
        "Cy should play but isn't paired."
    ]
    assert differences(then, file_of(Contestant(1, 0, 1), Contestant(2, 3, 2)), NAMES) == [
        "Ana's match points have changed from 3 to 0.",
        "Bo's match points have changed from 0 to 3.",
    ]
    assert differences(then, file_of(Contestant(1, 3, 2), Contestant(2, 0, 1)), NAMES) == [
        "The standings have changed."
    ]


def test_players_who_left_long_ago_make_nothing_stale():
    then = file_of(Contestant(1, 3), Contestant(2, 0, plays=False))
    assert differences(then, file_of(Contestant(1, 3), Contestant(2, 3, plays=False)), NAMES) == []


def test_fixed_tables_come_first_then_by_standing():
    pairs = [("p1", "p2"), ("p3", "p4"), ("p5", "p6"), ("p7", None)]
    assert number_tables(pairs, {"p6": 1}, 1) == [2, 3, 1, None]
    assert number_tables(pairs, {"p6": 12}, 11) == [11, 13, 12, None]


def test_two_fixed_players_who_meet_take_the_lower_table_and_a_bye_none():
    pairs = [("p1", "p2"), ("p3", "p4"), ("p5", None)]
    assert number_tables(pairs, {"p3": 9, "p4": 4, "p5": 1}, 1) == [1, 4, None]


@given(
    st.integers(0, 40).flatmap(
        lambda n: st.tuples(
            st.just(n), st.dictionaries(st.integers(1, max(1, 2 * n)), st.integers(1, 60)), st.integers(1, 50)
        )
    )
)
def test_no_table_is_given_twice_and_fixed_players_sit_at_theirs(drawn):
    count, kept, first = drawn
    fixed: dict[str, int] = {}
    for number, table in kept.items():
        if table not in fixed.values():
            fixed[player_id(number)] = table
    pairs = [(player_id(2 * n + 1), player_id(2 * n + 2)) for n in range(count)]
    tables = number_tables(pairs, fixed, first)
    assert len(set(tables)) == count
    for pair, table in zip(pairs, tables, strict=True):
        wanted = [fixed[player] for player in pair if player in fixed]
        assert table == min(wanted) if wanted else table >= first
