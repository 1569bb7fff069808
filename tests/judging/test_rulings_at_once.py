"""Two people rule, appeal, answer or close at the same instant: each act happens once, decision numbers differ."""

import json

import pytest

from . import two_rulings

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def came(transactional_db):
    """Return the races' outcomes, as the program prints them."""
    return json.loads(json.dumps(two_rulings.race()))


def test_of_two_at_once_each_has_a_number_and_one_comes_first(came):
    assert (came["ruling"], came["numbers"]) == (["done", "done"], [1, 2])
    assert came["appealing"] == ["Refused", "done"]
    assert (came["answering"], came["answered"]) == (["Refused", "done"], 1)
    assert (came["closing"], came["extensions"], came["decisions"]) == (["Refused", "done"], [240], 1)
    assert (came["opening"], came["ways_back"]) == (["done", "done"], ["1", "2"])
    assert (came["taking_back"], came["withdrawn"], came["table_is"]) == (["Refused", "done"], True, "open")
