"""Every row of the table of cage-integration.md 4, on the real database."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, OperationalError, connection
from rest_framework.exceptions import ParseError, ValidationError

from casino.web.errors import Refusal
from casino.web.models import RequestKey
from casino.web.once import (
    Answer,
    IdempotencyInProgressError,
    IdempotencyKeyReusedError,
    fingerprint,
    once,
)
from casino.web.tasks import purge_request_keys

AT = datetime(2026, 3, 14, 21, 22, 5, tzinfo=UTC)
PRINT = fingerprint("POST", "/api/v1/notes", {"text": "a"})

pytestmark = pytest.mark.usefixtures("transactional_db")


class DrawerEmptyError(Refusal):
    code = "drawer_empty"
    title = "The drawer is empty"


def write(text="a"):
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO notes (text) VALUES (%s)", [text])


def act_on(text="a", *, error=None):
    def act():
        write(text)
        if error is not None:
            raise error
        return Answer(status=201, body={"text": text})

    return act


def run(act, *, client="client:cage-1", key="k1", print_=PRINT, at=AT):
    return once(
        client=client,
        key=key,
        fingerprint=print_,
        act=act,
        at=at,
        path="/api/v1/notes",
        request_id="req_1",
    )


def test_first_time_runs_and_repeat_answers_as_the_first_did(notes):
    assert run(act_on()) == Answer(status=201, body={"text": "a"})
    assert run(act_on("b")) == Answer(status=201, body={"text": "a"}, replayed=True)
    assert notes() == ["a"]


def test_other_body_under_a_used_key_is_refused(notes):
    run(act_on())
    with pytest.raises(IdempotencyKeyReusedError) as refused:
        run(act_on("b"), print_=fingerprint("POST", "/api/v1/notes", {"text": "b"}))
    assert (refused.value.status, refused.value.code) == (422, "idempotency_key_reused")
    assert notes() == ["a"]


def test_other_path_under_a_used_key_is_refused(notes):
    run(act_on())
    with pytest.raises(IdempotencyKeyReusedError):
        run(act_on("b"), print_=fingerprint("POST", "/api/v1/other", {"text": "a"}))
    assert notes() == ["a"]


def test_keys_belong_to_their_client(notes):
    run(act_on("a"))
    assert run(act_on("b"), client="client:cage-2").replayed is False
    assert notes() == ["a", "b"]


def test_refusal_by_the_state_of_things_is_stored_and_changes_nothing(notes):
    refused = run(act_on(error=DrawerEmptyError("Nothing is left.", left=0)))
    assert refused == Answer(
        status=409,
        body={
            "type": "https://errors.baize.example/drawer-empty",
            "title": "The drawer is empty",
            "status": 409,
            "detail": "Nothing is left.",
            "instance": "/api/v1/notes",
            "code": "drawer_empty",
            "request_id": "req_1",
            "retryable": False,
            "errors": [],
            "left": 0,
        },
    )
    again = run(act_on(), at=AT + timedelta(days=29))
    assert (again.body, again.status, again.replayed) == (refused.body, 409, True)
    assert notes() == []


def test_constraint_of_the_database_is_a_stored_conflict(notes):
    run(act_on("a"), key="k0")
    refused = run(act_on("a"))
    assert (refused.status, refused.body["code"]) == (409, "conflict")
    assert refused.body["constraint"] == "notes_text"
    assert run(act_on("b")).replayed is True
    assert notes() == ["a"]


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ParseError("not JSON"), 400),
        (ValidationError({"text": ["is missing"]}), 422),
    ],
)
def test_malformed_request_is_stored_for_ten_minutes_only(notes, error, status):
    assert run(act_on(error=error)).status == status
    before = run(act_on(), at=AT + timedelta(minutes=9, seconds=59))
    assert (before.status, before.replayed) == (status, True)
    assert notes() == []
    after = run(act_on(), at=AT + timedelta(minutes=10))
    assert (after.status, after.replayed) == (201, False)
    assert notes() == ["a"]


class StatusError(Refusal):
    code = "made_up"


@pytest.mark.parametrize("status", [401, 403, 412, 428, 429, 503])
def test_refusal_that_a_repeat_may_heal_is_never_stored(notes, status, monkeypatch):
    monkeypatch.setattr(StatusError, "status", status)
    with pytest.raises(StatusError):
        run(act_on(error=StatusError("not now")))
    assert (notes(), RequestKey.objects.count()) == ([], 0)
    assert run(act_on()).status == 201
    assert notes() == ["a"]


@pytest.mark.parametrize("error", [ZeroDivisionError("a fault"), OperationalError("gone")])
def test_failure_of_the_service_is_never_stored(notes, error):
    with pytest.raises(type(error)):
        run(act_on(error=error))
    assert (notes(), RequestKey.objects.count()) == ([], 0)
    assert run(act_on()).status == 201


def test_twin_of_a_running_request_is_told_at_once(notes, together):
    started, may_end = threading.Event(), threading.Event()

    def slow_act():
        write("a")
        started.set()
        assert may_end.wait(30)
        return Answer(status=201, body={"text": "a"})

    def twin():
        assert started.wait(30)
        try:
            return run(act_on("b"))
        finally:
            may_end.set()

    first, second = together(lambda: run(slow_act), twin)
    assert first == Answer(status=201, body={"text": "a"})
    assert isinstance(second, IdempotencyInProgressError)
    assert (second.status, second.code, second.retryable) == (409, "idempotency_in_progress", True)
    assert notes() == ["a"]
    assert run(act_on("b")) == Answer(status=201, body={"text": "a"}, replayed=True)


def test_many_twins_at_one_moment_act_once(notes, together):
    answers = together(*[lambda: run(act_on())] * 8)
    acted = [answer for answer in answers if answer == Answer(status=201, body={"text": "a"})]
    others = [answer for answer in answers if answer not in acted]
    assert len(acted) == 1
    assert {
        "in progress" if isinstance(other, IdempotencyInProgressError) else other.replayed
        for other in others
    } <= {"in progress", True}
    assert notes() == ["a"]


def test_key_is_good_for_thirty_days(notes):
    run(act_on("a"))
    assert run(act_on("b"), at=AT + timedelta(days=29, hours=23)).replayed is True
    assert run(act_on("b"), at=AT + timedelta(days=30)).replayed is False
    assert notes() == ["a", "b"]


def test_purge_deletes_what_is_over_and_nothing_else(notes, time_machine):
    run(act_on("a"), key="old", at=AT - timedelta(days=30))
    run(act_on("b"), key="kept", at=AT - timedelta(days=29))
    run(act_on("c", error=ParseError("not JSON")), key="malformed", at=AT - timedelta(minutes=11))
    time_machine.move_to(AT, tick=False)
    purge_request_keys()
    assert list(RequestKey.objects.values_list("key", flat=True)) == ["kept"]


def test_once_does_not_join_a_transaction_that_it_cannot_commit(notes):
    def nested():
        run(act_on("b"), key="k2")
        return Answer(status=201, body={})

    with pytest.raises(RuntimeError, match="durable"):
        run(nested)
    assert notes() == []


def test_nothing_is_kept_when_the_commit_fails(notes, owner):
    owner.execute(
        "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW EXECUTE FUNCTION web_frozen()"
    )
    with pytest.raises(DatabaseError, match="append-only"):
        run(act_on())
    assert (notes(), RequestKey.objects.count()) == ([], 0)


def test_fingerprint_sees_the_value_and_not_its_spelling():
    body = {"text": "a", "price": {"amount": 1, "currency": "USD"}}
    turned = {"price": {"currency": "USD", "amount": 1}, "text": "a"}
    assert fingerprint("POST", "/x", body) == fingerprint("POST", "/x", turned)
    others = {
        fingerprint("POST", "/x", body),
        fingerprint("GET", "/x", body),
        fingerprint("POST", "/y", body),
        fingerprint("POST", "/x", {**body, "text": "A"}),
        fingerprint("POST", "/x", b"{"),
    }
    assert len(others) == 5
