"""Random events of 5 to 16 players (up to 200 in `make soak`), played through pages and checked at each step.

Players drop, come late and re-enter; results are corrected, rounds reopened, pairings unpublished. After every step:
each active player is seated once, no rematch and no second bye was avoidable (by a separate oracle), and the standings
match a recount.
"""

from __future__ import annotations

import json
import random

import networkx
import pytest
from django.urls import reverse

from events.models import Entry, Event, Match, Round
from events.services import entries as entry_services
from tests.factories import EntryFactory

pytestmark = pytest.mark.django_db

SIZES = [16, 11, 8, 5]
MORE_SIZES = [200, 128, 90, 64, 47, 40, 33, 28, 24, 21, 17, 13, 12, 9, 7, 6]
ROUNDS = {5: 3, 6: 3, 7: 4, 8: 4, 128: 5, 200: 5}
MIN_SHARE = 0.3


class Simulation:
    """One event and its officials; every write is a request."""

    def __init__(self, staff, size: int, seed: int) -> None:
        self.staff, self.event, self.chance = staff, staff.event, random.Random(seed)
        self.client = staff.client("head_judge")
        self.rounds = ROUNDS.get(size, 5)
        Event.objects.filter(pk=self.event.pk).update(seats=size + 20, number_of_rounds=self.rounds, seed=seed)
        Entry.objects.bulk_create(
            EntryFactory.build(event=self.event, number=number, name=f"Player {number:03d}", club=f"Club {number % 5}")
            for number in range(1, size + 1)
        )

    def url(self, name: str, *args: object) -> str:
        return reverse(f"events:{name}", args=[self.event.public_id, *args])

    def post(self, page: str, *args: object, expect: tuple[int, ...] = (302,), **given: object):
        answer = self.client.post(self.url(page, *args), given)
        assert answer.status_code in expect, (page, args, given, answer.status_code, answer.content.decode()[:3000])
        return answer

    # steps

    def play(self) -> None:
        for number in range(1, self.rounds + 1):
            self.pair(number)
            self.results(number)
            self.disturb(number)
            self.post("complete", number)
            self.check_standings()
            if number < self.rounds:
                self.between(number)
        self.finish()

    def pair(self, number: int) -> None:
        active = set(self.event.entries.filter(state=Entry.State.CHECKED_IN).values_list("pk", flat=True))
        met, byes = self.history()
        answer = self.client.post(self.url("draft-next"))
        if answer.status_code != 302:
            assert not self.can_pair(active, met), answer.content.decode()[:2000]
            answer = self.client.post(
                self.url("draft-next"), {"allow_rematch": "on", "confirmed": "yes", "reason": "Everyone has played"}
            )
            assert answer.status_code == 302, answer.content.decode()[:2000]
        round_ = self.event.rounds.get(number=number)
        if self.chance.random() < 0.2:
            self.post("discard", number)
            self.post("draft-next", expect=(302, 409, 200))
            if not self.event.rounds.filter(number=number).exists():
                self.post("draft-next", allow_rematch="on", confirmed="yes", reason="Everyone has played")
        self.check_round(round_ := self.event.rounds.get(number=number), active, met, byes)
        self.post("publish", number, version=round_.version)
        if self.chance.random() < 0.1:
            self.post("unpublish", number, confirmed="yes", reason="Pinned up the wrong list")
            self.post("publish", number)
        self.check_round(self.event.rounds.get(number=number), active, met, byes)
        self.post("clock", act="start")

    def results(self, number: int) -> None:
        for table in self.event.rounds.get(number=number).matches.filter(kind="game").values_list("table", flat=True):
            a = self.chance.randrange(201)
            b = self.chance.randrange(201)
            self.post("results", number, table=table, score_a=a, score_b=b if b != a else (a + 1) % 201)

    def disturb(self, number: int) -> None:
        """Correct results, reopen the round, or let a player leave."""
        games = list(self.event.rounds.get(number=number).matches.filter(kind="game"))
        for match in self.chance.sample(games, min(2, len(games))):
            given = {
                "act": "correct",
                "score_a": 33,
                "score_b": 44,
                "reason": "Typed the wrong way round",
                "confirmed": "yes",
            }
            self.post("enter-result", number, match.table, version=match.version, **given)
        if self.chance.random() < 0.3:
            self.post("complete", number)
            self.post("reopen", number, confirmed="yes", reason="A slip was found under the table")
            match = self.chance.choice(games)
            match.refresh_from_db()
            given = {"act": "correct", "score_a": 150, "score_b": 10, "reason": "The slip says so", "confirmed": "yes"}
            self.post("enter-result", number, match.table, version=match.version, **given)
        self.check_standings()

    def between(self, number: int) -> None:
        playing = list(self.event.entries.filter(state=Entry.State.CHECKED_IN))
        for entry in self.chance.sample(playing, min(len(playing) // 12, 4)):
            self.post("entry-act", entry.number, "drop", confirmed="yes", reason="Had to leave")
        gone = list(self.event.entries.filter(state=Entry.State.DROPPED))
        if gone and self.chance.random() < 0.4:
            self.post(
                "entry-act", self.chance.choice(gone).number, "return", confirmed="yes", reason="Missed the train"
            )
        if number == 1 and self.chance.random() < 0.5:
            late = {"name": "Late Player", "declares": "on", "checked_in": "on"}
            before = self.event.entries.count()
            self.post("entry-add", **late)
            assert self.event.entries.count() == before + 1
            entry = self.event.entries.order_by("-number").first()
            if entry.state != Entry.State.CHECKED_IN:
                entry_services.check_in(by=self.staff.actor("scorekeeper"), entry=entry)
        self.check_standings()

    def finish(self) -> None:
        self.event.refresh_from_db()
        if self.event.state == Event.State.RUNNING:
            self.post("end", confirmed="yes")
            self.event.refresh_from_db()
        assert self.event.state == Event.State.FINISHED
        answer = self.client.post(reverse("judging:finish-act", args=[self.event.public_id, "verify"]))
        assert answer.status_code == 302
        document = json.loads(self.client.get(reverse("judging:sheet-json", args=[self.event.public_id])).content)
        assert (
            sum(len(row["matches"]) for row in document["rounds"])
            == Match.objects.filter(round__event=self.event).count()
        )

    # invariants

    def history(self) -> tuple[set[frozenset[int]], dict[int, int]]:
        met: set[frozenset[int]] = set()
        byes: dict[int, int] = {}
        for match in Match.objects.filter(round__event=self.event).exclude(round__state=Round.State.DRAFT):
            if match.b_id:
                met.add(frozenset([match.a_id, match.b_id]))
            elif match.kind == Match.Kind.BYE:
                byes[match.a_id] = byes.get(match.a_id, 0) + 1
        return met, byes

    def can_pair(self, players: set[int], met: set[frozenset[int]]) -> bool:
        """Return whether all players (or all but any one, if odd) can meet a new opponent."""
        if len(players) % 2:
            return any(self.can_pair(players - {player}, met) for player in players)
        graph = networkx.Graph()
        graph.add_nodes_from(players)
        graph.add_edges_from((a, b) for a in players for b in players if a < b and frozenset([a, b]) not in met)
        return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(players)

    def check_round(self, round_: Round, active: set[int], met: set[frozenset[int]], byes: dict[int, int]) -> None:
        matches = list(round_.matches.exclude(kind=Match.Kind.MISSED))
        seated = [pk for match in matches for pk in (match.a_id, match.b_id) if pk]
        assert sorted(seated) == sorted(active), "each active player is seated once"
        tables = [match.table for match in matches if match.table is not None]
        assert len(tables) == len(set(tables))
        pairs = [frozenset([match.a_id, match.b_id]) for match in matches if match.b_id]
        again = [pair for pair in pairs if pair in met]
        bye = [match.a_id for match in matches if match.kind == Match.Kind.BYE]
        assert len(bye) == len(active) % 2
        if again:
            assert not self.can_pair(active, met), "a rematch that could be avoided"
        elif bye and byes.get(bye[0], 0):
            fewer = [pk for pk in active if byes.get(pk, 0) < byes[bye[0]]]
            assert not any(self.can_pair(active - {pk}, met) for pk in fewer), "a second bye that could be avoided"

    def check_standings(self) -> None:
        """Recount wins, points and opponents' wins from the rows, and compare with the API."""
        wins: dict[int, int] = {}
        points: dict[int, int] = {}
        games: dict[int, list[int]] = {}
        for entry in self.event.entries.exclude(state__in=[Entry.State.WAITING, Entry.State.WITHDRAWN]):
            wins[entry.pk], points[entry.pk], games[entry.pk] = 0, 0, []
        won_games, missed = dict.fromkeys(wins, 0), dict.fromkeys(wins, 0)
        for match in Match.objects.filter(round__event=self.event, state=Match.State.CONFIRMED):
            if match.kind == Match.Kind.MISSED:
                missed[match.a_id] += 1
                continue
            if match.kind == Match.Kind.BYE:
                wins[match.a_id] += 1
                points[match.a_id] += self.event.build_total // 2
                continue
            result = match.result
            for side, pk, other in (("a", match.a_id, match.b_id), ("b", match.b_id, match.a_id)):
                points[pk] += min(result.score(side), self.event.build_total)
                games[pk].append(other)
                if result.winner == side:
                    wins[pk] += 1
                    won_games[pk] += 1
        rounds = {pk: len(played) + missed[pk] for pk, played in games.items()}
        share = {pk: max(MIN_SHARE, won_games[pk] / rounds[pk] if rounds[pk] else 0) for pk in games}
        against = {
            pk: sum(share[o] for o in played) / len(played) if (played := games[pk]) else MIN_SHARE for pk in games
        }
        numbers = dict(self.event.entries.values_list("pk", "number"))
        lines = self.client.get(f"/api/events/{self.event.public_id}/standings").json()
        shown = {line["entry"]: line["columns"] for line in lines}
        assert len(shown) == len(wins)
        for pk, number in numbers.items():
            if pk in wins:
                columns = shown[number]
                assert (columns["wins"]["exact"], columns["victory-points"]["exact"]) == (wins[pk], points[pk])
                percent = float(columns["opponents-win-percentage"]["shown"].rstrip("%"))
                assert percent == pytest.approx(100 * against[pk], abs=0.006)
        order = [(-columns["wins"]["exact"], -columns["victory-points"]["exact"]) for columns in shown.values()]
        assert order == sorted(order)


@pytest.mark.parametrize("size", [*SIZES, *(pytest.param(size, marks=pytest.mark.soak) for size in MORE_SIZES)])
def test_a_random_event_is_played_to_its_end(staff, size):
    Simulation(staff, size, seed=size).play()
