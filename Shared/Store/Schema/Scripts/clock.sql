-- Whether the database's clock may be believed: what is due, and what may be forgotten, depends on it. And turns: who comes first.

-- Has transactions that do the same with one tank, or for one person, do so one after the other, until each ends. Two whose numbers fold to one key
-- wait for each other without need. Numbers of what is done are those of advisory locks, which begin with 71337.
CREATE OR REPLACE FUNCTION take_turn(at_what integer, with_what bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT pg_advisory_xact_lock(at_what, hashint8(with_what))
$$;
REVOKE ALL ON FUNCTION take_turn(integer, bigint) FROM PUBLIC;

-- Whether now() may be trusted with what cannot be undone. A clock leaps between two notes: so it is compared here too.
CREATE OR REPLACE FUNCTION clock_is_trusted() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT now() BETWEEN trusted_at - interval '5 minutes' AND trusted_at + interval '5 minutes'
        FROM public.clock_watch WHERE is_only), true)
$$;

-- What devices say of a clock that is in doubt: +1 that it is right, -1 that it is wrong, 0 nothing that counts.
--
-- A witness is a device whose own time was believed just before the doubt. It confirms when the lag of its messages (receipt
-- less its own time) is what it was, and contradicts when the lag has changed or its time is not believed any more; so a device
-- whose clock is wrong by a constant is as good a witness as any. Each has one voice, a majority of all witnesses is
-- needed, and three where three devices are heard: one key does not outvote anybody, nor speak for those without a clock.
--
-- Of large fleets 300 devices are asked, chosen at random, and 100 samples of each at most are looked at.
CREATE OR REPLACE FUNCTION devices_confirm_clock(reading timestamptz, watch clock_watch) RETURNS integer
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH asked AS MATERIALIZED (
        SELECT slot, device_id FROM device WHERE kind = 'device' ORDER BY random() LIMIT 300
    ), voice AS MATERIALIZED (
        SELECT
            since.device_id IS NOT NULL AS is_heard,
            before.lag IS NOT NULL AS is_witness,
            before.lag IS NOT NULL AND since.flags & 1 = 0 AND abs(extract(epoch FROM since.lag - before.lag)) <= 300
                AS confirms,
            before.lag IS NOT NULL
                AND (since.flags & 4 <> 0
                    OR since.flags & 1 = 0 AND abs(extract(epoch FROM since.lag - before.lag)) > 300) AS contradicts
        FROM asked a
        LEFT JOIN LATERAL (
            SELECT recent.lag FROM (
                SELECT s.received_at - s.event_time AS lag, s.flags, age(s.xmin) AS age FROM sample s
                WHERE s.slot = a.slot AND s.device_id = a.device_id
                    AND s.event_time <= watch.trusted_at + interval '5 minutes'
                    AND s.event_time > watch.trusted_at - interval '25 hours'
                ORDER BY s.event_time DESC
                LIMIT 100
            ) AS recent
            WHERE recent.flags & 7 = 0 AND recent.age >= age(watch.doubted_from::xid)
            LIMIT 1
        ) AS before ON true
        LEFT JOIN LATERAL (
            SELECT a.device_id, recent.lag, recent.flags FROM (
                SELECT s.received_at - s.event_time AS lag, s.flags, age(s.xmin) AS age, s.received_at FROM sample s
                WHERE s.slot = a.slot AND s.device_id = a.device_id
                    AND s.event_time <= reading + interval '5 minutes' AND s.event_time > reading - interval '8 days'
                ORDER BY s.event_time DESC
                LIMIT 100
            ) AS recent
            WHERE recent.age < age(watch.doubted_from::xid) AND recent.received_at > reading - interval '5 minutes'
            LIMIT 1
        ) AS since ON true
    )
    SELECT CASE
        WHEN 2 * count(*) FILTER (WHERE confirms) > count(*) FILTER (WHERE is_witness)
            AND count(*) FILTER (WHERE confirms) >= least(3, count(*) FILTER (WHERE is_heard)) THEN 1
        WHEN 2 * count(*) FILTER (WHERE contradicts) > count(*) FILTER (WHERE is_witness) THEN -1
        ELSE 0
    END
    FROM voice
$$;

-- Believes a clock from now on. What was rolled up ahead of it is rolled up again: an hour is, a quarter of an hour after its end.
CREATE OR REPLACE FUNCTION believe_clock(reading timestamptz) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    WITH clock AS (
        SELECT date_bin('1 hour', least(reading, doubted_since) - interval '15 minutes', 'epoch') AS first_open,
            date_bin('1 hour', reading - interval '15 minutes', 'epoch') AS next_open
        FROM clock_watch
    )
    UPDATE rollup_progress SET hours_since = least(hours_since, first_open), hours_until = first_open
    FROM clock WHERE hours_until > next_open;
    UPDATE clock_watch SET trusted_at = reading, doubted_since = NULL, doubted_at = NULL, doubted_from = NULL;
$$;

-- Notes what the clock says, and whether it is believed. Nobody waits here: one caller at a time is enough.
CREATE OR REPLACE FUNCTION note_clock_at(reading timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    leap CONSTANT interval := '5 minutes'; -- what a clock that runs on may differ by
    watch clock_watch;
    verdict integer;
BEGIN
    SELECT * INTO STRICT watch FROM clock_watch;
    IF watch.doubted_at IS NULL AND reading BETWEEN watch.trusted_at AND watch.trusted_at + interval '5 s' THEN
        RETURN true;
    END IF;
    SELECT * INTO watch FROM clock_watch FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN clock_is_trusted();
    END IF;
    IF watch.trusted_at IS NULL OR reading BETWEEN watch.trusted_at - leap AND watch.trusted_at + leap THEN
        IF watch.trusted_at IS NULL OR reading < watch.trusted_at OR watch.doubted_at IS NOT NULL THEN
            PERFORM believe_clock(reading);
        ELSE
            UPDATE clock_watch SET trusted_at = reading;
        END IF;
        RETURN true;
    END IF;
    IF watch.doubted_at IS NULL OR reading NOT BETWEEN watch.doubted_at - leap AND watch.doubted_at + leap THEN
        UPDATE clock_watch SET doubted_since = reading, doubted_at = reading, doubted_from = pg_current_xact_id();
        RETURN false;
    END IF;
    verdict := devices_confirm_clock(reading, watch);
    IF verdict > 0 OR verdict = 0 AND reading - watch.doubted_since >= least(
        interval '1 day', greatest(watch.doubted_since - watch.trusted_at, watch.trusted_at - watch.doubted_since))
    THEN
        PERFORM believe_clock(reading);
        RETURN true;
    END IF;
    UPDATE clock_watch SET doubted_at = reading;
    RETURN false;
END
$$;

-- The one way for services, and with the true clock only.
CREATE OR REPLACE FUNCTION note_clock() RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT note_clock_at(clock_timestamp())
$$;

REVOKE ALL ON FUNCTION
    devices_confirm_clock(timestamptz, clock_watch), believe_clock(timestamptz), note_clock_at(timestamptz), note_clock() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_clock() TO aqua_ingestor, aqua_rules, aqua_notifier;
