-- What accounts held in the past. As functions, because PostgreSQL keeps their plans: planning took
-- three times as long as reading. They read only; whose property it is, the caller has decided.

-- What a balance row held when it had taken *reached* postings. A snapshot that says no more was
-- taken before that posting, hence of an earlier day: only days that overlapped are passed over.
CREATE FUNCTION ledger_held_at(
        of_account bigint, its_shard smallint, its_shards smallint, reached bigint)
    RETURNS numeric LANGUAGE sql STABLE AS $$
    SELECT
    CASE WHEN reached = 0 THEN 0
         WHEN its_shards = 1 THEN
             (SELECT balance_after FROM ledger_posting AS posting
              WHERE posting.account_id = of_account AND posting.shard = its_shard
                AND posting.account_version = reached)
         ELSE (
             SELECT coalesce(snapshot.held, 0) + coalesce((
                        SELECT sum(amount) FROM ledger_posting AS posting
                        WHERE posting.account_id = of_account AND posting.shard = its_shard
                          AND posting.account_version > coalesce(snapshot.upto_version, 0)
                          AND posting.account_version <= reached), 0)
             FROM (SELECT) AS always LEFT JOIN LATERAL (
                 SELECT held_debit - held_credit AS held, upto_version
                 FROM ledger_snapshot
                 WHERE account_id = of_account AND shard = its_shard
                   AND upto_version <= reached
                   AND gaming_day < (
                       SELECT gaming_day FROM ledger_posting AS posting
                       WHERE posting.account_id = of_account
                         AND posting.shard = its_shard AND posting.account_version = reached)
                 ORDER BY gaming_day DESC LIMIT 1
             ) AS snapshot ON true)
    END
$$;

-- What the books said at *moment* that the account *its_code* and those below it held, by currency.
-- What was recorded at the moment itself is in it. Where an entry is named, an account on which it
-- has a line answers with what it held after its last.
--
-- An account's own count of postings (account_version) never runs against recorded_at, so the last
-- posting of the moment is found by halving, and it says itself what the account held. Where
-- several rows share an account's load, the snapshot of a closed day says it, and the tail of
-- postings since. A sandbox's clock is told and may run backwards: there the tail is read to its
-- end.
CREATE FUNCTION ledger_balance_at(
        for_property bigint, its_code text, moment timestamptz, its_entry bigint)
    RETURNS TABLE (in_currency text, held numeric)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
    SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    IF EXISTS (SELECT FROM properties_property WHERE id = for_property AND is_sandbox) THEN
        -- A close is recorded after all that its snapshots hold. Days that closed before snapshots
        -- were taken bear one signature, and theirs hold what stood when they were made up.
        RETURN QUERY
        WITH wanted AS (
            SELECT balance.account_id, balance.shard, balance.shards, balance.currency, balance.version,
                   (SELECT max(account_version) FROM ledger_posting AS posting
                    WHERE posting.entry_id = its_entry AND posting.account_id = balance.account_id
                      AND posting.shard = balance.shard) AS last_line
            FROM ledger_account AS account
            JOIN ledger_balance AS balance ON balance.account_id = account.id
            WHERE account.property_id = for_property
              AND account.code >= its_code AND account.code < its_code || '0'
              AND (account.code = its_code OR account.code > its_code || '/')
        )
        SELECT wanted.currency, sum(
            CASE WHEN last_line IS NOT NULL THEN ledger_held_at(
                wanted.account_id, wanted.shard, wanted.shards, reached)
                 ELSE coalesce(snapshot.held, 0) + coalesce((
                     SELECT sum(posting.amount) FROM ledger_posting AS posting
                     WHERE posting.account_id = wanted.account_id AND posting.shard = wanted.shard
                       AND posting.account_version > coalesce(snapshot.upto_version, 0)
                       AND (SELECT recorded_at FROM ledger_entry AS entry
                            WHERE entry.id = posting.entry_id) <= moment), 0)
            END)
        FROM wanted CROSS JOIN LATERAL (SELECT last_line AS reached) AS target
        LEFT JOIN LATERAL (
            SELECT held_debit - held_credit AS held, upto_version
            FROM ledger_snapshot AS its
            WHERE its.account_id = wanted.account_id AND its.shard = wanted.shard AND EXISTS (
                SELECT FROM ledger_period AS period
                WHERE period.property_id = for_property AND period.gaming_day = its.gaming_day
                  AND period.shift = '' AND period.approved_by <> '' AND period.recorded_at <= moment)
            ORDER BY its.gaming_day DESC LIMIT 1
        ) AS snapshot ON true
        GROUP BY wanted.currency ORDER BY wanted.currency;
        RETURN;
    END IF;
    -- Each step asks one posting when it was recorded. OFFSET 0 keeps it from being asked twice.
    RETURN QUERY
    WITH RECURSIVE wanted AS (
        SELECT balance.account_id, balance.shard, balance.shards, balance.currency, balance.version,
               (SELECT max(account_version) FROM ledger_posting AS posting
                WHERE posting.entry_id = its_entry AND posting.account_id = balance.account_id
                  AND posting.shard = balance.shard) AS last_line
        FROM ledger_account AS account
        JOIN ledger_balance AS balance ON balance.account_id = account.id
        WHERE account.property_id = for_property
          AND account.code >= its_code AND account.code < its_code || '0'
          AND (account.code = its_code OR account.code > its_code || '/')
    ), search AS (
        SELECT account_id, shard, coalesce(last_line, 0) AS low, coalesce(last_line, version) AS high
        FROM wanted
        UNION ALL
        SELECT account_id, shard, CASE WHEN known.is_then THEN middle ELSE low END,
               CASE WHEN known.is_then THEN high ELSE middle - 1 END
        FROM search CROSS JOIN LATERAL (SELECT (low + high + 1) / 2 AS middle) AS half
        CROSS JOIN LATERAL (
            SELECT (SELECT recorded_at FROM ledger_entry WHERE id = (
                        SELECT entry_id FROM ledger_posting AS posting
                        WHERE posting.account_id = search.account_id
                          AND posting.shard = search.shard AND posting.account_version = middle)
                   ) <= moment AS is_then
            OFFSET 0
        ) AS known
        WHERE low < high
    )
    SELECT wanted.currency, sum( ledger_held_at(
                wanted.account_id, wanted.shard, wanted.shards, reached)
    )
    FROM (SELECT account_id, shard, low AS reached FROM search WHERE low = high) AS found
    JOIN wanted USING (account_id, shard)
    GROUP BY wanted.currency ORDER BY wanted.currency;
END
$$;

-- A version of a balance row below which nothing was posted to days later than a snapshot's; 1
-- where there is no snapshot.
--
-- A snapshot tells what it holds of its own day and those before, and what it holds in all. The
-- difference (*later_debit*, *later_credit*) lies on days that had begun before it was taken, among
-- its last postings: twice as many of them are added up each time until it is met. So little more
-- is read than was posted since the first of these.
CREATE FUNCTION ledger_first_of_later_days(
        of_account bigint, its_shard smallint, its_day date, upto_version bigint,
        later_debit bigint, later_credit bigint)
    RETURNS bigint LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    low bigint := upto_version + 1;
    debits numeric := 0;
    credits numeric := 0;
BEGIN
    IF upto_version IS NULL THEN
        RETURN 1;
    END IF;
    WHILE (debits, credits) <> (later_debit, later_credit) AND low > 1 LOOP
        low := greatest(2 * low - upto_version - 64, 1);
        SELECT coalesce(sum(greatest(amount, 0)), 0), coalesce(-sum(least(amount, 0)), 0)
            INTO debits, credits
            FROM ledger_posting AS posting
            WHERE posting.account_id = of_account AND posting.shard = its_shard
              AND posting.account_version BETWEEN low AND upto_version
              AND posting.gaming_day > its_day;
    END LOOP;
    RETURN low;
END
$$;

-- What the account *its_code* and those below it had come to by the end of a gaming day, whenever
-- it was posted; of an open day, so far.
CREATE FUNCTION ledger_balance_on(for_property bigint, its_code text, its_day date)
    RETURNS TABLE (in_currency text, held numeric)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
    SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN QUERY
    WITH wanted AS (
        SELECT balance.account_id, balance.shard, balance.shards, balance.currency, balance.version,
               (SELECT max(account_version) FROM ledger_posting AS posting
                WHERE posting.entry_id = NULL::bigint AND posting.account_id = balance.account_id
                  AND posting.shard = balance.shard) AS last_line
        FROM ledger_account AS account
        JOIN ledger_balance AS balance ON balance.account_id = account.id
        WHERE account.property_id = for_property
          AND account.code >= its_code AND account.code < its_code || '0'
          AND (account.code = its_code OR account.code > its_code || '/')
    ), closed AS (
        SELECT max(gaming_day) AS day FROM ledger_period
        WHERE property_id = for_property AND shift = '' AND status = 'closed'
    )
    SELECT wanted.currency, sum(coalesce(snapshot.debit - snapshot.credit, 0) + coalesce(
        CASE WHEN closed.day IS NULL OR closed.day < its_day THEN (
            SELECT sum(amount)
            FROM (SELECT ledger_first_of_later_days(
                      wanted.account_id, wanted.shard, snapshot.gaming_day, snapshot.upto_version,
                      snapshot.held_debit - snapshot.debit, snapshot.held_credit - snapshot.credit)
                  AS low OFFSET 0) AS first
            JOIN ledger_posting AS posting ON posting.account_version >= first.low
            WHERE posting.account_id = wanted.account_id AND posting.shard = wanted.shard
              AND (closed.day IS NULL OR posting.gaming_day > closed.day)
              AND posting.gaming_day <= its_day)
        END, 0))
    FROM wanted CROSS JOIN closed LEFT JOIN LATERAL (
        SELECT * FROM ledger_snapshot AS its
        WHERE its.account_id = wanted.account_id AND its.shard = wanted.shard
          AND its.gaming_day <= its_day
        ORDER BY its.gaming_day DESC LIMIT 1
    ) AS snapshot ON true
    GROUP BY wanted.currency ORDER BY wanted.currency;
END
$$;

REVOKE ALL ON FUNCTION ledger_balance_at, ledger_balance_on, ledger_held_at,
    ledger_first_of_later_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_balance_at, ledger_balance_on, ledger_first_of_later_days
    TO baize_app;
