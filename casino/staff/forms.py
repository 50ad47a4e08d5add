"""What people type at the doors; the services decide whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from casino.staff.errors import StaffRefusal
from casino.staff.roles import Role


class RefusableForm(forms.Form):
    """A form beside whose fields a service's refusal can stand."""

    def refuse(self, refusal: StaffRefusal) -> None:
        """Put the sentence of *refusal* beside the field to which its pointer leads."""
        field = (refusal.pointer or "").removeprefix("/")
        self.add_error(field if field in self.fields else None, refusal.detail)


class PasswordForm(RefusableForm):
    """Number and password, at a console."""

    number = forms.CharField(
        label=_("Employee number"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "characters"}),
    )
    password = forms.CharField(
        label=_("Password"),
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class PinForm(RefusableForm):
    """Number and PIN, at a table tablet."""

    number = forms.CharField(
        label=_("Employee number"),
        help_text=_("As on the badge; its digits are enough."),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )
    pin = forms.CharField(
        label=_("PIN"),
        max_length=8,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )


class RoleForm(RefusableForm):
    """One of the roles that have a place behind this door."""

    role = forms.ChoiceField(label=_("Role for this shift"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, roles: Sequence[Role], **kwargs: Any) -> None:
        """Offer *roles* alone."""
        super().__init__(*args, **kwargs)
        choices = self.fields["role"]
        assert isinstance(choices, forms.ChoiceField), "declared above"
        choices.choices = [(role.value, role.label) for role in roles]
