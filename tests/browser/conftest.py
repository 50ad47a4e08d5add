"""One Chromium for all browser tests; a page that meets an error of its own fails its test."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from casino.local.chromium import find_chromium
from tests.browser import gallery

TABLET = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Start the Chromium that the run was promised.

    Not for the whole run: while Playwright is open an event loop runs in this thread, where
    other modules' asynchronous tests want to run theirs.
    """
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Django takes that loop for a caller that must not block; here nothing waits on it.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(
            executable_path=find_chromium(os.environ), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """Open a tablet whose console must stay free of errors (the security policy's included)."""
    said: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            said.append(message.text)

    context = chromium.new_context(viewport=TABLET, locale="en-US")
    opened = context.new_page()
    opened.on("console", listen)
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert said == []


@pytest.fixture(scope="session")
def components() -> Iterator[str]:
    """Serve the sample pages of all components."""
    with gallery.served() as address:
        yield address
