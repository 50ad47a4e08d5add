"""The frame of every page says its language and direction; an error page says what stands."""

from __future__ import annotations

import json
import re

import pytest
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from django.views import defaults

from casino.web import problems


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl"), ("fa", "rtl")])
def test_a_page_says_its_language_and_direction(language: str, direction: str) -> None:
    with translation.override(language):
        page = render_to_string("web/base.html")
    assert f'<html lang="{language}" dir="{direction}"' in page


def test_a_page_has_nothing_that_the_security_policy_refuses() -> None:
    page = render_to_string("web/base.html")
    assert re.findall(r"<style|<script(?![^>]* src=)|\sstyle=|\son[a-z]+=", page) == []
    assert '"includeIndicatorStyles": false, "allowEval": false' in page


def test_the_server_error_page_needs_no_request_and_no_database() -> None:
    answer = defaults.server_error(RequestFactory().get("/"))
    assert answer.status_code == 500
    assert "it stands whole or not at all" in answer.content.decode()


def answer_to(error: Exception, request: HttpRequest) -> HttpResponseBase:
    try:
        raise error
    except type(error):
        return problems.server_error(request)


@pytest.mark.parametrize("away", [OperationalError("gone"), InterfaceError("closed")])
def test_a_page_can_be_asked_for_again_while_the_database_is_away(away: Exception) -> None:
    answer = answer_to(away, RequestFactory().get("/tablet/?seat=2&view=void"))
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert 'href="/tablet/?seat=2&amp;view=void">Try again</a>' in answer.content.decode()


def test_a_form_is_sent_again_from_its_own_page_while_the_database_is_away() -> None:
    answer = answer_to(OperationalError("gone"), RequestFactory().post("/tablet/buy-in/"))
    assert answer.status_code == 503
    assert "the same form sent twice counts once" in answer.content.decode()
    assert "Try again" not in answer.content.decode()


def test_a_program_is_told_that_it_may_send_the_same_again() -> None:
    answer = answer_to(OperationalError("gone"), RequestFactory().post("/api/v1/rounds"))
    assert answer.status_code == 503
    assert json.loads(answer.content)["code"] == "unavailable"
    assert json.loads(answer.content)["retryable"] is True


def test_a_fault_is_no_such_thing() -> None:
    answer = answer_to(ZeroDivisionError("a fault"), RequestFactory().get("/tablet/"))
    assert answer.status_code == 500
    assert "it stands whole or not at all" in answer.content.decode()


def test_what_is_not_there_says_so() -> None:
    answer = defaults.page_not_found(RequestFactory().get("/no-such-page"), Http404())
    assert answer.status_code == 404
    assert "There is no such page" in answer.content.decode()


def test_what_a_role_may_not_do_is_said_in_the_words_of_the_refusal() -> None:
    reason = PermissionDenied("A dealer may not see the exact tray.")
    answer = defaults.permission_denied(RequestFactory().get("/pit/"), reason)
    assert answer.status_code == 403
    assert "A dealer may not see the exact tray." in answer.content.decode()
