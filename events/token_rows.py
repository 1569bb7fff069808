"""What an API token may do: which rows of the action table tokens can be made for, and the power of the present one.

A leaf below the action table, whose `answer` asks the power of the token that sends the request.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OUTSIDE = _("A token works for one event only. This action isn't part of an event.")
ACCOUNT = _("A token can't change its owner's account. Change it on the site.")
CODES = _("A token can't create or revoke sign-in codes or player links. Do that on the site.")
TOKENS = _("A token can't create or revoke tokens. Do that on the site.")
ERASURE = _("A token can't erase data, because erased data can't be restored. Erase it on the site.")
RESTORING = _("A token can't restore, import or copy an event. Do that on the site.")
NOT_BY_TOKEN: dict[str, str | Promise] = {
    **dict.fromkeys(
        (
            "register-volunteer", "decide-volunteer", "suspend-person", "lift-suspension",
            "register-venue", "change-venue", "decide-venue", "change-venue-managers",
            "accept-management", "decline-management", "accept-management-for", "confirm-manager",
            "accept-volunteering", "decline-volunteering", "accept-volunteering-for",
            "change-halls", "change-installation", "create-event", "publish-season", "send-reminders",
            "create-series", "change-series", "add-series-event", "accept-series-event", "decline-series-event",
            "remove-series-event", "change-series-players", "end-series", "reopen-series",
            "edit-series-prizes", "run-series-draft", "pick-series-prize", "delete-series",
            "pair-machine", "unpair-machine",
        ),
        OUTSIDE,
    ),
    **dict.fromkeys(
        (
            "change-account", "change-profile", "accept-role", "decline-role", "join-entry", "decline-entry",
            "save-force", "rename-saved-force", "delete-saved-force",
        ),
        ACCOUNT,
    ),
    **dict.fromkeys(("make-sign-in-code", "use-sign-in-code", "revoke-sign-in-code", "renew-entry-link"), CODES),
    **dict.fromkeys(("create-token", "revoke-token"), TOKENS),
    **dict.fromkeys(("erase-self", "erase-person"), ERASURE),
    **dict.fromkeys(
        ("restore-event", "move-event", "import-event", "vouch-for-file"), RESTORING
    ),
}  # fmt: skip
"""Rows of the action table that no token can have, each with the reason; every other row is possible by token."""


def is_view(verb: str) -> bool:
    """Return whether the row of the action table only lets someone read something."""
    return verb.startswith("see-") or verb == "export-event"


@dataclass(frozen=True)
class TokenPower:
    """What the token that sends the present request may do: these rows, at its event only.

    `acts` is set while one of the rows is carried out: its page asks what its reader may see, and the token's owner
    may see it.
    """

    event: int
    rows: frozenset[str]
    name: str
    acts: bool = False

    def allows(self, verb: str, event: int | None) -> bool:
        """Return whether the token has this row at this event."""
        return event == self.event and (verb in self.rows or (self.acts and is_view(verb)))

    def acting(self) -> TokenPower:
        """Return this power while a row is carried out."""
        return replace(self, acts=True)


POWER: ContextVar[TokenPower | None] = ContextVar("the power of the token that sends this request", default=None)
"""None for every request without a token."""


def has_row(*verbs: str) -> bool:
    """Return whether the request may use one of these rows, as far as a token limits it."""
    power = POWER.get()
    return power is None or bool(power.rows & set(verbs))
