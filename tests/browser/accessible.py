"""Accessibility problems of a page, found by axe."""

from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

VIOLATIONS = {"resultTypes": ["violations"]}
BY_COLOUR = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules whose outcome a colour scheme can change."""


def no_violations(page: Page, **options: object) -> None:
    """Fail if axe finds a violation on the page."""
    found = Axe().run(page, options=VIOLATIONS | options)
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


def no_violations_in_either_scheme(page: Page, **options: object) -> None:
    """Fail if axe finds a violation on the page in its light or in its dark colours."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    no_violations(page, **options)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    found = page.evaluate("options => axe.run(document, options)", VIOLATIONS | BY_COLOUR | options)["violations"]
    assert not found, f"{page.url} in dark colours\n{AxeResults({'violations': found}).generate_report()}"
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
