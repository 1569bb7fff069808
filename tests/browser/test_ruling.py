"""From a table's QR code to a recorded ruling with its extension, on a phone in few taps; then the appeal."""

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from events.models import ClockRun, Entry, Extension, Force, Match, Round
from judging.models import Call, Decision, Penalty, TableDispute
from judging.services import calls, penalties
from judging.services import decisions as services
from judging.services.decisions import JudgeRuling, LinkedRows
from tests.events.match_pages import play
from tests.factories import PersonFactory

from .accessible import no_violations_in_either_scheme
from .test_board import tap as tap_square

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 780}
FEW = 12
DIAL = [{"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": {}}] * 5


def force(entry, name, ref):
    facts = {"name": name, "points": 60, "range": 8, "bolts": 1, "dial": DIAL}
    element = {"ref": ref, "name": name, "points": 60}
    document = {"edition": "car-2002", "event": {"build_total": 200}, "force": {"characters": [element]}}
    return Force.objects.create(
        entry=entry, document=document, origins={ref: {"code": None, "section": "characters", "facts": facts}},
        state="submitted", standing="legal", total=60,
    )  # fmt: skip


@pytest.fixture
def hall(staff):
    """Four tables of a running round; at table 2 Archer plays Shade, both with accounts."""
    play(staff.event, 8, 1)
    ClockRun.objects.create(
        round=Round.objects.get(), phase="round", began=timezone.now() - datetime.timedelta(minutes=20)
    )
    match = Match.objects.get(table=2)
    for entry, name in ((match.a, "Archer"), (match.b, "Shade")):
        Entry.objects.filter(pk=entry.pk).update(person=PersonFactory(name=f"{name} Player"))
        force(entry, name, name.lower())
    return staff


@pytest.fixture
def phone(browser, live_server, sign_in):
    """Return a function that opens a page on a phone as a person."""
    made = []

    def page_of(person):
        context = browser.new_context(viewport=PHONE, has_touch=True, base_url=live_server.url, reduced_motion="reduce")
        made.append(context)
        sign_in(context, person)
        return context.new_page()

    yield page_of
    for context in made:
        context.close()


def to(hall, name, *parts):
    return reverse(name, args=[hall.event.public_id, *parts])


def no_violations(page):
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    no_violations_in_either_scheme(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


class Thumb:
    """A thumb that counts its taps; choosing from a list takes two."""

    def __init__(self, page):
        self.page = page
        self.taps = 0

    def on(self, kind, name):
        self.taps += 1
        found = self.page.get_by_role(kind, name=name).first
        found.wait_for()
        self.page.wait_for_load_state()
        found.tap()

    def opens(self, words):
        self.taps += 1
        self.page.locator("summary").filter(has_text=words).first.tap()

    def square(self, name):
        self.taps += 1
        tap_square(self.page, name)


def test_from_the_qr_code_to_a_ruling_with_its_extra_time_in_few_taps(hall, phone):
    page = phone(hall.judge)
    thumb = Thumb(page)
    page.goto(to(hall, "events:table", 1, 2))  # the address in the slip's QR code
    thumb.on("button", "I'm at the table")
    expect(page.get_by_role("timer", name="Time at the table")).to_be_visible()
    began = timezone.now() - datetime.timedelta(minutes=3, seconds=30)
    Call.objects.update(raised=began, arrived=began)
    thumb.on("button", "Set up position")
    expect(page.locator("#dispute")).to_be_visible()
    expect(page.locator("#next h2").first).to_contain_text("Tap the figure's square")
    thumb.square("B4")
    expect(page.locator(".board-drawing .figure")).to_have_count(1)
    thumb.square("G4")
    expect(page.locator("#next h2").first).to_contain_text("→ Shade")
    thumb.on("button", "Hindering terrain between")
    expect(page.locator(".board-drawing .rim-hindering")).to_have_count(1)
    thumb.on("button", "Ranged attack → Shade")
    expect(page.locator(".board-drawing .line-hindered").first).to_be_attached()
    thumb.on("link", "Record ruling")
    expect(page.get_by_role("heading", name="Rules engine says")).to_be_visible()
    expect(page.get_by_label("hindered")).to_be_checked()
    expect(page.get_by_label("Reason for overruling the rules engine")).to_be_hidden()
    expect(page.get_by_label("Minutes lost")).to_have_value("4")
    thumb.on("button", "Record and resolve call")
    expect(page.locator("main")).to_contain_text("The table gets 4 extra minutes.")
    assert thumb.taps < FEW, f"{thumb.taps} taps"
    decision = Decision.objects.get()
    assert (decision.answer, decision.reading, decision.match.table) == ("hindered", "hindered", 2)
    assert decision.call.state == "closed"
    assert decision.extension == Extension.objects.get()
    assert Extension.objects.get().seconds == 240
    assert decision.position["map"]["terrain"] == [{"type": "hindering", "squares": ["D4"]}]


def test_another_answer_than_the_reading_asks_why(hall, phone):
    from rules.services.disputes import begin_dispute
    from tests.judging.test_decisions import position

    saved = begin_dispute(document=position(powers=["Stealth"]))
    services.note_dispute(by=hall.actor("judge"), match=Match.objects.get(table=2), key=saved.public_id)
    page = phone(hall.judge)
    page.goto(f"{to(hall, 'judging:rule')}?dispute={saved.public_id}")
    why = page.get_by_label("Reason for overruling the rules engine")
    expect(why).to_be_hidden()
    page.get_by_label("hindered").tap()
    expect(why).to_be_visible()
    page.get_by_role("button", name="Record ruling").tap()
    expect(page.locator("main")).to_contain_text("Say why you overrule it")
    why.fill("It had moved before.")
    no_violations(page)
    page.get_by_role("button", name="Record ruling").tap()
    expect(page.locator("main")).to_contain_text("overrules the rules engine")
    assert Decision.objects.get().is_against_reading


def test_the_head_judge_overturns_on_appeal(hall, phone):
    match = Match.objects.get(table=2)
    services.record_decision(
        by=hall.actor("judge"),
        event=hall.event,
        ruling=JudgeRuling(question="May Outwit see Stealth?", answer="yes", topics=("outwit", "stealth")),
        links=LinkedRows(match=match),
    )
    table = phone(Entry.objects.get(pk=match.a_id).person)
    table.goto(to(hall, "events:table", 1, 2))
    table.get_by_role("link", name="May Outwit see Stealth?").tap()
    table.locator("summary").filter(has_text="Appeal to the head judge").tap()
    table.get_by_label("Reason for the appeal").fill("The FAQ of August says otherwise.")
    table.get_by_role("button", name="Appeal").tap()
    expect(table.locator("main")).to_contain_text("The head judge has been notified.")
    head = phone(hall.head_judge)
    head.goto(to(hall, "events:console"))
    head.get_by_role("link", name="1 appeal for the head judge").tap()
    head.get_by_role("link", name="May Outwit see Stealth?").first.tap()
    expect(head.locator("main")).to_contain_text("The FAQ of August says otherwise.")
    head.get_by_label("Reasons").fill("Outwit needs a clear line of fire.")
    head.get_by_label("No", exact=True).tap()
    no_violations(head)
    head.get_by_role("button", name="Overturn").tap()
    expect(head.locator("main")).to_contain_text("Final ruling recorded.")
    expect(head.locator(".ruling-now .huge")).to_have_text("No")
    expect(table.locator(".ruling-now .huge")).to_have_text("No")
    decision = Decision.objects.get()
    assert (decision.state, decision.counts, decision.final_by) == ("overturned", "no", hall.head_judge)


def test_a_warning_for_slow_play_asks_and_proposes_time(hall, phone):
    page = phone(hall.judge)
    page.goto(to(hall, "events:table", 1, 2))
    Thumb(page).opens("Slow play")
    name = Match.objects.get(table=2).b.name
    page.locator("#slow-play").get_by_role("button", name=f"Warn {name}").tap()
    page.get_by_role("button", name=f"Warn {name} for slow play").tap()
    expect(page.get_by_role("heading", name="Extension for table 2")).to_be_visible()
    assert Penalty.objects.get().kind == "warning"
    expect(page.get_by_label("Minutes")).to_have_value("2")
    page.get_by_role("button", name="Give extension").tap()
    expect(page.get_by_role("heading", name="Extension for table 2")).to_be_hidden()
    expect(page.locator("main")).to_contain_text("2 minutes")
    assert Extension.objects.get().seconds == 120


def test_pages_of_rulings_are_for_everyone(hall, phone):
    match = Match.objects.get(table=2)
    for answer in ("yes", "no"):
        services.record_decision(
            by=hall.actor("judge"),
            event=hall.event,
            ruling=JudgeRuling(
                question="May Outwit see Stealth?",
                answer=answer,
                topics=("outwit", "stealth"),
                departs_why="A later FAQ.",
            ),
            links=LinkedRows(match=match),
        )
    penalties.slow_play(by=hall.actor("judge"), match=match, side="a")
    call, _new = calls.raise_call(by=hall.actor("judge"), match=match)
    calls.arrive_at_table(by=hall.actor("judge"), call=call)
    page = phone(hall.judge)
    for where in (
        to(hall, "events:table", 1, 2),
        to(hall, "judging:call", call.pk),
        f"{to(hall, 'judging:rule')}?round=1&table=2&question=May+Outwit+see+Stealth",
        to(hall, "judging:rulings"),
        to(hall, "judging:ruling", 2),
        f"{to(hall, 'judging:penalties')}?entry={match.a_id}",
    ):
        page.goto(where)
        no_violations(page)
    page.goto(to(hall, "events:table", 1, 2))
    page.get_by_role("button", name="Set up position").tap()
    expect(page.locator(".ruling-link")).to_contain_text("Round 1, table 2")
    assert TableDispute.objects.count() == 1
    no_violations(page)
