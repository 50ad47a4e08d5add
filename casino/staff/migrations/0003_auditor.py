"""The auditor reads who acted, in which role and under what signature, and no secret of anybody."""

from django.db import migrations

from casino.web.auditor import auditor_reads


class Migration(migrations.Migration):
    dependencies = [("staff", "0002_append_only"), ("web", "0005_auditor")]
    operations = [
        auditor_reads("staff_auditrow"),
        auditor_reads("staff_signature"),
        auditor_reads("staff_employeerole"),
        auditor_reads("staff_rolechoice"),
        # Without `password` and `pin_hash`.
        auditor_reads(
            "staff_employee",
            *("id", "property_id", "number", "name", "preferred_language", "is_active"),
            *("is_staff", "last_login"),
        ),
        # Without `token_hash`: whose tablet it is, not what it shows to be let in.
        auditor_reads(
            "staff_device",
            *("id", "property_id", "name", "place", "enrolled_at", "revoked_at"),
        ),
        auditor_reads(
            "staff_enrolment",
            *("id", "property_id", "name", "place", "made_at", "expires_at", "used_at"),
        ),
    ]
