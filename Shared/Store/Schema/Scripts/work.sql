-- Work on the water: who may enter it, how much of it there may be, and what follows.

-- Stretches of work by the clock of their device, by which readings are stored.
CREATE OR REPLACE VIEW device_work AS
    SELECT w.slot, w.device_id, w.begins_at, w.ends_at,
        tstzrange(w.begins_at - c.lag, w.ends_at - c.lag) AS period
    FROM water_work w
    CROSS JOIN LATERAL (SELECT make_interval(secs => coalesce((
        SELECT k.lag_seconds FROM device_clock k WHERE k.slot = w.slot AND k.device_id = w.device_id), 0)) AS lag) c;
GRANT SELECT ON device_work TO aqua_ingestor, aqua_rules;

-- Work in the person's tanks. part, name and is_oneself: who began it; NULL where nobody is known.
DROP VIEW IF EXISTS person_work;
CREATE VIEW person_work AS
    SELECT w.slot, w.tank_id, w.device_id, w.work_id, w.kind, w.begins_at, w.until, w.ends_at, w.keeps_hard, w.version,
        p.part, p.name, p.is_oneself
    FROM person_tank t
    JOIN water_work w ON w.slot = t.slot AND w.tank_id = t.tank_id AND w.withdrawn_at IS NULL
    -- as tank_person, looked up for each: that view finds everybody of all tanks first
    LEFT JOIN LATERAL (
        SELECT o.ownership_id AS part, shown_name(a.display_name, a.email) AS name, a.account_id = (SELECT current_account()) AS is_oneself
        FROM ownership o JOIN account a ON a.account_id = o.account_id
        WHERE o.slot = w.slot AND o.tank_id = w.tank_id AND o.account_id = w.account_id
        ORDER BY o.ownership_id DESC
        LIMIT 1
    ) p ON true;
GRANT SELECT ON person_work TO aqua_gateway;

-- Closes what had opened in a stretch of work that was entered afterwards, and cancels what of it is still on its way. What was found wrong after
-- the work as well goes on, with its answers and calls: it began when the work ended. What was told stays told, so throttles stay charged, but for
-- what nobody can have heard of. Critical values stay what they are, and so do values by hand: no probe in the air measured them. The slot is
-- locked.
CREATE OR REPLACE FUNCTION close_in_work(of_slot smallint, of_device integer, of_tank bigint, since timestamptz, till timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    lag CONSTANT interval := make_interval(secs => clock_lag(of_slot, of_device));
    past CONSTANT timestamptz := least(till, now());
    found_in bigint[];
    going_on bigint[];
BEGIN
    SELECT array_agg(e.episode_id) FILTER (WHERE NOT t.is_wrong_since), array_agg(e.episode_id) FILTER (WHERE t.is_wrong_since)
    INTO found_in, going_on
    FROM episode e
    CROSS JOIN LATERAL (SELECT CASE e.kind WHEN 'silence' THEN interval '0' ELSE lag END AS lag) c
    CROSS JOIN LATERAL (
        SELECT till <= now() AND till <= c.lag + greatest(e.last_at, (
            -- each word of a broken probe, of which an episode keeps the first
            SELECT f.last_at FROM probe_fault f
            WHERE e.kind = 'fault' AND f.slot = e.slot AND f.device_id = e.device_id AND f.parameter = e.parameter)) AS is_wrong_since) t
    WHERE e.slot = of_slot AND e.device_id = of_device AND e.closed_at IS NULL AND NOT e.critical AND e.kind <> 'byHand'
        AND e.opened_at + c.lag >= since AND e.opened_at + c.lag < past
        AND EXISTS (SELECT FROM ownership o
            WHERE o.slot = of_slot AND o.tank_id = of_tank AND o.account_id = e.account_id AND o.unlinked_at IS NULL);
    UPDATE episode SET opened_at = till - CASE kind WHEN 'silence' THEN interval '0' ELSE lag END
    WHERE slot = of_slot AND episode_id = ANY (going_on);
    IF found_in IS NULL THEN
        RETURN;
    END IF;
    -- alerts before all other rows, in the order in which notifiers lock them
    PERFORM FROM alert
    WHERE slot = of_slot AND episode_id = ANY (found_in) AND state IN ('decided', 'sending')
    ORDER BY slot, alert_id
    FOR UPDATE;
    WITH closed AS (
        UPDATE episode SET closed_at = greatest(past - CASE kind WHEN 'silence' THEN interval '0' ELSE lag END, last_at),
            closed_because = 'working'
        WHERE slot = of_slot AND episode_id = ANY (found_in)
        RETURNING slot, episode_id, closed_at
    ), explained AS (
        INSERT INTO transition (slot, episode_id, event_time, reason, notification)
        SELECT slot, episode_id, closed_at, 'working', 'none' FROM closed
    ), cancelled AS (
        UPDATE alert SET state = 'cancelled'
        WHERE slot = of_slot AND episode_id = ANY (found_in) AND state IN ('decided', 'sending')
        RETURNING slot, alert_id
    ), unheard AS (
        DELETE FROM throttle t USING cancelled c
        WHERE t.slot = c.slot AND t.alert_id = c.alert_id AND NOT EXISTS (
            SELECT FROM delivery d WHERE d.slot = c.slot AND d.alert_id = c.alert_id
                AND (d.state = 'accepted' OR d.ambiguous_at IS NOT NULL OR d.holder IS NOT NULL))
    )
    UPDATE delivery d SET state = 'cancelled', ended_at = now()
    FROM cancelled c WHERE d.slot = c.slot AND d.alert_id = c.alert_id AND d.state = 'pending';
END
$$;

-- Consequences of a stretch of work that was entered, changed or taken away: engines read the device anew, closed hours are rolled up again,
-- and it shows on open screens and on the device.
CREATE OR REPLACE FUNCTION work_has_changed(of_slot smallint, of_device integer, of_tank bigint, since timestamptz, till timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    lag CONSTANT interval := make_interval(secs => clock_lag(of_slot, of_device));
BEGIN
    PERFORM rules_changed(of_slot, of_device);
    -- Like samples that come late, hours that are closed by the clock are marked, whether they were rolled up or not: one that is being rolled up
    -- does not see this. The first roll-up of those that it has not reached takes the mark.
    INSERT INTO rollup_due (slot, device_id, hour)
    SELECT of_slot, of_device, hour
    FROM generate_series(date_bin('1 hour', since - lag, 'epoch'), till - lag, interval '1 hour') AS hour
    WHERE hour < date_bin('1 hour', clock_timestamp() - interval '10 minutes', 'epoch');
    PERFORM pg_notify('setup', bucket::text) FROM (
        SELECT DISTINCT o.account_id & 255 AS bucket FROM ownership o
        WHERE o.slot = of_slot AND o.tank_id = of_tank AND o.unlinked_at IS NULL) AS told;
    PERFORM pg_notify('display', of_device::text) FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.shows_on_device AND o.unlinked_at IS NULL;
END
$$;

-- The time in which a stretch of work holds alarms back, or did: of one that was withdrawn, from when it was entered until then.
CREATE OR REPLACE FUNCTION time_in_force(work water_work) RETURNS tstzrange
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN work.withdrawn_at IS NULL THEN tstzrange(work.begins_at, work.ends_at)
        ELSE tstzrange(t.since, greatest(t.since, least(work.until, work.ended_at, work.withdrawn_at))) END
    FROM (SELECT greatest(work.begins_at, work.entered_at) AS since) AS t
$$;

-- Whether a tank is worked on for more than twelve of any twenty-four hours, if a stretch is added in the place of another: nobody keeps it from
-- alarming for ever, however often they begin.
CREATE OR REPLACE FUNCTION is_too_much_work(of_slot smallint, of_tank bigint, instead uuid, since timestamptz, till timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH worked AS MATERIALIZED (
        SELECT coalesce(range_agg(time_in_force(w)), '{}') + tstzmultirange(tstzrange(since, till)) AS periods
        FROM water_work w
        WHERE w.slot = of_slot AND w.tank_id = of_tank AND w.work_id <> instead
            AND w.begins_at < till + interval '1 day' AND w.begins_at > since - interval '2 days'
    )
    -- A window that holds the most begins where a stretch begins.
    SELECT EXISTS (
        SELECT FROM worked, unnest(worked.periods) AS starts
        WHERE (
            SELECT sum(upper(part) - lower(part))
            FROM unnest(worked.periods * tstzmultirange(tstzrange(lower(starts), lower(starts) + interval '1 day'))) AS part
        ) > interval '12 hours')
$$;

-- Enters a stretch of work in a tank, or another one in its place. It says what came of it:
--     created, changed, same
--     foreign  the id is of something else
--     stale    it is there, and another version than the one that is known
--     notYours somebody else began it, and the person does not own the device
--     tooLong  more than twelve hours
--     tooMuch  more than twelve of twenty-four hours
--     tooLate  longer ago than what is measured can be judged anew: 31 days, or before the tank
--     tooEarly it would begin later than now
-- known: the version that the client changes; NULL: it adds. person: NULL for an operator.
CREATE OR REPLACE FUNCTION enter_work(
    of_slot smallint, of_device integer, person bigint, work uuid, as_kind text, since timestamptz, till timestamptz, minutes integer,
    keeps boolean, known integer) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tank ownership;
    found_work water_work;
    wish CONSTANT text := md5(concat_ws(' ', as_kind, since, till, minutes, keeps));
    begins timestamptz := coalesce(since, now());
    ends CONSTANT timestamptz := coalesce(till, coalesce(since, now()) + make_interval(mins => minutes));
BEGIN
    -- No engine decides of it meanwhile, and of two who begin at once one comes after the other.
    PERFORM FROM slot WHERE slot = of_slot FOR UPDATE;
    SELECT * INTO tank FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL AND o.may_act
        AND CASE WHEN person IS NULL THEN o.role = 'owner' ELSE o.account_id = person END;
    IF NOT FOUND THEN
        RETURN 'foreign';
    END IF;
    SELECT * INTO found_work FROM water_work w WHERE w.work_id = work;
    IF FOUND THEN
        IF found_work.slot <> of_slot OR found_work.tank_id <> tank.tank_id THEN
            RETURN 'foreign';
        ELSIF known IS NULL THEN
            RETURN CASE WHEN found_work.asked = wish THEN 'same' ELSE 'stale' END;
        ELSIF found_work.version <> known THEN
            RETURN 'stale';
        ELSIF tank.role <> 'owner' AND found_work.account_id IS DISTINCT FROM person THEN
            RETURN 'notYours';
        ELSIF found_work.withdrawn_at IS NOT NULL THEN
            RETURN 'stale';
        END IF;
        -- Time that has been in force stays so.
        begins := least(begins, found_work.begins_at);
    ELSIF known IS NOT NULL THEN
        RETURN 'stale';
    END IF;
    IF begins > now() + interval '5 minutes' THEN
        RETURN 'tooEarly';
    ELSIF begins < now() - interval '31 days' OR begins < (
            SELECT min(o.linked_at) FROM ownership o WHERE o.slot = of_slot AND o.ownership_id = tank.tank_id) THEN
        RETURN 'tooLate';
    ELSIF ends <= begins OR ends > begins + interval '12 hours' THEN
        RETURN 'tooLong';
    ELSIF is_too_much_work(of_slot, tank.tank_id, work, begins, ends) THEN
        RETURN 'tooMuch';
    END IF;
    IF found_work.work_id IS NULL THEN
        INSERT INTO water_work (work_id, slot, tank_id, device_id, kind, begins_at, until, keeps_hard, account_id, asked)
        VALUES (work, of_slot, tank.tank_id, of_device, as_kind, begins, ends, keeps, person, wish);
    ELSE
        UPDATE water_work w SET kind = as_kind, begins_at = begins, until = ends, ended_at = NULL, keeps_hard = keeps, asked = wish,
            version = w.version + 1
        WHERE w.work_id = work;
    END IF;
    PERFORM work_has_changed(of_slot, of_device, tank.tank_id, least(begins, found_work.begins_at), greatest(ends, found_work.ends_at));
    PERFORM close_in_work(of_slot, of_device, tank.tank_id, begins, ends);
    RETURN CASE WHEN found_work.work_id IS NULL THEN 'created' ELSE 'changed' END;
END
$$;

-- The same for the named person.
CREATE OR REPLACE FUNCTION put_work(
    of_slot smallint, of_device integer, work uuid, as_kind text, since timestamptz, till timestamptz, minutes integer, keeps boolean,
    known integer) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT enter_work(of_slot, of_device, current_account(), work, as_kind, since, till, minutes, keeps, known)
    WHERE current_account() IS NOT NULL
$$;

-- Finishes a stretch of work now (said: 'finish'), lets it last longer ('extend'), or takes it away as never done ('remove'). Whoever shares the tank
-- may finish and extend; only whoever began it, and the owner, take it away. It says what came of it: done, unknown, over, notYours, tooLong,
-- tooMuch.
CREATE OR REPLACE FUNCTION change_work(
    of_slot smallint, of_device integer, person bigint, work uuid, said text, minutes integer) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tank ownership;
    found_work water_work;
    ends timestamptz;
BEGIN
    PERFORM FROM slot WHERE slot = of_slot FOR UPDATE;
    SELECT * INTO tank FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL AND o.may_act
        AND CASE WHEN person IS NULL THEN o.role = 'owner' ELSE o.account_id = person END;
    SELECT * INTO found_work FROM water_work w
    WHERE w.work_id = work AND w.slot = of_slot AND w.tank_id = tank.tank_id AND w.withdrawn_at IS NULL;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    IF said = 'remove' THEN
        IF tank.role <> 'owner' AND found_work.account_id IS DISTINCT FROM person THEN
            RETURN 'notYours';
        END IF;
        UPDATE water_work w SET withdrawn_at = now(), version = w.version + 1 WHERE w.work_id = work;
    ELSIF found_work.ends_at <= now() THEN
        RETURN CASE WHEN said = 'finish' AND found_work.ended_at IS NOT NULL THEN 'done' ELSE 'over' END;
    ELSIF said = 'finish' THEN
        UPDATE water_work w SET ended_at = greatest(now(), w.begins_at), version = w.version + 1 WHERE w.work_id = work;
    ELSE
        ends := found_work.until + make_interval(mins => minutes);
        IF ends > found_work.begins_at + interval '12 hours' THEN
            RETURN 'tooLong';
        ELSIF is_too_much_work(of_slot, tank.tank_id, work, found_work.begins_at, ends) THEN
            RETURN 'tooMuch';
        END IF;
        UPDATE water_work w SET until = ends, version = w.version + 1 WHERE w.work_id = work;
    END IF;
    PERFORM work_has_changed(of_slot, of_device, tank.tank_id, found_work.begins_at, greatest(found_work.ends_at, ends));
    RETURN 'done';
END
$$;

-- The same for the named person.
CREATE OR REPLACE FUNCTION change_work(of_slot smallint, of_device integer, work uuid, said text, minutes integer) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT change_work(of_slot, of_device, current_account(), work, said, minutes) WHERE current_account() IS NOT NULL
$$;

-- Work ends with its tank: the next owner of the device begins without.
CREATE OR REPLACE FUNCTION work_ends_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE water_work w SET ended_at = greatest(now(), w.begins_at), version = w.version + 1
    WHERE w.slot = NEW.slot AND w.tank_id = NEW.tank_id AND w.ends_at > now();
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    time_in_force(water_work), work_ends_with_ownership(), close_in_work(smallint, integer, bigint, timestamptz, timestamptz),
    work_has_changed(smallint, integer, bigint, timestamptz, timestamptz),
    is_too_much_work(smallint, bigint, uuid, timestamptz, timestamptz),
    enter_work(smallint, integer, bigint, uuid, text, timestamptz, timestamptz, integer, boolean, integer),
    put_work(smallint, integer, uuid, text, timestamptz, timestamptz, integer, boolean, integer),
    change_work(smallint, integer, bigint, uuid, text, integer), change_work(smallint, integer, uuid, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    put_work(smallint, integer, uuid, text, timestamptz, timestamptz, integer, boolean, integer),
    change_work(smallint, integer, uuid, text, integer) TO aqua_gateway;
