"""Whether mails leave this installation."""

from django.conf import settings

TO_CONSOLE = "django.core.mail.backends.console.EmailBackend"


def is_mail_configured() -> bool:
    """True where the installation has a mail server; without one mails are only printed to the console."""
    return settings.EMAIL_BACKEND != TO_CONSOLE
