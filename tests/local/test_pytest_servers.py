"""The plugin in runs of its own, as each test file of the project meets it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from casino.local.places import PROJECT

NAMED = {"DATABASE_URL": "postgresql://db/baize", "REDIS_URL": "redis://cache"}
NO_BROWSER = {"PATH": "", "CHROMIUM": ""}
TESTS = """
import os, signal, psycopg, pytest

def test_servers():
    with psycopg.connect(os.environ["DATABASE_URL"]) as application:
        assert application.execute("SELECT session_user::text").fetchone() == ("baize_app",)
    with psycopg.connect(os.environ["DATABASE_OWNER_URL"]) as owner:
        assert owner.execute("SELECT session_user::text").fetchone() == ("baize_owner",)
    assert os.environ["REDIS_URL"].startswith("unix://")
    assert "PGPORT" not in os.environ

def test_interrupted():
    os.kill(os.getpid(), signal.SIGINT)

@pytest.mark.browser
def test_page(): pass

def test_rules(): pass
"""


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    browser: drives a browser\n")
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "tmp").mkdir()
    return tmp_path / "test_some.py"


def run_pytest(tests: Path, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "BAIZE_BROWSER"}
    }
    own = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TMPDIR": str(tests.parent / "tmp")}
    command = [sys.executable, "-m", "pytest", "-p", "casino.local.pytest_servers"]
    return subprocess.run(
        [*command, "--rootdir", tests.parent, "-c", tests.parent / "pytest.ini", *options, tests],
        cwd=PROJECT,
        env={**inherited, **own, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def left_behind(tests: Path) -> list[Path]:
    return list((tests.parent / "tmp").glob("baize-*"))


def test_servers_of_its_own_that_leave_nothing_behind(tests: Path) -> None:
    done = run_pytest(tests, "-k", "servers", PGPORT="5433")
    assert "servers: PostgreSQL started for this run, Redis started for this run" in done.stdout
    assert done.returncode == 0, done.stdout
    assert left_behind(tests) == []


def test_nothing_is_left_behind_after_ctrl_c(tests: Path) -> None:
    done = run_pytest(tests, "-k", "interrupted")
    assert done.returncode == signal.SIGINT
    assert left_behind(tests) == []


def test_named_servers_are_used(tests: Path) -> None:
    done = run_pytest(tests, "-k", "rules", **NAMED)
    assert "servers: PostgreSQL from DATABASE_URL, Redis from REDIS_URL" in done.stdout
    assert done.returncode == 0


def test_browser_tests_are_left_out_aloud_without_a_browser(tests: Path) -> None:
    done = run_pytest(tests, "-k", "page or rules", **NAMED, **NO_BROWSER)
    assert "browser: no Chromium found, so the tests marked `browser` are left out" in done.stdout
    assert "1 passed, 3 deselected" in done.stdout


def test_browser_that_is_required_and_absent_is_a_failure(tests: Path) -> None:
    done = run_pytest(tests, **NAMED, **NO_BROWSER, BAIZE_BROWSER="required")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "BAIZE_BROWSER=required, and no Chromium was found" in done.stderr


def test_named_browser_is_used(tests: Path) -> None:
    done = run_pytest(tests, "-k", "page", **NAMED, CHROMIUM="/bin/sh")
    assert "browser: /bin/sh" in done.stdout
    assert "1 passed, 3 deselected" in done.stdout


def test_named_browser_that_is_no_program_is_refused(tests: Path) -> None:
    done = run_pytest(tests, **NAMED, CHROMIUM="/nowhere/chromium")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "CHROMIUM is /nowhere/chromium, which is no program" in done.stderr
