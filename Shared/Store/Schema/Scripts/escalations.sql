-- Chains: who is told when nobody answers an alarm.

-- Whether a person has quiet hours at a time, or by now.
CREATE OR REPLACE FUNCTION is_quiet(person bigint, at timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM quiet_hours q JOIN account a ON a.account_id = q.account_id
        CROSS JOIN LATERAL quiet_period(a.time_zone, q.begins_at, q.ends_at, q.days, greatest(at, now()))
        WHERE q.account_id = person)
$$;

-- The steps of a person's chain for a device, in order, and what would come of each for an alarm at a time, as things stand:
--     told; quietHours: the person, of their own endpoint, or the other one has quiet hours then; notAgreed: they have not agreed to be called; unreachable: none of their endpoints
--     can be used; paused: signed out for now; gone: they do not share the device any more, or the endpoint is in use no more
-- What is not agreed says nothing about the other person.
CREATE OR REPLACE FUNCTION chain_outlook(of_slot smallint, of_device integer, person bigint, alarm timestamptz)
RETURNS TABLE (place smallint, after_minutes smallint, callee bigint, endpoint_id bigint, agreed text, outlook text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT s.place, s.after_minutes, s.callee, s.endpoint_id, s.agreed, CASE
        WHEN s.endpoint_id IS NOT NULL THEN CASE
            WHEN EXISTS (SELECT FROM usable_endpoint e WHERE e.endpoint_id = s.endpoint_id AND e.account_id = s.account_id) THEN CASE
                WHEN is_quiet(s.account_id, alarm + s.after_minutes * interval '1 minute') AND NOT EXISTS (
                    SELECT FROM usable_endpoint e WHERE e.endpoint_id = s.endpoint_id AND e.hears_at_once)
                THEN 'quietHours' ELSE 'told' END
            WHEN EXISTS (
                SELECT FROM endpoint e WHERE e.endpoint_id = s.endpoint_id AND e.account_id = s.account_id
                    AND e.retired_at IS NULL AND e.paused_at IS NOT NULL)
            THEN 'paused'
            ELSE 'gone' END
        WHEN NOT EXISTS (
            SELECT FROM ownership o WHERE o.slot = s.slot AND o.device_id = s.device_id AND o.account_id = s.callee AND o.unlinked_at IS NULL)
        THEN 'gone'
        WHEN coalesce(s.agreed = 'no', true) THEN 'notAgreed'
        WHEN NOT EXISTS (SELECT FROM reachable_account r WHERE r.account_id = s.callee AND NOT r.is_machine) THEN 'unreachable'
        WHEN s.agreed = 'daytime' AND is_quiet(s.callee, alarm + s.after_minutes * interval '1 minute') THEN 'quietHours'
        ELSE 'told' END
    FROM chain_step s
    WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = person
    ORDER BY s.after_minutes, s.place
$$;

-- The named person's chain for a device of theirs. People are known by their ownership of the device, as its owner knows its watchers. What
-- does not reach anybody now is called all the same, since it may by then, and is shown as what it is.
CREATE OR REPLACE FUNCTION show_chain(of_slot smallint, of_device integer, alarm timestamptz)
RETURNS TABLE (after_minutes smallint, callee bigint, name text, endpoint_id bigint, agreed text, outlook text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.after_minutes, o.ownership_id, shown_name(a.display_name, a.email), c.endpoint_id, c.agreed,
        CASE WHEN c.outlook = 'told' AND (c.endpoint_id IS NULL AND NOT is_reached(c.callee) OR EXISTS (
                SELECT FROM ways_of(current_account()) w WHERE w.endpoint_id = c.endpoint_id AND w.reaches = 'nothing'))
            THEN 'unreachable' ELSE c.outlook END
    FROM chain_outlook(of_slot, of_device, current_account(), alarm) c
    LEFT JOIN account a ON a.account_id = c.callee
    LEFT JOIN ownership o ON o.slot = of_slot AND o.device_id = of_device AND o.account_id = c.callee AND o.unlinked_at IS NULL
    WHERE c.endpoint_id IS NOT NULL OR o.ownership_id IS NOT NULL
    ORDER BY c.after_minutes, c.place
$$;

-- Everybody else who has a device that the named person has: who can be called.
CREATE OR REPLACE FUNCTION list_callable(of_slot smallint, of_device integer) RETURNS TABLE (ownership_id bigint, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT w.ownership_id, shown_name(a.display_name, a.email) FROM ownership w JOIN account a ON a.account_id = w.account_id
    WHERE w.slot = of_slot AND w.device_id = of_device AND w.unlinked_at IS NULL AND w.account_id <> current_account() AND a.kind = 'person'
        AND w.may_act AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = w.slot AND o.device_id = w.device_id AND o.account_id = current_account()
            AND o.unlinked_at IS NULL)
    ORDER BY w.linked_at, w.ownership_id
$$;

-- Locks the chains of all who have a device until the end of the transaction. False: the named person does not have it.
CREATE OR REPLACE FUNCTION lock_chains(of_slot smallint, of_device integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- With whoever is asked, or leaves, one at a time: all in one order, as answers lock them.
    PERFORM FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL
    ORDER BY o.ownership_id
    FOR UPDATE;
    RETURN EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL);
END
$$;

-- Sets the named person's chain for a device, in place of the one before. What others have agreed to holds for as long as they stay in it. The
-- outcome: set; unknown: they do not have the device; noPerson, noEndpoint: one of those is none of it, or none of theirs.
CREATE OR REPLACE FUNCTION set_chain(
    of_slot smallint, of_device integer, minutes smallint[], people bigint[], endpoints bigint[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    callees bigint[];
    agreements jsonb;
    former bigint[];
    steps text;
BEGIN
    IF NOT lock_chains(of_slot, of_device) THEN
        RETURN 'unknown';
    END IF;
    SELECT array_agg(o.account_id ORDER BY n.position) INTO callees
    FROM unnest(people) WITH ORDINALITY AS n (ownership_id, position)
    LEFT JOIN ownership o ON o.ownership_id = n.ownership_id AND o.slot = of_slot AND o.device_id = of_device
        AND o.unlinked_at IS NULL AND o.account_id <> person AND o.may_act AND o.account_id IS DISTINCT FROM o.project_id;
    IF EXISTS (SELECT FROM unnest(people, callees) AS n (asked, callee) WHERE n.asked IS NOT NULL AND n.callee IS NULL) THEN
        RETURN 'noPerson';
    END IF;
    IF EXISTS (SELECT FROM unnest(endpoints) AS n (endpoint_id) WHERE n.endpoint_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM endpoint e WHERE e.endpoint_id = n.endpoint_id AND e.account_id = person AND e.retired_at IS NULL))
    THEN
        RETURN 'noEndpoint';
    END IF;
    SELECT jsonb_object_agg(s.callee, s.agreed) FILTER (WHERE s.callee IS NOT NULL), array_agg(s.callee),
        string_agg(s.after_minutes::text, ' ' ORDER BY s.place) INTO agreements, former, steps
    FROM chain_step s WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = person;
    DELETE FROM chain_step s WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = person;
    INSERT INTO chain_step (slot, device_id, account_id, place, after_minutes, callee, agreed, endpoint_id)
    SELECT of_slot, of_device, person, n.position, n.after, n.callee, agreements ->> n.callee::text, n.endpoint_id
    FROM unnest(minutes, callees, endpoints) WITH ORDINALITY AS n (after, callee, endpoint_id, position);
    PERFORM note_chain(of_device, steps, array_to_string(minutes, ' '));
    PERFORM pg_notify('setup', bucket::text) FROM (
        SELECT DISTINCT told & 255 AS bucket FROM unnest(callees || former || person) AS t (told) WHERE told IS NOT NULL) AS buckets;
    RETURN 'set';
END
$$;

-- Who has put the named person into a chain, and what they have agreed to.
CREATE OR REPLACE FUNCTION list_calls_asked()
RETURNS TABLE (hardware_id text, device_name text, caller bigint, name text, after_minutes smallint, agreed text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT d.hardware_id, mine.name, o.ownership_id, shown_name(a.display_name, a.email), s.after_minutes, s.agreed
    FROM chain_step s
    JOIN ownership mine ON mine.slot = s.slot AND mine.device_id = s.device_id AND mine.account_id = s.callee AND mine.unlinked_at IS NULL
    JOIN ownership o ON o.slot = s.slot AND o.device_id = s.device_id AND o.account_id = s.account_id AND o.unlinked_at IS NULL
    JOIN account a ON a.account_id = s.account_id
    JOIN device d ON d.slot = s.slot AND d.device_id = s.device_id
    WHERE s.callee = current_account()
    ORDER BY mine.name, d.hardware_id, o.ownership_id
$$;

-- Notes whether the named person may be called by another one who has the device. False: that person does not ask.
CREATE OR REPLACE FUNCTION agree_to_calls(of_slot smallint, of_device integer, by_caller bigint, said text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    asking bigint;
BEGIN
    PERFORM FROM ownership o -- as lock_chains locks it, so that what is said now is not overwritten
    WHERE o.ownership_id = by_caller AND o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL
    FOR UPDATE;
    UPDATE chain_step s SET agreed = said FROM ownership o
    WHERE s.slot = of_slot AND s.device_id = of_device AND s.callee = current_account() AND s.account_id = o.account_id
        AND o.ownership_id = by_caller AND o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL
    RETURNING s.account_id INTO asking;
    IF asking IS NULL THEN
        RETURN false;
    END IF;
    PERFORM pg_notify('setup', bucket::text) FROM (
        SELECT DISTINCT told & 255 AS bucket FROM (VALUES (asking), (current_account())) AS t (told)) AS buckets;
    RETURN true;
END
$$;

-- Whether the named person has a device.
CREATE OR REPLACE FUNCTION has_device(of_slot smallint, of_device integer) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL)
$$;

-- The escalation that an alert of the named person's belongs to: the one in whose time their own alarm was decided, or the one that called them.
CREATE OR REPLACE FUNCTION escalation_of(of_slot smallint, of_alert bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(a.escalation_id, (
        SELECT x.escalation_id FROM escalation x
        WHERE x.account_id = a.account_id AND x.slot = a.slot AND x.device_id = a.device_id AND x.kind = a.kind
            AND x.parameter IS NOT DISTINCT FROM a.parameter AND x.side IS NOT DISTINCT FROM a.side
            AND a.decided_at >= x.alarm_at AND a.decided_at <= coalesce(x.ended_at, 'infinity')
        ORDER BY x.escalation_id DESC LIMIT 1))
    FROM alert a WHERE a.slot = of_slot AND a.alert_id = of_alert AND a.account_id = current_account()
$$;

-- Who was called for what an alert of the named person's is about: NULL names themselves; is_way says that it was an endpoint. Of what came to
-- nothing only whoever relies on it knows, and whoever has the device no more knows nothing.
CREATE OR REPLACE FUNCTION list_calls(of_slot smallint, of_alert bigint)
RETURNS TABLE (called_at timestamptz, after_minutes smallint, name text, is_way boolean, endpoint_id bigint, outcome text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.called_at, c.after_minutes,
        CASE WHEN c.account_id <> current_account() THEN shown_name(a.display_name, a.email) END, c.endpoint_id IS NOT NULL,
        CASE WHEN c.account_id = current_account() THEN c.endpoint_id END, c.outcome
    FROM escalation x
    JOIN escalation_call c ON c.slot = x.slot AND c.escalation_id = x.escalation_id
    JOIN account a ON a.account_id = c.account_id
    WHERE x.slot = of_slot AND x.escalation_id = escalation_of(of_slot, of_alert)
        AND (x.account_id = current_account() OR c.outcome = 'told') AND has_device(x.slot, x.device_id)
    ORDER BY c.call_id
$$;

-- Whether the chain of another device leads that of an escalation: both fell silent at once, in one message, and the one that calls first calls for
-- all. It leads as long as that device is silent and nobody has answered, and for no longer than it may still call, or has reached, somebody.
CREATE OR REPLACE FUNCTION is_led(of_slot smallint, of_escalation bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM escalation x
        JOIN episode e ON e.slot = x.slot AND e.device_id = x.device_id AND e.account_id = x.account_id AND e.kind = x.kind
            AND e.parameter IS NULL AND e.closed_at IS NULL
        CROSS JOIN LATERAL ( -- the last that the person was told
            SELECT a.account_id, a.group_id, a.decided_at FROM alert a
            WHERE a.slot = e.slot AND a.alert_id = e.alert_id AND a.about IS NOT NULL AND a.group_id IS NOT NULL
            OFFSET 0) a
        JOIN alert o ON o.account_id = a.account_id AND o.group_id = a.group_id
            AND o.decided_at BETWEEN a.decided_at - interval '10 minutes' AND a.decided_at + interval '10 minutes'
        JOIN escalation y ON y.slot = o.slot AND y.device_id = o.device_id AND y.account_id = o.account_id AND y.kind = x.kind
            AND y.parameter IS NULL AND y.ended_at IS NULL
        CROSS JOIN LATERAL (
            SELECT min(s.after_minutes) AS minutes FROM chain_step s
            WHERE s.slot = y.slot AND s.device_id = y.device_id AND s.account_id = y.account_id) theirs
        CROSS JOIN LATERAL (
            SELECT min(s.after_minutes) AS minutes FROM chain_step s
            WHERE s.slot = x.slot AND s.device_id = x.device_id AND s.account_id = x.account_id) own
        WHERE x.slot = of_slot AND x.escalation_id = of_escalation AND x.kind = 'silence' AND x.parameter IS NULL
            AND y.over_since IS NULL AND coalesce(y.held_until <= now(), true)
            AND (theirs.minutes, y.slot, y.device_id) < (own.minutes, x.slot, x.device_id)
            AND (y.called_through = 0 AND y.round = 1 OR EXISTS (
                SELECT FROM escalation_call d
                WHERE d.slot = y.slot AND d.escalation_id = y.escalation_id AND d.outcome = 'told')))
$$;

-- Who is called next for what an alert of the named person's is about, and when, if nobody answers; neither the next round nor a chain that another leads is
-- told. held_until: until when an answer holds it. No row: nothing is running.
CREATE OR REPLACE FUNCTION next_call(of_slot smallint, of_alert bigint)
RETURNS TABLE (held_until timestamptz, called_at timestamptz, name text, is_way boolean, endpoint_id bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN x.held_until > now() THEN x.held_until END, n.at,
        CASE WHEN a.account_id <> current_account() THEN shown_name(a.display_name, a.email) END, n.endpoint_id IS NOT NULL,
        CASE WHEN x.account_id = current_account() THEN n.endpoint_id END
    FROM escalation x
    LEFT JOIN LATERAL (
        SELECT c.callee, c.endpoint_id, x.began_at + c.after_minutes * interval '1 minute' AS at
        FROM chain_outlook(x.slot, x.device_id, x.account_id, x.began_at) c
        WHERE c.outlook = 'told' AND c.after_minutes > x.called_through AND NOT coalesce(x.held_until > now(), false)
            AND NOT is_led(x.slot, x.escalation_id)
        ORDER BY c.after_minutes, c.place
        LIMIT 1) n ON true
    LEFT JOIN account a ON a.account_id = coalesce(n.callee, x.account_id)
    WHERE has_device(x.slot, x.device_id) AND x.slot = of_slot AND x.escalation_id = escalation_of(of_slot, of_alert) AND x.ended_at IS NULL
$$;

-- Whether an alert called the named person for something that goes on: the episode is another's, perhaps.
CREATE OR REPLACE FUNCTION call_goes_on(of_slot smallint, of_alert bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM alert a JOIN escalation x ON x.slot = a.slot AND x.escalation_id = a.escalation_id AND x.ended_at IS NULL
        JOIN episode e ON e.slot = x.slot AND e.device_id = x.device_id AND e.account_id = x.account_id AND e.kind = x.kind
            AND e.parameter IS NOT DISTINCT FROM x.parameter AND e.side IS NOT DISTINCT FROM x.side AND e.closed_at IS NULL
        WHERE a.slot = of_slot AND a.alert_id = of_alert AND a.account_id = current_account() AND a.purpose = 'escalation')
$$;

-- The last time that somebody was to be called for an alarm of the named person's about a device.
CREATE OR REPLACE FUNCTION last_escalation(of_slot smallint, of_device integer)
RETURNS TABLE (kind text, parameter smallint, side text, alarm_at timestamptz, answered_by text, is_own boolean, answered_at timestamptz,
    ended_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT x.kind, x.parameter, x.side, x.alarm_at, shown_name(a.display_name, a.email), coalesce(x.answered_by = current_account(), false),
        x.answered_at, x.ended_at
    FROM escalation x LEFT JOIN account a ON a.account_id = x.answered_by
    WHERE x.account_id = current_account() AND x.slot = of_slot AND x.device_id = of_device
    ORDER BY x.escalation_id DESC LIMIT 1
$$;

-- For engines, who may read nobody's address.
CREATE OR REPLACE FUNCTION name_of_person(person bigint) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT shown_name(a.display_name, a.email) FROM account a WHERE a.account_id = person
$$;

-- A UUID of version 7 (RFC 9562) for an alert that the database makes.
CREATE OR REPLACE FUNCTION new_alert_uid() RETURNS uuid
LANGUAGE sql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7'
        || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- Whoever has been called for what goes on may answer it, whatever their own limits say: the episode of the one whose alarm it is.
CREATE OR REPLACE FUNCTION called_for(
    of_slot smallint, of_device integer, about text, of_parameter smallint, on_side text, person bigint) RETURNS episode
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT e FROM escalation x
    JOIN episode e ON e.slot = x.slot AND e.device_id = x.device_id AND e.account_id = x.account_id AND e.kind = x.kind
        AND e.parameter IS NOT DISTINCT FROM x.parameter AND e.side IS NOT DISTINCT FROM x.side AND e.closed_at IS NULL
    WHERE x.slot = of_slot AND x.device_id = of_device AND x.kind = about AND x.parameter IS NOT DISTINCT FROM of_parameter
        AND x.side IS NOT DISTINCT FROM on_side AND x.ended_at IS NULL AND EXISTS (
            SELECT FROM escalation_call c
            WHERE c.slot = x.slot AND c.escalation_id = x.escalation_id AND c.account_id = person AND c.outcome = 'told')
    ORDER BY x.escalation_id
    LIMIT 1
$$;

-- Whether it has got worse for one of those who share a device, or a person was called for one, since they said that they are on it.
CREATE OR REPLACE FUNCTION was_called_since(
    of_slot smallint, of_device integer, about text, of_parameter smallint, on_side text, person bigint, since timestamptz) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM escalation x
        WHERE x.slot = of_slot AND x.device_id = of_device AND x.kind = about AND x.parameter IS NOT DISTINCT FROM of_parameter
            AND x.side IS NOT DISTINCT FROM on_side AND x.ended_at IS NULL AND (x.answers_from > since OR EXISTS (
                SELECT FROM escalation_call c WHERE c.slot = x.slot AND c.escalation_id = x.escalation_id AND c.account_id = person
                    AND c.outcome = 'told' AND c.called_at > since)))
$$;

-- An answer, a snooze and the end of one are seen at once.
CREATE OR REPLACE FUNCTION escalation_follows_snooze() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- in one order, of several people's
    PERFORM FROM escalation x
    WHERE x.slot = NEW.slot AND x.device_id = NEW.device_id AND x.kind = NEW.kind AND x.parameter IS NOT DISTINCT FROM NEW.parameter
        AND x.side IS NOT DISTINCT FROM NEW.side AND x.ended_at IS NULL
    ORDER BY x.escalation_id
    FOR NO KEY UPDATE;
    UPDATE escalation x SET next_at = now()
    WHERE x.slot = NEW.slot AND x.device_id = NEW.device_id AND x.kind = NEW.kind AND x.parameter IS NOT DISTINCT FROM NEW.parameter
        AND x.side IS NOT DISTINCT FROM NEW.side AND x.ended_at IS NULL AND x.next_at > now();
    RETURN NULL;
END
$$;

-- Whoever gives a device up is called no more for it, and calls nobody.
CREATE OR REPLACE FUNCTION chain_ends_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    told bigint;
BEGIN
    WITH ended AS (
        DELETE FROM chain_step s
        WHERE s.slot = NEW.slot AND s.device_id = NEW.device_id AND (s.account_id = NEW.account_id OR s.callee = NEW.account_id)
        RETURNING s.account_id, s.callee
    )
    SELECT count(pg_notify('setup', bucket::text)) INTO told FROM (
        SELECT DISTINCT person & 255 AS bucket FROM ended, unnest(ARRAY[account_id, callee]) AS p (person) WHERE person IS NOT NULL) AS b;
    RETURN NULL;
END
$$;

-- Whose alarm it is sees who was called, and until when calls are held back.
CREATE OR REPLACE FUNCTION call_was_made() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('setup', (x.account_id & 255)::text) FROM escalation x
    WHERE x.slot = NEW.slot AND x.escalation_id = NEW.escalation_id;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    is_quiet(bigint, timestamptz), chain_outlook(smallint, integer, bigint, timestamptz), show_chain(smallint, integer, timestamptz),
    list_callable(smallint, integer), lock_chains(smallint, integer), set_chain(smallint, integer, smallint[], bigint[], bigint[]), list_calls_asked(),
    agree_to_calls(smallint, integer, bigint, text), has_device(smallint, integer), escalation_of(smallint, bigint), list_calls(smallint, bigint), next_call(smallint, bigint), is_led(smallint, bigint), call_goes_on(smallint, bigint), last_escalation(smallint, integer),
    name_of_person(bigint), new_alert_uid(), called_for(smallint, integer, text, smallint, text, bigint),
    was_called_since(smallint, integer, text, smallint, text, bigint, timestamptz), escalation_follows_snooze(),
    chain_ends_with_ownership(), call_was_made() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    show_chain(smallint, integer, timestamptz), list_callable(smallint, integer), lock_chains(smallint, integer),
    set_chain(smallint, integer, smallint[], bigint[], bigint[]), list_calls_asked(), agree_to_calls(smallint, integer, bigint, text),
    list_calls(smallint, bigint), next_call(smallint, bigint), call_goes_on(smallint, bigint), last_escalation(smallint, integer) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION
    chain_outlook(smallint, integer, bigint, timestamptz), is_led(smallint, bigint), name_of_person(bigint), new_alert_uid() TO aqua_rules;
