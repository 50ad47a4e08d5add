"""The application's role, what it may do, and the guard of append-only tables.

The owner's login runs migrations; every other process works as `baize_app`. Default privileges
cover what the owner makes later, so the order of the apps' migrations does not matter.
"""

from django.db import migrations

# Roles belong to the cluster, so no lock of this database keeps a second run away: two runs at the
# same moment are told apart by the catalog's unique keys, and the loser finds the work done.
# Before PostgreSQL 16 membership is the right to SET ROLE; from then on it is a right of its own.
MAKE_ROLE = """
DO $$
DECLARE
    may_set text := CASE WHEN current_setting('server_version_num')::int >= 160000
                         THEN 'SET' ELSE 'MEMBER' END;
    for_administrator text := format(
        'Let an administrator run: CREATE ROLE baize_app NOLOGIN; GRANT baize_app TO %I;',
        current_user);
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'baize_app') THEN
        BEGIN
            CREATE ROLE baize_app NOLOGIN;
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN
                NULL;  -- the other run made it
            WHEN insufficient_privilege THEN
                RAISE EXCEPTION '% may not create the role baize_app', current_user
                    USING ERRCODE = '42501', HINT = for_administrator;
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'baize_app', may_set) THEN
        BEGIN
            EXECUTE format('GRANT baize_app TO %I', current_user);
        EXCEPTION
            WHEN unique_violation OR internal_error THEN
                -- PostgreSQL 15 reports the other run's grant as "tuple concurrently updated".
                IF NOT pg_has_role(current_user, 'baize_app', may_set) THEN
                    RAISE;
                END IF;
            WHEN insufficient_privilege THEN
                RAISE EXCEPTION '% may not work as the role baize_app', current_user
                    USING ERRCODE = '42501',
                          HINT = replace(for_administrator, 'CREATE ROLE baize_app NOLOGIN; ', '');
        END;
    END IF;
END
$$;
"""

# A database that was closed to the public needs these; elsewhere they change nothing.
OPEN_DATABASE = """
DO $$
BEGIN
    IF NOT has_database_privilege('baize_app', current_database(), 'CONNECT') THEN
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO baize_app', current_database());
    END IF;
    IF NOT has_schema_privilege('baize_app', current_schema(), 'USAGE') THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO baize_app', current_schema());
    END IF;
END
$$;
"""

GRANT_TABLES = """
DO $$
BEGIN
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO baize_app',
                   current_schema());
    EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO baize_app', current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE'
                   ' ON TABLES TO baize_app', current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT USAGE ON SEQUENCES TO baize_app',
                   current_schema());
END
$$;
"""

REVOKE_TABLES = """
DO $$
BEGIN
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I REVOKE USAGE ON SEQUENCES FROM baize_app',
                   current_schema());
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I REVOKE SELECT, INSERT, UPDATE, DELETE'
                   ' ON TABLES FROM baize_app', current_schema());
    EXECUTE format('REVOKE ALL ON ALL SEQUENCES IN SCHEMA %I FROM baize_app', current_schema());
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM baize_app', current_schema());
END
$$;
"""

FROZEN = """
CREATE FUNCTION web_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '55000';
END
$$;
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        # The role outlives a reversal: other databases of the cluster may use it.
        migrations.RunSQL(MAKE_ROLE, migrations.RunSQL.noop),
        migrations.RunSQL(OPEN_DATABASE, migrations.RunSQL.noop),
        migrations.RunSQL(GRANT_TABLES, REVOKE_TABLES),
        migrations.RunSQL(FROZEN, "DROP FUNCTION web_frozen()"),
    ]
