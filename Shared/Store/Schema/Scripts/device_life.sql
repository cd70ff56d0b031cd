-- Lives of devices: version, battery, signal and restarts, by the words of their firmware.

-- The life of a person's devices, as far as it was said while its readings are theirs to see.
CREATE OR REPLACE VIEW person_life AS
    SELECT o.slot, o.device_id, l.family, l.version, CASE WHEN l.version_at >= o.readings_from THEN l.version_at END AS version_at, l.newer,
        CASE WHEN l.battery_at >= o.readings_from THEN l.battery END AS battery,
        CASE WHEN l.battery_at >= o.readings_from THEN l.battery_at END AS battery_at,
        CASE WHEN l.signal_at >= o.readings_from THEN l.signal END AS signal,
        CASE WHEN l.signal_at >= o.readings_from THEN l.signal_at END AS signal_at,
        l.link_quality, l.started_at, l.reset, l.noted_at
    FROM ownership o
    JOIN device_life l ON l.slot = o.slot AND l.device_id = o.device_id AND l.noted_at >= o.readings_from
    WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL;
CREATE OR REPLACE VIEW person_life_day AS
    SELECT o.slot, o.device_id, d.day, d.battery, d.signal, d.restarts
    FROM ownership o
    JOIN device_life_day d ON d.slot = o.slot AND d.device_id = o.device_id
        -- an owner's begin with the device; of the day on which a watcher joined nobody knows what was before
        AND d.noted_at >= o.readings_from AND (o.role = 'owner' OR d.day > (o.readings_from AT TIME ZONE 'UTC')::date)
    WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL;
CREATE OR REPLACE VIEW person_life_change AS
    SELECT o.slot, o.device_id, c.at, c.kind, c.former, c.value
    FROM ownership o
    JOIN device_life_change c ON c.slot = o.slot AND c.device_id = o.device_id AND c.at >= o.readings_from
    WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL;
GRANT SELECT ON person_life, person_life_day, person_life_change TO aqua_gateway;

-- Notes what devices said of themselves; a place of the lists that is NULL says nothing. A start later than the known one, by more than a
-- clock may drift meanwhile, is a restart. Kept of a device are its latest, sixty days, and 32 changes. Nobody waits for a note: it gives up
-- before the server looks for a deadlock, and needs no commit that is durable.
CREATE OR REPLACE FUNCTION note_device_lives(
    slots smallint[], devices integer[], families text[], versions text[], newers text[], batteries real[], signals smallint[],
    qualities smallint[], uptimes bigint[], resets text[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
SET lock_timeout = '200ms' AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    WITH known AS (
        SELECT l.*
        FROM unnest(slots, devices) AS n (slot, device_id)
        JOIN device_life l ON l.slot = n.slot AND l.device_id = n.device_id
        ORDER BY l.slot, l.device_id -- so that Ingestors do not wait for each other in a circle
        FOR UPDATE OF l
    ), said AS (
        SELECT n.*, now() - n.uptime * interval '1 second' AS started_at, l.slot IS NULL AS is_new, l.version AS former_version,
            l.reset AS former_reset,
            coalesce(now() - n.uptime * interval '1 second' > l.started_at + interval '1 minute'
                + (now() - l.noted_at) / 1000, false) AS is_restart
        FROM unnest(slots, devices, families, versions, newers, batteries, signals, qualities, uptimes, resets)
            AS n (slot, device_id, family, version, newer, battery, signal, link_quality, uptime, reset)
        JOIN device d ON d.slot = n.slot AND d.device_id = n.device_id
        LEFT JOIN known l ON l.slot = n.slot AND l.device_id = n.device_id
    ), of_day AS (
        INSERT INTO device_life_day AS d (slot, device_id, day, battery, signal, restarts, noted_at)
        SELECT s.slot, s.device_id, (now() AT TIME ZONE 'UTC')::date, s.battery, s.signal, s.is_restart::integer, now()
        FROM said s
        ORDER BY s.slot, s.device_id
        ON CONFLICT (slot, device_id, day) DO UPDATE SET
            battery = least(d.battery, excluded.battery), signal = least(d.signal, excluded.signal),
            restarts = least(d.restarts + excluded.restarts, 9999), noted_at = excluded.noted_at
    ), changed AS (
        INSERT INTO device_life_change (slot, device_id, at, kind, former, value)
        SELECT s.slot, s.device_id, now(), c.kind, c.former, c.value
        FROM said s
        CROSS JOIN LATERAL (VALUES ('version', s.former_version, s.version), ('reset', s.former_reset, s.reset)) AS c (kind, former, value)
        WHERE NOT s.is_new AND c.value <> coalesce(c.former, '')
        ORDER BY s.slot, s.device_id
        ON CONFLICT DO NOTHING
    )
    INSERT INTO device_life AS l (slot, device_id, family, version, version_at, newer, battery, battery_at, signal, signal_at, link_quality,
        started_at, reset, noted_at)
    SELECT s.slot, s.device_id, s.family, s.version, CASE WHEN s.version IS NOT NULL THEN now() END, s.newer,
        s.battery, CASE WHEN s.battery IS NOT NULL THEN now() END, s.signal, CASE WHEN s.signal IS NOT NULL THEN now() END, s.link_quality,
        s.started_at, s.reset, now()
    FROM said s
    ORDER BY s.slot, s.device_id
    ON CONFLICT (slot, device_id) DO UPDATE SET
        -- of a device that was flashed anew, nothing of what its former firmware said stays
        family = excluded.family, version = coalesce(excluded.version, CASE WHEN excluded.family = l.family THEN l.version END),
        version_at = CASE WHEN excluded.version <> coalesce(l.version, '') THEN excluded.version_at
            WHEN excluded.family = l.family THEN l.version_at END,
        -- what is on offer ends with the version that it was for
        newer = coalesce(excluded.newer, CASE WHEN excluded.family = l.family AND coalesce(excluded.version = l.version, true) THEN l.newer END),
        battery = coalesce(excluded.battery, l.battery), battery_at = coalesce(excluded.battery_at, l.battery_at),
        signal = coalesce(excluded.signal, l.signal), signal_at = coalesce(excluded.signal_at, l.signal_at),
        link_quality = coalesce(excluded.link_quality, CASE WHEN excluded.family = l.family THEN l.link_quality END),
        started_at = coalesce(excluded.started_at, l.started_at),
        reset = coalesce(excluded.reset, CASE WHEN excluded.family = l.family THEN l.reset END), noted_at = excluded.noted_at;
    DELETE FROM device_life_day d
    USING unnest(slots, devices) AS n (slot, device_id)
    WHERE d.slot = n.slot AND d.device_id = n.device_id AND d.day <= (now() AT TIME ZONE 'UTC')::date - 60;
    DELETE FROM device_life_change c
    USING (
        SELECT o.slot, o.device_id, o.at, o.kind
        FROM unnest(slots, devices) AS n (slot, device_id)
        CROSS JOIN LATERAL (
            SELECT * FROM device_life_change o
            WHERE o.slot = n.slot AND o.device_id = n.device_id
            ORDER BY o.at DESC, o.kind
            OFFSET 32
        ) AS o
    ) AS displaced
    WHERE c.slot = displaced.slot AND c.device_id = displaced.device_id AND c.at = displaced.at AND c.kind = displaced.kind;
END
$$;

-- Whoever has the device next begins with none: of the owner before, of the time between, or of before the first.
CREATE OR REPLACE FUNCTION life_ends_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- First what Ingestors lock first.
    DELETE FROM device_life WHERE slot = NEW.slot AND device_id = NEW.device_id;
    DELETE FROM device_life_day WHERE slot = NEW.slot AND device_id = NEW.device_id;
    DELETE FROM device_life_change WHERE slot = NEW.slot AND device_id = NEW.device_id;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    note_device_lives(smallint[], integer[], text[], text[], text[], real[], smallint[], smallint[], bigint[], text[]),
    life_ends_with_ownership() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    note_device_lives(smallint[], integer[], text[], text[], text[], real[], smallint[], smallint[], bigint[], text[]) TO aqua_ingestor;
