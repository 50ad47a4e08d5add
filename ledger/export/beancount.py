"""The books as a journal of Beancount, with what they hold as assertions.

Amounts are exact, an assertion allows no difference, and a currency is never turned into another:
an exchange balances in each of its currencies through the trading account. So loading the file
without an error proves that every entry balances and that all of them lead to the balances that
the books keep, at the close of every day and at the end. A range that begins later opens with what
the accounts held; that adds up to zero too.

An assertion of Beancount holds at the start of its date, so it stands on the day after. It counts
the accounts below a name into it (see `subtotals`).

Source: Beancount's "Language Syntax" and "Precision & Tolerances", release 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Final

from ledger.export.amounts import decimal_text
from ledger.export.books import BookAccount, BookEntry, BookPosting, Books, moment_text, reference
from ledger.export.subtotals import Tree
from ledger.export.text import quoted

DAY: Final = timedelta(days=1)


def beancount_text(books: Books) -> Iterator[str]:
    """Yield the journal in pieces that end in a line's end."""
    tree = Tree(books.accounts)
    yield from _head(books)
    for account in books.accounts:
        yield _opened(account, tree.names[account.id], on=books.begins_on - DAY)
    yield from _opening_balances(books, tree)
    for entry in books.entries():
        yield _transaction(entry, tree)
    yield from _closes(books, tree)
    yield f"\n; What the books hold after {books.ends_on}.\n"
    held = {account.id: account.closing for account in books.accounts}
    for account in books.accounts:
        yield _assertion(account, tree, held, after=books.ends_on)


def _head(books: Books) -> Iterator[str]:
    title = f"{books.property_name} ({books.property_code}), {books.begins_on} to {books.ends_on}"
    yield f'option "title" {quoted(title)}\n'
    yield f'option "operating_currency" "{books.currency}"\n'
    yield 'option "inferred_tolerance_default" "*:0"\n'
    for currency, exponent in books.currencies.items():
        yield f"\n{books.begins_on - DAY} commodity {currency}\n  exponent: {exponent}\n"


def _opened(account: BookAccount, name: str, *, on: date) -> str:
    lines = [
        f"\n{on} open {name} {account.currency}",
        f'  code: "{account.code}"',
        f"  name: {quoted(account.name)}",
        f'  instrument: "{account.instrument}"',
        f'  opened_at: "{moment_text(account.opened_at)}"',
    ]
    if account.closed_at is not None:
        lines.append(f'  closed_at: "{moment_text(account.closed_at)}"')
    return "\n".join(lines) + "\n"


def _opening_balances(books: Books, tree: Tree) -> Iterator[str]:
    for currency, held in books.opened_with().items():
        yield f'\n{books.begins_on - DAY} * "opening_balances" "Held before, in {currency}"\n'
        for account in held:
            yield f"  {tree.names[account.id]}  {_amount(account, account.opening)}\n"


def _transaction(entry: BookEntry, tree: Tree) -> str:
    links = [entry.public_id, entry.reverses, entry.restates, entry.corrects]
    linked = " ".join(f"^{reference(public_id)}" for public_id in links if public_id)
    lines = [f"\n{entry.gaming_day} * {quoted(entry.kind)} {quoted(entry.memo)} {linked}"]
    lines += [f"  {name}: {value}" for name, value in _facts(entry).items()]
    for posting in entry.postings:
        account = posting.account
        lines.append(f"  {tree.names[account.id]}  {_amount(account, posting.amount)}")
        lines += [f"    {name}: {value}" for name, value in _line_facts(posting).items()]
    return "\n".join(lines) + "\n"


def _facts(entry: BookEntry) -> Mapping[str, str]:
    """Return the metadata of an entry; what it does not have is left out."""
    texts = {
        "public_id": reference(entry.public_id),
        "source": entry.source,
        "actor": entry.actor,
        "approver": entry.approver,
        "table": entry.table,
        "session": entry.session,
        "shift": entry.shift,
        "effective_at": moment_text(entry.effective_at),
        "recorded_at": moment_text(entry.recorded_at),
        "reverses": reference(entry.reverses),
        "reversed_by": reference(entry.reversed_by),
        "restates": reference(entry.restates),
        "corrects": reference(entry.corrects),
    }
    plain = {
        "gaming_day": entry.gaming_day,
        "late_day": entry.late_day,
        "rate_sold": entry.rate_sold,
        "rate_bought": entry.rate_bought,
        "seal": entry.seal,
    }
    return (
        {"entry_id": str(entry.id)}
        | {name: quoted(text) for name, text in texts.items() if text}
        | {name: str(value) for name, value in plain.items() if value is not None}
    )


def _line_facts(posting: BookPosting) -> Mapping[str, str]:
    facts = {"event": quoted(posting.event)}
    if posting.pieces:
        facts["pieces"] = quoted(posting.pieces_text)
    return facts


def _closes(books: Books, tree: Tree) -> Iterator[str]:
    for close in books.closes():
        yield f"\n; What the close of {close.gaming_day} kept of the accounts that had moved.\n"
        for account in books.among(close.moved):
            yield _assertion(account, tree, close.held, after=close.gaming_day)


def _assertion(account: BookAccount, tree: Tree, held: Mapping[int, int], *, after: date) -> str:
    amount = decimal_text(tree.subtotal(account.id, held), account.exponent)
    return f"{after + DAY} balance {tree.names[account.id]}  {amount} ~ 0 {account.currency}\n"


def _amount(account: BookAccount, minor: int) -> str:
    return f"{decimal_text(minor, account.exponent)} {account.currency}"
