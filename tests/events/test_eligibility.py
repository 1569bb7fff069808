"""Eligibility: the policy's section on players, sentence by sentence."""

import datetime

from events.eligibility import Candidate
from events.policy import RULES, check_player
from events.policy.book import POLICY_DAY
from tests.tables import every_row

DAY = datetime.date(2026, 3, 7)


def rules(**facts):
    return [found.rule for found in check_player(Candidate(on=DAY, **facts))]


@every_row(
    "facts, found",
    [
        ({}, []),
        ({"office": "judge"}, ["official-of-record"]),
        ({"manages_venue": True}, ["venue-of-record"]),
        ({"publisher_family": True}, ["publisher"]),
        ({"suspended_until": DAY}, ["suspended"]),
        ({"suspended_until": DAY - datetime.timedelta(days=1)}, []),
        ({"declares": False}, ["declaration"]),
        ({"office": "judge", "publisher_family": True, "declares": False}, ["official-of-record", "publisher", "declaration"]),
        ({"office": "judge", "is_sanctioned": False}, []),
    ],
)  # fmt: skip
def test_who_may_play(facts, found):
    assert rules(**facts) == found


def test_each_reason_says_where_the_policy_says_so():
    (found,) = check_player(Candidate(on=DAY, office="judge"))
    assert found.citations == RULES["official-of-record"].citations
    assert found.citations[0]["section"].endswith("Player Eligibility")
    assert found.citations[0]["date"] == POLICY_DAY.isoformat()
    assert "judge" in found.message
