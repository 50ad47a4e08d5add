DROP FUNCTION ledger_balance_on, ledger_balance_at;
