"""The service as it runs, with a second database for the tables without guards."""

import os

from casino.settings.base import *  # noqa: F403  a settings module is the sum of its bases

ALLOWED_HOSTS = ["*"]
DATABASES["default"]["CONN_MAX_AGE"] = None  # noqa: F405  contestants keep their connections
DATABASES["default"]["CONN_HEALTH_CHECKS"] = False  # noqa: F405
if "BENCH_BARE_URL" in os.environ:
    DATABASES["bare"] = database(os.environ["BENCH_BARE_URL"], role=None, pool=0)  # noqa: F405
# The limit protects the tables from a program in a loop, which is what a measurement is.
API_RATE_PER_SECOND = API_RATE_BURST = 1_000_000
LOGGING = {"version": 1, "disable_existing_loggers": True, "root": {"level": "ERROR"}}
