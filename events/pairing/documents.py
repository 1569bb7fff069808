"""Tournament files: JSON ↔ values, and `pair_round` from a document to its report.

For the format see FORMATS, "Tournament file". An unreadable document raises BadInput with a JSON pointer; a round that
can't be paired is a report with the error `no-pairing`.
"""

from __future__ import annotations

from typing import Any

from rules.engine import BadInput

from .best import Draw, NoPairing, draw
from .tournament import Player, Tournament

Document = dict[str, Any]

MAX_NUMBER = 1_000_000
SEED_MOST = 2**63 - 1
KEYS = frozenset({"id", "title", "note", "seed", "players", "rounds", "options"})
PLAYER_KEYS = frozenset({"id", "points", "byes", "dropped", "club", "rank"})
OPTION_KEYS = frozenset({"avoid_same_club", "allow_rematch"})


def pair_round(document: Document) -> Document:
    """Return the report on a tournament file: the next round with its quality, or why there is none.

    Raise BadInput if the document can't be read.
    """
    tournament = read_tournament(document)
    try:
        return report_of(tournament, draw(tournament))
    except NoPairing as none:
        return _with_id(tournament) | {"error": {"code": "no-pairing", "message": none.message}}


def report_of(tournament: Tournament, drawn: Draw) -> Document:
    """Return the report of a round."""
    return _with_id(tournament) | {
        "pairings": [list(pair) for pair in drawn.pairs],
        "bye": drawn.bye,
        "rematches": drawn.rematches,
        "cost": drawn.cost,
        "same_club": drawn.same_club,
    }


def _with_id(tournament: Tournament) -> Document:
    return {"id": tournament.id}


def read_tournament(document: object) -> Tournament:
    """Return the tournament in a document. Raise BadInput with a pointer to the first fault."""
    top = _object(document, "", KEYS)
    for key in ("id", "title", "note"):
        if top.get(key) is not None:
            _text(top[key], f"/{key}")
    players = _players(top)
    rounds, byes = _rounds(top.get("rounds", []), {player["id"] for player in players})
    options = _object(top.get("options", {}), "/options", OPTION_KEYS)
    return Tournament(
        players=tuple(
            Player(
                player["id"],
                player["points"],
                player.get("byes", byes.get(player["id"], 0)),
                player.get("dropped", False),
                player.get("club"),
                player.get("rank"),
            )
            for player in players
        ),
        rounds=rounds,
        seed=_whole(top.get("seed", 0), "/seed", 0, SEED_MOST),
        avoid_same_club=_flag(options.get("avoid_same_club", False), "/options/avoid_same_club"),
        allow_rematch=_flag(options.get("allow_rematch", False), "/options/allow_rematch"),
        id=top.get("id"),
    )


def _players(top: Document) -> list[Document]:
    if "players" not in top:
        raise BadInput("/players", "A tournament needs its players.")
    seen: set[str] = set()
    players = []
    for place, item in enumerate(_list(top["players"], "/players")):
        # Thousands of players are read for every round, so build JSON pointers only for errors.
        where = f"/players/{place}"
        player = _object(item, where, PLAYER_KEYS)
        for key in ("id", "points"):
            if key not in player:
                raise BadInput(f"{where}/{key}", f"A player needs {key}.")
        name = _text(player["id"], f"{where}/id")
        if name in seen:
            raise BadInput(f"{where}/id", f"Two players have the id {name!r}.")
        seen.add(name)
        _whole(player["points"], f"{where}/points")
        if "byes" in player:
            _whole(player["byes"], f"{where}/byes")
        if "dropped" in player:
            _flag(player["dropped"], f"{where}/dropped")
        if player.get("club") is not None:
            _text(player["club"], f"{where}/club")
        if player.get("rank") is not None:
            _whole(player["rank"], f"{where}/rank", 1)
        players.append(player)
    return players


def _rounds(value: object, known: set[str]) -> tuple[tuple[tuple[tuple[str, str | None], ...], ...], dict[str, int]]:
    rounds = []
    byes: dict[str, int] = {}
    for number, played in enumerate(_list(value, "/rounds")):
        seated: set[str] = set()
        pairs = []
        for place, pair in enumerate(_list(played, f"/rounds/{number}")):
            if type(pair) is not list or len(pair) != 2:
                raise BadInput(f"/rounds/{number}/{place}", "A pairing is a list of two players, or of one and null.")
            a, b = pair
            for side, player in ((0, a), (1, b)) if b is not None else ((0, a),):
                if type(player) is not str or player not in known or player in seated:
                    raise _not_seatable(player, known, f"/rounds/{number}/{place}/{side}")
                seated.add(player)
            if b is None:
                byes[a] = byes.get(a, 0) + 1
            pairs.append((a, b))
        rounds.append(tuple(pairs))
    return tuple(rounds), byes


def _not_seatable(player: object, known: set[str], where: str) -> BadInput:
    name = _text(player, where)
    if name not in known:
        return BadInput(where, f"{name!r} is no player of this tournament.")
    return BadInput(where, f"{name!r} is seated twice in this round.")


def _object(value: object, where: str, keys: frozenset[str]) -> Document:
    if type(value) is not dict:
        raise BadInput(where, f"An object is needed here, not {_kind(value)}.")
    if not keys.issuperset(value):
        unknown = next(key for key in value if key not in keys)
        pointer = str(unknown).replace("~", "~0").replace("/", "~1")
        raise BadInput(f"{where}/{pointer}", f"The key {str(unknown)!r} is not known here.")
    return value


def _list(value: object, where: str) -> list[Any]:
    if type(value) is not list:
        raise BadInput(where, f"A list is needed here, not {_kind(value)}.")
    return value


def _text(value: object, where: str) -> str:
    if type(value) is not str:
        raise BadInput(where, f"A text is needed here, not {_kind(value)}.")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise BadInput(where, "This text cannot be written as UTF-8.") from None
    return value


def _whole(value: object, where: str, least: int = 0, most: int = MAX_NUMBER) -> int:
    if type(value) is not int:
        raise BadInput(where, f"A whole number is needed here, not {_kind(value)}.")
    if not least <= value <= most:
        raise BadInput(where, f"A whole number from {least} to {most} is needed here.")
    return value


def _flag(value: object, where: str) -> bool:
    if type(value) is not bool:
        raise BadInput(where, f"true or false is needed here, not {_kind(value)}.")
    return value


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", int: "a whole number"}
    return "null" if value is None else names.get(type(value), "a fraction")
