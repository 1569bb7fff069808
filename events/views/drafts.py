"""What the page of a draft says: why each pair meets, what is proved, and how a manual change compares with the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events.models import Event, Match, Round
from events.pairing import (
    Certificate,
    Comparison,
    SeatedRound,
    TableTournament,
    compare,
    exchanges,
    explain_and_compare,
    judged,
    read_tables,
    seat,
    without_pair,
)
from events.services.rounds_styles import in_names
from events.tournament import player_id, team_id

MAX_NAMES = 8
WORSE: dict[str, Any] = {
    "rematches": gettext_lazy("more rematches than necessary"),
    "bye": gettext_lazy("the bye goes to a player with a weaker claim"),
    "cost": gettext_lazy("a larger score difference than necessary"),
    "same_club": gettext_lazy("more club-mates paired than necessary"),
    "ranks": gettext_lazy("tied players paired further apart in the standings than necessary"),
}


OTHER_THAN_RANKS = gettext_lazy("the pairings don't follow the chosen order of ranks")
WORSE_TABLES = (
    gettext_lazy("more rematches than necessary"),
    gettext_lazy("a larger score difference than necessary"),
    gettext_lazy("more club-mates at one table than necessary"),
)


def reasons(row: Round, names: Mapping[str, str], pairs: list[tuple[str, str | None]]) -> dict[str, Any]:
    """Return the reasons for the draft, with names: floats, the bye, the proof, and the comparison with the best."""
    keeps_clubs_apart = bool(row.tournament.get("options", {}).get("avoid_same_club"))
    explained, compared = explain_and_compare(row.tournament, pairs)
    by_rank = is_by_rank(row)
    worse = WORSE | {"ranks": OTHER_THAN_RANKS} if by_rank else WORSE
    return {
        "is_by_rank": by_rank,
        "floats": [
            {
                "higher": names.get(one.higher, one.higher),
                "lower": names.get(one.lower, one.lower),
                "from_points": one.from_points,
                "to_points": one.to_points,
                "why": in_names(one.why, names),
                "pair": frozenset((one.higher, one.lower)),
            }
            for one in explained.floats
        ],
        "rematched": {frozenset(pair) for pair in explained.rematches},
        "within_club": {frozenset(pair) for pair in explained.within_club},
        "bye_name": names.get(explained.bye, "") if explained.bye else "",
        "bye_reason": in_names(explained.bye_reason, names),
        "proof": explained.proof,
        "proved": _proved(explained.certificate, keeps_clubs_apart, by_rank) if explained.certificate else (),
        "levels": explained.levels,
        "keeps_clubs_apart": keeps_clubs_apart,
        "compared": compared,
        "against_best": _against_best(compared, keeps_clubs_apart) if compared.best else (),
        "worse": worse.get(compared.worse_in or "", ""),
        "faults": [in_names(fault, names) for fault in compared.faults],
        "only_by_hand": [(names.get(a, a), names.get(b, b)) for a, b in compared.only_by_hand],
        "only_in_best": [(names.get(a, a), names.get(b, b)) for a, b in compared.only_in_best],
    }


def is_by_rank(row: Round) -> bool:
    """Return whether the round is a round 1 that was paired by rank."""
    players = row.tournament.get("players", [])
    return row.number == 1 and any(player.get("standing") for player in players)


def _proved(certificate: Certificate, keeps_clubs_apart: bool, by_rank: bool) -> list[tuple[bool, str]]:
    """Return what is proved of the best pairing; clubs are left out where the event doesn't keep them apart."""
    cost = _("smallest score difference (the minimum for these scores is %(bound)s)") % {
        "bound": certificate.cost_bound
    }
    lines = [
        (certificate.rematches, _("fewest rematches")),
        (certificate.bye, _("bye to the player with the best claim")),
        (certificate.cost, cost),
    ]
    if keeps_clubs_apart:
        lines.append((certificate.clubs, _("fewest club-mates paired")))
    ranks = (
        _("pairings as close to the chosen order of ranks as possible")
        if by_rank
        else _("tied players paired as close together in the standings as possible")
    )
    return [*lines, (certificate.ranks, ranks)]


def _against_best(compared: Comparison, keeps_clubs_apart: bool) -> list[tuple[str, int, int]]:
    best = compared.best
    assert best is not None
    lines = [
        (_("Score difference"), compared.cost, best.cost),
        (_("Rematches"), compared.rematches, best.rematches),
        (_("Club-mates paired"), compared.same_club, best.same_club),
    ]
    return lines if keeps_clubs_apart else lines[:2]


def reasons_of_tables(row: Round, seated: list[tuple[str, ...]]) -> dict[str, Any]:
    """Return the quality of a draft at tables of three or four, beside the best round."""
    tournament = read_tables(row.tournament)
    now, best = judged(tournament, seated), seat(tournament)
    same_club = (now.same_club, best.same_club) if tournament.avoid_same_club else (0, 0)
    figures = ((now.repeats, best.repeats), (now.cost, best.cost), same_club)
    labels = (_("Rematches"), _("Score difference"), _("Club-mates at one table"))
    worse = next((words for (one, other), words in zip(figures, WORSE_TABLES, strict=True) if one > other), "")
    return {
        "tables_quality": [
            (label, one, other)
            for label, (one, other) in zip(labels, figures, strict=True)
            if tournament.avoid_same_club or label != labels[-1]
        ],
        "tables_proved": best.proved,
        "worse": worse,
    }


def first_round_words(row: Round, matches: list[Match]) -> str:
    """Return how round 1 is paired by rank, and who has none; "" if it is drawn by lot."""
    event = row.event
    if event.first_round == Event.FirstRound.DRAWN or event.has_tables or event.teams_of_two:
        return ""
    if row.bracket_size is not None:
        words = _("Seeded by rank.")
    elif event.first_round == Event.FirstRound.FOLD:
        words = _("Paired by rank: the first meets the last, the second meets the second to last, and so on.")
    elif event.first_round == Event.FirstRound.SLIDE:
        words = _("Paired by rank: the upper half meets the lower half in the same order.")
    else:
        words = _("Paired by rank: the upper half meets the lower half. The opponents are drawn by lot.")
    without = [entry.name for match in matches for entry in match.entries if entry.rank is None]
    if not without:
        return words
    more = ngettext(
        "%(n)d player has no rank and comes last: %(names)s.",
        "%(n)d players have no rank and come last, ordered by lot: %(names)s.",
        len(without),
    )
    shown = ", ".join(without[:MAX_NAMES]) + (", …" if without[MAX_NAMES:] else "")
    return f"{words} {more % {'n': len(without), 'names': shown}}"


def _ranks_of(match: Match) -> str:
    """Return both players' ranks in a round 1 by rank."""
    told = [str(entry.rank) if entry.rank else "–" for entry in match.entries]
    return ngettext("rank %(ranks)s", "ranks %(ranks)s", len(told)) % {"ranks": " · ".join(told)}


def ids_of(event: Event, matches: Iterable[Match]) -> dict[int, str]:
    """Return the id of each seated entry in the tournament file, by its key: its own, or its team's."""
    teams = dict(event.teams.values_list("pk", "number")) if event.teams_of_two else {}
    return {
        entry.pk: team_id(teams[entry.team_id]) if entry.team_id in teams else player_id(entry.number)
        for match in matches
        for entry in match.entries
    }


def line_of(
    match: Match, ids: dict[int, str], players: dict[str, Any], facts: dict[str, Any], teams: Mapping[str, str]
) -> dict[str, Any]:
    """Return a draft's line: the players with their (or their team's) match points, partners together, and remarks.

    `teams` are the teams' names by id where partners play at two tables; else nothing.
    """
    order = [entry for pair in match.pairs for entry in pair] or match.entries
    seated = [(entry, players.get(ids[entry.pk], {}).get("points", 0)) for entry in order]
    a = ids[match.a.pk]
    b = ids[match.b.pk] if match.b else None
    pair = frozenset((a, b))
    remarks = []
    if pair in facts.get("rematched", ()):
        remarks.append(_("rematch"))
    if pair in facts.get("within_club", ()):
        remarks.append(_("same club"))
    one, other = seated[0][1], seated[1][1] if match.b else 0
    if "floats" in facts and match.b is not None and one != other:
        remarks.append(_("paired down") if one > other else _("paired up"))
    if facts.get("is_by_rank"):
        remarks.append(_ranks_of(match))
    if b is not None and b in teams:
        remarks.append(f"{teams[a]} – {teams[b]}")
    if match.b and match.note:
        remarks.append(match.note)
    kept = [entry.name for entry in match.entries if entry.fixed_table == match.table]
    if match.table is not None and kept:
        remarks.append(_("table reserved for %(name)s") % {"name": kept[0]})
    return {
        "match": match,
        "in_pairs": bool(match.pairs),
        "table": str(match.table or "–"),
        "called": _("table %(table)s") % {"table": match.table},
        "seats": [(entry, str(points)) for entry, points in seated] if match.b else ((match.a, str(one)), (None, "")),
        "remarks": ", ".join(remarks),
    }


def why_table(
    request: HttpRequest, row: Round, names: Mapping[str, str], matches: list[Match]
) -> dict[str, Any] | None:
    """Return why those at `?why=TABLE` sit together: what the best exchange of each with another table would cost."""
    asked = request.GET.get("why", "")
    games = [match for match in matches if match.table is not None]
    at = next((place for place, match in enumerate(games) if str(match.table) == asked), None)
    if at is None:
        return None
    tournament = read_tables(row.tournament)
    seated = [tuple(player_id(entry.number) for entry in match.entries) for match in games]
    of = {player: match.table for match, players in zip(games, seated, strict=True) for player in players}
    now = judged(tournament, seated)
    met = Counter(
        pair
        for played in tournament.rounds
        for table in played
        for pair in combinations(sorted(set(table) & set(seated[at])), 2)
    )
    swaps = [
        {"player": names.get(one.player, ""), "other": names.get(one.other, ""), "table": of[one.other]}
        | {"after": one.after, "is_better": _merit(one.after, tournament) < _merit(now, tournament)}
        | {"is_equal": _merit(one.after, tournament) == _merit(now, tournament)}
        for one in exchanges(tournament, seated, at)
    ]
    return {
        "match": games[at],
        "now": now,
        "met": [(names.get(a, a), names.get(b, b), times) for (a, b), times in met.items()],
        "keeps_clubs_apart": tournament.avoid_same_club,
        "exchanges": swaps,
        "all_equal": bool(swaps) and all(one["is_equal"] for one in swaps),
    }


def _merit(round: SeatedRound, tournament: TableTournament) -> tuple[int, int, int]:
    return round.repeats, round.cost, round.same_club if tournament.avoid_same_club else 0


def why_pair(
    request: HttpRequest, row: Round, names: Mapping[str, str], ids: dict[int, str], matches: list[Match]
) -> dict[str, Any] | None:
    """Return why the pair at `?why=TABLE` meets: what the best round without it would cost."""
    asked = request.GET.get("why", "")
    match = next((m for m in matches if m.table is not None and str(m.table) == asked), None)
    if match is None or match.b is None:
        return None
    a, b = ids[match.a.pk], ids[match.b.pk]
    otherwise = without_pair(row.tournament, a, b)
    best = compare(row.tournament, []).best
    players = {player["id"]: player for player in row.tournament["players"]}
    met = [
        {"name": names.get(x if y == p else y, ""), "of": names.get(p, "")}
        for played in row.tournament["rounds"]
        for x, y in played
        for p in (a, b)
        if p in (x, y) and y is not None
    ]
    instead = []
    if otherwise is not None:
        for x, y in otherwise.pairs:
            if {x, y} & {a, b}:
                instead.append((names.get(x, x), names.get(y, y)))
    return {
        "names": (names.get(a, a), names.get(b, b)),
        "a": players[a],
        "b": players[b],
        "otherwise": otherwise,
        "best": best,
        "instead": instead,
        "met": met,
        "same_cost": bool(otherwise and best and otherwise.cost == best.cost and otherwise.rematches == best.rematches),
        "in_best": bool(best and any({a, b} == set(pair) for pair in best.pairs)),
    }
