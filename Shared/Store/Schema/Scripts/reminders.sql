-- Reminders: when they are due, whom they are told, and what becomes of their messages.

-- The instant at which a zone's clock shows a civil time (RFC 5545, section 3.3.5): of two the first; one that a change of clocks skips is that
-- much later. AT TIME ZONE alone takes the second.
CREATE OR REPLACE FUNCTION civil_instant(local timestamp, zone text) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(min(c.at) FILTER (WHERE c.at AT TIME ZONE zone = local), local AT TIME ZONE zone)
    FROM (SELECT (local AT TIME ZONE zone) - back AS at
        FROM unnest(ARRAY[interval '0', interval '30 minutes', interval '1 hour', interval '2 hours']) AS back) c
$$;

-- The instants of civil times, each in its zone, in their order; one of a zone that this server does not know is taken in UTC.
CREATE OR REPLACE FUNCTION civil_instants(zones text[], locals timestamp[]) RETURNS SETOF timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT civil_instant(w.local, z.name)
    FROM unnest(zones, locals) WITH ORDINALITY AS w (zone, local, place)
    JOIN (SELECT d.zone, usable_time_zone(d.zone) AS name FROM (SELECT DISTINCT u.zone FROM unnest(zones) AS u (zone)) d OFFSET 0) z
        ON z.zone = w.zone
    ORDER BY w.place
$$;

-- Who is told of a reminder shares its tank.
CREATE OR REPLACE FUNCTION refuse_stranger() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id
        WHERE r.slot = NEW.slot AND r.reminder_id = NEW.reminder_id AND o.account_id = NEW.account_id AND o.unlinked_at IS NULL)
    THEN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = 'who is told of a reminder shares its tank';
    END IF;
    RETURN NEW;
END
$$;

-- Who leaves a tank is told nothing more of it; when its owner leaves, its reminders end. Where nobody would be told any more, the owner is: of a
-- project, who acts for it.
CREATE OR REPLACE FUNCTION reminders_end_with_ownership() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.role = 'owner' THEN
        UPDATE reminder SET ended_at = greatest(now(), since), next_at = NULL, changes = changes + 1, changed_at = now()
        WHERE slot = NEW.slot AND tank_id = NEW.tank_id AND ended_at IS NULL;
    END IF;
    WITH gone AS (
        DELETE FROM reminder_person p USING reminder r
        WHERE r.slot = NEW.slot AND r.tank_id = NEW.tank_id AND p.slot = r.slot AND p.reminder_id = r.reminder_id
            AND p.account_id = NEW.account_id
        RETURNING r.slot, r.reminder_id, r.tank_id, r.ended_at
    )
    INSERT INTO reminder_person (slot, reminder_id, account_id)
    SELECT g.slot, g.reminder_id, h.account_id
    FROM gone g JOIN ownership o ON o.slot = g.slot AND o.ownership_id = g.tank_id AND o.unlinked_at IS NULL
    CROSS JOIN LATERAL (
        SELECT o.account_id WHERE o.project_id IS NULL
        UNION ALL
        SELECT m.account_id FROM project_member m
        WHERE m.project_id = o.project_id AND m.role IN ('owner', 'administrator') AND m.account_id <> NEW.account_id) h
    WHERE g.ended_at IS NULL AND NOT EXISTS (
        SELECT FROM reminder_person p WHERE p.slot = g.slot AND p.reminder_id = g.reminder_id AND p.account_id <> NEW.account_id)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

-- Messages of people that are on their way and tell of nothing that is open any more are called back.
CREATE OR REPLACE FUNCTION recall_care(people bigint[], messages bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    WITH over AS (
        SELECT a.slot, a.alert_id
        FROM (SELECT DISTINCT (u.person % 64)::smallint AS slot, u.message FROM unnest(people, messages) AS u (person, message)) m
        JOIN alert a ON a.slot = m.slot AND a.alert_id = m.message
        WHERE a.kind = 'care' AND a.state = 'sending' AND NOT EXISTS (
            SELECT FROM reminder_telling t WHERE t.account_id = a.account_id AND t.alert_id = a.alert_id AND t.settled_at IS NULL)
        ORDER BY a.slot, a.alert_id
        FOR UPDATE OF a
    ), cancelled AS (
        UPDATE delivery d SET state = 'cancelled', ended_at = now()
        FROM over o WHERE d.slot = o.slot AND d.alert_id = o.alert_id AND d.state = 'pending'
    )
    UPDATE alert a SET state = CASE WHEN EXISTS (
            SELECT FROM delivery d WHERE d.slot = a.slot AND d.alert_id = a.alert_id AND d.state = 'accepted') THEN 'delivered' ELSE 'cancelled' END
    FROM over o WHERE a.slot = o.slot AND a.alert_id = o.alert_id;
END
$$;

-- What was done, left out or put off is told nobody any more: what waits goes, and of what was told it is noted who did it. Doing it settles
-- what was due before as well; leaving out or putting off tomorrow's says nothing of today's.
CREATE OR REPLACE FUNCTION occurrence_was_acted_on() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    people bigint[];
    messages bigint[];
BEGIN
    DELETE FROM reminder_telling t
    WHERE t.slot = NEW.slot AND t.reminder_id = NEW.reminder_id AND t.waits_at IS NOT NULL
        AND t.on_at < NEW.on_at::date + 1 AND (NEW.what = 'done' OR t.on_at::date = NEW.on_at::date);
    IF NEW.what = 'later' THEN
        RETURN NULL;
    END IF;
    WITH told AS (
        UPDATE reminder_telling t SET settled_at = now(), settled_by = NEW.account_id, skipped = NEW.what = 'skipped'
        WHERE t.slot = NEW.slot AND t.reminder_id = NEW.reminder_id AND t.on_at < NEW.on_at::date + 1 AND (NEW.what = 'done' OR t.on_at::date = NEW.on_at::date)
            AND t.alert_id IS NOT NULL AND t.settled_at IS NULL
        RETURNING t.account_id, t.alert_id
    )
    SELECT array_agg(told.account_id), array_agg(told.alert_id) INTO people, messages FROM told;
    PERFORM recall_care(people, messages);
    RETURN NULL;
END
$$;

-- Occurrences by a rule that holds no more are told nobody: those that wait go, and messages that are on their way are called back. (When the owner
-- leaves, those that wait go once it is their turn.)
CREATE OR REPLACE FUNCTION rule_holds_no_more() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    people bigint[];
    messages bigint[];
BEGIN
    DELETE FROM reminder_telling t WHERE t.slot = NEW.slot AND t.reminder_id = NEW.reminder_id AND t.waits_at IS NOT NULL;
    WITH told AS (
        UPDATE reminder_telling t SET settled_at = now(), settled_by = NULL, skipped = true
        FROM alert a
        WHERE t.slot = NEW.slot AND t.reminder_id = NEW.reminder_id AND t.settled_at IS NULL
            AND a.slot = t.account_id % 64 AND a.alert_id = t.alert_id AND a.state = 'sending'
        RETURNING t.account_id, t.alert_id
    )
    SELECT array_agg(told.account_id), array_agg(told.alert_id) INTO people, messages FROM told;
    PERFORM recall_care(people, messages);
    RETURN NULL;
END
$$;

-- What is undone is open again in the message that told it, also what was due before and was settled by it. Where that message was called back or
-- has been replaced it was told by none: the next look tells it.
CREATE OR REPLACE FUNCTION act_was_undone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE reminder_telling t SET settled_at = NULL, settled_by = NULL, skipped = false, replaced = false,
        alert_id = CASE WHEN NOT t.replaced AND NOT EXISTS (
            SELECT FROM alert a WHERE a.slot = t.account_id % 64 AND a.alert_id = t.alert_id AND a.state = 'cancelled') THEN t.alert_id END
    WHERE t.slot = OLD.slot AND t.reminder_id = OLD.reminder_id AND t.settled_at IS NOT NULL
        AND (t.on_at::date = OLD.on_at::date OR OLD.what = 'done' AND t.on_at::date < OLD.on_at::date)
        AND NOT EXISTS (
            SELECT FROM reminder_act a WHERE a.slot = t.slot AND a.reminder_id = t.reminder_id
                AND (a.what <> 'later' AND a.on_at::date = t.on_at::date OR a.what = 'done' AND a.on_at::date > t.on_at::date));
    RETURN NULL;
END
$$;

-- The reminders of which something has come due, and those that nobody has looked at for a day: zones may be others since. They stay locked, and
-- one notifier at a time looks. Acts of more than five years ago go. No row: there are none, another looks, or the clock is in doubt.
CREATE OR REPLACE FUNCTION take_due_reminders(at timestamptz, most integer) RETURNS SETOF reminder
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT clock_is_trusted() OR NOT pg_try_advisory_xact_lock(7133709) THEN
        RETURN;
    END IF;
    DELETE FROM reminder_act a WHERE a.ctid = ANY (ARRAY(
        SELECT o.ctid FROM reminder_act o WHERE o.acted_at < at - interval '5 years' ORDER BY o.acted_at LIMIT most FOR UPDATE SKIP LOCKED));
    RETURN QUERY
    SELECT r.* FROM reminder r
    WHERE (r.slot, r.reminder_id) IN (
        (SELECT d.slot, d.reminder_id FROM reminder d WHERE d.next_at <= at ORDER BY d.next_at LIMIT most)
        UNION
        (SELECT o.slot, o.reminder_id FROM reminder o
        WHERE o.ended_at IS NULL AND o.planned_at < at - interval '1 day' ORDER BY o.planned_at LIMIT most))
    ORDER BY r.slot, r.reminder_id
    LIMIT most
    FOR NO KEY UPDATE SKIP LOCKED;
END
$$;

-- Sets back the first of them, which cannot be looked at, so that it holds up no other: nothing of it is lost.
CREATE OR REPLACE FUNCTION set_back_reminder(at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    UPDATE reminder r SET next_at = CASE WHEN r.next_at <= at THEN at + interval '1 hour' ELSE r.next_at END, planned_at = at
    FROM take_due_reminders(at, 1) AS d WHERE r.slot = d.slot AND r.reminder_id = d.reminder_id
$$;

-- The last acts of some reminders, which say what of them is open: as many as planning looks at, back from tomorrow and ahead of it. Beside them how
-- many were settled in all.
CREATE OR REPLACE FUNCTION last_acts(slots smallint[], reminders uuid[])
RETURNS TABLE (reminder_id uuid, what text, on_at timestamp, acted_at timestamptz, acted_on date, until_at timestamptz, settled bigint)
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT r.reminder_id, l.what, l.on_at, l.acted_at, (l.acted_at AT TIME ZONE z.name)::date, l.until_at, CASE WHEN r.times IS NOT NULL THEN (
        SELECT count(*) FROM reminder_act c WHERE c.slot = r.slot AND c.reminder_id = r.reminder_id AND c.what <> 'later') END
    FROM unnest(slots, reminders) AS w (slot, reminder_id)
    JOIN reminder r ON r.slot = w.slot AND r.reminder_id = w.reminder_id
    CROSS JOIN LATERAL (SELECT usable_time_zone(r.zone) AS name OFFSET 0) z
    CROSS JOIN LATERAL (SELECT (greatest(now(), r.looked_at) AT TIME ZONE z.name)::date + 1 AS day OFFSET 0) tomorrow
    CROSS JOIN LATERAL (
        (SELECT a.what, a.on_at, a.acted_at, a.until_at FROM reminder_act a
        WHERE a.slot = r.slot AND a.reminder_id = r.reminder_id AND a.on_at::date <= tomorrow.day ORDER BY a.on_at::date DESC LIMIT 60)
        UNION ALL
        (SELECT a.what, a.on_at, a.acted_at, a.until_at FROM reminder_act a
        WHERE a.slot = r.slot AND a.reminder_id = r.reminder_id AND a.on_at::date > tomorrow.day ORDER BY a.on_at::date LIMIT 60)) l
$$;

-- The same of whosever reminders, for who looks at what is due.
CREATE OR REPLACE FUNCTION last_acts_of_all(slots smallint[], reminders uuid[])
RETURNS TABLE (reminder_id uuid, what text, on_at timestamp, acted_at timestamptz, acted_on date, until_at timestamptz, settled bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT * FROM last_acts(slots, reminders)
$$;

-- Writes what came of a look at some reminders: when they are looked at next, and which occurrence of each is told, to whom it is to be told. Whoever
-- was told of it since it came, and sees it as open, is not told again.
CREATE OR REPLACE FUNCTION settle_looks(
    at timestamptz, slots smallint[], reminders uuid[], nexts timestamptz[], occurrences timestamp[], dues timestamptz[], misses smallint[],
    comings timestamptz[])
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE reminder r SET next_at = w.next_at, looked_at = greatest(r.looked_at, at), planned_at = at
    FROM unnest(slots, reminders, nexts) AS w (slot, reminder_id, next_at)
    WHERE r.slot = w.slot AND r.reminder_id = w.reminder_id AND r.ended_at IS NULL;
    INSERT INTO reminder_telling AS t (slot, reminder_id, account_id, on_at, due_at, missed, waits_at)
    SELECT p.slot, p.reminder_id, p.account_id, w.on_at, w.due_at, w.missed, at
    FROM unnest(slots, reminders, occurrences, dues, misses, comings) AS w (slot, reminder_id, on_at, due_at, missed, came_at)
    JOIN reminder_person p ON p.slot = w.slot AND p.reminder_id = w.reminder_id
    WHERE w.on_at IS NOT NULL AND NOT EXISTS (
        SELECT FROM reminder_telling o
        WHERE o.slot = p.slot AND o.reminder_id = p.reminder_id AND o.account_id = p.account_id AND o.on_at = w.on_at
            AND o.alert_id IS NOT NULL AND o.settled_at IS NULL AND o.told_at >= w.came_at)
    ON CONFLICT (slot, reminder_id, account_id) DO UPDATE SET
        on_at = excluded.on_at, due_at = excluded.due_at, missed = excluded.missed, waits_at = excluded.waits_at, told_at = t.told_at,
        alert_id = NULL, checks_at = NULL, tries = 0, settled_at = NULL, settled_by = NULL, skipped = false, replaced = false;
END
$$;

-- Tells a person of their reminders, or that somebody did what was told, by some of their ways.
CREATE OR REPLACE FUNCTION tell_of_care(person bigint, lines text[], due timestamptz, at timestamptz, ways bigint[], known_as uuid) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    of_slot CONSTANT smallint := person % 64;
    number CONSTANT bigint := nextval('alert_id');
BEGIN
    INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, decided_at, state, about)
    VALUES (of_slot, person, number, known_as, 'care', 'note', due, at, at, 'sending', lines);
    -- half an hour, as for all that is told: failed ways are known by it; then it is looked whether it reached anybody
    INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
    SELECT of_slot, person, number, way, at + interval '30 minutes' FROM unnest(ways) AS way;
    PERFORM pg_notify('alert', '');
    RETURN number;
END
$$;

-- Has occurrences told again whose message reached nobody: at once, then ten minutes later and each time about twice as much, seven times within
-- a day or so. It goes before tell_care, once for all people; a thousand at a time.
CREATE OR REPLACE FUNCTION tell_care_again(at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH told AS (
        SELECT t.slot, t.reminder_id, t.account_id, a.state = 'sending' AS goes_on,
            a.state = 'undelivered' AND t.settled_at IS NULL AND t.tries < 7 AND NOT EXISTS (
                SELECT FROM delivery d WHERE d.slot = a.slot AND d.alert_id = a.alert_id AND d.ambiguous_at IS NOT NULL) AS reached_nobody
        FROM reminder_telling t LEFT JOIN alert a ON a.slot = t.account_id % 64 AND a.alert_id = t.alert_id
        WHERE t.checks_at <= at AND clock_is_trusted()
        ORDER BY t.checks_at LIMIT 1000
        FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE reminder_telling t SET
        checks_at = CASE WHEN w.goes_on THEN at + interval '1 minute' END,
        waits_at = CASE WHEN w.reached_nobody THEN at + interval '10 minutes' * (2 ^ t.tries - 1) ELSE t.waits_at END,
        alert_id = CASE WHEN w.reached_nobody THEN NULL ELSE t.alert_id END,
        tries = t.tries + CASE WHEN w.reached_nobody THEN 1 ELSE 0 END
    FROM told w WHERE t.slot = w.slot AND t.reminder_id = w.reminder_id AND t.account_id = w.account_id
$$;

-- Locks a person, and what they are told by a message or, without one, what waits to be told; and keeps those who have settled it, whose names are
-- about to be written, from closing their accounts meanwhile: whoever does so later finds the names. It waits for nobody, so that it closes no
-- circle of locks with those who act, leave a tank or close an account just now. False: somebody does, and nothing is locked.
CREATE OR REPLACE FUNCTION lock_tellings(person bigint, message bigint, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM account a WHERE a.account_id = person FOR NO KEY UPDATE NOWAIT;
    PERFORM FROM reminder_telling t
    WHERE t.account_id = person AND CASE WHEN message IS NULL THEN t.waits_at <= at ELSE t.alert_id = message END
    FOR UPDATE NOWAIT;
    PERFORM FROM account a
    WHERE a.account_id IN (SELECT t.settled_by FROM reminder_telling t WHERE t.account_id = person AND t.alert_id = message)
    FOR KEY SHARE NOWAIT;
    RETURN true;
EXCEPTION WHEN lock_not_available THEN
    RETURN false;
END
$$;

-- Tells the person who has waited longest of what is due: of all of it in one message, one a minute, at most 60 in a day, and after quiet hours
-- what came due in them. How many people there were, and how many were told; NULL: another notifier looks, or the clock is in doubt.
CREATE OR REPLACE FUNCTION tell_care(at timestamptz, OUT due integer, OUT sent integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    first reminder_telling;
    person bigint;
    free timestamptz;
    ways bigint[];
    lines text[];
    since timestamptz;
    tellings integer;
    number bigint;
BEGIN
    IF NOT clock_is_trusted() OR NOT pg_try_advisory_xact_lock(7133709) THEN
        RETURN;
    END IF;
    SELECT t.* INTO first FROM reminder_telling t WHERE t.waits_at <= at ORDER BY t.waits_at LIMIT 1 FOR UPDATE SKIP LOCKED;
    due := FOUND::integer;
    sent := 0;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    person := first.account_id;
    IF NOT lock_tellings(person, NULL, at) THEN
        UPDATE reminder_telling t SET waits_at = at + interval '5 seconds'
        WHERE t.slot = first.slot AND t.reminder_id = first.reminder_id AND t.account_id = person;
        RETURN;
    END IF;
    free := after_quiet_hours(person, greatest(
        at,
        -- the last one lies ahead where the clock was set back since
        (SELECT max(t.told_at) + interval '1 minute' FROM reminder_telling t WHERE t.account_id = person AND t.told_at <= at),
        (SELECT a.decided_at + interval '1 day' FROM alert a
        WHERE a.account_id = person AND a.kind = 'care' AND (a.about[1]::jsonb -> 'replaces') IS NULL
            AND a.decided_at > at - interval '1 day' AND a.decided_at <= at
        ORDER BY a.decided_at DESC OFFSET 59 LIMIT 1)));
    IF free > at THEN
        UPDATE reminder_telling SET waits_at = free WHERE account_id = person AND waits_at <= at;
        RETURN;
    END IF;
    -- what is over by now, or is not theirs any more
    DELETE FROM reminder_telling t WHERE t.account_id = person AND t.waits_at <= at AND NOT EXISTS (
        SELECT FROM reminder r JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.account_id = person AND o.unlinked_at IS NULL
        WHERE r.slot = t.slot AND r.reminder_id = t.reminder_id AND r.ended_at IS NULL);
    ways := ways_of_notes(person, '{}', ARRAY['call', 'sms']);
    IF ways IS NULL THEN
        DELETE FROM reminder_telling t WHERE t.account_id = person AND t.waits_at <= at;
        RETURN;
    END IF;
    SELECT count(*), min(t.due_at), array_agg(jsonb_build_object(
            'tank', o.name, 'name', r.name, 'activity', r.activity, 'on', to_char(t.on_at, 'YYYY-MM-DD"T"HH24:MI'), 'missed', t.missed)::text
            ORDER BY t.due_at, o.name, r.name, r.reminder_id)
    INTO tellings, since, lines
    FROM reminder_telling t JOIN reminder r ON r.slot = t.slot AND r.reminder_id = t.reminder_id
    JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.account_id = person AND o.unlinked_at IS NULL
    WHERE t.account_id = person AND t.waits_at <= at;
    IF tellings > 0 THEN
        number := tell_of_care(person, jsonb_build_object('count', tellings)::text || lines[1:12], since, at, ways, new_alert_uid());
        UPDATE reminder_telling SET waits_at = NULL, told_at = at, alert_id = number, checks_at = at + interval '31 minutes'
        WHERE account_id = person AND waits_at <= at;
        sent := 1;
    END IF;
END
$$;

-- Replaces the first of the messages all of whose reminders somebody has done since, where that makes no sound and takes the place of what is
-- shown: in browsers and apps that took the message. How many messages there were, and how many were replaced; NULL as for tell_care.
CREATE OR REPLACE FUNCTION replace_care(at timestamptz, OUT due integer, OUT sent integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    message record;
    ways bigint[];
    lines text[];
    tellings integer;
    some_skipped boolean;
BEGIN
    IF NOT clock_is_trusted() OR NOT pg_try_advisory_xact_lock(7133709) THEN
        RETURN;
    END IF;
    due := 0;
    sent := 0;
    -- what is partly done waits for the rest, and takes nobody's place; after three days, and without its alert, it is settled untold
    SELECT s.account_id, a.slot, s.alert_id, a.uid, a.opened_at INTO message
    FROM (
        SELECT t.account_id, t.alert_id FROM reminder_telling t
        WHERE t.settled_at IS NOT NULL AND NOT t.replaced AND (t.told_at < at - interval '3 days' OR NOT EXISTS (
            SELECT FROM reminder_telling o WHERE o.account_id = t.account_id AND o.alert_id = t.alert_id AND o.settled_at IS NULL))
        ORDER BY t.settled_at LIMIT 1
        FOR UPDATE SKIP LOCKED) s
    LEFT JOIN alert a ON a.slot = s.account_id % 64 AND a.alert_id = s.alert_id;
    -- the next turn replaces what somebody is busy with
    IF NOT FOUND OR NOT lock_tellings(message.account_id, message.alert_id, at) THEN
        RETURN;
    END IF;
    due := 1;
    SELECT array_agg(d.endpoint_id) INTO ways
    FROM delivery d JOIN usable_endpoint e ON e.endpoint_id = d.endpoint_id AND e.account_id = message.account_id
    WHERE d.slot = message.slot AND d.alert_id = message.alert_id AND (d.state = 'accepted' OR d.ambiguous_at IS NOT NULL)
        AND e.channel IN ('webPush', 'apns', 'fcm');
    SELECT count(*), bool_or(t.skipped), array_agg(jsonb_build_object(
            'tank', o.name, 'name', r.name, 'activity', r.activity, 'on', to_char(t.on_at, 'YYYY-MM-DD"T"HH24:MI'), 'missed', 0,
            -- the number of the account too, so that the name goes with it
            'by', shown_name(p.display_name, p.email), 'account', p.account_id, 'skipped', t.skipped)::text
            ORDER BY t.due_at, o.name, r.name, r.reminder_id)
    INTO tellings, some_skipped, lines
    FROM reminder_telling t JOIN reminder r ON r.slot = t.slot AND r.reminder_id = t.reminder_id
    JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.account_id = t.account_id AND o.unlinked_at IS NULL
    LEFT JOIN account p ON p.account_id = t.settled_by
    WHERE t.account_id = message.account_id AND t.alert_id = message.alert_id;
    -- in quiet hours too: nothing sounds
    IF ways IS NOT NULL AND tellings > 0 AND at < message.opened_at + interval '3 days' THEN
        PERFORM tell_of_care(
            message.account_id, jsonb_build_object('count', tellings, 'replaces', message.uid, 'skipped', some_skipped)::text || lines[1:12],
            message.opened_at, at, ways, new_alert_uid());
        sent := 1;
    END IF;
    UPDATE reminder_telling SET replaced = true WHERE account_id = message.account_id AND alert_id = message.alert_id;
END
$$;

-- By which whoever has a message of reminders says what became of them, for a week and as long as they are open, and does nothing else.
CREATE OR REPLACE FUNCTION care_token(of_slot smallint, alert bigint, uid uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT of_slot || '-' || alert || '-' || t.until || '-' || seal_of(format('care %s %s %s %s', of_slot, alert, uid, t.until))
    FROM (SELECT extract(epoch FROM now() + interval '7 days')::bigint AS until) t
$$;

-- Names the person of such a link for the rest of the transaction. No row: there is no such link, or its time is over.
CREATE OR REPLACE FUNCTION enter_care(token text) RETURNS TABLE (account bigint, locale text, alert_id bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    part CONSTANT text[] := string_to_array(token, '-');
BEGIN
    IF token !~ '^[0-9]{1,2}-[0-9]{1,18}-[0-9]{1,12}-[0-9a-f]{64}$' THEN
        RETURN;
    END IF;
    SELECT a.account_id, p.locale, a.alert_id INTO account, locale, alert_id
    FROM alert a JOIN account p ON p.account_id = a.account_id
    WHERE a.slot = part[1]::smallint AND a.alert_id = part[2]::bigint AND now() < to_timestamp(part[3]::bigint)
        AND part[4] = seal_of(format('care %s %s %s %s', a.slot, a.alert_id, a.uid, part[3]));
    IF FOUND THEN
        PERFORM name_person(account);
        RETURN NEXT;
    END IF;
END
$$;

-- Names the person of a calendar's address for the rest of the transaction, and notes that it was read. No row: there is no such address.
CREATE OR REPLACE FUNCTION enter_feed(hash bytea)
RETURNS TABLE (account bigint, locale text, name text, slot smallint, tank_id bigint, alarms boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    feed bigint;
BEGIN
    SELECT f.feed_id, f.account_id, a.locale, f.name, f.slot, f.tank_id, f.alarms INTO feed, account, locale, name, slot, tank_id, alarms
    FROM calendar_feed f JOIN account a ON a.account_id = f.account_id WHERE f.token_hash = hash;
    IF FOUND THEN
        UPDATE calendar_feed SET fetched_at = date_trunc('minute', now())
        WHERE feed_id = feed AND fetched_at IS DISTINCT FROM date_trunc('minute', now());
        PERFORM name_person(account);
        RETURN NEXT;
    END IF;
END
$$;

-- When a reminder asks next for an activity at a tank, of those that whoever asks sees; NULL: none does.
CREATE OR REPLACE FUNCTION next_care_due(of_slot smallint, of_tank bigint, of_activity text) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT min(r.next_at) FROM reminder r
    WHERE r.slot = of_slot AND r.tank_id = of_tank AND r.activity = of_activity AND r.ended_at IS NULL
$$;

-- Has those who add reminders to a tank do so one after the other, until the end of the transaction.
CREATE OR REPLACE FUNCTION lock_tank_reminders(tank bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT take_turn(7133722, tank)
$$;

REVOKE ALL ON FUNCTION
    civil_instant(timestamp, text), civil_instants(text[], timestamp[]), refuse_stranger(), lock_tank_reminders(bigint), next_care_due(smallint, bigint, text),
    reminders_end_with_ownership(), recall_care(bigint[], bigint[]), occurrence_was_acted_on(), rule_holds_no_more(), act_was_undone(),
    take_due_reminders(timestamptz, integer), set_back_reminder(timestamptz), last_acts(smallint[], uuid[]), last_acts_of_all(smallint[], uuid[]),
    settle_looks(timestamptz, smallint[], uuid[], timestamptz[], timestamp[], timestamptz[], smallint[], timestamptz[]),
    tell_of_care(bigint, text[], timestamptz, timestamptz, bigint[], uuid), lock_tellings(bigint, bigint, timestamptz),
    tell_care_again(timestamptz), tell_care(timestamptz), replace_care(timestamptz), care_token(smallint, bigint, uuid), enter_care(text), enter_feed(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    civil_instant(timestamp, text), civil_instants(text[], timestamp[]), take_due_reminders(timestamptz, integer),
    set_back_reminder(timestamptz), last_acts_of_all(smallint[], uuid[]),
    settle_looks(timestamptz, smallint[], uuid[], timestamptz[], timestamp[], timestamptz[], smallint[], timestamptz[]),
    tell_care_again(timestamptz), tell_care(timestamptz), replace_care(timestamptz), care_token(smallint, bigint, uuid) TO aqua_notifier;
GRANT EXECUTE ON FUNCTION
    civil_instant(timestamp, text), civil_instants(text[], timestamp[]), last_acts(smallint[], uuid[]), enter_care(text),
    enter_feed(bytea), lock_tank_reminders(bigint), next_care_due(smallint, bigint, text) TO aqua_gateway;
