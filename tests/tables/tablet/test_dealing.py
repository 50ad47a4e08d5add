"""Hands are entered by taps, settled, corrected; the tablet says what to pay and why."""

from __future__ import annotations

from tables.rounds.states import RoundState


def test_a_round_of_tiles_from_wager_to_next_round(tiles):
    tiles.open().seat(1, 2)
    tiles.done("wager", seat=1, amount="25")
    tiles.done("wager", seat=2, amount="100.00")
    round_ = tiles.session.rounds.get()
    tiles.done("round/lock", round=round_.pk)
    screen = tiles.done(
        "round/hands",
        round=round_.pk,
        hand_bank="66 42 44 11",
        hand_1="55 64 33 21",
        hand_2="62 53 65 65",
    )
    assert 'Pay <span class="amount">95.00</span>' in screen
    assert 'take <span class="amount">5.00</span> commission' in screen
    assert 'Take <span class="amount">25.00</span>' in screen
    assert "High: Foo pair beats Teen gong" in screen
    assert "Bank: A gong can be made" in screen

    assert "Settled" in tiles.done("round/settle", round=round_.pk)
    round_.refresh_from_db()
    assert round_.state == RoundState.SETTLED
    assert round_.house_net == 2_500 - 9_500

    assert "Wagers open" in tiles.done("round/next", round=round_.pk)
    round_.refresh_from_db()
    assert round_.state == RoundState.CLOSED
