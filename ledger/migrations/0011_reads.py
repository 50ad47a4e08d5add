"""What accounts held in the past, read by functions whose plans are kept."""

from django.db import migrations

from ledger.sql import run


class Migration(migrations.Migration):
    dependencies = [("ledger", "0010_projections")]
    operations = [run("0011_reads")]
