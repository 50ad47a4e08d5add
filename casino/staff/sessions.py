"""A login session has one door, one role and, at a tablet, one device; acts carry all three."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.contrib.auth import login, logout
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from casino.staff.actors import Actor, employee_actor
from casino.staff.errors import NotSignedInError, RoleError, SegregationError
from casino.staff.models import Device, Employee
from casino.staff.roles import CONSOLE_ROLES, TABLET_ROLES, Role
from casino.staff.services import audit
from casino.staff.services.roles import ChosenRole, choose_role, find_chosen_role

View = Callable[..., Any]

DOOR: Final = "door"
DEVICE: Final = "device_id"
ROLE: Final = "role"
ROLE_UNTIL: Final = "role_until"


class Door(StrEnum):
    """Where a person signed in."""

    TABLET = "tablet"
    CONSOLE = "console"

    @property
    def roles(self) -> frozenset[Role]:
        """Return the roles that have a place behind this door."""
        return TABLET_ROLES if self is Door.TABLET else CONSOLE_ROLES

    @property
    def home(self) -> str:
        """Return the address to which this door leads; the apps above own it."""
        return "/tablet/" if self is Door.TABLET else "/pit/"


def device_of(request: HttpRequest) -> Device | None:
    """Return the enrolled device that asks, if it is one."""
    device: Device | None = getattr(request, "device", None)
    return device


def bound_device_id(request: HttpRequest) -> int | None:
    """Return the device at which alone this login session counts; None at a console."""
    bound: int | None = request.session.get(DEVICE)
    return bound


def employee_of(request: HttpRequest) -> Employee | None:
    """Return who is signed in here."""
    return request.user if isinstance(request.user, Employee) else None


def door_of(request: HttpRequest) -> Door:
    """Return the door by which the session was opened."""
    return Door(request.session[DOOR])


def role_of(request: HttpRequest) -> Role | None:
    """Return the role of the session; None until one is chosen."""
    role = request.session.get(ROLE)
    return Role(role) if role else None


def actor_of(request: HttpRequest) -> Actor:
    """Return the signed-in person as the one who acts, in the chosen role.

    Raises:
        NotSignedInError: nobody is signed in, or no role was chosen.
    """
    employee, role = employee_of(request), role_of(request)
    if employee is None or role is None:
        raise NotSignedInError(_("Sign in and choose a role first."))
    device = device_of(request)
    return employee_actor(
        employee_id=employee.pk,
        role=role,
        property_id=employee.property_id,
        device_id=device.pk if device else None,
    )


def roles_here(employee: Employee, door: Door) -> list[Role]:
    """Return the roles in which *employee* may work behind *door*, in the order of `Role`."""
    offered = employee.held_roles() & door.roles
    return [role for role in Role if role in offered]


def require_roles_here(employee: Employee, door: Door) -> None:
    """Refuse a person who has no role behind *door*.

    Raises:
        RoleError: none of the person's roles has a place there.
    """
    if not roles_here(employee, door):
        where = _("at a table tablet") if door is Door.TABLET else _("at a console")
        raise RoleError(
            _("%(number)s has no role %(where)s.") % {"number": employee.number, "where": where},
            pointer="/number",
        )


def open_session(
    request: HttpRequest, *, employee: Employee, door: Door, at: datetime
) -> Role | None:
    """Sign *employee* in and take the role, if there is nothing to choose.

    Returns:
        The role, or None where the person has several and must choose one.

    Raises:
        RoleError: no role of this person has a place behind *door*.
        SegregationError: SOD-10, the role chosen for this shift has none.
    """
    require_roles_here(employee, door)
    role = _settled_role(employee, door=door, at=at)
    login(request, employee)
    request.session[DOOR] = door
    device = device_of(request)
    if door is Door.TABLET:
        assert device is not None, "a PIN is checked at an enrolled device"
        request.session[DEVICE] = device.pk
    else:
        request.session.pop(DEVICE, None)
    request.session.pop(ROLE, None)
    if role is not None:
        take_role(request, employee=employee, role=role, at=at)
    return role


def take_role(request: HttpRequest, *, employee: Employee, role: Role, at: datetime) -> None:
    """Let the session work in *role*, and write that down.

    Raises:
        RoleError: the person does not hold the role, or it has no place behind this door.
        SegregationError: SOD-10, another role was chosen in this shift.
    """
    if role not in door_of(request).roles:
        raise RoleError(_("Nobody works as %(role)s here.") % {"role": role.label}, pointer="/role")
    _keep(request, choose_role(employee=employee, role=role, at=at))
    audit.record(
        actor=actor_of(request),
        action="session.opened",
        subject=f"employee:{employee.pk}",
        property_id=employee.property_id,
        at=at,
        after={"door": door_of(request), "role": role},
    )


def close_session(request: HttpRequest, *, at: datetime) -> None:
    """Sign out whoever is signed in, and write that down; nobody signed in changes nothing."""
    employee = employee_of(request)
    if employee is not None and role_of(request) is not None:
        audit.record(
            actor=actor_of(request),
            action="session.closed",
            subject=f"employee:{employee.pk}",
            property_id=employee.property_id,
            at=at,
        )
    logout(request)


def page_for(*roles: Role) -> Callable[[View], View]:
    """Let a page be seen by those signed in as one of *roles*; it may be async."""
    return lambda view: _guarded(view, lambda request: _refuse_person(request, frozenset(roles)))


def tablet_page(view: View) -> View:
    """Let a page be seen at an enrolled device (`request.device`) by who signed in at it by PIN."""

    def refuse(request: HttpRequest) -> HttpResponse | None:
        if device_of(request) is None:
            return _send(request, reverse("staff:sign-in-tablet"))
        refusal = _refuse_person(request, TABLET_ROLES)
        # Who came by password has proved nothing at this tablet, cookie or not.
        if refusal is None and bound_device_id(request) is None:
            return _send(request, reverse("staff:sign-in-tablet"))
        return refusal

    return _guarded(view, refuse)


def sign_in_address(request: HttpRequest) -> str:
    """Return where one signs in from here: at an enrolled device by PIN, elsewhere by password."""
    return reverse("staff:sign-in-tablet" if device_of(request) else "staff:sign-in")


def _guarded(view: View, refuse: Callable[[HttpRequest], HttpResponse | None]) -> View:
    if iscoroutinefunction(view):

        @functools.wraps(view)
        async def later(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            refusal = await sync_to_async(refuse)(request)
            answer: HttpResponseBase = refusal or await view(request, *args, **kwargs)
            return answer

        return later

    @functools.wraps(view)
    def now(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer: HttpResponseBase = refuse(request) or view(request, *args, **kwargs)
        return answer

    return now


def _refuse_person(request: HttpRequest, roles: frozenset[Role]) -> HttpResponse | None:
    employee = employee_of(request)
    if employee is None:
        login_page = redirect_to_login(request.get_full_path(), sign_in_address(request))
        return _send(request, login_page.url)
    if not _role_holds(request, employee, at=timezone.now()):
        return _send(request, reverse("staff:choose-role"))
    role = role_of(request)
    assert role is not None, "the role holds, so there is one"
    if role not in roles:
        raise PermissionDenied(
            _("You are signed in as %(role)s, who may not do this. Nothing was changed.")
            % {"role": role.label}
        )
    return None


def _role_holds(request: HttpRequest, employee: Employee, *, at: datetime) -> bool:
    """Return whether the session has a role in the shift of *at*.

    A new shift goes on in the role of the last one, unless the person has chosen another since.
    """
    role = role_of(request)
    if role is None:
        return False
    if at < datetime.fromisoformat(request.session[ROLE_UNTIL]):
        return True
    try:
        _keep(request, choose_role(employee=employee, role=role, at=at))
    except (RoleError, SegregationError):
        del request.session[ROLE]
        return False
    return True


def _keep(request: HttpRequest, chosen: ChosenRole) -> None:
    request.session[ROLE] = chosen.role
    request.session[ROLE_UNTIL] = chosen.until.isoformat()


def _settled_role(employee: Employee, *, door: Door, at: datetime) -> Role | None:
    """Return the role that is already decided, by this shift's choice or for want of another."""
    offered = roles_here(employee, door)
    chosen = find_chosen_role(employee=employee, at=at)
    if chosen is not None:
        if chosen not in offered:
            raise SegregationError(
                _("%(number)s works as %(role)s in this shift, which has no place here.")
                % {"number": employee.number, "role": chosen.label},
                rule="SOD-10",
            )
        return chosen
    return offered[0] if len(employee.held_roles()) == 1 else None


def _send(request: HttpRequest, address: str) -> HttpResponse:
    # A partial swapped into the page would hide that nobody is signed in any more.
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(address)
    return redirect(address)
