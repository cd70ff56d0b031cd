-- Events of accounts, where things were made, and the bounds on what people can add without end. Triggers call these functions.

CREATE OR REPLACE FUNCTION note_where_it_was_made() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.made_in := current_session();
    RETURN NEW;
END
$$;

-- An invitation is marked as used before the watcher is added.
CREATE OR REPLACE FUNCTION note_by_which_invitation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    SELECT i.made_in INTO NEW.made_in FROM device_invitation i
    WHERE i.slot = NEW.slot AND i.device_id = NEW.device_id AND i.used_by = NEW.account_id
    ORDER BY i.used_at DESC LIMIT 1;
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION add_account_event(person bigint, what text, of_what text, in_session uuid, from_address text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO account_event (account_id, kind, subject, session_id, address)
    VALUES (person, what, left(of_what, 253), in_session, from_address)
$$;

-- Adds an event in the session that is named, if it is this person's.
CREATE OR REPLACE FUNCTION add_account_event(person bigint, what text, of_what text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT add_account_event(person, what, of_what, CASE WHEN person = current_account() THEN current_session() END, NULL)
$$;

CREATE OR REPLACE FUNCTION session_is_noted() RETURNS trigger
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

-- Signing in stores the same password by another hash at times, before a session is named.
CREATE OR REPLACE FUNCTION password_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF current_session() IS NOT NULL OR current_account() IS DISTINCT FROM NEW.account_id THEN
        PERFORM add_account_event(NEW.account_id, 'passwordChanged', NULL);
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION forget_account_events() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM account_event WHERE account_id = OLD.account_id;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION token_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM add_account_event(
        NEW.account_id, CASE TG_OP WHEN 'INSERT' THEN 'tokenMade' ELSE 'tokenRevoked' END, NEW.name);
    RETURN NULL;
END
$$;

-- What an event calls an endpoint: of its address only the host, or of a mailbox the first letter and the domain. The rest is a secret.
CREATE OR REPLACE FUNCTION host_shown(target text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(substring(target FROM '^https?://([^/:?#@]+)'), substring(target FROM '^mailto:([^/#]+)'))
$$;

CREATE OR REPLACE FUNCTION endpoint_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM add_account_event(
        NEW.account_id, CASE WHEN NEW.retired_at IS NULL THEN 'endpointAdded' ELSE 'endpointRemoved' END, host_shown(NEW.target));
    IF TG_OP = 'UPDATE' THEN
        -- of one that moves, both accounts hear
        IF OLD.account_id <> NEW.account_id AND OLD.retired_at IS NULL THEN
            PERFORM add_account_event(OLD.account_id, 'endpointRemoved', host_shown(OLD.target));
        END IF;
    END IF;
    RETURN NULL;
END
$$;

-- What was changed of an endpoint, without its secrets: of a form the name. What the same session changes of one thing within a day is one event,
-- which says what holds since: nobody can push an event out of the list by others, and the newest is true.
CREATE OR REPLACE FUNCTION endpoint_change_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    in_session CONSTANT uuid := CASE WHEN NEW.account_id = current_account() THEN current_session() END;
    of_what CONSTANT text := left(host_shown(NEW.target), 253);
    change record;
    newest account_event;
    mine account_event;
BEGIN
    FOR change IN
        SELECT c.* FROM (VALUES
            -- a template that is sealed with another key is the same; its person is named then by nobody
            (ARRAY['endpointFormChanged'], 1, NEW.form, OLD.form <> NEW.form OR OLD.template_type IS DISTINCT FROM NEW.template_type
                OR OLD.sealed_template IS DISTINCT FROM NEW.sealed_template AND current_account() IS NOT DISTINCT FROM NEW.account_id),
            (ARRAY['endpointSecretChanged'], 1, NULL, NEW.former_until IS NOT NULL AND OLD.former_until IS DISTINCT FROM NEW.former_until),
            (ARRAY['endpointToldAll', 'endpointOnlyUrgent'], 1 + NEW.only_urgent::integer, NULL, OLD.only_urgent <> NEW.only_urgent),
            (ARRAY['endpointHeedsQuietHours', 'endpointRingsAlways'], 1 + NEW.rings_always::integer, NULL, OLD.rings_always <> NEW.rings_always)
        ) AS c (kinds, kind, detail, is_so)
        WHERE c.is_so
    LOOP
        SELECT v.* INTO newest FROM account_event v
        WHERE v.account_id = NEW.account_id AND v.kind = ANY (change.kinds) AND v.subject IS NOT DISTINCT FROM of_what
        ORDER BY v.event_id DESC LIMIT 1;
        SELECT v.* INTO mine FROM account_event v
        WHERE v.account_id = NEW.account_id AND v.kind = ANY (change.kinds) AND v.subject IS NOT DISTINCT FROM of_what
            AND v.session_id IS NOT DISTINCT FROM in_session AND v.happened_at > now() - interval '1 day'
        ORDER BY v.event_id DESC LIMIT 1;
        IF mine.event_id IS NULL THEN
            INSERT INTO account_event (account_id, kind, subject, session_id, detail)
            VALUES (NEW.account_id, change.kinds[change.kind], of_what, in_session, change.detail);
        ELSIF (mine.event_id, mine.kind) <> (newest.event_id, change.kinds[change.kind]) OR mine.detail IS DISTINCT FROM change.detail THEN
            -- with a number of its own, by which the list is ordered
            UPDATE account_event v SET event_id = DEFAULT, kind = change.kinds[change.kind], detail = change.detail, happened_at = now()
            WHERE v.account_id = NEW.account_id AND v.event_id = mine.event_id;
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION invitation_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM add_account_event(o.account_id, 'invitationMade', o.name) FROM ownership o
    WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.account_id = NEW.account_id AND o.unlinked_at IS NULL;
    RETURN NULL;
END
$$;

-- A watcher's coming and going is told to the owner by the device's name, and nobody's address is kept here.
CREATE OR REPLACE FUNCTION ownership_is_noted() RETURNS trigger
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

-- Holds what a service adds for a person to its bounds: beyond those of a day it is refused, and beyond those in all the oldest rows
-- that may go are deleted, and it is refused where none may: AQ001 for a day's, which waiting helps, and AQ003 in all.
-- Requests that run at the same moment may each take the last place.
-- Arguments: the columns by which rows are counted, the column of the time at which a row was made, and which rows may go.
CREATE OR REPLACE FUNCTION keep_bound() RETURNS trigger
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
    ELSIF TG_TABLE_NAME = 'snooze' THEN
        mine := mine || ' AND (t.answered_by IS NULL OR t.answered_by = t.account_id)';
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
        RAISE EXCEPTION USING ERRCODE = CASE WHEN kept - gone > bound.in_all THEN 'AQ003' ELSE 'AQ001' END, TABLE = TG_TABLE_NAME,
            MESSAGE = format('a %s has as many rows of %s as it may have, in a day or in all', bound.of_each, TG_TABLE_NAME);
    END IF;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    note_where_it_was_made(), note_by_which_invitation(), add_account_event(bigint, text, text, uuid, text),
    add_account_event(bigint, text, text), session_is_noted(), password_is_noted(), forget_account_events(), token_is_noted(),
    host_shown(text), endpoint_is_noted(), endpoint_change_is_noted(), invitation_is_noted(), ownership_is_noted(), keep_bound() FROM PUBLIC;
