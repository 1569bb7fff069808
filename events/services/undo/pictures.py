"""Pictures of what people see of an event, and their differences in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from events import clock as clocks
from events.actions import Text
from events.models import Event, Match, Round
from events.queries import played, standings_of

from ..clock import clock_of
from ..rounds import out_of_date_words, stale_because

MAX_LINES = 12


@dataclass(frozen=True)
class Picture:
    """What people see of an event: pairings and byes by round, results, places, drafts and why they are outdated, clocks.

    All but places are keyed by the rounds' numbers; `names` has the rounds' names.
    """

    names: dict[int, str]
    pairs: dict[int, dict[str, str]]
    byes: dict[int, set[str]]
    results: dict[tuple[int, str], str]
    places: dict[int, tuple[str, int]]
    drafts: dict[int, dict[str, str]]
    stale: dict[int, list[str]]
    clocks: dict[int, str]


def picture_of(event: Event) -> Picture:
    """Return what people see of an event now."""
    now = timezone.now()
    rounds, entries = event.rounds.prefetch_related("clock_runs").order_by("number"), event.entries.order_by("number")
    matches = played(rounds, entries)
    pairs: dict[int, dict[str, str]] = {}
    byes: dict[int, set[str]] = {}
    found: dict[tuple[int, str], str] = {}
    drafts: dict[int, dict[str, str]] = {}
    for match in matches:
        number, names = match.round.number, [entry.name for entry in match.entries]
        if match.round.state == Round.State.DRAFT:
            alone = () if match.b else (str(Match.Kind(match.kind).label),)
            drafts.setdefault(number, {})[" – ".join((*names, *alone))] = str(match.table)
        elif match.b is None:
            byes.setdefault(number, set()).add(f"{match.a.name} ({Match.Kind(match.kind).label})")
        else:
            pairs.setdefault(number, {})[" – ".join(names)] = str(match.table)
            if match.result:
                found[number, " – ".join(names)] = " : ".join(map(str, match.result.scores))
    seen = [match for match in matches if match.round.state != Round.State.DRAFT]
    standings = standings_of(event, matches=seen, entries=entries) if seen else []
    places = {row.number: (row.name, row.place) for row in standings}
    stale, shown = {}, {}
    for row in rounds:
        row.event = event
        if row.state == Round.State.DRAFT:
            stale[row.number] = stale_because(row)
        elif row.state != Round.State.COMPLETE:
            reading = clocks.read(clock_of(row), now)
            shown[row.number] = f"{reading.words}, {reading.digits}"
    return Picture({row.number: str(row) for row in rounds}, pairs, byes, found, places, drafts, stale, shown)


def compared(was: Picture, will: Picture, *, with_results: bool = True) -> list[Text]:
    """Return in words what differs between two pictures; `with_results` False leaves results to the caller."""
    lines = [line for number in sorted(set(was.pairs) | set(will.pairs)) for line in _pairings(was, will, number)]
    lines += _byes(was, will)
    lines += _results(was, will) if with_results else []
    return lines + _places(was, will) + _drafts(was, will) + _clocks(was, will)


def _pairings(was: Picture, will: Picture, number: int) -> list[Text]:
    before, after = was.pairs.get(number, {}), will.pairs.get(number, {})
    gone, new = set(before) - set(after), set(after) - set(before)
    lines: list[Text] = []
    told = {"round": _round_name(was, will, number), "n": len(gone), "names": _few(gone)}
    if gone and number in will.stale:
        words = ngettext(
            "%(round)s becomes a draft again. Players won't see its pairing (%(names)s).",
            "%(round)s becomes a draft again. Players won't see its %(n)d pairings (%(names)s).",
            len(gone),
        )
        lines.append(words % told)
    elif gone:
        words = ngettext(
            "%(round)s: %(n)d pairing will be removed (%(names)s).",
            "%(round)s: %(n)d pairings will be removed (%(names)s).",
            len(gone),
        )
        lines.append(words % told)
    if new:
        words = ngettext(
            "%(round)s: %(n)d pairing will be restored (%(names)s).",
            "%(round)s: %(n)d pairings will be restored (%(names)s).",
            len(new),
        )
        lines.append(words % (told | {"n": len(new), "names": _few(new)}))
    moved = {pair for pair, table in before.items() if after.get(pair, table) != table}
    if moved:
        lines.append(
            _("%(round)s: the table changes for %(names)s.")
            % {"round": _round_name(was, will, number), "names": _few(moved)}
        )
    return lines


def _byes(was: Picture, will: Picture) -> list[Text]:
    lines: list[Text] = []
    for number in sorted(set(was.byes) | set(will.byes)):
        gone, new = was.byes.get(number, set()), will.byes.get(number, set())
        for words, names in (
            (_("%(round)s: %(names)s will be removed."), gone - new),
            (_("%(round)s: %(names)s will be restored."), new - gone),
        ):
            if names:
                lines.append(words % {"round": _round_name(was, will, number), "names": _few(names)})
    return lines


def _results(was: Picture, will: Picture) -> list[Text]:
    lines: list[Text] = []
    for number, pair in sorted(set(was.results) | set(will.results)):
        before, after = was.results.get((number, pair)), will.results.get((number, pair))
        if before != after and (after or pair in will.pairs.get(number, ())):
            told = {"before": before or _("no result"), "after": after or _("no result")}
            words = _("%(round)s, %(names)s: %(before)s → %(after)s.")
            lines.append(words % (told | {"round": _round_name(was, will, number), "names": pair}))
    return lines


def _places(was: Picture, will: Picture) -> list[Text]:
    lines: list[Text] = []
    if was.places and not will.places:
        return [_("The standings will be empty.")]
    for number, (name, place) in will.places.items():
        if number in was.places and was.places[number][1] != place:
            lines.append(
                _("%(name)s: place %(before)d → %(after)d")
                % {"name": name, "before": was.places[number][1], "after": place}
            )
        elif number not in was.places:
            lines.append(_("%(name)s will return to the standings at place %(place)d.") % {"name": name, "place": place})  # fmt: skip
    lines += [
        _("%(name)s will no longer be in the standings.") % {"name": name}
        for number, (name, _place) in was.places.items()
        if number not in will.places
    ]
    if len(lines) > MAX_LINES:
        rest = len(lines) - MAX_LINES
        more = ngettext(
            "%(n)d more player moves in the standings.", "%(n)d more players move in the standings.", rest
        ) % {"n": rest}
        lines = [*lines[:MAX_LINES], more]
    return lines


def _drafts(was: Picture, will: Picture) -> list[Text]:
    lines: list[Text] = []
    for number in sorted(set(was.drafts) & set(will.drafts)):
        before, after, name = was.drafts[number], will.drafts[number], _round_name(was, will, number)
        moved = {pair for pair, table in before.items() if after.get(pair, table) != table}
        if gone := set(before) - set(after):
            told = {"round": name, "before": _few(gone), "after": _few(set(after) - set(before))}
            lines.append(_("%(round)s draft: %(before)s → %(after)s.") % told)
        elif moved:
            lines.append(_("%(round)s draft: the table changes for %(names)s.") % {"round": name, "names": _few(moved)})
    return lines + [
        out_of_date_words(_round_name(was, will, number))
        for number, why in will.stale.items()
        if why and not was.stale.get(number)
    ]


def _clocks(was: Picture, will: Picture) -> list[Text]:
    lines: list[Text] = []
    for number, shown in will.clocks.items():
        before = was.clocks.get(number, "")
        if before and before != shown:
            told = {"round": _round_name(was, will, number), "before": before, "after": shown}
            lines.append(_("%(round)s, clock: %(before)s → %(after)s.") % told)
    return lines


def _round_name(was: Picture, will: Picture, number: int) -> str:
    return will.names.get(number) or was.names[number]


def _few(names: Iterable[str]) -> str:
    listed = sorted(names)
    return "; ".join(listed[:4]) + ("; …" if len(listed) > 4 else "")


__all__ = ["MAX_LINES", "Picture", "compared", "picture_of"]
