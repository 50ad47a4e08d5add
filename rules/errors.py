"""Refusals: every input that the rules cannot answer is one exception class with its own code.

    RulesError
    ├── MalformedError, MissingMemberError, UnknownMemberError      the shape of a request
    ├── UnknownOpError, UnknownGameError, NotBuiltError             what is asked for
    ├── UnknownOptionError, OptionValueError, OptionTwiceError      house rules
    ├── UnknownTokenError, TokenRepeatedError, HandSizeError        tiles and cards
    ├── ForeignSetError, IllegalSetError                            sets
    ├── SeatNumberError, SeatTwiceError, ActionOrderError           seats
    ├── WagerNotIntegerError, WagerNotPositiveError,
    │   WagerBelowMinimumError, WagerAboveMaximumError,
    │   WagerIncrementError                                         wagers
    ├── UnknownSideBetError                                         side bets
    └── UnknownOutcomeError, ImpossibleResultError                  recorded results

Each names the place that is wrong as a JSON Pointer (RFC 6901) into the request. Code that
looks at a part of a request points from that part; whoever handed it the part adds the way
there with :func:`at`.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import ClassVar, Final, Literal


class RulesError(Exception):
    """The rules cannot answer; ``code`` is for programs, ``detail`` for people."""

    code: ClassVar[str]

    def __init__(self, detail: str, *, pointer: str = "") -> None:
        super().__init__(detail)
        self.detail: Final = detail
        self.pointer = pointer
        """Where in the request the fault lies: ``/round/seats/0/hand/2``; empty for all of it."""

    def as_dict(self) -> dict[str, str]:
        """Return the error object of the command line: code, detail and pointer."""
        return {"code": self.code, "detail": self.detail, "pointer": self.pointer}


def pointer_to(*path: str | int) -> str:
    """Return the JSON Pointer of *path*, its parts escaped as RFC 6901 asks."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)


class at:  # noqa: N801 -- reads as the preposition it is: `with errors.at("seats", 0):`
    """Put *path* in front of the pointer of any refusal that leaves the block.

    ``with errors.at("round", "seats", 0):`` turns ``/hand/2`` into ``/round/seats/0/hand/2``.
    A path of one string that begins with a slash is taken as a ready pointer.
    """

    __slots__ = ("_path",)

    def __init__(self, *path: str | int) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[False]:
        if isinstance(error, RulesError):
            error.pointer = self._prefix() + error.pointer
        return False

    def _prefix(self) -> str:
        first = self._path[0]
        if len(self._path) == 1 and isinstance(first, str) and first.startswith("/"):
            return first
        return pointer_to(*self._path)


_LONGEST_SHOWN: Final = 60


def _shown(value: object) -> str:
    """Return *value* as a sentence quotes it: short, and as JSON has it."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _listed(words: Iterable[object]) -> str:
    return ", ".join(str(word) for word in words)


# The shape of a request.


class MalformedError(RulesError):
    """The request is not JSON, or a member has a type or form that it cannot have."""

    code = "malformed"


class MissingMemberError(RulesError):
    """A member that the request needs is absent or null."""

    code = "missing_member"

    def __init__(self, name: str, *, pointer: str = "") -> None:
        super().__init__(f"{_shown(name)} is missing", pointer=pointer or pointer_to(name))
        self.name = name


class UnknownMemberError(RulesError):
    """A member that nobody reads, most often a misspelt one; ignoring it could lose money."""

    code = "unknown_member"

    def __init__(self, name: str, *, known: Iterable[str]) -> None:
        known = sorted(known)
        super().__init__(
            f"{_shown(name)} is not a member here; known are {_listed(known)}",
            pointer=pointer_to(name),
        )
        self.name = name


# What is asked for.


class UnknownOpError(RulesError):
    """No such operation."""

    code = "unknown_op"

    def __init__(self, op: str, *, known: Iterable[str]) -> None:
        super().__init__(f"{_shown(op)} is not an op; known are {_listed(known)}", pointer="/op")
        self.op = op


class UnknownGameError(RulesError):
    """No such game."""

    code = "unknown_game"

    def __init__(self, game: str, *, known: Iterable[str]) -> None:
        super().__init__(
            f"{_shown(game)} is not a game; known are {_listed(known)}", pointer="/game"
        )
        self.game = game


class NotBuiltError(RulesError):
    """The specification has it, this version does not."""

    code = "not_built"

    def __init__(self, what: str, *, pointer: str = "") -> None:
        super().__init__(f"{what} is not built yet", pointer=pointer)
        self.what = what


# House rules.


class UnknownOptionError(RulesError):
    """The game has no option of this name."""

    code = "unknown_option"

    def __init__(self, name: str) -> None:
        super().__init__(f"the game has no option {_shown(name)}", pointer=pointer_to(name))
        self.name = name


class OptionValueError(RulesError):
    """The option cannot have this value."""

    code = "option_value"

    def __init__(self, name: str, value: object, *, wanted: str) -> None:
        super().__init__(f"{name} must be {wanted}, not {_shown(value)}")
        self.name, self.value = name, value


class OptionTwiceError(RulesError):
    """One option is given under two of its names."""

    code = "option_twice"

    def __init__(self, name: str, *, given_as: str) -> None:
        super().__init__(
            f"{_shown(given_as)} is another name of {_shown(name)}, which is given too",
            pointer=pointer_to(given_as),
        )
        self.name, self.given_as = name, given_as


# Tiles and cards.


class UnknownTokenError(RulesError):
    """The token names no tile or card of the game."""

    code = "unknown_token"

    def __init__(self, token: str, *, noun: str, pointer: str = "") -> None:
        super().__init__(f"{_shown(token)} is not a {noun} of this game", pointer=pointer)
        self.token = token


class TokenRepeatedError(RulesError):
    """A tile or card appears more often than it exists."""

    code = "token_repeated"

    def __init__(self, token: str, *, copies: int, pointer: str = "") -> None:
        times = "once" if copies == 1 else f"{copies} times"
        super().__init__(f"{token} exists only {times}", pointer=pointer)
        self.token, self.copies = token, copies


class HandSizeError(RulesError):
    """A hand, or one half of a set, has a wrong number of tiles or cards."""

    code = "hand_size"

    def __init__(self, size: int, *, wanted: Sequence[int], noun: str, pointer: str = "") -> None:
        numbers = " or ".join(str(number) for number in wanted)
        super().__init__(f"{numbers} {noun}s are needed here, not {size}", pointer=pointer)
        self.size, self.wanted = size, tuple(wanted)


# Sets.


class ForeignSetError(RulesError):
    """A set holds a tile or card that is not in the hand it is made of."""

    code = "foreign_set"

    def __init__(self, token: str, *, pointer: str = "") -> None:
        super().__init__(f"{token} is not in the hand, or not so often", pointer=pointer)
        self.token = token


class IllegalSetError(RulesError):
    """A set that the rules of setting do not allow, where only a legal one can be taken."""

    code = "illegal_set"


# Seats.


class SeatNumberError(RulesError):
    """The table has no seat of this number."""

    code = "seat_number"

    def __init__(self, seat: int, *, first: int, last: int, pointer: str = "") -> None:
        super().__init__(
            f"seats are numbered {first} to {last}, not {_shown(seat)}", pointer=pointer
        )
        self.seat = seat


class SeatTwiceError(RulesError):
    """One seat appears twice in a round."""

    code = "seat_twice"

    def __init__(self, seat: int, *, pointer: str = "") -> None:
        super().__init__(f"seat {_shown(seat)} appears twice", pointer=pointer)
        self.seat = seat


class ActionOrderError(RulesError):
    """The order of action does not name each seat of the round exactly once."""

    code = "action_order"

    def __init__(self, *, pointer: str = "") -> None:
        super().__init__("the order names each seat of the round exactly once", pointer=pointer)


# Wagers.


class WagerNotIntegerError(RulesError):
    """A wager is an integer in minor units."""

    code = "wager_not_integer"

    def __init__(self, wager: object, *, pointer: str = "") -> None:
        super().__init__(
            f"a wager is a whole number of minor units, not {_shown(wager)}", pointer=pointer
        )


class WagerNotPositiveError(RulesError):
    """A wager of nothing, or of less."""

    code = "wager_not_positive"

    def __init__(self, wager: int, *, pointer: str = "") -> None:
        super().__init__(f"a wager is more than 0, not {_shown(wager)}", pointer=pointer)
        self.wager = wager


class WagerBelowMinimumError(RulesError):
    """A wager below the table's minimum."""

    code = "wager_below_minimum"

    def __init__(self, wager: int, *, minimum: int, pointer: str = "") -> None:
        super().__init__(f"{_shown(wager)} is below the minimum of {minimum}", pointer=pointer)
        self.wager, self.minimum = wager, minimum


class WagerAboveMaximumError(RulesError):
    """A wager above the table's maximum."""

    code = "wager_above_maximum"

    def __init__(self, wager: int, *, maximum: int, pointer: str = "") -> None:
        super().__init__(f"{_shown(wager)} is above the maximum of {maximum}", pointer=pointer)
        self.wager, self.maximum = wager, maximum


class WagerIncrementError(RulesError):
    """A wager that is not a multiple of the table's increment."""

    code = "wager_increment"

    def __init__(self, wager: int, *, increment: int, pointer: str = "") -> None:
        super().__init__(f"{_shown(wager)} is not a multiple of {increment}", pointer=pointer)
        self.wager, self.increment = wager, increment


# Side bets and recorded results.


class UnknownSideBetError(RulesError):
    """The game has no side bet of this name."""

    code = "unknown_side_bet"

    def __init__(self, name: str) -> None:
        super().__init__(f"the game has no side bet {_shown(name)}", pointer=pointer_to(name))
        self.name = name


class UnknownOutcomeError(RulesError):
    """A recorded result is a win, a loss, a push or void."""

    code = "unknown_outcome"

    def __init__(self, outcome: object, *, known: Iterable[str], pointer: str = "") -> None:
        super().__init__(
            f"{_shown(outcome)} is not an outcome; known are {_listed(known)}", pointer=pointer
        )


class ImpossibleResultError(RulesError):
    """By its house rules the table cannot have seen the recorded outcome."""

    code = "impossible_result"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, pointer="/result/outcome")
