"""Whatever a program hands over, the books refuse it by the field's name, with nothing changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from ledger.errors import InvalidEntryError
from ledger.services.batches import post_entries
from ledger.services.days import close_day, close_shift
from ledger.services.posting import Leg
from ledger.services.reversal import correct_entry, reverse_entry
from ledger.services.sealing import begin_epoch
from ledger.services.slips import draw_slip
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
