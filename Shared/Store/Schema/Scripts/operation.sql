-- Functions for operators in the app: how the installation does, who has accounts, which devices there are, and what was changed by whom. Nothing of
-- anybody's water: no value, no limit, no name of a tank, no word of a journal. Each function asks by itself whether the person who is named
-- operates, in a session in which they proved themselves lately.

-- Whether the person who is named operates the installation in a session of theirs: by the tool's word, or for twelve hours by the provider's.
CREATE OR REPLACE FUNCTION operates(in_session uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM session s JOIN account a ON a.account_id = s.account_id
        WHERE s.session_id = in_session AND s.account_id = current_account() AND is_live(s) AND (
            a.operates
            OR s.identity_id IS NOT NULL AND s.operates_at BETWEEN now() - interval '12 hours' AND now() + interval '1 minute'
                AND EXISTS (SELECT FROM operation o WHERE o.provider_gives)))
$$;

-- Refuses whoever does not operate. The session that is named is the one in which they proved themselves.
CREATE OR REPLACE FUNCTION require_operator() RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT operates(current_session()) OR NOT EXISTS (
        SELECT FROM session s WHERE s.session_id = current_session() AND is_fresh(s))
    THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'no operator is named';
    END IF;
END
$$;

-- Takes the provider's word on whether the person of a session, which it opened, operates. The word counts only where the tool lets the provider
-- give the role, and gives it a person a hundred times a day at most: each time is noted.
CREATE OR REPLACE FUNCTION take_providers_word(in_session uuid, of_issuer text, of_subject text, is_operator boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one session;
    had boolean;
    counts boolean;
    entry audit_entry;
BEGIN
    SELECT s.* INTO one FROM session s JOIN account_identity i ON i.identity_id = s.identity_id
    WHERE s.session_id = in_session AND s.account_id = current_account() AND is_live(s) AND i.issuer = of_issuer AND i.subject = of_subject
    FOR NO KEY UPDATE OF s;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    had := coalesce(one.operates_at > now() - interval '12 hours', false);
    counts := coalesce(is_operator, false) AND (SELECT o.provider_gives FROM operation o) AND (had OR 100 > (
        SELECT count(*) FROM audit_entry e
        WHERE e.account_id = one.account_id AND e.action = 'operator.give' AND e.at > now() - interval '1 day'));
    UPDATE session SET operates_at = CASE WHEN counts THEN now() END WHERE session_id = in_session;
    IF had <> counts THEN
        entry.action := CASE WHEN counts THEN 'operator.give' ELSE 'operator.take' END;
        entry.actor := 'system';
        entry.account_id := one.account_id;
        entry.target := in_session::text;
        entry.subject := of_issuer;
        PERFORM note_act(entry);
    END IF;
END
$$;

-- Devices, without sites, by how they stand: unlinked, unheard (linked, and nothing has come), silent (an alarm of it is open), live.
DROP VIEW IF EXISTS operated_device;
CREATE VIEW operated_device AS
    SELECT d.slot, d.device_id, d.hardware_id, o.account_id AS owner_id,
        CASE WHEN o.account_id IS NULL THEN 'unlinked'
            WHEN EXISTS (SELECT FROM episode e WHERE e.slot = d.slot AND e.device_id = d.device_id AND e.closed_at IS NULL
                AND e.kind = 'silence' AND e.parameter IS NULL) THEN 'silent'
            WHEN c.learnt_until IS NOT NULL OR EXISTS (SELECT FROM sample s WHERE s.slot = d.slot AND s.device_id = d.device_id) THEN 'live'
            ELSE 'unheard' END AS standing
    FROM device d
    LEFT JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
    LEFT JOIN silence_check c ON c.slot = d.slot AND c.device_id = d.device_id
    WHERE d.kind = 'device';

-- Backlogs, and since when; numbers of people, projects and devices; services without a connection. Of a backlog a hundred
-- thousand are counted at most.
CREATE OR REPLACE FUNCTION operation_figures(
    OUT batches bigint, OUT batches_since timestamptz, OUT alerts bigint, OUT alerts_since timestamptz, OUT deliveries bigint,
    OUT deliveries_since timestamptz, OUT people bigint, OUT unreached bigint, OUT projects bigint, OUT live bigint, OUT silent bigint,
    OUT unheard bigint, OUT unlinked bigint, OUT away text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = on SET enable_bitmapscan = on AS $$
BEGIN
    PERFORM require_operator();
    SELECT count(*) INTO batches FROM (SELECT FROM evaluation_batch LIMIT 100000) AS b;
    SELECT min(b.received_at) INTO batches_since FROM slot s CROSS JOIN LATERAL (
        SELECT e.received_at FROM evaluation_batch e WHERE e.slot = s.slot ORDER BY e.batch_id LIMIT 1) AS b;
    SELECT count(*), min(a.decided_at) INTO alerts, alerts_since
    FROM (SELECT decided_at FROM alert WHERE state = 'decided' ORDER BY decided_at LIMIT 100000) AS a;
    SELECT count(*), min(d.next_attempt_at) FILTER (WHERE d.next_attempt_at < now()) INTO deliveries, deliveries_since
    FROM (SELECT next_attempt_at FROM delivery WHERE state = 'pending' ORDER BY next_attempt_at LIMIT 100000) AS d;
    SELECT count(*) FILTER (WHERE a.kind = 'person'), count(*) FILTER (WHERE a.kind = 'project') INTO people, projects FROM account a;
    SELECT c.unreached_people INTO unreached FROM take_census() AS c;
    SELECT count(*) FILTER (WHERE d.standing = 'live'), count(*) FILTER (WHERE d.standing = 'silent'),
        count(*) FILTER (WHERE d.standing = 'unheard'), count(*) FILTER (WHERE d.standing = 'unlinked')
    INTO live, silent, unheard, unlinked FROM operated_device d;
    SELECT array_agg(substr(r.role, 6) ORDER BY r.place) INTO away
    FROM unnest(ARRAY['aqua_ingestor', 'aqua_rules', 'aqua_notifier']) WITH ORDINALITY AS r (role, place)
    WHERE NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = current_database() AND a.usename = r.role);
    away := coalesce(away, '{}');
END
$$;

-- Counts: of messages of the last hour that were not taken, by reason; of what was to be delivered in the last day, by channel and outcome. Of each
-- slot the newest three hundred alerts are looked at.
DROP FUNCTION IF EXISTS operation_tallies();
CREATE FUNCTION operation_tallies() RETURNS TABLE (what text, name text, outcome text, times bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET enable_seqscan = on SET enable_bitmapscan = on AS $$
BEGIN
    PERFORM require_operator();
    RETURN QUERY
    SELECT 'reject', r.reason, NULL::text, count(*) FROM reject r WHERE r.received_at > now() - interval '1 hour' GROUP BY r.reason
    UNION ALL
    SELECT 'delivery', e.channel, d.state, count(*)
    FROM slot s CROSS JOIN LATERAL (
        SELECT a.slot, a.alert_id, a.decided_at FROM alert a WHERE a.slot = s.slot ORDER BY a.alert_id DESC LIMIT 300) AS a
    JOIN delivery d ON d.slot = a.slot AND d.alert_id = a.alert_id
    JOIN endpoint e ON e.endpoint_id = d.endpoint_id
    WHERE a.decided_at > now() - interval '1 day'
    GROUP BY e.channel, d.state
    ORDER BY 1, 4 DESC, 2, 3
    LIMIT 200;
END
$$;

-- The doctor's last findings, and when it looked; NULL: it has not.
CREATE OR REPLACE FUNCTION operation_findings(OUT looked_at timestamptz, OUT findings jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_operator();
    SELECT o.looked_at, o.findings INTO looked_at, findings FROM operation o;
END
$$;

-- People whose address begins so, by their addresses.
DROP FUNCTION IF EXISTS operation_accounts(text, text, integer);
CREATE FUNCTION operation_accounts(begins text, after text, most integer) RETURNS TABLE (
    email text, created_at timestamptz, seen_at timestamptz, sessions bigint, devices bigint, projects bigint, is_reached boolean,
    is_operator boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_operator();
    RETURN QUERY
    SELECT a.email, a.created_at, s.seen_at, s.living,
        (SELECT count(*) FROM ownership o WHERE o.account_id = a.account_id AND o.role = 'owner' AND o.unlinked_at IS NULL),
        (SELECT count(*) FROM project_member m WHERE m.account_id = a.account_id),
        EXISTS (SELECT FROM reachable_account r WHERE r.account_id = a.account_id), a.operates
    FROM account a CROSS JOIN LATERAL (
        SELECT max(s.used_at) AS seen_at, count(*) FILTER (WHERE is_live(s)) AS living FROM session s WHERE s.account_id = a.account_id) AS s
    WHERE a.kind = 'person' AND starts_with(a.email, lower(begins)) AND a.email > after
    ORDER BY a.email
    LIMIT least(most, 201);
END
$$;

-- Devices whose id begins so, by their ids. A project has no address: its first owner's is told.
DROP FUNCTION IF EXISTS operation_devices(text, text, integer);
CREATE FUNCTION operation_devices(begins text, after text, most integer) RETURNS TABLE (
    device text, standing text, heard_at timestamptz, is_online boolean, family text, version text, owner text, is_of_project boolean,
    rejected bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_operator();
    RETURN QUERY
    SELECT d.hardware_id, d.standing,
        (SELECT s.received_at FROM sample s WHERE s.slot = d.slot AND s.device_id = d.device_id AND s.event_time <= now() + interval '6 minutes'
            ORDER BY s.event_time DESC LIMIT 1),
        (SELECT u.online FROM device_status u WHERE u.slot = d.slot AND u.device_id = d.device_id), l.family, l.version,
        coalesce(a.email, (SELECT p.email FROM project_member m JOIN account p ON p.account_id = m.account_id
            WHERE m.project_id = a.account_id AND m.role = 'owner' ORDER BY m.joined_at, m.member_id LIMIT 1)),
        coalesce(a.kind = 'project', false),
        (SELECT coalesce(sum(r.messages), 0)::bigint FROM device_reject r
            WHERE r.slot = d.slot AND r.device_id = d.device_id AND r.last_at > now() - interval '1 day')
    FROM operated_device d
    LEFT JOIN account a ON a.account_id = d.owner_id
    LEFT JOIN device_life l ON l.slot = d.slot AND l.device_id = d.device_id
    WHERE starts_with(d.hardware_id, begins) AND d.hardware_id > after
    ORDER BY d.hardware_id
    LIMIT least(most, 201);
END
$$;

-- Whether an entry of the log tells of accounts and rights alone, so that its names and values are nobody's water.
CREATE OR REPLACE FUNCTION is_of_accounts(action text) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT split_part(action, '.', 1) IN (
        'account', 'password', 'session', 'token', 'identity', 'operator', 'project', 'member', 'retention', 'bound', 'request')
$$;

-- Whether an action is the one that is named, or one of its noun; by NULL each is.
CREATE OR REPLACE FUNCTION is_action_of(action text, named text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT named IS NULL OR action = named OR split_part(action, '.', 1) = named
$$;

-- The log of everybody's changes, the newest first. Of what is done to water it tells that it was done, by whom and for which device: not the names,
-- values and parameters. Each way to its entries is an index in their order, whatever is kept; by an action alone the log is walked.
DROP FUNCTION IF EXISTS operation_changes(bigint, text, text, text, integer);
CREATE FUNCTION operation_changes(before bigint, of_account text, of_device text, of_action text, most integer) RETURNS TABLE (
    entry_id bigint, at timestamptz, action text, outcome text, times integer, actor text, actor_name text, hardware_id text,
    parameter smallint, target text, subject text, changes jsonb, session_id uuid, request text, network text, client text, account text,
    is_own boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := (SELECT a.account_id FROM account a WHERE a.email = lower(of_account));
    device CONSTANT integer := (SELECT d.device_id FROM device d WHERE d.hardware_id = of_device);
    until CONSTANT bigint := coalesce(before, 9223372036854775807);
    rows CONSTANT integer := least(most, 201);
BEGIN
    PERFORM require_operator();
    RETURN QUERY
    SELECT DISTINCT ON (e.entry_id) e.entry_id, e.at, e.action, e.outcome, e.times, e.actor,
        coalesce(e.actor_name, (SELECT coalesce(a.email, a.display_name) FROM account a WHERE a.account_id = e.actor_id)),
        (SELECT d.hardware_id FROM device d WHERE d.device_id = e.device_id), NULL::smallint,
        CASE WHEN e.action = 'request.refuse' THEN e.target END,
        CASE WHEN is_of_accounts(e.action) THEN e.subject END, CASE WHEN is_of_accounts(e.action) THEN e.changes END,
        NULL::uuid, e.request, e.network, e.client,
        (SELECT coalesce(a.email, a.display_name) FROM account a WHERE a.account_id = e.account_id),
        e.actor_id IS NOT DISTINCT FROM current_account()
    FROM (
        (SELECT a.* FROM audit_entry a
            WHERE of_account IS NULL AND of_device IS NULL AND a.entry_id < until
                AND is_action_of(a.action, of_action)
            ORDER BY a.entry_id DESC LIMIT rows)
        UNION ALL
        (SELECT a.* FROM audit_entry a
            WHERE of_account IS NULL AND a.device_id = device AND a.entry_id < until
                AND is_action_of(a.action, of_action)
            ORDER BY a.entry_id DESC LIMIT rows)
        UNION ALL
        (SELECT a.* FROM audit_entry a
            WHERE a.account_id = person AND a.entry_id < until AND (of_device IS NULL OR a.device_id = device)
                AND is_action_of(a.action, of_action)
            ORDER BY a.entry_id DESC LIMIT rows)
        UNION ALL
        (SELECT a.* FROM audit_entry a
            WHERE a.owner_id = person AND a.entry_id < until AND (of_device IS NULL OR a.device_id = device)
                AND is_action_of(a.action, of_action)
            ORDER BY a.entry_id DESC LIMIT rows)
        UNION ALL
        -- the index of who acted is in the order of time: all of theirs are found, then sorted
        (SELECT a.* FROM (SELECT * FROM audit_entry WHERE actor_id = person OFFSET 0) AS a
            WHERE a.entry_id < until AND (of_device IS NULL OR a.device_id = device)
                AND is_action_of(a.action, of_action)
            ORDER BY a.entry_id DESC LIMIT rows)
    ) AS e
    ORDER BY e.entry_id DESC
    LIMIT rows;
END
$$;

-- Ends all sessions of a person, as when somebody else may be in one. Their alerts go on: nobody is silenced. The number that ended; NULL: nobody
-- has the address.
CREATE OR REPLACE FUNCTION end_sessions_as_operator(of_address text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person bigint;
BEGIN
    PERFORM require_operator();
    SELECT a.account_id INTO person FROM account a WHERE a.email = lower(of_address);
    RETURN CASE WHEN person IS NOT NULL THEN end_sessions_of(person, ARRAY(
        SELECT s.session_id FROM session s WHERE s.account_id = person AND s.ended_at IS NULL), 'endedByOperator') END;
END
$$;

REVOKE ALL ON FUNCTION
    operates(uuid), require_operator(), take_providers_word(uuid, text, text, boolean), operation_figures(), operation_tallies(),
    operation_findings(), operation_accounts(text, text, integer), operation_devices(text, text, integer), is_of_accounts(text), is_action_of(text, text),
    operation_changes(bigint, text, text, text, integer), end_sessions_as_operator(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    operates(uuid), take_providers_word(uuid, text, text, boolean), operation_figures(), operation_tallies(), operation_findings(),
    operation_accounts(text, text, integer), operation_devices(text, text, integer), operation_changes(bigint, text, text, text, integer),
    end_sessions_as_operator(text) TO aqua_gateway;
