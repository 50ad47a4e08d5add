-- The chain of seals: one for each property, written behind the posters, by what has committed.
--
-- hash = SHA-256 of: the hash before it (32 bytes; zeros at first), the digest of what the seal
-- says of itself, of its epoch and of the closes and inspections that stood, the digests of the accounts that it is the first to post to, by
-- id, and of each entry in order three: head, postings, pieces. Every digest is the SHA-256 of a
-- line of fields with commas between. A field is a whole number, a UUID, or - where there is none;
-- a moment is in microseconds since 1970, a day in days since 2000. A text stands behind its length
-- in bytes, so nothing in it can be taken for a separator. No session setting changes any of this.

-- Which cluster the epoch's transaction ids are of; null where the server does not tell.
ALTER TABLE ledger_epoch ADD COLUMN cluster bigint, ADD COLUMN is_sandbox boolean;

-- Closes and inspections are numbered without a gap, and each hash is over the one before it. A
-- seal says how far both had come, and those of the whole database (examinations).
ALTER TABLE ledger_period ADD COLUMN close_number bigint, ADD COLUMN close_hash bytea;
CREATE UNIQUE INDEX ledger_period_closes ON ledger_period (property_id, close_number)
    WHERE close_number IS NOT NULL;
ALTER TABLE ledger_inspection ADD COLUMN number bigint, ADD COLUMN hash bytea;
CREATE UNIQUE INDEX ledger_inspection_chain ON ledger_inspection (coalesce(property_id, 0), number);
ALTER TABLE ledger_seal
    ADD COLUMN closes bigint NOT NULL DEFAULT 0,
    ADD COLUMN inspections bigint NOT NULL DEFAULT 0,
    ADD COLUMN examinations bigint NOT NULL DEFAULT 0,
    ADD COLUMN kept bytea NOT NULL DEFAULT '';  -- the hashes of those three, hashed

-- An account as it was when the first entry that posts to it was sealed.
CREATE TABLE ledger_sealed_account (
    account_id bigint PRIMARY KEY REFERENCES ledger_account (id),
    property_id bigint NOT NULL,
    seal bigint NOT NULL,
    exponent smallint NOT NULL,  -- of its currency: what an amount on it is worth
    digest bytea NOT NULL CHECK (length(digest) = 32),
    FOREIGN KEY (property_id, seal) REFERENCES ledger_seal (property_id, number)
        DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX ledger_sealed_account_seal ON ledger_sealed_account (property_id, seal);
REVOKE ALL ON ledger_sealed_account FROM baize_app;
GRANT SELECT ON ledger_sealed_account TO baize_app;

DROP INDEX ledger_entry_txid;
CREATE INDEX ledger_entry_chain ON ledger_entry (property_id, txid, id);
-- An event has one key, and the entry's seal needs to find it.
CREATE UNIQUE INDEX ledger_key_entry ON ledger_key (entry_id);

CREATE FUNCTION ledger_moment(at timestamptz)
    RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT (extract(epoch FROM at) * 1000000)::bigint
$$;

CREATE FUNCTION ledger_day_number(day date)
    RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT day - DATE '2000-01-01'
$$;

-- The digests of entries, in the order in which they are asked for. Inlined where it is called.
CREATE FUNCTION ledger_digests(ids bigint[])
    RETURNS TABLE (nth bigint, entry_id bigint, head bytea, postings bytea, pieces bytea)
    LANGUAGE sql STABLE AS $$
    SELECT listed.nth, entry.id,
           sha256(convert_to(concat_ws(',',
               entry.id, entry.public_id, entry.property_id, ledger_day_number(entry.gaming_day),
               ledger_moment(entry.effective_at), ledger_moment(entry.recorded_at), entry.txid,
               coalesce(entry.reverses_id::text, '-'), coalesce(entry.restates_id::text, '-'),
               coalesce(entry.corrects_id::text, '-'),
               coalesce(ledger_day_number(entry.late_day)::text, '-'),
               coalesce(entry.rate_sold::text, '-'), coalesce(entry.rate_bought::text, '-'),
               entry.legs,
               octet_length(entry.kind), entry.kind, octet_length(entry.source), entry.source,
               octet_length(entry.actor), entry.actor,
               octet_length(entry.approver), entry.approver,
               octet_length(entry.table_ref), entry.table_ref,
               octet_length(entry.session_ref), entry.session_ref,
               octet_length(entry.shift), entry.shift, octet_length(entry.memo), entry.memo,
               coalesce(its_key.property_id::text, '-'),
               coalesce(octet_length(its_key.key)::text, '-'), its_key.key), 'UTF8')),
           sha256(convert_to(coalesce(lines.text, ''), 'UTF8')),
           CASE WHEN counted.text IS NULL THEN sha256('') -- folded into a constant
                ELSE sha256(convert_to(counted.text, 'UTF8')) END
    FROM unnest(ids) WITH ORDINALITY AS listed (id, nth)
    JOIN ledger_entry AS entry ON entry.id = listed.id
    LEFT JOIN ledger_key AS its_key ON its_key.entry_id = entry.id
    CROSS JOIN LATERAL (
        SELECT string_agg(concat_ws(',',
                   line, id, property_id, account_id, shard, account_version, amount,
                   coalesce(balance_after::text, '-'), ledger_day_number(gaming_day),
                   octet_length(currency), currency, octet_length(event), event),
                   ';' ORDER BY line) AS text,
               min(id) AS first, max(id) AS last
        FROM ledger_posting WHERE entry_id = entry.id
    ) AS lines
    CROSS JOIN LATERAL (
        SELECT string_agg(concat_ws(',', posting.line, denom.posting_id, denom.property_id,
                                    denom.denomination, denom.pieces),
                          ';' ORDER BY posting.line, denom.denomination) AS text
        FROM ledger_denom AS denom JOIN ledger_posting AS posting ON posting.id = denom.posting_id
        -- One look into the index for an entry, where nearly none has pieces.
        WHERE denom.posting_id BETWEEN lines.first AND lines.last AND posting.entry_id = entry.id
    ) AS counted
    OFFSET 0  -- a digest that is used twice is made once
$$;

-- Its name may change, and it closes; the rest never does.
CREATE FUNCTION ledger_account_digest(account ledger_account, exponent smallint)
    RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(convert_to(concat_ws(',',
        account.id, account.property_id, account.side, account.shards, exponent,
        ledger_moment(account.opened_at), octet_length(account.code), account.code,
        octet_length(account.currency), account.currency, octet_length(account.type), account.type,
        octet_length(account.instrument), account.instrument), 'UTF8'))
$$;

CREATE FUNCTION ledger_close_digest(period ledger_period)
    RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(convert_to(concat_ws(',',
        period.property_id, period.close_number, ledger_day_number(period.gaming_day),
        ledger_moment(period.opened_at), ledger_moment(period.closed_at),
        ledger_moment(period.recorded_at), coalesce(period.last_entry_id::text, '-'),
        coalesce(encode(period.report_hash, 'hex'), '-'), coalesce(period.anchor_seal::text, '-'),
        coalesce(encode(period.anchor_hash, 'hex'), '-'),
        octet_length(period.shift), period.shift,
        octet_length(period.opened_by), period.opened_by,
        octet_length(period.closed_by), period.closed_by,
        octet_length(period.approved_by), period.approved_by), 'UTF8'))
$$;

CREATE FUNCTION ledger_inspection_digest(inspection ledger_inspection)
    RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(convert_to(concat_ws(',',
        coalesce(inspection.property_id::text, '-'), inspection.number,
        ledger_moment(inspection.at), coalesce(inspection.upto_seal::text, '-'),
        octet_length(inspection.kind), inspection.kind,
        octet_length(inspection.actor), inspection.actor, cardinality(inspection.findings),
        (SELECT string_agg(octet_length(finding) || ',' || finding, ',' ORDER BY nth)
         FROM unnest(inspection.findings) WITH ORDINALITY AS found (finding, nth))), 'UTF8'))
$$;

-- How far closes and inspections have come: whoever numbers them holds a lock until the commit, so
-- what is seen has no gap.
CREATE FUNCTION ledger_kept(
        for_property bigint, OUT closes bigint, OUT inspections bigint, OUT examinations bigint,
        OUT hash bytea)
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(close.number, 0), coalesce(inspection.number, 0),
           coalesce(examination.number, 0),
           sha256(coalesce(close.hash, '') || coalesce(inspection.hash, '')
                  || coalesce(examination.hash, ''))
    FROM (VALUES (true)) AS always
    LEFT JOIN LATERAL (
        SELECT close_number AS number, close_hash AS hash FROM ledger_period
        WHERE property_id = for_property AND close_number IS NOT NULL
        ORDER BY close_number DESC LIMIT 1
    ) AS close ON true
    LEFT JOIN LATERAL (
        SELECT latest.number, latest.hash FROM ledger_inspection AS latest
        WHERE coalesce(latest.property_id, 0) = for_property AND latest.number IS NOT NULL
        ORDER BY latest.number DESC LIMIT 1
    ) AS inspection ON true
    LEFT JOIN LATERAL (
        SELECT latest.number, latest.hash FROM ledger_inspection AS latest
        WHERE coalesce(latest.property_id, 0) = 0 AND latest.number IS NOT NULL
        ORDER BY latest.number DESC LIMIT 1
    ) AS examination ON true
$$;

CREATE FUNCTION ledger_seal_hash(seal ledger_seal, accounts bytea, digests bytea)
    RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(seal.prev_hash || sha256(convert_to(concat_ws(',',
               seal.property_id, seal.number, seal.epoch, seal.first_txid, seal.upto_txid,
               seal.entries, ledger_moment(seal.sealed_at),
               seal.closes, seal.inspections, seal.examinations, encode(seal.kept, 'hex'),
               epoch.after_entry_id, coalesce(epoch.cluster::text, '-'),
               coalesce(epoch.is_sandbox::text, '-'), ledger_moment(epoch.begun_at),
               octet_length(epoch.begun_by), epoch.begun_by,
               octet_length(epoch.reason), epoch.reason), 'UTF8'))
           || coalesce(accounts, '') || coalesce(digests, ''))
    FROM ledger_epoch AS epoch
    WHERE epoch.property_id = seal.property_id AND epoch.epoch = seal.epoch
$$;

CREATE FUNCTION ledger_cluster()
    RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT system_identifier FROM pg_control_system());
EXCEPTION WHEN insufficient_privilege THEN
    RETURN NULL;
END
$$;

-- Whether transaction ids in these books are another cluster's: its own counter is not above what
-- was sealed or posted, or the server is another one than the epoch began on.
CREATE FUNCTION ledger_is_foreign(for_property bigint)
    RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
               SELECT FROM ledger_epoch AS epoch
               WHERE epoch.property_id = for_property AND epoch.cluster <> ledger_cluster()
                 AND epoch.epoch = (SELECT max(latest.epoch) FROM ledger_epoch AS latest
                                    WHERE latest.property_id = for_property))
        OR EXISTS (
               SELECT FROM (SELECT upto_txid, epoch FROM ledger_seal
                            WHERE property_id = for_property ORDER BY number DESC LIMIT 1) AS head
               WHERE head.upto_txid >= pg_snapshot_xmax(pg_current_snapshot())
                 AND head.epoch = (SELECT max(latest.epoch) FROM ledger_epoch AS latest
                                   WHERE latest.property_id = for_property))
        OR EXISTS (
               SELECT FROM ledger_entry AS entry
               WHERE entry.property_id = for_property
                 AND entry.txid >= pg_snapshot_xmax(pg_current_snapshot())
                 AND entry.txid IS DISTINCT FROM pg_current_xact_id_if_assigned()
                 AND entry.id > coalesce((SELECT max(latest.after_entry_id)
                                          FROM ledger_epoch AS latest
                                          WHERE latest.property_id = for_property), 0))
$$;

-- The newest epoch; the first one begins by itself.
CREATE FUNCTION ledger_current_epoch(for_property bigint, at timestamptz)
    RETURNS ledger_epoch LANGUAGE plpgsql AS $$
DECLARE
    current ledger_epoch;
BEGIN
    SELECT * INTO current FROM ledger_epoch
        WHERE property_id = for_property ORDER BY epoch DESC LIMIT 1;
    IF NOT FOUND THEN
        INSERT INTO ledger_epoch (property_id, epoch, after_entry_id, begun_at, begun_by, reason,
                                  cluster, is_sandbox)
            VALUES (for_property, 1, 0, at, 'system:seal', 'the first seal', ledger_cluster(),
                    (SELECT is_sandbox FROM properties_property WHERE id = for_property))
            RETURNING * INTO current;
    END IF;
    RETURN current;
END
$$;

-- The entries that wait, oldest transaction first and none cut in two: all of those that lie below
-- the horizon, where nothing can still commit before them.
CREATE FUNCTION ledger_waiting(its_epoch ledger_epoch, at_most integer, horizon xid8)
    RETURNS bigint[] LANGUAGE sql STABLE AS $$
    SELECT array_agg(id ORDER BY txid, id)
    FROM (
        SELECT id, txid FROM ledger_entry
        WHERE property_id = its_epoch.property_id AND id > its_epoch.after_entry_id
          AND txid > coalesce((SELECT max(upto_txid) FROM (
                  SELECT upto_txid FROM ledger_seal AS seal
                  WHERE seal.property_id = its_epoch.property_id AND seal.epoch = its_epoch.epoch
                  ORDER BY number DESC LIMIT 1) AS head), '0')
          AND txid < horizon
        ORDER BY txid FETCH FIRST at_most ROWS WITH TIES
    ) AS waiting
$$;

-- Tell other programs of entries, in this order: each is an event of the feed, with its number. The
-- entry itself is what is kept for them until then, so a posting writes nothing twice.
CREATE FUNCTION ledger_tell(for_property bigint, ids bigint[])
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    reached bigint := events_hold_numbers(for_property);
BEGIN
    INSERT INTO events_outbox (property_id, topic, subject_type, subject_id, version, key, payload,
                               occurred_at, gaming_day, sequence, numbered_at)
        SELECT for_property, 'ledger.entry_posted', 'ledger_entry', untold.name, 1, untold.key,
               jsonb_build_object('id', untold.name, 'kind', untold.kind,
                                  'source', untold.source, 'table', untold.table_ref,
                                  'session', untold.session_ref, 'legs', untold.legs),
               untold.effective_at, untold.gaming_day,
               reached + row_number() OVER (ORDER BY untold.nth), clock_timestamp()
        FROM (
            SELECT listed.nth, 'ent_' || entry.public_id AS name,
                   'ledger.entry_posted:' || entry.public_id AS key, entry.*
            FROM unnest(ids) WITH ORDINALITY AS listed (id, nth)
            JOIN ledger_entry AS entry ON entry.id = listed.id
        ) AS untold
        -- The first entries of all were told when they were posted.
        WHERE NOT EXISTS (SELECT FROM events_outbox AS told
                          WHERE told.property_id = for_property AND told.key = untold.key)
        ORDER BY untold.nth;
END
$$;

-- Seal entries, in this order; the caller holds the chain.
CREATE FUNCTION ledger_write_seal(its_epoch ledger_epoch, ids bigint[], at timestamptz)
    RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    newest ledger_seal;
    seal ledger_seal;
    account_digests bytea;
    full_digests bytea;
BEGIN
    SELECT * INTO newest FROM ledger_seal
        WHERE property_id = its_epoch.property_id ORDER BY number DESC LIMIT 1;
    seal.property_id := its_epoch.property_id;
    seal.number := coalesce(newest.number, 0) + 1;
    seal.epoch := its_epoch.epoch;
    seal.entries := cardinality(ids);
    seal.entry_ids := ids;
    seal.prev_hash := coalesce(newest.hash, decode(repeat('00', 32), 'hex'));
    seal.sealed_at := at;
    -- They come in the order of their transactions.
    SELECT first.txid, last.txid INTO seal.first_txid, seal.upto_txid
        FROM ledger_entry AS first, ledger_entry AS last
        WHERE first.id = ids[1] AND last.id = ids[seal.entries];
    SELECT string_agg(head || postings || pieces, '' ORDER BY nth),
           string_agg(substr(head, 1, 16) || substr(postings, 1, 16) || substr(pieces, 1, 16), ''
                      ORDER BY nth)
        INTO full_digests, seal.digests
        FROM ledger_digests(ids);
    WITH fresh AS (
        INSERT INTO ledger_sealed_account (account_id, property_id, seal, exponent, digest)
        SELECT account.id, seal.property_id, seal.number, currency.exponent,
               ledger_account_digest(account, currency.exponent)
        FROM (SELECT DISTINCT account_id FROM ledger_posting WHERE entry_id = ANY (ids)) AS posted
        JOIN ledger_account AS account ON account.id = posted.account_id
        JOIN ledger_currency AS currency ON currency.code = account.currency
        WHERE NOT EXISTS (SELECT FROM ledger_sealed_account AS sealed
                          WHERE sealed.account_id = posted.account_id)
        RETURNING account_id, digest
    )
    SELECT string_agg(digest, '' ORDER BY account_id) INTO account_digests FROM fresh;
    SELECT * INTO seal.closes, seal.inspections, seal.examinations, seal.kept
        FROM ledger_kept(seal.property_id);
    seal.hash := ledger_seal_hash(seal, account_digests, full_digests);
    INSERT INTO ledger_seal VALUES (seal.*);
    PERFORM ledger_tell(seal.property_id, ids);
END
$$;

-- Seal up to *at_most* entries that wait, more where one transaction wrote more. Answers how many.
CREATE FUNCTION ledger_seal_next(for_property bigint, at_most integer, at timestamptz)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
    SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    current ledger_epoch;
    ids bigint[];
BEGIN
    -- What is read below is read anew: whoever held the chain before has committed.
    PERFORM pg_advisory_xact_lock(7603, hashint8(for_property));
    IF NOT EXISTS (SELECT FROM ledger_entry WHERE property_id = for_property) THEN
        RETURN 0;
    ELSIF ledger_is_foreign(for_property) THEN
        RAISE EXCEPTION 'the books of property % come from another cluster', for_property
            USING ERRCODE = 'BZ430', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    current := ledger_current_epoch(for_property, at);
    ids := ledger_waiting(current, at_most, pg_snapshot_xmin(pg_current_snapshot()));
    IF ids IS NULL THEN
        RETURN 0;
    END IF;
    PERFORM ledger_write_seal(current, ids, at);
    RETURN cardinality(ids);
END
$$;

-- Begin an epoch, after a dump was restored into another cluster. What is left of the old one is
-- sealed first, whatever the horizon: all of it has committed. What was posted here already has
-- higher ids and lower transactions, and is of the new one. Answers the epoch's number.
CREATE FUNCTION ledger_begin_epoch(
        for_property bigint, by_actor text, its_reason text, at timestamptz)
    RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
    SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    old ledger_epoch;
    ids bigint[];
    last_id bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM properties_property WHERE id = for_property) THEN
        RAISE EXCEPTION 'there is no property %', for_property
            USING ERRCODE = 'BZ404', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    -- Whoever posts has read the accounts before it draws the number of its entry: so this waits
    -- for all who have drawn one, and lets no other begin.
    LOCK TABLE ledger_account IN ACCESS EXCLUSIVE MODE;
    PERFORM pg_advisory_xact_lock(7603, hashint8(for_property));
    -- Sealing without the horizon is right only where nobody can still commit to what is left.
    IF NOT ledger_is_foreign(for_property) THEN
        RAISE EXCEPTION 'the books of property % are of this cluster', for_property
            USING ERRCODE = 'BZ431', DETAIL = jsonb_build_object('property_id', for_property);
    END IF;
    old := ledger_current_epoch(for_property, at);
    LOOP
        ids := ledger_waiting(old, 1000, '18446744073709551615');
        EXIT WHEN ids IS NULL;
        PERFORM ledger_write_seal(old, ids, at);
    END LOOP;
    SELECT coalesce(max(listed.id), old.after_entry_id) INTO last_id
        FROM ledger_seal AS seal CROSS JOIN LATERAL unnest(seal.entry_ids) AS listed (id)
        WHERE seal.property_id = for_property AND seal.epoch = old.epoch;
    INSERT INTO ledger_epoch (property_id, epoch, after_entry_id, begun_at, begun_by, reason,
                              cluster, is_sandbox)
        VALUES (for_property, old.epoch + 1, last_id, at, by_actor, its_reason, ledger_cluster(),
                old.is_sandbox);
    RETURN old.epoch + 1;
END
$$;

-- What does not hold of the seals from *first_number* to *last_number*, and of what they fix.
CREATE FUNCTION ledger_verify_seals(
        for_property bigint, first_number bigint, last_number bigint)
    RETURNS TABLE (what text, seal bigint, entry_id bigint, public_id uuid, detail text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp
    SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
    is_foreign boolean := ledger_is_foreign(for_property);
    link record;
    its ledger_seal;
    its_own bytea;      -- the hash that it should have
    before_own bytea;   -- the one that the seal before should have
    follows boolean;
    has_named boolean;
BEGIN
    FOR link IN
        SELECT sealed, before.number AS before_number, before.hash AS before_hash,
               epoch.after_entry_id, ending.last_entry_id, found.digests, found.halves,
               accounts.digests AS account_digests,
               -- Behind a seal that is missing, only what this one says of itself tells its range.
               CASE WHEN before.number IS DISTINCT FROM nullif(sealed.number - 1, 0)
                         THEN (sealed.first_txid::text::numeric - 1)::text::xid8
                    WHEN before.epoch = sealed.epoch THEN before.upto_txid
                    ELSE '0' END AS after_txid
        FROM ledger_seal AS sealed
        LEFT JOIN ledger_epoch AS epoch
          ON epoch.property_id = sealed.property_id AND epoch.epoch = sealed.epoch
        LEFT JOIN LATERAL (
            SELECT after_entry_id AS last_entry_id FROM ledger_epoch AS next
            WHERE next.property_id = sealed.property_id AND next.epoch > sealed.epoch
            ORDER BY next.epoch LIMIT 1
        ) AS ending ON true
        LEFT JOIN LATERAL (
            SELECT number, hash, epoch, upto_txid FROM ledger_seal AS earlier
            WHERE earlier.property_id = sealed.property_id AND earlier.number < sealed.number
            ORDER BY earlier.number DESC LIMIT 1
        ) AS before ON true
        CROSS JOIN LATERAL (
            SELECT string_agg(head || postings || pieces, '' ORDER BY nth) AS digests,
                   string_agg(substr(head, 1, 16) || substr(postings, 1, 16)
                              || substr(pieces, 1, 16), '' ORDER BY nth) AS halves
            FROM ledger_digests(sealed.entry_ids)
        ) AS found
        CROSS JOIN LATERAL (
            SELECT string_agg(ledger_account_digest(account, fixed.exponent), ''
                              ORDER BY account.id) AS digests
            FROM ledger_sealed_account AS fixed
            JOIN ledger_account AS account ON account.id = fixed.account_id
            WHERE fixed.property_id = sealed.property_id AND fixed.seal = sealed.number
        ) AS accounts
        -- One seal more tells whether the first of them follows it.
        WHERE sealed.property_id = for_property
          AND sealed.number BETWEEN first_number - 1 AND last_number
        ORDER BY sealed.number
    LOOP
        its := link.sealed;
        its_own := ledger_seal_hash(its, link.account_digests, link.digests);
        IF its.number < first_number THEN
            before_own := its_own;
            CONTINUE;
        END IF;
        seal := its.number;
        entry_id := NULL;
        public_id := NULL;
        detail := NULL;

        IF link.before_number IS DISTINCT FROM nullif(its.number - 1, 0) THEN
            what := 'seal_missing';
            detail := concat_ws('-', coalesce(link.before_number, 0) + 1,
                                nullif(its.number - 1, coalesce(link.before_number, 0) + 1));
            RETURN NEXT;
            detail := NULL;
            follows := true;
        ELSE
            follows := its.prev_hash = coalesce(link.before_hash, decode(repeat('00', 32), 'hex'));
            -- Where the hash of the one before was changed, that one is to blame, and was told.
            IF NOT follows AND its.prev_hash IS DISTINCT FROM before_own THEN
                what := 'seal_follows';
                RETURN NEXT;
            END IF;
        END IF;

        has_named := false;
        IF its.hash IS DISTINCT FROM its_own THEN
            FOR what, entry_id, public_id, detail IN
                SELECT * FROM ledger_name_changes(its)
            LOOP
                has_named := true;
                RETURN NEXT;
            END LOOP;
            entry_id := NULL;
            public_id := NULL;
            detail := NULL;
            its.prev_hash := coalesce(link.before_hash, decode(repeat('00', 32), 'hex'));
            IF NOT has_named AND (follows OR its.hash IS DISTINCT FROM ledger_seal_hash(
                    its, link.account_digests, link.digests)) THEN
                what := 'seal_changed';
                RETURN NEXT;
            END IF;
        ELSIF link.halves IS DISTINCT FROM its.digests THEN
            what := 'seal_digests';
            RETURN NEXT;
        END IF;
        before_own := its_own;

        IF (SELECT count(*) FROM ledger_entry AS entry
            WHERE entry.property_id = for_property AND entry.txid > link.after_txid
              AND entry.txid <= its.upto_txid AND entry.id > link.after_entry_id
              AND (link.last_entry_id IS NULL OR entry.id <= link.last_entry_id))
           <> its.entries OR has_named THEN
            what := 'entry_unlisted';
            FOR entry_id, public_id IN
                SELECT entry.id, entry.public_id FROM ledger_entry AS entry
                WHERE entry.property_id = for_property AND entry.txid > link.after_txid
                  AND entry.txid <= its.upto_txid AND entry.id > link.after_entry_id
                  AND (link.last_entry_id IS NULL OR entry.id <= link.last_entry_id)
                  AND NOT EXISTS (SELECT FROM ledger_seal AS other
                                  WHERE other.property_id = for_property
                                    AND other.epoch = its.epoch
                                    AND entry.id = ANY (other.entry_ids))
                  -- Posted after a restore, before its epoch begins.
                  AND NOT (is_foreign AND link.last_entry_id IS NULL AND entry.id > (
                      SELECT max(listed) FROM ledger_seal AS other,
                             unnest(other.entry_ids) AS listed
                      WHERE other.property_id = for_property AND other.epoch = its.epoch))
                ORDER BY entry.id
            LOOP
                RETURN NEXT;
            END LOOP;
        END IF;
    END LOOP;
END
$$;

-- Which entries of a seal, and which accounts, are not as they were.
CREATE FUNCTION ledger_name_changes(its ledger_seal)
    RETURNS TABLE (what text, entry_id bigint, public_id uuid, detail text)
    LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN now.entry_id IS NULL THEN 'entry_gone' ELSE 'entry_changed' END,
           listed.id, entry.public_id, parts.names
    FROM (SELECT id, nth, substr(held.digests, 48 * nth::integer - 47, 48) AS was
          FROM (SELECT its.digests || '' AS digests OFFSET 0) AS held,  -- read out of TOAST once
               unnest(its.entry_ids) WITH ORDINALITY AS given (id, nth)) AS listed
    LEFT JOIN ledger_digests(its.entry_ids) AS now ON now.nth = listed.nth
    LEFT JOIN ledger_entry AS entry ON entry.id = now.entry_id
    CROSS JOIN LATERAL (
        SELECT concat_ws(',',
            CASE WHEN substr(now.head, 1, 16) <> substr(was, 1, 16) THEN 'head' END,
            CASE WHEN substr(now.postings, 1, 16) <> substr(was, 17, 16) THEN 'postings' END,
            CASE WHEN substr(now.pieces, 1, 16) <> substr(was, 33, 16) THEN 'pieces' END) AS names
    ) AS parts
    WHERE now.entry_id IS NULL OR parts.names <> ''
    UNION ALL
    SELECT 'account_changed', NULL, NULL, coalesce(account.code, fixed.account_id::text)
    FROM ledger_sealed_account AS fixed
    LEFT JOIN ledger_account AS account ON account.id = fixed.account_id
    WHERE fixed.property_id = its.property_id AND fixed.seal = its.number
      AND fixed.digest IS DISTINCT FROM ledger_account_digest(account, fixed.exponent)
    ORDER BY 2 NULLS LAST, 4
$$;

-- What does not hold of the chain as a whole: its end, by what was kept of it outside and at each
-- close, the reports of closed periods, and what lies in an epoch that ended without its seal.
CREATE FUNCTION ledger_verify_heads(
        for_property bigint, known_numbers bigint[], known_hashes bytea[])
    RETURNS TABLE (what text, seal bigint, entry_id bigint, public_id uuid, detail text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH chain AS (
        SELECT coalesce(max(number), 0) AS length FROM ledger_seal WHERE property_id = for_property
    ), closed AS (
        SELECT period.*, concat_ws(' ', to_char(gaming_day, 'YYYY-MM-DD'), nullif(shift, '')) AS name
        FROM ledger_period AS period WHERE property_id = for_property AND status = 'closed'
    )
    SELECT CASE WHEN known.number > chain.length THEN 'head_gone' ELSE 'head_differs' END,
           known.number, NULL::bigint, NULL::uuid, chain.length::text
    FROM chain CROSS JOIN unnest(known_numbers, known_hashes) AS known (number, hash)
    LEFT JOIN ledger_seal AS sealed
      ON sealed.property_id = for_property AND sealed.number = known.number
    WHERE known.number > chain.length OR sealed.hash <> known.hash
    UNION ALL
    SELECT CASE WHEN closed.anchor_seal IS NULL THEN 'anchor_missing'
                WHEN closed.anchor_seal > chain.length THEN 'anchor_gone'
                ELSE 'anchor_differs' END,
           closed.anchor_seal, NULL, NULL, closed.name
    FROM chain CROSS JOIN closed
    LEFT JOIN ledger_seal AS sealed
      ON sealed.property_id = for_property AND sealed.number = closed.anchor_seal
    WHERE closed.anchor_seal > chain.length OR sealed.hash <> closed.anchor_hash
       OR closed.anchor_seal IS NULL AND EXISTS (
              SELECT FROM closed AS earlier WHERE earlier.gaming_day < closed.gaming_day
              AND earlier.anchor_seal IS NOT NULL)
    UNION ALL
    SELECT 'report_differs', NULL, NULL, NULL, closed.name FROM closed
    WHERE report_hash IS DISTINCT FROM ledger_report_hash(gaming_day, shift, totals)
    UNION ALL
    SELECT 'announced_differs', NULL, NULL, NULL, closed.name
    FROM closed JOIN events_outbox AS event
      ON event.property_id = for_property AND event.key = 'gaming_day.closed:' || closed.gaming_day
    WHERE closed.shift = ''
      AND (event.payload ->> 'report_hash', event.payload ->> 'seal_hash') IS DISTINCT FROM
          (encode(closed.report_hash, 'hex'), encode(closed.anchor_hash, 'hex'))
    UNION ALL
    SELECT 'signed_differs', NULL, NULL, NULL, closed.name
    FROM closed JOIN events_outbox AS event
      ON event.property_id = for_property AND event.key = 'gaming_day.closed:' || closed.gaming_day
    WHERE closed.shift = ''
      AND (event.payload ->> 'closed_by', event.payload ->> 'approved_by', event.occurred_at)
          IS DISTINCT FROM (closed.closed_by, closed.approved_by, closed.closed_at)
    UNION ALL
    -- Days that closed before closes were announced bear one signature.
    SELECT 'not_announced', NULL, NULL, NULL, closed.name FROM closed
    WHERE closed.shift = '' AND closed.approved_by <> '' AND NOT EXISTS (
        SELECT FROM events_outbox AS event WHERE event.property_id = for_property
        AND event.key = 'gaming_day.closed:' || closed.gaming_day)
    UNION ALL
    SELECT 'reopened', NULL, NULL, NULL, event.subject_id FROM events_outbox AS event
    WHERE event.property_id = for_property AND event.subject_type = 'gaming_day'
      AND event.topic = 'gaming_day.closed' AND NOT EXISTS (
          SELECT FROM closed WHERE closed.shift = ''
          AND event.key = 'gaming_day.closed:' || closed.gaming_day)
    UNION ALL
    SELECT 'closed_early', NULL, NULL, NULL, closed.name FROM closed
    WHERE closed.shift = '' AND EXISTS (
        SELECT FROM ledger_period AS earlier WHERE earlier.property_id = for_property
        AND earlier.gaming_day < closed.gaming_day AND earlier.status = 'open')
    UNION ALL
    SELECT 'entry_unlisted', NULL, entry.id, entry.public_id, NULL
    FROM ledger_epoch AS ended
    JOIN ledger_epoch AS next
      ON next.property_id = ended.property_id AND next.epoch = ended.epoch + 1
    LEFT JOIN LATERAL (
        SELECT upto_txid FROM ledger_seal AS last
        WHERE last.property_id = for_property AND last.epoch = ended.epoch
        ORDER BY number DESC LIMIT 1
    ) AS reached ON true
    JOIN ledger_entry AS entry
      ON entry.property_id = for_property AND entry.id > ended.after_entry_id
         AND entry.id <= next.after_entry_id AND entry.txid > coalesce(reached.upto_txid, '0')
    WHERE ended.property_id = for_property
    ORDER BY 1, 5, 2, 3
$$;

-- What does not hold of closes and inspections, by their numbers, their hashes and what seals say
-- of both, and of what the property and its currencies were.
CREATE FUNCTION ledger_verify_kept(for_property bigint)
    RETURNS TABLE (what text, seal bigint, entry_id bigint, public_id uuid, detail text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH kept AS (
        SELECT 'close' AS sort, close_number AS number, close_hash AS hash,
               ledger_close_digest(period) AS digest,
               concat_ws(' ', 'close of', to_char(gaming_day, 'YYYY-MM-DD'), nullif(shift, ''))
                   AS name
        FROM ledger_period AS period WHERE property_id = for_property AND status = 'closed'
        UNION ALL
        SELECT CASE WHEN property_id IS NULL THEN 'examination' ELSE 'inspection' END,
               number, hash, ledger_inspection_digest(inspection),
               format('inspection of %s UTC (%s)',
                      to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'), kind)
        FROM ledger_inspection AS inspection
        WHERE coalesce(property_id, 0) IN (for_property, 0)
    ), link AS (
        SELECT kept.*, coalesce(lag(number) OVER in_order, 0) + 1 AS due,
               coalesce(lag(hash) OVER in_order, '') AS hash_before
        FROM kept WINDOW in_order AS (PARTITION BY sort ORDER BY number)
    ), told AS (
        SELECT sealed.number AS seal, sealed.kept, said.sort, said.number, kept.hash
        FROM ledger_seal AS sealed
        CROSS JOIN LATERAL (VALUES ('close', sealed.closes), ('inspection', sealed.inspections),
                                   ('examination', sealed.examinations)) AS said (sort, number)
        LEFT JOIN kept ON kept.sort = said.sort AND kept.number = said.number
        WHERE sealed.property_id = for_property
    )
    SELECT 'kept_changed', NULL::bigint, NULL::bigint, NULL::uuid, name
    FROM link
    WHERE number IS NULL OR number = due AND hash IS DISTINCT FROM sha256(hash_before || digest)
    UNION ALL
    SELECT 'kept_missing', NULL, NULL, NULL,
           format('%s %s', sort, concat_ws(' to ', due, nullif(number - 1, due)))
    FROM link WHERE number > due
    UNION ALL
    -- What the newest seal tells of, behind the last that is left.
    SELECT 'kept_missing', seal, NULL, NULL,
           format('%s %s', sort, concat_ws(' to ', reached.number + 1,
                                           nullif(told.number, reached.number + 1)))
    FROM told CROSS JOIN LATERAL (
        SELECT coalesce(max(number), 0) AS number FROM kept WHERE kept.sort = told.sort
    ) AS reached
    WHERE told.number > reached.number
      AND told.seal = (SELECT max(number) FROM ledger_seal WHERE property_id = for_property)
    UNION ALL
    SELECT 'kept_differs', min(seal), NULL, NULL, NULL
    FROM (
        SELECT seal FROM told GROUP BY seal, kept
        HAVING bool_and(number = 0 OR hash IS NOT NULL)
           AND kept <> sha256(string_agg(coalesce(hash, ''), '' ORDER BY array_position(
                   ARRAY['close', 'inspection', 'examination'], sort)))
    ) AS differs HAVING count(*) > 0
    UNION ALL
    SELECT 'sandbox_changed', NULL, NULL, NULL, property.is_sandbox::text
    FROM properties_property AS property
    JOIN ledger_epoch AS epoch ON epoch.property_id = property.id
    WHERE property.id = for_property AND epoch.is_sandbox <> property.is_sandbox
      AND epoch.epoch = (SELECT max(latest.epoch) FROM ledger_epoch AS latest
                         WHERE latest.property_id = for_property)
    UNION ALL
    SELECT DISTINCT 'currency_changed', NULL::bigint, NULL::bigint, NULL::uuid,
           concat_ws(' ', account.currency, fixed.exponent, coalesce(currency.exponent::text, 'no'))
    FROM ledger_sealed_account AS fixed
    JOIN ledger_account AS account ON account.id = fixed.account_id
    LEFT JOIN ledger_currency AS currency ON currency.code = account.currency
    WHERE fixed.property_id = for_property AND currency.exponent IS DISTINCT FROM fixed.exponent
    ORDER BY 1, 5, 2
$$;

-- Close a period; the caller holds its locks. Answers its report hash.
-- The chain is sealed first as far as it goes, so that the anchor covers the period.
-- Who posted to it has committed, for the caller holds its locks; what may still hold the horizon
-- back is another transaction that is older.
CREATE FUNCTION ledger_shut(
        for_property bigint, day date, its_shift text, by_actor text, by_approver text,
        at timestamptz)
    RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
    head record;
    earlier ledger_period;
    closed ledger_period;
BEGIN
    IF NOT isfinite(at) THEN
        RAISE EXCEPTION '% is no moment', at USING ERRCODE = '23514';
    END IF;
    -- After a restore the chain waits for an epoch, and the day does not wait for the chain.
    IF NOT ledger_is_foreign(for_property) THEN
        WHILE ledger_seal_next(for_property, 1000, at) > 0 LOOP
        END LOOP;
    END IF;
    SELECT number, hash INTO head FROM ledger_seal
        WHERE property_id = for_property ORDER BY number DESC LIMIT 1;
    SELECT * INTO earlier FROM ledger_period
        WHERE property_id = for_property AND close_number IS NOT NULL
        ORDER BY close_number DESC LIMIT 1;
    SELECT * INTO closed FROM ledger_period
        WHERE property_id = for_property AND gaming_day = day AND shift = its_shift;
    IF NOT FOUND THEN
        closed.property_id := for_property;
        closed.gaming_day := day;
        closed.shift := its_shift;
        closed.opened_at := at;
        closed.opened_by := by_actor;
    END IF;
    closed.status := 'closed';
    closed.closed_at := at;
    closed.closed_by := by_actor;
    closed.approved_by := by_approver;
    closed.recorded_at := ledger_clock(for_property, at);
    closed.last_entry_id := (
        SELECT max(id) FROM ledger_entry
        WHERE property_id = for_property AND gaming_day = day
          AND (its_shift = '' OR shift = its_shift));
    closed.totals := ledger_period_totals(for_property, day, its_shift);
    closed.report_hash := ledger_report_hash(day, its_shift, closed.totals);
    closed.anchor_seal := head.number;
    closed.anchor_hash := head.hash;
    closed.close_number := coalesce(earlier.close_number, 0) + 1;
    closed.close_hash := sha256(coalesce(earlier.close_hash, '') || ledger_close_digest(closed));
    INSERT INTO ledger_period VALUES (closed.*)
        ON CONFLICT (property_id, gaming_day, shift) DO UPDATE
        SET status = EXCLUDED.status, closed_at = EXCLUDED.closed_at,
            closed_by = EXCLUDED.closed_by, approved_by = EXCLUDED.approved_by,
            recorded_at = EXCLUDED.recorded_at, last_entry_id = EXCLUDED.last_entry_id,
            totals = EXCLUDED.totals, report_hash = EXCLUDED.report_hash,
            anchor_seal = EXCLUDED.anchor_seal, anchor_hash = EXCLUDED.anchor_hash,
            close_number = EXCLUDED.close_number, close_hash = EXCLUDED.close_hash;
    RETURN closed.report_hash;
END
$$;

REVOKE ALL ON FUNCTION ledger_moment, ledger_day_number, ledger_digests, ledger_account_digest,
    ledger_seal_hash, ledger_cluster, ledger_is_foreign, ledger_current_epoch, ledger_waiting,
    ledger_tell, ledger_write_seal, ledger_seal_next, ledger_begin_epoch, ledger_verify_seals,
    ledger_name_changes, ledger_verify_heads, ledger_verify_kept, ledger_close_digest,
    ledger_inspection_digest, ledger_kept, ledger_shut FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_is_foreign, ledger_seal_next, ledger_begin_epoch,
    ledger_verify_seals, ledger_verify_heads, ledger_verify_kept TO baize_app;

-- Days that were closed before this stood are numbered as they would be.
ALTER TABLE ledger_period DISABLE TRIGGER ledger_period_closed;
DO $$
DECLARE
    period ledger_period;
    earlier ledger_period;
BEGIN
    FOR period IN SELECT * FROM ledger_period WHERE status = 'closed'
            ORDER BY property_id, gaming_day, shift LOOP
        IF earlier.property_id IS DISTINCT FROM period.property_id THEN
            earlier := NULL;
        END IF;
        period.close_number := coalesce(earlier.close_number, 0) + 1;
        period.close_hash := sha256(
            coalesce(earlier.close_hash, '') || ledger_close_digest(period));
        UPDATE ledger_period
            SET close_number = period.close_number, close_hash = period.close_hash
            WHERE property_id = period.property_id AND gaming_day = period.gaming_day
              AND shift = period.shift;
        earlier := period;
    END LOOP;
END
$$;
ALTER TABLE ledger_period ENABLE ALWAYS TRIGGER ledger_period_closed;
