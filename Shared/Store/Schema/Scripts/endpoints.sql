-- Where people are told: registering addresses, and which of them are in use.

-- The endpoints that are in use, by rights and policies of whoever asks: the Gateway sees its person's alone.
CREATE OR REPLACE VIEW usable_endpoint WITH (security_invoker = true) AS
    SELECT e.endpoint_id, e.account_id, e.channel, e.target, e.sealed_secret, e.created_at, e.retired_at, e.retired_because,
        e.former_secret, e.former_until, e.registration, e.client_id, e.paused_at,
        e.rings_always OR e.channel = 'webhook' AS hears_at_once, e.only_urgent, e.sealed_template, e.former_template
    FROM endpoint e
    WHERE e.retired_at IS NULL AND e.paused_at IS NULL
        -- in a form that is looked up for each endpoint, however many the planner expects
        AND (SELECT count(*) FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration) = 0;
GRANT SELECT ON usable_endpoint TO aqua_notifier;
GRANT SELECT, UPDATE (sealed_secret) ON usable_endpoint TO aqua_gateway;

-- Who can be told of anything, and whether at all hours: those of usable endpoints. For engines, who may read no targets and no secrets: the view above asks
-- for the right to all columns, also where it is read through another view. What hears of nothing but what is urgent hears that at all hours,
-- and nothing else while its person has another endpoint: hears_at_once is NULL.
CREATE OR REPLACE VIEW reachable_account AS
    SELECT e.account_id,
        CASE WHEN NOT e.only_urgent THEN e.rings_always OR e.channel = 'webhook'
            WHEN NOT EXISTS (
                SELECT FROM endpoint o
                WHERE o.account_id = e.account_id AND NOT o.only_urgent AND o.retired_at IS NULL AND o.paused_at IS NULL
                    AND (SELECT count(*) FROM endpoint_retirement r
                        WHERE r.endpoint_id = o.endpoint_id AND r.registration = o.registration) = 0)
            THEN false END AS hears_at_once,
        e.channel = 'webhook' AS is_machine
    FROM endpoint e
    WHERE e.retired_at IS NULL AND e.paused_at IS NULL
        AND (SELECT count(*) FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration) = 0;
GRANT SELECT ON reachable_account TO aqua_rules;

-- What is sealed is not stored beside it, and what is removed is in no seal either.
CREATE OR REPLACE FUNCTION address_is_sealed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- a template may hold a token of its receiver's
    IF NEW.retired_at IS NOT NULL THEN
        NEW.form := 'standard';
        NEW.sealed_template := NULL;
        NEW.template_type := NULL;
    END IF;
    IF starts_with(NEW.target, 'https://removed.invalid/') THEN
        NEW.sealed_secret := '';
        NEW.form := 'standard';
        NEW.sealed_template := NULL;
        NEW.template_type := NULL;
    ELSIF substring(NEW.sealed_secret FROM 1 FOR 1) = '\x02' THEN
        NEW.target := endpoint_name(NEW.target);
    END IF;
    RETURN NEW;
END
$$;

-- Keeps how an endpoint was before the first change that a session made of it, each setting by itself, so that the person can take back what that
-- session did; and whose choice that was, so that it does not come back when it is taken back itself. A registration anew begins without,
-- but for the form, which stays.
CREATE OR REPLACE FUNCTION endpoint_is_remembered() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    in_session CONSTANT uuid := CASE WHEN NEW.account_id = current_account() THEN current_session() END;
BEGIN
    IF NEW.retired_at IS NOT NULL OR NEW.registration <> OLD.registration OR NEW.account_id <> OLD.account_id THEN
        IF NEW.retired_at IS NOT NULL OR NEW.account_id <> OLD.account_id THEN
            NEW.form_changed_in := NULL;
        END IF;
        NEW.told_changed_in := NULL;
        NEW.hours_changed_in := NULL;
    -- neither what is taken back, nor what is sealed anew, is a session's change
    ELSIF in_session IS NOT NULL THEN
        IF (NEW.form, NEW.sealed_template, NEW.template_type) IS DISTINCT FROM (OLD.form, OLD.sealed_template, OLD.template_type)
            AND NEW.form_changed_in IS NOT DISTINCT FROM OLD.form_changed_in AND OLD.form_changed_in IS DISTINCT FROM in_session
        THEN
            NEW.form_changed_in := in_session;
            NEW.former_form := OLD.form;
            NEW.former_template := OLD.sealed_template;
            NEW.former_template_type := OLD.template_type;
            NEW.former_form_in := OLD.form_changed_in;
        END IF;
        IF NEW.only_urgent <> OLD.only_urgent
            AND NEW.told_changed_in IS NOT DISTINCT FROM OLD.told_changed_in AND OLD.told_changed_in IS DISTINCT FROM in_session
        THEN
            NEW.told_changed_in := in_session;
            NEW.former_only_urgent := OLD.only_urgent;
            NEW.former_told_in := OLD.told_changed_in;
        END IF;
        IF NEW.rings_always <> OLD.rings_always
            AND NEW.hours_changed_in IS NOT DISTINCT FROM OLD.hours_changed_in AND OLD.hours_changed_in IS DISTINCT FROM in_session
        THEN
            NEW.hours_changed_in := in_session;
            NEW.former_rings_always := OLD.rings_always;
            NEW.former_hours_in := OLD.hours_changed_in;
        END IF;
    END IF;
    IF NEW.form_changed_in IS NULL THEN
        NEW.former_form := NULL;
        NEW.former_template := NULL;
        NEW.former_template_type := NULL;
        NEW.former_form_in := NULL;
    END IF;
    IF NEW.told_changed_in IS NULL THEN
        NEW.former_only_urgent := NULL;
        NEW.former_told_in := NULL;
    END IF;
    IF NEW.hours_changed_in IS NULL THEN
        NEW.former_rings_always := NULL;
        NEW.former_hours_in := NULL;
    END IF;
    RETURN NEW;
END
$$;

-- Gives the endpoints of a person back the form, and what and when they are told, that they had before a session changed them, as far as that is
-- what they have. What the session chose does not come back by taking back others either: before it was the contrary, or a form that is not known
-- any more, for which the standard one stands. What another session than the one that asks had silenced stays told: taking back one's own repair
-- silences nothing.
CREATE OR REPLACE FUNCTION restore_endpoints(person bigint, undone uuid) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE endpoint SET former_form = 'standard', former_template = NULL, former_template_type = NULL, former_form_in = NULL
    WHERE account_id = person AND former_form_in = undone AND retired_at IS NULL;
    UPDATE endpoint SET form = former_form, sealed_template = former_template, template_type = former_template_type,
        form_changed_in = former_form_in, former_form = 'standard', former_template = NULL, former_template_type = NULL, former_form_in = NULL
    WHERE account_id = person AND form_changed_in = undone AND retired_at IS NULL;
    UPDATE endpoint SET former_only_urgent = NOT former_only_urgent, former_told_in = NULL
    WHERE account_id = person AND former_told_in = undone AND retired_at IS NULL;
    UPDATE endpoint SET
        only_urgent = former_only_urgent AND (only_urgent OR coalesce(former_told_in = current_session(), former_told_in IS NULL)),
        told_changed_in = former_told_in, former_only_urgent = NOT former_only_urgent, former_told_in = NULL
    WHERE account_id = person AND told_changed_in = undone AND retired_at IS NULL;
    UPDATE endpoint SET former_rings_always = NOT former_rings_always, former_hours_in = NULL
    WHERE account_id = person AND former_hours_in = undone AND retired_at IS NULL;
    UPDATE endpoint SET
        rings_always = former_rings_always OR rings_always AND NOT coalesce(former_hours_in = current_session(), former_hours_in IS NULL),
        hours_changed_in = former_hours_in, former_rings_always = NOT former_rings_always, former_hours_in = NULL
    WHERE account_id = person AND hours_changed_in = undone AND retired_at IS NULL;
$$;

-- Locks the account whose address it is, so that it is not closed while the address moves from it. Whoever closes an account locks it before its
-- endpoints, and of one that moves the former account hears. Many may do so at once, and two people who take from each other do not wait.
CREATE OR REPLACE FUNCTION lock_account_of_address(on_channel text, to_target text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    known_as CONSTANT text := endpoint_name(to_target);
    present bigint;
    locked bigint;
BEGIN
    LOOP
        SELECT e.account_id INTO present FROM endpoint e WHERE e.channel = on_channel AND endpoint_name(e.target) = known_as;
        -- while the lock was waited for it may have moved
        EXIT WHEN present IS NULL OR present = locked;
        PERFORM FROM account a WHERE a.account_id = present FOR KEY SHARE;
        locked := present;
    END LOOP;
END
$$;

-- The number that an endpoint has or will have, whose it is and whether it is in use, and how many others the person uses. Until the end of the
-- transaction the account whose it is stays.
CREATE OR REPLACE FUNCTION number_endpoint(
    on_channel text, to_target text, person bigint,
    OUT endpoint bigint, OUT account bigint, OUT in_use boolean, OUT others bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    known_as text := endpoint_name(to_target);
BEGIN
    PERFORM require_person(person);
    PERFORM lock_account_of_address(on_channel, to_target);
    SELECT coalesce(e.endpoint_id, nextval('endpoint_id')), e.account_id,
        EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id)
    INTO endpoint, account, in_use
    FROM (VALUES (true)) AS one
    LEFT JOIN public.endpoint e ON e.channel = on_channel AND endpoint_name(e.target) = known_as;
    SELECT count(*) INTO others FROM usable_endpoint o
    WHERE o.account_id = person AND NOT (o.channel = on_channel AND endpoint_name(o.target) = known_as);
END
$$;

-- Registers an endpoint. A retired or paused endpoint becomes usable again. An endpoint of another account moves only when it is
-- not in use, so that nobody takes an address away; NULL when it is in use. The form of its messages stays the person's choice; that of another
-- account's is the standard one again.
CREATE OR REPLACE FUNCTION add_endpoint(
    number bigint, person bigint, on_channel text, to_target text, secret bytea, on_client_id uuid
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    added bigint;
BEGIN
    PERFORM require_person(person);
    INSERT INTO endpoint AS e (endpoint_id, account_id, channel, target, sealed_secret, client_id, only_urgent)
    -- a telephone costs with each message, and wakes
    VALUES (number, person, on_channel, to_target, secret, on_client_id, on_channel IN ('sms', 'call'))
    ON CONFLICT (channel, endpoint_name(target)) DO UPDATE SET
        account_id = excluded.account_id, target = excluded.target, sealed_secret = excluded.sealed_secret,
        former_secret = NULL, former_until = NULL, retired_at = NULL, retired_because = NULL, paused_at = NULL,
        client_id = excluded.client_id, registration = e.registration + 1, created_at = now(),
        rings_always = e.rings_always AND e.account_id = excluded.account_id,
        only_urgent = CASE WHEN e.account_id = excluded.account_id THEN e.only_urgent ELSE excluded.only_urgent END,
        form = CASE WHEN e.account_id = excluded.account_id THEN e.form ELSE 'standard' END,
        sealed_template = CASE WHEN e.account_id = excluded.account_id THEN e.sealed_template END,
        template_type = CASE WHEN e.account_id = excluded.account_id THEN e.template_type END
    -- another request may have been faster
    WHERE e.endpoint_id = excluded.endpoint_id AND (
        e.account_id = excluded.account_id
        OR NOT EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id))
    RETURNING e.endpoint_id INTO added;
    RETURN added;
END
$$;

-- Refuses a channel other than those on which an installation is told: of any other whoever names an address could take it away.
CREATE OR REPLACE FUNCTION require_installed(on_channel text) RETURNS void
LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF on_channel IN ('webPush', 'apns', 'fcm') THEN
        RETURN;
    END IF;
    RAISE EXCEPTION 'no installation is told on the channel %', on_channel USING ERRCODE = 'insufficient_privilege';
END
$$;

-- The channels of which an installation has one endpoint in use: a browser's subscription, or an app's token, whoever's push service that is of.
CREATE OR REPLACE FUNCTION channels_beside(on_channel text) RETURNS text[]
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN on_channel IN ('apns', 'fcm') THEN ARRAY['apns', 'fcm'] ELSE ARRAY[on_channel] END
$$;

-- What is known of the address of a browser or an app before it is registered: the number that it has or will have; whose it is, if
-- anybody's: 'mine', 'same' (of another account, and by the same keys the same browser; an app has no keys, and nobody else knows its
-- address), 'free' or 'taken'; whether its push service said that this very registration is gone; and how many other endpoints the person
-- uses, without those of the same installation, which it replaces. Until the end of the transaction the account whose it is stays.
CREATE OR REPLACE FUNCTION number_installed(
    on_channel text, to_target text, its_fingerprint bytea, on_client_id uuid, person bigint,
    OUT endpoint bigint, OUT standing text, OUT is_gone boolean, OUT others bigint
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    known_as text := endpoint_name(to_target);
BEGIN
    PERFORM require_person(person);
    PERFORM require_installed(on_channel);
    PERFORM lock_account_of_address(on_channel, to_target);
    SELECT coalesce(e.endpoint_id, nextval('endpoint_id')),
        CASE WHEN e.account_id = person THEN 'mine'
            WHEN e.endpoint_id IS NULL OR NOT EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id)
                THEN 'free'
            WHEN e.fingerprint IS NOT DISTINCT FROM its_fingerprint THEN 'same'
            ELSE 'taken' END,
        e.fingerprint IS NOT DISTINCT FROM its_fingerprint AND EXISTS (
            SELECT FROM endpoint_retirement r
            WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration)
    INTO endpoint, standing, is_gone
    FROM (VALUES (true)) AS one
    LEFT JOIN public.endpoint e ON e.channel = on_channel AND endpoint_name(e.target) = known_as;
    SELECT count(*) INTO others FROM usable_endpoint o
    WHERE o.account_id = person AND NOT (
        o.channel = on_channel AND endpoint_name(o.target) = known_as
        OR o.channel = ANY (channels_beside(on_channel)) AND o.client_id IS NOT DISTINCT FROM on_client_id);
END
$$;

-- Registers a browser or an app, in place of the one that the installation had before; one that is registered as it is stays so. One of
-- another account moves when it is not in use there, or is the same: whoever signed in last is told. NULL when it is in use by somebody
-- else.
CREATE OR REPLACE FUNCTION add_installed(
    number bigint, person bigint, on_channel text, to_target text, secret bytea, its_fingerprint bytea, key text, on_client_id uuid
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    added bigint;
    replaced bigint[];
BEGIN
    PERFORM require_person(person);
    PERFORM require_installed(on_channel);
    INSERT INTO endpoint AS e (
        endpoint_id, account_id, channel, target, sealed_secret, client_id, fingerprint, vapid_key_id, confirmed_at, rings_always,
        only_urgent)
    SELECT number, person, on_channel, to_target, secret, on_client_id, its_fingerprint, key, now(),
        -- a browser that subscribes anew rings as it did
        coalesce(bool_or(f.rings_always), false), coalesce(bool_or(f.only_urgent), false)
    FROM endpoint f
    WHERE f.account_id = person AND f.client_id = on_client_id AND f.channel = ANY (channels_beside(on_channel))
        AND f.retired_at IS NULL
    ON CONFLICT (channel, endpoint_name(target)) DO UPDATE SET
        (registration, created_at) = (
            SELECT e.registration + CASE WHEN known THEN 0 ELSE 1 END, CASE WHEN known THEN e.created_at ELSE now() END
            FROM (VALUES (e.account_id = excluded.account_id AND e.fingerprint IS NOT DISTINCT FROM excluded.fingerprint
                AND e.vapid_key_id IS NOT DISTINCT FROM excluded.vapid_key_id AND e.retired_at IS NULL
                -- what its push service has ended is over for a browser; an app that names its token again has it again
                AND (e.channel = 'webPush' OR NOT EXISTS (
                    SELECT FROM endpoint_retirement r
                    WHERE r.endpoint_id = e.endpoint_id AND r.registration = e.registration)))) AS v (known)),
        account_id = excluded.account_id, target = excluded.target, sealed_secret = excluded.sealed_secret,
        fingerprint = excluded.fingerprint, vapid_key_id = excluded.vapid_key_id, client_id = excluded.client_id,
        confirmed_at = excluded.confirmed_at,
        rings_always = e.rings_always AND e.account_id = excluded.account_id OR excluded.rings_always,
        only_urgent = e.only_urgent AND e.account_id = excluded.account_id OR excluded.only_urgent,
        retired_at = NULL, retired_because = NULL, paused_at = NULL
    -- another request may have been faster
    WHERE e.endpoint_id = excluded.endpoint_id AND (
        e.account_id = excluded.account_id OR e.fingerprint IS NOT DISTINCT FROM excluded.fingerprint
        OR NOT EXISTS (SELECT FROM usable_endpoint u WHERE u.endpoint_id = e.endpoint_id))
    RETURNING e.endpoint_id INTO added;
    IF added IS NULL THEN
        RETURN NULL;
    END IF;
    WITH former AS (
        UPDATE endpoint e SET retired_at = now(), retired_because =
            CASE on_channel WHEN 'webPush' THEN 'the browser has another subscription' ELSE 'the app has another token' END
        WHERE e.account_id = person AND e.client_id = on_client_id AND e.channel = ANY (channels_beside(on_channel))
            AND e.endpoint_id <> added AND e.retired_at IS NULL
        RETURNING e.endpoint_id
    )
    SELECT array_agg(endpoint_id) INTO replaced FROM former;
    IF replaced IS NOT NULL THEN
        UPDATE chain_step s SET endpoint_id = added
        WHERE s.endpoint_id = ANY (replaced) AND NOT EXISTS (
            SELECT FROM chain_step o
            WHERE o.slot = s.slot AND o.device_id = s.device_id AND o.account_id = s.account_id
                AND (o.endpoint_id = added OR o.endpoint_id = ANY (replaced) AND o.place < s.place));
        -- They come due, so that a notifier ends them unsent.
        UPDATE delivery d SET next_attempt_at = now()
        WHERE d.endpoint_id = ANY (replaced) AND d.state = 'pending' AND d.holder IS NULL;
        PERFORM pg_notify('alert', '');
    END IF;
    RETURN added;
END
$$;

-- The same for browsers.
CREATE OR REPLACE FUNCTION number_web_push(
    to_target text, its_fingerprint bytea, on_client_id uuid, person bigint,
    OUT endpoint bigint, OUT standing text, OUT is_gone boolean, OUT others bigint
)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT * FROM number_installed('webPush', to_target, its_fingerprint, on_client_id, person)
$$;

CREATE OR REPLACE FUNCTION add_web_push(
    number bigint, person bigint, to_target text, secret bytea, its_fingerprint bytea, key text, on_client_id uuid
) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT add_installed(number, person, 'webPush', to_target, secret, its_fingerprint, key, on_client_id)
$$;

-- Asks the notifiers to send a test message to one endpoint of a person, or to all. The outcome:
--   added; nowhere: no such endpoint is in use; tooMany: the person has had as many in the last ten minutes
CREATE OR REPLACE FUNCTION add_test_alert(
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
    address_is_sealed(), endpoint_is_remembered(), restore_endpoints(bigint, uuid), lock_account_of_address(text, text), number_endpoint(text, text, bigint), add_endpoint(bigint, bigint, text, text, bytea, uuid),
    require_installed(text), channels_beside(text), number_installed(text, text, bytea, uuid, bigint),
    add_installed(bigint, bigint, text, text, bytea, bytea, text, uuid),
    number_web_push(text, bytea, uuid, bigint), add_web_push(bigint, bigint, text, bytea, bytea, text, uuid),
    add_test_alert(bigint, uuid, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    number_endpoint(text, text, bigint), add_endpoint(bigint, bigint, text, text, bytea, uuid),
    number_installed(text, text, bytea, uuid, bigint), add_installed(bigint, bigint, text, text, bytea, bytea, text, uuid),
    number_web_push(text, bytea, uuid, bigint), add_web_push(bigint, bigint, text, bytea, bytea, text, uuid),
    add_test_alert(bigint, uuid, bigint, integer) TO aqua_gateway;
