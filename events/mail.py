"""Whether the installation can send mails."""

from django.conf import settings


def is_mail_set_up() -> bool:
    """Return True where the installation has a mail server; elsewhere mails are only printed or dropped."""
    return settings.EMAIL_BACKEND not in settings.MAIL_NOWHERE
