"""Granted attacks: one per action, another after Shape Change, and the cost of an attack that isn't made."""

from __future__ import annotations

from typing import Any

from tests.tables import every_row

from ..fights import clicks, done, fight, fighter, refused, state, walk

CAR, DC, BOOK, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
ALL = (CAR, DC, BOOK, MODERN)
LATER = (DC, BOOK, MODERN)


def charge(edition: str, *attacks: dict[str, Any], path: str = "D3", **keys: Any) -> dict[str, Any]:
    """Return a Charge action of the kind that the edition requires."""
    kind = "move" if edition == CAR else "power"
    return done(kind, "a", using=["Charge"], path=path.split(), then=list(attacks), **keys)


@every_row("edition", ALL)
def test_charge_grants_one_attack(edition: str) -> None:
    given = charge(edition, done("close", "a", "b"), done("close", "a", "b"), rolls={"attack": [[4, 5], [4, 5]]})
    mine = [fighter("a", "C3", powers=["Charge"])]
    assert "only 1 action" in refused(fight(edition, mine, [fighter("b", "E3")], given))


@every_row("edition", ALL)
def test_an_action_that_grants_nothing_is_refused_with_a_further_one(edition: str) -> None:
    """An attack, a power with an effect of its own, a pass and the end of a turn grant no attack."""
    mine = [fighter("a", "C3", powers=["Flurry", "Outwit", "Regeneration"], click=3)]
    theirs = [fighter("b", "D3", powers=["Toughness"])]
    further = [done("close", "a", "b")]
    kind = "move" if edition == CAR else "power"
    for given in (
        done("close", "a", "b", then=further, rolls={"attack": [[4, 5]]}),
        done("close", "a", "b", "b", using=["Flurry"], then=further, rolls={"attack": [[4, 5], [4, 5]]}),
        done("free", "a", "b", using=["Outwit"], then=further, choose={"counter": "Toughness"}),
        done(kind, "a", using=["Regeneration"], then=further, rolls={"regeneration": [[4]]}),
        done("pass", "a", then=further),
        {"action": "end-turn", "then": further},
    ):
        report = fight(edition, mine, theirs, given)
        assert "This action grants no " in refused(report)
        assert report["steps"][-1]["before"]["then"] == [0]
        assert clicks(report, "a", "b") == [3, 1]


def test_a_chain_of_hypersonic_attacks_grants_no_further_one() -> None:
    mine = [fighter("a", "C3", powers=["Hypersonic Speed"])]
    given = done(
        "close", "a", "b", using=["Hypersonic Speed"], then=[done("close", "a", "b")], rolls={"attack": [[1, 2]]}
    )
    assert "grants no further action" in refused(fight(CAR, mine, [fighter("b", "D3")], given))


def test_a_further_action_by_a_power_that_the_book_lacks_is_left_to_the_judge() -> None:
    given = done("close", "a", "b", using=["Wing Gust"], then=[done("close", "a", "b")], rolls={"attack": [[4, 5]]})
    report = fight(MODERN, [fighter("a", "C3")], [fighter("b", "D3")], given)
    said = [step["text"] for step in report["steps"] if step["step"] == "ruling"]
    assert "Not carried out here: the CLOSE action on b. Decide by the card." in said
    assert clicks(report, "b") == [4]


@every_row("edition", ALL)
def test_an_attacker_stopped_by_shape_change_attacks_another(edition: str) -> None:
    """Shape Change: the attacker chooses another target; the move it has made still costs its action."""
    given = charge(
        edition,
        done("close", "a", "b"),
        done("close", "a", "c"),
        rolls={"shape-change:b": [[6]], "attack": [[4, 5]]},
    )
    mine = [fighter("a", "C3", powers=["Charge"])]
    theirs = [fighter("b", "E3", powers=["Shape Change"]), fighter("c", "E4")]
    report = fight(edition, mine, theirs, given)
    assert clicks(report, "b", "c") == [1, 4]
    assert state(report, "a")["tokens"] == 1


@every_row("edition", ALL)
@every_row(("path", "tokens"), [("D3", 1), ("", 0)])
def test_a_charge_whose_attack_is_not_made_costs_its_token_where_it_has_moved(
    edition: str, path: str, tokens: int
) -> None:
    given = charge(edition, done("close", "a", "b"), path=path, rolls={"shape-change:b": [[6]]})
    theirs = [fighter("b", "E3" if path else "D3", powers=["Shape Change"])]
    report = fight(edition, [fighter("a", "C3", powers=["Charge"])], theirs, given)
    assert state(report, "a")["tokens"] == tokens


@every_row("edition", ALL)
def test_flurry_continues_against_another_target_after_shape_change(edition: str) -> None:
    theirs = [fighter("b", "D3", powers=["Shape Change"]), fighter("c", "D4")]
    given = done("close", "a", "b", "c", using=["Flurry"], rolls={"shape-change:b": [[6]], "attack": [[4, 5]]})
    report = fight(edition, [fighter("a", "C3", powers=["Flurry"])], theirs, given)
    assert (clicks(report, "b", "c"), state(report, "a")["tokens"]) == ([1, 4], 1)


@every_row("edition", ALL)
def test_a_flurry_stopped_twice_by_shape_change_costs_nothing(edition: str) -> None:
    theirs = [fighter("b", "D3", powers=["Shape Change"])]
    given = done("close", "a", "b", "b", using=["Flurry"], rolls={"shape-change:b": [[6], [6]]})
    report = fight(edition, [fighter("a", "C3", powers=["Flurry"])], theirs, given)
    assert state(report, "a")["tokens"] == 0


@every_row("edition", ALL)
def test_a_hypersonic_move_continues_if_its_attack_was_not_made(edition: str) -> None:
    kind = "move" if edition == CAR else "power"
    inner = done("close", "a", "b", at="D3")
    given = done(
        kind, "a", using=["Hypersonic Speed"], path=["D3", "D4"], then=[inner], rolls={"shape-change:b": [[6]]}
    )
    mine = [fighter("a", "C3", powers=["Hypersonic Speed"])]
    report = fight(edition, mine, [fighter("b", "E3", powers=["Shape Change"])], given)
    assert (state(report, "a")["square"], state(report, "a")["tokens"]) == ("D4", 1)
    at_the_end = given | {"path": ["D3"]}
    report = fight(edition, mine, [fighter("b", "E3", powers=["Shape Change"])], at_the_end)
    assert (state(report, "a")["square"], state(report, "a")["tokens"]) == ("D3", 1)


@every_row("edition", ALL)
def test_a_controlled_figure_stopped_by_shape_change_does_nothing(edition: str) -> None:
    theirs = [fighter("b", "D3"), fighter("c", "E3", powers=["Shape Change"])]
    inner = done("close", "b", "c")
    rolls = {"attack": [[4, 5]], "shape-change:c": [[6]]}
    given = done("close", "a", "b", using=["Mind Control"], then=[inner], rolls=rolls)
    report = fight(edition, [fighter("a", "C3", powers=["Mind Control"])], theirs, given)
    assert (clicks(report, "b", "c"), state(report, "a")["tokens"]) == ([1, 1], 1)
    assert state(report, "b")["tokens"] == 0


# ── Tokens without an action ───────────────────────────────────────────────────────────────────

THEME: dict[str, Any] = {"keywords": ["Gotham City"]}


@every_row("edition", [BOOK, MODERN])
def test_a_token_for_the_themed_teams_reroll_is_no_action(edition: str) -> None:
    """The figure may still be given an action, and is pushed; otherwise it keeps the token, which is from this turn."""
    mine = [fighter("a", "C4", **THEME), fighter("f", "C7", **THEME)]
    rolls = {"attack": [[1, 2]], "attack/reroll": [[4, 5]]}
    using = ["Themed Team Probability Control"]
    blow = done("close", "a", "b", using=using, choose={"reroll-by": "f"}, rolls=rolls)
    side = {"themed_team": "Gotham City"}
    theirs = [fighter("b", "D4", defense=19)]
    acts = fight(edition, mine, theirs, blow, walk("f", "C8"), done("end-turn", "a"), side=side)
    assert (state(acts, "f")["tokens"], clicks(acts, "f")) == (2, [2])
    rests = fight(edition, mine, theirs, blow, done("end-turn", "a"), side=side)
    assert (state(rests, "f")["tokens"], clicks(rests, "f")) == (1, [1])


@every_row(("edition", "legal"), [(BOOK, False), (MODERN, True)])
def test_a_keyword_on_the_books_list_is_generic_whatever_the_card_says(edition: str, legal: bool) -> None:
    mine = [fighter("a", "C4", keywords=["Warrior"]), fighter("f", "C7", keywords=["Warrior"])]
    rolls = {"attack": [[1, 2]], "attack/reroll": [[4, 5]]}
    using = ["Themed Team Probability Control"]
    blow = done("close", "a", "b", using=using, choose={"reroll-by": "f"}, rolls=rolls)
    report = fight(edition, mine, [fighter("b", "D4", defense=19)], blow, side={"themed_team": "Warrior"})
    assert report["legal"] is legal
    assert legal or "generic" in refused(report)


# ── Carrying and putting down ──────────────────────────────────────────────────────────────────


@every_row(("speed", "by", "squares", "legal"), [(8, 0, 7, True), (8, 0, 8, False), (8, 4, 11, True)])
def test_a_passenger_is_a_modifier_under_the_rule_of_three(speed: int, by: int, squares: int, legal: bool) -> None:
    """8 + 4 - 1 is 8 + 3 (Carry; The Rule of Three, 2020s)."""
    modified = {"modifiers": [{"value": "speed", "by": by, "source": "Perplex"}]} if by else {}
    mine = [fighter("a", "A1", damage_symbol="giant", speed=speed, **modified), fighter("f", "A2")]
    path = [f"{'ABCDEFGHIJKLMNOP'[n]}1" for n in range(1, squares + 1)]
    end = f"{'ABCDEFGHIJKLMNOP'[squares]}2"
    given = done("move", "a", path=path, carry=["f"], choose={"place": {"f": end}})
    assert fight(MODERN, mine, [fighter("b", "P16")], given)["legal"] is legal


def test_a_carrier_without_speed_left_still_moves_its_passenger_to_another_square() -> None:
    mine = [fighter("a", "B2", damage_symbol="giant", speed=0), fighter("f", "A2")]
    given = done("move", "a", path=[], carry=["f"], choose={"place": {"f": "C2"}})
    assert state(fight(MODERN, mine, [fighter("b", "P16")], given), "f")["square"] == "C2"


@every_row("edition", [BOOK, MODERN])
def test_no_object_is_put_down_in_blocking_terrain(edition: str) -> None:
    """The Rule of Occupancy."""
    mine = [fighter("a", "C4", powers=["Super Strength"], holding="o")]
    things = [{"id": "o", "kind": "light", "square": None}]
    board = {"terrain": [{"type": "blocking", "squares": ["D5"]}]}
    given = done("move", "a", path=[], put_down="D5")
    assert "blocking" in refused(fight(edition, mine, [fighter("b", "P16")], given, objects=things, board=board))


# ── One power per action ───────────────────────────────────────────────────────────────────────


@every_row("edition", LATER)
def test_one_power_action_is_given_for_one_power(edition: str) -> None:
    mine = [fighter("a", "C3", powers=["Charge", "Running Shot"], range=6)]
    given = done("power", "a", using=["Charge", "Running Shot"], path=["D3"], then=[done("ranged", "a", "b")])
    assert "only one of" in refused(fight(edition, mine, [fighter("b", "G3")], given))


@every_row("edition", ALL)
def test_one_free_action_is_given_for_one_power(edition: str) -> None:
    mine = [fighter("a", "C3", powers=["Outwit", "Perplex"])]
    choices = {"counter": "Toughness", "value": "attack", "by": -1}
    given = done("free", "a", "b", using=["Outwit", "Perplex"], choose=choices)
    assert "only one of" in refused(fight(edition, mine, [fighter("b", "G3", powers=["Toughness"])], given))


# ── Releasing (2014) ───────────────────────────────────────────────────────────────────────────


@every_row(
    ("square", "why"),
    [
        ("D2", ""),
        (None, ""),
        ("D3", "isn't a free square"),
        ("E2", "isn't a free square"),
        ("B2", "isn't a free square"),
    ],
)
def test_a_captive_is_released_into_the_starting_area(square: str | None, why: str) -> None:
    mine = [fighter("a", "C2"), fighter("f", "B2")]
    theirs = [fighter("b", "P16"), fighter("c", None, captured_by="a", points=80)]
    home = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:P2"]}]}
    choice = {"choose": {"place": {"c": square}}} if square else {}
    given = done("power", "a", "c", using=["Release"], **choice)
    report = fight(BOOK, mine, theirs, given, board=home)
    assert report["legal"] is not bool(why)
    assert why in refused(report)


def test_no_one_is_released_where_no_square_is_open() -> None:
    mine = [fighter("a", "A1"), fighter("f", "B1")]
    theirs = [fighter("b", "P16"), fighter("c", None, captured_by="a", points=80)]
    home = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:P1"]}]}
    given = done("power", "a", "c", using=["Release"])
    assert "No free square" in refused(fight(BOOK, mine, theirs, given, board=home))


PLACES: list[tuple[list[str], Any, list[str]]] = [
    (["C4", "C5"], ["D5", "D6"], ["D5", "D6"]),
    (["C4", "C5"], ["D5", "D7"], []),
    (["C4", "C5"], ["F7", "F8"], []),
    (["C4", "C5"], "D5", []),
    (["C4", "C5"], ["E4", "E5"], []),
    (["C4", "D4", "C5", "D5"], "B4", ["B4", "C4", "B5", "C5"]),
    (["C4", "D4", "C5", "D5"], ["D5", "E5", "D6", "E6"], []),
    (["C4", "D4", "C5", "D5"], ["B5", "C5", "B6", "D6"], []),
]


@every_row(("base", "named", "squares"), PLACES)
def test_a_larger_base_is_set_down_as_a_whole(base: list[str], named: Any, squares: list[str]) -> None:
    """Carry (2020s) covers every base; multi-base characters occupy legal squares of the same shape."""
    large = fighter("f", None) | {"squares": base, "base": "peanut" if len(base) == 2 else "2x2"}
    del large["square"]
    mine = [fighter("a", "C3", damage_symbol="giant"), large]
    given = done("move", "a", path=["D3"] if len(base) == 4 else ["D4"], carry=["f"], choose={"place": {"f": named}})
    report = fight(MODERN, mine, [fighter("b", "P16"), fighter("c", "E5")], given)
    if squares:
        assert state(report, "f")["squares"] == squares
    else:
        assert "can't be set down" in refused(report)


# ── The beginning of a turn and of the game ────────────────────────────────────────────────────


@every_row(("edition", "legal"), [(DC, True), (BOOK, True), (MODERN, False)])
def test_a_free_action_ends_the_beginning_of_a_turn_in_the_2020s(edition: str, legal: bool) -> None:
    mine = [fighter("a", "C3", powers=["Poison", "Perplex", "Leadership"])]
    perplex = done("free", "a", "a", using=["Perplex"], choose={"value": "attack", "by": 1})
    poison = done("free", "a", using=["Poison"])
    lead = done("free", "a", using=["Leadership"], rolls={"leadership": [[1]]})
    theirs = [fighter("b", "D3")]
    assert fight(edition, mine, theirs, perplex, poison)["legal"] is legal
    assert fight(edition, mine, theirs, lead, poison)["legal"] is True


HOME = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:P2"]}]}


@every_row(
    ("edition", "square", "legal"),
    [(BOOK, "A2", True), (MODERN, "A2", False), (BOOK, "B3", True), (MODERN, "B3", True)],
)
def test_a_figure_carried_in_the_first_round_is_no_longer_immune(edition: str, square: str, legal: bool) -> None:
    """In 2014 being placed is enough; in the 2020s the figure must leave its starting area."""
    mine = [fighter("a", "C2", speed_symbol="wing", damage_symbol="giant"), fighter("f", "D2")]
    lift = walk("a", "B2", carry=["f"], choose={"place": {"f": square}})
    shot = done("ranged", "b", "f", rolls={"attack": [[4, 3]]})
    theirs = [fighter("b", "C9", range=10)]
    turn = {"active": "A", "number": 1}
    report = fight(edition, mine, theirs, lift, done("end-turn", "a"), shot, board=HOME, turn=turn)
    assert report["legal"] is legal


@every_row(("edition", "legal"), [(BOOK, True), (MODERN, False)])
def test_a_figure_placed_at_home_by_telekinesis_is_immune_in_the_2020s_only(edition: str, legal: bool) -> None:
    mine = [fighter("a", "C2", powers=["Telekinesis"], range=8), fighter("f", "D2")]
    lift = done("power", "a", "f", using=["Telekinesis"], choose={"square": "G2"})
    shot = done("ranged", "b", "f", rolls={"attack": [[4, 3]]})
    turn = {"active": "A", "number": 1}
    theirs = [fighter("b", "G9", range=10)]
    report = fight(edition, mine, theirs, lift, done("end-turn", "a"), shot, board=HOME, turn=turn)
    assert report["legal"] is legal


@every_row("edition", [BOOK, MODERN])
def test_sidestep_reaches_two_squares_whatever_the_speed(edition: str) -> None:
    """A fixed number of squares: not the speed value, and not halved when leaving hindering terrain (Moving)."""
    woods = {"terrain": [{"type": "hindering", "squares": ["A1"]}]}
    for speed in (0, 8):
        mine = [fighter("a", "A1", powers=["Sidestep"], speed=speed)]
        asked = [{"ask": "reachable", "of": "a", "using": ["Sidestep"]}]
        report = fight(edition, mine, [fighter("b", "P16")], board=woods, ask=asked)
        assert report["answers"][0]["result"] == [f"{column}{row}" for row in (1, 2, 3) for column in "ABC"]
