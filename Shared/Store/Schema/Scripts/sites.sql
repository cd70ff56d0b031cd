-- Sites: places without a device, what stands at them, and where all of a person's tanks were.

-- The slot of an id, as Slot of WaterQuality has it: FNV-1a modulo 64, of which no higher bits are needed.
CREATE OR REPLACE FUNCTION slot_of(id text) RETURNS smallint
LANGUAGE plpgsql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    hash integer := 37;
    bytes CONSTANT bytea := convert_to(id, 'UTF8');
BEGIN
    FOR place IN 0 .. length(bytes) - 1 LOOP
        hash := ((hash # get_byte(bytes, place)) & 63) * 51 & 63;
    END LOOP;
    RETURN hash;
END
$$;

-- Makes a site of the named person's, or of the project for which they act, with settings of every parameter; returns its id. Nobody guesses what
-- others' sites are called, though an id opens nothing.
CREATE OR REPLACE FUNCTION make_site(
    person bigint, called text, at_latitude double precision, at_longitude double precision, within real, by_source text,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    alphabet CONSTANT text := '0123456789abcdefghjkmnpqrstvwxyz';
    random bytea;
    hardware text;
    made integer;
BEGIN
    PERFORM require_person(person);
    LOOP
        random := sha256(uuid_send(gen_random_uuid()));
        hardware := 'site-' || (SELECT string_agg(substr(alphabet, (get_byte(random, n) & 31) + 1, 1), '') FROM generate_series(0, 9) AS n);
        INSERT INTO device (slot, hardware_id, kind) VALUES (slot_of(hardware), hardware, 'site')
        ON CONFLICT DO NOTHING
        RETURNING device_id INTO made;
        EXIT WHEN FOUND;
    END LOOP;
    PERFORM add_ownership(
        slot_of(hardware), made, person, 'owner', called, parameters, units, minima, maxima, colours, positions,
        at_latitude, at_longitude, within, by_source);
    RETURN hardware;
END
$$;

-- Notes where an owner's tank is from now on. The moments of one tank are in order, whatever the clock does; of several changes in one transaction the
-- last counts.
CREATE OR REPLACE FUNCTION place_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO place AS p (slot, tank_id, since, latitude, longitude, accuracy, source)
    SELECT NEW.slot, NEW.ownership_id, greatest(now(), max(f.since)), NEW.latitude, NEW.longitude, NEW.place_accuracy, NEW.place_source
    FROM place f WHERE f.slot = NEW.slot AND f.tank_id = NEW.ownership_id
    ON CONFLICT (slot, tank_id, since) DO UPDATE SET
        latitude = excluded.latitude, longitude = excluded.longitude, accuracy = excluded.accuracy, source = excluded.source;
    RETURN NULL;
END
$$;

-- The owner's name of the site at which a tank's device stands; NULL: it stands at none.
CREATE OR REPLACE FUNCTION site_of(of_slot smallint, of_tank bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT o.name FROM standing s JOIN ownership o ON o.slot = s.site_slot AND o.ownership_id = s.site_tank
    WHERE s.slot = of_slot AND s.tank_id = of_tank AND s.until IS NULL
$$;

-- Notes that an owner has put a device elsewhere.
CREATE OR REPLACE FUNCTION note_standing(part ownership, former text, site text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := 'device.change';
    entry.account_id := part.account_id;
    entry.device_id := part.device_id;
    entry.subject := part.name;
    entry.changes := jsonb_build_object('site', jsonb_build_array(former, site));
    PERFORM note_act(entry);
END
$$;

-- Says that a device of the named account's stands at one of its sites from now on, in place of another. stands; same: as it was; unknown: the device
-- is not the account's own; notSite: what is named is no site of the account's; site: sites stand nowhere
CREATE OR REPLACE FUNCTION stand_at(of_device text, at_site text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    device_part ownership;
    site_part ownership;
    device_kind text;
    site_kind text;
    former text;
    began timestamptz;
BEGIN
    -- One change of a person's standings at a time, and none while the account is closed.
    PERFORM FROM account a WHERE a.account_id = me FOR NO KEY UPDATE;
    -- Neither is given up meanwhile.
    PERFORM FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
    WHERE d.hardware_id IN (of_device, at_site) AND o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL
    ORDER BY o.slot, o.ownership_id
    FOR KEY SHARE OF o;
    SELECT o.* INTO device_part FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
    WHERE d.hardware_id = of_device AND o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    SELECT o.* INTO site_part FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
    WHERE d.hardware_id = at_site AND o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL;
    device_kind := (SELECT d.kind FROM device d WHERE d.hardware_id = of_device);
    site_kind := (SELECT d.kind FROM device d WHERE d.hardware_id = at_site);
    IF device_kind = 'site' THEN
        RETURN 'site';
    ELSIF site_part.ownership_id IS NULL OR site_kind <> 'site' THEN
        RETURN 'notSite';
    ELSIF EXISTS (
        SELECT FROM standing s WHERE s.slot = device_part.slot AND s.device_id = device_part.device_id AND s.until IS NULL
            AND s.site_slot = site_part.slot AND s.site_tank = site_part.ownership_id)
    THEN
        RETURN 'same';
    END IF;
    former := site_of(device_part.slot, device_part.ownership_id);
    PERFORM end_standings(device_part.slot, device_part.ownership_id);
    -- never before the former ended: now() is the start of a transaction that may have waited
    began := greatest(now(), (SELECT max(s.until) FROM standing s WHERE s.slot = device_part.slot AND s.tank_id = device_part.ownership_id));
    INSERT INTO standing (slot, device_id, tank_id, site_slot, site_id, site_tank, since)
    VALUES (
        device_part.slot, device_part.device_id, device_part.ownership_id, site_part.slot, site_part.device_id, site_part.ownership_id, began);
    PERFORM note_standing(device_part, former, site_part.name);
    RETURN 'stands';
END
$$;

-- Ends the standings of a tank, or at it. What lasted no moment was none.
CREATE OR REPLACE FUNCTION end_standings(of_slot smallint, of_tank bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ended boolean;
BEGIN
    DELETE FROM standing s
    WHERE ((s.slot, s.tank_id) = (of_slot, of_tank) OR (s.site_slot, s.site_tank) = (of_slot, of_tank)) AND s.until IS NULL AND s.since >= now();
    ended := FOUND;
    UPDATE standing s SET until = now()
    WHERE ((s.slot, s.tank_id) = (of_slot, of_tank) OR (s.site_slot, s.site_tank) = (of_slot, of_tank)) AND s.until IS NULL;
    RETURN ended OR FOUND;
END
$$;

-- Says that a device of the named account's stands at no site any more. False: it stood at none.
CREATE OR REPLACE FUNCTION stand_nowhere(of_device text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
    former text;
BEGIN
    SELECT o.* INTO part FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
    WHERE d.hardware_id = of_device AND d.kind = 'device' AND o.account_id = current_account() AND o.role = 'owner' AND o.unlinked_at IS NULL
    FOR KEY SHARE OF o;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    former := site_of(part.slot, part.ownership_id);
    IF NOT end_standings(part.slot, part.ownership_id) THEN
        RETURN false;
    END IF;
    PERFORM note_standing(part, former, NULL);
    RETURN true;
END
$$;

-- A device or a site that is given up, or goes to another owner, leaves what it stands at, and what stands at it.
CREATE OR REPLACE FUNCTION standings_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM end_standings(OLD.slot, OLD.ownership_id);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    slot_of(text), make_site(bigint, text, double precision, double precision, real, text, smallint[], text[], integer[], integer[], text[], smallint[]),
    place_is_noted(), site_of(smallint, bigint), note_standing(ownership, text, text), stand_at(text, text), end_standings(smallint, bigint), stand_nowhere(text), standings_end_with_ownership() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    make_site(bigint, text, double precision, double precision, real, text, smallint[], text[], integer[], integer[], text[], smallint[]),
    stand_at(text, text), stand_nowhere(text) TO aqua_gateway;
