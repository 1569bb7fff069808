"""The page of the most wanted calls, in curl and in Python; the tests run what it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from events.actions import ACTIONS
from events.address import full_address

PYTHON = '''\
import json
import os
from urllib.request import Request, urlopen


def call(path, fields=None):
    """Return what the API answers; with fields, do an action."""
    request = Request(f"{os.environ['SITE']}/api/events/{os.environ['EVENT']}/{path}")
    request.add_header("Authorization", f"Bearer {os.environ['TOKEN']}")
    if fields is not None:
        request.data = json.dumps(fields).encode()
        request.add_header("Content-Type", "application/json")
    with urlopen(request) as answer:
        return json.load(answer)
'''


@dataclass(frozen=True)
class Example:
    """A call: its address after the event's, the fields that it sends, and what a script does with the answer.

    `row` is the row of the action table that its token needs; "" if anyone may make the call.
    """

    title: str | Promise
    path: str
    use: str
    row: str = ""
    fields: Mapping[str, Any] | None = None

    @property
    def row_words(self) -> str | Promise:
        """The needed row, in words."""
        return ACTIONS[self.row].label if self.row else ""

    @property
    def curl(self) -> str:
        """The call for a shell."""
        lines = [f'curl "$SITE/api/events/$EVENT/{self.path}"']
        if self.row:
            lines.append('-H "Authorization: Bearer $TOKEN"')
        if self.fields is not None:
            lines += ['-H "Content-Type: application/json"', f"-d '{json.dumps(self.fields)}'"]
        return " \\\n  ".join(lines)

    @property
    def python(self) -> str:
        """The call in Python, after `PYTHON`."""
        sent = f", {json.dumps(self.fields)}" if self.fields is not None else ""
        return self.use.replace("ANSWER", f'call("{self.path}"{sent})')


EXAMPLES = (
    Example(
        _("Read the pairings of a round"),
        "rounds/1",
        'for match in ANSWER["matches"]:\n    print(match["table"], match["a"], match["b"])',
    ),
    Example(
        _("Read the standings"), "standings", 'for line in ANSWER:\n    print(line["rank"], line["name"])'
    ),
    Example(
        _("Check in a player"), "actions/check-in", 'print(ANSWER["messages"])', "check-in", {"entry": 7}
    ),
    Example(
        _("Enter result"),
        "actions/enter-result",
        'print(ANSWER["messages"])',
        "enter-result",
        {"round": 1, "table": 1, "score_a": 200, "score_b": 150},
    ),
    Example(
        _("List the judge calls"),
        "calls",
        'for one in ANSWER:\n    print(one["id"], one["table"], one["state"])',
        "see-calls",
    ),
)  # fmt: skip


@require_safe
def calls(request: HttpRequest) -> HttpResponse:
    """Show the most wanted calls."""
    site = full_address(request, "/").rstrip("/")
    return render(request, "api_calls.html", {"examples": EXAMPLES, "python": PYTHON, "site": site})
