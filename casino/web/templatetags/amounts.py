"""An amount in a template is minor units with a currency until the moment it is written."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from casino.web.amounts import amount_text, entry_text

register = template.Library()


@register.filter
def amount(minor: int, currency: str) -> SafeString:
    """Write `{{ seat.wager|amount:seat.currency }}`: its digits keep one width and direction."""
    return format_html('<span class="amount">{}</span>', amount_text(minor, currency))


@register.filter
def entry_amount(minor: int, currency: str) -> str:
    """Write the value of an entry field: plain digits and a point."""
    return entry_text(minor, currency)
