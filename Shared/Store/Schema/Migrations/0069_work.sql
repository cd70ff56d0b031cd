-- Work on the water: a stretch in which somebody changes, cleans, calibrates or feeds, and what is measured says nothing of how the water is. It
-- always ends by itself: ends_at is known from the start.
--
--     begins_at <= now() < ends_at: going on --(finished: ended_at; extended: until)--> now() >= ends_at: over
CREATE TABLE water_work (
    work_id uuid PRIMARY KEY, -- the client's
    slot smallint NOT NULL,
    tank_id bigint NOT NULL,
    device_id integer NOT NULL,
    kind text NOT NULL CHECK (kind ~ '^[a-zA-Z]{1,32}$'), -- a word of the programs'
    begins_at timestamptz NOT NULL,
    until timestamptz NOT NULL,
    ended_at timestamptz, -- when it was finished, before until
    -- When it was taken away as never done: from then on it covers nothing, and what it had covered counts for the bound of a tank's work.
    withdrawn_at timestamptz,
    ends_at timestamptz NOT NULL GENERATED ALWAYS AS (CASE WHEN withdrawn_at IS NULL THEN least(until, ended_at) ELSE begins_at END) STORED,
    keeps_hard boolean NOT NULL DEFAULT true, -- whether whoever began it hears of their own critical limits from the first minute
    account_id bigint REFERENCES account ON DELETE SET NULL, -- who began it; NULL: an operator, or somebody who is gone
    asked text NOT NULL, -- what the client asked for when it was entered, as a hash: the same again is the same
    entered_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    FOREIGN KEY (slot, tank_id) REFERENCES ownership (slot, ownership_id) ON DELETE CASCADE,
    FOREIGN KEY (slot, device_id) REFERENCES device,
    CONSTRAINT work_ends_within_half_a_day CHECK (until > begins_at AND until <= begins_at + interval '12 hours'),
    CONSTRAINT work_ends_after_it_begins CHECK (ended_at >= begins_at)
);
CREATE UNIQUE INDEX water_work_in_slot ON water_work (slot, work_id);
ALTER TABLE water_work REPLICA IDENTITY USING INDEX water_work_in_slot; -- a cell is split along its slots
CREATE INDEX water_work_of_device ON water_work (slot, device_id, ends_at);
CREATE INDEX water_work_of_tank ON water_work (slot, tank_id, begins_at);
CREATE INDEX water_work_of_account ON water_work (account_id) WHERE account_id IS NOT NULL;
GRANT SELECT (slot, device_id, begins_at, ends_at, keeps_hard, account_id) ON water_work TO aqua_rules;
GRANT SELECT ON water_work TO aqua_gateway;
ALTER TABLE water_work ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON water_work TO aqua_rules USING (true);
CREATE POLICY person ON water_work TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o
    WHERE o.slot = water_work.slot AND o.tank_id = water_work.tank_id AND o.account_id = (SELECT current_account())
        AND (o.role = 'owner' OR o.unlinked_at IS NULL)));
INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('water_work', 'person', 'tank', 100, 5000, 'trigger; what is over goes, the oldest first; twelve hours of each twenty-four');

-- Messages that were measured meanwhile. They are in none of the other figures.
-- No row is read for it: all that there are have none.
ALTER TABLE sample_hour ADD COLUMN worked integer;
ALTER TABLE sample_hour ADD CONSTRAINT sample_hour_worked CHECK (worked > 0) NOT VALID;
ALTER TABLE sample_day ADD COLUMN worked integer;
ALTER TABLE sample_day ADD CONSTRAINT sample_day_worked CHECK (worked > 0) NOT VALID;

-- An episode that began in work which was entered afterwards.
ALTER TABLE episode DROP CONSTRAINT episode_closed_because_check;
ALTER TABLE episode ADD CONSTRAINT episode_closed_because_check CHECK (
    closed_because IN ('recovered', 'flipped', 'unlinked', 'working')) NOT VALID;
ALTER TABLE transition DROP CONSTRAINT transition_reason_check;
ALTER TABLE transition ADD CONSTRAINT transition_reason_check CHECK (
    reason IN ('opened', 'flipped', 'recovered', 'unlinked', 'working')) NOT VALID;
