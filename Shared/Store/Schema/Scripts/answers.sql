-- Answers to alarms: who is on it. They come from people who are signed in, and from the links of messages.

-- By which whoever has a message of an alarm can answer it for four hours, and do nothing else: which alert, until when, and a seal. The programs
-- seal it once more, with a key that the database has not. Numbers of alerts come again after a restore, so the seal is of the UUID.
CREATE OR REPLACE FUNCTION answer_token(of_slot smallint, alert bigint, uid uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    -- seal_of, written out: this is made for each delivery
    SELECT of_slot || '-' || alert || '-' || t.until || '-' || encode(sha256(k.key || sha256(k.key || convert_to(
        format('answer %s %s %s %s', of_slot, alert, uid, t.until), 'UTF8'))), 'hex')
    FROM identity_key k, (SELECT extract(epoch FROM now() + interval '4 hours')::bigint) AS t (until)
$$;

-- Names the person of a link's alarm for the rest of the transaction, in which nothing is done but answering it. No row: there is no such link.
-- Of one whose time is over nobody is named.
CREATE OR REPLACE FUNCTION enter_answer(token text)
RETURNS TABLE (account bigint, locale text, slot smallint, alert_id bigint, uid uuid, until timestamptz, holds boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part CONSTANT text[] := string_to_array(token, '-');
BEGIN
    IF token !~ '^[0-9]{1,2}-[0-9]{1,18}-[0-9]{1,12}-[0-9a-f]{64}$' THEN
        RETURN;
    END IF;
    SELECT a.account_id, p.locale, a.slot, a.alert_id, a.uid, to_timestamp(part[3]::bigint), now() < to_timestamp(part[3]::bigint)
    INTO account, locale, slot, alert_id, uid, until, holds
    FROM alert a JOIN account p ON p.account_id = a.account_id
    WHERE a.slot = part[1]::smallint AND a.alert_id = part[2]::bigint
        AND part[4] = seal_of(format('answer %s %s %s %s', a.slot, a.alert_id, a.uid, part[3]));
    IF FOUND THEN
        IF holds THEN
            PERFORM name_person(account);
        END IF;
        RETURN NEXT;
    END IF;
END
$$;

-- The rows of those who are on it, of all devices: as long as what they answered goes on for anybody whom that holds back, themselves or another.
-- An answer by a clock that was ahead is none, as for engines.
CREATE OR REPLACE VIEW current_answer AS
    SELECT n.slot, n.device_id, n.account_id, n.kind, n.parameter, n.side, n.set_at, n.snoozed_until, n.solved_at FROM snooze n
    WHERE n.answered_by = n.account_id AND n.ended_at IS NULL AND now() < n.snoozed_until
        AND n.set_at <= clock_timestamp() + interval '5 minutes' AND EXISTS (
            SELECT FROM snooze h JOIN episode e ON e.slot = h.slot AND e.episode_id = h.episode_id AND e.closed_at IS NULL
            WHERE h.slot = n.slot AND h.device_id = n.device_id AND h.answered_by = n.account_id AND h.kind = n.kind
                AND h.parameter IS NOT DISTINCT FROM n.parameter AND h.side IS NOT DISTINCT FROM n.side AND h.ended_at IS NULL);

-- Holds people back from reminders of what goes on, for one of them who is on it: those of some people who had been told. The worst value is the
-- one that they were told: what is much worse than that is told again, however often somebody answers.
CREATE OR REPLACE FUNCTION hold_reminders(
    of_slot smallint, of_device integer, about text, of_parameter smallint, on_side text, people bigint[], holder bigint, until timestamptz)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    held bigint[];
    called episode;
BEGIN
    SELECT array_agg(e.account_id) INTO held FROM episode e
    WHERE e.slot = of_slot AND e.device_id = of_device AND e.account_id = ANY (people) AND e.kind = about
        AND e.parameter IS NOT DISTINCT FROM of_parameter AND e.side IS NOT DISTINCT FROM on_side AND e.closed_at IS NULL
        AND (e.account_id = holder OR e.alert_id IS NOT NULL);
    -- Whoever was called, and has nothing of it themselves, answers for the one whose alarm it is.
    IF holder = ANY (people) AND NOT coalesce(holder = ANY (held), false) THEN
        called := called_for(of_slot, of_device, about, of_parameter, on_side, holder);
    END IF;
    -- Who answers, or would hear sooner than the answer lasts, is held by the answer; who had snoozed for longer stays so.
    UPDATE snooze n SET ended_at = greatest(now(), n.set_at)
    WHERE n.slot = of_slot AND n.device_id = of_device AND n.kind = about
        AND (n.account_id = ANY (held) OR n.account_id = holder AND called.episode_id IS NOT NULL)
        AND n.parameter IS NOT DISTINCT FROM of_parameter AND n.side IS NOT DISTINCT FROM on_side AND n.ended_at IS NULL
        AND (n.account_id = holder OR n.snoozed_until < until OR n.set_at > clock_timestamp() + interval '5 minutes');
    INSERT INTO snooze (slot, device_id, account_id, kind, parameter, side, episode_id, set_at, snoozed_until, answered_by, worst)
    SELECT e.slot, e.device_id, e.account_id, e.kind, e.parameter, e.side, e.episode_id, now(), until, holder,
        coalesce((SELECT a.worst FROM alert a WHERE a.slot = e.slot AND a.alert_id = e.alert_id), e.worst)
    FROM episode e
    WHERE e.slot = of_slot AND e.device_id = of_device AND e.account_id = ANY (held) AND e.kind = about
        AND e.parameter IS NOT DISTINCT FROM of_parameter AND e.side IS NOT DISTINCT FROM on_side AND e.closed_at IS NULL
    ON CONFLICT DO NOTHING;
    INSERT INTO snooze (slot, device_id, account_id, kind, parameter, side, episode_id, set_at, snoozed_until, answered_by, worst)
    SELECT of_slot, of_device, holder, about, of_parameter, on_side, called.episode_id, now(), until, holder, called.worst
    WHERE called.episode_id IS NOT NULL
    ON CONFLICT DO NOTHING;
    -- Of what others' answers held back, the last hundred explain decisions that have been made.
    DELETE FROM snooze n WHERE n.account_id = ANY (held) AND n.slot = of_slot AND n.device_id = of_device AND n.answered_by <> n.account_id
        AND n.snoozed_until < now() AND n.snooze_id < (
            SELECT h.snooze_id FROM snooze h
            WHERE h.account_id = n.account_id AND h.slot = of_slot AND h.device_id = of_device AND h.answered_by <> h.account_id
            ORDER BY h.snooze_id DESC OFFSET 100 LIMIT 1);
END
$$;

-- Answers what goes on with a device for the named person: 'onIt', 'solved' or 'cannot'. It says what came of it:
--     done     also where it had been said before; of an alarm that came since it is said anew
--     faster   somebody else is on it, who from now on holds this person back as well
--     over     the person's water, probe or device is well
--     unknown  they do not have the device, or only look at it
CREATE OR REPLACE FUNCTION give_answer(
    of_slot smallint, of_device integer, about text, of_parameter smallint, on_side text, said text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    person CONSTANT bigint := current_account();
    people bigint[];
    mine episode;
    found_answer current_answer;
BEGIN
    SELECT array_agg(o.account_id) INTO people FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL;
    IF NOT coalesce(person = ANY (people), false) THEN
        RETURN 'unknown';
    END IF;
    -- Accounts before what they have, as whoever closes one locks them; then all who share it, in one order: of two who answer at once one comes
    -- after the other.
    PERFORM FROM account a WHERE a.account_id = ANY (people) ORDER BY a.account_id FOR KEY SHARE;
    PERFORM FROM ownership o WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL ORDER BY o.ownership_id FOR UPDATE;
    SELECT array_agg(o.account_id) INTO people FROM ownership o
    WHERE o.slot = of_slot AND o.device_id = of_device AND o.unlinked_at IS NULL;
    IF NOT EXISTS (
        SELECT FROM ownership o
        WHERE o.slot = of_slot AND o.device_id = of_device AND o.account_id = person AND o.unlinked_at IS NULL AND o.may_act) THEN
        RETURN 'unknown';
    END IF;
    SELECT * INTO found_answer FROM current_answer n
    WHERE n.slot = of_slot AND n.device_id = of_device AND n.kind = about AND n.parameter IS NOT DISTINCT FROM of_parameter
        AND n.side IS NOT DISTINCT FROM on_side;
    SELECT * INTO mine FROM episode e
    WHERE e.slot = of_slot AND e.device_id = of_device AND e.account_id = person AND e.kind = about
        AND e.parameter IS NOT DISTINCT FROM of_parameter AND e.side IS NOT DISTINCT FROM on_side AND e.closed_at IS NULL;
    IF mine.episode_id IS NULL THEN
        mine := called_for(of_slot, of_device, about, of_parameter, on_side, person);
    END IF;
    IF found_answer.account_id = person AND (said <> 'onIt' OR NOT EXISTS (
        SELECT FROM alert a WHERE a.slot = mine.slot AND a.alert_id = mine.alert_id AND a.decided_at > found_answer.set_at)
        AND NOT was_called_since(of_slot, of_device, about, of_parameter, on_side, person, found_answer.set_at))
    THEN
        UPDATE snooze n SET
            ended_at = CASE WHEN said = 'cannot' THEN greatest(now(), n.set_at) END,
            solved_at = CASE WHEN said = 'solved' THEN coalesce(n.solved_at, now()) ELSE n.solved_at END
        WHERE said <> 'onIt' AND n.slot = of_slot AND n.device_id = of_device AND n.account_id = person AND n.kind = about
            AND n.parameter IS NOT DISTINCT FROM of_parameter AND n.side IS NOT DISTINCT FROM on_side AND n.ended_at IS NULL;
        RETURN 'done';
    END IF;
    IF mine.episode_id IS NULL THEN
        RETURN 'over';
    END IF;
    IF found_answer.account_id <> person THEN
        IF said = 'onIt' THEN
            PERFORM hold_reminders(of_slot, of_device, about, of_parameter, on_side, ARRAY[person], found_answer.account_id,
                found_answer.snoozed_until);
        END IF;
        RETURN 'faster';
    END IF;
    IF said = 'onIt' THEN
        PERFORM hold_reminders(of_slot, of_device, about, of_parameter, on_side, people, person, now() + interval '1 hour');
    END IF;
    RETURN 'done';
END
$$;

-- Who can't, snoozes or leaves the device holds nobody back any more.
CREATE OR REPLACE FUNCTION answer_ends_for_all() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE snooze n SET ended_at = greatest(now(), n.set_at)
    WHERE n.slot = NEW.slot AND n.device_id = NEW.device_id AND n.answered_by = NEW.account_id AND n.account_id <> NEW.account_id
        AND n.kind = NEW.kind AND n.parameter IS NOT DISTINCT FROM NEW.parameter AND n.side IS NOT DISTINCT FROM NEW.side
        AND n.ended_at IS NULL;
    RETURN NULL;
END
$$;

-- Everybody who has the device sees who is on it, also who was told of nothing.
CREATE OR REPLACE FUNCTION answer_was_given() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM pg_notify('setup', bucket::text) FROM (
        SELECT DISTINCT o.account_id & 255 AS bucket FROM ownership o
        WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.unlinked_at IS NULL) AS told;
    RETURN NULL;
END
$$;

-- Who is on what, of the devices that the named person has now.
CREATE OR REPLACE FUNCTION list_answers() RETURNS TABLE (
    hardware_id text, kind text, parameter smallint, side text, person text, is_own boolean, since timestamptz, until timestamptz,
    solved_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT d.hardware_id, n.kind, n.parameter, n.side, shown_name(a.display_name, a.email), n.account_id = current_account(), n.set_at, n.snoozed_until, n.solved_at
    FROM ownership o
    JOIN current_answer n ON n.slot = o.slot AND n.device_id = o.device_id
    JOIN device d ON d.slot = o.slot AND d.device_id = o.device_id
    JOIN account a ON a.account_id = n.account_id
    WHERE o.account_id = current_account() AND o.unlinked_at IS NULL
    ORDER BY d.hardware_id, n.parameter NULLS FIRST, n.kind, n.side, n.set_at
$$;

-- The names of the others who have a device that the named person has.
CREATE OR REPLACE FUNCTION list_company(of_slot smallint, of_device integer) RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT shown_name(a.display_name, a.email) FROM ownership w JOIN account a ON a.account_id = w.account_id
    WHERE w.slot = of_slot AND w.device_id = of_device AND w.unlinked_at IS NULL AND w.account_id <> current_account() AND a.kind = 'person' AND EXISTS (
        SELECT FROM ownership o WHERE o.slot = w.slot AND o.device_id = w.device_id AND o.account_id = current_account()
            AND o.unlinked_at IS NULL)
    ORDER BY w.linked_at, w.ownership_id
$$;

REVOKE ALL ON FUNCTION
    answer_token(smallint, bigint, uuid), enter_answer(text), give_answer(smallint, integer, text, smallint, text, text),
    hold_reminders(smallint, integer, text, smallint, text, bigint[], bigint, timestamptz), answer_ends_for_all(), answer_was_given(),
    list_answers(), list_company(smallint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    enter_answer(text), give_answer(smallint, integer, text, smallint, text, text), list_answers(), list_company(smallint, integer) TO aqua_gateway;
GRANT EXECUTE ON FUNCTION answer_token(smallint, bigint, uuid) TO aqua_notifier;
