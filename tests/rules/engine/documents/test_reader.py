"""JSON is read strictly, and every error has its pointer."""

import copy
import json
import subprocess
import sys

import pytest

from rules.engine import BadInput, check_force, read_documents, reports_on, score_battle
from rules.engine.documents.reader import is_json, nesting, parse, shown
from rules.engine.errors import escaped
from tests.tables import every_row

FORCE = {
    "id": "f",
    "title": "T",
    "note": None,
    "edition": "core-2014",
    "event": {"build_total": 300},
    "force": {
        "characters": [{"ref": "a", "name": "A", "points": 50}, {"name": "B", "points": 1}],
        "feats": [{"name": "F", "points": 5, "assigned_to": ["a"], "requires": {"powers": [], "values": {}}}],
        "objects": [{"name": "O"}],
        "sideline": [],
        "sideline_allowed_by": [],
    },
}
BATTLE = {
    "id": "b",
    "edition": "car-2002",
    "build_total": 200,
    "ended": "time",
    "sides": [
        {"player": "A", "characters": [{"ref": "a", "name": "A", "points": 5, "fate": "defeated", "by": "b"}]},
        {"player": "B", "characters": [{"ref": "b", "name": "B", "points": 5, "fate": "survived"}]},
    ],
}
GONE = object()
CLICK = {"speed": 8, "attack": 9, "defense": 9}


def changed(document, where, value):
    """Return the document with the value at the pointer replaced or removed."""
    made = copy.deepcopy(document)
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in where.removeprefix("/").split("/")]
    holder = made
    for part in path:
        holder = holder[int(part)] if isinstance(holder, list) else holder[part]
    key = int(last) if isinstance(holder, list) else last
    if value is GONE:
        del holder[key]
    elif isinstance(holder, list) and key == len(holder):
        holder.append(value)
    else:
        holder[key] = value
    return made


def faults(answer, document):
    """Return the pointers of all faults in a document."""
    every = []
    try:
        answer(document)
    except BadInput as bad:
        every = bad.every
    assert all(one.message and not one.more for one in every)
    return [one.where for one in every]


def fault(answer, document):
    """Return the pointer of the one fault in a document, or None."""
    found = faults(answer, document)
    assert len(found) < 2, found
    return found[0] if found else None


def same(*values):
    """Return cases whose error is at the changed place."""
    return [(where, value, where) for where, odd in values for value in odd]


NOT_POINTS = (-1, 1_000_001, 10**30, 47.5, "47", "４７", None, True, [], {}, 1e999)
NOT_TEXT = (1, True, [], {}, 1.5, "\ud800")
NOT_LISTS = ("Batman", {}, 1, True, None)
NOT_FLAGS = (0, 1, "true", None, [])
NOT_DAYS = (
    "2003-02-30",
    "2003-2-3",
    "03-02-01",
    "2003-02-01T00:00",
    "２００３-02-01",
    "",
    20030201,
    True,
    "2003-13-01",
    "0000-01-01",
)


@every_row(
    ("where", "value", "at"),
    [
        *same(("/id", NOT_TEXT), ("/title", NOT_TEXT), ("/note", NOT_TEXT)),
        *same(("/edition", (GONE, None, 1, "core‑2014", "CORE-2014", "core-2014 ", "", ["core-2014"], {}))),
        *same(("/event", (GONE, None, [], "x")), ("/event/build_total", (GONE, *NOT_POINTS))),
        *same(("/event/format", ("Constructed", None, 1, "ｓealed-booster")), ("/event/sanctioned", NOT_FLAGS)),
        *same(("/event/date", NOT_DAYS), ("/event/sets", NOT_LISTS), ("/event/event_dial", NOT_FLAGS)),
        ("/event/sets", ["a", 1], "/event/sets/1"),
        ("/event/tactics", ["feats", "Feats"], "/event/tactics/1"),
        ("/event/tactics", [[]], "/event/tactics/0"),
        *same(("/event/tactics", ("feats", {}, 1)), ("/event/builds", (1,)), ("/x", (1,)), ("/a~1b~0c", (1,)), ("/", (1,))),
        *same(("/force", (GONE, None, [], "x")), ("/force/characters", NOT_LISTS), ("/force/a~1b~0c", (1,))),
        *same(("/force/characters/0", (None, [], "Batman", 1))),
        *same(("/force/characters/1/name", (GONE, "", "  ", None, *NOT_TEXT))),
        *same(("/force/characters/0/points", (GONE, *NOT_POINTS)), ("/force/characters/0/Points", (1,))),
        *same(("/force/characters/0/ref", NOT_TEXT), ("/force/characters/0/set", NOT_TEXT)),
        *same(("/force/characters/0/number", NOT_TEXT), ("/force/characters/0/rank", ("Unique", None, "uniqueｓ", 1))),
        *same(("/force/characters/0/rarity", ("mythic", 1)), ("/force/characters/0/kind", ("Sentinel", None, []))),
        *same(("/force/characters/0/base_color", (1,)), ("/force/characters/0/teams", NOT_LISTS)),
        *same(("/force/characters/0/keywords", NOT_LISTS), ("/force/characters/0/generic_keywords", NOT_LISTS)),
        ("/force/characters/0/teams", ["X-Men", None], "/force/characters/0/teams/1"),
        ("/force/characters/0/teams", ["\udfff"], "/force/characters/0/teams/0"),
        *same(("/force/characters/0/dial", ("x", {}, None))),
        ("/force/characters/0/dial", [1], "/force/characters/0/dial/0"),
        ("/force/characters/0/dial", [{"speed": "8"}], "/force/characters/0/dial/0/speed"),
        ("/force/characters/0/dial", [{"range": 8}], "/force/characters/0/dial/0/range"),
        ("/force/characters/0/dial", [CLICK | {"damage": 1, "powers": ["P", 7]}], "/force/characters/0/dial/0/powers/1"),
        ("/force/characters/0/dial", [CLICK | {"damage": -1, "powers": []}], "/force/characters/0/dial/0/damage"),
        ("/force/characters/0/dial", [CLICK | {"damage": 1, "powers": ["\ud800"]}], "/force/characters/0/dial/0/powers/0"),
        ("/force/characters/0/dial", [CLICK | {"damage": 1, "powers": [], "x": 1}], "/force/characters/0/dial/0/x"),
        ("/force/characters/0/point_options", [50, "50"], "/force/characters/0/point_options/1"),
        *same(("/force/characters/0/street_date", NOT_DAYS), ("/force/characters/0/proxy", NOT_FLAGS)),
        *same(("/force/characters/0/promotional", NOT_FLAGS), ("/force/characters/0/from_sealed_product", NOT_FLAGS)),
        *same(("/force/characters/0/dial_number", NOT_TEXT)),
        ("/force/characters/1/ref", "a", "/force/characters/1/ref"),
        ("/force/feats/0/ref", "a", "/force/feats/0/ref"),
        ("/force/sideline", [{"ref": "a", "name": "X", "points": 1}], "/force/sideline/0/ref"),
        ("/force/sideline", [{"ref": "x", "name": "X", "points": 1}, {"ref": "x", "name": "Y", "points": 1}], "/force/sideline/1/ref"),
        ("/force/sideline", [{"name": "X"}], "/force/sideline/0/points"),
        ("/force/feats/0/assigned_to", ["a", "joker"], "/force/feats/0/assigned_to/1"),
        ("/force/feats/0/assigned_to", ["a", "a"], "/force/feats/0/assigned_to/1"),
        ("/force/feats/0/assigned_to", ["object-1"], "/force/feats/0/assigned_to/0"),
        ("/force/feats/0/requires/values", {"speed": "8"}, "/force/feats/0/requires/values/speed"),
        ("/force/feats/0/requires/values", {"Speed": 8}, "/force/feats/0/requires/values/Speed"),
        *same(("/force/feats/0/requires/values", ([], 1)), ("/force/feats/0/requires", ([], 1, "x"))),
        *same(("/force/feats/0/requires/rank", (1,))),
        *same(("/force/objects/0/kind", ("Heavy", 1)), ("/force/objects/0/special", NOT_FLAGS), ("/force/objects/0/points", NOT_POINTS)),
        ("/force/other", [{"kind": "id_card"}], "/force/other/0/kind"),
        ("/force/resources", [{"assigned_to": ["z"]}], "/force/resources/0/assigned_to/0"),
        ("/force/team_ability_cards", [{"assigned_to": ["z"]}], "/force/team_ability_cards/0/assigned_to/0"),
        ("/force/battlefield_conditions", [{"points": 1}], "/force/battlefield_conditions/0/points"),
        ("/force/sideline_allowed_by", ["nobody"], "/force/sideline_allowed_by/0"),
    ],
)  # fmt: skip
def test_faults_of_force_files(where, value, at):
    assert fault(check_force, changed(FORCE, where, value)) == at


NOBODY = ("z", 1, [], {})


@every_row(
    ("where", "value", "at"),
    [
        *same(("/edition", (GONE, "ic2002")), ("/build_total", (GONE, *NOT_POINTS)), ("/ended", (GONE, "rage-quit", None, "Time"))),
        *same(("/sides", (GONE, None, {}, [], [BATTLE["sides"][0]]))),
        *same(("/sides/0/player", (GONE, "", None, 1)), ("/sides/0/characters", (GONE, *NOT_LISTS)), ("/sides/0/points", ("103", -1, 1.5))),
        ("/sides/1/player", "A", "/sides/1/player"),
        ("/sides/1/characters/0/ref", "a", "/sides/1/characters/0/ref"),
        ("/sides/1/objects", [{"ref": "a"}], "/sides/1/objects/0/ref"),
        *same(("/sides/0/characters/0/name", (GONE, "")), ("/sides/0/characters/0/points", (GONE, *NOT_POINTS))),
        *same(("/sides/0/characters/0/fate", (GONE, "dead", None)), ("/sides/0/characters/0/cause", ("boredom", 1))),
        *same(("/sides/0/characters/0/by", NOBODY), ("/sides/0/characters/0/controller", NOBODY)),
        *same(("/sides/0/characters/0/last_damaged_by", ("C", "a", 1)), ("/sides/0/characters/0/on_turn_of", ("C", 1))),
        *same(("/sides/0/characters/0/order", (-1, "1")), ("/sides/0/characters/0/replaced", NOT_FLAGS)),
        *same(("/sides/0/characters/0/replaces", ("b", "z", "a")), ("/sides/0/characters/0/rank", ("unique",))),
        ("/sides/1/characters/0/fate", "captured", "/sides/1/characters/0/by"),
        ("/sides/0/objects", [{"fate": "defeated"}], "/sides/0/objects/0/fate"),
        ("/sides/0/objects", [{"by": "z"}], "/sides/0/objects/0/by"),
        ("/sides/0/resources", [{"assigned_to": ["b"]}], "/sides/0/resources/0/assigned_to/0"),
        ("/sides/0/feats", [{"assigned_to": ["b"]}], "/sides/0/feats/0/assigned_to/0"),
        ("/sides/0/feats", [{"assigned_to": ["a", "a"]}], "/sides/0/feats/0/assigned_to/1"),
        ("/sides/0/team_ability_cards", [{"assigned_to": ["z"]}], "/sides/0/team_ability_cards/0/assigned_to/0"),
        *same(("/scenario", ("Showdown", "poker", 1, [])), ("/turn", (-1, "5", 1.5)), ("/abandoned_by", ("A", "C"))),
        *same(("/scenario_winner", ("A", "C")), ("/attacker", ("C", 1)), ("/defender", ("C",))),
        *same(("/roll_off", ([], 1)), ("/unknown", (1,))),
        ("/roll_off", {"C": 7}, "/roll_off/C"),
        ("/roll_off", {"C/~": 7}, "/roll_off/C~1~0"),
        ("/roll_off", {"A": 13}, "/roll_off/A"),
        ("/roll_off", {"A": "7"}, "/roll_off/A"),
        ("/ended", "abandoned", "/abandoned_by"),
        ("/scenario", "stand-aside", "/attacker"),
    ],
)  # fmt: skip
def test_faults_of_battle_files(where, value, at):
    assert fault(score_battle, changed(BATTLE, where, value)) == at


def test_faults_of_two_keys_of_a_battle():
    both = {"attacker": "A", "defender": "A"}
    assert fault(score_battle, BATTLE | both) == "/defender"
    captured = changed(changed(BATTLE, "/sides/0/characters/0/fate", "released"), "/sides/0/characters/0/by", "a")
    assert fault(score_battle, captured) == "/sides/0/characters/0/by"
    released = changed(BATTLE, "/sides/0/characters/0/fate", "released")
    assert fault(score_battle, released) is None
    for edition in ("ic-2002", "dc-2005", "core-modern"):
        assert fault(score_battle, released | {"edition": edition}) == "/sides/0/characters/0/fate"
    circle = [
        {"ref": ref, "name": "A", "points": 5, "fate": "survived", "replaces": other} for ref, other in ("xy", "yx")
    ]
    assert faults(score_battle, changed(BATTLE, "/sides/0/characters", circle)) == [
        f"/sides/0/characters/{place}/replaces" for place in (0, 1)
    ]


@every_row(
    ("edition", "scenarios"),
    [
        (
            "ic-2002",
            {"challenge-of-the-champions", "the-scientist", "stand-aside", "winner-takes-all", "mind-switch", "custom"},
        ),
        ("dc-2005", {"showdown", "custom"}),
        ("core-2014", {"custom"}),
        ("core-modern", {"custom"}),
    ],
)
def test_a_scenario_foreign_to_the_edition_is_bad_input(edition, scenarios):
    every = {
        "challenge-of-the-champions", "showdown", "the-scientist", "the-wild-theory", "stand-aside", "portal-to-hypertime",
        "winner-takes-all", "raid-on-star-labs", "mind-switch", "a-world-gone-mad", "wholly-hurricane", "blackout",
        "dimensional-rift", "nine-tenths-of-the-law", "custom",
    }  # fmt: skip
    for scenario in every:
        document = BATTLE | {"edition": edition, "scenario": scenario, "attacker": "A"}
        assert fault(score_battle, document) == (None if scenario in scenarios else "/scenario")
        assert fault(score_battle, document | {"edition": "car-2002"}) is None


@every_row("document", [None, True, 1, "text", [], [FORCE]])
def test_a_document_is_an_object(document):
    assert fault(check_force, document) == ""
    assert fault(score_battle, document) == ""


def test_odd_documents_that_are_accepted():
    assert check_force(changed(FORCE, "/force/characters/0/points", 50.0))["total"] == 56
    assert check_force(changed(FORCE, "/force/characters/0/name", "Ünï\u2028 🦇"))["legal"]
    assert check_force(changed(FORCE, "/id", None))["id"] is None
    assert check_force({"edition": "ic-2002", "event": {"build_total": 100}, "force": {}})["violations"]
    nulls = dict.fromkeys(["set", "number", "ref", "street_date", "dial_number", "rarity"])
    assert check_force(changed(FORCE, "/force/characters/1", {"name": "B", "points": 1, **nulls}))["legal"]
    empty = changed(BATTLE, "/sides/0/characters", [])
    assert score_battle(empty)["victory_points"] == {"A": 0, "B": 5}


def test_refs_that_are_not_given():
    force = changed(FORCE, "/force/feats/0/assigned_to", ["character-2"])
    assert check_force(force)["legal"]
    cast = [
        {"name": "A", "points": 5, "fate": "survived"},
        {"ref": "character-3", "name": "B", "points": 5, "fate": "survived"},
    ]
    lines = score_battle(changed(BATTLE, "/sides/1/characters", [*BATTLE["sides"][1]["characters"], *cast]))["lines"]
    assert len({line["element"] for line in lines}) == 4


def levels(count):
    return '{"a":' * count + "1" + "}" * count


@every_row(("count", "at"), [(2, "/a"), (999, "/a"), (1000, "/a"), (1001, ""), (20_000, "")])
def test_a_thousand_levels_are_read_and_no_more(count, at):
    [report] = reports_on(levels(count), check_force)
    assert report["error"]["where"] == at
    [first, second] = reports_on(levels(count) + "\n" + json.dumps(FORCE), check_force)
    assert (first["error"]["where"], second["id"]) == (at, "f")


def test_brackets_in_strings_are_no_levels():
    assert nesting('{"a": "[[[[\\"[[", "b": [[]]}') == 3
    many = json.dumps(FORCE | {"note": "[" * 5000})
    assert [report["id"] for report in reports_on(many, check_force)] == ["f"]
    wide = json.dumps(changed(FORCE, "/force/objects", [{} for _ in range(1500)]))
    assert next(reports_on(wide, check_force))["total"] == 56
    pretty = json.dumps(json.loads(levels(900)), indent=0)
    assert len(list(read_documents(pretty))) == 1
    assert len(list(read_documents(levels(1500).replace("}", "\n}")))) == 1


@every_row(
    "text", ["", " ", "{", "{'a': 1}", '{"a": NaN}', '{"a": -Infinity}', '{"a": 1, "a": 1}', "nul", "\udc80", "[1"]
)
def test_what_is_no_json(text):
    with pytest.raises(BadInput) as caught:
        parse(text)
    assert caught.value.where == ""


def test_a_number_too_long_for_anyone():
    text = json.dumps(FORCE).replace('"points": 50', '"points": ' + "9" * 5000)
    assert next(reports_on(text, check_force))["error"]["where"] == "/force/characters/0/points"


def test_messages_are_short_and_can_be_written():
    assert shown("\ud800").encode()
    assert len(shown("x" * 500)) <= 60
    assert shown(10**5000) == "a number far too large"
    assert fault(check_force, changed(FORCE, "/force/characters/0/points", 10**5000)) == "/force/characters/0/points"
    assert (shown({}), shown([]), shown(None), shown(True), shown("a")) == (
        "an object",
        "a list",
        "null",
        "true",
        '"a"',
    )
    assert escaped("a/b~c") == "a~1b~0c"
    assert str(BadInput("/a", "No.")) == "/a: No."


def test_a_batch_never_stops():
    good, bad = json.dumps(FORCE), json.dumps(changed(FORCE, "/force/characters/1/points", -1))
    text = "\n".join([good, bad, "nonsense", "", "[1]", good])
    told = [report.get("error", {}).get("where", "fine") for report in reports_on(text, check_force)]
    assert told == ["fine", "/force/characters/1/points", "", "", "fine"]


def command(name, *arguments, text=""):
    """Run a management command as a shell does."""
    return subprocess.run(
        [sys.executable, "manage.py", name, *arguments],
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
    )


@every_row(("name", "document"), [("check_force", FORCE), ("score_battle", BATTLE)])
def test_the_commands(name, document):
    good = json.dumps(document, ensure_ascii=False)
    done = command(name, "-", text=f'{good}\n{{"id": "x"}}\n\udcff\udcfe\n{good}\n')
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [report["id"] for report in reports] == [document["id"], "x", None, document["id"]]
    assert b"Traceback" not in done.stderr


def test_a_command_and_a_file_that_is_not_there():
    done = command("check_force", "a" * 5000)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"can't be read" in done.stderr
    assert b"Traceback" not in done.stderr


@every_row(
    ("text", "read"),
    [
        ('{"a": [1, 2]}', True),
        ('{"a": 1, "a": 2}', True),
        ('{"a": [1, 2}', False),
        ("[" * 9_000 + "]" * 9_000, True),
        ("[" * 9_000 + "]" * 9_000 + "[]", False),
    ],
    ids=("json", "a key twice", "a bracket too few", "deep", "deep and more"),
)
def test_whether_a_text_is_json_at_all(text, read):
    assert is_json(text) is read


def test_the_key_that_is_given_twice_is_named():
    with pytest.raises(BadInput) as fault:
        parse('{"a": 1, "b": 2, "c": 3, "b": 4}')
    assert '"b"' in fault.value.message
