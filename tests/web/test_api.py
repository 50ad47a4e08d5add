"""The base views, through HTTP, on the small API of `tests/web/urls.py`."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils.timezone import now
from oauth2_provider.models import AccessToken

from casino.web.models import RequestKey
from tests.programs import Program

pytestmark = [pytest.mark.urls("tests.web.urls"), pytest.mark.django_db(transaction=True)]

BOTH = ["tables:read", "rounds:write"]


@pytest.fixture
def program(notes):
    return Program(scopes=BOTH, property_id=7)


def problem(response):
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    assert body["status"] == response.status_code
    assert body["request_id"] == response["Request-Id"]
    return body


# --- who may ask


def test_missing_token_is_told_how_to_come_in(program):
    response = program.http.get("/api/v1/notes")
    assert (response.status_code, problem(response)["code"]) == (401, "invalid_token")
    assert response["WWW-Authenticate"].startswith('Bearer realm="api"')


def test_expired_token_is_told_so(program):
    AccessToken.objects.update(expires=now() - timedelta(seconds=1))
    response = program.get("/notes")
    assert (response.status_code, problem(response)["code"]) == (401, "expired_token")


def test_token_without_the_scope_is_refused_by_its_name(notes):
    reader = Program(scopes=["tables:read"])
    response = reader.post("/notes", {"text": "a"})
    body = problem(response)
    assert (response.status_code, body["code"]) == (403, "insufficient_scope")
    assert body["required_scopes"] == ["rounds:write"]
    assert notes() == []


def test_client_gets_no_scope_beyond_its_own(notes):
    reader = Program(scopes=["tables:read"])
    assert reader.ask_for_token(scope="rounds:write").json() == {"error": "invalid_scope"}
    assert reader.ask_for_token().json()["scope"] == "tables:read"


def test_token_of_no_property_reaches_nothing(program):
    AccessToken.objects.first().application.api_client.delete()
    response = program.get("/notes")
    assert (response.status_code, problem(response)["code"]) == (403, "insufficient_scope")


def test_client_acts_in_its_own_property(program):
    assert program.get("/notes/not_1").json()["text"] == "of property 7"


def test_rotation_ends_the_old_secret_and_its_tokens(program, capsys):
    from django.core.management import call_command

    call_command("api_client", program.name, "--rotate")
    secret = capsys.readouterr().out.split()[-1]
    assert program.get("/notes").status_code == 401
    assert program.ask_for_token().status_code == 401
    assert program.ask_for_token(secret=secret).status_code == 200


def test_token_stands_in_the_header_and_nowhere_else(program, notes):
    in_address = program.http.get("/api/v1/notes", {"access_token": program.token})
    in_form = program.http.post(
        "/api/v1/notes",
        {"access_token": program.token, "text": "a"},
        headers={"Idempotency-Key": "k"},
    )
    for response in (in_address, in_form):
        assert (response.status_code, problem(response)["code"]) == (401, "invalid_token")
    assert notes() == []


# --- reading


def test_list_answers_page_after_page_and_no_row_twice(program):
    for text in "abcde":
        program.post("/notes", {"text": text})
    texts, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        page = program.get("/notes", {"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        assert page["has_more"] is (page["next_cursor"] is not None)
        texts += [row["text"] for row in page["data"]]
        cursor, pages = page["next_cursor"], pages + 1
    assert (texts, pages) == (list("abcde"), 3)


def test_rows_that_come_meanwhile_shift_no_page(program):
    program.post("/notes", {"text": "a"})
    program.post("/notes", {"text": "b"})
    cursor = program.get("/notes", {"limit": 1}).json()["next_cursor"]
    program.post("/notes", {"text": "c"})
    rows = program.get("/notes", {"cursor": cursor}).json()["data"]
    assert [row["text"] for row in rows] == ["b", "c"]


@pytest.mark.parametrize(
    ("query", "code", "parameter"),
    [
        ({"colour": "red"}, "invalid_parameter", "colour"),
        ({"format": "xml"}, "invalid_parameter", "format"),
        ({"limit": "0"}, "invalid_parameter", "limit"),
        ({"limit": "201"}, "invalid_parameter", "limit"),
        ({"limit": "many"}, "invalid_parameter", "limit"),
        ({"limit": ["1", "2"]}, "invalid_parameter", "limit"),
        ({"starts_with": "\0"}, "invalid_parameter", "starts_with"),
        ({"cursor": "made-up"}, "invalid_cursor", "cursor"),
        ({"cursor": "WzAsMV0:AAAA"}, "invalid_cursor", "cursor"),
    ],
)
def test_parameter_that_is_unknown_or_not_valid_is_named(program, query, code, parameter):
    response = program.get("/notes", query)
    body = problem(response)
    assert (response.status_code, body["code"]) == (400, code)
    assert [fault["parameter"] for fault in body["errors"]] == [parameter]


def test_cursor_of_another_filter_or_client_is_refused(program):
    for text in ("aa", "ab", "ac"):
        program.post("/notes", {"text": text})
    cursor = program.get("/notes", {"limit": 1, "starts_with": "a"}).json()["next_cursor"]
    assert program.get("/notes", {"cursor": cursor, "starts_with": "a"}).status_code == 200
    other_filter = program.get("/notes", {"cursor": cursor})
    other_client = Program(scopes=BOTH).get("/notes", {"cursor": cursor, "starts_with": "a"})
    for response in (other_filter, other_client):
        assert (response.status_code, problem(response)["code"]) == (400, "invalid_cursor")


def test_answers_are_not_kept_by_others(program):
    assert program.get("/notes")["Cache-Control"] == "no-store"


# --- writing


def test_write_answers_its_record_and_a_repeat_the_same(program, notes):
    first = program.post("/notes", {"text": "a"}, key="k")
    again = program.post("/notes", {"text": "a"}, key="k")
    assert (first.status_code, first.json()) == (
        201,
        {"id": "not_1", "text": "a", "price": {"amount": 100, "currency": "USD"}},
    )
    assert (again.status_code, again.content) == (201, first.content)
    assert (first.get("Idempotent-Replayed"), again["Idempotent-Replayed"]) == (None, "true")
    assert notes() == ["a"]


@pytest.mark.parametrize("key", [None, "x" * 65, "with space", "\u00e9"])
def test_write_without_a_usable_key_is_refused(program, notes, key):
    response = program.post("/notes", {"text": "a"}, key=key)
    assert (response.status_code, problem(response)["code"]) == (400, "idempotency_key_required")
    assert (notes(), RequestKey.objects.count()) == ([], 0)


def test_used_key_with_another_body_is_refused(program, notes):
    program.post("/notes", {"text": "a"}, key="k")
    response = program.post("/notes", {"text": "b"}, key="k")
    assert (response.status_code, problem(response)["code"]) == (422, "idempotency_key_reused")
    assert notes() == ["a"]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/text"]),
        ({"text": "a", "txet": "b"}, ["/txet"]),
        ({"text": "a", "a/b~c": 1}, ["/a~1b~0c"]),
        ({"text": "a", "price": {"amount": "100", "currency": "USD"}}, ["/price/amount"]),
        ({"text": "a", "price": {"amount": 100.0, "currency": "USD"}}, ["/price/amount"]),
        ({"text": "a", "price": {"amount": True, "currency": "USD"}}, ["/price/amount"]),
        ({"text": "a", "price": {"amount": -1, "currency": "USD"}}, ["/price/amount"]),
        ({"text": "a", "price": {"amount": 2**53, "currency": "USD"}}, ["/price/amount"]),
        ({"text": "a", "price": {"amount": 1, "currency": "usd"}}, ["/price/currency"]),
        ({"text": "a", "price": {"amount": 1}}, ["/price/currency"]),
        (["text"], [""]),
    ],
)
def test_body_that_is_not_valid_is_refused_by_its_members(program, notes, body, pointers):
    response = program.post("/notes", body)
    said = problem(response)
    assert (response.status_code, said["code"]) == (422, "validation_failed")
    assert [fault["pointer"] for fault in said["errors"]] == pointers
    assert notes() == []


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"text": NaN}',
        b'{"text": 1e999}',
        b'{"text": "a", "text": "b"}',
        b'{"text": "\\ud800"}',
        b'{"text": "\\u0000"}',
        b'{"text": "\xff"}',
        b"[" * 100_000,
    ],
)
def test_body_that_is_not_json_is_refused_and_its_key_spent(program, notes, body):
    response = program.post("/notes", body, key="k")
    assert (response.status_code, problem(response)["code"]) == (400, "malformed_json")
    again = program.post("/notes", body, key="k")
    assert (again.status_code, again["Idempotent-Replayed"]) == (400, "true")
    fixed = program.post("/notes", {"text": "a"}, key="k")
    assert (fixed.status_code, problem(fixed)["code"]) == (422, "idempotency_key_reused")
    assert notes() == []


def test_escaped_backslash_before_u0000_is_only_text(program, notes):
    assert program.post("/notes", b'{"text": "\\\\u0000"}').status_code == 201
    assert notes() == ["\\u0000"]


def test_body_of_another_type_is_refused(program, notes):
    for content_type in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data"):
        response = program.post("/notes", "text=a", key="k", content_type=content_type)
        assert (response.status_code, problem(response)["code"]) == (415, "unsupported_media_type")
    assert notes() == []


def test_body_that_is_too_large_is_refused(program, notes, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    response = program.post("/notes", {"text": "a" * 100})
    assert (response.status_code, problem(response)["code"]) == (413, "body_too_large")
    assert notes() == []


# --- what goes wrong


def test_refusal_is_a_problem_with_every_member(program, notes):
    response = program.http.post(
        "/api/v1/notes",
        {"text": "a", "fault": "refused"},
        content_type="application/json",
        headers={
            "Authorization": f"Bearer {program.token}",
            "Idempotency-Key": "k",
            "Request-Id": "cage-77",
        },
    )
    assert response.status_code == 409
    assert problem(response) == {
        "type": "https://errors.baize.example/drawer-empty",
        "title": "The drawer is empty",
        "status": 409,
        "detail": "Nothing is left.",
        "instance": "/api/v1/notes",
        "code": "drawer_empty",
        "request_id": "cage-77",
        "retryable": False,
        "errors": [{"pointer": "/text", "detail": "Nothing is left."}],
        "left": 0,
    }
    assert notes() == []


@pytest.mark.parametrize(
    ("fault", "said", "is_spent"),
    [
        ("stale", (412, "version_conflict", False), False),
        ("constraint", (409, "conflict", False), True),
        ("integrity without a name", (409, "conflict", False), True),
        ("database away", (503, "unavailable", True), False),
    ],
)
def test_what_an_act_meets_becomes_a_problem(program, notes, fault, said, is_spent):
    response = program.post("/notes", {"text": "a", "fault": fault})
    body = problem(response)
    assert (response.status_code, body["code"], body["retryable"]) == said
    assert RequestKey.objects.exists() is is_spent
    assert notes() == []


@pytest.mark.parametrize("way", ["get", "post"])
def test_fault_of_ours_tells_nothing_and_changes_nothing(program, notes, way, caplog):
    program.http.raise_request_exception = False
    response = (
        program.get("/notes/not_5")
        if way == "get"
        else program.post("/notes", {"text": "a", "fault": "bug"})
    )
    body = problem(response)
    assert (response.status_code, body["code"], body["retryable"]) == (500, "internal", True)
    assert "secret" not in response.content.decode()
    assert "a secret of the house" in caplog.text
    assert (notes(), RequestKey.objects.count()) == ([], 0)


def test_fault_of_ours_reaches_error_reporters(program):
    with pytest.raises(ZeroDivisionError):
        program.get("/notes/not_5")


@pytest.mark.parametrize(
    "path", ["/notes/not_11", "/notes/fil_1", "/notes/not_0", "/nothing", "/notes/", "/tables/", ""]
)
def test_what_does_not_exist_is_a_problem_too(program, path):
    response = program.get(path)
    assert (response.status_code, problem(response)["code"]) == (404, "not_found")


def test_page_that_does_not_exist_is_no_problem_document(program):
    response = program.http.get("/nothing")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")


def test_other_methods_and_types_are_refused(program):
    headers = {"Authorization": f"Bearer {program.token}"}
    method = program.http.delete("/api/v1/notes", headers=headers)
    assert (method.status_code, problem(method)["code"]) == (405, "method_not_allowed")
    assert method["Allow"] == "GET, HEAD, POST"
    options = program.http.options("/api/v1/notes/not_1", headers=headers)
    assert (options.status_code, problem(options)["code"]) == (405, "method_not_allowed")
    assert options["Allow"] == "GET, HEAD"
    accept = program.get("/notes", Accept="text/csv")
    assert (accept.status_code, problem(accept)["code"]) == (406, "not_acceptable")


def test_head_is_answered_as_get(program):
    headers = {"Authorization": f"Bearer {program.token}"}
    response = program.http.head("/api/v1/notes", headers=headers)
    assert (response.status_code, response.content) == (200, b"")


def test_stored_body_is_json_as_it_was_sent(program):
    program.post("/notes", {"text": "\u724c\u4e5d"}, key="k")
    stored = RequestKey.objects.get(key="k")
    assert json.loads(json.dumps(stored.body))["text"] == "\u724c\u4e5d"
