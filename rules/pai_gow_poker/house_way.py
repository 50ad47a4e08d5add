"""How the house sets seven cards: one frame for every house, each house's entries as data.

Invariant: the setting depends on nothing but the seven cards, the entries and the ranking, is
legal, and no legal setting with an equal front has a higher back.

The frame goes by how often each rank occurs, the joker counting as an ace. Its rule names what
the front shall be worth; of the settings with such a front the one with the highest back is
played, which may turn an apparent pair into a straight or flush.

Source: pai-gow-poker.md 12.1 and 12.2.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rules.cards import JOKER, Card, Rank
from rules.pai_gow_poker.ranking import (
    COMPLETE,
    HandRank,
    Ranking,
    class_of,
    front_worth,
    high_card_worth,
    pair_worth,
)
from rules.pai_gow_poker.setting import HAND_SIZE, SPLITS, SetHand, Setting, in_shown_order
from rules.settlement import Step, StepValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Ranks up to one, and when a house leaves a group of such a rank together."""

    up_to: Rank
    keep_from: Rank | None
    """It stays together with a single card of this rank or higher; None: it is always split."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseWay:
    """One house's entries in the frame."""

    name: str
    title: str
    """The name as a dealer says it."""
    four_alone: tuple[Band, ...]
    """Four of a kind without a pair, by its rank; the last band ends with the ace."""
    two_pairs: tuple[Band, ...]
    """Two pairs, by the rank of the higher; the last band ends with the ace."""
    pairs_below_an_ace: frozenset[Rank]
    """Pairs that stay behind, a straight or flush notwithstanding, if an ace and the next card
    then make a higher front than the straight or flush would leave."""


FOXWOODS: Final = HouseWay(
    name="foxwoods",
    title="Foxwoods",
    four_alone=(
        Band(up_to=Rank.SIX, keep_from=Rank.TWO),
        Band(up_to=Rank.TEN, keep_from=Rank.KING),
        Band(up_to=Rank.ACE, keep_from=None),
    ),
    two_pairs=(
        Band(up_to=Rank.SIX, keep_from=Rank.KING),
        Band(up_to=Rank.TEN, keep_from=Rank.ACE),
        Band(up_to=Rank.ACE, keep_from=None),
    ),
    pairs_below_an_ace=frozenset({Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}),
)

HOUSE_WAYS: Final[Mapping[str, HouseWay]] = {way.name: way for way in (FOXWOODS,)}


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseSetting:
    """Seven cards set by a house way, and why."""

    set_hand: SetHand
    reason: Step
    """The rule of the frame that decided, with what it went by."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The explanation a dealer gives to a player who asks."""
        setting = self.set_hand.setting
        played = Step(
            "In front: {front}. Behind, the highest hand this leaves: {back}.",
            {"front": self.set_hand.front.words, "back": self.set_hand.back.words},
        )
        return (_held(in_shown_order(setting.low + setting.high)), self.reason, played)


def set_house_way(cards: Sequence[Card], *, way: HouseWay, ranking: Ranking) -> HouseSetting:
    """Set seven different cards the way of a house; their order does not matter.

    Source: pai-gow-poker.md 12.1.
    """
    hand = _Hand(cards, way=way, ranking=ranking)
    choice = _FRAME[hand.counts](hand)
    return HouseSetting(set_hand=hand.set_with(choice.front), reason=choice.reason)


class _Hand:
    """Seven cards in shown order, grouped by rank with the joker as an ace."""

    __slots__ = ("cards", "counts", "ranking", "ranks", "way")

    def __init__(self, cards: Sequence[Card], *, way: HouseWay, ranking: Ranking) -> None:
        assert len(set(cards)) == HAND_SIZE, cards
        self.cards, self.way, self.ranking = in_shown_order(cards), way, ranking
        self.ranks, self.counts = _grouped(self.cards)

    @property
    def singles(self) -> list[Rank]:
        """The ranks held once, from high to low."""
        return self.ranks[self.counts.index(1) :]

    def two_singles(self) -> int:
        """Return the front of the two highest single cards."""
        return high_card_worth(*self.singles[:2])

    def best_complete(self) -> int | None:
        """Return the highest front that leaves a straight or flush behind, if one does."""
        if not self._may_complete():
            return None
        cards, worth = self.cards, self.ranking.back_worth
        fronts = [
            front_worth(cards[first], cards[second])
            for first, second, rest in SPLITS
            if class_of(worth([cards[n] for n in rest])) in COMPLETE
        ]
        return max(fronts, default=None)

    def _may_complete(self) -> bool:
        # Four hands in five hold no straight or flush; this costs a tenth of trying all settings.
        joker = JOKER in self.cards
        suits, ranks = [0, 0, 0, 0], 0
        for card in self.cards:
            if card != JOKER:
                suits[card % 4] += 1
                ranks |= 1 << card // 4
        return max(suits) + joker >= 5 or any(
            (ranks & straight).bit_count() + joker >= 5 for straight in _STRAIGHTS
        )

    def leaves_complete(self, front: int) -> bool:
        """Whether a straight or flush can stay behind this front."""
        return class_of(self._highest_back(front).back.worth) in COMPLETE

    def set_with(self, front: int) -> SetHand:
        """Return the legal setting with the highest back among those with this front.

        Of equal backs one that keeps the joker behind is taken, then one whose front has the
        lowest suits, the higher card first: the order of `SPLITS` over cards in shown order.
        """
        found = self._highest_back(front)
        assert found.is_legal, found
        return found

    def _highest_back(self, front: int) -> SetHand:
        cards, worth = self.cards, self.ranking.back_worth
        best = (-1, False)
        for first, second, rest in SPLITS:
            if front_worth(cards[first], cards[second]) == front:
                high = tuple([cards[n] for n in rest])
                found = (worth(high), JOKER in high)
                if found > best:
                    best, setting = found, Setting(low=(cards[first], cards[second]), high=high)
        return SetHand(
            setting=setting, front=HandRank(front, size=2), back=HandRank(best[0], size=5)
        )


def _grouped(cards: Sequence[Card]) -> tuple[list[Rank], tuple[int, ...]]:
    """Return the ranks of *cards* in shown order, most frequent first, and how often each is."""
    held: dict[Rank, int] = {}
    for card in cards:
        rank = card.rank
        held[rank] = held.get(rank, 0) + 1
    # Sorting is stable, so among equally frequent ranks the higher one stays first.
    ranks = sorted(held, key=held.__getitem__, reverse=True)
    return ranks, tuple([held[rank] for rank in ranks])


def _held(cards: Sequence[Card]) -> Step:
    """Return what *cards* in shown order hold: `two aces, two nines, king, eight, four`."""
    ranks, counts = _grouped(cards)
    template, names = _HELD_GROUPS[len(ranks)]
    groups = [_GROUP_WORDS[count][rank] for rank, count in zip(ranks, counts, strict=True)]
    held = Step(template, dict(zip(names, groups, strict=True)))
    return Step(_HELD_WITH_JOKER if JOKER in cards else _HELD, {"groups": held})


_STRAIGHTS: Final = tuple(
    sum(1 << (top - n) % 13 for n in range(5)) for top in range(Rank.FIVE, Rank.ACE + 1)
)
"""The ranks of each straight as bits, the wheel first: one below the two is the ace."""

_HELD: Final = "The seven cards hold {groups}."
_HELD_WITH_JOKER: Final = "The seven cards hold {groups}, the joker counting as an ace."
_GROUP_WORDS: Final = {
    count: tuple(
        Step(template, {"rank": Step(rank.plural if count > 1 else rank.word)}) for rank in Rank
    )
    for count, template in (
        (1, "{rank}"),
        (2, "two {rank}"),
        (3, "three {rank}"),
        (4, "four {rank}"),
        (5, "five {rank}"),
    )
}
"""So many cards of each rank, from the two up."""


def _list_of(count: int) -> tuple[str, tuple[str, ...]]:
    names = tuple(f"group_{number}" for number in range(1, count + 1))
    return ", ".join(f"{{{name}}}" for name in names), names


_HELD_GROUPS: Final = {count: _list_of(count) for count in range(1, HAND_SIZE + 1)}
"""A list of so many groups, and their names in it."""


@dataclass(frozen=True, slots=True)
class _Choice:
    front: int
    """What the front shall be worth."""
    reason: Step


def _five_aces(hand: _Hand) -> _Choice:
    if hand.counts == (5, 2) and hand.ranks[1] is Rank.KING:
        return _Choice(pair_worth(Rank.KING), _FIVE_ACES_AND_KINGS)
    return _Choice(pair_worth(Rank.ACE), _FIVE_ACES)


def _four_and_more(hand: _Hand) -> _Choice:
    return _Choice(pair_worth(hand.ranks[1]), _FOUR_AND_MORE)


def _four_alone(hand: _Hand) -> _Choice:
    return _keep_or_split(
        hand, bands=hand.way.four_alone, split_front=hand.ranks[0], reasons=_FOUR_ALONE
    )


def _two_threes(hand: _Hand) -> _Choice:
    return _Choice(pair_worth(hand.ranks[0]), _TWO_THREES)


def _three_and_two_pairs(hand: _Hand) -> _Choice:
    return _Choice(pair_worth(hand.ranks[1]), _THREE_AND_TWO_PAIRS)


def _full_house(hand: _Hand) -> _Choice:
    return _Choice(pair_worth(hand.ranks[1]), _FULL_HOUSE)


def _three_pairs(hand: _Hand) -> _Choice:
    return _Choice(pair_worth(hand.ranks[0]), _THREE_PAIRS)


def _three_alone(hand: _Hand) -> _Choice:
    three = hand.ranks[0]
    if hand.leaves_complete(pair_worth(three)):
        return _Choice(pair_worth(three), _THREE_AND_COMPLETE)
    if three is Rank.ACE:
        return _Choice(high_card_worth(Rank.ACE, hand.singles[0]), _THREE_ACES)
    return _Choice(hand.two_singles(), _THREE_ALONE)


def _two_pairs(hand: _Hand) -> _Choice:
    return _keep_or_split(
        hand, bands=hand.way.two_pairs, split_front=hand.ranks[1], reasons=_TWO_PAIRS
    )


def _one_pair(hand: _Hand) -> _Choice:
    complete = hand.best_complete()
    singles = hand.two_singles()
    if complete is None:
        return _Choice(singles, _ONE_PAIR)
    below_an_ace = hand.ranks[0] in hand.way.pairs_below_an_ace and hand.singles[0] is Rank.ACE
    if below_an_ace and singles > complete:
        values: dict[str, StepValue] = {
            "house": hand.way.title,
            "pair": Step(hand.ranks[0].plural),
            "singles": HandRank(singles, size=2).words,
            "left": HandRank(complete, size=2).words,
        }
        return _Choice(singles, Step(_PAIR_BELOW_AN_ACE, values))
    return _Choice(complete, _ONE_PAIR_AND_COMPLETE)


def _no_pair(hand: _Hand) -> _Choice:
    complete = hand.best_complete()
    if complete is not None:
        return _Choice(complete, _NO_PAIR_BUT_COMPLETE)
    return _Choice(high_card_worth(*hand.ranks[1:3]), _NO_PAIR)


_FRAME: Final[Mapping[tuple[int, ...], Callable[[_Hand], _Choice]]] = {
    (5, 2): _five_aces,
    (5, 1, 1): _five_aces,
    (4, 3): _four_and_more,
    (4, 2, 1): _four_and_more,
    (4, 1, 1, 1): _four_alone,
    (3, 3, 1): _two_threes,
    (3, 2, 2): _three_and_two_pairs,
    (3, 2, 1, 1): _full_house,
    (2, 2, 2, 1): _three_pairs,
    (3, 1, 1, 1, 1): _three_alone,
    (2, 2, 1, 1, 1): _two_pairs,
    (2, 1, 1, 1, 1, 1): _one_pair,
    (1, 1, 1, 1, 1, 1, 1): _no_pair,
}
"""The eleven rules of pai-gow-poker.md 12.1, in its order, by how often each rank occurs. No two
patterns fit one hand, so the order of trying them does not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reasons:
    """The sentences for a group that a house keeps together or splits."""

    always_kept: str
    always_split: str
    kept: str
    split: str


def _keep_or_split(
    hand: _Hand, *, bands: Sequence[Band], split_front: Rank, reasons: _Reasons
) -> _Choice:
    band = next(band for band in bands if hand.ranks[0] <= band.up_to)
    values: dict[str, StepValue] = {
        "house": hand.way.title,
        "group": Step(hand.ranks[0].plural),
        "single": Step(hand.singles[0].word),
    }
    if band.keep_from is None:
        return _Choice(pair_worth(split_front), Step(reasons.always_split, values))
    if band.keep_from is Rank.TWO:
        return _Choice(hand.two_singles(), Step(reasons.always_kept, values))
    values["needed"] = _or_higher(band.keep_from)
    if hand.singles[0] >= band.keep_from:
        return _Choice(hand.two_singles(), Step(reasons.kept, values))
    return _Choice(pair_worth(split_front), Step(reasons.split, values))


def _or_higher(rank: Rank) -> Step:
    if rank is Rank.ACE:
        return Step("an ace")
    return Step("{rank} or higher", {"rank": Step(rank.word)})


_FIVE_ACES_AND_KINGS: Final = Step(
    "Five aces and two kings: the kings go in front, the five aces stay behind."
)
_FIVE_ACES: Final = Step("Five aces, no two kings: two aces go in front, three stay behind.")
_FOUR_AND_MORE: Final = Step(
    "Four of a kind and a pair or three of a kind: a pair of the lesser group goes in front, "
    "the four stay behind."
)
_FOUR_ALONE: Final = _Reasons(
    always_kept="{house} never splits four {group}: the two highest other cards go in front.",
    always_split="{house} always splits four {group}: two go in front, two stay behind.",
    kept="{house} keeps four {group} together with {needed}, and the highest other card is "
    "{single}: the two highest other cards go in front.",
    split="{house} keeps four {group} together only with {needed}, and the highest other card is "
    "{single}: two go in front, two stay behind.",
)
_TWO_THREES: Final = Step(
    "Two threes of a kind: two of the higher three go in front, the lower three stay behind."
)
_THREE_AND_TWO_PAIRS: Final = Step(
    "Three of a kind and two pairs: the higher pair goes in front, the full house stays behind."
)
_FULL_HOUSE: Final = Step("A full house: the pair goes in front, the three stay behind.")
_THREE_PAIRS: Final = Step("Three pairs: the highest pair goes in front.")
_THREE_AND_COMPLETE: Final = Step(
    "Three of a kind that can be split over a straight or flush: two of the three go in front, "
    "the straight or flush stays behind."
)
_THREE_ACES: Final = Step(
    "Three aces: one ace goes in front with the highest other card, two aces stay behind."
)
_THREE_ALONE: Final = Step(
    "Three of a kind: the three stay behind, the two highest other cards go in front."
)
_TWO_PAIRS: Final = _Reasons(
    always_kept="{house} never splits two pairs, {group} the higher: both stay behind, the two "
    "highest other cards go in front.",
    always_split="{house} always splits two pairs, {group} the higher: the lower pair goes in "
    "front.",
    kept="{house} keeps two pairs, {group} the higher, together with {needed}, and the highest "
    "other card is {single}: the two highest other cards go in front.",
    split="{house} keeps two pairs, {group} the higher, together only with {needed}, and the "
    "highest other card is {single}: the lower pair goes in front.",
)
_ONE_PAIR: Final = Step(
    "One pair and no straight or flush: the pair stays behind, the two highest other cards go in "
    "front."
)
_ONE_PAIR_AND_COMPLETE: Final = Step(
    "One pair and a straight or flush: the highest two cards that leave a straight or flush "
    "behind go in front."
)
_PAIR_BELOW_AN_ACE: Final = (
    "One pair, {pair}, and a straight or flush: {house} plays the pair behind, since {singles} in "
    "front is higher than {left}, the best that the straight or flush would leave."
)
_NO_PAIR_BUT_COMPLETE: Final = Step(
    "No pair, but a straight or flush: the highest two cards that leave a straight or flush behind "
    "go in front."
)
_NO_PAIR: Final = Step(
    "No pair and no straight or flush: the highest card stays behind, the second and third "
    "highest go in front."
)
