"""Reports as text."""

import copy
import io
import json
from fractions import Fraction

import pytest
from django.core.management import CommandError, call_command

from rules.engine import battle_in_words, check_force, error_report, force_in_words, report_on, score_battle
from rules.engine.errors import BadInput
from rules.engine.scoring.winner import told
from tests.tables import every_row

FORCE = {
    "id": "t1",
    "title": "Round 1",
    "edition": "core-2014",
    "event": {"build_total": 150},
    "force": {
        "characters": [
            {"ref": "bat", "name": "Batman", "points": 103, "keywords": ["Justice League"]},
            {"ref": "sup", "name": "Superman", "points": 60, "keywords": ["Justice League"]},
        ],
        "feats": [
            {
                "ref": "s",
                "name": "Slippery",
                "points": 2,
                "assigned_to": ["bat"],
                "requires": {"powers": ["Leap/Climb"]},
            }
        ],
    },
}


def test_a_force_in_words():
    assert force_in_words(FORCE, check_force(FORCE)).splitlines() == [
        "t1 – Round 1",
        "Illegal: 165 of 150 points, 1 action a turn.",
        "Themed team: Justice League (named), +2 to go first, 1 reroll per match.",
        "Violations:",
        "  - build-total (bat, sup, s): The force costs 165 points, 15 over the build total of 150.",
        "    core-2014: Assembling Your Force › Build Total",
        "Warnings:",
        "  - build-total-increment: The build total 150 isn't a positive multiple of 100.",
        "    core-2014: Assembling Your Force › Build Total",
        "Not checked:",
        "  - feat-prerequisite: needs the dial (bat)",
    ]


def test_a_force_that_cannot_be_checked_is_not_plainly_legal():
    document = FORCE | {"event": {"build_total": 300}, "title": None}
    words = force_in_words(document, check_force(document))
    assert words.splitlines()[:2] == ["t1", "Legal as far as checked: 165 of 300 points, 3 actions a turn."]
    document = {
        "edition": "ic-2002",
        "event": {"build_total": 100},
        "force": {"characters": [{"name": "A", "points": 1}]},
    }
    assert force_in_words(document, check_force(document)) == "Legal: 1 of 100 points, 1 action a turn.\n"


BATTLE = {
    "id": "b1",
    "edition": "car-2002",
    "build_total": 200,
    "ended": "time",
    "sides": [
        {"player": "Ann", "characters": [{"ref": "a", "name": "Batman", "points": 60, "base_color": "gray", "fate": "survived"}]},
        {"player": "Ben", "characters": [{"ref": "b", "name": "Joker", "points": 54, "base_color": "gray", "fate": "defeated", "by": "a"}]},
    ],
}  # fmt: skip


def test_a_battle_in_words():
    assert battle_in_words(BATTLE, score_battle(BATTLE)).splitlines() == [
        "b1",
        "  Ann: 60 – Batman survived [car-2002: Victory!]",
        "  Ann: 108 – Joker defeated by Batman, an archenemy (twice 54) [car-2002: Victory!; car-2002: Archenemies]",
        "Victory points: Ann 168, Ben 0.",
        "Ann wins: 168 victory points against Ben's 0. (Victory!)",
    ]


def test_a_battle_without_a_winner_in_words():
    document = BATTLE | {"scenario": "winner-takes-all", "ended": "scenario"}
    assert battle_in_words(document, score_battle(document)).splitlines()[-2:] == [
        "Victory points: Ann 168, Ben 0.",
        "The scenario decides the winner, who isn't given. (Scenarios › Winner Takes All! › Victory)",
    ]
    sides = [{"player": player, "points": 5, "characters": []} for player in "AB"]
    document = BATTLE | {"sides": sides}
    assert battle_in_words(document, score_battle(document)).splitlines()[-1] == (
        "A and B are tied at 0 victory points. The forces of A and B cost the same, 5 points, so no one wins. (Victory!)"
    )


def test_points_of_a_battle_are_exact_in_words():
    sides = copy.deepcopy(BATTLE["sides"])
    sides[0]["characters"][0]["points"] = 1_000_000
    document = BATTLE | {"sides": sides}
    words = battle_in_words(document, score_battle(document))
    assert "Victory points: Ann 1000108, Ben 0." in words
    assert "Ann wins: 1000108 victory points" in words
    assert [told(points) for points in (Fraction(75, 2), Fraction(100, 3), 1_234_567.5)] == [
        "37.5",
        "33.33",
        "1234567.5",
    ]


@every_row("in_words", [force_in_words, battle_in_words])
def test_a_fault_in_words(in_words):
    report = error_report("x", BadInput("/force", "This must be an object."))
    assert in_words({}, report) == "x\nbad-input at /force: This must be an object.\n"
    assert in_words({}, error_report(None, BadInput("", "The input is empty."))) == "bad-input: The input is empty.\n"


@pytest.mark.parametrize(("name", "document"), [("check_force", FORCE), ("score_battle", BATTLE)])
def test_the_commands_in_one_process(name, document, tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text(f"{json.dumps(document)}\n{json.dumps(document | {'edition': 'x'})}\n", encoding="utf-8")
    for more, said in (([], '"where": "/edition"'), (["--text"], "bad-input at /edition")):
        out = io.StringIO()
        with pytest.raises(SystemExit) as left:
            call_command(name, str(path), *more, stdout=out)
        assert left.value.code == 2
        assert said in out.getvalue()
        assert document["id"] in out.getvalue()
    path.write_text(json.dumps(document), encoding="utf-8")
    call_command(name, str(path), stdout=(out := io.StringIO()))
    assert json.loads(out.getvalue())["id"] == document["id"]
    path.write_text(f"{json.dumps(document)}\nnonsense\n", encoding="utf-8")
    with pytest.raises(SystemExit):
        call_command(name, "--text", str(path), stdout=(out := io.StringIO()))
    assert "bad-input: This isn't valid JSON" in out.getvalue()
    for missing in (str(tmp_path), str(tmp_path / "none"), "a\0b", "a" * 5000):
        with pytest.raises(CommandError, match="can't be read") as missed:
            call_command(name, missing)
        assert missed.value.returncode == 2


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(FORCE).encode()), encoding="utf-8"))
    call_command("check_force", "-", stdout=(out := io.StringIO()))
    assert json.loads(out.getvalue())["total"] == 165
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(BATTLE)))
    call_command("score_battle", "-", stdout=(out := io.StringIO()))
    assert json.loads(out.getvalue())["winner"] == "Ann"


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "cp1252", "utf-8"])
def test_a_report_is_the_same_bytes_whatever_the_output_writes(encoding, tmp_path, monkeypatch):
    path, output, document = tmp_path / "force.json", io.BytesIO(), FORCE | {"id": "Größe → 三"}
    path.write_text(json.dumps(document), encoding="utf-8")
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(output, encoding=encoding, newline="\r\n"))
    call_command("check_force", str(path))
    report = report_on(document, check_force)
    assert output.getvalue() == f"{json.dumps(report, ensure_ascii=False)}\n".encode()
