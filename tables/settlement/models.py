"""Settlement of a session: which steps are done, and the totals that they computed.

A step's row commits with its effect, so a step whose row stands is never done again.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from typing_extensions import override


class RunState(models.TextChoices):
    """How the run stands; a failed run leaves its session as it was."""

    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


class SettlementRun(models.Model):
    """One settlement of one version of a session."""

    session = models.ForeignKey("tables.TableSession", models.PROTECT, related_name="runs")
    version = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=8, choices=RunState.choices)
    requested_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    failure = models.TextField(default="", blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_run_version", fields=["session", "version"])
        ]

    @override
    def __str__(self) -> str:
        return f"settlement {self.version} of {self.session}"


class SettlementStep(models.Model):
    """A step that is done."""

    run = models.ForeignKey(SettlementRun, models.PROTECT, related_name="steps")
    step = models.CharField(max_length=4)
    done_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(name="tables_step_once", fields=["run", "step"])]

    @override
    def __str__(self) -> str:
        return self.step


class SettlementException(models.Model):
    """Something that step S1 found open and that a person has to look at."""

    run = models.ForeignKey(SettlementRun, models.PROTECT, related_name="exceptions")
    code = models.CharField(max_length=40)
    detail = models.CharField(max_length=300)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="tables_exception_once", fields=["run", "code", "detail"])
        ]

    @override
    def __str__(self) -> str:
        return self.detail


class SessionTotals(models.Model):
    """The figures of a session, in minor units, by the symbols of table-operations.md 7.

    They are derived from events each time, never incremented.
    """

    run = models.OneToOneField(SettlementRun, models.PROTECT, related_name="totals")
    opener = models.BigIntegerField()
    closer = models.BigIntegerField()
    fills = models.BigIntegerField()
    credits = models.BigIntegerField()
    box_recorded = models.BigIntegerField()
    """Recorded box contents; stands for DB until the box is counted."""
    expected_tray = models.BigIntegerField()
    chip_variance = models.BigIntegerField()
    main_net = models.BigIntegerField(null=True)
    side_net = models.BigIntegerField(null=True)
    money_plays = models.BigIntegerField(null=True)
    commission = models.BigIntegerField(null=True)
    handle = models.BigIntegerField(null=True)
    rounds = models.PositiveIntegerField(null=True)
    by_seat = models.JSONField(default=list)
    by_dealer = models.JSONField(default=list)
    estimated_win = models.BigIntegerField(null=True)
    drop = models.BigIntegerField(null=True)
    hold_bps = models.BigIntegerField(null=True)
    """Win over statistical drop in hundredths of a percent; null where the drop is zero."""

    @override
    def __str__(self) -> str:
        return f"totals of {self.run}"
