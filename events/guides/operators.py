"""The guide for operators: the people who run an installation."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from .tasks import Guide, Picture, Task

OPERATORS = Guide(
    "operators",
    "settings",
    _("For operators"),
    _("Install, back up, restore and update Headjudge."),
    (
        Task(
            "install",
            _("Install"),
            (
                _("You need Python 3.11 or later, and pipx."),
                _("Run `pipx install ./headjudge-….whl`, then `headjudge serve --lan`."),
                _("The command prints the site's address, a QR code and, the first time, a set-up link."),
            ),
        ),
        Task(
            "set-up",
            _("Set up the site"),
            (
                _("Open the set-up link. It makes you the administrator, works once and expires after 24 hours."),
                _("Choose the defaults for new events. You can change them later on the **Settings** page."),
            ),
        ),
        Task(
            "phones",
            _("Connect the phones"),
            (
                _("The phones must be on the same network as the laptop. No internet access is needed."),
                _("Show **Address and QR code for phones** on a projector."),
            ),
        ),
        Task(
            "people",
            _("Manage people"),
            (
                _("The **Sanctioning office** page lists the volunteers and venues to approve."),
                _("Reset a forgotten password with `headjudge changepassword EMAIL`."),
            ),
            Picture("office", "desk", _("The sanctioning office's page, with the registrations to approve")),
        ),
        Task(
            "back-up",
            _("Back up"),
            (
                _("`headjudge backup` writes the whole installation to one file and verifies it."),
                _(
                    "Set `COPY_DIR` to a USB stick or a shared folder. Headjudge then copies snapshots and backups there too."
                ),
            ),
        ),
        Task(
            "restore",
            _("Restore"),
            (
                _("Stop the site, run `headjudge restore FILE`, then start the site again."),
                _("If the database already holds data, add `--force`; that data is backed up first."),
            ),
        ),
        Task(
            "replace",
            _("Replace a broken laptop"),
            (
                _("Install Headjudge on another machine and give that machine the address printed on the slips."),
                _(
                    "Restore the latest backup, or run `headjudge import_event FILE --take-over` with the latest snapshot."
                ),
            ),
        ),
        Task(
            "update",
            _("Update"),
            (
                _("Stop the site and install the new version: `pipx install --force ./headjudge-….whl`."),
                _(
                    "Run `headjudge migrate`. It makes a backup before it changes anything. Then run `headjudge serve --lan`."
                ),
            ),
        ),
        Task(
            "check",
            _("Diagnose a problem"),
            (_("`headjudge doctor` checks the installation and says what to do. It changes nothing."),),
        ),
        Task(
            "practise",
            _("Practise"),
            (
                _("`headjudge demo` serves a demo with an event in its third round and prints the sign-in details."),
                _("To keep the demo separate from your own data, run `DATA_DIR=demo headjudge demo`."),
            ),
        ),
    ),
)
