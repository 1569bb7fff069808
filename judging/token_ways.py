"""How each row of the action table is done by token: the page whose form is sent, and the form's fields as JSON.

A row that tokens can have (`events.token_rows`) needs a line in WAYS, or in `READ` if it only lets someone read. A key
after a slash is another form of the same row. Fields come from the page's own form where it has one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from events import choices
from events.api_pods import DraftPickIn, PaperIn, StartIn
from events.forms.entries import EnterForm, EntryAddForm, EntryForm
from events.forms.forces import ByHandForm
from events.forms.officials import OfficialForm
from events.forms.policy import OverrideForm
from events.forms.webhooks import WebhookForm
from events.services.rounds import MAX_ROUND_MINUTES
from judging.forms import PenaltyForm
from judging.forms_calls import CloseForm, RaiseForm
from judging.forms_decisions import AppealForm, FinalForm
from judging.models import Decision
from judging.token_args import (
    AT_TABLE,
    BENCH,
    ENTRY,
    EVENT,
    FOUND,
    MATCH,
    MINUTES,
    OFFICIAL,
    POOL,
    PRIZE,
    REMATCH,
    RESULT,
    RESULT_EXAMPLE,
    RULING,
    SIGNED,
    VIEW_ROUND,
    Arg,
    Moment,
    Number,
    Seat,
    Short,
    Way,
    of_call,
    of_clock,
    of_entry,
    of_form,
    of_prizes,
    of_round,
    of_ruling,
    said,
)

OPENED = {"entry": 12, "act": "hand", "name": "Recruit", "section": "characters", "points": 20}
LATE = {"confirm": True, "reason": "The catalogue was wrong"}
WAYS: dict[str, Way] = {
    # set-up
    "change-event": Way("events:edit", args=EVENT, keeps=True, example={"seats": 48}),
    "change-officials": Way(
        "events:officials", args=of_form(OfficialForm), example={"email": "ada@example.org", "role": "judge"}
    ),
    "change-officials/remove": Way("events:official-remove", ("official",), example=OFFICIAL),
    "accept-official": Way("events:official-accept", ("official",), example=OFFICIAL),
    "accept-role-for": Way(
        "events:official-accept-for",
        ("official",),
        example=OFFICIAL | {"confirm": True, "reason": "She said so on the phone"},
    ),
    "confirm-official": Way("events:official-confirm", ("official",), example=OFFICIAL),
    "open-event": Way("events:open"),
    "cancel-event": Way("events:cancel", example={"confirm": True, "reason": "The hall is flooded"}),
    "announce": Way(
        "events:announce",
        args={
            "text": Arg(Short, "The announcement.", needed=True),
            "minutes": Arg(Literal[10, 30, 120, 0], "For how many minutes; 0 until it is withdrawn.", needed=True),
        },
        example={"text": "Lunch is here", "minutes": 30},
    ),
    "announce/next-round": Way(
        "events:next-round",
        args={"starts": Arg(Moment, "When the next round starts, in the venue's time.", needed=True)},
        example={"starts": "2027-03-06T14:30"},
    ),
    "announce/withdraw": Way("events:announcement-withdraw", ("announcement",), example={"announcement": 2}),
    "override-policy": Way(
        "events:policy-exception", args=of_form(OverrideForm), example={"rule": "club-month", "reason": "A convention"}
    ),
    "withdraw-override": Way(
        "events:policy-exception-revoke",
        ("exception",),
        example={"exception": 1, "confirm": True, "reason": "It was a mistake"},
    ),
    # webhooks; not the form that replaces a secret: a page shows the new one once, and a token must not learn it
    "create-webhook": Way(
        "events:webhooks",
        args=of_form(WebhookForm),
        example={
            "name": "Results screen",
            "form": "json",
            "address": "https://screen.example.org/news",
            "kinds": ["pairings", "result"],
        },
    ),
    "change-webhook": Way("events:webhook-act", ("webhook", "act"), example={"webhook": 2, "act": "off"}),
    "change-webhook/send-again": Way(
        "events:webhook-resend",
        ("webhook", "message"),
        example={"webhook": 2, "message": "8f3b6f0e-2c1d-4a57-9be2-6d0f1c7a4e35"},
    ),
    "delete-webhook": Way("events:webhook-act", ("webhook", "=delete"), example={"webhook": 2}),
    # entries
    "enter-self": Way("events:enter", args=of_form(EnterForm), example={"name": "Ada Lund", "declares": True}),
    "add-entry": Way(
        "events:entry-add",
        args=of_form(EntryAddForm),
        example={"name": "Ada Lund", "declares": True, "checked_in": True},
    ),
    "import-entries": Way(
        "events:entries-import",
        args={
            "text": Arg(
                Annotated[str, Field(max_length=200_000)], "The list, a player on each line or as CSV.", needed=True
            ),
            "declared": Arg(bool, "All of them have confirmed that they're eligible."),
            "checked_in": Arg(bool, "Check them all in."),
        },
        fixed={"enter": "yes"},
        example={"text": "Ada Lund\nBen Okoro", "declared": True},
    ),
    "import-rounds": Way(
        "events:rounds-import",
        args={
            "text": Arg(
                Annotated[str, Field(max_length=200_000)], "The list as CSV, a match on each line.", needed=True
            ),
            "round": Arg(Number, "The round of all lines, if no column names it."),
            "add_players": Arg(bool, "Register players who aren't here yet, and check them in.", posted="register"),
            "declared": Arg(bool, "All of them have confirmed that they're eligible."),
        },
        fixed={"enter": "yes"},
        example={
            "text": "round,player 1,player 2,points 1,points 2\n1,Ada Lund,Ben Okoro,300,120",
            "add_players": True,
            "declared": True,
        },
    ),
    "change-entry": Way(
        "events:entry-edit", ("entry",), of_form(EntryForm), keeps=True, example={"entry": 12, "club": "Northside"}
    ),
    "change-entry/move-up": Way("events:entries-move-up"),
    "check-in": of_entry("check-in"),
    "undo-check-in": of_entry("undo-check-in"),
    "open-self-check-in": Way(
        "events:check-in",
        args={
            "state": Arg(Literal["open", "close"], "Whether players check themselves in.", needed=True, posted="self")
        },
        example={"state": "open"},
    ),
    "withdraw-entry": of_entry("withdraw", confirm=True),
    "reinstate-entry": of_entry("reinstate"),
    "drop-entry": of_entry("drop", confirm=True),
    "return-entry": of_entry("return", confirm=True),
    "ask-return": of_entry("ask-return"),
    "disqualify-entry": of_entry("disqualify", confirm=True, reason="A false dial"),
    "disqualify-entry/requalify": of_entry("requalify", confirm=True, reason="The dial was right"),
    # teams of two
    "choose-partner": Way(
        "events:partner",
        ("entry",),
        {"partner": Arg(Number, "The chosen player's number; leave it out to choose no one.")},
        example={"entry": 12, "partner": 15},
    ),
    "make-team": Way(
        "events:teams",
        args={"one": ENTRY, "other": ENTRY, "title": Arg(Annotated[str, Field(max_length=80)], "The team's name.")},
        example={"one": 12, "other": 15},
    ),
    "name-team": Way(
        "events:team-name",
        ("team",),
        {"title": Arg(Annotated[str, Field(max_length=80)], "The team's name.", needed=True)},
        example={"team": 3, "title": "Towers"},
    ),
    "split-team": Way("events:team-split", ("team",), example={"team": 3, "confirm": True}),
    # rounds
    "draft-round": Way("events:draft-next", args={"allow_rematch": REMATCH}, example={"allow_rematch": False}),
    "pair-again": of_round("pair-again", args={"allow_rematch": REMATCH}),
    "change-draft": Way(
        "events:draft-swap",
        VIEW_ROUND,
        {"players": Arg(list[Number], "The numbers of two players, who swap seats.", needed=True, posted="player")},
        example={"round": 2, "players": [12, 15]},
    ),
    "change-draft/table": Way(
        "events:draft-table",
        VIEW_ROUND,
        {
            "match": Arg(Number, "The table where the pair sits.", needed=True),
            "table": Arg(Annotated[int, Field(ge=1, le=999)], "The table where it plays.", needed=True),
        },
        example={"round": 2, "match": 7, "table": 1},
    ),
    "change-draft/move": Way(
        "events:draft-move",
        VIEW_ROUND,
        {"entry": ENTRY, "table": Arg(Number, "A table of three or four with a free seat.", needed=True)},
        example={"round": 2, "entry": 12, "table": 4},
    ),
    "set-round-length": Way(
        "events:draft-length",
        VIEW_ROUND,
        {"minutes": Arg(Annotated[int, Field(ge=1, le=MAX_ROUND_MINUTES)], "Minutes; leave it out for the event's.")},
        example={"round": 2, "minutes": 40},
    ),
    "discard-draft": of_round("discard"),
    "publish-round": of_round("publish"),
    "unpublish-round": of_round("unpublish", confirm=True, reason="A player is missing"),
    "right-tables": Way(
        "events:fix-seating",
        VIEW_ROUND,
        {
            "first": Arg(Number, "One table.", needed=True),
            "second": Arg(Number, "The other table.", needed=True),
            "opponent": Arg(
                Number | Literal["tables", "seats"],
                "The number of the player who really played the first table's first player; “tables” if only the tables "
                "were wrong; “seats” if two players of tables of three or four sat in each other's seats.",
                needed=True,
            ),
            "one": Arg(Number, "The player paired at the first table, with “seats”."),
            "other": Arg(Number, "The player paired at the second table, with “seats”."),
            "results": Arg(Literal["back", "keep"], "Withdraw results already entered, or keep them."),
            "reason": Arg(Short, "The reason, kept in the audit log.", needed=True),
        },
        asked=frozenset({"first", "second"}),
        example={"round": 1, "first": 3, "second": 4, "opponent": 12, "reason": "They sat down wrongly"},
    ),
    "right-tables/seat-late": Way(
        "events:seat-late",
        VIEW_ROUND,
        {"entry": ENTRY, "opponent": ENTRY},
        example={"round": 1, "entry": 12, "opponent": 15, "reason": "A late train"},
    ),
    "complete-round": of_round("complete"),
    "reopen-round": of_round("reopen", confirm=True, reason="A result was wrong"),
    # clock
    "run-clock": Way(
        "events:clock",
        args={
            "act": Arg(Literal["preparation", "start", "pause", "resume"], "What the clock does.", needed=True),
        },
        example={"act": "start"},
    ),
    "add-time": of_clock(
        "more",
        {name: Arg(arg.type, arg.words, arg.needed, f"all-{name}") for name, arg in MINUTES.items()},
        minutes=5,
        reason="A late start",
    ),
    "add-time/less": of_clock(
        "less",
        {name: Arg(arg.type, arg.words, arg.needed, f"all-{name}") for name, arg in MINUTES.items()},
        minutes=5,
        reason="The hall closes early",
    ),
    "add-time/call-time": of_clock("call", confirm=True, reason="The hall closes"),
    "extend-table": Way("events:extend", AT_TABLE, MINUTES, example={**MATCH, "minutes": 3, "reason": "A long ruling"}),
    "extend-table/withdraw": Way(
        "events:extension-withdraw", ("extension",), example={"extension": 9, "reason": "The wrong table"}
    ),
    # results
    "claim-result": Way("events:claim", AT_TABLE, RESULT, example=RESULT_EXAMPLE),
    "claim-result/withdraw": Way("events:claim-withdraw", AT_TABLE, example=MATCH),
    "enter-result": Way(
        "events:enter-result", AT_TABLE, RESULT | {"signed": SIGNED}, {"act": "enter"}, example=RESULT_EXAMPLE
    ),
    "decide-result": Way(
        "events:enter-result",
        AT_TABLE,
        RESULT,
        {"act": "decide"},
        example=RESULT_EXAMPLE | {"confirm": True, "reason": "Both had left"},
    ),
    "correct-result": Way(
        "events:enter-result",
        AT_TABLE,
        RESULT,
        {"act": "correct"},
        example=RESULT_EXAMPLE | {"confirm": True, "reason": "A typing error"},
    ),
    "abandon-match": Way(
        "events:abandon-match",
        AT_TABLE,
        {"side": Arg(Seat, "The seat of the player who left.", needed=True)},
        example={**MATCH, "side": "b", "confirm": True},
    ),
    # calls
    "raise-call": Way("judging:call-raise", AT_TABLE, of_form(RaiseForm), example={**MATCH, "reason": "rules"}),
    "cancel-call": of_call("cancel"),
    "take-call": of_call("take"),
    "release-call": of_call("release"),
    "escalate-call": of_call("escalate"),
    "arrive-at-table": of_call("arrive"),
    "close-call": Way(
        "judging:call-close",
        ("call",),
        of_form(CloseForm),
        example={"call": 5, "category": "rule", "outcome": "ruled", "minutes": 2, "agreed": 0},
    ),
    # rulings
    "open-dispute": Way("judging:dispute", AT_TABLE, example=MATCH),
    "record-decision": Way(
        "judging:rule",
        args=RULING,
        example={**MATCH, "question": "May it move?", "answer": "yes", "text": "It has moved."},
    ),
    "appeal-decision": Way(
        "judging:ruling-appeal",
        ("ruling",),
        of_form(AppealForm),
        example={"ruling": 3, "appeal": "It wasn't adjacent."},
    ),
    "withdraw-appeal": of_ruling("withdraw-appeal"),
    "answer-appeal": Way(
        "judging:ruling-answer",
        ("ruling",),
        {"act": Arg(Literal["uphold", "overturn"], "Uphold the ruling or overturn it.", needed=True)}
        | of_form(FinalForm, final_answer=Literal[tuple(Decision.Answer.values)]),
        example={"ruling": 3, "act": "uphold", "final_reasons": "The rulebook says so."},
    ),
    "reopen-appeal": of_ruling("reopen", confirm=True, reason="A new fact"),
    "take-decision-back": of_ruling("withdraw", confirm=True, reason="A misunderstanding"),
    # forces
    **dict.fromkeys(
        ("build-force", "build-force-late"),
        Way("events:force-change", ("entry",), BENCH, example={"entry": 12, "act": "describe", "name": "The Team"}),
    ),
    "change-force": Way("events:force-submit", ("entry",), example={"entry": 12}),
    "change-force-late": Way("events:force-submit", ("entry",), example={"entry": 12, **LATE}),
    "change-force-late/take-over": Way("judging:force-take-over", ("entry",), example={"entry": 12, **LATE}),
    "register-pool": Way("events:pool", ("entry",), POOL, example=OPENED),
    "change-pool-late": Way("events:pool", ("entry",), POOL, example=OPENED | LATE),
    "check-forces": Way("judging:force-check", ("entry",), FOUND, example={"entry": 12, "act": "pass"}),
    # boosters and prizes
    "start-booster-draft": Way(
        "events:boosters",
        VIEW_ROUND,
        {
            "boosters_each": Arg(Number, said(StartIn, "boosters_each"), needed=True),
            "booster_figures": Arg(Number, said(StartIn, "booster_figures"), needed=True),
            "pick_seconds": Arg(Number, said(StartIn, "pick_seconds"), needed=True),
            "table": Arg(Number, said(StartIn, "table")),
        },
        example={"round": 1, "boosters_each": 2, "booster_figures": 5, "pick_seconds": 60},
    ),
    "record-draft-pick": Way(
        "events:pod-record",
        ("round", "table", "entry", "step"),
        {
            "act": Arg(Literal["hand"], "“hand” for a figure that the catalogue lacks, described by the other fields."),
            "code": Arg(Short, said(DraftPickIn, "code")),
            "replace": Arg(bool, said(DraftPickIn, "replace")),
        }
        | {name: Arg(arg.type, arg.words) for name, arg in of_form(ByHandForm).items()},
        asked=frozenset({"replace"}),
        example={**MATCH, "entry": 12, "step": 0, "code": "ic-001"},
    ),
    "pass-boosters": Way("events:pod-pass", ("round", "table", "step"), example={**MATCH, "step": 0}),
    "draft-on-paper": Way(
        "events:pod-paper",
        AT_TABLE,
        {"entry": ENTRY, "on_paper": Arg(bool, said(PaperIn, "on_paper"))},
        example={**MATCH, "entry": 12, "on_paper": True},
    ),
    "edit-prize-draft": of_prizes(
        "list",
        {"prizes": Arg(Annotated[str, Field(max_length=50_000)], "The prizes, one per line.", needed=True)},
        prizes="A booster\nA booster\nA map",
    ),
    "edit-prize-draft/up": of_prizes("up", {"entry": ENTRY}, entry=12),
    "start-prize-draft": of_prizes("start"),
    "pick-prize": of_prizes("pick", {"prize": PRIZE}, prize="A booster"),
    "skip-prize-turn": of_prizes(
        "skip",
        {"for_good": Arg(bool, "Skip this player's later turns, too.")},
        for_good=True,
        confirm=True,
        reason="Has gone home",
    ),
    "withdraw-prize-pick": of_prizes("withdraw"),
    # finishing and correcting
    "cut": Way(
        "events:cut",
        args={
            "places": Arg(Annotated[int, Field(ge=2, le=choices.LARGEST_CUT)], "How many players go on."),
            "third_place": Arg(bool, "Play for third place."),
        },
        example={"places": 8, "confirm": True},
    ),
    "replay-bracket": Way("events:replay", example={"confirm": True, "reason": "Both players lost"}),
    "finish-event": Way("events:end", example={"confirm": True}),
    "resume-event": Way("events:reopen-event", example={"confirm": True, "reason": "A result was wrong"}),
    "verify-event": Way("judging:finish-act", ("=verify",)),
    "unverify-event": Way("judging:finish-act", ("=unverify",), example={"confirm": True, "reason": "A wrong result"}),
    "receive-copy": Way("judging:finish-act", ("=receive",)),
    "report-event": Way("judging:finish-act", ("=report",)),
    "mail-report": Way("judging:finish-act", ("=mail",), example={"confirm": True}),
    "mail-report/again": Way("judging:finish-act", ("=mail-again",), example={"confirm": True}),
    "give-penalty": Way(
        "judging:penalties",
        args=of_form(PenaltyForm, "entry", "round")
        | {
            "entry": replace(ENTRY, of="entries"),
            "round": Arg(Number, "The round's number.", of="rounds"),
        },
        example={
            "entry": 12,
            "kind": "warning",
            "category": "slow-play",
            "text": "Thought for ten minutes",
            "round": 1,
        },
    ),
    "give-penalty/slow-play": Way(
        "judging:slow-play",
        AT_TABLE,
        {"side": Arg(Seat, "The seat of the player who is warned.", needed=True)},
        example={**MATCH, "side": "a", "confirm": True},
    ),
    "withdraw-penalty": Way(
        "judging:penalty-withdraw", ("penalty",), example={"penalty": 2, "confirm": True, "reason": "The wrong player"}
    ),
    "undo": Way("judging:audit-log-entry", ("log_entry",), example={"log_entry": 311, "confirm": True}),
    "take-snapshot": Way("judging:snapshot-take"),
    "hand-over-event": Way(
        "judging:event-hand-over",
        args={"other": Arg(Short, "The name of the machine that will hold the event.", needed=True)},
        example={"other": "Hall laptop", "confirm": True},
    ),
    "take-back-event": Way("judging:event-reclaim", example={"confirm": True, "reason": "The laptop was stolen"}),
}
READ = frozenset(
    {"see-console", "see-drafts", "see-private-entries", "see-calls", "see-decisions", "see-record", "export-event"}
)
"""Rows that only let someone read: `judging/api_reading.py` asks them, and `see-drafts` the pairings."""
