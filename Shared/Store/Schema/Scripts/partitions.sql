-- Partitions of readings and of their hours: making them ahead of need, and dropping the oldest.

-- How partitions of samples and hours are cleaned. Rows are added and hardly ever changed, so that what vacuum finds new may
-- be frozen at once: the page is written anyway, and does not have to be written again when transaction numbers run
-- short, 200 million of them later. Every twentieth, so that little of a day is left over when nothing is added any more.
CREATE OR REPLACE FUNCTION tune_sample_partition(partition text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format(
        'ALTER TABLE public.%I SET (autovacuum_freeze_min_age = 0, autovacuum_vacuum_insert_scale_factor = 0.05)',
        partition);
END
$$;

-- Makes the daily partitions (UTC) that are missing between two days, both included, of the days that can be needed: those that are kept, and
-- four ahead. A missing partition would fail every message of a batch, so the Ingestor calls this before it is ready and as time goes on; it may
-- do nothing else to the schema. A day that lies ahead because the clock did is taken away again by drop_oldest_partition.
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

-- Makes the monthly partitions (UTC) of sample_hour that are missing: from where the roll-ups are, or where a late sample may still reach, or of
-- any day that has a partition (history reaches further back than late samples), to next month. Nothing while the clock is not trusted: nothing
-- is rolled up then.
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

-- Makes the monthly partitions (UTC) of sample_hour that are missing between two days of the past, both included: whoever takes over
-- past data needs months in which nothing was measured here. Only months that are kept. It is for the owner alone.
CREATE OR REPLACE FUNCTION make_past_hour_partitions(from_day date, until_day date) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    month timestamp;
    partition text;
    made integer := 0;
BEGIN
    IF until_day > (now() AT TIME ZONE 'UTC')::date OR from_day < (
        SELECT date_trunc('month', (now() - keep) AT TIME ZONE 'UTC')::date FROM retention WHERE kind = 'hours')
    THEN
        RAISE EXCEPTION 'no hours of these days are kept';
    END IF;
    PERFORM pg_advisory_xact_lock(7133701);
    FOR month IN
        SELECT generate_series(date_trunc('month', from_day::timestamp), until_day::timestamp, '1 month')
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

-- Whether nothing needs the samples of a stretch of time any more, apart from people: they are in the roll-ups, nothing of it is due
-- again, and no batch waits that may refer to them. A batch refers to times up to 7 days before its receipt.
CREATE OR REPLACE FUNCTION may_be_forgotten(from_time timestamptz, until_time timestamptz) RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT NOT EXISTS (SELECT FROM rollup_progress WHERE hours_until < until_time)
        AND NOT EXISTS (SELECT FROM rollup_due WHERE hour >= from_time AND hour < until_time)
        AND NOT EXISTS (SELECT FROM evaluation_batch WHERE received_at < until_time + interval '169 hours')
$$;

-- Drops the oldest partition of sample, sample_hour or audit_entry if all of it is older than it has to be kept, and returns its name; NULL when there is
-- nothing to drop yet. Only while the clock is trusted, never earlier than the owner wants, and never within 8 days, in which late samples and
-- repetitions come. What a clock that was ahead has left is dropped before anything else: days further ahead than are made, if they are empty.
--
-- Dropping locks the whole table for an instant. Who waits for that lock holds up everybody behind, so it is waited for a quarter of a second at
-- most: while a backup or a long query reads, this fails (lock_not_available) and is tried again later.
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
    IF parent NOT IN ('sample', 'sample_hour', 'audit_entry') THEN
        RAISE EXCEPTION 'only sample, sample_hour and audit_entry have partitions';
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
    FROM retention r WHERE kind = CASE parent WHEN 'sample' THEN 'samples' WHEN 'sample_hour' THEN 'hours' ELSE 'audit' END;
    IF parent = 'audit_entry' THEN
        DELETE FROM audit_entry_rest WHERE at < now() - kept;
    END IF;
    SELECT c.relname, to_date(substring(c.relname FROM '[0-9]+$'), CASE parent WHEN 'sample' THEN 'YYYYMMDD' ELSE 'YYYYMM' END)
    INTO partition, first
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('public.%I', parent)::regclass AND c.relname ~ ('^' || parent || '_[0-9]+$')
    ORDER BY c.relname LIMIT 1;
    starts := first::timestamp AT TIME ZONE 'UTC';
    ends := (first + CASE parent WHEN 'sample' THEN interval '1 day' ELSE interval '1 month' END) AT TIME ZONE 'UTC';
    -- Nothing whose partition is made again for a late sample may have been rolled up and dropped before: those are taken up
    -- to a day before the retention ends, and 8 days back at least.
    IF ends IS NULL OR ends > now() - kept OR parent <> 'audit_entry' AND NOT may_be_forgotten(starts, ends) THEN
        RETURN NULL;
    END IF;
    EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', parent);
    EXECUTE format('LOCK TABLE ONLY public.%I IN ACCESS EXCLUSIVE MODE', partition);
    -- Again, now that nobody can add anything.
    IF parent <> 'audit_entry' AND NOT may_be_forgotten(starts, ends) THEN
        RETURN NULL;
    END IF;
    EXECUTE format('DROP TABLE public.%I', partition);
    RETURN partition;
END
$$;

REVOKE ALL ON FUNCTION
    tune_sample_partition(text), make_sample_partitions(date, date), make_hour_partitions(), make_past_hour_partitions(date, date),
    may_be_forgotten(timestamptz, timestamptz), drop_oldest_partition(text, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_sample_partitions(date, date), make_hour_partitions(), drop_oldest_partition(text, interval) TO aqua_ingestor;

-- A new database has the partitions of these days at once.
SELECT make_sample_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 3);
SELECT make_hour_partitions();
