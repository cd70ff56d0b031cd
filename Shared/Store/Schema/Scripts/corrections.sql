-- Deleting readings, and approving periods.

-- Deletes what a device measured of some parameters in a stretch of time, or counts it. The rows stay without the values, as the keys by which
-- messages are known again. What was told stays told: episodes and alerts are history, and the next reading decides how an open one goes on.
-- outcome:
--     counted  nothing was done: nobody named how many readings they had seen (seen is NULL), or there are none
--     deleted
--     differs  there are not as many readings as were seen
--     unknown  the person has no such device
--     notOwner, approved (a period that is approved is in it), tooLong (more than 31 days), tooMany (more than 25,000 messages),
--     tooOld   of its beginning no messages are kept any more
-- person: whose device it is; NULL for an operator, who acts in the owner's tank. Who deletes is whoever acts for them. parameters: bit n stands for the parameter with the number n. messages: those of
-- which something is deleted. since and till: by the true time.
CREATE OR REPLACE FUNCTION delete_readings(
    of_slot smallint, of_device integer, person bigint, since timestamptz, till timestamptz, parameters integer, seen integer, why text,
    OUT outcome text, OUT messages integer, OUT readings integer, OUT id uuid)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    most_messages CONSTANT integer := 25000;
    most_rows CONSTANT integer := 500000; -- that are looked through
    lag CONSTANT interval := make_interval(secs => clock_lag(of_slot, of_device));
    tank ownership;
    beginning timestamptz;
    emptied integer;
BEGIN
    -- Once without a lock, which nobody without the right gets; then again, while no engine decides of it, and of two who delete at once one comes
    -- after the other.
    FOR look IN 1..2 LOOP
        messages := 0;
        readings := 0;
        IF look = 2 THEN
            PERFORM FROM slot WHERE slot = of_slot FOR UPDATE;
        END IF;
        SELECT * INTO tank FROM ownership o
        WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL
            AND CASE WHEN person IS NULL THEN o.role = 'owner' ELSE o.account_id = person END;
        beginning := greatest(since - lag, tank.readings_from);
        outcome := CASE
            WHEN tank.tank_id IS NULL THEN 'unknown'
            WHEN tank.role <> 'owner' THEN 'notOwner'
            WHEN till <= since OR till > since + interval '31 days' THEN 'tooLong'
            WHEN beginning < (
                -- the oldest day of which messages are kept
                SELECT to_date(right(min(relname), 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' FROM pg_class
                WHERE relispartition AND relkind = 'r' AND relname >= 'sample_0' AND relname < 'sample_A') THEN 'tooOld'
            WHEN EXISTS (SELECT FROM approval a
                WHERE a.slot = of_slot AND a.tank_id = tank.tank_id AND a.withdrawn_at IS NULL AND a.since < till AND a.until > delete_readings.since)
                THEN 'approved'
            WHEN most_rows < (SELECT count(*) FROM (
                SELECT FROM sample s
                WHERE s.slot = of_slot AND s.device_id = of_device AND s.event_time >= beginning AND s.event_time < till - lag
                LIMIT most_rows + 1) AS r) THEN 'tooMany'
            END;
        IF outcome IS NOT NULL THEN
            RETURN;
        END IF;
        SELECT count(*), coalesce(sum(f.readings), 0) INTO messages, readings FROM (
            SELECT num_nonnulls(
                --% each parameter, joined by ","
                CASE WHEN parameters & {bit} <> 0 THEN s.{column} END
                --% end
                ) AS readings
            FROM sample s
            WHERE s.slot = of_slot AND s.device_id = of_device AND s.event_time >= beginning AND s.event_time < till - lag
                AND num_nonnulls(
                    --% each parameter, joined by ","
                    CASE WHEN parameters & {bit} <> 0 THEN s.{column} END
                    --% end
                    ) > 0
            LIMIT most_messages + 1
        ) AS f;
        outcome := CASE
            WHEN messages > most_messages THEN 'tooMany'
            WHEN seen IS NULL OR messages = 0 AND seen = 0 THEN 'counted'
            WHEN seen <> readings THEN 'differs'
            END;
        IF outcome IS NOT NULL THEN
            RETURN;
        END IF;
    END LOOP;
    BEGIN
        WITH emptied AS (
            UPDATE sample s SET
                deleted = coalesce(s.deleted, 0) | (0
                    --% each parameter
                    | CASE WHEN parameters & {bit} <> 0 AND s.{column} IS NOT NULL THEN {bit} ELSE 0 END
                    --% end
                    ),
                --% each parameter, joined by ","
                {column} = CASE WHEN parameters & {bit} = 0 THEN s.{column} END
                --% end
            WHERE s.slot = of_slot AND s.device_id = of_device AND s.event_time >= beginning AND s.event_time < till - lag
                AND num_nonnulls(
                    --% each parameter, joined by ","
                    CASE WHEN parameters & {bit} <> 0 THEN s.{column} END
                    --% end
                    ) > 0
            RETURNING s.event_time
        ), due AS (
            -- Like samples that come late: an hour that is open sees it when it is rolled up.
            INSERT INTO rollup_due (slot, device_id, hour)
            SELECT DISTINCT of_slot, of_device, date_bin('1 hour', e.event_time, 'epoch') FROM emptied e
            WHERE e.event_time < date_bin('1 hour', clock_timestamp() - interval '10 minutes', 'epoch')
        )
        SELECT count(*) INTO emptied FROM emptied;
        -- An Ingestor may have stored another in between: nobody deletes what they have not seen.
        IF emptied <> messages THEN
            RAISE EXCEPTION USING ERRCODE = 'AQ009', MESSAGE = 'readings came in between';
        END IF;
        -- The position of a message goes with the last of its readings.
        DELETE FROM track t
        WHERE t.slot = of_slot AND t.device_id = of_device AND t.at >= beginning AND t.at < till - lag AND NOT EXISTS (
            SELECT FROM sample s
            WHERE s.slot = of_slot AND s.device_id = of_device AND s.event_time = t.at AND num_nonnulls(
                --% each parameter, joined by ","
                s.{column}
                --% end
                ) > 0);
    EXCEPTION WHEN SQLSTATE 'AQ009' THEN
        outcome := 'differs';
        RETURN;
    END;
    INSERT INTO deletion (slot, tank_id, device_id, account_id, since, until, parameters, messages, readings, note)
    VALUES (of_slot, tank.tank_id, of_device, CASE WHEN person IS NOT NULL THEN current_actor() END, delete_readings.since, till, delete_readings.parameters, delete_readings.messages,
        delete_readings.readings, why)
    RETURNING deletion_id INTO id;
    -- Engines read the device anew, and it shows on open screens and on the device.
    PERFORM rules_changed(of_slot, of_device);
    PERFORM pg_notify('setup', bucket::text) FROM (
        SELECT DISTINCT o.account_id & 255 AS bucket FROM ownership o
        WHERE o.slot = of_slot AND o.tank_id = tank.tank_id AND o.unlinked_at IS NULL) AS told;
    PERFORM pg_notify('display', 'anew ' || of_device);
    outcome := 'deleted';
END
$$;

-- The same for the named person, or for an operator, who is named by nobody.
CREATE OR REPLACE FUNCTION delete_readings(
    of_slot smallint, of_device integer, since timestamptz, till timestamptz, parameters integer, seen integer, why text,
    OUT outcome text, OUT messages integer, OUT readings integer, OUT id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT * FROM delete_readings(of_slot, of_device, current_account(), since, till, parameters, seen, why)
    WHERE current_account() IS NOT NULL OR pg_has_role(session_user, current_user, 'USAGE')
$$;

-- Approves whole hours of the named person's device that are over. outcome: created; same, where just this period is approved already; unknown,
-- notOwner, tooLate (of before the tank), tooEarly (not over yet).
CREATE OR REPLACE FUNCTION approve_period(
    of_slot smallint, of_device integer, since timestamptz, till timestamptz, with_note text, OUT outcome text, OUT id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tank ownership;
BEGIN
    -- the owner's slot as whoever deletes locks it: nothing is deleted from what is being approved
    PERFORM FROM slot WHERE slot = of_slot AND EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL AND o.account_id = current_account() AND o.role = 'owner')
    FOR UPDATE;
    SELECT * INTO tank FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL AND o.account_id = current_account();
    outcome := CASE
        WHEN tank.tank_id IS NULL THEN 'unknown'
        WHEN tank.role <> 'owner' THEN 'notOwner'
        WHEN since + interval '1 hour' <= tank.readings_from THEN 'tooLate'
        WHEN till > now() THEN 'tooEarly'
        END;
    IF outcome IS NOT NULL THEN
        RETURN;
    END IF;
    SELECT a.approval_id INTO id FROM approval a
    WHERE a.slot = of_slot AND a.tank_id = tank.tank_id AND a.since = approve_period.since AND a.until = till AND a.withdrawn_at IS NULL;
    outcome := CASE WHEN FOUND THEN 'same' ELSE 'created' END;
    IF outcome = 'created' THEN
        INSERT INTO approval (slot, tank_id, approval_id, device_id, account_id, since, until, note)
        VALUES (of_slot, tank.tank_id, gen_random_uuid(), of_device, current_actor(), approve_period.since, till, with_note)
        RETURNING approval_id INTO id;
    END IF;
END
$$;

-- Withdraws an approval of the named person's device, which stays as history: done; also where it was withdrawn before. Else unknown or notOwner.
CREATE OR REPLACE FUNCTION withdraw_approval(of_slot smallint, of_device integer, of_approval uuid, why text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tank ownership;
BEGIN
    PERFORM FROM slot WHERE slot = of_slot AND EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL AND o.account_id = current_account() AND o.role = 'owner')
    FOR UPDATE;
    SELECT * INTO tank FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL AND o.account_id = current_account();
    IF NOT EXISTS (SELECT FROM approval a
            WHERE a.slot = of_slot AND a.tank_id = tank.tank_id AND a.approval_id = of_approval) THEN
        RETURN 'unknown';
    ELSIF tank.role <> 'owner' THEN
        RETURN 'notOwner';
    END IF;
    UPDATE approval a SET withdrawn_at = now(), withdrawn_by = current_actor(), withdrawn_reason = why
    WHERE a.slot = of_slot AND a.tank_id = tank.tank_id AND a.approval_id = of_approval AND a.withdrawn_at IS NULL;
    RETURN 'done';
END
$$;

REVOKE ALL ON FUNCTION
    delete_readings(smallint, integer, bigint, timestamptz, timestamptz, integer, integer, text),
    delete_readings(smallint, integer, timestamptz, timestamptz, integer, integer, text),
    approve_period(smallint, integer, timestamptz, timestamptz, text), withdraw_approval(smallint, integer, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    delete_readings(smallint, integer, timestamptz, timestamptz, integer, integer, text),
    approve_period(smallint, integer, timestamptz, timestamptz, text), withdraw_approval(smallint, integer, uuid, text) TO aqua_gateway;
