"""Publishing reads nothing that grows with the rounds played, and notices every change since the pairing."""

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import AuditEntry, Event, Match, Round
from events.services import entries, results, rounds
from events.services.undo import undo
from judging.keeping import bundles
from judging.keeping.whole_file import whole_file
from judging.services.penalties import give_penalty
from tests.events.simulation import play, play_round, players, result

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(staff):
    return staff.actor("head_judge")


@pytest.fixture
def event(staff):
    Event.objects.filter(pk=staff.event.pk).update(number_of_rounds=9)
    players(staff.event, 16)
    staff.event.refresh_from_db()
    return staff.event


class Read:
    """Counts a block's queries and the rows they find."""

    def __enter__(self):
        self.queries = self.rows = 0
        self.wrapper = connection.execute_wrapper(self.count)
        self.wrapper.__enter__()
        return self

    def __exit__(self, *told):
        self.wrapper.__exit__(*told)

    def count(self, execute, sql, params, many, context):
        self.queries += 1
        if sql.startswith("SELECT"):
            execute(f"SELECT COUNT(*) FROM ({sql}) AS found", params, many, context)
            self.rows += context["cursor"].fetchone()[0]
        return execute(sql, params, many, context)


def test_publishing_and_completing_read_as_much_in_the_sixth_round_as_in_the_second(event, by, staff, settings):
    settings.SNAPSHOTS_KEPT = 0  # a snapshot reads the whole event, beside the request
    client, chance = staff.client("head_judge"), random.Random(3)
    counted = {}
    for number in range(1, 7):
        made = rounds.draft_round(by=by, event=event)
        at = f"/events/{event.public_id}/rounds/{number}"
        with Read() as publishing:
            assert client.post(f"{at}/publish/", {"version": made.version}).status_code == 302
        play(by, made, chance)
        made.refresh_from_db()
        with Read() as completing:
            assert client.post(f"{at}/complete/", {"version": made.version}).status_code == 302
        counted[number] = [(read.queries, read.rows) for read in (publishing, completing)]
    assert counted[6] == counted[2]


def a_match(round: Round) -> Match:
    return round.matches.order_by("table").first()


def swap(by, draft):
    one, other = draft.matches.order_by("table")[:2]
    rounds.swap_players(by=by, round=draft, one=one.a, other=other.a, reason="Siblings")


def move(by, draft):
    rounds.change_table(by=by, match=a_match(draft), table=40, round=draft)


def drop(by, draft):
    entries.drop_entry(by=by, entry=a_match(draft).a, confirmed=True)


def correct(by, draft):
    first = a_match(draft.event.rounds.get(number=1))
    other = "b" if first.result.winner == "a" else "a"
    results.correct_result(by=by, match=first, result=result(other), reason="Misread", confirmed=True)


def pair_again_and_undo(by, draft):
    entries.drop_entry(by=by, entry=a_match(draft).a, confirmed=True)
    rounds.pair_again(by=by, round=draft)
    undo(by=by, entry=AuditEntry.objects.filter(verb="pair-again").latest("pk"), confirmed=True, reason="No")


def discard_after_drop_and_undo(by, draft):
    entries.drop_entry(by=by, entry=a_match(draft).a, confirmed=True)
    rounds.discard_draft(by=by, round=draft)
    undo(by=by, entry=AuditEntry.objects.filter(verb="discard-draft").latest("pk"), confirmed=True, reason="No")


def reopen(by, draft):
    rounds.reopen_round(by=by, round=draft.event.rounds.get(number=1), confirmed=True, reason="Wrong")


def publish_and_undo(by, draft):
    rounds.publish_round(by=by, round=draft)
    rounds.unpublish_round(by=by, round=draft, confirmed=True, reason="Too early")
    rounds.publish_round(by=by, round=draft)
    undo(by=by, entry=AuditEntry.objects.filter(verb="publish-round").latest("pk"), confirmed=True, reason="No")


def reserve(by, draft):
    entries.change_entry(by=by, entry=a_match(draft).a, fixed_table=30)


@pytest.mark.parametrize(
    ("change", "is_stale"),
    [(swap, False), (move, False), (publish_and_undo, False), (drop, True), (correct, True), (pair_again_and_undo, True),
     (discard_after_drop_and_undo, True), (reopen, True), (reserve, True)],
    ids=lambda one: getattr(one, "__name__", ""),
)  # fmt: skip
def test_a_change_since_the_pairing_is_found_by_the_audit_log(event, by, change, is_stale):
    play_round(by, event)
    draft = rounds.draft_round(by=by, event=event)
    assert rounds.stale_by_log(draft) == rounds.stale_because(draft) == []
    change(by, draft)
    draft = Round.objects.get(event=event, number=2)
    found = rounds.stale_by_log(draft)
    assert found == rounds.stale_because(draft)
    assert bool(found) == is_stale


def test_no_row_brings_the_file_its_round_was_paired_from(event, by, staff):
    made = play_round(by, event)
    for match in made.matches.all()[:2]:
        give_penalty(by=by, entry=match.a, kind="warning", category="slow-play", text="Slow", match=match)
    entry = AuditEntry.objects.get(verb="complete-round")
    client, at = staff.client("head_judge"), f"/events/{event.public_id}"
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"{at}/audit-log/{entry.pk}/").status_code == 200
        assert client.post(f"{at}/audit-log/{entry.pk}/", {"confirmed": "yes", "reason": "No"}).status_code == 302
        assert client.get(f"{at}/penalties/").status_code == 200
        assert client.get(f"{at}/rounds/1/pairings.pdf").status_code == 200
        whole_file(event)
        bundles.matches_of(made)
    heavy = [one["sql"] for one in asked if '"tournament"' in one["sql"] and 'FROM "events_round"' not in one["sql"]]
    assert heavy == []
