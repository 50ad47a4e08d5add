"""A reversal is a mirror image, told anew by a restatement; a correction stands beside its entry.

Source: ledger.md 1.5.
"""

from __future__ import annotations

import pytest
from django.db import transaction

from casino.properties.models import Property
from ledger.errors import (
    AlreadyRestatedError,
    AlreadyReversedError,
    DayClosedError,
    InsufficientFundsError,
    InvalidEntryError,
    KeyReusedError,
    NotReversedError,
    ReversalOfReversalError,
    UnknownEntryError,
)
from ledger.models import Denomination, Entry
from ledger.selectors import balances, entry_detail
from ledger.services.posting import Leg
from ledger.services.reversal import correct_entry, reverse_entry
from tests.ledger.conftest import AT, DAY, NEXT_DAY, USUAL, books, close, house, legs, poster

pytestmark = pytest.mark.django_db


def reverse(entry_id, **other):
    usual = {
        "property_id": Property.objects.get(code="golden-gate").pk,
        "entry_id": entry_id,
        "key": "round:812:voided:1",
        "actor": "employee:12",
        "approver": "employee:4",
        "at": AT,
        "gaming_day": DAY,
        "reason": "misdeal",
    }
    return reverse_entry(**(usual | other))


def correct(casino, entry_id, **other):
    usual = USUAL | {
        "property_id": casino.pk,
        "key": "round:812:corrected:1",
        "kind": "entry_correction",
        "legs": legs(("4010/session:7", 20), ("1120/table:3", -20), event="entry_correction"),
        "approver": "employee:4",
        "reason": "misread",
    }
    return correct_entry(entry_id=entry_id, **(usual | other))


RESTATED = {"key": "round:812:settled:2", "legs": legs(("1120/table:3", 30), ("3000", -30))}


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
    close(casino)
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


def test_entry_of_another_property_is_refused_as_one_that_does_not_exist(post, casino):
    other = house("macau")
    theirs = poster(other)()
    before = books()
    with pytest.raises(UnknownEntryError) as refused, transaction.atomic():
        reverse(theirs.id)
    assert (refused.value.entry_id, refused.value.code) == (theirs.id, "not_found")
    assert books() == before
    assert not reverse(theirs.id, property_id=other.pk).replayed


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


def test_second_reversal_is_refused_as_one_and_not_for_what_has_come_since(post, casino):
    received = post(key="a", legs=legs(("1010/window:main", 100), ("2200/patron:4", -100)))
    reverse(received.id)
    with pytest.raises(AlreadyReversedError), transaction.atomic():
        reverse(received.id, key="round:812:voided:2")
    close(casino)
    with pytest.raises(AlreadyReversedError), transaction.atomic():
        reverse(received.id, key="round:812:voided:2")


# --- restatements


def test_what_was_reversed_is_told_anew_once(post, casino):
    original = post()
    reverse(original.id)

    anew = post(restates=original.id, **RESTATED)

    entry = Entry.objects.get(pk=anew.id)
    assert (entry.restates_id, entry.corrects_id, entry.reverses_id) == (original.id, None, None)
    assert balances(casino.pk, "1120") == {"1120/table:3": 30}
    before = books()
    with pytest.raises(AlreadyRestatedError) as refused, transaction.atomic():
        post(restates=original.id, **(RESTATED | {"key": "round:812:settled:3"}))
    assert (refused.value.entry_id, refused.value.code) == (original.id, "already_restated")
    assert (refused.value.status, refused.value.pointer) == (409, "/restates")
    assert books() == before


def test_restatement_is_reversed_and_told_anew_in_its_turn(post, casino):
    original = post()
    reverse(original.id)
    second = post(restates=original.id, **RESTATED)
    reverse(second.id, key="round:812:voided:2")

    third = post(key="round:812:settled:3", restates=second.id)

    assert Entry.objects.get(pk=third.id).restates_id == second.id
    assert balances(casino.pk, "1120") == {"1120/table:3": 500}


def test_same_restatement_again_answers_as_before(post):
    original = post()
    reverse(original.id)
    first = post(restates=original.id, **RESTATED)
    before = books()
    again = post(restates=original.id, **RESTATED)
    assert (again.replayed, again.id, again.balances) == (True, first.id, first.balances)
    assert books() == before


def test_what_still_stands_is_not_told_anew(post):
    original = post()
    before = books()
    with pytest.raises(NotReversedError) as refused, transaction.atomic():
        post(restates=original.id, key="anew")
    assert (refused.value.entry_id, refused.value.code) == (original.id, "not_reversed")
    assert (refused.value.status, refused.value.pointer) == (409, "/restates")
    assert books() == before


def test_reversal_is_not_told_anew(post):
    reversal = reverse(post().id)
    before = books()
    with pytest.raises(ReversalOfReversalError), transaction.atomic():
        post(restates=reversal.id, key="anew")
    assert books() == before


def test_entry_of_another_property_is_neither_told_anew_nor_corrected(post, casino):
    other = house("macau")
    elsewhere = poster(other)()
    reverse(elsewhere.id, property_id=other.pk)
    before = books()
    for act in (
        lambda: post(restates=elsewhere.id),
        lambda: post(restates=404),
        lambda: correct(casino, elsewhere.id),
        lambda: correct(casino, 404),
    ):
        with pytest.raises(UnknownEntryError), transaction.atomic():
            act()
    assert books()["ledger_entry"] == before["ledger_entry"]


def test_what_restates_is_part_of_what_the_key_stands_for(post):
    original = post()
    reverse(original.id)
    post(restates=original.id, **RESTATED)
    with pytest.raises(KeyReusedError) as refused, transaction.atomic():
        post(**RESTATED)
    assert refused.value.field == "restates"


# --- corrections


def test_correction_stands_beside_its_entry(post, casino):
    original = post()

    correction = correct(casino, original.id)

    entry = Entry.objects.get(pk=correction.id)
    assert (entry.corrects_id, entry.restates_id, entry.reverses_id) == (original.id, None, None)
    assert (entry.kind, entry.approver, entry.memo) == ("entry_correction", "employee:4", "misread")
    assert balances(casino.pk, "1120") == {"1120/table:3": 480}


def test_entry_is_corrected_as_often_as_it_must_be(post, casino):
    original = post()
    correct(casino, original.id)
    assert not correct(casino, original.id, key="round:812:corrected:2").replayed
    assert balances(casino.pk, "1120") == {"1120/table:3": 460}


def test_correction_is_corrected_and_reversed_like_any_entry(post, casino):
    correction = correct(casino, post().id)
    correct(casino, correction.id, key="round:812:corrected:2")
    reverse(correction.id)
    assert balances(casino.pk, "1120") == {"1120/table:3": 480}


def test_entry_that_was_corrected_is_reversed_all_the_same(post, casino):
    original = post()
    first = correct(casino, original.id)
    reverse(original.id)
    assert balances(casino.pk, "1120") == {"1120/table:3": -20}

    again = correct(casino, original.id)
    assert (again.replayed, again.id) == (True, first.id)


def test_what_was_taken_back_is_not_corrected(post, casino):
    original = post()
    reversal = reverse(original.id)
    before = books()
    with pytest.raises(AlreadyReversedError) as refused, transaction.atomic():
        correct(casino, original.id)
    assert refused.value.entry_id == original.id
    with pytest.raises(ReversalOfReversalError), transaction.atomic():
        correct(casino, reversal.id)
    assert books() == before


def test_correction_may_come_late(post, casino):
    original = post()
    close(casino)
    correction = correct(casino, original.id, gaming_day=NEXT_DAY, late_day=DAY)
    entry = Entry.objects.get(pk=correction.id)
    assert (entry.gaming_day, entry.late_day) == (NEXT_DAY, DAY)


@pytest.mark.parametrize("field", ["approver", "reason", "key", "actor"])
def test_correction_without_approver_or_reason_is_refused(post, casino, field):
    original = post()
    before = books()
    with pytest.raises(InvalidEntryError) as refused:
        correct(casino, original.id, **{field: ""})
    assert refused.value.field == field
    assert books() == before
