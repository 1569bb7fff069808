"""Headjudge's version number, from pyproject.toml in a checkout and from a wheel's metadata."""

from __future__ import annotations

import functools
import platform

from config.folders import BASE_DIR, IS_CHECKOUT


@functools.cache
def version() -> str:
    """Return the version of this program, such as "0.2.0".

    A checkout reads pyproject.toml, because the metadata of an editable installation are as old as its last
    installation.
    """
    if IS_CHECKOUT:
        import tomllib

        return str(tomllib.loads((BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    from importlib import metadata

    return metadata.version("headjudge")


def full_version() -> str:
    """Return what `--version` prints: the versions of Headjudge, Django and Python."""
    import django

    return f"Headjudge {version()} (Django {django.get_version()}, Python {platform.python_version()})"
