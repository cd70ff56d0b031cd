-- What people see at once: the last value of each parameter, and what changes while they look.

-- The Gateways that have listeners, and the slots of the devices that are listened to, bit n for slot n. An Ingestor names the
-- devices of these slots when it commits, and nobody's otherwise: without listeners nothing is said. A Gateway that has died is
-- forgotten by the time it wrote.
CREATE TABLE live_follower (
    follower uuid PRIMARY KEY,
    slots bigint NOT NULL,
    expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);

GRANT SELECT ON live_follower TO aqua_ingestor;
GRANT SELECT, INSERT, UPDATE, DELETE ON live_follower TO aqua_gateway;

-- Partitions are left out when a plan runs, so that one plan does for all: planning costs ten times what the question does.

-- The last value of each parameter of a person's devices, or of one of them, with its setting and its open episode. What is not
-- rolled up yet is read from the samples; for a parameter that is not among them the roll-ups name its last hour of seven days.
CREATE FUNCTION latest_readings(only_device text) RETURNS TABLE (
    slot smallint, device_id integer, hardware_id text, parameter smallint, event_time timestamptz, value real,
    unit text, "position" smallint, minimum integer, maximum integer, side text, opened_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, d.hardware_id, p.parameter, found.event_time, found.value, g.unit, g.position, g.minimum,
        g.maximum, e.side, e.opened_at
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    JOIN rollup_progress r ON r.slot = o.slot
    CROSS JOIN LATERAL (
        SELECT max(s.event_time) FILTER (WHERE s.temperature IS NOT NULL) AS t0,
            max(s.event_time) FILTER (WHERE s.ph IS NOT NULL) AS t1,
            max(s.event_time) FILTER (WHERE s.ammonia IS NOT NULL) AS t2,
            max(s.event_time) FILTER (WHERE s.nitrate IS NOT NULL) AS t3,
            max(s.event_time) FILTER (WHERE s.nitrite IS NOT NULL) AS t4,
            max(s.event_time) FILTER (WHERE s.alkalinity IS NOT NULL) AS t5,
            max(s.event_time) FILTER (WHERE s.hardness IS NOT NULL) AS t6,
            max(s.event_time) FILTER (WHERE s.dissolved_oxygen IS NOT NULL) AS t7,
            max(s.event_time) FILTER (WHERE s.salinity IS NOT NULL) AS t8
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
        SELECT max(h.starts_at) FILTER (WHERE h.temperature_count > 0) AS h0,
            max(h.starts_at) FILTER (WHERE h.ph_count > 0) AS h1,
            max(h.starts_at) FILTER (WHERE h.ammonia_count > 0) AS h2,
            max(h.starts_at) FILTER (WHERE h.nitrate_count > 0) AS h3,
            max(h.starts_at) FILTER (WHERE h.nitrite_count > 0) AS h4,
            max(h.starts_at) FILTER (WHERE h.alkalinity_count > 0) AS h5,
            max(h.starts_at) FILTER (WHERE h.hardness_count > 0) AS h6,
            max(h.starts_at) FILTER (WHERE h.dissolved_oxygen_count > 0) AS h7,
            max(h.starts_at) FILTER (WHERE h.salinity_count > 0) AS h8
        FROM sample_hour h
        WHERE h.slot = o.slot AND h.device_id = o.device_id
            AND h.starts_at > greatest(o.readings_from, now() - interval '7 days') - interval '1 hour'
            AND h.starts_at < now() + interval '10 minutes'
    ) AS hourly
    CROSS JOIN LATERAL (VALUES
        (0::smallint, t0, h0), (1::smallint, t1, h1), (2::smallint, t2, h2), (3::smallint, t3, h3), (4::smallint, t4, h4),
        (5::smallint, t5, h5), (6::smallint, t6, h6), (7::smallint, t7, h7), (8::smallint, t8, h8)
    ) AS p (parameter, sent_at, sent_in)
    CROSS JOIN LATERAL (
        SELECT s.event_time,
            CASE p.parameter WHEN 0 THEN s.temperature WHEN 1 THEN s.ph WHEN 2 THEN s.ammonia WHEN 3 THEN s.nitrate
                WHEN 4 THEN s.nitrite WHEN 5 THEN s.alkalinity WHEN 6 THEN s.hardness WHEN 7 THEN s.dissolved_oxygen
                WHEN 8 THEN s.salinity END AS value
        FROM sample s
        WHERE s.slot = o.slot AND s.device_id = o.device_id
            AND s.event_time >= coalesce(p.sent_at, greatest(p.sent_in, o.readings_from))
            AND s.event_time < coalesce(p.sent_at + interval '1 us', p.sent_in + interval '1 hour')
            AND CASE p.parameter WHEN 0 THEN s.temperature WHEN 1 THEN s.ph WHEN 2 THEN s.ammonia WHEN 3 THEN s.nitrate
                WHEN 4 THEN s.nitrite WHEN 5 THEN s.alkalinity WHEN 6 THEN s.hardness WHEN 7 THEN s.dissolved_oxygen
                WHEN 8 THEN s.salinity END IS NOT NULL
        ORDER BY s.event_time DESC
        LIMIT 1
    ) AS found
    LEFT JOIN setting g ON g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id
        AND g.parameter = p.parameter AND g.valid_until IS NULL
    LEFT JOIN episode e ON e.slot = o.slot AND e.device_id = o.device_id AND e.account_id = o.account_id
        AND e.parameter = p.parameter AND e.kind = 'range' AND e.closed_at IS NULL
    WHERE o.account_id = current_account() AND o.unlinked_at IS NULL
        AND (only_device IS NULL OR d.hardware_id = only_device);
END
$$;

-- What devices have sent since a time of theirs, newest first and 50 of each at most; for a device without such a time, what came
-- in the last minute. Nothing of a device that nobody has, nor of before its people had it: which of them may see it says
-- live_devices, which is asked afterwards.
CREATE FUNCTION live_samples(slots smallint[], devices integer[], since timestamptz[]) RETURNS TABLE (
    slot smallint, device_id integer, event_time timestamptz,
    temperature real, ph real, ammonia real, nitrate real, nitrite real, alkalinity real, hardness real,
    dissolved_oxygen real, salinity real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT w.slot, w.device_id, found.*
    FROM unnest(slots, devices, since) AS w (slot, device_id, since)
    CROSS JOIN LATERAL (
        SELECT min(o.readings_from) AS readings_from FROM ownership o
        WHERE o.slot = w.slot AND o.device_id = w.device_id AND o.unlinked_at IS NULL
    ) AS had
    LEFT JOIN device_clock c ON c.slot = w.slot AND c.device_id = w.device_id
    CROSS JOIN LATERAL (
        SELECT s.event_time, s.temperature, s.ph, s.ammonia, s.nitrate, s.nitrite, s.alkalinity, s.hardness,
            s.dissolved_oxygen, s.salinity
        FROM sample s
        WHERE s.slot = w.slot AND s.device_id = w.device_id
            AND s.event_time >= greatest(had.readings_from, coalesce(w.since, now() - live_reach(c.device_id, c.lag_seconds)))
            AND s.event_time < now() + interval '10 minutes'
            AND (w.since IS NOT NULL OR last_receipt(s.received_at, s.filled) > now() - interval '1 minute')
        ORDER BY s.event_time DESC
        LIMIT 50
    ) AS found
    WHERE had.readings_from IS NOT NULL;
END
$$;

-- How long before its receipt a reading may have been taken that comes at live pace: by a clock that is right or nearly so, by one
-- that is known to be behind, or by one of which that is not known (its lag is NULL).
CREATE FUNCTION live_reach(noted integer, lag_seconds integer) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT interval '10 minutes' + CASE WHEN noted IS NULL THEN interval '0'
        ELSE coalesce(make_interval(secs => greatest(lag_seconds, 0)), interval '1 day') END
$$;

-- When the last part of a message came.
CREATE FUNCTION last_receipt(received_at timestamptz, filled integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT received_at + make_interval(secs => filled >> 9)
$$;

-- What a person's devices have sent since a time of receipt, oldest first.
CREATE FUNCTION replay_samples(since timestamptz, most integer) RETURNS TABLE (
    slot smallint, device_id integer, hardware_id text, event_time timestamptz,
    temperature real, ph real, ammonia real, nitrate real, nitrite real, alkalinity real, hardness real,
    dissolved_oxygen real, salinity real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, d.hardware_id, s.event_time, s.temperature, s.ph, s.ammonia, s.nitrate, s.nitrite,
        s.alkalinity, s.hardness, s.dissolved_oxygen, s.salinity
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    LEFT JOIN device_clock c ON c.slot = o.slot AND c.device_id = o.device_id
    JOIN sample s ON s.slot = o.slot AND s.device_id = o.device_id
    WHERE o.account_id = current_account() AND o.unlinked_at IS NULL
        AND s.event_time >= greatest(o.readings_from, replay_samples.since - live_reach(c.device_id, c.lag_seconds))
        AND s.event_time < now() + interval '10 minutes'
        AND last_receipt(s.received_at, s.filled) > replay_samples.since
    ORDER BY s.event_time
    LIMIT most;
END
$$;

-- Which of some people have which of some devices now, since when, how the device is, and what of it is out of their range.
CREATE FUNCTION live_devices(slots smallint[], devices integer[], accounts bigint[]) RETURNS TABLE (
    slot smallint, device_id integer, account_id bigint, readings_from timestamptz, hardware_id text, online boolean,
    status_at timestamptz, parameters smallint[], sides text[], opened timestamptz[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, o.account_id, o.readings_from, d.hardware_id, t.online, t.changed_at,
        coalesce(e.parameters, '{}'), coalesce(e.sides, '{}'), coalesce(e.opened, '{}')
    FROM unnest(slots, devices, accounts) AS w (slot, device_id, account_id)
    JOIN ownership o ON o.slot = w.slot AND o.device_id = w.device_id AND o.account_id = w.account_id
        AND o.unlinked_at IS NULL
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    LEFT JOIN device_status t ON t.slot = o.slot AND t.device_id = o.device_id
    CROSS JOIN LATERAL (
        SELECT array_agg(x.parameter ORDER BY x.parameter) AS parameters, array_agg(x.side ORDER BY x.parameter) AS sides,
            array_agg(x.opened_at ORDER BY x.parameter) AS opened
        FROM episode x
        WHERE x.slot = o.slot AND x.device_id = o.device_id AND x.account_id = o.account_id AND x.kind = 'range'
            AND x.closed_at IS NULL
    ) AS e;
END
$$;

-- The devices that people have now.
CREATE FUNCTION followed_devices(accounts bigint[]) RETURNS TABLE (account_id bigint, slot smallint, device_id integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT o.account_id, o.slot, o.device_id FROM ownership o
    WHERE o.account_id = ANY (accounts) AND o.unlinked_at IS NULL
    ORDER BY o.account_id, o.slot, o.device_id
$$;

-- What people were told lately, newest first and 50 of each at most.
CREATE FUNCTION live_alerts(accounts bigint[], since timestamptz) RETURNS TABLE (
    account_id bigint, slot smallint, alert_id bigint, uid uuid, hardware_id text, parameter smallint, purpose text,
    side text, value real, limit_value real, state text, event_time timestamptz, decided_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT w.account_id, found.slot, found.alert_id, found.uid, d.hardware_id, found.parameter, found.purpose, found.side,
        found.value, found.limit_value, found.state, found.event_time, found.decided_at
    FROM unnest(accounts) AS w (account_id)
    CROSS JOIN LATERAL (
        SELECT a.* FROM alert a WHERE a.account_id = w.account_id AND a.decided_at > live_alerts.since
        ORDER BY a.decided_at DESC LIMIT 50
    ) AS found
    LEFT JOIN device d ON d.slot = found.slot AND d.device_id = found.device_id;
END
$$;

-- Which sessions and personal tokens still hold.
CREATE FUNCTION living_sessions(sessions uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT s.session_id FROM session s WHERE s.session_id = ANY (sessions) AND is_live(s)
$$;

CREATE FUNCTION living_tokens(hashes bytea[]) RETURNS SETOF bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.token_hash FROM personal_token t
    WHERE t.token_hash = ANY (hashes) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR now() < t.expires_at)
$$;

REVOKE ALL ON FUNCTION latest_readings(text), live_samples(smallint[], integer[], timestamptz[]),
    replay_samples(timestamptz, integer), live_devices(smallint[], integer[], bigint[]), followed_devices(bigint[]),
    live_alerts(bigint[], timestamptz), living_sessions(uuid[]), living_tokens(bytea[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION latest_readings(text), live_samples(smallint[], integer[], timestamptz[]),
    replay_samples(timestamptz, integer), live_devices(smallint[], integer[], bigint[]), followed_devices(bigint[]),
    live_alerts(bigint[], timestamptz), living_sessions(uuid[]), living_tokens(bytea[]) TO aqua_gateway;
