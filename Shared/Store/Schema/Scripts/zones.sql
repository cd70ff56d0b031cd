-- Zones of the map, as those see them who may, and what changes them; and the places between which change is compared. Whoever makes a zone has locked
-- its account; its end waits for its row alone.

DROP VIEW IF EXISTS person_zone, person_point;

-- The zones of the named account, and of the projects in which whoever acts takes part.
CREATE VIEW person_zone AS
    SELECT z.zone_id, z.account_id, CASE WHEN a.kind = 'project' THEN z.account_id END AS project_id, z.place, z.name, z.outline, z.favourite, z.version,
        s.may_change
    FROM (
        SELECT (SELECT current_account()) AS account_id, true AS may_change
        UNION
        SELECT m.project_id, m.role IN ('owner', 'administrator')
        FROM project_member m
        WHERE m.account_id = (SELECT current_actor()) AND (m.ends_at IS NULL OR m.ends_at > now())) s
    JOIN zone z ON z.account_id = s.account_id
    JOIN account a ON a.account_id = z.account_id;

-- The devices and sites that the person has now and has given a position. That of somebody else is not told.
CREATE VIEW person_point AS
    SELECT o.slot, o.device_id, o.tank_id, o.ownership_id, d.hardware_id, d.kind, o.name, o.latitude, o.longitude
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.latitude IS NOT NULL;
GRANT SELECT ON person_zone, person_point TO aqua_gateway;

-- Makes a zone of the named account, or, where a project is given, of it, by an owner or administrator of it. done; unknown: they take no part in the
-- project, or the account is closed; refused: they only take part; full: there are as many as may be.
CREATE OR REPLACE FUNCTION make_zone(project bigint, called text, corners integer[], is_favourite boolean, OUT outcome text, OUT zone uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    owner CONSTANT bigint := coalesce(project, current_account());
    free smallint;
BEGIN
    outcome := may_draw_for(project);
    IF outcome <> 'done' THEN
        RETURN;
    END IF;
    free := (SELECT min(n) FROM generate_series(1, 100) AS n WHERE NOT EXISTS (
        SELECT FROM zone z WHERE z.account_id = owner AND z.place = n));
    IF free IS NULL THEN
        outcome := 'full';
        RETURN;
    END IF;
    INSERT INTO zone (account_id, place, name, outline, favourite) VALUES (owner, free, called, corners, is_favourite)
    RETURNING zone_id INTO zone;
END
$$;

-- Gives a zone of the named account's another name, outline, or place among the favourites. False: there is none.
CREATE OR REPLACE FUNCTION change_zone(of_zone uuid, called text, corners integer[], is_favourite boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE zone z SET name = called, outline = corners, favourite = is_favourite, version = z.version + 1
    WHERE z.zone_id = of_zone AND z.account_id = current_account();
    RETURN FOUND;
END
$$;

-- Removes a zone of the named account's. False: there is none.
CREATE OR REPLACE FUNCTION remove_zone(of_zone uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM zone z WHERE z.zone_id = of_zone AND z.account_id = current_account();
    RETURN FOUND;
END
$$;

REVOKE ALL ON FUNCTION make_zone(bigint, text, integer[], boolean), change_zone(uuid, text, integer[], boolean), remove_zone(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_zone(bigint, text, integer[], boolean), change_zone(uuid, text, integer[], boolean), remove_zone(uuid) TO aqua_gateway;
