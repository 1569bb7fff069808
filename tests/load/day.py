"""A whole event with 200 players on their phones: five rounds paired, published, reported by both, completed.

Run as a program: `python -m tests.load.day [--postgresql] [--players N] [--rounds N]`. Players arrive through the links
on their slips, keep a stream open, and report the scripted results. In the end every result is compared with the
script, and the server's memory with that after the first round. Exits with 1 if a result is lost or memory grew by more
than a tenth.
"""

import argparse
import asyncio
import contextlib
import html
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aiohttp

from tests.load.crowd import p95
from tests.load.hall import ROOT, family, memory, server
from tests.postgresql.server import postgresql

MAX_GROWN = 0.10
PASSWORD = "three-action-tokens"


def prepare(players: int, rounds: int) -> dict:
    """Create an open event with its players checked in; return the links of their slips and the judge."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from events.models import Official
    from events.services.people import entry_link
    from tests.events import simulation
    from tests.factories import EventFactory, OfficialFactory

    event = EventFactory(name="A whole day", seats=players, number_of_rounds=rounds)
    judge = OfficialFactory(event=event, role=Official.Role.HEAD_JUDGE).person
    judge.set_password(PASSWORD)
    judge.save()
    links = {entry.number: entry_link(entry) for entry in simulation.players(event, players)}
    return {"event": event.public_id, "email": judge.email, "links": links}


def compare(told: dict) -> dict:
    """Return how many matches have the reported result, and how many haven't."""
    from events.models import Match

    right = wrong = 0
    for match in Match.objects.filter(kind=Match.Kind.GAME).select_related("round"):
        wanted = told["reported"].get(f"{match.round.number}-{match.table}")
        found = match.result and [match.result.score("a"), match.result.score("b")]
        right, wrong = (right + 1, wrong) if found == wanted and match.state == "confirmed" else (right, wrong + 1)
    return {"right": right, "wrong": wrong}


class Day:
    """The players and the judge of one event."""

    def __init__(self, url: str, told: dict, rounds: int) -> None:
        self.url, self.told, self.rounds = url, told, rounds
        self.base = f"{url}/events/{told['event']}"
        self.reported: dict[str, list[int]] = {}
        self.claimed: list[float] = []
        self.faults: list[str] = []
        self.words = 0
        self.dice = random.Random(5)

    def phone(self) -> aiohttp.ClientSession:
        kept = aiohttp.CookieJar(unsafe=True)
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            cookie_jar=kept,
            timeout=aiohttp.ClientTimeout(total=None, connect=30),
        )

    async def page(self, phone, address: str) -> str:
        async with phone.get(address) as answer:
            text = await answer.text()
            if answer.status != 200:
                self.faults.append(f"{answer.status} {address}")
            return text

    async def post(self, phone, address: str, page: str, **fields) -> str:
        if "csrfmiddlewaretoken" not in page:
            told = "; ".join(self.faults[:3]) or page[:400]
            raise SystemExit(f"no form on the page before {address}: {told}")
        token = page.split('name="csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]
        async with phone.post(
            address, data={"csrfmiddlewaretoken": token, **fields}, headers={"Referer": address}
        ) as answer:
            text = await answer.text()
            if answer.status != 200:
                self.faults.append(f"{answer.status} {address}: {html.unescape(text)[-200:]}")
            return text

    async def listen(self, phone) -> None:
        """Keep a stream open, as the page does."""
        with contextlib.suppress(aiohttp.ClientError, OSError):
            async with phone.get(f"{self.url}/live?event={self.told['event']}") as stream:
                async for line in stream.content:
                    self.words += line.startswith(b"data: ")

    async def report(self, number: int, phone, round_number: int) -> None:
        """Find the player's table on their own page, and report the scripted result."""
        await asyncio.sleep(self.dice.random() * 4)
        page = await self.page(phone, f"{self.base}/entries/{number}/")
        mark = f"/events/{self.told['event']}/rounds/{round_number}/tables/"
        if mark not in page:
            return  # a bye
        table = int(page.split(mark, 1)[1].split("/", 1)[0])
        key = f"{round_number}-{table}"
        score = self.reported.setdefault(key, [100 + 7 * table % 90, 5 + table % 60])
        address = f"{self.base}/rounds/{round_number}/tables/{table}/"
        page = await self.page(phone, address)
        began = time.perf_counter()
        await self.post(phone, f"{address}claim/", page, score_a=score[0], score_b=score[1])
        self.claimed.append(time.perf_counter() - began)

    async def run(self, after_round) -> None:
        """Play the whole event."""
        async with contextlib.AsyncExitStack() as stack:
            judge = await stack.enter_async_context(self.phone())
            login = f"{self.url}/accounts/login/"
            await self.post(judge, login, await self.page(judge, login), login=self.told["email"], password=PASSWORD)
            phones = {int(number): await stack.enter_async_context(self.phone()) for number in self.told["links"]}
            for number, link in self.told["links"].items():
                await self.page(phones[int(number)], f"{self.url}{link}")
            streams = [asyncio.ensure_future(self.listen(phone)) for phone in phones.values()]
            for number in range(1, self.rounds + 1):
                await self.post(judge, f"{self.base}/rounds/pair/", await self.page(judge, f"{self.base}/console/"))
                one = f"{self.base}/rounds/{number}"
                await self.post(judge, f"{one}/publish/", await self.page(judge, f"{one}/draft/"))
                await asyncio.gather(*(self.report(player, phone, number) for player, phone in phones.items()))
                await self.post(judge, f"{one}/complete/", await self.page(judge, f"{self.base}/console/"))
                after_round(number)
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)


def main() -> int:
    """Play the day, compare, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--port", type=int, default=8310)
    parser.add_argument("--inside", choices=["prepare", "compare"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if asked.inside:
        import django

        django.setup()
        made = prepare(asked.players, asked.rounds) if asked.inside == "prepare" else compare(json.load(sys.stdin))
        sys.stdout.write(json.dumps(made) + "\n")
        return 0
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headjudge-day-")))
        environment = os.environ | {"DATA_DIR": str(folder / "kept"), "ALLOWED_HOSTS": "127.0.0.1"}
        environment.pop("DATABASE_URL", None)
        if asked.postgresql:
            programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
            environment["DATABASE_URL"] = stack.enter_context(postgresql(programs))
        run = {"cwd": ROOT, "env": environment, "check": True, "stdout": subprocess.PIPE, "text": True}
        inside = [sys.executable, "-m", "tests.load.day", "--players", str(asked.players), "--inside"]
        told = json.loads(subprocess.run([*inside, "prepare"], **run).stdout.splitlines()[-1])
        workers = 2 if asked.postgresql else 1
        running = stack.enter_context(server(environment, asked.port, workers, folder / "server.log"))
        held: list[float] = []
        day = Day(f"http://127.0.0.1:{asked.port}", told, asked.rounds)
        began = time.monotonic()
        asyncio.run(day.run(lambda _number: held.append(sum(map(memory, family(running.pid))))))
        took = time.monotonic() - began
        found = json.loads(
            subprocess.run(
                [*inside, "compare"], **run, input=json.dumps({"reported": day.reported})
            ).stdout.splitlines()[-1]
        )
    grown = held[-1] / held[0] - 1
    lines = [
        f"{'PostgreSQL, two workers' if asked.postgresql else 'SQLite, one process'}: {asked.players} players, "
        f"{asked.rounds} rounds in {took:.0f} s",
        f"  results as reported        {found['right']} of {found['right'] + found['wrong']}",
        f"  faults                     {len(day.faults)} {day.faults[:2] if day.faults else ''}",
        f"  a report, 95th percentile  {p95(day.claimed):.0f} ms",
        f"  words heard                {day.words}",
        f"  memory after each round    {', '.join(f'{one:.0f}' for one in held)} MB ({grown:+.1%}; aim {MAX_GROWN:.0%})",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if found["wrong"] or not found["right"] or day.faults or grown > MAX_GROWN else 0


if __name__ == "__main__":
    sys.exit(main())
