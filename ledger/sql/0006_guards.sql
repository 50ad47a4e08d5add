-- The guards of 0003 for what 0005 added; the check of postings in one pass instead of three.

CREATE OR REPLACE FUNCTION ledger_check_postings() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    lone record;
    its ledger_entry;
    off_by bigint;
    incomplete bigint;
    unrated bigint;
    says_more boolean;
    bad record;
BEGIN
    -- Nearly every statement writes one entry in one currency: it is looked at without grouping.
    SELECT min(entry_id) AS entry_id, max(entry_id) AS last_entry_id,
           min(currency) = max(currency) AS one_currency, count(*) AS legs, sum(amount) AS off,
           min(line) AS top, max(line) AS bottom,
           min(property_id) AS low, max(property_id) AS high,
           min(gaming_day) AS first, max(gaming_day) AS last
        INTO lone FROM new_rows;
    IF lone.entry_id = lone.last_entry_id AND lone.one_currency AND lone.off = 0 THEN
        SELECT * INTO its FROM ledger_entry WHERE id = lone.entry_id;
        IF its.legs = lone.legs AND lone.top = 1 AND lone.bottom = its.legs
           AND its.txid = pg_current_xact_id()
           AND its.property_id = lone.low AND its.property_id = lone.high
           AND its.gaming_day = lone.first AND its.gaming_day = lone.last
           AND num_nonnulls(its.reverses_id, its.restates_id, its.corrects_id, its.late_day,
                            its.rate_sold, its.rate_bought) = 0 THEN
            RETURN NULL;
        END IF;
    END IF;

    -- All others, and whatever was not right.
    SELECT max(rows.entry_id) FILTER (WHERE rows.is_off),
           max(rows.entry_id) FILTER (WHERE
               -- Lines are unique in an entry: when they are 1 to legs, no second statement fits.
               (rows.legs, rows.top, rows.bottom) <> (entry.legs, 1, entry.legs)
               OR entry.txid <> pg_current_xact_id()
               OR entry.property_id <> rows.low OR entry.property_id <> rows.high
               OR entry.gaming_day <> rows.first OR entry.gaming_day <> rows.last),
           max(rows.entry_id) FILTER (WHERE
               (rows.currencies > 1) <> (num_nonnulls(entry.rate_sold, entry.rate_bought) > 0)),
           bool_or(num_nonnulls(entry.reverses_id, entry.restates_id, entry.corrects_id,
                                entry.late_day, entry.rate_sold, entry.rate_bought) > 0)
        INTO off_by, incomplete, unrated, says_more
        FROM (SELECT entry_id, sum(legs) AS legs, min(top) AS top, max(bottom) AS bottom,
                     min(low) AS low, max(high) AS high, min(first) AS first, max(last) AS last,
                     count(*) AS currencies, bool_or(off <> 0) AS is_off
              FROM (SELECT entry_id, count(*) AS legs, sum(amount) AS off,
                           min(line) AS top, max(line) AS bottom,
                           min(property_id) AS low, max(property_id) AS high,
                           min(gaming_day) AS first, max(gaming_day) AS last
                    FROM new_rows GROUP BY entry_id, currency) AS by_currency
              GROUP BY entry_id) AS rows
        JOIN ledger_entry AS entry ON entry.id = rows.entry_id;
    IF off_by IS NOT NULL THEN
        SELECT currency, sum(amount) AS off INTO bad FROM new_rows
            WHERE entry_id = off_by GROUP BY currency HAVING sum(amount) <> 0 LIMIT 1;
        RAISE EXCEPTION 'entry % is off by % in %', off_by, bad.off, bad.currency
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_balanced';
    ELSIF incomplete IS NOT NULL THEN
        RAISE EXCEPTION 'entry % does not take these postings', incomplete
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_complete';
    ELSIF unrated IS NOT NULL THEN
        RAISE EXCEPTION 'entry % has several currencies or a rate, but not both', unrated
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_rated';
    ELSIF NOT coalesce(says_more, false) THEN
        RETURN NULL;
    END IF;

    -- What few entries say, and a CHECK of their table would look for in every one of them.
    SELECT entry.id, broken.rule INTO bad
        FROM (SELECT DISTINCT entry_id FROM new_rows) AS rows
        JOIN ledger_entry AS entry ON entry.id = rows.entry_id
        CROSS JOIN LATERAL (SELECT CASE
            WHEN num_nonnulls(entry.reverses_id, entry.restates_id, entry.corrects_id) > 1
                THEN 'one_reference'
            WHEN coalesce(entry.reverses_id, entry.restates_id, entry.corrects_id) >= entry.id
                THEN 'refers_back'
            -- Whoever takes back or corrects what stands is not alone, and says why.
            WHEN num_nonnulls(entry.reverses_id, entry.corrects_id) > 0
                 AND (entry.approver = '' OR entry.memo = '') THEN 'approved'
            WHEN num_nonnulls(entry.rate_sold, entry.rate_bought) = 1 THEN 'whole_rate'
            WHEN least(entry.rate_sold, entry.rate_bought) <= 0 THEN 'rate_above_zero'
            -- What is late came after its day had closed, or after a later one had: those books
            -- are shut.
            WHEN entry.late_day NOT BETWEEN '0001-01-02' AND entry.gaming_day - 1
                 OR entry.late_day IS NOT NULL AND NOT EXISTS (
                     SELECT FROM ledger_period
                     WHERE property_id = entry.property_id AND shift = ''
                       AND gaming_day >= entry.late_day AND status = 'closed') THEN 'late'
            END AS rule) AS broken
        WHERE broken.rule IS NOT NULL LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % breaks the rule %', bad.id, bad.rule
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_' || bad.rule;
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
    SELECT entry.id INTO bad
        FROM (SELECT DISTINCT entry_id FROM new_rows) AS rows
        JOIN ledger_entry AS entry ON entry.id = rows.entry_id
        JOIN ledger_entry AS original
          ON original.id = coalesce(entry.restates_id, entry.corrects_id)
        WHERE original.property_id <> entry.property_id
           -- What is told anew was taken back; what is corrected in part stands.
           OR (entry.restates_id IS NOT NULL)
              <> EXISTS (SELECT FROM ledger_entry AS reversal
                         WHERE reversal.reverses_id = original.id)
           OR original.reverses_id IS NOT NULL
        LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'entry % refers to what it cannot restate or correct', bad.id
            USING ERRCODE = '23514', CONSTRAINT = 'ledger_entry_refers';
    END IF;
    RETURN NULL;
END
$$;

DROP TRIGGER ledger_period_fixed ON ledger_period;
CREATE TRIGGER ledger_period_fixed
    BEFORE UPDATE OF property_id, gaming_day, shift, opened_at, opened_by
    ON ledger_period FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_period ENABLE ALWAYS TRIGGER ledger_period_fixed;

-- A number is drawn once, one after the other.
CREATE TRIGGER ledger_series_fixed BEFORE UPDATE OF property_id, series
    ON ledger_series FOR EACH STATEMENT EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_series ENABLE ALWAYS TRIGGER ledger_series_fixed;
CREATE TRIGGER ledger_series_onward BEFORE UPDATE ON ledger_series
    FOR EACH ROW WHEN (NEW.next <> OLD.next + 1) EXECUTE FUNCTION web_frozen();
ALTER TABLE ledger_series ENABLE ALWAYS TRIGGER ledger_series_onward;
