"""The board's editor: whatever is changed by its forms, the position is the one that a direct edit would give."""

import copy
import html
import json
import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from rules.engine import adjudicate
from tests.forms_of_page import as_sent, forms_of
from tests.tables import every_row

CLICKS = [
    {"speed": 9, "attack": 11, "defense": 17, "damage": 4, "powers": ["Charge", "Super Strength"]},
    {"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": ["Charge"]},
    {"speed": 7, "attack": 9, "defense": 15, "damage": 2, "powers": []},
]


def figure(name, place, **more):
    where = {"square": place} if isinstance(place, str) or place is None else {"squares": place}
    return {"id": name.lower(), "name": name, **where, "dial": copy.deepcopy(CLICKS), **more}


def crowded(edition="core-2014"):
    """Return a position with everything that an editor could spoil."""
    giant = figure("Giant", ["C2", "D2", "C3", "D3"], base="2x2", symbols={"damage": "giant", "attack": "duo"})
    rider = figure("Rider", ["F2", "F3"], base="peanut", range=6, bolts=2, symbols={"speed": ["boot", "wing"]})
    flyer = figure("Flyer", "B5", symbols={"speed": "wing"}, flight="soaring", points=87, teams=["X-Men", "Avengers"])
    strong = figure("Strong", "E5", holding="bin", click=2, tokens=1, acted=True, countered=["Charge"])
    learned = {
        "improved": {"movement": ["hindering"], "targeting": ["characters", "adjacent"]},
        "modifiers": [{"value": "attack", "by": 1, "source": "Perplex"}],
        "replacements": [{"value": "speed", "set": "halve"}],
    }
    return {
        "title": "Roof",
        "edition": edition,
        "build_total": 400,
        "map": {
            "width": 9,
            "height": 7,
            "kind": "outdoor",
            "terrain": [
                {"type": "hindering", "squares": ["A1:B2"]},
                {"type": "elevated", "level": 3, "squares": ["H1:I7"]},
                {"type": "starting-area", "player": "Ann", "squares": ["A7:C7"]},
            ],
            "walls": ["D4|D5"],
            "markers": [{"kind": "debris", "square": "G6"}, {"kind": "smoke", "square": "G6"}],
        },
        "objects": [
            {"id": "bin", "kind": "heavy", "square": None, "name": "Dumpster"},
            {"id": "lamp", "kind": "light", "square": "G3", "special": True},
        ],
        "sides": [
            {"player": "Ann", "characters": [giant, flyer, strong], "themed_team": "Titans"},
            {
                "player": "Bo",
                "characters": [
                    rider,
                    figure("Scholar", "G5", **learned, start=2, click=3, keywords=["Wizard"], last_damaged_by="Ann"),
                    figure("Fallen", "E5", click=4),
                    figure("Captive", None, captured_by="strong"),
                ],
            },
        ],
        "turn": {"active": "Bo", "number": 4},
    }


class Editor:
    """The board page as someone without a script uses it: every form is submitted with all of its fields."""

    def __init__(self, document):
        cache.clear()
        self.client = Client()
        self.fields = {}
        self.show(self.client.post(reverse("rules:board-change"), {"document": json.dumps(document), "do": "look"}))

    def show(self, page):
        assert page.status_code == 200
        self.text = page.content.decode()
        self.fields = as_sent(next(form for form in forms_of(self.text) if "document" in form.fields))

    def do(self, what, **given):
        changed = {key: one if isinstance(one, list) else [one] for key, one in given.items()}
        self.show(self.client.post(reverse("rules:board-change"), {**self.fields, **changed, "do": what}))

    def alter(self, name, **given):
        self.do("choose", figure=name)
        self.do("alter", **given)

    @property
    def document(self):
        return json.loads(self.fields["document"][0])

    @property
    def said(self):
        found = re.search(r'data-part="said".*?</div>\s*</div>', self.text, re.DOTALL)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found[0])).split()) if found else ""


def piece(document, name):
    return next(one for side in document["sides"] for one in side["characters"] if one["id"] == name)


EVERYONE = ("giant", "rider", "flyer", "strong", "scholar", "fallen", "captive")


@every_row("name", EVERYONE)
def test_applying_the_form_unchanged_changes_nothing(name):
    editor = Editor(crowded())
    editor.alter(name)
    assert editor.document == crowded()


@every_row("name", ["giant", "strong", "scholar"])
def test_one_changed_field_changes_nothing_else(name):
    editor = Editor(crowded())
    editor.alter(name, range="11")
    wanted = crowded()
    piece(wanted, name)["range"] = 11
    assert editor.document == wanted


def test_a_changed_value_belongs_to_the_click_that_shows():
    editor = Editor(crowded())
    editor.alter("strong", **{"value-attack": "12", "powers": "Flurry"})
    wanted = crowded()
    piece(wanted, "strong")["dial"][1] |= {"attack": 12, "powers": ["Flurry"]}
    assert editor.document == wanted


def test_with_no_figure_chosen_the_form_is_empty():
    editor = Editor(crowded())
    editor.do("choose", figure="scholar")
    assert editor.fields["name"] == ["Scholar"]
    editor.do("choose", figure="")
    for key in ("name", "range", "value-speed", "value-attack", "powers", "click", "clicks", "teams", "holding"):
        assert editor.fields[key] == [""], key
    assert "improved-movement" not in editor.fields


def test_the_values_of_one_figure_are_never_given_to_another():
    editor = Editor(crowded())
    editor.do("choose", figure="scholar")
    editor.do("alter", figure="rider")
    assert editor.document == crowded()
    assert "These are the values of Rider." in editor.said
    assert editor.fields["name"] == ["Rider"]


def test_a_piece_placed_by_hand_has_a_full_dial():
    editor = Editor(crowded())
    given = {"name": "Goon", "value-attack": "7", "powers": "Stealth, Flurry", "clicks": "4", "click": "2"}
    editor.do("place", where="A4", player="Bo", **given)
    made = piece(editor.document, "goon")
    click = {"speed": 8, "attack": 7, "defense": 16, "damage": 2, "powers": ["Stealth", "Flurry"]}
    assert (made["dial"], made["click"], made["square"]) == ([click] * 4, 2, "A4")
    editor.alter("goon", click="5")
    assert adjudicate(editor.document)["state"]["characters"]["goon"]["ko"]
    editor.do("choose", figure="")
    editor.do("place", where="A5", player="Bo", name="Thug")
    assert len(piece(editor.document, "thug")["dial"]) == 10


def test_a_longer_dial_repeats_its_last_click_and_a_shorter_one_loses_the_last():
    editor = Editor(crowded())
    editor.alter("giant", clicks="5")
    assert piece(editor.document, "giant")["dial"] == [*CLICKS, CLICKS[-1], CLICKS[-1]]
    editor.alter("giant", clicks="2")
    assert piece(editor.document, "giant")["dial"] == CLICKS[:2]


def test_an_object_taken_in_hand_leaves_its_square_and_the_other_lies_there():
    editor = Editor(crowded())
    editor.alter("strong", holding="lamp")
    wanted = crowded()
    piece(wanted, "strong")["holding"] = "lamp"
    wanted["objects"][0]["square"], wanted["objects"][1]["square"] = "E5", None
    assert editor.document == wanted
    editor.alter("scholar", holding="Dumpster")
    assert piece(editor.document, "scholar")["holding"] == "bin"
    editor.alter("strong", holding="")
    assert piece(editor.document, "strong")["holding"] is None
    assert editor.document["objects"][1]["square"] == "E5"


def test_a_larger_base_covers_its_squares():
    editor = Editor(crowded())
    editor.alter("scholar", base="2x2")
    assert piece(editor.document, "scholar")["squares"] == ["G5", "H5", "G6", "H6"]
    editor.alter("rider", base="peanut")
    assert piece(editor.document, "rider")["squares"] == ["F2", "G2"]
    editor.alter("flyer", base="peanut-upright")
    assert "squares" not in piece(editor.document, "scholar") or len(piece(editor.document, "flyer")["squares"]) == 2


@every_row(
    ("do", "given", "field", "says"),
    [
        ("alter", {"value-attack": "many"}, "value-attack", "Attack: enter a whole number from 0 to 1000."),
        ("alter", {"tokens": "77"}, "tokens", "Action tokens: enter a whole number from 0 to 9."),
        ("alter", {"holding": "sofa"}, "holding", "No object on this map is called “sofa”."),
        ("alter", {"holding": "bin"}, "holding", "Strong already holds this object."),
        ("place", {"where": "E5"}, "where", "Strong already occupies E5."),
        (
            "place",
            {"where": "A4", "clicks": "0"},
            "clicks",
            "Dial clicks before KO: enter a whole number from 1 to 100.",
        ),
        ("move", {"where": "Z1"}, "where", "Z1 isn't on the map."),
        ("resize", {"height": "900"}, "height", "1 to 200 squares"),
        ("look", {"from": "nowhere"}, "from", "“nowhere” is neither a square of this map nor the name of a figure"),
    ],
)
def test_a_fault_is_a_sentence_beside_its_field(do, given, field, says):
    editor = Editor(crowded())
    if do in ("alter", "move"):
        editor.do("choose", figure="scholar")
    editor.do(do, **given)
    beside = re.search(rf'data-fault="{field}">(.*?)</span>', editor.text)[1]
    assert says in html.unescape(beside)
    assert says in editor.said
    assert editor.document == crowded()
    if do != "look":
        assert all(editor.fields[key] == [value] for key, value in given.items() if key not in ("height",))


@every_row("edition", ["ic-2002", "core-modern"])
def test_faults_of_an_edition_name_the_figure_and_no_pointer(edition):
    document = crowded(edition)
    document["map"]["windows"] = ["D5|E5"] if edition == "core-modern" else []
    editor = Editor(document)
    editor.do("brush", brush="edge:windows", where="B3|B4")
    assert "/map" not in editor.said
    editor.do("look", edition="ic-2002")
    assert "/map" not in editor.text.split('id="file"')[0]


def test_a_smaller_map_takes_what_its_figures_hold_and_lets_their_captives_go():
    editor = Editor(crowded())
    editor.do("resize", width="4", height="4")
    assert [one["id"] for side in editor.document["sides"] for one in side["characters"]] == ["giant", "captive"]
    assert "captured_by" not in piece(editor.document, "captive")
    assert editor.document["objects"] == []


def test_two_objects_in_one_square_are_not_taken_for_two_squares():
    document = crowded()
    document["objects"] += [{"id": f"tin-{n}", "kind": "light", "square": "A4"} for n in (1, 2)]
    editor = Editor(document)
    editor.do("brush", brush="object:light", where="A4:A5")
    assert {one["square"] for one in editor.document["objects"] if one["kind"] == "light"} == {"G3", "A4", "A5"}


# --- Any sequence of changes ---

COLUMNS = "ABCDEFGHI"
SQUARES = [f"{column}{row}" for row in range(1, 8) for column in COLUMNS]
NUMBERS = {"range": (0, 20), "tokens": (0, 9), "points": (0, 2000), "bolts": (0, 4)}
VALUES = ("speed", "attack", "defense", "damage")


def reached(square, across, down):
    """Return the square that many columns and rows away; it may be off the map."""
    return f"{chr(ord(square[0]) + across)}{int(square[1:]) + down}"


def base_at(one, square):
    """Return the squares of a figure's base whose top left one is `square`."""
    base, before = one.get("base", "single"), one.get("squares") or []
    if base == "2x2":
        return [reached(square, across, down) for down in (0, 1) for across in (0, 1)]
    if base == "peanut":
        stands = len(before) == 2 and before[0][0] == before[1][0]
        return [square, reached(square, 0, 1) if stands else reached(square, 1, 0)]
    return [square]


def on_map(one):
    """Return the squares that a figure takes up: none if it is a captive, knocked out or beside the map."""
    if one.get("captured_by") or one.get("click", 1) > len(one["dial"]):
        return []
    return one.get("squares") or [one["square"]] if one.get("squares") or one.get("square") else []


def as_drawn(document):
    """Return a position with its terrain and markers square by square: several rectangles may say the same."""
    found = copy.deepcopy(document)
    cells = {}
    for area in found["map"].pop("terrain"):
        for name in area["squares"]:
            first, last = (name.split(":") * 2)[:2]
            for column in range(ord(first[0]), ord(last[0]) + 1):
                for row in range(int(first[1:]), int(last[1:]) + 1):
                    facts = (area["type"], area.get("level"), area.get("player"))
                    cells.setdefault(f"{chr(column)}{row}", set()).add(facts)
    return {**found, "terrain": {square: sorted(map(str, facts)) for square, facts in cells.items()}}


class Changes(RuleBasedStateMachine):
    """The editor beside the same document edited directly, in the few words that the change has in a position file."""

    @initialize(edition=st.sampled_from(["car-2002", "core-2014", "core-modern"]))
    def begin(self, edition):
        self.wanted = crowded(edition)
        self.editor = Editor(self.wanted)

    def figures(self):
        return [one for side in self.wanted["sides"] for one in side["characters"]]

    def chosen(self, number):
        there = self.figures()
        return there[number % len(there)] if there else None

    def free(self, one, squares):
        taken = {square for other in self.figures() if other is not one for square in on_map(other)}
        return set(squares) <= set(SQUARES) - taken

    def same(self):
        assert as_drawn(self.editor.document) == as_drawn(self.wanted), self.editor.said

    @rule(number=st.integers(0, 9), key=st.sampled_from(sorted(NUMBERS)), value=st.integers(0, 2000))
    def number_changed(self, number, key, value):
        one = self.chosen(number)
        if one is None:
            return
        least, most = NUMBERS[key]
        value = max(least, min(most, value))
        before = one.get(key, {"bolts": 1}.get(key, 0))
        self.editor.alter(one["id"], **{key: str(value)})
        if before != value:
            one[key] = value
        self.same()

    @rule(number=st.integers(0, 9), key=st.sampled_from(VALUES), value=st.integers(0, 20), powers=st.booleans())
    def click_changed(self, number, key, value, powers):
        one = self.chosen(number)
        if one is None:
            return
        given = {f"value-{key}": str(value), **({"powers": "Flurry, Stealth"} if powers else {})}
        self.editor.alter(one["id"], **given)
        if one.get("click", 1) <= len(one["dial"]):
            shown = one["dial"][one.get("click", 1) - 1]
            shown[key] = value
            shown["powers"] = ["Flurry", "Stealth"] if powers else shown["powers"]
        self.same()

    @rule(number=st.integers(0, 9), click=st.integers(1, 4))
    def turned(self, number, click):
        one = self.chosen(number)
        if one is None:
            return
        now = min(click, len(one["dial"]) + 1)
        self.editor.alter(one["id"], click=str(click))
        rises = {**one, "click": now}
        if one.get("click", 1) != now and self.free(one, on_map(rises)):
            one["click"] = now
        self.same()

    @rule(number=st.integers(0, 9), flight=st.sampled_from(["", "hovering", "soaring"]), acts=st.booleans())
    def flown(self, number, flight, acts):
        one = self.chosen(number)
        if one is None:
            return
        self.editor.alter(one["id"], flight=flight, acted=["yes"] if acts else [])
        if (one.get("flight") or "") != flight:
            one["flight"] = flight or None
        if bool(one.get("acted")) != acts:
            one["acted"] = acts
        self.same()

    @rule(number=st.integers(0, 9), thing=st.sampled_from(["", "bin", "lamp"]))
    def held(self, number, thing):
        one = self.chosen(number)
        if one is None:
            return
        self.editor.alter(one["id"], holding=thing)
        things = {known["id"]: known for known in self.wanted["objects"]}
        others = {other.get("holding") for other in self.figures() if other is not one}
        if (not thing or thing in things) and not (thing and thing in others) and (one.get("holding") or "") != thing:
            if one.get("holding"):
                things[one["holding"]]["square"] = (on_map(one) or [None])[0]
            one["holding"] = thing or None
            if thing:
                things[thing]["square"] = None
        self.same()

    @rule(number=st.integers(0, 9), square=st.sampled_from(SQUARES))
    def moved(self, number, square):
        one = self.chosen(number)
        if one is None:
            return
        self.editor.do("move", figure=one["id"], where=square)
        squares = base_at(one, square)
        if not one.get("captured_by") and self.free(one, squares):
            one.pop("square", None)
            one.pop("squares", None)
            one.update({"square": square} if len(squares) == 1 else {"squares": squares})
        self.same()

    @rule(square=st.sampled_from(SQUARES), clicks=st.integers(1, 12), player=st.sampled_from(["Ann", "Bo"]))
    def placed(self, square, clicks, player):
        self.editor.do("choose", figure="")
        self.editor.do("place", where=square, player=player, name="Goon", clicks=str(clicks))
        if self.free(None, [square]):
            names = {one["id"] for one in self.figures()}
            name = next(name for name in ("goon", *(f"goon-{number}" for number in range(2, 99))) if name not in names)
            click = {"speed": 8, "attack": 9, "defense": 16, "damage": 2, "powers": []}
            dial = [copy.deepcopy(click) for _click in range(clicks)]
            made = {"id": name, "name": "Goon", "base": "single", "range": 8, "square": square, "dial": dial}
            next(side for side in self.wanted["sides"] if side["player"] == player)["characters"].append(made)
        self.same()

    @rule(number=st.integers(0, 9))
    def removed(self, number):
        one = self.chosen(number)
        if one is None:
            return
        self.editor.do(f"remove:{one['id']}")
        for thing in self.wanted["objects"]:
            if thing["id"] == one.get("holding"):
                thing["square"] = (on_map(one) or [None])[0]
        for side in self.wanted["sides"]:
            side["characters"] = [other for other in side["characters"] if other is not one]
        for other in self.figures():
            if other.get("captured_by") == one["id"]:
                del other["captured_by"]
        self.same()

    @rule(square=st.sampled_from(SQUARES), kind=st.sampled_from(["debris", "smoke", "hindering"]))
    def marked(self, square, kind):
        self.editor.do("brush", brush=f"marker:{kind}", where=square)
        mark = {"kind": kind, "square": square}
        markers = self.wanted["map"]["markers"]
        left = [one for one in markers if one != mark]
        self.wanted["map"]["markers"] = left if len(left) < len(markers) else [*markers, mark]
        self.same()

    @rule(square=st.sampled_from(SQUARES))
    def watered(self, square):
        self.editor.do("brush", brush="terrain:water", where=square)
        areas = self.wanted["map"]["terrain"]
        mine = {"type": "water", "squares": [square]}
        self.wanted["map"]["terrain"] = [one for one in areas if one != mine] if mine in areas else [*areas, mine]
        self.same()

    @rule()
    def named(self):
        self.editor.do("name", title="Cellar", kind="indoor")
        self.wanted["title"], self.wanted["map"]["kind"] = "Cellar", "indoor"
        self.same()


PHASES = (Phase.explicit, Phase.generate)
QUIETLY = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True, "phases": PHASES}


def test_some_sequences_of_changes():
    chosen = settings(
        max_examples=6,
        stateful_step_count=10,
        derandomize=True,
        **QUIETLY,
    )
    run_state_machine_as_test(Changes, settings=chosen)


@pytest.mark.soak
def test_five_hundred_sequences_of_changes():
    run_state_machine_as_test(Changes, settings=settings(max_examples=500, stateful_step_count=20, **QUIETLY))
