"""What breaks between the service and the database breaks no book: nothing is lost or doubled.

Source: ledger.md 1.10 and 4.6.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from functools import partial
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from casino.local.places import PROJECT, Places
from ledger.doctor import BOOKS, answers
from ledger.errors import DayClosedError, InsufficientFundsError, KeyReusedError
from ledger.models import Entry, Period, Slip
from ledger.selectors import balance
from ledger.services.batches import post_entries
from ledger.services.days import open_day
from ledger.services.posting import PostedEntry
from ledger.services.reversal import reverse_entry
from ledger.services.slips import draw_slip
from tests.ledger.conftest import (
    AT,
    DAY,
    NEXT_DAY,
    PIT_BOSS,
    books,
    close,
    draft,
    house,
    legs,
    poster,
)
from tests.ledger.wire import Wire
from tests.local.conftest import open_folder, places, started
from tests.local.waiting import wait_for

__all__ = ["open_folder", "places", "started"]  # fixtures of the real servers

pytestmark = pytest.mark.django_db(transaction=True)

POST = b"ledger_post("
WAITING = (
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ledger_%'"
)


@pytest.fixture(autouse=True)
def _books_add_up_afterwards(transactional_db):
    yield
    assert list(answers(BOOKS)) == []


@pytest.fixture
def wire(post, monkeypatch):
    """Return a wire through which Django's connection goes from now on; one entry stands."""
    post(key="standing")
    parameters = connection.get_connection_params()
    with Wire(parameters["host"], str(parameters.get("port", ""))) as opened:
        connection.close()
        monkeypatch.setitem(connection.settings_dict, "HOST", str(opened.folder))
        yield opened
        monkeypatch.undo()
        connection.close()
    assert opened.cuts == 1


def reverse(entry_id, **other):
    usual = {
        "property_id": Entry.objects.get(pk=entry_id).property_id,
        "key": "voided",
        "actor": "employee:12",
        "approver": PIT_BOSS,
        "at": AT,
        "gaming_day": DAY,
        "reason": "misdeal",
    }
    return reverse_entry(entry_id=entry_id, **(usual | other))


# --- the wire


def test_answer_that_is_lost_is_asked_for_again(wire, post, casino):
    wire.lose_answer(POST)
    posted = post()
    assert posted.replayed  # the first try had committed
    assert Entry.objects.count() == 2
    assert balance(casino.pk, "1120/table:3") == 1000


def test_question_that_is_lost_is_asked_again(wire, post, casino):
    wire.lose(POST)
    assert not post().replayed
    assert Entry.objects.count() == 2
    assert balance(casino.pk, "1120/table:3") == 1000


def test_answer_to_a_batch_that_is_lost_is_asked_for_again(wire, casino):
    wire.lose_answer(b"ledger_post_many(")
    whole = [draft(key=f"key:{number}") for number in range(3)]
    posted = post_entries(property_id=casino.pk, entries=whole)
    assert [each.replayed for each in posted] == [True] * 3
    assert balance(casino.pk, "1120/table:3") == 4 * 500


def test_answer_to_a_reversal_that_is_lost_is_asked_for_again(wire, casino):
    wire.lose_answer(b"ledger_reverse(")
    standing = Entry.objects.get()
    assert reverse(standing.id).replayed
    assert balance(casino.pk, "1120/table:3") == 0


def test_answer_to_the_close_that_is_lost_leaves_the_day_closed_once(wire, casino):
    wire.lose_answer(b"ledger_close_day(")
    assert not close(casino)  # it had been closed before this one asked
    assert Period.objects.get(gaming_day=DAY).closed_by == PIT_BOSS


def test_answer_to_a_commit_that_is_lost_rises_and_the_key_tells_what_became_of_it(wire, post):
    wire.lose_answer(b"COMMIT")
    with pytest.raises(OperationalError), transaction.atomic():
        post()
    connection.close()
    assert Entry.objects.count() == 2
    assert post().replayed


def test_commit_that_is_lost_left_nothing(wire, post):
    wire.lose(b"COMMIT")
    with pytest.raises(OperationalError), transaction.atomic():
        post()
    connection.close()
    assert Entry.objects.count() == 1
    assert not post().replayed


def test_slip_whose_commit_was_not_answered_keeps_its_number(wire, casino):
    def prepare(document):
        with transaction.atomic():
            return draw_slip(
                property_id=casino.pk,
                series="fill_slip",
                document=document,
                actor="employee:7",
                at=AT,
            )

    wire.lose_answer(b"COMMIT")
    with pytest.raises(OperationalError):
        prepare("fill:1")
    connection.close()
    assert (prepare("fill:1"), prepare("fill:2")) == (1, 2)
    assert Slip.objects.count() == 2


def test_poster_whose_session_was_ended_while_it_waited_asks_again(post, together, owner):
    post(key="standing")
    inside, ended = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            post(key="held")
            inside.set()
            assert ended.wait(timeout=60)

    def follow():
        assert inside.wait(timeout=60)
        return post(key="waited")

    def end():
        assert wait_for(lambda: owner.execute(WAITING).fetchone() is not None)
        for (pid,) in owner.execute(WAITING).fetchall():
            assert owner.execute("SELECT pg_terminate_backend(%s)", [pid]).fetchone() == (True,)
        assert wait_for(lambda: owner.execute(WAITING).fetchone() is not None)  # it asks again
        ended.set()

    held, waited, _ = together(hold, follow, end)

    assert held is None
    assert isinstance(waited, PostedEntry)
    assert not waited.replayed
    assert Entry.objects.count() == 3


# --- the session


def test_books_do_not_depend_on_how_a_session_writes_dates_and_numbers(owner):
    """Two properties live the same day, one of them in another session's settings."""
    plain, foreign = house("plain"), house("foreign")
    play(plain)
    with connection.cursor() as cursor:
        for setting in (
            "DateStyle = 'German, DMY'",
            "IntervalStyle = 'iso_8601'",
            "TimeZone = 'Asia/Kolkata'",
            "extra_float_digits = -3",
            "bytea_output = 'escape'",
            "lc_numeric = 'C'",
        ):
            cursor.execute(f"SET {setting}")
    try:
        play(foreign)
        with pytest.raises(DayClosedError) as refused:
            poster(foreign)(key="after")
        assert refused.value.gaming_day == DAY
        told = {each.pk: traces(owner, each) for each in (plain, foreign)}
    finally:
        connection.close()
    assert told[plain.pk] == told[foreign.pk]
    assert "2026-03-14" in str(told[plain.pk])


def play(casino):
    post = poster(casino)
    post(shift="swing")
    post_entries(property_id=casino.pk, entries=[draft(key=f"key:{n}") for n in range(3)])
    close(casino)
    post(key="late", gaming_day=NEXT_DAY, late_day=DAY)


def traces(owner, casino):
    events = owner.execute(
        "SELECT topic, subject_type, payload - 'id' - 'seal_hash', occurred_at, gaming_day,"
        " CASE WHEN topic = 'gaming_day.closed' THEN subject_id || key || (payload ->> 'id') END"
        " FROM events_outbox WHERE property_id = %s ORDER BY id",
        [casino.pk],
    ).fetchall()
    periods = owner.execute(
        "SELECT gaming_day, shift, totals, report_hash, closed_at FROM ledger_period"
        " WHERE property_id = %s ORDER BY 1, 2",
        [casino.pk],
    ).fetchall()
    return events, periods


def test_savepoints_of_a_batch_belong_to_the_transaction_around_them(casino, post):
    with transaction.atomic():
        post(key="a")
        with transaction.atomic():
            post_entries(property_id=casino.pk, entries=[draft(key="b"), draft(key="c")])
        with pytest.raises(KeyReusedError), transaction.atomic():
            post_entries(property_id=casino.pk, entries=[draft(key="d"), draft(key="a", memo="x")])
        with pytest.raises(InsufficientFundsError), transaction.atomic():
            post(key="e", legs=legs(("3000", 5), ("1100", -5)))
        post(key="d")
    assert balance(casino.pk, "1120/table:3") == 4 * 500
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(DISTINCT txid), count(*) FROM ledger_entry")
        assert cursor.fetchone() == (1, 4)


def test_refusal_inside_a_transaction_leaves_what_came_before(casino, post):
    close(casino)
    with transaction.atomic():
        open_day(property_id=casino.pk, gaming_day=NEXT_DAY, actor=PIT_BOSS, at=AT)
        before = books()
        with pytest.raises(DayClosedError), transaction.atomic():
            post()
        assert books() == before
    assert Period.objects.filter(gaming_day=NEXT_DAY).exists()


# --- the server

CLIENTS = ("a", "b", "c")
TURNS = 250
KILLS = 4


@pytest.mark.long
def test_nothing_is_lost_or_doubled_when_the_database_is_killed_under_load(places, started):
    running = started.postgres(places, durable=True)
    environ = {
        **{name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"},
        "DATABASE_URL": places.database_url,
        "DATABASE_OWNER_URL": places.database_owner_url,
        "REDIS_URL": f"unix://{places.state}/nowhere.sock",
        "DB_POOL": "0",
    }
    run = partial(subprocess.run, cwd=PROJECT, env=environ, check=True, capture_output=True)
    run([sys.executable, "manage.py", "migrate", "--verbosity=0"])
    loads = [Load(name, environ, places.state) for name in CLIENTS]
    try:
        for kill in range(1, KILLS + 1):
            told = kill * TURNS // 4
            assert wait_for(
                lambda told=told: all(each.told() > told for each in loads), seconds=120
            )
            if kill % 2:
                os.kill(running.pid, signal.SIGKILL)
                running.process.wait()
                running = started.postgres(places, durable=True)
            else:
                kill_a_session(places)
        for each in loads:
            assert each.process.wait(timeout=300) == 0, each.errors.read_text()
    finally:
        for each in loads:
            each.process.kill()
            each.process.wait()

    acknowledged = [line for each in loads for line in each.lines()]
    keys = {key: int(entry) for key, entry, _ in acknowledged}
    assert len(acknowledged) == len(keys) == len(CLIENTS) * sum(1 + n % 3 for n in range(TURNS))
    with psycopg.connect(places.database_owner_url) as reader:
        assert dict(reader.execute("SELECT key, entry_id FROM ledger_key").fetchall()) == keys
        entries = reader.execute("SELECT id FROM ledger_entry").fetchall()
        assert Counter(entries) == Counter((entry,) for entry in keys.values())
    checked = run([sys.executable, "-m", "tests.ledger.load", "verify"], text=True).stdout
    assert checked.splitlines() == [f"sealed {len(keys)} 0", "sum 0"]


class Load:
    """A process that posts, and what it has told."""

    def __init__(self, name: str, environ: dict[str, str], folder: Path) -> None:
        self.output, self.errors = folder / f"load-{name}.out", folder / f"load-{name}.err"
        with self.output.open("wb") as output, self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.ledger.load", "post", name, str(TURNS)],
                cwd=PROJECT,
                env=environ,
                stdout=output,
                stderr=errors,
            )

    def told(self) -> int:
        return self.output.read_bytes().count(b"\n")

    def lines(self) -> list[list[str]]:
        return [line.split() for line in self.output.read_text().splitlines()]


def kill_a_session(places: Places) -> None:
    """Kill one session that posts; PostgreSQL then ends them all and recovers by itself."""

    def posting() -> list[tuple[int]]:
        with psycopg.connect(places.database_owner_url) as reader:
            return reader.execute(
                "SELECT pid FROM pg_stat_activity WHERE usename = 'baize_app'"
            ).fetchall()

    assert wait_for(lambda: bool(posting()))
    os.kill(posting()[0][0], signal.SIGKILL)
