DROP TABLE ledger_period, ledger_key, ledger_denom, ledger_posting, ledger_entry, ledger_balance,
    ledger_account, ledger_currency;
