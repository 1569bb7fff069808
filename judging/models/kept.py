"""Snapshots, paper bundles, moves of events, paired machines and erased people.

Files lie under `DATA_DIR` (`judging.keeping.storage`); the rows say which there are. None of these rows moves with an
event: they describe this installation.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from events.actions import ACTIONS
from events.models import Event, Person, Round
from events.results.words import round_name


def state_words(label: str) -> str:
    """Return a snapshot's label in words: "3:running" is "Round 3, running". Trouble with copying follows a space.

    A round of a bracket has the bracket's places beside its number: "5.2:running" is "Final · Round 5, running".
    Version 0.1.0 stored the words themselves.
    """
    code, _space, trouble = label.partition(" ")
    round, colon, state = code.rpartition(":")
    number, _point, size = round.partition(".")
    states = Round.State if colon else Event.State
    if state not in states.values or (colon and not number.isdecimal()):
        return label
    words = str(states(state).label)
    if colon:
        words = f"{round_name(int(number), int(size) if size.isdecimal() else None)}, {words}"
    not_copied = _("not copied: %(trouble)s") % {"trouble": trouble}
    return f"{words} · {not_copied}" if trouble else words


class Snapshot(models.Model):
    """An event at one moment, as a compressed event file; `record_entry` is the newest audit log entry it contains."""

    class Why(models.TextChoices):
        BEFORE = "before", _("before a step that is hard to undo")
        AFTER = "after", _("after the pairings were published")
        MOMENT = "moment", _("during the event")
        BY_HAND = "by-hand", _("taken manually")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="snapshots")
    made = models.DateTimeField(_("taken"))
    why = models.CharField(_("reason"), max_length=8, choices=Why)
    verb = models.CharField(max_length=60, blank=True)
    label = models.CharField(_("state at that time"), max_length=200, blank=True)
    record_entry = models.BigIntegerField(default=0)
    file = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveIntegerField(_("bytes"), default=0)
    problem = models.CharField(_("problem"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("snapshot")
        verbose_name_plural = _("snapshots")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["event", "-id"], name="snapshots_by_event")]

    def __str__(self) -> str:
        return f"{self.event} · {self.made:%Y-%m-%d %H:%M:%S}"

    @property
    def words(self) -> str:
        """Return why the snapshot was taken, in words."""
        if self.why == self.Why.BEFORE and self.verb in ACTIONS:
            return str(_("before: %(what)s") % {"what": ACTIONS[self.verb].label})
        return str(self.get_why_display())

    @property
    def state_words(self) -> str:
        """The state at that time, in words."""
        return state_words(self.label)


class Bundle(models.Model):
    """The paper of a published round in one PDF. `of` is the digest of the published rows it was made from."""

    class State(models.TextChoices):
        WAITING = "waiting", _("being created")
        MADE = "made", _("ready")
        FAILED = "failed", _("failed, will be retried")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="bundles")
    round_number = models.PositiveSmallIntegerField(_("round"))
    of = models.CharField(max_length=64)
    site = models.CharField(max_length=200, blank=True, help_text="The site's address on the slips.")
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    asked = models.DateTimeField()
    began = models.DateTimeField(null=True, blank=True)
    made = models.DateTimeField(_("created"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    file = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveIntegerField(_("bytes"), default=0)
    problem = models.CharField(_("problem"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("set of printouts")
        verbose_name_plural = _("sets of printouts")
        ordering = ["-round_number", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "round_number", "of"], name="one_bundle_of_published_rows")
        ]

    def __str__(self) -> str:
        return f"{self.event} · {self.round_number}"


class Move(models.Model):
    """An event that left this installation as a file, or arrived as one; its moves show where copies are."""

    class Kind(models.TextChoices):
        COPIED = "copied", _("copied; still editable here")
        HANDED_OVER = "handed-over", _("handed over to another machine")
        ARRIVED = "arrived", _("imported")
        COPY = "copy", _("imported as a copy")
        WENT_ON = "went-on", _("updated from a newer file")
        WENT_BACK = "went-back", _("restored from an older file")
        TAKEN_BACK = "taken-back", _("reclaimed without the returned file")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="moves")
    at = models.DateTimeField(_("time"), auto_now_add=True)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    other = models.CharField(_("other machine"), max_length=120, blank=True)
    by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    sha256 = models.CharField(max_length=64, blank=True)
    entries = models.PositiveIntegerField(_("audit log entries"), default=0)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_kind_display()}"


class PairedMachine(models.Model):
    """Another installation whose event files are trusted: both have the same key, and sign their files with it."""

    name = models.CharField(_("machine"), max_length=120)
    secret = models.CharField(max_length=64, unique=True, editable=False, help_text="The shared key, in hexadecimal.")
    paired = models.DateTimeField(_("paired"), auto_now_add=True)
    by = models.ForeignKey(Person, on_delete=models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("paired machine")
        verbose_name_plural = _("paired machines")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class Erasure(models.Model):
    """A person whose data were erased; `mark` is a hash of the old address, so that no file brings the person back."""

    person = models.OneToOneField(Person, on_delete=models.CASCADE, related_name="erasure")
    at = models.DateTimeField(auto_now_add=True)
    mark = models.CharField(max_length=64, db_index=True)

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")

    def __str__(self) -> str:
        return f"{self.person_id} · {self.at:%Y-%m-%d}"
