"""Who verifies the books says what it read, keeps what it found, and needs no right to write.

What is found of each kind of tampering: test_tampering.py. Source: ledger.md 1.6; ADR 25.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from casino.staff.models import AuditRow, Employee
from casino.staff.roles import Role
from ledger.models import Entry, Epoch, Inspection, Seal
from ledger.services.sealing import seal_next
from ledger.verify import verify
from tests.ledger.conftest import AT, NEXT_DAY, books, house, poster
from tests.ledger.tampering import restore_elsewhere, tamper

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sealed(post, casino):
    """Return a property with three entries under two seals, and one that waits."""
    for number in range(3):
        post(key=f"{number}")
    while seal_next(property_id=casino.pk, at=AT, at_most=2):
        pass
    post(key="waits")
    return casino


def head(number):
    return bytes(Seal.objects.get(number=number).hash)


def run(*arguments):
    """Return what the command writes, what it says is wrong, and how it is refused."""
    output, errors = StringIO(), StringIO()
    try:
        call_command("ledger_verify", *arguments, stdout=output, stderr=errors)
    except CommandError as error:
        return output.getvalue(), errors.getvalue(), str(error)
    return output.getvalue(), errors.getvalue(), None


def test_verification_says_how_much_it_read(sealed):
    before = books()
    verification = verify(property_id=sealed.pk, at=AT)
    assert (verification.seals, verification.entries, verification.unsealed) == (2, 3, 1)
    assert (verification.head, verification.head_hash) == (2, head(2))
    assert verification.findings == ()
    assert books() == before


def test_books_without_entries_verify(casino):
    verification = verify(property_id=casino.pk, at=AT)
    assert (verification.findings, verification.seals, verification.head) == ((), 0, 0)
    assert verification.head_hash == b""


def test_every_seal_is_read_however_many_there_are(post, casino, owner, monkeypatch):
    monkeypatch.setattr("ledger.verify.SLICE", 2)
    ids = [post(key=f"{number}").id for number in range(5)]
    while seal_next(property_id=casino.pk, at=AT, at_most=1):
        pass
    assert verify(property_id=casino.pk, at=AT).findings == ()
    tamper(owner, "UPDATE ledger_seal SET hash = sha256('x') WHERE number = 2")
    changed = "seal 2: its hash, or what it lists, was changed"
    assert verify(property_id=casino.pk, at=AT).findings == (changed,)  # seal 3 is not to blame
    tamper(
        owner,
        "UPDATE ledger_seal SET prev_hash = sha256('y') WHERE number = 5",
        "UPDATE ledger_entry SET memo = 'x' WHERE id = %(id)s",
        id=ids[2],
    )
    (_, entry, follows) = verify(property_id=casino.pk, at=AT).findings
    assert entry.endswith("its head was changed after it was sealed in seal 3")
    assert follows == "seal 5: it does not follow seal 4"


def test_entry_that_could_be_sealed_and_is_not_is_told_after_an_hour(sealed):
    at = datetime.now(UTC)
    assert verify(property_id=sealed.pk, at=at).findings == ()
    (finding,) = verify(property_id=sealed.pk, at=at + timedelta(hours=1, minutes=1)).findings
    assert finding.startswith("entries wait for a seal since ")


def test_entry_that_is_held_back_is_no_finding(sealed, connect):
    older = connect()
    older.execute("SELECT pg_current_xact_id()")
    poster(sealed)(key="held back")
    seal_next(property_id=sealed.pk, at=AT)
    verification = verify(property_id=sealed.pk, at=datetime.now(UTC) + timedelta(days=1))
    assert (verification.unsealed, verification.findings) == (1, ())


def test_sandbox_tells_of_other_times(db):
    played = house("demo", is_sandbox=True)
    poster(played)()
    assert verify(property_id=played.pk, at=AT + timedelta(days=9)).findings == ()


def test_command_tells_the_head_so_that_it_can_be_kept_elsewhere(sealed):
    assert run("golden-gate") == (
        f"golden-gate: 3 entries under 2 seals, 1 wait\nhead 2:{head(2).hex()}\n",
        "",
        None,
    )
    assert (
        run("golden-gate", "--head", f"2:{head(2).hex()}", f"--head=1:{head(1).hex()}")[2] is None
    )
    kept = Inspection.objects.latest("pk")
    assert (kept.kind, kept.actor, kept.upto_seal, kept.findings) == (
        "verify",
        "system:operator",
        2,
        [],
    )


def test_command_fails_on_a_finding_and_keeps_it(sealed):
    other = "00" * 32
    output, errors, refusal = run("golden-gate", "--head", f"2:{other}", "--head", f"7:{other}")
    sentences = [
        "seal 2: it has another hash than the head kept elsewhere",
        "seal 7: a head that was kept elsewhere, and the chain ends at 2: "
        "its newest seals were cut off",
    ]
    assert errors.splitlines() == [f"wrong: golden-gate: {each}" for each in sentences]
    assert refusal == "2 findings"
    assert output.startswith("golden-gate: 3 entries")
    assert Inspection.objects.latest("pk").findings == sentences


def test_command_verifies_every_property(sealed, owner):
    other = house("macau")
    posted = poster(other)()
    seal_next(property_id=other.pk, at=AT)
    tamper(owner, "UPDATE ledger_entry SET memo = 'x' WHERE id = %(id)s", id=posted.id)
    output, errors, refusal = run("--all")
    assert [line.split(":")[0] for line in output.splitlines()] == [
        "golden-gate",
        "head 2",
        "macau",
        "head 1",
    ]
    assert errors.startswith("wrong: macau: entry ")
    assert refusal == "1 findings"


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        ([], "property: name one, or say --all"),
        (["golden-gate", "--all"], "property: name one, or say --all"),
        (["--all", "--head", f"1:{'00' * 32}"], "--head: it is of one property"),
        (["--all", "--begin-epoch", "--reason", "x"], "--begin-epoch: it is of one property"),
        (["golden-gate", "--begin-epoch"], "--reason: say why an epoch begins"),
        (["nowhere"], "property: there is no property 'nowhere'"),
        (["golden-gate", "--by", "AU-9"], "--by: nobody works at golden-gate as 'AU-9'"),
        *(
            (
                ["golden-gate", "--head", text],
                f"--head: {text!r} is none; write the seal's number, a colon and 64 hex digits",
            )
            for text in ("1", "1:00", f"0:{'00' * 32}", f"x:{'00' * 32}", f"1:{'zz' * 32}")
        ),
    ],
)
def test_command_line_that_makes_no_sense_is_refused(sealed, arguments, refusal):
    assert run(*arguments) == ("", "", refusal)
    assert not Inspection.objects.exists()


def test_command_begins_no_epoch_where_nothing_was_restored(sealed):
    before = books()
    assert run("golden-gate", "--begin-epoch", "--reason", "to be safe") == (
        "",
        "",
        f"the books of property {sealed.pk} are of this cluster: nothing was restored, "
        "and no epoch begins",
    )
    assert books() == before
    assert not AuditRow.objects.filter(action="ledger.epoch_begun").exists()


def test_command_begins_an_epoch_in_the_name_of_who_says_so(sealed, owner):
    administrator = Employee.objects.create_employee(
        property=sealed, number="AD-1", name="Jonas Weber", roles=[Role.ADMIN]
    )
    restore_elsewhere(owner, Entry.objects.get(keys__key="waits").pk)
    reason = "restored on a new server"
    output, errors, refusal = run(
        "golden-gate", "--begin-epoch", "--reason", reason, "--by", administrator.number
    )
    assert (errors, refusal) == ("", None)
    assert output.splitlines()[:2] == [
        "golden-gate: began epoch 2",
        "golden-gate: 4 entries under 3 seals, 0 wait",
    ]
    epoch = Epoch.objects.get(epoch=2)
    actor = f"employee:{administrator.pk}"
    assert (epoch.begun_by, epoch.reason) == (actor, reason)
    row = AuditRow.objects.get(action="ledger.epoch_begun")
    assert (row.actor, row.subject, row.reason) == (actor, "epoch:2", reason)
    assert verify(property_id=sealed.pk, at=AT).unsealed == 0

    poster(sealed)(key="in the new epoch", gaming_day=NEXT_DAY)
    seal_next(property_id=sealed.pk, at=AT)
    verification = verify(property_id=sealed.pk, at=AT)
    assert (verification.findings, verification.entries) == ((), 5)
