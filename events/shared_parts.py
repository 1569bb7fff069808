"""Parts of an event's pages that are the same for everyone who may see the same: rendered once for each change.

Like a shared page of the front, a part is rendered from its key alone: from the event, the language, what its readers may
see, and a request that holds nothing but the query string. Whatever concerns one reader is added to the finished part.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from .models import Event
from .sharing import FRESH_FOR, parameters_of

MAX_PARTS = 24
MAX_QUERY = 200


@dataclass
class Part:
    """A rendered part and the counter of its event when it was rendered; readers who ask at once wait for the first."""

    html: SafeString | None = None
    counter: int = 0
    made: float = 0.0
    lock: Lock = field(default_factory=Lock)


class SharedParts:
    """This process's parts; the least recently used are dropped."""

    def __init__(self) -> None:
        self.parts: OrderedDict[Hashable, Part] = OrderedDict()
        self.lock = Lock()

    def get(self, key: Hashable, counter: int, render: Callable[[], SafeString]) -> SafeString:
        """Return a part that is as new as `counter`, rendered now if necessary."""
        with self.lock:
            part = self.parts.setdefault(key, Part())
            self.parts.move_to_end(key)
            while len(self.parts) > MAX_PARTS:
                self.parts.popitem(last=False)
        with part.lock:
            if part.html is None or part.counter < counter or time.monotonic() - part.made > FRESH_FOR:
                part.html, part.counter, part.made = render(), counter, time.monotonic()
            return part.html

    def forget(self) -> None:
        """Drop every part."""
        self.parts.clear()


PARTS = SharedParts()


def shared_part(
    request: HttpRequest,
    template: str,
    facts: Callable[..., dict[str, Any]],
    *sees: Hashable,
    event: Event,
    counter: int,
) -> SafeString:
    """Return a part of an event's page, with what `facts(event, asked, *sees)` returns.

    `asked` is a request with this one's query string and nothing else. `sees`: everything by which readers of the part
    differ. `counter`: the event's, read before anything that the page shows. A part isn't kept if its address has other
    parameters than the public ones, or if the event has no audit log that would tell of a change.
    """
    asked = HttpRequest()
    asked.GET = request.GET

    def render() -> SafeString:
        return render_to_string(template, {"event": event, "request": asked} | facts(event, asked, *sees))

    match, query = request.resolver_match, request.GET.urlencode()
    read = parameters_of(match.func) if match is not None else None
    if not counter or read is None or not request.GET.keys() <= read or len(query) > MAX_QUERY:
        return render()
    return PARTS.get((template, event.pk, get_language(), query, *sees), counter, render)
