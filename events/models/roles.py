"""The roles in which people act at events and venues. `events.roles` decides who has which."""

from __future__ import annotations

import enum

from django.utils.translation import gettext_lazy as _


class Role(enum.StrEnum):
    """The eight roles, most powerful first. A hall judge is a judge of another event now running in the same hall."""

    OFFICE = "office"
    VENUE = "venue"
    HEAD_JUDGE = "head-judge"
    JUDGE = "judge"
    HALL_JUDGE = "hall-judge"
    SCOREKEEPER = "scorekeeper"
    PLAYER = "player"
    SPECTATOR = "spectator"

    @property
    def label(self) -> str:
        """The role in words."""
        return str(ROLE_LABELS[self])


ROLE_LABELS = {
    Role.OFFICE: _("administrator"),
    Role.VENUE: _("venue manager"),
    Role.HEAD_JUDGE: _("head judge"),
    Role.JUDGE: _("judge"),
    Role.HALL_JUDGE: _("judge of another event in this hall"),
    Role.SCOREKEEPER: _("scorekeeper"),
    Role.PLAYER: _("player"),
    Role.SPECTATOR: _("spectator"),
}
