-- A limit that is reached if the value goes on as it has lately, for those who want to be told ahead. An alert about it is a kind of
-- its own, with episodes, throttle and snooze of its own. The version before sets and finds none.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, alert, setting, episode, throttle, snooze IN ACCESS EXCLUSIVE MODE;

-- How long before a limit is reached it is told; NULL: it is not.
ALTER TABLE setting
    ADD COLUMN ahead_minutes smallint CONSTRAINT setting_ahead CHECK (ahead_minutes BETWEEN 15 AND 360);

-- On which side the limit lies, and when it is reached, by the true time. Of such an alert value is the newest reading, and
-- limit_value the limit. Its side is NULL, since the value is within the limits.
ALTER TABLE alert ADD COLUMN heading text CHECK (heading IN ('low', 'high')), ADD COLUMN expected_at timestamptz;

-- Not validated: the rows that are there hold what was stricter, and the tables are long.
ALTER TABLE alert DROP CONSTRAINT alert_kind_check;
ALTER TABLE alert ADD CONSTRAINT alert_kind_check
    CHECK (kind IN ('range', 'fault', 'silence', 'rate', 'ahead', 'test')) NOT VALID;
ALTER TABLE episode DROP CONSTRAINT episode_kind_check;
ALTER TABLE episode ADD CONSTRAINT episode_kind_check
    CHECK (kind IN ('range', 'fault', 'silence', 'rate', 'ahead')) NOT VALID;
ALTER TABLE throttle DROP CONSTRAINT throttle_kind_check;
ALTER TABLE throttle ADD CONSTRAINT throttle_kind_check
    CHECK (kind IN ('range', 'fault', 'silence', 'rate', 'ahead')) NOT VALID;
ALTER TABLE snooze DROP CONSTRAINT snooze_kind_check;
ALTER TABLE snooze ADD CONSTRAINT snooze_kind_check
    CHECK (kind IN ('range', 'silence', 'fault', 'rate', 'ahead')) NOT VALID;
