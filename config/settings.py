"""Settings of the site, read from the environment; without any, a laptop at a venue.

`DATABASE_URL`, `SECRET_KEY`, `DEBUG`, `ALLOWED_HOSTS`, `SITE_URL`, `EMAIL_URL` and `DATA_DIR` are what an
installation sets.
What is local to a machine (database, key, stored papers) lives in `DATA_DIR`, by default `.headjudge/`.
"""

import secrets
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DATA_DIR = Path(env("DATA_DIR", default=str(BASE_DIR / ".headjudge")))
DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # people and results: nobody else on the machine reads them


def _local_secret_key() -> str:
    """Return this machine's own key, made at the first start and readable by its owner only."""
    path = DATA_DIR / "secret_key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


SECRET_KEY = env("SECRET_KEY", default="") or _local_secret_key()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
SITE_URL = env("SITE_URL", default="").rstrip("/")
COPY_DIR = env("COPY_DIR", default="")
SNAPSHOTS_KEPT = env.int("SNAPSHOTS_KEPT", default=40)
SNAPSHOT_SECONDS = env.int("SNAPSHOT_SECONDS", default=60)
BACKGROUND_WORK = env.bool("BACKGROUND_WORK", default=True)
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
    "csp",
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
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.limits.LimitsMiddleware",
    "events.middleware.DoorMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "events.look.look",
            ],
        },
    },
]
FORM_RENDERER = "config.forms.HeadjudgeForms"


def of_server(told: dict) -> dict:
    """Return the settings of a server's database: each request has a thread of its own, what is kept is kept in the pool."""
    pool = {"min_size": 2, "max_size": env.int("DATABASE_CONNECTIONS", default=20), "timeout": 10}
    return {**told, "CONN_MAX_AGE": 0, "OPTIONS": {**told.get("OPTIONS", {}), "pool": pool}}


DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'headjudge.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    DATABASES["default"] = of_server(DATABASES["default"])
READERS = env.int("READERS", default=6)
WRITERS = env.int("WRITERS", default=3)
METRICS_TOKEN = env("METRICS_TOKEN", default="")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "events.Person"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
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
ACCOUNT_EMAIL_VERIFICATION = env("EMAIL_VERIFICATION", default="optional")
ACCOUNT_ADAPTER = "events.forms.accounts.AccountAdapter"
ACCOUNT_SIGNUP_FORM_CLASS = "events.forms.accounts.SignupForm"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_RATE_LIMITS = {
    "sign_in_by_code": "10/m/ip",
    "board_change": "900/m/ip",
    "board_save": "60/m/ip",
    "keep_form": "60/m/ip",
}
LIMITS = {
    "entry_link_wrong": {"address": 30},
    "claim": {"device": 40, "address": 2000},
    "api": {"address": 2000},
    "api_write": {"device": 60, "address": 2000},
    "read_event": {"device": 20},
    "make_code": {"device": 20},
}
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("PROXIES", default=1) if env.bool("BEHIND_PROXY", default=False) else 0
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Headjudge"
MFA_ALLOW_UNVERIFIED_EMAIL = ACCOUNT_EMAIL_VERIFICATION != "mandatory"

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="Headjudge <headjudge@localhost>")

LANGUAGE_CODE = env("SITE_LANGUAGE", default="en")
LANGUAGES = [("en", _("English")), ("fr", _("French"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_I18N = True
TIME_ZONE = env("TIME_ZONE", default="UTC")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
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

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("BEHIND_PROXY", default=False) else None
if env.bool("HTTPS", default=False):
    SECURE_SSL_REDIRECT = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.bool("HSTS_SUBDOMAINS", default=False)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000
MOST_UPLOADED = env.int("MOST_UPLOADED", default=30 * 1024 * 1024)

DJANGO_TABLES2_TEMPLATE = "parts/table.html"
DJANGO_TABLES2_TABLE_ATTRS = {"class": "table folds"}

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
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": env("LOG_FORMAT", default="plain")}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", default="WARNING")},
    "loggers": {"headjudge.access": {"level": "INFO" if env.bool("ACCESS_LOG", default=False) else "WARNING"}},
}
