"""Whether this installation sends e-mail, and the subjects of its mails."""

from django.conf import settings


def is_mail_configured() -> bool:
    """Return whether the installation has a mail server; without one, e-mails are only printed or dropped."""
    return settings.EMAIL_BACKEND not in settings.MAIL_NOWHERE


def subject_line(subject: str) -> str:
    """Return a subject that begins with the site's name, in one line."""
    return f"[{settings.SITE_NAME}] {' '.join(subject.split())[:120]}"
