"""A simulated shift through the real services: the same seed and the same start give the same.

It writes nothing itself; whatever stands afterwards was posted by the services that a dealer's
tablet calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from casino.staff.actors import Actor, Signer
from tables import games
from tables.chips.models import CountKind
from tables.chips.selectors import expected_tray
from tables.chips.services.counts import record_count, witness_count
from tables.chips.services.opening import confirm_opener
from tables.floor.models import Patron, Table, TableSession
from tables.floor.services.seats import seat_patron
from tables.floor.services.sessions import begin_opening
from tables.money.services.buy_ins import buy_in_cash
from tables.rounds.models import Source
from tables.rounds.services.settling import Settled, record_round
from tables.rounds.services.voiding import void_round
from tables.settlement.models import SettlementRun
from tables.settlement.services.closing import accept_closer, begin_closing
from tables.settlement.services.running import run_settlement


@dataclass(slots=True, kw_only=True)
class Crew:
    """Who works the table: the dealer acts, the others sign."""

    dealer: Actor
    floor: Signer
    pit_boss: Signer


@dataclass(slots=True, kw_only=True)
class TableShift:
    """One table's session, played by a random source that was seeded by the caller."""

    table: Table
    crew: Crew
    patrons: Mapping[int, Patron]
    """Seat → who sits there."""
    random: Random
    clock: datetime
    session: TableSession = field(init=False)
    buy_ins: int = 0

    def open(self) -> TableSession:
        """Count the tray, open the table, seat the patrons and let each buy in."""
        session = begin_opening(table_id=self.table.pk, actor=self.crew.dealer, at=self.clock)
        self.session = session
        self._count(CountKind.OPENER, expected_tray(session))
        self.session = confirm_opener(
            session_id=session.pk, actor=self.crew.dealer, at=self._later(seconds=30)
        )
        for seat, patron in self.patrons.items():
            seat_patron(
                session_id=session.pk,
                seat=seat,
                patron=patron,
                actor=self.crew.dealer,
                at=self._later(seconds=20),
            )
            self.buy_in(seat, self.random.choice((30_000, 50_000, 100_000)))
        return self.session

    def buy_in(self, seat: int, amount: int) -> None:
        """Take *amount* (minor units) in cash from the patron at *seat*."""
        self.buy_ins += 1
        buy_in_cash(
            session_id=self.session.pk,
            seat=seat,
            amount=amount,
            key=f"demo-{self.buy_ins}",
            actor=self.crew.dealer,
            at=self._later(seconds=25),
        )

    def play(self, rounds: int) -> list[Settled]:
        """Play so many rounds; now and then a patron sits one out or buys in again."""
        return [self.play_round() for _ in range(rounds)]

    def play_round(self) -> Settled:
        """Deal, set and settle one round."""
        if self.random.random() < 0.05:
            self.buy_in(self.random.choice(sorted(self.patrons)), 50_000)
        at = self._later(seconds=self.random.randint(50, 80))
        return record_round(
            session_id=self.session.pk,
            given=self._deal(),
            source=Source.TABLET,
            actor=self.crew.dealer,
            occurred_at=at,
            at=at,
        )

    def void(self, settled: Settled, reason: str) -> None:
        """Void a round that was just settled, signed by floor and pit boss."""
        void_round(
            round_id=settled.round.pk,
            reason=reason,
            proposer=self.crew.dealer,
            floor=self.crew.floor,
            pit_boss=self.crew.pit_boss,
            at=self._later(seconds=90),
        )

    def end_play(self, *, variance: int = 0) -> SettlementRun:
        """Count the tray, off by *variance* minor units, and ask for the settlement."""
        begin_closing(
            session_id=self.session.pk, actor=self.crew.dealer, at=self._later(seconds=60)
        )
        self._count(CountKind.CLOSER, expected_tray(self.session) + variance)
        return accept_closer(
            session_id=self.session.pk, actor=self.crew.dealer, at=self._later(seconds=30)
        )

    def close(self, *, variance: int = 0) -> SettlementRun:
        """End play and settle the session, as the worker does."""
        asked = self.end_play(variance=variance)
        return run_settlement(
            session_id=self.session.pk, version=asked.version, at=self._later(seconds=2)
        )

    def _count(self, kind: CountKind, total: int) -> None:
        count = record_count(
            session_id=self.session.pk,
            kind=kind,
            pieces=self._pieces_for(total),
            dealer=self.crew.dealer,
            at=self._later(seconds=120),
        )
        witness_count(count_id=count.pk, floor=self.crew.floor, at=self._later(seconds=15))

    def _pieces_for(self, total: int) -> dict[int, int]:
        """Lay *total* out in pieces, largest first."""
        pieces = {}
        values = self.table.chip_set.denominations.filter(in_use=True).values_list(
            "value", flat=True
        )
        for value in sorted(values, reverse=True):
            pieces[value], total = divmod(total, value)
        assert total == 0, "commission is taken in the smallest chip of the set"
        return pieces

    def _deal(self) -> dict[str, Any]:
        pack = games.pack(self.table.profile.game)
        self.random.shuffle(pack)
        size = games.layout(self.table.profile.game).hand_size
        seats = [seat for seat in sorted(self.patrons) if self.random.random() > 0.08]
        seats = seats or [min(self.patrons)]
        hands = [pack[n * size : (n + 1) * size] for n in range(len(seats) + 1)]
        return {
            "bank": {"holder": "house", "hand": hands[0], "set": "house_way"},
            "seats": [
                {
                    "seat": seat,
                    "wager": 500 * self.random.choice((2, 4, 5, 5, 10, 10, 20, 40)),
                    "hand": hand,
                    "set": "house_way",
                }
                for seat, hand in zip(seats, hands[1:], strict=True)
            ],
        }

    def _later(self, *, seconds: int) -> datetime:
        self.clock += timedelta(seconds=seconds)
        return self.clock
