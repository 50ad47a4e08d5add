"""The chain of seals: how entries get into it, and how it is verified."""

from django.db import migrations

from casino.web.append_only import append_only
from casino.web.auditor import auditor_reads
from ledger.sql import run


class Migration(migrations.Migration):
    dependencies = [("ledger", "0008_auditor"), ("events", "0005_told_after_the_commit")]
    operations = [
        run("0009_seals"),
        *append_only("ledger_sealed_account"),
        auditor_reads("ledger_sealed_account"),
    ]
