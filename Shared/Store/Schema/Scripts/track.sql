-- Where devices that move were.

-- The positions of a person's devices while they had them, as of readings.
CREATE OR REPLACE VIEW person_track AS
    SELECT t.slot, t.device_id, t.at, t.latitude, t.longitude, t.accuracy
    FROM ownership o
    JOIN track t ON t.slot = o.slot AND t.device_id = o.device_id AND t.at >= o.readings_from
        AND t.at < coalesce(o.unlinked_at, 'infinity')
    WHERE o.account_id = (SELECT current_account());
GRANT SELECT ON person_track TO aqua_gateway;

-- Where a device that the person has was last while it was theirs, by its clock, whatever is stored of a time to come. No row: nothing is known of it.
CREATE OR REPLACE FUNCTION last_position(of_slot smallint, of_device integer)
RETURNS TABLE (at timestamptz, latitude integer, longitude integer, accuracy smallint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.at, t.latitude, t.longitude, t.accuracy
    FROM ownership o
    JOIN track t ON t.slot = o.slot AND t.device_id = o.device_id AND t.at >= o.readings_from AND t.at <= now() + interval '6 minutes'
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL
    ORDER BY t.at DESC
    LIMIT 1
$$;

-- Deletes positions of a device of the named person's, who owns it, oldest first; returns how many. Less than most: none is left.
CREATE OR REPLACE FUNCTION forget_track(of_slot smallint, of_device integer, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
    tank ownership;
    deleted integer;
BEGIN
    SELECT * INTO tank FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.role = 'owner' AND o.unlinked_at IS NULL
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    WITH oldest AS (
        SELECT t.at FROM track t
        WHERE t.slot = of_slot AND t.device_id = of_device AND t.at >= tank.readings_from
        ORDER BY t.at
        LIMIT most
    )
    DELETE FROM track t USING oldest WHERE t.slot = of_slot AND t.device_id = of_device AND t.at = oldest.at;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    IF deleted < most THEN
        entry.action := 'track.delete';
        entry.account_id := tank.account_id;
        entry.device_id := of_device;
        entry.subject := tank.name;
        PERFORM note_act(entry);
    END IF;
    RETURN deleted;
END
$$;

-- Deletes some of the positions of days whose readings are past their retention, as drop_oldest_partition counts it; returns how many.
CREATE OR REPLACE FUNCTION delete_old_positions(keep interval, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    kept interval;
    deleted integer;
BEGIN
    IF keep < interval '8 days' THEN
        RAISE EXCEPTION 'at least 8 days are kept';
    END IF;
    IF NOT clock_is_trusted() THEN
        RETURN 0;
    END IF;
    SELECT greatest(delete_old_positions.keep, r.keep, interval '9 days') INTO STRICT kept FROM retention r WHERE kind = 'samples';
    WITH old AS (
        SELECT t.slot, t.device_id, t.at FROM track t
        WHERE t.at < date_bin('24 hours', now() - kept, 'epoch')
        ORDER BY t.at
        LIMIT most
        FOR UPDATE SKIP LOCKED
    )
    DELETE FROM track t USING old WHERE t.slot = old.slot AND t.device_id = old.device_id AND t.at = old.at;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$$;

REVOKE ALL ON FUNCTION
    last_position(smallint, integer), forget_track(smallint, integer, integer), delete_old_positions(interval, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION last_position(smallint, integer), forget_track(smallint, integer, integer) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION delete_old_positions(interval, integer) TO aqua_ingestor;
