"""The judge's desk: everything that a judge can do with a dispute, as shown on one page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise

from rules import shelf
from rules.dispute.choices import Awaited, EnteredRoll, rolls_so_far, squares_wanted, with_turn_of
from rules.dispute.event_dials import EventDialForm, event_dial_form
from rules.dispute.figures import Captive, FigureView, captives_in, figures_on, printed_on, values_of
from rules.dispute.options import ActionOption, action_options
from rules.dispute.overrides import Decidable, decidable
from rules.dispute.replay import Replay, StepView
from rules.dispute.scene import PRESETS, Chip, chips, may_preset
from rules.dispute.sheet import Sheet, sheet_of
from rules.dispute.unfinished import RerollOffer, reroll_offers
from rules.dispute.words import names_apart
from rules.engine import EDITIONS, Edition
from rules.models import SavedDispute
from rules.piece_form import NUMBERS, VALUES_ASKED, NumberField
from rules.positions import Document, pieces, stands_in
from rules.shelf import ShelfMap

MAX_ANSWERS = 6
"""Up to this many answers to a question are large buttons; the others are folded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The state in the page's address: a figure, its target and its action, the waiting figure to place, a typed square,
    a search, a reroll and who makes it, the figure whose sheet is open, the terrain that is being drawn.

    `act` is `move` (the figure moves to the tapped square) or `put` (it was there from the beginning), `action` the kind
    of action of a move and `using` its powers, joined by ` + `. `more`: whether more figures are being placed.
    """

    figure: str = ""
    target: str = ""
    act: str = ""
    action: str = ""
    using: str = ""
    who: str = ""
    find: str = ""
    more: bool = False
    where: str = ""
    reroll: str = ""
    by: str = ""
    themed: str = ""
    sheet: str = ""
    brush: str = ""


@dataclass(frozen=True, slots=True)
class FigureBeside:
    """A figure beside the map. `apart` are its points, if another figure of its side has the same name."""

    player: str
    piece: dict[str, Any]
    apart: int | None

    @property
    def id(self) -> str:
        """Its id in the position."""
        return str(self.piece["id"])

    @property
    def own_name(self) -> str:
        """Its name, with the points that tell it apart."""
        return f"{self.piece['name']} ({self.apart})" if self.apart else self.piece["name"]

    @property
    def printed(self) -> tuple[str, str]:
        """Its set and collector number, by which the catalogue knows it."""
        return printed_on(self.piece)

    @property
    def values(self) -> dict[str, Any] | None:
        """The values and powers of its click."""
        return values_of(self.piece)


@dataclass(frozen=True, slots=True)
class Doer:
    """The acting figure, its target if there is one, and its actions: those asked about first, others, those not allowed.

    `others` are the figures it could be turned against instead, opponents first.
    """

    figure: FigureView
    target: FigureView | None
    others: list[FigureView]
    answers: list[ActionOption]
    more: list[ActionOption]
    impossible: list[ActionOption]
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything that a judge can do next."""

    asked: Asked
    acted: bool
    """Whether any action has been given."""
    players: list[str]
    active: str
    """The active player."""
    opening: str
    """The active player at the beginning."""
    turn_number: int
    on_map: list[FigureView]
    placing: bool
    """Whether placing a figure is the next step."""
    who: str
    """The id of the waiting figure that the next tap places."""
    waiting: list[FigureBeside]
    captives: list[Captive]
    acting: bool
    """Whether an action is the next step."""
    doer: Doer | None
    """The acting figure; None if it has to be chosen, or if something else comes first."""
    returning: list[tuple[str, str, ActionOption]]
    """The defeated horde tokens of the active player that may come back now: id, name, and the action that does it."""
    moving: bool
    """Whether the next tap chooses where the selected figure moves."""
    chips: list[Chip]
    """What may matter between the acting figure and its target."""
    presets: list[tuple[str, Promise]]
    """The ways to place both figures with one tap."""
    sheet: Sheet | None
    """The sheet that is open."""
    awaited: Awaited | None
    offers: list[RerollOffer]
    """Who may have the last roll made again."""
    taps: int
    """The number of squares that the awaited choice asks for; 0 for other choices."""
    rolls: list[EnteredRoll]
    decidable: list[Decidable]
    """What can be overridden before the step shown."""
    found: list[dict[str, Any]] | None
    """The figures found by a catalogue search; None without a search."""
    values_asked: tuple[NumberField, ...]
    """The fields of a figure added by its values."""
    maps: list[ShelfMap]
    dial: EventDialForm | None
    """The form of the event dial; None in editions without one."""
    editions: list[Edition]
    """The other editions."""
    last_change: str
    """The change that can be undone, in words."""

    @property
    def reroll(self) -> RerollOffer | None:
        """The reroll whose dice are entered next."""
        asked = (self.asked.reroll, self.asked.by, bool(self.asked.themed))
        return next((one for one in self.offers if (one.roll.value, one.by, one.themed) == asked), None)

    @property
    def tapping(self) -> str:
        """What a tap on the board does: draws, places a figure, names a square, moves a figure or chooses one."""
        if self.asked.brush and not self.acted:
            return "draw"
        if self.placing:
            return "place"
        if self.taps:
            return "squares"
        return "move" if self.moving else "figure"

    @property
    def start(self) -> str:
        """The beginning of the addresses that choose a target."""
        return f"figure={self.doer.figure.id}&target=" if self.doer is not None else ""

    @property
    def placing_more(self) -> bool:
        """Whether more figures are being placed although both sides are on the map."""
        return self.placing and self.asked.more


def desk_of(
    dispute: SavedDispute,
    replay: Replay,
    step: StepView | None,
    asked: Asked,
    *,
    newest: bool,
    found: list[dict[str, Any]] | None = None,
) -> Desk:
    """Return the desk of a dispute at a step; `newest`: whether that is the last one, `found`: search results."""
    document = replay.document
    now = replay.board(replay.last)
    on_map = [one for one in figures_on(now) if one.square]
    players = [side["player"] for side in document["sides"]]
    there = {one.player for one in on_map}
    acted = bool(document.get("actions"))
    placing = bool(dispute.waiting) and not acted and (asked.more or len(there) < min(2, len(players)))
    turn, awaited = document.get("turn", {}), replay.awaited
    active = now.get("turn", {}).get("active") or players[0]
    acting = newest and not placing and awaited is None
    doer = _doer(replay, on_map, asked, active) if acting else None
    return Desk(
        asked=asked,
        acted=acted,
        players=players,
        active=active,
        opening=turn.get("active") or players[0],
        turn_number=turn.get("number", 9),
        on_map=on_map,
        placing=placing,
        who=_next_waiting(dispute, asked.who, there),
        waiting=_waiting(dispute),
        captives=captives_in(dispute.document) if not acted else [],
        acting=acting,
        doer=doer,
        chips=chips(document, doer.figure.id, doer.target.id) if doer and doer.target and not acted else [],
        presets=[(key, one[0]) for key, one in PRESETS.items()]
        if placing and may_preset(document, dispute.waiting)
        else [],
        sheet=sheet_of(document, asked.sheet) if asked.sheet else None,
        returning=_returning(document, now, active) if acting else [],
        moving=doer is not None and doer.chosen and asked.act in ("move", "put"),
        awaited=awaited,
        offers=reroll_offers(replay) if newest else [],
        taps=squares_wanted(awaited.name) if awaited is not None else 0,
        rolls=rolls_so_far(document),
        decidable=decidable(step) if step is not None else [],
        found=found,
        values_asked=NUMBERS[:VALUES_ASKED],
        maps=list(shelf.maps().values()),
        dial=event_dial_form(document),
        editions=[one for name, one in EDITIONS.items() if name != dispute.edition],
        last_change=dispute.past[-1]["said"] if dispute.past else "",
    )


def _returning(document: Document, now: Document, active: str) -> list[tuple[str, str, ActionOption]]:
    """Return the horde tokens off the map that may be given an action all the same (Epic Hordes, 2014)."""
    found = [
        piece
        for player, piece in pieces(now)
        if player == active and piece.get("kind") == "horde" and not stands_in(piece)
    ]
    if not found:
        return []
    names, listed = names_apart(document), action_options(document, [piece["id"] for piece in found])
    return [(name, names[name], option) for name in listed for option in listed[name] if option.legal and option.using]


def _waiting(dispute: SavedDispute) -> list[FigureBeside]:
    named = Counter((one["player"], one["piece"]["name"]) for one in dispute.waiting)
    return [
        FigureBeside(
            one["player"],
            one["piece"],
            one["piece"].get("points") if named[one["player"], one["piece"]["name"]] > 1 else None,
        )
        for one in dispute.waiting
    ]


def _next_waiting(dispute: SavedDispute, asked: str, there: set[str]) -> str:
    """Return the id of the waiting figure that the next tap places: the one selected, else one of an empty side."""
    ids: list[str] = [one["piece"]["id"] for one in dispute.waiting]
    if asked in ids:
        return asked
    missing = [one["piece"]["id"] for one in dispute.waiting if one["player"] not in there]
    sides = {one["player"] for one in dispute.waiting}
    alone = len(ids) <= len(sides)
    return (missing or ids or [""])[0] if alone or missing else ""


def _doer(replay: Replay, on_map: Sequence[FigureView], asked: Asked, active: str) -> Doer | None:
    """Return the figure asked for, otherwise the active player's only one, with its options; None if it isn't clear."""
    chosen = next((one for one in on_map if one.id == asked.figure), None)
    mine = [one for one in on_map if one.player == active]
    figure = chosen or (mine[0] if len(mine) == 1 else None)
    if figure is None:
        return None
    others = sorted((one for one in on_map if one.id != figure.id), key=lambda one: one.player == figure.player)
    opposing = [one for one in others if one.player != figure.player]
    target = next((one for one in others if one.id == asked.target), opposing[0] if len(opposing) == 1 else None)
    aimed = target.id if target is not None else ""
    listed = action_options(with_turn_of(replay.document, figure.player), [figure.id])[figure.id]
    meant = [one for one in listed if one.target in ("", aimed)]
    argued = [] if replay.document.get("actions") else [one for one in meant if one.often_argued]
    legal = sorted((one for one in meant if one.legal), key=lambda one: (one.target != aimed, not one.moves))
    possible = [*(one for one in legal if one.target), *argued, *(one for one in legal if not one.target)]
    impossible = [one for one in meant if not one.legal and one not in argued]
    return Doer(
        figure,
        target,
        [one for one in others if one is not target],
        possible[:MAX_ANSWERS],
        possible[MAX_ANSWERS:],
        impossible,
        chosen is not None,
    )
