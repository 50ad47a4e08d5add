"""The API describes itself, offline and to anybody."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command

from casino.web.description import describe

pytestmark = pytest.mark.django_db

PROBLEMS = {"400", "401", "403", "404", "405", "406", "429", "500", "503"}


def test_description_validates_without_a_warning(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "x.yaml"))


def test_description_is_public_openapi_3_1(client):
    response = client.get("/api/v1/openapi.json")
    assert response.status_code == 200
    assert response.json()["openapi"] == "3.1.0"


def test_every_operation_names_its_scopes_and_its_problems(client):
    described = client.get("/api/v1/openapi.json").json()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            assert operation["security"][0]["oauth2"], f"{method} {path}"
            assert set(operation["responses"]) >= PROBLEMS, f"{method} {path}"


@pytest.mark.urls("tests.web.urls")
def test_list_is_described_as_a_page_of_rows(client):
    described = client.get("/api/v1/openapi.json").json()
    listing = described["paths"]["/api/v1/notes"]["get"]
    assert listing["operationId"] == "notes_list"
    assert listing["responses"]["200"]["content"]["application/json"]["schema"] == {
        "$ref": "#/components/schemas/NoteOutputPage"
    }
    assert described["components"]["schemas"]["NoteOutputPage"]["properties"]["data"] == {
        "type": "array",
        "items": {"$ref": "#/components/schemas/NoteOutput"},
    }


@pytest.mark.urls("tests.web.urls")
def test_write_describes_key_body_and_answers(client):
    described = client.get("/api/v1/openapi.json").json()
    write = described["paths"]["/api/v1/notes"]["post"]
    assert write["security"] == [{"oauth2": ["rounds:write"]}]
    assert {parameter["name"]: parameter.get("required") for parameter in write["parameters"]} == {
        "Idempotency-Key": True,
        "TableOps-Version": None,
    }
    assert list(write["requestBody"]["content"]) == ["application/json"]
    assert set(write["responses"]) == PROBLEMS | {
        *("201", "409", "412", "413", "415", "422", "428"),
    }


def test_page_for_people_runs_under_the_content_security_policy(client):
    page = client.get("/api/v1/docs").content.decode()
    assert 'data-address="/api/v1/openapi.json"' in page
    assert re.findall(r"<style|<script(?![^>]* src=)|\sstyle=|\son[a-z]+=", page) == []
    assert re.findall(r"(?:src|href)=\"(?!/|data:)[^\"]*", page) == []


def test_every_answer_is_described_with_its_version(client):
    described = client.get("/api/v1/openapi.json").json()
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                assert "TableOps-Version" in answer["headers"], f"{method} {path} {status}"
            assert "Retry-After" in operation["responses"]["429"]["headers"], f"{method} {path}"


def test_description_is_drawn_once_for_all(client):
    client.get("/api/v1/openapi.json")
    before = describe.cache_info()
    client.get("/api/v1/openapi.json")
    after = describe.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)


def test_description_is_kept_by_whoever_has_it(client):
    first = client.get("/api/v1/openapi.json")
    assert first["Cache-Control"] == "public, max-age=300"
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Cache-Control"] == first["Cache-Control"]
    changed = client.get("/api/v1/openapi.json", headers={"If-None-Match": '"another"'})
    assert (changed.status_code, changed.content) == (200, first.content)


@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/api/v1/docs"])
def test_descriptions_are_read_only(client, path):
    response = client.post(path)
    assert response.status_code == 405
    assert response["Content-Type"] == "application/problem+json"
    assert response["Allow"] == "GET, HEAD"
    assert response.json()["code"] == "method_not_allowed"
    assert client.head(path).status_code == 200
