"""A card reader records a round: settled in the same call, once, or refused by name."""

from __future__ import annotations

import copy
from uuid import uuid4

import pytest
import time_machine
from oauth2_provider.models import AccessToken
from rest_framework.test import APIClient

from casino.web.models import ApiClient
from ledger import selectors as ledger
from tables.demo import house
from tables.rounds.models import Round

pytestmark = pytest.mark.django_db

WIN_AND_LOSE = {
    "bank": {"holder": "house", "hand": ["65", "55", "62", "51"], "set": "house_way"},
    "seats": [
        {"seat": 1, "wager": 10000, "hand": ["42", "21", "31", "41"], "set": "house_way"},
        {
            "seat": 2,
            "wager": 5000,
            "hand": ["43", "22", "63", "31"],
            "set": {"low": ["43", "22"], "high": ["63", "31"]},
        },
    ],
}


@pytest.fixture
def api(casino):
    """Return a client with a token of every scope."""
    application = ApiClient.objects.get(name=house.API_CLIENT).application
    token = AccessToken.objects.create(
        application=application,
        token=uuid4().hex,
        scope=" ".join(house.API_SCOPES),
        expires="2099-01-01T00:00:00Z",
    )
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token.token}")
    return client


@pytest.fixture
def session(open_table):
    """Return the open session of the tiles table, the clock standing just after its opening."""
    shift = open_table("T1")
    with time_machine.travel(shift.clock, tick=False):
        yield shift.session


def body_of(session, given=WIN_AND_LOSE):
    return {
        "table_session": f"ses_{session.pk}",
        "occurred_at": session.opened_at.isoformat(),
        "round": given,
    }


def post(api, body, *, key=None):
    return api.post(
        "/api/v1/rounds", body, format="json", headers={"Idempotency-Key": key or uuid4().hex}
    )


def books(casino):
    return {
        "entries": len(ledger.entries(casino.pk, limit=200)),
        "rounds": Round.objects.count(),
        "trays": ledger.balances(casino.pk, "1120"),
    }


def test_a_round_is_recorded_settled_and_explained(api, casino, session):
    answer = post(api, body_of(session))

    assert answer.status_code == 201, answer.data
    seats = answer.data["result"]["seats"]
    assert [(seat["seat"], seat["outcome"], seat["commission"], seat["net"]) for seat in seats] == [
        (1, "win", 500, 9500),
        (2, "lose", 0, -5000),
    ]
    assert answer.data["house_net"] == {"amount": 4500, "currency": "USD", "side": "debit"}
    legs = api.get(f"/api/v1/ledger/transactions/{answer.data['transaction']}").data["legs"]
    assert [
        (leg["account"][:4], leg["event"], leg["amount"]["side"], leg["amount"]["amount"])
        for leg in legs
    ] == [
        ("4010", "main_wager_won", "debit", 10000),
        ("1120", "main_wager_won", "credit", 10000),
        ("1120", "commission_taken", "debit", 500),
        ("4030", "commission_taken", "credit", 500),
        ("1120", "main_wager_lost", "debit", 5000),
        ("4010", "main_wager_lost", "credit", 5000),
    ]


def test_the_same_request_again_answers_the_same_and_moves_nothing(api, casino, session):
    first = post(api, body_of(session), key="reader-1")
    after_first = books(casino)

    again = post(api, body_of(session), key="reader-1")

    assert again.status_code == 201
    assert again["Idempotent-Replayed"] == "true"
    assert again.json() == first.json()
    assert books(casino) == after_first


def changed(**members):
    given = copy.deepcopy(WIN_AND_LOSE)
    given["seats"][1].update(members)
    return given


@pytest.mark.parametrize(
    ("given", "pointer", "code"),
    [
        (
            changed(hand=["65", "65", "63", "31"], set="house_way"),
            "/round/seats/1/hand/1",
            "validation_failed",
        ),
        (
            changed(hand=["43", "22", "63"], set="house_way"),
            "/round/seats/1/hand",
            "validation_failed",
        ),
        (
            changed(hand=["43", "22", "63", "99"], set="house_way"),
            "/round/seats/1/hand/3",
            "validation_failed",
        ),
        (changed(wager=0), "/round/seats/1/wager", "validation_failed"),
        (changed(wager=500), "/round/seats/1/wager", "limit_exceeded"),
        (changed(wager=10_000_000), "/round/seats/1/wager", "limit_exceeded"),
        (changed(wager=1_001), "/round/seats/1/wager", "limit_exceeded"),
        (changed(seat=1), "/round/seats/1/seat", "validation_failed"),
        (changed(seat=5), "/round/seats/1/seat", "validation_failed"),
        (changed(seat=9), "/round/seats/1/seat", "validation_failed"),
        (changed(tip=3), "/round/seats/1/tip", "validation_failed"),
        (
            changed(hand=None, set=None, result={"outcome": "win"}),
            "/round/seats",
            "validation_failed",
        ),
        ({**WIN_AND_LOSE, "bank": {"holder": "seat:1"}}, "/round/bank/holder", "validation_failed"),
    ],
)
def test_a_round_that_cannot_be_is_refused_by_name_and_changes_nothing(
    api, session, given, pointer, code
):
    casino = session.property
    before = books(casino)

    answer = post(api, body_of(session, given))

    assert answer.status_code == 422, answer.json()
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == code
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert books(casino) == before


def test_a_closed_table_takes_no_round(api, casino, open_table):
    shift = open_table("T1")
    shift.close()
    before = books(casino)
    with time_machine.travel(shift.clock, tick=False):
        answer = post(api, body_of(shift.session))

    assert (answer.status_code, answer.json()["code"]) == (409, "table_closed")
    assert books(casino) == before


def test_another_propertys_session_is_not_there(api, session):
    body = body_of(session) | {"table_session": "ses_999999"}

    assert post(api, body).status_code == 404


def test_tables_sessions_and_rounds_are_read_as_they_stand(api, casino, session):
    made = post(api, body_of(session)).data

    table = api.get("/api/v1/tables").json()["data"][0]
    assert (table["code"], table["status"], table["current_session"]) == (
        "T1",
        "open",
        f"ses_{session.pk}",
    )
    assert table["tray"]["estimate"]["amount"] == ledger.balance(
        casino.pk, f"1120/{session.table.ref}"
    )
    assert api.get(f"/api/v1/table-sessions/ses_{session.pk}").json()["rounds_started"] == 1
    listed = api.get("/api/v1/rounds", {"table_session": f"ses_{session.pk}"}).json()["data"]
    assert [row["id"] for row in listed] == [made["id"]]
    assert api.get(f"/api/v1/rounds/{made['id']}").json()["result"]["steps"]
    assert api.get(f"/api/v1/table-sessions/ses_{session.pk}/totals").status_code == 404


def test_totals_are_those_of_the_settlement(api, casino, open_table):
    shift = open_table("T1")
    shift.play(3)
    totals = shift.close(variance=-2_500).totals

    shown = api.get(f"/api/v1/table-sessions/ses_{shift.session.pk}/totals").json()

    assert shown["chip_variance"] == {"amount": 2_500, "currency": "USD", "side": "debit"}
    assert shown["win"]["amount"] == abs(totals.estimated_win)
    assert shown["rounds"] == 3


def test_without_the_ledgers_scope_the_tray_is_a_band(api, session):
    AccessToken.objects.update(scope="tables:read")

    tray = api.get("/api/v1/tables").json()["data"][0]["tray"]

    assert tray == {"band": "normal", "estimate": None}


@pytest.mark.parametrize(
    "occurred_at",
    [
        "{day}T{time}",
        "{day} {time}Z",
        "{day}",
        "{day}T{time}+00:00:30",
        "{day}T{time}+0000",
        20260314,
        True,
        "",
    ],
)
def test_a_moment_without_its_offset_is_not_guessed(api, casino, session, occurred_at):
    before = books(casino)
    if isinstance(occurred_at, str):
        opened = session.opened_at
        occurred_at = occurred_at.format(day=opened.date(), time=f"{opened:%H:%M:%S}")
    answer = post(api, body_of(session) | {"occurred_at": occurred_at})
    assert answer.status_code == 422
    assert [fault["pointer"] for fault in answer.data["errors"]] == ["/occurred_at"]
    assert books(casino) == before


@pytest.mark.parametrize("written", ["ses_{} ", " ses_{}", "ses_{}\n", "ses_0{}"])
def test_a_session_is_named_to_the_letter(api, casino, session, written):
    before = books(casino)
    answer = post(api, body_of(session) | {"table_session": written.format(session.pk)})
    assert answer.status_code == 404
    assert books(casino) == before


def test_the_number_of_a_session_is_not_its_name(api, casino, session):
    answer = post(api, body_of(session) | {"table_session": session.pk})
    assert answer.status_code == 422
    assert [fault["pointer"] for fault in answer.data["errors"]] == ["/table_session"]


@pytest.mark.parametrize(
    "address", ["table-sessions", "rounds", "ledger/transactions", "ledger/trial-balance"]
)
@pytest.mark.parametrize("day", ["20260314", "2026-W11-6", "2026-3-14", "2026-02-30", ""])
def test_a_day_is_written_in_one_way(api, address, day):
    answer = api.get(f"/api/v1/{address}", {"gaming_day": day})
    assert (answer.status_code, answer.data["code"]) == (400, "invalid_parameter")
    assert [fault["parameter"] for fault in answer.data["errors"]] == ["gaming_day"]
