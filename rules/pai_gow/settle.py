"""Settling a round of tiles against the house's bank.

The invariant: the same round under the same house rules gives the same settlement, and every
chip that it moves is explained by a comparison that its steps spell out.

Source:
    pai-gow.md 3.2, 4, 7 and 11.
"""

from dataclasses import dataclass, replace

from rules import errors
from rules.banked import explain_seat, outcome_of, settle_house_bank, settle_seat
from rules.pai_gow.house_way import set_house_way
from rules.pai_gow.options import FoulPolicy, HouseRules, OutOfLimit
from rules.pai_gow.ranking import HandRank
from rules.pai_gow.setting import RankedSet, fault_of, ranked_set
from rules.pai_gow.tiles import LAYOUT
from rules.rounds import (
    HOUSE_WAY,
    BankInput,
    Hand,
    RoundInput,
    SeatInput,
    SetInput,
    check_round,
    check_wager,
)
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
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Settled:
    """A hand as it takes part in the comparison."""

    ranked: RankedSet
    by: SetBy
    foul: bool = False
    loses: bool = False
    """The set is foul and the table's policy takes the wager."""
    steps: tuple[Step, ...] = ()

    def shown(self) -> SetResult:
        return SetResult(low=self.ranked.low, high=self.ranked.high, by=self.by)


def settle(given: RoundInput, rules: HouseRules) -> Settlement:
    """Settle a round whose bank the house holds; refuse one that cannot have happened.

    Raises:
        RulesError: the place is given from ``/bank`` or ``/seats`` on.
    """
    round_ = check_round(given, layout=LAYOUT)
    if rules.accepted_out_of_limit is OutOfLimit.REJECT:
        _check_wagers(round_, rules)
    bank = _set_bank(round_.bank, rules)
    commission = rules.commission()
    results = []
    steps = list(bank.steps if bank else ())
    for seat in round_.seats_in_action_order():
        result, reasons = _settle_seat(seat, bank, rules, commission)
        results.append(result)
        steps += (*reasons, *explain_seat(result))
    order = [seat.seat for seat in round_.seats]
    return settle_house_bank(
        tuple(sorted(results, key=lambda result: order.index(result.seat))),
        bank_set=None if bank is None else bank.shown(),
        action_order=round_.action_order,
        steps=tuple(steps),
    )


def _check_wagers(round_: RoundInput, rules: HouseRules) -> None:
    for index, seat in enumerate(round_.seats):
        with errors.at("seats", index, "wager"):
            check_wager(
                seat.wager,
                minimum=rules.wager_min,
                maximum=rules.wager_max,
                increment=rules.wager_increment,
            )


def _set_bank(bank: BankInput, rules: HouseRules) -> _Settled | None:
    if bank.hand is None:
        return None
    decided = set_house_way(bank.hand, rules)
    reasons = tuple(Step("Bank: {reason}", {"reason": step}) for step in decided.steps)
    corrected: tuple[Step, ...] = ()
    if isinstance(bank.set, SetInput):
        placed = _ranked(bank.set, rules)
        if placed.low_first == decided.played.low_first:
            # It ranks as the house way does: what lies on the table is right and stays.
            return _Settled(
                ranked=placed,
                by=SetBy.HOUSE_WAY,
                steps=(*reasons, _shown(_BANK_LIES_RIGHT, placed)),
            )
        corrected = (_shown(_BANK_CORRECTED, placed),)
    return _Settled(
        ranked=decided.played,
        by=SetBy.HOUSE_WAY,
        steps=(*reasons, _shown(_BANK_SET, decided.played), *corrected),
    )


_BANK_SET = "The bank is set the house way: {low} low, {high} high."
_BANK_LIES_RIGHT = "The bank lies as the house way asks: {low} low, {high} high."
_BANK_CORRECTED = "The bank lay as {low} low, {high} high; that is corrected."


def _shown(template: str, ranked: RankedSet) -> Step:
    return Step(template, _tiles_of(ranked))


def _tiles_of(ranked: RankedSet) -> dict[str, str | int | Step]:
    return {"low": " ".join(ranked.low), "high": " ".join(ranked.high)}


def _ranked(placed: SetInput, rules: HouseRules) -> RankedSet:
    return ranked_set(placed.low, placed.high, single_rank=rules.gee_joon_single_rank)


def _settle_seat(
    seat: SeatInput, bank: _Settled | None, rules: HouseRules, commission: CommissionRule
) -> tuple[SeatResult, tuple[Step, ...]]:
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
    low = compare(player.ranked.low_rank, bank.ranked.low_rank, loses=player.loses)
    high = compare(player.ranked.high_rank, bank.ranked.high_rank, loses=player.loses)
    settled = settle_seat(
        seat=seat.seat,
        wager=seat.wager,
        outcome=Outcome.LOSE if player.loses else outcome_of(low, high),
        commission=commission,
        set_as=player.shown(),
        foul=player.foul,
        low=low,
        high=high,
    )
    return settled, player.steps


def compare(player: HandRank, bank: HandRank, *, loses: bool = False) -> HandComparison:
    """Compare a player's hand with the bank's: all but a better hand is the bank's.

    With *loses* the hand is lost by a foul, whatever it is worth.
    """
    wins = player.key > bank.key and not loses
    return HandComparison(
        winner=Side.PLAYER if wins else Side.BANK,
        copy=player.key == bank.key and not loses,
        player=player.text,
        bank=bank.text,
    )


def _set_seat(seat: SeatInput, rules: HouseRules) -> _Settled:
    assert seat.hand is not None
    if not isinstance(seat.set, SetInput):
        assert seat.set is HOUSE_WAY
        return _set_seat_house_way(seat.seat, seat.hand, rules)
    placed = _ranked(seat.set, rules)
    fault = fault_of(placed, together=rules.gee_joon_together)
    if fault is None:
        return _Settled(ranked=placed, by=SetBy.PLAYER)
    return _settle_foul(seat.seat, seat.hand, placed, fault, rules)


def _set_seat_house_way(number: int, hand: Hand, rules: HouseRules) -> _Settled:
    decided = set_house_way(hand, rules)
    reasons = (
        Step("Seat {seat}: {reason}", {"seat": number, "reason": step}) for step in decided.steps
    )
    why = Step(
        "Seat {seat} is set the house way: {low} low, {high} high.",
        {"seat": number, **_tiles_of(decided.played)},
    )
    return _Settled(ranked=decided.played, by=SetBy.HOUSE_WAY, steps=(*reasons, why))


def _settle_foul(
    number: int, hand: Hand, placed: RankedSet, fault: Step, rules: HouseRules
) -> _Settled:
    found = Step(
        "Seat {seat} lay as {low} low, {high} high, which is foul: {fault}.",
        {"seat": number, "fault": fault, **_tiles_of(placed)},
    )
    if rules.foul_policy is FoulPolicy.LOSE:
        loses = Step("Seat {seat} loses both hands by the foul.", {"seat": number})
        return _Settled(ranked=placed, by=SetBy.PLAYER, foul=True, loses=True, steps=(found, loses))
    exchanged = placed.exchanged()
    if (
        rules.foul_policy is FoulPolicy.REORDER
        and fault_of(exchanged, together=rules.gee_joon_together) is None
    ):
        why = Step("Seat {seat}: the two hands are exchanged.", {"seat": number})
        return _Settled(ranked=exchanged, by=SetBy.REORDER, foul=True, steps=(found, why))
    reset = _set_seat_house_way(number, hand, rules)
    return replace(reset, foul=True, steps=(found, *reset.steps))
