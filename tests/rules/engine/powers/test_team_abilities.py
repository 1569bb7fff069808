"""Marvel and DC team abilities of 2002, each with its FAQ, by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, told, walk
from tests.tables import every_row

CAR = "car-2002"
BOTH = ("ic-2002", CAR)
FAR = [fighter("z", "P16")]
END = {"action": "end-turn"}
SEVEN = {"rolls": {"attack": [[4, 3]]}}


def member(team: str, id: str, square: str, **keys: Any) -> dict[str, Any]:
    return fighter(id, square, teams=[team], **keys)


# ── Hydra and Police ───────────────────────────────────────────────────────────────────────────


@every_row(("edition", "team"), [("ic-2002", "Hydra"), (CAR, "Hydra"), (CAR, "Police")])
def test_each_member_beside_the_shooter_that_sees_the_target_adds_1(edition: str, team: str) -> None:
    """10 + 5 misses 16; two members make it 17. They get no token, and needn't be in range."""
    shooter = fighter("a", "C3", range=8)
    given = done("ranged", "a", "b", rolls={"attack": [[3, 2]]})
    members = [member(team, "h", "C2"), member(team, "k", "C4")]
    report = fight(edition, [shooter, *members], [fighter("b", "H3")], given)
    assert told(report, "attack-roll")["numbers"]["attack"] == 12
    assert [state(report, one)["tokens"] for one in "hk"] == [0, 0]


def test_covering_fire_needs_its_own_line_its_place_and_a_shot() -> None:
    """A member behind a wall, one too far apart, and a close attack: nothing is added."""
    given = done("ranged", "a", "b", **SEVEN)
    walled = {"walls": ["C2|D2", "C1|D1", "D2|D3", "C2|C3"]}
    for members in ([member("Hydra", "h", "A3")], [member("Hydra", "h", "C2")]):
        board = walled if members[0]["square"] == "C2" else {}
        report = fight(CAR, [fighter("a", "C3", range=8), *members], [fighter("b", "H3")], given, board=board)
        assert told(report, "attack-roll")["numbers"]["attack"] == 10
    blow = done("close", "a", "b", **SEVEN)
    report = fight(CAR, [fighter("a", "C3"), member("Hydra", "h", "C2")], [fighter("b", "D3")], blow)
    assert told(report, "attack-roll")["numbers"]["attack"] == 10


@every_row(
    ("kind", "helper", "opposing", "cited"),
    [
        ("ranged", ("Hydra", "h", "C2"), False, True),
        ("ranged", ("Hydra", "h", "C5"), False, False),
        ("ranged", ("X-Men", "h", "C2"), False, False),
        ("close", ("Hydra", "h", "C2"), False, False),
        ("close", ("Hydra", "h", "C2"), True, False),
        ("ranged", ("Hydra", "h", "C2"), True, False),
    ],
)
def test_the_roll_cites_the_ability_of_a_member_beside_the_shooter(
    kind: str, helper: tuple[str, str, str], opposing: bool, cited: bool
) -> None:
    """Whether or not it adds anything: here the shooter itself is a member, too, which lends it nothing."""
    target = fighter("b", "D3" if kind == "close" else "H3")
    mine = [member("Hydra", "a", "C3", range=8, symbols={"attack": "sharpshooter"})]
    theirs = [target, *([member(*helper)] if opposing else [])]
    mine += [] if opposing else [member(*helper)]
    topics = told(fight(CAR, mine, theirs, done(kind, "a", "b", **SEVEN)), "attack-roll")["topics"]
    assert ("hydra" in topics) is cited


@every_row(("team", "topic"), [("Spider-Man", "spider-man"), ("Legion of Super Heroes", "legion-of-super-heroes")])
def test_a_wild_card_that_uses_a_lent_attack_is_cited(team: str, topic: str) -> None:
    """A wild card counts as a member: beside a Sinister Syndicate figure with attack 12 it has 12."""
    mine = [member(team, "a", "C3"), member("Sinister Syndicate", "s", "C2", attack=12)]
    report = fight(CAR, mine, [fighter("b", "D3")], done("close", "a", "b", **SEVEN))
    rolled = told(report, "attack-roll")
    assert rolled["numbers"]["attack"] == 12
    assert {"sinister-syndicate", topic} <= set(rolled["topics"])


@every_row("team", ["Sinister Syndicate", "Batman Enemy"])
def test_the_transitive_property_of_attack_values(team: str) -> None:
    """The example: A 10, B 9, C 7 in a row: C attacks with 10."""
    mine = [
        member(team, id, square, attack=value)
        for id, square, value in (("a", "A1", 10), ("b", "B1", 9), ("c", "C1", 7))
    ]
    report = fight(CAR, mine, [fighter("d", "D1")], done("close", "c", "d", **SEVEN))
    assert told(report, "attack-roll")["numbers"]["attack"] == 10


@every_row("team", ["Defenders", "Justice Society"])
def test_the_transitive_property_of_defense_values(team: str) -> None:
    """The example: A 18, B 17, C 15 in a row: C defends with 18."""
    theirs = [
        member(team, id, square, defense=value)
        for id, square, value in (("a", "A1", 18), ("b", "B1", 17), ("c", "C1", 15))
    ]
    report = fight(CAR, [fighter("x", "D1")], theirs, done("close", "x", "c", **SEVEN))
    assert told(report, "miss")["numbers"]["defense"] == 18


@every_row("team", ["Defenders", "Justice Society"])
@every_row("powers", [[], ["Toughness"]])
def test_example_1_and_2_the_printed_value_is_shared_and_no_power_with_it(team: str, powers: list[str]) -> None:
    """A (18, Energy Shield/Deflection) beside B (16): a shot at B meets 18, not 20; B's Toughness works."""
    theirs = [
        member(team, "a", "H3", defense=18, powers=["Energy Shield/Deflection"]),
        member(team, "b", "H4", powers=powers),
    ]
    given = done("ranged", "x", "b", rolls={"attack": [[4, 5]]})
    report = fight(CAR, [fighter("x", "C4", range=8)], theirs, given)
    assert told(report, "hit")["numbers"]["defense"] == 18
    assert clicks(report, "b") == [3 if powers else 4]


# ── Fantastic Four, Mystics ────────────────────────────────────────────────────────────────────


@every_row("edition", BOTH)
def test_a_fallen_member_of_the_fantastic_four_heals_the_others(edition: str) -> None:
    theirs = [
        member("Fantastic Four", "b", "D3", clicks=2),
        member("Fantastic Four", "c", "H8", click=3),
        member("Fantastic Four", "d", "H9"),
        fighter("e", "H7", click=3),
    ]
    report = fight(edition, [fighter("a", "C3")], theirs, done("close", "a", "b", **SEVEN))
    assert clicks(report, "c", "d", "e") == [2, 1, 3]


def test_mystics_retaliate_and_nothing_reduces_it() -> None:
    """1 click to the attacker, past Toughness; a Mystic's retaliation doesn't cause another's; a shot also counts."""
    given = done("close", "a", "b", **SEVEN)
    for attacker in (fighter("a", "C3", powers=["Toughness"]), member("Mystics", "a", "C3")):
        report = fight(CAR, [attacker], [member("Mystics", "b", "D3")], given)
        assert clicks(report, "a", "b") == [2, 4]


def test_mystics_do_not_retaliate_for_a_miss_poison_or_a_push() -> None:
    miss = done("close", "a", "b", rolls={"attack": [[2, 3]]})
    assert clicks(fight(CAR, [fighter("a", "C3")], [member("Mystics", "b", "D3")], miss), "a") == [1]
    poison = done("free", "a", using=["Poison"])
    report = fight(CAR, [fighter("a", "C3", powers=["Poison"])], [member("Mystics", "b", "D3")], poison)
    assert clicks(report, "a", "b") == [1, 2]


def test_a_critical_hit_of_an_attack_without_damage_sets_the_mystics_off_too() -> None:
    """Two 6s of Mind Control deal 1 click: that is damage by an attack."""
    mine = [fighter("a", "C3", powers=["Mind Control"])]
    given = done("close", "a", "b", using=["Mind Control"], rolls={"attack": [[6, 6]]})
    report = fight(CAR, mine, [member("Mystics", "b", "D3")], given)
    assert clicks(report, "a", "b") == [2, 2]


# ── X-Men and Titans ───────────────────────────────────────────────────────────────────────────


def exchange(*given: dict[str, Any], team: str = "X-Men", **keys: Any) -> dict[str, Any]:
    mine = [
        member(team, "a", "A1", click=3, **keys),
        member(team, "b", "A2", click=3),
        member(team, "c", "H8", click=3),
        member(team, "d", "B1"),
        fighter("e", "B2", click=3),
    ]
    return fight(CAR, mine, FAR, *given)


@every_row("team", ["X-Men", "Titans"])
def test_one_takes_a_click_and_the_other_heals_one(team: str) -> None:
    report = exchange(done("move", "a", "b", using=[team]), team=team)
    assert clicks(report, "a", "b") == [4, 2]
    assert [state(report, one)["tokens"] for one in "ab"] == [1, 0]


@every_row(
    ("given", "why"),
    [
        (walk("a", "B3", targets=["b"], using=["X-Men"]), "X-Men doesn't move a"),
        (done("move", "a", "a", using=["X-Men"]), "isn't a friendly member"),
        (done("move", "a", "e", using=["X-Men"]), "isn't a friendly member"),
        (done("move", "a", "c", using=["X-Men"]), "aren't adjacent"),
        (done("move", "a", "d", using=["X-Men"]), "has no damage to heal"),
    ],
)
def test_figures_that_exchange_no_click(given: dict[str, Any], why: str) -> None:
    assert why in refused(exchange(given))


def test_a_pair_exchanges_once_a_turn() -> None:
    again = done("move", "b", "a", using=["X-Men"])
    report = exchange(done("move", "a", "b", using=["X-Men"]), again)
    assert "have already exchanged a click this turn" in refused(report)
    assert exchange(done("move", "a", "b", using=["X-Men"]), END, END, again)["legal"] is True


# ── Avengers, Brotherhood, Justice League ──────────────────────────────────────────────────────

FREE_MOVES = ["Avengers", "The Brotherhood", "Justice League"]


@every_row("team", FREE_MOVES)
def test_a_free_move_uses_none_of_the_actions_and_gives_a_token(team: str) -> None:
    """One action at 100 points: the free move, and another figure's action as well."""
    mine = [member(team, "a", "A1"), fighter("f", "H8"), fighter("g", "H9")]
    moves = (walk("a", "B1", using=[team]), walk("f", "I8"))
    report = fight(CAR, mine, FAR, *moves, build_total=100)
    assert [state(report, one)["tokens"] for one in "af"] == [1, 1]
    assert "A has given 1 of 1 actions" in refused(fight(CAR, mine, FAR, *moves, walk("g", "I9"), build_total=100))


@every_row("team", FREE_MOVES)
@every_row(
    ("given", "why"),
    [
        (
            {"using": ["Barrier"], "path": [], "choose": {"squares": ["D1", "E1", "D2", "E2"]}},
            "doesn't move its user",
        ),
        ({"using": ["Charge"], "then": [{"action": "close", "actor": "a", "targets": ["b"]}]}, "No attack is allowed"),
        ({"using": []} | {"then": [{"action": "close", "actor": "a", "targets": ["b"]}]}, "No attack is allowed"),
    ],
)
def test_what_is_not_done_in_a_free_move(team: str, given: dict[str, Any], why: str) -> None:
    mine = [member(team, "a", "A1", powers=["Barrier", "Charge"], range=6)]
    using = [team, *given["using"]]
    report = fight(CAR, mine, [fighter("b", "D1")], walk("a", "B1 C1", **SEVEN) | given | {"using": using})
    assert why in refused(report)


# ── Masters of Evil, Injustice League ──────────────────────────────────────────────────────────


def gang(*given: dict[str, Any], team: str = "Masters of Evil", **parts: Any) -> dict[str, Any]:
    mine = [member(team, "a", "C3"), member(team, "b", "C4"), member(team, "c", "H8"), fighter("d", "E9")]
    theirs = [fighter("x", "D3"), fighter("y", "H9")]
    return fight(CAR, mine, theirs, *given, build_total=100, **parts)


def together(actor: str, *targets: str, team: str = "Masters of Evil") -> dict[str, Any]:
    return done("close", actor, *targets, using=[team], **SEVEN)


@every_row("team", ["Masters of Evil", "Injustice League"])
def test_members_beside_one_opponent_attack_with_one_action(team: str) -> None:
    """3 + 3 clicks, a token for each, and the turn's second action is used."""
    report = gang(together("a", "x", team=team), together("b", "x", team=team), team=team)
    assert clicks(report, "x") == [7]
    assert [state(report, one)["tokens"] for one in "ab"] == [1, 1]


@every_row(
    ("given", "why"),
    [
        ((together("a", "x"), done("close", "b", "x", **SEVEN)), "has given 1 of 1 actions"),
        ((together("c", "y"),), "Fewer than 2 of the Masters of Evil are adjacent to y"),
        ((done("close", "a", "x", "y", using=["Masters of Evil"], **SEVEN),), "can share only a close attack"),
        ((together("a", "x"), together("a", "x")), "has already been given an action"),
    ],
)
def test_what_the_masters_of_evil_do_not_share(given: tuple[dict[str, Any], ...], why: str) -> None:
    assert why in refused(gang(*given))


def test_a_target_knocked_away_by_the_first_attack_cannot_be_attacked_by_the_others() -> None:
    """Double 5s knock x away: b is no longer adjacent and attacks no one."""
    first = together("a", "x") | {"rolls": {"attack": [[5, 5]]}}
    report = gang(first, together("b", "x"))
    assert state(report, "x")["square"] == "G3"
    assert report["legal"] is False


def test_no_one_gathers_around_a_figure_off_the_map() -> None:
    mine = [member("Masters of Evil", "a", "C3"), member("Masters of Evil", "b", "C4")]
    report = fight(CAR, mine, [fighter("x", None), *FAR], together("a", "x"))
    assert "The target isn't on the map" in refused(report)


# ── Superman Enemy, Superman Ally, Batman Ally ─────────────────────────────────────────────────


def enemies(actor: str, *points: int, counter: str = "Toughness", **keys: Any) -> dict[str, Any]:
    squares = ("A1", "A2", "B1")
    mine = [
        member("Superman Enemy", id, square, points=cost, **keys)
        for id, square, cost in zip("abc", squares, points, strict=False)
    ]
    given = done("free", actor, "x", using=["Outwit"], choose={"counter": counter})
    return fight(CAR, mine, [fighter("x", "C3", powers=["Toughness"])], given)


@every_row(("actor", "legal"), [("a", True), ("b", True), ("c", False)])
def test_superman_enemies_of_75_60_and_44_points(actor: str, legal: bool) -> None:
    """Three pairs: 75 has Outwit; against 44 it has it already; 60 has it against 44."""
    assert enemies(actor, 75, 60, 44)["legal"] is legal


def test_of_two_equals_one_has_outwit_and_of_two_apart_neither() -> None:
    assert enemies("a", 50, 50)["legal"] is True
    assert enemies("b", 50, 50)["legal"] is True
    both = fight(
        CAR,
        [member("Superman Enemy", "a", "A1"), member("Superman Enemy", "b", "A2")],
        [fighter("x", "C3", powers=["Toughness", "Flurry"])],
        done("free", "a", "x", using=["Outwit"], choose={"counter": "Toughness"}),
        done("free", "b", "x", using=["Outwit"], choose={"counter": "Flurry"}),
    )
    assert refused(both).endswith("b's click doesn't show it, and Superman Enemy doesn't grant it now.")
    apart = [member("Superman Enemy", "a", "A1", points=60), member("Superman Enemy", "b", "H8")]
    report = fight(CAR, apart, [fighter("x", "C3", powers=["Toughness"])], done("free", "a", "x", using=["Outwit"]))
    assert "a can't use Outwit now" in refused(report)
    assert "superman-enemy" in told(report, "illegal")["topics"]


def test_a_granted_outwit_can_be_outwitted() -> None:
    """FAQ: an opponent may Outwit this newly granted Outwit; then the figure doesn't have it."""
    mine = [member("Superman Enemy", "a", "A1", points=75), member("Superman Enemy", "b", "A2", points=60)]
    theirs = [fighter("x", "C3", powers=["Outwit", "Toughness"])]
    first = done("free", "x", "a", using=["Outwit"], choose={"counter": "Outwit"})
    own = done("free", "a", "x", using=["Outwit"], choose={"counter": "Toughness"})
    report = fight(CAR, mine, theirs, first, END, own, turn={"active": "B", "number": 8})
    assert state(report, "a")["countered"] == ["Outwit"]
    assert "a can't use Outwit now" in refused(report)


@every_row(("team", "total"), [("Superman Ally", 16), ("Avengers", 17)])
def test_a_superman_ally_sees_past_hindering_terrain_and_walks_through_it(team: str, total: int) -> None:
    board = {"terrain": [{"type": "hindering", "squares": ["D3", "C4"]}]}
    shot = done("ranged", "a", "b", rolls={"attack": [[3, 4]]})
    report = fight(CAR, [member(team, "a", "C3", range=8)], [fighter("b", "H3")], shot, board=board)
    assert told(report, "hit")["numbers"]["defense"] == total
    moved = fight(CAR, [member(team, "a", "C3")], FAR, walk("a", "C4 C5"), board=board)
    assert moved["legal"] is (team == "Superman Ally")


def test_a_batman_ally_in_cover_is_no_target_but_of_a_superman_ally() -> None:
    board = {"terrain": [{"type": "hindering", "squares": ["H3"]}]}
    shot = done("ranged", "a", "b", **SEVEN)
    for team, legal in (("Avengers", False), ("Superman Ally", True)):
        report = fight(CAR, [member(team, "a", "C3", range=8)], [member("Batman Ally", "b", "H3")], shot, board=board)
        assert report["legal"] is legal


# ── S.H.I.E.L.D. ───────────────────────────────────────────────────────────────────────────────


def shielded(
    *agents: str, kind: str = "ranged", before: tuple[dict[str, Any], ...] = (), **keys: Any
) -> dict[str, Any]:
    mine = [
        fighter("a", "C3", range=8),
        member("S.H.I.E.L.D.", "s", "C2", **keys),
        member("S.H.I.E.L.D.", "t", "C4"),
        member("S.H.I.E.L.D.", "u", "K9"),
        fighter("f", "B3"),
    ]
    target = "b" if kind == "ranged" else "c"
    theirs = [fighter("b", "H3"), fighter("c", "P16")] if kind == "ranged" else [fighter("c", "D3")]
    given = done(kind, "a", target, assist=list(agents), **SEVEN)
    return fight(CAR, mine, theirs, *before, given, build_total=300)


def test_several_agents_each_add_a_click_and_take_an_action() -> None:
    report = shielded("s", "t")
    assert clicks(report, "b") == [6]
    assert [state(report, one)["tokens"] for one in "ast"] == [1, 1, 1]


def test_an_agent_cannot_help_by_a_book_that_does_not_know_its_team() -> None:
    mine = [fighter("a", "C3", range=8), member("S.H.I.E.L.D.", "s", "C2")]
    report = fight("dc-2005", mine, [fighter("b", "H3")], done("ranged", "a", "b", assist=["s"]), build_total=300)
    assert refused(report) == "s's S.H.I.E.L.D. isn't adjudicated: decide by its card."


def test_a_pushed_agent_takes_its_click() -> None:
    report = shielded("s", tokens=1)
    assert (clicks(report, "s"), state(report, "s")["tokens"]) == ([2], 2)


@every_row(
    ("agents", "keys", "why"),
    [
        (("f",), {}, "can't use the S.H.I.E.L.D. team ability"),
        (("s",), {"kind": "close"}, "helps only ranged attacks"),
        (("u",), {}, "u and a aren't adjacent"),
        (("s", "s"), {}, "s can help only 1 attack a turn"),
        (("s",), {"tokens": 2}, "s has 2 action tokens"),
        (("s", "t"), {"before": (walk("f", "B4"), walk("u", "K8"))}, "No action is left for"),
    ],
)
def test_which_agents_do_not_help(agents: tuple[str, ...], keys: dict[str, Any], why: str) -> None:
    assert why in refused(shielded(*agents, **keys))


# ── Skrulls ────────────────────────────────────────────────────────────────────────────────────


@every_row(("die", "click"), [(6, 1), (5, 4)])
def test_skrulls_fool_their_attacker_on_a_6(die: int, click: int) -> None:
    given = done("close", "a", "b", rolls={"attack": [[4, 3]], "skrull:b": [[die]]})
    spare = ["attack"] if die == 6 else []
    report = fight(CAR, [fighter("a", "C3")], [member("Skrulls", "b", "D3")], given, spare=spare)
    assert clicks(report, "b") == [click]
    assert steps(report).count("attack-roll") == (0 if die == 6 else 1)


def test_one_of_two_targets_may_be_a_skrull() -> None:
    """The fooled attack isn't made; the other target is still attacked."""
    given = done("ranged", "a", "b", "c", rolls={"attack": [[4, 3]], "skrull:b": [[6]]})
    shooter = fighter("a", "C3", range=8, bolts=2)
    report = fight(CAR, [shooter], [member("Skrulls", "b", "H3"), fighter("c", "H5")], given)
    assert clicks(report, "b")[0] == 1
    assert clicks(report, "c")[0] > 1


def test_shape_change_does_not_fool_a_sentinel_and_may_be_declined_from_2014_on() -> None:
    from .test_speed_2002 import sentinel

    given = done("close", "s", "b", **SEVEN)
    report = fight(CAR, [sentinel("s", "B3")], [fighter("b", "D3", powers=["Shape Change"])], given)
    assert clicks(report, "b") == [4]
    given = done("close", "a", "b", **SEVEN, choose={"decline": ["shape-change:b"]})
    report = fight("core-2014", [fighter("a", "C3")], [fighter("b", "D3", powers=["Shape Change"])], given)
    assert clicks(report, "b") == [4]


# ── Rulings and notes follow the helper ────────────────────────────────────────────────────────


@every_row(
    ("kind", "mine", "theirs", "keys"),
    [
        ("close", [("Sinister Syndicate", "a", "C3", {}), ("Minions of Doom", "w", "C2", {"attack": 12})], [], {}),
        ("close", [], [("Defenders", "b", "D3", {}), ("Minions of Doom", "w", "E3", {"defense": 18})], {}),
        ("ranged", [("Minions of Doom", "w", "C2", {}), ("Hydra", "h", "A1", {})], [], {}),
        ("ranged", [("Minions of Doom", "w", "C2", {}), ("S.H.I.E.L.D.", "h", "A1", {})], [], {"assist": ["w"]}),
    ],
    ids=["lends its attack", "lends its defense", "helps a shot", "helps as an agent"],
)
def test_a_wild_card_that_helps_brings_the_ruling_that_it_counts_as_a_member(
    kind: str, mine: list[Any], theirs: list[Any], keys: dict[str, Any]
) -> None:
    ours = [member(team, id, square, **more) for team, id, square, more in mine]
    others = [member(team, id, square, **more) for team, id, square, more in theirs]
    ours += [] if any(one["id"] == "a" for one in ours) else [fighter("a", "C3", range=8)]
    others += [] if others else [fighter("b", "D3" if kind == "close" else "H3")]
    report = fight(CAR, ours, others, done(kind, "a", "b", **SEVEN, **keys))
    assert ("faq-minions-count-as-members", "decides") in [(one["id"], one["weight"]) for one in report["rulings"]]
    alone = [{**one, "teams": ["Hydra"]} if one["id"] == "w" else one for one in (*ours, *others)]
    for one in alone:
        one.pop("attack", None)
    report = fight(CAR, alone[: len(ours)], alone[len(ours) :], done(kind, "a", "b", **SEVEN))
    assert "faq-minions-count-as-members" not in [one["id"] for one in report["rulings"]]


@every_row(
    ("mine", "theirs", "helper"),
    [
        ([("Sinister Syndicate", "a", "C3"), ("Sinister Syndicate", "s", "C2")], [("Hydra", "b", "D3")], "s"),
        ([("Hydra", "a", "C3")], [("Justice Society", "b", "D3"), ("Justice Society", "s", "E3")], "s"),
    ],
)
@every_row("soars", [True, False])
def test_a_soaring_member_that_shares_no_value_is_noted(
    mine: list[Any], theirs: list[Any], helper: str, soars: bool
) -> None:
    def placed(sides: list[Any]) -> list[dict[str, Any]]:
        wing = {"symbols": {"speed": "wing"}, "attack": 12, "defense": 18, **({"flight": "soaring"} if soars else {})}
        return [member(team, id, square, **(wing if id == helper else {})) for team, id, square in sides]

    report = fight(CAR, placed(mine), placed(theirs), done("close", "a", "b", **SEVEN))
    notes = [step["text"] for step in report["steps"] if step["step"] == "note"]
    assert ["only one of them is soaring" in note for note in notes] == [True] * soars


# ── A wild card uses one team ability at a time, passive ones included ─────────────────────────


@every_row("team", ["Minions of Doom", "Spider-Man", "Legion of Super Heroes"])
def test_a_wild_card_that_sees_past_hindering_terrain_does_not_share_an_attack(team: str) -> None:
    """Superman Ally clears the line, so Batman Enemy's attack value isn't used; unless Superman Ally is declined."""
    friends = [member("Superman Ally", "s", "A1"), member("Batman Enemy", "e", "C2", attack=12)]
    board = {"terrain": [{"type": "hindering", "squares": ["E3"]}]}
    for choose, attack, defense in ((None, 10, 16), ({"decline": ["superman-ally:a"]}, 12, 17)):
        given = done("ranged", "a", "b", **SEVEN, **({"choose": choose} if choose else {}))
        mine = [member(team, "a", "C3", range=8), *friends]
        report = fight(CAR, mine, [fighter("b", "H3")], given, board=board)
        assert told(report, "attack-roll")["numbers"]["attack"] == attack
        assert told(report, "hit")["numbers"]["defense"] == defense
        notes = [step["text"] for step in report["steps"] if step["step"] == "note"]
        aside = (
            "a is a wild card and can use only 1 team ability at a time, so it can't use Batman Enemy, which would "
            "give it attack 12."
        )
        assert notes == ([] if choose else [aside])
    mine = [member(team, "a", "C3", range=8), *friends]
    clear = fight(CAR, mine, [fighter("b", "H4")], done("ranged", "a", "b", **SEVEN))
    assert told(clear, "attack-roll")["numbers"]["attack"] == 12


def test_a_wild_card_lends_one_team_ability_at_a_time() -> None:
    """Hydra and the Police each add 1; a wild card beside the shooter adds 1, and nothing where it helps as an agent."""
    friends = [member("Hydra", "h", "A1"), member("Police", "p", "P1"), member("S.H.I.E.L.D.", "s", "A16")]
    mine = [fighter("a", "C3", range=8), member("Spider-Man", "w", "C2", range=8), *friends]
    for assist, attack, dealt in (([], 11, 3), (["w"], 10, 4)):
        given = done("ranged", "a", "b", **SEVEN, **({"assist": assist} if assist else {}))
        report = fight(CAR, mine, [fighter("b", "H3")], given)
        assert told(report, "attack-roll")["numbers"]["attack"] == attack
        assert told(report, "damage-dealt")["numbers"]["damage"] == dealt


def test_a_wild_card_that_rolled_as_a_skrull_does_not_share_a_defense_nor_retaliate() -> None:
    theirs = [
        member("Minions of Doom", "b", "D3"),
        member("Skrulls", "k", "P1"),
        member("Defenders", "d", "D2", defense=18),
        member("Mystics", "m", "P2"),
    ]
    given = done("close", "a", "b", rolls={"attack": [[4, 3]], "skrull:b": [[2]]})
    report = fight(CAR, [fighter("a", "C3")], theirs, given)
    assert told(report, "hit")["numbers"]["defense"] == 16
    assert clicks(report, "a", "b") == [1, 4]
    declined = done("close", "a", "b", choose={"decline": ["skrulls:b", "defenders:b"]}, **SEVEN)
    assert clicks(fight(CAR, [fighter("a", "C3")], theirs, declined), "a", "b") == [2, 4]


def test_a_wild_card_in_a_free_move_of_one_team_does_not_use_another() -> None:
    """Justice League moves it freely; Superman Ally would ignore hindering terrain; each attack and move for itself."""
    mine = [
        member("Legion of Super Heroes", "a", "C3"),
        member("Justice League", "j", "P1"),
        member("Superman Ally", "s", "P2"),
    ]
    board = {"terrain": [{"type": "hindering", "squares": ["D3"]}]}
    free = fight(CAR, mine, FAR, walk("a", "D3 E3", using=["Justice League"]), board=board)
    assert "only 1 team ability at a time, so it can't use Superman Ally now" in refused(free)
    assert fight(CAR, mine, FAR, walk("a", "D3 E3"), board=board)["legal"] is True


def test_a_wild_card_that_is_defended_by_one_team_does_not_retaliate_by_another() -> None:
    """In one attack the Defenders' value excludes the Mystics' retaliation, and the report says so."""
    theirs = [member("Spider-Man", "b", "D3", defense=14), member("Mystics", "m", "P1")]
    beside = [*theirs, member("Defenders", "d", "E3", defense=16)]
    struck = done("close", "a", "b", rolls={"attack": [[4, 5]]})
    report = fight(CAR, [fighter("a", "C3")], beside, struck)
    assert clicks(report, "a", "b") == [1, 4]
    assert told(report, "note")["text"] == (
        "b is a wild card and can use only 1 team ability at a time, so it can't use Mystics now."
    )
    assert clicks(fight(CAR, [fighter("a", "C3")], theirs, struck), "a", "b") == [2, 4]


def test_the_refusal_to_carry_several_names_the_team_ability_that_a_wild_card_leaves_unused() -> None:
    """The Avengers' free move excludes the passengers of the Green Lantern Corps."""
    flying = {"speed_symbol": "wing"}
    mine = [
        member("Spider-Man", "a", "C3", **flying),
        *(fighter(name, square) for name, square in (("p", "C4"), ("q", "D4"))),
        member("Avengers", "v", "P1"),
        member("Green Lantern Corps", "g", "P2"),
    ]
    places = {"place": {"p": "C5", "q": "D5"}}
    both = walk("a", "D3 E3", using=["Avengers"], carry=["p", "q"], choose=places)
    assert "so it can't use Green Lantern Corps now" in refused(fight(CAR, mine, FAR, both))


def test_a_second_shared_action_has_its_own_members() -> None:
    """The member of the first, beside another target, doesn't count for the second."""
    evil = [member("Masters of Evil", id, square) for id, square in (("a", "C4"), ("e", "G4"))]
    evil.append(member("Masters of Evil", "c", "E4", clicks=1))
    given = [
        done("close", actor, target, using=["Masters of Evil"], rolls={"attack": [dice]})
        for actor, target, dice in (("a", "b", [1, 2]), ("c", "d", [1, 1]), ("e", "d", [1, 2]))
    ]
    report = fight(CAR, evil, [fighter("b", "D4"), fighter("d", "F4")], *given)
    assert state(report, "c")["ko"] is True
    assert "Fewer than 2 of the Masters of Evil are adjacent to d" in refused(report)
