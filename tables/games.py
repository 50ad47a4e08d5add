"""Which game a table plays: the only importer of the games in `rules`.

The rules know no table and no page; here their refusals become the floor's, and a stored rule
profile with the limits of one round becomes the house rules that they settle by.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rules import errors as rules_errors
from rules.registry import GAMES, HandValue, Setting, game
from rules.rounds import Layout, SetInput
from rules.settlement import COMMISSION, MAIN, Outcome, Settlement, Transfer
from tables.errors import RoundRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tables.floor.models import RuleProfile, TableLimits

__all__ = [
    "COMMISSION",
    "GAMES",
    "MAIN",
    "HandValue",
    "Setting",
    "Settlement",
    "Transfer",
    "complete_options",
    "describe",
    "house_way",
    "layout",
    "pack",
    "read_hand",
    "read_outcome",
    "read_set",
    "settle",
    "value",
]


@contextmanager
def _refusals() -> Iterator[None]:
    """Turn a refusal of the rules into the floor's, its place and code kept."""
    try:
        yield
    except rules_errors.RulesError as error:
        raise RoundRefusedError(
            error.detail, rule_code=error.code, pointer=error.pointer
        ) from error


def complete_options(name: str, options: Mapping[str, object]) -> dict[str, Any]:
    """Return every option of the game with its value, as a rule profile stores them.

    Raises:
        RoundRefusedError: an option or value is unknown or not built; the pointer names it.
    """
    with _refusals():
        schema = game(name).options
        return dict(schema.canonical(schema.resolve(options, complete=True)))


@lru_cache(maxsize=256)
def _house_rules(name: str, canonical: str) -> Any:
    # A profile is resolved once for each set of limits; a round then only looks it up.
    return game(name).options.resolve(json.loads(canonical), complete=True)


def _rules_of(profile: RuleProfile, limits: TableLimits | None = None) -> Any:
    options = dict(profile.options)
    if limits is not None:
        options |= {
            "wager_min": limits.wager_min,
            "wager_max": limits.wager_max,
            "wager_increment": limits.wager_increment,
        }
    return _house_rules(profile.game, json.dumps(options, sort_keys=True))


def describe(name: str) -> dict[str, object]:
    """Return what the game offers: options, seats, size of a hand, house ways."""
    return game(name).describe()


def settle(
    *, profile: RuleProfile, limits: TableLimits, record: Mapping[str, object]
) -> Settlement:
    """Settle a recorded round by the rules that it was played under.

    Raises:
        RoundRefusedError: a hand, a set or a wager cannot be; the pointer names it.
    """
    with _refusals():
        return game(profile.game).settle(options=_rules_of(profile, limits), round=record)


def house_way(*, profile: RuleProfile, hand: Sequence[str]) -> Setting:
    """Set a hand as the dealer must, with the reasons in words.

    Raises:
        RoundRefusedError: the hand cannot be.
    """
    with _refusals():
        return game(profile.game).house_way(options=_rules_of(profile), hand=hand)


def value(*, profile: RuleProfile, cards: Sequence[str]) -> HandValue:
    """Rank one low or high hand."""
    with _refusals():
        return game(profile.game).value(options=_rules_of(profile), cards=cards)


def layout(name: str) -> Layout:
    """Return what the game's table looks like: its tiles or cards, seats, sizes of hands."""
    return game(name).layout


def pack(name: str) -> list[str]:
    """Return every tile or card of the game, each as often as it exists, in a fixed order."""
    copies = layout(name).pack.copies
    return [token for token in sorted(copies) for _ in range(copies[token])]


def read_hand(
    name: str, hand: Sequence[str], *, others: Iterable[Sequence[str]] = ()
) -> tuple[str, ...]:
    """Return a dealt hand in the game's own spelling; *others* hold what it cannot hold too.

    Raises:
        RoundRefusedError: a tile or card is unknown, or appears more often than it exists, or
            there are too many or too few; the pointer goes into `/hand`.
    """
    table = layout(name)
    dealt = Counter(token for other in others for token in other)
    with _refusals(), rules_errors.at("hand"):
        return table.pack.read_hand(hand, sizes=(table.hand_size,), dealt=dealt)


def read_set(
    name: str, *, hand: Sequence[str], low: Sequence[str], high: Sequence[str]
) -> SetInput:
    """Return a set as it was placed, made of exactly the hand; a live table's may be foul.

    Raises:
        RoundRefusedError: a part has a wrong size or a token that is not in the hand.
    """
    with _refusals(), rules_errors.at("set"):
        return layout(name).read_set(SetInput(low=tuple(low), high=tuple(high)), hand=tuple(hand))


def read_outcome(outcome: str) -> Outcome:
    """Return a recorded outcome, or refuse it at `/outcome`."""
    with _refusals():
        if outcome not in frozenset(Outcome):
            raise rules_errors.UnknownOutcomeError(outcome, known=Outcome, pointer="/outcome")
    return Outcome(outcome)
