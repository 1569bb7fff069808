"""Disputes are saved, changed by one judge at a time, undone, and released for training."""

import copy
import json

import pytest

from rules.engine import BadInput
from rules.models import SavedDispute
from rules.services.disputes import (
    MAX_TAKEN_BACK,
    Outdated,
    as_of,
    begin_dispute,
    change_dispute,
    may_change,
    release_dispute,
    take_back,
)

pytestmark = pytest.mark.django_db
CLICK = {"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": []}


def position(**more):
    """Return two plain figures five squares apart."""
    sides = [
        {"player": "Ann", "characters": [{"id": "bat", "name": "Batman", "square": "A1", "range": 6, "dial": [CLICK]}]},
        {"player": "Bo", "characters": [{"id": "joker", "name": "Joker", "square": "F1", "range": 6, "dial": [CLICK]}]},
    ]
    return {"edition": "core-2014", "map": {"width": 8, "height": 8}, "sides": sides, **more}


def test_a_dispute_is_kept_with_its_title_and_edition():
    made = begin_dispute(document=position(title="Across the yard"))
    row = SavedDispute.objects.get(public_id=made.public_id)
    assert (row.title, row.edition, row.version, row.released) == ("Across the yard", "core-2014", 1, False)
    assert row.document["sides"] == position()["sides"]
    assert may_change(row, row.key)
    assert not any(may_change(row, wrong) for wrong in ("", row.public_id, "é"))


def test_figures_without_a_square_wait_beside_an_empty_board():
    given = position()
    del given["map"]
    for side in given["sides"]:
        side["characters"][0].pop("square")
    given["sides"][1]["characters"].append(copy.deepcopy(given["sides"][1]["characters"][0]))
    row = begin_dispute(document=given)
    assert [(one["player"], one["piece"]["id"]) for one in row.waiting] == [
        ("Ann", "bat"),
        ("Bo", "joker"),
        ("Bo", "joker-2"),
    ]
    assert [side["characters"] for side in row.document["sides"]] == [[], []]
    assert (row.document["map"]["width"], row.document["map"]["height"]) == (16, 16)


def test_large_bases_may_wait():
    given = position()
    given["sides"][0]["characters"][0] |= {"base": "2x2", "square": None}
    assert begin_dispute(document=given).waiting[0]["piece"]["base"] == "2x2"


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"edition": "core-1999"}, "/edition"),
        ({"sides": []}, "/sides"),
        ({"colour": "red"}, "/colour"),
        ({"actions": [{"action": "pass", "actor": "bat"}] * 51}, "/actions"),
        ({"note": "x" * 400_000}, ""),
    ],
)
def test_invalid_positions_are_not_saved(change, where):
    with pytest.raises(BadInput) as fault:
        begin_dispute(document=position(**change))
    assert fault.value.where == where
    assert not SavedDispute.objects.exists()


def test_a_piece_that_waits_must_be_a_piece():
    with pytest.raises(BadInput) as fault:
        begin_dispute(document=position(), waiting=[{"player": "Ann", "piece": {"name": "Robin", "dial": [{}]}}])
    assert fault.value.where.startswith("/waiting/0/piece/dial")


def test_the_second_of_two_changes_to_one_version_is_refused():
    row = begin_dispute(document=position())
    other = SavedDispute.objects.get(pk=row.pk)
    change_dispute(dispute=row, version=1, said="Ann's title", title="Ann's")
    with pytest.raises(Outdated) as told:
        change_dispute(dispute=other, version=1, said="Bo's title", title="Bo's")
    assert told.value.dispute.title == "Ann's"
    assert SavedDispute.objects.get(pk=row.pk).version == 2


def figure(document, name):
    return next(one for side in document["sides"] for one in side["characters"] if one["id"] == name)


def altered(document, act):
    """Return a copy of a position file, changed."""
    made = copy.deepcopy(document)
    act(made)
    return made


def click(name, number):
    return lambda document: figure(document, name).update(click=number)


def drawn(kind, *squares):
    return lambda document: document["map"].setdefault("terrain", []).append({"type": kind, "squares": list(squares)})


def wall(edge):
    return lambda document: document["map"].setdefault("walls", []).append(edge)


def in_order(value):
    """Return JSON data with its lists sorted."""
    if isinstance(value, dict):
        return {key: in_order(one) for key, one in value.items()}
    return sorted(map(in_order, value), key=json.dumps) if isinstance(value, list) else value


TWO_CHANGES = [
    (click("bat", 1), click("joker", 1)),
    (click("bat", 1), lambda document: figure(document, "bat").update(tokens=1)),
    (
        lambda document: figure(document, "bat")["dial"][0]["powers"].append("Stealth"),
        lambda document: figure(document, "bat")["dial"][0].update(attack=11),
    ),
    (drawn("hindering", "C1"), wall("D1|E1")),
    (drawn("hindering", "C1"), drawn("blocking", "D1")),
    (wall("D1|E1"), wall("D2|E2")),
    (
        lambda document: document.update(actions=[{"action": "ranged", "actor": "bat", "targets": ["joker"]}]),
        click("joker", 1),
    ),
    (lambda document: document.update(edition="car-2002"), click("joker", 1)),
    (
        lambda document: document["sides"][0]["characters"].append({**figure(document, "bat"), "id": "r", "square": "A3"}),
        lambda document: document["sides"][0]["characters"].append({**figure(document, "bat"), "id": "s", "square": "A4"}),
    ),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(TWO_CHANGES)))
@pytest.mark.parametrize("turned", [False, True])
def test_two_changes_at_once_are_both_kept_if_they_touch_different_things(place, turned):
    one, other = TWO_CHANGES[place][:: -1 if turned else 1]
    row = begin_dispute(document=position())
    late = SavedDispute.objects.get(pk=row.pk)
    wanted = altered(altered(row.document, one), other)
    change_dispute(dispute=row, version=1, said="one", document=altered(row.document, one))
    change_dispute(dispute=late, version=1, said="other", document=altered(late.document, other))
    kept = SavedDispute.objects.get(pk=row.pk)
    assert (kept.version, [one["said"] for one in kept.past]) == (3, ["one", "other"])
    assert in_order(kept.document) == in_order(wanted)
    take_back(dispute=kept, version=3)
    assert kept.document == row.document, "only the second is undone"


def test_two_brushes_at_once_draw_together():
    row = begin_dispute(document=position())
    late = SavedDispute.objects.get(pk=row.pk)
    change_dispute(dispute=row, version=1, said="one", document=altered(row.document, drawn("water", "C1", "C2")))
    change_dispute(dispute=late, version=1, said="other", document=altered(late.document, drawn("water", "C2", "C3")))
    assert late.document["map"]["terrain"] == [{"type": "water", "squares": ["C1:C3"]}]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (click("bat", 1), click("bat", 2)),
        (click("bat", 1), lambda document: document["sides"][0]["characters"].pop()),
        (
            lambda document: figure(document, "bat").update(square="C3"),
            lambda document: figure(document, "joker").update(square="C3"),
        ),
        (
            lambda document: document.update(actions=[{"action": "pass", "actor": "bat"}]),
            lambda document: document.update(actions=[{"action": "pass", "actor": "joker"}]),
        ),
    ],
)
def test_of_two_changes_that_do_not_go_together_the_second_is_refused(one, other):
    row = begin_dispute(document=position())
    late = SavedDispute.objects.get(pk=row.pk)
    change_dispute(dispute=row, version=1, said="one", document=altered(row.document, one))
    with pytest.raises(Outdated):
        change_dispute(dispute=late, version=1, said="other", document=altered(late.document, other))
    assert SavedDispute.objects.get(pk=row.pk).document == row.document


def test_an_earlier_version_is_known_until_something_was_undone():
    row = begin_dispute(document=position())
    first = row.document
    for version, title in ((1, "A"), (2, "B"), (3, "C")):
        turned = {**first, "turn": {"active": "Bo", "number": version}}
        change_dispute(dispute=row, version=version, said=title, title=title, document=turned)
    assert [(as_of(row, version).title, as_of(row, version).document) for version in (1, 3)] == [
        ("", first),
        ("B", {**first, "turn": {"active": "Bo", "number": 2}}),
    ]
    assert (as_of(row, 0), as_of(row, 4), as_of(row, 9)) == (row, row, row)
    take_back(dispute=row, version=4)
    assert (as_of(row, 2), as_of(row, 4)) == (row, row)


def test_changes_are_undone_one_by_one():
    row = begin_dispute(document=position())
    first = copy.deepcopy(row.document)
    acted = {**first, "actions": [{"action": "ranged", "actor": "bat", "targets": ["joker"]}]}
    change_dispute(dispute=row, version=1, said="Batman attacks", document=acted)
    change_dispute(dispute=row, version=2, said="2002", document={**acted, "edition": "car-2002"}, question="Seen?")
    assert (row.edition, [one["said"] for one in row.past]) == ("car-2002", ["Batman attacks", "2002"])
    take_back(dispute=row, version=3)
    assert (row.edition, row.document, row.question) == ("core-2014", acted, "")
    take_back(dispute=row, version=4)
    assert row.document == first
    take_back(dispute=row, version=5)
    assert (row.document, row.version) == (first, 5)


def test_a_change_that_makes_no_position_changes_nothing():
    row = begin_dispute(document=position())
    broken = copy.deepcopy(row.document)
    broken["sides"][0]["characters"][0]["square"] = "Z99"
    with pytest.raises(BadInput):
        change_dispute(dispute=row, version=1, said="off the map", document=broken)
    assert SavedDispute.objects.get(pk=row.pk).document == position()


def test_the_past_has_an_end():
    row = begin_dispute(document=position())
    for number in range(MAX_TAKEN_BACK + 3):
        change_dispute(dispute=row, version=row.version, said=str(number), title=str(number))
    assert [one["said"] for one in row.past] == [str(number) for number in range(3, MAX_TAKEN_BACK + 3)]


def test_a_dispute_is_released_for_training_and_withdrawn():
    row = begin_dispute(document=position())
    release_dispute(dispute=row, version=1, released=True)
    assert SavedDispute.objects.get(pk=row.pk).released
    release_dispute(dispute=row, version=2, released=False)
    assert not SavedDispute.objects.get(pk=row.pk).released
