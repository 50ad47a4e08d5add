"""Rounds: what was wagered and dealt, how it was settled and, if it was, how it was voided.

A settled round never changes, but for its state: the database refuses anything else.
"""

from __future__ import annotations

# A field is called `property` here, so the decorator goes by another name.
from builtins import property as computed

from django.db import models
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from tables.floor.states import RecordDepth
from tables.rounds.states import RoundState


class Source(models.TextChoices):
    """Through which door a round came in."""

    TABLET = "tablet", _("tablet")
    API = "api", _("API")


class Round(models.Model):
    """One deal for the whole table."""

    property = models.ForeignKey("properties.Property", models.PROTECT, related_name="+")
    session = models.ForeignKey("tables.TableSession", models.PROTECT, related_name="rounds")
    segment = models.ForeignKey("tables.Segment", models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    """Gapless within the session."""
    version = models.PositiveSmallIntegerField(default=1)
    """2 and above: the round again, after its earlier version was voided."""
    state = models.CharField(max_length=8, choices=RoundState.choices)
    revision = models.PositiveIntegerField(default=1)
    depth = models.CharField(max_length=6, choices=RecordDepth.choices)
    source = models.CharField(max_length=6, choices=Source.choices)
    profile = models.ForeignKey("tables.RuleProfile", models.PROTECT, related_name="+")
    limits = models.ForeignKey("tables.TableLimits", models.PROTECT, related_name="+")
    actor = models.CharField(max_length=64)
    """Who dealt (`employee:7`) or which program sent it (`client:reader-1`)."""
    device_id = models.BigIntegerField(null=True)
    gaming_day = models.DateField()
    occurred_at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    record = models.JSONField()
    """What the rules are fed: the `round` of rules-cli.md, seats as far as they are entered."""
    result = models.JSONField(null=True)
    """What the rules answered: seats, bank, transfers and the written steps."""
    house_net = models.BigIntegerField(null=True)
    """What the house won (or, below zero, paid) over the round, commission included."""
    entry_id = models.BigIntegerField(null=True)
    """The ledger entry; none when the round moved nothing to or from the house."""

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="tables_round_number", fields=["session", "number", "version"]
            ),
            models.CheckConstraint(
                name="tables_round_state", condition=models.Q(state__in=RoundState.values)
            ),
            models.UniqueConstraint(
                name="tables_round_one_unfinished",
                fields=["session"],
                condition=models.Q(state__in=["betting", "locked", "dealt", "setting", "revealed"]),
            ),
        ]

    @override
    def __str__(self) -> str:
        return f"{self.session} round {self.number}"

    @computed
    def ref(self) -> str:
        """How the ledger, events and audit rows name this round."""
        return f"round:{self.pk}"


class Wager(models.Model):
    """What one seat put up on one round, in minor units."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="wagers")
    seat = models.PositiveSmallIntegerField()
    patron = models.ForeignKey("tables.Patron", models.PROTECT, related_name="+")
    kind = models.CharField(max_length=40, default="main")
    """`main`, or the name of a side wager."""
    amount = models.BigIntegerField()
    placed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_wager_kind", fields=["round", "seat", "kind"]),
            models.CheckConstraint(name="tables_wager_positive", condition=models.Q(amount__gt=0)),
        ]

    @override
    def __str__(self) -> str:
        return f"seat {self.seat} {self.kind} {self.amount}"


class SeatOutcome(models.Model):
    """What one seat's hand came to; figures add up to the legs of the round's entry."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="outcomes")
    seat = models.PositiveSmallIntegerField()
    patron = models.ForeignKey("tables.Patron", models.PROTECT, related_name="+")
    outcome = models.CharField(max_length=4)
    wager = models.BigIntegerField()
    covered = models.BigIntegerField()
    commission = models.BigIntegerField()
    net = models.BigIntegerField()
    """The change of the patron's chips, after commission."""

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_outcome_seat", fields=["round", "seat"]),
            models.CheckConstraint(
                name="tables_outcome_values",
                condition=models.Q(outcome__in=["win", "lose", "push", "void"]),
            ),
        ]

    @override
    def __str__(self) -> str:
        return f"seat {self.seat} {self.outcome} {self.net}"


class VoidKind(models.TextChoices):
    """Whether chips had moved when the round was voided (table-operations.md 10.2)."""

    BEFORE_PAYMENT = "before_payment", _("void before payment")
    AFTER_PAYMENT = "after_payment", _("void after payment")


class RoundVoid(models.Model):
    """Why a round was voided, by whom, and the entry that took its chips back."""

    round = models.OneToOneField(Round, models.PROTECT, related_name="voiding")
    kind = models.CharField(max_length=14, choices=VoidKind.choices)
    reason = models.CharField(max_length=200)
    proposed_by = models.CharField(max_length=64)
    floor = models.ForeignKey("staff.Employee", models.PROTECT, related_name="+")
    pit_boss = models.ForeignKey("staff.Employee", models.PROTECT, null=True, related_name="+")
    voided_at = models.DateTimeField()
    entry_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="tables_roundvoid_reason", condition=~models.Q(reason=""))
        ]

    @override
    def __str__(self) -> str:
        return f"void of {self.round}"
