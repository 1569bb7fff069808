"""Speed powers of the later books: attacks during a move, Force Blast by a die, Sidestep, and refusals; by hand."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import clicks, done, fight, fighter, refused, state, steps, walk
from tests.tables import every_row

DC, NEW, MODERN = "dc-2005", "core-2014", "core-modern"
FAR = [fighter("z", "P16")]
SEVEN = {"rolls": {"attack": [[4, 3]]}}


def run(path: str, *inner: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return done("power", "a", using=["Hypersonic Speed"], path=path.split(), then=list(inner), **keys)


def runner(edition: str, given: dict[str, Any], **keys: Any) -> dict[str, Any]:
    mine = [
        fighter("a", "A1", **({"powers": ["Hypersonic Speed"], "range": 6} | keys)),
        fighter("f", "A2", powers=["Flurry"]),
    ]
    return fight(edition, mine, [fighter("b", "F1")], given)


BLOW = done("close", "a", "b", at="E1")


@every_row("edition", [DC, NEW])
def test_hypersonic_speed_attacks_in_mid_move(edition: str) -> None:
    """Four squares, a close attack, four squares: eight in all; the ninth is refused."""
    on = BLOW | {"path": ["E2", "E3", "E4", "E5"]}
    report = runner(edition, run("B1 C1 D1 E1", on, **SEVEN))
    assert (state(report, "a")["square"], clicks(report, "b"), state(report, "a")["tokens"]) == ("E5", [4], 1)
    far = BLOW | {"path": ["E2", "E3", "E4", "E5", "E6"]}
    assert "can move only 4" in refused(runner(edition, run("B1 C1 D1 E1", far, **SEVEN)))


def test_the_range_is_halved_in_a_hypersonic_shot() -> None:
    """Half of 6 is 3: from C1 to F1 three squares; from B1 four are too many."""
    shot = done("ranged", "a", "b", at="C1")
    assert clicks(runner(NEW, run("B1 C1 D1", shot, **SEVEN)), "b") == [4]
    assert "beyond a's range of 3" in refused(runner(NEW, run("B1 C1 D1", shot | {"at": "B1"}, **SEVEN)))


@every_row(
    ("given", "keys", "why"),
    [
        (run("B1 C1 D1 E1", BLOW, BLOW), {}, "Hypersonic Speed grants only 1 attack"),
        (run("B1 C1", BLOW), {}, "The path doesn't lead through E1"),
        (run("B1", done("move", "a", at="B1")), {}, "grants only a close or ranged attack, and only to a"),
        (run("B1 C1 D1 E1", BLOW | {"actor": "f"}), {}, "grants only a close or ranged attack, and only to a"),
        (run("B1 C1 D1 E1", BLOW | {"using": ["Flurry"]}), {}, "a can't use Flurry now"),
        (
            run("B1 C1 D1 E1", BLOW | {"using": ["Quake"]}),
            {"powers": ["Hypersonic Speed", "Quake"]},
            "Hypersonic Speed grants only an attack: Quake needs its own action",
        ),
    ],
)
def test_what_a_hypersonic_move_does_not_grant(given: dict[str, Any], keys: dict[str, Any], why: str) -> None:
    assert why in refused(runner(NEW, given, **keys))


def test_a_power_of_the_other_kind_of_attack_is_refused_in_2005() -> None:
    keys = {"powers": ["Hypersonic Speed", "Pulse Wave", "Blades/Claws/Fangs"]}
    wrong = BLOW | {"using": ["Pulse Wave"]}
    assert "Pulse Wave can't be used in a close attack" in refused(
        runner(DC, run("B1 C1 D1 E1", wrong, **SEVEN), **keys)
    )
    right = BLOW | {"using": ["Blades/Claws/Fangs"]}
    rolls = {"rolls": {"attack": [[4, 3]], "damage": [[5]]}}
    assert clicks(runner(DC, run("B1 C1 D1 E1", right, **rolls), **keys), "b") == [6]


def test_the_attack_may_come_before_the_first_step_or_after_the_last() -> None:
    first = done("close", "a", "b", at="A1", path=["A2"])
    mine = [fighter("a", "A1", powers=["Hypersonic Speed"])]
    report = fight(NEW, mine, [fighter("b", "B1")], run("", first, **SEVEN))
    assert (state(report, "a")["square"], clicks(report, "b")) == ("A2", [4])
    last = done("close", "a", "b", path=["A3"])
    report = fight(
        NEW, [fighter("a", "A3", powers=["Hypersonic Speed"])], [fighter("b", "B1")], run("A2", last, **SEVEN)
    )
    assert (state(report, "a")["square"], clicks(report, "b")) == ("A3", [4])


def test_an_object_is_picked_up_before_or_after_the_attack() -> None:
    """Picked up on the part of the path nearest to it: not available to the first attack, or used in it."""
    strong = {"powers": ["Hypersonic Speed", "Super Strength"]}
    inner = done("close", "a", "b", at="E1", path=["E2", "E3"])
    for square, click in (("B2", 6), ("E4", 4)):
        things = [{"id": "o", "kind": "heavy", "square": square}]
        mine = [fighter("a", "A1", **strong)]
        report = fight(NEW, mine, [fighter("b", "F1")], run("B1 C1 D1 E1", inner, pick_up="o", **SEVEN), objects=things)
        assert (clicks(report, "b"), state(report, "a")["square"]) == ([click], "E3")
        assert report["state"]["objects"]["o"]["removed"] is (square == "B2")
        assert (state(report, "a")["holding"] == "o") is (square == "E4")


def test_a_runner_that_falls_in_mid_move_runs_no_further() -> None:
    inner = BLOW | {"path": ["E2"]}
    given = run("B1 C1 D1 E1", inner, rolls={"attack": [[1, 1]]})
    report = fight(
        NEW,
        [fighter("a", "A1", powers=["Hypersonic Speed"], clicks=1), fighter("f", "A9")],
        [fighter("b", "F1")],
        given,
    )
    assert state(report, "a")["ko"] is True
    assert steps(report).count("move") == 1


@every_row("edition", [DC, NEW])
def test_a_transporter_beside_an_opponent_moves_without_an_attack(edition: str) -> None:
    mover = fighter("a", "A1", speed_symbol="transporter-boot")
    inner = [done("close", "a", "b", at="B1")]
    given = walk("a", "B1", then=inner, rolls={"attack": [[4, 3]], "break-away": [[6]]})
    report = fight(edition, [mover], [fighter("b", "A2")], given)
    assert "a can't move and attack: it is adjacent to b" in refused(report)


@every_row("edition", [DC, NEW])
def test_a_transporter_passes_opponents_though_it_does_not_attack(edition: str) -> None:
    """Transporters, Move and attack: opponents don't stop it if the move begins beside none."""
    mover = fighter("a", "A1", speed_symbol="transporter-boot")
    past = fight(edition, [mover], [fighter("b", "C2")], walk("a", "B1 C1 D1 E1"))
    assert state(past, "a")["square"] == "E1"
    beside = fighter("c", "A2")
    given = walk("a", "B1 C1 D1", rolls={"break-away": [[6]]})
    held = fight(edition, [mover], [fighter("b", "D2"), beside], given)
    assert "The move must end in C1" in refused(held)


@every_row("edition", [DC, NEW])
@every_row("kind", ["move", "power"])
def test_a_transporter_with_wings_flies_over_terrain_in_every_move(edition: str, kind: str) -> None:
    mover = fighter("a", "A1", speed_symbol="transporter-wing", powers=["Charge"])
    woods = {"terrain": [{"type": "hindering", "squares": ["B1"]}]}
    given = walk("a", "B1 C1 D1") | ({"action": "power", "using": ["Charge"]} if kind == "power" else {})
    report = fight(edition, [mover], [fighter("b", "P16")], given, board=woods)
    assert state(report, "a")["square"] == "D1"


# ── Force Blast, Sidestep ──────────────────────────────────────────────────────────────────────


def blast(edition: str, target: dict[str, Any], die: int = 3, **board: Any) -> dict[str, Any]:
    mine = [fighter("a", "C3", powers=["Force Blast"]), fighter("f", "C4")]
    given = done("power", "a", target["id"], using=["Force Blast"], rolls={"force-blast": [[die]]})
    return fight(edition, mine, [target] if target["id"] != "f" else FAR, given, board=board)


@every_row("edition", [DC, NEW, MODERN])
def test_force_blast_knocks_back_by_the_die(edition: str) -> None:
    report = blast(edition, fighter("b", "D3"))
    assert (state(report, "b")["square"], clicks(report, "b")) == ("G3", [1])
    wall = blast(edition, fighter("b", "D3"), walls=["E3|F3"])
    assert (state(wall, "b")["square"], clicks(wall, "b")) == ("E3", [2])


@every_row("edition", [DC, NEW])
def test_force_blast_does_not_move_figures_immune_to_knock_back(edition: str) -> None:
    report = blast(edition, fighter("b", "D3", powers=["Charge"]))
    assert state(report, "b")["square"] == "D3"
    assert any("b isn't knocked back" in step["text"] for step in report["steps"])


@every_row(
    ("target", "why"),
    [
        (fighter("f", "C4"), "only on an opponent on the map"),
        (fighter("b", "H9"), "Force Blast needs an adjacent opponent, and b is"),
    ],
)
def test_figures_that_later_force_blast_does_not_reach(target: dict[str, Any], why: str) -> None:
    assert why in refused(blast(MODERN, target))


def test_sidestep_is_2_squares_once_a_turn() -> None:
    mine = [fighter("a", "C3", powers=["Sidestep"])]
    step = done("free", "a", using=["Sidestep"], path=["C4", "C5"])
    report = fight(MODERN, mine, FAR, step)
    assert (state(report, "a")["square"], state(report, "a")["tokens"]) == ("C5", 0)
    assert "can move only 2" in refused(fight(MODERN, mine, FAR, step | {"path": ["C4", "C5", "C6"]}))
    assert "has already used Sidestep this turn" in refused(fight(MODERN, mine, FAR, step, step | {"path": ["C6"]}))


@every_row("edition", [DC, NEW, MODERN])
def test_quake_needs_an_adjacent_target_and_knocks_all_of_them_back(edition: str) -> None:
    """2 damage to each target hit, and each is knocked back."""
    mine = [fighter("a", "C3", powers=["Quake"])]
    given = done("close", "a", using=["Quake"], rolls={"attack": [[4, 3]]}, choose={"knock-back": True})
    assert "No opponent is adjacent" in refused(fight(edition, mine, [fighter("b", "H3")], given))
    report = fight(edition, mine, [fighter("b", "D3"), fighter("c", "B3"), fighter("d", "H9")], given)
    assert clicks(report, "b", "c", "d")[2] == 1
    assert clicks(report, "b")[0] >= 3
    assert (state(report, "b")["square"], state(report, "c")["square"]) != ("D3", "B3")
