"""What stands after a shift, read through the API while the site still runs, to be held together.

Identifiers differ from run to run; `essence` leaves them out, so that two shifts can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.local.waiting import wait_for
from tests.shift.asking import Answered
from tests.shift.reader import Reader, signed
from tests.shift.script import DEALERS, Shift
from tests.shift.site import Killed, Site

SESSION_REVENUE = ("4010", "4020", "4030", "4031", "4040", "4050", "4900", "4910")
"""Revenue accounts that are kept by session (table-operations.md 18)."""
NUMBERED_SECONDS = 60.0

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table and its session."""

    code: str
    limits: Row
    tray: int
    """What its tray account holds, in minor units."""
    session: Row
    totals: Row
    rounds: tuple[Row, ...]
    """With record and result, by number."""
    entries: tuple[Row, ...]
    revenue: int
    """What the revenue accounts of the session hold; positive is the house's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Everything that a shift left behind."""

    tables: Mapping[str, Table]
    balances: Mapping[str, int]
    """Account of the chart → what it holds, debit above zero."""
    events: tuple[Row, ...]
    doctor: str
    """What `manage.py ledger_doctor` said."""
    logs: Mapping[str, str]
    awaited: tuple[int, ...]
    """Statuses that made a tablet or the card reader ask again; 0 where the connection was lost."""
    answers: Mapping[int, Answered]
    """Round that the card reader sent → how it was answered."""
    killed: tuple[Killed, ...]
    ended: Mapping[tuple[str, int], int]
    """Child and status → how often the launcher saw it end so."""

    def essence(self) -> dict[str, Any]:
        """Return what two shifts of one seed have in common, to the cent."""
        return {
            "balances": self.balances,
            "totals": {code: table.totals for code, table in self.tables.items()},
            "rounds": {
                code: [_essence(each) for each in table.rounds]
                for code, table in self.tables.items()
            },
            "entries": {
                code: Counter(entry["kind"] for entry in table.entries)
                for code, table in self.tables.items()
            },
            "events": Counter(event["type"] for event in self.events),
        }


def gather(shift: Shift) -> Evidence:
    """Read everything, once the feed has told all that happened."""
    _await_numbers(shift.site)
    reader = shift.reader
    askers = [reader.asker, *(tablet.asker for tablet in shift.tablets.values())]
    return Evidence(
        tables={code: _table(shift, code) for code in DEALERS},
        balances={
            row["number"]: signed(row["closing"])
            for row in reader.read("ledger/trial-balance")["rows"]
        },
        events=tuple(reader.list("events")),
        doctor=shift.site.manage("ledger_doctor"),
        logs={name: shift.site.log(name) for name in ("web", "worker", "beat")},
        awaited=tuple(status for asker in askers for status in asker.awaited),
        answers=dict(shift.answers),
        killed=tuple(shift.site.killed),
        ended=Counter((each.name, each.status) for each in shift.site.ends()),
    )


def _table(shift: Shift, code: str) -> Table:
    reader, session = shift.reader, shift.sessions[code]
    found = shift.table(code)
    ref = session["id"].replace("ses_", "session:")
    listed = reader.list("rounds", table_session=session["id"])
    return Table(
        code=code,
        limits=found["limits"],
        tray=shift.tray(code),
        session=session,
        totals=reader.read(f"table-sessions/{session['id']}/totals"),
        rounds=tuple(reader.read(f"rounds/{each['id']}") for each in listed),
        entries=tuple(reader.list("ledger/transactions", session=ref)),
        revenue=_revenue(reader, ref),
    )


def _revenue(reader: Reader, session: str) -> int:
    return -sum(reader.balance(f"{number}/{session}") for number in SESSION_REVENUE)


def _await_numbers(site: Site) -> None:
    # An entry is told when it is sealed.
    waiting = """
        SELECT (SELECT count(*) FROM ledger_entry)
               - (SELECT count(sequence) FILTER (WHERE topic = 'ledger.entry_posted')
                  - count(*) FILTER (WHERE sequence IS NULL) FROM events_outbox)
    """
    with site.books() as books:
        assert wait_for(lambda: books.execute(waiting).fetchone() == (0,), seconds=NUMBERED_SECONDS)


def _essence(round_: Row) -> dict[str, Any]:
    same = ("number", "status", "source", "house_net", "record", "result")
    return {name: round_[name] for name in same}
