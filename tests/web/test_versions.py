"""Every answer of the API says which dated version it follows; an unknown date is refused."""

from __future__ import annotations

import pytest

from casino.web.models import ApiClient, RequestKey
from tests.programs import Program

pytestmark = [pytest.mark.urls("tests.web.urls"), pytest.mark.django_db(transaction=True)]

BOTH = ["tables:read", "rounds:write"]
OLD, NEW = "2026-04-01", "2027-01-01"


@pytest.fixture
def program(notes):
    return Program(scopes=BOTH, property_id=7)


@pytest.fixture
def newer(program, settings):
    """Let a newer version come after the program was registered."""
    settings.API_VERSIONS = (OLD, NEW)
    settings.API_VERSION = NEW
    return program


def test_a_client_is_pinned_to_the_date_of_its_registration(newer):
    assert newer.get("/notes")["TableOps-Version"] == OLD
    assert Program(scopes=BOTH).get("/notes")["TableOps-Version"] == NEW


def test_a_request_may_name_another_date_that_is_served(newer):
    response = newer.get("/notes", **{"TableOps-Version": NEW})
    assert (response.status_code, response["TableOps-Version"]) == (200, NEW)
    assert ApiClient.objects.get(name=newer.name).api_version == OLD


@pytest.mark.parametrize("named", ["2026-04-02", NEW, "latest", ""])
def test_a_date_that_is_not_served_is_refused_by_name(program, notes, named):
    response = program.post("/notes", {"text": "a"}, key="k", **{"TableOps-Version": named})
    body = response.json()
    assert (response.status_code, body["code"]) == (400, "unknown_version")
    assert body["errors"] == [
        {"header": "TableOps-Version", "detail": "There is no version of this date."}
    ]
    assert body["versions"] == [OLD]
    assert (notes(), RequestKey.objects.count()) == ([], 0)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/notes", 401),
        ("/api/v1/nothing", 404),
        ("/api", 404),
        ("/api/v1/openapi.json", 200),
        ("/api/v1/docs", 200),
    ],
)
def test_every_answer_says_its_version(program, path, status):
    response = program.http.get(path)
    assert (response.status_code, response["TableOps-Version"]) == (status, OLD)


def test_a_page_follows_no_version(program):
    assert "TableOps-Version" not in program.http.get("/sign-in/")
