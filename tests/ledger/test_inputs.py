"""Whatever a program hands over, the books refuse it by the field's name, with nothing changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ledger.errors import InvalidEntryError
from ledger.money import Money
from ledger.services.accounts import close_account, open_account
from ledger.services.batches import post_entries
from ledger.services.days import close_day, close_shift, open_day
from ledger.services.exchange import exchange_legs
from ledger.services.posting import Leg
from ledger.services.reversal import correct_entry, reverse_entry
from ledger.services.sealing import begin_epoch, seal_next
from ledger.services.slips import draw_slip
from ledger.services.templates import Places
from tests.ledger.conftest import AT, AUDITOR, DAY, PIT_BOSS, WIN, books, draft

pytestmark = pytest.mark.django_db

UNSTORABLE = ["a\x00b", "\ud800", 5, None]
NO_MOMENT = [None, "2026-03-14", DAY, datetime(2026, 3, 14)]  # noqa: DTZ001  that is the point


@pytest.mark.parametrize("text", UNSTORABLE)
@pytest.mark.parametrize(
    "field",
    ["key", "kind", "source", "actor", "approver", "table", "session", "shift", "memo"],
)
def test_text_that_no_column_holds_is_refused_by_its_field(casino, post, field, text):
    with pytest.raises(InvalidEntryError, match=rf"^{field}: "):
        post(**{field: text})
    with pytest.raises(InvalidEntryError, match=rf"^{field}: "):
        post_entries(property_id=casino.pk, entries=[draft(), replace(draft(), **{field: text})])


@pytest.mark.parametrize("text", UNSTORABLE)
@pytest.mark.parametrize("field", ["account", "event"])
def test_leg_with_such_a_text_is_refused(post, field, text):
    first, *others = WIN
    with pytest.raises(InvalidEntryError, match=rf"^{field}: "):
        post(legs=[replace(first, **{field: text}), *others])


@pytest.mark.parametrize("at", NO_MOMENT)
def test_what_is_no_moment_is_refused_everywhere(casino, post, at):
    entry = post()
    before = books()
    here = {"property_id": casino.pk, "at": at}
    of_day = here | {"gaming_day": DAY, "actor": PIT_BOSS}
    wrong = {"key": "r", "actor": "a", "approver": "b", "gaming_day": DAY, "reason": "wrong"}
    acts = (
        lambda: post(key="other", at=at),
        lambda: reverse_entry(**here, entry_id=entry.id, **wrong),
        lambda: close_day(**of_day, approver=AUDITOR),
        lambda: close_shift(**of_day, shift="swing"),
        lambda: draw_slip(**here, series="fill_slip", document="fill:1", actor="a"),
        lambda: begin_epoch(**here, actor="a", reason="restored"),
    )
    for act in acts:
        with pytest.raises(InvalidEntryError, match=r"^at: "):
            act()
    assert books() == before


def test_nobody_approves_an_own_reversal_or_correction(casino, post):
    entry = post()
    own = {"actor": "employee:12", "approver": "employee:12", "gaming_day": DAY, "at": AT}
    with pytest.raises(InvalidEntryError, match=r"^approver: "):
        reverse_entry(property_id=casino.pk, entry_id=entry.id, key="r", reason="wrong", **own)
    with pytest.raises(InvalidEntryError, match=r"^approver: "):
        correct_entry(
            property_id=casino.pk,
            entry_id=entry.id,
            key="c",
            kind="entry_correction",
            legs=WIN,
            source="correction:1",
            reason="wrong",
            **own,
        )


@pytest.mark.parametrize("entry_id", [None, "1", 1.0, True])
def test_correction_is_of_an_entry(casino, entry_id):
    with pytest.raises(InvalidEntryError, match=r"^entry_id: "):
        correct_entry(
            property_id=casino.pk,
            entry_id=entry_id,
            key="c",
            kind="entry_correction",
            legs=[Leg(account="1120/table:3", amount=1, event="x")] * 2,
            source="correction:1",
            actor="a",
            approver="b",
            reason="wrong",
            gaming_day=DAY,
            at=AT,
        )


@pytest.mark.parametrize(
    "field", ["key", "kind", "source", "actor", "approver", "table", "session", "shift", "memo"]
)
def test_text_is_as_long_as_its_field_takes_and_no_longer(casino, post, field):
    most = 2_000 if field == "memo" else 200
    assert not post(**{"key": "longest", field: "🀄" * most}).replayed
    longer = {field: "🀄" * (most + 1)}
    before = books()
    with pytest.raises(InvalidEntryError, match=rf"^{field}: it has more than {most} characters$"):
        post(**longer)
    with pytest.raises(InvalidEntryError, match=rf"^{field}: "):
        post_entries(property_id=casino.pk, entries=[draft(**longer)])
    assert books() == before


BEYOND = [2**63, 2**80, 0, -1, True, 1.0, "1"]


@pytest.mark.parametrize("number", [*BEYOND, None])
def test_number_of_no_property_is_refused_everywhere(post, number):
    entry = post()
    before = books()
    here = {"property_id": number, "at": AT}
    of_day = here | {"gaming_day": DAY, "actor": PIT_BOSS}
    wrong = {"key": "r", "actor": "a", "approver": "b", "gaming_day": DAY, "reason": "wrong"}
    acts = (
        lambda: post(property_id=number),
        lambda: post_entries(property_id=number, entries=[draft()]),
        lambda: reverse_entry(**here, **wrong, entry_id=entry.id),
        lambda: close_day(**of_day, approver=AUDITOR),
        lambda: close_shift(**of_day, shift="swing"),
        lambda: open_day(**of_day),
        lambda: draw_slip(**here, series="fill_slip", document="fill:1", actor="a"),
        lambda: begin_epoch(**here, actor="a", reason="restored"),
        lambda: seal_next(**here),
        lambda: open_account(**here, code="1110"),
        lambda: close_account(**here, code="1110"),
    )
    for act in acts:
        with pytest.raises(InvalidEntryError, match=r"^property_id: "):
            act()
    assert books() == before


@pytest.mark.parametrize("number", BEYOND)
def test_number_of_no_entry_is_refused(casino, post, number):
    with pytest.raises(InvalidEntryError, match=r"^restates: "):
        post(restates=number)
    with pytest.raises(InvalidEntryError, match=r"^corrects: "):
        post_entries(property_id=casino.pk, entries=[draft(corrects=number)])
    with pytest.raises(InvalidEntryError, match=r"^entry_id: "):
        reverse_entry(
            property_id=casino.pk,
            entry_id=number,
            key="r",
            actor="a",
            approver="b",
            reason="wrong",
            gaming_day=DAY,
            at=AT,
        )


@pytest.mark.parametrize("number", [10**18 + 1, 2**63, 2**200])
def test_amount_rate_or_piece_that_no_column_holds_is_refused(casino, post, number):
    tray, won = WIN
    both = [replace(tray, amount=number), replace(won, amount=-number)]
    with pytest.raises(InvalidEntryError, match=r"^amount: "):
        post(legs=both)
    for pieces in (((number, 1),), ((1, number),)):
        with pytest.raises(InvalidEntryError, match=r"^pieces: |^legs: |pieces"):
            post(legs=[replace(tray, pieces=pieces), won])
    with pytest.raises(InvalidEntryError, match=r"^rate: "):
        post(rate=(1, number))
    with pytest.raises(InvalidEntryError, match=r"^ceiling: "):
        open_account(property_id=casino.pk, code="1110", at=AT, ceiling=number)
    usual = {"currency": "HKD", "own_currency": "USD", "places": Places(window="main")}
    with pytest.raises(InvalidEntryError, match=r"^rate: "):
        exchange_legs(sold=Money(1, "USD"), rate=(number, 1), **usual)


def test_entry_has_as_many_legs_as_a_number_of_lines_holds(post):
    tray, won = WIN
    with pytest.raises(InvalidEntryError, match=r"^legs: .* at most 32767$"):
        post(legs=[tray, won] * 16_384)


@pytest.mark.parametrize("number", [2**31, 0, True])
def test_seal_of_no_number_of_entries_is_refused(casino, number):
    with pytest.raises(InvalidEntryError, match=r"^at_most: "):
        seal_next(property_id=casino.pk, at=AT, at_most=number)


@pytest.mark.parametrize("day", [None, "2026-03-14", AT, date.min, date.max])
def test_what_is_no_gaming_day_is_refused(casino, post, day):
    of_day = {"property_id": casino.pk, "gaming_day": day, "actor": PIT_BOSS, "at": AT}
    acts = (
        lambda: post(gaming_day=day),
        lambda: open_day(**of_day),
        lambda: close_day(**of_day, approver=AUDITOR),
        lambda: close_shift(**of_day, shift="swing"),
    )
    for act in acts:
        with pytest.raises(InvalidEntryError, match=r"^gaming_day: "):
            act()
    if day is not None:
        with pytest.raises(InvalidEntryError, match=r"^late_day: "):
            post(late_day=day)


@pytest.mark.parametrize("at", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)])
def test_moment_that_a_time_zone_cannot_show_is_refused(post, at):
    with pytest.raises(InvalidEntryError, match=r"^at: it is not between"):
        post(at=at)
