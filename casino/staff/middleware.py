"""Every request knows its device; a PIN session is worth nothing at any other device."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin

from casino.staff import selectors, sessions

DEVICE_COOKIE = "baize_device"


class DeviceMiddleware(MiddlewareMixin):
    """Set `request.device`, None for a browser that is not enrolled or whose device was revoked."""

    def process_request(self, request: HttpRequest) -> None:
        """Recognise the device; sign out a tablet session that has left its tablet."""
        secret = request.COOKIES.get(DEVICE_COOKIE)
        device = selectors.find_device(secret) if secret else None
        request.device = device  # type: ignore[attr-defined]  # read by sessions.device_of
        bound_to = sessions.bound_device_id(request)
        if bound_to is not None and (device is None or device.pk != bound_to):
            logout(request)
