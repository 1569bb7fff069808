"""`pair_round` and `check_pairings` from a shell: files, standard input, text, exit status."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from events.management.commands.pair_round import in_words
from events.pairing import pair_round

CASES = Path(__file__).parents[2] / "cases" / "pair.jsonl"


def run(command: str, text: str, monkeypatch: pytest.MonkeyPatch, *flags: str) -> tuple[str, int, str]:
    """Return a command's output for a text on standard input, its exit status, and its errors."""
    out, complaints = io.StringIO(), io.StringIO()
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogateescape")), encoding="utf-8")
    )
    try:
        call_command(command, "-", *flags, stdout=out, stderr=complaints)
    except SystemExit as left:
        return out.getvalue(), int(left.code or 0), complaints.getvalue()
    return out.getvalue(), 0, complaints.getvalue()


@pytest.mark.parametrize(
    "case", [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()], ids=lambda c: c["id"]
)
def test_cases_worked_out_by_hand(case, monkeypatch):
    out, status, _ = run("pair_round", json.dumps(case["input"]), monkeypatch)
    report = json.loads(out)
    assert status == case.get("status", 0)
    assert {key: report.get(key) for key in case["expect"]} == case["expect"]
    for pair in case.get("pairs", []):
        assert set(pair) in [set(seated) for seated in report["pairings"]], case["why"]


def test_a_thousand_documents_go_through_one_process_and_bad_ones_do_not_stop_it(monkeypatch):
    good = {"id": "good", "players": [{"id": "a", "points": 1}, {"id": "b", "points": 0}]}
    lines = [json.dumps(good | {"id": f"r{number}"}) for number in range(1000)]
    lines[3] = '{"id": "r3", "players": [{"id": "a"}]}'
    lines[5] = "nonsense"
    out, status, _ = run("pair_round", "\n".join(lines), monkeypatch)
    reports = [json.loads(line) for line in out.splitlines()]
    assert len(reports) == 1000
    assert status == 2
    assert reports[3] == {
        "id": "r3",
        "error": {"code": "bad-input", "where": "/players/0/points", "message": '"points" is required.'},
    }
    assert reports[5]["error"]["where"] == ""
    assert reports[999] == {
        "id": "r999",
        "pairings": [["a", "b"]],
        "bye": None,
        "awarded_byes": [],
        "rematches": 0,
        "cost": 1,
        "same_club": 0,
    }


def test_a_round_that_cannot_be_paired_is_no_bad_input(monkeypatch):
    document = {"players": [{"id": "a", "points": 1}, {"id": "b", "points": 0}], "rounds": [[["a", "b"]]]}
    out, status, _ = run("pair_round", json.dumps(document), monkeypatch)
    assert status == 0
    assert json.loads(out)["error"]["code"] == "no-pairing"


def test_a_file_is_read_and_a_missing_one_is_reported(tmp_path, capsys):
    file = tmp_path / "round.json"
    file.write_text('{"players": [{"id": "Åsa", "points": 1}, {"id": "b", "points": 1}]}', encoding="utf-8")
    call_command("pair_round", str(file))
    assert "Åsa" in capsys.readouterr().out
    with pytest.raises(Exception, match="can't be read"):
        call_command("pair_round", str(tmp_path / "none.json"))


def test_the_same_report_for_a_person(monkeypatch):
    document = {
        "id": "r2",
        "title": "Round 2",
        "players": [{"id": "ann", "points": 3}, {"id": "bo", "points": 1}, {"id": "cy", "points": 0}],
    }
    out, status, _ = run("pair_round", json.dumps(document), monkeypatch, "--text")
    assert status == 0
    assert "r2 – Round 2" in out
    assert "ann (3)" in out
    assert "bye  cy" in out
    assert "score difference 4" in out
    assert "No better pairing exists" in out
    assert "no-pairing" in in_words({}, {"id": None, "error": {"code": "no-pairing", "message": "m"}})


@pytest.mark.parametrize(
    "text", ["\udcff{}", '{"\\ud800": 1}', '{"id": "\\ud800", "players": []}', '{"players": [[]]}']
)
@pytest.mark.parametrize("flag", [[], ["--text"]])
def test_odd_bytes_give_a_report_and_no_traceback(text, flag, monkeypatch):
    out, status, _ = run("pair_round", text, monkeypatch, *flag)
    assert status == 2
    assert "bad-input" in out
    out.encode("utf-8")


def event_file(rounds: int = 3, players: int = 9) -> dict[str, object]:
    """Return an event file in which every round is what pair_round draws; the player listed higher wins."""
    points = {f"p{number}": 0 for number in range(players)}
    told: list[dict[str, object]] = []
    played: list[list[list[str | None]]] = []
    for number in range(1, rounds + 1):
        tournament = {
            "seed": number,
            "players": [{"id": player, "points": score} for player, score in points.items()],
            "rounds": [list(one) for one in played],
        }
        report = pair_round(tournament)
        seats = [*report["pairings"], *([[report["bye"], None]] if report["bye"] else [])]
        for a, _b in seats:
            points[a] += 3
        played.append(seats)
        told.append(
            {
                "number": number,
                "tournament": tournament,
                "published": True,
                "changes_by_hand": [],
                "matches": [{"table": t, "a": a, "b": b} for t, (a, b) in enumerate(seats, 1)],
            }
        )
    return {"format": "headjudge-event", "version": 1, "event": {"name": "Friday"}, "rounds": told}


def test_an_event_drawn_by_the_book_is_fine(monkeypatch):
    out, status, _ = run("check_pairings", json.dumps(event_file()), monkeypatch)
    assert status == 0, out
    assert out.count("the pairs that the seed draws") == 3
    assert "3 rounds: no faults" in out


def swapped(event: dict[str, object], number: int, first: int, second: int) -> None:
    matches = event["rounds"][number - 1]["matches"]
    matches[first]["b"], matches[second]["b"] = matches[second]["b"], matches[first]["b"]


def test_a_manually_changed_round_needs_its_log_entry(monkeypatch):
    event = event_file(2, 8)
    swapped(event, 2, 0, 3)
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 1
    assert "cost is" in out
    assert "No manual change is logged." in out
    event["rounds"][1]["changes_by_hand"] = [{"reason": "brothers kept apart"}]
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 0
    assert "brothers kept apart" in out


def test_rematches_double_seats_absentees_and_wrong_byes_are_found(monkeypatch):
    event = event_file(2, 8)
    event["rounds"][1]["matches"] = event["rounds"][0]["matches"]
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert (status, "avoidable: " in out) == (1, True)

    event = event_file(2, 9)
    matches = event["rounds"][1]["matches"]
    gone = matches.pop(0)
    matches.append({"a": matches[0]["a"], "b": None, "kind": "bye"})
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 1
    assert f"{gone['a']} isn't paired" in out
    assert f"{matches[0]['a']} is paired 2 times" in out

    event = event_file(2, 3)
    first_bye = next(match["a"] for match in event["rounds"][0]["matches"] if match["b"] is None)
    others = sorted({f"p{number}" for number in range(3)} - {first_bye})
    event["rounds"][1]["matches"] = [{"a": others[0], "b": others[1]}, {"a": first_bye, "b": None}]
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 1
    assert "avoidable: " in out


def test_a_second_bye_is_found_though_no_one_meets_again(monkeypatch):
    event = event_file(1, 5)
    tournament = {
        "players": [{"id": f"p{number}", "points": 3} for number in range(5)],
        "rounds": [[[match["a"], match["b"]] for match in event["rounds"][0]["matches"]]],
    }
    bye = next(match["a"] for match in event["rounds"][0]["matches"] if match["b"] is None)
    (a, b), (c, d) = ((match["a"], match["b"]) for match in event["rounds"][0]["matches"] if match["b"])
    seats = [{"a": a, "b": c}, {"a": b, "b": d}, {"a": bye, "b": None}]
    event["rounds"].append({"number": 2, "tournament": tournament, "matches": seats})
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 1
    assert f"The bye went to {bye}" in out


def test_a_missed_round_is_no_seat_and_a_cut_is_only_counted(monkeypatch):
    event = event_file(1, 4)
    event["rounds"][0]["matches"].append({"a": "late", "b": None, "kind": "missed"})
    event["rounds"].append({"number": 2, "stage": "cut", "matches": [{"a": "p0", "b": "p1"}, {"a": "p2", "b": "p0"}]})
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 1
    assert "round 1: fine" in out
    assert "round 2 (cut): FAULT" in out
    assert "p0 is seated twice." in out


def test_a_round_reseated_later_is_reported(monkeypatch):
    event = event_file(2, 8)
    swapped(event, 1, 0, 1)
    out, _, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert "The seating of round 1 was fixed after this round was paired" in out


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda event: event.pop("format"), "/format"),
        (lambda event: event.update(rounds=3), "/rounds"),
        (lambda event: event.update(event={"pairing_style": "dutch"}), "/event/pairing_style"),
        (lambda event: event["rounds"][0].pop("tournament"), "/rounds/0/tournament"),
        (lambda event: event["rounds"][0]["tournament"].update(seed="x"), "/rounds/0/tournament/seed"),
        (lambda event: event["rounds"][0].pop("matches"), "/rounds/0/matches"),
        (lambda event: event["rounds"][0]["matches"][0].update(a=None), "/rounds/0/matches/0/a"),
        (lambda event: event["rounds"][0]["matches"][0].update(kind="rest"), "/rounds/0/matches/0/kind"),
        (lambda event: event["rounds"][0]["matches"][0].update(kind="bye"), "/rounds/0/matches/0/b"),
        (lambda event: event["rounds"][0].update(number="one"), "/rounds/0/number"),
    ],
)
def test_an_event_file_that_cannot_be_understood_says_where(change, where, monkeypatch):
    event = event_file(1, 4)
    change(event)
    _, status, complaints = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 2
    assert f"at {where}:" in complaints


def test_a_round_robin_is_checked_for_second_meetings(monkeypatch):
    rounds = [{"matches": [{"a": "x", "b": "y"}]}, {"matches": [{"a": "y", "b": "x"}]}]
    event = {"format": "headjudge-event", "event": {"pairing_style": "round-robin"}, "rounds": rounds}
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 1
    assert "meet again" in out


def test_an_event_file_names_players_by_number_and_the_findings_by_name(monkeypatch):
    event = event_file(2, 8)
    swapped(event, 2, 0, 3)
    for one in event["rounds"]:
        for match in one["matches"]:
            match["a"], match["b"] = int(match["a"][1:]), int(match["b"][1:])
    event["players"] = [{"id": number, "name": f"Player {number}"} for number in range(8)]
    event["rounds"][1]["changes_by_hand"] = [{"what": "table", "reason": "a wheelchair"}]
    event["rounds"].append({"number": 3, "state": "draft", "matches": [{"a": 0, "b": 0}]})
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 1, "another table for the same pair is no reason for other pairs"
    assert "2 rounds: 1 with faults" in out
    event["rounds"][1]["matches"][0]["a"] = 77
    out, _, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert "p77 isn't in this tournament" in out
    assert "Player " in out


def test_a_bye_for_a_round_missed_is_a_note(monkeypatch):
    event = event_file(1, 4)
    event["rounds"][0]["matches"].append({"a": "p9", "b": None, "kind": "bye"})
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 0
    assert "p9 arrived late" in out


def test_a_round_paired_on_points_that_a_correction_changed_is_reported(monkeypatch):
    event = event_file(2, 8)
    first = event["rounds"][0]["matches"]
    for match in first:
        match["result"] = {"winner": "a", "score_a": 100, "score_b": 50}
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert (status, "was corrected" in out) == (0, False)
    first[0]["result"]["winner"] = "b"
    out, status, _ = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 0
    assert f"{first[0]['a']} was paired with 3 points; others with 0–0–1 had 0" in out
    assert f"{first[0]['b']} was paired with 0 points" in out
    first[0]["result"] = {"winner": "p1"}
    _, status, complaints = run("check_pairings", json.dumps(event), monkeypatch)
    assert status == 2
    assert "at /rounds/0/matches/0/result:" in complaints
