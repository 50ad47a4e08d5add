"""The auditor reads the property, its shifts and every setting that it ever had."""

from django.db import migrations

from casino.web.auditor import auditor_reads


class Migration(migrations.Migration):
    dependencies = [("properties", "0002_settings_append_only"), ("web", "0005_auditor")]
    operations = [
        auditor_reads("properties_property"),
        auditor_reads("properties_shift"),
        auditor_reads("properties_setting"),
    ]
