"""Positions that were saved on the board page, each at an address that cannot be guessed.

Anybody may save one without an account, so nobody's name is kept. A saved position is never changed: what is changed
on the page and saved again has an address of its own, and what somebody was sent stays as it was.
"""

from __future__ import annotations

import secrets

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _


def unguessable() -> str:
    """Return a new public id: eleven signs, 64 random bits."""
    return secrets.token_urlsafe(8)


class SavedPosition(models.Model):
    """A position file as it was saved. `digest` finds the same document again, so that it is kept once."""

    public_id = models.CharField(max_length=16, unique=True, default=unguessable, editable=False)
    edition = models.CharField(_("edition"), max_length=20)
    title = models.CharField(_("title"), max_length=120, blank=True)
    document = models.JSONField(_("position file"), encoder=DjangoJSONEncoder)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    saved_at = models.DateTimeField(_("saved"), auto_now_add=True)

    class Meta:
        verbose_name = _("saved position")
        verbose_name_plural = _("saved positions")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title or self.public_id
