"""Who reads commits by their order may write an event behind them, with its number at once.

The books do: an entry is told when it is sealed, in the seal's transaction. Whoever numbers holds
the property's lock until it commits, so numbers commit in their order.

After a dump is restored into another cluster the transactions of its events are that cluster's.
One that this cluster has not begun has ended there, or its event would not stand here.
"""

from importlib import import_module

from django.db import migrations

GUARD = """
CREATE OR REPLACE FUNCTION events_outbox_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.txid <> pg_current_xact_id()
       -- An entry committed before its seal, which tells of it.
       OR NEW.sequence IS NOT NULL AND NEW.topic <> 'ledger.entry_posted' THEN
        RAISE EXCEPTION 'an event is numbered after its commit' USING ERRCODE = '55000';
    END IF;
    RETURN NEW;
END
$$;

-- Hold the numbers of a property until the transaction ends; answers the last that is given.
CREATE FUNCTION events_hold_numbers(for_property bigint) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('events_number', for_property));
    RETURN (SELECT coalesce(max(sequence), 0) FROM events_outbox
            WHERE property_id = for_property);
END
$$;
REVOKE ALL ON FUNCTION events_hold_numbers(bigint) FROM PUBLIC;
"""

NO_GUARD = """
DROP FUNCTION events_hold_numbers(bigint);
CREATE OR REPLACE FUNCTION events_outbox_insert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.sequence IS NOT NULL OR NEW.txid <> pg_current_xact_id() THEN
        RAISE EXCEPTION 'an event is numbered after its commit' USING ERRCODE = '55000';
    END IF;
    RETURN NEW;
END
$$;
"""

NUMBER = """
CREATE OR REPLACE FUNCTION events_number(for_property bigint, at_most integer) RETURNS integer
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
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
               -- What is seen and has not begun here is another cluster's, and has ended there.
               bool_or(txid >= horizon
                       AND (txid < pg_snapshot_xmax(pg_current_snapshot())
                            OR txid IS NOT DISTINCT FROM pg_current_xact_id_if_assigned()))
                   OVER earlier AS must_wait,
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
"""

BEFORE = import_module("casino.events.migrations.0003_number").NUMBER


class Migration(migrations.Migration):
    dependencies = [("events", "0004_auditor")]
    operations = [
        migrations.RunSQL(GUARD, NO_GUARD),
        migrations.RunSQL(NUMBER, BEFORE.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")),
    ]
