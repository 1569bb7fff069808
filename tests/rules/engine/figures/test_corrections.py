"""Figure corrections of the annotated rulebook (Official HeroClix Corrections › Figure Corrections), in a position."""

from __future__ import annotations

from typing import Any

from tests.rules.engine.fights import fight, fighter, refused, state, steps
from tests.tables import every_row

FAR = [fighter("z", "P16")]
WALK = {"action": "move", "actor": "a", "path": ["E4"]}


def figure(name: str, number: str, **keys: Any) -> dict[str, Any]:
    return fighter("a", "E5", number=number, **keys) | {"name": name}


def corrections(report: dict[str, Any]) -> list[str]:
    return [step["numbers"]["correction"] for step in report["steps"] if "correction" in step["numbers"]]


def test_pyro_is_of_the_brotherhood() -> None:
    walk = WALK | {"using": ["The Brotherhood"]}
    for number in ("92", "093"):
        pyro = figure("Pyro", number, set="ic", teams=["Masters of Evil"])
        report = fight("car-2002", [pyro], FAR, walk)
        assert report["legal"]
        assert corrections(report) == [f"correction-pyro-{number.lstrip('0')}"]
        told = report["steps"][0]
        assert told["citations"] == [
            {"edition": "car-2002", "section": "Official HeroClix Corrections › Figure Corrections"}
        ]
        assert "The Brotherhood, not Masters of Evil" in told["text"]
    both = figure("Pyro", "92", teams=["Masters of Evil", "Justice League"])
    assert fight("car-2002", [both], FAR, WALK | {"using": ["Justice League"]})["legal"], "its other team stays"
    for right in (
        figure("Pyro", "92", teams=["The Brotherhood"]),
        figure("Pyro", "91", teams=["Masters of Evil"]),
        figure("Pyro", "92", set="xplosion", teams=["Masters of Evil"]),
        figure("Avalanche", "92", teams=["Masters of Evil"]),
    ):
        assert corrections(fight("car-2002", [right], FAR, WALK)) == []


def test_the_other_books_know_of_no_corrections() -> None:
    pyro = figure("Pyro", "92", teams=["Masters of Evil"])
    report = fight("ic-2002", [pyro], FAR, WALK | {"using": ["The Brotherhood"]})
    assert "The Brotherhood" in refused(report)


@every_row(("name", "number"), [("Rogue", "121"), ("Man-Bat", "40"), ("Man Bat", "040")])
def test_rogue_and_man_bat_do_not_fly(name: str, number: str) -> None:
    printed = figure(name, number, symbols={"speed": "wing"}, flight="soaring")
    report = fight("car-2002", [printed], FAR, WALK | {"flight": "soaring"})
    assert "doesn't fly" in refused(report)
    walked = fight("car-2002", [printed], FAR, WALK)
    assert "flight" not in state(walked, "a")
    assert len(corrections(walked)) == 1
    boots = figure(name, number, symbols={"speed": "boot"})
    assert corrections(fight("car-2002", [boots], FAR, WALK)) == []


def test_the_riddler_has_mastermind_where_his_dial_shows_shape_change() -> None:
    for number in ("43", "44", "45"):
        riddler = fighter("r", "E6", number=number, set="Hypertime", points=60, powers=["Shape Change"])
        riddler["name"] = "Riddler"
        stooge = fighter("s", "F6", points=10)
        action = {"action": "close", "actor": "a", "targets": ["r"], "rolls": {"attack": [[5, 4]]}}
        action["choose"] = {"mastermind:r": "s"}
        report = fight("car-2002", [fighter("a", "E5")], [riddler, stooge], action)
        assert report["awaiting"] is None
        assert "shape-change" not in steps(report)
        assert (state(report, "r")["click"], state(report, "s")["click"]) == (1, 4)
        assert corrections(report) == ["correction-riddler-mastermind"]


def test_a_question_alone_is_asked_of_the_corrected_figure() -> None:
    rogue = figure("Rogue", "121", symbols={"speed": "wing"}, powers=[])
    report = fight("car-2002", [rogue, fighter("b", "E6")], FAR, ask=[{"ask": "can-carry", "of": "a", "carried": "b"}])
    assert report["answers"][0]["result"] is False
    assert corrections(report) == ["correction-rogue-121"]
