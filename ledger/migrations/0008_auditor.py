"""The auditor reads all of the books."""

from django.db import migrations

from casino.web.auditor import auditor_reads_all


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_functions"), ("web", "0005_auditor")]
    operations = [auditor_reads_all("ledger")]
