"""A table opens on a blind count that dealer and floor have signed."""

from __future__ import annotations

import pytest

from casino.staff.models import Signature
from tables.demo import house
from tables.floor.states import SessionState
from tests import factories
from tests.tables.tablet.conftest import PINS, as_fields

TRAY = dict(house.TABLES[0].tray)
SHORT = {**TRAY, 10_000: 69}


def test_a_closed_table_offers_to_open(tiles):
    screen = tiles.look()
    assert "Table T1 is closed" in screen
    assert "Open the table" in screen


def test_the_count_is_blind_until_both_have_signed(tiles):
    assert "Opening count" in tiles.done("open")
    assert "20,000.00" not in tiles.look()
    counted = tiles.done("count", **as_fields(SHORT))
    assert "19,900.00" in counted
    assert "20,000.00" not in counted
    signed = tiles.sign("count/witness")
    assert "20,000.00" in signed
    assert "−100.00" in signed


def test_an_equal_opener_opens_the_table(tiles):
    tiles.open()
    assert tiles.session.state == SessionState.OPEN
    assert "Wagers open" in tiles.look()
    document = f"count:{tiles.session.opener_id}"
    assert set(Signature.objects.filter(document=document).values_list("role", flat=True)) == {
        "dealer",
        "floor_supervisor",
    }


def test_a_difference_needs_its_reason(tiles):
    tiles.done("open")
    tiles.done("count", **as_fields(SHORT))
    tiles.sign("count/witness")
    refused = tiles.do("open/confirm")
    assert refused.status_code == 422
    assert 'id="reason-error">Give the reason in a few words.' in refused.content.decode()
    assert tiles.session.state == SessionState.OPENING
    tiles.done("open/confirm", reason="A black chip fell behind the tray.")
    assert tiles.session.state == SessionState.OPEN


def test_a_differing_count_is_counted_once_more_and_no_oftener(tiles):
    tiles.done("open")
    tiles.done("count", **as_fields(SHORT))
    assert "Count once more" in tiles.sign("count/witness")
    assert "Recount" in tiles.look("?view=recount")
    tiles.done("count", view="recount", **as_fields(SHORT))
    assert "Count once more" not in tiles.sign("count/witness")
    refused = tiles.do("count", view="recount", **as_fields(TRAY))
    assert refused.status_code == 409
    assert tiles.session.counts.count() == 2


def test_a_count_of_half_a_chip_is_refused_beside_its_field(tiles):
    tiles.done("open")
    refused = tiles.do("count", pieces_100="1.5", pieces_500="3")
    text = refused.content.decode()
    assert refused.status_code == 422
    assert 'id="pieces_100-error">Give a number of pieces.' in text
    assert 'value="3"' in text
    assert not tiles.session.counts.exists()


def test_an_unknown_chip_is_refused(tiles):
    tiles.done("open")
    refused = tiles.do("count", pieces_123="1")
    assert refused.status_code == 422
    assert "no such denomination" in refused.content.decode()
    assert not tiles.session.counts.exists()


@pytest.mark.parametrize(
    ("number", "pin", "status", "sentence"),
    [
        ("", "", 422, "Give a number."),
        ("FS-031", "0000", 403, "not right"),
        ("DL-214", PINS["DL-214"], 403, "Floor supervisor"),
    ],
)
def test_only_the_floor_signs_the_count(tiles, number, pin, status, sentence):
    tiles.done("open")
    tiles.done("count", **as_fields(TRAY))
    refused = tiles.do("count/witness", floor_number=number, floor_pin=pin)
    assert refused.status_code == status
    assert sentence.lower() in refused.content.decode().lower()
    assert "field__error" in refused.content.decode()
    assert Signature.objects.count() == 1


def test_a_pin_never_comes_back_to_the_screen(tiles):
    tiles.done("open")
    tiles.done("count", **as_fields(TRAY))
    refused = tiles.do("count/witness", floor_number="FS-031", floor_pin="9876")
    assert 'value="FS-031"' in refused.content.decode()
    assert "9876" not in refused.content.decode()


def test_a_table_opened_by_mistake_is_given_back(tiles):
    assert "Do not open" in tiles.done("open")
    assert "Table T1 is closed" in tiles.done("open/abort")
    assert tiles.session.state == SessionState.ABORTED


def test_the_floor_may_work_the_tablet_but_not_count(enrolled):
    tablet = enrolled("T1").sign_in("FS-031")
    screen = tablet.done("open")
    assert "A dealer counts" in screen
    assert "Count is done" not in screen
    refused = tablet.do("count", **as_fields(TRAY))
    assert refused.status_code == 403
    assert not tablet.session.counts.exists()


def test_a_table_that_is_open_is_not_opened_again(tiles):
    tiles.open()
    refused = tiles.do("open")
    assert refused.status_code == 409
    assert "Table T1 already has a session." in refused.content.decode()
    assert factories.a_table(tiles.table.property).sessions.count() == 1
