"""What programs send is taken as it is or refused by name: nothing is ignored, nothing guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ParseError
from rest_framework.parsers import BaseParser
from typing_extensions import override

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
