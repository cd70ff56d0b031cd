-- A tank is what an owner has a device in, from linking to unlinking: whoever watches the device meanwhile shares it. What people do for the
-- water belongs to the tank: the next owner of a device begins with an empty one, and a closed account takes its tanks along.
ALTER TABLE ownership ADD COLUMN tank_id bigint; -- the owner's ownership_id, in each row of the tank
-- No rule changes by it.
ALTER TABLE ownership DISABLE TRIGGER USER;
UPDATE ownership w SET tank_id = CASE w.role WHEN 'owner' THEN w.ownership_id ELSE coalesce((
    SELECT o.ownership_id FROM ownership o
    WHERE o.slot = w.slot AND o.device_id = w.device_id AND o.role = 'owner' AND o.linked_at <= w.linked_at
        AND (o.unlinked_at IS NULL OR o.unlinked_at >= w.linked_at)
    ORDER BY o.linked_at DESC LIMIT 1), w.ownership_id) END;
ALTER TABLE ownership ENABLE TRIGGER USER;
ALTER TABLE ownership ALTER COLUMN tank_id SET NOT NULL;
-- Services of the former version link devices until the scripts come, which say the same.
CREATE FUNCTION ownership_knows_its_tank() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.tank_id := coalesce(NEW.tank_id, CASE NEW.role WHEN 'owner' THEN NEW.ownership_id ELSE (
        SELECT o.ownership_id FROM ownership o
        WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL) END, NEW.ownership_id);
    RETURN NEW;
END
$$;
REVOKE ALL ON FUNCTION ownership_knows_its_tank() FROM PUBLIC;
CREATE TRIGGER ownership_has_tank BEFORE INSERT ON ownership FOR EACH ROW EXECUTE FUNCTION ownership_knows_its_tank();
CREATE INDEX ownership_of_tank ON ownership (slot, tank_id);
GRANT SELECT (tank_id) ON ownership TO aqua_rules;
