"""The refusals of `./baize`, as its user meets them: one sentence, status 2, nothing changed."""

import ast
import os
import shutil
import socket
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from casino.local.instance import only_instance
from casino.local.places import PROJECT, Places

SCRIPT = PROJECT / "baize"
OWN_SERVERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL")


def run(*command: str | Path, **environ: str | Path) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in OWN_SERVERS}
    return subprocess.run(
        command,
        cwd=PROJECT,
        env={**inherited, **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def refusal(*command: str | Path, **environ: str | Path) -> str:
    """Run a command that is refused and return the sentence."""
    done = run(*command, **environ)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("baize: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("baize: ").rstrip("\n")


def up(state: Path, **environ: str | Path) -> str:
    return refusal(sys.executable, "-m", "casino.local.up", BAIZE_STATE_DIR=state, **environ)


@pytest.fixture
def script() -> ModuleType:
    loader = SourceFileLoader("baize_script", str(SCRIPT))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    cache, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = cache
    return module


def test_script_is_understood_by_the_pythons_that_it_refuses() -> None:
    ast.parse(SCRIPT.read_text(), feature_version=(3, 6))


@pytest.mark.parametrize("version", [(3, 8, 18), (3, 10, 14), (2, 7, 18)])
def test_old_python_is_refused(script: ModuleType, version: tuple[int, int, int]) -> None:
    found = f"{version[0]}.{version[1]}"
    with pytest.raises(script.Refused, match=rf"Python 3\.11 .* is needed, and this is {found};"):
        script.require_python(version)


def test_python_311_and_newer_will_do(script: ModuleType) -> None:
    script.require_python((3, 11, 0))
    script.require_python((4, 0, 0))


def test_python_that_debian_split_up_is_refused(script: ModuleType) -> None:
    with pytest.raises(script.Refused, match="apt install python3-venv"):
        script.require_module("a_module_that_there_is_not")


def test_unknown_command_is_refused(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    sentence = refusal(SCRIPT, "deal", BAIZE_VENV=venv)
    assert sentence == "there is no command 'deal'; `./baize --help` lists them"
    assert refusal(SCRIPT, "up", "now", BAIZE_VENV=venv).startswith("`up` takes no arguments")
    assert not venv.exists()


def test_help_tells_the_commands(tmp_path: Path) -> None:
    done = run(SCRIPT, "--help", BAIZE_VENV=tmp_path / "venv")
    assert done.returncode == 0
    for command in ("./baize up", "./baize test", "./baize manage"):
        assert command in done.stdout
    assert run(SCRIPT).returncode == 2


def test_packages_that_cannot_be_installed_are_told(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path / "baize")
    hashed = f"no-package-of-this-name==1.0 --hash=sha256:{'0' * 64}\n"
    (tmp_path / "requirements.txt").write_text(hashed)
    done = run(
        tmp_path / "baize",
        "up",
        BAIZE_VENV=sys.prefix,
        PIP_NO_INDEX="1",
        PATH=os.defpath,
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == (
        "baize: requirements.txt could not be installed; is a package index within reach? "
        "(python ended with status 1)"
    )


def test_environment_whose_python_is_gone_is_refused(tmp_path: Path) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(tmp_path / "gone")
    sentence = refusal(SCRIPT, "up", BAIZE_VENV=tmp_path / "venv")
    assert sentence.startswith(f"the Python of {tmp_path}/venv is gone")


def test_environment_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "venv").write_text("")
    assert refusal(SCRIPT, "up", BAIZE_VENV=tmp_path / "venv").startswith("cannot make")


def test_second_launcher_is_refused(places: Places) -> None:
    places.make()
    with only_instance(places):
        assert up(places.state).startswith(f"Baize is already running on {places.state};")
    assert not places.postgres_data.exists()


def test_busy_port_is_refused(places: Places) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        sentence = up(places.state, PORT=str(port))
    assert sentence == (
        f"cannot listen on 127.0.0.1:{port} (Address already in use); set PORT to a free port"
    )
    assert not places.postgres_data.exists()


def test_state_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("")
    assert up(tmp_path / "var").endswith("as state folder: it is a file")


def test_port_that_is_no_number_is_refused(places: Places) -> None:
    sentence = up(places.state, PORT="eight")
    assert sentence == "PORT is 'eight'; a number from 1 to 65535 is needed"
    assert not places.state.exists()


def test_manage_is_refused_while_nothing_runs(places: Places) -> None:
    sentence = refusal(
        sys.executable, "-m", "casino.local.manage", "migrate", BAIZE_STATE_DIR=places.state
    )
    assert sentence.startswith(f"./baize up is not running on {places.state};")
