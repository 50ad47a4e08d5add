"""A table is taken once, by somebody of the table, and given back if it was a mistake."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import IntegrityError, transaction

from casino.events.models import OutboxEvent
from casino.properties.services import set_setting
from casino.staff.errors import RoleError, SegregationError
from casino.staff.roles import Role
from tables.demo.loading import signer_at
from tables.errors import DepthNotBuiltError, InvalidStateError, TableBusyError
from tables.floor.models import TableSession
from tables.floor.selectors import next_depth
from tables.floor.services.sessions import abort_opening, begin_opening
from tables.floor.states import LIVE, RecordDepth, SessionState
from tests import factories
from tests.tables.deals import everything

pytestmark = pytest.mark.django_db


def begin(casino, code="T1", actor=None):
    return begin_opening(
        table_id=factories.a_table(casino, code).pk,
        actor=actor or factories.dealer(casino),
        at=factories.NOON,
    )


def test_a_session_freezes_profile_chip_set_and_gaming_day(casino):
    session = begin(casino)

    table = factories.a_table(casino)
    assert (session.state, session.number) == (SessionState.OPENING, 1)
    assert (session.profile, session.chip_set_id) == (table.profile, table.chip_set_id)
    assert session.gaming_day.isoformat() == "2026-03-14"


def test_a_table_that_is_taken_is_not_taken_again(casino):
    begin(casino)
    before = everything()

    with pytest.raises(TableBusyError):
        begin(casino)

    assert everything() == before


def test_an_opening_by_mistake_gives_the_table_back(casino):
    mistake = begin(casino)

    aborted = abort_opening(
        session_id=mistake.pk, actor=factories.dealer(casino), at=factories.NOON
    )

    assert aborted.state == SessionState.ABORTED
    assert begin(casino).number == 2


def test_an_open_table_is_not_aborted(open_table, casino):
    session = open_table().session
    before = everything()

    with pytest.raises(InvalidStateError):
        abort_opening(session_id=session.pk, actor=factories.dealer(casino), at=factories.NOON)

    assert everything() == before


@pytest.mark.parametrize(
    ("number", "role", "refusal"),
    [
        ("AD-001", Role.ADMIN, SegregationError),
        ("AU-002", Role.AUDITOR, SegregationError),
        ("CC-117", Role.CAGE_CASHIER, RoleError),
        ("PB-004", Role.PIT_BOSS, RoleError),
    ],
)
def test_only_people_of_the_table_open_it(casino, number, role, refusal):
    stranger = signer_at(factories.a_table(casino), number, role).actor
    before = everything()

    with pytest.raises(refusal):
        begin(casino, actor=stranger)

    assert everything() == before


def test_events_name_the_session_as_programs_know_it(open_table):
    session = open_table().session

    event = OutboxEvent.objects.get(topic="table_session.opened")

    assert (event.subject_type, event.subject_id) == ("table_session", f"ses_{session.pk}")
    assert event.payload["id"] == f"ses_{session.pk}"


@pytest.mark.django_db(transaction=True)
def test_of_two_openings_at_one_moment_one_gets_the_table(casino, together):
    done = together(lambda: begin(casino), lambda: begin(casino))

    assert sorted(type(each).__name__ for each in done) == ["TableBusyError", "TableSession"]
    assert TableSession.objects.filter(state__in=LIVE).count() == 1


class TestTheDepthOfRecord:
    def depth(self, casino, value, *, scope=""):
        set_setting(
            property=casino,
            name="record_depth",
            value=value,
            scope=scope,
            effective_from=date(2026, 3, 14),
            set_by="system:tests",
            at=factories.NOON,
        )

    def test_it_is_what_the_setting_says_when_the_session_begins(self, casino):
        self.depth(casino, "result")
        self.depth(casino, "full", scope=factories.a_table(casino, "T2").ref)

        assert begin(casino).record_depth == RecordDepth.RESULT
        assert begin(casino, "T2").record_depth == RecordDepth.FULL

    def test_it_stays_while_the_session_runs(self, casino):
        session = begin(casino)
        self.depth(casino, "result")

        session.refresh_from_db()
        assert session.record_depth == RecordDepth.FULL
        assert next_depth(session.table, at=factories.NOON) == RecordDepth.RESULT

    def test_totals_alone_are_refused_by_name(self, casino):
        self.depth(casino, "totals")
        before = everything()

        with pytest.raises(DepthNotBuiltError) as refused:
            begin(casino)

        assert everything() == before
        assert refused.value.pointer == "/record_depth"
        assert refused.value.detail == (
            "Table T1 is set to record_depth totals, which is not built yet."
        )

    def test_the_database_knows_no_other_depth(self, casino):
        session = begin(casino)

        with pytest.raises(IntegrityError, match="tables_session_depth"), transaction.atomic():
            TableSession.objects.filter(pk=session.pk).update(record_depth="totals")
