"""Spectators who open the pairings and keep a live connection, and the judge who enters results meanwhile.

Run as a program with one JSON argument; prints one JSON report. It is a separate process, whose CPU time is reported.
"""

import asyncio
import json
import random
import resource
import sys
import time
from urllib.parse import urljoin

import aiohttp

from tests.load.figures import p95

JITTER = 0.5


class Crowd:
    """The crowd's instructions and observations."""

    def __init__(self, told: dict) -> None:
        self.told = told
        self.page = f"{told['url']}/events/{told['event']}/rounds/{told['round']}/"
        self.stream = f"{told['url']}/live?event={told['event']}"
        self.first: list[float] = []
        self.again: list[float] = []
        self.entered: list[float] = []
        self.acted: list[float] = []
        self.heard: dict[int, list[float]] = {}
        self.faults: list[str] = []
        self.bytes = 0
        self.open = 0

    def session(self) -> aiohttp.ClientSession:
        """Return one phone's connections."""
        connector = aiohttp.TCPConnector(limit=0, limit_per_host=0)
        kept = aiohttp.CookieJar(unsafe=True)  # accept cookies from addresses without a host name too
        return aiohttp.ClientSession(
            connector=connector, cookie_jar=kept, timeout=aiohttp.ClientTimeout(total=None, connect=30)
        )

    async def read(self, phone: aiohttp.ClientSession, known: dict, into: list[float], word: int = 0) -> None:
        """Open the page as a browser does, with its ETag if it has one."""
        headers = {"Accept-Encoding": "br, gzip", "Accept-Language": "en"}
        if known.get("etag"):
            headers["If-None-Match"] = known["etag"]
        if word:
            headers["X-Live"] = str(word)
        began = time.perf_counter()
        async with phone.get(self.page, headers=headers) as answer:
            self.bytes += len(await answer.read())
            if answer.status not in (200, 304):
                self.faults.append(f"page {answer.status}")
            known["etag"] = answer.headers.get("ETag")
        into.append(time.perf_counter() - began)

    async def spectator(self, wait: float) -> None:
        """Arrive within ten seconds, read the pairings, and follow updates until the end."""
        await asyncio.sleep(wait)
        known: dict = {}
        async with self.session() as phone:
            try:
                await self.read(phone, known, self.first)
                async with phone.get(self.stream) as stream:
                    if stream.status != 200:
                        self.faults.append(f"stream {stream.status}")
                        return
                    self.open += 1
                    await self.follow(phone, stream, known)
            except (aiohttp.ClientError, TimeoutError, OSError) as fault:
                self.faults.append(f"{type(fault).__name__}: {fault}")

    async def follow(self, phone, stream, known: dict) -> None:
        """Wait for each update and reload the page, at a slightly different moment than the others."""
        counter, reading = None, None
        async for line in stream.content:
            if not line.startswith(b"data: "):
                continue
            now, word = time.perf_counter(), json.loads(line[6:])["counter"]
            if counter is not None and word != counter:
                self.heard.setdefault(word, []).append(now)
                if reading is None or reading.done():
                    reading = asyncio.ensure_future(self.later(phone, known, word))
            counter = word

    async def later(self, phone, known: dict, word: int) -> None:
        await asyncio.sleep(random.random() * JITTER)
        try:
            await self.read(phone, known, self.again, word)
        except (aiohttp.ClientError, TimeoutError, OSError) as fault:
            self.faults.append(f"{type(fault).__name__}: {fault}")

    async def token(self, phone, address: str) -> str:
        async with phone.get(address) as answer:
            text = await answer.text()
        return text.split('name="csrfmiddlewaretoken" value="', 1)[1].split('"', 1)[0]

    async def sign_in(self, phone) -> None:
        """Sign in as the judge, with the form."""
        address = f"{self.told['url']}/accounts/login/"
        token = await self.token(phone, address)
        form = {"login": self.told["email"], "password": self.told["password"], "csrfmiddlewaretoken": token}
        async with phone.post(address, data=form, headers={"Referer": address}) as answer:
            await answer.read()
            if answer.status != 200:
                raise SystemExit(f"The judge could not sign in: {answer.status}")

    async def publish(self, phone) -> tuple[float, float]:
        """Publish the round; return the seconds until it is published, and until the next page is loaded, too."""
        token = await self.token(phone, f"{self.page}draft/")
        form = {"csrfmiddlewaretoken": token, "version": self.told["version"]}
        began = time.perf_counter()
        told = {"data": form, "headers": {"Referer": self.page}, "allow_redirects": False}
        async with phone.post(f"{self.page}publish/", **told) as answer:
            published = time.perf_counter() - began
            if answer.status != 302:
                self.faults.append(f"publish {answer.status}")
                return published, published
            leads_to = urljoin(self.page, answer.headers["Location"])
        async with phone.get(leads_to) as answer:
            await answer.read()
            if answer.status != 200:
                self.faults.append(f"the page after publishing {answer.status}")
        return published, time.perf_counter() - began

    async def enter(self, phone, token: str, table: int) -> None:
        """Enter one result as the keyboard page does."""
        form = {"csrfmiddlewaretoken": token, "table": table, "score_a": 100 + table % 90, "score_b": 40, "version": ""}
        headers = {"Accept": "application/json", "Referer": self.page}
        began = time.perf_counter()
        async with phone.post(f"{self.page}results/", data=form, headers=headers) as answer:
            text = await answer.text()
            if answer.status != 200:
                self.faults.append(f"result {answer.status}: {text[:120]}")
        self.entered.append(time.perf_counter() - began)
        self.acted.append(began)

    async def run(self) -> dict:
        """Run everything, and return the report."""
        told = self.told
        async with self.session() as judge:
            await self.sign_in(judge)
            _answered, published = await self.publish(judge)
            token = await self.token(judge, f"{self.page}results/")
            hall = [
                asyncio.ensure_future(self.spectator(random.random() * told["within"]))
                for _n in range(told["spectators"])
            ]
            for table in told["tables"][: told["early"]]:
                await asyncio.sleep(told["within"] / told["early"])
                await self.enter(judge, token, table)
            until = time.perf_counter() + 30
            while self.open < told["spectators"] and time.perf_counter() < until and not self.faults:
                await asyncio.sleep(0.1)
            self.heard.clear()
            await asyncio.sleep(1)
            words = []
            for table in told["tables"][told["early"] : told["early"] + told["entries"]]:
                await self.enter(judge, token, table)
                await asyncio.sleep(told["every"])
                words.append(self.last_heard())
        for one in hall:
            one.cancel()
        await asyncio.gather(*hall, return_exceptions=True)
        used = resource.getrusage(resource.RUSAGE_SELF)
        return {
            "published_ms": published * 1000,
            "open": self.open,
            "faults": len(self.faults),
            "first_faults": self.faults[:3],
            "first_p95_ms": p95(self.first),
            "again_p95_ms": p95(self.again),
            "reads": len(self.first) + len(self.again),
            "entry_p95_ms": p95(self.entered),
            "entries": len(self.entered),
            "word_to_all_worst_ms": max((word["last"] for word in words), default=0) * 1000,
            "word_missed": sum(told["spectators"] - word["heard"] for word in words),
            "megabytes": self.bytes / 1e6,
            "crowd_cpu_s": used.ru_utime + used.ru_stime,
        }

    def last_heard(self) -> dict:
        """Return how many received the newest update, and how long after the action the last of them did."""
        newest = max(self.heard, default=None)
        times = self.heard.get(newest, [])
        return {"heard": len(times), "last": max(times, default=self.acted[-1] + 99) - self.acted[-1]}


if __name__ == "__main__":
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    print(json.dumps(asyncio.run(Crowd(json.loads(sys.argv[1])).run())))  # noqa: T201
