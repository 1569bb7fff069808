"""From an event's rows to the tournament file that a round is paired from, and from pairs to tables.

Plain values in and out: `events.services.rounds_field` reads the rows, `events.pairing` pairs. The document is stored
with the round, so that anyone can check later what was known at the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

Document = dict[str, Any]
PAIR_SIZE = 2
Pair = tuple[str, str | None]
AtTable = tuple[str | None, ...]
"""Who sits at a table, by ids: a pair, one player and None for a bye, or three or four players."""


@dataclass(frozen=True)
class Contestant:
    """A player or team of a tournament file: its `number`, match points, place (1 is best), byes received and awarded.

    `byes_awarded`: the rounds with a bye awarded before the event. `standing` decides about the bye only; it's the rank
    but in a round 1 by rank.
    """

    number: int
    points: int = 0
    rank: int | None = None
    byes: int = 0
    club: str = ""
    plays: bool = True
    byes_awarded: Sequence[int] = ()
    standing: int | None = None


def player_id(number: int) -> str:
    """Return an entry's id in tournament files, made from its number, which is never reused."""
    return f"p{number}"


def team_id(number: int) -> str:
    """Return a team's id in tournament files."""
    return f"t{number}"


def number_of(player: str) -> int:
    """Return the number of the entry, or team, with this id."""
    return int(player[1:])


def seed_of_round(event_seed: int, number: int) -> int:
    """Return a round's seed: the event's published seed plus the round's number, so that anyone can repeat the draw."""
    return event_seed + number


def tournament_file(
    *,
    event_seed: int,
    number: int,
    contestants: Iterable[Contestant],
    rounds: Sequence[Sequence[tuple[int | None, ...]]],
    avoid_same_club: bool = False,
    allow_rematch: bool = False,
    table_size: int = 2,
    id_of: Callable[[int], str] = player_id,
) -> Document:
    """Return the document from which round `number` is paired (FORMATS, "Tournament file").

    Clubs count, and are included, only if they are kept apart. `rounds` are pairs, or tables, of entry numbers. At
    tables of three or four there are no byes. `id_of` turns numbers into ids: where teams meet, `team_id`.
    """
    players: list[Document] = []
    entered = sorted(contestants, key=lambda one: one.number)
    standing = {one.number: one.standing or one.rank for one in entered}
    all_stand = all(standing[one.number] for one in entered if one.plays)
    for one in entered:
        player: Document = {
            "id": id_of(one.number),
            "points": one.points,
            "byes": one.byes,
            "dropped": not one.plays,
        }
        if avoid_same_club and one.club.strip():
            player["club"] = " ".join(one.club.split()).casefold()
        if one.byes_awarded and table_size == PAIR_SIZE:
            player["byes_awarded"] = list(one.byes_awarded)
        if one.rank is not None:
            player["rank"] = one.rank
        if all_stand and standing[one.number]:
            player["standing"] = standing[one.number]
        players.append(player)
    return {
        "id": f"r{number}",
        "seed": seed_of_round(event_seed, number),
        "players": players,
        "rounds": [
            [[id_of(one) if one is not None else None for one in seated] for seated in played] for played in rounds
        ],
        "options": {"avoid_same_club": avoid_same_club, "allow_rematch": allow_rematch}
        | ({"table_size": table_size} if table_size != PAIR_SIZE else {}),
    }


def differences(then: Mapping[str, Any], now: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    """Return in words how `now` differs from `then`, from which a draft was paired; empty if it is up to date."""
    before = {player["id"]: player for player in then.get("players", [])}
    after = {player["id"]: player for player in now.get("players", [])}
    texts = (
        ("points", _("%(name)s's match points have changed from %(then)s to %(now)s.")),
        ("byes", _("%(name)s's number of byes has changed from %(then)s to %(now)s.")),
        ("club", _("%(name)s has changed clubs.")),
        ("byes_awarded", _("%(name)s's awarded byes have changed.")),
    )
    found: list[str] = []
    moved = False
    for player in sorted(before.keys() | after.keys(), key=number_of):
        one, other = before.get(player), after.get(player)
        name = names.get(player, player)
        played, plays = bool(one and not one["dropped"]), bool(other and not other["dropped"])
        if played and not plays:
            found.append(_("%(name)s has left the event but is still paired.") % {"name": name})
        elif plays and not played:
            found.append(_("%(name)s should play but isn't paired.") % {"name": name})
        elif one and other and plays:
            for key, text in texts:
                if one.get(key) != other.get(key):
                    found.append(text % {"name": name, "then": one.get(key), "now": other.get(key)})
            moved = moved or one.get("rank") != other.get("rank")
    if then.get("rounds") != now.get("rounds"):
        found.append(_("Pairings of an earlier round were changed."))
    if then.get("seed") != now.get("seed"):
        found.append(_("The event's seed was changed."))
    if not found and moved:
        is_first = not now.get("rounds") and not any(player["points"] for player in now["players"])
        found.append(_("The players' ranks have changed.") if is_first else _("The standings have changed."))
    return found


def number_tables(pairs: Sequence[AtTable], fixed: Mapping[str, int], first: int) -> list[int | None]:
    """Return the table of each pair: fixed tables first, then by standing from the event's first table; None for a bye.

    If two players with fixed tables meet, they play at the lower one.
    """
    tables: dict[int, int] = {}
    for place, pair in enumerate(pairs):
        kept = sorted(fixed[player] for player in pair if player is not None and player in fixed)
        if pair[1] is not None and kept:
            tables[place] = kept[0]
    taken = set(tables.values())
    table = first
    for place, pair in enumerate(pairs):
        if pair[1] is None or place in tables:
            continue
        while table in taken:
            table += 1
        tables[place] = table
        taken.add(table)
    return [tables.get(place) for place in range(len(pairs))]
