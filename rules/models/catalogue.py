"""Models of the catalogue: sets, elements as first printed, corrections with their dates, and imports.

An element is anything that a force file may name. Printed facts are never overwritten: a correction is a row with the
day from which it takes effect, and `Facts` are the dated versions derived from both, with the few columns used by
searches. `rules/documents.py` says which facts an element may have; writes go through `rules/services/catalogue.py`. No
foreign keys to people: authors are stored as plain text.
"""

from __future__ import annotations

import datetime

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ..catalogue_log import words

FIRST_DAY = datetime.date(1, 1, 1)
LAST_DAY = datetime.date(9999, 12, 31)
CONFIRM_CARD = "confirm-card"
"""The verb of the log's rows of what judges confirm of cards."""


class Set(models.Model):
    """A set as it was sold; its code is printed on every base."""

    class Universe(models.TextChoices):
        MARVEL = "marvel", _("Marvel")
        DC = "dc", _("DC")
        INDY = "indy", _("Indy")
        OTHER = "other", _("other")

    code = models.SlugField(_("code"), max_length=40, unique=True)
    name = models.CharField(_("name"), max_length=120)
    universe = models.CharField(_("universe"), max_length=10, choices=Universe, default=Universe.OTHER)
    street_date = models.DateField(_("street date"), null=True, blank=True)
    year = models.PositiveSmallIntegerField(_("published"), null=True, blank=True)
    edition = models.CharField(_("rulebook"), max_length=20, blank=True)
    provenance = models.CharField(_("source"), max_length=300, blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("set")
        verbose_name_plural = _("sets")
        ordering = ["name", "code"]

    def __str__(self) -> str:
        return self.name


class Element(models.Model):
    """An element of forces, with its facts as first catalogued."""

    class Section(models.TextChoices):
        """The lists of a force file, by which elements are classified."""

        CHARACTERS = "characters", _("figure")
        FEATS = "feats", _("feat")
        OBJECTS = "objects", _("object")
        BATTLEFIELD_CONDITIONS = "battlefield_conditions", _("battlefield condition")
        RESOURCES = "resources", _("resource")
        TEAM_ABILITY_CARDS = "team_ability_cards", _("team ability card")
        OTHER = "other", _("equipment, card or terrain")

    code = models.CharField(_("code"), max_length=120, unique=True)
    section = models.CharField(_("type"), max_length=24, choices=Section)
    set = models.ForeignKey(Set, on_delete=models.PROTECT, related_name="elements")
    number = models.CharField(_("collector number"), max_length=20, blank=True)
    name = models.CharField(_("name"), max_length=160)
    printed = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    provenance = models.CharField(_("source"), max_length=300, blank=True)
    catalogued = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("element")
        verbose_name_plural = _("elements")
        ordering = ["name", "set__code", "number", "pk"]
        indexes = [models.Index(fields=["set", "number"], name="element_by_number")]

    def __str__(self) -> str:
        return f"{self.name} ({self.set.name} {self.number})" if self.number else f"{self.name} ({self.set.name})"

    @property
    def own_code(self) -> str:
        """Its code without the set: the last part of the element's address."""
        return self.code.split("/", 1)[-1]

    def facts_on(self, date: datetime.date | None = None) -> Facts:
        """Return the facts in effect on a date (by default today)."""
        return self.facts.on(date).get()


class Correction(models.Model):
    """A dated change of an element's facts: a correction by the publisher, or changes from a later import."""

    class Authority(models.TextChoices):
        CORRECTION = "correction", _("official correction")
        IMPORT = "import", _("import")
        OFFICE = "office", _("sanctioning office")
        JUDGE = "judge", _("judge")

    element = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="corrections")
    code = models.CharField(max_length=160, unique=True)
    from_date = models.DateField(_("effective from"))
    changes = models.JSONField(_("changes"), default=dict, encoder=DjangoJSONEncoder)
    text = models.TextField(_("explanation"), blank=True)
    authority = models.CharField(_("authority"), max_length=12, choices=Authority, default=Authority.OFFICE)
    citation = models.JSONField(_("citation"), default=dict, blank=True)
    provenance = models.CharField(_("source"), max_length=300, blank=True)
    withdrawn = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    recorded = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering = ["from_date", "pk"]

    def __str__(self) -> str:
        return f"{self.element}: {self.from_date}"


def day_of(date: datetime.date | None) -> datetime.date:
    """Return the day whose facts count on a date (by default today)."""
    return min(date or timezone.localdate(), LAST_DAY - datetime.timedelta(1))


class FactsQuerySet(models.QuerySet["Facts"]):
    """Dated facts, selected by date."""

    def on(self, date: datetime.date | None = None) -> FactsQuerySet:
        """Return each element's facts in effect on a date (by default today)."""
        day = day_of(date)
        return self.filter(from_date__lte=day, until_date__gt=day)


class Facts(models.Model):
    """An element's facts from one day until another, derived from its printed facts and its corrections.

    `document` holds all of them; the columns are for searches. `until_date` itself is no longer covered.
    """

    element = models.ForeignKey(Element, on_delete=models.CASCADE, related_name="facts")
    from_date = models.DateField(default=FIRST_DAY)
    until_date = models.DateField(default=LAST_DAY)
    name = models.CharField(max_length=160)
    points = models.PositiveIntegerField(null=True)
    points_low = models.PositiveIntegerField(null=True)
    points_high = models.PositiveIntegerField(null=True)
    rank = models.CharField(max_length=20, blank=True)
    kind = models.CharField(max_length=20, blank=True)
    street_date = models.DateField(null=True)
    words = models.TextField(default="")
    document = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    objects = FactsQuerySet.as_manager()

    class Meta:
        verbose_name = _("dated values")
        verbose_name_plural = _("dated values")
        ordering = ["element", "from_date"]
        constraints = [models.UniqueConstraint(fields=["element", "from_date"], name="one_version_a_day")]
        indexes = [
            models.Index(fields=["until_date", "from_date"], name="facts_by_day"),
            models.Index(fields=["points_low", "points_high"], name="facts_by_points"),
            models.Index(fields=["kind"], name="facts_by_kind"),
            models.Index(fields=["name"], name="facts_by_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} · {self.from_date}"


class Trait(models.Model):
    """One power, team or keyword of dated facts, in the form used by searches: without case and accents."""

    class What(models.TextChoices):
        POWER = "power", _("power")
        TEAM = "team", _("team")
        KEYWORD = "keyword", _("keyword")

    facts = models.ForeignKey(Facts, on_delete=models.CASCADE, related_name="traits")
    what = models.CharField(max_length=8, choices=What)
    name = models.CharField(max_length=160)
    folded = models.CharField(max_length=160)

    class Meta:
        ordering = ["what", "name"]
        indexes = [models.Index(fields=["what", "folded", "facts"], name="trait_by_name")]

    def __str__(self) -> str:
        return self.name


class CardTexts(models.Model):
    """The texts of an element's card, from a file that this installation's operator holds (`rules.card_texts`).

    They are beside the dated facts, which pages, files and programs of strangers show: the latest import counts, and
    the log keeps what it replaced.
    """

    element = models.OneToOneField(Element, on_delete=models.CASCADE, primary_key=True, related_name="card_texts")
    texts = models.JSONField(default=list)

    class Meta:
        verbose_name = _("card texts")
        verbose_name_plural = _("card texts")

    def __str__(self) -> str:
        return f"{self.element}"


class Import(models.Model):
    """Files for the catalogue, stored as read until their import is applied or discarded.

    `worked` is when a process last worked at reading or applying it, `fault` why the last attempt failed.
    """

    class State(models.TextChoices):
        READING = "reading", _("reading")
        FAILED = "failed", _("failed")
        PLANNING = "planning", _("comparing")
        PLANNED = "planned", _("preview")
        APPLYING = "applying", _("importing")
        APPLIED = "applied", _("applied")
        PUT_AWAY = "put-away", _("discarded")

    file_name = models.CharField(_("file"), max_length=200)
    layout = models.CharField(_("layout"), max_length=20)
    content = models.BinaryField(default=b"")
    counts_from = models.DateField(_("effective from"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.PLANNING)
    files = models.PositiveIntegerField(_("files"), default=1)
    files_passed_over = models.PositiveIntegerField(default=0)
    unreadable = models.JSONField(default=list)
    guessed = models.JSONField(default=list)
    records = models.PositiveIntegerField(default=0)
    records_planned = models.PositiveIntegerField(default=0)
    unknown_fields = models.JSONField(_("unknown fields"), default=dict)
    new_sets = models.JSONField(_("new sets"), default=dict)
    by = models.CharField(_("by"), max_length=160, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    applied = models.DateTimeField(null=True, blank=True)
    worked = models.DateTimeField(null=True, blank=True)
    fault = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.file_name

    @property
    def is_under_way(self) -> bool:
        """Whether it is being read, compared or applied, so that its state changes by itself."""
        return self.state in (self.State.READING, self.State.PLANNING, self.State.APPLYING)

    @property
    def seconds_at_work(self) -> int:
        """The seconds since a process began to apply it."""
        return int((timezone.now() - self.worked).total_seconds()) if self.worked else 0


class ImportLine(models.Model):
    """The effect of an import on one record of its file."""

    class Outcome(models.TextChoices):
        LEFT_OUT = "left-out", _("left out")
        ADDED = "added", _("new")
        CHANGED = "changed", _("changed")
        UNCHANGED = "unchanged", _("unchanged")
        PASSED_OVER = "passed-over", _("skipped")

    reading = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="lines")
    order = models.PositiveIntegerField()
    file = models.CharField(_("file"), max_length=200, blank=True)
    where = models.CharField(_("place in the file"), max_length=120)
    code = models.CharField(max_length=120, blank=True)
    name = models.CharField(_("name"), max_length=160, blank=True)
    outcome = models.CharField(_("outcome"), max_length=12, choices=Outcome)
    message = models.TextField(_("message"), blank=True)
    faults = models.JSONField(default=list)
    differences = models.JSONField(default=list, encoder=DjangoJSONEncoder)

    class Meta:
        ordering = ["order", "pk"]
        indexes = [models.Index(fields=["reading", "outcome", "order"], name="lines_by_outcome")]

    def __str__(self) -> str:
        return f"{self.where}: {self.name}"


class CatalogueChange(models.Model):
    """The log of the catalogue: one row for every write, with its changes before and after.

    `sentence` and `facts` are worded by `rules.catalogue_log`; rows from before 0.2.0 have the sentence in `summary`.
    """

    at = models.DateTimeField(auto_now_add=True)
    verb = models.CharField(max_length=40)
    by = models.CharField(max_length=160, blank=True)
    sentence = models.CharField(max_length=40, blank=True)
    facts = models.JSONField(default=dict)
    summary = models.CharField(max_length=300, blank=True)
    source = models.CharField(max_length=300, blank=True)
    changes = models.JSONField(default=list, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("catalogue change")
        verbose_name_plural = _("catalogue changes")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.summary or words(self.sentence, self.facts)
