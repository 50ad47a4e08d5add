DROP TABLE ledger_inspection, ledger_seal, ledger_epoch, ledger_slip, ledger_series, ledger_snapshot;
ALTER TABLE ledger_period DISABLE TRIGGER ledger_period_frozen;
DELETE FROM ledger_period WHERE shift <> '';
ALTER TABLE ledger_period ENABLE ALWAYS TRIGGER ledger_period_frozen;
ALTER TABLE ledger_period
    DROP CONSTRAINT ledger_period_anchor,
    DROP CONSTRAINT ledger_period_shift,
    DROP CONSTRAINT ledger_period_pkey,
    DROP COLUMN anchor_hash,
    DROP COLUMN anchor_seal,
    DROP COLUMN report_hash,
    DROP COLUMN totals,
    DROP COLUMN recorded_at,
    DROP COLUMN approved_by,
    DROP COLUMN shift,
    ADD PRIMARY KEY (property_id, gaming_day);
DROP INDEX ledger_entry_kind, ledger_entry_reversed_once, ledger_entry_restated_once;
ALTER TABLE ledger_entry
    ADD CONSTRAINT ledger_entry_reversed_once UNIQUE (reverses_id),
    ADD CONSTRAINT ledger_entry_check CHECK (reverses_id < id),
    DROP COLUMN rate_bought,
    DROP COLUMN rate_sold,
    DROP COLUMN late_day,
    DROP COLUMN corrects_id,
    DROP COLUMN restates_id;
ALTER TABLE ledger_account
    DROP COLUMN parent,
    DROP CONSTRAINT ledger_account_of_currency,
    DROP CONSTRAINT ledger_account_type,
    DROP CONSTRAINT ledger_account_instrument;
ALTER TABLE ledger_account DISABLE TRIGGER ledger_account_fixed;
UPDATE ledger_account SET instrument = renamed.was
    FROM (VALUES ('chips', 'value_chip'), ('vouchers', 'voucher'), ('markers', 'marker'),
                 ('lammers', 'lammer')) AS renamed (was, word)
    WHERE instrument = renamed.word;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_account_fixed;
ALTER TABLE ledger_balance RESET (autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor);
