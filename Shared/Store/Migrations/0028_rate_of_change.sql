-- How fast a value changes, for those who ask: "3 degrees in an hour". An alert about it is a kind of its own, beside that about the
-- value itself, with episodes, throttle and snooze of its own.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, alert, setting, episode, transition, throttle, snooze IN ACCESS EXCLUSIVE MODE;

-- The greatest change within an hour, up or down, in sensor steps; NULL: it may change as it does.
ALTER TABLE setting
    ADD COLUMN change_per_hour integer CONSTRAINT setting_change CHECK (change_per_hour BETWEEN 1 AND 1000000);

-- How much the value had changed (above zero: it rose), and in what time. Of such an alert value is what it had reached, and
-- limit_value the greatest change within an hour.
ALTER TABLE alert ADD COLUMN change real, ADD COLUMN change_seconds integer CHECK (change_seconds >= 0);

-- Not validated: the rows that are there hold what was stricter, and the tables are long.
ALTER TABLE alert DROP CONSTRAINT alert_kind_check;
ALTER TABLE alert ADD CONSTRAINT alert_kind_check CHECK (kind IN ('range', 'fault', 'silence', 'rate', 'test')) NOT VALID;
ALTER TABLE episode DROP CONSTRAINT episode_kind_check;
ALTER TABLE episode ADD CONSTRAINT episode_kind_check CHECK (kind IN ('range', 'fault', 'silence', 'rate')) NOT VALID;
ALTER TABLE throttle DROP CONSTRAINT throttle_kind_check;
ALTER TABLE throttle ADD CONSTRAINT throttle_kind_check CHECK (kind IN ('range', 'fault', 'silence', 'rate')) NOT VALID;
ALTER TABLE snooze DROP CONSTRAINT snooze_kind_check;
ALTER TABLE snooze ADD CONSTRAINT snooze_kind_check CHECK (kind IN ('range', 'silence', 'fault', 'rate')) NOT VALID;
ALTER TABLE transition DROP CONSTRAINT transition_notification_check;
ALTER TABLE transition ADD CONSTRAINT transition_notification_check CHECK (notification IN (
    'none', 'alerted', 'stale', 'held', 'noRecipient', 'throttled', 'delayed', 'acknowledged', 'snoozed',
    'toldUnstable', 'outOfRange')) NOT VALID;
