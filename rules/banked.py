"""What the games with a bank share: two comparisons, one outcome, and the money of it.

The invariant: a banked game decides only how its hands compare and how they are set. Who
wins a wager, what commission it bears, what moves to whom and how that reads in words is
decided here once, for tiles and cards alike.

Source:
    pai-gow.md 4 and 7.2; pai-gow-poker.md 7 and 8.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from rules.settlement import (
    BANK,
    COMMISSION,
    HOUSE,
    MAIN,
    BankResult,
    CommissionRule,
    HandComparison,
    Outcome,
    SeatResult,
    SetResult,
    Settlement,
    Side,
    SideBetResult,
    Step,
    Transfer,
    commission_on,
    seat_party,
    side_bet_reason,
)


def outcome_of(low: HandComparison, high: HandComparison) -> Outcome:
    """Return the outcome for a player: both hands win, none loses, one of them pushes."""
    won = (low.winner, high.winner).count(Side.PLAYER)
    return (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)[won]


def settle_seat(
    *,
    seat: int,
    wager: int,
    outcome: Outcome,
    commission: CommissionRule,
    set_as: SetResult | None = None,
    foul: bool = False,
    low: HandComparison | None = None,
    high: HandComparison | None = None,
    side_bets: tuple[SideBetResult, ...] = (),
) -> SeatResult:
    """Return what *outcome* makes of a main *wager* (minor units) and its side bets.

    A win is paid 1 to 1 less commission, a loss is collected, a push or void wager returned.
    """
    owed = commission_on(wager, rule=commission) if outcome is Outcome.WIN else 0
    decided = outcome in (Outcome.WIN, Outcome.LOSE)
    main = {Outcome.WIN: wager - owed, Outcome.LOSE: -wager}.get(outcome, 0)
    return SeatResult(
        seat=seat,
        set=set_as,
        foul=foul,
        low=low,
        high=high,
        outcome=outcome,
        covered=wager if decided else 0,
        returned=0 if decided else wager,
        commission=owed,
        net=main + sum(bet.net for bet in side_bets),
        side_bets=side_bets,
    )


def settle_house_bank(
    seats: tuple[SeatResult, ...],
    *,
    bank_set: SetResult | None,
    action_order: tuple[int, ...] | None = None,
    steps: tuple[Step, ...] = (),
) -> Settlement:
    """Return the settlement of *seats* against a bank that the house holds.

    Results stay in the order given; transfers follow the order of action. *steps* are the
    explanation, :func:`explain_seat` included where the caller wants it.
    """
    acting = sorted(seats, key=lambda result: _turn(result.seat, action_order))
    transfers = tuple(transfer for result in acting for transfer in _transfers_of(result))
    net = sum(
        transfer.amount if transfer.payee == BANK else -transfer.amount
        for transfer in transfers
        if transfer.reason == MAIN
    )
    bank = BankResult(holder=HOUSE, set=bank_set, net=net)
    return Settlement(seats=seats, bank=bank, transfers=transfers, steps=steps)


def _turn(seat: int, action_order: tuple[int, ...] | None) -> int:
    return 0 if action_order is None else action_order.index(seat)


def _transfers_of(result: SeatResult) -> Iterator[Transfer]:
    party = seat_party(result.seat)
    if result.outcome is Outcome.WIN:
        yield Transfer(payer=BANK, payee=party, amount=result.covered, reason=MAIN)
    if result.outcome is Outcome.LOSE:
        yield Transfer(payer=party, payee=BANK, amount=result.covered, reason=MAIN)
    if result.commission:
        yield Transfer(payer=party, payee=HOUSE, amount=result.commission, reason=COMMISSION)
    for bet in result.side_bets:
        if bet.net:
            yield _side_bet_transfer(bet, party)


def _side_bet_transfer(bet: SideBetResult, party: str) -> Transfer:
    payer, payee = (HOUSE, party) if bet.net > 0 else (party, HOUSE)
    return Transfer(payer=payer, payee=payee, amount=abs(bet.net), reason=side_bet_reason(bet.name))


def explain_seat(result: SeatResult) -> tuple[Step, ...]:
    """Return the sentences that a dealer reads to a patron: both hands, outcome, what to pay."""
    steps = []
    if result.low is not None:
        steps.append(_explain_hand(_LOW, result.seat, result.low))
    if result.high is not None:
        steps.append(_explain_hand(_HIGH, result.seat, result.high))
    steps.append(_explain_main(result))
    steps.extend(_explain_side_bet(result.seat, bet) for bet in result.side_bets)
    return tuple(steps)


# Whole sentences, since a translator cannot work with halves of one.

_LOW: Final = {
    "player": "Seat {seat}, low hand: {player} against {bank}: the player wins it.",
    "bank": "Seat {seat}, low hand: {player} against {bank}: the bank wins it.",
    "copy": "Seat {seat}, low hand: {player} against {bank}: a copy, which goes to the bank.",
}

_HIGH: Final = {
    "player": "Seat {seat}, high hand: {player} against {bank}: the player wins it.",
    "bank": "Seat {seat}, high hand: {player} against {bank}: the bank wins it.",
    "copy": "Seat {seat}, high hand: {player} against {bank}: a copy, which goes to the bank.",
}

_MAIN: Final = {
    Outcome.WIN: "Seat {seat} wins: pay {paid_minor}.",
    Outcome.LOSE: "Seat {seat} loses: take {wager_minor}.",
    Outcome.PUSH: "Seat {seat} pushes: {wager_minor} stays with the player.",
    Outcome.VOID: "Seat {seat} is void: return {wager_minor}.",
}

_WIN_LESS_COMMISSION: Final = (
    "Seat {seat} wins {wager_minor}, less {commission_minor} commission: pay {paid_minor}."
)


def _explain_hand(sentences: Mapping[str, str], seat: int, compared: HandComparison) -> Step:
    verdict = "copy" if compared.copy else compared.winner
    return Step(
        sentences[verdict], {"seat": seat, "player": compared.player, "bank": compared.bank}
    )


def _explain_main(result: SeatResult) -> Step:
    return Step(
        _WIN_LESS_COMMISSION if result.commission else _MAIN[result.outcome],
        {
            "seat": result.seat,
            "wager_minor": result.covered + result.returned,
            "commission_minor": result.commission,
            "paid_minor": result.covered - result.commission,
        },
    )


def _explain_side_bet(seat: int, bet: SideBetResult) -> Step:
    if bet.line is None:
        return Step(
            "Seat {seat}, {bet}: nothing; take {lost_minor}.",
            {"seat": seat, "bet": bet.name, "lost_minor": -bet.net},
        )
    return Step(
        "Seat {seat}, {bet}: {line} pays {won_minor}.",
        {"seat": seat, "bet": bet.name, "line": bet.line, "won_minor": bet.net},
    )
