"""What steps say: the true cause, the names of those who act, stand in the way or take something away; by hand."""

from __future__ import annotations

from typing import Any

from tests.tables import every_row

from .fights import battle, done, fight, fighter, refused, told, walk

CAR, DC, NEW, MODERN = "car-2002", "dc-2005", "core-2014", "core-modern"
FAR = [fighter("z", "P16")]
SEVEN = {"rolls": {"attack": [[4, 3]]}}


def terrain(kind: str, *squares: str) -> dict[str, Any]:
    return {"terrain": [{"type": kind, "squares": list(squares)}]}


# ── Actions ─────────────────────────────────────────────────────────────────────────────────────


@every_row(
    ("edition", "said"),
    [
        (CAR, "a uses Outwit on b; this takes no action."),
        (NEW, "a is given a free action using Outwit."),
    ],
)
def test_an_action_is_called_as_its_book_calls_it(edition: str, said: str) -> None:
    mine, theirs = [fighter("a", "D4", powers=["Outwit"], range=6)], [fighter("b", "E4", powers=["Toughness"])]
    given = done("free", "a", "b", using=["Outwit"], choose={"power": "Toughness"})
    assert told(fight(edition, mine, theirs, given), "declare")["text"] == said


def test_a_force_blast_says_how_far_it_can_knock_back_and_what_stopped_it() -> None:
    given = done("move", "a", "b", using=["Force Blast"])
    report = fight(
        CAR, [fighter("a", "D4", powers=["Force Blast"])], [fighter("b", "E4")], given, board={"walls": ["F4|G4"]}
    )
    said = "a's Force Blast can knock b back up to 3 squares (a's damage value); the blast itself deals no damage."
    assert told(report, "targets")["text"] == said
    squares = told(report, "knock-back")["numbers"]["parts"]["squares"]
    assert [(part["amount"], part["why"]) for part in squares] == [
        (3, "squares, a's damage value"),
        (-2, "stopped after 1 square"),
    ]


def test_a_line_between_two_figures_at_a_corner_says_that_they_do_not_block_it() -> None:
    theirs = [fighter("b", "E5"), fighter("c", "D5"), fighter("d", "E4")]
    report = fight(CAR, [fighter("a", "D4", range=6)], theirs, ask=[{"ask": "line-of-fire", "from": "a", "to": "b"}])
    why = "it passes exactly through the corner between d and c, which doesn't block it."
    assert report["answers"][0]["because"][0].endswith(why)


# ── Moves ──────────────────────────────────────────────────────────────────────────────────────

STOPS: list[Any] = [
    (terrain("hindering", "B2", "C1"), "the corner between B1 and C2 is hindering terrain", "intersections"),
    (terrain("hindering", "C2"), "it is hindering terrain.", "hindering-terrain"),
    (terrain("water", "C2"), "it is water terrain", "water"),
    ({"markers": [{"kind": "smoke", "square": "C2"}]}, "it is hindering terrain (smoke)", "smoke-cloud"),
]


@every_row(("board", "why", "topic"), STOPS)
def test_a_stopped_move_names_what_stops_it(board: dict[str, Any], why: str, topic: str) -> None:
    report = fight(MODERN, [fighter("a", "B1")], FAR, walk("a", "C2 D2"), board=board)
    assert why in refused(report)
    assert topic in report["steps"][-1]["topics"]


def test_a_move_too_long_says_how_far_it_may_go_and_why() -> None:
    given = walk("a", "C1 D1 E1", using=["Running Shot"])
    report = fight(
        CAR, [fighter("a", "B1", speed=7, powers=["Running Shot"])], FAR, given, board=terrain("hindering", "B1")
    )
    assert refused(report).endswith(
        "a can move only 2: printed speed 7, halved to 4 (the move begins in hindering terrain), "
        "halved to 2 (Running Shot moves at half speed)."
    )


CLOSED: list[Any] = [
    ({"windows": ["B1|C1"]}, {}, "C1", "a window stands between B1 and C1"),
    ({"walls": ["B1|C1"]}, {}, "C1", "a wall stands between B1 and C1"),
    (
        {"walls": ["B1|C1"], "kind": "mixed"} | terrain("indoor", "A1:D4"),
        {"symbols": {"speed": "wing"}},
        "C1",
        "an indoor wall stands between B1 and C1",
    ),
    (
        {"kind": "mixed", "terrain": [*terrain("indoor", "A1:D4")["terrain"], *terrain("blocking", "C1")["terrain"]]},
        {"symbols": {"speed": "wing"}},
        "C1",
        "C1 is indoor blocking terrain",
    ),
    (
        {"walls": ["B1|C1", "C1|C2"]} | terrain("blocking", "B2"),
        {},
        "C2",
        "closed by a wall beside C1 and blocking terrain in B2",
    ),
    ({"markers": [{"kind": "barrier", "square": "C1"}]}, {}, "C1", "a barrier stands in C1"),
]


@every_row(("board", "keys", "end", "why"), CLOSED)
def test_a_refused_move_names_what_is_in_the_way(
    board: dict[str, Any], keys: dict[str, Any], end: str, why: str
) -> None:
    assert why in refused(fight(MODERN, [fighter("a", "B1", **keys)], FAR, walk("a", end), board=board))


def test_a_passenger_is_left_behind_with_a_word() -> None:
    mine = [fighter("a", "C3", symbols={"damage": "giant"}), fighter("f", "C4")]
    given = walk("a", "C2", carry=["f"], choose={"place": {"f": "C1"}}, rolls={"break-away": [[1]]})
    report = fight(MODERN, mine, [fighter("b", "D3", symbols={"damage": "giant"})], given)
    assert told(report, "note")["text"] == "a failed to break away, so it doesn't carry f."


# ── Attacks ────────────────────────────────────────────────────────────────────────────────────


@every_row(
    ("power", "dice", "cause"),
    [
        ([], [4, 4], "Doubles (4 + 4): the attacker chooses whether b, who took damage, is knocked back."),
        (["Super Strength"], [3, 4], "Super Strength knocks back without doubles: "),
    ],
)
def test_the_choice_of_knock_back_names_its_cause(power: list[str], dice: list[int], cause: str) -> None:
    given = done("close", "a", "b", rolls={"attack": [dice]})
    report = fight(MODERN, [fighter("a", "C3", powers=power)], [fighter("b", "D3")], given)
    assert report["awaiting"]["why"].startswith(cause)


def test_a_door_that_blocks_a_line_and_a_window_that_parts_squares_are_called_so() -> None:
    ask = [{"ask": "line-of-fire", "from": "a", "to": "z"}, {"ask": "adjacent", "a": "A1", "b": "A2"}]
    board = {"doors": ["C1|D1"], "windows": ["A1|A2"]}
    report = fight(MODERN, [fighter("a", "A1")], [fighter("z", "F1")], board=board, ask=ask)
    line, near = report["answers"]
    assert line["because"][0].endswith("a door stands between C1 and D1.")
    assert {mark["topic"] for mark in line["marks"]} == {"doors"}
    assert "a window stands between A1 and A2" in near["because"][0]


def test_a_line_through_a_window_says_that_it_does_not_block_it() -> None:
    ask = [{"ask": "line-of-fire", "from": "a", "to": "z"}]
    board = {"windows": ["B1|C1"]}
    shot = done("ranged", "a", "z", rolls={"attack": [[3, 2]]})
    report = fight(MODERN, [fighter("a", "A1", range=8)], [fighter("z", "F1")], shot, board=board, ask=ask)
    line = report["answers"][0]
    assert (line["result"], line["marks"]) == ("clear", [])
    assert line["because"] == [
        "The line of fire from a (A1) to z (F1) is clear: the window between B1 and C1 doesn't block it."
    ]
    cited = {one["section"] for step in report["steps"] if step["step"] == "line-of-fire" for one in step["citations"]}
    assert "Terrain › Windows" in cited


def test_a_window_that_is_destroyed_is_called_a_window() -> None:
    report = fight(MODERN, [fighter("a", "A1")], FAR, done("close", "a", "A1|A2"), board={"windows": ["A1|A2"]})
    said = told(report, "terrain")["text"]
    assert said == "The window between A1 and A2 is destroyed. Debris is placed in A1 and A2."


def test_a_reroll_names_who_makes_it_and_is_no_part_of_the_attackers_action() -> None:
    theme = {"keywords": ["Avengers"], "range": 8}
    document = battle(MODERN, [fighter("a", "D4")], [fighter("b", "E4", **theme), fighter("c", "D8", **theme)])
    document["sides"][1]["themed_team"] = "Avengers"
    given = done("close", "a", "b", using=["Themed Team Probability Control"], choose={"reroll-by": "c"})
    given["rolls"] = {"attack": [[4, 5]], "attack/reroll": [[1, 2]]}
    report = fight(MODERN, [], [], given, sides=document["sides"])
    assert told(report, "declare")["text"] == "a is given a CLOSE action."
    assert told(report, "reroll")["text"] == (
        "c uses Themed Team Probability Control: a rolls 1 + 2 in place of 4 + 5. The new result stands."
    )
    own = fight(
        NEW,
        [fighter("a", "D4"), fighter("p", "D6", powers=["Probability Control"])],
        [fighter("b", "E4")],
        done("close", "a", "b", rolls={"attack": [[1, 2]], "attack/reroll": [[4, 5]]}),
    )
    assert told(own, "reroll")["text"].startswith("p uses Probability Control: a rolls 4 + 5")


# ── Damage, powers taken away ──────────────────────────────────────────────────────────────────


def test_pushing_and_unavoidable_damage_are_called_so() -> None:
    given = done("close", "a", "b", rolls={"attack": [[1, 1]]})
    report = fight(MODERN, [fighter("a", "D4", tokens=1)], [fighter("b", "E4")], given)
    said = [step["text"] for step in report["steps"] if step["step"] == "click"]
    assert said == ["a takes 1 unavoidable damage: click 1 → 2.", "a takes 1 pushing damage: click 2 → 3."]


def test_a_power_that_cannot_be_used_names_what_took_it_away() -> None:
    given = done("close", "b", "a", using=["Flurry"], **SEVEN)
    turned = [fighter("a", "D4", powers=["Outwit"])]
    outwit = done("free", "a", "b", using=["Outwit"], choose={"counter": "Flurry"})
    theirs = [fighter("b", "E4", powers=["Flurry"])]
    report = fight(NEW, turned, theirs, outwit, {"action": "end-turn"}, given)
    assert refused(report) == "b can't use Flurry now: a's Outwit countered it."
    known = [fighter("b", "E4", powers=["Flurry"], countered=["Flurry"])]
    report = fight(NEW, [fighter("a", "D4")], known, {"action": "end-turn"}, given)
    assert refused(report) == "b can't use Flurry now: it is countered."


# ── Citations ──────────────────────────────────────────────────────────────────────────────────


def sections(found: dict[str, Any]) -> list[str]:
    """Return the last headings that a step or an answer cites."""
    return [one["section"].rpartition(" › ")[2] for one in found["citations"]]


CITED: list[Any] = [
    (walk("f", "C6"), {"carried": True}, "Carry"),
    (done("ranged", "f", "z"), {"range": 0}, "The Rule of Zeroes"),
    (walk("f", "C5", carry=["k"]), {"holding": "o"}, "Holding an Object"),
    (walk("k", "D4", carry=["f"], choose={"place": {"f": "D5"}}), {"holding": "o"}, "Holding an Object"),
]


@every_row(("given", "keys", "section"), CITED)
def test_a_refusal_cites_the_section_that_forbids_it(given: dict[str, Any], keys: dict[str, Any], section: str) -> None:
    mine = [fighter("f", "C4", **keys), fighter("k", "D3", symbols={"damage": "giant"})]
    thing = [{"id": "o", "kind": "light", "square": None}] if "holding" in keys else []
    report = fight(MODERN, mine, FAR, given, objects=thing)
    assert report["legal"] is False
    assert section in sections(report["steps"][-1])


@every_row("edition", [NEW, MODERN])
def test_a_line_through_a_closed_corner_cites_intersections(edition: str) -> None:
    ask = [{"ask": "line-of-fire", "from": "a", "to": "z"}]
    report = fight(edition, [fighter("a", "A1")], [fighter("z", "B2")], board=terrain("blocking", "A2", "B1"), ask=ask)
    assert report["answers"][0]["result"] == "blocked"
    assert "Intersections" in sections(report["answers"][0])


# ── Notes: what a player would have expected, and why it doesn't happen ────────────────────────

SIX = {"rolls": {"attack": [[6, 6]]}, "choose": {"knock-back": False}}
HIGH = {"symbols": {"speed": "wing"}, "flight": "soaring"}
NOTES: list[Any] = [
    (
        CAR,
        [fighter("a", "E5", range=8), fighter("h", "E6", teams=["Hydra"], **HIGH)],
        [fighter("b", "H5")],
        done("ranged", "a", "b", **SEVEN),
        {},
        ("h (Hydra) doesn't help. ", "hydra"),
    ),
    (
        CAR,
        [fighter("a", "E5", range=8), fighter("h", "E6", teams=["Police"])],
        [fighter("b", "H5")],
        done("ranged", "a", "b", **SEVEN),
        {"walls": ["E6|F6", "F5|F6", "G5|G6", "H5|H6"]},
        ("h (Police) doesn't help. The line of fire from h (E6) to b (H5) is blocked", "police"),
    ),
    (
        CAR,
        [fighter("a", "E5", range=8, powers=["Pulse Wave"])],
        [fighter("b", "G5", teams=["Skrulls"]), fighter("c", "G7")],
        done("ranged", "a", using=["Pulse Wave"], **SEVEN),
        {},
        ("b doesn't roll for Skrulls: the attack chooses no targets.", "skrulls"),
    ),
    (
        CAR,
        [fighter("a", "E5", range=8, powers=["Psychic Blast"])],
        [fighter("b", "H5", powers=["Impervious"])],
        done("ranged", "a", "b", using=["Psychic Blast"], **SEVEN),
        {},
        ("b doesn't roll for Impervious: the attack ignores it.", "impervious"),
    ),
    (
        NEW,
        [fighter("a", "E5", range=8)],
        [fighter("b", "H5", powers=["Stealth"])],
        done("ranged", "a", "b", **SEVEN),
        {},
        ("Stealth doesn't hide b: the line crosses no hindering terrain.", "stealth"),
    ),
    (
        CAR,
        [fighter("a", "E5", range=8, teams=["Superman Ally"])],
        [fighter("b", "H5", powers=["Stealth"])],
        done("ranged", "a", "b", **SEVEN),
        terrain("hindering", "G5"),
        ("Stealth doesn't hide b: a ignores it.", "stealth"),
    ),
    (
        MODERN,
        [fighter("a", "C3")],
        [fighter("b", "D3", powers=["Super Senses"])],
        done("close", "a", "b", **SIX),
        {},
        ("b doesn't roll for Super Senses: a critical hit can't be evaded.", "super-senses"),
    ),
    (
        CAR,
        [fighter("a", "E5")],
        [fighter("b", "F6")],
        walk("a", "D5"),
        {"markers": [{"kind": "barrier", "square": "E6"}, {"kind": "barrier", "square": "F5"}]},
        (
            "a and b aren't adjacent: a barrier in F5 and a barrier in E6 close the corner between E5 and F6, so a needn't",
            "barrier",
        ),
    ),
    (
        CAR,
        [fighter("a", "E5")],
        [fighter("b", "F5", powers=["Leap/Climb"])],
        walk("a", "D5"),
        terrain("blocking", "F5"),
        ("a and b aren't adjacent: only b is on top of blocking terrain, so a needn't", "break-away"),
    ),
    (
        MODERN,
        [fighter("a", "C3", powers=["Steal Energy"], tokens=1, click=8), fighter("f", "A1")],
        [fighter("b", "D3")],
        done("close", "a", "b", **SEVEN),
        {},
        ("Steal Energy doesn't heal a: it was knocked out first.", "steal-energy"),
    ),
]


@every_row(("edition", "mine", "theirs", "given", "board", "said"), NOTES)
def test_a_note_says_why_something_expected_does_not_happen(
    edition: str,
    mine: list[dict[str, Any]],
    theirs: list[dict[str, Any]],
    given: dict[str, Any],
    board: dict[str, Any],
    said: tuple[str, str],
) -> None:
    report = fight(edition, mine, theirs, given, board=board)
    noted = next(step for step in report["steps"] if step["step"] == "note")
    assert noted["text"].startswith(said[0])
    assert said[1] in noted["topics"]
    assert noted["citations"]


def test_nothing_is_noted_where_nothing_was_to_be_expected() -> None:
    mine = [fighter("a", "E5", range=8), fighter("h", "E6", teams=["Hydra"]), fighter("k", "A1", teams=["Police"])]
    report = fight(CAR, mine, [fighter("b", "H5"), fighter("c", "G9")], done("ranged", "a", "b", **SEVEN))
    assert "note" not in [step["step"] for step in report["steps"]]


# ── True in the case at hand ───────────────────────────────────────────────────────────────────


def test_a_critical_hit_without_damage_promises_none() -> None:
    given = done("ranged", "a", "b", using=["Incapacitate"], rolls={"attack": [[6, 6]]})
    report = fight(NEW, [fighter("a", "C3", range=8, powers=["Incapacitate"])], [fighter("b", "F3")], given)
    assert told(report, "critical-hit")["text"] == "Two 6s: a hits, whatever the total."
    given = done("close", "a", "b", using=["Mind Control"], rolls={"attack": [[6, 6]]})
    early = fight(CAR, [fighter("a", "C3", powers=["Mind Control"])], [fighter("b", "D3")], given)
    assert told(early, "critical-hit")["text"] == "Two 6s: a hits, whatever the total."
    plain = fight(NEW, [fighter("a", "C3")], [fighter("b", "D3", defense=30)], done("close", "a", "b", **SIX))
    assert told(plain, "critical-hit")["text"].endswith("Damage dealt increases by 1.")
    assert told(plain, "hit")["text"] == "22 against b's defense 30: hit, as two 6s were rolled."


def test_poison_that_damages_no_one_deals_nothing() -> None:
    given = done("free", "a", using=["Poison"])
    report = fight(NEW, [fighter("a", "C3", powers=["Poison"])], FAR, given)
    assert told(report, "resolve")["text"] == "a's Poison damages no one."
    assert "damage-dealt" not in [step["step"] for step in report["steps"]]


def test_an_object_beside_the_end_of_a_stopped_move_says_that_the_move_is_stopped() -> None:
    thing = [{"id": "o", "kind": "light", "square": "E4"}]
    mine = [fighter("a", "C3", powers=["Super Strength"])]
    report = fight(NEW, mine, [fighter("b", "E2")], walk("a", "D3", pick_up="o"), objects=thing)
    assert refused(report) == "a's move is stopped next to the object in E4, so a can't pick it up."
    afar = fight(NEW, mine, FAR, walk("a", "B3", pick_up="o"), objects=thing)
    assert refused(afar) == "a's move doesn't pass next to the object in E4."


def test_a_target_that_was_missed_is_named_where_it_is_given_damage() -> None:
    given = done("ranged", "a", "b", "c", "d", divide={"c": 1, "b": 2}, rolls={"attack": [[4, 3]]})
    theirs = [fighter("b", "F3"), fighter("c", "F5", defense=30) | {"name": "Robin"}, fighter("d", "F1")]
    report = fight(NEW, [fighter("a", "C3", range=8, bolts=3)], theirs, given)
    assert refused(report) == "Robin wasn't hit, so it gets no share of the damage."


def test_a_friend_that_declines_to_help_is_noted() -> None:
    mine = [fighter("a", "E5", range=8), fighter("h", "E6", teams=["Hydra"])]
    given = done("ranged", "a", "b", choose={"decline": ["hydra:h"]}, **SEVEN)
    report = fight(CAR, mine, [fighter("b", "H5")], given)
    assert told(report, "note")["text"] == "h (Hydra) doesn't help. Its player declines it."


def test_an_awaited_roll_says_who_rolls_how_many_dice_and_for_what() -> None:
    theirs = [fighter("b", "D3", powers=["Super Senses"])]
    assert fight(NEW, [fighter("a", "C3")], theirs, done("close", "a", "b"))["awaiting"]["why"] == (
        "A rolls 2 dice for the attack roll."
    )
    hit = done("close", "a", "b", rolls={"attack": [[4, 5]]})
    assert fight(NEW, [fighter("a", "C3")], theirs, hit)["awaiting"]["why"] == "B rolls 1 die for b's Super Senses."


def test_a_single_square_is_singular() -> None:
    given = done("ranged", "a", "b", rolls={"attack": [[4, 5]]})
    mine = [fighter("a", "C3", range=8, symbols={"attack": "sharpshooter"})]
    report = fight(MODERN, mine, [fighter("b", "C4")], given)
    assert "b is 1 square away, within range 8." in told(report, "targets")["text"]


def test_outwit_counters_no_team_ability_and_says_so() -> None:
    given = done("free", "a", "b", using=["Outwit"], choose={"counter": "Skrulls"})
    theirs = [fighter("b", "E4", teams=["Skrulls"], powers=["Flurry"])]
    report = fight(CAR, [fighter("a", "D4", powers=["Outwit"])], theirs, given)
    assert refused(report) == "Outwit can't counter Skrulls: it is a team ability."


@every_row(("rolled", "done_by"), [(2, "reduces the damage by 2"), (5, "ignores all the damage")])
def test_the_roll_for_impervious_says_what_it_does(rolled: int, done_by: str) -> None:
    given = done("close", "a", "b", rolls={"attack": [[4, 3]], "impervious:b": [[rolled]]})
    report = fight(NEW, [fighter("a", "C3")], [fighter("b", "D3", powers=["Impervious"])], given)
    assert told(report, "roll")["text"] == f"b rolls {rolled} for Impervious, which {done_by}."


# ── What a judge stopped at when the reports of sixty disputes were read aloud ──────────────────

CRATE = {"id": "box", "kind": "heavy", "square": "E4"}
THEMSELVES = {"choose": {"decline": ["shape-change:b"]}, **SEVEN}
STOPPED_AT: list[Any] = [
    (
        (CAR, [fighter("a", "D4", powers=["Poison"])], [fighter("b", "E4")], done("free", "a", using=["Poison"])),
        {"board": {"terrain": [{"type": "elevated", "squares": ["D4"]}]}},
        "Poison doesn't reach b. a and b aren't adjacent: D4 and E4 are on different elevations.",
    ),
    (
        (
            NEW,
            [fighter("a", "D4", powers=["Pulse Wave"], range=8)],
            [fighter("b", "D7"), fighter("c", "E7", powers=["Defend"], defense=18)],
            done("ranged", "a", using=["Pulse Wave"], **SEVEN),
        ),
        {},
        "c (Defend) doesn't help b: the attack ignores it.",
    ),
    (
        (
            NEW,
            [fighter("a", "D4")],
            [fighter("b", "E4", powers=["Shape Change"])],
            done("close", "a", "b", **THEMSELVES),
        ),
        {},
        "b doesn't roll for Shape Change: its player declines it.",
    ),
    (
        (
            CAR,
            [fighter("a", "D4", powers=["Energy Explosion"], range=8)],
            [fighter("b", "G4"), fighter("c", "G5")],
            done("ranged", "a", "b", using=["Energy Explosion"], **SEVEN),
        ),
        {},
        "Beside b: 17 against c's defense 16: hit.",
    ),
    (
        (
            CAR,
            [fighter("a", "D4", powers=["Blades/Claws/Fangs"])],
            FAR,
            done("close", "a", "D4|E4", using=["Blades/Claws/Fangs"], rolls={"damage": [[4]]}),
        ),
        {"board": {"walls": ["D4|E4"]}},
        "a rolls 4: 4 damage to the wall between D4 and E4; 3 are needed to destroy it.",
    ),
    (
        (
            CAR,
            [fighter("a", "D4", powers=["Mind Control"], range=8)],
            [fighter("b", "G4")],
            done("ranged", "a", "b", using=["Mind Control"], then=[walk("b", "H4")], **SEVEN),
        ),
        {},
        "b, controlled by a, is given a move action.",
    ),
    (
        (
            CAR,
            [fighter("a", "D4", range=8), fighter("e", "D5", powers=["Enhancement"])],
            [fighter("b", "G4")],
            done("ranged", "a", "b", **SEVEN),
        ),
        {"board": {"terrain": [{"type": "elevated", "squares": ["D5"]}]}},
        "e (Enhancement) doesn't help. a and e aren't adjacent: D4 and D5 are on different elevations.",
    ),
    (
        (CAR, [fighter("a", "D4")], FAR, done("close", "a", "E4")),
        {"board": {"markers": [{"kind": "barrier", "square": "E4"}]}},
        "3 damage to the barrier in E4; 3 are needed to destroy it.",
    ),
    (
        (
            MODERN,
            [fighter("a", "D4", powers=["Pulse Wave"], range=8)],
            [fighter("b", "D7", powers=["Shape Change"])],
            done("ranged", "a", using=["Pulse Wave"], **SEVEN),
        ),
        {},
        "b doesn't roll for Shape Change: the attack ignores it.",
    ),
    (
        (
            MODERN,
            [fighter("a", "D4", powers=["Force Blast"])],
            [fighter("b", "E4")],
            done("power", "a", "b", using=["Force Blast"], rolls={"force-blast": [[3]]}, choose={"knock-back": False}),
        ),
        {},
        "The knock back of Force Blast can't be declined.",
    ),
]


@every_row(("given", "ground", "said"), STOPPED_AT, ids=[said for _, _, said in STOPPED_AT])
def test_a_report_says_why_and_who(given: Any, ground: dict[str, Any], said: str) -> None:
    assert said in [step["text"] for step in fight(*given, **ground)["steps"]]


REFUSED: list[Any] = [
    (
        (MODERN, [fighter("a", "D4", powers=["Telekinesis"]), fighter("p", "D5"), fighter("q", "G7")], FAR),
        done("power", "a", "p", using=["Telekinesis"], choose={"square": "G7"}),
        {},
        "q occupies G7, so nothing can be put there.",
    ),
    (
        (MODERN, [fighter("a", "D4", powers=["Super Strength"], countered=["Super Strength"])], FAR),
        walk("a", "E4", pick_up="box"),
        {"objects": [CRATE]},
        "a can't pick up heavy objects without Super Strength: it is countered.",
    ),
    (
        (CAR, [fighter("a", "D4"), fighter("p", "D5")], FAR),
        walk("a", "E4", carry=["p"]),
        {},
        "a can't carry anyone: it doesn't fly.",
    ),
    (
        (MODERN, [fighter("a", "D4")], [fighter("b", "E4"), fighter("c", "G4", powers=["Probability Control"])]),
        walk("a", "C4", rolls={"break-away": [[5]], "break-away/reroll": [[2]]}, choose={"reroll-by": "c"}),
        {},
        "c may not reroll this: the line of fire from c (G4) to a (D4) is blocked: b stands in E4.",
    ),
]


@every_row(("sides", "given", "ground", "said"), REFUSED, ids=[said for *_, said in REFUSED])
def test_a_refusal_says_what_took_the_power_away_or_stands_in_the_way(
    sides: Any, given: dict[str, Any], ground: dict[str, Any], said: str
) -> None:
    assert refused(fight(*sides, given, **ground)) == said
