"""A round as it was recorded: who wagered what, what lay in front of whom, who banks.

The invariant: what leaves :func:`check_round` can be settled; each tile or card in it exists
and appears no more often than that, each set is made of its own hand, each wager is more
than nothing. This module knows no game: a :class:`Layout` tells it what the game's table
looks like, and hands are strings, the game's tokens.

Source:
    rules-cli.md, "round".
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from rules import errors
from rules.settlement import HOUSE, LARGEST_AMOUNT, Outcome

Hand = tuple[str, ...]

LARGEST_WAGER: Final = LARGEST_AMOUNT
"""Minor units."""


class HouseWay(Enum):
    """Stands where a set would, to have the hand set the house way."""

    ASKED = "house_way"


HOUSE_WAY: Final = HouseWay.ASKED


@dataclass(frozen=True, slots=True, kw_only=True)
class SetInput:
    """A hand divided in two, as it was placed."""

    low: Hand
    high: Hand


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultInput:
    """What the dealer recorded instead of tiles or cards."""

    outcome: Outcome
    foul: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatInput:
    """One seat's part in a round: a hand with its set, or only the result."""

    seat: int
    wager: int
    """Minor units."""
    hand: Hand | None = None
    set: SetInput | HouseWay | None = None
    side_bets: Mapping[str, int]
    """Name to wager in minor units; a bet that is named counts as offered."""
    result: ResultInput | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BankInput:
    """The bank's part in a round."""

    holder: str = HOUSE
    hand: Hand | None = None
    """None where every seat carries a result."""
    set: SetInput | HouseWay = HOUSE_WAY


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundInput:
    """A whole round, hands open and wagers placed."""

    bank: BankInput
    seats: tuple[SeatInput, ...]
    action_order: tuple[int, ...] | None = None
    """Seat numbers as they act; None where they act in the order given."""

    def seats_in_action_order(self) -> tuple[SeatInput, ...]:
        """Return the seats in the order in which they are settled."""
        if self.action_order is None:
            return self.seats
        by_number = {seat.seat: seat for seat in self.seats}
        return tuple(by_number[number] for number in self.action_order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """The tiles or cards of a game: how they are written and how many of each there are."""

    noun: str
    """``tile`` or ``card``."""
    spellings: Mapping[str, str]
    """Every accepted way to write a token, to the one way in which answers write it."""
    copies: Mapping[str, int]

    def read(self, tokens: Sequence[str], *way: str | int) -> Hand:
        """Return *tokens* as answers write them; *way* leads to them.

        Raises:
            UnknownTokenError: there is no such tile or card; ``/2`` is the third of them.
        """
        try:
            return tuple([self.spellings[token] for token in tokens])
        except KeyError:
            place, token = next(
                (place, token) for place, token in enumerate(tokens) if token not in self.spellings
            )
            raise errors.UnknownTokenError(
                token, noun=self.noun, pointer=errors.pointer_to(*way, place)
            ) from None

    def read_hand(
        self, tokens: Sequence[str], *, sizes: Collection[int], dealt: dict[str, int] | None = None
    ) -> Hand:
        """Return *tokens* as answers write them, a hand of one of the *sizes*.

        *dealt* counts what the other hands of the round hold and is added to. Errors point
        into the hand: ``/2`` is its third token.

        Raises:
            HandSizeError, UnknownTokenError, TokenRepeatedError.
        """
        if len(tokens) not in sizes:
            raise errors.HandSizeError(len(tokens), wanted=sorted(sizes), noun=self.noun)
        dealt = {} if dealt is None else dealt
        hand = self.read(tokens)
        for place, token in enumerate(hand):
            dealt[token] = held = dealt.get(token, 0) + 1
            if held > self.copies[token]:
                raise errors.TokenRepeatedError(
                    token, copies=self.copies[token], pointer=errors.pointer_to(place)
                )
        return hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """What a game's table looks like to the checks of a round."""

    pack: Pack
    first_seat: int
    last_seat: int
    low_size: int
    high_size: int
    side_bets: frozenset[str] = frozenset()
    unbuilt_side_bets: frozenset[str] = frozenset()

    @property
    def hand_size(self) -> int:
        """Tiles or cards dealt to a position."""
        return self.low_size + self.high_size

    def read_set(self, given: SetInput, *, hand: Hand) -> SetInput:
        """Return *given* as answers write it, made of exactly the tokens of *hand*.

        Whether the set is legal is the game's question; whether it is the seat's is asked here.

        Raises:
            HandSizeError, UnknownTokenError, ForeignSetError.
        """
        low = self._read_part("low", given.low, self.low_size)
        high = self._read_part("high", given.high, self.high_size)
        if sorted(low + high) != sorted(hand):
            raise self._foreign(low, high, hand=hand)
        return SetInput(low=low, high=high)

    def _read_part(self, name: str, given: Hand, size: int) -> Hand:
        if len(given) != size:
            raise errors.HandSizeError(
                len(given), wanted=(size,), noun=self.pack.noun, pointer=errors.pointer_to(name)
            )
        return self.pack.read(given, name)

    def _foreign(self, low: Hand, high: Hand, *, hand: Hand) -> errors.ForeignSetError:
        left = list(hand)
        for name, part in (("low", low), ("high", high)):
            for place, token in enumerate(part):
                if token not in left:
                    return errors.ForeignSetError(token, pointer=errors.pointer_to(name, place))
                left.remove(token)
        raise AssertionError("a set of the hand's size that differs holds a foreign token")


def check_wager(
    wager: int,
    *,
    minimum: int | None,
    maximum: int | None,
    increment: int | None,
    pointer: str = "",
) -> None:
    """Require that *wager* may be placed at a table with these limits (minor units).

    Raises:
        WagerNotPositiveError, WagerBelowMinimumError, WagerAboveMaximumError,
        WagerIncrementError: at *pointer*.
    """
    if wager <= 0:
        raise errors.WagerNotPositiveError(wager, pointer=pointer)
    if minimum is not None and wager < minimum:
        raise errors.WagerBelowMinimumError(wager, minimum=minimum, pointer=pointer)
    if maximum is not None and wager > maximum:
        raise errors.WagerAboveMaximumError(wager, maximum=maximum, pointer=pointer)
    if increment is not None and wager % increment:
        raise errors.WagerIncrementError(wager, increment=increment, pointer=pointer)


# From JSON: the shape of a round, whatever the game.


def read_round(given: object) -> RoundInput:
    """Return the round that *given*, the ``round`` of a request, spells out.

    Only its shape is looked at; :func:`check_round` asks whether it can have happened.

    Raises:
        MalformedError, MissingMemberError, UnknownMemberError, UnknownOutcomeError,
        WagerNotIntegerError: with the place, from ``/bank`` or ``/seats`` on.
        NotBuiltError: a player's bank, a co-bank, a fund or a house hand beside one.
    """
    members = _members(given, _ROUND)
    bank = _required(members, "bank")
    seats = _required(members, "seats")
    if members.get("house_hand") is not None:
        raise errors.NotBuiltError("a house hand beside a player's bank", pointer="/house_hand")
    with errors.at("bank"):
        read_bank = _read_bank(bank)
    read_seats = []
    with errors.at("seats"):
        if not isinstance(seats, list | tuple):
            raise errors.MalformedError("seats must be a list")
        for index, seat in enumerate(seats):
            with errors.at(index):
                read_seats.append(_read_seat(seat))
    with errors.at("action_order"):
        order = _read_order(members.get("action_order"))
    return RoundInput(bank=read_bank, seats=tuple(read_seats), action_order=order)


_ROUND: Final = frozenset({"bank", "seats", "house_hand", "action_order"})
_BANK: Final = frozenset({"holder", "hand", "set", "cobank", "fund"})
_SEAT: Final = frozenset({"seat", "hand", "set", "wager", "side_bets", "result"})
_SET: Final = frozenset({"low", "high"})
_RESULT: Final = frozenset({"outcome", "foul"})


def _members(given: object, known: frozenset[str]) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        raise errors.MalformedError("an object is needed here")
    if not known.issuperset(given):
        unknown = next(name for name in given if name not in known)
        raise errors.UnknownMemberError(str(unknown), known=known)
    return given


def _required(members: Mapping[str, object], name: str) -> object:
    value = members.get(name)
    if value is None:
        raise errors.MissingMemberError(name)
    return value


def _read_bank(given: object) -> BankInput:
    members = _members(given, _BANK)
    holder = members.get("holder", HOUSE)
    if not isinstance(holder, str) or (holder != HOUSE and not _names_a_seat(holder)):
        raise errors.MalformedError("the holder is 'house' or 'seat:n'", pointer="/holder")
    if holder != HOUSE:
        raise errors.NotBuiltError("a player's bank", pointer="/holder")
    if not isinstance(members.get("cobank", False), bool | None):
        raise errors.MalformedError("cobank must be true or false", pointer="/cobank")
    if members.get("cobank"):
        raise errors.NotBuiltError("co-banking", pointer="/cobank")
    if members.get("fund") is not None:
        raise errors.NotBuiltError("a bank with limited money", pointer="/fund")
    return BankInput(holder=holder, hand=_read_hand(members), set=_read_set(members) or HOUSE_WAY)


def _names_a_seat(party: str) -> bool:
    kind, _, number = party.partition(":")
    return kind == "seat" and number.isdecimal()


def _read_seat(given: object) -> SeatInput:
    members = _members(given, _SEAT)
    seat = _required(members, "seat")
    if isinstance(seat, bool) or not isinstance(seat, int):
        raise errors.MalformedError("seat must be a number", pointer="/seat")
    wager = _read_wager(_required(members, "wager"), "wager")
    return SeatInput(
        seat=seat,
        wager=wager,
        hand=_read_hand(members),
        set=_read_set(members),
        side_bets=_read_side_bets(members.get("side_bets")),
        result=_read_result(members),
    )


def _read_wager(given: object, name: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise errors.WagerNotIntegerError(given, pointer=errors.pointer_to(name))
    return given


def _read_side_bets(given: object) -> Mapping[str, int]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise errors.MalformedError(
            "side_bets must be an object of names and wagers", pointer="/side_bets"
        )
    with errors.at("side_bets"):
        return {str(name): _read_wager(wager, str(name)) for name, wager in given.items()}


def _read_hand(members: Mapping[str, object]) -> Hand | None:
    given = members.get("hand")
    return None if given is None else read_tokens(given, "hand")


def read_tokens(given: object, name: str) -> Hand:
    """Return the list of strings *given*, the member *name*, as a tuple.

    Raises:
        MalformedError: it is something else.
    """
    if not isinstance(given, list | tuple):
        raise errors.MalformedError(
            "a list of tokens is needed here", pointer=errors.pointer_to(name)
        )
    for place, token in enumerate(given):
        if not isinstance(token, str):
            raise errors.MalformedError(
                "a token is a string", pointer=errors.pointer_to(name, place)
            )
    return tuple(given)


def _read_set(members: Mapping[str, object]) -> SetInput | HouseWay | None:
    given = members.get("set")
    if given is None:
        return None
    with errors.at("set"):
        if given == HOUSE_WAY.value:
            return HOUSE_WAY
        if isinstance(given, str):
            raise errors.MalformedError("a set is low and high, or 'house_way'")
        parts = _members(given, _SET)
        low, high = _required(parts, "low"), _required(parts, "high")
        return SetInput(low=read_tokens(low, "low"), high=read_tokens(high, "high"))


def _read_result(members: Mapping[str, object]) -> ResultInput | None:
    given = members.get("result")
    if given is None:
        return None
    with errors.at("result"):
        parts = _members(given, _RESULT)
        outcome = _required(parts, "outcome")
        if not isinstance(outcome, str) or outcome not in tuple(Outcome):
            raise errors.UnknownOutcomeError(outcome, known=Outcome, pointer="/outcome")
        foul = parts.get("foul", False)
        if not isinstance(foul, bool):
            raise errors.MalformedError("foul must be true or false", pointer="/foul")
        return ResultInput(outcome=Outcome(outcome), foul=foul)


def _read_order(given: object) -> tuple[int, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list | tuple):
        raise errors.MalformedError("the order of action is a list of seat numbers")
    for index, seat in enumerate(given):
        if isinstance(seat, bool) or not isinstance(seat, int):
            raise errors.MalformedError("a seat is a number", pointer=errors.pointer_to(index))
    return tuple(given)


# Whether it can have happened at this game's table.


def check_round(given: RoundInput, *, layout: Layout) -> RoundInput:
    """Return *given* with its tokens as answers write them, once it is sure to be settleable.

    Hands are read in the order bank, then seats as given; of a tile or card that appears too
    often the occurrence too many is pointed to.

    Raises:
        SeatNumberError, SeatTwiceError, ActionOrderError, WagerNotPositiveError,
        UnknownSideBetError, NotBuiltError, MissingMemberError, MalformedError,
        HandSizeError, UnknownTokenError, TokenRepeatedError, ForeignSetError.
    """
    _check_seat_numbers(given, layout)
    dealt: dict[str, int] = {}
    with errors.at("bank"):
        bank = _check_bank(given, layout, dealt)
    seats = []
    for index, seat in enumerate(given.seats):
        with errors.at("seats", index):
            seats.append(_check_seat(seat, layout, dealt))
    return replace(given, bank=bank, seats=tuple(seats))


def _check_seat_numbers(given: RoundInput, layout: Layout) -> None:
    if not given.seats:
        raise errors.MalformedError("a round has at least one seat", pointer="/seats")
    seen: set[int] = set()
    for index, seat in enumerate(given.seats):
        number = seat.seat
        if not layout.first_seat <= number <= layout.last_seat:
            raise errors.SeatNumberError(
                number,
                first=layout.first_seat,
                last=layout.last_seat,
                pointer=errors.pointer_to("seats", index, "seat"),
            )
        if number in seen:
            raise errors.SeatTwiceError(number, pointer=errors.pointer_to("seats", index, "seat"))
        seen.add(number)
    if given.action_order is not None and sorted(given.action_order) != sorted(seen):
        raise errors.ActionOrderError(pointer="/action_order")


def _check_bank(given: RoundInput, layout: Layout, dealt: dict[str, int]) -> BankInput:
    bank = given.bank
    if bank.hand is None:
        if any(seat.result is None for seat in given.seats):
            raise errors.MissingMemberError("hand")
        if bank.set is not HOUSE_WAY:
            raise errors.MissingMemberError("hand")
        return bank
    with errors.at("hand"):
        hand = layout.pack.read_hand(bank.hand, sizes=(layout.hand_size,), dealt=dealt)
    placed = _check_set(bank.set, hand, layout)
    if (hand, placed) == (bank.hand, bank.set):
        return bank  # written as answers write it, as nearly always
    return replace(bank, hand=hand, set=placed)


def _check_seat(seat: SeatInput, layout: Layout, dealt: dict[str, int]) -> SeatInput:
    _check_size(seat.wager, "/wager")
    _check_side_bets(seat.side_bets, layout)
    if seat.result is not None:
        if seat.hand is not None or seat.set is not None:
            raise errors.MalformedError(
                "a seat has a result or a hand with its set, not both", pointer="/result"
            )
        return seat
    if seat.hand is None:
        raise errors.MissingMemberError("hand")
    if seat.set is None:
        raise errors.MissingMemberError("set")
    with errors.at("hand"):
        hand = layout.pack.read_hand(seat.hand, sizes=(layout.hand_size,), dealt=dealt)
    placed = _check_set(seat.set, hand, layout)
    if (hand, placed) == (seat.hand, seat.set):
        return seat
    return replace(seat, hand=hand, set=placed)


def _check_set(given: SetInput | HouseWay, hand: Hand, layout: Layout) -> SetInput | HouseWay:
    if isinstance(given, HouseWay):
        return given
    with errors.at("set"):
        return layout.read_set(given, hand=hand)


def _check_side_bets(bets: Mapping[str, int], layout: Layout) -> None:
    for name, wager in bets.items():
        with errors.at("side_bets"):
            if name in layout.unbuilt_side_bets:
                raise errors.NotBuiltError(f"the side bet {name}", pointer=errors.pointer_to(name))
            if name not in layout.side_bets:
                raise errors.UnknownSideBetError(name)
            _check_size(wager, errors.pointer_to(name))


def _check_size(wager: int, pointer: str) -> None:
    check_wager(wager, minimum=None, maximum=LARGEST_WAGER, increment=None, pointer=pointer)
