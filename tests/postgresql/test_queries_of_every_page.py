"""The SQL of every page of an event, as the head judge sees it."""

import pytest

from tests.events.test_queries_of_every_page import SMALL, event_addresses, filled, large_event


@pytest.mark.django_db
def test_every_page_opens(staff):
    event, client = large_event(staff.event, SMALL), staff.client("head_judge")
    came = {}
    for address in filter(None, (filled(route, event) for route in event_addresses())):
        answer = client.get(address)
        if answer.streaming:
            b"".join(answer.streaming_content)
        came[address] = answer.status_code
    assert {address: status for address, status in came.items() if status >= 500} == {}
    assert list(came.values()).count(200) >= 30
