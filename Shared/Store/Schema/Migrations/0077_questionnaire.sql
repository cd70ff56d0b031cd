-- What the keeper of a tank says of it: what lives in it, how much water it is, where it stands. Every change is a version, the newest of which
-- counts, so that it can be said of a limit why it is as it is. Nothing here sets a limit.
CREATE TABLE tank_answers (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    version integer NOT NULL CHECK (version > 0),
    device_id integer NOT NULL,
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who answered; NULL: somebody who is gone
    at timestamptz NOT NULL DEFAULT now(),
    kind text CHECK (kind ~ '^[a-z_]{1,32}$'), -- the name of a preset; NULL: none of these, or not said
    species text[] NOT NULL DEFAULT '{}' CHECK (
        cardinality(species) <= 12 AND array_position(species, NULL) IS NULL
        AND array_to_string(species, ' ') ~ '^([a-z-]{1,40}( [a-z-]{1,40})*)?$'),
    litres double precision CHECK (litres BETWEEN 0.1 AND 1e9),
    outdoors boolean,
    winter text CHECK (winter IN ('underIce', 'neverFreezes', 'broughtInside')),
    plants boolean,
    carbon_dioxide boolean, -- whether it is added for the plants
    probes integer, -- bit n stands for the parameter with the number n; NULL: not said
    PRIMARY KEY (slot, tank_id, version),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CONSTRAINT tank_answers_winter CHECK (winter IS NULL OR outdoors)
);
CREATE INDEX tank_answers_by ON tank_answers (account_id) WHERE account_id IS NOT NULL;
GRANT SELECT ON tank_answers TO aqua_gateway;
ALTER TABLE tank_answers ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON tank_answers FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = tank_answers.slot AND o.tank_id = tank_answers.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('tank_answers', 'person', 'tank', NULL, 50, 'its function, put_tank_answers: the oldest version goes');
