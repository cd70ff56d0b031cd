-- What engines decide: batches that wait for them, episodes, and what they look at by themselves.

-- Batches of new messages that wait for a decision: written with the samples, deleted with the decision, in the order of batch_id within a
-- slot. The format of readings is Store's EvaluationBatch.
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
-- Since when samples wait is asked for each device that an engine does not know yet, also when a day of batches waits. The conversion
-- keeps the index from those who want a slot's oldest batches by number: with statistics of a queue that has just been emptied, a plan by
-- receipt looked as cheap as the primary key's, and walked what a long transaction may still see.
CREATE INDEX evaluation_batch_received ON evaluation_batch ((slot::integer), received_at);
GRANT INSERT ON evaluation_batch TO aqua_ingestor;
GRANT SELECT, DELETE ON evaluation_batch TO aqua_rules;
-- Up to where batches have been added: what is far behind it and was not found is gone.
GRANT SELECT ON SEQUENCE evaluation_batch_batch_id_seq TO aqua_rules;

CREATE SEQUENCE episode_id AS bigint;
GRANT USAGE ON SEQUENCE episode_id TO aqua_rules;

-- A stretch of time in which something was wrong with one parameter (or, for silence, with a device) for one person.
--
--            in range by the dead band; heard again; calm; no longer on the way
--     open ------------------------------------------------------------------------> closed: recovered
--       |    out of range on the other side
--       +--------------------------------------> closed: flipped (an episode of the other side opens)
--       |    the device is unlinked
--       +--------------------------------------> closed: unlinked
CREATE TABLE episode (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    episode_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('range', 'fault', 'silence', 'rate', 'ahead')),
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
    critical boolean NOT NULL DEFAULT false, -- whether an alert was made for a value beyond a critical limit
    flat_at real, -- the value of a flat line; NULL of a fault that the probe tells of itself
    doubted_at timestamptz, -- when a reading was last held as a suspected spike, or was critical; carried on from episode to episode
    PRIMARY KEY (slot, episode_id),
    CHECK ((kind = 'range') = (side IS NOT NULL)),
    CHECK (kind <> 'range' OR parameter IS NOT NULL),
    CHECK ((closed_at IS NULL) = (closed_because IS NULL)),
    CHECK (recovery_due_at IS NULL OR closed_because = 'recovered'),
    CONSTRAINT episode_flat CHECK (kind = 'fault' OR flat_at IS NULL)
) WITH (
    -- An open episode changes with every reading, and in a storm all of a page at once: of 20,000 that changed ten times 82 of 100 updates
    -- stayed in their page (HOT) with a fifth of it free, and all of them with half of it free, in half the room.
    fillfactor = 50,
    -- What is in work is a thin layer over years of history, and its indexes (what is decided, due, open) are searched many times a second:
    -- dead rows among it are cleaned when there are thousands, not when they are a fifth of all. The same holds for throttle, alert and
    -- delivery. slot, slot_rules and device_status need nothing: they do not grow, and no index has a column that changes, so that every
    -- update cleans up after the one before (HOT).
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000
);
CREATE UNIQUE INDEX episode_one_open ON episode (slot, device_id, parameter, account_id, kind) NULLS NOT DISTINCT WHERE closed_at IS NULL;
CREATE INDEX episode_recovery ON episode (recovery_due_at) WHERE recovery_due_at IS NOT NULL;
CREATE INDEX episode_of_device ON episode (slot, device_id, opened_at);
CREATE INDEX episode_ended ON episode (closed_at) WHERE closed_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON episode TO aqua_rules;
GRANT SELECT (slot, parameter, device_id, account_id, episode_id, kind, opened_at, closed_at) ON episode TO aqua_notifier;
GRANT SELECT ON episode TO aqua_gateway;
ALTER TABLE episode ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON episode TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON episode TO aqua_gateway USING (account_id = (SELECT current_account()));

-- Every change of an episode with its reason, and what became of the wish to notify.
CREATE TABLE transition (
    slot smallint NOT NULL,
    transition_id bigint GENERATED ALWAYS AS IDENTITY,
    episode_id bigint NOT NULL,
    event_time timestamptz NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),
    reason text NOT NULL CHECK (reason IN ('opened', 'flipped', 'recovered', 'unlinked')),
    notification text NOT NULL CHECK (notification IN (
        'none', 'alerted', 'stale', 'held', 'noRecipient', 'throttled', 'delayed', 'acknowledged', 'snoozed', 'toldUnstable',
        'outOfRange')),
    value real,
    PRIMARY KEY (slot, transition_id),
    FOREIGN KEY (slot, episode_id) REFERENCES episode
);
CREATE INDEX transition_of_episode ON transition (slot, episode_id);
GRANT INSERT ON transition TO aqua_rules;
GRANT SELECT ON transition TO aqua_gateway;
ALTER TABLE transition ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON transition TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON transition TO aqua_gateway USING (EXISTS (
    SELECT FROM episode e WHERE e.slot = transition.slot AND e.episode_id = transition.episode_id
        AND e.account_id = (SELECT current_account())));

-- The alert that charged the interval in which no other may follow. Refunded by deleting the row. Of values out of range each side is
-- charged, as 'low' or 'high'; rows of kind 'range' are by engines of an earlier version, and charge the side of their alert.
--
--     free --(an alarm or a reminder is decided)--> charged --(the interval is over)--> free
--                                                        \--(nobody got the alert; an all-clear)--> free: the row is deleted
CREATE TABLE throttle (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    kind text NOT NULL CHECK (kind IN ('range', 'low', 'high', 'fault', 'silence', 'rate', 'ahead')),
    charged_at timestamptz NOT NULL, -- event time of the alert, or when it was first accepted if that came late
    alert_id bigint NOT NULL,
    -- The event time of the reading that was alerted, where charged_at may be later; NULL: as charged_at. Both by the clock of the device,
    -- which may be hours off: how late an alert was accepted is added to this, never compared with it.
    event_time timestamptz,
    UNIQUE NULLS NOT DISTINCT (slot, device_id, parameter, account_id, kind)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
CREATE INDEX throttle_of_alert ON throttle (slot, alert_id);
ALTER TABLE throttle REPLICA IDENTITY FULL; -- a NULL is part of its key
GRANT SELECT, INSERT, UPDATE ON throttle TO aqua_rules;
GRANT SELECT, UPDATE, DELETE ON throttle TO aqua_notifier;
ALTER TABLE throttle ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON throttle TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON throttle TO aqua_gateway USING (account_id = (SELECT current_account()));

-- Silence counts from here at the earliest: since when an Ingestor hears and an engine looks.
CREATE TABLE silence_clock (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    runs_from timestamptz NOT NULL DEFAULT now(),
    looked_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);
INSERT INTO silence_clock DEFAULT VALUES;
GRANT SELECT, UPDATE ON silence_clock TO aqua_rules;

-- When to look at each device that somebody has, and the parameters that it is known to send (bit = number). An engine looks at each
-- device when it can be silent at the earliest, so that a reading costs nothing here.
CREATE TABLE silence_check (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    parameters integer NOT NULL DEFAULT 0,
    -- How the device and its parameters pause, as an engine wrote it, and up to which receipt that is of the device. Of a device that pauses
    -- for less than a hundred seconds this takes some 30 bytes.
    rhythm bytea,
    learnt_until timestamptz,
    PRIMARY KEY (slot, device_id)
) WITH (fillfactor = 70);
CREATE INDEX silence_check_due ON silence_check (due_at);
GRANT SELECT, UPDATE, DELETE ON silence_check TO aqua_rules;

-- Probes that say of themselves that they are broken, and have given no value since. A row for each such probe, of those that somebody
-- has; most devices have none.
CREATE TABLE probe_fault (
    slot smallint NOT NULL,
    parameter smallint NOT NULL CHECK (parameter >= 0),
    device_id integer NOT NULL,
    since timestamptz NOT NULL, -- event time of the first word of it, and of the last
    last_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL, -- of the last: the device is heard
    PRIMARY KEY (slot, device_id, parameter),
    CHECK (since <= last_at)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON probe_fault TO aqua_rules;

-- Values that have stayed the same for longer than water does: flat lines that go on, as far as is known. A row for each such parameter,
-- of devices that somebody has; most have none.
CREATE TABLE flat_line (
    slot smallint NOT NULL,
    parameter smallint NOT NULL CHECK (parameter >= 0),
    device_id integer NOT NULL,
    since timestamptz NOT NULL, -- event time, like the next
    until timestamptz NOT NULL,
    value real NOT NULL,
    PRIMARY KEY (slot, device_id, parameter),
    CHECK (since <= until)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE, DELETE ON flat_line TO aqua_rules;
