import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from casino.local.children import OsUser
from casino.local.errors import StateFolderError
from casino.local.places import (
    LONGEST_SOCKET_PATH,
    PROJECT,
    SHORT_PARENT,
    Places,
    make_private,
    make_state_folder,
    state_folder,
)


def test_state_lies_in_var_of_the_project_unless_named() -> None:
    assert state_folder({}) == PROJECT / "var"
    assert state_folder({"BAIZE_STATE_DIR": ""}) == PROJECT / "var"
    assert state_folder({"BAIZE_STATE_DIR": "/srv/baize/../other"}) == Path("/srv/other")


def test_addresses_follow_from_the_folder_alone(open_folder: Path) -> None:
    places = Places.of(open_folder)
    run = open_folder / "run"
    assert places.database_url == f"postgresql://baize_app@/baize?host={run}/postgres"
    assert places.database_owner_url == f"postgresql://baize_owner@/baize?host={run}/postgres"
    assert places.redis_url == f"unix://{run}/valkey.sock"
    assert Places.of(open_folder) == places
    assert list(open_folder.iterdir()) == []


def test_long_path_gets_short_sockets_of_its_own(open_folder: Path) -> None:
    one = Places.of(open_folder / ("long" * 20))
    other = Places.of(open_folder / ("gone" * 20))
    assert len(str(one.postgres_socket)) <= LONGEST_SOCKET_PATH
    assert one.sockets.parent == SHORT_PARENT
    assert one.sockets != other.sockets
    assert one.postgres_data == open_folder / ("long" * 20) / "postgres"


def test_folders_are_for_their_owner(places: Places) -> None:
    places.make()
    assert stat.S_IMODE(places.postgres_sockets.stat().st_mode) == 0o700
    assert stat.S_IMODE(places.sockets.stat().st_mode) & 0o066 == 0
    assert stat.S_IMODE(places.state.stat().st_mode) & 0o066 == 0


def test_link_in_the_place_of_a_private_folder_is_refused(tmp_path: Path) -> None:
    aim = tmp_path / "aim"
    aim.mkdir(mode=0o755)
    (tmp_path / "link").symlink_to(aim)
    with pytest.raises(StateFolderError, match="is no folder"):
        make_private(tmp_path / "link", mode=0o700)
    assert stat.S_IMODE(aim.stat().st_mode) == 0o755


def test_private_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o755)
    owner = OsUser("somebody", os.geteuid() + 1, os.getegid())
    with pytest.raises(StateFolderError, match="belongs to"):
        make_private(folder, mode=0o700, owner=owner)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_file_in_the_place_of_the_state_folder_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "var"
    file.write_text("kept")
    with pytest.raises(StateFolderError, match="it is a file"):
        make_state_folder(file)
    with pytest.raises(StateFolderError, match="Not a directory"):
        make_state_folder(file / "below")
    assert file.read_text() == "kept"


def test_state_folder_that_may_not_be_read_is_refused(open_folder: Path) -> None:
    closed = open_folder / "closed"
    closed.mkdir()
    closed.chmod(0o000)
    # Root may read everything, so the question is asked by an account without rights.
    asked = subprocess.run(
        [
            sys.executable,
            "-c",
            "import os, pathlib, pwd, sys\n"
            "from casino.local import places\n"
            "if os.geteuid() == 0: os.setuid(65534)\n"
            "try: places.make_state_folder(pathlib.Path(sys.argv[1]))\n"
            "except places.StateFolderError as error: print(error)\n",
            closed,
        ],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    mode = stat.S_IMODE(closed.stat().st_mode)
    closed.chmod(0o700)  # so that it can be removed
    assert asked.stdout == (
        f"cannot use {closed} as state folder: it belongs to {closed.owner()} "
        "and you may not read and write it\n"
    )
    assert mode == 0
