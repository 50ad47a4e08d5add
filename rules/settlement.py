"""What a round moves, and why: every game ends in a :class:`Settlement`.

The invariant: what the results say each party gained equals what the transfers move to it,
so money is neither made nor lost between the hands and the ledger. Amounts are integers in
minor units of a currency that the rules never need to know.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

HOUSE: Final = "house"
"""The casino itself."""
BANK: Final = "bank"
"""Whoever holds the bank this round; ``Settlement.bank.holder`` says who."""

LARGEST_AMOUNT: Final = 10**15
"""Minor units: more than any table takes, so that no sum of a day leaves a bigint."""

MAIN: Final = "main"
COMMISSION: Final = "commission"
COLLECTION: Final = "collection"
STAKE: Final = "stake"
RAKE: Final = "rake"
TIME: Final = "time"


def seat_party(seat: int) -> str:
    """Return the party that sits at *seat*: ``seat:3``."""
    return f"seat:{seat}"


def side_bet_reason(name: str) -> str:
    """Return the reason of a transfer that settles the side bet *name*."""
    return f"side:{name}"


@dataclass(frozen=True, slots=True)
class Step:
    """One sentence of an explanation, ready to be translated.

    *template* is the English sentence with ``{names}``; *values* fills them in and may hold
    further steps. A page translates the template and formats the values itself: a value
    whose name ends in ``_minor`` is an amount in minor units.
    """

    template: str
    values: Mapping[str, "StepValue"] = field(default_factory=dict, hash=False)

    # The decorator that this code asks for is in the standard library only from Python 3.12 on.
    def __str__(self) -> str:  # type: ignore[explicit-override]
        return self.template.format_map(self.values)


StepValue = str | int | Step


class Outcome(StrEnum):
    """What became of a main wager, seen from the player."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"


class Side(StrEnum):
    """Who won one of the two hands."""

    PLAYER = "player"
    BANK = "bank"


class SetBy(StrEnum):
    """Who divided a hand the way it was settled."""

    PLAYER = "player"
    HOUSE_WAY = "house_way"
    REORDER = "reorder"
    """The player's own division, its two hands exchanged since the better one lay low."""


class Rounding(StrEnum):
    """Which way an amount between two multiples of a unit goes; exact, never by float."""

    HALF_UP = "half_up"
    UP = "up"
    DOWN = "down"

    def quotient(self, dividend: int, divisor: int) -> int:
        """Return the whole number that *dividend* (not negative) over *divisor* rounds to."""
        assert dividend >= 0 < divisor, "only amounts of money that is owed are rounded"
        match self:
            case Rounding.HALF_UP:
                return (2 * dividend + divisor) // (2 * divisor)
            case Rounding.UP:
                return -(-dividend // divisor)
            case Rounding.DOWN:
                return dividend // divisor


@dataclass(frozen=True, slots=True, kw_only=True)
class CommissionRule:
    """The house's share of a win; a rate of 0 is no commission."""

    rate: Fraction
    unit: int
    """Minor units: the smallest amount in which commission is taken."""
    rounding: Rounding

    def __post_init__(self) -> None:
        assert 0 <= self.rate <= 1, "a rate is a share of the win"
        assert self.unit > 0


NO_COMMISSION: Final = CommissionRule(rate=Fraction(0), unit=1, rounding=Rounding.DOWN)


def commission_on(win: int, *, rule: CommissionRule) -> int:
    """Return the commission on *win*, rounded once, to the rule's unit in the rule's mode.

    Both are in minor units. The payout is never rounded. A coarse unit rounded up can take
    more than a very small win, as the sources' wording has it: the table's minimum prevents it.

    Source:
        pai-gow.md 7.4; pai-gow-poker.md 8.2.
    """
    rate, unit = rule.rate, rule.unit
    return rule.rounding.quotient(win * rate.numerator, rate.denominator * unit) * unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """Money that passes from one party to another, and what for."""

    payer: str
    payee: str
    amount: int
    """Minor units, more than 0."""
    reason: str
    """``main``, ``commission``, ``side:<name>``, ``collection``, ``stake``, ``rake``, ``time``."""

    def __post_init__(self) -> None:
        assert self.amount > 0, "a transfer moves something; its direction is payer to payee"
        assert self.payer != self.payee

    def as_dict(self) -> dict[str, object]:
        """Return the transfer as the command line writes it."""
        return {
            "from": self.payer,
            "to": self.payee,
            "amount": self.amount,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HandComparison:
    """One of a seat's two hands against the bank's; an equal one is a copy, and the bank's."""

    winner: Side
    copy: bool
    player: Step
    """The player's hand in words."""
    bank: Step
    """The bank's hand in words."""

    def as_dict(self) -> dict[str, object]:
        """Return the comparison as the command line writes it."""
        return {
            "winner": self.winner,
            "copy": self.copy,
            "player": str(self.player),
            "bank": str(self.bank),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SetResult:
    """A hand divided in two, as it was settled."""

    low: tuple[str, ...]
    high: tuple[str, ...]
    by: SetBy

    def as_dict(self) -> dict[str, object]:
        """Return the set as the command line writes it."""
        return {"low": list(self.low), "high": list(self.high), "by": self.by}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetResult:
    """What a side bet moves between its seat and the house."""

    name: str
    wager: int
    line: str | None
    """The line of the pay table that pays; None when the bet loses."""
    net: int
    """Change of the player's chips; negative when the bet loses."""
    envy: int = 0
    """The part of *net* that other seats' hands brought."""

    def as_dict(self) -> dict[str, object]:
        """Return the side bet as the command line writes it, without its name."""
        return {"line": self.line, "net": self.net, "envy": self.envy}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatResult:
    """What became of one seat's wagers, in minor units of the table's currency."""

    seat: int
    outcome: Outcome
    net: int
    """Change of the player's chips over the round, after commission and side bets."""
    set: SetResult | None = None
    """As settled; None where only the result was recorded."""
    foul: bool = False
    low: HandComparison | None = None
    high: HandComparison | None = None
    covered: int = 0
    """The part of the main wager that was decided; 0 for a push or a void."""
    returned: int = 0
    """The rest of the main wager."""
    commission: int = 0
    side_bets: tuple[SideBetResult, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the result as the command line writes it."""
        return {
            "seat": self.seat,
            "set": self.set and self.set.as_dict(),
            "foul": self.foul,
            "low": self.low and self.low.as_dict(),
            "high": self.high and self.high.as_dict(),
            "outcome": self.outcome,
            "covered": self.covered,
            "returned": self.returned,
            "commission": self.commission,
            "net": self.net,
            "side_bets": {bet.name: bet.as_dict() for bet in self.side_bets},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class BankResult:
    """What became of the bank, in minor units of the table's currency."""

    holder: str
    """``house`` or ``seat:n``."""
    set: SetResult | None
    """As settled; None where only results were recorded."""
    net: int
    """What the bank collected less what it paid on main wagers, before its commission."""
    share: int = 0
    """The banking player's part of *net*: all of it, half when co-banking; 0 for the house."""
    commission: int = 0
    """Taken from a banking player's positive share."""

    def as_dict(self) -> dict[str, object]:
        """Return the bank as the command line writes it."""
        return {
            "holder": self.holder,
            "set": self.set and self.set.as_dict(),
            "net": self.net,
            "share": self.share,
            "commission": self.commission,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The end of a round: results, what moves between the parties, and the reasons in words."""

    seats: tuple[SeatResult, ...]
    bank: BankResult | None
    """None in a played game, which has no bank."""
    transfers: tuple[Transfer, ...]
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        gained = {seat_party(result.seat): result.net for result in self.seats}
        if self.bank is not None:
            gained[BANK] = self.bank.net - self.bank.commission
        moved = moved_to_each_party(self.transfers)
        assert {party: net for party, net in gained.items() if net} == {
            party: net for party, net in moved.items() if net and party != HOUSE
        }, "the results and the transfers of a round disagree"

    def as_dict(self) -> dict[str, object]:
        """Return the settlement as the command line writes it."""
        return {
            "seats": [seat.as_dict() for seat in self.seats],
            "bank": self.bank and self.bank.as_dict(),
            "transfers": [transfer.as_dict() for transfer in self.transfers],
            "steps": [str(step) for step in self.steps],
        }


def moved_to_each_party(transfers: tuple[Transfer, ...]) -> Counter[str]:
    """Return what the *transfers* move to each party, net; the sum over all is zero."""
    moved: Counter[str] = Counter()
    for transfer in transfers:
        moved[transfer.payer] -= transfer.amount
        moved[transfer.payee] += transfer.amount
    return moved
