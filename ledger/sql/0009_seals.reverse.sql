DROP FUNCTION ledger_shut, ledger_verify_kept, ledger_verify_heads, ledger_name_changes,
    ledger_verify_seals, ledger_begin_epoch,
    ledger_seal_next, ledger_write_seal, ledger_tell, ledger_waiting, ledger_current_epoch, ledger_is_foreign,
    ledger_cluster, ledger_seal_hash, ledger_kept, ledger_inspection_digest, ledger_close_digest,
    ledger_account_digest, ledger_digests, ledger_day_number,
    ledger_moment;
DROP INDEX ledger_key_entry, ledger_entry_chain;
CREATE INDEX ledger_entry_txid ON ledger_entry (txid);
DROP TABLE ledger_sealed_account;
ALTER TABLE ledger_epoch DROP COLUMN cluster, DROP COLUMN is_sandbox;
DROP INDEX ledger_period_closes, ledger_inspection_chain;
ALTER TABLE ledger_period DROP COLUMN close_number, DROP COLUMN close_hash;
ALTER TABLE ledger_inspection DROP COLUMN number, DROP COLUMN hash;
ALTER TABLE ledger_seal
    DROP COLUMN closes, DROP COLUMN inspections, DROP COLUMN examinations, DROP COLUMN kept;
