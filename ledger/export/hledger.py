"""The books as a journal of hledger, with what they hold as assertions.

What is said of the journal of Beancount holds here (see `beancount`), but that an assertion of
hledger holds where it stands: in a transaction of nothing, after the entries of its day. It is
strict (`==`): the account holds that amount, in that currency alone, without the accounts below.

Everything is declared, so `hledger check --strict` finds nothing.

Source: the hledger manual, "Journal format".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from ledger.export.amounts import decimal_text
from ledger.export.books import BookAccount, BookEntry, BookPosting, Books, moment_text, reference
from ledger.export.names import account_name
from ledger.export.text import description_text, tag_text


def hledger_text(books: Books) -> Iterator[str]:
    """Yield the journal in pieces that end in a line's end."""
    names = {account.id: account_name(account) for account in books.accounts}
    yield from _head(books)
    for account in books.accounts:
        yield _declared(account, names[account.id])
    yield from _opening_balances(books, names)
    for entry in books.entries():
        yield _transaction(entry, names)
    for close in books.closes():
        yield f"\n{close.gaming_day} * close of the day\n"
        for account in books.among(close.moved):
            yield _assertion(account, names, close.held[account.id])
    yield f"\n{books.ends_on} * what the books hold\n"
    for account in books.accounts:
        yield _assertion(account, names, account.closing)


def _head(books: Books) -> Iterator[str]:
    yield f"; {tag_text(books.property_name)} ({books.property_code}), "
    yield f"{books.begins_on} to {books.ends_on}\n\n"
    yield "decimal-mark .\n"
    for currency, exponent in books.currencies.items():
        yield f"commodity 1000.{'0' * exponent} {currency}\n"


def _declared(account: BookAccount, name: str) -> str:
    lines = [
        f"\naccount {name}",
        f"    ; code: {account.code}",
        f"    ; name: {tag_text(account.name)}",
        f"    ; instrument: {account.instrument}",
        f"    ; opened_at: {moment_text(account.opened_at)}",
    ]
    if account.closed_at is not None:
        lines.append(f"    ; closed_at: {moment_text(account.closed_at)}")
    return "\n".join(lines) + "\n"


def _opening_balances(books: Books, names: Mapping[int, str]) -> Iterator[str]:
    before: date = books.begins_on - timedelta(days=1)
    for currency, held in books.opened_with().items():
        yield f"\n{before} * opening_balances | held before, in {currency}\n"
        for account in held:
            yield f"    {names[account.id]}  {_amount(account, account.opening)}\n"


def _transaction(entry: BookEntry, names: Mapping[int, str]) -> str:
    said = f"{description_text(entry.kind)} | {description_text(entry.source)}"
    lines = [f"\n{entry.gaming_day} * ({entry.id}) {said}"]
    lines += [f"    ; {name}: {tag_text(text)}" for name, text in _facts(entry).items()]
    lines += [_line(posting, names) for posting in entry.postings]
    return "\n".join(lines) + "\n"


def _line(posting: BookPosting, names: Mapping[int, str]) -> str:
    account = posting.account
    pieces = f", pieces: {posting.pieces_text}" if posting.pieces else ""
    said = f"; event: {tag_text(posting.event)}{pieces}"
    return f"    {names[account.id]}  {_amount(account, posting.amount)}  {said}"


def _facts(entry: BookEntry) -> dict[str, str]:
    """Return the tags of an entry; what it does not have is left out."""
    facts = {
        "entry_id": entry.id,
        "public_id": reference(entry.public_id),
        "actor": entry.actor,
        "approver": entry.approver,
        "table": entry.table,
        "session": entry.session,
        "shift": entry.shift,
        "effective_at": moment_text(entry.effective_at),
        "recorded_at": moment_text(entry.recorded_at),
        "late_day": entry.late_day,
        "reverses": reference(entry.reverses),
        "reversed_by": reference(entry.reversed_by),
        "restates": reference(entry.restates),
        "corrects": reference(entry.corrects),
        "rate_sold": entry.rate_sold,
        "rate_bought": entry.rate_bought,
        "seal": entry.seal,
        "memo": entry.memo,
    }
    return {name: str(fact) for name, fact in facts.items() if fact not in {None, ""}}


def _assertion(account: BookAccount, names: Mapping[int, str], held: int) -> str:
    nothing = _amount(account, 0)
    return f"    {names[account.id]}  {nothing} == {_amount(account, held)}\n"


def _amount(account: BookAccount, minor: int) -> str:
    return f"{decimal_text(minor, account.exponent)} {account.currency}"
