"""Every verb by one request that the table allows."""

import pytest

from tests.events.action_sample import one_each
from tests.events.test_action_table import try_cells


@pytest.mark.django_db
@pytest.mark.parametrize("state", one_each(), ids=lambda state: "-".join(filter(None, state)))
def test_every_verb_once(state):
    try_cells(*state, one_each()[state])
