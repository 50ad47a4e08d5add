DROP FUNCTION ledger_rebuild, ledger_compare, ledger_compare_periods, ledger_compare_snapshots,
    ledger_compare_balances;
