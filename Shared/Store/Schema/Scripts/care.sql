-- Tanks, and who cares for them.

CREATE OR REPLACE FUNCTION ownership_knows_its_tank() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- A copy of a cell brings it along.
    NEW.tank_id := coalesce(NEW.tank_id, CASE NEW.role WHEN 'owner' THEN NEW.ownership_id ELSE (
        SELECT o.ownership_id FROM ownership o
        WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL) END, NEW.ownership_id);
    RETURN NEW;
END
$$;

-- The tanks whose care the person sees: an owner's, former ones too, and those that the person watches now.
CREATE OR REPLACE VIEW person_tank AS
    SELECT o.slot, o.tank_id, o.device_id, o.ownership_id, o.role, o.linked_at, o.unlinked_at
    FROM ownership o
    WHERE o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL);
GRANT SELECT ON person_tank TO aqua_gateway;

-- The people who share or have shared the person's tanks, by the name that others see. part: the id of their last ownership, which is told outside.
CREATE OR REPLACE VIEW tank_person AS
    SELECT DISTINCT ON (t.slot, t.tank_id, w.account_id) t.slot, t.tank_id, w.account_id, w.ownership_id AS part,
        shown_name(a.display_name, a.email) AS name, w.account_id = (SELECT current_account()) AS is_oneself,
        w.unlinked_at IS NULL AND a.kind = 'person' AS is_there
    FROM ownership t
    JOIN ownership w ON w.slot = t.slot AND w.tank_id = t.tank_id
    JOIN account a ON a.account_id = w.account_id
    WHERE t.account_id = (SELECT current_account()) AND (t.role = 'owner' OR t.unlinked_at IS NULL)
    ORDER BY t.slot, t.tank_id, w.account_id, w.ownership_id DESC;
GRANT SELECT ON tank_person TO aqua_gateway;

-- Says to everybody who shares some tanks that a part of their care changed. A tank that is erased has nobody left to tell.
CREATE OR REPLACE FUNCTION note_care(slots smallint[], tanks bigint[], of_part text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO care_version AS v (slot, tank_id, part)
    SELECT DISTINCT c.slot, c.tank_id, of_part FROM unnest(slots, tanks) AS c (slot, tank_id)
    JOIN ownership o ON o.slot = c.slot AND o.ownership_id = c.tank_id
    ORDER BY 1, 2
    ON CONFLICT (slot, tank_id, part) DO UPDATE SET version = v.version + 1;
    PERFORM pg_notify('setup', told.bucket::text) FROM (
        SELECT DISTINCT o.account_id & 255 AS bucket FROM unnest(slots, tanks) AS c (slot, tank_id)
        JOIN ownership o ON o.slot = c.slot AND o.tank_id = c.tank_id AND (o.role = 'owner' OR o.unlinked_at IS NULL)) AS told;
END
$$;

-- For a statement, whose rows are `changed`, and for a row. The part is the trigger's argument.
CREATE OR REPLACE FUNCTION care_was_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM note_care(array_agg(c.slot), array_agg(c.tank_id), TG_ARGV[0]) FROM changed c HAVING count(*) > 0;
    RETURN NULL;
END
$$;
CREATE OR REPLACE FUNCTION care_row_was_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM note_care(ARRAY[NEW.slot], ARRAY[NEW.tank_id], TG_ARGV[0]);
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION ownership_knows_its_tank(), note_care(smallint[], bigint[], text), care_was_changed(), care_row_was_changed() FROM PUBLIC;
