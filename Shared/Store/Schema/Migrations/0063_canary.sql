-- The canary: a device of the operator's own, by which a reading goes the whole way to an endpoint again and again. The row marks device and
-- account, which are kept out of what is counted of people's, and says when its alarm last arrived.
CREATE TABLE canary (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), -- an installation has one at most
    account_id bigint NOT NULL UNIQUE REFERENCES account ON DELETE CASCADE,
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    every_seconds integer NOT NULL CHECK (every_seconds BETWEEN 600 AND 3600), -- how often its water leaves the range
    made_at timestamptz NOT NULL DEFAULT now(),
    delivered_at timestamptz, -- when an endpoint took an alarm of its last; NULL: none has come through yet
    beaten_at timestamptz, -- the delivery for which the heartbeat was called last
    UNIQUE (slot, device_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);
ALTER TABLE canary REPLICA IDENTITY USING INDEX canary_slot_device_id_key; -- a cell is split along its slots
GRANT SELECT (slot, device_id) ON canary TO aqua_ingestor;
ALTER TABLE canary ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON canary TO aqua_ingestor USING (true);
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('canary', 'operator', NULL, NULL, 1, 'its key');
