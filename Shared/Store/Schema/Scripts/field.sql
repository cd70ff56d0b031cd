-- Samples of the field, and the protocols by which they are taken.

-- The protocols of the owners of devices that the named account has now.
CREATE OR REPLACE VIEW person_protocol AS
    SELECT k.slot, k.device_id, p.protocol_id, p.version, p.content
    FROM ownership k
    JOIN ownership o ON o.slot = k.slot AND o.ownership_id = k.tank_id
    JOIN field_protocol p ON p.account_id = o.account_id
    WHERE k.account_id = (SELECT current_account()) AND k.unlinked_at IS NULL;

-- The protocols of the named account itself.
CREATE OR REPLACE VIEW own_protocol AS
    SELECT p.protocol_id, p.version, p.content FROM field_protocol p WHERE p.account_id = (SELECT current_account());
GRANT SELECT ON person_protocol, own_protocol TO aqua_gateway;

-- Writes a protocol of the named account's: the first version where none is named (since), and the one after the version that is. outcome: made, changed,
-- stale (another version is the newest), or full (there are as many protocols, or versions, as may be).
CREATE OR REPLACE FUNCTION put_field_protocol(id text, since integer, of_content jsonb) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_account();
    newest integer;
BEGIN
    -- one change at a time, and none while the account is closed
    PERFORM FROM account a WHERE a.account_id = me FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'stale';
    END IF;
    newest := (SELECT max(p.version) FROM field_protocol p WHERE p.account_id = me AND p.protocol_id = id);
    IF newest IS DISTINCT FROM since THEN
        RETURN 'stale';
    ELSIF newest >= 100 OR newest IS NULL AND 30 <= (SELECT count(DISTINCT p.protocol_id) FROM field_protocol p WHERE p.account_id = me) THEN
        RETURN 'full';
    END IF;
    INSERT INTO field_protocol (account_id, protocol_id, version, content) VALUES (me, id, coalesce(newest, 0) + 1, of_content);
    RETURN CASE WHEN newest IS NULL THEN 'made' ELSE 'changed' END;
END
$$;

-- Makes the values of a sample a test by hand, or changes that test, or takes it away where there are none; and has engines judge what is the newest then.
-- The caller has locked the tank's turn. A time to come counts as now.
CREATE OR REPLACE FUNCTION set_values_of_sample(
    of_sample field_sample, parameters smallint[], readings real[], lowers real[], uppers real[], choices text[], numbers double precision[], units text[])
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    taken_at CONSTANT timestamptz := least(of_sample.begun_at, now());
    former_parameters smallint[];
BEGIN
    WITH gone AS (
        DELETE FROM hand_value v WHERE v.slot = of_sample.slot AND v.test_id = of_sample.sample_id RETURNING v.parameter)
    SELECT array_agg(g.parameter) INTO former_parameters FROM gone g;
    IF cardinality(parameters) > 0 THEN
        INSERT INTO hand_test AS t (slot, device_id, tank_id, test_id, account_id, at, of_sample)
        VALUES (of_sample.slot, of_sample.device_id, of_sample.tank_id, of_sample.sample_id, of_sample.account_id, taken_at, true)
        ON CONFLICT (slot, test_id) DO UPDATE SET version = t.version + 1, at = EXCLUDED.at, written_at = now(), judged_at = NULL;
        INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, lower, upper, choice, read, unit)
        SELECT of_sample.slot, v.parameter, of_sample.device_id, of_sample.tank_id, of_sample.sample_id, taken_at, v.value, v.lower, v.upper, v.choice,
            v.read, v.unit
        FROM unnest(parameters, readings, lowers, uppers, choices, numbers, units)
            AS v (parameter, value, lower, upper, choice, read, unit);
    ELSE
        DELETE FROM hand_test t WHERE t.slot = of_sample.slot AND t.test_id = of_sample.sample_id AND t.of_sample;
    END IF;
    PERFORM judge_hand_values_anew(of_sample.slot, of_sample.tank_id, former_parameters);
END
$$;

-- Keeps the present version of a sample among its former ones.
CREATE OR REPLACE FUNCTION keep_version_of_sample(former field_sample) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO field_sample_version (slot, tank_id, sample_id, version, account_id, state, content, written_at)
    VALUES (former.slot, former.tank_id, former.sample_id, former.version, former.changed_by, former.state, former.content, former.written_at)
$$;

-- Writes a sample of a device that the named person has: makes it where no version is named (since), and the next version where one is. Its values by hand
-- (parameters and what follows, one place each) are written with it. outcome: created, changed, stale (another version is the present one), notTheirs
-- (somebody else took it, and the person is not the owner), full (100 versions), or unknown, for a device that is not theirs as for a sample of another tank.
CREATE OR REPLACE FUNCTION put_field_sample(
    of_slot smallint, of_device integer, id uuid, since integer, of_state text, began timestamptz, of_content jsonb, of_track bytea, ahead real,
    parameters smallint[], readings real[], lowers real[], uppers real[], choices text[], numbers double precision[], units text[]) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
    sample field_sample;
    outcome text := 'changed';
BEGIN
    -- the account first, as whoever closes it locks; while a share of the ownership is held nobody unlinks the device
    PERFORM FROM account a WHERE a.account_id = current_account() FOR KEY SHARE;
    SELECT o.* INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL AND o.may_act
    FOR SHARE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    -- in the order of those who write tests, which samples are, too
    PERFORM take_turn(7133720, part.tank_id);
    SELECT s.* INTO sample FROM field_sample s WHERE s.sample_id = id FOR UPDATE;
    IF FOUND THEN
        IF sample.slot <> of_slot OR sample.tank_id <> part.tank_id THEN
            RETURN 'unknown';
        ELSIF since IS DISTINCT FROM sample.version THEN
            RETURN 'stale';
        ELSIF sample.account_id IS DISTINCT FROM part.account_id AND part.role <> 'owner' THEN
            RETURN 'notTheirs';
        ELSIF sample.version >= 100 THEN
            RETURN 'full';
        END IF;
        PERFORM keep_version_of_sample(sample);
        UPDATE field_sample s SET version = s.version + 1, state = of_state, begun_at = began, content = of_content, track = of_track,
            changed_by = current_account(), written_at = now(), changed_at = now(), review = NULL, review_note = NULL, reviewed_at = NULL
        WHERE s.slot = of_slot AND s.tank_id = part.tank_id AND s.sample_id = id
        RETURNING s.* INTO sample;
    ELSE
        IF since IS NOT NULL OR EXISTS (SELECT FROM hand_test t WHERE t.slot = of_slot AND t.test_id = id) THEN
            RETURN 'unknown';
        END IF;
        INSERT INTO field_sample AS s (slot, tank_id, sample_id, device_id, account_id, changed_by, state, begun_at, content, track, clock_offset)
        VALUES (of_slot, part.tank_id, id, of_device, current_account(), current_account(), of_state, began, of_content, of_track, ahead)
        ON CONFLICT DO NOTHING
        RETURNING s.* INTO sample;
        IF NOT FOUND THEN
            -- another tank's, written just now
            RETURN 'unknown';
        END IF;
        outcome := 'created';
    END IF;
    PERFORM set_values_of_sample(sample, parameters, readings, lowers, uppers, choices, numbers, units);
    RETURN outcome;
END
$$;

-- The sample of a tank that the named person has now, locked, with whether they own the tank and whether they took the sample. No row: unknown to them.
CREATE OR REPLACE FUNCTION lock_field_sample(id uuid, OUT sample field_sample, OUT is_owner boolean, OUT is_author boolean)
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
BEGIN
    SELECT o.* INTO part FROM field_sample s
    JOIN ownership o ON o.slot = s.slot AND o.tank_id = s.tank_id AND o.account_id = current_account() AND o.unlinked_at IS NULL AND o.may_act
    WHERE s.sample_id = id
    FOR SHARE OF o;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM take_turn(7133720, part.tank_id);
    SELECT s.* INTO sample FROM field_sample s WHERE s.slot = part.slot AND s.tank_id = part.tank_id AND s.sample_id = id FOR UPDATE;
    is_owner := part.role = 'owner';
    is_author := sample.account_id IS NOT DISTINCT FROM part.account_id;
END
$$;

-- Withdraws a sample, as whoever took it or the owner may: a version without values, comment and track is the last one, and its values by hand go.
-- withdrawn (also where it was), stale, notTheirs, full or unknown.
CREATE OR REPLACE FUNCTION withdraw_field_sample(id uuid, since integer) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    found record;
    former field_sample;
BEGIN
    SELECT * INTO found FROM lock_field_sample(id);
    former := found.sample;
    IF former.sample_id IS NULL THEN
        RETURN 'unknown';
    ELSIF NOT found.is_owner AND NOT found.is_author THEN
        RETURN 'notTheirs';
    ELSIF former.state = 'withdrawn' THEN
        RETURN 'withdrawn';
    ELSIF former.version <> since THEN
        RETURN 'stale';
    ELSIF former.version >= 100 THEN
        RETURN 'full';
    END IF;
    PERFORM keep_version_of_sample(former);
    UPDATE field_sample s SET version = s.version + 1, state = 'withdrawn', track = NULL,
        content = s.content || '{"values": [], "weather": null, "habitat": null, "comment": null}',
        changed_by = current_account(), written_at = now(), changed_at = now(), review = NULL, review_note = NULL, reviewed_at = NULL
    WHERE s.slot = former.slot AND s.tank_id = former.tank_id AND s.sample_id = id;
    PERFORM set_values_of_sample(former, '{}', '{}', '{}', '{}', '{}', '{}', '{}');
    RETURN 'withdrawn';
END
$$;

-- Says what the owner of a tank, or an administrator of its project, holds of a version of a sample; NULL takes it back. reviewed, stale, notTheirs or unknown.
CREATE OR REPLACE FUNCTION review_field_sample(id uuid, since integer, verdict text, note text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    found record;
BEGIN
    SELECT * INTO found FROM lock_field_sample(id);
    IF (found.sample).sample_id IS NULL THEN
        RETURN 'unknown';
    ELSIF NOT found.is_owner THEN
        RETURN 'notTheirs';
    ELSIF (found.sample).version <> since THEN
        RETURN 'stale';
    END IF;
    UPDATE field_sample s SET review = verdict, review_note = CASE WHEN verdict IS NOT NULL THEN note END,
        reviewed_at = CASE WHEN verdict IS NOT NULL THEN now() END, changed_at = now()
    WHERE s.sample_id = id;
    RETURN 'reviewed';
END
$$;

-- Takes the name of a person who closes their account out of the samples that they took or changed: those stay with whoever owns the tanks.
CREATE OR REPLACE FUNCTION forget_surveyor(person bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    called CONSTANT text := (SELECT a.display_name FROM account a WHERE a.account_id = person);
    receiver record;
BEGIN
    UPDATE field_sample s SET content = s.content || jsonb_build_object('surveyors', (s.content -> 'surveyors') - called)
    WHERE (s.account_id = person OR s.changed_by = person) AND s.content -> 'surveyors' ? called;
    UPDATE field_sample_version v SET content = v.content || jsonb_build_object('surveyors', (v.content -> 'surveyors') - called)
    WHERE v.account_id = person AND v.content -> 'surveyors' ? called;
    -- versions that others wrote of them say the name, too
    UPDATE field_sample_version v SET content = v.content || jsonb_build_object('surveyors', (v.content -> 'surveyors') - called)
    FROM field_sample s
    WHERE (s.account_id = person OR s.changed_by = person) AND v.slot = s.slot AND v.tank_id = s.tank_id AND v.sample_id = s.sample_id
        AND v.content -> 'surveyors' ? called;
    -- what they sent of tanks that others have by now, which is told again
    FOR receiver IN SELECT r.project_id FROM received_sample r WHERE r.account_id = person GROUP BY r.project_id ORDER BY r.project_id LOOP
        CONTINUE WHEN next_received(receiver.project_id) IS NULL;
        UPDATE received_sample r SET account_id = NULL, name = NULL, sequence = next_received(r.project_id)
        WHERE r.project_id = receiver.project_id AND r.account_id = person;
    END LOOP;
END
$$;

REVOKE ALL ON FUNCTION
    put_field_protocol(text, integer, jsonb), keep_version_of_sample(field_sample), lock_field_sample(uuid), forget_surveyor(bigint),
    set_values_of_sample(field_sample, smallint[], real[], real[], real[], text[], double precision[], text[]),
    put_field_sample(smallint, integer, uuid, integer, text, timestamptz, jsonb, bytea, real, smallint[], real[], real[], real[], text[],
        double precision[], text[]),
    withdraw_field_sample(uuid, integer), review_field_sample(uuid, integer, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    put_field_protocol(text, integer, jsonb),
    put_field_sample(smallint, integer, uuid, integer, text, timestamptz, jsonb, bytea, real, smallint[], real[], real[], real[], text[],
        double precision[], text[]),
    withdraw_field_sample(uuid, integer), review_field_sample(uuid, integer, text, text) TO aqua_gateway;
