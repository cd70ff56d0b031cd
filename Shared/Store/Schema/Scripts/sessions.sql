-- How people sign in and out, and for whom a transaction acts.

-- Refuses to do anything for another person than the one who is named. The functions that ask this run with the rights of the
-- schema's owner, who may act for everybody; so may whoever has that role themselves.
CREATE OR REPLACE FUNCTION require_person(person bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF person IS DISTINCT FROM current_account() AND NOT pg_has_role(session_user, current_user, 'USAGE') THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'another person is named';
    END IF;
END
$$;

-- Names a person for the rest of the transaction. Only for functions that have checked a secret of theirs.
CREATE OR REPLACE FUNCTION name_person(person bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT set_config('aqua.account',
        person || ' ' || seal_of(format('account %s %s', person, extract(epoch FROM now()))), true)
$$;

-- Who acts: the person for whom a transaction acts, or the one who acts in it for the project that is named.
CREATE OR REPLACE FUNCTION current_actor() RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    named CONSTANT bigint := current_account();
    actor CONSTANT text[] := string_to_array(current_setting('aqua.actor', true), ' ');
BEGIN
    RETURN CASE WHEN actor[2] = named::text AND actor[3] = seal_of(format('actor %s %s %s', actor[1], actor[2], extract(epoch FROM now())))
        THEN actor[1]::bigint ELSE named END;
END
$$;

-- How others who share a device see a person: never by the address itself.
CREATE OR REPLACE FUNCTION shown_name(chosen text, email text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(chosen, left(split_part(email, '@', 1), 40))
$$;

CREATE OR REPLACE FUNCTION is_live(one session) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT one.ended_at IS NULL AND now() < one.used_at + interval '90 days' AND now() < one.created_at + interval '400 days'
$$;

-- Whether a session's person proved themselves in it lately. A clock that was ahead gives nobody more than a minute.
CREATE OR REPLACE FUNCTION is_fresh(one session) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce(one.proven_at, one.created_at) BETWEEN now() - interval '10 minutes' AND now() + interval '1 minute'
$$;

-- Names the person of a session for the rest of the transaction. No row: the session has ended.
CREATE OR REPLACE FUNCTION enter_session(entered uuid) RETURNS TABLE (account bigint, locale text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT s.account_id, a.locale INTO account, locale
    FROM session s JOIN account a ON a.account_id = s.account_id WHERE s.session_id = entered AND is_live(s);
    IF FOUND THEN
        PERFORM name_person(account);
        RETURN NEXT;
    END IF;
END
$$;

-- Names the person of a personal token for the rest of the transaction, and gives the token's scope. The day of its use is noted where the
-- transaction may write.
CREATE OR REPLACE FUNCTION enter_token(hash bytea) RETURNS TABLE (account bigint, locale text, token uuid, scope text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
    noted date;
BEGIN
    SELECT t.account_id, a.locale, t.token_id, t.scope, t.used_on INTO account, locale, token, scope, noted
    FROM personal_token t JOIN account a ON a.account_id = t.account_id
    WHERE t.token_hash = hash AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR now() < t.expires_at);
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF noted IS DISTINCT FROM today AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE personal_token SET used_on = today WHERE token_id = token;
    END IF;
    PERFORM name_person(account);
    PERFORM set_config('aqua.token', token::text, true);
    RETURN NEXT;
END
$$;

-- Names the session of the person who acts, for the rest of the transaction. True while the password was given in it within the last ten
-- minutes; NULL when the session is not theirs, or has ended.
CREATE OR REPLACE FUNCTION name_session(named uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    is_fresh boolean;
BEGIN
    SELECT is_fresh(s) INTO is_fresh FROM session s WHERE s.session_id = named AND s.account_id = current_actor() AND is_live(s);
    IF FOUND THEN
        PERFORM set_config('aqua.session', named::text, true);
    END IF;
    RETURN is_fresh;
END
$$;

-- Notes that a person gave the password that was checked against the given hash; false when they have another by now, or the session
-- has ended.
CREATE OR REPLACE FUNCTION prove_session(person bigint, proven uuid, checked_hash text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE session s SET proven_at = now() FROM account a
    WHERE a.account_id = person AND a.password_hash = checked_hash
        AND s.session_id = proven AND s.account_id = person AND is_live(s);
    RETURN FOUND;
END
$$;

-- The installation that a session is on, NULL where it named none; no row when the session has ended. Until the transaction ends,
-- the session does not: whoever signs out waits, and then pauses what was registered on the installation.
CREATE OR REPLACE FUNCTION hold_session(person bigint, held uuid) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    RETURN QUERY SELECT s.client_id FROM session s
        WHERE s.session_id = held AND s.account_id = person AND is_live(s)
        FOR SHARE;
END
$$;

-- Which sessions and personal tokens still hold.
CREATE OR REPLACE FUNCTION living_sessions(sessions uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT s.session_id FROM session s WHERE s.session_id = ANY (sessions) AND is_live(s)
$$;

CREATE OR REPLACE FUNCTION living_tokens(hashes bytea[]) RETURNS SETOF bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.token_hash FROM personal_token t
    WHERE t.token_hash = ANY (hashes) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR now() < t.expires_at)
$$;

-- What tells that whoever signs in to the account of an address was there before: 'client' by the client's number, 'network' by where
-- they ask from; NULL for a stranger. Sessions that a thief may have had do not count.
CREATE OR REPLACE FUNCTION find_familiarity(of_address text, of_client_id uuid, from_address text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN bool_or(s.client_id = of_client_id) THEN 'client' WHEN bool_or(s.address = from_address) THEN 'network' END
    FROM account a JOIN session s ON s.account_id = a.account_id
    WHERE a.email = of_address AND coalesce(s.ended_because, '') NOT IN ('reused', 'endedByOperator')
$$;

-- The account of an address (in lower case), and what a password's hash begins with: the costs and the salt, by which the Gateway
-- derives the rest from the password. No row: there is none, or it has no password.
CREATE OR REPLACE FUNCTION find_password_salt(address text) RETURNS TABLE (account bigint, salt text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.account_id, regexp_replace(a.password_hash, '[^$]*$', '') FROM account a
    WHERE a.email = address AND a.password_hash IS NOT NULL
$$;

-- Whether a hash that was derived from a password is the one that a person has.
CREATE OR REPLACE FUNCTION check_password(person bigint, derived_hash text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM account a WHERE a.account_id = person AND a.password_hash = derived_hash)
$$;

-- Whether an invitation to open an account can be used: 'open', 'used', 'expired'; no row where there is none.
CREATE OR REPLACE FUNCTION look_at_account_invitation(token bytea) RETURNS TABLE (state text, email text, expires_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END,
        i.email, i.expires_at
    FROM account_invitation i WHERE i.token_hash = token
$$;

-- Opens an account, by an invitation where one is given. The outcome:
--   opened; taken: the address has an account. Its invitation counts as used all the same: one that stayed good would tell whoever
--     holds it which addresses have accounts, as many as they like;
--   refused: no such invitation, or it was used, has expired, or is for another address
CREATE OR REPLACE FUNCTION open_account(
    address text, hash text, language text, zone text, invitation bytea, OUT outcome text, OUT account bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF invitation IS NOT NULL THEN
        PERFORM FROM account_invitation i
        WHERE i.token_hash = invitation AND i.used_at IS NULL AND i.expires_at > now()
            AND (i.email IS NULL OR i.email = address)
        FOR UPDATE;
        IF NOT FOUND THEN
            outcome := 'refused';
            RETURN;
        END IF;
    END IF;
    INSERT INTO account (email, password_hash, locale, time_zone) VALUES (address, hash, language, zone)
    ON CONFLICT (email) DO NOTHING RETURNING account_id INTO account;
    outcome := CASE WHEN account IS NULL THEN 'taken' ELSE 'opened' END;
    UPDATE account_invitation i SET used_at = greatest(now(), i.created_at), used_by = account WHERE i.token_hash = invitation;
END
$$;

-- Begins a session of a person whose account is locked, and names them for the rest of the transaction. Where they signed in on the same
-- client before, the former session ends, and the endpoints of the client are resumed.
CREATE OR REPLACE FUNCTION begin_session(person bigint, on_client_id uuid, on_client text, from_address text, token bytea) RETURNS uuid
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := 50; -- sessions of a person at once
    opened uuid;
BEGIN
    IF clock_is_trusted() THEN
        DELETE FROM session s WHERE s.account_id = person
            AND (s.ended_at < now() - interval '30 days' OR s.used_at < now() - interval '120 days');
    END IF;
    PERFORM end_sessions_of(person, ARRAY(
        SELECT session_id FROM session s WHERE s.account_id = person AND s.ended_at IS NULL AND s.client_id = on_client_id
        UNION
        (SELECT session_id FROM session s WHERE s.account_id = person AND s.ended_at IS NULL
            ORDER BY s.used_at DESC OFFSET most - 1)), 'replaced');
    INSERT INTO session (account_id, client_id, client, address) VALUES (person, on_client_id, on_client, from_address)
    RETURNING session_id INTO opened;
    INSERT INTO refresh_token (token_hash, session_id, account_id) VALUES (token, opened, person);
    UPDATE endpoint SET paused_at = NULL
    WHERE account_id = person AND client_id = on_client_id AND paused_at IS NOT NULL;
    PERFORM tell_sign_in(person, opened);
    PERFORM name_person(person);
    RETURN opened;
END
$$;

-- Opens a session for a person whose password was checked against the given hash; NULL when it has another by now.
CREATE OR REPLACE FUNCTION open_session(
    person bigint, checked_hash text, on_client_id uuid, on_client text, from_address text, token bytea
) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM account a WHERE a.account_id = person AND a.password_hash = checked_hash FOR NO KEY UPDATE;
    RETURN CASE WHEN FOUND THEN begin_session(person, on_client_id, on_client, from_address, token) END;
END
$$;

-- Renews a session by its refresh token, which the successor replaces. The outcome:
--   renewed
--   repeated: the same client used it in the last ten seconds, and gets the same successor, sealed
--   reused: it was used before by whomever, so the session has ended; the caller commits this
--   unknown: there is none, or its session has ended
-- Names the person for the rest of the transaction where the session is renewed or repeated. The same client is known by its number; where it
-- tells none, by its name and from the same network: a name can be seen and imitated, and networks are shared.
CREATE OR REPLACE FUNCTION refresh_session(
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
    renewed := one.session_id;
    account := one.account_id;
    IF used IS NOT NULL THEN
        PERFORM end_sessions_of(account, ARRAY[renewed], 'reused');
        outcome := 'reused';
        RETURN;
    END IF;
    UPDATE refresh_token t SET used_at = now(), sealed_successor = sealed WHERE t.token_hash = token;
    -- A token that comes back later than this is unknown, and so of no use either.
    DELETE FROM refresh_token t WHERE t.session_id = renewed AND t.used_at < now() - interval '30 days';
    INSERT INTO refresh_token (token_hash, session_id, account_id) VALUES (successor, renewed, account);
    UPDATE session SET used_at = now(), client = by_client, address = from_address WHERE session_id = renewed;
    sealed_successor := sealed;
    outcome := 'renewed';
    PERFORM name_person(account);
END
$$;

-- Ends sessions. Their clients' endpoints are paused when a person wanted it so, and nobody is signed in there any more; where
-- a stolen token was noticed they stay, for an alarm must not fall silent by it. Returns how many ended.
CREATE OR REPLACE FUNCTION end_sessions_of(person bigint, chosen uuid[], because text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    clients uuid[];
    paused bigint[];
    ended integer;
BEGIN
    WITH live AS (
        SELECT session_id FROM session s WHERE account_id = person AND session_id = ANY (chosen) AND ended_at IS NULL
        ORDER BY session_id
        FOR UPDATE
    ), done AS (
        UPDATE session s SET ended_at = greatest(now(), s.created_at), ended_because = because
        FROM live WHERE s.session_id = live.session_id
        RETURNING s.client_id
    )
    SELECT count(*), array_agg(client_id) INTO ended, clients FROM done;
    IF because IN ('signedOut', 'passwordChanged') THEN
        WITH quiet AS (
            UPDATE endpoint e SET paused_at = now()
            WHERE e.account_id = person AND e.client_id = ANY (clients) AND e.paused_at IS NULL AND NOT EXISTS (
                SELECT FROM session s
                WHERE s.account_id = person AND s.client_id = e.client_id AND s.ended_at IS NULL AND is_live(s))
            RETURNING e.endpoint_id
        )
        SELECT array_agg(endpoint_id) INTO paused FROM quiet;
        IF paused IS NOT NULL THEN
            -- They come due, so that a notifier ends them unsent.
            UPDATE delivery d SET next_attempt_at = now()
            WHERE d.endpoint_id = ANY (paused) AND d.state = 'pending' AND d.holder IS NULL;
            PERFORM pg_notify('alert', '');
        END IF;
    END IF;
    RETURN ended;
END
$$;

-- Ends one session of a person, or all, or all but one. Returns how many ended.
CREATE OR REPLACE FUNCTION end_sessions(person bigint, only_session uuid, but_session uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    RETURN end_sessions_of(person, ARRAY(
        SELECT session_id FROM session
        WHERE account_id = person AND ended_at IS NULL AND (only_session IS NULL OR session_id = only_session)
            AND session_id IS DISTINCT FROM but_session), 'signedOut');
END
$$;

-- Ends the session that a refresh token belongs to, whether or not it was used: whoever signs out has perhaps no other token that
-- is still valid. Returns how many ended.
CREATE OR REPLACE FUNCTION end_session_of_token(token bytea) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT end_sessions_of(t.account_id, ARRAY[t.session_id], 'signedOut') FROM refresh_token t WHERE t.token_hash = token
$$;

-- Gives a person another password in place of the one that was checked, NULL for none; false when they have another by now. Their other
-- sessions end, and none is given where an operator does it.
CREATE OR REPLACE FUNCTION replace_password(person bigint, checked_hash text, next_hash text, but_session uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE account SET password_hash = next_hash
    WHERE account_id = person AND password_hash IS NOT DISTINCT FROM checked_hash;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM end_sessions_of(person, ARRAY(
        SELECT session_id FROM session
        WHERE account_id = person AND ended_at IS NULL AND session_id IS DISTINCT FROM but_session), 'passwordChanged');
    RETURN true;
END
$$;

-- Stores the same password by another hash; false when the person has another password by now.
CREATE OR REPLACE FUNCTION rehash_password(person bigint, checked_hash text, next_hash text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE account SET password_hash = next_hash WHERE account_id = person AND password_hash = checked_hash;
    RETURN FOUND;
END
$$;

-- A time zone if this server knows it, else UTC: a person is not left without alerts because a zone was renamed.
CREATE OR REPLACE FUNCTION usable_time_zone(zone text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM now() AT TIME ZONE zone;
    RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'UTC';
END
$$;

CREATE OR REPLACE FUNCTION refuse_unknown_time_zone() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM now() AT TIME ZONE NEW.time_zone;
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION keep_former_throttle() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    first integer := greatest(1, cardinality(OLD.throttle_ends) - 18);
BEGIN
    NEW.throttle_ends := OLD.throttle_ends[first:] || now();
    NEW.throttle_was := OLD.throttle_was[first:] || OLD.throttle_seconds;
    RETURN NEW;
END
$$;

-- Ends transactions of the Gateway's role that hold up services, whatever time-outs that role has set for itself: for ten seconds
-- what another service waits for, for a minute rows that others pass over, or for five minutes what retention has to drop. Returns
-- how many; NULL where the owner may not, for no superuser has made it a member of that role.
CREATE OR REPLACE FUNCTION end_holders() RETURNS integer
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

REVOKE ALL ON FUNCTION
    name_person(bigint), current_actor(), shown_name(text, text), enter_session(uuid), enter_token(bytea), name_session(uuid),
    prove_session(bigint, uuid, text), hold_session(bigint, uuid), living_sessions(uuid[]), living_tokens(bytea[]), find_familiarity(text, uuid, text),
    find_password_salt(text), check_password(bigint, text), look_at_account_invitation(bytea),
    open_account(text, text, text, text, bytea), begin_session(bigint, uuid, text, text, bytea),
    open_session(bigint, text, uuid, text, text, bytea), refresh_session(bytea, bytea, bytea, text, text, uuid), end_sessions_of(bigint, uuid[], text), end_sessions(bigint, uuid, uuid),
    end_session_of_token(bytea), replace_password(bigint, text, text, uuid), rehash_password(bigint, text, text),
    keep_former_throttle(), end_holders() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    current_actor(), shown_name(text, text), enter_session(uuid), enter_token(bytea), name_session(uuid), prove_session(bigint, uuid, text), hold_session(bigint, uuid),
    living_sessions(uuid[]), living_tokens(bytea[]), find_familiarity(text, uuid, text), find_password_salt(text),
    check_password(bigint, text), look_at_account_invitation(bytea), open_account(text, text, text, text, bytea),
    open_session(bigint, text, uuid, text, text, bytea), refresh_session(bytea, bytea, bytea, text, text, uuid),
    end_sessions(bigint, uuid, uuid), end_session_of_token(bytea), replace_password(bigint, text, text, uuid),
    rehash_password(bigint, text, text) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION end_holders() TO aqua_rules;
