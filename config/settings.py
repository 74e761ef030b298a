"""All settings, read from the environment. docs/reference/settings.md lists the variables."""

from __future__ import annotations

import secrets
from pathlib import Path

import environ
from csp.constants import NONE, SELF

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DATA_DIR = Path(env.str("PASSABLE_DATA", default=str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)


def _secret_key() -> str:
    """From the environment, else made once and kept in the data folder, readable by its owner only."""
    path = DATA_DIR / "secret_key"
    if not path.exists():
        fresh = DATA_DIR / f"secret_key.{secrets.token_hex(4)}"
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50))
        fresh.rename(path)
    return path.read_text()


SECRET_KEY = env.str("SECRET_KEY", default="") or _secret_key()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "csp",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "annotation",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "annotation.nul.refuse_nul",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers wait for each other instead of failing: without these, concurrent requests end in "database is locked". Examples
    # are imported in short transactions, but a file of judgements that makes a campaign is still one, as long as it takes.
    # What is deleted is written over (`secure_delete`): whoever withdraws is promised that it is gone. The journal, which a large
    # import makes grow, is cut to 16 MB whenever it begins anew (`journal_size_limit`).
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 60,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON; "
        "PRAGMA journal_size_limit=16777216;",
    }
# A connection serves many requests: making one takes longer than most of them. But not for long: PostgreSQL keeps plans with it
# (see annotation.prepared), and one that was made for an empty table serves a grown one badly.
DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "annotation.User"
AUTHENTICATION_BACKENDS = ["annotation.sessions.Accounts"]
SESSION_ENGINE = "annotation.sessions"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "start"
LOGOUT_REDIRECT_URL = "start"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Static files are served from where they lie, so there is no collecting step to forget.
WHITENOISE_USE_FINDERS = True

# An answer has a field for every word that is marked, and the longest text has 50,000 words.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 60_000

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("HTTPS_ONLY", default=False)

# Tokens lie in a table of our own. Without this knox would make one too, which nothing uses and no flush of the tables knows.
MIGRATION_MODULES = {"knox": None}
KNOX_TOKEN_MODEL = "annotation.ApiToken"
# The prefix makes a token that lies about recognisable, for people and for scanners.
REST_KNOX = {"TOKEN_PREFIX": "passable_", "AUTO_REFRESH": False}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotation.api.authentication.ByToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["annotation.api.reading.BoundedJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["annotation.api.throttling.Throttle"],
    "DEFAULT_THROTTLE_RATES": {
        "anonymous": env.str("API_RATE_ANONYMOUS", default="30/min") or None,
        "user": env.str("API_RATE_USER", default="300/min") or None,
        "work": env.str("API_RATE_WORK", default="120/min") or None,
        "sign-in": env.str("API_RATE_SIGN_IN", default="10/min") or None,
    },
    "EXCEPTION_HANDLER": "annotation.api.problems.as_problem",
    # Behind n proxies, a client's address is the n-th from the end of X-Forwarded-For; without one, it is ignored.
    "NUM_PROXIES": env.int("TRUSTED_PROXIES", default=0),
}
API_LARGEST_BODY = env.int("API_LARGEST_BODY", default=20_000_000)
SPECTACULAR_SETTINGS = {
    "TITLE": "Passable",
    "DESCRIPTION": "Campaigns, items, answers and what they come to. Scoped as the pages are: what is not yours is 404.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_NAME_OVERRIDES": {f"{name}State": f"annotation.models.{name}.State" for name in ("Campaign", "Claim", "Job")},
}

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
if env.str("TASKS_ENGINE", default="database") == "celery":
    TASKS["default"] = {"BACKEND": "config.task_backends.CeleryBackend"}
BROKER_URL = env.str("BROKER_URL", default="")
CELERY_QUEUE = env.str("CELERY_QUEUE", default="passable")

# What attackers may draw on besides what is embedded, and where it lies.
ATTACK_RESOURCES = {
    name: place
    for name in ("vectors", "masked_lm", "paraphraser", "sememes", "causal_lm")
    if (place := env.str(f"ATTACK_{name.upper()}", default=""))
}
# Hosts of victims that may be in this network, and that the key in PASSABLE_VICTIM_KEY is sent to.
VICTIM_HOSTS = env.list("PASSABLE_VICTIM_HOSTS", default=[])
# Pretrained Transformers in folders, which organisers may choose.
MODELS_DIR = Path(models).resolve() if (models := env.str("PASSABLE_MODELS", default="")) else None

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {"fontTools": {"level": "WARNING"}},  # it tells of every table of every font
}
