"""How the ledger's statements travel: planned once for a connection, seen by whoever looks."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.errors import DayClosedError
from tests.ledger.conftest import close

pytestmark = pytest.mark.django_db(transaction=True)


def prepared():
    """Return the statements of this connection that PostgreSQL keeps."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [statement for (statement,) in cursor.fetchall()]


def test_statement_of_a_posting_is_planned_once_for_its_connection(post):
    connection.close()
    for number in range(8):
        post(key=f"{number}")
    (statement,) = [each for each in prepared() if "ledger_post(" in each]
    assert "$23" in statement


def test_refusal_of_a_prepared_statement_is_told_as_ever(post, casino):
    for number in range(8):
        post(key=f"{number}")
    close(casino)
    with pytest.raises(DayClosedError):
        post(key="late")


def test_statement_of_a_posting_is_counted_with_the_others(post):
    with CaptureQueriesContext(connection) as seen:
        post()
    assert any("ledger_post(" in query["sql"] for query in seen.captured_queries)
