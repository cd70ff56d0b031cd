-- Notes: what a person is told of their account, by their ways but some.

-- Tells a person at once by some of their ways, under a name by which the note is known outside.
CREATE OR REPLACE FUNCTION tell_note(person bigint, of_kind text, of_what text[], since timestamptz, ways bigint[], known_as uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    of_slot CONSTANT smallint := person % 64;
    number bigint;
BEGIN
    INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, state, about)
    VALUES (of_slot, person, nextval('alert_id'), known_as, of_kind, 'note', since, now(), 'sending', of_what)
    RETURNING alert_id INTO number;
    INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
    SELECT of_slot, person, number, way, now() + interval '30 minutes' FROM unnest(ways) AS way;
    PERFORM pg_notify('alert', '');
END
$$;

-- The ways in use by which a person is told notes, but those that are spared and those on some channels: not those of which they want nothing but
-- what is critical, unless no other reaches them. NULL: there is none.
CREATE OR REPLACE FUNCTION ways_of_notes(person bigint, spared bigint[], silent_channels text[]) RETURNS bigint[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN bool_or(NOT e.only_urgent AND w.reaches <> 'nothing')
        THEN array_agg(e.endpoint_id) FILTER (WHERE NOT e.only_urgent) ELSE array_agg(e.endpoint_id) END
    FROM ways_of(person) w JOIN usable_endpoint e ON e.endpoint_id = w.endpoint_id
    WHERE e.endpoint_id <> ALL (spared) AND e.channel <> ALL (silent_channels)
$$;

-- Tells a person at once by the ways by which they are told notes, but those that the note is about. False: there is no other.
CREATE OR REPLACE FUNCTION add_note(person bigint, of_kind text, of_what text[], since timestamptz, spared bigint[]) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ways CONSTANT bigint[] := ways_of_notes(person, spared, '{}');
BEGIN
    IF ways IS NULL THEN
        RETURN false;
    END IF;
    PERFORM tell_note(person, of_kind, of_what, since, ways, new_alert_uid());
    RETURN true;
END
$$;

-- Tells a person that somebody signed in where nobody had before, or where somebody was thrown out, in quiet hours too: whoever signs in
-- themselves is awake, and a thief would have the night. Nothing of the first session of an account,
-- and at most five times a day.
CREATE OR REPLACE FUNCTION tell_sign_in(person bigint, opened uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    is_new CONSTANT session := (SELECT s FROM session s WHERE s.session_id = opened);
BEGIN
    -- sessions of long ago are deleted, so that there may be none of an old account
    IF NOT EXISTS (SELECT FROM session s WHERE s.account_id = person AND s.session_id <> opened)
            AND EXISTS (SELECT FROM account a WHERE a.account_id = person AND a.created_at > now() - interval '1 day')
        OR EXISTS (SELECT FROM session s WHERE s.account_id = person AND s.session_id <> opened
            AND (s.ended_because IS NULL OR s.ended_because NOT IN ('reused', 'passwordChanged', 'endedByOperator'))
            AND (s.client_id = is_new.client_id OR s.client_id IS NULL AND is_new.client_id IS NULL AND s.client IS NOT DISTINCT FROM is_new.client))
        OR 5 <= (SELECT count(*) FROM alert a
            WHERE a.account_id = person AND a.kind = 'signIn' AND a.decided_at > now() - interval '1 day' AND a.decided_at <= now())
    THEN
        RETURN;
    END IF;
    PERFORM add_note(person, 'signIn', ARRAY[left(is_new.client, 200)], now(), ARRAY(
        SELECT e.endpoint_id FROM endpoint e WHERE e.account_id = person AND e.client_id = is_new.client_id));
END
$$;

-- What a note calls a way: of its address no more than the host, or of a mailbox the first letter and the domain.
CREATE OR REPLACE FUNCTION way_name(target text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT left(regexp_replace(split_part(endpoint_name(target), '/#', 1), '^(https?://|mailto:)', ''), 300)
$$;

-- Tells a person by their other ways that one in use was registered for another account, so that alerts do not go missing unnoticed. In quiet
-- hours too, as of a sign-in: whoever did it may have taken the phone; and at most five times a day.
CREATE OR REPLACE FUNCTION lost_way_is_told() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- what is gone has reached nobody before either
    IF EXISTS (SELECT FROM endpoint_retirement r WHERE r.endpoint_id = OLD.endpoint_id AND r.registration = OLD.registration)
        OR 5 <= (SELECT count(*) FROM alert a
            WHERE a.account_id = OLD.account_id AND a.kind = 'way' AND a.about[3] = 'moved' AND a.decided_at > now() - interval '1 day'
                AND a.decided_at <= now())
    THEN
        RETURN NULL;
    END IF;
    PERFORM add_note(
        OLD.account_id, 'way', ARRAY[way_name(OLD.target), OLD.channel, 'moved', NULL], now(), ARRAY[OLD.endpoint_id]);
    RETURN NULL;
END
$$;

-- Finds the ways that take no alerts: gone, or with an alert that has been tried for ten minutes and nothing taken since; those that take them and
-- stopped confirming are found beside (send_proofs). Their people are told
-- by their other ways, of each at most once a day, and in quiet hours when these have ended. How many there are, and how many people have no other; NULL: another notifier looks.
-- The canary's are not among them: whoever watches it is told that it is late.
CREATE OR REPLACE FUNCTION tell_failed_ways(OUT failed bigint, OUT unreachable bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    way record;
    unreached bigint[];
BEGIN
    IF NOT pg_try_advisory_xact_lock(7133708) THEN
        RETURN;
    END IF;
    DELETE FROM failed_way w WHERE NOT EXISTS (
        SELECT FROM endpoint e WHERE e.endpoint_id = w.endpoint_id AND e.registration = w.registration
            AND e.account_id = w.account_id AND e.retired_at IS NULL);
    UPDATE failed_way w SET since = NULL, is_mute = false
    WHERE w.since IS NOT NULL AND EXISTS (
        SELECT FROM endpoint e WHERE e.endpoint_id = w.endpoint_id AND (e.paused_at IS NOT NULL OR w.is_mute AND e.heard_at > w.since));
    UPDATE failed_way w SET since = NULL
    -- what is gone takes nothing, and of what is mute its push service takes all
    WHERE w.since IS NOT NULL AND NOT w.is_mute AND NOT EXISTS (
            SELECT FROM endpoint_retirement r WHERE r.endpoint_id = w.endpoint_id AND r.registration = w.registration)
        AND EXISTS (
        SELECT FROM alert a JOIN delivery d ON d.slot = a.slot AND d.alert_id = a.alert_id AND d.endpoint_id = w.endpoint_id
        WHERE a.account_id = w.account_id AND a.decided_at > greatest(w.since, now() - interval '1 day') - interval '1 day'
            AND d.state = 'accepted' AND d.ended_at > w.since);
    INSERT INTO failed_way AS w (endpoint_id, registration, account_id, since)
    SELECT e.endpoint_id, e.registration, e.account_id, min(f.since)
    FROM (
        -- since it was due, which is when it was decided but for what has waited for the end of quiet hours
        SELECT d.endpoint_id, u.since FROM delivery d JOIN alert a ON a.slot = d.slot AND a.alert_id = d.alert_id
        CROSS JOIN LATERAL (SELECT d.expires_at - interval '30 minutes' AS since) u
        WHERE d.state = 'pending' AND d.tries >= 2 AND u.since < now() - interval '10 minutes'
            AND NOT EXISTS (
                SELECT FROM alert o JOIN delivery t ON t.slot = o.slot AND t.alert_id = o.alert_id AND t.endpoint_id = d.endpoint_id
                WHERE o.account_id = a.account_id AND o.decided_at > a.decided_at - interval '1 day' AND t.state = 'accepted'
                    AND t.ended_at > u.since)
        UNION ALL
        SELECT r.endpoint_id, r.retired_at FROM endpoint_retirement r
        JOIN endpoint e ON e.endpoint_id = r.endpoint_id AND e.registration = r.registration
        WHERE r.retired_at > now() - interval '1 day'
    ) f
    JOIN endpoint e ON e.endpoint_id = f.endpoint_id
    WHERE e.retired_at IS NULL AND e.paused_at IS NULL AND NOT EXISTS (SELECT FROM canary c WHERE c.account_id = e.account_id)
    GROUP BY e.endpoint_id
    ON CONFLICT (endpoint_id) DO UPDATE SET since = excluded.since, is_mute = false WHERE w.since IS NULL;
    -- once for each person, however many of their ways failed
    SELECT coalesce(array_agg(p.account_id), '{}') INTO unreached
    FROM (SELECT DISTINCT w.account_id FROM failed_way w WHERE w.since IS NOT NULL) p WHERE NOT is_reached(p.account_id);
    FOR way IN
        -- those that can be told, the oldest first, so that no more of them are looked at than are told
        WITH untold AS MATERIALIZED (
            SELECT w.* FROM failed_way w
            WHERE w.since IS NOT NULL AND (w.told_at IS NULL OR w.told_at < w.since AND w.told_at < now() - interval '1 day')
                AND w.account_id <> ALL (unreached) AND NOT EXISTS (SELECT FROM current_quiet_hours q WHERE q.account_id = w.account_id)
            ORDER BY w.since
        )
        SELECT w.endpoint_id, w.account_id, w.since, e.channel, last.status, way_name(e.target) AS name,
            CASE WHEN EXISTS (SELECT FROM endpoint_retirement r
                    WHERE r.endpoint_id = w.endpoint_id AND r.registration = w.registration) THEN 'gone'
                WHEN w.is_mute THEN 'unconfirmed' WHEN last.status IS NOT NULL THEN 'refused'
                WHEN last.outcome = 'refused' THEN 'unsent' ELSE 'unanswered' END AS failure
        FROM untold w
        CROSS JOIN LATERAL (SELECT * FROM endpoint o WHERE o.endpoint_id = w.endpoint_id OFFSET 0) e
        LEFT JOIN LATERAL (
            SELECT t.status, t.started_at, t.outcome FROM alert a
            JOIN delivery_attempt t ON t.slot = a.slot AND t.alert_id = a.alert_id AND t.endpoint_id = w.endpoint_id
            WHERE a.account_id = w.account_id AND a.decided_at >= w.since - interval '1 day'
            -- what was given up unsent says nothing of it
            ORDER BY t.outcome = 'refused', t.started_at DESC
            LIMIT 1) last ON true
        -- what does not even answer may be our own network's fault, unless another way took something meanwhile and this one failed after it
        WHERE (w.is_mute OR last.status IS NOT NULL
                OR EXISTS (SELECT FROM endpoint_retirement r WHERE r.endpoint_id = w.endpoint_id AND r.registration = w.registration)
                OR EXISTS (
                    SELECT FROM alert a JOIN delivery g ON g.slot = a.slot AND g.alert_id = a.alert_id
                    WHERE a.account_id = w.account_id AND a.decided_at >= w.since - interval '1 day' AND g.endpoint_id <> w.endpoint_id
                        AND g.state = 'accepted' AND g.ended_at BETWEEN w.since AND last.started_at))
        LIMIT 200
    LOOP
        -- an account that is being closed keeps nobody's note back
        BEGIN
            PERFORM add_note(
                way.account_id, 'way', ARRAY[way.name, way.channel, way.failure, way.status::text], way.since,
                ARRAY(SELECT f.endpoint_id FROM failed_way f WHERE f.account_id = way.account_id AND f.since IS NOT NULL));
            UPDATE failed_way SET told_at = now() WHERE endpoint_id = way.endpoint_id;
        EXCEPTION WHEN integrity_constraint_violation THEN
            CONTINUE;
        END;
    END LOOP;
    -- of people who left their last way a week ago nobody waits for anything
    SELECT count(*), count(DISTINCT w.account_id) FILTER (WHERE w.since > now() - interval '7 days' AND w.account_id = ANY (unreached))
    INTO failed, unreachable FROM failed_way w WHERE w.since IS NOT NULL;
END
$$;

REVOKE ALL ON FUNCTION
    tell_note(bigint, text, text[], timestamptz, bigint[], uuid), ways_of_notes(bigint, bigint[], text[]),
    add_note(bigint, text, text[], timestamptz, bigint[]), tell_sign_in(bigint, uuid), way_name(text), lost_way_is_told(),
    tell_failed_ways() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tell_failed_ways() TO aqua_notifier;
