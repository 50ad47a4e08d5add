-- The write path anew: shifts, currencies, references and rates, batches, closed totals, slips.
-- Lock order everywhere: keys in their order, what entries refer to, gaming days in their order,
-- balances by account, then what nobody waits for: entry, postings, outbox. A slip's series is
-- locked last of all.
-- Refusals carry SQLSTATE BZ… and their data as JSON in DETAIL (ledger/errors.py reads both).

DROP FUNCTION ledger_reverse, ledger_post, ledger_write, ledger_difference, ledger_open_account,
    ledger_close_day, ledger_open_day, ledger_enter_day, ledger_begin_day;

CREATE FUNCTION ledger_refuse_day(day date, its_shift text)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF its_shift <> '' THEN
        RAISE EXCEPTION 'shift % of gaming day % is closed', its_shift, day
            USING ERRCODE = 'BZ426',
                  DETAIL = jsonb_build_object('gaming_day', day, 'shift', its_shift);
    END IF;
    RAISE EXCEPTION 'gaming day % is closed', day
        USING ERRCODE = 'BZ423', DETAIL = jsonb_build_object('gaming_day', day);
END
$$;

-- Open *day* and its shift unless they are: once each, so it may take a lock of its own. Days open
-- in any order, but none before a day that is closed: those books are shut.
CREATE FUNCTION ledger_begin_day(
        for_property bigint, day date, its_shift text, by_actor text, at timestamptz)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7602, hashint8(for_property));
    IF EXISTS (SELECT FROM ledger_period WHERE property_id = for_property
               AND gaming_day >= day AND shift = '' AND status = 'closed') THEN
        PERFORM ledger_refuse_day(day, '');
    END IF;
    INSERT INTO ledger_period (property_id, gaming_day, shift, opened_at, opened_by)
        SELECT for_property, day, name, at, by_actor FROM unnest(ARRAY['', its_shift]) AS name
        ON CONFLICT DO NOTHING;
END
$$;

-- Hold *day* open until the transaction ends. Posters share the lock and the close takes it alone:
-- it waits for them, and who comes later reads "closed". No row is locked.
CREATE FUNCTION ledger_enter_day(
        for_property bigint, day date, its_shift text, by_actor text, at timestamptz)
    RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    opened integer;
    day_closed boolean;
    shift_closed boolean;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7601, ledger_day_lock(for_property, day));
    SELECT count(*), bool_or(status = 'closed' AND shift = ''),
           bool_or(status = 'closed' AND shift <> '')
        INTO opened, day_closed, shift_closed
        FROM ledger_period
        WHERE property_id = for_property AND gaming_day = day AND shift IN ('', its_shift);
    IF day_closed THEN
        PERFORM ledger_refuse_day(day, '');
    ELSIF shift_closed THEN
        PERFORM ledger_refuse_day(day, its_shift);
    ELSIF opened < 2 AND (its_shift <> '' OR opened = 0) THEN
        PERFORM ledger_begin_day(for_property, day, its_shift, by_actor, at);
    END IF;
    RETURN true;
END
$$;

CREATE FUNCTION ledger_open_day(for_property bigint, day date, by_actor text, at timestamptz)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM ledger_enter_day(for_property, day, '', by_actor, at);
END
$$;

-- The trial balance of a period as rows: what each account of the chart had, took and has. A
-- day begins with what the day before ended with, so its cost is what moved on it, not history.
CREATE FUNCTION ledger_period_totals(for_property bigint, day date, its_shift text)
    RETURNS jsonb LANGUAGE sql STABLE AS $$
    WITH earlier AS (
        SELECT line.number, line.currency, line.closing AS opening
        FROM jsonb_to_recordset((
            SELECT totals FROM ledger_period
            WHERE its_shift = '' AND property_id = for_property AND shift = ''
              AND gaming_day < day AND status = 'closed'
            ORDER BY gaming_day DESC LIMIT 1
        )) AS line (number text, currency text, closing numeric)
    ), moved AS (
        SELECT account.number, posting.currency,
               coalesce(sum(posting.amount) FILTER (WHERE posting.amount > 0), 0) AS debits,
               coalesce(-sum(posting.amount) FILTER (WHERE posting.amount < 0), 0) AS credits
        FROM ledger_entry AS entry
        JOIN ledger_posting AS posting ON posting.entry_id = entry.id
        JOIN ledger_account AS account ON account.id = posting.account_id
        WHERE entry.property_id = for_property AND entry.gaming_day = day
          AND (its_shift = '' OR entry.shift = its_shift)
        GROUP BY account.number, posting.currency
    ), line AS (
        SELECT number, currency, coalesce(opening, 0) AS opening,
               coalesce(debits, 0) AS debits, coalesce(credits, 0) AS credits
        FROM earlier FULL JOIN moved USING (number, currency)
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'number', number, 'currency', currency, 'opening', opening, 'debits', debits,
               'credits', credits, 'closing', opening + debits - credits)
               ORDER BY number COLLATE "C", currency COLLATE "C"), '[]')
    FROM line
$$;

-- SHA-256 of a period's totals as lines of text that anybody can write again.
CREATE FUNCTION ledger_report_hash(day date, its_shift text, totals jsonb)
    RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT sha256(convert_to(concat_ws(E'\n', to_char(day, 'YYYY-MM-DD') || ' ' || its_shift,
        string_agg(concat_ws(' ', number, currency, opening, debits, credits, closing), E'\n'
                   ORDER BY number COLLATE "C", currency COLLATE "C")), 'UTF8'))
    FROM jsonb_to_recordset(totals) AS line (
        number text, currency text, opening numeric, debits numeric, credits numeric,
        closing numeric)
$$;

-- What each account that moved on *day* has come to; the snapshot before it, and the day's own.
CREATE FUNCTION ledger_take_snapshots(for_property bigint, day date, at timestamptz)
    RETURNS void LANGUAGE sql AS $$
    INSERT INTO ledger_snapshot (account_id, shard, gaming_day, property_id, debit, credit,
                                 held_debit, held_credit, upto_version, taken_at)
    SELECT moved.account_id, moved.shard, day, for_property,
           coalesce(earlier.debit, 0) + moved.debit, coalesce(earlier.credit, 0) + moved.credit,
           balance.debit, balance.credit, balance.version, at
    FROM (
        SELECT posting.account_id, posting.shard,
               coalesce(sum(posting.amount) FILTER (WHERE posting.amount > 0), 0) AS debit,
               coalesce(-sum(posting.amount) FILTER (WHERE posting.amount < 0), 0) AS credit
        FROM ledger_entry AS entry JOIN ledger_posting AS posting ON posting.entry_id = entry.id
        WHERE entry.property_id = for_property AND entry.gaming_day = day
        GROUP BY posting.account_id, posting.shard
    ) AS moved
    JOIN ledger_balance AS balance
      ON balance.account_id = moved.account_id AND balance.shard = moved.shard
    LEFT JOIN LATERAL (
        SELECT debit, credit FROM ledger_snapshot AS snapshot
        WHERE snapshot.account_id = moved.account_id AND snapshot.shard = moved.shard
          AND snapshot.gaming_day < day
        ORDER BY snapshot.gaming_day DESC LIMIT 1
    ) AS earlier ON true
$$;

-- The database's clock; at a sandbox, where a shift may be played again, the time that is told,
-- but never before what stands in the books already.
CREATE FUNCTION ledger_clock(for_property bigint, told timestamptz)
    RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN is_sandbox
                THEN greatest(told, (SELECT max(recorded_at) FROM ledger_entry
                                     WHERE property_id = for_property))
                ELSE clock_timestamp() END
    FROM properties_property WHERE id = for_property
$$;

-- Close a gaming day and the shifts of it that are open. Answers whether this call closed it; a
-- second close changes nothing. *clearing* are the numbers whose accounts must be empty: what was
-- begun by then and has not arrived.
CREATE FUNCTION ledger_close_day(
        for_property bigint, day date, by_actor text, by_approver text, at timestamptz,
        clearing text[])
    RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    earlier date;
    stuck text[];
    off record;
    its_hash bytea;
    closed ledger_period;
    open_shift text;
    its_name text := to_char(day, 'YYYY-MM-DD');  -- not as the session writes dates
BEGIN
    IF NOT EXISTS (SELECT FROM properties_property WHERE id = for_property) THEN
        RAISE EXCEPTION 'there is no property %', for_property
            USING ERRCODE = 'BZ404', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    PERFORM pg_advisory_xact_lock(7601, ledger_day_lock(for_property, day));
    PERFORM pg_advisory_xact_lock(7602, hashint8(for_property));
    IF EXISTS (SELECT FROM ledger_period WHERE property_id = for_property
               AND gaming_day = day AND shift = '' AND status = 'closed') THEN
        RETURN false;
    END IF;
    IF EXISTS (SELECT FROM ledger_period WHERE property_id = for_property
               AND gaming_day > day AND shift = '' AND status = 'closed') THEN
        PERFORM ledger_refuse_day(day, '');
    END IF;
    SELECT min(gaming_day) INTO earlier FROM ledger_period
        WHERE property_id = for_property AND gaming_day < day AND status = 'open';
    IF earlier IS NOT NULL THEN
        RAISE EXCEPTION 'gaming day % is still open', earlier
            USING ERRCODE = 'BZ424',
                  DETAIL = jsonb_build_object('gaming_day', day, 'open_day', earlier);
    END IF;
    PERFORM ledger_take_snapshots(for_property, day, ledger_clock(for_property, at));
    SELECT array_agg(account.code ORDER BY account.code) INTO stuck
        FROM ledger_account AS account
        JOIN ledger_balance AS balance ON balance.account_id = account.id
        CROSS JOIN LATERAL (
            SELECT debit, credit FROM ledger_snapshot AS snapshot
            WHERE snapshot.account_id = account.id AND snapshot.shard = balance.shard
              AND snapshot.gaming_day <= day
            ORDER BY snapshot.gaming_day DESC LIMIT 1
        ) AS reached
        WHERE account.property_id = for_property AND account.number = ANY (clearing)
          AND balance.is_open AND balance.debit <> balance.credit
          AND reached.debit <> reached.credit;
    IF stuck IS NOT NULL THEN
        RAISE EXCEPTION 'gaming day % has not arrived: %', day, stuck
            USING ERRCODE = 'BZ427',
                  DETAIL = jsonb_build_object('gaming_day', day, 'accounts', stuck);
    END IF;

    FOR open_shift IN SELECT shift FROM ledger_period
            WHERE property_id = for_property AND gaming_day = day AND shift <> ''
              AND status = 'open' ORDER BY shift LOOP
        PERFORM ledger_shut(for_property, day, open_shift, by_actor, by_approver, at);
    END LOOP;
    its_hash := ledger_shut(for_property, day, '', by_actor, by_approver, at);
    SELECT * INTO closed FROM ledger_period
        WHERE property_id = for_property AND gaming_day = day AND shift = '';
    SELECT currency, sum(closing) AS sum INTO off
        FROM jsonb_to_recordset(closed.totals) AS line (currency text, closing numeric)
        GROUP BY currency HAVING sum(closing) <> 0 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the trial balance of gaming day % is off by % %', day, off.sum, off.currency
            USING ERRCODE = 'BZ428',
                  DETAIL = jsonb_build_object('gaming_day', day, 'off', off.sum,
                                              'currency', off.currency);
    END IF;
    INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key,
                               payload, occurred_at, gaming_day)
        VALUES (for_property, 'gaming_day.closed', 'gaming_day', its_name, 1,
                'gaming_day.closed:' || its_name,
                jsonb_build_object('id', its_name, 'closed_by', by_actor,
                                   'approved_by', by_approver,
                                   'report_hash', encode(its_hash, 'hex'),
                                   'seal', closed.anchor_seal,
                                   'seal_hash', encode(closed.anchor_hash, 'hex')),
                at, day);
    RETURN true;
END
$$;

-- Close one shift of an open day; posters that carry it are waited for, later ones are refused.
CREATE FUNCTION ledger_close_shift(
        for_property bigint, day date, its_shift text, by_actor text, by_approver text,
        at timestamptz)
    RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM properties_property WHERE id = for_property) THEN
        RAISE EXCEPTION 'there is no property %', for_property
            USING ERRCODE = 'BZ404', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    IF coalesce(its_shift, '') = '' THEN
        RAISE EXCEPTION 'a shift has a name' USING ERRCODE = '22023';
    END IF;
    PERFORM pg_advisory_xact_lock(7601, ledger_day_lock(for_property, day));
    PERFORM pg_advisory_xact_lock(7602, hashint8(for_property));
    IF EXISTS (SELECT FROM ledger_period WHERE property_id = for_property
               AND gaming_day = day AND shift = its_shift AND status = 'closed') THEN
        RETURN false;
    END IF;
    IF EXISTS (SELECT FROM ledger_period WHERE property_id = for_property
               AND gaming_day >= day AND shift = '' AND status = 'closed') THEN
        PERFORM ledger_refuse_day(day, '');
    END IF;
    INSERT INTO ledger_period (property_id, gaming_day, shift, opened_at, opened_by)
        VALUES (for_property, day, '', at, by_actor) ON CONFLICT DO NOTHING;
    PERFORM ledger_shut(for_property, day, its_shift, by_actor, by_approver, at);
    RETURN true;
END
$$;

-- Answers the account's id, also when it stood already.
CREATE FUNCTION ledger_open_account(
        for_property bigint, its_code text, its_name text, its_type text, its_side integer,
        its_instrument text, its_currency text, its_shards integer, its_floor bigint,
        its_ceiling bigint, at timestamptz)
    RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    account ledger_account;
    in_currency text;
BEGIN
    SELECT coalesce(nullif(its_currency, ''), currency) INTO in_currency
        FROM properties_property WHERE id = for_property;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no property %', for_property
            USING ERRCODE = 'BZ404', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    IF NOT EXISTS (SELECT FROM ledger_currency WHERE code = in_currency) THEN
        RAISE EXCEPTION 'there is no currency %', in_currency
            USING ERRCODE = 'BZ411', DETAIL = jsonb_build_object('currency', in_currency);
    END IF;
    INSERT INTO ledger_account
            (property_id, code, name, currency, side, type, instrument, shards, opened_at)
        VALUES (for_property, its_code, its_name, in_currency, its_side, its_type,
                its_instrument, its_shards, at)
        ON CONFLICT ON CONSTRAINT ledger_account_code DO NOTHING
        RETURNING * INTO account;
    IF NOT FOUND THEN
        RETURN (SELECT id FROM ledger_account
                WHERE property_id = for_property AND code = its_code);
    END IF;
    INSERT INTO ledger_balance
            (account_id, shard, property_id, currency, side, shards, floor, ceiling)
        SELECT account.id, shard, for_property, in_currency, its_side, its_shards,
               its_floor, its_ceiling
        FROM generate_series(0, its_shards - 1) AS shard;
    RETURN account.id;
END
$$;

-- Which field of an entry posted before differs from what now comes under its key, if any.
-- The time and the shift say when the caller tried, not what moved: a worker that tries again
-- comes later. The order of the legs says nothing either.
CREATE FUNCTION ledger_difference(
        was ledger_entry, entry ledger_entry, accounts bigint[], amounts bigint[], events text[],
        denom_lines integer[], denominations bigint[], pieces bigint[])
    RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF was.kind IS DISTINCT FROM entry.kind THEN RETURN 'kind'; END IF;
    IF was.source IS DISTINCT FROM entry.source THEN RETURN 'source'; END IF;
    IF was.reverses_id IS DISTINCT FROM entry.reverses_id THEN RETURN 'reverses'; END IF;
    IF was.restates_id IS DISTINCT FROM entry.restates_id THEN RETURN 'restates'; END IF;
    IF was.corrects_id IS DISTINCT FROM entry.corrects_id THEN RETURN 'corrects'; END IF;
    IF was.gaming_day IS DISTINCT FROM entry.gaming_day THEN RETURN 'gaming_day'; END IF;
    IF was.late_day IS DISTINCT FROM entry.late_day THEN RETURN 'late_day'; END IF;
    IF was.table_ref IS DISTINCT FROM entry.table_ref THEN RETURN 'table'; END IF;
    IF was.session_ref IS DISTINCT FROM entry.session_ref THEN RETURN 'session'; END IF;
    IF was.actor IS DISTINCT FROM entry.actor THEN RETURN 'actor'; END IF;
    IF was.approver IS DISTINCT FROM entry.approver THEN RETURN 'approver'; END IF;
    IF was.memo IS DISTINCT FROM entry.memo THEN RETURN 'memo'; END IF;
    IF was.rate_sold IS DISTINCT FROM entry.rate_sold
       OR was.rate_bought IS DISTINCT FROM entry.rate_bought THEN RETURN 'rate'; END IF;
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

CREATE FUNCTION ledger_refuse_key(its_key text, field text)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'entry % exists with another %', its_key, field
        USING ERRCODE = 'BZ409', DETAIL = jsonb_build_object('key', its_key, 'field', field);
END
$$;

-- A public id that grows with time (UUID version 7), so that what is written last lies together in
-- the indexes and not all over them.
CREATE FUNCTION ledger_new_id() RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    made bytea := overlay(
        uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6);
BEGIN
    RETURN encode(set_byte(made, 6, get_byte(made, 6) | 48), 'hex')::uuid;  -- 4 becomes 7
END
$$;

-- Write one entry, or find it under its key. Accounts are ids, one for each line.
CREATE FUNCTION ledger_write(
        entry ledger_entry, its_key text, accounts bigint[], amounts bigint[],
        events text[], denom_lines integer[], denominations bigint[], pieces bigint[],
        OUT its_id bigint, OUT its_public_id uuid, OUT replayed boolean, OUT balances bigint[])
    LANGUAGE plpgsql AS $$
DECLARE
    was ledger_entry;
    field text;
    state record;
    lines integer[];        -- the lines by account, which is the order of the locks
    legs integer := cardinality(accounts);
    place integer := 1;     -- in *lines*
    first integer;
    on_account bigint;
    debited bigint;
    credited bigint;
    running bigint;
    its_version bigint;
    -- By line.
    currencies text[] := array_fill(NULL::text, ARRAY[legs]);
    shards smallint[] := array_fill(NULL::smallint, ARRAY[legs]);
    versions bigint[] := array_fill(NULL::bigint, ARRAY[legs]);
    entered boolean;
    is_sandbox boolean;
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
            PERFORM ledger_refuse_key(its_key, field);
        END IF;
        its_id := was.id;
        its_public_id := was.public_id;
        replayed := true;
        SELECT array_agg(balance_after ORDER BY line) INTO balances
            FROM ledger_posting WHERE entry_id = was.id;
        RETURN;
    END IF;

    IF num_nonnulls(entry.reverses_id, entry.restates_id, entry.corrects_id, entry.late_day) > 0 THEN
        PERFORM ledger_require_references(entry);
    END IF;
    -- An assignment from a function is cheaper than a SELECT from it, here and below.
    entered := ledger_enter_day(entry.property_id, entry.gaming_day, entry.shift, entry.actor,
                                entry.effective_at);

    -- The update is the lock, as late as can be and in account order. An account that moves twice
    -- is updated once: its limits hold for the entry as a whole.
    SELECT ARRAY (SELECT line FROM unnest(accounts) WITH ORDINALITY AS given (account, line)
                  ORDER BY given.account, line), house.is_sandbox
        INTO lines, is_sandbox FROM properties_property AS house WHERE id = entry.property_id;
    balances := array_fill(NULL::bigint, ARRAY[legs]);
    WHILE place <= legs LOOP
        on_account := accounts[lines[place]];
        first := place;
        debited := 0;
        credited := 0;
        WHILE place <= legs AND accounts[lines[place]] = on_account LOOP
            debited := debited + greatest(amounts[lines[place]], 0);
            credited := credited - least(amounts[lines[place]], 0);
            place := place + 1;
        END LOOP;
        UPDATE ledger_balance AS b
            SET debit = b.debit + debited, credit = b.credit + credited,
                version = b.version + (place - first)
            WHERE b.account_id = on_account AND b.shard = pg_backend_pid() % b.shards
              AND b.is_open
              AND (b.floor IS NULL OR b.side *
                   (b.debit + debited - b.credit - credited) >= b.floor)
              AND (b.ceiling IS NULL OR b.side *
                   (b.debit + debited - b.credit - credited) <= b.ceiling)
            RETURNING b.currency, b.shard, b.shards, b.version, b.debit - b.credit AS balance
            INTO state;
        IF NOT FOUND THEN
            PERFORM ledger_refuse_movement(on_account, debited - credited);
        END IF;
        -- Back to what it was before, so that each line can tell its own balance.
        running := CASE WHEN state.shards = 1 THEN state.balance - debited + credited END;
        its_version := state.version - (place - first);
        FOR each IN first .. place - 1 LOOP
            running := running + amounts[lines[each]];
            its_version := its_version + 1;
            balances[lines[each]] := running;
            versions[lines[each]] := its_version;
            currencies[lines[each]] := state.currency;
            shards[lines[each]] := state.shard;
        END LOOP;
    END LOOP;

    replayed := false;
    its_public_id := ledger_new_id();
    entry.public_id := its_public_id;
    entry.txid := pg_current_xact_id();
    entry.legs := legs;
    -- Read while the balances are held: on one account it never runs against the versions. A
    -- shift that is played again at a sandbox would otherwise be late as a whole.
    entry.recorded_at := CASE WHEN is_sandbox THEN entry.effective_at ELSE clock_timestamp() END;
    INSERT INTO ledger_entry OVERRIDING SYSTEM VALUE VALUES (entry.*);

    INSERT INTO ledger_posting (entry_id, line, account_id, property_id, gaming_day, shard,
                                currency, amount, event, balance_after, account_version)
        -- One unnest and subscripts: each further one would be a set of rows of its own.
        SELECT entry.id, given.line, accounts[given.line], entry.property_id, entry.gaming_day,
               shards[given.line], currencies[given.line], amounts[given.line], given.event,
               balances[given.line], versions[given.line]
        FROM unnest(events) WITH ORDINALITY AS given (event, line);

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
END
$$;

-- Another entry took back, or told anew, what this one would.
CREATE FUNCTION ledger_refuse_reference(entry ledger_entry)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF entry.reverses_id IS NOT NULL THEN
        RAISE EXCEPTION 'entry % was reversed before', entry.reverses_id
            USING ERRCODE = 'BZ408', DETAIL = jsonb_build_object('entry_id', entry.reverses_id);
    END IF;
    RAISE EXCEPTION 'entry % was restated before', entry.restates_id
        USING ERRCODE = 'BZ413', DETAIL = jsonb_build_object('entry_id', entry.restates_id);
END
$$;

-- Post one entry. Accounts come by code; if some do not stand yet, nothing is written and the
-- answer has no entry but their codes, for the caller to open them and post again.
CREATE FUNCTION ledger_post(
        for_property bigint, its_key text, its_kind text, its_source text, by_actor text,
        by_approver text, at timestamptz, day date, its_table text, its_session text,
        its_shift text, its_memo text, its_restates bigint, its_corrects bigint,
        its_late_day date, its_rate_sold bigint, its_rate_bought bigint,
        codes text[], amounts bigint[], events text[],
        denom_lines integer[], denominations bigint[], pieces bigint[],
        OUT entry_id bigint, OUT public_id uuid, OUT replayed boolean, OUT accounts text[],
        OUT balances bigint[])
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ids bigint[];
    entry ledger_entry;
    written record;
BEGIN
    ids := ARRAY (
        SELECT (SELECT id FROM ledger_account AS account
                WHERE account.property_id = for_property AND account.code = given.code)
        FROM unnest(codes) WITH ORDINALITY AS given (code, line) ORDER BY line);
    IF array_position(ids, NULL) IS NOT NULL THEN
        accounts := ARRAY (
            SELECT DISTINCT code FROM unnest(codes, ids) AS given (code, id) WHERE id IS NULL);
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
    entry.restates_id := its_restates;
    entry.corrects_id := its_corrects;
    entry.late_day := its_late_day;
    entry.rate_sold := its_rate_sold;
    entry.rate_bought := its_rate_bought;
    -- An assignment is cheaper than a SELECT from the function.
    written := ledger_write(entry, its_key, ids, amounts, events, denom_lines, denominations,
                            pieces);
    entry_id := written.its_id;
    public_id := written.its_public_id;
    replayed := written.replayed;
    balances := written.balances;
    accounts := codes;
    IF replayed THEN  -- the lines as they stand, whatever order they came in again
        SELECT array_agg(account.code ORDER BY posting.line) INTO accounts
            FROM ledger_posting AS posting JOIN ledger_account AS account
              ON account.id = posting.account_id
            WHERE posting.entry_id = ledger_post.entry_id;
    END IF;
END
$$;

-- What an entry refers to stands in the same books; the guards say the same, less politely. One at
-- a time takes back, tells anew or corrects an entry, so that each sees what the one before did,
-- and nobody is refused for what an account has left since.
CREATE FUNCTION ledger_require_references(entry ledger_entry)
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    referred bigint := coalesce(entry.restates_id, entry.corrects_id);
    original ledger_entry;
BEGIN
    IF entry.late_day IS NOT NULL AND NOT EXISTS (
            SELECT FROM ledger_period WHERE property_id = entry.property_id AND shift = ''
            AND gaming_day >= entry.late_day AND status = 'closed') THEN
        RAISE EXCEPTION 'gaming day % still takes it', entry.late_day
            USING ERRCODE = 'BZ429', DETAIL = jsonb_build_object('gaming_day', entry.late_day);
    END IF;
    IF entry.reverses_id IS NULL AND referred IS NULL THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(7605, hashint8(coalesce(entry.reverses_id, referred)));
    IF EXISTS (SELECT FROM ledger_entry
               WHERE reverses_id = entry.reverses_id OR restates_id = entry.restates_id) THEN
        PERFORM ledger_refuse_reference(entry);
    END IF;
    IF referred IS NULL THEN
        RETURN;
    END IF;
    SELECT * INTO original FROM ledger_entry
        WHERE id = referred AND property_id = entry.property_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no entry %', referred
            USING ERRCODE = 'BZ406', DETAIL = jsonb_build_object('entry_id', referred);
    ELSIF original.reverses_id IS NOT NULL THEN
        RAISE EXCEPTION 'entry % is itself a reversal', referred
            USING ERRCODE = 'BZ407', DETAIL = jsonb_build_object('entry_id', referred);
    ELSIF entry.restates_id IS NOT NULL AND NOT EXISTS (
            SELECT FROM ledger_entry WHERE reverses_id = referred) THEN
        RAISE EXCEPTION 'entry % was not reversed', referred
            USING ERRCODE = 'BZ412', DETAIL = jsonb_build_object('entry_id', referred);
    ELSIF entry.corrects_id IS NOT NULL AND EXISTS (
            SELECT FROM ledger_entry WHERE reverses_id = referred) THEN
        RAISE EXCEPTION 'entry % was reversed before', referred
            USING ERRCODE = 'BZ408', DETAIL = jsonb_build_object('entry_id', referred);
    END IF;
END
$$;

-- Post many entries, all or none, in as few statements as one. An entry is an object with the
-- fields of ledger_post; legs and pieces come flat, each with the ordinal of what it belongs to.
-- Answers one row for each entry in its order, or, if accounts do not stand yet, one row with no
-- entry but their codes.
CREATE FUNCTION ledger_post_many(
        for_property bigint, drafts jsonb, leg_entries integer[], codes text[],
        amounts bigint[], events text[], denom_legs integer[], denominations bigint[],
        pieces bigint[])
    RETURNS TABLE (entry_id bigint, public_id uuid, replayed boolean, accounts text[],
                   balances bigint[])
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    -- Batches differ in size alone, and a plan for each would cost more than it saves.
    SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    ids bigint[];            -- account of each leg
    missing text[];
    entries ledger_entry[];  -- by ordinal
    fresh integer[];         -- ordinals of what is new, ascending
    states ledger_balance[];
    period record;
    old record;
    field text;
    entry ledger_entry;
    new_legs integer[];
    new_balances bigint[];   -- after each of them
    bad_leg integer;
    is_below boolean;
    bad record;
    is_sandbox boolean;
    recorded timestamptz;
    counted integer;
    kept integer;
BEGIN
    IF (SELECT count(*) <> count(DISTINCT draft ->> 'key') FROM jsonb_array_elements(drafts) AS draft)
    THEN
        RAISE EXCEPTION 'a key stands twice in one batch' USING ERRCODE = '22023';
    END IF;
    IF jsonb_array_length(drafts) IS NULL
       OR cardinality(leg_entries) <> ALL (ARRAY[
              cardinality(codes), cardinality(amounts), cardinality(events)])
       OR cardinality(denom_legs) <> ALL (ARRAY[cardinality(denominations), cardinality(pieces)])
       OR EXISTS (SELECT FROM unnest(leg_entries) AS its (entry)
                  WHERE (its.entry BETWEEN 1 AND jsonb_array_length(drafts)) IS NOT TRUE)
       OR EXISTS (SELECT FROM unnest(denom_legs) AS its (leg)
                  WHERE (its.leg BETWEEN 1 AND cardinality(codes)) IS NOT TRUE) THEN
        RAISE EXCEPTION 'legs or pieces belong to nothing in the batch' USING ERRCODE = '22023';
    END IF;
    SELECT array_agg(account.id ORDER BY given.leg),
           array_agg(DISTINCT given.code) FILTER (WHERE account.id IS NULL)
        INTO ids, missing
        FROM unnest(codes) WITH ORDINALITY AS given (code, leg)
        LEFT JOIN ledger_account AS account
          ON account.property_id = for_property AND account.code = given.code;
    IF missing IS NOT NULL THEN
        RETURN QUERY SELECT NULL::bigint, NULL::uuid, NULL::boolean, missing, NULL::bigint[];
        RETURN;
    END IF;

    -- The keys in their order; who finds one taken waits for its winner.
    SELECT array_agg(ROW (
               nextval('ledger_entry_id_seq'), ledger_new_id(), for_property, draft.gaming_day,
               draft.at, NULL, pg_current_xact_id(), NULL,
               (SELECT count(*) FROM unnest(leg_entries) AS its (entry) WHERE its.entry = nth),
               draft.kind, draft.source, draft.actor, draft.approver, draft."table",
               draft.session, draft.shift, draft.memo, draft.restates, draft.corrects,
               draft.late_day, draft.rate_sold, draft.rate_bought)::ledger_entry ORDER BY nth)
        INTO entries
        FROM jsonb_array_elements(drafts) WITH ORDINALITY AS given (object, nth)
        CROSS JOIN LATERAL jsonb_to_record(object) AS draft (
            gaming_day date, at timestamptz, kind text, source text, actor text, approver text,
            "table" text, session text, shift text, memo text, restates bigint, corrects bigint,
            late_day date, rate_sold bigint, rate_bought bigint);
    WITH taken AS (
        INSERT INTO ledger_key (property_id, key, entry_id)
        SELECT for_property, drafts -> (nth - 1) ->> 'key', entries[nth].id
        FROM generate_series(1, cardinality(entries)) AS nth
        ORDER BY (drafts -> (nth - 1) ->> 'key') COLLATE "C"
        ON CONFLICT DO NOTHING RETURNING entry_id
    )
    SELECT coalesce(array_agg(nth ORDER BY nth), '{}') INTO fresh
        FROM generate_series(1, cardinality(entries)) AS nth
        WHERE entries[nth].id IN (SELECT entry_id FROM taken);
    FOR old IN
        SELECT nth, its_key.key, was
        FROM generate_series(1, cardinality(entries)) AS nth
        JOIN ledger_key AS its_key ON its_key.property_id = for_property
             AND its_key.key = drafts -> (nth - 1) ->> 'key'
        JOIN ledger_entry AS was ON was.id = its_key.entry_id
        WHERE nth <> ALL (fresh)
    LOOP
        SELECT ledger_difference(
                   old.was, entries[old.nth],
                   array_agg(ids[leg] ORDER BY leg), array_agg(amounts[leg] ORDER BY leg),
                   array_agg(events[leg] ORDER BY leg),
                   (SELECT coalesce(array_agg(denom_legs[n] - min(leg) + 1), '{}')
                    FROM generate_subscripts(denom_legs, 1) AS n
                    WHERE leg_entries[denom_legs[n]] = old.nth),
                   (SELECT coalesce(array_agg(denominations[n]), '{}')
                    FROM generate_subscripts(denom_legs, 1) AS n
                    WHERE leg_entries[denom_legs[n]] = old.nth),
                   (SELECT coalesce(array_agg(pieces[n]), '{}')
                    FROM generate_subscripts(denom_legs, 1) AS n
                    WHERE leg_entries[denom_legs[n]] = old.nth))
            INTO field
            FROM generate_subscripts(leg_entries, 1) AS leg WHERE leg_entries[leg] = old.nth;
        IF field IS NOT NULL THEN
            PERFORM ledger_refuse_key(old.key, field);
        END IF;
    END LOOP;

    IF cardinality(fresh) > 0 THEN
        PERFORM ledger_require_references(waiting.entry)
            FROM (SELECT e AS entry FROM unnest(entries) AS e
                  WHERE e.id IN (SELECT entries[nth].id FROM unnest(fresh) AS nth)
                    AND num_nonnulls(e.restates_id, e.corrects_id, e.late_day) > 0
                  ORDER BY hashint8(coalesce(e.restates_id, e.corrects_id))) AS waiting;
        -- Every day is held before one of them begins: a close holds its day when it waits for
        -- what begins another.
        PERFORM pg_advisory_xact_lock_shared(7601, ledger_day_lock(for_property, day))
            FROM (SELECT DISTINCT entries[nth].gaming_day AS day FROM unnest(fresh) AS nth
                  ORDER BY 1) AS days;
        FOR period IN
            SELECT DISTINCT ON (entries[nth].gaming_day, entries[nth].shift)
                   entries[nth].gaming_day AS day, entries[nth].shift AS shift,
                   entries[nth].actor AS actor, entries[nth].effective_at AS at
            FROM unnest(fresh) AS nth ORDER BY 1, 2, nth
        LOOP
            PERFORM ledger_enter_day(for_property, period.day, period.shift, period.actor,
                                     period.at);
        END LOOP;
        WITH locked AS (
            SELECT balance FROM ledger_balance AS balance
            WHERE account_id IN (SELECT ids[leg] FROM generate_subscripts(ids, 1) AS leg
                                 WHERE leg_entries[leg] = ANY (fresh))
              AND shard = pg_backend_pid() % shards
            ORDER BY account_id FOR NO KEY UPDATE
        )
        SELECT array_agg(balance) INTO states FROM locked;
        SELECT p.is_sandbox, clock_timestamp() INTO is_sandbox, recorded
            FROM properties_property AS p WHERE id = for_property;
        INSERT INTO ledger_entry OVERRIDING SYSTEM VALUE
            SELECT e.id, e.public_id, e.property_id, e.gaming_day, e.effective_at,
                   CASE WHEN is_sandbox THEN e.effective_at ELSE recorded END,
                   e.txid, e.reverses_id, e.legs, e.kind, e.source, e.actor, e.approver,
                   e.table_ref, e.session_ref, e.shift, e.memo, e.restates_id, e.corrects_id,
                   e.late_day, e.rate_sold, e.rate_bought
            FROM unnest(entries) AS e WHERE e.id IN (SELECT entries[nth].id FROM unnest(fresh) AS nth)
            ORDER BY e.id
            ON CONFLICT DO NOTHING;
        SELECT e.* INTO entry FROM unnest(entries) AS e
            WHERE e.id IN (SELECT entries[nth].id FROM unnest(fresh) AS nth)
              AND NOT EXISTS (SELECT FROM ledger_entry AS stands WHERE stands.id = e.id) LIMIT 1;
        IF FOUND THEN
            PERFORM ledger_refuse_reference(entry);
        END IF;

        -- Each account's running balance through the batch, as if the entries came one by one:
        -- its limits must hold at the end of each.
        WITH leg AS (
            SELECT entries[leg_entries[nth]].id AS entry, ids[nth] AS account,
                   nth, amounts[nth] AS amount, events[nth] AS event,
                   entries[leg_entries[nth]].gaming_day AS day,
                   row_number() OVER (PARTITION BY leg_entries[nth] ORDER BY nth) AS line
            FROM generate_subscripts(ids, 1) AS nth
            WHERE cardinality(fresh) = cardinality(entries) OR leg_entries[nth] = ANY (fresh)
        ), placed AS (
            SELECT leg.*, b.currency, b.shard, b.shards, b.is_open, b.side, b.floor, b.ceiling,
                   b.debit - b.credit + sum(amount) OVER so_far AS running,
                   b.version + row_number() OVER so_far AS version,
                   lead(leg.entry) OVER so_far IS DISTINCT FROM leg.entry AS is_last
            FROM leg JOIN unnest(states) AS b ON b.account_id = leg.account
            WINDOW so_far AS (PARTITION BY leg.account ORDER BY leg.nth)
        ), written AS (
            INSERT INTO ledger_posting (entry_id, line, account_id, property_id, gaming_day, shard,
                                        currency, amount, event, balance_after, account_version)
            SELECT entry, line, account, for_property, day, shard, currency, amount, event,
                   CASE WHEN shards = 1 THEN running END, version
            FROM placed ORDER BY nth
        ), moved AS (
            UPDATE ledger_balance AS b
                SET debit = b.debit + total.debit, credit = b.credit + total.credit,
                    version = b.version + total.lines
                FROM (SELECT account, shard, count(*) AS lines,
                             coalesce(sum(amount) FILTER (WHERE amount > 0), 0) AS debit,
                             coalesce(-sum(amount) FILTER (WHERE amount < 0), 0) AS credit
                      FROM placed GROUP BY account, shard) AS total
                WHERE b.account_id = total.account AND b.shard = total.shard
                  -- What leaves its limits is told below, by name.
                  AND (b.floor IS NULL OR b.side *
                       (b.debit + total.debit - b.credit - total.credit) >= b.floor)
                  AND (b.ceiling IS NULL OR b.side *
                       (b.debit + total.debit - b.credit - total.credit) <= b.ceiling)
        )
        SELECT array_agg(nth ORDER BY nth),
               array_agg(CASE WHEN shards = 1 THEN running END ORDER BY nth),
               min(nth) FILTER (WHERE NOT is_open OR is_last AND (side * running < floor
                                                                  OR side * running > ceiling)),
               bool_or(NOT is_open OR is_last AND side * running < floor)
            INTO new_legs, new_balances, bad_leg, is_below FROM placed;
        IF bad_leg IS NOT NULL THEN
            SELECT ids[bad_leg] AS account, b.side * CASE WHEN is_below THEN -1 ELSE 1 END AS towards
                INTO bad FROM unnest(states) AS b WHERE b.account_id = ids[bad_leg];
            PERFORM ledger_refuse_movement(bad.account, bad.towards);
        END IF;

        counted := cardinality(denom_legs);
        IF counted > 0 THEN
            INSERT INTO ledger_denom (posting_id, denomination, property_id, pieces)
                SELECT posting.id, given.denomination, for_property, given.count
                FROM unnest(denom_legs, denominations, pieces)
                     AS given (leg, denomination, count)
                JOIN (SELECT leg_entries[nth] AS entry, nth,
                             row_number() OVER (PARTITION BY leg_entries[nth] ORDER BY nth) AS line
                      FROM generate_subscripts(leg_entries, 1) AS nth) AS place
                  ON place.nth = given.leg AND place.entry = ANY (fresh)
                JOIN ledger_posting AS posting
                  ON posting.entry_id = entries[place.entry].id AND posting.line = place.line;
            GET DIAGNOSTICS kept = ROW_COUNT;
            IF kept <> (SELECT count(*) FROM unnest(denom_legs) AS leg
                        WHERE leg_entries[leg] = ANY (fresh)
                           OR leg NOT BETWEEN 1 AND cardinality(leg_entries)) THEN
                RAISE EXCEPTION 'pieces are counted for a leg that no entry has'
                    USING ERRCODE = '23514', CONSTRAINT = 'ledger_denom_line';
            END IF;
        END IF;
    END IF;

    -- The lines of what is new are those that came; of what stood, those that stand.
    RETURN QUERY
        SELECT answer.id, answer.public_id, answer.stood, answer.accounts, answer.balances
        FROM (
            SELECT leg_entries[leg] AS nth, entries[leg_entries[leg]].id AS id,
                   entries[leg_entries[leg]].public_id AS public_id, false AS stood,
                   NULL::text[] AS accounts, array_agg(after ORDER BY leg) AS balances
            FROM unnest(new_legs, new_balances) AS given (leg, after) GROUP BY 1
            UNION ALL
            SELECT its.nth, e.id, e.public_id, true,
                   (SELECT array_agg(account.code ORDER BY posting.line)
                    FROM ledger_posting AS posting JOIN ledger_account AS account
                      ON account.id = posting.account_id WHERE posting.entry_id = e.id),
                   (SELECT array_agg(posting.balance_after ORDER BY posting.line)
                    FROM ledger_posting AS posting WHERE posting.entry_id = e.id)
            FROM generate_series(1, cardinality(entries)) AS its (nth)
            JOIN ledger_key AS k ON k.property_id = for_property
                 AND k.key = drafts -> (its.nth - 1) ->> 'key'
            JOIN ledger_entry AS e ON e.id = k.entry_id
            WHERE its.nth <> ALL (fresh)
        ) AS answer
        ORDER BY answer.nth;
END
$$;

-- Reverse an entry as a whole, on a day that is open: the same lines with their signs changed.
CREATE FUNCTION ledger_reverse(
        for_property bigint, of_entry bigint, its_key text, by_actor text, by_approver text,
        at timestamptz, day date, its_shift text, its_memo text,
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
    -- Another property's entry is none: nobody learns that it exists.
    SELECT * INTO original FROM ledger_entry WHERE id = of_entry AND property_id = for_property;
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
    entry.restates_id := NULL;
    entry.corrects_id := NULL;
    entry.late_day := NULL;
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

-- The next number of a series for *its_document*, or the one that it has. The last statement of
-- its transaction: whoever prepares the next slip waits here, and only for a commit.
CREATE FUNCTION ledger_draw_slip(
        for_property bigint, its_series text, its_document text, by_actor text, at timestamptz)
    RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    drawn bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM properties_property WHERE id = for_property) THEN
        RAISE EXCEPTION 'there is no property %', for_property
            USING ERRCODE = 'BZ404', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    INSERT INTO ledger_series (property_id, series, next) VALUES (for_property, its_series, 1)
        ON CONFLICT DO NOTHING;
    PERFORM FROM ledger_series
        WHERE property_id = for_property AND series = its_series FOR NO KEY UPDATE;
    SELECT number INTO drawn FROM ledger_slip
        WHERE property_id = for_property AND series = its_series AND document = its_document;
    IF FOUND THEN
        RETURN drawn;
    END IF;
    UPDATE ledger_series SET next = next + 1
        WHERE property_id = for_property AND series = its_series RETURNING next - 1 INTO drawn;
    INSERT INTO ledger_slip (property_id, series, number, document, drawn_at, drawn_by)
        VALUES (for_property, its_series, drawn, its_document, at, by_actor);
    RETURN drawn;
END
$$;

CREATE FUNCTION ledger_note_inspection(
        for_property bigint, its_kind text, by_actor text, at timestamptz, its_upto_seal bigint,
        its_findings text[])
    RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    earlier ledger_inspection;
    noted ledger_inspection;
BEGIN
    IF its_upto_seal > (SELECT coalesce(max(number), 0) FROM ledger_seal
                        WHERE property_id = for_property) THEN
        RAISE EXCEPTION 'there is no seal %', its_upto_seal USING ERRCODE = '22023';
    END IF;
    IF NOT isfinite(at) THEN
        RAISE EXCEPTION '% is no moment', at USING ERRCODE = '23514';
    END IF;
    -- One after the other, so that their numbers commit in their order (0009).
    PERFORM pg_advisory_xact_lock(7604, hashint8(coalesce(for_property, 0)));
    SELECT * INTO earlier FROM ledger_inspection
        WHERE coalesce(property_id, 0) = coalesce(for_property, 0) AND number IS NOT NULL
        ORDER BY number DESC LIMIT 1;
    noted.property_id := for_property;
    noted.kind := its_kind;
    noted.at := at;
    noted.actor := by_actor;
    noted.upto_seal := its_upto_seal;
    noted.findings := its_findings;
    noted.number := coalesce(earlier.number, 0) + 1;
    noted.hash := sha256(coalesce(earlier.hash, '') || ledger_inspection_digest(noted));
    INSERT INTO ledger_inspection (property_id, kind, at, actor, upto_seal, findings, number, hash)
        VALUES (for_property, its_kind, at, by_actor, its_upto_seal, its_findings, noted.number,
                noted.hash)
        RETURNING id INTO noted.id;
    RETURN noted.id;
END
$$;

-- Days that were closed before this stood get the totals and snapshots that they would have. They
-- have one signature, and nobody invents the other.
ALTER TABLE ledger_period DISABLE TRIGGER ledger_period_closed;
DO $$
DECLARE
    period ledger_period;
BEGIN
    FOR period IN SELECT * FROM ledger_period WHERE status = 'closed' AND totals IS NULL
            ORDER BY property_id, gaming_day LOOP
        PERFORM ledger_take_snapshots(period.property_id, period.gaming_day, period.closed_at);
        UPDATE ledger_period
            SET totals = ledger_period_totals(property_id, gaming_day, ''),
                report_hash = ledger_report_hash(
                    gaming_day, '', ledger_period_totals(property_id, gaming_day, '')),
                recorded_at = closed_at
            WHERE property_id = period.property_id AND gaming_day = period.gaming_day;
    END LOOP;
END
$$;
ALTER TABLE ledger_period ENABLE ALWAYS TRIGGER ledger_period_closed;
ALTER TABLE ledger_period
    ADD CONSTRAINT ledger_period_signed CHECK (
        status = 'open' OR shift <> ''
        OR approved_by <> '' AND approved_by <> closed_by) NOT VALID,
    ADD CONSTRAINT ledger_period_totals CHECK (
        (status = 'closed') = (totals IS NOT NULL)
        AND (status = 'closed') = (report_hash IS NOT NULL)
        AND (status = 'closed') = (recorded_at IS NOT NULL));

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
                    'ledger_open_day', 'ledger_close_day', 'ledger_close_shift',
                    'ledger_open_account', 'ledger_close_account', 'ledger_post',
                    'ledger_post_many', 'ledger_reverse', 'ledger_draw_slip',
                    'ledger_note_inspection') LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO baize_app', made);
    END LOOP;
END
$$;
