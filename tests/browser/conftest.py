"""The real site in the system's Chromium: each test gets a page and can sign in as anyone."""

import os
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, ConsoleMessage, expect

from events.models import Person
from tests.conftest import session_of
from tests.requirements import chromium

FEATURES_OFF = [
    # those that Playwright switches off: a second list replaces its own
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    # what each window prepares for its address bar and the next page: half a second of processor time
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
    "RenderDocument",  # a new frame for each page of the same site
]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES_OFF)}",
]
TESTS_HERE = os.path.dirname(__file__)
SCRIPT_ERRORS: list[str] = []
"""What pages of the running test have reported."""
PATIENCE = 120_000
"""Milliseconds that every expectation waits: a page that loaded slowly is reloaded only after a while."""


def pytest_collection_modifyitems(items):
    """Mark every test in this folder."""
    for item in items:
        if str(item.path).startswith(TESTS_HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session", autouse=True)
def _patience():
    """Give expectations as long as a busy machine needs; on a fast machine they end sooner."""
    expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session", autouse=True)
def _rows_beside_a_browser():
    """Allow database access while Playwright's loop runs in the same thread."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    yield
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
    else:
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Launch the system's Chromium, or skip with the reason."""
    return browser_type_launch_args | {"executable_path": chromium(), "args": ARGUMENTS}


@pytest.fixture(scope="session")
def browser(browser):
    """Keep the uncaught exceptions and console errors of every page."""
    browser.on("context", watch)
    return browser


def watch(context: BrowserContext) -> None:
    """Listen to the errors of a context's pages."""
    context.on("weberror", lambda fault: SCRIPT_ERRORS.append(str(fault.error)))
    context.on("console", lambda line: SCRIPT_ERRORS.append(line.text) if is_fault(line) else None)


def is_fault(line: ConsoleMessage) -> bool:
    """Return whether a console message is an error of the page's own, not a request that failed or was left behind."""
    expected = ("Failed to load resource", "Response Status Error Code", "htmx:sendAbort")
    return line.type == "error" and not line.text.startswith(expected)


@pytest.fixture(autouse=True)
def _no_script_errors():
    """Fail every test in which a page had a script error."""
    SCRIPT_ERRORS.clear()
    yield
    assert not SCRIPT_ERRORS


@pytest.fixture
def sign_in(live_server) -> Callable[..., None]:
    """Return `sign_in(context, person)`, which signs the context's pages in."""

    def sign(context, person: Person) -> None:
        context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session_of(person), "url": live_server.url}]
        )

    return sign
