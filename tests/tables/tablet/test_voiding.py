"""A round is voided with its reason and the signatures that its size asks for."""

from __future__ import annotations

import pytest

from ledger import selectors as ledger
from tables.rounds.models import Round, RoundVoid
from tables.rounds.states import RoundState
from tests.tables.tablet.conftest import PINS
from tests.tables.tablet.test_dealing import HANDS, send

BOSS = {"boss_number": "PB-004", "boss_pin": PINS["PB-004"]}


def play(tablet, wager):
    tablet.open().seat(1, 2)
    tablet.done("wager", seat=1, amount=wager)
    tablet.done("wager", seat=2, amount=wager)
    send(tablet, "round/lock")
    send(tablet, "round/hands", **HANDS)
    send(tablet, "round/settle")
    return Round.objects.get()


def tray(tablet):
    return ledger.balance(tablet.table.property_id, f"1120/{tablet.table.ref}")


def test_a_running_round_is_voided_before_payment(tiles):
    tiles.open().seat(1)
    tiles.done("wager", seat=1, amount="25")
    assert "Nothing was paid" in tiles.look("?view=void")
    round_ = Round.objects.get()
    tiles.sign("round/void", view="void", round=round_.pk, reason="Misdeal.")
    round_.refresh_from_db()
    assert round_.state == RoundState.VOIDED
    assert round_.voiding.kind == "before_payment"
    assert 'Repeat wagers <span class="amount">25.00</span>' in tiles.look()


def test_a_settled_round_is_voided_and_its_chips_go_back(tiles):
    round_ = play(tiles, "25")
    assert tray(tiles) == 2_000_000 + 2_500 - 2_375
    assert "the ledger takes its entry back" in tiles.look("?view=void")
    tiles.sign("round/void", view="void", round=round_.pk, reason="Wrong tiles entered.")
    round_.refresh_from_db()
    assert round_.state == RoundState.VOIDED
    assert tray(tiles) == 2_000_000


@pytest.mark.parametrize(
    ("given", "status", "sentence"),
    [
        ({"reason": ""}, 422, "Give the reason in a few words."),
        ({"reason": "Wrong.", "floor_number": "", "floor_pin": ""}, 403, "floor supervisor"),
        ({"reason": "Wrong.", "floor_pin": "0000"}, 403, "not right"),
    ],
)
def test_a_void_without_reason_or_signature_is_refused(tiles, given, status, sentence):
    round_ = play(tiles, "25")
    before = tray(tiles)
    floor = {"floor_number": "FS-031", "floor_pin": PINS["FS-031"]}
    refused = tiles.do("round/void", view="void", round=round_.pk, **floor | given)
    text = refused.content.decode()
    assert refused.status_code == status
    assert "Void round 1" in text
    assert sentence in text
    assert "field__error" in text
    assert not RoundVoid.objects.exists()
    assert tray(tiles) == before


def test_a_large_void_takes_the_pit_boss_too(tiles):
    round_ = play(tiles, "500")
    assert "Pit boss" in tiles.look("?view=void")
    given = {"view": "void", "round": round_.pk, "reason": "Wrong tiles entered."}
    floor = {"floor_number": "FS-031", "floor_pin": PINS["FS-031"]}
    refused = tiles.do("round/void", **given, **floor)
    assert refused.status_code == 403
    assert 'id="boss_number-error">' in refused.content.decode()
    tiles.sign("round/void", **given, **BOSS)
    assert RoundVoid.objects.get().pit_boss.number == "PB-004"


def test_who_enters_rounds_as_floor_does_not_sign_their_void(enrolled, tiles):
    tiles.open().seat(1)
    tiles.client.post("/sign-out/")
    tiles.sign_in("FS-031")
    tiles.done("wager", seat=1, amount="25")
    round_ = Round.objects.get()
    refused = tiles.do(
        "round/void",
        view="void",
        round=round_.pk,
        reason="Misdeal.",
        floor_number="FS-031",
        floor_pin=PINS["FS-031"],
    )
    assert refused.status_code == 403
    assert not RoundVoid.objects.exists()


def test_nothing_is_offered_to_void_before_the_first_round(tiles):
    tiles.open()
    assert "Void" not in tiles.look()
    assert "Wagers open" in tiles.look("?view=void")
