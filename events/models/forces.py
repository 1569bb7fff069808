"""Submitted forces, and the sealed product they were built from."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from .events import Entry, Event, new_public_id
from .people import Person


class Pool(models.Model):
    """The product a player opened in a sealed format: copies of the elements' catalogue values of that day."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="pool")
    elements = models.JSONField(default=list)
    replaced = models.JSONField(_("incomplete product replaced"), default=list)
    registered = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    def __str__(self) -> str:
        return f"{self.entry}: {len(self.elements)}"


class Force(models.Model):
    """An entry's force file with its report and the rounds from which it counts; illegal ones are saved, too.

    `document` is the submitted force file; `origins` has, by ref, the catalogue values of the day that its elements
    were copied from. `work` is the bench on which it is being built (`events.building`), private until submitted.
    """

    UNRECORDED = ("work", "origins")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        SUBMITTED = "submitted", _("submitted")

    class Standing(models.TextChoices):
        LEGAL = "legal", _("legal")
        NOT_LEGAL = "not-legal", _("illegal")
        CANNOT_TELL = "cannot-tell", _("can't tell")

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="forces")
    from_round = models.PositiveSmallIntegerField(_("effective from round"), default=1)
    name = models.CharField(_("name"), max_length=80, blank=True)
    state = models.CharField(max_length=12, choices=State, default=State.DRAFT)
    standing = models.CharField(max_length=12, choices=Standing, default=Standing.CANNOT_TELL)
    total = models.PositiveIntegerField(default=0)
    document = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    origins = models.JSONField(default=dict)
    maps = models.JSONField(_("maps"), default=list)
    work = models.JSONField(default=dict)
    checked_at = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    changed_after_deadline = models.BooleanField(default=False)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("force")
        verbose_name_plural = _("forces")
        ordering = ["from_round", "pk"]
        constraints = [models.UniqueConstraint(fields=["entry", "from_round"], name="one_force_per_first_round")]

    def __str__(self) -> str:
        return self.name or f"{self.entry} · {self.total}"


class SavedForce(models.Model):
    """A named force that a person keeps across events, private to them: its bench (`events.building`) and its terms."""

    UNRECORDED = ("name", "bench", "terms", "total")

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="saved_forces")
    name = models.CharField(_("name"), max_length=80)
    bench = models.JSONField(default=dict)
    terms = models.JSONField(default=dict)
    total = models.PositiveIntegerField(default=0)
    saved = models.DateTimeField(_("saved"), auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("saved force")
        verbose_name_plural = _("saved forces")
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def edition(self) -> str:
        """The name of the edition that it was built for."""
        return str(dict(Event.Edition.choices).get(self.terms.get("edition", ""), ""))
