"""Where everything lies: all follows from the state folder, before anything is started.

So `./baize manage` in another terminal finds the servers that `./baize up` started.
"""

import contextlib
import hashlib
import os
import pwd
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from casino.local.children import OsUser
from casino.local.errors import StateFolderError

PROJECT: Final = Path(__file__).resolve().parents[2]
LONGEST_SOCKET_PATH: Final = 80
"""Characters; systems allow 104 to 108 bytes, and a character may take more than one."""
SHORT_PARENT: Final = Path("/tmp")  # noqa: S108 - owner and mode are checked in make_private
"""Never TMPDIR: two terminals may differ in it and must find the same sockets."""
ROOT_PARENT: Final = Path("/var/lib")
"""Where root's data goes when PostgreSQL's user cannot reach the state folder."""

OWNER_LOGIN: Final = "baize_owner"
APPLICATION_LOGIN: Final = "baize_app"
DATABASE: Final = "baize"


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The folders, sockets and addresses of one state folder."""

    state: Path
    base: Path
    """What PostgreSQL's user must reach; the state folder, but for root under a closed parent."""
    sockets: Path
    postgres_user: OsUser | None
    """Who runs PostgreSQL, which refuses root; None: whoever runs the launcher."""

    @classmethod
    def of(cls, state: Path) -> "Places":
        """Return the places of an absolute state folder, which need not exist yet."""
        tag = hashlib.sha256(os.fsencode(state)).hexdigest()[:10]
        user = _postgres_user()
        base = state if user is None or reachable_by_others(state) else ROOT_PARENT / f"baize-{tag}"
        sockets = base / "run"
        if len(str(_postgres_socket(sockets))) > LONGEST_SOCKET_PATH:
            sockets = SHORT_PARENT / f"baize-{os.geteuid()}-{tag}"
        return cls(state=state, base=base, sockets=sockets, postgres_user=user)

    @property
    def postgres_data(self) -> Path:
        return self.base / "postgres"

    @property
    def postgres_sockets(self) -> Path:
        return self.sockets / "postgres"

    @property
    def postgres_socket(self) -> Path:
        return _postgres_socket(self.sockets)

    @property
    def valkey_data(self) -> Path:
        return self.state / "valkey"

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def lock(self) -> Path:
        return self.state / "lock"

    @property
    def children(self) -> Path:
        return self.state / "children.json"

    @property
    def secrets(self) -> Path:
        return self.state / "secrets.json"

    def log(self, name: str) -> Path:
        return self.state / f"{name}.log"

    @property
    def database_url(self) -> str:
        """The application's address: it may do what the migrations granted, no more."""
        return f"postgresql://{APPLICATION_LOGIN}@/{DATABASE}?host={self.postgres_sockets}"

    @property
    def database_owner_url(self) -> str:
        """The address of the migrations' login, which owns the database."""
        return f"postgresql://{OWNER_LOGIN}@/{DATABASE}?host={self.postgres_sockets}"

    @property
    def redis_url(self) -> str:
        return f"unix://{self.valkey_socket}"

    def make(self) -> None:
        """Make the folders that every server needs.

        Raises:
            StateFolderError: one cannot be made or used, or belongs to somebody else.
        """
        passage = 0o711 if self.postgres_user else 0o700
        make_state_folder(self.state)
        for folder in (self.base, self.sockets):
            if folder != self.state:
                make_private(folder, mode=passage)
        make_private(self.postgres_sockets, mode=0o700, owner=self.postgres_user)

    def remove(self) -> None:
        """Remove everything; for throw-away servers that have stopped."""
        for folder in (self.sockets, self.base, self.state):
            with contextlib.suppress(FileNotFoundError):
                shutil.rmtree(folder)


def state_folder(environ: Mapping[str, str]) -> Path:
    """Return the absolute state folder: BAIZE_STATE_DIR, else `var/` of the project."""
    return Path(environ.get("BAIZE_STATE_DIR") or PROJECT / "var").expanduser().resolve()


def make_state_folder(state: Path) -> None:
    """Make the state folder or check the one that is there.

    Raises:
        StateFolderError: it is no folder, or may not be read and written.
    """
    try:
        if not state.exists():
            state.mkdir(parents=True)
            state.chmod(0o711 if os.geteuid() == 0 else 0o700)
        usable = os.access(state, os.R_OK | os.W_OK | os.X_OK)
    except OSError as error:
        raise StateFolderError(f"cannot use {state} as state folder: {error.strerror}") from error
    if not state.is_dir():
        raise StateFolderError(f"cannot use {state} as state folder: it is a file")
    if not usable:
        raise StateFolderError(
            f"cannot use {state} as state folder: it belongs to {_owner_name(state)} "
            "and you may not read and write it"
        )


def make_private(folder: Path, *, mode: int, owner: OsUser | None = None) -> None:
    """Make a folder that nobody else may write to, or check that the one there is ours.

    Raises:
        StateFolderError: it belongs to somebody else or is a link; whoever made it could read
            or replace what is put there.
    """
    wanted = owner.uid if owner else os.geteuid()
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != wanted:
            raise StateFolderError(
                f"cannot use {folder}: it belongs to {_owner_name(folder)} or is no folder"
            ) from None
    except OSError as error:
        raise StateFolderError(f"cannot make {folder}: {error.strerror}") from error
    else:
        if owner:
            os.chown(folder, owner.uid, owner.gid)
    folder.chmod(mode)


def reachable_by_others(path: Path) -> bool:
    """Tell whether every account may pass through *path* and its parents, as far as they exist."""
    return all(
        folder.stat().st_mode & stat.S_IXOTH for folder in (path, *path.parents) if folder.exists()
    )


def _postgres_user() -> OsUser | None:
    if os.geteuid() != 0:
        return None
    account = pwd.getpwnam("nobody")
    return OsUser(account.pw_name, account.pw_uid, account.pw_gid)


def _postgres_socket(sockets: Path) -> Path:
    return sockets / "postgres" / ".s.PGSQL.5432"


def _owner_name(path: Path) -> str:
    uid = path.lstat().st_uid
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"
