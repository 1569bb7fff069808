"""Tournament files: JSON ↔ values, and `pair_round` from a document to its report.

For the format see FORMATS, "Tournament file". An unreadable document raises BadInput with a JSON pointer to each fault;
a round that can't be paired is a report with the error `no-pairing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from rules.engine import BadInput, every_fault, reader, refuse

from .best import Draw, NoPairing, draw
from .tournament import Player, Seats, Tournament

Document = dict[str, Any]

MAX_NUMBER = 1_000_000
SEED_MOST = 2**63 - 1


def pair_round(document: Document) -> Document:
    """Return the report on a tournament file: the next round with its quality, or why there is none.

    Raise BadInput if the document can't be read.
    """
    tournament = read_tournament(document)
    try:
        return report_of(tournament, draw(tournament))
    except NoPairing as none:
        return {"id": tournament.id, "error": {"code": "no-pairing", "message": none.message}}


def report_of(tournament: Tournament, drawn: Draw) -> Document:
    """Return the report of a round."""
    return {
        "id": tournament.id,
        "pairings": [list(pair) for pair in drawn.pairs],
        "bye": drawn.bye,
        "awarded_byes": list(tournament.awarded_byes),
        "rematches": drawn.rematches,
        "cost": drawn.cost,
        "same_club": drawn.same_club,
    }


def _pair(value: Any) -> tuple[str, str | None]:
    """Return two players, or one and None for a bye."""
    if type(value) is not list or len(value) != 2:
        raise BadInput("", "A pairing is a list of two players, or of one and null.")
    a, b = value
    if type(a) is str and (b is None or type(b) is str):
        return a, b
    raise BadInput(f"/{int(type(a) is str)}", "A player's id is text.")


_number = reader.a_whole_number(0, MAX_NUMBER)
_from_one = reader.a_whole_number(1, MAX_NUMBER)
_optional_text = reader.nullable(reader.text)
PLAYER_KEYS: Mapping[str, reader.Reader[Any]] = {
    "id": reader.text,
    "points": _number,
    "byes": _number,
    "byes_awarded": reader.a_list(_from_one),
    "dropped": reader.flag,
    "club": _optional_text,
    "rank": reader.nullable(_from_one),
}
OPTION_KEYS = {"avoid_same_club": reader.flag, "allow_rematch": reader.flag}
KEYS: Mapping[str, reader.Reader[Any]] = {
    "id": _optional_text,
    "title": _optional_text,
    "note": _optional_text,
    "seed": reader.a_whole_number(0, SEED_MOST),
    "players": reader.a_list(reader.an_object(dict, PLAYER_KEYS, ("id", "points"))),
    "rounds": reader.a_list(reader.a_list(_pair)),
    "options": reader.an_object(dict, OPTION_KEYS),
}
_document: reader.Reader[Document] = reader.an_object(dict, KEYS, ("players",))


@every_fault
def read_tournament(document: object) -> Tournament:
    """Return the tournament in a document. Raise BadInput with every fault."""
    read = _document(document)
    rounds: tuple[Seats, ...] = read.get("rounds", ())
    refuse(chain(_given_twice(read["players"]), _wrong_seats(rounds, {player["id"] for player in read["players"]})))
    awarded = {player["id"]: frozenset(player.pop("byes_awarded", ())) for player in read["players"]}
    byes = Counter(
        a for number, played in enumerate(rounds, 1) for a, b in played if b is None and number not in awarded[a]
    )
    return Tournament(
        players=tuple(
            Player(**{"byes": byes[player["id"]], **player, "byes_awarded": awarded[player["id"]]})
            for player in read["players"]
        ),
        rounds=rounds,
        seed=read.get("seed", 0),
        id=read.get("id"),
        **read.get("options", {}),
    )


def _given_twice(players: tuple[Document, ...]) -> Iterator[BadInput]:
    seen: set[str] = set()
    for place, player in enumerate(players):
        if player["id"] in seen:
            yield BadInput(f"/players/{place}/id", f"Two players have the id {reader.shown(player['id'])}.")
        seen.add(player["id"])


def _wrong_seats(rounds: tuple[Seats, ...], known: set[str]) -> Iterator[BadInput]:
    for number, played in enumerate(rounds):
        seated: set[str] = set()
        for place, pair in enumerate(played):
            for side, player in enumerate(pair):
                if player is None:
                    continue
                if player not in known or player in seated:
                    wrong = "is seated twice in this round" if player in known else "is not a player of this tournament"
                    yield BadInput(f"/rounds/{number}/{place}/{side}", f"{reader.shown(player)} {wrong}.")
                seated.add(player)
