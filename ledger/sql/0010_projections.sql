-- What is kept beside the postings, so that nobody adds them all up, compared with their sums:
-- what is wrong of it can be made right from them. What closed periods say is no projection but
-- evidence; it is compared and never rebuilt.

CREATE FUNCTION ledger_compare_balances(for_property bigint)
    RETURNS TABLE (account_id bigint, shard smallint, what text, stored text, computed text,
                   debit bigint, credit bigint, version bigint)
    LANGUAGE sql STABLE AS $$
    SELECT balance.account_id, balance.shard,
           account.code || CASE WHEN balance.shards > 1 THEN ' shard ' || balance.shard ELSE '' END,
           format('debit %s, credit %s, version %s', balance.debit, balance.credit,
                  balance.version),
           format('debit %s, credit %s, version %s', posted.debit, posted.credit, posted.version),
           posted.debit, posted.credit, posted.version
    FROM ledger_balance AS balance
    JOIN ledger_account AS account ON account.id = balance.account_id
    LEFT JOIN (
        SELECT account_id, shard, max(account_version) AS version,
               sum(greatest(amount, 0)) AS debit, -sum(least(amount, 0)) AS credit
        FROM ledger_posting WHERE property_id = for_property GROUP BY account_id, shard
    ) AS sums ON sums.account_id = balance.account_id AND sums.shard = balance.shard
    CROSS JOIN LATERAL (
        SELECT coalesce(sums.debit, 0)::bigint AS debit,
               coalesce(sums.credit, 0)::bigint AS credit, coalesce(sums.version, 0) AS version
    ) AS posted
    WHERE balance.property_id = for_property
      AND (balance.debit, balance.credit, balance.version)
          <> (posted.debit, posted.credit, posted.version)
    ORDER BY balance.account_id, balance.shard
$$;

-- A snapshot holds what was posted up to its day, and the balance as of a version of it. Which
-- version that was is taken from the row, as long as it lies where the close could have found it.
CREATE FUNCTION ledger_compare_snapshots(for_property bigint)
    RETURNS TABLE (account_id bigint, shard smallint, gaming_day date, what text, stored text,
                   computed text, debit bigint, credit bigint, held_debit bigint,
                   held_credit bigint, upto_version bigint)
    LANGUAGE sql STABLE AS $$
    WITH line AS (
        SELECT account_id, shard, account_version, gaming_day,
               sum(greatest(amount, 0)) OVER so_far AS debit,
               -sum(least(amount, 0)) OVER so_far AS credit,
               greatest(amount, 0) AS debited, -least(amount, 0) AS credited
        FROM ledger_posting WHERE property_id = for_property
        WINDOW so_far AS (PARTITION BY account_id, shard ORDER BY account_version)
    ), moved AS (
        SELECT account_id, shard, gaming_day,
               sum(sum(debited)) OVER by_day AS debit, sum(sum(credited)) OVER by_day AS credit,
               max(max(account_version)) OVER by_day AS version,
               max(max(account_version)) OVER (PARTITION BY account_id, shard) AS newest
        FROM line GROUP BY account_id, shard, gaming_day
        WINDOW by_day AS (PARTITION BY account_id, shard ORDER BY gaming_day)
    ), due AS (
        SELECT moved.* FROM moved
        JOIN ledger_period AS period
          ON period.property_id = for_property AND period.gaming_day = moved.gaming_day
         AND period.shift = '' AND period.status = 'closed'
    ), pair AS (
        SELECT coalesce(due.account_id, kept.account_id) AS account_id,
               coalesce(due.shard, kept.shard) AS shard,
               coalesce(due.gaming_day, kept.gaming_day) AS gaming_day,
               due.debit, due.credit, kept.account_id IS NOT NULL AS is_kept,
               CASE WHEN kept.upto_version BETWEEN due.version AND due.newest
                    THEN kept.upto_version ELSE due.version END AS version,
               kept.debit AS kept_debit, kept.credit AS kept_credit, kept.held_debit,
               kept.held_credit, kept.upto_version
        FROM due
        FULL JOIN (SELECT * FROM ledger_snapshot WHERE property_id = for_property) AS kept
          ON kept.account_id = due.account_id AND kept.shard = due.shard
         AND kept.gaming_day = due.gaming_day
    )
    SELECT pair.account_id, pair.shard, pair.gaming_day,
           account.code || CASE WHEN account.shards > 1 THEN ' shard ' || pair.shard ELSE '' END
               || ' on ' || to_char(pair.gaming_day, 'YYYY-MM-DD'),
           CASE WHEN is_kept THEN format('debit %s, credit %s; held %s, %s at version %s',
                kept_debit, kept_credit, held_debit, held_credit, pair.upto_version) END,
           CASE WHEN pair.debit IS NOT NULL THEN format(
                'debit %s, credit %s; held %s, %s at version %s', pair.debit, pair.credit,
                line.debit, line.credit, pair.version) END,
           pair.debit::bigint, pair.credit::bigint, line.debit::bigint, line.credit::bigint,
           pair.version
    FROM pair
    JOIN ledger_account AS account ON account.id = pair.account_id
    LEFT JOIN line ON line.account_id = pair.account_id AND line.shard = pair.shard
                  AND line.account_version = pair.version
    WHERE (kept_debit, kept_credit, held_debit, held_credit, pair.upto_version)
          IS DISTINCT FROM (pair.debit, pair.credit, line.debit, line.credit, pair.version)
    ORDER BY pair.account_id, pair.shard, pair.gaming_day
$$;

-- The trial balances of closed periods against their postings, line by line.
CREATE FUNCTION ledger_compare_periods(for_property bigint)
    RETURNS TABLE (what text, stored text, computed text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH moved AS (
        SELECT entry.gaming_day, entry.shift, account.number, posting.currency,
               sum(greatest(posting.amount, 0)) AS debits, -sum(least(posting.amount, 0)) AS credits
        FROM ledger_entry AS entry
        JOIN ledger_posting AS posting ON posting.entry_id = entry.id
        JOIN ledger_account AS account ON account.id = posting.account_id
        WHERE entry.property_id = for_property
        GROUP BY entry.gaming_day, entry.shift, account.number, posting.currency
    ), by_day AS (
        SELECT gaming_day, number, currency, sum(debits) AS debits, sum(credits) AS credits
        FROM moved GROUP BY gaming_day, number, currency
    ), closed AS (
        SELECT gaming_day, shift, totals FROM ledger_period
        WHERE property_id = for_property AND status = 'closed'
    ), running AS (
        SELECT day.gaming_day, number, currency,
               coalesce(debits, 0) AS debits, coalesce(credits, 0) AS credits,
               sum(coalesce(debits - credits, 0)) OVER up_to AS closing,
               count(by_day.debits) OVER up_to AS days
        FROM (SELECT gaming_day FROM closed UNION SELECT gaming_day FROM by_day) AS day
        CROSS JOIN (SELECT DISTINCT number, currency FROM by_day) AS every
        LEFT JOIN by_day USING (gaming_day, number, currency)
        WINDOW up_to AS (PARTITION BY number, currency ORDER BY day.gaming_day)
    ), due AS (
        SELECT gaming_day, '' AS shift, number, currency, closing - debits + credits AS opening,
               debits, credits, closing
        FROM running WHERE days > 0
        UNION ALL
        SELECT gaming_day, shift, number, currency, 0, debits, credits, debits - credits
        FROM moved WHERE shift <> ''
    ), told AS (
        SELECT closed.gaming_day, closed.shift, line.*
        FROM closed CROSS JOIN LATERAL jsonb_to_recordset(closed.totals) AS line (
            number text, currency text, opening numeric, debits numeric, credits numeric,
            closing numeric)
    )
    SELECT concat_ws(' ', to_char(gaming_day, 'YYYY-MM-DD'), nullif(shift, ''), number, currency),
           CASE WHEN told.closing IS NOT NULL THEN format(
                'opening %s, debits %s, credits %s, closing %s', told.opening, told.debits,
                told.credits, told.closing) END,
           CASE WHEN due.closing IS NOT NULL THEN format(
                'opening %s, debits %s, credits %s, closing %s', due.opening, due.debits,
                due.credits, due.closing) END
    FROM told FULL JOIN (SELECT due.* FROM due JOIN closed USING (gaming_day, shift)) AS due
        USING (gaming_day, shift, number, currency)
    WHERE (told.opening, told.debits, told.credits, told.closing)
          IS DISTINCT FROM (due.opening, due.debits, due.credits, due.closing)
    ORDER BY 1
$$;

-- Everything that is kept beside the postings and is not what they say.
CREATE FUNCTION ledger_compare(for_property bigint)
    RETURNS TABLE (projection text, what text, stored text, computed text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT 'balance', what, stored, computed FROM ledger_compare_balances(for_property)
    UNION ALL
    SELECT 'snapshot', what, stored, computed FROM ledger_compare_snapshots(for_property)
    UNION ALL
    SELECT 'period', what, stored, computed FROM ledger_compare_periods(for_property)
    UNION ALL
    SELECT 'series', series.series, format('next %s', series.next),
           format('%s slips, the highest %s', slips.count, slips.highest)
    FROM ledger_series AS series
    CROSS JOIN LATERAL (
        SELECT count(*) AS count, coalesce(max(number), 0) AS highest FROM ledger_slip AS slip
        WHERE slip.property_id = for_property AND slip.series = series.series
    ) AS slips
    WHERE series.property_id = for_property
      AND (series.next - 1, series.next - 1) <> (slips.count, slips.highest)
    UNION ALL
    SELECT 'event', 'entry ' || entry.id, NULL, 'ledger.entry_posted'
    FROM ledger_seal AS seal CROSS JOIN LATERAL unnest(seal.entry_ids) AS sealed (id)
    JOIN ledger_entry AS entry ON entry.id = sealed.id
    WHERE seal.property_id = for_property AND NOT EXISTS (
        SELECT FROM events_outbox AS event
        WHERE event.property_id = for_property
          AND event.key = 'ledger.entry_posted:' || entry.public_id
          AND (event.payload ->> 'kind', event.payload ->> 'source', event.payload ->> 'legs',
               event.payload ->> 'table', event.payload ->> 'session', event.gaming_day)
              = (entry.kind, entry.source, entry.legs::text, entry.table_ref, entry.session_ref,
                 entry.gaming_day))
$$;

-- Set a projection right from the postings; answers what was wrong and what became of it.
CREATE FUNCTION ledger_rebuild(for_property bigint, its_projection text)
    RETURNS TABLE (what text, stored text, computed text, outcome text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    off record;
BEGIN
    IF its_projection = 'balance' THEN
        -- In the order of every poster; what each of them wrote is seen below.
        PERFORM FROM ledger_balance WHERE property_id = for_property
            ORDER BY account_id, shard FOR NO KEY UPDATE;
        FOR off IN SELECT * FROM ledger_compare_balances(for_property) LOOP
            what := off.what;
            stored := off.stored;
            computed := off.computed;
            outcome := 'set';
            BEGIN
                UPDATE ledger_balance AS balance
                    SET debit = off.debit, credit = off.credit, version = off.version
                    WHERE balance.account_id = off.account_id AND balance.shard = off.shard;
            EXCEPTION WHEN check_violation THEN
                outcome := 'refused: it is outside the limits of the account';
            END;
            RETURN NEXT;
        END LOOP;
    ELSIF its_projection = 'snapshot' THEN
        -- No day closes meanwhile.
        PERFORM pg_advisory_xact_lock(7602, hashint8(for_property));
        FOR off IN SELECT * FROM ledger_compare_snapshots(for_property) LOOP
            what := off.what;
            stored := off.stored;
            computed := off.computed;
            outcome := 'set';
            IF off.debit IS NULL THEN
                DELETE FROM ledger_snapshot AS kept
                    WHERE kept.account_id = off.account_id AND kept.shard = off.shard
                      AND kept.gaming_day = off.gaming_day;
                outcome := 'removed';
            ELSE
                INSERT INTO ledger_snapshot AS kept
                        (account_id, shard, gaming_day, property_id, debit, credit, held_debit,
                         held_credit, upto_version, taken_at)
                    SELECT off.account_id, off.shard, off.gaming_day, for_property, off.debit,
                           off.credit, off.held_debit, off.held_credit, off.upto_version,
                           period.recorded_at
                    FROM ledger_period AS period
                    WHERE period.property_id = for_property
                      AND period.gaming_day = off.gaming_day AND period.shift = ''
                    ON CONFLICT (account_id, shard, gaming_day) DO UPDATE
                    SET debit = EXCLUDED.debit, credit = EXCLUDED.credit,
                        held_debit = EXCLUDED.held_debit, held_credit = EXCLUDED.held_credit,
                        upto_version = EXCLUDED.upto_version;
            END IF;
            RETURN NEXT;
        END LOOP;
    ELSE
        RAISE EXCEPTION '% is no projection that is rebuilt', its_projection
            USING ERRCODE = '22023';
    END IF;
END
$$;

REVOKE ALL ON FUNCTION ledger_compare_balances, ledger_compare_snapshots, ledger_compare_periods,
    ledger_compare, ledger_rebuild FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_compare_periods, ledger_compare, ledger_rebuild TO baize_app;
