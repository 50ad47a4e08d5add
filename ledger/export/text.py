"""Free text inside a journal: it says what was written, and cannot pass for anything else.

Control characters, line ends and marks that turn the direction of writing are shown by their code
(`\\u202E`), so a memo stays on its line and shows in the order in which it was written. Letters of
every script and pictures stay. Who needs the text itself reads the JSON Lines.
"""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = (
    r"\x00-\x1f\x7f-\x9f"  # control characters, line ends among them
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction of writing
    r"\u2028\u2029\ufeff"  # line and paragraph ends, byte order mark
)
_IN_STRING: Final = re.compile(f"[{_UNSEEN}]")
# A tag begins after a comma and ends in a colon; a date in brackets would move a posting.
_IN_TAG: Final = re.compile(rf"[{_UNSEEN}]|,(?=.*:)|\[(?=[0-9=])", re.DOTALL)
_IN_DESCRIPTION: Final = re.compile(rf"[{_UNSEEN};|]")


def quoted(text: str) -> str:
    """Return *text* as a string of Beancount."""
    shown = _IN_STRING.sub(_code, text)
    return '"{}"'.format(shown.replace("\\", "\\\\").replace('"', '\\"'))


def tag_text(text: str) -> str:
    """Return *text* as the value of a tag in a comment of hledger; no tag or date is read in it."""
    return _IN_TAG.sub(_code, text)


def description_text(text: str) -> str:
    """Return *text* as a part of a description of hledger; it begins no comment and no note."""
    return _IN_DESCRIPTION.sub(_code, text)


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04X}"
