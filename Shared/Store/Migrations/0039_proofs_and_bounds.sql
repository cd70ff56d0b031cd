-- Effects that outlive a credential take the password, are noted and can be undone; and rows that people can add without end have a
-- bound.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, alert, account, ownership, setting, endpoint, device_invitation, session, refresh_token, personal_token
    IN ACCESS EXCLUSIVE MODE;

-- Proofs ---------------------------------------------------------------------------------------------------------------

-- When the person last gave their password in the session; NULL: when they signed in.
ALTER TABLE session ADD COLUMN proven_at timestamptz;

-- The session in which each was made. It ends long before they do, so that nothing refers to its row.
ALTER TABLE endpoint ADD COLUMN made_in uuid;
ALTER TABLE device_invitation ADD COLUMN made_in uuid;
ALTER TABLE personal_token ADD COLUMN made_in uuid;
ALTER TABLE ownership ADD COLUMN made_in uuid; -- of a watcher: the owner's session, in which the invitation was made

-- Names the session of the person who is named, for the rest of the transaction. True while the password was given in it within the
-- last ten minutes; NULL when the session is not theirs, or has ended.
CREATE FUNCTION name_session(named uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    is_fresh boolean;
BEGIN
    -- A clock that was ahead gives nobody more than a minute.
    SELECT coalesce(s.proven_at, s.created_at) BETWEEN now() - interval '10 minutes' AND now() + interval '1 minute'
    INTO is_fresh
    FROM session s WHERE s.session_id = named AND s.account_id = current_account() AND is_live(s);
    IF FOUND THEN
        PERFORM set_config('aqua.session', named::text, true);
    END IF;
    RETURN is_fresh;
END
$$;

-- The session that is named; NULL: none.
CREATE FUNCTION current_session() RETURNS uuid
LANGUAGE sql STABLE AS $$
    SELECT NULLIF(current_setting('aqua.session', true), '')::uuid
$$;

-- Notes that a person gave the password that was checked against the given hash; false when they have another by now, or the session
-- has ended.
CREATE FUNCTION prove_session(person bigint, proven uuid, checked_hash text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE session s SET proven_at = now() FROM account a
    WHERE a.account_id = person AND a.password_hash = checked_hash
        AND s.session_id = proven AND s.account_id = person AND is_live(s);
    RETURN FOUND;
END
$$;

CREATE FUNCTION note_where_it_was_made() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.made_in := current_session();
    RETURN NEW;
END
$$;

CREATE TRIGGER made_in_session BEFORE INSERT ON personal_token FOR EACH ROW EXECUTE FUNCTION note_where_it_was_made();
CREATE TRIGGER made_in_session BEFORE INSERT ON endpoint FOR EACH ROW EXECUTE FUNCTION note_where_it_was_made();
CREATE TRIGGER made_again_in_session BEFORE UPDATE ON endpoint FOR EACH ROW
    WHEN (OLD.registration <> NEW.registration OR OLD.account_id <> NEW.account_id)
    EXECUTE FUNCTION note_where_it_was_made();
CREATE TRIGGER made_in_session BEFORE INSERT ON device_invitation
    FOR EACH ROW EXECUTE FUNCTION note_where_it_was_made();
CREATE TRIGGER made_again_in_session BEFORE UPDATE ON device_invitation FOR EACH ROW
    WHEN (OLD.invitation_id <> NEW.invitation_id)
    EXECUTE FUNCTION note_where_it_was_made();

-- An invitation is marked as used before the watcher is added.
CREATE FUNCTION note_by_which_invitation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT i.made_in INTO NEW.made_in FROM device_invitation i
    WHERE i.slot = NEW.slot AND i.device_id = NEW.device_id AND i.used_by = NEW.account_id
    ORDER BY i.used_at DESC LIMIT 1;
    RETURN NEW;
END
$$;

CREATE TRIGGER made_by_invitation BEFORE INSERT ON ownership FOR EACH ROW WHEN (NEW.role = 'watcher')
    EXECUTE FUNCTION note_by_which_invitation();

-- As before, with the session in which the owner invited them.
CREATE OR REPLACE VIEW person_watcher AS
    SELECT w.slot, w.device_id, w.ownership_id, w.account_id, w.linked_at, a.email, w.made_in
    FROM ownership o
    JOIN ownership w ON w.slot = o.slot AND w.device_id = o.device_id AND w.role = 'watcher' AND w.unlinked_at IS NULL
    JOIN account a ON a.account_id = w.account_id
    WHERE o.account_id = (SELECT current_account()) AND o.role = 'owner' AND o.unlinked_at IS NULL;

GRANT SELECT (made_in) ON personal_token TO aqua_gateway;

-- Ends a session and takes back what was made in it and outlives it: watchers, invitations, endpoints and personal tokens. False when
-- the person has, and lately had, no such session.
CREATE FUNCTION undo_session(person bigint, undone uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    watcher record;
    removed bigint[];
BEGIN
    PERFORM require_person(person);
    IF NOT EXISTS (SELECT FROM session WHERE session_id = undone AND account_id = person) THEN
        RETURN false;
    END IF;
    FOR watcher IN
        SELECT w.slot, w.device_id, w.account_id FROM person_watcher w WHERE w.made_in = undone
        ORDER BY w.slot, w.device_id, w.account_id
    LOOP
        PERFORM end_watching(watcher.slot, watcher.device_id, watcher.account_id);
    END LOOP;
    DELETE FROM device_invitation WHERE account_id = person AND made_in = undone AND used_at IS NULL;
    UPDATE personal_token SET revoked_at = now() WHERE account_id = person AND made_in = undone AND revoked_at IS NULL;
    WITH retired AS (
        UPDATE endpoint SET retired_at = now(), retired_because = 'the person took back what was done in a session'
        WHERE account_id = person AND made_in = undone AND retired_at IS NULL
        RETURNING endpoint_id
    )
    SELECT array_agg(endpoint_id) INTO removed FROM retired;
    IF removed IS NOT NULL THEN
        -- Pending deliveries come due, so that a notifier ends them unsent.
        UPDATE delivery d SET next_attempt_at = now()
        WHERE d.endpoint_id = ANY (removed) AND d.state = 'pending' AND d.holder IS NULL;
        PERFORM pg_notify('alert', '');
    END IF;
    PERFORM end_sessions_of(person, ARRAY[undone], 'signedOut');
    RETURN true;
END
$$;

-- Events of accounts --------------------------------------------------------------------------------------------------

-- For the person to recognise, or not. Triggers write it, so that no way to a change passes it by. The account is not referred to: its
-- row would be locked in an order that crosses others'.
CREATE TABLE account_event (
    account_id bigint NOT NULL,
    event_id bigint GENERATED ALWAYS AS IDENTITY,
    happened_at timestamptz NOT NULL DEFAULT now(),
    kind text NOT NULL CHECK (kind IN (
        'signedIn', 'signedOutElsewhere', 'sessionStolen', 'passwordChanged', 'tokenMade', 'tokenRevoked', 'endpointAdded',
        'endpointRemoved', 'invitationMade', 'watcherJoined', 'watcherLeft', 'watchingEnded', 'deviceLinked', 'deviceUnlinked')),
    session_id uuid, -- in which the person did it; NULL: in none, or somebody else did it
    subject text CHECK (length(subject) <= 253), -- a name: of a client, a token, a device; or the host of an endpoint
    address text CHECK (length(address) <= 64), -- the network that somebody signed in from
    PRIMARY KEY (account_id, event_id)
);

ALTER TABLE account_event ENABLE ROW LEVEL SECURITY;
CREATE POLICY person ON account_event TO aqua_gateway USING (account_id = (SELECT current_account()));
GRANT SELECT ON account_event TO aqua_gateway;

CREATE FUNCTION add_account_event(person bigint, what text, of_what text, in_session uuid, from_address text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO account_event (account_id, kind, subject, session_id, address)
    VALUES (person, what, left(of_what, 253), in_session, from_address)
$$;

-- The same, in the session that is named if it is this person's.
CREATE FUNCTION add_account_event(person bigint, what text, of_what text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT add_account_event(person, what, of_what, CASE WHEN person = current_account() THEN current_session() END, NULL)
$$;

CREATE FUNCTION session_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM add_account_event(NEW.account_id, 'signedIn', NEW.client, NEW.session_id, NEW.address);
        RETURN NULL;
    END IF;
    IF NEW.ended_because = 'reused' THEN
        PERFORM add_account_event(NEW.account_id, 'sessionStolen', NEW.client, NEW.session_id, NEW.address);
    ELSIF NEW.ended_because = 'signedOut' AND current_session() <> NEW.session_id THEN
        PERFORM add_account_event(NEW.account_id, 'signedOutElsewhere', NEW.client);
    END IF;
    -- No token of a session that has ended renews anything, and one that comes back is unknown, which is answered alike.
    DELETE FROM refresh_token WHERE session_id = NEW.session_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER noted AFTER INSERT ON session FOR EACH ROW EXECUTE FUNCTION session_is_noted();
CREATE TRIGGER end_noted AFTER UPDATE OF ended_at ON session FOR EACH ROW
    WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION session_is_noted();

-- Signing in stores the same password by another hash at times, before a session is named.
CREATE FUNCTION password_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF current_session() IS NOT NULL OR current_account() IS DISTINCT FROM NEW.account_id THEN
        PERFORM add_account_event(NEW.account_id, 'passwordChanged', NULL);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER password_noted AFTER UPDATE OF password_hash ON account FOR EACH ROW
    WHEN (OLD.password_hash <> NEW.password_hash) EXECUTE FUNCTION password_is_noted();

CREATE FUNCTION forget_account_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM account_event WHERE account_id = OLD.account_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER events_forgotten AFTER DELETE ON account FOR EACH ROW EXECUTE FUNCTION forget_account_events();

CREATE FUNCTION token_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM add_account_event(
        NEW.account_id, CASE TG_OP WHEN 'INSERT' THEN 'tokenMade' ELSE 'tokenRevoked' END, NEW.name);
    RETURN NULL;
END
$$;

CREATE TRIGGER noted AFTER INSERT ON personal_token FOR EACH ROW EXECUTE FUNCTION token_is_noted();
CREATE TRIGGER end_noted AFTER UPDATE OF revoked_at ON personal_token FOR EACH ROW
    WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION token_is_noted();

-- Of its address only the host: the rest is a secret.
CREATE FUNCTION endpoint_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM add_account_event(
        NEW.account_id, CASE WHEN NEW.retired_at IS NULL THEN 'endpointAdded' ELSE 'endpointRemoved' END,
        substring(NEW.target FROM '^https?://([^/:?#@]+)'));
    RETURN NULL;
END
$$;

CREATE TRIGGER noted AFTER INSERT ON endpoint FOR EACH ROW EXECUTE FUNCTION endpoint_is_noted();
CREATE TRIGGER change_noted AFTER UPDATE ON endpoint FOR EACH ROW
    WHEN (NEW.retired_at IS NULL AND (OLD.registration <> NEW.registration OR OLD.account_id <> NEW.account_id)
        OR OLD.retired_at IS NULL AND NEW.retired_at IS NOT NULL AND OLD.account_id = NEW.account_id)
    EXECUTE FUNCTION endpoint_is_noted();

CREATE FUNCTION invitation_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM add_account_event(o.account_id, 'invitationMade', o.name) FROM ownership o
    WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.account_id = NEW.account_id AND o.unlinked_at IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER noted AFTER INSERT ON device_invitation FOR EACH ROW EXECUTE FUNCTION invitation_is_noted();
CREATE TRIGGER change_noted AFTER UPDATE ON device_invitation FOR EACH ROW
    WHEN (OLD.invitation_id <> NEW.invitation_id) EXECUTE FUNCTION invitation_is_noted();

-- A watcher's coming and going is told to the owner by the device's name, and nobody's address is kept here.
CREATE FUNCTION ownership_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.role = 'owner' THEN
        PERFORM add_account_event(
            NEW.account_id, CASE TG_OP WHEN 'INSERT' THEN 'deviceLinked' ELSE 'deviceUnlinked' END, NEW.name);
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' THEN
        PERFORM add_account_event(NEW.account_id, 'watchingEnded', NEW.name);
    END IF;
    PERFORM add_account_event(
        o.account_id, CASE TG_OP WHEN 'INSERT' THEN 'watcherJoined' ELSE 'watcherLeft' END, o.name)
    FROM ownership o
    WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL;
    RETURN NULL;
END
$$;

CREATE TRIGGER noted AFTER INSERT ON ownership FOR EACH ROW EXECUTE FUNCTION ownership_is_noted();
CREATE TRIGGER end_noted AFTER UPDATE OF unlinked_at ON ownership FOR EACH ROW
    WHEN (OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL) EXECUTE FUNCTION ownership_is_noted();

-- Bounds ---------------------------------------------------------------------------------------------------------------

-- Every table, who can make it grow, and what keeps it from growing without end. The numbers are in force where the table has a
-- trigger `bounded`; an operator may change them.
CREATE TABLE growth_bound (
    held text PRIMARY KEY,
    grown_by text NOT NULL CHECK (grown_by IN ('person', 'stranger', 'device', 'operator', 'service')),
    of_each text, -- whose rows are counted
    a_day integer CHECK (a_day > 0), -- rows that are added
    in_all integer CHECK (in_all > 0), -- rows that are kept
    kept_by text NOT NULL,
    CHECK (grown_by <> 'person' OR of_each IS NOT NULL AND in_all IS NOT NULL)
);

INSERT INTO growth_bound (held, grown_by, of_each, a_day, in_all, kept_by) VALUES
    ('session', 'person', 'person', 200, 300, 'trigger; those that have ended go, the oldest first; 50 live ones'),
    ('refresh_token', 'person', 'session', 480, 1000, 'trigger; used ones go, the oldest first, and all with the end of their session'),
    ('personal_token', 'person', 'person', 100, 200, 'trigger; revoked and expired ones go, the oldest first'),
    ('account_event', 'person', 'person', NULL, 500, 'trigger; the oldest go'),
    ('endpoint', 'person', 'person', 100, 2000, 'trigger; 20 in use'),
    ('setting', 'person', 'person and device', 600, 5000, 'trigger; versions that have ended go, the oldest first'),
    ('ownership', 'person', 'person', 500, 20000, 'trigger'),
    ('snooze', 'person', 'person and device', 500, 300, 'trigger; ended ones go, the oldest first'),
    ('device_invitation', 'person', 'device', NULL, 20, 'its key: places 1 to 20'),
    ('idempotency_key', 'person', 'person', NULL, 1001, 'ClaimIdempotencyKey, for a day'),
    ('alert', 'device', 'person', 300, NULL, 'trigger for tests; the throttle for all others; retention'),
    ('account', 'stranger', NULL, NULL, NULL, 'invitations, or limits for each network where sign-up is open'),
    ('delivery', 'device', NULL, NULL, NULL, 'alerts and their endpoints, 20 at most; retention'),
    ('delivery_attempt', 'device', NULL, NULL, NULL, 'deliveries and the time in which they are tried; retention'),
    ('endpoint_retirement', 'person', 'registration of an endpoint', NULL, 1, 'its key'),
    ('episode', 'device', NULL, NULL, NULL, 'the rate at which a device may send; retention'),
    ('transition', 'device', NULL, NULL, NULL, 'the rate at which a device may send; retention'),
    ('throttle', 'device', NULL, NULL, NULL, 'its key: one a watch and kind'),
    ('sample', 'device', NULL, NULL, NULL, 'the rate at which a device may send; retention'),
    ('sample_hour', 'device', NULL, NULL, NULL, 'its key: one an hour of a device; retention'),
    ('sample_day', 'device', NULL, NULL, NULL, 'its key: one a day of a device'),
    ('evaluation_batch', 'device', NULL, NULL, NULL, 'the rate at which a device may send; the age of readings that are taken'),
    ('rollup_due', 'device', NULL, NULL, NULL, 'its key: one an hour of a device; retention'),
    ('quality_due', 'device', NULL, NULL, NULL, 'its key: one a day of a device; retention'),
    ('reject', 'device', NULL, NULL, 10000, 'its key: numbers that come again'),
    ('device_status', 'device', 'device', NULL, 1, 'its key'),
    ('device_clock', 'device', 'device', NULL, 1, 'its key'),
    ('silence_check', 'device', 'device', NULL, 1, 'its key'),
    ('temperature_probe', 'device', 'device', NULL, 1, 'its key'),
    ('reported_probe', 'device', 'device', NULL, 8, 'note_reported_probes'),
    ('probe_fault', 'device', NULL, NULL, NULL, 'its key: one a parameter of a device'),
    ('flat_line', 'device', NULL, NULL, NULL, 'its key: one a parameter of a device'),
    ('live_follower', 'service', NULL, NULL, NULL, 'one a Gateway and bucket of people; gone with its connection'),
    ('erasure', 'person', 'stretch of time that a person had a device', NULL, 3, 'the end of an account; gone once erased'),
    ('time_outside', 'device', NULL, NULL, NULL, 'its key: one a day of a watch'),
    ('device_reject', 'device', NULL, NULL, NULL, 'record_device_rejects: 16 a day of a device, and one a reason; a week'),
    ('device', 'operator', NULL, NULL, NULL, 'the operator'),
    ('account_invitation', 'operator', NULL, NULL, NULL, 'the operator'),
    ('retention', 'operator', NULL, NULL, NULL, 'the operator'),
    ('growth_bound', 'operator', NULL, NULL, NULL, 'one a table'),
    ('slot', 'service', NULL, NULL, 64, 'its key'),
    ('slot_rules', 'service', NULL, NULL, 64, 'its key'),
    ('rollup_progress', 'service', NULL, NULL, 64, 'its key'),
    ('silence_clock', 'service', NULL, NULL, 1, 'its key'),
    ('clock_watch', 'service', NULL, NULL, 1, 'its key'),
    ('ingest_seat', 'service', NULL, NULL, NULL, 'one an Ingestor that works at once'),
    ('notifier', 'service', NULL, NULL, NULL, 'one a Notifier that lives; the dead ones are deleted'),
    ('vapid_key', 'service', NULL, NULL, NULL, 'one a key of the configuration'),
    ('schema_migration', 'operator', NULL, NULL, NULL, 'one a migration');

-- Holds what a service adds for a person to its bounds: beyond those of a day it is refused, and beyond those in all the oldest rows
-- that may go are deleted, and it is refused where none may. Requests that run at the same moment may each take the last place.
-- Arguments: the columns by which rows are counted, the column of the time at which a row was made, and which rows may go.
CREATE FUNCTION keep_bound() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bound growth_bound;
    mine text;
    added bigint;
    kept bigint;
    gone bigint := 0;
BEGIN
    -- An operator may do more, by the tool.
    IF pg_has_role(session_user, current_user, 'USAGE') THEN
        RETURN NULL;
    END IF;
    SELECT * INTO STRICT bound FROM growth_bound WHERE held = TG_TABLE_NAME;
    SELECT string_agg(format('t.%1$I = ($1).%1$I', name), ' AND ') INTO mine
    FROM unnest(string_to_array(TG_ARGV[0], ' ')) AS name;
    IF TG_TABLE_NAME = 'alert' THEN
        mine := mine || ' AND t.kind = ($1).kind';
    END IF;
    EXECUTE format(
        'SELECT count(*) FILTER (WHERE t.%1$I > now() - interval ''1 day''), count(*) FROM %2$I t WHERE %3$s',
        TG_ARGV[1], TG_TABLE_NAME, mine)
    INTO added, kept USING NEW;
    IF kept > bound.in_all AND TG_NARGS > 2 THEN
        -- What another transaction is deleting goes by that one, and is not waited for. A heap from before there was a bound goes in
        -- pieces, one with each row that is added.
        EXECUTE format(
            'WITH old AS MATERIALIZED (SELECT t.ctid FROM %1$I t WHERE %2$s AND (%3$s) ORDER BY t.%4$I LIMIT $2), '
            'oldest AS MATERIALIZED (SELECT ctid, row_number() OVER () AS place FROM old), '
            'free AS MATERIALIZED (SELECT t.ctid FROM %1$I t WHERE t.ctid = ANY (ARRAY(SELECT ctid FROM oldest WHERE place <= 5000)) '
            'FOR UPDATE SKIP LOCKED), '
            'deleted AS (DELETE FROM %1$I t WHERE t.ctid = ANY (ARRAY(SELECT ctid FROM free))) SELECT count(*) FROM old',
            TG_TABLE_NAME, mine, TG_ARGV[2], TG_ARGV[1])
        INTO gone USING NEW, kept - bound.in_all;
    END IF;
    IF added > bound.a_day OR kept - gone > bound.in_all THEN
        RAISE EXCEPTION USING ERRCODE = 'AQ001', TABLE = TG_TABLE_NAME,
            MESSAGE = format('a %s has as many rows of %s as it may have, in a day or in all', bound.of_each, TG_TABLE_NAME);
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER bounded AFTER INSERT ON session FOR EACH ROW
    EXECUTE FUNCTION keep_bound('account_id', 'created_at', 't.ended_at IS NOT NULL');
CREATE TRIGGER bounded AFTER INSERT ON refresh_token FOR EACH ROW
    EXECUTE FUNCTION keep_bound('session_id', 'created_at', 't.used_at IS NOT NULL');
CREATE TRIGGER bounded AFTER INSERT ON personal_token FOR EACH ROW
    EXECUTE FUNCTION keep_bound('account_id', 'created_at', 't.revoked_at IS NOT NULL OR t.expires_at <= now()');
CREATE TRIGGER bounded AFTER INSERT ON account_event FOR EACH ROW
    EXECUTE FUNCTION keep_bound('account_id', 'happened_at', 'true');
CREATE TRIGGER bounded AFTER INSERT ON endpoint FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'created_at');
CREATE TRIGGER bounded AFTER INSERT ON setting FOR EACH ROW
    EXECUTE FUNCTION keep_bound('slot device_id account_id', 'valid_from', 't.valid_until IS NOT NULL');
CREATE TRIGGER bounded AFTER INSERT ON ownership FOR EACH ROW EXECUTE FUNCTION keep_bound('account_id', 'linked_at');
CREATE TRIGGER bounded AFTER INSERT ON snooze FOR EACH ROW
    EXECUTE FUNCTION keep_bound('account_id slot device_id', 'set_at', 't.ended_at IS NOT NULL');
CREATE TRIGGER bounded AFTER INSERT ON alert FOR EACH ROW WHEN (NEW.kind = 'test')
    EXECUTE FUNCTION keep_bound('account_id', 'decided_at');

REVOKE ALL ON FUNCTION name_session(uuid), current_session(), prove_session(bigint, uuid, text), undo_session(bigint, uuid),
    note_where_it_was_made(), note_by_which_invitation(), add_account_event(bigint, text, text, uuid, text), add_account_event(bigint, text, text),
    session_is_noted(), password_is_noted(), forget_account_events(), token_is_noted(), endpoint_is_noted(),
    invitation_is_noted(), ownership_is_noted(), keep_bound() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION name_session(uuid), prove_session(bigint, uuid, text), undo_session(bigint, uuid),
    current_session() TO aqua_gateway;
