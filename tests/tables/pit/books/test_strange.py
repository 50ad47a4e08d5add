"""Readers show also what is not in the chart: only who owns the tables can write it."""

from __future__ import annotations

import pytest

from ledger import selectors as ledger
from ledger.models import Account
from tests.ledger.tampering import tamper
from tests.tables.pit.conftest import read

from .conftest import content_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("code", ["1999", "1999/table:3", "1999/nothing:3"])
def test_account_that_is_not_in_the_chart_is_shown_as_it_is_stored(
    pit_boss, casino, post, owner, code
):
    entry = post(debit="1030/box:B1", amount=700)
    account = Account.objects.get(property=casino, code="1030/box:B1")
    tamper(owner, f"UPDATE ledger_account SET code = '{code}' WHERE id = {account.pk}")  # noqa: S608  a test's own
    for path in ("trial-balance/", "accounts/", f"statement/?account={code}"):
        page = pit_boss.get(f"/pit/books/{path}")
        assert page.status_code == 200, path
        assert "not in the chart" in read(page), path
    assert b"1999,not in the chart," in content_of(pit_boss.get("/pit/books/trial-balance.csv"))
    for path in (f"/pit/books/statement.csv?account={code}", f"/pit/entries/{entry.id}/"):
        assert pit_boss.get(path).status_code == 200, path
    assert pit_boss.get("/pit/books/accounts/?find=1999").status_code == 200
    (row,) = [row for row in ledger.trial_balance(casino.pk) if row.number == "1999"]
    assert (row.name, row.closing) == ("not in the chart", 700)
