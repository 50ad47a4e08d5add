"""The auditor's role: nobody's login, and no rights but those that each app's migration names."""

from django.db import migrations

from casino.web.auditor import auditor_reads

# As the application's role is made (0001_roles), but that the owner does not become a member: it
# never works as the auditor, and may grant what it owns to anybody.
MAKE_ROLE = """
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'baize_auditor') THEN
        BEGIN
            CREATE ROLE baize_auditor NOLOGIN;
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN
                NULL;  -- the other run made it
            WHEN insufficient_privilege THEN
                RAISE EXCEPTION '% may not create the role baize_auditor', current_user
                    USING ERRCODE = '42501',
                          HINT = 'Let an administrator run: CREATE ROLE baize_auditor NOLOGIN;';
        END;
    END IF;
END
$$;
"""

# A database that was closed to the public needs these; elsewhere they change nothing.
OPEN_DATABASE = """
DO $$
BEGIN
    IF NOT has_database_privilege('baize_auditor', current_database(), 'CONNECT') THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO baize_auditor', current_database());
    END IF;
    IF NOT has_schema_privilege('baize_auditor', current_schema(), 'USAGE') THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO baize_auditor', current_schema());
    END IF;
END
$$;
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0004_api_version")]
    operations = [
        # The role outlives a reversal: other databases of the cluster may use it.
        migrations.RunSQL(MAKE_ROLE, migrations.RunSQL.noop),
        migrations.RunSQL(OPEN_DATABASE, migrations.RunSQL.noop),
        # Which program `client:cage-1` is, and what it may do; its secret lies elsewhere.
        auditor_reads("web_apiclient"),
    ]
