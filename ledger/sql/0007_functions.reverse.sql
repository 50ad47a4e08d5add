ALTER TABLE ledger_period
    DROP CONSTRAINT ledger_period_totals,
    DROP CONSTRAINT ledger_period_signed;
DROP FUNCTION ledger_note_inspection, ledger_draw_slip, ledger_reverse, ledger_post_many, ledger_post,
    ledger_require_references, ledger_refuse_reference, ledger_write, ledger_new_id, ledger_refuse_key, ledger_difference,
    ledger_open_account, ledger_close_shift, ledger_close_day, ledger_clock,
    ledger_take_snapshots, ledger_report_hash, ledger_period_totals, ledger_open_day,
    ledger_enter_day, ledger_begin_day, ledger_refuse_day;

CREATE FUNCTION ledger_begin_day(for_property bigint, day date, by_actor text, at timestamptz)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7602, hashint8(for_property));
    IF EXISTS (SELECT FROM ledger_period WHERE property_id = for_property
               AND gaming_day > day AND status = 'closed') THEN
        RAISE EXCEPTION 'gaming day % is closed', day
            USING ERRCODE = 'BZ423', DETAIL = jsonb_build_object('gaming_day', day);
    END IF;
    INSERT INTO ledger_period (property_id, gaming_day, opened_at, opened_by)
        VALUES (for_property, day, at, by_actor) ON CONFLICT DO NOTHING;
END
$$;

CREATE FUNCTION ledger_enter_day(for_property bigint, day date, by_actor text, at timestamptz)
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    is_status text;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7601, ledger_day_lock(for_property, day));
    SELECT status INTO is_status FROM ledger_period
        WHERE property_id = for_property AND gaming_day = day;
    IF is_status IS NULL THEN
        PERFORM ledger_begin_day(for_property, day, by_actor, at);
    ELSIF is_status = 'closed' THEN
        RAISE EXCEPTION 'gaming day % is closed', day
            USING ERRCODE = 'BZ423', DETAIL = jsonb_build_object('gaming_day', day);
    END IF;
END
$$;

CREATE FUNCTION ledger_open_day(for_property bigint, day date, by_actor text, at timestamptz)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM ledger_enter_day(for_property, day, by_actor, at);
END
$$;

CREATE FUNCTION ledger_close_day(for_property bigint, day date, by_actor text, at timestamptz)
    RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    earlier date;
BEGIN
    PERFORM pg_advisory_xact_lock(7601, ledger_day_lock(for_property, day));
    PERFORM pg_advisory_xact_lock(7602, hashint8(for_property));
    IF EXISTS (SELECT FROM ledger_period WHERE property_id = for_property
               AND gaming_day = day AND status = 'closed') THEN
        RETURN false;
    END IF;
    SELECT min(gaming_day) INTO earlier FROM ledger_period
        WHERE property_id = for_property AND gaming_day < day AND status = 'open';
    IF earlier IS NOT NULL THEN
        RAISE EXCEPTION 'gaming day % is still open', earlier
            USING ERRCODE = 'BZ424',
                  DETAIL = jsonb_build_object('gaming_day', day, 'open_day', earlier);
    END IF;
    INSERT INTO ledger_period AS period
            (property_id, gaming_day, status, opened_at, opened_by, closed_at, closed_by,
             last_entry_id)
        VALUES (for_property, day, 'closed', at, by_actor, at, by_actor,
                (SELECT max(id) FROM ledger_entry
                 WHERE property_id = for_property AND gaming_day = day))
        ON CONFLICT (property_id, gaming_day) DO UPDATE
        SET status = 'closed', closed_at = at, closed_by = by_actor,
            last_entry_id = EXCLUDED.last_entry_id;
    RETURN true;
END
$$;

CREATE FUNCTION ledger_open_account(
        for_property bigint, its_code text, its_name text, its_type text, its_side integer,
        its_instrument text, its_shards integer, its_floor bigint, its_ceiling bigint,
        at timestamptz)
    RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    account ledger_account;
    its_currency text;
BEGIN
    SELECT currency INTO its_currency FROM properties_property WHERE id = for_property;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no property %', for_property
            USING ERRCODE = 'BZ404', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    IF NOT EXISTS (SELECT FROM ledger_currency WHERE code = its_currency) THEN
        RAISE EXCEPTION 'there is no currency %', its_currency
            USING ERRCODE = 'BZ411', DETAIL = jsonb_build_object('currency', its_currency);
    END IF;
    INSERT INTO ledger_account
            (property_id, code, name, currency, side, type, instrument, shards, opened_at)
        VALUES (for_property, its_code, its_name, its_currency, its_side, its_type,
                its_instrument, its_shards, at)
        ON CONFLICT ON CONSTRAINT ledger_account_code DO NOTHING
        RETURNING * INTO account;
    IF NOT FOUND THEN
        RETURN (SELECT id FROM ledger_account
                WHERE property_id = for_property AND code = its_code);
    END IF;
    INSERT INTO ledger_balance
            (account_id, shard, property_id, currency, side, shards, floor, ceiling)
        SELECT account.id, shard, for_property, its_currency, its_side, its_shards,
               its_floor, its_ceiling
        FROM generate_series(0, its_shards - 1) AS shard;
    RETURN account.id;
END
$$;

CREATE FUNCTION ledger_difference(
        was ledger_entry, entry ledger_entry, accounts bigint[], amounts bigint[], events text[],
        denom_lines integer[], denominations bigint[], pieces bigint[])
    RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF was.kind <> entry.kind THEN RETURN 'kind'; END IF;
    IF was.source <> entry.source THEN RETURN 'source'; END IF;
    IF was.reverses_id IS DISTINCT FROM entry.reverses_id THEN RETURN 'reverses'; END IF;
    IF was.gaming_day <> entry.gaming_day THEN RETURN 'gaming_day'; END IF;
    IF was.table_ref <> entry.table_ref THEN RETURN 'table'; END IF;
    IF was.session_ref <> entry.session_ref THEN RETURN 'session'; END IF;
    IF was.actor <> entry.actor THEN RETURN 'actor'; END IF;
    IF was.approver <> entry.approver THEN RETURN 'approver'; END IF;
    IF was.memo <> entry.memo THEN RETURN 'memo'; END IF;
    IF was.legs <> cardinality(accounts) OR EXISTS (
            SELECT account_id, amount, event FROM ledger_posting WHERE entry_id = was.id
            EXCEPT ALL
            SELECT * FROM unnest(accounts, amounts, events)) THEN
        RETURN 'legs';
    END IF;
    IF (SELECT array_agg(ROW (posting.account_id, posting.amount, posting.event,
                              denom.denomination, denom.pieces)::text ORDER BY
                         posting.account_id, posting.amount, posting.event,
                         denom.denomination, denom.pieces)
        FROM ledger_posting AS posting JOIN ledger_denom AS denom ON denom.posting_id = posting.id
        WHERE posting.entry_id = was.id)
       IS DISTINCT FROM
       (SELECT array_agg(ROW (accounts[line], amounts[line], events[line],
                              denomination, count)::text ORDER BY
                         accounts[line], amounts[line], events[line], denomination, count)
        FROM unnest(denom_lines, denominations, pieces) AS given (line, denomination, count)) THEN
        RETURN 'pieces';
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION ledger_write(
        entry ledger_entry, its_key text, accounts bigint[], amounts bigint[],
        events text[], denom_lines integer[], denominations bigint[], pieces bigint[],
        OUT its_id bigint, OUT its_public_id uuid, OUT replayed boolean, OUT balances bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    was ledger_entry;
    field text;
    leg record;
    state ledger_balance;
    states ledger_balance[] := '{}';
    counted integer;
    kept integer;
BEGIN
    its_id := nextval('ledger_entry_id_seq');
    entry.id := its_id;
    INSERT INTO ledger_key (property_id, key, entry_id)
        VALUES (entry.property_id, its_key, entry.id) ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        SELECT e.* INTO was FROM ledger_key AS k JOIN ledger_entry AS e ON e.id = k.entry_id
            WHERE k.property_id = entry.property_id AND k.key = its_key;
        field := ledger_difference(was, entry, accounts, amounts, events,
                                   denom_lines, denominations, pieces);
        IF field IS NOT NULL THEN
            RAISE EXCEPTION 'entry % exists with another %', its_key, field
                USING ERRCODE = 'BZ409',
                      DETAIL = jsonb_build_object('key', its_key, 'field', field);
        END IF;
        its_id := was.id;
        its_public_id := was.public_id;
        replayed := true;
        SELECT array_agg(balance_after ORDER BY line) INTO balances
            FROM ledger_posting WHERE entry_id = was.id;
        RETURN;
    END IF;

    PERFORM ledger_enter_day(entry.property_id, entry.gaming_day, entry.actor,
                             entry.effective_at);

    replayed := false;
    its_public_id := gen_random_uuid();
    entry.public_id := its_public_id;
    entry.txid := pg_current_xact_id();
    entry.legs := cardinality(accounts);
    -- A shift that is played again at a sandbox would otherwise be late as a whole.
    SELECT CASE WHEN is_sandbox THEN entry.effective_at ELSE clock_timestamp() END
        INTO entry.recorded_at FROM properties_property WHERE id = entry.property_id;
    INSERT INTO ledger_entry OVERRIDING SYSTEM VALUE VALUES (entry.*)
        ON CONFLICT ON CONSTRAINT ledger_entry_reversed_once DO NOTHING;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'entry % was reversed before', entry.reverses_id
            USING ERRCODE = 'BZ408', DETAIL = jsonb_build_object('entry_id', entry.reverses_id);
    END IF;

    -- The update is the lock, as late as can be and in account order. An account that moves twice
    -- is updated once: its limits hold for the entry as a whole.
    FOR leg IN
        SELECT account, coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::bigint AS debit,
               coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::bigint AS credit,
               count(*) AS lines
        FROM unnest(accounts, amounts) AS given (account, amount)
        GROUP BY account ORDER BY account
    LOOP
        UPDATE ledger_balance AS b
            SET debit = b.debit + leg.debit, credit = b.credit + leg.credit,
                version = b.version + leg.lines
            WHERE b.account_id = leg.account AND b.shard = pg_backend_pid() % b.shards
              AND b.is_open
              AND (b.floor IS NULL OR
                   b.side * (b.debit + leg.debit - b.credit - leg.credit) >= b.floor)
              AND (b.ceiling IS NULL OR
                   b.side * (b.debit + leg.debit - b.credit - leg.credit) <= b.ceiling)
            RETURNING b.* INTO state;
        IF NOT FOUND THEN
            PERFORM ledger_refuse_movement(leg.account, leg.debit - leg.credit);
        END IF;
        -- Back to what it was before, so that each line can tell its own balance.
        state.debit := state.debit - leg.debit;
        state.credit := state.credit - leg.credit;
        state.version := state.version - leg.lines;
        states := states || state;
    END LOOP;

    WITH posted AS (
        INSERT INTO ledger_posting (entry_id, line, account_id, property_id, gaming_day, shard,
                                    currency, amount, event, balance_after, account_version)
        SELECT entry.id, given.line, given.account, entry.property_id, entry.gaming_day, b.shard,
               b.currency, given.amount, given.event,
               CASE WHEN b.shards = 1 THEN b.debit - b.credit + sum(given.amount) OVER so_far END,
               b.version + row_number() OVER so_far
        FROM unnest(accounts, amounts, events) WITH ORDINALITY
             AS given (account, amount, event, line)
        JOIN unnest(states) AS b ON b.account_id = given.account
        WINDOW so_far AS (PARTITION BY given.account ORDER BY given.line
                          ROWS UNBOUNDED PRECEDING)
        ORDER BY given.line
        RETURNING line, balance_after
    )
    SELECT array_agg(balance_after ORDER BY line) INTO balances FROM posted;

    counted := greatest(cardinality(denom_lines), cardinality(denominations), cardinality(pieces));
    IF counted > 0 THEN
        INSERT INTO ledger_denom (posting_id, denomination, property_id, pieces)
            SELECT posting.id, given.denomination, entry.property_id, given.count
            FROM unnest(denom_lines, denominations, pieces)
                 AS given (line, denomination, count)
            JOIN ledger_posting AS posting
              ON posting.entry_id = entry.id AND posting.line = given.line;
        GET DIAGNOSTICS kept = ROW_COUNT;
        IF kept <> counted THEN
            RAISE EXCEPTION 'pieces are counted for a line that entry % does not have', entry.id
                USING ERRCODE = '23514', CONSTRAINT = 'ledger_denom_line';
        END IF;
    END IF;

    INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key,
                               payload, occurred_at, gaming_day)
        VALUES (entry.property_id, 'ledger.entry_posted', 'ledger_entry',
                'ent_' || entry.public_id, 1, 'ledger.entry_posted:' || entry.public_id,
                jsonb_build_object('id', 'ent_' || entry.public_id, 'kind', entry.kind,
                                   'source', entry.source, 'table', entry.table_ref,
                                   'session', entry.session_ref, 'legs', entry.legs),
                entry.effective_at, entry.gaming_day);
END
$$;

CREATE FUNCTION ledger_post(
        for_property bigint, its_key text, its_kind text, its_source text, by_actor text,
        by_approver text, at timestamptz, day date, its_table text, its_session text,
        its_shift text, its_memo text, codes text[], amounts bigint[], events text[],
        denom_lines integer[], denominations bigint[], pieces bigint[],
        OUT entry_id bigint, OUT public_id uuid, OUT replayed boolean, OUT accounts text[],
        OUT balances bigint[])
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ids bigint[];
    entry ledger_entry;
BEGIN
    SELECT array_agg(account.id ORDER BY given.line),
           array_agg(DISTINCT given.code) FILTER (WHERE account.id IS NULL)
        INTO ids, accounts
        FROM unnest(codes) WITH ORDINALITY AS given (code, line)
        LEFT JOIN ledger_account AS account
          ON account.property_id = for_property AND account.code = given.code;
    IF accounts IS NOT NULL THEN
        RETURN;
    END IF;
    entry.property_id := for_property;
    entry.gaming_day := day;
    entry.effective_at := at;
    entry.kind := its_kind;
    entry.source := its_source;
    entry.actor := by_actor;
    entry.approver := by_approver;
    entry.table_ref := its_table;
    entry.session_ref := its_session;
    entry.shift := its_shift;
    entry.memo := its_memo;
    SELECT w.its_id, w.its_public_id, w.replayed, w.balances
        INTO entry_id, public_id, replayed, balances
        FROM ledger_write(entry, its_key, ids, amounts, events, denom_lines, denominations,
                          pieces) AS w;
    accounts := codes;
    IF replayed THEN  -- the lines as they stand, whatever order they came in again
        SELECT array_agg(account.code ORDER BY posting.line) INTO accounts
            FROM ledger_posting AS posting JOIN ledger_account AS account
              ON account.id = posting.account_id
            WHERE posting.entry_id = ledger_post.entry_id;
    END IF;
END
$$;

CREATE FUNCTION ledger_reverse(
        of_entry bigint, its_key text, by_actor text, by_approver text, at timestamptz, day date,
        its_shift text, its_memo text,
        OUT entry_id bigint, OUT public_id uuid, OUT replayed boolean, OUT accounts text[],
        OUT balances bigint[])
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    original ledger_entry;
    entry ledger_entry;
    ids bigint[];
    amounts bigint[];
    events text[];
    denom_lines integer[];
    denominations bigint[];
    pieces bigint[];
BEGIN
    SELECT * INTO original FROM ledger_entry WHERE id = of_entry;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no entry %', of_entry
            USING ERRCODE = 'BZ406', DETAIL = jsonb_build_object('entry_id', of_entry);
    END IF;
    IF original.reverses_id IS NOT NULL THEN
        RAISE EXCEPTION 'entry % is itself a reversal', of_entry
            USING ERRCODE = 'BZ407', DETAIL = jsonb_build_object('entry_id', of_entry);
    END IF;
    SELECT array_agg(posting.account_id ORDER BY posting.line),
           array_agg(account.code ORDER BY posting.line),
           array_agg(-posting.amount ORDER BY posting.line),
           array_agg(posting.event ORDER BY posting.line)
        INTO ids, accounts, amounts, events
        FROM ledger_posting AS posting JOIN ledger_account AS account
          ON account.id = posting.account_id
        WHERE posting.entry_id = of_entry;
    SELECT coalesce(array_agg(posting.line), '{}'), coalesce(array_agg(denom.denomination), '{}'),
           coalesce(array_agg(denom.pieces), '{}')
        INTO denom_lines, denominations, pieces
        FROM ledger_denom AS denom JOIN ledger_posting AS posting
          ON posting.id = denom.posting_id
        WHERE posting.entry_id = of_entry;
    entry := original;
    entry.reverses_id := of_entry;
    entry.kind := 'reversal';
    entry.gaming_day := day;
    entry.effective_at := at;
    entry.actor := by_actor;
    entry.approver := by_approver;
    entry.shift := its_shift;
    entry.memo := its_memo;
    SELECT w.its_id, w.its_public_id, w.replayed, w.balances
        INTO entry_id, public_id, replayed, balances
        FROM ledger_write(entry, its_key, ids, amounts, events, denom_lines, denominations,
                          pieces) AS w;
END
$$;

DO $$
DECLARE
    made regprocedure;
BEGIN
    FOR made IN SELECT oid::regprocedure FROM pg_proc
                WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'ledger\_%' LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', made);
    END LOOP;
    FOR made IN SELECT oid::regprocedure FROM pg_proc
                WHERE pronamespace = 'public'::regnamespace AND proname IN (
                    'ledger_open_day', 'ledger_close_day', 'ledger_open_account',
                    'ledger_close_account', 'ledger_post', 'ledger_reverse') LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO baize_app', made);
    END LOOP;
END
$$;
