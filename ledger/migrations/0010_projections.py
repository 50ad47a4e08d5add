"""What is kept beside the postings: how it is compared with them, and set right from them."""

from django.db import migrations

from ledger.sql import run


class Migration(migrations.Migration):
    dependencies = [("ledger", "0009_seals"), ("events", "0003_number")]
    operations = [run("0010_projections")]
