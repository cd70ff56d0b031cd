-- People choose which of a device's temperature probes is in the water, by what each of them says.

-- In the order in which others lock them: an Ingestor notes a probe and looks whether its device exists.
LOCK TABLE temperature_probe IN ACCESS EXCLUSIVE MODE;
LOCK TABLE device, erasure IN SHARE ROW EXCLUSIVE MODE;

-- When somebody last chose another probe; NULL: an Ingestor noted the first that it heard of.
ALTER TABLE temperature_probe ADD COLUMN chosen_at timestamptz;

-- Ingestors look for the choices of the last seconds.
CREATE INDEX temperature_probe_by_choice ON temperature_probe (chosen_at) WHERE chosen_at IS NOT NULL;

-- The course of a temperature begins anew with another probe, which engines have to learn.
CREATE TRIGGER probe_changes_rules AFTER INSERT OR UPDATE OF chosen_at ON temperature_probe
    FOR EACH ROW WHEN (NEW.chosen_at IS NOT NULL) EXECUTE FUNCTION rules_changed_by_row();
ALTER TABLE temperature_probe ENABLE ALWAYS TRIGGER probe_changes_rules;

GRANT SELECT (slot, device_id, chosen_at) ON temperature_probe TO aqua_rules;

-- What was last heard of each probe, of devices that report several, or another than the one in the water.
CREATE TABLE reported_probe (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    probe_id text NOT NULL CHECK (probe_id ~ '^[0-9A-F]{1,16}$'),
    temperature real, -- canonical unit; NULL: it reported an error, or no value
    reported_at timestamptz NOT NULL, -- the time of receipt
    PRIMARY KEY (slot, device_id, probe_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);

-- Notes what probes report. A device keeps the one in the water and those heard last, eight in all: one that makes up Ids displaces
-- its own. Nobody waits for a note: it gives up before the server looks for a deadlock, and needs no commit that is durable.
CREATE FUNCTION note_reported_probes(
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

-- The probes of a person's devices: what each reported while the device was theirs, within seven days, and the one in the water in
-- any case. What was heard in the time of an owner before is nobody's any more; which probe is in the water goes with the device.
CREATE VIEW person_probe AS
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

-- Chooses the probe that is in the water of a device, for its owner. False when they do not own it, or it does not report this probe.
CREATE FUNCTION choose_probe(of_slot smallint, of_device integer, chosen text) RETURNS boolean
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

-- With a closed account's readings goes what its probes said in that time.
CREATE FUNCTION erase_reported_probes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM reported_probe
    WHERE slot = OLD.slot AND device_id = OLD.device_id AND reported_at >= OLD.from_time AND reported_at < OLD.until_time;
    RETURN NULL;
END
$$;

CREATE TRIGGER reported_probes_erased AFTER DELETE ON erasure
    FOR EACH ROW WHEN (OLD.kind = 'samples') EXECUTE FUNCTION erase_reported_probes();

REVOKE ALL ON FUNCTION note_reported_probes(smallint[], integer[], text[], real[], timestamptz[]),
    choose_probe(smallint, integer, text), erase_reported_probes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_reported_probes(smallint[], integer[], text[], real[], timestamptz[]) TO aqua_ingestor;
GRANT EXECUTE ON FUNCTION choose_probe(smallint, integer, text) TO aqua_gateway;
