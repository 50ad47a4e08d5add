"""A laptop: what `./baize up` runs; everything real, nothing exposed."""

from casino.settings.base import *  # noqa: F403  a settings module is the sum of its bases

ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *ALLOWED_HOSTS]  # noqa: F405
