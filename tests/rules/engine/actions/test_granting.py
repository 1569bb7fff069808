"""Which actions may be given, when, and what they use: refusals of every book, tokens, turns; by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, told, walk
from tests.tables import every_row

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
ALL = ("ic-2002", CAR, DC, NEW, MODERN)
FAR = [fighter("z", "P16")]
END = {"action": "end-turn"}
SEVEN = {"rolls": {"attack": [[4, 3]]}}


def attempt(edition: str, *given: dict[str, Any], **keys: Any) -> dict[str, Any]:
    mine = [fighter("a", "C3", **keys), fighter("f", "H8")]
    return fight(edition, mine, [fighter("b", "D3"), *FAR], *given)


@every_row("edition", ALL)
@every_row(
    ("given", "keys", "why"),
    [
        ([walk("z", "P15")], {}, "It's A's turn"),
        ([walk("f", "H9"), walk("f", "H8")], {}, "has already been given an action this turn"),
        ([walk("a", "C4")], {"tokens": 2}, "has 2 action tokens"),
        ([done("close", "a", "b", using=["Flurry"])], {}, "a can't use Flurry now"),
        ([done("close", "a")], {}, "An attack needs a target"),
        ([done("close", "a", "b", "b")], {}, "can't target the same character twice"),
        ([done("close", "a", "b", "z")], {}, "a can attack only 1 target, not 2"),
        ([done("ranged", "a", "z", "b")], {"bolts": 0, "range": 20}, "a can attack only 1 target, not 2"),
        ([done("ranged", "a", "z", "b", "f")], {"bolts": 2, "range": 20}, "a can attack only 2 targets, not 3"),
        (
            [walk("a", "B3", then=[done("close", "a", "b")], rolls={"break-away": [[6]]})],
            {},
            "A move action grants no attack",
        ),
    ],
)
def test_what_no_book_allows(edition: str, given: list[dict[str, Any]], keys: dict[str, Any], why: str) -> None:
    assert why in refused(attempt(edition, *given, **keys))


def test_no_one_off_the_map_is_given_anything() -> None:
    gone = fighter("g", None)
    for given in (walk("g", "A1"), done("free", "g", using=["Perplex"])):
        report = fight(
            CAR, [fighter("a", "C3"), gone | {"dial": [gone["dial"][0] | {"powers": ["Perplex"]}]}], FAR, given
        )
        assert "g isn't on the map" in refused(report)
    report = fight(
        CAR, [fighter("a", "C3")], [fighter("b", "D3", powers=["Perplex"])], done("free", "b", using=["Perplex"])
    )
    assert "It's A's turn" in refused(report)


@every_row(
    ("edition", "given", "keys", "why"),
    [
        (CAR, done("close", "a", "b", using=["Charge"]), {"powers": ["Charge"]}, "Charge needs a move action"),
        (NEW, walk("a", "C4", using=["Charge"]), {"powers": ["Charge"]}, "Charge needs a power action"),
        (NEW, done("power", "a"), {}, "Name the power that the power action uses"),
        (NEW, done("double-power", "a"), {"tokens": 1}, "can't be given a double power action"),
        (CAR, done("double-power", "a"), {}, "This rulebook has no double power actions"),
        (NEW, done("free", "a", path=["C4"]), {}, "Name the power that the free action uses"),
        (MODERN, done("free", "a", then=[done("close", "a", "b")]), {}, "Name the power that the FREE action uses"),
        (
            DC,
            done("power", "a", using=["Toughness"], path=["C4"]),
            {"powers": ["Toughness"]},
            "Toughness can't be used with a power action",
        ),
        (
            NEW,
            done("free", "a", using=["Toughness", "Willpower"], then=[done("close", "a", "b")]),
            {"powers": ["Toughness", "Willpower"]},
            "Toughness and Willpower can't be used with a free action",
        ),
        (DC, done("close", "a", "b", using=["Capture"]), {}, "This rulebook has no Capture"),
        (MODERN, done("close", "a", "b", using=["Rescue"]), {}, "This rulebook has no Rescue"),
        (
            DC,
            done("close", "a", "b", flight="soaring"),
            {"speed_symbol": "wing"},
            "a can't change its flight mode in a close combat action",
        ),
        (CAR, done("power", "a", using=["Toughness"]), {"powers": ["Toughness"]}, "This rulebook has no power actions"),
        (
            NEW,
            done("close", "a", "b", using=["Flurry", "Exploit Weakness"]),
            {"powers": ["Flurry", "Exploit Weakness"]},
            "can't be used together",
        ),
        (
            CAR,
            done("close", "a", "b", using=["Flurry"]),
            {"powers": ["Flurry"], "countered": ["Flurry"]},
            "can't use Flurry",
        ),
        (
            NEW,
            done("power", "a", using=["Charge"], then=[done("ranged", "a", "b")]),
            {"powers": ["Charge"]},
            "This action grants no ranged combat action",
        ),
    ],
)
def test_what_an_action_uses(edition: str, given: dict[str, Any], keys: dict[str, Any], why: str) -> None:
    assert why in refused(attempt(edition, given, **keys))


@every_row(
    ("has", "names", "changes"),
    [
        (None, "hovering", False),
        (None, "soaring", True),
        ("hovering", "hovering", False),
        ("hovering", "soaring", True),
        ("soaring", "soaring", False),
        ("soaring", "hovering", True),
    ],
)
def test_a_figure_that_attacks_may_name_only_the_flight_mode_that_it_has(
    has: str | None, names: str, changes: bool
) -> None:
    shot = done("ranged", "a", "b", flight=names, **SEVEN)
    report = attempt(DC, shot, speed_symbol="wing", range=20, **({"flight": has} if has else {}))
    assert ("can't change its flight mode" in str(report["steps"])) is changes


def test_a_countered_power_is_refused_with_the_ruling_of_outwit() -> None:
    report = attempt(CAR, done("close", "a", "b", using=["Flurry"]), powers=["Flurry"], countered=["Flurry"])
    assert {"flurry", "outwit", "counter"} <= set(told(report, "illegal")["topics"])


def test_unknown_powers_are_refused() -> None:
    report = attempt(CAR, done("close", "a", "b", using=["Juggling"], **SEVEN))
    assert "a can't use Juggling now" in refused(report)


def test_a_2020s_object_action_joins_no_other_action() -> None:
    """Using Objects as Weapons: only one of the object actions uses an object."""
    mine = [fighter("a", "C3", powers=["Flurry"], holding="o")]
    given = done("close", "a", "b", "b", using=["Flurry"], with_object="o", rolls={"attack": [[4, 3], [4, 3]]})
    report = fight(MODERN, mine, [fighter("b", "D3")], given, objects=[{"id": "o", "kind": "light", "square": None}])
    assert "Flurry and the use of an object each need their own action" in refused(report)


def test_a_double_power_action_gives_two_tokens_and_says_that_its_card_decides() -> None:
    report = attempt(NEW, done("double-power", "f"))
    assert (state(report, "f")["tokens"], clicks(report, "f")) == (2, [2])
    assert "ruling" in steps(report)


def test_an_unknown_power_is_declared_and_left_to_its_card() -> None:
    report = attempt(NEW, done("power", "a", using=["Seismic Song"]), powers=["Seismic Song"])
    assert "Seismic Song isn't adjudicated: decide by its card" in told(report, "ruling")["text"]
    assert state(report, "a")["tokens"] == 1


def test_a_move_that_picks_up_and_carries_is_declared_with_both() -> None:
    mine = [fighter("a", "C3", powers=["Super Strength"], speed_symbol="wing"), fighter("f", "C4")]
    given = walk("a", "D3", carry=["f"], pick_up="o", choose={"place": {"f": "E3"}})
    report = fight(CAR, mine, FAR, given, objects=[{"id": "o", "kind": "light", "square": "C2"}])
    assert {"carry", "pick-up", "super-strength"} <= set(report["steps"][0]["topics"])


@every_row("edition", ALL)
def test_a_figure_knocked_out_by_its_own_action_gets_no_token(edition: str) -> None:
    given = done("close", "a", "b", rolls={"attack": [[1, 1]]})
    report = fight(edition, [fighter("a", "C3", clicks=1), fighter("f", "H8")], [fighter("b", "D3")], given)
    assert state(report, "a")["ko"] is True
    assert "token" not in steps(report)


def test_what_an_action_grants_ends_with_its_actor() -> None:
    """Charge with two 1s on the last click knocks its own actor out: nothing is left to push."""
    mine = [fighter("a", "A3", powers=["Charge"], clicks=1, tokens=1), fighter("f", "H8")]
    inner = [done("close", "a", "b"), done("close", "a", "b")]
    given = walk("a", "B3 C3", using=["Charge"], then=inner, rolls={"attack": [[1, 1], [4, 3]]})
    report = fight(CAR, mine, [fighter("b", "D3")], given, spare=["attack"])
    assert (state(report, "a")["ko"], clicks(report, "b")) == (True, [1])


# ── Turns ──────────────────────────────────────────────────────────────────────────────────────


@every_row("edition", ALL)
def test_ending_a_turn_clears_the_tokens_of_those_who_rested(edition: str) -> None:
    mine = [fighter("a", "C3", tokens=1), fighter("f", "H8", tokens=2), fighter("g", "H10")]
    report = fight(edition, mine, FAR, walk("g", "H11"), END)
    assert [state(report, one)["tokens"] for one in "afg"] == [0, 0, 1]
    cleared = told(report, "clear-tokens")
    assert cleared["text"] == "A removes the action tokens of a and f. g acted this turn and keeps its tokens."
    nothing = fight(edition, [fighter("a", "C3")], FAR, END)
    assert told(nothing, "clear-tokens")["text"] == "A has no action tokens to remove."
    keeping = fight(edition, mine[2:], FAR, walk("g", "H11"), END)
    none = "A removes no action tokens. g acted this turn and keeps its tokens."
    assert told(keeping, "clear-tokens")["text"] == none


def test_a_team_unknown_to_the_book_grants_no_power() -> None:
    report = fight(CAR, [fighter("a", "C3", teams=["Nobodies"])], FAR, walk("a", "C4", using=["Outwit"]))
    assert refused(report) == "a can't use Outwit now: a's click doesn't show it."


def test_a_player_without_figures_has_no_turn() -> None:
    document = {
        "edition": CAR,
        "build_total": 100,
        "map": {"width": 8, "height": 8},
        "sides": [
            {"player": "A", "characters": [fighter("a", "A1")]},
            {"player": "B", "characters": [fighter("b", None)]},
            {"player": "C", "characters": [fighter("c", "H8")]},
        ],
        "actions": [END, END],
    }
    from rules.engine import adjudicate

    report = adjudicate(document)
    assert [step["text"] for step in report["steps"] if step["step"] == "turn"] == [
        "A's turn ends; it is C's turn.",
        "C's turn ends; it is A's turn.",
    ]
    document["sides"] = [{"player": "A", "characters": []}, {"player": "B", "characters": []}]
    assert "it is B's turn" in adjudicate(document)["steps"][1]["text"]


def test_a_pass_costs_nothing_with_or_without_a_name() -> None:
    report = fight(CAR, [fighter("a", "C3")], FAR, {"action": "pass"}, {"action": "pass", "actor": "a"})
    assert [step["text"] for step in report["steps"]] == [
        "A passes.",
        "a passes: it gets no action token and spends no action.",
    ]
    assert state(report, "a")["tokens"] == 0


@every_row(("edition", "later", "lasts"), [(NEW, False, "round"), (MODERN, True, "turn")])
def test_first_immunity(edition: str, later: bool, lasts: str) -> None:
    """2014: in the first round until given an action; 2020s: until each has finished a turn, in its starting area."""
    home = {"terrain": [{"type": "starting-area", "player": "B", "squares": ["C1:E4"]}]}
    given = done("close", "a", "b", **SEVEN)
    report = fight(
        edition, [fighter("a", "C5")], [fighter("b", "D4")], given, board=home, turn={"active": "A", "number": 1}
    )
    assert f"b still has first-{lasts} immunity." in refused(report)
    acted = fighter("b", "D4", acted=True)
    report = fight(edition, [fighter("a", "C5")], [acted], given, board=home, turn={"active": "A", "number": 2})
    assert (report["legal"] is False) is later
    told_so = fighter("b", "D4", immune=False)
    report = fight(edition, [fighter("a", "C5")], [told_so], given, board=home, turn={"active": "A", "number": 1})
    assert clicks(report, "b") == [4]


def test_a_figure_that_has_acted_in_the_first_round_is_not_immune_for_its_rest() -> None:
    home = {"terrain": [{"type": "starting-area", "player": "A", "squares": ["A1:D4"]}]}
    blow = done("close", "b", "a", **SEVEN)
    rested = fight(
        NEW, [fighter("a", "D4")], [fighter("b", "D5")], END, blow, board=home, turn={"active": "A", "number": 1}
    )
    assert "a still has first-" in refused(rested)
    moved = fight(
        NEW,
        [fighter("a", "D4")],
        [fighter("b", "D5")],
        walk("a", ""),
        END,
        blow,
        board=home,
        turn={"active": "A", "number": 1},
    )
    assert clicks(moved, "a") == [4]


@every_row(("edition", "words"), [(CAR, "close combat action"), (DC, "close combat action"), (MODERN, "CLOSE action")])
def test_an_action_is_called_what_its_book_calls_it(edition, words):
    report = fight(
        edition, [fighter("a", "A1")], [fighter("b", "A2")], done("close", "a", "b", rolls={"attack": [[2, 3]]})
    )
    assert told(report, "declare")["text"] == f"a is given a {words}."
