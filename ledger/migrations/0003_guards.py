"""What the tables refuse by themselves, whoever writes: each entry balances and stays as it is."""

from django.db import migrations

from casino.web.append_only import append_only, frozen, no_emptying
from ledger.sql import run


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_currencies")]
    operations = [
        run("0003_guards"),
        *(
            operation
            for table in ("ledger_entry", "ledger_posting", "ledger_denom", "ledger_key")
            for operation in append_only(table)
        ),
        *(
            operation
            for table in ("ledger_account", "ledger_balance", "ledger_period")
            for operation in (
                frozen(table, name=f"{table}_frozen", when="DELETE"),
                *no_emptying(table),
            )
        ),
    ]
