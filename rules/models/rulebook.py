"""The text of rulebooks, loaded into this installation by judges who own them.

The project ships headings, and rulings in its own words, but never the books' sentences. Text loaded by `load_rulebook`
stays in the installation.
"""

from __future__ import annotations

import re

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _

MARKS = re.compile(r"^(?:<\|[^|]*\|>|[#>]+\s*)+|<\|[^|]*\|>|\*\*")
POINT = re.compile(r"[-•*] |\d+[.)] |\|")


class LoadedRulebook(models.Model):
    """One edition's book as loaded: its file, the time, and the headings not found in it."""

    edition = models.CharField(_("edition"), max_length=20, unique=True)
    file_name = models.CharField(_("file"), max_length=255)
    exact = models.BooleanField(
        _("known transcription"),
        default=False,
        help_text=_("Yes means that this is the exact text that the citations refer to."),
    )
    missing = models.JSONField(_("headings not found"), default=list, encoder=DjangoJSONEncoder)
    loaded_at = models.DateTimeField(_("loaded"), auto_now=True)

    class Meta:
        verbose_name = _("loaded rulebook")
        verbose_name_plural = _("loaded rulebooks")
        ordering = ["edition"]

    def __str__(self) -> str:
        return f"{self.edition}: {self.file_name}"


class RulebookPassage(models.Model):
    """The text under one heading of a loaded book, or the note behind one ruling (`ruling` names it)."""

    rulebook = models.ForeignKey(
        LoadedRulebook, verbose_name=_("rulebook"), on_delete=models.CASCADE, related_name="passages"
    )
    order = models.PositiveIntegerField(_("position in the book"))
    section = models.CharField(_("section"), max_length=255)
    ruling = models.CharField(_("ruling"), max_length=100, blank=True)
    text = models.TextField(_("text"))

    class Meta:
        verbose_name = _("passage")
        verbose_name_plural = _("passages")
        ordering = ["rulebook", "order"]
        constraints = [
            models.UniqueConstraint(fields=["rulebook", "section", "ruling"], name="one_passage_of_a_section"),
        ]

    def __str__(self) -> str:
        return self.section

    @property
    def paragraphs(self) -> list[str]:
        """The text in paragraphs: lines broken by the page's width are joined, list items stay separate."""
        shown: list[str] = []
        open_line = False
        for line in self.text.splitlines():
            line = MARKS.sub("", line).strip()
            if not line or line.casefold() == self.section.rsplit(" › ", 1)[-1].casefold():
                open_line = False
            elif open_line and not POINT.match(line):
                shown[-1] += f" {line}"
            else:
                shown.append(line)
                open_line = True
        return shown
