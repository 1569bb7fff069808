"""Five hundred people sign in, register and open their cards within five minutes while one guesses passwords.

Runs on a real server with the real hasher, all from one address. Someone keeps writing during all of it.
"""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from statistics import quantiles

import aiohttp
import pytest

from tests.load.server import server

ROOT = Path(__file__).parents[2]
SECONDS, SHARE = int(os.environ.get("SOAK_SECONDS", "300")), float(os.environ.get("SOAK_SHARE", "1"))
PEOPLE, GUESSES = round(SECONDS * 5 / 3 * SHARE), round(20 * SHARE)
"""The share of five hundred people and twenty guesses a second to use; less on a busy machine."""
PASSWORD = "a-quiet-hall-5"
PREPARE = f"""
import json, django; django.setup()
from django.contrib.auth.hashers import make_password
from django.core.management import call_command
call_command("migrate", verbosity=0)
from allauth.account.models import EmailAddress
from events.models import Entry, Person
from events.services.people import entry_link
from tests.factories import EventFactory
Person.objects.create_user("judge@example.org", "a-secret-of-the-judge")
event, kept = EventFactory(seats={PEOPLE}), make_password("{PASSWORD}")
people = Person.objects.bulk_create(Person(email=f"p{{n}}@example.org", name=f"P {{n}}", password=kept) for n in range({PEOPLE}))
entries = [Entry.objects.create(event=event, number=n + 1, name=f"Q {{n}}") for n in range({PEOPLE})]
print(json.dumps([entry_link(entry) for entry in entries]))
"""
TOKEN = "a" * 32


class Hall:
    """The people of a hall, one who guesses passwords, and one who writes."""

    def __init__(self, url: str, links: list[str]) -> None:
        self.url, self.links = url, links
        self.took: dict[str, list[float]] = {}
        self.faults: list[str] = []

    def phone(self) -> aiohttp.ClientSession:
        jar = aiohttp.CookieJar(unsafe=True)
        return aiohttp.ClientSession(cookie_jar=jar, timeout=aiohttp.ClientTimeout(total=120))

    async def ask(
        self, phone: aiohttp.ClientSession, kind: str, path: str, form: dict | None = None
    ) -> tuple[int, str]:
        began = time.perf_counter()
        method = "GET" if form is None else "POST"
        async with phone.request(method, self.url + path, data=form, allow_redirects=False) as answer:
            page = await answer.text()
        self.took.setdefault(kind, []).append(time.perf_counter() - began)
        return answer.status, page

    async def fill_in(self, phone: aiohttp.ClientSession, kind: str, path: str, form: dict) -> None:
        _status, page = await self.ask(phone, "page", path)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        status, page = await self.ask(phone, kind, path, form | {"csrfmiddlewaretoken": token[1] if token else ""})
        if status != 302:
            said = re.findall(r'(?:errorlist|role="alert")[^>]*>(.{0,200})', page)
            self.faults.append(f"{kind}: {status} {said}")

    async def person(self, n: int, wait: float) -> None:
        await asyncio.sleep(wait)
        async with self.phone() as phone:
            await self.fill_in(
                phone, "sign in", "/accounts/login/", {"login": f"p{n}@example.org", "password": PASSWORD}
            )
        async with self.phone() as phone:
            new = {"name": f"New {n}", "email": f"new{n}@example.org", "password1": PASSWORD, "password2": PASSWORD}
            await self.fill_in(phone, "sign up", "/accounts/signup/", new)
        async with self.phone() as phone:
            status, _page = await self.ask(phone, "card", self.links[n])
            if status != 302:
                self.faults.append(f"card: {status}")

    async def guess(self, n: int) -> None:
        """Guess the head judge's password, or that of an address which may have an account."""
        login = "judge@example.org" if n % 2 else f"nobody{n}@example.org"
        async with self.phone() as phone:
            phone.cookie_jar.update_cookies({"csrftoken": TOKEN})
            form = {"login": login, "password": f"guess {n}", "csrfmiddlewaretoken": TOKEN}
            status, _page = await self.ask(phone, "guess", "/accounts/login/", form)
            if status != 200:
                self.faults.append(f"guess: {status}")
            if n % 20 == 0:
                await self.ask(phone, "forged card", f"/e/forged.{n}~x/")

    async def guesser(self, began: float) -> None:
        at_work = []
        for n in range(GUESSES * SECONDS):
            await asyncio.sleep(max(0.0, began + n / GUESSES - time.perf_counter()))
            at_work.append(asyncio.ensure_future(self.guess(n)))
        await asyncio.gather(*at_work)

    async def writer(self, began: float) -> None:
        async with self.phone() as phone:
            form = {"login": f"p{PEOPLE - 1}@example.org", "password": PASSWORD}
            await self.fill_in(phone, "sign in", "/accounts/login/", form)
            while time.perf_counter() < began + SECONDS:
                await self.fill_in(phone, "write", "/me/account/", {"name": "The one who writes", "phone": ""})
                await asyncio.sleep(1)

    async def evening(self) -> None:
        began = time.perf_counter()
        people = [self.person(n, n * SECONDS / PEOPLE * 0.95) for n in range(PEOPLE)]
        await asyncio.gather(self.guesser(began), self.writer(began), *people)


@pytest.mark.soak
def test_a_hall_signs_in_registers_and_opens_its_cards_while_someone_guesses(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(os.environ.get("SOAK_PORT", free.getsockname()[1]))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO_ALLOW", "EMAIL"))}
    environment = kept | {
        "DATA_DIR": str(tmp_path), "DATABASE_URL": "",
        "EMAIL_URL": "dummymail://", "DJANGO_SETTINGS_MODULE": "config.settings",
    }  # fmt: skip
    made = subprocess.run(
        [sys.executable, "-c", PREPARE], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    with server(environment, port, 1, tmp_path / "log.txt"):
        hall = Hall(f"http://127.0.0.1:{port}", json.loads(made.stdout.splitlines()[-1]))
        asyncio.run(hall.evening())
    for kind, took in hall.took.items():
        steps = [1000 * step for step in quantiles(took, n=100)]
        print(f"{kind:12} {len(took):5}, median {steps[49]:.0f} ms, p95 {steps[94]:.0f}, worst {1000 * max(took):.0f}")  # noqa: T201
    assert not hall.faults, hall.faults[:20]
    assert len(hall.took["guess"]) == GUESSES * SECONDS
    assert [len(hall.took[kind]) for kind in ("sign up", "card")] == [PEOPLE, PEOPLE]
