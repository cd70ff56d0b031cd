-- Two devices of one owner that stand in the same water: an engine compares what both measure. Each device is in one pair at most. Rows change by the
-- functions of companions alone, and by the engine that has compared.
--
--     paired --(taken apart; one of the two is given up, or goes to another owner)--> gone
CREATE TABLE companion (
    slot smallint NOT NULL,
    device_id integer NOT NULL, -- whose probes are told of
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE, -- the owner of both
    tank_id bigint NOT NULL,
    second_slot smallint NOT NULL, -- whose probes they are compared with
    second_id integer NOT NULL,
    second_tank bigint NOT NULL,
    paired_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz NOT NULL DEFAULT now(), -- when they are compared next
    compared_at timestamptz, -- NULL: not yet
    -- Parameters that both measure, and by how much the first reads higher, one a place; NULL: they have too few values in common.
    parameters smallint[] NOT NULL DEFAULT '{}' CHECK (cardinality(parameters) <= 64),
    differences real[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (slot, device_id),
    CONSTRAINT companion_of_one UNIQUE (second_slot, second_id),
    CONSTRAINT companion_is_another CHECK ((slot, device_id) <> (second_slot, second_id)),
    CONSTRAINT companion_differences_are_whole CHECK (cardinality(differences) = cardinality(parameters)),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    FOREIGN KEY (second_slot, second_tank) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX companion_due ON companion (due_at);
CREATE INDEX companion_of_tank ON companion (slot, tank_id);
CREATE INDEX companion_of_second_tank ON companion (second_slot, second_tank);
CREATE INDEX companion_of_account ON companion (account_id);
GRANT SELECT ON companion TO aqua_gateway, aqua_rules;
GRANT UPDATE (due_at, compared_at, parameters, differences) ON companion TO aqua_rules;
ALTER TABLE companion ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON companion TO aqua_rules USING (true);
-- Pairs are for people who have both devices now; who shares one of them learns of no other.
CREATE POLICY person ON companion FOR SELECT TO aqua_gateway USING (
    EXISTS (
        SELECT FROM ownership o WHERE o.slot = companion.slot AND o.device_id = companion.device_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL)
    AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = companion.second_slot AND o.device_id = companion.second_id
            AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('companion', 'person', 'device', NULL, 1, 'its key, and one that each is the second of');

-- The difference of a probe that lies apart from the second one, above zero where it reads higher; NULL of other faults.
ALTER TABLE episode ADD COLUMN differs_by real;
ALTER TABLE episode ADD CONSTRAINT episode_differs CHECK (kind = 'fault' AND flat_at IS NULL OR differs_by IS NULL) NOT VALID;
CREATE INDEX episode_differing ON episode (slot, device_id) WHERE differs_by IS NOT NULL AND closed_at IS NULL;
