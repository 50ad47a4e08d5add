"""Tables of the specifications in docs/spec, which the tests take as their data."""

import re
from itertools import dropwhile, takewhile
from pathlib import Path

SPECIFICATIONS = Path(__file__).parents[2] / "docs" / "spec"


def rows(document: str, *, section: str, first_cell: str) -> list[tuple[str, ...]]:
    """Return the table rows in *section* (``7.4``) whose first cell matches *first_cell*."""
    lines = (SPECIFICATIONS / document).read_text(encoding="utf-8").splitlines()
    heading = re.compile(rf"#+ {re.escape(section)}\.? ")
    after = list(dropwhile(lambda line: not heading.match(line), lines))
    assert after, f"{document} has no section {section}"
    cells = (
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in takewhile(lambda line: not line.startswith("#"), after[1:])
        if line.startswith("|")
    )
    return [row for row in cells if re.fullmatch(first_cell, row[0])]
