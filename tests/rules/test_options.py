"""Options: defaults, each name and value accepted or refused by name, profiles that last."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

import pytest

from rules import errors
from rules.options import Choice, Flag, Money, OptionSchema, Rate


class Mode(StrEnum):
    HOUSE = "house"
    ROUND = "round"
    ROOM = "room"


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    mode: Mode
    shared: bool
    least: int | None
    most: int | None
    unit: int
    rate: Fraction


SCHEMA = OptionSchema(
    House,
    Choice(
        name="mode",
        meaning="Who banks.",
        choices=Mode,
        default=Mode.ROUND,
        unbuilt=frozenset({Mode.ROUND, Mode.ROOM}),
        aliases=("player_mode",),
        value_aliases={"off": Mode.HOUSE, False: Mode.HOUSE},
    ),
    Flag(name="shared", meaning="Whether it is shared.", default=False),
    Money(name="least", meaning="The least.", aliases=("min_bet",)),
    Money(name="most", meaning="The most."),
    Money(name="unit", meaning="The unit.", default=1, only=(1, 25), value_aliases={"0.25": 25}),
    Rate(name="rate", meaning="The rate.", default=Fraction(1, 20)),
    unbuilt=("dice",),
    limits=("least", "most"),
)


def refusal(given: object, *, complete: bool = False) -> tuple[str, str]:
    with pytest.raises(errors.RulesError) as refused:
        SCHEMA.resolve(given, complete=complete)
    return refused.value.code, refused.value.pointer


def test_what_is_left_out_has_its_default():
    assert SCHEMA.resolve({}) == House(
        mode=Mode.ROUND, shared=False, least=None, most=None, unit=1, rate=Fraction(1, 20)
    )


def test_a_complete_profile_must_name_an_option_whose_default_is_not_built():
    assert refusal({}, complete=True) == ("not_built", "/options/mode")
    assert SCHEMA.resolve({"mode": "house"}, complete=True).mode is Mode.HOUSE


@pytest.mark.parametrize(
    ("given", "field", "value"),
    [
        ({"player_mode": "off"}, "mode", Mode.HOUSE),
        ({"player_mode": False}, "mode", Mode.HOUSE),
        ({"min_bet": 500}, "least", 500),
        ({"least": None}, "least", None),
        ({"unit": "0.25"}, "unit", 25),
        ({"shared": "on"}, "shared", True),
        ({"rate": "0.050"}, "rate", Fraction(1, 20)),
        ({"rate": Decimal("0.047619")}, "rate", Fraction(47619, 10**6)),
        ({"rate": 0}, "rate", Fraction(0)),
    ],
)
def test_each_specifications_own_words_are_accepted(given, field, value):
    assert getattr(SCHEMA.resolve(given), field) == value


@pytest.mark.parametrize(
    ("given", "code", "pointer"),
    [
        ([], "malformed", "/options"),
        ({"dice": 3}, "not_built", "/options/dice"),
        ({"mode": "room"}, "not_built", "/options/mode"),
        ({"colour": "red"}, "unknown_option", "/options/colour"),
        ({"mode": "nobody"}, "option_value", "/options/mode"),
        ({"mode": None}, "option_value", "/options/mode"),
        ({"mode": ["house"]}, "option_value", "/options/mode"),
        ({"player_mode": "nobody"}, "option_value", "/options/player_mode"),
        ({"mode": "house", "player_mode": "off"}, "option_twice", "/options/player_mode"),
        ({"shared": 1}, "option_value", "/options/shared"),
        ({"least": 0}, "option_value", "/options/least"),
        ({"least": "5"}, "option_value", "/options/least"),
        ({"least": 5.0}, "option_value", "/options/least"),
        ({"least": True}, "option_value", "/options/least"),
        ({"least": 10**15 + 1}, "option_value", "/options/least"),
        ({"least": 500, "most": 499}, "option_value", "/options/most"),
        ({"unit": 2}, "option_value", "/options/unit"),
        ({"unit": None}, "option_value", "/options/unit"),
        ({"rate": 0.05}, "option_value", "/options/rate"),
        ({"rate": "5%"}, "option_value", "/options/rate"),
        ({"rate": "-0.05"}, "option_value", "/options/rate"),
        ({"rate": "1.01"}, "option_value", "/options/rate"),
        ({"rate": "NaN"}, "option_value", "/options/rate"),
        ({"rate": "5e-2"}, "option_value", "/options/rate"),
        ({"rate": " 0.05"}, "option_value", "/options/rate"),
        ({"rate": "0_0.05"}, "option_value", "/options/rate"),
        ({"rate": "٠.٠٥"}, "option_value", "/options/rate"),
        ({"rate": Decimal("1e-999999999")}, "option_value", "/options/rate"),
        ({"rate": Decimal("1e999999999")}, "option_value", "/options/rate"),
        ({"rate": "0.0000001"}, "option_value", "/options/rate"),
        ({"rate": False}, "option_value", "/options/rate"),
    ],
)
def test_what_cannot_be_is_refused_by_name(given, code, pointer):
    assert refusal(given) == (code, pointer)


def test_a_stored_profile_is_sorted_and_resolves_to_itself():
    rules = SCHEMA.resolve({"player_mode": "off", "min_bet": 500, "rate": "0.0500"}, complete=True)
    stored = SCHEMA.canonical(rules)
    assert list(stored.items()) == [
        ("least", 500),
        ("mode", "house"),
        ("most", None),
        ("rate", "0.05"),
        ("shared", False),
        ("unit", 1),
    ]
    assert SCHEMA.resolve(stored, complete=True) == rules


@pytest.mark.parametrize(("rate", "stored"), [("0", "0"), ("1", "1"), ("0.047619", "0.047619")])
def test_a_rate_is_stored_without_needless_digits(rate, stored):
    assert SCHEMA.canonical(SCHEMA.resolve({"mode": "house", "rate": rate}))["rate"] == stored


def test_only_what_is_built_is_described():
    described = SCHEMA.describe()
    assert "dice" not in described
    assert described["mode"] == {
        "type": "choice",
        "values": ["house"],
        "default": None,
        "meaning": "Who banks.",
        "aliases": ["player_mode"],
    }
    assert described["rate"]["default"] == "0.05"
