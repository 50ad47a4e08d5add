"""What programs send is taken as it is or refused by name: nothing is ignored, nothing guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import IO, Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError
from rest_framework.parsers import BaseParser
from typing_extensions import override

DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
INSTANT = re.compile(
    DAY.pattern + r"T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
)
NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""How `json.dumps` spells the character 0, which PostgreSQL's text has not."""


class StrictJsonParser(BaseParser):
    """Reads JSON that has one meaning: UTF-8, no member twice, no NaN, no half characters."""

    media_type = "application/json"

    @override
    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value that *stream* holds.

        Raises:
            ParseError: it holds none.
        """
        try:
            return read_json(stream.read())
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON that this service takes: {error}.") from error


def read_json(body: bytes) -> Any:
    """Return the value that *body* spells.

    Raises:
        ValueError: it has no meaning, two, or one that PostgreSQL cannot keep.
        RecursionError: it is nested deeper than any document.
    """
    value = json.loads(body.decode(), object_pairs_hook=_members, parse_constant=_refuse_constant)
    # Encoding refuses a lone surrogate, which is half a character; `allow_nan` refuses numbers
    # such as 1e999 that became infinite.
    if NUL.search(json.dumps(value, ensure_ascii=False, allow_nan=False).encode()):
        raise ValueError("the character U+0000 is not allowed")
    return value


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the member {twice!r} stands twice")
    return members


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class TextField(serializers.CharField):
    """A text as it was sent: nothing is cut off, and a number or truth is none."""

    default_error_messages = {"not_text": "A text is needed here."}

    def __init__(self, **kwargs: Any) -> None:
        """Take the text with its margins; *kwargs* as for any field."""
        super().__init__(trim_whitespace=False, **kwargs)

    @override
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("not_text")
        return str(super().to_internal_value(data))


class InstantField(serializers.DateTimeField):
    """A moment of RFC 3339: with its offset, since no zone is anybody's to guess."""

    default_error_messages = {
        "not_instant": "A moment is written as 2026-03-14T21:22:05Z, with Z or its offset."
    }

    @override
    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str) or INSTANT.fullmatch(value) is None:
            self.fail("not_instant")
        return super().to_internal_value(value)


class DayField(serializers.DateField):
    """A day as 2026-03-14 and in no other spelling that ISO 8601 has for it."""

    default_error_messages = {"not_day": "A day is written as 2026-03-14."}

    @override
    def to_internal_value(self, value: Any) -> date:
        if not isinstance(value, str) or DAY.fullmatch(value) is None:
            self.fail("not_day")
        return super().to_internal_value(value)


class Input(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """A serializer that refuses members it does not know."""

    default_error_messages = {"unknown": "There is no such member."}

    @override
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            message = str(self.error_messages["unknown"])
            unknown = {
                str(name): [ErrorDetail(message, code="unknown")]
                for name in data
                if name not in self.fields
            }
            if unknown:
                raise serializers.ValidationError(unknown)
        return super().to_internal_value(data)
