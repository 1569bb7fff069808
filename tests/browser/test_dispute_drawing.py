"""Terrain drawn on a dispute's board by dragging, with a mouse and with a finger, also when it is released elsewhere."""

import re

import pytest
from playwright.sync_api import expect

from rules.positions import cells_of
from rules.services.disputes import begin_dispute

from .test_board import MARGIN, UNIT
from .test_dispute import go, position

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NOTHING_SENT = 400


class Mouse:
    def __init__(self, page):
        self.page = page

    def begin(self, x, y):
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def move(self, x, y):
        self.page.mouse.move(x, y, steps=3)

    def end(self):
        self.page.mouse.up()


class Finger:
    """Touches by Chromium's own input, which also scrolls where the page lets it."""

    def __init__(self, page):
        self.tools = page.context.new_cdp_session(page)

    def _touch(self, kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        self.tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def begin(self, x, y):
        self._touch("touchStart", (x, y))

    def move(self, x, y):
        self._touch("touchMove", (x, y))

    def end(self):
        self._touch("touchEnd")

    def cancel(self):
        self._touch("touchCancel")


def place_of(page, square, along=0.5, down=0.5):
    """Return where a square's middle, or another point in it, is on the screen."""
    svg = page.locator(".board-drawing")
    scale = svg.evaluate("svg => svg.getScreenCTM().a")
    box = svg.bounding_box()
    column, row = ord(square[0]) - ord("A"), int(square[1:]) - 1
    return (
        box["x"] + (MARGIN + (column + along) * UNIT) * scale,
        box["y"] + (MARGIN + (row + down) * UNIT) * scale,
    )


def drag(page, hand, *points):
    was_at = page.evaluate("scrollY")
    hand.begin(*points[0])
    for point in points[1:]:
        hand.move(*point)
    assert page.evaluate("scrollY") == was_at, "dragging doesn't scroll"
    hand.end()
    expect(page.locator("#main:not([aria-busy]) .board-drawing")).to_be_visible()
    expect(page.locator(".board-drawing .stroke")).to_have_count(0)


@pytest.mark.parametrize("hand", [Mouse, Finger])
def test_terrain_is_drawn_by_dragging_and_the_stroke_ends_where_it_is_released(browser, live_server, hand):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, base_url=live_server.url, reduced_motion="reduce"
    )
    page = context.new_page()
    row = begin_dispute(document=position())
    go(page, live_server, row)
    page.get_by_role("link", name="Draw terrain…").click()
    expect(page.locator("#next h2")).to_have_text(re.compile("Tap or drag"))
    form = page.locator("#taps").bounding_box()
    assert form["y"] + form["height"] <= page.viewport_size["height"], "board and brushes are one screen"
    page.get_by_role("group", name="Terrain").get_by_role("link", name="blocking terrain").click()
    expect(page.locator("#board[data-brush='terrain:blocking']")).to_have_count(1)
    page.locator("#board").scroll_into_view_if_needed()
    thumb = hand(page)

    drag(page, thumb, place_of(page, "F4"), place_of(page, "F5"), place_of(page, "G5"))
    expect(page.locator(".board-drawing .rim-blocking")).to_have_count(1)
    assert set(terrain(row)) == {(5, 3), (5, 4), (6, 4)}

    outside = (5, place_of(page, "H1")[1] - 4 * UNIT)
    drag(page, thumb, place_of(page, "H4"), place_of(page, "H3"), outside)
    assert {(7, 3), (7, 2)} <= set(terrain(row))
    version = row.version
    if hand is Mouse:
        page.mouse.move(*place_of(page, "B7"))
        page.mouse.move(*place_of(page, "D7"), steps=4)
    expect(page.locator(".board-drawing .stroke")).to_have_count(0)

    page.get_by_role("link", name="On edges", exact=True).click()
    expect(page.locator("#board[data-brush='edge:walls']")).to_have_count(1)
    drag(page, thumb, place_of(page, "B6", 0.95), place_of(page, "B7", 0.95))
    row.refresh_from_db()
    assert row.version == version + 1
    assert row.document["map"]["walls"] == ["B6|C6", "B7|C7"]
    if hand is Finger:
        thumb.begin(*place_of(page, "E7"))
        thumb.move(*place_of(page, "F7"))
        thumb.cancel()
        expect(page.locator(".board-drawing .stroke")).to_have_count(0)
        page.wait_for_timeout(NOTHING_SENT)
        row.refresh_from_db()
        assert row.version == version + 1
    context.close()


def terrain(row):
    """Return the squares with blocking terrain, as saved."""
    row.refresh_from_db()
    areas = row.document["map"]["terrain"]
    return [cell for area in areas if area["type"] == "blocking" for cell in cells_of(area["squares"])]
