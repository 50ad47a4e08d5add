"""The books as two tables of comma-separated values: every posting with its entry; every account.

RFC 4180 in UTF-8 with a row of names. An amount stands twice: as an integer in minor units, and as
a decimal with the digits of its currency; debit is above zero, credit below. What is not there is
an empty cell.

A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula, and a memo is
whatever somebody typed. So in columns of free text a cell that begins with one of these, with a
tab, a line's end or an apostrophe has an apostrophe before it, which a spreadsheet hides. A program
takes one leading apostrophe off and has the text again; the exact form without it is JSON Lines.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from itertools import chain
from typing import Any, Final

from ledger.export.amounts import decimal_text
from ledger.export.books import BookAccount, BookEntry, BookPosting, Books, moment_text, reference

RISKY: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
"""How a cell begins that a spreadsheet could run, and the mark itself."""

POSTINGS: Final[Mapping[str, Callable[[BookEntry, BookPosting], Any]]] = {
    "entry_id": lambda entry, _: entry.id,
    "public_id": lambda entry, _: reference(entry.public_id),
    "gaming_day": lambda entry, _: entry.gaming_day,
    "late_day": lambda entry, _: entry.late_day,
    "effective_at": lambda entry, _: moment_text(entry.effective_at),
    "recorded_at": lambda entry, _: moment_text(entry.recorded_at),
    "kind": lambda entry, _: safe(entry.kind),
    "source": lambda entry, _: safe(entry.source),
    "actor": lambda entry, _: safe(entry.actor),
    "approver": lambda entry, _: safe(entry.approver),
    "table": lambda entry, _: safe(entry.table),
    "session": lambda entry, _: safe(entry.session),
    "shift": lambda entry, _: safe(entry.shift),
    "memo": lambda entry, _: safe(entry.memo),
    "reverses": lambda entry, _: reference(entry.reverses),
    "reversed_by": lambda entry, _: reference(entry.reversed_by),
    "restates": lambda entry, _: reference(entry.restates),
    "corrects": lambda entry, _: reference(entry.corrects),
    "rate_sold": lambda entry, _: entry.rate_sold,
    "rate_bought": lambda entry, _: entry.rate_bought,
    "seal": lambda entry, _: entry.seal,
    "line": lambda _, posting: posting.line,
    "account": lambda _, posting: posting.account.code,
    "account_name": lambda _, posting: safe(posting.account.name),
    "event": lambda _, posting: safe(posting.event),
    "currency": lambda _, posting: posting.account.currency,
    "amount_minor": lambda _, posting: posting.amount,
    "amount": lambda _, posting: decimal_text(posting.amount, posting.account.exponent),
    "balance_after_minor": lambda _, posting: posting.balance_after,
    "pieces": lambda _, posting: posting.pieces_text,
}
"""The columns of the postings. `pieces` is `10000x50 2500x4`: minor units, times pieces."""

ACCOUNTS: Final[Mapping[str, Callable[[BookAccount], Any]]] = {
    "account": lambda account: account.code,
    "number": lambda account: account.number,
    "name": lambda account: safe(account.name),
    "type": lambda account: account.type,
    "side": lambda account: "debit" if account.side > 0 else "credit",
    "instrument": lambda account: account.instrument,
    "currency": lambda account: account.currency,
    "opened_at": lambda account: moment_text(account.opened_at),
    "closed_at": lambda account: moment_text(account.closed_at) if account.closed_at else None,
    "opening_minor": lambda account: account.opening,
    "opening": lambda account: decimal_text(account.opening, account.exponent),
    "closing_minor": lambda account: account.closing,
    "closing": lambda account: decimal_text(account.closing, account.exponent),
}
"""The columns of the accounts; both balances are those of the range."""


def postings_table(books: Books) -> Iterator[str]:
    """Yield the table of postings row by row, by entry and line."""
    lines = ((entry, posting) for entry in books.entries() for posting in entry.postings)
    rows = ([column(*line) for column in POSTINGS.values()] for line in lines)
    yield from _written(POSTINGS, rows)


def accounts_table(books: Books) -> Iterator[str]:
    """Yield the table of accounts row by row, by their codes."""
    rows = ([column(account) for column in ACCOUNTS.values()] for account in books.accounts)
    yield from _written(ACCOUNTS, rows)


def safe(text: str) -> str:
    """Return *text* so that no spreadsheet runs it: a risky beginning has an apostrophe before."""
    return f"'{text}" if text.startswith(RISKY) else text


def _written(header: Iterable[str], rows: Iterable[list[Any]]) -> Iterator[str]:
    page = StringIO(newline="")
    writer = csv.writer(page)
    for row in chain([list(header)], rows):
        writer.writerow(row)
        yield _drawn(page)


def _drawn(page: StringIO) -> str:
    text = page.getvalue()
    page.seek(0)
    page.truncate()
    return text
