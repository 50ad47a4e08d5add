"""Patrons sit down and buy in; wagers are placed, changed, withdrawn and repeated."""

from __future__ import annotations

from uuid import uuid4

import pytest

from ledger import selectors as ledger
from tables.floor.models import Patron
from tables.money.models import BuyIn
from tables.rounds.models import Round, Wager
from tables.rounds.states import RoundState
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(tiles):
    return tiles.open().seat(1, 2)


def wagers(tablet):
    return dict(Wager.objects.filter(round__session=tablet.session).values_list("seat", "amount"))


def test_a_patron_is_found_by_name(table):
    screen = table.look("?seat=3&search=nak")
    assert "Ivy Nakamura" in screen
    assert "Victor Osei" not in screen
    # Wei Chen sits at seat 1 already.
    assert "Nobody of that name." in table.look("?seat=3&search=wei")


def test_a_new_patron_is_known_by_a_description(table):
    screen = table.done("seat", seat=3, description="Grey hat, walking stick")
    assert "Grey hat, walking stick" in screen
    patron = Patron.objects.get(name="Grey hat, walking stick")
    assert table.session.occupancies.get(seat=3).patron == patron


def test_a_patron_without_a_name_or_description_is_refused(table):
    refused = table.do("seat", seat=3, description=" ")
    assert refused.status_code == 422
    assert 'id="description-error">Describe the patron' in refused.content.decode()
    assert not table.session.occupancies.filter(seat=3).exists()


def test_a_seat_that_the_table_does_not_have_is_refused(table):
    refused = table.do("seat", seat=9, patron=factories.a_patron(table.table.property, "P3").pk)
    assert refused.status_code == 422
    assert "Seats of this table are numbered 1 to 6." in refused.content.decode()
    assert table.session.occupancies.count() == 2


@pytest.mark.parametrize("seat", ["0", "9", "99999999999999999999", "x"])
def test_a_seat_that_the_table_does_not_have_is_not_chosen(table, seat):
    assert "Seat 1 · <bdi>Wei Chen</bdi>" in table.look(f"?seat={seat}")


def test_a_patron_leaves(table):
    assert "Patron leaves" in table.look("?seat=2")
    table.done("seat/leave", seat=2)
    assert not table.session.occupancies.filter(seat=2, until=None).exists()


def test_a_patron_with_a_wager_stays(table):
    table.done("wager", seat=1, amount="25")
    assert "Patron leaves" not in table.look("?seat=1")
    refused = table.do("seat/leave", seat=1)
    assert refused.status_code == 422
    assert "Seat 1 has a wager on this round." in refused.content.decode()
    assert table.session.occupancies.get(seat=1).until is None


def test_a_buy_in_is_booked(table):
    screen = table.done("buy-in", seat=2, amount="500.00")
    assert "Seat 2 bought in for 500.00." in screen
    assert BuyIn.objects.get().amount == 50_000
    assert ledger.balance(table.table.property_id, f"1120/{table.table.ref}") == 1_950_000


def test_a_buy_in_that_is_sent_twice_counts_once(table):
    key = str(uuid4())
    first = table.do("buy-in", key=key, seat=2, amount="500")
    second = table.do("buy-in", key=key, seat=2, amount="500")
    assert (first.status_code, second.status_code) == (200, 200)
    assert "Seat 2 bought in for 500.00." in second.content.decode()
    assert BuyIn.objects.count() == 1


def test_a_key_stands_for_one_amount(table):
    key = str(uuid4())
    table.do("buy-in", key=key, seat=2, amount="500")
    refused = table.do("buy-in", key=key, seat=2, amount="600")
    assert refused.status_code == 422
    assert "This key was used for another request" in refused.content.decode()
    assert BuyIn.objects.get().amount == 50_000


def test_a_large_buy_in_is_verified_by_the_floor(table):
    refused = table.do("buy-in", seat=2, amount="1000.25")
    text = refused.content.decode()
    assert refused.status_code == 403
    assert "verified by the floor" in text
    assert 'value="1000.25"' in text
    assert not BuyIn.objects.exists()
    table.sign("buy-in", seat=2, amount="1000.25")
    assert BuyIn.objects.get().verified_by.number == "FS-031"


def test_a_buy_in_entered_wrongly_is_taken_back(table):
    table.done("buy-in", seat=2, amount="500")
    buy_in = BuyIn.objects.get()
    assert "Take back a buy-in" in table.look()
    assert "Aisha Rahman" in table.look("?view=buy-ins")
    refused = table.do("buy-in/void", view="buy-ins", buy_in=buy_in.pk, reason="Counted twice.")
    assert refused.status_code == 403
    assert "signature of a floor supervisor" in refused.content.decode()
    table.sign("buy-in/void", view="buy-ins", buy_in=buy_in.pk, reason="Counted twice.")
    assert buy_in.voiding.reason == "Counted twice."
    assert ledger.balance(table.table.property_id, f"1120/{table.table.ref}") == 2_000_000


def test_the_first_wager_opens_a_round_and_the_next_seat_is_chosen(table):
    screen = table.done("wager", seat=1, amount="25")
    assert wagers(table) == {1: 2_500}
    assert "Seat 2 · <bdi>Aisha Rahman</bdi>" in screen


def test_a_wager_is_replaced_by_another_amount(table):
    table.done("wager", seat=1, amount="25")
    table.done("wager", seat=1, amount="50", revision=Round.objects.get().revision)
    assert wagers(table) == {1: 5_000}


def test_a_wager_is_withdrawn(table):
    table.done("wager", seat=1, amount="25")
    assert "Withdraw wager" in table.look("?seat=1")
    table.done("wager/withdraw", seat=1)
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [
        ("5", "below the minimum"),
        ("1005", "above the maximum"),
        ("12", "not a multiple"),
        ("12.345", "Write the amount in plain digits"),
        ("1e3", "Write the amount in plain digits"),
        ("-25", "Write the amount in plain digits"),
        ("", "Tap chips or type an amount."),
    ],
)
def test_a_wager_that_the_table_does_not_take_is_refused_beside_its_field(table, amount, sentence):
    refused = table.do("wager", seat=1, amount=amount)
    text = refused.content.decode()
    assert refused.status_code == 422
    assert sentence in text.split('id="amount-error">')[1].split("</span>")[0]
    assert f'value="{amount}"' in text
    assert not Round.objects.exists()


def test_a_wager_of_an_empty_seat_is_refused(table):
    refused = table.do("wager", seat=4, amount="25")
    assert refused.status_code == 422
    assert "Nobody sits at seat 4." in refused.content.decode()
    assert not Round.objects.exists()


def test_an_old_screen_changes_nothing_and_is_redrawn(table):
    table.done("wager", seat=1, amount="25")
    refused = table.do("wager", seat=2, amount="50", revision=1)
    text = refused.content.decode()
    assert refused.status_code == 412
    assert "This changed a moment ago" in text
    assert f'name="revision" value="{Round.objects.get().revision}"' in text
    assert wagers(table) == {1: 2_500}


def test_no_more_bets_is_offered_with_the_first_wager(table):
    assert 'type="submit" disabled>No more bets' in table.look()
    table.done("wager", seat=1, amount="25")
    assert 'type="submit" >No more bets' in table.look()
    round_ = Round.objects.get()
    assert "Tap the low hand first." in table.done("round/lock", round=round_.pk)
    round_.refresh_from_db()
    assert round_.state == RoundState.LOCKED
    late = table.do("wager", seat=2, amount="25")
    assert late.status_code == 409
    assert wagers(table) == {1: 2_500}


def test_a_round_of_another_table_is_not_found(table, enrolled):
    other = enrolled("T2").sign_in("DL-214").open().seat(3)
    other.done("wager", seat=3, amount="25")
    refused = table.do("round/lock", round=Round.objects.get().pk)
    assert refused.status_code == 404
    assert Round.objects.get().state == RoundState.BETTING


def test_the_tray_is_shown_as_a_band_alone(table):
    screen = table.look()
    assert "Tray normal" in screen
    assert "20,000.00" not in screen
