-- Proofs that ways to reach a person still work: a quiet note once a week to each that has shown nothing else.

-- When an endpoint is looked at next after a time: once a week, at a place in the week that follows from its number, so that the notes of all are
-- spread, also after a long outage.
CREATE OR REPLACE FUNCTION next_proof(endpoint bigint, after timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT to_timestamp(place + 604800 * (floor((extract(epoch FROM after) - place) / 604800) + 1))
    FROM (SELECT ('x' || left(md5(endpoint::text), 7))::bit(28)::integer % 604800 AS place) p
$$;

-- What comes of a look at an endpoint:
--   note: it is sent one; wait: quiet hours are on; mute: it stopped confirming; nothing: it has shown that it works, or is not asked
-- Of a browser or an app that says when messages arrive that alone counts, since its push service takes them all the same; of others, that a
-- message was taken. Notes are no more than six days and a half apart, or one could hide the next.
CREATE OR REPLACE FUNCTION proof_turn(
    is_asked boolean, is_mute boolean, heard_at timestamptz, accepted_at timestamptz, noted_at timestamptz, is_quiet boolean, at timestamptz
) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE
        WHEN is_asked AND is_mute AND noted_at > at - interval '156 hours' THEN 'mute'
        WHEN NOT is_asked OR coalesce(heard_at, accepted_at) > at - interval '156 hours' OR noted_at > at - interval '156 hours' THEN 'nothing'
        WHEN is_quiet THEN 'wait'
        ELSE 'note' END
$$;

-- Looks at the endpoints whose turn it is, and sends a note to each that has shown nothing for a week. One that has left two of them unconfirmed is
-- looked at a day after the second, and told of by its person's other ways. Returns how many there were, and how many got a note; NULL: another
-- notifier looks, also for summaries, since both lock accounts; or the clock is in doubt.
CREATE OR REPLACE FUNCTION send_proofs(most integer, OUT due integer, OUT sent integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    way record;
    quiet_until timestamptz;
    turn text;
BEGIN
    IF NOT clock_is_trusted() OR NOT pg_try_advisory_xact_lock(7133707) THEN
        RETURN;
    END IF;
    due := 0;
    sent := 0;
    FOR way IN
        WITH looked_at AS MATERIALIZED (
            SELECT * FROM endpoint WHERE retired_at IS NULL AND proof_due_at <= now() ORDER BY proof_due_at LIMIT most
        ), judged AS MATERIALIZED (
            -- once for each person
            SELECT w.endpoint_id, w.unconfirmed_since
            FROM (SELECT DISTINCT account_id FROM looked_at) p CROSS JOIN LATERAL ways_of(p.account_id) w
        )
        SELECT e.endpoint_id, e.account_id, e.registration, e.channel, e.heard_at, e.created_at,
            EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id) AND NOT e.only_urgent
                AND CASE coalesce(c.proofs, 'push') WHEN 'all' THEN e.channel NOT IN ('sms', 'call')
                    WHEN 'push' THEN e.channel IN ('webPush', 'apns', 'fcm') ELSE false END AS is_asked,
            (SELECT w.unconfirmed_since FROM judged w WHERE w.endpoint_id = e.endpoint_id) AS mute_since,
            -- of those that say themselves when messages arrive nothing else is asked
            CASE WHEN e.heard_at IS NULL THEN (
                SELECT d.ended_at FROM alert a JOIN delivery d ON d.slot = a.slot AND d.alert_id = a.alert_id AND d.endpoint_id = e.endpoint_id
                WHERE a.account_id = e.account_id AND a.decided_at > now() - interval '156 hours' AND d.state = 'accepted'
                ORDER BY a.decided_at DESC LIMIT 1) END AS accepted_at,
            (SELECT a.decided_at FROM alert a JOIN delivery d ON d.slot = a.slot AND d.alert_id = a.alert_id AND d.endpoint_id = e.endpoint_id
                WHERE a.account_id = e.account_id AND a.kind = 'proof' AND a.decided_at > now() - interval '156 hours'
                ORDER BY a.decided_at DESC LIMIT 1) AS noted_at,
            -- whether it already left one unconfirmed, so that the next is the second
            e.heard_at IS NOT NULL AND EXISTS (
                SELECT FROM alert a JOIN delivery d ON d.slot = a.slot AND d.alert_id = a.alert_id AND d.endpoint_id = e.endpoint_id
                WHERE a.account_id = e.account_id AND a.kind = 'proof' AND d.state = 'accepted'
                    AND a.decided_at > greatest(e.created_at, e.heard_at, now() - interval '60 days')) AS is_second
        FROM looked_at e
        LEFT JOIN summary_choice c ON c.account_id = e.account_id
    LOOP
        due := due + 1;
        -- the account first, as whoever closes it locks
        PERFORM FROM account a WHERE a.account_id = way.account_id FOR NO KEY UPDATE;
        quiet_until := after_quiet_hours(way.account_id, now());
        turn := proof_turn(
            way.is_asked, way.mute_since IS NOT NULL, way.heard_at, way.accepted_at, way.noted_at, quiet_until > now(), now());
        UPDATE endpoint SET proof_due_at = CASE
            WHEN turn = 'wait' THEN quiet_until
            WHEN turn = 'note' AND way.is_second THEN now() + interval '1 day'
            ELSE next_proof(endpoint_id, now()) END
        -- another person may have it by now
        WHERE endpoint_id = way.endpoint_id AND account_id = way.account_id AND registration = way.registration AND retired_at IS NULL;
        CONTINUE WHEN NOT FOUND;
        IF turn = 'note' THEN
            PERFORM tell_note(way.account_id, 'proof', ARRAY[way.channel], now(), ARRAY[way.endpoint_id], new_alert_uid());
            sent := sent + 1;
        ELSIF turn = 'mute' THEN
            INSERT INTO failed_way AS w (endpoint_id, registration, account_id, since, is_mute)
            VALUES (way.endpoint_id, way.registration, way.account_id, way.mute_since, true)
            ON CONFLICT (endpoint_id) DO UPDATE SET since = excluded.since, is_mute = true WHERE w.since IS NULL;
        END IF;
    END LOOP;
END
$$;

REVOKE ALL ON FUNCTION next_proof(bigint, timestamptz), send_proofs(integer),
    proof_turn(boolean, boolean, timestamptz, timestamptz, timestamptz, boolean, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION send_proofs(integer) TO aqua_notifier;
