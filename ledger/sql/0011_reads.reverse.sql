DROP FUNCTION ledger_balance_on, ledger_balance_at, ledger_held_at;
