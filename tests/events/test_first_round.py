"""Round 1 by rank: first against last, or half against half, in order or by lot; ranks are typed or imported."""

import json

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from events.forms.entries_list import read_players
from events.models import Entry, Event, Round
from events.pairing import pair_round
from events.pairing.check import check_event
from events.seeding import FOLD, RANDOM, SLIDE, meeting, order_of
from events.services import entries, rounds
from judging.keeping.event_file import event_file
from tests.events.simulation import play, players
from tests.forms_of_page import as_sent, forms_of


def drawn(order: list[str], how: str, seed: int = 0) -> tuple[set[frozenset[str]], str | None]:
    """Return whom `pair_round` lets meet in a round 1 with these meetings, and who has the bye."""
    numbers = meeting(order, how, seed)
    told = [{"id": p, "points": 0, "rank": numbers[p], "standing": n} for n, p in enumerate(order, 1)]
    report = pair_round({"players": told, "seed": len(order)})
    return {frozenset(pair) for pair in report["pairings"]}, report["bye"]


@pytest.mark.pure
@given(st.integers(0, 40), st.sampled_from([FOLD, SLIDE]))
def test_the_first_meets_the_last_or_each_half_the_other(count, how):
    order = [f"p{number}" for number in range(count)]
    pairs, bye = drawn(order, how)
    playing = order[: count - count % 2]
    half = len(playing) // 2
    opposite = playing[::-1] if how == FOLD else playing[half:]
    assert pairs == {frozenset(pair) for pair in zip(playing[:half], opposite, strict=False)}
    assert bye == (order[-1] if count % 2 else None)


@pytest.mark.pure
@given(st.integers(0, 40), st.integers(0, 99))
def test_by_lot_each_of_the_upper_half_meets_one_of_the_lower(count, seed):
    order = [f"p{number}" for number in range(count)]
    pairs, bye = drawn(order, RANDOM, seed)
    half = count // 2
    upper, lower = set(order[:half]), set(order[half : 2 * half])
    assert {len(pair & upper) for pair in pairs} == {len(pair & lower) for pair in pairs} == ({1} if half else set())
    assert bye == (order[-1] if count % 2 else None)
    assert (pairs, bye) == drawn(order, RANDOM, seed)


@pytest.mark.pure
def test_each_of_the_lower_half_is_drawn_as_often():
    order = [f"p{number}" for number in range(6)]
    met = [next(min(pair - {"p0"}) for pair in drawn(order, RANDOM, seed)[0] if "p0" in pair) for seed in range(300)]
    assert {one: 70 < met.count(one) < 130 for one in ("p3", "p4", "p5")} == dict.fromkeys(("p3", "p4", "p5"), True)
    assert len(met) == 300


@pytest.mark.pure
@given(st.dictionaries(st.text("abc", min_size=1), st.one_of(st.none(), st.integers(1, 5))), st.integers(0, 9))
def test_players_stand_by_rank_and_those_without_come_last(ranks, seed):
    order = order_of(ranks, seed)
    assert sorted(order) == sorted(ranks)
    assert [ranks[one] for one in order] == sorted(ranks.values(), key=lambda rank: (rank is None, rank or 0))


@pytest.fixture
def event(staff):
    staff.event.first_round = Event.FirstRound.FOLD
    staff.event.save()
    return staff.event


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


def ranked(event, count):
    """Check players in whose ranks run against their numbers."""
    players(event, count)
    for entry in event.entries.all():
        Entry.objects.filter(pk=entry.pk).update(rank=count + 1 - entry.number)


def pairs_of(round):
    return {frozenset(e.rank for e in match.entries) for match in round.matches.with_entries()}


@pytest.mark.django_db
def test_the_site_pairs_by_rank_explains_it_and_the_checker_agrees(event, by, staff):
    ranked(event, 7)
    Entry.objects.filter(event=event, rank=2).update(awarded_byes=[1])
    round = rounds.draft_round(by=by, event=event)
    assert pairs_of(round) == {frozenset(pair) for pair in [(1, 7), (3, 6), (4, 5), (2,)]}
    client, address = staff.client("head_judge"), reverse("events:draft", args=[event.public_id, 1])
    page = client.get(f"{address}?why=1").text
    assert "Paired by rank: the first meets the last" in page
    assert "ranks 1 · 7" in page or "ranks 7 · 1" in page
    assert "standings" not in page[page.index("Why is") : page.index("</section>", page.index("Why is"))]
    Entry.objects.filter(event=event, rank=7).update(rank=None)
    entries.change_entry(by=by, entry=event.entries.get(rank=5), rank=9, confirmed=True, reason="mistyped")
    stale = client.get(address).text
    assert "ranks have changed" in stale
    round = rounds.pair_again(by=by, round=round)
    assert frozenset((1, None)) in pairs_of(round)
    assert "1 player has no rank and comes last" in client.get(address).text
    rounds.publish_round(by=by, round=round)
    play(by, round)
    assert all(check.is_fine for check in check_event(json.loads(json.dumps(event_file(event), default=str))))


@pytest.mark.django_db
def test_the_last_by_rank_has_the_bye_and_the_page_says_so(event, by, staff):
    ranked(event, 5)
    event.first_round = Event.FirstRound.SLIDE
    event.save()
    round = rounds.draft_round(by=by, event=event)
    assert pairs_of(round) == {frozenset(pair) for pair in [(1, 3), (2, 4), (5,)]}
    page = staff.client("head_judge").get(reverse("events:draft", args=[event.public_id, 1])).text
    assert "In round 1 the bye goes to the last player by rank: Player 001." in page


@pytest.mark.django_db
def test_the_lower_half_is_drawn_by_lot_where_the_form_says_so(event, by, staff):
    client = staff.client("head_judge")
    address = reverse("events:edit", args=[event.public_id])
    [form] = [one for one in forms_of(client.get(address).text) if "first_round" in one.fields]
    assert client.post(address, as_sent(form) | {"first_round": "random"}).status_code == 302
    event.refresh_from_db()
    assert event.first_round == Event.FirstRound.RANDOM
    assert (
        "the upper half meets the lower half, with opponents drawn by lot"
        in client.get(reverse("events:event", args=[event.public_id])).text
    )
    ranked(event, 9)
    round = rounds.draft_round(by=by, event=event)
    pairs = pairs_of(round)
    assert all(len(pair) == 1 or min(pair) <= 4 < max(pair) <= 8 for pair in pairs)
    assert frozenset({9}) in pairs
    page = client.get(reverse("events:draft", args=[event.public_id, 1])).text
    assert "The opponents are drawn by lot." in page
    rounds.publish_round(by=by, round=rounds.pair_again(by=by, round=round))
    assert pairs_of(Round.objects.get(pk=round.pk)) == pairs
    assert all(check.is_fine for check in check_event(json.loads(json.dumps(event_file(event), default=str))))


@pytest.mark.django_db
def test_single_elimination_is_seeded_by_rank(event, by):
    event.pairing_style = Event.Style.ELIMINATION
    event.save()
    ranked(event, 6)
    first = rounds.draft_round(by=by, event=event)
    assert pairs_of(first) == {frozenset(pair) for pair in [(1,), (2,), (3, 6), (4, 5)]}


@pytest.mark.parametrize(
    ("heading", "cells", "ranks"),
    [
        ("rank", ("3", "", "1"), [3, None, 1]),
        ("Seed", ("2", "2", "9999"), [2, 2, 9999]),
        ("rating", ("1500", "1850.5", ""), [2, 1, None]),
        ("Elo", ("1500", "1500", "1499,5"), [1, 1, 3]),
    ],
)
@pytest.mark.pure
def test_ranks_and_ratings_are_read_from_a_list(heading, cells, ranks):
    read = read_players(f"name;{heading}\n" + "".join(f"Player {n};{cell}\n" for n, cell in enumerate(cells)))
    assert not read.problems
    assert [line.rank for line in read.lines] == ranks


@pytest.mark.parametrize("cell", ["0", "-1", "x", "1.5", "10000", "٣"])
@pytest.mark.pure
def test_other_cells_are_no_ranks(cell):
    [problem] = read_players(f"name;rank\nAda;{cell}\n").problems
    assert "isn't a rank" in problem.message
    assert read_players("name;rank;rating\nAda;1;1500\n").unknown == ("rating",)


@pytest.mark.django_db
def test_a_rank_is_imported_typed_and_shown(event, staff, client):
    judge = staff.client("head_judge")
    listed = {"text": "name,rank\nAda,2\nBen,1\n", "declared": "on", "enter": "yes"}
    judge.post(reverse("events:entries-import", args=[event.public_id]), listed)
    assert list(event.entries.values_list("name", "rank")) == [("Ada", 2), ("Ben", 1)]
    address = reverse("events:entry-edit", args=[event.public_id, 1])
    given = {"name": "Ada", "declares": "on", "rank": "7"}
    assert judge.post(address, given | {"rank": "0"}).status_code != 302
    assert judge.post(address, given).status_code == 302
    assert event.entries.get(number=1).rank == 7
    listing = reverse("events:entries", args=[event.public_id])
    assert ">7<" in client.get(listing).text.replace(" ", "").replace("\n", "")
    event.entries.update(rank=None)
    assert "Rank" not in judge.get(listing).text
