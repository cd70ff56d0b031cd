-- Positions of what moves: a boat, a buoy. They are kept only of devices whose owner says that they move, for they tell where somebody is.
ALTER TABLE ownership
    ADD COLUMN moves boolean NOT NULL DEFAULT false, -- whether the device moves, so that its positions are kept
    ADD CONSTRAINT ownership_owner_says_it_moves CHECK (role = 'owner' OR NOT moves);
GRANT SELECT (moves) ON ownership TO aqua_ingestor;
GRANT UPDATE (moves) ON ownership TO aqua_gateway;

-- Where a device was, thinned as it came: a point holds for the readings from its time on, until the next one and for an hour at most. Points are
-- not part of samples, so that readings of what stands still are as narrow as ever.
CREATE TABLE track (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    at timestamptz NOT NULL, -- the event time of the message that said it
    latitude integer NOT NULL CHECK (latitude BETWEEN -9000000 AND 9000000), -- hundred-thousandths of a degree, which are 1.1 m at most
    longitude integer NOT NULL CHECK (longitude BETWEEN -18000000 AND 18000000),
    accuracy smallint CHECK (accuracy BETWEEN 0 AND 10000), -- metres; NULL: the device did not say
    PRIMARY KEY (slot, device_id, at)
);
CREATE INDEX track_by_time ON track (at); -- by which old points are found
GRANT INSERT ON track TO aqua_ingestor;
ALTER TABLE track ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON track TO aqua_ingestor USING (true);

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('track', 'device', NULL, NULL, NULL, 'no more than samples, thinned by TrackThinning; retention');
