"""How names are sorted: without regard to case or accents. Database columns do the same by `models.fields.NameField`."""

from __future__ import annotations

import unicodedata


def name_key(name: str) -> str:
    """Return a name's sort key: lower case without accents, so that Élodie sorts with Elena."""
    taken_apart = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in taken_apart if not unicodedata.combining(letter)).strip()
