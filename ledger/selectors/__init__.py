"""Reads of the books; none costs more as history grows, but for the movements of whole days."""

from ledger.selectors.entry_rows import details, entry_detail, entry_id_of, entry_row
from ledger.selectors.past import balance_after_entry, balance_at, balance_on
from ledger.selectors.present import account_balances, balance, balances
from ledger.selectors.records import (
    AccountNode,
    EntryDetail,
    EntryRow,
    Held,
    LineRow,
    NumberNode,
    StatementRow,
    TrialBalanceRow,
    TypeNode,
)
from ledger.selectors.seals import seal_of
from ledger.selectors.searches import entries, kinds, search_entries
from ledger.selectors.statements import statement
from ledger.selectors.trees import account_children, account_tree, child_at
from ledger.selectors.trial_balances import trial_balance

__all__ = [
    "AccountNode",
    "EntryDetail",
    "EntryRow",
    "Held",
    "LineRow",
    "NumberNode",
    "StatementRow",
    "TrialBalanceRow",
    "TypeNode",
    "account_balances",
    "account_children",
    "account_tree",
    "balance",
    "balance_after_entry",
    "balance_at",
    "balance_on",
    "balances",
    "child_at",
    "details",
    "entries",
    "entry_detail",
    "entry_id_of",
    "entry_row",
    "kinds",
    "seal_of",
    "search_entries",
    "statement",
    "trial_balance",
]
