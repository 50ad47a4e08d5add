"""What stops a settlement: the run is marked failed, the session keeps its state.

SettlementError
├── NothingToSettleError    no such run: the task was made from thin air
└── BooksDisagreeError      two ways to the same figure differ; a person must look
"""

from __future__ import annotations


class SettlementError(Exception):
    """A settlement cannot go on."""


class NothingToSettleError(SettlementError):
    """No settlement of that version of the session was ever asked for."""

    def __init__(self, session_id: int, version: int) -> None:
        super().__init__(f"no settlement {version} of session {session_id} was asked for")


class BooksDisagreeError(SettlementError):
    """Two ways to the same figure differ, by even one minor unit."""

    def __init__(self, what: str, *, by_events: int, by_ledger: int) -> None:
        super().__init__(f"{what}: {by_events} by events, {by_ledger} by the ledger")
        self.by_events, self.by_ledger = by_events, by_ledger
