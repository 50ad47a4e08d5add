"""What settings name by string is there: tasks, middleware, backends, apps, addresses."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils.module_loading import import_string

from casino.celery import app

PROCESSORS = [
    processor
    for engine in settings.TEMPLATES
    for processor in engine["OPTIONS"].get("context_processors", [])
]
PATHS = [
    *settings.MIDDLEWARE,
    *settings.AUTHENTICATION_BACKENDS,
    *PROCESSORS,
    settings.REST_FRAMEWORK["EXCEPTION_HANDLER"],
]


@pytest.fixture(scope="module")
def tasks():
    app.loader.import_default_modules()
    return app.tasks


@pytest.mark.parametrize("path", PATHS)
def test_a_path_leads_to_something_that_can_be_called(path):
    assert callable(import_string(path))


@pytest.mark.parametrize("entry", sorted(settings.CELERY_BEAT_SCHEDULE))
def test_the_beat_calls_tasks_that_exist(tasks, entry):
    assert settings.CELERY_BEAT_SCHEDULE[entry]["task"] in tasks


def test_a_task_is_named_after_where_it_stands(tasks):
    ours = {name: task for name, task in tasks.items() if not name.startswith("celery.")}

    assert ours
    for name, task in ours.items():
        assert name == f"{task.run.__module__}.{task.run.__name__}"


def test_services_wake_tasks_that_exist(tasks):
    from casino.events.services import RELAY
    from tables.settlement.waking import SETTLE

    assert {RELAY, SETTLE} <= set(tasks)
