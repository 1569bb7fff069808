"""A dispute asks for everything that its last action leaves open, before it looks finished."""

import html
import re
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import override

from rules.dispute.choices import rolls_so_far
from rules.dispute.unfinished import asked_replay, rerolled
from rules.engine import EDITIONS, adjudicate, time_limit
from rules.services.disputes import begin_dispute
from tests.rules.engine.fights import battle, fighter

pytestmark = pytest.mark.django_db
OLD = ("ic-2002", "car-2002")
SOME = ("car-2002", "core-modern")
"""One edition of each kind, where all of them take the same way through the page."""


def piece(name, square, *powers, points=50, **more):
    click = {"speed": 8, "attack": 10, "defense": 14, "damage": 3, "powers": list(powers)}
    return {
        "id": name.lower(),
        "name": name,
        "square": square,
        "range": 8,
        "points": points,
        "dial": [click] * 8,
        **more,
    }


def position(edition, *mine, foes=()):
    return {
        "edition": edition,
        "map": {"width": 14, "height": 14},
        "build_total": 300,
        "sides": [{"player": "Ann", "characters": list(mine)}, {"player": "Bo", "characters": list(foes)}],
    }


class Dispute:
    """A dispute as its judge uses it: only by what the page offers."""

    def __init__(self, client, document):
        cache.clear()
        self.client = client
        self.row = begin_dispute(document=document)
        self.address = reverse("rules:dispute", args=[self.row.public_id])
        self.text = client.get(self.row.judging_address(), follow=True).content.decode()

    def post(self, do, **given):
        self.row.refresh_from_db()
        self.text = self.client.post(
            self.address, {"do": do, "version": self.row.version, **given}, follow=True
        ).content.decode()
        self.row.refresh_from_db()

    def tap(self, option, who="bat"):
        asked = urlencode({"figure": who, "target": option.split("|")[2]})
        self.text = self.client.get(f"{self.address}?{asked}").content.decode()
        assert f'value="{option}"' in self.text, re.findall(r'name="option"\s+value="([^"]+)"', self.text)
        self.post("act", figure=who, option=option)

    def move(self, using, where, who="bat"):
        links = [html.unescape(link) for link in re.findall(r'href="([^"]+)"', self.text) if "act=move" in link]
        link = next(link for link in links if f"using={using.replace(' ', '%20')}" in link and f"figure={who}" in link)
        self.text = self.client.get(self.address + "?" + link.split("?")[1].split("#")[0]).content.decode()
        kind = re.search(r'name="action" value="([^"]+)"', self.text)[1]
        self.post("act", figure=who, action=kind, using=using, where=where)

    def choose(self, value):
        name = re.search(r'name="name"\s+value="([^"]+)"', self.text)[1]
        assert f'name="value" value="{value}"' in self.text, self.options
        self.post("choose", name=name, value=value)

    def squares(self, where):
        name = re.search(r'name="name"\s+value="([^"]+)"', self.text)[1]
        self.post("choose", name=name, where=where)

    def roll(self, *dice):
        name = re.search(r'name="name"\s+value="([^"]+)"', self.text)[1]
        self.post("roll", name=name, **{f"die-{number}": str(die) for number, die in enumerate(dice, 1)})

    @property
    def options(self):
        return re.findall(r'name="value" value="([^"]+)"', self.text)

    @property
    def next(self):
        found = self.text[self.text.index('id="next"') : self.text.index('class="stepper-more"')]
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", found)).split())

    @property
    def action(self):
        return self.row.document["actions"][-1]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_charge_asks_for_its_attack(client, edition):
    there = Dispute(client, position(edition, piece("Bat", "C5", "Charge"), foes=[piece("Joker", "C10")]))
    there.move("Charge", "C9")
    assert "Which target?" in there.next
    assert "No attack" in there.next
    assert there.options == ["close||joker||", "nobody"]
    there.choose("close||joker||")
    assert "Attack roll" in there.next
    assert there.action["then"] == [{"action": "close", "actor": "bat", "targets": ["joker"]}]


def test_a_declined_attack_is_said_and_not_asked_again(client):
    there = Dispute(client, position("core-2014", piece("Bat", "C5", "Charge"), foes=[piece("Joker", "C10")]))
    there.move("Charge", "C9")
    there.choose("nobody")
    assert there.action["then"] == []
    assert "Result" in there.next
    assert "Bat: power action with Charge to C9 · no attack" in html.unescape(there.text)


def test_a_charge_that_reaches_no_one_asks_nothing(client):
    there = Dispute(client, position("core-2014", piece("Bat", "C5", "Charge"), foes=[piece("Joker", "C12")]))
    there.move("Charge", "C6")
    assert "Result" in there.next


@pytest.mark.parametrize("edition", SOME)
def test_a_running_shot_asks_for_its_attack(client, edition):
    there = Dispute(client, position(edition, piece("Bat", "C5", "Running Shot"), foes=[piece("Joker", "F9")]))
    there.move("Running Shot", "C8")
    assert there.options == ["ranged||joker||", "nobody"]
    there.choose("ranged||joker||")
    assert "Attack roll" in there.next


@pytest.mark.parametrize("edition", SOME)
def test_a_hypersonic_attack_is_made_on_the_way(client, edition):
    there = Dispute(
        client,
        position(edition, piece("Bat", "A5", "Hypersonic Speed", range=0), foes=[piece("Joker", "D6")]),
    )
    there.move("Hypersonic Speed", "H5")
    assert "Which target?" in there.next
    at = next(option for option in there.options if option.startswith("close||joker|"))
    assert at.split("|")[3] in ("C5", "D5", "E5")
    there.choose(at)
    assert "Attack roll" in there.next


def test_a_kept_question_is_in_the_reader_s_language_and_never_one_that_was_cut_short():
    charged = {"action": "move", "actor": "bat", "using": ["Charge"], "path": ["B5"]}
    document = position("car-2002", piece("Bat", "A5", "Charge"), foes=[piece("Joker", "C5")]) | {"actions": [charged]}
    with time_limit(60) as _, override("fr"):
        french = asked_replay(document).asks
    with time_limit(0):
        assert asked_replay(document).fault is not None
    english = asked_replay(document).asks
    assert asked_replay(document).asks is english
    assert english.options != french.options
    assert [value for value, _words in english.options] == [value for value, _words in french.options]


def test_an_attack_after_a_move_may_use_a_power(client):
    bat = piece("Bat", "C5", "Charge", "Blades/Claws/Fangs")
    there = Dispute(client, position("core-2014", bat, foes=[piece("Joker", "C10")]))
    there.move("Charge", "C9")
    there.choose("close|Blades/Claws/Fangs|joker||")
    assert there.action["then"][0]["using"] == ["Blades/Claws/Fangs"]


@pytest.mark.parametrize("edition", SOME)
def test_flurry_asks_for_its_second_target(client, edition):
    foes = [piece("Joker", "D5"), piece("Harley", "D6"), piece("Bane", "J9")]
    there = Dispute(client, position(edition, piece("Bat", "C5", "Flurry"), foes=foes))
    there.tap("close|Flurry|joker")
    there.roll(5, 4)
    assert "second attack" in there.next
    assert there.options == ["joker", "harley", "nobody"]
    there.choose("harley")
    assert there.action["targets"] == ["joker", "harley"]
    assert "Attack roll" in there.next
    there.roll(5, 4)
    assert "Result" in there.next
    assert "→ Joker, Harley" in html.unescape(there.text)


def test_flurry_without_a_second_attack_says_so(client):
    there = Dispute(client, position("core-2014", piece("Bat", "C5", "Flurry"), foes=[piece("Joker", "D5")]))
    there.tap("close|Flurry|joker")
    there.roll(1, 2)
    there.choose("nobody")
    assert there.action["targets"] == ["joker"]
    assert "no second attack" in html.unescape(there.text)
    assert "Result" in there.next


@pytest.mark.parametrize("edition", SOME)
def test_mastermind_is_asked_before_the_damage(client, edition):
    foes = [piece("Joker", "D5", "Mastermind", points=100), piece("Goon", "E6", points=20)]
    there = Dispute(client, position(edition, piece("Bat", "C5"), foes=foes))
    there.tap("close||joker")
    there.roll(6, 4)
    assert "Does another figure take the damage?" in there.next
    assert "Bo" in there.next
    assert there.options == ["goon", "nobody"]
    joker = there.row.document["sides"][1]["characters"][0]
    assert joker.get("click", 1) == 1
    there.choose("goon")
    assert there.action["choose"] == {"mastermind:joker": "goon"}
    assert "Goon" in there.next
    assert "Joker : click" not in there.next


def test_mastermind_is_asked_of_an_expert_s_target(client):
    """In 2002 an expert uses only the power to be countered; another figure's Mastermind isn't one of its own."""
    foes = [piece("Joker", "D5", "Mastermind", points=100), piece("Goon", "E6", points=20)]
    there = Dispute(client, position("ic-2002", piece("Bat", "C5", "Close Combat Expert"), foes=foes))
    there.tap("close|Close Combat Expert|joker")
    there.roll(6, 4)
    assert there.options == ["goon", "nobody"]


def test_mastermind_may_be_declined(client):
    foes = [piece("Joker", "D5", "Mastermind", points=100), piece("Goon", "E6", points=20)]
    there = Dispute(client, position("core-2014", piece("Bat", "C5"), foes=foes))
    there.tap("close||joker")
    there.roll(6, 4)
    there.choose("nobody")
    assert there.action["choose"] == {"mastermind:joker": None}
    assert "Joker : click 1 → 4" in there.next


@pytest.mark.parametrize("edition", SOME)
def test_a_reroll_is_offered_to_those_who_may_make_it(client, edition):
    foes = [
        piece("Joker", "D5"),
        piece("Witch", "E8", "Probability Control"),
        piece("Far", "C14", "Probability Control", range=2),
    ]
    mine = [piece("Bat", "C5"), piece("Luck", "C7", "Probability Control")]
    there = Dispute(client, position(edition, *mine, foes=foes))
    there.tap("close||joker")
    assert "rerolls" not in there.next
    there.roll(6, 4)
    offered = re.findall(r"reroll=([^&]+)&amp;by=([a-z]+)", there.text)
    near = [one for one in offered if one[1] != "far" or edition in OLD]
    assert offered == near
    assert {by for _roll, by in offered} >= {"luck", "witch"}
    there.text = client.get(f"{there.address}?reroll={offered[-1][0]}&by=witch").content.decode()
    assert "rerolled by Witch" in there.next
    there.post("roll-again:reroll", roll="0/0/attack", by="witch", **{"die-1": "1", "die-2": "2"})
    assert there.action["rolls"]["attack/reroll"] == [[1, 2]]
    assert there.action["choose"] == {"reroll-by": "witch"}


@pytest.mark.parametrize("edition", ["core-2014", "core-modern"])
def test_a_themed_team_may_reroll(client, edition):
    mine = [piece("Bat", "C5", keywords=["Titans"]), piece("Rob", "C7", keywords=["Titans"])]
    document = position(edition, *mine, foes=[piece("Joker", "D5")])
    document["sides"][0]["themed_team"] = "Titans"
    there = Dispute(client, document)
    there.tap("close||joker")
    there.roll(1, 2)
    assert re.findall(r"by=([a-z]+)&amp;themed=yes", there.text) == ["rob"]
    there.text = client.get(f"{there.address}?reroll=0/0/attack&by=rob&themed=yes").content.decode()
    assert "rerolled by Rob" in there.next
    given = {"roll": "0/0/attack", "by": "rob", "themed": "yes", "die-1": "6", "die-2": "5"}
    there.post("roll-again:reroll", **given)
    assert there.action["using"] == ["Themed Team Probability Control"]
    assert "Joker : click 1" in there.next


def test_a_wrong_square_is_told_beside_its_field_and_kept(client):
    there = Dispute(client, position("core-2014", piece("Bat", "C5"), foes=[piece("Joker", "D5")]))
    there.post("act", figure="bat", act="move", action="move", where="here")
    assert "isn't a square" in html.unescape(re.search(r'id="fault-where">(.*?)</span>', there.text)[1])
    assert 'value="here"' in there.text
    assert 'name="do" value="act"' in there.text


@pytest.mark.parametrize("edition", EDITIONS)
def test_force_blast_asks_for_its_target(client, edition):
    there = Dispute(client, position(edition, piece("Bat", "C5", "Force Blast"), foes=[piece("Joker", "D5")]))
    there.tap(f"{'move' if edition in OLD else 'power'}|Force Blast|joker")
    if edition not in OLD:
        there.roll(3)
    assert "Result" in there.next
    assert "Joker : D5 →" in there.next or "Joker: D5 →" in there.next


@pytest.mark.parametrize("edition", EDITIONS)
def test_regeneration_asks_for_its_die(client, edition):
    there = Dispute(client, position(edition, piece("Bat", "C5", "Regeneration", click=5), foes=[piece("Joker", "J5")]))
    there.tap(f"{'move' if edition in OLD else 'power'}|Regeneration|")
    there.roll(5)
    assert "Result" in there.next
    assert "healed" in there.next


@pytest.mark.parametrize(
    ("edition", "power"), [*((name, "Barrier") for name in EDITIONS), *((name, "Smoke Cloud") for name in SOME)]
)
def test_markers_ask_for_their_squares(client, edition, power):
    there = Dispute(client, position(edition, piece("Bat", "C5", power), foes=[piece("Joker", "J12")]))
    there.tap(f"{'move' if edition in OLD else 'power'}|{power}|")
    assert "Tap 4 squares" in there.next
    there.squares("E4 E5 E6 E7")
    assert "Result" in there.next


@pytest.mark.parametrize("edition", EDITIONS)
def test_telekinesis_asks_for_its_target_and_the_square(client, edition):
    there = Dispute(client, position(edition, piece("Bat", "C5", "Telekinesis"), foes=[piece("Joker", "D5")]))
    option = next(
        option for option in re.findall(r'name="option"\s+value="([^"]+)"', there.text) if "Telekinesis|joker" in option
    )
    there.tap(option)
    assert "square" in there.next
    there.squares("E8")
    if "Attack roll" in there.next:
        there.roll(6, 5)
    assert "D5 → E8" in there.next


@pytest.mark.parametrize("edition", [name for name in EDITIONS if name not in OLD])
def test_quake_is_one_tap_against_everyone_beside(client, edition):
    foes = [piece("Joker", "D5"), piece("Harley", "C4")]
    there = Dispute(client, position(edition, piece("Bat", "C5", "Quake"), foes=foes))
    there.tap("close|Quake|")
    there.roll(5, 4)
    while there.options:
        there.choose(there.options[0])
    assert "Result" in there.next
    assert "Joker" in there.next
    assert "Harley" in there.next


def test_a_ticked_target_is_never_dropped(client):
    bat = piece("Bat", "C5", "Charge", "Hypersonic Speed")
    there = Dispute(client, position("core-2014", bat, foes=[piece("Joker", "C10")]))
    given = {"figure": "bat", "action": "power", "path": "C9"}
    there.post("exact", **given, power="Hypersonic Speed", **{"then-target": "joker"})
    assert "close or a ranged attack" in html.unescape(there.text)
    kept = re.findall(
        r'<input[^>]*name="(path|power|then-target)"[^>]*value="([^"]+)"[^>]*(?:checked|data-squares)', there.text
    )
    assert kept == [("path", "C9"), ("power", "Hypersonic Speed"), ("then-target", "joker")]
    there.post("exact", **{**given, "action": "move"}, target="joker")
    assert "A move has no target." in html.unescape(there.text)
    assert "actions" not in there.row.document
    there.post("exact", **given, power="Charge", target="joker")
    assert there.action["then"] == [{"action": "close", "actor": "bat", "targets": ["joker"]}]


def test_a_second_reroll_of_an_action_is_listed_after_the_first():
    side = {"themed_team": "Heroes"}
    mine = [fighter("a", "C3", keywords=["Heroes"]), fighter("c", "C5", powers=["Probability Control"])]
    mine.append(fighter("d", "B6", keywords=["Heroes"]))
    attack = {"action": "close", "actor": "a", "targets": ["b"], "rolls": {"attack": [[2, 1]]}}
    document = battle("core-modern", mine, [fighter("b", "D3")], attack, side=side)
    document = rerolled(document, rolls_so_far(document)[-1], (1, 2), "c")
    assert document["actions"][0]["choose"] == {"reroll-by": "c"}
    document = rerolled(document, rolls_so_far(document)[-1], (5, 3), "d", themed=True)
    assert document["actions"][0]["rolls"]["attack/reroll"] == [[1, 2], [5, 3]]
    report = adjudicate(document)
    users = [step["numbers"]["by"] for step in report["steps"] if step["step"] == "reroll"]
    assert users == ["c", "d"]
    assert report["state"]["characters"]["d"]["tokens"] == 1
    assert report["unused"] == []
