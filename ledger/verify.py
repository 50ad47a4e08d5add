"""Whether the books are what was sealed: every entry is read again, and what changed is named.

It proves the books against the chain of seals, the chain against the closed days that bear its
heads, and both against heads that were kept where nobody of this house writes (ADR 25).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Final, NamedTuple

from casino.properties.models import Property
from ledger.chain import Chain, chain_of
from ledger.services.functions import call_many

SLICE: Final = 100
"""Seals that one statement reads, so that none takes long."""
NAMED: Final = 200
"""Findings that are told by name; of more their number."""
LONG: Final = timedelta(hours=1)
"""After so long an entry that nothing holds back should be under a seal."""


class Row(NamedTuple):
    """What the database found."""

    what: str
    seal: int | None
    entry_id: int | None
    public_id: str | None
    detail: str | None

    @property
    def entry(self) -> str:
        return f"entry {self.entry_id}" + (f" (ent_{self.public_id})" if self.public_id else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was found, and of how much."""

    findings: tuple[str, ...]
    """What must not be, in sentences."""
    seals: int
    entries: int
    """Entries under a seal."""
    unsealed: int
    """Entries that wait for one."""
    head: int
    """The newest seal's number; 0 where there is none."""
    head_hash: bytes


def verify(
    *, property_id: int, at: datetime, heads: Mapping[int, bytes] | None = None
) -> Verification:
    """Verify a property's books; writes nothing, and reads every entry that was sealed.

    Args:
        heads: hashes of seals by their numbers, kept outside of this database.
    """
    chain = chain_of(property_id)
    found = _sentences(property_id, chain=chain, at=at, heads=heads or {})
    findings = list(islice(found, NAMED))
    if more := sum(1 for _ in found):
        findings.append(f"and {more} more findings")
    return Verification(
        findings=tuple(findings),
        seals=chain.seals,
        entries=chain.entries,
        unsealed=chain.waiting,
        head=chain.head,
        head_hash=chain.head_hash,
    )


def _sentences(
    property_id: int, *, chain: Chain, at: datetime, heads: Mapping[int, bytes]
) -> Iterator[str]:
    if chain.is_foreign:
        yield "the books were restored from another cluster, and no epoch was begun since"
    for first in range(1, chain.head + 1, SLICE):
        yield from _told(
            "SELECT * FROM ledger_verify_seals(%s, %s, %s)",
            [property_id, first, first + SLICE - 1],
        )
    yield from _told(
        "SELECT * FROM ledger_verify_heads(%s, %s::bigint[], %s::bytea[])",
        [property_id, list(heads), list(heads.values())],
    )
    yield from _told("SELECT * FROM ledger_verify_kept(%s)", [property_id])
    for what, stored, computed in call_many(
        "SELECT what, stored, computed FROM ledger_compare_periods(%s)", [property_id]
    ):
        yield (
            f"the totals of {what}: they say {stored or 'nothing'}, "
            f"and the postings {computed or 'nothing'}"
        )
    yield from _overdue(property_id, chain=chain, at=at)


def _told(statement: str, values: list[object]) -> Iterator[str]:
    for columns in call_many(statement, values):
        row = Row(*columns)
        yield SENTENCES[row.what](row)


def _overdue(property_id: int, *, chain: Chain, at: datetime) -> Iterator[str]:
    since = chain.sealable_since
    if chain.is_foreign or since is None or since > at - LONG:
        return
    # What is played again at a sandbox bears the time that it tells of.
    if not Property.objects.get(pk=property_id).is_sandbox:
        yield (
            f"entries wait for a seal since {since:%Y-%m-%d %H:%M} UTC, and nothing holds them back"
        )


def _changed(row: Row) -> str:
    parts = (row.detail or "").split(",")
    were = "was" if parts == ["head"] else "were"
    return (
        f"{row.entry}: its {' and '.join(parts)} {were} changed "
        f"after it was sealed in seal {row.seal}"
    )


def _unlisted(row: Row) -> str:
    place = f"that seal {row.seal} had sealed" if row.seal else "of an epoch that had ended"
    return f"{row.entry}: it was slipped in among entries {place}"


def _missing(row: Row) -> str:
    first, _, last = (row.detail or "").partition("-")
    return f"seals {first} to {last} are missing" if last else f"seal {first} is missing"


def _taken_away(row: Row) -> str:
    sort, _, numbers = (row.detail or "").partition(" ")
    told = f" that seal {row.seal} tells of" if row.seal else ""
    words = f"numbers {numbers} are" if " to " in numbers else f"number {numbers} is"
    return f"of the {sort}s{told} {words} missing"


def _revalued(row: Row) -> str:
    code, was, now = (row.detail or "").split(" ")
    return f"currency {code}: it has {now} decimals, and had {was} when it was sealed"


SENTENCES: Final[Mapping[str, Callable[[Row], str]]] = {
    "entry_changed": _changed,
    "entry_gone": lambda row: f"{row.entry}: it was deleted after it was sealed in seal {row.seal}",
    "entry_unlisted": _unlisted,
    "account_changed": lambda row: (
        f"account {row.detail}: it was changed after seal {row.seal} had sealed its first posting"
    ),
    "seal_missing": _missing,
    "seal_follows": lambda row: (
        f"seal {row.seal}: it does not follow seal {(row.seal or 0) - 1}"
        if row.seal != 1
        else "seal 1: it does not begin the chain"
    ),
    "seal_changed": lambda row: f"seal {row.seal}: its hash, or what it lists, was changed",
    "seal_digests": lambda row: (
        f"seal {row.seal}: its digests were changed; its entries are as its hash says"
    ),
    "head_gone": lambda row: (
        f"seal {row.seal}: a head that was kept elsewhere, and the chain ends at {row.detail}: "
        "its newest seals were cut off"
    ),
    "head_differs": lambda row: (
        f"seal {row.seal}: it has another hash than the head kept elsewhere"
    ),
    "anchor_missing": lambda row: f"the close of {row.detail}: its anchor is gone",
    "anchor_gone": lambda row: (
        f"the close of {row.detail}: it is anchored in seal {row.seal}, which was cut off"
    ),
    "anchor_differs": lambda row: (
        f"the close of {row.detail}: its anchor is not the hash of seal {row.seal}; "
        "one of the two was changed"
    ),
    "report_differs": lambda row: (
        f"the close of {row.detail}: its report hash is not that of its totals"
    ),
    "announced_differs": lambda row: (
        f"the close of {row.detail}: its hashes are not those that its event announced"
    ),
    "signed_differs": lambda row: (
        f"the close of {row.detail}: who closed it, or when, is not what its event announced"
    ),
    "not_announced": lambda row: f"the close of {row.detail}: its event is gone",
    "reopened": lambda row: (
        f"gaming day {row.detail}: its close was announced, and it is not closed"
    ),
    "kept_changed": lambda row: (
        f"the {row.detail}: it, or the one before it, was changed after it was kept"
    ),
    "kept_missing": _taken_away,
    "kept_differs": lambda row: (
        f"seal {row.seal}: closes or inspections that it tells of were written anew"
    ),
    "sandbox_changed": lambda row: (
        "the property is said to be a sandbox now, and was none when it was sealed"
        if row.detail == "true"
        else "the property is said to be no sandbox now, and was one when it was sealed"
    ),
    "currency_changed": _revalued,
    "closed_early": lambda row: (
        f"the close of {row.detail}: an earlier gaming day, or a shift of one, is open"
    ),
}
