"""django-hordak and django-ledger as their documentation installs them, nothing else."""

import os
from typing import Any
from urllib.parse import parse_qs, urlsplit

_url = urlsplit(os.environ["BENCH_PEERS_URL"])

SECRET_KEY = "only-for-measurements"
USE_TZ = True
TIME_ZONE = "UTC"
DATABASES: dict[str, Any] = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": _url.path.lstrip("/"),
        "USER": _url.username,
        "HOST": parse_qs(_url.query)["host"][0],
        "CONN_MAX_AGE": None,
    }
}
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "mptt",
    "hordak",
    "django_ledger",
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "tests.load.peers.urls"
LOGGING = {"version": 1, "disable_existing_loggers": True, "root": {"level": "ERROR"}}

# hordak
DEFAULT_CURRENCY = HORDAK_INTERNAL_CURRENCY = "USD"
CURRENCIES = ["USD"]
