-- Whoever comes around the functions is refused by the tables themselves.

-- Balanced per currency, complete, and closed to later postings: one check per statement, so a
-- thousand legs cost what they should, and the error comes at the INSERT.
CREATE FUNCTION ledger_check_postings() RETURNS trigger LANGUAGE plpgsql
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
CREATE TRIGGER ledger_posting_check AFTER INSERT ON ledger_posting
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_postings();
ALTER TABLE ledger_posting ENABLE ALWAYS TRIGGER ledger_posting_check;

CREATE FUNCTION ledger_check_entry() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM ledger_posting WHERE entry_id = NEW.id) THEN
        RAISE EXCEPTION 'entry % has no postings', NEW.id
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_complete';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER ledger_entry_has_postings AFTER INSERT ON ledger_entry
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_entry();
ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_has_postings;

-- Chips that were counted add up to their posting, and are counted when it is written, not later.
CREATE FUNCTION ledger_check_denoms() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bad record;
BEGIN
    SELECT posting.id INTO bad
        FROM (SELECT posting_id, min(property_id) AS low, max(property_id) AS high
              FROM new_rows GROUP BY posting_id) AS rows
        JOIN ledger_posting AS posting ON posting.id = rows.posting_id
        JOIN ledger_entry AS entry ON entry.id = posting.entry_id
        WHERE entry.txid <> pg_current_xact_id()
           OR posting.property_id <> rows.low OR posting.property_id <> rows.high
           OR (SELECT sum(denomination::numeric * pieces) FROM ledger_denom
               WHERE posting_id = posting.id) <> abs(posting.amount)
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the pieces do not add up to posting %', bad.id
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_denom_total';
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER ledger_denom_check AFTER INSERT ON ledger_denom
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_check_denoms();
ALTER TABLE ledger_denom ENABLE ALWAYS TRIGGER ledger_denom_check;

-- What an account is never changes; its name may, and it closes.
CREATE TRIGGER ledger_account_fixed
    BEFORE UPDATE OF id, property_id, code, currency, side, type, instrument, shards, opened_at
    ON ledger_account FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_account_fixed;
CREATE TRIGGER ledger_balance_fixed
    BEFORE UPDATE OF account_id, shard, property_id, currency, side, shards
    ON ledger_balance FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_balance ENABLE ALWAYS TRIGGER ledger_balance_fixed;

-- What the amounts in the books mean: a currency's decimals, and whose they are in. A sandbox's
-- entries bear the time that they tell of, a real property's the time at which they were written.
CREATE TRIGGER ledger_currency_fixed BEFORE UPDATE OR DELETE ON ledger_currency
    FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_currency ENABLE ALWAYS TRIGGER ledger_currency_fixed;
CREATE FUNCTION ledger_keep_property() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM ledger_account WHERE property_id = OLD.id) THEN
        RAISE EXCEPTION 'property % keeps books: its currency stays, and whether it is a sandbox',
            OLD.code USING ERRCODE = '55000';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER properties_property_books BEFORE UPDATE ON properties_property
    FOR EACH ROW WHEN ((OLD.id, OLD.currency, OLD.is_sandbox)
                       IS DISTINCT FROM (NEW.id, NEW.currency, NEW.is_sandbox))
    EXECUTE FUNCTION ledger_keep_property();
ALTER TABLE properties_property ENABLE ALWAYS TRIGGER properties_property_books;

-- A closed day stays closed.
CREATE TRIGGER ledger_period_fixed BEFORE UPDATE OF property_id, gaming_day, opened_at, opened_by
    ON ledger_period FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_period ENABLE ALWAYS TRIGGER ledger_period_fixed;
CREATE TRIGGER ledger_period_closed BEFORE UPDATE ON ledger_period
    FOR EACH ROW WHEN (OLD.status = 'closed') EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_period ENABLE ALWAYS TRIGGER ledger_period_closed;
