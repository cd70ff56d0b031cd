-- Devices, who has them, and what they say of themselves.

-- A device is claimed with a code that only whoever it was printed for knows, and given up with a new one.
--
--              its code is shown                        the owner unlinks it; their account is closed
--     unowned ------------------> owned, and watched ------------------------------------------------> unowned, with another code
CREATE TABLE device (
    slot smallint NOT NULL REFERENCES slot,
    device_id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    hardware_id text NOT NULL UNIQUE CHECK (hardware_id ~ '^[A-Za-z0-9_-]{1,32}$'),
    claim_code_hash bytea NOT NULL UNIQUE CHECK (length(claim_code_hash) = 32),
    key_generation integer NOT NULL DEFAULT 1 CHECK (key_generation > 0), -- the MQTT password is derived from it
    rules_version bigint NOT NULL DEFAULT 0, -- slot_rules.version when this device's rules last changed
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Which of the keys in a file made what stands here, by an id that tells nothing of the key: what no row names any more can be
    -- dropped from the file. NULL: made when a file held one key only.
    key_id text CHECK (key_id ~ '^[0-9a-f]{16}$'), -- of the MQTT password
    claim_key_id text CHECK (claim_key_id ~ '^[0-9a-f]{16}$'),
    left_at timestamptz, -- until when it was somebody's who is gone: its next owner does not see what comes late of that time
    -- The SHA-256 of the device's key, by which an Ingestor knows a device that sends its readings over HTTP. A key is 256 bits that
    -- nobody can guess, so that its hash opens nothing. NULL: the key was made before there was this column.
    key_hash bytea CHECK (octet_length(key_hash) = 32),
    PRIMARY KEY (slot, device_id)
);
CREATE INDEX device_changed_rules ON device (slot, rules_version);

-- Who had a device when, as its owner or as a watcher whom the owner has invited. Range, unit, throttle, episodes and alerts are each
-- person's own, and the interval bounds what they see of the history.
--
--     current --(the owner unlinks the device; a watcher leaves, or is removed)--> ended (unlinked_at)
CREATE TABLE ownership (
    ownership_id bigint GENERATED ALWAYS AS IDENTITY,
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    linked_at timestamptz NOT NULL DEFAULT now(),
    unlinked_at timestamptz CHECK (unlinked_at >= linked_at),
    role text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'watcher')),
    latitude double precision CHECK (latitude BETWEEN -90 AND 90), -- where the person says that the device is
    longitude double precision CHECK (longitude BETWEEN -180 AND 180),
    version integer NOT NULL DEFAULT 1,
    -- Since when its readings are shown to the person: to a device's first owner all, to the next since they linked it, to a watcher since
    -- they joined or, where the owner allowed it, since an alarm began. What they are told begins when they joined in any case.
    readings_from timestamptz NOT NULL DEFAULT '-infinity',
    made_in uuid, -- of a watcher: the owner's session, in which the invitation was made
    PRIMARY KEY (slot, ownership_id),
    FOREIGN KEY (slot, device_id) REFERENCES device,
    CONSTRAINT ownership_place_is_whole CHECK ((latitude IS NULL) = (longitude IS NULL))
);
CREATE UNIQUE INDEX ownership_one_owner ON ownership (slot, device_id) WHERE unlinked_at IS NULL AND role = 'owner';
CREATE UNIQUE INDEX ownership_once_each ON ownership (slot, device_id, account_id) WHERE unlinked_at IS NULL;
CREATE INDEX ownership_of_device ON ownership (slot, device_id, unlinked_at);
CREATE INDEX ownership_of_account ON ownership (account_id);
GRANT SELECT (slot, device_id, account_id, linked_at, unlinked_at, role, readings_from) ON ownership TO aqua_ingestor;
GRANT SELECT (slot, device_id, account_id, linked_at, unlinked_at, role, readings_from) ON ownership TO aqua_rules;
GRANT SELECT (slot, device_id, account_id, name, linked_at, unlinked_at) ON ownership TO aqua_notifier;
GRANT SELECT, UPDATE (name, latitude, longitude, version) ON ownership TO aqua_gateway;
ALTER TABLE ownership ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON ownership TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON ownership TO aqua_gateway USING (account_id = (SELECT current_account()));

GRANT SELECT (slot, device_id, hardware_id, key_hash) ON device TO aqua_ingestor;
GRANT SELECT (slot, device_id, rules_version) ON device TO aqua_rules;
GRANT SELECT (slot, device_id, hardware_id) ON device TO aqua_notifier;
GRANT SELECT (slot, device_id, hardware_id) ON device TO aqua_gateway;
ALTER TABLE device ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON device TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON device TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = device.slot AND o.device_id = device.device_id
        AND o.account_id = (SELECT current_account())));

-- An owner's offer to watch a device, taken up by whoever brings the token first. Places bound how many there are.
--
--     open --(somebody joins)--> used      open --(its time is over)--> expired      open --(withdrawn; the device is unlinked)--> gone
CREATE TABLE device_invitation (
    slot smallint NOT NULL,
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 20),
    device_id integer NOT NULL,
    invitation_id uuid NOT NULL DEFAULT gen_random_uuid(), -- by what it is known outside
    account_id bigint NOT NULL REFERENCES account, -- the owner who invites
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    used_at timestamptz,
    used_by bigint REFERENCES account ON DELETE SET NULL,
    made_in uuid, -- the session
    -- An owner may let whoever takes up an invitation see the readings since an alarm began, as the one who is called for help needs to.
    readings text NOT NULL DEFAULT 'sinceJoining' CHECK (readings IN ('sinceJoining', 'sinceAlarm')),
    PRIMARY KEY (slot, device_id, place),
    FOREIGN KEY (slot, device_id) REFERENCES device,
    CHECK (used_by IS NULL OR used_at IS NOT NULL)
);
CREATE UNIQUE INDEX device_invitation_known_as ON device_invitation (slot, invitation_id);
CREATE INDEX device_invitation_of_account ON device_invitation (account_id);
CREATE INDEX device_invitation_used_by ON device_invitation (used_by) WHERE used_by IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON device_invitation TO aqua_gateway;
ALTER TABLE device_invitation ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON device_invitation TO aqua_gateway USING (account_id = (SELECT current_account()));
-- Invitations are of a device that the person owns.
CREATE POLICY owns_device ON device_invitation AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = device_invitation.slot AND o.device_id = device_invitation.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.role = 'owner'));

-- What devices say of themselves on their status topic.
CREATE TABLE device_status (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    online boolean NOT NULL,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (slot, device_id)
) WITH (fillfactor = 70);
GRANT SELECT, INSERT, UPDATE ON device_status TO aqua_ingestor;
GRANT SELECT ON device_status TO aqua_rules;
ALTER TABLE device_status ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON device_status TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY person ON device_status TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = device_status.slot AND o.device_id = device_status.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));

-- The devices whose clock is not right, or not known to be: so nearly none. Written when that changes, so that an engine that starts
-- knows it at once, and an operator is told of it.
CREATE TABLE device_clock (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    lag_seconds integer, -- how far it is behind; negative: ahead; NULL: its readings come late, and nothing proves why
    noted_at timestamptz NOT NULL DEFAULT now(),
    stepped_at timestamptz, -- when an engine last saw that it was put back, by the database's clock; NULL: not since it was found wrong
    PRIMARY KEY (slot, device_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);
GRANT SELECT (slot, device_id, lag_seconds) ON device_clock TO aqua_ingestor;
GRANT SELECT, INSERT, UPDATE, DELETE ON device_clock TO aqua_rules;
GRANT SELECT (slot, device_id, lag_seconds) ON device_clock TO aqua_notifier;

-- The probe that measures the water's temperature, of each device whose firmware reports several and names them. An Ingestor notes the
-- first that it hears of; a person or the operator may name another. Firmware numbers its probes anew when one is lost, and without this
-- row the temperature of the room would then pass for that of the water.
CREATE TABLE temperature_probe (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    probe_id text NOT NULL CHECK (probe_id ~ '^[0-9A-F]{1,16}$'),
    chosen_at timestamptz, -- when somebody last chose another probe; NULL: an Ingestor noted the first that it heard of
    PRIMARY KEY (slot, device_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);
-- Ingestors look for the choices of the last seconds.
CREATE INDEX temperature_probe_by_choice ON temperature_probe (chosen_at) WHERE chosen_at IS NOT NULL;
GRANT SELECT, INSERT ON temperature_probe TO aqua_ingestor;
GRANT SELECT (slot, device_id, probe_id, chosen_at) ON temperature_probe TO aqua_rules;

-- What was last heard of each probe, of devices that report several, or another than the one in the water. Which probes answer beside the
-- one in the water tells a probe that was replaced from a device without power.
CREATE TABLE reported_probe (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    probe_id text NOT NULL CHECK (probe_id ~ '^[0-9A-F]{1,16}$'),
    temperature real, -- canonical unit; NULL: it reported an error, or no value
    reported_at timestamptz NOT NULL, -- the time of receipt
    PRIMARY KEY (slot, device_id, probe_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);
GRANT SELECT (slot, device_id, probe_id, temperature, reported_at) ON reported_probe TO aqua_rules;

-- Messages of a device that could not be read, or not in full: a row for each day, reason and subject, so that what a device sends
-- without end costs a bounded number of rows, and none of another device's.
-- The device is not referred to: its row would be locked in an order that crosses that of who links it.
CREATE TABLE device_reject (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    day date NOT NULL, -- UTC
    reason text NOT NULL,
    subject text NOT NULL CHECK (length(subject) <= 64), -- the parameter, or the name that is none; '' for the message as a whole
    messages integer NOT NULL CHECK (messages > 0),
    first_at timestamptz NOT NULL, -- by the database's clock, as ownerships
    last_at timestamptz NOT NULL,
    -- The last of them:
    topic text NOT NULL CHECK (length(topic) <= 200),
    detail text NOT NULL CHECK (length(detail) <= 400),
    payload bytea NOT NULL CHECK (length(payload) <= 256), -- its beginning; empty where its age is unknown
    PRIMARY KEY (slot, device_id, day, reason, subject)
) WITH (fillfactor = 70);

-- What could not be counted and is no device's, and why: a ring of the last 10,000.
CREATE SEQUENCE reject_number AS bigint;
CREATE TABLE reject (
    position integer PRIMARY KEY CHECK (position BETWEEN 0 AND 9999),
    reject_number bigint NOT NULL,
    received_at timestamptz NOT NULL,
    topic text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    payload bytea NOT NULL CHECK (length(payload) <= 512) -- its beginning
);
GRANT USAGE ON SEQUENCE reject_number TO aqua_ingestor;
GRANT SELECT, INSERT, UPDATE ON reject TO aqua_ingestor;

-- Readings that were of nobody but a person who is gone. They may be millions, so they are erased bit by bit, by whoever stores readings.
-- No row says whose they were.
CREATE TABLE erasure (
    erasure_id bigint GENERATED ALWAYS AS IDENTITY,
    slot smallint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('samples', 'hours', 'days')),
    device_id integer NOT NULL,
    from_time timestamptz NOT NULL,
    until_time timestamptz NOT NULL CHECK (until_time > from_time),
    PRIMARY KEY (slot, erasure_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);
