"""The accounts as a tree, a part of the code at a time, and by words of their code or name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.properties.models import Property
from ledger import selectors as ledger
from ledger.chart import AccountType, Place, name_of, parent_of
from ledger.errors import UnknownAccountError
from ledger.models import Account
from ledger.selectors import AccountNode, TypeNode
from tables.art.records import Words
from tables.floor.models import Table
from tables.pit.access import Reader
from tables.pit.books.balances import balance_of, balances_of
from tables.pit.books.records import AccountGroup, AccountRow, Balance
from tables.pit.entries import statement_address
from tables.pit.names import Names, name_codes

FOUND: Final = 100
"""Accounts that a search shows; whoever finds more asks more closely."""

TYPES: Final = {
    AccountType.ASSET: gettext_lazy("Assets"),
    AccountType.LIABILITY: gettext_lazy("Liabilities"),
    AccountType.EQUITY: gettext_lazy("Equity"),
    AccountType.REVENUE: gettext_lazy("Revenue"),
    AccountType.EXPENSE: gettext_lazy("Expenses"),
}
assert TYPES.keys() == set(AccountType)
CLASSES: Final = tuple(TYPES)
"""In the order of the chart: the numbers of the first begin with 1."""


def chart_groups(reader: Reader, tree: Iterable[TypeNode]) -> tuple[AccountGroup, ...]:
    """Return the numbers of the chart that were ever opened, by type."""
    return tuple(
        AccountGroup(
            title=f"{CLASSES.index(node.type) + 1} {TYPES[node.type]}",
            totals=balances_of(reader, node.totals),
            rows=tuple(
                AccountRow(
                    code=number.number,
                    name=number.name,
                    totals=balances_of(reader, number.totals),
                    below=below_address(number.number),
                )
                for number in node.numbers
            ),
        )
        for node in tree
    )


def comes_to_nothing(tree: Iterable[TypeNode]) -> bool:
    """Return whether all accounts of *tree* together hold nothing, in each currency."""
    sums: dict[str, int] = {}
    for node in tree:
        for held in node.totals:
            sums[held.currency] = sums.get(held.currency, 0) + held.amount
    return not any(sums.values())


def together(reader: Reader, code: str) -> tuple[Balance, ...]:
    """Return what *code* and all below it hold; nothing where none of them was ever opened."""
    try:
        return balances_of(reader, ledger.account_balances(reader.casino.pk, code))
    except UnknownAccountError:
        return ()


def own_row(reader: Reader, code: str) -> AccountRow | None:
    """Return the account *code* itself; None where only others below it were ever opened."""
    account = Account.objects.filter(property=reader.casino, code=code).first()
    if account is None:
        return None
    held = ledger.balance(reader.casino.pk, code)
    return AccountRow(
        code=code,
        name=_("The account itself"),
        totals=(balance_of(reader, held, account.currency_id),),
        statement=statement_address(code),
        state=_("closed") if account.closed_at else "",
    )


def child_rows(
    reader: Reader, nodes: Sequence[AccountNode], names: Names
) -> tuple[AccountRow, ...]:
    """Return what hangs right below a code."""
    return tuple(
        AccountRow(
            code=node.code,
            name=names.place(node.code.removeprefix(parent_of(node.code))),
            totals=balances_of(reader, node.totals),
            statement=statement_address(node.code) if node.own else "",
            below=below_address(node.code) if node.has_children else "",
            state=_("closed") if node.is_open is False else "",
        )
        for node in nodes
    )


def find_accounts(casino: Property, words: str, *, limit: int) -> list[Account]:
    """Return accounts of which code or name hold every one of *words*; a table's code counts."""
    tables = {
        code.casefold(): pk
        for code, pk in Table.objects.filter(property=casino).values_list("code", "pk")
    }
    wanted = Q(property=casino)
    for word in words.split():
        says = Q(code__icontains=word) | Q(name__icontains=word)
        if table := tables.get(word.casefold()):
            says |= Q(code__regex=rf"/{Place.TABLE}:{table}(/|$)")
        wanted &= says
    return list(Account.objects.filter(wanted).order_by("code")[:limit])


def found_rows(reader: Reader, accounts: Sequence[Account], names: Names) -> tuple[AccountRow, ...]:
    """Return accounts that a search found, each with what itself holds."""
    codes = [account.code for account in accounts]
    held = ledger.balances(reader.casino.pk, *codes) if codes else {}
    return tuple(
        AccountRow(
            code=account.code,
            name=", ".join(filter(None, (account.name, names.place(account.code)))),
            totals=(balance_of(reader, held.get(account.code, 0), account.currency_id),),
            statement=statement_address(account.code),
            state=_("closed") if account.closed_at else "",
        )
        for account in accounts
    )


def way_up(code: str, names: Names) -> tuple[tuple[Words, str], ...]:
    """Return each code above *code* with its page, the chart first."""
    steps: list[tuple[Words, str]] = []
    above = parent_of(code)
    while above:
        steps.insert(0, (title_of(above, names), below_address(above)))
        above = parent_of(above)
    return ((_("All accounts"), reverse("pit:books-accounts")), *steps)


def title_of(code: str, names: Names) -> Words:
    """Return *code* in words, whole or the beginning of one."""
    name, place = name_of(code[:4]), names.place(code)
    return f"{code[:4]} {name}, {place}" if place else f"{code[:4]} {name}"


def below_address(code: str) -> str:
    """Return where the accounts below *code* are listed."""
    return reverse("pit:books-accounts", query={"under": code})


def names_of(reader: Reader, codes: Iterable[str]) -> Names:
    """Return the names of what the accounts *codes* belong to."""
    return name_codes(reader.casino.pk, codes)
