"""The test suite: the real servers, cheap passwords."""

import os

# Type checks and other tools import these settings without any server; nothing connects then.
for name, value in {
    "DATABASE_URL": "postgresql://baize_app@/baize?host=/nowhere",
    "REDIS_URL": "unix:///nowhere/redis.sock",
    "SECRET_KEY": "only-for-tests",
    "PIN_PEPPER": "only-for-tests",
}.items():
    os.environ.setdefault(name, value)

from casino.settings.base import *  # noqa: E402, F403  a settings module is the sum of its bases

# Tests create, migrate and flush as the owner; tests/conftest.py then takes the application's role.
DATABASES = {"default": database(ENV.database_owner_url, role=None, pool=0)}  # noqa: F405
ALLOWED_HOSTS = ["*"]
# Argon2 is made to be slow; the test of the real hasher names it.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
