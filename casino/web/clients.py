"""A program is one client of one property, and can be granted nothing beyond its own scopes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import transaction
from oauth2_provider.generators import generate_client_secret
from oauth2_provider.models import Application
from oauth2_provider.scopes import SettingsScopes

from casino.web.errors import NotFoundError, Refusal
from casino.web.models import ApiClient


class ClientExistsError(Refusal):
    """A client of that name exists; ledger entries may name it, so no other may take the name."""

    code = "client_exists"
    title = "A client of that name exists"


class ClientScopes(SettingsScopes):  # type: ignore[misc]  # the toolkit ships no types
    """Scopes by client: what it was made with, never all that there are."""

    def get_available_scopes(
        self, application: Any = None, request: Any = None, *args: Any, **kwargs: Any
    ) -> list[str]:
        """Return what a token of *application* may carry."""
        client = ApiClient.objects.filter(application=application).first()
        return list(client.scopes) if client else []

    def get_default_scopes(
        self, application: Any = None, request: Any = None, *args: Any, **kwargs: Any
    ) -> list[str]:
        """Return what a token carries when its request names no scope: all of the client's."""
        return self.get_available_scopes(application, request)


def create_client(*, name: str, property_id: int, scopes: Iterable[str]) -> tuple[str, str]:
    """Make the client *name* of a property; return its id and its secret, shown this once.

    Raises:
        ClientExistsError: the name is taken.
    """
    secret = generate_client_secret()
    with transaction.atomic():
        if ApiClient.objects.filter(name=name).exists():
            raise ClientExistsError(f"There is a client {name!r} already.", pointer="/name")
        application = Application.objects.create(
            name=name,
            client_type=Application.CLIENT_CONFIDENTIAL,
            authorization_grant_type=Application.GRANT_CLIENT_CREDENTIALS,
            client_secret=secret,
        )
        ApiClient.objects.create(
            application=application,
            property_id=property_id,
            name=name,
            scopes=sorted(set(scopes)),
            api_version=settings.API_VERSION,
        )
    return application.client_id, secret


def rotate_secret(*, name: str) -> tuple[str, str]:
    """Give the client *name* a new secret and end its tokens; return its id and the secret.

    Raises:
        NotFoundError: there is no such client.
    """
    secret = generate_client_secret()
    with transaction.atomic():
        client = ApiClient.objects.select_related("application").filter(name=name).first()
        if client is None:
            raise NotFoundError(f"There is no client {name!r}.", pointer="/name")
        client.application.client_secret = secret
        client.application.save(update_fields=["client_secret"])
        client.application.accesstoken_set.all().delete()
    return client.application.client_id, secret
