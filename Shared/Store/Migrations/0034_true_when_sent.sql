-- What is sent is true when it is sent: each side of a watch has its own throttle, a pending alert is looked at again before it is
-- sent, and a jump back into the range is held for one reading as a jump out of it is.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, episode, throttle IN ACCESS EXCLUSIVE MODE;

-- When a reading of the watch was held as a suspected spike, or was critical, last; carried on from episode to episode.
ALTER TABLE episode ADD COLUMN doubted_at timestamptz;

-- Of values out of range each side is charged, as 'low' or 'high'. Rows of kind 'range' are by engines of the version before, and
-- charge the side of their alert. Not validated: what is there holds what was stricter.
ALTER TABLE throttle DROP CONSTRAINT throttle_kind_check;
ALTER TABLE throttle ADD CONSTRAINT throttle_kind_check
    CHECK (kind IN ('range', 'low', 'high', 'fault', 'silence', 'rate', 'ahead')) NOT VALID;

-- Whether what an alert is about is over.
GRANT SELECT (slot, device_id, parameter, account_id, kind, episode_id, opened_at, closed_at) ON episode TO aqua_notifier;
