"""Disputes in which one condition of a rule decides: each case stands beside the one on the condition's other side."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine import adjudicate, reachable
from rules.engine.documents.actions import DEEPEST
from rules.engine.documents.characters import MAX_CLICKS
from rules.engine.documents.reader import shown
from rules.engine.errors import BadInput
from tests.rules.engine.boards import EDITIONS
from tests.rules.engine.fights import battle, clicks, done, fight, fighter, refused, state, steps, told, walk
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
FAR = [fighter("z", "P16")]
END = {"action": "end-turn"}
SEVEN = {"rolls": {"attack": [[4, 3]]}}


# ── Tokens, pushing and unavoidable damage ─────────────────────────────────────────────────────


@every_row("edition", EDITIONS)
@every_row(("tokens", "named"), [(0, "an action token"), (1, "a second action token")])
def test_the_step_says_which_token_it_is(edition: str, tokens: int, named: str) -> None:
    report = fight(edition, [fighter("a", "C3", tokens=tokens)], FAR, walk("a", "C4"))
    assert told(report, "token")["text"] == f"a is given {named}."


@every_row("edition", EDITIONS)
def test_toughness_reduces_no_pushing_damage(edition: str) -> None:
    """Pushing: 1 damage that nothing reduces; the step and the dial say the same number."""
    report = fight(edition, [fighter("a", "C3", tokens=1, powers=["Toughness"])], FAR, walk("a", "C4"))
    assert clicks(report, "a") == [2]
    assert told(report, "push")["numbers"] == {"damage": 1}
    assert "damage-taken" not in steps(report)


@every_row("edition", EDITIONS)
def test_toughness_reduces_no_damage_of_two_1s(edition: str) -> None:
    mine = [fighter("a", "C3", powers=["Toughness"])]
    report = fight(edition, mine, [fighter("b", "D3")], done("close", "a", "b", rolls={"attack": [[1, 1]]}))
    assert clicks(report, "a", "b") == [2, 1]


@every_row(("edition", "hurt"), [(CAR, [3, 6]), (NEW, [2, 7])])
def test_toughness_reduces_no_damage_of_two_1s_for_support(edition: str, hurt: list[int]) -> None:
    mine = [fighter("a", "C3", powers=["Support", "Toughness"], click=2)]
    mine += [fighter("f", "D3", powers=["Toughness"], click=6)]
    kind = "close" if edition == CAR else "power"
    report = fight(edition, mine, FAR, done(kind, "a", "f", using=["Support"], rolls={"support": [[1, 1]]}))
    assert clicks(report, "a", "f") == hurt


def test_a_critical_support_heals_below_the_defense() -> None:
    """Support: two 6s always succeed, even if 2 + 12 is less than the defense of 16; 3 + 1 clicks."""
    mine = [fighter("a", "C3", powers=["Support"], attack=2), fighter("f", "D3", click=6)]
    rolls = {"support": [[6, 6]], "support-heal": [[3]]}
    report = fight(CAR, mine, FAR, done("close", "a", "f", using=["Support"], rolls=rolls))
    assert clicks(report, "f") == [2]


@every_row("team", ["X-Men", "Titans"])
def test_toughness_reduces_no_click_given_to_a_friend(team: str) -> None:
    mine = [fighter("a", "C3", teams=[team], powers=["Toughness"]), fighter("b", "D3", teams=[team], click=3)]
    report = fight(CAR, mine, FAR, done("move", "a", "b", using=[team]))
    assert clicks(report, "a", "b") == [2, 2]


def test_mastermind_hands_on_no_pushing_damage() -> None:
    """Mastermind: it transfers damage of attacks on it, not the click of its own second token."""
    mine = [fighter("a", "C3", tokens=1, powers=["Mastermind"]), fighter("f", "C4", points=20)]
    report = adjudicate(battle(CAR, mine, FAR, walk("a", "D3", choose={"mastermind:a": "f"})))
    assert clicks(report, "a", "f") == [2, 1]


def test_a_helper_of_the_shield_costs_one_action() -> None:
    """3 actions at 300 points: the shot, the helper's token, and one move; not a second."""
    mine = [fighter("a", "C3", range=8), fighter("h", "C4", teams=["S.H.I.E.L.D."]), fighter("d", "K3")]
    mine += [fighter("e", "M3")]
    shot = done("ranged", "a", "b", assist=["h"], **SEVEN)
    given = (shot, walk("d", "K4"), walk("e", "M4"))
    report = fight(CAR, mine, [fighter("b", "H3")], *given)
    assert state(report, "h")["tokens"] == 1
    assert report["steps"][-1]["action"] == 2
    assert "3 actions" in refused(report), refused(report)


# ── Knock back ─────────────────────────────────────────────────────────────────────────────────


@every_row(("edition", "square"), [("ic-2002", "G3"), (CAR, "G3"), (DC, "D3"), (NEW, "D3")])
def test_a_power_lost_to_the_same_damage_prevents_knock_back_in_the_later_books_only(edition: str, square: str) -> None:
    """Charge on the first click: 2002 looks at the dial after the damage; the later books before it."""
    theirs = [fighter("b", "D3", powers=["Charge"])]
    theirs[0]["dial"] = [theirs[0]["dial"][0], *[{**click, "powers": []} for click in theirs[0]["dial"][1:]]]
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]})
    report = fight(edition, [fighter("a", "C3")], theirs, given)
    assert state(report, "b")["square"] == square


def test_the_choice_of_knock_back_offers_both() -> None:
    given = done("close", "a", "b", rolls={"attack": [[4, 4]]})
    report = fight(MODERN, [fighter("a", "C3")], [fighter("b", "D3")], given)
    assert report["awaiting"]["options"] == [True, False]


def test_the_choice_of_perplex_offers_both() -> None:
    given = done("free", "a", "a", using=["Perplex"], choose={"value": "attack"})
    assert fight(CAR, [fighter("a", "C3", powers=["Perplex"])], FAR, given)["awaiting"]["options"] == [1, -1]


@every_row(("square", "choices"), [("G4", ["E", "SE"]), ("D6", ["S", "SE"]), ("G3", None), ("D4", None), ("E5", None)])
def test_the_attacker_chooses_where_no_straight_line_leads(square: str, choices: list[str] | None) -> None:
    """Knockback, FAQ (2002): a figure one row or column off the line is knocked back along either nearest line."""
    ask = [{"ask": "knock-back", "of": "b", "from": "a", "clicks": 1}]
    report = fight(CAR, [fighter("a", "C3")], [fighter("b", square)], ask=ask)
    assert report["answers"][0]["result"].get("choices") == choices


@every_row("edition", [CAR, NEW])
@every_row(
    ("squares", "target", "end"),
    [(["C3", "C4"], "E4", "F4"), (["C3", "D3"], "C5", "C6"), (["C3", "C4"], "E3", "F3"), (["C3", "D3"], "F5", "G6")],
)
def test_knock_back_follows_the_straight_line_from_a_larger_base(
    edition: str, squares: list[str], target: str, end: str
) -> None:
    """The square on the target's row, column or diagonal counts, not the one beside."""
    attacker = fighter("a", None, base="peanut", squares=squares)
    del attacker["square"]
    ask = [{"ask": "knock-back", "of": "b", "from": "a", "clicks": 1}]
    report = fight(edition, [attacker], [fighter("b", target)], ask=ask)
    assert report["answers"][0]["result"]["ends"] == end


# ── Targets and lines ──────────────────────────────────────────────────────────────────────────


def barred(mine: list[dict[str, Any]], theirs: list[dict[str, Any]], to: str = "b") -> dict[str, Any]:
    """Return the answer whether `a` may shoot (2002)."""
    ask = [{"ask": "can-target", "attack": "ranged", "from": "a", "to": to}]
    answer: dict[str, Any] = fight(CAR, mine, theirs, ask=ask)["answers"][0]
    return answer


HOVERS = {"speed_symbol": "wing", "flight": "hovering"}


@every_row(
    ("square", "hovers", "why", "cited"),
    [
        ("G3", True, "a can't shoot: it is adjacent to c.", False),
        ("D3", False, "a can't shoot: it is adjacent to b and c.", False),
        ("D3", True, "a can't shoot at b: c, on the ground, is adjacent to a too.", True),
    ],
)
def test_why_a_figure_beside_an_opponent_may_not_shoot(square: str, hovers: bool, why: str, cited: bool) -> None:
    theirs = [fighter("b", square, **(HOVERS if hovers else {})), fighter("c", "C4")]
    answer = barred([fighter("a", "C3", range=8)], theirs)
    assert answer["because"] == [why]
    assert any("Hover" in one["section"] or "Fly" in one["section"] for one in answer["citations"]) is cited


@every_row("edition", [CAR, DC])
def test_a_value_asked_for_a_shot_names_hindering_terrain_only_where_it_lies(edition: str) -> None:
    attack = {"attack": "ranged", "from": "a", "to": "b"}
    for terrain, value in (([], 16), ([{"type": "hindering", "squares": ["E3"]}], 17)):
        ask = [{"ask": "value", "of": "b", "value": "defense", **attack}]
        report = fight(
            edition, [fighter("a", "C3", range=8)], [fighter("b", "H3")], ask=ask, board={"terrain": terrain}
        )
        assert report["answers"][0]["result"] == value


@every_row(("mine", "theirs", "reach"), [("C3", "D6", 4), (None, "D6", 8), ("C3", None, 8)])
def test_the_range_to_a_soaring_character_is_halved_while_both_are_on_the_map(
    mine: str | None, theirs: str | None, reach: int
) -> None:
    soaring = fighter("b", theirs, speed_symbol="wing", flight="soaring")
    ask = [{"ask": "value", "of": "a", "value": "range", "attack": "ranged", "from": "a", "to": "b"}]
    report = fight(CAR, [fighter("a", mine, range=8)], [soaring], ask=ask)
    assert report["answers"][0]["result"] == reach


def test_an_equal_defense_is_not_taken_from_a_friend() -> None:
    """Defend replaces the defense by that of a neighbour: one that is equal changes nothing."""
    attack = {"attack": "close", "from": "a", "to": "b"}
    for lent, why in ((16, "as printed"), (17, "Defend")):
        theirs = [fighter("b", "D3"), fighter("c", "D4", powers=["Defend"], defense=lent)]
        ask = [{"ask": "value", "of": "b", "value": "defense", **attack}]
        answer = fight(CAR, [fighter("a", "C3")], theirs, ask=ask)["answers"][0]
        assert answer["result"] == lent
        assert why in answer["because"][0]


def test_a_wild_card_uses_no_team_ability_of_a_friend_off_the_map() -> None:
    """Sinister Syndicate beside it lends attack 12; knocked out it lends nothing."""
    for square, value in (("C2", 12), (None, 10)):
        mine = [fighter("a", "C3", teams=["Spider-Man"])]
        mine += [fighter("s", square, teams=["Sinister Syndicate"], attack=12)]
        mine += [fighter("s2", "C4", attack=11, teams=["Sinister Syndicate"])] if square else []
        report = fight(CAR, mine, [fighter("b", "D3")], done("close", "a", "b", **SEVEN))
        assert told(report, "attack-roll")["numbers"]["attack"] == value


def test_a_team_without_a_known_ability_is_announced() -> None:
    mine = [fighter("a", "C3", teams=["The Unheard-of"])]
    report = adjudicate(battle(CAR, mine, [fighter("b", "D3")], done("close", "a", "b", **SEVEN)))
    assert any("The Unheard-of" in step["text"] for step in report["steps"])


@every_row(("kind", "dealt"), [("light", 4), ("heavy", 5), ("ultra-heavy", 6)])
def test_what_a_held_object_adds(kind: str, dealt: int) -> None:
    """Objects (2014): a light one adds 1, a heavy one 2, an ultra heavy one 3."""
    mine = [fighter("a", "C3", powers=["Super Strength"], holding="o")]
    things = [{"id": "o", "kind": kind, "square": None}]
    given = done("close", "a", "b", with_object="o", **SEVEN)
    report = fight(NEW, mine, [fighter("b", "D3", clicks=10)], given, objects=things)
    assert told(report, "damage-dealt")["numbers"]["damage"] == dealt


@every_row(("targets", "cited"), [(["b"], False), (["b", "c"], True)])
def test_the_section_about_several_targets_is_cited_for_several(targets: list[str], cited: bool) -> None:
    mine = [fighter("a", "C3", range=8, bolts=2)]
    theirs = [fighter("b", "G3"), fighter("c", "G5")]
    report = fight(CAR, mine, theirs, done("ranged", "a", *targets, rolls={"attack": [[1, 2]]}))
    assert ("multiple-targets" in told(report, "targets")["topics"]) is cited


@every_row(("soars", "modifier"), [(False, 1), (True, 0)])
def test_hindering_terrain_under_a_soaring_target_hinders_no_line(soars: bool, modifier: int) -> None:
    high = {"speed_symbol": "wing", "flight": "soaring"} if soars else {}
    board = {"terrain": [{"type": "hindering", "squares": ["G3"]}]}
    ask = [{"ask": "line-of-fire", "from": "a", "to": "b"}]
    report = fight(CAR, [fighter("a", "C3", range=8)], [fighter("b", "G3", **high)], ask=ask, board=board)
    assert report["answers"][0]["modifier"] == modifier


@every_row(("defense", "noted"), [(16, False), (17, True)])
def test_a_friend_above_is_missed_only_where_it_would_help(defense: int, noted: bool) -> None:
    """A soaring friend isn't adjacent: its Defend of 17 would have helped against 16, one of 16 not."""
    high = {"speed_symbol": "wing", "flight": "soaring"}
    theirs = [fighter("b", "D3"), fighter("c", "D4", powers=["Defend"], defense=defense, **high)]
    report = fight(CAR, [fighter("a", "C3")], theirs, done("close", "a", "b", **SEVEN))
    assert any("c (Defend) doesn't help" in step["text"] for step in report["steps"]) is noted


def test_a_power_that_is_not_used_does_not_keep_its_owner_from_destroying() -> None:
    """Destroying (2020s): only a power that is used and needs its own action is refused."""
    mine = [fighter("a", "C3", damage=4, powers=["Barrier"], range=6)]
    board = {"walls": ["C3|D3"]}
    assert refused(fight(MODERN, mine, FAR, done("close", "a", "C3|D3"), board=board)) == ""


# ── Rerolls ────────────────────────────────────────────────────────────────────────────────────


def test_a_themed_team_counts_its_rerolls() -> None:
    """Themed Teams (2014): 1 reroll in a game of 100 points; another figure's is refused."""
    team = [fighter(id, square, keywords=["Justice League"]) for id, square in (("a", "C3"), ("p", "C4"), ("q", "C5"))]
    rolls = {"attack": [[2, 3]], "attack/reroll": [[2, 4]]}
    given = [
        done("close", who, "b", using=["Themed Team Probability Control"], rolls=rolls, choose={"reroll-by": by})
        for who, by in (("a", "p"), ("a", "q"))
    ]
    given.insert(1, END)
    given.insert(2, END)
    report = fight(NEW, team, [fighter("b", "D3")], *given, side={"themed_team": "Justice League"}, build_total=100)
    assert "Probability Control 1 times; the maximum is 1" in refused(report)


# ── Movement ───────────────────────────────────────────────────────────────────────────────────


def larger(base: str, squares: list[str], edition: str = NEW, **keys: Any) -> dict[str, Any]:
    """Return a position with one character on a larger base and a speed of 1."""
    one = fighter("a", None, base=base, squares=squares, speed=1, **keys)
    del one["square"]
    return battle(edition, [one], FAR)


@every_row("edition", [NEW, MODERN])
def test_a_square_base_moves_one_square_in_each_direction(edition: str) -> None:
    """Its top left square says where it stands."""
    found = reachable(larger("2x2", ["C3", "D3", "C4", "D4"], edition), "a")
    assert set(found) == {"B2", "C2", "D2", "B3", "C3", "D3", "B4", "C4", "D4"}


@every_row("edition", [NEW, MODERN])
def test_a_square_base_stays_on_the_map_and_out_of_walls(edition: str) -> None:
    document = larger("2x2", ["A1", "B1", "A2", "B2"], edition)
    assert set(reachable(document, "a")) == {"A1", "B1", "A2", "B2"}
    document["map"]["walls"] = ["B1|C1"]
    assert set(reachable(document, "a")) == {"A1", "A2", "B2"}
    document["map"] |= {"walls": [], "terrain": [{"type": "blocking", "squares": ["C3"]}]}
    assert set(reachable(document, "a")) == {"A1", "B1", "A2"}


@every_row("edition", [NEW, MODERN])
def test_a_base_of_two_squares_turns_within_its_reach(edition: str) -> None:
    """No part of it moves further than 1 square: it may end in any two touching squares beside its own."""
    found = set(reachable(larger("peanut", ["C3", "D3"], edition), "a"))
    assert found == {f"{column}{row}" for column in "BCDE" for row in (2, 3, 4)}


def test_two_rubber_opponents_hold_no_more_than_one() -> None:
    """Plasticity: break away on 6 instead of 4, 5 and 6; a second changes nothing and isn't named twice."""
    theirs = [fighter("b", "D3", powers=["Plasticity"]), fighter("c", "C4", powers=["Plasticity"])]
    answer = fight(CAR, [fighter("a", "C3")], theirs, ask=[{"ask": "break-away", "of": "a"}])["answers"][0]
    assert answer["result"]["succeeds_on"] == [6]
    assert sum("makes this harder" in sentence for sentence in answer["because"]) == 1


# ── The limits of a reach ──────────────────────────────────────────────────────────────────────


def walled(*squares: str) -> dict[str, Any]:
    """Return a board with these squares of blocking terrain."""
    return {"terrain": [{"type": "blocking", "squares": list(squares)}]}


@every_row(("square", "why"), [("C13", "is blocked"), ("C14", "Outwit reaches 10 squares, and b is 11 squares away")])
def test_why_outwit_reaches_no_target_at_the_end_of_its_range(square: str, why: str) -> None:
    theirs = [fighter("b", square, powers=["Toughness"])]
    given = done("free", "a", "b", using=["Outwit"], choose={"power": "Toughness"})
    mine = [fighter("a", "C3", powers=["Outwit"])]
    assert why in refused(fight(CAR, mine, theirs, given, board=walled("C12")))


def test_outwit_reaches_no_one_off_the_map() -> None:
    given = done("free", "a", "b", using=["Outwit"], choose={"power": "Toughness"})
    report = fight(CAR, [fighter("a", "C3", powers=["Outwit"])], [fighter("b", None, powers=["Toughness"])], given)
    assert refused(report) == "b isn't on the map."


@every_row(("square", "why"), [("C7", "is blocked"), ("C8", "5 squares away, beyond its reach of 4")])
def test_why_a_pulse_wave_reaches_no_target_at_the_end_of_its_range(square: str, why: str) -> None:
    mine = [fighter("a", "C3", powers=["Pulse Wave"], range=8)]
    given = done("ranged", "a", "b", using=["Pulse Wave"], rolls={"attack": [[4, 3]]})
    report = adjudicate(battle(CAR, mine, [fighter("b", square), fighter("c", "F3")], given, board=walled("C6")))
    assert any(why in step["text"] for step in report["steps"]), [step["text"] for step in report["steps"]]


@every_row(("rolled", "healed"), [(1, 0), (2, 0), (3, 1), (6, 4)])
def test_regeneration_heals_2_less_than_the_roll(rolled: int, healed: int) -> None:
    given = done("move", "a", using=["Regeneration"], rolls={"regeneration": [[rolled]]})
    report = fight(CAR, [fighter("a", "C3", powers=["Regeneration"], click=6)], FAR, given)
    assert told(report, "roll")["numbers"] == {"roll": rolled, "clicks": healed}
    assert clicks(report, "a") == [6 - healed]


def test_a_healed_figure_drops_what_it_no_longer_lifts_after_healing() -> None:
    healer = fighter("a", "C3", powers=["Regeneration"], click=6, holding="o")
    healer["dial"] = [
        click | {"powers": ["Regeneration", "Super Strength"][: 1 + (place > 3)]}
        for place, click in enumerate(healer["dial"])
    ]
    given = done("move", "a", using=["Regeneration"], rolls={"regeneration": [[6]]})
    report = fight(CAR, [healer], FAR, given, objects=[{"id": "o", "kind": "light", "square": None}])
    assert steps(report) == ["declare", "roll", "heal", "put-down", "token"]


def test_mastermind_offers_cheaper_neighbours_only() -> None:
    theirs = [fighter("b", "D3", powers=["Mastermind"]), fighter("c", "D4", points=49), fighter("d", "E4", points=50)]
    given = done("close", "a", "b", using=["Mastermind"], **SEVEN)
    mine = [fighter("a", "C3")]
    report = adjudicate(battle(CAR, mine, theirs, given))
    assert (report["awaiting"] or {}).get("options") in (None, ["c"])


@every_row(("edition", "hurt"), [(CAR, 6), (NEW, 6)])
def test_a_soaring_figure_holds_half_the_range(edition: str, hurt: int) -> None:
    """Half of a range of 7, rounded up, is 4."""
    high = {"speed_symbol": "wing", "flight": "soaring"} if edition == CAR else {}
    for square, legal in (("G3", True), ("H3", edition != CAR)):
        ask = [{"ask": "can-target", "attack": "ranged", "from": "a", "to": "b"}]
        report = fight(edition, [fighter("a", "C3", range=7)], [fighter("b", square, **high)], ask=ask)
        assert report["answers"][0]["result"] is legal


@every_row(
    ("flier", "flight", "offered"),
    [(True, "soaring", ["Toughness", "soaring"]), (True, "hovering", ["Toughness"]), (False, None, ["Toughness"])],
)
def test_outwit_offers_the_soaring_of_a_soaring_flier_alone(
    flier: bool, flight: str | None, offered: list[str]
) -> None:
    wings = {"speed_symbol": "wing", "flight": flight} if flier else {}
    theirs = [fighter("b", "D3", powers=["Toughness"], **wings)]
    report = fight(CAR, [fighter("a", "C3", powers=["Outwit"])], theirs, done("free", "a", "b", using=["Outwit"]))
    assert report["awaiting"]["options"] == offered


# ── Facts about friends and opponents ──────────────────────────────────────────────────────────


def test_a_known_ability_of_a_neighbour_is_not_announced_as_unknown() -> None:
    mine = [fighter("a", "C3"), fighter("f", "C4", teams=["X-Men"], powers=["Toughness"])]
    report = fight(CAR, mine, [fighter("b", "D3")], done("close", "a", "b", **SEVEN))
    assert "ruling" not in steps(report)


@every_row(("kind", "noted"), [("ranged", True), ("close", False)])
def test_a_soaring_neighbour_that_does_not_help_is_noted_for_shots_only(kind: str, noted: bool) -> None:
    high = {"speed_symbol": "wing", "flight": "soaring"}
    mine = [fighter("a", "C3", range=8), fighter("h", "C4", teams=["Hydra"], **high)]
    target = "H3" if kind == "ranged" else "D3"
    report = fight(CAR, mine, [fighter("b", target)], done(kind, "a", "b", **SEVEN))
    assert any("h" in step["text"] and "doesn't help" in step["text"] for step in report["steps"]) is noted


def test_the_turn_passes_on_even_if_no_one_is_left() -> None:
    document = battle(CAR, [fighter("a", None)], [fighter("b", None)], END)
    document["sides"].append({"player": "C", "characters": [fighter("c", None)]})
    document["turn"] = {"active": "B", "number": 3}
    report = adjudicate(document)
    assert report["steps"][-1]["text"].startswith("C's turn") or "C" in report["steps"][-1]["text"]


def test_a_stack_of_two_horde_tokens_may_part() -> None:
    """Unstacking (2014): one token leaves; the points are halved with it."""
    about = {"clicks": 1, "kind": "horde", "stack_max": 4}
    two = fighter("a", "E5", stack=2, points=20, **about) | {"name": "Skeleton", "set": "x", "number": "b1"}
    spare = fighter("s", None, stack=1, points=10, **about) | {"name": "Skeleton", "set": "x", "number": "b1"}
    given = walk("a", "E6 E7", choose={"unstack": "s"})
    report = adjudicate(battle(NEW, [two, spare], FAR, given))
    assert not refused(report), refused(report)
    assert (state(report, "a")["stack"], state(report, "s")["square"]) == (1, "E7")
    hit = done("ranged", "z", "a", **SEVEN)
    report = adjudicate(battle(NEW, [two, spare], [fighter("z", "K5", range=8)], given, END, hit))
    assert report["state"]["victory_points"]["B"] == 10, [step["text"] for step in report["steps"]]


def test_an_object_that_left_the_game_says_so_at_the_end() -> None:
    things = [{"id": "o", "kind": "light", "square": "D3"}]
    report = fight(CAR, [fighter("a", "C3", damage=4)], FAR, done("close", "a", "o"), objects=things)
    assert report["state"]["objects"]["o"].get("removed") is True


def test_what_a_figure_carries_is_refused_for_its_own_reason() -> None:
    """A soaring carrier takes no one that stands on the ground; no power of carrying is named."""
    mine = [fighter("a", "C3", speed_symbol="wing", flight="hovering", powers=["Toughness"]), fighter("p", "E3")]
    report = adjudicate(battle(CAR, mine, FAR, walk("a", "C4", carry=["p"])))
    assert "adjacent" in refused(report)
    assert "toughness" not in report["steps"][-1]["topics"]


@every_row(
    ("edition", "result", "said"),
    [
        (CAR, "clear", "it starts in hindering terrain, and the first square it enters is clear"),
        (NEW, "hindered", "it starts in hindering terrain in C3"),
        (DC, "clear", ""),
        (MODERN, "clear", ""),
    ],
)
def test_a_line_that_starts_in_hindering_terrain(edition: str, result: str, said: str) -> None:
    """2002: excused if the first square is clear; 2014: hindered without a modifier; later: excused."""
    board = {"terrain": [{"type": "hindering", "squares": ["C3", *(["E3"] if edition == CAR else [])]}]}
    ask = [{"ask": "line-of-fire", "from": "a", "to": "b"}]
    report = fight(edition, [fighter("a", "C3", range=8)], [fighter("b", "H3")], ask=ask, board=board)
    answer = report["answers"][0]
    assert (answer["result"], answer["modifier"]) == (result, 0)
    assert said in answer["because"][0]


@every_row(("over", "attack", "told_so"), [(12, 10, False), (19, 10, True), (18, 10, False)])
def test_two_6s_are_named_where_the_total_would_miss(over: int, attack: int, told_so: bool) -> None:
    """A total of 18 that equals the defense hits anyway."""
    theirs = [fighter("b", "D3", defense=over)]
    given = done("close", "a", "b", rolls={"attack": [[6, 6]]})
    report = fight(DC, [fighter("a", "C3", attack=attack - 4)], theirs, given)
    assert ("as two 6s were rolled" in told(report, "hit")["text"]) is told_so


def test_actions_are_nested_as_deeply_as_the_limit_and_no_deeper() -> None:
    def nested(depth: int) -> dict[str, Any]:
        given = done("move", "a", path=["C4"])
        for _ in range(depth):
            given = done("power", "a", then=[given])
        return battle(CAR, [fighter("a", "C3")], FAR, given)

    assert adjudicate(nested(DEEPEST - 1))["legal"] is False
    with pytest.raises(BadInput, match="too deeply"):
        adjudicate(nested(DEEPEST))


# ── Texts ──────────────────────────────────────────────────────────────────────────────────────


@every_row(
    ("value", "text"),
    [(10**18, "1" + "0" * 18), (10**18 + 1, "a number far too large"), (-(10**19), "a number far too large")],
)
def test_numbers_that_a_message_quotes(value: int, text: str) -> None:
    assert shown(value) == text


def test_each_turn_ends_the_barriers_of_the_player_whose_turn_begins() -> None:
    def walled(actor: str, column: str, rows: range) -> dict[str, Any]:
        return done("move", actor, using=["Barrier"], choose={"squares": [f"{column}{row}" for row in rows]})

    mine, theirs = fighter("a", "C3", powers=["Barrier"], range=8), fighter("b", "N14", powers=["Barrier"], range=8)
    given = [walled("a", "E", range(3, 7)), END, walled("b", "L", range(11, 15)), END, END]
    standing = [
        {one["square"][0] for one in fight(CAR, [mine], [theirs], *given[:number])["state"]["markers"]}
        for number in (3, 4, 5)
    ]
    assert standing == [{"E", "L"}, {"L"}, set()]


# ── Limits, exactly reached ────────────────────────────────────────────────────────────────────


@every_row(("clicks_made", "holds"), [(MAX_CLICKS, True), (MAX_CLICKS + 1, False)])
def test_the_clicks_of_a_dial(clicks_made: int, holds: bool) -> None:
    document = battle(CAR, [fighter("a", "C3", clicks=clicks_made)], FAR)
    if holds:
        assert adjudicate(document)["legal"]
        return
    with pytest.raises(BadInput, match="at most"):
        adjudicate(document)


@every_row(
    ("inner", "why"),
    [
        (done("free", "a", "a", using=["Perplex"]), "Perplex can't be used inside another action"),
        (done("free", "a"), "This action grants no "),
    ],
)
def test_what_a_move_does_not_grant(inner: dict[str, Any], why: str) -> None:
    mine = [fighter("a", "C3", powers=["Hypersonic Speed", "Perplex"])]
    given = walk("a", "C4", using=["Hypersonic Speed"], then=[inner])
    assert why in refused(fight(CAR, mine, FAR, given))


def test_a_target_without_a_share_is_dealt_no_damage() -> None:
    shot = done("ranged", "a", "b", "c", rolls={"attack": [[4, 5]]}, divide={"b": 3}, choose={"knock-back": False})
    mine = [fighter("a", "C3", range=8, bolts=2)]
    report = fight(NEW, mine, [fighter("b", "H3"), fighter("c", "H4")], shot)
    assert clicks(report, "b", "c") == [4, 1], report["steps"]


def test_no_damage_is_transferred_if_none_is_dealt() -> None:
    theirs = [fighter("b", "D3", powers=["Mastermind"]), fighter("f", "D4", points=20)]
    report = fight(CAR, [fighter("a", "C3", damage=0)], theirs, done("close", "a", "b", rolls={"attack": [[4, 3]]}))
    assert (clicks(report, "b", "f"), report["awaiting"]) == ([1, 1], None)


@every_row(("square", "why"), [("D3", "stopped at once"), ("E3", "stopped after 1 square")])
def test_a_knock_back_that_a_wall_ends(square: str, why: str) -> None:
    after = chr(ord(square[0]) + 1 + (square == "E3")) + "3"
    walls = [f"{chr(ord(after[0]) - 1)}3|{after}"]
    mine, theirs = [fighter("a", f"{chr(ord(square[0]) - 1)}3")], [fighter("b", square)]
    report = fight(CAR, mine, theirs, done("close", "a", "b", rolls={"attack": [[4, 4]]}), board={"walls": walls})
    assert told(report, "knock-back")["numbers"]["parts"]["squares"][-1]["why"] == why
