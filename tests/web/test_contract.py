"""Every operation keeps what the published description says, whatever it is sent.

The description is the one that the running application publishes, so an operation is tried from
the day it is published: no 5xx, and no status, type, header or shape that it does not name.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from casino.events.models import OutboxEvent
from casino.events.tasks import relay
from casino.wsgi import application
from tables.demo.loading import load
from tests.programs import Program

AT = datetime(2026, 3, 14, 21, 22, 5, tzinfo=UTC)
DESCRIBED = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", application)
OPERATIONS = [found.ok() for found in DESCRIBED.get_all_operations()]
LISTS = {
    operation.path: operation
    for operation in OPERATIONS
    if operation.method.upper() == "GET" and "{" not in operation.path
}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]


@pytest.fixture
def token(transactional_db: None, settings: Any) -> dict[str, str]:
    """Return the header of a program with every scope, at a property where rounds were played."""
    # Every operation is asked faster than any client may; `test_rates` tries the rate itself.
    settings.API_RATE_PER_SECOND = settings.API_RATE_BURST = 1_000_000
    casino = load(at=AT, rounds=4)
    while OutboxEvent.objects.filter(sequence=None).exists():
        relay()
    program = Program(scopes=list(settings.OAUTH2_PROVIDER["SCOPES"]), property_id=casino.pk)
    return {"Authorization": f"Bearer {program.token}"}


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_every_operation_answers_as_described(mode, token, subtests):
    for operation in OPERATIONS:
        # Where nothing but identifiers can be sent, no value is of the wrong type.
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
            continue
        with subtests.test(operation.label):
            _try_examples(operation, mode, token)


def _try_examples(operation: Any, mode: GenerationMode, token: dict[str, str]) -> None:
    # The same examples in every run: what one machine finds, another finds again.
    @examples(
        max_examples=12,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def answers_as_described(case: Any) -> None:
        case.validate_response(case.call(headers=token), checks=CHECKS)

    answers_as_described()


def test_every_read_answers_real_records_as_described(token, subtests):
    """What ends in an id is tried with the ids that the list above it shows."""
    for operation in OPERATIONS:
        if operation.method.upper() == "GET":
            with subtests.test(operation.label):
                _try_real_records(operation, token)


def _try_real_records(operation: Any, token: dict[str, str]) -> None:
    statuses = []
    for path in _real_paths(operation, token):
        case = operation.Case(path_parameters=path)
        response = case.call(headers=token)
        case.validate_response(response, checks=CHECKS)
        statuses.append(response.status_code)
    # What a list shows is there; what hangs below it (totals) may not be there yet.
    whole = operation.path.endswith("}") or "{" not in operation.path
    assert set(statuses) <= ({200} if whole else {200, 404})


def _real_paths(operation: Any, token: dict[str, str]) -> list[dict[str, str]]:
    before, opening, rest = operation.path.partition("/{")
    if not opening:
        return [{}]
    if before not in LISTS:
        return []
    rows = LISTS[before].Case().call(headers=token).json()["data"]
    assert rows, f"the property shows nothing under {before}"
    return [{rest.partition("}")[0]: row["id"]} for row in rows[:5] if "id" in row]
