"""Preparation of a machine that has never run Headjudge: a database, and the link that sets it up."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.management import call_command
from django.core.management.base import OutputWrapper

from events.services.installation import use_stored
from events.setup_link import LASTS, is_set_up, new_link
from judging.management.codes import code_of
from judging.management.listening import is_loopback
from judging.management.readiness import has_database, what_is_missing

HOURS = int(LASTS.total_seconds() // 3600)


def begin(out: OutputWrapper, site: str) -> bool:
    """Create the database if there is none, and use the stored settings; without an account, print the set-up link.

    Return whether it printed the link.
    """
    if not has_database():
        call_command("migrate", verbosity=0, interactive=False)
        out.write("Created an empty database.\n")
    if what_is_missing():
        return False
    if is_set_up():
        use_stored()
        return False
    print_link(out, site)
    return True


def print_link(out: OutputWrapper, site: str) -> None:
    """Create a new set-up link and print it, with a QR code if other devices can reach the site.

    `site` is the site's address, without a slash at its end.
    """
    address = f"{site}{new_link()}"
    out.write("No one has an account yet. Open this link to set up Headjudge and become its administrator:\n")
    out.write(f"  {address}\n")
    if not is_loopback(urlsplit(site).hostname or ""):
        out.write(code_of(address, out))
    out.write(f"Keep it to yourself. It works once, within {HOURS} hours; the next start prints a new one.\n")
