"""What each power does: every book's powers and team abilities have a text that says so, and agrees with the rules engine."""

import dataclasses
import inspect
from collections import Counter

from rules.engine import EDITIONS, power_rows, power_text, powers_on
from rules.engine.editions.power_texts import _statements, _written
from tests.tables import every_row

HOME = "rules/engine/editions/texts/powers/"
REACH = {"ic-2002": "10 squares", "car-2002": "10 squares", "dc-2005": "10 squares"}
"""How far Outwit, Perplex and Probability Control reach; otherwise the range, at least 6."""
NUMBERS = {
    "Force Blast": {"ic-2002": "damage value", "core-modern": "one die"},
    "Flurry": dict.fromkeys(EDITIONS, "2 close attacks"),
    "Poison": dict.fromkeys(EDITIONS, "1 damage"),
    "Sidestep": {"core-2014": "2 squares", "core-modern": "2 squares"},
    "Smoke Cloud": dict.fromkeys(EDITIONS, "4 adjoining squares"),
    "Barrier": dict.fromkeys(EDITIONS, "4 adjoining squares"),
    "Blades/Claws/Fangs": dict.fromkeys(EDITIONS, "1 to 6"),
    "Energy Explosion": dict.fromkeys(EDITIONS, "1 damage"),
    "Telekinesis": dict.fromkeys(EDITIONS, "10 squares"),
    "Quake": {"dc-2005": "2 damage"},
    "Mind Control": dict.fromkeys(EDITIONS, "each full 100 points"),
    "Steal Energy": dict.fromkeys(EDITIONS, "1 click"),
    "Leadership": {"car-2002": "4, 5 or 6", "core-2014": "5 or 6", "core-modern": "5 or 6"},
    "Willpower": {"car-2002": "1 damage", "core-modern": "5 or 6"},
    "Regeneration": {"car-2002": "less 2", "core-2014": "less 2", "core-modern": "half of one die"},
    "Close Combat Expert": {"car-2002": "adds 2 damage", "core-modern": "damage +2"},
    "Ranged Combat Expert": {"car-2002": "adds 2 damage", "core-modern": "damage +2"},
    "Plasticity": dict.fromkeys(EDITIONS, "need a 6"),
    "Green Lantern Corps": {"car-2002": "up to 8", "core-modern": "up to 8"},
    "Hydra": {"car-2002": "adds 1"},
    "Police": {"car-2002": "adds 1"},
    "S.H.I.E.L.D.": {"car-2002": "adds 1 damage"},
    "Mystics": {"car-2002": "1 damage"},
    "Fantastic Four": {"car-2002": "1 click"},
}
"""What a text says, where the number isn't in the engine's row."""


def words_of(edition, name):
    """Return all that the page of a power says of its edition."""
    return " ".join(one.text for one in power_text(edition, name).statements)


@every_row("edition", EDITIONS)
def test_every_power_of_every_book_has_a_text_with_these_parts(edition):
    for name in power_rows(edition):
        text = power_text(edition, name)
        for said in text.statements:
            assert said.text.endswith("."), (HOME, name, said)
            assert said.citations, (HOME, name, said)
        assert len(text.does.text) > 40, (HOME, name)
        assert text.excludes, f"{HOME}: say what {name} doesn't do in {edition}"
        assert text.differs, f"{HOME}: say how the books differ on {name}"


def test_no_two_powers_say_the_same():
    powers = Counter(text for written in _written().values() for text in {one["does"] for one in written["books"]})
    assert [text for text, number in powers.items() if number > 1] == []
    assert set(_written()) == {name for edition in EDITIONS for name in power_rows(edition)}


def test_books_share_a_text_only_where_the_engine_plays_the_power_alike():
    """What may be declined is read from the row and shown beside the text."""
    for name, written in _written().items():
        for text in written["books"]:
            rows = [dataclasses.replace(power_rows(edition)[name], declinable="yes") for edition in text["editions"]]
            assert all(row == rows[0] for row in rows), f"{HOME}: {name} isn't the same in {text['editions']}"


def test_every_statement_is_made_by_one_of_its_books():
    """A statement on topics that no book of its group treats would be shown nowhere."""
    for name, written in _written().items():
        for text in written["books"]:
            for said in (text["does"], text["target"], text["roll"], *text.get("more", ()), *text["not"]):
                books = [EDITIONS[edition] for edition in text["editions"]]
                assert any(_statements(book, power_rows(book.name)[name], [said]) for book in books), (HOME, name, said)


@every_row("edition", EDITIONS)
def test_a_text_names_the_numbers_of_the_engine_s_row(edition):
    for name, row in power_rows(edition).items():
        said = words_of(edition, name)
        for needed in numbers_of(row):
            assert needed in said, (HOME, name, needed)
        assert NUMBERS.get(name, {}).get(edition, "") in said, (HOME, name)
        if name in ("Outwit", "Perplex", "Probability Control"):
            assert REACH.get(edition, "at least 6 squares") in said, (HOME, name)


def numbers_of(row):
    """Yield what a text on this row must contain: its results of dice, modifiers, reach and the card it leaves open."""
    for rolled in (row.defending.evade, row.defending.shape_change):
        if rolled is not None:
            yield " or ".join(map(str, sorted(rolled.on)))
    for procedure in (row.defending.reduce_damage, row.modify_value, row.lending.lend_modifier):
        by = inspect.getclosurevars(procedure).nonlocals.get("by") if procedure is not None else None
        if by is not None:
            yield str(by)
    if row.moving.halves_speed:
        yield "half"
    if row.attacking.close_reach > 1:
        yield f"{row.attacking.close_reach} squares"
    if not row.known:
        yield "card"


def test_the_texts_of_a_topic_are_those_of_its_rows():
    for edition in EDITIONS:
        rows = power_rows(edition)
        for topic in {row.topic for row in rows.values()}:
            assert [text.row for text in powers_on(edition, topic)] == [
                row for row in rows.values() if row.topic == topic
            ]
