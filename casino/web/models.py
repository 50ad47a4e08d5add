"""What the API remembers of its callers: which property each serves, which keys it spent."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from typing_extensions import override


class RequestKey(models.Model):
    """One `Idempotency-Key` of one client, with the answer that it will always get."""

    client = models.CharField(max_length=80)
    """The actor string of the caller: `client:cage-1`."""
    key = models.CharField(max_length=64)
    fingerprint = models.BinaryField(max_length=32)
    """SHA-256 of method, path and canonical body."""
    path = models.CharField(max_length=400)
    status = models.PositiveSmallIntegerField()
    body = models.JSONField(null=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="web_requestkey_once", fields=["client", "key"]),
            models.CheckConstraint(
                name="web_requestkey_lasts", condition=Q(expires_at__gt=models.F("created_at"))
            ),
        ]
        indexes = [models.Index(name="web_requestkey_expires", fields=["expires_at"])]

    @override
    def __str__(self) -> str:
        return f"{self.client} {self.key}"


class ApiClient(models.Model):
    """The one property that an OAuth client serves, and its name there."""

    application = models.OneToOneField(
        "oauth2_provider.Application", on_delete=models.PROTECT, related_name="api_client"
    )
    property_id = models.BigIntegerField()
    """No foreign key: properties stand above this app."""
    name = models.CharField(max_length=40)
    """Names the client in ledger, audit and events: `client:cage-1`; unique for ever."""
    scopes = ArrayField(models.CharField(max_length=40))
    """All that a token of this client may carry."""
    api_version = models.CharField(max_length=10)
    """The dated version of the contract that it was registered under, and is answered by."""

    class Meta:
        constraints = [models.UniqueConstraint(name="web_apiclient_name", fields=["name"])]

    @override
    def __str__(self) -> str:
        return self.name

    @property
    def actor(self) -> str:
        """Return the client as the ledger, the audit trail and events name it."""
        return f"client:{self.name}"
