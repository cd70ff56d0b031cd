-- How long each parameter was out of its person's limits, by the limits that were in force at each time, kept with the roll-ups. The
-- least and the greatest value of an hour do not tell it, and messages are not kept for ever.

-- In the order in which others lock them: an engine takes its slots before anything else, a Gateway its person.
LOCK TABLE slot, account, rollup_progress IN ACCESS EXCLUSIVE MODE;

-- The seconds of each hour of a day (UTC). Only days with any have a row. Kept for ever, like the days' roll-ups: a parameter that is
-- never within its limits needs 40 kB a year.
CREATE TABLE time_outside (
    slot smallint NOT NULL,
    parameter smallint NOT NULL CHECK (parameter >= 0),
    device_id integer NOT NULL,
    account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
    day timestamptz NOT NULL CHECK (extract(epoch FROM day)::bigint % 86400 = 0),
    seconds smallint[] NOT NULL CHECK (cardinality(seconds) = 24 AND 0 <= ALL (seconds) AND 3600 >= ALL (seconds)),
    PRIMARY KEY (slot, device_id, account_id, parameter, day),
    FOREIGN KEY (slot, device_id) REFERENCES device
) WITH (fillfactor = 70); -- a row changes in each hour of its day
CREATE INDEX time_outside_of_account ON time_outside (account_id);
CREATE INDEX time_outside_of_day ON time_outside (slot, day);

-- From which day on. Of what the version before rolled up it is not known, nor of a day that ends while that version still rolls up.
ALTER TABLE rollup_progress ADD COLUMN outside_since timestamptz NOT NULL DEFAULT '-infinity'
    CHECK (outside_since = '-infinity' OR extract(epoch FROM outside_since)::bigint % 86400 = 0);
UPDATE rollup_progress SET outside_since = date_bin('24 hours', greatest(hours_until, now()), 'epoch') + interval '24 hours'
WHERE EXISTS (SELECT FROM sample_hour);

ALTER TABLE time_outside ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON time_outside TO aqua_ingestor USING (true);
CREATE POLICY person ON time_outside TO aqua_gateway USING (account_id = (SELECT current_account()));

-- Since when readings are not taken as they come: since a reader of an open session at the broker last left nothing in it, where that
-- is a minute ago. NULL while all keep up. Who looks at their water is told, for then its last values are not how it is now.
CREATE FUNCTION intake_late_since() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT min(level_at) FROM ingest_seat WHERE session_open AND level_at < now() - interval '60 s'
$$;
REVOKE ALL ON FUNCTION intake_late_since() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION intake_late_since() TO aqua_gateway;

-- By how many seconds a device's clock is known to be behind; 0 where that is not known. What people are shown of its times is corrected
-- by it: rows keep the device's own.
CREATE FUNCTION clock_lag(of_slot smallint, of_device integer) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce((SELECT lag_seconds FROM device_clock WHERE slot = of_slot AND device_id = of_device), 0)
$$;
REVOKE ALL ON FUNCTION clock_lag(smallint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clock_lag(smallint, integer) TO aqua_gateway;
GRANT SELECT (slot, device_id, lag_seconds) ON device_clock TO aqua_ingestor, aqua_notifier;

-- The intervals between alerts that a person had before, oldest first, and until when: why something was told, or was not, is explained
-- by the interval of its time. The last twenty are kept.
ALTER TABLE account ADD COLUMN throttle_ends timestamptz[] NOT NULL DEFAULT '{}',
    ADD COLUMN throttle_was integer[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT account_throttles CHECK (
        cardinality(throttle_ends) = cardinality(throttle_was) AND cardinality(throttle_ends) <= 20);

CREATE FUNCTION keep_former_throttle() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    first integer := greatest(1, cardinality(OLD.throttle_ends) - 18);
BEGIN
    NEW.throttle_ends := OLD.throttle_ends[first:] || now();
    NEW.throttle_was := OLD.throttle_was[first:] || OLD.throttle_seconds;
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION keep_former_throttle() FROM PUBLIC;

CREATE TRIGGER former_throttle_kept BEFORE UPDATE OF throttle_seconds ON account FOR EACH ROW
WHEN (OLD.throttle_seconds IS DISTINCT FROM NEW.throttle_seconds)
EXECUTE FUNCTION keep_former_throttle();
GRANT SELECT (throttle_ends, throttle_was) ON account TO aqua_gateway;

GRANT SELECT, INSERT, UPDATE ON time_outside TO aqua_ingestor;
GRANT SELECT (slot, device_id, account_id, parameter, minimum, maximum, valid_from, valid_until) ON setting TO aqua_ingestor;
GRANT SELECT (account_id, linked_at, readings_from) ON ownership TO aqua_ingestor;
GRANT SELECT ON time_outside TO aqua_gateway;
