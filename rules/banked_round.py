"""Settling a round of a banked game against the house's bank, whatever the game.

The invariant: the settlement follows from the recorded round and the table's house rules
alone; the bank's hand is set the house way, and every chip that moves is explained by a
comparison that the steps spell out. A game says through its :class:`Table` how hands are
divided and what they are worth; whose wager is taken, and for what foul, is decided here.

Source:
    pai-gow.md 3.2, 4, 7 and 11; pai-gow-poker.md 6.3, 7, 8, 13.2 and 15.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Protocol, TypeVar

from rules import errors
from rules.banked import explain_seat, outcome_of, settle_house_bank, settle_seat
from rules.rounds import Hand, HouseWay, Layout, RoundInput, SeatInput, SetInput, check_round
from rules.settlement import (
    CommissionRule,
    HandComparison,
    Outcome,
    SeatResult,
    SetBy,
    SetResult,
    Settlement,
    Side,
    Step,
    StepValue,
)


class RankedHand(Protocol):
    """What a low or high hand is worth: a better one is greater, an equal one is a copy."""

    def __gt__(self, other: Any, /) -> bool:
        """Tell whether this hand is the better one."""

    @property
    def words(self) -> Step:
        """Return the hand as a dealer says it."""


RankT_co = TypeVar("RankT_co", bound=RankedHand, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class DividedHand(Generic[RankT_co]):
    """A hand divided in two, legal or not, and what both parts are worth."""

    low: Hand
    high: Hand
    low_rank: RankT_co
    high_rank: RankT_co

    def ranks_as(self, other: "DividedHand[Any]") -> bool:
        """Tell whether neither part can be told from *other*'s by its worth."""
        return (self.low_rank, self.high_rank) == (other.low_rank, other.high_rank)

    def shown(self) -> dict[str, StepValue]:
        """Return both parts as a sentence shows them."""
        return {"low": " ".join(self.low), "high": " ".join(self.high)}


DividedT = TypeVar("DividedT", bound=DividedHand[Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Generic[DividedT]):
    """The set that the house way plays, and the rules that led to it, in order."""

    played: DividedT
    steps: tuple[Step, ...]


class Table(Protocol[DividedT]):
    """A game under the house rules of one table; hands are tokens as answers write them."""

    @property
    def layout(self) -> Layout:
        """Return the game's tiles or cards, its seats and the sizes of its hands."""

    @property
    def commission(self) -> CommissionRule:
        """Return the commission on a win."""

    @property
    def fouls_lose(self) -> bool:
        """Tell whether a foul set loses; else it is corrected."""

    @property
    def bank_may_push_all(self) -> bool:
        """Tell whether some hand of the bank pushes every wager."""

    def check_accepted(self, wager: int) -> None:
        """Require that a *wager* which the dealer has accepted is settled; point to ``/wager``."""

    def divide(self, given: SetInput) -> DividedT:
        """Return the set of a hand's own tokens with its ranks, legal or not."""

    def legal_sets(self, hand: Hand) -> Iterable[DividedT]:
        """Return every way in which a player may set *hand*."""

    def house_way(self, hand: Hand) -> Decision[DividedT]:
        """Set *hand* as the dealer must."""

    def fault_of(self, placed: DividedT) -> Step | None:
        """Return why a set is foul, or None for a legal one."""

    def reordered(self, foul: DividedT) -> DividedT | None:
        """Return a foul set with its hands exchanged, where this table settles it so."""

    def push_of_all(self, bank: DividedT) -> Step | None:
        """Return why this hand of the bank pushes every wager, or None if it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lying(Generic[DividedT]):
    """A hand as it takes part in the comparison."""

    hand: DividedT
    by: SetBy
    foul: bool = False
    loses: bool = False
    """The set is foul and the table's policy takes the wager."""
    steps: tuple[Step, ...] = ()

    def shown(self) -> SetResult:
        return SetResult(low=self.hand.low, high=self.hand.high, by=self.by)


def settle_round(given: RoundInput, *, table: Table[DividedT]) -> Settlement:
    """Settle a round whose bank the house holds; refuse one that cannot have happened.

    Raises:
        RulesError: the place is given from ``/bank`` or ``/seats`` on.
    """
    round_ = check_round(given, layout=table.layout)
    bank = None if round_.bank.hand is None else _set_bank(round_.bank.hand, round_.bank.set, table)
    push = None if bank is None else table.push_of_all(bank.hand)
    for index, seat in enumerate(round_.seats):
        with errors.at("seats", index):
            _require_possible(seat, table, pushed=None if bank is None else push is not None)
    commission = table.commission
    results: dict[int, SeatResult] = {}
    steps = list(bank.steps if bank else ())
    if push is not None:
        steps.append(push)
    for seat in round_.seats_in_action_order():
        if bank is None or seat.result is not None:
            result = _settle_recorded(seat, commission)
        else:
            player = _set_seat(seat, table)
            steps += player.steps
            result = _settle_hands(seat, player, bank, commission, pushed=push is not None)
        results[seat.seat] = result
        steps += explain_seat(result)
    return settle_house_bank(
        tuple(results[seat.seat] for seat in round_.seats),
        bank_set=None if bank is None else bank.shown(),
        action_order=round_.action_order,
        steps=tuple(steps),
    )


def _require_possible(seat: SeatInput, table: Table[Any], *, pushed: bool | None) -> None:
    """Refuse what this table cannot have seen; *pushed* is None where nobody knows the bank."""
    table.check_accepted(seat.wager)
    if seat.result is None:
        return
    outcome = seat.result.outcome
    if pushed and outcome not in {Outcome.PUSH, Outcome.VOID}:
        raise errors.ImpossibleResultError(
            f"the bank's hand pushes every wager: none can {outcome}"
        )
    if seat.result.foul and table.fouls_lose:
        may_push = table.bank_may_push_all if pushed is None else pushed
        if outcome is Outcome.WIN or (outcome is Outcome.PUSH and not may_push):
            raise errors.ImpossibleResultError(
                f"a foul set loses at this table: it cannot {outcome}"
            )


# The bank.

_BANK_SET: Final = "The bank is set the house way: {low} low, {high} high."
_BANK_LIES_RIGHT: Final = "The bank lies as the house way asks: {low} low, {high} high."
_BANK_CORRECTED: Final = "The bank lay as {low} low, {high} high; that is corrected."


def _set_bank(hand: Hand, placed: SetInput | HouseWay, table: Table[DividedT]) -> _Lying[DividedT]:
    decided = table.house_way(hand)
    played, said = decided.played, [Step(_BANK_SET, decided.played.shown())]
    if isinstance(placed, SetInput):
        lay = table.divide(placed)
        if lay.ranks_as(played):
            # It ranks as the house way does: what lies on the table is right and stays.
            played, said = lay, [Step(_BANK_LIES_RIGHT, lay.shown())]
        else:
            said.append(Step(_BANK_CORRECTED, lay.shown()))
    reasons = [Step("Bank: {reason}", {"reason": step}) for step in decided.steps]
    return _Lying(hand=played, by=SetBy.HOUSE_WAY, steps=(*reasons, *said))


# The seats.


def _settle_recorded(seat: SeatInput, commission: CommissionRule) -> SeatResult:
    assert seat.result is not None, "check_round asks for the bank's hand where a seat has one"
    return settle_seat(
        seat=seat.seat,
        wager=seat.wager,
        outcome=seat.result.outcome,
        foul=seat.result.foul,
        commission=commission,
    )


def _settle_hands(
    seat: SeatInput,
    player: _Lying[DividedT],
    bank: _Lying[DividedT],
    commission: CommissionRule,
    *,
    pushed: bool,
) -> SeatResult:
    low = compare(player.hand.low_rank, bank.hand.low_rank, loses=player.loses)
    high = compare(player.hand.high_rank, bank.hand.high_rank, loses=player.loses)
    return settle_seat(
        seat=seat.seat,
        wager=seat.wager,
        # A variant's push comes before a foul, which lost both hands.
        outcome=Outcome.PUSH if pushed else outcome_of(low, high),
        commission=commission,
        set_as=player.shown(),
        foul=player.foul,
        low=low,
        high=high,
    )


def compare(player: RankedHand, bank: RankedHand, *, loses: bool = False) -> HandComparison:
    """Compare a player's hand with the bank's: all but a better hand is the bank's.

    With *loses* the hand is lost by a foul, whatever it is worth.
    """
    return HandComparison(
        winner=Side.PLAYER if player > bank and not loses else Side.BANK,
        copy=player == bank and not loses,
        player=player.words,
        bank=bank.words,
    )


def _set_seat(seat: SeatInput, table: Table[DividedT]) -> _Lying[DividedT]:
    if not isinstance(seat.set, SetInput):
        return _set_seat_house_way(seat, table)
    placed = table.divide(seat.set)
    fault = table.fault_of(placed)
    if fault is None:
        return _Lying(hand=placed, by=SetBy.PLAYER)
    return _settle_foul(seat, placed, fault, table)


def _set_seat_house_way(seat: SeatInput, table: Table[DividedT]) -> _Lying[DividedT]:
    assert seat.hand is not None
    decided = table.house_way(seat.hand)
    reasons = [
        Step("Seat {seat}: {reason}", {"seat": seat.seat, "reason": step}) for step in decided.steps
    ]
    why = Step(
        "Seat {seat} is set the house way: {low} low, {high} high.",
        {"seat": seat.seat, **decided.played.shown()},
    )
    return _Lying(hand=decided.played, by=SetBy.HOUSE_WAY, steps=(*reasons, why))


def _settle_foul(
    seat: SeatInput, placed: DividedT, fault: Step, table: Table[DividedT]
) -> _Lying[DividedT]:
    number = seat.seat
    found = Step(
        "Seat {seat} lay as {low} low, {high} high, which is foul: {fault}.",
        {"seat": number, "fault": fault, **placed.shown()},
    )
    if table.fouls_lose:
        loses = Step("Seat {seat} loses both hands by the foul.", {"seat": number})
        return _Lying(hand=placed, by=SetBy.PLAYER, foul=True, loses=True, steps=(found, loses))
    exchanged = table.reordered(placed)
    if exchanged is not None:
        why = Step("Seat {seat}: the two hands are exchanged.", {"seat": number})
        return _Lying(hand=exchanged, by=SetBy.REORDER, foul=True, steps=(found, why))
    reset = _set_seat_house_way(seat, table)
    return replace(reset, foul=True, steps=(found, *reset.steps))
