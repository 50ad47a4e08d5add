"""What must hold after any shift, however it went: everything that says the same agrees."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from casino.local.places import PROJECT
from tests.shift.evidence import Evidence, Row, Table
from tests.shift.reader import signed
from tests.shift.script import BUY_INS, ROUNDS, SEATS, TAKEN_BACK, VOIDED_ROUND, code_of

LIMITS = ("wager_min", "wager_max", "wager_increment")


def prove(evidence: Evidence) -> None:
    """Hold everything that stands against everything else that says the same."""
    assert sum(evidence.balances.values()) == 0
    assert evidence.doctor.endswith("the books are guarded and add up\n")
    prove_feed(evidence.events)
    for table in evidence.tables.values():
        prove_win(table)
        prove_settled_once(table, evidence.events)
        prove_replay(table)


def prove_win(table: Table) -> None:
    """Win by formula, by rounds and by the ledger is one figure; the tray is what was counted."""
    totals = table.totals
    amounts = {name: value["amount"] for name, value in totals.items() if isinstance(value, dict)}
    box = sum(BUY_INS) - (BUY_INS[SEATS.index(TAKEN_BACK)] if table.code == "T2" else 0)
    by_formula = amounts["closer"] + amounts["credits"] + box - amounts["opener"] - amounts["fills"]
    standing = [each for each in table.rounds if each["status"] != "voided"]
    by_rounds = -sum(signed(each["house_net"]) for each in standing)
    assert amounts["box_recorded"] == box
    assert -signed(totals["win"]) == by_formula == by_rounds == table.revenue
    assert table.tray == signed(totals["expected_tray"]) == amounts["closer"]
    assert amounts["chip_variance"] == 0
    assert totals["rounds"] == len(standing)


def prove_settled_once(table: Table, events: tuple[Row, ...]) -> None:
    """Numbers have no gap, each round was settled and told once, each entry posted once."""
    played = [number for number in range(1, ROUNDS + 1) if code_of(number) == table.code]
    is_void = [number == VOIDED_ROUND for number in played]
    assert [each["number"] for each in table.rounds] == list(range(1, len(played) + 1))
    assert [each["status"] == "voided" for each in table.rounds] == is_void
    told = Counter(
        (event["type"], event["data"]["id"])
        for event in events
        if event["data"].get("table_session") == table.session["id"]
        and event["type"].startswith("round.")
    )
    voided = [each for each in table.rounds if each["status"] == "voided"]
    assert told == Counter(
        [("round.settled", each["id"]) for each in table.rounds]
        + [("round.voided", each["id"]) for each in voided]
    )
    assert [each["transaction"] is not None for each in table.rounds] == [
        *map(_moves_chips, table.rounds)
    ]
    posted = Counter(each["id"] for each in table.entries if each["kind"] == "round_settled")
    assert posted == Counter(each["transaction"] for each in table.rounds if each["transaction"])
    taken_back = Counter(each["reverses"] for each in table.entries if each["kind"] == "reversal")
    assert {each["transaction"] for each in voided} <= taken_back.keys()
    assert set(taken_back.values()) <= {1}


def prove_replay(table: Table) -> None:
    """Settle every stored round again by the rules' own command line, as an auditor would."""
    profile = table.session["profile"]
    options = profile["options"] | {name: table.limits[name]["amount"] for name in LIMITS}
    asked = [
        {"op": "settle", "game": profile["game"], "options": options, "round": each["record"]}
        for each in table.rounds
    ]
    done = subprocess.run(
        [sys.executable, "-m", "rules"],
        cwd=PROJECT,
        input="".join(json.dumps(each) + "\n" for each in asked),
        capture_output=True,
        text=True,
        check=True,
    )
    settled = [json.loads(line) for line in done.stdout.splitlines()]
    assert settled == [each["result"] for each in table.rounds]


def prove_feed(events: tuple[Row, ...]) -> None:
    """The feed has every number once, and each version of a document once for each type."""
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    told = Counter((event["type"], json.dumps(event["subject"])) for event in events)
    assert [each for each, times in told.items() if times > 1] == []


def unexplained(log: str, *, explained: str = r"(?!)") -> list[str]:
    """Return the errors in a log, each in a line, that do not begin as *explained* says."""
    return [error for error in logged_errors(log) if not re.match(explained, error)]


def logged_errors(log: str) -> Iterator[str]:
    """Yield every error of a log in a line: how its traceback ends, else what was said."""
    plain = ""
    for line in log.splitlines():
        record = _record(line)
        if record is None:
            plain += line + "\n"
        elif "exception" in record:
            yield from endings(record["exception"])
        elif record["level"] in {"error", "critical"}:
            yield f"{record['event']} {record.get('code', '')}".rstrip()
    yield from endings(plain)


def endings(text: str) -> Iterator[str]:
    """Yield the last line of every traceback in a text: which error it was."""
    is_inside = False
    for line in text.splitlines():
        if line.startswith("Traceback (most recent call last)"):
            is_inside = True
        elif is_inside and line and not line[0].isspace():
            is_inside = False
            yield line


def _record(line: str) -> dict[str, Any] | None:
    """Return what a process logged as one object; None for what it printed otherwise."""
    try:
        record = json.loads(line)
    except json.JSONDecodeError:
        return None
    return record if isinstance(record, dict) else None


def _moves_chips(round_: Row) -> bool:
    return any(seat["net"] or seat["commission"] for seat in round_["result"]["seats"])
