-- Places without a device: a weir, a shore. A site is a row of `device`, so that limits, values by hand, journal, care, graphs, plans, projects, sharing, export and
-- erasure hold for it as they stand.
ALTER TABLE device
    ADD COLUMN kind text NOT NULL DEFAULT 'device' CHECK (kind IN ('device', 'site'));

-- Where a device or a site was, and since when: the present position is that of its owner.
CREATE TABLE place (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL, -- the owner's ownership
    since timestamptz NOT NULL,
    latitude double precision CHECK (latitude BETWEEN -90 AND 90), -- NULL: nobody said where it was from here on
    longitude double precision CHECK (longitude BETWEEN -180 AND 180),
    accuracy real CHECK (accuracy BETWEEN 0 AND 100000), -- metres; NULL: not known
    source text CHECK (source IN ('gps', 'map', 'typed')), -- NULL: not known
    PRIMARY KEY (slot, tank_id, since),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CONSTRAINT place_is_whole CHECK ((latitude IS NULL) = (longitude IS NULL))
);
