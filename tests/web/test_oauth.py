"""Tokens are for programs with a secret, by one grant; nothing of them stands in an address."""

from __future__ import annotations

import pytest
from oauth2_provider.models import AccessToken

from tests.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def program():
    return Program(scopes=["tables:read"])


def ask(program: Program, address: str, **form: str):
    return program.http.post(
        address, {"client_id": program.client_id, "client_secret": program.secret, **form}
    )


def introspect(program: Program, token: str):
    return ask(program, "/o/introspect/", token=token)


def test_a_secret_may_come_in_the_body(program):
    answer = ask(program, "/o/token/", grant_type="client_credentials")
    assert (answer.status_code, answer.json()["token_type"]) == (200, "Bearer")
    assert answer.json()["expires_in"] == 900
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "form",
    [
        {"grant_type": "password", "username": "PB-004", "password": "x"},
        {"grant_type": "authorization_code", "code": "x", "redirect_uri": "https://a.example"},
        {"grant_type": "refresh_token", "refresh_token": "x"},
        {"grant_type": "made-up"},
        {},
    ],
)
def test_no_other_grant_is_given(program, form):
    before = AccessToken.objects.count()
    answer = ask(program, "/o/token/", **form)
    assert answer.status_code == 400
    assert answer.json()["error"] in {
        *("unsupported_grant_type", "unauthorized_client", "invalid_grant", "invalid_request"),
    }
    assert AccessToken.objects.count() == before


def test_a_wrong_secret_gets_none(program):
    for secret in ("", "wrong", program.secret.upper(), program.secret + " "):
        answer = ask(program, "/o/token/", grant_type="client_credentials", client_secret=secret)
        assert (answer.status_code, answer.json()) == (401, {"error": "invalid_client"})
    assert AccessToken.objects.count() == 1


@pytest.mark.parametrize("address", ["/o/token/", "/o/revoke_token/", "/o/introspect/"])
def test_nothing_is_asked_for_in_an_address(program, address):
    given = {
        "grant_type": "client_credentials",
        "client_id": program.client_id,
        "client_secret": program.secret,
        "token": program.token,
    }
    answer = program.http.get(address, given)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert AccessToken.objects.count() == 1


def test_a_secret_in_an_address_is_refused(program):
    answer = program.http.post(
        f"/o/token/?client_id={program.client_id}&client_secret={program.secret}",
        {"grant_type": "client_credentials"},
    )
    assert answer.status_code in {400, 401}
    assert AccessToken.objects.count() == 1


def test_a_token_is_stored_as_its_hash(program):
    stored = AccessToken.objects.values().get()
    assert program.token not in str(stored)


def test_a_program_ends_its_own_token(program):
    assert ask(program, "/o/revoke_token/", token=program.token).status_code == 200
    answer = program.get("/property")
    assert (answer.status_code, answer.json()["code"]) == (401, "invalid_token")


def test_no_program_ends_anothers(program):
    other = Program(scopes=["tables:read"])
    ask(other, "/o/revoke_token/", token=program.token)
    assert AccessToken.objects.filter(application__client_id=program.client_id).count() == 1


def test_a_program_is_told_of_its_token(program):
    told = introspect(program, program.token).json()
    assert (told["active"], told["scope"], told["client_id"]) == (
        True,
        "tables:read",
        program.client_id,
    )


def test_nobody_else_is_told_anything(program):
    answer = program.http.post("/o/introspect/", {"token": program.token})
    assert answer.status_code in {401, 403}
    assert "tables:read" not in answer.content.decode()


@pytest.mark.parametrize("path", ["authorize/", "applications/", "authorized_tokens/", "device/"])
def test_the_providers_pages_are_not_served(client, path):
    assert client.get(f"/o/{path}").status_code == 404
