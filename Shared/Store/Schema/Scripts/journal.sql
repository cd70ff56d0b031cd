-- The journal as one list, how much it takes, and that it changed.

-- What people did for a tank, of each source in the same form: whatever joins the list is another part of this view. Whoever asks sees the
-- tanks that the tables' policies show. source: which table a line is from.
DROP VIEW IF EXISTS journal_item;
CREATE VIEW journal_item WITH (security_invoker = true) AS
    SELECT 'entry' AS source, e.slot, e.tank_id, e.device_id, e.entry_id AS item_id, e.kind, e.happened_at, e.amount, e.unit, e.subject, e.count, e.text,
        e.account_id, e.version, NULL::json AS details
    FROM journal_entry e;
GRANT SELECT ON journal_item TO aqua_gateway;

-- Gives a photo the first free place in its entry, and refuses one for which an entry, a tank or a person has no room. Photos that are added to
-- one tank wait for each other, so that they are counted one after the other.
CREATE OR REPLACE FUNCTION photo_has_room() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    full_is text;
BEGIN
    PERFORM pg_advisory_xact_lock(7133771, (NEW.tank_id & 2147483647)::integer);
    SELECT CASE
        WHEN 6 <= count(*) FILTER (WHERE p.entry_id = NEW.entry_id) THEN 'entry'
        WHEN 500 <= count(*) THEN 'tank' END INTO full_is
    FROM journal_photo p WHERE p.slot = NEW.slot AND p.tank_id = NEW.tank_id;
    IF full_is IS NULL AND 256 * 1024 * 1024 < length(NEW.content) + (
        SELECT coalesce(sum(length(p.content) + coalesce(length(p.small), 0)), 0) FROM journal_photo p
        WHERE p.account_id = NEW.account_id) THEN
        full_is := 'person';
    END IF;
    IF full_is IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'AQ002', TABLE = TG_TABLE_NAME, MESSAGE = format('there is no room for a photo: %s', full_is);
    END IF;
    NEW.place := (
        SELECT min(n) FROM generate_series(1, 6) AS n WHERE NOT EXISTS (
            SELECT FROM journal_photo p
            WHERE p.slot = NEW.slot AND p.tank_id = NEW.tank_id AND p.entry_id = NEW.entry_id AND p.place = n));
    RETURN NEW;
END
$$;

REVOKE ALL ON FUNCTION photo_has_room() FROM PUBLIC;
