"""The floor: pits, tables, rule profiles, sessions, seats and patrons.

A session freezes a rule profile and a depth of record when it begins; every round names that
profile and its limits.
"""

from __future__ import annotations

# A field is called `property` here, so the decorator goes by another name.
from builtins import property as computed

from django.db import models
from typing_extensions import override

from tables.floor.states import LIVE, RecordDepth, SessionState


class Pit(models.Model):
    """A group of tables that one pit boss watches."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    code = models.CharField(max_length=20)
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(name="tables_pit_code", fields=["property", "code"])]

    @override
    def __str__(self) -> str:
        return self.code


class RuleProfile(models.Model):
    """All options of a game as one table plays it; a change is a new version, never an edit."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    code = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    game = models.CharField(max_length=20)
    options = models.JSONField()
    """Every option of the game's specification with its value, resolved."""
    digest = models.CharField(max_length=64)
    """SHA-256 of game and options; a stored round names it."""
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="tables_ruleprofile_version", fields=["property", "code", "version"]
            )
        ]

    @override
    def __str__(self) -> str:
        return f"{self.code} v{self.version}"


class Table(models.Model):
    """A gaming table; it plays the game of the profile that its next session will freeze."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    pit = models.ForeignKey(Pit, models.PROTECT, related_name="tables")
    code = models.CharField(max_length=20)
    profile = models.ForeignKey(RuleProfile, models.PROTECT, related_name="+")
    chip_set = models.ForeignKey("tables.ChipSet", models.PROTECT, related_name="+")
    seats = models.PositiveSmallIntegerField()
    """Seats for patrons, counted from 1 at the dealer's left."""

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_table_code", fields=["property", "code"]),
            models.CheckConstraint(
                name="tables_table_seats", condition=models.Q(seats__range=(1, 12))
            ),
        ]

    @override
    def __str__(self) -> str:
        return self.code

    @computed
    def ref(self) -> str:
        """How the ledger and devices name this table."""
        return f"table:{self.pk}"


class TableLimits(models.Model):
    """What a table takes on the main wager, in minor units; a change is a new dated row."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="limits")
    wager_min = models.BigIntegerField()
    wager_max = models.BigIntegerField()
    wager_increment = models.BigIntegerField()
    effective_at = models.DateTimeField()
    set_by = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_limits_moment", fields=["table", "effective_at"]),
            models.CheckConstraint(
                name="tables_limits_order",
                condition=models.Q(
                    wager_min__gt=0, wager_increment__gt=0, wager_max__gte=models.F("wager_min")
                ),
            ),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.wager_min}–{self.wager_max}"


class Patron(models.Model):
    """A reference and a display name; who the patron is stays with the cage or loyalty system."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    ref = models.CharField(max_length=40)
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_patron_ref", fields=["property", "ref"])
        ]

    @override
    def __str__(self) -> str:
        return self.name


class TableSession(models.Model):
    """One table from opener to closer; the unit of contention (architecture.md 4)."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, models.PROTECT, related_name="sessions")
    gaming_day = models.DateField()
    number = models.PositiveIntegerField()
    """Counts the sessions of this table from 1."""
    state = models.CharField(max_length=20, choices=SessionState.choices)
    profile = models.ForeignKey(RuleProfile, models.PROTECT, related_name="+")
    chip_set = models.ForeignKey("tables.ChipSet", models.PROTECT, related_name="+")
    record_depth = models.CharField(max_length=6, choices=RecordDepth.choices)
    """What the setting said when the session began: it cannot change while rounds run."""
    opening_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)
    closing_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    opener = models.ForeignKey("tables.Count", models.PROTECT, null=True, related_name="+")
    closer = models.ForeignKey("tables.Count", models.PROTECT, null=True, related_name="+")
    rounds_started = models.PositiveIntegerField(default=0)
    settlement_version = models.PositiveSmallIntegerField(default=1)
    revision = models.PositiveIntegerField(default=1)
    """Goes up with every change; a screen that was drawn from an older one is refused."""

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_session_number", fields=["table", "number"]),
            models.UniqueConstraint(
                name="tables_session_one_live",
                fields=["table"],
                condition=models.Q(state__in=sorted(LIVE)),
            ),
            models.CheckConstraint(
                name="tables_session_state", condition=models.Q(state__in=SessionState.values)
            ),
            models.CheckConstraint(
                name="tables_session_depth",
                condition=models.Q(record_depth__in=RecordDepth.values),
            ),
        ]
        indexes = [models.Index(name="tables_session_day", fields=["property", "gaming_day"])]

    @override
    def __str__(self) -> str:
        return f"{self.table.code} #{self.number}"

    @computed
    def ref(self) -> str:
        """How the ledger, events and audit rows name this session."""
        return f"session:{self.pk}"


class Segment(models.Model):
    """A part of a session between two tray counts; win is computed for each."""

    session = models.ForeignKey(TableSession, models.PROTECT, related_name="segments")
    number = models.PositiveSmallIntegerField()
    shift = models.CharField(max_length=20)
    opener = models.ForeignKey("tables.Count", models.PROTECT, related_name="+")
    closer = models.ForeignKey("tables.Count", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_segment_number", fields=["session", "number"])
        ]

    @override
    def __str__(self) -> str:
        return f"{self.session}/{self.number}"


class SeatOccupancy(models.Model):
    """Who sits where, from when to when."""

    session = models.ForeignKey(TableSession, models.PROTECT, related_name="occupancies")
    seat = models.PositiveSmallIntegerField()
    patron = models.ForeignKey(Patron, models.PROTECT, related_name="+")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="tables_seat_one_patron",
                fields=["session", "seat"],
                condition=models.Q(until__isnull=True),
            ),
            models.CheckConstraint(name="tables_seat_positive", condition=models.Q(seat__gte=1)),
        ]

    @override
    def __str__(self) -> str:
        return f"seat {self.seat}: {self.patron}"


class TraySight(models.Model):
    """Who has seen the exact expected tray of a session, and so may not count it (SOD-14)."""

    session = models.ForeignKey(TableSession, models.PROTECT, related_name="+")
    employee = models.ForeignKey("staff.Employee", models.PROTECT, related_name="+")
    first_seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_traysight_once", fields=["session", "employee"])
        ]

    @override
    def __str__(self) -> str:
        return f"{self.employee} saw the tray of {self.session}"
