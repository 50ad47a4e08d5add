"""The figures of a session, from its events and from the books."""

from __future__ import annotations

import pytest

from tables.settlement import figures

pytestmark = pytest.mark.django_db


def test_revenue_is_what_the_rounds_won_whatever_the_number_of_accounts(
    open_table, django_assert_num_queries
):
    shift = open_table("T1")
    won = sum(settled.round.house_net for settled in shift.play(5))

    with django_assert_num_queries(1):
        assert figures.revenue(shift.session) == won
