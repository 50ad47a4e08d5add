"""What every resource of the API shares: who asks, for which property, what may be asked, once.

A view states its scopes, its parameters and its serializers as class attributes; checking,
translating and the published description follow from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, NoReturn

from django.conf import settings
from django.utils.timezone import now
from rest_framework import serializers
from rest_framework.exceptions import ParseError, Throttled, UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from typing_extensions import override

from casino.web.access import request_actor, request_client, request_property_id
from casino.web.cursors import read_cursor, write_cursor
from casino.web.errors import Refusal
from casino.web.inputs import StrictJsonParser
from casino.web.once import JSON, Answer, fingerprint, once
from casino.web.problems import MEDIA_TYPE, request_id_of
from casino.web.versions import follow_version

__all__ = [
    "ApiView",
    "ListView",
    "PageParameters",
    "ReadView",
    "WriteView",
    "request_actor",
    "request_client",
    "request_property_id",
]

JSON_TYPE = StrictJsonParser.media_type
LIMIT_DEFAULT, LIMIT_MAX = 50, 200
SUCCESS = range(200, 300)


class IdempotencyKeyRequiredError(Refusal):
    """A write came without a usable `Idempotency-Key`."""

    code = "idempotency_key_required"
    status = 400
    title = "An Idempotency-Key is required"


class ParameterError(Refusal):
    """A query parameter is unknown or has a value that it cannot have."""

    code = "invalid_parameter"
    status = 400
    title = "A query parameter is not valid"


class ApiView(APIView):
    """A resource: scopes by method, one output, parameters that are known by name."""

    required_scopes: ClassVar[Mapping[str, Iterable[str]]] = {}
    """By method: `{"GET": ["tables:read"]}`."""
    parameters: ClassVar[type[serializers.Serializer[Any]]] = serializers.Serializer
    """The query parameters of a read; any other name is refused."""
    output: ClassVar[type[serializers.BaseSerializer[Any]]]
    """What an answer's body, or each row of a list, looks like."""
    http_method_names = ["get", "head", "post"]

    def asked(self, request: Request) -> dict[str, Any]:
        """Return the query parameters, checked and translated.

        Raises:
            ParameterError: one is unknown, given twice or not valid; it is named.
        """
        reader = self.parameters(data=request.query_params.dict())
        faults = [
            *_unknown(request.query_params, reader.fields),
            *_repeated(request.query_params),
        ]
        if not faults and not reader.is_valid():
            faults = [
                {"parameter": name, "detail": " ".join(map(str, details))}
                for name, details in reader.errors.items()
            ]
        if faults:
            said = " ".join(f"{fault['parameter']}: {fault['detail']}" for fault in faults)
            raise ParameterError(said, errors=faults)
        return dict(reader.validated_data)

    @override
    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        follow_version(request)

    @override
    def throttled(self, request: Request, wait: float) -> NoReturn:
        raise Throttled(
            wait,
            f"This client may send {settings.API_RATE_PER_SECOND} requests a second,"
            f" {settings.API_RATE_BURST} at once.",
        )

    @override
    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        finished: Response = super().finalize_response(request, response, *args, **kwargs)
        # What one client may see is nobody else's to keep.
        finished.headers.setdefault("Cache-Control", "no-store")
        return finished


def _require_no_parameters(request: Request) -> None:
    if faults := _unknown(request.query_params, {}):
        raise ParameterError("A write takes no query parameters.", errors=faults)


def _unknown(given: Mapping[str, Any], known: Mapping[str, Any]) -> list[dict[str, str]]:
    return [
        {"parameter": name, "detail": "There is no such parameter."}
        for name in given
        if name not in known
    ]


def _repeated(given: Any) -> list[dict[str, str]]:
    return [
        {"parameter": name, "detail": "It is given more than once."}
        for name, values in given.lists()
        if len(values) > 1
    ]


class ReadView(ApiView):
    """One resource, read: a subclass says `read(request, asked, **path)`."""

    def get(self, request: Request, **path: Any) -> Response:
        """Answer the resource."""
        found = self.read(request, self.asked(request), **path)
        return Response(self.output(found).data)

    def read(self, request: Request, asked: Mapping[str, Any], **path: Any) -> Any:
        """Return what `output` shows.

        Raises:
            NotFoundError: there is none in the client's property.
        """
        raise NotImplementedError


class PageParameters(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """The parameters of every list; a list's filters are added in a subclass."""

    limit = serializers.IntegerField(
        min_value=1,
        max_value=LIMIT_MAX,
        default=LIMIT_DEFAULT,
        help_text="How many rows at most.",
    )
    cursor = serializers.CharField(
        required=False,
        max_length=400,
        help_text="`next_cursor` of the page before, with the same filter; good for 24 hours.",
    )


class ListView(ApiView):
    """A list by ascending place: a subclass says `page(request, asked, after, limit, **path)`."""

    parameters = PageParameters

    def get(self, request: Request, **path: Any) -> Response:
        """Answer one page."""
        asked = self.asked(request)
        limit, cursor = asked.pop("limit"), asked.pop("cursor", None)
        at = now()
        bound_to = {"path": request.path, "filter": asked, "for": request_actor(request)}
        after = read_cursor(cursor, bound_to=bound_to, at=at) if cursor else None
        # One row more than asked for tells whether there are more, without counting any.
        rows = list(self.page(request, asked, after=after, limit=limit + 1, **path))
        has_more = len(rows) > limit
        rows = rows[:limit]
        next_cursor = (
            write_cursor(self.place(rows[-1]), bound_to=bound_to, at=at) if has_more else None
        )
        return Response(
            {
                "data": self.output(rows, many=True).data,
                "next_cursor": next_cursor,
                "has_more": has_more,
            }
        )

    def page(
        self,
        request: Request,
        asked: Mapping[str, Any],
        *,
        after: int | None,
        limit: int,
        **path: Any,
    ) -> Iterable[Any]:
        """Return up to *limit* rows whose place is above *after*, ascending.

        A row is a mapping that says its `place`, unless the list says where its rows stand.
        """
        raise NotImplementedError

    def place(self, row: Any) -> int:
        """Return where *row* stands; unique in the list and never changed."""
        return int(row["place"])


class WriteView(ApiView):
    """A write, once for its `Idempotency-Key`: a subclass says `act(request, data, **path)`."""

    input: ClassVar[type[serializers.Serializer[Any]]]
    """What the body must be; a subclass of `casino.web.inputs.Input`, so no member is ignored."""
    written: ClassVar[type[serializers.BaseSerializer[Any]] | None] = None
    """What an answer's body looks like, where `output` is that of a list at the same address."""
    success: ClassVar[tuple[int, ...]] = (201,)
    """The statuses that `act` answers."""

    def post(self, request: Request, **path: Any) -> Response:
        """Run the act, or answer as its first run did."""
        _require_no_parameters(request)
        key = _idempotency_key(request)
        body, read_error = _body(request)

        def act() -> Answer:
            if read_error is not None:
                raise read_error
            given = self.input(data=body)
            given.is_valid(raise_exception=True)
            return self.act(request, given.validated_data, at=at, **path)

        at = now()
        answer = once(
            client=request_actor(request),
            key=key,
            fingerprint=fingerprint("POST", request.get_full_path(), body),
            act=act,
            at=at,
            path=request.path,
            request_id=request_id_of(request._request),
        )
        return _response(answer)

    def act(
        self, request: Request, data: Mapping[str, Any], *, at: datetime, **path: Any
    ) -> Answer:
        """Do what *data* asks, inside one transaction, and return what to answer.

        `answer` makes the answer from a record.
        """
        raise NotImplementedError

    def answer(self, record: Any, *, status: int | None = None) -> Answer:
        """Return *record* as `output` shows it."""
        shown = (self.written or self.output)(record)
        return Answer(status=status or self.success[0], body=shown.data)


def _idempotency_key(request: Request) -> str:
    key: str = request.headers.get("Idempotency-Key", "")
    if not (1 <= len(key) <= 64 and key.isascii() and key.isprintable() and " " not in key):
        raise IdempotencyKeyRequiredError(
            "Send an Idempotency-Key of 1 to 64 visible ASCII characters, a new one for each act."
        )
    return key


def _body(request: Request) -> tuple[JSON | bytes, ParseError | None]:
    if request.content_type and _media_type(request) != JSON_TYPE:
        raise UnsupportedMediaType(request.content_type)
    # Read before REST framework does, or the bytes would be gone when they are not JSON.
    raw: bytes = request._request.body
    if not raw:
        return {}, None
    try:
        return request.data, None
    except ParseError as error:
        return raw, error


def _media_type(request: Request) -> str:
    return request.content_type.partition(";")[0].strip().lower()


def _response(answer: Answer) -> Response:
    response = Response(answer.body, status=answer.status)
    if answer.status not in SUCCESS:
        response.content_type = MEDIA_TYPE
    if answer.replayed:
        response["Idempotent-Replayed"] = "true"
    return response
