-- What is known of a device beside its readings: its clock, its probes, and messages that could not be read.

-- By how many seconds a device's clock is known to be behind; 0 where that is not known. What people are shown of its times is corrected
-- by it: rows keep the device's own.
CREATE OR REPLACE FUNCTION clock_lag(of_slot smallint, of_device integer) RETURNS integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce((SELECT lag_seconds FROM device_clock WHERE slot = of_slot AND device_id = of_device), 0)
$$;

-- The clocks of a person's devices that are wrong, or not known to be right. What happened in the time of an owner before is told
-- to nobody any more.
CREATE OR REPLACE VIEW person_clock AS
    SELECT o.slot, o.device_id, c.lag_seconds,
        CASE WHEN c.stepped_at >= o.linked_at THEN c.stepped_at END AS stepped_at
    FROM ownership o
    JOIN device_clock c ON c.slot = o.slot AND c.device_id = o.device_id
    WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL;
GRANT SELECT ON person_clock TO aqua_gateway;

-- The probes of a person's devices: what each reported while the device was theirs, within seven days, and the one in the water in
-- any case. What was heard in the time of an owner before is nobody's any more; which probe is in the water goes with the device.
CREATE OR REPLACE VIEW person_probe AS
    SELECT o.slot, o.device_id, p.probe_id, p.is_chosen, p.temperature, p.reported_at
    FROM ownership o
    CROSS JOIN LATERAL (
        SELECT coalesce(heard.probe_id, chosen.probe_id) AS probe_id, chosen.probe_id IS NOT NULL AS is_chosen,
            heard.temperature, heard.reported_at
        FROM (
            SELECT r.probe_id, r.temperature, r.reported_at FROM reported_probe r
            WHERE r.slot = o.slot AND r.device_id = o.device_id
                AND r.reported_at >= greatest(o.readings_from, now() - interval '7 days')
        ) AS heard
        FULL JOIN (
            SELECT t.probe_id FROM temperature_probe t WHERE t.slot = o.slot AND t.device_id = o.device_id
        ) AS chosen ON chosen.probe_id = heard.probe_id
    ) AS p
    WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL;
GRANT SELECT ON person_probe TO aqua_gateway;

-- Notes what probes report. A device keeps the one in the water and those heard last, eight in all: one that makes up Ids displaces
-- its own. Nobody waits for a note: it gives up before the server looks for a deadlock, and needs no commit that is durable.
CREATE OR REPLACE FUNCTION note_reported_probes(
    slots smallint[], devices integer[], probes text[], temperatures real[], times timestamptz[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
SET lock_timeout = '200ms' AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO reported_probe AS r (slot, device_id, probe_id, temperature, reported_at)
    SELECT n.slot, n.device_id, n.probe_id, n.temperature, n.reported_at
    FROM unnest(slots, devices, probes, temperatures, times) AS n (slot, device_id, probe_id, temperature, reported_at)
    ORDER BY n.slot, n.device_id, n.probe_id -- so that Ingestors do not wait for each other in a circle
    ON CONFLICT (slot, device_id, probe_id) DO UPDATE
        SET temperature = excluded.temperature, reported_at = excluded.reported_at
    WHERE r.reported_at <= excluded.reported_at OR r.reported_at > now() + interval '5 minutes';
    DELETE FROM reported_probe r
    USING (
        SELECT l.slot, l.device_id, l.probe_id
        FROM (SELECT DISTINCT n.slot, n.device_id FROM unnest(slots, devices) AS n (slot, device_id)) AS noted
        CROSS JOIN LATERAL (
            SELECT o.slot, o.device_id, o.probe_id FROM reported_probe o
            LEFT JOIN temperature_probe t ON t.slot = o.slot AND t.device_id = o.device_id AND t.probe_id = o.probe_id
            WHERE o.slot = noted.slot AND o.device_id = noted.device_id
            ORDER BY t.probe_id IS NULL, o.reported_at DESC, o.probe_id
            OFFSET 8
        ) AS displaced
        JOIN reported_probe l ON l.slot = displaced.slot AND l.device_id = displaced.device_id AND l.probe_id = displaced.probe_id
        ORDER BY l.slot, l.device_id, l.probe_id
        FOR UPDATE OF l SKIP LOCKED -- what another Ingestor notes at this moment is displaced by a later note
    ) AS locked
    WHERE r.slot = locked.slot AND r.device_id = locked.device_id AND r.probe_id = locked.probe_id;
END
$$;

-- Chooses the probe that is in the water of a device, for its owner. False when they do not own it, or it does not report this probe.
CREATE OR REPLACE FUNCTION choose_probe(of_slot smallint, of_device integer, chosen text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.role = 'owner'
        AND o.unlinked_at IS NULL
    FOR UPDATE;
    IF NOT FOUND OR NOT EXISTS (
        SELECT FROM person_probe p WHERE p.slot = of_slot AND p.device_id = of_device AND p.probe_id = chosen)
    THEN
        RETURN false;
    END IF;
    INSERT INTO temperature_probe AS t (slot, device_id, probe_id, chosen_at) VALUES (of_slot, of_device, chosen, now())
    ON CONFLICT (slot, device_id) DO UPDATE SET probe_id = excluded.probe_id, chosen_at = excluded.chosen_at
    WHERE t.probe_id <> excluded.probe_id;
    RETURN true;
END
$$;

-- The rejects of the devices that a person owns. What an Ingestor had begun to write when the device was linked is not theirs.
CREATE OR REPLACE VIEW person_reject AS
    SELECT r.slot, r.device_id, r.day, r.reason, r.subject, r.messages, r.first_at, r.last_at, r.topic, r.detail, r.payload
    FROM ownership o
    JOIN device_reject r ON r.slot = o.slot AND r.device_id = o.device_id AND r.first_at >= o.linked_at
    WHERE o.account_id = (SELECT current_account()) AND o.role = 'owner' AND o.unlinked_at IS NULL;
GRANT SELECT ON person_reject TO aqua_gateway;

-- Adds to the rejects of devices. A device has 16 rows a day, and one more for each reason: what is beyond counts for its reason as a
-- whole. Two Ingestors that add at the same moment may each fill them.
CREATE OR REPLACE FUNCTION record_device_rejects(
    slots smallint[], devices integer[], reasons text[], subjects text[], counts integer[], topics text[], details text[],
    payloads bytea[]
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH noted AS (
        SELECT n.*, r.slot IS NOT NULL OR n.subject = '' AS has_place
        FROM unnest(slots, devices, reasons, subjects, counts, topics, details, payloads)
            AS n (slot, device_id, reason, subject, messages, topic, detail, payload)
        JOIN device d ON d.slot = n.slot AND d.device_id = n.device_id
        LEFT JOIN device_reject r ON r.slot = n.slot AND r.device_id = n.device_id
            AND r.day = (now() AT TIME ZONE 'UTC')::date AND r.reason = n.reason AND r.subject = n.subject
    ), placed AS (
        SELECT n.slot, n.device_id, n.reason, n.messages, n.topic, n.detail, n.payload,
            CASE WHEN n.has_place OR 16 >= row_number() OVER (
                    PARTITION BY n.slot, n.device_id, n.has_place ORDER BY n.reason, n.subject) + (
                    SELECT count(*) FROM device_reject o
                    WHERE o.slot = n.slot AND o.device_id = n.device_id AND o.day = (now() AT TIME ZONE 'UTC')::date)
                THEN n.subject ELSE '' END AS subject
        FROM noted n
    )
    INSERT INTO device_reject AS r (
        slot, device_id, day, reason, subject, messages, first_at, last_at, topic, detail, payload)
    SELECT p.slot, p.device_id, (now() AT TIME ZONE 'UTC')::date, p.reason, p.subject, least(sum(p.messages), 1000000000), now(), now(),
        (array_agg(p.topic))[1], (array_agg(p.detail))[1], (array_agg(p.payload))[1]
    FROM placed p
    GROUP BY p.slot, p.device_id, p.reason, p.subject
    ORDER BY p.slot, p.device_id, p.reason, p.subject -- so that Ingestors do not wait for each other in a circle
    ON CONFLICT (slot, device_id, day, reason, subject) DO UPDATE SET
        messages = least(r.messages + excluded.messages, 1000000000), last_at = greatest(r.last_at, excluded.last_at),
        topic = excluded.topic, detail = excluded.detail, payload = excluded.payload
$$;

-- Removes rejects of more than a week ago, some at a time; returns how many.
CREATE OR REPLACE FUNCTION delete_old_rejects(most integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH old AS (
        SELECT slot, device_id, day, reason, subject FROM device_reject
        WHERE day < (now() AT TIME ZONE 'UTC')::date - 7
        LIMIT most
        FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM device_reject r USING old o
        WHERE r.slot = o.slot AND r.device_id = o.device_id AND r.day = o.day AND r.reason = o.reason AND r.subject = o.subject
        RETURNING 1
    )
    SELECT count(*)::integer FROM deleted
$$;

-- Whoever has the device next begins with none: of the owner before, of the time between, or of before the first.
CREATE OR REPLACE FUNCTION rejects_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- In the order in which Ingestors lock them.
    PERFORM FROM device_reject WHERE slot = NEW.slot AND device_id = NEW.device_id ORDER BY day, reason, subject FOR UPDATE;
    DELETE FROM device_reject WHERE slot = NEW.slot AND device_id = NEW.device_id;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    clock_lag(smallint, integer), note_reported_probes(smallint[], integer[], text[], real[], timestamptz[]),
    choose_probe(smallint, integer, text),
    record_device_rejects(smallint[], integer[], text[], text[], integer[], text[], text[], bytea[]), delete_old_rejects(integer),
    rejects_end_with_ownership() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION clock_lag(smallint, integer), choose_probe(smallint, integer, text) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION
    note_reported_probes(smallint[], integer[], text[], real[], timestamptz[]),
    record_device_rejects(smallint[], integer[], text[], text[], integer[], text[], text[], bytea[]), delete_old_rejects(integer) TO
    aqua_ingestor;
