-- What people see at once: what changes while they look.

-- A person's ticket, by which a Gateway reads what is theirs in the one transaction in which it looks for all who have a stream open. The person's
-- own transaction is given it when the stream begins; it holds longer than a stream lasts, and no longer.
CREATE OR REPLACE FUNCTION live_ticket() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    until CONSTANT bigint := extract(epoch FROM now() + interval '1 hour');
BEGIN
    RETURN person || ' ' || until || ' ' || seal_of(format('live %s %s', person, until));
END
$$;

-- Whom tickets name, in their order; NULL for one that is not valid, or not any more.
CREATE OR REPLACE FUNCTION accounts_of(tickets text[]) RETURNS bigint[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(array_agg(
        CASE WHEN t.part[3] = seal_of(format('live %s %s', t.part[1], t.part[2]))
            THEN CASE WHEN t.part[2]::bigint > extract(epoch FROM now()) THEN t.part[1]::bigint END END
        ORDER BY t.number), '{}')
    FROM (
        SELECT u.number, string_to_array(u.ticket, ' ') AS part FROM unnest(tickets) WITH ORDINALITY AS u (ticket, number)
    ) AS t
$$;

-- Says for a while that a Gateway listens to devices of some slots, and forgets those who have not said so lately.
CREATE OR REPLACE FUNCTION follow_slots(as_follower uuid, which bigint, lasting interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := 256; -- Gateways: each commit of readings looks at all
    until CONSTANT timestamptz := now() + least(lasting, interval '5 minutes');
BEGIN
    DELETE FROM live_follower WHERE expires_at < now() - interval '1 minute' AND follower <> as_follower;
    IF most <= (SELECT count(*) FROM live_follower WHERE follower <> as_follower) THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded', MESSAGE = 'too many Gateways listen';
    END IF;
    INSERT INTO live_follower (follower, slots, expires_at) VALUES (as_follower, which, until)
    ON CONFLICT (follower) DO UPDATE SET slots = excluded.slots, expires_at = excluded.expires_at;
END
$$;

-- Says that a Gateway listens no more.
CREATE OR REPLACE FUNCTION unfollow_slots(as_follower uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM live_follower WHERE follower = as_follower
$$;

-- The devices that people have now.
CREATE OR REPLACE FUNCTION followed_devices(accounts bigint[]) RETURNS TABLE (account_id bigint, slot smallint, device_id integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT o.account_id, o.slot, o.device_id FROM ownership o
    WHERE o.account_id = ANY (accounts) AND o.unlinked_at IS NULL
    ORDER BY o.account_id, o.slot, o.device_id
$$;

CREATE OR REPLACE FUNCTION followed_devices(tickets text[]) RETURNS TABLE (account_id bigint, slot smallint, device_id integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT * FROM followed_devices(accounts_of(tickets))
$$;

-- What people have set up, as a number for each part of it, so that a screen reads anew what changed elsewhere and nothing else. Each is another
-- after any change of its part:
--   settings    the person's own settings
--   devices     which devices they have, with names and places, and what work goes on there
--   parameters  limits and rules
--   snoozes     what is snoozed or acknowledged, and who is on what
--   calls       their chains, those that name them, and who was called for them
-- A function whose rows have another column is made anew.
DROP FUNCTION IF EXISTS setup_parts(text[]);
CREATE FUNCTION setup_parts(tickets text[])
RETURNS TABLE (account_id bigint, settings bigint, devices bigint, parameters bigint, snoozes bigint, calls bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.account_id, a.settings_version::bigint, coalesce(p.devices, 0), coalesce(p.parameters, 0), coalesce(p.snoozes, 0),
        coalesce(c.steps, 0) + coalesce(c.last, 0)
    FROM account a
    CROSS JOIN LATERAL (
        SELECT
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, o.version, (
                SELECT string_agg(concat_ws('=', w.work_id, w.version), '+' ORDER BY w.work_id) FROM water_work w
                WHERE w.slot = o.slot AND w.device_id = o.device_id AND w.tank_id = o.tank_id AND w.ends_at > now())),
                ',' ORDER BY o.ownership_id), 0) AS devices,
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, (
                SELECT sum(g.version) FROM setting g
                WHERE g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id AND g.valid_until IS NULL)),
                ',' ORDER BY o.ownership_id), 0) AS parameters,
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, (
                SELECT string_agg(concat_ws('=', n.snooze_id, n.solved_at), '+' ORDER BY n.snooze_id) FROM snooze n
                WHERE n.slot = o.slot AND n.device_id = o.device_id AND n.ended_at IS NULL
                    AND (n.account_id = o.account_id OR n.answered_by = n.account_id))),
                ',' ORDER BY o.ownership_id), 0) AS snoozes
        FROM ownership o WHERE o.account_id = a.account_id AND o.unlinked_at IS NULL
    ) AS p
    CROSS JOIN LATERAL (
        SELECT (
            SELECT hashtextextended(string_agg(s::text, ',' ORDER BY s.slot, s.device_id, s.account_id, s.place), 0) FROM chain_step s
            WHERE s.account_id = a.account_id OR s.callee = a.account_id) / 2 AS steps, ( -- halved: the sum stays a bigint
            SELECT hashtextextended(string_agg(concat_ws(' ', x.escalation_id, x.held_until, (
                SELECT max(d.call_id) FROM escalation_call d WHERE d.slot = x.slot AND d.escalation_id = x.escalation_id)),
                ',' ORDER BY x.escalation_id), 0) / 2
            FROM escalation x WHERE x.account_id = a.account_id AND x.ended_at IS NULL) AS last
    ) AS c
    WHERE a.account_id = ANY (accounts_of(tickets))
    ORDER BY a.account_id
$$;

-- The parts of care of the ticket holders' tanks, as numbers that are others after any change: `journal` is what people wrote, `care`
-- reminders, and what became of them.
CREATE OR REPLACE FUNCTION care_parts(tickets text[]) RETURNS TABLE (account_id bigint, part text, version bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT o.account_id, v.part, sum(v.version)::bigint
    FROM ownership o JOIN care_version v ON v.slot = o.slot AND v.tank_id = o.tank_id
    WHERE o.account_id = ANY (accounts_of(tickets)) AND (o.role = 'owner' OR o.unlinked_at IS NULL)
    GROUP BY o.account_id, v.part
$$;

-- Which of some people have which of some devices now, since when, how the device is, and what of it is out of their range.
CREATE OR REPLACE FUNCTION live_devices(slots smallint[], devices integer[], accounts bigint[]) RETURNS TABLE (
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

CREATE OR REPLACE FUNCTION live_devices(slots smallint[], devices integer[], tickets text[]) RETURNS TABLE (
    slot smallint, device_id integer, account_id bigint, readings_from timestamptz, hardware_id text, online boolean,
    status_at timestamptz, parameters smallint[], sides text[], opened timestamptz[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT * FROM live_devices(slots, devices, accounts_of(tickets))
$$;

-- Open episodes of other kinds than range (silences, faults, fast changes, ways to a limit) of some devices, for the people of some tickets who
-- have them now. Gateways of the version before know no kind but range, of which live_devices tells.
CREATE OR REPLACE FUNCTION live_troubles(slots smallint[], devices integer[], tickets text[]) RETURNS TABLE (
    slot smallint, device_id integer, account_id bigint, kind text, parameter smallint, opened_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT x.slot, x.device_id, x.account_id, x.kind, x.parameter, x.opened_at
    FROM unnest(slots, devices, accounts_of(tickets)) AS w (slot, device_id, account_id)
    JOIN ownership o ON o.slot = w.slot AND o.device_id = w.device_id AND o.account_id = w.account_id
        AND o.unlinked_at IS NULL
    JOIN episode x ON x.slot = o.slot AND x.device_id = o.device_id AND x.account_id = o.account_id
        AND x.kind <> 'range' AND x.closed_at IS NULL;
END
$$;

-- What people were told lately, newest first and 50 of each at most.
CREATE OR REPLACE FUNCTION live_alerts(accounts bigint[], since timestamptz) RETURNS TABLE (
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

-- What the people of some tickets were told lately, newest first, with what tells whether its times are those of a slow clock, and whether it tells
-- of an end.
CREATE OR REPLACE FUNCTION live_alerts(tickets text[], since timestamptz) RETURNS TABLE (
    account_id bigint, slot smallint, device_id integer, alert_id bigint, uid uuid, hardware_id text, parameter smallint, kind text,
    purpose text, ended boolean, side text, value real, limit_value real, state text, event_time timestamptz, received_at timestamptz,
    decided_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT f.account_id, f.slot, a.device_id, f.alert_id, f.uid, f.hardware_id, f.parameter, f.kind, f.purpose, a.ended, f.side, f.value,
        f.limit_value, f.state, f.event_time, a.received_at, f.decided_at
    FROM live_alerts(accounts_of(tickets), since) AS f JOIN alert a ON a.slot = f.slot AND a.alert_id = f.alert_id
    ORDER BY f.account_id, f.decided_at DESC
$$;

-- How long before its receipt a reading may have been taken that comes at live pace: by a clock that is right or nearly so, by one
-- that is known to be behind, or by one of which that is not known (its lag is NULL).
CREATE OR REPLACE FUNCTION live_reach(noted integer, lag_seconds integer) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT interval '10 minutes' + CASE WHEN noted IS NULL THEN interval '0'
        ELSE coalesce(make_interval(secs => greatest(lag_seconds, 0)), interval '1 day') END
$$;

-- What devices have sent since a time of theirs, newest first and 50 of each at most; for a device without such a time, what came in the last
-- minute. Nothing of a device that nobody has, nor of before its people had it: which of them may see it says live_devices, which is asked
-- afterwards. A function whose rows change with the parameters is made anew.
DROP FUNCTION IF EXISTS live_samples(smallint[], integer[], timestamptz[], text[]), live_samples(smallint[], integer[], timestamptz[]);
CREATE FUNCTION live_samples(slots smallint[], devices integer[], since timestamptz[]) RETURNS TABLE (
    slot smallint, device_id integer, event_time timestamptz,
    --% each parameter, joined by ","
    {column} real
    --% end
)
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
            --% each parameter, joined by ","
            s.{column}
            --% end
        FROM sample s
        WHERE s.slot = w.slot AND s.device_id = w.device_id
            AND s.event_time >= greatest(had.readings_from, coalesce(w.since, now() - live_reach(c.device_id, c.lag_seconds)))
            AND s.event_time < now() + interval '10 minutes'
            AND (w.since IS NOT NULL OR last_receipt(s.received_at, s.filled) > now() - interval '1 minute')
            AND (s.deleted IS NULL OR num_nonnulls(
                --% each parameter, joined by ","
                s.{column}
                --% end
                ) > 0)
        ORDER BY s.event_time DESC
        LIMIT 50
    ) AS found
    WHERE had.readings_from IS NOT NULL;
END
$$;

CREATE FUNCTION live_samples(slots smallint[], devices integer[], since timestamptz[], tickets text[]) RETURNS TABLE (
    slot smallint, device_id integer, event_time timestamptz,
    --% each parameter, joined by ","
    {column} real
    --% end
)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT s.* FROM live_samples(slots, devices, since) AS s
    WHERE EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = s.slot AND o.device_id = s.device_id AND o.unlinked_at IS NULL
            AND o.account_id = ANY (accounts_of(tickets))
            AND o.readings_from <= s.event_time + make_interval(secs => clock_lag(s.slot, s.device_id)))
    ORDER BY s.slot, s.device_id, s.event_time DESC
$$;

-- What a person's devices have sent since a time of receipt, oldest first.
DROP FUNCTION IF EXISTS replay_samples(timestamptz, integer);
CREATE FUNCTION replay_samples(since timestamptz, most integer) RETURNS TABLE (
    slot smallint, device_id integer, hardware_id text, event_time timestamptz,
    --% each parameter, joined by ","
    {column} real
    --% end
)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, d.hardware_id, s.event_time,
        --% each parameter, joined by ","
        s.{column}
        --% end
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    LEFT JOIN device_clock c ON c.slot = o.slot AND c.device_id = o.device_id
    JOIN sample s ON s.slot = o.slot AND s.device_id = o.device_id
    WHERE o.account_id = current_account() AND o.unlinked_at IS NULL
        AND s.event_time >= greatest(o.readings_from, replay_samples.since - live_reach(c.device_id, c.lag_seconds))
        AND s.event_time < now() + interval '10 minutes'
        AND last_receipt(s.received_at, s.filled) > replay_samples.since
        AND (s.deleted IS NULL OR num_nonnulls(
            --% each parameter, joined by ","
            s.{column}
            --% end
            ) > 0)
    ORDER BY s.event_time
    LIMIT most;
END
$$;

REVOKE ALL ON FUNCTION
    live_ticket(), accounts_of(text[]), follow_slots(uuid, bigint, interval), unfollow_slots(uuid), followed_devices(bigint[]),
    followed_devices(text[]), setup_parts(text[]), care_parts(text[]), live_devices(smallint[], integer[], bigint[]),
    live_devices(smallint[], integer[], text[]), live_troubles(smallint[], integer[], text[]),
    live_alerts(bigint[], timestamptz), live_alerts(text[], timestamptz),
    live_samples(smallint[], integer[], timestamptz[]), live_samples(smallint[], integer[], timestamptz[], text[]),
    replay_samples(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    live_ticket(), follow_slots(uuid, bigint, interval), unfollow_slots(uuid), followed_devices(text[]), setup_parts(text[]), care_parts(text[]),
    live_devices(smallint[], integer[], text[]), live_troubles(smallint[], integer[], text[]), live_alerts(text[], timestamptz),
    live_samples(smallint[], integer[], timestamptz[], text[]), replay_samples(timestamptz, integer) TO aqua_gateway;
