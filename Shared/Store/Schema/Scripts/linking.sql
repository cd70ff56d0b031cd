-- Who has a device: claiming it, inviting to it, leaving it, and what ends with that.

-- The devices that a person has or had, with what they are told of them.
CREATE OR REPLACE VIEW person_device AS
    SELECT o.slot, o.device_id, d.hardware_id, o.ownership_id, o.role, o.name,
        CASE WHEN s.device_id IS NOT NULL THEN s.latitude ELSE o.latitude END AS latitude,
        CASE WHEN s.device_id IS NOT NULL THEN s.longitude ELSE o.longitude END AS longitude, o.version,
        o.linked_at, o.unlinked_at, o.readings_from,
        CASE WHEN o.unlinked_at IS NULL THEN u.online END AS online,
        CASE WHEN o.unlinked_at IS NULL THEN u.changed_at END AS status_changed_at,
        o.shows_on_device, o.project_id, o.may_act,
        -- as its owner says, to whoever has it now
        o.unlinked_at IS NULL AND coalesce((SELECT w.moves FROM ownership w
            WHERE w.slot = o.slot AND w.device_id = o.device_id AND w.role = 'owner' AND w.unlinked_at IS NULL), false) AS moves,
        d.kind,
        CASE WHEN s.device_id IS NOT NULL THEN s.place_accuracy ELSE o.place_accuracy END AS place_accuracy,
        CASE WHEN s.device_id IS NOT NULL THEN s.place_source ELSE o.place_source END AS place_source
    FROM ownership o
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    LEFT JOIN device_status u ON u.slot = o.slot AND u.device_id = o.device_id
    -- a site is where its owner says, to whoever shares it now
    LEFT JOIN LATERAL (
        SELECT w.* FROM (SELECT WHERE d.kind = 'site' AND o.role = 'watcher' AND o.unlinked_at IS NULL) AS shared
        JOIN ownership w ON w.slot = o.slot AND w.device_id = o.device_id AND w.role = 'owner' AND w.unlinked_at IS NULL
        OFFSET 0
    ) AS s ON true
    WHERE o.account_id = (SELECT current_account());
GRANT SELECT ON person_device TO aqua_gateway;

-- Who watches the devices that a person owns, with the session in which the owner invited them.
CREATE OR REPLACE VIEW person_watcher AS
    SELECT w.slot, w.device_id, w.ownership_id, w.account_id, w.linked_at, a.email, w.made_in,
        shown_name(a.display_name, a.email) AS name
    FROM ownership o
    JOIN ownership w ON w.slot = o.slot AND w.device_id = o.device_id AND w.role = 'watcher' AND w.unlinked_at IS NULL
    JOIN account a ON a.account_id = w.account_id
    WHERE o.account_id = (SELECT current_account()) AND o.role = 'owner' AND o.unlinked_at IS NULL;
GRANT SELECT ON person_watcher TO aqua_gateway;

-- The first owner's readings begin with the device; those of others when they link it: what was measured between two owners is nobody's. Members of a
-- project see the project's.
CREATE OR REPLACE FUNCTION start_of_readings(of_slot smallint, of_device integer, as_role text, linked timestamptz)
RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE WHEN as_role = 'watcher' OR EXISTS (
                SELECT FROM ownership
                WHERE slot = of_slot AND device_id = of_device AND role = 'owner' AND unlinked_at <= linked)
            OR EXISTS (SELECT FROM device WHERE slot = of_slot AND device_id = of_device AND left_at IS NOT NULL)
        THEN linked ELSE '-infinity' END
$$;

CREATE OR REPLACE FUNCTION ownership_knows_its_readings() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.readings_from := coalesce((
        SELECT o.readings_from FROM ownership o
        WHERE NEW.role = 'watcher' AND o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.account_id = NEW.project_id AND o.unlinked_at IS NULL),
        start_of_readings(NEW.slot, NEW.device_id, NEW.role, NEW.linked_at));
    RETURN NEW;
END
$$;

-- What a project links is the project's.
CREATE OR REPLACE FUNCTION ownership_knows_its_project() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    NEW.project_id := (SELECT a.account_id FROM account a WHERE a.account_id = NEW.account_id AND a.kind = 'project');
    RETURN NEW;
END
$$;

CREATE OR REPLACE FUNCTION device_was_linked() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    -- nothing is expected of a site
    INSERT INTO silence_check (slot, device_id)
    SELECT DISTINCT l.slot, l.device_id FROM linked l JOIN device d ON d.slot = l.slot AND d.device_id = l.device_id WHERE d.kind = 'device'
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

-- Gives a device a person, with settings of every parameter, and where it is if that is known; returns since when it is theirs. A person who had the
-- device before keeps the history of their settings.
DROP FUNCTION IF EXISTS
    add_ownership(smallint, integer, bigint, text, text, smallint[], text[], integer[], integer[], text[], smallint[]);
CREATE OR REPLACE FUNCTION add_ownership(
    of_slot smallint, of_device integer, person bigint, as_role text, called text,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[],
    at_latitude double precision DEFAULT NULL, at_longitude double precision DEFAULT NULL, within real DEFAULT NULL, by_source text DEFAULT NULL
) RETURNS timestamptz
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    WITH linked AS (
        INSERT INTO ownership (slot, device_id, account_id, role, name, latitude, longitude, place_accuracy, place_source, linked_at)
        -- never before what has to come first: now() is the start of a transaction that may have waited
        SELECT of_slot, of_device, person, as_role, called, at_latitude, at_longitude, within, by_source, greatest(now(),
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

-- Links the device of a claim code, given by its hashes under each key, to a person. The outcome:
--   linked; unknown: no device has this code; yours: the person owns it already; taken: somebody else does
CREATE OR REPLACE FUNCTION claim_device(
    hashes bytea[], person bigint, called text,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[],
    OUT outcome text, OUT claimed_slot smallint, OUT claimed_device integer, OUT hardware text
)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Ends what some people have of a device: their ownerships, settings, open episodes, throttles, and the alerts on their way.
--
-- The slot must be locked first, so that no decision for these people follows, and then their ownerships. Alerts come before all
-- other rows, in the order in which notifiers lock them.
CREATE OR REPLACE FUNCTION end_ownerships(of_slot smallint, of_device integer, people bigint[]) RETURNS void
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

-- Whoever gives a device up takes no snooze along.
CREATE OR REPLACE FUNCTION snoozes_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE snooze SET ended_at = greatest(now(), set_at)
    WHERE slot = NEW.slot AND device_id = NEW.device_id AND account_id = NEW.account_id AND ended_at IS NULL;
    RETURN NULL;
END
$$;

-- Deletes ended snoozes of a person's device, all but the last 200: they only explain decisions that have been made. The right to
-- delete from a table that engines read would be the right to lock them out of it.
CREATE OR REPLACE FUNCTION forget_snoozes(of_slot smallint, of_device integer, person bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM require_person(person);
    DELETE FROM snooze WHERE account_id = person AND slot = of_slot AND device_id = of_device AND ended_at IS NOT NULL
        AND snooze_id < (
            SELECT snooze_id FROM snooze WHERE account_id = person AND slot = of_slot AND device_id = of_device
            ORDER BY snooze_id DESC OFFSET 200 LIMIT 1);
END
$$;

-- The last alert of what goes on for each of these people: of their water before anything else.
CREATE OR REPLACE FUNCTION alarms_of(of_slot smallint, of_device integer, people bigint[]) RETURNS alert[]
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
CREATE OR REPLACE FUNCTION tell_end(alarms alert[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO alert (
        slot, parameter, device_id, account_id, alert_id, uid, episode_id, kind, purpose, ended, side, value, worst, limit_value, check_probe,
        critical, change, change_seconds, heading, expected_at, hint, after_work, limit_time, opened_at, event_time)
    SELECT slot, parameter, device_id, account_id, nextval('alert_id'), new_alert_uid(),
        episode_id, kind, 'reminder', true, side, value, worst, limit_value, check_probe, critical, change, change_seconds, heading, expected_at,
        hint, after_work, limit_time, opened_at, greatest(now(), opened_at)
    FROM unnest(alarms);
    IF FOUND THEN
        PERFORM pg_notify('alert', '');
    END IF;
END
$$;

-- Ends an owner's ownership of a device, and with it all that others have of it, which they are told. A device gets another claim code, a site none.
-- False when the person does not own it.
CREATE OR REPLACE FUNCTION unlink_device(
    of_slot smallint, of_device integer, person bigint, code_hash bytea, code_key text
) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    people bigint[];
    alarms alert[];
BEGIN
    PERFORM require_person(person);
    -- an administrator takes no device along: whoever acts for a project gives up its devices as an owner alone
    IF person = current_account() AND person <> current_actor() AND role_in(person, current_actor()) IS DISTINCT FROM 'owner' THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'only an owner of a project gives up its devices';
    END IF;
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
    UPDATE device SET claim_code_hash = code_hash, claim_key_id = code_key
    WHERE slot = of_slot AND device_id = of_device AND kind = 'device';
    RETURN true;
END
$$;

-- Ends what a watcher has of a device, because they leave or are removed. False when they do not watch it, or as members of the owner's project,
-- whose part ends with their membership.
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
    WHERE slot = of_slot AND device_id = of_device AND account_id = person AND role = 'watcher' AND unlinked_at IS NULL AND project_id IS NULL
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

-- What an invitation offers: the device by the name that its owner gave it, and whether it can still be taken up. No row: there is
-- none, or its device has changed hands.
CREATE OR REPLACE FUNCTION look_at_invitation(token bytea)
RETURNS TABLE (slot smallint, device_id integer, device_name text, owner bigint, expires_at timestamptz, state text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT i.slot, i.device_id, o.name, i.account_id, i.expires_at,
        CASE WHEN i.used_at IS NOT NULL THEN 'used' WHEN i.expires_at <= now() THEN 'expired' ELSE 'open' END
    FROM device_invitation i
    JOIN ownership o ON o.slot = i.slot AND o.device_id = i.device_id AND o.account_id = i.account_id
        AND o.role = 'owner' AND o.unlinked_at IS NULL
    WHERE i.token_hash = token;
$$;

-- Gives a person who has just joined a device what they had set before they left it; where they had nothing, the limits and rules of the
-- owner as they are now, which are the person's own from then on.
CREATE OR REPLACE FUNCTION begin_as_before(of_slot smallint, of_device integer, person bigint, owner bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    WITH former AS (
        SELECT DISTINCT ON (s.parameter) s.* FROM setting s
        WHERE s.slot = of_slot AND s.device_id = of_device
            AND (s.account_id = person AND s.valid_until IS NOT NULL OR s.account_id = owner AND s.valid_until IS NULL)
        ORDER BY s.parameter, s.account_id = person DESC, s.version DESC
    )
    UPDATE setting s SET unit = f.unit, minimum = f.minimum, maximum = f.maximum, critical_minimum = f.critical_minimum,
        critical_maximum = f.critical_maximum,
        --% each setting
        {column} = f.{column},
        --% end
        -- these are a matter of taste
        colour = CASE WHEN f.account_id = person THEN f.colour ELSE s.colour END,
        position = CASE WHEN f.account_id = person THEN f.position ELSE s.position END
    FROM former f
    WHERE s.slot = of_slot AND s.device_id = of_device AND s.account_id = person AND s.valid_until IS NULL
        AND s.parameter = f.parameter
$$;

-- Shows a person who has just joined a device what was measured since the first of the owner's alarms began that are open, without
-- what was before the owner's own readings. Where none is open they see what comes. A silence has no readings to show.
-- What a person sees of a device at different times does not overlap: whoever comes back sees no more of the time before they left.
CREATE OR REPLACE FUNCTION show_since_alarm(of_slot smallint, of_device integer, person bigint, owner bigint) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
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

-- Makes a person a watcher by an invitation, once, with what they had set before or else the owner's limits; the given ones are for parameters of
-- which nobody has any. The outcome says what became of it:
--   joined; unknown: no such invitation; used; expired; own: they own the device; watching: they watch it already; full
-- called: the person's own name for the device; NULL: the owner's.
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
    guests integer;
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
    SELECT coalesce(array_agg(account_id), '{}'), count(*) FILTER (WHERE o.project_id IS NULL) INTO others, guests FROM ownership o
    WHERE o.slot = offer.slot AND o.device_id = offer.device_id AND o.unlinked_at IS NULL AND o.role = 'watcher';
    outcome := CASE
        WHEN offer.owner = person THEN 'own'
        WHEN person = ANY (others) THEN 'watching'
        WHEN offer.state <> 'open' THEN offer.state
        WHEN guests >= most THEN 'full'
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

-- A session of a person with those that follow from it: each opened by an identity that was linked in one of them.
CREATE OR REPLACE FUNCTION sessions_that_follow(person bigint, first uuid) RETURNS uuid[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE following (session_id) AS (
        SELECT first
        UNION
        SELECT s.session_id FROM following f JOIN session s ON s.account_id = person AND s.identity_made_in = f.session_id
    )
    SELECT array_agg(session_id) FROM following
$$;

-- Ends a session and those that follow from it, and takes back what was made in them and outlives them: watchers, members whom the person may remove,
-- invitations, endpoints, identities, public pages and personal tokens, those of projects too. False when the person has, and lately had, no such session; NULL
-- when the session in which it is asked for is among those that follow.
CREATE OR REPLACE FUNCTION undo_session(person bigint, undone uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bad uuid[] := sessions_that_follow(person, undone);
    projects CONSTANT bigint[] := ARRAY(
        SELECT m.project_id FROM project_member m JOIN project_member mine ON mine.project_id = m.project_id AND mine.account_id = person
        WHERE m.made_in = ANY (bad));
    watcher record;
    one uuid;
    removed bigint[];
BEGIN
    PERFORM require_person(person);
    IF NOT EXISTS (SELECT FROM session WHERE session_id = undone AND account_id = person) THEN
        RETURN false;
    END IF;
    -- slots before accounts, accounts before what belongs to them
    PERFORM FROM slot s WHERE s.slot IN (
        SELECT w.slot FROM person_watcher w WHERE w.made_in = ANY (bad)
        UNION SELECT o.slot FROM ownership o WHERE o.project_id = ANY (projects) AND o.unlinked_at IS NULL)
    ORDER BY s.slot FOR UPDATE;
    PERFORM FROM account a WHERE a.account_id = person OR a.account_id = ANY (projects) ORDER BY a.account_id FOR NO KEY UPDATE;
    bad := sessions_that_follow(person, undone); -- nobody signs in from here on
    IF current_session() <> undone AND current_session() = ANY (bad) THEN
        RETURN NULL;
    END IF;
    FOR watcher IN
        SELECT w.slot, w.device_id, w.account_id FROM person_watcher w WHERE w.made_in = ANY (bad)
        ORDER BY w.slot, w.device_id, w.account_id
    LOOP
        PERFORM end_watching(watcher.slot, watcher.device_id, watcher.account_id);
    END LOOP;
    FOR watcher IN
        SELECT m.project_id, m.account_id FROM project_member m
        WHERE m.project_id = ANY (projects) AND m.made_in = ANY (bad) AND m.account_id <> person AND CASE role_in(m.project_id, person)
            WHEN 'owner' THEN m.role <> 'owner' WHEN 'administrator' THEN m.role IN ('keeper', 'viewer') ELSE false END
        ORDER BY m.project_id, m.account_id
    LOOP
        PERFORM remove_member(watcher.project_id, watcher.account_id);
    END LOOP;
    DELETE FROM project_invitation WHERE made_by = person AND made_in = ANY (bad) AND used_at IS NULL;
    DELETE FROM device_invitation WHERE made_in = ANY (bad) AND used_at IS NULL AND account_id IN (
        SELECT person UNION SELECT m.project_id FROM project_member m WHERE m.account_id = person);
    UPDATE personal_token SET revoked_at = now() WHERE made_in = ANY (bad) AND revoked_at IS NULL AND account_id IN (
        SELECT person UNION SELECT m.project_id FROM project_member m WHERE m.account_id = person);
    DELETE FROM public_page WHERE made_in = ANY (bad) AND account_id IN (
        SELECT person UNION SELECT m.project_id FROM project_member m WHERE m.account_id = person);
    DELETE FROM sample_sending WHERE made_in = ANY (bad) AND account_id IN (
        SELECT person UNION SELECT m.project_id FROM project_member m WHERE m.account_id = person);
    -- Never the last way in.
    PERFORM forget_identities(person, ARRAY(
        SELECT i.identity_id FROM account_identity i JOIN account a ON a.account_id = i.account_id
        WHERE i.account_id = person AND i.made_in = ANY (bad) AND (a.password_hash IS NOT NULL OR EXISTS (
            SELECT FROM account_identity o WHERE o.account_id = person AND (o.made_in IS NULL OR o.made_in <> ALL (bad))))));
    FOREACH one IN ARRAY bad LOOP
        PERFORM restore_endpoints(person, one);
    END LOOP;
    WITH retired AS (
        UPDATE endpoint SET retired_at = now(), retired_because = 'the person took back what was done in a session'
        WHERE account_id = person AND made_in = ANY (bad) AND retired_at IS NULL
        RETURNING endpoint_id
    )
    SELECT array_agg(endpoint_id) INTO removed FROM retired;
    IF removed IS NOT NULL THEN
        -- Pending deliveries come due, so that a notifier ends them unsent.
        UPDATE delivery d SET next_attempt_at = now()
        WHERE d.endpoint_id = ANY (removed) AND d.state = 'pending' AND d.holder IS NULL;
        PERFORM pg_notify('alert', '');
    END IF;
    PERFORM end_sessions_of(person, bad, 'signedOut');
    RETURN true;
END
$$;

REVOKE ALL ON FUNCTION
    start_of_readings(smallint, integer, text, timestamptz), ownership_knows_its_readings(), ownership_knows_its_project(), device_was_linked(),
    add_ownership(
        smallint, integer, bigint, text, text, smallint[], text[], integer[], integer[], text[], smallint[], double precision, double precision,
        real, text),
    claim_device(bytea[], bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]),
    end_ownerships(smallint, integer, bigint[]), snoozes_end_with_ownership(), forget_snoozes(smallint, integer, bigint),
    alarms_of(smallint, integer, bigint[]), tell_end(alert[]), unlink_device(smallint, integer, bigint, bytea, text),
    end_watching(smallint, integer, bigint), look_at_invitation(bytea), begin_as_before(smallint, integer, bigint, bigint),
    show_since_alarm(smallint, integer, bigint, bigint),
    join_device(bytea, bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]), undo_session(bigint, uuid),
    sessions_that_follow(bigint, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    claim_device(bytea[], bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]),
    forget_snoozes(smallint, integer, bigint), unlink_device(smallint, integer, bigint, bytea, text),
    end_watching(smallint, integer, bigint), look_at_invitation(bytea),
    join_device(bytea, bigint, text, smallint[], text[], integer[], integer[], text[], smallint[]), undo_session(bigint, uuid) TO
    aqua_gateway;
