-- A kind of alert is a word of the programs', so a new one needs no migration. What makes a kind different stays a rule of its table: a value out
-- of range has a side, a test has no episode.
ALTER TABLE alert DROP CONSTRAINT alert_kind_check;
ALTER TABLE alert ADD CONSTRAINT alert_kind_check CHECK (kind ~ '^[a-zA-Z]{1,32}$') NOT VALID;
ALTER TABLE episode DROP CONSTRAINT episode_kind_check;
ALTER TABLE episode ADD CONSTRAINT episode_kind_check CHECK (kind ~ '^[a-zA-Z]{1,32}$') NOT VALID;
ALTER TABLE throttle DROP CONSTRAINT throttle_kind_check;
ALTER TABLE throttle ADD CONSTRAINT throttle_kind_check CHECK (kind ~ '^[a-zA-Z]{1,32}$') NOT VALID;
ALTER TABLE snooze DROP CONSTRAINT snooze_kind_check;
ALTER TABLE snooze ADD CONSTRAINT snooze_kind_check CHECK (kind ~ '^[a-zA-Z]{1,32}$') NOT VALID;
