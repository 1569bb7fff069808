"""Saved disputes, each at an unguessable address: the events step by step, for the next judge.

Beginning one needs no account, and no user's name is stored unless typed into a text. The address alone allows reading;
changing a dispute needs its key, which is part of the judges' link. A dispute consists of its position file; reports
are never stored but computed from it.
"""

from __future__ import annotations

import secrets
from urllib.parse import urlencode

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .board import unguessable


def unguessable_key() -> str:
    """Return a new key for changing a dispute: 22 characters, 128 random bits."""
    return secrets.token_urlsafe(16)


class SavedDispute(models.Model):
    """A dispute: its position file with actions, dice and overrides, and related data.

    `waiting` holds the pieces without a square yet, as `{"player": …, "piece": {…}}`. `branches` are the what-ifs, each
    a name and a list of changes to the position file. `etiquette` are the rolls that settled questions no book covers.
    `return_to` is the page of this site from which a judge opened it, such as the one where the ruling is recorded.
    `time_zone` is the zone for dates on its printout, by default the site's. `past` holds the last changes with the
    data they replaced, for undo. `version` counts the changes; a change based on an older version is joined with what has
    changed since, or refused.
    """

    public_id = models.CharField(max_length=16, unique=True, default=unguessable, editable=False)
    key = models.CharField(max_length=32, default=unguessable_key, editable=False)
    edition = models.CharField(_("edition"), max_length=20)
    title = models.CharField(_("title"), max_length=120, blank=True)
    question = models.TextField(_("question"), blank=True)
    answer = models.TextField(_("answer"), blank=True)
    ready = models.SlugField(_("copy of the ready-made dispute"), max_length=80, blank=True)
    document = models.JSONField(_("position file"), encoder=DjangoJSONEncoder)
    waiting = models.JSONField(_("figures to place"), default=list, blank=True, encoder=DjangoJSONEncoder)
    branches = models.JSONField(_("what if"), default=list, blank=True, encoder=DjangoJSONEncoder)
    etiquette = models.JSONField(_("not covered by the rules"), default=list, blank=True, encoder=DjangoJSONEncoder)
    return_to = models.CharField(_("opened from"), max_length=300, blank=True)
    time_zone = models.CharField(max_length=60, blank=True, editable=False)
    past = models.JSONField(default=list, blank=True, editable=False, encoder=DjangoJSONEncoder)
    version = models.PositiveIntegerField(default=1, editable=False)
    released_at = models.DateTimeField(_("released for training"), null=True, blank=True)
    began_at = models.DateTimeField(_("started"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["released_at"], name="released_disputes")]

    def __str__(self) -> str:
        return self.title or self.public_id

    def get_absolute_url(self) -> str:
        """Return the address for reading, which gives no right to change anything."""
        return self.reading_address()

    @property
    def released(self) -> bool:
        """Whether it may be shown, without names, to judges in training."""
        return self.released_at is not None

    def reading_address(self, step: int | None = None) -> str:
        """Return the address for players, of a step (counted from 1) if one is given."""
        if step is None:
            return reverse("rules:dispute-read", args=[self.public_id])
        return reverse("rules:dispute-read-step", args=[self.public_id, step])

    def judging_address(self, step: int | None = None) -> str:
        """Return the address for judges, of a step if one is given; anyone who has it may change the dispute."""
        if step is None:
            address = reverse("rules:dispute", args=[self.public_id])
        else:
            address = reverse("rules:dispute-step", args=[self.public_id, step])
        return f"{address}?{urlencode({'key': self.key})}"
