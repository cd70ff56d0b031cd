-- People's side: the Gateway's role, sessions and tokens, and row-level security on everything that holds people's data.
--
-- aqua_gateway acts for one person at a time, whom enter_session or enter_token names for the rest of the transaction. Policies
-- show it that person's rows and no others, so that a forgotten clause shows nothing. What reaches further (a password's hash, a
-- device that nobody owns, a target that somebody else has) is asked of functions, which answer no more than is needed.

DO $$
BEGIN
    IF to_regrole('aqua_gateway') IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE =
            'the role aqua_gateway is missing; deploy/containers/roles makes it, or as a superuser run: '
            'CREATE ROLE aqua_gateway LOGIN;';
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO aqua_gateway', current_database());
END
$$;

-- Engines take their slot before anything else, and notifiers their alerts.
LOCK TABLE slot, alert, account, ownership, device, setting, episode, transition, throttle, delivery, delivery_attempt, endpoint,
    endpoint_retirement, device_status, device_invitation IN ACCESS EXCLUSIVE MODE;

-- Settings that are the account's own. The version tells two screens that edit them apart.
ALTER TABLE account
    ADD COLUMN colour_scheme text NOT NULL DEFAULT 'system' CHECK (colour_scheme IN ('system', 'light', 'dark')),
    ADD COLUMN settings_version integer NOT NULL DEFAULT 1;

-- Where the person says that the device is, and since when its readings are theirs: an owner's since the owner before, who may
-- have unlinked it long ago; a watcher's since they joined.
ALTER TABLE ownership
    ADD COLUMN latitude double precision CHECK (latitude BETWEEN -90 AND 90),
    ADD COLUMN longitude double precision CHECK (longitude BETWEEN -180 AND 180),
    ADD COLUMN version integer NOT NULL DEFAULT 1,
    ADD COLUMN readings_from timestamptz NOT NULL DEFAULT '-infinity',
    ADD CONSTRAINT ownership_place_is_whole CHECK ((latitude IS NULL) = (longitude IS NULL));

CREATE FUNCTION start_of_readings(of_slot smallint, of_device integer, as_role text, linked timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN as_role = 'watcher' THEN linked ELSE coalesce(
        (SELECT max(unlinked_at) FROM ownership
        WHERE slot = of_slot AND device_id = of_device AND role = 'owner' AND unlinked_at <= linked), '-infinity') END
$$;

CREATE FUNCTION ownership_knows_its_readings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.readings_from := start_of_readings(NEW.slot, NEW.device_id, NEW.role, NEW.linked_at);
    RETURN NEW;
END
$$;

ALTER TABLE ownership DISABLE TRIGGER ownership_changes_rules;
UPDATE ownership SET readings_from = start_of_readings(slot, device_id, role, linked_at) WHERE true;
ALTER TABLE ownership ENABLE ALWAYS TRIGGER ownership_changes_rules;
CREATE TRIGGER ownership_has_readings BEFORE INSERT ON ownership
    FOR EACH ROW EXECUTE FUNCTION ownership_knows_its_readings();

-- The person's installation of an application, by a random number that it keeps and tells when they sign in. Signing out pauses
-- the endpoints that were registered there, and signing in there again resumes them.
ALTER TABLE endpoint ADD COLUMN client_id uuid, ADD COLUMN paused_at timestamptz;
CREATE INDEX endpoint_of_client ON endpoint (account_id, client_id) WHERE client_id IS NOT NULL;

-- By rights and policies of whoever asks: the Gateway sees its person's endpoints only.
CREATE OR REPLACE VIEW usable_endpoint WITH (security_invoker = true) AS
    SELECT e.* FROM endpoint e
    WHERE e.retired_at IS NULL AND e.paused_at IS NULL
        -- in a form that is looked up for each endpoint, however many the planner expects
        AND (SELECT count(*) FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration) = 0;

GRANT SELECT (readings_from) ON ownership TO aqua_rules;

-- Who can be told of anything: those of usable endpoints. For engines, who may read no targets and no secrets: the view above asks
-- for the right to all columns, also where it is read through another view.
CREATE VIEW reachable_account AS
    SELECT e.account_id FROM endpoint e
    WHERE e.retired_at IS NULL AND e.paused_at IS NULL
        AND (SELECT count(*) FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration) = 0;
GRANT SELECT ON reachable_account TO aqua_rules;

-- A person's stay on one client, from signing in to signing out. It ends by itself 90 days after its last use, 400 days after
-- its start.
--   live --(the person ends it)--> ended: signedOut      live --(another password)--> ended: passwordChanged
--   live --(a refresh token returns that was used)--> ended: reused
--   live --(the person signs in on the same client, or on too many)--> ended: replaced
CREATE TABLE session (
    session_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account,
    client_id uuid,
    client text NOT NULL CHECK (length(client) <= 120), -- how it calls itself
    address text NOT NULL CHECK (length(address) <= 64), -- the network that it was last used from
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now(), -- to within the ten minutes that an access token lasts
    ended_at timestamptz,
    ended_because text CHECK (ended_because IN ('signedOut', 'passwordChanged', 'reused', 'replaced')),
    CHECK ((ended_at IS NULL) = (ended_because IS NULL))
);

CREATE INDEX session_of_account ON session (account_id, created_at);

CREATE FUNCTION is_live(one session) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT one.ended_at IS NULL AND now() < one.used_at + interval '90 days' AND now() < one.created_at + interval '400 days'
$$;

-- Each renews its session once. What was used names its successor, sealed with the token itself, for a client that repeats its
-- request because the answer was lost.
CREATE TABLE refresh_token (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
    account_id bigint NOT NULL REFERENCES account,
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz,
    sealed_successor bytea,
    CHECK ((used_at IS NULL) = (sealed_successor IS NULL))
);

CREATE INDEX refresh_token_of_session ON refresh_token (session_id, used_at);
CREATE INDEX refresh_token_of_account ON refresh_token (account_id);

-- With it a program acts for a person.
CREATE TABLE personal_token (
    token_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    account_id bigint NOT NULL REFERENCES account,
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    scope text NOT NULL CHECK (scope IN ('read', 'write')),
    last_four text NOT NULL CHECK (length(last_four) = 4),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz CHECK (expires_at > created_at), -- NULL: never
    used_on date, -- UTC
    revoked_at timestamptz
);

CREATE INDEX personal_token_of_account ON personal_token (account_id, created_at);

-- An operator's invitation to open an account.
CREATE TABLE account_invitation (
    invitation_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    email text CHECK (email = lower(email) AND length(email) <= 254), -- for this address alone; NULL: for anybody
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    used_at timestamptz,
    used_by bigint REFERENCES account ON DELETE SET NULL,
    CHECK (used_by IS NULL OR used_at IS NOT NULL)
);

CREATE INDEX account_invitation_used_by ON account_invitation (used_by) WHERE used_by IS NOT NULL;

-- What a request to create something was answered, so that a repetition gets the same answer and creates nothing.
CREATE TABLE idempotency_key (
    account_id bigint NOT NULL REFERENCES account,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
    fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32), -- of the request
    created_at timestamptz NOT NULL DEFAULT now(),
    status smallint, -- NULL: it still runs
    sealed_answer bytea,
    PRIMARY KEY (account_id, key),
    CHECK (status IS NOT NULL OR sealed_answer IS NULL)
);

CREATE INDEX idempotency_key_age ON idempotency_key (account_id, created_at);

-- Rows of people, for the person who is named. The services work for all.
DO $$
DECLARE
    held text;
BEGIN
    FOREACH held IN ARRAY ARRAY['account', 'ownership', 'setting', 'episode', 'transition', 'throttle', 'alert', 'delivery',
        'delivery_attempt', 'endpoint', 'endpoint_retirement', 'device', 'device_status', 'device_invitation', 'session',
        'refresh_token', 'personal_token', 'account_invitation', 'idempotency_key']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', held);
    END LOOP;
    FOREACH held IN ARRAY ARRAY['account', 'ownership', 'setting', 'episode', 'transition', 'throttle', 'alert', 'delivery',
        'delivery_attempt', 'endpoint', 'endpoint_retirement', 'device', 'device_status']
    LOOP
        EXECUTE format('CREATE POLICY services ON %I TO aqua_ingestor, aqua_rules, aqua_notifier USING (true)', held);
    END LOOP;
    FOREACH held IN ARRAY ARRAY['account', 'ownership', 'setting', 'episode', 'throttle', 'alert', 'delivery', 'endpoint',
        'device_invitation', 'session', 'personal_token', 'idempotency_key']
    LOOP
        EXECUTE format(
            'CREATE POLICY person ON %I TO aqua_gateway USING (account_id = (SELECT current_account()))', held);
    END LOOP;
END
$$;

CREATE POLICY person ON transition TO aqua_gateway USING (EXISTS (
    SELECT FROM episode e WHERE e.slot = transition.slot AND e.episode_id = transition.episode_id
        AND e.account_id = (SELECT current_account())));
CREATE POLICY person ON delivery_attempt TO aqua_gateway USING (EXISTS (
    SELECT FROM delivery d WHERE d.slot = delivery_attempt.slot AND d.alert_id = delivery_attempt.alert_id
        AND d.endpoint_id = delivery_attempt.endpoint_id AND d.account_id = (SELECT current_account())));
CREATE POLICY person ON endpoint_retirement TO aqua_gateway USING (EXISTS (
    SELECT FROM endpoint e WHERE e.endpoint_id = endpoint_retirement.endpoint_id
        AND e.account_id = (SELECT current_account())));
CREATE POLICY person ON device TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = device.slot AND o.device_id = device.device_id
        AND o.account_id = (SELECT current_account())));
CREATE POLICY person ON device_status TO aqua_gateway USING (EXISTS (
    SELECT FROM ownership o WHERE o.slot = device_status.slot AND o.device_id = device_status.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));

-- Limits are those of a device that the person has, invitations are of a device that they own, and only a test can be withdrawn.
CREATE POLICY has_device ON setting AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = setting.slot AND o.device_id = setting.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL));
CREATE POLICY owns_device ON device_invitation AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK (EXISTS (
    SELECT FROM ownership o WHERE o.slot = device_invitation.slot AND o.device_id = device_invitation.device_id
        AND o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL AND o.role = 'owner'));
CREATE POLICY only_tests_change ON alert AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING (kind = 'test');

-- A device's rules change by whoever changes a row that they are made of.
ALTER FUNCTION rules_changed_by_row() SECURITY DEFINER;
ALTER FUNCTION rules_changed_by_account() SECURITY DEFINER;
REVOKE ALL ON FUNCTION rules_changed_by_row(), rules_changed_by_account() FROM PUBLIC;

GRANT SELECT ON schema_migration, clock_watch, retention, rollup_progress TO aqua_gateway;
GRANT SELECT (account_id, email, locale, time_zone, throttle_seconds, colour_scheme, settings_version, created_at)
    ON account TO aqua_gateway;
GRANT UPDATE (locale, time_zone, throttle_seconds, colour_scheme, settings_version) ON account TO aqua_gateway;
GRANT SELECT (slot, device_id, hardware_id) ON device TO aqua_gateway;
GRANT SELECT ON device_status, ownership, setting, episode, transition, throttle, alert, delivery, delivery_attempt, endpoint,
    endpoint_retirement, usable_endpoint, session TO aqua_gateway;
GRANT UPDATE (name, latitude, longitude, version) ON ownership TO aqua_gateway;
GRANT INSERT ON setting TO aqua_gateway;
GRANT UPDATE (valid_until) ON setting TO aqua_gateway;
GRANT UPDATE (state) ON alert TO aqua_gateway;
GRANT UPDATE (next_attempt_at) ON delivery TO aqua_gateway;
GRANT UPDATE (sealed_secret, former_secret, former_until, retired_at, retired_because) ON endpoint TO aqua_gateway;
GRANT UPDATE (sealed_secret) ON usable_endpoint TO aqua_gateway; -- to lock them
GRANT SELECT (token_id, account_id, name, scope, last_four, created_at, expires_at, used_on, revoked_at)
    ON personal_token TO aqua_gateway;
GRANT INSERT, UPDATE (revoked_at), DELETE ON personal_token TO aqua_gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON device_invitation, idempotency_key TO aqua_gateway;

-- The devices that a person has or had, with what they are told of them.
CREATE VIEW person_device AS
    SELECT o.slot, o.device_id, d.hardware_id, o.ownership_id, o.role, o.name, o.latitude, o.longitude, o.version,
        o.linked_at, o.unlinked_at, o.readings_from,
        CASE WHEN o.unlinked_at IS NULL THEN u.online END AS online,
        CASE WHEN o.unlinked_at IS NULL THEN u.changed_at END AS status_changed_at
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    LEFT JOIN device_status u ON u.slot = o.slot AND u.device_id = o.device_id
    WHERE o.account_id = (SELECT current_account());

-- Who watches the devices that a person owns.
CREATE VIEW person_watcher AS
    SELECT w.slot, w.device_id, w.ownership_id, w.account_id, w.linked_at, a.email
    FROM ownership o
    JOIN ownership w ON w.slot = o.slot AND w.device_id = o.device_id AND w.role = 'watcher' AND w.unlinked_at IS NULL
    JOIN account a ON a.account_id = w.account_id
    WHERE o.account_id = (SELECT current_account()) AND o.role = 'owner' AND o.unlinked_at IS NULL;

-- The readings of a person's devices while they had them. Samples have no policies: they are copied in, which PostgreSQL refuses
-- under a policy, and partitions do not inherit any. Roll-ups count where all of the hour or the day is the person's.
--
-- The views are no security barriers: behind one, the rows of a device lose their order, and its last reading costs a sort of all
-- of them. A barrier would keep out only who sends statements of their own, and who does that can name any person.
CREATE VIEW person_sample AS
    SELECT s.* FROM ownership o
    JOIN sample s ON s.slot = o.slot AND s.device_id = o.device_id AND s.event_time >= o.readings_from
        AND s.event_time < coalesce(o.unlinked_at, 'infinity')
    WHERE o.account_id = (SELECT current_account());

CREATE VIEW person_sample_hour AS
    SELECT h.* FROM ownership o
    JOIN sample_hour h ON h.slot = o.slot AND h.device_id = o.device_id AND h.starts_at >= o.readings_from
        AND h.starts_at <= coalesce(o.unlinked_at - interval '1 hour', 'infinity')
    WHERE o.account_id = (SELECT current_account());

CREATE VIEW person_sample_day AS
    SELECT d.* FROM ownership o
    JOIN sample_day d ON d.slot = o.slot AND d.device_id = o.device_id AND d.starts_at >= o.readings_from
        AND d.starts_at <= coalesce(o.unlinked_at - interval '24 hours', 'infinity')
    WHERE o.account_id = (SELECT current_account());

-- The hours of a person's devices that wait to be rolled up again.
CREATE VIEW person_rollup_due AS
    SELECT o.slot, o.device_id, r.hour FROM ownership o
    JOIN rollup_due r ON r.slot = o.slot AND (r.device_id = o.device_id OR r.device_id IS NULL)
        AND r.hour >= o.readings_from AND r.hour < coalesce(o.unlinked_at, 'infinity')
    WHERE o.account_id = (SELECT current_account());

-- When a device that the person has was last heard while it was theirs, whatever is stored of a time to come. Through the view
-- all of a person's readings would be sorted.
CREATE FUNCTION last_reading(of_slot smallint, of_device integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    since timestamptz;
BEGIN
    SELECT o.readings_from INTO since FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL;
    RETURN (SELECT s.event_time FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device AND s.event_time >= since
            AND s.event_time <= now() + interval '6 minutes'
        ORDER BY s.event_time DESC LIMIT 1);
END
$$;

REVOKE ALL ON FUNCTION last_reading(smallint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION last_reading(smallint, integer) TO aqua_gateway;

GRANT SELECT ON person_device, person_watcher, person_sample, person_sample_hour, person_sample_day, person_rollup_due
    TO aqua_gateway;

-- Names the person of a session for the rest of the transaction. No row: the session has ended.
CREATE FUNCTION enter_session(entered uuid) RETURNS TABLE (account bigint, locale text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT s.account_id, a.locale INTO account, locale
    FROM session s JOIN account a ON a.account_id = s.account_id WHERE s.session_id = entered AND is_live(s);
    IF FOUND THEN
        PERFORM set_config('aqua.account', account::text, true);
        RETURN NEXT;
    END IF;
END
$$;

-- Likewise of a personal token, which gives its scope. The day of its use is noted where the transaction may write.
CREATE FUNCTION enter_token(hash bytea) RETURNS TABLE (account bigint, locale text, token uuid, scope text)
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
    PERFORM set_config('aqua.account', account::text, true);
    RETURN NEXT;
END
$$;

-- The account of an address (in lower case), and the hash to check a password with. No row: there is none.
CREATE FUNCTION find_credentials(address text) RETURNS TABLE (account bigint, password_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.account_id, a.password_hash FROM account a WHERE a.email = address
$$;

-- What tells that whoever signs in to the account of an address was there before: 'client' by the client's number, 'network' by where
-- they ask from; NULL for a stranger. Sessions that a thief may have had do not count.
CREATE FUNCTION find_familiarity(of_address text, of_client_id uuid, from_address text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN bool_or(s.client_id = of_client_id) THEN 'client' WHEN bool_or(s.address = from_address) THEN 'network' END
    FROM account a JOIN session s ON s.account_id = a.account_id
    WHERE a.email = of_address AND s.ended_because IS DISTINCT FROM 'reused'
$$;

-- Whether an invitation to open an account can be used: 'open', 'used', 'expired'; no row where there is none.
CREATE FUNCTION look_at_account_invitation(token bytea) RETURNS TABLE (state text, email text, expires_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END,
        i.email, i.expires_at
    FROM account_invitation i WHERE i.token_hash = token
$$;

-- Opens an account, by an invitation where one is given. The outcome:
--   opened; taken: the address has an account. Its invitation counts as used all the same: one that stayed good would tell whoever
--     holds it which addresses have accounts, as many as they like;
--   refused: no such invitation, or it was used, has expired, or is for another address
CREATE FUNCTION open_account(
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

-- Ends sessions. Their clients' endpoints are paused when a person wanted it so, and nobody is signed in there any more; where
-- a stolen token was noticed they stay, for an alarm must not fall silent by it. Returns how many ended.
CREATE FUNCTION end_sessions_of(person bigint, chosen uuid[], because text) RETURNS integer
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
CREATE FUNCTION end_sessions(person bigint, only_session uuid, but_session uuid) RETURNS integer
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
CREATE FUNCTION end_session_of_token(token bytea) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT end_sessions_of(t.account_id, ARRAY[t.session_id], 'signedOut') FROM refresh_token t WHERE t.token_hash = token
$$;

-- Opens a session for a person whose password was checked against the given hash; NULL when it has another by now. Names them for
-- the rest of the transaction. Where they signed in on the same client before, the former session ends, and the endpoints of the
-- client are resumed.
CREATE FUNCTION open_session(
    person bigint, checked_hash text, on_client_id uuid, on_client text, from_address text, token bytea
) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := 50; -- sessions of a person at once
    opened uuid;
BEGIN
    PERFORM FROM account a WHERE a.account_id = person AND a.password_hash = checked_hash FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
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
    PERFORM set_config('aqua.account', person::text, true);
    RETURN opened;
END
$$;

-- Renews a session by its refresh token, which the successor replaces. The outcome:
--   renewed
--   repeated: the same client used it in the last ten seconds, and gets the same successor, sealed
--   reused: it was used before by whomever, so the session has ended; the caller commits this
--   unknown: there is none, or its session has ended
-- Names the person for the rest of the transaction where the session is renewed or repeated.
CREATE FUNCTION refresh_session(
    token bytea, successor bytea, sealed bytea, by_client text, from_address text,
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
    SELECT t.used_at, t.sealed_successor INTO used, sealed_successor FROM refresh_token t WHERE t.token_hash = token;
    renewed := one.session_id;
    account := one.account_id;
    IF used IS NULL THEN
        UPDATE refresh_token t SET used_at = now(), sealed_successor = sealed WHERE t.token_hash = token;
        -- What comes back later than this is unknown, and so of no use either.
        DELETE FROM refresh_token t WHERE t.session_id = renewed AND t.used_at < now() - interval '30 days';
        INSERT INTO refresh_token (token_hash, session_id, account_id) VALUES (successor, renewed, account);
        UPDATE session SET used_at = now(), client = by_client, address = from_address WHERE session_id = renewed;
        sealed_successor := sealed;
        outcome := 'renewed';
    ELSIF used > now() - interval '10 s' AND one.client = by_client THEN
        outcome := 'repeated';
    ELSE
        PERFORM end_sessions_of(account, ARRAY[renewed], 'reused');
        sealed_successor := NULL;
        outcome := 'reused';
        RETURN;
    END IF;
    PERFORM set_config('aqua.account', account::text, true);
END
$$;

-- Gives a person another password in place of the one that was checked; false when they have another by now. Their other sessions
-- end, and none is given where an operator does it.
CREATE FUNCTION replace_password(person bigint, checked_hash text, next_hash text, but_session uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE account SET password_hash = next_hash WHERE account_id = person AND password_hash = checked_hash;
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
CREATE FUNCTION rehash_password(person bigint, checked_hash text, next_hash text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE account SET password_hash = next_hash WHERE account_id = person AND password_hash = checked_hash;
    RETURN FOUND;
END
$$;

-- Links the device of a claim code, given by its hashes under each key, to a person. The outcome:
--   linked; unknown: no device has this code; yours: the person owns it already; taken: somebody else does
CREATE FUNCTION claim_device(
    hashes bytea[], person bigint, called text,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[],
    OUT outcome text, OUT claimed_slot smallint, OUT claimed_device integer, OUT hardware text
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    owner bigint;
BEGIN
    PERFORM require_person(person);
    SELECT d.slot, d.device_id, d.hardware_id INTO claimed_slot, claimed_device, hardware
    FROM device d WHERE d.claim_code_hash = ANY (hashes) FOR UPDATE;
    IF NOT FOUND THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    SELECT o.account_id INTO owner FROM ownership o
    WHERE o.slot = claimed_slot AND o.device_id = claimed_device AND o.role = 'owner' AND o.unlinked_at IS NULL;
    outcome := CASE WHEN owner = person THEN 'yours' WHEN owner IS NOT NULL THEN 'taken' ELSE 'linked' END;
    IF outcome = 'linked' THEN
        PERFORM add_ownership(
            claimed_slot, claimed_device, person, 'owner', called, parameters, units, minima, maxima, colours, positions);
    ELSIF outcome = 'taken' THEN
        claimed_slot := NULL;
        claimed_device := NULL;
        hardware := NULL;
    END IF;
END
$$;

-- The number that an endpoint has or will have, whose it is and whether it is in use, and how many others the person uses.
CREATE FUNCTION number_endpoint(
    on_channel text, to_target text, person bigint,
    OUT endpoint bigint, OUT account bigint, OUT in_use boolean, OUT others bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    SELECT coalesce(e.endpoint_id, nextval('endpoint_id')), e.account_id,
        EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id)
    INTO endpoint, account, in_use
    FROM (VALUES (true)) AS one LEFT JOIN public.endpoint e ON e.channel = on_channel AND e.target = to_target;
    SELECT count(*) INTO others FROM usable_endpoint o
    WHERE o.account_id = person AND NOT (o.channel = on_channel AND o.target = to_target);
END
$$;

-- Registers an endpoint. A retired or paused endpoint becomes usable again. An endpoint of another account moves only when it is
-- not in use, so that nobody takes an address away; NULL when it is in use.
CREATE FUNCTION add_endpoint(
    number bigint, person bigint, on_channel text, to_target text, secret bytea, on_client_id uuid
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    added bigint;
BEGIN
    PERFORM require_person(person);
    INSERT INTO endpoint AS e (endpoint_id, account_id, channel, target, sealed_secret, client_id)
    VALUES (number, person, on_channel, to_target, secret, on_client_id)
    ON CONFLICT (channel, target) DO UPDATE SET
        account_id = excluded.account_id, sealed_secret = excluded.sealed_secret, former_secret = NULL,
        former_until = NULL, retired_at = NULL, retired_because = NULL, paused_at = NULL,
        client_id = excluded.client_id, registration = e.registration + 1, created_at = now()
    -- another request may have been faster
    WHERE e.endpoint_id = excluded.endpoint_id AND (
        e.account_id = excluded.account_id
        OR NOT EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id))
    RETURNING e.endpoint_id INTO added;
    RETURN added;
END
$$;

-- Asks the notifiers to send a test message to one endpoint of a person, or to all. The outcome:
--   added; nowhere: no such endpoint is in use; tooMany: the person has had as many in the last ten minutes
CREATE FUNCTION add_test_alert(
    person bigint, known_as uuid, to_endpoint bigint, most integer, OUT outcome text, OUT of_slot smallint, OUT alert bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    -- One at a time, so that the count holds.
    PERFORM FROM account WHERE account_id = person FOR NO KEY UPDATE;
    IF NOT EXISTS (SELECT FROM usable_endpoint e
        WHERE e.account_id = person AND (to_endpoint IS NULL OR e.endpoint_id = to_endpoint))
    THEN
        outcome := 'nowhere';
        RETURN;
    END IF;
    IF most <= (SELECT count(*) FROM public.alert a
        WHERE a.account_id = person AND a.kind = 'test' AND a.decided_at > now() - interval '10 minutes'
            AND a.decided_at <= now())
    THEN
        outcome := 'tooMany';
        RETURN;
    END IF;
    outcome := 'added';
    of_slot := person % 64;
    INSERT INTO public.alert AS a (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, state)
    VALUES (of_slot, person, nextval('alert_id'), known_as, 'test', 'test', now(), now(),
        CASE WHEN to_endpoint IS NULL THEN 'decided' ELSE 'sending' END)
    RETURNING a.alert_id INTO alert;
    IF to_endpoint IS NOT NULL THEN
        INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
        VALUES (of_slot, person, alert, to_endpoint, now() + interval '30 minutes');
    END IF;
    PERFORM pg_notify('alert', '');
END
$$;

REVOKE ALL ON FUNCTION
    rules_changed_by_row(), rules_changed_by_account(),
    start_of_readings(smallint, integer, text, timestamptz), ownership_knows_its_readings(),
    enter_session(uuid), enter_token(bytea), find_credentials(text), find_familiarity(text, uuid, text),
    look_at_account_invitation(bytea),
    open_account(text, text, text, text, bytea), end_sessions_of(bigint, uuid[], text), end_sessions(bigint, uuid, uuid),
    end_session_of_token(bytea),
    open_session(bigint, text, uuid, text, text, bytea), refresh_session(bytea, bytea, bytea, text, text),
    replace_password(bigint, text, text, uuid), rehash_password(bigint, text, text),
    claim_device(bytea[], bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]),
    number_endpoint(text, text, bigint), add_endpoint(bigint, bigint, text, text, bytea, uuid),
    add_test_alert(bigint, uuid, bigint, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION
    enter_session(uuid), enter_token(bytea), find_credentials(text), find_familiarity(text, uuid, text),
    look_at_account_invitation(bytea),
    open_account(text, text, text, text, bytea), end_sessions(bigint, uuid, uuid),
    end_session_of_token(bytea), open_session(bigint, text, uuid, text, text, bytea), refresh_session(bytea, bytea, bytea, text, text),
    replace_password(bigint, text, text, uuid), rehash_password(bigint, text, text),
    claim_device(bytea[], bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]),
    number_endpoint(text, text, bigint), add_endpoint(bigint, bigint, text, text, bytea, uuid),
    add_test_alert(bigint, uuid, bigint, integer),
    unlink_device(smallint, integer, bigint, bytea, text), end_watching(smallint, integer, bigint),
    look_at_invitation(bytea),
    join_device(bytea, bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]) TO aqua_gateway;
