"""Signatures of event files: which machine wrote a file, proved by a key that it shares with this one.

Every file that leaves this installation is signed (HMAC-SHA256) once for each machine it is paired with, and once with
a key of its own, so that its own files read back. The keys themselves are in no file, log or page: a pairing is made
by a code that an administrator types on the other machine, and the key is made from the code.
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
    """Who signed a file: a paired machine, or (None) this installation itself."""

    machine: PairedMachine | None

    @property
    def name(self) -> str:
        """The machine in words."""
        return self.machine.name if self.machine is not None else _("this machine")


def new_code() -> str:
    """Return a pairing code to be typed on the other machine."""
    return "-".join("".join(secrets.choice(CODE_LETTERS) for _n in range(LETTERS)) for _m in range(GROUPS))


def key_of_code(code: str) -> bytes | None:
    """Return the key that a pairing code stands for, however it was typed; None where it can't be a code."""
    plain = plain_code(code)
    if len(plain) != GROUPS * LETTERS or set(plain) - set(CODE_LETTERS):
        return None
    return hmac.new(b"headjudge.pairing", plain.encode(), "sha256").digest()


def sign(told: str) -> list[dict[str, str]]:
    """Return the signatures of a file: one with each key that this installation holds."""
    return [{"key": _known_as(key), "mac": _mac(key, told)} for key in _keys().values()]


def signer_of(document: Document) -> Signer | None:
    """Return who signed a file, None where nobody known did; raise BadFile where a known key's signature is wrong."""
    given = _signatures(document)
    found = None
    for signer, key in _keys().items():
        if (mac := given.get(_known_as(key))) is None:
            continue
        if not constant_time_compare(mac, _mac(key, document[SIGNED])):
            raise BadFile(_("The file is damaged or was changed: its signature doesn't match."))
        if found is None or found.machine is None:
            found = signer
    return found


def is_signed_with(document: Document, key: bytes) -> bool:
    """True where a file bears a valid signature with this key."""
    mac = _signatures(document).get(_known_as(key), "")
    return constant_time_compare(mac, _mac(key, document[SIGNED]))


def _signatures(document: Document) -> Mapping[str, str]:
    given: Any = document.get(SIGNATURES) or []
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise BadFile(_("The file is damaged: parts of it are missing."))
    return {str(one.get("key")): str(one.get("mac")) for one in given}


def _keys() -> dict[Signer, bytes]:
    """Return every key that this installation holds, its own first."""
    own = salted_hmac("judging.signatures", "own", algorithm="sha256").digest()
    return {Signer(None): own} | {Signer(row): bytes.fromhex(row.secret) for row in PairedMachine.objects.all()}


def _known_as(key: bytes) -> str:
    """Return the name by which two machines find the key they share; the key can't be found from it."""
    return hashlib.sha256(b"headjudge.name-of-key" + key).hexdigest()[:16]


def _mac(key: bytes, told: str) -> str:
    return hmac.new(key, b"headjudge.event-file" + told.encode(), "sha256").hexdigest()


__all__ = ["Signer", "is_signed_with", "key_of_code", "new_code", "sign", "signer_of"]
