-- Public stations of others, whose values a site shows.

-- Names the station of a site of the named account's, in place of one before. set; same: as it was; unknown: no device of theirs; notASite; tooOften:
-- twenty times within a day; tooMany: the account has a hundred.
CREATE OR REPLACE FUNCTION set_station(of_site text, of_kind text, at_address text, on_host text, chosen jsonb) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    tank ownership;
    former station;
    site_kind text;
BEGIN
    -- One change of an account's stations at a time, and none while it is closed.
    PERFORM FROM account a WHERE a.account_id = me FOR NO KEY UPDATE;
    SELECT o.* INTO tank FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
    WHERE d.hardware_id = of_site AND o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL
    FOR KEY SHARE OF o; -- not given up meanwhile
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    SELECT d.kind INTO site_kind FROM device d WHERE d.slot = tank.slot AND d.device_id = tank.device_id;
    IF site_kind <> 'site' THEN
        RETURN 'notASite';
    END IF;
    SELECT * INTO former FROM station s WHERE s.slot = tank.slot AND s.tank_id = tank.ownership_id FOR UPDATE;
    IF former.kind = of_kind AND former.address = at_address AND former.host = on_host AND former.choice = chosen THEN
        RETURN 'same';
    ELSIF former.times_set >= 20 AND former.set_first BETWEEN now() - interval '1 day' AND now() THEN
        RETURN 'tooOften';
    ELSIF former.address IS NULL AND (SELECT count(*) FROM station s WHERE s.account_id = me AND s.address IS NOT NULL) >= 100 THEN
        RETURN 'tooMany';
    END IF;
    INSERT INTO station_host (host) VALUES (on_host) ON CONFLICT DO NOTHING;
    INSERT INTO station AS s (slot, tank_id, device_id, account_id, kind, address, host, choice)
    VALUES (tank.slot, tank.ownership_id, tank.device_id, me, of_kind, at_address, on_host, chosen)
    ON CONFLICT (slot, tank_id) DO UPDATE SET
        kind = excluded.kind, address = excluded.address, host = excluded.host, choice = excluded.choice, set_at = excluded.set_at,
        set_first = CASE WHEN s.set_first BETWEEN now() - interval '1 day' AND now() THEN s.set_first ELSE now() END,
        times_set = CASE WHEN s.set_first BETWEEN now() - interval '1 day' AND now() THEN s.times_set + 1 ELSE 1 END,
        title = CASE WHEN s.address = excluded.address THEN s.title END,
        -- Another series may be shown from here on: all of its last day comes again, and counts once.
        series = CASE WHEN s.address = excluded.address THEN s.series ELSE '[]' END,
        due_at = now(), fetched_at = NULL, seen_until = NULL, entity_tag = NULL, failures = 0, fault = NULL;
    RETURN 'set';
END
$$;

-- Lets the station of a site of the named account's go; its values stay. False: it has none.
CREATE OR REPLACE FUNCTION let_station_go(of_site text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE station s SET
        address = NULL, choice = '{}', set_at = clock_timestamp(), title = NULL, series = '[]', fetched_at = NULL, seen_until = NULL, entity_tag = NULL,
        failures = 0, fault = NULL
    FROM device d
    WHERE d.hardware_id = of_site AND s.slot = d.slot AND s.device_id = d.device_id AND s.account_id = current_account() AND s.address IS NOT NULL;
    RETURN FOUND;
END
$$;

-- A site that is given up has no station any more; one that goes into a project takes it along.
CREATE OR REPLACE FUNCTION stations_follow_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.unlinked_at IS NOT NULL THEN
        DELETE FROM station s WHERE s.slot = NEW.slot AND s.tank_id = NEW.ownership_id;
    ELSE
        UPDATE station s SET account_id = NEW.account_id WHERE s.slot = NEW.slot AND s.tank_id = NEW.ownership_id;
    END IF;
    RETURN NULL;
END
$$;

-- Tells what follows from values of sites that their stations have corrected: closed hours are rolled up again, engines read the site anew, and it
-- shows on open screens. One entry a sample.
CREATE OR REPLACE FUNCTION readings_were_revised(slots smallint[], sites integer[], times timestamptz[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    site record;
BEGIN
    FOR site IN
        SELECT d.slot, d.device_id, array_agg(r.at) AS times
        FROM unnest(slots, sites, times) AS r (slot, device_id, at)
        JOIN device d ON d.slot = r.slot AND d.device_id = r.device_id AND d.kind = 'site'
        GROUP BY d.slot, d.device_id
        ORDER BY d.slot, d.device_id
    LOOP
        -- Like samples that come late: an hour that is open sees it when it is rolled up.
        INSERT INTO rollup_due (slot, device_id, hour)
        SELECT DISTINCT site.slot, site.device_id, date_bin('1 hour', t.at, 'epoch') FROM unnest(site.times) AS t (at)
        WHERE t.at < date_bin('1 hour', clock_timestamp() - interval '10 minutes', 'epoch');
        PERFORM rules_changed(site.slot, site.device_id);
        PERFORM pg_notify('setup', bucket::text) FROM (
            SELECT DISTINCT o.account_id & 255 AS bucket FROM ownership o
            WHERE o.slot = site.slot AND o.device_id = site.device_id AND o.unlinked_at IS NULL) AS told;
    END LOOP;
END
$$;

REVOKE ALL ON FUNCTION
    set_station(text, text, text, text, jsonb), let_station_go(text), stations_follow_ownership(),
    readings_were_revised(smallint[], integer[], timestamptz[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_station(text, text, text, text, jsonb), let_station_go(text) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION readings_were_revised(smallint[], integer[], timestamptz[]) TO aqua_ingestor;
