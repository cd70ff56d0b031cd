-- Batches of new messages that wait for a decision: written with the samples, deleted with the decision, in the order
-- of batch_id within a slot. The format of readings is Store's EvaluationBatch.
CREATE TABLE evaluation_batch (
    slot smallint NOT NULL CHECK (slot BETWEEN 0 AND 63),
    messages integer NOT NULL CHECK (messages > 0),
    batch_id bigint GENERATED ALWAYS AS IDENTITY,
    received_at timestamptz NOT NULL, -- of its oldest message
    readings bytea NOT NULL,
    PRIMARY KEY (slot, batch_id)
) WITH (
    toast_tuple_target = 8160, -- rows live for milliseconds: keep them in the page where that is possible
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
);
ALTER TABLE evaluation_batch ALTER COLUMN readings SET STORAGE EXTERNAL;

CREATE SEQUENCE episode_id AS bigint;
CREATE SEQUENCE alert_id AS bigint;

-- A stretch of time in which something was wrong with one parameter (or, for silence, with a device) for one person.
--   open --(in range by the dead band)--> closed: recovered
--   open --(out of range on the other side)--> closed: flipped; the other side opens
--   open --(device unlinked)--> closed: unlinked
CREATE TABLE episode (
    slot smallint NOT NULL,
    parameter smallint CHECK (parameter BETWEEN 0 AND 8),
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    episode_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('range', 'fault', 'silence')),
    side text CHECK (side IN ('low', 'high')),
    opened_at timestamptz NOT NULL, -- event time, like the next two
    last_at timestamptz NOT NULL,
    closed_at timestamptz,
    closed_because text CHECK (closed_because IN ('recovered', 'flipped', 'unlinked')),
    worst real,
    closed_value real, -- of the reading that closed it
    alert_id bigint, -- the latest alarm or reminder of this episode
    no_recipient boolean NOT NULL DEFAULT false,
    recovery_due_at timestamptz, -- database clock; when to decide on a recovery notice
    PRIMARY KEY (slot, episode_id),
    CHECK ((kind = 'range') = (side IS NOT NULL)),
    CHECK (kind <> 'range' OR parameter IS NOT NULL),
    CHECK ((closed_at IS NULL) = (closed_because IS NULL)),
    CHECK (recovery_due_at IS NULL OR closed_because = 'recovered')
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX episode_one_open ON episode (slot, device_id, parameter, account_id, kind) NULLS NOT DISTINCT
    WHERE closed_at IS NULL;
CREATE INDEX episode_recovery ON episode (recovery_due_at) WHERE recovery_due_at IS NOT NULL;
CREATE INDEX episode_of_device ON episode (slot, device_id, opened_at);

-- Every change of an episode with its reason, and what became of the wish to notify.
CREATE TABLE transition (
    slot smallint NOT NULL,
    transition_id bigint GENERATED ALWAYS AS IDENTITY,
    episode_id bigint NOT NULL,
    event_time timestamptz NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),
    reason text NOT NULL CHECK (reason IN ('opened', 'flipped', 'recovered', 'unlinked')),
    notification text NOT NULL CHECK (notification IN ('none', 'alerted', 'stale', 'noRecipient', 'throttled')),
    value real,
    PRIMARY KEY (slot, transition_id),
    FOREIGN KEY (slot, episode_id) REFERENCES episode
);

-- The alert that charged the interval in which no other may follow. Refunded by deleting the row.
CREATE TABLE throttle (
    slot smallint NOT NULL,
    parameter smallint CHECK (parameter BETWEEN 0 AND 8),
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    kind text NOT NULL CHECK (kind IN ('range', 'fault', 'silence')),
    charged_at timestamptz NOT NULL, -- event time of the alert, or when it was first accepted if that came late
    alert_id bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (slot, device_id, parameter, account_id, kind)
) WITH (fillfactor = 80);

CREATE INDEX throttle_of_alert ON throttle (slot, alert_id);
