"""E-mails to the people whom an act concerns."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from events.actions import Text
from events.mails import is_mail_configured, subject_line
from events.models import Installation, Person

logger = logging.getLogger(__name__)


def notify(people: Iterable[Person], subject: Text, text: Text, *, path: str, **facts: object) -> None:
    """E-mail people once the transaction commits, each in their language, if mail is configured.

    `subject` and `text` are translatable and name the `facts`; `path` is the page that the mail links to. A failure is
    only logged: whoever acted has acted.
    """
    to = [person for person in people if person.email and person.is_active]
    if to and is_mail_configured():
        transaction.on_commit(lambda: _send(to, subject, text, path, facts))


def _send(to: list[Person], subject: Text, text: Text, path: str, facts: Mapping[str, object]) -> None:
    for person in to:
        with translation.override(person.language or Installation.here().language):
            lines = [
                _("Hello %(name)s,") % {"name": person.name},
                (str(text) % facts).strip(),
                f"{settings.SITE_URL}{path}",
            ]
            try:
                send_mail(subject_line(str(subject) % facts), "\n\n".join(lines), None, [person.email])
            except (OSError, SMTPException):
                logger.exception("An e-mail couldn't be sent")
