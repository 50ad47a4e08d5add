DROP FUNCTION ledger_reverse, ledger_post, ledger_write, ledger_refuse_movement, ledger_difference,
    ledger_close_account, ledger_open_account, ledger_close_day, ledger_open_day, ledger_enter_day,
    ledger_begin_day, ledger_day_lock;
