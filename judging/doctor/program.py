"""The program itself: its files, and the settings that the environment gives it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core import checks
from django.http.request import validate_host
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from events.mails import is_mail_configured
from judging.doctor.diagnoses import Diagnosis, Level
from rules.engine import EDITIONS

FILES, SETTINGS = "Program", "Settings"
NEEDED = (
    ("config/fonts", "*.ttf"),
    ("config/locale/fr/LC_MESSAGES", "django.mo"),
    ("rules/engine/editions/texts/headings", "*.toml"),
    ("rules/library/catalogue", "*"),
    ("rules/management/samples", "*.json"),
)
"""Folders of the program and what each must hold; a package that lost its data files lacks them."""
STATIC, TEMPLATE = ("headjudge.css", "live.js", "icon.svg"), "base.html"
EXAMPLES = ("write-fifty-random-characters-here", "choose-a-token", "choose-a-password")
"""Values of `config/deploy/headjudge.env.example`, which everyone knows."""
MIN_KEY = 40


def files() -> Iterator[Diagnosis]:
    """Examine whether the program is complete."""
    missing = [f"{where}/{what}" for where, what in NEEDED if not any(Path(settings.BASE_DIR, where).glob(what))]
    missing += [f"static file {name}" for name in STATIC if finders.find(name) is None]
    try:
        get_template(TEMPLATE)
    except TemplateDoesNotExist:
        missing.append(f"template {TEMPLATE}")
    if not EDITIONS:
        missing.append("editions of the rules")
    if missing:
        yield Diagnosis(FILES, Level.ERROR, f"Files are missing: {', '.join(missing)}.", "Install Headjudge again.")
    else:
        yield Diagnosis(
            FILES, Level.OK, f"Headjudge {settings.VERSION}: fonts, pages, translations and catalogue are present."
        )
    manifest = Path(settings.STATIC_ROOT, "staticfiles.json")
    if "Manifest" in settings.STORAGES["staticfiles"]["BACKEND"] and not manifest.is_file():
        said = "HASHED_STATIC is set, but the static files haven't been collected: no page can be shown."
        yield Diagnosis(FILES, Level.ERROR, said, "Run `headjudge collectstatic --noinput`.")


def values() -> Iterator[Diagnosis]:
    """Examine the settings for values that an outsider could use, or that would break pages or printed links."""
    found = [*_secrets(), *_hosts(), *_site_url(), *_checks()]
    yield from found or [Diagnosis(SETTINGS, Level.OK, "SECRET_KEY, DEBUG, ALLOWED_HOSTS and SITE_URL are fine.")]


def _secrets() -> Iterator[Diagnosis]:
    if settings.DEBUG:
        said = "DEBUG is set: error pages show secrets to anyone."
        yield Diagnosis(SETTINGS, Level.ERROR, said, "Remove DEBUG, unless you are developing on your own machine.")
    key = settings.SECRET_KEY
    if key in EXAMPLES or len(key) < MIN_KEY or len(set(key)) < 8:
        said = "SECRET_KEY can be guessed: anyone can sign in as anyone."
        yield Diagnosis(SETTINGS, Level.ERROR, said, "Remove it, and Headjudge makes one; or set 50 random characters.")
    if settings.METRICS_TOKEN in EXAMPLES:
        yield Diagnosis(SETTINGS, Level.ERROR, "METRICS_TOKEN is still the example's value.", "Set a random one.")
    if settings.DATABASES["default"].get("PASSWORD") in EXAMPLES:
        yield Diagnosis(
            SETTINGS,
            Level.ERROR,
            "The database password is still the example's value.",
            "Change it on the server, too.",
        )
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if folder and not os.path.isdir(folder):
        said = "PROMETHEUS_MULTIPROC_DIR isn't a folder: the site can't start."
        yield Diagnosis(SETTINGS, Level.ERROR, said, "Create it, or remove the variable.")


def _hosts() -> Iterator[Diagnosis]:
    if "*" in settings.ALLOWED_HOSTS:
        said = "ALLOWED_HOSTS contains *: an attacker could make links in e-mails lead to another site."
        yield Diagnosis(SETTINGS, Level.WARNING, said, "List the site's hosts in ALLOWED_HOSTS.")
    elif not settings.ALLOWED_HOSTS:
        yield Diagnosis(
            SETTINGS,
            Level.ERROR,
            "ALLOWED_HOSTS is empty: no page can be opened.",
            "List the site's hosts in ALLOWED_HOSTS.",
        )


def _site_url() -> Iterator[Diagnosis]:
    """Examine the address that is printed and mailed."""
    if not settings.SITE_URL:
        if is_mail_configured():
            said = "E-mail is set up, but SITE_URL isn't. Reminders aren't sent, because their links wouldn't work."
            yield Diagnosis(SETTINGS, Level.WARNING, said, "Set SITE_URL to the site's address.")
        return
    address = urlsplit(settings.SITE_URL)
    if address.scheme not in ("http", "https") or not address.hostname:
        said = "SITE_URL isn't an address."
        yield Diagnosis(SETTINGS, Level.ERROR, said, "Write it like this: https://headjudge.example.org.")
        return
    if address.path or address.query or address.username:
        said = "SITE_URL has more than a scheme, a host and a port."
        yield Diagnosis(SETTINGS, Level.ERROR, said, "Write it like this: https://headjudge.example.org.")
    if not validate_host(address.hostname, settings.ALLOWED_HOSTS):
        said = f"SITE_URL's host {address.hostname} isn't in ALLOWED_HOSTS: printed links can't be opened."
        yield Diagnosis(SETTINGS, Level.ERROR, said, "Add it to ALLOWED_HOSTS.")
    if getattr(settings, "SECURE_SSL_REDIRECT", False) and address.scheme == "http":
        said = "HTTPS is set, but SITE_URL begins with http://."
        yield Diagnosis(SETTINGS, Level.WARNING, said, "Write https:// in SITE_URL.")


def _checks() -> Iterator[Diagnosis]:
    """Run Django's own checks; those for a public site only if HTTPS is set."""
    is_public = getattr(settings, "SECURE_SSL_REDIRECT", False)
    for one in checks.run_checks(include_deployment_checks=is_public):
        if (
            one.is_silenced()
            or one.level < checks.WARNING
            or one.id in ("security.W009", "security.W018", "security.W020")
        ):
            continue  # the last three are examined above
        level = Level.ERROR if one.level >= checks.ERROR else Level.WARNING
        yield Diagnosis(SETTINGS, level, f"{str(one.msg).split(chr(10))[0]} ({one.id})", str(one.hint or ""))
