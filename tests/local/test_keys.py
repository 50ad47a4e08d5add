import stat
from pathlib import Path

import pytest

from casino.local import keys
from casino.local.errors import StateFolderError


def test_secrets_are_made_once_and_for_their_owner(tmp_path: Path) -> None:
    path = tmp_path / "secrets.json"
    made = keys.read_or_make(path)
    assert made.keys() == {"SECRET_KEY", "PIN_PEPPER"}
    assert made["SECRET_KEY"] != made["PIN_PEPPER"]
    assert all(len(secret) == 64 for secret in made.values())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.read_or_make(path) == made
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"SECRET_KEY": "one"}'])
def test_damaged_secrets_are_refused_and_left_as_they_are(tmp_path: Path, text: str) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(text)
    with pytest.raises(StateFolderError, match="is damaged"):
        keys.read_or_make(path)
    assert path.read_text() == text
