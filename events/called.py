"""A form that an API call sends to one of the site's pages: the page's view runs as always, but nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.messages import constants
from django.contrib.messages.storage.base import BaseStorage
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import resolve

from .tokens import NoSession

PASSED_ON = (
    "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", "REMOTE_ADDR", "HTTP_HOST", "HTTP_ACCEPT_LANGUAGE",
    "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "wsgi.url_scheme",
)  # fmt: skip
"""What a page may know of the request that called it: where it came from, but nothing that asks for a kind of answer."""
TOLD = ("message", "swap_faults", "problems")
"""Facts of pages, beside their forms, that say why a form wasn't accepted."""
Values = Mapping[str, Iterable[str]]


class Said(BaseStorage):
    """The messages of one call."""

    @property
    def queued(self) -> list[Any]:
        """What was said so far."""
        found: list[Any] = getattr(self, "_queued_messages", [])
        return found

    def _get(self, *_given: Any, **_named: Any) -> tuple[list[Any], bool]:
        return [], True

    def _store(self, *_given: Any, **_named: Any) -> list[Any]:
        return []

    def words(self, *, faults: bool) -> list[str]:
        """Return the messages about faults, or all others."""
        return [str(one.message) for one in self.queued if (one.level >= constants.ERROR) is faults]


class CalledRequest(HttpRequest):
    """The request that a page's view gets; `facts` are those with which the page would have been drawn."""

    def __init__(
        self, outer: HttpRequest, address: str, posted: Values | None = None, asked: Values | None = None
    ) -> None:
        super().__init__()
        self.META = {name: outer.META[name] for name in PASSED_ON if name in outer.META}
        self.META["REQUEST_METHOD"] = self.method = "GET" if posted is None else "POST"
        self.path = self.path_info = address
        self.user, self.session, self.said = outer.user, NoSession(), Said(self)
        self._messages = self.said
        self.GET, self.POST = _query(asked or {}), _query(posted or {})  # type: ignore[assignment]
        self.META["QUERY_STRING"] = self.GET.urlencode()
        self.resolver_match = resolve(address)
        self.facts: dict[str, Any] = {}

    def answer(self) -> HttpResponse:
        """Return what the page's view answers."""
        found = self.resolver_match
        assert found is not None
        return found.func(self, *found.args, **found.kwargs)

    def drawn(self, facts: dict[str, Any], status: int) -> HttpResponse:
        """Keep a page's facts in place of drawing it."""
        self.facts = facts
        return HttpResponse(status=status)

    def form(self) -> BaseForm:
        """Return the form that the page shows."""
        return next(one for one in self.facts.values() if isinstance(one, BaseForm))

    def faults(self) -> dict[str, list[str]]:
        """Return why the form wasn't accepted, by field; "" has what concerns no field."""
        found: dict[str, list[str]] = {}
        for form in self.facts.values():
            if isinstance(form, BaseForm) and form.is_bound:
                for name, words in form.errors.items():
                    found.setdefault("" if name == "__all__" else name, []).extend(map(str, words))
        for name in TOLD:
            told = self.facts.get(name) or ()
            found.setdefault("", []).extend([told] if isinstance(told, str) else map(_in_words, told))
        found.setdefault("", []).extend(self.said.words(faults=True))
        return {name: words for name, words in found.items() if words}


def shown(form: BaseForm) -> dict[str, list[str]]:
    """Return what a form's page would send if nothing in it were changed."""
    found: dict[str, list[str]] = {}
    for field in form:
        value = field.value()
        if field.field.disabled or value is None or value is False:
            continue
        if isinstance(value, (list, tuple)):
            found[field.html_name] = [str(one) for one in value]
        elif value is True:
            found[field.html_name] = ["on"]
        else:
            as_text = field.field.widget.format_value(value)
            found[field.html_name] = [str(value if isinstance(as_text, list) else as_text or "")]
    return found


def _in_words(fault: Any) -> str:
    """Return a fault in words, with its line if it is one of a list."""
    return f"{fault.line}: {fault.message}" if hasattr(fault, "line") else str(fault)


def _query(values: Values) -> QueryDict:
    made = QueryDict(mutable=True)
    for name, several in values.items():
        made.setlist(name, list(several))
    return made
