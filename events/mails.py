"""Whether this installation sends e-mail."""

from django.conf import settings


def is_mail_configured() -> bool:
    """Return whether the installation has a mail server; without one, e-mails are only printed or dropped."""
    return settings.EMAIL_BACKEND not in settings.MAIL_NOWHERE
