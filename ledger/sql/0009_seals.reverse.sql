DROP FUNCTION ledger_shut, ledger_verify_heads, ledger_name_changes, ledger_verify_seals, ledger_begin_epoch,
    ledger_seal_next, ledger_write_seal, ledger_tell, ledger_waiting, ledger_current_epoch, ledger_is_foreign,
    ledger_cluster, ledger_seal_hash, ledger_account_digest, ledger_digests, ledger_day_number,
    ledger_moment;
DROP INDEX ledger_key_entry, ledger_entry_chain;
CREATE INDEX ledger_entry_txid ON ledger_entry (txid);
DROP TABLE ledger_sealed_account;
ALTER TABLE ledger_epoch DROP COLUMN cluster;
