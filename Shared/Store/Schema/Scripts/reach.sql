-- Which of a person's ways reach them, and for what. The Gateway shows it, notes choose by it, and operators count by it.

-- Whether what is told on a channel says by itself that a message has arrived.
CREATE OR REPLACE FUNCTION confirms(channel text) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS
    $$ SELECT channel IN ('webPush', 'apns', 'fcm') $$;

-- The ways of a person that are in use, and for what each reaches them:
--     nothing: it takes no alerts, or has stopped to confirm them
--     urgent: what is critical, and calls; anything else goes to another way
--     all
-- Browsers and apps confirm what arrives. One has stopped when it confirmed nothing since three messages that were accepted for it, each ten
-- minutes ago at least, or two weekly notes, an hour ago, though it did before; as far as the person's last 100 alerts tell, and the weekly notes of
-- sixty days. What one message tells counts once. One that never confirmed, such as an old browser, is judged by what is accepted.
CREATE OR REPLACE FUNCTION ways_of(
    person bigint, OUT endpoint_id bigint, OUT reaches text, OUT unconfirmed_since timestamptz
) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER ROWS 8 SET search_path = pg_catalog, public, pg_temp AS $$
    WITH way AS MATERIALIZED (
        SELECT e.endpoint_id, e.channel, e.created_at, e.heard_at, e.only_urgent, EXISTS (
            SELECT FROM failed_way f
            WHERE f.endpoint_id = e.endpoint_id AND f.registration = e.registration AND f.since IS NOT NULL) AS has_failed
        FROM usable_endpoint u JOIN endpoint e ON e.endpoint_id = u.endpoint_id WHERE u.account_id = person
    ), recent AS MATERIALIZED (
        (SELECT a.slot, a.alert_id, a.kind, coalesce(a.group_id, a.uid) AS message FROM alert a
        WHERE a.account_id = person AND EXISTS (SELECT FROM way w WHERE confirms(w.channel))
        ORDER BY a.decided_at DESC LIMIT 100)
        UNION
        -- however much came since; at most one a week to each way
        (SELECT a.slot, a.alert_id, a.kind, a.uid FROM alert a
        WHERE a.account_id = person AND a.kind = 'proof' AND a.decided_at > now() - interval '60 days'
            AND EXISTS (SELECT FROM way w WHERE confirms(w.channel))
        ORDER BY a.decided_at DESC LIMIT 300)
    ), told AS MATERIALIZED (
        -- heard_at reaches further back than alerts are kept, and is ten minutes behind at most
        SELECT w.endpoint_id, r.kind, coalesce(r.message::text, r.slot || ' ' || r.alert_id) AS message,
            d.state, d.arrived_at, d.ended_at,
            greatest(max(d.arrived_at) OVER (PARTITION BY w.endpoint_id),
                CASE WHEN w.heard_at >= w.created_at THEN w.heard_at END) AS last_arrived_at
        FROM way w CROSS JOIN recent r
        JOIN delivery d ON d.slot = r.slot AND d.alert_id = r.alert_id AND d.endpoint_id = w.endpoint_id
        WHERE confirms(w.channel) AND coalesce(d.arrived_at, d.ended_at) >= w.created_at
    ), silent AS (
        SELECT t.endpoint_id, min(t.ended_at) AS since FROM told t
        WHERE t.state = 'accepted' AND t.arrived_at IS NULL AND t.ended_at > t.last_arrived_at
            AND t.ended_at < now() - interval '10 minutes'
        GROUP BY t.endpoint_id
        HAVING count(DISTINCT t.message) >= 3 OR count(DISTINCT t.message) FILTER (WHERE t.kind = 'proof' AND t.ended_at < now() - interval '1 hour') >= 2
    )
    SELECT w.endpoint_id,
        CASE WHEN w.has_failed OR s.since IS NOT NULL THEN 'nothing'
            WHEN w.only_urgent AND EXISTS (SELECT FROM way o WHERE NOT o.only_urgent) THEN 'urgent'
            ELSE 'all' END,
        s.since
    FROM way w LEFT JOIN silent s ON s.endpoint_id = w.endpoint_id
$$;

-- The same for the person who asks.
CREATE OR REPLACE FUNCTION person_ways(OUT endpoint_id bigint, OUT reaches text, OUT unconfirmed_since timestamptz) RETURNS SETOF record
LANGUAGE sql STABLE SECURITY DEFINER ROWS 8 SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT w.endpoint_id, w.reaches, w.unconfirmed_since FROM ways_of(current_account()) w
$$;

-- Whether what is critical reaches a person by any way. Looks at what was confirmed only where nothing else reaches them.
CREATE OR REPLACE FUNCTION is_reached(person bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    mute boolean;
BEGIN
    SELECT bool_and(confirms(e.channel)) INTO mute FROM usable_endpoint e
    WHERE e.account_id = person AND NOT EXISTS (
        SELECT FROM failed_way f
        WHERE f.endpoint_id = e.endpoint_id AND f.registration = e.registration AND f.since IS NOT NULL);
    RETURN CASE WHEN mute THEN EXISTS (SELECT FROM ways_of(person) w WHERE w.reaches <> 'nothing') ELSE mute IS NOT NULL END;
END
$$;

REVOKE ALL ON FUNCTION ways_of(bigint), confirms(text), person_ways(), is_reached(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person_ways() TO aqua_gateway;
