"""Files that are there whole or not at all, and that take no other file's place unasked."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile


class FileStandsError(Exception):
    """Something is there already, and nobody said that it may go."""

    def __init__(self, path: Path, *, is_plain: bool) -> None:
        remedy = "--force replaces it" if is_plain else "it is no plain file, so it stays"
        super().__init__(f"{path} is there already; {remedy}")
        self.path = path


def require_free(paths: Iterable[Path], *, force: bool) -> None:
    """Refuse if one of *paths* is there, unless *force* is given and it is a plain file.

    Raises:
        FileStandsError: one is; a folder, a device or a link is never replaced.
    """
    for path in paths:
        is_plain = path.is_file() and not path.is_symlink()
        if os.path.lexists(path) and not (force and is_plain):
            raise FileStandsError(path, is_plain=is_plain)


def write_files(texts: Mapping[Path, Iterable[str]], *, force: bool) -> None:
    """Write each text to its path, as UTF-8 and readable by whoever runs this alone.

    All are written beside their places first and moved there at the end, so a failure on the way
    leaves no part of a file and nothing that was replaced.

    Raises:
        FileStandsError: as `require_free` says.
        OSError: a folder is not there, or does not take the file.
    """
    require_free(texts, force=force)
    beside: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            with NamedTemporaryFile(
                "w",
                encoding="utf-8",
                newline="",
                dir=path.parent,
                prefix=f".{path.name}.",
                delete=False,
            ) as file:
                beside[path] = Path(file.name)
                file.writelines(text)
                file.flush()
                os.fsync(file.fileno())
        require_free(texts, force=force)
        for path in texts:
            beside[path].replace(path)
    finally:
        for left in beside.values():
            left.unlink(missing_ok=True)
