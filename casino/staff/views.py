"""The doors: sign in, choose a role, sign out, and make a tablet ours."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from casino.staff import sessions
from casino.staff.errors import EnrolmentError, LockedError, StaffRefusal
from casino.staff.forms import PasswordForm, PinForm, RefusableForm, RoleForm
from casino.staff.middleware import DEVICE_COOKIE
from casino.staff.roles import Role
from casino.staff.services.devices import enrol as enrol_device
from casino.staff.services.sign_in import know_at_console, know_at_tablet
from casino.staff.sessions import Door

DEVICE_COOKIE_SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie at most."""


@never_cache
@require_GET
def start(request: HttpRequest) -> HttpResponse:
    """Lead an enrolled tablet to its table, and any other browser to the pit."""
    door = Door.TABLET if sessions.device_of(request) else Door.CONSOLE
    return redirect(door.home)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign in at a console by number and password."""
    form = PasswordForm(request.POST or None)
    template = "staff/sign_in.html"
    if not form.is_valid():
        return _form_page(request, template, form)
    now = timezone.now()
    try:
        employee = know_at_console(request=request, at=now, **form.cleaned_data)
        role = sessions.open_session(request, employee=employee, door=Door.CONSOLE, at=now)
    except StaffRefusal as refusal:
        return _refused_page(request, template, form, refusal)
    return _onward(request, role=role, door=Door.CONSOLE)


@never_cache
@sensitive_post_parameters("pin")
@require_http_methods(["GET", "POST"])
def sign_in_tablet(request: HttpRequest) -> HttpResponse:
    """Sign in at an enrolled tablet by number and PIN."""
    device = sessions.device_of(request)
    if device is None:
        return render(request, "staff/not_enrolled.html", status=403)
    form = PinForm(request.POST or None)
    template = "staff/sign_in_tablet.html"
    if not form.is_valid():
        return _form_page(request, template, form)
    now = timezone.now()
    try:
        employee = know_at_tablet(request=request, device=device, at=now, **form.cleaned_data)
        role = sessions.open_session(request, employee=employee, door=Door.TABLET, at=now)
    except StaffRefusal as refusal:
        return _refused_page(request, template, form, refusal)
    return _onward(request, role=role, door=Door.TABLET)


@never_cache
@require_http_methods(["GET", "POST"])
def choose_role(request: HttpRequest) -> HttpResponse:
    """Choose one of several roles for this shift (SOD-10)."""
    employee = sessions.employee_of(request)
    if employee is None:
        return redirect(sessions.sign_in_address(request))
    door = sessions.door_of(request)
    form = RoleForm(request.POST or None, roles=sessions.roles_here(employee, door))
    template = "staff/choose_role.html"
    if not form.is_valid():
        return _form_page(request, template, form)
    role = Role(form.cleaned_data["role"])
    try:
        sessions.take_role(request, employee=employee, role=role, at=timezone.now())
    except StaffRefusal as refusal:
        return _refused_page(request, template, form, refusal)
    return _onward(request, role=role, door=door)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out; the tablet stays enrolled."""
    sessions.close_session(request, at=timezone.now())
    return redirect(sessions.sign_in_address(request))


@never_cache
@require_GET
def enrol(request: HttpRequest, token: str) -> HttpResponse:
    """Make this browser a tablet of ours; the one act that a link may do (ADR 0043)."""
    try:
        enrolled = enrol_device(token=token, at=timezone.now())
    except EnrolmentError as refusal:
        context = {"refusal": refusal.detail}
        page = render(request, "staff/not_enrolled.html", context, status=refusal.status)
        # The address holds a secret, which the next request would tell to its logs.
        page["Referrer-Policy"] = "strict-origin"
        return page
    response = redirect("staff:sign-in-tablet")
    response.set_cookie(
        DEVICE_COOKIE,
        enrolled.secret,
        max_age=DEVICE_COOKIE_SECONDS,
        httponly=True,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )
    return response


def _onward(request: HttpRequest, *, role: Role | None, door: Door) -> HttpResponse:
    wanted = _wanted(request)
    if role is None:
        return redirect(reverse("staff:choose-role", query={"next": wanted} if wanted else None))
    return redirect(wanted or door.home)


def _wanted(request: HttpRequest) -> str:
    """Return the page of ours that the person was on the way to, if any."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else ""


def _form_page(request: HttpRequest, template: str, form: RefusableForm) -> HttpResponse:
    context = {"form": form, "next": _wanted(request), "device": sessions.device_of(request)}
    return render(request, template, context, status=422 if form.is_bound else 200)


def _refused_page(
    request: HttpRequest, template: str, form: RefusableForm, refusal: StaffRefusal
) -> HttpResponse:
    form.refuse(refusal)
    response = _form_page(request, template, form)
    if isinstance(refusal, LockedError):
        response.status_code = refusal.status
        response["Retry-After"] = str(refusal.retry_after_seconds)
    return response
