"""Rounds: drafted, changed manually, published, reseated, completed, reopened; the cut and the end of the event.

Every write about rounds and seating. `events.pairing` finds the best pairing, `rounds_styles` makes each style's next
round; for results see `results`, for the clock `clock`.
"""

from __future__ import annotations

from .asked import (
    REPAIRED,
    bracket_has_winner,
    figures,
    late_entries,
    lost_by_both,
    out_of_date_words,
    pairs_of_teams,
    stale_because,
    stale_by_log,
    tables_with_room,
)
from .drafting import discard_draft, draft_cut, draft_round, pair_again, replay_bracket
from .ending import complete_round, finish_event, reopen_round, resume_event
from .importing import ALONE_WORDS, ListedMatch, RoundsPlan, import_rounds, plan_rounds
from .manual import MAX_ROUND_MINUTES, change_table, move_player, right_tables, seat_late, set_length, swap_players
from .publishing import publish_round, unpublish_round

__all__ = [
    "ALONE_WORDS",
    "MAX_ROUND_MINUTES",
    "REPAIRED",
    "ListedMatch",
    "RoundsPlan",
    "bracket_has_winner",
    "change_table",
    "complete_round",
    "discard_draft",
    "draft_cut",
    "draft_round",
    "figures",
    "finish_event",
    "import_rounds",
    "late_entries",
    "lost_by_both",
    "move_player",
    "out_of_date_words",
    "pair_again",
    "pairs_of_teams",
    "plan_rounds",
    "publish_round",
    "reopen_round",
    "replay_bracket",
    "resume_event",
    "right_tables",
    "seat_late",
    "set_length",
    "stale_because",
    "stale_by_log",
    "swap_players",
    "tables_with_room",
    "unpublish_round",
]
