-- Plans of sites: a picture, or a blank grid, with tanks on it. A person has plans of their own tanks, a project of its tanks; everybody who takes part
-- in the project sees them. Rows change by the functions of plans alone.
CREATE TABLE site_plan (
    plan_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 10),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    version integer NOT NULL DEFAULT 1, -- counts changes of the name, the picture and the places
    UNIQUE (account_id, place)
);
ALTER TABLE site_plan ENABLE ROW LEVEL SECURITY;

-- Pictures stand by themselves, so that the log of changes reads none. No row: a blank grid.
CREATE TABLE plan_picture (
    plan_id uuid PRIMARY KEY REFERENCES site_plan ON DELETE CASCADE,
    type text NOT NULL CHECK (type IN ('image/jpeg', 'image/png', 'image/webp')),
    width integer NOT NULL CHECK (width BETWEEN 1 AND 4096),
    height integer NOT NULL CHECK (height BETWEEN 1 AND 4096),
    content bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 307200),
    digest bytea NOT NULL GENERATED ALWAYS AS (sha256(content)) STORED
);
ALTER TABLE plan_picture ALTER COLUMN content SET STORAGE EXTERNAL; -- pictures are compressed already
ALTER TABLE plan_picture ENABLE ROW LEVEL SECURITY;

-- Where a tank stands, in thousandths of the picture's width and height from its upper left corner. It leaves the plan with its owner.
CREATE TABLE plan_place (
    plan_id uuid NOT NULL REFERENCES site_plan ON DELETE CASCADE,
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    x smallint NOT NULL CHECK (x BETWEEN 0 AND 1000),
    y smallint NOT NULL CHECK (y BETWEEN 0 AND 1000),
    PRIMARY KEY (plan_id, slot, tank_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
);
CREATE INDEX plan_place_of_tank ON plan_place (slot, tank_id);
ALTER TABLE plan_place ENABLE ROW LEVEL SECURITY;

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('site_plan', 'person', 'account', NULL, 10, 'its key: places 1 to 10; of a person or a project'),
    ('plan_picture', 'person', 'plan', NULL, 1, 'its key; 300 KB'),
    ('plan_place', 'person', 'plan', NULL, 500, 'place_tanks');
