"""Positions saved on the board page, each at an unguessable address.

Saving needs no account, and no user's name is stored. A saved position never changes: saving a changed one creates
another address, so a shared address always shows the same position.
"""

from __future__ import annotations

import secrets

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _


def unguessable() -> str:
    """Return a new public id: eleven characters, 64 random bits."""
    return secrets.token_urlsafe(8)


class SavedPosition(models.Model):
    """A saved position file. `digest` identifies equal documents, so that each is stored once."""

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
