"""The life of a round (pai-gow-poker.md 11), as data; both doors walk it.

A dealer-entered round may take several of these steps in one act.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class RoundState(TextChoices):
    """Where a round stands between the first wager and the next round."""

    BETTING = "betting", _("betting")
    LOCKED = "locked", _("no more bets")
    DEALT = "dealt", _("dealt")
    SETTING = "setting", _("setting")
    REVEALED = "revealed", _("revealed")
    SETTLED = "settled", _("settled")
    CLOSED = "closed", _("closed")
    VOIDED = "voided", _("voided")


NEXT: Final[Mapping[RoundState, frozenset[RoundState]]] = {
    RoundState.BETTING: frozenset({RoundState.LOCKED, RoundState.VOIDED}),
    RoundState.LOCKED: frozenset({RoundState.DEALT, RoundState.VOIDED}),
    RoundState.DEALT: frozenset({RoundState.SETTING, RoundState.VOIDED}),
    RoundState.SETTING: frozenset({RoundState.REVEALED, RoundState.VOIDED}),
    RoundState.REVEALED: frozenset({RoundState.SETTLED, RoundState.VOIDED}),
    # After payment a round is voided by reversal, with approval, until its session settles.
    RoundState.SETTLED: frozenset({RoundState.CLOSED, RoundState.VOIDED}),
    RoundState.CLOSED: frozenset({RoundState.VOIDED}),
    RoundState.VOIDED: frozenset(),
}
assert NEXT.keys() == set(RoundState)

ENTERING: Final = frozenset(
    {RoundState.LOCKED, RoundState.DEALT, RoundState.SETTING, RoundState.REVEALED}
)
"""Wagers are fixed, hands and sets are being entered."""

UNFINISHED: Final = ENTERING | {RoundState.BETTING}
"""No result yet: the table cannot close while such a round holds a wager."""

PAID: Final = frozenset({RoundState.SETTLED, RoundState.CLOSED})
"""Chips have moved: such a round counts in every total."""
