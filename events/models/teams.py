"""Teams of two players who entered an event together."""

from __future__ import annotations

from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .events import Entry, Event
from .fields import NameField

TEAM_SIZE = 2
"""Players of a team."""


class Team(models.Model):
    """Two players who entered an event together; players who left stay in it, because their results count for it.

    It is paired while exactly two of its players are checked in.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="teams")
    number = models.PositiveSmallIntegerField(_("number"), help_text=_("A team's number is never reused."))
    title = NameField(_("team name"), max_length=80, blank=True, help_text=_("Leave empty to use the players' names."))
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        ordering = ["number", "pk"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="one_team_per_number")]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def members(self) -> list[Entry]:
        """Everyone who plays or played in it, by number; `events.queries.teams_of` sets it for all teams at once."""
        found = list(self.entries.order_by("number"))
        for entry in found:
            entry.event = self.event
        return found

    @property
    def partners(self) -> list[Entry]:
        """The two who play in it now, or the one who lacks a partner: its players who haven't left."""
        return [entry for entry in self.members if entry.state not in Entry.GONE]

    @property
    def playing(self) -> list[Entry]:
        """Its players who are checked in."""
        return [entry for entry in self.members if entry.is_playing]

    @property
    def is_playing(self) -> bool:
        """Whether the team is to be paired."""
        return len(self.playing) == TEAM_SIZE

    @property
    def lacks_partner(self) -> bool:
        """Whether someone of it is checked in, but not both players."""
        return bool(self.playing) and not self.is_playing

    @property
    def club(self) -> str:
        """The club that both partners belong to, or ""."""
        clubs = {" ".join(entry.club.split()).casefold() for entry in self.partners}
        return self.partners[0].club if len(clubs) == 1 else ""

    @property
    def name(self) -> str:
        """Its name with the players' full names; public pages show `public_name`."""
        return self.title or " & ".join(entry.name for entry in self.partners or self.members)

    @property
    def public_name(self) -> str:
        """Its name as public pages show it."""
        return self.title or " & ".join(entry.public_name for entry in self.partners or self.members)
