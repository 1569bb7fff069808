"""The action table: complete, and obeyed in every cell, by requests of every role in every state."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils.html import escape

from events.actions import ACTIONS, CANNOT_UNDO, Verdict, answer
from events.models import AuditEntry, Event, Role, Round
from events.roles import Actor
from events.services import undo
from tests.events.action_acts import ACTS, NOT_BY_A_REQUEST, WORLDS, Act, World, build
from tests.events.action_sample import cells_of, is_tried, one_each, sampled
from tests.trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
APPS = ("events", "judging", "rules", "config")


def _strings_given(name: str, function: ast.AST) -> set[str]:
    """Return every text that a function may have assigned to a variable."""
    return {
        part.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets)
        for part in ast.walk(node.value)
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value in ACTIONS
    }


def door_verbs() -> dict[str, str]:
    """Return every verb with which code opens the door, and where."""
    found: dict[str, str] = {}
    for path in (p for app in APPS for p in (ROOT / app).rglob("*.py")):
        if "door(" not in (text := path.read_text(encoding="utf-8")):
            continue
        tree = tree_of(text)
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                if not (isinstance(call.func, ast.Name) and call.func.id == "door") or not call.args:
                    continue
                verb = call.args[0]
                where = f"{path.relative_to(ROOT)}:{call.lineno}"
                if isinstance(verb, ast.Constant):
                    found[str(verb.value)] = where
                elif isinstance(verb, ast.Name):
                    found |= dict.fromkeys(_strings_given(verb.id, function), where)
    return found


def asked_somewhere() -> set[str]:
    """Return every row that a view, an API or a template asks for by name."""
    found = set()
    for app in (*APPS, "templates"):
        for path in (*(ROOT / app).rglob("*.py"), *(ROOT / app).rglob("*.html")):
            if path.name != "actions.py":
                found |= set(re.findall(r"""["']([a-z]+(?:-[a-z]+)*)["']""", path.read_text(encoding="utf-8"))) & set(
                    ACTIONS
                )
    return found


def test_every_verb_of_a_service_is_a_row_and_every_row_is_used():
    verbs = door_verbs()
    assert len(verbs) > 60
    unknown = {verb: where for verb, where in verbs.items() if verb not in ACTIONS}
    assert not unknown, f"These verbs open the door without a row in events/actions.py: {unknown}"
    unused = {verb for verb in ACTIONS if verb not in verbs and not verb.startswith("see-")} - asked_somewhere()
    assert not unused, f"No service opens the door with these rows: {sorted(unused)}"
    unasked = {verb for verb in ACTIONS if verb.startswith("see-")} - asked_somewhere()
    assert not unasked, f"No page asks for these rows: {sorted(unasked)}"


def test_every_row_is_tried():
    untried = set(ACTIONS) - set(ACTS) - set(NOT_BY_A_REQUEST)
    assert not untried, f"Say in tests/events/action_acts.py how these are tried: {sorted(untried)}"
    gone = set(ACTS) - set(ACTIONS)
    assert not gone, (
        f"Remove these from ACTS in tests/events/action_acts.py, events/actions.py has no row: {sorted(gone)}"
    )


def test_every_row_speaks():
    for verb, row in ACTIONS.items():
        assert str(row.label), f"Say in events/actions.py what {verb} is called"
        assert row.roles, f"Say in events/actions.py who may {verb}"
        for states, known in ((row.event, Event.State.values), (row.round, Round.State.values)):
            assert states is None or set(states) <= set(known), f"Correct the states of {verb} in events/actions.py"
    gone = sorted(set(CANNOT_UNDO) - set(ACTIONS))
    assert not gone, f"Remove these from CANNOT_UNDO in events/actions.py, they are no rows: {gone}"


# the cells


class Request:
    """One action by one role in one state, tried in a savepoint that is rolled back."""

    def __init__(self, world: World, verb: str, role: Role) -> None:
        self.world, self.verb, self.role = world, verb, role
        self.act: Act = ACTS[verb]

    def expected(self) -> tuple[Verdict, str]:
        actor = Actor(person=self.world.people[self.role])
        roles = actor.roles(event=self.world.event)
        round_ = self.world.round if ACTIONS[self.verb].round is not None else None
        given = answer(self.verb, roles, event=self.world.event, round=round_)
        if given and self.verb == "undo":
            given = undo.may_undo(self.world.kept["act"], roles, self.world.event)
        return given.verdict, str(given.reason)

    def send(self, **more: str):
        asked = self.act.ask(self.world, self.role)
        client = self.world.clients[self.role]
        if isinstance(asked, str):
            return client.get(asked)
        address, sent = asked
        return client.post(address, sent | more, HTTP_ACCEPT="application/json")

    def done(self, last: int, response) -> bool:
        if self.act.leaves is not None:
            return self.act.leaves._default_manager.count() > self.there
        if self.verb.startswith("see-") or self.verb == "export-event":
            return response.status_code == 200 and self.act.marker in response.content.decode()
        return AuditEntry.objects.filter(pk__gt=last, verb=self.verb).exists()

    def fault(self) -> str:
        """Return what is wrong with this cell, or ""."""
        if self.act.ready is not None:
            self.act.ready(self.world, self.role)
        verdict, why = self.expected()
        self.there = self.act.leaves._default_manager.count() if self.act.leaves is not None else 0
        newest = AuditEntry.objects.order_by("-pk").first()
        last = newest.pk if newest else 0
        response = self.send()
        if verdict is Verdict.REFUSED:
            return self._refused(response, last, why)
        if self.act.but is not None and self.act.but(self.world, self.role):
            return "" if not self.done(last, response) else "done, though something beyond the table forbids it"
        if verdict is Verdict.CONFIRM:
            if self.done(last, response):
                return "done without its consequences being shown"
            told = _told(response)
            if response.status_code != 409 or told.get("code") != "confirm":
                return f"not asked for confirmation but {response.status_code} {told}"
            if not told.get("consequences"):
                return "asked for confirmation without saying what will change"
        if response.status_code == 409:
            if not _told(response).get("consequences"):
                return "asked for a reason without saying what will change"
            response = self.send(confirmed="yes", reason="A good reason")
        outsider = self.role in (Role.HALL_JUDGE, Role.PLAYER, Role.SPECTATOR)
        if self.done(last, response) or (response.status_code == 404 and outsider and self._is_draft()):
            return ""
        return (
            f"not done: {response.status_code} {_told(response) or _faults(response.content.decode(errors='replace'))}"
        )

    def _is_draft(self) -> bool:
        return self.world.event.state == Event.State.DRAFT

    def _refused(self, response, last: int, why: str) -> str:
        if self.done(last, response):
            return "done, though the table refuses it"
        if response.status_code == 200 and self.act.marker:
            return ""
        if response.status_code == 404:
            hidden = self._is_draft() or self.world.state[1] == Round.State.DRAFT
            return "" if hidden or self.act.hidden else "404 where the page should say why not"
        if response.status_code not in (403, 409) and not self.act.own_words:
            return f"{response.status_code} where it should be refused"
        told = response.content.decode() if isinstance(self.act.ask(self.world, self.role), str) else _told(response)
        said = told if isinstance(told, str) else told.get("message", "")
        if self.act.own_words or why in said or escape(why) in said:
            return ""
        return f"refused in other words: {said[:300]!r} instead of {why!r}"


def _faults(page: str) -> str:
    """Return a page's form errors, or its heading."""
    found = re.findall(r'(?s)<label for="([a-z_-]+)">(?:(?!<label).)*?class="errorlist"[^>]*>(.*?)</ul>', page)
    told = [f"{name}: {re.sub('<[^>]+>', ' ', words).strip()}" for name, words in found]
    told += re.findall(r'(?s)class="errorlist[^>]*>(.*?)</ul>', page)
    told += re.findall(r"(?s)class=\"message error\"[^>]*>(.*?)</div>", page) + re.findall(r"(?s)<h1>(.*?)</h1>", page)
    return " | ".join(told)[:400]


def _told(response) -> dict:
    try:
        return json.loads(response.content).get("error", {})
    except ValueError:
        return {}


EACH = pytest.mark.parametrize(("state", "round_state"), WORLDS, ids=lambda given: given or "no round")


def test_the_sample_shows_every_role_and_every_state_of_a_row():
    """`test_every_cell_is_answered_as_its_row_says` proves the answer in all cells."""
    for verb in ACTS:
        allowed, barred, refused = cells_of(verb)
        asked = set(sampled(verb))
        assert {cell.state for cell in asked.intersection(allowed)} == {cell.state for cell in allowed}, verb
        assert {cell.role for cell in asked.intersection(allowed)} == {cell.role for cell in allowed}, verb
        assert bool(asked.intersection(barred)) == bool(barred), verb
        assert len(asked.intersection(refused)) >= min(2, len(refused)), verb


def test_one_of_each_leaves_no_verb_out():
    chosen = [(verb, state, role) for state, cells in one_each().items() for verb, role in cells]
    assert sorted(verb for verb, _state, _role in chosen) == sorted(ACTS)
    assert all((state, role) in cells_of(verb).allowed for verb, state, role in chosen)


@pytest.mark.django_db
@EACH
def test_the_cells(state, round_state):
    """Send the sample's requests in one state."""
    cells = [(verb, role) for verb in ACTS for where, role in sampled(verb) if where == (state, round_state)]
    assert len(cells) > 40
    try_cells(state, round_state, cells)


@pytest.mark.soak
@pytest.mark.django_db
@EACH
def test_every_cell(state, round_state):
    """Every cell without exception."""
    cells = [(verb, role) for verb in ACTS if is_tried(verb, (state, round_state)) for role in Role]
    assert len(cells) > 350
    try_cells(state, round_state, cells)


def test_every_cell_is_answered_as_its_row_says():
    """The function that every request asks refuses exactly the roles and states that the row doesn't name."""
    for verb, row in ACTIONS.items():
        for role in Role:
            for state, round_state in WORLDS:
                round_ = Round(state=round_state) if round_state is not None else None
                given = answer(verb, frozenset({role}), event=Event(state=state), round=round_)
                named = row.event is None or row.event.get(state, Verdict.REFUSED) is not Verdict.REFUSED
                if round_ is not None and row.round is not None:
                    named &= row.round.get(round_state, Verdict.REFUSED) is not Verdict.REFUSED
                assert bool(given) == (role in row.roles and named), f"{verb} × {role} in {state}, {round_state}"
                assert given or str(given.reason), f"{verb} is refused without a reason: mend events/actions.py"


def try_cells(state: str, round_state: str | None, cells: list[tuple[str, Role]]) -> None:
    """Try these cells of an event in this state; each starts from the same rows."""
    world = build(state, round_state)
    faults = []
    for verb, role in cells:
        with transaction.atomic():
            try:
                found = Request(world, verb, role).fault()
            except Exception as raised:
                found = repr(raised)
            transaction.set_rollback(True)
        world.event.refresh_from_db()
        if found:
            faults.append(f"{verb} × {role}: {found}")
    assert not faults, f"{len(faults)} of {len(cells)} cells\n" + "\n".join(faults)


@pytest.mark.django_db
def test_the_help_page_says_what_the_table_says(client):
    page = client.get(reverse("events:who-may")).content.decode()
    for verb, row in ACTIONS.items():
        assert f'id="{verb}"' in page
        assert escape(str(row.label)) in page
    for role in Role:
        of_role = client.get(reverse("events:who-may"), {"role": role.value}).content.decode()
        shown = set(re.findall(r'<details id="([a-z-]+)"', of_role))
        assert shown == {verb for verb, row in ACTIONS.items() if role in row.roles}
