"""Every request knows its device; a session is worth nothing at a device that is not its own."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from casino.staff import selectors, sessions
from casino.staff.models import Device

DEVICE_COOKIE = "baize_device"


class DeviceMiddleware(MiddlewareMixin):
    """Set `request.device`, None for a browser that is not enrolled or whose device was revoked."""

    def process_request(self, request: HttpRequest) -> None:
        """Recognise the device; sign out a session that has left its tablet or its property."""
        secret = request.COOKIES.get(DEVICE_COOKIE)
        device = selectors.find_device(secret) if secret else None
        request.device = device  # type: ignore[attr-defined]  # read by sessions.device_of
        if not _is_at_home(request, device):
            logout(request)


def _is_at_home(request: HttpRequest, device: Device | None) -> bool:
    bound_to = sessions.bound_device_id(request)
    if device is None:
        return bound_to is None
    employee = sessions.employee_of(request)
    is_ours = employee is None or employee.property_id == device.property_id
    return is_ours and bound_to in {None, device.pk}
