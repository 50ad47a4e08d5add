"""What the new tables and columns refuse by themselves."""

from django.db import migrations

from casino.web.append_only import append_only, frozen, no_emptying
from ledger.sql import run


class Migration(migrations.Migration):
    dependencies = [("ledger", "0005_tables")]
    operations = [
        run("0006_guards"),
        *(
            operation
            for table in ("ledger_slip", "ledger_epoch", "ledger_seal", "ledger_inspection")
            for operation in append_only(table)
        ),
        frozen("ledger_series", name="ledger_series_frozen", when="DELETE"),
        *no_emptying("ledger_series"),
        # A projection: it is rebuilt from the postings where it is wrong.
        *no_emptying("ledger_snapshot"),
    ]
