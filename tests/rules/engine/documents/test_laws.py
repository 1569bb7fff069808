"""Laws that hold for every force and every battle."""

import copy
import json
import random
import re
import tracemalloc
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from rules.engine import (
    BadInput,
    battle_in_words,
    check_force,
    force_in_words,
    headings,
    reports_on,
    score_battle,
    written,
)
from tests.examples import examples
from tests.rules.engine.documents.made import any_json, battles, characters, forces, spoil

ANSWERS = [check_force, score_battle]
broad = examples(200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def resolves(pointer, document):
    """Return whether a pointer leads to a place in the document, or to where a key is missing."""
    if pointer == "":
        return True
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.removeprefix("/").split("/")]
    for part in path:
        if isinstance(document, list):
            document = document[int(part)]
        elif part in document:
            document = document[part]
        else:
            return False
    return isinstance(document, dict) or int(last) < len(document)


def answered(answer, document):
    """Return a report, or None if the document isn't valid; the error then has a pointer and a sentence."""
    try:
        return answer(document)
    except BadInput as bad:
        faults = bad.every
    for fault in faults:
        assert resolves(fault.where, document), fault.where
        assert fault.message.endswith(".")
    assert len({fault.where for fault in faults}) == len(faults)
    return None


@pytest.mark.parametrize("answer", ANSWERS)
@broad
@given(any_json)
def test_any_json_gives_a_report_or_a_pointed_error(answer, document):
    assert answered(answer, document) is None or isinstance(document, dict)


@broad
@given(forces() | battles(), st.randoms(use_true_random=False))
def test_a_spoilt_document_gives_a_report_or_a_pointed_error(document, chance):
    spoilt = spoil(document, chance)
    answered(check_force if "force" in document else score_battle, spoilt)


def shape(report):
    """Return a report without the order of its lists and without spellings."""
    return {
        **{key: report[key] for key in ("legal", "total", "build_total", "action_total")},
        **{
            kind: sorted({(found["rule"], ref) for found in report[kind] for ref in found["elements"] or [""]})
            for kind in ("violations", "warnings", "unchecked")
        },
        "themed_team": report["themed_team"]
        and {**report["themed_team"], "keyword": report["themed_team"]["keyword"].casefold()},
    }


@broad
@given(forces(), st.randoms(use_true_random=False))
def test_the_order_of_elements_never_matters(document, chance):
    shuffled = copy.deepcopy(document)
    for found in shuffled["force"].values():
        chance.shuffle(found)
    assert shape(check_force(shuffled)) == shape(check_force(document))


@broad
@given(forces())
def test_a_force_replays_byte_for_byte_and_stays_as_it_is(document):
    before = copy.deepcopy(document)
    text = written(check_force(document))
    assert document == before
    assert written(check_force(json.loads(json.dumps(document)))) == text
    assert [written(one) for one in reports_on(json.dumps(document), check_force)] == [text]
    assert force_in_words(document, json.loads(text))


@broad
@given(forces())
def test_the_total_agrees_with_a_naive_recount(document):
    force = document["force"]
    recount = sum(one["points"] for one in force["characters"])
    for sort in ("feats", "objects", "resources", "other"):
        recount += sum(one.get("points", 0) for one in force[sort])
    recount += sum(one["cost_per_character"] * len(one["assigned_to"]) for one in force["team_ability_cards"])
    report = check_force(document)
    assert report["total"] == recount
    assert ("build-total" in {one["rule"] for one in report["violations"]}) is (
        recount > document["event"]["build_total"]
    )


@broad
@given(forces(), characters)
def test_adding_an_element_never_removes_a_violation_of_the_total(document, added):
    more = copy.deepcopy(document)
    more["force"]["characters"].append(added)
    if "build-total" in {one["rule"] for one in check_force(document)["violations"]}:
        assert "build-total" in {one["rule"] for one in check_force(more)["violations"]}


@broad
@given(forces())
def test_every_finding_has_its_place_in_a_book(document):
    report = check_force(document)
    refs = {one["ref"] for sort, found in document["force"].items() if sort != "sideline_allowed_by" for one in found}
    for found in (*report["violations"], *report["warnings"]):
        assert found["citations"]
        assert all(headings(place["edition"]).has(place["section"]) for place in found["citations"])
        assert found["message"].endswith(".")
        assert set(found["elements"]) <= refs
    for found in report["unchecked"]:
        assert found["elements"]
        assert set(found["elements"]) <= refs


@broad
@given(battles())
def test_lines_points_and_winner_agree(document):
    report = score_battle(document)
    sums = dict.fromkeys(report["victory_points"], Fraction(0))
    for line in report["lines"]:
        assert line["citations"]
        assert all(headings(place["edition"]).has(place["section"]) for place in line["citations"])
        assert line["why"]
        sums[line["player"]] += Fraction(line["points"]).limit_denominator(6)
    assert {player: float(found) for player, found in sums.items()} == pytest.approx(report["victory_points"])
    assert (report["winner"] is None) is (report["decided_by"] == "tie")
    if document["ended"] == "abandoned":
        assert report["winner"] != document["abandoned_by"]


@broad
@given(battles())
def test_a_naive_recount_of_defeats_between_two(document):
    """In the later books, without captives, only losses score: here of characters, objects and cards."""
    document |= {"edition": "core-2014", "scenario": None, "scenario_winner": None, "sides": document["sides"][:2]}
    players = [side["player"] for side in document["sides"]]
    refs = {one["ref"] for side in document["sides"] for one in side["characters"]}
    document["roll_off"] = None
    for side in document["sides"]:
        side |= {"feats": [], "resources": []}
        for one in side["characters"]:
            one |= {"fate": "defeated" if one["fate"] == "released" else one["fate"], "cause": "attack", "by": None}
            one["fate"] = "survived" if one["fate"] == "captured" else one["fate"]
            for key in ("controller", "last_damaged_by", "on_turn_of"):
                one[key] = one[key] if one[key] in (*players, *refs) else None
    report = score_battle(document)
    for side, other in zip(document["sides"], reversed(players), strict=True):
        lost = {one["ref"] for one in side["characters"] if one["fate"] == "defeated"}
        recount = sum(one["points"] for one in side["characters"] if one["ref"] in lost)
        recount += sum(one["points"] for one in side["objects"] if one["fate"] == "removed")
        recount += sum(
            one["cost_per_character"] * len(lost.intersection(one["assigned_to"])) for one in side["team_ability_cards"]
        )
        assert report["victory_points"][other] == recount


@broad
@given(battles(), st.randoms(use_true_random=False))
def test_the_order_of_sides_and_characters_never_matters(document, chance):
    shuffled = copy.deepcopy(document)
    chance.shuffle(shuffled["sides"])
    for side in shuffled["sides"]:
        chance.shuffle(side["characters"])
        for feat in side["feats"]:
            chance.shuffle(feat["assigned_to"])
    one, other = score_battle(document), score_battle(shuffled)
    assert {key: one[key] for key in ("winner", "decided_by", "needs")} == {
        key: other[key] for key in ("winner", "decided_by", "needs")
    }
    assert one["victory_points"] == pytest.approx(other["victory_points"])


@broad
@given(battles())
def test_a_battle_replays_byte_for_byte_and_stays_as_it_is(document):
    before = copy.deepcopy(document)
    text = written(score_battle(document))
    assert document == before
    assert written(score_battle(json.loads(json.dumps(document)))) == text
    assert battle_in_words(document, json.loads(text))


def malformed(count, seed):
    """Return this many lines, each a damaged document, some of them truncated or not JSON at all."""
    chance = random.Random(seed)
    whole = [
        {"id": "f", "edition": "core-2014", "event": {"build_total": 300, "date": "2014-06-01", "sets": ["a"]},
         "force": {"characters": [{"ref": "a", "name": "A", "points": 50, "teams": ["X"], "dial": [{"speed": 8, "powers": ["P"]}]},
                                  {"name": "B", "points": 1}],
                   "feats": [{"name": "F", "points": 5, "assigned_to": ["a"], "requires": {"values": {"speed": 8}}}],
                   "objects": [{"name": "O", "kind": "heavy"}], "team_ability_cards": [{"cost_per_character": 3}]}},
        {"id": "b", "edition": "car-2002", "build_total": 200, "ended": "time", "scenario": "stand-aside", "attacker": "A",
         "sides": [{"player": "A", "characters": [{"ref": "a", "name": "A", "points": 5, "fate": "defeated", "by": "b"}]},
                   {"player": "B", "characters": [{"ref": "b", "name": "B", "points": 5, "fate": "survived"}],
                    "feats": [{"points": 3, "assigned_to": ["b"]}]}], "roll_off": {"A": 7}},
    ]  # fmt: skip
    for _ in range(count):
        line = json.dumps(spoil(chance.choice(whole), chance))
        if chance.random() < 0.1:
            line = line[: chance.randrange(1, len(line))]
        if chance.random() < 0.02:
            line = chance.choice(
                ["[" * 1500, '{"a":' * 1200 + "1" + "}" * 1200, "NaN", '"text"', '{"id": "x", "id": "y"}', "\ud800"]
            )
        yield line


def run_malformed(count, seed):
    lines = list(malformed(count, seed))
    for answer in ANSWERS:
        reports = 0
        for report in reports_on("\n".join(lines), answer):
            reports += 1
            error = report.get("error")
            if error is not None:
                assert (error["code"], type(error["where"]), bool(error["message"])) == ("bad-input", str, True)
            assert "\n" not in written(report)
        assert reports == count


def test_a_thousand_malformed_documents():
    run_malformed(1_000, seed=1)


@pytest.mark.soak
def test_twenty_thousand_malformed_documents_in_bounded_memory():
    lines = "\n".join(malformed(20_000, seed=2))
    for answer in ANSWERS:
        tracemalloc.start()
        assert sum(1 for _ in reports_on(lines, answer)) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 3 * len(lines) + 2_000_000
        tracemalloc.stop()
    for seed in range(20):
        run_malformed(1_000, seed=100 + seed)


def sums_named(report):
    """Return the victory points that the text of a decision names, by player: `None` for those of tied players."""
    text = report["decision"]["text"]
    tied = re.match(r"(.+) are tied at ([\d.]+) victory points", text)
    if tied:
        return [(player, tied[2]) for player in re.findall(r"\b[A-D]\b", tied[1])]
    found = re.match(r"([A-D]) wins: ([\d.]+) victory points(?: against (.+?))?\. ", f"{text} ")
    if not found:
        return []
    return [(found[1], found[2]), *re.findall(r"([A-D])'s ([\d.]+)", found[3] or "")]


@broad
@given(battles(), st.sampled_from([1, 7919]))
def test_the_numbers_in_a_decision_are_those_of_its_lines(document, scale):
    for side in document["sides"]:
        for sort in ("characters", "feats", "objects", "resources"):
            for one in side[sort]:
                one["points"] *= scale
    report = score_battle(document)
    sums = dict.fromkeys(report["victory_points"], Fraction(0))
    for line in report["lines"]:
        sums[line["player"]] += Fraction(line["points"]).limit_denominator(6)
    named = sums_named(report)
    assert [(player, float(number)) for player, number in named] == [
        (player, round(float(sums[player]), 2)) for player, _number in named
    ]
    if report["decided_by"] in ("victory-points", "roll-off"):
        assert named, report["decision"]["text"]
    for number in re.findall(r"\d+(?:\.\d+)?", " ".join(one["why"] for one in report["decision"]["excluded"])):
        assert float(number) in report["victory_points"].values()
