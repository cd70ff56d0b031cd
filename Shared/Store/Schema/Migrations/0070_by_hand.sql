-- Tests of the water that people make by hand, with kits and meters. Clients name each by a UUID, so that what is sent twice counts once.
CREATE TABLE hand_test (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    tank_id bigint NOT NULL,
    test_id uuid NOT NULL,
    version integer NOT NULL DEFAULT 1,
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who made it; NULL: somebody who is gone
    at timestamptz NOT NULL CHECK (at >= '1990-01-01Z'),
    kit text CHECK (kit ~ '^[a-z0-9-]{1,40}$'), -- NULL: another kit, or a meter
    note text CHECK (length(note) BETWEEN 1 AND 500),
    written_at timestamptz NOT NULL DEFAULT now(),
    judged_at timestamptz, -- when an engine told the others; NULL: not since it was written
    PRIMARY KEY (slot, test_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
);
CREATE INDEX hand_test_of_tank ON hand_test (slot, tank_id, at DESC, test_id DESC);
CREATE INDEX hand_test_to_judge ON hand_test (slot, written_at) WHERE judged_at IS NULL;
CREATE INDEX hand_test_by ON hand_test (account_id) WHERE account_id IS NOT NULL;
GRANT SELECT ON hand_test TO aqua_gateway, aqua_rules;
GRANT UPDATE (judged_at) ON hand_test TO aqua_rules;
ALTER TABLE hand_test ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON hand_test TO aqua_rules USING (true);
CREATE POLICY person ON hand_test FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = hand_test.slot AND o.tank_id = hand_test.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));

-- The values of tests, at most one for each parameter. Device, tank and time are the test's, by which the last one is found.
CREATE TABLE hand_value (
    slot smallint NOT NULL,
    parameter smallint NOT NULL,
    device_id integer NOT NULL,
    tank_id bigint NOT NULL,
    test_id uuid NOT NULL,
    at timestamptz NOT NULL,
    value real NOT NULL CHECK (value > '-infinity' AND value < 'infinity'), -- in the canonical unit, like the next two
    lower real, -- of a step of a kit's card: from where on, and up to where; NULL where that is open
    upper real,
    choice text CHECK (choice ~ '^[0-9.<>-]{1,16}$'), -- the step; NULL: a number
    read double precision NOT NULL, -- as it was read, in this unit
    unit text NOT NULL CHECK (length(unit) BETWEEN 1 AND 16),
    PRIMARY KEY (slot, test_id, parameter),
    FOREIGN KEY (slot, test_id) REFERENCES hand_test ON DELETE CASCADE,
    CHECK (choice IS NOT NULL OR lower IS NULL AND upper IS NULL),
    CHECK (lower <= upper)
);
CREATE INDEX hand_value_last ON hand_value (slot, tank_id, parameter, at DESC, test_id DESC);
GRANT SELECT ON hand_value TO aqua_gateway, aqua_rules;
ALTER TABLE hand_value ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON hand_value TO aqua_rules USING (true);
CREATE POLICY person ON hand_value FOR SELECT TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = hand_value.slot AND o.tank_id = hand_value.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('hand_test', 'person', 'tank', 100, 5000, 'its function, put_hand_test'),
    ('hand_value', 'person', 'test', NULL, 40, 'its key: one for each parameter');

-- Episodes by values by hand, which end by themselves.
CREATE INDEX episode_by_hand ON episode (slot, device_id) WHERE kind = 'byHand' AND closed_at IS NULL;
