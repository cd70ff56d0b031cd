-- How a device and its parameters pause between readings: when they are silent is judged by it.

-- When a device, or one of its parameters, was heard last, and how it paused: what came since learnt_until, among the last 17, 60,
-- 300 or 2,000 readings of a device, the first of these that reach so far back, or the last 2,000 of a device with the parameter among
-- them. Looks come every quarter of an hour at least: 2,000 reach back to the one before of a device that sends twice a second.
--
-- What was received while the clock was ahead tells neither when a device was heard nor how it paused, and is passed over.
--
-- The newest readings are those of the latest time of measurement. A device whose clock was put back sends earlier ones for a
-- while: before it counts as silent all of the last 26 hours, more than time zones lie apart, are looked at.
--
-- pauses: those of at least the shortest length, the latest 300 of them, each as two numbers of eight bytes: microseconds since
-- 1970 of its begin and end. gathered_us: over which time the readings had been measured that came in one go, if all did; a device
-- that gathers them for a day sends nothing meanwhile.
--
-- parameters: those (bit = number) that came since silent_before, or with the newest reading. missing: how many readings came
-- without the parameter after the last one with it, the first of them at missing_since.
CREATE OR REPLACE FUNCTION heard_pauses(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamptz,
    learnt_until timestamptz, shortest interval)
    RETURNS TABLE (heard_at timestamptz, first_at timestamptz, readings integer, gathered_us bigint, pauses bytea,
        parameters integer, missing integer, missing_since timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    at_once CONSTANT interval := '10 seconds';
    depth integer;
    found record;
BEGIN
    FOREACH depth IN ARRAY CASE WHEN of_parameter IS NULL THEN '{17,60,300,2000}'::integer[] ELSE '{2000}' END LOOP
        WITH newest AS (
            SELECT last_receipt(s.received_at, s.filled) AS receipt,
                --% each parameter, joined by " +"
                (s.{column} IS NOT NULL OR coalesce(s.deleted, 0) & {bit} <> 0)::integer * {bit}
                --% end
                AS present
            FROM sample s
            WHERE s.slot = of_slot AND s.device_id = of_device
                AND s.event_time >= now() - interval '8 days' AND s.event_time < now() + interval '10 minutes'
                AND s.received_at <= now() + interval '5 minutes'
                AND (s.filled IS NULL OR last_receipt(s.received_at, s.filled) <= now() + interval '5 minutes')
            ORDER BY s.event_time DESC LIMIT depth
        ), heard AS (
            SELECT * FROM newest WHERE of_parameter IS NULL OR present >> of_parameter & 1 = 1
        ), paused AS (
            SELECT receipt, lag(receipt) OVER (ORDER BY receipt) AS before FROM heard
        ), latest AS (
            SELECT before, receipt FROM paused
            WHERE receipt - before >= shortest AND receipt > coalesce(heard_pauses.learnt_until, '-infinity')
            ORDER BY receipt DESC LIMIT 300
        )
        SELECT count(*) AS readings, max(receipt) AS last, min(receipt) AS first,
            (SELECT string_agg(int8send((extract(epoch FROM before) * 1000000)::bigint)
                || int8send((extract(epoch FROM receipt) * 1000000)::bigint), ''::bytea ORDER BY receipt)
                FROM latest) AS pauses,
            (SELECT count(*) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing,
            (SELECT min(newest.receipt) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing_since,
            (SELECT bit_or(present) FROM newest
                WHERE receipt >= least(silent_before, (SELECT max(receipt) FROM newest))) AS parameters
        INTO found FROM heard;
        EXIT WHEN found.first <= heard_pauses.learnt_until OR found.readings < 17;
    END LOOP;
    heard_at := found.last;
    first_at := found.first;
    readings := found.readings;
    pauses := coalesce(found.pauses, ''::bytea);
    parameters := coalesce(found.parameters, 0);
    missing := found.missing;
    missing_since := found.missing_since;
    gathered_us := 0;
    IF of_parameter IS NULL AND heard_pauses.learnt_until IS NULL AND found.readings > 1
        AND found.last - found.first < at_once THEN
        SELECT extract(epoch FROM max(s.event_time) - min(s.event_time)) * 1000000 INTO gathered_us FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND s.event_time >= now() - interval '8 days' AND s.event_time < now() + interval '10 minutes';
    END IF;
    IF of_parameter IS NULL AND heard_at < silent_before THEN
        SELECT greatest(heard_at, max(last_receipt(s.received_at, s.filled))) INTO heard_at FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND s.event_time >= now() - interval '26 hours' AND s.event_time < now() + interval '10 minutes'
            AND last_receipt(s.received_at, s.filled) <= now() + interval '5 minutes';
    END IF;
    RETURN NEXT;
END
$$;

REVOKE ALL ON FUNCTION heard_pauses(smallint, integer, smallint, timestamptz, timestamptz, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION heard_pauses(smallint, integer, smallint, timestamptz, timestamptz, interval) TO aqua_rules;
