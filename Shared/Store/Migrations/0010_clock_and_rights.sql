-- What no wrong clock, no service's role and no device may undo.

-- The clock of this server, as far as it is believed. Three services note it every few seconds. It is believed while it runs on
-- from where it was last believed; after a leap, or when nobody looked for a while, only when the devices confirm it, or,
-- where no device has a clock, when it has run on for as long as it was away, a day at most.
CREATE TABLE clock_watch (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    trusted_at timestamptz, -- the latest time that was believed; NULL: none was noted yet
    doubted_since timestamptz, -- of a clock that is not believed: when it was first noted, ...
    doubted_at timestamptz, -- when it was last noted, ...
    doubted_from xid8, -- and the transaction that noted it first: by it rows are told apart that were written before and since
    CHECK (num_nulls(doubted_since, doubted_at, doubted_from) IN (0, 3))
) WITH (fillfactor = 10);

INSERT INTO clock_watch DEFAULT VALUES;

-- Whether now() may be trusted with what cannot be undone. A clock leaps between two notes: so it is compared here too.
CREATE FUNCTION clock_is_trusted() RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT now() BETWEEN trusted_at - interval '5 minutes' AND trusted_at + interval '5 minutes'
        FROM public.clock_watch WHERE is_only), true)
$$;

-- What devices say of a clock that is in doubt: +1 that it is right, -1 that it is wrong, 0 nothing that counts.
--
-- A witness is a device whose own time was believed just before the doubt. It confirms when the lag of its messages (receipt
-- less its own time) is what it was, and contradicts when the lag has changed or its time is not believed any more; so a device
-- whose clock is wrong by a constant is as good a witness as any. Each has one voice, a majority of all witnesses is
-- needed, and three where three devices are heard: one key does not outvote anybody, nor speak for those without a clock.
--
-- Of large fleets 300 devices are asked, chosen at random, and 100 samples of each at most are looked at.
CREATE FUNCTION devices_confirm_clock(reading timestamptz, watch clock_watch) RETURNS integer
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH asked AS MATERIALIZED (
        SELECT slot, device_id FROM device ORDER BY random() LIMIT 300
    ), voice AS MATERIALIZED (
        SELECT
            since.device_id IS NOT NULL AS is_heard,
            before.lag IS NOT NULL AS is_witness,
            before.lag IS NOT NULL AND since.flags & 1 = 0 AND abs(extract(epoch FROM since.lag - before.lag)) <= 300
                AS confirms,
            before.lag IS NOT NULL
                AND (since.flags & 4 <> 0
                    OR since.flags & 1 = 0 AND abs(extract(epoch FROM since.lag - before.lag)) > 300) AS contradicts
        FROM asked a
        LEFT JOIN LATERAL (
            SELECT recent.lag FROM (
                SELECT s.received_at - s.event_time AS lag, s.flags, age(s.xmin) AS age FROM sample s
                WHERE s.slot = a.slot AND s.device_id = a.device_id
                    AND s.event_time <= watch.trusted_at + interval '5 minutes'
                    AND s.event_time > watch.trusted_at - interval '25 hours'
                ORDER BY s.event_time DESC
                LIMIT 100
            ) AS recent
            WHERE recent.flags & 7 = 0 AND recent.age >= age(watch.doubted_from::xid)
            LIMIT 1
        ) AS before ON true
        LEFT JOIN LATERAL (
            SELECT a.device_id, recent.lag, recent.flags FROM (
                SELECT s.received_at - s.event_time AS lag, s.flags, age(s.xmin) AS age, s.received_at FROM sample s
                WHERE s.slot = a.slot AND s.device_id = a.device_id
                    AND s.event_time <= reading + interval '5 minutes' AND s.event_time > reading - interval '8 days'
                ORDER BY s.event_time DESC
                LIMIT 100
            ) AS recent
            WHERE recent.age < age(watch.doubted_from::xid) AND recent.received_at > reading - interval '5 minutes'
            LIMIT 1
        ) AS since ON true
    )
    SELECT CASE
        WHEN 2 * count(*) FILTER (WHERE confirms) > count(*) FILTER (WHERE is_witness)
            AND count(*) FILTER (WHERE confirms) >= least(3, count(*) FILTER (WHERE is_heard)) THEN 1
        WHEN 2 * count(*) FILTER (WHERE contradicts) > count(*) FILTER (WHERE is_witness) THEN -1
        ELSE 0
    END
    FROM voice
$$;

-- Believes a clock from now on. What was rolled up ahead of it is rolled up again: an hour is, a quarter of an hour after its end.
CREATE FUNCTION believe_clock(reading timestamptz) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    WITH clock AS (
        SELECT date_bin('1 hour', least(reading, doubted_since) - interval '15 minutes', 'epoch') AS first_open,
            date_bin('1 hour', reading - interval '15 minutes', 'epoch') AS next_open
        FROM clock_watch
    )
    UPDATE rollup_progress SET hours_since = least(hours_since, first_open), hours_until = first_open
    FROM clock WHERE hours_until > next_open;
    UPDATE clock_watch SET trusted_at = reading, doubted_since = NULL, doubted_at = NULL, doubted_from = NULL;
$$;

-- Notes what the clock says, and whether it is believed. Nobody waits here: one caller at a time is enough.
CREATE FUNCTION note_clock_at(reading timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    leap CONSTANT interval := '5 minutes'; -- what a clock that runs on may differ by
    watch clock_watch;
    verdict integer;
BEGIN
    SELECT * INTO STRICT watch FROM clock_watch;
    IF watch.doubted_at IS NULL AND reading BETWEEN watch.trusted_at AND watch.trusted_at + interval '5 s' THEN
        RETURN true;
    END IF;
    SELECT * INTO watch FROM clock_watch FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN clock_is_trusted();
    END IF;
    IF watch.trusted_at IS NULL OR reading BETWEEN watch.trusted_at - leap AND watch.trusted_at + leap THEN
        IF watch.trusted_at IS NULL OR reading < watch.trusted_at OR watch.doubted_at IS NOT NULL THEN
            PERFORM believe_clock(reading);
        ELSE
            UPDATE clock_watch SET trusted_at = reading;
        END IF;
        RETURN true;
    END IF;
    IF watch.doubted_at IS NULL OR reading NOT BETWEEN watch.doubted_at - leap AND watch.doubted_at + leap THEN
        UPDATE clock_watch SET doubted_since = reading, doubted_at = reading, doubted_from = pg_current_xact_id();
        RETURN false;
    END IF;
    verdict := devices_confirm_clock(reading, watch);
    IF verdict > 0 OR verdict = 0 AND reading - watch.doubted_since >= least(
        interval '1 day', greatest(watch.doubted_since - watch.trusted_at, watch.trusted_at - watch.doubted_since))
    THEN
        PERFORM believe_clock(reading);
        RETURN true;
    END IF;
    UPDATE clock_watch SET doubted_at = reading;
    RETURN false;
END
$$;

-- The one way for services, and with the true clock only.
CREATE FUNCTION note_clock() RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT note_clock_at(clock_timestamp())
$$;

REVOKE ALL ON FUNCTION devices_confirm_clock(timestamptz, clock_watch), believe_clock(timestamptz),
    note_clock_at(timestamptz), note_clock() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_clock() TO aqua_ingestor, aqua_rules, aqua_notifier;
GRANT SELECT ON clock_watch TO aqua_ingestor, aqua_rules, aqua_notifier;

-- How long the owner wants data to be kept, written by `aqua migrate`: a service may keep them longer, never shorter.
CREATE TABLE retention (
    kind text PRIMARY KEY CHECK (kind IN ('samples', 'hours', 'alerts')),
    keep interval NOT NULL CHECK (keep BETWEEN interval '8 days' AND interval '36500 days')
);

INSERT INTO retention VALUES ('samples', '90 days'), ('hours', '800 days'), ('alerts', '800 days');
GRANT SELECT ON retention TO aqua_ingestor;

-- As in 0007, but of the days that can be needed only: those that are kept, and four ahead. A day that lies ahead because
-- the clock did is taken away again by drop_oldest_partition.
CREATE OR REPLACE FUNCTION make_sample_partitions(from_day date, until_day date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    today CONSTANT date := (now() AT TIME ZONE 'UTC')::date;
    day date;
    partition text;
    made integer := 0;
BEGIN
    IF until_day - from_day > 400 THEN
        RAISE EXCEPTION 'at most 400 days of partitions at once';
    END IF;
    IF until_day > today + 4 OR from_day < today - (
        SELECT ceil(extract(epoch FROM keep) / 86400)::integer + 1 FROM retention WHERE kind = 'samples')
    THEN
        RAISE EXCEPTION 'no samples of these days are kept';
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR day IN SELECT d::date FROM generate_series(from_day::timestamp, until_day::timestamp, '1 day') AS d LOOP
        partition := 'sample_' || to_char(day, 'YYYYMMDD');
        CONTINUE WHEN to_regclass(format('public.%I', partition)) IS NOT NULL;
        -- Attached, not created in place: that would lock out readers and writers while a backup reads the table.
        EXECUTE format('CREATE TABLE public.%I (LIKE public.sample INCLUDING ALL)', partition);
        PERFORM tune_sample_partition(partition);
        EXECUTE format(
            'ALTER TABLE public.sample ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
            day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;

-- As in 0007, but also of the months of every day that has a partition, for history reaches further back than late samples; and
-- nothing while the clock is not trusted: nothing is rolled up then.
CREATE OR REPLACE FUNCTION make_hour_partitions() RETURNS integer
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
        SELECT generate_series(
            date_trunc('month', least(min(hours_until), now() - interval '8 days') AT TIME ZONE 'UTC'),
            (now() + interval '31 days') AT TIME ZONE 'UTC', '1 month') FROM rollup_progress
        UNION
        SELECT date_trunc('month', to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp)
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.sample'::regclass AND c.relname ~ '^sample_[0-9]{8}$'
            AND c.relname < 'sample_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')
        ORDER BY 1
    LOOP
        partition := 'sample_hour_' || to_char(month, 'YYYYMM');
        CONTINUE WHEN to_regclass(format('public.%I', partition)) IS NOT NULL;
        EXECUTE format('CREATE TABLE public.%I (LIKE public.sample_hour INCLUDING ALL)', partition);
        PERFORM tune_sample_partition(partition);
        EXECUTE format(
            'ALTER TABLE public.sample_hour ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)', partition,
            month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
        made := made + 1;
    END LOOP;
    RETURN made;
END
$$;

-- As in 0007, but only while the clock is trusted, and never earlier than the owner wants; and what a clock that was ahead has
-- left is dropped before anything else: days further ahead than are made, if they are empty.
CREATE OR REPLACE FUNCTION drop_oldest_partition(parent text, keep interval) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
    partition text;
    first date;
    starts timestamptz;
    ends timestamptz;
    kept interval;
    is_empty boolean := false;
BEGIN
    IF parent NOT IN ('sample', 'sample_hour') THEN
        RAISE EXCEPTION 'only sample and sample_hour have partitions';
    END IF;
    IF keep < interval '8 days' THEN
        RAISE EXCEPTION 'at least 8 days are kept';
    END IF;
    -- What a late sample has changed in between has to be seen.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'only at READ COMMITTED';
    END IF;
    -- Of several Ingestors one is enough.
    IF NOT clock_is_trusted() OR NOT pg_try_advisory_xact_lock(7133704) THEN
        RETURN NULL;
    END IF;
    IF parent = 'sample' THEN
        FOR partition IN
            SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = 'public.sample'::regclass AND c.relname ~ '^sample_[0-9]{8}$'
                AND c.relname > 'sample_' || to_char((now() AT TIME ZONE 'UTC')::date + 4, 'YYYYMMDD')
            ORDER BY c.relname
        LOOP
            EXECUTE format('SELECT NOT EXISTS (SELECT FROM public.%I)', partition) INTO is_empty;
            CONTINUE WHEN NOT is_empty;
            LOCK TABLE ONLY public.sample IN ACCESS EXCLUSIVE MODE;
            EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', partition);
            EXECUTE format('SELECT NOT EXISTS (SELECT FROM public.%I)', partition) INTO is_empty;
            CONTINUE WHEN NOT is_empty;
            EXECUTE format('DROP TABLE public.%I', partition);
            RETURN partition;
        END LOOP;
    END IF;
    SELECT greatest(drop_oldest_partition.keep, r.keep, interval '9 days') INTO STRICT kept
    FROM retention r WHERE kind = CASE parent WHEN 'sample' THEN 'samples' ELSE 'hours' END;
    SELECT c.relname, to_date(substring(c.relname FROM '[0-9]+$'), CASE parent WHEN 'sample' THEN 'YYYYMMDD' ELSE 'YYYYMM' END)
    INTO partition, first
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('public.%I', parent)::regclass AND c.relname ~ ('^' || parent || '_[0-9]+$')
    ORDER BY c.relname LIMIT 1;
    starts := first::timestamp AT TIME ZONE 'UTC';
    ends := (first + CASE parent WHEN 'sample' THEN interval '1 day' ELSE interval '1 month' END) AT TIME ZONE 'UTC';
    -- Nothing whose partition is made again for a late sample may have been rolled up and dropped before: those are taken up
    -- to a day before the retention ends, and 8 days back at least.
    IF ends IS NULL OR ends > now() - kept OR NOT may_be_forgotten(starts, ends) THEN
        RETURN NULL;
    END IF;
    EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', partition);
    -- Again, now that nobody can add anything.
    IF NOT may_be_forgotten(starts, ends) THEN
        RETURN NULL;
    END IF;
    EXECUTE format('DROP TABLE public.%I', partition);
    RETURN partition;
END
$$;

-- As in 0007, but only while the clock is trusted, and never earlier than the owner wants.
CREATE OR REPLACE FUNCTION delete_old_alerts(keep interval, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    episodes_of smallint[];
    episodes bigint[];
    alerts_of smallint[];
    alerts bigint[];
    tests integer;
    kept interval;
BEGIN
    IF keep < interval '8 days' THEN
        RAISE EXCEPTION 'at least 8 days are kept';
    END IF;
    IF NOT clock_is_trusted() THEN
        RETURN 0;
    END IF;
    SELECT greatest(delete_old_alerts.keep, r.keep) INTO STRICT kept FROM retention r WHERE kind = 'alerts';
    SELECT array_agg(slot), array_agg(episode_id) INTO episodes_of, episodes FROM (
        SELECT slot, episode_id FROM episode e
        WHERE closed_at < now() - kept AND recovery_due_at IS NULL
            -- in a form that is looked up for each episode: as NOT EXISTS it goes over all alerts
            AND coalesce((SELECT bool_and(a.state NOT IN ('decided', 'sending')) FROM alert a
                WHERE a.slot = e.slot AND a.episode_id = e.episode_id), true)
        ORDER BY closed_at
        LIMIT most
        FOR UPDATE SKIP LOCKED) AS old;
    SELECT array_agg(slot), array_agg(alert_id), count(*) FILTER (WHERE is_test) INTO alerts_of, alerts, tests FROM (
        SELECT a.slot, a.alert_id, false AS is_test FROM unnest(episodes_of, episodes) AS e (slot, episode_id)
        JOIN alert a ON a.slot = e.slot AND a.episode_id = e.episode_id
        UNION ALL (
            SELECT slot, alert_id, true FROM alert
            WHERE kind = 'test' AND decided_at < now() - kept AND state NOT IN ('decided', 'sending')
            ORDER BY decided_at
            LIMIT most)) AS old;
    DELETE FROM delivery_attempt t USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE t.slot = a.slot AND t.alert_id = a.alert_id;
    DELETE FROM delivery d USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE d.slot = a.slot AND d.alert_id = a.alert_id;
    DELETE FROM alert USING unnest(alerts_of, alerts) AS a (slot, alert_id)
    WHERE alert.slot = a.slot AND alert.alert_id = a.alert_id;
    DELETE FROM transition t USING unnest(episodes_of, episodes) AS e (slot, episode_id)
    WHERE t.slot = e.slot AND t.episode_id = e.episode_id;
    DELETE FROM episode USING unnest(episodes_of, episodes) AS e (slot, episode_id)
    WHERE episode.slot = e.slot AND episode.episode_id = e.episode_id;
    RETURN coalesce(cardinality(episodes), 0) + tests;
END
$$;

-- The database is its owner's and the services', nobody else's; the services use no temporary tables.
DO $$
BEGIN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO aqua_ingestor, aqua_rules, aqua_notifier', current_database());
END
$$;

-- What a cell owns is its slots: so that it can be split by logical replication with row filters, every row that has a slot is
-- named by a key that begins with it. rollup_due and throttle (a NULL is part of its key) have none that would do: there the
-- whole row is the name.
LOCK TABLE ownership, throttle, rollup_due, setting, account IN SHARE ROW EXCLUSIVE MODE;
ALTER TABLE ownership DROP CONSTRAINT ownership_pkey, ADD PRIMARY KEY (slot, ownership_id);
ALTER TABLE throttle REPLICA IDENTITY FULL;
ALTER TABLE rollup_due REPLICA IDENTITY FULL;

-- Also what arrives by replication changes rules. Whoever applies it has an empty search_path. Only the first copy of a table says
-- nothing: the counters come with tables of their own, in any order, and several workers that count would lock each other out.
CREATE FUNCTION is_first_copy() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT current_setting('session_replication_role') = 'replica' AND EXISTS (
        SELECT FROM pg_stat_subscription WHERE pid = pg_backend_pid() AND relid IS NOT NULL)
$$;

CREATE OR REPLACE FUNCTION rules_changed(changed_slot smallint, changed_device integer) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    WITH counted AS (
        UPDATE slot_rules SET version = version + 1 WHERE slot = changed_slot AND NOT is_first_copy() RETURNING version
    )
    UPDATE device SET rules_version = counted.version FROM counted
    WHERE slot = changed_slot AND device_id = changed_device;
$$;

ALTER FUNCTION rules_changed_by_row() SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION rules_changed_by_account() SET search_path = pg_catalog, public, pg_temp;
ALTER TABLE ownership ENABLE ALWAYS TRIGGER ownership_changes_rules;
ALTER TABLE setting ENABLE ALWAYS TRIGGER setting_changes_rules;
ALTER TABLE account ENABLE ALWAYS TRIGGER account_changes_rules;
