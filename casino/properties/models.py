"""The property, its shifts and its dated settings: every other row belongs to one property."""

from __future__ import annotations

from datetime import time
from zoneinfo import ZoneInfo

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from typing_extensions import override


class Property(models.Model):
    """One casino: one zone, one currency, one gaming-day calendar."""

    code = models.CharField(max_length=40, unique=True)
    """Short and stable; programs name the property by it."""
    name = models.CharField(max_length=120)
    time_zone = models.CharField(max_length=64)
    """IANA name; the wall clock on the floor."""
    day_start = models.TimeField(default=time(6))
    """Local wall-clock time at which the gaming day rolls over."""
    currency = models.CharField(max_length=3)
    """ISO 4217; every amount of this property is in its minor unit."""
    is_sandbox = models.BooleanField(default=False)
    """No real money: demonstration data, enrolment addresses that last, static API keys."""
    languages = ArrayField(models.CharField(max_length=12), default=list)
    """Language codes offered to people here, the first being the property's own."""

    class Meta:
        verbose_name_plural = "properties"
        constraints = [
            models.CheckConstraint(
                name="properties_property_named",
                condition=~Q(code="") & ~Q(name="") & ~Q(time_zone=""),
            ),
            models.CheckConstraint(
                name="properties_property_currency", condition=Q(currency__regex=r"^[A-Z]{3}$")
            ),
        ]

    @override
    def __str__(self) -> str:
        return self.code

    @property
    def zone(self) -> ZoneInfo:
        """Return the rules of the wall clock."""
        return ZoneInfo(self.time_zone)


class Shift(models.Model):
    """One shift of the day; it lasts until the next one starts."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="shifts")
    name = models.CharField(max_length=40)
    starts_at = models.TimeField()
    """Local wall-clock time."""

    class Meta:
        constraints = [
            models.UniqueConstraint(name="properties_shift_name", fields=["property", "name"]),
            models.UniqueConstraint(
                name="properties_shift_starts_at", fields=["property", "starts_at"]
            ),
            models.CheckConstraint(name="properties_shift_named", condition=~Q(name="")),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.name} from {self.starts_at:%H:%M}"


class Setting(models.Model):
    """One value of one setting from one gaming day on; a change is a new row (append-only)."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="settings")
    name = models.CharField(max_length=60)
    """A name of `casino.properties.catalogue`."""
    scope = models.CharField(max_length=60, blank=True, default="")
    """Empty for the property, or what it is overridden for: `pit:1`, `table:3`."""
    value = models.JSONField()
    effective_from = models.DateField()
    """The first gaming day on which the value holds."""
    set_by = models.CharField(max_length=60)
    """The actor string of who set it."""
    approved_by = models.CharField(max_length=60, blank=True, default="")
    """The actor string of the second person, for settings about money."""
    set_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="properties_setting_named", condition=~Q(name="") & ~Q(set_by="")
            ),
            models.CheckConstraint(
                name="properties_setting_two_people",
                condition=~Q(approved_by=models.F("set_by")),
            ),
        ]
        indexes = [
            models.Index(
                name="properties_setting_latest",
                fields=["property", "name", "scope", "-effective_from", "-id"],
            )
        ]

    @override
    def __str__(self) -> str:
        return f"{self.name} = {self.value!r} from {self.effective_from}"
