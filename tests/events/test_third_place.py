"""Cuts of any size, and the match for third place beside the final."""

import pytest
from django.test import Client
from django.urls import reverse

from events.door import Refused
from events.drawings import DrawnMatch
from events.models import Event, Match, Round
from events.pdf.bracket import bracket
from events.pdf.paper import PageHeading
from events.queries import standings_of
from events.services import entries, results, rounds
from events.services.people import entry_link
from events.services.undo import undo
from judging.keeping.event_file import event_file
from judging.pdf.sheet import sheet
from judging.sheet_csv import sheet_csv
from tests.events.simulation import play, play_round, players
from tests.events.test_papers import text_of

pytestmark = pytest.mark.django_db
BOTH_LOSE = {"score_a": 0, "score_b": 0, "double_loss": True, "decided_by": "double-loss"}


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


def semifinals(by, event, *, count=8, cut_to=4):
    """Play two rounds and the cut up to its published semifinals."""
    event.number_of_rounds, event.cut_to, event.third_place = 2, cut_to, True
    event.save()
    players(event, count)
    for _number in range(2):
        play_round(by, event)
    round = rounds.draft_cut(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    while round.bracket_size > 4:
        round = following(by, round)
    return round


def following(by, round):
    """Play a round to its end; return the next one, published."""
    play(by, round)
    return after(by, round)


def after(by, round):
    rounds.complete_round(by=by, round=round)
    drafted = rounds.draft_round(by=by, event=round.event)
    rounds.publish_round(by=by, round=drafted)
    return drafted


def third_of(final):
    return next((match for match in final.matches.select_related("a", "b", "round") if match.is_third_place), None)


def test_the_draft_of_the_final_names_the_match_for_third_place(staff, by):
    semi = semifinals(by, staff.event)
    play(by, semi)
    rounds.complete_round(by=by, round=semi)
    final = rounds.draft_round(by=by, event=staff.event)
    page = staff.client("head_judge").get(reverse("events:draft", args=[staff.event.public_id, final.number]))
    assert page.text.count("Third place") == 1


def test_the_losing_semifinalists_meet_beside_the_final_for_third_place(staff, by):
    event = staff.event
    semi = semifinals(by, event)
    final = following(by, semi)
    beaten = {match.entry_at({"a": "b", "b": "a"}[match.result.winner]) for match in semi.matches.all()}
    third = third_of(final)
    assert final.matches.count() == 2
    assert {third.a, third.b} == beaten
    assert third.round_name == f"Third place · Round {final.number}"
    play(by, final)
    rounds.complete_round(by=by, round=final)
    third = third_of(final)
    assert standings_of(event)[2].number == third.entry_at(third.result.winner).number
    with pytest.raises(Refused, match="has a winner"):
        rounds.draft_round(by=by, event=event)
    rounds.finish_event(by=by, event=event)
    assert event_file(event)["event"]["third_place"] is True


def test_without_the_setting_the_final_is_alone(staff, by):
    semi = semifinals(by, staff.event)
    Event.objects.update(third_place=False)
    staff.event.refresh_from_db()
    semi = Round.objects.get(pk=semi.pk)
    assert following(by, semi).matches.count() == 1


def test_a_beaten_semifinalist_who_left_gives_the_other_third_place(staff, by):
    semi = semifinals(by, staff.event)
    play(by, semi)
    gone, stays = (m.entry_at({"a": "b", "b": "a"}[m.result.winner]) for m in semi.matches.order_by("bracket_slot"))
    entries.drop_entry(by=by, entry=gone, confirmed=True)
    final = after(by, semi)
    third = third_of(final)
    assert (third.kind, third.a) == (Match.Kind.BYE, stays)
    play(by, final)
    rounds.complete_round(by=by, round=final)
    rounds.finish_event(by=by, event=staff.event)
    assert standings_of(staff.event)[2].number == stays.number


def test_a_semifinal_winner_who_left_leaves_the_match_for_third_place_alone(staff, by):
    semi = semifinals(by, staff.event)
    play(by, semi)
    gone = next(m.entry_at(m.result.winner) for m in semi.matches.all())
    entries.drop_entry(by=by, entry=gone, confirmed=True)
    final = after(by, semi)
    assert third_of(final).kind == Match.Kind.GAME
    assert next(match for match in final.matches.all() if not match.is_third_place).kind == Match.Kind.BYE


def test_a_match_for_third_place_that_both_lose_never_holds_up_the_event(staff, by):
    semi = semifinals(by, staff.event)
    final = following(by, semi)
    third = third_of(final)
    results.decide_result(by=by, match=third, result=BOTH_LOSE, reason="Both left")
    play(by, final)
    rounds.complete_round(by=by, round=final)
    assert rounds.bracket_has_winner(staff.event, final)
    rounds.finish_event(by=by, event=staff.event)


def test_a_final_that_is_replayed_leaves_third_place_as_it_was(staff, by):
    semi = semifinals(by, staff.event)
    final = following(by, semi)
    results.decide_result(
        by=by, match=next(m for m in final.matches.all() if not m.is_third_place), result=BOTH_LOSE, reason="Both left"
    )
    play(by, final)
    rounds.complete_round(by=by, round=final)
    won = third_of(final).entry_at(third_of(final).result.winner)
    again = rounds.replay_bracket(by=by, event=staff.event, reason="agreed", confirmed=True)
    rounds.publish_round(by=by, round=again)
    assert [match.is_third_place for match in again.matches.all()] == [False]
    play(by, again)
    rounds.complete_round(by=by, round=again)
    assert standings_of(staff.event)[2].number == won.number


def test_the_bracket_is_printed_with_every_player_and_third_place(staff, by, client):
    event = staff.event
    address = reverse("events:bracket-pdf", args=[event.public_id])
    assert client.get(address).status_code == 404
    following(by, semifinals(by, event, count=12, cut_to=12))
    assert f'href="{address}"' in client.get(reverse("events:bracket", args=[event.public_id])).text
    (page,) = text_of(client.get(address).content)
    assert "Third place" in page
    assert {stage in page for stage in ("Round of 16", "Quarterfinals", "Semifinals", "Final")} == {True}
    assert {entry.name in page for entry in event.entries.all()} == {True}
    assert "page 1 of 1" in page


def test_a_large_bracket_is_printed_in_parts():
    stages = [[DrawnMatch(n, f"A{n}.", f"B{n}.", 9, 1, "a") for n in range(16)], [], [], [], []]
    names = [f"Stage {n}" for n in range(5)]
    pages = text_of(bracket(PageHeading("Event", "Bracket"), stages, names))
    found = [{n for n in range(16) if f"A{n}." in page} for page in pages]
    assert found == [set(range(8)), set(range(8, 16)), set()]
    assert "Stage 4" in pages[2]


def test_a_cut_to_six_gives_the_two_best_a_bye(staff, by):
    event = staff.event
    event.number_of_rounds, event.cut_to = 2, 6
    event.save()
    players(event, 9)
    for _number in range(2):
        play_round(by, event)
    best = [place.number for place in standings_of(event)[:2]]
    first = rounds.draft_cut(by=by, event=event)
    waiting = first.matches.filter(kind=Match.Kind.BYE).select_related("a")
    assert first.bracket_size == 8
    assert sorted(match.a.number for match in waiting) == sorted(best)
    with pytest.raises(Refused, match="from 2 to"):
        rounds.draft_cut(by=by, event=event, places=1)


def test_a_cut_asks_whether_third_place_is_played(staff, by):
    event = staff.event
    players(event, 8)
    event.number_of_rounds = 1
    event.save()
    play_round(by, event)
    client, address = staff.client("head_judge"), reverse("events:cut", args=[event.public_id])
    page = client.get(reverse("events:rounds", args=[event.public_id])).text
    assert 'name="third_place" type="checkbox">' in page
    assert client.post(address, {"places": "4", "third_place": "on"}).status_code == 302
    assert Event.objects.get(pk=event.pk).third_place
    undo(by=by, entry=event.record.filter(verb="cut").get(), confirmed=True, reason="too early")
    assert not Event.objects.get(pk=event.pk).third_place
    client.post(address)  # as the console's button does, which leaves the setting
    Event.objects.filter(pk=event.pk).update(third_place=True, cut_to=4)
    client.post(address)
    assert Event.objects.get(pk=event.pk).third_place


def test_players_and_officials_see_which_match_is_for_third_place(staff, by):
    event = staff.event
    final = following(by, semifinals(by, event))
    third = third_of(final)

    def page(name, *parts):
        return staff.client("head_judge").get(reverse(f"events:{name}", args=[event.public_id, *parts])).text

    assert "Third place" in page("table", final.number, third.table)
    assert "Third place" in page("round", final.number)
    assert "Third place" in page("bracket")
    assert page("display").count("(Third place)") == 2
    told = staff.client("judge").get(f"/api/events/{event.public_id}/rounds/{final.number}").json()["matches"]
    assert [match["table"] for match in told if match.get("third_place")] == [third.table]
    player = Client()
    player.get(entry_link(third.a))
    assert "Third place" in player.get(reverse("events:entry", args=[event.public_id, third.a.number])).text


def test_paper_and_files_name_the_match_for_third_place(staff, by):
    event = staff.event
    final = following(by, semifinals(by, event))
    posted = staff.client("judge").get(reverse("events:pairings-pdf", args=[event.public_id, final.number])).content
    told = " ".join("".join(text_of(posted)).split())
    assert told.count("(Third place)") == 3  # both players by name, and the table
    assert f"Final · Round {final.number} · 50 minutes" in told
    play(by, final)
    rounds.complete_round(by=by, round=final)
    rounds.finish_event(by=by, event=event)
    document = event_file(event)
    assert sum("Third place" in line for line in sheet_csv(document).splitlines()) == 1
    assert "".join(text_of(sheet(document))).count("third place") == 1


def test_single_elimination_has_the_match_too(staff, by):
    event = staff.event
    event.pairing_style, event.number_of_rounds, event.third_place = Event.Style.ELIMINATION, None, True
    event.save()
    players(event, 6)
    for _number in range(3):
        final = play_round(by, event)
    third = third_of(final)
    assert [place.number for place in standings_of(event)[2:4]] == [third.a.number, third.b.number]
    assert [place.place for place in standings_of(event)] == [1, 2, 3, 4, 5, 5]
