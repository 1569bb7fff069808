"""Horde tokens that stack and unstack (Stacking and Unstacking Horde Tokens, 2014), and relics (Relics, 2014); by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import done, fight, fighter, refused, state, steps, walk
from tests.tables import every_row

NEW = "core-2014"
FAR = [fighter("z", "P16")]


def horde(id: str, square: str | None, stack: int, **keys: Any) -> dict[str, Any]:
    made = fighter(id, square, clicks=1, kind="horde", stack=stack, **({"stack_max": 4, "points": 10 * stack} | keys))
    return made | {"name": "Skeleton", "set": "x", "number": keys.get("number", "b1")}


def stacks(report: dict[str, Any], *names: str) -> list[tuple[str | None, int, int]]:
    found = [state(report, name) for name in names]
    return [(one["square"], one["stack"], one["tokens"]) for one in found]


def joins(one: dict[str, Any], other: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return fight(NEW, [one, other], parts.pop("theirs", FAR), walk("a", "E6 E7"), **parts)


def test_a_token_merges_into_the_stack_that_it_enters_and_the_stack_gets_the_action_token() -> None:
    report = joins(horde("a", "E5", 1), horde("b", "E7", 2))
    assert stacks(report, "a", "b") == [(None, 1, 0), ("E7", 3, 1)]


def test_a_single_token_brings_no_action_token_to_a_stack_that_has_one() -> None:
    assert stacks(joins(horde("a", "E5", 1), horde("b", "E7", 2, tokens=1)), "b") == [("E7", 3, 1)]
    pushed = joins(horde("a", "E5", 2), horde("b", "E7", 2, tokens=1))
    assert stacks(pushed, "b") == [("E7", 3, 2)], "a stack that joins pushes: one token of four is lost"
    assert "push" in steps(pushed)


def test_no_more_than_the_most_merge_and_the_others_stay_one_square_before() -> None:
    report = joins(horde("a", "E5", 3), horde("b", "E7", 2))
    assert stacks(report, "a", "b") == [("E6", 1, 0), ("E7", 4, 1)]
    assert "already has 4 tokens" in refused(joins(horde("a", "E5", 1), horde("b", "E7", 4)))


def test_only_identical_friendly_tokens_merge() -> None:
    assert "Skeleton occupies it" in refused(joins(horde("a", "E5", 1), horde("b", "E7", 2, number="b2")))
    assert "b occupies it" in refused(joins(horde("a", "E5", 1), fighter("b", "E7")))
    assert refused(fight(NEW, [horde("a", "E5", 1)], [horde("b", "E7", 1)], walk("a", "E6 E7")))


def test_merging_ends_the_action_that_moved_it() -> None:
    charger = horde("a", "E5", 1)
    charger["dial"][0]["powers"] = ["Charge"]
    given = done("power", "a", using=["Charge"], path=["E6", "E7"], then=[done("close", "a", "z")])
    report = fight(NEW, [charger, horde("b", "E7", 1)], [fighter("z", "F8")], given)
    assert stacks(report, "b") == [("E7", 2, 1)]
    assert "attack-roll" not in steps(report)


def test_two_objects_cannot_be_held_by_one_stack() -> None:
    things = [{"id": "o", "kind": "ultra-light", "square": None}, {"id": "p", "kind": "ultra-light", "square": None}]
    report = joins(horde("a", "E5", 1, holding="o"), horde("b", "E7", 1, holding="p"), objects=things)
    assert state(report, "b")["holding"] == "p"
    assert report["state"]["objects"]["o"] == {"square": "E7", "removed": False, "held_by": None}
    report = joins(horde("a", "E5", 1, holding="o"), horde("b", "E7", 1), objects=things[:1])
    assert state(report, "b")["holding"] == "o"


def test_a_token_that_joins_brings_its_perplexed_values() -> None:
    raised = [{"value": "attack", "by": 1, "source": "Perplex"}]
    asked = [{"ask": "value", "of": "b", "value": "attack"}]
    for theirs in ([], raised):
        report = joins(horde("a", "E5", 1, modifiers=raised), horde("b", "E7", 2, modifiers=theirs), ask=asked)
        assert report["answers"][0]["result"] == 11


def test_a_stack_is_worth_all_its_tokens() -> None:
    """3 tokens of 10 points: what the merged stack loses scores 10."""
    blow = done("close", "z", "b", rolls={"attack": [[5, 4]]})
    end = {"action": "end-turn"}
    near = [fighter("z", "F8")]
    report = fight(NEW, [horde("a", "E5", 1), horde("b", "E7", 2)], near, walk("a", "E6 E7"), end, blow)
    assert stacks(report, "b") == [("E7", 2, 1)]
    assert report["state"]["victory_points"] == {"A": 0, "B": 10}


def leaves(*more: dict[str, Any], choose: Any = True, theirs: Any = FAR, path: str = "E6 E5", **keys: Any):
    mine = [horde("b", "E7", 3, **keys), horde("c", None, 1)]
    return fight(NEW, mine, theirs, walk("b", path, choose={"unstack": choose}), *more)


def test_a_token_leaves_a_stack_that_has_not_acted_and_the_stack_may_act_still() -> None:
    report = leaves(walk("b", "E8"))
    assert stacks(report, "b", "c") == [("E8", 2, 1), ("E5", 1, 1)]
    assert stacks(leaves(choose="c"), "b", "c") == [("E7", 2, 0), ("E5", 1, 1)]


def test_it_has_to_break_away_like_anyone() -> None:
    near = [fighter("z", "F8")]
    given = {"choose": {"unstack": True}, "rolls": {"break-away": [[1]]}}
    mine = [horde("b", "E7", 3), horde("c", None, 1)]
    report = fight(NEW, mine, near, walk("b", "E6 E5", **given))
    assert stacks(report, "b", "c") == [("E7", 3, 1), (None, 1, 0)]


@every_row(
    ("keys", "why"),
    [
        ({"acted": True, "tokens": 1}, "already"),
        ({"choose": "z"}, "off the map"),
        ({"path": ""}, "must move away"),
    ],
)
def test_who_cannot_unstack(keys: dict[str, Any], why: str) -> None:
    assert why in refused(leaves(**keys))


def test_a_single_token_has_no_stack_to_leave() -> None:
    mine = [horde("b", "E7", 1), horde("c", None, 1)]
    assert "isn't a stack" in refused(fight(NEW, mine, FAR, walk("b", "E6", choose={"unstack": True})))


# ── Relics ─────────────────────────────────────────────────────────────────────────────────────

RING = [{"id": "o", "kind": "immobile", "special": True, "square": "E5", "name": "Ring"}]


def rolls(die: int | None, *, choose: Any = None, at: str = "E5", edition: str = NEW, **keys: Any) -> dict[str, Any]:
    given = done("power", "a", **({"using": ["Relic"]} | keys))
    given |= {"rolls": {"relic": [[die]]}} if die else {}
    given |= {"choose": {"relic": choose}} if choose is not None else {}
    return fight(edition, [fighter("a", at)], [fighter("b", "E9", range=8)], given, objects=RING)


def test_a_relic_is_assigned_by_its_die_to_a_figure_on_it() -> None:
    report = rolls(5, choose=5)
    assert report["state"]["objects"]["o"] == {"square": None, "removed": False, "held_by": "a"}
    assert state(report, "a")["tokens"] == 1
    assert rolls(4, choose=5)["state"]["objects"]["o"]["square"] == "E5"
    assert rolls(None)["awaiting"] == {
        "roll": "relic",
        "dice": 1,
        "player": "A",
        "why": "A rolls 1 die for the relic roll.",
        "action": 0,
        "then": [],
    }


def test_the_relics_card_says_which_roll_suffices() -> None:
    report = rolls(6)
    assert "decide by its card" in report["steps"][-2]["text"]
    assert report["state"]["objects"]["o"]["square"] == "E5"
    for least, most in ((0, 7), (-1, 9)):
        assert "from 1 to 6" in refused(rolls(6, choose=least))
        assert "from 1 to 6" in refused(rolls(6, choose=most))
    for needed in (1, 6):
        assert rolls(6, choose=needed)["state"]["objects"]["o"]["held_by"] == "a"


def test_the_relic_may_be_named_and_lies_in_the_same_square_in_2014_only() -> None:
    assert rolls(5, choose=5, using=[], targets=["o"])["state"]["objects"]["o"]["held_by"] == "a"
    assert "No relic" in refused(rolls(5, at="E6"))
    assert refused(rolls(5, edition="dc-2005", using=[], targets=["o"]))


def test_a_relic_stays_where_its_owner_was_knocked_out() -> None:
    given = done("power", "a", using=["Relic"], rolls={"relic": [[6]]}, choose={"relic": 2})
    shot = done("ranged", "b", "a", rolls={"attack": [[5, 4]]})
    mine = [fighter("a", "E5", clicks=3)]
    report = fight(NEW, mine, [fighter("b", "E9", range=8)], given, {"action": "end-turn"}, shot, objects=RING)
    assert state(report, "a")["ko"] is True
    assert report["state"]["objects"]["o"] == {"square": "E5", "removed": False, "held_by": None}


def test_tokens_are_identical_by_set_and_number_whatever_their_names() -> None:
    """Horde Tokens: those with the same set symbol and collector's number."""
    other = horde("b", "E7", 2)
    assert stacks(joins(horde("a", "E5", 1), other | {"name": "Zombie"}), "b") == [("E7", 3, 1)]
    assert "Skeleton occupies it" in refused(joins(horde("a", "E5", 1), other | {"number": "b2"}))
