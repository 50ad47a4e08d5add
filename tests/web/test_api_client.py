"""`manage.py api_client`: a credential for a program, shown once."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from oauth2_provider.models import Application

from casino.web.models import ApiClient

pytestmark = pytest.mark.django_db


def make(*arguments):
    call_command("api_client", *arguments)


def test_client_is_made_with_its_property_and_scopes(capsys):
    make("cage-1", "--property-id", "7", "--scope", "tables:read", "--scope", "events:read")
    (_, client_id), (_, secret) = (line.split() for line in capsys.readouterr().out.splitlines())
    client = ApiClient.objects.select_related("application").get()
    assert (client.name, client.actor, client.property_id) == ("cage-1", "client:cage-1", 7)
    assert client.scopes == ["events:read", "tables:read"]
    assert client.application.client_id == client_id
    assert secret not in client.application.client_secret


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cage-1", "--scope", "tables:read"], "--property-id"),
        (["cage-1", "--property-id", "7"], "--scope"),
        (["cage-1", "--property-id", "7", "--scope", "all"], "invalid choice: 'all'"),
        (["Cage 1", "--property-id", "7", "--scope", "tables:read"], "name 'Cage 1'"),
        (["cage-1", "--rotate"], "no client 'cage-1'"),
    ],
)
def test_what_cannot_be_is_refused_by_name(arguments, said):
    with pytest.raises(CommandError, match=said):
        make(*arguments)
    assert (ApiClient.objects.count(), Application.objects.count()) == (0, 0)


def test_name_is_taken_for_ever(capsys):
    make("cage-1", "--property-id", "7", "--scope", "tables:read")
    with pytest.raises(CommandError, match="a client 'cage-1' already"):
        make("cage-1", "--property-id", "8", "--scope", "tables:read")
    assert ApiClient.objects.get().property_id == 7
