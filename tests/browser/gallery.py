"""Every component on sample pages, served as the product serves: same partials, same CSP.

`python -m tests.browser.gallery` serves it for looking at; tests/browser drives it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

TEMPLATES = Path(__file__).parent / "templates"
SCREENS = (
    *("art", "round", "tiles", "cards", "settlement", "count"),
    *("office", "floor", "entry", "books"),
)
STREAMS = {
    "events": b"event: heartbeat\ndata: {}\n\n",
    "one-event": b"id: 4-0\nevent: round.settled\ndata: {}\n\n",
}
"""What each stream says before it falls silent; `ended` closes at once."""


def content_security_policy() -> str:
    """Return the header as the product's settings write it."""
    from django.conf import settings

    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    return "; ".join(f"{name} {' '.join(values)}" for name, values in directives.items())


def screen(name: str, *, language: str, stream: str) -> str:
    """Return one screen in *language* (its direction follows), listening to *stream*."""
    from django.template import Context
    from django.template.engine import Engine
    from django.utils import translation

    from tests.browser import samples

    engine = Engine(dirs=[TEMPLATES], app_dirs=True, libraries=libraries())
    with translation.override(language):
        context = Context({"screen": name, "stream": f"/{stream}", **samples.context()})
        return str(engine.get_template(f"gallery/{name}.html").render(context))


def libraries() -> dict[str, str]:
    """Return every tag library of the installed apps, by name."""
    from django.template.backends.django import get_installed_libraries

    return dict(get_installed_libraries())


CLOSING = threading.Event()
RELEASED = threading.Event()
"""The stream `held` says its event when `/release` is asked for."""


class Handler(BaseHTTPRequestHandler):
    """Answers pages and static files; nothing is kept between two requests."""

    def do_GET(self) -> None:
        """Answer `/<screen>?lang=…` or `/static/…`."""
        from django.contrib.staticfiles import finders

        address = urlsplit(self.path)
        name = address.path.strip("/") or "art"
        if name.startswith("static/"):
            found = finders.find(name.removeprefix("static/"))
            if isinstance(found, str):
                self.answer(Path(found).read_bytes(), guess_type(found)[0] or "text/plain")
            else:
                self.send_error(404)
        elif name in SCREENS:
            asked = parse_qs(address.query)
            page = screen(
                name,
                language=asked.get("lang", ["en"])[0],
                stream=asked.get("stream", ["events"])[0],
            )
            self.answer(page.encode(), "text/html; charset=utf-8")
        elif name == "redrawn":
            self.answer(b"Redrawn", "text/html; charset=utf-8")
        elif name == "ended":
            self.answer(b"id: 7-0\nevent: seat.taken\ndata: {}\n\n", "text/event-stream")
        elif name == "held":
            RELEASED.clear()
            self.stream(STREAMS["events"], until=RELEASED)
            self.wfile.write(STREAMS["one-event"])
        elif name == "release":
            RELEASED.set()
            self.answer(b"", "text/plain")
        elif name in STREAMS:
            self.stream(STREAMS[name])
        else:
            self.send_error(404)

    def answer(self, body: bytes, kind: str) -> None:
        """Send *body* under the product's content security policy."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", content_security_policy())
        self.end_headers()
        self.wfile.write(body)

    def stream(self, said: bytes, *, until: threading.Event = CLOSING) -> None:
        """Say *said*, then stay open and silent until the gallery closes, or for as long."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.wfile.write(said)
        self.wfile.flush()
        until.wait()

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test's output to the test."""


@contextmanager
def served(port: int = 0) -> Iterator[str]:
    """Serve the gallery on this computer alone and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        CLOSING.set()
        RELEASED.set()
        server.shutdown()
        thread.join()
        server.server_close()


def main() -> None:
    """Serve until interrupted."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings.test")
    django.setup()
    with served(8010) as address:
        print(address)  # noqa: T201  a script says where it is
        threading.Event().wait()


if __name__ == "__main__":
    main()
