-- Tests of the water by hand.

-- Writes a test of the named person's: creates it where no version is named (since), and changes that version where one is. outcome: created,
-- changed, stale (there is another version, or one where none is named), notTheirs (made by somebody else, and the person is not the owner), or
-- unknown, for a device that is not theirs as for a test of another tank. Beyond the bound it is refused.
CREATE OR REPLACE FUNCTION put_hand_test(
    of_slot smallint, of_device integer, id uuid, since integer, made_at timestamptz, by_kit text, with_note text,
    parameters smallint[], readings real[], lowers real[], uppers real[], choices text[], numbers double precision[], units text[],
    OUT outcome text, OUT new_version integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
    former hand_test;
    bound growth_bound;
BEGIN
    -- the account first, as whoever closes it locks; while a share of the ownership is held nobody unlinks the device
    PERFORM FROM account a WHERE a.account_id = current_account() FOR KEY SHARE;
    SELECT o.* INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL
    FOR SHARE;
    IF NOT FOUND THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    -- those who write to one tank do so one after the other, so that its bound is kept
    PERFORM pg_advisory_xact_lock(7133720, hashint8(part.tank_id));
    SELECT t.* INTO former FROM hand_test t WHERE t.slot = of_slot AND t.test_id = id FOR UPDATE;
    IF FOUND THEN
        outcome := CASE
            WHEN former.tank_id <> part.tank_id THEN 'unknown'
            WHEN since IS DISTINCT FROM former.version THEN 'stale'
            WHEN former.account_id IS DISTINCT FROM part.account_id AND part.role <> 'owner' THEN 'notTheirs'
            ELSE 'changed' END;
        IF outcome <> 'changed' THEN
            RETURN;
        END IF;
        new_version := former.version + 1;
        UPDATE hand_test t SET version = new_version, at = made_at, kit = by_kit, note = with_note, written_at = now(), judged_at = NULL
        WHERE t.slot = of_slot AND t.test_id = id;
        DELETE FROM hand_value v WHERE v.slot = of_slot AND v.test_id = id;
    ELSE
        IF since IS NOT NULL THEN
            outcome := 'unknown';
            RETURN;
        END IF;
        SELECT b.* INTO STRICT bound FROM growth_bound b WHERE b.held = 'hand_test';
        IF (SELECT count(*) >= bound.in_all OR count(*) FILTER (WHERE t.written_at > now() - interval '1 day') >= bound.a_day
            FROM hand_test t WHERE t.slot = of_slot AND t.tank_id = part.tank_id)
        THEN
            RAISE EXCEPTION USING ERRCODE = 'AQ001', TABLE = 'hand_test',
                MESSAGE = 'a tank has as many rows of hand_test as it may have, in a day or in all';
        END IF;
        INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at, kit, note)
        VALUES (of_slot, of_device, part.tank_id, id, part.account_id, made_at, by_kit, with_note)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            -- another tank's, written just now
            outcome := 'unknown';
            RETURN;
        END IF;
        outcome := 'created';
        new_version := 1;
    END IF;
    INSERT INTO hand_value (slot, parameter, device_id, tank_id, test_id, at, value, lower, upper, choice, read, unit)
    SELECT of_slot, v.parameter, of_device, part.tank_id, id, made_at, v.value, v.lower, v.upper, v.choice, v.read, v.unit
    FROM unnest(parameters, readings, lowers, uppers, choices, numbers, units)
        AS v (parameter, value, lower, upper, choice, read, unit);
END
$$;

-- Deletes a test of the named person's, as whoever made it or the owner may: deleted, unknown or notTheirs.
CREATE OR REPLACE FUNCTION delete_hand_test(of_slot smallint, of_device integer, id uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    writer bigint;
    part record;
BEGIN
    SELECT o.tank_id, o.account_id, o.role INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL
    FOR SHARE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    SELECT t.account_id INTO writer FROM hand_test t WHERE t.slot = of_slot AND t.test_id = id AND t.tank_id = part.tank_id FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    IF writer IS DISTINCT FROM part.account_id AND part.role <> 'owner' THEN
        RETURN 'notTheirs';
    END IF;
    DELETE FROM hand_test t WHERE t.slot = of_slot AND t.test_id = id;
    RETURN 'deleted';
END
$$;

-- When a reminder asks for the next test of a tank, of those that whoever asks sees; NULL: none does.
CREATE OR REPLACE FUNCTION next_test_due(of_slot smallint, of_tank bigint) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT min(r.next_at) FROM reminder r
    WHERE r.slot = of_slot AND r.tank_id = of_tank AND r.activity = 'test' AND r.ended_at IS NULL
$$;

REVOKE ALL ON FUNCTION
    put_hand_test(
        smallint, integer, uuid, integer, timestamptz, text, text, smallint[], real[], real[], real[], text[], double precision[], text[]),
    delete_hand_test(smallint, integer, uuid), next_test_due(smallint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    put_hand_test(
        smallint, integer, uuid, integer, timestamptz, text, text, smallint[], real[], real[], real[], text[], double precision[], text[]),
    delete_hand_test(smallint, integer, uuid), next_test_due(smallint, bigint) TO aqua_gateway;
