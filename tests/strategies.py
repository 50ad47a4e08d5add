"""What Hypothesis draws: hands and rounds that can lie on a table."""

from collections.abc import Mapping

from hypothesis import strategies as st

from rules.pai_gow.tiles import FACES

TILES = tuple(face.token for face in FACES for _ in range(face.copies))
"""The 32 physical tiles by their faces, in table order."""


def tile_hands(*, size: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    """Draw one hand of *size* tiles in any order."""
    return tile_deals(hands=1, size=size).map(lambda hands: hands[0])


def tile_deals(*, hands: int, size: int = 4) -> st.SearchStrategy[tuple[tuple[str, ...], ...]]:
    """Draw *hands* hands that one set of tiles can give."""
    return st.permutations(range(len(TILES))).map(
        lambda order: tuple(
            tuple(TILES[tile] for tile in order[start : start + size])
            for start in range(0, hands * size, size)
        )
    )


@st.composite
def tile_rounds(draw: st.DrawFn) -> Mapping[str, object]:
    """Draw a round of Pai Gow against the house in JSON form, sets placed as they come."""
    seats = draw(st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True))
    bank, *hands = draw(tile_deals(hands=len(seats) + 1))
    return {
        "bank": {"hand": list(bank), "set": "house_way"},
        "seats": [
            {
                "seat": seat,
                "hand": list(hand),
                "set": draw(
                    st.sampled_from(("house_way", {"low": list(hand[:2]), "high": list(hand[2:])}))
                ),
                "wager": draw(st.integers(1, 10**9)),
            }
            for seat, hand in zip(seats, hands, strict=True)
        ],
    }
