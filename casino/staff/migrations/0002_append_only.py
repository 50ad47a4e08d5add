"""Signatures, audit rows and the choice of a role are never taken back."""

from django.db import migrations

from casino.web.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("staff", "0001_initial"), ("web", "0001_roles")]
    operations = [
        *append_only("staff_rolechoice"),
        *append_only("staff_signature"),
        *append_only("staff_auditrow"),
    ]
