"""Fields for which other engines stop, repeat a bye, seat a dropped player, become greedy, or crash."""

from __future__ import annotations

import pytest

from events.pairing import NoPairing, Player, Tournament, draw, pair_round

from .oracles import best_by_trying_all, merit


def circle(ids: list[str], rounds: int) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Return the first rounds of a round robin, computed without the project's code."""
    row, played = list(ids), []
    for _ in range(rounds):
        played.append(tuple((row[place], row[-1 - place]) for place in range(len(row) // 2)))
        row = [row[0], row[-1], *row[1:-1]]
    return tuple(played)


def field(points: list[int], **more: object) -> tuple[Player, ...]:
    return tuple(Player(f"p{number}", score) for number, score in enumerate(points))


def test_eight_players_in_the_seventh_round_have_exactly_one_round_left():
    players = field([18, 15, 12, 9, 9, 6, 3, 0])
    ids = [player.id for player in players]
    played = circle(ids, 7)
    found = draw(Tournament(players, played[:6]))
    assert {frozenset(pair) for pair in found.pairs} == {frozenset(pair) for pair in played[6]}
    with pytest.raises(NoPairing, match="has met every other") as none:
        draw(Tournament(players, played))
    assert set(none.value.players) == set(ids)


def test_six_players_left_as_two_triangles_have_no_round():
    """Two groups of three, each of which has met the whole other group: both groups are odd."""
    players = field([6, 6, 6, 3, 3, 3])
    rounds = tuple(tuple((f"p{a}", f"p{3 + (a + shift) % 3}") for a in range(3)) for shift in range(3))
    with pytest.raises(NoPairing, match=r"p0, p1 and p2 .*odd number.* p3, p4 and p5") as none:
        draw(Tournament(players, rounds))
    assert none.value.players == ("p0", "p1", "p2", "p3", "p4", "p5")
    again = draw(Tournament(players, rounds, allow_rematch=True))
    assert (again.rematches, again.cost) == (1, 9)


def test_two_players_with_the_same_only_opponent_left_are_named():
    players = field([9, 6, 6, 3])
    rounds = ((("p0", "p1"),), (("p0", "p2"),), (("p1", "p2"),))
    with pytest.raises(NoPairing, match="p0, p1 and p2 have only p3 left to play") as none:
        draw(Tournament(players, rounds))
    assert set(none.value.players) == {"p0", "p1", "p2"}


def test_everyone_left_has_met():
    players = (Player("a", 9), Player("b", 6), Player("c", 3, dropped=True), Player("d", 3, dropped=True))
    with pytest.raises(NoPairing) as none:
        draw(Tournament(players, ((("a", "b"), ("c", "d")),)))
    assert set(none.value.players) == {"a", "b"}


def test_the_leader_takes_the_bye_where_no_other_has_fewer():
    players = (Player("leader", 9, 0), Player("b", 6, 1), Player("c", 3, 1), Player("d", 3, 2), Player("e", 0, 1))
    assert draw(Tournament(players)).bye == "leader"


def test_a_bye_that_would_leave_no_round_goes_to_the_next():
    """Without z, a and b would have to meet again: the bye goes to one of them, the one with fewer points."""
    players = (Player("a", 6), Player("b", 3), Player("z", 0))
    rounds = ((("a", "b"), ("z", None)),)
    tournament = Tournament(tuple(player._replace(byes=0) for player in players), rounds)
    found = draw(tournament)
    assert (found.bye, found.rematches) == ("b", 0)
    assert merit(tournament, list(found.pairs), found.bye) == best_by_trying_all(tournament)


def test_a_rematch_weighs_more_than_a_second_bye_where_both_are_allowed():
    players = (Player("a", 6, 1), Player("b", 3, 1), Player("z", 0, 0))
    rounds = ((("a", "b"),),)
    found = draw(Tournament(players, rounds, allow_rematch=True))
    assert (found.bye, found.rematches) == ("b", 0)


def test_all_but_two_dropped():
    players = tuple(Player(f"p{number}", 9 - number, dropped=number not in (2, 5)) for number in range(9))
    found = draw(Tournament(players))
    assert (found.pairs, found.bye) == ((("p2", "p5"),), None)


def test_all_but_one_dropped_and_everyone_dropped_and_no_one_at_all():
    players = tuple(Player(f"p{number}", 9, dropped=True) for number in range(5))
    assert (draw(Tournament(players)).pairs, draw(Tournament(players)).bye) == ((), None)
    assert draw(Tournament((players[0]._replace(dropped=False), *players[1:]))).bye == "p0"
    assert draw(Tournament(())).pairs == ()


def test_a_dropped_player_is_never_seated():
    players = (Player("a", 9), Player("gone", 9, dropped=True), Player("b", 0))
    assert draw(Tournament(players)).pairs == (("a", "b"),)


def test_a_top_group_that_has_all_met_goes_down_together():
    """Four players on 9 have all met: each meets one of the four on 6, at a cost of 9; a pair within is a rematch."""
    players = field([9, 9, 9, 9, 6, 6, 6, 6, 3, 3])
    found = draw(Tournament(players, circle(["p0", "p1", "p2", "p3"], 3)))
    assert found.cost == 36
    assert found.certificate.cost_bound == 0
    assert found.certificate.cost


def test_late_entrants_without_history_meet_the_bottom():
    players = field([6, 6, 3, 3, 0, 0])
    rounds = ((("p0", "p2"), ("p1", "p3")), (("p0", "p3"), ("p1", "p2")))
    found = draw(Tournament(players, rounds))
    assert (found.cost, found.rematches) == (0, 0)
    assert frozenset(("p4", "p5")) in set(map(frozenset, found.pairs))


def test_a_corrected_result_changes_the_points_and_the_round_follows():
    players = field([3, 3, 0, 0])
    rounds = ((("p0", "p2"), ("p1", "p3")),)
    assert draw(Tournament(players, rounds)).cost == 0
    corrected = tuple(player._replace(points={"p0": 0, "p2": 3}.get(player.id, player.points)) for player in players)
    found = draw(Tournament(corrected, rounds))
    assert set(map(frozenset, found.pairs)) == {frozenset(("p1", "p2")), frozenset(("p0", "p3"))}


def test_skipping_a_level_costs_more_than_two_steps():
    """6 against 0 costs 36 and the pair between nothing; 6 against 3 and 3 against 0 cost 18."""
    assert draw(Tournament(field([6, 3, 3, 0]))).cost == 18


def test_the_report_names_players_without_an_opponent_left():
    document = {
        "id": "stuck",
        "players": [{"id": "ann", "points": 3}, {"id": "bob", "points": 0}],
        "rounds": [[["ann", "bob"]]],
    }
    report = pair_round(document)
    assert report["id"] == "stuck"
    assert report["error"]["code"] == "no-pairing"
    assert "ann and bob" in report["error"]["message"]


def test_a_player_who_has_met_all_of_a_large_field_is_named_at_once():
    others = [f"p{number}" for number in range(1, 1200)]
    players = (Player("p0", 3), *(Player(player, 0) for player in others))
    rounds = tuple((("p0", other),) for other in others)
    with pytest.raises(NoPairing, match="p0") as none:
        draw(Tournament(players, rounds))
    assert none.value.players == ("p0",)


def test_two_players_of_a_large_field_with_the_same_last_opponent_are_named():
    others = [f"p{number}" for number in range(297)]
    players = tuple(Player(player, 3) for player in ("ann", "bo", "cy", *others))
    rounds = (
        (("ann", "bo"),),
        *(((("ann", other), ("bo", others[place - 1]))) for place, other in enumerate(others)),
    )
    with pytest.raises(NoPairing, match="ann and bo have only cy left to play") as none:
        draw(Tournament(players, rounds))
    assert none.value.players == ("ann", "bo")
