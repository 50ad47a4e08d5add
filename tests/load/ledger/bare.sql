-- The limit: the same entry on tables without a single guard (ledger.md 4.1).

CREATE TABLE bare_balance (
    account_id bigint NOT NULL,
    shard smallint NOT NULL DEFAULT 0,
    debit bigint NOT NULL DEFAULT 0,
    credit bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, shard)
) WITH (fillfactor = 50);

CREATE TABLE bare_entry (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    effective_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE bare_posting (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id bigint NOT NULL,
    account_id bigint NOT NULL,
    amount bigint NOT NULL
);
CREATE INDEX bare_posting_account ON bare_posting (account_id, id);

CREATE FUNCTION bare_post(its_kind text, at timestamptz, accounts bigint[], amounts bigint[])
    RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    its_id bigint;
    leg record;
BEGIN
    INSERT INTO bare_entry (kind, effective_at) VALUES (its_kind, at) RETURNING id INTO its_id;
    FOR leg IN
        SELECT account, coalesce(sum(amount) FILTER (WHERE amount > 0), 0)::bigint AS debit,
               coalesce(-sum(amount) FILTER (WHERE amount < 0), 0)::bigint AS credit
        FROM unnest(accounts, amounts) AS given (account, amount)
        GROUP BY account ORDER BY account
    LOOP
        UPDATE bare_balance SET debit = debit + leg.debit, credit = credit + leg.credit,
               version = version + 1 WHERE account_id = leg.account AND shard = 0;
    END LOOP;
    INSERT INTO bare_posting (entry_id, account_id, amount)
        SELECT its_id, account, amount FROM unnest(accounts, amounts) AS given (account, amount);
    RETURN its_id;
END
$$;

-- What an ORM service needs besides to give an event the same answer twice, to respect a closed
-- day and to tell others (tests/load/ledger/orm.py).
CREATE TABLE bare_day (gaming_day date PRIMARY KEY, status text NOT NULL);
CREATE TABLE bare_key (key text PRIMARY KEY, entry_id bigint NOT NULL);
CREATE TABLE bare_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id bigint NOT NULL,
    payload jsonb NOT NULL
);
CREATE TABLE bare_told_posting (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id bigint NOT NULL REFERENCES bare_entry (id),
    account_id bigint NOT NULL,
    amount bigint NOT NULL,
    balance_after bigint NOT NULL,
    account_version bigint NOT NULL,
    UNIQUE (account_id, account_version)
);

INSERT INTO bare_day VALUES ('2026-03-14', 'open');
INSERT INTO bare_balance (account_id) SELECT generate_series(0, 301);
SELECT setseed(0.5);
-- Plans that are made while tables are empty stay bad ones: fill and ANALYZE first (4.4).
SELECT count(bare_post('filled', '2026-03-14 19:00Z',
                       ARRAY[a, (a + 100) % 300, a, (a + 200) % 300], ARRAY[5, -5, 7, -7]))
FROM (SELECT floor(random() * 300)::bigint AS a FROM generate_series(1, 20000)) AS chosen;
