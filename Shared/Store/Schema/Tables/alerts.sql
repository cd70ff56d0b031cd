-- What people are told, where, and how it gets there.

CREATE SEQUENCE alert_id AS bigint;
GRANT USAGE ON SEQUENCE alert_id TO aqua_rules;

-- What a person is to be told.
--
--                expanded to endpoints             all have ended, one was accepted
--     decided -------------------------> sending ----------------------------------> delivered
--        |                                  |      all have ended, none was accepted
--        |   no endpoint can be used        +--------------------------------------> undelivered
--        +--------------------------------------------------------------------------> undelivered
--
--     decided, sending --(over, or no longer asked, before anybody had got it; the device is unlinked)--> cancelled
CREATE TABLE alert (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer,
    account_id bigint NOT NULL REFERENCES account,
    alert_id bigint NOT NULL,
    episode_id bigint,
    kind text NOT NULL CHECK (kind IN ('range', 'fault', 'silence', 'rate', 'ahead', 'test')),
    purpose text NOT NULL CHECK (purpose IN ('alarm', 'reminder', 'recovery', 'test')),
    side text CHECK (side IN ('low', 'high')),
    value real, -- rate: what it had reached; ahead: the newest reading
    worst real, -- of the episode so far
    limit_value real, -- rate: the greatest change within an hour; ahead: the limit that will be reached
    check_probe boolean NOT NULL DEFAULT false,
    opened_at timestamptz NOT NULL, -- event time of the episode's first reading
    event_time timestamptz NOT NULL, -- of the reading in the text
    received_at timestamptz, -- when that reading's batch was received
    decided_at timestamptz NOT NULL DEFAULT now(),
    state text NOT NULL DEFAULT 'decided' CHECK (state IN ('decided', 'sending', 'delivered', 'undelivered', 'cancelled')),
    -- By what an alert is known outside: a UUID of version 7 (RFC 9562) that the engine makes with the decision. alert_id comes again after
    -- a restore, and a receiver that keeps the ids it has seen would drop a new alarm. NULL: decided by an early version, and known by slot
    -- and alert_id, as it was told then.
    uid uuid,
    critical boolean NOT NULL DEFAULT false,
    unstable boolean NOT NULL DEFAULT false, -- it says that the water is unstable
    change real, -- rate: how much the value had changed (above zero: it rose), and in what time
    change_seconds integer CHECK (change_seconds >= 0),
    heading text CHECK (heading IN ('low', 'high')), -- ahead: on which side the limit lies, and when it is reached, by the true time
    expected_at timestamptz,
    ended boolean NOT NULL DEFAULT false, -- it tells a watcher that watching has ended in the middle of an alarm, by somebody else's hand
    PRIMARY KEY (slot, alert_id),
    FOREIGN KEY (slot, episode_id) REFERENCES episode,
    CHECK ((kind = 'test') = (purpose = 'test')),
    CHECK ((kind = 'test') = (episode_id IS NULL)),
    CHECK ((kind = 'test') = (device_id IS NULL)),
    -- to services of earlier versions it is a reminder, which they do not send for who has no device
    CONSTRAINT alert_ended CHECK (purpose = 'reminder' OR NOT ended)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
CREATE INDEX alert_decided ON alert (decided_at, slot) WHERE state = 'decided';
CREATE INDEX alert_of_watch ON alert (slot, device_id, parameter, account_id, alert_id);
CREATE INDEX alert_of_account ON alert (account_id, decided_at);
CREATE INDEX alert_of_episode ON alert (slot, episode_id);
CREATE INDEX alert_test ON alert (decided_at) WHERE kind = 'test';
CREATE UNIQUE INDEX alert_uid ON alert (slot, uid);
GRANT SELECT, INSERT, UPDATE ON alert TO aqua_rules;
GRANT SELECT, UPDATE (state) ON alert TO aqua_notifier;
GRANT SELECT, UPDATE (state) ON alert TO aqua_gateway;
ALTER TABLE alert ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON alert TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON alert TO aqua_gateway USING (account_id = (SELECT current_account()));
-- Only a test can be withdrawn.
CREATE POLICY only_tests_change ON alert AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (kind = 'test');

-- Where a person wants to be told. The target is a capability: it appears in no log. It is sealed with the endpoint's secret (format 2 of
-- sealed_secret), by a key that the database does not have. What stands in target then is its name: scheme, host and port, by which people
-- know it, and a hash, by which the same address is known again. Rows of an early version have the address itself until they are registered
-- anew or sealed by `aqua reseal`.
--
--                 signed out there
--     in use <----------------------> paused      in use, paused --(its person, or the operator, removes it)--> retired
--            signed in there again                in use --(the receiver says that it is gone: endpoint_retirement)--> gone
--                                                 paused, retired, gone --(registered anew)--> in use
CREATE SEQUENCE endpoint_id AS bigint;
CREATE TABLE endpoint (
    endpoint_id bigint PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES account,
    channel text NOT NULL CHECK (channel IN ('webhook', 'webPush')),
    target text NOT NULL CHECK (length(target) BETWEEN 1 AND 2048),
    sealed_secret bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    retired_at timestamptz,
    retired_because text,
    former_secret bytea, -- the secret before this one, with which messages are signed as well until the receiver knows the new one
    former_until timestamptz,
    registration integer NOT NULL DEFAULT 1, -- how often it was registered: what was found out of a registration before does not concern it
    -- The person's installation of an application, by a random number that it keeps and tells when they sign in. Signing out pauses the
    -- endpoints that were registered there, and signing in there again resumes them.
    client_id uuid,
    paused_at timestamptz,
    -- Of a browser: the key that it subscribed with, and a hash of its own keys, by which it is known when it comes again; whoever has the
    -- same keys has the same browser.
    vapid_key_id text CHECK (vapid_key_id ~ '^[0-9a-f]{16}$'),
    fingerprint bytea CHECK (length(fingerprint) = 32),
    made_in uuid, -- the session
    CHECK ((retired_at IS NULL) = (retired_because IS NULL)),
    CONSTRAINT endpoint_former_ends CHECK ((former_secret IS NULL) = (former_until IS NULL)),
    CONSTRAINT endpoint_web_push_is_whole CHECK (
        (channel = 'webPush') = (vapid_key_id IS NOT NULL) AND (channel = 'webPush') = (fingerprint IS NOT NULL))
);
CREATE UNIQUE INDEX endpoint_known ON endpoint (channel, endpoint_name(target));
CREATE INDEX endpoint_of_account ON endpoint (account_id) WHERE retired_at IS NULL;
CREATE INDEX endpoint_of_client ON endpoint (account_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX endpoint_by_account ON endpoint (account_id);
GRANT SELECT ON endpoint TO aqua_notifier;
GRANT SELECT, UPDATE (sealed_secret, retired_at, retired_because, former_secret, former_until) ON endpoint TO aqua_gateway;
ALTER TABLE endpoint ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON endpoint TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON endpoint TO aqua_gateway USING (account_id = (SELECT current_account()));

-- Registrations whose receiver said that it is gone. It is kept with the slot of the alert that was sent, by whoever delivers for that
-- slot; the row of a person, whose slots may be anywhere, is not theirs to change.
CREATE TABLE endpoint_retirement (
    slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 63),
    endpoint_id bigint NOT NULL,
    registration integer NOT NULL,
    retired_at timestamptz NOT NULL DEFAULT now(),
    retired_because text NOT NULL,
    PRIMARY KEY (slot, endpoint_id)
);
CREATE INDEX endpoint_retirement_of_endpoint ON endpoint_retirement (endpoint_id, registration);
GRANT SELECT, INSERT, UPDATE ON endpoint_retirement TO aqua_notifier;
GRANT SELECT ON endpoint_retirement TO aqua_gateway;
ALTER TABLE endpoint_retirement ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON endpoint_retirement TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON endpoint_retirement TO aqua_gateway USING (EXISTS (
    SELECT FROM endpoint e WHERE e.endpoint_id = endpoint_retirement.endpoint_id
        AND e.account_id = (SELECT current_account())));

-- One alert on its way to one endpoint.
--
--                retry, ambiguous
--                +-----------+
--                v           |      the receiver took it (2xx)
--     ( due <--> leased ) pending -------------------------------> accepted
--                            |      it can never take it
--                            +-----------------------------------> failed
--                            |      not accepted in time
--                            +-----------------------------------> stale
--                            |      the alert is cancelled; the endpoint moved, is paused or removed
--                            +-----------------------------------> cancelled
--
-- next_attempt_at is both the back-off and the lease: taking a delivery moves it into the future, so that a notifier that dies lets it
-- come due again; attempts is the lease's number, which the record of its result must carry. Leases are given back unsent too, so tries
-- counts what was recorded: the back-off grows with it.
CREATE TABLE delivery (
    slot smallint NOT NULL,
    attempts smallint NOT NULL DEFAULT 0,
    tries smallint NOT NULL DEFAULT 0,
    account_id bigint NOT NULL,
    alert_id bigint NOT NULL,
    endpoint_id bigint NOT NULL REFERENCES endpoint,
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'accepted', 'failed', 'stale', 'cancelled')),
    ambiguous_at timestamptz, -- when an attempt first ended in silence after the request was sent
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    -- Who leased a pending delivery; NULL: nobody. No index: it is looked for only when a holder died, and then among what is leased or
    -- waits to be tried again.
    holder integer,
    held_attempt smallint, -- the lease that the holder took: a later one is another's, who says nothing of itself
    -- A crash of the server, or a promotion, can lose a lease: taking one does not wait for the disk. The next lease then has the same
    -- number, and the former one's result would be taken for its own; so each lease is given a name by lot beside its number.
    lease integer, -- NULL: never leased
    PRIMARY KEY (slot, alert_id, endpoint_id),
    FOREIGN KEY (slot, alert_id) REFERENCES alert,
    CHECK ((state = 'pending') = (ended_at IS NULL))
) WITH (
    -- A delivery changes once or twice, each time what an index is made of: room for it in the page is of no use.
    fillfactor = 100, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
CREATE INDEX delivery_due ON delivery (next_attempt_at, slot) WHERE state = 'pending';
GRANT SELECT (slot, alert_id, state) ON delivery TO aqua_rules;
GRANT SELECT, INSERT, UPDATE ON delivery TO aqua_notifier;
GRANT SELECT, UPDATE (next_attempt_at) ON delivery TO aqua_gateway;
ALTER TABLE delivery ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON delivery TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON delivery TO aqua_gateway USING (account_id = (SELECT current_account()));

-- Each try of a delivery, and what the receiver said.
CREATE TABLE delivery_attempt (
    slot smallint NOT NULL,
    attempt smallint NOT NULL,
    status smallint, -- of the HTTP response, if one came
    alert_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    started_at timestamptz NOT NULL,
    duration_us bigint NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('accepted', 'retry', 'ambiguous', 'gone', 'refused')),
    detail text NOT NULL CHECK (length(detail) <= 300),
    PRIMARY KEY (slot, alert_id, endpoint_id, attempt)
);
GRANT SELECT, INSERT ON delivery_attempt TO aqua_notifier;
GRANT SELECT ON delivery_attempt TO aqua_gateway;
ALTER TABLE delivery_attempt ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON delivery_attempt TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON delivery_attempt TO aqua_gateway USING (EXISTS (
    SELECT FROM delivery d WHERE d.slot = delivery_attempt.slot AND d.alert_id = delivery_attempt.alert_id
        AND d.endpoint_id = delivery_attempt.endpoint_id AND d.account_id = (SELECT current_account())));

-- A lease ends with its holder. A notifier takes a number and holds the advisory lock (7133703, number) with a session of its own; a number
-- whose lock is free belongs to one that died, or lost its session and may be back in a moment.
CREATE TABLE notifier (
    holder integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    missing_since timestamptz -- when another one first found the lock free
);
GRANT SELECT, INSERT, UPDATE, DELETE ON notifier TO aqua_notifier;

-- The public keys under which browsers subscribe (RFC 8292), as the Notifiers announce them: they have the private ones, and the Gateways
-- tell browsers the one at position 0. A subscription can only be served with the key that it was made with.
CREATE TABLE vapid_key (
    key_id text PRIMARY KEY CHECK (key_id ~ '^[0-9a-f]{16}$'),
    public_key bytea NOT NULL CHECK (length(public_key) = 65),
    position smallint NOT NULL,
    announced_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON vapid_key TO aqua_notifier;
GRANT SELECT ON vapid_key TO aqua_gateway;
