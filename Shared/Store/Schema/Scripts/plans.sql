-- Plans of sites, as those see them who may, and what changes them. Whoever changes one has locked its account; its end waits for its row alone.

DROP VIEW IF EXISTS person_plan_place, person_plan;

-- The plans of the named account, and of the projects in which whoever acts takes part.
CREATE VIEW person_plan AS
    SELECT p.plan_id, p.account_id, CASE WHEN a.kind = 'project' THEN p.account_id END AS project_id, p.place, p.name, p.version, s.may_change,
        c.type, c.width, c.height, c.digest, c.content
    FROM (
        SELECT (SELECT current_account()) AS account_id, true AS may_change
        UNION
        SELECT m.project_id, m.role IN ('owner', 'administrator')
        FROM project_member m
        WHERE m.account_id = (SELECT current_actor()) AND (m.ends_at IS NULL OR m.ends_at > now())) s
    JOIN site_plan p ON p.account_id = s.account_id
    JOIN account a ON a.account_id = p.account_id
    LEFT JOIN plan_picture c ON c.plan_id = p.plan_id;

-- Of a plan's tanks those that the person sees.
CREATE VIEW person_plan_place AS
    SELECT p.plan_id, d.hardware_id, t.x, t.y
    FROM person_plan p
    JOIN plan_place t ON t.plan_id = p.plan_id
    JOIN ownership o ON o.slot = t.slot AND o.tank_id = t.tank_id AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id;
GRANT SELECT ON person_plan, person_plan_place TO aqua_gateway;

-- Whether the named person may begin a plan or a zone of their own, or of a project: done; unknown: they take no part in the project, or the account is
-- closed; refused: they only take part. The account that it will be of is locked: one change at a time, and none while it is closed.
CREATE OR REPLACE FUNCTION may_draw_for(project bigint) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF project IS NOT NULL AND role_in(project, current_account()) IS NULL THEN
        RETURN 'unknown';
    END IF;
    PERFORM FROM account a WHERE a.account_id = coalesce(project, current_account()) FOR NO KEY UPDATE;
    RETURN CASE
        WHEN NOT FOUND THEN 'unknown'
        WHEN project IS NULL OR role_in(project, current_account()) IN ('owner', 'administrator') THEN 'done'
        WHEN role_in(project, current_account()) IS NULL THEN 'unknown' -- the part of somebody who waited may have ended
        ELSE 'refused' END;
END
$$;

-- Makes a plan of the named account's tanks, or, where a project is given, of its tanks, by an owner or administrator of it; blank at first. done;
-- unknown: they take no part in the project, or the account is closed; refused: they only take part; full: there are as many as may be.
CREATE OR REPLACE FUNCTION make_plan(project bigint, called text, OUT outcome text, OUT plan uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    owner CONSTANT bigint := coalesce(project, current_account());
    free smallint;
BEGIN
    outcome := may_draw_for(project);
    IF outcome <> 'done' THEN
        RETURN;
    END IF;
    free := (SELECT min(n) FROM generate_series(1, 10) AS n WHERE NOT EXISTS (
        SELECT FROM site_plan p WHERE p.account_id = owner AND p.place = n));
    IF free IS NULL THEN
        outcome := 'full';
        RETURN;
    END IF;
    INSERT INTO site_plan (account_id, place, name) VALUES (owner, free, called) RETURNING plan_id INTO plan;
END
$$;

-- Gives a plan of the named account's another name. False: there is none.
CREATE OR REPLACE FUNCTION rename_plan(plan uuid, called text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE site_plan p SET name = called, version = p.version + 1 WHERE p.plan_id = plan AND p.account_id = current_account();
    RETURN FOUND;
END
$$;

-- Gives a plan of the named account's another picture; NULL: the blank grid. False: there is no such plan.
CREATE OR REPLACE FUNCTION set_plan_picture(plan uuid, of_type text, of_width integer, of_height integer, file bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE site_plan p SET version = p.version + 1 WHERE p.plan_id = plan AND p.account_id = current_account();
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM plan_picture c WHERE c.plan_id = plan;
    IF file IS NOT NULL THEN
        INSERT INTO plan_picture (plan_id, type, width, height, content) VALUES (plan, of_type, of_width, of_height, file);
    END IF;
    RETURN true;
END
$$;

-- Puts tanks of the named account's on its plan, and takes all others off. placed; unknown: there is no such plan; notOwn: one of the devices is not
-- the account's. A plan has 500 at most.
CREATE OR REPLACE FUNCTION place_tanks(plan uuid, devices text[], xs smallint[], ys smallint[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    tanks ownership[];
BEGIN
    PERFORM FROM site_plan p WHERE p.plan_id = plan AND p.account_id = me FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    ELSIF cardinality(devices) > 500 THEN
        RAISE EXCEPTION USING ERRCODE = 'AQ003', TABLE = 'plan_place', MESSAGE = 'a plan has as many tanks as it may have';
    END IF;
    tanks := ARRAY(
        SELECT o FROM unnest(devices) WITH ORDINALITY AS w (hardware_id, place)
        JOIN device d ON d.hardware_id = w.hardware_id
        JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
        WHERE o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL
        ORDER BY w.place
        FOR KEY SHARE OF o); -- none is given up meanwhile
    IF cardinality(tanks) <> cardinality(devices) THEN
        RETURN 'notOwn';
    END IF;
    UPDATE site_plan p SET version = p.version + 1 WHERE p.plan_id = plan;
    DELETE FROM plan_place t WHERE t.plan_id = plan;
    INSERT INTO plan_place (plan_id, slot, tank_id, x, y)
    SELECT plan, t.slot, t.tank_id, xs[t.place], ys[t.place]
    FROM (SELECT u.slot, u.tank_id, row_number() OVER () AS place FROM unnest(tanks) AS u) t;
    RETURN 'placed';
END
$$;

-- Removes a plan of the named account's. False: there is none.
CREATE OR REPLACE FUNCTION remove_plan(plan uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM site_plan p WHERE p.plan_id = plan AND p.account_id = current_account();
    RETURN FOUND;
END
$$;

-- A tank that is given up, or handed over, is on no plan of its former owner any more.
CREATE OR REPLACE FUNCTION places_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM plan_place t USING site_plan p
    WHERE t.slot = OLD.slot AND t.tank_id = OLD.tank_id AND p.plan_id = t.plan_id AND p.account_id = OLD.account_id;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    may_draw_for(bigint), make_plan(bigint, text), rename_plan(uuid, text), set_plan_picture(uuid, text, integer, integer, bytea),
    place_tanks(uuid, text[], smallint[], smallint[]), remove_plan(uuid), places_end_with_ownership() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    make_plan(bigint, text), rename_plan(uuid, text), set_plan_picture(uuid, text, integer, integer, bytea),
    place_tanks(uuid, text[], smallint[], smallint[]), remove_plan(uuid) TO aqua_gateway;
