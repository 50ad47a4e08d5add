"""`Request-Id` comes back as it was sent, or as a new one."""

from __future__ import annotations

import pytest
import structlog

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("sent", ["a", "cage-77", "!~" * 32])
def test_visible_id_is_echoed(client, sent):
    assert client.get("/healthz", headers={"Request-Id": sent})["Request-Id"] == sent


@pytest.mark.parametrize("sent", ["", "x" * 65, "two words", "\u00e9", "a\tb"])
def test_other_ids_are_replaced(client, sent):
    first = client.get("/healthz", headers={"Request-Id": sent})["Request-Id"]
    second = client.get("/healthz", headers={"Request-Id": sent})["Request-Id"]
    assert first.startswith("req_")
    assert sent not in {first, second}
    assert first != second


async def _get(async_client):
    return await async_client.get("/healthz", headers={"Request-Id": "cage-77"})


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_id_is_echoed_under_asgi(async_client):
    assert (await _get(async_client))["Request-Id"] == "cage-77"


def test_log_lines_of_a_request_carry_its_id(client):
    with structlog.testing.capture_logs(
        processors=[structlog.contextvars.merge_contextvars]
    ) as lines:
        client.get("/healthz", headers={"Request-Id": "cage-77"})
    assert {line["request_id"] for line in lines} == {"cage-77"}
