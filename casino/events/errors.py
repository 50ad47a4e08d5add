"""What can be wrong with an event.

EventKeyReusedError   a programming fault: one key, two events
"""

from __future__ import annotations


class EventKeyReusedError(Exception):
    """The key stands for an event with other content; no caller of the API can cause this."""

    def __init__(self, key: str, *, field: str) -> None:
        """Name the *key* and the *field* that differs."""
        super().__init__(f"event {key!r} exists with another {field}")
        self.key, self.field = key, field
