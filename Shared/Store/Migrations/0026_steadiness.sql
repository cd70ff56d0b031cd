-- What a sensor does that is no trouble of the water: a first value out of range that may be a glitch is held for one reading, and
-- water that keeps leaving its range is told once, as unstable, to those who ask for it.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, alert, setting, transition IN ACCESS EXCLUSIVE MODE;

ALTER TABLE setting ADD COLUMN tells_unstable boolean NOT NULL DEFAULT false;

-- Whether it says that the water is unstable.
ALTER TABLE alert ADD COLUMN unstable boolean NOT NULL DEFAULT false;

-- Not validated: the rows that are there hold what was stricter, and the table is long.
ALTER TABLE transition DROP CONSTRAINT transition_notification_check;
ALTER TABLE transition ADD CONSTRAINT transition_notification_check CHECK (notification IN (
    'none', 'alerted', 'stale', 'held', 'noRecipient', 'throttled', 'delayed', 'acknowledged', 'snoozed',
    'toldUnstable')) NOT VALID;
