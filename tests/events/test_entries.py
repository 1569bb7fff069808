"""Entries through their services: sign-up, at the door, lists, the waiting list, check-in, dropping and re-entering."""

import datetime

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.utils import timezone

from events.door import NeedsConfirmation, Refused, Stale
from events.models import AuditEntry, Entry, Event, Match, Person
from events.roles import Actor
from events.services import entries, rounds
from events.services.entries import ListedPlayer
from tests.events.simulation import play, play_round, players
from tests.factories import EntryFactory, PersonFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(staff):
    return staff.actor("scorekeeper")


@pytest.fixture
def event(staff):
    staff.event.number_of_rounds = 5
    staff.event.save()
    return staff.event


def state(entry):
    entry.refresh_from_db()
    return entry.state


def enter(event, person=None, **facts):
    person = person or PersonFactory()
    return entries.enter_self(by=Actor(person=person), event=event, declares=True, **facts)


# entering


def test_a_person_enters_with_the_name_of_the_account(event):
    person = PersonFactory(name="Ana  Alpha")
    entry = enter(event, person, club=" North ")
    assert (entry.name, entry.number, entry.club, entry.state) == ("Ana Alpha", 1, "North", "entered")
    assert entry.person == person


def test_entering_twice_is_refused(event):
    person = PersonFactory()
    enter(event, person)
    with pytest.raises(Refused, match=r"already registered \(entry 1\)"):
        enter(event, person)


def test_a_player_listed_by_e_mail_is_not_entered_twice(event):
    listed = EntryFactory(event=event, email="Ana@example.org", state="entered", eligible_declared=False)
    ana = PersonFactory(email="ana@example.org")
    with pytest.raises(Refused, match="Confirm the address"):
        enter(event, ana)
    EmailAddress.objects.create(user=ana, email=ana.email, verified=True)
    entry = enter(event, ana)
    assert (entry, entry.eligible_declared, event.entries.count()) == (listed, True, 1)


def test_a_list_that_was_imported_is_not_imported_again(by, event):
    lines = [ListedPlayer(1, "Ana", "ana@example.org"), ListedPlayer(2, "Bo")]
    entries.import_entries(by=by, event=event, lines=lines)
    assert [(p.line, "entry 1" in p.message) for p in entries.problems_of(event, lines)] == [(1, True)]
    with pytest.raises(ValidationError, match="registered with this e-mail address"):
        entries.import_entries(by=by, event=event, lines=lines)


def test_without_the_declaration_no_one_enters(event):
    with pytest.raises(ValidationError) as told:
        entries.enter_self(by=Actor(person=PersonFactory()), event=event)
    assert "declares" in told.value.message_dict


@pytest.mark.parametrize("who", ["head_judge", "judge", "scorekeeper", "manager"])
def test_officials_and_venue_do_not_play(staff, event, who):
    with pytest.raises(Refused, match="Player Eligibility"):
        enter(event, getattr(staff, who))


def test_officials_may_play_a_practice_event(staff, event):
    event.is_practice = True
    event.save()
    assert entries.enter_self(by=staff.actor("judge"), event=event).number == 1


def test_a_suspended_player_does_not_play(event):
    with pytest.raises(Refused, match="suspended until"):
        enter(event, PersonFactory(suspended_until=timezone.localdate() + datetime.timedelta(days=30)))


def test_the_publishers_family_does_not_play(event):
    with pytest.raises(Refused, match="employee of the publisher"):
        enter(event, PersonFactory(publisher_family=True))


def test_closed_entries_are_refused(event):
    event.entries_close = timezone.now() - datetime.timedelta(minutes=1)
    event.save()
    with pytest.raises(Refused, match="Registration is closed"):
        enter(event)


def test_the_waiting_list_moves_up_by_itself(event, by):
    event.seats = 2
    event.save()
    first, _second, third, fourth = [enter(event) for _n in range(4)]
    assert [third.state, fourth.state] == ["waiting", "waiting"]
    entries.withdraw_entry(by=by, entry=first, confirmed=True)
    assert (state(first), state(third), state(fourth)) == ("withdrawn", "entered", "waiting")
    assert "Moved up from the waiting list" in AuditEntry.objects.first().words


def test_a_player_who_withdrew_and_enters_again_goes_to_the_end_of_the_waiting_list(event):
    event.seats = 1
    event.save()
    person = PersonFactory()
    first = enter(event, person)
    second, third = enter(event), enter(event)
    entries.withdraw_entry(by=Actor(person=person), entry=first, confirmed=True)
    assert state(second) == "entered"
    again = enter(event, person)
    assert (again.pk, again.number, again.state) == (first.pk, 1, "waiting")
    entries.withdraw_entry(by=Actor(person=second.person), entry=second, confirmed=True)
    assert (state(third), state(again)) == ("entered", "waiting")


def test_new_seats_go_to_the_waiting_list(event, by):
    event.seats = 1
    event.save()
    enter(event)
    waiting = enter(event)
    event.seats = 5
    event.save()
    assert [e.pk for e in entries.move_up_waiting(by=by, event=event)] == [waiting.pk]


def test_no_one_acts_for_someone_else(event):
    entry = enter(event)
    other = PersonFactory()
    enter(event, other)
    with pytest.raises(Refused, match="another player"):
        entries.withdraw_entry(by=Actor(person=other), entry=entry, confirmed=True)


# at the door


def test_a_walk_in_without_an_account(event, by):
    entry = entries.add_entry(by=by, event=event, name="=Walk In", declares=True, checked_in=True)
    assert (entry.name, entry.state, entry.person, entry.origin) == ("=Walk In", "checked-in", None, "door")


def test_an_account_is_asked_by_its_address_and_not_attached(event, by):
    PersonFactory(email="ana@example.org")
    entry = entries.add_entry(by=by, event=event, name="Ana", email="ANA@example.org", declares=True)
    assert (entry.person, entry.email) == (None, "ANA@example.org")
    with pytest.raises(ValidationError, match=r"already on the list of players \(entry 1"):
        entries.add_entry(by=by, event=event, name="Ana", email="ana@example.org", declares=True)


def test_the_address_of_a_player_without_an_account_is_kept(event, by):
    assert (
        entries.add_entry(by=by, event=event, name="Bo", email="bo@example.org", declares=True).email
        == "bo@example.org"
    )


def test_the_door_asks_for_the_declaration_too(event, by):
    with pytest.raises(ValidationError, match="eligibility not confirmed"):
        entries.add_entry(by=by, event=event, name="Bo")


def test_a_fixed_table_is_kept_for_one_player(event, by):
    entries.add_entry(by=by, event=event, name="Ana", fixed_table=4, declares=True)
    with pytest.raises(ValidationError, match="Table 4 is already reserved for Ana"):
        entries.add_entry(by=by, event=event, name="Bo", fixed_table=4, declares=True)


def test_a_full_event_lets_walk_ins_wait(event, by):
    event.seats = 1
    event.save()
    enter(event)
    assert entries.add_entry(by=by, event=event, name="Bo", declares=True, checked_in=True).state == "waiting"


# lists


def test_a_list_is_entered_whole_and_beyond_the_seats_they_wait(event, by):
    event.seats = 2
    event.save()
    lines = [ListedPlayer(2, "Ana"), ListedPlayer(3, "-Bo", club="North"), ListedPlayer(4, "Cy", fixed_table=3)]
    made = entries.import_entries(by=by, event=event, lines=lines)
    assert [(e.number, e.name, e.state, e.fixed_table) for e in event.entries.all()] == [
        (1, "Ana", "entered", None), (2, "-Bo", "entered", None), (3, "Cy", "waiting", 3),
    ]  # fmt: skip
    assert len(made) == 3
    assert AuditEntry.objects.get().words == "3 players imported"


def test_one_bad_line_and_no_one_is_entered(staff, event, by):
    enter(event, PersonFactory(name="Old", email="old@example.org"))
    lines = [
        ListedPlayer(2, "Ana", fixed_table=5),
        ListedPlayer(3, "Old", email="old@example.org"),
        ListedPlayer(4, "Judge", email=staff.judge.email),
        ListedPlayer(5, "Bo", fixed_table=5),
        ListedPlayer(6, "Ana", email="old@example.org"),
    ]
    with pytest.raises(ValidationError) as told:
        entries.import_entries(by=by, event=event, lines=lines)
    text = " ".join(told.value.messages)
    assert "Line 3: Old is already registered (entry 1)." in text
    assert "Line 4: Judge can't play: official of this event (judge)" in text
    assert "Line 5: Line 2 already reserves table 5." in text
    assert "Line 6: Line 3 has the same e-mail address." in text
    assert event.entries.count() == 1


# check-in


def test_check_in_and_its_undo(event, by):
    entry = enter(event)
    entries.check_in(by=by, entry=entry)
    assert state(entry) == "checked-in"
    entries.check_in(by=by, entry=entry)
    assert AuditEntry.objects.filter(verb="check-in").count() == 1
    entries.undo_check_in(by=by, entry=entry)
    assert state(entry) == "entered"


def test_players_check_themselves_in_only_where_it_is_open(event, by):
    entry = enter(event)
    player = Actor(person=entry.person)
    with pytest.raises(Refused, match="judges' table"):
        entries.check_in(by=player, entry=entry)
    entries.open_self_check_in(by=by, event=event, open=True)
    entries.check_in(by=player, entry=Entry.objects.get())
    assert state(entry) == "checked-in"


def test_waiting_players_are_checked_in_only_if_a_seat_is_free(event, by):
    event.seats = 1
    event.save()
    enter(event)
    waiting = enter(event)
    with pytest.raises(Refused, match="All 1 seats are taken"):
        entries.check_in(by=by, entry=waiting)


def test_check_in_of_a_paired_player_cannot_be_undone(event, by):
    people = players(event, 4)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    with pytest.raises(Refused, match="Drop the player instead"):
        entries.undo_check_in(by=by, entry=people[0])


# late


@pytest.mark.parametrize("rule, kind, points", [("loss", "missed", 0), ("bye", "bye", 100)])
def test_late_players_get_what_the_event_gives(event, by, rule, kind, points):
    event.late_start = rule
    event.save()
    players(event, 4)
    absent = EntryFactory(event=event, state="entered", name="Lara")
    for _number in range(2):
        play_round(by, event)
    entries.check_in(by=by, entry=absent)
    late = entries.add_entry(by=by, event=event, name="Leo", declares=True, checked_in=True)
    for entry in (absent, late):
        entry.refresh_from_db()
        assert entry.from_round == 3
        matches = Match.objects.filter(a=entry).order_by("round__number")
        assert [(m.kind, m.state, m.result.score("a"), m.round.number) for m in matches] == [
            (kind, "confirmed", points, 1),
            (kind, "confirmed", points, 2),
        ]
    third = rounds.draft_round(by=by, event=event)
    told = {p["id"]: p for p in third.tournament["players"]}
    assert told["p5"]["byes"] == (2 if rule == "bye" else 0)
    assert told["p5"]["points"] == (6 if rule == "bye" else 0)


def test_a_late_check_in_can_be_undone(event, by):
    players(event, 4)
    absent = EntryFactory(event=event, state="entered")
    play_round(by, event)
    entries.check_in(by=by, entry=absent)
    entries.undo_check_in(by=by, entry=absent)
    assert (state(absent), absent.from_round, Match.objects.filter(a=absent).count()) == ("entered", 1, 0)


@pytest.mark.parametrize("style", ["elimination", "round-robin"])
def test_no_one_joins_a_bracket_or_schedule_late(event, by, style):
    event.pairing_style, event.number_of_rounds = style, None
    event.save()
    players(event, 4)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    with pytest.raises(Refused, match="No player can join"):
        entries.add_entry(by=by, event=event, name="Leo", declares=True, checked_in=True)


# leaving


def test_a_drop_is_asked_for_and_says_what_it_means(event, by):
    people = players(event, 4)
    rounds.publish_round(by=by, round=rounds.draft_round(by=by, event=event))
    with pytest.raises(NeedsConfirmation) as asked:
        entries.drop_entry(by=by, entry=people[0])
    text = " ".join(asked.value.consequences)
    assert "won't be paired again" in text
    assert "is still open. Matches are played to the end" in text
    assert "Withdrawing from a Tournament" in text
    assert state(people[0]) == "checked-in"


def test_a_dropped_player_is_not_paired_and_returns_with_a_loss(event, by):
    people = players(event, 5)
    play_round(by, event)
    entries.drop_entry(by=by, entry=people[0], confirmed=True)
    assert people[0].dropped_after == 1
    second = play_round(by, event)
    assert not second.matches.filter(a=people[0]).exists()
    with pytest.raises(NeedsConfirmation):
        entries.return_entry(by=by, entry=people[0])
    entries.return_entry(by=by, entry=people[0], confirmed=True)
    assert second.matches.get(a=people[0]).kind == "missed"
    third = rounds.draft_round(by=by, event=event)
    assert third.matches.filter(a=people[0]).exists() or third.matches.filter(b=people[0]).exists()


def test_a_drop_by_mistake_is_undone_without_a_trace_in_the_results(event, by):
    people = players(event, 4)
    play_round(by, event)
    entries.drop_entry(by=by, entry=people[0], confirmed=True)
    entries.return_entry(by=by, entry=people[0])
    assert (state(people[0]), people[0].dropped_after) == ("checked-in", None)
    assert not Match.objects.filter(kind="missed").exists()
    assert AuditEntry.objects.get(verb="return-entry").is_non_standard is False


def test_a_player_drops_alone(event, by):
    person = PersonFactory()
    mine = EntryFactory(event=event, person=person)
    players(event, 3)
    play_round(by, event)
    entries.drop_entry(by=Actor(person=person), entry=mine, confirmed=True)
    assert state(mine) == "dropped"


def test_a_player_drops_by_the_link_on_the_slip(event, by):
    mine = players(event, 4)[0]
    play_round(by, event)
    entries.drop_entry(by=Actor(entry=mine), entry=mine, confirmed=True)
    assert AuditEntry.objects.get(verb="drop-entry").by_entry == mine


def test_players_who_never_came_are_removed_from_the_list(event, by):
    players(event, 4)
    absent = EntryFactory(event=event, state="entered")
    play_round(by, event)
    entries.drop_entry(by=by, entry=absent, confirmed=True)
    assert state(absent) == "withdrawn"


def test_a_disqualification_needs_the_head_judge_and_a_reason(staff, event, by):
    people = players(event, 4)
    round = rounds.draft_round(by=by, event=event)
    rounds.publish_round(by=by, round=round)
    with pytest.raises(Refused, match="head judge"):
        entries.disqualify_entry(by=by, entry=people[0], confirmed=True, reason="cheating")
    head = staff.actor("head_judge")
    with pytest.raises(NeedsConfirmation):
        entries.disqualify_entry(by=head, entry=people[0], confirmed=True)
    entries.disqualify_entry(by=head, entry=people[0], confirmed=True, reason="cheating")
    play(by, round)
    rounds.complete_round(by=by, round=round)
    second = rounds.draft_round(by=by, event=event)
    assert not second.matches.filter(a=people[0]).exists()
    entries.requalify_entry(by=head, entry=people[0], confirmed=True, reason="it was another")
    assert state(people[0]) == "dropped"


def test_a_stale_form_of_an_entry_is_reported(event, by):
    entry = enter(event)
    entries.change_entry(by=by, entry=Entry.objects.get(), version=1, club="North")
    with pytest.raises(Stale):
        entries.change_entry(by=by, entry=entry, version=1, club="South")


def test_an_address_given_later_attaches_no_one_and_is_asked_whether_its_owner_may_play(event, by):
    entry = entries.add_entry(by=by, event=event, name="Ana", declares=True)
    ana = PersonFactory(email="ana@example.org")
    entries.change_entry(by=by, entry=entry, email="ana@example.org")
    entry.refresh_from_db()
    assert (entry.person, entry.email) == (None, "ana@example.org")
    Person.objects.filter(pk=ana.pk).update(suspended_until=timezone.localdate() + datetime.timedelta(days=9))
    entries.change_entry(by=by, entry=entry, email="ana@example.org", club="West")
    other = entries.add_entry(by=by, event=event, name="Bo", declares=True)
    with pytest.raises(ValidationError, match="already has another entry"):
        entries.change_entry(by=by, entry=other, email="ana@example.org")
    entries.change_entry(by=by, entry=entry, email="")
    with pytest.raises(ValidationError, match="suspended"):
        entries.change_entry(by=by, entry=other, email="ana@example.org")
    entries.change_entry(by=by, entry=entry, email="")


def test_numbers_are_never_given_twice(event, by):
    first = enter(event)
    entries.withdraw_entry(by=by, entry=first, confirmed=True)
    assert enter(event).number == 2
    assert Event.objects.get().entries.count() == 2
