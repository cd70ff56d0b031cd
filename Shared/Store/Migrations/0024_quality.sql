-- Probes that say of themselves that they are broken, and have given no value since. A row for each such probe, of those that
-- somebody has; most devices have none.
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
