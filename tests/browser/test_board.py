"""The board in a browser: taps, keys, the brush, undo, two editions, a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from .accessible import no_violations, no_violations_in_either_scheme

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
UNIT, MARGIN = 40, 28
VERDICT = ".board-verdicts"


def go(page, live_server, name, *args, query=""):
    page.goto(live_server.url + reverse(f"rules:{name}", args=args) + query)
    expect(page.locator("[data-undo]")).to_be_visible()


def tap(page, square, along=0.5, down=0.5, drawing=0):
    """Tap a square, or a point in it, by its position on the screen, as a thumb does."""
    page.wait_for_load_state()
    column, row = ord(square[0]) - ord("A"), int(square[1:]) - 1
    svg = page.locator(".board-drawing").nth(drawing)
    svg.scroll_into_view_if_needed()
    scale = svg.evaluate("svg => svg.getScreenCTM().a")
    box = svg.bounding_box()
    x, y = ((MARGIN + (at + part) * UNIT) * scale for at, part in ((column, along), (row, down)))
    page.mouse.click(box["x"] + x, box["y"] + y)


def test_two_taps_draw_the_line_and_say_why(live_server, page):
    go(page, live_server, "board-example", "boomerang-and-spider-man")
    expect(page.locator(VERDICT)).to_contain_text("B3 → G2")
    tap(page, "B3")
    expect(page.locator(VERDICT)).to_contain_text("tap the target's square")
    tap(page, "H6")
    expect(page.locator(VERDICT)).to_contain_text("B3 → H6")
    expect(page.locator(VERDICT)).to_contain_text("blocked")
    expect(page.locator("[data-part=answer]")).to_contain_text("Wolverine (H6) is blocked: blocking terrain in D4.")
    expect(
        page.locator("[data-part=answer]").get_by_role("link", name="Terrain › Blocking Terrain").first
    ).to_be_visible()
    expect(page.locator(".board-drawing .line-bar")).to_have_count(1)
    expect(page.locator(".board-drawing .mark-name")).to_have_text("D4")


def test_a_square_is_nudged_on_a_phone(live_server, page):
    page.set_viewport_size({"width": 360, "height": 780})
    go(page, live_server, "board-map", "lantern-street")
    tap(page, "B2")
    expect(page.locator(VERDICT)).to_contain_text("tap the target's square")
    tap(page, "E6")
    expect(page.locator(VERDICT)).to_contain_text("B2 → E6")
    page.get_by_role("button", name="Right", exact=True).click()
    expect(page.locator(VERDICT)).to_contain_text("B2 → F6")
    page.get_by_role("button", name="Down", exact=True).click()
    expect(page.locator(VERDICT)).to_contain_text("B2 → F7")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wide = page.locator(".board-drawing").bounding_box()["width"]
    page.get_by_role("button", name="Larger squares").click()
    assert page.locator(".board-drawing").bounding_box()["width"] > 1.4 * wide
    tap(page, "C3")
    expect(page.locator(VERDICT)).to_contain_text("C3 →")


def test_the_board_is_used_by_keyboard(live_server, page):
    go(page, live_server, "board-map", "lantern-street")
    page.locator("#board").focus()
    expect(page.locator("#board-cursor")).to_contain_text("A1")
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#from")).to_have_value("B3")
    expect(page.locator(VERDICT)).to_contain_text("tap the target's square")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(VERDICT)).to_contain_text("B3 → D3")
    page.keyboard.press("w")
    expect(page.locator(VERDICT)).to_contain_text("D3 → B3")
    page.keyboard.press("s")
    expect(page.locator(".board-drawing .shade-blocked")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator(VERDICT)).to_contain_text("B3 → D3")
    page.keyboard.press("Escape")
    expect(page.locator(VERDICT)).to_contain_text("Tap the attacker's square")
    assert page.evaluate("document.activeElement.id") == "board"
    page.keyboard.press("?")
    assert page.locator("#keys").get_attribute("open") is not None


def test_terrain_and_walls_are_drawn_and_undone(live_server, page):
    go(page, live_server, "board-new", query="?width=8&height=6")
    page.get_by_role("button", name="Draw", exact=True).click()
    page.locator("#brush").select_option("terrain:hindering")
    tap(page, "C3")
    expect(page.locator(".board-drawing .rim-hindering")).to_have_count(1)
    page.locator("#brush").select_option("edge:walls")
    tap(page, "E3", along=0.06)
    expect(page.locator(".board-drawing path.walls")).to_have_count(1)
    assert '"D3|E3"' in page.locator("#document").input_value()
    page.get_by_role("button", name="Line", exact=True).click()
    tap(page, "A3")
    expect(page.locator(VERDICT)).to_contain_text("tap the target's square")
    tap(page, "H3")
    expect(page.locator(VERDICT)).to_contain_text("blocked")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(VERDICT)).to_contain_text("tap the target's square")
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".board-drawing path.walls")).to_have_count(0)
    expect(page.locator(".board-drawing .rim-hindering")).to_have_count(1)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".board-drawing path.walls")).to_have_count(1)


def test_a_stroke_of_the_brush_draws_all_its_squares(live_server, page):
    go(page, live_server, "board-new", query="?width=8&height=6")
    page.get_by_role("button", name="Draw", exact=True).click()
    page.locator("#brush").select_option("terrain:water")
    box, scale = (
        page.locator(".board-drawing").bounding_box(),
        page.locator(".board-drawing").evaluate("s => s.getScreenCTM().a"),
    )
    at = [
        (box["x"] + (MARGIN + (c + 0.5) * UNIT) * scale, box["y"] + (MARGIN + 1.5 * UNIT) * scale) for c in (1, 2, 3, 4)
    ]
    page.mouse.move(*at[0])
    page.mouse.down()
    for point in at[1:]:
        page.mouse.move(*point, steps=4)
    page.mouse.up()
    expect(page.locator(".board-drawing .rim-water")).to_have_count(1)
    assert '"B2:E2"' in page.locator("#document").input_value()


def test_a_piece_is_placed_and_moved(live_server, page):
    go(page, live_server, "board-new", query="?width=8&height=6")
    page.get_by_role("button", name="Figure", exact=True).click()
    tap(page, "B2")
    page.get_by_label("Name", exact=True).fill("Night Watch")
    page.get_by_role("button", name="Place figure").click()
    expect(page.locator(".board-drawing .figure")).to_have_count(1)
    expect(page.locator("[data-part=figures]")).to_contain_text("Night Watch")
    tap(page, "B2")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Night Watch")
    tap(page, "F4")
    expect(page.locator("[data-part=figures]")).to_contain_text("F4")
    page.get_by_role("button", name="Line", exact=True).click()
    tap(page, "F4")
    page.locator("#shade").select_option("reach")
    expect(page.locator(".board-drawing .speed").first).to_be_visible()


def test_the_form_follows_the_chosen_figure_and_says_beside_a_field_what_is_wrong(live_server, page):
    go(page, live_server, "board-example", "boomerang-and-spider-man")
    page.locator("#figures > summary").click()
    page.get_by_role("radio", name="Spider-Man").first.check()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Spider-Man")
    before = page.locator("#document").input_value()
    page.get_by_text("State during a match").click()
    holding = page.get_by_label("Held object", exact=True)
    holding.fill("sofa")
    page.get_by_role("button", name="Apply to chosen figure").click()
    expect(page.locator("#fault-holding")).to_contain_text("No object on this map is called “sofa”.")
    assert holding.get_attribute("aria-invalid") == "true"
    assert page.locator("#document").input_value() == before
    holding.fill("")
    page.get_by_label("Range", exact=True).fill("3")
    page.get_by_role("button", name="Apply to chosen figure").click()
    expect(page.locator("[data-part=figures]")).to_contain_text("range 3")
    expect(page.locator("#fault-holding")).to_be_empty()
    page.get_by_role("radio", name="New figure: tap its square").check()
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    expect(page.get_by_label("Range", exact=True)).to_have_value("")


def test_two_editions_stand_side_by_side(live_server, page):
    go(page, live_server, "board-example", "four-in-a-square")
    page.locator("#other").select_option("ic-2002")
    expect(page.locator(".board-drawing")).to_have_count(2)
    expect(page.locator(VERDICT)).to_contain_text("The two editions differ on this line.")
    page.locator("#shade").select_option("see")
    expect(page.locator(".board-drawing .differs").first).to_be_visible()
    one, other = (page.locator(".board-figure").nth(place).bounding_box() for place in (0, 1))
    assert other["x"] > one["x"]
    no_violations(page)


def test_the_board_is_for_everyone(live_server, page):
    go(page, live_server, "board-example", "rooftop-pairs")
    no_violations_in_either_scheme(page)
    page.locator("#figures > summary").click()
    page.locator("#drawing > summary").click()
    page.locator("#signs > summary").click()
    no_violations_in_either_scheme(page)


def test_nothing_is_lost_when_the_site_is_not_reached_or_the_page_loaded_again(live_server, page):
    go(page, live_server, "board-new", query="?width=8&height=6")
    page.get_by_role("button", name="Draw", exact=True).click()
    tap(page, "C3")
    expect(page.locator(".board-drawing .rim-hindering")).to_have_count(1)
    page.route("**/board/change/", lambda route: route.abort())
    tap(page, "E3")
    expect(page.locator("[data-part=said]")).to_contain_text("The site didn't answer.")
    assert '"C3"' in page.locator("#document").input_value()
    page.unroute("**/board/change/")
    tap(page, "E3")
    expect(page.locator("[data-part=said]")).not_to_contain_text("didn't answer")
    assert '"E3"' in page.locator("#document").input_value()
    page.reload()
    expect(page.locator(".board-drawing .rim-hindering")).to_have_count(1)
    assert '"E3"' in page.locator("#document").input_value()
