"""What people ask the books for; each wrong value has its sentence beside its field.

The fields stand in the address, so a question can be kept and handed on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from casino.properties.models import Property
from casino.staff.models import Employee
from casino.web.amounts import amount_text
from casino.web.errors import ValidationError
from ledger import selectors as ledger
from ledger.chart import CHART, CODE, Place
from ledger.models import Account
from ledger.selectors.searches import PREFIX
from tables.floor.models import Table
from tables.pit.books.amounts import read_amount
from tables.pit.books.people import find_people
from tables.pit.books.records import Said
from tables.pit.books.search import NUMBER
from tables.pit.words import ENTRY_KINDS, kind_words

BELOW: Final = "below"
"""What is wrong with a code to which nothing is posted, while accounts hang below it."""
NAMED: Final = 3
"""People whom a refusal names."""
DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class DayField(forms.DateField):
    """A gaming day as 2026-03-14, and in no other spelling."""

    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    default_error_messages = {"invalid": _("Write the gaming day as 2026-03-14.")}

    @override
    def to_python(self, value: Any) -> date | None:
        if value in self.empty_values:
            return None
        try:
            if DAY.fullmatch(value):
                return date.fromisoformat(value)
        except ValueError:
            pass  # such as the 30th of February: refused as any other text
        raise forms.ValidationError(self.error_messages["invalid"], code="invalid")


class DaysForm(forms.Form):
    """A gaming day, or all from one day to another."""

    day = DayField(required=False, label=_("From gaming day"), help_text=_("Alone, that day only."))
    until = DayField(required=False, label=_("To gaming day"))

    @override
    def clean(self) -> dict[str, Any]:
        """Refuse a range without its first day, or one that ends before it."""
        day, until = self.cleaned_data.get("day"), self.cleaned_data.get("until")
        if until and not day and "day" not in self.errors:
            self.add_error("day", _("Say on which gaming day the range begins."))
        elif day and until and until < day:
            self.add_error("until", _("The range ends before it begins."))
        return self.cleaned_data

    @property
    def days(self) -> tuple[date, date] | None:
        """Return the first day and the last; None where all days are asked for."""
        day: date | None = self.cleaned_data["day"]
        return (day, self.cleaned_data["until"] or day) if day else None

    def said(self) -> Said:
        """Return what was asked for, as it is written on paper and in files."""
        if self.days is None:
            return ()
        day, until = self.days
        if day == until:
            return ((gettext("Gaming day"), day.isoformat()),)
        return (
            (
                gettext("Gaming days"),
                gettext("%(day)s to %(until)s") % {"day": day, "until": until},
            ),
        )


class SearchForm(DaysForm):
    """Which entries to find; what is left empty does not matter."""

    table = forms.ChoiceField(
        required=False,
        label=_("Table"),
        error_messages={"invalid_choice": _("There is no table %(value)s.")},
    )
    kind = forms.ChoiceField(
        required=False,
        label=_("Kind"),
        error_messages={"invalid_choice": _("There is no kind of entry called %(value)s.")},
    )
    amount = forms.CharField(
        required=False,
        max_length=30,
        help_text=_("Of one leg, on either side."),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    person = forms.CharField(
        required=False,
        max_length=120,
        label=_("Person"),
        help_text=_("Who posted or approved it: name, or number on the badge."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    text = forms.CharField(
        required=False,
        max_length=200,
        label=_("Text"),
        help_text=_(
            "A part of the memo, or of the cause as the books write it (round:294), within gaming "
            "days; or an entry's number."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Mapping[str, Any], *, casino: Property) -> None:
        super().__init__(data)
        self.casino = casino
        self.tables = dict(
            Table.objects.filter(property=casino).order_by("code").values_list("code", "pk")
        )
        any_one = ("", _("any"))
        self.fields["table"].choices = [any_one, *((code, code) for code in self.tables)]  # type: ignore[attr-defined]  # of a ChoiceField
        # Whoever keeps a question asks it before the first entry of its kind too.
        asked = {data.get("kind", "")} & ENTRY_KINDS.keys()
        kinds = [(kind, kind_words(kind)) for kind in {*ledger.kinds(casino.pk), *asked}]
        kinds.sort(key=lambda kind: str(kind[1]).casefold())
        self.fields["kind"].choices = [any_one, *kinds]  # type: ignore[attr-defined]  # as above
        self.fields["amount"].label = _("Amount in %(currency)s") % {"currency": casino.currency}

    def clean_amount(self) -> int | None:
        """Return minor units of the property's currency."""
        text = self.cleaned_data["amount"]
        if not text:
            return None
        try:
            amount = read_amount(text, self.casino.currency)
        except ValidationError as refusal:
            raise forms.ValidationError(refusal.detail) from refusal
        if amount == 0:
            raise forms.ValidationError(_("No entry moves nothing."))
        return amount

    def clean_person(self) -> Employee | None:
        """Return whom the name or the number means; nobody is guessed."""
        text = self.cleaned_data["person"]
        if not text:
            return None
        found = find_people(self.casino, text)
        if not found:
            raise forms.ValidationError(
                _("Nobody at %(casino)s has this name or number.") % {"casino": self.casino.name}
            )
        if len(found) > 1:
            raise forms.ValidationError(_several(found))
        return found[0]

    @override
    def clean(self) -> dict[str, Any]:
        """Refuse to look for words in all of history, which would take too long."""
        given = super().clean()
        text, days = given.get("text"), {"day", "until"}
        is_unbounded = not given.get("day") and not days & self.errors.keys()
        if text and is_unbounded and not _is_number(text):
            self.add_error("text", _("Say within which gaming days to look for this text."))
        return given

    @property
    def filters(self) -> dict[str, Any]:
        """Return what `search_entries` is asked for."""
        given = self.cleaned_data
        table = self.tables.get(given["table"])
        return {
            "days": self.days,
            "table": f"{Place.TABLE}:{table}" if table else None,
            "kind": given["kind"] or None,
            "amount": given["amount"],
            "person": f"employee:{given['person'].pk}" if given["person"] else None,
            "text": given["text"] or None,
        }

    @override
    def said(self) -> Said:
        given = self.cleaned_data
        amount, person = given["amount"], given["person"]
        currency = self.casino.currency
        written = f"{amount_text(amount, currency)} {currency}" if amount else ""
        asked = (
            (gettext("Table"), given["table"]),
            (gettext("Kind"), kind_words(given["kind"])),
            (gettext("Amount"), written),
            (gettext("Person"), f"{person.name} {person.number}" if person else ""),
            (gettext("Text"), given["text"]),
        )
        return (*super().said(), *((term, words) for term, words in asked if words))


class StatementForm(DaysForm):
    """Which account's statement, and of which days."""

    account = forms.CharField(
        label=_("Account"),
        max_length=200,
        help_text=_("Its code, such as 1120/table:3; find it under Accounts."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    field_order = ("account", "day", "until")

    def __init__(self, data: Mapping[str, Any] | None, *, casino: Property) -> None:
        super().__init__(data)
        self.casino = casino

    def clean_account(self) -> str:
        """Return the code of an account that was opened."""
        code: str = self.cleaned_data["account"]
        accounts = Account.objects.filter(property=self.casino)
        if not accounts.filter(code=code).exists():
            if accounts.filter(code__startswith=f"{code}/").exists():
                raise forms.ValidationError(
                    _("Nothing is posted to %(code)s itself: take one of the accounts below it.")
                    % {"code": code},
                    code=BELOW,
                )
            raise forms.ValidationError(
                _("No account %(code)s was ever opened. Find it by its name under Accounts.")
                % {"code": code}
            )
        return code

    @override
    def said(self) -> Said:
        return ((gettext("Account"), self.cleaned_data["account"]), *super().said())


class AccountsForm(forms.Form):
    """Which accounts: those below another, or those that words find."""

    find = forms.CharField(
        required=False,
        max_length=100,
        label=_("Code or name"),
        help_text=_("Such as 1120, tray T1, or cage cash."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "type": "search"}),
    )
    under = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)

    def clean_under(self) -> str:
        """Return a code of the chart, whole or the beginning of one."""
        code: str = self.cleaned_data["under"]
        if code and (not CODE.fullmatch(code) or code[:4] not in CHART):
            raise forms.ValidationError(
                _("There is no account %(code)s in the chart.") % {"code": code}
            )
        return code


class TrialBalanceForm(forms.Form):
    """Of which gaming day, and of which shift of it."""

    day = DayField(label=_("Gaming day"))
    shift = forms.ChoiceField(
        required=False,
        label=_("Shift"),
        error_messages={"invalid_choice": _("There is no shift %(value)s.")},
    )

    def __init__(self, data: Mapping[str, Any], *, shifts: Sequence[str]) -> None:
        super().__init__(data)
        choices = [("", _("whole day")), *((name, name) for name in shifts)]
        self.fields["shift"].choices = choices  # type: ignore[attr-defined]  # of a ChoiceField


def _several(found: Sequence[Employee]) -> str:
    named = ", ".join(f"{each.name} {each.number}" for each in found[:NAMED])
    more = len(found) - NAMED
    if more <= 0:
        return gettext("Several people are meant: %(people)s. Write the number of one.") % {
            "people": named
        }
    return gettext(
        "Several people are meant: %(people)s and %(more)d more. Write the number of one."
    ) % {"people": named, "more": more}


def _is_number(text: str) -> bool:
    if NUMBER.fullmatch(text):
        return True
    try:
        UUID(text.strip().removeprefix(PREFIX))
    except ValueError:
        return False
    return True
