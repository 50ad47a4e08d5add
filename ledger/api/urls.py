"""Addresses of the books, below `/api/v1/`."""

from django.urls import path

from ledger.api.views import (
    AccountListView,
    BalanceView,
    StatementView,
    TransactionListView,
    TransactionView,
    TrialBalanceView,
)

app_name = "ledger"
urlpatterns = [
    path("ledger/transactions", TransactionListView.as_view(), name="transactions"),
    path("ledger/transactions/<str:transaction_id>", TransactionView.as_view(), name="transaction"),
    path("ledger/accounts", AccountListView.as_view(), name="accounts"),
    path("ledger/accounts/<path:no>/statement", StatementView.as_view(), name="statement"),
    path("ledger/accounts/<path:no>/balance", BalanceView.as_view(), name="balance"),
    path("ledger/trial-balance", TrialBalanceView.as_view(), name="trial-balance"),
]
