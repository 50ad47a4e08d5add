"""An exchange of currencies at a cage window: two pairs of legs, each balanced in its currency.

Between them stands the trading account of the pair, which holds what the house has bought of one
and given of the other; at the rates of the day its two balances are the gain or loss. There is no
exchange of currency for currency in the pit.

Source: ledger.md 1.8; table-operations.md 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ledger.chart import Number, account_code
from ledger.errors import InvalidEntryError
from ledger.money import MAX_MINOR, Money, exchange
from ledger.services.posting import Leg
from ledger.services.templates import EventKind, Pieces, Places

AT_THE_CAGE: Final = frozenset({Number.CAGE_CASH, Number.CAGE_CHIP_BANK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a cashier takes and gives, ready to be posted."""

    legs: tuple[Leg, ...]
    sold: Money
    """What the patron hands over."""
    bought: Money
    """What the patron is given for it."""
    rate: tuple[int, int]
    """So many minor units sold for so many bought; the entry keeps both."""


def exchange_legs(
    *,
    sold: Money,
    currency: str,
    rate: tuple[int, int],
    own_currency: str,
    places: Places,
    taken: Number = Number.CAGE_CASH,
    given: Number = Number.CAGE_CASH,
    pieces_taken: Pieces = (),
    pieces_given: Pieces = (),
) -> Exchange:
    """Return the four legs by which a patron sells *sold* for *currency*.

    Args:
        rate: (sold, bought), in minor units of the two currencies: (100, 103) of HKD to MOP.
        own_currency: the property's, which no code writes.
        places: the window; its `pair` and `currency` are set here.
        taken, given: cage cash or the cage's chip bank: what lies in the drawer for either side.
        pieces_taken, pieces_given: of chips, (denomination, pieces).

    Raises:
        InvalidEntryError: both currencies are one, the amount or the rate is not above zero, what
            is bought comes to nothing or beyond the limit, or a side is not at the cage.
        MissingPlaceError: no window is given for currency.
    """
    if currency == sold.currency:
        raise InvalidEntryError("currency", f"{currency} is not exchanged for itself")
    for field, number in (("taken", taken), ("given", given)):
        if number not in AT_THE_CAGE:
            raise InvalidEntryError(field, f"account {number} is no side of an exchange")
    bought = Money(_bought(sold.minor, rate), currency)
    pair = "-".join(sorted((sold.currency, currency)))

    def code(number: Number, of: str) -> str:
        written = None if of == own_currency else of
        return account_code(number, replace(places, pair=pair, currency=written).given())

    sides = (
        (taken, sold, 1, pieces_taken),
        (Number.CURRENCY_TRADING, sold, -1, ()),
        (Number.CURRENCY_TRADING, bought, 1, ()),
        (given, bought, -1, pieces_given),
    )
    legs = tuple(
        Leg(
            account=code(number, money.currency),
            amount=sign * money.minor,
            event=EventKind.CURRENCY_EXCHANGED,
            pieces=pieces,
        )
        for number, money, sign, pieces in sides
    )
    return Exchange(legs=legs, sold=sold, bought=bought, rate=rate)


def _bought(sold: int, rate: tuple[int, int]) -> int:
    if not 0 < sold <= MAX_MINOR:
        raise InvalidEntryError("amount", f"{sold} is not between 1 and {MAX_MINOR}")
    if max(rate) > MAX_MINOR:
        raise InvalidEntryError("rate", f"its two numbers are between 1 and {MAX_MINOR}")
    try:
        bought = exchange(sold, *rate)
    except ValueError as error:
        raise InvalidEntryError("rate", str(error)) from error
    if not 0 < bought <= MAX_MINOR:
        raise InvalidEntryError("amount", f"{sold} at {rate[1]} for {rate[0]} buys {bought}")
    return bought
