"""What a tablet finds: its own table, the session it is in, the patrons who may sit down."""

from __future__ import annotations

import pytest

from tables.floor.selectors import find_table, latest_session, list_patrons_to_seat
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_device_finds_the_table_at_which_it_stands(casino):
    table = factories.a_table(casino)

    assert find_table(casino.pk, table.ref) == table
    for place in ("", "cage", "table:", "table:x", "table:-1", "table:0", f"table:{2**70}"):
        assert find_table(casino.pk, place) is None
    assert find_table(casino.pk + 1, table.ref) is None


def test_the_latest_session_is_the_one_that_runs(casino, open_table):
    table = factories.a_table(casino)
    assert latest_session(table) is None

    session = open_table().session
    assert latest_session(table) == session


def test_patrons_who_sit_here_are_not_offered_again(open_table):
    session = open_table().session

    offered = [patron.ref for patron in list_patrons_to_seat(session)]
    assert sorted(offered) == ["P4", "P5", "P6", "P7", "P8"]
    assert [patron.ref for patron in list_patrons_to_seat(session, text="nak")] == ["P6"]
    assert [patron.ref for patron in list_patrons_to_seat(session, text="p7")] == ["P7"]
    assert not list_patrons_to_seat(session, text="Wei Chen")
