"""A commit asks for a task, once, and never waits for the broker."""

from __future__ import annotations

import json

import pytest
import redis
from django.conf import settings
from django.db import transaction

from casino.web.waking import begun, gather_on_commit, wake_on_commit

TASK = "tests.no_worker_has_this"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked_for():
    """Return a function that says which of these tests' tasks the real broker holds."""
    with redis.Redis.from_url(settings.REDIS_URL) as broker:

        def names():
            messages = map(json.loads, broker.lrange("celery", 0, -1))
            return [
                message["headers"]["kwargsrepr"]
                for message in messages
                if message["headers"]["task"] == TASK
            ]

        broker.delete("celery")
        yield names
        broker.delete("celery")


def test_commit_asks_once_for_each_task_with_its_arguments(asked_for):
    with transaction.atomic():
        wake_on_commit(TASK, session=7)
        wake_on_commit(TASK, session=7)
        wake_on_commit(TASK, session=8)
        assert asked_for() == []
    assert sorted(asked_for()) == ["{'session': 7}", "{'session': 8}"]


def test_rolled_back_work_asks_for_nothing(asked_for):
    with transaction.atomic():
        with transaction.atomic():
            wake_on_commit(TASK, session=7)
            wake_on_commit(TASK, session=8)
            transaction.set_rollback(True)
        wake_on_commit(TASK, session=7)
    assert asked_for() == ["{'session': 7}"]


def test_lost_broker_is_only_logged(dead_redis, caplog):
    with transaction.atomic():
        wake_on_commit(TASK, session=7)
    assert f"{TASK} waits for its sweep" in caplog.text


def test_whoever_asks_before_a_task_begins_shares_one_message(asked_for):
    begun(TASK)
    for _ in range(3):
        gather_on_commit(TASK)
    assert asked_for() == ["{}"]

    begun(TASK)
    gather_on_commit(TASK)
    assert asked_for() == ["{}", "{}"]
    begun(TASK)


def test_gathering_without_redis_is_only_logged(dead_redis, caplog):
    gather_on_commit(TASK)
    begun(TASK)
    assert f"{TASK} waits for its sweep" in caplog.text
    assert f"{TASK} is asked for within a second" in caplog.text
