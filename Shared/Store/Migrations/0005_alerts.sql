-- What a person is to be told.
--   decided --(expanded to endpoints)--> sending --(last delivery ended, one was accepted)--> delivered
--   decided --(no usable endpoint)--> undelivered
--   sending --(last delivery ended, none was accepted)--> undelivered
--   decided, sending --(device unlinked)--> cancelled
CREATE TABLE alert (
    slot smallint NOT NULL,
    parameter smallint CHECK (parameter BETWEEN 0 AND 8),
    device_id integer,
    account_id bigint NOT NULL REFERENCES account,
    alert_id bigint NOT NULL,
    episode_id bigint,
    kind text NOT NULL CHECK (kind IN ('range', 'fault', 'silence', 'test')),
    purpose text NOT NULL CHECK (purpose IN ('alarm', 'reminder', 'recovery', 'test')),
    side text CHECK (side IN ('low', 'high')),
    value real,
    worst real, -- of the episode so far
    limit_value real,
    check_probe boolean NOT NULL DEFAULT false,
    opened_at timestamptz NOT NULL, -- event time of the episode's first reading
    event_time timestamptz NOT NULL, -- of the reading in the text
    received_at timestamptz, -- when that reading's batch was received
    decided_at timestamptz NOT NULL DEFAULT now(),
    state text NOT NULL DEFAULT 'decided'
        CHECK (state IN ('decided', 'sending', 'delivered', 'undelivered', 'cancelled')),
    PRIMARY KEY (slot, alert_id),
    FOREIGN KEY (slot, episode_id) REFERENCES episode,
    CHECK ((kind = 'test') = (purpose = 'test')),
    CHECK ((kind = 'test') = (episode_id IS NULL)),
    CHECK ((kind = 'test') = (device_id IS NULL))
) WITH (fillfactor = 80);

CREATE INDEX alert_decided ON alert (decided_at, slot) WHERE state = 'decided';
CREATE INDEX alert_of_watch ON alert (slot, device_id, parameter, account_id, alert_id);
CREATE INDEX alert_of_account ON alert (account_id, decided_at);

-- Where a person wants to be told. The target is a capability: it appears in no log. Secrets are sealed with a key
-- that the database does not have.
CREATE SEQUENCE endpoint_id AS bigint;
CREATE TABLE endpoint (
    endpoint_id bigint PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES account,
    channel text NOT NULL CHECK (channel IN ('webhook')),
    target text NOT NULL CHECK (length(target) BETWEEN 1 AND 2048),
    sealed_secret bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    retired_at timestamptz,
    retired_because text,
    UNIQUE (channel, target),
    CHECK ((retired_at IS NULL) = (retired_because IS NULL))
);

CREATE INDEX endpoint_of_account ON endpoint (account_id) WHERE retired_at IS NULL;

-- One alert on its way to one endpoint.
--   pending --(2xx)--> accepted      pending --(the receiver can never take it)--> failed
--   pending --(not accepted in time)--> stale      pending --(device unlinked, endpoint moved)--> cancelled
-- next_attempt_at is both the back-off and the lease: taking a delivery moves it into the future, so that a notifier
-- that dies lets it come due again; attempts is the lease's number, which the record of its result must carry. Leases
-- are given back unsent too, so tries counts what was recorded: the back-off grows with it.
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
    PRIMARY KEY (slot, alert_id, endpoint_id),
    FOREIGN KEY (slot, alert_id) REFERENCES alert,
    CHECK ((state = 'pending') = (ended_at IS NULL))
) WITH (fillfactor = 70);

CREATE INDEX delivery_due ON delivery (next_attempt_at, slot) WHERE state = 'pending';

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
