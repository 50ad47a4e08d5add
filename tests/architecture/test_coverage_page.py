"""The page of what is built names what is there: every path, every test, every section."""

from __future__ import annotations

import re

import pytest

from tests.architecture.papers import ROOT, headings, name_of

PAGE = ROOT / "docs" / "coverage.md"
NAMED = re.compile(r"`((?:casino|ledger|rules|tables|tests)/[\w./]+|pyproject\.toml)(?:::(\w+))?`")
STATES = (
    "built",
    "partly: ",
    "not built yet",
    "measured, ",
    "not measured here yet",
    "not meant to be built",
)
NO_CODE = ("no code", "see [")
SPECIFICATIONS = sorted((ROOT / "docs" / "spec").rglob("*.md"))


def rows() -> list[list[str]]:
    """Return the cells of every row of the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|"
    ]
    return [row for row in cells if row[0] != "section" and not set(row[0]) <= set("-")]


def part_of(specification) -> str:
    """Return the part of the page that is about a specification."""
    link = f"]({specification.relative_to(PAGE.parent)})"
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")
    (part,) = [part for part in parts if link in part]
    return part


def test_every_path_and_test_that_is_named_is_there():
    named = set(NAMED.findall(PAGE.read_text(encoding="utf-8")))
    assert len(named) > 200
    for path, test in sorted(named):
        assert (ROOT / path).exists(), path
        if test:
            source = (ROOT / path).read_text(encoding="utf-8")
            assert re.search(rf"^(async )?def {test}\(", source, re.MULTILINE), f"{path}::{test}"


def test_every_row_says_how_far_it_is_built():
    for section, state, *_ in rows():
        known = state.startswith(STATES) or any(words in state for words in NO_CODE)
        assert known or "built" in state, f"{section}: {state}"


def test_what_is_called_built_is_shown_by_a_test():
    for section, state, where, shown_by in rows():
        if state == "built":
            assert NAMED.search(where), section
            assert "::" in shown_by, section


@pytest.mark.parametrize("specification", SPECIFICATIONS, ids=name_of)
def test_every_section_of_a_specification_has_its_row(specification):
    listed = set(re.findall(r"^\| (\d+(?:\.\d+)?) ", part_of(specification), re.MULTILINE))
    wanted = {
        number.group()
        for depth, text in headings(specification)
        if depth in {2, 3} and (number := re.match(r"\d+(?:\.\d+)?(?=\.? )", text))
    }
    assert wanted <= listed, sorted(wanted - listed)
