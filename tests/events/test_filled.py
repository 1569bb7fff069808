"""Pages filled in for each reader of a full hall: the same, letter by letter, as if each were rendered for its reader."""

import re

import pytest
from django.urls import reverse

from events import filled
from events.models import Announcement, Entry, Event, Match, Round
from events.roles import SITE, Actor
from events.services import clock, results
from events.views import own_page
from judging.services import calls
from tests.conftest import client_of
from tests.events.match_pages import play
from tests.events.test_own_report import linked
from tests.factories import EventFactory, PersonFactory

pytestmark = pytest.mark.django_db
MOMENT = re.compile(
    r'(name="csrfmiddlewaretoken" value|data-(?:now|ends|left))="\w+"|<span data-digits>[\d:]+|data-since="\d+">[\d:]+'
)
HOSTILE = ['<b>%s</b> & "1"', "%(name)s 100%", "O'Neil {{ event }}", f"{filled.FIRST_NUMBER}", "Zoë — Ng", "a" * 90]


@pytest.fixture
def event():
    """Seven players in their second round, which runs: one has a bye; names are as bad as they get."""
    made = EventFactory(name='Cup %s <i> "é"')
    play(made, 7, 2)
    for entry, name in zip(made.entries.order_by("number"), HOSTILE, strict=False):
        Entry.objects.filter(pk=entry.pk).update(name=name, club="Club of %d & Co" if entry.number % 2 else "")
    return made


def report(match, entry, a, b):
    match.refresh_from_db()
    results.claim_result(by=Actor(entry=entry), match=match, result={"score_a": a, "score_b": b})


def reported(_event, claimed, disputed, confirmed):
    report(claimed, claimed.a, 120, 60)
    report(disputed, disputed.a, 120, 60)
    report(disputed, disputed.b, 10, 60)
    report(confirmed, confirmed.a, 120, 60)
    report(confirmed, confirmed.b, 120, 60)


def at_work(event, called, extended, left):
    calls.raise_call(by=Actor(entry=called.a), match=called, reason="rules")
    clock.extend_table(by=SITE, match=extended, minutes=7, reason="a long ruling")
    Entry.objects.filter(pk=left.a_id).update(state=Entry.State.DROPPED, dropped_after=1)
    for n in range(4):
        Announcement.objects.create(event=event, text=f"Lunch at {n} %s <b>")


def unusual(event, one, other, _last):
    Entry.objects.filter(pk=one.a_id).update(fixed_table=3, from_round=2)
    Event.objects.filter(pk=event.pk).update(format=Event.Format.SEALED_BOOSTER)
    Round.objects.filter(pk=one.round_id).update(bracket_size=4, stage=Round.Stage.CUT)
    report(other, other.b, 5, 7)


def over(_event, one, *_others):
    Round.objects.filter(pk=one.round_id).update(round_seconds=0)


def published(_event, one, *_others):
    Round.objects.filter(pk=one.round_id).update(state=Round.State.PUBLISHED)
    one.round.clock_runs.all().delete()


def prepared(event, one, *_others):
    published(event, one)
    clock.start_preparation(by=SITE, round=Round.objects.get(pk=one.round_id))


def paused(event, one, *_others):
    prepared(event, one)
    clock.pause(by=SITE, round=Round.objects.get(pk=one.round_id))


def away(event, *_matches):
    Event.objects.filter(pk=event.pk).update(away="another shop")


def tables_of(event):
    return list(Match.objects.with_round().filter(round__event=event, round__number=2, kind="game").order_by("table"))


def addresses(event, number):
    table = Match.objects.filter(round__event=event, round__number=2).filter(a__number=number) | Match.objects.filter(
        round__event=event, round__number=2, b__number=number
    )
    yield reverse("events:entry", args=[event.public_id, number])
    for match in table:
        if match.table is not None:
            yield reverse("events:receipt", args=[event.public_id, 2, match.table])


def pages(readers, event, monkeypatch, *, alone):
    """Return what each reader sees on each of their pages, without tokens and times."""
    with monkeypatch.context() as patch:
        if alone:
            for name in ("own_page_of", "receipt_of"):
                patch.setattr(own_page, name, lambda *_facts: None)
        return {
            (number, address): MOMENT.sub(r"\1", reader.get(address).text)
            for number, reader in readers.items()
            for address in addresses(event, number)
        }


@pytest.mark.parametrize("state", [reported, at_work, unusual, over, published, prepared, paused, away])
def test_a_page_that_is_filled_in_equals_one_rendered_for_its_reader(event, monkeypatch, state):
    state(event, *tables_of(event))
    readers = {entry.number: linked(entry) for entry in event.entries.all()}
    wanted = pages(readers, event, monkeypatch, alone=True)
    assert pages(dict(reversed(readers.items())), event, monkeypatch, alone=False) == wanted


def test_so_does_one_in_another_language_and_theme_by_account(event, monkeypatch):
    reported(event, *tables_of(event))
    readers = {}
    for entry in event.entries.all():
        Entry.objects.filter(pk=entry.pk).update(person=PersonFactory())
        readers[entry.number] = client_of(Entry.objects.get(pk=entry.pk).person)
        readers[entry.number].cookies.load({"django_language": "fr", "theme": "dark"})
    wanted = pages(readers, event, monkeypatch, alone=True)
    assert pages(readers, event, monkeypatch, alone=False) == wanted


def test_what_is_kept_has_nothing_of_a_player(event, monkeypatch):
    """A kept form has marks alone: no name, number, table, score or token of the reader it was first made for."""
    filled._form.cache_clear()
    kept = []
    form = filled._form
    monkeypatch.setattr(filled, "_form", lambda *told: kept.append(form(*told)) or kept[-1])
    reported(event, *tables_of(event))
    readers = {entry.number: linked(entry) for entry in event.entries.all()}
    pages(readers, event, monkeypatch, alone=False)
    assert len({one.text for one in kept}) < len(kept) - 4
    for one in kept:
        assert not re.search(r'name="csrfmiddlewaretoken" value="\w', one.text)
        assert not any(part in one.text for name in HOSTILE for part in ("Neil", "Zoë", "Ng", "a" * 90) if part in name)
        assert str(filled.FIRST_NUMBER // 1000) not in one.text
        assert event.name not in one.text
    assert any("entry" in one.names for one in kept)
