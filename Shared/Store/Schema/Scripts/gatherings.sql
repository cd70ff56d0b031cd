-- Quiet hours, and what is gathered for a digest.

-- The night in which a time lies, of the days that are set; no row: none. Each end is a civil time of the zone: the night is an hour longer or
-- shorter when clocks change, a time that a change skips is that much later, and of one that comes twice the second counts.
CREATE OR REPLACE FUNCTION quiet_period(zone text, begins_at time, ends_at time, days smallint, at timestamptz)
RETURNS TABLE (since timestamptz, until timestamptz)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT p.since, p.until
    FROM (SELECT usable_time_zone(zone) AS name OFFSET 0) z
    CROSS JOIN generate_series(0, 1) AS back
    CROSS JOIN LATERAL (SELECT (at AT TIME ZONE z.name)::date - back AS day) n
    CROSS JOIN LATERAL (SELECT
        (n.day + begins_at) AT TIME ZONE z.name AS since,
        (n.day + ends_at + CASE WHEN ends_at <= begins_at THEN interval '1 day' ELSE interval '0' END) AT TIME ZONE z.name AS until) p
    WHERE days >> (extract(isodow FROM n.day)::integer - 1) & 1 = 1 AND p.since <= at AND at < p.until
    ORDER BY p.until DESC
    LIMIT 1
$$;

-- The night that is on for a person; no row: none.
CREATE OR REPLACE VIEW current_quiet_hours WITH (security_invoker = true) AS
    SELECT q.account_id, q.silence_rings, p.since, p.until
    FROM quiet_hours q JOIN account a ON a.account_id = q.account_id
    CROSS JOIN LATERAL (SELECT * FROM quiet_period(a.time_zone, q.begins_at, q.ends_at, q.days, now()) OFFSET 0) p;
GRANT SELECT ON current_quiet_hours TO aqua_rules, aqua_gateway;

-- What is gathered for the night is told when the night ends, as that is set now.
CREATE OR REPLACE FUNCTION gathering_follows(person bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE gathering g SET until_at = coalesce((SELECT c.until FROM current_quiet_hours c WHERE c.account_id = person), now())
    WHERE g.account_id = person AND g.ended_at IS NULL AND g.reason = 'quietHours'
$$;

CREATE OR REPLACE FUNCTION quiet_hours_were_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.account_id ELSE NEW.account_id END;
BEGIN
    PERFORM gathering_follows(person);
    PERFORM summary_follows(person);
    PERFORM pg_notify('setup', (person & 255)::text);
    RETURN NULL;
END
$$;

-- Sets the quiet hours of the named person, in place of those before. By a function, since a role that may change all of a table, or delete
-- from it, may lock it against the engines as well.
CREATE OR REPLACE FUNCTION set_quiet_hours(begins time, ends time, on_days smallint, silence boolean) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
    SELECT current_account(), begins, ends, on_days, silence WHERE current_account() IS NOT NULL
    ON CONFLICT (account_id) DO UPDATE SET
        begins_at = excluded.begins_at, ends_at = excluded.ends_at, days = excluded.days, silence_rings = excluded.silence_rings
$$;

CREATE OR REPLACE FUNCTION remove_quiet_hours() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM quiet_hours WHERE account_id = current_account()
$$;

-- How many alerts wait for the named person's digest, and until when.
CREATE OR REPLACE FUNCTION what_is_gathered() RETURNS TABLE (waiting bigint, until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT (SELECT count(*) FROM episode e WHERE e.account_id = current_account() AND e.gathered),
        (SELECT g.until_at FROM gathering g WHERE g.account_id = current_account() AND g.ended_at IS NULL)
$$;

REVOKE ALL ON FUNCTION
    gathering_follows(bigint), quiet_hours_were_changed(), set_quiet_hours(time, time, smallint, boolean), remove_quiet_hours(),
    what_is_gathered() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_quiet_hours(time, time, smallint, boolean), remove_quiet_hours(), what_is_gathered() TO aqua_gateway;
