"""What the tablet sends, checked for its form alone: whether it may be, the services decide.

Each form names the signatures that its act takes; amounts become minor units exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from casino.staff.actors import Signer
from casino.staff.errors import StaffRefusal
from casino.staff.roles import Role
from casino.staff.services.pins import verify_signer
from casino.web.amounts import read_entry
from casino.web.errors import Refusal
from tables.rounds.services.entering import HOUSE_WAY
from tables.tablet.desk import Desk

PIECES = "pieces_"
HAND = "hand_"
WAY = "way_"

SECRETS = frozenset({"csrfmiddlewaretoken", "floor_pin", "boss_pin"})
"""Fields that are no part of what was asked: a key's fingerprint leaves them out."""


class AmountField(forms.CharField):
    """An amount of the table's currency, as an entry field holds it."""

    currency: str = ""

    @override
    def clean(self, value: Any) -> Any:
        """Return minor units."""
        text = super().clean(value)
        try:
            return read_entry(text, self.currency)
        except Refusal as refusal:
            raise forms.ValidationError(refusal.detail) from refusal


class ActForm(forms.Form):
    """What every act sends: its request key, and the revision that it was decided from."""

    signatures: ClassVar[Mapping[str, Role]] = {}
    """Prefix of number and PIN → the role that signs; a pair left empty is no signature."""

    key = forms.UUIDField()
    revision = forms.IntegerField(required=False)

    def __init__(self, data: Mapping[str, Any], *, desk: Desk) -> None:
        super().__init__(data)
        self.desk = desk
        for field in self.fields.values():
            if isinstance(field, AmountField):
                field.currency = desk.currency

    def signer(self, name: str, *, at: datetime) -> Signer | None:
        """Return who signs as *name*, proved by number and PIN; None where neither was given.

        Raises:
            StaffRefusal: the number or PIN is not right, or the person may not sign.
        """
        number = self.cleaned_data.get(f"{name}_number", "")
        pin = self.cleaned_data.get(f"{name}_pin", "")
        if not number and not pin:
            return None
        try:
            return verify_signer(
                property_id=self.desk.casino.pk,
                number=number,
                pin=pin,
                role=self.signatures[name],
                device_id=self.desk.actor.device_id,
                at=at,
            )
        except StaffRefusal as refusal:
            # Two people may sign one form: the sentence goes to the pair that it is about.
            part = "pin" if refusal.pointer == "/pin" else "number"
            refusal.pointer = f"/{name}_{part}"
            raise


def _number() -> forms.CharField:
    return forms.CharField(required=False, max_length=20)


def _pin() -> forms.CharField:
    return forms.CharField(required=False, max_length=12, strip=False)


class FloorForm(ActForm):
    """An act that the floor supervisor signs, always or above a limit."""

    signatures = {"floor": Role.FLOOR_SUPERVISOR}

    floor_number = _number()
    floor_pin = _pin()


class WitnessForm(FloorForm):
    """The floor signs a count: here a signature is never left out."""

    floor_number = forms.CharField(max_length=20, error_messages={"required": _("Give a number.")})
    floor_pin = forms.CharField(
        max_length=12, strip=False, error_messages={"required": _("Give the PIN.")}
    )


class CountForm(ActForm):
    """Pieces by face value; a field left empty is none."""

    def __init__(self, data: Mapping[str, Any], *, desk: Desk) -> None:
        super().__init__(data, desk=desk)
        used = desk.in_session().chip_set.denominations.filter(in_use=True)
        self.values = list(used.values_list("value", flat=True))
        sentence = _("Give a number of pieces.")
        for value in self.values:
            self.fields[f"{PIECES}{value}"] = forms.IntegerField(
                required=False,
                min_value=0,
                max_value=10**6,
                error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), sentence),
            )

    @override
    def clean(self) -> dict[str, Any]:
        if not {str(value) for value in self.values}.issuperset(_values_in(self.data, PIECES)):
            raise forms.ValidationError(_("This chip set has no such denomination."))
        return self.cleaned_data

    def pieces(self) -> dict[int, int]:
        """Return face value in minor units → pieces."""
        return {value: self.cleaned_data[f"{PIECES}{value}"] or 0 for value in self.values}


class ReasonForm(ActForm):
    """An act that may need its reason; the service says whether it does."""

    reason = forms.CharField(required=False, max_length=200)


class SeatForm(ActForm):
    """Something at one seat."""

    seat = forms.IntegerField(
        min_value=1, max_value=99, error_messages={"required": _("Choose a seat.")}
    )


class SeatPatronForm(SeatForm):
    """A known patron, or a description of one who is not."""

    patron = forms.IntegerField(required=False)
    description = forms.CharField(required=False, max_length=80)


class WagerForm(SeatForm):
    """A wager of one seat."""

    amount = AmountField(
        max_length=20, error_messages={"required": _("Tap chips or type an amount.")}
    )


class BuyInForm(WagerForm, FloorForm):
    """A cash buy-in of one seat."""


class RoundForm(ActForm):
    """Something about one round."""

    round = forms.IntegerField()


class RoundSeatForm(RoundForm, SeatForm):
    """Something at one seat of a round."""


class HandsForm(RoundForm):
    """What lies in front of each position, in the order of the taps: the low hand first."""

    way = forms.CharField(required=False, max_length=8)
    """The seat that is to be set the house way, or no longer; where that was pressed."""

    def hands(self) -> Iterator[tuple[str, tuple[str, ...], str]]:
        """Yield position, tokens, and the way in which it is set: empty or `house_way`."""
        for position in _values_in(self.data, HAND):
            way = self.data.get(f"{WAY}{position}", "")
            if self.cleaned_data["way"] == position:
                way = "" if way else HOUSE_WAY
            yield position, tuple(self.data[f"{HAND}{position}"].split()), way


class ResultForm(RoundSeatForm):
    """How one seat's wager ended, at a table that records no hands."""

    outcome = forms.CharField(max_length=4)


class VoidForm(RoundForm, FloorForm, ReasonForm):
    """A round is voided; the pit boss signs too above a limit."""

    signatures = {"floor": Role.FLOOR_SUPERVISOR, "boss": Role.PIT_BOSS}

    boss_number = _number()
    boss_pin = _pin()


class VoidBuyInForm(FloorForm, ReasonForm):
    """A buy-in that was entered wrongly is taken back."""

    buy_in = forms.IntegerField(error_messages={"required": _("Choose a buy-in.")})


def _values_in(data: Mapping[str, Any], prefix: str) -> list[str]:
    return [name.removeprefix(prefix) for name in data if name.startswith(prefix)]
