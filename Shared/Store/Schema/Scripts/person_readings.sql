-- What a person sees of readings.

-- When the last part of a message came.
CREATE OR REPLACE FUNCTION last_receipt(received_at timestamptz, filled integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT received_at + make_interval(secs => coalesce(filled >> 9, 0))
$$;

-- The readings of a person's devices while they had them. Samples have no policies: they are copied in, which PostgreSQL refuses under a policy,
-- and partitions do not inherit any. Roll-ups count where all of the hour or the day is the person's.
--
-- The views are no security barriers: behind one, the rows of a device lose their order, and its last reading costs a sort of all of them. A
-- barrier would keep out only who sends statements of their own, and who does that has to show a secret of the person's. What clients make up
-- themselves, which is the filters of SensorThings, is computed behind a fence: OFFSET 0.
DROP VIEW IF EXISTS person_sample;
CREATE VIEW person_sample AS
    SELECT s.slot, s.device_id, s.event_time, s.received_at, s.flags, s.filled, s.filled_more, s.deleted,
        --% each parameter, joined by ","
        s.{column}
        --% end
    FROM ownership o
    JOIN sample s ON s.slot = o.slot AND s.device_id = o.device_id AND s.event_time >= o.readings_from
        AND s.event_time < coalesce(o.unlinked_at, 'infinity')
        -- of a message that was deleted whole, the key alone is left
        AND (s.deleted IS NULL OR num_nonnulls(
            --% each parameter, joined by ","
            s.{column}
            --% end
            ) > 0)
    WHERE o.account_id = (SELECT current_account());
GRANT SELECT ON person_sample TO aqua_gateway;

DROP VIEW IF EXISTS person_sample_hour;
CREATE VIEW person_sample_hour AS
    SELECT h.slot, h.device_id, h.starts_at,
        --% each parameter, joined by ","
        h.{column}_sum, h.{column}_min, h.{column}_max, h.{column}_count, h.{column}_flagged
        --% end
        , h.worked
    FROM ownership o
    JOIN sample_hour h ON h.slot = o.slot AND h.device_id = o.device_id AND h.starts_at >= o.readings_from
        AND h.starts_at <= coalesce(o.unlinked_at - interval '1 hour', 'infinity')
    WHERE o.account_id = (SELECT current_account());
GRANT SELECT ON person_sample_hour TO aqua_gateway;

DROP VIEW IF EXISTS person_sample_day;
CREATE VIEW person_sample_day AS
    SELECT d.slot, d.device_id, d.starts_at,
        --% each parameter, joined by ","
        d.{column}_sum, d.{column}_min, d.{column}_max, d.{column}_count, d.{column}_flagged
        --% end
        , d.worked
    FROM ownership o
    JOIN sample_day d ON d.slot = o.slot AND d.device_id = o.device_id AND d.starts_at >= o.readings_from
        AND d.starts_at <= coalesce(o.unlinked_at - interval '24 hours', 'infinity')
    WHERE o.account_id = (SELECT current_account());
GRANT SELECT ON person_sample_day TO aqua_gateway;

-- The hours of a person's devices that wait to be rolled up again.
CREATE OR REPLACE VIEW person_rollup_due AS
    SELECT o.slot, o.device_id, r.hour FROM ownership o
    JOIN rollup_due r ON r.slot = o.slot AND (r.device_id = o.device_id OR r.device_id IS NULL)
        AND r.hour >= o.readings_from AND r.hour < coalesce(o.unlinked_at, 'infinity')
    WHERE o.account_id = (SELECT current_account());
GRANT SELECT ON person_rollup_due TO aqua_gateway;

-- The days of a person's devices that wait for the tests.
CREATE OR REPLACE VIEW person_quality_due AS
    SELECT o.slot, o.device_id, q.day FROM ownership o
    JOIN quality_due q ON q.slot = o.slot AND q.device_id = o.device_id
        AND q.day > o.readings_from - interval '24 hours' AND q.day < coalesce(o.unlinked_at, 'infinity')
    WHERE o.account_id = (SELECT current_account());
GRANT SELECT ON person_quality_due TO aqua_gateway;

-- When a device that the person has was last heard while it was theirs, whatever is stored of a time to come. Through the view
-- all of a person's readings would be sorted.
CREATE OR REPLACE FUNCTION last_reading(of_slot smallint, of_device integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    since timestamptz;
BEGIN
    SELECT o.readings_from INTO since FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL;
    RETURN (SELECT s.event_time FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device AND s.event_time >= since
            AND s.event_time <= now() + interval '6 minutes'
        ORDER BY s.event_time DESC LIMIT 1);
END
$$;

-- Since when readings are not taken as they come: since a reader of an open session at the broker last left nothing in it, where that
-- is a minute ago. NULL while all keep up. Who looks at their water is told, for then its last values are not how it is now.
CREATE OR REPLACE FUNCTION intake_late_since() RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT min(level_at) FROM ingest_seat WHERE session_open AND level_at < now() - interval '60 s'
$$;

-- Which series a device that the person has now has of its own: the numbers of parameters that its probes measured while it was theirs and, plus
-- 32, of those that were measured by hand. What a device measures for the first time, or late, may be missing until it is rolled up.
CREATE OR REPLACE FUNCTION measured_series(of_slot smallint, of_device integer) RETURNS TABLE (series smallint)
LANGUAGE plpgsql STABLE SECURITY DEFINER COST 1000 ROWS 12 SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
    recent timestamptz;
BEGIN
    SELECT o.* INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT v.number::smallint FROM (
        SELECT
            --% each parameter, joined by ","
            bool_or(r.{column}) AS m{number}
            --% end
        FROM (
            SELECT
                --% each parameter, joined by ","
                d.{column}_count > 0 AS {column}
                --% end
            FROM sample_day d
            WHERE d.slot = of_slot AND d.device_id = of_device AND d.starts_at >= part.readings_from
            UNION ALL
            SELECT
                --% each parameter, joined by ","
                h.{column}_count > 0
                --% end
            FROM sample_hour h
            WHERE h.slot = of_slot AND h.device_id = of_device AND h.starts_at >= greatest(part.readings_from, now() - interval '3 days')
        ) AS r
    ) AS m
    CROSS JOIN LATERAL (VALUES
        --% each parameter, joined by ","
        ({number}, m.m{number})
        --% end
    ) AS v (number, is_measured)
    WHERE v.is_measured
    UNION ALL
    SELECT DISTINCT (32 + h.parameter)::smallint FROM hand_value h WHERE h.slot = of_slot AND h.tank_id = part.tank_id;
    -- A device that is rolled up hour by hour has nothing to add.
    IF EXISTS (
        SELECT FROM sample_hour h WHERE h.slot = of_slot AND h.device_id = of_device
            AND h.starts_at >= greatest(part.readings_from, now() - interval '3 hours'))
    THEN
        RETURN;
    END IF;
    SELECT greatest(part.readings_from, now() - interval '7 days', least(now() - interval '1 hour', p.hours_until)) INTO recent
    FROM rollup_progress p WHERE p.slot = of_slot;
    -- Planned for the day or two that are meant: a plan for all days that are kept takes longer than the answer.
    RETURN QUERY EXECUTE $query$
        SELECT v.number::smallint FROM (
            SELECT
                --% each parameter, joined by ","
                bool_or(s.{column} IS NOT NULL) AS m{number}
                --% end
            FROM sample s
            WHERE s.slot = $1 AND s.device_id = $2 AND s.event_time >= $3
        ) AS m
        CROSS JOIN LATERAL (VALUES
            --% each parameter, joined by ","
            ({number}, m.m{number})
            --% end
        ) AS v (number, is_measured)
        WHERE v.is_measured
        $query$ USING of_slot, of_device, recent;
END
$$;

REVOKE ALL ON FUNCTION last_reading(smallint, integer), intake_late_since(), measured_series(smallint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION last_reading(smallint, integer), intake_late_since(), measured_series(smallint, integer) TO aqua_gateway;
