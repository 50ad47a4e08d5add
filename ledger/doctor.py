"""Whether the database still guards the books as the migrations left it, and whether they add up.

Each question is one statement that answers what is wrong, so that nothing is right by default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import connection

from ledger.chart import CHART
from ledger.doctor_bodies import altered
from ledger.doctor_roles import AUDITOR

TRIGGERS: Final[Mapping[str, tuple[str, ...]]] = {
    "ledger_account": ("fixed", "frozen", "kept"),
    "ledger_balance": ("fixed", "frozen", "kept"),
    "ledger_entry": ("has_postings", "frozen", "kept"),
    "ledger_posting": ("check", "frozen", "kept"),
    "ledger_denom": ("check", "frozen", "kept"),
    "ledger_key": ("frozen", "kept"),
    "ledger_period": ("fixed", "closed", "frozen", "kept"),
    "ledger_currency": ("fixed",),
    "ledger_snapshot": ("kept",),
    "ledger_series": ("fixed", "onward", "frozen", "kept"),
    "ledger_slip": ("frozen", "kept"),
    "ledger_epoch": ("frozen", "kept"),
    "ledger_seal": ("frozen", "kept"),
    "ledger_sealed_account": ("frozen", "kept"),
    "ledger_inspection": ("frozen", "kept"),
    "properties_property": ("books",),
}
"""By table, the last word of each trigger's name."""

CALLABLE: Final = (
    "ledger_balance_at",
    "ledger_balance_on",
    "ledger_begin_epoch",
    "ledger_close_account",
    "ledger_close_day",
    "ledger_close_shift",
    "ledger_compare",
    "ledger_compare_periods",
    "ledger_draw_slip",
    "ledger_first_of_later_days",
    "ledger_is_foreign",
    "ledger_note_inspection",
    "ledger_open_account",
    "ledger_open_day",
    "ledger_post",
    "ledger_post_many",
    "ledger_rebuild",
    "ledger_reverse",
    "ledger_seal_next",
    "ledger_verify_heads",
    "ledger_verify_kept",
    "ledger_verify_seals",
)
"""The functions that the application may call, and no others."""

GUARDS: Final[Mapping[str, str]] = {
    "trigger {} is missing, or not enabled ALWAYS": """
        SELECT wanted FROM unnest(%(triggers)s::text[]) AS wanted
        WHERE wanted NOT IN (SELECT tgname FROM pg_trigger WHERE tgenabled = 'A')
    """,
    "function {} does not belong to the owner of the books": """
        SELECT proname FROM pg_proc JOIN pg_class ON relname = 'ledger_posting'
        WHERE proname LIKE 'ledger\\_%%' AND proowner <> relowner
    """,
    "function {} may be called by the application": """
        SELECT proname FROM pg_proc
        WHERE proname LIKE 'ledger\\_%%' AND proname <> ALL (%(callable)s)
          AND has_function_privilege(%(role)s, oid, 'EXECUTE')
    """,
    "the application may not call function {}": """
        SELECT proname FROM pg_proc
        WHERE proname = ANY (%(callable)s)
          AND NOT has_function_privilege(%(role)s, oid, 'EXECUTE')
    """,
    "the application may {}": """
        SELECT format('%%s %%s', privilege, relname)
        FROM pg_class, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER'])
             AS privilege
        WHERE relname LIKE 'ledger\\_%%' AND relkind IN ('r', 'p')
          AND (has_table_privilege(%(role)s, oid, privilege)
               OR privilege IN ('INSERT', 'UPDATE')
                  AND has_any_column_privilege(%(role)s, oid, privilege))
    """,
    "the application's role owns {}, so it may do anything to it": """
        SELECT relname FROM pg_class
        WHERE relname LIKE 'ledger\\_%%' AND pg_has_role(%(role)s, relowner, 'MEMBER')
    """,
    "this process works as {}, not as the application's role": """
        SELECT current_user WHERE current_user <> %(role)s
    """,
}

BOOKS: Final[Mapping[str, str]] = {
    "the balance of account {} is not the sum of its postings": """
        SELECT format('%%s of property %%s', account.code, account.property_id)
        FROM ledger_balance AS balance
        JOIN ledger_account AS account ON account.id = balance.account_id
        LEFT JOIN (
            SELECT account_id, shard, count(*) AS postings, max(account_version) AS version,
                   coalesce(sum(amount) FILTER (WHERE amount > 0), 0) AS debit,
                   coalesce(-sum(amount) FILTER (WHERE amount < 0), 0) AS credit
            FROM ledger_posting GROUP BY account_id, shard
        ) AS posted ON posted.account_id = balance.account_id AND posted.shard = balance.shard
        WHERE (balance.debit, balance.credit, balance.version, balance.version)
              <> (coalesce(posted.debit, 0), coalesce(posted.credit, 0),
                  coalesce(posted.postings, 0), coalesce(posted.version, 0))
        ORDER BY 1
    """,
    "entry {} does not balance, or has other legs than it says": """
        SELECT entry.id::text
        FROM ledger_entry AS entry
        LEFT JOIN (
            SELECT entry_id, sum(legs) AS legs, bool_and(off = 0) AS is_balanced
            FROM (SELECT entry_id, currency, count(*) AS legs, sum(amount) AS off
                  FROM ledger_posting GROUP BY entry_id, currency) AS by_currency
            GROUP BY entry_id
        ) AS posted ON posted.entry_id = entry.id
        WHERE posted.is_balanced IS NOT TRUE OR posted.legs <> entry.legs
        ORDER BY entry.id
    """,
    "the trial balance is off: {}": """
        SELECT format('property %%s by %%s %%s', property_id, sum(debit - credit), currency)
        FROM ledger_balance GROUP BY property_id, currency HAVING sum(debit - credit) <> 0
    """,
}

ACCOUNTS: Final[Mapping[str, str]] = {
    "account {} is not in the chart": """
        SELECT format('%%s of property %%s', code, property_id) FROM ledger_account
        WHERE number <> ALL (%(numbers)s) ORDER BY 1
    """,
    # The instrument is what the code writes, or the chart's where the code says nothing.
    "account {}, is not what the chart says of it": """
        SELECT format('%%s of property %%s, by its %%s', account.code, account.property_id,
                      differs.words)
        FROM ledger_account AS account
        JOIN unnest(%(numbers)s::text[], %(types)s::text[], %(sides)s::integer[],
                    %(instruments)s::text[], %(shards)s::integer[], %(floors)s::bigint[])
             AS chart (number, type, side, instrument, shards, floor) USING (number)
        CROSS JOIN LATERAL (
            SELECT count(*) AS shards, bool_and(side = chart.side) AS is_side,
                   bool_and(shards = chart.shards) AS is_shards,
                   bool_and(floor IS NOT DISTINCT FROM chart.floor) AS is_floor
            FROM ledger_balance WHERE account_id = account.id
        ) AS balance
        CROSS JOIN LATERAL (
            SELECT concat_ws(', ',
                CASE WHEN account.type <> chart.type THEN 'type' END,
                CASE WHEN account.side <> chart.side OR NOT balance.is_side THEN 'side' END,
                CASE WHEN account.instrument <> coalesce(
                    substring(account.code FROM '/instrument:([^/]+)'), chart.instrument)
                    THEN 'instrument' END,
                CASE WHEN account.shards <> chart.shards OR balance.shards <> chart.shards
                    OR NOT balance.is_shards THEN 'shards' END,
                CASE WHEN NOT balance.is_floor THEN 'floor' END) AS words
        ) AS differs
        WHERE differs.words <> ''
        ORDER BY 1
    """,
    "account {} takes postings though it is closed, or takes none though it is open": """
        SELECT DISTINCT format('%%s of property %%s', account.code, account.property_id)
        FROM ledger_account AS account
        JOIN ledger_balance AS balance ON balance.account_id = account.id
        WHERE balance.is_open <> (account.closed_at IS NULL)
        ORDER BY 1
    """,
}

CHAIN: Final[Mapping[str, str]] = {
    "the books of {} were restored from another cluster: verify them, then begin an epoch": """
        SELECT code FROM properties_property WHERE ledger_is_foreign(id) ORDER BY 1
    """,
    # What is played again at a sandbox bears the time that it tells of.
    "entries of {} wait for a seal for more than an hour, and nothing holds them back": """
        SELECT property.code FROM properties_property AS property
        LEFT JOIN LATERAL (
            SELECT epoch, after_entry_id FROM ledger_epoch AS begun
            WHERE begun.property_id = property.id ORDER BY epoch DESC LIMIT 1
        ) AS begun ON true
        LEFT JOIN LATERAL (
            SELECT upto_txid FROM ledger_seal AS seal
            WHERE seal.property_id = property.id AND seal.epoch = begun.epoch
            ORDER BY number DESC LIMIT 1
        ) AS reached ON true
        WHERE NOT property.is_sandbox AND NOT ledger_is_foreign(property.id) AND EXISTS (
            SELECT FROM ledger_entry AS entry
            WHERE entry.property_id = property.id
              AND entry.id > coalesce(begun.after_entry_id, 0)
              AND entry.txid > coalesce(reached.upto_txid, '0')
              AND entry.txid < pg_snapshot_xmin(pg_current_snapshot())
              AND entry.recorded_at < clock_timestamp() - interval '1 hour')
        ORDER BY 1
    """,
}

EARLIER: Final[Mapping[str, str]] = {
    "the last examination found what must not be: {}": """
        SELECT format('%%s of %%s at %%s UTC, %%s findings', latest.kind, property.code,
                      to_char(latest.at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'),
                      cardinality(latest.findings))
        FROM properties_property AS property
        CROSS JOIN unnest(ARRAY['compare', 'verify']) AS wanted (kind)
        CROSS JOIN LATERAL (
            SELECT kind, at, findings FROM ledger_inspection AS inspection
            WHERE inspection.property_id = property.id AND inspection.kind = wanted.kind
            ORDER BY id DESC LIMIT 1
        ) AS latest
        WHERE latest.findings <> '{}'
        ORDER BY 1
    """,
}
"""What other examinations keep themselves: the doctor says it and does not keep it again."""

WEAKNESSES: Final[Mapping[str, str]] = {
    "the books of {} were not verified for two days: are worker and beat running?": """
        SELECT property.code FROM properties_property AS property
        CROSS JOIN LATERAL (
            SELECT recorded_at AS at FROM ledger_entry AS entry
            WHERE entry.property_id = property.id ORDER BY id LIMIT 1
        ) AS begun
        LEFT JOIN LATERAL (
            SELECT sealed_at AS at FROM ledger_seal AS seal
            WHERE seal.property_id = property.id ORDER BY number LIMIT 1
        ) AS sealed ON true
        LEFT JOIN LATERAL (
            SELECT max(at) AS at FROM ledger_inspection AS inspection
            WHERE inspection.property_id = property.id AND inspection.kind = 'verify'
        ) AS verified ON true
        WHERE coalesce(verified.at, greatest(begun.at, sealed.at))
              <= clock_timestamp() - interval '2 days'
        ORDER BY 1
    """,
    "one login: {} owns the books and only steps down to the application's role. Whoever can run "
    "SQL as the application can step up again; give it a login of its own (DATABASE_URL) and keep "
    "the owner's for migrate (DATABASE_OWNER_URL)": """
        SELECT session_user FROM pg_class
        WHERE relname = 'ledger_posting' AND pg_has_role(session_user, relowner, 'MEMBER')
    """,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What an examination found, in sentences."""

    findings: tuple[str, ...]
    """What must not be."""
    earlier: tuple[str, ...]
    """What must not be either, and other examinations found."""
    weaknesses: tuple[str, ...]
    """What a property should not do, and a laptop may."""


def examine() -> Diagnosis:
    """Examine guards, privileges and sums, and what is sealed; reads every posting."""
    questions = (GUARDS, AUDITOR, BOOKS, ACCOUNTS, CHAIN)
    found = (finding for asked in questions for finding in answers(asked))
    return Diagnosis(
        findings=(*altered(), *found),
        earlier=tuple(answers(EARLIER)),
        weaknesses=tuple(answers(WEAKNESSES)),
    )


def answers(questions: Mapping[str, str]) -> Iterator[str]:
    """Put *questions* to the database and yield what is wrong, in sentences."""
    values: dict[str, Any] = {
        "triggers": [f"{table}_{word}" for table, words in TRIGGERS.items() for word in words],
        "callable": list(CALLABLE),
        "role": settings.APPLICATION_ROLE,
        "numbers": list(CHART),
        "types": [rule.type for rule in CHART.values()],
        "sides": [rule.side for rule in CHART.values()],
        "instruments": [rule.instrument for rule in CHART.values()],
        "shards": [rule.shards for rule in CHART.values()],
        "floors": [rule.floor for rule in CHART.values()],
    }
    with connection.cursor() as cursor:
        for sentence, question in questions.items():
            cursor.execute(question, values)
            yield from (sentence.format(name) for (name,) in cursor.fetchall())
