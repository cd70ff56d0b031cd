-- The journal as one list, how much it takes, and that it changed.

-- The deeds of people for a tank, of each source in the same form: whatever joins the list is another part of this view, and of journal_details.
-- Whoever asks sees the tanks that the tables' policies show. source: which table a line is from. is_listed: of what was done about a
-- reminder, that it was done; of work, that it was not withdrawn. Each part is one table without a condition, so that the planner merges what
-- their indexes give in order, and leaves out those whose kind is not asked for.
DROP VIEW IF EXISTS journal_item;
CREATE VIEW journal_item WITH (security_invoker = true) AS
    SELECT 'entry' AS source, e.slot, e.tank_id, e.entry_id AS item_id, e.kind, e.happened_at, e.amount, e.unit, e.subject, e.count, e.text,
        e.account_id, e.version, true AS is_listed
    FROM journal_entry e
    UNION ALL
    SELECT 'test', t.slot, t.tank_id, t.test_id, 'tested', t.at, NULL::double precision, NULL, NULL, NULL::integer, t.note, t.account_id, t.version,
        true
    FROM hand_test t
    UNION ALL
    SELECT 'work', w.slot, w.tank_id, w.work_id, 'worked', w.begins_at, NULL, NULL, NULL, NULL, NULL, w.account_id, w.version,
        w.withdrawn_at IS NULL
    FROM water_work w
    UNION ALL
    SELECT 'act', a.slot, a.tank_id, a.act_id, 'done', a.acted_at, NULL, NULL, NULL, NULL, NULL, a.account_id, a.version, a.what = 'done'
    FROM reminder_act a
    UNION ALL
    SELECT 'calibration', c.slot, c.tank_id, c.calibration_id, 'calibrated', c.at, NULL, NULL, NULL, NULL, c.note, c.account_id, c.version, true
    FROM calibration c;
GRANT SELECT ON journal_item TO aqua_gateway;

-- The members that only lines of one source have: the values of a test, with the numbers of their parameters; the kind of work, and how long it lasted; the
-- reminder that was done; of which parameter a probe was calibrated, and what was done. NULL for entries that people write. It runs with the rights of
-- whoever asks, for the lines of a page alone.
CREATE OR REPLACE FUNCTION journal_details(source text, of_slot smallint, item uuid) RETURNS json
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC' AS $$
    SELECT CASE source
        WHEN 'test' THEN (
            SELECT json_build_object('kit', t.kit, 'values', (
                SELECT coalesce(json_agg(json_build_object(
                    'parameter', v.parameter, 'value', v.read, 'unit', v.unit, 'canonicalValue', v.value, 'lower', v.lower, 'upper', v.upper,
                    'choice', v.choice) ORDER BY v.parameter), '[]')
                FROM hand_value v WHERE v.slot = t.slot AND v.test_id = t.test_id))
            FROM hand_test t WHERE t.slot = of_slot AND t.test_id = item)
        WHEN 'work' THEN (
            SELECT json_build_object(
                'kind', w.kind, 'from', w.begins_at, 'until', w.until, 'endedAt', CASE WHEN w.ends_at <= now() THEN w.ends_at END)
            FROM water_work w WHERE w.slot = of_slot AND w.work_id = item)
        WHEN 'act' THEN (
            SELECT json_build_object('reminder', r.reminder_id, 'name', r.name, 'activity', r.activity)
            FROM reminder_act a JOIN reminder r ON r.slot = a.slot AND r.reminder_id = a.reminder_id
            WHERE a.slot = of_slot AND a.act_id = item)
        WHEN 'calibration' THEN (
            SELECT json_build_object('parameter', c.parameter, 'kind', c.kind)
            FROM calibration c WHERE c.slot = of_slot AND c.calibration_id = item)
        END
$$;
REVOKE ALL ON FUNCTION journal_details(text, smallint, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal_details(text, smallint, uuid) TO aqua_gateway;

-- Whether a person has room for so many more bytes of photos, the small ones as well. Who adds at the same time waits, and is counted after the other.
CREATE OR REPLACE FUNCTION has_room_for_photos(person bigint, bytes integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM take_turn(7133773, person);
    RETURN bytes + (
        SELECT coalesce(sum(length(p.content) + coalesce(length(p.small), 0)), 0) FROM journal_photo p WHERE p.account_id = person
    ) <= 256 * 1024 * 1024;
END
$$;

-- Gives a photo the first free place in its entry or sample, and refuses one for which that, a tank or a person has no room. Photos that are added to
-- one tank, or by one person, wait for each other, so that they are counted one after the other.
CREATE OR REPLACE FUNCTION photo_has_room() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := CASE WHEN NEW.sample_id IS NULL THEN 6 ELSE 20 END;
    full_is text;
BEGIN
    PERFORM take_turn(7133771, NEW.tank_id);
    SELECT CASE
        WHEN most <= count(*) FILTER (WHERE p.entry_id = NEW.entry_id OR p.sample_id = NEW.sample_id) THEN 'entry'
        WHEN NEW.entry_id IS NOT NULL AND 500 <= count(p.entry_id) OR NEW.sample_id IS NOT NULL AND 2000 <= count(p.sample_id) THEN 'tank'
        END INTO full_is
    FROM journal_photo p WHERE p.slot = NEW.slot AND p.tank_id = NEW.tank_id;
    IF full_is IS NULL AND NOT has_room_for_photos(NEW.account_id, length(NEW.content) + coalesce(length(NEW.small), 0)) THEN
        full_is := 'person';
    END IF;
    IF full_is IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'AQ002', TABLE = TG_TABLE_NAME, MESSAGE = format('there is no room for a photo: %s', full_is);
    END IF;
    NEW.place := (
        SELECT min(n) FROM generate_series(1, most) AS n WHERE NOT EXISTS (
            SELECT FROM journal_photo p
            WHERE p.slot = NEW.slot AND p.tank_id = NEW.tank_id AND (p.entry_id = NEW.entry_id OR p.sample_id = NEW.sample_id) AND p.place = n));
    RETURN NEW;
END
$$;

-- Refuses the small picture of a photo for which the person who added the photo has no room.
CREATE OR REPLACE FUNCTION small_photo_has_room() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT has_room_for_photos(NEW.account_id, length(NEW.small)) THEN
        RAISE EXCEPTION USING ERRCODE = 'AQ002', TABLE = TG_TABLE_NAME, MESSAGE = 'there is no room for a photo: person';
    END IF;
    RETURN NEW;
END
$$;

REVOKE ALL ON FUNCTION photo_has_room(), small_photo_has_room(), has_room_for_photos(bigint, integer) FROM PUBLIC;
