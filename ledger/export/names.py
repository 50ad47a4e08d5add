"""Names of accounts that plain-text accounting reads: one for each code, and the code from each.

`1120/table:3` is `Assets:1120-Table-inventory-tray:Table-3`: the kind of account, its number with
its name, and a component for each part of the sub-ledger. A component holds letters, digits and
hyphens and begins with a capital or a digit, so what else a code may hold is spelt out:

- in the kind of a part, `_` before a letter makes it a capital (`chip_set` → `ChipSet`), any
  other `_` is `0`; a kind has no digits and no capitals of its own;
- in its value, a hyphen alone stays, any other run of `-`, `_` and `.` is spelt between two double
  hyphens, in the letters d, u and p (`red_1.b` → `red--u--1--p--b`).

Source: the syntax of Beancount ("Accounts"); hledger takes the same names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ledger.export.books import BookAccount

ROOTS: Final[Mapping[str, str]] = {
    "asset": "Assets",
    "liability": "Liabilities",
    "equity": "Equity",
    "revenue": "Income",
    "expense": "Expenses",
}
"""By the type of the account; the names that both programs know the kinds by."""

_LETTERS: Final[Mapping[str, str]] = {"-": "d", "_": "u", ".": "p"}
_SIGNS: Final = {letter: sign for sign, letter in _LETTERS.items()}


def account_name(account: BookAccount) -> str:
    """Return the name that *account* has in a journal."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", account.name).strip("-")
    head, *parts = account.code.split("/")
    numbered = f"{head}-{words}" if words else head
    return ":".join([ROOTS[account.type], numbered, *map(_part_name, parts)])


def read_code(name: str) -> str:
    """Return the code of the account that a journal calls *name*."""
    _root, numbered, *parts = name.split(":")
    return "/".join([numbered[:4], *map(_read_part, parts)])


def _part_name(part: str) -> str:
    kind, _, value = part.partition(":")
    capitals = re.sub(r"(?<=[a-z])_([a-z])", lambda found: found[1].upper(), kind)
    capitals = capitals[0].upper() + capitals[1:]
    return f"{capitals.replace('_', '0')}-{re.sub(r'[-_.]{2,}|[_.]', _spell, value)}"


def _spell(run: re.Match[str]) -> str:
    return f"--{''.join(_LETTERS[sign] for sign in run[0])}--"


def _read_part(component: str) -> str:
    capitals, _, spelt = component.partition("-")
    kind = capitals[0].lower() + re.sub(
        r"[A-Z]", lambda found: f"_{found[0].lower()}", capitals[1:]
    )
    value = re.sub(
        r"--([dup]+)--", lambda found: "".join(_SIGNS[letter] for letter in found[1]), spelt
    )
    return f"{kind.replace('0', '_')}:{value}"
