-- Summaries of a person's water: when the next one is due, what it says, and sending it once.

-- The next summary after a time: its day, and when that is by the zone's clock. No row: none is wanted. A time that a change of clocks skips is
-- that much later, and of one that comes twice the second counts, as for quiet hours: a day has one. None is on the day of the last one, or before.
CREATE OR REPLACE FUNCTION next_summary(zone text, rhythm text, weekday smallint, at_time time, after timestamptz, told_on date)
RETURNS TABLE (day date, at timestamptz)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT n.day, t.at
    FROM (SELECT name, (after AT TIME ZONE name)::date AS today FROM (SELECT usable_time_zone(zone) AS name OFFSET 0) z) z
    CROSS JOIN generate_series(0, 15) AS ahead
    CROSS JOIN LATERAL (SELECT z.today + ahead AS day) n
    CROSS JOIN LATERAL (SELECT (n.day + at_time) AT TIME ZONE z.name AS at) t
    WHERE (rhythm = 'daily' OR rhythm = 'weekly' AND extract(isodow FROM n.day) = weekday) AND t.at > after
        -- the day of the last one may lie ahead where the zone is another since
        AND (told_on IS NULL OR n.day > least(told_on, z.today))
    ORDER BY t.at, n.day
    LIMIT 1
$$;

-- The first time from a given one on that lies in no quiet hours of a person.
CREATE OR REPLACE FUNCTION after_quiet_hours(person bigint, at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    free timestamptz := at;
    ends timestamptz;
BEGIN
    -- where clocks change one night may end within the next
    FOR turn IN 1..4 LOOP
        SELECT p.until INTO ends FROM quiet_hours q JOIN account a ON a.account_id = q.account_id
        CROSS JOIN LATERAL quiet_period(a.time_zone, q.begins_at, q.ends_at, q.days, free) p
        WHERE q.account_id = person;
        EXIT WHEN ends IS NULL;
        free := ends;
    END LOOP;
    RETURN free;
END
$$;

-- When a scheduled summary may come that is due at a time: twenty hours after the last one at the earliest, so that no change of zones or times
-- brings one after the other, and in no quiet hours.
CREATE OR REPLACE FUNCTION summary_time(person bigint, at timestamptz, told_at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS
    -- the last one lies ahead where the clock was set back since
    $$ SELECT after_quiet_hours(person, greatest(at, CASE WHEN told_at IS NOT NULL THEN least(told_at, now()) + interval '20 hours' END)) $$;

-- Plans a person's next summary, after now.
CREATE OR REPLACE FUNCTION plan_summary(person bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE summary_choice c SET (due_on, next_at) = (
        SELECT n.day, summary_time(person, n.at, c.told_at)
        FROM account a CROSS JOIN LATERAL next_summary(a.time_zone, c.rhythm, c.weekday, c.at_time, now(), c.told_on) n
        WHERE a.account_id = person)
    WHERE c.account_id = person
$$;

-- Follows a change of quiet hours or of the time zone: the summary that is due next stays that of its day, and one that waited for the end of
-- quiet hours comes when there are none.
CREATE OR REPLACE FUNCTION summary_follows(person bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE summary_choice c SET next_at = (
        SELECT summary_time(person, greatest(now(), (c.due_on + c.at_time) AT TIME ZONE usable_time_zone(a.time_zone)), c.told_at)
        FROM account a WHERE a.account_id = person)
    WHERE c.account_id = person AND c.next_at IS NOT NULL
$$;

-- What a summary of a person's water says of a time: a row about all tanks, then one for each of the twelve that need a look most. Bounded by the
-- person's tanks, by their alerts of that time and, of twelve tanks, by its hours. Arguments: the person, since when, until when.
CREATE OR REPLACE FUNCTION summarize(bigint, timestamptz, timestamptz) RETURNS SETOF jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH tank AS MATERIALIZED (
        SELECT o.slot, o.device_id, o.name, o.readings_from,
            -- what was linked within that time may have had nothing to say yet
            d.kind = 'device' AND o.linked_at < $2 AND NOT EXISTS (
                SELECT FROM sample_hour h WHERE h.slot = o.slot AND h.device_id = o.device_id AND h.starts_at >= $2 AND h.starts_at < $3)
                AS is_silent
        FROM ownership o JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
        WHERE o.account_id = $1 AND o.unlinked_at IS NULL
    ), trouble AS MATERIALIZED (
        SELECT slot, device_id, kind, parameter, side, sum(alarms) AS alarms, bool_or(goes_on) AS goes_on
        FROM (
            -- by when it began: one of the evening may be told in the morning
            SELECT a.slot, a.device_id, a.kind, a.parameter, a.side, count(DISTINCT a.episode_id) AS alarms, false AS goes_on
            FROM alert a
            WHERE a.account_id = $1 AND a.decided_at >= $2 AND a.decided_at <= now() AND a.opened_at >= $2 AND a.opened_at < $3
                AND a.purpose IN ('alarm', 'past')
                AND a.device_id IS NOT NULL AND a.state <> 'cancelled' AND NOT a.ended
            GROUP BY a.slot, a.device_id, a.kind, a.parameter, a.side
            UNION ALL
            SELECT e.slot, e.device_id, e.kind, e.parameter, e.side, 0, true
            FROM tank t CROSS JOIN LATERAL (
                -- looked up tank by tank, not among all that are open; told or held back, it goes on
                SELECT * FROM episode o
                WHERE o.slot = t.slot AND o.device_id = t.device_id AND o.account_id = $1 AND o.closed_at IS NULL
                OFFSET 0) e) each
        GROUP BY slot, device_id, kind, parameter, side
    ), look AS (
        SELECT t.*, coalesce(f.alarms, 0) AS alarms, coalesce(f.open, 0) AS open, f.troubles
        FROM tank t
        LEFT JOIN (
            SELECT slot, device_id, sum(alarms) AS alarms, count(*) FILTER (WHERE goes_on) AS open,
                (array_agg(jsonb_build_object('kind', kind, 'parameter', parameter, 'side', side, 'alarms', alarms, 'goesOn', goes_on)
                    ORDER BY goes_on DESC, alarms DESC, kind, parameter))[1:6] AS troubles
            FROM trouble GROUP BY slot, device_id) f ON f.slot = t.slot AND f.device_id = t.device_id
    ), named AS (
        SELECT *, row_number() OVER (ORDER BY open > 0 DESC, is_silent DESC, alarms DESC, name, slot, device_id) AS place
        FROM look
        ORDER BY place
        LIMIT 12
    )
    SELECT line FROM (
        SELECT 0 AS place, jsonb_build_object(
            'tanks', count(*), 'alarms', sum(alarms), 'alarmed', count(*) FILTER (WHERE alarms > 0), 'open', sum(open),
            'troubled', count(*) FILTER (WHERE open > 0), 'silent', count(*) FILTER (WHERE is_silent)) AS line
        FROM look HAVING count(*) > 0
        UNION ALL
        SELECT n.place, jsonb_build_object(
            'name', n.name, 'troubles', coalesce(to_jsonb(n.troubles), '[]'), 'isSilent', n.is_silent, 'ranges', coalesce(r.ranges, '[]'))
        FROM named n
        CROSS JOIN LATERAL (
            SELECT
                --% each parameter, joined by ","
                min(h.{column}_min) AS least{number}, max(h.{column}_max) AS most{number}
                --% end
            FROM sample_hour h
            WHERE h.slot = n.slot AND h.device_id = n.device_id AND h.starts_at >= greatest($2, n.readings_from) AND h.starts_at < $3) h
        CROSS JOIN LATERAL (
            SELECT jsonb_agg(
                jsonb_build_object('parameter', w.parameter, 'unit', w.unit, 'least', w.least, 'most', w.most)
                ORDER BY w.position, w.parameter) AS ranges
            FROM (
                SELECT s.parameter, s.unit, s.position, v.least, v.most
                FROM setting s JOIN (VALUES
                    --% each parameter, joined by ","
                    ({number}, h.least{number}, h.most{number})
                    --% end
                ) v (parameter, least, most) ON v.parameter = s.parameter
                WHERE s.slot = n.slot AND s.device_id = n.device_id AND s.account_id = $1 AND s.valid_until IS NULL
                    AND (s.minimum IS NOT NULL OR s.maximum IS NOT NULL OR s.periods IS NOT NULL) AND v.least IS NOT NULL
                ORDER BY s.position, s.parameter
                LIMIT 12) w) r) lines
    ORDER BY place
$$;

-- Whether something is gathered for a person, or was a moment ago, so that their digest is told soon.
CREATE OR REPLACE FUNCTION awaits_digest(person bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM gathering g WHERE g.account_id = person AND g.ended_at IS NULL)
        OR EXISTS (SELECT FROM episode e WHERE e.account_id = person AND e.gathered)
$$;

-- Tells a person how their water was on the last day that is over, or the last seven, by the ways by which they are told notes. The outcome:
--   added; nothing: they have no tank; nowhere: nothing but calls reaches them; tooMany: they have had twenty in a day, asked for or not
CREATE OR REPLACE FUNCTION add_summary(person bigint, in_rhythm text, known_as uuid) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ways CONSTANT bigint[] := ways_of_notes(person, '{}', ARRAY['call']);
    days CONSTANT integer := CASE in_rhythm WHEN 'weekly' THEN 7 ELSE 1 END;
    zone text;
    today date;
    lines text[];
BEGIN
    IF 20 <= (SELECT count(*) FROM alert a
        WHERE a.account_id = person AND a.kind = 'summary' AND a.decided_at > now() - interval '1 day' AND a.decided_at <= now())
    THEN
        RETURN 'tooMany';
    END IF;
    SELECT usable_time_zone(a.time_zone) INTO zone FROM account a WHERE a.account_id = person;
    today := (now() AT TIME ZONE zone)::date;
    SELECT array_agg(s.line::text) INTO lines
    FROM summarize(person, (today - days)::timestamp AT TIME ZONE zone, today::timestamp AT TIME ZONE zone) WITH ORDINALITY s (line, place);
    IF ways IS NULL THEN
        RETURN 'nowhere';
    ELSIF lines IS NULL THEN
        RETURN 'nothing';
    END IF;
    lines[1] := (lines[1]::jsonb || jsonb_build_object('from', (today - days)::text, 'through', (today - 1)::text))::text;
    PERFORM tell_note(person, 'summary', lines, now(), ways, known_as);
    RETURN 'added';
END
$$;

-- Sends the summaries that are due, each once: one notifier at a time looks, and what was sent is planned anew in the same transaction. One whose
-- time has come in quiet hours, which may be others by now, waits for their end, and then up to an hour for the digest of what was held back; one
-- that is more than six hours late is left out. Returns how many there were, and how many of them were sent; NULL: another notifier looks, or the
-- clock is in doubt.
CREATE OR REPLACE FUNCTION send_summaries(most integer, OUT due integer, OUT sent integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person bigint;
    chosen summary_choice;
    free timestamptz;
    outcome text;
BEGIN
    IF NOT clock_is_trusted() OR NOT pg_try_advisory_xact_lock(7133707) THEN
        RETURN;
    END IF;
    due := 0;
    sent := 0;
    FOR person IN
        SELECT c.account_id FROM summary_choice c
        WHERE c.next_at <= now() AND (c.next_at <= now() - interval '1 hour' OR NOT awaits_digest(c.account_id))
        ORDER BY c.next_at LIMIT most
    LOOP
        due := due + 1;
        -- the account first, as whoever closes it locks
        PERFORM FROM account a WHERE a.account_id = person FOR NO KEY UPDATE;
        SELECT * INTO chosen FROM summary_choice c WHERE c.account_id = person AND c.next_at <= now() FOR NO KEY UPDATE;
        CONTINUE WHEN NOT FOUND;
        free := summary_time(person, now(), chosen.told_at);
        IF free > now() THEN
            UPDATE summary_choice SET next_at = free WHERE account_id = person;
            CONTINUE;
        END IF;
        IF chosen.next_at >= now() - interval '6 hours' THEN
            -- what cannot be stored of one person keeps nobody's summary back
            BEGIN
                outcome := add_summary(person, chosen.rhythm, new_alert_uid());
            EXCEPTION WHEN integrity_constraint_violation THEN
                outcome := 'refused';
            END;
            sent := sent + (outcome = 'added')::integer;
            UPDATE summary_choice SET told_on = chosen.due_on, told_at = CASE outcome WHEN 'added' THEN now() ELSE told_at END
            WHERE account_id = person;
        END IF;
        PERFORM plan_summary(person);
    END LOOP;
END
$$;

-- Sends the named person a summary now, also in quiet hours: whoever asks is awake. The outcome:
--   those of add_summary; tooMany: also where they have had three in ten minutes
CREATE OR REPLACE FUNCTION ask_summary(known_as uuid, OUT outcome text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
BEGIN
    -- one at a time, so that the count holds
    PERFORM FROM account a WHERE a.account_id = person FOR NO KEY UPDATE;
    IF 3 <= (SELECT count(*) FROM alert a
        WHERE a.account_id = person AND a.kind = 'summary' AND a.decided_at > now() - interval '10 minutes' AND a.decided_at <= now())
    THEN
        outcome := 'tooMany';
    ELSE
        outcome := add_summary(person, (SELECT c.rhythm FROM summary_choice c WHERE c.account_id = person), known_as);
    END IF;
END
$$;

-- Sets what the named person is told regularly, in place of what was before.
CREATE OR REPLACE FUNCTION set_summary(in_rhythm text, on_weekday smallint, daily_at time, on_proofs text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
BEGIN
    IF person IS NULL THEN
        RETURN;
    END IF;
    -- the account first, as the notifiers lock
    PERFORM FROM account a WHERE a.account_id = person FOR NO KEY UPDATE;
    INSERT INTO summary_choice AS c (account_id, rhythm, weekday, at_time, proofs)
    VALUES (person, 'off', on_weekday, daily_at, on_proofs)
    ON CONFLICT (account_id) DO UPDATE SET proofs = excluded.proofs;
    UPDATE summary_choice c SET (rhythm, weekday, at_time, due_on, next_at) = (
        SELECT in_rhythm, on_weekday, daily_at, n.day, summary_time(person, n.at, c.told_at)
        FROM account a LEFT JOIN LATERAL next_summary(a.time_zone, in_rhythm, on_weekday, daily_at, now(), c.told_on) n ON true
        WHERE a.account_id = person)
    WHERE c.account_id = person AND (c.rhythm, c.weekday, c.at_time) <> (in_rhythm, on_weekday, daily_at);
END
$$;

REVOKE ALL ON FUNCTION
    next_summary(text, text, smallint, time, timestamptz, date), after_quiet_hours(bigint, timestamptz),
    summary_time(bigint, timestamptz, timestamptz), plan_summary(bigint), summary_follows(bigint),
    summarize(bigint, timestamptz, timestamptz), awaits_digest(bigint), add_summary(bigint, text, uuid), send_summaries(integer),
    ask_summary(uuid), set_summary(text, smallint, time, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION send_summaries(integer) TO aqua_notifier;
GRANT EXECUTE ON FUNCTION ask_summary(uuid), set_summary(text, smallint, time, text) TO aqua_gateway;
