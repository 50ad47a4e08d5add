"""A field's own sentence, or what was typed into it, by the field's name."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def at(values: Mapping[str, str], name: str) -> str:
    """Return what *values* hold under *name*, or nothing."""
    return values.get(name, "")
