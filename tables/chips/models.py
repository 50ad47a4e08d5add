"""Chips as pieces: sets, denominations and counts; rounds carry value only."""

from __future__ import annotations

# A field is called `property` here, so the decorator goes by another name.
from builtins import property as computed

from django.db import models
from django.utils.translation import gettext_lazy as _
from typing_extensions import override


class ChipSet(models.Model):
    """The chips of one property that are used together (main, reserve)."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    code = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_chipset_code", fields=["property", "code"])
        ]

    @override
    def __str__(self) -> str:
        return self.code


class DenominationKind(models.TextChoices):
    """What a piece is; only value chips and plaques count in a tray today."""

    VALUE_CHIP = "value_chip", _("value chip")
    PLAQUE = "plaque", _("plaque")
    FRACTIONAL = "fractional", _("fractional chip")


class Denomination(models.Model):
    """One face value of a chip set, in minor units of the property's currency."""

    chip_set = models.ForeignKey(ChipSet, models.PROTECT, related_name="denominations")
    value = models.BigIntegerField()
    kind = models.CharField(max_length=12, choices=DenominationKind.choices)
    colour = models.CharField(max_length=20)
    in_use = models.BooleanField(default=True)
    pieces_in_service = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_denomination_value", fields=["chip_set", "value"]),
            models.CheckConstraint(
                name="tables_denomination_positive",
                condition=models.Q(value__gt=0, pieces_in_service__gte=0),
            ),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.chip_set}:{self.value}"


class CountKind(models.TextChoices):
    """What a tray was counted for."""

    OPENER = "opener", _("opener")
    CLOSER = "closer", _("closer")


class Count(models.Model):
    """A blind count of one tray; a recount is a second row, and both are kept."""

    session = models.ForeignKey("tables.TableSession", models.PROTECT, related_name="counts")
    kind = models.CharField(max_length=8, choices=CountKind.choices)
    attempt = models.PositiveSmallIntegerField()
    """1, or 2 for the one recount that is allowed."""
    total = models.BigIntegerField()
    counted_at = models.DateTimeField()
    counted_by = models.ForeignKey("staff.Employee", models.PROTECT, related_name="+")
    expected = models.BigIntegerField()
    """What the books said should be there at that moment; shown only once both have signed."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="tables_count_attempt", fields=["session", "kind", "attempt"]
            ),
            models.CheckConstraint(
                name="tables_count_attempts", condition=models.Q(attempt__in=[1, 2])
            ),
            models.CheckConstraint(
                name="tables_count_not_negative", condition=models.Q(total__gte=0)
            ),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.kind} {self.attempt} of session {self.session_id}"

    @computed
    def ref(self) -> str:
        """How the ledger, signatures, events and audit rows name this count."""
        return f"count:{self.pk}"

    @computed
    def difference(self) -> int:
        """Counted less expected, in minor units."""
        return self.total - self.expected


class CountLine(models.Model):
    """Pieces of one denomination in a count."""

    count = models.ForeignKey(Count, models.PROTECT, related_name="lines")
    denomination = models.ForeignKey(Denomination, models.PROTECT, related_name="+")
    pieces = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_countline_once", fields=["count", "denomination"])
        ]

    @override
    def __str__(self) -> str:
        return f"{self.pieces} × {self.denomination}"
