"""Finding a page's event, and the visitor's roles in it."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from events.actions import Permission, answer
from events.called import CalledRequest
from events.door import require
from events.models import Entry, Event, Match, Role, Round
from events.prepared import Prepared, asked
from events.queries import with_event
from events.results.result import PAIR
from events.roles import Actor

JOINED: tuple[str, ...] = ("venue", "hall", "prize_draft")
EVENT = Prepared(lambda: Event.objects.select_related(*JOINED).filter(public_id=asked("public_id")))
ROUND = Prepared(lambda: Round.objects.filter(event=asked("event"), number=asked("number")))
MATCH = Prepared(
    lambda: Match.objects.with_round(PAIR).filter(
        round__event=asked("event"), round__number=asked("number"), table=asked("table")
    )
)


@dataclass(frozen=True)
class Visit:
    """A visit to an event: the event, the visitor with their roles, and their own entry."""

    request: HttpRequest
    event: Event
    actor: Actor
    roles: frozenset[Role]
    entry: Entry | None

    def may(self, verb: str, round: Round | None = None) -> Permission:
        """Return the action table's verdict for this visitor."""
        return answer(verb, self.roles, event=self.event, round=round)

    def require(self, verb: str, round: Round | None = None) -> None:
        """Raise Refused (a page with the reason) unless the table allows the action."""
        require(self.may(verb, round))

    def round(self, number: int) -> Round:
        """Return the event's round; a draft exists only for visitors who may see drafts."""
        found = ROUND.first(event=self.event.pk, number=number)
        if found is None or (found.state == Round.State.DRAFT and not self.may("see-drafts")):
            raise Http404
        found.event = self.event
        return found

    def match(self, number: int, table: int) -> Match:
        """Return the match at a table of a round."""
        found = self.match_at(number, table)
        if found is None:
            raise Http404
        return found

    def match_at(self, number: int, table: int) -> Match | None:
        """Return the match at a table, or None if the round has no such table. Raise Http404 without the round."""
        found = MATCH.first(event=self.event.pk, number=number, table=table)
        if found is None or (found.round.state == Round.State.DRAFT and not self.may("see-drafts")):
            self.round(number)
            return None
        return with_event([found], self.event)[0]

    def render(self, template: str, **facts: Any) -> HttpResponse:
        """Render a page of this event; every template gets `event`, `roles`, `actor` and `my_entry`."""
        if isinstance(self.request, CalledRequest):
            return self.request.drawn(facts, facts.pop("status", 200))
        known = {"event": self.event, "roles": self.roles, "actor": self.actor, "my_entry": self.entry}
        return render(self.request, template, known | facts, status=facts.pop("status", 200))


def visit(request: HttpRequest, public_id: str) -> Visit:
    """Return the visit to an event. Raise Http404 if there is none, or a draft that the visitor may not see."""
    event = EVENT.first(public_id=public_id)
    if event is None:
        raise Http404
    actor = Actor.of(request, event)
    roles = actor.roles(event=event)
    if event.state == Event.State.DRAFT and not answer("see-console", roles, event=event) and Role.OFFICE not in roles:
        raise Http404
    return Visit(request, event, actor, roles, actor.entry_at(event) if Role.PLAYER in roles else None)


def must_sign_in(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect to the sign-in page for visitors without an account, else None."""
    return None if request.user.is_authenticated else redirect_to_login(request.get_full_path())


def form_version(request: HttpRequest) -> int | None:
    """Return the version of the row that the posted form was made from, if given."""
    given = request.POST.get("version", "")
    return int(given) if given.isdecimal() and len(given) < 10 else None


def form_reason(request: HttpRequest) -> dict[str, Any]:
    """Return what any confirmation form may contain, as arguments for a verb: `version`, `reason`, `confirmed`."""
    return {
        "version": form_version(request),
        "reason": request.POST.get("reason", ""),
        "confirmed": request.POST.get("confirmed") == "yes",
    }
