"""House rules: which options a game has, and how given ones become checked values.

The invariant: a game's rules never see a value that they do not implement. An option or a
value that the specification has and this version lacks is refused by its name.

A game declares an :class:`OptionSchema` over a frozen dataclass of its own, here called its
house rules, one field for each option. There are two ways to fill it:

* lenient, for single questions: what is left out has its default, even a default that is not
  built, since nothing may come to ask for it (a round with a house bank does not care who
  would bank next);
* complete, for the rule profile of a table: an option whose default is not built must be given.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Final, Generic, Protocol, TypeVar

from rules import errors
from rules.settlement import LARGEST_AMOUNT

OptionValue = str | int | bool | Fraction | None
"""A checked value: a member of the option's StrEnum, minor units, a flag, or an exact rate."""

JsonValue = str | int | bool | None
"""The form in which a profile stores a value."""

MAX_PLACES: Final = 6
"""Decimal places of a rate: 0.047619 is the finest that a source names."""
_DECIMAL: Final = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?")
_FINEST: Final = Decimal(1).scaleb(-MAX_PLACES)

HouseRules = TypeVar("HouseRules")


class Option(Protocol):
    """What the schema asks of an option, whichever kind it is."""

    @property
    def name(self) -> str:
        """Return the name that all games share; also the field of the house rules."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """Return the names by which the game's own specification calls it."""

    @property
    def default(self) -> OptionValue:
        """Return the value of a table that says nothing."""

    def read(self, given: object) -> OptionValue:
        """Return the checked value of *given*.

        Raises:
            OptionValueError: the option cannot have this value.
            NotBuiltError: the specification has the value, this version has not.
        """

    def store(self, value: OptionValue) -> JsonValue:
        """Return *value* in the form that a profile stores; :meth:`read` takes it back."""

    def describe(self) -> dict[str, object]:
        """Return type, values, default and meaning, for people and programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declared:
    """What every option is declared with."""

    name: str
    meaning: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(_Declared):
    """One of several words."""

    choices: type[StrEnum]
    """Every value of the specification, built or not."""
    default: StrEnum
    unbuilt: frozenset[StrEnum] = frozenset()
    value_aliases: Mapping[object, StrEnum] = field(default_factory=dict, hash=False)
    """The words by which the game's own specification calls a value: ``off`` for a mode."""

    def read(self, given: object) -> StrEnum:
        value = self._named(given)
        if value in self.unbuilt:
            raise errors.NotBuiltError(f"{self.name} {value.value!r}")
        return value

    def _named(self, given: object) -> StrEnum:
        if isinstance(given, str | bool) and given in self.value_aliases:
            return self.value_aliases[given]
        if isinstance(given, str) and given in tuple(self.choices):
            return self.choices(given)
        raise errors.OptionValueError(self.name, given, wanted="one of " + ", ".join(self.choices))

    def store(self, value: OptionValue) -> JsonValue:
        assert isinstance(value, StrEnum)
        return value.value

    def describe(self) -> dict[str, object]:
        return {
            "type": "choice",
            "values": [value.value for value in self.choices if value not in self.unbuilt],
            "default": None if self.default in self.unbuilt else self.default.value,
            "meaning": self.meaning,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag(_Declared):
    """Yes or no; ``on`` and ``off`` are accepted beside true and false."""

    default: bool

    def read(self, given: object) -> bool:
        if isinstance(given, bool):
            return given
        if given in ("on", "off"):
            return given == "on"
        raise errors.OptionValueError(self.name, given, wanted="true or false")

    def store(self, value: OptionValue) -> JsonValue:
        assert isinstance(value, bool)
        return value

    def describe(self) -> dict[str, object]:
        return {
            "type": "boolean",
            "values": [True, False],
            "default": self.default,
            "meaning": self.meaning,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Money(_Declared):
    """An amount in minor units, more than 0; None where there is none."""

    default: int | None = None
    only: tuple[int, ...] = ()
    """The amounts that the specification allows; any where empty."""
    value_aliases: Mapping[str, int] = field(default_factory=dict, hash=False)
    """The specification's decimals for them: ``0.25`` for 25."""

    def read(self, given: object) -> int | None:
        if given is None and self.default is None:
            return None
        if isinstance(given, str) and given in self.value_aliases:
            return self.value_aliases[given]
        if isinstance(given, bool) or not isinstance(given, int):
            raise errors.OptionValueError(self.name, given, wanted=self._wanted())
        if not 0 < given <= LARGEST_AMOUNT:
            raise errors.OptionValueError(self.name, given, wanted=self._wanted())
        if self.only and given not in self.only:
            raise errors.OptionValueError(self.name, given, wanted=self._wanted())
        return given

    def _wanted(self) -> str:
        if self.only:
            return f"one of {', '.join(str(amount) for amount in self.only)} (minor units)"
        return f"a whole number of minor units from 1 to {LARGEST_AMOUNT}"

    def store(self, value: OptionValue) -> JsonValue:
        assert value is None or isinstance(value, int)
        return value

    def describe(self) -> dict[str, object]:
        return {
            "type": "money",
            "values": list(self.only) or None,
            "default": self.default,
            "meaning": self.meaning,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate(_Declared):
    """A share from 0 to 1, written as a decimal string and kept exactly."""

    default: Fraction

    def read(self, given: object) -> Fraction:
        wanted = f"a decimal string from 0 to 1 with at most {MAX_PLACES} places"
        if isinstance(given, bool) or not isinstance(given, str | int | Decimal):
            raise errors.OptionValueError(self.name, given, wanted=wanted)
        if isinstance(given, str) and not _DECIMAL.fullmatch(given):
            raise errors.OptionValueError(self.name, given, wanted=wanted)
        decimal = Decimal(given)
        if not decimal.is_finite() or not 0 <= decimal <= 1:
            raise errors.OptionValueError(self.name, given, wanted=wanted)
        # Asked of the decimal: as a fraction, 1e-999999999 would take minutes and gigabytes.
        if decimal != decimal.quantize(_FINEST):
            raise errors.OptionValueError(self.name, given, wanted=wanted)
        return Fraction(decimal.quantize(_FINEST))

    def store(self, value: OptionValue) -> str:
        assert isinstance(value, Fraction)
        scaled = value * 10**MAX_PLACES
        assert scaled.denominator == 1
        whole, places = divmod(scaled.numerator, 10**MAX_PLACES)
        return f"{whole}.{places:0{MAX_PLACES}}".rstrip("0").rstrip(".")

    def describe(self) -> dict[str, object]:
        return {
            "type": "decimal",
            "values": None,
            "default": self.store(self.default),
            "meaning": self.meaning,
        }


class OptionSchema(Generic[HouseRules]):
    """All options of one game, and the dataclass that their values fill."""

    def __init__(
        self,
        into: Callable[..., HouseRules],
        *options: Option,
        unbuilt: tuple[str, ...] = (),
        limits: tuple[str, str] | None = None,
    ) -> None:
        """Take the *options* that are built and the names of those that are not.

        *into* is the game's frozen dataclass of house rules, with a field for each option.
        Of *limits*, the names of two amounts, the first must not exceed the second.
        """
        self.options = options
        self.unbuilt = frozenset(unbuilt)
        self._into = into
        self._limits = limits
        self._by_name = {
            name: option for option in options for name in (option.name, *option.aliases)
        }

    def resolve(self, given: object, *, complete: bool = False) -> HouseRules:
        """Return the house rules that *given* (a mapping of names to values) stands for.

        With *complete*, every option has a value that is built, as a table's profile needs.

        Raises:
            MalformedError: *given* is not a mapping.
            UnknownOptionError, OptionValueError, OptionTwiceError, NotBuiltError: about one
                option; all point to ``/options/<name>``.
        """
        with errors.at("options"):
            if not isinstance(given, Mapping):
                raise errors.MalformedError("options must be an object")
            values = self._read(given)
            for option in self.options:
                if option.name not in values:
                    if complete:
                        _require_built_default(option)
                    values[option.name] = option.default
            self._check_limits(values, given)
        return self._into(**values)

    def _read(self, given: Mapping[object, object]) -> dict[str, OptionValue]:
        values: dict[str, OptionValue] = {}
        for name, value in given.items():
            option = self._option(str(name))
            if option.name in values:
                raise errors.OptionTwiceError(option.name, given_as=str(name))
            with errors.at(str(name)):
                values[option.name] = option.read(value)
        return values

    def _check_limits(
        self, values: Mapping[str, OptionValue], given: Mapping[object, object]
    ) -> None:
        if self._limits is None:
            return
        least, most = self._limits
        minimum, maximum = values[least], values[most]
        if isinstance(minimum, int) and isinstance(maximum, int) and minimum > maximum:
            written = {self._by_name[str(name)].name: str(name) for name in given}
            with errors.at(written.get(most) or written[least]):
                raise errors.OptionValueError(
                    most, maximum, wanted=f"{minimum} or more, which is {least}"
                )

    def _option(self, name: str) -> Option:
        if name in self.unbuilt:
            raise errors.NotBuiltError(f"the option {name}", pointer=errors.pointer_to(name))
        if name not in self._by_name:
            raise errors.UnknownOptionError(name)
        return self._by_name[name]

    def canonical(self, rules: HouseRules) -> dict[str, JsonValue]:
        """Return *rules* as a profile stores and hashes them, sorted by the common names.

        Equal house rules give equal dictionaries, and :meth:`resolve` takes one back. With
        lenient rules a default that is not built is contained too and would be refused.
        """
        stored = {option.name: option.store(getattr(rules, option.name)) for option in self.options}
        return dict(sorted(stored.items()))

    def describe(self) -> dict[str, dict[str, object]]:
        """Return for each option what is built of it: type, values, default, meaning, aliases.

        A default of None means that a table's profile must name the value.
        """
        return {
            option.name: option.describe() | {"aliases": list(option.aliases)}
            for option in self.options
        }


def _require_built_default(option: Option) -> None:
    if isinstance(option, Choice) and option.default in option.unbuilt:
        raise errors.NotBuiltError(
            f"{option.name} {option.default.value!r}, which is the default,",
            pointer=errors.pointer_to(option.name),
        )
