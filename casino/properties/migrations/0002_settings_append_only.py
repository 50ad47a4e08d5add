"""A setting changes by a new row; the old one stays as it was."""

from django.db import migrations

from casino.web.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("properties", "0001_initial"), ("web", "0001_roles")]
    operations = append_only("properties_setting")
