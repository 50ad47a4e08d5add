"""How a tap becomes an act: checked, signed, done once, and answered in one sentence.

A refusal leaves nothing changed and says its reason beside the field that it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest

from casino.staff.actors import Signer
from casino.web.errors import Refusal
from casino.web.once import Answer, fingerprint, once
from casino.web.problems import find_problem
from tables.tablet.desk import Desk
from tables.tablet.forms import HAND, PIECES, SECRETS, ActForm

Signers = Mapping[str, Signer | None]
Deed = Callable[..., str]
"""Takes desk, form, signers and moment; returns what was done, in one sentence."""

FIELDS: Final[Mapping[str, str]] = {
    "verifier": "floor_number",
    "floor": "floor_number",
    "pit_boss": "boss_number",
    "position": "seat",
}
"""Where the services' word for a member is not the form's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Why nothing was done."""

    detail: str
    status: int
    fields: Mapping[str, str] = field(default_factory=dict)
    """Field of the form → the sentence beside it."""
    needs_role: str = ""
    """Whose signature is missing."""
    is_shown_beside: bool = False
    """A field shows the sentence, so the screen need not."""
    is_undecided: bool = False
    """The same may be sent again, with its key: whether it was done is not known yet."""

    @property
    def notice(self) -> str:
        """Return what the screen says above everything, if no field says it."""
        return "" if self.is_shown_beside else self.detail


def perform(
    *, request: HttpRequest, desk: Desk, form: ActForm, deed: Deed, at: datetime
) -> str | Refused:
    """Do *deed* once for the form's request key; return its sentence, or why it was refused."""
    if not form.is_valid():
        return _refused_form(form)
    sent = {name: value for name, value in request.POST.items() if name not in SECRETS}
    try:
        signers = {name: form.signer(name, at=at) for name in form.signatures}
        answer = once(
            client=str(desk.actor),
            key=f"{form.cleaned_data['key'].hex}:{deed.__name__}",
            fingerprint=fingerprint("POST", request.path, sent),
            act=lambda: Answer(
                status=200,
                body={"done": deed(desk=desk, form=form, signers=signers, at=at)},
            ),
            at=at,
            path=request.path,
        )
    except Refusal as refusal:
        problem = find_problem(refusal)
        assert problem is not None, "every refusal is a problem"
        return _refused(problem.body(instance=request.path, request_id=""), form)
    if answer.status >= 400:
        return _refused(answer.body, form)
    done: str = answer.body["done"]
    return done


def _refused(problem: Mapping[str, Any], form: ActForm) -> Refused:
    fields = {_field(each["pointer"]): each["detail"] for each in problem["errors"]}
    return Refused(
        detail=problem["detail"],
        status=problem["status"],
        fields=fields,
        needs_role=problem.get("needs_role", ""),
        is_shown_beside=bool(fields) and all(_is_shown(name, form) for name in fields),
        is_undecided=problem["retryable"],
    )


def _refused_form(form: ActForm) -> Refused:
    fields = {name: " ".join(map(str, errors)) for name, errors in form.errors.items()}
    return Refused(
        detail=" ".join(fields.values()),
        status=422,
        fields=fields,
        is_shown_beside=all(_is_shown(name, form) for name in fields),
    )


def _field(pointer: str) -> str:
    first, *rest = pointer.removeprefix("/").split("/")
    if first == "pieces" and rest:
        return f"{PIECES}{rest[0]}"
    if first == "bank" or first.isdecimal():
        return f"{HAND}{first}"
    return FIELDS.get(first, first)


def _is_shown(name: str, form: ActForm) -> bool:
    if name.startswith(HAND):
        return True
    return name in form.fields and (name in SHOWN or name.startswith(PIECES))


SHOWN: Final = frozenset(
    {
        "amount",
        "reason",
        "description",
        "floor_number",
        "floor_pin",
        "boss_number",
        "boss_pin",
    }
)
"""Fields beside which the screens have room for a sentence."""
