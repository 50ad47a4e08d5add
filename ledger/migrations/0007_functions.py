"""The write path with shifts, currencies, references, batches, closed totals and slips."""

from django.db import migrations

from ledger.sql import run


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_guards")]
    operations = [run("0007_functions")]
