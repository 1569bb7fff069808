"""A dispute in words: the board after each step, the sum of a number, branches, decisions; no one's name."""

import copy
import json

from rules import engine, shelf
from rules.dispute.anonymized import anonymized
from rules.dispute.branches import branch_words, branched, first_difference
from rules.dispute.choices import with_choice, with_dice
from rules.dispute.options import action_options, path_to
from rules.dispute.outcome import answer_of
from rules.dispute.overrides import allowed_by, decidable, etiquette_of, moment_of
from rules.dispute.replay import replay_of
from rules.dispute.sums import SumLine, sum_lines
from rules.dispute.words import action_words, step_word
from rules.positions import pieces, square_name, stands_in
from tests.tables import every_row

READY = list(shelf.ready_disputes())
CLICK = {"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": []}


def position(*actions, **more):
    """Return two figures six squares apart, a wall between them."""
    return {
        "edition": "core-2014",
        "map": {"width": 10, "height": 6, "walls": ["C1|D1", "C2|D2"]},
        "sides": [
            {
                "player": "Ann Ardent",
                "characters": [{"id": "bat", "name": "Batman", "square": "A1", "range": 9, "dial": [CLICK] * 4}],
            },
            {
                "player": "Bo Brook",
                "characters": [{"id": "joker", "name": "Joker", "square": "G6", "range": 9, "dial": [CLICK] * 4}],
            },
        ],
        "actions": list(actions),
        **more,
    }


SHOT = {"action": "ranged", "actor": "bat", "targets": ["joker"], "rolls": {"attack": [[5, 4]]}}


@every_row("slug", READY)
def test_the_board_after_the_last_step_is_the_state_of_the_report(slug):
    replay = replay_of(shelf.ready_disputes()[slug].position)
    board, state = replay.board(replay.last), replay.report["state"]
    for _player, piece in pieces(board):
        now = state["characters"][piece["id"]]
        squares = now.get("squares") or ([now["square"]] if now["square"] else [])
        assert [square_name(cell) for cell in stands_in(piece)] == squares
        assert (piece.get("tokens", 0), piece.get("holding")) == (now["tokens"], now["holding"])
        assert (piece.get("click", piece.get("start", 1)) > len(piece["dial"])) == now["ko"]
    engine.adjudicate(board)


def test_a_board_is_not_touched_by_later_steps():
    document = position(SHOT)
    before = copy.deepcopy(document)
    replay = replay_of(document)
    assert document == before
    assert replay.board(0)["sides"] == before["sides"]
    clicks = [replay.board(n)["sides"][1]["characters"][0].get("click", 1) for n in range(replay.last + 1)]
    assert clicks[0] == 1
    assert clicks[-1] == 4
    assert clicks == sorted(clicks)


def test_walls_and_markers_change_on_the_board():
    strong = [{**CLICK, "powers": ["Super Strength"]}]
    document = position({"action": "close", "actor": "bat", "targets": ["C1|D1"]})
    document["sides"][0]["characters"][0] |= {"square": "C1", "dial": strong}
    replay = replay_of(document)
    assert replay.legal
    assert replay.board(replay.last)["map"]["walls"] == ["C2|D2"]
    assert replay.board(0)["map"]["walls"] == ["C1|D1", "C2|D2"]


def test_an_answer_names_the_sections_that_decide_before_those_of_any_attack():
    document = position(SHOT)
    del document["map"]["walls"]
    attack = "Combat Attack Rules › The Attack Roll"
    assert [one["section"] for one in answer_of(replay_of(document)).citations] == [attack]
    document["sides"][0]["characters"][0]["tokens"] = 1
    pushed = ["Rounds, Turns, and Actions › Pushing", attack]
    assert [one["section"] for one in answer_of(replay_of(document)).citations] == pushed
    walled = position(SHOT, map={"width": 10, "height": 6, "walls": ["D4|E4"]})
    blocked = ["Terrain › Walls", "Ranged Combat", "Important Concepts › Line of Fire"]
    assert [one["section"] for one in answer_of(replay_of(walled)).citations] == blocked


def part(kind, amount, why, ignored_by=None):
    return {"kind": kind, "amount": amount, "why": why, "topic": None, "ignored_by": ignored_by}


def test_the_parts_of_a_number_become_the_lines_of_a_sum():
    given = [
        part("printed", 16, "defense, as printed"),
        part("replaced", 1, "a friend's", "locked by Skill"),
        part("replaced", -1, "Skill (locked)"),
        part("halved", -7, "Cramped"),
        part("doubled", 8, "Roomy"),
        part("changed", 1, "the line of fire is hindered", "locked by Skill"),
        part("changed", -2, "a bad day"),
        part("limited", 1, "a sum counts as -1 at most"),
        part("rolled", 4, "rolled 4"),
    ]
    assert sum_lines(given, "defense") == [
        SumLine("16", "defense, as printed"),
        SumLine("→ 17", "a friend's", "locked by Skill"),
        SumLine("→ 15", "Skill (locked)"),
        SumLine("÷ 2", "Cramped"),
        SumLine("× 2", "Roomy"),
        SumLine("+1", "the line of fire is hindered", "locked by Skill"),
        SumLine("−2", "a bad day"),
        SumLine("+1", "a sum counts as -1 at most"),
        SumLine("+4", "rolled 4"),
        SumLine("19", "defense", is_sum=True),
    ]
    assert sum_lines([], "nothing") == []


@every_row(("powers", "shown"), [(["Toughness"], 0), (["Toughness", "Invulnerability"], 4)])
def test_a_reduction_by_one_power_shows_no_sum_beside_its_sentence(powers, shown):
    document = position(SHOT)
    document["sides"][1]["characters"][0]["dial"] = [{**CLICK, "powers": powers}] * 4
    (step,) = [one for one in replay_of(document).steps if one.kind == "damage-taken"]
    assert len(step.sums) == shown


def test_an_attack_roll_is_a_sum_with_its_dice():
    steps = replay_of(position(SHOT)).steps
    roll = next(step for step in steps if step.kind == "attack-roll")
    assert roll.sums == (
        SumLine("10", "attack, as printed"),
        SumLine("+9", "rolled 5 + 4"),
        SumLine("19", "attack total", is_sum=True),
    )
    ruled = position(SHOT, judge=[{"before": {"action": 0, "step": "attack-roll"}, "set": {"total": 3}, "by": "Cy"}])
    decided = next(step for step in replay_of(ruled).steps if step.kind == "attack-roll")
    assert decided.sums[2:] == (SumLine("−16", "as the judge ruled"), SumLine("3", "attack total", is_sum=True))


def test_a_modifier_counts_whatever_its_source_is_called():
    document = position(SHOT)
    source = "+1 a modifier (ignored: no)"
    document["sides"][0]["characters"][0]["modifiers"] = [{"value": "attack", "by": 2, "source": source}]
    roll = next(step for step in replay_of(document).steps if step.kind == "attack-roll")
    assert SumLine("+2", source) in roll.sums
    assert roll.sums[-1].amount == "21"


def test_the_line_of_fire_is_explained_at_its_step():
    assert [step.kind for step in replay_of(position(SHOT)).steps if step.tells_line] == ["targets", "line-of-fire"]


def test_the_line_of_fire_is_drawn_from_the_attacker():
    replay = replay_of(position(SHOT, {"action": "end-turn"}))
    lines = {step.kind: step.line for step in replay.steps}
    assert lines["line-of-fire"] == lines["attack-roll"] == lines["click"] == ("bat", "joker")
    assert lines["declare"] is None
    assert lines["turn"] is None


def test_a_forbidden_attack_has_its_line_too():
    document = position(SHOT)
    document["map"]["terrain"] = [{"type": "blocking", "squares": ["D1:D6"]}]
    last = replay_of(document).steps[-1]
    assert (last.kind, last.line) == ("illegal", ("bat", "joker"))


def test_an_outwit_that_is_not_allowed_shows_the_line_that_hides_its_target():
    last = replay_of(shelf.ready_disputes()["outwit-against-stealth"].position).steps[-1]
    assert (last.kind, last.line, last.tells_line) == ("illegal", ("schemer", "shade"), True)
    assert "blocks lines to a character with Stealth" in last.text


def test_dice_go_to_the_action_that_waits():
    bare = {key: part for key, part in SHOT.items() if key != "rolls"}
    document = position(SHOT, {"action": "end-turn"}, {**bare, "actor": "joker", "targets": ["bat"]})
    awaited = replay_of(document).awaited
    assert (awaited.action, awaited.name, awaited.dice, awaited.is_roll) == (2, "attack", 2, True)
    given = with_dice(document, 2, "attack", [1, 2], here=True)
    assert given["actions"][2]["rolls"] == {"attack": [[1, 2]]}
    assert given["actions"][2]["note"] == {"rolled-here": ["attack"]}
    assert "rolls" not in document["actions"][2]
    assert replay_of(given).ended


def test_choices_stand_where_the_format_keeps_them():
    document = position(SHOT)
    assert with_choice(document, 0, "divide", {"joker": 2})["actions"][0]["divide"] == {"joker": 2}
    assert with_choice(document, 0, "place:robin", "D2")["actions"][0]["choose"] == {"place": {"robin": "D2"}}
    assert with_choice(document, 0, "mastermind:bat", None)["actions"][0]["choose"] == {"mastermind:bat": None}


def test_a_way_goes_round_walls():
    document = position()
    path = path_to(document, "bat", "E1")
    assert len(path) == 4
    assert path[-1] == "E1"
    moved = position({"action": "move", "actor": "bat", "path": path})
    assert engine.adjudicate(moved)["legal"]


def test_a_way_out_of_reach_is_still_named():
    document = position()
    assert path_to(document, "bat", "J6")[-1] == "J6"
    assert path_to(document, "nobody", "B2") == ["B2"]


def test_what_may_be_done_and_what_not():
    options = action_options(position(), ["bat", "joker"])
    listed = options["bat"]
    shots = [option for option in listed if option.action == "ranged"]
    assert [(option.target, option.legal) for option in shots] == [("joker", True)]
    close = [option for option in listed if option.action == "close"]
    assert [(option.target, option.legal) for option in close] == [("joker", False)]
    assert "n't adjacent" in close[0].because
    assert not any(option.legal for option in options["joker"])


def test_branches_leave_the_case_alone_and_say_what_they_are():
    document = position(SHOT, judge=[{"text": "So be it.", "by": "Cy"}])
    changes = [
        {"change": "roll", "action": 0, "time": 0, "name": "attack", "dice": [1, 2]},
        {"change": "edition", "edition": "car-2002"},
        {"change": "counter", "character": "joker", "power": "Toughness"},
        {"change": "click", "character": "bat", "click": 2},
        {"change": "by-the-book"},
        {"change": "roll", "action": 9, "time": 0, "name": "attack", "dice": [1, 2]},
        {"change": "click", "character": "nobody", "click": 2},
    ]
    before = copy.deepcopy(document)
    made = branched(document, changes)
    assert document == before
    assert made["actions"][0]["rolls"]["attack"] == [[1, 2]]
    assert (made["edition"], "judge" in made) == ("car-2002", False)
    assert made["sides"][1]["characters"][0]["countered"] == ["Toughness"]
    assert made["sides"][0]["characters"][0]["click"] == 2
    assert [branch_words(document, change) for change in changes[:5]] == [
        "Attack roll 1 + 2",
        "Compiled and Annotated Rulebook 2002-12-01c",
        "Joker: Toughness countered",
        "Batman on click 2",
        "without the judge's overrides",
    ]


def test_replays_part_where_they_are_no_longer_the_same():
    one = replay_of(position(SHOT))
    assert first_difference(one, replay_of(position(SHOT))) is None
    missed = replay_of(branched(one.document, [{"change": "roll", "action": 0, "name": "attack", "dice": [1, 2]}]))
    roll = next(step.number for step in one.steps if step.kind == "attack-roll")
    assert first_difference(one, missed) == roll
    shorter = replay_of(position())
    assert first_difference(one, shorter) == 1


@every_row("slug", READY)
def test_every_step_names_a_moment_at_which_the_engine_lets_a_judge_decide(slug):
    replay = replay_of(shelf.ready_disputes()[slug].position)
    for shown in replay.steps:
        for one in decidable(shown):
            value = one.answers[-1][0] if one.answers else 1
            value = {"yes": True, "no": False}.get(value, value)
            decision = {"before": moment_of(replay, shown), "set": {one.key: value}}
            engine.adjudicate({**replay.document, "judge": [decision]})


def test_the_second_of_two_hits_is_told_apart_from_the_first():
    flurry = [{**CLICK, "damage": 1, "powers": ["Flurry"]}]
    action = {
        "action": "close",
        "actor": "bat",
        "using": ["Flurry"],
        "targets": ["joker", "joker"],
        "rolls": {"attack": [[4, 5], [4, 5]]},
    }
    document = position(action)
    document["sides"][0]["characters"][0] |= {"square": "F6", "dial": flurry}
    replay = replay_of(document)
    hits = [step for step in replay.steps if step.kind == "hit"]
    assert [moment_of(replay, step).get("time", 1) for step in hits] == [1, 2]
    second = {"before": moment_of(replay, hits[1]), "set": {"hit": False}}
    told = replay_of({**document, "judge": [second]})
    assert sum(step.kind == "click" for step in told.steps) == 1


def test_a_judge_may_allow_what_the_book_forbids():
    document = position(SHOT)
    document["map"]["terrain"] = [{"type": "blocking", "squares": ["D1:D6"]}]
    replay = replay_of(document)
    allowed = {"before": moment_of(replay, replay.steps[-1]), "set": {"legal": True}}
    assert replay_of({**document, "judge": [allowed]}).legal


def test_card_text_is_left_to_the_judge_whose_override_is_shown():
    document = position(SHOT)
    document["map"] = {"width": 10, "height": 6}
    document["sides"][0]["characters"][0]["dial"] = [{**CLICK, "powers": ["Undertow"]}] * 4
    document["judge"] = [{"before": {"action": 0, "step": "hit"}, "set": {"hit": False}}]
    words = [(one.word, one.text) for one in replay_of(document).steps if one.kind == "ruling"]
    assert [word for word, _text in words] == ["For the judge to decide", "Judge's override"]
    assert words[0][1].startswith("Batman's Undertow isn't adjudicated: decide by its card.")


def test_nobodys_name_is_left():
    decision = {"before": {"action": 0, "step": "hit"}, "text": "Ann said so.", "by": "Cy Judge", "set": {"hit": True}}
    shot = {**SHOT, "note": "Ann rolled twice", "by": "Ann Ardent"}
    document = position(shot, title="Ann v Bo", note="Ann", id="ann", judge=[decision])
    document["turn"] = {"active": "Bo Brook", "number": 3}
    document["map"]["terrain"] = [{"type": "starting-area", "player": "Ann Ardent", "squares": ["A1:A6"]}]
    document["sides"][1]["characters"][0]["last_damaged_by"] = "Ann Ardent"
    document["sides"][0]["characters"][0]["modifiers"] = [{"value": "attack", "by": 1, "source": "Ann Ardent says so"}]
    document["judge"].append({"set": {"victory_points": {"Ann Ardent": 30}}})
    document["objects"] = [{"id": "bin", "kind": "light", "square": "A1", "points": 5, "player": "Ann Ardent"}]
    document["ask"] = [{"ask": "action-total", "player": "Bo Brook"}]
    document["event_dial"] = {"name": "Storm", "clicks": [[]], "turns": [{"moment": "when-ko", "of": "Bo Brook"}]}
    engine.adjudicate(document)
    made = anonymized(document)
    text = json.dumps(made)
    for name in ("Ann", "Bo Brook", "Cy"):
        assert name not in text
    assert [side["player"] for side in made["sides"]] == ["A", "B"]
    assert made["turn"]["active"] == "B"
    engine.adjudicate(made)


def test_the_die_of_etiquette_is_where_a_book_has_it():
    found = {name: etiquette_of(name) for name in engine.EDITIONS}
    assert [name for name, ruling in found.items() if ruling is not None] == ["ic-2002", "car-2002", "dc-2005"]
    assert all("Etiquette" in found[name].section for name in ("ic-2002", "dc-2005"))
    assert [allowed_by(die) for die in range(1, 7)] == [False, False, False, True, True, True]


def test_an_edition_that_cannot_judge_says_why():
    document = position()
    document["map"]["windows"] = ["A1|B1"]
    replay = replay_of(document)
    assert replay.fault.where == "/map/windows"
    assert (replay.last, replay.steps, replay.outcome()) == (0, [], [])


def test_an_action_is_named_in_a_line():
    document = position()
    moved = {"action": "move", "actor": "bat", "path": ["B2", "C3"], "using": ["Charge"]}
    assert action_words(document, moved) == "Batman: move with Charge to C3"
    assert action_words(document, {"action": "end-turn"}) == "End of turn"
    assert step_word("line-of-fire") == "Line of fire"


@every_row("speed", ["boot", "wing"])
def test_every_square_within_reach_has_a_way_that_the_engine_allows(speed):
    figure = {"id": "a", "name": "A", "square": "E13", "symbols": {"speed": speed}, "dial": [{**CLICK, "speed": 6}]}
    document = {
        "edition": "core-2014",
        "map": shelf.maps()["ashgrove-zoo"].map,
        "sides": [{"player": "A", "characters": [figure]}],
    }
    within = [name for name in engine.reachable(document, "a") if name != "E13"]
    assert len(within) > 40
    for end in within[::3]:
        move = {"action": "move", "actor": "a", "path": path_to(document, "a", end)}
        assert engine.adjudicate({**document, "actions": [move]})["legal"], end


def test_a_decision_before_the_first_action_is_shown():
    decision = {"before": {"action": 0}, "text": "Play on.", "by": "Cy", "set": {"characters": {"bat": {"click": 2}}}}
    document = position(judge=[decision])
    del document["actions"]
    replay = replay_of(document)
    assert replay.fault is None
    assert [step.rolled_here for step in replay.steps] == [False] * replay.last
