-- Shifts of a project: who is on, whom that keeps from being told, and who comes on. Of the locks, the project's account comes first.

-- The people on shift in a stretch of time, turn by turn. Each end is a civil time of the project's zone: a shift is an hour longer or shorter when
-- clocks change, a time that a change skips is that much later, and of one that comes twice the second counts, so that shifts that follow each other
-- still do. A turn that somebody else takes is theirs; one of a member whose part is over by then is nobody's.
CREATE OR REPLACE FUNCTION turns_of(project bigint, from_at timestamptz, until_at timestamptz)
RETURNS TABLE (shift_id uuid, day date, since timestamptz, until timestamptz, account_id bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT DISTINCT s.shift_id, n.day, p.since, p.until, w.account_id
    FROM (SELECT usable_time_zone(a.time_zone) AS name FROM account a WHERE a.account_id = project OFFSET 0) z
    CROSS JOIN generate_series(-1, (until_at AT TIME ZONE z.name)::date - (from_at AT TIME ZONE z.name)::date) AS ahead
    CROSS JOIN LATERAL (SELECT (from_at AT TIME ZONE z.name)::date + ahead AS day) n
    JOIN shift s ON s.project_id = project AND s.days >> (extract(isodow FROM n.day)::integer - 1) & 1 = 1
    CROSS JOIN LATERAL (SELECT
        (n.day + s.begins_at) AT TIME ZONE z.name AS since,
        (n.day + s.ends_at + CASE WHEN s.ends_at <= s.begins_at THEN interval '1 day' ELSE interval '0' END) AT TIME ZONE z.name AS until) p
    JOIN shift_member m ON m.project_id = project AND m.shift_id = s.shift_id
    LEFT JOIN shift_cover c ON c.project_id = project AND c.shift_id = s.shift_id AND c.day = n.day AND c.account_id = m.account_id
    JOIN project_member w ON w.project_id = project AND w.account_id = coalesce(c.covered_by, m.account_id)
    WHERE p.until > from_at AND p.since <= until_at AND (w.ends_at IS NULL OR w.ends_at > greatest(now(), p.since))
$$;

-- The people on shift now.
CREATE OR REPLACE FUNCTION on_shift(project bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE ROWS 5 SET search_path = pg_catalog, public, pg_temp AS
    $$ SELECT DISTINCT t.account_id FROM turns_of(project, now(), now()) t WHERE t.since <= now() AND t.until > now() $$;

-- Whether whatever is told reaches a person, and not what is critical alone.
CREATE OR REPLACE FUNCTION is_reached_by_all(person bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT is_reached(person) AND (
        NOT EXISTS (SELECT FROM usable_endpoint e WHERE e.account_id = person AND e.only_urgent)
        OR EXISTS (SELECT FROM ways_of(person) w WHERE w.reaches = 'all'))
$$;

-- The meaning of shifts for telling some people of some devices; no row: nothing. is_on: they are on shift, and quiet hours hold nothing back. Otherwise
-- they are off shift and told of nothing, while somebody is on shift whom something reaches, but of parameters that nobody of those watches as closely
-- as the project does (unwatched). Whoever has just come on is told by the message with which their shift begins; receivers of webhooks get no such
-- message, and whom they alone reach is told of each thing by itself.
CREATE OR REPLACE FUNCTION shift_holds(people bigint[], slots smallint[], devices integer[])
RETURNS TABLE (account_id bigint, slot smallint, device_id integer, is_on boolean, unwatched smallint[])
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10 SET search_path = pg_catalog, public, pg_temp AS $$
    WITH part AS MATERIALIZED (
        SELECT o.account_id, o.slot, o.device_id, o.project_id, t.next_at > now() - interval '1 minute' AND t.next_at <= now() AS comes_on
        FROM unnest(slots, devices) AS d (slot, device_id)
        JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.account_id = ANY (people) AND o.unlinked_at IS NULL
        JOIN shift_turn t ON t.project_id = o.project_id AND t.account_id = o.account_id
    ), present AS MATERIALIZED (
        SELECT p.project_id, w AS account_id FROM (SELECT DISTINCT project_id FROM part) p CROSS JOIN LATERAL on_shift(p.project_id) AS w
    ), reached AS MATERIALIZED (
        SELECT * FROM present p WHERE is_reached_by_all(p.account_id)
    ), judged AS (
        SELECT p.*, EXISTS (SELECT FROM present w WHERE w.project_id = p.project_id AND w.account_id = p.account_id) AS is_present,
            EXISTS (SELECT FROM reached r WHERE r.project_id = p.project_id) AS is_held,
            EXISTS (
                SELECT FROM project_member m JOIN shift_member s ON s.project_id = m.project_id AND s.account_id = m.account_id
                WHERE m.project_id = p.project_id AND m.account_id = p.account_id AND NOT m.always_told) AS has_shifts
        FROM part p
    )
    SELECT j.account_id, j.slot, j.device_id, o.is_on,
        CASE WHEN o.is_on THEN '{}' ELSE ARRAY(
            SELECT g.parameter FROM setting g
            WHERE g.slot = j.slot AND g.device_id = j.device_id AND g.account_id = j.project_id AND g.valid_until IS NULL AND NOT EXISTS (
                SELECT FROM reached r
                JOIN setting s ON s.slot = g.slot AND s.device_id = g.device_id AND s.account_id = r.account_id AND s.parameter = g.parameter
                    AND s.valid_until IS NULL
                WHERE r.project_id = j.project_id AND (s.follows OR (
                    (g.minimum IS NULL OR s.minimum >= g.minimum) AND (g.maximum IS NULL OR s.maximum <= g.maximum)
                    AND (g.critical_minimum IS NULL OR s.critical_minimum >= g.critical_minimum)
                    AND (g.critical_maximum IS NULL OR s.critical_maximum <= g.critical_maximum)
                    --% each setting
                    AND s.{column} IS NOT DISTINCT FROM g.{column}
                    --% end
                )))) END
    FROM judged j CROSS JOIN LATERAL (
        SELECT j.is_present AND NOT (
            j.comes_on AND j.is_held
            AND EXISTS (SELECT FROM reachable_account r WHERE r.account_id = j.account_id AND NOT r.is_machine)) AS is_on) o
    WHERE o.is_on OR j.is_held AND (j.is_present OR j.has_shifts)
$$;

-- Whether a person is on shift in any of their projects.
CREATE OR REPLACE FUNCTION is_on_shift(person bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM (SELECT t.project_id FROM shift_turn t WHERE t.account_id = person OFFSET 0) p
        CROSS JOIN LATERAL on_shift(p.project_id) AS w WHERE w = person)
$$;

-- When a member comes on shift next, within eight days: one who goes from one shift into the next does not come on.
CREATE OR REPLACE FUNCTION next_turn(project bigint, person bigint) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH turn AS MATERIALIZED (SELECT t.since, t.until FROM turns_of(project, now(), now() + interval '8 days') t WHERE t.account_id = person)
    SELECT min(t.since) FROM turn t
    WHERE t.since > now() AND NOT EXISTS (SELECT FROM turn b WHERE b.since < t.since AND b.until >= t.since)
$$;

-- Works out anew when the members of a project come on shift, which is now for those who are on and were not present before. The project is locked.
CREATE OR REPLACE FUNCTION plan_turns(project bigint, present bigint[]) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM shift_turn t WHERE t.project_id = project AND NOT EXISTS (
        SELECT FROM shift_member m WHERE m.project_id = project AND m.account_id = t.account_id
        UNION ALL SELECT FROM shift_cover c WHERE c.project_id = project AND c.covered_by = t.account_id);
    INSERT INTO shift_turn AS t (project_id, account_id, next_at)
    SELECT project, w.account_id, CASE
        WHEN w.account_id <> ALL (present) AND w.account_id IN (SELECT on_shift(project)) THEN now()
        ELSE coalesce(next_turn(project, w.account_id), now() + interval '7 days') END
    FROM (
        SELECT m.account_id FROM shift_member m WHERE m.project_id = project
        UNION SELECT c.covered_by FROM shift_cover c WHERE c.project_id = project
    ) w
    ORDER BY w.account_id
    ON CONFLICT (project_id, account_id) DO UPDATE SET next_at = excluded.next_at
    -- one that is due stays so
    WHERE t.next_at > now() OR t.next_at < now() - interval '1 minute'
$$;

-- Some of those who come on shift, each kept from other engines for the rest of the transaction: whether they are on by now, and whether what
-- is to be told of has been waited for long enough. None while the clock is in doubt.
CREATE OR REPLACE FUNCTION find_turns(most integer) RETURNS TABLE (project_id bigint, account_id bigint, since timestamptz, is_on boolean, is_late boolean)
LANGUAGE sql VOLATILE SECURITY DEFINER ROWS 10 SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.project_id, t.account_id, t.next_at, EXISTS (SELECT FROM on_shift(t.project_id) AS w WHERE w = t.account_id),
        t.next_at < now() - interval '1 minute'
    FROM (
        SELECT * FROM shift_turn d WHERE d.next_at <= now() AND clock_is_trusted() ORDER BY d.next_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED) t
$$;

-- Plans the next turns of those who were told.
CREATE OR REPLACE FUNCTION settle_turns(projects bigint[], people bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE shift_turn t SET next_at = coalesce(next_turn(t.project_id, t.account_id), now() + interval '7 days')
    FROM unnest(projects, people) AS w (project_id, account_id)
    WHERE t.project_id = w.project_id AND t.account_id = w.account_id
$$;

-- For members, to see and to set.

-- A project's rota: whether the person who asks is told at all times, whether somebody is on shift now whom something reaches, and when nobody is on
-- shift within a week. No row: they do not take part.
CREATE OR REPLACE FUNCTION show_rota(project bigint)
RETURNS TABLE (version integer, time_zone text, always_told boolean, is_reached boolean, gaps_since timestamptz[], gaps_until timestamptz[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(r.version, 0), usable_time_zone(a.time_zone), m.always_told,
        EXISTS (SELECT FROM on_shift(project) AS w WHERE is_reached_by_all(w)),
        ARRAY(SELECT lower(g) FROM unnest(free.gaps) AS g ORDER BY 1), ARRAY(SELECT upper(g) FROM unnest(free.gaps) AS g ORDER BY 1)
    FROM account a
    JOIN project_member m ON m.project_id = a.account_id AND m.account_id = current_account() AND (m.ends_at IS NULL OR m.ends_at > now())
    LEFT JOIN rota r ON r.project_id = a.account_id
    CROSS JOIN LATERAL (
        SELECT tstzmultirange(tstzrange(now(), now() + interval '7 days')) - range_agg(tstzrange(t.since, t.until)) AS gaps
        FROM turns_of(project, now(), now() + interval '7 days') t WHERE t.until > t.since) free
    WHERE a.account_id = project
$$;

-- The shifts of a project of the named person's, in their order; times in minutes since midnight.
CREATE OR REPLACE FUNCTION list_shifts(project bigint)
RETURNS TABLE (shift_id uuid, name text, days smallint, begins integer, ends integer, members bigint[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT s.shift_id, s.name, s.days, extract(epoch FROM s.begins_at)::integer / 60, extract(epoch FROM s.ends_at)::integer / 60, ARRAY(
        SELECT m.member_id FROM shift_member x JOIN project_member m ON m.project_id = x.project_id AND m.account_id = x.account_id
        WHERE x.project_id = s.project_id AND x.shift_id = s.shift_id ORDER BY m.member_id)
    FROM shift s WHERE s.project_id = project AND role_in(project, current_account()) IS NOT NULL
    ORDER BY s.place
$$;

-- The people on shift within a week from now, turn by turn.
CREATE OR REPLACE FUNCTION list_turns(project bigint)
RETURNS TABLE (shift_id uuid, day date, since timestamptz, until timestamptz, members bigint[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.shift_id, t.day, t.since, t.until, array_agg(m.member_id ORDER BY m.member_id)
    FROM turns_of(project, now(), now() + interval '7 days') t
    JOIN project_member m ON m.project_id = project AND m.account_id = t.account_id
    WHERE role_in(project, current_account()) IS NOT NULL
    GROUP BY t.shift_id, t.day, t.since, t.until
    ORDER BY t.since, t.until, t.shift_id
$$;

-- Shifts that others take, from yesterday on.
CREATE OR REPLACE FUNCTION list_covers(project bigint) RETURNS TABLE (shift_id uuid, day date, member bigint, covered_by bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.shift_id, c.day, m.member_id, b.member_id FROM shift_cover c
    JOIN project_member m ON m.project_id = project AND m.account_id = c.account_id
    JOIN project_member b ON b.project_id = project AND b.account_id = c.covered_by
    WHERE c.project_id = project AND role_in(project, current_account()) IS NOT NULL
        AND c.day >= (now() AT TIME ZONE (SELECT usable_time_zone(a.time_zone) FROM account a WHERE a.account_id = project))::date - 1
    ORDER BY c.day, c.shift_id, m.member_id
$$;

-- The people who were told of what an alert of the named person's is about because they were on shift, by the shifts as they stand now.
CREATE OR REPLACE FUNCTION told_on_shift(of_slot smallint, of_alert bigint) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER ROWS 3 SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT shown_name(p.display_name, p.email)
    FROM alert a
    JOIN ownership o ON o.slot = a.slot AND o.device_id = a.device_id AND o.account_id = a.account_id AND o.unlinked_at IS NULL
    CROSS JOIN LATERAL (
        SELECT DISTINCT t.account_id FROM turns_of(o.project_id, a.decided_at, a.decided_at) t
        WHERE t.since <= a.decided_at AND t.until > a.decided_at) w
    JOIN account p ON p.account_id = w.account_id
    WHERE a.slot = of_slot AND a.alert_id = of_alert AND a.account_id = current_account() AND EXISTS (
        SELECT FROM alert b WHERE b.slot = a.slot AND b.device_id = a.device_id AND b.parameter IS NOT DISTINCT FROM a.parameter
            AND b.account_id = w.account_id AND b.kind = a.kind AND b.purpose IN ('alarm', 'reminder')
            AND b.state NOT IN ('cancelled', 'undelivered')
            AND b.decided_at BETWEEN a.decided_at - interval '10 minutes' AND a.decided_at + interval '10 minutes')
    ORDER BY 1
$$;

-- When a person was off shift in the project of a device while somebody was on, by the shifts as they stand now, as they or an operator ask.
CREATE OR REPLACE FUNCTION off_shift_in(of_slot smallint, of_device integer, person bigint, from_at timestamptz, until_at timestamptz)
RETURNS TABLE (since timestamptz, until timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT lower(f), upper(f)
    FROM ownership o
    JOIN project_member m ON m.project_id = o.project_id AND m.account_id = o.account_id AND NOT m.always_told
    CROSS JOIN LATERAL (
        SELECT range_agg(tstzrange(t.since, t.until)) - coalesce(
            range_agg(tstzrange(t.since, t.until)) FILTER (WHERE t.account_id = person), '{}') AS free
        FROM turns_of(o.project_id, from_at, until_at) t WHERE t.until > t.since) t
    CROSS JOIN LATERAL unnest(t.free) AS f
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = person AND o.unlinked_at IS NULL
        AND (person = current_account() OR pg_has_role(session_user, current_user, 'USAGE'))
        AND EXISTS (SELECT FROM shift_member s WHERE s.project_id = o.project_id AND s.account_id = person)
    ORDER BY 1
$$;

-- The shifts of a project in a line each, as the log tells them.
CREATE OR REPLACE FUNCTION rota_told(project bigint) RETURNS jsonb
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT jsonb_build_object(
        'shifts', string_agg(format('%s %s-%s', s.name, to_char(s.begins_at, 'HH24:MI'), to_char(s.ends_at, 'HH24:MI')), ', ' ORDER BY s.place),
        'members', (SELECT count(DISTINCT m.account_id) FROM shift_member m WHERE m.project_id = project))
    FROM shift s WHERE s.project_id = project
$$;

-- Sets the shifts of a project as a whole, as its owners and administrators may. Each has id (of one that stays, or else null), name, days, begins and
-- ends in minutes, and members. outcome: done; unknown: they do not take part; refused; changed: the version is another; stranger: a member takes no part
CREATE OR REPLACE FUNCTION set_shifts(project bigint, expected integer, zone text, wanted jsonb, OUT outcome text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part text;
    before jsonb;
    present bigint[];
    entry audit_entry;
BEGIN
    PERFORM FROM account a WHERE a.account_id = project AND a.kind = 'project' FOR NO KEY UPDATE;
    part := role_in(project, current_account());
    outcome := CASE
        WHEN part IS NULL THEN 'unknown'
        WHEN part NOT IN ('owner', 'administrator') THEN 'refused'
        WHEN expected <> coalesce((SELECT r.version FROM rota r WHERE r.project_id = project), 0) THEN 'changed'
        WHEN EXISTS (
            SELECT FROM jsonb_array_elements(wanted) AS w, jsonb_array_elements_text(w -> 'members') AS m (member)
            WHERE NOT EXISTS (SELECT FROM project_member p WHERE p.project_id = project AND p.member_id = m.member::bigint)) THEN 'stranger'
        ELSE 'done' END;
    IF outcome <> 'done' THEN
        RETURN;
    END IF;
    before := rota_told(project);
    present := ARRAY(SELECT on_shift(project));
    UPDATE account a SET time_zone = zone WHERE a.account_id = project AND a.time_zone <> zone;
    DELETE FROM shift s WHERE s.project_id = project AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(wanted) AS w WHERE (w ->> 'id')::uuid = s.shift_id);
    -- an id that is no shift's of the project is that of a new one
    WITH wish AS MATERIALIZED (
        SELECT w.place, coalesce(s.shift_id, gen_random_uuid()) AS shift_id, w.wish FROM jsonb_array_elements(wanted) WITH ORDINALITY AS w (wish, place)
        LEFT JOIN shift s ON s.project_id = project AND s.shift_id = (w.wish ->> 'id')::uuid
    ), put AS (
        INSERT INTO shift (project_id, shift_id, place, name, days, begins_at, ends_at)
        SELECT project, w.shift_id, w.place, w.wish ->> 'name', (w.wish ->> 'days')::smallint,
            time '00:00' + (w.wish ->> 'begins')::integer * interval '1 minute', time '00:00' + (w.wish ->> 'ends')::integer * interval '1 minute'
        FROM wish w
        ON CONFLICT (project_id, shift_id) DO UPDATE SET
            place = excluded.place, name = excluded.name, days = excluded.days, begins_at = excluded.begins_at, ends_at = excluded.ends_at
    ), stand AS MATERIALIZED (
        SELECT w.shift_id, p.account_id FROM wish w CROSS JOIN LATERAL jsonb_array_elements_text(w.wish -> 'members') AS m (member)
        JOIN project_member p ON p.project_id = project AND p.member_id = m.member::bigint
    ), gone AS (
        DELETE FROM shift_member m WHERE m.project_id = project AND (m.shift_id, m.account_id) NOT IN (SELECT s.shift_id, s.account_id FROM stand s)
    )
    INSERT INTO shift_member (project_id, shift_id, account_id) SELECT project, s.shift_id, s.account_id FROM stand s ON CONFLICT DO NOTHING;
    INSERT INTO rota AS r (project_id, version) VALUES (project, 1) ON CONFLICT (project_id) DO UPDATE SET version = r.version + 1;
    PERFORM plan_turns(project, present);
    entry.action := 'shifts.change';
    entry.account_id := project;
    entry.target := project::text;
    entry.subject := (SELECT a.display_name FROM account a WHERE a.account_id = project);
    entry.changes := changed_fields(before, rota_told(project), ARRAY['shifts', 'members']);
    PERFORM note_act(entry);
END
$$;

-- Has a member take another's shift of one day, as either of them may, and whoever may act for the project; with nobody else, whose it is has it again.
-- outcome: done; unknown: they do not take part, or there is no such member; refused; noShift: there is none of that member's on that day; past;
-- tooFar: more than 60 days ahead; full
CREATE OR REPLACE FUNCTION cover_shift(project bigint, shift uuid, on_day date, member bigint, by_member bigint, OUT outcome text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    part text;
    theirs bigint;
    other bigint;
    before bigint;
    today date;
    present bigint[];
    told jsonb;
BEGIN
    PERFORM FROM account a WHERE a.account_id = project AND a.kind = 'project' FOR NO KEY UPDATE;
    part := role_in(project, person);
    SELECT m.account_id INTO theirs FROM project_member m WHERE m.project_id = project AND m.member_id = member;
    SELECT m.account_id INTO other FROM project_member m WHERE m.project_id = project AND m.member_id = by_member;
    SELECT c.covered_by INTO before FROM shift_cover c
    WHERE c.project_id = project AND c.shift_id = shift AND c.day = on_day AND c.account_id = theirs;
    SELECT (now() AT TIME ZONE usable_time_zone(a.time_zone))::date INTO today FROM account a WHERE a.account_id = project;
    outcome := CASE
        WHEN part IS NULL THEN 'unknown'
        WHEN theirs IS NULL THEN 'stranger'
        WHEN other IS NULL THEN 'strangeTaker'
        -- whoever took it may give it back
        WHEN person NOT IN (theirs, other) AND NOT (other = theirs AND person IS NOT DISTINCT FROM before) AND part NOT IN ('owner', 'administrator') THEN 'refused'
        WHEN NOT EXISTS (
            SELECT FROM shift s JOIN shift_member m ON m.project_id = s.project_id AND m.shift_id = s.shift_id
            WHERE s.project_id = project AND s.shift_id = shift AND m.account_id = theirs
                AND s.days >> (extract(isodow FROM on_day)::integer - 1) & 1 = 1) THEN 'noShift'
        -- one that began yesterday may go on
        WHEN on_day < today - 1 THEN 'past'
        WHEN on_day > today + 60 THEN 'tooFar'
        ELSE 'done' END;
    IF outcome <> 'done' OR other = coalesce(before, theirs) THEN
        RETURN;
    END IF;
    present := ARRAY(SELECT on_shift(project));
    DELETE FROM shift_cover c WHERE c.project_id = project AND (
        c.day < today - 1 OR c.shift_id = shift AND c.day = on_day AND c.account_id = theirs);
    IF other <> theirs THEN
        IF 200 <= (SELECT count(*) FROM shift_cover c WHERE c.project_id = project) THEN
            -- what was deleted comes back with the transaction
            outcome := 'full';
            RETURN;
        END IF;
        INSERT INTO shift_cover (project_id, shift_id, day, account_id, covered_by) VALUES (project, shift, on_day, theirs, other);
    END IF;
    PERFORM plan_turns(project, present);
    told := jsonb_build_object('day', jsonb_build_array(NULL, on_day), 'by', jsonb_build_array(
        (SELECT m.member_id::text FROM project_member m WHERE m.project_id = project AND m.account_id = coalesce(before, theirs)), by_member::text));
    PERFORM tell_member(project, 'shifts.cover', project, member, told);
    PERFORM tell_member(w.account_id, 'shifts.cover', project, member, told)
    FROM (SELECT DISTINCT a AS account_id FROM unnest(ARRAY[theirs, other, before]) AS a WHERE a IS NOT NULL) w;
END
$$;

-- Has the named person be told at all times of a project's devices, or as its shifts say. False: they do not take part.
CREATE OR REPLACE FUNCTION tell_always(project bigint, always boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    was boolean;
BEGIN
    SELECT m.always_told INTO was FROM project_member m
    WHERE m.project_id = project AND m.account_id = person AND (m.ends_at IS NULL OR m.ends_at > now())
    FOR NO KEY UPDATE;
    IF was <> always THEN
        UPDATE project_member m SET always_told = always WHERE m.project_id = project AND m.account_id = person;
        PERFORM tell_member(person, 'shifts.always', project, NULL, jsonb_build_object('always', jsonb_build_array(was, always)));
    END IF;
    RETURN was IS NOT NULL;
END
$$;

REVOKE ALL ON FUNCTION
    turns_of(bigint, timestamptz, timestamptz), on_shift(bigint), is_reached_by_all(bigint), shift_holds(bigint[], smallint[], integer[]), is_on_shift(bigint),
    next_turn(bigint, bigint), plan_turns(bigint, bigint[]), find_turns(integer), settle_turns(bigint[], bigint[]), show_rota(bigint), list_shifts(bigint),
    list_turns(bigint), list_covers(bigint), told_on_shift(smallint, bigint),
    off_shift_in(smallint, integer, bigint, timestamptz, timestamptz), rota_told(bigint), set_shifts(bigint, integer, text, jsonb),
    cover_shift(bigint, uuid, date, bigint, bigint), tell_always(bigint, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    shift_holds(bigint[], smallint[], integer[]), is_on_shift(bigint), find_turns(integer), settle_turns(bigint[], bigint[]) TO aqua_rules;
GRANT EXECUTE ON FUNCTION
    show_rota(bigint), list_shifts(bigint), list_turns(bigint), list_covers(bigint), told_on_shift(smallint, bigint),
    off_shift_in(smallint, integer, bigint, timestamptz, timestamptz), set_shifts(bigint, integer, text, jsonb), cover_shift(bigint, uuid, date, bigint, bigint), tell_always(bigint, boolean) TO aqua_gateway;
