-- Places without a device: a weir, a shore. A site is a row of `device`, so that limits, values by hand, journal, care, graphs, plans, projects, sharing, export and
-- erasure hold for it as they stand. It has no key and no claim code: nobody sends as it, and nobody takes it up once it is given up.
ALTER TABLE device
    ADD COLUMN kind text NOT NULL DEFAULT 'device' CHECK (kind IN ('device', 'site')),
    ALTER COLUMN claim_code_hash DROP NOT NULL,
    ADD CONSTRAINT device_kind_is_whole CHECK (CASE kind
        WHEN 'site' THEN num_nonnulls(claim_code_hash, claim_key_id, key_id, key_hash, enrolled_for) = 0 ELSE claim_code_hash IS NOT NULL END);
GRANT SELECT (kind) ON device TO aqua_gateway, aqua_ingestor;

-- The accuracy of the present position, and where it was taken from. Another position has others.
ALTER TABLE ownership
    ADD COLUMN place_accuracy real CHECK (place_accuracy BETWEEN 0 AND 100000), -- metres; NULL: not known
    ADD COLUMN place_source text CHECK (place_source IN ('gps', 'map', 'typed')), -- NULL: not known
    ADD CONSTRAINT ownership_place_is_known CHECK (latitude IS NOT NULL OR num_nonnulls(place_accuracy, place_source) = 0);
GRANT UPDATE (place_accuracy, place_source) ON ownership TO aqua_gateway;

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
GRANT SELECT ON place TO aqua_gateway;
ALTER TABLE place ENABLE ROW LEVEL SECURITY;
-- A position is its owner's own. Whoever shares a site now sees where it is and was, since a site is nothing but its place.
CREATE POLICY person ON place FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = place.slot AND o.tank_id = place.tank_id AND o.account_id = (SELECT current_account())
        AND (o.role = 'owner' OR o.unlinked_at IS NULL AND EXISTS (
            SELECT FROM device d WHERE d.slot = o.slot AND d.device_id = o.device_id AND d.kind = 'site'))));
-- The time before, as far as it is known.
INSERT INTO place (slot, tank_id, since, latitude, longitude)
SELECT o.slot, o.ownership_id, o.linked_at, o.latitude, o.longitude FROM ownership o WHERE o.role = 'owner' AND o.latitude IS NOT NULL;

-- The site of the same owner at which a device stands, and when it did. Rows change by the functions of sites alone.
--
--     stands (until is NULL) --(taken away; put elsewhere; one of the two is given up, or goes to another owner)--> stood
CREATE TABLE standing (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    tank_id bigint NOT NULL,
    site_slot smallint NOT NULL,
    site_id integer NOT NULL,
    site_tank bigint NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz,
    PRIMARY KEY (slot, tank_id, since),
    CONSTRAINT standing_ends_later CHECK (until >= since),
    CONSTRAINT standing_is_elsewhere CHECK ((slot, tank_id) <> (site_slot, site_tank)),
    -- numbers as ranges of one, since the index of ranges compares no numbers
    CONSTRAINT standing_at_one EXCLUDE USING gist (
        int8range(tank_id, tank_id, '[]') WITH &&, int4range(slot::integer, slot::integer, '[]') WITH &&, tstzrange(since, until) WITH &&),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    FOREIGN KEY (site_slot, site_tank) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX standing_now ON standing (slot, device_id) WHERE until IS NULL;
CREATE INDEX standing_of_site ON standing (site_slot, site_tank, since);
GRANT SELECT ON standing TO aqua_gateway;
ALTER TABLE standing ENABLE ROW LEVEL SECURITY;
-- For whoever had both as their owner, and for people who have both now; who shares one of them learns of no other.
CREATE POLICY person ON standing FOR SELECT TO aqua_gateway USING (
    EXISTS (
        SELECT FROM ownership o WHERE o.slot = standing.slot AND o.tank_id = standing.tank_id AND o.account_id = (SELECT current_account())
            AND (o.role = 'owner' OR o.unlinked_at IS NULL))
    AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = standing.site_slot AND o.tank_id = standing.site_tank AND o.account_id = (SELECT current_account())
            AND (o.role = 'owner' OR o.unlinked_at IS NULL)));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('place', 'person', 'tank', NULL, 1000, 'trigger; the oldest go'),
    ('standing', 'person', 'tank', NULL, 1000, 'trigger; those that have ended go, the oldest first');
UPDATE growth_bound SET kept_by = kept_by || '; sites: the bound of ownership' WHERE held = 'device';
