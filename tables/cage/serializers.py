"""Tables, sessions and rounds as programs read and send them.

Source: cage-integration.md 5 and 9; the `round` is that of rules-cli.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from casino.web.ids import public_id
from casino.web.inputs import Input, InstantField, TextField
from casino.web.money import MoneySerializer, money
from ledger import selectors as ledger
from ledger.api.serializers import SidedMoney, sided, transaction_id
from tables.chips.selectors import Band, expected_tray, tray_band
from tables.floor.guards import limits_at
from tables.floor.models import Segment, Table, TableSession
from tables.floor.selectors import next_depth
from tables.floor.states import LIVE, RecordDepth, SessionState
from tables.rounds.models import Round, Source
from tables.rounds.states import RoundState
from tables.settlement.models import SessionTotals

CLOSED: Final = "closed"
"""The status of a table without a session."""
TABLE_STATUSES: Final = [CLOSED, *sorted(LIVE)]
DEPTHS_THAT_CAN_BE_SET: Final = [*RecordDepth.values, "totals"]
TOTALS_STATUSES: Final = ["estimated"]
"""Until a box is counted."""


class LimitsOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """What the table takes on the main wager now."""

    wager_min = MoneySerializer()
    wager_max = MoneySerializer()
    wager_increment = MoneySerializer()


class TrayOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """How full the tray is."""

    band = serializers.ChoiceField(choices=[band.value for band in Band])
    estimate = SidedMoney(
        allow_null=True, help_text="Only for clients that may read the ledger; else null."
    )


class TableOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """A table as it stands."""

    id = serializers.CharField()
    code = serializers.CharField()
    pit = serializers.CharField()
    game = serializers.CharField()
    seats = serializers.IntegerField()
    record_depth = serializers.ChoiceField(
        choices=DEPTHS_THAT_CAN_BE_SET, help_text="What the next session will record."
    )
    status = serializers.ChoiceField(choices=TABLE_STATUSES)
    limits = LimitsOutput()
    current_session = serializers.CharField(allow_null=True)
    tray = TrayOutput(allow_null=True, help_text="Null while the table is closed.")


class ProfileOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """The rules that a session froze when it opened."""

    code = serializers.CharField()
    version = serializers.IntegerField()
    game = serializers.CharField()
    digest = serializers.CharField(help_text="SHA-256 of game and options.")
    options = serializers.DictField()


class SessionOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """One table session."""

    id = serializers.CharField()
    table = serializers.CharField()
    number = serializers.IntegerField()
    gaming_day = serializers.DateField()
    status = serializers.ChoiceField(choices=SessionState.values)
    version = serializers.IntegerField()
    opened_at = serializers.DateTimeField(allow_null=True)
    closing_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    rounds_started = serializers.IntegerField()
    record_depth = serializers.ChoiceField(choices=RecordDepth.values)
    profile = ProfileOutput()


class SegmentOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """A part of a session between two counts."""

    number = serializers.IntegerField()
    shift = serializers.CharField(allow_blank=True)
    opener = MoneySerializer()
    closer = MoneySerializer(allow_null=True)


class SegmentsOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """All segments of a session."""

    segments = SegmentOutput(many=True)


class TotalsOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """The figures of a settled version of a session (table-operations.md 7)."""

    settlement_version = serializers.IntegerField()
    status = serializers.ChoiceField(choices=TOTALS_STATUSES, help_text="Until a box is counted.")
    opener = MoneySerializer()
    closer = MoneySerializer()
    fills = MoneySerializer()
    credits = MoneySerializer()
    box_recorded = MoneySerializer()
    expected_tray = SidedMoney()
    chip_variance = SidedMoney()
    main_net = SidedMoney()
    commission = MoneySerializer()
    handle = MoneySerializer()
    drop = MoneySerializer()
    win = SidedMoney(help_text="A credit is the house's.")
    hold_bps = serializers.IntegerField(
        allow_null=True, help_text="Win over drop in hundredths of a percent."
    )
    rounds = serializers.IntegerField()


class RoundOutput(serializers.Serializer):  # type: ignore[type-arg]  # takes none when run
    """One round, briefly."""

    id = serializers.CharField()
    table_session = serializers.CharField()
    table = serializers.CharField()
    number = serializers.IntegerField(help_text="Gapless within the session.")
    version = serializers.IntegerField()
    status = serializers.ChoiceField(choices=RoundState.values)
    depth = serializers.ChoiceField(choices=RecordDepth.values)
    source = serializers.ChoiceField(choices=Source.values)  # type: ignore[assignment]  # as above
    gaming_day = serializers.DateField()
    occurred_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    house_net = SidedMoney(
        allow_null=True, help_text="A credit is the house's; null until it is settled."
    )


class RoundDetailOutput(RoundOutput):
    """One round with everything that it was settled from and by."""

    profile = serializers.CharField(help_text="Digest of the rules that it was played under.")
    record = serializers.DictField(help_text="What the rules were given.")
    result = serializers.DictField(
        allow_null=True, help_text="Seats, bank, transfers and the written steps."
    )
    transaction = serializers.CharField(
        allow_null=True, help_text="The ledger entry; null where nothing moved."
    )


class RoundInput(Input):
    """A round as it was dealt; it is settled in the same call."""

    table_session = TextField(max_length=40, help_text="`ses_12`, which is open.")
    occurred_at = InstantField(help_text="When it was dealt, with its offset.")
    round = serializers.DictField(
        help_text="`bank` and `seats` as the rules tool takes them: wagers in minor units, "
        "hands as tokens, a set or `house_way`."
    )


def show_table(table: Table, session: TableSession | None, *, at: Any, exact: bool) -> Any:
    """Return the members of a table; *exact* tells the expected tray to the minor unit."""
    currency = table.property.currency
    limits = limits_at(table, at)
    return {
        "id": public_id("tbl", table.pk),
        "code": table.code,
        "pit": table.pit.code,
        "game": table.profile.game,
        "seats": table.seats,
        "record_depth": next_depth(table, at=at),
        "status": session.state if session else CLOSED,
        "limits": {
            "wager_min": money(limits.wager_min, currency),
            "wager_max": money(limits.wager_max, currency),
            "wager_increment": money(limits.wager_increment, currency),
        },
        "current_session": public_id("ses", session.pk) if session else None,
        "tray": session
        and {
            "band": tray_band(session),
            "estimate": sided(expected_tray(session), currency) if exact else None,
        },
    }


def show_session(session: TableSession) -> dict[str, Any]:
    """Return the members of a session."""
    profile = session.profile
    return {
        "id": public_id("ses", session.pk),
        "table": session.table.code,
        "number": session.number,
        "gaming_day": session.gaming_day,
        "status": session.state,
        "version": session.revision,
        "opened_at": session.opened_at,
        "closing_at": session.closing_at,
        "closed_at": session.closed_at,
        "rounds_started": session.rounds_started,
        "record_depth": session.record_depth,
        "profile": {
            "code": profile.code,
            "version": profile.version,
            "game": profile.game,
            "digest": profile.digest,
            "options": profile.options,
        },
        "place": session.pk,
    }


def show_segment(segment: Segment, currency: str) -> dict[str, Any]:
    """Return the members of a segment."""
    return {
        "number": segment.number,
        "shift": segment.shift,
        "opener": money(segment.opener.total, currency),
        "closer": money(segment.closer.total, currency) if segment.closer else None,
    }


def show_totals(totals: SessionTotals, currency: str) -> dict[str, Any]:
    """Return the members of a session's totals; what the house gains is a credit."""
    return {
        "settlement_version": totals.run.version,
        "status": "estimated",
        "opener": money(totals.opener, currency),
        "closer": money(totals.closer, currency),
        "fills": money(totals.fills, currency),
        "credits": money(totals.credits, currency),
        "box_recorded": money(totals.box_recorded, currency),
        "expected_tray": sided(totals.expected_tray, currency),
        "chip_variance": sided(-totals.chip_variance, currency),
        "main_net": sided(-(totals.main_net or 0), currency),
        "commission": money(totals.commission or 0, currency),
        "handle": money(totals.handle or 0, currency),
        "drop": money(totals.drop or 0, currency),
        "win": sided(-(totals.estimated_win or 0), currency),
        "hold_bps": totals.hold_bps,
        "rounds": totals.rounds or 0,
    }


def show_round(round_: Round) -> dict[str, Any]:
    """Return the members of a round without its record and result."""
    currency = round_.session.property.currency
    return {
        "id": public_id("rnd", round_.pk),
        "table_session": public_id("ses", round_.session_id),
        "table": round_.session.table.code,
        "number": round_.number,
        "version": round_.version,
        "status": round_.state,
        "depth": round_.depth,
        "source": round_.source,
        "gaming_day": round_.gaming_day,
        "occurred_at": round_.occurred_at,
        "recorded_at": round_.recorded_at,
        "settled_at": round_.settled_at,
        "house_net": None if round_.house_net is None else sided(-round_.house_net, currency),
        "place": round_.pk,
    }


def show_round_detail(round_: Round) -> Mapping[str, Any]:
    """Return all members of a round."""
    entry = ledger.entry_detail(round_.entry_id).entry if round_.entry_id else None
    return show_round(round_) | {
        "profile": round_.profile.digest,
        "record": round_.record,
        "result": round_.result,
        "transaction": transaction_id(entry.public_id) if entry else None,
    }
