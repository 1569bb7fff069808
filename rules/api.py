"""The JSON API of the rules: the same documents and reports as the commands, without signing in.

The body is one JSON document, or one per line, as described in FORMATS; one document returns its report, several return
a list. A document that exceeds the time limit (`config/site.py`) returns the error `bad-input`, and so do those after
it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from rules import engine
from rules.apart import OPEN, apart
from rules.api_documents import FILES, sample
from rules.api_reports import BattleReport, FaultReport, ForceReport, PositionReport, Report
from rules.api_schema import ApiFault
from rules.uploads import LIMITS, Unreadable, check_size

router = Router(tags=["rules"])


def body_of(kind: str) -> dict[str, Any]:
    """Return what the description says of a body: one document of this kind, or one on each line."""
    lines = "".join(f"{json.dumps(sample(kind) | {'id': key})}\n" for key in ("one", "two"))
    content = {
        "application/json": {"schema": {"$ref": f"#/components/schemas/{FILES[kind]}"}},
        "application/x-ndjson": {"schema": {"type": "string", "examples": [lines]}},
    }
    return {"requestBody": {"required": True, "content": content}}


def examples() -> dict[str, dict[str, Any]]:
    """Return the report on each sample document, by the name of its schema."""
    return {
        ForceReport.__name__: engine.check_force(sample("force")),
        BattleReport.__name__: engine.score_battle(sample("battle")),
        PositionReport.__name__: engine.adjudicate(sample("position")),
    }


def answers_with(report: type[Report]) -> dict[int, Any]:
    """Return the schemas of the answers: a report on one document, a list of reports on several."""
    return {200: report | list[report | FaultReport], 422: FaultReport, 503: ApiFault}  # type: ignore[valid-type]


def answer_with(request: HttpRequest, report_of: Callable[[dict[str, Any]], dict[str, Any]]) -> HttpResponse:
    """Return the reports on the documents of the request's body; status 422 if a single document can't be read."""
    body, limits = request.body, LIMITS["api"]
    try:
        check_size("api", len(body))
        status, told = apart(
            reports, body, report_of.__name__,
            size=len(body), line=OPEN, seconds=limits.seconds, memory=limits.memory,
        )  # fmt: skip
    except Unreadable as fault:
        response = HttpResponse(json.dumps({"detail": str(fault)}), content_type="application/json")
        response.status_code = fault.status
        if fault.status == 503:
            response["Retry-After"] = "60"
        return response
    return HttpResponse(told, content_type="application/json", status=status)


def reports(body: bytes, name: str) -> tuple[int, bytes]:
    """Return the status and the JSON of an engine function's reports on the documents of a body."""
    made = list(engine.reports_on(body.decode("utf-8", "surrogateescape"), getattr(engine, name)))
    single = len(made) == 1
    status = 422 if single and made[0].get("error", {}).get("code") == "bad-input" else 200
    return status, json.dumps(made[0] if single else made).encode()


@router.post(
    "/check-force",
    response=answers_with(ForceReport),
    openapi_extra=body_of("force"),
    summary="Is this force legal?",
)
def check_force(request: HttpRequest) -> HttpResponse:
    """Check force files: every violation with its rule and citation."""
    return answer_with(request, engine.check_force)


@router.post(
    "/score-battle",
    response=answers_with(BattleReport),
    openapi_extra=body_of("battle"),
    summary="Who won, with how many victory points?",
)
def score_battle(request: HttpRequest) -> HttpResponse:
    """Score battle files: victory points line by line, the winner and the reason."""
    return answer_with(request, engine.score_battle)


@router.post(
    "/adjudicate",
    response=answers_with(PositionReport),
    openapi_extra=body_of("position"),
    summary="What do the rules say of this position?",
)
def adjudicate(request: HttpRequest) -> HttpResponse:
    """Adjudicate position files: answers, steps and the rulings that apply."""
    return answer_with(request, engine.adjudicate)
