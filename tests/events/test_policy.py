"""The sanctioning policy, rule by rule: a case just inside and one just outside, to the minute and the day.

Worked out by hand from the Compiled and Annotated Rulebook: the sanctioning policy of 13 January 2003, the updates of
2002, the tournament rules of May 2002.
"""

import datetime as dt
import zoneinfo
from dataclasses import replace

from events import policy
from events.eligibility import Candidate
from events.policy import (
    Booked,
    Leaving,
    PlannedEvent,
    Product,
    Publication,
    Results,
    SeasonDays,
    check_house,
    check_leaving,
    check_plan,
    check_player,
    check_product,
    check_publication,
    check_results,
)
from events.registration import Registration
from rules.engine import CHECKS
from tests.tables import every_row

GHENT = zoneinfo.ZoneInfo("Europe/Brussels")


def at(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=GHENT)


def day(text):
    return dt.date.fromisoformat(text)


PLAN = PlannedEvent(
    starts=at("2026-03-07T14:00"), zone=GHENT, ends=at("2026-03-07T19:00"), venue="The Shop", head_judge="Hanna Head"
)
STORE = Registration(
    kind="store", public_location="1 Market Street", city="Ghent", shipping_address="1 Market Street, Ghent",
    telephone="+32 9 000 00 00",
)  # fmt: skip
MEMBERS = tuple(f"Member {n} member{n}@example.org" for n in range(1, 9))
CLUB = replace(
    STORE,
    kind="club",
    members=MEMBERS,
    volunteer="Hanna Head",
    volunteer_is_member=True,
    volunteer_has_agreed=True,
    volunteer_is_approved=True,
)
CONVENTION = replace(STORE, kind="convention", telephone="", opens=day("2026-03-06"), closes=day("2026-03-08"))


def found(plan, *, warns=False):
    return [one.rule for one in check_plan(plan) if one.warns == warns]


def other(starts, **facts):
    return Booked(name="The Other", starts=at(starts), **facts)


def test_an_ordinary_event_keeps_every_rule():
    assert check_plan(replace(PLAN, registration=STORE)) == []
    assert check_house(PLAN) == []


# judges and venues


@every_row(
    "changed, rules",
    [
        ({}, []),
        ({"venue_is_approved": False}, ["registered-venue"]),
        ({"created_by_venue": False}, ["registered-venue"]),
        ({"head_judge": ""}, ["head-judge"]),
        ({"head_judge_is_accepted": False}, ["head-judge"]),
        ({"head_judge_is_approved": False}, ["registered-volunteer"]),
    ],
)
def test_a_registered_venue_and_a_registered_volunteer(changed, rules):
    assert found(replace(PLAN, **changed)) == rules


def test_practice_binds_no_one_but_needs_a_venue_and_a_head_judge():
    practice = replace(
        PLAN, is_sanctioned=False, head_judge_is_approved=False, build_total=150, venue_is_approved=False
    )
    assert check_plan(practice) == []
    assert [one.rule for one in check_house(replace(practice, head_judge=""))] == ["registered-venue", "head-judge"]


# four hours


@every_row(
    "starts, rules",
    [
        ("2026-03-07T10:00", []),
        ("2026-03-07T10:01", ["four-hours"]),
        ("2026-03-07T14:00", ["four-hours"]),
        ("2026-03-07T17:59", ["four-hours"]),
        ("2026-03-07T18:00", []),
        ("2026-03-06T14:00", []),
    ],
)
def test_a_volunteer_runs_one_event_within_any_four_hours(starts, rules):
    assert found(replace(PLAN, of_volunteer=(other(starts),))) == rules


def test_four_hours_are_hours_and_not_the_hands_of_a_clock():
    """In the night of 29 March 2026 the clocks in Ghent jump from two to three."""
    night = replace(PLAN, starts=at("2026-03-29T00:30"), ends=None)
    assert found(replace(night, of_volunteer=(other("2026-03-29T04:30"),))) == ["four-hours"]
    assert found(replace(night, of_volunteer=(other("2026-03-29T05:30"),))) == []


def test_the_words_name_the_other_event_its_place_and_how_near_it_is():
    near = other("2026-03-07T17:59", place="Second Shop")
    (one,) = check_plan(replace(PLAN, of_volunteer=(near,)))
    assert "The Other (Second Shop)" in one.message
    assert "only 3 hours 59 minutes apart" in one.message
    (one,) = check_plan(replace(PLAN, of_volunteer=(replace(near, starts=PLAN.starts),)))
    assert "The two events start at the same time." in one.message
    assert one.field == "head_judge"
    assert one.section == "WizKids Tournament Sanctioning Policy › 1. Event Sanctioning"


def test_a_draft_and_an_event_that_probably_still_runs_are_warned_of():
    draft = other("2026-03-07T15:00", is_settled=False)
    assert found(replace(PLAN, of_volunteer=(draft,))) == []
    assert found(replace(PLAN, of_volunteer=(draft,)), warns=True) == ["four-hours"]
    long = other("2026-03-07T09:00", ends=at("2026-03-07T14:01"))
    assert found(replace(PLAN, of_volunteer=(long,)), warns=True) == ["four-hours"]
    assert check_plan(replace(PLAN, of_volunteer=(replace(long, ends=at("2026-03-07T14:00")),))) == []


# game clubs, conventions, stores


@every_row(
    "starts, universe, rules",
    [
        ("2026-03-01T00:00", "marvel", ["club-month"]),
        ("2026-02-28T23:59", "marvel", []),
        ("2026-03-31T23:59", "marvel", ["club-month"]),
        ("2026-04-01T00:00", "marvel", []),
        ("2025-03-20T14:00", "marvel", []),
        ("2026-03-20T14:00", "dc", []),
        ("2026-03-20T14:00", "any", ["club-month"]),
    ],
)
def test_a_club_runs_one_event_for_each_universe_in_a_calendar_month(starts, universe, rules):
    plan = replace(PLAN, universe="marvel", registration=CLUB, of_venue=(other(starts, universe=universe),))
    assert found(plan) == rules
    assert found(replace(plan, registration=STORE)) == []


def test_of_two_drafts_in_a_month_the_club_is_told():
    plan = replace(PLAN, registration=CLUB, of_venue=(other("2026-03-20T14:00", is_settled=False),))
    assert found(plan) == []
    assert found(plan, warns=True) == ["club-month"]


@every_row(
    "changed, rules",
    [
        ({}, []),
        ({"members": MEMBERS[:7]}, ["club-requirements"]),
        ({"volunteer": ""}, ["club-requirements"]),
        ({"volunteer_is_member": False}, ["club-requirements"]),
        ({"volunteer_is_approved": False}, ["club-requirements"]),
        ({"volunteer_has_agreed": False}, ["club-requirements"]),
        ({"telephone": ""}, ["club-requirements"]),
        ({"shipping_address": "PO Box 12, Ghent"}, ["club-requirements"]),
        ({"public_location": ""}, ["club-requirements"]),
    ],
)
def test_what_a_club_has(changed, rules):
    assert found(replace(PLAN, registration=replace(CLUB, **changed))) == rules


def test_older_clubs_had_until_the_end_of_january_2002():
    small = replace(CLUB, members=MEMBERS[:7])
    old = replace(PLAN, registration=small, registered_on=day("2001-12-31"))
    assert found(replace(old, starts=at("2002-01-31T20:00"))) == []
    assert found(replace(old, starts=at("2002-02-01T10:00"))) == ["club-requirements"]
    new = replace(old, registered_on=day("2002-01-01"), starts=at("2002-01-31T20:00"))
    assert found(new) == ["club-requirements"]
    assert found(replace(new, starts=at("2001-12-31T20:00"))) == []


@every_row(
    "starts, rules",
    [
        ("2026-03-05T23:59", ["convention-requirements"]),
        ("2026-03-06T00:00", []),
        ("2026-03-08T23:59", []),
        ("2026-03-09T00:00", ["convention-requirements"]),
    ],
)
def test_a_conventions_events_lie_on_its_days(starts, rules):
    assert found(replace(PLAN, registration=CONVENTION, starts=at(starts))) == rules


def test_a_convention_needs_no_telephone_and_a_store_does():
    assert found(replace(PLAN, registration=CONVENTION)) == []
    assert found(replace(PLAN, registration=replace(CONVENTION, shipping_address="P.O. Box 1"))) == [
        "convention-requirements"
    ]
    assert found(replace(PLAN, registration=replace(STORE, telephone=""))) == ["store-requirements"]
    asked = replace(STORE, tax_number_requested=True)
    assert found(replace(PLAN, registration=asked)) == ["store-requirements"]
    assert found(replace(PLAN, registration=replace(asked, tax_number="BE 0123"))) == []


# format and forces


@every_row("total, kept", [(100, True), (99, False), (101, False), (300, True), (250, False), (0, False)])
def test_build_totals_are_hundreds(total, kept):
    assert found(replace(PLAN, build_total=total)) == ([] if kept else ["build-total-hundreds"])


@every_row("minutes, kept", [(9, False), (10, True), (11, False)])
@every_row("format_", ["sealed-booster", "sealed-starter"])
def test_sealed_formats_give_ten_minutes(format_, minutes, kept):
    plan = replace(PLAN, format=format_, preparation_minutes=minutes)
    assert found(plan) == ([] if kept else ["sealed-preparation"])


@every_row("minutes, kept", [(4, False), (5, True), (10, True), (11, False)])
def test_head_to_head_usually_gives_five_to_ten(minutes, kept):
    plan = replace(PLAN, format="head-to-head", preparation_minutes=minutes)
    assert found(plan) == []
    assert found(plan, warns=True) == ([] if kept else ["head-to-head-preparation"])
    assert found(replace(plan, format="constructed"), warns=True) == []


@every_row(
    "format_, figures, kept",
    [
        ("sealed-booster", 8, True), ("sealed-booster", 7, False), ("sealed-booster", 9, False),
        ("sealed-starter", 8, True), ("sealed-starter", 7, False), ("sealed-starter", 12, False),
        ("sealed-booster", 0, True), ("constructed", 7, True),
    ],
)  # fmt: skip
def test_sealed_product_is_whole(format_, figures, kept):
    assert [one.rule for one in check_product(Product(PLAN.day, format_, figures))] == (
        [] if kept else ["sealed-contents"]
    )


@every_row(
    "starts, universe, kept",
    [
        ("2025-12-31T23:59", "marvel", False),
        ("2026-01-01T00:00", "marvel", True),
        ("2026-03-31T23:59", "marvel", True),
        ("2026-04-01T00:00", "marvel", False),
        ("2026-04-01T00:00", "dc", True),
        ("2026-02-01T00:00", "any", True),
    ],
)
def test_an_event_belongs_to_a_season_or_says_that_it_does_not(starts, universe, kept):
    spring = SeasonDays("Spring", "marvel", day("2026-01-01"), day("2026-03-31"))
    plan = replace(PLAN, starts=at(starts), universe=universe, seasons=(spring,))
    assert found(plan) == []
    assert found(plan, warns=True) == ([] if kept else ["season"])
    assert (policy.season_of((spring,), universe, plan.day) == "Spring") is (kept and universe != "dc")


# players


@every_row(
    "facts, rules",
    [
        ({}, []),
        ({"office": "scorekeeper"}, ["official-of-record"]),
        ({"manages_venue": True}, ["venue-of-record"]),
        ({"publisher_family": True}, ["publisher"]),
        ({"suspended_until": day("2026-03-06")}, []),
        ({"suspended_until": day("2026-03-07")}, ["suspended"]),
        ({"declares": False}, ["declaration"]),
    ],
)
def test_who_may_play(facts, rules):
    candidate = Candidate(on=PLAN.day, **facts)
    assert [one.rule for one in check_player(candidate)] == rules
    assert check_player(replace(candidate, is_sanctioned=False)) == []
    assert check_player(candidate, excepted=rules) == []


def test_no_one_abandons_a_match_and_re_enters():
    leaving = Leaving(PLAN.day, "Anna")
    assert check_leaving(leaving) == []
    (warned,) = check_leaving(replace(leaving, game_is_open=True))
    assert warned.warns
    assert check_leaving(replace(leaving, returns=True)) == []
    (refused,) = check_leaving(replace(leaving, returns=True, abandoned=True))
    assert not refused.warns
    assert check_leaving(replace(leaving, returns=True, abandoned=True), excepted={"play-on"}) == []
    assert check_leaving(replace(leaving, returns=True, abandoned=True, is_sanctioned=False)) == []


# results and publishing


@every_row(
    "results, rules",
    [
        ({}, []),
        ({"today": "2026-03-23"}, []),
        ({"today": "2026-03-24"}, ["reported-in-time"]),
        ({"today": "2026-06-01", "reported": "2026-03-23"}, []),
        ({"today": "2026-06-01", "reported": "2026-03-24"}, ["reported-in-time"]),
        ({"verified": "2026-03-07"}, ["verified-copy"]),
        ({"verified": "2026-03-07", "received": "2026-03-08"}, []),
        ({"verified": "2026-03-07", "received": "2026-03-08", "removed": "2027-03-06"}, ["kept-a-year"]),
        ({"verified": "2026-03-07", "received": "2026-03-08", "removed": "2027-03-07"}, []),
        # a year is a year, even one of 366 days
        ({"verified": "2027-12-01", "received": "2027-12-02", "removed": "2028-11-30"}, ["kept-a-year"]),
        ({"verified": "2027-12-01", "received": "2027-12-02", "removed": "2028-12-01"}, []),
        ({"verified": "2028-02-29", "received": "2028-03-01", "removed": "2029-02-28"}, ["kept-a-year"]),
        ({"verified": "2028-02-29", "received": "2028-03-01", "removed": "2029-03-01"}, []),
    ],
)
def test_results_are_verified_kept_and_reported(results, rules):
    days = {"today": "2026-03-08", "ended": "2026-03-07"} | results
    given = Results(**{name: day(text) for name, text in days.items()})
    assert [one.rule for one in check_results(given) if one.rule in rules or rules == []] == rules
    assert check_results(replace(given, is_sanctioned=False)) == []


def test_days_are_shown_with_their_weekday():
    tardy = Results(today=day("2026-06-01"), ended=day("2026-03-07"), reported=day("2026-03-24"))
    (said,) = [one.message for one in check_results(tardy) if one.rule == "reported-in-time"]
    assert said == "The results were reported on Tuesday 24 March 2026, after the deadline of Monday 23 March 2026."


def test_an_event_that_has_not_ended_owes_nothing():
    assert check_results(Results(today=day("2030-01-01"))) == []


def test_event_details_may_be_published_and_addresses_may_not():
    may = Publication(PLAN.day, ("name", "age", "home-town", "battle-result", "force", "photograph"))
    assert check_publication(may) == []
    (one,) = check_publication(replace(may, facts=(*may.facts, "email")))
    assert "e-mail address" in one.message


# the table


DATED = {
    "club-requirements": "2002-01-01", "build-total-hundreds": "2002-05-01", "ownership-marks": "2002-09-01",
    "play-on": "2002-10-01", "new-product": "2002-10-01", "registered-venue": "2003-01-13", "four-hours": "2003-01-13",
    "suspended": "2003-01-13", "reported-in-time": "2003-01-13",
}  # fmt: skip


@every_row("name", DATED)
def test_a_rule_binds_from_its_day_on(name):
    first = day(DATED[name])
    assert name in policy.rules_on(first)
    assert name not in policy.rules_on(first - dt.timedelta(days=1))


def test_an_event_is_judged_by_the_policy_of_its_day():
    near = replace(PLAN, starts=at("2003-01-12T14:00"), build_total=150, head_judge_is_approved=False)
    near = replace(near, of_volunteer=(other("2003-01-12T15:00"),))
    assert found(near) == ["build-total-hundreds"]
    assert found(replace(near, starts=at("2003-01-13T14:00"), of_volunteer=(other("2003-01-13T15:00"),))) == [
        "registered-volunteer", "four-hours", "build-total-hundreds",
    ]  # fmt: skip
    assert found(replace(near, starts=at("2002-04-30T14:00"))) == []


def test_the_day_is_the_venues_day():
    """Half past midnight on 13 January 2003 in Ghent is still the 12th in UTC."""
    starts = dt.datetime(2003, 1, 12, 23, 30, tzinfo=dt.UTC)
    assert found(replace(PLAN, starts=starts, head_judge_is_approved=False)) == ["registered-volunteer"]
    assert found(replace(PLAN, starts=starts, zone=dt.UTC, head_judge_is_approved=False)) == []


def test_excepted_rules_are_not_reported():
    odd = replace(PLAN, build_total=150, of_volunteer=(other("2026-03-07T15:00"),))
    assert [one.rule for one in check_plan(odd, excepted={"four-hours"})] == ["build-total-hundreds"]


@every_row("name", policy.RULES)
def test_every_rule_is_stated_cited_and_says_where_it_is_checked(name):
    rule = policy.RULES[name]
    assert rule.where
    assert str(rule.title)
    assert str(rule.explanation).endswith(".")
    assert rule.citations
    for one in rule.citations:
        assert one["authority"] == "policy"
        assert one["date"] == rule.since.isoformat()
        assert " › " in one["section"] or one["section"] == "Build Your Force"
    if rule.check is not None and rule.about != "player":
        assert rule.check.__name__ == name.replace("-", "_")
    assert (rule.weight == "tells") == (rule.check is None and not rule.engine)


def test_the_engines_checks_that_keep_a_rule_exist():
    assert {check for checks in policy.FORCE_RULES.values() for check in checks} <= set(CHECKS)
