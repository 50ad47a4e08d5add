"""A table closes on a blind count; the screen then waits for its settlement."""

from __future__ import annotations

from django.utils import timezone

from tables.demo import house
from tables.floor.states import SessionState
from tables.settlement.services.running import run_settlement
from tests.tables.tablet.conftest import as_fields

TRAY = dict(house.TABLES[0].tray)


def test_a_table_with_a_wager_does_not_close(tiles):
    tiles.open().seat(1)
    tiles.done("wager", seat=1, amount="25")
    assert "Close the table" not in tiles.look()
    assert "Round 1 has no result" in tiles.look("?view=close")
    refused = tiles.do("close", view="close")
    assert refused.status_code == 409
    assert "Round 1 has no result: settle or void it." in refused.content.decode()
    assert tiles.session.state == SessionState.OPEN


def test_play_goes_on_while_nothing_is_counted(tiles):
    tiles.open()
    assert "Play on" in tiles.done("close")
    assert "Wagers open" in tiles.done("close/resume")
    assert tiles.session.state == SessionState.OPEN


def test_a_table_closes_and_tells_its_last_session(tiles):
    tiles.open()
    tiles.done("close")
    assert "20,000.00" not in tiles.look()
    tiles.done("count", **as_fields(TRAY | {10_000: 71}))
    signed = tiles.sign("count/witness")
    assert "By the books" in signed
    assert "100.00" in signed
    settling = tiles.done("close/accept")
    assert "The session is being settled" in settling

    run_settlement(session_id=tiles.session.pk, version=1, at=timezone.now())
    closed = tiles.look()
    assert "Table T1 is closed" in closed
    assert "100.00" in closed
    assert "20,100.00" not in closed  # the next opening count is blind
    assert "Opening count" in tiles.done("open")


def test_a_closer_that_the_floor_has_not_signed_is_not_accepted(tiles):
    tiles.open()
    tiles.done("close")
    tiles.done("count", **as_fields(TRAY))
    refused = tiles.do("close/accept")
    assert refused.status_code == 409
    assert not tiles.session.runs.exists()
