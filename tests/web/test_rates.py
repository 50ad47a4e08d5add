"""A client that asks too fast is told when to come back; nobody waits for a Redis that is away."""

from __future__ import annotations

import pytest
import redis
from django.conf import settings as site

from casino.web import rates
from casino.web.models import RequestKey
from casino.web.patience import impatient_redis
from tests.programs import Program

pytestmark = [pytest.mark.urls("tests.web.urls"), pytest.mark.django_db(transaction=True)]

BOTH = ["tables:read", "rounds:write"]
AN_HOUR = 3600


@pytest.fixture
def program(notes, settings):
    """Return a program that may send three requests, and then one an hour."""
    settings.API_RATE_PER_SECOND = 1 / AN_HOUR
    settings.API_RATE_BURST = 3
    return Program(scopes=BOTH, property_id=7)


def spend(program: Program) -> None:
    assert [program.get("/notes").status_code for _ in range(3)] == [200, 200, 200]


def let_pass(program: Program, *, seconds: float) -> None:
    """Move the client's bucket as far back as *seconds* would."""
    key = rates.bucket(program.client_id)
    with impatient_redis() as server:
        full = float(server.get(key))
        server.set(key, f"{full - seconds * 1_000_000:.0f}", keepttl=True)


def test_the_rate_is_that_of_the_contract():
    assert (site.API_RATE_PER_SECOND, site.API_RATE_BURST) == (20, 60)


def test_a_request_above_the_burst_is_told_when_to_come_back(program):
    spend(program)
    response = program.get("/notes")
    body = response.json()
    assert response["Content-Type"] == "application/problem+json"
    assert (response.status_code, body["code"], body["retryable"]) == (429, "rate_limited", True)
    # A token comes an hour after the first was taken, which was a moment ago.
    assert AN_HOUR - 60 < int(response["Retry-After"]) <= AN_HOUR


def test_after_that_long_one_more_passes(program):
    spend(program)
    wait = int(program.get("/notes")["Retry-After"])
    let_pass(program, seconds=wait)
    assert [program.get("/notes").status_code for _ in range(2)] == [200, 429]


def test_a_bucket_holds_no_more_than_the_burst(program):
    spend(program)
    let_pass(program, seconds=10 * AN_HOUR)
    assert [program.get("/notes").status_code for _ in range(4)] == [200, 200, 200, 429]


def test_a_refused_write_spends_neither_key_nor_anything(program, notes):
    spend(program)
    refused = program.post("/notes", {"text": "a"}, key="k")
    assert refused.status_code == 429
    assert (notes(), RequestKey.objects.count()) == ([], 0)
    let_pass(program, seconds=AN_HOUR)
    again = program.post("/notes", {"text": "a"}, key="k")
    assert (again.status_code, again.get("Idempotent-Replayed")) == (201, None)
    assert notes() == ["a"]


def test_one_client_does_not_slow_another(program):
    spend(program)
    assert program.get("/notes").status_code == 429
    assert Program(scopes=BOTH).get("/notes").status_code == 200


def test_a_new_token_is_no_new_bucket(program):
    spend(program)
    program.token = program.ask_for_token().json()["access_token"]
    assert program.get("/notes").status_code == 429


def test_what_needs_no_token_is_not_counted(program):
    spend(program)
    assert program.http.get("/api/v1/openapi.json").status_code == 200
    assert program.http.get("/sign-in/").status_code == 200


def test_a_bucket_that_is_full_is_forgotten(program):
    program.get("/notes")
    with impatient_redis() as server:
        assert 0 < server.ttl(rates.bucket(program.client_id)) <= AN_HOUR


def test_without_redis_all_pass_and_one_alone_waits_for_it(program, dead_redis, caplog):
    answers = [program.get("/notes").status_code for _ in range(5)]
    assert answers == [200] * 5
    said = [line for line in caplog.messages if "no request is counted" in line]
    assert len(said) == 1


class SilentRedis:
    """A server that does not answer, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def register_script(self, _script):
        def take(**_arguments):
            self.asked += 1
            raise redis.TimeoutError

        return take


def test_a_silent_redis_is_asked_again_after_a_while():
    # Read when it is asked for, and once more when it turns out to be silent.
    moments = iter([0.0, 0.0, 1.0, rates.AWAY_SECONDS - 0.1, rates.AWAY_SECONDS, 20.0])
    server = SilentRedis()
    gate = rates.Gate(server, clock=lambda: next(moments))
    assert [gate.wait("cage-1", per_second=20, burst=60) for _ in range(4)] == [0, 0, 0, 0]
    assert server.asked == 2
