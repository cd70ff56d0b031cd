-- The log of what changed rights, limits, ways, devices and accounts. Every entry passes note_act, which says who acted, and from where.

-- Actions that there are: the programs' list, in the form noun.verb.
CREATE OR REPLACE FUNCTION is_audit_action(name text) RETURNS boolean
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT name IN (
        --% each audit action, joined by ","
        '{action}'
        --% end
    )
$$;

-- The network of an address as it is kept for long: /24, or /48 of IPv6; NULL for what is no address.
CREATE OR REPLACE FUNCTION network_kept(address text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT CASE WHEN address ~* '^[0-9a-f]*[.:][0-9a-f.:]*(/[0-9]+)?$' THEN network(set_masklen(
        address::inet, least(masklen(address::inet), CASE family(address::inet) WHEN 4 THEN 24 ELSE 48 END)))::text END
$$;

-- Fields that differ, each by its name in the API with its value before and after; NULL where none does. Long texts are cut.
CREATE OR REPLACE FUNCTION changed_fields(before jsonb, after jsonb, fields text[]) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT jsonb_object_agg(left(f.name, 1) || substr(replace(initcap(replace(f.name, '_', ' ')), ' ', ''), 2), jsonb_build_array(f.was, f.is_now))
    FROM (
        SELECT name,
            CASE WHEN length(before ->> name) > 80 THEN to_jsonb(left(before ->> name, 80)) ELSE before -> name END AS was,
            CASE WHEN length(after ->> name) > 80 THEN to_jsonb(left(after ->> name, 80)) ELSE after -> name END AS is_now
        FROM unnest(fields) AS name
        WHERE coalesce(before -> name, 'null') <> coalesce(after -> name, 'null')) AS f
$$;

-- Adds an entry, and what it does not say itself: who acted, and by which request. A shared one concerns the owner of its device, too. What ends or
-- takes back something, signing in, what is done about an alarm and work on the water, which have bounds of their own, are always noted: beyond an
-- hour's bound anything else is refused (AQ001), and its act with it, so that nobody fills the log to act unseen, or to keep its person from defending
-- themselves. Of what one statement does, one entry is counted, and the others are not.
DROP FUNCTION IF EXISTS note_act(audit_entry, boolean);
CREATE OR REPLACE FUNCTION note_act(entry audit_entry, is_shared boolean DEFAULT false, is_counted boolean DEFAULT true) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    me CONSTANT bigint := current_actor(); -- for a project its person acts
    token CONSTANT uuid := NULLIF(current_setting('aqua.token', true), '')::uuid;
    owner bigint;
    bound integer;
BEGIN
    IF NOT is_audit_action(entry.action) THEN
        RAISE EXCEPTION 'no action is called %', entry.action;
    END IF;
    IF entry.actor IS NULL THEN
        IF me IS NOT NULL THEN
            entry.actor := CASE WHEN token IS NULL THEN 'account' ELSE 'token' END;
            entry.actor_id := me;
            entry.actor_name := (SELECT t.name FROM personal_token t WHERE t.token_id = token AND t.account_id = me);
        ELSIF pg_has_role(session_user, current_user, 'USAGE') THEN
            entry.actor := 'operator';
            entry.actor_name := left(NULLIF(current_setting('aqua.operator', true), ''), 64);
        ELSE
            entry.actor := CASE session_user
                -- upkeep is no device
                WHEN 'aqua_ingestor' THEN CASE WHEN entry.device_id IS NULL THEN 'system' ELSE 'device' END
                WHEN 'aqua_gateway' THEN 'stranger' ELSE 'system' END;
        END IF;
    END IF;
    -- What goes with an account is nobody's act any more, and concerns nobody who is there.
    IF entry.action <> 'account.close' AND entry.account_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM account a WHERE a.account_id = entry.account_id)
    THEN
        RETURN;
    END IF;
    IF entry.actor_id IS NOT NULL AND NOT EXISTS (SELECT FROM account a WHERE a.account_id = entry.actor_id) THEN
        entry.actor := 'system';
        entry.actor_id := NULL;
    END IF;
    SELECT o.account_id INTO owner FROM ownership o
    WHERE is_shared AND o.device_id = entry.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
        AND o.slot = (SELECT d.slot FROM device d WHERE d.device_id = entry.device_id);
    entry.account_id := coalesce(entry.account_id, owner);
    entry.owner_id := NULLIF(coalesce(entry.owner_id, owner), entry.account_id);
    IF is_counted AND entry.actor_id IS NOT NULL AND entry.action !~ '^(alarm|work)\.|\.(end|revoke|remove|unlink|leave|withdraw|reuse|refuse|close)$'
        AND entry.action NOT IN ('session.open', 'password.change', 'token.use')
    THEN
        SELECT b.a_day / 24 INTO bound FROM growth_bound b WHERE b.held = 'audit_entry';
        IF (SELECT count(*) FROM audit_entry a WHERE a.actor_id = entry.actor_id AND a.at > now() - interval '1 hour') >= bound THEN
            RAISE EXCEPTION USING ERRCODE = 'AQ001', TABLE = 'audit_entry',
                MESSAGE = 'a person has as many rows of audit_entry as it may have, in an hour';
        END IF;
    END IF;
    INSERT INTO audit_entry (
        at, action, outcome, times, actor, actor_id, actor_name, account_id, owner_id, device_id, parameter, target, subject, changes,
        session_id, request, network, client)
    VALUES (
        now(), entry.action, coalesce(entry.outcome, 'done'), coalesce(entry.times, 1), entry.actor, entry.actor_id, entry.actor_name,
        entry.account_id, entry.owner_id, entry.device_id, entry.parameter, left(entry.target, 64), left(entry.subject, 253), entry.changes,
        coalesce(entry.session_id, CASE WHEN entry.actor_id = me THEN current_session() END),
        -- of what follows for somebody else the request is not theirs to know
        CASE WHEN entry.actor <> 'system' THEN left(NULLIF(current_setting('aqua.request', true), ''), 64) END,
        CASE WHEN entry.actor <> 'system' THEN
            network_kept(coalesce(entry.network, NULLIF(current_setting('aqua.network', true), ''))) END,
        CASE WHEN entry.actor <> 'system' THEN left(coalesce(entry.client, NULLIF(current_setting('aqua.client', true), '')), 120) END);
END
$$;

-- Notes a change of a row. Arguments: the action; the columns whose values are told; the column of the name, or '' for what the person calls the
-- device; the column of the id, or ''; 'shared' where the device's owner sees it. A change of none of the columns is none.
CREATE OR REPLACE FUNCTION row_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    before CONSTANT jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
    after CONSTANT jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
    one CONSTANT jsonb := coalesce(after, before);
    entry audit_entry;
BEGIN
    entry.changes := changed_fields(before, after, string_to_array(TG_ARGV[1], ' '));
    IF TG_OP = 'UPDATE' AND entry.changes IS NULL THEN
        RETURN NULL;
    END IF;
    entry.action := TG_ARGV[0];
    entry.account_id := (one ->> 'account_id')::bigint;
    entry.device_id := (one ->> 'device_id')::integer;
    entry.parameter := (one ->> 'parameter')::smallint;
    entry.target := one ->> TG_ARGV[3];
    entry.subject := CASE WHEN TG_ARGV[2] <> '' THEN one ->> TG_ARGV[2] ELSE name_of_device(entry.device_id, entry.account_id) END;
    PERFORM note_act(entry, TG_ARGV[4] = 'shared');
    RETURN NULL;
END
$$;

-- What a person calls a device, or else its owner; NULL: nobody has it.
CREATE OR REPLACE FUNCTION name_of_device(device integer, person bigint) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT o.name FROM device d JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id
    WHERE d.device_id = device AND (o.account_id = person OR o.role = 'owner' AND o.unlinked_at IS NULL)
    ORDER BY o.account_id = person DESC NULLS LAST, o.unlinked_at IS NULL DESC, o.linked_at DESC LIMIT 1
$$;

-- A setting's periods in words that need no language, for the record of changes: 04:00-07:00, 11-01..03-15: 4.5 to 9.
CREATE OR REPLACE FUNCTION periods_told(periods jsonb, steps integer) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT string_agg(concat_ws(', ',
            lpad((p ->> 'from')::integer / 60 || '', 2, '0') || ':' || lpad((p ->> 'from')::integer % 60 || '', 2, '0')
                || '–' || lpad((p ->> 'until')::integer / 60 || '', 2, '0') || ':' || lpad((p ->> 'until')::integer % 60 || '', 2, '0'),
            lpad((p ->> 'first')::integer / 100 || '', 2, '0') || '-' || lpad((p ->> 'first')::integer % 100 || '', 2, '0')
                || '…' || lpad((p ->> 'last')::integer / 100 || '', 2, '0') || '-' || lpad((p ->> 'last')::integer % 100 || '', 2, '0'))
        || ': ' || (
            SELECT string_agg(coalesce(trim_scale((p ->> l.name)::numeric / $2)::text, '–'), ' / ' ORDER BY l.place)
            FROM unnest(ARRAY['minimum', 'maximum', 'criticalMinimum', 'criticalMaximum']) WITH ORDINALITY AS l (name, place)
            WHERE l.place <= 2 OR p ? l.name), '; ' ORDER BY place)
    FROM jsonb_array_elements($1 -> 'periods') WITH ORDINALITY AS e (p, place)
$$;

-- A version of a setting by what it says of limits, in the parameter's canonical unit.
CREATE OR REPLACE FUNCTION limits_told(one setting) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT to_jsonb(one) - '{slot,parameter,device_id,account_id,version,unit,colour,position,valid_from,valid_until,periods}'::text[]
        || jsonb_build_object('periods', periods_told(one.periods, CASE one.parameter
            --% each parameter
            WHEN {number} THEN {steps}
            --% end
            END)) || (
        SELECT jsonb_object_agg(f.key, CASE WHEN f.value <> 'null' THEN to_jsonb(trim_scale(f.value::numeric / CASE one.parameter
            --% each parameter
            WHEN {number} THEN {steps}
            --% end
            END)) END)
        FROM jsonb_each(to_jsonb(one)) AS f
        WHERE f.key IN ('minimum', 'maximum', 'critical_minimum', 'critical_maximum', 'change_per_hour'))
$$;

-- Limits that a person changed: versions of settings that go on from those before. Those with which a device comes are none. Of a parameter that one
-- statement changes for many devices there is one entry, which tells for how many, and what is the same for all.
DROP FUNCTION IF EXISTS limit_is_noted() CASCADE; -- with its trigger
CREATE OR REPLACE FUNCTION limits_are_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    most CONSTANT integer := 20; -- devices with an entry each
    told record;
    entry audit_entry;
    is_counted boolean := true;
BEGIN
    FOR told IN
        WITH one AS MATERIALIZED (
            SELECT s.account_id, s.parameter, s.slot, s.device_id,
                changed_fields(limits_told(f), limits_told(s), ARRAY(SELECT jsonb_object_keys(limits_told(s)))) AS changes
            FROM changed c
            JOIN setting s ON s.slot = c.slot AND s.device_id = c.device_id AND s.account_id = c.account_id AND s.parameter = c.parameter
                AND s.version = c.version
            JOIN setting f ON f.slot = s.slot AND f.device_id = s.device_id AND f.account_id = s.account_id AND f.parameter = s.parameter
                AND f.version = s.version - 1 AND f.valid_until = s.valid_from
            WHERE c.version > 1 AND NOT c.follows
        ), many AS (
            SELECT account_id, parameter, count(*) AS devices FROM one WHERE changes IS NOT NULL GROUP BY account_id, parameter
        ), common AS (
            SELECT m.account_id, m.parameter, e.key, jsonb_build_array(
                CASE WHEN count(DISTINCT e.value -> 0) = 1 AND count(*) = m.devices THEN (array_agg(e.value -> 0))[1] END,
                CASE WHEN count(DISTINCT e.value -> 1) = 1 THEN (array_agg(e.value -> 1))[1] END) AS change
            FROM many m JOIN one o ON o.account_id = m.account_id AND o.parameter = m.parameter CROSS JOIN LATERAL jsonb_each(o.changes) AS e
            WHERE m.devices > most
            GROUP BY m.account_id, m.parameter, m.devices, e.key
        )
        SELECT o.account_id, o.parameter, o.slot, o.device_id, o.changes FROM one o JOIN many m USING (account_id, parameter)
        WHERE o.changes IS NOT NULL AND m.devices <= most
        UNION ALL
        SELECT m.account_id, m.parameter, NULL, NULL, jsonb_object_agg(c.key, c.change) || jsonb_build_object('devices', jsonb_build_array(NULL, m.devices))
        FROM many m JOIN common c USING (account_id, parameter) GROUP BY m.account_id, m.parameter, m.devices
        ORDER BY 1, 2, 3, 4
    LOOP
        entry.action := 'limit.change';
        entry.account_id := told.account_id;
        entry.device_id := told.device_id;
        entry.parameter := told.parameter;
        entry.subject := CASE WHEN told.device_id IS NULL THEN (SELECT a.display_name FROM account a WHERE a.account_id = told.account_id)
            ELSE name_of_device(told.device_id, told.account_id) END;
        entry.changes := told.changes;
        PERFORM note_act(entry, false, is_counted);
        is_counted := false;
    END LOOP;
    RETURN NULL;
END
$$;

-- Answers to alarms and pauses of them. What an answer holds back of others', and what ends with a device, is none of theirs.
CREATE OR REPLACE FUNCTION answer_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    IF NEW.answered_by <> NEW.account_id OR TG_OP = 'UPDATE' AND (current_account() IS DISTINCT FROM NEW.account_id OR NOT EXISTS (
        SELECT FROM ownership o WHERE o.slot = NEW.slot AND o.device_id = NEW.device_id AND o.account_id = NEW.account_id
            AND o.unlinked_at IS NULL))
    THEN
        RETURN NULL;
    END IF;
    entry.action := CASE WHEN TG_OP = 'UPDATE' THEN 'alarm.resume' WHEN NEW.answered_by IS NULL THEN 'alarm.snooze' ELSE 'alarm.answer' END;
    entry.account_id := NEW.account_id;
    entry.device_id := NEW.device_id;
    entry.parameter := NEW.parameter;
    entry.subject := name_of_device(NEW.device_id, NEW.account_id);
    entry.changes := CASE TG_OP WHEN 'INSERT' THEN jsonb_build_object('until', jsonb_build_array(NULL, NEW.snoozed_until)) END
        || jsonb_build_object('kind', jsonb_build_array(NULL, NEW.kind));
    -- a pause is a person's own; what somebody answered, all who share the tank see
    PERFORM note_act(entry, NEW.answered_by IS NOT NULL);
    RETURN NULL;
END
$$;

-- Work on the water, whoever began it.
CREATE OR REPLACE FUNCTION work_is_noted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := CASE WHEN TG_OP = 'INSERT' THEN 'work.begin' WHEN OLD.withdrawn_at IS NULL AND NEW.withdrawn_at IS NOT NULL THEN 'work.withdraw'
        WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL THEN 'work.end' WHEN OLD.until <> NEW.until THEN 'work.extend' END;
    IF entry.action IS NULL THEN
        RETURN NULL;
    END IF;
    entry.account_id := NEW.account_id;
    entry.device_id := NEW.device_id;
    entry.target := NEW.work_id::text;
    entry.subject := name_of_device(NEW.device_id, NEW.account_id);
    entry.changes := jsonb_build_object('kind', jsonb_build_array(NULL, NEW.kind))
        || CASE WHEN TG_OP = 'INSERT' THEN jsonb_build_object('until', jsonb_build_array(NULL, NEW.until))
            WHEN OLD.until <> NEW.until THEN jsonb_build_object('until', jsonb_build_array(OLD.until, NEW.until)) ELSE '{}' END;
    PERFORM note_act(entry, true);
    RETURN NULL;
END
$$;

-- Who is called when the named person does not answer, set anew: the minutes of each step before and after.
CREATE OR REPLACE FUNCTION note_chain(of_device integer, before text, after text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := 'chain.change';
    entry.account_id := current_account();
    entry.device_id := of_device;
    entry.subject := name_of_device(of_device, entry.account_id);
    entry.changes := changed_fields(jsonb_build_object('steps', before), jsonb_build_object('steps', after), ARRAY['steps']);
    PERFORM note_act(entry);
END
$$;

-- Notes what is refused, and by which kind of problem. The entry tells how often by then within the hour.
CREATE OR REPLACE FUNCTION note_refusal_of(entry audit_entry) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    this_hour CONSTANT timestamptz := date_trunc('hour', now());
BEGIN
    INSERT INTO refusal_count AS c (account_id, action, hour, times) VALUES (coalesce(entry.account_id, 0), entry.action, this_hour, 1)
    ON CONFLICT (account_id, action) DO UPDATE SET
        times = CASE WHEN c.hour = this_hour THEN least(c.times, 999999998) + 1 ELSE 1 END, hour = this_hour
    RETURNING c.times INTO entry.times;
    IF entry.times::text ~ '^10*$' THEN
        entry.outcome := 'refused';
        PERFORM note_act(entry);
    END IF;
END
$$;

-- A request to change something that the named person had no right to.
CREATE OR REPLACE FUNCTION note_refusal(of_route text, problem text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    IF current_account() IS NULL THEN
        RETURN;
    END IF;
    entry.action := 'request.refuse';
    entry.account_id := current_account();
    entry.target := of_route;
    entry.subject := problem;
    PERFORM note_refusal_of(entry);
END
$$;

-- A sign-in by a wrong password, of an address that has an account or none.
CREATE OR REPLACE FUNCTION note_failed_sign_in(of_address text, by_client text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := 'session.refuse';
    entry.actor := 'stranger';
    entry.account_id := (SELECT a.account_id FROM account a WHERE a.email = of_address);
    entry.client := by_client;
    entry.subject := by_client;
    PERFORM note_refusal_of(entry);
END
$$;

-- The named person takes everything along.
CREATE OR REPLACE FUNCTION note_export() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    entry audit_entry;
BEGIN
    entry.action := 'account.export';
    entry.account_id := current_account();
    IF entry.account_id IS NOT NULL THEN
        PERFORM note_act(entry);
    END IF;
END
$$;

-- With an account go its own entries. In what others keep, a word stands for the person, the same one in all of them. Rows are locked in one order.
CREATE OR REPLACE FUNCTION audit_of_person_is_erased() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    gone CONSTANT bigint := OLD.account_id;
    pseudonym CONSTANT text := 'former-' || left(replace(gen_random_uuid()::text, '-', ''), 8);
    entry audit_entry;
BEGIN
    DELETE FROM refusal_count WHERE account_id = gone;
    -- A project is nobody: its log goes when its time is over, and says until then who dissolved it.
    IF OLD.kind = 'project' THEN
        entry.action := 'account.close';
        entry.account_id := gone;
        entry.target := gone::text;
        entry.subject := OLD.display_name;
        PERFORM note_act(entry);
        RETURN NULL;
    END IF;
    PERFORM FROM audit_entry WHERE account_id = gone OR owner_id = gone OR actor_id = gone ORDER BY entry_id FOR UPDATE;
    DELETE FROM audit_entry WHERE account_id = gone AND owner_id IS NULL OR owner_id = gone AND account_id IS NULL;
    UPDATE audit_entry SET
        account_id = NULLIF(account_id, gone), owner_id = NULLIF(owner_id, gone),
        -- what they called a thing, and where they were
        subject = CASE WHEN account_id = gone THEN name_of_device(device_id, owner_id) ELSE subject END,
        actor_id = NULLIF(actor_id, gone), actor_name = CASE WHEN actor_id = gone THEN pseudonym ELSE actor_name END,
        session_id = CASE WHEN actor_id = gone THEN NULL ELSE session_id END, network = CASE WHEN actor_id = gone THEN NULL ELSE network END,
        client = CASE WHEN actor_id = gone THEN NULL ELSE client END, request = CASE WHEN actor_id = gone THEN NULL ELSE request END
    WHERE account_id = gone OR owner_id = gone OR actor_id = gone;
    entry.action := 'account.close';
    entry.actor := CASE WHEN current_account() = gone THEN 'account' END;
    entry.actor_name := CASE WHEN current_account() = gone THEN pseudonym END;
    entry.subject := pseudonym;
    -- nor from where the account was closed
    PERFORM set_config(name, '', true) FROM unnest(ARRAY['aqua.request', 'aqua.network', 'aqua.client']) AS name;
    PERFORM note_act(entry);
    RETURN NULL;
END
$$;

-- Makes the monthly partitions (UTC) of the log that are missing, three ahead. What was kept in none meanwhile moves into its own.
CREATE OR REPLACE FUNCTION make_audit_partitions() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    month timestamp;
    partition text;
    made integer := 0;
BEGIN
    IF NOT clock_is_trusted() THEN
        RETURN 0;
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR month IN
        SELECT generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'), (now() + interval '92 days') AT TIME ZONE 'UTC', '1 month')
    LOOP
        partition := 'audit_entry_' || to_char(month, 'YYYYMM');
        CONTINUE WHEN to_regclass(format('public.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE public.%I (LIKE public.audit_entry INCLUDING ALL)', partition);
        LOCK TABLE audit_entry_rest IN ACCESS EXCLUSIVE MODE;
        EXECUTE format('WITH moved AS (DELETE FROM public.audit_entry_rest WHERE at >= $1 AND at < $2 RETURNING *) '
            'INSERT INTO public.%I SELECT * FROM moved', partition)
        USING month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC';
        EXECUTE format(
            'ALTER TABLE public.audit_entry ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
            month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;

-- The named person's log: entries of their own account, and those of devices that they owned by then which concern what is shared. A device has the
-- name by which the person calls it. Of others the log tells the name, and not from where they acted.
DROP VIEW IF EXISTS person_change;
CREATE VIEW person_change AS
    SELECT e.entry_id, e.at, e.action, e.outcome, e.times, e.actor, e.is_own,
        CASE WHEN e.actor = 'token' OR e.actor_id IS NULL AND e.actor <> 'operator' THEN e.actor_name
            WHEN e.actor_id IS NOT NULL AND e.actor <> 'operator' THEN (SELECT shown_name(a.display_name, a.email) FROM account a WHERE a.account_id = e.actor_id) END AS actor_name,
        e.device_id, d.hardware_id, e.parameter, e.target,
        CASE WHEN e.device_id IS NULL OR e.is_theirs THEN e.subject ELSE (
            SELECT o.name FROM ownership o
            WHERE o.slot = d.slot AND o.device_id = d.device_id AND o.account_id = (SELECT current_account())
            ORDER BY o.linked_at DESC LIMIT 1) END AS subject,
        e.changes, CASE WHEN e.is_told THEN e.session_id END AS session_id, CASE WHEN e.is_told THEN e.request END AS request,
        CASE WHEN e.is_told THEN e.network END AS network, CASE WHEN e.is_told THEN e.client END AS client
    FROM (
        SELECT a.*, true AS is_theirs, a.actor_id IS NOT DISTINCT FROM (SELECT current_actor()) AS is_own,
            -- from where operators act is theirs to know
            a.actor_id IS NULL OR a.actor_id = (SELECT current_actor()) AND a.actor <> 'operator' AS is_told
        FROM audit_entry a WHERE a.account_id = (SELECT current_account())
        UNION ALL
        SELECT a.*, false, a.actor_id IS NOT DISTINCT FROM (SELECT current_actor()),
            a.actor_id IS NOT DISTINCT FROM (SELECT current_actor())
        FROM audit_entry a WHERE a.owner_id = (SELECT current_account())
    ) AS e
    LEFT JOIN device d ON d.device_id = e.device_id;
GRANT SELECT ON person_change TO aqua_gateway;

-- Of the log what a person recognises, or not: their account's events. What one session changes of one way within a day is one event, which says
-- what holds since. In which session: the person's own.
DROP VIEW IF EXISTS account_event;
CREATE VIEW account_event WITH (security_invoker = true) AS
    SELECT e.account_id, e.entry_id AS event_id, e.at AS happened_at,
        CASE e.action
            WHEN 'session.open' THEN 'signedIn' WHEN 'session.end' THEN 'signedOutElsewhere' WHEN 'session.reuse' THEN 'sessionStolen'
            WHEN 'password.change' THEN 'passwordChanged' WHEN 'token.make' THEN 'tokenMade' WHEN 'token.revoke' THEN 'tokenRevoked'
            WHEN 'identity.link' THEN 'identityLinked' WHEN 'identity.unlink' THEN 'identityUnlinked'
            WHEN 'operator.give' THEN 'operatorGiven' WHEN 'operator.take' THEN 'operatorTaken'
            WHEN 'project.join' THEN 'projectJoined' WHEN 'project.leave' THEN 'projectLeft' WHEN 'project.end' THEN 'projectEnded'
            WHEN 'project.changePart' THEN 'projectRoleChanged' WHEN 'member.join' THEN 'memberJoined' WHEN 'member.leave' THEN 'memberLeft'
            WHEN 'endpoint.add' THEN 'endpointAdded' WHEN 'endpoint.remove' THEN 'endpointRemoved'
            WHEN 'endpoint.changeForm' THEN 'endpointFormChanged' WHEN 'endpoint.changeSecret' THEN 'endpointSecretChanged'
            WHEN 'endpoint.changeTelling' THEN CASE e.changes -> 'onlyUrgent' -> 1 WHEN 'true' THEN 'endpointOnlyUrgent' ELSE 'endpointToldAll' END
            WHEN 'endpoint.changeHours' THEN CASE e.changes -> 'ringsAlways' -> 1 WHEN 'true' THEN 'endpointRingsAlways' ELSE 'endpointHeedsQuietHours' END
            WHEN 'invitation.make' THEN 'invitationMade' WHEN 'watcher.leave' THEN 'watchingEnded'
            WHEN 'device.link' THEN 'deviceLinked' WHEN 'device.unlink' THEN 'deviceUnlinked' END AS kind,
        CASE WHEN e.actor_id = e.account_id OR e.action = 'session.reuse' THEN e.session_id END AS session_id, e.subject,
        CASE WHEN e.action IN ('session.open', 'session.reuse') THEN e.network END AS address, e.changes -> 'form' ->> 1 AS detail
    FROM audit_entry e
    WHERE e.outcome = 'done' AND e.action IN (
            'session.open', 'session.end', 'session.reuse', 'password.change', 'token.make', 'token.revoke', 'identity.link', 'identity.unlink',
            'operator.give', 'operator.take', 'project.join', 'project.leave', 'project.end', 'project.changePart', 'member.join', 'member.leave',
            'endpoint.add', 'endpoint.remove', 'endpoint.changeForm', 'endpoint.changeSecret', 'endpoint.changeTelling', 'endpoint.changeHours', 'invitation.make',
            'watcher.leave', 'device.link', 'device.unlink')
        AND NOT (e.action LIKE 'endpoint.change%' AND EXISTS (
            SELECT FROM audit_entry later
            WHERE later.account_id = e.account_id AND later.entry_id > e.entry_id AND later.action = e.action
                AND later.subject IS NOT DISTINCT FROM e.subject AND later.session_id IS NOT DISTINCT FROM e.session_id
                AND later.at < e.at + interval '1 day'))
    UNION ALL
    SELECT e.owner_id, e.entry_id, e.at, CASE e.action WHEN 'watcher.join' THEN 'watcherJoined' ELSE 'watcherLeft' END,
        CASE WHEN e.actor_id = e.owner_id THEN e.session_id END, CASE WHEN e.device_id IS NULL THEN e.subject ELSE (
            SELECT o.name FROM ownership o WHERE o.account_id = e.owner_id AND o.device_id = e.device_id ORDER BY o.linked_at DESC LIMIT 1) END,
        NULL, NULL
    FROM audit_entry e
    WHERE e.action IN ('watcher.join', 'watcher.leave') AND e.owner_id = coalesce((SELECT current_account()), e.owner_id);
GRANT SELECT ON account_event TO aqua_gateway;

REVOKE ALL ON FUNCTION
    is_audit_action(text), network_kept(text), changed_fields(jsonb, jsonb, text[]), note_act(audit_entry, boolean, boolean), row_is_noted(),
    name_of_device(integer, bigint), periods_told(jsonb, integer), limits_told(setting), limits_are_noted(), answer_is_noted(), work_is_noted(), note_chain(integer, text, text),
    note_refusal_of(audit_entry), note_refusal(text, text), note_failed_sign_in(text, text), note_export(), audit_of_person_is_erased(),
    make_audit_partitions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_refusal(text, text), note_failed_sign_in(text, text), note_export() TO aqua_gateway;
GRANT EXECUTE ON FUNCTION make_audit_partitions() TO aqua_ingestor;

SELECT make_audit_partitions();
