"""A simulated event, played through requests by a process that may be killed at any moment, and checks afterwards.

`play` continues from any state, and prints each action once the site has acknowledged it. `look` returns what is wrong
after a kill.
"""

from __future__ import annotations

import itertools
import json
import random
import time

PLAYERS = 12


def set_up() -> None:
    """Create the staff and a field of checked-in players."""
    from events.models import Person
    from tests.factories import VolunteerFactory

    if not Person.objects.filter(email="head@example.org").exists():
        head = VolunteerFactory().person
        Person.objects.filter(pk=head.pk).update(email="head@example.org")
    next_event()


def next_event() -> None:
    """Create another event once the last one is finished; if killed in between, none is created."""
    from django.db import transaction

    from events.models import Official, Person
    from tests.events.simulation import players
    from tests.factories import EventFactory

    with transaction.atomic():
        event = EventFactory(number_of_rounds=6)
        Official.objects.create(
            event=event,
            person=Person.objects.get(email="head@example.org"),
            role="head-judge",
            accepted=event.created,
            confirmed=event.created,
        )
        players(event, PLAYERS)


def said(**act: object) -> None:
    print(json.dumps(act), flush=True)  # noqa: T201


def play(seed: int) -> None:
    """Play on through requests until this process is killed."""
    from django.test import Client

    from events.models import Event, Person

    chance = random.Random(seed)
    client = Client()
    client.force_login(
        Person.objects.get(email="head@example.org"), backend="django.contrib.auth.backends.ModelBackend"
    )
    said(act="began")
    while True:
        event = Event.objects.exclude(state__in=["finished", "verified"]).first()
        if event is None:
            next_event()
        else:
            step(client, event, chance)


def step(client, event, chance: random.Random) -> None:
    """Do the next step, and print it once it is acknowledged."""
    from events.models import AuditEntry, Match, Round

    at = f"/events/{event.public_id}/"
    last = Round.objects.filter(event=event).order_by("-number").first()
    told: dict[str, object] = {}
    if last is not None and last.state in ("published", "running"):
        waiting = list(Match.objects.filter(round=last, kind="game").exclude(state="confirmed").order_by("table"))
        runs = last.clock_runs.count()
        if runs < 2 or chance.random() < 0.15:
            open_run = last.clock_runs.filter(ended=None).first()
            act = "preparation" if not runs else "start" if runs == 1 else "pause" if open_run else "resume"
            before = time.time()
            answer = client.post(f"{at}clock/", {"act": act})
            told = {"act": "clock", "what": act, "round": last.pk, "between": [before, time.time()]}
        elif waiting:
            match = chance.choice(waiting)
            points = [100 + chance.randrange(90), chance.randrange(90)]
            address = f"{at}rounds/{last.number}/tables/{match.table}/enter/"
            answer = client.post(address, {"act": "enter", "score_a": points[0], "score_b": points[1]})
            told = {"act": "result", "match": match.pk, "points": points}
        else:
            answer = client.post(f"{at}rounds/{last.number}/complete/")
            told = {"act": "complete", "round": last.pk}
    elif last is not None and last.state == "draft":
        answer = client.post(f"{at}rounds/{last.number}/publish/")
        told = {"act": "publish", "round": last.pk}
    elif last is not None and last.number >= event.number_of_rounds:
        answer = client.post(f"{at}end/", {"confirmed": "yes"})
        told = {"act": "end", "event": event.pk}
    else:
        answer = client.post(f"{at}rounds/pair/")
        told = {"act": "pair", "event": event.pk, "number": last.number + 1 if last else 1}
        if answer.status_code == 409:  # all players have met: the event ends
            answer = client.post(f"{at}end/", {"confirmed": "yes"})
            told = {"act": "end", "event": event.pk}
    assert answer.status_code == 302, (told, answer.status_code, answer.content.decode()[-1500:])
    said(**told, record=AuditEntry.objects.order_by("-pk").values_list("pk", flat=True).first())


# checks


def look(acts: list[dict]) -> list[str]:
    """Return everything that is wrong after a kill: acknowledged but lost, half done, or a wrong clock."""
    from django.db import connection

    from events.models import AuditEntry, Event, Match, Round

    faults = []
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for pragma in ("integrity_check", "foreign_key_check"):
                found = cursor.execute(f"PRAGMA {pragma}").fetchall()
                faults += [] if found in ([], [("ok",)]) else [f"{pragma}: {found[:3]}"]
    record = set(AuditEntry.objects.values_list("pk", flat=True))
    matches = {match.pk: match for match in Match.objects.select_related("round").prefetch_related("claims")}
    rounds = {row.pk: row for row in Round.objects.prefetch_related("clock_runs")}
    for act in acts:
        if act.get("record") and act["record"] not in record:
            faults.append(f"lost: entry {act['record']} of {act}")
        if act["act"] == "result":
            match = matches[act["match"]]
            kept = match.result and [match.result.score("a"), match.result.score("b")]
            if match.state != "confirmed" or kept != act["points"]:
                faults.append(f"lost: {act}, kept {kept}")
        if act["act"] == "publish" and rounds[act["round"]].state == "draft":
            faults.append(f"lost: {act}")
        if act["act"] == "complete" and rounds[act["round"]].state != "complete":
            faults.append(f"lost: {act}")
        if act["act"] == "pair" and not Round.objects.filter(event=act["event"], number=act["number"]).exists():
            faults.append(f"lost: {act}")
        if act["act"] == "end" and Event.objects.get(pk=act["event"]).state != "finished":
            faults.append(f"lost: {act}")
    for event in Event.objects.filter(rounds__isnull=False).distinct():
        faults += half_done(event, matches.values())
    faults += clocks_off(acts, rounds)
    return faults + versions_off() + files_off()


def half_done(event, matches) -> list[str]:
    """Return rounds of the event that are half seated, published or completed."""
    faults = []
    entries = set(event.entries.values_list("pk", flat=True))
    for row in event.rounds.all():
        mine = [match for match in matches if match.round_id == row.pk]
        seats = [seat for match in mine for seat in (match.a_id, match.b_id) if seat]
        if sorted(seats) != sorted(entries):
            faults.append(f"{event} {row}: {len(seats)} seats for {len(entries)} players")
        for match in mine:
            counting = [claim.result for claim in match.claims.all() if claim.counts]
            if (match.state == "confirmed") != bool(match.result) or (match.result and match.result not in counting):
                faults.append(f"{event} {row} table {match.table}: {match.state}, {match.result}, {counting}")
            if row.state in ("published", "running", "complete") and match.kind == "bye" and match.state != "confirmed":
                faults.append(f"{event} {row}: a bye without its result")
            if row.state == "complete" and match.state != "confirmed":
                faults.append(f"{event} {row} is complete and table {match.table} open")
    return faults


def clocks_off(acts: list[dict], rounds) -> list[str]:
    """Return rounds whose clock differs from the sum of the acknowledged starts and pauses."""
    from django.utils import timezone

    from events.services.clock import reading_of

    faults = []
    of_round = {pk: [act for act in acts if act["act"] == "clock" and act["round"] == pk] for pk in rounds}
    for pk, presses in of_round.items():
        runs = list(rounds[pk].clock_runs.order_by("began", "pk"))
        if sum(run.ended is None for run in runs) > 1:
            faults.append(f"round {pk}: two clocks run")
        if rounds[pk].state == "complete" or not presses:
            continue
        moments = sorted(moment.timestamp() for run in runs for moment in (run.began, run.ended) if moment)
        for press in presses:
            early, late = press["between"]
            if not any(early - 0.05 <= moment <= late + 0.05 for moment in moments):
                faults.append(f"round {pk}: {press['what']} was acknowledged and no run knows it")
        phase = runs[-1].phase
        length = rounds[pk].preparation_seconds if phase == "preparation" else rounds[pk].round_seconds
        now = timezone.now()
        gone = sum(((run.ended or now) - run.began).total_seconds() for run in runs if run.phase == phase)
        left = reading_of(rounds[pk]).remaining
        if abs(left - (length - gone)) > 3:
            faults.append(f"round {pk}: {left} s are left and should be {length - gone:.1f}")
    return faults


def versions_off() -> list[str]:
    """Return rows whose version differs from the audit log's count: one was written without the other."""
    from events.models import AuditEntry, Match, Round

    counted: dict[tuple[str, int], int] = {}
    for changes in AuditEntry.objects.values_list("changes", flat=True):
        for change in changes:
            if change["before"] is not None:
                place = (change["model"], change["id"])
                counted[place] = counted.get(place, 0) + 1
    rows = itertools.chain(Match.objects.all(), Round.objects.all())
    return [
        f"{row._meta.label} {row.pk}: version {row.version}, {counted.get((row._meta.label, row.pk), 0)} changes recorded"
        for row in rows
        if row.version != 1 + counted.get((row._meta.label, row.pk), 0)
    ]


def files_off() -> list[str]:
    """Return stored files that a row names and that are missing or incomplete."""
    from judging.keeping import storage
    from judging.keeping.whole_file import read_file
    from judging.models import Snapshot

    faults = []
    for snapshot in Snapshot.objects.filter(problem="").order_by("-pk")[:3]:
        try:
            read_file(storage.read(storage.place(snapshot.file), snapshot.sha256))
        except Exception as fault:
            faults.append(f"snapshot {snapshot.pk}: {fault}")
    return faults
