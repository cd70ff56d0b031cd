-- Second probes: two devices in the same water, whose values are compared.

-- Says that a second device of the named account's stands in the water of the first, in place of one that stood there before. paired; same: as it was;
-- unknown: one of them is not the account's own; taken: one of them is in another pair.
CREATE OR REPLACE FUNCTION pair_devices(of_device text, with_second text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    parts ownership[];
BEGIN
    -- One change of a person's pairs at a time, and none while the account is closed.
    PERFORM FROM account a WHERE a.account_id = me FOR NO KEY UPDATE;
    parts := ARRAY(
        SELECT o FROM unnest(ARRAY[of_device, with_second]) WITH ORDINALITY AS w (hardware_id, place)
        JOIN device d ON d.hardware_id = w.hardware_id
        JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
        WHERE d.kind = 'device' AND o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL
        ORDER BY w.place
        FOR KEY SHARE OF o); -- neither is given up meanwhile
    IF cardinality(parts) <> 2 OR parts[1].device_id = parts[2].device_id THEN
        RETURN 'unknown';
    ELSIF EXISTS (
        SELECT FROM companion c WHERE c.slot = parts[1].slot AND c.device_id = parts[1].device_id
            AND c.second_slot = parts[2].slot AND c.second_id = parts[2].device_id)
    THEN
        RETURN 'same';
    ELSIF EXISTS (
        SELECT FROM companion c
        WHERE (c.second_slot, c.second_id) IN ((parts[1].slot, parts[1].device_id), (parts[2].slot, parts[2].device_id))
            OR (c.slot, c.device_id) = (parts[2].slot, parts[2].device_id))
    THEN
        RETURN 'taken';
    END IF;
    DELETE FROM companion c WHERE c.slot = parts[1].slot AND c.device_id = parts[1].device_id;
    INSERT INTO companion (slot, device_id, account_id, tank_id, second_slot, second_id, second_tank)
    VALUES (
        parts[1].slot, parts[1].device_id, me, parts[1].ownership_id, parts[2].slot, parts[2].device_id, parts[2].ownership_id);
    RETURN 'paired';
END
$$;

-- Takes the pair of a device of the named account's apart, whichever of the two it is. False: it is in none.
CREATE OR REPLACE FUNCTION part_devices(of_device text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM companion c USING device d
    WHERE d.hardware_id = of_device AND c.account_id = current_account()
        AND ((c.slot, c.device_id) = (d.slot, d.device_id) OR (c.second_slot, c.second_id) = (d.slot, d.device_id));
    RETURN FOUND;
END
$$;

-- A device that is given up, or goes to another owner, leaves its pair.
CREATE OR REPLACE FUNCTION pairs_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM companion c
    WHERE (c.slot, c.tank_id) = (OLD.slot, OLD.ownership_id) OR (c.second_slot, c.second_tank) = (OLD.slot, OLD.ownership_id);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION pair_devices(text, text), part_devices(text), pairs_end_with_ownership() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pair_devices(text, text), part_devices(text) TO aqua_gateway;
