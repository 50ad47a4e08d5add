"""The outbox: what happened, written in the transaction that did it, numbered after its commit."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from typing_extensions import override


class Xid8Field(models.Field):  # type: ignore[type-arg]  # takes none when run
    """PostgreSQL's 64-bit transaction id; the database fills it, Python only passes it on."""

    @override
    def db_type(self, connection: object) -> str:
        return "xid8"


class OutboxEvent(models.Model):
    """One event of one subject; nothing of it changes but that it is numbered, once."""

    property_id = models.BigIntegerField()
    """No foreign key: the ledger's function writes here too, and properties stand below."""
    txid = Xid8Field(db_default=models.Func(function="pg_current_xact_id"))
    """The writing transaction; the relay numbers nothing that an older one may still precede."""
    topic = models.CharField(max_length=80)
    """`table_session.opened`"""
    subject_type = models.CharField(max_length=40)
    subject_id = models.CharField(max_length=80)
    version = models.PositiveIntegerField()
    """Of the subject; ascends by one or more from event to event."""
    key = models.CharField(max_length=200)
    """The natural key of the event: a second emit of it is the same event."""
    payload = models.JSONField()
    occurred_at = models.DateTimeField()
    gaming_day = models.DateField()
    recorded_at = models.DateTimeField(db_default=Now())
    sequence = models.BigIntegerField(null=True)
    """The place in the property's feed: 1, 2, 3 … without gaps; null until the relay ran."""
    numbered_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "events_outbox"
        constraints = [
            models.UniqueConstraint(name="events_outbox_key", fields=["property_id", "key"]),
            models.UniqueConstraint(
                name="events_outbox_sequence", fields=["property_id", "sequence"]
            ),
            models.CheckConstraint(
                name="events_outbox_numbered",
                condition=Q(sequence__isnull=True, numbered_at__isnull=True)
                # A check that comes to NULL holds, and NULL >= 1 does.
                | Q(sequence__isnull=False, sequence__gte=1, numbered_at__isnull=False),
            ),
            models.CheckConstraint(name="events_outbox_version", condition=Q(version__gte=1)),
        ]
        indexes = [
            # The relay reads what waits, never what is done: its cost does not grow with history.
            models.Index(
                name="events_outbox_waiting",
                fields=["property_id", "txid", "id"],
                condition=Q(sequence__isnull=True),
            ),
            models.Index(
                name="events_outbox_waiting_subject",
                fields=["property_id", "subject_type", "subject_id", "version"],
                condition=Q(sequence__isnull=True),
            ),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.topic} {self.subject_type}:{self.subject_id} v{self.version}"
