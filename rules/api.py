"""The JSON API of the rules: the same documents and reports as the commands, without signing in.

The body is one JSON document, or one a line, as FORMATS names them; one document gives its report, several give a list.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from rules import engine

router = Router(tags=["rules"])
BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"type": "object"}},
            "application/x-ndjson": {"schema": {"type": "string"}},
        },
    },
    "responses": {
        200: {"description": "The report, or a list of reports", "content": {"application/json": {"schema": {}}}}
    },
}


def answer_with(request: HttpRequest, report_of: Callable[[dict[str, Any]], dict[str, Any]]) -> HttpResponse:
    """Return the reports on the documents of the request's body; 422 where a single one cannot be understood."""
    reports = list(engine.reports_on(request.body.decode("utf-8", "surrogateescape"), report_of))
    single = len(reports) == 1
    status = 422 if single and reports[0].get("error", {}).get("code") == "bad-input" else 200
    body = json.dumps(reports[0] if single else reports)
    return HttpResponse(body, content_type="application/json", status=status)


@router.post("/check-force", openapi_extra=BODY, summary="Is this force legal?")
def check_force(request: HttpRequest) -> HttpResponse:
    """Check force files: every violation with its rule and citation."""
    return answer_with(request, engine.check_force)


@router.post("/score-battle", openapi_extra=BODY, summary="Who won, with how many victory points?")
def score_battle(request: HttpRequest) -> HttpResponse:
    """Score battle files: victory points line by line, the winner and why."""
    return answer_with(request, engine.score_battle)


@router.post("/adjudicate", openapi_extra=BODY, summary="What do the rules say of this position?")
def adjudicate(request: HttpRequest) -> HttpResponse:
    """Adjudicate position files: answers, steps and the rulings that apply."""
    return answer_with(request, engine.adjudicate)
