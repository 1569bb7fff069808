"""Responses with a PDF."""

from django.http import HttpResponse


def pdf_response(content: bytes, name: str) -> HttpResponse:
    """Return a PDF to be shown by the browser and saved under this name."""
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response
