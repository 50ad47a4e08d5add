"""The only way in which an event gets its number.

Runs as the owner, because the application may not update the outbox. One property is numbered by
one transaction at a time; a second one leaves the work to the first and answers 0.
"""

from django.db import migrations

NUMBER = """
CREATE FUNCTION events_number(for_property bigint, at_most integer) RETURNS integer
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    horizon xid8;
    reached bigint;
    numbered integer;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtextextended('events_number', for_property)) THEN
        RETURN 0;
    END IF;
    -- Every transaction below the horizon has ended, so nothing can still appear before a row
    -- that lies below it, however long some transaction has been running.
    horizon := pg_snapshot_xmin(pg_current_snapshot());
    SELECT coalesce(max(sequence), 0) INTO reached
        FROM events_outbox WHERE property_id = for_property;

    WITH waiting AS (
        SELECT id, txid, subject_type, subject_id, version,
               bool_or(txid >= horizon) OVER earlier AS must_wait,
               row_number() OVER (ORDER BY txid, id) AS arrived
        FROM events_outbox
        WHERE property_id = for_property AND sequence IS NULL
        WINDOW earlier AS (PARTITION BY subject_type, subject_id ORDER BY version, id
                           ROWS UNBOUNDED PRECEDING)
    ), placed AS (
        -- A transaction may draw its txid and then wait for the document, so a subject's events
        -- stand in the order of their versions, each not before the ones below it.
        SELECT id, version,
               max(arrived) OVER (PARTITION BY subject_type, subject_id ORDER BY version, id
                                  ROWS UNBOUNDED PRECEDING) AS place
        FROM waiting WHERE NOT must_wait
    ), next AS (
        SELECT id, row_number() OVER (ORDER BY place, version, id) AS nth
        FROM placed ORDER BY nth LIMIT at_most
    )
    UPDATE events_outbox AS event
        SET sequence = reached + next.nth, numbered_at = clock_timestamp()
        FROM next WHERE event.id = next.id;
    GET DIAGNOSTICS numbered = ROW_COUNT;
    RETURN numbered;
END
$$;

-- A SECURITY DEFINER function must not find its tables through the caller's search path.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION events_number(bigint, integer)'
                   ' SET search_path = pg_catalog, %I, pg_temp', current_schema());
END
$$;
REVOKE ALL ON FUNCTION events_number(bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION events_number(bigint, integer) TO baize_app;
"""


class Migration(migrations.Migration):
    dependencies = [("events", "0002_guards")]
    operations = [
        migrations.RunSQL(NUMBER, "DROP FUNCTION events_number(bigint, integer)"),
    ]
