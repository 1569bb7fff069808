"""The one-time link that opens the set-up of an installation without accounts.

It is printed for the person who starts the site, who has access to the machine and so becomes its first administrator.
Only a digest of the newest link is stored (`DATA_DIR/setup_link`), with its expiry time.
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
    """Return whether there is an account; the set-up or a command on the machine creates the first."""
    return Person.objects.exists()


def _path() -> Path:
    return Path(settings.DATA_DIR) / "setup_link"


def digest_of(token: str) -> str:
    """Return the digest of a link for storing, from which the link can't be recovered."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_link() -> str:
    """Make a link that replaces any earlier one, and return its path."""
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
    """Return whether this is the digest of the newest link, not expired; False once there is an account."""
    try:
        kept = json.loads(_path().read_text(encoding="utf-8"))
        expires = datetime.datetime.fromisoformat(kept["expires"])
    except (OSError, ValueError, KeyError, TypeError):
        return False
    is_newest = constant_time_compare(digest, str(kept.get("digest", "")))
    return is_newest and timezone.now() < expires and not is_set_up()


def forget() -> None:
    """Delete the stored digest."""
    _path().unlink(missing_ok=True)
