"""Cards for the tests: written ones, and strategies for random ones."""

from hypothesis import strategies as st

from rules.cards import DECK, JOKER, Card, parse_card
from rules.pai_gow_poker.ranking import JokerFlush, Ranking, WheelRank, ranking_of

NATURAL = [card for card in DECK if card != JOKER]

RANKINGS: list[Ranking] = [
    ranking_of(wheel_rank=wheel_rank, joker_flush=joker_flush)
    for wheel_rank in WheelRank
    for joker_flush in JokerFlush
]
DEFAULT = RANKINGS[0]

rankings = st.sampled_from(RANKINGS)


def cards(written: str) -> tuple[Card, ...]:
    """Read cards parted by spaces."""
    return tuple(parse_card(token) for token in written.split())


def written(some_cards: tuple[Card, ...]) -> str:
    """Write cards parted by spaces, in their order."""
    return " ".join(map(str, some_cards))


def hands(size: int) -> st.SearchStrategy[tuple[Card, ...]]:
    """Hands of different cards, the joker in half of them."""
    natural = st.lists(st.sampled_from(NATURAL), min_size=size, max_size=size, unique=True)
    with_joker = st.lists(
        st.sampled_from(NATURAL), min_size=size - 1, max_size=size - 1, unique=True
    ).map(lambda some: [*some, JOKER])
    return st.one_of(natural, with_joker).map(tuple)


def crowded_hands(size: int) -> st.SearchStrategy[tuple[Card, ...]]:
    """Hands from a few neighbouring ranks or one long suit, where groups and draws abound."""
    near = st.integers(0, 12).flatmap(
        lambda low: st.lists(
            st.sampled_from(
                [*(DECK[4 * ((low + n) % 13) + s] for n in range(5) for s in range(4)), JOKER]
            ),
            min_size=size,
            max_size=size,
            unique=True,
        )
    )
    suited = st.tuples(st.integers(0, 3), st.integers(0, 3)).flatmap(
        lambda suits: st.lists(
            st.sampled_from(
                [*(DECK[4 * n + suit] for n in range(13) for suit in sorted(set(suits))), JOKER]
            ),
            min_size=size,
            max_size=size,
            unique=True,
        )
    )
    return st.one_of(near, suited).map(tuple)


any_seven = st.one_of(hands(7), crowded_hands(7))
