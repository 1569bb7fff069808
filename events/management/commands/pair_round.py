"""`manage.py pair_round FILE`: pair the next round of each tournament file, with one JSON report per line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import django

from events.management.samples import SAMPLES
from events.pairing import explain, pair_round
from rules.engine import error_in_words
from rules.management.reporting import ReportCommand

Document = dict[str, Any]


def in_words(document: Document, report: Document) -> str:
    """Return a report as text: table by table, then how good the round is."""
    title = " – ".join(str(part) for part in (report.get("id"), document.get("title")) if part)
    lines = [title] if title else []
    if "error" in report:
        return "\n".join([*lines, *error_in_words(report), ""])
    points = {player["id"]: player["points"] for player in document["players"]}
    if "tables" in report:
        return "\n".join([*lines, *_tables_in_words(report, points), ""])
    width = max((len(one) for pair in report["pairings"] for one in pair), default=0)
    for table, (a, b) in enumerate(report["pairings"], 1):
        lines.append(f"{table:4}  {a:{width}} ({points[a]})  –  {b:{width}} ({points[b]})")
    django.setup()  # the reasons are translated, and the apps bring the translations
    told = explain(document, report)
    if report["bye"] is not None:
        lines.append(f" bye  {report['bye']}: {told.bye_reason}")
    lines += [f" bye  {one}: awarded before the event" for one in report["awarded_byes"]]
    lines += [f"      {one.higher} is paired down to {one.lower}: {one.why}" for one in told.floats]
    lines.append(
        f"rematches {report['rematches']}, score difference {report['cost']}, club-mates paired {report['same_club']}"
    )
    lines += [told.proof, ""]
    return "\n".join(lines)


def _tables_in_words(report: Document, points: dict[str, int]) -> Iterator[str]:
    """Yield the tables of more than two, then how good the round is."""
    for table, players in enumerate(report["tables"], 1):
        yield f"{table:4}  " + "  –  ".join(f"{one} ({points[one]})" for one in players)
    yield f"rematches {report['repeats']}, score difference {report['cost']}, club-mates paired {report['same_club']}"
    yield "No better pairing exists." if report["proved"] else "No swap of two players would improve this round."


class Command(ReportCommand):
    """Pair the next round of each tournament file, provably best."""

    help = (
        "Pair the next round of each tournament file in FILE ('-' for standard input): one JSON document, or one per "
        "line. Writes one report per line. Exit status 2 if a document can't be read."
    )
    sample = SAMPLES / "tournament.json"
    answer = staticmethod(pair_round)
    in_words = staticmethod(in_words)
