"""The lives of sessions and rounds: what is final stays final, and every state can be reached."""

from __future__ import annotations

import pytest

from tables.floor import states as floor
from tables.rounds import states as rounds


@pytest.mark.parametrize(
    ("following", "first"),
    [
        (floor.NEXT, floor.SessionState.OPENING),
        (rounds.NEXT, rounds.RoundState.BETTING),
    ],
)
def test_every_state_is_reached_from_the_first(following, first):
    reached, waiting = set(), {first}
    while waiting:
        state = waiting.pop()
        reached.add(state)
        waiting |= following[state] - reached

    assert reached == set(following)


def test_a_voided_round_and_a_closed_session_go_nowhere():
    assert rounds.NEXT[rounds.RoundState.VOIDED] == frozenset()
    assert floor.NEXT[floor.SessionState.CLOSED_PROVISIONAL] == frozenset()
    assert floor.NEXT[floor.SessionState.ABORTED] == frozenset()


def test_a_round_is_unfinished_paid_or_voided():
    assert rounds.UNFINISHED | rounds.PAID | {rounds.RoundState.VOIDED} == set(rounds.RoundState)
    assert not rounds.UNFINISHED & rounds.PAID


def test_a_session_holds_its_table_until_it_is_closed_or_aborted():
    assert set(floor.SessionState) - floor.LIVE == {
        floor.SessionState.CLOSED_PROVISIONAL,
        floor.SessionState.ABORTED,
    }
    assert floor.can_move(floor.SessionState.CLOSING, floor.SessionState.OPEN)
    assert not floor.can_move(floor.SessionState.OPEN, floor.SessionState.OPENING)
