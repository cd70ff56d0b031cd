-- Presets of a person's or a project's own, and limits that settings take over as a whole.

-- The presets that the named account may use: its own, and a person's those of the projects in which they take part.
CREATE OR REPLACE VIEW person_preset AS
    SELECT p.preset_id, p.account_id, p.name, p.limits, p.version, p.made_at, NULL::text AS project
    FROM own_preset p WHERE p.account_id = (SELECT current_account())
    UNION ALL
    SELECT p.preset_id, p.account_id, p.name, p.limits, p.version, p.made_at, a.display_name
    FROM project_member m
    JOIN own_preset p ON p.account_id = m.project_id
    JOIN account a ON a.account_id = m.project_id
    WHERE m.account_id = (SELECT current_account()) AND (m.ends_at IS NULL OR m.ends_at > now());
GRANT SELECT ON person_preset TO aqua_gateway;

-- Makes a preset of the named account, or changes the version since of it. outcome: made, changed, stale (another version is the newest), unknown (they
-- have no such preset), named (another one is called so), or full.
CREATE OR REPLACE FUNCTION put_preset(of_preset uuid, since integer, called text, with_limits jsonb, OUT outcome text, OUT preset uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    newest integer;
BEGIN
    -- one change at a time, and none while the account is closed
    PERFORM FROM account a WHERE a.account_id = me FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    SELECT p.version INTO newest FROM own_preset p WHERE p.preset_id = of_preset AND p.account_id = me;
    outcome := CASE
        WHEN of_preset IS NOT NULL AND newest IS NULL THEN 'unknown'
        WHEN newest <> since THEN 'stale'
        WHEN EXISTS (
            SELECT FROM own_preset o WHERE o.account_id = me AND o.name = called AND o.preset_id IS DISTINCT FROM of_preset) THEN 'named'
        WHEN of_preset IS NULL AND (SELECT count(*) FROM own_preset o WHERE o.account_id = me)
            >= (SELECT b.in_all FROM growth_bound b WHERE b.held = 'own_preset') THEN 'full'
        END;
    IF outcome IS NOT NULL THEN
        RETURN;
    END IF;
    IF of_preset IS NULL THEN
        outcome := 'made';
        INSERT INTO own_preset (account_id, name, limits) VALUES (me, called, with_limits) RETURNING preset_id INTO preset;
    ELSE
        outcome := 'changed';
        preset := of_preset;
        UPDATE own_preset p SET name = called, limits = with_limits, version = p.version + 1 WHERE p.preset_id = of_preset;
    END IF;
END
$$;

-- Deletes a preset of the named account; limits that were taken over from it stay. False: they have no such preset.
CREATE OR REPLACE FUNCTION drop_preset(of_preset uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM own_preset p WHERE p.preset_id = of_preset AND p.account_id = current_account();
    RETURN FOUND;
END
$$;

-- A setting with the limits of its parameter in a document as own_preset has it, and with nothing else of it. Periods begin and end by the clock of a zone.
CREATE OR REPLACE FUNCTION setting_with(one setting, wished jsonb, zone text) RETURNS setting
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_populate_record(one, (
        SELECT jsonb_object_agg(l.key, CASE
            WHEN l.key = 'periods' AND jsonb_typeof(l.value) = 'object' THEN jsonb_set(l.value, '{zone}', to_jsonb(zone)) ELSE l.value END)
        FROM jsonb_each(wished -> one.parameter::text) AS l (key, value)
        WHERE l.key IN ('unit', 'minimum', 'maximum', 'critical_minimum', 'critical_maximum'
            --% each setting
            , '{column}'
            --% end
        )))
$$;

-- Has settings of an account take over the limits of a document, each that has others by a next version; returns how many devices changed. Limits that
-- followed a project's are one's own once they are others.
--
-- A caller changes by it nothing that they may not change without it.
CREATE OR REPLACE FUNCTION take_limits(principal bigint, slots smallint[], devices integer[], wished jsonb) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    zone CONSTANT text := coalesce((SELECT a.time_zone FROM account a WHERE a.account_id = principal), 'UTC');
    next setting[];
BEGIN
    -- in the order of slots, as everybody who changes rules in several
    PERFORM FROM unnest(slots, devices) AS d (slot, device_id)
    JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.account_id = principal AND o.unlinked_at IS NULL
    ORDER BY o.slot, o.device_id FOR UPDATE OF o;
    next := ARRAY(
        SELECT n FROM unnest(slots, devices) AS d (slot, device_id)
        JOIN setting s ON s.slot = d.slot AND s.device_id = d.device_id AND s.account_id = principal AND s.valid_until IS NULL
        CROSS JOIN LATERAL (SELECT setting_with(s, wished, zone) AS n) w
        WHERE wished ? s.parameter::text AND s IS DISTINCT FROM n
        ORDER BY s.slot, s.device_id, s.parameter);
    UPDATE setting s SET valid_until = greatest(now(), s.valid_from)
    FROM unnest(next) AS n
    WHERE s.slot = n.slot AND s.device_id = n.device_id AND s.account_id = principal AND s.parameter = n.parameter AND s.valid_until IS NULL;
    INSERT INTO setting (
        slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position, critical_minimum, critical_maximum,
        --% each setting
        {column},
        --% end
        follows, valid_from)
    SELECT s.slot, s.device_id, s.account_id, s.parameter, s.version + 1, n.unit, n.minimum, n.maximum, s.colour, s.position, n.critical_minimum,
        n.critical_maximum,
        --% each setting
        n.{column},
        --% end
        s.follows AND (s.minimum, s.maximum, s.critical_minimum, s.critical_maximum
            --% each setting
            , s.{column}
            --% end
        ) IS NOT DISTINCT FROM (n.minimum, n.maximum, n.critical_minimum, n.critical_maximum
            --% each setting
            , n.{column}
            --% end
        ), s.valid_until
    FROM unnest(next) AS n
    JOIN setting s ON s.slot = n.slot AND s.device_id = n.device_id AND s.account_id = principal AND s.parameter = n.parameter AND s.version = n.version
    ORDER BY s.slot, s.device_id, s.parameter;
    RETURN (SELECT count(DISTINCT n.device_id) FROM unnest(next) AS n);
END
$$;

-- Has a device that somebody has just linked begin with a preset that they may use, and with it the members of a project who have its limits, in
-- units of their own. Nothing where it is there no more.
CREATE OR REPLACE FUNCTION begin_with_preset(of_slot smallint, of_device integer, principal bigint, of_preset uuid) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE setting s SET unit = CASE WHEN s.follows THEN s.unit ELSE n.unit END, minimum = n.minimum, maximum = n.maximum,
        critical_minimum = n.critical_minimum,
        --% each setting
        {column} = n.{column},
        --% end
        critical_maximum = n.critical_maximum
    FROM person_preset p
    JOIN account a ON a.account_id = principal
    JOIN setting f ON f.slot = of_slot AND f.device_id = of_device AND f.account_id = principal AND f.valid_until IS NULL
    CROSS JOIN LATERAL setting_with(f, p.limits, a.time_zone) AS n
    WHERE p.preset_id = of_preset AND p.limits ? f.parameter::text
        AND s.slot = f.slot AND s.device_id = f.device_id AND s.parameter = f.parameter AND s.valid_until IS NULL
        AND (s.account_id = f.account_id OR s.follows)
$$;

REVOKE ALL ON FUNCTION
    put_preset(uuid, integer, text, jsonb), drop_preset(uuid), setting_with(setting, jsonb, text),
    take_limits(bigint, smallint[], integer[], jsonb), begin_with_preset(smallint, integer, bigint, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    put_preset(uuid, integer, text, jsonb), drop_preset(uuid), setting_with(setting, jsonb, text),
    take_limits(bigint, smallint[], integer[], jsonb) TO aqua_gateway;
