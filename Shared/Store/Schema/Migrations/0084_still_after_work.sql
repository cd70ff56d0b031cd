-- When a value was found to be still out of range after somebody had worked on the water: event time of the first reading since.
ALTER TABLE episode ADD COLUMN still_at timestamptz;
ALTER TABLE episode ADD CONSTRAINT episode_still CHECK (kind = 'range' OR still_at IS NULL) NOT VALID;
-- Whether an alert says so.
ALTER TABLE alert ADD COLUMN after_work boolean NOT NULL DEFAULT false;
GRANT UPDATE (after_work) ON alert TO aqua_rules;
