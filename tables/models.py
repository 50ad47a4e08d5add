"""Gathers the models of every subject, so that Django finds them."""

from tables.chips.models import ChipSet, Count, CountLine, Denomination
from tables.floor.models import (
    Patron,
    Pit,
    RuleProfile,
    SeatOccupancy,
    Segment,
    Table,
    TableLimits,
    TableSession,
    TraySight,
)
from tables.money.models import BuyIn, BuyInVoid
from tables.rounds.models import Round, RoundVoid, SeatOutcome, Wager
from tables.settlement.models import (
    SessionTotals,
    SettlementException,
    SettlementRun,
    SettlementStep,
)

__all__ = [
    "BuyIn",
    "BuyInVoid",
    "ChipSet",
    "Count",
    "CountLine",
    "Denomination",
    "Patron",
    "Pit",
    "Round",
    "RoundVoid",
    "RuleProfile",
    "SeatOccupancy",
    "SeatOutcome",
    "Segment",
    "SessionTotals",
    "SettlementException",
    "SettlementRun",
    "SettlementStep",
    "Table",
    "TableLimits",
    "TableSession",
    "TraySight",
    "Wager",
]
