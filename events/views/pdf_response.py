"""How a PDF is answered."""

from django.http import HttpResponse


def pdf_response(content: bytes, name: str) -> HttpResponse:
    """Return a PDF that the browser shows and, if kept, keeps under this name."""
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response
