"""A program sees nothing of another property, whatever identifier it sends.

The resources are those that the description publishes, so a new one is tried from its first day.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, time

import pytest

from casino.events.models import OutboxEvent
from casino.events.tasks import relay
from casino.properties.services import open_property
from casino.web.description import describe
from tables.demo.loading import load
from tests.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)

AT = datetime(2026, 3, 14, 21, 22, 5, tzinfo=UTC)
BASE = "/api/v1"


@pytest.fixture
def programs(settings):
    """Return a program of a property where rounds were played, and one of another property."""
    settings.API_RATE_PER_SECOND = settings.API_RATE_BURST = 1_000_000
    casino = load(at=AT, rounds=2)
    while OutboxEvent.objects.filter(sequence=None).exists():
        relay()
    other = open_property(
        code="bay",
        name="Bay",
        time_zone="America/Los_Angeles",
        currency="USD",
        shifts={"day": time(6)},
        at=AT,
    )
    scopes = list(settings.OAUTH2_PROVIDER["SCOPES"])
    return tuple(Program(scopes=scopes, property_id=each.pk) for each in (casino, other))


def readable(urlconf):
    """Return the addresses of lists, and below each those of one of its rows."""
    paths = json.loads(describe(urlconf).document)["paths"]
    reads = [path.removeprefix(BASE) for path, operations in paths.items() if "get" in operations]
    lists = [path for path in reads if "{" not in path]
    return {
        each: [path for path in reads if path.startswith(f"{each}/{{") and path.count("{") == 1]
        for each in lists
    }


def rows(program: Program, path: str) -> list[dict]:
    return program.get(path).json().get("data", [])


def test_no_row_and_no_identifier_of_another_property_is_there(programs, settings):
    ours, theirs = programs
    tried = 0
    for listed, single in readable(settings.ROOT_URLCONF).items():
        known = {row["id"] for row in rows(ours, listed) if "id" in row}
        assert known.isdisjoint(row.get("id") for row in rows(theirs, listed)), listed
        for identifier in known:
            for path in single:
                address = path.partition("{")[0] + identifier + path.partition("}")[2]
                answer = theirs.get(address)
                assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), address
                tried += 1
    assert tried > 50


def test_a_filter_reaches_no_other_property(programs):
    ours, theirs = programs
    session = rows(ours, "/table-sessions")[0]
    for path, asked in (
        ("/rounds", {"table_session": session["id"]}),
        ("/rounds", {"table": session["table"]}),
        ("/table-sessions", {"table": session["table"]}),
        ("/ledger/transactions", {"session": f"session:{session['id'].removeprefix('ses_')}"}),
    ):
        assert ours.get(path, asked).json()["data"], path
        answer = theirs.get(path, asked)
        assert answer.status_code == 404 or answer.json()["data"] == [], path


def test_an_account_of_another_property_holds_nothing(programs):
    ours, theirs = programs
    assert ours.get("/ledger/accounts/1120/balance").json()["balance"]["amount"] > 0
    answer = theirs.get("/ledger/accounts/1120/table:1/balance")
    assert answer.status_code == 404 or answer.json()["balance"]["amount"] == 0


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE ledger_entry; --", "T1' OR '1'='1", "%", "\\", "T1\x00", "{}"]
)
def test_a_filter_is_a_value_and_never_a_command(programs, text):
    ours, _ = programs
    for path, name in (
        ("/rounds", "table"),
        ("/table-sessions", "table"),
        ("/ledger/transactions", "source"),
        ("/events", "type"),
    ):
        answer = ours.get(path, {name: text})
        assert answer.status_code in {200, 400, 404}, path
        assert answer.json().get("data", []) == [], path
