-- Enrolment: people ask as the Gateway, the enroller makes, and upkeep forgets. Locks: the slot of a new device, then accounts, the person's
-- before the project's, and then the batch, as whoever closes an account does.

-- Batches of whoever acts, of the account for which they act.
CREATE OR REPLACE VIEW person_enrolment AS
    SELECT e.batch_id, e.kind, e.done_at IS NOT NULL AS is_done FROM enrolment e
    WHERE e.account_id = (SELECT current_account()) AND e.made_by = (SELECT current_actor());
CREATE OR REPLACE VIEW person_enrolment_device AS
    SELECT d.batch_id, d.line, d.hardware_id, d.name, d.firmware, d.state, d.reason, d.sealed
    FROM enrolment e JOIN enrolment_device d ON d.batch_id = e.batch_id
    WHERE e.account_id = (SELECT current_account()) AND e.made_by = (SELECT current_actor());
GRANT SELECT ON person_enrolment, person_enrolment_device TO aqua_gateway;

-- The standing of a device of this id with an account: 'new'; 'known': theirs, or enrolled for them and nobody's yet; 'taken'.
CREATE OR REPLACE FUNCTION standing_of(id text, principal bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce((
        SELECT CASE WHEN d.kind = 'device' AND (o.account_id = principal OR o.account_id IS NULL AND d.enrolled_for = principal) THEN 'known' ELSE 'taken' END
        FROM device d LEFT JOIN ownership o
            ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
        WHERE d.hardware_id = id), 'new')
$$;

-- Whether an account may enrol devices where it is allowed to these.
CREATE OR REPLACE FUNCTION may_enrol(principal bigint, allowed text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM account a WHERE a.account_id = principal AND (a.kind = 'project' OR allowed = 'people'))
$$;

-- Whether a batch still goes on: its session lives, the person may act for the account, and for new devices enrolment is allowed to it.
CREATE OR REPLACE FUNCTION enrolment_holds(one enrolment) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM session s WHERE s.session_id = one.made_in AND s.account_id = one.made_by AND is_live(s))
        AND (one.made_by = one.account_id OR coalesce(role_in(one.account_id, one.made_by) IN ('owner', 'administrator'), false))
        AND (one.kind = 'rotate' OR EXISTS (SELECT FROM enroller_state e WHERE may_enrol(one.account_id, e.allowed)))
$$;

-- The number of devices asked for today, for an account or by the person who acts for it, whichever is larger.
CREATE OR REPLACE FUNCTION enrolled_today(principal bigint, person bigint, of_kind text) RETURNS integer
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(max(CASE of_kind WHEN 'make' THEN d.made ELSE d.rotated END), 0) FROM enrolment_day d
    WHERE d.account_id IN (principal, person) AND d.day = (now() AT TIME ZONE 'UTC')::date
$$;

-- Whether the named account may enrol, and what the enroller says of itself. state: ready; silent: not heard for a minute; off: never heard.
CREATE OR REPLACE FUNCTION show_enrolment(
    OUT state text, OUT may boolean, OUT left_today integer, OUT device_port integer, OUT device_tls boolean, OUT device_origin text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    said enroller_state;
BEGIN
    SELECT * INTO said FROM enroller_state;
    state := CASE WHEN said.heard_at IS NULL THEN 'off' WHEN said.heard_at < now() - interval '1 minute' THEN 'silent' ELSE 'ready' END;
    may := coalesce(may_enrol(current_account(), said.allowed), false);
    left_today := CASE WHEN may THEN greatest(said.a_day - enrolled_today(current_account(), current_actor(), 'make'), 0) ELSE 0 END;
    device_port := coalesce(said.port, 0);
    device_tls := coalesce(said.tls, false);
    device_origin := said.http_origin;
END
$$;

-- The standing of each of these ids with the named account. No row where it may not enrol.
CREATE OR REPLACE FUNCTION look_at_ids(ids text[]) RETURNS TABLE (id text, standing text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT i.id, standing_of(i.id, current_account()) FROM unnest(ids[1:1000]) AS i (id)
    WHERE EXISTS (SELECT FROM enroller_state e WHERE may_enrol(current_account(), e.allowed))
$$;

-- Takes what the named account asks for, in the session that is named. outcome: asked; silent: no enroller is heard; notAllowed; open: another batch
-- waits; tooManyDevices: beyond what a project or an account may have; tooManyToday; notOwn: a key is asked for a device that is not theirs
CREATE OR REPLACE FUNCTION ask_enrolment(
    of_kind text, page_key bytea, page_auth bytea, is_linking boolean, ids text[], names text[], firmwares text[], presets text[],
    OUT outcome text, OUT batch uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    person CONSTANT bigint := current_actor();
    today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
    wanted CONSTANT integer := cardinality(ids);
    said enroller_state;
    held integer;
BEGIN
    IF me IS NULL OR NOT EXISTS (SELECT FROM session s WHERE s.session_id = current_session() AND s.account_id = person AND is_live(s)) THEN
        RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'devices are asked for in a session';
    END IF;
    -- one who asks after the other
    PERFORM FROM account a WHERE a.account_id = person FOR NO KEY UPDATE;
    PERFORM FROM account a WHERE a.account_id = me FOR NO KEY UPDATE;
    SELECT * INTO said FROM enroller_state;
    outcome := CASE
        WHEN said.heard_at IS NULL THEN 'silent'
        WHEN of_kind = 'make' AND NOT may_enrol(me, said.allowed) THEN 'notAllowed'
        WHEN said.heard_at < now() - interval '1 minute' THEN 'silent'
        WHEN of_kind = 'rotate' AND EXISTS (
            SELECT FROM unnest(ids) AS i (id) WHERE NOT EXISTS (
                SELECT FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
                WHERE d.hardware_id = i.id AND d.kind = 'device' AND o.account_id = me AND o.role = 'owner' AND o.unlinked_at IS NULL)) THEN 'notOwn'
        WHEN EXISTS (SELECT FROM enrolment e WHERE e.account_id = me AND e.done_at IS NULL) THEN 'open'
        WHEN wanted NOT BETWEEN 1 AND 1000 THEN 'tooManyDevices'
        WHEN enrolled_today(me, person, of_kind) + wanted > said.a_day THEN 'tooManyToday'
        END;
    IF outcome IS NULL AND of_kind = 'make' THEN
        SELECT count(*) INTO held FROM device d WHERE d.enrolled_for = me;
        IF held + wanted > (SELECT b.in_all FROM growth_bound b WHERE b.held = 'device') OR is_linking AND 1000 < wanted + (
            SELECT count(*) FROM ownership o WHERE o.project_id = me AND o.account_id = me AND o.unlinked_at IS NULL)
        THEN
            outcome := 'tooManyDevices';
        END IF;
    END IF;
    IF outcome IS NOT NULL THEN
        RETURN;
    END IF;
    outcome := 'asked';
    INSERT INTO enrolment_day AS d (account_id, day, made, rotated)
    SELECT one, today, CASE of_kind WHEN 'make' THEN wanted ELSE 0 END, CASE of_kind WHEN 'rotate' THEN wanted ELSE 0 END
    FROM (SELECT DISTINCT one FROM unnest(ARRAY[me, person]) AS one ORDER BY one) AS both_of_them
    ON CONFLICT (account_id) DO UPDATE SET day = today,
        made = CASE WHEN d.day = today THEN d.made ELSE 0 END + excluded.made,
        rotated = CASE WHEN d.day = today THEN d.rotated ELSE 0 END + excluded.rotated;
    INSERT INTO enrolment (account_id, made_by, made_in, kind, links, public_key, auth)
    VALUES (me, person, current_session(), of_kind, is_linking, page_key, page_auth) RETURNING batch_id INTO batch;
    INSERT INTO enrolment_device (batch_id, line, hardware_id, name, firmware, preset)
    SELECT batch, line, id, name, firmware, preset
    FROM unnest(ids, names, firmwares, presets) WITH ORDINALITY AS d (id, name, firmware, preset, line);
END
$$;

-- Deletes a batch of the named person's, with what was sealed; new devices that wait are called off. outcome: dropped; unknown: they have no such batch;
-- open: a key is on its way, which the broker may have by now
CREATE OR REPLACE FUNCTION drop_enrolment(batch uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one enrolment;
BEGIN
    SELECT * INTO one FROM enrolment e WHERE e.batch_id = batch AND e.account_id = current_account() AND e.made_by = current_actor() FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    ELSIF one.kind = 'rotate' AND one.done_at IS NULL THEN
        RETURN 'open';
    END IF;
    DELETE FROM enrolment e WHERE e.batch_id = batch;
    RETURN 'dropped';
END
$$;

-- Notes what the enroller says of itself.
CREATE OR REPLACE FUNCTION beat_enroller(
    may text, most_a_day integer, device_host text, device_port integer, device_tls boolean, device_origin text, device_authority text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO enroller_state (heard_at, allowed, a_day, host, port, tls, http_origin, authority)
    VALUES (now(), may, most_a_day, device_host, device_port, device_tls, device_origin, device_authority)
    ON CONFLICT (is_only) DO UPDATE SET heard_at = excluded.heard_at, allowed = excluded.allowed, a_day = excluded.a_day, host = excluded.host,
        port = excluded.port, tls = excluded.tls, http_origin = excluded.http_origin, authority = excluded.authority
$$;

-- Devices that wait, one of each batch in turn, so that nobody waits for another's thousand. standing: of a new device as above; of a key 'own' or 'taken';
-- 'withdrawn' where the batch goes on no more.
CREATE OR REPLACE FUNCTION take_enrolments(most integer) RETURNS TABLE (
    batch uuid, line smallint, kind text, links boolean, public_key bytea, auth bytea, hardware_id text, preset text, standing text, generation integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT b.batch_id, w.line, b.kind, b.links, b.public_key, b.auth, w.hardware_id, w.preset,
        CASE WHEN NOT enrolment_holds(b.one) THEN 'withdrawn'
            WHEN b.kind = 'make' THEN standing_of(w.hardware_id, b.account_id)
            WHEN o.account_id = b.account_id THEN 'own' ELSE 'taken' END,
        d.key_generation
    FROM (
        SELECT e.*, e AS one FROM enrolment e WHERE e.done_at IS NULL ORDER BY e.asked_at LIMIT 100) AS b
    CROSS JOIN LATERAL (
        SELECT n.*, row_number() OVER (ORDER BY n.line) AS place
        FROM (
            SELECT r.line, r.hardware_id, r.preset FROM enrolment_device r
            WHERE r.batch_id = b.batch_id AND r.state = 'waiting' ORDER BY r.line LIMIT most) AS n) AS w
    LEFT JOIN device d ON b.kind = 'rotate' AND d.hardware_id = w.hardware_id
    LEFT JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
    ORDER BY w.place, b.asked_at
    LIMIT most
$$;

-- Locks a batch whose device waits, after its accounts; NULL: it waits no more.
CREATE OR REPLACE FUNCTION lock_enrolment(batch uuid, of_line smallint) RETURNS enrolment
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one enrolment;
BEGIN
    SELECT * INTO one FROM enrolment e WHERE e.batch_id = batch;
    PERFORM FROM account a WHERE a.account_id = one.made_by FOR KEY SHARE;
    PERFORM FROM account a WHERE a.account_id = one.account_id FOR NO KEY UPDATE;
    SELECT * INTO one FROM enrolment e WHERE e.batch_id = batch FOR NO KEY UPDATE;
    PERFORM FROM enrolment_device d WHERE d.batch_id = batch AND d.line = of_line AND d.state = 'waiting';
    RETURN CASE WHEN FOUND THEN one END;
END
$$;

-- Names whoever asked for a batch, so that what follows is their act, in their session.
CREATE OR REPLACE FUNCTION name_enrolment(one enrolment) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF one.made_by = one.account_id THEN
        PERFORM name_person(one.account_id);
    ELSE
        PERFORM name_actor(one.made_by, one.account_id);
    END IF;
    PERFORM set_config('aqua.session', one.made_in::text, true);
END
$$;

-- Says what became of a device of a batch that is locked, which is done when none waits.
CREATE OR REPLACE FUNCTION settle_locked_enrolment(batch uuid, of_line smallint, as_state text, because text, with_sealed bytea) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE enrolment_device d SET state = as_state, reason = because, sealed = with_sealed WHERE d.batch_id = batch AND d.line = of_line;
    UPDATE enrolment e SET done_at = greatest(now(), e.asked_at) WHERE e.batch_id = batch AND NOT EXISTS (
        SELECT FROM enrolment_device d WHERE d.batch_id = batch AND d.state = 'waiting');
END
$$;

-- Settles a device for which nothing is made: known, or refused and why.
CREATE OR REPLACE FUNCTION settle_enrolment(batch uuid, of_line smallint, because text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (lock_enrolment(batch, of_line)).batch_id IS NOT NULL THEN
        PERFORM settle_locked_enrolment(batch, of_line, CASE WHEN because IS NULL THEN 'known' ELSE 'refused' END, because, NULL);
    END IF;
END
$$;

-- Makes the row of a device whose account at the broker is made, and links it where it was asked so. What became of it: made, known, or the reason of a
-- refusal; 'gone': it waits no more, and nothing was made.
CREATE OR REPLACE FUNCTION enrol_device(
    batch uuid, of_line smallint, of_slot smallint, code_hash bytea, code_key text, with_key text, with_hash bytea, with_sealed bytea,
    parameters smallint[], units text[], minima integer[], maxima integer[], colours text[], positions smallint[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one enrolment;
    asked enrolment_device;
    made integer;
    outcome text;
BEGIN
    -- whoever changes a project locks its slots before its account
    PERFORM FROM slot s WHERE s.slot = of_slot FOR UPDATE;
    one := lock_enrolment(batch, of_line);
    IF one.batch_id IS NULL OR one.kind <> 'make' THEN
        RETURN 'gone';
    END IF;
    SELECT * INTO asked FROM enrolment_device d WHERE d.batch_id = batch AND d.line = of_line;
    outcome := standing_of(asked.hardware_id, one.account_id);
    IF outcome = 'new' AND NOT enrolment_holds(one) THEN
        outcome := 'withdrawn';
    ELSIF outcome = 'new' THEN
        PERFORM name_enrolment(one);
        BEGIN
            INSERT INTO device (slot, hardware_id, key_id, claim_code_hash, claim_key_id, key_hash, enrolled_for)
            VALUES (of_slot, asked.hardware_id, with_key, code_hash, code_key, with_hash, one.account_id)
            RETURNING device_id INTO made;
            IF one.links THEN
                PERFORM add_ownership(
                    of_slot, made, one.account_id, 'owner', asked.name, parameters, units, minima, maxima, colours, positions);
                IF length(asked.preset) = 36 THEN
                    PERFORM begin_with_preset(of_slot, made, one.account_id, asked.preset::uuid);
                END IF;
            END IF;
            outcome := 'made';
        EXCEPTION
            WHEN unique_violation THEN outcome := 'taken'; -- somebody made it meanwhile
            WHEN SQLSTATE 'AQ001' THEN outcome := 'tooMany';
            WHEN SQLSTATE 'AQ003' THEN outcome := 'full';
        END;
    END IF;
    PERFORM settle_locked_enrolment(batch, of_line, CASE WHEN outcome IN ('made', 'known') THEN outcome ELSE 'refused' END,
        CASE WHEN outcome NOT IN ('made', 'known') THEN outcome END, CASE WHEN outcome = 'made' THEN with_sealed END);
    RETURN outcome;
END
$$;

-- Notes the new key of a device, which its account at the broker has by now: so it is noted also where the batch goes on no more, and told only where it
-- does. 'stale': another key came first, and the next attempt makes the one after it; 'gone': nobody waits for it
CREATE OR REPLACE FUNCTION rekey_device(
    batch uuid, of_line smallint, to_generation integer, with_key text, with_hash bytea, with_sealed bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one enrolment;
    asked enrolment_device;
    outcome text;
BEGIN
    one := lock_enrolment(batch, of_line);
    IF one.batch_id IS NULL OR one.kind <> 'rotate' THEN
        RETURN 'gone';
    END IF;
    SELECT * INTO asked FROM enrolment_device d WHERE d.batch_id = batch AND d.line = of_line;
    outcome := CASE WHEN NOT enrolment_holds(one) THEN 'withdrawn'
        WHEN NOT EXISTS (
            SELECT FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
            WHERE d.hardware_id = asked.hardware_id AND o.account_id = one.account_id AND o.role = 'owner' AND o.unlinked_at IS NULL) THEN 'taken'
        ELSE 'made' END;
    PERFORM name_enrolment(one);
    BEGIN
        UPDATE device d SET key_generation = to_generation, key_id = with_key, key_hash = with_hash
        WHERE d.hardware_id = asked.hardware_id AND d.key_generation = to_generation - 1;
    EXCEPTION WHEN SQLSTATE 'AQ001' THEN
        -- the log takes no more of this person for now: it has the key as the system's act, since the broker has it
        PERFORM set_config(setting, '', true) FROM unnest(ARRAY['aqua.account', 'aqua.actor', 'aqua.session']) AS setting;
        UPDATE device d SET key_generation = to_generation, key_id = with_key, key_hash = with_hash
        WHERE d.hardware_id = asked.hardware_id AND d.key_generation = to_generation - 1;
    END;
    IF NOT FOUND THEN
        RETURN 'stale';
    END IF;
    PERFORM settle_locked_enrolment(batch, of_line, CASE outcome WHEN 'made' THEN 'made' ELSE 'refused' END,
        NULLIF(outcome, 'made'), CASE outcome WHEN 'made' THEN with_sealed END);
    RETURN outcome;
END
$$;

-- Forgets batches that have been done for an hour, and ends those that waited for a day; returns how many.
CREATE OR REPLACE FUNCTION forget_enrolments(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    ended integer;
    forgotten integer;
BEGIN
    IF NOT clock_is_trusted() THEN
        RETURN 0;
    END IF;
    WITH late AS (
        SELECT e.batch_id FROM enrolment e WHERE e.done_at IS NULL AND e.asked_at < now() - interval '1 day'
        ORDER BY e.asked_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED
    ), refused AS (
        UPDATE enrolment_device d SET state = 'refused', reason = 'late' FROM late l WHERE d.batch_id = l.batch_id AND d.state = 'waiting'
    )
    UPDATE enrolment e SET done_at = now() FROM late l WHERE e.batch_id = l.batch_id;
    GET DIAGNOSTICS ended = ROW_COUNT;
    DELETE FROM enrolment e WHERE e.batch_id IN (
        SELECT f.batch_id FROM enrolment f WHERE f.done_at < now() - interval '1 hour'
        ORDER BY f.done_at LIMIT most FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS forgotten = ROW_COUNT;
    RETURN ended + forgotten;
END
$$;

REVOKE ALL ON FUNCTION
    standing_of(text, bigint), may_enrol(bigint, text), enrolment_holds(enrolment), enrolled_today(bigint, bigint, text), show_enrolment(),
    look_at_ids(text[]), ask_enrolment(text, bytea, bytea, boolean, text[], text[], text[], text[]), drop_enrolment(uuid),
    beat_enroller(text, integer, text, integer, boolean, text, text), take_enrolments(integer), lock_enrolment(uuid, smallint),
    name_enrolment(enrolment), settle_locked_enrolment(uuid, smallint, text, text, bytea), settle_enrolment(uuid, smallint, text),
    enrol_device(uuid, smallint, smallint, bytea, text, text, bytea, bytea, smallint[], text[], integer[], integer[], text[], smallint[]),
    rekey_device(uuid, smallint, integer, text, bytea, bytea), forget_enrolments(integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    show_enrolment(), look_at_ids(text[]), ask_enrolment(text, bytea, bytea, boolean, text[], text[], text[], text[]), drop_enrolment(uuid)
    TO aqua_gateway;
GRANT EXECUTE ON FUNCTION
    beat_enroller(text, integer, text, integer, boolean, text, text), take_enrolments(integer), settle_enrolment(uuid, smallint, text),
    enrol_device(uuid, smallint, smallint, bytea, text, text, bytea, bytea, smallint[], text[], integer[], integer[], text[], smallint[]),
    rekey_device(uuid, smallint, integer, text, bytea, bytea) TO aqua_enroller;
GRANT EXECUTE ON FUNCTION forget_enrolments(integer) TO aqua_ingestor;
