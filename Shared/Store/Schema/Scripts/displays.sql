-- Displays: what a device shows of what its owner sees, and its button, by which it answers alarms for them. Only of devices whose owner wants it.

-- The devices that show something, with their owners.
CREATE OR REPLACE FUNCTION list_displays() RETURNS TABLE (slot smallint, device_id integer, hardware_id text, account_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT o.slot, o.device_id, d.hardware_id, o.account_id
    FROM ownership o JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    WHERE o.shows_on_device AND o.unlinked_at IS NULL
$$;

-- What some devices show beside their values: the owner's name, settings and open episodes in the owner's order; of each episode when it was told
-- last, and who is on it since when; and the work that goes on. Limits are those that hold now, with the seconds until others may (NULL: they are always these).
-- A function whose rows have another column is made anew.
DROP FUNCTION IF EXISTS read_displays(smallint[], integer[]);
CREATE FUNCTION read_displays(slots smallint[], devices integer[]) RETURNS TABLE (
    slot smallint, device_id integer, name text, utc_offset integer, lag integer, readings_from timestamptz,
    parameters smallint[], units text[], minima integer[], maxima integer[], critical_minima integer[], critical_maxima integer[],
    turns integer[], kinds text[], subjects smallint[], sides text[], answered_by text, answered_until timestamptz,
    told_at timestamptz[], answerers text[], answers_from timestamptz[], answers_until timestamptz[], work text, work_until timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, o.name,
        extract(epoch FROM now() AT TIME ZONE usable_time_zone(a.time_zone) - now() AT TIME ZONE 'UTC')::integer,
        clock_lag(o.slot, o.device_id), o.readings_from,
        coalesce(g.parameters, '{}'), coalesce(g.units, '{}'), coalesce(g.minima, '{}'), coalesce(g.maxima, '{}'),
        coalesce(g.critical_minima, '{}'), coalesce(g.critical_maxima, '{}'), coalesce(g.turns, '{}'),
        coalesce(e.kinds, '{}'), coalesce(e.subjects, '{}'), coalesce(e.sides, '{}'),
        -- The version before took one answer as that of every alarm: to it nobody is on anything.
        NULL::text, NULL::timestamptz,
        coalesce(e.told_at, '{}'), coalesce(e.answerers, '{}'), coalesce(e.answers_from, '{}'), coalesce(e.answers_until, '{}'),
        k.kind, k.ends_at
    FROM unnest(slots, devices) AS w (slot, device_id)
    JOIN ownership o ON o.slot = w.slot AND o.device_id = w.device_id AND o.shows_on_device AND o.unlinked_at IS NULL
    JOIN account a ON a.account_id = o.account_id
    CROSS JOIN LATERAL (
        SELECT array_agg(s.parameter ORDER BY s.position, s.parameter) AS parameters,
            array_agg(s.unit ORDER BY s.position, s.parameter) AS units,
            array_agg(l.low ORDER BY s.position, s.parameter) AS minima,
            array_agg(l.high ORDER BY s.position, s.parameter) AS maxima,
            array_agg(l.critical_low ORDER BY s.position, s.parameter) AS critical_minima,
            array_agg(l.critical_high ORDER BY s.position, s.parameter) AS critical_maxima,
            array_agg(ceil(extract(epoch FROM next_limit_turn(s.periods) - now()))::integer ORDER BY s.position, s.parameter) AS turns
        FROM setting s
        CROSS JOIN LATERAL limits_at(s.periods, s.minimum, s.maximum, s.critical_minimum, s.critical_maximum, now()) l
        WHERE s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id AND s.valid_until IS NULL
    ) AS g
    CROSS JOIN LATERAL (
        SELECT array_agg(x.kind ORDER BY x.episode_id) AS kinds, array_agg(x.parameter ORDER BY x.episode_id) AS subjects,
            array_agg(x.side ORDER BY x.episode_id) AS sides,
            array_agg(CASE WHEN x.alert_id IS NOT NULL THEN coalesce(a.decided_at, x.opened_at) END ORDER BY x.episode_id) AS told_at,
            array_agg(n.person ORDER BY x.episode_id) AS answerers, array_agg(n.set_at ORDER BY x.episode_id) AS answers_from,
            array_agg(n.snoozed_until ORDER BY x.episode_id) AS answers_until
        FROM episode x
        LEFT JOIN alert a ON a.slot = x.slot AND a.alert_id = x.alert_id
        LEFT JOIN LATERAL (
            SELECT shown_name(p.display_name, p.email) AS person, c.set_at, c.snoozed_until
            FROM current_answer c JOIN account p ON p.account_id = c.account_id
            WHERE c.slot = x.slot AND c.device_id = x.device_id AND c.kind = x.kind AND c.parameter IS NOT DISTINCT FROM x.parameter
                AND c.side IS NOT DISTINCT FROM x.side AND c.solved_at IS NULL
            ORDER BY c.set_at DESC
            LIMIT 1
        ) AS n ON true
        WHERE x.slot = o.slot AND x.device_id = o.device_id AND x.account_id = o.account_id AND x.closed_at IS NULL
    ) AS e
    LEFT JOIN LATERAL (
        SELECT w.kind, w.ends_at FROM water_work w
        WHERE w.slot = o.slot AND w.device_id = o.device_id AND w.tank_id = o.tank_id AND w.ends_at > now() AND w.begins_at <= now()
        ORDER BY w.ends_at DESC
        LIMIT 1
    ) AS k ON true;
END
$$;

-- The last value of each parameter of some devices, as their owners see it. Each owner is named for the time of the question.
CREATE OR REPLACE FUNCTION latest_of_displays(slots smallint[], devices integer[])
RETURNS TABLE (slot smallint, device_id integer, parameter smallint, event_time timestamptz, value real)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    shown record;
BEGIN
    FOR shown IN
        SELECT o.account_id, d.hardware_id FROM unnest(slots, devices) AS w (slot, device_id)
        JOIN ownership o ON o.slot = w.slot AND o.device_id = w.device_id AND o.shows_on_device AND o.unlinked_at IS NULL
        JOIN device d ON d.slot = w.slot AND d.device_id = w.device_id
    LOOP
        PERFORM name_person(shown.account_id);
        RETURN QUERY SELECT r.slot, r.device_id, r.parameter, r.event_time, r.value FROM latest_readings(shown.hardware_id) r;
    END LOOP;
    PERFORM set_config('aqua.account', '', true);
END
$$;

-- Tells the Ingestor which shows it that something has begun with devices.
CREATE OR REPLACE FUNCTION opened_is_shown() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- once for a batch, in a form that is looked up for each episode, however many the planner expects
    PERFORM pg_notify('display', shown.device_id::text) FROM (
        SELECT DISTINCT e.device_id FROM opened e
        WHERE (SELECT count(*) FROM ownership o
            WHERE o.slot = e.slot AND o.device_id = e.device_id AND o.account_id = e.account_id
                AND o.shows_on_device AND o.unlinked_at IS NULL) > 0) AS shown;
    RETURN NULL;
END
$$;

-- The same of what has ended, or was told anew: whoever had answered has not answered that. By row, since most changes of an episode are
-- neither.
CREATE OR REPLACE FUNCTION closed_is_shown() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('display', NEW.device_id::text) FROM ownership o
    WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.account_id = NEW.account_id AND o.shows_on_device AND o.unlinked_at IS NULL;
    RETURN NULL;
END
$$;

-- Tells the Ingestor that another device shows something, or one nothing any more, or another person's.
CREATE OR REPLACE FUNCTION displays_changed() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('display', 'list');
    RETURN NULL;
END
$$;

-- Whether the owner lets a button answer for them, and who that is. A press counts once, by the id that the device gave it.
CREATE OR REPLACE FUNCTION take_press(of_slot smallint, of_device integer, press text, OUT person bigint, OUT said text)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT o.account_id INTO person FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.shows_on_device AND o.unlinked_at IS NULL;
    IF person IS NULL THEN
        said := 'off';
        RETURN;
    END IF;
    INSERT INTO device_button AS b (slot, device_id, presses) VALUES (of_slot, of_device, ARRAY[press])
    ON CONFLICT (slot, device_id) DO UPDATE SET presses = (press || b.presses)[1:16], pressed_at = now()
    -- a press by a clock that was ahead holds nothing up
    WHERE NOT press = ANY (b.presses) AND (b.pressed_at <= now() - interval '2 seconds' OR b.pressed_at > now() + interval '5 minutes');
    said := CASE WHEN FOUND THEN 'done' ELSE 'repeated' END;
END
$$;

-- Answers, for the owner, every alarm of theirs that goes on with a device, as its button was pressed: 'onIt', or 'snooze' for an hour. The device
-- gives each press an id. What was held for the owner since they were told of it last is held no longer by that: whoever has the device's key keeps
-- nobody from what comes after an hour. It says what came of it:
--     done      of each alarm that goes on, as if the owner had said it; also where there is none, or none that was told since it was held
--     repeated  one of the last sixteen presses again, or the second within two seconds
--     off       the device shows nothing
CREATE OR REPLACE FUNCTION press_button(of_slot smallint, of_device integer, press text, said text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    taken CONSTANT record := take_press(of_slot, of_device, press);
    person CONSTANT bigint := taken.person;
    alarm record;
BEGIN
    IF taken.said <> 'done' THEN
        RETURN taken.said;
    END IF;
    PERFORM name_person(person);
    FOR alarm IN
        SELECT e.kind, e.parameter, e.side, e.episode_id FROM episode e
        WHERE e.slot = of_slot AND e.device_id = of_device AND e.account_id = person AND e.closed_at IS NULL AND e.alert_id IS NOT NULL
            AND NOT EXISTS (
                SELECT FROM snooze n
                WHERE n.account_id = person AND n.slot = of_slot AND n.device_id = of_device AND n.episode_id = e.episode_id
                    AND n.set_at <= now() + interval '5 minutes'
                    AND n.set_at >= coalesce((SELECT a.decided_at FROM alert a WHERE a.slot = e.slot AND a.alert_id = e.alert_id), e.opened_at))
        ORDER BY e.episode_id
    LOOP
        IF said = 'onIt' THEN
            PERFORM give_answer(of_slot, of_device, alarm.kind, alarm.parameter, alarm.side, said);
        ELSE
            PERFORM snooze_for_an_hour(of_slot, of_device, alarm.kind, alarm.parameter, alarm.side, alarm.episode_id, person);
        END IF;
    END LOOP;
    PERFORM set_config('aqua.account', '', true);
    RETURN 'done';
END
$$;

-- Begins work for the owner, as the button was pressed: fifteen minutes of feeding, thirty of anything else; or finishes what goes on ('finish').
-- It says what press_button says, and 'refused' where the tank was worked on for too long.
CREATE OR REPLACE FUNCTION press_for_work(of_slot smallint, of_device integer, press text, as_kind text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    taken record;
BEGIN
    -- the slot before all else, as whoever enters work locks it
    PERFORM FROM slot WHERE slot = of_slot FOR UPDATE;
    taken := take_press(of_slot, of_device, press);
    IF taken.said <> 'done' THEN
        RETURN taken.said;
    ELSIF as_kind = 'finish' THEN
        PERFORM change_work(of_slot, of_device, taken.person, w.work_id, 'finish', NULL)
        FROM water_work w JOIN ownership o ON o.slot = w.slot AND o.ownership_id = w.tank_id AND o.unlinked_at IS NULL
        WHERE w.slot = of_slot AND w.device_id = of_device AND w.ends_at > now() AND w.begins_at <= now();
        RETURN 'done';
    END IF;
    BEGIN
        RETURN CASE enter_work(of_slot, of_device, taken.person, gen_random_uuid(), as_kind, NULL, NULL,
                CASE as_kind WHEN 'feeding' THEN 15 ELSE 30 END, true, NULL)
            WHEN 'created' THEN 'done' ELSE 'refused' END;
    EXCEPTION WHEN SQLSTATE 'AQ001' OR SQLSTATE 'AQ003' THEN -- a tank has so much of it in a day, and in all
        RETURN 'refused';
    END;
END
$$;

-- Snoozes what goes on for a person, for an hour at most: it ends with its episode. A snooze that lasts longer than that from now stays.
CREATE OR REPLACE FUNCTION snooze_for_an_hour(
    of_slot smallint, of_device integer, about text, of_parameter smallint, on_side text, episode bigint, person bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    until CONSTANT timestamptz := now() + interval '1 hour';
BEGIN
    -- as whoever snoozes in the app
    PERFORM FROM account a WHERE a.account_id = person FOR KEY SHARE;
    PERFORM FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = person AND o.unlinked_at IS NULL FOR UPDATE;
    IF EXISTS (
        SELECT FROM snooze n
        WHERE n.slot = of_slot AND n.device_id = of_device AND n.account_id = person AND n.kind = about
            AND n.parameter IS NOT DISTINCT FROM of_parameter AND n.side IS NOT DISTINCT FROM on_side AND n.ended_at IS NULL
            AND n.answered_by IS NULL AND (n.episode_id IS NULL OR n.episode_id = episode) AND n.snoozed_until >= until AND n.set_at <= now() + interval '5 minutes')
    THEN
        RETURN;
    END IF;
    UPDATE snooze n SET ended_at = greatest(now(), n.set_at)
    WHERE n.slot = of_slot AND n.device_id = of_device AND n.account_id = person AND n.kind = about
        AND n.parameter IS NOT DISTINCT FROM of_parameter AND n.side IS NOT DISTINCT FROM on_side AND n.ended_at IS NULL;
    INSERT INTO snooze (slot, device_id, account_id, kind, parameter, side, episode_id, set_at, snoozed_until)
    VALUES (of_slot, of_device, person, about, of_parameter, on_side, episode, now(), until);
    PERFORM forget_snoozes(of_slot, of_device, person);
END
$$;

-- Several Ingestors that share the messages hear each other's readings as open screens do.
GRANT EXECUTE ON FUNCTION follow_slots(uuid, bigint, interval) TO aqua_ingestor;

REVOKE ALL ON FUNCTION
    list_displays(), read_displays(smallint[], integer[]), latest_of_displays(smallint[], integer[]), opened_is_shown(), closed_is_shown(),
    displays_changed(), take_press(smallint, integer, text), press_button(smallint, integer, text, text),
    press_for_work(smallint, integer, text, text), snooze_for_an_hour(smallint, integer, text, smallint, text, bigint, bigint)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    list_displays(), read_displays(smallint[], integer[]), latest_of_displays(smallint[], integer[]),
    press_button(smallint, integer, text, text), press_for_work(smallint, integer, text, text) TO aqua_ingestor;
