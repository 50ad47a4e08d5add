"""What happens on a floor, told as the floor tells it; each story ends with its books."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from casino.staff.roles import Role
from casino.web.amounts import amount_text
from ledger import selectors as ledger
from tables.chips.models import CountKind
from tables.chips.selectors import expected_tray
from tables.chips.services.counts import record_count, witness_count
from tables.chips.services.opening import confirm_opener
from tables.demo.loading import signer_at
from tables.demo.shift import Crew, TableShift
from tables.floor.services.limits import set_limits
from tables.floor.services.seats import seat_patron
from tables.floor.services.sessions import begin_opening
from tables.rounds.models import Source
from tables.rounds.services.betting import no_more_bets, place_wager
from tables.rounds.services.leaving import leave_seat
from tables.rounds.services.settling import Settled, record_round
from tables.settlement.services.closing import begin_closing, resume_play
from tests import factories
from tests.tables.deals import WIN_AND_LOSE

pytestmark = pytest.mark.django_db


class Floor:
    """The tiles table with three patrons, and its books in one line."""

    def __init__(self) -> None:
        self.casino = factories.a_casino()
        self.shift = TableShift(
            table=factories.a_table(self.casino),
            crew=Crew(
                dealer=factories.dealer(self.casino),
                floor=factories.floor(self.casino),
                pit_boss=factories.pit_boss(self.casino),
            ),
            patrons={seat: factories.a_patron(self.casino, f"P{seat}") for seat in (1, 2, 3)},
            random=Random(3),
            clock=factories.NOON,
        )
        self.shift.open()

    @property
    def crew(self):
        return self.shift.crew

    @property
    def act(self):
        return {
            "session_id": self.shift.session.pk,
            "actor": self.crew.dealer,
            "at": self.shift.clock,
        }

    def deal(self):
        """Play a round in which seat 1 wins 100.00 and seat 2 loses 50.00."""
        return record_round(
            session_id=self.shift.session.pk,
            given=WIN_AND_LOSE,
            source=Source.TABLET,
            actor=self.crew.dealer,
            occurred_at=self.shift.clock,
            at=self.shift.clock,
        )

    def moved(self, entry_id: int) -> str:
        """Return what an entry moved: `1120 -45.00 | 4010 +50.00`, debits above zero."""
        sums: dict[str, int] = {}
        for line in ledger.entry_detail(entry_id).lines:
            number = line.account.split("/")[0]
            sums[number] = sums.get(number, 0) + line.amount
        return " | ".join(
            f"{number} {'+' if amount > 0 else '-'}{amount_text(abs(amount), 'USD').lstrip('$')}"
            for number, amount in sorted(sums.items())
        )


@pytest.fixture
def floor():
    return Floor()


def test_seat_1_wins_and_pays_commission_seat_2_loses(floor):
    round_ = floor.deal().round

    assert floor.moved(round_.entry_id) == "1120 -45.00 | 4010 +50.00 | 4030 -5.00"


def test_the_wrong_seat_was_paid_so_the_round_is_voided_and_entered_again(floor):
    wrong = floor.deal()
    floor.shift.void(wrong, "seat 2 was paid")
    right = floor.deal().round

    voiding = wrong.round.voiding
    assert floor.moved(voiding.entry_id) == "1120 +45.00 | 4010 -50.00 | 4030 +5.00"
    assert (right.number, right.house_net) == (2, -4_500)
    totals = floor.shift.close().totals
    assert (totals.rounds, totals.estimated_win, totals.chip_variance) == (1, -4_500, 0)


def test_a_chip_found_under_the_tray_belongs_to_neither_session(floor):
    closer = floor.shift.close().session.closer.total
    table, dealer = floor.shift.table, floor.crew.dealer
    at = floor.shift.clock + timedelta(hours=1)
    session = begin_opening(table_id=table.pk, actor=dealer, at=at)
    found = expected_tray(session) + 2_500
    counted = record_count(
        session_id=session.pk,
        kind=CountKind.OPENER,
        pieces={50_000: found // 50_000, 25: found % 50_000 // 25},
        dealer=dealer,
        at=at,
    )
    witness_count(count_id=counted.pk, floor=floor.crew.floor, at=at)
    opened = confirm_opener(
        session_id=session.pk, actor=dealer, at=at, reason="found under the tray"
    )

    assert (opened.number, opened.opener.total) == (2, closer + 2_500)
    (entry,) = ledger.entries(floor.casino.pk, kind="opener_above_last_closer")
    assert floor.moved(entry.id) == "1120 +25.00 | 4905 -25.00"
    assert entry.session == ""


def test_limits_go_up_and_the_wagers_on_the_table_stay_as_they_are(floor):
    place_wager(seat=1, amount=5_000, **floor.act)
    set_limits(
        table=floor.shift.table,
        wager_min=10_000,
        wager_max=200_000,
        wager_increment=5_000,
        actor=floor.crew.floor.actor,
        at=floor.shift.clock,
    )
    second = place_wager(seat=2, amount=2_500, **floor.act)

    locked = no_more_bets(
        round_id=second.round.pk, actor=floor.shift.crew.dealer, at=floor.shift.clock
    )
    assert [seat["wager"] for seat in locked.record["seats"]] == [5_000, 2_500]
    floor.shift.void(Settled(round=locked, entry=None), "nobody plays on")
    assert place_wager(seat=1, amount=150_000, **floor.act).round.number == 2


def test_play_ends_too_early_and_goes_on_with_another_dealer(floor):
    floor.deal()
    begin_closing(**floor.act)
    resume_play(**floor.act)
    relief = signer_at(floor.shift.table, "DL-214", Role.DEALER).actor
    floor.crew.dealer = relief
    floor.deal()

    by_dealer = floor.shift.close().totals.by_dealer

    assert [(row["rounds"], row["house_net"]) for row in by_dealer] == [
        (1, -4_500),
        (1, -4_500),
    ]
    assert str(relief) in {row["dealer"] for row in by_dealer}


def test_patrons_come_and_go_and_the_hands_stay_with_who_played_them(floor):
    first = floor.deal()
    leave_seat(seat=1, **floor.act)
    newcomer = factories.a_patron(floor.casino, "P8")
    seat_patron(seat=1, patron=newcomer, **floor.act)
    second = floor.deal()

    played = [done.round.outcomes.get(seat=1).patron.ref for done in (first, second)]
    assert played == ["P1", "P8"]
