-- Tests of the water by hand.

-- Has the newest values by hand of some parameters judged anew, once values have left a test: the one before is the newest then. A test of which
-- nothing changed is decided as before.
CREATE OR REPLACE FUNCTION judge_hand_values_anew(of_slot smallint, of_tank bigint, parameters smallint[]) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    -- Also those that wait to be judged: an engine that has them just now knew the values that have left.
    UPDATE hand_test t SET judged_at = NULL FROM (
        SELECT DISTINCT newest.test_id FROM unnest(parameters) AS p (parameter)
        CROSS JOIN LATERAL (
            SELECT v.test_id FROM hand_value v
            WHERE v.slot = of_slot AND v.tank_id = of_tank AND v.parameter = p.parameter
            ORDER BY v.at DESC, v.test_id DESC
            LIMIT 1) newest) n
    WHERE t.slot = of_slot AND t.test_id = n.test_id
$$;

-- Writes a test of the named person's: creates it where no version is named (since), and changes that version where one is. outcome: created,
-- changed, stale (there is another version, or one where none is named), notTheirs (made by somebody else, and the person is not the owner), ofSample
-- (the values of a sample change with it alone), or unknown, for a device that is not theirs as for a test of another tank. Beyond the bound it is refused.
CREATE OR REPLACE FUNCTION put_hand_test(
    of_slot smallint, of_device integer, id uuid, since integer, made_at timestamptz, by_kit text, with_note text,
    parameters smallint[], readings real[], lowers real[], uppers real[], choices text[], numbers double precision[], units text[],
    OUT outcome text, OUT new_version integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part ownership;
    former hand_test;
    former_parameters smallint[];
    bound growth_bound;
    refusal text; -- as keep_bound says it
BEGIN
    -- the account first, as whoever closes it locks; while a share of the ownership is held nobody unlinks the device
    PERFORM FROM account a WHERE a.account_id = current_account() FOR KEY SHARE;
    SELECT o.* INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL AND o.may_act
    FOR SHARE;
    IF NOT FOUND THEN
        outcome := 'unknown';
        RETURN;
    END IF;
    -- those who write to one tank do so one after the other, so that its bound is kept
    PERFORM take_turn(7133720, part.tank_id);
    SELECT t.* INTO former FROM hand_test t WHERE t.slot = of_slot AND t.test_id = id FOR UPDATE;
    IF FOUND THEN
        outcome := CASE
            WHEN former.tank_id <> part.tank_id THEN 'unknown'
            WHEN former.of_sample THEN 'ofSample'
            WHEN since IS DISTINCT FROM former.version THEN 'stale'
            WHEN former.account_id IS DISTINCT FROM part.account_id AND part.role <> 'owner' THEN 'notTheirs'
            ELSE 'changed' END;
        IF outcome <> 'changed' THEN
            RETURN;
        END IF;
        new_version := former.version + 1;
        UPDATE hand_test t SET version = new_version, at = made_at, kit = by_kit, note = with_note, written_at = now(), judged_at = NULL
        WHERE t.slot = of_slot AND t.test_id = id;
        WITH gone AS (DELETE FROM hand_value v WHERE v.slot = of_slot AND v.test_id = id RETURNING v.parameter)
        SELECT array_agg(g.parameter) INTO former_parameters FROM gone g;
    ELSE
        IF since IS NOT NULL OR EXISTS (SELECT FROM field_sample s WHERE s.sample_id = id) THEN
            outcome := 'unknown';
            RETURN;
        END IF;
        SELECT b.* INTO STRICT bound FROM growth_bound b WHERE b.held = 'hand_test';
        SELECT CASE WHEN count(*) >= bound.in_all THEN 'AQ003'
            WHEN count(*) FILTER (WHERE t.written_at > now() - interval '1 day') >= bound.a_day THEN 'AQ001' END INTO refusal
        FROM hand_test t WHERE t.slot = of_slot AND t.tank_id = part.tank_id AND NOT t.of_sample;
        IF refusal IS NOT NULL THEN
            RAISE EXCEPTION USING ERRCODE = refusal, TABLE = 'hand_test',
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
    PERFORM judge_hand_values_anew(of_slot, part.tank_id, former_parameters);
END
$$;

-- Deletes a test of the named person's, as whoever made it or the owner may: deleted, unknown, notTheirs, or ofSample (it goes with its sample alone).
CREATE OR REPLACE FUNCTION delete_hand_test(of_slot smallint, of_device integer, id uuid) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    former hand_test;
    part record;
    former_parameters smallint[];
BEGIN
    SELECT o.tank_id, o.account_id, o.role INTO part FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = current_account() AND o.unlinked_at IS NULL AND o.may_act
    FOR SHARE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    -- in the order of those who write
    PERFORM take_turn(7133720, part.tank_id);
    SELECT t.* INTO former FROM hand_test t WHERE t.slot = of_slot AND t.test_id = id AND t.tank_id = part.tank_id FOR UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    ELSIF former.of_sample THEN
        RETURN 'ofSample';
    ELSIF former.account_id IS DISTINCT FROM part.account_id AND part.role <> 'owner' THEN
        RETURN 'notTheirs';
    END IF;
    SELECT array_agg(v.parameter) INTO former_parameters FROM hand_value v WHERE v.slot = of_slot AND v.test_id = id;
    DELETE FROM hand_test t WHERE t.slot = of_slot AND t.test_id = id;
    PERFORM judge_hand_values_anew(of_slot, part.tank_id, former_parameters);
    RETURN 'deleted';
END
$$;

REVOKE ALL ON FUNCTION
    judge_hand_values_anew(smallint, bigint, smallint[]),
    put_hand_test(
        smallint, integer, uuid, integer, timestamptz, text, text, smallint[], real[], real[], real[], text[], double precision[], text[]),
    delete_hand_test(smallint, integer, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    put_hand_test(
        smallint, integer, uuid, integer, timestamptz, text, text, smallint[], real[], real[], real[], text[], double precision[], text[]),
    delete_hand_test(smallint, integer, uuid) TO aqua_gateway;
