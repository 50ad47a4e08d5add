"""The worker seals and examines by itself, again and again, and twice does no harm."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import pytest
from django.utils.timezone import now

from ledger import inspecting, tasks
from ledger.chain import chain_of, unsealed_properties
from ledger.models import Inspection, Seal
from tests.ledger.conftest import AT, DAY, close, house, poster
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.django_db(transaction=True)


def inspections(casino):
    return list(
        Inspection.objects.filter(property=casino).order_by("pk").values_list("kind", "findings")
    )


def test_waiting_entries_of_every_property_are_sealed(post, casino):
    other = house("macau")
    post()
    poster(other)()
    assert unsealed_properties() == [casino.pk, other.pk]
    tasks.seal_entries()
    assert unsealed_properties() == []
    tasks.seal_entries()
    assert sorted(Seal.objects.values_list("property_id", "number", "entries")) == [
        (casino.pk, 1, 1),
        (other.pk, 1, 1),
    ]


def test_work_of_one_run_is_bounded_and_the_next_goes_on(post, casino, monkeypatch):
    monkeypatch.setattr(tasks, "SEALS_AT_ONCE", 2)
    monkeypatch.setattr(tasks, "BATCH", 1)
    for number in range(3):
        post(key=f"{number}")
    tasks.seal_entries()
    assert chain_of(casino.pk).waiting == 1
    tasks.seal_entries()
    assert chain_of(casino.pk).waiting == 0


def test_property_that_waits_for_an_epoch_does_not_hold_up_the_others(post, casino, owner, caplog):
    other = house("macau")
    post()
    tasks.seal_entries()
    tamper(owner, "UPDATE ledger_epoch SET cluster = 1")
    poster(other)()
    with caplog.at_level(logging.ERROR, logger="ledger.tasks"):
        tasks.seal_entries()
    assert [record.message for record in caplog.records] == [
        f"the books of property {casino.pk} were restored from another cluster: "
        "verify them, then begin an epoch"
    ]
    assert chain_of(other.pk).seals == 1


def test_examination_is_due_after_the_close_of_a_day_and_once_a_day(post, casino):
    house("macau")  # it has no books
    at = now()
    assert inspecting.due_properties(at=at) == []
    post()
    assert inspecting.due_properties(at=at) == [casino.pk]
    tasks.examine_property(property_id=casino.pk)
    assert inspecting.due_properties(at=at) == []
    assert inspecting.due_properties(at=now() + timedelta(days=1)) == [casino.pk]
    close(casino, DAY)
    assert inspecting.due_properties(at=at) == [casino.pk]
    tasks.examine_property(property_id=casino.pk)
    assert inspecting.due_properties(at=at) == []


def test_due_examinations_are_woken(post, casino, monkeypatch):
    woken = []
    monkeypatch.setattr(
        tasks, "wake_on_commit", lambda task, **arguments: woken.append((task, arguments))
    )
    post()
    tasks.examine_books()
    assert woken == [("ledger.tasks.examine_property", {"property_id": casino.pk})]


def test_examination_keeps_that_nothing_was_found(post, casino):
    post()
    tasks.seal_entries()
    for _ in range(2):
        tasks.examine_property(property_id=casino.pk)
    assert inspections(casino) == [("verify", []), ("compare", [])] * 2
    latest = Inspection.objects.filter(kind="verify").latest("pk")
    assert (latest.actor, latest.upto_seal) == ("system:inspection", 1)


def test_finding_is_an_error_in_the_log(post, casino, owner, caplog):
    posted = post()
    tasks.seal_entries()
    tamper(
        owner,
        "UPDATE ledger_entry SET memo = 'x'",
        "UPDATE ledger_balance SET debit = debit + 1 WHERE debit > 0",
    )
    with caplog.at_level(logging.ERROR, logger="ledger.inspecting"):
        tasks.examine_property(property_id=casino.pk)
    verified, compared = (record.message for record in caplog.records)
    assert verified == (
        f"the books of property {casino.pk}: entry {posted.id} (ent_{posted.public_id}):"
        " its head was changed after it was sealed in seal 1"
    )
    assert compared.startswith(f"the books of property {casino.pk}: balance 1120/")


def test_second_examination_at_the_same_time_does_nothing(post, casino, connect):
    post()
    other = connect()
    other.execute("SELECT pg_advisory_xact_lock(7604, hashint8(%s))", [casino.pk])
    tasks.examine_property(property_id=casino.pk)
    assert inspections(casino) == []
    other.rollback()
    tasks.examine_property(property_id=casino.pk)
    assert len(inspections(casino)) == 2


def test_entries_that_wait_are_counted_since_the_oldest(post, casino, connect):
    post(key="sealed")
    tasks.seal_entries()
    post(key="free")
    older = connect()
    older.execute("SELECT pg_current_xact_id()")
    post(key="held back")
    chain = chain_of(casino.pk)
    assert (chain.head, chain.waiting, chain.is_foreign) == (1, 2, False)
    assert isinstance(chain.sealed_at, datetime)
    assert chain.waiting_since == chain.sealable_since
    assert chain.waiting_since > AT
