"""What the API forgets: keys and tokens whose time is over."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError
from django.utils.timezone import now
from oauth2_provider.models import clear_expired

from casino.web.models import RequestKey


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True)
def purge_request_keys(**_newer: object) -> None:
    """Delete the request keys that no longer decide anything."""
    RequestKey.objects.filter(expires_at__lte=now()).delete()


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True)
def clear_expired_tokens(**_newer: object) -> None:
    """Delete access tokens that have expired."""
    clear_expired()
