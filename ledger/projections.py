"""What is kept beside the postings: compared with their sums, and set right from them.

The postings are the truth. Balances and snapshots may be rebuilt; what a closed period says is
evidence, and is only compared (ADR 26).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from typing_extensions import override

from ledger.retrying import with_retries
from ledger.services.functions import call_many

REBUILT: Final = ("balance", "snapshot")
"""The projections that are rebuilt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One row that does not say what the postings say."""

    projection: str
    """balance, snapshot, period, series or event"""
    what: str
    stored: str | None
    """None: it has no row."""
    computed: str | None
    """None: it should have none."""

    @override
    def __str__(self) -> str:
        return (
            f"{self.projection} {self.what}: {self.stored or 'nothing'} is kept, "
            f"and it should be {self.computed or 'nothing'}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt(Difference):
    """What became of a difference."""

    outcome: str
    """`set`, `removed`, or why it was refused"""

    @property
    def is_refused(self) -> bool:
        return self.outcome not in {"set", "removed"}


def compare(property_id: int) -> tuple[Difference, ...]:
    """Return what is kept and is not what the postings say; reads every posting."""
    rows = call_many(
        "SELECT projection, what, stored, computed FROM ledger_compare(%s)", [property_id]
    )
    return tuple(
        Difference(projection=projection, what=what, stored=stored, computed=computed)
        for projection, what, stored, computed in rows
    )


def rebuild(*, property_id: int, projections: Sequence[str] = REBUILT) -> tuple[Rebuilt, ...]:
    """Set projections right from the postings, and return what was wrong.

    Posters to the property wait meanwhile. A balance that the account's limits do not allow is
    left as it is and said to be refused.
    """

    return tuple(each for projection in projections for each in _rebuild(property_id, projection))


def _rebuild(property_id: int, projection: str) -> Iterator[Rebuilt]:
    # One transaction each: whoever opens a day holds its lock when it comes to the balances.
    statement = "SELECT what, stored, computed, outcome FROM ledger_rebuild(%s, %s)"
    for what, stored, computed, outcome in with_retries(
        lambda: call_many(statement, [property_id, projection])
    ):
        yield Rebuilt(
            projection=projection, what=what, stored=stored, computed=computed, outcome=outcome
        )
