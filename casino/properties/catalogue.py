"""Every setting that exists, with its kind, default and meaning: no other name has a value.

Zone, day start, currency, languages and shifts are the property's own columns and rows.
Source: table-operations.md 21; cage-integration.md 5 for `max_clock_skew`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from casino.properties.errors import SettingValueError, UnknownSettingError

JSON = None | bool | int | float | str | list["JSON"] | dict[str, "JSON"]

LARGEST_AMOUNT: Final = 9_007_199_254_740_991
"""The largest integer that every JSON reader keeps exactly."""


class Kind(Protocol):
    """What a setting's value may be."""

    def objection(self, value: JSON) -> str | None:
        """Return what is wrong with *value*, as the end of a sentence, or None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole number within bounds, both included; None as well where *may_be_off*."""

    least: int
    most: int
    unit: str
    may_be_off: bool = False

    def objection(self, value: JSON) -> str | None:
        if value is None and self.may_be_off:
            return None
        if type(value) is int and self.least <= value <= self.most:
            return None
        off = ", or null to switch it off" if self.may_be_off else ""
        return f"is a whole number of {self.unit} from {self.least} to {self.most}{off}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def objection(self, value: JSON) -> str | None:
        return None if value in self.words else f"is one of {', '.join(self.words)}"


@dataclass(frozen=True, slots=True)
class PercentBand:
    """Two percentages around 100: `{"low": 75, "high": 150}`."""

    def objection(self, value: JSON) -> str | None:
        if isinstance(value, dict) and value.keys() == {"low", "high"}:
            low, high = value["low"], value["high"]
            if type(low) is int and type(high) is int and 0 < low < 100 < high <= 1000:
                return None
        return "has two whole percentages, low from 1 to 99 and high from 101 to 1000"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingSpec:
    """One setting: what it means, what it may be, and what it is until someone sets it."""

    name: str
    kind: Kind
    default: JSON
    meaning: str
    about_money: bool
    """A change needs a second person (table-operations.md 15)."""


def _amount(name: str, default: int | None, meaning: str) -> SettingSpec:
    kind = Whole(least=0, most=LARGEST_AMOUNT, unit="minor units", may_be_off=True)
    return SettingSpec(name=name, kind=kind, default=default, meaning=meaning, about_money=True)


_SPECS: Final = (
    _amount(
        "void_pit_boss_over",
        50_000,
        "A void of a paid round needs a pit boss when the chips it moves are above this amount.",
    ),
    _amount(
        "verify_buyin_over",
        10_000,
        "A buy-in above this amount is verified and signed by the floor.",
    ),
    _amount(
        "opener_alert_amount",
        0,
        "An opener that differs from the last closer by more than this amount raises an alert.",
    ),
    _amount(
        "opener_written_report_over",
        2_500,
        "An opener that differs by more than this amount needs a written report.",
    ),
    _amount(
        "opener_regulator_copy_from",
        10_000,
        "From this difference of the opener on, the regulator gets a copy of the report.",
    ),
    _amount(
        "variance_alert",
        2_500,
        "A counted tray that differs from the expected one by more than this raises an alert.",
    ),
    SettingSpec(
        name="record_depth",
        kind=OneOf(words=("full", "result", "totals")),
        default="full",
        meaning="How much of each round a dealer records: every tile or card, the outcomes, "
        "or the table's net alone; only full rounds can be replayed.",
        about_money=False,
    ),
    SettingSpec(
        name="tray_band",
        kind=PercentBand(),
        default={"low": 75, "high": 150},
        meaning="Where the tablet's tray band turns low and high, in percent of the opener.",
        about_money=False,
    ),
    SettingSpec(
        name="max_clock_skew",
        kind=Whole(least=0, most=3_600, unit="seconds"),
        default=120,
        meaning="How far ahead of ours a caller's clock may run before its event is refused.",
        about_money=False,
    ),
)

CATALOGUE: Final[Mapping[str, SettingSpec]] = MappingProxyType({s.name: s for s in _SPECS})
assert all(spec.kind.objection(spec.default) is None for spec in _SPECS)


def get_spec(name: str) -> SettingSpec:
    """Return the description of the setting *name*.

    Raises:
        UnknownSettingError: there is none of that name.
    """
    try:
        return CATALOGUE[name]
    except KeyError:
        raise UnknownSettingError(name) from None


def require_value(name: str, value: JSON) -> None:
    """Refuse a *value* that the setting *name* cannot have.

    Raises:
        UnknownSettingError: there is no such setting.
        SettingValueError: the value is of another kind or out of bounds.
    """
    objection = get_spec(name).kind.objection(value)
    if objection is not None:
        raise SettingValueError(name, objection)
