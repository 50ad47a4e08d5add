"""The Markdown of the project, read as its readers read it."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAPERS = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def name_of(paper: Path) -> str:
    """Return the paper's path in the project, to name a test by."""
    return str(paper.relative_to(ROOT))


def blocks(paper: Path, language: str) -> list[str]:
    """Return the contents of the code blocks in *language*."""
    return [
        body
        for given, body in FENCE.findall(paper.read_text(encoding="utf-8"))
        if given == language
    ]


def prose(paper: Path) -> str:
    """Return the text without its code blocks."""
    return FENCE.sub("", paper.read_text(encoding="utf-8"))


def headings(paper: Path) -> list[tuple[int, str]]:
    """Return depth and text of each heading, in order."""
    found = re.findall(r"^(#+) (.*)$", prose(paper), re.MULTILINE)
    return [(len(signs), text.strip()) for signs, text in found]


def anchor_of(heading: str) -> str:
    """Return the name by which a link reaches a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
