-- Tanks that a person shared and does not see any more: the person's own words and photos in them stay the tank's, and are theirs to take along.

-- Whether a tank is out of the named person's sight.
CREATE OR REPLACE FUNCTION is_former_tank(of_slot smallint, of_tank bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT NOT EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = of_slot AND o.tank_id = of_tank AND o.account_id = (SELECT current_account())
            AND (o.role = 'owner' OR o.unlinked_at IS NULL))
$$;

-- A page of all that the named person wrote and did for such tanks, by source and id, in the words that stand there now. parameters: their names,
-- by their numbers.
CREATE OR REPLACE FUNCTION own_care_of_former_tanks(
    after_source text, after_slot smallint, after_id uuid, most bigint, parameters text[])
RETURNS TABLE (source text, slot smallint, id uuid, written json)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC' AS $$
    WITH own AS (
        SELECT 'act' AS source, a.slot, a.tank_id, a.act_id AS id FROM reminder_act a WHERE a.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'calibration', c.slot, c.tank_id, c.calibration_id FROM calibration c WHERE c.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'entry', e.slot, e.tank_id, e.entry_id FROM journal_entry e WHERE e.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'item', i.slot, i.tank_id, i.item_id FROM inventory_item i WHERE i.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'reminder', r.slot, r.tank_id, r.reminder_id FROM reminder r WHERE r.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'sample', s.slot, s.tank_id, s.sample_id FROM field_sample s WHERE s.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'test', t.slot, t.tank_id, t.test_id FROM hand_test t WHERE t.account_id = (SELECT current_account()) AND NOT t.of_sample
        UNION ALL
        SELECT 'work', w.slot, w.tank_id, w.work_id FROM water_work w WHERE w.account_id = (SELECT current_account())
    ), page AS MATERIALIZED (
        SELECT o.* FROM own o
        WHERE (o.source, o.slot, o.id) > (after_source, after_slot, after_id) AND is_former_tank(o.slot, o.tank_id)
        ORDER BY o.source, o.slot, o.id
        LIMIT most
    )
    SELECT p.source, p.slot, p.id, json_build_object('source', p.source, 'id', p.id, 'device', d.hardware_id, 'written', CASE p.source
        WHEN 'act' THEN (
            SELECT json_build_object(
                'reminder', a.reminder_id, 'what', a.what, 'on', to_char(a.on_at, 'YYYY-MM-DD"T"HH24:MI'), 'at', a.acted_at, 'until', a.until_at)
            FROM reminder_act a WHERE a.slot = p.slot AND a.act_id = p.id)
        WHEN 'calibration' THEN (
            SELECT json_build_object(
                'parameter', coalesce(parameters[c.parameter + 1], c.parameter::text), 'kind', c.kind, 'at', c.at, 'unit', c.unit,
                'standards', c.standards, 'before', c.befores, 'after', c.afters, 'millivolts', c.millivolts, 'temperature', c.temperature,
                'note', c.note)
            FROM calibration c WHERE c.slot = p.slot AND c.calibration_id = p.id)
        WHEN 'entry' THEN (
            SELECT json_build_object(
                'kind', e.kind, 'at', e.happened_at, 'amount', e.amount, 'unit', e.unit, 'subject', e.subject, 'count', e.count, 'text', e.text)
            FROM journal_entry e WHERE e.slot = p.slot AND e.entry_id = p.id)
        WHEN 'item' THEN (
            SELECT json_build_object(
                'list', i.list, 'name', i.name, 'count', i.count, 'kind', i.kind, 'since', i.since, 'until', i.until, 'note', i.note)
            FROM inventory_item i WHERE i.slot = p.slot AND i.item_id = p.id)
        WHEN 'reminder' THEN (
            SELECT json_build_object('name', r.name, 'activity', r.activity, 'notes', r.notes, 'madeAt', r.made_at, 'endedAt', r.ended_at)
            FROM reminder r WHERE r.slot = p.slot AND r.reminder_id = p.id)
        WHEN 'sample' THEN (
            SELECT json_build_object('version', s.version, 'state', s.state, 'content', s.content)
            FROM field_sample s WHERE s.slot = p.slot AND s.sample_id = p.id)
        WHEN 'test' THEN (
            SELECT json_build_object('at', t.at, 'kit', t.kit, 'note', t.note, 'values', (
                SELECT coalesce(json_agg(json_build_object(
                    'parameter', coalesce(parameters[v.parameter + 1], v.parameter::text), 'value', v.read, 'unit', v.unit,
                    'canonicalValue', v.value, 'lower', v.lower, 'upper', v.upper, 'choice', v.choice) ORDER BY v.parameter), '[]')
                FROM hand_value v WHERE v.slot = t.slot AND v.test_id = t.test_id))
            FROM hand_test t WHERE t.slot = p.slot AND t.test_id = p.id)
        WHEN 'work' THEN (
            SELECT json_build_object('kind', w.kind, 'from', w.begins_at, 'until', w.until, 'endedAt', w.ended_at)
            FROM water_work w WHERE w.slot = p.slot AND w.work_id = p.id)
        END)
    FROM page p
    JOIN ownership k ON k.slot = p.slot AND k.ownership_id = p.tank_id
    JOIN device d ON d.slot = k.slot AND d.device_id = k.device_id
    ORDER BY p.source, p.slot, p.id
$$;

-- The next photo that the named person added to such a tank.
CREATE OR REPLACE FUNCTION next_own_photo_of_former_tanks(after_photo uuid)
RETURNS TABLE (photo uuid, device text, type text, content bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT p.photo_id, d.hardware_id, p.type, p.content
    FROM journal_photo p
    JOIN ownership k ON k.slot = p.slot AND k.ownership_id = p.tank_id
    JOIN device d ON d.slot = k.slot AND d.device_id = k.device_id
    WHERE p.account_id = (SELECT current_account()) AND p.photo_id > after_photo AND is_former_tank(p.slot, p.tank_id)
    ORDER BY p.photo_id
    LIMIT 1
$$;

-- What the named person wrote and pictured in such tanks, newest first below a place in that order: entries and photos, and the notes of all else.
CREATE OR REPLACE FUNCTION own_words_of_former_tanks(before timestamptz, before_id uuid, most bigint)
RETURNS TABLE (source text, id uuid, device text, at timestamptz, words text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH own AS (
        SELECT 'calibration' AS source, c.slot, c.tank_id, c.calibration_id AS id, c.at, c.note AS words FROM calibration c
        WHERE c.account_id = (SELECT current_account()) AND c.note IS NOT NULL
        UNION ALL
        SELECT 'entry', e.slot, e.tank_id, e.entry_id, e.happened_at, nullif(concat_ws(' · ', e.subject, e.text), '') FROM journal_entry e
        WHERE e.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'item', i.slot, i.tank_id, i.item_id, i.made_at, i.note FROM inventory_item i
        WHERE i.account_id = (SELECT current_account()) AND i.note IS NOT NULL
        UNION ALL
        SELECT 'photo', p.slot, p.tank_id, p.photo_id, p.made_at, NULL FROM journal_photo p WHERE p.account_id = (SELECT current_account())
        UNION ALL
        SELECT 'reminder', r.slot, r.tank_id, r.reminder_id, r.made_at, r.notes FROM reminder r
        WHERE r.account_id = (SELECT current_account()) AND r.notes <> ''
        UNION ALL
        SELECT 'sample', s.slot, s.tank_id, s.sample_id, s.begun_at, concat_ws(' · ', s.content ->> 'habitat', s.content ->> 'comment')
        FROM field_sample s
        WHERE s.account_id = (SELECT current_account()) AND (s.content ->> 'habitat' IS NOT NULL OR s.content ->> 'comment' IS NOT NULL)
        UNION ALL
        SELECT 'test', t.slot, t.tank_id, t.test_id, t.at, t.note FROM hand_test t
        WHERE t.account_id = (SELECT current_account()) AND t.note IS NOT NULL
    )
    SELECT o.source, o.id, d.hardware_id, o.at, o.words
    FROM own o
    JOIN ownership k ON k.slot = o.slot AND k.ownership_id = o.tank_id
    JOIN device d ON d.slot = k.slot AND d.device_id = k.device_id
    WHERE (o.at, o.id) < (before, before_id) AND is_former_tank(o.slot, o.tank_id)
    ORDER BY o.at DESC, o.id DESC
    LIMIT most
$$;

-- The photo of such a tank that the named person added.
CREATE OR REPLACE FUNCTION own_photo_of_former_tank(of_photo uuid) RETURNS TABLE (type text, digest bytea, content bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT p.type, p.digest, p.content FROM journal_photo p
    WHERE p.photo_id = of_photo AND p.account_id = (SELECT current_account()) AND is_former_tank(p.slot, p.tank_id)
$$;

-- Removes one of them. An entry goes with its photos; of what the tank's people go on by (values, samples, calibrations, lists, reminders) the words alone.
-- false: there is none of the named person's in such a tank. A policy would show former tanks to every other statement as well.
CREATE OR REPLACE FUNCTION remove_own_words_of_former_tank(of_source text, of_id uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
BEGIN
    CASE of_source
        WHEN 'entry' THEN
            DELETE FROM journal_entry e WHERE e.entry_id = of_id AND e.account_id = person AND is_former_tank(e.slot, e.tank_id);
        WHEN 'photo' THEN
            DELETE FROM journal_photo p WHERE p.photo_id = of_id AND p.account_id = person AND is_former_tank(p.slot, p.tank_id);
        WHEN 'calibration' THEN
            UPDATE calibration c SET note = NULL, version = c.version + 1
            WHERE c.calibration_id = of_id AND c.account_id = person AND c.note IS NOT NULL AND is_former_tank(c.slot, c.tank_id);
        WHEN 'item' THEN
            UPDATE inventory_item i SET note = NULL, version = i.version + 1
            WHERE i.item_id = of_id AND i.account_id = person AND i.note IS NOT NULL AND is_former_tank(i.slot, i.tank_id);
        WHEN 'reminder' THEN
            UPDATE reminder r SET notes = '', version = r.version + 1
            WHERE r.reminder_id = of_id AND r.account_id = person AND r.notes <> '' AND is_former_tank(r.slot, r.tank_id);
        WHEN 'sample' THEN
            UPDATE field_sample_version v SET content = v.content || '{"habitat": null, "comment": null}'
            WHERE v.sample_id = of_id AND v.account_id = person AND is_former_tank(v.slot, v.tank_id);
            UPDATE field_sample s SET content = s.content || '{"habitat": null, "comment": null}', changed_at = now()
            WHERE s.sample_id = of_id AND s.account_id = person AND is_former_tank(s.slot, s.tank_id)
                AND (s.content ->> 'habitat' IS NOT NULL OR s.content ->> 'comment' IS NOT NULL);
        WHEN 'test' THEN
            UPDATE hand_test t SET note = NULL, version = t.version + 1
            WHERE t.test_id = of_id AND t.account_id = person AND t.note IS NOT NULL AND is_former_tank(t.slot, t.tank_id);
        ELSE
            RETURN false;
    END CASE;
    RETURN FOUND;
END
$$;

REVOKE ALL ON FUNCTION
    own_words_of_former_tanks(timestamptz, uuid, bigint), own_photo_of_former_tank(uuid), remove_own_words_of_former_tank(text, uuid),
    is_former_tank(smallint, bigint), own_care_of_former_tanks(text, smallint, uuid, bigint, text[]), next_own_photo_of_former_tanks(uuid)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    own_words_of_former_tanks(timestamptz, uuid, bigint), own_photo_of_former_tank(uuid), remove_own_words_of_former_tank(text, uuid),
    own_care_of_former_tanks(text, smallint, uuid, bigint, text[]), next_own_photo_of_former_tanks(uuid) TO aqua_gateway;
