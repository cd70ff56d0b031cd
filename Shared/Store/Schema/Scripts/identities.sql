-- How people come in by the house's own provider. The Gateway has verified what the provider says; the database keeps to whom it belongs.

CREATE OR REPLACE FUNCTION identity_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one CONSTANT account_identity := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
    entry audit_entry;
BEGIN
    entry.action := CASE TG_OP WHEN 'INSERT' THEN 'identity.link' ELSE 'identity.unlink' END;
    entry.account_id := one.account_id;
    entry.target := one.identity_id::text;
    entry.subject := coalesce(one.name, one.subject);
    PERFORM note_act(entry);
    RETURN NULL;
END
$$;

-- Takes a sign-in that comes back, once: false for one that has come back before.
CREATE OR REPLACE FUNCTION return_sign_in(state bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM returned_sign_in WHERE returned_at < now() - interval '15 minutes';
    INSERT INTO returned_sign_in (state_hash) VALUES (state) ON CONFLICT DO NOTHING;
    RETURN FOUND;
END
$$;

-- Opens a session for the person of an identity, and names them for the rest of the transaction; no row where nobody has it. The session is
-- fresh by the time at which the person proved themselves to the provider: a provider that lets in without asking makes no session fresh.
CREATE OR REPLACE FUNCTION open_session_by_identity(
    of_issuer text, of_subject text, shown text, on_client_id uuid, on_client text, from_address text, token bytea,
    of_provider_session text, authenticated_at timestamptz
) RETURNS TABLE (account bigint, opened uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    identity uuid;
    linked_in uuid;
BEGIN
    -- the account before what belongs to it, as whoever closes it locks them
    SELECT i.account_id INTO account FROM account_identity i WHERE i.issuer = of_issuer AND i.subject = of_subject;
    PERFORM FROM account a WHERE a.account_id = open_session_by_identity.account FOR NO KEY UPDATE;
    UPDATE account_identity i SET used_at = now(), name = coalesce(shown, i.name)
    WHERE i.issuer = of_issuer AND i.subject = of_subject AND i.account_id = open_session_by_identity.account
    RETURNING i.identity_id, i.made_in INTO identity, linked_in;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    opened := begin_session(account, on_client_id, on_client, from_address, token);
    UPDATE session s SET identity_id = identity, identity_made_in = linked_in, provider_session = of_provider_session,
        proven_at = CASE WHEN authenticated_at IS NULL THEN 'epoch' ELSE least(authenticated_at, now()) END
    WHERE s.session_id = opened;
    RETURN NEXT;
END
$$;

-- Opens an account without a password for an identity. The outcome: opened; taken: the address or the identity has an account, which is
-- entered as before and linked from within.
CREATE OR REPLACE FUNCTION open_account_by_identity(
    of_issuer text, of_subject text, shown text, address text, language text, zone text
) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    account bigint;
BEGIN
    INSERT INTO account (email, locale, time_zone) VALUES (address, language, zone) RETURNING account_id INTO account;
    INSERT INTO account_identity (account_id, issuer, subject, name) VALUES (account, of_issuer, of_subject, shown);
    RETURN 'opened';
EXCEPTION WHEN unique_violation THEN
    RETURN 'taken';
END
$$;

-- Links an identity to the person who is named. The outcome: linked, also where it was before; other: it is somebody else's; full: they
-- have as many as anybody may.
CREATE OR REPLACE FUNCTION link_identity(person bigint, of_issuer text, of_subject text, shown text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    holder bigint;
BEGIN
    PERFORM require_person(person);
    PERFORM FROM account a WHERE a.account_id = person FOR NO KEY UPDATE;
    SELECT i.account_id INTO holder FROM account_identity i WHERE i.issuer = of_issuer AND i.subject = of_subject;
    IF holder IS NULL THEN
        IF (SELECT count(*) FROM account_identity i WHERE i.account_id = person)
            >= (SELECT b.in_all FROM growth_bound b WHERE b.held = 'account_identity')
        THEN
            RETURN 'full';
        END IF;
        INSERT INTO account_identity (account_id, issuer, subject, name, made_in)
        VALUES (person, of_issuer, of_subject, shown, current_session()) ON CONFLICT DO NOTHING;
        RETURN CASE WHEN FOUND THEN 'linked' ELSE 'other' END;
    END IF;
    RETURN CASE WHEN holder = person THEN 'linked' ELSE 'other' END;
END
$$;

-- Sessions of a person that identities opened, less the one in which this is done.
CREATE OR REPLACE FUNCTION sessions_by(person bigint, identities uuid[]) RETURNS uuid[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT ARRAY(SELECT s.session_id FROM session s
        WHERE s.account_id = person AND s.identity_id = ANY (identities) AND s.ended_at IS NULL
            AND s.session_id IS DISTINCT FROM current_session())
$$;

-- Takes identities away, and ends what they opened.
CREATE OR REPLACE FUNCTION forget_identities(person bigint, identities uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM end_sessions_of(person, sessions_by(person, identities), 'signedOut');
    DELETE FROM account_identity WHERE account_id = person AND identity_id = ANY (identities);
END
$$;

-- Unlinks an identity of the person who is named. The outcome: unlinked; last: nothing else lets them in; unknown: they have no such one.
-- What else lets them in: an identity at the provider in use, and their password where the house takes it.
CREATE OR REPLACE FUNCTION unlink_identity(person bigint, unlinked uuid, issuer_in_use text, takes_passwords boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    has_password boolean;
BEGIN
    PERFORM require_person(person);
    SELECT a.password_hash IS NOT NULL INTO has_password FROM account a WHERE a.account_id = person FOR NO KEY UPDATE;
    IF NOT EXISTS (SELECT FROM account_identity WHERE account_id = person AND identity_id = unlinked) THEN
        RETURN 'unknown';
    END IF;
    IF NOT (has_password AND takes_passwords) AND NOT EXISTS (
        SELECT FROM account_identity i WHERE i.account_id = person AND i.identity_id <> unlinked AND i.issuer = issuer_in_use)
    THEN
        RETURN 'last';
    END IF;
    PERFORM forget_identities(person, ARRAY[unlinked]);
    RETURN 'unlinked';
END
$$;

-- Notes that a person proved themselves to their provider at a time, for a session; false when the identity is not theirs, or was linked in this very
-- session, so that it proves no more than the session does, or the session has ended.
CREATE OR REPLACE FUNCTION prove_session_by_identity(
    person bigint, proven uuid, of_issuer text, of_subject text, authenticated_at timestamptz
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE session s SET proven_at = least(authenticated_at, now())
    WHERE s.session_id = proven AND s.account_id = person AND is_live(s) AND EXISTS (
        SELECT FROM account_identity i WHERE i.account_id = person AND i.issuer = of_issuer AND i.subject = of_subject
            AND i.made_in IS DISTINCT FROM proven);
    RETURN FOUND;
END
$$;

-- Ends sessions that a provider opened and has ended itself: those of its own session, or where none is named all of a subject's; of what began until
-- then. Returns how many ended. Each is in the person's log: nobody here has ended it.
CREATE OR REPLACE FUNCTION end_sessions_by_provider(of_issuer text, of_subject text, of_provider_session text, began_until timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    meant CONSTANT uuid[] := ARRAY(
        SELECT s.session_id FROM account_identity i JOIN session s ON s.identity_id = i.identity_id
        WHERE i.issuer = of_issuer AND coalesce(i.subject = of_subject, of_subject IS NULL)
            AND coalesce(s.provider_session = of_provider_session, of_provider_session IS NULL)
            -- a word about nobody ends nothing
            AND coalesce(of_subject, of_provider_session) IS NOT NULL
            AND s.ended_at IS NULL AND s.created_at <= began_until);
    person bigint;
    ended integer := 0;
    entry audit_entry;
BEGIN
    entry.action := 'session.end';
    entry.actor := 'system';
    -- the account before what belongs to it, as whoever closes it locks them
    FOR person IN
        SELECT a.account_id FROM account a
        WHERE a.account_id IN (SELECT s.account_id FROM session s WHERE s.session_id = ANY (meant))
        ORDER BY a.account_id FOR NO KEY UPDATE
    LOOP
        ended := ended + end_sessions_of(person, meant, 'signedOut');
        entry.account_id := person;
        FOR entry.target, entry.subject IN
            SELECT s.session_id::text, s.client FROM session s
            WHERE s.account_id = person AND s.session_id = ANY (meant) AND s.ended_at >= now()
        LOOP
            PERFORM note_act(entry);
        END LOOP;
    END LOOP;
    RETURN ended;
END
$$;

-- Whether the person who is named has a password.
CREATE OR REPLACE FUNCTION has_password(person bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    RETURN EXISTS (SELECT FROM account a WHERE a.account_id = person AND a.password_hash IS NOT NULL);
END
$$;

-- Whether the operator has let an account be entered by its password for a while, where the house takes none.
CREATE OR REPLACE FUNCTION password_lets_in(person bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM account a WHERE a.account_id = person AND now() < a.password_until)
$$;

REVOKE ALL ON FUNCTION
    identity_is_noted(), return_sign_in(bytea),
    open_session_by_identity(text, text, text, uuid, text, text, bytea, text, timestamptz),
    open_account_by_identity(text, text, text, text, text, text), link_identity(bigint, text, text, text),
    end_sessions_by_provider(text, text, text, timestamptz), sessions_by(bigint, uuid[]), forget_identities(bigint, uuid[]), unlink_identity(bigint, uuid, text, boolean),
    prove_session_by_identity(bigint, uuid, text, text, timestamptz), has_password(bigint), password_lets_in(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    return_sign_in(bytea), open_session_by_identity(text, text, text, uuid, text, text, bytea, text, timestamptz),
    open_account_by_identity(text, text, text, text, text, text), link_identity(bigint, text, text, text),
    end_sessions_by_provider(text, text, text, timestamptz), unlink_identity(bigint, uuid, text, boolean),
    prove_session_by_identity(bigint, uuid, text, text, timestamptz), has_password(bigint), password_lets_in(bigint) TO aqua_gateway;
