"""The combat dial drawn as a wheel."""

import pytest

from rules.dials import dial_of
from rules.drawings.wheel import wheel_of, wheel_of_dial


@pytest.mark.parametrize(("clicks", "starts"), [(4, 1), (8, 3), (12, 12)])
def test_the_wheel_has_every_value_and_the_starting_click_at_the_top(clicks, starts):
    printed = [{"speed": number, "attack": 9, "defense": 15, "damage": 2, "powers": {}} for number in range(clicks)]
    wheel = wheel_of_dial(dial_of({"dial": printed, "starts": {"50": starts}}))
    assert len(wheel.cells) == 4 * 12
    assert sum(cell.number == "KO" for cell in wheel.cells) == 12 - clicks
    top = [cell for cell in wheel.cells if cell.turn == 0]
    assert [cell.number for cell in top] == [str(starts - 1), "9", "15", "2"]
    assert all(abs(cell.x) < 1 for cell in top)
    assert [cell.y for cell in top] == sorted(cell.y for cell in top), "speed outermost, damage innermost"


def test_a_token_s_only_click_is_a_sector_not_a_ring_without_width():
    clicks = dial_of({"dial": [{"speed": 8, "attack": 9, "defense": 15, "damage": 1}]}).clicks[:1]
    for cell in wheel_of(clicks).cells:
        start, _a, arc = cell.path.removeprefix("M").partition("A")
        assert start != arc.split("L")[0].partition(" 0 0 1 ")[2], "the arc ends where it begins: nothing is drawn"


def test_a_power_colours_its_value():
    click = {"speed": 8, "attack": 9, "defense": 15, "damage": 2, "powers": {"speed": "Stealth", "damage": "Outwit"}}
    first = wheel_of_dial(dial_of({"dial": [click]})).cells[:4]
    assert [cell.colour for cell in first] == ["black", "", "", "black"]
