-- Which acts of accounts, devices and sharing are noted, where things were made, and the bounds on what people can add without end. Triggers call these
-- functions.

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

-- Whoever signs in is the person; whoever brings a used token back may be anybody.
CREATE OR REPLACE FUNCTION session_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.account_id := NEW.account_id;
    entry.target := NEW.session_id::text;
    entry.subject := NEW.client;
    IF TG_OP = 'INSERT' OR NEW.ended_because = 'reused' THEN
        entry.action := CASE TG_OP WHEN 'INSERT' THEN 'session.open' ELSE 'session.reuse' END;
        entry.actor := CASE TG_OP WHEN 'INSERT' THEN 'account' ELSE 'stranger' END;
        entry.actor_id := CASE TG_OP WHEN 'INSERT' THEN NEW.account_id END;
        entry.session_id := NEW.session_id;
        entry.network := NEW.address;
        entry.client := NEW.client;
        PERFORM note_act(entry);
    ELSIF NEW.ended_because = 'endedByOperator' THEN
        entry.action := 'session.end';
        entry.actor := 'operator';
        entry.actor_id := current_actor();
        PERFORM note_act(entry);
    ELSIF NEW.ended_because = 'signedOut' AND current_session() IS DISTINCT FROM NEW.session_id
        AND (current_session() IS NOT NULL OR current_account() IS NULL AND pg_has_role(session_user, current_user, 'USAGE'))
    THEN
        entry.action := 'session.end';
        PERFORM note_act(entry);
    END IF;
    IF TG_OP = 'INSERT' THEN
        RETURN NULL;
    END IF;
    -- No token of a session that has ended renews anything, and one that comes back is unknown, which is answered alike.
    DELETE FROM refresh_token WHERE session_id = NEW.session_id;
    RETURN NULL;
END
$$;

-- Signing in stores the same password by another hash at times, before a session is named.
CREATE OR REPLACE FUNCTION password_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    IF current_session() IS NOT NULL OR current_account() IS DISTINCT FROM NEW.account_id THEN
        entry.action := 'password.change';
        entry.account_id := NEW.account_id;
        PERFORM note_act(entry);
    END IF;
    RETURN NULL;
END
$$;

-- A token acts by itself when it is used, once a day.
CREATE OR REPLACE FUNCTION token_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := TG_ARGV[0];
    entry.account_id := NEW.account_id;
    entry.target := NEW.token_id::text;
    entry.subject := NEW.name;
    IF entry.action = 'token.use' THEN
        entry.actor := 'token';
        entry.actor_id := NEW.account_id;
        entry.actor_name := NEW.name;
    ELSIF entry.action = 'token.make' THEN
        entry.changes := jsonb_build_object('scope', jsonb_build_array(NULL, NEW.scope));
    END IF;
    PERFORM note_act(entry);
    RETURN NULL;
END
$$;

-- What an entry calls an endpoint: of its address only the host, or of a mailbox the first letter and the domain. The rest is a secret.
CREATE OR REPLACE FUNCTION host_shown(target text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(substring(target FROM '^https?://([^/:?#@]+)'), substring(target FROM '^mailto:([^/#]+)'))
$$;

CREATE OR REPLACE FUNCTION endpoint_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.target := NEW.endpoint_id::text;
    entry.action := CASE WHEN NEW.retired_at IS NULL THEN 'endpoint.add' ELSE 'endpoint.remove' END;
    entry.account_id := NEW.account_id;
    entry.subject := host_shown(NEW.target);
    entry.changes := jsonb_build_object('channel', jsonb_build_array(NULL, NEW.channel));
    PERFORM note_act(entry);
    IF TG_OP = 'UPDATE' THEN
        -- of one that moves, both accounts hear
        IF OLD.account_id <> NEW.account_id AND OLD.retired_at IS NULL THEN
            entry.action := 'endpoint.remove';
            entry.account_id := OLD.account_id;
            entry.subject := host_shown(OLD.target);
            -- who took it is not theirs to know
            entry.actor := 'system';
            PERFORM note_act(entry);
        END IF;
    END IF;
    RETURN NULL;
END
$$;

-- What was changed of an endpoint, without its secrets: of a form the name.
CREATE OR REPLACE FUNCTION endpoint_change_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.account_id := NEW.account_id;
    entry.target := NEW.endpoint_id::text;
    entry.subject := host_shown(NEW.target);
    -- a template that is sealed with another key is the same; its person is named then by nobody
    IF NEW.form <> OLD.form OR OLD.template_type IS DISTINCT FROM NEW.template_type
        OR OLD.sealed_template IS DISTINCT FROM NEW.sealed_template AND current_account() IS NOT DISTINCT FROM NEW.account_id
    THEN
        entry.action := 'endpoint.changeForm';
        entry.changes := jsonb_build_object('form', jsonb_build_array(OLD.form, NEW.form));
        PERFORM note_act(entry);
    END IF;
    entry.changes := NULL;
    IF NEW.former_until IS NOT NULL AND OLD.former_until IS DISTINCT FROM NEW.former_until THEN
        entry.action := 'endpoint.changeSecret';
        PERFORM note_act(entry);
    END IF;
    IF OLD.only_urgent <> NEW.only_urgent THEN
        entry.action := 'endpoint.changeTelling';
        entry.changes := changed_fields(to_jsonb(OLD), to_jsonb(NEW), '{only_urgent}');
        PERFORM note_act(entry);
    END IF;
    IF OLD.rings_always <> NEW.rings_always THEN
        entry.action := 'endpoint.changeHours';
        entry.changes := changed_fields(to_jsonb(OLD), to_jsonb(NEW), '{rings_always}');
        PERFORM note_act(entry);
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION invitation_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := CASE TG_OP WHEN 'DELETE' THEN 'invitation.withdraw' ELSE 'invitation.make' END;
    IF TG_OP = 'DELETE' THEN
        entry.account_id := OLD.account_id;
        entry.device_id := OLD.device_id;
        entry.target := OLD.invitation_id::text;
    ELSE
        entry.account_id := NEW.account_id;
        entry.device_id := NEW.device_id;
        entry.target := NEW.invitation_id::text;
        entry.changes := jsonb_build_object('readings', jsonb_build_array(NULL, NEW.readings));
    END IF;
    entry.subject := name_of_device(entry.device_id, entry.account_id);
    PERFORM note_act(entry);
    RETURN NULL;
END
$$;

-- A watcher's coming and going is the owner's to see, too.
CREATE OR REPLACE FUNCTION ownership_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := CASE NEW.role WHEN 'owner' THEN CASE TG_OP WHEN 'INSERT' THEN 'device.link' ELSE 'device.unlink' END
        ELSE CASE TG_OP WHEN 'INSERT' THEN 'watcher.join' ELSE 'watcher.leave' END END;
    entry.account_id := NEW.account_id;
    entry.device_id := NEW.device_id;
    entry.subject := NEW.name;
    PERFORM note_act(entry, NEW.role <> 'owner');
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

-- of the version before the audit log
DROP FUNCTION IF EXISTS add_account_event(bigint, text, text), add_account_event(bigint, text, text, uuid, text);

REVOKE ALL ON FUNCTION
    note_where_it_was_made(), note_by_which_invitation(), session_is_noted(), password_is_noted(), token_is_noted(), host_shown(text), endpoint_is_noted(), endpoint_change_is_noted(), invitation_is_noted(), ownership_is_noted(), keep_bound() FROM PUBLIC;
