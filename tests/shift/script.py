"""The scripted shift: two tables opened, played and closed through the doors that people use.

The same seed plays the same shift to the cent, however often the site is killed meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any, Protocol

from rules.registry import game
from tables.demo import house
from tests.local.waiting import wait_for
from tests.shift.asking import Answered
from tests.shift.reader import Reader, signed
from tests.shift.site import Site
from tests.shift.tablet import Tablet

SEED = 812
ROUNDS = 200
SEATS = (1, 2, 3, 4)
BUY_INS = (30_000, 150_000, 50_000, 100_000)
"""In minor units, by seat; the second is above what a dealer takes alone."""
TAKEN_BACK = 3
"""The seat at T2 whose buy-in is voided."""
VOIDED_ROUND = 120
SETTLED_SECONDS = 120.0
DEALERS = {"T1": "DL-210", "T2": "DL-214"}
PATRONS = dict(zip(("T1", "T2"), (house.PATRONS[:4], house.PATRONS[4:]), strict=True))


class Surroundings(Protocol):
    """What happens to the site while the shift goes on."""

    def before(self, moment: str) -> None:
        """Hear what the shift does next: `round 17`."""


class Calm:
    """Nothing happens."""

    def before(self, moment: str) -> None:
        """Hear it, and leave the site alone."""


@dataclass(slots=True, kw_only=True)
class Shift:
    """One shift on a running site."""

    site: Site
    seed: int = SEED
    surroundings: Surroundings = field(default_factory=Calm)
    reader: Reader = field(init=False)
    tablets: dict[str, Tablet] = field(init=False)
    sessions: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Table → its session as the API shows it."""
    answers: dict[int, Answered] = field(default_factory=dict)
    """Round that the card reader sent → how it was answered."""

    def play(self) -> None:
        """Play the whole shift."""
        random = Random(self.seed)
        self.reader = Reader(self.site.url)
        self.tablets = {
            code: Tablet(self.site.enrolment(code), dealer=dealer)
            for code, dealer in DEALERS.items()
        }
        self._close("T1", name="what the demo left open")
        for code in DEALERS:
            self._open(code)
        for number in range(1, ROUNDS + 1):
            self.surroundings.before(f"round {number}")
            self._play_round(number, random)
        for code in DEALERS:
            self._close(code, name=code)

    # --- one table

    def tray(self, code: str) -> int:
        """Return what the tray account of a table holds."""
        return self.reader.balance(f"1120/{self.table(code)['id'].replace('tbl_', 'table:')}")

    def table(self, code: str) -> dict[str, Any]:
        """Return a table as the API shows it."""
        return next(table for table in self.reader.list("tables") if table["code"] == code)

    def _session(self, code: str) -> dict[str, Any]:
        return self.reader.read(f"table-sessions/{self.table(code)['current_session']}")

    def _open(self, code: str) -> None:
        self.surroundings.before(f"opening {code}")
        tablet = self.tablets[code]
        tablet.open_table(pieces_for(self.tray(code)))
        self.sessions[code] = self._session(code)
        for seat, (_ref, name), amount in zip(SEATS, PATRONS[code], BUY_INS, strict=True):
            self.surroundings.before(f"buy-in {seat} at {code}")
            tablet.seat(seat, name)
            tablet.buy_in(seat, amount)
        if code == "T2":
            tablet.take_back_buy_in(TAKEN_BACK)

    def _close(self, code: str, *, name: str) -> None:
        """Close a table on the tray that the pit boss sees, and wait for its settlement."""
        session = self._session(code)["id"]
        tablet = self.tablets[code]
        tablet.end_play()
        shown = self.table(code)["tray"]["estimate"]
        assert signed(shown) == self.tray(code)
        self.surroundings.before(f"closing {name}")
        tablet.close_table(pieces_for(signed(shown)))
        self.surroundings.before(f"settling {name}")
        assert wait_for(
            lambda: self._is_settled(session), seconds=SETTLED_SECONDS, look_every=0.2
        ), f"{session} of {name} was not settled"

    def _is_settled(self, session: str) -> bool:
        status = self.reader.read(f"table-sessions/{session}")["status"]
        return bool(status == "closed_provisional")

    def _play_round(self, number: int, random: Random) -> None:
        code = code_of(number)
        session, tablet = self.sessions[code], self.tablets[code]
        given = deal(session["profile"]["game"], random)
        if number % 12 > 1:
            self.reader.record(session["id"], given, at=datetime.now(UTC))
            self.answers[number] = self.reader.asker.answered
            return
        tablet.play(given, rules=session["profile"])
        if number == VOIDED_ROUND:
            tablet.void_round()
        else:
            tablet.go_on()


def code_of(number: int) -> str:
    """Return the table at which a round of the shift is played."""
    return ("T1", "T2")[number % 2]


def deal(name: str, random: Random) -> dict[str, Any]:
    """Return a random round of the game, every hand set the house way."""
    layout = game(name).layout
    pack = [token for token, copies in layout.pack.copies.items() for _ in range(copies)]
    random.shuffle(pack)
    seats = [seat for seat in SEATS if random.random() > 0.1] or [SEATS[0]]
    size = layout.hand_size
    hands = [pack[n * size : (n + 1) * size] for n in range(len(seats) + 1)]
    return {
        "bank": {"holder": "house", "hand": hands[0], "set": "house_way"},
        "seats": [
            {
                "seat": seat,
                "wager": 500 * random.choice((2, 4, 5, 10, 20, 40)),
                "hand": hand,
                "set": "house_way",
            }
            for seat, hand in zip(seats, hands[1:], strict=True)
        ],
    }


def pieces_for(total: int) -> dict[int, int]:
    """Lay a tray of *total* minor units out in pieces by face value, largest first."""
    pieces = {}
    for value, _kind, _colour, _in_service in sorted(house.DENOMINATIONS, reverse=True):
        pieces[value], total = divmod(total, value)
    assert total == 0, "commission is taken in the smallest chip"
    return pieces
