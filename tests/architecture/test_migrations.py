"""Migrations are named, in one line, and say all that the models say."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader


def ours():
    """Return the labels of the project's own apps."""
    return sorted(
        config.label
        for config in apps.get_app_configs()
        if config.name.split(".")[0] in {"casino", "ledger", "tables"}
    )


@pytest.fixture(scope="module")
def loader():
    return MigrationLoader(connection=None)


def test_the_apps_are_those_of_the_house():
    assert ours() == ["events", "ledger", "properties", "staff", "tables", "web"]


@pytest.mark.django_db
def test_no_model_has_changed_without_a_migration():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("label", ours())
def test_migrations_are_in_one_line(loader, label):
    names = sorted(name for app, name in loader.disk_migrations if app == label)

    assert len(loader.graph.leaf_nodes(label)) == 1
    for before, name in pairwise(names):
        assert (label, before) in loader.disk_migrations[label, name].dependencies


@pytest.mark.parametrize("label", ours())
def test_migrations_are_numbered_and_named(loader, label):
    names = sorted(name for app, name in loader.disk_migrations if app == label)

    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
    for name in names:
        assert re.fullmatch(r"\d{4}_[a-z][a-z_]+", name)
        assert "_auto_" not in name


@pytest.mark.parametrize("label", ours())
def test_every_migration_runs_backwards(loader, label):
    for (app, name), migration in loader.disk_migrations.items():
        if app == label:
            assert all(operation.reversible for operation in migration.operations), name
