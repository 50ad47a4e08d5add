"""What every surrounding shares; the values that were tried have their reason beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from casino.settings.env import Environment
from casino.settings.logs import logging_config

ENV = Environment.read()
BASE_DIR = Path(__file__).resolve().parent.parent.parent

APPLICATION_ROLE = "baize_app"
"""The database role that every process but `migrate` works as."""


def database(url: str, *, role: str | None, pool: int) -> dict[str, Any]:
    """Return Django's description of the PostgreSQL at *url*, dropping to *role* if given.

    `?prepare_threshold=off` in the address is for a pooler that hands each transaction to another
    connection of the server and does not follow what was prepared.
    """
    parts = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    # Of the cursors that bind at the server, which are the ledger's: the sixth time that a
    # connection sends a statement, PostgreSQL has it planned.
    threshold = query.pop("prepare_threshold", "5")
    options: dict[str, Any] = {"prepare_threshold": None if threshold == "off" else int(threshold)}
    if role:
        options["options"] = f"-c role={role}"
    if pool:
        options["pool"] = {
            "min_size": 1,
            "max_size": pool,
            # A request that waits five seconds for a connection is better told so than kept.
            "timeout": 5,
            # By default each try waits twice as long as the one before, for five minutes: after
            # a minute's outage requests failed for another one. Who gives up is asked anew.
            "reconnect_timeout": 5,
        }
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or ""),
        # Under ASGI a connection must not outlive its request; the pool keeps them warm instead.
        "CONN_MAX_AGE": 0,
        # With a pool, the first requests after a restart of PostgreSQL failed without this.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {**query, **options},
    }


def redis_database(url: str, number: int) -> str:
    """Return the address of one numbered database of the Redis at *url*."""
    return f"{url}?db={number}" if url.startswith("unix:") else f"{url.rstrip('/')}/{number}"


def celery_address(url: str, number: int) -> str:
    """Return the same address in the spelling that Celery's transports take."""
    if url.startswith("unix:"):
        return f"redis+socket://{url.removeprefix('unix://')}?virtual_host={number}"
    return redis_database(url, number)


SECRET_KEY = ENV.secret_key
PIN_PEPPER = ENV.pin_pepper
ALLOWED_HOSTS = list(ENV.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(ENV.csrf_trusted_origins)
DEBUG = False

DATABASES = {
    "default": database(
        ENV.database_owner_url if ENV.migrating else ENV.database_url,
        role=None if ENV.migrating else APPLICATION_ROLE,
        pool=ENV.db_pool,
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "oauth2_provider",
    "axes",
    "django_htmx",
    "django_structlog",
    "csp",
    "casino.web",
    "casino.properties",
    "casino.staff",
    "casino.events",
    "ledger",
    "tables",
    # Without the sites of its own; below the ledger, whose templates stand before Django's.
    "django.contrib.admin.apps.SimpleAdminConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "csp.middleware.CSPMiddleware",
    "casino.web.middleware.RequestIdMiddleware",
    "casino.web.middleware.ApiVersionMiddleware",
    "casino.web.middleware.StorableTextMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.staff.middleware.DeviceMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "casino.urls"
ASGI_APPLICATION = "casino.asgi.application"
WSGI_APPLICATION = "casino.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- people
AUTH_USER_MODEL = "staff.Employee"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "casino.staff.backends.PinBackend",
    "casino.staff.backends.PasswordBackend",
]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
LOGIN_URL = "staff:sign-in"
# Login sessions live in the database: losing Redis signs nobody out.
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# Two shifts: nobody works longer, and a console that was left is nobody's on the next day.
SESSION_COOKIE_AGE = 16 * 3600
# Scripts take the token from the page.
CSRF_COOKIE_HTTPONLY = True
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
# By name, not by address: behind one proxy one bad tablet would lock out every table.
AXES_LOCKOUT_PARAMETERS = ["username"]
SILENCED_SYSTEM_CHECKS = ["axes.W006"]  # asks for the address too, which is what we refuse above
AXES_USERNAME_CALLABLE = "casino.staff.backends.sign_in_name"
# A try during the lock does not lengthen it, so the time that the page names stays true.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
# What axes keeps of a form is masked: a mistyped PIN is most of the right one.
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "pin"]
AXES_VERBOSE = False
AXES_HANDLER = "axes.handlers.database.AxesDatabaseHandler"

# --- pages
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
STATIC_ROOT = ENV.state_dir / "static"
SERVESTATIC_USE_FINDERS = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "style-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}

# --- programs
API_VERSIONS = ("2026-04-01",)
API_VERSION = API_VERSIONS[-1]
# For each client; it bounds what one program in a loop can take from the tables.
API_RATE_PER_SECOND = 20
API_RATE_BURST = 60
PROBLEM_TYPES_URL = "https://errors.baize.example/"
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "casino.web.openapi.ProblemAutoSchema",
    "DEFAULT_AUTHENTICATION_CLASSES": ["casino.web.access.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["casino.web.access.HasScope"],
    "DEFAULT_THROTTLE_CLASSES": ["casino.web.rates.ClientRate"],
    "DEFAULT_PARSER_CLASSES": ["casino.web.inputs.StrictJsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "casino.web.problems.handler",
    "UNAUTHENTICATED_USER": None,
    # Or `?format=` would choose a renderer instead of being refused as unknown.
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Baize",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "RecordDepth": "tables.rounds.models.RecordDepth.values",
        "RoundStatus": "tables.rounds.states.RoundState.values",
        "TableSessionStatus": "tables.floor.states.SessionState.values",
        "TableStatus": "tables.cage.serializers.TABLE_STATUSES",
        "TotalsStatus": "tables.cage.serializers.TOTALS_STATUSES",
    },
    # Choices stand beside their field: a name for each would collide at the second `status`.
    "POSTPROCESSING_HOOKS": [],
    "OAUTH2_FLOWS": ["clientCredentials"],
    "OAUTH2_TOKEN_URL": "/o/token/",
}
# Named, because `web.ApiClient` points at it and migrations look the name up here.
OAUTH2_PROVIDER_APPLICATION_MODEL = "oauth2_provider.Application"
OAUTH2_PROVIDER = {
    "SCOPES_BACKEND_CLASS": "casino.web.clients.ClientScopes",
    "SCOPES": {
        "tables:read": "Read tables and sessions",
        "rounds:read": "Read rounds with their results and written steps",
        "rounds:write": "Record and settle rounds",
        "ledger:read": "Read entries, balances and the trial balance",
        "events:read": "Follow the event feed",
    },
    "ACCESS_TOKEN_EXPIRE_SECONDS": 900,
    # RFC 9700: what a grant that we never give could be used for, and tokens in addresses, are
    # refused; of a token its hash alone is stored.
    "COMPLIANT_BCP_RFC9700_IMPLICIT_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PASSWORD_GRANT": True,
    "COMPLIANT_BCP_RFC9700_PKCE_METHOD": True,
    "COMPLIANT_BCP_RFC9700_ACCESS_TOKEN_TRANSPORT": True,
    "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
    "COMPLIANT_BCP_RFC9700_TOKEN_STORAGE": True,
    "COMPLIANT_BCP_RFC9700_REFRESH_TOKEN": True,
    "COMPLIANT_BCP_RFC9700_REDIRECT_URI_SCHEME": True,
    "REFRESH_TOKEN_REUSE_PROTECTION": True,
    "ALLOWED_REDIRECT_URI_SCHEMES": ["https"],
}

# --- Redis: broker 0, cache 1, results 2. It wakes and caches; no fact lives there alone.
REDIS_URL = ENV.redis_url
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": redis_database(ENV.redis_url, 1),
    }
}
CELERY_BROKER_URL = celery_address(ENV.redis_url, 0)
CELERY_RESULT_BACKEND = celery_address(ENV.redis_url, 2)
CELERY_TASK_IGNORE_RESULT = True
# The worker may be killed at any line: a task is acknowledged when it is done, and runs again.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_TIME_LIMIT = 300
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Above the longest task, or it would run twice.
    "visibility_timeout": 900,
    # The default of 10 sweeps for a dead worker's tasks only every 100 seconds.
    "unacked_restore_throttle": 1,
    "socket_keepalive": True,
    # A request never waits for the broker: the sweep finds what a lost wake-up meant.
    "socket_connect_timeout": 0.25,
    "socket_timeout": 5,
    # Without it, kombu tried a dead broker for six seconds before a send failed.
    "max_retries": 0,
}
# Workers log as every process does, not in Celery's own form.
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    # Finds what a lost wake-up meant; an event of a quiet moment is numbered within a second.
    "number events": {"task": "casino.events.tasks.relay", "schedule": 1.0},
    "sweep settlements": {
        "task": "tables.settlement.tasks.sweep_settlements",
        "schedule": 5.0,
    },
    # Entries are under a seal within seconds; an examination follows the close of a gaming day.
    "seal entries": {"task": "ledger.tasks.seal_entries", "schedule": 2.0},
    "examine books": {"task": "ledger.tasks.examine_books", "schedule": 600.0},
    "purge request keys": {"task": "casino.web.tasks.purge_request_keys", "schedule": 600.0},
    "clear expired tokens": {"task": "casino.web.tasks.clear_expired_tokens", "schedule": 3600.0},
}

# The id that django-structlog finds was checked by RequestIdMiddleware, or made there.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
LOGGING = logging_config()
