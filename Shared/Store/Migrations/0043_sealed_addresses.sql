-- The address of an endpoint is a capability: whoever knows it can send there. It is sealed with the endpoint's secret (format 2 of
-- sealed_secret), by a key that the database does not have. What stands in target then is its name: scheme, host and port, by which
-- people know it, and a hash, by which the same address is known again. Rows of the version before have the address itself until they
-- are registered anew or sealed by `aqua reseal`.
CREATE FUNCTION endpoint_name(target text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, public, pg_temp AS $$
    -- no address that is registered has a fragment
    SELECT CASE WHEN strpos(target, '#') > 0 THEN target
        ELSE coalesce(substring(target FROM '^https?://[^/?#]+'), '') || '/#'
            || encode(sha256(convert_to(target, 'UTF8')), 'hex') END
$$;

ALTER TABLE endpoint DROP CONSTRAINT endpoint_channel_target_key;
CREATE UNIQUE INDEX endpoint_known ON endpoint (channel, endpoint_name(target));

-- What is sealed is not stored beside it, and what is removed is in no seal either.
CREATE FUNCTION address_is_sealed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF starts_with(NEW.target, 'https://removed.invalid/') THEN
        NEW.sealed_secret := '';
    ELSIF substring(NEW.sealed_secret FROM 1 FOR 1) = '\x02' THEN
        NEW.target := endpoint_name(NEW.target);
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER address_sealed BEFORE INSERT OR UPDATE ON endpoint FOR EACH ROW EXECUTE FUNCTION address_is_sealed();

CREATE OR REPLACE FUNCTION number_endpoint(
    on_channel text, to_target text, person bigint,
    OUT endpoint bigint, OUT account bigint, OUT in_use boolean, OUT others bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    known_as text := endpoint_name(to_target);
BEGIN
    PERFORM require_person(person);
    SELECT coalesce(e.endpoint_id, nextval('endpoint_id')), e.account_id,
        EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id)
    INTO endpoint, account, in_use
    FROM (VALUES (true)) AS one
    LEFT JOIN public.endpoint e ON e.channel = on_channel AND endpoint_name(e.target) = known_as;
    SELECT count(*) INTO others FROM usable_endpoint o
    WHERE o.account_id = person AND NOT (o.channel = on_channel AND endpoint_name(o.target) = known_as);
END
$$;

CREATE OR REPLACE FUNCTION add_endpoint(
    number bigint, person bigint, on_channel text, to_target text, secret bytea, on_client_id uuid
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    added bigint;
BEGIN
    PERFORM require_person(person);
    INSERT INTO endpoint AS e (endpoint_id, account_id, channel, target, sealed_secret, client_id)
    VALUES (number, person, on_channel, to_target, secret, on_client_id)
    ON CONFLICT (channel, endpoint_name(target)) DO UPDATE SET
        account_id = excluded.account_id, target = excluded.target, sealed_secret = excluded.sealed_secret,
        former_secret = NULL, former_until = NULL, retired_at = NULL, retired_because = NULL, paused_at = NULL,
        client_id = excluded.client_id, registration = e.registration + 1, created_at = now()
    -- another request may have been faster
    WHERE e.endpoint_id = excluded.endpoint_id AND (
        e.account_id = excluded.account_id
        OR NOT EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id))
    RETURNING e.endpoint_id INTO added;
    RETURN added;
END
$$;

CREATE OR REPLACE FUNCTION number_web_push(
    to_target text, its_fingerprint bytea, on_client_id uuid, person bigint,
    OUT endpoint bigint, OUT standing text, OUT is_gone boolean, OUT others bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    known_as text := endpoint_name(to_target);
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
    FROM (VALUES (true)) AS one
    LEFT JOIN public.endpoint e ON e.channel = 'webPush' AND endpoint_name(e.target) = known_as;
    SELECT count(*) INTO others FROM usable_endpoint o
    WHERE o.account_id = person AND NOT (
        o.channel = 'webPush'
        AND (endpoint_name(o.target) = known_as OR o.client_id IS NOT DISTINCT FROM on_client_id));
END
$$;

CREATE OR REPLACE FUNCTION add_web_push(
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
    ON CONFLICT (channel, endpoint_name(target)) DO UPDATE SET
        (registration, created_at) = (
            SELECT e.registration + CASE WHEN known THEN 0 ELSE 1 END, CASE WHEN known THEN e.created_at ELSE now() END
            FROM (VALUES (e.account_id = excluded.account_id AND e.fingerprint = excluded.fingerprint
                AND e.vapid_key_id = excluded.vapid_key_id AND e.retired_at IS NULL)) AS v (known)),
        account_id = excluded.account_id, target = excluded.target, sealed_secret = excluded.sealed_secret,
        fingerprint = excluded.fingerprint, vapid_key_id = excluded.vapid_key_id, client_id = excluded.client_id,
        retired_at = NULL, retired_because = NULL, paused_at = NULL
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

REVOKE ALL ON FUNCTION endpoint_name(text), address_is_sealed() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION endpoint_name(text) TO aqua_gateway;
