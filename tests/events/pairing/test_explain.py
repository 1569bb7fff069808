"""Explanations of pairings: floats and their reasons, the bye, the proof, manual rounds compared with the best."""

from __future__ import annotations

from events.pairing import compare, explain, pair_round, without_pair
from events.pairing.explain import Float
from tests.tables import every_row


def document(
    points: list[int], rounds: list[list[list[str | None]]] | None = None, **options: bool
) -> dict[str, object]:
    return {
        "seed": 1,
        "players": [{"id": f"p{number}", "points": score} for number, score in enumerate(points)],
        "rounds": rounds or [],
        "options": options,
    }


def test_a_player_plays_down_because_the_group_is_odd():
    told = explain(document([9, 6, 6, 3]))
    assert [(one.from_points, one.to_points, one.reason, one.cost) for one in told.floats] == [
        (9, 6, "odd", 9),
        (6, 3, "odd", 9),
    ]
    assert told.levels == ((9, 1), (6, 2), (3, 1))
    assert "odd number" in told.floats[0].why
    assert "at least" in told.proof
    assert told.certificate.cost_bound == told.cost == 18


def test_a_player_plays_down_because_it_has_met_all_its_likes():
    told = explain(document([9, 9, 6, 6], [[["p0", "p1"]]]))
    assert {one.reason for one in told.floats} == {"met"}
    assert told.floats[0].met in (("p0",), ("p1",))
    assert "played everyone" in told.floats[0].why
    assert told.certificate.cost_bound == 0
    assert "earlier matches raise it to 18" in told.proof


def test_the_bye_is_explained():
    told = explain(document([6, 3, 0]))
    assert (told.bye, told.equal_claims, told.passed_over) == ("p2", 1, ())
    assert "fewest points" in told.bye_reason
    shared = explain(document([3, 0, 0]))
    assert shared.equal_claims == 2
    assert "2 have the fewest points" in shared.bye_reason


def test_the_bye_of_players_who_share_the_last_place_is_explained():
    told = document([3, 3, 0, 0, 0])
    for player, standing in zip(told["players"], [1, 2, 3, 4, 4], strict=True):
        player["standing"] = standing
    reason = explain(told).bye_reason
    assert "3 have the fewest points" in reason
    assert "2 of them share last place in the standings" in reason


def test_a_bye_that_had_to_pass_names_the_player_passed_over():
    told = explain(document([6, 3, 0], [[["p0", "p1"]]]))
    assert (told.bye, told.passed_over) == ("p1", ("p2",))
    assert "p2" in told.bye_reason


def test_a_round_that_cannot_be_paired_is_reported_as_such():
    told = explain(document([6, 3], [[["p0", "p1"]]]))
    assert told.best is None
    assert told.proof == "No legal pairing exists."
    assert told.bye_reason == ""


def test_a_report_changed_by_hand_is_explained_as_it_stands():
    told = explain(document([6, 6, 3, 3]), {"pairings": [["p0", "p2"], ["p3", "p1"]], "bye": None})
    assert (told.cost, told.best.cost) == (18, 0)
    assert {one.reason for one in told.floats} == {"field"}
    assert {one.higher for one in told.floats} == {"p0", "p1"}
    assert "score difference 0 instead of 18" in told.proof


def test_a_hand_made_round_is_held_beside_the_best():
    tournament = document([6, 6, 3, 3], [[["p0", "p1"], ["p2", "p3"]]])
    best = pair_round(tournament)
    same = compare(tournament, best["pairings"])
    assert same.as_good
    assert same.only_by_hand == same.only_in_best == ()
    worse = compare(tournament, [["p0", "p1"], ["p2", "p3"]])
    assert (worse.rematches, worse.cost, worse.worse_in) == (2, 0, "rematches")
    assert worse.rematched == (("p0", "p1"), ("p2", "p3"))
    assert len(worse.only_by_hand) == len(worse.only_in_best) == 2
    assert not worse.as_good


def test_the_first_thing_that_is_worse_is_named():
    players = [
        {"id": "a", "points": 3, "club": "N", "rank": 1},
        {"id": "b", "points": 3, "club": "N", "rank": 2},
        {"id": "c", "points": 3, "club": "S", "rank": 3},
        {"id": "d", "points": 3, "club": "S", "rank": 4},
        {"id": "e", "points": 0, "byes": 0, "rank": 5},
    ]
    tournament = {"players": players, "options": {"avoid_same_club": True}}
    assert compare(tournament, [["a", "c"], ["b", "d"], ["e", None]]).as_good
    assert compare(tournament, [["a", "d"], ["b", "c"], ["e", None]]).worse_in == "ranks"
    assert compare(tournament, [["a", "b"], ["c", "d"], ["e", None]]).worse_in == "same_club"
    assert compare(tournament, [["a", "e"], ["b", "c"], ["d", None]]).worse_in == "bye"


@every_row(
    ("pairs", "words"),
    [
        ([["p0", "p1"]], ["p2 isn't paired", "p3 isn't paired"]),
        ([["p0", "p1"], ["p0", "p2"], ["p3", None]], ["p0 is paired 2 times", "bye"]),
        ([["p0", "p1"], ["p2", "p3"], ["p9", None]], ["p9 isn't in this tournament"]),
        ([["p0", None], ["p1", None], ["p2", "p3"]], ["2 byes"]),
    ],
)
def test_a_round_that_is_no_round_has_its_faults_named(pairs, words):
    told = compare(document([3, 3, 0, 0]), pairs)
    assert told.worse_in is None
    assert not told.as_good
    for word in words:
        assert any(word in fault for fault in told.faults), (word, told.faults)


def test_what_a_pairing_saves():
    tournament = document([6, 6, 3, 3])
    other = without_pair(tournament, "p0", "p1")
    assert (other.cost, other.rematches) == (18, 0)
    assert without_pair(document([6, 3]), "p0", "p1") is None
    assert without_pair(document([6, 3], allow_rematch=True), "p0", "p1") is None


def test_one_point_is_singular_in_the_reason_for_pairing_down():
    odd, met = (Float("q5", "q1", points, 0, reason) for points, reason in ((1, "odd"), (1, "met")))
    assert odd.why == "An odd number of players have 1 point or more, so one of them is paired down."
    assert met.why == "q5 has already played everyone else with 1 point."
    assert Float("q5", "q1", 2, 0, "odd").why.startswith("An odd number of players have 2 points or more")
