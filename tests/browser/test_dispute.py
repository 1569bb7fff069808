"""The dispute stepper in a browser: few taps on a phone, by keyboard alone, without scripts."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from rules.models import SavedDispute
from rules.services.disputes import begin_dispute, change_dispute

from .accessible import no_violations_in_either_scheme
from .test_board import tap

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CLICK = {"speed": 8, "attack": 10, "defense": 16, "damage": 3, "powers": []}
SHOT = {"action": "ranged", "actor": "batman", "targets": ["joker"], "rolls": {"attack": [[5, 4]]}}


def piece(name, square=None):
    found = {"id": name.lower(), "name": name, "range": 8, "dial": [CLICK] * 6}
    return {**found, "square": square} if square else found


def position(*actions, edition="core-2014", placed=True):
    """Return Batman and the Joker with bushes between them, on the map or beside it."""
    squares = ("A1", "G2") if placed else (None, None)
    return {
        "edition": edition,
        "map": {"width": 10, "height": 8, "terrain": [{"type": "hindering", "squares": ["D1:D3"]}]},
        "sides": [
            {"player": "Ann", "characters": [piece("Batman", squares[0])]},
            {"player": "Bo", "characters": [piece("Joker", squares[1])]},
        ],
        **({"actions": list(actions)} if actions else {}),
    }


def go(page, live_server, row, step=None):
    page.goto(live_server.url + row.judging_address(step))
    expect(page.locator("#dispute")).to_be_visible()


def title(page, text):
    expect(page.locator("#next h2").first).to_contain_text(text)


def test_a_line_of_fire_dispute_takes_six_taps_on_a_phone(live_server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    go(page, live_server, begin_dispute(document=position(placed=False)))
    expect(page.locator("#next h2").first).to_have_text("Tap the figure's square on the board", use_inner_text=True)
    expect(page.locator("#where")).to_be_hidden()
    tap(page, "A1")
    expect(page.locator(".board-drawing .figure")).to_have_count(1)
    tap(page, "G2")
    title(page, "Batman → Joker")
    page.get_by_role("button", name="Ranged attack → Joker").click()
    title(page, "Attack roll")
    expect(page.locator(".board-drawing .line-hindered").first).to_be_attached()
    for row, die in ((0, "5"), (1, "4")):
        page.locator("fieldset.die-row").nth(row).get_by_text(die, exact=True).click()
    title(page, "Result")
    expect(page.locator("#next")).to_contain_text("Joker: click 1 → 4: 3 damage")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    row = SavedDispute.objects.get()
    assert row.document["actions"] == [SHOT]


def test_from_nothing_it_takes_seven(live_server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url + reverse("rules:dispute-new"))
    page.get_by_role("button", name="Create dispute").click()
    title(page, "Tap the figure's square")
    tap(page, "C3")
    expect(page.locator(".board-drawing .figure")).to_have_count(1)
    tap(page, "H3")
    title(page, "Figure A → Figure B")
    page.get_by_role("button", name="Ranged attack → Figure B").click()
    title(page, "Attack roll")


def test_of_many_figures_two_taps_place_one(live_server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    document = position(placed=False)
    document["sides"][0]["characters"] += [piece(name) for name in ("Robin", "Nightwing", "Huntress", "Oracle")]
    document["sides"][1]["characters"] += [piece(name) for name in ("Riddler", "Penguin", "Bane")]
    go(page, live_server, begin_dispute(document=document))
    page.get_by_role("group", name="Ann").get_by_text("Huntress").click()
    tap(page, "B2")
    expect(page.locator(".board-drawing .figure")).to_have_count(1)
    page.get_by_role("group", name="Bo").get_by_text("Riddler").click()
    tap(page, "E5")
    title(page, "Huntress → Riddler")
    expect(page.get_by_role("button", name="Ranged attack → Riddler")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_arrows_step_and_numbers_are_dice(live_server, page):
    shot = {key: part for key, part in SHOT.items() if key != "rolls"}
    row = begin_dispute(document=position(shot))
    go(page, live_server, row)
    title(page, "Attack roll")
    page.keyboard.press("5")
    page.keyboard.press("4")
    title(page, "Result")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".step-count")).to_contain_text("of")
    page.keyboard.press("Home")
    title(page, "Starting position")
    page.keyboard.press("ArrowRight")
    title(page, "Declared")
    expect(page).to_have_url(live_server.url + reverse("rules:dispute-step", args=[row.public_id, 1]))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    title(page, "Line of fire")
    assert page.evaluate("document.activeElement.id") == "step-title"
    expect(page.locator("#spoken")).to_contain_text("hindered")
    page.go_back()
    title(page, "Targets")
    page.keyboard.press("End")
    title(page, "Result")


def test_a_position_is_set_and_played_by_keyboard_alone(live_server, page):
    go(page, live_server, begin_dispute(document=position(placed=False)))
    page.locator("#board").focus()
    expect(page.locator("#board-cursor")).to_contain_text("A1")
    page.keyboard.press("Enter")
    expect(page.locator(".board-drawing .figure")).to_have_count(1)
    page.locator("#board").focus()
    for key in ["ArrowRight"] * 4 + ["ArrowDown"]:
        page.keyboard.press(key)
    expect(page.locator("#board-cursor")).to_contain_text("E2")
    page.keyboard.press("Enter")
    title(page, "Batman → Joker")
    button = page.get_by_role("button", name="Ranged attack → Joker")
    button.focus()
    page.keyboard.press("Enter")
    title(page, "Attack roll")
    page.keyboard.press("6")
    page.keyboard.press("5")
    title(page, "Result")


def test_a_move_is_a_tap_on_where_it_ends(live_server, page):
    row = begin_dispute(document=position())
    go(page, live_server, row)
    page.get_by_role("link", name="Move…").first.click()
    expect(page.locator(".board-drawing .shade-reach")).to_have_count(1)
    tap(page, "C5")
    title(page, "Result")
    expect(page.locator("#next")).to_contain_text("Batman: A1 → C5")


def test_without_a_script_forms_and_links_do_it(live_server, browser):
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(live_server.url + begin_dispute(document=position(placed=False)).judging_address())
    for square in ("A1", "G2"):
        expect(page.locator("#next h2").first).to_have_text("Enter the figure's square", use_inner_text=True)
        page.locator("#where").fill(square)
        page.get_by_role("button", name="Place", exact=True).click()
    page.get_by_role("button", name="Ranged attack → Joker").click()
    for row, die in ((0, "5"), (1, "4")):
        page.locator("fieldset.die-row").nth(row).get_by_text(die, exact=True).click()
    page.get_by_role("button", name="Enter roll").click()
    title(page, "Result")
    page.get_by_role("link", name="Step through").click()
    title(page, "Starting position")
    page.get_by_role("link", name="Next →").click()
    title(page, "Declared")
    page.get_by_role("link", name="Back").click()
    title(page, "Starting position")
    context.close()


def test_the_position_is_changed_on_the_board(live_server, page):
    row = begin_dispute(document=position(placed=False))
    go(page, live_server, row)
    page.goto(live_server.url + reverse("rules:dispute-set", args=[row.public_id]))
    page.get_by_role("button", name="Draw", exact=True).click()
    page.locator("#brush").select_option("terrain:blocking")
    tap(page, "E2")
    expect(page.locator(".board-drawing .rim-blocking")).to_have_count(1)
    page.get_by_role("button", name="Save position").click()
    title(page, "Tap the figure's square")
    row.refresh_from_db()
    assert {"type": "blocking", "squares": ["E2"]} in row.document["map"]["terrain"]
    assert len(row.waiting) == 2


def test_the_second_of_two_judges_at_once_loses_nothing_and_is_told(live_server, page, context):
    row = begin_dispute(document=position())
    go(page, live_server, row)
    second = context.new_page()
    go(second, live_server, row)
    second.evaluate("document.getElementById('dispute').dataset.stream = ''")
    page.get_by_role("button", name="Ranged attack → Joker").click()
    title(page, "Attack roll")
    page.evaluate("document.getElementById('dispute').dataset.stream = ''")  # so that it doesn't learn of changes
    second.locator("#title-question summary").click()
    second.locator("#title").fill("Behind the bushes")
    second.get_by_role("button", name="Save title and question").click()
    expect(second.locator(".messages")).to_contain_text("Both changes are kept")
    expect(second.locator("h1")).to_have_text("Behind the bushes")
    title(second, "Attack roll")
    page.locator("#title-question summary").click()
    page.locator("#title").fill("In the yard")
    page.get_by_role("button", name="Save title and question").click()
    expect(page.locator(".messages")).to_contain_text("Someone else has changed this dispute")
    expect(page.locator("#title")).to_have_value("In the yard")
    page.get_by_role("button", name="Save title and question").click()
    expect(page.locator("h1")).to_have_text("In the yard")


def test_nothing_is_lost_when_the_site_is_not_reached(live_server, page):
    go(page, live_server, begin_dispute(document=position()))
    page.route("**/disputes/**", lambda route: route.abort())
    page.get_by_role("button", name="Ranged attack → Joker").click()
    expect(page.get_by_role("alert")).to_contain_text("The site didn't answer.")
    page.unroute("**/disputes/**")
    page.get_by_role("button", name="Ranged attack → Joker").click()
    title(page, "Attack roll")


def test_a_branch_is_shown_beside_what_happened(live_server, page):
    row = begin_dispute(document=position(SHOT))
    go(page, live_server, row)
    page.get_by_role("link", name="Try a change").click()
    page.locator("#die-1").select_option("1")
    page.locator("#die-2").select_option("2")
    page.locator("form:has(#die-1)").get_by_role("button", name="Add branch").click()
    expect(page.locator(".branch")).to_have_count(2)
    expect(page.locator(".branch").nth(1)).to_contain_text("differs from step")
    one, other = (page.locator(".branch").nth(place).bounding_box() for place in (0, 1))
    assert other["x"] > one["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    one, other = (page.locator(".branch").nth(place).bounding_box() for place in (0, 1))
    assert other["x"] > one["x"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("form:has(#branch-click)").get_by_role("button", name="Add branch").click()
    expect(page.locator(".branch")).to_have_count(3)
    expect(page.locator("#branch-2 h2")).to_be_in_viewport()
    page.locator("#branch-2").get_by_role("button", name="Remove branch").click()
    expect(page.locator(".branch")).to_have_count(2)


def test_disputes_are_for_everyone(live_server, page):
    row = begin_dispute(document=position(SHOT), title="In the yard")
    branches = [{"changes": [{"change": "edition", "edition": "car-2002"}]}]
    change_dispute(dispute=row, version=1, said="", branches=branches)
    waiting = begin_dispute(document=position(placed=False))
    shot = {key: part for key, part in SHOT.items() if key != "rolls"}
    page.goto(live_server.url + reverse("rules:dispute-new"))
    no_violations_in_either_scheme(page)
    for one, step in ((row, None), (row, 4), (waiting, None), (begin_dispute(document=position(shot)), None)):
        go(page, live_server, one, step)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        no_violations_in_either_scheme(page)
    placed = begin_dispute(document=position())
    go(page, live_server, placed)
    for asked in ("sheet=batman", "brush=terrain:hindering", "figure=batman&act=move&action=move"):
        page.goto(f"{live_server.url}{reverse('rules:dispute', args=[placed.public_id])}?{asked}")
        no_violations_in_either_scheme(page)
    go(page, live_server, row)
    for name in ("dispute-what-if", "dispute-read", "dispute-set"):
        page.goto(live_server.url + reverse(f"rules:{name}", args=[row.public_id]))
        no_violations_in_either_scheme(page)
    page.goto(live_server.url + reverse("rules:dispute-act", args=[row.public_id]) + "?figure=batman")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    no_violations_in_either_scheme(page)
