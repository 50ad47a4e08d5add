"""The one write path: functions of the owner that the application may call."""

from django.db import migrations

from ledger.sql import run


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_guards"), ("events", "0003_number")]
    operations = [run("0004_functions")]
