"""The ledger's migrations run backwards and forwards, and Django knows the tables they make."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from psycopg import sql

MADE = """
SELECT 'table ' || relname FROM pg_class WHERE relname LIKE 'ledger\\_%' AND relkind = 'r'
UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE proname LIKE 'ledger\\_%'
UNION ALL SELECT 'sequence ' || relname FROM pg_class
          WHERE relname LIKE 'ledger\\_%' AND relkind = 'S'
UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger
          WHERE tgname LIKE 'ledger\\_%' AND NOT tgisinternal
ORDER BY 1
"""


@pytest.fixture
def empty(owner):
    """Return the address of a new database of the owner, and a connection to it."""
    name = "ledger_migrations"
    owner.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    address = urlsplit(settings.ENV.database_owner_url)._replace(path=f"/{name}").geturl()
    # By its address: a connection does not tell the password that it was opened with.
    with psycopg.connect(address, autocommit=True) as opened:
        yield address, opened
    owner.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def migrate(address, *target):
    subprocess.run(
        [sys.executable, "manage.py", "migrate", *target, "--verbosity=0"],
        check=True,
        cwd=settings.BASE_DIR,
        env=os.environ | {"DATABASE_OWNER_URL": address},
        timeout=120,
    )


def test_migrations_run_backwards_and_forwards(empty):
    address, database = empty
    migrate(address, "ledger")
    made = database.execute(MADE).fetchall()
    assert ("function ledger_post",) in made
    assert ("trigger ledger_entry_kept",) in made

    migrate(address, "ledger", "zero")
    assert database.execute(MADE).fetchall() == []

    migrate(address, "ledger")
    assert database.execute(MADE).fetchall() == made


@pytest.mark.django_db
def test_models_are_as_the_migrations_say():
    output = StringIO()
    call_command("makemigrations", "ledger", check=True, dry_run=True, stdout=output)
    assert "No changes detected" in output.getvalue()
