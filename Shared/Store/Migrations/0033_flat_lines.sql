-- Values that have stayed the same for longer than water does: a fault of the probe, as when it says so itself.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, episode, rollup_progress IN ACCESS EXCLUSIVE MODE;

-- Of a flat line: its value; NULL of a fault that the probe tells of itself.
ALTER TABLE episode ADD COLUMN flat_at real,
    ADD CONSTRAINT episode_flat CHECK (kind = 'fault' OR flat_at IS NULL) NOT VALID;

-- Those that go on, as far as is known. A row for each such parameter, of devices that somebody has; most have none.
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

-- They are found in the roll-ups, beside the readings: an engine that remembers the device reads it anew.
CREATE TRIGGER flat_line_changes_rules AFTER INSERT ON flat_line
    FOR EACH ROW EXECUTE FUNCTION rules_changed_by_row();

-- How far the roll-ups of a slot have been looked through for flat lines: the end of the last hour, and the last device of a look
-- that is not finished.
ALTER TABLE rollup_progress ADD COLUMN flat_until timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN flat_device integer NOT NULL DEFAULT 0;

GRANT SELECT, INSERT, UPDATE, DELETE ON flat_line TO aqua_rules;
GRANT UPDATE (flat_until, flat_device) ON rollup_progress TO aqua_rules;
GRANT SELECT ON sample_hour, rollup_progress TO aqua_rules;
