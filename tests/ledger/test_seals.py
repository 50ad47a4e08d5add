"""What has committed comes under a seal, once, in its order; what has not, waits.

Source: ledger.md 1.6, 1.10; ADR 25.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta

import psycopg
import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TransactionTestCase

from casino.events.models import OutboxEvent
from casino.events.services import number_events
from ledger.errors import (
    EpochError,
    InvalidEntryError,
    NotRestoredError,
    UnknownPropertyError,
)
from ledger.models import Epoch, Period, Seal
from ledger.services.sealing import begin_epoch, seal_next
from ledger.verify import verify
from tests.ledger.conftest import AT, DAY, NEXT_DAY, books, close, house, legs, poster
from tests.ledger.tampering import restore_elsewhere

pytestmark = pytest.mark.django_db(transaction=True)


def seal(casino, at_most=1_000):
    """Seal once and return how many entries."""
    return seal_next(property_id=casino.pk, at=AT, at_most=at_most)


def seal_all(casino, at_most=1_000):
    while seal(casino, at_most):
        pass


def listed(casino):
    """Return the entries of each seal, in their order."""
    seals = Seal.objects.filter(property_id=casino.pk).order_by("number")
    return [list(each.entry_ids) for each in seals]


def held_open(opened):
    """Let a connection hold a transaction that has a number."""
    opened.execute("SELECT pg_current_xact_id()")


def test_entries_are_sealed_in_the_order_of_their_transactions(post, casino):
    ids = [post(key=f"{number}").id for number in range(5)]
    assert [seal(casino, 2) for _ in range(4)] == [2, 2, 1, 0]
    assert listed(casino) == [ids[:2], ids[2:4], ids[4:]]
    first, second, third = Seal.objects.filter(property_id=casino.pk).order_by("number")
    assert [bytes(each.prev_hash) for each in (first, second, third)] == [
        bytes(32),
        bytes(first.hash),
        bytes(second.hash),
    ]
    assert first.sealed_at == AT


def test_first_seal_begins_the_first_epoch(post, casino):
    assert seal(casino) == 0
    assert not Epoch.objects.exists()
    post()
    seal(casino)
    (epoch,) = Epoch.objects.all()
    assert (epoch.epoch, epoch.after_entry_id, epoch.begun_by) == (1, 0, "system:seal")


def test_transaction_is_never_cut_in_two(post, casino):
    with transaction.atomic():
        ids = [post(key=f"{number}").id for number in range(3)]
    assert seal(casino, at_most=1) == 3
    assert listed(casino) == [ids]


def in_the_feed(casino):
    """Return the events of the feed: (number, topic, subject)."""
    events = OutboxEvent.objects.filter(property_id=casino.pk, sequence__isnull=False)
    return list(events.order_by("sequence").values_list("sequence", "topic", "subject_id"))


def test_entry_is_told_with_its_number_when_it_is_sealed(post, casino):
    first = post(table="table:3", session="session:7")
    assert not OutboxEvent.objects.exists()
    seal(casino)
    (event,) = OutboxEvent.objects.all()
    name = f"ent_{first.public_id}"
    assert (event.property_id, event.topic, event.version) == (casino.pk, "ledger.entry_posted", 1)
    assert (event.subject_type, event.subject_id) == ("ledger_entry", name)
    assert (event.occurred_at, event.gaming_day, event.sequence) == (AT, DAY, 1)
    assert event.payload == {
        "id": name,
        "kind": "round_settled",
        "source": "round:812",
        "table": "table:3",
        "session": "session:7",
        "legs": 2,
    }
    assert seal(casino) == 0
    assert len(in_the_feed(casino)) == 1


def test_numbers_of_the_feed_have_no_gap_whoever_numbers(post, casino):
    names = [f"ent_{post(key=f'{number}').public_id}" for number in range(2)]
    seal(casino)
    close(casino)
    assert number_events(casino.pk) == 1
    names.append(f"ent_{post(key='next', gaming_day=NEXT_DAY).public_id}")
    seal(casino)
    assert in_the_feed(casino) == [
        (1, "ledger.entry_posted", names[0]),
        (2, "ledger.entry_posted", names[1]),
        (3, "gaming_day.closed", str(DAY)),
        (4, "ledger.entry_posted", names[2]),
    ]


def test_seal_and_relay_at_one_moment_number_one_after_the_other(post, casino, connect):
    post(key="1")
    close(casino)
    post(key="2", gaming_day=NEXT_DAY)
    relay = connect()
    assert relay.execute("SELECT events_number(%s, 10)", [casino.pk]).fetchone() == (1,)
    with ThreadPoolExecutor(max_workers=1) as threads:
        sealing = threads.submit(sealed_elsewhere, casino)
        waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        watcher = connect(autocommit=True)
        while not watcher.execute(waits).fetchone()[0]:
            assert not sealing.done()
        relay.commit()
        assert sealing.result(timeout=30) == 1
    topics = [(number, topic) for number, topic, _subject in in_the_feed(casino)]
    assert topics == [
        (1, "ledger.entry_posted"),
        (2, "gaming_day.closed"),
        (3, "ledger.entry_posted"),
    ]


def sealed_elsewhere(casino):
    try:
        return seal(casino)
    finally:
        connection.close()


def test_entry_that_was_told_before_is_not_told_again(post, casino, owner):
    """As those were that were posted before seals stood."""
    first = post(key="1")
    second = post(key="2")
    owner.execute(
        "INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key,"
        " payload, occurred_at, gaming_day) VALUES (%s, 'ledger.entry_posted', 'ledger_entry',"
        " %s, 1, %s, '{}', now(), '2026-03-14')",
        [casino.pk, f"ent_{first.public_id}", f"ledger.entry_posted:{first.public_id}"],
    )
    assert number_events(casino.pk) == 1
    assert seal(casino) == 2
    assert in_the_feed(casino) == [
        (1, "ledger.entry_posted", f"ent_{first.public_id}"),
        (2, "ledger.entry_posted", f"ent_{second.public_id}"),
    ]


def test_each_property_has_a_chain_of_its_own(post, casino):
    other = house("macau")
    ids = post().id, poster(other)().id
    seal(casino)
    seal(other)
    assert (listed(casino), listed(other)) == ([[ids[0]]], [[ids[1]]])


def test_nothing_is_skipped_while_an_older_transaction_is_open(post, casino, connect):
    first = post(key="first").id
    older = connect()
    held_open(older)
    younger = post(key="younger").id
    assert seal(casino) == 1  # what lies before the open one
    assert seal(casino) == 0  # the younger entry waits, however long
    late = older.execute(
        "SELECT entry_id FROM ledger_post(%s, 'late', 'round_settled', 'round:9', 'employee:12',"
        " '', %s, %s, '', '', '', '', NULL, NULL, NULL, NULL, NULL,"
        " ARRAY['1120/table:3', '4010/session:7'], ARRAY[500, -500]::bigint[],"
        " ARRAY['main_wager_lost', 'main_wager_lost'], '{}', '{}', '{}')",
        [casino.pk, AT, DAY],
    ).fetchone()[0]
    assert seal(casino) == 0
    older.commit()
    assert seal(casino) == 2
    # Its number is the highest, its transaction the oldest of the two.
    assert listed(casino) == [[first], [late, younger]]
    assert verify(property_id=casino.pk, at=AT).findings == ()


def test_transaction_that_gave_up_leaves_no_gap(post, casino):
    with transaction.atomic():
        post(key="given up")
        transaction.set_rollback(True)
    posted = post()
    seal(casino)
    assert listed(casino) == [[posted.id]]
    assert verify(property_id=casino.pk, at=AT).findings == ()


def test_two_that_seal_at_once_write_one_chain(post, casino, together):
    ids = [post(key=f"{number}").id for number in range(12)]

    def work():
        seal_all(casino, at_most=2)
        return "done"

    assert together(work, work, work) == ["done"] * 3
    assert [each for under in listed(casino) for each in under] == ids
    assert verify(property_id=casino.pk, at=AT).findings == ()


def test_seal_and_what_it_fixes_are_not_changed_by_its_own_rollback(post, casino):
    post()
    with transaction.atomic():
        assert seal(casino) == 1
        transaction.set_rollback(True)
    assert listed(casino) == []
    assert seal(casino) == 1


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def moment(at) -> int:
    since = at - AT.replace(year=1970, month=1, day=1, hour=0, minute=0)
    return since // timedelta(microseconds=1)


def number(day) -> int | str:
    return (day - date(2000, 1, 1)).days if day else "-"


def told(*texts: str) -> str:
    return ",".join(f"{len(text.encode())},{text}" for text in texts)


def by_hand(owner, seal_number):
    """Return the hash of a seal, computed from its rows outside of the database."""
    (property_id,) = owner.execute("SELECT property_id FROM ledger_seal LIMIT 1").fetchone()
    prev, epoch, first, upto, entries, sealed_at, ids = owner.execute(
        "SELECT prev_hash, epoch, first_txid::text, upto_txid::text, entries, sealed_at, entry_ids"
        " FROM ledger_seal WHERE number = %s",
        [seal_number],
    ).fetchone()
    *counts, kept = owner.execute(
        "SELECT closes, inspections, examinations, kept FROM ledger_seal WHERE number = %s",
        [seal_number],
    ).fetchone()
    kept_so_far = f"{','.join(map(str, counts))},{kept.hex()}"
    after, cluster, is_sandbox, begun_at, begun_by, reason = owner.execute(
        "SELECT after_entry_id, cluster, is_sandbox::text, begun_at, begun_by, reason"
        " FROM ledger_epoch"
        " WHERE epoch = %s",
        [epoch],
    ).fetchone()
    hashed = hashlib.sha256(prev)
    hashed.update(
        digest(
            f"{property_id},{seal_number},{epoch},{first},{upto},{entries},{moment(sealed_at)},"
            f"{kept_so_far},{after},{cluster},{is_sandbox},{moment(begun_at)},"
            f"{told(begun_by, reason)}"
        )
    )
    for account in owner.execute(
        "SELECT id, side, shards, exponent, opened_at, code, currency, type, instrument"
        " FROM ledger_account JOIN ledger_sealed_account ON account_id = id"
        " WHERE seal = %s ORDER BY id",
        [seal_number],
    ).fetchall():
        id_, side, shards, exponent, opened_at, *texts = account
        hashed.update(
            digest(
                f"{id_},{property_id},{side},{shards},{exponent},{moment(opened_at)},{told(*texts)}"
            )
        )
    for entry_id in ids:
        for text in entry_texts(owner, entry_id):
            hashed.update(digest(text))
    return hashed.digest()


def entry_texts(owner, entry_id):
    """Return what is hashed of an entry: its head, its postings, its pieces."""
    numbers = owner.execute(
        "SELECT id, public_id, property_id, gaming_day, effective_at, recorded_at, txid::text,"
        " reverses_id, restates_id, corrects_id, late_day, rate_sold, rate_bought, legs"
        " FROM ledger_entry WHERE id = %s",
        [entry_id],
    ).fetchone()
    id_, public_id, property_id, day, at, recorded_at, txid, *refs, late, sold, bought, count = (
        numbers
    )
    texts = owner.execute(
        "SELECT kind, source, actor, approver, table_ref, session_ref, shift, memo"
        " FROM ledger_entry WHERE id = %s",
        [entry_id],
    ).fetchone()
    (key,) = owner.execute("SELECT key FROM ledger_key WHERE entry_id = %s", [entry_id]).fetchone()
    optional = ["-" if each is None else each for each in (*refs, late, sold, bought)]
    optional[3] = number(late)
    fields = [id_, public_id, property_id, number(day), moment(at), moment(recorded_at), txid]
    yield ",".join(map(str, [*fields, *optional, count, told(*texts), property_id, told(key)]))
    lines = owner.execute(
        "SELECT line, id, property_id, account_id, shard, account_version, amount, balance_after,"
        " gaming_day, currency, event FROM ledger_posting WHERE entry_id = %s ORDER BY line",
        [entry_id],
    ).fetchall()
    yield ";".join(
        ",".join(map(str, [*line[:7], "-" if line[7] is None else line[7], number(line[8])]))
        + f",{told(line[9], line[10])}"
        for line in lines
    )
    pieces = owner.execute(
        "SELECT line, posting_id, ledger_denom.property_id, denomination, pieces FROM ledger_denom"
        " JOIN ledger_posting ON posting_id = ledger_posting.id WHERE entry_id = %s"
        " ORDER BY line, denomination",
        [entry_id],
    ).fetchall()
    yield ";".join(",".join(map(str, each)) for each in pieces)


def test_hash_is_computed_by_hand(post, casino, owner):
    post(key="first", memo="mémo, with; separators: 3:and")
    post(key="second", legs=counted(), kind="fill", source="fill:1")
    seal(casino)
    post(key="third", table="table:3", session="session:7", shift="swing")
    seal(casino)
    assert [by_hand(owner, each) for each in (1, 2)] == [
        bytes(each.hash) for each in Seal.objects.order_by("number")
    ]


def counted():
    """Return legs whose chips are counted."""
    tray, transit = legs(("1120/table:3", 700), ("1130/document:F-41", -700), event="fill_received")
    return [replace(tray, pieces=((100, 2), (500, 1))), replace(transit, pieces=((100, 7),))]


SETTINGS = (
    "SET DateStyle = 'German'",
    "SET TimeZone = 'Asia/Macau'",
    "SET extra_float_digits = -15",
    "SET IntervalStyle = 'sql_standard'",
    "SET bytea_output = 'escape'",
    "SET client_encoding = 'LATIN1'",
    "SET lc_numeric = 'C'",
)


def test_no_setting_of_a_session_changes_a_hash(post, casino, owner, connect):
    post(memo="mémo")
    session = connect(autocommit=True)
    for setting in SETTINGS:
        session.execute(setting)
    session.execute("SELECT ledger_seal_next(%s, 1000, %s)", [casino.pk, AT])
    assert bytes(Seal.objects.get().hash) == by_hand(owner, 1)
    assert verify(property_id=casino.pk, at=AT).findings == ()
    rows = session.execute("SELECT * FROM ledger_verify_seals(%s, 1, 1)", [casino.pk]).fetchall()
    assert rows == []


def test_close_of_a_day_is_anchored_in_a_seal_over_its_entries(post, casino):
    posted = post()
    assert close(casino)
    period = Period.objects.get(shift="")
    (seal_,) = Seal.objects.all()
    assert list(seal_.entry_ids) == [posted.id]
    assert (period.anchor_seal, bytes(period.anchor_hash)) == (seal_.number, bytes(seal_.hash))
    assert verify(property_id=casino.pk, at=AT).findings == ()


def test_close_does_not_wait_for_an_older_transaction(post, casino, connect):
    older = connect()
    held_open(older)
    post()
    assert close(casino)
    assert Period.objects.get(shift="").anchor_seal is None
    older.rollback()
    assert seal(casino) == 1


def forge_cluster(owner):
    """Let the epoch be that of another cluster."""
    owner.execute("ALTER TABLE ledger_epoch DISABLE TRIGGER ledger_epoch_frozen")
    owner.execute("UPDATE ledger_epoch SET cluster = 1")
    owner.execute("ALTER TABLE ledger_epoch ENABLE ALWAYS TRIGGER ledger_epoch_frozen")


def test_books_of_another_cluster_are_not_sealed_before_an_epoch_begins(post, casino, owner):
    post(key="before")
    seal(casino)
    post(key="left over")
    forge_cluster(owner)
    before = books()
    with pytest.raises(EpochError) as refused, transaction.atomic():
        seal(casino)
    assert refused.value.property_id == casino.pk
    assert refused.value.code == "epoch_needed"
    assert books() == before

    assert close(casino)  # the day does not wait for the chain
    epoch = begin_epoch(property_id=casino.pk, actor="employee:9", reason="restored", at=AT)
    after = post(key="after", gaming_day=NEXT_DAY).id
    assert (epoch, seal(casino)) == (2, 1)
    assert list(Seal.objects.order_by("number").values_list("epoch", "entries")) == [
        (1, 1),
        (1, 1),
        (2, 1),
    ]
    assert listed(casino)[-1] == [after]
    assert Epoch.objects.get(epoch=2).reason == "restored"


def test_no_epoch_begins_where_nothing_was_restored(post, casino, connect):
    post(key="sealed")
    seal(casino)
    post(key="waits")
    before = books()
    with pytest.raises(NotRestoredError) as refused, transaction.atomic():
        begin_epoch(property_id=casino.pk, actor="employee:9", reason="to be safe", at=AT)
    assert (refused.value.property_id, refused.value.code) == (casino.pk, "not_restored")
    with pytest.raises(psycopg.Error, match="are of this cluster"):
        connect().execute("SELECT ledger_begin_epoch(%s, 'a', 'b', %s)", [casino.pk, AT])
    assert books() == before


def test_epoch_waits_for_those_who_post_and_seals_what_they_wrote(
    post, casino, connect, together, owner
):
    restore_elsewhere(owner, post(key="first").id)
    poster_ = connect()
    poster_.execute(
        "SELECT ledger_reverse(%s, %s, 'void', 'employee:4', 'employee:5', %s, %s, '', 'mistake')",
        [casino.pk, post(key="second").id, AT, DAY],
    )
    begun = together(
        lambda: begin_epoch(property_id=casino.pk, actor="employee:9", reason="moved", at=AT),
        lambda: commit_when_waited_for(poster_),
    )
    assert begun[0] == 2
    (old,) = listed(casino)
    assert len(old) == 3
    assert seal(casino) == 0


def commit_when_waited_for(opened):
    """Commit once another session waits for a lock of this one."""
    blocked = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation IS NOT NULL"
    while not opened.execute(blocked).fetchone()[0]:
        pass
    opened.commit()


def test_epoch_is_begun_by_somebody_for_a_reason(casino):
    for field in ("actor", "reason"):
        usual = {"actor": "employee:9", "reason": "restored"} | {field: ""}
        with pytest.raises(InvalidEntryError):
            begin_epoch(property_id=casino.pk, at=AT, **usual)
    with pytest.raises(UnknownPropertyError), transaction.atomic():
        begin_epoch(property_id=404, actor="employee:9", reason="restored", at=AT)
    assert not Epoch.objects.exists()


class SealedInAnyPortions(TransactionTestCase):
    @settings(max_examples=15, deadline=None)
    @given(
        amounts=st.lists(st.integers(1, 10**12), min_size=1, max_size=8),
        portion=st.integers(1, 9),
    )
    def test_every_entry_is_under_one_seal_and_verifies(self, amounts, portion):
        casino = house("golden-gate")
        ids = [
            poster(casino)(
                key=f"{nth}", legs=legs(("1120/table:3", amount), ("4010/session:7", -amount))
            ).id
            for nth, amount in enumerate(amounts)
        ]
        seal_all(casino, portion)
        assert [each for under in listed(casino) for each in under] == ids
        verification = verify(property_id=casino.pk, at=AT)
        assert (verification.findings, verification.entries) == ((), len(ids))
        connection.close()
