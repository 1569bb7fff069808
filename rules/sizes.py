"""Sizes of files as people write them."""

from django.template.defaultfilters import filesizeformat
from django.utils.formats import get_format


def size_words(number: int) -> str:
    """Return a number of bytes in words: 256 KB, 1.5 MB (with a no-break space, in the reader's language)."""
    return filesizeformat(number).replace(f"{get_format('DECIMAL_SEPARATOR')}0\N{NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")
