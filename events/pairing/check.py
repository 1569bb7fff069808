"""Verify the pairings of a whole event from its event file alone.

Each round is judged by what was really played before it, and compared with the best round computed again from its own
tournament file: each active player is paired once, no rematch is avoidable, the bye goes to the right player, and the
cost is least or a manual change is on record. Only these parts of the event file are read: `rounds[]` with `number`,
`stage`, `state`, `tournament`, `matches[]` (`a`, `b`, `kind`, `result`) and `changes_by_hand`, `event.pairing_style`,
`event.teams_of_two` with `teams[]`, and the players' names. Matches name players by their number in the event, or by
their id in the tournament file. Where teams of two play, a round pairs teams.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rules.engine import BadInput

from .documents import has_tables, read_tables, read_tournament
from .explain import Comparison, compare_pairs
from .tables import TableTournament, judged
from .tables import seat as seat_tables
from .tournament import Tournament

Seat = tuple[str | None, ...]
"""Who sits at a table: a pair, one player and None, or three or four players."""
STYLES = ("swiss", "elimination", "round-robin")
Read = TypeVar("Read")
TEAM_SIZE = 2
KINDS = ("game", "bye", "awarded", "missed")
SAME_PAIRS = frozenset({"table"})
LABELS = {
    "rematches": "number of rematches",
    "bye": "bye",
    "cost": "cost",
    "same_club": "number of club-mates paired",
    "ranks": "sum of squared rank differences",
}


@dataclass(frozen=True)
class PairingFinding:
    """A statement about a round: a fault, or a note that isn't one."""

    is_fault: bool
    text: str


@dataclass(frozen=True)
class RoundCheck:
    """A round's findings and, for a Swiss round, its figures."""

    number: int
    stage: str
    findings: tuple[PairingFinding, ...]
    comparison: Comparison | None = None

    @property
    def is_fine(self) -> bool:
        """Whether no finding is a fault."""
        return not any(finding.is_fault for finding in self.findings)


def check_event(document: object) -> tuple[RoundCheck, ...]:
    """Return the findings on each round, in order. Raise BadInput if the file can't be read."""
    top = _needed(document, "", "An event file must be a JSON object.")
    if top.get("format") != "headjudge-event":
        raise BadInput("/format", "This isn't a Headjudge event file: its format isn't \"headjudge-event\".")
    event = top.get("event", {})
    style = event.get("pairing_style", "swiss") if isinstance(event, dict) else "swiss"
    if style not in STYLES:
        raise BadInput("/event/pairing_style", f"The pairing style must be one of {', '.join(STYLES)}.")
    rounds = top.get("rounds")
    if not isinstance(rounds, list):
        raise BadInput("/rounds", "An event file must have a list of rounds.")
    names, teams = _names(top), _teams(top)
    checks: list[RoundCheck] = []
    history: list[tuple[Seat, ...]] = []
    outcomes: list[tuple[str, str]] = []
    for place, item in enumerate(rounds):
        where = f"/rounds/{place}"
        one = _needed(item, where, "A round must be a JSON object.")
        if one.get("state") == "draft":
            continue
        number = one.get("number", place + 1)
        if type(number) is not int:
            raise BadInput(f"{where}/number", "A round's number must be a whole number.")
        seats, apart = _as_teams(_seats(one, where), teams)
        stage = "cut" if one.get("stage") == "cut" else "main"
        by_hand = _changes(one, where)
        if stage == "main" and has_tables(one.get("tournament")):
            checks.append(_check_tables(number, _read(one, where, read_tables), seats, by_hand, history))
        elif stage == "main" and style == "swiss":
            tournament = _tournament(one, where)
            check = _check_swiss(number, tournament, seats, by_hand, history)
            stale = tuple(_on_other_points(tournament, outcomes)) if not teams else apart
            checks.append(RoundCheck(number, stage, (*check.findings, *stale), check.comparison))
        else:
            findings = [*_seated_once(seats)]
            if stage == "main" and style == "round-robin":
                findings += _met_again(seats, history, by_hand)
            checks.append(RoundCheck(number, stage, tuple(findings)))
        history.append(seats)
        outcomes += _outcomes(one, where)
    return tuple(_with_names(check, names) for check in checks)


def _names(top: dict[str, Any]) -> dict[str, str]:
    """Return the players' names by their id in tournament files, as far as the file gives them."""
    players = top.get("players", [])
    if not isinstance(players, list):
        raise BadInput("/players", "The players must be a list.")
    found = {
        _player(one["id"]): str(one["name"])
        for one in players
        if isinstance(one, dict) and isinstance(one.get("id"), int | str) and one.get("name")
    }
    of_team: dict[str, list[str]] = {}
    for player, team in _teams(top).items():
        of_team.setdefault(team, []).append(found.get(player, player))
    return found | {team: " & ".join(members) for team, members in of_team.items()}


def _teams(top: dict[str, Any]) -> dict[str, str]:
    """Return each player's team by their ids in tournament files; nothing where players play for themselves."""
    event = top.get("event")
    if not isinstance(event, dict) or not event.get("teams_of_two"):
        return {}
    teams = top.get("teams", [])
    found: dict[str, str] = {}
    for place, team in enumerate(teams if isinstance(teams, list) else [teams]):
        numbers = team.get("players") if isinstance(team, dict) else None
        if not isinstance(numbers, list) or type(team.get("id")) is not int:
            raise BadInput(f"/teams/{place}", "A team must have an id and a list of players.")
        found |= {_player(one): f"t{team['id']}" for one in numbers if isinstance(one, int | str)}
    return found


def _as_teams(seats: tuple[Seat, ...], teams: dict[str, str]) -> tuple[tuple[Seat, ...], tuple[PairingFinding, ...]]:
    """Return the pairs of teams that meet at these tables, and where a team isn't seated as one.

    Without teams, the seats are returned as they are.
    """
    if not teams:
        return seats, ()
    met: dict[str, set[str | None]] = {}
    faults = [f"{one} has no team." for seat in seats for one in seat if one is not None and one not in teams]
    seated: Counter[str] = Counter()
    for seat in seats:
        here = [None if one is None else teams.get(one, one) for one in seat]
        sides = dict.fromkeys(here)
        if len(sides) == 1:
            faults.append(f"Team-mates play each other: {here[0]}.")
        for one in here:
            if one is not None:
                seated[one] += 1
                met.setdefault(one, set()).update(other for other in sides if other != one)
    faults += [f"{team} is seated with {count} of 2 players." for team, count in seated.items() if count != TEAM_SIZE]
    faults += [f"{team} meets more than one team." for team, others in met.items() if len(others) > 1]
    pairs: dict[frozenset[str | None], Seat] = {}
    for team, others in met.items():
        other = next(iter(others), None)
        pairs.setdefault(frozenset((team, other)), (team, other))
    return tuple(pairs.values()), tuple(PairingFinding(True, text) for text in faults)


def _with_names(check: RoundCheck, names: dict[str, str]) -> RoundCheck:
    if not names:
        return check
    ids = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in sorted(names, key=len, reverse=True)))

    def named(found: re.Match[str]) -> str:
        return f"{names[found[0]]} ({found[0]})"

    findings = tuple(PairingFinding(one.is_fault, ids.sub(named, one.text)) for one in check.findings)
    return RoundCheck(check.number, check.stage, findings, check.comparison)


def _player(value: object) -> str:
    """Return a player's id in tournament files: an event numbers its entries, and the files write p1, p2, …"""
    return value if isinstance(value, str) else f"p{value}"


def _changes(one: dict[str, Any], where: str) -> list[Any]:
    """Return the manual changes that affect who plays whom, not just at which table."""
    changes = one.get("changes_by_hand", [])
    if not isinstance(changes, list):
        raise BadInput(f"{where}/changes_by_hand", "The manual changes must be a list.")
    return [change for change in changes if not (isinstance(change, dict) and change.get("what") in SAME_PAIRS)]


def _needed(value: object, where: str, message: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadInput(where, message)
    return value


def _tournament(one: dict[str, Any], where: str) -> Tournament:
    if "tournament" not in one:
        raise BadInput(f"{where}/tournament", "A Swiss round needs the tournament file that it was paired from.")
    return _read(one, where, read_tournament)


def _read(one: dict[str, Any], where: str, reader: Callable[[object], Read]) -> Read:
    """Return what a reader makes of the tournament file of a round."""
    try:
        return reader(one["tournament"])
    except BadInput as fault:
        raise fault.under(*where.split("/")[1:], "tournament") from None


def _seats(one: dict[str, Any], where: str) -> tuple[Seat, ...]:
    matches = one.get("matches")
    if not isinstance(matches, list):
        raise BadInput(f"{where}/matches", "A round needs a list of its matches.")
    seats = []
    for place, item in enumerate(matches):
        at = f"{where}/matches/{place}"
        match = _needed(item, at, "A match must be a JSON object.")
        a, b = match.get("a"), match.get("b")
        kind = match.get("kind", "game" if b is not None else "bye")
        if kind not in KINDS:
            raise BadInput(f"{at}/kind", f"A match's kind must be one of {', '.join(KINDS)}.")
        if type(a) not in (int, str):
            raise BadInput(f"{at}/a", "A match needs a player.")
        if b is not None and type(b) not in (int, str):
            raise BadInput(f"{at}/b", "The opponent must be a player or null.")
        if (b is None) != (kind != "game"):
            raise BadInput(f"{at}/b", "A game must have two players; a bye or a missed round must have one.")
        further = [match[seat] for seat in ("c", "d") if match.get(seat) is not None]
        if any(type(one) not in (int, str) for one in further) or (further and b is None):
            raise BadInput(at, "The third and fourth player must be players, beside two others.")
        if kind != "missed":
            seats.append((_player(a), None if b is None else _player(b), *map(_player, further)))
    return tuple(seats)


def _outcomes(one: dict[str, Any], where: str) -> list[tuple[str, str]]:
    """Return "win", "draw" or "loss" for each player of a round, as far as the file has results."""
    told = []
    for place, match in enumerate(one["matches"]):
        kind = match.get("kind", "game" if match.get("b") is not None else "bye")
        if kind != "game":
            told.append((_player(match["a"]), "loss" if kind == "missed" else "win"))
            continue
        result = match.get("result")
        if result is None:
            continue
        if match.get("c") is not None:
            continue
        if not isinstance(result, dict) or result.get("winner") not in (None, "a", "b"):
            raise BadInput(f"{where}/matches/{place}/result", 'A result must name its winner: "a", "b" or null.')
        winner = result.get("winner")
        without = "loss" if result.get("double_loss") else "draw"
        for side in ("a", "b"):
            outcome = without if winner is None else "win" if winner == side else "loss"
            told.append((_player(match[side]), outcome))
    return told


def _on_other_points(tournament: Tournament, outcomes: list[tuple[str, str]]) -> Iterator[PairingFinding]:
    """Yield players whose match points differ from those of others with the same wins, draws and losses.

    The points for a win need not be known: equal won–lost records must always be worth the same.
    """
    record: dict[str, Counter[str]] = {player.id: Counter() for player in tournament.players}
    for player, outcome in outcomes:
        if player in record:
            record[player][outcome] += 1
    alike: dict[tuple[int, int, int], list[tuple[str, int]]] = {}
    for one in tournament.active:
        told = record[one.id]
        alike.setdefault((told["win"], told["draw"], told["loss"]), []).append((one.id, one.points))
    for (won, drawn, lost), group in alike.items():
        usual = Counter(points for _player, points in group).most_common(1)[0][0]
        for player, points in group:
            if points != usual:
                text = f"{player} was paired with {points} points; others with {won}–{drawn}–{lost} had {usual}."
                yield PairingFinding(False, f"{text} A result was corrected after this round was paired.")


def _check_swiss(
    number: int, tournament: Tournament, seats: tuple[Seat, ...], by_hand: list[Any], history: list[tuple[Seat, ...]]
) -> RoundCheck:
    findings = [*_same_history(tournament, history)]
    really = _as_really_played(tournament, history)
    late = [a for a, b in seats if b is None and a not in tournament.by_id]
    findings += [PairingFinding(False, f"{player} arrived late and has a bye for this round.") for player in late]
    for player in really.awarded_byes:
        seated = any(player in seat for seat in seats)
        text = "had an awarded bye." if seated else "had an awarded bye, but this round doesn't have it."
        findings.append(PairingFinding(not seated, f"{player} {text}"))
    compared = compare_pairs(really, [seat for seat in seats if seat[0] not in late])
    findings += [PairingFinding(True, fault) for fault in compared.faults]
    recorded = bool(by_hand)
    if compared.best is None:
        text = "No round without a rematch was possible, and this one was played."
        findings.append(PairingFinding(not recorded, f"{text}{_by_hand(by_hand)}"))
    elif compared.worse_in and not compared.faults:
        findings.append(PairingFinding(not recorded, f"{_worse(really, compared)}{_by_hand(by_hand)}"))
    elif not compared.faults:
        same = not compared.only_by_hand and compared.bye == compared.best.bye
        drawn = "These are the pairs that the seed draws."
        other = "The seed draws other pairs, which are equally good."
        findings.append(PairingFinding(False, f"No better pairing exists. {drawn if same else other}"))
    return RoundCheck(number, "main", tuple(findings), compared)


def _check_tables(
    number: int,
    tournament: TableTournament,
    seats: tuple[Seat, ...],
    by_hand: list[Any],
    history: list[tuple[Seat, ...]],
) -> RoundCheck:
    """Check a round at tables of three or four: everyone seated once, and no better round with what was known."""
    tables = [tuple(player for player in seat if player is not None) for seat in seats]
    seated = {player for table in tables for player in table}
    active = {player.id for player in tournament.players if not player.dropped}
    findings = [*_seated_once(seats)]
    if len(history) != len(tournament.rounds):
        findings.append(PairingFinding(True, _other_rounds(len(tournament.rounds), len(history))))
    findings += [PairingFinding(True, f"{player} isn't seated.") for player in sorted(active - seated)]
    findings += [
        PairingFinding(False, f"{player} arrived late and sits at a table.") for player in sorted(seated - active)
    ]
    known = {player.id for player in tournament.players}
    really = replace(
        tournament,
        rounds=tuple(
            tuple(tuple(one for one in seat if one is not None and one in known) for seat in played)
            for played in history
        ),
    )
    mine, best = judged(really, tables), seat_tables(really)
    worse = [
        f"The {label} is {own}, but could be {least}."
        for label, own, least in (
            ("number of rematches", mine.repeats, best.repeats),
            ("cost", mine.cost, best.cost),
            ("number of club-mates at one table", mine.same_club, best.same_club),
        )
        if own != least
    ]
    is_worse = (mine.repeats, mine.cost) > (best.repeats, best.cost) or (
        tournament.avoid_same_club
        and (mine.repeats, mine.cost) == (best.repeats, best.cost)
        and mine.same_club > best.same_club
    )
    if is_worse:
        findings.append(PairingFinding(not by_hand, f"{worse[0]}{_by_hand(by_hand)}"))
    elif not any(finding.is_fault for finding in findings):
        findings.append(PairingFinding(False, "No swap of two players would improve this round."))
    return RoundCheck(number, "main", tuple(findings))


def _other_rounds(told: int, played: int) -> str:
    return f"The round's tournament file has {told} rounds before it, not the {played} that were played."


def _by_hand(changes: list[Any]) -> str:
    if not changes:
        return " No manual change is logged."
    reasons = [str(change["reason"]) for change in changes if isinstance(change, dict) and change.get("reason")]
    return " A manual change is logged" + (f", with this reason: {'; '.join(reasons).rstrip('.')}." if reasons else ".")


def _worse(tournament: Tournament, compared: Comparison) -> str:
    best, name = compared.best, compared.worse_in
    assert best is not None
    assert name is not None
    if name == "bye":
        return f"The bye went to {compared.bye} instead of {best.bye}."
    if name == "rematches":
        pairs = ", ".join(f"{a} and {b}" for a, b in compared.rematched)
        return (
            f"This rematch was avoidable: {pairs}."
            if len(compared.rematched) == 1
            else f"These rematches were avoidable: {pairs}."
        )
    mine, least = (
        (compared.ranks, compare_pairs(tournament, best.pairs).ranks)
        if name == "ranks"
        else (getattr(compared, name), getattr(best, name))
    )
    return f"The {LABELS[name]} is {mine}, but could be {least}."


def _as_really_played(tournament: Tournament, history: list[tuple[Seat, ...]]) -> Tournament:
    """Return the round's tournament with what its players really played before it."""
    known = tournament.by_id
    rounds = tuple(tuple((a, b) for a, b in seats if a in known and (b is None or b in known)) for seats in history)
    return Tournament(
        players=tournament.players,
        rounds=rounds,
        seed=tournament.seed,
        avoid_same_club=tournament.avoid_same_club,
        allow_rematch=tournament.allow_rematch,
        id=tournament.id,
    )


def _same_history(tournament: Tournament, history: list[tuple[Seat, ...]]) -> Iterator[PairingFinding]:
    """Yield where a round's tournament file differs from what was really played before it."""
    if len(tournament.rounds) != len(history):
        yield PairingFinding(True, _other_rounds(len(tournament.rounds), len(history)))
        return
    known = tournament.by_id
    for number, (told, real) in enumerate(zip(tournament.rounds, history, strict=True), 1):
        played = {frozenset(seat) for seat in real if seat[0] in known and (seat[1] is None or seat[1] in known)}
        if {frozenset(seat) for seat in told} != played:
            yield PairingFinding(False, f"The seating of round {number} was fixed after this round was paired.")


def _seated_once(seats: tuple[Seat, ...]) -> Iterator[PairingFinding]:
    seen: set[str] = set()
    for player in (player for seat in seats for player in seat if player is not None):
        if player in seen:
            yield PairingFinding(True, f"{player} is seated twice.")
        seen.add(player)


def _met_again(
    seats: tuple[Seat, ...], history: list[tuple[Seat, ...]], by_hand: list[Any]
) -> Iterator[PairingFinding]:
    met = {frozenset(seat) for played in history for seat in played if seat[1] is not None}
    for a, b in seats:
        if b is not None and frozenset((a, b)) in met:
            yield PairingFinding(not by_hand, f"{a} and {b} meet again.{_by_hand(by_hand)}")
