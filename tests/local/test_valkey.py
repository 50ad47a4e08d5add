import shutil

import pytest
import redis

from casino.local.places import Places
from tests.local.conftest import Started

EVERY_REDIS = ["", *filter(None, [shutil.which("redis-server")])]
"""The wheel's Valkey and the distribution's Redis, where there is one."""


def client(places: Places) -> redis.Redis:
    return redis.Redis.from_url(places.redis_url, decode_responses=True)


@pytest.mark.parametrize("program", EVERY_REDIS)
def test_tasks_are_kept_over_stop_and_kill(places: Places, started: Started, program: str) -> None:
    first = started.valkey(places, named=program)
    with client(places) as valkey:
        valkey.rpush("celery", "close the day")
    first.stop()
    assert first.status() == 0

    second = started.valkey(places, named=program)
    with client(places) as valkey:
        assert valkey.lrange("celery", 0, -1) == ["close the day"]
        assert valkey.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert valkey.config_get("port") == {"port": "0"}
    second.process.kill()
    second.process.wait()

    started.valkey(places, named=program)
    with client(places) as valkey:
        assert valkey.lrange("celery", 0, -1) == ["close the day"]


def test_socket_is_for_its_owner(places: Places, started: Started) -> None:
    started.valkey(places)
    assert places.valkey_socket.stat().st_mode & 0o077 == 0
