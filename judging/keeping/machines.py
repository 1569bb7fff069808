"""Pairing with other machines: each trusts the event files that the other signs."""

from __future__ import annotations

from django.utils.translation import gettext as _

from events.door import Refused, door
from events.roles import Actor
from judging.keeping import signatures
from judging.keeping.whole_file import Document
from judging.models import PairedMachine


def pair(*, by: Actor, name: str, code: str = "") -> tuple[PairedMachine, str]:
    """Pair another machine with the code made there, or with a new code to be typed there; return the code."""
    name, code = name.strip()[:120], code.strip() or signatures.new_code()
    with door("pair-machine", by=by) as writing:
        if not name:
            raise Refused(_("Enter the name of the other machine."))
        key = signatures.key_of_code(code)
        if key is None:
            raise Refused(_("This isn't a pairing code. A pairing code has five groups of five letters and digits."))
        if PairedMachine.objects.filter(secret=key.hex()).exists():
            raise Refused(_("This code has already been used. The two machines are paired."))
        machine = writing.create(PairedMachine, name=name, secret=key.hex(), by=by.person)
        writing.says("paired-with", machine=name)
    return machine, code


def pair_by_file(*, by: Actor, document: Document, code: str, name: str = "") -> PairedMachine:
    """Pair the machine that wrote a file, with the code made there; the file's signature proves the code right."""
    key = signatures.key_of_code(code)
    if key is None or not signatures.is_signed_with(document, key):
        raise Refused(
            _("This pairing code doesn't belong to this file. Check that you have the right code and the right file.")
        )
    if (known := PairedMachine.objects.filter(secret=key.hex()).first()) is not None:
        return known
    name = name or _("The machine that sent “%(event)s”") % {"event": str(document["event"]["name"])[:60]}
    return pair(by=by, name=name, code=code)[0]


def unpair(*, by: Actor, machine: PairedMachine) -> None:
    """Unpair a machine: files that it signs are no longer trusted here."""
    with door("unpair-machine", by=by, on=machine) as writing:
        writing.delete(machine)
        writing.says("unpaired", machine=machine.name)


__all__ = ["pair", "pair_by_file", "unpair"]
