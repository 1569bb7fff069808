"""A hall that reports: players open their page, report, and read what was recorded, all within a few seconds.

Run as a program: `python -m tests.load.day [--postgresql] [--players N] [--rounds N] [--within SECONDS]`. Players arrive
through the links on their slips, keep a stream open, and report the scripted results; both players of a match do. One in
ten also opens the page of their table. A judge searches the catalogue, changes a force and reads a dispute before the
hall reports and while it does. In the end every result is compared with the script, and the server's memory with that
after the first round.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import html
import json
import random
import re
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urljoin

import aiohttp

from tests.load.figures import Figure, p95, printed, shown, timed
from tests.load.server import PASSWORD, Installation, installation

MAX_GROWN = 0.05
CALM = 4.0
"""How many seconds the judge asks the rules before the hall reports."""
PAUSE = 0.1
LOOKED_UP = {
    "a search in the catalogue": "/rules/catalogue/?q=lamp&edition=core-2014",
    "a step of a dispute": "/rules/disputes/ready/{dispute}/step/2/",
}
BUILDER = "a change in the force builder"


@dataclass(frozen=True)
class Hall:
    """How many players report within how many seconds, in how many rounds; how long each page may take."""

    players: int
    within: float
    rounds: int
    page_ms: float
    report_ms: float

    @property
    def name(self) -> str:
        """Return what the tables say."""
        return f"{self.players} players within {self.within:.0f} s, {self.rounds} rounds"


DAY = Hall(200, 4, 5, 1500, 500)
RUSH = Hall(500, 10, 2, 4000, 4000)


def prepare(players: int, rounds: int) -> dict:
    """Create an open event with its players checked in; return the links of their slips and the judge."""
    from django.core.management import call_command
    from django.db import transaction

    call_command("migrate", verbosity=0)
    from events.models import Official
    from events.services.people import entry_link
    from rules.dispute.replay import replay_of
    from rules.models import Element
    from rules.services.catalogue import catalogue_elements, record_set
    from rules.shelf import ready_disputes
    from tests.bench.bench_catalogue import many_figures
    from tests.events import simulation
    from tests.factories import EventFactory, OfficialFactory

    record_set(code="many", name="Many Figures")
    with transaction.atomic():
        catalogue_elements(elements=many_figures())
    event = EventFactory(name="A whole day", seats=players, number_of_rounds=rounds)
    judge = OfficialFactory(event=event, role=Official.Role.HEAD_JUDGE).person
    judge.set_password(PASSWORD)
    judge.save()
    links = {entry.number: entry_link(entry) for entry in simulation.players(event, players)}
    dispute = max(ready_disputes().values(), key=lambda one: replay_of(one.position).last)
    codes = [element.code for element in Element.objects.filter(set__code="many")[:10]]
    return {"event": event.public_id, "email": judge.email, "links": links, "dispute": dispute.slug, "codes": codes}


def compare(reported: dict[str, list[int]]) -> dict[str, int]:
    """Return how many matches have the reported result, and how many haven't."""
    from events.models import Match

    right = wrong = 0
    for match in Match.objects.filter(kind=Match.Kind.GAME).select_related("round"):
        wanted = reported.get(f"{match.round.number}-{match.table}")
        found = match.result and [match.result.score("a"), match.result.score("b")]
        right, wrong = (right + 1, wrong) if found == wanted and match.state == "confirmed" else (right, wrong + 1)
    return {"right": right, "wrong": wrong}


@dataclass
class Seen:
    """What the players and the judge saw: seconds by kind of request, faults, and the results they reported."""

    took: dict[str, list[float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    reported: dict[str, list[int]] = field(default_factory=dict)


class Phone:
    """One person's browser."""

    def __init__(self, url: str, seen: Seen) -> None:
        self.url, self.seen = url, seen
        self.http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=aiohttp.CookieJar(unsafe=True),  # from an address without a host name, too
            timeout=aiohttp.ClientTimeout(total=None, connect=30),
        )

    async def ask(self, what: str, path: str, form: dict | None = None, **headers: str) -> str:
        """Return the text of a page, or the address to which a form leads; note how long it took as `what`."""
        began, address = time.perf_counter(), urljoin(self.url, path)
        headers = {"Referer": address, "Accept-Encoding": "br, gzip", "Accept-Language": "en"} | headers
        method = "GET" if form is None else "POST"
        async with self.http.request(method, address, data=form, headers=headers, allow_redirects=False) as answer:
            text = await answer.text()
        self.seen.took.setdefault(what, []).append(time.perf_counter() - began)
        if answer.status in (301, 302, 303) and (form is not None or not what):  # what is measured is a page
            return answer.headers["Location"]
        if answer.status != 200 or (form is not None and not headers.get("HX-Request")):
            said = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.DOTALL)
            self.seen.faults.append(
                f"{answer.status} {method} {path}: {html.unescape(said[1]) if said else text[:200]}"
            )
        return text

    async def send(self, what: str, path: str, page: str, **fields: object) -> str:
        """Send a form of a page, and return the address of the next one."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        if token is None:
            raise SystemExit(f"no form on the page before {path}: {'; '.join(self.seen.faults[:3]) or page[:400]}")
        return await self.ask(what, path, {"csrfmiddlewaretoken": token[1], **fields})

    async def follow(self, event: str) -> None:
        """Keep a stream open, as the page does."""
        with contextlib.suppress(aiohttp.ClientError, OSError):
            async with self.http.get(f"{self.url}/live?event={event}") as stream:
                async for _line in stream.content:
                    pass


class Day:
    """The players and the judges of one event."""

    def __init__(self, url: str, told: dict, hall: Hall) -> None:
        self.url, self.told, self.hall = url, told, hall
        self.base = f"/events/{told['event']}"
        self.seen = Seen()
        self.dice = random.Random(5)

    async def report(self, number: int, phone: Phone, round_number: int) -> None:
        """Find the form on the player's own page, report the scripted result, and read what was recorded."""
        await asyncio.sleep(self.dice.random() * self.hall.within)
        own = await phone.ask("own page", f"{self.base}/entries/{number}/")
        found = re.search(rf"{self.base}/rounds/{round_number}/tables/(\d+)/", own)
        if found is None:
            return  # a bye
        key = f"{round_number}-{found[1]}"
        score = self.seen.reported.setdefault(key, [100 + 7 * int(found[1]) % 90, 5 + int(found[1]) % 60])
        form = own if f"{found[0]}claim/" in own else await phone.ask("table page", found[0])
        after = await phone.send("report", f"{found[0]}claim/", form, score_a=score[0], score_b=score[1])
        await phone.ask("receipt", after)
        if number % 10 == 0:
            await phone.ask("table page", found[0])

    async def look_up(self, judge: Phone, when: str, seconds: float | None = None) -> None:
        """Ask the rules one question after another, for so long or until cancelled."""
        token = next(one.value for one in judge.http.cookie_jar if one.key == "csrftoken")
        until = time.monotonic() + (seconds or 1e9)
        while time.monotonic() < until:
            for what, path in LOOKED_UP.items():
                await judge.ask(f"{what} {when}", path.format(dispute=self.told["dispute"]))
                await asyncio.sleep(PAUSE)
            fields = {"csrfmiddlewaretoken": token, "act": "describe", "name": f"Force {time.monotonic()}"}
            await judge.ask(f"{BUILDER} {when}", "/forces/check/", fields, **{"HX-Request": "true"})
            await asyncio.sleep(PAUSE)

    async def run(self, after_round: Callable[[], None]) -> None:
        """Play the whole event."""
        async with contextlib.AsyncExitStack() as stack:

            def arrive() -> Phone:
                phone = Phone(self.url, self.seen)
                stack.push_async_callback(phone.http.close)
                return phone

            judge, other = arrive(), arrive()
            for one in (judge, other):
                page = await one.ask("", "/accounts/login/")
                await one.send("", "/accounts/login/", page, login=self.told["email"], password=PASSWORD)
            for code in self.told["codes"]:
                await other.send("", "/forces/check/", await other.ask("", "/forces/check/"), act="add", code=code)
            phones = {int(number): arrive() for number in self.told["links"]}
            for number, link in self.told["links"].items():
                await phones[int(number)].ask("", link)
            streams = [asyncio.ensure_future(phone.follow(self.told["event"])) for phone in phones.values()]
            for number in range(1, self.hall.rounds + 1):
                await self.play(number, judge, other, phones)
                after_round()
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)

    async def play(self, number: int, judge: Phone, other: Phone, phones: dict[int, Phone]) -> None:
        """Pair and publish a round; let everyone report; complete it."""
        one = f"{self.base}/rounds/{number}"
        await judge.send("", f"{self.base}/rounds/pair/", await judge.ask("", f"{self.base}/console/"))
        await judge.send("", f"{one}/publish/", await judge.ask("", f"{one}/draft/"))
        await self.look_up(other, "alone", CALM)
        looking = asyncio.ensure_future(self.look_up(other, "meanwhile"))
        await asyncio.gather(*(self.report(player, phone, number) for player, phone in phones.items()))
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        await judge.send("", f"{one}/complete/", await judge.ask("", f"{self.base}/console/"))


def measure(place: Installation, hall: Hall) -> list[Figure]:
    """Play one event on a new installation, and return its figures."""
    told = place.run("tests.load.day", "--inside", "prepare", "--players", hall.players, "--rounds", hall.rounds)
    held: list[float] = []
    with place.served():
        day = Day(place.url, told, hall)
        before, crowd_before = place.seconds_used(), resource.getrusage(resource.RUSAGE_SELF)
        asyncio.run(day.run(lambda: held.append(place.memory())))
        used, crowd = place.seconds_used() - before, resource.getrusage(resource.RUSAGE_SELF)
        found = place.run("tests.load.day", "--inside", "compare", given=day.seen.reported)
    took, seen = day.seen.took, day.seen
    generator = sum(crowd[:2]) - sum(crowd_before[:2])
    lost = found["wrong"] or not found["right"] or len(seen.faults)
    if seen.faults:
        sys.stderr.write("\n".join(seen.faults[:3]) + "\n")
    rows = [
        timed(f"{hall.name}: the player's page with the form", took.get("own page", []), hall.page_ms),
        timed("the report", took.get("report", []), hall.report_ms),
        timed("the receipt", took.get("receipt", []), hall.page_ms),
        timed("the page of the table", took.get("table page", []), hall.page_ms),
        Figure(
            "results as reported · faults",
            f"{found['right']} of {found['right'] + found['wrong']} · {len(seen.faults)}",
            "lost" if lost else "",
        ),
    ]
    for what in (*LOOKED_UP, BUILDER):
        alone, meanwhile = (took.get(f"{what} {when}", []) for when in ("alone", "meanwhile"))
        rows.append(
            Figure(f"{what}, 95th percentile: alone · meanwhile", f"{shown(p95(alone))} · {shown(p95(meanwhile))}")
        )
    rows.append(
        Figure(
            "processor seconds of the server · of the load generator (on the same cores)",
            f"{used:.0f} · {generator:.0f}",
        )
    )
    if hall.rounds > 2:
        grown = held[-1] / held[0] - 1
        numbers = f"{held[0]:.0f} · {held[-1]:.0f} MB ({grown:+.1%})"
        rows.append(
            Figure(
                "memory after the first · last round",
                numbers,
                "" if grown < MAX_GROWN else f"not below {MAX_GROWN:.0%}",
            )
        )
    return rows


def main() -> int:
    """Play the day, compare, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--players", type=int, default=DAY.players)
    parser.add_argument("--rounds", type=int, default=DAY.rounds)
    parser.add_argument("--within", type=float, default=DAY.within)
    parser.add_argument("--port", type=int, default=8310)
    parser.add_argument("--inside", choices=["prepare", "compare"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.inside:
        import django

        django.setup()
        made = prepare(asked.players, asked.rounds) if asked.inside == "prepare" else compare(json.load(sys.stdin))
        sys.stdout.write(json.dumps(made) + "\n")
        return 0
    hall = Hall(asked.players, asked.within, asked.rounds, DAY.page_ms, DAY.report_ms)
    with installation(on_postgresql=asked.postgresql, port=asked.port) as place:
        column = measure(place, hall)
    return printed("reporting", column, on_postgresql=asked.postgresql)


if __name__ == "__main__":
    sys.exit(main())
