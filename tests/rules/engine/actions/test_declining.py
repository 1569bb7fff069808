"""Declining optional powers: what stops applying, for how long, and what can't be declined."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, walk
from tests.tables import every_row

IC, CAR, DC, NEW, MODERN = "ic-2002", "car-2002", "dc-2005", "core-2014", "core-modern"
ALL = (IC, CAR, DC, NEW, MODERN)
SEVEN = {"rolls": {"attack": [[4, 3]]}}
BEHIND = {"terrain": [{"type": "hindering", "squares": ["F5"]}]}


def declines(*named: Any, **keys: Any) -> dict[str, Any]:
    return {"choose": {"decline": list(named)}} | keys


# ── Effects of declining ───────────────────────────────────────────────────────────────────────


@every_row("edition", [IC, CAR, DC])
def test_a_figure_that_declines_charge_is_knocked_back(edition: str) -> None:
    """Charge is optional, and so is its protection from knockback; doubles on an attack that hits knock back."""
    theirs = [fighter("b", "F5", powers=["Charge"]), fighter("z", "P16")]
    doubles = {"rolls": {"attack": [[5, 5]]}}
    chosen = {"knock-back": True}
    stays = fight(edition, [fighter("a", "E5")], theirs, done("close", "a", "b", choose=chosen, **doubles))
    assert state(stays, "b")["square"] == "F5"
    given = done("close", "a", "b", choose=chosen | {"decline": ["charge:b"]}, **doubles)
    assert state(fight(edition, [fighter("a", "E5")], theirs, given), "b")["square"] == "I5"


@every_row("edition", ALL)
@every_row("who", ["d", "b"])
def test_a_shared_defense_can_be_declined_by_its_owner_and_its_user(edition: str, who: str) -> None:
    """Defend lets a friend use it. 10 + 7 misses 19 and hits 16."""
    theirs = [fighter("b", "F5"), fighter("d", "F6", defense=19, powers=["Defend"])]
    given = done("close", "a", "b", **SEVEN)
    assert clicks(fight(edition, [fighter("a", "E5")], theirs, given), "b") == [1]
    report = fight(edition, [fighter("a", "E5")], theirs, given | declines(f"defend:{who}"))
    assert clicks(report, "b") == [4]


def test_a_team_ability_is_declined_by_its_user() -> None:
    """All team abilities are optional (2002): the Defenders' defense isn't used."""
    theirs = [fighter("b", "F5", teams=["Defenders"]), fighter("d", "F6", defense=19, teams=["Defenders"])]
    given = done("close", "a", "b", **SEVEN)
    assert clicks(fight(CAR, [fighter("a", "E5")], theirs, given), "b") == [1]
    assert clicks(fight(CAR, [fighter("a", "E5")], theirs, given | declines("Defenders:b")), "b") == [4]


@every_row("edition", [IC, CAR, DC])
def test_declined_stealth_hides_no_one(edition: str) -> None:
    mine, theirs = [fighter("a", "C5", range=8)], [fighter("b", "F5", powers=["Stealth"])]
    given = done("ranged", "a", "b", rolls={"attack": [[6, 5]]})
    assert "Stealth" in refused(fight(edition, mine, theirs, given, board=BEHIND))
    for named in ("stealth:b", "Stealth:b"):
        assert clicks(fight(edition, mine, theirs, given | declines(named), board=BEHIND), "b") == [4]


def test_super_strength_is_declined_while_nothing_is_held() -> None:
    """Super Strength, FAQ: it isn't optional while the figure carries an object."""
    mine, things = [fighter("a", "E5", powers=["Super Strength"])], [{"id": "o", "kind": "light", "square": "E6"}]
    given = walk("a", "E6", pick_up="o") | declines("super-strength:a")
    assert "without Super Strength" in refused(fight(CAR, mine, [fighter("b", "P16")], given, objects=things))
    held = [mine[0] | {"holding": "o"}]
    given = done("close", "a", "b", **SEVEN) | declines("super-strength:a")
    report = fight(CAR, held, [fighter("b", "F5")], given, objects=[things[0] | {"square": None}])
    assert "holds an object" in refused(report)


def test_in_the_2020s_the_roll_of_impervious_is_declined_and_the_rest_is_not() -> None:
    """Impervious reduces damage by 2; its roll is optional."""
    theirs = [fighter("b", "F5", powers=["Impervious"])]
    given = done("close", "a", "b", **SEVEN)
    assert fight(MODERN, [fighter("a", "E5")], theirs, given)["awaiting"]["roll"] == "impervious:b"
    report = fight(MODERN, [fighter("a", "E5")], theirs, given | declines("impervious:b"))
    assert (clicks(report, "b"), "roll" in steps(report)) == ([2], False)


# ── Duration ───────────────────────────────────────────────────────────────────────────────────


@every_row(("edition", "lasts"), [(IC, True), (CAR, True), (DC, True), (NEW, False), (MODERN, False)])
def test_declining_lasts_until_the_turn_ends_or_for_the_action(edition: str, lasts: bool) -> None:
    """Super Powers (2002, 2005): cancelled until the end of the turn. Powers and Abilities (2014): when it applies."""
    mine = [fighter("a", "E5"), fighter("c", "G5")]
    theirs = [fighter("b", "F5", powers=["Super Senses"]), fighter("z", "P16")]
    first = done("close", "a", "b", **SEVEN) | declines("super-senses:b")
    second = done("close", "c", "b", **SEVEN)
    report = fight(edition, mine, theirs, first, second)
    assert (report["awaiting"] is None) is lasts
    turns = [{"action": "end-turn"}, {"action": "end-turn"}]
    later = fight(edition, mine, theirs, first, *turns, second)
    assert later["awaiting"]["roll"] == "super-senses:b"


@every_row(("edition", "defense"), [(CAR, 16), (NEW, 19)])
def test_questions_after_the_action_know_of_it_while_it_lasts(edition: str, defense: int) -> None:
    theirs = [fighter("b", "F5"), fighter("d", "F6", defense=19, powers=["Defend"])]
    given = done("close", "a", "b", rolls={"attack": [[1, 2]]}) | declines("defend:d")
    asked = [{"ask": "value", "of": "b", "value": "defense"}]
    assert fight(edition, [fighter("a", "E5")], theirs, given, ask=asked)["answers"][0]["result"] == defense


@every_row("edition", [DC, NEW])
def test_it_is_declined_in_what_an_action_grants_too(edition: str) -> None:
    """During a move and after a charge."""
    theirs = [fighter("b", "F5", powers=["Super Senses"]), fighter("z", "P16")]
    inner = done("close", "a", "b", choose={"decline": ["super-senses:b"]})
    charge = done("power", "a", path=["E5"], using=["Charge"], then=[inner], **SEVEN)
    assert clicks(fight(edition, [fighter("a", "D5", powers=["Charge"])], theirs, charge), "b") == [4]
    rush = done("power", "a", path=["E5"], using=["Hypersonic Speed"], then=[inner], **SEVEN)
    assert clicks(fight(edition, [fighter("a", "D5", powers=["Hypersonic Speed"])], theirs, rush), "b") == [4]


# ── What can't be declined ─────────────────────────────────────────────────────────────────────


@every_row(
    ("edition", "power"),
    [
        (CAR, "Toughness"),
        (CAR, "Shape Change"),
        (IC, "Energy Shield/Deflection"),
        (DC, "Shape Change"),
        (NEW, "Charge"),
        (NEW, "Stealth"),
        (NEW, "Impervious"),
        (NEW, "Invincible"),
        (MODERN, "Stealth"),
        (MODERN, "Invincible"),
        (MODERN, "Combat Reflexes"),
    ],
)
def test_powers_that_are_not_optional_cannot_be_declined(edition: str, power: str) -> None:
    given = done("close", "a", "b", **SEVEN) | declines(f"{power}:b")
    report = fight(edition, [fighter("a", "E5")], [fighter("b", "F5", powers=[power])], given)
    assert refused(report) == f"{power} isn't optional: b can't decline it."


@every_row("edition", ALL)
@every_row(
    ("named", "why"),
    [
        ("defend:b", "List each declined power"),
        (["defend"], "List each declined power"),
        ([7], "List each declined power"),
        (["defense:b"], "defense isn't a power or team ability of this rulebook"),
        (["defend:nobody"], "Defend is declined for nobody, but no character has that id"),
    ],
)
def test_an_unknown_choice_is_refused_and_not_ignored(edition: str, named: Any, why: str) -> None:
    given = done("close", "a", "b", choose={"decline": named}, **SEVEN)
    assert why in refused(fight(edition, [fighter("a", "E5")], [fighter("b", "F5", powers=["Defend"])], given))


@every_row("edition", ALL)
def test_declining_a_missing_power_has_no_effect(edition: str) -> None:
    """A choice about a decision that never comes up is ignored."""
    given = done("close", "a", "b", **SEVEN) | declines("defend:a")
    assert clicks(fight(edition, [fighter("a", "E5")], [fighter("b", "F5")], given), "b") == [4]


@every_row("edition", ALL)
def test_what_is_declined_as_a_turn_ends_is_used_again_in_the_next(edition: str) -> None:
    """A card heals b as its turns begin, if its player wants."""
    effect = {"do": "heal", "clicks": 1, "moment": "start-of-turn", "may": True}
    cards = [{"name": "Wing Gust", "kind": "trait", "effects": [effect]}]
    sides = [fighter("a", "C3")], [fighter("b", "H8", click=4, cards=cards)]
    ends = {"action": "end-turn"}
    declined = ends | declines("Wing Gust:b")
    assert clicks(fight(edition, *sides, declined), "b") == [4]
    assert clicks(fight(edition, *sides, declined, ends, ends), "b") == [3]
