-- Devices' words about themselves: the latest of each kind, the least of each day, and changes. No series is kept.
-- Written aside by `note_device_lives` alone, read by `person_life` and what is beside it.
CREATE TABLE device_life (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    family text NOT NULL CHECK (family ~ '^[a-zA-Z0-9]{1,16}$'), -- the firmware, by a word of the programs'
    version text CHECK (length(version) BETWEEN 1 AND 48),
    version_at timestamptz, -- since when it is known to run
    newer text CHECK (length(newer) BETWEEN 1 AND 48), -- a newer version that the firmware itself knows of
    battery real CHECK (battery BETWEEN 0 AND 100), -- percent
    battery_at timestamptz,
    signal smallint CHECK (signal BETWEEN -127 AND -1), -- dBm
    signal_at timestamptz,
    link_quality smallint CHECK (link_quality BETWEEN 0 AND 255), -- of Zigbee, no dBm
    started_at timestamptz, -- by the uptime that it said last
    reset text CHECK (length(reset) BETWEEN 1 AND 48), -- the reason of its last start, in the firmware's words
    noted_at timestamptz NOT NULL,
    PRIMARY KEY (slot, device_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
) WITH (fillfactor = 70);
CREATE TABLE device_life_day (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    day date NOT NULL, -- UTC
    battery real CHECK (battery BETWEEN 0 AND 100), -- the least
    signal smallint CHECK (signal BETWEEN -127 AND -1), -- the weakest
    restarts smallint NOT NULL DEFAULT 0 CHECK (restarts BETWEEN 0 AND 9999),
    noted_at timestamptz NOT NULL,
    PRIMARY KEY (slot, device_id, day),
    FOREIGN KEY (slot, device_id) REFERENCES device
) WITH (fillfactor = 70);
CREATE TABLE device_life_change (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    at timestamptz NOT NULL,
    kind text NOT NULL CHECK (kind IN ('version', 'reset')),
    former text CHECK (length(former) BETWEEN 1 AND 48), -- NULL: none was known
    value text NOT NULL CHECK (length(value) BETWEEN 1 AND 48),
    PRIMARY KEY (slot, device_id, at, kind),
    FOREIGN KEY (slot, device_id) REFERENCES device
);
-- An engine says in the alarm what probably explains a silence.
GRANT SELECT (slot, device_id, battery, battery_at, signal, signal_at) ON device_life TO aqua_rules;
GRANT SELECT (slot, device_id, day, battery, signal, restarts) ON device_life_day TO aqua_rules;
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('device_life', 'device', 'device', NULL, 1, 'its key'),
    ('device_life_day', 'device', 'device', 1, 60, 'note_device_lives'),
    ('device_life_change', 'device', 'device', NULL, 32, 'note_device_lives');

-- The probable explanation of a silence: a word and a number, such as 'battery 4'. NULL: none is known.
ALTER TABLE alert ADD COLUMN hint text;
ALTER TABLE alert ADD CONSTRAINT alert_hint CHECK (hint ~ '^[a-zA-Z]{1,16} -?[0-9]{1,5}$') NOT VALID;
