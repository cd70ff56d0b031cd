-- Whether a device shows what its owner sees of it, on a display of its own, and answers alarms for them by its button. Off unless the owner
-- says so: whoever holds the device's key then reads the owner's name for it, their limits, and who is on it.
ALTER TABLE ownership
    ADD COLUMN shows_on_device boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT ownership_owner_shows CHECK (role = 'owner' OR NOT shows_on_device);
CREATE INDEX ownership_shown ON ownership (slot, device_id) WHERE shows_on_device AND unlinked_at IS NULL;
GRANT UPDATE (shows_on_device) ON ownership TO aqua_gateway;

-- The last presses of a device's button, by which one that comes again counts once. Read and written by press_button alone.
CREATE TABLE device_button (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    presses text[] NOT NULL CHECK (cardinality(presses) BETWEEN 1 AND 16), -- the ids that the device gave them, the last one first
    pressed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, device_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
) WITH (fillfactor = 70);
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('device_button', 'device', 'device', NULL, 1, 'its key');
