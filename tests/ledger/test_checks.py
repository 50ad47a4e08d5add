"""Settings that could not post are found before anything connects."""

from __future__ import annotations

from django.core.checks import run_checks


def found():
    return [message.id for message in run_checks() if message.id.startswith("ledger.")]


def test_role_of_the_settings_is_the_one_that_may_post(settings):
    assert found() == []
    settings.APPLICATION_ROLE = "postgres"
    assert found() == ["ledger.E001"]
