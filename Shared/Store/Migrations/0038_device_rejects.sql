-- Messages that could not be read are kept for the owner of their device; watchers begin with the owner's limits; nobody sees what a
-- device sent while it was nobody's; and watchers are told when that ends in the middle of an alarm.

-- In the order in which others lock them: an engine takes its slots before anything else.
LOCK TABLE slot, alert, ownership IN ACCESS EXCLUSIVE MODE;
LOCK TABLE device IN SHARE ROW EXCLUSIVE MODE;

-- Messages of a device that could not be read, or not in full: a row for each day, reason and subject, so that what a device sends
-- without end costs a bounded number of rows, and none of another device's. The ring (reject) is for what is no device's.
-- The device is not referred to: its row would be locked in an order that crosses that of who links it.
CREATE TABLE device_reject (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    day date NOT NULL, -- UTC
    reason text NOT NULL,
    subject text NOT NULL CHECK (length(subject) <= 64), -- the parameter, or the name that is none; '' for the message as a whole
    messages integer NOT NULL CHECK (messages > 0),
    first_at timestamptz NOT NULL, -- by the database's clock, as ownerships
    last_at timestamptz NOT NULL,
    -- The last of them:
    topic text NOT NULL CHECK (length(topic) <= 200),
    detail text NOT NULL CHECK (length(detail) <= 400),
    payload bytea NOT NULL CHECK (length(payload) <= 256), -- its beginning; empty where its age is unknown
    PRIMARY KEY (slot, device_id, day, reason, subject)
) WITH (fillfactor = 70);

-- Adds to the rejects of devices. A device has 16 rows a day, and one more for each reason: what is beyond counts for its reason as a
-- whole. Two Ingestors that add at the same moment may each fill them.
CREATE FUNCTION record_device_rejects(
    slots smallint[], devices integer[], reasons text[], subjects text[], counts integer[], topics text[], details text[],
    payloads bytea[]
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Removes rejects of more than a week ago, some at a time; returns how many.
CREATE FUNCTION delete_old_rejects(most integer) RETURNS integer
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Whoever has the device next begins with none: of the owner before, of the time between, or of before the first.
CREATE FUNCTION rejects_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- In the order in which Ingestors lock them.
    PERFORM FROM device_reject WHERE slot = NEW.slot AND device_id = NEW.device_id ORDER BY day, reason, subject FOR UPDATE;
    DELETE FROM device_reject WHERE slot = NEW.slot AND device_id = NEW.device_id;
    RETURN NULL;
END
$$;

CREATE TRIGGER rejects_begin AFTER INSERT ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner') EXECUTE FUNCTION rejects_end_with_ownership();
CREATE TRIGGER rejects_end AFTER UPDATE OF unlinked_at ON ownership
    FOR EACH ROW WHEN (NEW.role = 'owner' AND OLD.unlinked_at IS NULL AND NEW.unlinked_at IS NOT NULL)
    EXECUTE FUNCTION rejects_end_with_ownership();

-- The rejects of the devices that a person owns. What an Ingestor had begun to write when the device was linked is not theirs.
CREATE VIEW person_reject AS
    SELECT r.slot, r.device_id, r.day, r.reason, r.subject, r.messages, r.first_at, r.last_at, r.topic, r.detail, r.payload
    FROM ownership o
    JOIN device_reject r ON r.slot = o.slot AND r.device_id = o.device_id AND r.first_at >= o.linked_at
    WHERE o.account_id = (SELECT current_account()) AND o.role = 'owner' AND o.unlinked_at IS NULL;

-- The first owner's readings begin with the device; those of others when they link it: what was measured between two owners is nobody's.
CREATE OR REPLACE FUNCTION start_of_readings(of_slot smallint, of_device integer, as_role text, linked timestamptz)
RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN as_role = 'watcher' OR EXISTS (
                SELECT FROM ownership
                WHERE slot = of_slot AND device_id = of_device AND role = 'owner' AND unlinked_at <= linked)
            OR EXISTS (SELECT FROM device WHERE slot = of_slot AND device_id = of_device AND left_at IS NOT NULL)
        THEN linked ELSE '-infinity' END
$$;

-- Gives a person who has just joined a device what they had set before they left it; where they had nothing, the limits and rules of the
-- owner as they are now, which are the person's own from then on.
CREATE FUNCTION begin_as_before(of_slot smallint, of_device integer, person bigint, owner bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
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

-- As before, with the settings that a watcher begins with. The given ones are for parameters of which nobody has any.
CREATE OR REPLACE FUNCTION join_device(
    token bytea, person bigint, called text,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[],
    OUT outcome text, OUT joined_slot smallint, OUT joined_device integer
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := 20;
    offer record;
    others bigint[];
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
    UPDATE device_invitation SET used_at = greatest(now(), created_at), used_by = person WHERE token_hash = token;
    PERFORM add_ownership(
        offer.slot, offer.device_id, person, 'watcher', coalesce(called, offer.device_name),
        parameters, units, minima, maxima, colours, positions);
    PERFORM begin_as_before(offer.slot, offer.device_id, person, offer.owner);
END
$$;

-- Whoever watches is told when that ends in the middle of an alarm and by somebody else's hand.
-- Services of the version before know no such purpose: to them it is a reminder, which they do not send for who has no device.
ALTER TABLE alert ADD COLUMN ended boolean NOT NULL DEFAULT false;
ALTER TABLE alert ADD CONSTRAINT alert_ended CHECK (purpose = 'reminder' OR NOT ended) NOT VALID;

-- The last alert of what goes on for each of these people: of their water before anything else.
CREATE FUNCTION alarms_of(of_slot smallint, of_device integer, people bigint[]) RETURNS alert[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT array_agg(last) FROM (
        SELECT DISTINCT ON (a.account_id) a AS last
        FROM episode e JOIN alert a ON a.slot = e.slot AND a.episode_id = e.episode_id
        WHERE e.slot = of_slot AND e.device_id = of_device AND e.account_id = ANY (people) AND e.closed_at IS NULL
            AND a.account_id = e.account_id AND a.purpose IN ('alarm', 'reminder')
            AND a.state IN ('decided', 'sending', 'delivered')
        ORDER BY a.account_id, a.critical DESC, a.kind = 'range' DESC, a.alert_id DESC) AS told
$$;

-- Tells of the end of what these alerts are about.
CREATE FUNCTION tell_end(alarms alert[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
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

-- As before, with what watchers are told.
CREATE OR REPLACE FUNCTION unlink_device(
    of_slot smallint, of_device integer, person bigint, code_hash bytea, code_key text
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Ends what a watcher has of a device, because they leave or are removed. False when they do not watch it.
CREATE OR REPLACE FUNCTION end_watching(of_slot smallint, of_device integer, person bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

REVOKE ALL ON FUNCTION
    record_device_rejects(smallint[], integer[], text[], text[], integer[], text[], text[], bytea[]), delete_old_rejects(integer),
    rejects_end_with_ownership(), begin_as_before(smallint, integer, bigint, bigint),
    alarms_of(smallint, integer, bigint[]), tell_end(alert[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    record_device_rejects(smallint[], integer[], text[], text[], integer[], text[], text[], bytea[]), delete_old_rejects(integer)
    TO aqua_ingestor;
GRANT SELECT ON person_reject TO aqua_gateway;
