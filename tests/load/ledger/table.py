"""The rows of ledger.md 4.7: what is compared, the target, and what the prototype reached."""

from __future__ import annotations

from functools import partial
from typing import Final

from tests.load.ledger.entries import HOT, HOT_SHARDED
from tests.load.ledger.rounds import Heat, Machine, Round, Row, faster

RAW: Final = Heat("raw.pgbench")
BARE: Final = Heat("bare")
ONE: Final = Heat("one")
HORDAK: Final = Heat("hordak_legs")
DJANGO_LEDGER: Final = Heat("django_ledger")

SINGLE: Final = (
    faster(
        "raw", "one entry through the service, 1 client, against raw 7 round trips", ONE, RAW,
        bound="0.6", prototype="0.83",
    ),
    faster(
        "hordak", "... against hordak leg by leg: quiet", ONE, HORDAK,
        bound="2.0", prototype="2.38",
    ),
    faster(
        "hordak-nowait", "... no wait for disk", ONE, HORDAK,
        bound="2.0", prototype="2.6", machine=Machine.NO_WAIT,
    ),
    faster(
        "hordak-busy", "... busy", ONE, HORDAK,
        bound="1.0", prototype="1.07", machine=Machine.BUSY,
    ),
    faster(
        "hordak-4", "... 4 clients against hordak", ONE.by(4), HORDAK.by(4),
        bound="1.8", prototype="2.17",
    ),
    faster(
        "dl-1", "... against django-ledger, 1 client", ONE, DJANGO_LEDGER,
        bound="8", prototype="12",
    ),
    faster(
        "dl-4", "... against django-ledger, 4 clients", ONE.by(4), DJANGO_LEDGER.by(4),
        bound="15", prototype="24",
    ),
    Row(
        name="cpu", what="CPU of an entry, server + client, against hordak's",
        bound="<= 0.5", prototype="0.40", heats=(ONE, HORDAK),
        ratio=lambda done: done[ONE].cpu / done[HORDAK].cpu,
    ),
    Row(
        name="bare-cpu", what="server CPU against the bare one-call function",
        bound="<= 4", prototype="3.1", heats=(ONE, BARE),
        ratio=lambda done: done[ONE].server / done[BARE].server,
    ),
)  # fmt: skip

BULK_100: Final = Heat("hordak_bulk").with_(batch=100)
BATCH_10: Final = Heat("batch").with_(size=10)
BATCH_100: Final = Heat("batch").with_(size=100)

LONG_100: Final = Heat("long").with_(legs=100)
LONG_1000: Final = Heat("long").with_(legs=1000)

BATCHES: Final = (
    faster(
        "batch-10", "batch of 10 against hordak leg by leg, 1 client", BATCH_10, HORDAK,
        bound="5", prototype="6.9",
    ),
    faster(
        "batch-100", "batch of 100 against hordak leg by leg, 1 client", BATCH_100, HORDAK,
        bound="7", prototype="10.0",
    ),
    faster(
        "bulk-100", "batch of 100 against hordak's bulk of 100, 1 client", BATCH_100, BULK_100,
        bound="1.5", prototype="1.85",
    ),
    Row(
        name="long", what="time of 1,000 legs over 100 legs in one entry",
        bound="<= 12", prototype="3.6-7.4",
        heats=(LONG_100, LONG_1000),
        ratio=lambda done: done[LONG_100].rate / done[LONG_1000].rate,
    ),
)  # fmt: skip

ONE_ROW: Final = ONE.by(4).with_(hot=HOT)
SHARDED: Final = ONE.by(4).with_(hot=HOT_SHARDED)
ORM: Final = Heat("orm", 4).with_(hot=HOT)

HOUSE: Final = (
    faster(
        "hot-row", "everything on one hot account, 4 clients, against spread out: one row",
        ONE_ROW, ONE.by(4), bound="0.6", prototype="0.69",
    ),
    faster(
        "hot-shards", "... 16 shards", SHARDED, ONE.by(4), bound="0.6", prototype="0.72",
    ),
    faster(
        "orm-row", "... one row, against an ORM select_for_update service, 4 clients",
        ONE_ROW, ORM, bound="5", prototype="7.5",
    ),
    faster(
        "orm-shards", "... 16 shards, against the same", SHARDED, ORM,
        bound="5", prototype="8.4",
    ),
)  # fmt: skip

CURVES: Final = tuple(
    faster(
        f"clients-{clients}", f"one entry, {clients} clients against one", ONE.by(clients), ONE,
        bound="-", prototype="-",
    )
    for clients in (2, 8)
)  # fmt: skip
"""How the rate grows with clients: no target of 4.7, and asked for by name alone."""

SEAL: Final = Heat("seal").with_(warm=False)
REST: Final = Heat("rest")
SERVICE: Final = Heat("record_round")

AROUND: Final = (
    faster(
        "seal", "sealing rate over posting rate", SEAL, ONE, bound="10", prototype="39",
    ),
    faster(
        "rest", "POST /rounds (DRF, authentication, validation) against its service", REST, SERVICE,
        bound="0.3", prototype="-",
    ),
)  # fmt: skip

FEW_LEGS: Final = 1_000
MANY_LEGS: Final = 100_000
READS: Final = ("balance", "balance_on", "balance_at", "statement")


def reads(many: int) -> tuple[Row, ...]:
    """Return the rows that read an account of *many* legs."""
    ours = {way: Heat(way).with_(legs=many) for way in READS}
    few = {way: Heat(way).with_(legs=FEW_LEGS) for way in READS}
    hordak = {
        way: Heat(f"hordak_{way}").with_(legs=many)
        for way in ("balance", "with_balances", "as_of", "statement")
    }
    return (
        faster(
            "read", f"balance of an account of {many:,} legs against hordak's get_balance",
            ours["balance"], hordak["balance"], bound="40", prototype="81",
        ),
        faster(
            "read-list", "... against hordak's with_balances",
            ours["balance"], hordak["with_balances"], bound="40", prototype="99",
        ),
        faster(
            "read-day", "... as of a gaming day", ours["balance_on"], hordak["as_of"],
            bound="80", prototype="167",
        ),
        faster(
            "read-moment", "... as of a moment", ours["balance_at"], hordak["as_of"],
            bound="80", prototype="167",
        ),
        faster(
            "read-page", "... statement of 50", ours["statement"], hordak["statement"],
            bound="1000", prototype="6255",
        ),
        *(
            Row(
                name=f"flat-{way}", what=f"{way}: the same read at {many:,} over {FEW_LEGS:,} legs",
                bound="<= 1.3", prototype="1.0", heats=(few[way], ours[way]),
                ratio=partial(_slower, few[way], ours[way]),
            )
            for way in READS
        ),
    )  # fmt: skip


def _slower(before: Heat, after: Heat, done: Round) -> float:
    return done[before].rate / done[after].rate


def table(many: int) -> tuple[Row, ...]:
    """Return all rows, their reads of an account of *many* legs."""
    return (*SINGLE, *BATCHES, *HOUSE, *reads(many), *AROUND, *CURVES)
