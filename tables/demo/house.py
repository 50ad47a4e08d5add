"""Who and what the demo casino is: data alone, so that a reader sees it at a glance.

Amounts are minor units of US dollars. The chips and trays are those of the worked day
(table-operations.md 19); everything is invented.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import Any, Final

from casino.staff.roles import Role

PROPERTY: Final[Mapping[str, Any]] = {
    "code": "jade-harbour",
    "name": "Jade Harbour",
    "time_zone": "America/Los_Angeles",
    "day_start": time(6),
    "currency": "USD",
    "is_sandbox": True,
    "languages": ["en"],
    "shifts": {"day": time(6), "swing": time(14), "grave": time(22)},
}

SETTINGS: Final[Mapping[str, Any]] = {
    # A hundred dollars is everyday money at these tables; a thousand is worth a second look.
    "verify_buyin_over": 100_000,
    "void_pit_boss_over": 50_000,
}

DENOMINATIONS: Final = (
    (25, "fractional", "pink", 20_000),
    (100, "value_chip", "white", 20_000),
    (500, "value_chip", "red", 30_000),
    (2_500, "value_chip", "green", 16_000),
    (10_000, "value_chip", "black", 4_000),
    (50_000, "value_chip", "purple", 1_500),
)
"""Face value, kind, colour, pieces in service."""

CHIPS_IN_SERVICE: Final = sum(value * pieces for value, _, _, pieces in DENOMINATIONS)
CAGE_CHIPS: Final = 25_000_000
CAGE_CASH: Final = 50_000_000
CHIPS_WITH_PATRONS: Final = 3_500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSpec:
    """A demo table: its game with every option that is not the default, and its first tray."""

    code: str
    profile: str
    game: str
    options: Mapping[str, Any]
    seats: int
    tray: Mapping[int, int]
    """Face value → pieces: what lies in the tray before the first session."""


TABLES: Final = (
    TableSpec(
        code="T1",
        profile="pai-gow-house",
        game="pai_gow",
        options={
            "bank_mode": "house_only",
            "commission_rate": "0.05",
            "commission_unit": 25,
        },
        seats=6,
        tray={25: 80, 100: 180, 500: 360, 2_500: 240, 10_000: 70, 50_000: 10},
    ),
    TableSpec(
        code="T2",
        profile="pai-gow-poker-house",
        game="pai_gow_poker",
        options={
            "bank_mode": "house_only",
            "commission_rate": "0.05",
            "commission_unit": 25,
        },
        seats=6,
        tray={25: 200, 100: 450, 500: 900, 2_500: 400, 10_000: 100},
    ),
)
WAGER_MIN: Final = 1_000
WAGER_MAX: Final = 100_000
WAGER_INCREMENT: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A member of the demo staff; a PIN is for the tablet, a password for a console."""

    number: str
    name: str
    role: Role
    pin: str | None = None
    password: str | None = None


PASSWORD: Final = "jade-harbour"  # noqa: S105  the demo's own, printed when it starts
STAFF: Final = (
    Person(number="DL-210", name="Mei Tran", role=Role.DEALER, pin="2101"),
    Person(number="DL-214", name="Omar Haddad", role=Role.DEALER, pin="2141"),
    Person(
        number="FS-031",
        name="Grace Liu",
        role=Role.FLOOR_SUPERVISOR,
        pin="3101",
        password=PASSWORD,
    ),
    Person(number="PB-004", name="Daniel Reyes", role=Role.PIT_BOSS, pin="4001", password=PASSWORD),
    Person(number="CC-117", name="Sofia Marino", role=Role.CAGE_CASHIER, password=PASSWORD),
    Person(number="SV-009", name="Arthur Quinn", role=Role.SURVEILLANCE, password=PASSWORD),
    Person(number="AU-002", name="Leila Karimi", role=Role.AUDITOR, password=PASSWORD),
    Person(number="AD-001", name="Jonas Weber", role=Role.ADMIN, password=PASSWORD),
    Person(number="CT-051", name="Ruth Adeyemi", role=Role.COUNT_TEAM, pin="5101"),
    Person(number="RN-052", name="Pavel Novak", role=Role.RUNNER, pin="5201"),
)

PATRONS: Final = (
    ("P1", "Wei Chen"),
    ("P2", "Aisha Rahman"),
    ("P3", "Tomás Silva"),
    ("P4", "Nora Lindqvist"),
    ("P5", "Hassan Jaber"),
    ("P6", "Ivy Nakamura"),
    ("P7", "Victor Osei"),
    ("P8", "Elena Petrova"),
)

API_CLIENT: Final = "demo"
API_SECRET: Final = "jade-harbour-secret"  # noqa: S105  the demo's own, printed when it starts
API_SCOPES: Final = ("tables:read", "rounds:read", "rounds:write", "ledger:read", "events:read")
