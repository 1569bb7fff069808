"""Two people act at the same instant: one succeeds, the other is told why not, and nothing is done twice."""

import json

import pytest

from . import two_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def came(transactional_db):
    """Return the races' outcomes, as the program prints them."""
    return json.loads(json.dumps(two_at_once.race()))


def test_one_is_heard_and_the_other_is_told(came):
    assert came["entering"] == ["done"] * 7
    assert came["states"] == {"entered": 4, "waiting": 3}
    assert came["numbers"] == list(range(1, 16))
    assert came["drafting"] == ["Refused", "Refused", "done"]
    assert (came["rounds"], came["matches"]) == (1, 4)
    assert came["swapping"] == ["Stale", "done"]
    assert came["publishing"] == ["Refused", "done"]
    assert came["seated"] == [1] * 8
    assert came["dropping"] == ["Refused", "done"]
