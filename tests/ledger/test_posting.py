"""An event is posted once, whole, and says what each account held afterwards."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest
from django.db import connection, transaction

from ledger.errors import (
    AccountClosedError,
    InsufficientFundsError,
    InvalidEntryError,
    KeyReusedError,
    PiecesMismatchError,
    UnbalancedError,
    UnknownAccountError,
    UnknownCurrencyError,
    UnknownPropertyError,
)
from ledger.models import Account, Denomination, Entry, Posting
from ledger.selectors import balance, balances
from ledger.services.accounts import close_account, open_account
from ledger.services.posting import Leg, LegBalance
from tests.ledger.conftest import AT, DAY, NEXT_DAY, WIN, books, house, legs, poster

pytestmark = pytest.mark.django_db


def test_entry_answers_with_the_balance_after_each_line(post):
    first = post()
    second = post(
        key="round:813:settled:1", legs=legs(("4010/session:7", 200), ("1120/table:3", -200))
    )

    assert not first.replayed
    assert first.balances == (
        LegBalance(account="1120/table:3", balance_after=500),
        LegBalance(account="4010/session:7", balance_after=-500),
    )
    assert second.balances == (
        LegBalance(account="4010/session:7", balance_after=-300),
        LegBalance(account="1120/table:3", balance_after=300),
    )


def test_entry_keeps_what_it_was_told(post, casino):
    posted = post(
        approver="employee:4",
        table="table:3",
        session="session:7",
        shift="swing",
        memo="late entry",
    )

    entry = Entry.objects.get(pk=posted.id)
    assert (entry.public_id, entry.property_id, entry.gaming_day, entry.effective_at) == (
        posted.public_id,
        casino.pk,
        DAY,
        AT,
    )
    assert (entry.kind, entry.source, entry.actor, entry.approver) == (
        "round_settled",
        "round:812",
        "employee:12",
        "employee:4",
    )
    assert (entry.table_ref, entry.session_ref, entry.shift, entry.memo) == (
        "table:3",
        "session:7",
        "swing",
        "late entry",
    )
    assert list(
        Posting.objects.order_by("line").values_list(
            "line", "account__code", "amount", "currency", "event", "account_version"
        )
    ) == [
        (1, "1120/table:3", 500, "USD", "main_wager_lost", 1),
        (2, "4010/session:7", -500, "USD", "main_wager_lost", 1),
    ]


def test_posting_to_accounts_that_stand_is_one_statement(post, django_assert_num_queries):
    post()
    with django_assert_num_queries(1):
        post(key="round:813:settled:1")


def test_first_posting_opens_its_accounts_by_the_chart(post):
    post(legs=legs(("1010/window:main", 500), ("3000", -500)))

    account = Account.objects.get(code="1010/window:main")
    assert (account.number, account.name, account.type, account.side, account.instrument) == (
        "1010",
        "Cage cash",
        "asset",
        1,
        "cash",
    )
    assert (account.currency_id, account.shards, account.opened_at) == ("USD", 1, AT)


def test_account_twice_in_an_entry_moves_once_and_tells_both_balances(post):
    posted = post(
        legs=legs(
            ("1120/table:3", 500),
            ("4010/session:7", -500),
            ("4010/session:7", 700),
            ("1120/table:3", -700),
        )
    )

    assert [each.balance_after for each in posted.balances] == [500, -500, 200, -200]
    versions = Posting.objects.order_by("line").values_list("account_version", flat=True)
    assert list(versions) == [1, 1, 2, 2]


def test_floor_holds_for_the_entry_as_a_whole(post, casino):
    post(key="a", legs=legs(("1010/window:main", 100), ("3000", -100)))
    post(
        key="b",
        legs=legs(("1010/window:main", -300), ("1010/window:main", 250), ("3000", 50)),
    )
    assert balance(casino.pk, "1010/window:main") == 50


def test_progressive_pool_is_spread_over_rows_and_adds_up(post, casino):
    posted = post(legs=legs(("4020/session:7/wager:tiger9", 30), ("2400/meter:1", -30)))

    assert posted.balances[1] == LegBalance(account="2400/meter:1", balance_after=None)
    assert balance(casino.pk, "2400/meter:1") == -30
    assert Account.objects.get(code="2400/meter:1").balances.count() == 16


def test_counted_chips_stand_beside_their_leg(post):
    pieces = ((10_000, 3), (2_500, 4))
    post(
        legs=[
            Leg(
                account="1130/document:F-0001",
                amount=40_000,
                event="fill_dispatched",
                pieces=pieces,
            ),
            Leg(account="3000", amount=-40_000, event="fill_dispatched", pieces=pieces),
        ]
    )
    rows = Denomination.objects.order_by("posting__line", "-denomination")
    assert list(rows.values_list("posting__line", "denomination", "pieces")) == [
        (1, 10_000, 3),
        (1, 2_500, 4),
        (2, 10_000, 3),
        (2, 2_500, 4),
    ]


def test_recorded_at_is_the_clock_of_the_database(post):
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (before,) = cursor.fetchone()
    assert Entry.objects.get(pk=post().id).recorded_at > before


def test_recorded_at_is_the_given_time_at_a_sandbox():
    posted = poster(house("sandbox", is_sandbox=True))()
    assert Entry.objects.get(pk=posted.id).recorded_at == AT


def test_same_key_and_content_answers_as_before(post):
    first = post(memo="x")
    post(key="round:813:settled:1")
    before = books()

    again = post(memo="x")

    assert again.replayed
    assert (again.id, again.public_id, again.balances) == (
        first.id,
        first.public_id,
        first.balances,
    )
    assert books() == before


def test_repeat_may_come_later_and_with_its_legs_in_another_order(post):
    first = post(shift="swing")
    again = post(legs=WIN[::-1], at=AT + timedelta(hours=9), shift="grave")
    assert (again.replayed, again.id, again.balances) == (True, first.id, first.balances)


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("kind", {"kind": "round_voided"}),
        ("source", {"source": "round:813"}),
        ("gaming_day", {"gaming_day": NEXT_DAY}),
        ("table", {"table": "table:4"}),
        ("session", {"session": "session:8"}),
        ("actor", {"actor": "employee:13"}),
        ("approver", {"approver": "employee:4"}),
        ("memo", {"memo": "again"}),
        ("legs", {"legs": legs(("1120/table:3", 501), ("4010/session:7", -501))}),
        ("legs", {"legs": legs(("1120/table:3", 500), ("3000", -500))}),
        ("legs", {"legs": legs(("1120/table:3", 500), ("4010/session:7", -500), event="other")}),
        ("legs", {"legs": [*WIN, *legs(("1120/table:3", 1), ("1120/table:3", -1))]}),
        (
            "pieces",
            {
                "legs": [
                    Leg(
                        account="1120/table:3",
                        amount=500,
                        event="main_wager_lost",
                        pieces=((100, 5),),
                    ),
                    WIN[1],
                ]
            },
        ),
    ],
)
def test_same_key_with_other_content_names_the_field(post, field, other):
    post()
    open_account(property_id=Account.objects.first().property_id, code="3000", at=AT)
    before = books()

    with pytest.raises(KeyReusedError) as refused, transaction.atomic():
        post(**other)

    assert (refused.value.field, refused.value.key) == (field, "round:812:settled:1")
    assert (refused.value.code, refused.value.status) == ("key_reused", 409)
    assert refused.value.pointer == f"/{field}"
    assert books() == before


def test_key_belongs_to_its_property(post, casino):
    post()
    other = poster(house("macau"))(legs=legs(("1120/table:3", 9), ("3000", -9)))
    assert not other.replayed
    assert balances(casino.pk, "1120") == {"1120/table:3": 500}


@pytest.mark.parametrize(
    ("refusal", "field", "other"),
    [
        (InvalidEntryError, "key", {"key": ""}),
        (InvalidEntryError, "key", {"key": "x" * 201}),
        (InvalidEntryError, "kind", {"kind": ""}),
        (InvalidEntryError, "source", {"source": ""}),
        (InvalidEntryError, "actor", {"actor": ""}),
        (InvalidEntryError, "at", {"at": datetime(2026, 3, 14, 20, 30)}),  # noqa: DTZ001
        (InvalidEntryError, "legs", {"legs": []}),
        (InvalidEntryError, "legs", {"legs": legs(("3000", 5))}),
        (InvalidEntryError, "amount", {"legs": legs(("3000", 0), ("1100", 0))}),
        (
            InvalidEntryError,
            "amount",
            {"legs": legs(("3000", 10**18 + 1), ("1100", -(10**18) - 1))},
        ),
        (InvalidEntryError, "amount", {"legs": legs(("3000", 1.5), ("1100", -1.5))}),
        (InvalidEntryError, "amount", {"legs": legs(("3000", True), ("1100", -1))}),
        (InvalidEntryError, "amount", {"legs": legs(("3000", float("nan")), ("1100", -1))}),
        (InvalidEntryError, "amount", {"legs": legs(("3000", Decimal("1e2")), ("1100", -100))}),
        (InvalidEntryError, "amount", {"legs": legs(("3000", "1e2"), ("1100", -100))}),
        (InvalidEntryError, "amount", {"legs": legs(("3000", "1,000"), ("1100", -1000))}),
        (InvalidEntryError, "amount", {"legs": legs(("3000", "١٢"), ("1100", -12))}),
        (InvalidEntryError, "event", {"legs": legs(("3000", 5), ("1100", -5), event="")}),
        (UnbalancedError, "legs", {"legs": legs(("3000", 5), ("1100", -4))}),
    ],
)
def test_entry_that_cannot_be_is_refused_by_its_field(post, refusal, field, other):
    before = books()
    with pytest.raises(refusal) as refused:
        post(**other)
    assert (refused.value.field, refused.value.status) == (field, 422)
    assert books() == before


@pytest.mark.parametrize(
    "pieces",
    [
        ((100, 4),),
        ((100, 4), (100, 1)),
        ((100, 6), (-100, 1)),
        ((62.5, 8),),
        ((250, 2.0),),
        ((500, True),),
        ((float("nan"), 1),),
        (("500", 1),),
    ],
)
def test_pieces_that_do_not_make_the_amount_are_refused(post, pieces):
    before = books()
    leg = Leg(account="1120/table:3", amount=500, event="fill_received", pieces=pieces)
    with pytest.raises((PiecesMismatchError, InvalidEntryError)) as refused:
        post(legs=[leg, WIN[1]])
    assert refused.value.field == "pieces"
    assert books() == before


@pytest.mark.parametrize("code", ["9999", "1120", "1120/table:", "4010/session:7/seat:1", "x", ""])
def test_account_that_the_chart_does_not_know_is_refused(post, code):
    before = books()
    with pytest.raises(UnknownAccountError) as refused:
        post(legs=legs(("3000", 5), (code, -5)))
    assert refused.value.account == code
    assert books()["ledger_entry"] == before["ledger_entry"]


def test_property_that_does_not_exist_is_refused(post):
    with pytest.raises(UnknownPropertyError), transaction.atomic():
        post(property_id=404)
    assert books()["ledger_account"] == []


def test_currency_that_the_ledger_does_not_know_is_refused():
    nowhere = house("nowhere")
    nowhere.currency = "XXX"
    nowhere.save()
    with pytest.raises(UnknownCurrencyError) as refused, transaction.atomic():
        poster(nowhere)()
    assert refused.value.currency == "XXX"


def test_account_does_not_give_what_it_does_not_hold(post, casino):
    post(key="a", legs=legs(("1010/window:main", 100), ("3000", -100)))
    before = books()
    with pytest.raises(InsufficientFundsError) as refused, transaction.atomic():
        post(key="b", legs=legs(("1010/window:main", -101), ("3000", 101)))
    assert (refused.value.account, refused.value.code) == ("1010/window:main", "insufficient_funds")
    assert books() == before


def test_deposit_is_not_overdrawn_on_its_own_side(post):
    post(key="a", legs=legs(("1010/window:main", 100), ("2200/patron:4", -100)))
    with pytest.raises(InsufficientFundsError) as refused, transaction.atomic():
        post(key="b", legs=legs(("2200/patron:4", 101), ("1120/table:3", -101)))
    assert refused.value.account == "2200/patron:4"


def test_tray_may_fall_below_nothing(post, casino):
    post(legs=legs(("4010/session:7", 500), ("1120/table:3", -500)))
    assert balance(casino.pk, "1120/table:3") == -500


def test_closed_account_takes_no_postings(post, casino):
    open_account(property_id=casino.pk, code="4010/session:7", at=AT)
    assert close_account(property_id=casino.pk, code="4010/session:7", at=AT)
    before = books()
    with pytest.raises(AccountClosedError) as refused, transaction.atomic():
        post()
    assert refused.value.account == "4010/session:7"
    assert books()["ledger_posting"] == before["ledger_posting"]


def test_savepoints_belong_to_the_transaction_around_them(post, casino):
    with transaction.atomic():
        post(key="a")
        with transaction.atomic():
            post(key="b")
        with pytest.raises(KeyReusedError), transaction.atomic():
            post(key="a", memo="other")
        post(key="c")
    assert balance(casino.pk, "1120/table:3") == 1500
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT txid), count(*) FROM ledger_entry")
        assert cursor.fetchone() == (1, 3)
