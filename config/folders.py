"""Locations of the program's own files and of an installation's data."""

from __future__ import annotations

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
IS_CHECKOUT = all((BASE_DIR / name).is_file() for name in ("manage.py", "pyproject.toml"))
"""Whether Headjudge runs from a checkout, not from a wheel."""
TEMPLATES = BASE_DIR / "templates" if IS_CHECKOUT else BASE_DIR / "config" / "templates"
"""A wheel has the templates inside `config`, because other packages may have a `templates` folder."""


def data_folder(named: str) -> Path:
    """Return the absolute path of `DATA_DIR`, or else the default: a checkout's folder or the user's."""
    if named:
        return Path(named).absolute()
    if IS_CHECKOUT:
        return BASE_DIR / ".headjudge"
    import platformdirs

    found = platformdirs.user_data_path("headjudge", appauthor=False)
    if not found.is_absolute():  # accounts without a home folder
        raise ImproperlyConfigured("This user account has no home folder for the data. Name a folder in DATA_DIR.")
    return found
