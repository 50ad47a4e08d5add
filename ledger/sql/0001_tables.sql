-- The books. Every row carries its property; no key but public_id spans two of them.
-- Amounts are minor units: debit above zero, credit below.

CREATE TABLE ledger_currency (
    code text PRIMARY KEY CHECK (code ~ '^[A-Z]{3}$'),
    exponent smallint NOT NULL CHECK (exponent BETWEEN 0 AND 4)
);

CREATE TABLE ledger_account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property_id bigint NOT NULL REFERENCES properties_property (id),
    -- The number of the chart, then the sub-ledger: 1120/table:3, 1220/session:7/seat:3
    code text COLLATE "C" NOT NULL
        CHECK (code ~ '^[0-9]{4}(/[a-z_]+:[A-Za-z0-9_.-]+)*$' AND length(code) <= 120),
    number text COLLATE "C" NOT NULL GENERATED ALWAYS AS (substr(code, 1, 4)) STORED,
    name text NOT NULL,
    currency text NOT NULL REFERENCES ledger_currency (code),
    side smallint NOT NULL CHECK (side IN (1, -1)),  -- 1: debits increase it
    type text NOT NULL CHECK (type IN ('asset', 'liability', 'equity', 'revenue', 'expense')),
    instrument text NOT NULL,
    shards smallint NOT NULL DEFAULT 1 CHECK (shards BETWEEN 1 AND 64),
    opened_at timestamptz NOT NULL,
    closed_at timestamptz,
    CONSTRAINT ledger_account_readable CHECK (
        opened_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'
        AND closed_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'),
    CONSTRAINT ledger_account_code UNIQUE (property_id, code),
    CONSTRAINT ledger_account_currency UNIQUE (id, property_id, currency)
);

-- What a posting must obey lies on the row that it locks anyway.
CREATE TABLE ledger_balance (
    account_id bigint NOT NULL,
    shard smallint NOT NULL,
    property_id bigint NOT NULL,
    currency text NOT NULL,
    side smallint NOT NULL,
    shards smallint NOT NULL,
    is_open boolean NOT NULL DEFAULT true,
    floor bigint,
    ceiling bigint,
    debit bigint NOT NULL DEFAULT 0 CHECK (debit >= 0),
    credit bigint NOT NULL DEFAULT 0 CHECK (credit >= 0),
    version bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, shard),
    FOREIGN KEY (account_id, property_id, currency)
        REFERENCES ledger_account (id, property_id, currency),
    CONSTRAINT ledger_balance_shard CHECK (shard BETWEEN 0 AND shards - 1),
    -- A limit needs the one true balance.
    CONSTRAINT ledger_balance_limit CHECK (shards = 1 OR (floor IS NULL AND ceiling IS NULL)),
    CONSTRAINT ledger_balance_floor CHECK (floor IS NULL OR side * (debit - credit) >= floor),
    CONSTRAINT ledger_balance_ceiling CHECK (ceiling IS NULL OR side * (debit - credit) <= ceiling)
) WITH (fillfactor = 50);  -- a posting rewrites the row on its own page

CREATE TABLE ledger_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id uuid NOT NULL UNIQUE,
    property_id bigint NOT NULL,
    gaming_day date NOT NULL,
    effective_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    -- Not xmin: a savepoint writes its sub-transaction there, this is always the top one.
    txid xid8 NOT NULL,
    reverses_id bigint REFERENCES ledger_entry (id) CHECK (reverses_id < id),
    legs smallint NOT NULL CHECK (legs >= 2),
    kind text NOT NULL CHECK (kind <> ''),
    source text NOT NULL CHECK (source <> ''),  -- what caused it, by name: round:812
    actor text NOT NULL CHECK (actor <> ''),
    approver text NOT NULL,
    table_ref text NOT NULL,
    session_ref text NOT NULL,
    shift text NOT NULL,
    memo text NOT NULL,
    CONSTRAINT ledger_entry_reversed_once UNIQUE (reverses_id),
    -- Nothing that is written can be taken out again, so what no reader can show never gets in.
    CONSTRAINT ledger_entry_readable CHECK (
        effective_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'
        AND recorded_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z')
);
CREATE INDEX ledger_entry_day ON ledger_entry (property_id, gaming_day, table_ref, id);
CREATE INDEX ledger_entry_session ON ledger_entry (property_id, session_ref, id)
    WHERE session_ref <> '';
CREATE INDEX ledger_entry_source ON ledger_entry (property_id, source, id);
CREATE INDEX ledger_entry_txid ON ledger_entry (txid);
CREATE INDEX ledger_entry_recorded ON ledger_entry USING brin (recorded_at);

CREATE TABLE ledger_posting (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id bigint NOT NULL REFERENCES ledger_entry (id),
    account_id bigint NOT NULL,
    property_id bigint NOT NULL,
    amount bigint NOT NULL
        CHECK (amount <> 0 AND amount BETWEEN -1000000000000000000 AND 1000000000000000000),
    balance_after bigint,  -- debit less credit; a sharded account has no one balance to tell
    account_version bigint NOT NULL,
    gaming_day date NOT NULL,
    line smallint NOT NULL,
    shard smallint NOT NULL,
    currency text NOT NULL,
    event text NOT NULL CHECK (event <> ''),  -- which posting of the chart it is
    FOREIGN KEY (account_id, property_id, currency)
        REFERENCES ledger_account (id, property_id, currency),
    CONSTRAINT ledger_posting_line UNIQUE (entry_id, line)
);
-- A statement is read by the account's own version: no gap, no double, and no plan that walks the
-- primary key backwards past everybody else's postings.
CREATE UNIQUE INDEX ledger_posting_statement
    ON ledger_posting (account_id, shard, account_version) INCLUDE (balance_after);

CREATE TABLE ledger_denom (
    posting_id bigint NOT NULL REFERENCES ledger_posting (id),
    denomination bigint NOT NULL CHECK (denomination > 0),
    property_id bigint NOT NULL,
    pieces bigint NOT NULL CHECK (pieces > 0),
    PRIMARY KEY (posting_id, denomination)
);

-- The natural key of an event, for ever. It is written before its entry, so that a twin waits here.
CREATE TABLE ledger_key (
    property_id bigint NOT NULL,
    key text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 200),
    entry_id bigint NOT NULL REFERENCES ledger_entry (id) DEFERRABLE INITIALLY DEFERRED,
    PRIMARY KEY (property_id, key)
);

CREATE TABLE ledger_period (
    property_id bigint NOT NULL REFERENCES properties_property (id),
    gaming_day date NOT NULL,
    status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
    opened_at timestamptz NOT NULL,
    opened_by text NOT NULL CHECK (opened_by <> ''),
    closed_at timestamptz,
    closed_by text NOT NULL DEFAULT '',
    last_entry_id bigint REFERENCES ledger_entry (id),  -- the day's last entry when it closed
    PRIMARY KEY (property_id, gaming_day),
    CONSTRAINT ledger_period_closing CHECK (
        (status = 'closed') = (closed_at IS NOT NULL) AND (status = 'closed') = (closed_by <> '')),
    CONSTRAINT ledger_period_readable CHECK (
        gaming_day BETWEEN '0001-01-02' AND '9999-12-30'
        AND opened_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z'
        AND closed_at BETWEEN '0001-01-02 00:00Z' AND '9999-12-30 00:00Z')
);

REVOKE ALL ON ledger_currency, ledger_account, ledger_balance, ledger_entry, ledger_posting,
    ledger_denom, ledger_key, ledger_period FROM baize_app;
GRANT SELECT ON ledger_currency, ledger_account, ledger_balance, ledger_entry, ledger_posting,
    ledger_denom, ledger_key, ledger_period TO baize_app;
REVOKE ALL ON SEQUENCE ledger_account_id_seq, ledger_entry_id_seq, ledger_posting_id_seq
    FROM baize_app;
