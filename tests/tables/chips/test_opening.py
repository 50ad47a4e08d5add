"""A table opens on its signed opener; a difference to the books has its reason and its entry."""

from __future__ import annotations

import pytest

from casino.staff.errors import RoleError
from ledger import selectors as ledger
from tables.chips.models import CountKind
from tables.chips.selectors import expected_tray
from tables.chips.services.counts import record_count, witness_count
from tables.chips.services.opening import confirm_opener
from tables.errors import InvalidStateError, ReasonRequiredError
from tables.floor.services.sessions import begin_opening
from tables.settlement.services.closing import begin_closing
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(casino):
    return begin_opening(
        table_id=factories.a_table(casino).pk, actor=factories.dealer(casino), at=factories.NOON
    )


def counted(session, difference=0, *, signed=True):
    tray = expected_tray(session) + difference
    count = record_count(
        session_id=session.pk,
        kind=CountKind.OPENER,
        pieces={50_000: tray // 50_000, 25: tray % 50_000 // 25},
        dealer=factories.dealer(session.property),
        at=factories.NOON,
    )
    if signed:
        witness_count(count_id=count.pk, floor=factories.floor(session.property), at=factories.NOON)
    return count


def confirm(session, reason="", actor=None):
    return confirm_opener(
        session_id=session.pk,
        actor=actor or factories.dealer(session.property),
        at=factories.NOON,
        reason=reason,
    )


def test_an_equal_opener_posts_nothing(session, casino):
    entries = len(ledger.entries(casino.pk))
    count = counted(session)

    opened = confirm(session)

    assert (opened.state, opened.opener) == ("open", count)
    assert len(ledger.entries(casino.pk)) == entries
    assert [segment.number for segment in opened.segments.all()] == [1]


@pytest.mark.parametrize(("difference", "kind"), [(2_500, "above"), (-2_500, "below")])
def test_a_difference_is_posted_between_the_sessions(session, casino, difference, kind):
    counted(session, difference)

    confirm(session, reason=" a chip under the tray ")

    (entry,) = ledger.entries(casino.pk, kind=f"opener_{kind}_last_closer")
    lines = {line.account: line.amount for line in ledger.entry_detail(entry.id).lines}
    assert entry.memo == "a chip under the tray"
    assert lines == {
        f"1120/{session.table.ref}": difference,
        f"4905/{session.table.ref}": -difference,
    }


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201])
def test_a_difference_needs_its_reason(session, reason):
    counted(session, -2_500)
    before = everything()

    with pytest.raises(ReasonRequiredError):
        confirm(session, reason=reason)

    assert everything() == before


def test_a_table_does_not_open_without_both_signatures(session):
    with pytest.raises(InvalidStateError):
        confirm(session)
    counted(session, signed=False)
    before = everything()

    with pytest.raises(InvalidStateError):
        confirm(session)

    assert everything() == before


def test_confirming_an_open_table_changes_nothing(session):
    counted(session, 2_500)
    confirm(session, reason="found")
    before = everything()

    confirm(session)

    assert everything() == before


def test_a_table_that_closes_is_not_confirmed_again(session):
    counted(session, 2_500)
    confirm(session, reason="found")
    begin_closing(
        session_id=session.pk, actor=factories.dealer(session.property), at=factories.NOON
    )
    before = everything()

    with pytest.raises(InvalidStateError):
        confirm(session, reason="another reason")

    assert everything() == before


def test_a_pit_boss_does_not_open_a_table(session):
    counted(session)
    before = everything()

    with pytest.raises(RoleError):
        confirm(session, actor=factories.pit_boss(session.property).actor)

    assert everything() == before
