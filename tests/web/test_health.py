"""A load balancer is told what this process can do."""

from __future__ import annotations

import pytest
from django.db import connection


@pytest.mark.django_db
def test_everything_up(client):
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"database": "up", "redis": "up"})


@pytest.mark.django_db
def test_lost_redis_is_told_and_costs_no_service(client, dead_redis):
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"database": "up", "redis": "down"})


@pytest.mark.django_db(transaction=True)
def test_lost_database_takes_the_process_out_of_service(client, monkeypatch):
    connection.close()
    monkeypatch.setitem(connection.settings_dict, "NAME", "no_such_database")
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, {"database": "down", "redis": "up"})
    monkeypatch.undo()
    connection.close()
