"""One Chromium for all browser tests; a page that meets an error of its own fails its test."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from casino.local.chromium import find_chromium
from tests.browser import gallery

TABLET = {"width": 1280, "height": 800}
REFUSALS = (
    *(
        f"Failed to load resource: the server responded with a status of {status} "
        for status in (400, 403, 404, 409, 412, 422, 429, 502)
    ),
    "Response Status Error Code 502 ",
)
"""What Chromium and htmx say of an answer that the pages are made for."""


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
        if message.type in {"error", "warning"} and not message.text.startswith(REFUSALS):
            said.append(message.text)

    context = chromium.new_context(viewport=TABLET, locale="en-US")
    opened = context.new_page()
    opened.on("console", listen)
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert said == []


@pytest.fixture
def server(transactional_db: None, truncate_guards: object) -> Iterator[str]:
    """Serve the whole product on the test's database, by the server of production."""
    from casino.asgi import application

    config = uvicorn.Config(
        application, lifespan="off", log_level="warning", timeout_graceful_shutdown=1
    )
    serving = uvicorn.Server(config)
    # Whoever connects before the thread is ready waits in the socket's queue.
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            serving.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def components() -> Iterator[str]:
    """Serve the sample pages of all components."""
    with gallery.served() as address:
        yield address
