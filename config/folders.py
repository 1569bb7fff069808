"""Where the program's own files are, and where an installation keeps its data."""

from __future__ import annotations

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent
IS_CHECKOUT = all((BASE_DIR / name).is_file() for name in ("manage.py", "pyproject.toml"))
"""False where Headjudge was installed from a wheel."""
TEMPLATES = BASE_DIR / "templates" if IS_CHECKOUT else BASE_DIR / "config" / "templates"
"""A wheel keeps them inside `config`, as pyproject.toml says: other packages may have a folder `templates`, too."""


def data_folder(named: str) -> Path:
    """Return the absolute path of the folder that `DATA_DIR` names; without it, a checkout's own or the user's."""
    if named:
        return Path(named).absolute()
    if IS_CHECKOUT:
        return BASE_DIR / ".headjudge"
    import platformdirs

    found = platformdirs.user_data_path("headjudge", appauthor=False)
    if not found.is_absolute():  # an account without a home folder
        raise ImproperlyConfigured("This account has no folder for its data. Name one with DATA_DIR.")
    return found
