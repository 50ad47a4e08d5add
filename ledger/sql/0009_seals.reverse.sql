CREATE OR REPLACE FUNCTION ledger_shut(
        for_property bigint, day date, its_shift text, by_actor text, by_approver text,
        at timestamptz)
    RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
    its_totals jsonb := ledger_period_totals(for_property, day, its_shift);
    its_hash bytea := ledger_report_hash(day, its_shift, its_totals);
    head record;
BEGIN
    SELECT number, hash INTO head FROM ledger_seal
        WHERE property_id = for_property ORDER BY number DESC LIMIT 1;
    INSERT INTO ledger_period AS period
            (property_id, gaming_day, shift, status, opened_at, opened_by, closed_at, closed_by,
             approved_by, recorded_at, last_entry_id, totals, report_hash, anchor_seal, anchor_hash)
        VALUES (for_property, day, its_shift, 'closed', at, by_actor, at, by_actor, by_approver,
                ledger_clock(for_property, at),
                (SELECT max(id) FROM ledger_entry
                 WHERE property_id = for_property AND gaming_day = day
                   AND (its_shift = '' OR shift = its_shift)),
                its_totals, its_hash, head.number, head.hash)
        ON CONFLICT (property_id, gaming_day, shift) DO UPDATE
        SET status = 'closed', closed_at = at, closed_by = by_actor, approved_by = by_approver,
            recorded_at = EXCLUDED.recorded_at, last_entry_id = EXCLUDED.last_entry_id,
            totals = its_totals, report_hash = its_hash, anchor_seal = head.number,
            anchor_hash = head.hash;
    RETURN its_hash;
END
$$;
DROP FUNCTION ledger_verify_heads, ledger_name_changes, ledger_verify_seals, ledger_begin_epoch,
    ledger_seal_next, ledger_write_seal, ledger_waiting, ledger_current_epoch, ledger_is_foreign,
    ledger_cluster, ledger_seal_hash, ledger_account_digest, ledger_digests, ledger_day_number,
    ledger_moment;
DROP INDEX ledger_key_entry, ledger_entry_chain;
CREATE INDEX ledger_entry_txid ON ledger_entry (txid);
DROP TABLE ledger_sealed_account;
ALTER TABLE ledger_epoch DROP COLUMN cluster;
