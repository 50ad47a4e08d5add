"""What was emitted stays as it is: PostgreSQL allows a row to be numbered, once, and no more.

The application says what happened and nothing else: id, transaction, number and both of the
service's own times are the database's. What no reader could be shown would stop the feed for
ever, so it never gets in.
"""

from django.db import migrations

from casino.web.append_only import frozen, no_emptying

GUARDS = """
CREATE FUNCTION events_outbox_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.sequence IS NOT NULL OR NEW.txid <> pg_current_xact_id() THEN
        RAISE EXCEPTION 'an event is numbered after its commit' USING ERRCODE = '55000';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION events_outbox_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.sequence IS NOT NULL OR NEW.sequence IS NULL
       OR to_jsonb(NEW) - 'sequence' - 'numbered_at'
          IS DISTINCT FROM to_jsonb(OLD) - 'sequence' - 'numbered_at' THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = '55000';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER events_outbox_insert BEFORE INSERT ON events_outbox
    FOR EACH ROW EXECUTE FUNCTION events_outbox_insert();
CREATE TRIGGER events_outbox_update BEFORE UPDATE ON events_outbox
    FOR EACH ROW EXECUTE FUNCTION events_outbox_update();
ALTER TABLE events_outbox ENABLE ALWAYS TRIGGER events_outbox_insert;
ALTER TABLE events_outbox ENABLE ALWAYS TRIGGER events_outbox_update;
ALTER TABLE events_outbox ADD CONSTRAINT events_outbox_readable CHECK (
    jsonb_typeof(payload) = 'object'
    AND gaming_day BETWEEN '0001-01-02' AND '9999-12-30'
    AND occurred_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z');
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON events_outbox FROM baize_app;
GRANT INSERT (property_id, topic, subject_type, subject_id, version, key, payload, occurred_at,
              gaming_day) ON events_outbox TO baize_app;
"""

NO_GUARDS = """
GRANT INSERT, UPDATE, DELETE ON events_outbox TO baize_app;
ALTER TABLE events_outbox DROP CONSTRAINT events_outbox_readable;
DROP TRIGGER events_outbox_update ON events_outbox;
DROP TRIGGER events_outbox_insert ON events_outbox;
DROP FUNCTION events_outbox_update();
DROP FUNCTION events_outbox_insert();
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0001_initial")]
    operations = [
        migrations.RunSQL(GUARDS, NO_GUARDS),
        frozen("events_outbox", name="events_outbox_frozen", when="DELETE"),
        *no_emptying("events_outbox"),
    ]
