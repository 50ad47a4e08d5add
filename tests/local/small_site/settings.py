"""The product's own settings, without its apps."""

from casino.settings.base import *  # noqa: F403  a settings module is the sum of its bases

INSTALLED_APPS = ["tests.local.small_site"]
MIDDLEWARE = []
ROOT_URLCONF = "tests.local.small_site.urls"
ALLOWED_HOSTS = ["127.0.0.1"]
CELERY_BEAT_SCHEDULE = {}
LOGGING = {}
