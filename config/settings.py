"""Settings of the site, read from the environment; the defaults suit a laptop at a venue.

An installation sets `DATABASE_URL`, `SECRET_KEY`, `DEBUG`, `ALLOWED_HOSTS`, `SITE_URL`, `EMAIL_URL` and `DATA_DIR`.
`DATA_DIR` holds what is local to a machine: database, key, stored papers. `config/folders.py` says where it is by default.
"""

import os
import secrets
import tempfile
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext_lazy as _

from config import folders, private
from config.version import version

BASE_DIR = folders.BASE_DIR
env = environ.Env()

private.keep_new_files_private()
DATA_DIR = folders.data_folder(env("DATA_DIR", default=""))


def _make_folder(path: Path) -> None:
    """Create a folder that only its owner can read, because it holds people and results."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise ImproperlyConfigured(f"DATA_DIR: {path} is a file, not a folder.") from None
    except OSError as fault:
        raise ImproperlyConfigured(f"DATA_DIR: the folder {path} can't be created: {fault.strerror}.") from fault


def _local_secret_key() -> str:
    """Return this machine's secret key, generated at the first start and readable by its owner only.

    If two processes start at once, both use the key of the first to store one.
    """
    path = DATA_DIR / "secret_key"
    try:
        if not path.exists():
            number, made = tempfile.mkstemp(prefix=".secret_key-", dir=DATA_DIR)
            with open(number, "w", encoding="ascii") as target:
                target.write(secrets.token_urlsafe(50))
                target.flush()
                os.fsync(number)
            try:
                os.link(made, path)
            except FileExistsError:
                pass
            except OSError:  # the file system of a USB stick may lack links
                os.replace(made, path)
            Path(made).unlink(missing_ok=True)
        private.tighten(path)
        key = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as fault:
        why = getattr(fault, "strerror", None) or "it isn't text"
        raise ImproperlyConfigured(f"The key {path} can't be read or created: {why}.") from fault
    if not key:
        raise ImproperlyConfigured(
            f"The key {path} is empty. Restore it from a backup. If you delete it instead, Headjudge creates a new "
            "key: everyone then has to sign in again, and printed links stop working."
        )
    return key


def _hosts_of(address: str) -> list[str]:
    """Return the host of an address, as `ALLOWED_HOSTS` names it; none if there is none."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return []
    return [f"[{host}]" if ":" in host else host] if host else []


def _is_secure_context(address: str) -> bool:
    """Return whether browsers let pages at an address use service workers: over HTTPS, or on this machine."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1"))


ENCODED = ". In its password, write / # ? and @ as %2F %23 %3F and %40; its port must be a number"


def _database() -> dict[str, Any]:
    """Return the database that `DATABASE_URL` names; without it, SQLite's file in `DATA_DIR`."""
    named = env("DATABASE_URL", default="")
    if not named:
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "headjudge.sqlite3")}
    address, mark, options = named.partition("?")
    example = "for example postgres://user:password@host/headjudge or sqlite:////folder/headjudge.sqlite3"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the sentence below says it
            found = env.db_url_config(address.replace("+", "%2B") + mark + options)  # a plus sign is no space
    except ValueError:  # the exception quotes what may be the password
        raise ImproperlyConfigured(f"DATABASE_URL isn't valid{ENCODED}. Write it like this: {example}.") from None
    if found.get("ENGINE") not in ("django.db.backends.sqlite3", "django.db.backends.postgresql") or not found["NAME"]:
        raise ImproperlyConfigured(
            f"DATABASE_URL doesn't name an SQLite or PostgreSQL database. Write it like this: {example}."
        )
    if found["ENGINE"].endswith("postgresql") and not (find_spec("psycopg") and find_spec("psycopg_pool")):
        raise ImproperlyConfigured(
            "DATABASE_URL names a PostgreSQL database, but psycopg isn't installed. Install Headjudge with its extra "
            "packages for servers: pip install 'headjudge-….whl[server]', or in a checkout pip install --editable '.[server]'."
        )
    return found


_make_folder(DATA_DIR)
private.tighten(DATA_DIR.resolve())  # its owner may have made it a link; what it leads to is ours, too


VERSION = SimpleLazyObject(version)
SECRET_KEY = env("SECRET_KEY", default="") or _local_secret_key()
DEBUG = env.bool("DEBUG", default=False)
SITE_URL = env("SITE_URL", default="").rstrip("/")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]", *_hosts_of(SITE_URL)])
COPY_DIR = env("COPY_DIR", default="")
SNAPSHOTS_KEPT = env.int("SNAPSHOTS_KEPT", default=40)
SNAPSHOT_SECONDS = env.int("SNAPSHOT_SECONDS", default=60)
BACKGROUND_WORK = env.bool("BACKGROUND_WORK", default=True)
WEBHOOKS = env.bool("WEBHOOKS", default=False)
WEBHOOKS_INSIDE = env.bool("WEBHOOKS_INSIDE", default=False)
PUSH = env.bool("PUSH", default=_is_secure_context(SITE_URL))
BACKUPS_KEPT = env.int("BACKUPS_KEPT", default=14)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "judging",
    "events",
    "rules",
    "django.forms",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_filters",
    "django_htmx",
    "django_tables2",
    "ninja",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.headers.HeadersMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "config.sessions.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.limits.LimitsMiddleware",
    "events.tokens.TokenMiddleware",
    "events.middleware.DoorMiddleware",
    "config.bodies.RefusedMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

SILENCED_SYSTEM_CHECKS = ["templates.W003"]  # `config.tags` stands in place of the library `i18n`
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [folders.TEMPLATES],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "events.preferences.preferences",
            ],
            "builtins": ["config.tags", "events.templatetags.icons"],
            "libraries": {"i18n": "config.tags"},
        },
    },
]
FORM_RENDERER = "config.forms.HeadjudgeForms"

LOCK_SECONDS = 5
"""How long a request waits for a lock. Only three requests write at a time, so a longer wait would hold up a full hall.
"""


def of_server(told: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of a database server: the pool keeps the connections, and the server its plans.

    Planning a page's joins takes five times as long as running them, so the server plans a repeated query once.
    """
    planned = {"server_side_binding": True, "prepare_threshold": 5}
    pool = {"min_size": 2, "max_size": env.int("DATABASE_CONNECTIONS", default=20), "timeout": LOCK_SECONDS}
    waits = {"connect_timeout": LOCK_SECONDS, "options": f"-c lock_timeout={LOCK_SECONDS}s"}
    kept = {"ENGINE": "config.postgresql", "CONN_MAX_AGE": 0}
    return {**told, **kept, "OPTIONS": planned | waits | told.get("OPTIONS", {}) | {"pool": pool}}


DATABASES = {"default": _database()}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    private.tighten_database(DATABASES["default"]["NAME"])
    DATABASES["default"]["ENGINE"] = "config.sqlite3"
    DATABASES["default"]["CONN_MAX_AGE"] = 600  # opening a connection takes as long as all queries of a page
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": LOCK_SECONDS,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"] = of_server(DATABASES["default"])
READERS = env.int("READERS", default=2)
WRITERS = env.int("WRITERS", default=3)
SIGN_INS = env.int("SIGN_INS", default=2)
STREAMS = env.int("STREAMS", default=5000)
UPLOADS = env.int("UPLOADS", default=8)
HEADER_SECONDS = env.int("HEADER_SECONDS", default=15)
BODY_SECONDS = env.int("BODY_SECONDS", default=20)
BODY_RATE = 2000
MAX_BODY_SECONDS = 600
READ_SECONDS = 60
METRICS_TOKEN = env("METRICS_TOKEN", default="")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

try:
    EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
except ValueError:
    raise ImproperlyConfigured(
        f"EMAIL_URL isn't valid{ENCODED}. Write it like this: smtp+tls://user:password@host:587."
    ) from None
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = EMAIL_CONFIG.get("EMAIL_TIMEOUT") or 10
MAIL_NOWHERE = tuple(f"django.core.mail.backends.{kind}.EmailBackend" for kind in ("console", "dummy", "filebased"))

AUTH_USER_MODEL = "events.Person"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]  # one: a sign-in costs one hash
PASSWORD_HASHERS = [
    "events.passwords.PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
CSRF_FAILURE_VIEW = "events.unsent.token_refused"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = env(
    "EMAIL_VERIFICATION", default="optional" if EMAIL_CONFIG["EMAIL_BACKEND"] in MAIL_NOWHERE else "mandatory"
)
SITE_NAME = env("SITE_NAME", default="Headjudge")
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_ADAPTER = "events.forms.accounts.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "events.forms.accounts.SignupForm"
ACCOUNT_FORMS = {
    name: f"events.forms.worded.{form}Form"
    for name, form in {
        "login": "Login",
        "signup": "Signup",
        "add_email": "AddEmail",
        "reset_password": "ResetPassword",
        "reset_password_from_key": "ResetPasswordKey",
        "change_password": "ChangePassword",
        "set_password": "SetPassword",
    }.items()
}
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = 5 * 60
ACCOUNT_REAUTHENTICATION_METHODS = ["password", "mfa"]  # "code": a mailbox alone would do
ACCOUNT_RATE_LIMITS = {
    "login": None,  # only failures count: events/forms/accounts.py
    "login_failed": "5/5m/key",
    "login_failed_from_address": "10000/5m/ip",
    "signup": "1500/5m/ip",
    "reset_password": "500/5m/ip,5/5m/key",
    "reset_password_from_key": "500/5m/ip",
    "reauthenticate": "10/5m/user",
    "sign_in_by_code": "10/5m/key,10000/5m/ip",
    "enter_by_mail": "3/h/key,500/5m/ip",
    "board_change": "900/m/ip",
    "board_save": "60/m/ip",
    "board_save_by_strangers": "1000/d/key",  # all of them together
    "board_change_signed_in": "900/m/user",
    "board_save_signed_in": "60/m/user",
    "keep_form": "60/m/ip",
}
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
}  # rate-limit counters; the least recently used are evicted
LIMITS = {
    "entry_link_wrong": {"address": 30},
    "set_up_link_wrong": {"address": 30},
    "token_wrong": {"address": 30},
    "claim": {"device": 40, "address": 2000},
    "api": {"address": 2000},
    "api_write": {"device": 60, "address": 2000},
    "read_event": {"device": 20},
    "make_code": {"device": 20},
}
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PROXIES", default=1) if env.bool("BEHIND_PROXY", default=False) else 0
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "events.forms.accounts.MFAAdapter"
MFA_TOTP_ISSUER = SITE_NAME
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION != "mandatory"

DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default=f"{SITE_NAME} <headjudge@localhost>")

LANGUAGE_CODE = env("SITE_LANGUAGE", default="en")
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_I18N = True
TIME_ZONE = env("TIME_ZONE", default="UTC")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = Path(env("STATIC_DIR", default="") or DATA_DIR / "static")
_make_folder(STATIC_ROOT)
FILE_UPLOAD_PERMISSIONS = 0o600
STATICFILES_DIRS = [BASE_DIR / "config" / "static"]
MEDIA_ROOT = DATA_DIR / "papers"
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if env.bool("HASHED_STATIC", default=False)
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None
if env.bool("HTTPS", default=False):
    SECURE_SSL_REDIRECT = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=False)
SESSION_ENGINE = "config.sessions"
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000

DJANGO_TABLES2_TEMPLATE = "parts/table.html"
DJANGO_TABLES2_TABLE_ATTRS = {"class": "table folds"}

ERROR_MAILS = env.int("ERROR_MAILS", default=6)
ADMINS = [("", address) for address in env.list("ADMINS", default=[])]
_HANDLED = {"handlers": [], "propagate": True}  # by the root's handlers, which remove links and codes
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "format": "{asctime}{levelname}{name}{message}",
            "style": "{",
            "rename_fields": {"asctime": "at", "levelname": "level", "name": "logger"},
        },
    },
    "filters": {
        "cut": {"()": "config.logs.CutSecrets"},
        "lost clients": {"()": "config.logs.LeaveOutLostClients"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": env("LOG_FORMAT", default="plain"),
            "filters": ["cut"],
        },
        "errors": {"class": "config.logs.ErrorFile", "level": "ERROR", "formatter": "plain", "filters": ["cut"]},
        "mail": {"class": "config.logs.ErrorMail", "level": "ERROR", "filters": ["cut"]},
    },
    "root": {"handlers": ["console", "errors", "mail"], "level": env("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "headjudge.access": {"level": "INFO" if env.bool("ACCESS_LOG", default=False) else "WARNING"},
        "asyncio": {"filters": ["lost clients"]},
        "django": _HANDLED | {"level": "WARNING"},
        "django.security": {"handlers": ["console"], "propagate": False},  # any stranger can cause these errors
        "django.server": _HANDLED | {"level": "INFO"},
        "uvicorn": _HANDLED,
        "uvicorn.error": _HANDLED,
        "uvicorn.access": _HANDLED,
        "gunicorn.error": _HANDLED,
        "gunicorn.access": _HANDLED,
    },
}
