"""A stored round is settled again under its own profile; nothing is written.

Equal means equal in every member, from both comparisons to the last written step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from rules.settlement import Settlement
from tables import games
from tables.errors import RoundRefusedError
from tables.floor.states import RecordDepth
from tables.pit.records import Difference
from tables.rounds.models import Round
from tables.rounds.postings import house_net

ABSENT = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What the rules say of a stored round today."""

    settlement: Settlement | None
    """None where they refuse it."""
    differences: tuple[Difference, ...] = ()
    refusal: str = ""

    @property
    def is_equal(self) -> bool:
        """Return whether the rules say to the last word what is stored."""
        return self.settlement is not None and not self.differences


def can_replay(round_: Round) -> bool:
    """Tell whether there is a result to hold a replay against, and hands to replay."""
    return round_.result is not None and round_.depth == RecordDepth.FULL


def replay(round_: Round) -> Replay:
    """Settle the stored record again and compare it with the stored result."""
    assert round_.result is not None, "can_replay is asked first"
    try:
        done = games.settle(profile=round_.profile, limits=round_.limits, record=round_.record)
    except RoundRefusedError as refusal:
        return Replay(settlement=None, refusal=refusal.detail)
    # Through JSON, as the stored result went: lists and plain strings on both sides.
    answered = json.loads(json.dumps(done.as_dict()))
    found = [
        *_differences(round_.result, answered, place=""),
        *_differences(round_.house_net, house_net(done.transfers), place="/house_net"),
    ]
    return Replay(settlement=done, differences=tuple(found))


def _differences(stored: Any, replayed: Any, *, place: str) -> Iterator[Difference]:
    if isinstance(stored, Mapping) and isinstance(replayed, Mapping):
        for name in sorted(stored.keys() | replayed.keys()):
            yield from _differences(
                stored.get(name, ABSENT), replayed.get(name, ABSENT), place=f"{place}/{name}"
            )
    elif _is_list(stored) and _is_list(replayed):
        pairs = zip_longest(stored, replayed, fillvalue=ABSENT)
        for index, (one, other) in enumerate(pairs):
            yield from _differences(one, other, place=f"{place}/{index}")
    elif stored != replayed:
        yield Difference(place=place, stored=_text(stored), replayed=_text(replayed))


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _text(value: Any) -> str:
    return "—" if value is ABSENT else json.dumps(value, ensure_ascii=False)
