"""The cards of quick answers: an attack's roll and odds, and “May I?”, by the engine in each book."""

import html
import itertools
import json
import random
import re

import pytest
from django.urls import reverse

from rules import engine
from rules.engine import EDITIONS
from rules.models import SavedDispute
from rules.quick.attack import ATTACK
from rules.quick.cards import Choice, Number, Several
from rules.quick.may_i import BREAK_AWAY, CARRY, KNOCK_BACK, OUTWIT, PUSHING

ALL = tuple(EDITIONS)
CARDS = (ATTACK, BREAK_AWAY, CARRY, PUSHING, OUTWIT, KNOCK_BACK)


def asked(card, edition, **given):
    texts = {key.replace("_", "-"): str(value) for key, value in given.items()}
    _fields, chosen = card.read(EDITIONS[edition], texts)
    return card.answer(EDITIONS[edition], chosen)


def said(answer):
    return " ".join(answer.sentences)


@pytest.mark.parametrize("edition", ALL)
def test_the_needed_roll_and_its_odds_agree_with_every_roll_of_two_dice(edition):
    for attack, defense in ((9, 16), (8, 20), (10, 12), (5, 20)):
        answer = asked(ATTACK, edition, attack=attack, defense=defense)
        ways = sum(
            (attack + one + other >= defense or one + other == 12) and one + other != 2
            for one, other in itertools.product(range(1, 7), repeat=2)
        )
        assert dict(answer.facts)["Odds"].startswith(f"{ways} of 36")
        assert answer.rolls == tuple(
            (total, total == 12 or (total > 2 and attack + total >= defense)) for total in range(2, 13)
        )
    assert asked(ATTACK, edition, attack=9, defense=16).lead == "The attack hits on 7 or more."
    assert asked(ATTACK, edition, attack=5, defense=20).lead == "The attack hits only on a 12."


def test_what_matters_changes_the_sum_and_what_does_not_is_said():
    plain = asked(ATTACK, "ic-2002", kind="ranged")
    answer = asked(
        ATTACK, "ic-2002", kind="ranged", **{"with": "hindering-terrain,enhancement,energy-shield-deflection"}, perplex_attack=1
    )  # fmt: skip
    assert (plain.lead, answer.lead) == ("The attack hits on 7 or more.", "The attack hits on 9 or more.")
    sums = {lines[-1].why: [one.amount for one in lines] for lines in answer.sums}
    assert sums["defense"] == ["16", "+2", "+1", "19"]
    assert sums["damage"] == ["2", "+1", "3"]
    assert sums["attack total"][:2] == ["9", "+1"]
    idle = asked(ATTACK, "core-modern", kind="ranged", **{"with": "hindering-terrain,elevation-y"})
    assert dict(idle.facts)["No effect on this attack"] == "hindering terrain between"


@pytest.mark.parametrize("edition", ALL)
def test_what_stands_between_what_is_thrown_and_a_token_are_told(edition):
    for kind, what in (("ranged", "blocking-terrain"), ("ranged", "walls"), ("close", "walls")):
        answer = asked(ATTACK, edition, kind=kind, **{"with": what})
        assert (answer.state, answer.lead) == ("bad", "This attack isn't possible.")
        assert "wall" in said(answer) or "blocking" in said(answer)
    thrown = asked(ATTACK, edition, kind="ranged", damage=2, **{"with": "heavy"})
    assert any(one.text.startswith("Attacker deals Target 3 damage: printed 2") for one in thrown.replay.steps)
    pushed = dict(asked(ATTACK, edition, **{"with": "action-tokens-x"}).facts)
    assert pushed["Pushing"].endswith("Attacker takes 1 pushing damage: click 1 → 2.")
    assert "No effect on this attack" not in pushed
    assert "Pushing" not in dict(asked(ATTACK, edition).facts)
    [reroll] = [one for one in ATTACK.fields(EDITIONS[edition], {}) if one.key == "reroll"]
    assert ("themed team" in reroll.title) == (edition in ("core-2014", "core-modern"))


@pytest.mark.parametrize("edition", ALL)
def test_of_two_objects_only_one_is_held(edition):
    both, heavy = (asked(ATTACK, edition, **{"with": objects}) for objects in ("light,heavy", "heavy"))
    assert (both.lead, both.sums) == (heavy.lead, heavy.sums)
    assert "light object" in dict(both.facts)["No effect on this attack"]


def test_a_second_die_and_a_reroll_change_the_odds():
    answer = asked(ATTACK, "ic-2002", against="Super Senses", reroll="attacker")
    facts = dict(answer.facts)
    assert facts["Odds"] == "21 of 36, 58%"
    assert facts["With the reroll"] == "83%"
    assert facts["Hit and not avoided"] == "39%"
    assert facts["Super Senses: Target: 5–6"] == "Target rolls 5 for Super Senses and evades the attack."
    assert dict(asked(ATTACK, "ic-2002", reroll="target").facts)["With the reroll"] == "34%"


def test_damage_is_reduced_and_critical_rolls_are_told():
    answer = asked(ATTACK, "core-2014", damage=4, against="Invulnerability")
    assert "Target takes 2 clicks of damage" in said(answer)
    assert "increases by 1" in dict(answer.facts)["On a 12"]
    assert "critical miss" in dict(answer.facts)["On a 2"]
    assert "knocked back" in dict(answer.facts)["On doubles"]


def test_an_attack_that_is_not_possible_says_why():
    answer = asked(ATTACK, "ic-2002", **{"with": "soaring-y"})
    assert answer.state == "bad"
    assert "only one of them is soaring" in said(answer)


MAY_I = [
    (BREAK_AWAY, ALL, {"beside": 0}, "No roll needed.", "No opponent is adjacent"),
    (BREAK_AWAY, ALL, {}, "The roll succeeds on 4–6.", "must break away"),
    (BREAK_AWAY, ALL, {"holder": "Plasticity"}, "The roll succeeds on 6.", "makes this harder"),
    (BREAK_AWAY, ALL, {"mover": "Leap/Climb"}, "No roll needed.", "has Leap/Climb"),
    (BREAK_AWAY, ALL, {"mover": "Phasing"}, "No roll needed.", "has Phasing"),
    (CARRY, ("ic-2002", "dc-2005"), {}, "No.", "can't carry anyone"),
    (CARRY, ("ic-2002", "dc-2005"), {"carrier": "hovering"}, "Yes.", "carries Passenger"),
    (CARRY, ("car-2002",), {"carrier": "hovering", "team": "Green Lantern Corps", "passengers": 8}, "Yes.", "Passenger 8"),
    (CARRY, ("core-2014",), {"carrier": "wing"}, "Yes.", "carries Passenger"),
    (CARRY, ("core-modern",), {}, "No.", "isn't smaller"),
    (CARRY, ("core-modern",), {"passenger-size": "tiny"}, "Yes.", "carries Passenger"),
    (CARRY, ("ic-2002",), {"carrier": "hovering", "with": "passenger-holds"}, "No.", "holds an object"),
    (CARRY, ("ic-2002",), {"carrier": "hovering", "with": "apart"}, "No.", "aren't adjacent"),
    (PUSHING, ALL, {"tokens": 0}, "Yes. The figure isn't pushed.", "action token"),
    (PUSHING, ALL, {}, "Yes, and the figure takes pushing damage.", "takes 1"),
    (PUSHING, ALL, {"tokens": 2}, "No.", "2 action tokens"),
    (PUSHING, ("ic-2002", "core-2014"), {"power": "Willpower"}, "Yes. The figure takes no pushing damage.", "has Willpower"),
    (PUSHING, ("core-2014", "core-modern"), {"power": "indomitable"}, "Yes. The figure takes no pushing damage.", "Indomitable"),
    (OUTWIT, ALL, {"distance": 6}, "Yes.", "counters Target's Toughness"),
    (OUTWIT, ALL, {"distance": 13}, "No.", "13 squares away"),
    (OUTWIT, ALL, {"between": "wall"}, "No.", "a wall stands between"),
    (OUTWIT, ALL, {"between": "hindering", "power": "Stealth"}, "No.", "blocks lines to a character with Stealth"),
    (KNOCK_BACK, ALL, {}, "The target is knocked back.", "knocked back 3 squares"),
    (KNOCK_BACK, ALL, {"behind": "wall"}, "The target is knocked back.", "it slams into a wall"),
    (KNOCK_BACK, ALL, {"behind": "fall"}, "The target is knocked back.", "it falls off elevated terrain"),
    (KNOCK_BACK, ALL, {"behind": "edge"}, "The target is knocked back.", "the edge of the map"),
    (KNOCK_BACK, ("ic-2002", "core-2014"), {"power": "Charge"}, "The target stays in its square.", "it has Charge"),
]  # fmt: skip


@pytest.mark.parametrize(("card", "editions", "given", "lead", "says"), MAY_I)
def test_may_i_is_answered_by_the_engine(card, editions, given, lead, says):
    for edition in editions:
        answer = asked(card, edition, **given)
        assert (answer.lead, says in said(answer)) == (lead, True), (edition, answer.lead, said(answer))


def test_the_reach_of_outwit_is_that_of_the_book():
    reach = {edition: dict(asked(OUTWIT, edition).facts)["Range with a clear line of fire"] for edition in ALL}
    assert reach["ic-2002"] == "10 squares"
    assert reach["core-modern"] == "8 squares", "its own range"
    assert dict(asked(OUTWIT, "core-modern", range=0).facts)["Range with a clear line of fire"] == "6 squares"


@pytest.mark.parametrize("edition", ALL)
def test_whatever_is_chosen_is_answered_with_a_position_that_can_be_judged(edition):
    chosen = random.Random(edition)
    for card in CARDS:
        for _time in range(4):
            fields, _read = card.read(EDITIONS[edition], {})
            given = {}
            for one in fields:
                match one:
                    case Number(least=least, most=most):
                        given[one.key] = chosen.randint(least, most)
                    case Choice(options=options):
                        given[one.key] = chosen.choice(options)[0]
                    case Several(options=options):
                        given[one.key] = ",".join(key for key, _words in options if chosen.random() < 0.3)
            answer = asked(card, edition, **given)
            assert answer.replay.fault is None, (card.name, given, answer.replay.faults)
            assert answer.sentences, (card.name, given)
            engine.adjudicate(answer.document)


# --- The pages ---


@pytest.mark.django_db
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_each_choice_of_a_card_is_a_link_that_keeps_the_others(client, card, django_assert_max_num_queries):
    address = reverse("rules:quick-card", args=[card.name])
    with django_assert_max_num_queries(1):
        text = client.get(address, {"edition": "core-2014"}).content.decode()
    links = [html.unescape(found) for found in re.findall(r'class="button second" id="[^"]+" href="([^"]+)"', text)]
    assert len(links) > 6
    shown = client.get(links[-1])
    assert shown.status_code == 200
    assert "edition=core-2014" in links[-1]
    assert "Open as a dispute" in shown.content.decode()


@pytest.mark.django_db
def test_anything_in_the_address_is_answered(client):
    for card in CARDS:
        given = dict.fromkeys(
            ("attack", "defense", "kind", "with", "power", "size", "beside", "tokens", "distance"), "<x>-9999"
        )
        assert client.get(reverse("rules:quick-card", args=[card.name]), given).status_code == 200
        huge = {**given, "attack": "9" * 400, "passengers": "٣", "damage": "-", "free": "--1"}
        assert client.get(reverse("rules:quick-card", args=[card.name]), huge).status_code == 200
    assert client.get(reverse("rules:quick-card", args=["nothing"])).status_code == 404


@pytest.mark.django_db
def test_what_was_entered_is_carried_over_into_a_dispute(client):
    address = reverse("rules:quick-card", args=["attack"])
    text = client.get(address, {"edition": "ic-2002", "attack": "11", "against": "Toughness"}).content.decode()
    document = html.unescape(re.search(r'<textarea name="document" hidden>(.*?)</textarea>', text, re.S)[1])
    assert "rolls" not in json.loads(document)["actions"][0]
    client.post(reverse("rules:dispute-new"), {"document": document, "title": "Attack"})
    row = SavedDispute.objects.get()
    attacker, target = (side["characters"][0] for side in row.document["sides"])
    assert attacker["dial"][0]["attack"] == 11
    assert target["dial"][0]["powers"] == ["Toughness"]
    assert row.document["actions"] == [{"action": "close", "actor": "x", "targets": ["y"]}]
