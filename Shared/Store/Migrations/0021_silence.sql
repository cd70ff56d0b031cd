-- Devices of which nothing is heard. An engine looks at each device when it can be silent at the earliest, so that a reading
-- costs nothing here.

-- When a seat's reader last found nothing waiting in the broker, as far as it can tell. While one has not lately, it is we who
-- do not hear.
ALTER TABLE ingest_seat ADD COLUMN level_at timestamptz;

-- Silence counts from here at the earliest: since when an Ingestor hears and an engine looks.
CREATE TABLE silence_clock (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    runs_from timestamptz NOT NULL DEFAULT now(),
    looked_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 10);
INSERT INTO silence_clock DEFAULT VALUES;

-- When to look at each device that somebody has, and the parameters that it is known to send (bit = number).
CREATE TABLE silence_check (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    parameters smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (slot, device_id)
) WITH (fillfactor = 70);
CREATE INDEX silence_check_due ON silence_check (due_at);

INSERT INTO silence_check (slot, device_id)
SELECT DISTINCT slot, device_id FROM ownership WHERE unlinked_at IS NULL;

CREATE FUNCTION device_was_linked() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO silence_check (slot, device_id) SELECT DISTINCT slot, device_id FROM linked ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

CREATE TRIGGER device_was_linked AFTER INSERT ON ownership REFERENCING NEW TABLE AS linked
    FOR EACH STATEMENT EXECUTE FUNCTION device_was_linked();

-- When a device, or one of its parameters, was heard last, and the usual interval: the median of the last 16 pauses between
-- readings. What comes in one go, such as the readings that a device has gathered, counts once. NULL where the readings do not
-- tell: the last 300 of a device, of which there have to be three, or those with the parameter among the last 2,000, of which
-- there have to be 17. A device that gathers more than those tells nothing.
--
-- The newest readings are those of the latest time of measurement. A device whose clock was put back sends earlier ones for a
-- while: before it counts as silent all of the last 26 hours, more than time zones lie apart, are looked at.
--
-- parameters: those (bit = number) that came since silent_before, or with the newest reading. missing: how many readings came
-- without the parameter after the last one with it, the first of them at missing_since.
CREATE FUNCTION device_rhythm(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamptz)
    RETURNS TABLE (heard_at timestamptz, usual_us bigint, parameters smallint, missing integer,
        missing_since timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    at_once CONSTANT interval := '10 seconds';
    needed CONSTANT integer := CASE WHEN of_parameter IS NULL THEN 3 ELSE 17 END;
    depth integer;
    found record;
BEGIN
    FOREACH depth IN ARRAY CASE WHEN of_parameter IS NULL THEN '{17,300}'::integer[] ELSE '{2000}' END LOOP
        WITH newest AS (
            SELECT last_receipt(s.received_at, s.filled) AS receipt, s.event_time,
                (s.temperature IS NOT NULL)::integer + (s.ph IS NOT NULL)::integer * 2 + (s.ammonia IS NOT NULL)::integer * 4
                + (s.nitrate IS NOT NULL)::integer * 8 + (s.nitrite IS NOT NULL)::integer * 16
                + (s.alkalinity IS NOT NULL)::integer * 32 + (s.hardness IS NOT NULL)::integer * 64
                + (s.dissolved_oxygen IS NOT NULL)::integer * 128 + (s.salinity IS NOT NULL)::integer * 256 AS present
            FROM sample s
            WHERE s.slot = of_slot AND s.device_id = of_device
                AND s.event_time >= now() - interval '8 days' AND s.event_time < now() + interval '10 minutes'
            ORDER BY s.event_time DESC LIMIT depth
        ), heard AS (
            SELECT * FROM newest WHERE of_parameter IS NULL OR present >> of_parameter & 1 = 1
        ), paused AS (
            SELECT receipt, receipt - lag(receipt) OVER (ORDER BY receipt) AS pause FROM heard
        ), latest AS (
            SELECT pause FROM paused WHERE pause >= at_once ORDER BY receipt DESC LIMIT 16
        )
        SELECT count(*) AS readings, max(receipt) AS last, max(receipt) - min(receipt) AS received_within,
            max(event_time) - min(event_time) AS measured_within,
            (SELECT count(*) FROM latest) AS pauses,
            (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY pause) FROM latest) AS usual,
            (SELECT count(*) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing,
            (SELECT min(newest.receipt) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing_since,
            (SELECT bit_or(present) FROM newest
                WHERE receipt >= least(silent_before, (SELECT max(receipt) FROM newest))) AS parameters
        INTO found FROM heard;
        EXIT WHEN found.pauses >= 2 OR found.readings < 17;
    END LOOP;
    heard_at := found.last;
    parameters := coalesce(found.parameters, 0);
    missing := found.missing;
    missing_since := found.missing_since;
    IF found.readings >= needed AND found.pauses >= needed - 1 THEN
        usual_us := extract(epoch FROM found.usual) * 1000000;
    ELSIF found.readings >= needed AND found.measured_within <= 2 * found.received_within + at_once THEN
        usual_us := extract(epoch FROM at_once) * 1000000; -- it sends all the time
    END IF;
    IF of_parameter IS NULL AND heard_at < silent_before THEN
        SELECT greatest(heard_at, max(last_receipt(s.received_at, s.filled))) INTO heard_at FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND s.event_time >= now() - interval '26 hours' AND s.event_time < now() + interval '10 minutes';
    END IF;
    RETURN NEXT;
END
$$;

-- As before, with the kind of each alert.
DROP FUNCTION live_alerts(bigint[], timestamptz);
CREATE FUNCTION live_alerts(accounts bigint[], since timestamptz) RETURNS TABLE (
    account_id bigint, slot smallint, alert_id bigint, uid uuid, hardware_id text, parameter smallint, kind text, purpose text,
    side text, value real, limit_value real, state text, event_time timestamptz, decided_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT w.account_id, found.slot, found.alert_id, found.uid, d.hardware_id, found.parameter, found.kind, found.purpose,
        found.side, found.value, found.limit_value, found.state, found.event_time, found.decided_at
    FROM unnest(accounts) AS w (account_id)
    CROSS JOIN LATERAL (
        SELECT a.* FROM alert a WHERE a.account_id = w.account_id AND a.decided_at > live_alerts.since
        ORDER BY a.decided_at DESC LIMIT 50
    ) AS found
    LEFT JOIN device d ON d.slot = found.slot AND d.device_id = found.device_id;
END
$$;
REVOKE ALL ON FUNCTION live_alerts(bigint[], timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION live_alerts(bigint[], timestamptz) TO aqua_gateway;

REVOKE ALL ON FUNCTION device_was_linked(), device_rhythm(smallint, integer, smallint, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION device_rhythm(smallint, integer, smallint, timestamptz) TO aqua_rules;
GRANT SELECT (seat, session_open, level_at) ON ingest_seat TO aqua_rules;
GRANT SELECT, UPDATE ON silence_clock TO aqua_rules;
GRANT SELECT, UPDATE, DELETE ON silence_check TO aqua_rules;
GRANT SELECT ON device_status TO aqua_rules;
