"""Settings that could not post are found before anything connects."""

from __future__ import annotations

from django.core.checks.registry import registry

from ledger.checks import application_role


def test_role_of_the_settings_is_the_one_that_may_post(settings):
    assert application_role in registry.get_checks()
    assert application_role() == []
    settings.APPLICATION_ROLE = "postgres"
    assert [message.id for message in application_role()] == ["ledger.E001"]
