"""Rounds, their matches and clock, and the results that players and officials report."""

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from events.results.result import SEATS, Result, Seat
from events.results.words import (
    THIRD_PLACE,
    is_for_third_place,
    round_heading,
    round_mark,
    round_name,
    short_round_name,
    the_round,
    third_place_name,
)

from .events import Entry, Event
from .fields import ResultField
from .people import Person

HEAVY = ("tournament", "pairing_report")


def heavy_beside(path: str) -> tuple[str, ...]:
    """Return what a query that joins rounds by this path must defer: read for each row, it costs seconds."""
    return tuple(f"{path}__{name}" for name in HEAVY)


class LightRounds(models.Manager["Round"]):
    """Rounds without the large files they were paired from, which load on access."""

    def get_queryset(self) -> models.QuerySet["Round"]:
        """Return all rounds with their files deferred."""
        return super().get_queryset().defer(*HEAVY)


class Round(models.Model):
    """A round of an event: draft → published → running → complete (→ reopened as running)."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        RUNNING = "running", _("running")
        COMPLETE = "complete", _("complete")

    class Stage(models.TextChoices):
        MAIN = "main", _("main rounds")
        CUT = "cut", _("cut")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"))
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.MAIN)
    bracket_size = models.PositiveSmallIntegerField(
        null=True, editable=False, help_text="Places of the bracket in this round: 2 in the final; empty outside one."
    )
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.DRAFT)
    scenario = models.CharField(_("scenario"), max_length=40, blank=True)
    seed = models.PositiveBigIntegerField(default=0)
    tournament = models.JSONField(_("tournament file used for pairing"), default=dict)
    pairing_report = models.JSONField(_("pairing report"), default=dict)
    changes_by_hand = models.JSONField(_("manual changes"), default=list)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    completed_at = models.DateTimeField(_("completed"), null=True, blank=True)
    times_reopened = models.PositiveSmallIntegerField(default=0)
    preparation_seconds = models.PositiveIntegerField(default=600)
    round_seconds = models.PositiveIntegerField(default=3000)
    own_minutes = models.PositiveSmallIntegerField(
        _("minutes of this round"), null=True, blank=True, help_text=_("Leave empty for the event's setting.")
    )
    added_seconds = models.IntegerField(_("seconds added for all tables"), default=0)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = LightRounds()

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_round_per_number")]

    def __str__(self) -> str:
        return round_name(self.number, self.bracket_size)

    @property
    def heading(self) -> str:
        """Its name at the head of a column."""
        return round_heading(self.number, self.bracket_size)

    @property
    def mark(self) -> str:
        """Its name below the heading "Round"."""
        return round_mark(self.number, self.bracket_size)

    @property
    def short_name(self) -> str:
        """Its name within a sentence."""
        return short_round_name(self.number, self.bracket_size)

    @property
    def with_minutes(self) -> str:
        """Its name and how long it lasts, as paper has it."""
        minutes = self.round_seconds // 60
        words = ngettext("%(round)s · %(n)d minute", "%(round)s · %(n)d minutes", minutes)
        return words % {"round": self, "n": minutes}

    @property
    def definite_name(self) -> str:
        """Its name after a preposition."""
        return the_round(self.number, self.bracket_size)


class ClockRun(models.Model):
    """An interval during which a round's clock ran; the current one has no end. The server never ticks."""

    class Phase(models.TextChoices):
        PREPARATION = "preparation", _("preparation")
        ROUND = "round", _("round")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="clock_runs")
    phase = models.CharField(max_length=12, choices=Phase)
    began = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["began", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round"], condition=models.Q(ended__isnull=True), name="one_open_run_per_round"
            )
        ]

    def __str__(self) -> str:
        return f"{self.round} {self.phase} {self.began:%H:%M:%S}"


class Matches(models.QuerySet["Match"]):
    """Matches, with the joins that pages need."""

    def with_round(self, seats: Sequence[Seat] = SEATS) -> "Matches":
        """Return them with their rounds (without the files these were paired from) and entries, in one query."""
        return self.with_entries(seats).select_related("round").defer(*heavy_beside("round"))

    def with_entries(self, seats: Sequence[Seat] = SEATS) -> "Matches":
        """Return them with the entries of these seats, in one query; a seat left out is read when it's asked for.

        Each seat costs a join of every column of an entry: what a whole hall asks at once names only the seats it has.
        """
        return self.select_related(*seats)


def sits(*entries: Any, at: Sequence[Seat] = SEATS) -> models.Q:
    """Return the condition that one of these entries sits in a match, in any of these seats."""
    one_of = {f"{seat}__in": entries for seat in at} if len(entries) > 1 else dict.fromkeys(at, entries[0])
    return models.Q(*one_of.items(), _connector=models.Q.OR)


class Match(models.Model):
    """A pairing of a round: two to four entries at a table, or one with a bye (or a loss for a missed round).

    The seats are `a` and `b`; `c` and `d` are filled only at tables of three or four.
    """

    class Kind(models.TextChoices):
        GAME = "game", _("match")
        BYE = "bye", _("bye")
        AWARDED = "awarded", _("awarded bye")
        MISSED = "missed", _("round missed (loss)")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLAIMED = "claimed", _("waiting for the second report")
        DISPUTED = "disputed", _("reports don't match")
        CONFIRMED = "confirmed", _("confirmed")

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="matches")
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.GAME)
    a = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="matches_as_a")
    b = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="matches_as_b")
    c = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="matches_as_c")
    d = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="matches_as_d")
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.OPEN)
    result: "models.JSONField[Result | None, Result | None]" = ResultField(
        _("the result that counts"), null=True, blank=True
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)
    bracket_slot = models.PositiveSmallIntegerField(_("place in the bracket"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = Matches.as_manager()

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ["table", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["round", "table"], name="one_match_per_table"),
            models.UniqueConstraint(fields=["round", "a"], name="one_match_per_a"),
            models.UniqueConstraint(fields=["round", "b"], name="one_match_per_b"),
            models.UniqueConstraint(fields=["round", "c"], name="one_match_per_c"),
            models.UniqueConstraint(fields=["round", "d"], name="one_match_per_d"),
            models.CheckConstraint(condition=~models.Q(a=models.F("b")), name="nobody_meets_himself"),
        ]

    def __str__(self) -> str:
        return " – ".join(map(str, self.entries)) if self.b else f"{self.a} ({self.get_kind_display()})"

    @property
    def entry_ids(self) -> tuple[int, ...]:
        """The keys of the entries that sit here, by seat."""
        return tuple(pk for pk in (self.a_id, self.b_id, self.c_id, self.d_id) if pk is not None)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries that sit here, by seat."""
        return tuple(entry for entry in (self.a, self.b, self.c, self.d) if entry is not None)

    @property
    def is_of_many(self) -> bool:
        """Whether more than two play."""
        return self.c_id is not None

    @property
    def pairs(self) -> tuple[tuple[Entry, ...], ...]:
        """The two pairs of partners at a table of four at which teams meet; else nothing."""
        if self.c is None or self.d is None or self.b is None or not self.a.team_id or self.a.team_id != self.c.team_id:
            return ()
        return (self.a, self.c), (self.b, self.d)

    def teams_among(self, names: Mapping[int, str]) -> list[str]:
        """Return the teams that meet, by the `names` of teams by entry's key."""
        first = [pair[0].pk for pair in self.pairs] or self.entry_ids
        return [names[pk] for pk in first if pk in names]

    def opponents_of(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the others at the table of one of the match's entries, without a partner."""
        return tuple(
            other
            for other in self.entries
            if other.pk != entry.pk and (not entry.team_id or other.team_id != entry.team_id)
        )

    def seat_of(self, entry: Entry) -> Seat:
        """Return the seat of one of the match's entries."""
        return SEATS[self.entry_ids.index(entry.pk)]

    def entry_at(self, seat: Seat | None) -> Entry | None:
        """Return the entry in a seat; None if the seat is None or empty."""
        return {"a": self.a, "b": self.b, "c": self.c, "d": self.d}.get(seat or "")

    @property
    def note(self) -> str:
        """What pairings say of it beside its players: what stands in place of a game, or that it's for third place."""
        if self.b_id is None:
            return self.get_kind_display()
        return str(THIRD_PLACE) if self.is_third_place else ""

    @property
    def is_third_place(self) -> bool:
        """Whether the losing semifinalists play it beside the final."""
        return is_for_third_place(self.round.bracket_size, self.bracket_slot)

    @property
    def round_name(self) -> str:
        """The name of its round; a match for third place has its own instead of the final's."""
        return third_place_name(self.round.number) if self.is_third_place else str(self.round)


class Extension(models.Model):
    """Extra time for one table, with its reason."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="extensions")
    seconds = models.IntegerField(_("seconds"))
    reason = models.CharField(_("reason"), max_length=200)
    given_by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    withdrawn = models.BooleanField(default=False)

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"+{datetime.timedelta(seconds=self.seconds)} {self.reason}"


class Claim(models.Model):
    """One person's report of a match's result; never overwritten, but it may be withdrawn."""

    class How(models.TextChoices):
        PLAYER = "player", _("a player's report")
        SLIP = "slip", _("a slip signed by the players")
        SCOREKEEPER = "scorekeeper", _("entered at the judges' table")
        JUDGE = "judge", _("a judge's decision")
        SYSTEM = "system", _("set by the rules")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="claims")
    how = models.CharField(max_length=12, choices=How)
    by_entry = models.ForeignKey(Entry, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    by_person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    result: "models.JSONField[Result, Result]" = ResultField()
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    counts = models.BooleanField(
        default=True,
        help_text=_("A report stops counting once it is withdrawn or the same person submits a later one."),
    )

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.match}: {self.get_how_display()}"
