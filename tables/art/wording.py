"""The rules' names and sentences as people read them, with amounts in their currency."""

from __future__ import annotations

from django.utils.translation import gettext as _

from casino.web.amounts import amount_text
from rules.settlement import HandComparison, Side, Step

MINOR = "_minor"
"""What the name of a value ends in that is an amount in minor units."""


def sentence(step: Step, currency: str) -> str:
    """Return *step* in the active language."""
    values = {
        name: (
            sentence(value, currency)
            if isinstance(value, Step)
            else amount_text(value, currency)
            if name.endswith(MINOR) and isinstance(value, int)
            else value
        )
        for name, value in step.values.items()
    }
    return _(step.template).format_map(values)


def sentences(steps: tuple[Step, ...], currency: str) -> tuple[str, ...]:
    """Return *steps* in the active language, in their order."""
    return tuple(sentence(step, currency) for step in steps)


def game_title(name: str) -> str:
    """Return the game's name as people say it."""
    return name.replace("_", " ").title()


def high_text(compared: HandComparison | None, currency: str) -> str:
    """Return how the high hands compare; empty where no hands were recorded."""
    return "" if compared is None else _compared(_("High"), compared, currency)


def low_text(compared: HandComparison | None, currency: str) -> str:
    """Return how the low hands compare; empty where no hands were recorded."""
    return "" if compared is None else _compared(_("Low"), compared, currency)


def _compared(which: str, compared: HandComparison, currency: str) -> str:
    if compared.copy:
        template = _("%(which)s: %(player)s, a copy: the bank's")
    elif compared.winner is Side.PLAYER:
        template = _("%(which)s: %(player)s beats %(bank)s")
    else:
        template = _("%(which)s: %(player)s loses to %(bank)s")
    return template % {
        "which": which,
        "player": sentence(compared.player, currency),
        "bank": sentence(compared.bank, currency),
    }
