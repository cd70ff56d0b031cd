-- Zones of a map: a named outline, of a person or a project; everybody who takes part in the project sees its zones. Rows change by the functions of zones
-- alone.
CREATE TABLE zone (
    zone_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 100),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    -- latitude and longitude of each corner in turn, in millionths of degrees; the last corner is joined to the first
    outline integer[] NOT NULL CHECK (
        array_ndims(outline) = 1 AND cardinality(outline) BETWEEN 6 AND 400 AND cardinality(outline) % 2 = 0
        AND array_position(outline, NULL) IS NULL
        AND -180000000 <= ALL (outline) AND 180000000 >= ALL (outline)),
    favourite boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1, -- counts changes
    UNIQUE (account_id, place)
);
ALTER TABLE zone ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('zone', 'person', 'account', NULL, 100, 'its key: places 1 to 100; of a person or a project; 200 corners each');
