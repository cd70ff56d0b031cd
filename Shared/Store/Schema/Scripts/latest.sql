-- The last values of devices: of each parameter the newest of seven days, whatever came late, was deleted or was imported since.
--
-- Messages say what they are themselves; roll-ups only tell where nothing has to be looked for. So nothing is written along with a reading, and
-- nothing is kept that could be wrong. Each statement opens the days of the stretch that it asks for, and no others.

-- The newest value of each parameter in a stretch of a device's time, but for those whose bits are in `besides`, among the newest `most` messages
-- of the stretch (NULL: all).
CREATE OR REPLACE FUNCTION newest_values(of_slot smallint, of_device integer, since timestamptz, until timestamptz, besides integer, most integer)
RETURNS TABLE (parameter smallint, event_time timestamptz, value real)
LANGUAGE plpgsql STABLE ROWS 9 AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT v.parameter, v.sent_at, v.value
    FROM (
        SELECT
            --% each parameter, joined by ","
            max(s.event_time) FILTER (WHERE s.{column} IS NOT NULL AND besides & {bit} = 0) AS t{number}
            --% end
        FROM (
            SELECT s.* FROM public.sample s
            WHERE s.slot = of_slot AND s.device_id = of_device AND s.event_time >= since AND s.event_time < until
            ORDER BY s.event_time DESC
            LIMIT most
        ) AS s
    ) AS m
    CROSS JOIN LATERAL (
        SELECT DISTINCT t.sent_at FROM (VALUES
            --% each parameter, joined by ","
            (m.t{number})
            --% end
        ) AS t (sent_at)
        WHERE t.sent_at IS NOT NULL
    ) AS d
    JOIN public.sample s ON s.slot = of_slot AND s.device_id = of_device AND s.event_time = d.sent_at
        AND s.event_time >= since AND s.event_time < until -- which leaves the other days out
    CROSS JOIN LATERAL (VALUES
        --% each parameter, joined by ","
        ({number}::smallint, m.t{number}, s.{column})
        --% end
    ) AS v (parameter, sent_at, value)
    WHERE v.sent_at = s.event_time;
END
$$;

-- The last value since a time of each parameter of a device but for those whose bits are in `known`: among the newest 500 messages that are not
-- rolled up, if they have any more; if there are others behind them, among all of those for the parameters in `sent`, which by the roll-ups may
-- have one; and then in the newest hour that has it, or is due again and may have it.
CREATE OR REPLACE FUNCTION last_values(
    of_slot smallint, of_device integer, since timestamptz, known integer, sent integer, has_more boolean, goes_on boolean)
RETURNS TABLE (parameter smallint, event_time timestamptz, value real)
LANGUAGE plpgsql STABLE COST 10000 ROWS 9 AS $$
#variable_conflict use_column
DECLARE
    until CONSTANT timestamptz := now() + interval '10 minutes';
    rolled CONSTANT timestamptz := (SELECT p.hours_until FROM public.rollup_progress p WHERE p.slot = of_slot);
    stretch record;
BEGIN
    FOR stretch IN
        SELECT greatest(rolled, last_values.since) AS since, until AS until, -1 AS sent, 500 AS most WHERE has_more
        UNION ALL
        SELECT greatest(rolled, last_values.since), until, last_values.sent, NULL WHERE goes_on
        UNION ALL
        SELECT greatest(r.starts_at, last_values.since), least(r.starts_at + interval '1 hour', until), bit_or(r.sent), NULL
        FROM (
            SELECT h.starts_at, 0
                --% each parameter
                | CASE WHEN h.{column}_count > 0 THEN {bit} ELSE 0 END
                --% end
                AS sent
            FROM public.sample_hour h
            WHERE h.slot = of_slot AND h.device_id = of_device AND h.starts_at > last_values.since - interval '1 hour' AND h.starts_at < rolled
            UNION ALL
            SELECT q.hour, -1 FROM public.rollup_due q
            WHERE q.slot = of_slot AND (q.device_id = of_device OR q.device_id IS NULL)
                AND q.hour > last_values.since - interval '1 hour' AND q.hour < rolled
        ) AS r
        WHERE r.sent & ~known <> 0
        GROUP BY r.starts_at
        ORDER BY since DESC, most
    LOOP
        CONTINUE WHEN stretch.sent & ~known = 0;
        FOR parameter, event_time, value IN
            SELECT n.* FROM public.newest_values(
                of_slot, of_device, stretch.since, stretch.until, known | ~stretch.sent, stretch.most) n
        LOOP
            known := known | (1 << parameter);
            RETURN NEXT;
        END LOOP;
        EXIT WHEN sent & ~known = 0;
    END LOOP;
END
$$;

-- The last value of each parameter of a person's devices, or of one of them, with its setting and its open episode. As a rule a device's newest
-- message has all that it measures; the devices of which that is not so are looked through one by one.
CREATE OR REPLACE FUNCTION latest_readings(only_device text) RETURNS TABLE (
    slot smallint, device_id integer, hardware_id text, parameter smallint, event_time timestamptz, value real,
    unit text, "position" smallint, minimum integer, maximum integer, side text, opened_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    person CONSTANT bigint := current_account();
    since CONSTANT timestamptz := now() - interval '7 days';
    until CONSTANT timestamptz := now() + interval '10 minutes'; -- later than any reading can be
    horizon CONSTANT timestamptz := greatest(since, (SELECT min(p.hours_until) FROM rollup_progress p));
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, o.hardware_id, v.parameter, v.event_time, v.value, g.unit, g.position, l.low, l.high, e.side, e.opened_at
    FROM (
        SELECT w.slot, w.device_id, d.hardware_id, greatest(w.readings_from, since) AS since, p.hours_until AS rolled
        FROM device d
        JOIN ownership w ON w.slot = d.slot AND w.device_id = d.device_id AND w.unlinked_at IS NULL
        JOIN rollup_progress p ON p.slot = w.slot
        WHERE d.hardware_id = only_device AND w.account_id = person
        UNION ALL
        SELECT w.slot, w.device_id, d.hardware_id, greatest(w.readings_from, since), p.hours_until
        FROM ownership w
        JOIN device d ON d.slot = w.slot AND d.device_id = w.device_id
        JOIN rollup_progress p ON p.slot = w.slot
        WHERE only_device IS NULL AND w.account_id = person AND w.unlinked_at IS NULL
    ) AS o
    LEFT JOIN LATERAL (
        SELECT s.*, 0
            --% each parameter
            | CASE WHEN s.{column} IS NOT NULL THEN {bit} ELSE 0 END
            --% end
            AS found
        FROM sample s
        WHERE s.slot = o.slot AND s.device_id = o.device_id AND s.event_time >= greatest(o.rolled, o.since) AND s.event_time < until
            AND s.event_time >= horizon -- by which other days are left out
        ORDER BY s.event_time DESC
        LIMIT 1
    ) AS n ON true
    CROSS JOIN LATERAL (
        SELECT coalesce(bit_or(r.sent), 0) AS sent FROM (
            SELECT 0
                --% each parameter
                | CASE WHEN d.{column}_count > 0 THEN {bit} ELSE 0 END
                --% end
                AS sent
            FROM sample_day d
            WHERE d.slot = o.slot AND d.device_id = o.device_id AND d.starts_at > o.since - interval '24 hours'
                AND d.starts_at <= o.rolled - interval '24 hours'
            UNION ALL
            SELECT 0
                --% each parameter
                | CASE WHEN h.{column}_count > 0 THEN {bit} ELSE 0 END
                --% end
            FROM sample_hour h
            WHERE h.slot = o.slot AND h.device_id = o.device_id AND h.starts_at > o.since - interval '1 hour'
                AND h.starts_at >= date_bin('24 hours', o.rolled, 'epoch') AND h.starts_at < o.rolled
                AND h.starts_at >= date_bin('24 hours', horizon, 'epoch')
            UNION ALL
            -- anything, which the roll-ups do not tell truly
            SELECT -1 FROM rollup_due q
            WHERE q.slot = o.slot AND (q.device_id = o.device_id OR q.device_id IS NULL) AND q.hour > o.since - interval '1 hour'
                AND q.hour < o.rolled
        ) AS r
    ) AS k
    CROSS JOIN LATERAL (
        -- whether one of the messages before has what the newest lacks, and whether there are more of them
        SELECT coalesce(bool_or(false
            --% each parameter
            OR s.{column} IS NOT NULL AND n.{column} IS NULL
            --% end
            ), false) AS has_more, count(*) = 499 AS goes_on
        FROM (
            SELECT s.* FROM sample s
            WHERE s.slot = o.slot AND s.device_id = o.device_id AND s.event_time >= greatest(o.rolled, o.since)
                AND s.event_time < n.event_time AND s.event_time >= horizon
            ORDER BY s.event_time DESC
            LIMIT 499
        ) AS s
    ) AS b
    CROSS JOIN LATERAL (
        SELECT v.parameter, n.event_time, v.value FROM (VALUES
            --% each parameter, joined by ","
            ({number}::smallint, n.{column})
            --% end
        ) AS v (parameter, value)
        WHERE v.value IS NOT NULL
        UNION ALL
        SELECT f.* FROM last_values(o.slot, o.device_id, o.since, coalesce(n.found, 0), k.sent, b.has_more, b.goes_on) f
        WHERE b.has_more OR k.sent & ~coalesce(n.found, 0) <> 0
    ) AS v
    LEFT JOIN setting g ON g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = person
        AND g.parameter = v.parameter AND g.valid_until IS NULL
    -- those that hold now
    CROSS JOIN LATERAL limits_at(g.periods, g.minimum, g.maximum, g.critical_minimum, g.critical_maximum, now()) l
    LEFT JOIN episode e ON e.slot = o.slot AND e.device_id = o.device_id AND e.account_id = person
        AND e.parameter = v.parameter AND e.kind = 'range' AND e.closed_at IS NULL;
END
$$;

REVOKE ALL ON FUNCTION
    newest_values(smallint, integer, timestamptz, timestamptz, integer, integer),
    last_values(smallint, integer, timestamptz, integer, integer, boolean, boolean), latest_readings(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION latest_readings(text) TO aqua_gateway;
