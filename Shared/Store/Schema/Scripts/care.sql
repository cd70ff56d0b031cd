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
DROP VIEW IF EXISTS person_tank;
CREATE VIEW person_tank AS
    SELECT o.slot, o.tank_id, o.device_id, o.ownership_id, o.role, o.linked_at, o.unlinked_at
    FROM ownership o
    WHERE o.account_id = (SELECT current_account()) AND (o.role = 'owner' OR o.unlinked_at IS NULL);
GRANT SELECT ON person_tank TO aqua_gateway;

-- Whoever shares or has shared the person's tanks, by the name that others see. part: the id of their last ownership, which is told outside.
DROP VIEW IF EXISTS tank_person;
CREATE VIEW tank_person AS
    SELECT DISTINCT ON (t.slot, t.tank_id, w.account_id) t.slot, t.tank_id, w.account_id, w.ownership_id AS part,
        shown_name(a.display_name, a.email) AS name, w.account_id = (SELECT current_account()) AS is_oneself,
        w.unlinked_at IS NULL AS is_there
    FROM ownership t
    JOIN ownership w ON w.slot = t.slot AND w.tank_id = t.tank_id
    JOIN account a ON a.account_id = w.account_id
    WHERE t.account_id = (SELECT current_account()) AND (t.role = 'owner' OR t.unlinked_at IS NULL)
    ORDER BY t.slot, t.tank_id, w.account_id, w.ownership_id DESC;
GRANT SELECT ON tank_person TO aqua_gateway;

REVOKE ALL ON FUNCTION ownership_knows_its_tank() FROM PUBLIC;
