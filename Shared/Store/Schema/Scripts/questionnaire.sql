-- What the keeper of a tank says of it.

-- Adds a version of the answers of the named person's tank. outcome: created (the first), changed, stale (another version than since is the newest,
-- or there is one and none is named), notTheirs (the person watches the device), or unknown. The oldest version beyond the bound goes.
CREATE OR REPLACE FUNCTION put_tank_answers(
    of_slot smallint, of_device integer, since integer, of_kind text, of_species text[], of_litres double precision, is_outdoors boolean,
    in_winter text, has_plants boolean, adds_carbon_dioxide boolean, with_probes integer,
    OUT outcome text, OUT new_version integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
    newest integer;
BEGIN
    -- the account first, as whoever closes it locks
    PERFORM FROM account a WHERE a.account_id = current_account() FOR KEY SHARE;
    -- held until the end, so that of two who answer at once the second sees what the first said
    SELECT o.* INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL
    FOR NO KEY UPDATE;
    outcome := CASE WHEN NOT FOUND THEN 'unknown' WHEN part.role <> 'owner' THEN 'notTheirs' END;
    IF outcome IS NOT NULL THEN
        RETURN;
    END IF;
    SELECT max(a.version) INTO newest FROM tank_answers a WHERE a.slot = of_slot AND a.tank_id = part.tank_id;
    IF newest IS DISTINCT FROM since THEN
        outcome := 'stale';
        RETURN;
    END IF;
    outcome := CASE WHEN newest IS NULL THEN 'created' ELSE 'changed' END;
    new_version := coalesce(newest, 0) + 1;
    INSERT INTO tank_answers (
        slot, tank_id, version, device_id, account_id, kind, species, litres, outdoors, winter, plants, carbon_dioxide, probes)
    VALUES (of_slot, part.tank_id, new_version, of_device, part.account_id, of_kind, of_species, of_litres, is_outdoors, in_winter,
        has_plants, adds_carbon_dioxide, with_probes);
    DELETE FROM tank_answers a USING growth_bound b
    WHERE b.held = 'tank_answers' AND a.slot = of_slot AND a.tank_id = part.tank_id AND a.version <= new_version - b.in_all;
END
$$;

REVOKE ALL ON FUNCTION put_tank_answers(
    smallint, integer, integer, text, text[], double precision, boolean, text, boolean, boolean, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION put_tank_answers(
    smallint, integer, integer, text, text[], double precision, boolean, text, boolean, boolean, integer) TO aqua_gateway;
