"""What every page tells a browser not to do, and what its cookies may: error pages included."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

pytestmark = pytest.mark.django_db

PAGES = {
    "/sign-in/": 200,
    "/sign-in/tablet/": 403,
    "/nothing": 404,
    "/pit/": 302,
    "/tablet/enrol/made-up": 404,
    "/sign-out/": 405,
    "/api/v1/docs": 200,
    "/api/v1/nothing": 404,
}
PRODUCTION = {
    "DATABASE_URL": "postgresql://baize_app@/baize?host=/nowhere",
    "REDIS_URL": "redis://nowhere",
    "SECRET_KEY": "0123456789 abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOP",
    "PIN_PEPPER": "another long random text",
    "ALLOWED_HOSTS": "casino.example",
}


@pytest.mark.parametrize("path", PAGES)
def test_every_page_carries_the_same_guards(client, path):
    response = client.get(path)
    assert response.status_code == PAGES[path]
    policy = response["Content-Security-Policy"].split("; ")
    assert sorted(policy) == [
        "base-uri 'none'",
        "default-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "object-src 'none'",
        "style-src 'self'",
    ]
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Referrer-Policy"] in {"same-origin", "strict-origin"}


def test_a_fault_carries_them_too(client, monkeypatch):
    def fail(*_arguments: object, **_named: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("casino.staff.views._form_page", fail)
    client.raise_request_exception = False
    response = client.get("/sign-in/")
    assert response.status_code == 500
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"


def test_an_enrolment_address_is_told_to_no_other_page(client):
    assert client.get("/tablet/enrol/made-up")["Referrer-Policy"] == "strict-origin"


def test_cookies_are_no_scripts_business(client):
    client.get("/sign-in/")
    cookie = client.cookies["csrftoken"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")


def addresses(patterns, before="/"):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, before + str(pattern.pattern))
        elif isinstance(pattern, URLPattern):
            yield before + str(pattern.pattern)


FORMS = sorted(
    address
    for address in addresses(get_resolver("casino.urls").url_patterns)
    if not address.startswith(("/api/", "/o/", "/static"))
)


@pytest.mark.parametrize("address", FORMS)
def test_no_page_takes_a_form_from_elsewhere(address):
    """A form without our token does nothing: it is refused as such, or no form is taken at all."""
    browser = Client(enforce_csrf_checks=True)
    path = re.sub(r"<[^>]+>", "1", address.replace("<books_file:form>", "csv"))
    response = browser.post(path, {"number": "PB-004"})
    assert response.status_code == 403
    assert "This form is too old, or not from here" in response.content.decode()


@pytest.mark.parametrize("host", ["casino.example@evil.example", "evil.example", "evil.example:80"])
def test_another_host_is_not_served(client, settings, host):
    settings.ALLOWED_HOSTS = ["casino.example"]
    response = client.get("/sign-in/", headers={"Host": host})
    assert response.status_code == 400
    assert "The request is not well formed" in response.content.decode()
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


def test_the_checks_of_a_deployment_find_nothing():
    """As the runbook asks before a release; what is silenced has its reason in the settings."""
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        env={**os.environ, **PRODUCTION, "DJANGO_SETTINGS_MODULE": "casino.settings.production"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_production_answers_by_tls_alone():
    code = (
        "import django; django.setup()\n"
        "from django.conf import settings as s\n"
        "print(s.SECURE_SSL_REDIRECT, s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE,"
        " s.SECURE_HSTS_SECONDS, s.DEBUG, s.ALLOWED_HOSTS)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **PRODUCTION, "DJANGO_SETTINGS_MODULE": "casino.settings.production"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[0] == "True True True 31536000 False ['casino.example']"


def test_a_session_lasts_two_shifts(settings):
    assert settings.SESSION_COOKIE_AGE == 16 * 3600
    assert settings.SESSION_COOKIE_SAMESITE == "Lax"
