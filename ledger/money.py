"""Money is a whole number of minor units in one currency; amounts of two currencies never mix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_MINOR: Final = 10**18
"""The largest amount that one posting takes, so that no sum overflows in silence."""


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
