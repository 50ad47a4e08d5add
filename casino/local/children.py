"""Child processes: each ends with the launcher, even when the launcher is killed.

On Linux the kernel tells a child that its parent died. Elsewhere, and if that fails, the record
of children in the state folder lets the next start stop what is left.
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TypedDict

LINUX: Final[bool] = sys.platform.startswith("linux")
PR_SET_PDEATHSIG: Final = 1
STOP_SECONDS: Final = 10.0
"""How long a process may take to end by itself before it is killed."""


class OsUser(NamedTuple):
    """An account of the operating system."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run, as whom, and which signal asks it to stop."""

    name: str
    argv: tuple[str, ...]
    environ: Mapping[str, str]
    log: Path
    """Where its output goes, appended."""
    errors: Path | None = None
    """Where its standard error goes; None: into the log."""
    folder: Path = Path("/")
    stop_signal: signal.Signals = signal.SIGTERM
    user: OsUser | None = None
    """None: the launcher's own user."""


class Child:
    """A running program in a session of its own, so Ctrl-C reaches the launcher alone."""

    def __init__(self, program: Program) -> None:
        self.program = program
        owner = program.user
        with _append(program.log) as log, _append(program.errors or program.log) as errors:
            self.process = subprocess.Popen(  # noqa: S603 - the launcher's own commands
                program.argv,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=errors,
                env=program.environ,
                cwd=program.folder,
                start_new_session=True,
                user=owner.uid if owner else None,
                group=owner.gid if owner else None,
                extra_groups=[] if owner else None,
                # Runs after setuid, which would clear the setting. The signal is tied to the
                # thread that forks, so children are started from the main thread only.
                preexec_fn=_die_with_parent(program.stop_signal),  # noqa: PLW1509
            )

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def pid(self) -> int:
        return self.process.pid

    def status(self) -> int | None:
        """Return the exit status, None while it runs."""
        return self.process.poll()

    def ask_to_stop(self) -> None:
        """Send the stop signal; a process that ended is left alone."""
        if self.process.poll() is None:
            self.process.send_signal(self.program.stop_signal)

    def stop(self, *, seconds: float = STOP_SECONDS) -> None:
        """Ask the process to stop, wait, and kill its whole group if it does not."""
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        self.kill_group()
        self.process.wait()

    def kill_group(self) -> None:
        """Kill what is left of the group, such as the pool of a worker that was killed."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def _append(path: Path) -> BinaryIO:
    """Open a log; what servers and commands print is for their owner alone."""
    return open(path, "ab", opener=partial(os.open, mode=0o600))


def _die_with_parent(stop_signal: signal.Signals) -> Callable[[], None] | None:
    if not LINUX:
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def arm() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(stop_signal), 0, 0, 0)
        if os.getppid() != parent:  # the launcher died between fork and here
            os._exit(1)

    return arm


def identity(pid: int) -> str | None:
    """Return what tells this process from a later one with its number; None once it has ended."""
    return _linux_identity(pid) if LINUX else _ps_identity(pid)


def _linux_identity(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name stands in brackets and may hold anything; the state follows the last bracket.
    state, *fields = stat.rpartition(")")[2].split()
    if state in {"Z", "X"}:
        return None
    started_ticks = fields[18]
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return f"{boot} {started_ticks}"


def _ps_identity(pid: int) -> str | None:
    shown = subprocess.run(  # noqa: S603 - a number is the only argument
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)],  # noqa: S607 - where ps lies differs
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    ).stdout.split(None, 1)
    return None if len(shown) < 2 or shown[0].startswith("Z") else shown[1].strip()


class RecordedChild(TypedDict):
    """One row of the record."""

    pid: int
    identity: str | None
    """None when it had ended before it was written down."""
    stop_signal: int


class ChildRecord:
    """Which processes run, on disk, for the start after a launcher that was killed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, child: Child) -> None:
        """Write down a child that has just been started, in place of one with its name."""
        rows = self._read()
        rows[child.name] = {
            "pid": child.pid,
            "identity": identity(child.pid),
            "stop_signal": int(child.program.stop_signal),
        }
        unfinished = self.path.with_suffix(".new")
        unfinished.write_text(json.dumps(rows, indent=1))
        unfinished.replace(self.path)

    def clear(self) -> None:
        self.path.unlink(missing_ok=True)

    def stop_left_over(self, *, tell: Callable[[str], None]) -> None:
        """Stop every recorded process that still runs; a reused process number is left alone."""
        for name, row in self._read().items():
            pid, known = row["pid"], row["identity"]
            if known is not None and identity(pid) == known:
                tell(f"Stopping {name}, left over from a run that was killed (process {pid}).")
                stop_foreign(pid, stop_signal=signal.Signals(row["stop_signal"]))
        self.clear()

    def _read(self) -> dict[str, RecordedChild]:
        try:
            rows: dict[str, RecordedChild] = json.loads(self.path.read_text())
        except FileNotFoundError:
            return {}
        return rows


def stop_foreign(pid: int, *, stop_signal: signal.Signals, seconds: float = STOP_SECONDS) -> None:
    """Stop a process that is not our child, then kill it and its group if it does not end."""
    known = identity(pid)
    if known is None:
        return
    os.kill(pid, stop_signal)
    deadline = time.monotonic() + seconds
    while identity(pid) == known:
        if time.monotonic() > deadline:
            _kill_group_of(pid)
            deadline += seconds
        time.sleep(0.02)


def _kill_group_of(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        # Every child leads a group of its own; anything else is killed alone.
        if os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
