"""A correction is a mirror image that points at what it corrects."""

from __future__ import annotations

import pytest
from django.db import transaction

from ledger.errors import (
    AlreadyReversedError,
    DayClosedError,
    InsufficientFundsError,
    InvalidEntryError,
    KeyReusedError,
    ReversalOfReversalError,
    UnknownEntryError,
)
from ledger.models import Denomination, Entry
from ledger.selectors import balances, entry_detail
from ledger.services.days import close_day
from ledger.services.posting import Leg
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import AT, AUDITOR, DAY, NEXT_DAY, PIT_BOSS, books, legs

pytestmark = pytest.mark.django_db


def reverse(entry_id, **other):
    usual = {
        "entry_id": entry_id,
        "key": "round:812:voided:1",
        "actor": "employee:12",
        "approver": "employee:4",
        "at": AT,
        "gaming_day": DAY,
        "reason": "misdeal",
    }
    return reverse_entry(**(usual | other))


def test_reversal_takes_back_every_line(post, casino):
    original = post(table="table:3", session="session:7", shift="swing")

    reversal = reverse(original.id, shift="grave")

    assert balances(casino.pk, "1120") == {"1120/table:3": 0}
    detail = entry_detail(reversal.id)
    assert [(line.account, line.amount, line.event) for line in detail.lines] == [
        ("1120/table:3", -500, "main_wager_lost"),
        ("4010/session:7", 500, "main_wager_lost"),
    ]
    entry = detail.entry
    assert (entry.kind, entry.source, entry.table, entry.session, entry.shift) == (
        "reversal",
        "round:812",
        "table:3",
        "session:7",
        "grave",
    )
    assert (entry.actor, entry.approver, entry.memo) == ("employee:12", "employee:4", "misdeal")
    assert entry.reverses == original.public_id
    assert entry_detail(original.id).entry.reversed_by == reversal.public_id


def test_counted_chips_are_mirrored_too(post):
    pieces = ((10_000, 3), (2_500, 4))
    original = post(
        legs=[
            Leg(account="1120/table:3", amount=40_000, event="fill_received", pieces=pieces),
            Leg(account="1130/document:F-0001", amount=-40_000, event="fill_received"),
        ]
    )
    reversal = reverse(original.id)
    rows = Denomination.objects.filter(posting__entry_id=reversal.id).order_by("-denomination")
    assert list(rows.values_list("posting__amount", "denomination", "pieces")) == [
        (-40_000, 10_000, 3),
        (-40_000, 2_500, 4),
    ]
    assert reverse(original.id).replayed


def test_reversal_lands_in_the_open_day(post, casino):
    original = post()
    close_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, approver=AUDITOR, at=AT)
    before = books()

    with pytest.raises(DayClosedError) as refused, transaction.atomic():
        reverse(original.id)
    assert refused.value.gaming_day == DAY
    assert books() == before

    reversal = reverse(original.id, gaming_day=NEXT_DAY)
    assert Entry.objects.get(pk=reversal.id).gaming_day == NEXT_DAY


def test_same_reversal_again_answers_as_before(post):
    original = post()
    first = reverse(original.id)
    before = books()
    again = reverse(original.id)
    assert (again.replayed, again.id, again.balances) == (True, first.id, first.balances)
    assert books() == before


@pytest.mark.parametrize(
    ("field", "other"),
    [
        ("memo", {"reason": "another"}),
        ("approver", {"approver": "employee:5"}),
        ("gaming_day", {"gaming_day": NEXT_DAY}),
    ],
)
def test_same_reversal_with_other_content_names_the_field(post, field, other):
    original = post()
    reverse(original.id)
    with pytest.raises(KeyReusedError) as refused, transaction.atomic():
        reverse(original.id, **other)
    assert refused.value.field == field


def test_key_of_the_original_is_not_the_key_of_its_reversal(post):
    original = post()
    with pytest.raises(KeyReusedError) as refused, transaction.atomic():
        reverse(original.id, key="round:812:settled:1")
    assert refused.value.field == "kind"


def test_entry_is_not_reversed_twice(post):
    original = post()
    reverse(original.id)
    before = books()
    with pytest.raises(AlreadyReversedError) as refused, transaction.atomic():
        reverse(original.id, key="round:812:voided:2")
    assert (refused.value.entry_id, refused.value.code) == (original.id, "already_reversed")
    assert books() == before


def test_reversal_is_not_reversed(post):
    reversal = reverse(post().id)
    before = books()
    with pytest.raises(ReversalOfReversalError), transaction.atomic():
        reverse(reversal.id, key="round:812:voided:2")
    assert books() == before


def test_entry_that_does_not_exist_is_refused(casino):
    with pytest.raises(UnknownEntryError), transaction.atomic():
        reverse(404)


def test_what_has_been_paid_out_cannot_be_taken_back(post):
    received = post(key="a", legs=legs(("1010/window:main", 100), ("2200/patron:4", -100)))
    post(key="b", legs=legs(("2200/patron:4", 100), ("1120/table:3", -100)))
    before = books()
    with pytest.raises(InsufficientFundsError) as refused, transaction.atomic():
        reverse(received.id)
    assert refused.value.account == "2200/patron:4"
    assert books() == before


@pytest.mark.parametrize("field", ["key", "actor", "approver", "reason"])
def test_reversal_without_approver_or_reason_is_refused(post, field):
    original = post()
    before = books()
    with pytest.raises(InvalidEntryError) as refused:
        reverse(original.id, **{field: ""})
    assert refused.value.field == field
    assert books() == before
