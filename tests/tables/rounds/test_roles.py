"""Who may enter a round: dealer and floor; everybody else is refused and changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from casino.staff.errors import SegregationError
from casino.staff.roles import Role
from tables.rounds.models import Round
from tables.rounds.services import betting, closing, entering

pytestmark = pytest.mark.django_db

ACTS = {
    "withdraw": lambda who: betting.withdraw_wager(session_id=0, seat=1, **who),
    "lock": lambda who: betting.no_more_bets(round_id=0, **who),
    "hand": lambda who: entering.enter_hand(
        round_id=0, position="bank", hand=(), given_set=None, **who
    ),
    "hands": lambda who: entering.enter_hands(round_id=0, hands={}, **who),
    "set": lambda who: entering.set_hand(round_id=0, position="1", given_set=None, **who),
    "result": lambda who: entering.enter_result(round_id=0, seat=1, outcome="win", **who),
    "close": lambda who: closing.close_round(round_id=0, **who),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("role", "rule"),
    [(Role.ADMIN, "SOD-05"), (Role.SURVEILLANCE, "SOD-06"), (Role.AUDITOR, "SOD-06")],
)
def test_who_only_watches_or_administers_enters_nothing(open_table, act, role, rule):
    shift = open_table("T1")
    watcher = replace(shift.crew.dealer, role=role)
    before = list(Round.objects.values())

    with pytest.raises(SegregationError) as refused:
        ACTS[act]({"actor": watcher, "at": shift.clock})

    assert refused.value.rule == rule
    assert list(Round.objects.values()) == before
