"""The one-time link that opens the set-up of an installation without accounts.

Whoever starts the site prints it: they hold the machine, so they are its first administrator. Only a digest of the
newest link is kept (`DATA_DIR/setup_link`), with the time at which it expires.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import secrets
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from .models import Person

LASTS = datetime.timedelta(hours=24)


def is_set_up() -> bool:
    """Tell whether there is an account: the first one is made by the set-up, or by a command on the machine."""
    return Person.objects.exists()


def _path() -> Path:
    return Path(settings.DATA_DIR) / "setup_link"


def digest_of(token: str) -> str:
    """Return what is kept of a link; it can't be turned back into the link."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_link() -> str:
    """Make a link that takes the place of any before it, and return its path."""
    token = secrets.token_urlsafe(24)
    kept = {"digest": digest_of(token), "expires": (timezone.now() + LASTS).isoformat()}
    path = _path()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = path.with_name(f".setup_link-{secrets.token_hex(4)}")
    number = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(number, "w", encoding="utf-8") as target:
        json.dump(kept, target)
    os.replace(made, path)
    return reverse("events:set-up-link", args=[token])


def counts(digest: str) -> bool:
    """Tell whether this is the digest of the newest link and the link hasn't expired; False once there is an account."""
    try:
        kept = json.loads(_path().read_text(encoding="utf-8"))
        expires = datetime.datetime.fromisoformat(kept["expires"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    is_newest = constant_time_compare(digest, str(kept.get("digest", "")))
    return is_newest and timezone.now() < expires and not is_set_up()


def forget() -> None:
    """Remove what is kept of the link."""
    _path().unlink(missing_ok=True)
