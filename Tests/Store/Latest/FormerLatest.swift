@testable import Store

/// The last values much as they were found until schema 99: all of what is not rolled up, and all hours of seven days, were added up for each
/// answer. One mistake of that time is mended: a value was missing while a later one had been deleted and its hour waited to be rolled up again.
enum FormerLatest {
    /// Makes the function `former_latest_readings`, which answers as `latest_readings` does.
    static let sql = ScriptTemplate.rendered(
        """
        CREATE FUNCTION former_latest_readings(only_device text) RETURNS TABLE (
            slot smallint, device_id integer, hardware_id text, parameter smallint, event_time timestamptz, value real,
            unit text, "position" smallint, minimum integer, maximum integer, side text, opened_at timestamptz)
        LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
        SET plan_cache_mode = force_generic_plan AS $$
        #variable_conflict use_column
        BEGIN
            RETURN QUERY
            SELECT o.slot, o.device_id, d.hardware_id, p.parameter, found.event_time, found.value, g.unit, g.position, l.low,
                l.high, e.side, e.opened_at
            FROM ownership o
            JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
            JOIN rollup_progress r ON r.slot = o.slot
            CROSS JOIN LATERAL (
                SELECT
                    --% each parameter, joined by ","
                    max(s.event_time) FILTER (WHERE s.{column} IS NOT NULL) AS t{number}
                    --% end
                FROM sample s
                WHERE s.slot = o.slot AND s.device_id = o.device_id
                    AND s.event_time >= greatest(
                        o.readings_from, now() - interval '7 days',
                        -- or from the first hour that is due again, which the roll-ups do not tell truly
                        least(r.hours_until, (SELECT min(q.hour) FROM rollup_due q
                            WHERE q.slot = o.slot AND (q.device_id = o.device_id OR q.device_id IS NULL))))
                    AND s.event_time < now() + interval '10 minutes'
            ) AS recent
            CROSS JOIN LATERAL (
                SELECT
                    --% each parameter, joined by ","
                    max(h.starts_at) FILTER (WHERE h.{column}_count > 0) AS h{number}
                    --% end
                FROM sample_hour h
                WHERE h.slot = o.slot AND h.device_id = o.device_id
                    AND h.starts_at > greatest(o.readings_from, now() - interval '7 days') - interval '1 hour'
                    -- the hours before those whose messages are read above
                    AND h.starts_at < least(r.hours_until, (SELECT min(q.hour) FROM rollup_due q
                        WHERE q.slot = o.slot AND (q.device_id = o.device_id OR q.device_id IS NULL)))
            ) AS hourly
            CROSS JOIN LATERAL (
                -- what was not sent is not looked for
                SELECT v.parameter::smallint, v.sent_at, v.sent_in FROM (VALUES
                    --% each parameter, joined by ","
                    ({number}, t{number}, h{number})
                    --% end
                ) AS v (parameter, sent_at, sent_in)
                WHERE v.sent_at IS NOT NULL OR v.sent_in IS NOT NULL
            ) AS p
            CROSS JOIN LATERAL (
                SELECT s.event_time,
                    CASE p.parameter
                        --% each parameter
                        WHEN {number} THEN s.{column}
                        --% end
                        END AS value
                FROM sample s
                WHERE s.slot = o.slot AND s.device_id = o.device_id
                    AND s.event_time >= coalesce(p.sent_at, greatest(p.sent_in, o.readings_from))
                    AND s.event_time < coalesce(p.sent_at + interval '1 us', p.sent_in + interval '1 hour')
                    AND CASE p.parameter
                        --% each parameter
                        WHEN {number} THEN s.{column}
                        --% end
                        END IS NOT NULL
                ORDER BY s.event_time DESC
                LIMIT 1
            ) AS found
            LEFT JOIN setting g ON g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id
                AND g.parameter = p.parameter AND g.valid_until IS NULL
            -- those that hold now
            CROSS JOIN LATERAL limits_at(g.periods, g.minimum, g.maximum, g.critical_minimum, g.critical_maximum, now()) l
            LEFT JOIN episode e ON e.slot = o.slot AND e.device_id = o.device_id AND e.account_id = o.account_id
                AND e.parameter = p.parameter AND e.kind = 'range' AND e.closed_at IS NULL
            WHERE o.account_id = current_account() AND o.unlinked_at IS NULL
                AND (only_device IS NULL OR d.hardware_id = only_device);
        END
        $$;
        """)
}
