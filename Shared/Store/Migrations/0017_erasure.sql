-- Closing an account: nothing of the person is left, and nothing of others is gone.

-- Readings that were of nobody but a person who is gone. They may be millions, so they are erased bit by bit, by whoever stores
-- readings. No row says whose they were.
CREATE TABLE erasure (
    erasure_id bigint GENERATED ALWAYS AS IDENTITY,
    slot smallint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('samples', 'hours', 'days')),
    device_id integer NOT NULL,
    from_time timestamptz NOT NULL,
    until_time timestamptz NOT NULL CHECK (until_time > from_time),
    PRIMARY KEY (slot, erasure_id),
    FOREIGN KEY (slot, device_id) REFERENCES device
);

-- Until when the device was somebody's who is gone: its next owner does not see what comes late of that time.
LOCK TABLE ownership, device IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE device ADD COLUMN left_at timestamptz;

CREATE OR REPLACE FUNCTION start_of_readings(of_slot smallint, of_device integer, as_role text, linked timestamptz)
RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN as_role = 'watcher' THEN linked ELSE coalesce(greatest(
        (SELECT max(unlinked_at) FROM ownership
        WHERE slot = of_slot AND device_id = of_device AND role = 'owner' AND unlinked_at <= linked),
        (SELECT left_at FROM device WHERE slot = of_slot AND device_id = of_device)), '-infinity') END
$$;

-- Erases some of them: of one stretch of time. Returns how many rows went, NULL when nothing is left to erase.
CREATE FUNCTION erase_readings(most integer) RETURNS integer
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

-- The spans of time of a device that were a person's and nobody else's: of samples, and of the whole hours and days that nobody
-- else may see as a whole.
CREATE FUNCTION spans_of_nobody_else(of_slot smallint, of_device integer, person bigint)
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
-- Rows are locked in the order of everybody else: slots, the account, ownerships, alerts, deliveries.
CREATE FUNCTION close_account(person bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- What is deleted by its person is found by them. Episodes, throttles and deliveries have no such index, which every alarm would pay
-- for: a closing account looks through them.
CREATE INDEX setting_of_account ON setting (account_id);
CREATE INDEX endpoint_by_account ON endpoint (account_id);

REVOKE ALL ON FUNCTION erase_readings(integer), spans_of_nobody_else(smallint, integer, bigint), close_account(bigint)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_readings(integer) TO aqua_ingestor;
GRANT EXECUTE ON FUNCTION close_account(bigint) TO aqua_gateway;
