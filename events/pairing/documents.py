"""Tournament files: JSON ↔ values, and `pair_round` from a document to its report.

For the format see FORMATS, "Tournament file". An unreadable document raises BadInput with a JSON pointer to each fault;
a round that can't be paired is a report with the error `no-pairing`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from rules.engine import BadInput, every_fault, reader, refuse

from .best import Draw, NoPairing, draw
from .tables import SeatedRound, TableTournament, seat
from .tournament import Player, Seats, Tournament

Document = dict[str, Any]

MAX_NUMBER = 1_000_000
SEED_MOST = 2**63 - 1
MOST_AT_A_TABLE = 4


def pair_round(document: Document) -> Document:
    """Return the report on a tournament file: the next round with its quality, or why there is none.

    With an option `table_size` of 3 or 4 the round is one of tables. Raise BadInput if the document can't be read.
    """
    if has_tables(document):
        tables = read_tables(document)
        return report_of_tables(tables, seat(tables))
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


def report_of_tables(tournament: TableTournament, seated: SeatedRound) -> Document:
    """Return the report of a round at tables of more than two."""
    return {
        "id": tournament.id,
        "tables": [list(table) for table in seated.tables],
        "repeats": seated.repeats,
        "cost": seated.cost,
        "same_club": seated.same_club,
        "proved": seated.proved,
    }


def has_tables(document: object) -> bool:
    """Return whether a document asks for tables of more than two."""
    options = document.get("options") if isinstance(document, dict) else None
    return isinstance(options, dict) and type(size := options.get("table_size")) is int and size in (3, 4)


def _pair(value: Any) -> tuple[str, str | None]:
    """Return two players, or one and None for a bye."""
    if type(value) is not list or len(value) != 2:
        raise BadInput("", "A pairing must be a list of two players, or of one player and null.")
    a, b = value
    if type(a) is str and (b is None or type(b) is str):
        return a, b
    raise BadInput(f"/{int(type(a) is str)}", "A player's id must be text.")


def _table(value: Any) -> tuple[str, ...]:
    """Return the players at a table of one to four; null stands for an empty seat."""
    if type(value) is not list or not 1 <= len(value) <= MOST_AT_A_TABLE:
        raise BadInput("", "A table must be a list of one to four players; null stands for an empty seat.")
    for place, player in enumerate(value):
        if player is not None and type(player) is not str:
            raise BadInput(f"/{place}", "A player's id must be text.")
    return tuple(value)


def _table_size(value: Any) -> int:
    if type(value) is int and 2 <= value <= MOST_AT_A_TABLE:
        return value
    raise BadInput("", f"Tables must be for 2, 3 or 4 players, not {reader.shown(value)}.")


def _no_byes(_value: Any) -> None:
    raise BadInput("", "A round at tables of three or four can't have a bye.")


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
    "standing": reader.nullable(_from_one),
}
OPTION_KEYS = {"avoid_same_club": reader.flag, "allow_rematch": reader.flag, "table_size": _table_size}
KEYS: Mapping[str, reader.Reader[Any]] = {
    "id": _optional_text,
    "title": _optional_text,
    "note": _optional_text,
    "seed": reader.a_whole_number(0, SEED_MOST),
    "players": reader.a_list(reader.an_object(dict, PLAYER_KEYS, ("id", "points"))),
    "rounds": reader.a_list(reader.a_list(_pair)),
    "options": reader.an_object(dict, OPTION_KEYS),
}
_at_table: reader.Reader[Document] = reader.an_object(dict, {**PLAYER_KEYS, "byes_awarded": _no_byes}, ("id", "points"))
KEYS_WITH_TABLES = {**KEYS, "players": reader.a_list(_at_table), "rounds": reader.a_list(reader.a_list(_table))}
_document: reader.Reader[Document] = reader.an_object(dict, KEYS, ("players",))
_document_with_tables: reader.Reader[Document] = reader.an_object(dict, KEYS_WITH_TABLES, ("players",))


@every_fault
def read_tournament(document: object) -> Tournament:
    """Return the tournament in a document. Raise BadInput with every fault."""
    read = _document(document)
    rounds: tuple[Seats, ...] = read.get("rounds", ())
    refuse(chain(_given_twice(read["players"]), _wrong_seats(rounds, {player["id"] for player in read["players"]})))
    awarded = {player["id"]: frozenset(player.pop("byes_awarded", ())) for player in read["players"]}
    refuse(_without_standing(read["players"], {one for one, at in awarded.items() if len(rounds) + 1 in at}))
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
        **{name: value for name, value in read.get("options", {}).items() if name != "table_size"},
    )


@every_fault
def read_tables(document: object) -> TableTournament:
    """Return the tournament in a document whose next round is at tables. Raise BadInput with every fault."""
    read = _document_with_tables(document)
    rounds = read.get("rounds", ())
    refuse(chain(_given_twice(read["players"]), _wrong_seats(rounds, {player["id"] for player in read["players"]})))
    options = read["options"]
    return TableTournament(
        players=tuple(Player(**player) for player in read["players"]),
        size=options["table_size"],
        rounds=tuple(tuple(tuple(one for one in table if one is not None) for table in played) for played in rounds),
        seed=read.get("seed", 0),
        avoid_same_club=options.get("avoid_same_club", False),
        id=read.get("id"),
    )


def _given_twice(players: tuple[Document, ...]) -> Iterator[BadInput]:
    seen: set[str] = set()
    for place, player in enumerate(players):
        if player["id"] in seen:
            yield BadInput(f"/players/{place}/id", f"Two players have the id {reader.shown(player['id'])}.")
        seen.add(player["id"])


def _without_standing(players: tuple[Document, ...], awarded: set[str]) -> Iterator[BadInput]:
    """Yield a fault at the first player to be paired who has no standing while others have one."""
    paired = [(at, one) for at, one in enumerate(players) if not one.get("dropped") and one["id"] not in awarded]
    without = [at for at, one in paired if one.get("standing") is None]
    if without and len(without) < len(paired):
        yield BadInput(f"/players/{without[0]}/standing", "Give a standing to every player to be paired, or to none.")


def _wrong_seats(rounds: Iterable[Iterable[Iterable[str | None]]], known: set[str]) -> Iterator[BadInput]:
    for number, played in enumerate(rounds):
        seated: set[str] = set()
        for place, pair in enumerate(played):
            for side, player in enumerate(pair):
                if player is None:
                    continue
                if player not in known or player in seated:
                    wrong = "is seated twice in this round" if player in known else "isn't a player in this tournament"
                    yield BadInput(f"/rounds/{number}/{place}/{side}", f"{reader.shown(player)} {wrong}.")
                seated.add(player)
