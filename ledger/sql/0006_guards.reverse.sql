CREATE OR REPLACE FUNCTION ledger_check_postings() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bad record;
BEGIN
    SELECT entry_id, currency, sum(amount) AS off INTO bad FROM new_rows
        GROUP BY entry_id, currency HAVING sum(amount) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % is off by % in %', bad.entry_id, bad.off, bad.currency
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_balanced';
    END IF;

    SELECT rows.entry_id INTO bad
        FROM (SELECT entry_id, count(*) AS legs, min(line) AS top, max(line) AS bottom,
                     min(property_id) AS low, max(property_id) AS high,
                     min(gaming_day) AS first, max(gaming_day) AS last
              FROM new_rows GROUP BY entry_id) AS rows
        JOIN ledger_entry AS entry ON entry.id = rows.entry_id
        -- Lines are unique in an entry: when they are 1 to legs, no second statement fits.
        WHERE (rows.legs, rows.top, rows.bottom) <> (entry.legs, 1, entry.legs)
           OR entry.txid <> pg_current_xact_id()
           OR entry.property_id <> rows.low OR entry.property_id <> rows.high
           OR entry.gaming_day <> rows.first OR entry.gaming_day <> rows.last
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % does not take these postings', bad.entry_id
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_complete';
    END IF;

    -- The counts agree (legs = legs), so one direction of the comparison is enough.
    SELECT entry.id INTO bad
        FROM (SELECT DISTINCT entry_id FROM new_rows) AS rows
        JOIN ledger_entry AS entry ON entry.id = rows.entry_id
        JOIN ledger_entry AS original ON original.id = entry.reverses_id
        WHERE original.reverses_id IS NOT NULL OR original.property_id <> entry.property_id
           OR original.legs <> entry.legs
           OR EXISTS (SELECT account_id, event, -amount FROM ledger_posting
                      WHERE entry_id = original.id
                      EXCEPT ALL
                      SELECT account_id, event, amount FROM new_rows WHERE entry_id = entry.id)
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % does not mirror what it reverses', bad.id
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_mirrors';
    END IF;
    RETURN NULL;
END
$$;
DROP TRIGGER ledger_series_onward ON ledger_series;
DROP TRIGGER ledger_series_fixed ON ledger_series;
DROP TRIGGER ledger_period_fixed ON ledger_period;
CREATE TRIGGER ledger_period_fixed BEFORE UPDATE OF property_id, gaming_day, opened_at, opened_by
    ON ledger_period FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_period ENABLE ALWAYS TRIGGER ledger_period_fixed;
