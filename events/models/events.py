"""Events with their settings, and their officials, announcements and entries."""

import secrets
from collections import Counter

from django.db import models
from django.db.models.functions import Lower
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from events.choices import proposed_rounds
from events.names import name_key, short_name
from events.results.words import the_round
from rules.queries import set_names

from .fields import NameField, RoundNumbersField
from .people import Person
from .venues import Hall, Venue

DEFAULT_PLACE_POINTS = (4, 3, 2, 1)
"""Points for each place at a table of three or four, unless an event has others."""


FINALISTS = 2


def new_public_id() -> str:
    """Return a short, unguessable id for URLs of events, entries and forces; no command takes it for an option."""
    while (found := secrets.token_urlsafe(9)).startswith("-"):
        pass
    return found


def new_seed() -> int:
    """Return a random seed for an event's draws; it is published."""
    return secrets.randbelow(2**31)


def new_link_secret() -> str:
    """Return a secret that signs the player links of an event; it moves with the event."""
    return secrets.token_urlsafe(24)


class Event(models.Model):
    """A tournament at a venue, with every setting that its rules leave open. A Battle Royale's build total may be 0: none."""

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open for registration")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished, not yet verified")
        VERIFIED = "verified", _("verified")
        CANCELLED = "cancelled", _("cancelled")

    class Format(models.TextChoices):
        CONSTRUCTED = "constructed", _("constructed")
        HEAD_TO_HEAD = "head-to-head", _("head-to-head")
        SEALED_BOOSTER = "sealed-booster", _("sealed booster")
        SEALED_STARTER = "sealed-starter", _("sealed starter")
        BATTLE_ROYALE = "battle-royale", _("Battle Royale")

    class Style(models.TextChoices):
        SWISS = "swiss", _("Swiss")
        ELIMINATION = "elimination", _("single elimination")
        ROUND_ROBIN = "round-robin", _("round robin")

    class TableSize(models.IntegerChoices):
        TWO = 2, _("two")
        THREE = 3, _("three (free-for-all)")
        FOUR = 4, _("four (free-for-all)")

    class TableTies(models.TextChoices):
        EITHER = "either", _("shared place, unless the players roll off")
        ROLL_OFF = "roll-off", _("always a roll-off")
        SHARED = "shared", _("always a shared place")

    class FirstRound(models.TextChoices):
        DRAWN = "drawn", _("drawn by lot")
        FOLD = "fold", _("by rank: the first meets the last")
        SLIDE = "slide", _("by rank: the upper half meets the lower half in the same order")
        RANDOM = "random", _("by rank: the upper half meets the lower half, with opponents drawn by lot")

    class Edition(models.TextChoices):
        IC_2002 = "ic-2002", _("Infinity Challenge, 2002")
        CAR_2002 = "car-2002", _("Compiled and Annotated Rulebook, 2002")
        DC_2005 = "dc-2005", _("DC starter set, 2005")
        CORE_2014 = "core-2014", _("Core Rulebook, 2014")
        CORE_MODERN = "core-modern", _("Core Rulebook of the 2020s")

    class Universe(models.TextChoices):
        MARVEL = "marvel", "Marvel"
        DC = "dc", "DC"
        INDY = "indy", _("Indy")
        ANY = "any", pgettext_lazy("universe", "any")

    class TimeCalled(models.TextChoices):
        ACTION = "action", _("finish the current action")
        TURN = "turn", _("finish the current turn")
        ROUND = "round", _("play one last turn each")

    class LateStart(models.TextChoices):
        LOSS = "loss", _("a loss for each round missed")
        BYE = "bye", _("a bye for each round missed")

    class ByeScore(models.TextChoices):
        HALF = "half", _("half the build total")
        FULL = "full", _("the build total")
        NONE = "none", _("no victory points")

    class TiedGame(models.TextChoices):
        EDITION = "edition", _("the edition's tie-breaker")
        DOUBLE_LOSS = "double-loss", _("the edition's tie-breaker; double loss if neither player scored")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    venue = models.ForeignKey(Venue, on_delete=models.PROTECT, related_name="events", verbose_name=_("venue"))
    hall = models.ForeignKey(
        Hall, on_delete=models.SET_NULL, null=True, blank=True, related_name="events", verbose_name=_("hall")
    )
    name = NameField(_("name"), max_length=120)
    description = models.TextField(_("description"), max_length=4000, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.DRAFT)
    fee = models.CharField(_("fee"), max_length=80, blank=True, help_text=_("For example “€5”. Leave empty if free."))
    prizes = models.TextField(_("prizes"), max_length=1000, blank=True)
    is_practice = models.BooleanField(
        _("practice event"), default=False, help_text=_("A practice event isn't sanctioned and needs no report.")
    )
    starts = models.DateTimeField(_("starts"), help_text=_("Venue time."))
    ended = models.DateTimeField(_("ended"), null=True, blank=True)
    universe = models.CharField(_("universe"), max_length=12, choices=Universe, default=Universe.ANY)
    format = models.CharField(_("format"), max_length=20, choices=Format, default=Format.CONSTRUCTED)
    edition = models.CharField(_("rulebook edition"), max_length=20, choices=Edition, default=Edition.CAR_2002)
    build_total = models.PositiveIntegerField(_("build total"), default=200)
    sets = models.JSONField(_("allowed sets"), default=list, blank=True)
    tactics = models.JSONField(_("allowed tactics"), null=True, blank=True)
    event_dial = models.BooleanField(_("event dial"), default=False)
    seats = models.PositiveSmallIntegerField(_("seats"), default=32)
    first_table = models.PositiveSmallIntegerField(_("first table"), default=1)
    table_size = models.PositiveSmallIntegerField(_("players at a table"), choices=TableSize, default=TableSize.TWO)
    place_points = models.JSONField(
        _("points by place"),
        default=list,
        blank=True,
        help_text=_("This setting applies only at tables of three or four."),
    )
    table_ties = models.CharField(
        _("ties at a table"),
        max_length=8,
        choices=TableTies,
        default=TableTies.EITHER,
        help_text=_("This setting applies only at tables of three or four."),
    )
    teams_of_two = models.BooleanField(_("teams of two"), default=False)
    pair_bonus = models.PositiveSmallIntegerField(
        _("bonus for the winning team"),
        default=1,
        help_text=_("In events with teams, each player of the team that wins a table of four gets these extra points."),
    )
    boosters_each = models.PositiveSmallIntegerField(_("boosters per player"), default=1, editable=False)
    booster_figures = models.PositiveSmallIntegerField(_("figures per booster"), default=5, editable=False)
    pick_seconds = models.PositiveSmallIntegerField(_("seconds per pick"), default=60, editable=False)
    pairing_style = models.CharField(_("pairing"), max_length=16, choices=Style, default=Style.SWISS)
    first_round = models.CharField(_("round 1"), max_length=8, choices=FirstRound, default=FirstRound.DRAWN)
    number_of_rounds = models.PositiveSmallIntegerField(
        _("rounds"),
        null=True,
        blank=True,
        help_text=_("Leave empty to get a suggestion based on the number of players."),
    )
    cut_to = models.PositiveSmallIntegerField(_("cut to top"), default=0)
    third_place = models.BooleanField(_("match for third place"), default=False)
    round_minutes = models.PositiveSmallIntegerField(_("minutes per round"), default=50)
    cut_minutes = models.PositiveSmallIntegerField(_("minutes per round of the bracket"), null=True, blank=True)
    final_minutes = models.PositiveSmallIntegerField(_("minutes for the final"), null=True, blank=True)
    next_round_at = models.DateTimeField(_("next round starts"), null=True, blank=True, editable=False)
    preparation_minutes = models.PositiveSmallIntegerField(_("minutes of preparation"), default=10)
    scenarios = models.JSONField(_("scenario for each round"), default=list, blank=True)
    cascade = models.JSONField(_("standings order"), default=list, blank=True)
    bye_score = models.CharField(_("victory points for a bye"), max_length=8, choices=ByeScore, default=ByeScore.HALF)
    cap_points = models.BooleanField(_("cap victory points at the build total"), default=True)
    time_called = models.CharField(
        _("when time is called"), max_length=8, choices=TimeCalled, default=TimeCalled.ACTION
    )
    tied_game = models.CharField(_("tied matches"), max_length=16, choices=TiedGame, default=TiedGame.EDITION)
    late_start = models.CharField(_("late entries get"), max_length=8, choices=LateStart, default=LateStart.LOSS)
    keep_clubs_apart = models.BooleanField(_("keep club-mates apart in round 1"), default=False)
    shorten_minors = models.BooleanField(_("shorten minors' names"), default=True)
    self_check_in = models.BooleanField(_("players can check themselves in"), default=False)
    entries_close = models.DateTimeField(_("registration closes"), null=True, blank=True)
    forces_close = models.DateTimeField(_("forces due"), null=True, blank=True)
    forces_public = models.BooleanField(_("make forces public when the event starts"), default=True)
    seed = models.PositiveBigIntegerField(_("random seed"), default=new_seed)
    copied_from = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="copies")
    created = models.DateTimeField(_("created"), auto_now_add=True)
    verified_at = models.DateTimeField(_("verified"), null=True, blank=True)
    verified_by = models.ForeignKey(
        Person, on_delete=models.PROTECT, null=True, blank=True, related_name="verified_events"
    )
    reported_at = models.DateTimeField(_("reported to the sanctioning office"), null=True, blank=True)
    link_secret = models.CharField(max_length=48, default=new_link_secret, editable=False)
    away = models.CharField(
        _("handed over to"),
        max_length=120,
        blank=True,
        editable=False,
        help_text=_("Only the machine named here can edit the event."),
    )
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-starts", "-pk"]
        indexes = [
            models.Index(fields=["-starts", "-id"], name="events_by_date"),
            models.Index(fields=["venue", "-starts", "-id"], name="events_by_venue"),
            models.Index(fields=["state", "-starts"], name="events_by_state"),
            models.Index(fields=["name", "id"], name="events_by_name"),
            models.Index(
                fields=["starts", "id"], condition=models.Q(state__in=["open", "running"]), name="events_to_come"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def allowed_sets(self) -> list[str]:
        """Names of the sets that its forces may use; empty if all may be used."""
        return list(set_names(self.sets).values())

    @property
    def has_tables(self) -> bool:
        """Whether three or four play at a table."""
        return self.table_size > self.TableSize.TWO

    @property
    def points_by_place(self) -> tuple[int, ...]:
        """The points for each place at a table of three or four, from the first; empty if two play."""
        if not self.has_tables:
            return ()
        return tuple(self.place_points) or DEFAULT_PLACE_POINTS[: self.table_size]

    def minutes_of(self, bracket_size: int | None) -> int:
        """Return how long a round lasts; `bracket_size` is its places in the bracket, None for a main round."""
        if bracket_size is None:
            return self.round_minutes
        of_final = self.final_minutes if bracket_size <= FINALISTS else None
        return of_final or self.cut_minutes or self.round_minutes

    def rounds_for(self, players: int) -> int:
        """Return how many main rounds it has: as the officials chose, else as proposed for so many players."""
        if self.number_of_rounds:
            return self.number_of_rounds
        if self.teams_of_two:
            return proposed_rounds(players // 2, self.pairing_style)
        return proposed_rounds(players, self.pairing_style, self.table_size)

    @property
    def format_words(self) -> str:
        """Its format and build total, as lists and paper have them."""
        words = self.get_format_display()
        return f"{words}, {self.build_total}" if self.build_total else words

    @property
    def is_sealed(self) -> bool:
        """Whether forces are built from product opened at the event."""
        return self.format in SEALED_FORMATS

    @property
    def has_booster_draft(self) -> bool:
        """Whether its players open boosters, which they can draft."""
        return self.format in (self.Format.SEALED_BOOSTER, self.Format.BATTLE_ROYALE)

    @property
    def cap(self) -> int | None:
        """The most victory points of a match that count in the standings; None for no limit."""
        return (self.build_total or None) if self.cap_points else None

    @property
    def bye_points(self) -> int:
        """Victory points for a bye, from the build total."""
        return {"half": self.build_total // 2, "full": self.build_total, "none": 0}[self.bye_score]

    @cached_property
    def bracket_sizes(self) -> dict[int, int]:
        """The places of the bracket in each of its rounds, by the round's number; `results.words` names a round by it."""
        rounds = self.rounds.exclude(bracket_size=None).values_list("number", "bracket_size")
        return {number: size for number, size in rounds if size}

    def the_round(self, number: int) -> str:
        """Return the name of one of its rounds after a preposition."""
        return the_round(number, self.bracket_sizes.get(number))

    unnamed: frozenset[int] = frozenset()
    """The numbers of entries whose names this event's pages don't show, while an archive is made."""

    @cached_property
    def short_names(self) -> dict[int, str]:
        """The shortened names of its minors by entry number; the number tells two apart that would look alike."""
        short = {
            number: short_name(name)
            for number, name in self.entries.filter(is_minor=True).values_list("number", "name")
        }
        seen = Counter(name_key(name) for name in short.values())
        return {n: f"{name} ({n})" if seen[name_key(name)] > 1 else name for n, name in short.items()}


SEALED_FORMATS = (Event.Format.SEALED_BOOSTER, Event.Format.SEALED_STARTER, Event.Format.BATTLE_ROYALE)
"""The formats whose forces come from product opened at the event."""


class OfficialQuerySet(models.QuerySet["Official"]):
    """Officials, by acceptance."""

    def agreed(self) -> "OfficialQuerySet":
        """Return the officials who have accepted the role; the venue may not have confirmed them yet."""
        return self.filter(confirmed__isnull=False)

    def offered(self) -> "OfficialQuerySet":
        """Return the officials who haven't accepted yet: an offer gives no rights."""
        return self.filter(confirmed__isnull=True)

    def at_work(self) -> "OfficialQuerySet":
        """Return the officials who hold their role: confirmed by the venue and accepted by themselves."""
        return self.agreed().filter(accepted__isnull=False)


class Official(models.Model):
    """A person who works at an event: its head judge, a judge or a scorekeeper."""

    class Role(models.TextChoices):
        HEAD_JUDGE = "head-judge", _("head judge")
        JUDGE = "judge", _("judge")
        SCOREKEEPER = "scorekeeper", _("scorekeeper")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="officials")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="offices")
    role = models.CharField(_("role"), max_length=12, choices=Role)
    accepted = models.DateTimeField(_("accepted by the venue"), null=True, blank=True)
    answered = models.DateTimeField(_("accepted, address not confirmed"), null=True, blank=True)
    confirmed = models.DateTimeField(_("accepted by the official"), null=True, blank=True)
    added = models.DateTimeField(auto_now_add=True)

    objects = OfficialQuerySet.as_manager()

    class Meta:
        verbose_name = _("official")
        verbose_name_plural = _("officials")
        ordering = ["role", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "person"], name="one_office_per_person"),
            models.UniqueConstraint(fields=["event"], condition=models.Q(role="head-judge"), name="one_head_judge"),
        ]

    def __str__(self) -> str:
        return f"{self.person} ({self.get_role_display()})"

    @property
    def is_at_work(self) -> bool:
        """Whether both the venue and the person have accepted the role."""
        return self.accepted is not None and self.confirmed is not None


class Announcement(models.Model):
    """A judge's announcement to everyone at the event, shown on its pages and the display."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="announcements")
    text = models.CharField(_("announcement"), max_length=300)
    at = models.DateTimeField(auto_now_add=True)
    until = models.DateTimeField(_("shown until"), null=True, blank=True)
    withdrawn = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return self.text


class EntryQuerySet(models.QuerySet["Entry"]):
    """Entries, by person."""

    def of(self, person: Person) -> "EntryQuerySet":
        """Return a person's entries and those with their address, because policy checks cover both.

        An address alone doesn't link an entry to an account (`Entry.person`).
        """
        return self.filter(models.Q(person=person) | models.Q(person=None, email__iexact=person.email))


class Entry(models.Model):
    """A player's entry in an event, with or without an account."""

    class State(models.TextChoices):
        WAITING = "waiting", _("on the waiting list")
        ENTERED = "entered", _("registered")
        CHECKED_IN = "checked-in", _("checked in")
        DROPPED = "dropped", _("dropped")
        WITHDRAWN = "withdrawn", _("withdrawn before the start")
        DISQUALIFIED = "disqualified", _("disqualified")

    GONE = (State.DROPPED, State.WITHDRAWN, State.DISQUALIFIED)
    """The states of players who have left."""

    class Origin(models.TextChoices):
        SELF = "self", _("online")
        DOOR = "door", _("at the door")
        LIST = "list", _("imported from a list")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entries")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    number = models.PositiveSmallIntegerField(
        _("number"), help_text=_("Numbers are assigned in order of registration and never reused.")
    )
    name = NameField(_("name"), max_length=120)
    email = models.EmailField(
        _("e-mail address"), blank=True, help_text=_("Used for players without an account. Only officials see it.")
    )
    club = models.CharField(_("club or team"), max_length=80, blank=True)
    is_minor = models.BooleanField(_("under 18"), default=False)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.ENTERED)
    origin = models.CharField(max_length=8, choices=Origin, default=Origin.SELF)
    eligible_declared = models.BooleanField(_("eligibility confirmed"), default=False)
    team = models.ForeignKey(
        "events.Team", on_delete=models.SET_NULL, null=True, blank=True, related_name="entries", verbose_name=_("team")
    )
    partner_asked = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="asked_by",
        verbose_name=_("chosen partner"),
        help_text=_("Two players who have chosen each other become a team."),
    )
    fixed_table = models.PositiveSmallIntegerField(_("fixed table"), null=True, blank=True)
    awarded_byes = RoundNumbersField(
        _("rounds with an awarded bye"), default=list, blank=True, help_text=_("Enter the round numbers in order.")
    )
    rank = models.PositiveSmallIntegerField(
        _("rank"), null=True, blank=True, help_text=_("The player's rank before the event; 1 is the best.")
    )
    from_round = models.PositiveSmallIntegerField(_("starts in round"), default=1)
    dropped_after = models.PositiveSmallIntegerField(_("dropped after round"), null=True, blank=True)
    link_key = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    return_asked = models.DateTimeField(_("asked to re-enter"), null=True, blank=True, editable=False)
    link_issue = models.PositiveSmallIntegerField(
        default=1, editable=False, help_text=_("A new link raises this number, and earlier links stop working.")
    )
    entered = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_entry_per_number"),
            models.UniqueConstraint(
                fields=["event", "person"], condition=models.Q(person__isnull=False), name="one_entry_per_person"
            ),
            models.UniqueConstraint(
                fields=["event", "fixed_table"],
                condition=models.Q(fixed_table__isnull=False),
                name="one_entry_per_fixed_table",
            ),
        ]
        indexes = [
            models.Index(fields=["person", "-id"], name="entries_by_person"),
            models.Index(fields=["name", "id"], name="entries_by_name"),
            models.Index(Lower("email"), condition=models.Q(person__isnull=True), name="entries_by_address"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def sort_name(self) -> str:
        """The key by which lists sort the name."""
        return name_key(self.name)

    @property
    def public_name(self) -> str:
        """The name shown on public pages; for minors first name and initial, if the event shortens them."""
        if self.number in self.event.unnamed:
            return str(_("Player %(number)d")) % {"number": self.number}
        if not (self.is_minor and self.event.shorten_minors):
            return self.name
        return self.event.short_names.get(self.number, short_name(self.name))

    @property
    def is_playing(self) -> bool:
        """Whether the entry is to be paired."""
        return self.state == self.State.CHECKED_IN
