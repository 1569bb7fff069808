"""Two judges act at the same instant: one gets the call, the other is told; the extension is given once."""

import json

import pytest

from . import two_judges

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def came(transactional_db):
    """Return the races' outcomes, as the program prints them."""
    return json.loads(json.dumps(two_judges.race()))


def test_one_judge_has_the_call_and_the_others_are_told(came):
    assert (came["raising"], came["calls"]) == (["done", "done"], 1)
    assert came["taking"] == ["Refused", "Refused", "done"]
    assert came["holder_is_a_judge"]
    assert came["taken_in_the_record"] == 1
    assert came["closing"] == ["Refused", "done"]
    assert came["extensions"] == [240]
