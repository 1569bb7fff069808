"""Facts noted for rulings, in pairs of documents that differ in one thing: the first meets the fact, the other not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import every_row

from .dispute_documents import close, dice, dispute, figure, flier, free, move, ranged, sentinel
from .test_met import around

Document = dict[str, Any]
NOBODY = [figure("b", "N14")]
BIN = {"id": "bin", "kind": "light", "square": "F6"}
SOARS = {"flight": "soaring"}
HOVERS = {"flight": "hovering"}


def asked(ours: list[Document], theirs: list[Document], **question: Any) -> Document:
    """Return a position with one question; `ground` gives its terrain."""
    ground = question.pop("ground", {})
    return dispute(ours, theirs, ask=[question], **ground)


def stroll(*path: str, who: Document | None = None, theirs: list[Document] | None = None, **ground: Any) -> Document:
    """Return a move of `a` from E5, on these squares."""
    friends = ground.pop("friends", [])
    return dispute([who or figure("a", "E5"), *friends], theirs or NOBODY, move("a", *path), **ground)


def blow(target: Document | None = None, *friends: Document, who: Document | None = None, **ground: Any) -> Document:
    """Return a close attack of `a` in E5 on `b`, in F5 unless given; 10 + 9 hits 15."""
    given = ground.pop("given", {"rolls": dice(4, 5)})
    theirs = [target or figure("b", "F5"), *ground.pop("others", [])]
    return dispute([who or figure("a", "E5"), *friends], theirs, close("a", "b", **given), **ground)


def shot(target: Document | None = None, *friends: Document, who: Document | None = None, **ground: Any) -> Document:
    """Return a ranged attack of `a` in E5 on `b`, in J5 unless given; 10 + 9 hits 15."""
    given = ground.pop("given", {"rolls": dice(4, 5)})
    theirs = [target or figure("b", "J5"), *ground.pop("others", [])]
    return dispute([who or figure("a", "E5"), *friends], theirs, ranged("a", "b", **given), **ground)


def fly(mode: str) -> Document:
    """Return a move of a hovering flier that names this flight mode."""
    return dispute([flier("a", "E5", **HOVERS)], NOBODY, move("a", "E6", flight=mode))


def stumble(*powers: str) -> Document:
    """Return an attack whose critical miss turns `a` off its first click; `powers` are those of its clicks, one each."""
    clicks = [{"speed": 8, "attack": 10, "defense": 15, "damage": 3, "powers": list(powers[n : n + 1])} for n in (0, 1)]
    return blow(who=figure("a", "E5", dial=clicks), given={"rolls": dice(1, 1)})


def push(*powers: str) -> Document:
    """Return a move for which `a` is pushed off its first click; `powers` are those of its clicks, one each."""
    (walker,) = stumble(*powers)["sides"][0]["characters"]
    return dispute([{**walker, "tokens": 1}], NOBODY, move("a", "E6"))


def lift(opponent: Document | None) -> Document:
    """Return a move in which `a` picks up the object in F6; without an opponent, `a` stands on it."""
    mover = figure("a", "E5" if opponent else "F6", "Super Strength")
    return dispute([mover], [opponent or figure("b", "N14")], move("a", pick_up="bin"), objects=[BIN])


TOUGH = figure("p", "D5", "Toughness")
LAST = figure("a", "E5", clicks=1, tokens=1)
ALLY = figure("p", "D5", teams=["X-Men"])
MUTANT = figure("a", "E5", teams=["X-Men"])

HOME = {"type": "starting-area", "squares": ["J5"], "player": "B"}
FLOOD = [{"kind": "debris", "square": "J5"}, {"kind": "water", "square": "J5"}]


SMOKE = {"kind": "smoke", "square": "J5"}


def barrier(range: int) -> Document:
    """Return a Barrier of `a` in E5, with this range, in squares that are 3 or 4 squares away."""
    squares = ["H5", "I5", "H6", "I6"]
    maker = figure("a", "E5", "Barrier", range=range)
    return dispute([maker], NOBODY, move("a", using=("Barrier",), choose={"squares": squares}))


def explosion(defense: int, main: int = 15) -> Document:
    """Return an Energy Explosion with a total of 19 at a target with this neighbour; `main` is the target's defense."""
    given = {"using": ("Energy Explosion",), "rolls": dice(4, 5)}
    who = figure("a", "E5", "Energy Explosion")
    return shot(figure("b", "J5", defense=main), who=who, given=given, others=[figure("c", "J6", defense=defense)])


def flurry(*attack: int) -> Document:
    """Return two attacks with Flurry; the first is rolled so."""
    given = {"using": ("Flurry",), "rolls": {"attack": [list(attack), [1, 2]]}}
    return dispute([figure("a", "E5", "Flurry")], [figure("b", "F5")], close("a", "b", "b", **given))


def levitation(square: str) -> Document:
    """Return a move by Telekinesis of a friend from this square to H5, seen from E5."""
    ours = [figure("a", "E5", "Telekinesis"), figure("p", square)]
    return dispute(ours, NOBODY, close("a", "p", using=("Telekinesis",), choose={"square": "H5"}))


def first_shot(target: Document) -> Document:
    """Return a shot in the first turn, in 2020s rules, at a target whose starting area is J5."""
    document = shot(target, edition="core-modern")
    document["map"]["terrain"].append(HOME)
    return {**document, "turn": {**document["turn"], "number": 1}}


def full_house(square: str) -> Document:
    """Return a move into the corner of the map with a passenger; two neighbours stay beside it, one stands there."""
    ours = [figure("a", "C3"), figure("p", "C4", symbols={"damage": "tiny"})]
    ours += [figure(f"x{number}", place) for number, place in enumerate((square, "B1", "B2"))]
    return dispute(ours, NOBODY, move("a", "B2", "A1", carry=["p"]), edition="core-modern")


PAIRS: list[tuple[str, Document, Document]] = [
    ("immunity-ended", first_shot(figure("b", "J6")), first_shot(figure("b", "J5"))),
    (
        "immunity-ended",
        first_shot(figure("b", "J5", immune=False)),
        shot(figure("b", "J5", immune=False), edition="core-modern"),
    ),
    ("no-place", full_house("A2"), full_house("A3")),
    ("markers-stacked", shot(markers=FLOOD), shot(markers=FLOOD[:1])),
    ("markers-stacked", shot(markers=FLOOD), shot(figure("b", "J6"), markers=FLOOD)),
    ("odd-range", shot(flier("b", "G5", **SOARS), who=figure("a", "E5", range=7)), shot(flier("b", "G5", **SOARS))),
    (
        "odd-range",
        shot(flier("b", "G5", **SOARS), who=figure("a", "E5", range=7)),
        shot(who=figure("a", "E5", range=7)),
    ),
    ("several-beside", blow(others=[figure("c", "E6")]), blow(figure("b", "F5"), figure("p", "E6"))),
    ("facing:hovering", blow(flier("b", "F5", **HOVERS)), blow(flier("b", "F5", **SOARS))),
    ("crosses-smoke", shot(markers=[SMOKE]), shot(figure("b", "J6"), markers=[SMOKE])),
    ("partly-in-range", barrier(3), barrier(4)),
    ("partly-in-range", barrier(3), barrier(2)),
    ("splash-misses", explosion(20), explosion(19)),
    ("splash-misses", explosion(20), explosion(20, main=20)),
    ("second-lost", flurry(4, 4), flurry(4, 5)),
    ("lifted-on-line", levitation("F5"), levitation("E6")),
    ("beyond-speed", stroll("E6", "E7", who=figure("a", "E5", speed=1)), stroll("E6", who=figure("a", "E5", speed=1))),
    ("corner-half-open", stroll("F6", blocking=["E6"]), stroll("F6", blocking=["E6", "F5"])),
    ("corner-half-open", stroll("F6", blocking=["E6"]), stroll("E6", blocking=["F6"])),
    (
        "off:toughness",
        blow(figure("b", "F5", "Toughness", countered=["Toughness"])),
        blow(figure("b", "F5", "Toughness")),
    ),
    (
        "apart:elevation",
        stroll("D5", theirs=[figure("b", "F5")], elevated=["F5"]),
        stroll("D5", theirs=[figure("b", "F5")]),
    ),
    ("apart:elevation", stroll("D5", theirs=[figure("b", "F5")], elevated=["F5"]), stroll("D5", elevated=["F5"])),
    ("actor-in-hindering", shot(hindering=["E5"]), shot(hindering=["E6"])),
    ("actor-on-object", shot(objects=[{**BIN, "square": "E5"}]), shot(objects=[{**BIN, "square": "E6"}])),
    ("actor-soaring", stroll("E6", who=flier("a", "E5", **SOARS)), stroll("E6", who=flier("a", "E5", **HOVERS))),
    ("actor-hovering", stroll("E6", who=flier("a", "E5", **HOVERS)), stroll("E6", who=flier("a", "E5", **SOARS))),
    ("target-soaring", shot(flier("b", "H5", **SOARS)), shot(flier("b", "H5", **HOVERS))),
    ("target-hovering", shot(flier("b", "H5", **HOVERS)), shot(flier("b", "H5", **SOARS))),
    ("target-in-hindering", shot(hindering=["J5"]), shot(hindering=["I5"])),
    ("target-on-object", shot(objects=[{**BIN, "square": "J5"}]), shot(objects=[{**BIN, "square": "J6"}])),
    ("object-beside-target", shot(objects=[{**BIN, "square": "J6"}]), shot(objects=[{**BIN, "square": "J7"}])),
    ("object-beside-target", shot(objects=[{**BIN, "square": "I5"}]), shot(objects=[{**BIN, "square": "J5"}])),
    ("target-token", blow(figure("b", "F5", tokens=1)), blow()),
    ("target-two-tokens", blow(figure("b", "F5", tokens=2)), blow(figure("b", "F5", tokens=1))),
    ("target-100", blow(figure("b", "F5", points=100)), blow(figure("b", "F5", points=99))),
    ("target-team", blow(figure("b", "F5", teams=["Hydra"])), blow(who=figure("a", "E5", teams=["Hydra"]))),
    (
        "same-team",
        blow(figure("b", "F5", teams=["X-Men"]), who=MUTANT),
        blow(figure("b", "F5", teams=["Hydra"]), who=MUTANT),
    ),
    (
        "target-perplexed",
        blow(figure("b", "F5", modifiers=[{"value": "defense", "by": 1, "source": "Perplex"}])),
        blow(who=figure("a", "E5", modifiers=[{"value": "attack", "by": 1, "source": "Perplex"}])),
    ),
    ("friend-beside-target", blow(None, figure("p", "F6")), blow(None, figure("p", "H5"))),
    (
        "friend-beside-target",
        blow(None, figure("p", "G6")),
        blow(None, figure("p", "G6"), walls=["F6|G6", "F5|G5", "G5|G6", "F5|F6"]),
    ),
    (
        "several-targets",
        dispute(
            [figure("a", "E5", bolts=2)],
            [figure("b", "J5"), figure("c", "J7")],
            ranged("a", "b", "c", rolls=dice(1, 2)),
        ),
        shot(),
    ),
    ("several-bolts", shot(who=figure("a", "E5", bolts=2)), shot(who=figure("a", "E5", bolts=1))),
    ("range-zero", blow(who=figure("a", "E5", range=0)), blow(who=figure("a", "E5", range=1))),
    ("namesakes", blow(figure("b", "F5", name="Robin"), who=figure("a", "E5", name="Robin")), blow()),
    (
        "on-blocking",
        shot(flier("b", "J5", **HOVERS), blocking=["J5"]),
        shot(flier("b", "J5", **HOVERS), blocking=["J6"]),
    ),
    (
        "on-blocking",
        shot(who=flier("a", "E5", **HOVERS), blocking=["E5"]),
        shot(who=flier("a", "E5", **HOVERS), blocking=["E6"]),
    ),
    ("both-soar", shot(flier("b", "H5", **SOARS), who=flier("a", "E5", **SOARS)), shot(flier("b", "H5", **SOARS))),
    ("one-soars", shot(flier("b", "H5", **SOARS)), shot(flier("b", "H5", **SOARS), who=flier("a", "E5", **SOARS))),
    ("one-soars", shot(flier("b", "H5", **SOARS)), shot()),
    (
        "somebody-soars",
        stroll("E6", theirs=[flier("b", "N14", **SOARS)]),
        stroll("E6", theirs=[flier("b", "N14", **HOVERS)]),
    ),
    (
        "equal-member",
        stroll("E6", who=MUTANT, friends=[ALLY]),
        stroll("E6", who=MUTANT, friends=[{**ALLY, "points": 49}]),
    ),
    (
        "equal-member",
        stroll("E6", who=MUTANT, friends=[ALLY]),
        stroll("E6", who=MUTANT, friends=[{**ALLY, "square": "C5"}]),
    ),
    (
        "equal-member",
        stroll("E6", who=MUTANT, friends=[ALLY]),
        stroll("E6", who=MUTANT, friends=[{**ALLY, "teams": ["Hydra"]}]),
    ),
    (
        "costlier-member",
        stroll("E6", who=MUTANT, friends=[{**ALLY, "points": 51}]),
        stroll("E6", who=MUTANT, friends=[ALLY]),
    ),
    (
        "costlier-member",
        stroll("E6", who=MUTANT, friends=[{**ALLY, "points": 51}]),
        stroll("E6", who=MUTANT, friends=[{**ALLY, "points": 49}]),
    ),
    ("beside-opponent", stroll("E6", theirs=[figure("b", "F5")]), stroll("E6", theirs=[figure("b", "G5")])),
    ("leaves-opponent", stroll("D5", theirs=[figure("b", "F5")]), stroll("F6", theirs=[figure("b", "G7")])),
    ("stays-beside-opponent", stroll(theirs=[figure("b", "F5")]), stroll("D6", theirs=[figure("b", "F5")])),
    ("zero-squares", stroll(), stroll("E6")),
    (
        "meets-opponent",
        stroll("E6", "E7", "E8", theirs=[figure("b", "F8")]),
        stroll("E6", "E7", theirs=[figure("b", "F8")]),
    ),
    ("ends-beside-opponent", stroll("E6", "E7", theirs=[figure("b", "F8")]), stroll("E6", theirs=[figure("b", "F8")])),
    ("ends-on-figure", stroll("E6", friends=[figure("p", "E6")]), stroll("E6", friends=[figure("p", "E7")])),
    ("odd-speed", stroll("E6", who=figure("a", "E5", speed=7)), stroll("E6", who=figure("a", "E5", speed=8))),
    ("starts-in-hindering", stroll("E6", hindering=["E5"]), stroll("E6", hindering=["E6"])),
    ("enters-hindering", stroll("E6", hindering=["E6"]), stroll("E6", hindering=["E7", "E5"])),
    ("enters-water", stroll("E6", water=["E6"]), stroll("E6", water=["E7", "E5"])),
    ("enters-blocking", stroll("E6", blocking=["E6"]), stroll("E6", blocking=["E7"])),
    ("changes-level", stroll("E6", elevated=["E6"]), stroll("E6", elevated=["E7"])),
    ("cuts-corner", stroll("F6"), stroll("E6")),
    ("cuts-corner", stroll("D4"), stroll("D5")),
    ("rooftop-blocking", stroll("F5", elevated=["D4:H8"], blocking=["F5"]), stroll("F5", blocking=["F5"])),
    ("rooftop-hindering", stroll("F5", elevated=["D4:H8"], hindering=["F5"]), stroll("F5", hindering=["F5"])),
    ("rooftop-hindering", shot(elevated=["D4:K8"], hindering=["H5"]), shot(hindering=["H5"])),
    ("rooftop-blocking", shot(elevated=["D4:K8"], blocking=["H5"]), shot(blocking=["H5"])),
    ("power-changes", stumble("Charge"), stumble("Charge", "Charge")),
    ("power-changes", stumble("Charge"), push("Charge")),
    ("beside:toughness", stroll("E6", friends=[TOUGH]), stroll("E6", friends=[{**TOUGH, "square": "C5"}])),
    ("facing:toughness", stroll("E6", theirs=[TOUGH]), stroll("E6", theirs=[{**TOUGH, "square": "C5"}])),
    ("beside:toughness", stroll("E6", friends=[TOUGH]), stroll("E6", theirs=[TOUGH])),
    ("passes-object", stroll("E6", objects=[{**BIN, "square": "E6"}]), stroll("E6", objects=[{**BIN, "square": "H6"}])),
    ("stairs-near", stroll("E6", elevated=["E6"], stairs=["E5|E6"]), stroll("E6", elevated=["E6"])),
    ("walls-near", stroll("E6", walls=["E6|F6"]), stroll("E6", walls=["K6|L6"])),
    ("comes-back", stroll("F6", "E6", who=MUTANT, friends=[ALLY]), stroll("E6", "E7", who=MUTANT, friends=[ALLY])),
    ("comes-back", stroll("F6", "E6", who=MUTANT, friends=[ALLY]), stroll("E6", "E4", who=MUTANT, friends=[ALLY])),
    (
        "comes-back",
        stroll("F6", "E6", who=MUTANT, friends=[ALLY]),
        stroll("F6", "E6", who=MUTANT, friends=[{**ALLY, "teams": ["Hydra"]}]),
    ),
    (
        "comes-back",
        stroll("F6", "E6", who=MUTANT, friends=[ALLY]),
        stroll("F6", "E6", who=MUTANT, theirs=[{**ALLY, "id": "b"}]),
    ),
    ("changes-flight", fly("soaring"), fly("hovering")),
    ("all-fallen", stroll("E6", who=LAST, theirs=[figure("b", None)]), stroll("E6", who=LAST)),
    ("more-than-left", blow(figure("b", "F5", clicks=2)), blow(figure("b", "F5", clicks=3))),
    ("rolled-doubles", blow(given={"rolls": dice(4, 4)}), blow(given={"rolls": dice(4, 5)})),
    ("has-wild-card", blow(who=figure("a", "E5", teams=["Spider-Man"])), blow(who=figure("a", "E5", teams=["Hydra"]))),
    ("targets-self", dispute([figure("a", "E5", "Perplex")], NOBODY, free("a", "a", using=("Perplex",))), blow()),
    (
        "targets-friend",
        dispute([figure("a", "E5", "Perplex"), figure("p", "E6")], NOBODY, free("a", "p", using=("Perplex",))),
        blow(),
    ),
    ("crosses-figure", shot(others=[figure("c", "H5")]), shot(others=[figure("c", "H6")])),
    ("crosses-hindering", shot(hindering=["H5"]), shot(hindering=["H6"])),
    ("crosses-blocking", shot(blocking=["H5"]), shot(blocking=["H6"])),
    ("crosses-object", shot(objects=[{**BIN, "square": "H5"}]), shot(objects=[{**BIN, "square": "H6"}])),
    ("crosses-higher", shot(elevated=["H5"]), shot(elevated=["H6"])),
    ("crosses-hovering", shot(others=[flier("c", "H5", **HOVERS)]), shot(others=[flier("c", "H5", **SOARS)])),
    ("crosses-hidden", shot(others=[figure("c", "H5", "Stealth")]), shot(others=[figure("c", "H5", "Toughness")])),
    (
        "crosses-barrier",
        shot(markers=[{"kind": "barrier", "square": "H5"}]),
        shot(markers=[{"kind": "barrier", "square": "H6"}]),
    ),
    ("water-on-line", shot(water=["H5"]), shot(water=["H6"])),
    ("different-levels", shot(elevated=["J5"]), shot(elevated=["J6"])),
    ("other-sizes", blow(figure("b", "F5", symbols={"damage": "giant"}), edition="dc-2005"), blow(edition="dc-2005")),
    ("has-sentinel", blow(sentinel("b", "F5")), blow()),
    ("has-larger-base", blow(sentinel("b", "F5")), blow()),
    (
        "aims-at-barrier",
        dispute([figure("a", "E5")], NOBODY, close("a", "F5"), markers=[{"kind": "barrier", "square": "F5"}]),
        dispute([figure("a", "E5")], NOBODY, close("a", "F5"), blocking=["F5"]),
    ),
    (
        "wall-between-levels",
        dispute([figure("a", "E5")], NOBODY, close("a", "E5|F5"), walls=["E5|F5"], elevated=["F5"]),
        dispute([figure("a", "E5")], NOBODY, close("a", "E5|F5"), walls=["E5|F5"]),
    ),
    (
        "oblique",
        asked([figure("a", "E5")], [figure("b", "H6")], ask="knock-back", of="b", **{"from": "a"}, clicks=2),
        asked([figure("a", "E5")], [figure("b", None)], ask="knock-back", of="b", **{"from": "a"}, clicks=2),
    ),
    (
        "markers-stacked",
        stroll("E6", markers=[{"kind": "smoke", "square": "E6"}, {"kind": "debris", "square": "E6"}]),
        stroll("E6", markers=[{"kind": "smoke", "square": "E6"}]),
    ),
    ("turned-off", blow(figure("b", "F5", "Toughness", countered=["Toughness"])), blow(figure("b", "F5", "Toughness"))),
    ("object-under-opponent", lift(figure("b", "F6")), lift(figure("b", "F5"))),
    ("object-under-opponent", lift(figure("b", "F6")), lift(None)),
]


@every_row(
    ("fact", "document", "other"), [pytest.param(*pair, id=f"{pair[0]}-{number}") for number, pair in enumerate(PAIRS)]
)
def test_a_fact_is_met_in_one_document_and_not_in_the_other(fact: str, document: Document, other: Document) -> None:
    assert fact in around(document)
    assert fact not in around(other)
