"""Money that comes in at the table: each buy-in with the entry that booked it."""

from __future__ import annotations

# A field is called `property` here, so the decorator goes by another name.
from builtins import property as computed

from django.db import models
from typing_extensions import override


class BuyIn(models.Model):
    """Currency spread, called and dropped; chips passed to a patron."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    session = models.ForeignKey("tables.TableSession", models.PROTECT, related_name="buy_ins")
    segment = models.ForeignKey("tables.Segment", models.PROTECT, related_name="+")
    seat = models.PositiveSmallIntegerField()
    patron = models.ForeignKey("tables.Patron", models.PROTECT, related_name="+")
    amount = models.BigIntegerField()
    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    gaming_day = models.DateField()
    actor = models.CharField(max_length=64)
    verified_by = models.ForeignKey("staff.Employee", models.PROTECT, null=True, related_name="+")
    """The floor supervisor, where the amount is above `verify_buyin_over`."""
    entry_id = models.BigIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="tables_buyin_positive", condition=models.Q(amount__gt=0))
        ]

    @override
    def __str__(self) -> str:
        return f"{self.patron}: {self.amount}"

    @computed
    def ref(self) -> str:
        """How the ledger and audit rows name this buy-in."""
        return f"buy_in:{self.pk}"


class BuyInVoid(models.Model):
    """A buy-in that was entered wrongly and taken back whole, by reversal."""

    buy_in = models.OneToOneField(BuyIn, models.PROTECT, related_name="voiding")
    reason = models.CharField(max_length=200)
    proposed_by = models.CharField(max_length=64)
    floor = models.ForeignKey("staff.Employee", models.PROTECT, related_name="+")
    voided_at = models.DateTimeField()
    entry_id = models.BigIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(name="tables_buyinvoid_reason", condition=~models.Q(reason=""))
        ]

    @override
    def __str__(self) -> str:
        return f"void of {self.buy_in}"
