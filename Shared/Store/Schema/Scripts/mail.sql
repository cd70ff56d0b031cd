-- Mails about accounts: asked for by Gateways, sent by Notifiers.

CREATE OR REPLACE FUNCTION ask_for_mail(person bigint, what text, in_language text, about text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO account_mail (account_id, kind, locale, subject) VALUES (person, what, in_language, about)
$$;

-- Asks for a link by which the person of an address (in lower case) sets a new password, at most three an hour. It does not
-- tell whether there is such a person.
CREATE OR REPLACE FUNCTION ask_password_reset(address text, in_language text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person bigint;
BEGIN
    SELECT a.account_id INTO person FROM account a WHERE a.email = address FOR NO KEY UPDATE;
    IF NOT FOUND OR 3 <= (
        SELECT count(*) FROM account_mail m
        WHERE m.account_id = person AND m.kind = 'reset' AND m.asked_at > now() - interval '1 hour')
    THEN
        RETURN;
    END IF;
    PERFORM ask_for_mail(person, 'reset', in_language, NULL);
END
$$;

-- Takes a mail that is due, for a minute, and names the hash of what its link is to hold. A link that was not sent within a quarter of an hour is
-- of no use any more. All is forgotten after a day.
CREATE OR REPLACE FUNCTION take_account_mail(hash bytea)
RETURNS TABLE (mail bigint, address text, what text, in_language text, about text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM account_mail m WHERE m.asked_at < now() - interval '1 day';
    RETURN QUERY
        UPDATE account_mail m SET due_at = now() + interval '1 minute',
            token_hash = CASE WHEN m.kind = 'reset' THEN hash END,
            expires_at = CASE WHEN m.kind = 'reset' THEN now() + interval '30 minutes' END
        FROM account a
        WHERE a.account_id = m.account_id AND m.mail_id = (
            SELECT d.mail_id FROM account_mail d
            WHERE d.sent_at IS NULL AND d.due_at <= now() AND (d.kind <> 'reset' OR d.asked_at > now() - interval '15 minutes')
            ORDER BY d.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING m.mail_id, a.email, m.kind, m.locale, m.subject;
END
$$;

CREATE OR REPLACE FUNCTION note_account_mail_sent(mail bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE account_mail SET sent_at = now() WHERE mail_id = mail AND sent_at IS NULL
$$;

-- The address whose password a link sets; no row: the link is over, was used, or never was.
CREATE OR REPLACE FUNCTION look_at_password_reset(hash bytea) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.email FROM account_mail m JOIN account a ON a.account_id = m.account_id
    WHERE m.token_hash = hash AND m.kind = 'reset' AND now() < m.expires_at
$$;

-- Sets the password of a link's person, once. Whoever was signed in, or had a token, by the former password is out: it may have been a stranger,
-- also one who opened the account in the name of somebody else, and linked an identity of theirs. So is what they made for the person's projects. Browsers go on being told, for an alarm must not fall silent by it.
CREATE OR REPLACE FUNCTION reset_password(hash bytea, next_hash text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person bigint;
BEGIN
    -- the account before its mails, as whoever closes it locks them
    SELECT m.account_id INTO person FROM account_mail m WHERE m.token_hash = hash;
    PERFORM FROM account a WHERE a.account_id = person FOR NO KEY UPDATE;
    PERFORM FROM account_mail m WHERE m.token_hash = hash AND m.kind = 'reset' AND now() < m.expires_at FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE account SET password_hash = next_hash WHERE account_id = person;
    PERFORM end_sessions_of(person, ARRAY(
        SELECT session_id FROM session WHERE account_id = person AND ended_at IS NULL), 'passwordChanged');
    UPDATE endpoint SET paused_at = NULL WHERE account_id = person AND paused_at = now();
    UPDATE personal_token SET revoked_at = now() WHERE account_id = person AND revoked_at IS NULL;
    DELETE FROM account_identity WHERE account_id = person;
    PERFORM take_keys_back(m.project_id, person) FROM project_member m WHERE m.account_id = person;
    DELETE FROM project_invitation i WHERE i.made_by = person AND i.used_at IS NULL;
    RETURN true;
END
$$;

-- Links that were mailed set the password no more once it is another.
CREATE OR REPLACE FUNCTION links_end_with_password() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE account_mail m SET sent_at = coalesce(m.sent_at, now()), token_hash = NULL, expires_at = NULL
    WHERE m.account_id = NEW.account_id AND m.kind = 'reset' AND (m.sent_at IS NULL OR m.token_hash IS NOT NULL);
    RETURN NULL;
END
$$;

-- By which whoever has a mail can end such mails, and do nothing else, until the mailbox is registered anew: the endpoint's number and a seal. The
-- programs seal it once more, with a key that the database has not.
CREATE OR REPLACE FUNCTION stop_token(endpoint bigint, registration integer) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT endpoint || '-' || seal_of(format('stop %s %s', endpoint, registration))
$$;

-- Takes the endpoint of a stop token out of use; false for a text that is no such token. The person is told by mail, for a mail can be forwarded.
CREATE OR REPLACE FUNCTION stop_endpoint(token text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one endpoint;
BEGIN
    IF token !~ '^[0-9]{1,18}-[0-9a-f]{64}$' THEN
        RETURN false;
    END IF;
    SELECT * INTO one FROM endpoint e WHERE e.endpoint_id = split_part(token, '-', 1)::bigint FOR NO KEY UPDATE;
    IF NOT FOUND OR stop_token(one.endpoint_id, one.registration) <> token THEN
        RETURN false;
    END IF;
    IF one.channel = 'email' AND one.retired_at IS NULL THEN
        UPDATE endpoint SET retired_at = now(), retired_because = 'the person ended it by a mail' WHERE endpoint_id = one.endpoint_id;
        UPDATE delivery d SET next_attempt_at = now()
        WHERE d.endpoint_id = one.endpoint_id AND d.account_id = one.account_id AND d.state = 'pending' AND d.holder IS NULL;
        PERFORM ask_for_mail(
            one.account_id, 'stopped', (SELECT a.locale FROM account a WHERE a.account_id = one.account_id),
            substring(one.target FROM '^mailto:([^/]+)'));
        PERFORM pg_notify('alert', '');
    END IF;
    RETURN true;
END
$$;

REVOKE ALL ON FUNCTION
    ask_for_mail(bigint, text, text, text), ask_password_reset(text, text), take_account_mail(bytea), note_account_mail_sent(bigint),
    look_at_password_reset(bytea), reset_password(bytea, text), links_end_with_password(), stop_token(bigint, integer), stop_endpoint(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    ask_password_reset(text, text), look_at_password_reset(bytea), reset_password(bytea, text), stop_endpoint(text) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION take_account_mail(bytea), note_account_mail_sent(bigint), stop_token(bigint, integer) TO aqua_notifier;
