"""For each row of the action table, the request that tries it and the preparation it needs.

A new verb needs one line in ACTS: its address, the posted values, and what must exist first. `but` names refusals that
the table doesn't contain (officials may not play, a round isn't complete); `marker` is text that a page shows only to
people who may see it; `leaves` is what a verb creates without an audit log entry; `hidden`: people who may not see it
get "not found".
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from events import policy
from events.models import (
    ApiToken,
    AuditEntry,
    Entry,
    Event,
    Force,
    Hall,
    Match,
    Official,
    Person,
    Pod,
    PolicyOverride,
    PrizeDraft,
    Role,
    Round,
    SavedForce,
    Series,
    SeriesDraft,
    SeriesEvent,
    SeriesJoin,
    SignInCode,
    Team,
    Venue,
    VenueManager,
    Volunteer,
)
from events.roles import SITE, Actor
from events.services import clock, forces, rounds
from events.views.forces_free import FREE_FORCE
from judging.keeping import snapshots
from judging.keeping.machines import pair
from judging.models import Call, Decision, Move, Penalty, Snapshot
from judging.services import finish
from tests import factories
from tests.conftest import client_of
from tests.events.simulation import kept_result, play, players
from tests.forms_of_page import as_sent, forms_of

ES, RS = Event.State, Round.State
WORLDS: list[tuple[str, str | None]] = [
    (ES.DRAFT, None),
    (ES.OPEN, None),
    (ES.RUNNING, RS.DRAFT),
    (ES.RUNNING, RS.PUBLISHED),
    (ES.RUNNING, RS.RUNNING),
    (ES.RUNNING, RS.COMPLETE),
    (ES.FINISHED, RS.COMPLETE),
    (ES.VERIFIED, RS.COMPLETE),
    (ES.CANCELLED, RS.PUBLISHED),
]
"""Every combination of states that an event and its newest round can have."""


@dataclass
class World:
    """An event in one state, one person in each role, and a client for each."""

    event: Event
    round: Round | None = None
    people: dict[Role, Person] = field(default_factory=dict)
    clients: dict[Role, Client] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    @property
    def state(self) -> tuple[str, str | None]:
        return self.event.state, self.round.state if self.round else None

    def roles(self, role: Role) -> frozenset[Role]:
        """Return every role that the person in this role has here."""
        if role not in self.kept.setdefault("roles", {}):
            self.kept["roles"][role] = Actor(person=self.people[role]).roles(event=self.event)
        return self.kept["roles"][role]

    def entry(self, number: int) -> Entry:
        return Entry.objects.get(event=self.event, number=number)

    def mine(self, role: Role, other: int = 7) -> Entry:
        """Return the player's own entry for the player, another one for everyone else."""
        return self.entry(1 if role is Role.PLAYER else other)

    def match(self) -> Match:
        """Return the player's match."""
        assert self.round is not None
        return next(m for m in self.round.matches.filter(kind="game") if self.entry(1).pk in (m.a_id, m.b_id))

    def url(self, name: str, *parts: object) -> str:
        return reverse(name if ":" in name else f"events:{name}", args=[self.event.public_id, *parts])


def build(state: str, round_state: str | None) -> World:
    """Create an event and bring it to this state with the site's own verbs."""
    volunteer = factories.VolunteerFactory
    hall = Hall.objects.create(venue=factories.VenueFactory(telephone="+32 9 111 11 11"), name="Hall A", tables=40)
    event = factories.EventFactory(venue=hall.venue, hall=hall, seats=20, number_of_rounds=3, self_check_in=True)
    elsewhere = factories.EventFactory(venue=factories.VenueFactory(), hall=hall, state=ES.RUNNING)
    people = {role: volunteer(person__name=f"The {role.label}").person for role in Role}
    people[Role.OFFICE].is_office = True
    people[Role.OFFICE].save()
    factories.VenueManagerFactory(venue=event.venue, person=people[Role.VENUE])
    for role in Official.Role:
        factories.OfficialFactory(event=event, person=people[Role(role.value)], role=role)
    factories.OfficialFactory(event=elsewhere, person=people[Role.HALL_JUDGE], role=Official.Role.JUDGE)
    players(event, 6)
    Entry.objects.filter(event=event, number=1).update(person=people[Role.PLAYER])
    factories.EntryFactory(event=event, number=7, name="Late Player", state=Entry.State.ENTERED)
    factories.EntryFactory(event=event, number=8, name="Gone Player", state=Entry.State.WITHDRAWN)
    world = World(event, people=people)
    if round_state is not None:
        row = rounds.draft_round(by=SITE, event=event)
        if round_state != RS.DRAFT:
            rounds.publish_round(by=SITE, round=row)
        if round_state in (RS.RUNNING, RS.COMPLETE):
            clock.start_preparation(by=SITE, round=row)
        if round_state == RS.COMPLETE:
            play(SITE, row)
            rounds.complete_round(by=SITE, round=row)
        if state in (ES.FINISHED, ES.VERIFIED):
            rounds.finish_event(by=SITE, event=event, confirmed=True)
        if state == ES.VERIFIED:
            finish.verify_event(by=Actor(person=people[Role.HEAD_JUDGE]), event=event)
        world.round = row
    Event.objects.filter(pk=event.pk).update(state=state)
    event.refresh_from_db()
    if world.round is not None:
        world.round.refresh_from_db()
        assert world.round.state == round_state
    world.clients = {role: client_of(person) for role, person in people.items()}
    return world


Given = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Act:
    """How a verb is tried: `ask` returns the address and the posted values (None: the page is only opened)."""

    ask: Callable[[World, Role], Given | str]
    ready: Callable[[World, Role], object] | None = None
    but: Callable[[World, Role], bool] | None = None
    marker: str = ""
    own_words: bool = False
    needs_round: bool = False
    stateless: bool = False
    leaves: type[Model] | None = None
    hidden: bool = False


def post(name: str, /, *parts: object, **sent: Any) -> Callable[[World, Role], Given]:
    """Post values to an address of the event; both may be functions of the world and the role."""

    def made(world: World, role: Role) -> Given:
        def value(given: Any) -> Any:
            return given(world, role) if callable(given) else given

        return world.url(name, *map(value, parts)), {key: value(given) for key, given in sent.items()}

    return made


def elsewhere(name: str, /, *parts: object, **sent: Any) -> Callable[[World, Role], Given]:
    """Post values to an address outside events."""

    def made(world: World, role: Role) -> Given:
        def value(given: Any) -> Any:
            return given(world, role) if callable(given) else given

        return reverse(name if ":" in name else f"events:{name}", args=[value(part) for part in parts]), {
            k: value(v) for k, v in sent.items()
        }

    return made


def see(name: str, /, *parts: object) -> Callable[[World, Role], str]:
    """Open a page of the event."""
    asked = post(name, *parts)
    return lambda world, role: asked(world, role)[0]


def changed_form(
    address: Callable[[World], str], opener: Role, to: str = "", **changed: Any
) -> Callable[[World, Role], Given]:
    """Submit a page's own form with some values changed, as opened by a person who may open it."""

    def made(world: World, role: Role) -> Given:
        where = address(world)
        if where not in world.kept:
            page = world.clients[opener].get(where)
            found = [
                form for form in forms_of(page.content.decode()) if form.method == "post" and "name" in form.fields
            ]
            world.kept[where] = as_sent(found[0]) if found else {}
        return (reverse(to) if to else where), world.kept[where] | changed

    return made


def keep(world: World, **rows: Any) -> None:
    world.kept.update(rows)


def kept(name: str, attribute: str = "pk") -> Callable[[World, Role], Any]:
    return lambda world, _role: getattr(world.kept[name], attribute)


def person(role: Role, attribute: str = "email") -> Callable[[World, Role], Any]:
    return lambda world, _role: getattr(world.people[role], attribute)


def _entries(**changed: Any) -> Callable[[World, Role], object]:
    def made(world: World, role: Role) -> None:
        mine = changed.pop("of", None) or world.mine(role).number
        Entry.objects.filter(event=world.event, number=mine).update(**changed)

    return made


def _state(state: str, **more: Any) -> Callable[[World, Role], object]:
    def made(world: World, role: Role) -> None:
        Entry.objects.filter(pk=world.mine(role).pk).update(state=state, **more)

    return made


def _teams(world: World, role: Role) -> None:
    Event.objects.filter(pk=world.event.pk).update(teams_of_two=True)


def _team(world: World, role: Role) -> None:
    """Make the player's entry a team that hasn't played: in a running event, its results would keep it together."""
    _teams(world, role)
    team = Team.objects.create(event=world.event, number=1)
    entry = factories.EntryFactory(event=world.event, number=31) if role is not Role.PLAYER else world.mine(role)
    Entry.objects.filter(pk=entry.pk).update(team=team)


def _all_confirmed(world: World, role: Role) -> None:
    if world.round is not None:
        world.round.matches.filter(kind="game").update(state=Match.State.CONFIRMED, result=kept_result())


def _one_confirmed(world: World, role: Role) -> None:
    if world.round is not None:
        Match.objects.filter(pk=world.match().pk).update(state=Match.State.CONFIRMED, result=kept_result())


def _call(state: str) -> Callable[[World, Role], object]:
    def made(world: World, role: Role) -> None:
        taken = state in (Call.State.TAKEN, Call.State.AT_TABLE)
        now = timezone.now()
        row = Call.objects.create(
            match=world.match(),
            state=state,
            raised=now,
            raised_by_entry=world.entry(1),
            judge=world.people[role] if taken else None,
            taken=now if taken else None,
            arrived=now if state == Call.State.AT_TABLE else None,
        )
        keep(world, call=row)

    return made


def _bench(world: World, role: Role) -> None:
    """Put one figure on the bench of the entry's force, as its player would."""
    from events import building

    facts = {"name": "Recruit", "points": 20, "set": "T", "number": "1"}
    row = Force.objects.create(entry=world.mine(role, 2), from_round=1)
    bench = building.whole(None)
    building.add(bench, "characters", by_hand=facts)
    row.work = bench
    row.save()


def _free_force(world: World, role: Role) -> None:
    """Put one figure on the free check of this role's session."""
    from events import building

    bench = building.empty_bench()
    building.add(bench, "characters", by_hand={"name": "Recruit", "points": 20})
    session = world.clients[role].session
    session[FREE_FORCE] = {"bench": bench}
    session.save()


def _saved_force(world: World, role: Role) -> None:
    keep(world, saved=SavedForce.objects.create(person=world.people[role], name="The Team"))


def _paired(world: World) -> bool:
    """Return whether the published first round has locked the forces."""
    return world.event.state == ES.RUNNING and world.state[1] != RS.DRAFT


def _late(world: World, role: Role) -> None:
    _bench(world, role)
    _closed(world, role)


def _closed(world: World, role: Role) -> None:
    Event.objects.filter(pk=world.event.pk).update(forces_close=timezone.now() - datetime.timedelta(minutes=5))


def submitted(world: World, role: Role) -> None:
    _bench(world, role)
    row = Force.objects.get(entry=world.mine(role, 2))
    report = forces.report_on(forces.document_of(world.event, row.entry, row.work))
    document = forces.document_of(world.event, row.entry, row.work)
    Force.objects.filter(pk=row.pk).update(
        state=Force.State.SUBMITTED, document=document, report=report, submitted_at=timezone.now()
    )
    keep(world, ref=document["force"]["characters"][0]["ref"])


def _sealed(world: World, role: Role) -> None:
    Event.objects.filter(pk=world.event.pk).update(format=Event.Format.SEALED_BOOSTER)


def _sealed_and_played(world: World, role: Role) -> None:
    _sealed(world, role)
    if world.round is not None:
        world.round.clock_runs.create(phase="round", began=timezone.now(), ended=timezone.now())


def _added(world: World, role: Role) -> None:
    from events.door import facts

    row = factories.EntryFactory(event=world.event, number=40, name="Entered By Mistake")
    change = {"model": "events.Entry", "id": row.pk, "before": None, "after": facts(row)}
    made = AuditEntry.objects.create(event=world.event, verb="add-entry", summary="Entered", changes=[change])
    keep(world, act=made)


def _penalty(world: World, role: Role) -> None:
    head = world.people[Role.HEAD_JUDGE]
    keep(
        world,
        penalty=Penalty.objects.create(
            entry=world.entry(2), kind="warning", category="other", text="Shouted", given_by=head
        ),
    )


def _proposed(world: World, role: Role) -> None:
    somebody = factories.VolunteerFactory().person
    keep(
        world,
        official=Official.objects.create(event=world.event, person=somebody, role=Official.Role.SCOREKEEPER),
    )


def _answered(world: World, role: Role) -> None:
    _proposed(world, role)
    Official.objects.filter(pk=world.kept["official"].pk).update(answered=timezone.now())


def _offered(world: World, role: Role) -> None:
    """Offer a role at the event to the person who acts."""
    row = Official.objects.filter(event=world.event, person=world.people[role]).first()
    row = row or factories.OfficialFactory(event=world.event, person=world.people[role], role=Official.Role.JUDGE)
    Official.objects.filter(pk=row.pk).update(confirmed=None)
    keep(world, official=row)


def _suspended_player(world: World, _role: Role) -> None:
    Person.objects.filter(pk=world.people[Role.PLAYER].pk).update(suspended_until=IN_A_YEAR)


def _asked_to_manage(world: World, role: Role) -> None:
    row = world.event.venue.management.filter(person=world.people[role]).first()
    row = row or factories.VenueManagerFactory(venue=world.event.venue, person=world.people[role])
    VenueManager.objects.filter(pk=row.pk).update(confirmed=None)
    keep(world, manager=row)


def _other_manager(world: World, _role: Role) -> None:
    row = factories.VenueManagerFactory(venue=world.event.venue, answered=timezone.now(), confirmed=None)
    keep(world, manager=row)


def _names_as_volunteer(world: World, role: Role) -> None:
    """Name the person who acts as the venue's registered volunteer."""
    mine = world.people[role]
    volunteer = Volunteer.objects.filter(person=mine).first() or factories.VolunteerFactory(person=mine)
    EmailAddress.objects.get_or_create(user=mine, email=mine.email, verified=True)
    Venue.objects.filter(pk=world.event.venue_id).update(registered_volunteer=volunteer, volunteer_agreed=None)


def _listed(world: World, role: Role) -> None:
    """Give an entry the confirmed address of the person who acts."""
    mine = world.people[role]
    EmailAddress.objects.create(user=mine, email=mine.email, verified=True)
    keep(world, listed=factories.EntryFactory(event=world.event, number=50, email=mine.email))


def _code(world: World, _role: Role) -> None:
    head, now = world.people[Role.HEAD_JUDGE], timezone.now()
    keep(
        world,
        code=SignInCode.objects.create(event=world.event, person=head, made_by=head, code_hash="", expires=now),
    )


def _token(world: World, role: Role) -> None:
    """Give the person who acts a token of this event, as they had before they lost every role here."""
    mine, expires = world.people[role], timezone.now() + datetime.timedelta(days=1)
    keep(world, token=ApiToken.objects.create(event=world.event, person=mine, name="Stream", expires=expires))


def _webhook(world: World, _role: Role) -> None:
    keep(world, hook=world.event.webhooks.create(name="Discord", address="https://discord.example/x", secret="x"))


def _nobody_won(world: World, _role: Role) -> None:
    """Make the newest round a bracket in which the player's match has no winner."""
    if world.round is None:
        return
    Round.objects.filter(pk=world.round.pk).update(stage=Round.Stage.CUT, pairing_report={"stage": 8})
    for slot, match in enumerate(world.round.matches.order_by("pk")):
        Match.objects.filter(pk=match.pk).update(bracket_slot=slot)
    lost = world.match()
    if lost.result is not None:
        result_of_none = replace(lost.result, winner=None, scores=(0, 0), double_loss=True)
        Match.objects.filter(pk=lost.pk).update(result=result_of_none)


def _decision(state: str) -> Callable[[World, Role], object]:
    """Record a ruling at the player's table, appealed by the person who acts, answered by the head judge."""

    def made(world: World, role: Role) -> None:
        now = timezone.now()
        appealed = state != Decision.State.STANDS
        final = state == Decision.State.UPHELD
        keep(
            world,
            decision=Decision.objects.create(
                event=world.event,
                number=1,
                state=state,
                match=world.match(),
                edition=world.event.edition,
                question="May it move?",
                answer="yes",
                ruled_by=world.people[role if role is Role.HALL_JUDGE and not appealed else Role.JUDGE],
                ruled_at=now,
                appealed_by=world.people[role] if appealed else None,
                appealed_at=now if appealed else None,
                appeal="I think not" if appealed else "",
                final_answer="yes" if final else "",
                final_by=world.people[Role.HEAD_JUDGE] if final else None,
                final_at=now if final else None,
            ),
        )

    return made


def _snapshot(world: World, role: Role) -> None:
    keep(world, snapshot=snapshots.take(world.event, "by hand"))
    Entry.objects.filter(event=world.event, number=2).update(club="Changed since")


def _away(world: World, role: Role) -> None:
    Event.objects.filter(pk=world.event.pk).update(away="The laptop")
    world.event.away = "The laptop"


def _override(world: World, role: Role) -> None:
    keep(
        world,
        override=PolicyOverride.objects.create(
            event=world.event, rule=OVERRIDABLE, reason="A convention", given_by=world.people[Role.OFFICE]
        ),
    )


OVERRIDABLE = next(name for name, rule in policy.RULES.items() if rule.may_be_excepted and rule.check is not None)
WORK_OR_PLAY = {Role.PLAYER, Role.VENUE, Role.HEAD_JUDGE, Role.JUDGE, Role.SCOREKEEPER}
IN_A_YEAR = f"{timezone.now().date() + datetime.timedelta(days=365)}"
VENUE_FACTS = lambda world: reverse("events:venue-edit", args=[world.event.venue_id])  # noqa: E731
STANDING_ROUND = (ES.RUNNING, RS.COMPLETE)
DRAFTED = lambda world, _role: world.state[1] == RS.DRAFT  # noqa: E731
NOT_COMPLETE = lambda world, _role: world.state != STANDING_ROUND  # noqa: E731
ROUND_STANDS_OPEN = lambda world, _role: world.event.state == ES.RUNNING and world.state != STANDING_ROUND  # noqa: E731
BY_JUDGE = Role.JUDGE
POINTS = {"score_a": 120, "score_b": 40}
TABLE = (1, lambda world, _role: world.match().table)


def _other_table(world: World) -> str:
    one = world.match()
    assert world.round is not None
    other = world.round.matches.filter(kind="game").exclude(pk=one.pk).order_by("table")[0]
    keep(world, other=other)
    return world.url("fix-seating", 1) + f"?first={one.table}&second={other.table}"


def _right(world: World, role: Role) -> Given:
    where = _other_table(world)
    return where, {"opponent": world.kept["other"].a.number, "reason": "Sat wrongly"}


def _swap(world: World, role: Role) -> Given:
    assert world.round is not None
    one, other = world.round.matches.filter(kind="game").order_by("table")[:2]
    return world.url("draft-swap", 1), {"player": [one.a.number, other.a.number]}


def _pod(world: World, role: Role) -> None:
    """The player's table drafts, and the time for the pick is up."""
    _sealed(world, role)
    if world.round is not None:
        match, began = world.match(), timezone.now() - datetime.timedelta(hours=1)
        Pod.objects.filter(match=match).delete()
        seats = [entry.number for entry in match.entries]
        pod = Pod.objects.create(match=match, seats=seats, figures=2, began=began, picks=[[None] * 2 for _ in seats])
        keep(world, pod=pod)


def _prizes(world: World, role: Role, **changed: Any) -> None:
    PrizeDraft.objects.filter(event=world.event).delete()
    PrizeDraft.objects.create(event=world.event, pool=["Batman", "Robin"], **changed)


def prizes_of_player(world: World, role: Role) -> None:
    """It is the player's turn."""
    _prizes(world, role, order=[1, 2])


def _prizes_picked(world: World, role: Role) -> None:
    _prizes(world, role, order=[1, 2], turns=[{"entry": 1, "prize": "Robin", "note": "", "for_good": False}])


def _series(world: World, role: Role) -> None:
    series = Series.objects.create(venue=world.event.venue, name="League")
    keep(world, series=series, join=SeriesJoin.objects.create(series=series, name="Jon", other="John"))


def _series_over(world: World, role: Role) -> None:
    _series(world, role)
    Series.objects.filter(pk=world.kept["series"].pk).update(ended=timezone.now())


def _series_with_event(*, accepted: bool = True) -> Callable[[World, Role], object]:
    def made(world: World, role: Role) -> None:
        _series(world, role)
        at = timezone.now() if accepted else None
        keep(world, row=SeriesEvent.objects.create(series=world.kept["series"], event=world.event, accepted=at))

    return made


def _series_draft(world: World, role: Role) -> None:
    _series(world, role)
    SeriesDraft.objects.create(series=world.kept["series"], pool=["Batman"], order=[world.entry(1).pk])


def _of_row(act: str) -> Callable[[World, Role], Given]:
    return elsewhere("series-event-act", kept("series", "public_id"), kept("row"), act)


_POINTS = {"place_points": "4/3", "win_points": 0, "match_point_points": 0, "attendance_points": 0}


def _create_series(world: World, role: Role) -> Given:
    address = f"{reverse('events:series-create')}?venue={world.event.venue_id}"
    return address, {"name": "League", "min_events": 1} | _POINTS


ACTS: dict[str, Act] = {
    # people and places
    "register-volunteer": Act(elsewhere("volunteer-register", city="Gent", experience="Much"), stateless=True),
    "decide-volunteer": Act(
        elsewhere("office-volunteer", kept("volunteer"), decision="approved", reason=""),
        ready=lambda w, r: keep(w, volunteer=factories.VolunteerFactory(state="pending")),
        stateless=True,
    ),
    "suspend-person": Act(
        elsewhere("office-person", person(Role.PLAYER, "pk"), until=IN_A_YEAR, reason="x"),
        stateless=True,
    ),
    "lift-suspension": Act(
        elsewhere("office-person-lift-suspension", person(Role.PLAYER, "pk"), reason="x"),
        ready=_suspended_player,
        stateless=True,
    ),
    "change-installation": Act(
        elsewhere(
            "installation",
            edition="dc-2005",
            build_total=200,
            format="constructed",
            country="France",
            time_zone="Europe/Paris",
            language="en",
        ),
        stateless=True,
    ),
    "register-venue": Act(
        changed_form(VENUE_FACTS, Role.VENUE, "events:venue-register", name="New Shop", kind="store"),
        stateless=True,
    ),
    "change-venue": Act(
        changed_form(VENUE_FACTS, Role.VENUE, name="New name"),
        stateless=True,
    ),
    "decide-venue": Act(
        elsewhere("office-venue", lambda w, r: w.event.venue_id, decision="suspended", reason="Closed"), stateless=True
    ),
    "change-venue-managers": Act(
        elsewhere("venue-managers", lambda w, r: w.event.venue_id, email=person(Role.SPECTATOR)), stateless=True
    ),
    "accept-management": Act(
        elsewhere("offer-answer", "venue", kept("manager"), "accept"), ready=_asked_to_manage, stateless=True
    ),
    "decline-management": Act(
        elsewhere("offer-answer", "venue", kept("manager"), "decline"), ready=_asked_to_manage, stateless=True
    ),
    "accept-management-for": Act(
        elsewhere("venue-manager-accept-for", lambda w, r: w.event.venue_id, kept("manager")),
        ready=_other_manager,
        stateless=True,
    ),
    "confirm-manager": Act(
        elsewhere("venue-manager-confirm", lambda w, r: w.event.venue_id, kept("manager")),
        ready=_other_manager,
        stateless=True,
    ),
    "accept-volunteering": Act(
        elsewhere("offer-answer", "club", lambda w, r: w.event.venue_id, "accept"),
        ready=_names_as_volunteer,
        stateless=True,
    ),
    "decline-volunteering": Act(
        elsewhere("offer-answer", "club", lambda w, r: w.event.venue_id, "decline"),
        ready=_names_as_volunteer,
        stateless=True,
    ),
    "accept-volunteering-for": Act(
        elsewhere("office-venue-accept-for", lambda w, r: w.event.venue_id), ready=_names_as_volunteer, stateless=True
    ),
    "change-halls": Act(
        elsewhere("venue-halls", lambda w, r: w.event.venue_id, name="Cellar", tables=5), stateless=True
    ),
    "change-account": Act(elsewhere("account", name="Another Name", phone="1"), stateless=True),
    "change-profile": Act(elsewhere("my-profile", is_on="on", shows_events="on"), stateless=True),
    # series
    "create-series": Act(_create_series, stateless=True),
    "change-series": Act(
        elsewhere("series-edit", kept("series", "public_id"), name="Renamed", min_events=2, **_POINTS),
        ready=_series,
        stateless=True,
    ),
    "add-series-event": Act(
        elsewhere("series-events", kept("series", "public_id"), address=lambda w, r: w.event.public_id, multiplier="1"),
        ready=_series,
        stateless=True,
    ),
    "accept-series-event": Act(_of_row("accept"), ready=_series_with_event(accepted=False), stateless=True),
    "decline-series-event": Act(_of_row("decline"), ready=_series_with_event(accepted=False), stateless=True),
    "remove-series-event": Act(_of_row("remove"), ready=_series_with_event(), stateless=True),
    "change-series-players": Act(
        elsewhere("series-join-separate", kept("series", "public_id"), kept("join")), ready=_series, stateless=True
    ),
    "end-series": Act(elsewhere("series-act", kept("series", "public_id"), "end"), ready=_series, stateless=True),
    "reopen-series": Act(
        elsewhere("series-act", kept("series", "public_id"), "reopen"), ready=_series_over, stateless=True
    ),
    "edit-series-prizes": Act(
        elsewhere("series-prizes-act", kept("series", "public_id"), "list", prizes="Batman"),
        ready=_series,
        stateless=True,
    ),
    "run-series-draft": Act(
        elsewhere("series-prizes-act", kept("series", "public_id"), "skip"),
        ready=_series_draft,
        stateless=True,
    ),
    "pick-series-prize": Act(
        elsewhere("series-prizes-act", kept("series", "public_id"), "pick", prize="Batman"),
        ready=_series_draft,
        stateless=True,
    ),
    "delete-series": Act(elsewhere("series-act", kept("series", "public_id"), "delete"), ready=_series, stateless=True),
    # set-up
    "create-event": Act(post("copy")),
    "change-event": Act(changed_form(lambda w: w.url("edit"), Role.HEAD_JUDGE, description="New words")),
    "change-officials": Act(
        post("officials", email=kept("newcomer", "email"), role="scorekeeper"),
        own_words=True,
        ready=lambda w, r: keep(w, newcomer=factories.PersonFactory()),
    ),
    "accept-official": Act(post("official-accept", kept("official")), ready=_proposed),
    "accept-role": Act(
        elsewhere("offer-answer", "role", kept("official"), "accept"),
        ready=_offered,
        but=lambda w, r: r is Role.PLAYER,
    ),
    "decline-role": Act(elsewhere("offer-answer", "role", kept("official"), "decline"), ready=_offered),
    "accept-role-for": Act(post("official-accept-for", kept("official")), ready=_proposed),
    "confirm-official": Act(post("official-confirm", kept("official")), ready=_answered),
    "open-event": Act(post("open")),
    "cancel-event": Act(post("cancel")),
    "announce": Act(post("announce", text="Lunch is here", minutes="0")),
    "make-sign-in-code": Act(post("sign-in-code", email=person(Role.PLAYER))),
    "revoke-sign-in-code": Act(post("sign-in-code-revoke", kept("code")), ready=_code),
    "revoke-token": Act(post("api-token-revoke", kept("token")), ready=_token, stateless=True),
    "create-webhook": Act(
        post("webhooks", name="Discord", form="discord", address="https://discord.example/x", kinds=["pairings"]),
    ),
    "change-webhook": Act(post("webhook-act", kept("hook"), "off"), ready=_webhook),
    "delete-webhook": Act(post("webhook-act", kept("hook"), "delete"), ready=_webhook),
    # entries
    "enter-self": Act(
        post("enter", name="Somebody", declares="on"), but=lambda w, r: r in WORK_OR_PLAY, own_words=True
    ),
    "join-entry": Act(
        elsewhere("offer-answer", "entry", kept("listed"), "accept"),
        ready=_listed,
        but=lambda w, r: r in WORK_OR_PLAY - {Role.VENUE},
        stateless=True,
    ),
    "decline-entry": Act(elsewhere("offer-answer", "entry", kept("listed"), "decline"), ready=_listed, stateless=True),
    "add-entry": Act(post("entry-add", name="New Player", declares="on")),
    "import-rounds": Act(
        post(
            "rounds-import",
            text="round,player 1,player 2,winner\n1,Zoe,Zed,Zoe",
            register="on",
            declared="on",
            enter="yes",
        ),
        but=lambda w, r: w.event.state != ES.OPEN,
        own_words=True,
    ),
    "import-entries": Act(post("entries-import", text="Anna\nBen", declared="on", enter="yes")),
    "change-entry": Act(post("entry-edit", 2, name="Renamed", club="West", declares="on")),
    "check-in": Act(
        post("entry-act", lambda w, r: w.mine(r).number, "check-in"),
        ready=_state(Entry.State.ENTERED),
        but=lambda w, r: r is Role.PLAYER and w.event.state == ES.RUNNING,
    ),
    "undo-check-in": Act(
        post("entry-act", 30, "undo-check-in"),
        ready=lambda w, r: factories.EntryFactory(event=w.event, number=30, from_round=9),
    ),
    "open-self-check-in": Act(post("check-in", self="close"), own_words=True),
    "withdraw-entry": Act(post("entry-act", lambda w, r: w.mine(r).number, "withdraw")),
    "reinstate-entry": Act(post("entry-act", 8, "reinstate")),
    "drop-entry": Act(post("entry-act", lambda w, r: w.mine(r).number, "drop")),
    "return-entry": Act(
        post("entry-act", 7, "return"),
        ready=lambda w, r: Entry.objects.filter(event=w.event, number=7).update(state="dropped", dropped_after=0),
    ),
    "ask-return": Act(
        post("entry-act", lambda w, r: w.mine(r).number, "ask-return"),
        ready=lambda w, r: Entry.objects.filter(pk=w.mine(r).pk).update(state="dropped", dropped_after=0),
    ),
    "disqualify-entry": Act(post("entry-act", 2, "disqualify")),
    "renew-entry-link": Act(post("entry-link-renew", 2)),
    # teams of two
    "choose-partner": Act(post("partner", lambda w, r: w.mine(r).number, partner=2), ready=_teams),
    "make-team": Act(post("teams", one=2, other=7), ready=_teams),
    "name-team": Act(post("team-name", 1, title="Towers"), ready=_team),
    "split-team": Act(
        post("team-split", 1),
        ready=_team,
        but=lambda w, r: r is Role.PLAYER and w.round is not None and w.round.state != RS.DRAFT,
    ),
    # rounds
    "draft-round": Act(post("draft-next"), but=ROUND_STANDS_OPEN),
    "pair-again": Act(post("pair-again", 1), needs_round=True),
    "change-draft": Act(_swap, needs_round=True, own_words=True),
    "set-round-length": Act(post("draft-length", 1, minutes="40"), needs_round=True),
    "discard-draft": Act(post("discard", 1), needs_round=True),
    "publish-round": Act(post("publish", 1), needs_round=True),
    "unpublish-round": Act(post("unpublish", 1), needs_round=True),
    "right-tables": Act(_right, needs_round=True),
    "complete-round": Act(post("complete", 1), ready=_all_confirmed, needs_round=True),
    "reopen-round": Act(post("reopen", 1), needs_round=True),
    # clock
    "run-clock": Act(post("clock", act="start"), needs_round=True, own_words=True),
    "add-time": Act(
        post("clock", act="more", **{"all-minutes": 5, "all-reason": "Late start"}), needs_round=True, own_words=True
    ),
    "extend-table": Act(post("extend", *TABLE, minutes=5, reason="A spilled drink"), needs_round=True),
    # results
    "claim-result": Act(post("claim", *TABLE, **POINTS), needs_round=True),
    "enter-result": Act(post("enter-result", *TABLE, act="enter", **POINTS), needs_round=True),
    "decide-result": Act(post("enter-result", *TABLE, act="decide", **POINTS), needs_round=True),
    "correct-result": Act(
        post("enter-result", *TABLE, act="correct", score_a=1, score_b=2), ready=_one_confirmed, needs_round=True
    ),
    "abandon-match": Act(post("abandon-match", *TABLE, side="b"), needs_round=True),
    # calls
    "raise-call": Act(post("judging:call-raise", *TABLE), needs_round=True),
    "cancel-call": Act(post("judging:call-act", kept("call"), "cancel"), ready=_call("waiting"), needs_round=True),
    "take-call": Act(post("judging:call-act", kept("call"), "take"), ready=_call("waiting"), needs_round=True),
    "release-call": Act(post("judging:call-act", kept("call"), "release"), ready=_call("taken"), needs_round=True),
    "escalate-call": Act(
        post("judging:call-act", kept("call"), "escalate"),
        ready=_call("taken"),
        but=lambda w, r: r is Role.HEAD_JUDGE,
        needs_round=True,
    ),
    "arrive-at-table": Act(post("judging:call-act", kept("call"), "arrive"), ready=_call("waiting"), needs_round=True),
    "close-call": Act(
        post("judging:call-close", kept("call"), category="rule", outcome="ruled", minutes=0, agreed=0),
        ready=_call("at-table"),
        needs_round=True,
    ),
    # decisions
    "open-dispute": Act(post("judging:dispute", *TABLE), needs_round=True),
    "record-decision": Act(
        lambda w, r: (
            w.url("judging:rule"),
            {"round": 1, "table": w.match().table, "question": "May it?", "answer": "yes"},
        ),
        needs_round=True,
        but=DRAFTED,
    ),
    "appeal-decision": Act(
        post("judging:ruling-appeal", 1, appeal="I think not"),
        ready=_decision("stands"),
        needs_round=True,
        hidden=True,
    ),
    "withdraw-appeal": Act(
        post("judging:ruling-act", 1, "withdraw-appeal"), ready=_decision("appealed"), needs_round=True, hidden=True
    ),
    "answer-appeal": Act(
        post("judging:ruling-answer", 1, act="uphold", final_reasons="By the book"),
        ready=_decision("appealed"),
        needs_round=True,
        hidden=True,
    ),
    "reopen-appeal": Act(
        post("judging:ruling-act", 1, "reopen"), ready=_decision("upheld"), needs_round=True, hidden=True
    ),
    "take-decision-back": Act(
        post("judging:ruling-act", 1, "withdraw"), ready=_decision("stands"), needs_round=True, hidden=True
    ),
    "see-decisions": Act(see("judging:rulings")),
    # policy
    "override-policy": Act(post("policy-exception", rule=OVERRIDABLE, reason="A convention"), own_words=True),
    "withdraw-override": Act(post("policy-exception-revoke", kept("override")), ready=_override, own_words=True),
    "publish-season": Act(
        elsewhere("seasons", universe="marvel", name="Spring", begins="2030-01-01", ends="2030-03-31"), stateless=True
    ),
    # snapshots and moving
    "take-snapshot": Act(post("judging:snapshot-take"), leaves=Snapshot),
    "restore-event": Act(post("judging:snapshot-restore", kept("snapshot")), ready=_snapshot),
    "move-event": Act(post("judging:event-export"), leaves=Move),
    "hand-over-event": Act(post("judging:event-hand-over", other="The laptop")),
    "take-back-event": Act(post("judging:event-reclaim"), ready=_away, but=lambda w, r: w.event.state == ES.VERIFIED),
    "pair-machine": Act(elsewhere("judging:machines", name="The laptop"), stateless=True),
    "unpair-machine": Act(
        elsewhere("judging:machine-unpair", kept("machine")),
        ready=lambda w, r: keep(w, machine=pair(by=SITE, name="The laptop")[0]),
        stateless=True,
    ),
    # forces
    "build-force": Act(
        post("force-change", lambda w, r: w.mine(r, 2).number, act="describe", name="The Team"),
        but=lambda w, r: _paired(w) and r in (Role.PLAYER, Role.SCOREKEEPER),
        leaves=Force,
    ),
    "build-force-late": Act(
        post("force-change", lambda w, r: w.mine(r, 2).number, act="describe", name="The Team"),
        ready=_closed,
        own_words=True,
        leaves=Force,
    ),
    "change-force": Act(
        post("force-submit", lambda w, r: w.mine(r, 2).number),
        ready=_bench,
        but=lambda w, r: _paired(w),
        own_words=True,
    ),
    "change-force-late": Act(post("force-submit", lambda w, r: w.mine(r, 2).number), ready=_late, own_words=True),
    "register-pool": Act(
        post("pool", lambda w, r: w.mine(r, 2).number, act="hand", name="Recruit", section="characters", points=20),
        ready=_sealed,
        but=lambda w, r: w.state[1] in (RS.DRAFT, RS.COMPLETE),
        own_words=True,
    ),
    "change-pool-late": Act(
        post("pool", lambda w, r: w.mine(r, 2).number, act="hand", name="Recruit", section="characters", points=20),
        ready=_sealed_and_played,
        but=lambda w, r: w.state[1] == RS.DRAFT,
        own_words=True,
    ),
    "save-force": Act(elsewhere("forces-check-save", name="The Team"), ready=_free_force, stateless=True),
    "rename-saved-force": Act(
        elsewhere("my-force", kept("saved"), act="rename", name="Another Name"), ready=_saved_force, stateless=True
    ),
    "delete-saved-force": Act(
        elsewhere("my-force", kept("saved"), act="delete", confirmed="yes"), ready=_saved_force, stateless=True
    ),
    "check-forces": Act(
        post("judging:force-check", 2, act="look", ref=lambda w, r: w.kept["ref"]),
        ready=lambda w, r: submitted(w, Role.OFFICE),
    ),
    # boosters and prizes
    "start-booster-draft": Act(
        post("boosters", 1, boosters_each=1, booster_figures=2, pick_seconds=60),
        ready=_sealed,
        needs_round=True,
        own_words=True,
    ),
    "record-draft-pick": Act(
        post(
            "pod-record",
            *TABLE,
            lambda w, r: w.mine(r, w.kept["pod"].seats[0]).number,
            0,
            act="hand",
            name="Recruit",
            section="characters",
            points=20,
        ),
        ready=_pod,
        needs_round=True,
        own_words=True,
    ),
    "pass-boosters": Act(post("pod-pass", *TABLE, 0), ready=_pod, needs_round=True, own_words=True),
    "draft-on-paper": Act(
        post("pod-paper", *TABLE, entry=lambda w, r: w.kept["pod"].seats[0], on_paper="yes"),
        ready=_pod,
        needs_round=True,
        own_words=True,
    ),
    "edit-prize-draft": Act(post("prizes-act", "list", prizes="Batman\nRobin")),
    "start-prize-draft": Act(post("prizes-act", "start"), ready=_prizes, but=ROUND_STANDS_OPEN),
    "pick-prize": Act(post("prizes-act", "pick", prize="Batman"), ready=prizes_of_player),
    "skip-prize-turn": Act(post("prizes-act", "skip"), ready=prizes_of_player),
    "withdraw-prize-pick": Act(post("prizes-act", "withdraw"), ready=_prizes_picked),
    # the end
    "cut": Act(post("cut", places=2), but=NOT_COMPLETE),
    "replay-bracket": Act(post("replay"), ready=_nobody_won, but=NOT_COMPLETE),
    "finish-event": Act(post("end"), but=NOT_COMPLETE),
    "resume-event": Act(post("reopen-event")),
    "verify-event": Act(post("judging:finish-act", "verify")),
    "unverify-event": Act(post("judging:finish-act", "unverify")),
    "receive-copy": Act(post("judging:finish-act", "receive")),
    "report-event": Act(post("judging:finish-act", "report")),
    "mail-report": Act(post("judging:finish-act", "mail")),
    "give-penalty": Act(
        post("judging:penalties", entry=lambda w, r: w.entry(2).pk, kind="warning", category="other", text="Shouted"),
        own_words=True,
    ),
    "withdraw-penalty": Act(post("judging:penalty-withdraw", kept("penalty")), ready=_penalty),
    "undo": Act(post("judging:audit-log-entry", kept("act")), ready=_added, own_words=True),
    # what may be seen
    "see-console": Act(see("console")),
    "see-drafts": Act(see("draft", 1), needs_round=True, but=lambda w, r: False),
    "see-private-entries": Act(see("entry", 2), marker="<dt>Account</dt>"),
    "see-record": Act(see("judging:audit-log")),
    "export-event": Act(see("judging:sheet-json")),
    "see-calls": Act(see("judging:call", kept("call")), ready=_call("waiting"), needs_round=True, but=DRAFTED),
}
NOT_BY_A_REQUEST = {
    "create-token": "asks for the password again: test_tokens.py",
    "use-sign-in-code": "done by people who aren't signed in: test_code_sessions.py",
    "replay-bracket": "needs a bracket's round that nobody won: test_brackets_nobody_won.py",
    "import-event": "a file is read: test_forged_files.py",
    "vouch-for-file": "a file is read: test_forged_files.py",
    "erase-self": "test_personal_data.py",
    "erase-person": "test_personal_data.py",
    "send-reminders": "done by a command at night: test_reminders.py",
}
