"""What a command of the books tells the shell: 0 done, 1 refused or found, 2 not understood.

Source: docs/runbook.md.
"""

from __future__ import annotations

import pytest
from django.core.management import ManagementUtility

from ledger.services.sealing import seal_next
from tests.ledger.conftest import AT, books
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.django_db(transaction=True)

HERE = "golden-gate"


@pytest.fixture
def sealed(post, casino):
    """Return a property with one entry under a seal."""
    post()
    assert seal_next(property_id=casino.pk, at=AT) == 1
    return casino


def code_of(*words):
    """Return the exit code of a command line."""
    try:
        ManagementUtility(["manage.py", *words]).execute()
    except SystemExit as ended:
        return ended.code
    return 0


@pytest.mark.parametrize(
    "words",
    [
        ["ledger_verify", HERE],
        ["ledger_verify", "--all"],
        ["ledger_rebuild", HERE],
        ["ledger_export", HERE, "--format", "jsonl"],
    ],
)
def test_command_that_is_done_and_finds_nothing_ends_with_0(sealed, words):
    assert code_of(*words) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ledger_verify"], "property: name one, or say --all"),
        (["ledger_verify", "nowhere"], "property: there is no property 'nowhere'"),
        (["ledger_verify", HERE, "--begin-epoch", "--reason", "x"], "nothing was restored"),
        (["ledger_rebuild", "nowhere"], "property: there is no property 'nowhere'"),
        (["ledger_export", HERE, "--format", "csv"], "--output: "),
        (["ledger_export", HERE, "--format", "jsonl", "--from", "x"], "--from: "),
        (
            ["close_gaming_day", HERE, "x", "--pit-boss", "P-1", "--auditor", "A-1"],
            "day: ",
        ),
        (["close_shift", HERE, "2026-03-14", "swing", "--pit-boss", "P-1"], "shift: "),
    ],
)
def test_command_that_is_refused_ends_with_1_and_one_sentence(sealed, capsys, words, said):
    before = books()
    assert code_of(*words) == 1
    refusal = capsys.readouterr().err
    assert said in refusal
    assert refusal.count("\n") == 1
    assert books() == before


@pytest.mark.parametrize(
    "words",
    [["ledger_verify", HERE], ["ledger_verify", "--all"], ["ledger_doctor"]],
)
def test_command_that_finds_something_ends_with_1_and_says_how_much(sealed, capsys, owner, words):
    tamper(owner, "UPDATE ledger_posting SET amount = amount * 2 WHERE amount > 0")
    assert code_of(*words) == 1
    said = capsys.readouterr().err.splitlines()
    assert all(line.startswith("wrong: ") for line in said[:-1])
    assert said[-1] == f"CommandError: {len(said) - 1} findings"


def test_comparison_that_finds_something_ends_with_1(sealed, owner):
    tamper(owner, "UPDATE ledger_balance SET debit = debit + 7 WHERE debit > 0")
    assert code_of("ledger_rebuild", HERE) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["ledger_doctor", "--no-such"],
        ["ledger_verify", HERE, "--head"],
        ["ledger_rebuild"],
        ["ledger_export", HERE, "--format", "xlsx"],
        ["ledger_export", HERE],
        ["close_gaming_day", HERE, "2026-03-14"],
        ["close_shift", HERE, "2026-03-14"],
    ],
)
def test_command_line_that_is_not_understood_ends_with_2_and_shows_its_usage(sealed, capsys, words):
    before = books()
    assert code_of(*words) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"usage: manage.py {words[0]} ")
    assert f"manage.py {words[0]}: error: " in said
    assert books() == before
