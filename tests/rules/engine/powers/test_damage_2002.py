"""Damage powers and Mastermind: experts, Perplex, Outwit, Leadership, Support, damage taken by others; by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, told, walk
from tests.tables import every_row

from .test_speed_2002 import sentinel

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
BOTH = ("ic-2002", CAR)
FAR = [fighter("z", "P16")]
END = {"action": "end-turn"}
SEVEN = {"rolls": {"attack": [[4, 3]]}}


# ── The two experts ────────────────────────────────────────────────────────────────────────────


@every_row("edition", (*BOTH, DC, NEW, MODERN))
@every_row(("name", "kind", "at"), [("Close Combat Expert", "close", "B1"), ("Ranged Combat Expert", "ranged", "E1")])
def test_an_expert_adds_2_against_a_single_target(edition: str, name: str, kind: str, at: str) -> None:
    """3 + 2 clicks."""
    given = done(kind, "a", "b", using=[name], **SEVEN)
    report = fight(edition, [fighter("a", "A1", powers=[name], range=6)], [fighter("b", at)], given)
    assert clicks(report, "b") == [6]


def expert(
    given: dict[str, Any],
    *friends: dict[str, Any],
    powers: tuple[str, ...] = (),
    before: tuple[dict[str, Any], ...] = (),
    **keys: Any,
) -> dict[str, Any]:
    own = ["Ranged Combat Expert", "Close Combat Expert", *powers]
    mine = [fighter("a", "C3", powers=own, **({"range": 6, "bolts": 2} | keys)), *friends]
    things = [{"id": "o", "kind": "light", "square": None}] if keys.get("holding") else []
    return fight(
        CAR, mine, [fighter("b", "C8"), fighter("c", "H3"), fighter("d", "P16")], *before, given, objects=things
    )


def shot(*targets: str, using: tuple[str, ...] = (), **keys: Any) -> dict[str, Any]:
    return done("ranged", "a", *targets, using=["Ranged Combat Expert", *using], **(SEVEN | keys))


EXPERTS: list[Any] = [
    (shot("b", "c"), (), {}, "works only against a single target"),
    (shot("b", using=("Psychic Blast",)), (), {"powers": ("Psychic Blast",)}, "can't be used with Psychic Blast"),
    (
        walk("a", "C4", using=["Running Shot"], then=[shot("b")]),
        (),
        {"powers": ("Running Shot",)},
        "can't be used with Running Shot",
    ),
    (
        shot("b"),
        (fighter("f", "C2", powers=["Perplex"]),),
        {"before": (done("free", "f", "a", using=["Perplex"], choose={"value": "attack", "by": 1}),)},
        "Perplex modifies a's values",
    ),
]


@every_row(("given", "friends", "keys", "why"), EXPERTS)
def test_an_expert_works_alone(
    given: dict[str, Any], friends: tuple[dict[str, Any], ...], keys: dict[str, Any], why: str
) -> None:
    assert why in refused(expert(given, *friends, **keys))


def test_the_experts_printed_damage_counts_and_enhancement_does_not() -> None:
    """FAQ: no Enhancement; S.H.I.E.L.D. may add a click: 3 + 2 + 1."""
    friends = (fighter("e", "B3", powers=["Enhancement"]), fighter("s", "D3", teams=["S.H.I.E.L.D."]))
    assert clicks(expert(shot("b"), *friends), "b") == [6]
    assert clicks(expert(shot("b", assist=["s"]), *friends), "b") == [7]


def test_an_expert_uses_no_object_in_hand_and_adds_nothing_to_a_thrown_one() -> None:
    """Steenbock 2002-05-07: it doesn't work with thrown objects: a light one deals 2."""
    blow = done("close", "a", "c", using=["Close Combat Expert"], **SEVEN)
    mine = [fighter("a", "G3", powers=["Close Combat Expert", "Super Strength"], holding="o")]
    report = fight(CAR, mine, [fighter("c", "H3")], blow, objects=[{"id": "o", "kind": "light", "square": None}])
    assert "can't be used with a held object" in refused(report)
    report = expert(shot("b", with_object="o"), powers=("Super Strength",), holding="o")
    assert clicks(report, "b") == [3]


# ── Perplex ────────────────────────────────────────────────────────────────────────────────────


def perplex(
    target: str, value: Any = "attack", by: Any = 1, *more: dict[str, Any], edition: str = CAR, **parts: Any
) -> dict[str, Any]:
    mine = [fighter("a", "C3", powers=["Perplex"], range=8), fighter("f", "B4")]
    theirs = [fighter("b", "H3"), fighter("c", "P16"), fighter("s", "C9", powers=["Stealth"])]
    choose = {} if value is None else {"value": value} | ({} if by is None else {"by": by})
    given = done("free", "a", target, using=["Perplex"], choose=choose)
    return fight(edition, mine, theirs, given, *more, **parts)


@every_row("edition", (*BOTH, DC, NEW, MODERN))
@every_row(("value", "by", "now"), [("attack", 1, 11), ("defense", -1, 15), ("speed", 1, 9), ("damage", -1, 2)])
def test_perplex_moves_a_value_by_1(edition: str, value: str, by: int, now: int) -> None:
    ask = [{"ask": "value", "of": "f", "value": value}]
    report = perplex("f", value, by, edition=edition, ask=ask)
    assert report["answers"][0]["result"] == now
    assert state(report, "a")["tokens"] == 0


@every_row(("edition", "later"), [(CAR, 16), (DC, 16), (NEW, 15), (MODERN, 15)])
def test_how_long_perplex_lasts(edition: str, later: int) -> None:
    """Until the turn ends (2002, 2005), until its player's next turn begins (2014, 2020s)."""
    ask = [{"ask": "value", "of": "b", "value": "defense"}]
    assert perplex("b", "defense", -1, END, edition=edition, ask=ask)["answers"][0]["result"] == later
    assert perplex("b", "defense", -1, END, END, edition=edition, ask=ask)["answers"][0]["result"] == 16


@every_row(("edition", "left"), [(CAR, 10), (NEW, 11)])
def test_damage_ends_perplex_in_2002(edition: str, left: int) -> None:
    """If the perplexed character is damaged or healed, the effect ends (2002)."""
    mine = [fighter("a", "C3", powers=["Perplex"]), fighter("f", "D3")]
    given = done("free", "a", "f", using=["Perplex"], choose={"value": "attack", "by": 1})
    hit = done("close", "f", "b", rolls={"attack": [[1, 1]]})
    ask = [{"ask": "value", "of": "f", "value": "attack"}]
    report = fight(edition, mine, [fighter("b", "E3")], given, hit, ask=ask)
    assert (clicks(report, "f"), report["answers"][0]["result"]) == ([2], left)


@every_row(
    ("target", "value", "by", "why"),
    [
        ("f", "luck", 1, "luck isn't a combat value"),
        ("f", "attack", 2, "can only add or subtract 1"),
        ("f", "attack", "1", "can only add or subtract 1"),
        ("c", "attack", 1, "Perplex reaches 10 squares, and c is"),
        ("P1", "attack", 1, "1 character as the target"),
    ],
)
def test_what_perplex_does_not_do(target: str, value: str, by: Any, why: str) -> None:
    assert why in refused(perplex(target, value, by))


def test_perplex_asks_what_and_by_how_much_and_works_once_a_turn() -> None:
    assert perplex("f", None)["awaiting"]["choice"] == "value"
    assert perplex("f", "attack", None)["awaiting"]["choice"] == "by"
    again = done("free", "a", "b", using=["Perplex"], choose={"value": "attack", "by": -1})
    assert "has already used Perplex this turn" in refused(perplex("f", "attack", 1, again))
    assert perplex("f", "attack", 1, END, END, again)["legal"] is True


def test_perplex_does_not_see_stealth_in_cover_and_reaches_no_one_off_the_map() -> None:
    cover = {"terrain": [{"type": "hindering", "squares": ["C9"]}]}
    report = perplex("s", board=cover)
    assert "is hindering terrain, which blocks lines to a character with Stealth" in refused(report)
    assert "stealth" in told(report, "illegal")["topics"]
    gone = fighter("g", None)
    given = done("free", "a", "g", using=["Perplex"], choose={"value": "attack", "by": 1})
    report = fight(CAR, [fighter("a", "C3", powers=["Perplex"])], [gone, *FAR], given)
    assert "g isn't on the map" in refused(report)


# ── Outwit ─────────────────────────────────────────────────────────────────────────────────────


def outwit(counter: str | None, target: str = "b", *more: dict[str, Any], **keys: Any) -> dict[str, Any]:
    mine = [fighter("a", "C3", powers=["Outwit"]), fighter("f", "B4")]
    theirs = [fighter("b", "H3", **({"powers": ["Toughness"]} | keys))]
    choose = {"counter": counter} if counter else {}
    return fight(CAR, mine, theirs, done("free", "a", target, using=["Outwit"], choose=choose), *more)


def test_outwit_lasts_until_the_outwitters_next_turn() -> None:
    assert state(outwit("Toughness"), "b")["countered"] == ["Toughness"]
    assert state(outwit("Toughness", "b", END), "b")["countered"] == ["Toughness"]
    back = outwit("Toughness", "b", END, END)
    assert "countered" not in state(back, "b") or state(back, "b")["countered"] == []
    assert "has Toughness again: A's next turn has begun" in back["steps"][-1]["text"]


def test_soaring_is_turned_off_too() -> None:
    """FORMATS.md: `soaring` may be countered too."""
    flier = {"speed_symbol": "wing", "flight": "soaring", "powers": []}
    assert state(outwit("soaring", **flier), "b")["countered"] == ["soaring"]
    assert "isn't soaring" in refused(outwit("soaring"))


@every_row(
    ("counter", "target", "why"),
    [
        ("Toughness", "f", "f is friendly to a"),
        ("Impervious", "b", "doesn't show Impervious"),
        ("Avengers", "b", "Outwit can't counter Avengers: it is a team ability"),
    ],
)
def test_what_outwit_does_not_turn_off(counter: str, target: str, why: str) -> None:
    assert why in refused(outwit(counter, target))


def test_outwit_asks_which_power() -> None:
    waiting = outwit(None)["awaiting"]
    assert (waiting["choice"], waiting["options"]) == ("counter", ["Toughness"])


def test_a_lost_outwit_gives_the_power_back() -> None:
    """FAQ: if the figure loses Outwit, the outwitted power is active again at once."""
    thinker = fighter("a", "C3", powers=["Outwit"], tokens=1)
    thinker["dial"] = [thinker["dial"][0], {**thinker["dial"][0], "powers": []}]
    given = done("free", "a", "b", using=["Outwit"], choose={"counter": "Toughness"})
    report = fight(CAR, [thinker], [fighter("b", "H3", powers=["Toughness"])], given, walk("a", "C4"))
    assert clicks(report, "a") == [2]
    assert "a can't use Outwit any more" in report["steps"][-1]["text"]
    assert not state(report, "b").get("countered")


# ── Leadership ─────────────────────────────────────────────────────────────────────────────────


@every_row(("die", "total"), [(4, 2), (3, 1)])
def test_leadership_raises_the_action_total_of_its_turn(die: int, total: int) -> None:
    """The extra action is added to the player's action total for that turn only."""
    ask = [{"ask": "action-total", "player": player} for player in ("A", "B")]
    mine = [fighter("a", "C3", powers=["Leadership"])]
    given = done("free", "a", using=["Leadership"], rolls={"leadership": [[die]]})
    report = fight("car-2002", mine, [fighter("z", "P16")], given, build_total=100, ask=ask)
    assert [answer["result"] for answer in report["answers"]] == [total, 1]
    later = fight("car-2002", mine, [fighter("z", "P16")], given, {"action": "end-turn"}, build_total=100, ask=ask)
    assert [answer["result"] for answer in later["answers"]] == [1, 1]


def lead(*dice: int, edition: str = CAR, more: tuple[dict[str, Any], ...] = (), **parts: Any) -> dict[str, Any]:
    mine = [fighter("a", "C3", powers=["Leadership"], points=60), fighter("f", "D3", powers=["Leadership"])]
    names = ("a", "f")
    given = [
        done("free", name, using=["Leadership"], rolls={"leadership": [[die]]})
        for name, die in zip(names, dice, strict=False)
    ]
    return fight(edition, mine, FAR, *given, *more, build_total=100, **parts)


@every_row(("dice", "actions"), [((3,), 1), ((4,), 2), ((6,), 2), ((4, 5), 2), ((1, 5), 2), ((2, 2), 1)])
def test_leadership_adds_one_action_however_many_lead(dice: tuple[int, ...], actions: int) -> None:
    """4, 5 or 6; only one extra action each turn, even with more than one figure."""
    moves = (walk("a", "C4"), walk("f", "D4"))
    report = lead(*dice, more=moves)
    assert report["legal"] is (actions == 2)
    if len(dice) == 2 and min(dice) >= 4:
        assert any("1 action has already been added" in step["text"] for step in report["steps"])


def test_the_extra_action_is_mentioned_if_none_is_left() -> None:
    report = lead(4, more=(walk("a", "C4"), walk("f", "D4"), END, END, walk("a", "C5"), walk("f", "D5")))
    assert "A has given 1 of 1 actions this turn" in refused(report)


@every_row("edition", [NEW, MODERN])
def test_leadership_takes_a_cheaper_neighbours_token_from_2014_on(edition: str) -> None:
    """Powers and Abilities Card: 5 and 6."""
    mine = [
        fighter("a", "C3", powers=["Leadership"], points=60),
        fighter("f", "D3", tokens=1),
        fighter("g", "H8", tokens=1),
    ]
    mine.append(fighter("h", "C4", points=60, tokens=1))

    def led(target: str | None, die: int = 5) -> dict[str, Any]:
        names = [target] if target else []
        return fight(edition, mine, FAR, done("free", "a", *names, using=["Leadership"], rolls={"leadership": [[die]]}))

    assert state(led("f"), "f")["tokens"] == 0
    assert state(led("f", 4), "f")["tokens"] == 1
    assert led(None)["legal"] is True
    assert "g isn't a friendly character adjacent to a" in refused(led("g"))
    assert "h must cost less than a" in refused(led("h"))
    mine[1] = fighter("f", "D3")
    assert "loses an action token" not in led("f")["steps"][-1]["text"]


# ── Support ────────────────────────────────────────────────────────────────────────────────────


def support(
    dice: list[int], heal: int | None = None, *theirs: dict[str, Any], edition: str = CAR, **keys: Any
) -> dict[str, Any]:
    mine = [
        fighter("a", "C3", powers=["Support"], click=2),
        fighter("f", "D3", **({"click": 6} | keys)),
        fighter("h", "H9", click=6),
    ]
    rolls = {"support": [dice]} | ({"support-heal": [[heal]]} if heal else {})
    kind = "close" if edition.endswith("2002") else "power"
    return fight(edition, mine, [*theirs, *FAR], done(kind, "a", keys.get("whom", "f"), using=["Support"], rolls=rolls))


@every_row("edition", (*BOTH, DC, NEW, MODERN))
def test_support_heals_by_a_die(edition: str) -> None:
    """10 + 6 reaches 16; a roll of 3 heals 3 clicks."""
    assert clicks(support([4, 2], 3, edition=edition), "f") == [3]
    assert clicks(support([3, 2], edition=edition), "f") == [6]


@every_row(("edition", "hurt"), [(CAR, [3, 6]), (DC, [2, 7]), (NEW, [2, 7])])
def test_two_1s_of_support_hurt_the_healer_or_the_patient(edition: str, hurt: list[int]) -> None:
    """Rolling 2 and 12: the healer in 2002, the patient later."""
    assert clicks(support([1, 1], edition=edition), "a", "f") == hurt


def test_two_6s_of_support_heal_one_click_more() -> None:
    assert clicks(support([6, 6], 3), "f") == [2]


def test_support_stops_at_the_starting_click() -> None:
    report = support([4, 2], 6, click=3)
    assert (clicks(report, "f"), told(report, "heal")["numbers"]) == ([1], {"clicks": 6, "healed": 2})


@every_row(
    ("theirs", "why"),
    [([fighter("b", "C2")], "a is adjacent to an opponent"), ([fighter("b", "E3")], "f is adjacent to an opponent")],
)
def test_no_support_beside_an_opponent(theirs: list[dict[str, Any]], why: str) -> None:
    assert why in refused(support([4, 2], 3, *theirs))


@every_row(("whom", "why"), [("h", "n't adjacent"), ("z", "isn't friendly"), ("a", "can't target itself")])
def test_figures_that_support_does_not_reach(whom: str, why: str) -> None:
    mine = [fighter("a", "C3", powers=["Support"]), fighter("h", "H9", click=6)]
    given = done("close", "a", whom, using=["Support"], rolls={"support": [[4, 2]]})
    assert why in refused(fight(CAR, mine, FAR, given))


def test_support_does_not_affect_a_sentinel() -> None:
    mine = [fighter("a", "C3", powers=["Support"]), sentinel("s", "D3", click=4)]
    given = done("close", "a", "s", using=["Support"], rolls={"support": [[4, 2]], "support-heal": [[3]]})
    assert "Support doesn't affect s" in refused(fight(CAR, mine, FAR, given))


# ── Mastermind ─────────────────────────────────────────────────────────────────────────────────


def deflect(
    to: str | None,
    *,
    powers: tuple[str, ...] = (),
    friend: dict[str, Any] | None = None,
    edition: str = CAR,
    **choose: Any,
) -> dict[str, Any]:
    theirs = [
        fighter("b", "D3", powers=["Mastermind"], points=60),
        fighter("f", "D4", points=20, powers=list(powers), **(friend or {})),
        fighter("g", "H9", points=20),
        fighter("h", "E3", points=60),
    ]
    given = done("close", "a", "b", **SEVEN, choose={"mastermind:b": to} | choose)
    return fight(edition, [fighter("a", "C3")], theirs, given)


@every_row("edition", (*BOTH, DC))
def test_mastermind_has_a_cheaper_neighbour_take_it(edition: str) -> None:
    """All 3 clicks go to one adjacent friend, whose own powers may reduce them."""
    assert clicks(deflect("f", edition=edition), "b", "f") == [1, 4]
    assert clicks(deflect("f", powers=("Toughness",), edition=edition), "b", "f") == [1, 3]


def test_impervious_does_not_help_a_figure_that_takes_deflected_damage() -> None:
    """Chapeau 2002-09-25: it reduces only damage of an attack that targets its owner."""
    assert clicks(deflect("f", powers=("Impervious",)), "b", "f") == [1, 4]


def test_mastermind_is_not_used_unless_a_figure_is_named() -> None:
    assert clicks(deflect(None), "b", "f") == [4, 1]


@every_row(
    ("to", "why"),
    [
        ("nobody", "No character has the id nobody"),
        ("a", "a isn't a friendly character on the map"),
        ("g", "b and g aren't adjacent"),
        ("h", "h must cost less than b"),
    ],
)
def test_figures_that_mastermind_does_not_deflect_to(to: str, why: str) -> None:
    assert why in refused(deflect(to))


def test_a_declined_reducer_reduces_nothing() -> None:
    """Impervious is optional: if declined, there is no roll, and the figure takes all 3."""
    given = done("close", "a", "b", **SEVEN, choose={"decline": ["impervious:b"]})
    report = fight(CAR, [fighter("a", "C3")], [fighter("b", "D3", powers=["Impervious"])], given)
    assert clicks(report, "b") == [4]
    assert "roll" not in steps(report)
