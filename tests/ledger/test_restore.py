"""A dump that is restored into another cluster goes on in a new epoch, and still proves the old.

Transaction ids are a cluster's own: after a restore they begin anew, far below those in the books.
Source: ledger.md 1.10; ADR 25.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

from casino.local.places import APPLICATION_LOGIN, OWNER_LOGIN, Places
from casino.local.postgres import THROW_AWAY, PostgresServer
from casino.local.programs import find_postgres
from ledger.services.sealing import seal_next
from tests.ledger.conftest import AT, NEXT_DAY, close

pytestmark = pytest.mark.django_db(transaction=True)

BURN = """
DO $$ BEGIN
    FOR each IN 1 .. 20000 LOOP
        PERFORM pg_current_xact_id();
        COMMIT;
    END LOOP;
END $$
"""
"""Puts the counter of the first cluster far above that of a new one."""

POST = """
SELECT entry_id FROM ledger_post(%(property)s, %(key)s, 'round_settled', 'round:9', 'employee:12',
    '', %(at)s, %(day)s, '', '', '', '', NULL, NULL, NULL, NULL, NULL,
    ARRAY['1120/table:3', '4010/session:7'], ARRAY[500, -500]::bigint[],
    ARRAY['main_wager_lost', 'main_wager_lost'], '{}', '{}', '{}')
"""


@contextmanager
def another_cluster():
    """Start a new cluster of the same programs, with the roles that belong to one."""
    programs = find_postgres(os.environ, for_other_user=os.geteuid() == 0)
    folder = Path(tempfile.mkdtemp(prefix="baize-restore-")).resolve()
    folder.chmod(0o711)  # where PostgreSQL runs as another account, it must pass
    places = Places.of(folder)
    places.make()
    server = PostgresServer(
        places=places, programs=programs, environ=dict(os.environ), settings=THROW_AWAY
    ).start()
    try:
        with psycopg.connect(places.database_owner_url, autocommit=True) as owner:
            owner.execute("CREATE ROLE baize_auditor NOLOGIN")
        yield places, programs.folder
    finally:
        server.stop()
        places.remove()


def run(program, *arguments, **environ):
    """Run a program and return its exit status with what it wrote."""
    done = subprocess.run(
        [str(program), *map(str, arguments)],
        check=False,
        cwd=settings.BASE_DIR,
        env=os.environ | environ,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def dump(owner, file, *, programs):
    info = owner.info
    done = run(
        programs / "pg_dump",
        "--format=custom",
        f"--file={file}",
        f"--host={info.host}",
        f"--port={info.port}",
        f"--username={info.user}",
        info.dbname,
        PGPASSWORD=info.password,
    )
    assert done == (0, "", "")


def restore(file, *, places, programs):
    done = run(
        programs / "pg_restore",
        "--exit-on-error",
        "--no-owner",
        f"--host={places.postgres_sockets}",
        f"--username={OWNER_LOGIN}",
        "--dbname=baize",
        file,
    )
    assert done == (0, "", "")


def errors_in(complaints):
    """Return the errors of a restore, but for a setting that a server older than it lacks."""
    return [
        line
        for line in complaints.splitlines()
        if "ERROR:" in line and "unrecognized configuration parameter" not in line
    ]


def verify(places, *arguments):
    return run(
        sys.executable,
        "manage.py",
        "ledger_verify",
        "golden-gate",
        *arguments,
        DATABASE_URL=places.database_url,
        DATABASE_OWNER_URL=places.database_owner_url,
    )


def seal(session, property_id):
    statement = "SELECT ledger_seal_next(%s, 1000, %s)"
    return session.execute(statement, [property_id, AT]).fetchone()[0]


def test_restored_books_verify_and_go_on_in_a_new_epoch(post, casino, owner, tmp_path):
    owner.execute(BURN)
    for number in range(3):
        post(key=f"{number}")
    close(casino)
    seal_next(property_id=casino.pk, at=AT)
    left_over = post(key="left over", gaming_day=NEXT_DAY).id
    file = tmp_path / "baize.dump"

    with another_cluster() as (places, programs):
        dump(owner, file, programs=programs)
        restore(file, places=places, programs=programs)
        with psycopg.connect(places.database_url, autocommit=True) as session:
            (is_lower,) = session.execute(
                "SELECT pg_snapshot_xmax(pg_current_snapshot()) < max(upto_txid::text::bigint)"
                "::text::xid8 FROM ledger_seal"
            ).fetchone()
            assert is_lower
            assert session.info.user == APPLICATION_LOGIN

            status, output, errors = verify(places)
            assert (status, errors.splitlines()) == (
                1,
                [
                    "wrong: golden-gate: the books were restored from another cluster, "
                    "and no epoch was begun since",
                    "CommandError: 1 findings",
                ],
            )
            assert output.startswith("golden-gate: 3 entries under 1 seals, 1 wait\nhead 1:")
            with pytest.raises(psycopg.Error, match="come from another cluster"):
                seal(session, casino.pk)

            # The feed goes on: the close of the day was not told before the dump.
            number = "SELECT events_number(%s, 10)"
            assert session.execute(number, [casino.pk]).fetchone() == (1,)

            # Somebody posts before anybody thinks of the chain.
            values = {"property": casino.pk, "at": AT, "day": NEXT_DAY}
            early = session.execute(POST, values | {"key": "early"}).fetchone()[0]
            assert verify(places)[2].count("wrong:") == 1

            status, output, errors = verify(places, "--begin-epoch", "--reason", "a new server")
            assert (status, errors) == (0, "")
            assert output.splitlines()[:2] == [
                "golden-gate: began epoch 2",
                "golden-gate: 4 entries under 2 seals, 1 wait",
            ]
            late = session.execute(POST, values | {"key": "late"}).fetchone()[0]
            assert seal(session, casino.pk) == 2
            listed = session.execute(
                "SELECT epoch, entry_ids FROM ledger_seal ORDER BY number"
            ).fetchall()
            assert listed[1:] == [(1, [left_over]), (2, [early, late])]
            status, output, errors = verify(places)
            assert (status, errors) == (0, "")
            assert output.startswith("golden-gate: 6 entries under 3 seals, 0 wait")


def test_restore_into_another_database_of_the_same_cluster_goes_on(post, casino, owner, tmp_path):
    post(key="sealed")
    seal_next(property_id=casino.pk, at=AT)
    post(key="left over")
    programs = find_postgres(os.environ, for_other_user=os.geteuid() == 0).folder
    file = tmp_path / "baize.dump"
    dump(owner, file, programs=programs)
    name = sql.Identifier("ledger_restored")
    owner.execute(sql.SQL("CREATE DATABASE {}").format(name))
    try:
        info = owner.info
        place = [f"--host={info.host}", f"--port={info.port}", f"--username={info.user}"]
        _, said, complaints = run(
            programs / "pg_restore",
            *place,
            "--dbname=ledger_restored",
            file,
            PGPASSWORD=info.password,
        )
        assert (said, errors_in(complaints)) == ("", [])
        parameters = info.get_parameters() | {"dbname": "ledger_restored"}
        with psycopg.connect(**parameters, password=info.password, autocommit=True) as restored:
            assert seal(restored, casino.pk) == 1
            verified = "SELECT * FROM ledger_verify_seals(%s, 1, 9)"
            assert restored.execute(verified, [casino.pk]).fetchall() == []
    finally:
        owner.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))
