-- What is deleted row by row: old alerts, and what goes with a closed account.

-- Deletes some of the episodes that ended longer ago than they have to be kept, with their transitions, alerts, deliveries and attempts, and test
-- alerts of that age; returns how many. Only while the clock is trusted, and never earlier than the owner wants. What is still on its way stays.
--
-- Nothing else of the alerts grows for ever: there is one throttle for each watched parameter, one status for each device, and unlinking takes
-- the throttles along. Settings, their old versions and ownerships stay, for they explain decisions and bound what people see.
CREATE OR REPLACE FUNCTION delete_old_alerts(keep interval, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
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
    SELECT array_agg(slot), array_agg(alert_id), count(*) FILTER (WHERE is_alone) INTO alerts_of, alerts, tests FROM (
        SELECT a.slot, a.alert_id, false AS is_alone FROM unnest(episodes_of, episodes) AS e (slot, episode_id)
        JOIN alert a ON a.slot = e.slot AND a.episode_id = e.episode_id
        UNION ALL (
            SELECT slot, alert_id, true FROM alert
            WHERE device_id IS NULL AND decided_at < now() - kept AND state NOT IN ('decided', 'sending')
            ORDER BY decided_at
            LIMIT most)) AS old;
    DELETE FROM delivery_attempt t USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE t.slot = a.slot AND t.alert_id = a.alert_id;
    DELETE FROM delivery d USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE d.slot = a.slot AND d.alert_id = a.alert_id;
    DELETE FROM escalation WHERE (slot, escalation_id) IN (
        SELECT x.slot, x.escalation_id FROM escalation x WHERE x.ended_at < now() - kept ORDER BY x.ended_at LIMIT most);
    DELETE FROM alert USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE alert.slot = a.slot AND alert.alert_id = a.alert_id;
    DELETE FROM transition t USING unnest(episodes_of, episodes) AS e (slot, episode_id)
    WHERE t.slot = e.slot AND t.episode_id = e.episode_id;
    DELETE FROM episode USING unnest(episodes_of, episodes) AS e (slot, episode_id)
    WHERE episode.slot = e.slot AND episode.episode_id = e.episode_id;
    RETURN coalesce(cardinality(episodes), 0) + tests;
END
$$;

-- The spans of time of a device that were a person's and nobody else's: of samples, and of the whole hours and days that nobody
-- else may see as a whole.
CREATE OR REPLACE FUNCTION spans_of_nobody_else(of_slot smallint, of_device integer, person bigint)
RETURNS TABLE (kind text, span tstzrange)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Closes an account. Whatever the person has ends in this transaction: sessions, tokens, endpoints, alerts on their way. The devices
-- that they still own get claim codes that nobody knows: unlink them first where the codes matter. Readings that nobody else may
-- see are erased soon after. False when there is no such account.
--
-- Rows are locked in the order of everybody else: slots, the account, those of the person's projects, ownerships, alerts, deliveries.
CREATE OR REPLACE FUNCTION close_account(person bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    held record;
    address text;
    naming_slots smallint[];
    naming bigint[];
BEGIN
    PERFORM require_person(person);
    PERFORM FROM slot WHERE slot IN (SELECT o.slot FROM ownership o WHERE o.account_id = person) ORDER BY slot FOR UPDATE;
    SELECT email INTO address FROM account WHERE account_id = person FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM leave_projects(person);
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
    -- Messages that tell others what the person did for a tank that they shared.
    SELECT array_agg(a.slot), array_agg(a.alert_id) INTO naming_slots, naming
    FROM (
        SELECT DISTINCT o.account_id FROM ownership t JOIN ownership o ON o.slot = t.slot AND o.tank_id = t.tank_id
        WHERE t.account_id = person AND o.account_id <> person) others
    JOIN alert a ON a.account_id = others.account_id
    WHERE a.kind = 'care' AND EXISTS (SELECT FROM unnest(a.about) AS line WHERE line::jsonb -> 'account' = to_jsonb(person));
    -- While these are locked no delivery is added.
    PERFORM FROM (
        SELECT slot, alert_id FROM alert WHERE account_id = person OR caller = person OR taker = person
        UNION SELECT * FROM unnest(naming_slots, naming)) n
    JOIN alert a ON a.slot = n.slot AND a.alert_id = n.alert_id
    ORDER BY a.slot, a.alert_id
    FOR UPDATE OF a;

    INSERT INTO erasure (slot, kind, device_id, from_time, until_time)
    SELECT d.slot, s.kind, d.device_id, lower(s.span), upper(s.span)
    FROM (SELECT DISTINCT slot, device_id FROM ownership WHERE account_id = person) AS d
    CROSS JOIN LATERAL spans_of_nobody_else(d.slot, d.device_id, person) AS s;

    -- What others were called for by the person goes with them: it tells of their water, by their name.
    UPDATE alert SET taker = NULL, taker_name = NULL WHERE taker = person;
    UPDATE alert a SET about = ARRAY(
        SELECT CASE WHEN line::jsonb -> 'account' = to_jsonb(person) THEN (line::jsonb - '{by,account}'::text[])::text ELSE line END
        FROM unnest(a.about) WITH ORDINALITY AS u (line, place) ORDER BY place)
    FROM unnest(naming_slots, naming) AS n (slot, alert_id) WHERE a.slot = n.slot AND a.alert_id = n.alert_id;
    DELETE FROM delivery_attempt t USING alert a
    WHERE (a.account_id = person OR a.caller = person) AND t.slot = a.slot AND t.alert_id = a.alert_id;
    DELETE FROM delivery d USING alert a
    WHERE (a.account_id = person OR a.caller = person) AND d.slot = a.slot AND d.alert_id = a.alert_id;
    DELETE FROM alert WHERE account_id = person OR caller = person;
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
    -- while the project's name can still be told to those who sent to it
    DELETE FROM sample_sending WHERE project_id = person;
    PERFORM forget_surveyor(person);
    DELETE FROM ownership WHERE account_id = person;
    DELETE FROM device_invitation WHERE account_id = person;
    DELETE FROM idempotency_key WHERE account_id = person;
    DELETE FROM personal_token WHERE account_id = person;
    UPDATE personal_token SET made_by = NULL WHERE made_by = person;
    DELETE FROM session WHERE account_id = person;
    DELETE FROM account_identity WHERE account_id = person;
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

-- Erases some of the readings that were of nobody but a person who is gone: of one stretch of time. Returns how many rows went, NULL when nothing is
-- left to erase.
CREATE OR REPLACE FUNCTION erase_readings(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    due erasure;
    erased integer;
BEGIN
    SELECT * INTO due FROM erasure ORDER BY slot, erasure_id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    IF due.kind = 'samples' THEN
        -- first where it was
        WITH oldest AS (
            SELECT at FROM track
            WHERE slot = due.slot AND device_id = due.device_id AND at >= due.from_time AND at < due.until_time
            ORDER BY at
            LIMIT most
        )
        DELETE FROM track t USING oldest WHERE t.slot = due.slot AND t.device_id = due.device_id AND t.at = oldest.at;
        GET DIAGNOSTICS erased = ROW_COUNT;
        IF erased = most THEN
            RETURN erased;
        END IF;
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

-- With a closed account's readings goes what its probes said in that time.
CREATE OR REPLACE FUNCTION erase_reported_probes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM reported_probe
    WHERE slot = OLD.slot AND device_id = OLD.device_id AND reported_at >= OLD.from_time AND reported_at < OLD.until_time;
    RETURN NULL;
END
$$;

REVOKE ALL ON FUNCTION
    delete_old_alerts(interval, integer), spans_of_nobody_else(smallint, integer, bigint), close_account(bigint),
    erase_readings(integer), erase_reported_probes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_account(bigint) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION delete_old_alerts(interval, integer), erase_readings(integer) TO aqua_ingestor;
