"""The auditor reads what was told to other programs."""

from django.db import migrations

from casino.web.auditor import auditor_reads


class Migration(migrations.Migration):
    dependencies = [("events", "0003_number"), ("web", "0005_auditor")]
    operations = [auditor_reads("events_outbox")]
