"""Whether mails leave this installation."""

from django.conf import settings


def is_mail_configured() -> bool:
    """Return True where the installation has a mail server; elsewhere mails are only printed or dropped."""
    return settings.EMAIL_BACKEND not in settings.MAIL_NOWHERE
