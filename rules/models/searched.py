"""What the search of the rules looks through, as words (`rules.search.stored`)."""

from __future__ import annotations

from django.db import models


class SearchedText(models.Model):
    """The weighted words of one text: of this release (`source` names its content), or of a loaded book.

    The rows are derived: whatever is missing is made again by `migrate`. The table isn't managed, so that backups by row
    and moves to another database leave it out.
    """

    source = models.CharField(max_length=120)
    number = models.BigIntegerField()
    length = models.FloatField()
    words = models.TextField()

    objects: models.Manager[SearchedText] = models.Manager()

    class Meta:
        managed = False
        db_table = "rules_searchedtext"
        ordering = ["source", "number"]
        constraints = [models.UniqueConstraint(fields=["source", "number"], name="one_text_of_a_number")]

    def __str__(self) -> str:
        return f"{self.source} {self.number}"
