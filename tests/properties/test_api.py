"""GET /api/v1/property: what a program needs so that it never computes a clock change."""

from __future__ import annotations

import base64
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from casino.properties.selectors import gaming_day_of, get_calendar
from casino.properties.services import open_property
from casino.web.clients import create_client

from .conftest import OPENED_AT

ADDRESS = "/api/v1/property"


def token(client, property, *scopes):
    name = f"cage-{property.pk}"
    client_id, secret = create_client(name=name, property_id=property.pk, scopes=scopes)
    basic = base64.b64encode(f"{client_id}:{secret}".encode()).decode()
    answer = client.post(
        "/o/token/",
        {"grant_type": "client_credentials"},
        headers={"Authorization": f"Basic {basic}"},
    )
    return {"Authorization": f"Bearer {answer.json()['access_token']}"}


@pytest.fixture
def cage(client, golden_gate):
    return token(client, golden_gate, "tables:read")


def test_a_client_reads_the_calendar_of_its_property(client, cage, golden_gate):
    body = client.get(ADDRESS, headers=cage).json()
    days = body.pop("gaming_days")
    assert body == {
        "code": "golden-gate",
        "name": "Golden Gate",
        "time_zone": "America/Los_Angeles",
        "day_start": "06:00",
        "currency": "USD",
        "languages": ["en"],
        "is_sandbox": False,
        "shifts": [
            {"name": "day", "starts_at": "06:00"},
            {"name": "swing", "starts_at": "14:00"},
            {"name": "grave", "starts_at": "22:00"},
        ],
    }
    assert len(days) == 8
    for day, before in pairwise(days):
        assert before["ends_at"] == day["starts_at"]
        first = parse_datetime(day["starts_at"])
        assert gaming_day_of(golden_gate, first).isoformat() == day["gaming_day"]
        assert day["starts_at"].endswith("Z")


def test_the_days_of_a_clock_change_have_23_and_25_hours(golden_gate):
    for day_after, hours in (("2026-03-08T20:00Z", 23), ("2026-11-01T20:00Z", 25)):
        calendar = get_calendar(golden_gate.pk, at=parse_datetime(day_after), days_shown=2)
        yesterday = calendar.gaming_days[1]
        assert yesterday.ends_at - yesterday.starts_at == timedelta(hours=hours)


def test_the_first_gaming_day_is_the_one_that_runs(client, cage, golden_gate):
    before = gaming_day_of(golden_gate, timezone.now()).isoformat()
    shown = client.get(ADDRESS, {"days": 1}, headers=cage).json()["gaming_days"][0]["gaming_day"]
    assert before <= shown <= gaming_day_of(golden_gate, timezone.now()).isoformat()


@pytest.mark.parametrize("days", ["0", "367", "many", "1.5"])
def test_a_number_of_days_that_cannot_be_is_refused_by_name(client, cage, days):
    answer = client.get(ADDRESS, {"days": days}, headers=cage)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_parameter")
    assert "days" in answer.json()["detail"]


def test_each_client_sees_its_own_property(client, cage, golden_gate):
    other = open_property(
        code="bay", name="Bay", time_zone="Asia/Macau", currency="HKD", at=OPENED_AT
    )
    assert client.get(ADDRESS, headers=token(client, other, "tables:read")).json()["code"] == "bay"
    assert client.get(ADDRESS, headers=cage).json()["code"] == "golden-gate"


def test_a_token_without_the_scope_is_refused(client, golden_gate):
    answer = client.get(ADDRESS, headers=token(client, golden_gate, "events:read"))
    assert (answer.status_code, answer.json()["code"]) == (403, "insufficient_scope")


@pytest.mark.django_db
def test_nobody_reads_it_without_a_token(client):
    assert client.get(ADDRESS).status_code == 401
