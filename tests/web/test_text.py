"""What cannot be stored is refused before it is looked for: no address, cookie or field fails."""

from __future__ import annotations

from base64 import b64encode

import pytest
from django.test import Client

from tests.programs import Program

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "address",
    [
        "/pit/?pit=%00",
        "/sign-in/?%00=1",
        "/tablet/?search=%00",
        "/tablet/enrol/%00",
        "/api/v1/ledger/accounts/%00/balance",
        "/api/v1/ledger/accounts/1120/table:%00/balance",
        "/api/v1/tables/tbl_%00",
    ],
)
def test_an_address_with_the_character_0_is_refused(address):
    program = Program(scopes=["ledger:read", "tables:read"])
    answer = program.http.get(address, headers={"Authorization": f"Bearer {program.token}"})
    assert answer.status_code == 400


def test_a_program_is_told_what_is_wrong():
    answer = Client().get("/api/v1/tables/tbl_%00")
    assert answer.json()["code"] == "malformed_request"
    assert answer.json()["request_id"] == answer["Request-Id"]


@pytest.mark.parametrize("name", ["sessionid", "baize_device", "csrftoken"])
@pytest.mark.parametrize("address", ["/healthz", "/sign-in/", "/api/v1/tables"])
def test_a_cookie_with_the_character_0_is_refused(name, address):
    # Written out, as a browser would not: the test client's own cookies are quoted.
    answer = Client(headers={"Cookie": f'{name}="aaaaaaaa\\000"'}).get(address)
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "form", [{"number": "DL-210\0", "password": "x"}, {"number": "DL-210", "\0": ""}]
)
def test_a_form_with_the_character_0_is_refused(form):
    assert Client().post("/sign-in/", form).status_code == 400


@pytest.mark.parametrize("sent", [b"a\0:b", b"a:b\0"])
@pytest.mark.parametrize("address", ["/o/token/", "/o/introspect/", "/o/revoke_token/"])
def test_credentials_with_the_character_0_are_refused(sent, address):
    header = f"Basic {b64encode(sent).decode()}"
    answer = Client().post(address, {"token": "x"}, headers={"Authorization": header})
    assert answer.status_code == 400


@pytest.mark.parametrize("header", ["Basic é", "Basic a"])
def test_credentials_that_are_no_base64_are_refused(header):
    form = {"grant_type": "client_credentials"}
    answer = Client().post("/o/token/", form, headers={"Authorization": header})
    assert answer.status_code == 400
