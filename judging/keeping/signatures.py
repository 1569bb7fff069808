"""Signatures of event files: which machine wrote a file, proved by a key that it shares with this one.

Every exported file is signed (HMAC-SHA256) once for each paired machine, and once with this installation's own key, so
that it can read its own files back. Keys appear in no file, log or page: an administrator pairs two machines by typing
a code that the other one showed, and the key is derived from the code.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from events.services.people import CODE_LETTERS, plain_code
from judging.keeping.whole_file import SIGNATURES, SIGNED, BadFile, Document
from judging.models import PairedMachine

GROUPS, LETTERS = 5, 5
"""A code has five groups of five letters: 123 random bits."""


@dataclass(frozen=True)
class Signer:
    """The signer of a file: a paired machine, or None for this installation."""

    machine: PairedMachine | None

    @property
    def name(self) -> str:
        """The machine's name."""
        return self.machine.name if self.machine is not None else _("this machine")


def new_code() -> str:
    """Return a new pairing code, to be typed on the other machine."""
    return "-".join("".join(secrets.choice(CODE_LETTERS) for _n in range(LETTERS)) for _m in range(GROUPS))


def key_of_code(code: str) -> bytes | None:
    """Return the key derived from a pairing code in any spelling; None if it can't be a code."""
    plain = plain_code(code)
    if len(plain) != GROUPS * LETTERS or set(plain) - set(CODE_LETTERS):
        return None
    return hmac.new(b"headjudge.pairing", plain.encode(), "sha256").digest()


def sign(told: str) -> list[dict[str, str]]:
    """Return a file's signatures: one with each key that this installation has."""
    return [{"key": _known_as(key), "mac": _mac(key, told)} for key in _keys().values()]


def signer_of(document: Document) -> Signer | None:
    """Return who signed a file, or None if no known machine did; raise BadFile if a known key's signature is wrong."""
    given = _signatures(document)
    found = None
    for signer, key in _keys().items():
        if (mac := given.get(_known_as(key))) is None:
            continue
        if not constant_time_compare(mac, _mac(key, document[SIGNED])):
            raise BadFile(_("The file is damaged or was changed: its signature doesn't match. Export the event again."))
        if found is None or found.machine is None:
            found = signer
    return found


def is_signed_with(document: Document, key: bytes) -> bool:
    """Return whether a file has a valid signature with this key."""
    mac = _signatures(document).get(_known_as(key), "")
    return constant_time_compare(mac, _mac(key, document[SIGNED]))


def _signatures(document: Document) -> Mapping[str, str]:
    given: Any = document.get(SIGNATURES) or []
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise BadFile(_("The file is damaged: parts of it are missing. Export the event again."))
    return {str(one.get("key")): str(one.get("mac")) for one in given}


def _keys() -> dict[Signer, bytes]:
    """Return every key that this installation has, its own first."""
    own = salted_hmac("judging.signatures", "own", algorithm="sha256").digest()
    return {Signer(None): own} | {Signer(row): bytes.fromhex(row.secret) for row in PairedMachine.objects.all()}


def _known_as(key: bytes) -> str:
    """Return the public name of a shared key; the key can't be derived from it."""
    return hashlib.sha256(b"headjudge.name-of-key" + key).hexdigest()[:16]


def _mac(key: bytes, told: str) -> str:
    return hmac.new(key, b"headjudge.event-file" + told.encode(), "sha256").hexdigest()


__all__ = ["Signer", "is_signed_with", "key_of_code", "new_code", "sign", "signer_of"]
