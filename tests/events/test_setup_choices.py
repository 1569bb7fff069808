"""The defaults of an event, and what the form makes of choices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from events import choices
from events.forms.setup import SCENARIO_ROUNDS, EventForm
from tests.events.test_setup import facts
from tests.examples import examples
from tests.factories import VenueFactory


@pytest.mark.parametrize(
    "first, last, rounds", [(6, 8, 3), (9, 16, 4), (17, 32, 5), (33, 64, 6), (65, 128, 7), (129, 256, 8)]
)
def test_rounds_are_proposed_from_the_field(first, last, rounds):
    assert {choices.proposed_rounds(players) for players in range(first, last + 1)} == {rounds}


@pytest.mark.parametrize("players, size, rounds", [(4, 4, 1), (5, 4, 2), (16, 4, 2), (17, 4, 3), (9, 3, 2), (10, 3, 3)])
def test_tables_of_more_need_fewer_rounds(players, size, rounds):
    assert choices.proposed_rounds(players, table_size=size) == rounds
    assert choices.tables_needed(players, size) == -(-players // size)


@pytest.mark.parametrize("players, rounds", [(0, 0), (1, 0), (2, 1), (3, 3), (4, 3), (5, 5), (8, 7)])
def test_round_robin_lets_everyone_meet(players, rounds):
    assert choices.proposed_rounds(players, "round-robin") == rounds


def test_scenarios_by_book():
    assert choices.SCENARIOS_OF["ic-2002"][:5] == (
        "challenge-of-the-champions", "the-scientist", "stand-aside", "winner-takes-all", "mind-switch",
    )  # fmt: skip
    assert len(choices.SCENARIOS_OF["car-2002"]) == 16
    for edition in ("dc-2005", "core-2014", "core-modern"):
        assert set(choices.SCENARIOS_OF[edition]) == {"custom", ""}


def test_without_scenarios_there_is_none():
    assert choices.scenario_of_round([], 3) == ""


KNOWN = [name or "none" for name in choices.SCENARIOS]


class Scenarios(TestCase):
    @examples(40)
    @given(
        st.sampled_from(["default", *KNOWN]),
        st.dictionaries(st.integers(1, SCENARIO_ROUNDS), st.sampled_from(KNOWN), max_size=5),
    )
    def test_each_round_has_what_was_chosen_for_it_and_the_rest_the_same(self, base, of_rounds):
        chosen = {f"scenario_{number}": name for number, name in of_rounds.items()}
        form = EventForm(facts(scenario_of_all=base, **chosen), venue=VenueFactory())
        assert form.is_valid(), form.errors
        stored = form.facts["scenarios"]
        usual = choices.CHAMPIONS if base == "default" else base
        for number in range(1, SCENARIO_ROUNDS + 4):
            wanted = of_rounds.get(number, usual)
            assert choices.scenario_of_round(stored, number) == ("" if wanted == "none" else wanted)
