-- A database at schema 46, as the steps before the baseline built it: made by pg_dump of a database that they had migrated, without its
-- partitions. Nothing here is ever changed.
DO $$
BEGIN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO aqua_ingestor, aqua_rules, aqua_notifier, aqua_gateway', current_database());
END
$$;
SET check_function_bodies = off;
CREATE FUNCTION public.accounts_of(tickets text[]) RETURNS bigint[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT coalesce(array_agg(
        CASE WHEN t.part[3] = seal_of(format('live %s %s', t.part[1], t.part[2]))
            THEN CASE WHEN t.part[2]::bigint > extract(epoch FROM now()) THEN t.part[1]::bigint END END
        ORDER BY t.number), '{}')
    FROM (
        SELECT u.number, string_to_array(u.ticket, ' ') AS part FROM unnest(tickets) WITH ORDINALITY AS u (ticket, number)
    ) AS t
$$;
CREATE FUNCTION public.add_account_event(person bigint, what text, of_what text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT add_account_event(person, what, of_what, CASE WHEN person = current_account() THEN current_session() END, NULL)
$$;
CREATE FUNCTION public.add_account_event(person bigint, what text, of_what text, in_session uuid, from_address text) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    INSERT INTO account_event (account_id, kind, subject, session_id, address)
    VALUES (person, what, left(of_what, 253), in_session, from_address)
$$;
CREATE FUNCTION public.add_endpoint(number bigint, person bigint, on_channel text, to_target text, secret bytea, on_client_id uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.add_ownership(of_slot smallint, of_device integer, person bigint, as_role text, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[]) RETURNS timestamp with time zone
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH linked AS (
        INSERT INTO ownership (slot, device_id, account_id, role, name, linked_at)
        -- never before what has to come first: now() is the start of a transaction that may have waited
        SELECT of_slot, of_device, person, as_role, called, greatest(now(),
            max(unlinked_at) FILTER (WHERE role = 'owner' OR account_id = person),
            max(linked_at) FILTER (WHERE role = 'owner' AND unlinked_at IS NULL))
        FROM ownership WHERE slot = of_slot AND device_id = of_device
        RETURNING linked_at
    ), settings AS (
        INSERT INTO setting (
            slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position, valid_from)
        SELECT of_slot, of_device, person, n.parameter, coalesce((
                SELECT max(version) FROM setting s WHERE s.slot = of_slot AND s.device_id = of_device
                    AND s.account_id = person AND s.parameter = n.parameter), 0) + 1,
            n.unit, n.minimum, n.maximum, n.colour, n.position, linked.linked_at
        FROM linked, unnest(parameters, units, minima, maxima, colours, positions)
            AS n (parameter, unit, minimum, maximum, colour, position)
    )
    SELECT linked_at FROM linked;
$$;
CREATE FUNCTION public.add_test_alert(person bigint, known_as uuid, to_endpoint bigint, most integer, OUT outcome text, OUT of_slot smallint, OUT alert bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.add_web_push(number bigint, person bigint, to_target text, secret bytea, its_fingerprint bytea, key text, on_client_id uuid) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.address_is_sealed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF starts_with(NEW.target, 'https://removed.invalid/') THEN
        NEW.sealed_secret := '';
    ELSIF substring(NEW.sealed_secret FROM 1 FOR 1) = '\x02' THEN
        NEW.target := endpoint_name(NEW.target);
    END IF;
    RETURN NEW;
END
$$;
CREATE TABLE public.alert (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer,
    account_id bigint NOT NULL,
    alert_id bigint NOT NULL,
    episode_id bigint,
    kind text NOT NULL,
    purpose text NOT NULL,
    side text,
    value real,
    worst real,
    limit_value real,
    check_probe boolean DEFAULT false NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    event_time timestamp with time zone NOT NULL,
    received_at timestamp with time zone,
    decided_at timestamp with time zone DEFAULT now() NOT NULL,
    state text DEFAULT 'decided'::text NOT NULL,
    uid uuid,
    critical boolean DEFAULT false NOT NULL,
    unstable boolean DEFAULT false NOT NULL,
    change real,
    change_seconds integer,
    heading text,
    expected_at timestamp with time zone,
    ended boolean DEFAULT false NOT NULL,
    CONSTRAINT alert_change_seconds_check CHECK ((change_seconds >= 0)),
    CONSTRAINT alert_check CHECK (((kind = 'test'::text) = (purpose = 'test'::text))),
    CONSTRAINT alert_check1 CHECK (((kind = 'test'::text) = (episode_id IS NULL))),
    CONSTRAINT alert_check2 CHECK (((kind = 'test'::text) = (device_id IS NULL))),
    CONSTRAINT alert_heading_check CHECK ((heading = ANY (ARRAY['low'::text, 'high'::text]))),
    CONSTRAINT alert_parameter_check CHECK (((parameter >= 0) AND (parameter <= 16))),
    CONSTRAINT alert_purpose_check CHECK ((purpose = ANY (ARRAY['alarm'::text, 'reminder'::text, 'recovery'::text, 'test'::text]))),
    CONSTRAINT alert_side_check CHECK ((side = ANY (ARRAY['low'::text, 'high'::text]))),
    CONSTRAINT alert_state_check CHECK ((state = ANY (ARRAY['decided'::text, 'sending'::text, 'delivered'::text, 'undelivered'::text, 'cancelled'::text])))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='5000');
CREATE FUNCTION public.alarms_of(of_slot smallint, of_device integer, people bigint[]) RETURNS public.alert[]
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT array_agg(last) FROM (
        SELECT DISTINCT ON (a.account_id) a AS last
        FROM episode e JOIN alert a ON a.slot = e.slot AND a.episode_id = e.episode_id
        WHERE e.slot = of_slot AND e.device_id = of_device AND e.account_id = ANY (people) AND e.closed_at IS NULL
            AND a.account_id = e.account_id AND a.purpose IN ('alarm', 'reminder')
            AND a.state IN ('decided', 'sending', 'delivered')
        ORDER BY a.account_id, a.critical DESC, a.kind = 'range' DESC, a.alert_id DESC) AS told
$$;
CREATE FUNCTION public.begin_as_before(of_slot smallint, of_device integer, person bigint, owner bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH former AS (
        SELECT DISTINCT ON (s.parameter) s.* FROM setting s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND (s.account_id = person AND s.valid_until IS NOT NULL OR s.account_id = owner AND s.valid_until IS NULL)
        ORDER BY s.parameter, s.account_id = person DESC, s.version DESC
    )
    UPDATE setting s SET unit = f.unit, minimum = f.minimum, maximum = f.maximum, critical_minimum = f.critical_minimum,
        critical_maximum = f.critical_maximum, delay_seconds = f.delay_seconds, tells_unstable = f.tells_unstable,
        change_per_hour = f.change_per_hour, ahead_minutes = f.ahead_minutes,
        -- these are a matter of taste
        colour = CASE WHEN f.account_id = person THEN f.colour ELSE s.colour END,
        position = CASE WHEN f.account_id = person THEN f.position ELSE s.position END
    FROM former f
    WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = person AND s.valid_until IS NULL
        AND s.parameter = f.parameter
$$;
CREATE FUNCTION public.believe_clock(reading timestamp with time zone) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH clock AS (
        SELECT date_bin('1 hour', least(reading, doubted_since) - interval '15 minutes', 'epoch') AS first_open,
            date_bin('1 hour', reading - interval '15 minutes', 'epoch') AS next_open
        FROM clock_watch
    )
    UPDATE rollup_progress SET hours_since = least(hours_since, first_open), hours_until = first_open
    FROM clock WHERE hours_until > next_open;
    UPDATE clock_watch SET trusted_at = reading, doubted_since = NULL, doubted_at = NULL, doubted_from = NULL;
$$;
CREATE FUNCTION public.check_password(person bigint, derived_hash text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT EXISTS (SELECT FROM account a WHERE a.account_id = person AND a.password_hash = derived_hash)
$$;
CREATE FUNCTION public.choose_probe(of_slot smallint, of_device integer, chosen text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.role = 'owner'
        AND o.unlinked_at IS NULL
    FOR UPDATE;
    IF NOT FOUND OR NOT EXISTS (
        SELECT FROM person_probe p WHERE p.slot = of_slot AND p.device_id = of_device AND p.probe_id = chosen)
    THEN
        RETURN false;
    END IF;
    INSERT INTO temperature_probe AS t (slot, device_id, probe_id, chosen_at) VALUES (of_slot, of_device, chosen, now())
    ON CONFLICT (slot, device_id) DO UPDATE SET probe_id = excluded.probe_id, chosen_at = excluded.chosen_at
    WHERE t.probe_id <> excluded.probe_id;
    RETURN true;
END
$$;
CREATE FUNCTION public.claim_device(hashes bytea[], person bigint, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[], OUT outcome text, OUT claimed_slot smallint, OUT claimed_device integer, OUT hardware text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.clock_is_trusted() RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(
        (SELECT now() BETWEEN trusted_at - interval '5 minutes' AND trusted_at + interval '5 minutes'
        FROM public.clock_watch WHERE is_only), true)
$$;
CREATE FUNCTION public.clock_lag(of_slot smallint, of_device integer) RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT coalesce((SELECT lag_seconds FROM device_clock WHERE slot = of_slot AND device_id = of_device), 0)
$$;
CREATE FUNCTION public.close_account(person bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    held record;
    address text;
BEGIN
    PERFORM require_person(person);
    PERFORM FROM slot WHERE slot IN (SELECT o.slot FROM ownership o WHERE o.account_id = person) ORDER BY slot FOR UPDATE;
    SELECT email INTO address FROM account WHERE account_id = person FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    FOR held IN
        SELECT slot, device_id, role FROM ownership WHERE account_id = person AND unlinked_at IS NULL
        ORDER BY slot, device_id
    LOOP
        IF held.role = 'owner' THEN
            PERFORM unlink_device(held.slot, held.device_id, person,
                sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), repeat('0', 16));
        ELSE
            PERFORM end_watching(held.slot, held.device_id, person);
        END IF;
    END LOOP;
    -- While these are locked no delivery is added.
    PERFORM FROM alert WHERE account_id = person ORDER BY slot, alert_id FOR UPDATE;
    INSERT INTO erasure (slot, kind, device_id, from_time, until_time)
    SELECT d.slot, s.kind, d.device_id, lower(s.span), upper(s.span)
    FROM (SELECT DISTINCT slot, device_id FROM ownership WHERE account_id = person) AS d
    CROSS JOIN LATERAL spans_of_nobody_else(d.slot, d.device_id, person) AS s;
    DELETE FROM delivery_attempt t USING alert a
    WHERE a.account_id = person AND t.slot = a.slot AND t.alert_id = a.alert_id;
    DELETE FROM delivery d USING alert a WHERE a.account_id = person AND d.slot = a.slot AND d.alert_id = a.alert_id;
    DELETE FROM alert WHERE account_id = person;
    DELETE FROM transition t USING episode e, ownership o
    WHERE o.account_id = person AND e.slot = o.slot AND e.device_id = o.device_id AND e.account_id = person
        AND t.slot = e.slot AND t.episode_id = e.episode_id;
    DELETE FROM episode e USING ownership o
    WHERE o.account_id = person AND e.slot = o.slot AND e.device_id = o.device_id AND e.account_id = person;
    DELETE FROM throttle t USING ownership o
    WHERE o.account_id = person AND t.slot = o.slot AND t.device_id = o.device_id AND t.account_id = person;
    DELETE FROM setting WHERE account_id = person;
    UPDATE device d SET left_at = greatest(d.left_at, o.unlinked_at) FROM (
        SELECT slot, device_id, max(unlinked_at) AS unlinked_at FROM ownership
        WHERE account_id = person AND role = 'owner' GROUP BY slot, device_id) AS o
    WHERE d.slot = o.slot AND d.device_id = o.device_id;
    DELETE FROM ownership WHERE account_id = person;
    DELETE FROM device_invitation WHERE account_id = person;
    DELETE FROM idempotency_key WHERE account_id = person;
    DELETE FROM personal_token WHERE account_id = person;
    DELETE FROM session WHERE account_id = person;
    DELETE FROM account_invitation WHERE used_by = person OR email = address;
    -- An endpoint that another person had before stays as part of their history, without its target.
    UPDATE endpoint e SET account_id = former.account_id, target = 'https://removed.invalid/' || e.endpoint_id,
        former_secret = NULL, former_until = NULL, client_id = NULL, paused_at = NULL,
        retired_at = coalesce(e.retired_at, now()), retired_because = 'it moved to another account'
    FROM (
        SELECT d.endpoint_id, max(d.account_id) AS account_id FROM delivery d
        WHERE d.endpoint_id IN (SELECT o.endpoint_id FROM endpoint o WHERE o.account_id = person)
        GROUP BY d.endpoint_id
    ) AS former
    WHERE e.endpoint_id = former.endpoint_id;
    DELETE FROM endpoint_retirement r USING endpoint e WHERE e.account_id = person AND r.endpoint_id = e.endpoint_id;
    DELETE FROM endpoint WHERE account_id = person;
    DELETE FROM account WHERE account_id = person;
    RETURN true;
END
$$;
CREATE FUNCTION public.current_account() RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    named CONSTANT text[] := string_to_array(current_setting('aqua.account', true), ' ');
BEGIN
    RETURN CASE WHEN CASE WHEN named[2] IS NULL THEN pg_has_role(session_user, current_user, 'USAGE')
        ELSE named[2] = seal_of(format('account %s %s', named[1], extract(epoch FROM now()))) END
        THEN NULLIF(named[1], '')::bigint END;
END
$$;
CREATE FUNCTION public.current_session() RETURNS uuid
    LANGUAGE sql STABLE
    AS $$
    SELECT NULLIF(current_setting('aqua.session', true), '')::uuid
$$;
CREATE FUNCTION public.delete_old_alerts(keep interval, most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '1s'
    AS $$
DECLARE
    episodes_of smallint[];
    episodes bigint[];
    alerts_of smallint[];
    alerts bigint[];
    tests integer;
    kept interval;
BEGIN
    IF keep < interval '8 days' THEN
        RAISE EXCEPTION 'at least 8 days are kept';
    END IF;
    IF NOT clock_is_trusted() THEN
        RETURN 0;
    END IF;
    SELECT greatest(delete_old_alerts.keep, r.keep) INTO STRICT kept FROM retention r WHERE kind = 'alerts';
    SELECT array_agg(slot), array_agg(episode_id) INTO episodes_of, episodes FROM (
        SELECT slot, episode_id FROM episode e
        WHERE closed_at < now() - kept AND recovery_due_at IS NULL
            -- in a form that is looked up for each episode: as NOT EXISTS it goes over all alerts
            AND coalesce((SELECT bool_and(a.state NOT IN ('decided', 'sending')) FROM alert a
                WHERE a.slot = e.slot AND a.episode_id = e.episode_id), true)
        ORDER BY closed_at
        LIMIT most
        FOR UPDATE SKIP LOCKED) AS old;
    SELECT array_agg(slot), array_agg(alert_id), count(*) FILTER (WHERE is_test) INTO alerts_of, alerts, tests FROM (
        SELECT a.slot, a.alert_id, false AS is_test FROM unnest(episodes_of, episodes) AS e (slot, episode_id)
        JOIN alert a ON a.slot = e.slot AND a.episode_id = e.episode_id
        UNION ALL (
            SELECT slot, alert_id, true FROM alert
            WHERE kind = 'test' AND decided_at < now() - kept AND state NOT IN ('decided', 'sending')
            ORDER BY decided_at
            LIMIT most)) AS old;
    DELETE FROM delivery_attempt t USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE t.slot = a.slot AND t.alert_id = a.alert_id;
    DELETE FROM delivery d USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE d.slot = a.slot AND d.alert_id = a.alert_id;
    DELETE FROM alert USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE alert.slot = a.slot AND alert.alert_id = a.alert_id;
    DELETE FROM transition t USING unnest(episodes_of, episodes) AS e (slot, episode_id)
    WHERE t.slot = e.slot AND t.episode_id = e.episode_id;
    DELETE FROM episode USING unnest(episodes_of, episodes) AS e (slot, episode_id)
    WHERE episode.slot = e.slot AND episode.episode_id = e.episode_id;
    RETURN coalesce(cardinality(episodes), 0) + tests;
END
$$;
CREATE FUNCTION public.delete_old_rejects(most integer) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH old AS (
        SELECT slot, device_id, day, reason, subject FROM device_reject
        WHERE day < (now() AT TIME ZONE 'UTC')::date - 7
        LIMIT most
        FOR UPDATE SKIP LOCKED
    ), deleted AS (
        DELETE FROM device_reject r USING old o
        WHERE r.slot = o.slot AND r.device_id = o.device_id AND r.day = o.day AND r.reason = o.reason AND r.subject = o.subject
        RETURNING 1
    )
    SELECT count(*)::integer FROM deleted
$$;
CREATE FUNCTION public.device_rhythm(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamp with time zone) RETURNS TABLE(heard_at timestamp with time zone, usual_us bigint, parameters integer, missing integer, missing_since timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
    at_once CONSTANT interval := '10 seconds';
    needed CONSTANT integer := CASE WHEN of_parameter IS NULL THEN 3 ELSE 17 END;
    depth integer;
    found record;
BEGIN
    FOREACH depth IN ARRAY CASE WHEN of_parameter IS NULL THEN '{17,300}'::integer[] ELSE '{2000}' END LOOP
        WITH newest AS (
            SELECT last_receipt(s.received_at, s.filled) AS receipt, s.event_time,
                (s.temperature IS NOT NULL)::integer + (s.ph IS NOT NULL)::integer * 2
                + (s.ammonia IS NOT NULL)::integer * 4 + (s.nitrate IS NOT NULL)::integer * 8
                + (s.nitrite IS NOT NULL)::integer * 16 + (s.alkalinity IS NOT NULL)::integer * 32
                + (s.hardness IS NOT NULL)::integer * 64 + (s.dissolved_oxygen IS NOT NULL)::integer * 128
                + (s.salinity IS NOT NULL)::integer * 256 + (s.oxygen_saturation IS NOT NULL)::integer * 512
                + (s.free_ammonia IS NOT NULL)::integer * 1024 + (s.carbon_dioxide IS NOT NULL)::integer * 2048
                + (s.orp IS NOT NULL)::integer * 4096 + (s.conductivity IS NOT NULL)::integer * 8192
                + (s.tds IS NOT NULL)::integer * 16384 + (s.turbidity IS NOT NULL)::integer * 32768
                + (s.turbidity_fnu IS NOT NULL)::integer * 65536 AS present
            FROM sample s
            WHERE s.slot = of_slot AND s.device_id = of_device
                AND s.event_time >= now() - interval '8 days' AND s.event_time < now() + interval '10 minutes'
            ORDER BY s.event_time DESC LIMIT depth
        ), heard AS (
            SELECT * FROM newest WHERE of_parameter IS NULL OR present >> of_parameter & 1 = 1
        ), paused AS (
            SELECT receipt, receipt - lag(receipt) OVER (ORDER BY receipt) AS pause FROM heard
        ), latest AS (
            SELECT pause FROM paused WHERE pause >= at_once ORDER BY receipt DESC LIMIT 16
        )
        SELECT count(*) AS readings, max(receipt) AS last, max(receipt) - min(receipt) AS received_within,
            max(event_time) - min(event_time) AS measured_within,
            (SELECT count(*) FROM latest) AS pauses,
            (SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY pause) FROM latest) AS usual,
            (SELECT count(*) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing,
            (SELECT min(newest.receipt) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing_since,
            (SELECT bit_or(present) FROM newest
                WHERE receipt >= least(silent_before, (SELECT max(receipt) FROM newest))) AS parameters
        INTO found FROM heard;
        EXIT WHEN found.pauses >= 2 OR found.readings < 17;
    END LOOP;
    heard_at := found.last;
    parameters := coalesce(found.parameters, 0);
    missing := found.missing;
    missing_since := found.missing_since;
    IF found.readings >= needed AND found.pauses >= needed - 1 THEN
        usual_us := extract(epoch FROM found.usual) * 1000000;
    ELSIF found.readings >= needed AND found.measured_within <= 2 * found.received_within + at_once THEN
        usual_us := extract(epoch FROM at_once) * 1000000; -- it sends all the time
    END IF;
    IF of_parameter IS NULL AND heard_at < silent_before THEN
        SELECT greatest(heard_at, max(last_receipt(s.received_at, s.filled))) INTO heard_at FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND s.event_time >= now() - interval '26 hours' AND s.event_time < now() + interval '10 minutes';
    END IF;
    RETURN NEXT;
END
$$;
CREATE FUNCTION public.device_was_linked() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO silence_check (slot, device_id) SELECT DISTINCT slot, device_id FROM linked ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TABLE public.clock_watch (
    is_only boolean DEFAULT true NOT NULL,
    trusted_at timestamp with time zone,
    doubted_since timestamp with time zone,
    doubted_at timestamp with time zone,
    doubted_from xid8,
    CONSTRAINT clock_watch_check CHECK ((num_nulls(doubted_since, doubted_at, doubted_from) = ANY (ARRAY[0, 3]))),
    CONSTRAINT clock_watch_is_only_check CHECK (is_only)
)
WITH (fillfactor='10');
CREATE FUNCTION public.devices_confirm_clock(reading timestamp with time zone, watch public.clock_watch) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH asked AS MATERIALIZED (
        SELECT slot, device_id FROM device ORDER BY random() LIMIT 300
    ), voice AS MATERIALIZED (
        SELECT
            since.device_id IS NOT NULL AS is_heard,
            before.lag IS NOT NULL AS is_witness,
            before.lag IS NOT NULL AND since.flags & 1 = 0 AND abs(extract(epoch FROM since.lag - before.lag)) <= 300
                AS confirms,
            before.lag IS NOT NULL
                AND (since.flags & 4 <> 0
                    OR since.flags & 1 = 0 AND abs(extract(epoch FROM since.lag - before.lag)) > 300) AS contradicts
        FROM asked a
        LEFT JOIN LATERAL (
            SELECT recent.lag FROM (
                SELECT s.received_at - s.event_time AS lag, s.flags, age(s.xmin) AS age FROM sample s
                WHERE s.slot = a.slot AND s.device_id = a.device_id
                    AND s.event_time <= watch.trusted_at + interval '5 minutes'
                    AND s.event_time > watch.trusted_at - interval '25 hours'
                ORDER BY s.event_time DESC
                LIMIT 100
            ) AS recent
            WHERE recent.flags & 7 = 0 AND recent.age >= age(watch.doubted_from::xid)
            LIMIT 1
        ) AS before ON true
        LEFT JOIN LATERAL (
            SELECT a.device_id, recent.lag, recent.flags FROM (
                SELECT s.received_at - s.event_time AS lag, s.flags, age(s.xmin) AS age, s.received_at FROM sample s
                WHERE s.slot = a.slot AND s.device_id = a.device_id
                    AND s.event_time <= reading + interval '5 minutes' AND s.event_time > reading - interval '8 days'
                ORDER BY s.event_time DESC
                LIMIT 100
            ) AS recent
            WHERE recent.age < age(watch.doubted_from::xid) AND recent.received_at > reading - interval '5 minutes'
            LIMIT 1
        ) AS since ON true
    )
    SELECT CASE
        WHEN 2 * count(*) FILTER (WHERE confirms) > count(*) FILTER (WHERE is_witness)
            AND count(*) FILTER (WHERE confirms) >= least(3, count(*) FILTER (WHERE is_heard)) THEN 1
        WHEN 2 * count(*) FILTER (WHERE contradicts) > count(*) FILTER (WHERE is_witness) THEN -1
        ELSE 0
    END
    FROM voice
$$;
CREATE FUNCTION public.drop_oldest_partition(parent text, keep interval) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '250ms'
    AS $_$
DECLARE
    partition text;
    first date;
    starts timestamptz;
    ends timestamptz;
    kept interval;
    is_empty boolean := false;
BEGIN
    IF parent NOT IN ('sample', 'sample_hour') THEN
        RAISE EXCEPTION 'only sample and sample_hour have partitions';
    END IF;
    IF keep < interval '8 days' THEN
        RAISE EXCEPTION 'at least 8 days are kept';
    END IF;
    -- What a late sample has changed in between has to be seen.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'only at READ COMMITTED';
    END IF;
    -- Of several Ingestors one is enough.
    IF NOT clock_is_trusted() OR NOT pg_try_advisory_xact_lock(7133704) THEN
        RETURN NULL;
    END IF;
    IF parent = 'sample' THEN
        FOR partition IN
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'public.sample'::regclass AND c.relname ~ '^sample_[0-9]{8}$'
                AND c.relname > 'sample_' || to_char((now() AT TIME ZONE 'UTC')::date + 4, 'YYYYMMDD')
            ORDER BY c.relname
        LOOP
            EXECUTE format('SELECT NOT EXISTS (SELECT FROM public.%I)', partition) INTO is_empty;
            CONTINUE WHEN NOT is_empty;
            LOCK TABLE ONLY public.sample IN ACCESS EXCLUSIVE MODE;
            EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', partition);
            EXECUTE format('SELECT NOT EXISTS (SELECT FROM public.%I)', partition) INTO is_empty;
            CONTINUE WHEN NOT is_empty;
            EXECUTE format('DROP TABLE public.%I', partition);
            RETURN partition;
        END LOOP;
    END IF;
    SELECT greatest(drop_oldest_partition.keep, r.keep, interval '9 days') INTO STRICT kept
    FROM retention r WHERE kind = CASE parent WHEN 'sample' THEN 'samples' ELSE 'hours' END;
    SELECT c.relname, to_date(substring(c.relname FROM '[0-9]+$'), CASE parent WHEN 'sample' THEN 'YYYYMMDD' ELSE 'YYYYMM' END)
    INTO partition, first
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('public.%I', parent)::regclass AND c.relname ~ ('^' || parent || '_[0-9]+$')
    ORDER BY c.relname LIMIT 1;
    starts := first::timestamp AT TIME ZONE 'UTC';
    ends := (first + CASE parent WHEN 'sample' THEN interval '1 day' ELSE interval '1 month' END) AT TIME ZONE 'UTC';
    -- Nothing whose partition is made again for a late sample may have been rolled up and dropped before: those are taken up
    -- to a day before the retention ends, and 8 days back at least.
    IF ends IS NULL OR ends > now() - kept OR NOT may_be_forgotten(starts, ends) THEN
        RETURN NULL;
    END IF;
    EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', partition);
    -- Again, now that nobody can add anything.
    IF NOT may_be_forgotten(starts, ends) THEN
        RETURN NULL;
    END IF;
    EXECUTE format('DROP TABLE public.%I', partition);
    RETURN partition;
END
$_$;
CREATE FUNCTION public.end_holders() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.end_ownerships(of_slot smallint, of_device integer, people bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM FROM alert
    WHERE slot = of_slot AND device_id = of_device AND account_id = ANY (people) AND state IN ('decided', 'sending')
    ORDER BY slot, alert_id
    FOR UPDATE;
    WITH closed AS (
        UPDATE episode SET closed_at = greatest(now(), last_at), closed_because = 'unlinked'
        WHERE slot = of_slot AND device_id = of_device AND account_id = ANY (people) AND closed_at IS NULL
        RETURNING slot, episode_id, closed_at
    ), explained AS (
        INSERT INTO transition (slot, episode_id, event_time, reason, notification)
        SELECT slot, episode_id, closed_at, 'unlinked', 'none' FROM closed
    ), silenced AS (
        UPDATE episode SET recovery_due_at = NULL
        WHERE slot = of_slot AND device_id = of_device AND account_id = ANY (people) AND recovery_due_at IS NOT NULL
    ), throttles AS (
        DELETE FROM throttle WHERE slot = of_slot AND device_id = of_device AND account_id = ANY (people)
    ), cancelled AS (
        UPDATE alert SET state = 'cancelled'
        WHERE slot = of_slot AND device_id = of_device AND account_id = ANY (people) AND state IN ('decided', 'sending')
        RETURNING slot, alert_id
    ), settings AS (
        UPDATE setting SET valid_until = greatest(now(), valid_from)
        WHERE slot = of_slot AND device_id = of_device AND account_id = ANY (people) AND valid_until IS NULL
    ), ended AS (
        UPDATE ownership SET unlinked_at = greatest(now(), linked_at)
        WHERE slot = of_slot AND device_id = of_device AND account_id = ANY (people) AND unlinked_at IS NULL
    )
    UPDATE delivery d SET state = 'cancelled', ended_at = now()
    FROM cancelled c WHERE d.slot = c.slot AND d.alert_id = c.alert_id AND d.state = 'pending';
END
$$;
CREATE FUNCTION public.end_session_of_token(token bytea) RETURNS integer
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT end_sessions_of(t.account_id, ARRAY[t.session_id], 'signedOut') FROM refresh_token t WHERE t.token_hash = token
$$;
CREATE FUNCTION public.end_sessions(person bigint, only_session uuid, but_session uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM require_person(person);
    RETURN end_sessions_of(person, ARRAY(
        SELECT session_id FROM session
        WHERE account_id = person AND ended_at IS NULL AND (only_session IS NULL OR session_id = only_session)
            AND session_id IS DISTINCT FROM but_session), 'signedOut');
END
$$;
CREATE FUNCTION public.end_sessions_of(person bigint, chosen uuid[], because text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.end_watching(of_slot smallint, of_device integer, person bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    alarms alert[];
BEGIN
    IF NOT EXISTS (
        SELECT FROM ownership
        WHERE slot = of_slot AND device_id = of_device AND account_id = current_account() AND role = 'owner'
            AND unlinked_at IS NULL)
    THEN
        PERFORM require_person(person);
    END IF;
    UPDATE slot SET state_version = state_version + 1 WHERE slot = of_slot;
    PERFORM FROM ownership
    WHERE slot = of_slot AND device_id = of_device AND account_id = person AND role = 'watcher' AND unlinked_at IS NULL
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF person IS DISTINCT FROM current_account() THEN
        alarms := alarms_of(of_slot, of_device, ARRAY[person]);
    END IF;
    PERFORM end_ownerships(of_slot, of_device, ARRAY[person]);
    PERFORM tell_end(alarms);
    RETURN true;
END
$$;
CREATE FUNCTION public.endpoint_is_noted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM add_account_event(
        NEW.account_id, CASE WHEN NEW.retired_at IS NULL THEN 'endpointAdded' ELSE 'endpointRemoved' END,
        substring(NEW.target FROM '^https?://([^/:?#@]+)'));
    RETURN NULL;
END
$$;
CREATE FUNCTION public.endpoint_name(target text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    -- no address that is registered has a fragment
    SELECT CASE WHEN strpos(target, '#') > 0 THEN target
        ELSE coalesce(substring(target FROM '^https?://[^/?#]+'), '') || '/#'
            || encode(sha256(convert_to(target, 'UTF8')), 'hex') END
$$;
CREATE FUNCTION public.enter_session(entered uuid) RETURNS TABLE(account bigint, locale text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    SELECT s.account_id, a.locale INTO account, locale
    FROM session s JOIN account a ON a.account_id = s.account_id WHERE s.session_id = entered AND is_live(s);
    IF FOUND THEN
        PERFORM name_person(account);
        RETURN NEXT;
    END IF;
END
$$;
CREATE FUNCTION public.enter_token(hash bytea) RETURNS TABLE(account bigint, locale text, token uuid, scope text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
    RETURN NEXT;
END
$$;
CREATE FUNCTION public.erase_readings(most integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '1s'
    AS $$
DECLARE
    due erasure;
    erased integer;
BEGIN
    SELECT * INTO due FROM erasure ORDER BY slot, erasure_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF due.kind = 'samples' THEN
        WITH oldest AS (
            SELECT event_time FROM sample
            WHERE slot = due.slot AND device_id = due.device_id
                AND event_time >= due.from_time AND event_time < due.until_time
            ORDER BY event_time
            LIMIT most
        )
        DELETE FROM sample s USING oldest
        WHERE s.slot = due.slot AND s.device_id = due.device_id AND s.event_time = oldest.event_time;
    ELSIF due.kind = 'hours' THEN
        WITH oldest AS (
            SELECT starts_at FROM sample_hour
            WHERE slot = due.slot AND device_id = due.device_id
                AND starts_at >= due.from_time AND starts_at < due.until_time
            ORDER BY starts_at
            LIMIT most
        )
        DELETE FROM sample_hour s USING oldest
        WHERE s.slot = due.slot AND s.device_id = due.device_id AND s.starts_at = oldest.starts_at;
    ELSE
        DELETE FROM sample_day
        WHERE slot = due.slot AND device_id = due.device_id
            AND starts_at >= due.from_time AND starts_at < due.until_time;
    END IF;
    GET DIAGNOSTICS erased = ROW_COUNT;
    IF erased < most OR due.kind = 'days' THEN
        DELETE FROM erasure WHERE slot = due.slot AND erasure_id = due.erasure_id;
    END IF;
    RETURN erased;
END
$$;
CREATE FUNCTION public.erase_reported_probes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM reported_probe
    WHERE slot = OLD.slot AND device_id = OLD.device_id AND reported_at >= OLD.from_time AND reported_at < OLD.until_time;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.find_credentials(address text) RETURNS TABLE(account bigint, password_hash text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT a.account_id, a.password_hash FROM account a WHERE a.email = address
$$;
CREATE FUNCTION public.find_familiarity(of_address text, of_client_id uuid, from_address text) RETURNS text
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT CASE WHEN bool_or(s.client_id = of_client_id) THEN 'client' WHEN bool_or(s.address = from_address) THEN 'network' END
    FROM account a JOIN session s ON s.account_id = a.account_id
    WHERE a.email = of_address AND s.ended_because IS DISTINCT FROM 'reused'
$$;
CREATE FUNCTION public.find_password_salt(address text) RETURNS TABLE(account bigint, salt text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
    SELECT a.account_id, regexp_replace(a.password_hash, '[^$]*$', '') FROM account a WHERE a.email = address
$_$;
CREATE FUNCTION public.follow_slots(as_follower uuid, which bigint, lasting interval) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    most CONSTANT integer := 256; -- Gateways: each commit of readings looks at all
    until CONSTANT timestamptz := now() + least(lasting, interval '5 minutes');
BEGIN
    DELETE FROM live_follower WHERE expires_at < now() - interval '1 minute' AND follower <> as_follower;
    IF most <= (SELECT count(*) FROM live_follower WHERE follower <> as_follower) THEN
        RAISE EXCEPTION USING ERRCODE = 'program_limit_exceeded', MESSAGE = 'too many Gateways listen';
    END IF;
    INSERT INTO live_follower (follower, slots, expires_at) VALUES (as_follower, which, until)
    ON CONFLICT (follower) DO UPDATE SET slots = excluded.slots, expires_at = excluded.expires_at;
END
$$;
CREATE FUNCTION public.followed_devices(accounts bigint[]) RETURNS TABLE(account_id bigint, slot smallint, device_id integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT o.account_id, o.slot, o.device_id FROM ownership o
    WHERE o.account_id = ANY (accounts) AND o.unlinked_at IS NULL
    ORDER BY o.account_id, o.slot, o.device_id
$$;
CREATE FUNCTION public.followed_devices(tickets text[]) RETURNS TABLE(account_id bigint, slot smallint, device_id integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$SELECT * FROM followed_devices(accounts_of(tickets))$$;
CREATE FUNCTION public.forget_account_events() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    DELETE FROM account_event WHERE account_id = OLD.account_id;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.forget_snoozes(of_slot smallint, of_device integer, person bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM require_person(person);
    DELETE FROM snooze WHERE account_id = person AND slot = of_slot AND device_id = of_device AND ended_at IS NOT NULL
        AND snooze_id < (
            SELECT snooze_id FROM snooze WHERE account_id = person AND slot = of_slot AND device_id = of_device
            ORDER BY snooze_id DESC OFFSET 200 LIMIT 1);
END
$$;
CREATE FUNCTION public.heard_pauses(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamp with time zone, learnt_until timestamp with time zone, shortest interval) RETURNS TABLE(heard_at timestamp with time zone, first_at timestamp with time zone, readings integer, gathered_us bigint, pauses bytea, parameters integer, missing integer, missing_since timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    at_once CONSTANT interval := '10 seconds';
    depth integer;
    found record;
BEGIN
    FOREACH depth IN ARRAY CASE WHEN of_parameter IS NULL THEN '{17,60,300,2000}'::integer[] ELSE '{2000}' END LOOP
        WITH newest AS (
            SELECT last_receipt(s.received_at, s.filled) AS receipt,
                (s.temperature IS NOT NULL)::integer + (s.ph IS NOT NULL)::integer * 2
                + (s.ammonia IS NOT NULL)::integer * 4 + (s.nitrate IS NOT NULL)::integer * 8
                + (s.nitrite IS NOT NULL)::integer * 16 + (s.alkalinity IS NOT NULL)::integer * 32
                + (s.hardness IS NOT NULL)::integer * 64 + (s.dissolved_oxygen IS NOT NULL)::integer * 128
                + (s.salinity IS NOT NULL)::integer * 256 + (s.oxygen_saturation IS NOT NULL)::integer * 512
                + (s.free_ammonia IS NOT NULL)::integer * 1024 + (s.carbon_dioxide IS NOT NULL)::integer * 2048
                + (s.orp IS NOT NULL)::integer * 4096 + (s.conductivity IS NOT NULL)::integer * 8192
                + (s.tds IS NOT NULL)::integer * 16384 + (s.turbidity IS NOT NULL)::integer * 32768
                + (s.turbidity_fnu IS NOT NULL)::integer * 65536 AS present
            FROM sample s
            WHERE s.slot = of_slot AND s.device_id = of_device
                AND s.event_time >= now() - interval '8 days' AND s.event_time < now() + interval '10 minutes'
                AND s.received_at <= now() + interval '5 minutes'
                AND (s.filled IS NULL OR last_receipt(s.received_at, s.filled) <= now() + interval '5 minutes')
            ORDER BY s.event_time DESC LIMIT depth
        ), heard AS (
            SELECT * FROM newest WHERE of_parameter IS NULL OR present >> of_parameter & 1 = 1
        ), paused AS (
            SELECT receipt, lag(receipt) OVER (ORDER BY receipt) AS before FROM heard
        ), latest AS (
            SELECT before, receipt FROM paused
            WHERE receipt - before >= shortest AND receipt > coalesce(heard_pauses.learnt_until, '-infinity')
            ORDER BY receipt DESC LIMIT 300
        )
        SELECT count(*) AS readings, max(receipt) AS last, min(receipt) AS first,
            (SELECT string_agg(int8send((extract(epoch FROM before) * 1000000)::bigint)
                || int8send((extract(epoch FROM receipt) * 1000000)::bigint), ''::bytea ORDER BY receipt)
                FROM latest) AS pauses,
            (SELECT count(*) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing,
            (SELECT min(newest.receipt) FROM newest WHERE newest.receipt > max(heard.receipt)) AS missing_since,
            (SELECT bit_or(present) FROM newest
                WHERE receipt >= least(silent_before, (SELECT max(receipt) FROM newest))) AS parameters
        INTO found FROM heard;
        EXIT WHEN found.first <= heard_pauses.learnt_until OR found.readings < 17;
    END LOOP;
    heard_at := found.last;
    first_at := found.first;
    readings := found.readings;
    pauses := coalesce(found.pauses, ''::bytea);
    parameters := coalesce(found.parameters, 0);
    missing := found.missing;
    missing_since := found.missing_since;
    gathered_us := 0;
    IF of_parameter IS NULL AND heard_pauses.learnt_until IS NULL AND found.readings > 1
        AND found.last - found.first < at_once THEN
        SELECT extract(epoch FROM max(s.event_time) - min(s.event_time)) * 1000000 INTO gathered_us FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND s.event_time >= now() - interval '8 days' AND s.event_time < now() + interval '10 minutes';
    END IF;
    IF of_parameter IS NULL AND heard_at < silent_before THEN
        SELECT greatest(heard_at, max(last_receipt(s.received_at, s.filled))) INTO heard_at FROM sample s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND s.event_time >= now() - interval '26 hours' AND s.event_time < now() + interval '10 minutes'
            AND last_receipt(s.received_at, s.filled) <= now() + interval '5 minutes';
    END IF;
    RETURN NEXT;
END
$$;
CREATE FUNCTION public.hold_session(person bigint, held uuid) RETURNS SETOF uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM require_person(person);
    RETURN QUERY SELECT s.client_id FROM session s
        WHERE s.session_id = held AND s.account_id = person AND is_live(s)
        FOR SHARE;
END
$$;
CREATE FUNCTION public.intake_late_since() RETURNS timestamp with time zone
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT min(level_at) FROM ingest_seat WHERE session_open AND level_at < now() - interval '60 s'
$$;
CREATE FUNCTION public.invitation_is_noted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM add_account_event(o.account_id, 'invitationMade', o.name) FROM ownership o
    WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.account_id = NEW.account_id AND o.unlinked_at IS NULL;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.is_first_copy() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT current_setting('session_replication_role') = 'replica' AND EXISTS (
        SELECT FROM pg_stat_subscription WHERE pid = pg_backend_pid() AND relid IS NOT NULL)
$$;
CREATE TABLE public.session (
    session_id uuid DEFAULT gen_random_uuid() NOT NULL,
    account_id bigint NOT NULL,
    client_id uuid,
    client text NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone,
    ended_because text,
    proven_at timestamp with time zone,
    CONSTRAINT session_address_check CHECK ((length(address) <= 64)),
    CONSTRAINT session_check CHECK (((ended_at IS NULL) = (ended_because IS NULL))),
    CONSTRAINT session_client_check CHECK ((length(client) <= 120)),
    CONSTRAINT session_ended_because_check CHECK ((ended_because = ANY (ARRAY['signedOut'::text, 'passwordChanged'::text, 'reused'::text, 'replaced'::text])))
);
CREATE FUNCTION public.is_live(one public.session) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT one.ended_at IS NULL AND now() < one.used_at + interval '90 days' AND now() < one.created_at + interval '400 days'
$$;
CREATE FUNCTION public.join_device(token bytea, person bigint, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[], OUT outcome text, OUT joined_slot smallint, OUT joined_device integer) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    most CONSTANT integer := 20;
    offer record;
    others bigint[];
    shown text;
BEGIN
    PERFORM require_person(person);
    SELECT i.slot, i.device_id, i.owner INTO offer FROM look_at_invitation(token) i;
    IF offer.slot IS NULL THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    -- One at a time joins a device, and nobody while its owner unlinks it.
    PERFORM FROM ownership o
    WHERE o.slot = offer.slot AND o.device_id = offer.device_id AND o.account_id = offer.owner AND o.role = 'owner'
        AND o.unlinked_at IS NULL
    FOR NO KEY UPDATE;
    SELECT i.slot, i.device_id, i.owner, i.device_name, i.state INTO offer FROM look_at_invitation(token) i;
    IF offer.slot IS NULL THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    SELECT coalesce(array_agg(account_id), '{}') INTO others FROM ownership o
    WHERE o.slot = offer.slot AND o.device_id = offer.device_id AND o.unlinked_at IS NULL AND o.role = 'watcher';
    outcome := CASE
        WHEN offer.owner = person THEN 'own'
        WHEN person = ANY (others) THEN 'watching'
        WHEN offer.state <> 'open' THEN offer.state
        WHEN cardinality(others) >= most THEN 'full'
        ELSE 'joined' END;
    joined_slot := offer.slot;
    joined_device := offer.device_id;
    IF outcome <> 'joined' THEN
        RETURN;
    END IF;
    UPDATE device_invitation SET used_at = greatest(now(), created_at), used_by = person WHERE token_hash = token
    RETURNING readings INTO shown;
    PERFORM add_ownership(
        offer.slot, offer.device_id, person, 'watcher', coalesce(called, offer.device_name),
        parameters, units, minima, maxima, colours, positions);
    PERFORM begin_as_before(offer.slot, offer.device_id, person, offer.owner);
    IF shown = 'sinceAlarm' THEN
        PERFORM show_since_alarm(offer.slot, offer.device_id, person, offer.owner);
    END IF;
END
$$;
CREATE FUNCTION public.keep_bound() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $_$
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
$_$;
CREATE FUNCTION public.keep_former_throttle() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    first integer := greatest(1, cardinality(OLD.throttle_ends) - 18);
BEGIN
    NEW.throttle_ends := OLD.throttle_ends[first:] || now();
    NEW.throttle_was := OLD.throttle_was[first:] || OLD.throttle_seconds;
    RETURN NEW;
END
$$;
CREATE FUNCTION public.last_reading(of_slot smallint, of_device integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.last_receipt(received_at timestamp with time zone, filled integer) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT received_at + make_interval(secs => coalesce(filled >> 9, 0))
$$;
CREATE FUNCTION public.latest_readings(only_device text) RETURNS TABLE(slot smallint, device_id integer, hardware_id text, parameter smallint, event_time timestamp with time zone, value real, unit text, "position" smallint, minimum integer, maximum integer, side text, opened_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, d.hardware_id, p.parameter, found.event_time, found.value, g.unit, g.position, g.minimum,
        g.maximum, e.side, e.opened_at
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    JOIN rollup_progress r ON r.slot = o.slot
    CROSS JOIN LATERAL (
        SELECT max(s.event_time) FILTER (WHERE s.temperature IS NOT NULL) AS t0,
            max(s.event_time) FILTER (WHERE s.ph IS NOT NULL) AS t1,
            max(s.event_time) FILTER (WHERE s.ammonia IS NOT NULL) AS t2,
            max(s.event_time) FILTER (WHERE s.nitrate IS NOT NULL) AS t3,
            max(s.event_time) FILTER (WHERE s.nitrite IS NOT NULL) AS t4,
            max(s.event_time) FILTER (WHERE s.alkalinity IS NOT NULL) AS t5,
            max(s.event_time) FILTER (WHERE s.hardness IS NOT NULL) AS t6,
            max(s.event_time) FILTER (WHERE s.dissolved_oxygen IS NOT NULL) AS t7,
            max(s.event_time) FILTER (WHERE s.salinity IS NOT NULL) AS t8,
            max(s.event_time) FILTER (WHERE s.oxygen_saturation IS NOT NULL) AS t9,
            max(s.event_time) FILTER (WHERE s.free_ammonia IS NOT NULL) AS t10,
            max(s.event_time) FILTER (WHERE s.carbon_dioxide IS NOT NULL) AS t11,
            max(s.event_time) FILTER (WHERE s.orp IS NOT NULL) AS t12,
            max(s.event_time) FILTER (WHERE s.conductivity IS NOT NULL) AS t13,
            max(s.event_time) FILTER (WHERE s.tds IS NOT NULL) AS t14,
            max(s.event_time) FILTER (WHERE s.turbidity IS NOT NULL) AS t15,
            max(s.event_time) FILTER (WHERE s.turbidity_fnu IS NOT NULL) AS t16
        FROM sample s
        WHERE s.slot = o.slot AND s.device_id = o.device_id
            AND s.event_time >= greatest(
                o.readings_from, now() - interval '7 days',
                -- or from the first hour that is due again, which the roll-ups do not tell truly
                least(r.hours_until, (SELECT min(q.hour) FROM rollup_due q
                    WHERE q.slot = o.slot AND (q.device_id = o.device_id OR q.device_id IS NULL))))
            AND s.event_time < now() + interval '10 minutes'
    ) AS recent
    CROSS JOIN LATERAL (
        SELECT max(h.starts_at) FILTER (WHERE h.temperature_count > 0) AS h0,
            max(h.starts_at) FILTER (WHERE h.ph_count > 0) AS h1,
            max(h.starts_at) FILTER (WHERE h.ammonia_count > 0) AS h2,
            max(h.starts_at) FILTER (WHERE h.nitrate_count > 0) AS h3,
            max(h.starts_at) FILTER (WHERE h.nitrite_count > 0) AS h4,
            max(h.starts_at) FILTER (WHERE h.alkalinity_count > 0) AS h5,
            max(h.starts_at) FILTER (WHERE h.hardness_count > 0) AS h6,
            max(h.starts_at) FILTER (WHERE h.dissolved_oxygen_count > 0) AS h7,
            max(h.starts_at) FILTER (WHERE h.salinity_count > 0) AS h8,
            max(h.starts_at) FILTER (WHERE h.oxygen_saturation_count > 0) AS h9,
            max(h.starts_at) FILTER (WHERE h.free_ammonia_count > 0) AS h10,
            max(h.starts_at) FILTER (WHERE h.carbon_dioxide_count > 0) AS h11,
            max(h.starts_at) FILTER (WHERE h.orp_count > 0) AS h12,
            max(h.starts_at) FILTER (WHERE h.conductivity_count > 0) AS h13,
            max(h.starts_at) FILTER (WHERE h.tds_count > 0) AS h14,
            max(h.starts_at) FILTER (WHERE h.turbidity_count > 0) AS h15,
            max(h.starts_at) FILTER (WHERE h.turbidity_fnu_count > 0) AS h16
        FROM sample_hour h
        WHERE h.slot = o.slot AND h.device_id = o.device_id
            AND h.starts_at > greatest(o.readings_from, now() - interval '7 days') - interval '1 hour'
            AND h.starts_at < now() + interval '10 minutes'
    ) AS hourly
    CROSS JOIN LATERAL (
        -- what was not sent is not looked for
        SELECT v.parameter::smallint, v.sent_at, v.sent_in FROM (VALUES
            (0::smallint, t0, h0), (1, t1, h1), (2, t2, h2), (3, t3, h3), (4, t4, h4), (5, t5, h5), (6, t6, h6),
            (7, t7, h7), (8, t8, h8), (9, t9, h9), (10, t10, h10), (11, t11, h11), (12, t12, h12), (13, t13, h13),
            (14, t14, h14), (15, t15, h15), (16, t16, h16)
        ) AS v (parameter, sent_at, sent_in)
        WHERE v.sent_at IS NOT NULL OR v.sent_in IS NOT NULL
    ) AS p
    CROSS JOIN LATERAL (
        SELECT s.event_time,
            CASE p.parameter WHEN 0 THEN s.temperature WHEN 1 THEN s.ph WHEN 2 THEN s.ammonia WHEN 3 THEN s.nitrate
                WHEN 4 THEN s.nitrite WHEN 5 THEN s.alkalinity WHEN 6 THEN s.hardness WHEN 7 THEN s.dissolved_oxygen
                WHEN 8 THEN s.salinity WHEN 9 THEN s.oxygen_saturation WHEN 10 THEN s.free_ammonia
                WHEN 11 THEN s.carbon_dioxide WHEN 12 THEN s.orp WHEN 13 THEN s.conductivity WHEN 14 THEN s.tds
                WHEN 15 THEN s.turbidity WHEN 16 THEN s.turbidity_fnu END AS value
        FROM sample s
        WHERE s.slot = o.slot AND s.device_id = o.device_id
            AND s.event_time >= coalesce(p.sent_at, greatest(p.sent_in, o.readings_from))
            AND s.event_time < coalesce(p.sent_at + interval '1 us', p.sent_in + interval '1 hour')
            AND CASE p.parameter WHEN 0 THEN s.temperature WHEN 1 THEN s.ph WHEN 2 THEN s.ammonia WHEN 3 THEN s.nitrate
                WHEN 4 THEN s.nitrite WHEN 5 THEN s.alkalinity WHEN 6 THEN s.hardness WHEN 7 THEN s.dissolved_oxygen
                WHEN 8 THEN s.salinity WHEN 9 THEN s.oxygen_saturation WHEN 10 THEN s.free_ammonia
                WHEN 11 THEN s.carbon_dioxide WHEN 12 THEN s.orp WHEN 13 THEN s.conductivity WHEN 14 THEN s.tds
                WHEN 15 THEN s.turbidity WHEN 16 THEN s.turbidity_fnu END IS NOT NULL
        ORDER BY s.event_time DESC
        LIMIT 1
    ) AS found
    LEFT JOIN setting g ON g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id
        AND g.parameter = p.parameter AND g.valid_until IS NULL
    LEFT JOIN episode e ON e.slot = o.slot AND e.device_id = o.device_id AND e.account_id = o.account_id
        AND e.parameter = p.parameter AND e.kind = 'range' AND e.closed_at IS NULL
    WHERE o.account_id = current_account() AND o.unlinked_at IS NULL
        AND (only_device IS NULL OR d.hardware_id = only_device);
END
$$;
CREATE FUNCTION public.live_alerts(accounts bigint[], since timestamp with time zone) RETURNS TABLE(account_id bigint, slot smallint, alert_id bigint, uid uuid, hardware_id text, parameter smallint, kind text, purpose text, side text, value real, limit_value real, state text, event_time timestamp with time zone, decided_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT w.account_id, found.slot, found.alert_id, found.uid, d.hardware_id, found.parameter, found.kind, found.purpose,
        found.side, found.value, found.limit_value, found.state, found.event_time, found.decided_at
    FROM unnest(accounts) AS w (account_id)
    CROSS JOIN LATERAL (
        SELECT a.* FROM alert a WHERE a.account_id = w.account_id AND a.decided_at > live_alerts.since
        ORDER BY a.decided_at DESC LIMIT 50
    ) AS found
    LEFT JOIN device d ON d.slot = found.slot AND d.device_id = found.device_id;
END
$$;
CREATE FUNCTION public.live_alerts(tickets text[], since timestamp with time zone) RETURNS TABLE(account_id bigint, slot smallint, device_id integer, alert_id bigint, uid uuid, hardware_id text, parameter smallint, kind text, purpose text, ended boolean, side text, value real, limit_value real, state text, event_time timestamp with time zone, received_at timestamp with time zone, decided_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT f.account_id, f.slot, a.device_id, f.alert_id, f.uid, f.hardware_id, f.parameter, f.kind, f.purpose, a.ended, f.side, f.value,
        f.limit_value, f.state, f.event_time, a.received_at, f.decided_at
    FROM live_alerts(accounts_of(tickets), since) AS f JOIN alert a ON a.slot = f.slot AND a.alert_id = f.alert_id
    ORDER BY f.account_id, f.decided_at DESC
$$;
CREATE FUNCTION public.live_devices(slots smallint[], devices integer[], accounts bigint[]) RETURNS TABLE(slot smallint, device_id integer, account_id bigint, readings_from timestamp with time zone, hardware_id text, online boolean, status_at timestamp with time zone, parameters smallint[], sides text[], opened timestamp with time zone[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, o.account_id, o.readings_from, d.hardware_id, t.online, t.changed_at,
        coalesce(e.parameters, '{}'), coalesce(e.sides, '{}'), coalesce(e.opened, '{}')
    FROM unnest(slots, devices, accounts) AS w (slot, device_id, account_id)
    JOIN ownership o ON o.slot = w.slot AND o.device_id = w.device_id AND o.account_id = w.account_id
        AND o.unlinked_at IS NULL
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    LEFT JOIN device_status t ON t.slot = o.slot AND t.device_id = o.device_id
    CROSS JOIN LATERAL (
        SELECT array_agg(x.parameter ORDER BY x.parameter) AS parameters, array_agg(x.side ORDER BY x.parameter) AS sides,
            array_agg(x.opened_at ORDER BY x.parameter) AS opened
        FROM episode x
        WHERE x.slot = o.slot AND x.device_id = o.device_id AND x.account_id = o.account_id AND x.kind = 'range'
            AND x.closed_at IS NULL
    ) AS e;
END
$$;
CREATE FUNCTION public.live_devices(slots smallint[], devices integer[], tickets text[]) RETURNS TABLE(slot smallint, device_id integer, account_id bigint, readings_from timestamp with time zone, hardware_id text, online boolean, status_at timestamp with time zone, parameters smallint[], sides text[], opened timestamp with time zone[])
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$SELECT * FROM live_devices(slots, devices, accounts_of(tickets))$$;
CREATE FUNCTION public.live_reach(noted integer, lag_seconds integer) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    SELECT interval '10 minutes' + CASE WHEN noted IS NULL THEN interval '0'
        ELSE coalesce(make_interval(secs => greatest(lag_seconds, 0)), interval '1 day') END
$$;
CREATE FUNCTION public.live_samples(slots smallint[], devices integer[], since timestamp with time zone[]) RETURNS TABLE(slot smallint, device_id integer, event_time timestamp with time zone, temperature real, ph real, ammonia real, nitrate real, nitrite real, alkalinity real, hardness real, dissolved_oxygen real, salinity real, oxygen_saturation real, free_ammonia real, carbon_dioxide real, orp real, conductivity real, tds real, turbidity real, turbidity_fnu real)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT w.slot, w.device_id, found.*
    FROM unnest(slots, devices, since) AS w (slot, device_id, since)
    CROSS JOIN LATERAL (
        SELECT min(o.readings_from) AS readings_from FROM ownership o
        WHERE o.slot = w.slot AND o.device_id = w.device_id AND o.unlinked_at IS NULL
    ) AS had
    LEFT JOIN device_clock c ON c.slot = w.slot AND c.device_id = w.device_id
    CROSS JOIN LATERAL (
        SELECT s.event_time,
            s.temperature, s.ph, s.ammonia, s.nitrate, s.nitrite, s.alkalinity, s.hardness, s.dissolved_oxygen,
            s.salinity, s.oxygen_saturation, s.free_ammonia, s.carbon_dioxide, s.orp, s.conductivity, s.tds,
            s.turbidity, s.turbidity_fnu
        FROM sample s
        WHERE s.slot = w.slot AND s.device_id = w.device_id
            AND s.event_time >= greatest(had.readings_from, coalesce(w.since, now() - live_reach(c.device_id, c.lag_seconds)))
            AND s.event_time < now() + interval '10 minutes'
            AND (w.since IS NOT NULL OR last_receipt(s.received_at, s.filled) > now() - interval '1 minute')
        ORDER BY s.event_time DESC
        LIMIT 50
    ) AS found
    WHERE had.readings_from IS NOT NULL;
END
$$;
CREATE FUNCTION public.live_samples(slots smallint[], devices integer[], since timestamp with time zone[], tickets text[]) RETURNS TABLE(slot smallint, device_id integer, event_time timestamp with time zone, temperature real, ph real, ammonia real, nitrate real, nitrite real, alkalinity real, hardness real, dissolved_oxygen real, salinity real, oxygen_saturation real, free_ammonia real, carbon_dioxide real, orp real, conductivity real, tds real, turbidity real, turbidity_fnu real)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$SELECT s.* FROM live_samples(slots, devices, since) AS s
            WHERE EXISTS (
                SELECT FROM ownership o
                WHERE o.slot = s.slot AND o.device_id = s.device_id AND o.unlinked_at IS NULL
                    AND o.account_id = ANY (accounts_of(tickets))
                    AND o.readings_from <= s.event_time + make_interval(secs => clock_lag(s.slot, s.device_id)))
            ORDER BY s.slot, s.device_id, s.event_time DESC$$;
CREATE FUNCTION public.live_ticket() RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    person CONSTANT bigint := current_account();
    until CONSTANT bigint := extract(epoch FROM now() + interval '1 hour');
BEGIN
    RETURN person || ' ' || until || ' ' || seal_of(format('live %s %s', person, until));
END
$$;
CREATE FUNCTION public.living_sessions(sessions uuid[]) RETURNS SETOF uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT s.session_id FROM session s WHERE s.session_id = ANY (sessions) AND is_live(s)
$$;
CREATE FUNCTION public.living_tokens(hashes bytea[]) RETURNS SETOF bytea
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT t.token_hash FROM personal_token t
    WHERE t.token_hash = ANY (hashes) AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR now() < t.expires_at)
$$;
CREATE FUNCTION public.look_at_account_invitation(token bytea) RETURNS TABLE(state text, email text, expires_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END,
        i.email, i.expires_at
    FROM account_invitation i WHERE i.token_hash = token
$$;
CREATE FUNCTION public.look_at_invitation(token bytea) RETURNS TABLE(slot smallint, device_id integer, device_name text, owner bigint, expires_at timestamp with time zone, state text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT i.slot, i.device_id, o.name, i.account_id, i.expires_at,
        CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END
    FROM device_invitation i
    JOIN ownership o ON o.slot = i.slot AND o.device_id = i.device_id AND o.account_id = i.account_id
        AND o.role = 'owner' AND o.unlinked_at IS NULL
    WHERE i.token_hash = token;
$$;
CREATE FUNCTION public.make_hour_partitions() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '3s'
    AS $_$
DECLARE
    month timestamp;
    partition text;
    made integer := 0;
BEGIN
    IF NOT clock_is_trusted() THEN
        RETURN 0;
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR month IN
        SELECT generate_series(
            date_trunc('month', least(min(hours_until), now() - interval '8 days') AT TIME ZONE 'UTC'),
            (now() + interval '31 days') AT TIME ZONE 'UTC', '1 month') FROM rollup_progress
        UNION
        SELECT date_trunc('month', to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp)
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.sample'::regclass AND c.relname ~ '^sample_[0-9]{8}$'
            AND c.relname < 'sample_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
        ORDER BY 1
    LOOP
        partition := 'sample_hour_' || to_char(month, 'YYYYMM');
        CONTINUE WHEN to_regclass(format('public.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE public.%I (LIKE public.sample_hour INCLUDING ALL)', partition);
        PERFORM tune_sample_partition(partition);
        EXECUTE format(
            'ALTER TABLE public.sample_hour ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
            month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$_$;
CREATE FUNCTION public.make_past_hour_partitions(from_day date, until_day date) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '3s'
    AS $$
DECLARE
    month timestamp;
    partition text;
    made integer := 0;
BEGIN
    IF until_day > (now() AT TIME ZONE 'UTC')::date OR from_day < (
        SELECT date_trunc('month', (now() - keep) AT TIME ZONE 'UTC')::date FROM retention WHERE kind = 'hours')
    THEN
        RAISE EXCEPTION 'no hours of these days are kept';
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR month IN
        SELECT generate_series(date_trunc('month', from_day::timestamp), until_day::timestamp, '1 month')
    LOOP
        partition := 'sample_hour_' || to_char(month, 'YYYYMM');
        CONTINUE WHEN to_regclass(format('public.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE public.%I (LIKE public.sample_hour INCLUDING ALL)', partition);
        PERFORM tune_sample_partition(partition);
        EXECUTE format(
            'ALTER TABLE public.sample_hour ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
            month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;
CREATE FUNCTION public.make_sample_partitions(from_day date, until_day date) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET lock_timeout TO '3s'
    AS $$
DECLARE
    today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
    day date;
    partition text;
    made integer := 0;
BEGIN
    IF until_day - from_day > 400 THEN
        RAISE EXCEPTION 'at most 400 days of partitions at once';
    END IF;
    IF until_day > today + 4 OR from_day < today - (
        SELECT ceil(extract(epoch FROM keep) / 86400)::integer + 1 FROM retention WHERE kind = 'samples')
    THEN
        RAISE EXCEPTION 'no samples of these days are kept';
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR day IN SELECT d::date FROM generate_series(from_day::timestamp, until_day::timestamp, '1 day') AS d LOOP
        partition := 'sample_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('public.%I', partition)) IS NOT NULL;
        -- Attached, not created in place: that would lock out readers and writers while a backup reads the table.
        EXECUTE format('CREATE TABLE public.%I (LIKE public.sample INCLUDING ALL)', partition);
        PERFORM tune_sample_partition(partition);
        EXECUTE format(
            'ALTER TABLE public.sample ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
            day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;
CREATE FUNCTION public.may_be_forgotten(from_time timestamp with time zone, until_time timestamp with time zone) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT NOT EXISTS (SELECT FROM rollup_progress WHERE hours_until < until_time)
        AND NOT EXISTS (SELECT FROM rollup_due WHERE hour >= from_time AND hour < until_time)
        AND NOT EXISTS (SELECT FROM evaluation_batch WHERE received_at < until_time + interval '169 hours')
$$;
CREATE FUNCTION public.name_person(person bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT set_config('aqua.account',
        person || ' ' || seal_of(format('account %s %s', person, extract(epoch FROM now()))), true)
$$;
CREATE FUNCTION public.name_session(named uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.note_by_which_invitation() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    SELECT i.made_in INTO NEW.made_in FROM device_invitation i
    WHERE i.slot = NEW.slot AND i.device_id = NEW.device_id AND i.used_by = NEW.account_id
    ORDER BY i.used_at DESC LIMIT 1;
    RETURN NEW;
END
$$;
CREATE FUNCTION public.note_clock() RETURNS boolean
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT note_clock_at(clock_timestamp())
$$;
CREATE FUNCTION public.note_clock_at(reading timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    leap CONSTANT interval := '5 minutes'; -- what a clock that runs on may differ by
    watch clock_watch;
    verdict integer;
BEGIN
    SELECT * INTO STRICT watch FROM clock_watch;
    IF watch.doubted_at IS NULL AND reading BETWEEN watch.trusted_at AND watch.trusted_at + interval '5 s' THEN
        RETURN true;
    END IF;
    SELECT * INTO watch FROM clock_watch FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN clock_is_trusted();
    END IF;
    IF watch.trusted_at IS NULL OR reading BETWEEN watch.trusted_at - leap AND watch.trusted_at + leap THEN
        IF watch.trusted_at IS NULL OR reading < watch.trusted_at OR watch.doubted_at IS NOT NULL THEN
            PERFORM believe_clock(reading);
        ELSE
            UPDATE clock_watch SET trusted_at = reading;
        END IF;
        RETURN true;
    END IF;
    IF watch.doubted_at IS NULL OR reading NOT BETWEEN watch.doubted_at - leap AND watch.doubted_at + leap THEN
        UPDATE clock_watch SET doubted_since = reading, doubted_at = reading, doubted_from = pg_current_xact_id();
        RETURN false;
    END IF;
    verdict := devices_confirm_clock(reading, watch);
    IF verdict > 0 OR verdict = 0 AND reading - watch.doubted_since >= least(
        interval '1 day', greatest(watch.doubted_since - watch.trusted_at, watch.trusted_at - watch.doubted_since))
    THEN
        PERFORM believe_clock(reading);
        RETURN true;
    END IF;
    UPDATE clock_watch SET doubted_at = reading;
    RETURN false;
END
$$;
CREATE FUNCTION public.note_reported_probes(slots smallint[], devices integer[], probes text[], temperatures real[], times timestamp with time zone[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET lock_timeout TO '200ms'
    AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO reported_probe AS r (slot, device_id, probe_id, temperature, reported_at)
    SELECT n.slot, n.device_id, n.probe_id, n.temperature, n.reported_at
    FROM unnest(slots, devices, probes, temperatures, times) AS n (slot, device_id, probe_id, temperature, reported_at)
    ORDER BY n.slot, n.device_id, n.probe_id -- so that Ingestors do not wait for each other in a circle
    ON CONFLICT (slot, device_id, probe_id) DO UPDATE
        SET temperature = excluded.temperature, reported_at = excluded.reported_at
    WHERE r.reported_at <= excluded.reported_at OR r.reported_at > now() + interval '5 minutes';
    DELETE FROM reported_probe r
    USING (
        SELECT l.slot, l.device_id, l.probe_id
        FROM (SELECT DISTINCT n.slot, n.device_id FROM unnest(slots, devices) AS n (slot, device_id)) AS noted
        CROSS JOIN LATERAL (
            SELECT o.slot, o.device_id, o.probe_id FROM reported_probe o
            LEFT JOIN temperature_probe t ON t.slot = o.slot AND t.device_id = o.device_id AND t.probe_id = o.probe_id
            WHERE o.slot = noted.slot AND o.device_id = noted.device_id
            ORDER BY t.probe_id IS NULL, o.reported_at DESC, o.probe_id
            OFFSET 8
        ) AS displaced
        JOIN reported_probe l ON l.slot = displaced.slot AND l.device_id = displaced.device_id AND l.probe_id = displaced.probe_id
        ORDER BY l.slot, l.device_id, l.probe_id
        FOR UPDATE OF l SKIP LOCKED -- what another Ingestor notes at this moment is displaced by a later note
    ) AS locked
    WHERE r.slot = locked.slot AND r.device_id = locked.device_id AND r.probe_id = locked.probe_id;
END
$$;
CREATE FUNCTION public.note_where_it_was_made() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    NEW.made_in := current_session();
    RETURN NEW;
END
$$;
CREATE FUNCTION public.number_endpoint(on_channel text, to_target text, person bigint, OUT endpoint bigint, OUT account bigint, OUT in_use boolean, OUT others bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.number_web_push(to_target text, its_fingerprint bytea, on_client_id uuid, person bigint, OUT endpoint bigint, OUT standing text, OUT is_gone boolean, OUT others bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.open_account(address text, hash text, language text, zone text, invitation bytea, OUT outcome text, OUT account bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.open_session(person bigint, checked_hash text, on_client_id uuid, on_client text, from_address text, token bytea) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
    PERFORM name_person(person);
    RETURN opened;
END
$$;
CREATE FUNCTION public.ownership_is_noted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.ownership_knows_its_readings() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    NEW.readings_from := start_of_readings(NEW.slot, NEW.device_id, NEW.role, NEW.linked_at);
    RETURN NEW;
END
$$;
CREATE FUNCTION public.password_is_noted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF current_session() IS NOT NULL OR current_account() IS DISTINCT FROM NEW.account_id THEN
        PERFORM add_account_event(NEW.account_id, 'passwordChanged', NULL);
    END IF;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.prove_session(person bigint, proven uuid, checked_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE session s SET proven_at = now() FROM account a
    WHERE a.account_id = person AND a.password_hash = checked_hash
        AND s.session_id = proven AND s.account_id = person AND is_live(s);
    RETURN FOUND;
END
$$;
CREATE FUNCTION public.record_device_rejects(slots smallint[], devices integer[], reasons text[], subjects text[], counts integer[], topics text[], details text[], payloads bytea[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH noted AS (
        SELECT n.*, r.slot IS NOT NULL OR n.subject = '' AS has_place
        FROM unnest(slots, devices, reasons, subjects, counts, topics, details, payloads)
            AS n (slot, device_id, reason, subject, messages, topic, detail, payload)
        JOIN device d ON d.slot = n.slot AND d.device_id = n.device_id
        LEFT JOIN device_reject r ON r.slot = n.slot AND r.device_id = n.device_id
            AND r.day = (now() AT TIME ZONE 'UTC')::date AND r.reason = n.reason AND r.subject = n.subject
    ), placed AS (
        SELECT n.slot, n.device_id, n.reason, n.messages, n.topic, n.detail, n.payload,
            CASE WHEN n.has_place OR 16 >= row_number() OVER (
                    PARTITION BY n.slot, n.device_id, n.has_place ORDER BY n.reason, n.subject) + (
                    SELECT count(*) FROM device_reject o
                    WHERE o.slot = n.slot AND o.device_id = n.device_id AND o.day = (now() AT TIME ZONE 'UTC')::date)
                THEN n.subject ELSE '' END AS subject
        FROM noted n
    )
    INSERT INTO device_reject AS r (
        slot, device_id, day, reason, subject, messages, first_at, last_at, topic, detail, payload)
    SELECT p.slot, p.device_id, (now() AT TIME ZONE 'UTC')::date, p.reason, p.subject, least(sum(p.messages), 1000000000), now(), now(),
        (array_agg(p.topic))[1], (array_agg(p.detail))[1], (array_agg(p.payload))[1]
    FROM placed p
    GROUP BY p.slot, p.device_id, p.reason, p.subject
    ORDER BY p.slot, p.device_id, p.reason, p.subject -- so that Ingestors do not wait for each other in a circle
    ON CONFLICT (slot, device_id, day, reason, subject) DO UPDATE SET
        messages = least(r.messages + excluded.messages, 1000000000), last_at = greatest(r.last_at, excluded.last_at),
        topic = excluded.topic, detail = excluded.detail, payload = excluded.payload
$$;
CREATE FUNCTION public.refresh_session(token bytea, successor bytea, sealed bytea, by_client text, from_address text, OUT outcome text, OUT renewed uuid, OUT account bigint, OUT sealed_successor bytea) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
    PERFORM name_person(account);
END
$$;
CREATE FUNCTION public.refresh_session(token bytea, successor bytea, sealed bytea, by_client text, from_address text, by_client_id uuid, OUT outcome text, OUT renewed uuid, OUT account bigint, OUT sealed_successor bytea) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
    -- Of no name, one that was used before is no repetition there.
    SELECT f.* INTO outcome, renewed, account, sealed_successor
    FROM refresh_session(token, successor, sealed, CASE WHEN used IS NULL THEN by_client END, from_address) AS f;
END
$$;
CREATE FUNCTION public.refuse_unknown_time_zone() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM now() AT TIME ZONE NEW.time_zone;
    RETURN NEW;
END
$$;
CREATE FUNCTION public.rehash_password(person bigint, checked_hash text, next_hash text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM require_person(person);
    UPDATE account SET password_hash = next_hash WHERE account_id = person AND password_hash = checked_hash;
    RETURN FOUND;
END
$$;
CREATE FUNCTION public.rejects_end_with_ownership() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    -- In the order in which Ingestors lock them.
    PERFORM FROM device_reject WHERE slot = NEW.slot AND device_id = NEW.device_id ORDER BY day, reason, subject FOR UPDATE;
    DELETE FROM device_reject WHERE slot = NEW.slot AND device_id = NEW.device_id;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.replace_password(person bigint, checked_hash text, next_hash text, but_session uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.replay_samples(since timestamp with time zone, most integer) RETURNS TABLE(slot smallint, device_id integer, hardware_id text, event_time timestamp with time zone, temperature real, ph real, ammonia real, nitrate real, nitrite real, alkalinity real, hardness real, dissolved_oxygen real, salinity real, oxygen_saturation real, free_ammonia real, carbon_dioxide real, orp real, conductivity real, tds real, turbidity real, turbidity_fnu real)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT o.slot, o.device_id, d.hardware_id, s.event_time,
        s.temperature, s.ph, s.ammonia, s.nitrate, s.nitrite, s.alkalinity, s.hardness, s.dissolved_oxygen, s.salinity,
        s.oxygen_saturation, s.free_ammonia, s.carbon_dioxide, s.orp, s.conductivity, s.tds, s.turbidity,
        s.turbidity_fnu
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    LEFT JOIN device_clock c ON c.slot = o.slot AND c.device_id = o.device_id
    JOIN sample s ON s.slot = o.slot AND s.device_id = o.device_id
    WHERE o.account_id = current_account() AND o.unlinked_at IS NULL
        AND s.event_time >= greatest(o.readings_from, replay_samples.since - live_reach(c.device_id, c.lag_seconds))
        AND s.event_time < now() + interval '10 minutes'
        AND last_receipt(s.received_at, s.filled) > replay_samples.since
    ORDER BY s.event_time
    LIMIT most;
END
$$;
CREATE FUNCTION public.require_person(person bigint) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    IF person IS DISTINCT FROM current_account() AND NOT pg_has_role(session_user, current_user, 'USAGE') THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'another person is named';
    END IF;
END
$$;
CREATE FUNCTION public.rules_changed(changed_slot smallint, changed_device integer) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH counted AS (
        UPDATE slot_rules SET version = version + 1 WHERE slot = changed_slot AND NOT is_first_copy() RETURNING version
    )
    UPDATE device SET rules_version = counted.version FROM counted
    WHERE slot = changed_slot AND device_id = changed_device;
$$;
CREATE FUNCTION public.rules_changed_by_account() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM rules_changed(slot, device_id)
    FROM ownership WHERE account_id = NEW.account_id AND unlinked_at IS NULL ORDER BY slot, device_id;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.rules_changed_by_row() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM rules_changed(NEW.slot, NEW.device_id);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.seal_of(message text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT encode(sha256(k.key || sha256(k.key || convert_to(message, 'UTF8'))), 'hex') FROM identity_key k
$$;
CREATE FUNCTION public.session_is_noted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.setup_parts(tickets text[]) RETURNS TABLE(account_id bigint, settings bigint, devices bigint, parameters bigint, snoozes bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT a.account_id, a.settings_version::bigint, coalesce(p.devices, 0), coalesce(p.parameters, 0), coalesce(p.snoozes, 0)
    FROM account a
    CROSS JOIN LATERAL (
        SELECT
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, o.version), ',' ORDER BY o.ownership_id), 0) AS devices,
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, (
                SELECT sum(g.version) FROM setting g
                WHERE g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id AND g.valid_until IS NULL)),
                ',' ORDER BY o.ownership_id), 0) AS parameters,
            hashtextextended(string_agg(concat_ws(' ', o.ownership_id, (
                SELECT string_agg(n.snooze_id::text, '+' ORDER BY n.snooze_id) FROM snooze n
                WHERE n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id AND n.ended_at IS NULL)),
                ',' ORDER BY o.ownership_id), 0) AS snoozes
        FROM ownership o WHERE o.account_id = a.account_id AND o.unlinked_at IS NULL
    ) AS p
    WHERE a.account_id = ANY (accounts_of(tickets))
    ORDER BY a.account_id
$$;
CREATE FUNCTION public.setup_versions(accounts bigint[]) RETURNS TABLE(account_id bigint, version bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT a.account_id, hashtextextended(coalesce((
        SELECT string_agg(concat_ws(' ', o.ownership_id, o.version, (
            SELECT sum(g.version) FROM setting g
            WHERE g.slot = o.slot AND g.device_id = o.device_id AND g.account_id = o.account_id AND g.valid_until IS NULL),
            (SELECT string_agg(n.snooze_id::text, '+' ORDER BY n.snooze_id) FROM snooze n
            WHERE n.slot = o.slot AND n.device_id = o.device_id AND n.account_id = o.account_id AND n.ended_at IS NULL)),
            ',' ORDER BY o.ownership_id)
        FROM ownership o WHERE o.account_id = a.account_id AND o.unlinked_at IS NULL), ''), a.settings_version)
    FROM account a WHERE a.account_id = ANY (accounts)
    ORDER BY a.account_id
$$;
CREATE FUNCTION public.setup_versions(tickets text[]) RETURNS TABLE(account_id bigint, version bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$SELECT * FROM setup_versions(accounts_of(tickets))$$;
CREATE FUNCTION public.setup_was_changed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_notify('setup', (NEW.account_id & 255)::text);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.setups_were_added() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM pg_notify('setup', bucket::text) FROM (SELECT DISTINCT account_id & 255 AS bucket FROM added) AS told;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.show_since_alarm(of_slot smallint, of_device integer, person bigint, owner bigint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    UPDATE ownership w SET readings_from = greatest(alarm.since, o.readings_from, former.until)
    FROM ownership o
    CROSS JOIN (
        SELECT min(opened_at) AS since FROM episode
        WHERE slot = of_slot AND device_id = of_device AND account_id = owner AND kind <> 'silence' AND closed_at IS NULL
    ) AS alarm
    CROSS JOIN (
        SELECT max(unlinked_at) AS until FROM ownership
        WHERE slot = of_slot AND device_id = of_device AND account_id = person
    ) AS former
    WHERE w.slot = of_slot AND w.device_id = of_device AND w.account_id = person AND w.role = 'watcher' AND w.unlinked_at IS NULL
        AND o.slot = of_slot AND o.device_id = of_device AND o.account_id = owner AND o.role = 'owner' AND o.unlinked_at IS NULL
        AND alarm.since < w.linked_at
$$;
CREATE FUNCTION public.snoozes_end_with_ownership() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    UPDATE snooze SET ended_at = greatest(now(), set_at)
    WHERE slot = NEW.slot AND device_id = NEW.device_id AND account_id = NEW.account_id AND ended_at IS NULL;
    RETURN NULL;
END
$$;
CREATE FUNCTION public.spans_of_nobody_else(of_slot smallint, of_device integer, person bigint) RETURNS TABLE(kind text, span tstzrange)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    WITH held AS (
        SELECT account_id = person AS is_theirs, readings_from AS since, coalesce(unlinked_at, 'infinity') AS until
        FROM ownership
        WHERE slot = of_slot AND device_id = of_device AND readings_from < coalesce(unlinked_at, 'infinity')
    ), units (kind, step) AS (VALUES ('samples', NULL), ('hours', interval '1 hour'), ('days', interval '24 hours')
    ), spans AS (
        -- The person's are widened to whole hours, and those of others narrowed: an hour of which nobody sees all is seen by nobody.
        SELECT u.kind, h.is_theirs,
            CASE WHEN u.step IS NULL OR isfinite(h.since) IS FALSE THEN h.since
                WHEN h.is_theirs THEN date_bin(u.step, h.since, 'epoch')
                ELSE date_bin(u.step, h.since + u.step - interval '1 us', 'epoch') END AS since,
            CASE WHEN u.step IS NULL OR isfinite(h.until) IS FALSE THEN h.until
                WHEN h.is_theirs THEN date_bin(u.step, h.until + u.step - interval '1 us', 'epoch')
                ELSE date_bin(u.step, h.until, 'epoch') END AS until
        FROM held h CROSS JOIN units u
    )
    SELECT s.kind, unnest(
        range_agg(tstzrange(s.since, s.until)) FILTER (WHERE s.is_theirs)
        - coalesce(range_agg(tstzrange(s.since, s.until)) FILTER (WHERE NOT s.is_theirs AND s.since < s.until), '{}'))
    FROM spans s GROUP BY s.kind
$$;
CREATE FUNCTION public.start_of_readings(of_slot smallint, of_device integer, as_role text, linked timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT CASE WHEN as_role = 'watcher' OR EXISTS (
                SELECT FROM ownership
                WHERE slot = of_slot AND device_id = of_device AND role = 'owner' AND unlinked_at <= linked)
            OR EXISTS (SELECT FROM device WHERE slot = of_slot AND device_id = of_device AND left_at IS NOT NULL)
        THEN linked ELSE '-infinity' END
$$;
CREATE FUNCTION public.take_census(OUT open_alarms bigint, OUT silent_devices bigint, OUT unreached_people bigint) RETURNS record
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    SELECT
        (SELECT count(*) FROM episode WHERE closed_at IS NULL AND kind <> 'silence'),
        (SELECT count(DISTINCT (slot, device_id)) FROM episode
            WHERE closed_at IS NULL AND kind = 'silence' AND parameter IS NULL),
        (SELECT count(DISTINCT o.account_id) FROM ownership o
            WHERE o.unlinked_at IS NULL AND NOT EXISTS (
                SELECT FROM reachable_account r WHERE r.account_id = o.account_id))
$$;
CREATE FUNCTION public.tell_end(alarms public.alert[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO alert (
        slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, ended, side, value, worst, limit_value, check_probe,
        critical, change, change_seconds, heading, expected_at, opened_at, event_time)
    SELECT slot, parameter, device_id, account_id, nextval('alert_id'),
        -- UUID version 7
        (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7'
            || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
        episode_id, kind, 'reminder', true, side, value, worst, limit_value, check_probe, critical, change, change_seconds, heading, expected_at,
        opened_at, greatest(now(), opened_at)
    FROM unnest(alarms);
    IF FOUND THEN
        PERFORM pg_notify('alert', '');
    END IF;
END
$$;
CREATE FUNCTION public.token_is_noted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    PERFORM add_account_event(
        NEW.account_id, CASE TG_OP WHEN 'INSERT' THEN 'tokenMade' ELSE 'tokenRevoked' END, NEW.name);
    RETURN NULL;
END
$$;
CREATE FUNCTION public.tune_sample_partition(partition text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    EXECUTE format(
        'ALTER TABLE public.%I SET (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05)',
        partition);
END
$$;
CREATE FUNCTION public.undo_session(person bigint, undone uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
CREATE FUNCTION public.unfollow_slots(as_follower uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
    DELETE FROM live_follower WHERE follower = as_follower
$$;
CREATE FUNCTION public.unlink_device(of_slot smallint, of_device integer, person bigint, code_hash bytea, code_key text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
    people bigint[];
    alarms alert[];
BEGIN
    PERFORM require_person(person);
    UPDATE slot SET state_version = state_version + 1 WHERE slot = of_slot;
    -- First the owner's: whoever joins locks it too, so that nobody joins from here on.
    PERFORM FROM ownership
    WHERE slot = of_slot AND device_id = of_device AND account_id = person AND role = 'owner' AND unlinked_at IS NULL
    FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    SELECT array_agg(account_id) INTO people FROM (
        SELECT account_id FROM ownership WHERE slot = of_slot AND device_id = of_device AND unlinked_at IS NULL
        ORDER BY account_id
        FOR UPDATE) AS locked;
    alarms := alarms_of(of_slot, of_device, array_remove(people, person));
    PERFORM end_ownerships(of_slot, of_device, people);
    PERFORM tell_end(alarms);
    DELETE FROM device_invitation WHERE slot = of_slot AND device_id = of_device;
    UPDATE device SET claim_code_hash = code_hash, claim_key_id = code_key WHERE slot = of_slot AND device_id = of_device;
    RETURN true;
END
$$;
CREATE FUNCTION public.usable_time_zone(zone text) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM now() AT TIME ZONE zone;
    RETURN zone;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'UTC';
END
$$;
CREATE TABLE public.account (
    account_id bigint NOT NULL,
    email text NOT NULL,
    password_hash text NOT NULL,
    locale text DEFAULT 'en'::text NOT NULL,
    time_zone text DEFAULT 'UTC'::text NOT NULL,
    throttle_seconds integer,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    colour_scheme text DEFAULT 'system'::text NOT NULL,
    settings_version integer DEFAULT 1 NOT NULL,
    throttle_ends timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    throttle_was integer[] DEFAULT '{}'::integer[] NOT NULL,
    CONSTRAINT account_colour_scheme_check CHECK ((colour_scheme = ANY (ARRAY['system'::text, 'light'::text, 'dark'::text]))),
    CONSTRAINT account_email_check CHECK (((email = lower(email)) AND (length(email) <= 254) AND (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'::text))),
    CONSTRAINT account_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'ja'::text, 'es'::text]))),
    CONSTRAINT account_password_hash_check CHECK ((password_hash ~~ 'scrypt$%'::text)),
    CONSTRAINT account_throttle_seconds_check CHECK ((throttle_seconds > 0)),
    CONSTRAINT account_throttles CHECK (((cardinality(throttle_ends) = cardinality(throttle_was)) AND (cardinality(throttle_ends) <= 20)))
);
ALTER TABLE public.account ALTER COLUMN account_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_event (
    account_id bigint NOT NULL,
    event_id bigint NOT NULL,
    happened_at timestamp with time zone DEFAULT now() NOT NULL,
    kind text NOT NULL,
    session_id uuid,
    subject text,
    address text,
    CONSTRAINT account_event_address_check CHECK ((length(address) <= 64)),
    CONSTRAINT account_event_kind_check CHECK ((kind = ANY (ARRAY['signedIn'::text, 'signedOutElsewhere'::text, 'sessionStolen'::text, 'passwordChanged'::text, 'tokenMade'::text, 'tokenRevoked'::text, 'endpointAdded'::text, 'endpointRemoved'::text, 'invitationMade'::text, 'watcherJoined'::text, 'watcherLeft'::text, 'watchingEnded'::text, 'deviceLinked'::text, 'deviceUnlinked'::text]))),
    CONSTRAINT account_event_subject_check CHECK ((length(subject) <= 253))
);
ALTER TABLE public.account_event ALTER COLUMN event_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.account_event_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_invitation (
    invitation_id uuid DEFAULT gen_random_uuid() NOT NULL,
    token_hash bytea NOT NULL,
    email text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    used_by bigint,
    CONSTRAINT account_invitation_check CHECK ((expires_at > created_at)),
    CONSTRAINT account_invitation_check1 CHECK (((used_by IS NULL) OR (used_at IS NOT NULL))),
    CONSTRAINT account_invitation_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
    CONSTRAINT account_invitation_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE SEQUENCE public.alert_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.backup (
    is_only boolean DEFAULT true NOT NULL,
    snapshot_at timestamp with time zone,
    expected_since timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT backup_is_only_check CHECK (is_only)
);
CREATE TABLE public.delivery (
    slot smallint NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    account_id bigint NOT NULL,
    alert_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    ambiguous_at timestamp with time zone,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    holder integer,
    held_attempt smallint,
    lease integer,
    CONSTRAINT delivery_check CHECK (((state = 'pending'::text) = (ended_at IS NULL))),
    CONSTRAINT delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'failed'::text, 'stale'::text, 'cancelled'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='5000', fillfactor='100');
CREATE TABLE public.delivery_attempt (
    slot smallint NOT NULL,
    attempt smallint NOT NULL,
    status smallint,
    alert_id bigint NOT NULL,
    endpoint_id bigint NOT NULL,
    started_at timestamp with time zone NOT NULL,
    duration_us bigint NOT NULL,
    outcome text NOT NULL,
    detail text NOT NULL,
    CONSTRAINT delivery_attempt_detail_check CHECK ((length(detail) <= 300)),
    CONSTRAINT delivery_attempt_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'retry'::text, 'ambiguous'::text, 'gone'::text, 'refused'::text])))
);
CREATE TABLE public.device (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    hardware_id text NOT NULL,
    claim_code_hash bytea NOT NULL,
    key_generation integer DEFAULT 1 NOT NULL,
    rules_version bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    key_id text,
    claim_key_id text,
    left_at timestamp with time zone,
    key_hash bytea,
    CONSTRAINT device_claim_code_hash_check CHECK ((length(claim_code_hash) = 32)),
    CONSTRAINT device_claim_key_id_check CHECK ((claim_key_id ~ '^[0-9a-f]{16}$'::text)),
    CONSTRAINT device_hardware_id_check CHECK ((hardware_id ~ '^[A-Za-z0-9_-]{1,32}$'::text)),
    CONSTRAINT device_key_generation_check CHECK ((key_generation > 0)),
    CONSTRAINT device_key_hash_check CHECK ((octet_length(key_hash) = 32)),
    CONSTRAINT device_key_id_check CHECK ((key_id ~ '^[0-9a-f]{16}$'::text))
);
CREATE TABLE public.device_clock (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    lag_seconds integer,
    noted_at timestamp with time zone DEFAULT now() NOT NULL,
    stepped_at timestamp with time zone
);
ALTER TABLE public.device ALTER COLUMN device_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.device_device_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.device_invitation (
    slot smallint NOT NULL,
    place smallint NOT NULL,
    device_id integer NOT NULL,
    invitation_id uuid DEFAULT gen_random_uuid() NOT NULL,
    account_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    used_by bigint,
    made_in uuid,
    readings text DEFAULT 'sinceJoining'::text NOT NULL,
    CONSTRAINT device_invitation_check CHECK ((expires_at > created_at)),
    CONSTRAINT device_invitation_check1 CHECK (((used_by IS NULL) OR (used_at IS NOT NULL))),
    CONSTRAINT device_invitation_place_check CHECK (((place >= 1) AND (place <= 20))),
    CONSTRAINT device_invitation_readings_check CHECK ((readings = ANY (ARRAY['sinceJoining'::text, 'sinceAlarm'::text]))),
    CONSTRAINT device_invitation_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE TABLE public.device_reject (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    day date NOT NULL,
    reason text NOT NULL,
    subject text NOT NULL,
    messages integer NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    topic text NOT NULL,
    detail text NOT NULL,
    payload bytea NOT NULL,
    CONSTRAINT device_reject_detail_check CHECK ((length(detail) <= 400)),
    CONSTRAINT device_reject_messages_check CHECK ((messages > 0)),
    CONSTRAINT device_reject_payload_check CHECK ((length(payload) <= 256)),
    CONSTRAINT device_reject_subject_check CHECK ((length(subject) <= 64)),
    CONSTRAINT device_reject_topic_check CHECK ((length(topic) <= 200))
)
WITH (fillfactor='70');
CREATE TABLE public.device_status (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    online boolean NOT NULL,
    changed_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70');
CREATE TABLE public.endpoint (
    endpoint_id bigint NOT NULL,
    account_id bigint NOT NULL,
    channel text NOT NULL,
    target text NOT NULL,
    sealed_secret bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_at timestamp with time zone,
    retired_because text,
    former_secret bytea,
    former_until timestamp with time zone,
    registration integer DEFAULT 1 NOT NULL,
    client_id uuid,
    paused_at timestamp with time zone,
    vapid_key_id text,
    fingerprint bytea,
    made_in uuid,
    CONSTRAINT endpoint_channel_check CHECK ((channel = ANY (ARRAY['webhook'::text, 'webPush'::text]))),
    CONSTRAINT endpoint_check CHECK (((retired_at IS NULL) = (retired_because IS NULL))),
    CONSTRAINT endpoint_fingerprint_check CHECK ((length(fingerprint) = 32)),
    CONSTRAINT endpoint_former_ends CHECK (((former_secret IS NULL) = (former_until IS NULL))),
    CONSTRAINT endpoint_target_check CHECK (((length(target) >= 1) AND (length(target) <= 2048))),
    CONSTRAINT endpoint_vapid_key_id_check CHECK ((vapid_key_id ~ '^[0-9a-f]{16}$'::text)),
    CONSTRAINT endpoint_web_push_is_whole CHECK ((((channel = 'webPush'::text) = (vapid_key_id IS NOT NULL)) AND ((channel = 'webPush'::text) = (fingerprint IS NOT NULL))))
);
CREATE SEQUENCE public.endpoint_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.endpoint_retirement (
    slot smallint NOT NULL,
    endpoint_id bigint NOT NULL,
    registration integer NOT NULL,
    retired_at timestamp with time zone DEFAULT now() NOT NULL,
    retired_because text NOT NULL,
    CONSTRAINT endpoint_retirement_slot_check CHECK (((slot >= 0) AND (slot <= 63)))
);
CREATE TABLE public.episode (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer NOT NULL,
    account_id bigint NOT NULL,
    episode_id bigint NOT NULL,
    kind text NOT NULL,
    side text,
    opened_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    closed_because text,
    worst real,
    closed_value real,
    alert_id bigint,
    no_recipient boolean DEFAULT false NOT NULL,
    recovery_due_at timestamp with time zone,
    critical boolean DEFAULT false NOT NULL,
    flat_at real,
    doubted_at timestamp with time zone,
    CONSTRAINT episode_check CHECK (((kind = 'range'::text) = (side IS NOT NULL))),
    CONSTRAINT episode_check1 CHECK (((kind <> 'range'::text) OR (parameter IS NOT NULL))),
    CONSTRAINT episode_check2 CHECK (((closed_at IS NULL) = (closed_because IS NULL))),
    CONSTRAINT episode_check3 CHECK (((recovery_due_at IS NULL) OR (closed_because = 'recovered'::text))),
    CONSTRAINT episode_closed_because_check CHECK ((closed_because = ANY (ARRAY['recovered'::text, 'flipped'::text, 'unlinked'::text]))),
    CONSTRAINT episode_parameter_check CHECK (((parameter >= 0) AND (parameter <= 16))),
    CONSTRAINT episode_side_check CHECK ((side = ANY (ARRAY['low'::text, 'high'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='5000', fillfactor='50');
CREATE SEQUENCE public.episode_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.erasure (
    erasure_id bigint NOT NULL,
    slot smallint NOT NULL,
    kind text NOT NULL,
    device_id integer NOT NULL,
    from_time timestamp with time zone NOT NULL,
    until_time timestamp with time zone NOT NULL,
    CONSTRAINT erasure_check CHECK ((until_time > from_time)),
    CONSTRAINT erasure_kind_check CHECK ((kind = ANY (ARRAY['samples'::text, 'hours'::text, 'days'::text])))
);
ALTER TABLE public.erasure ALTER COLUMN erasure_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.erasure_erasure_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.evaluation_batch (
    slot smallint NOT NULL,
    messages integer NOT NULL,
    batch_id bigint NOT NULL,
    received_at timestamp with time zone NOT NULL,
    readings bytea NOT NULL,
    CONSTRAINT evaluation_batch_messages_check CHECK ((messages > 0)),
    CONSTRAINT evaluation_batch_slot_check CHECK (((slot >= 0) AND (slot <= 63)))
)
WITH (toast_tuple_target='8160', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');
ALTER TABLE ONLY public.evaluation_batch ALTER COLUMN readings SET STORAGE EXTERNAL;
ALTER TABLE public.evaluation_batch ALTER COLUMN batch_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.evaluation_batch_batch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.flat_line (
    slot smallint NOT NULL,
    parameter smallint NOT NULL,
    device_id integer NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    value real NOT NULL,
    CONSTRAINT flat_line_check CHECK ((since <= until)),
    CONSTRAINT flat_line_parameter_check CHECK ((parameter >= 0))
)
WITH (fillfactor='70');
CREATE TABLE public.growth_bound (
    held text NOT NULL,
    grown_by text NOT NULL,
    of_each text,
    a_day integer,
    in_all integer,
    kept_by text NOT NULL,
    CONSTRAINT growth_bound_a_day_check CHECK ((a_day > 0)),
    CONSTRAINT growth_bound_check CHECK (((grown_by <> 'person'::text) OR ((of_each IS NOT NULL) AND (in_all IS NOT NULL)))),
    CONSTRAINT growth_bound_grown_by_check CHECK ((grown_by = ANY (ARRAY['person'::text, 'stranger'::text, 'device'::text, 'operator'::text, 'service'::text]))),
    CONSTRAINT growth_bound_in_all_check CHECK ((in_all > 0))
);
CREATE TABLE public.idempotency_key (
    account_id bigint NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    status smallint,
    sealed_answer bytea,
    CONSTRAINT idempotency_key_check CHECK (((status IS NOT NULL) OR (sealed_answer IS NULL))),
    CONSTRAINT idempotency_key_fingerprint_check CHECK ((length(fingerprint) = 32)),
    CONSTRAINT idempotency_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 128)))
);
CREATE TABLE public.identity_key (
    is_one boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT identity_key_is_one_check CHECK (is_one),
    CONSTRAINT identity_key_key_check CHECK ((length(key) = 32))
);
CREATE TABLE public.ingest_seat (
    seat smallint NOT NULL,
    session_open boolean NOT NULL,
    last_held_at timestamp with time zone DEFAULT now() NOT NULL,
    session_id text,
    level_at timestamp with time zone,
    CONSTRAINT ingest_seat_seat_check CHECK (((seat >= 0) AND (seat <= 255))),
    CONSTRAINT ingest_seat_session_id_check CHECK (((length(session_id) >= 16) AND (length(session_id) <= 64)))
);
CREATE TABLE public.live_follower (
    follower uuid NOT NULL,
    slots bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.notifier (
    holder integer NOT NULL,
    missing_since timestamp with time zone
);
ALTER TABLE public.notifier ALTER COLUMN holder ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notifier_holder_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.ownership (
    ownership_id bigint NOT NULL,
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    account_id bigint NOT NULL,
    name text NOT NULL,
    linked_at timestamp with time zone DEFAULT now() NOT NULL,
    unlinked_at timestamp with time zone,
    role text DEFAULT 'owner'::text NOT NULL,
    latitude double precision,
    longitude double precision,
    version integer DEFAULT 1 NOT NULL,
    readings_from timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    made_in uuid,
    CONSTRAINT ownership_check CHECK ((unlinked_at >= linked_at)),
    CONSTRAINT ownership_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT ownership_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
    CONSTRAINT ownership_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64))),
    CONSTRAINT ownership_place_is_whole CHECK (((latitude IS NULL) = (longitude IS NULL))),
    CONSTRAINT ownership_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'watcher'::text])))
);
ALTER TABLE public.ownership ALTER COLUMN ownership_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ownership_ownership_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW public.person_clock AS
 SELECT o.slot,
    o.device_id,
    c.lag_seconds,
        CASE
            WHEN (c.stepped_at >= o.linked_at) THEN c.stepped_at
            ELSE NULL::timestamp with time zone
        END AS stepped_at
   FROM (public.ownership o
     JOIN public.device_clock c ON (((c.slot = o.slot) AND (c.device_id = o.device_id))))
  WHERE ((o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.unlinked_at IS NULL));
CREATE VIEW public.person_device AS
 SELECT o.slot,
    o.device_id,
    d.hardware_id,
    o.ownership_id,
    o.role,
    o.name,
    o.latitude,
    o.longitude,
    o.version,
    o.linked_at,
    o.unlinked_at,
    o.readings_from,
        CASE
            WHEN (o.unlinked_at IS NULL) THEN u.online
            ELSE NULL::boolean
        END AS online,
        CASE
            WHEN (o.unlinked_at IS NULL) THEN u.changed_at
            ELSE NULL::timestamp with time zone
        END AS status_changed_at
   FROM ((public.ownership o
     JOIN public.device d ON (((d.slot = o.slot) AND (d.device_id = o.device_id))))
     LEFT JOIN public.device_status u ON (((u.slot = o.slot) AND (u.device_id = o.device_id))))
  WHERE (o.account_id = ( SELECT public.current_account() AS current_account));
CREATE TABLE public.reported_probe (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    probe_id text NOT NULL,
    temperature real,
    reported_at timestamp with time zone NOT NULL,
    CONSTRAINT reported_probe_probe_id_check CHECK ((probe_id ~ '^[0-9A-F]{1,16}$'::text))
);
CREATE TABLE public.temperature_probe (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    probe_id text NOT NULL,
    chosen_at timestamp with time zone,
    CONSTRAINT temperature_probe_probe_id_check CHECK ((probe_id ~ '^[0-9A-F]{1,16}$'::text))
);
CREATE VIEW public.person_probe AS
 SELECT o.slot,
    o.device_id,
    p.probe_id,
    p.is_chosen,
    p.temperature,
    p.reported_at
   FROM (public.ownership o
     CROSS JOIN LATERAL ( SELECT COALESCE(heard.probe_id, chosen.probe_id) AS probe_id,
            (chosen.probe_id IS NOT NULL) AS is_chosen,
            heard.temperature,
            heard.reported_at
           FROM (( SELECT r.probe_id,
                    r.temperature,
                    r.reported_at
                   FROM public.reported_probe r
                  WHERE ((r.slot = o.slot) AND (r.device_id = o.device_id) AND (r.reported_at >= GREATEST(o.readings_from, (now() - '7 days'::interval))))) heard
             FULL JOIN ( SELECT t.probe_id
                   FROM public.temperature_probe t
                  WHERE ((t.slot = o.slot) AND (t.device_id = o.device_id))) chosen ON ((chosen.probe_id = heard.probe_id)))) p)
  WHERE ((o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.unlinked_at IS NULL));
CREATE TABLE public.quality_due (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    day timestamp with time zone NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    CONSTRAINT quality_due_day_check CHECK ((((EXTRACT(epoch FROM day))::bigint % (86400)::bigint) = 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
CREATE VIEW public.person_quality_due AS
 SELECT o.slot,
    o.device_id,
    q.day
   FROM (public.ownership o
     JOIN public.quality_due q ON (((q.slot = o.slot) AND (q.device_id = o.device_id) AND (q.day > (o.readings_from - '24:00:00'::interval)) AND (q.day < COALESCE(o.unlinked_at, 'infinity'::timestamp with time zone)))))
  WHERE (o.account_id = ( SELECT public.current_account() AS current_account));
CREATE VIEW public.person_reject AS
 SELECT r.slot,
    r.device_id,
    r.day,
    r.reason,
    r.subject,
    r.messages,
    r.first_at,
    r.last_at,
    r.topic,
    r.detail,
    r.payload
   FROM (public.ownership o
     JOIN public.device_reject r ON (((r.slot = o.slot) AND (r.device_id = o.device_id) AND (r.first_at >= o.linked_at))))
  WHERE ((o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.role = 'owner'::text) AND (o.unlinked_at IS NULL));
CREATE TABLE public.rollup_due (
    slot smallint NOT NULL,
    device_id integer,
    hour timestamp with time zone NOT NULL,
    CONSTRAINT rollup_due_hour_check CHECK ((((EXTRACT(epoch FROM hour))::bigint % (3600)::bigint) = 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
ALTER TABLE ONLY public.rollup_due REPLICA IDENTITY FULL;
CREATE VIEW public.person_rollup_due AS
 SELECT o.slot,
    o.device_id,
    r.hour
   FROM (public.ownership o
     JOIN public.rollup_due r ON (((r.slot = o.slot) AND ((r.device_id = o.device_id) OR (r.device_id IS NULL)) AND (r.hour >= o.readings_from) AND (r.hour < COALESCE(o.unlinked_at, 'infinity'::timestamp with time zone)))))
  WHERE (o.account_id = ( SELECT public.current_account() AS current_account));
CREATE TABLE public.sample (
    slot smallint NOT NULL,
    flags smallint NOT NULL,
    device_id integer NOT NULL,
    event_time timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    temperature real,
    ph real,
    ammonia real,
    nitrate real,
    nitrite real,
    alkalinity real,
    hardness real,
    dissolved_oxygen real,
    salinity real,
    filled integer,
    oxygen_saturation real,
    free_ammonia real,
    carbon_dioxide real,
    orp real,
    conductivity real,
    tds real,
    turbidity real,
    turbidity_fnu real,
    filled_more integer
)
PARTITION BY RANGE (event_time);
CREATE VIEW public.person_sample AS
 SELECT s.slot,
    s.flags,
    s.device_id,
    s.event_time,
    s.received_at,
    s.temperature,
    s.ph,
    s.ammonia,
    s.nitrate,
    s.nitrite,
    s.alkalinity,
    s.hardness,
    s.dissolved_oxygen,
    s.salinity,
    s.filled,
    s.oxygen_saturation,
    s.free_ammonia,
    s.carbon_dioxide,
    s.orp,
    s.conductivity,
    s.tds,
    s.turbidity,
    s.turbidity_fnu,
    s.filled_more
   FROM (public.ownership o
     JOIN public.sample s ON (((s.slot = o.slot) AND (s.device_id = o.device_id) AND (s.event_time >= o.readings_from) AND (s.event_time < COALESCE(o.unlinked_at, 'infinity'::timestamp with time zone)))))
  WHERE (o.account_id = ( SELECT public.current_account() AS current_account));
CREATE TABLE public.sample_day (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    temperature_sum double precision,
    ph_sum double precision,
    ammonia_sum double precision,
    nitrate_sum double precision,
    nitrite_sum double precision,
    alkalinity_sum double precision,
    hardness_sum double precision,
    dissolved_oxygen_sum double precision,
    salinity_sum double precision,
    temperature_min real,
    ph_min real,
    ammonia_min real,
    nitrate_min real,
    nitrite_min real,
    alkalinity_min real,
    hardness_min real,
    dissolved_oxygen_min real,
    salinity_min real,
    temperature_max real,
    ph_max real,
    ammonia_max real,
    nitrate_max real,
    nitrite_max real,
    alkalinity_max real,
    hardness_max real,
    dissolved_oxygen_max real,
    salinity_max real,
    temperature_count integer,
    ph_count integer,
    ammonia_count integer,
    nitrate_count integer,
    nitrite_count integer,
    alkalinity_count integer,
    hardness_count integer,
    dissolved_oxygen_count integer,
    salinity_count integer,
    oxygen_saturation_sum double precision,
    free_ammonia_sum double precision,
    carbon_dioxide_sum double precision,
    orp_sum double precision,
    conductivity_sum double precision,
    tds_sum double precision,
    turbidity_sum double precision,
    turbidity_fnu_sum double precision,
    oxygen_saturation_min real,
    free_ammonia_min real,
    carbon_dioxide_min real,
    orp_min real,
    conductivity_min real,
    tds_min real,
    turbidity_min real,
    turbidity_fnu_min real,
    oxygen_saturation_max real,
    free_ammonia_max real,
    carbon_dioxide_max real,
    orp_max real,
    conductivity_max real,
    tds_max real,
    turbidity_max real,
    turbidity_fnu_max real,
    oxygen_saturation_count integer,
    free_ammonia_count integer,
    carbon_dioxide_count integer,
    orp_count integer,
    conductivity_count integer,
    tds_count integer,
    turbidity_count integer,
    turbidity_fnu_count integer,
    temperature_flagged integer,
    ph_flagged integer,
    ammonia_flagged integer,
    nitrate_flagged integer,
    nitrite_flagged integer,
    alkalinity_flagged integer,
    hardness_flagged integer,
    dissolved_oxygen_flagged integer,
    salinity_flagged integer,
    oxygen_saturation_flagged integer,
    free_ammonia_flagged integer,
    carbon_dioxide_flagged integer,
    orp_flagged integer,
    conductivity_flagged integer,
    tds_flagged integer,
    turbidity_flagged integer,
    turbidity_fnu_flagged integer,
    CONSTRAINT sample_day_whole CHECK ((((EXTRACT(epoch FROM starts_at))::bigint % (86400)::bigint) = 0))
)
WITH (autovacuum_freeze_min_age='0', autovacuum_vacuum_insert_scale_factor='0.05');
CREATE VIEW public.person_sample_day AS
 SELECT d.slot,
    d.device_id,
    d.starts_at,
    d.temperature_sum,
    d.ph_sum,
    d.ammonia_sum,
    d.nitrate_sum,
    d.nitrite_sum,
    d.alkalinity_sum,
    d.hardness_sum,
    d.dissolved_oxygen_sum,
    d.salinity_sum,
    d.temperature_min,
    d.ph_min,
    d.ammonia_min,
    d.nitrate_min,
    d.nitrite_min,
    d.alkalinity_min,
    d.hardness_min,
    d.dissolved_oxygen_min,
    d.salinity_min,
    d.temperature_max,
    d.ph_max,
    d.ammonia_max,
    d.nitrate_max,
    d.nitrite_max,
    d.alkalinity_max,
    d.hardness_max,
    d.dissolved_oxygen_max,
    d.salinity_max,
    d.temperature_count,
    d.ph_count,
    d.ammonia_count,
    d.nitrate_count,
    d.nitrite_count,
    d.alkalinity_count,
    d.hardness_count,
    d.dissolved_oxygen_count,
    d.salinity_count,
    d.oxygen_saturation_sum,
    d.free_ammonia_sum,
    d.carbon_dioxide_sum,
    d.orp_sum,
    d.conductivity_sum,
    d.tds_sum,
    d.turbidity_sum,
    d.turbidity_fnu_sum,
    d.oxygen_saturation_min,
    d.free_ammonia_min,
    d.carbon_dioxide_min,
    d.orp_min,
    d.conductivity_min,
    d.tds_min,
    d.turbidity_min,
    d.turbidity_fnu_min,
    d.oxygen_saturation_max,
    d.free_ammonia_max,
    d.carbon_dioxide_max,
    d.orp_max,
    d.conductivity_max,
    d.tds_max,
    d.turbidity_max,
    d.turbidity_fnu_max,
    d.oxygen_saturation_count,
    d.free_ammonia_count,
    d.carbon_dioxide_count,
    d.orp_count,
    d.conductivity_count,
    d.tds_count,
    d.turbidity_count,
    d.turbidity_fnu_count,
    d.temperature_flagged,
    d.ph_flagged,
    d.ammonia_flagged,
    d.nitrate_flagged,
    d.nitrite_flagged,
    d.alkalinity_flagged,
    d.hardness_flagged,
    d.dissolved_oxygen_flagged,
    d.salinity_flagged,
    d.oxygen_saturation_flagged,
    d.free_ammonia_flagged,
    d.carbon_dioxide_flagged,
    d.orp_flagged,
    d.conductivity_flagged,
    d.tds_flagged,
    d.turbidity_flagged,
    d.turbidity_fnu_flagged
   FROM (public.ownership o
     JOIN public.sample_day d ON (((d.slot = o.slot) AND (d.device_id = o.device_id) AND (d.starts_at >= o.readings_from) AND (d.starts_at <= COALESCE((o.unlinked_at - '24:00:00'::interval), 'infinity'::timestamp with time zone)))))
  WHERE (o.account_id = ( SELECT public.current_account() AS current_account));
CREATE TABLE public.sample_hour (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    temperature_sum double precision,
    ph_sum double precision,
    ammonia_sum double precision,
    nitrate_sum double precision,
    nitrite_sum double precision,
    alkalinity_sum double precision,
    hardness_sum double precision,
    dissolved_oxygen_sum double precision,
    salinity_sum double precision,
    temperature_min real,
    ph_min real,
    ammonia_min real,
    nitrate_min real,
    nitrite_min real,
    alkalinity_min real,
    hardness_min real,
    dissolved_oxygen_min real,
    salinity_min real,
    temperature_max real,
    ph_max real,
    ammonia_max real,
    nitrate_max real,
    nitrite_max real,
    alkalinity_max real,
    hardness_max real,
    dissolved_oxygen_max real,
    salinity_max real,
    temperature_count integer,
    ph_count integer,
    ammonia_count integer,
    nitrate_count integer,
    nitrite_count integer,
    alkalinity_count integer,
    hardness_count integer,
    dissolved_oxygen_count integer,
    salinity_count integer,
    oxygen_saturation_sum double precision,
    free_ammonia_sum double precision,
    carbon_dioxide_sum double precision,
    orp_sum double precision,
    conductivity_sum double precision,
    tds_sum double precision,
    turbidity_sum double precision,
    turbidity_fnu_sum double precision,
    oxygen_saturation_min real,
    free_ammonia_min real,
    carbon_dioxide_min real,
    orp_min real,
    conductivity_min real,
    tds_min real,
    turbidity_min real,
    turbidity_fnu_min real,
    oxygen_saturation_max real,
    free_ammonia_max real,
    carbon_dioxide_max real,
    orp_max real,
    conductivity_max real,
    tds_max real,
    turbidity_max real,
    turbidity_fnu_max real,
    oxygen_saturation_count integer,
    free_ammonia_count integer,
    carbon_dioxide_count integer,
    orp_count integer,
    conductivity_count integer,
    tds_count integer,
    turbidity_count integer,
    turbidity_fnu_count integer,
    temperature_flagged integer,
    ph_flagged integer,
    ammonia_flagged integer,
    nitrate_flagged integer,
    nitrite_flagged integer,
    alkalinity_flagged integer,
    hardness_flagged integer,
    dissolved_oxygen_flagged integer,
    salinity_flagged integer,
    oxygen_saturation_flagged integer,
    free_ammonia_flagged integer,
    carbon_dioxide_flagged integer,
    orp_flagged integer,
    conductivity_flagged integer,
    tds_flagged integer,
    turbidity_flagged integer,
    turbidity_fnu_flagged integer,
    CONSTRAINT sample_hour_whole CHECK ((((EXTRACT(epoch FROM starts_at))::bigint % (3600)::bigint) = 0))
)
PARTITION BY RANGE (starts_at);
CREATE VIEW public.person_sample_hour AS
 SELECT h.slot,
    h.device_id,
    h.starts_at,
    h.temperature_sum,
    h.ph_sum,
    h.ammonia_sum,
    h.nitrate_sum,
    h.nitrite_sum,
    h.alkalinity_sum,
    h.hardness_sum,
    h.dissolved_oxygen_sum,
    h.salinity_sum,
    h.temperature_min,
    h.ph_min,
    h.ammonia_min,
    h.nitrate_min,
    h.nitrite_min,
    h.alkalinity_min,
    h.hardness_min,
    h.dissolved_oxygen_min,
    h.salinity_min,
    h.temperature_max,
    h.ph_max,
    h.ammonia_max,
    h.nitrate_max,
    h.nitrite_max,
    h.alkalinity_max,
    h.hardness_max,
    h.dissolved_oxygen_max,
    h.salinity_max,
    h.temperature_count,
    h.ph_count,
    h.ammonia_count,
    h.nitrate_count,
    h.nitrite_count,
    h.alkalinity_count,
    h.hardness_count,
    h.dissolved_oxygen_count,
    h.salinity_count,
    h.oxygen_saturation_sum,
    h.free_ammonia_sum,
    h.carbon_dioxide_sum,
    h.orp_sum,
    h.conductivity_sum,
    h.tds_sum,
    h.turbidity_sum,
    h.turbidity_fnu_sum,
    h.oxygen_saturation_min,
    h.free_ammonia_min,
    h.carbon_dioxide_min,
    h.orp_min,
    h.conductivity_min,
    h.tds_min,
    h.turbidity_min,
    h.turbidity_fnu_min,
    h.oxygen_saturation_max,
    h.free_ammonia_max,
    h.carbon_dioxide_max,
    h.orp_max,
    h.conductivity_max,
    h.tds_max,
    h.turbidity_max,
    h.turbidity_fnu_max,
    h.oxygen_saturation_count,
    h.free_ammonia_count,
    h.carbon_dioxide_count,
    h.orp_count,
    h.conductivity_count,
    h.tds_count,
    h.turbidity_count,
    h.turbidity_fnu_count,
    h.temperature_flagged,
    h.ph_flagged,
    h.ammonia_flagged,
    h.nitrate_flagged,
    h.nitrite_flagged,
    h.alkalinity_flagged,
    h.hardness_flagged,
    h.dissolved_oxygen_flagged,
    h.salinity_flagged,
    h.oxygen_saturation_flagged,
    h.free_ammonia_flagged,
    h.carbon_dioxide_flagged,
    h.orp_flagged,
    h.conductivity_flagged,
    h.tds_flagged,
    h.turbidity_flagged,
    h.turbidity_fnu_flagged
   FROM (public.ownership o
     JOIN public.sample_hour h ON (((h.slot = o.slot) AND (h.device_id = o.device_id) AND (h.starts_at >= o.readings_from) AND (h.starts_at <= COALESCE((o.unlinked_at - '01:00:00'::interval), 'infinity'::timestamp with time zone)))))
  WHERE (o.account_id = ( SELECT public.current_account() AS current_account));
CREATE VIEW public.person_watcher AS
 SELECT w.slot,
    w.device_id,
    w.ownership_id,
    w.account_id,
    w.linked_at,
    a.email,
    w.made_in
   FROM ((public.ownership o
     JOIN public.ownership w ON (((w.slot = o.slot) AND (w.device_id = o.device_id) AND (w.role = 'watcher'::text) AND (w.unlinked_at IS NULL))))
     JOIN public.account a ON ((a.account_id = w.account_id)))
  WHERE ((o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.role = 'owner'::text) AND (o.unlinked_at IS NULL));
CREATE TABLE public.personal_token (
    token_id uuid DEFAULT gen_random_uuid() NOT NULL,
    account_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    name text NOT NULL,
    scope text NOT NULL,
    last_four text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    used_on date,
    revoked_at timestamp with time zone,
    made_in uuid,
    CONSTRAINT personal_token_check CHECK ((expires_at > created_at)),
    CONSTRAINT personal_token_last_four_check CHECK ((length(last_four) = 4)),
    CONSTRAINT personal_token_name_check CHECK (((length(name) >= 1) AND (length(name) <= 64))),
    CONSTRAINT personal_token_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'write'::text]))),
    CONSTRAINT personal_token_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE TABLE public.probe_fault (
    slot smallint NOT NULL,
    parameter smallint NOT NULL,
    device_id integer NOT NULL,
    since timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT probe_fault_check CHECK ((since <= last_at)),
    CONSTRAINT probe_fault_parameter_check CHECK ((parameter >= 0))
)
WITH (fillfactor='70');
CREATE VIEW public.reachable_account AS
 SELECT e.account_id
   FROM public.endpoint e
  WHERE ((e.retired_at IS NULL) AND (e.paused_at IS NULL) AND (( SELECT count(*) AS count
           FROM public.endpoint_retirement r
          WHERE ((r.endpoint_id = e.endpoint_id) AND (r.registration = e.registration))) = 0));
CREATE TABLE public.refresh_token (
    token_hash bytea NOT NULL,
    session_id uuid NOT NULL,
    account_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone,
    sealed_successor bytea,
    CONSTRAINT refresh_token_check CHECK (((used_at IS NULL) = (sealed_successor IS NULL))),
    CONSTRAINT refresh_token_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE TABLE public.reject (
    "position" integer NOT NULL,
    reject_number bigint NOT NULL,
    received_at timestamp with time zone NOT NULL,
    topic text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    payload bytea NOT NULL,
    CONSTRAINT reject_payload_check CHECK ((length(payload) <= 512)),
    CONSTRAINT reject_position_check CHECK ((("position" >= 0) AND ("position" <= 9999)))
);
CREATE SEQUENCE public.reject_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.retention (
    kind text NOT NULL,
    keep interval NOT NULL,
    CONSTRAINT retention_keep_check CHECK (((keep >= '8 days'::interval) AND (keep <= '36500 days'::interval))),
    CONSTRAINT retention_kind_check CHECK ((kind = ANY (ARRAY['samples'::text, 'hours'::text, 'alerts'::text])))
);
CREATE TABLE public.rollup_progress (
    slot smallint NOT NULL,
    hours_since timestamp with time zone NOT NULL,
    hours_until timestamp with time zone NOT NULL,
    judged_since timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    flat_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    flat_device integer DEFAULT 0 NOT NULL,
    outside_since timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT rollup_progress_check CHECK ((hours_until >= hours_since)),
    CONSTRAINT rollup_progress_hours_since_check CHECK ((((EXTRACT(epoch FROM hours_since))::bigint % (3600)::bigint) = 0)),
    CONSTRAINT rollup_progress_hours_until_check CHECK ((((EXTRACT(epoch FROM hours_until))::bigint % (3600)::bigint) = 0)),
    CONSTRAINT rollup_progress_judged_since_check CHECK (((judged_since = '-infinity'::timestamp with time zone) OR (((EXTRACT(epoch FROM judged_since))::bigint % (86400)::bigint) = 0))),
    CONSTRAINT rollup_progress_outside_since_check CHECK (((outside_since = '-infinity'::timestamp with time zone) OR (((EXTRACT(epoch FROM outside_since))::bigint % (86400)::bigint) = 0)))
);
CREATE TABLE public.schema_migration (
    number integer NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT schema_migration_checksum_check CHECK ((length(checksum) = 32)),
    CONSTRAINT schema_migration_number_check CHECK ((number > 0))
);
CREATE TABLE public.setting (
    slot smallint NOT NULL,
    parameter smallint NOT NULL,
    device_id integer NOT NULL,
    account_id bigint NOT NULL,
    version integer NOT NULL,
    unit text NOT NULL,
    minimum integer,
    maximum integer,
    colour text NOT NULL,
    "position" smallint NOT NULL,
    valid_from timestamp with time zone DEFAULT now() NOT NULL,
    valid_until timestamp with time zone,
    delay_seconds integer DEFAULT 0 NOT NULL,
    critical_minimum integer,
    critical_maximum integer,
    tells_unstable boolean DEFAULT false NOT NULL,
    change_per_hour integer,
    ahead_minutes smallint,
    CONSTRAINT setting_absolute_range CHECK (
CASE parameter
    WHEN 0 THEN (((COALESCE(minimum, 0) >= '-400'::integer) AND (COALESCE(minimum, 0) <= 400)) AND ((COALESCE(maximum, 0) >= '-400'::integer) AND (COALESCE(maximum, 0) <= 400)))
    WHEN 1 THEN (((COALESCE(minimum, 10) >= 10) AND (COALESCE(minimum, 10) <= 140)) AND ((COALESCE(maximum, 10) >= 10) AND (COALESCE(maximum, 10) <= 140)))
    WHEN 2 THEN ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 80))
    WHEN 3 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 2000)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 2000)))
    WHEN 4 THEN ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 80))
    WHEN 5 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 1000)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 1000)))
    WHEN 6 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 1000)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 1000)))
    WHEN 7 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 200)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 200)))
    WHEN 8 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 400)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 400)))
    WHEN 9 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 300)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 300)))
    WHEN 10 THEN ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 1000))
    WHEN 11 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 5000)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 5000)))
    WHEN 12 THEN (((COALESCE(minimum, 0) >= '-2000'::integer) AND (COALESCE(minimum, 0) <= 2000)) AND ((COALESCE(maximum, 0) >= '-2000'::integer) AND (COALESCE(maximum, 0) <= 2000)))
    WHEN 13 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 200000)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 200000)))
    WHEN 14 THEN (((COALESCE(minimum, 0) >= 0) AND (COALESCE(minimum, 0) <= 100000)) AND ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 100000)))
    WHEN 15 THEN ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 40000))
    WHEN 16 THEN ((COALESCE(maximum, 0) >= 0) AND (COALESCE(maximum, 0) <= 40000))
    ELSE NULL::boolean
END),
    CONSTRAINT setting_ahead CHECK (((ahead_minutes >= 15) AND (ahead_minutes <= 360))),
    CONSTRAINT setting_change CHECK (((change_per_hour >= 1) AND (change_per_hour <= 1000000))),
    CONSTRAINT setting_check CHECK ((valid_until >= valid_from)),
    CONSTRAINT setting_colour_check CHECK ((colour ~ '^(#[0-9a-f]{6}|[a-z]{3,20})$'::text)),
    CONSTRAINT setting_critical_is_beyond CHECK ((((critical_minimum IS NULL) OR ((minimum IS NOT NULL) AND (critical_minimum < minimum))) AND ((critical_maximum IS NULL) OR ((maximum IS NOT NULL) AND (critical_maximum > maximum))))),
    CONSTRAINT setting_delay CHECK (((delay_seconds >= 0) AND (delay_seconds <= 86400))),
    CONSTRAINT setting_has_no_minimum CHECK (((parameter <> ALL (ARRAY[2, 4, 10, 15, 16])) OR (minimum IS NULL))),
    CONSTRAINT setting_limits_cross CHECK ((minimum < maximum)),
    CONSTRAINT setting_parameter_check CHECK (((parameter >= 0) AND (parameter <= 16))),
    CONSTRAINT setting_position_check CHECK ((("position" >= 0) AND ("position" <= 16))),
    CONSTRAINT setting_version_check CHECK ((version > 0))
);
CREATE TABLE public.silence_check (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    parameters integer DEFAULT 0 NOT NULL,
    rhythm bytea,
    learnt_until timestamp with time zone
)
WITH (fillfactor='70');
CREATE TABLE public.silence_clock (
    only_row boolean DEFAULT true NOT NULL,
    runs_from timestamp with time zone DEFAULT now() NOT NULL,
    looked_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT silence_clock_only_row_check CHECK (only_row)
)
WITH (fillfactor='10');
CREATE TABLE public.slot (
    slot smallint NOT NULL,
    state_version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT slot_slot_check CHECK (((slot >= 0) AND (slot <= 63)))
)
WITH (fillfactor='10');
CREATE TABLE public.slot_rules (
    slot smallint NOT NULL,
    version bigint DEFAULT 0 NOT NULL
)
WITH (fillfactor='10');
CREATE TABLE public.snooze (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer NOT NULL,
    account_id bigint NOT NULL,
    snooze_id bigint NOT NULL,
    kind text NOT NULL,
    side text,
    episode_id bigint,
    set_at timestamp with time zone DEFAULT now() NOT NULL,
    snoozed_until timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT snooze_check CHECK ((ended_at >= set_at)),
    CONSTRAINT snooze_check1 CHECK (((kind = 'range'::text) = (side IS NOT NULL))),
    CONSTRAINT snooze_check2 CHECK (((kind <> 'range'::text) OR (parameter IS NOT NULL))),
    CONSTRAINT snooze_is_bounded CHECK (((snoozed_until > set_at) AND (snoozed_until <= (set_at + '8 days'::interval)))),
    CONSTRAINT snooze_parameter_check CHECK ((parameter >= 0)),
    CONSTRAINT snooze_side_check CHECK ((side = ANY (ARRAY['low'::text, 'high'::text])))
);
ALTER TABLE public.snooze ALTER COLUMN snooze_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.snooze_snooze_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.throttle (
    slot smallint NOT NULL,
    parameter smallint,
    device_id integer NOT NULL,
    account_id bigint NOT NULL,
    kind text NOT NULL,
    charged_at timestamp with time zone NOT NULL,
    alert_id bigint NOT NULL,
    event_time timestamp with time zone,
    CONSTRAINT throttle_parameter_check CHECK (((parameter >= 0) AND (parameter <= 16)))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.01', autovacuum_vacuum_threshold='5000');
ALTER TABLE ONLY public.throttle REPLICA IDENTITY FULL;
CREATE TABLE public.time_outside (
    slot smallint NOT NULL,
    parameter smallint NOT NULL,
    device_id integer NOT NULL,
    account_id bigint NOT NULL,
    day timestamp with time zone NOT NULL,
    seconds smallint[] NOT NULL,
    CONSTRAINT time_outside_day_check CHECK ((((EXTRACT(epoch FROM day))::bigint % (86400)::bigint) = 0)),
    CONSTRAINT time_outside_parameter_check CHECK ((parameter >= 0)),
    CONSTRAINT time_outside_seconds_check CHECK (((cardinality(seconds) = 24) AND (0 <= ALL (seconds)) AND (3600 >= ALL (seconds))))
)
WITH (fillfactor='70');
CREATE TABLE public.transition (
    slot smallint NOT NULL,
    transition_id bigint NOT NULL,
    episode_id bigint NOT NULL,
    event_time timestamp with time zone NOT NULL,
    decided_at timestamp with time zone DEFAULT now() NOT NULL,
    reason text NOT NULL,
    notification text NOT NULL,
    value real,
    CONSTRAINT transition_reason_check CHECK ((reason = ANY (ARRAY['opened'::text, 'flipped'::text, 'recovered'::text, 'unlinked'::text])))
);
ALTER TABLE public.transition ALTER COLUMN transition_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.transition_transition_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW public.usable_endpoint WITH (security_invoker='true') AS
 SELECT e.endpoint_id,
    e.account_id,
    e.channel,
    e.target,
    e.sealed_secret,
    e.created_at,
    e.retired_at,
    e.retired_because,
    e.former_secret,
    e.former_until,
    e.registration,
    e.client_id,
    e.paused_at
   FROM public.endpoint e
  WHERE ((e.retired_at IS NULL) AND (e.paused_at IS NULL) AND (( SELECT count(*) AS count
           FROM public.endpoint_retirement r
          WHERE ((r.endpoint_id = e.endpoint_id) AND (r.registration = e.registration))) = 0));
CREATE TABLE public.vapid_key (
    key_id text NOT NULL,
    public_key bytea NOT NULL,
    "position" smallint NOT NULL,
    announced_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT vapid_key_key_id_check CHECK ((key_id ~ '^[0-9a-f]{16}$'::text)),
    CONSTRAINT vapid_key_public_key_check CHECK ((length(public_key) = 65))
);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_email_key UNIQUE (email);
ALTER TABLE ONLY public.account_event
    ADD CONSTRAINT account_event_pkey PRIMARY KEY (account_id, event_id);
ALTER TABLE ONLY public.account_invitation
    ADD CONSTRAINT account_invitation_pkey PRIMARY KEY (invitation_id);
ALTER TABLE ONLY public.account_invitation
    ADD CONSTRAINT account_invitation_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (account_id);
ALTER TABLE public.alert
    ADD CONSTRAINT alert_ended CHECK (((purpose = 'reminder'::text) OR (NOT ended))) NOT VALID;
ALTER TABLE public.alert
    ADD CONSTRAINT alert_kind_check CHECK ((kind = ANY (ARRAY['range'::text, 'fault'::text, 'silence'::text, 'rate'::text, 'ahead'::text, 'test'::text]))) NOT VALID;
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT alert_pkey PRIMARY KEY (slot, alert_id);
ALTER TABLE ONLY public.backup
    ADD CONSTRAINT backup_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.clock_watch
    ADD CONSTRAINT clock_watch_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY public.delivery_attempt
    ADD CONSTRAINT delivery_attempt_pkey PRIMARY KEY (slot, alert_id, endpoint_id, attempt);
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (slot, alert_id, endpoint_id);
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_claim_code_hash_key UNIQUE (claim_code_hash);
ALTER TABLE ONLY public.device_clock
    ADD CONSTRAINT device_clock_pkey PRIMARY KEY (slot, device_id);
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_device_id_key UNIQUE (device_id);
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_hardware_id_key UNIQUE (hardware_id);
ALTER TABLE ONLY public.device_invitation
    ADD CONSTRAINT device_invitation_pkey PRIMARY KEY (slot, device_id, place);
ALTER TABLE ONLY public.device_invitation
    ADD CONSTRAINT device_invitation_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (slot, device_id);
ALTER TABLE ONLY public.device_reject
    ADD CONSTRAINT device_reject_pkey PRIMARY KEY (slot, device_id, day, reason, subject);
ALTER TABLE ONLY public.device_status
    ADD CONSTRAINT device_status_pkey PRIMARY KEY (slot, device_id);
ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_pkey PRIMARY KEY (endpoint_id);
ALTER TABLE ONLY public.endpoint_retirement
    ADD CONSTRAINT endpoint_retirement_pkey PRIMARY KEY (slot, endpoint_id);
ALTER TABLE public.episode
    ADD CONSTRAINT episode_flat CHECK (((kind = 'fault'::text) OR (flat_at IS NULL))) NOT VALID;
ALTER TABLE public.episode
    ADD CONSTRAINT episode_kind_check CHECK ((kind = ANY (ARRAY['range'::text, 'fault'::text, 'silence'::text, 'rate'::text, 'ahead'::text]))) NOT VALID;
ALTER TABLE ONLY public.episode
    ADD CONSTRAINT episode_pkey PRIMARY KEY (slot, episode_id);
ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_pkey PRIMARY KEY (slot, erasure_id);
ALTER TABLE ONLY public.evaluation_batch
    ADD CONSTRAINT evaluation_batch_pkey PRIMARY KEY (slot, batch_id);
ALTER TABLE ONLY public.flat_line
    ADD CONSTRAINT flat_line_pkey PRIMARY KEY (slot, device_id, parameter);
ALTER TABLE ONLY public.growth_bound
    ADD CONSTRAINT growth_bound_pkey PRIMARY KEY (held);
ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (account_id, key);
ALTER TABLE ONLY public.identity_key
    ADD CONSTRAINT identity_key_pkey PRIMARY KEY (is_one);
ALTER TABLE ONLY public.ingest_seat
    ADD CONSTRAINT ingest_seat_pkey PRIMARY KEY (seat);
ALTER TABLE ONLY public.live_follower
    ADD CONSTRAINT live_follower_pkey PRIMARY KEY (follower);
ALTER TABLE ONLY public.notifier
    ADD CONSTRAINT notifier_pkey PRIMARY KEY (holder);
ALTER TABLE ONLY public.ownership
    ADD CONSTRAINT ownership_pkey PRIMARY KEY (slot, ownership_id);
ALTER TABLE ONLY public.personal_token
    ADD CONSTRAINT personal_token_pkey PRIMARY KEY (token_id);
ALTER TABLE ONLY public.personal_token
    ADD CONSTRAINT personal_token_token_hash_key UNIQUE (token_hash);
ALTER TABLE ONLY public.probe_fault
    ADD CONSTRAINT probe_fault_pkey PRIMARY KEY (slot, device_id, parameter);
ALTER TABLE ONLY public.quality_due
    ADD CONSTRAINT quality_due_pkey PRIMARY KEY (slot, device_id, day);
ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.reject
    ADD CONSTRAINT reject_pkey PRIMARY KEY ("position");
ALTER TABLE ONLY public.reported_probe
    ADD CONSTRAINT reported_probe_pkey PRIMARY KEY (slot, device_id, probe_id);
ALTER TABLE ONLY public.retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY public.rollup_progress
    ADD CONSTRAINT rollup_progress_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY public.sample_day
    ADD CONSTRAINT sample_day_pkey PRIMARY KEY (slot, device_id, starts_at);
ALTER TABLE ONLY public.sample_hour
    ADD CONSTRAINT sample_hour_pkey PRIMARY KEY (slot, device_id, starts_at);
ALTER TABLE ONLY public.sample
    ADD CONSTRAINT sample_pkey PRIMARY KEY (slot, device_id, event_time);
ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (number);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (session_id);
ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (slot, device_id, account_id, parameter, version);
ALTER TABLE ONLY public.silence_check
    ADD CONSTRAINT silence_check_pkey PRIMARY KEY (slot, device_id);
ALTER TABLE ONLY public.silence_clock
    ADD CONSTRAINT silence_clock_pkey PRIMARY KEY (only_row);
ALTER TABLE ONLY public.slot
    ADD CONSTRAINT slot_pkey PRIMARY KEY (slot);
ALTER TABLE ONLY public.slot_rules
    ADD CONSTRAINT slot_rules_pkey PRIMARY KEY (slot);
ALTER TABLE public.snooze
    ADD CONSTRAINT snooze_kind_check CHECK ((kind = ANY (ARRAY['range'::text, 'silence'::text, 'fault'::text, 'rate'::text, 'ahead'::text]))) NOT VALID;
ALTER TABLE ONLY public.snooze
    ADD CONSTRAINT snooze_pkey PRIMARY KEY (slot, snooze_id);
ALTER TABLE ONLY public.temperature_probe
    ADD CONSTRAINT temperature_probe_pkey PRIMARY KEY (slot, device_id);
ALTER TABLE public.throttle
    ADD CONSTRAINT throttle_kind_check CHECK ((kind = ANY (ARRAY['range'::text, 'low'::text, 'high'::text, 'fault'::text, 'silence'::text, 'rate'::text, 'ahead'::text]))) NOT VALID;
ALTER TABLE ONLY public.throttle
    ADD CONSTRAINT throttle_slot_device_id_parameter_account_id_kind_key UNIQUE NULLS NOT DISTINCT (slot, device_id, parameter, account_id, kind);
ALTER TABLE ONLY public.time_outside
    ADD CONSTRAINT time_outside_pkey PRIMARY KEY (slot, device_id, account_id, parameter, day);
ALTER TABLE public.transition
    ADD CONSTRAINT transition_notification_check CHECK ((notification = ANY (ARRAY['none'::text, 'alerted'::text, 'stale'::text, 'held'::text, 'noRecipient'::text, 'throttled'::text, 'delayed'::text, 'acknowledged'::text, 'snoozed'::text, 'toldUnstable'::text, 'outOfRange'::text]))) NOT VALID;
ALTER TABLE ONLY public.transition
    ADD CONSTRAINT transition_pkey PRIMARY KEY (slot, transition_id);
ALTER TABLE ONLY public.vapid_key
    ADD CONSTRAINT vapid_key_pkey PRIMARY KEY (key_id);
CREATE INDEX account_invitation_used_by ON public.account_invitation USING btree (used_by) WHERE (used_by IS NOT NULL);
CREATE INDEX alert_decided ON public.alert USING btree (decided_at, slot) WHERE (state = 'decided'::text);
CREATE INDEX alert_of_account ON public.alert USING btree (account_id, decided_at);
CREATE INDEX alert_of_episode ON public.alert USING btree (slot, episode_id);
CREATE INDEX alert_of_watch ON public.alert USING btree (slot, device_id, parameter, account_id, alert_id);
CREATE INDEX alert_test ON public.alert USING btree (decided_at) WHERE (kind = 'test'::text);
CREATE UNIQUE INDEX alert_uid ON public.alert USING btree (slot, uid);
CREATE INDEX delivery_due ON public.delivery USING btree (next_attempt_at, slot) WHERE (state = 'pending'::text);
CREATE INDEX device_changed_rules ON public.device USING btree (slot, rules_version);
CREATE UNIQUE INDEX device_invitation_known_as ON public.device_invitation USING btree (slot, invitation_id);
CREATE INDEX device_invitation_of_account ON public.device_invitation USING btree (account_id);
CREATE INDEX device_invitation_used_by ON public.device_invitation USING btree (used_by) WHERE (used_by IS NOT NULL);
CREATE INDEX endpoint_by_account ON public.endpoint USING btree (account_id);
CREATE UNIQUE INDEX endpoint_known ON public.endpoint USING btree (channel, public.endpoint_name(target));
CREATE INDEX endpoint_of_account ON public.endpoint USING btree (account_id) WHERE (retired_at IS NULL);
CREATE INDEX endpoint_of_client ON public.endpoint USING btree (account_id, client_id) WHERE (client_id IS NOT NULL);
CREATE INDEX endpoint_retirement_of_endpoint ON public.endpoint_retirement USING btree (endpoint_id, registration);
CREATE INDEX episode_ended ON public.episode USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX episode_of_device ON public.episode USING btree (slot, device_id, opened_at);
CREATE UNIQUE INDEX episode_one_open ON public.episode USING btree (slot, device_id, parameter, account_id, kind) NULLS NOT DISTINCT WHERE (closed_at IS NULL);
CREATE INDEX episode_recovery ON public.episode USING btree (recovery_due_at) WHERE (recovery_due_at IS NOT NULL);
CREATE INDEX evaluation_batch_received ON public.evaluation_batch USING btree (((slot)::integer), received_at);
CREATE INDEX idempotency_key_age ON public.idempotency_key USING btree (account_id, created_at);
CREATE INDEX ownership_of_account ON public.ownership USING btree (account_id);
CREATE INDEX ownership_of_device ON public.ownership USING btree (slot, device_id, unlinked_at);
CREATE UNIQUE INDEX ownership_once_each ON public.ownership USING btree (slot, device_id, account_id) WHERE (unlinked_at IS NULL);
CREATE UNIQUE INDEX ownership_one_owner ON public.ownership USING btree (slot, device_id) WHERE ((unlinked_at IS NULL) AND (role = 'owner'::text));
CREATE INDEX personal_token_of_account ON public.personal_token USING btree (account_id, created_at);
CREATE INDEX quality_due_turn ON public.quality_due USING btree (failures, since);
CREATE INDEX refresh_token_of_account ON public.refresh_token USING btree (account_id);
CREATE INDEX refresh_token_of_session ON public.refresh_token USING btree (session_id, used_at);
CREATE INDEX rollup_due_hour ON public.rollup_due USING btree (slot, hour);
CREATE INDEX session_of_account ON public.session USING btree (account_id, created_at);
CREATE UNIQUE INDEX setting_current ON public.setting USING btree (slot, device_id, account_id, parameter) WHERE (valid_until IS NULL);
CREATE INDEX setting_of_account ON public.setting USING btree (account_id);
CREATE INDEX silence_check_due ON public.silence_check USING btree (due_at);
CREATE UNIQUE INDEX snooze_current ON public.snooze USING btree (slot, device_id, account_id, kind, parameter, side) NULLS NOT DISTINCT WHERE (ended_at IS NULL);
CREATE INDEX snooze_of_person ON public.snooze USING btree (account_id, slot, device_id, snooze_id);
CREATE INDEX temperature_probe_by_choice ON public.temperature_probe USING btree (chosen_at) WHERE (chosen_at IS NOT NULL);
CREATE INDEX throttle_of_alert ON public.throttle USING btree (slot, alert_id);
CREATE INDEX time_outside_of_account ON public.time_outside USING btree (account_id);
CREATE INDEX time_outside_of_day ON public.time_outside USING btree (slot, day);
CREATE INDEX transition_of_episode ON public.transition USING btree (slot, episode_id);
CREATE TRIGGER account_changes_rules AFTER UPDATE OF throttle_seconds ON public.account FOR EACH ROW EXECUTE FUNCTION public.rules_changed_by_account();
ALTER TABLE public.account ENABLE ALWAYS TRIGGER account_changes_rules;
CREATE TRIGGER account_time_zone BEFORE INSERT OR UPDATE OF time_zone ON public.account FOR EACH ROW EXECUTE FUNCTION public.refuse_unknown_time_zone();
CREATE TRIGGER address_sealed BEFORE INSERT OR UPDATE ON public.endpoint FOR EACH ROW EXECUTE FUNCTION public.address_is_sealed();
CREATE TRIGGER bounded AFTER INSERT ON public.account_event FOR EACH ROW EXECUTE FUNCTION public.keep_bound('account_id', 'happened_at', 'true');
CREATE TRIGGER bounded AFTER INSERT ON public.alert FOR EACH ROW WHEN ((new.kind = 'test'::text)) EXECUTE FUNCTION public.keep_bound('account_id', 'decided_at');
CREATE TRIGGER bounded AFTER INSERT ON public.endpoint FOR EACH ROW EXECUTE FUNCTION public.keep_bound('account_id', 'created_at');
CREATE TRIGGER bounded AFTER INSERT ON public.ownership FOR EACH ROW EXECUTE FUNCTION public.keep_bound('account_id', 'linked_at');
CREATE TRIGGER bounded AFTER INSERT ON public.personal_token FOR EACH ROW EXECUTE FUNCTION public.keep_bound('account_id', 'created_at', 't.revoked_at IS NOT NULL OR t.expires_at <= now()');
CREATE TRIGGER bounded AFTER INSERT ON public.refresh_token FOR EACH ROW EXECUTE FUNCTION public.keep_bound('session_id', 'created_at', 't.used_at IS NOT NULL');
CREATE TRIGGER bounded AFTER INSERT ON public.session FOR EACH ROW EXECUTE FUNCTION public.keep_bound('account_id', 'created_at', 't.ended_at IS NOT NULL');
CREATE TRIGGER bounded AFTER INSERT ON public.setting FOR EACH ROW EXECUTE FUNCTION public.keep_bound('slot device_id account_id', 'valid_from', 't.valid_until IS NOT NULL');
CREATE TRIGGER bounded AFTER INSERT ON public.snooze FOR EACH ROW EXECUTE FUNCTION public.keep_bound('account_id slot device_id', 'set_at', 't.ended_at IS NOT NULL');
CREATE TRIGGER change_noted AFTER UPDATE ON public.device_invitation FOR EACH ROW WHEN ((old.invitation_id <> new.invitation_id)) EXECUTE FUNCTION public.invitation_is_noted();
CREATE TRIGGER change_noted AFTER UPDATE ON public.endpoint FOR EACH ROW WHEN ((((new.retired_at IS NULL) AND ((old.registration <> new.registration) OR (old.account_id <> new.account_id))) OR ((old.retired_at IS NULL) AND (new.retired_at IS NOT NULL) AND (old.account_id = new.account_id)))) EXECUTE FUNCTION public.endpoint_is_noted();
CREATE TRIGGER device_was_linked AFTER INSERT ON public.ownership REFERENCING NEW TABLE AS linked FOR EACH STATEMENT EXECUTE FUNCTION public.device_was_linked();
CREATE TRIGGER end_noted AFTER UPDATE OF unlinked_at ON public.ownership FOR EACH ROW WHEN (((old.unlinked_at IS NULL) AND (new.unlinked_at IS NOT NULL))) EXECUTE FUNCTION public.ownership_is_noted();
CREATE TRIGGER end_noted AFTER UPDATE OF revoked_at ON public.personal_token FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION public.token_is_noted();
CREATE TRIGGER end_noted AFTER UPDATE OF ended_at ON public.session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION public.session_is_noted();
CREATE TRIGGER events_forgotten AFTER DELETE ON public.account FOR EACH ROW EXECUTE FUNCTION public.forget_account_events();
CREATE TRIGGER flat_line_changes_rules AFTER INSERT ON public.flat_line FOR EACH ROW EXECUTE FUNCTION public.rules_changed_by_row();
CREATE TRIGGER former_throttle_kept BEFORE UPDATE OF throttle_seconds ON public.account FOR EACH ROW WHEN ((old.throttle_seconds IS DISTINCT FROM new.throttle_seconds)) EXECUTE FUNCTION public.keep_former_throttle();
CREATE TRIGGER made_again_in_session BEFORE UPDATE ON public.device_invitation FOR EACH ROW WHEN ((old.invitation_id <> new.invitation_id)) EXECUTE FUNCTION public.note_where_it_was_made();
CREATE TRIGGER made_again_in_session BEFORE UPDATE ON public.endpoint FOR EACH ROW WHEN (((old.registration <> new.registration) OR (old.account_id <> new.account_id))) EXECUTE FUNCTION public.note_where_it_was_made();
CREATE TRIGGER made_by_invitation BEFORE INSERT ON public.ownership FOR EACH ROW WHEN ((new.role = 'watcher'::text)) EXECUTE FUNCTION public.note_by_which_invitation();
CREATE TRIGGER made_in_session BEFORE INSERT ON public.device_invitation FOR EACH ROW EXECUTE FUNCTION public.note_where_it_was_made();
CREATE TRIGGER made_in_session BEFORE INSERT ON public.endpoint FOR EACH ROW EXECUTE FUNCTION public.note_where_it_was_made();
CREATE TRIGGER made_in_session BEFORE INSERT ON public.personal_token FOR EACH ROW EXECUTE FUNCTION public.note_where_it_was_made();
CREATE TRIGGER noted AFTER INSERT ON public.device_invitation FOR EACH ROW EXECUTE FUNCTION public.invitation_is_noted();
CREATE TRIGGER noted AFTER INSERT ON public.endpoint FOR EACH ROW EXECUTE FUNCTION public.endpoint_is_noted();
CREATE TRIGGER noted AFTER INSERT ON public.ownership FOR EACH ROW EXECUTE FUNCTION public.ownership_is_noted();
CREATE TRIGGER noted AFTER INSERT ON public.personal_token FOR EACH ROW EXECUTE FUNCTION public.token_is_noted();
CREATE TRIGGER noted AFTER INSERT ON public.session FOR EACH ROW EXECUTE FUNCTION public.session_is_noted();
CREATE TRIGGER ownership_changes_rules AFTER INSERT OR UPDATE ON public.ownership FOR EACH ROW EXECUTE FUNCTION public.rules_changed_by_row();
ALTER TABLE public.ownership ENABLE ALWAYS TRIGGER ownership_changes_rules;
CREATE TRIGGER ownership_has_readings BEFORE INSERT ON public.ownership FOR EACH ROW EXECUTE FUNCTION public.ownership_knows_its_readings();
CREATE TRIGGER password_noted AFTER UPDATE OF password_hash ON public.account FOR EACH ROW WHEN ((old.password_hash <> new.password_hash)) EXECUTE FUNCTION public.password_is_noted();
CREATE TRIGGER probe_changes_rules AFTER INSERT OR UPDATE OF chosen_at ON public.temperature_probe FOR EACH ROW WHEN ((new.chosen_at IS NOT NULL)) EXECUTE FUNCTION public.rules_changed_by_row();
ALTER TABLE public.temperature_probe ENABLE ALWAYS TRIGGER probe_changes_rules;
CREATE TRIGGER rejects_begin AFTER INSERT ON public.ownership FOR EACH ROW WHEN ((new.role = 'owner'::text)) EXECUTE FUNCTION public.rejects_end_with_ownership();
CREATE TRIGGER rejects_end AFTER UPDATE OF unlinked_at ON public.ownership FOR EACH ROW WHEN (((new.role = 'owner'::text) AND (old.unlinked_at IS NULL) AND (new.unlinked_at IS NOT NULL))) EXECUTE FUNCTION public.rejects_end_with_ownership();
CREATE TRIGGER reported_probes_erased AFTER DELETE ON public.erasure FOR EACH ROW WHEN ((old.kind = 'samples'::text)) EXECUTE FUNCTION public.erase_reported_probes();
CREATE TRIGGER setting_changes_rules AFTER INSERT OR UPDATE ON public.setting FOR EACH ROW EXECUTE FUNCTION public.rules_changed_by_row();
ALTER TABLE public.setting ENABLE ALWAYS TRIGGER setting_changes_rules;
CREATE TRIGGER setup_change_told AFTER UPDATE OF settings_version ON public.account FOR EACH ROW WHEN ((old.settings_version <> new.settings_version)) EXECUTE FUNCTION public.setup_was_changed();
CREATE TRIGGER setup_change_told AFTER UPDATE OF version, unlinked_at ON public.ownership FOR EACH ROW WHEN (((old.version <> new.version) OR (old.unlinked_at IS DISTINCT FROM new.unlinked_at))) EXECUTE FUNCTION public.setup_was_changed();
CREATE TRIGGER setup_change_told AFTER UPDATE OF ended_at ON public.snooze FOR EACH ROW WHEN ((old.ended_at IS DISTINCT FROM new.ended_at)) EXECUTE FUNCTION public.setup_was_changed();
CREATE TRIGGER setup_told AFTER INSERT ON public.ownership REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.setups_were_added();
CREATE TRIGGER setup_told AFTER INSERT ON public.setting REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.setups_were_added();
CREATE TRIGGER setup_told AFTER INSERT ON public.snooze REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.setups_were_added();
CREATE TRIGGER snoozes_end AFTER UPDATE OF unlinked_at ON public.ownership FOR EACH ROW WHEN (((old.unlinked_at IS NULL) AND (new.unlinked_at IS NOT NULL))) EXECUTE FUNCTION public.snoozes_end_with_ownership();
ALTER TABLE ONLY public.account_invitation
    ADD CONSTRAINT account_invitation_used_by_fkey FOREIGN KEY (used_by) REFERENCES public.account(account_id) ON DELETE SET NULL;
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT alert_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.alert
    ADD CONSTRAINT alert_slot_episode_id_fkey FOREIGN KEY (slot, episode_id) REFERENCES public.episode(slot, episode_id);
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES public.endpoint(endpoint_id);
ALTER TABLE ONLY public.delivery
    ADD CONSTRAINT delivery_slot_alert_id_fkey FOREIGN KEY (slot, alert_id) REFERENCES public.alert(slot, alert_id);
ALTER TABLE ONLY public.device_clock
    ADD CONSTRAINT device_clock_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.device_invitation
    ADD CONSTRAINT device_invitation_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.device_invitation
    ADD CONSTRAINT device_invitation_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.device_invitation
    ADD CONSTRAINT device_invitation_used_by_fkey FOREIGN KEY (used_by) REFERENCES public.account(account_id) ON DELETE SET NULL;
ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_slot_fkey FOREIGN KEY (slot) REFERENCES public.slot(slot);
ALTER TABLE ONLY public.endpoint
    ADD CONSTRAINT endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.episode
    ADD CONSTRAINT episode_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.ownership
    ADD CONSTRAINT ownership_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.ownership
    ADD CONSTRAINT ownership_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.personal_token
    ADD CONSTRAINT personal_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.refresh_token
    ADD CONSTRAINT refresh_token_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.session(session_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.reported_probe
    ADD CONSTRAINT reported_probe_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.rollup_progress
    ADD CONSTRAINT rollup_progress_slot_fkey FOREIGN KEY (slot) REFERENCES public.slot(slot);
ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.slot_rules
    ADD CONSTRAINT slot_rules_slot_fkey FOREIGN KEY (slot) REFERENCES public.slot(slot);
ALTER TABLE ONLY public.snooze
    ADD CONSTRAINT snooze_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.snooze
    ADD CONSTRAINT snooze_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.temperature_probe
    ADD CONSTRAINT temperature_probe_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.throttle
    ADD CONSTRAINT throttle_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id);
ALTER TABLE ONLY public.time_outside
    ADD CONSTRAINT time_outside_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(account_id) ON DELETE CASCADE;
ALTER TABLE ONLY public.time_outside
    ADD CONSTRAINT time_outside_slot_device_id_fkey FOREIGN KEY (slot, device_id) REFERENCES public.device(slot, device_id);
ALTER TABLE ONLY public.transition
    ADD CONSTRAINT transition_slot_episode_id_fkey FOREIGN KEY (slot, episode_id) REFERENCES public.episode(slot, episode_id);
ALTER TABLE public.account ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.account_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.account_invitation ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.alert ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.delivery_attempt ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.device ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.device_invitation ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.device_status ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.endpoint ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.endpoint_retirement ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.episode ENABLE ROW LEVEL SECURITY;
CREATE POLICY has_device ON public.setting AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK ((EXISTS ( SELECT
   FROM public.ownership o
  WHERE ((o.slot = setting.slot) AND (o.device_id = setting.device_id) AND (o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.unlinked_at IS NULL)))));
CREATE POLICY has_device ON public.snooze AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK ((EXISTS ( SELECT
   FROM public.ownership o
  WHERE ((o.slot = snooze.slot) AND (o.device_id = snooze.device_id) AND (o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.unlinked_at IS NULL)))));
ALTER TABLE public.idempotency_key ENABLE ROW LEVEL SECURITY;
CREATE POLICY only_tests_change ON public.alert AS RESTRICTIVE FOR UPDATE TO aqua_gateway USING ((kind = 'test'::text));
ALTER TABLE public.ownership ENABLE ROW LEVEL SECURITY;
CREATE POLICY owns_device ON public.device_invitation AS RESTRICTIVE FOR INSERT TO aqua_gateway WITH CHECK ((EXISTS ( SELECT
   FROM public.ownership o
  WHERE ((o.slot = device_invitation.slot) AND (o.device_id = device_invitation.device_id) AND (o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.unlinked_at IS NULL) AND (o.role = 'owner'::text)))));
CREATE POLICY person ON public.account TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.account_event TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.alert TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.delivery TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.delivery_attempt TO aqua_gateway USING ((EXISTS ( SELECT
   FROM public.delivery d
  WHERE ((d.slot = delivery_attempt.slot) AND (d.alert_id = delivery_attempt.alert_id) AND (d.endpoint_id = delivery_attempt.endpoint_id) AND (d.account_id = ( SELECT public.current_account() AS current_account))))));
CREATE POLICY person ON public.device TO aqua_gateway USING ((EXISTS ( SELECT
   FROM public.ownership o
  WHERE ((o.slot = device.slot) AND (o.device_id = device.device_id) AND (o.account_id = ( SELECT public.current_account() AS current_account))))));
CREATE POLICY person ON public.device_invitation TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.device_status TO aqua_gateway USING ((EXISTS ( SELECT
   FROM public.ownership o
  WHERE ((o.slot = device_status.slot) AND (o.device_id = device_status.device_id) AND (o.account_id = ( SELECT public.current_account() AS current_account)) AND (o.unlinked_at IS NULL)))));
CREATE POLICY person ON public.endpoint TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.endpoint_retirement TO aqua_gateway USING ((EXISTS ( SELECT
   FROM public.endpoint e
  WHERE ((e.endpoint_id = endpoint_retirement.endpoint_id) AND (e.account_id = ( SELECT public.current_account() AS current_account))))));
CREATE POLICY person ON public.episode TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.idempotency_key TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.ownership TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.personal_token TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.session TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.setting TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.snooze TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.throttle TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.time_outside TO aqua_gateway USING ((account_id = ( SELECT public.current_account() AS current_account)));
CREATE POLICY person ON public.transition TO aqua_gateway USING ((EXISTS ( SELECT
   FROM public.episode e
  WHERE ((e.slot = transition.slot) AND (e.episode_id = transition.episode_id) AND (e.account_id = ( SELECT public.current_account() AS current_account))))));
ALTER TABLE public.personal_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.refresh_token ENABLE ROW LEVEL SECURITY;
CREATE POLICY services ON public.account TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.alert TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.delivery TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.delivery_attempt TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.device TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.device_status TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.endpoint TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.endpoint_retirement TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.episode TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.ownership TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.setting TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.snooze TO aqua_rules USING (true);
CREATE POLICY services ON public.throttle TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
CREATE POLICY services ON public.time_outside TO aqua_ingestor USING (true);
CREATE POLICY services ON public.transition TO aqua_ingestor, aqua_rules, aqua_notifier USING (true);
ALTER TABLE public.session ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.snooze ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.throttle ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.time_outside ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.transition ENABLE ROW LEVEL SECURITY;
REVOKE ALL ON FUNCTION public.accounts_of(tickets text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.add_account_event(person bigint, what text, of_what text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.add_account_event(person bigint, what text, of_what text, in_session uuid, from_address text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.add_endpoint(number bigint, person bigint, on_channel text, to_target text, secret bytea, on_client_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_endpoint(number bigint, person bigint, on_channel text, to_target text, secret bytea, on_client_id uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.add_ownership(of_slot smallint, of_device integer, person bigint, as_role text, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.add_test_alert(person bigint, known_as uuid, to_endpoint bigint, most integer, OUT outcome text, OUT of_slot smallint, OUT alert bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_test_alert(person bigint, known_as uuid, to_endpoint bigint, most integer, OUT outcome text, OUT of_slot smallint, OUT alert bigint) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.add_web_push(number bigint, person bigint, to_target text, secret bytea, its_fingerprint bytea, key text, on_client_id uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_web_push(number bigint, person bigint, to_target text, secret bytea, its_fingerprint bytea, key text, on_client_id uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.address_is_sealed() FROM PUBLIC;
GRANT SELECT,INSERT,UPDATE ON TABLE public.alert TO aqua_rules;
GRANT SELECT ON TABLE public.alert TO aqua_notifier;
GRANT SELECT ON TABLE public.alert TO aqua_gateway;
GRANT UPDATE(state) ON TABLE public.alert TO aqua_notifier;
GRANT UPDATE(state) ON TABLE public.alert TO aqua_gateway;
REVOKE ALL ON FUNCTION public.alarms_of(of_slot smallint, of_device integer, people bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.begin_as_before(of_slot smallint, of_device integer, person bigint, owner bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.believe_clock(reading timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.check_password(person bigint, derived_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.check_password(person bigint, derived_hash text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.choose_probe(of_slot smallint, of_device integer, chosen text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.choose_probe(of_slot smallint, of_device integer, chosen text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.claim_device(hashes bytea[], person bigint, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[], OUT outcome text, OUT claimed_slot smallint, OUT claimed_device integer, OUT hardware text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.claim_device(hashes bytea[], person bigint, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[], OUT outcome text, OUT claimed_slot smallint, OUT claimed_device integer, OUT hardware text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.clock_lag(of_slot smallint, of_device integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.clock_lag(of_slot smallint, of_device integer) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.close_account(person bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.close_account(person bigint) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.current_account() FROM PUBLIC;
GRANT ALL ON FUNCTION public.current_account() TO aqua_gateway;
REVOKE ALL ON FUNCTION public.current_session() FROM PUBLIC;
GRANT ALL ON FUNCTION public.current_session() TO aqua_gateway;
REVOKE ALL ON FUNCTION public.delete_old_alerts(keep interval, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_old_alerts(keep interval, most integer) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.delete_old_rejects(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.delete_old_rejects(most integer) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.device_rhythm(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.device_rhythm(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamp with time zone) TO aqua_rules;
REVOKE ALL ON FUNCTION public.device_was_linked() FROM PUBLIC;
GRANT SELECT ON TABLE public.clock_watch TO aqua_ingestor;
GRANT SELECT ON TABLE public.clock_watch TO aqua_rules;
GRANT SELECT ON TABLE public.clock_watch TO aqua_notifier;
GRANT SELECT ON TABLE public.clock_watch TO aqua_gateway;
REVOKE ALL ON FUNCTION public.devices_confirm_clock(reading timestamp with time zone, watch public.clock_watch) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.drop_oldest_partition(parent text, keep interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.drop_oldest_partition(parent text, keep interval) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.end_holders() FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_holders() TO aqua_rules;
REVOKE ALL ON FUNCTION public.end_ownerships(of_slot smallint, of_device integer, people bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.end_session_of_token(token bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_session_of_token(token bytea) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.end_sessions(person bigint, only_session uuid, but_session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_sessions(person bigint, only_session uuid, but_session uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.end_sessions_of(person bigint, chosen uuid[], because text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.end_watching(of_slot smallint, of_device integer, person bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.end_watching(of_slot smallint, of_device integer, person bigint) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.endpoint_is_noted() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.endpoint_name(target text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.endpoint_name(target text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.enter_session(entered uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.enter_session(entered uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.enter_token(hash bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.enter_token(hash bytea) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.erase_readings(most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erase_readings(most integer) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.erase_reported_probes() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.find_credentials(address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_credentials(address text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.find_familiarity(of_address text, of_client_id uuid, from_address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_familiarity(of_address text, of_client_id uuid, from_address text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.find_password_salt(address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.find_password_salt(address text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.follow_slots(as_follower uuid, which bigint, lasting interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.follow_slots(as_follower uuid, which bigint, lasting interval) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.followed_devices(accounts bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.followed_devices(accounts bigint[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.followed_devices(tickets text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.followed_devices(tickets text[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.forget_account_events() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.forget_snoozes(of_slot smallint, of_device integer, person bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_snoozes(of_slot smallint, of_device integer, person bigint) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.heard_pauses(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamp with time zone, learnt_until timestamp with time zone, shortest interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.heard_pauses(of_slot smallint, of_device integer, of_parameter smallint, silent_before timestamp with time zone, learnt_until timestamp with time zone, shortest interval) TO aqua_rules;
REVOKE ALL ON FUNCTION public.hold_session(person bigint, held uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.hold_session(person bigint, held uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.intake_late_since() FROM PUBLIC;
GRANT ALL ON FUNCTION public.intake_late_since() TO aqua_gateway;
REVOKE ALL ON FUNCTION public.invitation_is_noted() FROM PUBLIC;
GRANT SELECT ON TABLE public.session TO aqua_gateway;
REVOKE ALL ON FUNCTION public.join_device(token bytea, person bigint, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[], OUT outcome text, OUT joined_slot smallint, OUT joined_device integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.join_device(token bytea, person bigint, called text, parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[], OUT outcome text, OUT joined_slot smallint, OUT joined_device integer) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.keep_bound() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.keep_former_throttle() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.last_reading(of_slot smallint, of_device integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.last_reading(of_slot smallint, of_device integer) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.latest_readings(only_device text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.latest_readings(only_device text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.live_alerts(accounts bigint[], since timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.live_alerts(accounts bigint[], since timestamp with time zone) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.live_alerts(tickets text[], since timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.live_alerts(tickets text[], since timestamp with time zone) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.live_devices(slots smallint[], devices integer[], accounts bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.live_devices(slots smallint[], devices integer[], accounts bigint[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.live_devices(slots smallint[], devices integer[], tickets text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.live_devices(slots smallint[], devices integer[], tickets text[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.live_samples(slots smallint[], devices integer[], since timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.live_samples(slots smallint[], devices integer[], since timestamp with time zone[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.live_samples(slots smallint[], devices integer[], since timestamp with time zone[], tickets text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.live_samples(slots smallint[], devices integer[], since timestamp with time zone[], tickets text[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.live_ticket() FROM PUBLIC;
GRANT ALL ON FUNCTION public.live_ticket() TO aqua_gateway;
REVOKE ALL ON FUNCTION public.living_sessions(sessions uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.living_sessions(sessions uuid[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.living_tokens(hashes bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.living_tokens(hashes bytea[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.look_at_account_invitation(token bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.look_at_account_invitation(token bytea) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.look_at_invitation(token bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.look_at_invitation(token bytea) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.make_hour_partitions() FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_hour_partitions() TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.make_past_hour_partitions(from_day date, until_day date) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.make_sample_partitions(from_day date, until_day date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.make_sample_partitions(from_day date, until_day date) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.may_be_forgotten(from_time timestamp with time zone, until_time timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.name_person(person bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.name_session(named uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.name_session(named uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.note_by_which_invitation() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.note_clock() FROM PUBLIC;
GRANT ALL ON FUNCTION public.note_clock() TO aqua_ingestor;
GRANT ALL ON FUNCTION public.note_clock() TO aqua_rules;
GRANT ALL ON FUNCTION public.note_clock() TO aqua_notifier;
REVOKE ALL ON FUNCTION public.note_clock_at(reading timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.note_reported_probes(slots smallint[], devices integer[], probes text[], temperatures real[], times timestamp with time zone[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.note_reported_probes(slots smallint[], devices integer[], probes text[], temperatures real[], times timestamp with time zone[]) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.note_where_it_was_made() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.number_endpoint(on_channel text, to_target text, person bigint, OUT endpoint bigint, OUT account bigint, OUT in_use boolean, OUT others bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.number_endpoint(on_channel text, to_target text, person bigint, OUT endpoint bigint, OUT account bigint, OUT in_use boolean, OUT others bigint) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.number_web_push(to_target text, its_fingerprint bytea, on_client_id uuid, person bigint, OUT endpoint bigint, OUT standing text, OUT is_gone boolean, OUT others bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.number_web_push(to_target text, its_fingerprint bytea, on_client_id uuid, person bigint, OUT endpoint bigint, OUT standing text, OUT is_gone boolean, OUT others bigint) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.open_account(address text, hash text, language text, zone text, invitation bytea, OUT outcome text, OUT account bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_account(address text, hash text, language text, zone text, invitation bytea, OUT outcome text, OUT account bigint) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.open_session(person bigint, checked_hash text, on_client_id uuid, on_client text, from_address text, token bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.open_session(person bigint, checked_hash text, on_client_id uuid, on_client text, from_address text, token bytea) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.ownership_is_noted() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.ownership_knows_its_readings() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.password_is_noted() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.prove_session(person bigint, proven uuid, checked_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.prove_session(person bigint, proven uuid, checked_hash text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.record_device_rejects(slots smallint[], devices integer[], reasons text[], subjects text[], counts integer[], topics text[], details text[], payloads bytea[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.record_device_rejects(slots smallint[], devices integer[], reasons text[], subjects text[], counts integer[], topics text[], details text[], payloads bytea[]) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.refresh_session(token bytea, successor bytea, sealed bytea, by_client text, from_address text, OUT outcome text, OUT renewed uuid, OUT account bigint, OUT sealed_successor bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refresh_session(token bytea, successor bytea, sealed bytea, by_client text, from_address text, OUT outcome text, OUT renewed uuid, OUT account bigint, OUT sealed_successor bytea) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.refresh_session(token bytea, successor bytea, sealed bytea, by_client text, from_address text, by_client_id uuid, OUT outcome text, OUT renewed uuid, OUT account bigint, OUT sealed_successor bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refresh_session(token bytea, successor bytea, sealed bytea, by_client text, from_address text, by_client_id uuid, OUT outcome text, OUT renewed uuid, OUT account bigint, OUT sealed_successor bytea) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.rehash_password(person bigint, checked_hash text, next_hash text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.rehash_password(person bigint, checked_hash text, next_hash text) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.rejects_end_with_ownership() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.replace_password(person bigint, checked_hash text, next_hash text, but_session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.replace_password(person bigint, checked_hash text, next_hash text, but_session uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.replay_samples(since timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.replay_samples(since timestamp with time zone, most integer) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.rules_changed_by_account() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.rules_changed_by_row() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.seal_of(message text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.session_is_noted() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.setup_parts(tickets text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.setup_parts(tickets text[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.setup_versions(accounts bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.setup_versions(accounts bigint[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.setup_versions(tickets text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.setup_versions(tickets text[]) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.setup_was_changed() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.setups_were_added() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.show_since_alarm(of_slot smallint, of_device integer, person bigint, owner bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.snoozes_end_with_ownership() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.spans_of_nobody_else(of_slot smallint, of_device integer, person bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.start_of_readings(of_slot smallint, of_device integer, as_role text, linked timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.take_census(OUT open_alarms bigint, OUT silent_devices bigint, OUT unreached_people bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_census(OUT open_alarms bigint, OUT silent_devices bigint, OUT unreached_people bigint) TO aqua_ingestor;
REVOKE ALL ON FUNCTION public.tell_end(alarms public.alert[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.token_is_noted() FROM PUBLIC;
REVOKE ALL ON FUNCTION public.tune_sample_partition(partition text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.undo_session(person bigint, undone uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.undo_session(person bigint, undone uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.unfollow_slots(as_follower uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unfollow_slots(as_follower uuid) TO aqua_gateway;
REVOKE ALL ON FUNCTION public.unlink_device(of_slot smallint, of_device integer, person bigint, code_hash bytea, code_key text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.unlink_device(of_slot smallint, of_device integer, person bigint, code_hash bytea, code_key text) TO aqua_gateway;
GRANT SELECT(account_id) ON TABLE public.account TO aqua_rules;
GRANT SELECT(account_id) ON TABLE public.account TO aqua_notifier;
GRANT SELECT(account_id) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(email) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(locale) ON TABLE public.account TO aqua_notifier;
GRANT SELECT(locale),UPDATE(locale) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(time_zone) ON TABLE public.account TO aqua_notifier;
GRANT SELECT(time_zone),UPDATE(time_zone) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(throttle_seconds) ON TABLE public.account TO aqua_rules;
GRANT SELECT(throttle_seconds),UPDATE(throttle_seconds) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(created_at) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(colour_scheme),UPDATE(colour_scheme) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(settings_version),UPDATE(settings_version) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(throttle_ends) ON TABLE public.account TO aqua_gateway;
GRANT SELECT(throttle_was) ON TABLE public.account TO aqua_gateway;
GRANT SELECT ON TABLE public.account_event TO aqua_gateway;
GRANT USAGE ON SEQUENCE public.alert_id TO aqua_rules;
GRANT SELECT ON TABLE public.backup TO aqua_ingestor;
GRANT SELECT,INSERT,UPDATE ON TABLE public.delivery TO aqua_notifier;
GRANT SELECT ON TABLE public.delivery TO aqua_gateway;
GRANT SELECT(slot) ON TABLE public.delivery TO aqua_rules;
GRANT SELECT(alert_id) ON TABLE public.delivery TO aqua_rules;
GRANT SELECT(state) ON TABLE public.delivery TO aqua_rules;
GRANT UPDATE(next_attempt_at) ON TABLE public.delivery TO aqua_gateway;
GRANT SELECT,INSERT ON TABLE public.delivery_attempt TO aqua_notifier;
GRANT SELECT ON TABLE public.delivery_attempt TO aqua_gateway;
GRANT SELECT(slot) ON TABLE public.device TO aqua_ingestor;
GRANT SELECT(slot) ON TABLE public.device TO aqua_rules;
GRANT SELECT(slot) ON TABLE public.device TO aqua_notifier;
GRANT SELECT(slot) ON TABLE public.device TO aqua_gateway;
GRANT SELECT(device_id) ON TABLE public.device TO aqua_ingestor;
GRANT SELECT(device_id) ON TABLE public.device TO aqua_rules;
GRANT SELECT(device_id) ON TABLE public.device TO aqua_notifier;
GRANT SELECT(device_id) ON TABLE public.device TO aqua_gateway;
GRANT SELECT(hardware_id) ON TABLE public.device TO aqua_ingestor;
GRANT SELECT(hardware_id) ON TABLE public.device TO aqua_notifier;
GRANT SELECT(hardware_id) ON TABLE public.device TO aqua_gateway;
GRANT SELECT(rules_version) ON TABLE public.device TO aqua_rules;
GRANT SELECT(key_hash) ON TABLE public.device TO aqua_ingestor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_clock TO aqua_rules;
GRANT SELECT(slot) ON TABLE public.device_clock TO aqua_ingestor;
GRANT SELECT(slot) ON TABLE public.device_clock TO aqua_notifier;
GRANT SELECT(device_id) ON TABLE public.device_clock TO aqua_ingestor;
GRANT SELECT(device_id) ON TABLE public.device_clock TO aqua_notifier;
GRANT SELECT(lag_seconds) ON TABLE public.device_clock TO aqua_ingestor;
GRANT SELECT(lag_seconds) ON TABLE public.device_clock TO aqua_notifier;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device_invitation TO aqua_gateway;
GRANT SELECT,INSERT,UPDATE ON TABLE public.device_status TO aqua_ingestor;
GRANT SELECT ON TABLE public.device_status TO aqua_rules;
GRANT SELECT ON TABLE public.endpoint TO aqua_notifier;
GRANT SELECT ON TABLE public.endpoint TO aqua_gateway;
GRANT UPDATE(sealed_secret) ON TABLE public.endpoint TO aqua_gateway;
GRANT UPDATE(retired_at) ON TABLE public.endpoint TO aqua_gateway;
GRANT UPDATE(retired_because) ON TABLE public.endpoint TO aqua_gateway;
GRANT UPDATE(former_secret) ON TABLE public.endpoint TO aqua_gateway;
GRANT UPDATE(former_until) ON TABLE public.endpoint TO aqua_gateway;
GRANT SELECT,INSERT,UPDATE ON TABLE public.endpoint_retirement TO aqua_notifier;
GRANT SELECT ON TABLE public.endpoint_retirement TO aqua_gateway;
GRANT SELECT,INSERT,UPDATE ON TABLE public.episode TO aqua_rules;
GRANT SELECT ON TABLE public.episode TO aqua_gateway;
GRANT SELECT(slot) ON TABLE public.episode TO aqua_notifier;
GRANT SELECT(parameter) ON TABLE public.episode TO aqua_notifier;
GRANT SELECT(device_id) ON TABLE public.episode TO aqua_notifier;
GRANT SELECT(account_id) ON TABLE public.episode TO aqua_notifier;
GRANT SELECT(episode_id) ON TABLE public.episode TO aqua_notifier;
GRANT SELECT(kind) ON TABLE public.episode TO aqua_notifier;
GRANT SELECT(opened_at) ON TABLE public.episode TO aqua_notifier;
GRANT SELECT(closed_at) ON TABLE public.episode TO aqua_notifier;
GRANT USAGE ON SEQUENCE public.episode_id TO aqua_rules;
GRANT INSERT ON TABLE public.evaluation_batch TO aqua_ingestor;
GRANT SELECT,DELETE ON TABLE public.evaluation_batch TO aqua_rules;
GRANT SELECT ON SEQUENCE public.evaluation_batch_batch_id_seq TO aqua_rules;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.flat_line TO aqua_rules;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.idempotency_key TO aqua_gateway;
GRANT SELECT,INSERT,UPDATE ON TABLE public.ingest_seat TO aqua_ingestor;
GRANT SELECT(session_open) ON TABLE public.ingest_seat TO aqua_rules;
GRANT SELECT(level_at) ON TABLE public.ingest_seat TO aqua_rules;
GRANT SELECT ON TABLE public.live_follower TO aqua_ingestor;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.live_follower TO aqua_gateway;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifier TO aqua_notifier;
GRANT SELECT ON TABLE public.ownership TO aqua_gateway;
GRANT SELECT(slot) ON TABLE public.ownership TO aqua_rules;
GRANT SELECT(slot) ON TABLE public.ownership TO aqua_ingestor;
GRANT SELECT(slot) ON TABLE public.ownership TO aqua_notifier;
GRANT SELECT(device_id) ON TABLE public.ownership TO aqua_rules;
GRANT SELECT(device_id) ON TABLE public.ownership TO aqua_ingestor;
GRANT SELECT(device_id) ON TABLE public.ownership TO aqua_notifier;
GRANT SELECT(account_id) ON TABLE public.ownership TO aqua_rules;
GRANT SELECT(account_id) ON TABLE public.ownership TO aqua_ingestor;
GRANT SELECT(account_id) ON TABLE public.ownership TO aqua_notifier;
GRANT UPDATE(name) ON TABLE public.ownership TO aqua_gateway;
GRANT SELECT(name) ON TABLE public.ownership TO aqua_notifier;
GRANT SELECT(linked_at) ON TABLE public.ownership TO aqua_rules;
GRANT SELECT(linked_at) ON TABLE public.ownership TO aqua_ingestor;
GRANT SELECT(linked_at) ON TABLE public.ownership TO aqua_notifier;
GRANT SELECT(unlinked_at) ON TABLE public.ownership TO aqua_rules;
GRANT SELECT(unlinked_at) ON TABLE public.ownership TO aqua_ingestor;
GRANT SELECT(unlinked_at) ON TABLE public.ownership TO aqua_notifier;
GRANT SELECT(role) ON TABLE public.ownership TO aqua_rules;
GRANT SELECT(role) ON TABLE public.ownership TO aqua_ingestor;
GRANT UPDATE(latitude) ON TABLE public.ownership TO aqua_gateway;
GRANT UPDATE(longitude) ON TABLE public.ownership TO aqua_gateway;
GRANT UPDATE(version) ON TABLE public.ownership TO aqua_gateway;
GRANT SELECT(readings_from) ON TABLE public.ownership TO aqua_rules;
GRANT SELECT(readings_from) ON TABLE public.ownership TO aqua_ingestor;
GRANT SELECT ON TABLE public.person_clock TO aqua_gateway;
GRANT SELECT ON TABLE public.person_device TO aqua_gateway;
GRANT SELECT(slot) ON TABLE public.reported_probe TO aqua_rules;
GRANT SELECT(device_id) ON TABLE public.reported_probe TO aqua_rules;
GRANT SELECT(probe_id) ON TABLE public.reported_probe TO aqua_rules;
GRANT SELECT(temperature) ON TABLE public.reported_probe TO aqua_rules;
GRANT SELECT(reported_at) ON TABLE public.reported_probe TO aqua_rules;
GRANT SELECT,INSERT ON TABLE public.temperature_probe TO aqua_ingestor;
GRANT SELECT(slot) ON TABLE public.temperature_probe TO aqua_rules;
GRANT SELECT(device_id) ON TABLE public.temperature_probe TO aqua_rules;
GRANT SELECT(probe_id) ON TABLE public.temperature_probe TO aqua_rules;
GRANT SELECT(chosen_at) ON TABLE public.temperature_probe TO aqua_rules;
GRANT SELECT ON TABLE public.person_probe TO aqua_gateway;
GRANT SELECT,INSERT,DELETE ON TABLE public.quality_due TO aqua_ingestor;
GRANT UPDATE(failures) ON TABLE public.quality_due TO aqua_ingestor;
GRANT SELECT ON TABLE public.person_quality_due TO aqua_gateway;
GRANT SELECT ON TABLE public.person_reject TO aqua_gateway;
GRANT SELECT,INSERT,DELETE ON TABLE public.rollup_due TO aqua_ingestor;
GRANT SELECT ON TABLE public.person_rollup_due TO aqua_gateway;
GRANT SELECT,INSERT ON TABLE public.sample TO aqua_ingestor;
GRANT SELECT ON TABLE public.sample TO aqua_rules;
GRANT UPDATE(temperature) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(ph) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(ammonia) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(nitrate) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(nitrite) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(alkalinity) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(hardness) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(dissolved_oxygen) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(salinity) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(filled) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(oxygen_saturation) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(free_ammonia) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(carbon_dioxide) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(orp) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(conductivity) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(tds) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(turbidity) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(turbidity_fnu) ON TABLE public.sample TO aqua_ingestor;
GRANT UPDATE(filled_more) ON TABLE public.sample TO aqua_ingestor;
GRANT SELECT ON TABLE public.person_sample TO aqua_gateway;
GRANT SELECT,INSERT,UPDATE ON TABLE public.sample_day TO aqua_ingestor;
GRANT SELECT ON TABLE public.person_sample_day TO aqua_gateway;
GRANT SELECT,INSERT,UPDATE ON TABLE public.sample_hour TO aqua_ingestor;
GRANT SELECT ON TABLE public.sample_hour TO aqua_rules;
GRANT SELECT ON TABLE public.person_sample_hour TO aqua_gateway;
GRANT SELECT ON TABLE public.person_watcher TO aqua_gateway;
GRANT INSERT,DELETE ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(token_id) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(account_id) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(name) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(scope) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(last_four) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(created_at) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(expires_at) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(used_on) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(revoked_at),UPDATE(revoked_at) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT(made_in) ON TABLE public.personal_token TO aqua_gateway;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.probe_fault TO aqua_rules;
GRANT SELECT ON TABLE public.reachable_account TO aqua_rules;
GRANT SELECT,INSERT,UPDATE ON TABLE public.reject TO aqua_ingestor;
GRANT USAGE ON SEQUENCE public.reject_number TO aqua_ingestor;
GRANT SELECT ON TABLE public.retention TO aqua_ingestor;
GRANT SELECT ON TABLE public.rollup_progress TO aqua_ingestor;
GRANT SELECT ON TABLE public.rollup_progress TO aqua_gateway;
GRANT SELECT ON TABLE public.rollup_progress TO aqua_rules;
GRANT UPDATE(hours_until) ON TABLE public.rollup_progress TO aqua_ingestor;
GRANT UPDATE(flat_until) ON TABLE public.rollup_progress TO aqua_rules;
GRANT UPDATE(flat_device) ON TABLE public.rollup_progress TO aqua_rules;
GRANT SELECT ON TABLE public.schema_migration TO aqua_ingestor;
GRANT SELECT ON TABLE public.schema_migration TO aqua_rules;
GRANT SELECT ON TABLE public.schema_migration TO aqua_notifier;
GRANT SELECT ON TABLE public.schema_migration TO aqua_gateway;
GRANT SELECT ON TABLE public.setting TO aqua_rules;
GRANT SELECT ON TABLE public.setting TO aqua_notifier;
GRANT SELECT,INSERT ON TABLE public.setting TO aqua_gateway;
GRANT SELECT(slot) ON TABLE public.setting TO aqua_ingestor;
GRANT SELECT(parameter) ON TABLE public.setting TO aqua_ingestor;
GRANT SELECT(device_id) ON TABLE public.setting TO aqua_ingestor;
GRANT SELECT(account_id) ON TABLE public.setting TO aqua_ingestor;
GRANT SELECT(minimum) ON TABLE public.setting TO aqua_ingestor;
GRANT SELECT(maximum) ON TABLE public.setting TO aqua_ingestor;
GRANT SELECT(valid_from) ON TABLE public.setting TO aqua_ingestor;
GRANT UPDATE(valid_until) ON TABLE public.setting TO aqua_gateway;
GRANT SELECT(valid_until) ON TABLE public.setting TO aqua_ingestor;
GRANT SELECT,DELETE,UPDATE ON TABLE public.silence_check TO aqua_rules;
GRANT SELECT,UPDATE ON TABLE public.silence_clock TO aqua_rules;
GRANT SELECT,UPDATE ON TABLE public.slot TO aqua_rules;
GRANT SELECT ON TABLE public.slot_rules TO aqua_rules;
GRANT SELECT ON TABLE public.snooze TO aqua_rules;
GRANT SELECT,INSERT,DELETE ON TABLE public.snooze TO aqua_gateway;
GRANT UPDATE(ended_at) ON TABLE public.snooze TO aqua_gateway;
GRANT SELECT,INSERT,UPDATE ON TABLE public.throttle TO aqua_rules;
GRANT SELECT,DELETE,UPDATE ON TABLE public.throttle TO aqua_notifier;
GRANT SELECT,INSERT,UPDATE ON TABLE public.time_outside TO aqua_ingestor;
GRANT SELECT ON TABLE public.time_outside TO aqua_gateway;
GRANT INSERT ON TABLE public.transition TO aqua_rules;
GRANT SELECT ON TABLE public.transition TO aqua_gateway;
GRANT SELECT ON TABLE public.usable_endpoint TO aqua_notifier;
GRANT SELECT ON TABLE public.usable_endpoint TO aqua_gateway;
GRANT UPDATE(sealed_secret) ON TABLE public.usable_endpoint TO aqua_gateway;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.vapid_key TO aqua_notifier;
GRANT SELECT ON TABLE public.vapid_key TO aqua_gateway;
INSERT INTO public.backup VALUES
	(true, NULL, '2026-11-28 03:07:35.98154+00');
INSERT INTO public.clock_watch VALUES
	(true, NULL, NULL, NULL, NULL);
INSERT INTO public.growth_bound VALUES
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
	('schema_migration', 'operator', NULL, NULL, NULL, 'one a migration'),
	('identity_key', 'service', NULL, NULL, 1, 'its key'),
	('backup', 'operator', NULL, NULL, 1, 'its key');
INSERT INTO public.identity_key VALUES
	(true, '\x37a11d7f2c2d961737f929efdd1cd21538d5c81420524b9f0a5203ce88dbd5a1');
INSERT INTO public.retention VALUES
	('samples', '90 days'),
	('hours', '800 days'),
	('alerts', '800 days');
INSERT INTO public.slot VALUES
	(0, 0),
	(1, 0),
	(2, 0),
	(3, 0),
	(4, 0),
	(5, 0),
	(6, 0),
	(7, 0),
	(8, 0),
	(9, 0),
	(10, 0),
	(11, 0),
	(12, 0),
	(13, 0),
	(14, 0),
	(15, 0),
	(16, 0),
	(17, 0),
	(18, 0),
	(19, 0),
	(20, 0),
	(21, 0),
	(22, 0),
	(23, 0),
	(24, 0),
	(25, 0),
	(26, 0),
	(27, 0),
	(28, 0),
	(29, 0),
	(30, 0),
	(31, 0),
	(32, 0),
	(33, 0),
	(34, 0),
	(35, 0),
	(36, 0),
	(37, 0),
	(38, 0),
	(39, 0),
	(40, 0),
	(41, 0),
	(42, 0),
	(43, 0),
	(44, 0),
	(45, 0),
	(46, 0),
	(47, 0),
	(48, 0),
	(49, 0),
	(50, 0),
	(51, 0),
	(52, 0),
	(53, 0),
	(54, 0),
	(55, 0),
	(56, 0),
	(57, 0),
	(58, 0),
	(59, 0),
	(60, 0),
	(61, 0),
	(62, 0),
	(63, 0);
INSERT INTO public.rollup_progress VALUES
	(0, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(1, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(2, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(3, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(4, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(5, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(6, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(7, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(8, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(9, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(10, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(11, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(12, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(13, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(14, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(15, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(16, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(17, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(18, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(19, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(20, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(21, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(22, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(23, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(24, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(25, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(26, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(27, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(28, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(29, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(30, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(31, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(32, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(33, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(34, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(35, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(36, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(37, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(38, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(39, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(40, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(41, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(42, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(43, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(44, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(45, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(46, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(47, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(48, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(49, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(50, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(51, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(52, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(53, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(54, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(55, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(56, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(57, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(58, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(59, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(60, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(61, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(62, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity'),
	(63, '2026-11-28 03:00:00+00', '2026-11-28 03:00:00+00', '-infinity', '-infinity', 0, '-infinity');
INSERT INTO public.schema_migration VALUES
	(1, 'roles_and_slots', '\xa997cef04c5a87457a7d5b9927c8cb10dc2c7bb6b936abde08c120e72006b462', '2026-11-28 03:07:28.57698+00'),
	(2, 'people_and_devices', '\xd637aaec6cde7d2df1cc01f251374e1b85126287beca97e8f7c095f33c9e0991', '2026-11-28 03:07:28.693514+00'),
	(3, 'samples', '\x64e958b5a9a32105e046c726ec28df001d02d35d8c9e0084e3ef33e439d96015', '2026-11-28 03:07:28.973464+00'),
	(4, 'evaluation', '\xa764f6c5a506eecae806fba233e9f9cae6a3ea640f3adb4a85c029dfdbfd5020', '2026-11-28 03:07:29.185515+00'),
	(5, 'alerts', '\xe8abefb0e0dd5a993903b50bdd692980b0d4a7ee05b59b90795a829e476d6e01', '2026-11-28 03:07:29.353961+00'),
	(6, 'rights', '\x2c2ffabbcd025efd62b330b6fd8ea24f8509a29af6c0350ce1c29fe8dc3afad9', '2026-11-28 03:07:29.555656+00'),
	(7, 'life_of_data', '\xec5002eb5599a4ee1fbec75daa847b7fb9dabb567a4f626d795a1b104b2eb620', '2026-11-28 03:07:29.682222+00'),
	(8, 'rotation', '\x292bafca4e798fe4817e23c69d9a3a606e8fd356502b84092440dd7604c83e9b', '2026-11-28 03:07:29.844803+00'),
	(9, 'lease_holders', '\xe9460c60f30de7821fb4fa87216b70b9cf906ee81076d314c5dfc2ace3731bcc', '2026-11-28 03:07:29.929364+00'),
	(10, 'clock_and_rights', '\xe540308bce2fb41d31a01635efbb4b134f56cc9bfde906e2a686868a8dc94a03', '2026-11-28 03:07:30.025467+00'),
	(11, 'seat_sessions', '\xb738ba6ca49051afe07370026b1f43a0d31e4add64fc2d6a549d94ed864b5a7e', '2026-11-28 03:07:30.181851+00'),
	(12, 'delivery_ids', '\x3e3320d54dc73bfaa6c2495262659bbdb7e0b122d59e90fca7863b0ddf9ac990', '2026-11-28 03:07:30.309478+00'),
	(13, 'clocks_and_floors', '\x30c815fa3e2c8c093cf1fa077d841d8d8ab3a7306f05f5854edebf820f9c1598', '2026-11-28 03:07:30.412953+00'),
	(14, 'batches_by_receipt', '\xf0195e677ff687cdb86259d862cd83a6aaf010b8de0aedb1645befc61bdc7fd4', '2026-11-28 03:07:30.534134+00'),
	(15, 'sharing', '\x2d836af7110a55cee5a2be572774031dd2cf18c7a0c7ad399f568b8e63a3f39b', '2026-11-28 03:07:30.632251+00'),
	(16, 'gateway', '\x2dc213d78fb2d4f04592b92d1cae74429c8ccb27d8ccf1d095b465ed880285ae', '2026-11-28 03:07:30.779438+00'),
	(17, 'erasure', '\xa05bf7f3e1dd0feda7a818411d93d3bf0dac9d21048f89a0d2123458014d7a96', '2026-11-28 03:07:31.013605+00'),
	(18, 'live', '\x095560a6d290d8e04c01e187a97537bd2b1504247a84e6d8d3ba05477329ceee', '2026-11-28 03:07:31.186682+00'),
	(19, 'web_push', '\xc1279cbdb62bb17cba067323c825a2a9178809374e752393569837d972c03ec2', '2026-11-28 03:07:31.345729+00'),
	(20, 'setups', '\xfbae93f54b0d7c6869a46a03283c1836a041eef205792167b71aaa00d4f3d65d', '2026-11-28 03:07:31.459382+00'),
	(21, 'silence', '\x3c83a842149fec23371c1ecc67a9b672a2027004d1f6f190819ed48007b16869', '2026-11-28 03:07:31.559822+00'),
	(22, 'parameters', '\x3850a9b8bf19a6d06da5b5532ccf83515f734850a595c40135e174934b77bed2', '2026-11-28 03:07:31.740206+00'),
	(23, 'rules', '\x0b6082479777e1f56aaf17c0e541ae8b139ce4d19e5d13be10f67b86be2032e2', '2026-11-28 03:07:31.929503+00'),
	(24, 'quality', '\xcd6c69555aa054d96c695779e0543eb98ad53e844b96a4ac8d22719fc3353c02', '2026-11-28 03:07:32.106248+00'),
	(25, 'probes', '\x985d7488da69eb8f0cf72198ad91b08297cd5fd27988459db2cb994d9ed89b6c', '2026-11-28 03:07:32.211886+00'),
	(26, 'steadiness', '\xcc2c6a31d4e6e0077335322e35f9cffb8049468172a3f9b288039f0854077f0b', '2026-11-28 03:07:32.411064+00'),
	(27, 'device_keys', '\x0121c77eafe754222de69dc0612104625dad0a79deb62b41b1d3abfcb78bbe30', '2026-11-28 03:07:32.641608+00'),
	(28, 'rate_of_change', '\xc7491d301293e808a716d48a248adc3f944a3821dc5aafeafd5622d10753c2db', '2026-11-28 03:07:32.860823+00'),
	(29, 'lease_names', '\x5d5ac51107cbc6e440dc0a7db2563a0e7082620cba602324c258ef29208f3e7c', '2026-11-28 03:07:33.065673+00'),
	(30, 'told_ahead', '\x32a9b75cec886dc4c51a52b200760df5ccdf23190df782769c81955f3cfc6b41', '2026-11-28 03:07:33.307175+00'),
	(31, 'flags', '\xfeb26170240da58795c63079f827b18fff1a0b1bf38e67d21e16d0c9acace0cc', '2026-11-28 03:07:33.534899+00'),
	(32, 'reported_probes', '\x3181c9e77f8c61806e7d46f73a597313bba13f3987e2c2d78e90eea2ece7a2bc', '2026-11-28 03:07:33.793233+00'),
	(33, 'flat_lines', '\xe9bdc050c8724d585c96b23ce1824074a5840f6a10b2e29941836a403e4363cc', '2026-11-28 03:07:34.097912+00'),
	(34, 'true_when_sent', '\x7ea6af9b53551c517e9edc809c4bbed736f4eb088b70bea7034551b8c0e682b6', '2026-11-28 03:07:34.261815+00'),
	(35, 'clock_steps', '\x9fbe9560221a2a3d5dd64ed7413d1323e01d4f120abd3f709c29b168ca42c262', '2026-11-28 03:07:34.433514+00'),
	(36, 'rhythm', '\x7f7f07327199252949cc492fdd6a42e012eb7162c4646b2b4f21ae7cd21d054f', '2026-11-28 03:07:34.645522+00'),
	(37, 'time_outside', '\xfc89c17692a0518130d5b26dc413eda27d22466207fa1f2caca921f7e8639264', '2026-11-28 03:07:35.008485+00'),
	(38, 'device_rejects', '\xd30fc9048cfaff74b44f15b9c5c2e7294149709b1ec17036b4e4b1cccd1f0032', '2026-11-28 03:07:35.175608+00'),
	(39, 'proofs_and_bounds', '\x787a813b8d777f5d343adb18c29f313bb2091e8e8d7990b920c42eab124d86eb', '2026-11-28 03:07:35.41293+00'),
	(40, 'proofs', '\xe29693cca03385196780d4e53e1c8f7213a6db07bcf38c3ae2a271ff3df087ca', '2026-11-28 03:07:35.715318+00'),
	(41, 'backups', '\x0a4f947b1cc5f19b2d5fe43b08aa0f3a494844bad862a491c44741fe74127b78', '2026-11-28 03:07:35.98154+00'),
	(42, 'past_months', '\x6da5963e976a3518fad1d4e4879091f501bb8b9f0c977830ce82cbc0a6995673', '2026-11-28 03:07:36.189557+00'),
	(43, 'sealed_addresses', '\x23919bfe7f48ea181662c9faff94b72f6cf7eb03d9e3269f10ad256bf5570b67', '2026-11-28 03:07:36.302919+00'),
	(44, 'what_has_come', '\x6e1605d503b8913ea7b59f6754a244df184bea7bc9b11f5079c7a31fc8ef46e2', '2026-11-28 03:07:36.426136+00'),
	(45, 'since_alarm', '\x408305e9df3ab389ba41c1498a6843268dffb2c06de00e7bb0064001d8ae76e5', '2026-11-28 03:07:36.541547+00'),
	(46, 'setup_parts', '\x49fc719e6e84abd126c854919de5938f13e1bf614f4d598fd27e38d1469d5491', '2026-11-28 03:07:36.758772+00');
INSERT INTO public.silence_clock VALUES
	(true, '2026-11-28 03:07:31.559822+00', '2026-11-28 03:07:31.559822+00');
INSERT INTO public.slot_rules VALUES
	(0, 0),
	(1, 0),
	(2, 0),
	(3, 0),
	(4, 0),
	(5, 0),
	(6, 0),
	(7, 0),
	(8, 0),
	(9, 0),
	(10, 0),
	(11, 0),
	(12, 0),
	(13, 0),
	(14, 0),
	(15, 0),
	(16, 0),
	(17, 0),
	(18, 0),
	(19, 0),
	(20, 0),
	(21, 0),
	(22, 0),
	(23, 0),
	(24, 0),
	(25, 0),
	(26, 0),
	(27, 0),
	(28, 0),
	(29, 0),
	(30, 0),
	(31, 0),
	(32, 0),
	(33, 0),
	(34, 0),
	(35, 0),
	(36, 0),
	(37, 0),
	(38, 0),
	(39, 0),
	(40, 0),
	(41, 0),
	(42, 0),
	(43, 0),
	(44, 0),
	(45, 0),
	(46, 0),
	(47, 0),
	(48, 0),
	(49, 0),
	(50, 0),
	(51, 0),
	(52, 0),
	(53, 0),
	(54, 0),
	(55, 0),
	(56, 0),
	(57, 0),
	(58, 0),
	(59, 0),
	(60, 0),
	(61, 0),
	(62, 0),
	(63, 0);
RESET check_function_bodies;
SELECT make_sample_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 3);
UPDATE rollup_progress SET hours_since = date_trunc('hour', now(), 'UTC'), hours_until = date_trunc('hour', now(), 'UTC');
SELECT make_hour_partitions();
