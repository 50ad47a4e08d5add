"""The books as programs read them: their own property's, exact, and never to be written."""

from __future__ import annotations

import pytest

from ledger.services.posting import Leg
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import AT, DAY, NEXT_DAY, WIN, books, house, legs, poster
from tests.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def auditor(casino):
    return Program(scopes=["ledger:read"], property_id=casino.pk)


def money(amount, side):
    return {"amount": amount, "currency": "USD", "side": side}


def test_transaction_shows_its_legs(post, auditor):
    posted = post(
        table="table:3",
        session="session:7",
        shift="swing",
        approver="employee:4",
        legs=[
            Leg(account="1120/table:3", amount=500, event="fill_received", pieces=((100, 5),)),
            Leg(account="1130/document:F-0001", amount=-500, event="fill_received"),
        ],
    )
    body = auditor.get(f"/ledger/transactions/ent_{posted.public_id}").json()
    assert body.pop("recorded_at").endswith("Z")
    assert body == {
        "id": f"ent_{posted.public_id}",
        "kind": "round_settled",
        "source": "round:812",
        "gaming_day": "2026-03-14",
        "effective_at": "2026-03-14T20:30:00Z",
        "table": "table:3",
        "session": "session:7",
        "shift": "swing",
        "actor": "employee:12",
        "approver": "employee:4",
        "memo": "",
        "reverses": None,
        "reversed_by": None,
        "legs": [
            {
                "line": 1,
                "account": "1120/table:3",
                "name": "Table inventory (tray)",
                "event": "fill_received",
                "amount": money(500, "debit"),
                "balance_after": money(500, "debit"),
                "pieces": [{"denomination": 100, "pieces": 5}],
            },
            {
                "line": 2,
                "account": "1130/document:F-0001",
                "name": "Chips in transit",
                "event": "fill_received",
                "amount": money(500, "credit"),
                "balance_after": money(500, "credit"),
                "pieces": [],
            },
        ],
    }


def test_reversal_and_original_point_at_each_other(post, auditor):
    original = post()
    reversal = reverse_entry(
        entry_id=original.id,
        key="void",
        actor="employee:12",
        approver="employee:4",
        at=AT,
        gaming_day=DAY,
        reason="misdeal",
    )
    rows = auditor.get("/ledger/transactions").json()["data"]
    assert [(row["id"], row["reverses"], row["reversed_by"]) for row in rows] == [
        (f"ent_{original.public_id}", None, f"ent_{reversal.public_id}"),
        (f"ent_{reversal.public_id}", f"ent_{original.public_id}", None),
    ]


def test_transactions_are_listed_page_by_page(post, auditor):
    posted = [post(key=str(number)) for number in range(5)]
    found, query = [], {"limit": 2}
    while True:
        page = auditor.get("/ledger/transactions", query).json()
        found += [row["id"] for row in page["data"]]
        if not page["has_more"]:
            break
        query = {"limit": 2, "cursor": page["next_cursor"]}
    assert found == [f"ent_{each.public_id}" for each in posted]
    assert page["next_cursor"] is None


@pytest.mark.parametrize(
    ("query", "sources"),
    [
        ({"session": "session:7"}, ["round:812"]),
        ({"table": "table:3"}, ["round:812", "buy_in:4"]),
        ({"source": "buy_in:4"}, ["buy_in:4"]),
        ({"kind": "cash_buy_in"}, ["buy_in:4"]),
        ({"gaming_day": "2026-03-15"}, ["round:900"]),
        ({"gaming_day": "2026-03-14", "kind": "round_settled"}, ["round:812"]),
        ({"session": "session:70"}, []),
    ],
)
def test_transactions_are_found_by_what_they_are_about(post, auditor, query, sources):
    post(table="table:3", session="session:7")
    post(key="b", kind="cash_buy_in", source="buy_in:4", table="table:3")
    post(key="c", source="round:900", gaming_day=NEXT_DAY)
    rows = auditor.get("/ledger/transactions", query).json()["data"]
    assert [row["source"] for row in rows] == sources


def test_balance_of_an_account_and_of_a_number(post, auditor):
    post()
    post(key="b", legs=legs(("1120/table:4", 7), ("4010/session:7", -7)))

    def balance(code):
        return auditor.get(f"/ledger/accounts/{code}/balance").json()

    assert balance("1120/table:3") == {"account": "1120/table:3", "balance": money(500, "debit")}
    assert balance("1120") == {"account": "1120", "balance": money(507, "debit")}
    assert balance("4010/session:7")["balance"] == money(507, "credit")


def test_trial_balance_of_a_day(post, auditor):
    post()
    post(key="b", gaming_day=NEXT_DAY)
    body = auditor.get("/ledger/trial-balance", {"gaming_day": "2026-03-15"}).json()
    assert body == {
        "gaming_day": "2026-03-15",
        "rows": [
            {
                "number": "1120",
                "name": "Table inventory (tray)",
                "opening": money(500, "debit"),
                "debits": 500,
                "credits": 0,
                "closing": money(1000, "debit"),
            },
            {
                "number": "4010",
                "name": "Win - main wagers",
                "opening": money(500, "credit"),
                "debits": 0,
                "credits": 500,
                "closing": money(1000, "credit"),
            },
        ],
    }
    assert auditor.get("/ledger/trial-balance").json()["rows"][0]["debits"] == 1000


def test_books_of_another_property_do_not_exist(auditor):
    posted = poster(house("macau"))()
    for path in (
        f"/ledger/transactions/ent_{posted.public_id}",
        "/ledger/transactions/ent_812",
        "/ledger/transactions/812",
        f"/ledger/transactions/{posted.public_id}",
        "/ledger/accounts/1120/table:3/balance",
        "/ledger/accounts/1120/balance",
        "/ledger/accounts/x/balance",
    ):
        response = auditor.get(path)
        assert (response.status_code, response.json()["code"]) == (404, "not_found"), path
    assert auditor.get("/ledger/transactions").json()["data"] == []
    assert auditor.get("/ledger/trial-balance").json()["rows"] == []


@pytest.mark.parametrize(
    "query", [{"gaming_day": "yesterday"}, {"account": "1120"}, {"limit": "0"}, {"cursor": "x"}]
)
def test_query_that_cannot_be_is_refused_by_its_name(auditor, query):
    response = auditor.get("/ledger/transactions", query)
    assert response.status_code == 400
    assert [fault["parameter"] for fault in response.json()["errors"]] == list(query)


def test_point_in_time_is_refused_by_name_until_there_is_one(post, auditor):
    post()
    response = auditor.get("/ledger/accounts/1120/balance", {"at": "2026-03-14T20:30:00Z"})
    assert response.status_code == 400
    assert response.json()["errors"][0]["parameter"] == "at"


def test_books_need_their_scope(casino):
    program = Program(scopes=["tables:read"], property_id=casino.pk)
    for path in ("transactions", "trial-balance", "accounts/1120/balance"):
        assert program.get(f"/ledger/{path}").status_code == 403


def test_nothing_is_written_from_here(post, auditor):
    post()
    before = books()
    response = auditor.post("/ledger/transactions", {"legs": [leg.account for leg in WIN]})
    assert response.status_code == 405
    assert books() == before
