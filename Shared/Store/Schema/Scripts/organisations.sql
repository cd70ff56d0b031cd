-- Projects that receive samples of tanks and sites that are others'. Whoever names a receiver locks accounts, then the tank's part; whoever writes a sample has
-- locked the tank, and locks who receives it in the order of the projects.

DROP VIEW IF EXISTS person_sending, person_received;

-- Receivers of the samples of tanks that the named account sees now, and senders from whom it receives itself.
CREATE VIEW person_sending AS
    SELECT g.sending_id, g.slot, g.tank_id, d.hardware_id, g.since, p.display_name AS project, shown_name(a.display_name, a.email) AS owner,
        g.is_receiver, CASE WHEN g.account_id = (SELECT current_account()) THEN g.made_in END AS made_in
    FROM (
        SELECT g.sending_id, g.slot, g.tank_id, g.device_id, g.project_id, g.account_id, g.since, g.made_in, true AS is_receiver FROM sample_sending g
        WHERE g.project_id = (SELECT current_account())
        UNION ALL
        SELECT g.sending_id, g.slot, g.tank_id, g.device_id, g.project_id, g.account_id, g.since, g.made_in, false FROM ownership o
        JOIN sample_sending g ON g.slot = o.slot AND g.tank_id = o.tank_id AND g.project_id <> o.account_id
        WHERE o.account_id = (SELECT current_account()) AND o.unlinked_at IS NULL) g
    JOIN ownership k ON k.slot = g.slot AND k.ownership_id = g.tank_id AND k.account_id = g.account_id AND k.unlinked_at IS NULL
    JOIN device d ON d.slot = g.slot AND d.device_id = g.device_id
    JOIN account p ON p.account_id = g.project_id
    JOIN account a ON a.account_id = g.account_id;

-- Samples that the named account received, by their numbers; content is NULL of what was withdrawn. is_newest: no later version of it was received.
CREATE VIEW person_received AS
    SELECT r.sequence, r.sample_id, r.version, r.state, r.sent_at, r.slot, r.tank_id, r.device_id, d.hardware_id, r.name, r.latitude, r.longitude,
        shown_name(a.display_name, a.email) AS sender, w.content, CASE WHEN s.version = r.version THEN s.track END AS track,
        s.clock_offset, coalesce(s.received_at, r.sent_at) AS received_at,
        CASE WHEN s.version = r.version THEN s.review END AS review, CASE WHEN s.version = r.version THEN s.review_note END AS review_note,
        CASE WHEN s.version = r.version THEN s.reviewed_at END AS reviewed_at,
        p.protocol_id, p.version AS protocol_version, p.content AS protocol,
        NOT EXISTS (
            SELECT FROM received_sample n WHERE n.project_id = r.project_id AND n.sample_id = r.sample_id AND n.version > r.version) AS is_newest
    FROM received_sample r
    LEFT JOIN device d ON d.slot = r.slot AND d.device_id = r.device_id
    LEFT JOIN account a ON a.account_id = r.account_id
    LEFT JOIN field_sample s ON s.slot = r.slot AND s.tank_id = r.tank_id AND s.sample_id = r.sample_id AND r.state = 'done'
    LEFT JOIN field_sample_version v ON v.slot = s.slot AND v.tank_id = s.tank_id AND v.sample_id = s.sample_id AND v.version = r.version
    CROSS JOIN LATERAL (SELECT CASE WHEN s.version = r.version THEN s.content ELSE v.content END AS content) w
    LEFT JOIN field_protocol p ON p.account_id = r.account_id AND p.protocol_id = w.content ->> 'protocol'
        AND p.version = (w.content ->> 'protocolVersion')::integer
    WHERE r.project_id = (SELECT current_account());
GRANT SELECT ON person_sending, person_received TO aqua_gateway;

-- Tells what became of a receiver of a tank's samples, in the log of the owner who agreed, and in the receiving project's.
CREATE OR REPLACE FUNCTION sending_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one CONSTANT sample_sending := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
    entry audit_entry;
BEGIN
    entry.action := CASE TG_OP WHEN 'INSERT' THEN 'receiver.add' ELSE 'receiver.remove' END;
    entry.device_id := one.device_id;
    entry.target := one.sending_id::text;
    entry.account_id := one.account_id;
    entry.subject := (SELECT p.display_name FROM account p WHERE p.account_id = one.project_id);
    PERFORM note_act(entry);
    entry.account_id := one.project_id;
    -- what the owner calls it is not the project's to keep, and would outlive them there
    entry.subject := (SELECT d.hardware_id FROM device d WHERE d.slot = one.slot AND d.device_id = one.device_id);
    PERFORM note_act(entry);
    RETURN NULL;
END
$$;

-- Has a project receive the samples of a device or site that the named account owns, from now on: by a link of the project's that asks for them, or, where
-- another tank of the account is sent to it already, without one. outcome: made, or already (it receives them); device (not theirs), notTheirs (they do not
-- own it), unknown, used or expired (the link, or the project), own (the project is the owner), full.
CREATE OR REPLACE FUNCTION receive_from(
    of_slot smallint, of_device integer, token bytea, named bigint, OUT outcome text, OUT sending uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    project bigint;
    offered text;
    part ownership;
BEGIN
    project := coalesce((SELECT i.project FROM look_at_project_invitation(token) i), named);
    -- one at a time at a project, so that the counts hold; as accounts are locked everywhere, in the order of their numbers
    PERFORM FROM account a WHERE a.account_id IN (me, project) ORDER BY a.account_id FOR NO KEY UPDATE;
    SELECT o.* INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = me AND o.unlinked_at IS NULL
    FOR SHARE;
    IF NOT FOUND THEN
        outcome := 'device';
        RETURN;
    ELSIF part.role <> 'owner' THEN
        outcome := 'notTheirs';
        RETURN;
    END IF;
    IF token IS NULL THEN
        offered := CASE WHEN EXISTS (SELECT FROM sample_sending g WHERE g.project_id = project AND g.account_id = me) THEN 'open' END;
    ELSE
        SELECT i.state INTO offered FROM look_at_project_invitation(token) i WHERE i.role = 'sender';
    END IF;
    SELECT g.sending_id INTO sending FROM sample_sending g WHERE g.slot = of_slot AND g.tank_id = part.tank_id AND g.project_id = project AND g.account_id = me;
    outcome := CASE
        WHEN offered IS NULL THEN 'unknown'
        WHEN sending IS NOT NULL THEN 'already'
        WHEN offered <> 'open' THEN offered
        WHEN project = me THEN 'own'
        WHEN 10 <= (SELECT count(*) FROM sample_sending g WHERE g.slot = of_slot AND g.tank_id = part.tank_id AND g.project_id <> project) THEN 'full'
        WHEN 1000 <= (SELECT count(*) FROM sample_sending g WHERE g.project_id = project) THEN 'full'
        ELSE 'made' END;
    IF outcome <> 'made' THEN
        RETURN;
    END IF;
    UPDATE project_invitation i SET used_at = greatest(now(), i.created_at), used_by = current_actor() WHERE i.token_hash = token;
    -- while the project is locked, so that whoever sends afterwards asks for no lock on an account
    INSERT INTO sample_reception (project_id, last) VALUES (project, 1) ON CONFLICT DO NOTHING;
    INSERT INTO sample_sending (slot, tank_id, project_id, device_id, account_id, made_in)
    VALUES (of_slot, part.tank_id, project, of_device, me, current_session())
    RETURNING sending_id INTO sending;
END
$$;

-- Ends a receiving: by the owner of the tank, or by the project that receives. What was sent stays sent, and its withdrawal is still told. done, notTheirs
-- (they see it, and do not decide it) or unknown.
CREATE OR REPLACE FUNCTION end_receiving(of_sending uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM sample_sending g WHERE g.sending_id = of_sending AND current_account() IN (g.project_id, g.account_id);
    RETURN CASE WHEN FOUND THEN 'done' WHEN EXISTS (SELECT FROM person_sending p WHERE p.sending_id = of_sending) THEN 'notTheirs' ELSE 'unknown' END;
END
$$;

-- The next number of what a project receives, which had somebody send to it; NULL: the project is gone. No smaller than the time in milliseconds, so that
-- numbers after a restore are greater than those that were read before it. Its row stays locked until the transaction ends.
CREATE OR REPLACE FUNCTION next_received(project bigint) RETURNS bigint
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE sample_reception r SET last = greatest(r.last + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    WHERE r.project_id = project
    RETURNING r.last
$$;

-- A tank that is given up, or that goes into a project, is sent no more: its next owner has agreed to nothing.
CREATE OR REPLACE FUNCTION sendings_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM sample_sending g WHERE g.slot = OLD.slot AND g.tank_id = OLD.ownership_id;
    RETURN NULL;
END
$$;

-- Leaves one word of a sample with everybody who received it: not to be used.
CREATE OR REPLACE FUNCTION tell_receivers_it_went(of_sample field_sample, is_erased boolean) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    receiver record;
    number bigint;
BEGIN
    FOR receiver IN
        SELECT r.project_id, max(r.version) AS version, (array_agg(r.name ORDER BY r.version DESC))[1] AS name FROM received_sample r
        WHERE r.sample_id = of_sample.sample_id GROUP BY r.project_id ORDER BY r.project_id
    LOOP
        number := next_received(receiver.project_id);
        CONTINUE WHEN number IS NULL;
        DELETE FROM received_sample r WHERE r.project_id = receiver.project_id AND r.sample_id = of_sample.sample_id;
        INSERT INTO received_sample (project_id, sample_id, version, sequence, state, slot, tank_id, device_id, account_id, name)
        SELECT receiver.project_id, of_sample.sample_id, CASE WHEN is_erased THEN receiver.version ELSE of_sample.version END,
            number, 'withdrawn', of_sample.slot, of_sample.tank_id, of_sample.device_id, NULL,
            CASE WHEN NOT is_erased THEN receiver.name END;
    END LOOP;
END
$$;

-- Sends a version of a sample to those who receive it: a finished one to whoever receives the tank's samples now, the word that it is withdrawn to whoever
-- has one. That word stays when the sample comes back, for whoever has not read it yet and holds what was before it. While the receiver's row is held nobody
-- ends the receiving, and what was ended before is not sent.
CREATE OR REPLACE FUNCTION sample_is_sent() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    receiver record;
BEGIN
    IF NEW.state = 'withdrawn' THEN
        PERFORM tell_receivers_it_went(NEW, false);
    ELSIF NEW.state = 'done' THEN
        FOR receiver IN
            SELECT g.project_id, g.account_id, o.name, o.latitude, o.longitude FROM sample_sending g
            JOIN ownership o ON o.slot = g.slot AND o.ownership_id = g.tank_id AND o.account_id = g.account_id AND o.unlinked_at IS NULL
            WHERE g.slot = NEW.slot AND g.tank_id = NEW.tank_id
            ORDER BY g.project_id
            FOR SHARE OF g
        LOOP
            INSERT INTO received_sample (
                project_id, sample_id, version, sequence, state, slot, tank_id, device_id, account_id, name, latitude, longitude)
            SELECT receiver.project_id, NEW.sample_id, NEW.version, next_received(receiver.project_id), 'done', NEW.slot, NEW.tank_id, NEW.device_id,
                receiver.account_id, receiver.name, receiver.latitude, receiver.longitude;
        END LOOP;
    END IF;
    RETURN NULL;
END
$$;

-- Tells a version again to whoever received it, where something in it was forgotten, such as the name of somebody who is gone, or reviewed.
CREATE OR REPLACE FUNCTION sample_is_told_again() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    receiver record;
    number bigint;
BEGIN
    FOR receiver IN
        SELECT r.project_id FROM received_sample r WHERE r.sample_id = NEW.sample_id AND r.version = NEW.version AND r.state = 'done'
        ORDER BY r.project_id
    LOOP
        number := next_received(receiver.project_id);
        CONTINUE WHEN number IS NULL;
        UPDATE received_sample r SET sequence = number
        WHERE r.project_id = receiver.project_id AND r.sample_id = NEW.sample_id AND r.version = NEW.version;
    END LOOP;
    RETURN NULL;
END
$$;

-- A sample that is erased with its tank.
CREATE OR REPLACE FUNCTION sample_has_gone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM tell_receivers_it_went(OLD, true);
    RETURN NULL;
END
$$;

-- The names of the projects that received a sample which the named account sees.
CREATE OR REPLACE FUNCTION receivers_of(of_sample uuid) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(array_agg(a.display_name ORDER BY a.display_name, a.account_id), '{}')
    FROM (SELECT DISTINCT r.project_id FROM received_sample r WHERE r.sample_id = of_sample) r
    JOIN account a ON a.account_id = r.project_id
    WHERE EXISTS (
        SELECT FROM field_sample s JOIN ownership o ON o.slot = s.slot AND o.tank_id = s.tank_id
        WHERE s.sample_id = of_sample AND o.account_id = current_account() AND (o.role = 'owner' OR o.unlinked_at IS NULL))
$$;

REVOKE ALL ON FUNCTION
    sending_is_noted(), receive_from(smallint, integer, bytea, bigint), end_receiving(uuid), next_received(bigint),
    tell_receivers_it_went(field_sample, boolean), sample_is_sent(), sample_is_told_again(), sample_has_gone(), sendings_end_with_ownership(),
    receivers_of(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION receive_from(smallint, integer, bytea, bigint), end_receiving(uuid), receivers_of(uuid) TO aqua_gateway;
