"""The frame of every page says its language and direction; an error page says what stands."""

from __future__ import annotations

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from django.views import defaults


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


def test_what_is_not_there_says_so() -> None:
    answer = defaults.page_not_found(RequestFactory().get("/no-such-page"), Http404())
    assert answer.status_code == 404
    assert "There is no such page" in answer.content.decode()


def test_what_a_role_may_not_do_is_said_in_the_words_of_the_refusal() -> None:
    reason = PermissionDenied("A dealer may not see the exact tray.")
    answer = defaults.permission_denied(RequestFactory().get("/pit/"), reason)
    assert answer.status_code == 403
    assert "A dealer may not see the exact tray." in answer.content.decode()
