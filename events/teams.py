"""Teams of two: whom a round of two teams seats, and what teams have in the standings.

Pure values. Two teams meet either at two neighbouring tables, where each player plays one of the other team, or at one
table of four. A team's record is the sum of its players' records, so both tables count, and so does every seat; what
players bring along who left the team counts too. `events.standings` orders teams by the same tie-breakers as players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

from .counting import Counting, PlayerRecord, RecordTable, StandingsPlayer

PARTNERS = (("a", "c"), ("b", "d"))
"""The seats of both pairs at a table of four: partners sit across from each other."""
FULL_TABLE = 4
SUMMED = tuple(one.name for one in fields(PlayerRecord) if one.name not in ("opponents", "beaten"))


def seats_of_teams(one: Sequence[str], other: Sequence[str], table_size: int) -> list[tuple[str, ...]]:
    """Return the tables at which two teams meet, by their players' ids: one of four, or first and second players."""
    meeting = list(zip(one, other, strict=True))
    return [tuple(player for pair in meeting for player in pair)] if table_size == FULL_TABLE else list(meeting)


def team_table(
    players: RecordTable, team_of: Mapping[str, str], teams: Iterable[StandingsPlayer], counting: Counting
) -> RecordTable:
    """Return the teams' records from their players'; players without a team count for none."""
    table = RecordTable(teams, (), counting)
    met: dict[str, Counter[str]] = {team: Counter() for team in table.records}
    beaten: dict[str, Counter[str]] = {team: Counter() for team in table.records}
    for player, own in players.records.items():
        team = team_of.get(player)
        if team is None:
            continue
        record = table.records[team]
        for name in SUMMED:
            setattr(record, name, getattr(record, name) + getattr(own, name))
        met[team].update(team_of[other] for other in own.opponents if other in team_of)
        beaten[team].update(team_of[other] for other in own.beaten if other in team_of)
    each = FULL_TABLE if counting.by_place else 2
    for team, record in table.records.items():
        record.opponents = [other for other, times in met[team].items() for _meeting in range(max(1, times // each))]
        record.beaten = {other for other, times in beaten[team].items() if times > beaten[other][team]}
    return table
