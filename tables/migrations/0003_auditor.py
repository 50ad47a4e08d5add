"""The auditor reads every round, count and settlement that the books are explained by."""

from django.db import migrations

from casino.web.auditor import auditor_reads_all


class Migration(migrations.Migration):
    dependencies = [("tables", "0002_guards"), ("web", "0005_auditor")]
    operations = [auditor_reads_all("tables")]
