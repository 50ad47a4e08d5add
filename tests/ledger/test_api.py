"""The books as programs read them: their own property's, exact, and never to be written."""

from __future__ import annotations

import pytest

from ledger.services.days import close_day
from ledger.services.posting import Leg
from ledger.services.reversal import reverse_entry
from tests.ledger.conftest import (
    AT,
    AUDITOR,
    DAY,
    NEXT_DAY,
    PIT_BOSS,
    WIN,
    books,
    house,
    legs,
    poster,
)
from tests.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def auditor(casino):
    return Program(scopes=["ledger:read"], property_id=casino.pk)


FOREIGN = "1120/table:3/currency:HKD"


def sign(casino):
    close_day(property_id=casino.pk, gaming_day=DAY, actor=PIT_BOSS, approver=AUDITOR, at=AT)


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
        "restates": None,
        "restated_by": None,
        "corrects": None,
        "late_day": None,
        "rate": None,
        "corrections": [],
        "seal": None,
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


def test_reversal_and_original_point_at_each_other(post, casino, auditor):
    original = post()
    reversal = reverse_entry(
        property_id=casino.pk,
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
        ({"session": "ses_7"}, ["round:812"]),
        ({"table": "tbl_3"}, ["round:812", "buy_in:4"]),
        ({"table": "tbl_3", "newest_first": "true"}, ["buy_in:4", "round:812"]),
        ({"from_day": "2026-03-15", "to_day": "2026-03-16"}, ["round:900"]),
        ({"account": "1020"}, ["buy_in:4"]),
        ({"amount": 500}, ["round:812", "round:900"]),
        ({"amount_min": 501}, ["buy_in:4"]),
        ({"amount_max": 500}, ["round:812", "round:900"]),
        ({"person": "employee:9"}, ["buy_in:4"]),
        ({"text": "HAND", "gaming_day": "2026-03-14"}, ["buy_in:4"]),
        ({"late": "true"}, []),
        ({"reversed": "false", "kind": "cash_buy_in"}, ["buy_in:4"]),
        ({"session": "ses_7", "kind": "cash_buy_in"}, []),
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
    post(
        key="b",
        kind="cash_buy_in",
        source="buy_in:4",
        table="table:3",
        actor="employee:9",
        memo="by hand",
        legs=legs(("1020/session:7", 2000), ("1120/table:3", -2000)),
    )
    post(key="c", source="round:900", gaming_day=NEXT_DAY)
    rows = auditor.get("/ledger/transactions", query).json()["data"]
    assert [row["source"] for row in rows] == sources


def test_balance_of_an_account_and_of_a_number(post, auditor):
    post()
    post(key="b", legs=legs(("1120/table:4", 7), ("4010/session:7", -7)))

    def balance(code):
        return auditor.get(f"/ledger/accounts/{code}/balance").json()

    for code, held in {"1120/table:3": 500, "1120": 507}.items():
        assert balance(code) == {
            "account": code,
            "balance": money(held, "debit"),
            "balances": [money(held, "debit")],
        }
    assert balance("4010/session:7")["balance"] == money(507, "credit")


def test_trial_balance_of_a_day(post, auditor):
    post()
    post(key="b", gaming_day=NEXT_DAY)
    body = auditor.get("/ledger/trial-balance", {"gaming_day": "2026-03-15"}).json()
    assert body == {
        "gaming_day": "2026-03-15",
        "shift": None,
        "rows": [
            {
                "number": "1120",
                "name": "Table inventory (tray)",
                "currency": "USD",
                "opening": money(500, "debit"),
                "debits": 500,
                "credits": 0,
                "closing": money(1000, "debit"),
            },
            {
                "number": "4010",
                "name": "Win - main wagers",
                "currency": "USD",
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
    "query", [{"gaming_day": "yesterday"}, {"colour": "red"}, {"limit": "0"}, {"cursor": "x"}]
)
def test_query_that_cannot_be_is_refused_by_its_name(auditor, query):
    response = auditor.get("/ledger/transactions", query)
    assert response.status_code == 400
    assert [fault["parameter"] for fault in response.json()["errors"]] == list(query)


@pytest.mark.parametrize(
    ("path", "query", "named"),
    [
        ("transactions", {"from_day": "2026-03-14"}, "to_day"),
        ("transactions", {"to_day": "2026-03-14"}, "from_day"),
        (
            "transactions",
            {"from_day": "2026-03-14", "to_day": "2026-03-14", "gaming_day": "2026-03-14"},
            "gaming_day",
        ),
        ("transactions", {"text": "misdeal"}, "text"),
        ("transactions", {"amount": "-5"}, "amount"),
        ("accounts", {"parent": "1120/"}, "parent"),
        ("accounts/1120/table:3/statement", {"from_day": "2026-03-14"}, "to_day"),
        ("accounts/1120/balance", {"at": "yesterday"}, "at"),
        ("accounts/1120/balance", {"at": "2026-03-14T20:30:00Z", "gaming_day": "2026-03-14"}, ""),
        ("trial-balance", {"shift": "swing"}, "gaming_day"),
    ],
)
def test_what_does_not_go_together_is_refused(post, auditor, path, query, named):
    post()
    response = auditor.get(f"/ledger/{path}", query)
    assert response.status_code == 400
    (fault,) = response.json()["errors"]
    assert fault["parameter"] == (named or "gaming_day")


def test_balance_of_the_past(post, casino, auditor):
    first = post()
    sign(casino)
    second = post(key="late", gaming_day=NEXT_DAY, late_day=DAY)
    shown = auditor.get(f"/ledger/transactions/ent_{first.public_id}").json()
    late = auditor.get(f"/ledger/transactions/ent_{second.public_id}").json()
    assert late["late_day"] == "2026-03-14"

    def balance(code="1120", **asked):
        return auditor.get(f"/ledger/accounts/{code}/balance", asked)

    assert balance(at=shown["recorded_at"]).json()["balance"] == money(500, "debit")
    assert balance(at="2020-01-01T00:00:00Z").json()["balance"] == money(0, "debit")
    assert balance(at="9000-01-01T00:00:00Z").json()["balance"] == money(1000, "debit")
    assert balance(as_of_entry=shown["id"]).json()["balance"] == money(500, "debit")
    assert balance(as_of_entry=late["id"]).json()["balance"] == money(1000, "debit")
    assert balance(gaming_day="2026-03-14").json()["balance"] == money(500, "debit")
    assert balance("4010", gaming_day="2026-03-15").json()["balance"] == money(1000, "credit")
    others = poster(house("macau"))()
    for refused in (
        balance(as_of_entry=f"ent_{others.public_id}"),
        balance(as_of_entry="812"),
        balance("1130", at=shown["recorded_at"]),
    ):
        assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_balance_in_several_currencies(post, auditor):
    post()
    post(key="b", legs=legs((FOREIGN, 70), ("4010/session:7/currency:HKD", -70)))
    shown = auditor.get("/ledger/accounts/1120/balance").json()
    hkd = {"amount": 70, "currency": "HKD", "side": "debit"}
    assert shown["balance"] == money(500, "debit")
    assert shown["balances"] == [hkd, money(500, "debit")]
    alone = auditor.get(f"/ledger/accounts/{FOREIGN}/balance").json()
    assert (alone["balance"], alone["balances"]) == (hkd, [hkd])
    rows = auditor.get("/ledger/trial-balance", {"gaming_day": "2026-03-14"}).json()["rows"]
    assert [(row["number"], row["currency"], row["debits"]) for row in rows[:2]] == [
        ("1120", "HKD", 70),
        ("1120", "USD", 500),
    ]


def test_accounts_are_walked_down_page_by_page(post, auditor):
    for seat in range(3):
        post(
            key=f"{seat}",
            legs=legs((f"1220/session:7/seat:{seat}", 5), ("1120/table:3", -5)),
        )

    def walk(**asked):
        found, query = [], {"limit": 1, **asked}
        while True:
            page = auditor.get("/ledger/accounts", query).json()
            found += page["data"]
            if not page["has_more"]:
                return found
            query["cursor"] = page["next_cursor"]

    assert [(row["account"], row["has_children"]) for row in walk()] == [
        ("1120", True),
        ("1220", True),
    ]
    assert walk(parent="1220") == [
        {
            "account": "1220/session:7",
            "name": "Commission receivable (lammers)",
            "is_open": None,
            "balance": None,
            "totals": [money(15, "debit")],
            "has_children": True,
        }
    ]
    assert [row["account"] for row in walk(parent="1220/session:7")] == [
        f"1220/session:7/seat:{seat}" for seat in range(3)
    ]
    assert walk(parent="1120")[0]["balance"] == money(15, "credit")
    assert walk(parent="1210") == []


@pytest.mark.parametrize("newest_first", [False, True])
def test_statement_goes_page_by_page_either_way(post, auditor, newest_first):
    posted = [post(key=str(number), memo="by hand") for number in range(5)]
    post(key="other day", gaming_day=NEXT_DAY)
    query = {"limit": 2, "newest_first": newest_first, "from_day": DAY, "to_day": DAY}
    found = []
    while True:
        page = auditor.get("/ledger/accounts/1120/table:3/statement", query).json()
        found += page["data"]
        if not page["has_more"]:
            break
        query["cursor"] = page["next_cursor"]
    way = -1 if newest_first else 1
    assert [row["transaction"] for row in found] == [f"ent_{each.public_id}" for each in posted][
        ::way
    ]
    assert [row["version"] for row in found] == [1, 2, 3, 4, 5][::way]
    first = next(row for row in found if row["version"] == 1)
    assert (first["amount"], first["balance_after"]) == (money(500, "debit"), money(500, "debit"))
    assert (first["actor"], first["memo"], first["reversed_by"]) == ("employee:12", "by hand", None)
    missing = auditor.get("/ledger/accounts/1120/table:4/statement")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")


def test_transactions_go_back_from_the_newest(post, auditor):
    posted = [post(key=str(number)) for number in range(5)]
    found, query = [], {"limit": 2, "newest_first": True}
    while True:
        page = auditor.get("/ledger/transactions", query).json()
        found += [row["id"] for row in page["data"]]
        if not page["has_more"]:
            break
        query["cursor"] = page["next_cursor"]
    assert found == [f"ent_{each.public_id}" for each in posted][::-1]


def test_trial_balance_of_a_shift(post, casino, auditor):
    post(shift="swing")
    post(key="b", shift="day")
    asked = {"gaming_day": "2026-03-14", "shift": "swing"}
    before = auditor.get("/ledger/trial-balance", asked).json()
    assert (before["shift"], [row["debits"] for row in before["rows"]]) == ("swing", [500, 0])
    sign(casino)
    assert auditor.get("/ledger/trial-balance", asked).json() == before


def test_books_need_their_scope(casino):
    program = Program(scopes=["tables:read"], property_id=casino.pk)
    for path in ("transactions", "trial-balance", "accounts", "accounts/1120/balance"):
        assert program.get(f"/ledger/{path}").status_code == 403


def test_nothing_is_written_from_here(post, auditor):
    post()
    before = books()
    response = auditor.post("/ledger/transactions", {"legs": [leg.account for leg in WIN]})
    assert response.status_code == 405
    assert books() == before
