"""Settling a round of Pai Gow Poker against the house's bank.

Invariant: the settlement follows from the recorded round and the house rules alone; the bank's
hand is always set the house way, and what lay otherwise is shown as corrected.

Source: pai-gow-poker.md 6.3, 7, 8, 13.2, 15.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from rules import errors
from rules.banked import explain_seat, outcome_of, settle_house_bank, settle_seat
from rules.cards import Card, Rank, parse_card
from rules.pai_gow_poker.house_way import set_house_way
from rules.pai_gow_poker.layout import LAYOUT
from rules.pai_gow_poker.options import FoulPolicy, HouseRules, Variant
from rules.pai_gow_poker.ranking import HandClass, HandRank
from rules.pai_gow_poker.setting import SetHand, Setting, rank_setting
from rules.rounds import (
    HOUSE_WAY,
    BankInput,
    ResultInput,
    RoundInput,
    SeatInput,
    SetInput,
    check_round,
)
from rules.settlement import (
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A hand as it takes part in the comparison."""

    set_hand: SetHand
    by: SetBy
    foul: bool = False
    loses: bool = False
    """The setting is fouled and the table's policy takes the wager."""
    steps: tuple[Step, ...] = ()

    def shown(self) -> SetResult:
        setting = self.set_hand.setting
        return SetResult(
            low=tuple(map(str, setting.low)), high=tuple(map(str, setting.high)), by=self.by
        )


def settle(given: RoundInput, rules: HouseRules) -> Settlement:
    """Settle a round whose bank the house holds; refuse one that cannot have happened.

    Wagers are settled whatever their amount: limits are a question of placing them
    (pai-gow-poker.md 2).

    Raises:
        RulesError: the place is given from ``/bank`` or ``/seats`` on.
    """
    round_ = check_round(given, layout=LAYOUT)
    bank = _set_bank(round_.bank, rules)
    pushes = bank is not None and _pushes_every_wager(bank, rules)
    for index, seat in enumerate(round_.seats):
        if seat.result is not None:
            with errors.at("seats", index, "result", "outcome"):
                _require_possible(seat.result, rules, pushes=pushes)
    results: dict[int, SeatResult] = {}
    steps = list(bank.steps if bank else ())
    if pushes:
        steps.append(_NINE_HIGH)
    for seat in round_.seats_in_action_order():
        result, reasons = _settle_seat(seat, bank, rules, pushes=pushes)
        results[seat.seat] = result
        steps += (*reasons, *explain_seat(result))
    return settle_house_bank(
        tuple(results[seat.seat] for seat in round_.seats),
        bank_set=None if bank is None else bank.shown(),
        action_order=round_.action_order,
        steps=tuple(steps),
    )


def _require_possible(recorded: ResultInput, rules: HouseRules, *, pushes: bool) -> None:
    outcome = recorded.outcome
    if pushes and outcome not in {Outcome.PUSH, Outcome.VOID}:
        raise errors.MalformedError(
            f"the bank's nine-high front pushes every wager, none can {outcome}"
        )
    if recorded.foul and rules.foul_policy is FoulPolicy.LOSE:
        may_push = rules.variant is not Variant.COMMISSION
        if outcome is Outcome.WIN or (outcome is Outcome.PUSH and not may_push):
            raise errors.MalformedError(f"a fouled hand loses at this table, it cannot {outcome}")


def _pushes_every_wager(bank: _Placed, rules: HouseRules) -> bool:
    if rules.variant is not Variant.TIGER9_PUSH:
        return False
    front = bank.set_hand.front
    return front.hand_class is HandClass.HIGH_CARD and front.key[1] == Rank.NINE


_NINE_HIGH: Final = Step("The bank's low hand is nine high: every main wager pushes.")


def _set_bank(bank: BankInput, rules: HouseRules) -> _Placed | None:
    if bank.hand is None:
        return None
    decided = set_house_way(_cards(bank.hand), way=rules.way(), ranking=rules.ranking())
    corrected: tuple[Step, ...] = ()
    if isinstance(bank.set, SetInput):
        lay = _rank_placed(bank.set, rules)
        if (lay.front, lay.back) == (decided.set_hand.front, decided.set_hand.back):
            # It ranks as the house way does: what lies on the table is right and stays.
            lies_right = _shown(_BANK_LIES_RIGHT, lay)
            return _Placed(set_hand=lay, by=SetBy.HOUSE_WAY, steps=(*decided.steps, lies_right))
        corrected = (_shown(_BANK_CORRECTED, lay),)
    return _Placed(
        set_hand=decided.set_hand,
        by=SetBy.HOUSE_WAY,
        steps=(*decided.steps, _shown(_BANK_SET, decided.set_hand), *corrected),
    )


_BANK_SET: Final = "The bank is set the house way: {low} low, {high} high."
_BANK_LIES_RIGHT: Final = "The bank lies as the house way asks: {low} low, {high} high."
_BANK_CORRECTED: Final = "The bank lay as {low} low, {high} high; that is corrected."


def _shown(template: str, set_hand: SetHand) -> Step:
    return Step(template, _written(set_hand))


def _written(set_hand: SetHand) -> dict[str, StepValue]:
    setting = set_hand.setting
    return {"low": " ".join(map(str, setting.low)), "high": " ".join(map(str, setting.high))}


def _cards(tokens: Sequence[str]) -> tuple[Card, ...]:
    return tuple(map(parse_card, tokens))


def _rank_placed(placed: SetInput, rules: HouseRules) -> SetHand:
    setting = Setting.of(low=_cards(placed.low), high=_cards(placed.high))
    return rank_setting(setting, ranking=rules.ranking())


def _settle_seat(
    seat: SeatInput, bank: _Placed | None, rules: HouseRules, *, pushes: bool
) -> tuple[SeatResult, tuple[Step, ...]]:
    commission = rules.commission()
    if seat.result is not None:
        recorded = settle_seat(
            seat=seat.seat,
            wager=seat.wager,
            outcome=seat.result.outcome,
            foul=seat.result.foul,
            commission=commission,
        )
        return recorded, ()
    assert bank is not None, "check_round asks for the bank's hand where a seat has one"
    player = _set_seat(seat, rules)
    low = _compare(player.set_hand.front, bank.set_hand.front, loses=player.loses)
    high = _compare(player.set_hand.back, bank.set_hand.back, loses=player.loses)
    settled = settle_seat(
        seat=seat.seat,
        wager=seat.wager,
        # A variant's push comes before a foul (pai-gow-poker.md 7), which lost both hands.
        outcome=Outcome.PUSH if pushes else outcome_of(low, high),
        commission=commission,
        set_as=player.shown(),
        foul=player.foul,
        low=low,
        high=high,
    )
    return settled, player.steps


def _compare(player: HandRank, bank: HandRank, *, loses: bool) -> HandComparison:
    return HandComparison(
        winner=Side.PLAYER if player > bank and not loses else Side.BANK,
        copy=player == bank and not loses,
        player=player.words,
        bank=bank.words,
    )


def _set_seat(seat: SeatInput, rules: HouseRules) -> _Placed:
    if not isinstance(seat.set, SetInput):
        assert seat.set is HOUSE_WAY
        return _set_seat_house_way(seat, rules)
    placed = _rank_placed(seat.set, rules)
    if placed.is_legal:
        return _Placed(set_hand=placed, by=SetBy.PLAYER)
    return _settle_foul(seat, placed, rules)


def _set_seat_house_way(seat: SeatInput, rules: HouseRules) -> _Placed:
    assert seat.hand is not None
    decided = set_house_way(_cards(seat.hand), way=rules.way(), ranking=rules.ranking())
    why = Step(
        "Seat {seat} is set the house way: {low} low, {high} high.",
        {"seat": seat.seat, **_written(decided.set_hand)},
    )
    return _Placed(set_hand=decided.set_hand, by=SetBy.HOUSE_WAY, steps=(*decided.steps, why))


def _settle_foul(seat: SeatInput, placed: SetHand, rules: HouseRules) -> _Placed:
    found = Step(
        "Seat {seat} lay as {low} low, {high} high, which is foul: {front} in front is higher "
        "than {back} behind.",
        {
            "seat": seat.seat,
            "front": placed.front.words,
            "back": placed.back.words,
            **_written(placed),
        },
    )
    if rules.foul_policy is FoulPolicy.LOSE:
        loses = Step("Seat {seat} loses both hands by the foul.", {"seat": seat.seat})
        return _Placed(
            set_hand=placed, by=SetBy.PLAYER, foul=True, loses=True, steps=(found, loses)
        )
    reset = _set_seat_house_way(seat, rules)
    return replace(reset, foul=True, steps=(found, *reset.steps))
