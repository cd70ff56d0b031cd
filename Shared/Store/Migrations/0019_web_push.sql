-- Web Push: browsers of people as endpoints.

-- The public keys under which browsers subscribe (RFC 8292), as the Notifiers announce them: they have the private ones, and the
-- Gateways tell browsers the one at position 0. A subscription can only be served with the key that it was made with.
CREATE TABLE vapid_key (
    key_id text PRIMARY KEY CHECK (key_id ~ '^[0-9a-f]{16}$'),
    public_key bytea NOT NULL CHECK (length(public_key) = 65),
    position smallint NOT NULL,
    announced_at timestamptz NOT NULL DEFAULT now()
);

-- Of a browser: the key that it subscribed with, and a hash of its own keys, by which it is known when it comes again; whoever has
-- the same keys has the same browser.
ALTER TABLE endpoint
    DROP CONSTRAINT endpoint_channel_check,
    ADD CONSTRAINT endpoint_channel_check CHECK (channel IN ('webhook', 'webPush')),
    ADD COLUMN vapid_key_id text CHECK (vapid_key_id ~ '^[0-9a-f]{16}$'),
    ADD COLUMN fingerprint bytea CHECK (length(fingerprint) = 32),
    ADD CONSTRAINT endpoint_web_push_is_whole CHECK (
        (channel = 'webPush') = (vapid_key_id IS NOT NULL) AND (channel = 'webPush') = (fingerprint IS NOT NULL));

-- What is known of a browser's address before it is registered: the number that it has or will have; whose it is, if anybody's: 'mine',
-- 'same' (of another account, and by the same keys the same browser), 'free' or 'taken'; whether its push service said that this very
-- subscription is gone; and how many other endpoints the person uses, without those of the same installation, which it replaces.
CREATE FUNCTION number_web_push(
    to_target text, its_fingerprint bytea, on_client_id uuid, person bigint,
    OUT endpoint bigint, OUT standing text, OUT is_gone boolean, OUT others bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    SELECT coalesce(e.endpoint_id, nextval('endpoint_id')),
        CASE WHEN e.account_id = person THEN 'mine'
            WHEN e.endpoint_id IS NULL OR NOT EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id)
                THEN 'free'
            WHEN e.fingerprint = its_fingerprint THEN 'same'
            ELSE 'taken' END,
        e.fingerprint IS NOT DISTINCT FROM its_fingerprint AND EXISTS (
            SELECT FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration)
    INTO endpoint, standing, is_gone
    FROM (VALUES (true)) AS one LEFT JOIN public.endpoint e ON e.channel = 'webPush' AND e.target = to_target;
    SELECT count(*) INTO others FROM usable_endpoint o
    WHERE o.account_id = person
        AND NOT (o.channel = 'webPush' AND (o.target = to_target OR o.client_id IS NOT DISTINCT FROM on_client_id));
END
$$;

-- Registers a browser, in place of the one that the installation had before; one that is registered as it is stays so. One of another
-- account moves when it is not in use there, or is the same browser by its keys: whoever signed in last is told. NULL when it is in
-- use by somebody else.
CREATE FUNCTION add_web_push(
    number bigint, person bigint, to_target text, secret bytea, its_fingerprint bytea, key text, on_client_id uuid
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    added bigint;
    replaced bigint[];
BEGIN
    PERFORM require_person(person);
    INSERT INTO endpoint AS e (
        endpoint_id, account_id, channel, target, sealed_secret, client_id, fingerprint, vapid_key_id)
    VALUES (number, person, 'webPush', to_target, secret, on_client_id, its_fingerprint, key)
    ON CONFLICT (channel, target) DO UPDATE SET
        (registration, created_at) = (
            SELECT e.registration + CASE WHEN known THEN 0 ELSE 1 END, CASE WHEN known THEN e.created_at ELSE now() END
            FROM (VALUES (e.account_id = excluded.account_id AND e.fingerprint = excluded.fingerprint
                AND e.vapid_key_id = excluded.vapid_key_id AND e.retired_at IS NULL)) AS v (known)),
        account_id = excluded.account_id, sealed_secret = excluded.sealed_secret, fingerprint = excluded.fingerprint,
        vapid_key_id = excluded.vapid_key_id, client_id = excluded.client_id, retired_at = NULL, retired_because = NULL,
        paused_at = NULL
    -- another request may have been faster
    WHERE e.endpoint_id = excluded.endpoint_id AND (
        e.account_id = excluded.account_id OR e.fingerprint = excluded.fingerprint
        OR NOT EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id))
    RETURNING e.endpoint_id INTO added;
    IF added IS NULL THEN
        RETURN NULL;
    END IF;
    WITH former AS (
        UPDATE endpoint e SET retired_at = now(), retired_because = 'the browser has another subscription'
        WHERE e.account_id = person AND e.client_id = on_client_id AND e.channel = 'webPush' AND e.endpoint_id <> added
            AND e.retired_at IS NULL
        RETURNING e.endpoint_id
    )
    SELECT array_agg(endpoint_id) INTO replaced FROM former;
    IF replaced IS NOT NULL THEN
        -- They come due, so that a notifier ends them unsent.
        UPDATE delivery d SET next_attempt_at = now()
        WHERE d.endpoint_id = ANY (replaced) AND d.state = 'pending' AND d.holder IS NULL;
        PERFORM pg_notify('alert', '');
    END IF;
    RETURN added;
END
$$;

GRANT SELECT, INSERT, UPDATE, DELETE ON vapid_key TO aqua_notifier;
GRANT SELECT ON vapid_key TO aqua_gateway;
REVOKE ALL ON FUNCTION number_web_push(text, bytea, uuid, bigint),
    add_web_push(bigint, bigint, text, bytea, bytea, text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_web_push(text, bytea, uuid, bigint),
    add_web_push(bigint, bigint, text, bytea, bytea, text, uuid) TO aqua_gateway;
