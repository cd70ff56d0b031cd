-- Whoever holds the Gateway's role acts for those alone who have shown it a secret, reads no password's hash, and stops nobody else
-- for long.
--
-- Rights that only Gateways of the previous version use stay until the next release revokes them: EXECUTE on find_credentials, on
-- refresh_session without a client's number and on the live functions that take accounts; DELETE on snooze; everything on
-- live_follower.

-- Who is named for a transaction, the setting aqua.account, carries a seal by this key, which the owner's functions alone read.
-- Without it whoever sends statements of their own would name one person after the other.
CREATE TABLE identity_key (
    is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
    key bytea NOT NULL CHECK (length(key) = 32)
);

INSERT INTO identity_key (key)
VALUES (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

INSERT INTO growth_bound (held, grown_by, in_all, kept_by) VALUES ('identity_key', 'service', 1, 'its key');

CREATE FUNCTION seal_of(message text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT encode(sha256(k.key || sha256(k.key || convert_to(message, 'UTF8'))), 'hex') FROM identity_key k
$$;

-- What enter_session, enter_token, open_session and refresh_session say at their end.
DO $$
DECLARE
    naming CONSTANT text := 'set_config\(''aqua\.account'', (\w+)::text, true\)';
    definition text;
BEGIN
    FOR definition IN
        SELECT pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND prosrc ~ naming
    LOOP
        EXECUTE regexp_replace(definition, naming, 'name_person(\1)', 'g');
    END LOOP;
    IF EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~ 'set_config\(''aqua\.account''') THEN
        RAISE EXCEPTION 'a function names a person without a seal';
    END IF;
END
$$;

-- Names a person for the rest of the transaction. Only for functions that have checked a secret of theirs.
CREATE FUNCTION name_person(person bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT set_config('aqua.account',
        person || ' ' || seal_of(format('account %s %s', person, extract(epoch FROM now()))), true)
$$;

-- The seal is of this transaction, by the time at which it began. The schema's owner names whom it likes.
CREATE OR REPLACE FUNCTION current_account() RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    named CONSTANT text[] := string_to_array(current_setting('aqua.account', true), ' ');
BEGIN
    RETURN CASE WHEN CASE WHEN named[2] IS NULL THEN pg_has_role(session_user, current_user, 'USAGE')
        ELSE named[2] = seal_of(format('account %s %s', named[1], extract(epoch FROM now()))) END
        THEN NULLIF(named[1], '')::bigint END;
END
$$;

-- The account of an address (in lower case), and what a password's hash begins with: the costs and the salt, by which the Gateway
-- derives the rest from the password. No row: there is none.
CREATE FUNCTION find_password_salt(address text) RETURNS TABLE (account bigint, salt text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.account_id, regexp_replace(a.password_hash, '[^$]*$', '') FROM account a WHERE a.email = address
$$;

-- Whether a hash that was derived from a password is the one that a person has.
CREATE FUNCTION check_password(person bigint, derived_hash text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM account a WHERE a.account_id = person AND a.password_hash = derived_hash)
$$;

-- As in 0016, but for what counts as a repetition: a name can be seen and imitated, and networks are shared. The same client is
-- known by its number; where it tells none, by its name and from the same network.
CREATE FUNCTION refresh_session(
    token bytea, successor bytea, sealed bytea, by_client text, from_address text, by_client_id uuid,
    OUT outcome text, OUT renewed uuid, OUT account bigint, OUT sealed_successor bytea
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one session;
    used timestamptz;
BEGIN
    outcome := 'unknown';
    -- The session is the lock of its tokens.
    SELECT s.* INTO one FROM session s JOIN refresh_token t ON t.session_id = s.session_id WHERE t.token_hash = token
    FOR NO KEY UPDATE OF s;
    IF NOT FOUND OR NOT is_live(one) THEN
        RETURN;
    END IF;
    SELECT t.used_at INTO used FROM refresh_token t WHERE t.token_hash = token;
    IF used > now() - interval '10 s' AND (CASE WHEN by_client_id IS NULL
        THEN one.client = by_client AND one.address = from_address ELSE one.client_id = by_client_id END)
    THEN
        outcome := 'repeated';
        renewed := one.session_id;
        account := one.account_id;
        SELECT t.sealed_successor INTO sealed_successor FROM refresh_token t WHERE t.token_hash = token;
        PERFORM name_person(account);
        RETURN;
    END IF;
    -- Of no name, one that was used before is no repetition there.
    SELECT f.* INTO outcome, renewed, account, sealed_successor
    FROM refresh_session(token, successor, sealed, CASE WHEN used IS NULL THEN by_client END, from_address) AS f;
END
$$;

-- One transaction of a Gateway looks for all who have a stream open. It shows a ticket of each, which the person's own transaction
-- was given when the stream began; longer than a stream lasts, and no longer.
CREATE FUNCTION live_ticket() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    until CONSTANT bigint := extract(epoch FROM now() + interval '1 hour');
BEGIN
    RETURN person || ' ' || until || ' ' || seal_of(format('live %s %s', person, until));
END
$$;

-- Whom tickets name, in their order; NULL for one that is not valid, or not any more.
CREATE FUNCTION accounts_of(tickets text[]) RETURNS bigint[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(array_agg(
        CASE WHEN t.part[3] = seal_of(format('live %s %s', t.part[1], t.part[2]))
            THEN CASE WHEN t.part[2]::bigint > extract(epoch FROM now()) THEN t.part[1]::bigint END END
        ORDER BY t.number), '{}')
    FROM (
        SELECT u.number, string_to_array(u.ticket, ' ') AS part FROM unnest(tickets) WITH ORDINALITY AS u (ticket, number)
    ) AS t
$$;

-- The functions of the same names for those whose tickets are shown. Their results are those that the functions have by now.
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT * FROM (VALUES
        ('followed_devices(bigint[])', 'tickets text[]', 'SELECT * FROM followed_devices(accounts_of(tickets))'),
        ('setup_versions(bigint[])', 'tickets text[]', 'SELECT * FROM setup_versions(accounts_of(tickets))'),
        ('live_devices(smallint[], integer[], bigint[])', 'slots smallint[], devices integer[], tickets text[]',
            'SELECT * FROM live_devices(slots, devices, accounts_of(tickets))'),
        ('live_samples(smallint[], integer[], timestamptz[])',
            'slots smallint[], devices integer[], since timestamptz[], tickets text[]',
            'SELECT s.* FROM live_samples(slots, devices, since) AS s
            WHERE EXISTS (
                SELECT FROM ownership o
                WHERE o.slot = s.slot AND o.device_id = s.device_id AND o.unlinked_at IS NULL
                    AND o.account_id = ANY (accounts_of(tickets))
                    AND o.readings_from <= s.event_time + make_interval(secs => clock_lag(s.slot, s.device_id)))
            ORDER BY s.slot, s.device_id, s.event_time DESC')
    ) AS v (former, arguments, body)
    LOOP
        EXECUTE format(
            'CREATE FUNCTION %s(%s) RETURNS %s LANGUAGE sql STABLE SECURITY DEFINER
            SET search_path = pg_catalog, public, pg_temp AS %L',
            split_part(one.former, '(', 1), one.arguments, pg_get_function_result(one.former::regprocedure), one.body);
    END LOOP;
END
$$;

-- What they were told lately, newest first, with what tells whether its times are those of a slow clock, and whether it tells of an end.
CREATE FUNCTION live_alerts(tickets text[], since timestamptz) RETURNS TABLE (
    account_id bigint, slot smallint, device_id integer, alert_id bigint, uid uuid, hardware_id text, parameter smallint, kind text,
    purpose text, ended boolean, side text, value real, limit_value real, state text, event_time timestamptz, received_at timestamptz,
    decided_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT f.account_id, f.slot, a.device_id, f.alert_id, f.uid, f.hardware_id, f.parameter, f.kind, f.purpose, a.ended, f.side, f.value,
        f.limit_value, f.state, f.event_time, a.received_at, f.decided_at
    FROM live_alerts(accounts_of(tickets), since) AS f JOIN alert a ON a.slot = f.slot AND a.alert_id = f.alert_id
    ORDER BY f.account_id, f.decided_at DESC
$$;

-- Names as they can be given from now on: without controls, directions of writing and marks without width.
UPDATE ownership SET name = coalesce(NULLIF(btrim(regexp_replace(name, hidden, '', 'g')), ''), '?')
FROM (VALUES ('[\u0001-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]')) AS v (hidden)
WHERE name ~ hidden;

-- Says for a while that a Gateway listens to devices of some slots, and forgets those who have not said so lately.
CREATE FUNCTION follow_slots(as_follower uuid, which bigint, lasting interval) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := 256; -- Gateways: each commit of readings looks at all
    until CONSTANT timestamptz := now() + least(lasting, interval '5 minutes');
BEGIN
    DELETE FROM live_follower WHERE expires_at < now() - interval '1 minute' AND follower <> as_follower;
    IF most <= (SELECT count(*) FROM live_follower WHERE follower <> as_follower) THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded', MESSAGE = 'too many Gateways listen';
    END IF;
    INSERT INTO live_follower (follower, slots, expires_at) VALUES (as_follower, which, until)
    ON CONFLICT (follower) DO UPDATE SET slots = excluded.slots, expires_at = excluded.expires_at;
END
$$;

-- Says that a Gateway listens no more.
CREATE FUNCTION unfollow_slots(as_follower uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    DELETE FROM live_follower WHERE follower = as_follower
$$;

-- Deletes ended snoozes of a person's device, all but the last 200: they only explain decisions that have been made. The right to
-- delete from a table that engines read would be the right to lock them out of it.
CREATE FUNCTION forget_snoozes(of_slot smallint, of_device integer, person bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    DELETE FROM snooze WHERE account_id = person AND slot = of_slot AND device_id = of_device AND ended_at IS NOT NULL
        AND snooze_id < (
            SELECT snooze_id FROM snooze WHERE account_id = person AND slot = of_slot AND device_id = of_device
            ORDER BY snooze_id DESC OFFSET 200 LIMIT 1);
END
$$;

-- Ends transactions of the Gateway's role that hold up services, whatever time-outs that role has set for itself: for ten seconds
-- what another service waits for, for a minute rows that others pass over, or for five minutes what retention has to drop. Returns
-- how many; NULL where the owner may not, for no superuser has made it a member of that role.
CREATE FUNCTION end_holders() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT pg_has_role(current_user, 'aqua_gateway', 'USAGE') THEN
        RETURN NULL;
    END IF;
    RETURN (
        SELECT count(*) FILTER (WHERE pg_terminate_backend(a.pid)) FROM pg_stat_activity a
        WHERE a.datname = current_database() AND a.usename = 'aqua_gateway' AND (
            a.xact_start < clock_timestamp() - interval '5 minutes'
            -- it has locked or written rows
            OR a.backend_xid IS NOT NULL AND a.xact_start < clock_timestamp() - interval '1 minute'
            OR a.pid IN (
                SELECT unnest(pg_blocking_pids(l.pid)) FROM pg_locks l JOIN pg_stat_activity w ON w.pid = l.pid
                WHERE NOT l.granted AND l.waitstart < clock_timestamp() - interval '10 s'
                    AND w.usename IN ('aqua_ingestor', 'aqua_rules', 'aqua_notifier'))));
END
$$;

REVOKE ALL ON FUNCTION seal_of(text), name_person(bigint), current_account(), find_password_salt(text), check_password(bigint, text),
    refresh_session(bytea, bytea, bytea, text, text, uuid), live_ticket(), accounts_of(text[]), followed_devices(text[]),
    setup_versions(text[]), live_alerts(text[], timestamptz),
    live_devices(smallint[], integer[], text[]), live_samples(smallint[], integer[], timestamptz[], text[]),
    follow_slots(uuid, bigint, interval), unfollow_slots(uuid), forget_snoozes(smallint, integer, bigint), end_holders()
    FROM PUBLIC;

GRANT EXECUTE ON FUNCTION current_account(), find_password_salt(text), check_password(bigint, text),
    refresh_session(bytea, bytea, bytea, text, text, uuid), live_ticket(),
    followed_devices(text[]), setup_versions(text[]), live_alerts(text[], timestamptz),
    live_devices(smallint[], integer[], text[]), live_samples(smallint[], integer[], timestamptz[], text[]),
    follow_slots(uuid, bigint, interval), unfollow_slots(uuid), forget_snoozes(smallint, integer, bigint) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION end_holders() TO aqua_rules;

-- What no version uses. Where somebody's water is, a Notifier need not know.
REVOKE SELECT ON ownership FROM aqua_notifier;
GRANT SELECT (slot, device_id, account_id, name, linked_at, unlinked_at) ON ownership TO aqua_notifier;
REVOKE UPDATE (retired_at, retired_because) ON endpoint FROM aqua_notifier;
REVOKE SELECT (account_id, retired_at) ON endpoint FROM aqua_rules;
REVOKE SELECT (account_id) ON usable_endpoint FROM aqua_rules;
REVOKE SELECT (seat) ON ingest_seat FROM aqua_rules;
REVOKE UPDATE (received_at) ON sample FROM aqua_ingestor;
REVOKE SELECT ON device_status, throttle, retention FROM aqua_gateway;
