-- More parameters: what is computed from others where a device does not send it (oxygen saturation, free ammonia, carbon
-- dioxide), and what more probes measure. A column that is NULL takes no room; which ones are takes eight bytes of a row, and
-- filled gives four of them back, which tells nothing in nearly every row.
-- Limits of salinity reach to sea water: 40 ppt in place of 20.

ALTER TABLE sample
    ALTER COLUMN filled DROP NOT NULL, ALTER COLUMN filled DROP DEFAULT,
    ADD COLUMN oxygen_saturation real,
    ADD COLUMN free_ammonia real,
    ADD COLUMN carbon_dioxide real,
    ADD COLUMN orp real,
    ADD COLUMN conductivity real,
    ADD COLUMN tds real,
    ADD COLUMN turbidity real,
    ADD COLUMN turbidity_fnu real,
    -- as filled, of the parameters from number 9 on (bit 0 for number 9); NULL where none of them came later than the row
    ADD COLUMN filled_more integer;
GRANT UPDATE (
    oxygen_saturation, free_ammonia, carbon_dioxide, orp, conductivity, tds, turbidity, turbidity_fnu, filled_more
) ON sample TO aqua_ingestor;

ALTER TABLE sample_hour
    ADD COLUMN oxygen_saturation_sum double precision, ADD COLUMN free_ammonia_sum double precision,
    ADD COLUMN carbon_dioxide_sum double precision, ADD COLUMN orp_sum double precision,
    ADD COLUMN conductivity_sum double precision, ADD COLUMN tds_sum double precision,
    ADD COLUMN turbidity_sum double precision, ADD COLUMN turbidity_fnu_sum double precision,
    ADD COLUMN oxygen_saturation_min real, ADD COLUMN free_ammonia_min real, ADD COLUMN carbon_dioxide_min real,
    ADD COLUMN orp_min real, ADD COLUMN conductivity_min real, ADD COLUMN tds_min real, ADD COLUMN turbidity_min real,
    ADD COLUMN turbidity_fnu_min real, ADD COLUMN oxygen_saturation_max real, ADD COLUMN free_ammonia_max real,
    ADD COLUMN carbon_dioxide_max real, ADD COLUMN orp_max real, ADD COLUMN conductivity_max real, ADD COLUMN tds_max real,
    ADD COLUMN turbidity_max real, ADD COLUMN turbidity_fnu_max real, ADD COLUMN oxygen_saturation_count integer,
    ADD COLUMN free_ammonia_count integer, ADD COLUMN carbon_dioxide_count integer, ADD COLUMN orp_count integer,
    ADD COLUMN conductivity_count integer, ADD COLUMN tds_count integer, ADD COLUMN turbidity_count integer,
    ADD COLUMN turbidity_fnu_count integer;

ALTER TABLE sample_day
    ADD COLUMN oxygen_saturation_sum double precision, ADD COLUMN free_ammonia_sum double precision,
    ADD COLUMN carbon_dioxide_sum double precision, ADD COLUMN orp_sum double precision,
    ADD COLUMN conductivity_sum double precision, ADD COLUMN tds_sum double precision,
    ADD COLUMN turbidity_sum double precision, ADD COLUMN turbidity_fnu_sum double precision,
    ADD COLUMN oxygen_saturation_min real, ADD COLUMN free_ammonia_min real, ADD COLUMN carbon_dioxide_min real,
    ADD COLUMN orp_min real, ADD COLUMN conductivity_min real, ADD COLUMN tds_min real, ADD COLUMN turbidity_min real,
    ADD COLUMN turbidity_fnu_min real, ADD COLUMN oxygen_saturation_max real, ADD COLUMN free_ammonia_max real,
    ADD COLUMN carbon_dioxide_max real, ADD COLUMN orp_max real, ADD COLUMN conductivity_max real, ADD COLUMN tds_max real,
    ADD COLUMN turbidity_max real, ADD COLUMN turbidity_fnu_max real, ADD COLUMN oxygen_saturation_count integer,
    ADD COLUMN free_ammonia_count integer, ADD COLUMN carbon_dioxide_count integer, ADD COLUMN orp_count integer,
    ADD COLUMN conductivity_count integer, ADD COLUMN tds_count integer, ADD COLUMN turbidity_count integer,
    ADD COLUMN turbidity_fnu_count integer;

CREATE OR REPLACE FUNCTION last_receipt(received_at timestamptz, filled integer) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT received_at + make_interval(secs => coalesce(filled >> 9, 0))
$$;

-- Their new columns come last, as those of the tables do.
CREATE OR REPLACE VIEW person_sample AS
    SELECT s.* FROM ownership o
    JOIN sample s ON s.slot = o.slot AND s.device_id = o.device_id AND s.event_time >= o.readings_from
        AND s.event_time < coalesce(o.unlinked_at, 'infinity')
    WHERE o.account_id = (SELECT current_account());

CREATE OR REPLACE VIEW person_sample_hour AS
    SELECT h.* FROM ownership o
    JOIN sample_hour h ON h.slot = o.slot AND h.device_id = o.device_id AND h.starts_at >= o.readings_from
        AND h.starts_at <= coalesce(o.unlinked_at - interval '1 hour', 'infinity')
    WHERE o.account_id = (SELECT current_account());

CREATE OR REPLACE VIEW person_sample_day AS
    SELECT d.* FROM ownership o
    JOIN sample_day d ON d.slot = o.slot AND d.device_id = o.device_id AND d.starts_at >= o.readings_from
        AND d.starts_at <= coalesce(o.unlinked_at - interval '24 hours', 'infinity')
    WHERE o.account_id = (SELECT current_account());

ALTER TABLE setting
    DROP CONSTRAINT setting_parameter_check, ADD CONSTRAINT setting_parameter_check CHECK (parameter BETWEEN 0 AND 16),
    DROP CONSTRAINT setting_position_check, ADD CONSTRAINT setting_position_check CHECK (position BETWEEN 0 AND 16),
    DROP CONSTRAINT setting_has_no_minimum,
    ADD CONSTRAINT setting_has_no_minimum CHECK (parameter NOT IN (2, 4, 10, 15, 16) OR minimum IS NULL),
    DROP CONSTRAINT setting_absolute_range,
    ADD CONSTRAINT setting_absolute_range CHECK (
        CASE parameter
            WHEN 0 THEN coalesce(minimum, 0) BETWEEN -400 AND 400 AND coalesce(maximum, 0) BETWEEN -400 AND 400
            WHEN 1 THEN coalesce(minimum, 10) BETWEEN 10 AND 140 AND coalesce(maximum, 10) BETWEEN 10 AND 140
            WHEN 2 THEN coalesce(maximum, 0) BETWEEN 0 AND 80
            WHEN 3 THEN coalesce(minimum, 0) BETWEEN 0 AND 2000 AND coalesce(maximum, 0) BETWEEN 0 AND 2000
            WHEN 4 THEN coalesce(maximum, 0) BETWEEN 0 AND 80
            WHEN 5 THEN coalesce(minimum, 0) BETWEEN 0 AND 1000 AND coalesce(maximum, 0) BETWEEN 0 AND 1000
            WHEN 6 THEN coalesce(minimum, 0) BETWEEN 0 AND 1000 AND coalesce(maximum, 0) BETWEEN 0 AND 1000
            WHEN 7 THEN coalesce(minimum, 0) BETWEEN 0 AND 200 AND coalesce(maximum, 0) BETWEEN 0 AND 200
            WHEN 8 THEN coalesce(minimum, 0) BETWEEN 0 AND 400 AND coalesce(maximum, 0) BETWEEN 0 AND 400
            WHEN 9 THEN coalesce(minimum, 0) BETWEEN 0 AND 300 AND coalesce(maximum, 0) BETWEEN 0 AND 300
            WHEN 10 THEN coalesce(maximum, 0) BETWEEN 0 AND 1000
            WHEN 11 THEN coalesce(minimum, 0) BETWEEN 0 AND 5000 AND coalesce(maximum, 0) BETWEEN 0 AND 5000
            WHEN 12 THEN coalesce(minimum, 0) BETWEEN -2000 AND 2000 AND coalesce(maximum, 0) BETWEEN -2000 AND 2000
            WHEN 13 THEN coalesce(minimum, 0) BETWEEN 0 AND 200000 AND coalesce(maximum, 0) BETWEEN 0 AND 200000
            WHEN 14 THEN coalesce(minimum, 0) BETWEEN 0 AND 100000 AND coalesce(maximum, 0) BETWEEN 0 AND 100000
            WHEN 15 THEN coalesce(maximum, 0) BETWEEN 0 AND 40000
            WHEN 16 THEN coalesce(maximum, 0) BETWEEN 0 AND 40000
        END);
ALTER TABLE episode
    DROP CONSTRAINT episode_parameter_check, ADD CONSTRAINT episode_parameter_check CHECK (parameter BETWEEN 0 AND 16);
ALTER TABLE throttle
    DROP CONSTRAINT throttle_parameter_check, ADD CONSTRAINT throttle_parameter_check CHECK (parameter BETWEEN 0 AND 16);
ALTER TABLE alert
    DROP CONSTRAINT alert_parameter_check, ADD CONSTRAINT alert_parameter_check CHECK (parameter BETWEEN 0 AND 16);

-- Who has a device has a setting of each parameter. A new one has no limits, which changes no rules.
ALTER TABLE setting DISABLE TRIGGER setting_changes_rules;
INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position)
SELECT o.slot, o.device_id, o.account_id, n.parameter, 1, n.unit, n.colour, n.parameter
FROM ownership o CROSS JOIN (VALUES
    (9::smallint, '%', '#209194'), (10, 'ppm', '#6b8c4f'), (11, 'ppm', '#81863f'), (12, 'mV', '#757ab8'),
    (13, 'uS/cm', '#9f7938'), (14, 'ppm', '#4388b2'), (15, 'NTU', '#a06b9b'), (16, 'FNU', '#35937b')
) AS n (parameter, unit, colour)
WHERE o.unlinked_at IS NULL;
ALTER TABLE setting ENABLE ALWAYS TRIGGER setting_changes_rules;

-- Sets of parameters have a bit for each.
ALTER TABLE silence_check ALTER COLUMN parameters TYPE integer;

-- As before, of all parameters.
DROP FUNCTION device_rhythm(smallint, integer, smallint, timestamptz);
CREATE FUNCTION device_rhythm(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamptz)
    RETURNS TABLE (heard_at timestamptz, usual_us bigint, parameters integer, missing integer,
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
                (s.temperature IS NOT NULL)::integer + (s.ph IS NOT NULL)::integer * 2
                + (s.ammonia IS NOT NULL)::integer * 4 + (s.nitrate IS NOT NULL)::integer * 8
                + (s.nitrite IS NOT NULL)::integer * 16 + (s.alkalinity IS NOT NULL)::integer * 32
                + (s.hardness IS NOT NULL)::integer * 64 + (s.dissolved_oxygen IS NOT NULL)::integer * 128
                + (s.salinity IS NOT NULL)::integer * 256 + (s.oxygen_saturation IS NOT NULL)::integer * 512
                + (s.free_ammonia IS NOT NULL)::integer * 1024 + (s.carbon_dioxide IS NOT NULL)::integer * 2048
                + (s.orp IS NOT NULL)::integer * 4096 + (s.conductivity IS NOT NULL)::integer * 8192
                + (s.tds IS NOT NULL)::integer * 16384 + (s.turbidity IS NOT NULL)::integer * 32768
                + (s.turbidity_fnu IS NOT NULL)::integer * 65536 AS present
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
REVOKE ALL ON FUNCTION device_rhythm(smallint, integer, smallint, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION device_rhythm(smallint, integer, smallint, timestamptz) TO aqua_rules;

-- As before, of all parameters.
CREATE OR REPLACE FUNCTION latest_readings(only_device text) RETURNS TABLE (
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
            max(s.event_time) FILTER (WHERE s.salinity IS NOT NULL) AS t8,
            max(s.event_time) FILTER (WHERE s.oxygen_saturation IS NOT NULL) AS t9,
            max(s.event_time) FILTER (WHERE s.free_ammonia IS NOT NULL) AS t10,
            max(s.event_time) FILTER (WHERE s.carbon_dioxide IS NOT NULL) AS t11,
            max(s.event_time) FILTER (WHERE s.orp IS NOT NULL) AS t12,
            max(s.event_time) FILTER (WHERE s.conductivity IS NOT NULL) AS t13,
            max(s.event_time) FILTER (WHERE s.tds IS NOT NULL) AS t14,
            max(s.event_time) FILTER (WHERE s.turbidity IS NOT NULL) AS t15,
            max(s.event_time) FILTER (WHERE s.turbidity_fnu IS NOT NULL) AS t16
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
            max(h.starts_at) FILTER (WHERE h.salinity_count > 0) AS h8,
            max(h.starts_at) FILTER (WHERE h.oxygen_saturation_count > 0) AS h9,
            max(h.starts_at) FILTER (WHERE h.free_ammonia_count > 0) AS h10,
            max(h.starts_at) FILTER (WHERE h.carbon_dioxide_count > 0) AS h11,
            max(h.starts_at) FILTER (WHERE h.orp_count > 0) AS h12,
            max(h.starts_at) FILTER (WHERE h.conductivity_count > 0) AS h13,
            max(h.starts_at) FILTER (WHERE h.tds_count > 0) AS h14,
            max(h.starts_at) FILTER (WHERE h.turbidity_count > 0) AS h15,
            max(h.starts_at) FILTER (WHERE h.turbidity_fnu_count > 0) AS h16
        FROM sample_hour h
        WHERE h.slot = o.slot AND h.device_id = o.device_id
            AND h.starts_at > greatest(o.readings_from, now() - interval '7 days') - interval '1 hour'
            AND h.starts_at < now() + interval '10 minutes'
    ) AS hourly
    CROSS JOIN LATERAL (
        -- what was not sent is not looked for
        SELECT v.parameter::smallint, v.sent_at, v.sent_in FROM (VALUES
            (0::smallint, t0, h0), (1, t1, h1), (2, t2, h2), (3, t3, h3), (4, t4, h4), (5, t5, h5), (6, t6, h6),
            (7, t7, h7), (8, t8, h8), (9, t9, h9), (10, t10, h10), (11, t11, h11), (12, t12, h12), (13, t13, h13),
            (14, t14, h14), (15, t15, h15), (16, t16, h16)
        ) AS v (parameter, sent_at, sent_in)
        WHERE v.sent_at IS NOT NULL OR v.sent_in IS NOT NULL
    ) AS p
    CROSS JOIN LATERAL (
        SELECT s.event_time,
            CASE p.parameter WHEN 0 THEN s.temperature WHEN 1 THEN s.ph WHEN 2 THEN s.ammonia WHEN 3 THEN s.nitrate
                WHEN 4 THEN s.nitrite WHEN 5 THEN s.alkalinity WHEN 6 THEN s.hardness WHEN 7 THEN s.dissolved_oxygen
                WHEN 8 THEN s.salinity WHEN 9 THEN s.oxygen_saturation WHEN 10 THEN s.free_ammonia
                WHEN 11 THEN s.carbon_dioxide WHEN 12 THEN s.orp WHEN 13 THEN s.conductivity WHEN 14 THEN s.tds
                WHEN 15 THEN s.turbidity WHEN 16 THEN s.turbidity_fnu END AS value
        FROM sample s
        WHERE s.slot = o.slot AND s.device_id = o.device_id
            AND s.event_time >= coalesce(p.sent_at, greatest(p.sent_in, o.readings_from))
            AND s.event_time < coalesce(p.sent_at + interval '1 us', p.sent_in + interval '1 hour')
            AND CASE p.parameter WHEN 0 THEN s.temperature WHEN 1 THEN s.ph WHEN 2 THEN s.ammonia WHEN 3 THEN s.nitrate
                WHEN 4 THEN s.nitrite WHEN 5 THEN s.alkalinity WHEN 6 THEN s.hardness WHEN 7 THEN s.dissolved_oxygen
                WHEN 8 THEN s.salinity WHEN 9 THEN s.oxygen_saturation WHEN 10 THEN s.free_ammonia
                WHEN 11 THEN s.carbon_dioxide WHEN 12 THEN s.orp WHEN 13 THEN s.conductivity WHEN 14 THEN s.tds
                WHEN 15 THEN s.turbidity WHEN 16 THEN s.turbidity_fnu END IS NOT NULL
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

-- Likewise what screens are told. A function whose rows change is made anew.
DROP FUNCTION live_samples(smallint[], integer[], timestamptz[]), replay_samples(timestamptz, integer);
CREATE FUNCTION live_samples(slots smallint[], devices integer[], since timestamptz[]) RETURNS TABLE (
    slot smallint, device_id integer, event_time timestamptz,
    temperature real, ph real, ammonia real, nitrate real, nitrite real, alkalinity real, hardness real,
    dissolved_oxygen real, salinity real, oxygen_saturation real, free_ammonia real, carbon_dioxide real, orp real,
    conductivity real, tds real, turbidity real, turbidity_fnu real)
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
        SELECT s.event_time,
            s.temperature, s.ph, s.ammonia, s.nitrate, s.nitrite, s.alkalinity, s.hardness, s.dissolved_oxygen,
            s.salinity, s.oxygen_saturation, s.free_ammonia, s.carbon_dioxide, s.orp, s.conductivity, s.tds,
            s.turbidity, s.turbidity_fnu
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

CREATE FUNCTION replay_samples(since timestamptz, most integer) RETURNS TABLE (
    slot smallint, device_id integer, hardware_id text, event_time timestamptz,
    temperature real, ph real, ammonia real, nitrate real, nitrite real, alkalinity real, hardness real,
    dissolved_oxygen real, salinity real, oxygen_saturation real, free_ammonia real, carbon_dioxide real, orp real,
    conductivity real, tds real, turbidity real, turbidity_fnu real)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, d.hardware_id, s.event_time,
        s.temperature, s.ph, s.ammonia, s.nitrate, s.nitrite, s.alkalinity, s.hardness, s.dissolved_oxygen, s.salinity,
        s.oxygen_saturation, s.free_ammonia, s.carbon_dioxide, s.orp, s.conductivity, s.tds, s.turbidity,
        s.turbidity_fnu
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

REVOKE ALL ON FUNCTION live_samples(smallint[], integer[], timestamptz[]), replay_samples(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION live_samples(smallint[], integer[], timestamptz[]), replay_samples(timestamptz, integer)
    TO aqua_gateway;
