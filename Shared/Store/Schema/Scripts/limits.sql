-- Limits by the clock and the calendar.

-- Which of a setting's periods holds from when on, within a time: the first row is of its beginning, each other one of a turn. Places count from 1;
-- 0: none of them, so that the plain limits hold. At each instant it is exactly one: of two that a change of clocks lays over each other, the one
-- that began last.
--
-- Whoever may execute it learns nothing by it: it reads what it is given, 800 days of it at most. A period without a time of day lasts whole days; one that passes midnight belongs to the day on which it begins. Civil times are turned into
-- instants as those of reminders (civil_instant).
CREATE OR REPLACE FUNCTION limit_turns(periods jsonb, since timestamptz, until timestamptz) RETURNS TABLE (at timestamptz, place smallint)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 8 SET search_path = pg_catalog, public, pg_temp AS $$
    WITH zone AS MATERIALIZED (SELECT usable_time_zone($1 ->> 'zone') AS name),
    period AS (
        SELECT p.place::smallint, (p.one ->> 'from')::integer AS begins, (p.one ->> 'until')::integer AS ends,
            (p.one ->> 'first')::integer AS first, (p.one ->> 'last')::integer AS last
        FROM jsonb_array_elements($1 -> 'periods') WITH ORDINALITY AS p (one, place)
    ), day AS (
        SELECT d.day, (extract(month FROM d.day) * 100 + extract(day FROM d.day))::integer AS number
        FROM zone, generate_series(
            date_trunc('day', $2 AT TIME ZONE zone.name) - interval '1 day', date_trunc('day', least($3, $2 + interval '800 days') AT TIME ZONE zone.name), interval '1 day') AS d (day)
    ), spell AS MATERIALIZED (
        SELECT p.place, civil_instant(d.day + make_interval(mins => coalesce(p.begins, 0)), zone.name) AS begins_at,
            civil_instant(d.day + CASE WHEN p.ends > p.begins THEN interval '0' ELSE interval '1 day' END
                + make_interval(mins => coalesce(p.ends, 0)), zone.name) AS ends_at
        FROM zone CROSS JOIN period p
        JOIN day d ON p.first IS NULL
            OR CASE WHEN p.first <= p.last THEN d.number BETWEEN p.first AND p.last ELSE d.number >= p.first OR d.number <= p.last END
    ), edge AS (
        SELECT DISTINCT ON (e.at) e.at, e.place, e.ends_at FROM (
            SELECT s.begins_at AS at, s.place, s.ends_at FROM spell s WHERE s.ends_at > s.begins_at
            UNION ALL SELECT s.ends_at, NULL, NULL FROM spell s WHERE s.ends_at > s.begins_at
            UNION ALL SELECT $2, NULL, NULL) e
        ORDER BY e.at, e.place NULLS LAST
    ), held AS (
        SELECT b.at, (CASE WHEN b.at < first_value(b.ends_at) OVER begun THEN first_value(b.place) OVER begun ELSE 0 END)::smallint AS place
        FROM (SELECT e.*, count(e.place) OVER (ORDER BY e.at) AS beginning FROM edge e) b
        WINDOW begun AS (PARTITION BY b.beginning ORDER BY b.at)
    )
    SELECT t.at, t.place
    FROM (SELECT h.*, lag(h.place) OVER (ORDER BY h.at) AS before FROM held h WHERE h.at >= $2 AND (h.at < $3 OR h.at = $2)) t
    WHERE t.place IS DISTINCT FROM t.before
    ORDER BY t.at
$$;

-- The limits of a setting within a time, in their order, each from when until when. A setting without periods costs nothing: written into the
-- statement that asks, it has one row of constants.
CREATE OR REPLACE FUNCTION limits_between(
    periods jsonb, minimum integer, maximum integer, critical_minimum integer, critical_maximum integer, since timestamptz, until timestamptz)
RETURNS TABLE (
    holds_from timestamptz, holds_until timestamptz, place smallint, low integer, high integer, critical_low integer, critical_high integer)
LANGUAGE sql STABLE AS $$
    SELECT $6, $7, 0::smallint, $2, $3, $4, $5 WHERE $1 IS NULL
    UNION ALL
    SELECT t.at, coalesce(lead(t.at) OVER (ORDER BY t.at), $7), t.place,
        CASE t.place WHEN 0 THEN $2 ELSE ($1 -> 'periods' -> t.place - 1 ->> 'minimum')::integer END,
        CASE t.place WHEN 0 THEN $3 ELSE ($1 -> 'periods' -> t.place - 1 ->> 'maximum')::integer END,
        CASE t.place WHEN 0 THEN $4 ELSE ($1 -> 'periods' -> t.place - 1 ->> 'criticalMinimum')::integer END,
        CASE t.place WHEN 0 THEN $5 ELSE ($1 -> 'periods' -> t.place - 1 ->> 'criticalMaximum')::integer END
    FROM public.limit_turns($1, $6, $7) t
    WHERE $1 IS NOT NULL
$$;

-- The limits of a setting at an instant.
CREATE OR REPLACE FUNCTION limits_at(
    periods jsonb, minimum integer, maximum integer, critical_minimum integer, critical_maximum integer, at timestamptz)
RETURNS TABLE (place smallint, low integer, high integer, critical_low integer, critical_high integer)
LANGUAGE sql STABLE AS $$
    SELECT l.place, l.low, l.high, l.critical_low, l.critical_high
    FROM public.limits_between($1, $2, $3, $4, $5, $6, $6) l
$$;

-- When the next turn of a setting's limits comes: within two days, beyond which it is asked again. NULL: it has no periods.
CREATE OR REPLACE FUNCTION next_limit_turn(periods jsonb) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN $1 IS NOT NULL THEN coalesce((
        SELECT min(t.at) FROM limit_turns($1, now(), now() + interval '2 days') t WHERE t.at > now()), now() + interval '2 days') END
$$;

REVOKE ALL ON FUNCTION
    limit_turns(jsonb, timestamptz, timestamptz), limits_between(jsonb, integer, integer, integer, integer, timestamptz, timestamptz),
    limits_at(jsonb, integer, integer, integer, integer, timestamptz), next_limit_turn(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    limit_turns(jsonb, timestamptz, timestamptz), limits_between(jsonb, integer, integer, integer, integer, timestamptz, timestamptz) TO
    aqua_ingestor, aqua_rules, aqua_notifier, aqua_gateway;
GRANT EXECUTE ON FUNCTION limits_at(jsonb, integer, integer, integer, integer, timestamptz) TO aqua_rules, aqua_notifier, aqua_gateway;
