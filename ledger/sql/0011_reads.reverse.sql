DROP FUNCTION ledger_balance_on, ledger_first_of_later_days, ledger_balance_at, ledger_held_at;
