"""Changing a dispute's position on the board page; downloading its position file and its PDF."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import etag, require_http_methods, require_safe

from rules.engine import EDITIONS, BadInput
from rules.services import disputes as services
from rules.services.disputes import Outdated
from rules.views.board import show_for_dispute, show_refused_for_dispute
from rules.views.pieces import may_ask, slow_down, within

from .begin import read_one
from .keys import DisputeView, dispute_of, holds_key, keeps_key, refused


@require_http_methods(["GET", "HEAD", "POST"])
def set_position(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Open a dispute's position on the board page, and save the changed position."""
    row = dispute_of(slug)
    if not holds_key(request, row):
        return refused(request) if request.method == "POST" else redirect(DisputeView("reader", slug).home())
    if request.method != "POST":
        return keeps_key(request, row) or show_for_dispute(request, row)
    if not may_ask(request, "board_change"):
        return slow_down(request)
    version = within(request.POST.get("version", ""), 0, 999_999_999, row.version)
    try:
        document = read_one(request.POST.get("document", ""))
        edition = request.POST.get("edition", "")
        if edition in EDITIONS:
            document = {**document, "edition": edition}
        title = document.pop("title", "")
        parts = {"title": title} if isinstance(title, str) and title else {}
        seen = services.as_of(row, version)
        services.change_dispute(dispute=seen, version=version, said=_("position edited"), document=document, **parts)
    except BadInput as fault:
        return show_refused_for_dispute(request, row, version, fault)
    except Outdated as late:
        return show_refused_for_dispute(request, row, late.dispute.version)
    return redirect(f"{DisputeView('judge', slug).home()}#next")


def _version(_request: HttpRequest, slug: str) -> str:
    return f'"{dispute_of(slug).version}"'


@require_safe
@etag(_version)
def file(request: HttpRequest, slug: str) -> HttpResponse:
    """Download a dispute's position file, as described in FORMATS. Its ETag is the dispute's version."""
    row = dispute_of(slug)
    document = {**({"title": row.title} if row.title else {}), **row.document}
    response = HttpResponse(json.dumps(document, ensure_ascii=False, indent=1) + "\n", content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slugify(row.title)[:60] or "dispute"}.json"'
    return response


@require_safe
def paper(request: HttpRequest, slug: str) -> HttpResponse:
    """Download a dispute as a PDF (`?paper=letter` for Letter): the figures, the boards, each step, the rulings."""
    from rules.pdf.dispute import dispute_pdf

    row = dispute_of(slug)
    size = "letter" if request.GET.get("paper") == "letter" else "a4"
    address = request.build_absolute_uri(row.reading_address())
    made = dispute_pdf(row, address=address, size=size)
    response = HttpResponse(made, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{slugify(row.title)[:60] or "dispute"}.pdf"'
    return response
