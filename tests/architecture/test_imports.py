"""Imports point down only: the contracts of pyproject.toml hold, and say what the house is."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def contracts():
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["tool"]["importlinter"]["contracts"]


def test_every_contract_is_kept():
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert f"Contracts: {len(contracts())} kept, 0 broken." in done.stdout


@pytest.mark.parametrize(
    "layers",
    [
        ["tables", "ledger | rules", "casino"],
        ["casino.events", "casino.staff", "casino.properties", "casino.web"],
    ],
)
def test_the_layers_of_the_house_are_a_contract(layers):
    assert layers in [contract.get("layers") for contract in contracts()]


def test_no_other_part_of_tables_is_left_out_of_the_contract_of_the_games():
    (contract,) = [each for each in contracts() if "tables.games alone" in each["name"]]
    code = {
        f"tables.{path.stem}"
        for path in (ROOT / "tables").iterdir()
        if (path / "__init__.py").exists() or path.suffix == ".py"
    }
    gatherers = {f"tables.{name}" for name in ("__init__", "apps", "models", "tasks", "urls")}

    assert code - gatherers - {"tables.games", "tables.migrations"} == set(
        contract["source_modules"]
    )


def test_every_game_is_behind_the_contract_of_the_games():
    (contract,) = [each for each in contracts() if "tables.games alone" in each["name"]]
    games = {f"rules.{path.parent.name}" for path in (ROOT / "rules").glob("*/__init__.py")}

    assert games <= set(contract["forbidden_modules"])
