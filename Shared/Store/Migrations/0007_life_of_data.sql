-- The life of the data: roll-ups that outlive the samples, what is forgotten and when, and how the hot tables are cleaned.

-- What the samples of one device in one hour (UTC) come to: of each parameter the sum, the least and the greatest value
-- and how many there were; NULL where there was none. The sums are double precision: values are 32-bit floats, and up to a
-- million of them within a factor of 500 add up in 53 bits without any rounding, in whatever order. So a roll-up is the
-- same however often and in which order it is made, and the mean of any number of hours is exact.
CREATE TABLE sample_hour (
    slot smallint NOT NULL,
    device_id integer NOT NULL,
    starts_at timestamptz NOT NULL,
    temperature_sum double precision,
    ph_sum double precision,
    ammonia_sum double precision,
    nitrate_sum double precision,
    nitrite_sum double precision,
    alkalinity_sum double precision,
    hardness_sum double precision,
    dissolved_oxygen_sum double precision,
    salinity_sum double precision,
    temperature_min real,
    ph_min real,
    ammonia_min real,
    nitrate_min real,
    nitrite_min real,
    alkalinity_min real,
    hardness_min real,
    dissolved_oxygen_min real,
    salinity_min real,
    temperature_max real,
    ph_max real,
    ammonia_max real,
    nitrate_max real,
    nitrite_max real,
    alkalinity_max real,
    hardness_max real,
    dissolved_oxygen_max real,
    salinity_max real,
    temperature_count integer,
    ph_count integer,
    ammonia_count integer,
    nitrate_count integer,
    nitrite_count integer,
    alkalinity_count integer,
    hardness_count integer,
    dissolved_oxygen_count integer,
    salinity_count integer,
    PRIMARY KEY (slot, device_id, starts_at),
    CONSTRAINT sample_hour_whole CHECK (extract(epoch FROM starts_at)::bigint % 3600 = 0)
) PARTITION BY RANGE (starts_at);

-- The same of a day (UTC), added up from its hours. Kept for ever: a device needs about 90 kB a year.
CREATE TABLE sample_day (
    LIKE sample_hour,
    PRIMARY KEY (slot, device_id, starts_at),
    CONSTRAINT sample_day_whole CHECK (extract(epoch FROM starts_at)::bigint % 86400 = 0)
);

-- Up to where the hours of a slot are rolled up, and from where on. A sample whose hour lies before has been taken into
-- account, or its hour is due again.
CREATE TABLE rollup_progress (
    slot smallint PRIMARY KEY REFERENCES slot,
    hours_since timestamptz NOT NULL,
    hours_until timestamptz NOT NULL CHECK (hours_until >= hours_since),
    CHECK (extract(epoch FROM hours_since)::bigint % 3600 = 0),
    CHECK (extract(epoch FROM hours_until)::bigint % 3600 = 0)
);

-- From the first day with samples; where there are none from this hour on, for samples that come late say so themselves.
DO $$
DECLARE
    first timestamptz := date_trunc('hour', now(), 'UTC');
    partition text;
    has_samples boolean;
BEGIN
    FOR partition IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'sample'::regclass AND c.relname ~ '^sample_[0-9]{8}$' ORDER BY c.relname
    LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', partition) INTO has_samples;
        IF has_samples THEN
            first := to_date(right(partition, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC';
            EXIT;
        END IF;
    END LOOP;
    INSERT INTO rollup_progress (slot, hours_since, hours_until) SELECT slot, first, first FROM slot;
END
$$;

-- Hours that are rolled up again, because something came late: added by the transaction that stores it, any number of times,
-- so that nobody waits for anybody.
CREATE TABLE rollup_due (
    slot smallint NOT NULL,
    device_id integer, -- NULL: every device of the slot
    hour timestamptz NOT NULL CHECK (extract(epoch FROM hour)::bigint % 3600 = 0)
) WITH (
    -- rows live for a minute, in a table that is otherwise empty
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000
);

CREATE INDEX rollup_due_hour ON rollup_due (slot, hour);

-- How partitions of samples and hours are cleaned. Rows are added and hardly ever changed, so that what vacuum finds new may
-- be frozen at once: the page is written anyway, and does not have to be written again when transaction numbers run
-- short, 200 million of them later. Every twentieth, so that little of a day is left over when nothing is added any more.
CREATE FUNCTION tune_sample_partition(partition text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format(
        'ALTER TABLE public.%I SET (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05)',
        partition);
END
$$;

CREATE OR REPLACE FUNCTION make_sample_partitions(from_day date, until_day date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    day date;
    partition text;
    made integer := 0;
BEGIN
    IF until_day - from_day > 400 THEN
        RAISE EXCEPTION 'at most 400 days of partitions at once';
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

-- Makes the monthly partitions (UTC) of sample_hour that are missing: from where the roll-ups are, or where a late sample may
-- still reach, to next month.
CREATE FUNCTION make_hour_partitions() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    first timestamptz;
    month timestamp;
    partition text;
    made integer := 0;
BEGIN
    PERFORM pg_advisory_xact_lock(7133701);
    SELECT least(min(hours_until), now() - interval '8 days') INTO first FROM rollup_progress;
    FOR month IN
        SELECT generate_series(
            date_trunc('month', first AT TIME ZONE 'UTC'), (now() + interval '31 days') AT TIME ZONE 'UTC', '1 month')
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

SELECT make_hour_partitions();
SELECT tune_sample_partition(c.relname) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'sample'::regclass;
ALTER TABLE sample_day SET (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Whether nothing needs the samples of a stretch of time any more, apart from people: they are in the roll-ups, nothing of it is due
-- again, and no batch waits that may refer to them. A batch refers to times up to 7 days before its receipt.
CREATE FUNCTION may_be_forgotten(from_time timestamptz, until_time timestamptz) RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT NOT EXISTS (SELECT FROM rollup_progress WHERE hours_until < until_time)
        AND NOT EXISTS (SELECT FROM rollup_due WHERE hour >= from_time AND hour < until_time)
        AND NOT EXISTS (SELECT FROM evaluation_batch WHERE received_at < until_time + interval '169 hours')
$$;

-- Drops the oldest partition of sample or sample_hour if all of it is older than it has to be kept, and returns its name; NULL when
-- there is nothing to drop yet. Never within 8 days, in which late samples and repetitions come.
--
-- Dropping locks the whole table for an instant. Who waits for that lock holds up everybody behind, so it is waited for a
-- quarter of a second at most: while a backup or a long query reads, this fails (lock_not_available) and is tried again later.
CREATE FUNCTION drop_oldest_partition(parent text, keep interval) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
    partition text;
    first date;
    starts timestamptz;
    ends timestamptz;
BEGIN
    IF parent NOT IN ('sample', 'sample_hour') THEN
        RAISE EXCEPTION 'only sample and sample_hour have partitions';
    END IF;
    IF keep < interval '8 days' THEN
        RAISE EXCEPTION 'at least 8 days are kept';
    END IF;
    -- Of several Ingestors one is enough.
    IF NOT pg_try_advisory_xact_lock(7133704) THEN
        RETURN NULL;
    END IF;
    -- What a late sample has changed in between has to be seen.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'only at READ COMMITTED';
    END IF;
    SELECT c.relname, to_date(substring(c.relname FROM '[0-9]+$'), CASE parent WHEN 'sample' THEN 'YYYYMMDD' ELSE 'YYYYMM' END)
    INTO partition, first
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('public.%I', parent)::regclass AND c.relname ~ ('^' || parent || '_[0-9]+$')
    ORDER BY c.relname LIMIT 1;
    starts := first::timestamp AT TIME ZONE 'UTC';
    ends := (first + CASE parent WHEN 'sample' THEN interval '1 day' ELSE interval '1 month' END) AT TIME ZONE 'UTC';
    -- Nothing whose partition is made again for a late sample (8 days back) may have been rolled up and dropped before.
    IF ends IS NULL OR ends > now() - greatest(keep, interval '9 days') OR NOT may_be_forgotten(starts, ends) THEN
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

-- All at once: an engine that has one of them and waits for another would be in a circle with us.
LOCK TABLE alert, episode, transition IN SHARE MODE;

-- What an episode is deleted with is found by its number.
CREATE INDEX episode_ended ON episode (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX transition_of_episode ON transition (slot, episode_id);
CREATE INDEX alert_of_episode ON alert (slot, episode_id);
CREATE INDEX alert_test ON alert (decided_at) WHERE kind = 'test';

-- Deletes some of the episodes that ended longer ago than they have to be kept, with their transitions, alerts, deliveries and
-- attempts, and test alerts of that age; returns how many. What is still on its way stays.
--
-- Nothing else of the alerts grows for ever: there is one throttle for each watched parameter, one status for each device,
-- and unlinking takes the throttles along. Settings, their old versions and ownerships stay, for they explain decisions and
-- bound what people see.
CREATE FUNCTION delete_old_alerts(keep interval, most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
    episodes_of smallint[];
    episodes bigint[];
    alerts_of smallint[];
    alerts bigint[];
    tests integer;
BEGIN
    IF keep < interval '8 days' THEN
        RAISE EXCEPTION 'at least 8 days are kept';
    END IF;
    SELECT array_agg(slot), array_agg(episode_id) INTO episodes_of, episodes FROM (
        SELECT slot, episode_id FROM episode e
        WHERE closed_at < now() - keep AND recovery_due_at IS NULL
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
            WHERE kind = 'test' AND decided_at < now() - keep AND state NOT IN ('decided', 'sending')
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

-- What is in work is a thin layer over years of history, and its indexes (what is decided, due, open) are searched many times a
-- second: dead rows among it are cleaned when there are thousands, not when they are a fifth of all. slot, slot_rules and
-- device_status need nothing: they do not grow, and no index has a column that changes, so that every update cleans up
-- after the one before (HOT).
ALTER TABLE episode SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
ALTER TABLE alert SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
ALTER TABLE delivery SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
ALTER TABLE throttle SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

-- An open episode changes with every reading, and in a storm all of a page at once: of 20,000 that changed ten times 82 of
-- 100 updates stayed in their page (HOT) with a fifth of it free, and all of them with half of it free, in half the room.
ALTER TABLE episode SET (fillfactor = 50);
-- A delivery changes once or twice, each time what an index is made of: room for it in the page is of no use.
ALTER TABLE delivery SET (fillfactor = 100);

REVOKE ALL ON FUNCTION tune_sample_partition(text), make_hour_partitions(), may_be_forgotten(timestamptz, timestamptz),
    drop_oldest_partition(text, interval), delete_old_alerts(interval, integer) FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE ON sample_hour, sample_day TO aqua_ingestor;
GRANT SELECT ON rollup_progress TO aqua_ingestor;
GRANT UPDATE (hours_until) ON rollup_progress TO aqua_ingestor;
GRANT SELECT, INSERT, DELETE ON rollup_due TO aqua_ingestor;
GRANT EXECUTE ON FUNCTION make_hour_partitions(), drop_oldest_partition(text, interval),
    delete_old_alerts(interval, integer) TO aqua_ingestor;
