-- What people have set up, as a number for each part of it, so that a screen reads anew what changed elsewhere and nothing else. Each is
-- another after any change of its part:
--   settings    the person's own settings
--   devices     which devices they have, with names and places
--   parameters  limits and rules
--   snoozes     what is snoozed or acknowledged
-- setup_versions says the same as one number, for a Gateway of the version before.
CREATE FUNCTION setup_parts(tickets text[])
RETURNS TABLE (account_id bigint, settings bigint, devices bigint, parameters bigint, snoozes bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.account_id, a.settings_version::bigint, coalesce(p.devices, 0), coalesce(p.parameters, 0), coalesce(p.snoozes, 0)
    FROM account a
    CROSS JOIN LATERAL (
        SELECT
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, o.version), ',' ORDER BY o.ownership_id), 0) AS devices,
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, (
                SELECT sum(g.version) FROM setting g
                WHERE g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id AND g.valid_until IS NULL)),
                ',' ORDER BY o.ownership_id), 0) AS parameters,
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, (
                SELECT string_agg(n.snooze_id::text, '+' ORDER BY n.snooze_id) FROM snooze n
                WHERE n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id AND n.ended_at IS NULL)),
                ',' ORDER BY o.ownership_id), 0) AS snoozes
        FROM ownership o WHERE o.account_id = a.account_id AND o.unlinked_at IS NULL
    ) AS p
    WHERE a.account_id = ANY (accounts_of(tickets))
    ORDER BY a.account_id
$$;

REVOKE ALL ON FUNCTION setup_parts(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION setup_parts(text[]) TO aqua_gateway;
