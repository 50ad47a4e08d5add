"""An act that may have been done is pressed again with its key, and counts once."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest

from tables.money.models import BuyIn
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def keys_in(screen):
    return set(re.findall(r'name="key" value="([^"]+)"', screen))


def test_an_act_that_still_runs_keeps_its_key_on_the_screen(tiles, connect):
    table = tiles.open().seat(1)
    key = uuid4()
    first = connect()  # as the request that runs has claimed it
    first.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))",
        [f"web_requestkey {factories.dealer(table.table.property)} {key.hex}:buy_in"],
    )
    told = table.do("buy-in", key=str(key), seat=1, amount="500")
    assert told.status_code == 409
    assert "is still running; send the same again" in told.content.decode()
    assert keys_in(told.content.decode()) == {str(key)}
    assert not BuyIn.objects.exists()

    first.rollback()
    screen = table.done("buy-in", key=str(key), seat=1, amount="500")
    assert "Seat 1 bought in for 500.00." in screen
    assert BuyIn.objects.get().amount == 50_000
    assert keys_in(screen).isdisjoint({str(key)})


def test_a_refused_act_gets_a_new_key(tiles):
    key = str(uuid4())
    refused = tiles.open().seat(1).do("wager", key=key, seat=1, amount="1")
    assert refused.status_code == 422
    assert keys_in(refused.content.decode()).isdisjoint({key})
