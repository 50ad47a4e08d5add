import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from casino.local.children import Child, ChildRecord, Program, identity
from casino.local.places import PROJECT
from tests.local.conftest import Started, shell_program
from tests.local.waiting import wait_for


def says_ready(child: Child) -> bool:
    return "ready" in child.program.log.read_text()


def test_stop_is_asked_for_first(tmp_path: Path, started: Started) -> None:
    script = "trap 'echo asked; exit 0' TERM; echo ready; while :; do sleep 0.01; done"
    child = started.program(shell_program(tmp_path, script))
    assert wait_for(lambda: says_ready(child))
    child.stop()
    assert child.status() == 0
    assert child.program.log.read_text() == "ready\nasked\n"


def test_what_does_not_stop_is_killed_with_its_children(tmp_path: Path, started: Started) -> None:
    script = "trap '' TERM; sleep 1000 & echo $!; echo ready; wait"
    child = started.program(shell_program(tmp_path, script))
    assert wait_for(lambda: says_ready(child))
    grandchild = int(child.program.log.read_text().split()[0])
    assert identity(grandchild) is not None
    child.stop(seconds=0.05)
    assert child.status() == -signal.SIGKILL
    assert wait_for(lambda: identity(grandchild) is None)


def test_log_is_for_its_owner(tmp_path: Path, started: Started) -> None:
    child = started.program(shell_program(tmp_path, "echo secret"))
    assert child.process.wait() == 0
    assert child.program.log.stat().st_mode & 0o777 == 0o600


def test_children_end_with_a_launcher_that_is_killed(tmp_path: Path) -> None:
    """On Linux the kernel ends them; elsewhere the next start does, by the record."""
    launcher = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent("""
                import sys
                from pathlib import Path
                from casino.local.children import Child, ChildRecord, Program
                folder = Path(sys.argv[1])
                child = Child(Program(name="child", argv=("/bin/sleep", "1000"), environ={},
                                      log=folder / "child.log"))
                ChildRecord(folder / "children.json").add(child)
                print(child.pid, flush=True)
                child.process.wait()
            """),
            tmp_path,
        ],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    with launcher:
        assert launcher.stdout is not None
        pid = int(launcher.stdout.readline())
        assert identity(pid) is not None
        launcher.kill()
    if not sys.platform.startswith("linux"):
        ChildRecord(tmp_path / "children.json").stop_left_over(tell=print)
    assert wait_for(lambda: identity(pid) is None)


def test_next_start_stops_what_is_left_over(tmp_path: Path, started: Started) -> None:
    program = Program(
        name="worker", argv=("/bin/sleep", "1000"), environ={}, log=tmp_path / "worker.log"
    )
    child = started.program(program)
    ChildRecord(tmp_path / "children.json").add(child)
    told: list[str] = []
    ChildRecord(tmp_path / "children.json").stop_left_over(tell=told.append)
    assert told == [f"Stopping worker, left over from a run that was killed (process {child.pid})."]
    assert child.process.wait() == -signal.SIGTERM
    assert not (tmp_path / "children.json").exists()


def test_process_that_got_a_recorded_number_is_left_alone(tmp_path: Path, started: Started) -> None:
    child = started.program(shell_program(tmp_path, "exec sleep 1000"))
    record = tmp_path / "children.json"
    row = {"pid": child.pid, "identity": "another start", "stop_signal": int(signal.SIGTERM)}
    record.write_text(json.dumps({"web": row}))
    told: list[str] = []
    ChildRecord(record).stop_left_over(tell=told.append)
    assert told == []
    assert child.status() is None


def test_identity_is_of_one_process_alone(tmp_path: Path, started: Started) -> None:
    child = started.program(shell_program(tmp_path, "exec sleep 1000"))
    assert identity(child.pid) == identity(child.pid)
    assert identity(child.pid) != identity(os.getpid())
    child.stop()
    assert identity(child.pid) is None


@pytest.mark.parametrize("name", ["web", "worker"])
def test_record_names_pid_identity_and_signal(tmp_path: Path, started: Started, name: str) -> None:
    child = started.program(shell_program(tmp_path, "exec sleep 1000", name=name))
    record = ChildRecord(tmp_path / "children.json")
    record.add(child)
    assert json.loads(record.path.read_text()) == {
        name: {
            "pid": child.pid,
            "identity": identity(child.pid),
            "stop_signal": int(signal.SIGTERM),
        }
    }
