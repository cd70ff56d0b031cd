-- Several people, one device: an owner, and watchers whom the owner has invited. Range, unit, throttle, episodes and alerts are
-- each person's own, so that a watcher is a row of ownership like the owner, with another role.
--
-- In the order in which others lock them: a person who changes their throttle locks account before ownership, and one who
-- changes a limit locks ownership before device.
LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE ownership IN ACCESS EXCLUSIVE MODE;
LOCK TABLE device IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE ownership ADD COLUMN role text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'watcher'));
DROP INDEX ownership_one_owner;
CREATE UNIQUE INDEX ownership_one_owner ON ownership (slot, device_id) WHERE unlinked_at IS NULL AND role = 'owner';
CREATE UNIQUE INDEX ownership_once_each ON ownership (slot, device_id, account_id) WHERE unlinked_at IS NULL;

-- The engine asks since when a person's readings are theirs.
GRANT SELECT (linked_at, role) ON ownership TO aqua_rules;

-- An owner's offer to watch a device, taken up by whoever brings the token first. Places bound how many there are.
CREATE TABLE device_invitation (
    slot smallint NOT NULL,
    place smallint NOT NULL CHECK (place BETWEEN 1 AND 20),
    device_id integer NOT NULL,
    invitation_id uuid NOT NULL DEFAULT gen_random_uuid(), -- by what it is known outside
    account_id bigint NOT NULL REFERENCES account, -- the owner who invites
    token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL CHECK (expires_at > created_at),
    used_at timestamptz,
    used_by bigint REFERENCES account ON DELETE SET NULL,
    PRIMARY KEY (slot, device_id, place),
    FOREIGN KEY (slot, device_id) REFERENCES device,
    CHECK (used_by IS NULL OR used_at IS NOT NULL)
);

CREATE UNIQUE INDEX device_invitation_known_as ON device_invitation (slot, invitation_id);
CREATE INDEX device_invitation_of_account ON device_invitation (account_id);
CREATE INDEX device_invitation_used_by ON device_invitation (used_by) WHERE used_by IS NOT NULL;

-- The person for whom a transaction acts, where one is named; NULL otherwise.
CREATE FUNCTION current_account() RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT NULLIF(current_setting('aqua.account', true), '')::bigint
$$;

-- Refuses to do anything for another person than the one who is named. The functions that ask this run with the rights of the
-- schema's owner, who may act for everybody; so may whoever has that role themselves.
CREATE FUNCTION require_person(person bigint) RETURNS void
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF person IS DISTINCT FROM current_account() AND NOT pg_has_role(session_user, current_user, 'USAGE') THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'another person is named';
    END IF;
END
$$;

-- Gives a device a person, with settings of every parameter; returns since when it is theirs. A person who had the device before
-- keeps the history of their settings.
CREATE FUNCTION add_ownership(
    of_slot smallint, of_device integer, person bigint, as_role text, called text,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[]
) RETURNS timestamptz
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Ends what some people have of a device: their ownerships, settings, open episodes, throttles, and the alerts on their way.
--
-- The slot must be locked first, so that no decision for these people follows, and then their ownerships. Alerts come before all
-- other rows, in the order in which notifiers lock them.
CREATE FUNCTION end_ownerships(of_slot smallint, of_device integer, people bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Ends an owner's ownership of a device, and with it all that others have of it. The device gets another claim code. False when
-- the person does not own it.
CREATE FUNCTION unlink_device(
    of_slot smallint, of_device integer, person bigint, code_hash bytea, code_key text
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    people bigint[];
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
    PERFORM end_ownerships(of_slot, of_device, people);
    DELETE FROM device_invitation WHERE slot = of_slot AND device_id = of_device;
    UPDATE device SET claim_code_hash = code_hash, claim_key_id = code_key WHERE slot = of_slot AND device_id = of_device;
    RETURN true;
END
$$;

-- Ends what a watcher has of a device, because they leave or are removed. False when they do not watch it.
CREATE FUNCTION end_watching(of_slot smallint, of_device integer, person bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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
    PERFORM end_ownerships(of_slot, of_device, ARRAY[person]);
    RETURN true;
END
$$;

-- What an invitation offers: the device by the name that its owner gave it, and whether it can still be taken up. No row: there is
-- none, or its device has changed hands.
CREATE FUNCTION look_at_invitation(token bytea)
RETURNS TABLE (slot smallint, device_id integer, device_name text, owner bigint, expires_at timestamptz, state text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT i.slot, i.device_id, o.name, i.account_id, i.expires_at,
        CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END
    FROM device_invitation i
    JOIN ownership o ON o.slot = i.slot AND o.device_id = i.device_id AND o.account_id = i.account_id
        AND o.role = 'owner' AND o.unlinked_at IS NULL
    WHERE i.token_hash = token;
$$;

-- Makes a person a watcher by an invitation, once. The outcome says what became of it:
--   joined; unknown: no such invitation; used; expired; own: they own the device; watching: they watch it already; full
-- called: the person's own name for the device; NULL: the owner's.
CREATE FUNCTION join_device(
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
END
$$;

REVOKE ALL ON FUNCTION
    add_ownership(smallint, integer, bigint, text, text, smallint[], text[], integer[], integer[], text[], smallint[]),
    end_ownerships(smallint, integer, bigint[]), unlink_device(smallint, integer, bigint, bytea, text),
    end_watching(smallint, integer, bigint), look_at_invitation(bytea),
    join_device(bytea, bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]) FROM PUBLIC;
