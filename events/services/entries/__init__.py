"""Entries: registering, waiting list, check-in, leaving. Every write about them; `rounds` pairs them."""

from __future__ import annotations

from .asked import hindered, hindrances_of, may_check_in_self, may_enter_now, seats_free, suspended_namesakes
from .elsewhere import checked_in_elsewhere
from .entering import add_entry, change_entry, enter_self
from .leaving import (
    ask_return,
    disqualify_entry,
    drop_entry,
    reinstate_entry,
    requalify_entry,
    return_entry,
    withdraw_entry,
)
from .listed import ListedPlayer, Problem, import_entries, problems_of, register_listed
from .presence import check_in, move_up_waiting, open_self_check_in, undo_check_in

__all__ = [
    "ListedPlayer",
    "Problem",
    "add_entry",
    "ask_return",
    "change_entry",
    "check_in",
    "checked_in_elsewhere",
    "disqualify_entry",
    "drop_entry",
    "enter_self",
    "hindered",
    "hindrances_of",
    "import_entries",
    "may_check_in_self",
    "may_enter_now",
    "move_up_waiting",
    "open_self_check_in",
    "problems_of",
    "register_listed",
    "reinstate_entry",
    "requalify_entry",
    "return_entry",
    "seats_free",
    "suspended_namesakes",
    "undo_check_in",
    "withdraw_entry",
]
