"""Every module says what it holds, and nothing is left half done."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = [
    path.relative_to(ROOT)
    for package in ("casino", "ledger", "rules", "tables")
    for path in sorted((ROOT / package).rglob("*.py"))
    if path.read_text().strip()
]
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
ABSTRACT = {Path("casino/web/api.py")}
"""Its base views say what a view must define."""


def is_generated(path: Path) -> bool:
    return path.parent.name == "migrations"


@pytest.mark.parametrize("path", [path for path in MODULES if not is_generated(path)], ids=str)
def test_a_module_says_what_it_holds(path):
    said = ast.get_docstring(ast.parse((ROOT / path).read_text()))

    assert said is not None
    assert said.split("\n\n")[0].rstrip().endswith((".", "?")), "a whole sentence"


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_a_module_is_finished(path):
    text = (ROOT / path).read_text()

    assert not UNFINISHED.search(text)
    assert path in ABSTRACT or "NotImplementedError" not in text


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_an_import_stands_at_the_top(path):
    tree = ast.parse((ROOT / path).read_text())
    inner = [
        node.lineno
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]

    assert inner == [], "an import inside a function hides a cycle"
