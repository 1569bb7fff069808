"""A dispute on a slow phone: Chromium at a quarter of this machine's pace. Goals: a tap in 300 ms, the page in 1.5 s, 60 kB.

The time of a tap is from the touch to the changed page, painted. On a busy machine the wall clock measures its other
work, too, so `page` (script, style and layout of the page's own thread) and `server` (processor time) are printed
beside it. Skipped without Chromium.
"""

from __future__ import annotations

import statistics
import sys
import time

import pytest
from playwright.sync_api import sync_playwright

from events import stream
from rules import engine
from rules.dispute.unfinished import asked_anew
from rules.services.disputes import begin_dispute
from tests.browser.conftest import ARGUMENTS
from tests.browser.test_dispute import SHOT, position
from tests.browser.test_live import Server
from tests.requirements import chromium

SLOWED = 4
TAPS, LOADS = 9, 5
WORK = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
CHANGES = """
async (act) => {
  const began = performance.now();
  new Function(act)();
  const main = document.getElementById("main");
  await new Promise((done) => new MutationObserver(() => {
    if (!main.hasAttribute("aria-busy") && !document.querySelector("#next[data-before]")) done();
  }).observe(main, { attributes: true }));
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
  return performance.now() - began;
}
"""


class Phone:
    """A page of a slowed Chromium, and what its work costs."""

    def __init__(self, browser, site):
        self.context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        self.page, self.site = self.context.new_page(), site
        self.tools = self.context.new_cdp_session(self.page)
        for domain in ("Performance", "Network"):
            self.tools.send(f"{domain}.enable")
        self.tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        self.sizes = []
        self.tools.on("Network.loadingFinished", lambda done: self.sizes.append(done["encodedDataLength"]))

    def worked(self):
        """Return the milliseconds of work of the page's thread so far, and of this process."""
        found = {one["name"]: one["value"] for one in self.tools.send("Performance.getMetrics")["metrics"]}
        return 1000 * sum(found[name] for name in WORK), 1000 * time.process_time()

    def since(self, before):
        """Return the milliseconds of work since then: of the page's thread, of this process."""
        return tuple(now - was for now, was in zip(self.worked(), before, strict=True))

    def costs(self, script):
        """Tap by a script, wait for the changed page, and return milliseconds: by the wall clock, of page and server."""
        self.page.evaluate("document.querySelector('#next').dataset.before = 'yes'")
        before = self.worked()
        return self.page.evaluate(CHANGES, script), *self.since(before)


@pytest.fixture
def phone(monkeypatch, transactional_db):
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    hub = stream.Hub()
    monkeypatch.setattr(stream, "HUB", hub)
    monkeypatch.setattr("config.front.HUB", hub)
    site = Server()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        site.begin()
        yield lambda: Phone(browser, site)
        browser.close()
    site.end()
    hub.stop()


def show(what, costs):
    """Write the medians of wall clock, page and server."""
    wall, page, server = (round(statistics.median(column)) for column in zip(*costs, strict=True))
    sys.stdout.write(f"\n{what}: {wall} ms; page {page} ms, server {server} ms (medians of {len(costs)})\n")


SECOND_DIE = "document.querySelectorAll('fieldset.die-row')[1].querySelector('[value=\"4\"]').click()"
UNDO = "document.querySelector('button[value=back]').click()"
CHIP = "document.querySelector('button[value=\"chip:wall\"]').click()"


def test_a_tap_changes_the_page(benchmark, phone, capsys):
    """The second die of an attack, and its undo; a chip."""
    row = begin_dispute(document=position({key: part for key, part in SHOT.items() if key != "rolls"}))
    one = phone()
    one.page.goto(one.site.url + row.judging_address())
    dice, undone = [], []

    def first_die():
        if dice:
            undone.append(one.costs(UNDO))
        one.page.locator("fieldset.die-row").nth(0).get_by_text("5", exact=True).tap()

    benchmark.pedantic(lambda: dice.append(one.costs(SECOND_DIE)), setup=first_die, rounds=TAPS)
    row = begin_dispute(document=position())
    one.page.goto(one.site.url + row.judging_address())
    chips = [one.costs(CHIP) for _tap in range(TAPS)]
    with capsys.disabled():
        show("the second die", dice)
        show("undo", undone)
        show("a chip", chips)


def test_a_first_visit(benchmark, phone, capsys):
    """The whole page with its style and scripts, nothing kept from before."""
    row = begin_dispute(document=position(SHOT))
    visits, sizes = [], []

    def visit():
        one = phone()
        before = one.worked()
        one.page.goto(one.site.url + row.judging_address(), wait_until="load")
        wall = one.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart")
        visits.append((wall, *one.since(before)))
        sizes.append(sum(one.sizes))
        one.context.close()

    benchmark.pedantic(visit, rounds=LOADS)
    with capsys.disabled():
        show("a first visit", visits)
        sys.stdout.write(f"{statistics.median(sizes) / 1000:.1f} kB compressed\n")


def crowd(edition):
    """Return a dispute of sixty figures in which the first has run past opponents with Hypersonic Speed."""

    def figure(side, number, square, *powers):
        click = {"speed": 10, "attack": 10, "defense": 16, "damage": 3, "powers": list(powers)}
        return {"id": f"{side}{number}", "name": f"{side} {number}", "square": square, "range": 8, "dial": [click] * 8}

    def square(number, column, first):
        return f"{chr(ord('A') + column * (number % 8))}{first + 2 * (number // 8)}"

    mine = [figure("a", number, square(number, 2, 1), *["Hypersonic Speed"][: number == 0]) for number in range(30)]
    theirs = [figure("b", number, square(number, 3, 10)) for number in range(30)]
    sides = [{"player": side, "characters": figures} for side, figures in (("A", mine), ("B", theirs))]
    document = {"edition": edition, "map": {"width": 24, "height": 24}, "sides": sides}
    using = ["Hypersonic Speed"]
    ends = engine.reachable(document, "a0", using=using)
    path = engine.way_to(document, "a0", max(ends, key=lambda name: (int(name[1:]), name)), using=using)
    kind = "move" if edition.endswith("2002") else "power"
    return {**document, "actions": [{"action": kind, "actor": "a0", "using": using, "path": path}]}


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("edition", ["car-2002", "core-2014", "core-modern"])
def test_whom_hypersonic_speed_may_attack_among_sixty_figures(benchmark, edition):
    """The question after the move, where opponents stand all along the way; goal: 250 ms of processor time."""
    document = crowd(edition)
    replay = benchmark(asked_anew, document)
    assert replay.awaited is not None
    assert replay.awaited.name == "then"
