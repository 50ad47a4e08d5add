-- What the first tables had no room for: instruments and the place of an account in the tree,
-- what an entry refers to, closed totals, snapshots, slip numbers, and the chain of seals.

-- What the value of an account is in; the first names said less.
ALTER TABLE ledger_account DISABLE TRIGGER ledger_account_fixed;
UPDATE ledger_account SET instrument = renamed.word
    FROM (VALUES ('chips', 'value_chip'), ('vouchers', 'voucher'), ('markers', 'marker'),
                 ('lammers', 'lammer')) AS renamed (was, word)
    WHERE instrument = renamed.was;
ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_account_fixed;
ALTER TABLE ledger_account
    ADD CONSTRAINT ledger_account_instrument CHECK (instrument IN (
        'cash', 'value_chip', 'non_negotiable_chip', 'plaque', 'voucher', 'mixed', 'marker',
        'lammer', 'book')),
    -- The first digit says what an account is, and that says on which side it grows.
    ADD CONSTRAINT ledger_account_type CHECK (
        type = CASE substr(code, 1, 1) WHEN '1' THEN 'asset' WHEN '2' THEN 'liability'
                    WHEN '3' THEN 'equity' WHEN '4' THEN 'revenue' WHEN '5' THEN 'expense' END
        AND side = CASE WHEN type IN ('asset', 'expense') THEN 1 ELSE -1 END
        AND substr(code, 1, 1) BETWEEN '1' AND '5'),
    ADD CONSTRAINT ledger_account_of_currency CHECK (
        strpos(code, '/currency:') = 0 OR right(code, 13) = '/currency:' || currency),
    -- 1220/session:7 of 1220/session:7/seat:3; nothing stands above a bare number.
    ADD COLUMN parent text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
        CASE WHEN strpos(code, '/') = 0 THEN '' ELSE regexp_replace(code, '/[^/]*$', '') END
    ) STORED;

-- What these say is looked at with the postings (0006): a CHECK of the table is parsed at every
-- posting, and nearly none says any of it.
ALTER TABLE ledger_entry
    ADD COLUMN restates_id bigint REFERENCES ledger_entry (id),
    ADD COLUMN corrects_id bigint REFERENCES ledger_entry (id),
    -- The closed day that it belongs to by the calendar, where it came late.
    ADD COLUMN late_day date,
    -- An exchange: so many minor units bought for so many sold.
    ADD COLUMN rate_sold bigint,
    ADD COLUMN rate_bought bigint,
    DROP CONSTRAINT ledger_entry_check,  -- reverses_id < id
    DROP CONSTRAINT ledger_entry_reversed_once;
-- Once each; an entry that refers to nothing, as nearly all do, stands in neither index.
CREATE UNIQUE INDEX ledger_entry_reversed_once ON ledger_entry (reverses_id)
    WHERE reverses_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entry_restated_once ON ledger_entry (restates_id)
    WHERE restates_id IS NOT NULL;
CREATE INDEX ledger_entry_corrects ON ledger_entry (corrects_id) WHERE corrects_id IS NOT NULL;
CREATE INDEX ledger_entry_late ON ledger_entry (property_id, late_day, id)
    WHERE late_day IS NOT NULL;
-- The seldom kinds are what is looked for, and a search offers those that were ever posted. Rounds
-- are nearly all entries: they are met without it, and pay nothing for it.
CREATE INDEX ledger_entry_kind ON ledger_entry (property_id, kind, id)
    WHERE kind <> 'round_settled';

-- Every posting leaves a dead row here: swept before they fill the pages that postings rewrite.
ALTER TABLE ledger_balance SET (
    autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.01);

-- A shift is a period of its own inside its day; the day itself has the empty name.
ALTER TABLE ledger_period
    ADD COLUMN shift text NOT NULL DEFAULT '',
    ADD COLUMN approved_by text NOT NULL DEFAULT '',
    ADD COLUMN recorded_at timestamptz,  -- the database's clock when it closed
    ADD COLUMN totals jsonb,             -- the trial balance that it closed with
    ADD COLUMN report_hash bytea,
    ADD COLUMN anchor_seal bigint,       -- the head of the chain of seals when it closed
    ADD COLUMN anchor_hash bytea,
    DROP CONSTRAINT ledger_period_pkey,
    ADD PRIMARY KEY (property_id, gaming_day, shift),
    -- It stands in the first line of the text that is hashed.
    ADD CONSTRAINT ledger_period_shift CHECK (shift !~ '[[:cntrl:]]'),
    ADD CONSTRAINT ledger_period_anchor CHECK ((anchor_seal IS NULL) = (anchor_hash IS NULL));

-- What every account had come to when a day closed. An account that did not move has no row of
-- that day: the one before still says it.
CREATE TABLE ledger_snapshot (
    account_id bigint NOT NULL,
    gaming_day date NOT NULL,
    property_id bigint NOT NULL,
    shard smallint NOT NULL,
    -- All that was posted to this day and those before it.
    debit bigint NOT NULL CHECK (debit >= 0),
    credit bigint NOT NULL CHECK (credit >= 0),
    -- The balance row as it stood then, later days that had begun included.
    held_debit bigint NOT NULL CHECK (held_debit >= 0),
    held_credit bigint NOT NULL CHECK (held_credit >= 0),
    upto_version bigint NOT NULL CHECK (upto_version >= 0),
    taken_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, shard, gaming_day),
    FOREIGN KEY (account_id, shard) REFERENCES ledger_balance (account_id, shard)
);

-- Slip numbers, without gaps: the number is the slip's for ever, and its row is locked last.
CREATE TABLE ledger_series (
    property_id bigint NOT NULL REFERENCES properties_property (id),
    series text COLLATE "C" NOT NULL CHECK (series ~ '^[a-z][a-z_]{0,39}$'),
    next bigint NOT NULL CHECK (next >= 1),
    PRIMARY KEY (property_id, series)
);
CREATE TABLE ledger_slip (
    property_id bigint NOT NULL,
    series text COLLATE "C" NOT NULL,
    number bigint NOT NULL CHECK (number >= 1),
    document text NOT NULL CHECK (length(document) BETWEEN 1 AND 200),
    drawn_at timestamptz NOT NULL
        CHECK (drawn_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'),
    drawn_by text NOT NULL CHECK (drawn_by <> ''),
    PRIMARY KEY (property_id, series, number),
    CONSTRAINT ledger_slip_document UNIQUE (property_id, series, document),
    FOREIGN KEY (property_id, series) REFERENCES ledger_series (property_id, series)
);

-- Transaction ids are a cluster's own. After a dump and a restore they begin anew, and so does the
-- way in which entries are found for sealing: an epoch.
CREATE TABLE ledger_epoch (
    property_id bigint NOT NULL REFERENCES properties_property (id),
    epoch integer NOT NULL CHECK (epoch >= 1),
    after_entry_id bigint NOT NULL CHECK (after_entry_id >= 0),  -- entries above it are of this one
    begun_at timestamptz NOT NULL
        CHECK (begun_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'),
    begun_by text NOT NULL CHECK (begun_by <> ''),
    reason text NOT NULL CHECK (reason <> ''),
    PRIMARY KEY (property_id, epoch)
);
CREATE TABLE ledger_seal (
    property_id bigint NOT NULL,
    number bigint NOT NULL CHECK (number >= 1),
    epoch integer NOT NULL,
    first_txid xid8 NOT NULL,
    upto_txid xid8 NOT NULL,
    entries integer NOT NULL CHECK (entries >= 1),
    entry_ids bigint[] NOT NULL CHECK (cardinality(entry_ids) = entries),
    -- For each entry three of 16 bytes: its head, its postings, its pieces. They tell which and
    -- where; what holds is the hash.
    digests bytea NOT NULL CHECK (length(digests) = 48 * entries),
    prev_hash bytea NOT NULL CHECK (length(prev_hash) = 32),
    hash bytea NOT NULL CHECK (length(hash) = 32),
    sealed_at timestamptz NOT NULL
        CHECK (sealed_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'),
    PRIMARY KEY (property_id, number),
    FOREIGN KEY (property_id, epoch) REFERENCES ledger_epoch (property_id, epoch)
);

-- What examinations found, for whoever asks when the books were last looked at.
CREATE TABLE ledger_inspection (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property_id bigint REFERENCES properties_property (id),  -- null: the whole database
    kind text NOT NULL CHECK (kind IN ('verify', 'compare', 'doctor')),
    at timestamptz NOT NULL CHECK (at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'),
    actor text NOT NULL CHECK (actor <> ''),
    upto_seal bigint CHECK (upto_seal >= 0),
    findings text[] NOT NULL CHECK (array_position(findings, NULL) IS NULL)
);
CREATE INDEX ledger_inspection_latest ON ledger_inspection (property_id, kind, id);

REVOKE ALL ON ledger_snapshot, ledger_series, ledger_slip, ledger_epoch, ledger_seal,
    ledger_inspection FROM baize_app;
GRANT SELECT ON ledger_snapshot, ledger_series, ledger_slip, ledger_epoch, ledger_seal,
    ledger_inspection TO baize_app;
REVOKE ALL ON SEQUENCE ledger_inspection_id_seq FROM baize_app;
