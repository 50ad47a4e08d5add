"""Money is a whole number of minor units in one currency; amounts of two currencies never mix.

What does not divide evenly is never lost: shares add up to the whole, what is rounded leaves its
rest, a meter keeps the part of a minor unit that it has not posted yet, and an exchange names its
rate. Plain integers throughout.

Source: ledger.md 1.8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_MINOR: Final = 10**18
"""The largest amount that one posting takes, so that no sum overflows in silence."""
MICROS: Final = 10**6
"""Parts of a minor unit, and of a rate of one, that an accrual counts."""


class CurrencyMismatchError(ValueError):
    """Two amounts of different currencies were to be added or compared."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} and {second} do not add up")


@dataclass(frozen=True, slots=True, order=False)
class Money:
    """An amount of one currency."""

    minor: int
    """In minor units (cents of USD, whole JPY); negative is owed the other way."""
    currency: str
    """ISO 4217, three capital letters."""

    def __post_init__(self) -> None:
        if type(self.minor) is not int:
            raise TypeError(f"an amount is a whole number of minor units, not {self.minor!r}")
        if not -MAX_MINOR <= self.minor <= MAX_MINOR:
            raise OverflowError(f"{self.minor} is beyond {MAX_MINOR} minor units")

    def __add__(self, other: Money) -> Money:
        self._require_same_currency(other)
        return Money(self.minor + other.minor, self.currency)

    def __sub__(self, other: Money) -> Money:
        return self + -other

    def __neg__(self) -> Money:
        return Money(-self.minor, self.currency)

    def _require_same_currency(self, other: Money) -> None:
        if self.currency != other.currency:
            raise CurrencyMismatchError(self.currency, other.currency)


def share(total: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Part *total* in proportion to *weights*; the shares add up to it exactly.

    By largest remainder: each has its whole minor units, and those left over go one each to the
    largest remainders, of equal ones to the first. A negative total is parted as its opposite is.

    Raises:
        ValueError: a weight is negative, or all are nothing.
    """
    whole = sum(weights)
    if whole <= 0 or min(weights) < 0:
        raise ValueError(f"{weights!r} are no weights: none below zero, not all of them zero")
    sign = -1 if total < 0 else 1
    parts = [divmod(abs(total) * weight, whole) for weight in weights]
    left = abs(total) - sum(quotient for quotient, _remainder in parts)
    by_remainder = sorted(range(len(parts)), key=lambda index: -parts[index][1])
    raised = set(by_remainder[:left])
    return tuple(
        sign * (quotient + (index in raised)) for index, (quotient, _remainder) in enumerate(parts)
    )


class RoundingMode(StrEnum):
    """Which way an amount between two multiples of a unit goes; by its size, not by its sign.

    The same names as the games' options and the rules' own rounding have.
    """

    HALF_UP = "half_up"
    """To the nearest, and of two equally near ones to the greater."""
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Rounded:
    """An amount in whole units, and what the rounding left."""

    amount: int
    """A multiple of the unit, in minor units."""
    rest: int
    """What was to be moved less what is; below zero where the amount was rounded away from 0."""


def round_to(amount: int, unit: int, mode: RoundingMode) -> Rounded:
    """Round *amount* to a multiple of *unit*, both in minor units; amount and rest add up to it.

    Raises:
        ValueError: the unit is not above zero.
    """
    if unit <= 0:
        raise ValueError(f"{unit} minor units are no unit to round to")
    size = abs(amount)
    match mode:
        case RoundingMode.HALF_UP:
            units = (2 * size + unit) // (2 * unit)
        case RoundingMode.UP:
            units = -(-size // unit)
        case RoundingMode.DOWN:
            units = size // unit
    rounded = units * unit if amount >= 0 else -units * unit
    return Rounded(rounded, amount - rounded)


@dataclass(frozen=True, slots=True)
class Accrual:
    """What a meter posts now, and what it keeps for the next time."""

    whole: int
    """In minor units."""
    rest_micros: int
    """In millionths of a minor unit: 0 to 999,999."""


def accrue(rest_micros: int, *, amount: int, rate_micros: int) -> Accrual:
    """Let a meter grow by a share of *amount* that may be less than a minor unit.

    What has accrued is what was posted plus the rest, always and exactly. A wager that is taken
    back accrues with its amount below zero; then *whole* may be below zero too, the rest is not.

    Args:
        rest_micros: what the meter kept the last time.
        amount: the wager, in minor units.
        rate_micros: the meter's share of it, in millionths: 12_500 is 1.25 %.

    Raises:
        ValueError: the rest is not one that this function leaves, or the rate no share.
    """
    if not 0 <= rest_micros < MICROS:
        raise ValueError(f"{rest_micros} millionths are no rest of a minor unit")
    if not 0 <= rate_micros <= MICROS:
        raise ValueError(f"{rate_micros} millionths are no share of a wager")
    return Accrual(*divmod(rest_micros + amount * rate_micros, MICROS))


def exchange(sold: int, rate_sold: int, rate_bought: int) -> int:
    """Return what *sold* buys in another currency at *rate_bought* for *rate_sold*.

    All in minor units of their currencies, so exponents need no care: 100 cents for 150 yen is
    the rate 100, 150; the peg of the pataca to the Hong Kong dollar is 100, 103. What is less than
    one minor unit stays with the house: it never pays more than the rate, and there and back again
    gains a patron nothing.

    Raises:
        ValueError: nothing is sold, or a side of the rate is not above zero.
    """
    if min(sold, rate_sold, rate_bought) <= 0:
        raise ValueError(f"{sold} at {rate_bought} for {rate_sold} is no exchange")
    return sold * rate_bought // rate_sold
