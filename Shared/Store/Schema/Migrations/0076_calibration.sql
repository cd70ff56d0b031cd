-- The calibration log: what a probe read in standards, as it was found and as it was left. Raw readings stay, and engines know nothing of it:
-- what is corrected is computed when somebody looks.
CREATE TABLE calibration (
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    calibration_id uuid NOT NULL UNIQUE, -- the client's
    device_id integer NOT NULL,
    parameter smallint NOT NULL CHECK (parameter >= 0),
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who did it; NULL: somebody who is gone
    kind text NOT NULL CHECK (kind ~ '^[a-zA-Z]{1,32}$'), -- check, clean, calibrate, or replace: another probe
    at timestamptz NOT NULL CHECK (at >= '1990-01-01Z'),
    -- The points, one a place of each list, as they were read in the unit.
    unit text NOT NULL CHECK (length(unit) BETWEEN 1 AND 16),
    standards double precision[] NOT NULL CHECK (cardinality(standards) <= 3 AND array_position(standards, NULL) IS NULL),
    befores double precision[] NOT NULL,
    afters double precision[] NOT NULL,
    millivolts double precision[] NOT NULL, -- what a pH electrode gave
    temperature double precision CHECK (temperature BETWEEN -5 AND 60), -- of the standards, in °C
    note text CHECK (length(note) BETWEEN 1 AND 500),
    version integer NOT NULL DEFAULT 1,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (slot, tank_id, calibration_id),
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    CONSTRAINT calibration_points_are_whole CHECK (
        cardinality(befores) = cardinality(standards) AND cardinality(afters) = cardinality(standards)
        AND cardinality(millivolts) = cardinality(standards))
);
CREATE INDEX calibration_of_probe ON calibration (slot, tank_id, parameter, at DESC, calibration_id DESC);
CREATE INDEX calibration_of_tank ON calibration (slot, tank_id, at, calibration_id);
CREATE INDEX calibration_of_account ON calibration (account_id, slot, tank_id);
GRANT SELECT, DELETE, INSERT (slot, tank_id, calibration_id, device_id, parameter, account_id, kind, at, unit, standards, befores, afters,
    millivolts, temperature, note), UPDATE (kind, at, unit, standards, befores, afters, millivolts, temperature, note, version)
    ON calibration TO aqua_gateway;
ALTER TABLE calibration ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON calibration TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = calibration.slot AND o.tank_id = calibration.tank_id
        AND o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
-- Whoever has the device now adds to its log; the owner may change and remove what others added, too.
CREATE POLICY adds ON calibration AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (
    account_id = (SELECT current_account()) AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = calibration.slot AND o.tank_id = calibration.tank_id
            AND o.device_id = calibration.device_id AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
CREATE POLICY changes ON calibration AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = calibration.slot AND o.tank_id = calibration.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
        AND (o.role = 'owner' OR calibration.account_id = o.account_id)));
CREATE POLICY removes ON calibration AS RESTRICTIVE FOR DELETE TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = calibration.slot AND o.tank_id = calibration.tank_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
        AND (o.role = 'owner' OR calibration.account_id = o.account_id)));
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('calibration', 'person', 'person and tank', 50, 2000, 'trigger');
