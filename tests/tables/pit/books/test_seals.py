"""The seals say in one sentence how far the books are fixed, and what was found when."""

from __future__ import annotations

from datetime import timedelta

import pytest

from casino.staff.models import Employee
from ledger.inspecting import compare_books, verify_books
from ledger.models import Epoch, Inspection, Period, Seal
from ledger.services.days import close_day
from ledger.services.inspections import note_inspection
from ledger.services.sealing import begin_epoch, seal_next
from tests import factories
from tests.ledger.tampering import restore_elsewhere
from tests.tables.pit.conftest import read

from .conftest import DAY, poster, rows_of

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "/pit/books/seals/"
AT = factories.NOON


@pytest.fixture
def auditor(casino):
    return f"employee:{Employee.objects.get(number='AU-002').pk}"


@pytest.fixture
def seal(casino):
    """Return a function that seals all that waits and returns the newest seal."""

    def sealed(at=AT) -> Seal:
        while seal_next(property_id=casino.pk, at=at):
            pass
        return Seal.objects.filter(property_id=casino.pk).latest("number")

    return sealed


def test_books_without_a_seal_say_so(pit_boss, post):
    post()
    text = read(pit_boss.get(ADDRESS))
    assert "nothing is sealed yet No entry is sealed yet. 2 entries wait for a seal, the first" in (
        text
    )
    assert text.count("never done") == 3
    assert "No gaming day is closed yet." in text


def test_sealed_and_verified_books_say_how_far(pit_boss, casino, post, seal, auditor):
    last = post()
    newest = seal()
    text = read(pit_boss.get(ADDRESS))
    assert f"Everything up to entry {last.id} is sealed; it was never checked." in text
    assert "never checked Everything" in text
    verify_books(property_id=casino.pk, actor=auditor, at=AT + timedelta(minutes=5))
    compare_books(property_id=casino.pk, actor=auditor, at=AT + timedelta(minutes=6))
    text = read(pit_boss.get(ADDRESS))
    assert (
        f"nothing was found Everything up to entry {last.id} is sealed; last checked "
        "2026-03-14 12:05:00 PDT; nothing was found. No entry waits for a seal."
    ) in text
    assert (
        f"Number {newest.number} Sealed 2026-03-14 12:00:00 PDT Entries in it {newest.entries} "
        f"Epoch 1 Hash {bytes(newest.hash).hex()} "
        f"Hash of the seal before {bytes(newest.prev_hash).hex()}"
    ) in text
    assert (
        "Seals verified nothing was found 2026-03-14 12:05:00 PDT by Leila Karimi AU-002 : every "
        f"seal was computed again from its entries, up to seal {newest.number}."
    ) in text
    assert "Balances compared nothing was found 2026-03-14 12:06:00 PDT" in text


def test_what_waits_is_counted_since_its_first(pit_boss, post, seal):
    post()
    sealed = seal()
    waiting = post(at=AT + timedelta(hours=1))
    text = read(pit_boss.get(ADDRESS))
    assert f"Everything up to entry {max(sealed.entry_ids)} is sealed" in text
    assert "One entry waits for a seal, since 2026-03-14 13:00:00 PDT." in text
    post(at=AT + timedelta(hours=2))
    assert "2 entries wait for a seal, the first since 2026-03-14 13:00:00 PDT." in read(
        pit_boss.get(ADDRESS)
    )
    assert "Seal none yet: it waits for the next one" in read(
        pit_boss.get(f"/pit/entries/{waiting.id}/")
    )
    newest = seal()
    assert f"Seal {newest.number} " in read(pit_boss.get(f"/pit/entries/{waiting.id}/"))


def test_a_finding_stands_in_words(pit_boss, casino, post, seal, auditor):
    post()
    seal()
    note_inspection(
        property_id=casino.pk,
        kind=Inspection.Kind.VERIFY,
        findings=["seal 1: the head of entry 2 was changed", "seal 1 <b>was</b> cut"],
        actor=auditor,
        at=AT,
        upto_seal=1,
    )
    page = pit_boss.get(ADDRESS)
    text = read(page)
    assert "something was found Everything up to entry" in text
    assert "last checked 2026-03-14 12:00:00 PDT, and something was found that must not be." in text
    assert "Seals verified 2 findings" in text
    assert "seal 1: the head of entry 2 was changed" in text
    assert "&lt;b&gt;was&lt;/b&gt;" in page.text
    assert "nothing was found" not in text


def test_an_examination_of_the_whole_database_counts(pit_boss, post, auditor):
    note_inspection(
        property_id=None, kind=Inspection.Kind.DOCTOR, findings=[], actor=auditor, at=AT
    )
    assert "Guards examined nothing was found 2026-03-14 12:00:00 PDT" in read(
        pit_boss.get(ADDRESS)
    )


def test_what_any_examination_found_stands_in_the_sentence(pit_boss, casino, post, seal, auditor):
    post()
    seal()
    verify_books(property_id=casino.pk, actor=auditor, at=AT)
    for kind in (Inspection.Kind.COMPARE, Inspection.Kind.DOCTOR):
        note_inspection(
            property_id=casino.pk, kind=kind, findings=["a guard is off"], actor=auditor, at=AT
        )
        text = read(pit_boss.get(ADDRESS))
        assert "something was found Everything up to entry" in text
        assert "last checked 2026-03-14 12:00:00 PDT, and something was found that" in text
        note_inspection(property_id=casino.pk, kind=kind, findings=[], actor=auditor, at=AT)
        assert "PDT; nothing was found. No entry waits" in read(pit_boss.get(ADDRESS))


def test_a_closed_day_keeps_the_head_of_the_chain(pit_boss, casino, post, seal, auditor):
    post()
    newest = seal()
    for day in (DAY - timedelta(days=1), DAY):
        close_day(
            property_id=casino.pk,
            gaming_day=day,
            actor=f"employee:{Employee.objects.get(number='PB-004').pk}",
            approver=auditor,
            at=AT,
        )
    period = Period.objects.get(property_id=casino.pk, gaming_day=DAY, shift="")
    page = pit_boss.get(ADDRESS)
    assert rows_of(page)[0] == (
        "2026-03-14",
        str(newest.number),
        f"seal {bytes(newest.hash).hex()} report {bytes(period.report_hash).hex()}",
        "Daniel Reyes PB-004",
        "Leila Karimi AU-002",
    )
    assert 'href="/pit/books/trial-balance/?day=2026-03-14"' in page.text


@pytest.fixture
def restored(post, seal, owner):
    """Leave an entry that waits, of another cluster, behind one that is sealed."""
    post()
    seal()
    restore_elsewhere(owner, post().id)


def test_each_epoch_says_why_it_began(pit_boss, casino, restored, auditor):
    begin_epoch(property_id=casino.pk, actor=auditor, reason="Moved to a new server.", at=AT)
    rows = rows_of(pit_boss.get(ADDRESS))
    epoch = Epoch.objects.get(property_id=casino.pk, epoch=2)
    assert rows[-2] == (
        "2",
        "2026-03-14 12:00:00 PDT",
        "Leila Karimi AU-002",
        str(epoch.after_entry_id),
        "Moved to a new server.",
    )
    assert rows[-1][0] == "1"


def test_another_propertys_seals_are_not_shown(pit_boss, macau, casino):
    poster(macau)()
    while seal_next(property_id=macau.pk, at=AT):
        pass
    note_inspection(
        property_id=macau.pk, kind=Inspection.Kind.VERIFY, findings=["theirs"], actor="x:1", at=AT
    )
    text = read(pit_boss.get(ADDRESS))
    assert "No entry is sealed yet. One entry waits for a seal" in text
    assert "theirs" not in text
