"""The 53 cards of a standard deck and one joker.

Invariant: a `Card` is an integer from 0 to 52 that stands for exactly one card, and every card
has exactly one written form.

Source: pai-gow-poker.md 3.1.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, Self

from rules.rounds import Hand, Pack

RANK_TOKENS: Final = "23456789TJQKA"
SUIT_TOKENS: Final = "cdhs"
_JOKER_NUMBER: Final = 52


class Rank(IntEnum):
    """A rank; a higher one compares greater."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def word(self) -> str:
        """The rank as it is said: `ace`, `ten`, `two`."""
        return self.name.lower()

    @property
    def plural(self) -> str:
        """Several of the rank: `aces`, `sixes`."""
        return f"{self.word}es" if self is Rank.SIX else f"{self.word}s"


class Card(int):
    """One card: four times its rank plus its suit (c, d, h, s); the joker is 52.

    An integer, so that evaluators can index tables by it; `str` gives its token.
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        assert 0 <= number <= _JOKER_NUMBER, number
        return super().__new__(cls, number)

    @property
    def is_joker(self) -> bool:
        """Whether this is the joker."""
        return self == _JOKER_NUMBER

    @property
    def rank(self) -> Rank:
        """The rank; of the joker, the ace it counts as where nothing is to be completed."""
        return _RANKS[self]

    @property
    def suit(self) -> str | None:
        """`c`, `d`, `h` or `s`; None for the joker."""
        return None if self.is_joker else SUIT_TOKENS[self % 4]

    def _token(self) -> str:
        return _TOKENS[self]

    __str__ = _token
    __repr__ = _token


_RANKS: Final = (*(rank for rank in Rank for _ in SUIT_TOKENS), Rank.ACE)
_TOKENS: Final = (*(rank + suit for rank in RANK_TOKENS for suit in SUIT_TOKENS), "Jk")

DECK: Final = tuple(Card(number) for number in range(_JOKER_NUMBER + 1))
"""The 53 cards from the two of clubs to the ace of spades, then the joker."""
JOKER: Final = DECK[_JOKER_NUMBER]

_BY_TOKEN: Final = {str(card): card for card in DECK}

PACK: Final = Pack(
    noun="card",
    spellings={token: token for token in _BY_TOKEN}
    | {f"10{suit}": f"T{suit}" for suit in SUIT_TOKENS},
    copies=dict.fromkeys(_BY_TOKEN, 1),
)
"""One deck and how its cards may be written: rank in upper case, suit in lower, and `10d` beside
`Td`; `as` or `AS` are slips to be shown, not guessed at."""


def parse_card(token: str) -> Card:
    """Read `As`, `Td` or `Jk`, in one of the spellings of the `PACK`.

    Raises:
        UnknownTokenError: *token* is not a card.
    """
    (known,) = PACK.read((token,))
    return _BY_TOKEN[known]


def read_cards(hand: Hand) -> tuple[Card, ...]:
    """Return the cards of a *hand* that the `PACK` has read."""
    return tuple([_BY_TOKEN[token] for token in hand])


def write_cards(cards: Iterable[Card]) -> Hand:
    """Return *cards* as answers write them."""
    return tuple([_TOKENS[card] for card in cards])
