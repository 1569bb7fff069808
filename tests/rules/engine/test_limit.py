"""The engine's time limit: it stops the engine anywhere, and leaves nothing behind."""

import contextlib
import random
import threading
import time

import pytest

from rules import engine
from rules.engine.limit import TookTooLong, time_is_over, time_limit, within_limit

# The limit may raise inside a garbage collector callback (Hypothesis has one), where Python prints and continues.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
CLICK = {"speed": 1000, "attack": 9, "defense": 16, "damage": 2, "powers": []}
FIGURE = {"id": "a", "name": "Ada", "points": 50, "square": "A1", "dial": [CLICK]}


def position(squares: int, ask: int) -> dict:
    sides = [{"player": "A", "characters": [FIGURE]}, {"player": "B", "characters": []}]
    drawn = {"width": squares, "height": squares}
    asked = [{"ask": "reachable", "of": "a"}] * ask
    return {"id": "x", "edition": "core-modern", "map": drawn, "sides": sides, "ask": asked}


def test_the_limit_holds_for_one_question_and_for_all_that_follow() -> None:
    long = position(300, 1_000)  # twenty minutes
    with time_limit(0.05):
        first, second = (engine.report_on(one, engine.adjudicate) for one in (long, position(8, 1)))
        with pytest.raises(TookTooLong):
            engine.field_of_view(long, "a")
    assert first["error"]["code"] == second["error"]["code"] == "bad-input"
    assert "takes too long here" in first["error"]["message"]
    assert len(engine.adjudicate(position(8, 1))["answers"][0]["result"]) == 64


def test_work_that_ends_in_time_gives_the_same_result_with_a_limit() -> None:
    with time_limit(600):
        found = engine.adjudicate(position(8, 2))
    assert found == engine.adjudicate(position(8, 2))


def test_a_limit_far_away_is_not_reached() -> None:
    assert not time_is_over()
    with time_limit(600):
        assert not time_is_over()
    with time_limit(0):
        assert time_is_over()


def test_nothing_is_raised_once_the_answer_is_given() -> None:
    work = within_limit(lambda times: sum(n for n in range(times)))
    chance = random.Random(5)
    for _n in range(300):
        with time_limit(0.001):
            with contextlib.suppress(TookTooLong):
                work(chance.randrange(30_000))
            for _m in range(200):
                pass
    assert not [
        one for one in threading.enumerate() if one.name == "time-limit" and not one.join(10) and one.is_alive()
    ]


def test_an_exception_that_a_callback_swallows_is_raised_again() -> None:
    class Swallowing:
        def __del__(self) -> None:
            for _n in range(3):
                with contextlib.suppress(BaseException):
                    time.sleep(0.1)

    def work() -> None:
        Swallowing()
        while True:
            sum(range(100))

    with time_limit(0.05), pytest.raises(TookTooLong):
        within_limit(work)()
