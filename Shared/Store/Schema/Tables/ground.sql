-- What everything else stands on: roles, who is named for a transaction, slots, and the tables of one or a few rows with which services
-- and the operator keep house.
--
-- Each table stands with its constraints, indexes, rights and row policies. Rights are granted to the role of each service, with nothing
-- beyond what its statements use. What PostgreSQL does by itself (triggers), views and functions are in Scripts.

-- Roles belong to the whole cluster and are made by its superuser before anything else, with their settings: who migrates must not be
-- able to make roles.
DO $$
DECLARE
    missing text;
BEGIN
    SELECT string_agg(format('CREATE ROLE %I LOGIN;', service), ' ') INTO missing
    FROM unnest(ARRAY['aqua_ingestor', 'aqua_rules', 'aqua_notifier', 'aqua_gateway']) AS service WHERE to_regrole(service) IS NULL;
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = format(
            'the services'' roles are missing; deploy/containers/roles makes them, or as a superuser run: %s', missing);
    END IF;
    -- The database is its owner's and the services', nobody else's; the services use no temporary tables.
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO aqua_ingestor, aqua_rules, aqua_notifier, aqua_gateway', current_database());
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;

-- The migrator has made these two.
GRANT SELECT ON schema_migration, schema_script TO aqua_ingestor, aqua_rules, aqua_notifier, aqua_gateway;

-- The key of the seal on the setting aqua.account, which names the person of a transaction. The owner's functions alone read it: without
-- the seal whoever sends statements of their own would name one person after the other.
CREATE TABLE identity_key (
    is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    key bytea NOT NULL CHECK (length(key) = 32)
);
INSERT INTO identity_key (key) VALUES (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

-- Functions that tables refer to, in policies and in an index. They stand here, and not in Scripts, because they have to be there
-- before the tables.
-- A seal on a message, which the owner's functions alone make and check.
CREATE FUNCTION seal_of(message text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT encode(sha256(k.key || sha256(k.key || convert_to(message, 'UTF8'))), 'hex') FROM identity_key k
$$;
REVOKE ALL ON FUNCTION seal_of(text) FROM PUBLIC;

-- The person for whom a transaction acts, where one is named with a seal of this transaction, by the time at which it began; NULL otherwise. The
-- schema's owner names whom it likes.
CREATE FUNCTION current_account() RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    named CONSTANT text[] := string_to_array(current_setting('aqua.account', true), ' ');
BEGIN
    RETURN CASE WHEN CASE WHEN named[2] IS NULL THEN pg_has_role(session_user, current_user, 'USAGE')
        ELSE named[2] = seal_of(format('account %s %s', named[1], extract(epoch FROM now()))) END
        THEN NULLIF(named[1], '')::bigint END;
END
$$;
REVOKE ALL ON FUNCTION current_account() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION current_account() TO aqua_gateway;

-- The session that is named; NULL: none.
CREATE FUNCTION current_session() RETURNS uuid
LANGUAGE sql STABLE AS $$
    SELECT NULLIF(current_setting('aqua.session', true), '')::uuid
$$;
REVOKE ALL ON FUNCTION current_session() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION current_session() TO aqua_gateway;

-- What stands in endpoint.target where the address itself is sealed: scheme, host and port, and a hash by which the same address is known again.
CREATE FUNCTION endpoint_name(target text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, public, pg_temp AS $$
    -- no address that is registered has a fragment
    SELECT CASE WHEN strpos(target, '#') > 0 THEN target
        ELSE coalesce(substring(target FROM '^https?://[^/?#]+'), '') || '/#'
            || encode(sha256(convert_to(target, 'UTF8')), 'hex') END
$$;
REVOKE ALL ON FUNCTION endpoint_name(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION endpoint_name(text) TO aqua_gateway;

-- Every device belongs to one of 64 slots. A row here is the slot's lock: an engine holds it while it evaluates.
-- state_version counts what was decided in the slot, so that an engine can tell whether what it remembers still holds.
--
-- What a cell owns is its slots. So that it can be split by logical replication with row filters, every row that has a slot is named by
-- a key that begins with it; where no key would do, the whole row is the name (REPLICA IDENTITY FULL).
CREATE TABLE slot (
    slot smallint PRIMARY KEY CHECK (slot BETWEEN 0 AND 63),
    state_version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO slot (slot) SELECT generate_series(0, 63);
GRANT SELECT, UPDATE ON slot TO aqua_rules;

-- The version of the slot's rules (settings, owners), apart from the lock so that a person who changes a limit never waits for an engine.
CREATE TABLE slot_rules (
    slot smallint PRIMARY KEY REFERENCES slot,
    version bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO slot_rules (slot) SELECT slot FROM slot;
GRANT SELECT ON slot_rules TO aqua_rules;

-- The clock of this server, as far as it is believed. Three services note it every few seconds. It is believed while it runs on from
-- where it was last believed; after a leap, or when nobody looked for a while, only when the devices confirm it, or, where no device has
-- a clock, when it has run on for as long as it was away, a day at most.
--
--                 a leap, or nobody looked
--     believed ------------------------------> doubted
--         ^                                       |
--         +---------------------------------------+
--           devices confirm it; it ran on for long enough; aqua migrate --trust-clock
CREATE TABLE clock_watch (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    trusted_at timestamptz, -- the latest time that was believed; NULL: none was noted yet
    doubted_since timestamptz, -- of a clock that is not believed: when it was first noted, ...
    doubted_at timestamptz, -- when it was last noted, ...
    doubted_from xid8, -- and the transaction that noted it first: by it rows are told apart that were written before and since
    CHECK (num_nulls(doubted_since, doubted_at, doubted_from) IN (0, 3))
) WITH (fillfactor = 10);
INSERT INTO clock_watch DEFAULT VALUES;
GRANT SELECT ON clock_watch TO aqua_ingestor;
GRANT SELECT ON clock_watch TO aqua_rules;
GRANT SELECT ON clock_watch TO aqua_notifier;
GRANT SELECT ON clock_watch TO aqua_gateway;

-- How long the owner wants data to be kept, written by `aqua migrate`: a service may keep them longer, never shorter.
CREATE TABLE retention (
    kind text PRIMARY KEY CHECK (kind IN ('samples', 'hours', 'alerts')),
    keep interval NOT NULL CHECK (keep BETWEEN interval '8 days' AND interval '36500 days')
);
INSERT INTO retention VALUES ('samples', '90 days'), ('hours', '800 days'), ('alerts', '800 days');
GRANT SELECT ON retention TO aqua_ingestor;

-- The last backup that was found good, so that somebody is told when it is old. deploy/backup notes it, as the superuser.
CREATE TABLE backup (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    snapshot_at timestamptz, -- what was committed by then is in it; NULL: none was made yet
    expected_since timestamptz NOT NULL DEFAULT now() -- from when on backups are missed where none was made
);
INSERT INTO backup DEFAULT VALUES;
GRANT SELECT ON backup TO aqua_ingestor;

-- Every table, who can make it grow, and what keeps it from growing without end. The numbers are in force where the table has a trigger
-- `bounded`; an operator may change them.
CREATE TABLE growth_bound (
    held text PRIMARY KEY,
    grown_by text NOT NULL CHECK (grown_by IN ('person', 'stranger', 'device', 'operator', 'service')),
    of_each text, -- whose rows are counted
    a_day integer CHECK (a_day > 0), -- rows that are added
    in_all integer CHECK (in_all > 0), -- rows that are kept
    kept_by text NOT NULL,
    CHECK (grown_by <> 'person' OR of_each IS NOT NULL AND in_all IS NOT NULL)
);
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('session', 'person', 'person', 200, 300, 'trigger; those that have ended go, the oldest first; 50 live ones'),
    ('refresh_token', 'person', 'session', 480, 1000, 'trigger; used ones go, the oldest first, and all with the end of their session'),
    ('personal_token', 'person', 'person', 100, 200, 'trigger; revoked and expired ones go, the oldest first'),
    ('account_event', 'person', 'person', NULL, 500, 'trigger; the oldest go'),
    ('endpoint', 'person', 'person', 100, 2000, 'trigger; 20 in use'),
    ('setting', 'person', 'person and device', 600, 5000, 'trigger; versions that have ended go, the oldest first'),
    ('ownership', 'person', 'person', 500, 20000, 'trigger'),
    ('snooze', 'person', 'person and device', 500, 300, 'trigger; ended ones go, the oldest first'),
    ('device_invitation', 'person', 'device', NULL, 20, 'its key: places 1 to 20'),
    ('idempotency_key', 'person', 'person', NULL, 1001, 'ClaimIdempotencyKey, for a day'),
    ('alert', 'device', 'person', 300, NULL, 'trigger for tests; the throttle for all others; retention'),
    ('account', 'stranger', NULL, NULL, NULL, 'invitations, or limits for each network where sign-up is open'),
    ('delivery', 'device', NULL, NULL, NULL, 'alerts and their endpoints, 20 at most; retention'),
    ('delivery_attempt', 'device', NULL, NULL, NULL, 'deliveries and the time in which they are tried; retention'),
    ('endpoint_retirement', 'person', 'registration of an endpoint', NULL, 1, 'its key'),
    ('episode', 'device', NULL, NULL, NULL, 'the rate at which a device may send; retention'),
    ('transition', 'device', NULL, NULL, NULL, 'the rate at which a device may send; retention'),
    ('throttle', 'device', NULL, NULL, NULL, 'its key: one a watch and kind'),
    ('sample', 'device', NULL, NULL, NULL, 'the rate at which a device may send; retention'),
    ('sample_hour', 'device', NULL, NULL, NULL, 'its key: one an hour of a device; retention'),
    ('sample_day', 'device', NULL, NULL, NULL, 'its key: one a day of a device'),
    ('evaluation_batch', 'device', NULL, NULL, NULL, 'the rate at which a device may send; the age of readings that are taken'),
    ('rollup_due', 'device', NULL, NULL, NULL, 'its key: one an hour of a device; retention'),
    ('quality_due', 'device', NULL, NULL, NULL, 'its key: one a day of a device; retention'),
    ('reject', 'device', NULL, NULL, 10000, 'its key: numbers that come again'),
    ('device_status', 'device', 'device', NULL, 1, 'its key'),
    ('device_clock', 'device', 'device', NULL, 1, 'its key'),
    ('silence_check', 'device', 'device', NULL, 1, 'its key'),
    ('temperature_probe', 'device', 'device', NULL, 1, 'its key'),
    ('reported_probe', 'device', 'device', NULL, 8, 'note_reported_probes'),
    ('probe_fault', 'device', NULL, NULL, NULL, 'its key: one a parameter of a device'),
    ('flat_line', 'device', NULL, NULL, NULL, 'its key: one a parameter of a device'),
    ('live_follower', 'service', NULL, NULL, NULL, 'one a Gateway and bucket of people; gone with its connection'),
    ('erasure', 'person', 'stretch of time that a person had a device', NULL, 3, 'the end of an account; gone once erased'),
    ('time_outside', 'device', NULL, NULL, NULL, 'its key: one a day of a watch'),
    ('device_reject', 'device', NULL, NULL, NULL, 'record_device_rejects: 16 a day of a device, and one a reason; a week'),
    ('device', 'operator', NULL, NULL, NULL, 'the operator'),
    ('account_invitation', 'operator', NULL, NULL, NULL, 'the operator'),
    ('retention', 'operator', NULL, NULL, NULL, 'the operator'),
    ('growth_bound', 'operator', NULL, NULL, NULL, 'one a table'),
    ('slot', 'service', NULL, NULL, 64, 'its key'),
    ('slot_rules', 'service', NULL, NULL, 64, 'its key'),
    ('rollup_progress', 'service', NULL, NULL, 64, 'its key'),
    ('silence_clock', 'service', NULL, NULL, 1, 'its key'),
    ('clock_watch', 'service', NULL, NULL, 1, 'its key'),
    ('ingest_seat', 'service', NULL, NULL, NULL, 'one an Ingestor that works at once'),
    ('notifier', 'service', NULL, NULL, NULL, 'one a Notifier that lives; the dead ones are deleted'),
    ('vapid_key', 'service', NULL, NULL, NULL, 'one a key of the configuration'),
    ('schema_migration', 'operator', NULL, NULL, NULL, 'one a migration'),
    ('schema_script', 'operator', NULL, NULL, NULL, 'one a script'),
    ('identity_key', 'service', NULL, NULL, 1, 'its key'),
    ('backup', 'operator', NULL, NULL, 1, 'its key');
